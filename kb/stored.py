"""What follows from the files of a book, kept in the user's cache folder until they change: to read and link a book takes ten times as
long as to answer from it.

Only data is kept, never code: records of msgspec, held against a checksum and against their types when they are read. What is garbled,
or belongs to another user, is made anew; where nothing may be kept, or nobody has a home, it is done without.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kb import resources
from kb.errors import LoopholeError
from kb.language import norms as m

MOST = 24  # files that are kept: of some books, installations and versions of Python
ROOMS = ("rulebook", "language", "errata")  # the code by which a book is read and linked
T = TypeVar("T")


class Linked(Struct, frozen=True, array_like=True):
    """A book read, linked and found sound; shapes: the pairs of its norms of which the shape alone tells that one is the narrower."""

    book: m.Book
    shapes: tuple[tuple[str, str], ...]


def kept(name: str, kind: type[T], files: Iterable[Path], make: Callable[[], T]) -> T:
    """What `make` makes from some files, of that kind; as it was kept when they, the code and Python were the same."""
    sources = (*files, *code())
    try:
        folder, mark = resources.cache() / "books", marked(sources)
    except (LoopholeError, OSError):  # who has no home keeps nothing; what cannot be read is told by `make`
        return make()
    path = folder / f"{name}-{hashlib.sha256(str(sources).encode()).hexdigest()[:8]}"
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return read(path, kind, mark)
    made = make()
    with suppress(OSError, ValueError, OverflowError, LoopholeError):  # what cannot be written is not kept
        if marked(sources) == mark:  # else they have changed meanwhile, and it is not known of which it was made
            told = msgspec.msgpack.encode(made, enc_hook=_written)
            resources.write_bytes(path, io.BytesIO(mark + hashlib.sha256(told).digest() + told))
            for old in sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime)[:-MOST]:
                old.unlink()
    return made


def read(path: Path, kind: type[T], mark: bytes) -> T:
    """What was kept under a mark. Raises OSError, ValueError or msgspec's own where it is not there, not whole, of others or not ours."""
    with path.open("rb") as stream:
        if hasattr(os, "getuid") and os.fstat(stream.fileno()).st_uid != os.getuid():
            raise ValueError("somebody else wrote it")
        told = stream.read()
    if told[:32] != mark or told[32:64] != hashlib.sha256(told[64:]).digest():
        raise ValueError("it was made from other files, or is garbled")
    found = msgspec.msgpack.decode(told[64:], type=kind, dec_hook=_number)
    return with_numbers(found) if isinstance(found, Linked) else found  # type: ignore[return-value]


def marked(sources: Iterable[Path]) -> bytes:
    """The SHA-256 of what stands in some files, and of what reads them."""
    digest = hashlib.sha256(f"{sys.version} {msgspec.__version__}".encode())
    for path in sources:
        with suppress(FileNotFoundError):
            digest.update(f"\0{path}\0".encode("utf-8", "surrogateescape") + path.read_bytes())
    return digest.digest()


@cache
def code() -> tuple[Path, ...]:
    """The files of the code that reads and links a book; those of a process stay."""
    rooms = [path for room in ROOMS for path in sorted((resources.PACKAGE / room).glob("*.py"))]
    return (*sorted(resources.PACKAGE.glob("*.py")), *rooms)


# ── numbers: exact, and for msgspec a list of one text ──


def _written(number: object) -> Any:
    if not isinstance(number, Fraction):
        raise NotImplementedError(f"a {type(number).__name__} is not kept")
    return [str(number)]


def _number(_: type, written: list[str]) -> Fraction:
    return Fraction(written[0])


def with_numbers(found: Linked) -> Linked:
    """The same with the numbers of its tables, whose cells may be text, put back."""
    chapters = tuple(replace(c, tables=tuple(map(_filled, c.tables))) for c in found.book.chapters)
    return replace(found, book=replace(found.book, chapters=chapters))


def _filled(table: m.Table) -> m.Table:
    rows: Any = table.rows
    return replace(table, rows=tuple(tuple(Fraction(c[0]) if isinstance(c, list) else c for c in row) for row in rows))
