"""Rows as they come: lines of JSON, lines of a table (CSV, TSV), a Parquet file, or values at hand. Nothing is read ahead.

of_file(path)   by how its name ends; `-` reads lines of JSON from standard input
of_values(rows) mappings, or lines of JSON
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from kb import resources
from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.yaml_document import MAX_BYTES

FORMS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
SEPARATORS = ",;\t"
AT_ONCE = 1024  # rows of a Parquet file that are decoded together


class Row(Struct, frozen=True):
    """A row as it was read. number: from 1, headings and empty lines not counted; line: of its file; content: a line's bytes, the
    cells of a table, a mapping, or what is wrong with it."""

    number: int
    line: int
    content: bytes | tuple[Any, ...] | Mapping[str, Any] | CaseError


class Source:
    """Where rows come from. file: how it is called; columns: the headings of a table, None where each row names its own; shape: the
    case that the first line gives, to which the others tell facts."""

    file: str = ""
    columns: tuple[str, ...] | None = None
    shape: Mapping[str, Any] | None = None

    def __iter__(self) -> Iterator[Row]:
        """The rows, read as they are asked for."""
        raise NotImplementedError

    def share(self) -> float | None:
        """How much was read, from 0 to 1; None where nobody knows."""
        return None

    def close(self) -> None:
        """Lets go of the file."""


def of_file(path: Path) -> Source:
    """The rows of a file. Raises CaseError (E400, E480, E481, E486)."""
    if str(path) == "-":
        return JsonLines(sys.stdin.buffer, "standard input")
    form = path.suffix.lower()
    if form not in FORMS:
        hint = did_you_mean(form, FORMS) or "lines of JSON (.jsonl), or a table with --shape: .csv, .tsv, .parquet"
        raise CaseError(Problem(480, f"“{path.name}” is in no form that a batch is read from", hint=hint))
    try:
        size = path.stat().st_size
        stream = path.open("rb")
    except OSError as e:
        hint = resources.nearest_file(path) or "give the path of a file that you may read"
        raise CaseError(Problem(400, f"cannot read {path}: {e.strerror or e}", Place(str(path), 1), hint)) from None
    if form == ".parquet":
        return Parquet(stream, str(path))
    return JsonLines(stream, str(path), size) if form in FORMS[:2] else Table(stream, str(path), size)


class Lines(Source):
    """The lines of a file, each with its number; what is too long is left out with a fault."""

    def __init__(self, stream: BinaryIO, file: str, size: int = 0):
        self.stream, self.file, self.size = stream, file, size
        self.line = self.seen = self.number = 0

    def share(self) -> float | None:
        """How much of the file was read."""
        return min(self.seen / self.size, 1.0) if self.size else None

    def close(self) -> None:
        """Lets go of the file."""
        if self.stream is not sys.stdin.buffer:
            self.stream.close()

    def lines(self) -> Iterator[bytes]:
        """Each line that is not empty, without its end; of one that is too long only its beginning."""
        while text := self.stream.readline(MAX_BYTES + 2):
            self.line += 1
            self.seen += len(text)
            if self.line == 1:
                text = text.removeprefix(b"\xef\xbb\xbf")
            if not text.endswith(b"\n") and len(text) > MAX_BYTES:
                while (more := self.stream.readline(MAX_BYTES)) and not more.endswith(b"\n"):
                    self.seen += len(more)
                self.seen += len(more)
            if text := text.strip(b"\r\n"):
                yield text


class JsonLines(Lines):
    """Lines of JSON: each a case, or facts over a shape."""

    def __init__(self, stream: BinaryIO, file: str, size: int = 0):
        super().__init__(stream, file, size)
        self.found = (line for line in self.lines() if line.strip())
        first = next(self.found, None)
        if first is not None and first.lstrip()[:10].replace(b" ", b"").startswith(b'{"shape":'):
            self.shape, first = shape_in(first), None
        self.first = () if first is None else (first,)

    def __iter__(self) -> Iterator[Row]:
        for text in chain(self.first, self.found):
            self.number += 1
            yield Row(self.number, self.line, text)


def shape_in(line: bytes) -> Mapping[str, Any] | None:
    """The shape that a first line gives; None where the line does not read, or gives more, and so is a row like others."""
    try:
        data = json.loads(line, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return data["shape"] if len(data) == 1 and isinstance(data["shape"], dict) else None


class Table(Lines):
    """A table as text: headings, then a line for each row. A cell ends with its line, so that a quotation mark which is not
    closed loses one row."""

    def __init__(self, stream: BinaryIO, file: str, size: int = 0):
        super().__init__(stream, file, size)
        self.found = self.lines()
        head = next(self.found, b"").decode("utf-8", "replace")
        self.separator = max(SEPARATORS, key=head.count) if not file.endswith(".tsv") else "\t"
        self.columns = self.cells(head)
        if not self.columns:
            self.close()
            hint = "write the facts that the columns tell in the first line: THING.is.CLASS,THING.PROPERTY"
            raise CaseError(Problem(486, "the table has no headings", Place(file, 1), hint))

    def cells(self, text: str) -> tuple[str, ...]:
        """The cells of a line. Raises csv.Error."""
        return tuple(next(csv.reader((text,), delimiter=self.separator, strict=True), ()))

    def __iter__(self) -> Iterator[Row]:
        for line in self.found:
            self.number += 1
            yield Row(self.number, self.line, self.content(line))

    def content(self, line: bytes) -> tuple[str, ...] | CaseError:
        """The cells of a row, or what is wrong with it."""
        place = Place(self.file, self.line)
        if len(line) > MAX_BYTES:
            return CaseError(Problem(474, f"the row is longer than {MAX_BYTES} bytes", place, "close quotation marks"))
        try:
            cells = self.cells(line.decode("utf-8"))
        except UnicodeDecodeError:
            return CaseError(Problem(402, "the row is not UTF-8 text", place, "save the table as UTF-8 text"))
        except csv.Error as e:
            return CaseError(Problem(474, f"the row does not read: {e}", place, "close quotation marks in their line"))
        wanted = len(self.columns or ())
        if len(cells) != wanted:
            message = f"the row has {len(cells)} cell{'' if len(cells) == 1 else 's'}, and there are {wanted} columns"
            return CaseError(Problem(474, message, place, "leave a cell empty where nothing is told"))
        return cells


class Parquet(Source):
    """A Parquet file. Raises CaseError (E481) where no library to read it is installed."""

    def __init__(self, stream: BinaryIO, file: str):
        parquet = arrow()
        self.file, self.stream, self.number = file, stream, 0
        try:
            self.table = parquet.ParquetFile(stream)
        except (OSError, ValueError) as e:  # pyarrow's own errors are of these kinds
            stream.close()
            raise CaseError(Problem(486, f"{file} is no Parquet file: {e}", hint="write it anew, or as CSV")) from None
        self.columns = tuple(self.table.schema_arrow.names)

    def __iter__(self) -> Iterator[Row]:
        for batch in self.table.iter_batches(AT_ONCE):
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                self.number += 1
                yield Row(self.number, 0, tuple(map(simple, cells)))

    def close(self) -> None:
        """Lets go of the file."""
        self.stream.close()

    def share(self) -> float | None:
        """How much of the file was read."""
        return self.number / self.table.metadata.num_rows if self.table.metadata.num_rows else None


def arrow() -> Any:
    """The library for Parquet. Raises CaseError (E481)."""
    try:
        from pyarrow import parquet
    except ImportError:
        hint = 'pip install "loophole-rules[parquet]", or take CSV'
        raise CaseError(Problem(481, "Parquet needs pyarrow, which is not installed", hint=hint)) from None
    return parquet


def simple(value: Any) -> Any:
    """A value as a case may have it: what JSON has no kind for as text."""
    return value if value is None or isinstance(value, (str, bool, int, float, list, dict)) else str(value)


class Values(Source):
    """Rows at hand: mappings, or lines of JSON. first: the number of the first of them."""

    def __init__(self, rows: Iterable[Mapping[str, Any] | str | bytes], first: int = 1):
        self.rows, self.first, self.file = rows, first, "rows"

    def __iter__(self) -> Iterator[Row]:
        for number, row in enumerate(self.rows, self.first):
            yield Row(number, number, row.encode("utf-8", "surrogatepass") if isinstance(row, str) else row)
