"""What would turn a settled answer: each smallest change of facts, and each single rule, tried for real.

    flips(proof, situation) -> ((Flip, ...), how many changes it would have taken too long to try)

A change of a number is told as a range (`at most 3`) where further numbers of that range turn the answer too, else as the number tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from msgspec import structs

from kb.language.case import Amount, Case, Edit, Fact
from kb.numbers import number as read
from kb.reasoner.abduction import MOST_ATOMS, atoms
from kb.reasoner.counterfactuals import Sieve, asked_each, consistent, foreseen, said, settle
from kb.reasoner.descent import outcomes_in
from kb.reasoner.proof import UNDETERMINED, VALUE, Proof
from kb.reasoner.situation import Situation
from kb.reasoner.staging import TooLong
from kb.reasoner.trace import Flip
from kb.reasoner.trials import Trials
from kb.rulebook.compiler import without
from kb.rulebook.theory import Theory

MOST_PAIRS = 200
PLAIN = ("may", "must", "is", "value")  # questions of which the answer is all that a flip tells
FURTHER = (1, 3, 12)  # how much further into a range a number is tried


def flips(found: Proof, situation: Situation, most: int = 0, sieve: Sieve = asked_each) -> tuple[tuple[Flip, ...], int]:
    """Each smallest change of facts, and each single rule, that turns the answer; and how many changes it would have taken too long to
    try. most: see Trials.of_flips. sieve: what knows of some changes beforehand that they turn nothing."""
    if found.question.kind == "which" or found.verdict == UNDETERMINED:
        return (), 0
    before, trials, others = said(found), Trials.of_flips(most), Trials.of_flips(most)
    theory = situation.theory
    roots: list[object] = [*found.winners, *found.steps, *(o for o in found.considered if o.status is False)]
    singles: list[Flip] = []
    tried: dict[Fact, tuple[Edit, ...]] = {}
    rules: list[str] = []
    for atom in atoms(situation, roots, unknown=False, most=0):
        for fact, edits in ((atom.fact, atom.true), (atom.otherwise, atom.false)):
            if edits and fact is not None and fact not in tried and consistent(situation, edits):
                tried[fact] = edits
                rules.append(atom.rule)
    spare: list[tuple[Fact, tuple[Edit, ...]]] = []
    used = norms_used(found)
    known = foreseen(theory, found.case, list(tried.values()), sieve, trials.left, used, rules)
    for (fact, edits), then in zip(tried.items(), known, strict=False):
        if then == before:
            spare.append((fact, edits))
        elif then is not None and found.question.kind in PLAIN:
            singles += [Flip("facts", then, (fact,), edits=edits, value=read(then))] if then != UNDETERMINED else []
        elif then != UNDETERMINED:
            with suppress(TooLong):
                other = trials.after(theory, found.case, edits)
                if other is None or any(name not in found.case.things for name in touched(other)):
                    continue  # what it would do to a thing made up for the trial tells a player nothing
                if said(other) not in (before, UNDETERMINED):
                    singles.append(Flip("facts", said(other), (fact,), edits=edits, value=number(other)))
                elif said(other) == before:
                    spare.append((fact, edits))
    pairs: list[Flip] = []
    if not singles and not trials.untried:  # of two changes, one that was not tried might be enough
        both = [
            ((one, two), (*a, *b)) for (one, a), (two, b) in list(combinations(spare, 2))[:MOST_PAIRS]
            if consistent(situation, (*a, *b))
        ]  # fmt: skip
        for (facts, edits), then in zip(
            both, foreseen(theory, found.case, [edits for _, edits in both], sieve, trials.left), strict=True
        ):
            if then in (before, UNDETERMINED):
                continue
            if then is not None and found.question.kind in PLAIN:
                pairs.append(Flip("facts", then, facts, edits=edits, value=read(then)))
            else:
                with suppress(TooLong):
                    other = trials.after(theory, found.case, edits)
                    if other is not None and said(other) not in (before, UNDETERMINED):
                        pairs.append(Flip("facts", said(other), facts, edits=edits, value=number(other)))
    without_one = tuple(rule_flips(found, zip(used, known[len(tried) :], strict=True), before, others))
    ranges = Trials.of_flips(most)
    singles = sorted((as_tried(flip, found, ranges) for flip in singles), key=lambda flip: far(flip, found.case))
    return (*singles, *pairs, *without_one), trials.untried + others.untried


def far(flip: Flip, case: Case) -> int:
    """How far a change is from what the case tells: it takes back what is told, tells more of a thing there, or brings in another thing."""
    told = [(case.things[e.thing], e) for e in flip.edits if e.thing in case.things]
    if any(e.name in (facts.is_ if e.kind in ("not", "become") else facts.numbers) for facts, e in told):
        return 0
    return 2 if any(e.kind == "link" for e in flip.edits) else 1


def as_tried(flip: Flip, found: Proof, trials: Trials) -> Flip:
    """A change of a number, told as that number where others of the range that it names do not turn the answer alike."""
    fact, edit = flip.facts[0], flip.edits[-1] if flip.edits else None
    if not isinstance(fact, Amount) or fact.op not in ("<", "<=", ">", ">=") or edit is None or edit.kind != "number":
        return flip
    alone = replace(flip, facts=(structs.replace(fact, op="=", value=edit.value), *flip.facts[1:]))
    way = 1 if fact.op[0] == ">" else -1
    for further in FURTHER:
        value = edit.value + way * further
        if value < 0 <= edit.value:
            continue  # no range reaches below nothing
        edits = (*flip.edits[:-1], structs.replace(edit, value=value))
        try:
            other = trials.after(found.theory, found.case, edits)
        except TooLong:
            return alone
        if other is not None and said(other) != flip.verdict:
            return alone
    return flip


def norms_used(found: Proof) -> list[str]:
    """The norms that apply, of those that an answer leans on."""
    used = outcomes_in([*found.winners, *found.steps, *(d.winner for d in found.defeats)])
    return list(dict.fromkeys(o.norm.id for o in used if o.status))


def number(then: Proof) -> Fraction | None:
    """The number that an answer is; none where other rules decide it."""
    return then.value if then.verdict == VALUE else None


def rule_flips(
    found: Proof, struck: Iterable[tuple[str, str | None]], before: str, trials: Trials
) -> Iterator[Flip]:  # fmt: skip
    """Each single norm without which the answer would be another. struck: those of interest, with what is known of the answer without."""
    for norm_id, then in struck:
        if then == before:
            continue
        if then is not None and found.question.kind in PLAIN and not found.cases:
            yield Flip("rule", then, norm=norm_id, value=read(then))
            continue
        with suppress(TooLong):
            other = under(without(found.theory, norm_id), found, trials)
            if said(other) != before:
                yield Flip("rule", said(other), norm=norm_id, value=number(other))


def under(theory: Theory, found: Proof, trials: Trials) -> Proof:
    """The answer to the same case under other rules: by cases, too, where so it was found. Raises TooLong, and counts it."""
    if not found.cases:
        return trials.decide(theory, found.case)
    other, situation = trials.decided(theory, found.case)
    if other.verdict != UNDETERMINED:
        return other
    settled = settle(other, situation, MOST_ATOMS, trials, missing=False)
    return settled if said(settled) == said(found) else other


def touched(found: Proof) -> Iterator[str]:
    """The things of which an event makes something, or that it relates to others."""
    yield from (c.thing for c in found.effects)
    yield from (t.thing for t in found.ties)
