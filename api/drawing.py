"""Where each line of a picture goes: the hexes, counters and arrows of a situation, in points.

of_scene(scene) -> Drawing      templates/scene.svg writes it down
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kb.answers.scene import Arrow, Cell, Piece, Scene, Work, cell_of

R = 88.0  # from the centre of a hex to a corner
STEP_X, STEP_Y = 1.5 * R, math.sqrt(3) / 2 * R  # from column to column, from half row to half row
COUNTER, PITCH = 30.0, 46.0
MOST_IN_ROW, MOST_SHOWN = 3, 6
MARGIN = 14.0
LONGEST, LONGEST_NAME, LONGEST_LABEL = 9, 18, 22  # letters under a counter, on a work, and across a hex
LONG = 60.0  # from here on an arrow has room for a sign
REACH, SPREAD = 1.9 * R, math.radians(58)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter by its centre."""

    x: float
    y: float
    piece: Piece
    text: str
    doer: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A work: its outline, and what it is called."""

    x: float
    y: float
    width: float
    height: float
    work: Work
    text: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A cell: its outline, terrain and name."""

    points: str
    x: float
    y: float
    cell: Cell
    sign: str
    text: str
    terrain: str
    more: int


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow, with where its label stands."""

    path: str
    x: float
    y: float
    arrow: Arrow
    long: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of a situation, ready to be written down."""

    scene: Scene
    left: float
    top: float
    width: float
    height: float
    grounds: tuple[Ground, ...]
    boxes: tuple[Box, ...]
    counters: tuple[Counter, ...]
    wedges: tuple[str, ...]
    lines: tuple[Line, ...]


def of_scene(scene: Scene) -> Drawing:
    """Puts a situation on paper."""
    grounds, boxes, counters = list[Ground](), list[Box](), list[Counter]()
    where: dict[str, Point] = {}
    for cell in scene.cells:
        x, y = centre(cell)
        for name in cell.names:
            where[name] = (x, y)
        top = y - 0.62 * R if cell.works else y - 0.1 * R
        for work in cell.works:
            height = 62.0 if work.pieces else 34.0
            boxes.append(Box(x - 58, top, 116, height, work, short(work.label, LONGEST_NAME)))
            where[work.name] = (x, top + height / 2)
            counters += row(work.pieces, x, top + 33, scene.doer, where)
            top += height + 8
        shown = cell.pieces[:MOST_SHOWN]
        per_row = [shown[i : i + MOST_IN_ROW] for i in range(0, len(shown), MOST_IN_ROW)]
        first = top + 20 if cell.works else y - 8 - (len(per_row) - 1) * PITCH / 2
        for n, some in enumerate(per_row):
            counters += row(some, x, first + n * PITCH, scene.doer, where)
        sign = cell.terrain[0][0] if cell.terrain else ""
        label = cell.label if cell.told else "where is not told"
        named = [name for _, name in cell.terrain if name.casefold() not in label.casefold()]
        grounds.append(
            Ground(outline(x, y, scene.hexes), x, y, cell, sign, short(label, LONGEST_LABEL), short(", ".join(named), LONGEST_LABEL),
                   len(cell.pieces) - len(shown))
        )  # fmt: skip
    framed = {box.work.name: box for box in boxes}
    lines = tuple(line(arrow, where, framed) for arrow in scene.arrows if arrow.start in where and arrow.end in where)
    centres = [(g.x, g.y) for g in grounds] or [(0.0, 0.0)]
    left, right = min(x for x, _ in centres) - R - MARGIN, max(x for x, _ in centres) + R + MARGIN
    top_, bottom = min(y for _, y in centres) - STEP_Y - MARGIN, max(y for _, y in centres) + STEP_Y + MARGIN
    wedges = tuple(w for arc in scene.arcs if (w := wedge(scene, arc.work, (*arc.inside,), (*arc.outside,))))
    return Drawing(
        scene, left, top_, right - left, bottom - top_, tuple(grounds), tuple(boxes), tuple(counters), wedges, lines
    )


def centre(cell: Cell) -> Point:
    """The centre of a cell."""
    return cell.at[0] * STEP_X, cell.at[1] * STEP_Y


def outline(x: float, y: float, hexes: bool) -> str:
    """The corners of a cell: six, or four where the map has no hexes."""
    if hexes:
        corners = [(x + R * math.cos(math.pi / 3 * n), y + R * math.sin(math.pi / 3 * n)) for n in range(6)]
    else:
        corners = [(x + a * R * 0.95, y + b * STEP_Y) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)


def row(pieces: tuple[Piece, ...], x: float, y: float, doer: str, where: dict[str, Point]) -> list[Counter]:
    """Counters beside each other."""
    found = []
    for n, piece in enumerate(pieces):
        at = x + (n - (len(pieces) - 1) / 2) * PITCH
        where[piece.name] = (at, y)
        found.append(Counter(at, y, piece, short(piece.name.replace("-", " "), LONGEST), piece.name == doer))
    return found


def line(arrow: Arrow, where: dict[str, Point], boxes: dict[str, Box]) -> Line:
    """An arrow from one thing to another, stopping short of both."""
    ax, ay = edge(where[arrow.start], where[arrow.end], boxes.get(arrow.start))
    bx, by = edge(where[arrow.end], where[arrow.start], boxes.get(arrow.end))
    length = math.hypot(bx - ax, by - ay) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    bend = min(22.0, length / 6)
    mx, my = (ax + bx) / 2 + dy * bend, (ay + by) / 2 - dx * bend
    return Line(f"M{ax:.1f},{ay:.1f} Q{mx:.1f},{my:.1f} {bx:.1f},{by:.1f}", mx, my, arrow, length > LONG)


def edge(of: Point, towards: Point, box: Box | None) -> Point:
    """Where a line from one point towards another leaves what is drawn around the first: a counter, or the outline of a work."""
    dx, dy = towards[0] - of[0], towards[1] - of[1]
    length = math.hypot(dx, dy) or 1.0
    if box is None:
        share = min(COUNTER * 0.65, length / 3) / length
    elif abs(dx) < box.width / 2 and box.height / 2 < dy:  # from below, in the same cell: a little way in
        return towards[0], of[1] + box.height / 2 - 10
    else:
        ways = [box.width / 2 / abs(dx) if dx else math.inf, box.height / 2 / abs(dy) if dy else math.inf]
        share = min(*ways, 1.0)
    return of[0] + dx * share, of[1] + dy * share


def wedge(scene: Scene, work: str, inside: tuple[str, ...], outside: tuple[str, ...]) -> str:
    """The arc of a work as a slice: towards what lies in it, else away from what does not; "" where neither is drawn."""
    here = cell_of(scene, work)
    if here is None:
        return ""
    x, y = centre(here)
    for names, turn in ((inside, 0.0), (outside, math.pi)):
        ends = [centre(c) for name in names if (c := cell_of(scene, name)) is not None and c is not here]
        if ends:
            towards = math.atan2(ends[0][1] - y, ends[0][0] - x) + turn
            a, b = towards - SPREAD, towards + SPREAD
            return (
                f"M{x:.1f},{y:.1f} L{x + REACH * math.cos(a):.1f},{y + REACH * math.sin(a):.1f} "
                f"A{REACH:.1f},{REACH:.1f} 0 0 1 {x + REACH * math.cos(b):.1f},{y + REACH * math.sin(b):.1f} Z"
            )
    return ""


def short(text: str, most: int) -> str:
    """A text cut to some letters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
