"""The reader's own rule texts imported into the library, and read out of it; kb.texts.shelf says where it stands.

Every write is atomic: a new sections file is written first, then edition.json is replaced, then the old file goes. Bad
input changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from msgspec import to_builtins

from kb.errors import Place, Problem, TextError
from kb.language import rule_number
from kb.resources import unwritten, write, write_bytes
from kb.texts import decode, reader, references
from kb.texts.model import DANGLING, Finding, Section, Sentence
from kb.texts.shelf import (
    FORMAT,
    Entry,
    IndexRow,
    checksum,
    edition,
    entry_at,
    listing,
    name_of,
    place_of,
    remove,
    root,
    sections_of,
)

__all__ = [
    "Entry", "ImportReport", "Quote", "chapter_of", "edition", "import_text", "listing", "loaded", "place_of", "remove", "root", "rules_in",
    "section", "sections", "sections_of", "sentences_for", "summary",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import found and what it changed. Rule ids in the order of the text; counts by kind."""

    book: str
    chapter: str
    file: str
    sections: int
    sentences: int
    examples: int
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    exceptions: dict[str, int]
    references: dict[str, int]
    dangling: tuple[str, ...]
    leftovers: dict[str, int]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """One of the reader's own sentences."""

    book: str
    chapter: str
    rule: str
    number: int
    text: str
    hash: str
    page: str = ""
    example: bool = False


def import_text(
    path: Path | str,
    book: str,
    chapter: str = "",
    *,
    aliases: tuple[str, ...] = (),
    progress: decode.Progress | None = None,
) -> ImportReport:
    """Reads a text, Markdown or PDF file and keeps it. Importing again changes only the sections that changed.

    `chapter` names the chapter ("B30", "B", "20") and so the letters its rule numbers begin with; `aliases` are other
    letters for the same chapter ("T6"). Raises TextError, with the library as it was, when nothing can be read.
    """
    folder = place_of(book, chapter)
    source = decode.load(Path(path), progress)
    try:
        return written(path, source, folder, book, chapter, aliases, progress)
    except OSError as e:
        raise unwritten(folder, e) from None


def written(
    path: Path | str,
    source: decode.Source,
    folder: Path,
    book: str,
    chapter: str,
    aliases: tuple[str, ...],
    progress: decode.Progress | None,
) -> ImportReport:
    """Keeps a text that has been read. Raises TextError, LoopholeError (E717) and OSError."""
    with tempfile.TemporaryFile() as lines:
        kept = Keeper(lines, standing(folder))
        scanned = reader.scan(source, chapter, kept.section, aliases, progress)
        if not kept.headings:
            hint = "sections begin with a number (30.42 …) or a Markdown heading (### Title); a PDF may have lost them"
            raise TextError(Problem(506, "no section was found in it", Place(str(path), 1), hint))
        report = kept.report(book, chapter, source, scanned)
        name = f"sections-{kept.digest.hexdigest()[:16]}.jsonl"
        if kept.old and kept.old.store == name and kept.old.sha256 == source.sha256 and not damaged_at(kept.old):
            return report
        lines.seek(0)
        write_bytes(folder / name, lines)
    entry = Entry(
        book, chapter, Path(source.name).name, source.sha256, kept.now, tuple(kept.rows), name, "", aliases,
        scanned.findings, report.leftovers,
    )  # fmt: skip
    told = {"format": FORMAT, **to_builtins(entry)}
    told["checksum"] = checksum(json.loads(json.dumps(told)))
    write(folder / "edition.json", json.dumps(told, ensure_ascii=False))
    for other in folder.glob("sections-*.jsonl"):
        if other.name != name:
            other.unlink(missing_ok=True)
    return report


def standing(folder: Path) -> Entry | None:
    """The text that an import takes the place of; None where there is none that can be read: a damaged one is mended by importing again."""
    try:
        return entry_at(folder)
    except TextError:
        return None


def damaged_at(entry: Entry) -> bool:
    """Whether the text of an entry is not as it was imported."""
    try:
        return entry.store != name_of((Path(entry.folder) / entry.store).read_bytes())
    except OSError:
        return True


def rules_in(path: Path | str, chapter: str = "", aliases: tuple[str, ...] = ()) -> list[str]:
    """The ids of the rules in a text, in its order, without keeping it. Raises TextError when nothing can be read."""
    found: list[str] = []
    reader.scan(decode.load(Path(path)), chapter, lambda section: found.append(section.rule), aliases)
    return found


def chapter_of(path: Path | str, chapters: Mapping[str, Iterable[str]]) -> str:
    """Which of some chapters, each with the ids of its rules, a text has under numbers without their letters: the one that most of
    its numbers are of; "" where at most half are of any. Raises TextError when nothing can be read."""
    bare = {rule_number.folded(rule) for rule in rules_in(path) if rule[:1].isdigit()}
    found = {}
    for name, rules in chapters.items():
        if letters := reader.prefix_of(name):
            ours = {rule_number.folded(rule) for rule in rules}
            found[name] = sum(rule_number.folded(letters + number) in ours for number in bare)
    best = max(found, key=lambda name: found[name], default="")
    return best if best and found[best] >= max(2, len(bare) / 2) else ""


