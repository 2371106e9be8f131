"""What is done before a worker is asked anything: the books are read, and a question of each is answered, so that no client waits for what is
loaded, read and compiled when it is first needed.

Where the system can, one process does it for all workers (api.nursery), which are its twins: a worker that was stopped is there again at
once. Else each worker does it for itself.
"""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from functools import cache
from multiprocessing.context import BaseContext

from api import jobs, tapping
from kb import registry
from kb.errors import LoopholeError

ENOUGH = 100  # goals for what would turn an answer: all that looks for it is loaded then


def warm() -> None:
    """Makes a worker ready."""
    read()
    with suppress(LoopholeError):
        jobs.search("a", "", "", 1, 0)  # its index is a database, which no twin may share


@cache
def read() -> None:
    """Makes a process and its twins ready. One of the reader's own books that has faults tells them when it is asked of."""
    jobs.warm()
    for book in registry.books():
        with suppress(LoopholeError):
            rehearse(book)


def rehearse(book: str) -> None:
    """Asks the first of what a book offers to begin with. Raises LoopholeError."""
    acts, _ = tapping.beginnings(book)
    jobs.Allowed.effort = ENOUGH
    for act in acts[:1]:
        jobs.answer(jobs.talked(act.name, book, "may", ()).text(), jobs.JSON, True, ())


def apart() -> BaseContext:
    """How workers are begun, each for itself: a process may have several servers, each with other books."""
    return multiprocessing.get_context("spawn")


def as_twins() -> BaseContext:
    """How workers are begun of the one server of a process: as twins of one that is ready, where the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return apart()
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["api.nursery"])
    return found
