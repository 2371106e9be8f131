"""Where the reader's own rule texts stand: one local folder, which the project never holds.

    <library>/<book>/<chapter>/edition.json        what was imported, and where each section stands in:
    <library>/<book>/<chapter>/sections-….jsonl    one section a line

The folder is LOOPHOLE_LIBRARY, else the user's data folder. kb.texts.library writes into it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
import platformdirs

from kb.errors import Place, Problem, TextError, did_you_mean
from kb.texts.model import Finding, Section

FORMAT = 1
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")
WHOLE = "_whole"  # the folder of a text imported without a chapter


@dataclass(frozen=True, slots=True)
class Entry:
    """One imported text. `imported` is when, in UTC (ISO 8601); `sections` its index, in the order of the text."""

    book: str
    chapter: str
    file: str
    sha256: str
    imported: str
    sections: tuple[IndexRow, ...]
    store: str
    folder: str
    aliases: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    leftovers: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A section in an edition's index: at..at+size are bytes of the sections file; `since` is when it last changed."""

    rule: str
    title: str
    page: str
    sentences: int
    fingerprint: str
    since: str
    at: int
    size: int


def root() -> Path:
    """The library folder; it need not exist yet."""
    return Path(
        os.environ.get("LOOPHOLE_LIBRARY") or Path(platformdirs.user_data_dir("loophole", appauthor=False)) / "library"
    )


def place_of(book: str, chapter: str) -> Path:
    """The folder of one imported text. Raises TextError for names that are no plain names."""
    for what, name in (("book", book), ("chapter", chapter or WHOLE)):
        if name != WHOLE and not NAME.fullmatch(name):
            raise TextError(
                Problem(507, f"“{name}” is no name for a {what}", hint="letters, digits, full stops and hyphens")
            )
    return root() / book / (chapter or WHOLE)


def entry_at(folder: Path) -> Entry | None:
    """The text imported into a folder; None when there is none. Raises TextError when its index is damaged."""
    path = folder / "edition.json"
    try:
        stamp = path.stat()
    except OSError:
        return None
    return read_entry(str(path), stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=64)
def read_entry(path: str, _changed: int, _size: int) -> Entry:
    """The index in a file, kept as long as the file is unchanged (its time and size). Raises TextError (E508, E509)."""
    hint = "remove this text from the library and import it again"
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise TextError(Problem(508, "this was imported by another version", Place(path, 1), hint))
        return msgspec.convert({**data, "folder": str(Path(path).parent)}, Entry)
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise TextError(Problem(509, f"the library's index is damaged: {e}", Place(path, 1), hint)) from None


def listing() -> list[Entry]:
    """Every imported text, by book and chapter."""
    top = root()
    folders = sorted(f.parent for f in top.glob("*/*/edition.json")) if top.is_dir() else []
    return [entry for folder in folders if (entry := entry_at(folder))]


def edition(book: str) -> list[Entry]:
    """The imported texts of one book."""
    return [entry for entry in listing() if entry.book == book]


def remove(book: str, chapter: str | None = None) -> list[str]:
    """Removes one imported text, or a book's (chapter None); returns what went. Raises TextError when none is there."""
    gone = [e for e in edition(book) if chapter is None or e.chapter == chapter]
    if not gone:
        known = [f"{e.book} {e.chapter}".strip() for e in listing()]
        hint = (
            did_you_mean(f"{book} {chapter or ''}".strip(), known)
            or f"the library holds: {', '.join(known) or 'nothing'}"
        )
        raise TextError(
            Problem(510, f"no text of {book} {chapter or ''} is in the library".replace("  ", " "), hint=hint)
        )
    for entry in gone:
        folder = Path(entry.folder)
        (folder / "edition.json").unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        if not any(folder.parent.iterdir()):
            folder.parent.rmdir()
    return [f"{e.book} {e.chapter}".strip() for e in gone]


def sections_of(entry: Entry, rules: set[str] | None = None) -> Iterator[Section]:
    """The sections of an imported text in order; only those of `rules` where given. Raises TextError when damaged."""
    path = Path(entry.folder) / entry.store
    try:
        with path.open("rb") as file:
            for row in entry.sections:
                if rules is None or row.rule in rules:
                    file.seek(row.at)
                    yield msgspec.convert(json.loads(file.read(row.size)), Section)
    except (OSError, ValueError) as e:
        hint = "import the text again"
        raise TextError(Problem(509, f"the library's text is damaged: {e}", Place(str(path), 1), hint)) from None
