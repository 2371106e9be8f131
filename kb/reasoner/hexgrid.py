"""Where things of a case stand on the map, for the built-ins: places are known by `coordinate`, kb.hexes measures.

A term of the ontology is worked out here by `lp:derivedBy "grid FUNCTION PATH …"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.hexes import (
    SIDES,
    Entry,
    Hex,
    adjacent,
    comparable,
    distance,
    entry,
    hex_at,
    opposite_hexspines,
    three_sides_apart,
    three_vertices_between,
    three_vertices_each_way,
)
from kb.reasoner.trace import Thing
from kb.reasoner.world import Surroundings

SHAPES = {
    "opposite-hexspines": opposite_hexspines,
    "three-vertices-between": three_vertices_between,
    "three-vertices-each-way": three_vertices_each_way,
    "three-sides-apart": three_sides_apart,
}


def place(situation: Surroundings, x: Thing) -> Hex | None:
    """The hex of a thing: by its own coordinate, or that of the place or hex it is in."""
    seen: set[str] = set()
    while x.name not in seen:
        seen.add(x.name)
        if spot(x) is not None:
            return hex_at(x.facts.texts["coordinate"])
        for role in ("at", "hex"):  # who has moved is no longer in the hex that was told
            near = situation.successors(x, role).things if role in situation.vocabulary.properties else ()
            if near:
                x = near[0]
                break
    return None


def reached(situation: Surroundings, x: Thing, path: str) -> list[Thing]:
    """The things at the end of a dotted path."""
    now = [x]
    for step in path.split("."):
        now = list({z.name: z for y in now for z in situation.successors(y, step).things}.values())
    return now


def holds(
    situation: Surroundings, x: Thing, function: str, lines: str, target: str, otherwise: str = ""
) -> bool | None:
    """Whether lines of sight enter a target hex in a certain shape; None when that turns on what is not known.

    lines: a path to what draws the lines, then one to who looks, as in "attacks.actor". A line may say for itself where it
    enters: `entryHexside` or `entryHexspine`, 1 to 6; or each of those who look along it, where there are several. otherwise: a path
    from a line to what stands for those who look along it, where none is told: the weapon that is fired.
    """
    first, _, looker = lines.partition(".")
    entries: list[Entry] = []
    unknown = False
    goals = {place(situation, y) for y in reached(situation, x, target)}
    goal = goals.pop() if len(goals) == 1 else None
    drawn = reached(situation, x, first)
    for line in drawn:
        said = told(line)
        entries += said
        lookers = reached(situation, line, looker) or (reached(situation, line, otherwise) if otherwise else [])
        if said:
            continue
        if not lookers:
            unknown = True
        for one in lookers:
            spot = place(situation, one)
            if own := told(one):
                entries += own
            elif spot is None or goal is None or not comparable(spot, goal):
                unknown = True
            elif found := entry(spot, goal):
                entries.append(found)
    if SHAPES[function](entries):
        return True
    return None if unknown or not drawn else False


def told(x: Thing) -> list[Entry]:
    """Where an attack, or who makes it, says that its line of sight comes in."""
    return [
        Entry(kind, int(number))
        for kind, role in (("side", "entryHexside"), ("vertex", "entryHexspine"))
        if (number := x.facts.numbers.get(role)) is not None and number in range(1, SIDES + 1)
    ]


def between(situation: Surroundings, x: Thing, one: str, other: str, a: str, b: str) -> tuple[bool | None, bool]:
    """Whether what two paths lead to are two hexes, either way round; and whether it is presumed not, for want of coordinates.

    Where one end is one of the two hexes, and what is at the other has no coordinate, it is open.
    """
    met = [[place(situation, y) for y in reached(situation, x, path)] for path in (one, other)]
    found = [{(h.column, h.height) for h in end if h is not None} for end in met]
    goals = [{(h.column, h.height)} for h in (hex_at(a), hex_at(b)) if h is not None]
    if all(found):
        return found in (goals, goals[::-1]), False
    half = all(met) and any(end in goals for end in found)
    return (None, False) if half else (False, True)


def apart(situation: Surroundings, x: Thing, one: str, other: str) -> tuple[bool | None, bool]:
    """Whether more than one hex lies from what one path leads to, to what another does; and whether it is presumed not."""
    far = number(situation, x, one, other)
    return (False, True) if far is None else (far > 1, False)


def within(situation: Surroundings, x: Thing, coordinate: str) -> tuple[bool | None, bool]:
    """Whether x is in a hex that is named; and whether it is presumed not, for want of a coordinate."""
    here, there = place(situation, x), hex_at(coordinate)
    return (
        (False, True)
        if here is None or there is None
        else ((here.column, here.height) == (there.column, there.height), False)
    )


def spot(x: Thing) -> Hex | None:
    """The hex that the coordinate of x names; None where none is given."""
    return hex_at(x.facts.texts.get("coordinate", ""))


def is_place(situation: Surroundings, x: Thing) -> bool:
    """Whether x is said to be a place."""
    return situation.vocabulary.entails(x.facts.is_, "Place")


def related(situation: Surroundings, x: Thing) -> Iterator[Thing]:
    """The things with a coordinate next to that of x."""
    here = spot(x)
    for y in list(situation.things.values()) if here is not None else ():
        there = spot(y)
        if here is not None and there is not None and comparable(here, there) and adjacent(here, there):
            yield y


def nearest(situation: Surroundings, x: Thing, others: str, put: str) -> Fraction | None:
    """The least of the ranges from a thing, or from where it is being put, to what a path leads to; None unless all are known."""
    spots = {place(situation, x)} - {None} or {place(situation, y) for y in reached(situation, x, put)}
    goals = [place(situation, y) for y in reached(situation, x, others)]
    ranges = [distance(a, b) if a and b and comparable(a, b) else None for a in spots for b in goals]
    known = [far for far in ranges if far is not None]
    return Fraction(min(known)) if known and len(spots) == 1 and len(known) == len(ranges) else None


def number(situation: Surroundings, x: Thing, one: str, other: str) -> Fraction | None:
    """The range from what one path leads to, to what another does; None unless it is one number."""
    ends = [[place(situation, y) for y in reached(situation, x, path)] for path in (one, other)]
    ranges = {distance(a, b) if a and b and comparable(a, b) else None for a in ends[0] for b in ends[1]}
    found = ranges.pop() if len(ranges) == 1 else None
    return None if found is None else Fraction(found)
