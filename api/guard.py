"""What stands before every request: limits on size and arrival, an optional rate, an optional token, and safe headers."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems as documents
from api.settings import Settings
from api.turns import CLIENT
from kb.errors import Problem

# Script from our own file alone, none in a page; nothing from elsewhere: rule texts are not to be trusted.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
SAFE = {"GET", "HEAD", "OPTIONS"}
DEEPEST = 100
# One that nothing closes goes to the end: to begin anew at each of its signs would take the square of its length.
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.S)
CLIENTS = 10_000  # clients whose rate is remembered


class Guard:
    """Refuses what is too large, too slow, too often or not allowed, before anything reads it."""

    def __init__(self, app: ASGIApp, settings: Settings, writes: tuple[str, ...] = ()):
        self.app, self.settings, self.writes = app, settings, writes
        self.seen: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands a request on, or answers it with the reason why not."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        CLIENT.set((scope.get("client") or ("",))[0])

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own.setdefault(name, value)
            await send(message)

        wait = self.too_often(scope)
        if wait:
            return await refuse(guarded, scope, 429, "too many requests from here", {"retry-after": str(wait)})
        if scope["path"].startswith(self.writes) and self.writes and not self.allowed(headers):
            return await refuse(guarded, scope, 403, "this server is not to be changed without its token")
        said = headers.get("content-length", "0")
        if not said.isdigit() or int(said) > self.settings.body:
            return await refuse(guarded, scope, 413, f"a request may hold {self.settings.body} bytes")
        if scope["method"] in SAFE and said == "0" and "transfer-encoding" not in headers:
            return await self.app(scope, receive, guarded)
        whole = await self.whole(receive)
        if isinstance(whole, int):
            why = {408: "the request took too long to arrive", 413: f"a request may hold {self.settings.body} bytes"}
            return await refuse(guarded, scope, whole, why[whole], {"connection": "close"})
        if whole is None:
            return None  # the client has gone
        if headers.get("content-type", "").startswith("application/json") and deep(whole):
            nested = Problem(
                404,
                f"it is nested more than {DEEPEST} deep",
                hint="name things, and use their names instead of nesting",
            )
            return await refuse(guarded, scope, 422, "1 problem", problems=[nested])
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": whole, "more_body": False}

        return await self.app(scope, again, guarded)

    async def whole(self, receive: Receive) -> bytes | int | None:
        """The body, or the status to refuse it with: it must be small and come without dawdling."""
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > self.settings.body:
                        return 413
                    if not message.get("more_body", False):
                        return b"".join(chunks)
        except TimeoutError:
            return 408

    def too_often(self, scope: Scope) -> int:
        """Seconds to wait, or 0: a bucket for each client that fills at the rate and holds a minute's worth."""
        rate = self.settings.rate
        if not rate or scope["path"] in ("/live", "/ready"):
            return 0
        client = (scope.get("client") or ("?",))[0]
        now = time.monotonic()
        left, then = self.seen.pop(client, (float(rate), now))
        left = min(float(rate), left + (now - then) * rate / 60)
        self.seen[client] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self.seen) > CLIENTS:
            self.seen.popitem(last=False)
        return 0 if left >= 1 else int((1 - left) * 60 / rate) + 1

    def allowed(self, headers: Headers) -> bool:
        """Whether a request bears the token that the settings name; never where they name none."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        token = self.settings.token
        return bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())


def deep(body: bytes) -> bool:
    """Whether JSON is nested so deeply that a parser may fall over it."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for sign in re.findall(rb"[][{}]", STRING.sub(b"", body)):
        depth += 1 if sign in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


async def refuse(
    send: Callable[[Message], object],
    scope: Scope,
    status: int,
    detail: str,
    more: dict[str, str] | None = None,
    problems: Iterable[Problem] = (),
) -> None:
    """A problem document without reading any further."""
    instance = scope.get("state", {}).get("request_id", "")
    body = json.dumps(documents.body(status, detail, problems, instance)).encode()
    headers = {"content-type": documents.MEDIA, "content-length": str(len(body)), **(more or {})}
    pairs = [(k.encode(), v.encode()) for k, v in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})  # type: ignore[misc]
    await send({"type": "http.response.body", "body": body})  # type: ignore[misc]
