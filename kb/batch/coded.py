"""Columns of Arrow as combinations: the cells of each column are numbered, and the numbers of a row are one number.

Nothing is made of a cell but where it is met for the first time in its column and its part; all else is arithmetic of Arrow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kb.batch.sources import simple

LARGEST = 2**62  # a row's number is less
MANY = 2**17  # and one that stands for the first columns of a row: more combinations are not remembered
ROOM = 8  # numbers that a column has at first
NOTHING = 0  # the number of a cell that tells nothing


class Numbers:
    """Whole numbers met in a job, each known by its place among them."""

    def __init__(self) -> None:
        import pyarrow

        self.known = pyarrow.array([], pyarrow.int64())

    def places(self, numbers: Any) -> Any:
        """The place of each of some numbers."""
        import pyarrow
        from pyarrow import compute

        found = compute.index_in(numbers, value_set=self.known)
        if found.null_count:
            more = numbers.filter(found.is_null()).unique()
            self.known = pyarrow.concat_arrays([self.known, more])
            found = compute.index_in(numbers, value_set=self.known)
        return found


class Coded:
    """The columns of a job. combination: gives the number of a combination of cells; called: the column that tells no fact."""

    def __init__(
        self, combination: Callable[[tuple[str, ...], tuple[Any, ...]], int], columns: Sequence[str], called: int | None
    ):
        self.combination, self.called = combination, called
        self.of = [at for at in range(len(columns)) if at != called]
        self.told = tuple(columns[at] for at in self.of)
        self.numbers: list[dict[object, int]] = [{mark(None): NOTHING} for _ in self.of]
        self.cells: list[list[Any]] = [[None] for _ in self.of]
        self.room = [ROOM] * len(self.of)
        self.forget()

    def forget(self) -> None:
        """Lets go of what was known of rows' numbers: they are made otherwise from now on."""
        self.levels = [Numbers() for _ in range(len(self.of) + 1)]
        self.found: list[int] = []

    def names(self, columns: Any) -> list[str]:
        """What the rows are called."""
        return [str(simple(cell) or "") for cell in columns.column(self.called).to_pylist()]

    def combinations(self, columns: Any) -> Any:
        """The combination of each row."""
        import pyarrow
        from pyarrow import compute

        numbered = [self.numbered(at, columns.column(i)) for at, i in enumerate(self.of)]
        self.make_room()
        rows: Any = pyarrow.nulls(columns.num_rows, pyarrow.int64()).fill_null(0)
        size = 1
        for (numbers, places), room, level in zip(numbered, self.room, self.levels, strict=False):
            if size * room > LARGEST:
                rows, size = level.places(rows).cast(pyarrow.int64()), MANY
            here = pyarrow.array([number * size for number in numbers], pyarrow.int64()).take(places)
            rows, size = compute.add(rows, here), size * room
        last = self.levels[-1]
        places = last.places(rows)
        if len(last.known) > len(self.found):
            first = compute.index_in(last.known.slice(len(self.found)), value_set=rows)
            self.found += self.met_first(numbered, first)
        return pyarrow.array(self.found, pyarrow.int32()).take(places)

    def met_first(self, numbered: Sequence[tuple[list[int], Any]], rows: Any) -> list[int]:
        """The combinations of some rows."""
        columns = [
            [cells[numbers[place]] for place in places.take(rows).to_pylist()]
            for cells, (numbers, places) in zip(self.cells, numbered, strict=True)
        ]
        told = zip(*columns, strict=True) if columns else [()] * len(rows)
        return [self.combination(self.told, cells) for cells in told]

    def numbered(self, at: int, column: Any) -> tuple[list[int], Any]:
        """The numbers of the cells that a column has, and for each row the place of its cell's among them."""
        different, places = encoded(column)
        known, cells = self.numbers[at], self.cells[at]
        numbers = []
        for cell in map(simple, different):
            key = mark(cell)
            if key not in known:
                known[key] = len(cells)
                cells.append(cell)
            numbers.append(known[key])
        if places.null_count:
            places = places.fill_null(len(numbers))
        return [*numbers, NOTHING], places

    def make_room(self) -> None:
        """Gives the columns room for all their numbers."""
        sizes = zip(self.room, map(len, self.cells), strict=True)
        wanted = [room if many <= room else 2 ** (2 * many - 1).bit_length() for room, many in sizes]
        if wanted != self.room:
            self.room = wanted
            self.forget()


def mark(cell: Any) -> object:
    """A cell, to be told from others: 1 and true are two."""
    return cell if isinstance(cell, str) else (type(cell), repr(cell))


def encoded(column: Any) -> tuple[list[Any], Any]:
    """The different cells of a column, and for each row the place of its own among them."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        try:
            column = column.dictionary_encode()
        except pyarrow.ArrowException:  # lists and the like
            places: dict[object, int] = {}
            cells = column.to_pylist()
            found = [places.setdefault(mark(cell), len(places)) for cell in cells]
            return list({mark(cell): cell for cell in cells}.values()), pyarrow.array(found, pyarrow.int32())
    return column.dictionary.to_pylist(), column.indices.cast(pyarrow.int32())


def taken(values: list[int], places: Any) -> Any:
    """Of some numbers those at some places."""
    import pyarrow

    return pyarrow.array(values, pyarrow.int32()).take(places)


def negative(numbers: Any) -> list[int]:
    """The places of the numbers that are less than nothing."""
    from pyarrow import compute

    if not len(numbers) or compute.min(numbers).as_py() >= 0:
        return []
    found: list[int] = compute.indices_nonzero(compute.less(numbers, 0)).to_pylist()
    return found
