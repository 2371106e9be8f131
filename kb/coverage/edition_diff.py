"""The reader's sentences beside the project's paraphrase: one line of ours for each sentence of the book.

Sections are matched by number, sentences by order, numbers, references and shared words. What is kept of the book is
a file of hashes: <chapter>.align.json holds section numbers, SHA-256 of normalised sentences, and counts; never text.
Another edition is compared with it: the same, changed, missing, added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from kb.coverage.alignment import LARGEST, heading_of, matched, names_of, pair
from kb.coverage.hashes import AlignedSection, Alignment, Kept, beside, brackets, known_of, load, ours_hash, save, stale
from kb.errors import Place, Problem, TextError, did_you_mean
from kb.language.norms import Chapter
from kb.rulebook import reader
from kb.texts import library, shelf
from kb.texts.model import Section, Sentence

SAME, CHANGED, MISSING, ADDED, MOVED = "same", "changed", "missing", "added", "moved"
STATUSES = (SAME, CHANGED, MISSING, ADDED, MOVED)


@dataclass(frozen=True, slots=True)
class Difference:
    """How one sentence of the reader's edition stands to the one encoded. `number` is our sentence, 0 when none."""

    rule: str
    number: int
    status: str
    quotes: tuple[library.Quote, ...] = ()
    elsewhere: str = ""
    position: int = -1


def create(chapter: Chapter, sections: Sequence[Section], edition: str = "") -> Alignment:
    """Aligns a chapter with a reader's text (see library.sections). Raises TextError when no section fits."""
    out = {}
    for ours, theirs in matched(chapter, sections):
        sentences = [s for section in theirs for s in section.sentences]
        out[ours.rule] = AlignedSection(
            tuple(map(known_of, sentences)), ours_hash(ours), pair(ours.sentences, sentences)
        )
    if not out:
        hint = "import the text of this chapter, with the chapter's letters: --chapter " + chapter.id
        raise TextError(Problem(520, f"no section of {chapter.id} is in the text", Place(chapter.file, 1), hint))
    return Alignment(chapter.book, chapter.id, edition or chapter.edition, out)


def compare(alignment: Alignment, sections: Sequence[Section], chapter: Chapter | None = None) -> list[Difference]:
    """Each sentence of either edition, in order: the same, changed, missing, added or moved."""
    theirs = grouped(alignment, sections, chapter)
    everywhere = {k.hash: rule for rule, s in alignment.sections.items() for k in s.known}
    present = {s.hash for section in sections for s in section.sentences}
    out: list[Difference] = []
    for rule, aligned in alignment.sections.items():
        out += differences(rule, aligned, theirs.get(rule, []), alignment, everywhere, present)
    known = set(alignment.sections)
    for section in sections:
        rule = section.rule
        if (
            rule
            and section.sentences
            and not any(s is section for group in theirs.values() for s, _ in group)
            and rule not in known
        ):
            for s in section.sentences:
                found = everywhere.get(s.hash, "")
                out.append(Difference(rule, 0, MOVED if found else ADDED, (quote(alignment, section, s),), found))
    return out


def grouped(
    alignment: Alignment, sections: Sequence[Section], chapter: Chapter | None
) -> dict[str, list[tuple[Section, Sentence]]]:
    """The reader's sentences by our rule."""
    if chapter is not None:
        return {ours.rule: [(t, s) for t in theirs for s in t.sentences] for ours, theirs in matched(chapter, sections)}
    names = {library.folded(rule): rule for rule in alignment.sections}
    out: dict[str, list[tuple[Section, Sentence]]] = {}
    for section in sections:
        rule = names.get(library.folded(section.rule)) or (
            names.get(library.folded(section.parent)) if not section.heading else None
        )
        if rule is not None and section.rule:
            out.setdefault(rule, []).extend((section, s) for s in section.sentences)
    return out


def differences(
    rule: str,
    aligned: AlignedSection,
    theirs: list[tuple[Section, Sentence]],
    alignment: Alignment,
    everywhere: dict[str, str],
    present: set[str],
) -> list[Difference]:
    """How the reader's sentences of a rule differ from those that it was encoded from, in the order of theirs."""
    out: list[Difference] = []
    known = aligned.known
    matcher = SequenceMatcher(None, [k.hash for k in known], [s.hash for _, s in theirs], autojunk=False)
    for kind, a0, a1, b0, b1 in matcher.get_opcodes():
        if kind == "equal":
            for k in range(a1 - a0):
                section, s = theirs[b0 + k]
                out.append(
                    Difference(rule, aligned.number_of(a0 + k), SAME, (quote(alignment, section, s),), "", a0 + k)
                )
            continue
        for old, new in by_shape(known[a0:a1], [s for _, s in theirs[b0:b1]]):
            if old is None and new is not None:
                section, s = theirs[b0 + new]
                found = everywhere.get(s.hash, "")
                out.append(Difference(rule, 0, MOVED if found else ADDED, (quote(alignment, section, s),), found))
            elif new is None and old is not None:
                gone = known[a0 + old].hash in present
                out.append(Difference(rule, aligned.number_of(a0 + old), MOVED if gone else MISSING, (), "", a0 + old))
            elif old is not None and new is not None:
                section, s = theirs[b0 + new]
                out.append(
                    Difference(
                        rule,
                        aligned.number_of(a0 + old),
                        CHANGED,
                        (quote(alignment, section, s),),
                        "",
                        a0 + old,
                    )
                )
    return out


