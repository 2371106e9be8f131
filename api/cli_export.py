"""`loophole export`: the graph as files, proofs of cases as PROV-O, and the pages of the ontology."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

Out = Callable[[str], None]
KINDS = "ttl, rdf, ofn, jsonld, nt, nq, trig, legalruleml, skos, prov, html"


def register(app: typer.Typer, out: Out, case_files: Callable[[list[Path]], Any]) -> None:
    """Adds the command to the command line."""

    @app.command()
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
        from kb import pipeline

        if book:
            pipeline.vocabulary(book)  # an unknown book is told before anything is worked out
        if format == "html":
            pages(out, book, to)
            return
        from kb import export as exporter

        if format == "prov":
            if not case:
                raise typer.BadParameter("say which cases: files, or folders of them", param_hint="CASE")
            files = [f for f in case_files(case) if "compare:" not in read(f)]
            text = exporter.proofs_text(files, flips, edition=edition)
        elif case:
            raise typer.BadParameter(f"only prov takes cases, {format} does not", param_hint="CASE")
        else:
            text = exporter.of_format(format, book, cases)
        if to is None:
            out(text.rstrip("\n"))
            return
        write(to, text)
        out(f"wrote {to}")


def read(file: Path) -> str:
    """A case file's text; one that cannot be read is left for the reader of cases to complain of."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write(to: Path, text: str) -> None:
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as e:
        raise typer.BadParameter(f"cannot write {to}: {e.strerror}", param_hint="--out") from None


def pages(out: Out, book: str, to: Path | None) -> None:
    from kb import html

    if to is None:
        raise typer.BadParameter("say which folder the pages go to", param_hint="--out")
    for path in html.write(to, book):
        out(f"wrote {path}")
