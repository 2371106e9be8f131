"""Hex geometry from map coordinates: columns A, B, … AA, rows 0, 1, 2 …, odd columns half a hex lower.

Axial coordinates throughout. Filled in where a case gives `coordinate`; without it nothing is derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.steps import Thing

if TYPE_CHECKING:
    from kb.situation import Situation


def holds(situation: Situation, name: str, x: Thing, y: Thing) -> bool:
    """Whether the derived relation `name` holds from x to y."""
    return False
