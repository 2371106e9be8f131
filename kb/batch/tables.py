"""Answers as tables of Arrow: of each different answer a row is made once, and those of many are taken from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import astuple

from kb.batch.told import COLUMNS, LISTS, Fault, Taken, Told


class Tables:
    """Makes tables of answers, all of one schema: lists as lists."""

    def __init__(self) -> None:
        import pyarrow

        text = pyarrow.string()
        kinds = {"row": pyarrow.int64(), **dict.fromkeys((*LISTS, "problems"), pyarrow.list_(text))}
        self.schema = pyarrow.schema([(name, kinds.get(name, text)) for name in COLUMNS])
        self.answers: list[Told] = []
        self.different = self.table(())

    def table(self, answers: Iterable[Told]) -> Any:
        """Answers as they are."""
        import pyarrow

        records = [dict(zip(COLUMNS, map(plain, astuple(made)), strict=True)) for made in answers]
        return pyarrow.Table.from_pylist(records, schema=self.schema)

    def of(self, rows: Iterable[Told]) -> Any:
        """Answers, each a row."""
        if not isinstance(rows, Taken):
            return self.table(rows)
        import pyarrow
        from pyarrow import compute

        table, (at, own) = self.of_each(rows.answers), rows.beyond()
        if own:
            table = pyarrow.concat_tables([table, self.table(own)]).combine_chunks()
        found = table.take(at)
        numbers = compute.cumulative_sum(pyarrow.repeat(pyarrow.scalar(1), len(rows)), start=rows.first - 1)
        return found.set_column(0, self.schema.field(0), numbers).set_column(
            1, self.schema.field(1), pyarrow.array(names(rows), pyarrow.string())
        )

    def of_each(self, answers: list[Told]) -> Any:
        """The different answers, each a row; more may be added to them."""
        import pyarrow

        if self.answers is not answers:
            self.answers, self.different = answers, self.table(())
        more = self.answers[self.different.num_rows :]
        if more:
            self.different = pyarrow.concat_tables([self.different, self.table(more)]).combine_chunks()
        return self.different


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
