"""One question in the ways that players tell it has one answer, the right one: the sets of tests/paraphrases."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import yaml

from kb import asking
from kb.errors import CaseError
from tests import paraphrases
from tests.paraphrases import Way

WAYS = paraphrases.ways()
SETS = Counter(way.set for way in WAYS)


def test_there_are_so_many() -> None:
    books = Counter(name.split()[0] for name in SETS)
    assert books == {"A7": 26, "B30": 34, "BRT6": 19, "FOW": 26, "SQ20": 26}
    assert len(WAYS) == 621


def test_each_is_told_in_several_ways() -> None:
    assert min(SETS.values()) >= 3
    told = [yaml.safe_dump(way.case) for way in WAYS]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_each_way_has_the_one_answer(way: Way) -> None:
    proof = paraphrases.ask(way)
    assert paraphrases.meets(way, proof), f"{paraphrases.said(proof)}, and not {way.right}"
    assert way.cites in proof.cites


def mended(way: Way, things: dict[str, Any]) -> Way:
    return Way(way.set, way.name, way.right, way.cites, {**way.case, "things": {**way.case["things"], **things}})


def test_another_answer_is_told_from_the_one() -> None:
    """A fact that turns the answer is planted in one way of a set: it is met no more."""
    (way,) = [way for way in WAYS if str(way) == "B30 enemy-inside: at the box"]
    gone = mended(way, {"foe": {"is": ["Squad", "Enemy"], "at": "yard", "not": [], "Disrupted": True}})
    assert paraphrases.meets(way, paraphrases.ask(way))
    assert not paraphrases.meets(gone, paraphrases.ask(gone))


# ── the notions, each with what it does not say ─────────────────────────────────────────────────────────────────────────


def things(book: str, things: dict[str, Any]) -> Any:
    """The things of a case in the normal form."""
    first = next(iter(things))
    return asking.case(
        {"book": book, "things": things, "ask": {"is": [first, "Eliminated" if book == "asl" else "Friendly"]}}
    ).things


def test_a_shot_is_made_with_the_only_weapon_that_is_had() -> None:
    told = {
        "shot": {"is": "Hit", "actor": "tank"},
        "tank": {"is": "Tank", "possesses": ["gun"]},
        "gun": "BunkerBuster",
        "mg": "MachineGun",
    }
    assert things("fow", told)["shot"].links["weapon"] == ("gun",)
    told["tank"]["possesses"] = ["gun", "mg"]  # type: ignore[index]
    assert "weapon" not in things("fow", told)["shot"].links
    told["shot"]["weapon"] = "mg"  # type: ignore[index]
    assert things("fow", told)["shot"].links["weapon"] == ("mg",)


def test_a_weapon_that_fires_is_the_weapon_of_the_shot() -> None:
    told = {"shot": {"is": "Fire", "actor": "mg"}, "mg": "MMG", "me": {"is": "Squad"}}
    assert things("asl", told)["shot"].links == {"weapon": ("mg",)}
    told["shot"] = {"is": "Fire", "actor": "me"}
    assert things("asl", told)["shot"].links == {"actor": ("me",)}


@pytest.mark.parametrize(
    ("me", "foe", "found"),
    [
        ({}, {"enemyOf": "me"}, ("Friendly", "Enemy")),
        ({"enemyOf": "foe"}, {}, ("Friendly", "Enemy")),  # me acts
        ({"is": ["Squad", "Enemy"]}, {"enemyOf": "me"}, ("Enemy", "Friendly")),
        ({"is": ["Squad", "Enemy"]}, {"friendlyTo": "me"}, ("Enemy", "Enemy")),
        ({}, {"is": ["Squad", "Enemy"], "friendlyTo": "me"}, ("Enemy", "Enemy")),
        ({}, {}, (None, None)),
    ],
)
def test_sides_are_told_by_whose_enemy_one_is(
    me: dict[str, Any], foe: dict[str, Any], found: tuple[str | None, ...]
) -> None:
    told = {"me": {"is": "Squad", **me}, "foe": {"is": "Squad", **foe}, "go": {"is": "Move", "actor": "me"}}
    got = things("asl", told)
    assert tuple(next((c for c in got[x].is_ if c in ("Friendly", "Enemy")), None) for x in ("me", "foe")) == found


def test_what_is_said_to_be_done_is_history() -> None:
    told = {
        "book": "asl",
        "things": {"me": "Squad", "pin": {"is": ["PinResult", "Done"], "actor": "me"}},
        "ask": {"is": ["me", "Pinned"]},
    }
    assert asking.case(told).history == ("pin",)
    assert asking.ask(told).verdict == "yes"
    told["things"]["pin"] = {"is": "PinResult", "actor": "me"}  # type: ignore[index]
    assert asking.ask(told).verdict != "yes"


def test_infantry_is_presumed_to_be_no_single_man() -> None:
    told = {"book": "asl", "things": {"men": "Infantry"}, "ask": {"is": ["men", "SMC"]}}
    proof = asking.ask(told)
    assert "men is not a single-man counter" in [a.said(proof.theory.vocabulary) for a in proof.assumptions]
    told["things"] = {"men": {"is": "Infantry", "unknown": ["SMC"]}}
    assert asking.ask(told).verdict == "undetermined"


def test_a_range_is_told_of_what_is_shot_at_only_where_the_shot_has_none() -> None:
    told = {"shot": {"is": "Fire", "target": "b"}, "b": {"is": "Bunker", "range": 20}}
    assert things("fow", told)["shot"].numbers["range"] == 20
    told["shot"]["range"] = 4  # type: ignore[index]
    assert things("fow", told)["shot"].numbers["range"] == 4


def test_a_full_position_has_no_room_but_for_those_in_it() -> None:
    told: dict[str, Any] = {
        "book": "vv",
        "things": {
            "me": "Infantry",
            "b": {"is": ["Bunker", "Full"]},
            "stay": {"is": "Occupation", "actor": "me", "place": "b"},
        },
        "ask": {"may": "stay"},
    }
    assert asking.ask(told).verdict == "forbidden"
    told["things"]["me"] = {"is": "Infantry", "at": "b"}
    assert asking.ask(told).verdict == "permitted"


def test_a_case_that_contradicts_itself_is_refused_as_before() -> None:
    with pytest.raises(CaseError, match="Enemy"):
        things("asl", {"me": {"is": ["Squad", "Friendly", "Enemy"]}})


def test_a_member_is_where_the_group_is_told_to_be_and_not_where_another_member_is() -> None:
    told: dict[str, Any] = {
        "a": {"is": "Squad", "at": "box"},
        "b": {"is": "Squad", "sharesHexWith": "box"},
        "both": {"is": "Group", "member": ["a", "b"]},
        "box": {"is": "Pillbox", "exterior": "yard"},
        "yard": "GroundLevel",
    }
    assert things("asl", told)["b"].links["at"] == ("yard",)
    told["b"] = "Squad"
    assert "at" not in things("asl", told)["b"].links
    told["a"], told["both"]["hex"], told["h"] = "Squad", "h", "Hex"
    assert things("asl", told)["a"].links["at"] == things("asl", told)["both"].links["at"] == ("h",)


def test_a_group_that_fires_is_its_members_and_one_of_one_is_that_one() -> None:
    told: dict[str, Any] = {
        "a": "Squad",
        "b": "Squad",
        "g": {"is": "Group", "member": ["a", "b"]},
        "shot": {"is": "Fire", "actor": "g"},
        "go": {"is": "Move", "actor": "g"},
    }
    found = things("asl", told)
    assert found["shot"].links == {"firers": ("a", "b")}
    assert found["go"].links["actor"] == ("g",)
    told["g"]["member"] = ["a"]
    assert things("asl", told)["shot"].links == {"actor": ("a",)}


def test_who_does_something_from_a_place_is_there_where_nothing_else_is_told() -> None:
    told: dict[str, Any] = {"me": "Squad", "x": "Location", "y": "Location"}
    told["shot"] = {"is": "Fire", "actor": "me", "from": "x"}
    assert things("asl", told)["me"].links["at"] == ("x",)
    told["go"] = {"is": "Move", "actor": "me", "from": "y"}
    assert "at" not in things("asl", told)["me"].links  # at which of them he is first is not told


def test_a_hex_of_a_kind_that_holds_a_pillbox_has_one() -> None:
    told: dict[str, Any] = {"h": "PillboxHex", "box": "Pillbox"}
    assert things("asl", told)["h.holdsPillbox"].is_ == ("Pillbox",)
    told["box"] = {"is": "Pillbox", "hex": "h"}
    assert "h.holdsPillbox" not in things("asl", told)


def test_a_coordinate_is_a_hex_where_others_are_told_so_and_nothing_is_called_nearly_so() -> None:
    told: dict[str, Any] = {"me": {"is": "Squad", "at": "T3"}, "shot": {"is": "Fire", "actor": "me", "target": "T5"}}
    assert things("asl", told)["T5"].texts == {"coordinate": "T5"}
    with pytest.raises(CaseError, match="did you mean t5"):
        things("asl", {**told, "t5": "Squad"})
    told["me"] = {"is": "Squad"}
    with pytest.raises(CaseError, match="neither a thing"):
        things("asl", told)
