"""`loophole rule` and `loophole terms`: a rule with all that is known of it, and the words that a case may use."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.terminal import Book, Json, out, out_json, out_list, width

if TYPE_CHECKING:
    from kb.texts.extracted import Question


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command()(rule)
    app.command()(terms)


def rule(number: Annotated[str, typer.Argument(metavar="ID")], book: Book = "", as_json: Json = False) -> None:
    """Show a rule: our paraphrase, its norms and exceptions, what it refers to and what refers to it."""
    from kb import asking, registry
    from kb.errata import checks
    from kb.research import errata_page
    from kb.search import lookup

    books = [book] if book else registry.books()
    found = lookup.rule(errata_page.base_number(number, books), books, registry.theory)
    home, name = found.theory.book, found.section.rule
    if as_json:
        record = {**lookup.to_json(found), "errata": [r.id for r in checks.for_rule(checks.ledger(home), name)]}
        imported = remarks_json(home, name)
        out_json(record | ({"imported": imported} if imported else {}))
    else:
        said = lookup.text(found, asking.quotes(found.theory), width())
        said = f"{said}\n{errata_page.beside(home, name, width())}".rstrip()
        out(f"{said}\n{remarks(home, name, width())}".rstrip())


def terms(
    word: Annotated[str, typer.Argument(help="A name, label, abbreviation, or a part of one.")] = "",
    book: Book = "",
    as_json: Json = False,
) -> None:
    """Look up the words that a case may use."""
    from kb import registry
    from kb.search import lookup

    vocabularies = [registry.vocabulary(b) for b in ([book] if book else registry.books())]
    rows = [row for v in vocabularies for row in lookup.terms(v, word)]
    if as_json:
        out_json([lookup.term_json(r) for r in rows])
    elif not rows:
        raise lookup.no_term(word, vocabularies)
    elif word:
        out_list("\n\n".join(lookup.term_text(r, width()) for r in rows))
    else:
        out_list("\n".join(lookup.term_line(r, width()) for r in rows))


# ── what imported data say of a rule ──


def remarks(book: str, rule: str, width: int) -> str:
    """Imported questions, errata, annotations, index entries and page of a rule, as text; "" when there are none."""
    from kb.texts import extracted

    found = extracted.for_rule(book, rule)
    rows: list[str] = []

    def wrapped(said: str, indent: int = 2) -> None:
        for n, line in enumerate(said.split("\n")):
            first, rest = " " * (indent + 2 * bool(n)), " " * (indent + 2)
            rows.extend(textwrap.wrap(line, width, initial_indent=first, subsequent_indent=rest))

    if found["questions"]:
        rows += ["", "questions (imported, unreviewed)"]
        for q in found["questions"]:
            for line in asked(q):
                wrapped(line, 2 if line.startswith("Q") else 4)
    for kind in ("errata", "annotations"):
        if found[kind]:
            rows += ["", f"{kind} (imported, unreviewed)"]
            for e in found[kind]:
                wrapped(e.content + (f"  [{e.source}]" if e.source else ""))
    if found["glossary"]:
        rows += ["", "in the book's index"]
        for g in found["glossary"]:
            wrapped(": ".join(filter(None, (f"{g.title} {g.subtitle}".strip(), g.content))))
    if found["targets"]:
        rows += ["", *(f"page {t.page}  {t.caption}".rstrip() for t in found["targets"] if t.page)]
    return "\n".join(rows)


def asked(q: Question) -> Iterator[str]:
    """A question that was imported and its answers, line by line."""
    if q.question or q.caption:
        yield f"Q: {q.question or q.caption}"
    if q.image:
        yield f"(picture: {q.image})"
    for answer, source in q.answers:
        yield f"A: {answer}" + (f"  [{source}]" if source else "")
    if q.see_other:
        yield f"see {q.see_other}"


def remarks_json(book: str, rule: str) -> dict[str, Any]:
    """The same by kind, kinds without any left out."""
    from msgspec import to_builtins

    from kb.texts import extracted

    return {kind: to_builtins(rows) for kind, rows in extracted.for_rule(book, rule).items() if rows}
