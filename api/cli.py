"""The command line: `loophole ask CASE` and its sisters. Nothing heavy is imported before a command needs it.

Exit codes: 0 answered, 1 a test or check failed, 2 bad input.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from api import (
    cli_ask,
    cli_books,
    cli_cases,
    cli_certify,
    cli_compare,
    cli_coverage,
    cli_errata,
    cli_export,
    cli_interview,
    cli_lookup,
    cli_mcp,
    cli_plain,
    cli_query,
    cli_research,
    cli_serve,
    cli_shell,
    cli_text,
    cli_when,
    screen,
)
from api.cli_shell import COMPLETE
from api.settings import number
from api.terminal import ANSWERED, BAD, complain, mistake, out
from kb.errors import LoopholeError, of_system, too_deep

app = typer.Typer(
    name="loophole", cls=cli_plain.PlainGroup, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="A rules knowledge base for tabletop wargames: yes or no, by which rule, and why the others lost.",
)  # fmt: skip
# In the order in which --help lists their commands.
for module in (
    cli_ask, cli_certify, cli_interview, cli_lookup, cli_when, cli_cases, cli_compare, cli_query, cli_errata, cli_research, cli_text, cli_coverage, cli_export, cli_books, cli_serve, cli_mcp, cli_shell,
):  # fmt: skip
    module.register(app)


def tell_version(wanted: bool) -> None:
    """Prints the version and ends the command line."""
    if wanted:
        out(f"loophole {number()}")
        raise typer.Exit(ANSWERED)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unexpected mistake happened.")] = False,
) -> None:
    """What stands before any command; `main` has taken --debug out by then."""


def main(args: list[str] | None = None) -> int:
    """Runs the command line; returns the exit code. Bad input and mistakes are told in words, never as a traceback."""
    cli_plain.look_seldom()
    given = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in given
    given = [a for a in given if a != "--debug"]
    if COMPLETE in os.environ:
        cli_shell.begin()
    else:
        screen.waiting.start()
    try:
        command = cli_plain.only(app, given[0] if given else "")
        code = command(given, standalone_mode=False, prog_name="loophole")
        return code if isinstance(code, int) else ANSWERED
    except typer.Exit as e:
        return int(e.exit_code)
    except LoopholeError as e:
        return told(e)
    except RecursionError:
        return told(too_deep())
    except OSError as e:
        if debug:
            raise
        return told(of_system(e))
    except (typer.Abort, KeyboardInterrupt):
        complain("stopped")
        return BAD
    except Exception as e:
        if type(e).__name__ == "NoArgsIsHelpError":  # typer may carry its own click, of which it shows no class
            e.show()  # type: ignore[attr-defined]
            return BAD
        if hasattr(e, "format_message"):
            return told(mistake(e))
        if debug:
            raise
        complain(f"this should not have happened: {type(e).__name__}: {e} (loophole --debug … shows where)")
        return BAD
    finally:
        screen.waiting.stop()


def told(error: LoopholeError) -> int:
    """Tells every problem, and how many they are; returns the exit code."""
    n = len(error.problems)
    complain(f"{error}\n\n{n} problem{'s' if n != 1 else ''}")
    return BAD


if __name__ == "__main__":
    sys.exit(main())
