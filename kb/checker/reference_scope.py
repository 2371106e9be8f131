"""How far the chapters decide what is asked, for the judge: what their scopes say of it, and what silence comes to there.

    silence(judge, focus, kind)             the verdict on an act of which no norm speaks
    act, condition, number, event           the verdict as it stands within the scope, and what that scope is: a Ruled

Worked out from docs/rule-language.md on the syntax trees of the norms and on kb.checker.reference alone; shares no code with kb.reasoner.scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from kb.checker import reference as j
from kb.checker.reference import Judge, One, Tri, Values, find
from kb.checker.reference_numbers import Row, op
from kb.language import norms as m
from kb.language.vocabulary import ClassTerm, PropertyTerm
from kb.reasoner import builtins, proof as p
from kb.reasoner.proof import Scope
from kb.rulebook.theory import Theory

Found = tuple[m.ScopeRow, Tri]
Closing = tuple[str, str, str]  # the term that is wholly decided, its closing rule, and the words for it
Read = tuple[One, str, frozenset[str]]  # a number of a thing, less some norms
ORDER = (m.WHOLLY, m.PARTLY, m.NAMES)


@dataclass(frozen=True)
class Ruled:
    """A verdict within its scope. rows: the closing rules that may be told, where silence decides; terms, those: what may be
    told of the rows that other rules stand in; freed: the rules whose bar does not reach so far; states: of whom, which, by
    which rules. closes: whether a closing rule has to be told. reasons: where an answer fails for several terms, the rules of
    each; those of one or more are to be told. plain: nothing at all is to be told of the scope."""

    verdict: str
    kind: str = p.WHOLLY
    needs: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()
    those: frozenset[str] = frozenset()
    closing: frozenset[Closing] = frozenset()
    freed: frozenset[str] = frozenset()
    states: frozenset[tuple[str, str, frozenset[str]]] = frozenset()
    closes: bool = True
    reasons: frozenset[frozenset[str]] = frozenset()
    plain: bool = False

    def faults(self, told: Scope) -> Iterator[str]:
        """What a proof tells of its scope otherwise, one sentence a fault."""
        if self.plain:
            if told != Scope():
                yield "something is told of the scope, and the answer does not rest on it"
            return
        if told.kind != self.kind:
            yield f"this is {self.kind} decided here, not {told.kind}"
        needs = self.needs
        if self.reasons:
            fit = [rules for rules in self.reasons if rules <= set(told.needs)]
            needs = frozenset().union(*fit) if fit else needs
        if set(told.needs) != needs or len(set(told.needs)) != len(told.needs):
            yield f"the rules that decide besides are {tell(needs)}, not {tell(told.needs)}"
        if set(told.freed) != self.freed:
            yield f"the bars that do not reach this are of {tell(self.freed)}, not {tell(told.freed)}"
        states = {(x.name, cls, frozenset(rules)) for x, cls, rules in told.states}
        if states != self.states or len(states) != len(told.states):
            known, wanted = ({f"{name} {cls}" for name, cls, _ in found} for found in (states, self.states))
            yield f"the states that no norm of it reads are {tell(wanted)}, not {tell(known)}"
        if (told.by or told.says) and (told.term, told.by, told.says) not in self.closing:
            yield f"{told.by or told.says} does not close {told.term or 'this'}"
        if self.closes and any(by or says for _, by, says in self.closing) and not (told.by or told.says):
            yield "the rule by which silence decides is not told"
        if told.those not in self.those | {""} or told.term not in self.terms | {c[0] for c in self.closing} | {""}:
            yield "the scope is not worded as the chapters have it"


def tell(names: Iterable[str]) -> str:
    """Names in order, for a message."""
    return ", ".join(sorted(names)) or "none"


def stands(verdict: str) -> Ruled:
    """A verdict that a norm that applies, or a missing fact, settles as it is."""
    return Ruled(verdict, plain=True)


# ── rows ──


def speaking(judge: Judge, x: One) -> list[Found]:
    """The rows on kinds of act that an act is or may be under, each with whether it surely is."""
    found: list[Found] = []
    for row in all_rows(judge):
        if row.term in judge.vocabulary.classes and judge.speaks(x, row.term):
            held = judge.member(x, row.term, x)
            if held is not False and row.condition is not None:
                met = judge.holds(row.condition, x, {"this": x})
                held = held if met is True else met
            if held is not False:
                found.append((row, held))
    return found


def on_acts(judge: Judge, x: One) -> list[Found]:
    """Those that speak of what may or must be done: on kinds of act that norms on doing name, and on those below them. Another
    class of acts, or one that norms make, is only what acts are called."""
    heads = (norm.head for norm in judge.theory.norms.values())
    done = {head.act for head in heads if isinstance(head, m.Deontic)}

    def speaks(row: m.ScopeRow) -> bool:
        below = not done.isdisjoint(above(judge, row.term)) and not judge.making(row.term, False)
        return row.kind != m.WHOLLY or row.term in done or below

    return [(row, held) for row, held in speaking(judge, x) if speaks(row)]


def sure(found: Iterable[Found]) -> list[m.ScopeRow]:
    """The rows that surely speak of it."""
    return [row for row, held in found if held]


def bearing(judge: Judge, x: One, terms: Iterable[str]) -> list[m.ScopeRow]:
    """The rows on any of these terms whose condition x meets."""
    wanted = set(terms)
    return [
        row for row in all_rows(judge) if row.term in wanted
        and (row.condition is None or judge.holds(row.condition, x, {"this": x}) is True)
    ]  # fmt: skip


def all_rows(judge: Judge) -> list[m.ScopeRow]:
    """The rows of all loaded chapters, as far as rules that are not loaded stand in them."""
    return judge.once(("rows of the scopes",), [], lambda: list(left(judge.theory)))  # type: ignore[no-any-return]


def left(theory: Theory) -> Iterator[m.ScopeRow]:
    """The same, worked out."""
    loaded = {*theory.sections, *theory.chapters, *(a for ch in theory.chapters.values() for a in ch.aliases)}
    for chapter in theory.chapters.values():
        for row in chapter.scope:
            rest = tuple(r for r in row.refs if r not in loaded)
            kind = m.WHOLLY if row.refs and not rest else row.kind
            yield replace(row, kind=kind, refs=rest)


def above(judge: Judge, term: str) -> set[str]:
    """The terms that a row on them speaks of this one too."""
    if term in judge.vocabulary.classes:
        return set(judge.vocabulary.classes[term].ancestors)
    return {name for name, prop in judge.vocabulary.properties.items() if term in prop.below}


def narrowest(judge: Judge, found: list[m.ScopeRow]) -> list[m.ScopeRow]:
    """The rows that count: none is on a narrower term, or on the same one with a condition, or decides more."""

    def yields(row: m.ScopeRow, other: m.ScopeRow) -> bool:
        if row.term != other.term:
            return row.term in above(judge, other.term)
        mine, theirs = ((r.condition is None, ORDER.index(r.kind)) for r in (row, other))
        return theirs < mine

    return [row for row in found if not any(yields(row, other) for other in found)]


def comes_to(judge: Judge, found: list[m.ScopeRow], home: Iterable[str]) -> Ruled:
    """What rows come to, as the scope of a verdict still to be put in. home: the rules to name where there is no row."""
    best = narrowest(judge, found)
    kind = min((row.kind for row in best), key=ORDER.index, default="")
    chosen = [row for row in best if row.kind == kind]
    if not chosen:
        return Ruled("", p.OUTSIDE, frozenset(home))
    terms = frozenset(row.term for row in chosen)
    if kind == m.WHOLLY:
        said = [row for row in chosen if row.by or row.says] or chosen
        return Ruled("", terms=terms, closing=frozenset((row.term, row.by, row.says) for row in said))
    refs = frozenset(ref for row in chosen for ref in row.refs)
    words = frozenset(row.those for row in chosen if row.those)
    return Ruled("", p.PARTLY if kind == m.PARTLY else p.OUTSIDE, refs, terms, words)


def silence(judge: Judge, focus: One, kind: str) -> str:
    """The verdict on an act of which no norm surely speaks."""
    found, free = on_acts(judge, focus), judge.case.elsewhere
    if closing(judge, sure(found), kind):
        return p.FORBIDDEN if kind == "may" else p.SILENT
    if kind == "must":
        return p.SILENT if free else p.OUTSIDE
    if doubts(judge, focus):
        return p.UNDETERMINED
    if free:
        return p.PERMITTED
    return p.PERMITTED if freed(judge, focus, sure(found)) else p.OUTSIDE


def closing(judge: Judge, under: list[m.ScopeRow], kind: str) -> list[m.ScopeRow]:
    """The rows of an act by which silence decides; what may be done is closed by closing rules alone."""
    counted = [row for row in under if kind == "must" or row.kind != m.WHOLLY or row.by]
    return [row for row in narrowest(judge, counted) if row.kind == m.WHOLLY]


def doubts(judge: Judge, focus: One) -> set[str]:
    """The kinds of act that a rule closes, of which it is not known whether an act is of them."""
    found = on_acts(judge, focus)
    return {r.term for r, held in found if r.kind == m.WHOLLY and r.by and r.condition is None and held is None}


# ── the homes of terms ──


def sources(term: ClassTerm | PropertyTerm | None) -> list[str]:
    """The rules that the ontology names for a term; `usage` is nobody's."""
    named = term.source.replace(",", ";").split(";") if term is not None else []
    return [s.strip() for s in named if s.strip() and s.strip() != "usage"]


