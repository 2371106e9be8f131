"""`loophole test`: cases, comparisons and rulings as tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from api import cli_compare
from api.terminal import BAD, FAILED, complain, indented, out, refuse, width

if TYPE_CHECKING:
    from kb.cases.casebook import Written


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(test)


def test(
    paths: Annotated[
        list[Path], typer.Argument(help="Case files with `expect`, files of rulings (errata/*.md), or folders of them.")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the mismatches and the counts.")] = False,
    rule: Annotated[str, typer.Option(help="Only the cases about this rule and those below it: B30.42, B30.")] = "",
    conditions: Annotated[
        bool,
        typer.Option(
            "--conditions",
            help="Tell, too, on which conditions of the norms no case turns, with a situation that would.",
        ),
    ] = False,
) -> None:
    """Ask each case and compare the answer with what it expects."""
    from kb.errors import LoopholeError, RulebookError

    passed = failed = bad = 0
    known: set[str] = set()
    for found in tests(paths, rule, known):
        try:
            name, misses = found.place, found.asked()
        except LoopholeError as e:
            if not found.records and isinstance(e, RulebookError):
                raise  # a book that does not read would be told anew for each of its cases
            bad += 1
            complain(f"{found.place}: {'no records' if found.records else 'not a case'}\n{indented(str(e))}")
            continue
        if misses:
            failed += 1
            out(f"{name}: FAILED\n{misses}\n")
        else:
            passed += 1
            if not quiet:
                out(f"{name}: passed")
    if not passed + failed + bad:
        nothing(paths, rule, known)
    said = f"{passed} passed, {failed} failed"
    out(said + (f", {bad} could not be read" if bad else ""))
    if conditions:
        unturned(paths, rule)
    if failed or bad:
        raise typer.Exit(BAD if bad else FAILED)


def unturned(paths: list[Path], rule: str) -> None:
    """Tells the parts of norms on which no case turns, each with a smallest situation that does."""
    from api.cli_text import progress
    from kb.research import report

    with progress("conditions") as step:
        found = report.covered(cases_of(paths), step, lambda name: not rule or covers(rule, name))
    for part in found.silent:
        out(f"\n{part.place}: no case turns on “{part.said}” of {part.name}")
        told = report.telling(part)
        if told is None:
            out("  nor any situation that was tried: other conditions, other norms or the terms may say as much")
        else:
            out(indented(told.text))
    out(f"\n{found.parts - len(found.silent)} of {found.parts} conditions and exceptions of norms are turned by a case")


def covers(rule: str, name: str) -> bool:
    """Whether a rule is that one, or one below it."""
    from kb.search import lookup

    return lookup.covers(rule, name)


def nothing(paths: list[Path], rule: str, known: set[str]) -> NoReturn:
    """Says that there is nothing to test. known: the rules that the cases there are about. Raises CommandError (E683)."""
    from kb.errors import did_you_mean

    where = ", ".join(map(str, paths))
    if rule and known:
        listed = did_you_mean(rule, sorted(known)) or f"--rule takes one of {', '.join(sorted(known)[:12])} …"
        refuse(683, f"no case in {where} is about {rule}", listed)
    refuse(
        683,
        f"no case stands in {where}",
        "name case files (*.yaml, *.yml, *.json)" if not rule else "give each case its rule: B30.42",
    )


@dataclass(frozen=True)
class Test:
    """One thing to ask: a case, a comparison, or a ruling of a record. place: where it stands and what it is called."""

    place: str
    asked: Callable[[], str]
    records: bool = False


def tests(paths: list[Path], rule: str = "", known: set[str] | None = None) -> Iterator[Test]:
    """All that stands under some paths, in order, or what is about one rule; puts the rules seen into `known`.

    What does not read is told whatever the rule: nobody knows what it is about.
    """
    from kb.cases import casebook
    from kb.errors import CaseError

    for file in files_of(paths):
        if file.suffix == ".md":
            yield from rulings_of(file, rule)
            continue
        try:
            cases = casebook.in_file(file)
        except CaseError as e:
            yield Test(str(file), partial(again, e))
            continue
        for case in cases:
            if known is not None and case.rule:
                known.add(case.rule)
            if not rule or case.fault is not None or about(case, rule):
                yield Test(case.place, partial(missed, case))


def files_of(paths: list[Path]) -> Iterator[Path]:
    """The files to ask: those named, and of a folder its cases and its records of rulings, in order."""
    from kb.resources import cases

    for path in paths:
        if path.is_dir():
            records = [f for f in path.rglob("*.md") if f.parent.name == "errata"]
            yield from sorted([*cases(path), *records])
        else:
            yield path


def again(error: Exception) -> str:
    """Raises an error that was met before its turn."""
    raise error


def rulings_of(file: Path, rule: str) -> Iterator[Test]:
    """The cases of the records of a file, on each side; with rule, of the records on that rule."""
    from kb.errors import LoopholeError
    from kb.research import rulings
    from kb.search import lookup

    try:
        records = [r for r in rulings.of_file(file) if not rule or any(lookup.covers(rule, r_) for r_ in r.rules)]
        found = list(rulings.run(records))
    except LoopholeError as e:
        yield Test(str(file), partial(again, e), records=True)
        return
    for one in found:
        side = f", {one.side}" if one.side else ""
        misses = rulings.finding(one) if one.misses else ""
        yield Test(f"{file}: {one.record.id}{side}", partial(str, misses), records=True)


def cases_of(paths: list[Path]) -> list[Written]:
    """The cases under some paths, in order. Raises CaseError for a file that cannot be read."""
    from kb.cases import casebook

    return list(casebook.of(paths))


def about(case: Written, rule: str) -> bool:
    """Whether a case says that it is about a rule, or one below it."""
    from kb.search import lookup

    return lookup.covers(rule, case.rule, aliases(str(case.content.get("book", ""))))


@lru_cache
def aliases(book: str) -> tuple[tuple[str, str], ...]:
    """Other spellings of the prefixes of a book's rule numbers, each with its chapter."""
    from kb import registry

    known = registry.book(book).chapters if book in registry.books() else ()
    return tuple((alias, chapter.id) for chapter in known for alias in chapter.aliases)


def missed(case: Written) -> str:
    """What the answer to a case or a comparison misses, "" for nothing. Raises LoopholeError."""
    from kb import asking

    return indented(cli_compare.tried(case) if case.compares else tried(asking.case(case)))


def tried(case: Any, seen: Callable[[Any], object] = bool) -> str:
    """What a case's answer misses, with the chain given; "" when it is as expected.

    case: a kb.language.case.Case; seen: is shown the proof. Raises RulebookError or QueryError.
    """
    from kb import asking
    from kb.answers import expectations, explain

    if not case.expect:
        return "the case has no “expect”: nothing to test"
    proof = asking.ask(case)
    seen(proof)
    found = expectations.mismatches(proof)
    if not found:
        return ""
    return "\n".join([*found, "", "the answer given:", indented(explain.text(proof, flips=False, width=width() - 4))])
