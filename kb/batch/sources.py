"""Rows as they come: lines of JSON, lines of a table (CSV, TSV), a Parquet file, or values at hand. Nothing is read ahead.

of_file(path)   by how its name ends; `-` reads lines of JSON from standard input
Values(rows)    mappings, or lines of JSON

Sources give them in parts: rows, or columns of Arrow (Cells), of which rows are made only where somebody asks for one.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from kb import resources
from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.yaml_document import MAX_BYTES

FORMS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
SEPARATORS = ",;\t"
LARGE = 1_000_000  # bytes of lines that are read together
ENOUGH = 256  # lines for which it is waited
BOM = b"\xef\xbb\xbf"
AT_ONCE = 16_384  # rows of a Parquet file that are decoded together


class Row(Struct, frozen=True):
    """A row as it was read. number: from 1, headings and empty lines not counted; line: of its file; content: a line's bytes, the
    cells of a table, or a mapping."""

    number: int
    line: int
    content: bytes | tuple[Any, ...] | Mapping[str, Any]


class Cells(Struct, frozen=True):
    """Rows that follow each other as columns of Arrow. first: the number of the first of them."""

    first: int
    columns: Any

    def __len__(self) -> int:
        return int(self.columns.num_rows)

    def rows(self, places: Sequence[int]) -> list[Row]:
        """The rows at some places."""
        cells = zip(*(column.to_pylist() for column in self.columns.take(places).columns), strict=True)
        return [Row(self.first + at, 0, tuple(map(simple, row))) for at, row in zip(places, cells, strict=True)]


class Lists(Struct, frozen=True):
    """Rows that follow each other as columns at hand. first: the number of the first of them."""

    first: int
    columns: tuple[Sequence[Any], ...]

    def __len__(self) -> int:
        return min(map(len, self.columns), default=0)

    def rows(self, places: Sequence[int]) -> list[Row]:
        """The rows at some places."""
        return [Row(self.first + at, 0, tuple(column[at] for column in self.columns)) for at in places]


class Texts(Struct, frozen=True):
    """Rows that follow each other as lines of a file, each with its number there. first: the number of the first of them as a row."""

    first: int
    lines: list[tuple[int, bytes]]

    def __len__(self) -> int:
        return len(self.lines)

    def rows(self, places: Sequence[int]) -> list[Row]:
        """The rows at some places."""
        return [Row(self.first + at, *self.lines[at]) for at in places]


Part = list[Row] | Texts | Cells | Lists


class Source:
    """Where rows come from. file: how it is called; columns: the headings of a table, None where each row names its own; separator:
    what stands between its cells, where it is text; shape: the case that the first line gives, to which the others tell facts; most:
    how many rows it gives at a time."""

    file: str = ""
    columns: tuple[str, ...] | None = None
    separator: str = ""
    shape: Mapping[str, Any] | None = None
    most: int = 256

    def part(self, most: int) -> Part:
        """The next rows, as many at most; none at the end."""
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
    """The lines of a file, each with its number; of one that is too long only its beginning."""

    most = AT_ONCE

    def __init__(self, stream: BinaryIO, file: str, size: int = 0):
        self.stream, self.file, self.size = stream, file, size
        self.number = 0
        self.at_hand: list[tuple[int, bytes]] = []
        self.blocks = self.some()

    def share(self) -> float | None:
        """How much of the file was read."""
        return min(self.stream.tell() / self.size, 1.0) if self.size and not self.stream.closed else None

    def close(self) -> None:
        """Lets go of the file."""
        if self.stream is not sys.stdin.buffer:
            self.stream.close()

    def part(self, most: int) -> Texts:
        """The next lines, as many at most; once there are ENOUGH, it is not waited for more."""
        while len(self.at_hand) < min(most, ENOUGH) and (more := next(self.blocks, None)):
            self.at_hand += more
        lines, self.at_hand = self.at_hand[:most], self.at_hand[most:]
        self.number += len(lines)
        return Texts(self.number - len(lines) + 1, lines)

    def some(self) -> Iterator[list[tuple[int, bytes]]]:
        """Some lines together, those that say something, each with its number and without its end."""
        number, rest = 1, b""
        for block in self.read():
            *lines, rest = (rest + block).split(b"\n")
            if found := self.saying(lines, number):
                yield found
            number += len(lines)
            rest = rest[: MAX_BYTES + 2]
        if found := self.saying([rest], number):
            yield found

    def read(self) -> Iterator[bytes]:
        """The file as it comes, without the mark that it may begin with."""
        block = self.stream.read(len(BOM)).removeprefix(BOM)
        while True:
            yield block
            block = self.stream.read1(LARGE)  # type: ignore[attr-defined]
            if not block:
                return

    def saying(self, lines: list[bytes], first: int) -> list[tuple[int, bytes]]:
        """The lines that say something. first: the number of the first of them."""
        return [
            (number, text) for number, line in enumerate(lines, first) if (text := line[: MAX_BYTES + 2].strip(b"\r\n"))
        ]


class JsonLines(Lines):
    """Lines of JSON: each a case, or facts over a shape."""

    def __init__(self, stream: BinaryIO, file: str, size: int = 0):
        super().__init__(stream, file, size)
        self.at_hand = next(self.blocks, [])
        first = self.at_hand[0][1] if self.at_hand else b""
        if first.lstrip()[:10].replace(b" ", b"").startswith(b'{"shape":'):
            self.shape = shape_in(first)
            del self.at_hand[0]

    def saying(self, lines: list[bytes], first: int) -> list[tuple[int, bytes]]:
        """The lines in which anything stands."""
        return [line for line in super().saying(lines, first) if not line[1].isspace()]


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
        self.at_hand = next(self.blocks, [])
        head = self.at_hand.pop(0)[1].decode("utf-8", "replace") if self.at_hand else ""
        self.separator = max(SEPARATORS, key=head.count) if not file.endswith(".tsv") else "\t"
        self.columns = cells(head, self.separator)
        if not self.columns:
            self.close()
            hint = "write the facts that the columns tell in the first line: THING.is.CLASS,THING.PROPERTY"
            raise CaseError(Problem(486, "the table has no headings", Place(file, 1), hint))


def cells(text: str, separator: str) -> tuple[str, ...]:
    """The cells of a line of a table. Raises csv.Error."""
    return tuple(next(csv.reader((text,), delimiter=separator, strict=True), ()))


class Parquet(Source):
    """A Parquet file. Raises CaseError (E481) where no library to read it is installed."""

    most = AT_ONCE

    def __init__(self, stream: BinaryIO, file: str):
        parquet = arrow()
        self.file, self.stream, self.number = file, stream, 0
        try:
            self.table = parquet.ParquetFile(stream)
        except (OSError, ValueError) as e:  # pyarrow's own errors are of these kinds
            stream.close()
            raise CaseError(Problem(486, f"{file} is no Parquet file: {e}", hint="write it anew, or as CSV")) from None
        self.columns = tuple(self.table.schema_arrow.names)
        self.batches = self.table.iter_batches(AT_ONCE) if self.columns else iter(())
        self.at_hand: Any = self.table.schema_arrow.empty_table()

    def part(self, most: int) -> Cells:
        """The next rows, as many at most, and none that were not decoded with the first of them."""
        if not self.at_hand.num_rows:
            self.at_hand = next(self.batches, self.at_hand)
        part = Cells(self.number + 1, self.at_hand.slice(0, most))
        self.at_hand = self.at_hand.slice(most)
        self.number += len(part)
        return part

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

    file = "rows"

    def __init__(self, rows: Iterable[Mapping[str, Any] | str | bytes], first: int = 1):
        self.rows = enumerate(rows, first)

    def part(self, most: int) -> list[Row]:
        """The next rows, as many at most."""
        return [
            Row(number, number, row.encode("utf-8", "surrogatepass") if isinstance(row, str) else row)
            for number, row in islice(self.rows, most)
        ]
