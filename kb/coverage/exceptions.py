"""The exception round trip: each exception of the book has our mark, and each mark is encoded in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.coverage import hashes
from kb.language.norms import Section
from kb.rulebook.chapter_reader import encoded_labels

LABEL = re.compile(r"\[(EXC|BUT|YET)\s+([\w-]+)(?:\s+to\s+[^:\[\]]+)?\s*:")
MARKED = ("EXC", "BUT")  # by a bracket of the book, by a word of it


@dataclass(frozen=True, slots=True)
class Exceptions:
    """The exceptions of one section: how many the book makes in brackets and with a word, and what became of each.

    silent: our marks [YET …], for exceptions that the book makes without bracket or word.
    written: our marks, [EXC …] and [BUT …]; one bracket of the book that lists several exceptions may have several.
    encoded, explained: marks encoded exactly once, and those closed by a remark. open: the labels of the others.
    unmarked: exceptions of the book for which our sentence has no mark. restrictions: the book's "only" and "but not",
    which are encoded as exceptions or as plain conditions.
    """

    brackets: int = 0
    spoken: int = 0
    written: int = 0
    encoded: int = 0
    explained: int = 0
    open: tuple[str, ...] = ()
    unmarked: int = 0
    restrictions: int = 0
    silent: int = 0


def of_section(section: Section, known: hashes.AlignedSection | None) -> Exceptions:
    """Every exception of the book, our mark for it, and the one place where it is encoded."""
    marks = [(m.group(1), m.group(2), s) for s in section.sentences for m in LABEL.finditer(s.text)]
    encoded = encoded_labels(section.norms, section.definitions)
    done = explained = 0
    open_: list[str] = []
    for _, label, s in marks:
        if encoded[label] == 1:
            done += 1
        elif not encoded[label] and (label not in {e.label for e in s.exceptions} or s.not_encoded or s.example):
            explained += 1
        else:
            open_.append(label)
    open_ += [label for label in encoded if label not in {name for _, name, _ in marks}]
    return Exceptions(
        brackets=known.count("brackets") if known else 0,
        spoken=known.count("spoken") if known else 0,
        written=sum(kind in MARKED for kind, _, _ in marks),
        silent=sum(kind not in MARKED for kind, _, _ in marks),
        encoded=done,
        explained=explained,
        open=tuple(open_),
        unmarked=unmarked(section, known) if known else 0,
        restrictions=known.count("restrictions") if known else 0,
    )


def unmarked(section: Section, known: hashes.AlignedSection) -> int:
    """How many exceptions of the book have no mark in our sentences for them."""
    marks = {s.number: sum(kind in MARKED for kind, _ in LABEL.findall(s.text)) for s in section.sentences}
    pairs = current(section, known)
    groups: dict[tuple[int, ...], int] = {}
    for number, positions in pairs.items():
        groups[positions] = groups.get(positions, 0) + marks.get(number, 0)
    made = [k.brackets + k.spoken for k in known.known]
    paired = {i for positions in groups for i in positions}
    lost = sum(n for i, n in enumerate(made) if i not in paired)
    return lost + sum(max(0, sum(made[i] for i in positions) - n) for positions, n in groups.items())


def current(section: Section, known: hashes.AlignedSection) -> dict[int, tuple[int, ...]]:
    """The pairs of a section; one to one where ours was edited since, but not in number."""
    if known.ours != hashes.ours_hash(section) and len(known.known) == len(section.sentences):
        return {s.number: (i,) for i, s in enumerate(section.sentences)}
    return known.pairs
