"""What the map tells, as built-ins: what is adjacent, how far it is, where lines of sight come in. kb.reasoner.hexgrid measures.

`lp:derivedBy "grid FUNCTION PATH …"`: places are known by `coordinate`, and what stands on them by theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.reasoner import hexgrid
from kb.reasoner.builtin import CLASS, NUMBER, RELATION, Args, Builtin, Reads
from kb.reasoner.trace import Thing
from kb.reasoner.world import Surroundings


class Adjacent(Builtin):
    """Which places are next to one another."""

    name, gives, on_map = "grid adjacent", (RELATION,), True

    def related(self, s: Surroundings, args: Args, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
        """The places with a coordinate next to that of x."""
        for y in hexgrid.related(s, x):
            # A case that says "next to nothing" of a place goes before the map.
            if () not in (x.facts.links.get(name), y.facts.links.get(name)):
                yield y, False

    def idle(self, x: Thing) -> bool:
        """What has no coordinate is next to nothing by the map."""
        return hexgrid.spot(x) is None

    def undecided(self, s: Surroundings, x: Thing) -> Iterator[Thing]:
        """The places without a coordinate."""
        if hexgrid.spot(x) is not None:
            for y in list(s.things.values()):
                if y is not x and y.made is None and hexgrid.is_place(s, y) and hexgrid.spot(y) is None:
                    yield y

    def settled(self, s: Surroundings, x: Thing) -> bool:
        """Of what has a coordinate, where x has one."""
        return hexgrid.spot(x) is not None

    def complete(self, s: Surroundings, args: Args, x: Thing) -> bool:
        """Where every place has a coordinate."""
        others = [y for y in s.things.values() if y is not x and hexgrid.is_place(s, y)]
        return hexgrid.spot(x) is not None and all(hexgrid.spot(y) is not None for y in others)

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """Where everything is."""
        for y in list(reader.s.things.values()) if reader.new("map") else ():
            reader.spot(y)


class OfPaths(Builtin):
    """What turns on where the ends of some paths are."""

    on_map = True
    entering = 1  # how many of the paths lead to what may say where its line comes in

    def paths(self, args: Args) -> Args:
        """The paths among the arguments, the first to what may say for itself where it comes in."""
        return args[:2]

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """Where what the paths lead to is."""
        for n, path in enumerate(self.paths(args)):
            for y in reader.along(x, path):
                reader.spot(y)
                if n < self.entering:
                    reader.word(y, "entryHexside")
                    reader.word(y, "entryHexspine")


class Between(OfPaths):
    """Whether what two paths lead to are two hexes that are named, either way round."""

    name, takes, gives = "grid between", (4, 4), (CLASS,)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By their coordinates; presumed not, where they have none."""
        return hexgrid.between(s, x, *args)


class Apart(OfPaths):
    """Whether what two paths lead to are neither in one hex nor in two that share a side."""

    name, takes, gives = "grid apart", (2, 2), (CLASS,)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By their coordinates; presumed not, where they have none."""
        return hexgrid.apart(s, x, *args)


class Within(Builtin):
    """Whether a thing is in a hex that is named."""

    name, takes, gives, on_map = "grid in", (1, 1), (CLASS,), True

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By its coordinate, or that of the place where it is; presumed not, where there is none."""
        return hexgrid.within(s, x, *args)

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """Where it is."""
        reader.spot(x)


class Range(OfPaths):
    """How many hexes lie from what one path leads to, to what another does; or, where that is not known, the same of two more: of an
    act from who does it to its target, of a unit from where it is to what it sees, of a member of a group to what that fires at."""

    name, takes, by, gives = "grid range", (2, 10), 2, (NUMBER,)

    def paths(self, args: Args) -> Args:
        """All of them."""
        return args

    def number(self, s: Surroundings, args: Args, x: Thing) -> Fraction | None:
        """By their coordinates."""
        pairs = zip(args[::2], args[1::2], strict=True)
        return next((far for one, other in pairs if (far := hexgrid.number(s, x, one, other)) is not None), None)


class Nearest(OfPaths):
    """How many hexes lie from a thing to the nearest of what one path leads to; where it is not told where the thing is, from what another
    path leads to: where it is being put."""

    name, takes, gives = "grid nearest", (2, 2), (NUMBER,)

    def number(self, s: Surroundings, args: Args, x: Thing) -> Fraction | None:
        """By their coordinates, where all have one."""
        return hexgrid.nearest(s, x, *args)

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """Where it is, too."""
        reader.spot(x)
        super().reads(reader, args, x, focus)


class Shape(OfPaths):
    """Whether lines of sight come into a hex in a certain shape."""

    takes, gives, entering = (2, 3), (CLASS,), 2  # an attack, and who makes it, or else with what

    def __init__(self, function: str):
        self.function = function

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By where the lines come from, or say that they come in."""
        return hexgrid.holds(s, x, self.function, *args), False

    def paths(self, args: Args) -> Args:
        """To the lines, to who looks along them, and to the hex."""
        lines, target, *otherwise = args
        first = lines.partition(".")[0]
        return first, lines, target, *(f"{first}.{path}" for path in otherwise)
