"""What takes too long for every landing is done in full at night, and by day in part: LOOPHOLE_NIGHT=1 .venv/bin/pytest -n 2.

some(rows, of=4)      all of them at night, every fourth by day
times(300, of=3)      how often something is drawn: 300 times at night, a third of that by day
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
NIGHT = os.environ.get("LOOPHOLE_NIGHT", "") not in ("", "0")


def some(rows: Sequence[T], of: int, night: bool = NIGHT) -> Sequence[T]:
    """The rows to try now."""
    return rows if night else rows[::of]


def times(whole: int, of: int, night: bool = NIGHT) -> int:
    """How often to try now what is drawn anew each time."""
    return whole if night else whole // of
