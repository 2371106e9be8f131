"""`loophole completion`: has the shell complete commands and options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from api.terminal import out, refuse

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
COMPLETE = f"_{'loophole'.upper()}_COMPLETE"  # set by the shell when it asks what may come next: no setting of ours


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(completion)


def completion(
    shell: Annotated[str, typer.Argument(help=", ".join(SHELLS))],
) -> None:
    """Print what has a shell complete commands and options: eval "$(loophole completion bash)"."""
    from kb.errors import did_you_mean

    if shell not in SHELLS:
        refuse(674, f"completion: no shell is called “{shell}”", did_you_mean(shell, SHELLS, "one of"))
    out(script(shell), fit=False)


def begin() -> Any:
    """Has typer know the shells; returns what it knows of completion. Its names are public, its types are not."""
    from typer import completion as known

    completing: Any = known
    completing.completion_init()
    return completing


def script(shell: str) -> str:
    """What the shell is to read."""
    return str(begin().get_completion_script(prog_name="loophole", complete_var=COMPLETE, shell=shell))
