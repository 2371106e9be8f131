"""Goals, each worked out once, though it may ask for itself again: tabled, and brought to their least fixpoint.

    begin(memory, slot)             None: work it out, and `finish`; else what was found of it, or CIRCLE: that it asks for itself
    finish(memory, slot, found)     what was found, which is remembered; None: work it out once more
    enter, leave                    the same for what cannot ask for itself

A goal asked for while it is being worked out counts as false (empty, no number): nothing supports itself. What is found by leaning
on that is kept apart, halfway. When the outermost goal of such a circle is done, and one that was asked for again has been found
to be more than it counted as, the circle is worked out once more, each counting for what it was found to be: in passes, until
nothing changes. Then it stands.
"""

from __future__ import annotations

from typing import Any

from kb.language import norms as m
from kb.reasoner.trace import Links, Outcome, Step
from kb.reasoner.world import World

Goal = tuple[int, Any]  # a memory's id and a slot in it
CIRCLE = object()  # a goal that is asked for while it is being worked out
MOST_PASSES = 8  # over a circle: what has not settled by then leans on its own opposite


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


class Tabling(World):
    """What is being worked out, and what was found halfway."""

    def __init__(self, effort: Effort | None):
        self.effort = effort
        # Of each goal being worked out, those around it that it has leant on.
        self.leaning: list[set[Goal] | None] = []
        # What was found by leaning so: where it would be remembered, and on which goals it leans; and by goal, what leans on it.
        self.halfway: dict[Goal, tuple[dict[Any, Any], Any, set[Goal]]] = {}
        self.leant_on: dict[Goal, list[Goal]] = {}
        # Goals that were asked for again: what they were found to be in this pass, and what they count as, where that is more than nothing.
        self.heads: dict[Goal, Any] = {}
        self.counted: dict[Goal, Any] = {}
        self.passes: dict[Goal, int] = {}

    def begin(self, memory: dict[Any, Any], slot: Any) -> Any:
        """Marks that this is being worked out, and gives None; CIRCLE where it was so marked already; what was found of it halfway."""
        if slot in memory:
            self.lean({(id(memory), slot)})
            return CIRCLE
        if self.halfway and (found := self.recall(memory, slot)) is not None:
            return found
        if self.effort is not None:
            self.effort.spend()
        memory[slot] = None
        self.leaning.append(None)
        return None

    def counts(self, memory: dict[Any, Any], slot: Any) -> Any:
        """What a goal counts as that asks for itself; None for nothing."""
        return self.counted.get((id(memory), slot)) if self.counted else None

    def finish(self, memory: dict[Any, Any], slot: Any, found: Any) -> Any:
        """Remembers what was found, and gives it; None where it has to be worked out once more."""
        leans = self.leaning.pop()
        if leans is None:
            memory[slot] = found
            return found
        goal = (id(memory), slot)
        if goal in leans:
            leans.discard(goal)
            self.heads[goal] = found
            if leans:
                self.hand_on(goal, leans)
            elif not self.settled(goal):
                memory[slot] = None
                self.leaning.append(None)
                return None
        if leans:
            del memory[slot]
            self.keep(memory, slot, found, leans)
        else:
            memory[slot] = found
        return found

    def enter(self, memory: dict[Any, Any], slot: Any) -> Any:
        """What was found halfway for a slot that cannot be asked for meanwhile; None: work it out, then `leave`."""
        if self.halfway and (found := self.recall(memory, slot)) is not None:
            return found
        self.leaning.append(None)
        return None

    def leave(self, memory: dict[Any, Any], slot: Any, found: Any) -> Any:
        """Remembers what was found, halfway where it leans on what is being worked out."""
        leans = self.leaning.pop()
        if leans is None:
            memory[slot] = found
        else:
            self.keep(memory, slot, found, leans)
        return found

    # ── halfway ──

    def lean(self, goals: set[Goal]) -> None:
        """Notes that what is being worked out leans on goals around it."""
        if self.leaning:
            top = self.leaning[-1]
            if top is None:
                self.leaning[-1] = set(goals)
            else:
                top |= goals

    def recall(self, memory: dict[Any, Any], slot: Any) -> Any:
        """What was found halfway, leant on; None where nothing was."""
        row = self.halfway.get((id(memory), slot))
        if row is None:
            return None
        self.lean(row[2])
        return row[1]

    def keep(self, memory: dict[Any, Any], slot: Any, found: Any, leans: set[Goal]) -> None:
        """Remembers what leans on goals that are still being worked out; so does who asked for it."""
        goal = (id(memory), slot)
        self.halfway[goal] = (memory, found, leans)
        for other in leans:
            self.leant_on.setdefault(other, []).append(goal)
        self.lean(leans)

    def leaners(self, goal: Goal) -> list[Goal]:
        """What leans on a goal, which is done."""
        found = dict.fromkeys(self.leant_on.pop(goal, ()))
        return [other for other in found if other in self.halfway and goal in self.halfway[other][2]]

    def hand_on(self, goal: Goal, leans: set[Goal]) -> None:
        """What leans on a goal that itself leans on some leans on those."""
        for other in self.leaners(goal):
            on = self.halfway[other][2]
            on.discard(goal)
            for further in leans - on:
                self.leant_on.setdefault(further, []).append(other)
            on |= leans

    def settled(self, goal: Goal) -> bool:
        """Whether each goal of a circle, of which this is the outermost, was found to be what it counted as; then the circle stands."""
        circle = self.leaners(goal)
        heads = {other: self.heads.pop(other) for other in (goal, *circle) if other in self.heads}
        done = all(like(self.counted.get(head), found) for head, found in heads.items())
        passes = self.passes.pop(goal, 0) + 1
        for other in circle:
            memory, found, _ = self.halfway.pop(other)
            if done:
                memory[other[1]] = found
        if done or passes == MOST_PASSES:
            return True
        self.counted.update(
            (head, found) for head, found in heads.items() if head in self.counted or not nothing(found)
        )
        self.passes[goal] = passes
        return False


def nothing(found: Step | Outcome | Links) -> bool:
    """Whether a finding says no more than what asks for itself counts as: false, no number, no links."""
    if isinstance(found, Links):
        return not found.things and found.complete
    return found.value is False or (found.value is None and isinstance(found, Step) and isinstance(found.node, m.Path))


def like(one: Step | Outcome | Links | None, other: Step | Outcome | Links) -> bool:
    """Whether a finding says the same as another; None stands for nothing."""
    if one is None:
        return nothing(other)
    if isinstance(one, Links) and isinstance(other, Links):
        told = (one.why, one.perhaps, one.barred), (other.why, other.perhaps, other.barred)
        return all(a.keys() == b.keys() for a, b in zip(*told, strict=True)) and one.complete == other.complete
    return one.value == other.value and one.soft == other.soft  # type: ignore[union-attr]
