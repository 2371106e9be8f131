"""`loophole export`: the graph as files, proofs of cases as PROV-O, and the pages of the ontology."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli_cases import cases_of
from api.terminal import may_write, out, refuse, write

KINDS = "ttl, rdf, ofn, jsonld, nt, nq, trig, legalruleml, skos, prov, html"


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(export)


def export(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help=KINDS)],
    case: Annotated[list[Path] | None, typer.Argument(help="prov: case files, or folders of them.")] = None,
    book: Annotated[str, typer.Option(help="Only this book, with the ontology that it sees.")] = "",
    to: Annotated[Path | None, typer.Option("--out", help="A file; html: a folder.")] = None,
    cases: Annotated[bool, typer.Option(help="Put the examples and cases in.")] = True,
    edition: Annotated[str, typer.Option(help="prov: answer under this edition.")] = "",
    flips: Annotated[bool, typer.Option(help="prov: say what would turn each answer.")] = False,
) -> None:
    """Write everything that is known as linked data: ontology, rules, norms, references, errata, cases."""
    from kb import registry

    if book:
        registry.vocabulary(book)  # an unknown book is told before anything is worked out
    if format not in KINDS.split(", "):
        from kb.errors import did_you_mean

        refuse(960, f"there is no format “{format}”", did_you_mean(format, KINDS.split(", ")) or f"formats: {KINDS}")
    if case and format != "prov":
        refuse(684, f"only prov takes cases, {format} does not", "leave the cases out, or export prov")
    if format == "html":
        pages(book, to)
        return
    if to is not None:
        may_write(to, "--out")
    from kb.graph import export as exporter

    if format == "prov":
        if not case:
            refuse(673, "prov: say which cases", "name case files, or folders of them")
        asked = [c for c in cases_of(case) if not c.compares]
        text = exporter.proofs_text(asked, flips, edition=edition)
    else:
        text = exporter.of_format(format, book, cases)
    if to is None:
        out(text.rstrip("\n"), fit=False)
        return
    write(to, text, "--out")
    out(f"wrote {to}")


def pages(book: str, to: Path | None) -> None:
    """Writes the pages of the ontology, each told. Raises CommandError without a folder to write them into (E673)."""
    from kb.graph import pages

    if to is None:
        refuse(673, "html: say which folder the pages go to", "--out FOLDER")
    for path in pages.write(to, book):
        out(f"wrote {path}")
