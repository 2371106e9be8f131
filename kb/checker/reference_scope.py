"""What the chapters declare of their scope, for the judge: the rows that speak of something, and what they come to, a Ruled.

Worked out from docs/rule-language.md on the syntax trees of the norms and on kb.checker.reference alone; shares no code with
kb.reasoner.scope. reference_scope_acts, reference_scope_numbers and reference_scope_statements put each kind of answer in its scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from kb.checker.reference import Judge, One, Tri
from kb.language import norms as m
from kb.language.english import ACT
from kb.language.vocabulary import CONCLUDED, ClassTerm, PropertyTerm
from kb.reasoner import proof as p
from kb.reasoner.proof import Scope
from kb.rulebook.theory import Theory

Found = tuple[m.ScopeRow, Tri]
Closing = tuple[str, str, str]  # the term that is wholly decided, its closing rule, and the words for it
ORDER = (m.WHOLLY, m.PARTLY, m.NAMES)


@dataclass(frozen=True)
class Ruled:
    """A verdict within its scope, and what a proof may or must state of that scope.

    needs: rules that are not loaded and decide too; terms, those: the terms and the words a proof may give for them.
    closing: the closing rules that a proof may name, where silence decides; closes: whether it must name one.
    freed: rules that bar such acts and do not reach this one; states: (thing, state, rules that speak of the state).
    reasons: where the answer fails for several terms, the rules of each: a proof names those of one or more.
    plain: a proof states nothing of the scope.
    """

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


def speaking(judge: Judge, x: One, among: Iterable[m.ScopeRow] | None = None) -> list[Found]:
    """The rows on kinds of act that an act is or may be under, each with whether it surely is. among: those to be looked at, all when None."""
    found: list[Found] = []
    for row in all_rows(judge) if among is None else among:
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
    class of acts, or one that norms make, is only what acts are called; what is no act is done by nobody."""
    done, classes = judge.index.acts, judge.vocabulary.classes

    def speaks(row: m.ScopeRow) -> bool:
        if row.kind != m.WHOLLY:
            called = row.term in classes and classes[row.term].when_unstated == CONCLUDED
        else:
            called = done.isdisjoint(above(judge, row.term)) or bool(judge.making(row.term, False))
        return row.term in done or not (called or (row.term in classes and ACT not in above(judge, row.term)))

    return speaking(judge, x, filter(speaks, all_rows(judge)))


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


def perhaps(judge: Judge, x: One, term: str) -> list[m.ScopeRow]:
    """The rows on a term of which it is open whether x meets their condition."""
    rows = [row for row in all_rows(judge) if row.term == term and row.condition is not None]
    return [row for row in rows if judge.holds(row.condition, x, {"this": x}) is None]  # type: ignore[arg-type]


def all_rows(judge: Judge) -> list[m.ScopeRow]:
    """The rows of all loaded chapters, as far as rules that are not loaded stand in them."""
    if not judge.index.rows:
        judge.index.rows = list(left(judge.theory))
    return judge.index.rows


def left(theory: Theory) -> Iterator[m.ScopeRow]:
    """The same, worked out."""
    loaded = {*theory.sections, *theory.chapters, *(a for ch in theory.chapters.values() for a in ch.aliases)}
    for chapter in theory.chapters.values():
        for row in chapter.scope:
            if row.kind == m.LEFT:
                continue  # compiled as a norm that is open
            rest = tuple(r for r in row.refs if r not in loaded)
            kind = m.WHOLLY if row.refs and not rest else row.kind
            yield replace(row, kind=kind, refs=rest)


def above(judge: Judge, term: str) -> set[str]:
    """The terms that a row on them speaks of this one too."""
    if term in judge.vocabulary.classes:
        return set(judge.vocabulary.classes[term].ancestors)
    return set(judge.vocabulary.above.get(term, ()))


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
