"""The main path, one function an arrow: rulebooks and a case in, a proof out.

book(id)   ──► read ──► link        a rulebook with every name resolved
theory(id) ──► compile              the norms in force, indexed
case(data) ──► case.read            a checked case
ask(data)  ──► reason.answer        the proof
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kb import files, resources
from kb.answers.outline import Quotes
from kb.cases import reader as cases, writer
from kb.errata import checks
from kb.errors import CaseError, LoopholeError, Place, Problem, QueryError, RulebookError, did_you_mean
from kb.language import norms
from kb.language.case import Case, Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner import counterfactuals, reason
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Flip
from kb.rulebook import compiler, edition as editions, linker, reader
from kb.rulebook.records import InForce, Ledger
from kb.rulebook.theory import Theory
from kb.yaml_document import Source, document

WORD = re.compile(r"\w+")


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


def case(data: Mapping[str, Any] | str | Path) -> Case:
    """A checked case from a mapping, YAML or JSON text, or a file. Raises CaseError."""
    source = Source()
    if isinstance(data, Path):
        data, source = document(files.read_text(data, 400, CaseError), str(data))
    elif isinstance(data, str):
        data, source = document(data)
    if not isinstance(data, Mapping) or "book" not in data:
        place = Place(source.file, 1) if source.file else source.place()
        raise CaseError(
            Problem(410, "a case is a mapping with book, things and ask", place, f"book: one of {', '.join(books())}")
        )
    found = cases.read(data, vocabulary(str(data["book"])), source)
    if not found.modules:
        return found
    return replace(found, modules=tuple(module_named(found.book, name, source) for name in found.modules))


def module_named(book_id: str, name: str, source: Source) -> str:
    """The id of the chapter of a book that a case means by a module's name. Raises CaseError."""
    modules = [ch for ch in book(book_id).chapters if ch.authority != "chapter"]
    for ch in modules:
        if name.casefold() in (word.casefold() for word in (ch.id, *ch.aliases)):
            return ch.id
    hint = f"modules: {', '.join(ch.id for ch in modules) or 'none'}"
    raise CaseError(Problem(429, f"the book has no module “{name}”", source.place("modules"), hint))


def ask(
    data: Case | Mapping[str, Any] | str | Path,
    chapters: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    edition: str = "",
    as_of: str = "",
    without: Iterable[str] = (),
    also: Iterable[str] = (),
) -> Proof:
    """The answer to a case, with its proof. Raises CaseError, RulebookError or QueryError.

    chapters: only these (and what they build on), instead of those in force. readings: dispute to option, where it is
    not to be the adopted one. edition: of the book, instead of the one that the case names or the rulebook encodes;
    as_of: a date, instead of an edition; without, also: errata taken out or put in.
    """
    found = data if isinstance(data, Case) else case(data)
    under = in_edition(found.book, edition or ("" if as_of else found.edition), as_of, without, also)
    adopted = known_readings(found.book, readings or {}, under.toggled)
    return answered(found, Asked(tuple(chapters), adopted, under))


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


def ask_further(proof: Proof, question: Mapping[str, Any]) -> Proof:
    """The answer to another question about the facts of a proof, asked as that was. Raises CaseError.

    question: as in a case's `ask`. What was found of the facts is not worked out again.
    """
    assert isinstance(proof.asked, Asked)
    return answered(cases.another(proof.case, question, vocabulary(proof.case.book)), proof.asked, proof)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question is asked: of which chapters (none: those in force), in which readings, under which edition."""

    chapters: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    edition: InForce


def answered(found: Case, how: Asked, earlier: Proof | None = None) -> Proof:
    """The proof, with the other readings among its flips; earlier: one about the same facts."""
    chosen, toggled = how.chapters or in_force(found), how.edition.toggled
    rules = asked(found.book, chosen, how.readings, toggled)
    staged = earlier.situation if earlier is not None and earlier.theory is rules else None
    proof = reason.answer(rules, found, staged=staged)
    proof.edition, proof.asked = how.edition, how
    of_facts = proof.find_flips
    proof.find_flips = lambda p: (
        *(flip for flip in of_facts(p) if flip.kind != "facts" or as_written(flip, p, how)),
        *other_readings(p, chosen, dict(how.readings), toggled),
    )
    return proof


def as_written(flip: Flip, proof: Proof, how: Asked) -> bool:
    """Whether a change of facts does what it promises when it is written into the case: read anew, under all the rules that
    the words of the case then bring into force."""
    found = proof.case
    try:
        for edit in flip.edits:
            found = edit.apply(found)
        again = case(writer.mapping(found))
        rules = asked(again.book, how.chapters or in_force(again), how.readings, how.edition.toggled)
        return counterfactuals.said(reason.answer(rules, again, False)) == flip.verdict
    except (KeyError, LoopholeError):
        return False


def asked(
    book_id: str, chapters: tuple[str, ...], readings: tuple[tuple[str, str], ...], toggled: tuple[str, ...]
) -> Theory:
    """The theory asked: the one kept for every answer where no erratum is put in or taken out."""
    return theory(book_id, chapters, readings, toggled) if toggled else theory(book_id, chapters, readings)


def other_readings(
    proof: Proof, chapters: tuple[str, ...], adopted: Mapping[str, str], toggled: tuple[str, ...] = ()
) -> Iterator[Flip]:
    """Each other reading of an ambiguous rule under which the answer would not be the same."""
    found = proof.case
    for dispute, options in counterfactuals.readings(proof.theory).items():
        for option in options:
            if option == adopted.get(dispute, options[0]):
                continue
            read_so = tuple(sorted({**adopted, dispute: option}.items()))
            other = reason.answer(asked(found.book, chapters, read_so, toggled), found, False)
            if counterfactuals.said(other) != counterfactuals.said(proof):
                yield Flip("reading", f"{dispute} is read as “{option}”", counterfactuals.said(other), (), other.value)


def in_force(found: Case) -> tuple[str, ...]:
    """The chapters whose rules a case is under: the book's own, each module that it names, and each whose terms it uses."""
    spoken: set[str] = set()
    for facts in found.things.values():
        spoken.update(facts.is_, facts.not_, facts.links, facts.numbers, facts.flags)
    question: Question | None = found.question
    while question is not None:
        spoken.update((question.quantity, question.cls))
        if question.condition is not None:
            spoken.update(WORD.findall(str(question.condition)))
        question = question.inner
    brought = {module for module, terms in module_terms(found.book) if terms & spoken}
    return chapters_for(found.book, frozenset(brought.union(found.modules)))


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


def quotes(made: Theory) -> Quotes | None:
    """The reader's own sentences for ours of a theory's rules, each with its source; None when none is imported."""
    from kb.texts import shelf

    if not shelf.edition(made.book):
        return None
    from kb.texts import edition_diff

    found = {}
    for chapter in made.chapters.values():
        found.update(edition_diff.quotes_for(chapter))

    def of(rule: str, numbers: tuple[int, ...]) -> list[tuple[str, str]]:
        rows = [q for n in numbers for q in found.get((rule, n), ())]
        return [
            (q.text, f"your {q.chapter or q.book}, {q.rule}" + (f" (page {q.page})" if q.page else ""))
            for q in dict.fromkeys(rows)
        ]

    return of if found else None
