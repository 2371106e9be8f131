"""One shape for everything that goes wrong: RFC 9457 problem details, with the numbers and places of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from kb.errors import LoopholeError, Problem, QueryError

MEDIA = "application/problem+json"
UNKNOWN = {610, 611, 612, 662, 956}  # what is asked for by name is not there
DEAD = {650, 651, 652, 653, 654}  # the store does not answer
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string", "description": "The id of the request, as in the log."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["number", "message"],
                "properties": {
                    "number": {"type": "string"}, "message": {"type": "string"}, "file": {"type": "string"},
                    "line": {"type": "integer"}, "column": {"type": "integer"}, "text": {"type": "string"}, "do": {"type": "string"},
                },
            },
        },
    },
}  # fmt: skip


class Refused(Exception):
    """A request that is not answered, for a reason that is not a fault of what it says: limits, rights, absence."""

    def __init__(self, status: int, detail: str, problems: Iterable[Problem] = (), **headers: str):
        super().__init__(detail)
        self.status, self.detail, self.problems, self.headers = status, detail, tuple(problems), headers


def status_of(error: LoopholeError) -> int:
    """404 for a name that is not there, 503 for a store that does not answer, 422 for what cannot be understood."""
    code = error.problems[0].code if isinstance(error, QueryError) else 0
    if code in DEAD:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.NOT_FOUND if code in UNKNOWN else HTTPStatus.UNPROCESSABLE_ENTITY


def entry(problem: Problem) -> dict[str, Any]:
    """One fault, with its place where it has one."""
    found: dict[str, Any] = {"number": f"E{problem.code}", "message": problem.message}
    if problem.place.file:
        found |= {"file": problem.place.file, "line": problem.place.line}
        if problem.place.column:
            found["column"] = problem.place.column
    if problem.line:
        found["text"] = problem.line
    if problem.hint:
        found["do"] = problem.hint
    return found


def body(status: int, detail: str, problems: Iterable[Problem] = (), instance: str = "") -> dict[str, Any]:
    """A problem document."""
    listed = [entry(q) for q in problems]
    first = listed[0]["number"] if listed else ""
    return {
        "type": f"urn:loophole:problem:{first}" if first else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": instance,
        "errors": listed,
    }


def response(
    request: Request, status: int, detail: str, found: Iterable[Problem] = (), headers: Mapping[str, str] | None = None
) -> Response:
    instance = getattr(request.state, "request_id", "")
    if not request.url.path.startswith("/v1") and "text/html" in request.headers.get("accept", ""):
        from api.html import page

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
            Problem(690, f"{'.'.join(map(str, e['loc']))}: {e['msg'].removeprefix('Value error, ')}")
            for e in error.errors()
        ]
        return response(request, HTTPStatus.UNPROCESSABLE_ENTITY, "the request does not fit its description", found)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        return response(request, error.status_code, str(error.detail), (), error.headers)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        return response(request, 500, "this should not have happened; the log tells more by the instance's id")
