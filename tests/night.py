"""What takes too long for every landing is done in full at night, and by day in part: LOOPHOLE_NIGHT=1 .venv/bin/pytest -n 2.

some(rows, of=4)      all of them at night, every fourth by day
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
