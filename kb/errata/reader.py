"""Reads a book's records of errata and rulings: literate Markdown in, a Ledger out. docs/errata.md describes the format.

Only the file is looked at here; kb.errata.checks holds the records against the rulebook. Many problems are reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kb import resources
from kb.errata.front_matter import BROKEN, DO_RECORD, FrontReader
from kb.errors import Place, RulebookError, did_you_mean
from kb.language import norms as m
from kb.markdown import Fence, Heading, Rows, blocks
from kb.rulebook import records as e
from kb.rulebook.chapter_reader import SectionReader
from kb.yaml_document import Source, listed

PART = re.compile(r"(before|after)\s+(\S+)\s*(.*)")
CASE_LINE = re.compile(r"^>\s*case:\s*(.+)$")
HASH = re.compile(r"[0-9a-f]{64}")
KEYS = (
    "kind", "authority", "source", "status", "operation", "published", "effective", "adopted", "editions", "incorporated",
    "scope", "anchors", "adds", "removes", "renumber", "references", "supersedes", "conflicts", "entered", "checked",
    "question", "answer",
)  # fmt: skip
NEEDED = ("kind", "authority", "source", "status", "operation", "entered", "checked")
ANCHOR = ("rule", "sentence", "old", "new")
SIDES = ("before", "after", "expect")


def file(path: Path, shipped: Callable[[str], e.Ledger] | None = None) -> e.Ledger:
    """Reads one file of records. Raises RulebookError with every problem found.

    shipped: the ledger of a book, from which a draft takes the editions that it does not list itself.
    """
    return text_of(resources.read_text(path, 900, RulebookError), str(path), shipped)


def text_of(text: str, name: str, shipped: Callable[[str], e.Ledger] | None = None) -> e.Ledger:
    """Reads the text of a file of records; `name` stands in the places of problems."""
    return LedgerReader(name, text, shipped).read()


@dataclass
class Entry:
    """A record while it is being read."""

    id: str
    title: str
    place: Place
    meta: dict[str, Any] | None = None
    broken: bool = False
    source: Source = field(default_factory=Source)
    note: list[str] = field(default_factory=list)
    parts: list[tuple[str, str, SectionReader]] = field(default_factory=list)
    trials: list[e.Trial] = field(default_factory=list)


class LedgerReader(FrontReader):
    """One pass over the lines; the parts of a change are read as sections of a chapter are."""

    def read(self) -> e.Ledger:
        """The records of the file. Raises RulebookError with all its faults."""
        front, start, source = self.front()
        self.chapter.book = str(front.get("book", ""))
        editions = self.editions(front.get("editions"), source)
        entries = self.body(start)
        base = str(front.get("base", ""))
        if self.shipped is not None and not editions:
            beside = self.shipped(self.chapter.book)
            editions, base = list(beside.editions), beside.base
        if editions and base and base not in {row.id for row in editions}:
            hint = did_you_mean(base, [row.id for row in editions]) or f"one of {', '.join(r.id for r in editions)}"
            self.problem(903, f"the base “{base}” is no edition of this file", source.place("base"), hint)
        records = [self.record(entry, editions) for entry in entries]
        if self.chapter.problems:
            raise RulebookError(sorted(self.chapter.problems, key=lambda p: p.place.line))
        found = tuple(replace(r, book=self.chapter.book) for r in records if r is not None)
        return e.Ledger(self.chapter.book, str(front.get("title", "")), base, tuple(editions), found, self.chapter.file)

    # ── records ──

    def body(self, start: int) -> list[Entry]:
        """The entries behind the front matter, with their parts, norms and cases."""
        entries: list[Entry] = []
        now: Entry | None = None
        for block in blocks(self.lines, start):
            if isinstance(block, Heading):
                part = PART.fullmatch(block.title) if block.level == 3 else None
                if part and now is not None:
                    self.chapter.heading = f"{now.id}, {part[1]} {part[2]}"
                    now.parts.append(
                        (part[1], part[2], SectionReader(self.chapter, part[2], part[3], block.line, part=True))
                    )
                    continue
                now = self.entry(block, entries)
                entries += [now] if now else []
            elif isinstance(block, Fence):
                if not block.closed:
                    place = self.at(block.line)
                    self.problem(910, f"this {block.kind} block is never closed", place, "end it with ```")
                self.block(block.kind, now, block.start, block.end)
            elif now is None:
                continue  # words between the records are for readers
            elif isinstance(block, Rows):
                self.block("table", now, block.line, block.line)
            elif match := CASE_LINE.match(block.text):
                self.filed(now, [f.strip() for f in match[1].split(",")], block.line)
            elif now.parts:
                reader = now.parts[-1][2]
                (reader.remark if block.text.startswith(">") else reader.sentence)(block.text, block.line)
            else:
                now.note.append(block.text)
        return entries

    def entry(self, block: Heading, before: list[Entry]) -> Entry | None:
        """The record that a heading begins; None where it begins none."""
        if block.level != 2 or not block.anchor:
            if block.level > 1:
                place = self.at(block.line)
                self.problem(909, "a record's heading has its id in braces", place, "## ID Title {#ID}")
            return None
        self.chapter.heading = block.title
        place = self.at(block.line)
        if any(entry.id == block.anchor for entry in before):
            self.problem(908, f"record {block.anchor} stands twice", place, "give each record its own id")
        return Entry(block.anchor, block.title.removeprefix(block.anchor).strip(), place)

    def block(self, kind: str, now: Entry | None, start: int, end: int) -> None:
        """Takes a fenced block: the fields of a record, norms, or a case."""
        if now is None:
            self.problem(
                911, f"this {kind} block stands under no record", self.at(start), "begin one: ## ID Title {#ID}"
            )
        elif kind == "record":
            if now.meta is not None:
                self.problem(912, f"{now.id} has a second record block", self.at(start), "keep one")
                return
            found, now.source = self.yaml(start, end)
            now.meta = {} if found is BROKEN else dict(found)
            now.broken = found is BROKEN
        elif kind == "norms":
            if not now.parts:
                self.problem(913, "norms stand under ### before RULE or ### after RULE", self.at(start), DO_RECORD)
            else:
                reader = now.parts[-1][2]
                reader.block(start, end)
        elif kind == "case":
            data, _ = self.yaml(start, end)
            if data is not BROKEN:
                now.trials.append(self.trial(dict(data), self.at(start + 1)))
        else:
            hint = did_you_mean(kind, ("record", "norms", "case")) or "record, norms or case"
            self.problem(914, f"a block is no “{kind}”", self.at(start), hint)

    def trial(self, data: dict[str, Any], place: Place, file: str = "") -> e.Trial:
        """A case with what is expected of it before and after the change, or (expect) of a ruling."""
        expects = {}
        for side in SIDES:
            if side in data:
                given = data.pop(side)
                if not isinstance(given, Mapping):
                    self.problem(
                        915, f"“{side}” of a case is a mapping such as {{verdict: permitted}}", place, DO_RECORD
                    )
                    given = {}
                expects["" if side == "expect" else side] = given
        if not expects:
            self.problem(916, "this case says neither before, after nor expect", place, "add before: and after:")
        data.setdefault("book", self.chapter.book)
        return e.Trial(data, expects, place, file)

    def filed(self, now: Entry, names: Iterable[str], number: int) -> None:
        """Adds the cases of an entry that stand in files of their own."""
        now.trials += [e.Trial({}, {}, self.at(number), name) for name in names if name]

    # ── one record ──

    def record(self, entry: Entry, editions: list[e.Edition]) -> e.Record | None:
        """The record that an entry makes; None, with faults, where it makes none."""
        self.chapter.heading = entry.id
        if entry.meta is None:
            self.problem(917, f"{entry.id} has no record block", entry.place, "```record, its fields, ```")
            return None
        meta, source = entry.meta, entry.source
        for key in meta:
            if key not in KEYS:
                hint = did_you_mean(str(key), KEYS, "fields:")
                self.problem(918, f"unknown field “{key}”", source.place(key), hint)
        for key in NEEDED:
            if not meta.get(key) and not entry.broken:
                self.problem(919, f"{entry.id} lacks “{key}”", entry.place, f"every record has {', '.join(NEEDED)}")
        for key, known in (
            ("kind", e.KINDS), ("authority", e.AUTHORITIES), ("status", e.STATUSES), ("operation", e.OPERATIONS)
        ):  # fmt: skip
            if meta.get(key) and str(meta[key]) not in known:
                hint = did_you_mean(str(meta[key]), known, "one of")
                self.problem(920, f"“{meta[key]}” is no {key} of a record", source.place(key), hint)
        first, last = self.range(entry, meta.get("editions"), editions)
        ids = [row.id for row in editions]
        incorporated = str(meta.get("incorporated") or "")
        if ids and incorporated and incorporated != e.UNDETERMINED and incorporated not in ids:
            hint = did_you_mean(incorporated, ids, "editions:")
            self.problem(921, f"no edition is called “{incorporated}”", source.place("incorporated"), hint)
        text: Callable[[str], str] = lambda key: str(meta.get(key) or "")  # noqa: E731
        dates = {k: self.date(meta.get(k), source.place(k)) for k in ("published", "effective", "adopted")}
        return e.Record(
            id=entry.id, title=entry.title, kind=text("kind"), authority=text("authority"), source=text("source"),
            status=text("status"), operation=text("operation"), first=first, last=last, incorporated=incorporated,
            scope=text("scope"), anchors=self.anchors(entry), adds=listed(meta.get("adds")),
            removes=listed(meta.get("removes")), renumber=self.pairs(entry, "renumber"),
            references=self.pairs(entry, "references"), supersedes=listed(meta.get("supersedes")),
            conflicts=listed(meta.get("conflicts")), entered=text("entered"), checked=text("checked"),
            question=text("question"), answer=text("answer"), note="\n".join(entry.note),
            parts=tuple(self.part(*p) for p in entry.parts), trials=tuple(entry.trials), place=entry.place, **dates,
        )  # fmt: skip

    def range(self, entry: Entry, given: Any, editions: list[e.Edition]) -> tuple[str, str]:
        """The first and the last edition in which a record is in force."""
        place, ids = entry.source.place("editions"), [row.id for row in editions]
        if given in (None, e.UNDETERMINED):
            return e.UNDETERMINED, ""
        if not isinstance(given, Mapping) or set(given) - {"from", "to"} or "from" not in given:
            self.problem(922, "“editions” is {from: EDITION} or {from: EDITION, to: EDITION}", place, DO_RECORD)
            return e.UNDETERMINED, ""
        first, last = str(given["from"]), str(given.get("to") or "")
        for name in filter(None, (first, last)):
            if ids and name not in ids and name != e.UNDETERMINED:
                hint = did_you_mean(name, ids, "editions:")
                self.problem(921, f"no edition is called “{name}”", place, hint)
        if first in ids and last in ids and ids.index(first) > ids.index(last):
            self.problem(923, f"the range begins with {first}, which comes after {last}", place, "put the older first")
        return first, last

    def anchors(self, entry: Entry) -> tuple[e.Anchor, ...]:
        """Where a record is anchored: rules, sentences, hashes of the book's own words."""
        assert entry.meta is not None
        given, out = entry.meta.get("anchors") or [], []
        if not isinstance(given, list) or not all(isinstance(row, Mapping) and "rule" in row for row in given):
            hint = "- {rule: RULE, sentence: 1, old: SHA-256}"
            self.problem(924, "“anchors” is a list of mappings with a rule", entry.source.place("anchors"), hint)
            return ()
        for i, row in enumerate(given):
            place = entry.source.place("anchors", i)
            for key in row:
                if key not in ANCHOR:
                    self.problem(
                        924, f"unknown key “{key}” of an anchor", place, did_you_mean(str(key), ANCHOR, "keys:")
                    )
            for key in ("old", "new"):
                said = str(row.get(key) or "")
                if said not in ("", e.UNDETERMINED) and not HASH.fullmatch(said):
                    self.problem(925, f"“{said}” is no SHA-256", place, "64 hexadecimal digits, or undetermined")
            if not isinstance(row["rule"], str):
                self.problem(
                    924, f"“{row['rule']}” was read as a number, not as a rule", place, 'quote it: rule: "20.1"'
                )
            given_at = str(row.get("sentence") or "0")
            if not re.fullmatch(r"\d+|new", given_at):
                self.problem(926, f"“{given_at}” is no sentence", place, "its number in our paraphrase, or new")
                given_at = "0"
            old, new = ("" if row.get(k) == e.UNDETERMINED else str(row.get(k) or "") for k in ("old", "new"))
            out.append(e.Anchor(str(row["rule"]), -1 if given_at == "new" else int(given_at), old, new, place))
        return tuple(out)

    def pairs(self, entry: Entry, key: str) -> tuple[tuple[str, str], ...]:
        """A field that maps old to new, as pairs."""
        assert entry.meta is not None
        given = entry.meta.get(key) or {}
        if not isinstance(given, Mapping):
            self.problem(927, f"“{key}” is a mapping from old to new", entry.source.place(key), f"{key}: {{OLD: NEW}}")
            return ()
        return tuple((str(old), str(new)) for old, new in given.items())

    def part(self, side: str, rule: str, reader: SectionReader) -> e.Part:
        """One side's wording of a rule."""
        return e.Part(side, rule, reader.title, tuple(reader.sentences), tuple(reader.norms), reader.place)


def norms_of(record: e.Record) -> list[m.Norm]:
    """Every norm that a record writes out."""
    return [n for part in record.parts for n in part.norms]
