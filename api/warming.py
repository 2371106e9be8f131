"""What is done before a worker is asked anything: the books are read, and a question of each is answered, so that no client waits for what is
loaded, read and compiled when it is first needed.

Where the system can, one process does it for all workers (api.twins), which are its twins: a worker that was stopped is there again at once.
Else each worker does it for itself.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache

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
