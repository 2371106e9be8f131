"""What is said or asked of a thing of the wrong kind: put right where the ontology says how, else a fault that says what to do."""

from __future__ import annotations

from typing import Any

import pytest

from kb import asking, registry
from kb.answers.headline import headline
from kb.errors import CaseError


def ask(things: dict[str, Any], question: dict[str, Any]) -> Any:
    return asking.ask({"book": "asl", "things": things, "ask": question})


@pytest.mark.parametrize(
    ("things", "question", "code", "says"),
    [
        ({"shot": {"is": "FT", "target": "Squad"}}, {"is": ["shot", "Weapon"]}, 441, "is: FlamethrowerAttack"),
        ({"box": {"is": "Pillbox", "actor": "Squad"}}, {"is": ["box", "Place"]}, 441, "said of an act"),
        ({"shot": {"is": "Attack", "weapon": "OBA"}}, {"is": ["shot", "Attack"]}, 443, "is: OBA"),
        ({"squad": {"is": "Squad", "state": "Pinned"}}, {"is": ["squad", "Pinned"]}, 424, "is: [Pinned]"),
        ({"squad": {"is": "Squad", "location": "hut"}, "hut": "Building"}, {"is": ["squad", "Pinned"]}, 424, "at: hut"),
        ({"squad": "Squad"}, {"may": "squad"}, 442, "asked of an act"),
        ({"group": "FireGroup"}, {"may": "group"}, 442, "is: FireGroup"),
        ({"box": "Pillbox", "dig": {"is": "HIP", "object": "box"}}, {"may": "dig"}, 442, "is: SettingUpHidden"),
        ({"box": "Pillbox", "dig": {"object": "box"}}, {"may": "dig"}, 442, "no kind is told"),
        ({"go": "Foo"}, {"may": "go"}, 423, "no class is called"),
        ({"go": "placing"}, {"may": "go"}, 423, "may be PlacedDC or Placement"),
        ({"go": "Placing"}, {"is": ["go", "PlacedDC"]}, 0, "yes"),
        ({"go": {"is": "Move", "through": "Tunnel"}}, {"may": "go"}, 441, "write via:"),
        ({"a": {"is": "Place", "Adjacent to": "b"}, "b": "Place"}, {"is": ["a", "adjacentTo value b"]}, 0, "yes"),
        ({"squad": "Squad", "shot": {"is": "Fire", "actor": "squad"}}, {"is": ["squad", "Cowering"]}, 442, "ask it of shot"),
        ({"squad": "Squad"}, {"value": ["tem", "squad"]}, 0, "outside"),
        ({"squad": "Squad"}, {"value": ["totalDRM", "squad"]}, 442, "“totalDRM”"),
    ],
)  # fmt: skip
def test_misfits(things: dict[str, Any], question: dict[str, Any], code: int, says: str) -> None:
    if not code:
        assert ask(things, question).verdict == says
        return
    with pytest.raises(CaseError) as e:
        ask(things, question)
    assert {p.code for p in e.value.problems} == {code}
    assert says in str(e.value)


def test_the_one_act_of_the_case_is_meant() -> None:
    things = {
        "icb": "ICB",
        "squad": {"is": ["Squad", "Enemy"], "at": "icb"},
        "shot": {"is": "FlamethrowerAttack", "target": "squad", "actor": {"is": "Squad", "at": "icb"}},
    }
    assert ask(things, {"value": ["tem", "icb"]}).value == 0  # not 5, which fire from elsewhere has
    assert ask({"icb": "ICB"}, {"value": ["tem", "icb"]}).value == 5


def test_several_acts_are_told() -> None:
    shots = {name: {"is": "SmallArmsFire", "actor": "squad"} for name in ("early", "late")}
    with pytest.raises(CaseError, match="ask it of early or late"):
        ask({"squad": {"is": "Squad", "printedFP": 4}, **shots}, {"value": ["firepower", "squad"]})


