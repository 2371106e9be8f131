"""What a worker does before it is asked anything: it reads the books, and answers a question of each, so that no client waits for what is
loaded, read and compiled when it is first needed."""

from __future__ import annotations

import os
from contextlib import suppress

from api import jobs, tapping
from kb import registry
from kb.errors import LoopholeError

GIVES_WAY = 3  # how much later than the server's own process the system lets a worker have its turn: who answers the door comes first
ENOUGH = 100  # goals for what would turn an answer: all that looks for it is loaded then


def warm() -> None:
    """Makes a worker ready. One of the reader's own books that has faults tells them when it is asked of."""
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    jobs.warm()
    for book in registry.books():
        with suppress(LoopholeError):
            rehearse(book)
    with suppress(LoopholeError):
        jobs.search("a", "", "", 1, 0)


def rehearse(book: str) -> None:
    """Asks the first of what a book offers to begin with. Raises LoopholeError."""
    acts, _ = tapping.beginnings(book)
    for act in acts[:1]:
        jobs.Allowed.effort = ENOUGH
        jobs.answer(jobs.talked(act.name, book, "may", ()).text(), jobs.JSON, True, ())
