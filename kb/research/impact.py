"""What a change means: which answers are others with it than without it, and the smallest invented case that it flips.

    of_record(book, id)        with and without one erratum
    of_editions(book, a, b)    under two editions
    of_draft(path)             with and without the records of a file that is not shipped yet

Every answer is the reasoner's, asked twice. Where no invented case flips, what was tried is stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb import asking, registry, resources
from kb.answers import proof_json as records
from kb.cases import reader as cases
from kb.errata import checks, reader
from kb.errors import CaseError, LoopholeError, Problem, QueryError, RulebookError
from kb.language import norms as m
from kb.language.case import Case
from kb.ontology import subsumption
from kb.reasoner import counterfactuals, reason
from kb.reasoner.proof import UNDETERMINED, Proof
from kb.registry import Books
from kb.research import rulings, witness_facts, witness_search
from kb.rulebook import edition as editions, records as e
from kb.rulebook.theory import Theory, names
from kb.yaml_document import document

FACTS, GUIDED, FREE = 6, 150, 1500  # bounds of a search: facts said; situations of a size tried by guess, and all told
REACH = 18  # facts, where the conditions themselves ask for more than the bound before anything can flip
MOST_MISSING, SETTLED = 3, 60
VERDICT, VALUE, CHAIN = "verdict", "value", "chain"


@dataclass(frozen=True)
class Side:
    """One of the two rulebooks compared; its theories are made when first asked."""

    books: Books
    ledger: e.Ledger
    under: e.InForce

    def book(self) -> m.Book:
        """The linked rulebook. Raises RulebookError for a record with a fault."""
        return self.books.book(self.ledger.book, self.under.toggled)

    def theory(self, chapters: tuple[str, ...]) -> Theory:
        """The theory of some chapters on this side."""
        return self.books.theory(self.ledger.book, chapters, (), self.under.toggled)

    def ask(self, case: Case, deep: bool = False) -> Proof:
        """The answer to a case on this side. deep: with missing facts and flips. Raises LoopholeError."""
        found = reason.answer(self.theory(asking.in_force(case)), case, deep)
        found.edition = self.under
        return found

    def looked(self, case: Case) -> tuple[Proof, frozenset[str]]:
        """The answer to a case, and every norm that was looked at for it; kept for a case from a file in the base."""
        key = (self.ledger.book, self.under.toggled, case.file)
        if case.file and not self.under.toggled and key in KEPT:
            return KEPT[key]
        made = self.theory(asking.in_force(case))
        made.tried = set()
        found = self.ask(case), frozenset(made.tried)
        made.tried = None
        if case.file and not self.under.toggled:
            KEPT[key] = found
        return found

    def norms(self) -> dict[str, m.Norm]:
        """The norms of this side by their ids."""
        return {n.id: n for ch in self.book().chapters for s in ch.sections for n in s.norms}


def sides(ledger: e.Ledger, before: e.InForce, after: e.InForce) -> tuple[Side, Side]:
    """The books before and after a change, with these records."""
    books = registry.SHIPPED.with_records(ledger)
    return Side(books, ledger, before), Side(books, ledger, after)


@dataclass(frozen=True)
class Difference:
    """A case whose answer is another after the change. kind: verdict, value, or chain (other rules say the same)."""

    name: str
    kind: str
    before: Proof
    after: Proof


@dataclass(frozen=True)
class Witness:
    """A smallest invented case that flips: `size` facts besides what the question itself names."""

    case: Mapping[str, Any]
    size: int
    norm: str
    before: Proof
    after: Proof


@dataclass(frozen=True)
class Impact:
    """What a change means. norms: (id, before, after), None where one side lacks it. bounds: what the search tried."""

    name: str
    book: str
    before: e.InForce
    after: e.InForce
    norms: tuple[tuple[str, m.Norm | None, m.Norm | None], ...]
    asked: int
    differences: tuple[Difference, ...]
    witness: Witness | None
    bounds: str


# ── which change ──


def of_record(book_id: str, name: str, paths: Iterable[Path] = (), bound: int = FACTS) -> Impact:
    """With and without an erratum, the rest as in the base. Raises QueryError, RulebookError or CaseError."""
    found = checks.ledger(book_id)
    record = found.record(editions.known(found, name))
    assert record is not None
    held = found.in_base(record)
    now = editions.choose(found)
    other = editions.choose(found, without=[record.id] if held else (), also=() if held else [record.id])
    before, after = (other, now) if held else (now, other)
    return compare(record.id, *sides(found, before, after), paths, bound)


def of_editions(book_id: str, one: str, other: str, paths: Iterable[Path] = (), bound: int = FACTS) -> Impact:
    """Under one edition and under another. Raises QueryError, RulebookError or CaseError."""
    found = checks.ledger(book_id)
    before, after = (editions.choose(found, name) for name in (one, other))
    return compare(f"{one} to {other}", *sides(found, before, after), paths, bound)


def of_draft(path: Path, paths: Iterable[Path] = (), bound: int = FACTS) -> Impact:
    """With and without the records of a file, put beside those that are shipped. Raises RulebookError with their faults."""
    draft = reader.file(path, checks.ledger)
    shipped = checks.ledger(draft.book)
    new = [r for r in draft.records if shipped.record(r.id) is None]
    if len(new) < len(draft.records):
        taken = [r for r in draft.records if shipped.record(r.id) is not None]
        raise RulebookError(
            Problem(971, f"{r.id} is a record already", r.place, "give the draft another id") for r in taken
        )
    joined = replace(shipped, records=(*shipped.records, *new))
    text = registry.text_of(draft.book)
    faults = checks.check(joined, text, registry.vocabulary(draft.book), checks.hashes(text))
    if faults:
        raise RulebookError(faults)
    ids = [r.id for r in new if r.changes]
    before = editions.choose(joined, without=[i for i in ids if i in editions.choose(joined).errata])
    after = editions.choose(joined, also=ids)
    return compare(", ".join(r.id for r in new), *sides(joined, before, after), paths, bound)


# ── what changes ──


def compare(name: str, before: Side, after: Side, paths: Iterable[Path], bound: int) -> Impact:
    """Asks every case of the book on both sides, and looks for a smallest case that flips."""
    norms = changed(before, after)
    asked = 0
    differences: list[Difference] = []
    for title, case in corpus(before.ledger, paths, name) if norms else ():
        asked += 1
        one, other = both(before, after, case, norms)
        if one is None or other is None:
            continue
        kind = differs(one, other)
        if kind:
            differences.append(Difference(title, kind, one, other))
    order = {VERDICT: 0, VALUE: 1, CHAIN: 2}
    differences.sort(key=lambda d: (order[d.kind], d.name))
    witness, bounds = invent(before, after, norms, bound)
    return Impact(
        name, before.ledger.book, before.under, after.under, norms, asked, tuple(differences), witness, bounds
    )


KEPT: dict[tuple[str, tuple[str, ...], str], tuple[Proof, frozenset[str]]] = {}


def both(
    before: Side, after: Side, case: Case, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]]
) -> tuple[Proof | None, Proof | None]:
    """A case's answers on both sides; (None, None) where one side looks at no norm that the other words otherwise.

    Norms that only the other side has cannot be seen from here: then both are asked.
    """
    first, second = (before, after) if not before.under.toggled else (after, before)
    one, looked = first.looked(case)
    added = any(
        (old if first is after else new) is not None and (new if first is after else old) is None
        for _, old, new in norms
    )
    if not added and not looked & {name for name, _, _ in norms}:
        return None, None
    other = second.ask(case)
    return (one, other) if first is before else (other, one)


def changed(before: Side, after: Side) -> tuple[tuple[str, m.Norm | None, m.Norm | None], ...]:
    """The norms that one side lacks or words otherwise."""
    old, new = before.norms(), after.norms()
    return tuple(
        (name, old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if name not in old or name not in new or not checks.same(old[name], new[name])
    )


def differs(one: Proof, other: Proof) -> str:
    """verdict, value or chain; "" when nothing differs."""
    if one.verdict != other.verdict or (
        counterfactuals.said(one) != counterfactuals.said(other) and one.value == other.value
    ):
        return VERDICT
    if one.value != other.value:
        return VALUE
    if one.chosen != other.chosen:
        return VERDICT
    return CHAIN if chain(one) != chain(other) else ""


def chain(proof: Proof) -> tuple[object, object, object]:
    """What an answer rests on: the norms that decide as they read, those that lost, and the rules it leans on."""
    return (
        sorted((w.norm.id, str(w.norm.when)) for w in proof.winners),
        sorted((d.loser.norm.id, d.winner.norm.id) for d in proof.defeats),
        sorted(proof.cites) if proof.winners else (),
    )


@lru_cache(maxsize=4)
def cases_in(paths: tuple[Path, ...]) -> tuple[tuple[str, Case], ...]:
    """(file, case) for every case file under some paths; what compares several books is no case of one."""
    out: dict[Path, tuple[str, Case]] = {}
    for path in paths:
        for file in resources.cases(path):
            data, source = document(resources.read_text(file, 400, CaseError), str(file))
            if isinstance(data, Mapping) and "book" in data and "ask" in data:
                out.setdefault(
                    file.resolve(), (str(file), cases.read(data, registry.vocabulary(str(data["book"])), source))
                )
    return tuple(out.values())


def corpus(ledger: e.Ledger, paths: Iterable[Path], name: str = "") -> Iterator[tuple[str, Case]]:
    """(name, case) for every case of the book under some paths, of every ruling on record, and of the record itself."""
    yield from ((file, case) for file, case in cases_in(tuple(paths)) if case.book == ledger.book)
    for record in ledger.records:
        for trial in record.trials:
            sides = rulings.content(trial)[1]
            if "" in sides:
                yield f"ruling {record.id}", rulings.case_of(record, trial, "")
            elif record.id == name:
                case = rulings.case_of(record, trial, next(iter(sides)))
                yield f"{record.id}: {case.title}", case


# ── beyond the corpus ──


def invent(
    before: Side, after: Side, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]], bound: int
) -> tuple[Witness | None, str]:
    """The smallest case found that flips, with what was tried; or none, with the bounds within which there is none."""
    if not norms:
        return None, "no norm is added, taken away or worded anew: both rulebooks answer every case alike"
    best: Witness | None = None
    tried = 0
    # First what the wordings themselves turn on, then also what they beat, then only where there is something to beat.
    for wider, against in ((False, False), (True, False), (True, True)):
        start = tried
        for name, old, new in norms:
            beaten = beaten_by(old or new, before) if wider else []
            if wider and not beaten:
                continue
            turned = strength(old, new, before)
            pool = pool_of((old, new), before, [*beaten, *turned])
            limit = bound + wider if best is None else best.size - 1
            reach = REACH if best is None and bound >= FACTS else limit
            must = beaten if against else []
            found_by = (
                witness_search.together(pool, limit, GUIDED, (new, turned[0]), reach)
                if turned and new is not None
                else witness_search.situations(pool, limit, GUIDED, (old, new), must, reach)
            )
            for size, facts in found_by:
                tried += 1
                found = witness(before, after, pool, facts, size, name, settle=against and tried - start < SETTLED)
                if found is not None:
                    best = found
                    break
        if best is not None:
            return (
                best,
                f"the smallest of {tried} situations tried, each of at most {max(bound + wider, best.size)} facts",
            )
    return exhausted(before, after, norms, bound)


def exhausted(
    before: Side, after: Side, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]], bound: int
) -> tuple[Witness | None, str]:
    """Every situation within the bounds, whatever the conditions say of it."""
    told = []
    for name, old, new in norms:
        pool = pool_of((old, new), before)
        total, full = 0, -1
        for size in range(bound + 1):
            count = 0
            for facts in witness_search.Program(pool).models(size, FREE):
                count += 1
                found = witness(before, after, pool, facts, size, name)
                if found is not None:
                    return found, f"found among all situations of at most {size} facts, not by the conditions alone"
            total += count
            if count >= FREE:
                break
            full = size
        told.append(f"{name}: none of the {total} situations of at most {full} of {len(pool.facts)} facts")
    return None, "no answer flips within these bounds: " + "; ".join(told)


def strength(old: m.Norm | None, new: m.Norm | None, side: Side) -> list[m.Norm]:
    """The norms that only one wording beats, where the two ask for the same."""
    if old is None or new is None or old.when != new.when:
        return []
    if [u.condition for u in old.unless] != [u.condition for u in new.unless]:
        return []
    turned = set(old.over) ^ set(new.over)
    terms = registry.vocabulary(side.ledger.book)
    return [n for n in side.norms().values() if names(turned, n) and subsumption.compete(old.head, n.head, terms)]


def beaten_by(norm: m.Norm | None, side: Side) -> list[m.Norm]:
    """The norms with an opposite head that a norm says it beats."""
    assert norm is not None
    terms = registry.vocabulary(side.ledger.book)
    return [n for n in side.norms().values() if names(norm.over, n) and subsumption.compete(norm.head, n.head, terms)]


def pool_of(pair: tuple[m.Norm | None, m.Norm | None], side: Side, beaten: Sequence[m.Norm] = ()) -> witness_facts.Pool:
    """The facts that the two wordings of a norm, and the norms that it beats, can turn on."""
    one = pair[0] or pair[1]
    assert one is not None
    pool = witness_facts.Pool(registry.vocabulary(side.ledger.book), one.head)
    for norm in (*pair, *beaten):
        if norm is not None:
            pool.norm(norm)
    pool.concrete()
    return pool


def witness(
    before: Side,
    after: Side,
    pool: witness_facts.Pool,
    facts: Sequence[witness_facts.Fact],
    size: int,
    name: str,
    settle: bool = False,
) -> Witness | None:
    """The case that says these facts, if it is one and its answer flips; with `settle`, facts found missing are added."""
    data = pool.case(facts)
    try:
        case = asking.case(data)
        one, other = before.ask(case), after.ask(case)
    except LoopholeError:
        return None  # the facts contradict each other, or the question cannot be put
    if flips(one, other):
        return Witness(data, size, name, one, other)
    return settled(before, after, data, case, size, name, MOST_MISSING) if settle else None


def flips(one: Proof, other: Proof) -> bool:
    """Whether two answers differ, and both are answers."""
    return UNDETERMINED not in (one.verdict, other.verdict) and differs(one, other) in (VERDICT, VALUE)


def settled(
    before: Side, after: Side, data: Mapping[str, Any], case: Case, size: int, name: str, deeper: int
) -> Witness | None:
    """The case with the facts added that an open answer turns on, where the answers then differ."""
    one, other = before.ask(case), after.ask(case)
    if (one.verdict == UNDETERMINED) == (other.verdict == UNDETERMINED) or not deeper:
        return None
    side, sure = (before, other) if one.verdict == UNDETERMINED else (after, one)
    for row in side.ask(case, True).missing[:MOST_MISSING]:
        for edits, then in zip(row.edits, (row.if_true, row.if_false), strict=False):
            if not edits or then == sure.verdict:
                continue
            edited = case
            try:
                for edit in edits:
                    edited = edit.apply(edited)
                if any(mark in name for name in edited.things for mark in ".?"):
                    continue  # a thing that the reasoner made up is no story to tell
                plain = {**data, "things": {n: records.facts(f) for n, f in edited.things.items()}}
                again = asking.case(plain)
                if flips(first := before.ask(again), second := after.ask(again)):
                    return Witness(plain, size + 1, name, first, second)
                found = settled(before, after, plain, again, size + 1, name, deeper - 1)
            except LoopholeError:
                continue
            if found is not None:
                return found
    return None


def book_of(name: str) -> str:
    """The book that has an erratum or an edition of a name. Raises QueryError with the nearest."""
    problems: list[Problem] = []
    for book_id in registry.books():
        found = checks.ledger(book_id)
        if found.index(name) >= 0:
            return book_id
        try:
            editions.known(found, name)
            return book_id
        except QueryError as error:
            problems += error.problems
    told = [p for p in problems if p.hint.startswith("did you mean")] or problems[:1]
    raise QueryError(told)
