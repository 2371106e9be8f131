"""Answers written as they come: lines of JSON, CSV, or Parquet; a file takes its name when it is whole."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from msgspec.structs import astuple

from kb.batch import told
from kb.batch.sources import arrow
from kb.batch.told import COLUMNS, LISTS, Fault, Told
from kb.errors import CaseError, Problem, did_you_mean

FORMS = (".jsonl", ".ndjson", ".csv", ".parquet")


class Sink:
    """Lines of JSON to a stream. Used in a `with`."""

    def __init__(self, stream: BinaryIO):
        self.stream = stream

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it: what was written is whole unless something went wrong."""

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers."""
        self.stream.write(b"".join(map(told.line, rows)))
        self.stream.flush()


class ToFile(Sink):
    """A sink whose file is written under another name first: FILE.part, which stays where the run is broken off."""

    def __init__(self, path: Path):
        self.path, self.part = path, path.with_name(f"{path.name}.part")
        super().__init__(self.part.open("wb"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gives the file its name, where it is whole."""
        self.stream.close()
        if kind is None:
            os.replace(self.part, self.path)


class Csv(ToFile):
    """A table as text: lists with semicolons, and what is wrong with a row in its last column."""

    def __init__(self, path: Path):
        super().__init__(path)
        self.stream.write(self.lines([COLUMNS]))

    @staticmethod
    def lines(rows: Iterable[Sequence[Any]]) -> bytes:
        """Rows as text."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue().encode("utf-8", "replace")

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers."""
        self.stream.write(self.lines([cell(value) for value in astuple(made)] for made in rows))


class Parquet(ToFile):
    """A Parquet file: lists as lists. Raises CaseError (E481) where no library to write it is installed."""

    def __init__(self, path: Path):
        arrow()
        import pyarrow
        from pyarrow import parquet

        text = pyarrow.string()
        kinds = {"row": pyarrow.int64(), **dict.fromkeys((*LISTS, "problems"), pyarrow.list_(text))}
        super().__init__(path)
        self.schema = pyarrow.schema([(name, kinds.get(name, text)) for name in COLUMNS])
        self.table, self.made = parquet.ParquetWriter(self.stream, self.schema), pyarrow.RecordBatch.from_pylist

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers."""
        records = [dict(zip(COLUMNS, map(plain, astuple(made)), strict=True)) for made in rows]
        self.table.write_batch(self.made(records, schema=self.schema))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the file."""
        self.table.close()
        super().__exit__(kind, error, trace)


def to_file(path: Path) -> Sink:
    """A sink by how the name of its file ends. Raises CaseError (E480, E481), OSError."""
    form = path.suffix.lower()
    if form not in FORMS:
        hint = did_you_mean(form, FORMS) or f"let its name end in {', '.join(FORMS)}"
        raise CaseError(Problem(487, f"“{path.name}” is in no form that answers are written in", hint=hint))
    kinds: dict[str, type[ToFile]] = {".csv": Csv, ".parquet": Parquet}
    return kinds.get(form, ToFile)(path)


def said(fault: Fault) -> str:
    """A fault as one text."""
    column = f" {fault.column}:" if fault.column else ""
    return f"{fault.number}{column} {fault.message}" + (f" ({fault.do})" if fault.do else "")


def plain(value: Any) -> Any:
    """A value as a column of Parquet has it."""
    return [said(v) if isinstance(v, Fault) else v for v in value] if isinstance(value, tuple) else value


def cell(value: Any) -> Any:
    """A value as a cell of a table of text has it."""
    return "; ".join(plain(value)) if isinstance(value, tuple) else value
