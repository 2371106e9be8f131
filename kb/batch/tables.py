"""Answers as tables of Arrow: of each different answer a row is made once, and those of many are taken from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import astuple

from kb.batch.told import COLUMNS, LISTS, Fault, Taken, Told


class Tables:
    """Makes tables of answers, all of one schema: lists as lists, and each text once."""

    def __init__(self) -> None:
        import pyarrow

        text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        kinds = {"row": pyarrow.int64(), "name": pyarrow.string()}
        kinds |= dict.fromkeys((*LISTS, "problems"), pyarrow.list_(text))
        self.schema = pyarrow.schema([(name, kinds.get(name, text)) for name in COLUMNS])

    def table(self, answers: Iterable[Told]) -> Any:
        """Answers as they are."""
        import pyarrow

        columns = zip(*map(astuple, answers), strict=True)
        cells = [list(map(plain, column)) for column in columns] or [[] for _ in COLUMNS]
        return pyarrow.table([pyarrow.array(c, of.type) for c, of in zip(cells, self.schema, strict=True)], self.schema)

    def of(self, rows: Iterable[Told]) -> Any:
        """Answers, each a row."""
        if not isinstance(rows, Taken):
            return self.table(rows)
        import pyarrow
        from pyarrow import compute

        at, own = rows.beyond()
        found = self.table([*rows.answers, *own]).take(at)
        numbers = compute.cumulative_sum(pyarrow.repeat(pyarrow.scalar(1), len(rows)), start=rows.first - 1)
        found = found.set_column(0, self.schema.field(0), numbers)
        return found.set_column(1, self.schema.field(1), pyarrow.array(names(rows), pyarrow.string()))


def names(rows: Taken) -> Sequence[str]:
    """What the rows are called."""
    found = list(rows.names or [""] * len(rows))
    for place, made in rows.own.items():
        found[place] = made.name
    return found


def said(fault: Fault) -> str:
    """A fault as one text."""
    column = f" {fault.column}:" if fault.column else ""
    return f"{fault.number}{column} {fault.message}" + (f" ({fault.do})" if fault.do else "")


def plain(value: Any) -> Any:
    """A value as a column of Arrow has it."""
    return [said(v) if isinstance(v, Fault) else v for v in value] if isinstance(value, tuple) else value
