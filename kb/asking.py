"""A case in, a proof out: the edition, the chapters and the readings under which it is asked.

case(data)       ──► cases.reader.read    a checked case
ask(data)        ──► reason.answer        the proof
in_english(text) ──► english.asked        a question in words as a case, and what is asked back
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from kb import registry
from kb.answers import proof_json
from kb.answers.parts import Quotes
from kb.cases import casebook, reader as cases, writer
from kb.cases.casebook import Written
from kb.circuit import answers as circuit
from kb.errors import CaseError, LoopholeError, Place, Problem, TextError
from kb.language import norms
from kb.language.case import Case, Question
from kb.reasoner import counterfactuals, reason
from kb.reasoner.proof import WHICH, Proof as Proof
from kb.reasoner.trace import Flip
from kb.registry import Books
from kb.rulebook.records import InForce
from kb.rulebook.theory import Theory
from kb.yaml_document import Source

# A question is mostly asked as a case, and its proof not read from a file: what only the others need is imported by them.
if TYPE_CHECKING:
    from kb.checker import recorded
    from kb.english.reading import Reading as Reading

WORD = re.compile(r"\w+")


def case(data: Mapping[str, Any] | str | Path | Written, name: str = "", books: Books | None = None) -> Case:
    """A checked case from a mapping, YAML or JSON text, or a file; of several there, the one of that name. Raises CaseError.

    books: here and below, the library asked.
    """
    books, source, called = books or registry.SHIPPED, Source(), ""
    if not isinstance(data, Mapping):
        if not isinstance(data, Written):
            data = casebook.one(casebook.in_file(data) if isinstance(data, Path) else casebook.in_text(data), name)
        called, source = "" if data.alone else data.name, data.source
        data = data.data
    if not isinstance(data, Mapping) or "book" not in data:
        place = Place(source.file, source.start + 1) if source.file else source.place()
        raise CaseError(
            Problem(
                410, "a case is a mapping with book, things and ask", place, f"book: one of {', '.join(books.names())}"
            )
        )
    found = cases.read(data, books.vocabulary(str(data["book"])), source)
    if called and not found.name:
        found = replace(found, name=called)
    if not found.modules:
        return found
    book = books.book(found.book)
    return replace(found, modules=tuple(module_named(book, module, source) for module in found.modules))


def in_english(text: str, book: str = "") -> Reading:
    """A question in English as it is understood, of that book or of the one that has its words. Only where nothing is unread may its
    case be asked. Raises CaseError (E464, E465, or E420 for an unknown book)."""
    from kb.english import asked as english

    return english.understood(text, book)


def module_named(book: norms.Book, name: str, source: Source) -> str:
    """The id of the chapter of a book that a case means by a module's name. Raises CaseError."""
    modules = [ch for ch in book.chapters if ch.authority != "chapter"]
    for ch in modules:
        if name.casefold() in (word.casefold() for word in (ch.id, *ch.aliases)):
            return ch.id
    hint = f"modules: {', '.join(ch.id for ch in modules) or 'none'}"
    raise CaseError(Problem(429, f"the book has no module “{name}”", source.place("modules"), hint))


def ask(
    data: Case | Mapping[str, Any] | str | Path | Written,
    chapters: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    edition: str = "",
    as_of: str = "",
    without: Iterable[str] = (),
    also: Iterable[str] = (),
    books: Books | None = None,
    effort: int = 0,
) -> Asked:
    """The answer to a case, with its proof. Raises CaseError, RulebookError or QueryError.

    chapters: only these (and what they build on), instead of those in force. readings: dispute to option, where it is
    not to be the adopted one. edition: of the book, instead of the one that the case names or the rulebook encodes;
    as_of: a date, instead of an edition; without, also: errata taken out or put in. effort: how many goals may be worked out for
    what would turn it (`untried` says how many changes that left out); 0: as many as usual.
    """
    found = data if isinstance(data, Case) else case(data, books=books)
    return answered(found, manner(found, chapters, readings, edition, as_of, without, also, books, effort))


def manner(
    found: Case,
    chapters: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    edition: str = "",
    as_of: str = "",
    without: Iterable[str] = (),
    also: Iterable[str] = (),
    books: Books | None = None,
    effort: int = 0,
) -> Manner:
    """How a case is asked that is asked as `ask` has it: the same for all of a book that name the same edition. Raises QueryError."""
    books = books or registry.SHIPPED
    under = books.in_edition(found.book, edition or ("" if as_of else found.edition), as_of, without, also)
    adopted = books.known_readings(found.book, readings or {}, under.toggled)
    return Manner(tuple(chapters), adopted, under, books, effort)


