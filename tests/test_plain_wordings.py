"""The main job in plain words: may a squad go into a pillbox while an enemy stands outside it, told in many ways, and its twins."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb import pipeline

CASES = sorted((Path(__file__).parent / "cases" / "asl").glob("b30-42-plain-*.yaml"))
GIVEN = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in CASES]
SAID = Counter((given["expect"]["verdict"], *given["expect"].get("cites", ())) for given in GIVEN)


def test_there_are_so_many_wordings() -> None:
    assert SAID == {
        ("forbidden", "B30.42"): 36,
        ("forbidden", "B30.44"): 3,
        ("permitted", "B30.4"): 11,
        ("undetermined",): 2,
    }


def test_no_wording_is_there_twice() -> None:
    told = [yaml.safe_dump({key: given[key] for key in ("things", "ask")}) for given in GIVEN]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("given", GIVEN, ids=[path.stem for path in CASES])
def test_each_wording_has_the_right_answer_for_the_right_reason(given: dict[str, Any]) -> None:
    proof, expected = pipeline.ask(given), given["expect"]
    assert proof.verdict == expected["verdict"]
    assert list(proof.cites[:1]) == expected.get("cites", list(proof.cites[:1]))
    assert proof.verdict != "undetermined" or proof.missing[0].asks in expected["missing"]


@pytest.mark.parametrize("given", GIVEN, ids=[path.stem for path in CASES])
def test_a_friend_in_the_place_of_the_enemy_bars_nothing(given: dict[str, Any]) -> None:
    """The door is open then, or what is asked is how much the squad has spent or holds; a step from the next hex the rule bars."""
    if given["expect"].get("cites") != ["B30.42"] or "Enemy" not in str(given):
        return
    things = {name: {**told, "is": friends(told["is"])} if "is" in told else told for name, told in mappings(given)}
    proof = pipeline.ask({**given, "things": things})
    if given["title"].startswith("From the next hex"):
        assert (proof.verdict, proof.cites[0]) == ("forbidden", "B30.4")
    else:
        assert proof.verdict == "permitted" or "B30.42" not in proof.cites and proof.verdict == "undetermined"


def mappings(given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The things of a case, each as a mapping."""
    return [(n, told if isinstance(told, dict) else {"is": told}) for n, told in given["things"].items()]


def friends(classes: str | list[str]) -> str | list[str]:
    """The same classes, of a friend."""
    return ["Friendly" if c.lower() == "enemy" else c for c in classes] if isinstance(classes, list) else classes
