"""A case put on the stage: its things with their kinds and links, and the table of what is being worked out.

Recursive goals are tabled: `begin` marks a goal, `finish` keeps its result. The rest of a Situation is made of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import likewise
from kb.reasoner.likewise import Looking, Own
from kb.reasoner.trace import NOTHING, Links, Outcome, Step, Thing
from kb.reasoner.world import World
from kb.rulebook.theory import Theory


class TooLong(Exception):
    """Something was not worked out with the effort that was allowed for it."""


class Effort:
    """How many goals may still be worked out: the measure of work that is the same on every machine."""

    __slots__ = ("left",)

    def __init__(self, left: int):
        self.left = left

    def spend(self, goals: int = 1) -> None:
        """One goal, or some. Raises TooLong when there is nothing left."""
        self.left -= goals
        if self.left < 0:
            raise TooLong


class Keeper:
    """Lets the things of a case forget when the last who can ask about them is gone.

    What things remember of each other goes round in circles, and would wait for the garbage collector.
    """

    __slots__ = ("blanks", "things")

    def __init__(self, things: Mapping[str, Thing], blanks: Mapping[Any, Thing]):
        self.things, self.blanks = things, blanks

    def __del__(self) -> None:
        for thing in (*self.things.values(), *self.blanks.values()):
            if type(thing.members) is Own:
                thing.members.blank.forget()
            thing.forget()


class Resting(NamedTuple):
    """What was found within a circle that is not closed yet: where it belongs, and the depths of the goals it leans on (a bit each)."""

    memory: dict[Any, Any]
    slot: Any
    found: Any
    leaning: int


class Staged(World):
    """A case with its things. `begin` and `finish` go around whatever may ask for itself again."""

    def __init__(self, theory: Theory, case: Case, now: Case | None = None, effort: Effort | None = None):
        """now: the case as it stands after what has happened (kb.reasoner.positions), where that is not as it is told. effort: what
        may be spent on it; None: whatever it takes."""
        self.theory, self.case, self.now, self.effort = theory, case, now or case, effort
        self.vocabulary = theory.vocabulary
        self.things: dict[str, Thing] = {}
        self.blanks: dict[tuple[str, str], Thing] = {}
        self.keeper = Keeper(self.things, self.blanks)
        self.quantities: dict[tuple[str, str, frozenset[str]], Step | None] = {}
        # The goals being worked out, each (a memory's id, a slot) with its depth; what the innermost leans on, a bit for each depth;
        # the same of those around it, each with how much was resting when the next began; and what rests in circles not closed yet.
        self.depths: dict[tuple[int, Any], int] = {}
        self.leant = 0
        self.outer: list[tuple[int, int]] = []
        self.resting: dict[tuple[int, Any], Resting] = {}
        self.lookings: list[Looking] = []  # goals of things that nobody told, from which it is seen what they look at
        self.made: set[tuple[str, str]] = set()  # what norms that apply make of things, whatever may take that away
        self.done: set[str] = set()
        self.past: list[Outcome] = []
        # What the case says is not known of something, and whether rules conflict or what has happened has left something
        # open: what follows from that is not presumed away either.
        self.withdrawn: frozenset[str] = frozenset().union(*[facts.unknown for facts in case.things.values()])
        self.unsettled = False
        things, kinds, told = self.things, theory.kinds_stated, self.now.things
        for name, facts in told.items():
            kind = kinds.get((facts.is_, facts.not_)) or theory.kind_of(facts.is_, facts.not_)
            things[name] = Thing(name, facts.label or name, facts, kind, not facts.unknown)
        # By relation, the things of which the case says that it is not known what they stand in it to: perhaps to any.
        self.strays: dict[str, list[Thing]] = {}
        for name, facts in told.items():
            for word in () if facts.one_sided else facts.unknown:
                if word in theory.vocabulary.properties:
                    self.strays.setdefault(word, []).append(things[name])
            if facts.links:
                thing = things[name]
                for role, targets in facts.links.items():
                    for target in targets:
                        related(thing, role, things[target])

    # A goal being worked out has None in its memory. Met again meanwhile, it counts as false (empty, no number): nothing
    # supports itself. What leans on that rests beside the memories, not in them. If the goal then turns out to be more, that
    # is dropped, for it may rest on too little; else it is as good as the goal.

    def begin(self, memory: dict[Any, Any], slot: Any) -> Any:
        """None: this is to be worked out, and marked so. Else what to go by: what rests, or False where this was so marked already."""
        key = (id(memory), slot)
        if slot in memory:
            self.leant |= 1 << self.depths[key]
            return False
        if self.resting and (held := self.resting.get(key)) is not None:
            self.leant |= held.leaning
            return held.found
        if type(memory) is Own:
            if (known := self.likewise(memory, slot, 1)) is not None:
                return known
        elif self.lookings:
            self.looks_around()
        if self.effort is not None:
            self.effort.spend()
        memory[slot] = None
        self.depths[key] = len(self.outer)
        self.outer.append((self.leant, len(self.resting)))
        self.leant = 0
        return None

    def finish(self, memory: dict[Any, Any], slot: Any, found: Any) -> Any:
        """Remembers what was found, and forgets what was found on the way as if there were nothing to it."""
        depth = self.depths.pop((id(memory), slot))
        leaning = self.leant
        self.leant, before = self.outer.pop()
        if leaning >> depth:  # it was met again
            leaning ^= 1 << depth
            self.close(1 << depth, leaning, len(self.resting) - before, nothing(found))
        self.keep(memory, slot, found, leaning)
        if type(memory) is Own:
            self.looked(memory, slot)
        return found

    def once(self, memory: dict[Any, Step], slot: Any, work: Callable[..., Step], *given: Any) -> Step:
        """What `work` gives, remembered; of what cannot ask for itself again but through a goal."""
        if self.resting and (held := self.resting.get((id(memory), slot))) is not None:
            self.leant |= held.leaning
            return held.found  # type: ignore[no-any-return]
        if type(memory) is Own and (known := self.likewise(memory, slot, 0)) is not None:
            return known  # type: ignore[no-any-return]
        outer, self.leant = self.leant, 0
        found = work(*given)
        leaning, self.leant = self.leant, outer
        self.keep(memory, slot, found, leaning)
        if type(memory) is Own:
            self.looked(memory, slot)
        return found

    # What is found of a thing that nobody told is found of the next (kb.reasoner.likewise), unless it looks at other things.

    def likewise(self, memory: Own, slot: Any, goal: int) -> Any:
        """What was found of another thing that nobody told; None, and what is looked at is noted, where nothing was. goal: what it takes alone."""
        blank = memory.blank
        if blank.looking is not None:
            blank.looking.goals += goal
            if self.lookings and self.lookings[-1] is not blank.looking:
                self.looks_around()
            return None
        if self.lookings:
            self.looks_around()
        if self.withdrawn or self.strays or self.unsettled or self.theory.tried is not None:
            return None
        key = (memory.sort, slot)
        if blank.rests and self.resting and any(blank.remembers(at) for at, _ in self.resting):
            return None  # some of it waits for a circle to be closed
        outer, self.leant = self.leant, 0
        finding = blank.known(key, self.none_is)
        leaning, self.leant = self.leant, outer
        if finding is None or leaning:
            blank.looking = Looking(key, goal)
            self.lookings.append(blank.looking)
            return None
        if self.effort is not None:
            self.effort.spend(finding.goals)
        blank.take(finding)
        return memory.get(slot)

    def looked(self, memory: Own, slot: Any) -> None:
        """Keeps what was found of a thing that nobody told, where it looked at nothing else."""
        blank = memory.blank
        if blank.looking is not None and blank.looking.key == (memory.sort, slot):
            self.lookings.pop()
            blank.rests = blank.rests and bool(self.leant)
            likewise.findings(self.theory).keep(blank)

    def none_is(self, norm: m.Norm) -> bool:
        """Whether plainly nothing of the case is what a norm relates things to, whatever they are."""
        raise NotImplementedError

    def looks_around(self) -> None:
        """Notes that what is being worked out goes by more than one thing that nobody told."""
        if self.lookings:
            self.lookings[-1].apart = False

    def keep(self, memory: dict[Any, Any], slot: Any, found: Any, leaning: int) -> None:
        """Remembers what was found, or lets it rest until what it leans on is known."""
        if leaning:
            memory.pop(slot, None)
            self.resting[id(memory), slot] = Resting(memory, slot, found, leaning)
            self.leant |= leaning
            if type(memory) is Own:
                memory.blank.rests = True
        else:
            memory[slot] = found

    def close(self, bit: int, leaning: int, last: int, as_presumed: bool) -> None:
        """Ends a circle: what leans on its goal (bit), among the last so many that rest, is dropped, or if there is nothing to the goal
        leans on what that leans on."""
        for key in [key for key in islice(reversed(self.resting), last) if self.resting[key].leaning & bit]:
            held = self.resting.pop(key)
            if as_presumed:
                self.keep(held.memory, held.slot, held.found, held.leaning ^ bit | leaning)

    def focus(self, x: Thing, cls: str) -> bool | None:
        """Quick test whether a norm about `cls` can speak of x: False when x is plainly of another kind."""
        return self.theory.fits(x.kind, cls)

    def one_of(self, x: Thing, cls: str) -> bool:
        """Whether x may be one of each `cls`: of another kind is nothing of which the case says that this is not known."""
        known = self.focus(x, cls) is not False
        return known or (
            cls not in x.kind.denied and not self.vocabulary.classes[cls].ancestors.isdisjoint(x.facts.unknown)
        )

    def named(self, x: Thing) -> bool:
        """Whether x is one of the case's things, or implied by them; not a blank."""
        return self.things.get(x.name) is x

    def member(self, x: Thing, cls: str) -> Step:
        """Whether x is a cls."""
        raise NotImplementedError

    def resolve(self, pro: Iterable[Outcome], con: Iterable[Outcome]) -> tuple[bool | None, tuple[Outcome, ...]]:
        """Which side of a constitutive question holds, and by which outcomes."""
        raise NotImplementedError


class_node = cache(m.Named)  # one node for each class and number is enough: steps only point to them


def related(x: Thing, role: str, y: Thing) -> None:
    """Notes with y that x is related to it."""
    if y.back is NOTHING:
        y.back = {role: [x]}
    else:
        y.back.setdefault(role, []).append(x)  # type: ignore[attr-defined]


def nothing(found: Step | Outcome | Links) -> bool:
    """Whether a finding says no more than the blank that stood for it: false, no number, no links."""
    if isinstance(found, Links):
        return not found.things and found.complete
    return found.value is False or (found.value is None and isinstance(found, Step) and isinstance(found.node, m.Path))
