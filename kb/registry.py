"""The books there are, each read, linked and compiled when it is first asked for, and kept.

book(id)   ──► read ──► link        a rulebook with every name resolved
theory(id) ──► compile              the norms in force, indexed
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from kb import resources
from kb.errata import checks
from kb.errors import CaseError, Place, Problem, QueryError, RulebookError, did_you_mean
from kb.language import norms
from kb.language.vocabulary import Vocabulary
from kb.rulebook import compiler, edition as editions, linker, reader
from kb.rulebook.records import InForce, Ledger
from kb.rulebook.theory import Theory


def books() -> list[str]:
    """The ids of the rulebooks there are."""
    return list(resources.books())


@lru_cache
def vocabulary(book_id: str) -> Vocabulary:
    """The classified terms of a book. Raises CaseError for a book there is none of."""
    if book_id not in books():
        hint = resources.unready(book_id) or did_you_mean(book_id, books(), "books:")
        raise CaseError(Problem(420, f"there is no book “{book_id}”", hint=hint))
    path = resources.inferred(book_id)
    if not path.is_file():
        raise CaseError(Problem(419, f"the terms of “{book_id}” are not classified yet", hint="run loophole build"))
    return Vocabulary.from_json(path.read_text(encoding="utf-8"))


@lru_cache
def text_of(book_id: str) -> norms.Book:
    """A rulebook as read, names not looked up. Raises RulebookError with all its problems."""
    vocabulary(book_id)
    found = reader.book(resources.book(book_id))
    told = {"policy.yaml": found.policy.book, **{Path(ch.file).name: ch.book for ch in found.chapters}}
    problems = [
        Problem(107, f"the folder is “{book_id}”, and here stands “book: {name}”", Place(str(resources.book(book_id) / file), 1), f"write book: {book_id}")
        for file, name in told.items() if name != book_id
    ]  # fmt: skip
    if problems:
        raise RulebookError(problems)
    return found


def book(book_id: str, toggled: tuple[str, ...] = ()) -> norms.Book:
    """A rulebook, read and linked; toggled: errata put in, or taken out of the text as encoded.

    Raises RulebookError with all its problems, those of the records included.
    """
    return linked(book_id, toggled)  # with one way to ask, one is kept: `book(b)` and `book(b, ())` were two to a cache


@lru_cache
def linked(book_id: str, toggled: tuple[str, ...]) -> norms.Book:
    """See `book`."""
    terms, found = vocabulary(book_id), text_of(book_id)
    if toggled:
        return linker.link(changed(found, checks.ledger(book_id), toggled), terms)
    lines = {c.file: Path(c.file).read_text(encoding="utf-8").splitlines() for c in found.chapters}
    made = linker.link(found, terms, lines)
    if problems := linker.unscoped(made, terms):
        raise RulebookError(problems)
    return made


def changed(found: norms.Book, records: Ledger, toggled: tuple[str, ...]) -> norms.Book:
    """A rulebook as read with some records put in or taken out. Raises RulebookError where one of them has a fault."""
    terms, kept = vocabulary(found.id), checks.hashes(found)
    faults = [f for r in records.records if r.id in toggled for f in checks.faults(records, r, found, terms, kept)]
    faults += [f for f in checks.between(records) if f.code == checks.CYCLE]
    if faults:
        raise RulebookError(faults)
    return editions.apply(found, records, toggled)


@lru_cache
def theory(
    book_id: str,
    chapters: tuple[str, ...] = (),
    readings: tuple[tuple[str, str], ...] = (),
    toggled: tuple[str, ...] = (),
) -> Theory:
    """The theory of a book (or of some chapters), under the adopted readings or others, and with other errata in force."""
    made = compiler.theory(
        book(book_id, toggled), vocabulary(book_id), chapters, dict(readings), still_narrower(book_id, toggled),
        shapes(book_id, toggled), theory(book_id, chapters) if readings or toggled else None,
    )  # fmt: skip
    gc.freeze()  # it lives as long as the process: the collector need not walk it again and again
    return made


@lru_cache
def shapes(book_id: str, toggled: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """The pairs of a book's norms of which the shape alone tells that one is the narrower."""
    return tuple(compiler.more_specific(book(book_id, toggled), vocabulary(book_id)))


def still_narrower(
    book_id: str, toggled: tuple[str, ...], records: Ledger | None = None
) -> tuple[tuple[str, str], ...]:
    """The pairs of `narrower` that a change leaves as they are; of norms worded anew their shape alone tells."""
    if not toggled:
        return narrower(book_id)
    records = records or checks.ledger(book_id)
    gone, numbers = editions.touched(records, toggled), editions.numbers(records, toggled)
    kept = [pair for pair in narrower(book_id) if not gone & set(pair)]
    return tuple((editions.moved(one, numbers), editions.moved(other, numbers)) for one, other in kept)


@lru_cache
def encoded(book_id: str) -> InForce:
    """The edition that the rulebook encodes, with the errata that it includes and the rulings accepted beside it."""
    vocabulary(book_id)
    return editions.choose(checks.ledger(book_id))


def in_edition(
    book_id: str, edition: str = "", as_of: str = "", without: Iterable[str] = (), also: Iterable[str] = ()
) -> InForce:
    """The edition and the errata in force. Raises QueryError for names that are not known."""
    if not (edition or as_of or without or also):
        return encoded(book_id)
    vocabulary(book_id)
    return editions.choose(checks.ledger(book_id), edition, as_of, without, also)


@lru_cache
def narrower(book_id: str) -> tuple[tuple[str, str], ...]:
    """The pairs of competing norms of which a DL reasoner found the first to speak of fewer situations."""
    path = resources.book(book_id) / "narrower.json"
    if not path.exists():
        return ()
    return tuple((one, other) for one, other in json.loads(path.read_text(encoding="utf-8"))["narrower"])


def known_readings(book_id: str, readings: Mapping[str, str], toggled: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Dispute and option of each reading, sorted. Raises QueryError (E957) where a norm of the book knows it not."""
    if not readings:
        return ()
    chapters = (book(book_id, toggled) if toggled else book(book_id)).chapters
    known = sorted({n.reading for c in chapters for s in c.sections for n in s.norms if n.reading})
    faults = [
        Problem(957, f"{book_id} has no reading “{said}”", hint=did_you_mean(said, known, "readings:"))
        for said in map(":".join, readings.items()) if said not in known
    ]  # fmt: skip
    if faults:
        raise QueryError(faults)
    return tuple(sorted(readings.items()))


@lru_cache
def module_terms(book_id: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each module of a book and the terms that have it for their source."""
    terms = vocabulary(book_id)
    return tuple(
        (ch.id, frozenset(t.name for t in terms.all() if f"{ch.id}." in t.source))
        for ch in book(book_id).chapters
        if ch.authority != "chapter"
    )


@lru_cache
def chapters_for(book_id: str, modules: frozenset[str]) -> tuple[str, ...]:
    """The book's own chapters and some modules, in the book's order."""
    return tuple(ch.id for ch in book(book_id).chapters if ch.authority == "chapter" or ch.id in modules)
