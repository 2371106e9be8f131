"""What a rule text turns into: sections, sentences, exceptions, references, and everything left over.

All offsets of sentences and headings (`spans`) count characters of the text as imported; offsets of exceptions,
references and mentions (`start`, `end`) count characters of the sentence's own reading text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]

# What an exception is introduced by: its own bracket, or a word.
BRACKET, UNLESS, EXCEPT, ONLY, BUT_NOT = "bracket", "unless", "except", "only", "but not"

# How a reference resolves.
SECTION, NOT_LOADED, DANGLING, PAGE = "section", "not loaded", "dangling", "page"


@dataclass(frozen=True, slots=True)
class Leftover:
    """Input that stands in no sentence and no heading; `kind` says what it is ("space", "page head", …)."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Dirt survived, or a mark found: what kind, where in the input, and what was made of it."""

    kind: str
    start: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A pointer to a rule: `text` as written, `rule` the full id, `to` the last id of a range."""

    text: str
    rule: str
    start: int
    end: int
    to: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class ExceptionClause:
    """An exception clause. `target` is what it modifies; `parent` the index of the exception it stands in, or -1.

    start..end is the whole clause with its brackets; target_start..target_end what it modifies.
    """

    kind: str
    text: str
    start: int
    end: int
    target: str
    target_start: int
    target_end: int
    parent: int = -1
    references: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A term of the ontology named in a sentence."""

    term: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as read: `text` is cleaned for reading, `spans` are the stretches of input it was made of."""

    number: int
    text: str
    hash: str
    spans: tuple[Span, ...]
    page: str = ""
    example: bool = False
    exceptions: tuple[ExceptionClause, ...] = ()
    references: tuple[Reference, ...] = ()
    footnotes: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One rule: its id ("" for what stands before the first number), title, heading spans and sentences."""

    rule: str
    number: str
    title: str
    parent: str
    page: str
    heading: tuple[Span, ...]
    sentences: tuple[Sentence, ...]
    footnotes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the title and the sentence hashes: equal when the section reads the same."""
        return sha256("\n".join((self.rule, normal(self.title), *(s.hash for s in self.sentences))))


@dataclass(frozen=True)
class Text:
    """A rule text, read. `length` is the number of characters of the input."""

    book: str
    chapter: str
    prefix: str
    length: int
    sections: tuple[Section, ...]
    leftovers: tuple[Leftover, ...]
    findings: tuple[Finding, ...] = ()
    by_rule: dict[str, Section] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for section in self.sections:
            self.by_rule.setdefault(section.rule, section)

    def sentences(self) -> Iterator[tuple[Section, Sentence]]:
        """Every sentence with its section, in the order of the text."""
        for section in self.sections:
            for sentence in section.sentences:
                yield section, sentence


QUOTES = str.maketrans(
    dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚", "'") | dict.fromkeys("–‒−‐‑", "-") | {"…": "..."}
)


def normal(text: str) -> str:
    """A sentence without the accidents of typesetting: one form of quotes, hyphens, fractions and spaces."""
    text = unicodedata.normalize("NFKC", text.translate(QUOTES)).translate(QUOTES)
    text = re.sub(r"\s*(—|--+)\s*", "—", text)
    return " ".join(text.split())


def sha256(text: str) -> str:
    """Hexadecimal SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sentence_hash(text: str) -> str:
    """The hash that stands for a sentence in an alignment."""
    return sha256(normal(text))
