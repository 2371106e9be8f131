"""What `loophole check` prints: faults of every book, with counts."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

from kb import registry, resources
from kb.errors import LoopholeError

Out = Callable[[str], None]


def run(out: Out) -> bool:
    """Reads, links and compiles every book, checks for staleness; prints all problems. True when there are none."""
    problems = 0
    books = registry.books()
    if not books:
        out("there are no rulebooks")
        return False
    for book in books:
        try:
            made = registry.theory(book)
            terms = len(made.vocabulary.classes) + len(made.vocabulary.properties)
            out(
                f"{book}: {len(made.chapters)} chapters, {len(made.sections)} rules, {len(made.norms)} norms, "
                f"{len(made.tables)} tables, {terms} terms"
            )
        except LoopholeError as e:
            problems += len(e.problems)
            out(f"{book}: {len(e.problems)} problem{'s' if len(e.problems) != 1 else ''}\n{e}")
    problems += records(out, books)
    if not problems:
        undecided(out, books)
    problems += ontology(out)
    out("no problems" if not problems else f"{problems} problem{'s' if problems != 1 else ''}")
    return not problems


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
    found = build.check(folder, folder / "inferred")
    out(f"ontology: {len(found)} problem{'s' if len(found) != 1 else ''}" + "".join(f"\n{p}" for p in found))
    return len(found)
