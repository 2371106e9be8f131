"""How much of each book is encoded: counted, sentence by sentence, so that nobody has to believe it.

A sentence of the book is *encoded* when a norm stands for our line of it, *explained* when the line says in place why
no norm does (or is a worked example with its case), else *open*. The *exception round trip* asks that each exception
of the book has one encoded exception and each encoded exception its place in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs, to_builtins

from kb import resources
from kb.coverage import exceptions as exception_coverage, hashes
from kb.errors import RulebookError
from kb.language.english import sentence
from kb.language.norms import Chapter, Norm, Section as OurSection
from kb.language.vocabulary import Vocabulary
from kb.rulebook import reader
from kb.texts import mentions, references
from kb.texts.model import DANGLING

NAME = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class SectionCoverage:
    """One rule. `sentences` are the book's where it is aligned, else ours; open ones are named by number.

    `references`: as many as the book makes. `pointed`: where the rules that our norms name are. `terms`: those that
    our norms use.
    """

    rule: str
    title: str
    sentences: int
    encoded: int
    explained: int
    open: tuple[int, ...]
    examples: int
    norms: int
    exceptions: exception_coverage.Exceptions
    references: int
    pointed: dict[str, int]
    aligned: bool
    terms: tuple[str, ...] = ()

    @property
    def anything_open(self) -> bool:
        """Whether a sentence or an exception of the rule is still to be encoded."""
        return bool(self.open or self.exceptions.open or self.exceptions.unmarked)


@dataclass(frozen=True, slots=True)
class ChapterCoverage:
    """One chapter. `problems`: what keeps its file from being read, one line each; then all of it counts as open."""

    book: str
    chapter: str
    title: str
    sections: tuple[SectionCoverage, ...]
    terms: tuple[str, ...] = ()
    unknown_terms: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def sentences(self) -> int:
        """How many sentences the chapter has."""
        return sum(s.sentences for s in self.sections)

    @property
    def encoded(self) -> int:
        """How many of its sentences norms encode."""
        return sum(s.encoded for s in self.sections)

    @property
    def explained(self) -> int:
        """How many of its sentences say why no norm encodes them."""
        return sum(s.explained for s in self.sections)

    @property
    def open(self) -> int:
        """How many of its sentences are neither encoded nor explained."""
        return sum(len(s.open) for s in self.sections)

    @property
    def percent(self) -> float:
        """Encoded or explained, of all; 100.0 only when nothing is open."""
        return (
            100.0
            if not self.open and self.sentences
            else int(1000 * (self.sentences - self.open) / max(self.sentences, 1)) / 10
        )

    def totals(self) -> dict[str, int]:
        """The figures that must not fall."""
        return {
            "sentences": self.sentences,
            "encoded": self.encoded,
            "explained": self.explained,
            "open": self.open,
            "norms": sum(s.norms for s in self.sections),
            "brackets": sum(s.exceptions.brackets for s in self.sections),
            "spoken": sum(s.exceptions.spoken for s in self.sections),
            "restrictions": sum(s.exceptions.restrictions for s in self.sections),
            "exceptions": sum(s.exceptions.written for s in self.sections),
            "exceptions unmarked in the book": sum(s.exceptions.silent for s in self.sections),
            "exceptions encoded": sum(s.exceptions.encoded for s in self.sections),
            "exceptions explained": sum(s.exceptions.explained for s in self.sections),
            "exceptions open": sum(len(s.exceptions.open) + s.exceptions.unmarked for s in self.sections),
            "references": sum(s.references for s in self.sections),
            "terms": len(self.terms),
        }


@dataclass(frozen=True)
class Report:
    """Coverage of every chapter asked for."""

    chapters: tuple[ChapterCoverage, ...] = field(default_factory=tuple)

    def as_json(self, open_only: bool = False) -> dict[str, Any]:
        """The whole report, or of each chapter only the rules with something open; totals are of all its rules."""
        rows = []
        for c in self.chapters:
            shown = replace(c, sections=tuple(s for s in c.sections if s.anything_open)) if open_only else c
            rows.append({**to_builtins(shown), "percent": c.percent, "totals": c.totals()})
        return {"chapters": rows}


def of_folder(
    rulebooks: Path, vocabularies: Mapping[str, Vocabulary] | None = None, books: Iterable[str] = ()
) -> Report:
    """Coverage of the rulebooks under a folder (kb/rulebooks). A chapter that cannot be read is open throughout.

    `books`: only these; all where empty. `vocabularies`: by book, to count terms.
    """
    wanted = set(books)
    chapters: list[ChapterCoverage] = []
    for folder in sorted(p for p in rulebooks.iterdir() if p.is_dir()):
        if wanted and folder.name not in wanted:
            continue
        files = [p for p in sorted(folder.glob("*.md")) if p.name not in ("NOTES.md", "README.md")]
        found: list[tuple[Chapter | None, str, hashes.Alignment | None, tuple[str, ...]]] = []
        for path in files:
            known = alignment_of(hashes.beside(path))
            try:
                found.append((reader.chapter(path), path.stem, known, ()))
            except RulebookError as e:
                found.append((None, path.stem, known, tuple(str(p).splitlines()[0] for p in e.problems)))
        stems = {p.stem for p in files}
        for path in sorted(folder.glob("*.align.json")):
            name = path.name.removesuffix(".align.json")
            if name not in stems:
                found.append((None, name, alignment_of(path), ("not encoded yet",)))
        rules = references.Loaded.of_rules(s.rule for c, *_ in found if c for s in c.sections)
        for chapter, name, known, problems in found:
            if chapter is None:
                chapters.append(unread(folder.name, name, known, problems))
            else:
                chapters.append(of_chapter(chapter, known, rules, (vocabularies or {}).get(folder.name)))
    return Report(tuple(chapters))


def of_books(vocabularies: Mapping[str, Vocabulary] | None = None, books: Iterable[str] = ()) -> Report:
    """Coverage of every rulebook there is, the reader's own included."""
    listed = tuple(books)
    folders = [resources.path("rulebooks"), *filter(None, [resources.own()])]
    return Report(tuple(c for folder in folders for c in of_folder(folder, vocabularies, listed).chapters))


