"""What the API's description shows of a route: the example case, and by name the shapes that all routes share."""

from __future__ import annotations

from typing import Any

from api.openapi import RESPONSES, SCHEMAS

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
CASE_SCHEMA: dict[str, Any] = {"$ref": SCHEMAS + "Case"}
TESTS_SCHEMA: dict[str, Any] = {"type": "array", "items": CASE_SCHEMA, "minItems": 1, "description": "At most 200."}
# Any route may answer with these, besides its own: one description for all (api.openapi).
PAGE_PROBLEMS: dict[int | str, dict[str, Any]] = {key: {"$ref": RESPONSES + "PageProblem"} for key in ("4XX", "5XX")}
PROBLEMS: dict[int | str, dict[str, Any]] = {key: {"$ref": RESPONSES + "Problem"} for key in ("4XX", "5XX")}
