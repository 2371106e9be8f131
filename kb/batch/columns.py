"""Columns: many rows over a shape tell few combinations of cells, and each is read as a case and answered once.

    Columns.part(rows) -> Together     rows that follow each other, each by the number of its combination
    Together.open(asked)               the rows that are to be asked: one for each combination of which nobody knows the answer
    Together.taken() -> Taken          all their answers, taken by number

A row whose answer is not another's (a case of its own, or something wrong with it) is asked by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import RLock
from types import NoneType
from typing import Any

from msgspec.structs import replace

from kb.batch.coded import Coded, negative, taken
from kb.batch.reading import Reader
from kb.batch.sources import Cells, Lists, Part, Row, Texts
from kb.batch.told import Taken, Told

# Combinations and lines known by what they tell, before all are let go of (and those of one part more).
REMEMBERED = 50_000
SHORT = 500  # bytes of a line that is
ALONE, OPEN = -2, -1  # of a combination: each of its rows is asked by itself; nobody has answered it yet
APART = 0  # the combination of rows that are of none
SAME = frozenset((bool, int, float, str, NoneType))  # cells that are told by their value and their type


class Met:
    """The combinations met. numbers: of each by what it tells; found: of each the number of its answer; answers: those, each once."""

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.of_kinds: tuple[object, dict[Any, int]] = (), {}  # of cells that were all of these kinds
        self.found: list[int] = [ALONE]
        self.answers: list[Told] = []
        self.known: dict[Told, int] = {}
        self.coded: Coded | None = None

    def full(self) -> bool:
        """Whether all is to be let go of."""
        return max(len(self.numbers), 0 if self.coded is None else len(self.coded.found)) > REMEMBERED

    def combination(self, names: tuple[str, ...], cells: tuple[Any, ...]) -> int:
        """The number of a combination of cells."""
        kinds = kinds_of(cells)
        if list in kinds or dict in kinds:
            return APART
        key = names, cells, kinds
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = len(self.found)
            self.found.append(OPEN)
        return found

    def learn(self, combination: int, made: Told) -> None:
        """Notes what came of a combination."""
        if self.found[combination] != OPEN:
            return
        if made.problems:  # they tell the line in which they stand
            self.found[combination] = ALONE
            return
        bare = replace(made, row=0, name="")
        at = self.found[combination] = self.known.setdefault(bare, len(self.answers))
        if at == len(self.answers):
            self.answers.append(bare)


def kinds_of(cells: Sequence[Any]) -> tuple[type, ...]:
    """The types of some cells: 1 and true are one to a dictionary, and not to a case."""
    return tuple(map(type, cells))


class Columns:
    """What is known of the rows of a job by what they tell. It is one thread's at a time (lock)."""

    def __init__(self, reader: Reader):
        self.reader, self.met, self.lock = reader, Met(), RLock()

    def part(self, rows: Part) -> Together:
        """Rows that follow each other, each by its combination."""
        if self.met.full():
            self.met = Met()
        if isinstance(rows, list):
            return self.of_rows(rows)
        if isinstance(rows, Texts):
            return self.of_lines(rows)
        columns = self.reader.job.columns or ()
        called = self.reader.over(columns).called
        return self.of_cells(rows, columns, called) if isinstance(rows, Cells) else self.of_lists(rows, columns, called)

    def of_lines(self, lines: Texts) -> Together:
        """Lines of a file: one that was met says what it said."""
        texts = [text for _, text in lines.lines]
        found: list[Any] = list(map(self.met.numbers.get, texts))
        new = [place for place, at in enumerate(found) if at is None] if None in found else []
        names = self.told(lines.rows(new), new, found)
        for place in new:
            if found[place] and not names.get(place) and len(texts[place]) <= SHORT:
                self.met.numbers[texts[place]] = found[place]
        return Together(self.met, lines.first, found, lines.rows, listed(names, len(texts)))

    def of_rows(self, rows: list[Row]) -> Together:
        """Rows at hand."""
        found: list[Any] = [None] * len(rows)
        names = self.told(rows, range(len(rows)), found)
        first = rows[0].number if rows else 1
        return Together(self.met, first, found, lambda places: [rows[at] for at in places], listed(names, len(rows)))

    def told(self, rows: Iterable[Row], places: Iterable[int], found: list[Any]) -> dict[int, str]:
        """Puts the combinations of some rows in their places, and gives what they are called."""
        names: dict[int, str] = {}
        for place, row in zip(places, rows, strict=True):
            told = self.reader.told(row)
            found[place] = APART if told is None else self.met.combination(*told.told())
            if told is not None and told.name:
                names[place] = told.name
        return names

    def of_cells(self, cells: Cells, columns: tuple[str, ...], called: int | None) -> Together:
        """Columns of Arrow."""
        met = self.met
        coded = met.coded = met.coded or Coded(met.combination, columns, called)
        names = None if called is None else coded.names(cells.columns)
        return Together(met, cells.first, coded.combinations(cells.columns), cells.rows, names)

    def of_lists(self, lists: Lists, columns: tuple[str, ...], called: int | None) -> Together:
        """Columns at hand."""
        met, given = self.met, list(lists.columns)
        names = None if called is None else [str(cell or "") for cell in given.pop(called)]
        what = columns if called is None else (*columns[:called], *columns[called + 1 :])
        kinds = tuple(frozenset(map(type, column)) - {NoneType} for column in given)
        plain = all(len(of) <= 1 and of <= SAME for of in kinds)  # cells that are one to a dictionary are then one fact
        if not plain or met.of_kinds[0] != kinds:
            met.of_kinds = kinds, {}
        known = met.of_kinds[1]
        found: list[Any] = list(map(known.get, zip(*given, strict=True))) if plain else [None] * len(lists)
        if None in found:
            for at, cells in enumerate(zip(*given, strict=True)):
                if found[at] is None:
                    found[at] = met.combination(what, cells)
                    if plain:
                        known[cells] = found[at]
        return Together(met, lists.first, found, lists.rows, names)