def by_shape(old: Sequence[Kept], new: Sequence[Sentence]) -> list[tuple[int | None, int | None]]:
    """Pairs sentences whose words differ, in order, by what is known of the old ones: length, brackets, references."""
    if len(old) * len(new) > LARGEST:
        most = max(len(old), len(new))
        return [(i if i < len(old) else None, i if i < len(new) else None) for i in range(most)]
    cost = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) + 1):
        for j in range(len(new) + 1):
            if not i or not j:
                cost[i][j] = 0.6 * (i + j)
                continue
            k, s = old[i - 1], new[j - 1]
            n = len(s.text.split())
            apart = (
                abs(k.words - n) / max(k.words, n, 1)
                + 0.3 * (k.brackets != brackets(s))
                + 0.2 * (k.references != len(s.references))
            )
            cost[i][j] = min(cost[i - 1][j - 1] + apart, cost[i - 1][j] + 0.6, cost[i][j - 1] + 0.6)
    out: list[tuple[int | None, int | None]] = []
    i, j = len(old), len(new)
    while i or j:
        if (i and cost[i][j] == cost[i - 1][j] + 0.6) or not j:
            i -= 1
            out.append((i, None))
        elif (j and cost[i][j] == cost[i][j - 1] + 0.6) or not i:
            j -= 1
            out.append((None, j))
        else:
            i, j = i - 1, j - 1
            out.append((i, j))
    return out[::-1]


def quote(alignment: Alignment, section: Section, s: Sentence) -> library.Quote:
    """A sentence of theirs as it is quoted."""
    return library.Quote(
        alignment.book, alignment.chapter, section.rule, s.number, s.text, s.hash, s.page or section.page, s.example
    )


def quotes(
    chapter: Chapter, sections: Sequence[Section], alignment: Alignment | None = None
) -> dict[tuple[str, int], tuple[library.Quote, ...]]:
    """(rule, number of our sentence) → the reader's own sentences; what a proof quotes.

    With an alignment, sentences go where their hashes say, changed ones by their place; without one the texts are
    aligned here and now.
    """
    if alignment is None or stale(alignment, chapter):
        try:
            alignment = create(chapter, sections)
        except TextError:
            return {}
    out: dict[tuple[str, int], list[library.Quote]] = {}
    for row in compare(alignment, sections, chapter):
        if row.status in (SAME, CHANGED):
            for number, at in alignment.sections[row.rule].pairs.items():
                if row.position in at:
                    out.setdefault((row.rule, number), []).extend(row.quotes)
    return {place: tuple(found) for place, found in out.items()}


def quotes_for(chapter: Chapter, path: Path | None = None) -> dict[tuple[str, int], tuple[library.Quote, ...]]:
    """The same from the library, by the alignment beside the chapter's file. Empty when nothing is imported."""
    theirs = imported(chapter)
    if not theirs:
        return {}
    file = path or beside(Path(chapter.file))
    return quotes(chapter, theirs, load(file) if file.is_file() else None)


def imported(chapter: Chapter) -> list[Section]:
    """The library's sections of a chapter's rules, and what stands before the first number of the same text."""
    wanted = set(names_of(chapter))
    out: list[Section] = []
    for entry in shelf.told(chapter.book)[0]:
        rules = {row.rule for row in entry.sections if {library.folded(row.rule), heading_of(row.rule)} & wanted}
        if rules:
            out += library.sections_of(entry, rules | {""})
    return out


def editions(rulebooks: Path, book: str, chapter: str = "") -> list[tuple[str, list[Difference]]]:
    """Each encoded chapter of a book (or one) beside the library's text of it: (chapter, differences).

    Raises TextError when there is no such chapter, or the library has no text of any, or its text has no such rule.
    """
    files = {p.name.removesuffix(".align.json"): p for p in sorted((rulebooks / book).glob("*.align.json"))}
    if not files:
        known = sorted(p.name for p in rulebooks.iterdir() if p.is_dir())
        hint = did_you_mean(book, known, "books:")
        raise TextError(Problem(523, f"no chapter of “{book}” is encoded", hint=hint))
    if chapter and chapter not in files:
        hint = did_you_mean(chapter, list(files)) or f"chapters: {', '.join(files)}"
        raise TextError(Problem(523, f"no chapter “{chapter}” of {book} is encoded", hint=hint))
    out = []
    for name, path in files.items():
        file = path.with_name(name + ".md")
        if (not chapter or chapter == name) and file.is_file():
            ours = reader.chapter(file)
            if theirs := imported(ours):
                out.append((name, compare(load(path), theirs, ours)))
    if not out:
        hint = f"import it first: loophole import FILE --book {book} --chapter {chapter or next(iter(files))}"
        raise TextError(Problem(524, f"no text of {f'{book} {chapter}'.strip()} is in the library", hint=hint))
    return out


def refresh(rulebooks: Path, book: str) -> list[Path]:
    """Aligns every chapter of a book anew with the texts in the library; returns the files that changed.

    A chapter whose text is not imported is left as it is. Raises RulebookError for a chapter that does not read.
    """
    changed = []
    for path in sorted((rulebooks / book).glob("*.md")):
        if path.name in ("NOTES.md", "README.md"):
            continue
        chapter = reader.chapter(path)
        try:
            found = create(chapter, imported(chapter))
        except TextError:
            continue
        if save(found, beside(path)):
            changed.append(beside(path))
    return changed
