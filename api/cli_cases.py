"""`loophole test`: cases, comparisons and rulings as tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from api import cli_compare
from api.terminal import BAD, FAILED, complain, indented, out, refuse, width


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(test)


def test(
    paths: Annotated[
        list[Path], typer.Argument(help="Case files with `expect`, files of rulings (errata/*.md), or folders of them.")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the mismatches and the counts.")] = False,
) -> None:
    """Ask each case and compare the answer with what it expects."""
    from kb.errors import LoopholeError, RulebookError

    files = list(case_files(paths))
    if not files:
        refuse(683, f"no case stands in {', '.join(map(str, paths))}", "name case files (*.yaml, *.yml, *.json)")
    passed = failed = bad = 0
    for file in files:
        try:
            for name, misses in asked(file):
                if misses:
                    failed += 1
                    out(f"{name}: FAILED\n{misses}\n")
                else:
                    passed += 1
                    if not quiet:
                        out(f"{name}: passed")
        except LoopholeError as e:
            if file.suffix != ".md" and isinstance(e, RulebookError):
                raise  # a book that does not read would be told anew for each of its cases
            bad += 1
            complain(f"{file}: {'no records' if file.suffix == '.md' else 'not a case'}\n{indented(str(e))}")
    said = f"{passed} passed, {failed} failed"
    out(said + (f", {bad} could not be read" if bad else ""))
    if failed or bad:
        raise typer.Exit(BAD if bad else FAILED)


def case_files(paths: list[Path]) -> Iterator[Path]:
    """The files to ask: those named, and of a folder its cases and its records of rulings, in order."""
    from kb.resources import cases

    for path in paths:
        if path.is_dir():
            records = [f for f in path.rglob("*.md") if f.parent.name == "errata"]
            yield from sorted([*cases(path), *records])
        else:
            yield path


def asked(file: Path) -> Iterator[tuple[str, str]]:
    """What each test of a file is called and what its answer misses, "" for nothing. Raises LoopholeError."""
    if file.suffix == ".md":
        from kb.research import rulings

        for found in rulings.run(rulings.of_file(file)):
            side = f", {found.side}" if found.side else ""
            yield f"{file}: {found.record.id}{side}", rulings.finding(found) if found.misses else ""
        return
    from kb import asking

    misses = cli_compare.tried(file) if cli_compare.is_comparison(file) else tried(asking.case(file))
    yield str(file), indented(misses)


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
