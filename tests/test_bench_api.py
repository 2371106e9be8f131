"""The load script runs, each part of it, and its bounds are seen to break."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.bench_api import Load, run, verdicts

PARTS = [
    "echo", "ask, same", "echo again", "ask, new, without flips", "ask, new, with flips",
    "ask, told otherwise", "ask, told otherwise, flips", "mixed",
]  # fmt: skip


def one(rate: int, **statuses: int) -> Load:
    return Load(seconds=1.0, statuses=Counter({200: rate, **{int(k[1:]): n for k, n in statuses.items()}}))


@pytest.mark.slow
def test_each_part_gets_answers() -> None:
    found = run(0.3, 0.3, warm=0.1)
    assert list(found) == PARTS
    for name, load in found.items():
        assert load.statuses[200] > 0 and load.at(0.99) >= load.at(0.5) > 0, name
    assert found["ask, same"].bytes > found["ask, same"].statuses[200] * 2000, "an answer comes with its proof"


def test_each_bound_is_seen_to_break() -> None:
    good = {"echo": one(100), "echo again": one(90), "ask, same": one(50), "mixed": one(9)}
    assert [held for held, _ in verdicts(good)] == [True, True]
    assert [held for held, _ in verdicts({**good, "echo again": one(101)})] == [False, True]
    assert [held for held, _ in verdicts({**good, "mixed": one(9, s503=1)})] == [True, False]
    assert [held for held, _ in verdicts({**good, "mixed": Load(seconds=1.0)})] == [True, False]
