"""A question in English, of whichever book has its words: what was understood, for correction, and what is asked back.

understood("May a pinned squad move?", book="") -> Reading      the case that it comes to, in the one book that it fits
shown(reading)                                                  the text with what was not understood underlined, and the case
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb import registry
from kb.english.reading import Reading, Unread as Unread, read
from kb.errors import CaseError, Place, Problem
from kb.yaml_document import written

LONGEST = 2000  # characters of a question with its facts
MOST_TOLD = 6  # things that are asked back at once
BEFORE = 40  # letters of the text that are shown on each side of what was not understood


def understood(text: str, book: str = "") -> Reading:
    """A question as a case of a book; without one, of the book that understands all of it. Raises CaseError where several do (E464), where
    the text is too long (E465), and for an unknown book (E420)."""
    if len(text) > LONGEST:
        said = f"a question of {len(text)} characters is too long"
        raise CaseError(Problem(465, said, hint=f"at most {LONGEST}; or state the case as in docs/cases.md"))
    if book:
        registry.vocabulary(book)
        return read(text, book)
    found = [read(text, one) for one in registry.books()]
    whole = [reading for reading in found if not reading.unread]
    if len(whole) > 1:
        names = ", ".join(reading.book for reading in whole)
        raise CaseError(Problem(464, f"this can be asked of several books: {names}", hint="name one: --book"))
    return whole[0] if whole else min(found, key=missed)


def missed(reading: Reading) -> tuple[int, int]:
    """How much of a text was not understood: nothing at all, or so many letters."""
    return (not reading.data, sum(len(row.text) for row in reading.unread))


def problems(reading: Reading) -> list[Problem]:
    """What was not understood, as problems to mend; none where everything was."""
    return [problem(reading.text, row) for row in reading.unread[:MOST_TOLD]]


def problem(text: str, row: Unread) -> Problem:
    """One stretch of the text that was not understood, underlined, with what is asked back."""
    left, right = max(0, row.start - BEFORE), min(len(text), row.end + BEFORE)
    line = " ".join(text[left:right].splitlines()) if row.end else ""
    place, span = Place("", 0, row.start - left + 1), min(row.end, right) - row.start
    return Problem(463, message(row), place, asking_back(row), line, span=max(span, 1))


def message(row: Unread) -> str:
    """What is wrong with a stretch of the text."""
    return f"“{row.text}” is not understood here" if row.end else row.question


def asking_back(row: Unread) -> str:
    """The question back: what a stretch means, with the words that are spelled like it."""
    near = f"did you mean {' or '.join(row.like)}?" if row.like else ""
    plain = "say it otherwise, or state the case (docs/cases.md)" if not near else ""
    return "; ".join(said for said in (row.question if row.end else "", near, plain) if said)


def case_text(data: Mapping[str, Any]) -> str:
    """A case that was understood, as YAML to correct and ask."""
    return written(data).rstrip()


def shown(reading: Reading) -> str:
    """What a question was understood as, for correction."""
    if not reading.data:
        return ""
    case = "\n".join(f"  {line}" for line in case_text(reading.data).splitlines())
    return f"UNDERSTOOD AS\n{case}"


def to_json(reading: Reading) -> dict[str, Any]:
    """A reading as plain values."""
    return {
        "text": reading.text,
        "book": reading.book,
        "case": reading.data or None,
        "yaml": case_text(reading.data) if reading.data else None,
        "unread": [
            {"start": row.start, "end": row.end, "text": row.text, "question": row.question, "like": list(row.like)}
            for row in reading.unread
        ],
    }
