"""Hexes for the checker, in cube coordinates: how far apart two are, and at which hour of a clock of twelve a line comes into one.

A1 touches B0 and B1; sides count clockwise from the top. Side 1 is at hour 0, hexspine 1, between it and side 2, at hour 1, and so on.
kb.hexes measures the same for the reasoner, by heights and corners.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import permutations

NAME = re.compile(r"(\d*)\s*([A-Za-z])(\2?)(\d+)", re.IGNORECASE)
NOON = 12
# The side that lies towards where one of the cube's coordinates is the greatest and another the least, as its hour.
TOWARDS = {"yz": 0, "xz": 2, "xy": 4, "zy": 6, "zx": 8, "yx": 10}
Hex = tuple[str, int, int, int]  # the board ("": none is named), and three coordinates whose sum is always the same


def named(coordinate: str) -> Hex | None:
    """The hex of a coordinate; None where it is none."""
    parts = NAME.fullmatch(coordinate.strip())
    if parts is None:
        return None
    board, letter, twice, row = parts.groups()
    x = int(letter, 36) - 9 + (26 if twice else 0)
    z = int(row) - (x - 1) // 2  # every second column lies half a hex lower
    return board, x, -x - z, z


def apart(a: Hex | None, b: Hex | None) -> int | None:
    """How many hexes lie from one to another; None where one is not known, or they are on boards of which nobody says how they lie."""
    if a is None or b is None or (a[0] and b[0] and a[0] != b[0]):
        return None
    return max(abs(p - q) for p, q in zip(a[1:], b[1:], strict=True))


def hour(of: Hex, to: Hex) -> int | None:
    """The hour at which the line from the middle of one hex comes into another; None from itself."""
    way = dict(zip("xyz", (p - q for p, q in zip(of[1:], to[1:], strict=True)), strict=True))
    if not any(way.values()):
        return None
    most, least = max(way.values()), min(way.values())
    sides = [TOWARDS[a + b] for a, b in permutations(way, 2) if (way[a], way[b]) == (most, least)]
    if len(sides) == 1:
        return sides[0]
    one, other = sorted(sides)
    return one + 1 if other - one == 2 else (other + 1) % NOON


def spines(a: int, b: int) -> int:
    """How many vertices lie between two hours, clockwise, those at the hours themselves left out."""
    return sum((a + n) % 2 for n in range(1, (b - a) % NOON))


def has_shape(shape: str, hours: Collection[int]) -> bool:
    """Whether lines that come in at some hours do so in a shape that a term is derived by."""
    met = set(hours)
    pairs = list(permutations(met, 2))
    match shape:
        case "opposite-hexspines":
            return any(a % 2 and (a + 6) % NOON in met for a in met)
        case "three-vertices-between":
            return any(spines(a, b) == 3 == spines(b, a) for a, b in pairs)
        case "three-vertices-each-way":
            return bool({a for a, b in pairs if spines(a, b) == 3} & {b for a, b in pairs if spines(a, b) == 3})
        case "three-sides-apart":
            return {0, 4, 8} <= met or {2, 6, 10} <= met
    raise KeyError(shape)
