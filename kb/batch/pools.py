"""Where chunks are answered: in this process, or in others of this machine; and how it is seen to that none is lost.

    Watch(pool, job).in_order(parts)    each part of the rows with the answers that were to be asked of it, in order

A worker that dies, takes too long or brings back other rows than it was given loses nothing: the chunk is answered again, then
row by row, and a row that cannot be answered says so.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeVar

from kb.batch import chunks as work, told
from kb.batch.reading import Job
from kb.batch.sources import Row
from kb.batch.told import Told
from kb.errors import CaseError, Problem

PATIENCE, EACH = 60.0, 2.0  # seconds that a chunk may take, and more for each of its rows
HOPELESS = 3  # losses, with nothing brought back, after which it is said that the workers do not work
TRIES = 2  # of a chunk, before its rows are asked one by one
P = TypeVar("P")
Groups = Iterable[Sequence[Row]]
Asked = tuple[Sequence[Row], list[Told]]


class Lost(Exception):
    """Some rows did not come back."""


class Pool(Protocol):
    """Something that answers chunks. room: how many are under way at a time; where: how it is called when it fails; apart: whether it
    is another process, whose answers are held against this one's."""

    room: int
    where: str
    apart: bool

    def submit(self, job: Job, rows: Sequence[Row]) -> Any:
        """Has some rows answered; what is given back is for `result`."""

    def result(self, given: Any) -> list[Told]:
        """The answers. Raises Lost."""

    def stop(self) -> None:
        """Ends all work."""


class Here:
    """This process: for few rows."""

    room, where, apart = 1, "this process", False

    def submit(self, job: Job, rows: Sequence[Row]) -> list[Told]:
        """The answers."""
        return work.answered(job, rows)

    def result(self, given: list[Told]) -> list[Told]:
        """The answers."""
        return given

    def stop(self) -> None:
        """There is nothing to end."""


class Processes:
    """Processes of this machine, by default as many as there are cores; one that dies is replaced."""

    apart = True

    def __init__(self, workers: int = 0, task: Any = work.answered):
        import multiprocessing

        from pebble import ProcessPool

        self.workers = workers or cores()
        self.room, self.where, self.task = 2 * self.workers, "a worker process", task
        self.pool = ProcessPool(self.workers, context=multiprocessing.get_context("spawn"))

    def submit(self, job: Job, rows: Sequence[Row]) -> Future[list[Told]]:
        """Has a worker answer some rows."""
        found: Future[list[Told]] = self.pool.schedule(self.task, args=(job, rows), timeout=PATIENCE + EACH * len(rows))
        return found

    def result(self, given: Future[list[Told]]) -> list[Told]:
        """The answers."""
        from pebble import ProcessExpired

        try:
            return given.result()
        except (ProcessExpired, BrokenProcessPool, CancelledError, EOFError) as e:
            raise Lost("the worker that answered it died") from e
        except TimeoutError as e:
            raise Lost(f"it took longer than {PATIENCE:g} s") from e

    def stop(self) -> None:
        """Ends the workers, and what they are at."""
        self.pool.stop()
        self.pool.join()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ── in order, and whole ──


class Watch:
    """Sees to it that every row comes back. losses: how often one did not at first."""

    def __init__(self, pool: Pool, job: Job):
        self.pool, self.job = pool, job
        self.losses = self.came = 0

    def in_order(self, parts: Iterable[tuple[P, Groups]]) -> Iterator[tuple[P, list[Asked]]]:
        """Each part, with the groups of rows that were to be asked of it and their answers; in order. No more parts are read than the
        pool has room for. Raises CaseError (E484)."""
        waiting: deque[tuple[P, list[tuple[Sequence[Row], Any]]]] = deque()
        for part, groups in parts:
            waiting.append((part, self.given(groups)))
            while waiting and (len(waiting) >= self.pool.room or not waiting[0][1]):
                yield self.settled(*waiting.popleft())
        while waiting:
            yield self.settled(*waiting.popleft())

    def given(self, groups: Groups) -> list[tuple[Sequence[Row], Any]]:
        """Groups of rows, each with what the pool gives for it."""
        return [(rows, self.pool.submit(self.job, rows)) for rows in groups]

    def settled(self, part: P, given: Iterable[tuple[Sequence[Row], Any]]) -> tuple[P, list[Asked]]:
        """A part with the answers that were to be asked of it, however often they have to be asked for."""
        return part, [(rows, self.whole(rows, one, TRIES)) for rows, one in given]

    def whole(self, rows: Sequence[Row], given: Any, tries: int) -> list[Told]:
        """The answers of some rows: one for each, in their order."""
        why = ""
        for left in range(tries, 0, -1):
            try:
                found = self.pool.result(given)
                if [made.row for made in found] != [row.number for row in rows]:
                    raise Lost("its answer did not come back")
                self.came += 1
                return found
            except Lost as e:
                why = str(e)
                self.losses += 1
                if self.losses >= HOPELESS and not self.came:
                    raise CaseError(hopeless(self.pool.where, why)) from None
                if left > 1:
                    given = self.pool.submit(self.job, rows)
        if len(rows) == 1:
            return [told.at_fault(rows[0].number, rows[0].line, (unanswered(why, rows[0]),))]
        alone = [((row,), self.pool.submit(self.job, (row,))) for row in rows]
        return [made for one, given in alone for made in self.whole(one, given, 1)]


def unanswered(why: str, row: Row) -> Problem:
    """The problem (E482) of a row that no worker brought back."""
    return Problem(482, f"the row was not answered: {why}", hint="ask it alone, as a case; the other rows are answered")


def hopeless(where: str, why: str) -> Problem:
    """The problem (E484) of workers of which none has ever answered."""
    hint = 'a script asks under `if __name__ == "__main__":`; or ask with one worker, in this process'
    return Problem(484, f"{where} cannot answer: {why}", hint=hint)
