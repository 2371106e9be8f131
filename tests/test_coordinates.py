"""What the case says of where things are on the map is never contradicted by what is presumed or made up."""

from __future__ import annotations

from typing import Any

import pytest

from kb import asking

FOE = {"is": ["Squad", "Enemy"]}


@pytest.mark.parametrize(
    ("places", "verdict", "cite"),
    [
        # the box and the place that they stand in have one coordinate: the move is not made from another hex
        ({"yard": {"is": "GroundLevel", "coordinate": "T5"}, "squad": "yard", "foe": "yard", "box": {"coordinate": "T5"}},
         "forbidden", "B30.42"),
        # another coordinate: it is, though nobody says so, and an advance is one step
        ({"squad": "T5", "box": {"hex": "T9"}, "act": "Advance"}, "forbidden", "B30.4"),
        ({"yard": {"is": "GroundLevel", "coordinate": "T5"}, "squad": "yard", "box": {"coordinate": "T9"}, "act": "Advance"},
         "forbidden", "B30.4"),
        # a move goes by the hex of the box
        ({"squad": "T5", "box": {"hex": "T6"}}, "permitted", "B30.33"),
        # the enemy of another hex does not bar the door
        ({"squad": "T5", "foe": "T9", "box": {"hex": "T5"}}, "permitted", "B30.4"),
    ],
)  # fmt: skip
def test_a_presumption_does_not_move_what_stands_on_the_map(places: dict[str, Any], verdict: str, cite: str) -> None:
    things: dict[str, Any] = {
        "squad": {"is": ["Squad", "Friendly"], "at": places["squad"]},
        "box": {"is": "Pillbox", **places["box"]},
        "go": {"is": places.get("act", "Move"), "actor": "squad", "destination": "box"},
    }
    if "yard" in places:
        things["yard"] = places["yard"]
    if "foe" in places:
        things["foe"] = {**FOE, "at": places["foe"]}
    proof = asking.ask({"book": "asl", "things": things, "ask": {"may": "go"}})
    assert proof.verdict == verdict
    assert cite in proof.cites


def test_hexes_that_are_no_neighbours_are_not_taken_for_adjacent() -> None:
    things = {"y": {"is": "GroundLevel", "coordinate": "T5"}, "z": {"is": "GroundLevel", "coordinate": "T9"}}
    proof = asking.ask({"book": "asl", "things": things, "ask": {"is": ["y", "ADJACENTTo value z"]}})
    assert proof.verdict != "yes"
    assert not any(row.term == "ADJACENTTo" for row in proof.assumptions)
