"""Rows that are told the same in all that an answer was worked out from have that answer.

    kept.of(theory, case) -> Alike          the answers that are known for cases of one frame
    Alike.find(case) -> Told | None         the one that is this case's too
    Alike.work_out(case) -> Told | None     an answer, watched what it reads, and kept

What such rows have in common, and how what is theirs is found, is in kb.reasoner.alike.
"""

from __future__ import annotations

from msgspec.structs import replace

from kb.batch import told
from kb.batch.told import Told
from kb.language.case import Case
from kb.reasoner import reason
from kb.reasoner.proof import IF_NOTHING_ELSE, SETTLED
from kb.reasoner.reason import Frames, Lanes
from kb.rulebook.theory import Theory

FRAMES, ANSWERS = 64, 10_000  # kept: frames, and answers in all of them


class Alike:
    """The answers known of one frame, each with what could be read where its grade goes by that. unwatched: how many could not be watched."""

    def __init__(self, theory: Theory):
        self.theory = theory
        self.answers: Lanes[tuple[Told, reason.Walk | None]] = Lanes(theory)
        self.walks: Lanes[tuple[reason.Walk, reason.Reads]] = Lanes(theory)
        self.unwatched = 0

    def __len__(self) -> int:
        return len(self.answers)

    def find(self, case: Case) -> Told | None:
        """The answer that is this case's too."""
        found = self.answers.find(case)
        if found is None:
            return None
        made, walk = found
        if walk is None:
            return made
        return replace(made, grade=IF_NOTHING_ELSE if reason.unread(walk, case) else SETTLED)

    def work_out(self, case: Case) -> Told | None:
        """The answer to a case, kept for those that are told the same in all that it read; None where that is not watched, or would not
        pay. Raises LoopholeError."""
        if not self.answers.pays:
            return None
        self.answers.watched += 1
        try:
            found = reason.watched(self.theory, case, self.walks)
            if found is None:
                return None
            made, reads = told.of_proof(0, "", found[0]), found[1]
        except (
            AttributeError,
            TypeError,
        ):  # something reads a case in a way that is not watched: it is asked as others are
            self.unwatched += 1
            return None
        if not reads.whole and len(self.answers) < ANSWERS:
            self.answers.add((made, reads.walk), reads)
        return made


kept = Frames(Alike, FRAMES, ANSWERS)
