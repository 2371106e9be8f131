"""Rows that are told the same in all that an answer was worked out from have that answer.

    kept.of(theory, case) -> Alike          the answers that are known for cases of one frame
    Alike.find(case) -> Told | None         the one that is this case's too
    Alike.work_out(case) -> Told | None     an answer, watched what it reads, and kept

Each known answer is a lane, a bit of an integer: of each way in which a thing is told, the lanes of the answers that it does not speak
against are found once, and a case has the answers that none of its things speaks against.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from kb.batch import told
from kb.batch.told import Told
from kb.language.case import Case, Facts
from kb.reasoner import reason
from kb.reasoner.proof import IF_NOTHING_ELSE, SETTLED
from kb.rulebook.theory import Theory

FRAMES, ANSWERS, FORMS = 64, 10_000, 400  # kept: frames, answers in all of them, ways of telling the things of one
T = TypeVar("T")
FIRST = 48  # answers of a frame that are watched, whether or not others turn out to be alike
SAVED = 0.25  # how many rows each watched one must then have spared: watching takes so much longer, and some memory


class Side:
    """One thing of a frame. read: what answers read of it, by what they found, each with its lanes; reading: the lanes that read it."""

    def __init__(self) -> None:
        self.read: dict[reason.Look, dict[Any, int]] = {}
        self.reading: dict[reason.Look, int] = {}
        self.forms: dict[object, tuple[Facts, int]] = {}

    def fits(self, theory: Theory, facts: Facts, every: int) -> int:
        """The answers that what is told of the thing does not speak against."""
        key = form(facts)
        known = self.forms.get(key)
        if known is None:
            lanes = every
            for look, found in self.read.items():
                lanes &= ~self.reading[look] | found.get(reason.looked(theory, facts, look), 0)
            if len(self.forms) >= FORMS:
                self.forms.clear()
            known = self.forms[key] = facts, lanes
        return known[1]

    def add(self, theory: Theory, lane: int, found: Mapping[reason.Look, Any]) -> None:
        """One more answer, with what it read of the thing."""
        for look, value in found.items():
            by = self.read.setdefault(look, {})
            by[value] = by.get(value, 0) | lane
            self.reading[look] = self.reading.get(look, 0) | lane
        for key, (facts, lanes) in self.forms.items():
            if all(reason.looked(theory, facts, look) == value for look, value in found.items()):
                self.forms[key] = facts, lanes | lane


class Lanes(Generic[T]):
    """What is known of cases of one frame, each item with what it read; a case has those that none of its things speaks against."""

    def __init__(self, theory: Theory):
        self.theory = theory
        self.items: list[T] = []
        self.sides: dict[str, Side] = {}

    def find(self, case: Case) -> T | None:
        """The first that is this case's too."""
        lanes = every = (1 << len(self.items)) - 1
        for name, facts in case.things.items() if every else ():
            side = self.sides.get(name)
            if side is not None:
                lanes &= side.fits(self.theory, facts, every)
                if not lanes:
                    return None
        return self.items[(lanes & -lanes).bit_length() - 1] if lanes else None

    def add(self, item: T, reads: reason.Reads) -> None:
        """One more, with what it read."""
        lane = 1 << len(self.items)
        self.items.append(item)
        for name in self.sides.keys() | reads.names():
            self.sides.setdefault(name, Side()).add(self.theory, lane, reads.of(name))


class Alike:
    """The answers known of one frame, each with what could be read where its grade goes by that. watched, spared: how many were watched,
    and how many rows have one of these; unwatched: how many could not be."""

    def __init__(self, theory: Theory):
        self.theory = theory
        self.answers: Lanes[tuple[Told, reason.Walk | None]] = Lanes(theory)
        self.walks: Lanes[tuple[reason.Walk, reason.Reads]] = Lanes(theory)
        self.watched = self.spared = self.unwatched = 0

    def find(self, case: Case) -> Told | None:
        """The answer that is this case's too."""
        found = self.answers.find(case)
        if found is None:
            return None
        self.spared += 1
        made, walk = found
        if walk is None:
            return made
        return replace(made, grade=IF_NOTHING_ELSE if reason.unread(walk, case) else SETTLED)

    def work_out(self, case: Case) -> Told | None:
        """The answer to a case, kept for those that are told the same in all that it read; None where that is not watched, or would not
        pay. Raises LoopholeError."""
        if self.watched >= FIRST and self.spared < SAVED * self.watched:
            return None
        self.watched += 1
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
        if not reads.whole and len(self.answers.items) < ANSWERS:
            self.answers.add((made, reads.walk), reads)
        return made


class Kept:
    """The frames met last."""

    def __init__(self, frames: int = FRAMES, answers: int = ANSWERS) -> None:
        self.most, self.most_answers = frames, answers
        self.frames: OrderedDict[object, Alike] = OrderedDict()

    def of(self, theory: Theory, case: Case) -> Alike:
        """The answers known for cases that are told as this one, but for classes, numbers, flags and texts of their things."""
        key = frame(theory, case)
        found = self.frames.get(key)
        if found is None:
            found = self.frames[key] = Alike(theory)
            self.trim()
        self.frames.move_to_end(key)
        return found

    def trim(self) -> None:
        """Lets go of the frames that were not met for longest, where there is too much; the last one is kept."""
        while len(self.frames) > 1 and (len(self.frames) > self.most or self.size() > self.most_answers):
            self.frames.popitem(last=False)

    def size(self) -> int:
        """How many answers are kept."""
        return sum(len(of.answers.items) for of in self.frames.values())


def frame(theory: Theory, case: Case) -> object:
    """All that is told in a case beside the classes, numbers, flags and texts of its things, and its states that end a relation."""
    ending = theory.vocabulary.ending
    things = tuple(
        (name, tuple(x.links.items()), x.unknown, x.label, ending.intersection(x.is_))
        for name, x in case.things.items()
    )
    return id(theory), case.question, case.history, case.elsewhere, case.nothing_else, things


def form(facts: Facts) -> object:
    """What is told of a thing within its frame."""
    return (
        facts.is_, facts.not_, tuple(facts.numbers.items()), tuple(facts.flags.items()), tuple(facts.texts.items()),
    )  # fmt: skip


kept = Kept()
