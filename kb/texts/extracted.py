"""Data that owners of an electronic rulebook extract from it with the open tools for that, read into the library.

A folder holds any of: `*.index` (the book's index: a glossary with rule ids), `*.targets` (captions and pages by rule),
`*.chapters`, `*.footnotes`, `*.vo-notes`, `q+a/*.json` with `sources.json` and `fixups.json`, `errata/*.json`,
`annotations.json`, `asop/index.json`, `config/search-*.json`. docs/importing.md describes each.

Nothing is believed unseen: every question, erratum and annotation is *unreviewed* until a person has looked at it.
All files are checked before anything is kept; one malformed file and nothing changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec

from kb import resources
from kb.errors import Place, Problem, TextError
from kb.texts import references, shelf
from kb.texts.decode import Progress
from kb.texts.extracted_files import (
    UNREAD,
    Reader,
    chapters,
    footnotes,
    glossary,
    pairs,
    questions,
    raw,
    remarks,
    synonyms,
    targets,
)
from kb.texts.extracted_model import Data, Question as Question

FORMAT = 1


@dataclass(frozen=True, slots=True)
class DataReport:
    """What an import found; `changed` is false when the library held it all. `unplaced`: ids of no known form.

    `added`, `altered`, `removed`: the rules of which the data say something for the first time, something else than
    before, or nothing any more.
    """

    book: str
    files: tuple[str, ...]
    counts: dict[str, int]
    changed: bool
    unplaced: tuple[str, ...]
    skipped: tuple[str, ...]
    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


# ── folder in, data out ─────────────────────────────────────────────────────────────────────────────────


def read(
    folder: Path, book: str, aliases: Mapping[str, str] | None = None, progress: Progress | None = None
) -> tuple[Data, Reader, list[Path], list[Path]]:
    """Reads every file of a known kind. Raises TextError, naming each fault, when one is malformed or none is there."""
    place = Place(str(folder), 1)
    if not folder.is_dir():
        raise TextError(
            Problem(541, f"{folder} is no folder", place, "give the folder with the extracted .index, .targets, q+a/ …")
        )
    r = Reader(folder, aliases or {})
    files = sorted(p for p in folder.rglob("*") if p.is_file() and len(p.relative_to(folder).parts) <= 3)
    sources: dict[str, str] = {}
    fixups: dict[str, str] = {}
    for path in files:
        if path.parent.name == "q+a" and path.name == "sources.json" and (value := r.load(path)) is not UNREAD:
            sources = pairs(r, value)
        elif path.parent.name == "q+a" and path.name == "fixups.json" and (value := r.load(path)) is not UNREAD:
            fixups = pairs(r, value.get("replace", {})) if isinstance(value, dict) else pairs(r, value)
    parts: dict[str, Any] = {
        f.name: {} if f.name in ("synonyms", "notes") else [] for f in fields(Data) if f.name != "book"
    }
    used: list[Path] = []
    skipped: list[Path] = []
    for n, path in enumerate(files, 1):
        name, parse = parser_of(path, sources, fixups)
        if name == "":
            skipped.append(path)
            continue
        used.append(path)
        if parse is not None and (value := r.load(path)) is not UNREAD:
            found = parse(r, value)
            if isinstance(found, dict):
                parts[name].update(found)
            else:
                parts[name] += found
        if progress:
            progress("files", n, len(files))
    if not used:
        raise TextError(
            Problem(
                542,
                "no file of a known kind is in this folder",
                place,
                "expected: *.index, *.targets, q+a/*.json, errata/*.json …",
            )
        )
    if r.problems:
        raise TextError(r.problems)
    made: dict[str, Any] = {k: v if isinstance(v, dict) else tuple(v) for k, v in parts.items()}
    return Data(book, **made), r, used, skipped


def parser_of(
    path: Path, sources: Mapping[str, str], fixups: Mapping[str, str]
) -> tuple[str, Callable[[Reader, Any], Any] | None]:
    """(which part of Data a file belongs to, how to read it); ("", None) for files of no known kind."""
    suffixes: dict[str, tuple[str, Callable[[Reader, Any], Any]]] = {
        ".index": ("glossary", glossary),
        ".targets": ("targets", targets),
        ".chapters": ("chapters", chapters),
        ".footnotes": ("footnotes", footnotes),
        ".vo-notes": (
            "notes",
            lambda r, v: raw(r, v, path.stem),
        ),
    }
    if path.suffix in suffixes:
        return suffixes[path.suffix]
    if path.suffix != ".json":
        return "", None
    folder = path.parent.name
    if folder == "q+a":
        return "questions", None if path.name in ("sources.json", "fixups.json") else lambda r, v: questions(
            r, v, sources, fixups
        )
    if folder == "errata":
        return "errata", remarks
    if path.name == "annotations.json":
        return "annotations", remarks
    if folder == "asop" and path.name == "index.json":
        return (
            "notes",
            lambda r, v: raw(r, v, "sequence of play"),
        )
    if path.name.startswith("search-"):
        return "synonyms", synonyms
    return "", None


def store_of(book: str) -> Path:
    """The file of a book's imported data."""
    return shelf.place_of(book, "data").parent / "_data" / "data.json"


