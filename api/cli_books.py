"""`loophole build`, `align`, `check` and `schema`: for those who write a rulebook. See docs/new-rulebook.md."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from api import screen
from api.terminal import FAILED, out, out_json, refuse


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    for command in (build, align, check, schema):
        app.command()(command)


def build(
    quick: Annotated[
        bool, typer.Option("--quick", help="Classify with one DL reasoner, not with two that must agree.")
    ] = False,
) -> None:
    """Build and classify the terms and compare the norms of your own books (LOOPHOLE_BOOKS), and in a checkout of all books."""
    from kb import registry, resources
    from kb.ontology import build as build_, subsumption

    own = resources.own()
    for folder in sorted(own.iterdir()) if own is not None else ():
        if resources.unready(folder.name) and any((*folder.glob("*.[mt][dt]*"), *folder.glob("terms/*.md"))):
            out(f"left out: {resources.unready(folder.name)}")
    checkout = (resources.PACKAGE.parent / "pyproject.toml").is_file()
    written = [str(p) for p in build_.build_own(both=not quick)]
    if checkout:
        folder = resources.path("ontology")
        built = build_.build(folder, folder / "inferred", both=not quick)
        written += [f"ontology/{p.relative_to(folder).as_posix()}" for p in built]
    problems = []
    for book, folder in resources.books().items():
        if checkout or (own is not None and folder.parent == own):
            path = subsumption.build(book)
            written += [str(path)] if path is not None else []
            problems += list(subsumption.check(book))
    if checkout:
        from kb.cases import schema

        docs = resources.PACKAGE.parent / "docs"
        pages = schema.build(docs) if docs.is_dir() else []
        registry.SHIPPED.forget()  # what is written below is of the terms as they are now
        from kb.research import scope_page, style_page

        pages += [*scope_page.build(), *style_page.build()] if docs.is_dir() else []
        written += [f"docs/{path.name}" for path in pages]
    registry.SHIPPED.forget()
    out("\n".join(f"wrote {name}" for name in written) if written else "everything is current")
    if problems:
        out("\n".join(map(str, problems)))
        raise typer.Exit(FAILED)


def align(book: Annotated[str, typer.Argument(help="The rulebook's id.")]) -> None:
    """Pair each sentence of a rulebook with your imported text, and keep the hashes beside its chapters."""
    from kb import registry, resources
    from kb.coverage import edition_diff as aligning
    from kb.texts import shelf

    registry.vocabulary(book)
    if not shelf.edition(book):
        refuse(685, f"nothing of {book} is imported", f"import it first: loophole import FILE --book {book}")
    changed = aligning.refresh(resources.book(book).parent, book)
    out("\n".join(f"wrote {path}" for path in changed) if changed else "the hashes are current")


def check(
    book: Annotated[
        str, typer.Option(help="Only this book: its text, its records, and its terms where it is your own.")
    ] = "",
    watch: Annotated[bool, typer.Option("--watch", help="Check the book again at each save.")] = False,
    research: Annotated[
        bool, typer.Option("--research", help="With --watch: tell what research finds in what has changed.")
    ] = False,
    style: Annotated[
        bool, typer.Option("--style", help="Print figures of how the chapters are written, beside targets.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="With --style: fail where a figure misses its target.")
    ] = False,
) -> None:
    """Read and link every rulebook, and see that what is built from the ontology is current."""
    from api import checks

    if watch and (style or not book):
        refuse(684, "--watch looks at one book", "loophole check --watch --book ID")
    if research and not watch:
        refuse(
            684,
            "--research is about what changes while you watch",
            "loophole check --watch --research --book ID, or loophole research ID",
        )
    if strict and not style:
        refuse(684, "--strict is about figures of style", "loophole check --style --strict")
    if watch:
        from api import watch as watching

        screen.waiting.stop()
        with suppress(KeyboardInterrupt):
            watching.run(out, book, research=research)
    elif style:
        met = checks.figures(out, book)
        if strict and not met:
            raise typer.Exit(FAILED)
    elif not (checks.one(out, book) if book else checks.run(out)):
        raise typer.Exit(FAILED)


def schema() -> None:
    """Print the JSON Schema of the case format."""
    from kb.cases import schema as schemas

    out_json(schemas.case_schema(schemas.vocabularies()))
