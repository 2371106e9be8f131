"""Our sentences beside the book's: sections matched by number, sentences by order, numbers and shared words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.coverage.hashes import brackets
from kb.language.norms import Chapter, Section as OurSection, Sentence as OurSentence
from kb.texts import library
from kb.texts.model import Section, Sentence

WORD = re.compile(r"[A-Za-z]+|\d+")
NUMBER = re.compile(r"[A-Z]{0,4}\d*\.\d+|\d+")
MARK = re.compile(r"\[(?:EXC|BUT)\b")
COMMON_WORDS = """
the a an of to in on or and is are be it its by for with as at if that this not no may must can from which any when
"""
COMMON = frozenset(COMMON_WORDS.split())
LARGEST = 250_000  # sentences × sentences; beyond, a section is paired by order alone
MERGE, SKIP_OURS, SKIP_THEIRS = 0.5, 0.45, 0.45  # what it costs to pair two with one, or to leave one alone


def matched(chapter: Chapter, sections: Sequence[Section]) -> list[tuple[OurSection, list[Section]]]:
    """Our sections with the reader's of the same number.

    The reader's sub-sections that ours does not have go with the section they stand in. What stands before the
    reader's first number goes to our section before it.
    """
    names = names_of(chapter)
    found: dict[str, list[Section]] = {}
    lost: list[Section] = []
    for theirs in sections:
        if not theirs.rule:
            lost.append(theirs)
            continue
        rule = names.get(library.folded(theirs.rule))
        if rule is None and theirs.sentences and theirs.parent:
            rule = names.get(library.folded(theirs.parent)) if not theirs.heading else None
        if rule is not None:
            found.setdefault(rule, []).append(theirs)
    if lost and found:
        before = [s for s in chapter.sections]
        first = next(i for i, s in enumerate(before) if s.rule in found)
        free = [s for s in before[:first] if s.sentences]
        if free:
            found[free[-1].rule] = lost
    return [(s, found[s.rule]) for s in chapter.sections if s.rule in found]


def names_of(chapter: Chapter) -> dict[str, str]:
    """Our rules by every way to write their number, folded."""
    names: dict[str, str] = {}
    for s in chapter.sections:
        for name in (s.rule, *aliases_of(s.rule, chapter)):
            names.setdefault(library.folded(name), s.rule)
    return names


def heading_of(rule: str) -> str:
    """The heading that a numbered bullet stands under, folded; "" for other rules."""
    head, _, tail = rule.rpartition(".")
    return library.folded(head) if tail.isdigit() and not re.search(r"\d", head) else ""


def aliases_of(rule: str, chapter: Chapter) -> list[str]:
    """A rule written with the chapter's other letters: T6.4 for BRT6.4."""
    m = re.match(r"([A-Za-z]*)(.*)", rule)
    rest = m.group(2) if m else rule
    return [re.sub(r"\d.*", "", alias) + rest for alias in chapter.aliases]


@dataclass(frozen=True, slots=True)
class Features:
    """What two sentences are compared by."""

    words: frozenset[str]
    numbers: frozenset[str]
    length: int
    marks: int
    example: bool


def features_of(text: str, example: bool, marks: int) -> Features:
    """What a sentence is recognised by."""
    words = frozenset(w.casefold().rstrip("s")[:6] for w in WORD.findall(text) if w.casefold() not in COMMON)
    numbers = frozenset(n.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for n in NUMBER.findall(text))
    return Features(words, numbers, len(text), marks, example)


def together(a: Features, b: Features) -> Features:
    """Two sentences' features as those of one."""
    return Features(
        a.words | b.words, a.numbers | b.numbers, a.length + b.length, a.marks + b.marks, a.example and b.example
    )


def likeness(a: Features, b: Features) -> float:
    """From 0 to about 1.5: shared words, numbers and brackets, alike length, both examples or neither."""
    if a.example != b.example:
        return 0.0
    shared = len(a.words & b.words)
    score = 0.3 + 0.4 * shared / (len(a.words) or 1) + 0.4 * shared / (len(b.words) or 1)
    if a.numbers or b.numbers:
        score += 0.3 * len(a.numbers & b.numbers) / len(a.numbers | b.numbers)
    score += 0.1 * (min(a.marks, b.marks) if a.marks == b.marks else -1)
    return score * (0.85 + 0.15 * min(a.length, b.length) / max(a.length, b.length, 1))


def pair(ours: Sequence[OurSentence], theirs: Sequence[Sentence]) -> dict[int, tuple[int, ...]]:
    """For each of our sentences the positions of the book's it stands for; in order, by the best sum of likenesses."""
    if len(ours) * len(theirs) > LARGEST:
        return {s.number: (i,) if i < len(theirs) else () for i, s in enumerate(ours)}
    a = [features_of(s.text.removeprefix("EX:"), s.example, len(MARK.findall(s.text))) for s in ours]
    b = [features_of(s.text.removeprefix("EX:"), s.example, brackets(s)) for s in theirs]
    best: list[list[tuple[float, int, int]]] = [[(0.0, 0, 0)] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == j == 0:
                continue
            options = []
            if i and j:
                options.append((best[i - 1][j - 1][0] + likeness(a[i - 1], b[j - 1]), 1, 1))
            if i and j > 1:
                options.append((best[i - 1][j - 2][0] + likeness(a[i - 1], together(b[j - 2], b[j - 1])) - MERGE, 1, 2))
            if i > 1 and j:
                options.append((best[i - 2][j - 1][0] + likeness(together(a[i - 2], a[i - 1]), b[j - 1]) - MERGE, 2, 1))
            if i:
                options.append((best[i - 1][j][0] - SKIP_OURS, 1, 0))
            if j:
                options.append((best[i][j - 1][0] - SKIP_THEIRS, 0, 1))
            best[i][j] = max(options)
    out: dict[int, tuple[int, ...]] = {s.number: () for s in ours}
    i, j = len(a), len(b)
    while i or j:
        _, di, dj = best[i][j]
        for k in range(i - di, i):
            out[ours[k].number] = tuple(range(j - dj, j))
        i, j = i - di, j - dj
    return out
