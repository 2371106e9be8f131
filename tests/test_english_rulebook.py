"""What sample questions tell in the rulebooks' own manner: each notion with what it must not be taken for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import english as bench
from tests.reading import asked_back, case, read, things

FOLDER = Path(__file__).parent / "english"
ENTER = "May the squad enter the pillbox? {}"
FIRE = "May the squad fire at the enemy squad? {}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count", "least"), [("rulebook", 30, 23), ("manner", 290, 197), ("barred", 160, 140)])
def test_what_is_asked_in_the_rulebooks_manner_is_never_answered_wrong(name: str, count: int, least: int) -> None:
    """7 of the 30, 99 of the 290 and 67 of the 160 were right before."""
    rows = bench.rows(FOLDER / f"{name}.yaml")
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == count and tally["wrong"] == 0 and tally["right"] >= least


# ── time ──


@pytest.mark.parametrize(
    "told",
    [
        "the squad was pinned earlier in this Player Turn.",
        "the squad was pinned in the DFPh of the same Player Turn.",
        "the squad will be pinned.",
        "the squad is pinned during this MPh.",
    ],
)
def test_what_came_to_be_so_in_this_turn_is_so(told: str) -> None:
    assert things(ENTER.format(told))["squad"] == {"is": ["Squad", "Pinned"]}


def test_what_was_so_in_another_turn_is_asked_back() -> None:
    assert "last turn" in asked_back(ENTER.format("the squad was pinned last turn."))
    assert read(ENTER.format("the squad would be pinned otherwise.")).unread


def test_not_yet_is_not() -> None:
    told = "May the team attempt to gap the Obstacle? {}"
    assert things(told.format("it has not shot yet."), "fow")["unit"]["not"] == ["HasShot"]


# ── several at once ──


def test_both_stand_in_one_place_and_in_the_same_state() -> None:
    found = things("Must the two squads fire as a FG? both are in Good Order and in the same Location.")
    assert found["squad"] == {**found["squad-2"]} and found["squad"]["is"] == ["Squad", "GoodOrder"]


def test_they_fire_at_the_same_squad_which_is_none_of_them() -> None:
    found = things("Must the two squads fire as a FG? both will fire at the same squad in the PFPh.")
    assert found["fire"]["target"] not in found["fire"]["firers"] and found["fire"]["phase"] == "PrepFirePhase"


def test_two_in_different_adjacent_places_are_next_to_each_other() -> None:
    found = things("May two squads form a FG? they are in different, ADJACENT Locations.")
    assert found["location"]["ADJACENTTo"] == "location-2"


def test_two_that_are_not_adjacent_are_told_to_be_next_to_none() -> None:
    found = things("May the two squads form a FG? two squads in Locations A and B. A and B are not ADJACENT.")
    assert found["location"]["ADJACENTTo"] == [] == found["location-2"]["ADJACENTTo"]


def test_who_forms_a_group_with_whom() -> None:
    found = things("May the squad outside the pillbox form a FG with a squad in the pillbox?")
    assert len(found["forming-a-fire-group"]["firers"]) == 2


# ── no and not ──


def test_no_leader_directs_it_says_that_it_is_not_directed() -> None:
    """It was read as directed by a leader."""
    assert things(FIRE.format("no leader directs the attack."))["fire"]["not"] == ["LeaderDirected"]


def test_no_los_to_the_target_is_said_of_the_firer() -> None:
    assert things(FIRE.format("no LOS to the target."))["squad"]["not"] == ["HasLOSToTarget"]


def test_what_was_not_predesignated_was_not() -> None:
    told = "What TEM applies to this attack on the pillbox? the pillbox was {}predesignated."
    assert things(told.format("not "))["attack"]["not"] == ["Predesignated"]
    assert "Predesignated" in things(told.format(""))["attack"]["is"]


def test_with_no_passengers_tells_nothing_and_with_some_is_asked_back() -> None:
    told = ENTER.format("an enemy truck with {} PRC is in the hex outside the pillbox.")
    assert things(told.format("no"))["enemy-truck"] == {"is": ["Enemy", "Truck"], "at": "ground-level"}
    assert asked_back(told.format("a"))


def test_none_but_one_is_asked_back() -> None:
    assert asked_back(ENTER.format("no enemy but a broken squad is outside."))


def test_a_state_denied_after_it_was_told_is_asked_back() -> None:
    assert asked_back(ENTER.format("the squad was pinned but is no longer pinned."))


def test_another_squad_is_not_the_one_that_is_asked_about() -> None:
    assert asked_back(FIRE.format("another squad fires too."))


# ── acts ──


def test_more_is_told_of_the_act_that_is_asked_about() -> None:
    found = things(FIRE.format("it fires its MG at the enemy squad."))
    assert found["fire"]["weapon"] == "machine-gun" and found["fire"]["target"] == "enemy-squad"
    assert "weapon" not in things(FIRE.format("the squad fired its inherent FP in the PFPh."))["fire"]


def test_an_attack_told_alone_is_on_what_is_asked_about() -> None:
    found = case("Is the pillbox eliminated? pillbox: not gray. attack: an Indirect-Fire CH from an 81mm Gun.")
    assert found["things"][found["history"][0]]["target"] == "pillbox"
    elsewhere = things("Is the pillbox eliminated? attack: a DC attack on the hex.")
    assert elsewhere["dc-attack"]["target"] == "hex"


def test_an_adverb_is_the_state_that_it_is_made_of() -> None:
    found = things("Is the minefield gapped? a Mine Roller has crossed it successfully.", "fow")
    assert "Successful" in found["crossing"]["is"]


def test_how_far_a_move_goes() -> None:
    assert things("May the team move 8 inches?", "fow")["move"]["moveLength"] == "8"


def test_what_is_put_somewhere_is_had_by_whose_it_is() -> None:
    told = "May the squad place {} satchel charge in the barbed wire hex?"
    assert things(told.format("its"), "vv")["squad"]["possesses"] == "satchel-charge"
    assert "possesses" not in things(told.format("a"), "vv")["squad"]


def test_direct_is_what_a_leader_does_and_no_kind_of_fire() -> None:
    found = things("What is the IFT DRM of the attack? a -1 leader directs.")
    assert found["attack"]["director"] == "leader"


def test_an_enemy_squad_attacks_another_one_in_close_combat() -> None:
    found = things("May the enemy squad attack the squad in the pillbox in CC?")
    assert found["close-combat"] == {"is": "CloseCombat", "actor": "enemy-squad", "target": "squad"}


# ── places and things ──


def test_the_hex_outside_is_the_ground_around_it() -> None:
    found = things(ENTER.format("an enemy squad is in the hex outside the pillbox."))
    assert found["enemy-squad"]["at"] == found["pillbox"]["exterior"]


def test_the_next_hex_is_not_the_hex_of_the_pillbox() -> None:
    found = things("Must the squad halt in the pillbox hex? an enemy squad is in the next hex.")
    assert found["enemy-squad"]["at"] != found["pillbox"]["hex"]


def test_what_stands_in_a_hex_is_held_and_not_the_hex() -> None:
    found = things("May the squad enter the hex? hex: a trench occupied by an enemy squad.", "vv")
    assert found["trench"] == {"is": "Trench", "occupiedBy": "enemy-squad", "at": "hex"}
    assert asked_back("May the squad enter the hex? the hex is a trench hex occupied by an enemy squad.", "vv")


def test_smoke_at_ground_level_is_no_place() -> None:
    assert asked_back("How many MF does it cost the squad to enter the hex? hex: Open Ground with ground-level SMOKE.")


def test_the_ground_level_of_a_building_is_the_building() -> None:
    found = things("May the squad enter the ICB underground Location? it is in the ground-level Location of the ICB.")
    assert found["squad"]["at"] == "island-command-bunker"
    assert found["icb-underground-location"]["locationOf"] == "island-command-bunker"


def test_aboard_what_and_on_which_counter() -> None:
    assert things(FIRE.format("it is on an AFV."))["squad"]["carriedBy"] == "armored-vehicle"
    assert "FiveEighthsCounter" in things('May a Gun on a ⅝" counter enter the pillbox?')["gun"]["is"]


# ── questions ──


def test_what_would_be_one_name_with_its_subject_is_asked_of_it() -> None:
    assert case("Is the pillbox Concealment Terrain?")["ask"] == {"is": ["pillbox", "ConcealmentTerrain"]}
    assert asked_back("My tank shoots at enemy infantry. Are they Concealed?", "fow")


def test_a_name_of_a_number_may_stand_on_both_sides_of_whose_it_is() -> None:
    found = case("What is the Morale Level of a bombproof vs Bombardment?")
    assert found["ask"] == {"value": ["bombardmentMorale", "bombproof"]}


def test_the_firepower_in_an_attack_at_long_range_is_that_of_the_attack() -> None:
    text = "What is the squad's inherent FP in this attack? printed 6FP. {}."
    assert case(text.format("Long Range"))["ask"]["value"][0] == "firepower"
    assert case(text.format("it is pinned"))["ask"]["value"][0] == "inherentFP"


def test_the_penalty_to_an_attack_is_one_of_it() -> None:
    found = case("What die roll penalty does the squad suffer to its attack?", "vv")
    assert found["ask"]["value"] == ["dieRollModifier", "attack"] and found["things"]["attack"]["actor"] == "squad"


def test_whether_a_test_is_passed() -> None:
    assert case("Does the Bunker pass its Skill Test?", "fow")["ask"] == {"is": ["skill-test", "Passed"]}
