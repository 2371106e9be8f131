"""What only a person at a terminal sees: colour, a pager for what is longer than the screen, and a word while it takes long.

In a pipe, with NO_COLOR, or on a terminal that can do nothing (TERM=dumb) there is none of it.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from typing import TextIO

PATIENCE = 2.0  # seconds of silence before something is said
TICK = 1.0
GOOD, BAD, OPEN, HEAD, PLAIN = "\033[1;32m", "\033[1;31m", "\033[1;33m", "\033[1m", "\033[0m"
VERDICTS = {
    "PERMITTED": GOOD, "YES": GOOD, "REQUIRED": GOOD, "FORBIDDEN": BAD, "NO": BAD, "CONFLICT": OPEN, "UNDETERMINED": OPEN,
    "NOT RULED HERE": OPEN, "SILENT": OPEN,
}  # fmt: skip
VERDICT = re.compile(rf"({'|'.join(VERDICTS)})\b")
COLOURS = re.compile(r"\033\[[0-9;]*m")
COLUMN = re.compile(r" *\S+(?: \S+)* {2,}(?=\S)")  # the first cell of a row, to where the second begins
SECTION = re.compile(r"^[A-Z][A-Z ,’']+(?=$|:)", re.M)


def able(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") != "dumb"


def coloured(stream: TextIO) -> bool:
    """Whether what goes to a stream may be coloured (no-color.org)."""
    return able(stream) and not os.environ.get("NO_COLOR")


# ── colour ──


def painted(answer: str) -> str:
    """An answer as printed, with its verdict and the heads of its sections set off, where it goes to a terminal."""
    if not coloured(sys.stdout):
        return answer
    first, line, rest = answer.partition("\n")
    found = VERDICT.match(first)
    first = f"{VERDICTS[found[1]]}{found[0]}{PLAIN}{first[found.end() :]}" if found else f"{HEAD}{first}{PLAIN}"
    return first + line + SECTION.sub(rf"{HEAD}\g<0>{PLAIN}", rest)


# ── width ──


def fitted(text: str) -> str:
    """A text whose lines are broken at words where the terminal ends, under the column that they stand in; in a pipe as it is."""
    if not able(sys.stdout):
        return text
    import shutil

    width = max(shutil.get_terminal_size((80, 24)).columns, 40)
    if all(len(line) <= width for line in text.splitlines()):
        return text
    return "\n".join(broken(line, width) for line in text.split("\n"))


def broken(line: str, width: int) -> str:
    """A line, in several where it is longer than the width. Colours have no width."""
    if len(COLOURS.sub("", line)) <= width:
        return line
    import textwrap

    column = COLUMN.match(line)
    under = len(column[0]) if column and len(column[0]) <= width // 2 else len(line) - len(line.lstrip()) + 4
    return "\n".join(
        textwrap.wrap(line, width, subsequent_indent=" " * under, break_long_words=False, drop_whitespace=True)
    )


# ── the pager ──


def paged(text: str) -> bool:
    """Shows a text in the reader's pager where it is longer than his screen; whether it did.

    The pager is the one that PAGER names, else less, which ends by itself where there is nothing to page. PAGER=cat pages nothing.
    """
    import shlex
    import shutil
    import subprocess

    if not (able(sys.stdout) and sys.stdin.isatty()):
        return False
    if text.count("\n") + 1 < shutil.get_terminal_size((80, 24)).lines:
        return False
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
        if not command or shutil.which(command[0]) is None or command[0] == "cat":
            return False
        told = {**os.environ, "LESS": os.environ.get("LESS", "-FRX")}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=told, text=True, encoding="utf-8") as pager:
            try:
                pager.communicate(text + "\n")
            except KeyboardInterrupt:  # it is the pager's; it ends when its reader says so
                pager.wait()
        return True
    except (OSError, ValueError):  # a pager that cannot be started pages nothing
        return False


# ── a word while it takes long ──


class Waiting:
    """Says on a terminal that work goes on, after two seconds in which nothing was printed."""

    def __init__(self, stream: TextIO | None = None, patience: float = PATIENCE):
        self.stream, self.patience = stream or sys.stderr, patience
        self.silent = threading.Event()  # set: there is nothing (more) to say
        self.heard = threading.Event()  # set: something was printed
        self.lock = threading.Lock()
        self.shown = False
        self.thread: threading.Thread | None = None

    def start(self) -> Waiting:
        """Begins to wait, where there is a terminal to say it on."""
        if able(self.stream):
            self.thread = threading.Thread(target=self.run, daemon=True)
            self.thread.start()
        return self

    def run(self) -> None:
        """Counts the seconds, until something is printed."""
        while not self.silent.is_set():
            if self.heard.wait(self.patience):
                self.heard.clear()
                continue
            seconds = int(self.patience)
            while not (self.heard.is_set() or self.silent.is_set()):
                with self.lock:
                    if not self.heard.is_set():
                        self.stream.write(f"\r\033[K… working, {seconds} s")
                        self.stream.flush()
                        self.shown = True
                self.heard.wait(TICK)
                seconds += 1

    def clear(self) -> None:
        """Takes away what was said: something else is about to be printed."""
        self.heard.set()
        with self.lock:
            if self.shown:
                self.stream.write("\r\033[K")
                self.stream.flush()
                self.shown = False

    def stop(self) -> None:
        """Says no more: the command is done, waits for somebody, or shows its own progress."""
        self.silent.set()
        self.clear()


waiting = Waiting()
