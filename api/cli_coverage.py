"""`loophole coverage`: how much of each rulebook is encoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.terminal import Json, out, out_json, write

if TYPE_CHECKING:
    from kb.coverage.coverage import Report, SectionCoverage


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(coverage)


def coverage(
    book: Annotated[list[str] | None, typer.Option(help="Only this book.")] = None,
    as_json: Json = False,
    open_only: Annotated[bool, typer.Option("--open", help="Only what is not encoded yet.")] = False,
    page: Annotated[
        Path | None, typer.Option("--html", "--page", help="Write the report as an HTML page.", metavar="FILE")
    ] = None,
) -> None:
    """Show how much of each rulebook is encoded, section by section: sentences, exceptions, references, terms."""
    from kb import registry
    from kb.coverage import coverage as covering, page as coverage_page

    books = tuple(book or ())
    report = covering.of_books({b: registry.vocabulary(b) for b in books or registry.books()}, books)
    if page is not None:
        write(page, coverage_page.page(report, open_only), "--html")
        out(f"wrote {page}")
    if as_json:
        out_json(report.as_json(open_only))
    elif page is None:
        for line in covered(report, open_only):
            out(line)


def covered(report: Report, open_only: bool) -> Iterator[str]:
    """The report as lines of text; open_only: of the sections, those with something open."""
    for c in report.chapters:
        t = c.totals()
        yield (
            f"{c.book} {c.chapter} {c.title}: {c.percent:g} % of {c.sentences} sentences "
            f"({c.encoded} encoded, {c.explained} explained in place, {c.open} open)"
        )
        yield (
            f"  exceptions: {t['exceptions encoded']} of {t['exceptions']} encoded, {t['exceptions explained']} "
            f"explained, {t['exceptions open']} open (the book: {t['brackets']} in brackets, {t['spoken']} unless or "
            f"except, {t['restrictions']} only)"
        )
        yield f"  references: {t['references']}; norms: {t['norms']}; terms: {t['terms']}"
        for what, rows in (
            ("not read", c.problems),
            ("edited since it was aligned", c.stale),
            ("references that lead nowhere", c.dangling),
            ("not in the ontology", c.unknown_terms),
        ):
            if rows:
                yield f"  {what}: {'; '.join(rows)}"
        yield from (line(s) for s in c.sections if s.anything_open or not open_only)


def line(s: SectionCoverage) -> str:
    """One rule's counts, and what of it is open."""
    e = s.exceptions
    at = f"; open: {', '.join(map(str, s.open))}" if s.open else ""
    lost = f"; exceptions open: {', '.join(e.open) or '-'}" if e.open else ""
    bare = f"; {e.unmarked} exceptions of the book without a mark of ours" if e.unmarked else ""
    return (
        f"  {s.rule:10} {s.encoded + s.explained:3} of {s.sentences:3}, {e.encoded + e.explained:2} of "
        f"{e.written:2} exceptions, {s.references:2} references, {len(s.terms):3} terms, {s.norms:2} norms  "
        f"{s.title}{at}{lost}{bare}"
    )
