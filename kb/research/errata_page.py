"""Errata and rulings for a reader: the list of a book's, and one in full, with its norms before and after."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from kb import registry
from kb.errata import checks
from kb.errors import Problem, QueryError, did_you_mean
from kb.language import norms as m
from kb.rulebook import edition, records as e
from kb.texts import extracted


def found(name: str, book: str = "", kind: str = "") -> list[e.Record]:
    """The records of a name: an id, or a rule of a book; all of them for "". Raises QueryError with the nearest."""
    if book:
        registry.vocabulary(book)
    books = [book] if book else registry.books()
    every = [r for b in books for r in (*checks.ledger(b).records, *imported(b))]
    if kind and kind not in e.KINDS:
        raise QueryError(
            Problem(955, f"“{kind}” is no kind of a record", hint=did_you_mean(kind, e.KINDS) or ", ".join(e.KINDS))
        )
    every = [r for r in every if not kind or r.kind == kind]
    if not name:
        return every
    out = [r for r in every if r.id == name]
    out = out or [r for r in every if {name, checks.identity(checks.ledger(r.book), name)} & set(r.rules)]
    out = out or [r for r in every if r.id.startswith(f"{name}-")]
    if not out:
        known = [*(r.id for r in every), *(rule for r in every for rule in r.rules)]
        hint = did_you_mean(name, known) or "loophole errata lists them"
        raise QueryError(Problem(956, f"no erratum or ruling is called “{name}”, or speaks of such a rule", hint=hint))
    return out


def imported(book: str) -> list[e.Record]:
    """The errata and questions of an imported folder of extracted data, as records that nobody has reviewed."""
    data = extracted.data(book)
    if data is None:
        return []
    out = []
    for n, row in enumerate(data.errata, 1):
        out.append(unreviewed(book, f"imported-erratum-{n}", e.ERRATUM, (row.rule,), row.source, note=row.content))
    for n, q in enumerate(data.questions, 1):
        sources = ", ".join(dict.fromkeys(source for _, source in q.answers if source))
        answer = " ".join(said for said, _ in q.answers)
        note = f"see {q.see_other}" if q.see_other else ""
        found = unreviewed(book, f"imported-qa-{n}", e.UNOFFICIAL, q.rules, sources, q.question, answer, note)
        out.append(found)
    return out


def unreviewed(
    book: str,
    name: str,
    kind: str,
    rules: tuple[str, ...],
    source: str,
    question: str = "",
    answer: str = "",
    note: str = "",
) -> e.Record:
    """A record of what an import says, which says neither edition, nor date, nor which words it changes."""
    anchors = tuple(e.Anchor(rule) for rule in rules if rule)
    title = question or note
    return e.Record(
        name, textwrap.shorten(title, 60, placeholder=" …"), kind, "players", source or "not said", e.UNREVIEWED, "none",
        book, anchors=anchors, entered="imported", checked="not yet", question=question, answer=answer, note=note,
    )  # fmt: skip


def base_number(number: str, books: Iterable[str]) -> str:
    """The number in the encoded edition of a rule that another edition numbers so; the number itself for others."""
    bases = (checks.identity(checks.ledger(book), number) for book in books)
    return next((base for base in bases if base != number), number)


def beside(book: str, rule: str, width: int = 100) -> str:
    """What stands on record of a rule, by its number in any edition; "" when nothing does."""
    rows = checks.for_rule(checks.ledger(book), rule)
    out = ["", "errata and rulings"] if rows else []
    for r in rows:
        said = f"{r.id}: {r.question or r.title}{f' {r.answer}' if r.answer else ''} ({r.kind}, {r.status})"
        out += textwrap.wrap(said, width, initial_indent="  ", subsequent_indent="      ")
    return "\n".join(out)


def listing(records: Iterable[e.Record], book: str = "", width: int = 100) -> str:
    """The editions of each book and its records, a line each."""
    out: list[str] = []
    every = list(records)
    for book_id in dict.fromkeys([book] if book else registry.books()):
        ledger = checks.ledger(book_id)
        mine = [r for r in every if r.book == book_id]
        if not ledger.editions:
            continue
        out += [f"{book_id}: editions, oldest first"]
        for row in ledger.editions:
            mark = "  (as encoded)" if row.id == ledger.base else ""
            out.append(f"  {row.id:12} {row.published:13} {row.title}{mark}")
        out.append("")
        for r in mine:
            since = "" if r.first == e.UNDETERMINED else f", from {r.first}" + (f" to {r.last}" if r.last else "")
            out += textwrap.wrap(
                f"{r.id}: {r.title} ({r.kind}, {r.status}{since})",
                width,
                initial_indent="  ",
                subsequent_indent="      ",
            )
        out.append("")
    return "\n".join(out).rstrip()


def text(record: e.Record, width: int = 100) -> str:
    """One record: what it is, who says so, since when, and the sentences and norms before and after."""
    ledger = checks.ledger(record.book)
    held = ledger.in_base(record)
    out = [f"{record.id} {record.title}  ({record.kind}, {record.book})", ""]
    if record.note:
        out += [*textwrap.wrap(record.note, width, initial_indent="  ", subsequent_indent="  "), ""]
    for label, said in rows(record):
        out += textwrap.wrap(said, width, initial_indent=f"  {label + ':':14}", subsequent_indent=" " * 16)
    for label, said in (("question", record.question), ("answer", record.answer)):
        if said:
            out += textwrap.wrap(said, width, initial_indent=f"  {label + ':':14}", subsequent_indent=" " * 16)
    if record.changes:
        before, after = (registry.book(record.book, toggled_for(record, side)) for side in (e.BEFORE, e.AFTER))
        for rule in record.rules:
            out += ["", *sides(rule, before, after, record, width)]
    elif record.scope == "spelling":
        out += ["", "  No norm changes: both wordings are encoded alike."]
    if held:
        out += ["", f"  The rulebook is encoded with it ({ledger.base})."]
    return "\n".join(out)


def rows(record: e.Record) -> Iterable[tuple[str, str]]:
    """What is on record of a record, label by label."""
    yield "says so", f"{record.authority}: {record.source}"
    dates = [
        f"{k} {v}"
        for k, v in (("published", record.published), ("effective", record.effective), ("adopted", record.adopted))
    ]
    yield "dates", "; ".join(dates)
    if record.first != e.UNDETERMINED:
        yield "in force", f"from edition {record.first}" + (f" to {record.last}" if record.last else " on")
    if record.incorporated:
        yield "printed in", record.incorporated
    yield (
        "status",
        f"{record.status}; operation: {record.operation}" + (f"; scope: {record.scope}" if record.scope else ""),
    )
    for a in record.anchors:
        where = {0: "", -1: ", a new sentence"}.get(a.sentence, f", sentence {a.sentence}")
        hashes = "; ".join(f"{k} words {v[:12]}…" for k, v in (("old", a.old), ("new", a.new)) if v)
        yield "anchor", a.rule + where + (f" ({hashes})" if hashes else "")
    for key in ("supersedes", "conflicts"):
        if getattr(record, key):
            yield key, ", ".join(getattr(record, key))
    if record.renumber:
        yield "renumbers", ", ".join(f"{old} to {new}" for old, new in record.renumber)
    if record.references:
        yield "references", ", ".join(f"{old} to {new}" for old, new in record.references)
    yield "entered", f"{record.entered}; checked: {record.checked}"


def toggled_for(record: e.Record, side: str) -> tuple[str, ...]:
    """What to put in or take out to have the base on one side of a record."""
    ledger = checks.ledger(record.book)
    held = record.id in edition.choose(ledger).errata
    return (record.id,) if held == (side == e.BEFORE) else ()


def sides(rule: str, before: m.Book, after: m.Book, record: e.Record, width: int) -> list[str]:
    """A rule's sentences and norms that are not the same on both sides."""
    numbers = dict(record.renumber)
    old, new = section_of(before, rule), section_of(after, numbers.get(rule, rule))
    out = []
    for side, one, other in (("before", old, new), ("after", new, old)):
        if one is None:
            continue
        out.append(f"  {side} {one.rule}")
        told = {s.text for s in other.sentences} if other is not None else set()
        for s in one.sentences:
            if s.text not in told:
                out += textwrap.wrap(s.text, width, initial_indent="    ", subsequent_indent="      ")
        kept = {n.id: n for n in other.norms} if other is not None else {}
        for n in one.norms:
            if n.id not in kept or not checks.same(n, kept[n.id]):
                out += wording(n, width)
    return out