def home(judge: Judge, name: str) -> list[str]:
    """Those of them that are not loaded."""
    term = judge.vocabulary.classes.get(name) or judge.vocabulary.properties.get(name)
    return [s for s in sources(term) if s not in judge.theory.sections]


def homes(judge: Judge, x: One) -> set[str]:
    """The homes of each kind that a thing is said to be, or of the nearest kind above it that has one."""
    classes, found = judge.vocabulary.classes, set()
    for name in x.facts.is_:
        up = sorted(classes[name].ancestors, key=lambda c: (c != name, -len(classes[c].ancestors)))
        found |= set(next((rules for c in up if (rules := home(judge, c))), []))
    return found


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
            y = env.get(root) or judge.things.get(root)
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
        made.pending = judge.pending
        return made

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is surely a cls."""
        derived = self.vocabulary.classes[cls].derived
        if derived:
            found = builtins.member(self, derived, cls, x, focus)  # type: ignore[arg-type]
            return None if found is None or found.soft else found.value
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


# ── what is so ──


class Sure(Judge):
    """A question's condition with what silence says only where a chapter decides the term wholly; the rest is not known.

    Memberships, links and numbers are the judge's own. outside, closed: what the answer fails for, and what bears it out.
    open_book: as if no rule closed anything.
    """

    def __init__(self, judge: Judge, open_book: bool = False):
        self.open_book = open_book
        super().__init__(judge.theory, judge.case, judge.caused, judge.done)
        self.under, self.things, self.pending = judge, judge.things, judge.pending
        self.outside: list[Ruled] = []
        self.closed: list[Ruled] = []

    def decided(self, x: One, terms: Iterable[str], name: str) -> bool:
        """Whether a chapter decides wholly what is not said of a term; either is noted."""
        found = comes_to(self.under, bearing(self.under, x, terms), home(self.under, name))
        (self.closed if found.kind == p.WHOLLY else self.outside).append(found)
        return found.kind == p.WHOLLY and not (self.open_book and any(by or says for _, by, says in found.closing))

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is a cls; not known where only silence says no, and no chapter decides it wholly."""
        held = self.under.member(x, cls, focus)
        if held and self.before(x, cls):
            found = comes_to(
                self.under, bearing(self.under, x, self.vocabulary.classes[cls].ancestors), home(self.under, cls)
            )
            if found.kind == p.WHOLLY:
                return held
            self.outside.append(found)
            return None
        if held is not False or self.vocabulary.classes[cls].derived or cls in x.denied:
            return held
        if any(self.under.status(norm, x) for norm in self.making(cls, True)):
            return False
        if any(self.holds(d, x, {"this": x}) is False for d in self.theory.definitions.get(cls, ())):
            return False
        return False if self.decided(x, self.vocabulary.classes[cls].ancestors, cls) else None

    def before(self, x: One, cls: str) -> bool:
        """Whether only the case's word on the start makes x a cls, a state, and x has had a part in what has happened since."""
        classes = self.vocabulary.classes
        said = [c for c in x.facts.is_ if cls in classes[c].ancestors]
        made = any(cls in classes[c].ancestors for c in self.under.caused.get(x.name, ()))
        if not said or made or not any("State" in classes[c].ancestors for c in said):
            return False
        acts = [self.case.things[name] for name in self.under.done]
        return any(x.name in to for act in acts for to in act.links.values())

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """The judge's own."""
        return self.under.successors(x, name, inverse)

    def blank(self, x: One, name: str) -> One:
        """The judge's own."""
        return self.under.blank(x, name)

    def applies(self, norm: m.Norm, x: One) -> list[tuple[Tri, j.Env]]:
        """The judge's own."""
        return self.under.applies(norm, x)

    def quantity(self, x: One, name: str, without: frozenset[str] = j.NONE) -> Fraction | None:
        """The judge's own."""
        return self.under.quantity(x, name, without)

    def silent(self, x: One, role: m.Role) -> bool:
        """Whether a relation that rules make is only not said to hold, and rules that are not loaded make it too."""
        terms = above(self, role.name)
        ruled = any(row.term in terms for row in all_rows(self))
        return ruled and not self.decided(x, terms, role.name)

    def plain(self, c: m.Condition, x: One, env: j.Env) -> Tri:
        """A condition; not known where a relation or a number is so by silence alone, and no chapter decides it wholly."""
        said = self.under.plain(c, x, dict(env))
        match c:
            case m.Some(role, _) if said is False and self.silent(x, role):
                return None
            case m.HasValue(role, target):
                barred = {y.name for y in self.follow(x, target, env)[0]} & self.links(x, role).barred
                return None if said is False and not barred and self.silent(x, role) else said
            case m.Only() | m.Count() | m.Same() | m.Flag():
                return said
            case m.Compare(left, _, right):
                return None if said is not None and any([self.unknown(e, x, env) for e in (left, right)]) else said
        return super().plain(c, x, env)

    def unknown(self, e: m.Expr, x: One, env: j.Env) -> bool:
        """Whether a number that is compared is only what is usual, and rules that are not loaded decide it too."""
        if not isinstance(e, m.Path):
            return False
        ends = self.follow(x, m.Path(e.root, e.steps[:-1]), env)[0] if e.root or len(e.steps) > 1 else [x]
        name = e.steps[-1]
        bare = [y for y in ends if start_of(self.under, y, name) != "stated" and not ruled(self.under, y, name)]
        return any([not self.decided(y, (name,), name) for y in bare])


