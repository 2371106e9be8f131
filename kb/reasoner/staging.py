"""A case put on the stage: its things with their kinds and links, and the table of what is being worked out.

Recursive goals are tabled: `begin` marks a goal, `finish` keeps its result. The rest of a Situation is made of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from kb.language import norms as m
from kb.language.case import Case
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

    def spend(self) -> None:
        """One goal. Raises TooLong when there is nothing left."""
        self.left -= 1
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
            thing.forget()


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
        # What was remembered while something is being worked out (busy: how many things are), in order; and what was asked
        # for again meanwhile (a memory's id, a slot), each with how much had been remembered before.
        self.trail: list[tuple[dict[Any, Any], Any]] = []
        self.circles: dict[tuple[int, Any], int] = {}
        self.busy = 0
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
        for name, facts in told.items():
            if facts.links:
                thing = things[name]
                for role, targets in facts.links.items():
                    for target in targets:
                        related(thing, role, things[target])

    # A goal being worked out has None in its memory. Met again meanwhile, it counts as false (empty, no number): nothing
    # supports itself. If it then turns out to be more, every result found since it was met may rest on too little, and
    # is dropped.

    def begin(self, memory: dict[Any, Any], slot: Any) -> bool:
        """Marks that this is being worked out; False where it was so marked already."""
        if slot in memory:
            again, now = (id(memory), slot), len(self.trail)
            self.circles[again] = min(now, self.circles.get(again, now))  # what was forgotten since may be found anew
            return False
        if self.effort is not None:
            self.effort.spend()
        memory[slot] = None
        self.busy += 1
        return True

    def finish(self, memory: dict[Any, Any], slot: Any, found: Any) -> Any:
        """Remembers what was found, and forgets what was found on the way as if there were nothing to it."""
        since = self.circles.pop((id(memory), slot), None) if self.circles else None
        if since is not None:
            for other, begun in self.circles.items():  # who forgets this forgets with it what leans on it
                self.circles[other] = min(begun, since)
            if not nothing(found):
                for held, name in self.trail[since:]:
                    held.pop(name, None)
                del self.trail[since:]
        memory[slot] = found
        self.busy -= 1
        if self.busy:
            self.trail.append((memory, slot))
        else:
            self.trail.clear()
        return found

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
