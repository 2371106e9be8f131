"""Columns at hand: one shape, asked again and again.

    asked = over("shape.yaml", ["foe.is.Disrupted", "pillbox.capacity"])
    asked.verdict((True, 2))                       the verdict of one row
    asked.answers({"foe.is.Disrupted": […], …})    the answers of many, taken by number
    asked.table(columns)                           the same as a table of Arrow

A combination of cells that was met costs a look-up; with columns of Arrow a million rows cost a few operations of Arrow for each column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kb.batch import chunks
from kb.batch.columns import Columns, kinds_of
from kb.batch.evaluate import Asker
from kb.batch.many import held_against, shape_of
from kb.batch.reading import Job, Reader
from kb.batch.sources import Cells, Lists, Part, arrow
from kb.batch.tables import Tables
from kb.batch.told import Fault, Taken, joined
from kb.errors import CaseError, Place, Problem

TOGETHER = 65_536  # rows whose combinations are found at a time


class Over:
    """A shape and columns that name facts of it. It remembers as many combinations as a batch does (columns.REMEMBERED)."""

    def __init__(self, job: Job):
        self.names = job.columns or ()
        self.reader, self.asker = Reader(job), Asker(dict(job.options))
        self.columns = Columns(self.reader)
        self.called = self.reader.over(self.names).called
        self.told = tuple(name for at, name in enumerate(self.names) if at != self.called)

    def verdict(self, row: Sequence[Any] | Mapping[str, Any]) -> str:
        """The verdict on one row: its cells in the order of the columns, or by their names (what is left out is not told). Raises
        CaseError for a row that is at fault."""
        cells = row if type(row) is tuple and len(row) == len(self.names) else self.cells(row)
        facts = cells if self.called is None else (*cells[: self.called], *cells[self.called + 1 :])
        met = self.columns.met
        try:
            at = met.found[met.numbers[self.told, facts, kinds_of(facts)]]
            found = met.answers[at].verdict if at >= 0 else None
        except (KeyError, TypeError):  # not met yet, or a cell that is a list
            found = None
        if found is None:
            (made,) = self.taken(Lists(1, tuple((cell,) for cell in cells)))
            if made.problems:
                raise CaseError([problem(fault) for fault in made.problems])
            found = made.verdict
        return str(found)

    def answers(self, columns: Any) -> Taken:
        """The answer of each row of columns: a list or an array of Arrow for each name, or a table of Arrow. What is wrong with a row
        stands in its answer. Raises CaseError (E490) where they are other columns, or not equally long."""
        return joined([self.taken(part) for part in self.parts(columns)])

    def table(self, columns: Any) -> Any:
        """The answers as a table of Arrow, as a batch writes it to Parquet. Raises CaseError (E481, E490)."""
        arrow()
        return Tables().of(self.answers(columns))

    def taken(self, rows: Part) -> Taken:
        """The answers of rows that follow each other."""
        with self.columns.lock:
            part = self.columns.part(rows)
            places = part.open(set())
            while places:  # once more where what was asked for others had something wrong with it
                part.came(chunks.answers_of(self.reader, self.asker, part.rows(places)))
                places = part.left()
            return part.taken()

    def cells(self, row: Sequence[Any] | Mapping[str, Any]) -> tuple[Any, ...]:
        """The cells of a row. Raises CaseError (E490)."""
        if isinstance(row, Mapping):
            self.held(row, missing=False)
            return tuple(row.get(name) for name in self.names)
        if isinstance(row, str) or len(row) != len(self.names):
            raise CaseError(Problem(490, f"a row has a cell for each of {len(self.names)} columns", hint=self.hint()))
        return tuple(row)

    def parts(self, columns: Any) -> Iterator[Part]:
        """Columns in parts. Raises CaseError (E490)."""
        given = (
            dict(zip(columns.column_names, columns.columns, strict=True))
            if hasattr(columns, "column_names")
            else columns
        )
        self.held(given)
        here = [given[name] for name in self.names]
        sizes = set(map(len, here))
        if len(sizes) > 1:
            raise CaseError(
                Problem(
                    490,
                    f"the columns are not equally long: {sorted(sizes)}",
                    hint="give a cell for each row, None where nothing is told",
                )
            )
        if here and all(map(of_arrow, here)):
            import pyarrow

            first = 1
            for batch in pyarrow.table(dict(zip(self.names, here, strict=True))).to_batches(TOGETHER):
                yield Cells(first, batch)
                first += batch.num_rows
            return
        lists = [column.to_pylist() if of_arrow(column) else column for column in here]
        for at in range(0, max(sizes, default=0), TOGETHER):
            yield Lists(at + 1, tuple(column[at : at + TOGETHER] for column in lists))

    def held(self, given: Mapping[str, Any], missing: bool = True) -> None:
        """Raises CaseError (E490) where other columns are named than there are."""
        wrong = [name for name in given if name not in self.names]
        lacking = [name for name in self.names if name not in given] if missing else []
        problems = [Problem(490, f"“{name}” is none of the columns", hint=self.hint()) for name in wrong]
        problems += [Problem(490, f"the column “{name}” is not given", hint=self.hint()) for name in lacking]
        if problems:
            raise CaseError(problems)

    def hint(self) -> str:
        """What columns there are."""
        return f"columns: {', '.join(self.names)}"


def over(
    shape: Mapping[str, Any] | str | Path, columns: Sequence[str], *, name: str = "", **options: Any
) -> Over:  # fmt: skip
    """A shape to be asked with the cells of some columns. Raises CaseError or QueryError for what is wrong with all rows.

    shape: a case, or the file of one (of several there, the one of that name); columns: the facts that rows tell, as in the headings of
    a batch. options: of asking.ask.
    """
    said = tuple(sorted((key, value) for key, value in options.items() if value))
    job = Job(shape_of(shape, name), tuple(columns), "", said)
    held_against(job)
    return Over(job)


def of_arrow(column: Any) -> bool:
    """Whether a column is Arrow's."""
    return hasattr(column, "to_pylist")


def problem(fault: Fault) -> Problem:
    """What is wrong with a row, to be raised."""
    return Problem(int(fault.number[1:]), fault.message, Place("", 0, 0, fault.column), fault.do)
