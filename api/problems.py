"""One shape for everything that goes wrong: RFC 9457 problem details, with the numbers and places of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from kb.errors import LoopholeError, Problem, QueryError

MEDIA = "application/problem+json"
UNKNOWN = {610, 611, 612, 613, 614, 662, 956}  # what is asked for by name is not there
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
