"""Answers a question, with all that follows from the answer.

    answer(theory, case) -> Answer

kb.reasoner.decision decides it; here what is missing is looked for, and what the answer rests on, what would turn it and what
nothing read are worked out when they are first asked for. Pure: no files, clock or network, and no RDF.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar

from kb.language.case import Case
from kb.reasoner import (
    counterfactuals,
    flips,
    inquiry,
    overruled,
    proof as p,
    support,
    trials,
    turning as turning,
    unused,
    walks,
)
from kb.reasoner.abduction import MOST_ATOMS, Atom as Atom
from kb.reasoner.alike import Frames as Frames, Lanes as Lanes
from kb.reasoner.decision import chosen, variants
from kb.reasoner.flips import under as under
from kb.reasoner.proof import Overruled, Proof, Rest, Unused
from kb.reasoner.relevance import Walk as Walk
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Flip
from kb.reasoner.trials import Trials
from kb.reasoner.watched import Look as Look, Reads as Reads, looked as looked, staged as watching
from kb.rulebook.theory import Theory

A = TypeVar("A", bound="Answer")


@dataclass(frozen=True, eq=False)
class Answer(Proof):
    """A proof with what follows from it."""

    @property
    def worked(self) -> tuple[Proof, Situation]:
        """The proof and the case as it was staged for it: decided again where that is no longer at hand."""
        staged = self.__dict__.get("staged")
        return (self, staged) if staged is not None else self.again

    @cached_property
    def again(self) -> tuple[Proof, Situation]:
        """The same, decided again; kept, for all that follows from an answer asks for it."""
        return made(Answer, *trials.whole(self.theory, self.case)).worked

    @cached_property
    def rest(self) -> Rest:
        """What the decision rests on; gathered from the steps."""
        if self.verdict == p.WHICH:
            return support.basis_of_all(self.which, self.chosen)
        if self.cases:
            return support.basis_of_cases([proof for _, _, proof in self.cases])
        return support.basis(*self.worked)

    @property
    def grade(self) -> str:
        """How sure the answer is: that of what it rests on, but for what is said of the act and not read, which may change it."""
        grade = self.rest.grade
        return p.IF_NOTHING_ELSE if grade == p.SETTLED and unused.about_the_act(self) else grade

    @cached_property
    def turns(self) -> tuple[tuple[Flip, ...], int]:
        """What turns the verdict, changes of facts and rules that are struck; and how many changes take too long to try."""
        if self.verdict in (p.WHICH, p.UNDETERMINED):
            return (), 0
        return flips.flips(*self.worked, self.allowed, self.sieve)

    @cached_property
    def flips(self) -> tuple[Flip, ...]:
        """Each smallest change that turns the verdict."""
        return self.turns[0]

    def told_at(self, thing: str, term: str) -> tuple[str, str]:
        """Of what thing, and by what word, a case tells what is said of a thing by a term."""
        return inquiry.told_at(self.worked[1], thing, term)

    @property
    def untried(self) -> int:
        """How many changes, and facts that may be missing, were not tried, for want of time."""
        return self.left_out + self.turns[1]

    @property
    def allowed(self) -> int:
        """The goals that may be worked out for what turns it; 0 for as many as usual."""
        return 0

    @property
    def sieve(self) -> counterfactuals.Sieve:
        """What knows beforehand of some changes what they come to."""
        return counterfactuals.asked_each

    @cached_property
    def begun(self) -> Walk:
        """What the question could read, as far as somebody wanted to know."""
        return walks.walked(*self.worked)

    @cached_property
    def walk(self) -> Walk:
        """What the question could read."""
        walks.long(self.begun, self.worked[1].case)
        self.begun.drain()
        return self.begun

    @cached_property
    def unused(self) -> tuple[Unused, ...]:
        """The facts of the case that nothing could read."""
        return unused.of_all(self) if self.which else unused.unused(self.begun, self.worked[1].case)

    def same_read(self, dispute: str, option: str) -> bool:
        """Whether it is plain, without asking again, that it is the same in another reading: it turns on none of the norms in dispute."""
        if self.which or self.cases:
            return False
        return self.walk.same_with(*counterfactuals.in_dispute(self.theory, dispute, option), self.question)

    @cached_property
    def missed(self) -> inquiry.Missed:
        """What it turns on where it is open, as far as it could be told; unlike `missing`, not tried."""
        return inquiry.missing(*self.worked)

    @cached_property
    def taken(self) -> tuple[Atom, ...]:
        """The relations to something that nothing tells, and by which a norm that was tried would apply or not."""
        return inquiry.presumed(*self.worked)

    def lists(self, thing: str, role: str) -> bool:
        """Whether anything is told, or follows, to stand in a relation of a thing."""
        return inquiry.listed(self.worked[1], thing, role)

    @cached_property
    def overruled(self) -> tuple[Overruled, ...]:
        """The statements that a norm is against; of a list, each candidate's proof has its own."""
        return () if self.which else overruled.overruled(*self.worked)

    @property
    def renumbered(self) -> bool:
        """Whether a rule sets a number of the case to another than is told."""
        return overruled.renumbered(self.worked[1])


