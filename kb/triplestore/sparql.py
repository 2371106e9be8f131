"""SPARQL as anybody may ask it: read only, with prefixes supplied, and stopped at limits of time, rows and memory.

The query runs in a process of its own, which is ended when its time is over: no query, however hostile, stops or fills
the process that asked. One that was soon done with its query waits for the next (Spares). A remote endpoint is asked with the same guard and a time limit; what it does then is its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from kb import resources
from kb.errors import Place, Problem, QueryError
from kb.triplestore.guard import checked
from kb.triplestore.remote import Remote
from kb.triplestore.results import Table, prefixes, term_of
from kb.triplestore.store import Embedded, Store


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may use: seconds of time, rows and characters of answer, bytes of memory."""

    seconds: float = 10.0
    rows: int = 1000
    characters: int = 16_000_000
    memory: int = 2_000_000_000


def ask(query: str, store: Store, limits: Limits = Limits(), file: str = "", spares: Spares | None = None) -> Table:
    """The answer of a query. Raises QueryError: E630 to E638 for what is refused, E640 for what does not read,

    E641 over its time, E642 over its memory or too much for the engine, E643 for an engine's own complaint.
    spares: processes that wait for a query, of which one is taken.
    """
    text = checked(query, file)
    if isinstance(store, Remote):
        return store.select(text, limits.rows, limits.seconds)
    worker = spares.take() if spares else Worker()
    try:
        return in_worker(text, store, limits, file, worker)
    finally:
        if spares:
            spares.give(worker)
        else:
            worker.end()


def in_worker(text: str, store: Embedded, limits: Limits, file: str, worker: Worker) -> Table:
    """A checked query in a process of its own over the store's files, or over a copy of a store in memory."""
    with tempfile.TemporaryDirectory(prefix="loophole-") as kept:
        asked = {
            "store": str(store.files(Path(kept))), "query": text, "prefixes": prefixes(), "rows": limits.rows,
            "bytes": limits.characters, "memory": limits.memory, "seconds": limits.seconds,
        }  # fmt: skip
        try:
            said, code = worker.answer(json.dumps(asked).encode(), limits.seconds)
        except subprocess.TimeoutExpired:  # by now it has been ended
            hint = "ask for less: name what you look for, or add LIMIT; --seconds gives more time"
            message = f"the query was stopped: it was not done after {limits.seconds:g} seconds"
            raise QueryError(Problem(641, message, Place(file, 1) if file else Place("query", 1), hint)) from None
    return answer(said, code, limits, file)


class Worker:
    """A process that waits for a query. again: whether it may be asked another; asked: how many it was."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "kb.triplestore.worker"]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, env=environment())
        self.again, self.asked = False, 0

    def answer(self, asked: bytes, seconds: float) -> tuple[bytes, int]:
        """What it says to a query, and its exit code (0 where it has not ended); its time begins when it is there. Raises
        subprocess.TimeoutExpired."""
        self.again = False
        if not self.asked:
            self.line(STARTING)  # its word that it is there; nothing, where it is not
        self.asked += 1
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended: told by its exit code
            self.process.stdin.write(asked + b"\n")
            self.process.stdin.flush()
        said, late = self.line(seconds)
        if late:
            raise subprocess.TimeoutExpired(self.process.args, seconds)
        self.again = self.asked < MOST_ASKED and said.endswith(b'"again": true}\n')
        return said, 0 if said.endswith(b"\n") else self.process.wait()

    def line(self, seconds: float) -> tuple[bytes, bool]:
        """The next line that it writes; where that takes longer, the process is ended, and True."""
        assert self.process.stdout is not None
        over = threading.Event()

        def stop() -> None:
            over.set()
            self.process.kill()

        late = threading.Timer(seconds, stop)
        late.start()
        said = self.process.stdout.readline()
        late.cancel()
        late.join()  # it may be at it just now
        return said, over.is_set()

    def end(self) -> None:
        """Ends it."""
        self.process.kill()
        with contextlib.suppress(OSError), self.process:  # what it was not told any more is lost
            pass


class Spares:
    """So many processes that are asked at a time, and one that waits, so that no query waits for a process to begin. out: how many are asked."""

    def __init__(self, most: int):
        self.most, self.waiting, self.lock, self.closed, self.out = most, list[Worker](), threading.Lock(), False, 0

    def take(self) -> Worker:
        """The one that waits the longest."""
        with self.lock:
            for gone in [w for w in self.waiting if w.process.poll() is not None]:
                self.waiting.remove(gone)
                gone.end()
            while not self.closed and len(self.waiting) + self.out <= self.most:
                self.waiting.append(Worker())
            self.out += 1
            return self.waiting.pop(0) if self.waiting else Worker()

    def give(self, worker: Worker) -> None:
        """Takes back one that was asked: it waits for the next query where it may be asked another, else it is ended."""
        with self.lock:
            self.out -= 1
            if worker.again and not self.closed and len(self.waiting) <= self.most:
                return self.waiting.append(worker)
        worker.end()

    def close(self) -> None:
        """Ends all that wait; from now on none is kept."""
        with self.lock:
            self.closed = True
            while self.waiting:
                self.waiting.pop().end()


MOST_ASKED = 500  # queries of one process
STARTING = 10.0  # seconds that a process has to begin


def environment() -> dict[str, str]:
    """The worker's: as ours, with this package to be found first."""
    path = [str(resources.PACKAGE.parent), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONUTF8": "1"}


def answer(said: bytes, code: int, limits: Limits, file: str) -> Table:
    """The worker's answer as a table. Raises QueryError for its error, or where it ended without a word."""
    where = Place(file or "query", 1)
    try:
        found = json.loads(said)
    except ValueError:
        hint = f"ask for less; a query may use {limits.memory // 1_000_000:,} MB"
        raise QueryError(
            Problem(642, f"the query was too much for the engine, which ended ({code})", where, hint)
        ) from None
    if kind := found.get("error"):
        message = str(found.get("message", "")).strip()
        if kind == "syntax":
            raise QueryError(Problem(640, f"this is not SPARQL: {message}", where, "see docs/queries.md for the names"))
        if kind == "memory":
            hint = f"ask for less; a query may use {limits.memory // 1_000_000:,} MB"
            raise QueryError(Problem(642, "the query needs too much memory", where, hint))
        raise QueryError(Problem(643, f"the engine says: {message}", where, "ask it otherwise"))
    rows = tuple(tuple(None if t is None else term_of(t) for t in row) for row in found.get("rows", ()))
    columns = tuple(found.get("columns", ()))
    return Table(columns, rows, found["kind"], found.get("yes", False), found.get("more", False), found["seconds"])
