"""Connections that hold nobody up: one that asks nothing is let go when its time is over, or when another needs its place."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 400  # connections; beyond it, the one that has been idle the longest makes room
HEAD = 20.0  # seconds until the head of the first request must be there


class Connection(H11Protocol):
    """A connection of the server. h11's, for its parser is in Python and needs no compiler."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Gives it its time, and its place: that of the longest idle where there are too many."""
        super().connection_made(transport)
        self.begun = self.loop.time()
        self.patience = self.loop.call_later(HEAD, self.give_up)
        if len(self.connections) > MOST:
            others = (cast(Connection, c) for c in self.connections if c is not self)
            idle = min((c for c in others if c.idle), key=lambda c: c.begun, default=None)
            if idle is not None:
                idle.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends its time."""
        self.patience.cancel()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether nothing is being answered on it."""
        return not self.transport.is_closing() and (self.unasked or self.cycle.response_complete)

    @property
    def unasked(self) -> bool:
        """Whether no request has come yet."""
        return cast(object, self.cycle) is None

    def give_up(self) -> None:
        """Closes it where no request has come."""
        if self.unasked:
            self.transport.close()
