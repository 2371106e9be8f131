"""Which things of a case are told to be in one cell of the map (see kb.cases.cells), and whether any is."""

from __future__ import annotations

from collections.abc import Iterable

from kb.cases.telling import Telling
from kb.language.case import Facts
from kb.language.vocabulary import AT, Cell, Vocabulary

PLACE, ACT = "Place", "Act"


def words(vocabulary: Vocabulary) -> Iterable[str]:
    """The words of which one must be told where something is to be settled."""
    cell = vocabulary.cell
    return () if cell is None else {cell.key, *cell.telling, *cell.cells, *cell.owing, *cell.pieces}


def told(things: Telling, vocabulary: Vocabulary, cell: Cell) -> bool:
    """Whether it is told in which cell something is, otherwise than by the normal words, or that it is one; or of what lies as pieces do, or
    has a place beside it, where it is, or who is there."""
    said, key, telling, cells = things.said, cell.key, cell.telling, cell.cells
    if key in said or not (telling.isdisjoint(said) and cells.isdisjoint(said)):
        for x in things.values():
            if key in x.texts or not (telling.isdisjoint(x.links) and cells.isdisjoint(x.is_)):
                return True
    lying, owing = said & cell.pieces, said & cell.owing.keys()
    back = said.intersection(vocabulary.properties[AT].inverses) if lying else ()
    placed = {to for x in things.values() for q in back for to in x.links.get(q, ())} if back else ()
    kinds = lying | owing
    for x in [x for x in things.values() if not kinds.isdisjoint(x.is_)] if kinds else ():
        if AT in x.links or (x.name in placed and not lying.isdisjoint(x.is_)):
            return True
    return False


def together(things: Telling, vocabulary: Vocabulary, cell: Cell) -> list[list[str]]:
    """The names of things by the cell that they are in, each in the order of the case.

    What is told of a piece by where it is goes before what is told by what it is with.
    """
    groups: dict[str, set[str]] = {}  # by name; one set for all that are together
    named: dict[str, str] = {}  # by coordinate, the first thing that has it

    def of(name: str) -> set[str]:
        return groups.setdefault(name, {name})

    def join(one: str, other: str, sure: bool) -> None:
        a, b = of(one), of(other)
        if a is b or not (sure or compatible(a, b, things, cell)):
            return
        a |= b
        for name in b:
            groups[name] = a

    for sure in (True, False):
        for name, facts in things.items():
            if vocabulary.entails(facts.is_, ACT):
                continue
            for role, targets in facts.links.items():
                if role in (cell.single if sure else cell.loose):
                    for target in targets:
                        join(name, target, sure)
            if sure and (spot := spot_of(facts, cell)):
                join(named.setdefault(spot, name), name, True)
    order = {name: i for i, name in enumerate(things)}
    different = {id(names): names for names in groups.values()}
    return [sorted(names, key=order.__getitem__) for names in different.values()]


def spot_of(facts: Facts, cell: Cell) -> str:
    """The coordinate that is told of a thing, or of all that is of its kind, or ""."""
    told = facts.texts.get(cell.key, "").strip().upper()
    return told or next((cell.known[c] for c in facts.is_ if c in cell.known), "")


def compatible(one: set[str], other: set[str], things: Telling, cell: Cell) -> bool:
    """Whether two groups may be in one cell: not two that are told apart."""
    spots = [{spot for n in names if (spot := spot_of(things[n], cell))} for names in (one, other)]
    cells = [{n for n in names if not cell.cells.isdisjoint(things[n].is_)} for names in (one, other)]
    if spots[0] and spots[1]:
        return spots[0] == spots[1]
    return not (cells[0] and cells[1])
