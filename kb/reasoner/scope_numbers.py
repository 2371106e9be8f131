"""How far the loaded rules decide a number: `value` puts it in its scope, `ruled` tells whether a rule has a say in it at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof, Scope
from kb.reasoner.scope import home, leaning, not_on, of_rows, on
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Contribution, Step


def ruled(step: Step) -> bool:
    """Whether a rule has a say in a number: one with a constant, a table or a factor, not only one that hands on what is stated."""
    rows_ = [r for r in step.parts if isinstance(r, Contribution)]
    if rows_:
        return any(r.state == "counts" and contributes(r) for r in rows_)
    return any(ruled(q) for q in step.parts if isinstance(q, Step))


def contributes(row: Contribution) -> bool:
    """Whether what a norm contributes is more than a number stated, or presumed where nothing is said, and changes something."""
    if row.op in m.HAPPENED:
        return row.value is not None and row.value.value != 0
    if row.op == m.ADDS and row.value is not None and row.value.value == 0:
        return overruled(row.value)
    if row.value is None or ruled(row.value):
        return True
    leaves = list(given(row.value))
    if row.op == m.SETS and isinstance(row.value.node, m.Path):
        return not leaves
    return not leaves or any(leaf.why == "stated" and leaf.value != 0 for leaf in leaves)


def overruled(step: Step) -> bool:
    """Whether a number that the case states is not the one that counts, for a rule puts another in its place."""
    if isinstance(step.node, m.Path) and step.why == "computed":
        return bool(step.thing.facts.numbers.get(step.node.steps[-1])) and ruled(step)
    return any(overruled(q) for q in step.parts if isinstance(q, Step))


def given(step: Step) -> Iterator[Step]:
    """The numbers that an expression reads, followed down to those that no norm sets."""
    if isinstance(step.node, m.Path) and step.why in ("stated", "default", "computed", "module"):
        rows_ = [r for r in step.parts if isinstance(r, Contribution) and r.state == "counts" and r.value is not None]
        rows_ = [r for r in rows_ if r.op not in m.HAPPENED]  # what events have done to it is no number handed on
        if not any(r.op == m.SETS for r in rows_):
            yield step
        for r in rows_:
            if r.value is not None:
                yield from given(r.value)
        return
    for part in step.parts:
        if isinstance(part, Step):
            yield from given(part)


def value(found: Proof, situation: Situation) -> Proof:
    """A number in its scope: a default, or what is only handed on, is none where other rules have a part in it."""
    untold = found.verdict == p.UNDETERMINED and found.steps[0].why == "unknown"
    if not (untold or found.verdict in (p.VALUE, p.SILENT)) or situation.case.elsewhere:
        return found
    question, theory = found.question, situation.theory
    x = situation.things[question.thing]
    term = situation.vocabulary.properties[question.quantity]
    under = on(situation, x, (question.quantity,))
    homes = tuple(home(theory, term))
    scope = of_rows(theory, under, homes)

    def said(of: Scope) -> bool:
        by_rule = found.verdict == p.VALUE and ruled(found.steps[0])
        return of.kind == p.WHOLLY or (of.kind == p.PARTLY and by_rule)

    otherwise = [
        step for row, step in not_on(situation, x, (question.quantity,))
        if said(of_rows(theory, [*under, row], homes)) != said(scope)
    ]  # fmt: skip
    # A row that may be the narrowest, and would have it otherwise, leaves it open who decides.
    if open_ := tuple(step for step in otherwise if step.value is None):
        return replace(found, verdict=p.UNDETERMINED, open=open_)
    away = tuple(step for step in otherwise if step.soft)
    if said(scope):
        leans = leaning(situation, x, [row for row in under if row.condition is not None])
        return replace(found, silence=(*leans, *away), scope=Scope() if untold else scope)
    return replace(
        found, verdict=p.OUTSIDE, open=(), silence=away, scope=Scope(p.OUTSIDE, scope.needs, scope.those, scope.term)
    )
