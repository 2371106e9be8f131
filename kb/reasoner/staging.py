"""A case put on the stage: its things with their kinds and links.

The rest of a Situation is made of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner.tabling import Effort, Tabling
from kb.reasoner.trace import NOTHING, Outcome, Step, Thing
from kb.rulebook.theory import Theory


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


class Staged(Tabling):
    """A case with its things."""

    def __init__(self, theory: Theory, case: Case, now: Case | None = None, effort: Effort | None = None):
        """now: the case as it stands after what has happened (kb.reasoner.positions), where that is not as it is told. effort: what
        may be spent on it; None: whatever it takes."""
        super().__init__(effort)
        self.theory, self.case, self.now = theory, case, now or case
        self.vocabulary = theory.vocabulary
        self.things: dict[str, Thing] = {}
        self.blanks: dict[tuple[str, str], Thing] = {}
        self.keeper = Keeper(self.things, self.blanks)
        self.quantities: dict[tuple[str, str, frozenset[str]], Step | None] = {}
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
