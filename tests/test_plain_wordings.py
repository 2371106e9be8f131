"""Main questions in plain words: whether a squad may go into a pillbox while an enemy stands outside it, told in many ways, and
its twins; and what players ask most of each chapter, told by somebody who had read only docs/ and wrote the answers first.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
import yaml

from kb import asking, registry
from kb.answers import expectations
from kb.cases.completion import complete
from tests import corpus

CASES = [case for case in corpus.of("asl/B30.[48]*.yaml") if case.name.startswith("b30-42-plain-")]
GIVEN = [case.data for case in CASES]
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


@pytest.mark.parametrize("given", GIVEN, ids=[case.name for case in CASES])
def test_each_wording_has_the_right_answer_for_the_right_reason(given: dict[str, Any]) -> None:
    proof, expected = asking.ask(given), given["expect"]
    assert proof.verdict == expected["verdict"]
    assert list(proof.cites[:1]) == expected.get("cites", list(proof.cites[:1]))
    assert proof.verdict != "undetermined" or proof.missing[0].said(proof.theory.vocabulary) in expected["missing"]


@pytest.mark.parametrize("given", GIVEN, ids=[case.name for case in CASES])
def test_what_is_in_the_normal_words_stays_as_it_is(given: dict[str, Any]) -> None:
    things = asking.case(given).things
    assert complete(things, registry.vocabulary("asl")) == things


@pytest.mark.parametrize("given", GIVEN, ids=[case.name for case in CASES])
def test_a_friend_in_the_place_of_the_enemy_bars_nothing(given: dict[str, Any]) -> None:
    """The door is open then, from the next hex too, or what is asked is how much the squad has spent or holds."""
    if given["expect"].get("cites") != ["B30.42"] or "Enemy" not in str(given):
        return
    things = {name: {**told, "is": friends(told["is"])} if "is" in told else told for name, told in mappings(given)}
    proof = asking.ask({**given, "things": things})
    if given["title"].startswith("From the next hex"):
        assert (proof.verdict, proof.cites[0]) == ("permitted", "B30.4")
    else:
        assert proof.verdict == "permitted" or (proof.verdict == "undetermined" and "B30.42" not in proof.cites)


def mappings(given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The things of a case, each as a mapping."""
    return [(n, told if isinstance(told, dict) else {"is": told}) for n, told in given["things"].items()]


def friends(classes: str | list[str]) -> str | list[str]:
    """The same classes, of a friend."""
    return ["Friendly" if c.lower() == "enemy" else c for c in classes] if isinstance(classes, list) else classes


# ── drawn wordings ──────────────────────────────────────────────────────────────────────────────────────────────────────

FOES = {
    "nobody": ("permitted", "B30.4"),
    "outside": ("forbidden", "B30.42"),
    "in a work": ("forbidden", "B30.42"),
    "inside": ("forbidden", "B30.44"),
    "next hex": ("permitted", "B30.4"),
    "disrupted": ("permitted", "B30.4"),
}


def drawn(dice: random.Random, foe: str) -> dict[str, Any]:
    """One scene, each thing of it placed in a way that is drawn."""
    by_coordinate = dice.random() < 0.5
    things: dict[str, dict[str, Any]] = {"box": {"is": "Pillbox"}, "squad": {"is": ["Squad", "Friendly"]}}
    if by_coordinate:
        here, beside = [("at", "T5"), ("coordinate", "T5")], [("at", "T4"), ("coordinate", "T4")]
        if dice.random() < 0.5:
            things["h"] = {"is": "Hex", "coordinate": "T5"}
            here += [("at", "h"), ("hex", "h")]
    else:
        things["h"], things["n"] = {"is": "Hex"}, {"is": "Hex", "adjacentTo": "h"}
        here, beside = [("at", "h"), ("hex", "h")], [("at", "n"), ("hex", "n")]
    where = list(here)
    if dice.random() < 0.5:
        role, to = dice.choice([way for way in here if way[0] != "at"])
        things["yard"] = {"is": dice.choice(["GroundLevel", "Location"]), role: to}
        where.append(("at", "yard"))
        here.append(("exterior", "yard"))
    role, to = dice.choice(here)
    things["box"][role] = to
    where += [("sharesHexWith", "box"), ("onTopOf", "box")]
    role, to = dice.choice([*where, ("at", "pit")])
    things["squad"][role] = to
    if to == "pit" or foe == "in a work":
        role, to = dice.choice([way for way in where if way[0] != "onTopOf"])
        things["pit"] = {"is": dice.choice(["Foxhole", "Trench"]), role: to}
    if foe != "nobody":
        things["foe"] = {"is": ["Squad", "Enemy", *(["Disrupted"] if foe == "disrupted" else [])]}
        inside = [("at", "box"), ("beneath", "box")]
        ways = {"inside": inside, "next hex": beside, "in a work": [("at", "pit")]}.get(foe, where)
        role, to = dice.choice(ways)
        things["foe"][role] = to
    for name, facts in list(things.items()):  # from the other side
        if dice.random() < 0.3 and (place := facts.get("at")) in things and things[place].get("is") != "Pillbox":
            del facts["at"]
            things[place].setdefault("occupant", []).append(name)
    names = list(things)
    dice.shuffle(names)
    go = {"is": dice.choice(["Move", "Advance", "Rout"]), "actor": "squad", "destination": "box"}
    return {"book": "asl", "things": {**{name: things[name] for name in names}, "go": go}, "ask": {"may": "go"}}


@pytest.mark.slow
@pytest.mark.parametrize("foe", FOES)
def test_wordings_that_are_drawn(foe: str) -> None:
    dice = random.Random(foe)
    for _ in range(60):
        given = drawn(dice, foe)
        proof = asking.ask(given)
        way_in = "B30.8" if "Trench" in str(given) and FOES[foe][0] == "permitted" else FOES[foe][1]  # a bunker's then
        assert (proof.verdict, proof.cites[0]) in (FOES[foe], (FOES[foe][0], way_in)), given


# ── what is asked most of each chapter ──

CHAPTERS = {"a7": 37, "b30": 40, "brt6": 37, "fow": 39, "vv": 43}


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "many"), CHAPTERS.items())
def test_the_main_questions_of_a_chapter_are_answered_in_every_wording(chapter: str, many: int) -> None:
    told = [case for case in corpus.every() if case.name.startswith(f"{chapter}-plain-")]
    assert len(told) == many >= 20
    wrong = {case.name: found for case in told if (found := expectations.mismatches(asking.ask(case.data)))}
    assert wrong == {}


def test_a_wrong_answer_to_a_wording_is_noticed() -> None:
    case = corpus.named("b30-plain-01")
    assert expectations.mismatches(asking.ask({**case.data, "expect": {"verdict": "conflict"}}))
