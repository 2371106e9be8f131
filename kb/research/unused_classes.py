"""The classes of a game that nothing uses: no condition, no question that norms answer, no case and no comparison.

A condition is one of a norm in the chapters or in a record of errata, of a row of scope, or the definition of a class that is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kb import registry, resources
from kb.graph.version import case_files
from kb.language import norms as m

WORD = re.compile(r"[\w-]+")
TITLE = re.compile(r"^\s*-?\s*(?:title|why|says):.*$|#.*$", re.M)  # words for readers


def of_book(book: str) -> list[str]:
    """The names of the book's own classes that nothing uses. A class is used where a class below it is: it holds there."""
    classes = registry.vocabulary(book).classes
    used = set(in_norms(book)) | {c for c, t in classes.items() if asked(c, (t.label, *t.alt), book)}
    while True:
        above = {a for name in used if name in classes for a in classes[name].ancestors}
        defining = {w for name in above for text in classes[name].definitions for w in WORD.findall(text)}
        if used >= above | defining:
            break
        used |= above | defining
    own = (name for name, term in classes.items() if f"/{book}#" in term.iri)
    return sorted(name for name in own if name not in used)


def in_norms(book: str) -> Iterator[str]:
    """The classes that norms look at: what their conditions and numbers name, what they are about, and what may be done."""
    for chapter in registry.book(book).chapters:
        for section in chapter.sections:
            for norm in section.norms:
                yield from in_norm(norm)
        for row in chapter.scope:
            if row.condition is not None:
                yield from m.names_in(row.condition)
    for record in registry.SHIPPED.ledger(book).records:
        for part in record.parts:
            for norm in part.norms:
                yield from in_norm(norm)


def in_norm(norm: m.Norm) -> Iterator[str]:
    """The classes that one norm looks at."""
    yield from m.names_in((norm.when, *(u.condition for u in norm.unless)))
    yield m.subject_of(norm.head)
    yield from (ending.event for ending in norm.until)
    match norm.head:
        case m.Relates(_, _, to, _):
            yield from m.names_in(to)
        case m.QuantityHead(value=value):
            yield from m.names_in(value)
        case m.Effect() | m.Link():
            yield m.trigger_of(norm.head)
        case m.Change(value=value):
            yield m.trigger_of(norm.head)
            yield from m.names_in(value)


def asked(name: str, labels: tuple[str, ...], book: str = "") -> bool:
    """Whether a case or a question of those at hand says a class, by its name or as people call it."""
    text, words = written(book)
    return name in words or any(label in words or (" " in label and label in text) for label in labels)


@lru_cache(maxsize=4)
def written(book: str = "") -> tuple[str, frozenset[str]]:
    """What stands in the cases and questions at hand, and in those of a book's records, titles and comments left out; and each word of it."""
    files = [f.read_text(encoding="utf-8") for f in (*case_files(), *questions())]
    trials = [str(t.data) for r in registry.SHIPPED.ledger(book).records for t in r.trials] if book else []
    text = "\n".join(TITLE.sub("", told) for told in (*files, *trials))
    return text, frozenset(WORD.findall(text))


def questions() -> list[Path]:
    """The files of the questions that are put to every game."""
    return sorted(resources.path("comparisons").glob("*.yaml"))
