"""`loophole import` and `loophole library`: rule texts and extracted data of the reader's own."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api import screen
from api.terminal import Json, complain, out, out_json, refuse, width

if TYPE_CHECKING:
    from kb.coverage.edition_diff import Difference

SHOWN = 20  # rows of a list that are printed; --json has all


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("import")(import_)
    library = typer.Typer(no_args_is_help=True, help="The rule texts of your own that you have imported.")
    for name, command in (("list", listing), ("remove", remove), ("compare", compare)):
        library.command(name)(command)
    app.add_typer(library, name="library")


@contextmanager
def progress(title: str) -> Iterator[Any]:
    """A progress bar on a terminal; elsewhere nothing. Gives a callback (what, done, total)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    screen.waiting.stop()

    with Progress(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=None)
        yield lambda what, done, total: bars.update(bar, description=f"{title}: {what}", completed=done, total=total)


# ── import ──


def import_(
    file: Annotated[Path, typer.Argument(help="Plain text, Markdown or PDF; or a folder of extracted data.")],
    book: Annotated[str, typer.Option(help="The rulebook it is a text of.")],
    chapter: Annotated[str, typer.Option(help="The chapter, as its numbers begin: B30.")] = "",
    alias: Annotated[
        list[str] | None,
        typer.Option(help="Other letters for the chapter; for a folder, its letters and ours: T=BRT."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take the place of another text that was imported there.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring in a rule text, or a folder of extracted data, of your own. It stays on this machine."""
    known(book)
    if file.is_dir():
        data(file, book, chapter, alias or [], as_json)
    else:
        text(file, book, chapter, tuple(alias or ()), replace, as_json)


def known(book: str) -> None:
    """Raises CommandError (E687) for a book that there is neither among the shipped ones nor among the reader's own."""
    from kb import resources
    from kb.errors import did_you_mean

    homes = [resources.path("rulebooks"), *filter(None, [resources.own()])]
    names = sorted(p.name for home in homes for p in home.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    if book not in names:
        refuse(687, f"there is no book “{book}”", did_you_mean(book, names, "books:"))


def text(file: Path, book: str, chapter: str, aliases: tuple[str, ...], replace: bool, as_json: bool) -> None:
    """Imports a text and prints what was found, what changed and what was mended."""
    from kb.texts import library

    if not chapter and (chapter := likely(file, book)):
        complain(f"read as chapter {chapter}, whose numbers it has (--chapter says otherwise)")
    if not replace:
        stands(file, book, chapter, aliases)
    with progress(f"reading {file.name}") as step:
        report = library.import_text(file, book, chapter, aliases=aliases, progress=step)
    if as_json:
        out_json(asdict(report))
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


def likely(file: Path, book: str) -> str:
    """The chapter of a book whose rules a text has under numbers without their letters (7.4 for A7.4); "" where none is."""
    from kb import registry
    from kb.texts import library

    if book not in registry.books():
        return ""
    chapters = registry.theory(book).chapters.values()
    return library.chapter_of(file, {c.id: [s.rule for s in c.sections] for c in chapters})


def stands(file: Path, book: str, chapter: str, aliases: tuple[str, ...]) -> None:
    """Raises CommandError (E688) where another text stands in a text's place: one with fewer than half its rules in common."""
    from kb.texts import library, shelf

    entry = library.standing(shelf.place_of(book, chapter))
    if entry is None or not entry.sections:
        return
    held, new = {row.rule for row in entry.sections}, set(library.rules_in(file, chapter, aliases))
    if new and len(held & new) < len(held) / 2:
        place = f"{book} {chapter}".strip()
        hint = "say which chapter it is (--chapter), or --replace if it is to go"
        refuse(688, f"{place} holds another text: {entry.file}, {len(held)} sections, {entry.imported[:10]}", hint)


def data(folder: Path, book: str, chapter: str, aliases: list[str], as_json: bool) -> None:
    """Imports a folder of extracted data: index, targets, questions, errata, annotations."""
    from kb.texts import extracted

    if chapter:
        refuse(684, "--chapter: a folder of extracted data is of a whole book", "leave --chapter out")
    with progress(f"reading {folder.name}") as step:
        report = extracted.import_folder(folder, book, own_names(book) | pairs(aliases), progress=step)
    if as_json:
        out_json(asdict(report))
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
    """Their letters to ours. Raises CommandError (E680)."""
    found = {}
    for given in aliases:
        theirs, sep, ours = given.partition("=")
        if not sep or not theirs.strip() or not ours.strip():
            refuse(680, f"--alias: “{given}” is not THEIRS=OURS", "write --alias T=BRT")
        found[theirs.strip()] = ours.strip()
    return found


def own_names(book: str) -> dict[str, str]:
    """The beginnings of rule ids that the book's own chapters say others use for them."""
    from kb import registry

    if book not in registry.books():
        return {}
    return {alias: c.id for c in registry.theory(book).chapters.values() for alias in c.aliases}


# ── library ──


def listing(as_json: Json = False) -> None:
    """List what you have imported."""
    from kb.errors import TextError
    from kb.texts import extracted, library, shelf

    (entries, _), faults, imported = shelf.told(), shelf.damaged(), list[Any]()
    for book in extracted.books():
        try:
            imported += filter(None, [extracted.data(book)])
        except TextError as damage:
            faults += damage.problems
    if as_json:
        rows = [library.summary(e) for e in entries]
        out_json(rows + [{"book": d.book, "chapter": "data", "counts": d.counts()} for d in imported])
        if faults:
            raise TextError(faults)
        return
    if not entries and not imported and not faults:
        out(f"nothing is imported yet (loophole import FILE --book …); the library is {shelf.root()}")
    for e in entries:
        n = sum(row.sentences for row in e.sections)
        out(
            f"{e.book} {e.chapter or '(whole)'}: {len(e.sections)} sections, {n} sentences, "
            f"from {e.file}, {e.imported[:10]}"
        )
    for d in imported:
        out(f"{d.book} data: {', '.join(f'{n} {what}' for what, n in d.counts().items() if n)} (unreviewed)")
    if faults:
        raise TextError(faults)


def remove(book: str, chapter: Annotated[str, typer.Argument()] = "") -> None:
    """Remove an imported text: a chapter, `data` for extracted data, or all of a book."""
    from kb.texts import extracted, shelf

    gone = []
    if chapter == "data":
        if not extracted.remove(book):
            refuse(685, f"no data of {book} are imported", "loophole library list shows what is")
        gone = [f"{book} data"]
    else:
        if not chapter and extracted.remove(book):
            gone.append(f"{book} data")
        if shelf.folders(book) or not gone:
            gone = shelf.remove(book, chapter or None) + gone
    out(f"removed {', '.join(gone)}")


def compare(
    book: str,
    chapter: Annotated[str, typer.Argument(help="Only this chapter.")] = "",
    as_json: Json = False,
    every: Annotated[bool, typer.Option("--all", help="The sentences that are the same, too.")] = False,
) -> None:
    """Show where your edition differs from the one encoded: what is changed, missing, added or moved."""
    from msgspec import to_builtins

    from kb import resources
    from kb.coverage import edition_diff

    found = edition_diff.editions(resources.path("rulebooks"), book, chapter)
    shown = [(name, rows, [d for d in rows if every or d.status != edition_diff.SAME]) for name, rows in found]
    if as_json:
        out_json([{"chapter": name, "differences": to_builtins(told)} for name, _, told in shown])
        return
    for name, rows, told in shown:
        count = {s: sum(d.status == s for d in rows) for s in edition_diff.STATUSES}
        said = ", ".join(f"{n} {status}" for status, n in count.items() if n)
        out(f"{book} {name}: {said or 'no sentence'}")
        for line in (line for d in told for line in difference(d)):
            out("\n".join(textwrap.wrap(line, width(), initial_indent="  ", subsequent_indent="      ")))


def difference(d: Difference) -> list[str]:
    """A difference as lines: where, how, and the reader's own sentence."""
    place = f"{d.rule} sentence {d.position + 1}" if d.position >= 0 else d.rule
    ours = f" (ours: {d.number})" if d.number and d.number != d.position + 1 else ""
    where = f" (it stands in {d.elsewhere} of the edition encoded)" if d.elsewhere else ""
    gone = "" if d.quotes else "; your text has no such sentence there"
    return [f"{d.status}: {place}{ours}{where}{gone}", *(f"    “{q.text}”" for q in d.quotes)]
