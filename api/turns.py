"""Turns at what there is little of (workers, processes for queries): so many at a time, and of those who wait, who has used the least of late.

What a turn is likely to take counts as used already, so that the quick comes before the slow; and who waits gains with time, where a lane
says so, so that nobody waits for ever.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

FADES = 60.0  # seconds in which half of what a client has used is forgotten
CLIENTS = 10_000  # of whom it is remembered
CLIENT: ContextVar[str] = ContextVar("client", default="")  # whose request is answered


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


@dataclass(eq=False)
class Place:
    """Somebody who waits. cost: the seconds that his turn is likely to take; slow: of it there may be fewer at a time."""

    client: str
    cost: float
    slow: bool
    given: asyncio.Future[None]
    since: float = field(default_factory=time.monotonic)


class Lane:
    """So many at a time. slow: so many of them slow ones (None: all); gains: seconds that a second of waiting counts for."""

    def __init__(self, most: int, shares: Shares, slow: int | None = None, gains: float = 0.0):
        self.free, self.shares, self.gains = most, shares, gains
        self.slow = most if slow is None else slow
        self.waiting: list[Place] = []

    @asynccontextmanager
    async def turn(
        self, client: str, cost: float = 0.0, slow: bool = False, patience: float | None = None
    ) -> AsyncIterator[None]:
        """Waits for a client's turn, which lasts as long as what is done under it; its time is counted. Raises TimeoutError where it does not
        come within `patience` seconds."""
        place = Place(client, cost, slow, asyncio.get_running_loop().create_future())
        self.waiting.append(place)
        self.begin()
        try:
            async with asyncio.timeout(patience):
                await place.given
        except (asyncio.CancelledError, TimeoutError):
            if place in self.waiting:
                self.waiting.remove(place)
            else:
                self.end(place)
            raise
        begun = time.monotonic()
        try:
            yield
        finally:
            self.shares.add(client, time.monotonic() - begun)
            self.end(place)

    def begin(self) -> None:
        """Gives what is free to those who come first."""
        while self.free:
            ready = [p for p in self.waiting if not p.given.done() and (self.slow or not p.slow)]
            if not ready:
                return
            now = time.monotonic()
            first = min(ready, key=lambda p: self.shares.of(p.client) + p.cost - self.gains * (now - p.since))
            self.waiting.remove(first)  # of equals, who came first
            self.free -= 1
            self.slow -= first.slow
            first.given.set_result(None)

    def end(self, place: Place) -> None:
        """Hands a turn that is over to another."""
        self.free += 1
        self.slow += place.slow
        self.begin()
