"""`loophole ask --batch`: many rows answered, one line each, while it is told how far it has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

import kb
from api import screen
from api.terminal import ANSWERED, BAD, complain, refuse

SHOWN = 0.5  # seconds between two words on how far it has come


def answer(
    rows: str, shape: Path | None, name: str, to: Path | None, workers: int, scheduler: str, options: Mapping[str, Any]
) -> None:
    """Answers every row. Exit code 2 where a row has no answer. Raises CaseError for what is wrong with all of them, CommandError."""
    many = kb.ask_many(rows, shape, name=name, workers=workers, scheduler=scheduler, **options)
    progress = Progress(many)
    try:
        with many.sink(to, sys.stdout.buffer) as sink:
            for answers in many.chunks():
                progress.clear()
                sink.write(answers)
                progress.show()
    except BrokenPipeError:  # the reader has gone
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(ANSWERED) from None
    except OSError as e:
        refuse(676, f"--out: cannot write {to}: {e.strerror}", "name a file in a folder that you may write to")
    finally:
        progress.clear()
    if many.faults or to is not None or progress.seconds() > screen.PATIENCE:
        complain(told(many, progress.seconds()))
    if many.faults:
        raise typer.Exit(BAD)


def told(many: Any, seconds: float) -> str:
    """What came of it, in a line."""
    said = f"{many.rows:,} row{'' if many.rows == 1 else 's'} in {seconds:,.1f} s"
    if many.asked + many.faults < many.rows:
        said += f", {many.asked:,} of them worked out, the others alike"
    if many.faults:
        said += f", {many.faults:,} of them without an answer (see their problems)"
    return said + (f"; {many.losses:,} times rows were lost and asked again" if many.losses else "")


class Progress:
    """How far a batch has come, on a terminal, after two seconds."""

    def __init__(self, many: Any):
        self.many, self.started, self.last = many, time.monotonic(), 0.0
        self.shown = False

    def seconds(self) -> float:
        """How long it has taken."""
        return time.monotonic() - self.started

    def show(self) -> None:
        """Says how far it has come, in the place of what it said before."""
        now = self.seconds()
        if now < screen.PATIENCE or now - self.last < SHOWN or not screen.able(sys.stderr):
            return
        screen.waiting.stop()
        share = self.many.share()
        left = f", {share:.0%}, {now * (1 - share) / share:,.0f} s to go" if share else ""
        faults = f", {self.many.faults:,} without an answer" if self.many.faults else ""
        sys.stderr.write(f"\r\033[K… {self.many.rows:,} rows{left}, {self.many.rows / now:,.0f} a second{faults}")
        sys.stderr.flush()
        self.last, self.shown = now, True

    def clear(self) -> None:
        """Takes away what was said."""
        screen.waiting.clear()
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.shown = False