def alignment_of(path: Path) -> hashes.Alignment | None:
    """The alignment in a file; None when there is none. A damaged one raises TextError."""
    return hashes.load(path) if path.is_file() else None


def unread(book: str, name: str, known: hashes.Alignment | None, problems: tuple[str, ...]) -> ChapterCoverage:
    """A chapter without a file that reads: every sentence of the book is open."""
    rows = tuple(unread_section(rule, s) for rule, s in (known.sections if known else {}).items())
    return ChapterCoverage(book, known.chapter if known else name, "", rows, problems=problems)


def unread_section(rule: str, known: hashes.AlignedSection) -> SectionCoverage:
    """A rule of the book without a chapter of ours: all of it open."""
    brackets, spoken = known.count("brackets"), known.count("spoken")
    return SectionCoverage(
        rule=rule,
        title="",
        sentences=len(known.known),
        encoded=0,
        explained=0,
        open=tuple(range(1, len(known.known) + 1)),
        examples=0,
        norms=0,
        exceptions=exception_coverage.Exceptions(
            brackets, spoken, unmarked=brackets + spoken, restrictions=known.count("restrictions")
        ),
        references=known.count("references"),
        pointed={},
        aligned=True,
    )


def of_chapter(
    chapter: Chapter, known: hashes.Alignment | None, rules: references.Loaded, vocabulary: Vocabulary | None = None
) -> ChapterCoverage:
    """Coverage of one chapter that reads; `rules` are all encoded rules of the book, to resolve references in."""
    sections = []
    dangling = []
    for section in chapter.sections:
        row = of_section(section, known.sections.get(section.rule) if known else None, chapter, rules, vocabulary)
        sections.append(row)
        dangling += [f"{section.rule}: {ref}" for ref in cited(section.norms) if rules.status(ref) == DANGLING]
    if known:
        ours = {s.rule for s in chapter.sections}
        lost = structs.replace(known, sections={r: s for r, s in known.sections.items() if r not in ours})
        sections += unread(chapter.book, chapter.id, lost, ()).sections
    terms = sorted({name for s in sections for name in s.terms})
    return ChapterCoverage(
        chapter.book,
        chapter.id,
        chapter.title,
        tuple(sections),
        terms=tuple(terms),
        unknown_terms=unknown_terms(chapter, vocabulary) if vocabulary else (),
        stale=tuple(hashes.stale(known, chapter)) if known else (),
        dangling=tuple(dangling),
    )


def unknown_terms(chapter: Chapter, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Capitalised expressions of our lines that no term explains, the most used first; a name said once is none."""
    lines = [(section.rule, sentence(s.text)) for section in chapter.sections for s in section.sentences]
    found = mentions.candidates(lines, mentions.Lexicon.of(vocabulary), least=2)
    return tuple(f"{c.text} ({', '.join(c.rules)})" for c in found)


def written(norm: Norm) -> str:
    """A norm's head and conditions as text."""
    return " ".join(map(str, (norm.head, norm.when, *(u.condition for u in norm.unless), *norm.until)))


def cited(norms: Sequence[Norm]) -> list[str]:
    """The rules that norms cite, outside their own."""
    out: dict[str, None] = {}
    for norm in norms:
        for ref in (*norm.cites, *norm.needs, *norm.over, *(c for u in norm.unless for c in u.cites)):
            out.setdefault(ref.split("/")[0])
    return list(out)


def of_section(
    section: OurSection,
    known: hashes.AlignedSection | None,
    chapter: Chapter,
    rules: references.Loaded,
    vocabulary: Vocabulary | None = None,
) -> SectionCoverage:
    """Coverage of one rule; `known` is what is kept of the book's sentences, None where it is not aligned."""
    by_norm = {n for norm in section.norms for n in norm.sentences}
    state = {}
    for s in section.sentences:
        state[s.number] = (
            "encoded" if s.number in by_norm else "explained" if s.not_encoded or (s.example and s.cases) else "open"
        )
    pairs = exception_coverage.current(section, known) if known else {}
    if known is None:
        states = list(state.values())
    else:
        states = []
        for position in range(len(known.known)):
            ours = [state.get(n, "open") for n, at in pairs.items() if position in at]
            states.append("open" if not ours or "open" in ours else "encoded" if "encoded" in ours else "explained")
    prefix = re.sub(r"\d.*", "", chapter.id)
    count = known.count("references") if known else sum(len(references.find(s.text, prefix)) for s in section.sentences)
    return SectionCoverage(
        rule=section.rule,
        title=section.title,
        sentences=len(states),
        encoded=states.count("encoded"),
        explained=states.count("explained"),
        open=tuple(i for i, s in enumerate(states, 1) if s == "open"),
        examples=sum(s.example for s in section.sentences),
        norms=len(section.norms),
        exceptions=exception_coverage.of_section(section, known),
        references=count,
        pointed=dict(Counter(map(rules.status, cited(section.norms)))),
        aligned=known is not None,
        terms=tuple(sorted(used_in(section) & set(vocabulary.names()))) if vocabulary else (),
    )


def used_in(section: OurSection) -> set[str]:
    """The words of a section's norms; terms are among them."""
    return {name for norm in section.norms for name in NAME.findall(written(norm))}
