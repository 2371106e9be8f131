"""What extracted rulebook data turn into: index entries, targets, footnotes, questions with their answers, errata."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

UNREVIEWED = "unreviewed"


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """An entry of the book's index. `pointers`: (caption, rules) pairs."""

    title: str
    subtitle: str
    content: str
    rules: tuple[str, ...]
    pointers: tuple[tuple[str, tuple[str, ...]], ...]
    see_also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a rule stands in the book: its caption and page."""

    rule: str
    caption: str
    page: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A chapter of the book, with (caption, rule) of its sections."""

    title: str
    chapter: str
    page: str
    sections: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote of a chapter."""

    chapter: str
    number: str
    captions: tuple[str, ...]
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question put to the publisher or to experts. answers: (text, source)."""

    group: str
    caption: str
    rules: tuple[str, ...]
    question: str
    answers: tuple[tuple[str, str], ...]
    see_other: str = ""
    image: str = ""
    status: str = UNREVIEWED


@dataclass(frozen=True, slots=True)
class Remark:
    """An erratum or an annotation. An erratum here says neither edition nor date nor what words it replaces."""

    rule: str
    content: str
    source: str = ""
    status: str = UNREVIEWED


@dataclass(frozen=True)
class Data:
    """Everything read from one folder."""

    book: str
    glossary: tuple[GlossaryEntry, ...]
    targets: tuple[Target, ...]
    chapters: tuple[Heading, ...]
    footnotes: tuple[Footnote, ...]
    questions: tuple[Question, ...]
    errata: tuple[Remark, ...]
    annotations: tuple[Remark, ...]
    synonyms: dict[str, tuple[str, ...]]
    notes: dict[str, Any]

    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""
        return {f.name: len(getattr(self, f.name)) for f in fields(self) if f.name != "book"}
