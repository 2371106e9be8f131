"""The command line starts fast: one command is built, texts stay as typed, and no converter is imported for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer

from api import cli, cli_ask, cli_plain

SAID = "import sys\nfrom api.cli import main\nsys.argv[1:] = {args}\ncode = main()\nprint(code, 'pydantic' in sys.modules, file=sys.stderr)"


def asked(root: Path, *args: str) -> tuple[str, str]:
    """What a new process prints for a command, and its exit code with whether it imported the converter."""
    code = SAID.format(args=list(args))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    return done.stdout, done.stderr.strip().splitlines()[-1]


@pytest.mark.slow
def test_an_answer_imports_no_converter(root: Path) -> None:
    printed, told = asked(
        root, "ask", "examples/pillbox.yaml", "--chapter", "B30", "--chapter", "A7", "--edition", "2nd"
    )
    assert printed.startswith("FORBIDDEN") and told == "0 False"


def test_where_a_value_is_no_text_it_is_converted(root: Path) -> None:
    """A number, which has to be one: the same look at the modules finds the converter then."""
    _, told = asked(root, "search", "pillbox", "--limit", "1")
    assert told == "0 True"


def app() -> tuple[typer.Typer, list[object]]:
    made, got = typer.Typer(name="made", cls=cli_plain.PlainGroup, add_completion=False), []

    @made.command(cls=cli_plain.Plain)
    def one(
        name: str,
        also: Annotated[list[str] | None, typer.Option()] = None,
        size: int = 2,
        mark: str = "",
        loud: bool = False,
    ) -> None:
        got.append((name, also, size, mark, loud))

    @made.command()
    def other() -> None:
        got.append("other")

    return made, got


@pytest.mark.parametrize(
    "args, wanted",
    [
        (["one", "x"], ("x", None, 2, "", False)),
        (["one", "x", "--also", "a", "--also", "", "--mark", "é [b]", "--loud"], ("x", ["a", ""], 2, "é [b]", True)),
        (["one", "7", "--size", "3", "--also", "4"], ("7", ["4"], 3, "", False)),
        (["other"], "other"),
    ],
)
def test_texts_stay_as_they_are_typed(args: list[str], wanted: object) -> None:
    for only in (False, True):
        made, got = app()
        (cli_plain.only(made, args[0]) if only else made)(args, standalone_mode=False)
        assert got == [wanted]


@pytest.mark.parametrize(
    "args, said",
    [(["one"], "Missing argument"), (["one", "x", "--size", "big"], "--size"), (["one", "x", "y"], "extra")],
)
def test_mistakes_are_still_told(args: list[str], said: str) -> None:
    made, _ = app()
    with pytest.raises(Exception) as e:  # typer carries its own click, of which it shows no class
        cli_plain.only(made, args[0])(args, standalone_mode=False)
    assert said in e.value.format_message()  # type: ignore[attr-defined]


def test_only_the_command_asked_for_is_built() -> None:
    less = cli_plain.only(cli.app, "ask")
    assert [c.callback for c in less.registered_commands] == [cli_ask.ask] and not less.registered_groups
    assert cli_plain.only(cli.app, "asks") is cli.app and cli_plain.only(cli.app, "") is cli.app
    assert len(cli.app.registered_commands) > 20