def condition(judge: Judge, x: One, c: m.Condition, held: Tri) -> Ruled:
    """What the value of a condition comes to within the scope: what is not so by silence alone is no answer."""
    verdict = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[held]
    if held is None or judge.case.elsewhere:
        return stands(verdict)
    surely = Sure(judge)
    if surely.holds(c, x, {"this": x, **judge.things}) is not None:
        said = frozenset(row for found in surely.closed for row in found.closing if row[1] or row[2])
        bare = Sure(judge, open_book=True)
        return Ruled(verdict, closing=said, closes=bare.holds(c, x, {"this": x, **judge.things}) is None)
    open_ = surely.outside
    needs, terms, those = (
        frozenset(x for found in open_ for x in getattr(found, name)) for name in ("needs", "terms", "those")
    )
    reasons = frozenset(found.needs for found in open_)
    return Ruled(p.OUTSIDE, p.OUTSIDE, needs, terms, those, reasons=reasons)


# ── numbers ──


def start_of(judge: Judge, x: One, name: str, without: frozenset[str] = j.NONE) -> str:
    """Where a number of x comes from: norms (computed), what is stated, a module, or the default."""
    rows = list(judge.rows(x, name, without))
    judge.total(x, name, rows)
    return "computed" if any(r.state == "counts" for r in rows) else starts(judge, x, name, rows)