def ask_further(proof: Proof, question: Mapping[str, Any]) -> Asked:
    """The answer to another question about the facts of a proof, asked as that was. Raises CaseError.

    question: as in a case's `ask`. What was found of the facts is not worked out again.
    """
    assert isinstance(proof, Asked)
    terms = proof.how.books.vocabulary(proof.case.book)
    return answered(cases.another(proof.case, question, terms), proof.how, proof)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a question is asked: of which chapters (none: those in force), in which readings, under which edition, of which library, and with
    which effort for what would turn the answer (0: the usual)."""

    chapters: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    edition: InForce
    books: Books
    effort: int = 0

    def theory(self, found: Case, readings: tuple[tuple[str, str], ...] | None = None) -> Theory:
        """The rules that a case is asked of, in its own readings or others."""
        chapters = self.chapters or in_force(found, self.books)
        read_so = self.readings if readings is None else readings
        return self.books.theory(found.book, chapters, read_so, self.edition.toggled)


@dataclass(frozen=True, eq=False)
class Asked(reason.Answer):
    """An answer of a library of books. how: how it was asked."""

    how: Manner = field(kw_only=True)

    @cached_property
    def turned(self) -> tuple[tuple[Flip, ...], int]:
        """What turns it: changes of facts that do so as a case has them written, rules, and other readings; and how many were not tried."""
        found, untried = self.turns
        written = counterfactuals.Trials.of_flips(self.allowed)
        kept = [flip for flip in found if flip.kind != "facts" or as_written(flip, self, self.how, written)]
        others, unread = self.readings
        return (*kept, *others), untried + written.untried + unread

    @cached_property
    def readings(self) -> tuple[tuple[Flip, ...], int]:
        """The other readings under which it would be another, and how many were not tried."""
        tries = counterfactuals.Trials.of_flips(self.allowed)
        return tuple(other_readings(self, self.how, tries)), tries.untried

    @property
    def read_otherwise(self) -> tuple[Flip, ...]:
        """The other readings among what turns it: nothing else is tried for them."""
        return self.readings[0]

    @cached_property
    def flips(self) -> tuple[Flip, ...]:
        """Each smallest change that turns it, as far as it could be tried."""
        return self.turned[0]

    @property
    def untried(self) -> int:
        """How many changes, and facts that may be missing, were not tried, for want of time."""
        return self.left_out + self.turned[1]

    @property
    def sieve(self) -> counterfactuals.Sieve:
        """Changes are looked at all at once, and asked of the reasoner where they turn something."""
        return circuit.sieve

    @property
    def allowed(self) -> int:
        """The goals that may be worked out for what turns it; 0 for as many as usual."""
        return self.how.effort


def answered(found: Case, how: Manner, earlier: Asked | None = None, missing: bool = True) -> Asked:
    """The answer, with the other readings among its flips; earlier: one about the same facts. With `missing` false, it is not
    looked for what an open answer misses."""
    rules = how.theory(found)
    same = earlier is not None and earlier.theory is rules and earlier.verdict != WHICH
    staged = earlier.worked[1] if same and earlier is not None else None
    proof = reason.answer(rules, found, staged=staged, missing=missing, sieve=circuit.sieve)
    return reason.made(Asked, proof, how=how, edition=how.edition)


def as_written(flip: Flip, proof: Proof, how: Manner, tries: counterfactuals.Trials) -> bool:
    """Whether a change of facts does what it promises when it is written into the case: read anew, under all the rules that
    the words of the case then bring into force. What takes too long to try does not."""
    found = proof.case
    try:
        for edit in flip.edits:
            found = edit.apply(found)
        again = case(writer.mapping(found), books=how.books)
        if (again.things, again.history) == (found.things, found.history) and how.theory(again) is proof.theory:
            return True  # the very case that was tried
        return counterfactuals.said(tries.decide(how.theory(again), again)) == flip.verdict
    except (KeyError, LoopholeError, counterfactuals.TooLong):
        return False


def other_readings(proof: Asked, how: Manner, tries: counterfactuals.Trials) -> Iterator[Flip]:
    """Each other reading of an ambiguous rule under which the answer would not be the same, as far as it can be tried."""
    found, adopted = proof.case, dict(how.readings)
    for dispute, options in counterfactuals.readings(proof.theory).items():
        for option in options:
            if option == adopted.get(dispute, options[0]):
                continue
            read_so = tuple(sorted({**adopted, dispute: option}.items()))
            with suppress(counterfactuals.TooLong):
                if proof.same_read(dispute, option):
                    continue
                other = reason.under(how.theory(found, read_so), proof, tries)
                if counterfactuals.said(other) != counterfactuals.said(proof):
                    yield Flip("reading", counterfactuals.said(other), reading=(dispute, option), value=other.value)


def in_force(found: Case, books: Books | None = None) -> tuple[str, ...]:
    """The chapters whose rules a case is under: the book's own, each module that it names, and each whose terms it uses."""
    books, spoken = books or registry.SHIPPED, set[str]()
    for facts in found.things.values():
        spoken.update(facts.is_, facts.not_, facts.links, facts.numbers, facts.flags)
    question: Question | None = found.question
    while question is not None:
        spoken.update((question.quantity, question.cls))
        if question.condition is not None:
            spoken.update(WORD.findall(str(question.condition)))
        question = question.inner
    brought = {module for module, terms in books.module_terms(found.book) if not terms.isdisjoint(spoken)}
    return books.chapters_for(found.book, frozenset(brought.union(found.modules)))


