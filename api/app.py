"""The web service: `loophole serve`, or `uvicorn api.app:app`. Every door shows the same proof; this one adds nothing to it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from multiprocessing.context import BaseContext
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from api import answers, ask_page, browse, handlers, html, jobs, knowledge, library, openapi, pages, twins, when_page
from api.guard import Guard
from api.kept import Kept
from api.observe import Metrics, Observe
from api.queries import Queries
from api.settings import Settings, from_environment, number
from api.work import Work

HERE = Path(__file__).parent


def create(settings: Settings | None = None, begun: Callable[[], BaseContext] = twins.apart) -> FastAPI:
    """An app of its own, with its own workers. begun: how these are begun. Raises ValueError for a setting that does not read."""
    chosen = settings or from_environment()
    work, metrics = Work(chosen, begun), Metrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        work.start()
        work.prepare()
        yield
        work.stop()
        app.state.queries.close()

    app = FastAPI(
        title="Loophole", version=number(), lifespan=life, docs_url=None, redoc_url=None, openapi_url="/v1/openapi.json", generate_unique_id_function=openapi.identity,
        description="A rules knowledge base for tabletop wargames: yes or no, by which rule, and why the others lost.",
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )  # fmt: skip
    app.state.work, app.state.metrics, app.state.settings = work, metrics, chosen
    app.state.queries = Queries(chosen.query_limit, chosen.rows)
    app.state.pages = Kept(html.MOST_KEPT if chosen.cache else 0, chosen.cache_bytes // 2)  # made once: see html.kept
    handlers.handle(app)
    for module in (answers, browse, knowledge, ask_page, library, when_page, pages):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    @app.get("/live", tags=["service"], response_class=PlainTextResponse)
    async def live() -> str:
        """Whether the server runs at all."""
        return "ok"

    @app.get(
        "/ready",
        tags=["service"],
        response_class=PlainTextResponse,
        responses={503: {"$ref": openapi.RESPONSES + "Problem"}},
    )
    async def ready(request: Request) -> Response:
        """Whether the server can answer: a worker has read the books."""
        await work.do(jobs.ready, limit=2, keep=False)
        return PlainTextResponse("ok")

    @app.get("/metrics", tags=["service"], response_class=PlainTextResponse)
    async def figures() -> Response:
        """Counts and times for Prometheus."""
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    app.openapi = lambda: openapi.described(app)  # type: ignore[method-assign]
    app.add_middleware(Guard, settings=chosen)
    app.add_middleware(Observe, metrics=metrics)
    return app


def __getattr__(name: str) -> FastAPI:
    """`api.app:app`, made when somebody asks for it: importing this module reads no environment."""
    if name != "app":
        raise AttributeError(name)
    logging.getLogger("loophole.access").setLevel(logging.INFO)
    globals()["app"] = create(None, twins.as_twins)
    return globals()["app"]  # type: ignore[no-any-return]
