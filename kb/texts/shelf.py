"""Where the reader's own rule texts stand: one local folder, which the project never holds.

    <library>/<book>/<chapter>/edition.json        what was imported, and where each section stands in:
    <library>/<book>/<chapter>/sections-….jsonl    one section a line

The folder is LOOPHOLE_LIBRARY, else the user's data folder. kb.texts.library writes into it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from kb import resources
from kb.errors import Place, Problem, TextError, did_you_mean
from kb.texts.model import Finding, Section, sentence_hash

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
    told = os.environ.get("LOOPHOLE_LIBRARY")
    return Path(told) if told else resources.user_folder("data") / "library"


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
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise TextError(
                Problem(508, "this was imported by another version", Place(path, 1), mend(Path(path).parent))
            )
        mark = data.pop("checksum", None)
        if mark is not None and mark != checksum(data):
            raise ValueError("it is not as it was written")
        return msgspec.convert({**data, "folder": str(Path(path).parent)}, Entry)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        raise damage("index", e, Path(path)) from None


def checksum(data: Mapping[str, Any]) -> str:
    """The SHA-256 of what an index says."""
    return hashlib.sha256(
        json.dumps(data, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()


def name_of(sections: bytes) -> str:
    """The name of a file of sections: it has the beginning of their SHA-256."""
    return f"sections-{hashlib.sha256(sections).hexdigest()[:16]}.jsonl"


def damage(what: str, why: Exception, path: Path) -> TextError:
    """The problem (E509) of a file of the library that is not as it was written."""
    return TextError(Problem(509, f"the library's {what} is damaged: {why}", Place(str(path), 1), mend(path.parent)))


def mend(folder: Path) -> str:
    """What to do where an imported text is damaged."""
    book, chapter = names(folder)
    which = f"{book} {chapter}".strip()
    option = f" --chapter {chapter}" if chapter else ""
    return (
        f"import it again (loophole import FILE --book {book}{option}), or let it go (loophole library remove {which})"
    )


def names(folder: Path) -> tuple[str, str]:
    """The book and the chapter of an imported text's folder."""
    return folder.parent.name, "" if folder.name == WHOLE else folder.name


def folders(book: str = "") -> list[Path]:
    """The folder of every imported text, readable or not; of one book, where one is named."""
    top = root()
    found = (
        {f.parent for kind in ("edition.json", "sections-*.jsonl") for f in top.glob(f"{book or '*'}/*/{kind}")}
        if top.is_dir()
        else set()
    )
    return sorted(found)


def listing(book: str = "") -> list[Entry]:
    """Every imported text, by book and chapter. Raises TextError with every index that is damaged (E508, E509)."""
    found, faults = told(book)
    if faults:
        raise TextError(faults)
    return found


def told(book: str = "") -> tuple[list[Entry], list[Problem]]:
    """The imported texts whose index can be read, and the problems of the others."""
    found, faults = list[Entry](), list[Problem]()
    for folder in folders(book):
        try:
            if entry := entry_at(folder):
                found.append(entry)
        except TextError as e:
            faults += e.problems
    return found, faults


def state() -> tuple[tuple[str, str, str], ...]:
    """What tells the library as it stands from any other: each text's folder, when it was imported and its SHA-256.

    Raises TextError with every index that is damaged.
    """
    return tuple((entry.folder, entry.imported, entry.sha256) for entry in listing())


def damaged(book: str = "") -> list[Problem]:
    """Every fault of the library, or of a book's part of it: each index and each text is held against its checksums."""
    found, faults = told(book)
    for entry in found:
        try:
            for _ in sections_of(entry):
                pass
            path = Path(entry.folder) / entry.store
            if entry.store != name_of(path.read_bytes()):
                raise damage("text", ValueError("it is not as it was imported"), path)
        except OSError as e:
            faults += damage("text", e, Path(entry.folder) / entry.store).problems
        except TextError as e:
            faults += e.problems
    return faults


def edition(book: str) -> list[Entry]:
    """The imported texts of one book. Raises TextError with every index of it that is damaged."""
    return listing(book)


def remove(book: str, chapter: str | None = None) -> list[str]:
    """Removes one imported text, or a book's (chapter None), damaged ones too; returns what went. Raises TextError when none is there."""
    gone = [f for f in folders(book) if chapter is None or names(f)[1] == chapter]
    if not gone:
        known = [" ".join(names(f)).strip() for f in folders()]
        hint = (
            did_you_mean(f"{book} {chapter or ''}".strip(), known)
            or f"the library holds: {', '.join(known) or 'nothing'}"
        )
        raise TextError(
            Problem(510, f"no text of {book} {chapter or ''} is in the library".replace("  ", " "), hint=hint)
        )
    for folder in gone:
        (folder / "edition.json").unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        if not any(folder.parent.iterdir()):
            folder.parent.rmdir()
    return [" ".join(names(folder)).strip() for folder in gone]


def sections_of(entry: Entry, rules: set[str] | None = None) -> Iterator[Section]:
    """The sections of an imported text in order; only those of `rules` where given. Raises TextError where one is not as it was
    imported (E509)."""
    path = Path(entry.folder) / entry.store
    try:
        with path.open("rb") as file:
            for row in entry.sections:
                if rules is None or row.rule in rules:
                    file.seek(row.at)
                    section = msgspec.convert(json.loads(file.read(row.size)), Section)
                    if section.fingerprint != row.fingerprint or any(
                        sentence_hash(s.text) != s.hash for s in section.sentences
                    ):
                        raise ValueError(f"{row.rule or 'what stands before the first rule'} is not as it was imported")
                    yield section
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as e:
        raise damage("text", e, path) from None
