"""Hex geometry from map coordinates, in exact numbers: neighbours, range, and how a line of sight enters a hex.

Columns are A to Z, then doubled letters (AA is the 27th, BB the 28th); rows are numbers; a board's number may stand in
front (3T3). Hexes have flat tops. The odd columns (A, C, E …) are whole at the top; the even ones (B, D, F …) lie half a
hex lower, so that A1 touches B0 and B1. The sides of a hex are numbered clockwise from the top, 1 to 6; vertex n, where
hexspine n begins, lies between sides n and n+1.

    neighbours of T3, by side:  1 T2, 2 U3, 3 U4, 4 T4, 5 S4, 6 S3

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

COORDINATE = re.compile(r"(?P<board>\d*)\s*(?P<column>[A-Z]{1,2})(?P<row>\d+)")
SIDES, CLOCK = 6, 12
# The vertices of a hex from its centre, by number: three thirds of a column, two halves of a row.
THIRD = Fraction(1, 3)
CORNERS = ((THIRD, -1), (2 * THIRD, 0), (THIRD, 1), (-THIRD, 1), (-2 * THIRD, 0), (-THIRD, -1))


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex by its column (A is 1) and its centre's height in half rows, on a board ("" where none is named)."""

    column: int
    height: int
    board: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a line comes into a hex: through side `number`, or through vertex `number` along its hexspine."""

    kind: str  # side, vertex
    number: int

    @property
    def hour(self) -> int:
        """The place on a clock of twelve: sides at the even hours, vertices at the odd ones."""
        return (2 * self.number - (2 if self.kind == "side" else 1)) % CLOCK


def hex_at(coordinate: str) -> Hex | None:
    """The hex that a coordinate names, or None when it names none."""
    found = COORDINATE.fullmatch(coordinate.strip().upper())
    if found is None:
        return None
    letters = found["column"]
    if len(set(letters)) > 1:
        return None
    column = ord(letters[0]) - ord("A") + 1 + 26 * (len(letters) - 1)
    return Hex(column, 2 * int(found["row"]) + (column % 2 == 0), found["board"])


def name_of(hex_: Hex) -> str:
    """The coordinate of a hex."""
    letters = (hex_.column - 1) // 26 + 1
    row = (hex_.height - (hex_.column % 2 == 0)) // 2
    return f"{hex_.board}{chr(ord('A') + (hex_.column - 1) % 26) * letters}{row}"


def comparable(a: Hex, b: Hex) -> bool:
    """Whether two hexes are known to be on one board; how boards are laid is not known here."""
    return a.board == b.board or not (a.board and b.board)


def distance(a: Hex, b: Hex) -> int:
    """The range in hexes."""
    across, down = abs(a.column - b.column), abs(a.height - b.height)
    return max(across, (across + down) // 2)


def adjacent(a: Hex, b: Hex) -> bool:
    """Whether two hexes share a side."""
    return distance(a, b) == 1


def entry(of: Hex, to: Hex) -> Entry | None:
    """Where the straight line from the centre of one hex to the centre of another enters the latter; None from itself."""
    x, y = of.column - to.column, of.height - to.height
    if not (x or y):
        return None
    for n, (a, b) in enumerate(CORNERS):
        c, d = CORNERS[(n + 1) % SIDES]
        if a * y - b * x == 0 and a * x + b * y > 0:
            return Entry("vertex", n + 1)
        # Clockwise of one corner and counterclockwise of the next: through the side between them.
        if a * y - b * x > 0 and c * y - d * x < 0:
            return Entry("side", (n + 1) % SIDES + 1)
    raise AssertionError("every direction lies at a corner or between two")


def vertices_between(a: Entry, b: Entry) -> int:
    """How many vertices of the hex lie between two entries, clockwise from the first; entered ones do not count."""
    return sum(hour % 2 for hour in range(a.hour + 1, a.hour + (b.hour - a.hour) % CLOCK))


def contiguous(a: int, b: int) -> bool:
    """Whether two sides of a hex share a vertex."""
    return (a - b) % SIDES in (1, SIDES - 1)


def opposite_hexspines(entries: Iterable[Entry]) -> bool:
    """Whether two lines come in along hexspines that lie opposite each other."""
    spines = {e.number for e in entries if e.kind == "vertex"}
    return any((n + 2) % SIDES + 1 in spines for n in spines)


def three_vertices_between(entries: Iterable[Entry]) -> bool:
    """Whether some two entries have exactly three vertices between them both clockwise and counterclockwise."""
    found = set(entries)
    return any(vertices_between(a, b) == 3 == vertices_between(b, a) for a, b in combinations(found, 2))


def three_vertices_each_way(entries: Iterable[Entry]) -> bool:
    """Whether from some entry exactly three vertices lie clockwise up to one entry and counterclockwise up to one."""
    found = set(entries)
    return any(
        any(vertices_between(a, b) == 3 for b in found) and any(vertices_between(c, a) == 3 for c in found)
        for a in found
    )


def three_sides_apart(entries: Iterable[Entry]) -> bool:
    """Whether three sides are entered of which no two share a vertex."""
    sides = {e.number for e in entries if e.kind == "side"}
    return any(not any(contiguous(a, b) for a, b in combinations(three, 2)) for three in combinations(sides, 3))
