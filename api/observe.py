"""What an operator sees: a log line in JSON for each request with its id, and Prometheus metrics."""

from __future__ import annotations

import json
import logging
import re
import time
import uuid

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("loophole.access")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Metrics:
    """The counts of one app."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "loophole_requests_total", "Requests by route and status", ["method", "route", "status"], registry=self.registry
        )  # fmt: skip
        self.seconds = Histogram(
            "loophole_request_seconds", "Seconds that a request took", ["route"], registry=self.registry
        )
        self.verdicts = Counter("loophole_answers_total", "Answers by verdict", ["verdict"], registry=self.registry)


class Observe:
    """Gives each request an id (or keeps the one it came with), times it, counts it and logs it."""

    def __init__(self, app: ASGIApp, metrics: Metrics):
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands a request on, and tells how it went."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        start = time.perf_counter()
        status = 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            took = time.perf_counter() - start
            route = getattr(scope.get("route"), "path", "") or "(none)"
            self.metrics.requests.labels(scope["method"], route, status).inc()
            self.metrics.seconds.labels(route).observe(took)
            line = {
                "id": request_id, "method": scope["method"], "path": scope["path"][:200], "status": status,
                "ms": round(took * 1000, 2), "client": (scope.get("client") or ("",))[0],
            }  # fmt: skip
            log.log(logging.ERROR if status >= 500 else logging.INFO, json.dumps(line, ensure_ascii=False))