class Keeper:
    """Takes the sections of a text as they are read, writes each as a line, and counts what is in them."""

    def __init__(self, out: IO[bytes], old: Entry | None):
        self.out, self.old = out, old
        self.before = {row.rule: row for row in old.sections} if old else {}
        self.now = datetime.now(UTC).isoformat(timespec="seconds")
        self.rows: list[IndexRow] = []
        self.at = self.headings = self.examples = 0
        self.digest = hashlib.sha256()
        self.claims = reader.Claims()
        self.exceptions: Counter[str] = Counter()
        self.references: list[tuple[str, str, str, str, str]] = []

    def section(self, s: Section) -> None:
        """Writes a section, and remembers where it stands and what it refers to."""
        line = json.dumps(to_builtins(s), ensure_ascii=False, separators=(",", ":")) + "\n"
        data = line.encode("utf-8", "surrogatepass")
        mark = s.fingerprint
        same = self.before.get(s.rule)
        since = same.since if same and same.fingerprint == mark else self.now
        self.rows.append(IndexRow(s.rule, s.title, s.page, len(s.sentences), mark, since, self.at, len(data)))
        self.out.write(data)
        self.digest.update(data)
        self.at += len(data)
        self.headings += bool(s.heading)
        self.claims.add(s)
        for x in s.sentences:
            self.examples += x.example
            self.exceptions.update(e.kind for e in x.exceptions)
            self.references += [(s.rule, r.text, r.rule, r.to, r.status) for r in x.references]

    def report(self, book: str, chapter: str, source: decode.Source, scanned: reader.Scan) -> ImportReport:
        """What was imported, with the references that lead nowhere."""
        own = references.Loaded.of_rules(row.rule for row in self.rows)
        status = [known or own.status(rule, to) for _, _, rule, to, known in self.references]
        dangling = [f"{r[0]}: {r[1]}" for r, s in zip(self.references, status, strict=True) if s == DANGLING]
        leftovers = Counter(x.kind for x in scanned.leftovers)
        leftovers.update(x.kind for x in self.claims.gaps(source.text, scanned.leftovers))
        marks, before = {r.rule: r.fingerprint for r in self.rows}, self.before
        return ImportReport(
            book=book,
            chapter=chapter,
            file=source.name,
            sections=len(self.rows),
            sentences=sum(r.sentences for r in self.rows),
            examples=self.examples,
            added=tuple(r for r in marks if r not in before),
            changed=tuple(r for r, mark in marks.items() if r in before and before[r].fingerprint != mark),
            removed=tuple(r for r in before if r not in marks),
            unchanged=sum(r in before and before[r].fingerprint == mark for r, mark in marks.items()),
            exceptions=dict(self.exceptions),
            references=dict(Counter(status)),
            dangling=tuple(dangling),
            leftovers=dict(leftovers),
            findings=scanned.findings,
        )


def loaded(book: str) -> references.Loaded:
    """The rules of all imported texts of a book, to resolve references in."""
    return references.Loaded.of_rules(row.rule for entry in edition(book) for row in entry.sections)


def sections(book: str, chapter: str | None = None) -> list[Section]:
    """All imported sections of a book (or of one chapter), references resolved across its texts."""
    entries = [e for e in edition(book) if chapter is None or e.chapter == chapter]
    return references.resolve((s for e in entries for s in sections_of(e)), loaded(book))


def section(book: str, rule: str) -> Section | None:
    """One imported section, by its rule id (named rules in any spelling); None when it is not in the library."""
    return next((references.resolve([found], loaded(book))[0] for _, found in named(book, rule)), None)


def named(book: str, rule: str) -> Iterator[tuple[Entry, Section]]:
    """The imported sections with a rule id, each with its text."""
    wanted = folded(rule)
    for entry in edition(book):
        if rules := {row.rule for row in entry.sections if folded(row.rule) == wanted and row.rule}:
            yield from ((entry, found) for found in sections_of(entry, rules))


def sentences_for(book: str, rule: str, number: int | None = None) -> list[Quote]:
    """The reader's own sentences of a rule, with hash and page; only the one of that number where given."""
    return [
        quote(entry, found, s)
        for entry, found in named(book, rule)
        for s in found.sentences
        if number is None or s.number == number
    ]


def quote(entry: Entry, section: Section, s: Sentence) -> Quote:
    """A sentence as it is quoted."""
    return Quote(entry.book, entry.chapter, section.rule, s.number, s.text, s.hash, s.page or section.page, s.example)


def folded(rule: str) -> str:
    """A rule id as compared: named rules without case and punctuation, numbers as they stand."""
    head, dot, tail = rule.rpartition(".")
    if re.search(r"\d", head) or not dot:
        return rule.casefold()
    return "".join(c for c in head.casefold() if c.isalnum()) + "." + tail


def summary(entry: Entry) -> dict[str, Any]:
    """One line of a listing, as JSON."""
    return {
        "book": entry.book,
        "chapter": entry.chapter,
        "file": entry.file,
        "imported": entry.imported,
        "sections": len(entry.sections),
        "sentences": sum(row.sentences for row in entry.sections),
    }