def rules(found: Case, books: Books | None = None) -> Theory:
    """The rules that a case is asked of where nothing else is said: those in force, in the edition that it names."""
    books = books or registry.SHIPPED
    return Manner((), (), books.in_edition(found.book, found.edition), books).theory(found)


# ── proofs that go out and come back ──


def record(proof: Proof, flips: bool = True) -> dict[str, Any]:
    """A proof as JSON with all that is needed to check it elsewhere: the case, how it was asked, and what the rules were."""
    from kb.coverage import hashes

    found = proof_json.to_json(proof, flips)
    as_told = replace(proof.case, things=proof.case.said) if proof.case.said else proof.case
    found["case"] = writer.mapping(as_told)
    how = proof.how if isinstance(proof, Asked) else None
    found["asked"] = {
        "chapters": list(how.chapters) if how else [], "readings": dict(how.readings) if how else {},
    }  # fmt: skip
    found["rules"] = {
        "sha256": proof.theory.fingerprints[""], "terms": proof.theory.vocabulary.version,
        "chapters": {name: proof.theory.fingerprints[name] for name in proof.theory.chapters},
        "sentences": {rule: list(hashes.of_encoded(proof.theory.chapters.values(), rule)) for rule in proof.cites},
    }  # fmt: skip
    return found


def certified(data: bytes | str, books: Books | None = None) -> tuple[Proof, list[Problem]]:
    """A recorded proof, and every fault of it; none: accepted. Raises RecordError where it cannot be read, CaseError or QueryError
    where its case or edition is none.

    The answer is worked out anew without the reasoner, each step is held against the rules as they are loaded here, and all that
    the record says besides must be what follows from its steps.
    """
    from kb.checker import recorded
    from kb.checker.checker import certify

    books = books or registry.SHIPPED
    told = recorded.decoded(data)
    found = case(told.case, books=books)
    under = edition_of(told, books)
    readings = books.known_readings(found.book, told.asked.readings, under.toggled)
    theory = Manner(told.asked.chapters, readings, under, books).theory(found)
    faults = recorded.other_rules(told, theory)
    if faults:
        raise recorded.RecordError(faults)
    proof = recorded.read(told, theory, found, under)
    problems = certify(proof, theory, found, edition=under, deep=told.flips is not None)
    again = record(proof, told.flips is not None)
    again["asked"] = msgspec.to_builtins(told.asked)
    return proof, problems or recorded.otherwise(data, again)


def edition_of(told: recorded.WholeRecord, books: Books) -> InForce:
    """The edition and the errata that a record is of. Raises QueryError for what this library does not know."""
    if told.edition is None:
        return InForce(told.book, "")
    edition, as_of, errata, without = (told.edition.get(key) or "" for key in ("id", "as_of", "errata", "without"))
    encoded = books.encoded(told.book)
    if (edition, tuple(errata), as_of) == (encoded.edition, encoded.errata, ""):
        return encoded
    return books.in_edition(told.book, "" if as_of else edition, as_of, tuple(without), tuple(errata))


def quotes(made: Theory) -> Quotes | None:
    """The reader's own sentences for ours of a theory's rules, each with its source; None when none is imported."""
    from kb.texts import shelf

    if not shelf.folders(made.book):
        return None
    from kb.coverage import edition_diff

    found = {}
    for chapter in made.chapters.values():
        with suppress(TextError):  # told by shelf.damaged; an answer does not turn on it
            found.update(edition_diff.quotes_for(chapter))

    def of(rule: str, numbers: tuple[int, ...]) -> list[tuple[str, str]]:
        rows = [q for n in numbers for q in found.get((rule, n), ())]
        return [
            (q.text, f"your {q.chapter or q.book}, {q.rule}" + (f" (page {q.page})" if q.page else ""))
            for q in dict.fromkeys(rows)
        ]

    return of if found else None