def test_a_state_as_a_key() -> None:
    things = {
        "a": {"is": "Squad", "Pinned": True, "printedFP": 4},
        "b": {"is": "Squad", "Pinned": False, "printedFP": 4},
    }
    assert [ask(things, {"value": ["firepower", name]}).value for name in "ab"] == [2, 4]


def test_what_the_ontology_names_is_there() -> None:
    found = 0
    for book in registry.books():
        v = registry.vocabulary(book)
        for term in v.properties.values():
            for way in term.asked_through:
                assert {way.act, way.cls} <= v.classes.keys() and way.role in v.properties, f"{term.name}: {way}"
                found += 1
            if told := term.told_by:
                assert {*told.roles} <= v.properties.keys() and {*told.kinds} <= v.classes.keys(), term.name
    assert found >= 12


def test_an_act_described_in_place() -> None:
    things = {"squad": {"is": "squad", "FP": 4}}
    pin, shot = {"is": "PinResult", "actor": "squad"}, {"is": "SmallArmsFire", "actor": "squad"}
    asked = {"book": "asl", "things": things, "history": [pin], "ask": {"value": ["firepower", shot]}}
    assert asking.ask(asked).value == 2
    assert ask({"squad": {"is": "squad", "entrenched": True}}, {"is": ["squad", "entrenched"]}).answer == "yes"


def test_the_headline_names_what_decides() -> None:
    squad = {"is": ["Squad", "Japanese"], "at": {"is": "CommandBunker"}, "FP": 4}
    found = ask({"squad": squad, "shot": {"is": "SmallArmsFire", "actor": "squad"}}, {"value": ["firepower", "shot"]})
    assert (
        headline(found)
        == "2 by BRT6.1 and A7.372 before A7.2, A7.23, A7.35, A12.13 (not loaded): firepower of shot, in FP"
    )
    claim = {
        "is": ["EncirclementClaim", "OppositeHexspines"],
        "target": {"is": ["Squad", "Enemy", "Aerial"]},
        "phase": "PFPh",
    }
    found = ask({"claim": claim}, {"may": "claim"})
    assert headline(found) == "FORBIDDEN: a claim of Encirclement at the squad is not allowed (A7.7)"


def test_one_alone_a_hex_by_its_name_and_a_word_of_the_wanted_kind() -> None:
    near = {"a": {"is": "Squad", "FP": 4, "at": "T3"}, "foe": {"is": ["Squad", "Enemy"], "at": "T4"}}
    shot = {"is": "SmallArmsFire", "firers": ["a"], "target": "foe"}
    assert ask({**near, "shot": shot}, {"value": ["firepower", "shot"]}).value == 8
    gun = {"is": "LMG", "FP": 3}
    assert ask({"gun": gun, "shot": {"is": "Fire", "firers": ["gun"]}}, {"value": ["firepower", "shot"]}).value == 3
    hit = {"is": ["OrdnanceFire", "Hit"], "targetType": "Infantry"}
    assert ask({"hit": hit}, {"is": ["hit", "targetType some InfantryTargetType"]}).answer == "yes"
    with pytest.raises(CaseError, match="neither a thing of this case nor a class"):
        ask({"a": {"is": "Squad", "at": "T999"}}, {"is": ["a", "Pinned"]})


def test_a_weapon_told_by_its_kind_is_one_in_all_that_one_unit_does_and_in_nothing_that_nobody_is_told_to_do() -> None:
    def weapons(**who: str) -> set[object]:
        act = {"is": "FlamethrowerAttack", "weapon": "Flamethrower", **who}
        things = {"sq": {"is": "squad"}, "a": act, "b": dict(act)}
        case = asking.case({"book": "asl", "things": things, "history": ["a"], "ask": {"may": "b"}})
        return {case.things[name].links["weapon"] for name in ("a", "b")}

    assert len(weapons(actor="sq")) == 1
    assert len(weapons()) == 2
