"""The benchmark's bounds: a good run holds them all, and each is seen to break."""

from __future__ import annotations

from typing import Any

import pytest

from bench.bounds import OURS, PROLOG, PYTHON, verdicts

GOOD: dict[str, dict[str, Any]] = {
    OURS: {"wrong": 0, "checked": 10_000, "ratio": {"median": 70}},
    PYTHON: {"wrong": 0, "checked": 10_000, "ratio": {"median": 7}},
    PROLOG: {"wrong": 0, "checked": 2_000, "ratio": {"median": 100, "explain": 350}},
}


def held(changes: dict[str, dict[str, Any]]) -> list[bool]:
    rows = [{"peer": name, **row, **changes.get(name, {})} for name, row in GOOD.items()]
    return [ok for ok, _ in verdicts(rows)]


def test_a_good_run_holds_every_bound() -> None:
    assert held({}) == [True] * 3


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({OURS: {"wrong": 1}}, 0),
        ({OURS: {"checked": 9_999}}, 0),
        ({OURS: {"ratio": {"median": 351}}, PROLOG: {"ratio": {"explain": 900}}}, 1),
        ({OURS: {"ratio": {"median": 340}}, PROLOG: {"ratio": {"explain": 330}}}, 2),
    ],
)
def test_each_bound_is_seen_to_break(changes: dict[str, dict[str, Any]], broken: int) -> None:
    assert held(changes) == [n != broken for n in range(3)]


@pytest.mark.parametrize("name", [OURS, PYTHON, PROLOG])
def test_a_peer_that_failed_breaks_the_run(name: str) -> None:
    assert not any(held({name: {"error": "ImportError"}}))
