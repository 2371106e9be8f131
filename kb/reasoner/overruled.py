"""Rules that would make a thing other than the case states it to be, or unrelated to what it is stated to be related to: what
is stated stands, and this is said.

    overruled(proof, situation) -> (Overruled, ...)

Only of statements that the answer leans on. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.language import norms as m
from kb.reasoner.descent import below
from kb.reasoner.evaluate import evaluator
from kb.reasoner.proof import Overruled, Proof
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Contribution, Outcome, Reached, Stated, Step, Thing

# a class, one below it, that it is not so, and one that goes ill with it
STATED = ("stated", "inferred", "denied", "disjoint")
RELATIONS = (m.Some, m.Only, m.Count, m.HasValue)


def overruled(proof: Proof, situation: Situation) -> tuple[Overruled, ...]:
    """The statements of a case that a rule is against, in the order in which the answer leans on them."""
    found: dict[tuple[str, ...], Overruled] = {}
    looked: set[tuple[object, ...]] = set()  # statements, of one thing before an act and of it after
    for step in leant_on(proof):
        if not isinstance(step.node, m.Named):
            for row in related_against(situation, step, looked):
                assert row.to is not None
                found.setdefault((row.thing.name, str(row.role), row.to.name), row)
            continue
        cls = step.node.name
        if (
            (step.thing.name, cls) not in found
            and new(looked, id(step.thing), cls, step.value)
            and (against := norms_against(situation, step))
        ):
            found[step.thing.name, cls] = Overruled(step.thing, cls, bool(step.value), against)
    return tuple(found.values())


def renumbered(situation: Situation) -> bool:
    """Whether a rule sets a number of the case to another than is told: of numbers the rule has its way."""
    told = [
        (situation.things[n], q, value) for n, of in situation.case.things.items() for q, value in of.numbers.items()
    ]
    steps = [(situation.quantity(thing, q), value) for thing, q, value in told]
    return any(step.value != value and any(map(sets, step.parts)) for step, value in steps)


def sets(part: object) -> bool:
    """Whether a part of a number is what a norm sets it to, and counts."""
    return isinstance(part, Contribution) and part.op == m.SETS and part.state == "counts"


def leant_on(proof: Proof) -> Iterator[Step]:
    """The steps of a proof that rest on what the case states a thing to be, or not to be, or to be related to."""
    seen: set[int] = set()
    stack: list[object] = [
        *proof.effects,
        *proof.shifts,
        *(t.by for t in proof.ties),
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
        if type(now) is Step:
            if now.why in STATED if type(now.node) is m.Named else isinstance(now.node, RELATIONS):
                yield now
            stack.extend(now.parts)
        else:
            stack.extend(below(now))


def new(looked: set[tuple[object, ...]], *what: object) -> bool:
    """Whether a statement was not looked at before; it is now."""
    if what in looked:
        return False
    looked.add(what)
    return True


def related_against(situation: Situation, step: Step, looked: set[tuple[object, ...]]) -> Iterator[Overruled]:
    """The statements of a relation that a step rests on and a norm denies; that there is none, where a norm gives some."""
    role: m.Role = step.node.role
    if not role.inverse and step.thing.facts.links.get(role.name) == () and new(looked, id(step.thing), role.name):
        for y in situation.things.values():
            norms = tuple(n for n in situation.theory.relations.get(role.name, ()) if says(situation, n, step.thing, y))
            if norms and y is not step.thing:
                yield Overruled(step.thing, "", False, norms, role, y)
    for part in step.parts:
        if not isinstance(part, Reached) or not isinstance(part.why, Stated):
            continue
        if not new(looked, id(step.thing), role, id(part.thing)):
            continue
        one, other = (part.thing, step.thing) if role.inverse else (step.thing, part.thing)
        norms = tuple(n for n in situation.theory.relations.get(role.name, ()) if says(situation, n, one, other, False))
        if norms:
            yield Overruled(step.thing, "", True, norms, role, part.thing)


def says(situation: Situation, norm: m.Norm, one: Thing, other: Thing, so: bool = True) -> bool:
    """Whether a norm says that two things are related, or (not `so`) that they are not."""
    assert isinstance(norm.head, m.Relates)
    if norm.head.negated is so:
        return False
    outcome = situation.outcome(norm, one)
    to = evaluator(situation.theory, norm.head.to, norm)
    return outcome.status is True and to(situation, other, outcome.env).value is True


def norms_against(situation: Situation, step: Step) -> tuple[m.Norm, ...]:
    """The norms by which a thing would be otherwise, were it not stated."""
    cls, x, theory = step.node.name, step.thing, situation.theory
    makes, unmakes = theory.makes.get(cls, ()), theory.unmakes.get(cls, ())

    def tried(norms: Iterable[m.Norm]) -> list[Outcome]:
        """Those that are not about another kind of thing."""
        return [
            situation.outcome(n, x) for n in norms
            if not isinstance(n.head, m.CountsAs) or situation.focus(x, m.subject_of(n.head)) is not False
        ]  # fmt: skip

    against = tried(unmakes if step.value else makes)
    if not any(o.status for o in against):
        return ()
    others = tried(makes if step.value else unmakes)
    side, outs = situation.resolve(others, against) if step.value else situation.resolve(against, others)
    return tuple(o.norm for o in outs if o.status) if side is (not step.value) else ()
