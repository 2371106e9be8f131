"""Cases asked again with some change, with a bounded effort: what an answer is worth is not held up by what it might have been.

Effort is counted in goals worked out, which is the same on every machine: what is left out, and said to be, is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.errors import CaseError, LoopholeError, Problem
from kb.language.case import Case, Edit
from kb.reasoner.decision import decide, decided
from kb.reasoner.proof import Proof
from kb.reasoner.situation import Situation
from kb.reasoner.staging import Effort, TooLong
from kb.rulebook.theory import Theory

# Goals that may be worked out: for an answer itself (an ordinary one takes some hundred to a few thousand); for all that would settle
# an open one, and for one change there; for all changes that would turn a settled one, for what is asked besides of these, and for one.
MOST_WHOLE, MOST_SETTLING, MOST_EACH_SETTLING = 1_500_000, 100_000, 20_000
MOST_EFFORT, MOST_EACH = 150_000, 10_000


class Trials:
    """Changes tried with a bounded effort. left: what may still be spent; each: on one of them; untried: how many were left out."""

    def __init__(self, left: int, each: int):
        self.left, self.each, self.untried = left, each, 0

    @classmethod
    def of_flips(cls, most: int = 0) -> Trials:
        """Those of what would turn an answer. most: the goals for it, MOST_EFFORT when 0."""
        return cls(most or MOST_EFFORT, MOST_EACH)

    @classmethod
    def settling(cls) -> Trials:
        """Those of what would settle an answer."""
        return cls(MOST_SETTLING, MOST_EACH_SETTLING)

    def decided(self, theory: Theory, case: Case) -> tuple[Proof, Situation]:
        """The answer to a case, and the case as it was staged. Raises TooLong, and counts it."""
        most = min(self.left, self.each)
        if most <= 0:
            self.untried += 1
            raise TooLong
        effort = Effort(most)
        try:
            proof, situation = decided(theory, case, None, effort)
        except TooLong:
            self.untried += 1
            raise
        finally:
            self.left -= most - max(effort.left, 0)
        situation.effort = None  # to look at what was found takes little
        return proof, situation

    def decide(self, theory: Theory, case: Case) -> Proof:
        """The answer to a case, whatever it asks. Raises TooLong, and counts it."""
        if case.question.kind != "which":
            return self.decided(theory, case)[0]
        most = min(self.left, self.each)
        effort = Effort(most)
        try:
            return decide(theory, case, effort)
        except TooLong:
            self.untried += 1
            raise
        finally:
            self.left -= most - max(effort.left, 0)

    def after(self, theory: Theory, case: Case, edits: Iterable[Edit]) -> Proof | None:
        """The answer after some edits; None where the edited facts contradict each other. Raises TooLong, and counts it."""
        try:
            for edit in edits:
                case = edit.apply(case)
            return self.decide(theory, case)
        except (KeyError, LoopholeError):
            return None


def whole(theory: Theory, case: Case, staged: Situation | None = None, most: int = 0) -> tuple[Proof, Situation]:
    """The answer itself, with the case as it was staged for it. Raises CaseError (E469) where it takes too long to work out.

    staged: the situation of an earlier answer about the same facts; what was found of them is not worked out again. most: the
    goals that it may take, MOST_WHOLE when 0.
    """
    most = most or MOST_WHOLE
    try:
        found, situation = decided(theory, case, staged, Effort(most))
    except TooLong:
        hint = "leave out things that do not bear on the question, or ask about fewer of them"
        message = f"this takes too long to work out: more than {most:,} steps for {len(case.things)} things"
        raise CaseError(Problem(469, message, hint=hint)) from None
    situation.effort = None
    return found, situation
