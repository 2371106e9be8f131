"""What is tried by day is a part of what is tried at night, and something."""

from __future__ import annotations

from tests.night import some, times, today, turn


def test_by_day_a_part_and_at_night_all() -> None:
    assert list(some(range(8), of=4, night=True)) == list(range(8))
    assert list(some(range(8), of=4, night=False)) == [0, 4]
    assert list(some(["one"], of=4, night=False)) == ["one"]
    assert (times(300, of=3, night=True), times(300, of=3, night=False)) == (300, 100)


def test_in_so_many_days_each_has_had_its_day() -> None:
    rows = list(range(10))
    parts = [list(today(rows, of=4, night=False, day=day)) for day in range(739_000, 739_004)]
    assert sorted(row for part in parts for row in part) == rows and all(2 <= len(part) <= 3 for part in parts)
    assert list(today(rows, of=4, night=True, day=3)) == rows


def test_a_test_has_its_day_and_every_night() -> None:
    skipped = [[turn(3, on, night=False, day=day).args[0] for day in range(739_000, 739_003)] for on in range(3)]
    assert sorted(map(sum, skipped)) == [2, 2, 2] and all(sum(day) == 2 for day in zip(*skipped, strict=True))
    assert not any(turn(3, on, night=True).args[0] for on in range(3))
