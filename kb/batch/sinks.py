"""Answers written as they come: lines of JSON, CSV, or Parquet; a file takes its name when it is whole."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from msgspec.structs import astuple

from kb.batch.sources import arrow
from kb.batch.tables import Tables, plain
from kb.batch.told import COLUMNS, Pieces, Taken, Told, joined, lines, tails
from kb.errors import CaseError, Problem, did_you_mean

FORMS = (".jsonl", ".ndjson", ".csv", ".parquet")
TOGETHER = 65_536  # answers in a group of rows of a Parquet file


class Sink:
    """Lines of JSON to a stream. Used in a `with`."""

    def __init__(self, stream: BinaryIO):
        self.stream, self.tails = stream, Pieces(tails)

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it: what was written is whole unless something went wrong."""

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers."""
        self.stream.write(b"".join(lines(rows, self.tails)))
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
        self.rests = Pieces(lambda answers: [self.text([cells_of(made)[2:]]) for made in answers])
        self.stream.write(self.text([COLUMNS]))

    @staticmethod
    def text(rows: Iterable[Sequence[Any]]) -> bytes:
        """Rows as text."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue().encode("utf-8", "replace")

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers."""
        made = b"".join(self.lines(rows)) if isinstance(rows, Taken) else self.text(map(cells_of, rows))
        self.stream.write(made)

    def lines(self, rows: Taken) -> Iterator[bytes]:
        """Each row as text, put together."""
        rest, own, names = self.rests.of(rows), rows.own, rows.names
        for place, at in enumerate(rows.numbers()):
            if at < 0:
                yield self.text([cells_of(own[place])])
            elif names and names[place]:
                yield b"%b,%b" % (self.text([(rows.first + place, names[place])])[:-1], rest[at])
            else:
                yield b"%d,,%b" % (rows.first + place, rest[at])


class Parquet(ToFile):
    """A Parquet file: lists as lists. Raises CaseError (E481) where no library to write it is installed."""

    def __init__(self, path: Path):
        parquet = arrow()
        super().__init__(path)
        self.tables = Tables()
        self.table = parquet.ParquetWriter(self.stream, self.tables.schema, store_schema=False)  # texts are texts there
        self.held: list[Taken] = []

    def write(self, rows: Iterable[Told]) -> None:
        """Writes some answers, once there are enough of them for a group of rows."""
        if isinstance(rows, Taken):
            self.held.append(rows)
        if not isinstance(rows, Taken) or sum(map(len, self.held)) >= TOGETHER:
            self.write_held()
        if not isinstance(rows, Taken):
            self.table.write_table(self.tables.of(rows))

    def write_held(self) -> None:
        """Writes what is held."""
        if self.held:
            self.table.write_table(self.tables.of(joined(self.held)))
        self.held = []

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the file."""
        self.write_held()
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


def cells_of(made: Told) -> list[Any]:
    """An answer as the cells of a table of text."""
    return [cell(value) for value in astuple(made)]


def cell(value: Any) -> Any:
    """A value as a cell of a table of text has it."""
    return "; ".join(plain(value)) if isinstance(value, tuple) else value
