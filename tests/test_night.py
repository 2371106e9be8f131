"""What is tried by day is a part of what is tried at night, and something."""

from __future__ import annotations

from tests.night import some, times


def test_by_day_a_part_and_at_night_all() -> None:
    assert list(some(range(8), of=4, night=True)) == list(range(8))
    assert list(some(range(8), of=4, night=False)) == [0, 4]
    assert list(some(["one"], of=4, night=False)) == ["one"]
    assert (times(300, of=3, night=True), times(300, of=3, night=False)) == (300, 100)