def listed(names: Mapping[int, str], many: int) -> list[str] | None:
    """What rows are called, by their places; None where nothing is."""
    return [names.get(place, "") for place in range(many)] if names else None


class Together:
    """Rows that follow each other, by their combinations. first: the number of the first; rows: those at some places."""

    def __init__(
        self, met: Met, first: int, combinations: Any, rows: Callable[[Sequence[int]], list[Row]],
        names: Sequence[str] | None,
    ):  # fmt: skip
        self.met, self.first, self.combinations, self.rows, self.names = met, first, combinations, rows, names
        self.own: dict[int, Told] = {}
        self.look()

    def __len__(self) -> int:
        return len(self.combinations)

    def look(self) -> None:
        """Takes the numbers of the answers, as far as they are known. without: the places of the rows for which none is."""
        self.at: Any
        if isinstance(self.combinations, list):
            self.at = at = list(map(self.met.found.__getitem__, self.combinations))
            self.without = [place for place, number in enumerate(at) if number < 0] if at and min(at) < 0 else []
        else:
            self.at = taken(self.met.found, self.combinations)
            self.without = negative(self.at)

    def open(self, asked: set[int]) -> list[int]:
        """The places of the rows that are to be asked. asked: the combinations that somebody was asked for already; more are added."""
        found, places = self.met.found, []
        for place in self.without:
            combination = self.combination(place)
            if found[combination] == OPEN:
                if combination in asked:
                    continue
                asked.add(combination)
            places.append(place)
        return places

    def combination(self, place: int) -> int:
        """The combination of a row."""
        found = self.combinations[place]
        return found if isinstance(found, int) else int(found.as_py())

    def came(self, made: Iterable[Told]) -> None:
        """Notes the answers that came of some of the rows."""
        for told in made:
            place = told.row - self.first
            self.own[place] = told
            self.met.learn(self.combination(place), told)

    def left(self) -> list[int]:
        """The places of the rows that are still without an answer: what was asked for their combination had something wrong with it."""
        if self.without:
            self.look()
        return [place for place in self.without if place not in self.own]

    def taken(self) -> Taken:
        """The answer of each row."""
        own = {place: self.own[place] for place in self.without}
        return Taken(self.first, self.met.answers, self.at, own, self.names)
