"""What the chapters declare of their scope, held against a case: the rows that speak of something, and what they come to.

    of_act(situation, focus)           the rows of the scopes that an act falls under, each with how that is known
    of_rows(theory, rows, home)        the scope that some rows come to

Silence of part of a book is no consent: a default is an answer only where a chapter says that it decides the term wholly.
kb.reasoner.scope_acts, scope_statements and scope_numbers put each kind of answer in its scope. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from kb.language import norms as m
from kb.language.english import ACT
from kb.language.vocabulary import CONCLUDED, ClassTerm, PropertyTerm
from kb.reasoner import proof as p
from kb.reasoner.descent import outcomes_in
from kb.reasoner.evaluate import evaluator
from kb.reasoner.proof import Proof, Scope
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Step, Thing
from kb.rulebook.linker import wider
from kb.rulebook.theory import Theory

STATE = "State"
NO_RULE = "usage"  # the source of a term that is told by nobody's rule
Found = list[tuple[m.ScopeRow, Step]]


# ── rows ──


def rows(situation: Situation, focus: Thing, among: Iterable[m.ScopeRow] | None = None) -> Found:
    """The rows on kinds of act that an act is, or may be, under: each with the step that says so. among: those to be looked at, all
    when None."""
    found: Found = []
    for row in situation.theory.scope_of(focus.kind) if among is None else among:
        step = situation.member(focus, row.term)
        if step.value is not False:
            step = met(situation, row, focus, step)
        if step.value is not False:
            found.append((row, step))
    return found


def of_act(situation: Situation, focus: Thing) -> Found:
    """Those of the rows that speak of what may or must be done."""
    theory = situation.theory
    return rows(situation, focus, (row for row in theory.scope_of(focus.kind) if closes(theory, row)))


def closes(theory: Theory, row: m.ScopeRow) -> bool:
    """Whether a row speaks of what may or must be done: its term is a kind of act that norms bear on, or one below such.

    A class of acts that norms make (Cowering) is decided here, and leaves open whether such an act may be done; one that only norms make
    (what column an attack is on) is no kind of act that some rule lets one do.
    """
    if row.term in theory.acts:
        return True
    term = theory.vocabulary.classes[row.term]
    if ACT not in term.ancestors:  # what state something is in, or what it is
        return False
    if row.kind != m.WHOLLY:
        return term.when_unstated != CONCLUDED
    return row.term not in theory.makes and not theory.acts.isdisjoint(term.ancestors)


def met(situation: Situation, row: m.ScopeRow, x: Thing, before: Step) -> Step:
    """Whether the condition of a row holds of the bearer of its term."""
    if row.condition is None:
        return before
    step = evaluator(situation.theory, row.condition)(situation, x, {"this": x})
    return before if step.value is True else step


def on(situation: Situation, x: Thing, terms: Iterable[str]) -> list[m.ScopeRow]:
    """The rows on any of some terms whose condition holds of their bearer."""
    theory = situation.theory
    return [
        row for term in terms for row in theory.scope.get(term, ())
        if row.condition is None or evaluator(theory, row.condition)(situation, x, {"this": x}).value is True
    ]  # fmt: skip


def not_on(situation: Situation, x: Thing, terms: Iterable[str]) -> list[tuple[m.ScopeRow, Step]]:
    """The rows on any of some terms whose condition does not hold of their bearer, or may not, each with what says so."""
    theory = situation.theory
    tried = [
        (row, evaluator(theory, row.condition)(situation, x, {"this": x}))
        for term in terms for row in theory.scope.get(term, ()) if row.condition is not None
    ]  # fmt: skip
    return [(row, step) for row, step in tried if step.value is not True]


def leaning(situation: Situation, x: Thing, found: Iterable[m.ScopeRow]) -> tuple[Step, ...]:
    """What it leans on that a thing falls under some rows: that it is of their classes, and that their conditions hold."""
    theory = situation.theory
    kinds = [situation.member(x, row.term) for row in found if row.term in theory.vocabulary.classes]
    also = [evaluator(theory, row.condition)(situation, x, {"this": x}) for row in found if row.condition is not None]
    return tuple(step for step in (*kinds, *also) if step.value is True and step.soft)


def narrowest(theory: Theory, found: Sequence[m.ScopeRow]) -> list[m.ScopeRow]:
    """The rows that no other goes before: on a narrower term, or on the same one under a condition, or more than partly."""
    order = {m.WHOLLY: 0, m.PARTLY: 1, m.NAMES: 2}

    def before(a: m.ScopeRow, b: m.ScopeRow) -> bool:
        if a.term != b.term:
            return b.term in wider(theory.vocabulary, a.term)
        if (a.condition is None) != (b.condition is None):
            return b.condition is None
        return order[a.kind] < order[b.kind]

    return [b for b in found if not any(before(a, b) for a in found if a is not b)]


def of_rows(theory: Theory, found: Sequence[m.ScopeRow], home: Sequence[str]) -> Scope:
    """The scope that the narrowest rows come to; `home`: the rules to name where no row does."""
    best = narrowest(theory, found)
    for kind in (m.WHOLLY, m.PARTLY, m.NAMES):
        chosen = [row for row in best if row.kind == kind]
        if chosen and kind == m.WHOLLY:
            row = next((r for r in chosen if r.by or r.says), chosen[0])
            return Scope(p.WHOLLY, term=row.term, by=row.by, says=row.says)
        if chosen:
            refs = tuple(dict.fromkeys(ref for row in chosen for ref in row.refs))
            those = next((row.those for row in chosen if row.those), "")
            return Scope(p.PARTLY if kind == m.PARTLY else p.OUTSIDE, refs, those, chosen[0].term)
    return Scope(p.OUTSIDE, tuple(dict.fromkeys(home)))


# ── what is left to others ──


def left(theory: Theory, roots: Iterable[object]) -> tuple[str, ...]:
    """The rules that are not loaded and to which something is left that some steps lean on."""
    open_ = (o.norm for o in outcomes_in(roots) if o.status is None and o.norm.id in theory.leaves)
    return tuple(dict.fromkeys(ref for norm in open_ for ref in norm.needs))


def elsewhere(found: Proof, otherwise: Callable[[], Proof]) -> Proof:
    """An open answer is not ruled here where nothing but what is left to rules that are not loaded opens it: without that it is known.

    otherwise: the answer as if these rules said nothing.
    """
    needs = left(found.theory, found.open)
    other = otherwise() if needs else found
    if other.verdict in (p.UNDETERMINED, p.CONFLICT):
        return found
    refs = tuple(dict.fromkeys((*needs, *(other.scope.needs if other.verdict == p.OUTSIDE else ()))))
    return replace(found, verdict=p.OUTSIDE, value=other.value, scope=Scope(p.OUTSIDE, refs))


# ── homes: the rules that the ontology names as the sources of terms ──


def home(theory: Theory, term: ClassTerm | PropertyTerm | None) -> Iterator[str]:
    """The rules that a term comes from and that are not loaded."""
    for source in term.source.replace(",", ";").split(";") if term is not None else ():
        rule = source.strip()
        if rule and rule != NO_RULE and rule not in theory.sections:
            yield rule


def homes(situation: Situation, x: Thing) -> Iterator[str]:
    """The homes of what a thing is said to be, the narrowest kind first."""
    classes = situation.vocabulary.classes
    for name in sorted(x.facts.is_, key=lambda c: -len(classes[c].ancestors)):
        for above_ in sorted(classes[name].ancestors, key=lambda c: (c != name, -len(classes[c].ancestors))):
            rules = list(home(situation.theory, classes[above_]))
            if rules:
                yield from rules
                break
