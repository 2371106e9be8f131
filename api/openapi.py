"""The API's description, kept small enough for an assistant to read whole: what routes share stands once, under components.

described(app)    the OpenAPI document
operations(...)   its routes as rows, for the page that shows them
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from api.problems import MEDIA, SCHEMA

SCHEMAS, RESPONSES = "#/components/schemas/", "#/components/responses/"
METHODS = ("get", "post", "put", "delete")
WORDS: dict[str, Any] = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
NAMED = {"$ref": SCHEMAS + "Named"}
CASE: dict[str, Any] = {
    "type": "object",
    "required": ["book", "things", "ask"],
    "description": "docs/cases.md tells of it; GET /v1/schema/case has every word that a book knows.",
    "properties": {
        "book": {"type": "string", "examples": ["asl", "vv", "fow"]},
        "title": {"type": "string"},
        "things": {"type": "object", "additionalProperties": {"$ref": SCHEMAS + "Thing"}},
        "ask": {"$ref": SCHEMAS + "Question"},
        "history": {"type": "array", "items": NAMED, "description": "Acts that have happened, in their order."},
        "expect": {"type": "object", "description": "verdict, cites, value …: what POST /v1/test compares."},
        "nothing-else": {"type": "boolean"},
        "elsewhere": {"type": "string", "enum": ["nothing"]},
        "modules": {"type": "array", "items": {"type": "string"}},
        "edition": {"type": "string"},
    },
}
THING: dict[str, Any] = {
    "description": "A class alone, or what is known; every other key is a relation, a number or true or false.",
    "oneOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"is": WORDS, "not": WORDS, "unknown": WORDS, "label": {"type": "string"}},
        },
    ],
}
QUESTION: dict[str, Any] = {
    "type": "object",
    "minProperties": 1,
    "properties": {
        "may": NAMED,
        "may not": NAMED,
        "must": NAMED,
        "is": {"type": "array", "items": {"type": "string"}, "description": "[thing, class or condition]"},
        "value": {"type": "array", "items": {"type": "string"}, "description": "[quantity, thing]"},
        "effects": NAMED,
        "which": WORDS,
        "as": {"type": "string"},
    },
}
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
ANSWER: dict[str, Any] = {
    "type": "object",
    "description": "docs/cli.md tells every key; others may be added.",
    "required": ["verdict", "answer", "grade", "sentence", "cites"],
    "properties": {
        "verdict": {
            "type": "string",
            "description": "permitted, forbidden, required, yes, no, a number, outside, undetermined, conflict …",
        },
        "answer": {"description": "In a word; null where the loaded rules do not decide it."},
        "sentence": {"type": "string"},
        "grade": {"type": "string"},
        "scope": {"type": "string", "enum": ["wholly", "partly", "outside"]},
        "cites": TEXTS,
        "defeated": TEXTS,
        "needs": {**TEXTS, "description": "Rules that are not loaded and have a say in it."},
        "because": {"type": "array", "items": {"type": "object"}},
        "missing": {
            "type": "array",
            "items": {"type": "object"},
            "description": "The facts that would settle it, the best first.",
        },
        "unused": {
            "type": "array",
            "items": {"type": "object"},
            "description": "The facts that no rule of the question reads.",
        },
    },
}
COMPONENTS: dict[str, Any] = {
    "Case": CASE,
    "Answer": ANSWER,
    "Thing": THING,
    "Named": {
        "description": "A thing's name, or a thing described in place.",
        "oneOf": [{"type": "string"}, {"type": "object"}],
    },
    "Question": QUESTION,
    "Problem": SCHEMA,
}
SHARED: dict[str, Any] = {
    "Problem": {
        "description": "What is wrong, where, and what to do",
        "content": {MEDIA: {"schema": {"$ref": SCHEMAS + "Problem"}}},
    },
    "PageProblem": {
        "description": "What is wrong, for people or for programs",
        "content": {"text/html": {"schema": {"type": "string"}}, MEDIA: {"schema": {"$ref": SCHEMAS + "Problem"}}},
    },
}


def identity(route: APIRoute) -> str:
    """A short name of an operation: the function's, behind `page_` for pages."""
    return f"page_{route.name}" if "pages" in route.tags else route.name


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes,
            license_info=app.license_info,
        )  # fmt: skip
        parts = made.setdefault("components", {})
        parts.setdefault("schemas", {}).update(COMPONENTS)
        parts["responses"] = SHARED
        app.openapi_schema = untitled(made)
    return app.openapi_schema


def untitled(value: Any, named: bool = False) -> Any:
    """The same without the titles that repeat a name. named: what stands here are names, none of them a keyword of a schema."""
    if isinstance(value, list):
        return [untitled(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value and "responses" in value["$ref"]:
        return {"$ref": value["$ref"]}
    schema = not named and "title" in value and ({"type", "anyOf", "properties", "$ref"} & value.keys())
    return {k: untitled(v, k == "properties") for k, v in value.items() if not (schema and k == "title")}


# ── for the page ──


@dataclass(frozen=True, slots=True)
class Operation:
    """A route as people read it. parameters: name, where it stands, what it is."""

    method: str
    path: str
    name: str
    group: str
    says: str
    parameters: tuple[tuple[str, str, str], ...]
    forms: tuple[str, ...]


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    """The routes of a description, in its order."""
    for path, methods in document["paths"].items():
        for method in METHODS:
            if told := methods.get(method):
                good = told.get("responses", {}).get("200", {})
                yield Operation(
                    method.upper(), path, told["operationId"], (told.get("tags") or [""])[0],
                    told.get("description", told.get("summary", "")),
                    tuple((p["name"], p["in"], p.get("description", p["schema"].get("description", ""))) for p in told.get("parameters", ())),
                    tuple(good.get("content", ())),
                )  # fmt: skip
