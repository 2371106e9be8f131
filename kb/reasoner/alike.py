"""What is known of cases of one frame, each item with what was read of its case: it is that of every case which is told the same in that.

    frame(theory, case)            all that is told in a case but what may differ: classes, numbers, flags and texts of its things
    Lanes.add(item, reads)         one more, with what it read (kb.reasoner.watched)
    Lanes.find(case) -> item       the one that is this case's too
    Frames.of(theory, case)        the Lanes of a case's frame

Each item is a lane, a bit of an integer: of each way in which a thing is told, the lanes of the items that it does not speak against are
found once, and a case has the items that none of its things speaks against.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sized
from threading import RLock
from typing import Any, Generic, TypeVar

from kb.language.case import Case, Facts
from kb.reasoner.watched import Look, Reads, looked
from kb.rulebook.theory import Theory

FORMS = 400  # ways of telling the things of a frame that are kept
FIRST = 48  # items of a frame that are watched, whether or not others turn out to be alike
SAVED = 0.25  # how many cases each watched one must then have spared: watching takes so much longer, and some memory
T = TypeVar("T")
K = TypeVar("K", bound=Sized)


class Side:
    """One thing of a frame. read: what answers read of it, by what they found, each with its lanes; reading: the lanes that read it."""

    def __init__(self) -> None:
        self.read: dict[Look, dict[Any, int]] = {}
        self.reading: dict[Look, int] = {}
        self.forms: dict[object, tuple[Facts, int]] = {}

    def fits(self, theory: Theory, facts: Facts, every: int) -> int:
        """The answers that what is told of the thing does not speak against."""
        key = form(facts)
        known = self.forms.get(key)
        if known is None:
            lanes = every
            for look, found in self.read.items():
                lanes &= ~self.reading[look] | found.get(looked(theory, facts, look), 0)
            if len(self.forms) >= FORMS:
                self.forms.clear()
            known = self.forms[key] = facts, lanes
        return known[1]

    def add(self, theory: Theory, lane: int, found: Mapping[Look, Any]) -> None:
        """One more answer, with what it read of the thing."""
        for look, value in found.items():
            by = self.read.setdefault(look, {})
            by[value] = by.get(value, 0) | lane
            self.reading[look] = self.reading.get(look, 0) | lane
        for key, (facts, lanes) in self.forms.items():
            if all(looked(theory, facts, look) == value for look, value in found.items()):
                self.forms[key] = facts, lanes | lane


class Lanes(Generic[T]):
    """What is known of cases of one frame, each item with what it read; a case has those that none of its things speaks against.
    watched: how many cases were watched for it; spared, missed: how many were looked for that have one of the items, and none."""

    def __init__(self, theory: Theory):
        self.theory = theory
        self.items: list[T] = []
        self.sides: dict[str, Side] = {}
        self.watched = self.spared = self.missed = 0

    def __len__(self) -> int:
        return len(self.items)

    @property
    def pays(self) -> bool:
        """Whether to watch one more."""
        return self.watched < FIRST or self.spared >= SAVED * self.watched

    def find(self, case: Case) -> T | None:
        """The first that is this case's too."""
        lanes = every = (1 << len(self.items)) - 1
        for name, facts in case.things.items() if every else ():
            side = self.sides.get(name)
            if side is not None:
                lanes &= side.fits(self.theory, facts, every)
                if not lanes:
                    break
        if not lanes:
            self.missed += 1
            return None
        self.spared += 1
        return self.items[(lanes & -lanes).bit_length() - 1]

    def add(self, item: T, reads: Reads) -> None:
        """One more, with what it read."""
        lane = 1 << len(self.items)
        self.items.append(item)
        for name in self.sides.keys() | reads.names():
            self.sides.setdefault(name, Side()).add(self.theory, lane, reads.of(name))


class Frames(Generic[K]):
    """What is known by frame, of those met last. make: what is kept of one, as many as its length says; frames: how many; items: how many
    in all of them."""

    def __init__(self, make: Callable[[Theory], K], frames: int, items: int):
        self.make, self.most, self.most_items = make, frames, items
        self.known: OrderedDict[object, K | None] = OrderedDict()
        self.lock = RLock()

    def of(self, theory: Theory, case: Case) -> K:
        """What is known of cases that are told as this one, but for classes, numbers, flags and texts of their things."""
        key = frame(theory, case)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.make(theory)
            self.trim()
        self.known.move_to_end(key)
        return found

    def note(self, theory: Theory, case: Case) -> None:
        """Notes that of the next case of this frame something is to be known: most come alone."""
        self.known.setdefault(frame(theory, case), None)
        self.trim()

    def noted(self, theory: Theory, case: Case) -> K | None:
        """What is known of a frame, if it was noted."""
        return self.of(theory, case) if self.known and frame(theory, case) in self.known else None

    def trim(self) -> None:
        """Lets go of the frames that were not met for longest, where there is too much; the last one is kept."""
        while len(self.known) > 1 and (len(self.known) > self.most or self.size() > self.most_items):
            self.known.popitem(last=False)

    def size(self) -> int:
        """How many items are kept."""
        return sum(len(kept) for kept in self.known.values() if kept is not None)


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
