"""A question in English, of whichever book has its words: read in each of them, and taken in the one that understands it.

understood("May a pinned squad move?", book="") -> Reading
"""

from __future__ import annotations

from kb import registry
from kb.english.forbidding import MAY_NOT, forbidden
from kb.english.lexicon import lexicon
from kb.english.reading import Reading, read
from kb.english.words import sentences
from kb.errors import CaseError, Problem

LONGEST = 2000  # characters of a question with its facts


def understood(text: str, book: str = "") -> Reading:
    """A question as a case of a book; without one, of the book that understands all of it. Raises CaseError where several do (E464), where
    the text is too long (E465), and for an unknown book (E420)."""
    if len(text) > LONGEST:
        said = f"a question of {len(text)} characters is too long"
        raise CaseError(Problem(465, said, hint=f"at most {LONGEST}; or state the case as in docs/cases.md"))
    if book:
        registry.vocabulary(book)
        return read(text, book)
    for otherwise in (False, True):
        found = [read(text, one, otherwise) for one in registry.books()]
        whole = [reading for reading in found if not reading.unread]
        if whole:
            break
    if len(whole) > 1:
        names = ", ".join(reading.book for reading in whole)
        raise CaseError(Problem(464, f"this can be asked of several books: {names}", hint="name one: --book"))
    return whole[0] if whole else min(found, key=missed)


def allowed(text: str) -> str:
    """A question whether something is forbidden as that whether it may be done; "" for any other, and for several sentences."""
    lines = sentences(text)
    line = lines[0] if len(lines) == 1 else []
    told = forbidden(line, lexicon(registry.books()[0]), False) if line else line
    plain = " ".join("may" if word.text == MAY_NOT else word.text for word in told)
    return plain.replace(" be in ", " be inside ") if told is not line and told[0].text == MAY_NOT else ""


def missed(reading: Reading) -> tuple[int, int]:
    """How much of a text was not understood: nothing at all, or so many letters."""
    return (not reading.data, sum(len(row.text) for row in reading.unread))
