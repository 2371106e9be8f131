"""What a built-in is: a general implementation that works out terms of the ontology (`lp:derivedBy "NAME ARGUMENT …"`).

It knows no game. What it does not override it has nothing to say of. kb.reasoner.builtins has the table of them by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from kb.language import norms as m
from kb.reasoner.trace import Step, Thing
from kb.reasoner.world import Surroundings

CLASS, RELATION, NUMBER = "class", "object", "number"  # the kinds of terms that one may work out
Args = Sequence[str]


class Reads(Protocol):
    """What notes the facts that a question reads: each built-in tells it what it looks at."""

    s: Any
    vocabulary: Any
    read: set[Any]
    met: set[str]

    def new(self, *key: object) -> bool:
        """Whether something is noted for the first time."""

    def word(self, x: Thing, name: str) -> None:
        """A word of a thing is read."""

    def role(self, x: Thing, name: str) -> list[Thing]:
        """What a relation leads to is read."""

    def along(self, x: Thing, path: str) -> list[Thing]:
        """What a dotted path leads to is read."""

    def spot(self, x: Thing, depth: int = 0) -> None:
        """Where on the map a thing is is read."""


class Builtin:
    """One of them. takes: the least and the most arguments, so many more at a time (`by`); gives: the kinds of terms; on_map: read off a map, which a case may tell
    itself."""

    name: ClassVar[str]
    takes: ClassVar[tuple[int, int]] = (0, 0)
    by: ClassVar[int] = 1
    gives: ClassVar[tuple[str, ...]]
    on_map: ClassVar[bool] = False

    def member(self, s: Surroundings, args: Args, cls: str, x: Thing, focus: Thing) -> Step:
        """Whether x is a cls, seen from the actor of `focus`. What is stated of x goes before what is worked out."""
        classes, stated = s.vocabulary.classes, m.Named(cls)
        if s.vocabulary.entails(x.facts.is_, cls):
            return Step(stated, x, True, "module", (), False)
        if any(cls in classes[c].descendants for c in x.facts.not_):
            return Step(stated, x, False, "module", (), False)
        if cls in x.facts.unknown:
            return Step(stated, x, None, "unknown", (), False)
        if any(cls in classes[c].disjoint for c in x.facts.is_):
            return Step(stated, x, False, "module", (), False)
        value, soft = self.holds(s, args, x)
        return Step(stated, x, value, "unknown" if value is None else "module", (), soft)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """Whether x is of the class by what is worked out, None where it is not known; and whether that is presumed."""
        return None, False

    def related(self, s: Surroundings, args: Args, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
        """The things x is related to by a property of that name, each with whether a presumption stands behind it."""
        return iter(())

    def idle(self, x: Thing) -> bool:
        """Whether it works nothing out of x, whatever else the case speaks of: no other thing is looked at then."""
        return False

    def undecided(self, s: Surroundings, x: Thing) -> Iterator[Thing]:
        """The things that x may be related to, for all that is told."""
        return iter(())

    def settled(self, s: Surroundings, x: Thing) -> bool:
        """Whether it is known of everything but what is `undecided` that x is not related to it."""
        return False

    def complete(self, s: Surroundings, args: Args, x: Thing) -> bool:
        """Whether it is known of everything that x is related to, so that nothing is presumed."""
        return True

    def number(self, s: Surroundings, args: Args, x: Thing) -> Fraction | None:
        """A quantity of x; None when it cannot be worked out."""
        return None

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """Tells what is looked at to work the term out of x."""
