"""What was found of a goal, lane by lane: how findings of some lanes and of others are put together, and when one says nothing.

A goal that is met while it is worked out counts as nothing: not so, related to nothing, no number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kb.circuit.values import Links, Parts, Tri, World, union


class Sort:
    """One sort of finding. Lanes that it was not worked out in, it says nothing true of."""

    empty: Any

    def nothing(self, found: Any) -> int:
        """The lanes in which it says no more than what stood for it while it was worked out."""
        raise NotImplementedError

    def joined(self, old: Any, new: Any, lanes: int) -> Any:
        """What was found before, and anew in some lanes."""
        raise NotImplementedError

    def blank(self, lanes: int) -> Any:
        """Nothing, in some lanes."""
        raise NotImplementedError


class OfTruth(Sort):
    """A truth value."""

    empty: Tri = (0, 0)

    def nothing(self, found: Tri) -> int:
        """Where it is not so."""
        return found[1]

    def joined(self, old: Tri, new: Tri, lanes: int) -> Tri:
        """The bits of both."""
        return old[0] & ~lanes | new[0] & lanes, old[1] & ~lanes | new[1] & lanes

    def blank(self, lanes: int) -> Tri:
        """Not so."""
        return 0, lanes


class OfWorlds(Sort):
    """Truth values, one for each way to bind names. Not to be met at all is to be false."""

    empty: tuple[World, ...] = ()

    def nothing(self, found: tuple[World, ...]) -> int:
        """Where none may be so."""
        lanes = -1
        for _, f, _ in found:
            lanes &= f
        return lanes

    def joined(self, old: tuple[World, ...], new: tuple[World, ...], lanes: int) -> tuple[World, ...]:
        """One after the other, each false where the other is meant."""
        kept = ((t & ~lanes, f | lanes, e) for t, f, e in old)
        come = ((t & lanes, f | ~lanes, e) for t, f, e in new)
        return (*(w for w in kept if w[1] != -1), *(w for w in come if w[1] != -1))

    def blank(self, lanes: int) -> tuple[World, ...]:
        """None is so."""
        return ()


class OfLinks(Sort):
    """What a property leads to."""

    empty = Links()

    def nothing(self, found: Links) -> int:
        """Where it leads to nothing."""
        return found.complete & ~union(found.things.values())

    def joined(self, old: Links, new: Links, lanes: int) -> Links:
        """The links of both."""
        if old is self.empty:
            return new
        return Links(
            both(old.things, new.things, lanes), old.complete & ~lanes | new.complete & lanes,
            old.presumed & ~lanes | new.presumed & lanes, both(old.barred, new.barred, lanes),
            old.untold & ~lanes | new.untold & lanes, both(old.perhaps, new.perhaps, lanes),
            old.no_more & ~lanes | new.no_more & lanes,
        )  # fmt: skip

    def blank(self, lanes: int) -> Links:
        """To nothing at all."""
        return Links(complete=lanes)


class Way(Struct, eq=False):
    """How a number is made in some lanes that agree on it: of which rows, and from what it starts."""

    lanes: int
    value: Any
    rows: list[Any]
    start: str


class Quantity(Struct, eq=False):
    """A number of a thing. value: what it comes to; ways: how, each in its lanes; spoken: the lanes in which a norm speaks of it."""

    value: Parts[Any]
    ways: list[Way]
    spoken: int = 0


class OfNumbers(Sort):
    """A number."""

    empty = Quantity({}, [])

    def nothing(self, found: Quantity) -> int:
        """Where it is not known."""
        return found.value.get(None, 0)

    def joined(self, old: Quantity, new: Quantity, lanes: int) -> Quantity:
        """The numbers of both."""
        if old is self.empty:
            return new
        kept = [Way(way.lanes & ~lanes, way.value, way.rows, way.start) for way in old.ways if way.lanes & ~lanes]
        return Quantity(both(old.value, new.value, lanes), [*kept, *new.ways], old.spoken & ~lanes | new.spoken & lanes)

    def blank(self, lanes: int) -> Quantity:
        """Not known."""
        return Quantity({None: lanes}, [])


def both(old: Mapping[Any, int], new: Mapping[Any, int], lanes: int) -> Parts[Any]:
    """The values of both."""
    found = {value: some & ~lanes for value, some in old.items() if some & ~lanes}
    for value, some in new.items():
        if some & lanes:
            found[value] = found.get(value, 0) | some & lanes
    return found


TRUTH, WORLDS, LINKS, NUMBERS = OfTruth(), OfWorlds(), OfLinks(), OfNumbers()
