"""The answers to one question in many variants of a case, without proofs.

verdicts(theory, cases) -> Verdicts     the answer of each, in the words of kb.reasoner.counterfactuals.said; None where it is
                                        to be asked of the reasoner, with the names of why
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kb.circuit import acts, amounts, past, statements
from kb.circuit.conditions import Lanes
from kb.circuit.staged import MOST, Budget, Unground
from kb.circuit.values import Parts, union
from kb.language import norms as m
from kb.language.case import Case, Question
from kb.reasoner import proof as p
from kb.rulebook.theory import Theory

DEARER = 4  # how much longer a goal takes in lanes than it takes the reasoner in one
FEW = 5  # so many variants are asked as quickly one by one


class Verdicts(Struct, frozen=True):
    """answers: for each variant, what it comes to, or None; reasons: why not, each with how many variants it keeps from an answer."""

    answers: tuple[str | None, ...]
    reasons: dict[str, int] = {}


def verdicts(
    theory: Theory, cases: Sequence[Case], struck: Sequence[str] = (), most: int = MOST, rules: Sequence[str] = ()
) -> Verdicts:
    """What one question comes to in each of some variants of a case, which ask it alike and share their history. struck: for each of
    them the id of a norm that it is asked without, or ""; most: goals that may be worked out; rules: of the first of them, by which rule
    each may be decided, or ""."""
    try:
        return ground(theory, cases, struck, most, rules)
    except Unground as e:
        return Verdicts((None,) * len(cases), {str(e): len(cases)})


def ground(theory: Theory, cases: Sequence[Case], struck: Sequence[str], most: int, rules: Sequence[str]) -> Verdicts:
    """The same. Raises Unground for what cannot be worked out in lanes at all."""
    if not cases:
        return Verdicts(())
    cases = alike(cases)
    question = cases[0].question
    if question.kind in ("which", "effects"):
        raise Unground(f"the question {question.kind}")
    without: dict[str, int] = {}
    for lane, norm in enumerate(struck):
        if norm:
            without[norm] = without.get(norm, 0) | 1 << lane
    lanes = past.after(theory, cases, without, Budget(most))
    for norm, some in lanes.struck.items():
        if only(theory, norm):
            lanes.lose("without the only norm of its sort", some)
    for lane, rule in enumerate(rules):
        lanes.hints[rule] = lanes.hints.get(rule, 0) | 1 << lane
    found = asked(lanes, question)
    # What is open for nothing but that is not ruled here; whether it is for nothing else is asked once more, without it.
    lanes.lose("what is left to rules that are not loaded", found.get(p.UNDETERMINED, 0) & lanes.left)
    lost = union(lanes.lost.values())
    answers: list[str | None] = [None] * len(cases)
    for said, some in found.items():
        some &= ~lost
        while some:
            low = some & -some
            answers[low.bit_length() - 1] = said
            some ^= low
    return Verdicts(tuple(answers), {why: some.bit_count() for why, some in lanes.lost.items()})


def alike(cases: Sequence[Case]) -> Sequence[Case]:
    """The same cases, in which the things that only some of them have are called alike: what is found of one is then found in many."""
    shared = set(cases[0].things).intersection(*(case.things for case in cases))
    asked_of = cases[0].question.condition
    found = []
    for case in cases:
        own = [] if len(case.things) == len(shared) else [name for name in case.things if name not in shared]
        names = {name: f"?{n}" for n, name in enumerate(own) if not m.speaks_of(asked_of, name)}
        found.append(called(case, names) if names else case)
    return found


def called(case: Case, names: dict[str, str]) -> Case:
    """A case with other names for some things."""
    things = {}
    for name, facts in case.things.items():
        links = facts.links
        if any(to in names for ends in links.values() for to in ends):
            links = {role: tuple(names.get(to, to) for to in ends) for role, ends in links.items()}
        now = names.get(name, name)
        if now != name or links is not facts.links:
            facts = replace(facts, name=now, links=links)
        things[now] = facts
    return replace(case, things=things)


def asked(lanes: Lanes, question: Question) -> Parts[str]:
    """What a question comes to, each answer with its lanes."""
    x = lanes.things[question.thing]
    if question.kind == "value":
        return amounts.verdicts(lanes, x, question.quantity)
    if question.condition is not None:
        return statements.verdicts(lanes, x, question.condition)
    return acts.verdicts(lanes, x, question.kind)


def only(theory: Theory, norm_id: str) -> bool:
    """Whether there is no other norm that makes things of some class, or speaks of some act: without it, other norms look elsewhere."""
    head = theory.norms[norm_id].head
    if isinstance(head, m.CountsAs) and not head.negated:
        return any(len(theory.makes[cls]) == 1 for cls in theory.vocabulary.classes[head.target].ancestors)
    return isinstance(head, m.Deontic) and sum(n.head.act == head.act for n in theory.deontic) == 1  # type: ignore[union-attr]


def sieve(
    theory: Theory, cases: Sequence[Case], struck: Sequence[str] = (), most: int = 0, rules: Sequence[str] = ()
) -> Sequence[str | None]:
    """The answers alone, for what asks the reasoner only where they are of interest; none where that would not pay. most: the goals that
    the reasoner may work out for them; one of lanes takes longer."""
    if len(cases) <= FEW:
        return (None,) * len(cases)
    return verdicts(theory, cases, struck, most // DEARER if most else MOST, rules).answers
