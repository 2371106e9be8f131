"""How far the chapters decide what may or must be done, and what an event brings about, for the judge.

    silence(judge, focus, kind)     the verdict on an act of which no norm speaks
    act, event                      the verdict as it stands within the scope, and what that scope is: a Ruled

A rule that bars some acts and not this one frees this one, where the chapter says that it lists all the bars. Bare is the case
without presumptions, by which such a bar is known to fail for what is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from kb.checker import reference as j
from kb.checker.reference import Judge, One, Tri, Values, find
from kb.checker.reference_events import happens
from kb.checker.reference_numbers import Row
from kb.checker.reference_scope import Ruled, comes_to, homes, narrowest, on_acts, sources, speaking, stands, sure
from kb.checker.reference_scope_numbers import starts
from kb.language import norms as m
from kb.reasoner import proof as p


def silence(judge: Judge, focus: One, kind: str) -> str:
    """The verdict on an act of which no norm surely speaks."""
    found, free = on_acts(judge, focus), judge.case.elsewhere
    if closing(judge, sure(found), kind):
        return p.FORBIDDEN if kind == "may" else p.SILENT
    if kind == "must" and free:
        return p.SILENT
    if doubts(judge, focus, kind):
        return p.UNDETERMINED
    if kind == "must":
        return p.OUTSIDE
    if free:
        return p.PERMITTED
    return p.PERMITTED if freed(judge, focus, sure(found)) else p.OUTSIDE


def closing(judge: Judge, under: list[m.ScopeRow], kind: str) -> list[m.ScopeRow]:
    """The rows of an act by which silence decides; what may be done is closed by closing rules alone."""
    counted = [row for row in under if kind == "must" or row.kind != m.WHOLLY or row.by]
    return [row for row in narrowest(judge, counted) if row.kind == m.WHOLLY]


def doubts(judge: Judge, focus: One, kind: str) -> list[m.Condition]:
    """What is not known of an act and would let silence decide: that it is of a kind, or meets the condition of a row."""
    open_: list[m.Condition] = []
    for row, held in on_acts(judge, focus):
        if row.kind == m.WHOLLY and (row.by or kind == "must") and held is None:
            c = row.condition
            of_kind = c is None or judge.holds(c, focus, {"this": focus}) is True
            open_.append(m.Named(row.term) if c is None or of_kind else c)
    return open_


# ── acts ──


def act(judge: Judge, focus: One, kind: str, verdict: str, winners: Iterable[str]) -> Ruled:
    """What a verdict on an act comes to within the scope. winners: the norms that decide, by id."""
    norms = [judge.theory.norms[i] for i in winners]
    firm = bool(norms) and (kind == "must" or verdict != p.PERMITTED)
    if firm or verdict in (p.CONFLICT, p.UNDETERMINED):
        return stands(verdict)
    under = sure(on_acts(judge, focus))
    closed = closing(judge, under, kind)
    if judge.case.elsewhere and (norms or not closed):
        return stands(verdict)
    others = [row for row in under if row.kind != m.WHOLLY]
    if closed and not (norms and others):
        whole = comes_to(judge, closed, ())
        return Ruled(verdict, terms=whole.terms, closing=whole.closing)
    rest = comes_to(judge, others, homes(judge, focus))
    free = [] if norms or verdict != p.PERMITTED else freed(judge, focus, others)
    if not norms and not free:
        return Ruled(verdict, rest.kind, rest.needs, rest.terms, rest.those)
    states = frozenset(beyond(judge, focus, {s for row in others for s in row.suits}, [*norms, *free]))
    needs = rest.needs | {rule for _, _, rules in states for rule in rules}
    return Ruled(
        p.OUTSIDE if states else p.PERMITTED, p.OUTSIDE if states else p.PARTLY, needs, rest.terms, rest.those,
        freed=frozenset(n.rule for n in free), states=states,
    )  # fmt: skip


def freed(judge: Judge, focus: One, under: list[m.ScopeRow]) -> list[m.Norm]:
    """The norms that bar and do not reach an act, of those that a chapter says are all by which it bars such an act."""
    named = {rule for row in under for rule in row.bars}
    norms = judge.theory.norms.values() if named else ()
    bars = [n for n in norms if isinstance(n.head, m.Deontic) and n.head.mode == m.FORBIDS and n.rule in named]
    bare = Bare.of(judge)
    return [n for n in bars if but_for(judge, bare, n, focus, otherwise)]


def beyond(judge: Judge, focus: One, suits: set[str], norms: list[m.Norm]) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The states of an act and of who does it that a permission does not speak of, and rules that are not loaded do."""
    read: set[str] = set()
    for norm in norms:
        read |= m.names_in(norm.head) | m.names_in(norm.when) | m.names_in(tuple(u.condition for u in norm.unless))
    doers = [y for role in judge.vocabulary.doers for y in judge.successors(focus, role).things]
    for x in {focus.name: focus, **{y.name: y for y in doers}}.values():
        for name in {*x.facts.is_, *judge.caused.get(x.name, ())}:
            term = judge.vocabulary.classes[name]
            elsewhere = sources(term)
            strange = elsewhere and not term.derived and judge.theory.sections.keys().isdisjoint(elsewhere)
            if strange and "State" in term.ancestors and term.ancestors.isdisjoint(read | suits):
                yield x.name, name, frozenset(elsewhere)


