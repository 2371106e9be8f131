"""What takes too long for every landing is done in full at night, and by day in part: LOOPHOLE_NIGHT=1 .venv/bin/pytest -n 2.

some(rows, of=4)      all of them at night, every fourth by day
today(rows, of=4)     all of them at night, every fourth by day, and others each day: in four days all of them
times(300, of=3)      how often something is drawn: 300 times at night, a third of that by day
@turn(of=3)           marks a test that has its day: it is tried at night, and by day every third day
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

import pytest

T = TypeVar("T")
# One day for all processes of a run, also of one that goes on past midnight.
DAY = int(os.environ.setdefault("LOOPHOLE_DAY", str(date.today().toordinal())))
NIGHT = os.environ.get("LOOPHOLE_NIGHT", "") not in ("", "0")


def some(rows: Sequence[T], of: int, night: bool = NIGHT) -> Sequence[T]:
    """The rows to try now."""
    return rows if night else rows[::of]


def today(rows: Sequence[T], of: int, night: bool = NIGHT, day: int = DAY) -> Sequence[T]:
    """The rows to try now, of which each has its day."""
    return rows if night else rows[day % of :: of]


def times(whole: int, of: int, night: bool = NIGHT) -> int:
    """How often to try now what is drawn anew each time."""
    return whole if night else whole // of


def turn(of: int, on: int = 0, night: bool = NIGHT, day: int = DAY) -> pytest.MarkDecorator:
    """For a test in full or not at all. on: which of the days is its own, so that no day has them all."""
    return pytest.mark.skipif(not night and day % of != on, reason=f"has its day, one of {of}, and each night")
