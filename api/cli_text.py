"""The commands about rule texts: `import`, `library`, `coverage`, and what imported data say of a rule."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from kb.align import Difference
    from kb.coverage import Report
    from kb.foreign_model import Question

FAILED, BAD = 1, 2
Out = Callable[[str], None]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SHOWN = 20  # rows of a list that are printed; --json has all


def register(app: typer.Typer, out: Out, width: Callable[[], int]) -> None:
    """Adds the commands to the command line. `out` prints plain text, `width` is the terminal's, in characters."""
    library_app = typer.Typer(no_args_is_help=True, help="The rule texts of your own that you have imported.")
    app.add_typer(library_app, name="library")

    @app.command("import")
    def import_(
        file: Annotated[Path, typer.Argument(help="Plain text, Markdown or PDF; or a folder of extracted data.")],
        book: Annotated[str, typer.Option(help="The rulebook it is a text of.")],
        chapter: Annotated[str, typer.Option(help="The chapter, as its numbers begin: B30.")] = "",
        alias: Annotated[
            list[str] | None,
            typer.Option(help="Other letters for the chapter; for a folder, its letters and ours: T=BRT."),
        ] = None,
        as_json: Json = False,
    ) -> None:
        """Bring in a rule text, or a folder of extracted data, of your own. It stays on this machine."""
        if file.is_dir():
            data(out, file, book, chapter, alias or [], as_json)
        else:
            text(out, file, book, chapter, tuple(alias or ()), as_json)

    @library_app.command("list")
    def library_list(as_json: Json = False) -> None:
        """List what you have imported."""
        listing(out, as_json)

    @library_app.command("remove")
    def library_remove(book: str, chapter: Annotated[str, typer.Argument()] = "") -> None:
        """Remove an imported text: a chapter, `data` for extracted data, or all of a book."""
        remove(out, book, chapter)

    @library_app.command("compare")
    def library_compare(
        book: str,
        chapter: Annotated[str, typer.Argument(help="Only this chapter.")] = "",
        as_json: Json = False,
        every: Annotated[bool, typer.Option("--all", help="The sentences that are the same, too.")] = False,
    ) -> None:
        """Show where your edition differs from the one encoded: what is changed, missing, added or moved."""
        compare(out, book, chapter, as_json, every, width())

    @app.command()
    def coverage(
        book: Annotated[list[str] | None, typer.Option(help="Only this book.")] = None,
        as_json: Json = False,
        open_only: Annotated[bool, typer.Option("--open", help="Only what is not encoded yet.")] = False,
        page: Annotated[
            Path | None, typer.Option("--html", "--page", help="Write the report as an HTML page.", metavar="FILE")
        ] = None,
    ) -> None:
        """Show how much of each rulebook is encoded, section by section: sentences, exceptions, references, terms."""
        cover(out, tuple(book or ()), as_json, open_only, page)


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


