"""The benchmark's bounds: a good run holds them all, and each is seen to break."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.bounds import OURS, PROLOG, PYTHON, verdicts
from tests.night import times

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


# ── the answers: the scenarios of the references, where these stand beside the checkout ──


@pytest.fixture(scope="module")
def references(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the references, with their 10,000 scenarios written."""
    folder = root.parent / "shared" / "bench"
    if not folder.is_dir():
        pytest.skip("the references are not in ../shared/bench")
    copy = tmp_path_factory.mktemp("references")
    for name in ("model.py", "gen.py"):
        shutil.copy(folder / name, copy)
    subprocess.run([sys.executable, "gen.py"], cwd=copy, check=True, capture_output=True)
    return copy


@pytest.fixture
def peer(references: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """bench/peer.py's engine, which finds the references' class tree as a module."""
    monkeypatch.syspath_prepend(str(references))
    spec = importlib.util.spec_from_file_location("loophole_peer", root / "bench" / "peer.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delitem(sys.modules, "model")
    return module.Loophole()


def wrong(peer: Any, references: Path, most: int = 10_000) -> list[int]:
    """The ids of the scenarios that are not answered as the reference does."""
    told = json.loads((references / "data" / "scenarios.json").read_text())
    rows = list(zip(told["scenarios"], told["answers"], strict=True))[:most]
    assert len(rows) == most
    return [s["id"] for s, answer in rows if peer.ask(s) != answer]


@pytest.mark.slow
def test_every_scenario_is_answered_right(peer: Any, references: Path) -> None:
    assert wrong(peer, references, times(10_000, of=4)) == []


@pytest.mark.slow
def test_an_engine_that_overlooks_the_broken_is_seen(
    peer: Any, references: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some 60 of 1,000 scenarios have a unit that has just broken; 184 of 10,000 were once answered otherwise for it."""
    case = type(peer).case

    def overlooking(self: Any, scenario: dict[str, Any]) -> Any:
        states = [state for state in scenario["unit"]["states"] if state != "broken_now"]
        return case(self, {**scenario, "unit": {**scenario["unit"], "states": states}})

    monkeypatch.setattr(type(peer), "case", overlooking)
    assert wrong(peer, references, 1_000)
