"""What a change means: which answers are others with it than without it, and the smallest invented case that it flips.

    of_record(book, id)        with and without one erratum
    of_editions(book, a, b)    under two editions
    of_draft(path)             with and without the records of a file that is not shipped yet

Every answer is the reasoner's, asked twice. Where no invented case flips, what was tried is stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from kb import registry
from kb.cases import casebook, reader as cases
from kb.cases.casebook import Written
from kb.errata import checks, reader
from kb.errors import Problem, QueryError, RulebookError
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner.proof import Proof
from kb.research import rulings
from kb.research.sides import CHAIN, VALUE, VERDICT, Side, both, changed, differs, sides
from kb.research.witnesses import FACTS, Witness, invent
from kb.rulebook import edition as editions, records as e


@dataclass(frozen=True)
class Difference:
    """A case whose answer is another after the change. kind: verdict, value, or chain (other rules say the same)."""

    name: str
    kind: str
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


def of_record(book_id: str, name: str, paths: Iterable[Path | Written] = (), bound: int = FACTS) -> Impact:
    """With and without an erratum, the rest as in the base. Raises QueryError, RulebookError or CaseError."""
    found = checks.ledger(book_id)
    record = found.record(editions.known(found, name))
    assert record is not None
    held = found.in_base(record)
    now = editions.choose(found)
    other = editions.choose(found, without=[record.id] if held else (), also=() if held else [record.id])
    before, after = (other, now) if held else (now, other)
    return compare(record.id, *sides(found, before, after), paths, bound)


def of_editions(book_id: str, one: str, other: str, paths: Iterable[Path | Written] = (), bound: int = FACTS) -> Impact:
    """Under one edition and under another. Raises QueryError, RulebookError or CaseError."""
    found = checks.ledger(book_id)
    before, after = (editions.choose(found, name) for name in (one, other))
    return compare(f"{one} to {other}", *sides(found, before, after), paths, bound)


def of_draft(path: Path, paths: Iterable[Path | Written] = (), bound: int = FACTS) -> Impact:
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


def compare(name: str, before: Side, after: Side, paths: Iterable[Path | Written], bound: int) -> Impact:
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


@lru_cache(maxsize=4)
def cases_in(paths: tuple[Path | Written, ...]) -> tuple[tuple[str, Case], ...]:
    """(title, case) for every case under some paths, and of some cases; what compares several books is no case of one."""
    out: dict[tuple[Path, str], tuple[str, Case]] = {}
    for path in paths:
        for written in casebook.of([path]) if isinstance(path, Path) else [path]:
            data = written.data
            if isinstance(data, Mapping) and "book" in data and "ask" in data:
                case = cases.read(data, registry.vocabulary(str(data["book"])), written.source)
                out.setdefault((Path(written.file).resolve(), written.name), (written.title, case))
    return tuple(out.values())


def corpus(ledger: e.Ledger, paths: Iterable[Path | Written], name: str = "") -> Iterator[tuple[str, Case]]:
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