def starts(judge: Judge, x: One, name: str, rows: list[Row]) -> str:
    """Where a number starts, before what is added: set by a norm, stated, a module's, or the default."""
    if any(r.state == "counts" and op(r) == m.SETS for r in rows):
        return "computed"
    derived = judge.vocabulary.properties[name].derived
    module = bool(derived) and builtins.number(judge, derived, x) is not None  # type: ignore[arg-type]
    return "stated" if name in x.facts.numbers else "module" if module else "default"


def ruled(judge: Judge, x: One, name: str, without: frozenset[str] = j.NONE) -> bool:
    """Whether a rule has a part in a number: a constant, a table, a factor, a number added."""
    rows = list(judge.rows(x, name, without))
    judge.total(x, name, rows)
    return any(r.state == "counts" and has_part(judge, x, r, without) for r in rows)


def has_part(judge: Judge, x: One, row: Row, without: frozenset[str]) -> bool:
    """Whether what a norm contributes is more than a number that is stated, or usual, handed on."""
    assert isinstance(row.norm.head, m.QuantityHead)
    e = row.norm.head.value
    env = next((e for v, e in judge.applies(row.norm, x) if v), {"this": x})
    read = list(numbers_read(judge, e, x, {**env, "norm": row.norm.id, "without": without}))
    if op(row) == m.ADDS and row.value == 0:  # none, unless by a rule that puts it in the place of a number stated
        return any(y.facts.numbers.get(n) and ruled(judge, y, n, less) for y, n, less in deep(judge, read, True))
    if any(ruled(judge, y, name, less) for y, name, less in read):
        return True
    if op(row) == m.SETS and isinstance(e, m.Path):
        return not read
    return not read or any(
        start_of(judge, y, name, less) == "stated" and judge.quantity(y, name, less) != 0
        for y, name, less in deep(judge, read)
    )


