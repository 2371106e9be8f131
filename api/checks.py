"""What `loophole check` prints: faults of every book or of one, with counts."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

from kb import registry, resources
from kb.errors import LoopholeError

Out = Callable[[str], None]


def run(out: Out) -> bool:
    """Reads, links and compiles every book, checks for staleness; prints all problems. True when there are none."""
    books = registry.books()
    if not books:
        out("there are no rulebooks")
        return False
    problems = sum(text(out, book) for book in books)
    problems += records(out, books)
    if not problems:
        undecided(out, books)
    problems += ontology(out)
    return told(out, problems)


def one(out: Out, book: str) -> bool:
    """The same of one book alone, whose terms are looked at where they are the reader's own. True when there are no problems.

    Raises CaseError for a book there is none of.
    """
    registry.vocabulary(book)
    problems = text(out, book) + records(out, [book])
    if not problems:
        undecided(out, [book])
    if own := resources.own():
        problems += terms(out, book, own)
    return told(out, problems)


def told(out: Out, problems: int) -> bool:
    """Says how many problems there are; whether there are none."""
    out("no problems" if not problems else f"{problems} problem{'s' if problems != 1 else ''}")
    return not problems


def text(out: Out, book: str) -> int:
    """How many faults the text of a book has: read, linked, compiled."""
    try:
        made = registry.theory(book)
    except LoopholeError as e:
        out(f"{book}: {len(e.problems)} problem{'s' if len(e.problems) != 1 else ''}\n{e}")
        return len(e.problems)
    count = len(made.vocabulary.classes) + len(made.vocabulary.properties)
    out(
        f"{book}: {len(made.chapters)} chapters, {len(made.sections)} rules, {len(made.norms) - len(made.leaves)} norms, "
        f"{len(made.tables)} tables, {count} terms"
    )
    return 0


def terms(out: Out, book: str, own: Path) -> int:
    """How many faults the terms of one of the reader's own books have; of a shipped one they are the whole ontology's."""
    if importlib.util.find_spec("rdflib") is None or not (own / book).is_dir():
        return 0
    from kb.ontology import build

    found = build.check_own(book)
    out(f"terms: {len(found)} problem{'s' if len(found) != 1 else ''}" + "".join(f"\n{p}" for p in found))
    return len(found)


def figures(out: Out, book: str = "") -> bool:
    """Prints how the chapters are written, beside what is aimed at. True when every target is met.

    Raises LoopholeError for a book there is none of, or that has faults.
    """
    from kb.research import style_page

    table, missed, unused = style_page.rows(book)
    out("\n".join(style_page.plain(table)))
    if unused:
        out(f"\nclasses that nothing uses: {', '.join(unused)}")
    out("\nover a target: " + "; ".join(missed) if missed else "\nevery target is met")
    return not missed


def undecided(out: Out, books: list[str]) -> None:
    """How many pairs of norms say opposite things with nothing to decide between them: no fault, a question to ask."""
    from kb.research import conflicts

    for book in books:
        count = sum(1 for _ in conflicts.pairs(registry.theory(book)))
        if count:
            out(
                f"{book}: {count} pairs of norms with nothing to decide between them (loophole question shows which meet)"
            )


def records(out: Out, books: list[str]) -> int:
    """How many faults the records of errata and rulings have, and how many citations are stale."""
    from kb.errata import checks

    total = 0
    for book in books:
        if not checks.path_of(book).is_file():
            continue
        try:
            found, text = checks.ledger(book), registry.text_of(book)
            faults = checks.check(found, text, registry.vocabulary(book), checks.hashes(text))
            faults += checks.stale(found, text)
        except LoopholeError as e:
            found, faults = None, list(e.problems)
        count = f"{len(found.records)} records of {len(found.editions)} editions" if found is not None else "records"
        out(
            f"{book}: {count}, {len(faults)} problem{'s' if len(faults) != 1 else ''}"
            + "".join(f"\n{p}" for p in faults)
        )
        total += len(faults)
    return total


def ontology(out: Out) -> int:
    """How many faults the ontology and what is built from it have."""
    if importlib.util.find_spec("rdflib") is None:
        out("ontology: not checked, rdflib is not installed")
        return 0
    from kb.ontology import build

    folder = resources.path("ontology")
    found = build.check(folder, folder / "inferred") or build.untidy()
    out(f"ontology: {len(found)} problem{'s' if len(found) != 1 else ''}" + "".join(f"\n{p}" for p in found))
    return len(found)
