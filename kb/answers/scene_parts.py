"""What stands in a picture of a situation, as values, and the picture in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.answers.openings import SIDES
from kb.language import english


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter. side: Friendly, Enemy or ""; sign: what is drawn on it; states: how it is; bears: what it has with it."""

    name: str
    label: str
    side: str
    sign: str
    states: tuple[str, ...] = ()
    bears: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """Something built in a cell, with what is in it."""

    name: str
    label: str
    sign: str
    pieces: tuple[Piece, ...] = ()


@dataclass(slots=True)
class Cell:
    """A cell of the map. names: the places in it; label: what it is; terrain: (sign, label) of its ground; told: whether the case
    tells of it, or only of things of which it does not tell where they are; at: column and half row in the picture."""

    names: tuple[str, ...]
    label: str
    terrain: tuple[tuple[str, str], ...]
    works: tuple[Work, ...]
    pieces: tuple[Piece, ...]
    told: bool = True
    coordinate: str = ""
    at: tuple[int, int] = (0, 0)

    def holds(self, name: str) -> bool:
        """Whether a thing of the case is drawn in this cell."""
        pieces = [*self.pieces, *(p for w in self.works for p in w.pieces)]
        return name in (*self.names, *(w.name for w in self.works), *(p.name for p in pieces))


@dataclass(frozen=True, slots=True)
class Arrow:
    """An act that leads from one thing to another. kind: move, shot or act; asked: whether it is the one asked about."""

    name: str
    kind: str
    label: str
    start: str
    end: str
    asked: bool = False
    done: bool = False


@dataclass(frozen=True, slots=True)
class Arc:
    """The arc of a work: the cells told to lie in it, and those told to lie outside."""

    work: str
    inside: tuple[str, ...]
    outside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A situation, ready to be drawn. hexes: whether the map has hexes."""

    hexes: bool
    cells: tuple[Cell, ...]
    arrows: tuple[Arrow, ...]
    arcs: tuple[Arc, ...]
    doer: str = ""

    @property
    def text(self) -> str:
        """The picture in sentences."""
        told = [f"{line[:1].upper()}{line[1:]}." for line in sentences(self)]
        return " ".join(told) or "Nothing is told yet that could be drawn."


def cell_of(scene: Scene, name: str) -> Cell | None:
    """The cell that a thing is drawn in."""
    return next((cell for cell in scene.cells if cell.holds(name)), None)


# ── in words ──


def sentences(scene: Scene) -> Iterator[str]:
    """What the picture shows, cell by cell, then the arcs and the acts."""
    for cell in scene.cells:
        within = [described(p) for p in cell.pieces]
        for work in cell.works:
            where = f"in {cell.label}: " if cell.label else ""
            inside = english.series([described(p) for p in work.pieces]) if work.pieces else "nothing that is told"
            yield f"{where}{work.label}, in it {inside}"
        if not cell.told:
            yield f"{english.series(within)}: where is not told"
        elif within:
            yield f"{'outside, ' if cell.works else ''}{('in ' + cell.label) if cell.label else 'in the same place'}: {english.series(within)}"
        elif not cell.works:
            yield f"{cell.label}: nothing in it is told"
        if cell.terrain:
            yield f"{cell.label or 'the ground'} is {english.series([label for _, label in cell.terrain])}"
    for arc in scene.arcs:
        for names, how in ((arc.inside, "lies within"), (arc.outside, "lies outside")):
            if names:
                yield f"{english.series(names)} {how} the arc of {arc.work}"
    for arrow in scene.arrows:
        said = {"move": "moves to", "shot": "attacks", "act": "acts on"}[arrow.kind]
        when = " (asked about)" if arrow.asked else " (done before)" if arrow.done else ""
        yield f"{arrow.start} {said} {arrow.end}: {arrow.label}{when}"


def described(piece: Piece) -> str:
    """A counter in words."""
    side = {SIDES[0]: "ours", SIDES[1]: "the enemy's"}.get(piece.side, "")
    told = [*([side] if side else []), *piece.states, *(f"with {b}" for b in piece.bears)]
    return f"{piece.label} ({', '.join(told)})" if told else piece.label
