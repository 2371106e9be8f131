"""What is kept of a book in the project: a file of hashes beside each chapter, <chapter>.align.json.

It holds section numbers, SHA-256 of normalised sentences, and counts; never text. From it the project knows how many
sentences a rule has, which of ours stands for which, and where another edition differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from kb import resources
from kb.errors import Place, Problem, TextError
from kb.language.norms import Chapter, Section as OurSection
from kb.texts.model import BRACKET, BUT_NOT, EXCEPT, ONLY, UNLESS, Section, Sentence, sha256

FORMAT = 1
MOST_READ = 100  # files remembered


class Kept(Struct, frozen=True, array_like=True):
    """What is kept of one sentence of the encoded edition."""

    hash: Annotated[str, Meta(min_length=64, max_length=64)]
    words: int
    brackets: int  # exceptions in brackets of their own
    spoken: int  # exceptions made with "unless" or "except"
    references: int
    restrictions: int = 0  # "only" and "but not"


class AlignedSection(Struct, frozen=True):
    """One rule. `pairs`: for each of our sentences, by number, the positions in `known` of the book's sentences.

    `ours` is the SHA-256 of our sentences when they were paired ("" when the rule is not encoded yet): another hash
    means that the pairs are stale.
    """

    known: tuple[Kept, ...]
    ours: str = ""
    pairs: dict[int, tuple[int, ...]] = {}

    def count(self, what: str) -> int:
        """The sum of a count ("brackets", "spoken", "references", "restrictions") over the book's sentences."""
        return sum(getattr(k, what) for k in self.known)

    def number_of(self, position: int) -> int:
        """The number of our sentence that stands for a sentence of the book; 0 when none does."""
        return next((n for n, found in self.pairs.items() if position in found), 0)


class Alignment(Struct, frozen=True, tag_field="format", tag=FORMAT):
    """A chapter's alignment with the edition it was encoded from."""

    book: str
    chapter: str
    edition: str
    sections: dict[str, AlignedSection] = {}


def inventory(book: str, chapter: str, sections: Iterable[Section], edition: str = "") -> Alignment:
    """What is kept of a text that is not encoded yet: its sections and hashes, nothing paired."""
    out = {s.rule: AlignedSection(tuple(map(known_of, s.sentences))) for s in sections if s.sentences}
    return Alignment(book, chapter, edition, out)


def known_of(s: Sentence) -> Kept:
    """What is kept of a sentence of theirs: its hash and counts, no word of it."""
    spoken = sum(e.kind in (UNLESS, EXCEPT) for e in s.exceptions)
    restrictions = sum(e.kind in (ONLY, BUT_NOT) for e in s.exceptions)
    return Kept(s.hash, len(s.text.split()), brackets(s), spoken, len(s.references), restrictions)


def ours_hash(section: OurSection) -> str:
    """The SHA-256 of our paraphrase of a rule: it tells when ours was edited."""
    return sha256("\n".join(s.text for s in section.sentences))


def brackets(s: Sentence) -> int:
    """How many bracketed exceptions a sentence has."""
    return sum(e.kind == BRACKET for e in s.exceptions)


def beside(chapter_file: Path) -> Path:
    """Where the alignment of a chapter file is kept."""
    return chapter_file.with_suffix(".align.json")


def save(alignment: Alignment, path: Path) -> bool:
    """Writes an alignment file; False when it stood there already as it is."""
    rows = json.dumps(msgspec.to_builtins(alignment), ensure_ascii=False, indent=1)
    rows = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + " ".join(m.group(1).split()) + "]", rows) + "\n"
    if path.is_file() and path.read_text(encoding="utf-8") == rows:
        return False
    resources.write(path, rows)
    return True


def load(path: Path) -> Alignment:
    """Reads an alignment file. Raises TextError when it is none."""
    place = Place(str(path), 1)
    hint = "make it again from a text of the encoded edition"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise TextError(Problem(521, "this alignment was made by another version", place, hint))
        found = msgspec.convert(data, Alignment, str_keys=True)
        for rule, s in found.sections.items():
            if any(not 0 <= k < len(s.known) for at in s.pairs.values() for k in at):
                raise ValueError(f"section {rule} points outside itself")
        return found
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise TextError(Problem(522, f"this is no alignment: {e}", place, hint)) from None


def stale(alignment: Alignment, chapter: Chapter) -> list[str]:
    """Rules whose sentences in the chapter are no longer those that were aligned."""
    return [
        s.rule
        for s in chapter.sections
        if s.rule in alignment.sections and alignment.sections[s.rule].ours != ours_hash(s)
    ]


def of_rules(path: Path) -> Mapping[str, tuple[str, ...]]:
    """By rule, the hashes of its sentences in an alignment file; none where there is no file. Raises TextError when it is no alignment."""
    try:
        now = path.stat()
    except OSError:
        return {}
    return read(path, now.st_mtime_ns, now.st_size)


def of_encoded(chapters: Iterable[Chapter], rule: str) -> tuple[str, ...]:
    """The hashes of a rule's sentences as they were when it was encoded, by the first chapter that keeps them; none where none does.
    Raises TextError when an alignment file is none."""
    for chapter in chapters:
        if chapter.file and any(section.rule == rule for section in chapter.sections):
            found = of_rules(beside(Path(chapter.file)))
            if rule in found:
                return found[rule]
    return ()


@lru_cache(maxsize=MOST_READ)
def read(path: Path, changed: int, size: int) -> Mapping[str, tuple[str, ...]]:
    """The same of a file as it was last written."""
    return {rule: tuple(known.hash for known in section.known) for rule, section in load(path).sections.items()}
