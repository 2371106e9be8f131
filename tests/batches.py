"""What the tests of batches share: a shape with rows over it, and workers that do what no worker may. These are modules of their
own, for the processes that answer read them again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from kb.batch import chunks
from kb.batch.reading import Job
from kb.batch.sources import Row
from kb.batch.told import Told

SHAPE: dict[str, Any] = {
    "book": "asl",
    "things": {
        "squad": {"is": ["Squad", "Friendly"], "at": "yard"},
        "foe": {"is": ["Squad", "Enemy"], "at": "yard", "not": ["Concealed"]},
        "yard": "GroundLevel",
        "pillbox": {"is": "Pillbox", "exterior": "yard", "capacity": 1},
        "move": {"is": "Move", "actor": "squad", "destination": "pillbox", "phase": "MovementPhase", "via": {"is": "Tunnel"}},
    },
    "ask": {"may": "move"},
}  # fmt: skip
DEADLY = 21  # the row at which a worker dies


def plain(row: int) -> Told:
    """An answer that nobody worked out, for what is not about answers."""
    return Told(row=row, verdict="permitted", answer="yes", grade="settled")


def quick(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that answers at once."""
    return [plain(row.number) for row in rows]


def dies(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that dies of one row."""
    if any(row.number == DEADLY for row in rows):
        os._exit(3)
    return quick(job, rows)


def dies_once(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that dies of a row when it first meets it. The job's file tells whether it has."""
    if any(row.number == DEADLY for row in rows) and not os.path.exists(job.file):
        open(job.file, "w").close()
        os._exit(3)
    return quick(job, rows)


def never_works(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that dies of everything."""
    os._exit(3)


def loses(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that brings back all rows but one."""
    return [made for made in quick(job, rows) if made.row != DEADLY]


def lies(job: Job, rows: Sequence[Row]) -> list[Told]:
    """A worker that answers wrong."""
    return [replace(made, verdict="permitted", answer="yes") for made in chunks.answered(job, rows)]