def section_of(book: m.Book, rule: str) -> m.Section | None:
    """A rule's section; None where the book has none."""
    return next((s for ch in book.chapters for s in ch.sections if s.rule == rule), None)


def wording(norm: m.Norm, width: int) -> list[str]:
    """A norm as the rule language has it."""
    out = [f"    {norm.id}", f"      {norm.head}"]
    clauses = [] if isinstance(norm.when, m.Anything) else [("when", str(norm.when))]
    clauses += [("unless", f"{u.label}: {u.condition}") for u in norm.unless]
    clauses += [(k, ", ".join(getattr(norm, k))) for k in ("over", "cites", "needs") if getattr(norm, k)]
    for label, said in clauses:
        out += textwrap.wrap(said, width, initial_indent=f"      {label:8} ", subsequent_indent=" " * 17)
    return out


def to_json(record: e.Record) -> dict[str, Any]:
    """A record as JSON: its fields; norms by id."""
    fields = {
        k: to_builtins(getattr(record, k)) for k in e.Record.__struct_fields__ if k not in ("parts", "trials", "place")
    }
    written = {side: [n.id for p in record.side(side) for n in p.norms] for side in (e.BEFORE, e.AFTER)}
    return {
        **fields,
        "rules": list(record.rules),
        "norms": written,
        "cases": len(record.trials),
        "place": str(record.place),
    }
