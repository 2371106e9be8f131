"""What all commands share: exit codes, how they print and complain, and the files that they read and write."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from api import screen
from kb.errors import NOWHERE, LoopholeError, Place, Problem, did_you_mean

ANSWERED, FAILED, BAD = 0, 1, 2

Book = Annotated[str, typer.Option(help="The rulebook's id, as in a case.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class CommandError(LoopholeError):
    """67x and 68x: a command line that cannot be understood, or a file that it names and that cannot be read or written."""


def refuse(code: int, message: str, hint: str = "", place: Place = NOWHERE) -> NoReturn:
    """Raises CommandError with one problem."""
    raise CommandError(Problem(code, message, place, hint))


# ── printing ──


def out(said: str, fit: bool = True) -> None:
    """Prints plain text: rule texts hold brackets, which no markup may eat. A reader who has gone ends the command.

    fit: lines may be broken where the terminal ends, which files (JSON, Turtle, YAML) do not bear.
    """
    said = screen.fitted(said) if fit else said
    screen.waiting.clear()
    try:
        print(said, flush=True)
    except UnicodeEncodeError:
        sys.stdout.buffer.write((said + "\n").encode("utf-8", "replace"))
    except BrokenPipeError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(ANSWERED) from None


def out_list(said: str) -> None:
    """Prints a list, in the reader's pager where it is longer than his screen."""
    screen.waiting.stop()
    said = screen.fitted(said)
    if not screen.paged(said):
        out(said, fit=False)


def out_json(value: Any) -> None:
    """Prints a value as JSON; what JSON has no word for (paths, fractions) as text."""
    import json

    out(json.dumps(value, ensure_ascii=False, indent=2, default=str), fit=False)


def complain(said: str) -> None:
    """Prints on standard error."""
    screen.waiting.clear()
    print(said, file=sys.stderr)


def width() -> int:
    """The terminal's width in characters, at most 110: longer lines are hard to read."""
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 110)


def indented(said: str) -> str:
    """Every line that is not empty two spaces further in."""
    return "\n".join(f"  {line}" if line else "" for line in said.splitlines())


# ── files ──


def read(file: Path) -> str:
    """The text of a file that an option names. Raises CommandError (E675)."""
    from kb.resources import read_text

    return read_text(file, 675, CommandError)


ROOM = "name a file in a folder that you may write to, on a disk with room; what stood there is as it was"


def may_write(file: Path, option: str) -> None:
    """Looks whether a file may be written, before long work for it. Raises CommandError (E676)."""
    folder = file.absolute().parent
    if not folder.is_dir():
        refuse(676, f"{option}: cannot write {file}: there is no such folder", "make the folder, or name another")
    if not os.access(file if file.exists() and not file.is_file() else folder, os.W_OK):
        refuse(676, f"{option}: cannot write {file}: {os.strerror(errno.EACCES)}", ROOM)


def write(file: Path, text: str, option: str) -> None:
    """Writes a file that an option names, whole or not at all. Raises CommandError (E676)."""
    from kb.resources import replaced

    may_write(file, option)
    try:
        if file.exists() and not file.is_file():  # a device, a pipe: nothing stands there that could be kept
            file.write_text(text, encoding="utf-8")
        else:
            replaced(file, text.encode("utf-8"))
    except OSError as e:
        refuse(676, f"{option}: cannot write {file}: {e.strerror or e}", ROOM)


# ── mistakes on the command line ──


def mistake(error: Any) -> CommandError:
    """What the parser of command lines complains of, as a problem like any other.

    error: one of the parser's usage errors; typer may carry its own, of which it shows no class.
    """
    context: Any = error.ctx
    path = context.command_path if context is not None else "loophole"
    said = error.format_message().partition(" (Possible options")[0].partition(" Did you mean")[0].rstrip(".")
    hint = f"see {path} --help"
    if said.startswith("No such command"):
        hint = did_you_mean(said.split("'")[1], context.command.list_commands(context)) or hint
        code = 671
    elif hasattr(error, "possibilities"):
        known = [name for p in context.command.get_params(context) for name in p.opts if name.startswith("--")]
        hint = did_you_mean(error.option_name, known) or hint
        code = 672
    else:
        code = 673 if hasattr(error, "param_type") else 674
    return CommandError(Problem(code, f"{path}: {said[:1].lower()}{said[1:]}", hint=hint))
