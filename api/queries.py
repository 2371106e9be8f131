"""SPARQL of strangers beside each other: what is quickly answered never waits long for what is not.

Every query begins in the quick lane, where it may take a moment; what is not done then begins anew in the slow lane, with all of its
time. In each lane comes first who has used the least of late. So twenty who ask for products of everything with everything hold up each
other, and nobody who asks for ten rows.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from api.problems import Refused
from api.turns import Lane, Shares
from kb.errors import QueryError
from kb.triplestore import resource, sparql
from kb.triplestore.results import Table

QUICK, SLOW = 2, 1  # queries at a time
MOMENT = 0.3  # seconds in the quick lane
STOPPED = (641, 651)  # the numbers of a query that was not done in its time, here or at an endpoint


class Queries:
    """The lanes. waiting: how many queries may be here at all."""

    def __init__(self, seconds: float, rows: int, waiting: int = 128):
        self.limits = sparql.Limits(seconds=seconds, rows=rows)
        shares = Shares()
        self.quick, self.slow = Lane(QUICK, shares), Lane(SLOW, shares)
        self.waiting, self.asked = waiting, 0
        self.spares = sparql.Spares(QUICK + SLOW)

    async def ask(self, query: str, client: str) -> Table:
        """The answer. Raises QueryError for what is refused, wrong or takes too long; Refused(503) when too many wait."""
        if self.asked >= self.waiting:
            raise Refused(503, "too many queries are waiting", Retry_After="2")
        self.asked += 1
        try:
            if self.limits.seconds > MOMENT:
                async with self.quick.turn(client):
                    try:
                        return await self.within(query, MOMENT)
                    except QueryError as e:
                        if e.problems[0].code not in STOPPED:
                            raise
            async with self.slow.turn(client):
                return await self.within(query, self.limits.seconds)
        finally:
            self.asked -= 1

    async def within(self, query: str, seconds: float) -> Table:
        """The answer, where it takes no longer. Raises QueryError."""
        limits = replace(self.limits, seconds=seconds)
        return await asyncio.to_thread(lambda: sparql.ask(query, resource.store(), limits, spares=self.spares))

    def close(self) -> None:
        """Ends the processes that wait."""
        self.spares.close()
