"""What the map of a case tells, for the Judge: which places are next to one another, how far things are apart, how lines come in."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kb.checker.reference_hexes import Hex, apart, has_shape, hour, named
from kb.checker.reference_values import One, Tri

Judge = Any  # kb.checker.reference.Judge, which looks here


def own(x: One) -> Hex | None:
    """The hex that is told of a thing itself."""
    return named(x.facts.texts.get("coordinate", ""))


def where(judge: Judge, x: One, met: frozenset[str] = frozenset()) -> Hex | None:
    """The hex of a thing: told of it, or of what it is at, or else of what it lies in."""
    if x.name in met or (here := own(x)) is not None:
        return None if x.name in met else here
    for role in ("at", "hex"):
        if role in judge.vocabulary.properties and (near := judge.successors(x, role).things):
            return where(judge, near[0], met | {x.name})
    return None


def along(judge: Judge, x: One, path: str) -> list[One]:
    """What some relations, one after the other, lead to."""
    ends = [x]
    for role in path.split("."):
        ends = list(dict.fromkeys(z for y in ends for z in judge.successors(y, role).things))
    return ends


def lines(x: One) -> list[int]:
    """The hours at which a shot, or who makes it, says that its line comes in."""
    said = [(x.facts.numbers.get("entryHexside"), -2), (x.facts.numbers.get("entryHexspine"), -1)]
    return [2 * int(n) + back for n, back in said if n in (1, 2, 3, 4, 5, 6)]


def in_shape(judge: Judge, x: One, shape: str, path: str, target: str, instead: list[str]) -> Tri:
    """Whether the lines of x come into its one target in a shape. instead: of those who look along a line, where nobody does."""
    shots, _, who = path.partition(".")
    goals = {where(judge, y) for y in along(judge, x, target)}
    goal = next(iter(goals)) if len(goals) == 1 else None
    hours: list[int] = []
    shots_ = along(judge, x, shots)
    unknown = not shots_
    for shot in shots_:
        if own_lines := lines(shot):
            hours += own_lines
            continue
        from_ = next((found for way in (who, *instead) if (found := along(judge, shot, way))), [])
        unknown = unknown or not from_
        for y in from_:
            here = where(judge, y)
            if own_lines := lines(y):
                hours += own_lines
            elif apart(here, goal) is None:
                unknown = True
            elif here is not None and goal is not None and (entered := hour(here, goal)) is not None:
                hours.append(entered)
    return True if has_shape(shape, hours) else None if unknown else False


def between(judge: Judge, x: One, one: str, other: str, a: str, b: str) -> tuple[Tri, bool]:
    """Whether two paths end in two hexes that are named, either way round; and whether it is presumed not."""
    ends = [[where(judge, y) for y in along(judge, x, path)] for path in (one, other)]
    spots = [{h[1:] for h in end if h is not None} for end in ends]
    wanted = [{h[1:]} for h in (named(a), named(b)) if h is not None]
    if spots[0] and spots[1]:
        return spots in (wanted, [*reversed(wanted)]), False
    near = any(spot in wanted for spot in spots)
    return (None, False) if near and ends[0] and ends[1] else (False, True)


def within(judge: Judge, x: One, coordinate: str) -> tuple[Tri, bool]:
    """Whether a thing is in a hex that is named; and whether it is presumed not."""
    here, there = where(judge, x), named(coordinate)
    known = here is not None and there is not None
    return known and here[1:] == there[1:], not known  # type: ignore[index]


def distance(judge: Judge, x: One, one: str, other: str) -> Fraction | None:
    """How far it is from where one path ends to where another does, where that is one number."""
    ends = [[where(judge, y) for y in along(judge, x, path)] for path in (one, other)]
    found = {apart(a, b) for a in ends[0] for b in ends[1]}
    far = next(iter(found)) if len(found) == 1 else None
    return None if far is None else Fraction(far)


def least(judge: Judge, x: One, others: str, put: str) -> Fraction | None:
    """How far it is from x, or from where x is put, to the nearest of what a path leads to, where the hexes of all of them are known."""
    here = where(judge, x)
    starts = [here] if here is not None else list(dict.fromkeys(where(judge, y) for y in along(judge, x, put)))
    found = [apart(a, where(judge, y)) for a in starts for y in along(judge, x, others)]
    if len(starts) != 1 or not found or any(far is None for far in found):
        return None
    return Fraction(min(far for far in found if far is not None))


def neighbours(judge: Judge, name: str, x: One) -> list[One]:
    """What has a coordinate next to that of x; nothing that is told to be next to nothing."""
    told = x.facts.links.get(name)
    others = judge.things.values() if told != () else ()
    return [y for y in others if apart(own(x), own(y)) == 1 and y.facts.links.get(name) != ()]


def uncharted(judge: Judge, x: One) -> list[One]:
    """The other places of which no hex is told, made up ones too."""
    above = judge.vocabulary.classes
    places = [y for y in judge.things.values() if any("Place" in above[c].ancestors for c in y.facts.is_)]
    return [y for y in places if y is not x and own(y) is None]