@contextmanager
def progress(title: str) -> Iterator[Any]:
    """A progress bar on a terminal; elsewhere nothing. Gives a callback (what, done, total)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=None)
        yield lambda what, done, total: bars.update(bar, description=f"{title}: {what}", completed=done, total=total)


# ── import ──


def text(out: Out, file: Path, book: str, chapter: str, aliases: tuple[str, ...], as_json: bool) -> None:
    """Imports a text and prints what was found, what changed and what was mended."""
    from dataclasses import asdict

    from kb import library

    with progress(f"reading {file.name}") as step:
        report = library.import_text(file, book, chapter, aliases=aliases, progress=step)
    if as_json:
        out(dump(asdict(report)))
        return
    where = f"{report.book} {report.chapter}".strip()
    out(
        f"{where}: {report.sections} sections, {report.sentences} sentences, "
        f"{sum(report.exceptions.values())} exceptions, {sum(report.references.values())} references"
    )
    changes = {"new": report.added, "changed": report.changed, "gone": report.removed}
    said = [f"{len(rules)} {name}" for name, rules in changes.items() if rules]
    out(f"  {', '.join(said) if said else 'nothing'} since the last import; {report.unchanged} unchanged")
    if report.dangling:
        out(f"  references that lead nowhere: {'; '.join(report.dangling[:SHOWN])}")
    for finding in report.findings[:SHOWN]:
        note = f": {finding.note}" if finding.note else ""
        out(f"  {finding.kind}{note}: {' '.join(finding.text.split())[:80]!r}")
    if len(report.findings) > SHOWN:
        out(f"  and {len(report.findings) - SHOWN} more notes (--json shows all)")


def data(out: Out, folder: Path, book: str, chapter: str, aliases: list[str], as_json: bool) -> None:
    """Imports a folder of extracted data: index, targets, questions, errata, annotations."""
    from dataclasses import asdict

    from kb import foreign

    if chapter:
        raise typer.BadParameter("a folder of extracted data is of a whole book", param_hint="--chapter")
    with progress(f"reading {folder.name}") as step:
        report = foreign.import_folder(folder, book, own_names(book) | pairs(aliases), progress=step)
    if as_json:
        out(dump(asdict(report)))
        return
    counts = ", ".join(f"{n} {what}" for what, n in report.counts.items() if n)
    out(f"{book}: {counts or 'nothing'} from {len(report.files)} files{'' if report.changed else '; nothing changed'}")
    changes = {"new": report.added, "changed": report.altered, "gone": report.removed}
    said = [f"{len(rules)} {name}" for name, rules in changes.items() if rules]
    if said:
        out(f"  rules whose data are {', '.join(said)}")
    out("  all of it is unreviewed: it is shown with its rules and changes no answer")
    for name, rows in (("no file of a known kind", report.skipped), ("no rule number", report.unplaced)):
        if rows:
            more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
            out(f"  {name}: {', '.join(rows[:SHOWN])}{more}")


def pairs(aliases: list[str]) -> dict[str, str]:
    found = {}
    for given in aliases:
        theirs, sep, ours = given.partition("=")
        if not sep or not theirs.strip() or not ours.strip():
            raise typer.BadParameter(f"“{given}” is not THEIRS=OURS, as in T=BRT", param_hint="--alias")
        found[theirs.strip()] = ours.strip()
    return found


def own_names(book: str) -> dict[str, str]:
    """The beginnings of rule ids that the book's own chapters say others use for them."""
    from kb import pipeline

    if book not in pipeline.books():
        return {}
    return {alias: c.id for c in pipeline.theory(book).chapters.values() for alias in c.aliases}


# ── library ──


def listing(out: Out, as_json: bool) -> None:
    from kb import foreign, library, shelf

    entries = shelf.listing()
    imported = [found for book in foreign.books() if (found := foreign.data(book))]
    if as_json:
        rows = [library.summary(e) for e in entries]
        out(dump(rows + [{"book": d.book, "chapter": "data", "counts": d.counts()} for d in imported]))
        return
    if not entries and not imported:
        out(f"nothing is imported yet (loophole import FILE --book …); the library is {shelf.root()}")
    for e in entries:
        n = sum(row.sentences for row in e.sections)
        out(
            f"{e.book} {e.chapter or '(whole)'}: {len(e.sections)} sections, {n} sentences, "
            f"from {e.file}, {e.imported[:10]}"
        )
    for d in imported:
        out(f"{d.book} data: {', '.join(f'{n} {what}' for what, n in d.counts().items() if n)} (unreviewed)")


def remove(out: Out, book: str, chapter: str) -> None:
    """Raises TextError when nothing of that name is there."""
    from kb import foreign, shelf

    gone = []
    if chapter == "data":
        if not foreign.remove(book):
            out(f"no data of {book} are imported")
            raise typer.Exit(BAD)
        gone = [f"{book} data"]
    else:
        if not chapter and foreign.remove(book):
            gone.append(f"{book} data")
        if shelf.edition(book) or not gone:
            gone = shelf.remove(book, chapter or None) + gone
    out(f"removed {', '.join(gone)}")


def compare(out: Out, book: str, chapter: str, as_json: bool, every: bool, width: int) -> None:
    """How the reader's edition stands to the one encoded."""
    from kb import align, resources
    from kb.passage import to_json

    found = align.editions(resources.path("rulebooks"), book, chapter)
    if as_json:
        out(dump([{"chapter": c, "differences": to_json([d for d in rows if every or d.status != align.SAME])}
                  for c, rows in found]))  # fmt: skip
        return
    for name, rows in found:
        count = {s: sum(d.status == s for d in rows) for s in align.STATUSES}
        said = ", ".join(f"{n} {status}" for status, n in count.items() if n)
        out(f"{book} {name}: {said or 'no sentence'}")
        for d in rows:
            if every or d.status != align.SAME:
                for line in difference(d):
                    out("\n".join(textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="      ")))


