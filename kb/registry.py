"""The books there are, each read, linked and compiled when it is first asked for, and kept.

book(id)   ──► read ──► link        a rulebook with every name resolved; what was so read and linked is kept for the next process
theory(id) ──► compile              the norms in force, indexed

A Books is one library of them. SHIPPED is the one that is asked where no other is named: the books that Loophole brings, and
those in the folder that LOOPHOLE_BOOKS names; its methods are this module's functions.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from kb import resources, stored
from kb.errors import CaseError, Place, Problem, QueryError, RulebookError, did_you_mean
from kb.language import norms
from kb.language.vocabulary import Vocabulary, sealed
from kb.reasoner import builtins
from kb.rulebook import compiler, edition as editions
from kb.rulebook.records import InForce, Ledger
from kb.rulebook.theory import Theory
from kb.stored import Linked

MOST = 128  # of each kind of thing that is kept: chapters, readings and errata can be combined without end
P = ParamSpec("P")
T = TypeVar("T")


def kept(work: Callable[Concatenate[Books, P], T]) -> Callable[Concatenate[Books, P], T]:
    """A method whose results its library keeps, the oldest let go where there are too many.

    Empty arguments at the end are those that are left out: `book(id)` and `book(id, ())` are one.
    """

    @wraps(work)
    def found(self: Books, *args: P.args, **named: P.kwargs) -> T:
        results = self.results.setdefault(work.__name__, {})
        given: tuple[object, ...] = args
        while given and given[-1] == ():
            given = given[:-1]
        key = (*given, *named.items())
        if key not in results:
            made = work(self, *args, **named)
            if len(results) >= MOST:
                del results[next(iter(results))]
            results[key] = made
        return results[key]  # type: ignore[no-any-return]

    return found


def rebuilt(book_id: str) -> str:
    """What to do where the classified terms of a book are not as they were built."""
    return "run loophole build" + (", or install loophole-rules again" if book_id in resources.games() else "")


class Books:
    """A library of rulebooks. own: the folder of a reader's own books, where it is not the one that LOOPHOLE_BOOKS names."""

    def __init__(self, own: Path | None = None, ledgers: Mapping[str, Ledger] | None = None, base: Books | None = None):
        """ledgers: records by book, read in place of those in its folder; base: a library with the same texts."""
        self.own, self.ledgers, self.base = own, dict(ledgers or {}), base
        self.results: dict[str, dict[Any, Any]] = {}

    def with_records(self, ledger: Ledger) -> Books:
        """The same books, one of them with other records."""
        return Books(self.own, {**self.ledgers, ledger.book: ledger}, self.base or self)

    def forget(self) -> None:
        """Lets go of all that is kept: what stands in the files has changed."""
        self.results.clear()

    def forget_texts(self) -> None:
        """Lets go of what is made of the chapters: what stands in these has changed, and the classified terms have not."""
        for work in self.results.keys() - {"vocabulary"}:
            del self.results[work]

    # ── as written ──

    def names(self) -> list[str]:
        """The ids of the rulebooks there are."""
        return list(resources.books(self.own))

    @kept
    def vocabulary(self, book_id: str) -> Vocabulary:
        """The classified terms of a book. Raises CaseError for a book there is none of, or whose file is not of today's form."""
        if self.base is not None:
            return self.base.vocabulary(book_id)
        if book_id not in self.names():
            hint = resources.unready(book_id, self.own) or did_you_mean(book_id, self.names(), "books:")
            raise CaseError(Problem(420, f"there is no book “{book_id}”", hint=hint))
        path = resources.inferred(book_id, self.own)
        why = "are not classified yet"
        if path.is_file():
            try:
                text = path.read_text(encoding="utf-8")
                if sealed(text) is None:
                    raise ValueError("no checksum stands at their head")
                found = Vocabulary.from_json(text)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                why = f"do not read as they are classified: {error}"
            else:
                if faults := builtins.faults(found):
                    raise CaseError(faults)
                return found
        raise CaseError(Problem(419, f"the terms of “{book_id}” {why}", hint=rebuilt(book_id)))

    @kept
    def text_of(self, book_id: str) -> norms.Book:
        """A rulebook as read, names not looked up. Raises RulebookError with all its problems."""
        if self.base is not None:
            return self.base.text_of(book_id)
        self.vocabulary(book_id)
        from kb.rulebook import reader

        folder = resources.book(book_id, self.own)
        found = reader.book(folder)
        told = {"policy.yaml": found.policy.book, **{Path(ch.file).name: ch.book for ch in found.chapters}}
        problems = [
            Problem(107, f"the folder is “{book_id}”, and here stands “book: {name}”", Place(str(folder / file), 1), f"write book: {book_id}")
            for file, name in told.items() if name != book_id
        ]  # fmt: skip
        if problems:
            raise RulebookError(problems)
        return found

    @kept
    def narrower(self, book_id: str) -> tuple[tuple[str, str], ...]:
        """The pairs of competing norms of which a DL reasoner found the first to speak of fewer situations."""
        path = resources.book(book_id, self.own) / "narrower.json"
        if not path.exists():
            return ()
        return tuple((one, other) for one, other in json.loads(path.read_text(encoding="utf-8"))["narrower"])

    # ── linked and compiled ──

    @kept
    def book(self, book_id: str, toggled: tuple[str, ...] = (), /) -> norms.Book:
        """A rulebook, read and linked; toggled: errata put in, or taken out of the text as encoded.

        Raises RulebookError with all its problems, those of the records included.
        """
        if not toggled and self.base is not None:
            return self.base.book(book_id)
        if not toggled:
            return self.linked(book_id).book
        from kb.rulebook import linker

        return linker.link(self.changed(self.text_of(book_id), toggled), self.vocabulary(book_id))

    @kept
    def linked(self, book_id: str) -> Linked:
        """A rulebook, read, linked and found sound, with what follows from that alone. Raises RulebookError with all its problems."""
        terms = self.vocabulary(book_id)

        def made() -> Linked:
            from kb.rulebook import soundness

            found = soundness.linked(lambda: self.text_of(book_id), terms)
            return Linked(found, tuple(compiler.more_specific(found, terms)))

        return self.stored(f"{book_id}-linked", Linked, self.files(book_id), made)

    def stored(self, name: str, kind: type[T], files: Iterable[Path], make: Callable[[], T]) -> T:
        """What is made from files, kept from one process to the next; a library with books or records of its own keeps nothing."""
        return make() if self.own is not None or self.ledgers else stored.kept(name, kind, files, make)

    def files(self, book_id: str) -> list[Path]:
        """The files that a linked book is made from."""
        folder = resources.book(book_id, self.own)
        return [*sorted(folder.glob("*.md")), folder / "policy.yaml", resources.inferred(book_id, self.own)]

    def changed(self, found: norms.Book, toggled: tuple[str, ...]) -> norms.Book:
        """A rulebook as read with some records put in or taken out. Raises RulebookError where one of them has a fault."""
        from kb.errata import checks

        terms, kept_, records = self.vocabulary(found.id), checks.hashes(found), self.ledger(found.id)
        faults = [f for r in records.records if r.id in toggled for f in checks.faults(records, r, found, terms, kept_)]
        faults += [f for f in checks.between(records) if f.code == checks.CYCLE]
        if faults:
            raise RulebookError(faults)
        return editions.apply(found, records, toggled)

    @kept
    def theory(
        self, book_id: str, chapters: tuple[str, ...] = (), readings: tuple[tuple[str, str], ...] = (),
        toggled: tuple[str, ...] = (), /,
    ) -> Theory:  # fmt: skip
        """The theory of a book (or of some chapters), under the adopted readings or others, and with other errata in force."""
        if not toggled and self.base is not None:
            return self.base.theory(book_id, chapters, readings)
        made = compiler.theory(
            self.book(book_id, toggled), self.vocabulary(book_id), chapters,
            dict(readings), self.still_narrower(book_id, toggled), self.shapes(book_id, toggled),
            self.theory(book_id, chapters) if readings or toggled else None,
        )  # fmt: skip
        gc.freeze()  # it lives as long as the process: the collector need not walk it again and again
        return made

    @kept
    def shapes(self, book_id: str, toggled: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """The pairs of a book's norms of which the shape alone tells that one is the narrower."""
        if not toggled and self.base is None:
            return self.linked(book_id).shapes
        return tuple(compiler.more_specific(self.book(book_id, toggled), self.vocabulary(book_id)))

    def still_narrower(self, book_id: str, toggled: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """The pairs of `narrower` that a change leaves as they are; of norms worded anew their shape alone tells."""
        if not toggled:
            return self.narrower(book_id)
        records = self.ledger(book_id)
        gone, numbers = editions.touched(records, toggled), editions.numbers(records, toggled)
        pairs = [pair for pair in self.narrower(book_id) if not gone & set(pair)]
        return tuple((editions.moved(one, numbers), editions.moved(other, numbers)) for one, other in pairs)

    # ── editions, readings, modules ──

    def ledger(self, book_id: str) -> Ledger:
        """A book's editions and records. Raises RulebookError."""
        if told := self.ledgers.get(book_id):
            return told
        from kb.errata import checks

        return checks.ledger(book_id, self.own)

    @kept
    def encoded(self, book_id: str) -> InForce:
        """The edition that the rulebook encodes, with the errata that it includes and the rulings accepted beside it."""
        self.vocabulary(book_id)
        files = [resources.book(book_id, self.own) / "errata" / "records.md"]
        return self.stored(f"{book_id}-edition", InForce, files, lambda: editions.choose(self.ledger(book_id)))

    def in_edition(
        self, book_id: str, edition: str = "", as_of: str = "", without: Iterable[str] = (), also: Iterable[str] = ()
    ) -> InForce:
        """The edition and the errata in force. Raises QueryError for names that are not known."""
        if not (edition or as_of or without or also):
            return self.encoded(book_id)
        self.vocabulary(book_id)
        return editions.choose(self.ledger(book_id), edition, as_of, without, also)

    def known_readings(
        self, book_id: str, readings: Mapping[str, str], toggled: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        """Dispute and option of each reading, sorted. Raises QueryError (E957) where a norm of the book knows it not."""
        if not readings:
            return ()
        chapters = self.book(book_id, toggled).chapters
        known = sorted({n.reading for c in chapters for s in c.sections for n in s.norms if n.reading})
        faults = [
            Problem(957, f"{book_id} has no reading “{said}”", hint=did_you_mean(said, known, "readings:"))
            for said in map(":".join, readings.items()) if said not in known
        ]  # fmt: skip
        if faults:
            raise QueryError(faults)
        return tuple(sorted(readings.items()))

    @kept
    def module_terms(self, book_id: str) -> tuple[tuple[str, frozenset[str]], ...]:
        """Each module of a book and the terms that have it for their source."""
        terms = self.vocabulary(book_id)
        return tuple(
            (ch.id, frozenset(t.name for t in terms.all() if f"{ch.id}." in t.source))
            for ch in self.book(book_id).chapters
            if ch.authority != "chapter"
        )

    @kept
    def chapters_for(self, book_id: str, modules: frozenset[str]) -> tuple[str, ...]:
        """The book's own chapters and some modules, in the book's order."""
        return tuple(ch.id for ch in self.book(book_id).chapters if ch.authority == "chapter" or ch.id in modules)


SHIPPED = Books()
books, vocabulary, text_of, book, theory = (
    SHIPPED.names,
    SHIPPED.vocabulary,
    SHIPPED.text_of,
    SHIPPED.book,
    SHIPPED.theory,
)
in_edition, narrower = SHIPPED.in_edition, SHIPPED.narrower