# ── effects ──


def event(judge: Judge, x: One, verdict: str) -> Ruled:
    """What “no effect” comes to within the scope."""
    if verdict != p.NO_EFFECT or judge.case.elsewhere:
        return stands(verdict)
    heads = [norm.head for norm in judge.theory.norms.values() if norm.id not in judge.theory.leaves]
    named = {head.act for head in heads if isinstance(head, m.Deontic)}
    named |= (events := {head.event for head in heads if isinstance(head, m.OnEvent) and not head.becoming})
    # A row on what acts are called by norms leaves open what such an act brings about.
    rows = [row for row in sure(speaking(judge, x)) if row.term in named or not judge.making(row.term, False)]
    found = comes_to(judge, rows, homes(judge, x))
    said = found.kind == p.WHOLLY and any(judge.speaks(x, cls) for cls in events)
    if found.kind == p.PARTLY:
        tried = happens(judge, x).tried
        bare = Bare.of(judge)
        said = any(but_for(judge, bare, t.norm, judge.things[t.focus], untouched) for t in tried)
    kind = found.kind if said else p.OUTSIDE
    now = verdict if said else p.OUTSIDE
    return Ruled(now, kind, found.needs, found.terms, found.those, found.closing, closes=said)


Why = Callable[[Judge, Judge, m.Condition, One, j.Env], bool]  # of a part that is false: why it may be


def but_for(judge: Judge, bare: Judge, norm: m.Norm, focus: One, test: Why) -> bool:
    """Whether a norm does not apply only for an exception that is met, or for some but not all parts of its condition, whose
    falsity passes a test."""
    subject = j.subject_of(norm.head)
    if judge.status(norm, focus) is not False or not judge.speaks(focus, subject):
        return False
    if judge.member(focus, subject, focus) is not True:
        return False
    env: j.Env = {"this": focus, "norm": norm.id}
    met = [e for v, e in judge.worlds(norm.when, focus, env) if v]
    if any(judge.holds(u.condition, focus, dict(e)) for e in met for u in norm.unless):
        return True
    failing, parts = 0, together(norm.when)
    for part in parts:
        if not m.unbound(part) <= env.keys():
            return False  # of what has no name nothing is told
        worlds = judge.worlds(part, focus, env)
        if all(v is False for v, _ in worlds):
            failing += 1
            if not test(judge, bare, part, focus, env):
                return False
        env = next((e for v, e in worlds if v is not False), env)
    return 0 < failing < len(parts)


def untouched(judge: Judge, bare: Judge, c: m.Condition, x: One, env: j.Env) -> bool:
    """Whether a condition that is false is so for certain, for a norm, or for a number: a KIA too small."""
    if isinstance(c, m.Compare):
        return True
    if isinstance(c, m.Named) and any(judge.status(norm, x) for norm in judge.making(c.name, True)):
        return True
    return bare_false(bare, c, x, env)


