"""`loophole certify`: a recorded proof, checked in a process that did not make it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.terminal import FAILED, Json, out, out_json, read, refuse


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(certify)


def certify(
    file: Annotated[
        str,
        typer.Argument(
            metavar="PROOF", help="What `ask --proof` or the API's JSON answer wrote; - for standard input."
        ),
    ],
    as_json: Json = False,
) -> None:
    """Check a recorded proof against the rules as they are loaded here, without the reasoner that made it."""
    from kb import asking
    from kb.answers import explain

    proof, problems = asking.certified(text_of(file))
    if as_json:
        rows = [{"code": p.code, "message": p.message, "hint": p.hint or None} for p in problems]
        out_json({"accepted": not problems, "verdict": proof.verdict, "cites": list(proof.cites), "problems": rows})
    elif problems:
        out("\n".join(map(str, problems)))
        out(f"\nNOT ACCEPTED: {len(problems)} fault{'s' if len(problems) > 1 else ''}")
    else:
        out(f"ACCEPTED: {explain.headline(proof)}")
    if problems:
        raise typer.Exit(FAILED)


def text_of(file: str) -> str:
    """The text of a file, or of standard input for `-`. Raises CommandError (E675)."""
    if file != "-":
        return read(Path(file))
    import sys

    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        refuse(675, "standard input is not UTF-8 text", "give a proof in JSON")
