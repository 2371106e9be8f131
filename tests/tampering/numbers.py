"""Sums and what goes into them are falsified, also in a way that fits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Contribution, Step
from tests.tampering.parts import Tamper, first, put, steps


def wrong_sum(x: Proof) -> bool:
    if x.value is None or not x.steps:
        return False
    x.value += 1
    x.steps[0].value = x.value
    return True


def drop_contribution(x: Proof) -> bool:
    live = [c for c in x.contributions if c.state == "counts"]
    if not live:
        return False
    x.contributions = tuple(c for c in x.contributions if c is not live[0])
    x.winners = tuple(o for o in x.winners if o is not live[0].outcome)
    x.steps[0].parts = x.contributions
    return True


def unbeaten(x: Proof) -> bool:
    return first((c for c in x.contributions if c.state == "beaten"), put("state", "counts"))


def wrong_amount(x: Proof) -> bool:
    def change(c: Contribution) -> None:
        assert c.value is not None
        c.value.value += 1

    return first((c for c in x.contributions if c.state == "counts" and c.value is not None), change)


def whole_sum_wrong(x: Proof) -> bool:
    """An amount is altered, and the sum with it."""
    if x.value is None or not x.steps or not any(c.state == "counts" and c.value is not None for c in x.contributions):
        return False
    c = next(c for c in x.contributions if c.state == "counts" and c.value is not None)
    assert c.value is not None
    c.value.value += 1
    x.value += 1
    x.steps[0].value = x.value
    return True


def beaten_after_all(x: Proof) -> bool:
    live = [c for c in x.contributions if c.state == "counts"]
    if len(live) < 2:
        return False
    live[0].beaten(live[1].outcome, x.theory.policy.principles[0])
    x.winners = tuple(o for o in x.winners if o is not live[0].outcome)
    return True


def aggregates(x: Proof) -> Iterator[Step]:
    return (s for s in steps(x) if isinstance(s.node, m.Aggregate) and s.value is not None)


def is_list(q: object) -> bool:
    return isinstance(q, Step) and isinstance(q.node, m.Count) and isinstance(q.node.filler, m.Anything)


def hide_list(x: Proof) -> bool:
    """That a list is all there is goes from a sum or from a “not that one”, and nothing is said to be presumed there."""
    for s in steps(x):
        kept = tuple(q for q in s.parts if not is_list(q))
        if isinstance(s.node, (m.Aggregate, m.HasValue)) and len(kept) < len(s.parts):
            s.parts, s.soft = kept, any(getattr(q, "soft", False) for q in kept)
            return True
    return False


def hide_tried(x: Proof) -> bool:
    """Why a thing was taken into a sum is not shown."""
    for s in aggregates(x):
        at = next((i for i, q in enumerate(s.parts) if not is_list(q) and not isinstance(q.node, m.Path)), None)
        if at is not None:
            s.parts = s.parts[:at] + s.parts[at + 1 :]
            return True
    return False


def number_for_nothing(x: Proof) -> bool:
    had = x.verdict == p.VALUE
    x.value = None if had else Fraction(7)
    return True


KINDS: dict[str, Tamper] = {
    "a list presumed whole is not told": hide_list,
    "a sum hides what it presumes": lambda x: first((s for s in aggregates(x) if s.soft), put("soft", False)),
    "why a sum took a thing is not shown": hide_tried,
    "a number is told where there is none": number_for_nothing,
    "what counts is said to have lost": lambda x: first((c for c in x.contributions if c.state == "counts"), put("lost", True)),
    "what counts is said to be beaten by itself": lambda x: first((c for c in x.contributions if c.state == "counts"), lambda c: put("by", c.outcome)(c)),
    "an amount and the sum are altered": whole_sum_wrong,
    "what counts is said to be beaten": beaten_after_all,
    "the wrong sum": wrong_sum,
    "the wrong amount": wrong_amount,
    "a contribution is dropped": drop_contribution,
    "a beaten contribution counts": unbeaten,
}  # fmt: skip