def answer(
    theory: Theory, case: Case, deep: bool = True, staged: Situation | None = None, most: int = MOST_ATOMS,
    missing: bool = True, settling: Trials | None = None, sieve: counterfactuals.Sieve = counterfactuals.asked_each,
    goals: int = 0,
) -> Answer:  # fmt: skip
    """The answer to a case's question. With `deep` false, an open answer stays so: no open fact is tried either way. Raises CaseError
    (E469) where it takes too long to work out.

    staged: the situation of an earlier answer about the same facts; what was found of them is not worked out again. most: how
    many open facts are tried. missing: whether those that leave it open are told; what is the same either way is answered anyhow.
    settling: what may be spent on that; sieve: what knows beforehand of some facts that they leave it open. goals: that the answer itself may take, 0 for as many as usual.
    """
    settling = settling or Trials.settling()
    if case.question.kind == "which":
        rows = [
            (name, answer(theory, varied, deep, missing=missing, settling=settling, sieve=sieve, goals=goals))
            for name, varied in variants(theory, case)
        ]
        return made(Answer, chosen(theory, case, rows))
    found, situation = trials.whole(theory, case, staged, goals)
    if deep and found.verdict == p.UNDETERMINED:
        found = counterfactuals.settle(found, situation, most, settling, missing, sieve)
    halves = tuple((text, edits, made(Answer, proof)) for text, edits, proof in found.cases)
    return made(Answer, found, situation, cases=halves)


def watched(theory: Theory, case: Case, walks: Any = None) -> tuple[Answer, Reads] | None:
    """The answer to a case, and what is read of it for that and as long as the answer is looked at; None where that is not watched. What
    an open one misses is not told. walks: what is known of which facts such a question could read, to be found or added to. Raises
    CaseError (E469)."""
    staged = watching(theory, case)
    if staged is None:
        return None
    situation, reads = staged
    reads.walks = walks
    found, _ = trials.whole(theory, situation.case, situation)
    if found.verdict == p.UNDETERMINED and counterfactuals.either_way(found, situation, MOST_ATOMS):
        return None  # what may be the same either way is tried with other facts
    return made(Answer, found, situation), reads


def unread(walk: Walk, case: Case) -> bool:
    """Whether a case that is told the same in all that an answer read tells something of the act that nothing reads."""
    return unused.about_any(walk, case)


def made(kind: type[A], found: Proof, situation: Situation | None = None, **more: Any) -> A:
    """A proof as an answer. more: fields that it has besides, or has otherwise."""
    situation = situation or found.__dict__.get("staged")
    new = kind(**{field.name: getattr(found, field.name) for field in fields(Proof)} | more)
    if situation is not None:
        new.__dict__["staged"] = situation  # at hand, and no part of the value
    return new
