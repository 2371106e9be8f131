"""Rules that would make a thing other than the case states it to be: what is stated stands, and this is said.

    overruled(proof, situation) -> (Overruled, ...)

Only of statements that the answer leans on. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m
from kb.reasoner.proof import Overruled, Proof
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Outcome, Step, below


def overruled(proof: Proof, situation: Situation) -> tuple[Overruled, ...]:
    """The statements of a case that a rule is against, in the order in which the answer leans on them."""
    found: dict[tuple[str, str], Overruled] = {}
    for step in leant_on(proof):
        cls = step.node.name
        if (step.thing.name, cls) not in found and (against := norms_against(situation, step)):
            found[step.thing.name, cls] = Overruled(step.thing, cls, bool(step.value), against)
    return tuple(found.values())


def leant_on(proof: Proof) -> Iterator[Step]:
    """The steps of a proof that rest on what the case states a thing to be, or not to be."""
    seen: set[int] = set()
    stack: list[object] = [
        *proof.effects,
        *proof.shifts,
        *proof.considered,
        *proof.contributions,
        *proof.steps,
        *proof.winners,
    ]
    while stack:
        now = stack.pop()
        if id(now) in seen:
            continue
        seen.add(id(now))
        if isinstance(now, Step) and isinstance(now.node, m.Named) and now.why in ("stated", "inferred", "denied"):
            yield now
        stack.extend(below(now))


def norms_against(situation: Situation, step: Step) -> tuple[m.Norm, ...]:
    """The norms by which a thing would be otherwise, were it not stated."""
    cls, x, theory = step.node.name, step.thing, situation.theory
    makes, unmakes = theory.makes.get(cls, ()), theory.unmakes.get(cls, ())
    if not (unmakes if step.value else makes):
        return ()
    pro: list[Outcome] = [situation.outcome(n, x) for n in makes]
    side, outs = situation.resolve(pro, [situation.outcome(n, x) for n in unmakes])
    return tuple(o.norm for o in outs if o.status) if side is (not step.value) else ()
