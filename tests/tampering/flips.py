"""What would turn an answer, and what is missing, is falsified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.reasoner import counterfactuals, proof as p, reason as reasoner
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Flip, Missing
from kb.rulebook import compiler
from tests.tampering.parts import Tamper, replace


def flip(kind: str, change: Callable[[Flip, Proof], Flip | None]) -> Tamper:
    """Changes the first flip of a kind that can be changed so."""

    def alter(x: Proof) -> bool:
        for at, old in enumerate(x.flips):
            new = change(old, x) if old.kind == kind else None
            if new is not None:
                x.__dict__["flips"] = (*x.flips[:at], new, *x.flips[at + 1 :])
                return True
        return False

    return alter


def leads_elsewhere(old: Flip, x: Proof) -> Flip:
    return replace(old, verdict="somewhere else")


def leads_nowhere(old: Flip, x: Proof) -> Flip:
    return replace(old, edits=())


def by_others_edits(old: Flip, x: Proof) -> Flip | None:
    """The edits of a flip that leads somewhere else."""
    other = next((f for f in x.flips if f.kind == "facts" and f.verdict != old.verdict), None)
    return replace(old, edits=other.edits) if other is not None else None


def other_number(old: Flip, x: Proof) -> Flip | None:
    return None if old.value is None else replace(old, value=old.value + 1)


def idle_norm(old: Flip, x: Proof) -> Flip | None:
    """Without a norm that changes nothing; there may be none."""
    now = counterfactuals.said(x)
    idle = (
        i
        for i in x.theory.norms
        if counterfactuals.said(reasoner.answer(compiler.without(x.theory, i), x.case, False)) == now
    )
    name = next(idle, None)
    return None if name is None else replace(old, norm=name)


def reading_there(old: Flip, x: Proof) -> Flip:
    """The reading that is adopted anyway."""
    dispute = old.reading[0]
    options = (n.reading.partition(":") for n in x.theory.norms.values() if n.reading)
    return replace(old, reading=(dispute, next(o for d, _, o in options if d == dispute)))


def missing(change: Callable[[Missing], Missing | None]) -> Tamper:
    """Changes the first missing fact that can be changed so."""

    def alter(x: Proof) -> bool:
        for at, old in enumerate(x.missing):
            if (new := change(old)) is not None:
                x.missing = (*x.missing[:at], new, *x.missing[at + 1 :])  # type: ignore[misc]
                return True
        return False

    return alter


def changes(**fields: Any) -> Callable[[Missing], Missing | None]:
    return lambda row: replace(row, **fields)


def swapped(row: Missing) -> Missing | None:
    return replace(row, if_true=row.if_false, if_false=row.if_true) if row.if_true != row.if_false else None


def unsettled(row: Missing) -> Missing | None:
    known = p.UNDETERMINED not in (row.if_true, row.if_false)
    return replace(row, settles=not row.settles) if not known or row.if_true != row.if_false else None


KINDS: dict[str, Tamper] = {
    "a fact leads elsewhere": flip("facts", leads_elsewhere),
    "a fact is not changed": flip("facts", leads_nowhere),
    "a fact is changed as another flip says": flip("facts", by_others_edits),
    "a flip's number is another": flip("facts", other_number),
    "a norm's going leads elsewhere": flip("rule", leads_elsewhere),
    "an idle norm's going would turn it": flip("rule", idle_norm),
    "a reading leads elsewhere": flip("reading", leads_elsewhere),
    "the adopted reading would turn it": flip("reading", reading_there),
    "a missing fact would lead elsewhere": missing(changes(if_true="somewhere else")),
    "a missing fact's absence would lead elsewhere": missing(changes(if_false="somewhere else")),
    "a missing fact cannot be so": missing(lambda row: replace(row, if_true=p.IMPOSSIBLE) if row.if_true != p.IMPOSSIBLE else None),
    "a missing fact and its absence change places": missing(swapped),
    "what a missing fact settles is told otherwise": missing(unsettled),
}  # fmt: skip