def deep(judge: Judge, read: Iterable[Read], all_of_them: bool = False) -> Iterator[Read]:
    """The numbers that some numbers are made of, down to those that no norm sets; or those on the way too."""
    for y, name, less in read:
        rows = list(judge.rows(y, name, less))
        judge.total(y, name, rows)
        counting = [r for r in rows if r.state == "counts"]
        if all_of_them or not any(op(r) == m.SETS for r in counting):
            yield y, name, less
        for r in counting:
            assert isinstance(r.norm.head, m.QuantityHead)
            env = next((e for v, e in judge.applies(r.norm, y) if v), {"this": y})
            inner = numbers_read(judge, r.norm.head.value, y, {**env, "norm": r.norm.id, "without": less})
            yield from deep(judge, inner, all_of_them)


def numbers_read(judge: Judge, e: m.Expr, x: One, env: j.Env) -> Iterator[Read]:
    """The numbers of things that an expression reads: of whom, which, less which norms."""
    without = env.get("without", j.NONE)
    match e:
        case m.Path("", (name,)):
            yield x, name, without if x is env["this"] else j.NONE
        case m.Path(root, steps):
            yield from ((y, steps[-1], j.NONE) for y in judge.follow(x, m.Path(root, steps[:-1]), env)[0])
        case m.Otherwise(name):
            yield env["this"], name, without | {env["norm"]}
        case m.Arith(_, left, right):
            yield from (n for part in (left, right) for n in numbers_read(judge, part, x, env))
        case m.Call(_, args):
            yield from (n for part in args for n in numbers_read(judge, part, x, env))
        case m.Lookup(_, _, key, _, shift):
            yield from (n for part in (key, shift) if part is not None for n in numbers_read(judge, part, x, env))
        case m.Aggregate(_, path, filler, name) if name:
            ends, _ = judge.follow(x, path, env)
            yield from ((y, name, j.NONE) for y in ends if judge.holds(filler, y, dict(env)))


def number(judge: Judge, x: One, name: str, verdict: str) -> Ruled:
    """What a number comes to within the scope. verdict: value, silent where every norm about it fails, or undetermined."""
    untold = verdict == p.UNDETERMINED and all(r.status is False for r in judge.rows(x, name, j.NONE))
    if not (untold or verdict in (p.VALUE, p.SILENT)) or judge.case.elsewhere:
        return stands(verdict)
    found = comes_to(judge, bearing(judge, x, (name,)), home(judge, name))
    said = found.kind == p.WHOLLY or (found.kind == p.PARTLY and verdict == p.VALUE and ruled(judge, x, name))
    if said and untold:
        return stands(verdict)
    kind = found.kind if said else p.OUTSIDE
    now = verdict if said else p.OUTSIDE
    return Ruled(now, kind, found.needs, found.terms, found.those, found.closing, closes=said)


# ── effects ──


def event(judge: Judge, x: One, verdict: str) -> Ruled:
    """What “no effect” comes to within the scope."""
    if verdict != p.NO_EFFECT or judge.case.elsewhere:
        return stands(verdict)
    heads = [norm.head for norm in judge.theory.norms.values()]
    named = {head.act for head in heads if isinstance(head, m.Deontic)}
    named |= {head.event for head in heads if isinstance(head, m.Effect)}
    # A row on what acts are called by norms leaves open what such an act brings about.
    rows = [row for row in sure(speaking(judge, x)) if row.term in named or not judge.making(row.term, False)]
    found = comes_to(judge, rows, homes(judge, x))
    norms = [n for n in judge.theory.norms.values() if isinstance(n.head, m.Effect) and judge.speaks(x, n.head.event)]
    said = found.kind == p.WHOLLY and bool(norms)
    if found.kind == p.PARTLY:
        bare = Bare.of(judge)
        said = any(but_for(judge, bare, n, x, untouched) for n in norms)
    kind = found.kind if said else p.OUTSIDE
    now = verdict if said else p.OUTSIDE
    return Ruled(now, kind, found.needs, found.terms, found.those, found.closing, closes=said)