def bare_false(bare: Judge, c: m.Condition, x: One, env: j.Env) -> bool:
    """Whether a condition is false where nothing is presumed."""
    there = find(bare, x.name)
    again = {k: find(bare, v.name) if isinstance(v, One) else v for k, v in env.items()}
    return there is not None and None not in again.values() and bare.holds(c, there, again) is False


def otherwise(judge: Judge, bare: Judge, c: m.Condition, x: One, env: j.Env) -> bool:
    """Whether a condition that is false is so by what is stated, all that is listed taken to be told: not for want of a word."""
    if bare_false(bare, c, x, env):
        return True
    match c:
        case m.Not():
            return True  # what it denies is so
        case m.Bind(of, var):
            return otherwise(judge, bare, of, x, {**env, var: x})
        case m.Of(root, of):
            y = env.get(root)
            return y is not None and otherwise(judge, bare, of, y, env)
        case m.Named(name):
            said = any(judge.status(norm, x) for norm in judge.making(name, True))
            meant = judge.theory.definitions.get(name, ())
            failing = [d for d in meant if judge.holds(d, x, {"this": x}) is False]
            return said or any(otherwise(judge, bare, d, x, {"this": x}) for d in failing)
        case m.Or(parts):
            return any(otherwise(judge, bare, part, x, env) for part in parts)
        case m.And() | m.Except():
            failing = [part for part in together(c) if judge.holds(part, x, dict(env)) is False]
            return any(otherwise(judge, bare, part, x, env) for part in failing)
        case m.Some(role, filler):
            links = judge.links(x, role)
            told = links.things or ([judge.blank(x, role.name)] if links.untold else [])
            return bool(told) and all(otherwise(judge, bare, filler, y, env) for y in told)
    return False


def together(c: m.Condition) -> list[m.Condition]:
    """The parts of a condition that all have to hold."""
    match c:
        case m.And(parts):
            return [x for part in parts for x in together(part)]
        case m.Except(base, carve, _):
            return [*together(base), m.Not(carve)]
        case m.Anything():
            return []
    return [c]


class Bare(Judge):
    """The case as it is told: nothing is presumed absent, no list is taken to be whole, no number to be as usual."""

    @classmethod
    def of(cls, judge: Judge) -> Bare:
        """The same case without presumptions."""
        made = cls(judge.theory, judge.case, judge.caused, judge.done)
        made.pending, made.shifts = judge.pending, judge.shifts
        made.linked, made.loose = judge.linked, judge.loose
        made.held, made.clock = judge.held, judge.clock
        return made

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is surely a cls."""
        if self.vocabulary.classes[cls].derived:
            value, soft = self.derived_member(x, cls, focus)
            return None if soft else value
        return super().member(x, cls, focus)

    def _member(self, x: One, cls: str) -> Tri:
        found = super()._member(x, cls)
        return None if found is False and unsaid(self, x, cls) else found

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """What x is related to; that these are all is not presumed."""
        found = super().successors(x, name, inverse)
        if not (found.presumed or found.no_more):
            return found
        return Values(found.things, False, False, found.barred, False, found.perhaps)

    def nothing_such(self, x: One, role: m.Role, filler: m.Condition, links: Values, env: j.Env) -> bool:
        """Nothing is presumed of what nobody told."""
        return False

    def plain(self, c: m.Condition, x: One, env: j.Env) -> Tri:
        """A condition; what is not said to be true or false is neither."""
        if isinstance(c, m.Flag) and c.name not in x.facts.flags:
            return None
        return super().plain(c, x, env)

    def total(self, x: One, name: str, rows: list[Row]) -> Fraction | None:
        """A number that does not start from what is usual."""
        found = super().total(x, name, rows)
        return None if found is not None and starts(self, x, name, rows) == "default" else found


def unsaid(judge: Judge, x: One, cls: str) -> bool:
    """Whether only silence says that x, which is none, is no cls: no fact, no norm and no definition does."""
    if cls in x.denied or judge.vocabulary.classes[cls].derived:
        return False
    if any(judge.status(norm, x) for norm in judge.making(cls, True)):
        return False
    return not any(judge.holds(d, x, {"this": x}) is False for d in judge.theory.definitions.get(cls, ()))
