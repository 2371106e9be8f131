"""Makes a problem document, or a page that says the same, of every error of the app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from api.html import page
from api.problems import MEDIA, Refused, body, status_of
from kb.errors import LoopholeError, Problem


def response(
    request: Request, status: int, detail: str, found: Iterable[Problem] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """A problem document; a page for people who asked for one."""
    instance = getattr(request.state, "request_id", "")
    if not request.url.path.startswith("/v1") and "text/html" in request.headers.get("accept", ""):
        return page(request, "problem.html", status, problem=body(status, detail, found, instance))
    return JSONResponse(body(status, detail, found, instance), status, headers, media_type=MEDIA)


def handle(app: FastAPI) -> None:
    """Makes every error of an app a problem document."""

    @app.exception_handler(LoopholeError)
    async def bad_input(request: Request, error: LoopholeError) -> Response:
        n = len(error.problems)
        return response(request, status_of(error), f"{n} problem{'s' if n != 1 else ''}", error.problems)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        headers = {k.replace("_", "-"): v for k, v in error.headers.items()}
        return response(request, error.status, error.detail, error.problems, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        found = [
            Problem(
                690,
                f"{'.'.join(map(str, e['loc']))}: {e['msg'].removeprefix('Value error, ')}",
                hint="/v1/openapi.json describes the request",
            )
            for e in error.errors()
        ]
        return response(request, HTTPStatus.UNPROCESSABLE_ENTITY, "the request does not fit its description", found)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        found = {404: "nothing stands here", 405: "this address is not asked so"}.get(
            error.status_code, str(error.detail)
        )
        hint = f"{found}; /v1/openapi.json lists what may be asked, and how"
        return response(request, error.status_code, hint, (), error.headers)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        return response(request, 500, "this should not have happened; the log tells more by the instance's id")
