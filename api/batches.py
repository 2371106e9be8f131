"""Many rows answered over HTTP, a line of JSON each, sent as they come: bounded in rows, bytes and time, one worker at a time."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse

from api import batch_jobs, jobs
from api.examples import CASE
from api.jobs import Options
from api.problems import Refused
from api.settings import Settings
from api.work import Work

LINES = "application/x-ndjson"
PART = 16  # rows that a worker is given at a time: the other workers are for other clients
EXAMPLE = jobs.dumps({"shape": CASE}).decode() + '\n{"foe.is.Disrupted": true}\n{"move.phase": "RoutPhase"}\n'
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": 'Each line a case, or after a first line {"shape": CASE} facts: {"squad.is.Broken": true} (docs/batch.md).',
        "content": {LINES: {"schema": {"type": "string"}, "example": EXAMPLE}},
    }
}


async def reply(work: Work, settings: Settings, text: str, options: Options) -> StreamingResponse:
    """The answers as they come. Raises CaseError for what is wrong with the whole, before anything is sent."""
    shape, rows = batch_jobs.rows_of(text, settings.batch_rows)
    until = time.monotonic() + settings.batch_seconds
    first = await part(work, shape, rows[:PART], 1, options)

    async def lines() -> AsyncIterator[bytes]:
        yield first
        for at in range(PART, len(rows), PART):
            if time.monotonic() > until:
                why = f"the batch took longer than {settings.batch_seconds:g} s"
                yield b"".join(batch_jobs.unanswered(row, why) for row in range(at + 1, len(rows) + 1))
                return
            yield await part(work, shape, rows[at : at + PART], at + 1, options)

    return StreamingResponse(lines(), media_type=LINES, headers={"cache-control": "no-store"})


async def part(work: Work, shape: str, rows: list[str], first: int, options: Options) -> bytes:
    """The answers of some rows; of one that takes too long, or whose worker dies, that it was not answered."""
    try:
        found: bytes = await work.do(batch_jobs.batch, shape, tuple(rows), first, options, keep=False)
        return found
    except Refused as e:
        if len(rows) == 1:
            return batch_jobs.unanswered(first, e.detail)
    half = len(rows) // 2
    before = await part(work, shape, rows[:half], first, options)
    return before + await part(work, shape, rows[half:], first + half, options)
