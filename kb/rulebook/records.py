"""What a change of a rulebook is, as recorded: errata, clarifications, rulings, reprint changes, transcription fixes.

Immutable. A *ledger* holds one book's editions, oldest first, and its records. The rulebook as encoded is one of the
editions, the *base*; a record writes out whichever side of the change the base does not hold, before or after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kb.errors import NOWHERE, Place
from kb.language import norms as m

ERRATUM, CLARIFICATION, OFFICIAL, UNOFFICIAL = "erratum", "clarification", "official-qa", "unofficial-qa"
REPRINT, TRANSCRIPTION = "reprint-change", "transcription-fix"
KINDS = (ERRATUM, CLARIFICATION, OFFICIAL, UNOFFICIAL, REPRINT, TRANSCRIPTION)
RULINGS = (CLARIFICATION, OFFICIAL, UNOFFICIAL)
DATE = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")  # a year, a month or a day
AUTHORITIES = ("publisher", "rules-editor", "players", "project")
ASSERTED, REVIEWED, DISPUTED, WITHDRAWN, UNREVIEWED = "asserted", "reviewed", "disputed", "withdrawn", "unreviewed"
STATUSES = (ASSERTED, REVIEWED, DISPUTED, WITHDRAWN, UNREVIEWED)
OPERATIONS = ("insert", "delete", "replace", "add rule", "renumber", "fix reference", "none")
UNDETERMINED = "undetermined"
BEFORE, AFTER = "before", "after"


class Edition(Struct, frozen=True):
    """One edition of a book. published: a date (2025, 2025-06 or 2025-06-01) or "undetermined"."""

    id: str
    title: str
    published: str = UNDETERMINED
    source: str = ""
    place: Place = NOWHERE


class Anchor(Struct, frozen=True):
    """Where a change takes hold. sentence: our sentence's number in the base, 0 for none, -1 for a new last one.

    old, new: SHA-256 of the book's normalised sentence before and after the change; "" where the words are not held.
    """

    rule: str
    sentence: int = 0
    old: str = ""
    new: str = ""
    place: Place = NOWHERE


class Part(Struct, frozen=True):
    """One rule's sentences and norms on one side of a change: those that differ, by norm id."""

    side: str
    rule: str
    title: str
    sentences: tuple[m.Sentence, ...]
    norms: tuple[m.Norm, ...]
    place: Place = NOWHERE


class Trial(Struct, frozen=True):
    """A case kept with a record: plain values, and what is expected. side: before, after, or "" (the ruling itself)."""

    data: Mapping[str, Any]
    expects: Mapping[str, Mapping[str, Any]]
    place: Place = NOWHERE
    file: str = ""


class Record(Struct, frozen=True):
    """One change or ruling.

    first, last: the edition range in which it is in force (last "": onwards); incorporated: the edition that prints it.
    published, effective, adopted: dates, each of which may be undetermined. adds, removes: norm ids. renumber and
    references: old to new. entered, checked: who wrote the record and how it was held against its source.
    """

    id: str
    title: str
    kind: str
    authority: str
    source: str
    status: str
    operation: str
    book: str = ""
    published: str = UNDETERMINED
    effective: str = UNDETERMINED
    adopted: str = UNDETERMINED
    first: str = UNDETERMINED
    last: str = ""
    incorporated: str = ""
    scope: str = ""
    anchors: tuple[Anchor, ...] = ()
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    renumber: tuple[tuple[str, str], ...] = ()
    references: tuple[tuple[str, str], ...] = ()
    supersedes: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    entered: str = ""
    checked: str = ""
    question: str = ""
    answer: str = ""
    note: str = ""
    parts: tuple[Part, ...] = ()
    trials: tuple[Trial, ...] = ()
    place: Place = NOWHERE

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that the record speaks of, in order."""
        named = [a.rule for a in self.anchors] + [p.rule for p in self.parts]
        return tuple(dict.fromkeys((*named, *(old for old, _ in self.renumber))))

    @property
    def changes(self) -> bool:
        """Whether putting it in force can change what the rulebook says."""
        return bool(self.parts or self.adds or self.removes or self.renumber or self.references)

    @property
    def standing(self) -> str:
        """The authority of the norms that it brings: an interpretation has one of its own, other changes that of the text."""
        return "" if self.kind not in RULINGS else "players" if self.kind == UNOFFICIAL else "ruling"

    def side(self, side: str) -> tuple[Part, ...]:
        """The parts of the wording before, or after, the change."""
        return tuple(p for p in self.parts if p.side == side)


class Ledger(Struct, frozen=True):
    """One book's editions, oldest first, and its records in the order of the file. base: the edition encoded."""

    book: str
    title: str
    base: str
    editions: tuple[Edition, ...]
    records: tuple[Record, ...] = ()
    file: str = ""

    def record(self, record_id: str) -> Record | None:
        """The record of an id; None where there is none."""
        return next((r for r in self.records if r.id == record_id), None)

    def index(self, edition: str) -> int:
        """The place of an edition in the chain; -1 for one that is not in it."""
        return next((i for i, e in enumerate(self.editions) if e.id == edition), -1)

    def holds(self, record: Record, edition: str) -> bool:
        """Whether a record is in force in an edition by its range and status alone."""
        first, last, at = self.index(record.first), self.index(record.last), self.index(edition)
        return record.status in (ASSERTED, REVIEWED) and 0 <= first <= at and (not record.last or at <= last)

    def in_base(self, record: Record) -> bool:
        """Whether the rulebook as encoded holds the record's change already; an accepted ruling is put in beside it."""
        return self.holds(record, self.base) and not (record.kind in RULINGS and record.side(AFTER))


class InForce(Struct, frozen=True):
    """The edition an answer was given under. errata: ids in force, in the ledger's order; without: taken out by hand.

    toggled: records whose change is put into, or taken out of, the base. undated: records of which it is not known
    whether they were in force at the date asked for.
    """

    book: str
    edition: str
    title: str = ""
    as_of: str = ""
    errata: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    toggled: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()