def import_folder(
    folder: Path | str, book: str, aliases: Mapping[str, str] | None = None, progress: Progress | None = None
) -> DataReport:
    """Reads a folder of extracted data into the library. `aliases`: our rule ids' beginnings by theirs.

    Raises TextError, with the library as it was, when a file is malformed.
    """
    path = store_of(book)
    found, r, used, skipped = read(Path(folder), book, aliases, progress)
    try:
        before = said_of(data(book))
    except TextError:  # what is damaged is mended by importing again
        before = {}
    now = said_of(found)
    content = json.dumps({"format": FORMAT, **msgspec.to_builtins(found)}, ensure_ascii=False, sort_keys=True)
    changed = not path.is_file() or path.read_bytes() != content.encode("utf-8", "surrogatepass")
    if changed:
        resources.write(path, content)
    names = [tuple(str(p.relative_to(folder)) for p in found) for found in (used, skipped)]
    return DataReport(
        book,
        names[0],
        found.counts(),
        changed,
        tuple(r.unplaced),
        names[1],
        added=tuple(rule for rule in now if rule not in before),
        altered=tuple(rule for rule in now if rule in before and now[rule] != before[rule]),
        removed=tuple(rule for rule in before if rule not in now),
    )


def said_of(found: Data | None) -> dict[str, list[Any]]:
    """Everything that the data say, by the rule it is said of."""
    out: dict[str, list[Any]] = {}
    for kind, row, rules in rows_of(found):
        for rule in dict.fromkeys(rules):
            out.setdefault(rule, []).append((kind, row))
    return out


def rows_of(found: Data | None) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """(kind, record, the rules that it is of), for each record that is of a rule."""
    if found is None:
        return
    for g in found.glossary:
        yield "glossary", g, (*g.rules, *(rule for _, rules in g.pointers for rule in rules))
    for q in found.questions:
        yield "questions", q, q.rules
    for e in found.errata:
        yield "errata", e, (e.rule,)
    for a in found.annotations:
        yield "annotations", a, (a.rule,)
    for t in found.targets:
        yield "targets", t, (t.rule,)


def books() -> list[str]:
    """The books of which the library has extracted data."""
    top = shelf.root()
    return sorted(p.parent.parent.name for p in top.glob("*/_data/data.json")) if top.is_dir() else []


def data(book: str) -> Data | None:
    """The imported data of a book; None when there is none. Raises TextError when it is damaged."""
    path = store_of(book)
    if not path.is_file():
        return None
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["format"] != FORMAT:
            raise ValueError("it was imported by another version")
        return msgspec.convert(raw, Data)
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise TextError(
            Problem(543, f"the library's data are damaged: {e}", Place(str(path), 1), "import the folder again")
        ) from None


def for_rule(book: str, rule: str) -> dict[str, list[Any]]:
    """What the imported data say of one rule, by kind: glossary, questions, errata, annotations, targets."""
    out: dict[str, list[Any]] = {k: [] for k in ("glossary", "questions", "errata", "annotations", "targets")}
    for kind, row, rules in rows_of(data(book)):
        if any(covers(one, rule) for one in rules):
            out[kind].append(row)
    return out


def covers(one: str, rule: str) -> bool:
    """Whether a rule id of the data names a rule: itself, or the first and last of a range that it stands in."""
    first, dash, last = one.partition("-")
    if not dash:
        return one == rule
    return references.major(first) == references.major(rule) and (
        references.key(first) <= references.key(rule) <= references.key(last)
    )


def remove(book: str) -> bool:
    """Removes the imported data of a book; False when there were none."""
    path = store_of(book)
    if not path.is_file():
        return False
    path.unlink()
    for folder in (path.parent, path.parent.parent):
        if not any(folder.iterdir()):
            folder.rmdir()
    return True
