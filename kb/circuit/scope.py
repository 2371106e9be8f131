"""What the chapters declare of their scope, in all lanes at once: the rows that speak of something, and what they come to.

Also the two ways in which a case is looked at for that: Bare, without presumptions, and kb.circuit.statements.Sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.circuit.conditions import Lanes
from kb.circuit.values import One, Tri
from kb.language import norms as m
from kb.language.english import ACT
from kb.language.vocabulary import CONCLUDED
from kb.rulebook.theory import Theory

ORDER = (m.WHOLLY, m.PARTLY, m.NAMES)
Held = list[tuple[m.ScopeRow, Tri]]


class Bare(Lanes):
    """The case as it is told: nothing is presumed absent, no list is taken to be whole, no number to be as usual."""

    presumes = False

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.theory, lanes.cases, lanes)
        self.clash = 0

    def _member(self, x: One, cls: str, at: int) -> Tri:
        true, false = super()._member(x, cls, at)
        said = x.is_no(cls)
        for norm in self.theory.unmakes.get(cls, ()):
            said |= self.status(norm, x, at)[0]
        for definition in self.theory.definitions.get(cls, ()):
            said |= self.holds(definition, x, {"this": x}, at)[1]
        return true, false & said


def on_acts(lanes: Lanes, x: One, at: int) -> Held:
    """The rows that speak of what may or must be done, on kinds of act that an act is or may be under in some lanes, each with whether it is."""
    found: Held = []
    for term, rows in lanes.theory.scope.items():
        closing = [row for row in rows if term in lanes.vocabulary.classes and closes(lanes.theory, row)]
        some = at & lanes.speaks(x, term) if closing else 0
        if not some:
            continue
        true, false = lanes.member(x, term, x, some)
        for row in closing:
            t, f = true & some, at & (false | ~some)
            if row.condition is not None and f != at:
                met, unmet = lanes.holds(row.condition, x, {"this": x}, at & ~f)
                t, f = t & met, f | unmet
            if f != at:
                found.append((row, (t, f)))
    return found


def closes(theory: Theory, row: m.ScopeRow) -> bool:
    """Whether a row speaks of what may or must be done: on kinds of act that norms on doing name, and on those below them; not on what
    acts are called by norms alone, nor on what something is."""
    if row.term in theory.acts:
        return True
    term = theory.vocabulary.classes[row.term]
    if ACT not in term.ancestors:
        return False
    if row.kind != m.WHOLLY:
        return term.when_unstated != CONCLUDED
    return row.term not in theory.makes and not theory.acts.isdisjoint(term.ancestors)


def bearing(lanes: Lanes, x: One, terms: Iterable[str], at: int) -> Held:
    """The rows on any of some terms, each with whether x meets its condition."""
    scope = lanes.theory.scope
    return [
        (row, (at, 0) if row.condition is None else lanes.holds(row.condition, x, {"this": x}, at))
        for term in terms for row in scope.get(term, ())
    ]  # fmt: skip


def wider(theory: Theory, term: str) -> Iterable[str]:
    """The terms that a row on them speaks of this one too."""
    if term in theory.vocabulary.classes:
        return theory.vocabulary.classes[term].ancestors
    return [name for name, prop in theory.vocabulary.properties.items() if term in prop.below]


def narrowest(theory: Theory, rows: Sequence[m.ScopeRow]) -> list[m.ScopeRow]:
    """The rows that count: none is on a narrower term, or on the same one with a condition, or decides more."""

    def yields(row: m.ScopeRow, other: m.ScopeRow) -> bool:
        if row.term != other.term:
            return row.term in wider(theory, other.term)
        mine, theirs = ((r.condition is None, ORDER.index(r.kind)) for r in (row, other))
        return theirs < mine

    return [row for row in rows if not any(yields(row, other) for other in rows)]


def kind_of(theory: Theory, rows: Sequence[m.ScopeRow]) -> str:
    """How far some rows decide: wholly, partly, or not at all (names)."""
    return min((row.kind for row in narrowest(theory, rows)), key=ORDER.index, default=m.NAMES)


def sources(term: object) -> list[str]:
    """The rules that the ontology names for a term; `usage` is nobody's."""
    named = str(getattr(term, "source", "")).replace(",", ";").split(";")
    return [s.strip() for s in named if s.strip() and s.strip() != "usage"]
