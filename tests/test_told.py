"""What a case tells in a roundabout way: the Location outside a pillbox, the modules it is under, the nation of a unit."""

from __future__ import annotations

from typing import Any

import pytest

from kb import asking
from kb.errors import CaseError

WAYS: dict[str, dict[str, Any]] = {
    "by the relation": {"box": {"is": "Pillbox", "exterior": "out"}, "out": {"is": "GroundLevel"}},
    "by its inverse": {"box": {"is": "Pillbox"}, "out": {"is": "GroundLevel", "interior": "box"}},
    "as sharing a hex": {"box": {"is": "Pillbox"}, "out": {"is": "GroundLevel", "sharesHexWith": "box"}},
    "by the same hex": {
        "k5": {"is": "Hex"}, "box": {"is": "Pillbox", "hex": "k5"}, "out": {"is": "GroundLevel", "hex": "k5"},
    },
    "the hex itself": {"out": {"is": "Hex", "holds": "box"}, "box": {"is": "Pillbox"}},
    "a pillbox at the hex": {"out": {"is": "Hex"}, "box": {"is": "Pillbox", "at": "out"}},
}  # fmt: skip


def door(places: dict[str, Any], foe_at: str) -> dict[str, Any]:
    return {
        "book": "asl",
        "things": {
            **places,
            "squad": {"is": ["Squad", "Friendly"], "at": "out"},
            "foe": {"is": ["Squad", "Enemy"], "at": foe_at},
            "go": {"is": "Move", "actor": "squad", "destination": "box"},
        },
        "ask": {"may": "go"},
    }


@pytest.mark.parametrize("way", WAYS)
def test_an_enemy_outside_bars_the_door_however_the_outside_is_told(way: str) -> None:
    proof = asking.ask(door(WAYS[way], "out"))
    assert (proof.verdict, proof.cites[0]) == ("forbidden", "B30.42"), way


@pytest.mark.parametrize("way", WAYS)
def test_an_enemy_in_another_place_does_not(way: str) -> None:
    places = {**WAYS[way], "away": {"is": "GroundLevel"}}
    assert asking.ask(door(places, "away")).verdict == "permitted", way


def test_an_outside_that_nothing_tells_is_made_up() -> None:
    places = {"box": {"is": "Pillbox"}, "out": {"is": "GroundLevel"}}
    assert "exterior" not in asking.case(door(places, "out")).things["box"].links


HOUSE = {
    "book": "asl",
    "things": {"house": "Building", "ditch": {"is": "Trench", "ADJACENTTo": "house"}},
    "ask": {"is": ["ditch", "accessibleTo value house or not Squad"]},
}


@pytest.mark.parametrize("name", ["BRT6", "brt6", "T6"])
def test_a_case_names_its_modules(name: str) -> None:
    assert "BRT6" not in asking.in_force(asking.case(HOUSE))
    assert "BRT6" in asking.in_force(asking.case({**HOUSE, "modules": [name]}))


def test_a_module_that_there_is_not_is_refused() -> None:
    with pytest.raises(CaseError, match="no module “BRT7”"):
        asking.case({**HOUSE, "modules": ["BRT7"]})


@pytest.mark.parametrize(("other", "verdict"), [("Japanese", "permitted"), ("Marines", "forbidden")])
def test_units_of_two_nations_are_enemies(other: str, verdict: str) -> None:
    given = door(WAYS["by the relation"], "out")
    given["things"]["squad"]["is"], given["things"]["foe"]["is"] = ["Squad", "Japanese"], ["Squad", other]
    assert asking.ask(given).verdict == verdict


@pytest.mark.parametrize(
    ("where", "rule"),
    [
        ({"onTopOf": "box"}, "B30.42"),
        ({"sharesHexWith": "box"}, "B30.42"),
        ({"hex": "k5"}, "B30.42"),
        ({"beneath": "box"}, "B30.44"),
        ({"at": "field"}, "B30.4"),
        ({"onTopOf": "box", "at": "field"}, "B30.42"),
        ({"onTopOf": "box", "at": "k6"}, "B30.4"),
    ],
)
def test_where_a_unit_is(where: dict[str, str], rule: str) -> None:
    proof = asking.ask({
        "book": "asl",
        "things": {
            "k5": "Hex", "k6": "Hex", "field": "GroundLevel", "box": {"is": "Pillbox", "hex": "k5"},
            "foe": {"is": ["Squad", "Enemy"], **where},
            "go": {"is": "Move", "actor": {"is": ["Squad", "Friendly"]}, "destination": "box"},
        },
        "ask": {"may": "go"},
    })  # fmt: skip
    assert (proof.verdict, rule in proof.cites) == ("permitted" if rule == "B30.4" else "forbidden", True)
