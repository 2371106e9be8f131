"""What the API's description shows: the example case, the shape of a case, and how problems are told."""

from __future__ import annotations

from typing import Any

from api.problems import MEDIA, SCHEMA

CASE: dict[str, Any] = {
    "book": "asl",
    "things": {
        "squad": {"is": ["Squad", "Friendly"], "at": "yard"},
        "foe": {"is": ["Squad", "Enemy"], "at": "yard", "not": ["Concealed"]},
        "yard": {"is": "GroundLevel"},
        "pillbox": {"is": "Pillbox", "exterior": "yard", "capacity": 1, "caModification": 3, "ncaModification": 5},
        "move": {"is": "Move", "actor": "squad", "destination": "pillbox", "phase": "MovementPhase"},
    },
    "ask": {"may": "move"},
}
CASE_EXPECTING: dict[str, Any] = {**CASE, "expect": {"verdict": "forbidden", "cites": ["B30.42"]}}
CASE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["book", "things", "ask"],
    "description": "A case; /v1/schema/case is its whole JSON Schema, with every word that a book knows.",
    "properties": {
        "book": {"type": "string"},
        "things": {"type": "object", "additionalProperties": {"type": "object"}},
        "history": {"type": "array", "items": {"type": "string"}},
        "ask": {"type": "object"},
        "expect": {"type": "object"},
    },
}
TESTS_SCHEMA: dict[str, Any] = {"type": "array", "items": CASE_SCHEMA, "minItems": 1, "maxItems": 200}
PROBLEM: dict[str, Any] = {
    "description": "What is wrong, where, and what to do",
    "content": {MEDIA: {"schema": SCHEMA}},
}
PAGE_PROBLEM: dict[str, Any] = {
    "description": "What is wrong, for people or for programs",
    "content": {"text/html": {"schema": {"type": "string"}}, MEDIA: {"schema": SCHEMA}},
}
STATUSES = (400, 403, 404, 406, 408, 413, 415, 422, 429, 503)  # that any route may answer with, besides its own
PAGE_PROBLEMS: dict[int | str, dict[str, Any]] = dict.fromkeys(STATUSES, PAGE_PROBLEM)
PROBLEMS: dict[int | str, dict[str, Any]] = dict.fromkeys(STATUSES, PROBLEM)
