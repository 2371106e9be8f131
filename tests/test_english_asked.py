"""What players ask with `does`, of costs and effects, and in other words; each notion with what it must not be taken for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench import english as bench
from tests.reading import asked_back, case, things

PLAYERS = Path(__file__).parent / "english" / "players.yaml"


@pytest.mark.slow
def test_what_players_ask_is_answered_right_or_asked_back_and_never_wrong() -> None:
    """Written before the reader was tried on them; 16 of the 40 were right then, none wrong."""
    rows = bench.rows(PLAYERS)
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == 40 and tally["wrong"] == 0 and tally["right"] >= 34


# ── does he, does it ──


@pytest.mark.parametrize(
    ("text", "book", "ask"),
    [
        ("Does a Japanese squad in a Command Bunker become Fanatic?", "asl", {"is": ["squad", "Fanatic"]}),
        ("Do sandbags block line of sight?", "vv", {"is": ["sandbags", "SightBlocker"]}),
        ("Does a Turret get an Armour Save?", "fow", {"may": "armour-save"}),
        ("Does a Mine Flail need a Motivation Test to cross a minefield?", "fow", {"must": "motivation-test"}),
        ("Does a foxhole give a cover modifier of 1?", "vv", {"is": ["foxhole", "coverModifier = 1"]}),
        ("Does a squad have LOS to the pillbox?", "asl", {"is": ["squad", "hasLOSTo value pillbox"]}),
        ("Does a squad's fire count as Area Fire?", "asl", {"is": ["fire", "AreaFire"]}),
        ("Is a squad obliged to rout?", "asl", {"must": "rout"}),
    ],
)
def test_what_does_asks(text: str, book: str, ask: dict[str, Any]) -> None:
    assert case(text, book)["ask"] == ask


def test_what_an_act_brings_about_is_asked_of_whom_it_befalls() -> None:
    found = case("Does an infantry hit in an assault destroy a Nest?", "fow")
    assert found["ask"] == {"is": ["nest", "Destroyed"]} and found["history"] == ["assault-hit"]
    assert found["things"]["assault-hit"] == {"is": "AssaultHit", "actor": "infantry", "target": "nest"}


def test_an_event_of_which_only_the_kind_is_told_brings_nothing_about_that_can_be_known() -> None:
    assert "by whom" in asked_back("Does a hit destroy a Nest?", "fow")
    assert "by whom" in asked_back("Is a Nest destroyed by an assault?", "fow")
    assert asked_back("Can a flame-thrower destroy a Nest?", "fow"), "what can be may hang on what is not told"


def test_what_can_be_is_what_is_not_said_never_to_be() -> None:
    assert case("Can a hero be pinned?")["ask"] == {"is": ["hero", "not NotPinnable"]}
    assert asked_back("Can a squad be Known?")


def test_what_is_told_of_somebody_is_not_asked_of_him() -> None:
    assert "has become" in asked_back("Does a pinned squad that was moving still count as a moving unit?")
    assert case("Does a pinned squad become broken?")["ask"] == {"is": ["squad", "Broken"]}


def test_affected_by_what_is_an_act_and_no_kind_of_thing() -> None:
    found = case("Is the squad in the pillbox affected by an overrun?")
    assert found["ask"] == {"is": ["overrun", "AffectsPillboxContents"]}
    asked_back("Is the squad in the trench affected by an attack on the trench?")


def test_how_one_stands_to_another() -> None:
    found = case("Are units inside a pillbox ADJACENT to units outside it in the same hex?")
    assert found["ask"] == {"is": ["unit", "ADJACENTTo value other-unit"]}
    assert found["things"]["other-unit"]["at"] == found["things"]["pillbox"]["exterior"]


def test_a_place_beside_another_is_not_that_other() -> None:
    """It was read as the pillbox being ADJACENT to itself, with the squad in it."""
    found = things("May a squad in a Location ADJACENT to the pillbox fire?")
    assert found["squad"]["at"] == "location" and found["location"]["ADJACENTTo"] == "pillbox"


# ── numbers and costs ──


def test_a_state_is_not_taken_out_of_the_name_of_a_number() -> None:
    """CA TEM was read as a CA, and a TEM of the attack."""
    found = things("What is the TEM of the attack? A squad places a DC against the pillbox. CA TEM 3, NCA TEM 5.")
    assert found["pillbox"]["caModification"] == "3" and found["pillbox"]["ncaModification"] == "5"
    assert found["placed-dc-attack"] == {"is": "PlacedDC", "actor": "squad", "against": "pillbox"}


def test_a_number_is_that_of_what_was_told_before() -> None:
    text = "A squad places a DC against the pillbox. CA TEM 3, NCA TEM 5. What is the TEM?"
    assert case(text)["ask"] == {"value": ["tem", "placed-dc-attack"]}
    assert "with what" in asked_back("What TEM does a pillbox give against fire from outside its CA?")


def test_what_is_paid() -> None:
    for text in ("What does a squad pay to enter a pillbox?", "What does a pillbox cost a squad to enter?"):
        found = case(text)
        assert found["ask"] == {"value": ["movementCost", "move"]}
        assert found["things"]["move"] == {"is": "Move", "actor": "squad", "destination": "pillbox"}


def test_what_was_given_and_bought() -> None:
    for text in (
        "The Japanese player was given 5 pillboxes and purchased none. How many Trench counters does he receive?",
        "How many Trench counters does he receive? Japanese player; 5 pillboxes given, none purchased.",
    ):
        (player,) = things(text).values()
        assert (player["pillboxesGiven"], player["pillboxesPurchased"]) == ("5", "0")


def test_he_is_nobody_of_the_ontology() -> None:
    """`he` was HE ammunition."""
    assert "HE" not in str(things("How many Trench counters does he receive? Japanese player; 5 pillboxes given."))


# ── who and where ──


def test_i_move_my_squad_is_that_it_moves() -> None:
    found = things("Can I move my squad into a pillbox?")
    assert found["move"]["actor"] == "squad" and len(found) == 3
    assert things("Can I fire a mortar?")["fire"]["weapon"] == "mortar"


def test_what_is_done_to_it_told_without_is() -> None:
    found = case("What happens to a Turret hit by a Bunker Buster?", "fow")
    assert found["things"]["hit"] == {"is": "Hit", "target": "turret", "weapon": "bunker-buster"}
    found = case("May the squad advance by the tunnel into the pillbox?")
    assert found["things"]["advance"]["actor"] == "squad"


def test_what_is_told_by_a_phrase_of_its_own_is_of_what_was_asked_about() -> None:
    text = "What does the squad pay to enter the building? {} in a trench ADJACENT to the building."
    assert set(things(text.format("an Encircled squad"))) == {"squad", "move", "building-location", "trench"}
    assert "enemy-squad" in things(text.format("an enemy squad"))
    assert "squad-2" in things("May the squad enter the pillbox? a squad inside the pillbox.")


def test_several_in_one_place_and_in_different_ones() -> None:
    found = things("May two squads in the same Location form a FG?")
    assert found["squad"]["at"] == found["squad-2"]["at"]
    found = things("May two squads in different Locations form a FG?")
    assert found["squad"]["at"] != found["squad-2"]["at"]


def test_the_next_hex_is_one() -> None:
    found = things("May the squad in the pillbox move into the next hex? the next hex is at ground level.")
    assert sum("Hex" in t["is"] for t in found.values() if isinstance(t["is"], str)) == 1


def test_they_are_asked_about_where_one_and_others_were_told() -> None:
    """They were the tank."""
    assert "Concealed" in asked_back("My tank shoots at enemy infantry through smoke. Are they Concealed?", "fow")


def test_another_without_its_noun() -> None:
    found = things("May a unit move from one cave to another through a tunnel?", "vv")
    assert found["move"]["from"] == "cave" and found["move"]["destination"] == "cave-2"


def test_for_what_a_test_is_taken() -> None:
    found = things("Must a Mine Flail take a Motivation Test to cross a minefield?", "fow")
    assert found["motivation-test"]["testFor"] == "crossing" and found["crossing"]["target"] == "minefield"


def test_a_test_that_failed_is_an_act_and_no_state_of_it_alone() -> None:
    found = case("What happens to a squad that fails its PAATC?")
    assert found["things"]["paatc"] == {"is": ["PAATC", "Failed"], "actor": "squad"} and found["ask"] == {
        "effects": "paatc"
    }


@pytest.mark.parametrize(
    "text", ["Is it legal for a squad to move?", "Is it possible for a squad to move?", "Am I allowed to move a squad?"]
)
def test_whether_it_is_allowed(text: str) -> None:
    assert case(text)["ask"] == {"may": "move"} and things(text)["move"]["actor"] == "squad"


@pytest.mark.parametrize(
    ("text", "book", "ask"),
    [
        ("What is the least caliber in mm with which an Indirect-Fire CH eliminates a gray pillbox outright?", "asl", {"value": ["eliminatingCaliber", "gray-pillbox"]}),
        ("Within how many hexes do the occupants of a pillbox become Known after an attack from inside?", "asl", {"value": ["knownRange", "pillbox"]}),
        ("What is the highest roll that eliminates a unit in a minefield?", "vv", {"value": ["eliminatingRoll", "minefield"]}),
        ("In which turn is the Anti-tank Obstacle gapped?", "fow", {"value": ["turnGapped", "anti-tank-obstacle"]}),
        ("What is the greatest number of infantry units that a bunker can hold?", "vv", {"value": ["stackingLimit", "bunker"]}),
        ("What does a hit by a Bunker Buster do to a Pill Box?", "fow", {"effects": "hit"}),
        ("What DRM does an Encircled squad suffer when it fires?", "asl", {"value": ["totalDRM", "fire"]}),
        ("A Finnish squad fires without a leader and rolls Original Doubles. Does it cower?", "asl", {"is": ["fire", "Cowering"]}),
        ("A Marine squad fires a captured Japanese MG from a Command Bunker. Is its fire Area Fire?", "asl", {"is": ["fire", "AreaFire"]}),
        ("May a pillbox on Betio have a free tunnel?", "asl", {"may": "setup"}),
        ("Is it forbidden to place a pillbox in woods?", "asl", {"may not": "placement"}),
        ("Is a squad not allowed to advance?", "asl", {"may not": "advance"}),
        ("Are tanks barred from trenches?", "vv", {"may not": "occupation"}),
        ("Is a pinned squad prohibited from using Intensive Fire?", "asl", {"may not": "intensive-fire"}),
        ("A squad wants to go into the pillbox. Is that forbidden?", "asl", {"may not": "move"}),
        ("Which units may not occupy a pillbox?", "asl", {"which": "Unit", "as": "unit", "may not": "occupation"}),
        ("Which of a squad and a tank may not enter a pillbox?", "asl", {"which": ["squad", "tank"], "as": "actor", "may not": "entry"}),
        ("In which hexes may entrenchments not be placed?", "vv", {"which": "Terrain", "as": "hex.terrain", "may not": "placement"}),
        ("Which teams can cross an Anti-tank Obstacle: an infantry team or a tank team?", "fow", {"which": ["infantry-team", "tank-team"], "as": "actor", "may": "crossing"}),
        ("What happens to a tank that rolls a 2 when it enters a minefield?", "vv", {"effects": "entry"}),
    ],
)  # fmt: skip
def test_what_is_asked_by_its_definition_or_by_what_is_done(text: str, book: str, ask: object) -> None:
    assert case(text, book)["ask"] == ask


@pytest.mark.parametrize(
    ("text", "book", "asked"),
    [
        ("May a squad not advance?", "asl", "ask whether it may"),
        ("What is the least caliber with which a Pinned squad eliminates this pillbox?", "asl", ""),
        ("How far may a tank team with a flame-thrower move and still shoot?", "fow", ""),
        ("May a leader direct another attack if he directed fire this phase?", "asl", "bear on it"),
    ],
)
def test_what_is_not_read_of_these_is_asked_back(text: str, book: str, asked: str) -> None:
    assert asked in asked_back(text, book)


def test_whose_fire_is_directed_is_told() -> None:
    found = things("May the leader direct the squad's fire? both are in the same Location.")
    assert found["directing-fire"]["object"] == "fire" and found["fire"]["actor"] == "squad"
    assert found["leader"]["at"] == found["squad"]["at"] == "location"
