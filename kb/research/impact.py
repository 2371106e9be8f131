"""What a change means: which answers are others with it than without it, and the smallest invented case that it flips.

    of_record(book, id)        with and without one erratum
    of_editions(book, a, b)    under two editions
    of_draft(path)             with and without the records of a file that is not shipped yet

Every answer is the reasoner's, asked twice. Where no invented case flips, what was tried is stated.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import structs

from kb import registry
from kb.answers import explain, proof_json as records
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
from kb.yaml_document import written


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
    joined = structs.replace(shipped, records=(*shipped.records, *new))
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
        for listed in casebook.of([path]) if isinstance(path, Path) else [path]:
            data = listed.data
            if isinstance(data, Mapping) and "book" in data and "ask" in data:
                case = cases.read(data, registry.vocabulary(str(data["book"])), listed.source)
                out.setdefault((Path(listed.file).resolve(), listed.name), (listed.title, case))
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


# ── told ──


def text(found: Impact, width: int = 100, most: int = 20) -> str:
    """What a change means, for a reader: norms, answers that differ with both proofs in short, the invented case."""
    out = [f"{found.name} ({found.book})", ""]
    out += [f"before: {explain.edition(found.before)}", f"after:  {explain.edition(found.after)}", ""]
    if not found.norms:
        return "\n".join([*out, "NOTHING FLIPS", *wrapped(found.bounds, width)])
    out.append("NORMS")
    for name, old, new in found.norms:
        out.append(f"  {name}: {'added' if old is None else 'taken away' if new is None else 'worded anew'}")
        out += said("before", old, width) + said("after", new, width)
    counts = {k: sum(d.kind == k for d in found.differences) for k in (VERDICT, VALUE, CHAIN)}
    told = ", ".join(f"{n} in {k}" for k, n in counts.items())
    out += ["", f"CASES: {len(found.differences)} of {found.asked} differ ({told})"]
    for d in found.differences[:most]:
        out += [
            f"  {d.name} ({d.kind})",
            *(alike(d, width) if d.kind == CHAIN else proofs(d.before, d.after, width)),
        ]
    if len(found.differences) > most:
        out.append(f"  and {len(found.differences) - most} more (--json tells them all)")
    out += ["", "INVENTED"]
    if found.witness is not None:
        out += wrapped(
            f"a case of {found.witness.size} facts flips it, by {found.witness.norm} ({found.bounds}):", width
        )
        out += ["", *(f"    {line}" for line in written(found.witness.case).splitlines()), ""]
        out += proofs(found.witness.before, found.witness.after, width)
    else:
        out += wrapped(found.bounds, width)
    return "\n".join(out)


def wrapped(said_: str, width: int) -> list[str]:
    """Lines of a text, two spaces in. width: characters."""
    return textwrap.wrap(said_, width, initial_indent="  ", subsequent_indent="  ")


def said(side: str, norm: m.Norm | None, width: int) -> list[str]:
    """A norm as the rule language has it."""
    if norm is None:
        return []
    unless = "".join(f" unless {u.label}: {u.condition}" for u in norm.unless)
    when = "" if isinstance(norm.when, m.Anything) else f" when {norm.when}"
    over = f" over {', '.join(norm.over)}" if norm.over else ""
    return textwrap.wrap(
        f"{side}: {norm.head}{when}{unless}{over}", width, initial_indent="    ", subsequent_indent="      "
    )


def alike(d: Difference, width: int) -> list[str]:
    """The same answer by other words or other rules."""
    words = [", ".join(dict.fromkeys(w.norm.id for w in p.winners[:3])) or "no norm" for p in (d.before, d.after)]
    by = (
        f"by {words[0]}, worded anew or against others"
        if words[0] == words[1]
        else f"by {words[0]}, then by {words[1]}"
    )
    return textwrap.wrap(
        f"still {explain.headline(d.after).partition(':')[0]}, {by}",
        width,
        initial_indent="    ",
        subsequent_indent="      ",
    )


def proofs(one: Proof, other: Proof, width: int) -> list[str]:
    """Both answers, each by its first line and the first reason of its chain."""
    out = []
    for side, proof in (("before", one), ("after", other)):
        out += textwrap.wrap(
            f"{side}: {explain.headline(proof)}", width, initial_indent="    ", subsequent_indent="      "
        )
        for winner in proof.winners[:2]:
            section = proof.theory.sections.get(winner.norm.rule)
            title = f" {section.title}" if section is not None else ""
            out.append(f"      {winner.norm.id}{title}")
        if not proof.winners and proof.scope.says:
            out += textwrap.wrap(proof.scope.says, width, initial_indent="      ", subsequent_indent="      ")
    return out


def to_json(found: Impact) -> dict[str, Any]:
    """The whole impact, every proof in full."""
    flip = found.witness
    return {
        "format": "loophole-impact/1",
        "name": found.name,
        "book": found.book,
        "before": records.in_force(found.before),
        "after": records.in_force(found.after),
        "norms": [
            {"id": name, "before": as_text(old), "after": as_text(new)} for name, old, new in found.norms
        ],
        "asked": found.asked,
        "differences": [
            {"case": d.name, "kind": d.kind, "before": records.to_json(d.before, False), "after": records.to_json(d.after, False)}
            for d in found.differences
        ],
        "invented": None if flip is None else {
            "case": flip.case, "facts": flip.size, "norm": flip.norm,
            "before": records.to_json(flip.before, False), "after": records.to_json(flip.after, False),
        },
        "bounds": found.bounds,
    }  # fmt: skip


def as_text(norm: m.Norm | None) -> str | None:
    """A norm on one line; None for none."""
    return None if norm is None else " ".join(" ".join(said("", norm, 10_000)).split()).removeprefix(": ")
