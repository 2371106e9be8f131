"""SPARQL of strangers beside each other: what is quickly answered never waits long for what is not.

Every query begins in the quick lane, where it may take a moment; what is not done then begins anew in the slow lane, with all of its
time. In each lane comes first who has used the least of late. So twenty who ask for products of everything with everything hold up each
other, and nobody who asks for ten rows.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from api.problems import Refused
from kb.errors import QueryError
from kb.triplestore import resource, sparql
from kb.triplestore.results import Table

QUICK, SLOW = 2, 1  # queries at a time
MOMENT = 0.3  # seconds in the quick lane
STOPPED = (641, 651)  # the numbers of a query that was not done in its time, here or at an endpoint
FADES = 60.0  # seconds in which half of what a client has used is forgotten
CLIENTS = 10_000  # of whom it is remembered


class Shares:
    """The seconds that each client has used of late."""

    def __init__(self) -> None:
        self.used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def of(self, client: str) -> float:
        """What a client has used, as far as it is remembered."""
        seconds, then = self.used.get(client, (0.0, 0.0))
        return seconds * float(0.5 ** ((time.monotonic() - then) / FADES))

    def add(self, client: str, seconds: float) -> None:
        """Notes what a client has used."""
        self.used[client] = self.of(client) + seconds, time.monotonic()
        self.used.move_to_end(client)
        if len(self.used) > CLIENTS:
            self.used.popitem(last=False)


class Lane:
    """So many at a time; of those who wait, the one who has used the least."""

    def __init__(self, most: int, shares: Shares):
        self.free, self.shares = most, shares
        self.waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Waits for a client's turn, which lasts as long as what is done under it; its time is counted."""
        if self.free:
            self.free -= 1
        else:
            place = (client, asyncio.get_running_loop().create_future())
            self.waiting.append(place)
            try:
                await place[1]
            except asyncio.CancelledError:
                if place in self.waiting:
                    self.waiting.remove(place)
                else:
                    self.next()
                raise
        begun = time.monotonic()
        try:
            yield
        finally:
            self.shares.add(client, time.monotonic() - begun)
            self.next()

    def next(self) -> None:
        """Hands a turn that is over to another."""
        if not self.waiting:
            self.free += 1
            return
        first = min(self.waiting, key=lambda place: self.shares.of(place[0]))  # of equals, who came first
        self.waiting.remove(first)
        first[1].set_result(None)


class Queries:
    """The lanes. waiting: how many queries may be here at all."""

    def __init__(self, seconds: float, rows: int, waiting: int = 128):
        self.limits = sparql.Limits(seconds=seconds, rows=rows)
        shares = Shares()
        self.quick, self.slow = Lane(QUICK, shares), Lane(SLOW, shares)
        self.waiting, self.asked = waiting, 0
        self.spares = sparql.Spares(QUICK)

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