def difference(d: Difference) -> list[str]:
    """A difference as lines: where, how, and the reader's own sentence."""
    place = f"{d.rule} sentence {d.position + 1}" if d.position >= 0 else d.rule
    ours = f" (ours: {d.number})" if d.number and d.number != d.position + 1 else ""
    where = f" (it stands in {d.elsewhere} of the edition encoded)" if d.elsewhere else ""
    gone = "" if d.quotes else "; your text has no such sentence there"
    return [f"{d.status}: {place}{ours}{where}{gone}", *(f"    “{q.text}”" for q in d.quotes)]


# ── coverage ──


def cover(out: Out, books: tuple[str, ...], as_json: bool, open_only: bool, page: Path | None) -> None:
    from kb import coverage, coverage_page, pipeline

    known = pipeline.books()
    if unknown := [b for b in books if b not in known]:
        raise typer.BadParameter(f"{unknown[0]} is none of: {', '.join(known)}", param_hint="--book")
    vocabularies = {b: pipeline.vocabulary(b) for b in known if not books or b in books}
    report = coverage.of_books(vocabularies, books)
    if page is not None:
        try:
            page.write_text(coverage_page.page(report, open_only), encoding="utf-8")
        except OSError as e:
            raise typer.BadParameter(f"cannot write {page}: {e.strerror}", param_hint="--html") from None
        out(f"wrote {page}")
    if as_json:
        out(dump(report.as_json(open_only)))
    elif page is None:
        for line in covered(report, open_only):
            out(line)


def covered(report: Report, open_only: bool) -> Iterator[str]:
    """The report as lines of text."""
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
        for s in c.sections:
            if open_only and not s.anything_open:
                continue
            e = s.exceptions
            at = f"; open: {', '.join(map(str, s.open))}" if s.open else ""
            lost = f"; exceptions open: {', '.join(e.open) or '-'}" if e.open else ""
            bare = f"; {e.unmarked} exceptions of the book without a mark of ours" if e.unmarked else ""
            yield (
                f"  {s.rule:10} {s.encoded + s.explained:3} of {s.sentences:3}, {e.encoded + e.explained:2} of "
                f"{e.written:2} exceptions, {s.references:2} references, {len(s.terms):3} terms, {s.norms:2} norms  "
                f"{s.title}{at}{lost}{bare}"
            )


# ── what imported data say of a rule ──


def remarks(book: str, rule: str, width: int) -> str:
    """Imported questions, errata, annotations, index entries and page of a rule, as text; "" when there are none."""
    from kb import foreign

    found = foreign.for_rule(book, rule)
    rows: list[str] = []

    def wrapped(said: str, indent: int = 2) -> None:
        for n, line in enumerate(said.split("\n")):
            rows.extend(textwrap.wrap(line, width, initial_indent=" " * (indent + 2 * bool(n)),
                                      subsequent_indent=" " * (indent + 2)))  # fmt: skip

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
            said = ": ".join(filter(None, (f"{g.title} {g.subtitle}".strip(), g.content)))
            wrapped(said)
    if found["targets"]:
        rows += ["", *(f"page {t.page}  {t.caption}".rstrip() for t in found["targets"] if t.page)]
    return "\n".join(rows)


def asked(q: Question) -> Iterator[str]:
    if q.question or q.caption:
        yield f"Q: {q.question or q.caption}"
    if q.image:
        yield f"(picture: {q.image})"
    for answer, source in q.answers:
        yield f"A: {answer}" + (f"  [{source}]" if source else "")
    if q.see_other:
        yield f"see {q.see_other}"


def remarks_json(book: str, rule: str) -> dict[str, Any]:
    from kb import foreign
    from kb.passage import to_json

    return {kind: to_json(rows) for kind, rows in foreign.for_rule(book, rule).items() if rows}
