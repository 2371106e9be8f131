"""Notions mended on the evening of November 26th: what each comes to in the case, and what is still asked back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import english as bench
from tests.reading import asked_back, case, things

MENDED = Path(__file__).parent / "english" / "mended.yaml"


@pytest.mark.slow
def test_what_was_written_of_each_notion_is_answered_right() -> None:
    rows = bench.rows(MENDED)
    assert len(rows) >= 46 and [row["text"] for row in rows if bench.judged(row)[0] != "right"] == []


# ── what it is, when it is outside something ──


def test_it_is_the_pillbox_and_not_the_ground_outside_it() -> None:
    """The enemy squad was surely and wrongly taken to be outside, too."""
    found = things("May the squad outside the pillbox fire at the enemy squad inside it?")
    assert found["squad"]["at"] == "ground-level" and found["enemy-squad"]["at"] == "pillbox"


def test_nothing_is_within_its_own_arc() -> None:
    text = "May the two squads form a FG? both are in the pillbox; both have a LOS to the target within the pillbox CA."
    assert asked_back(text) or "withinCAOf" not in things(text)["pillbox"]


def test_a_word_of_the_book_is_not_taken_for_another_that_means_it_elsewhere() -> None:
    """Climbing was taken for moving."""
    assert things("Is the squad pinned? it is not berserk or Climbing.")["squad"]["not"] == ["Berserk", "Climbing"]


def test_what_is_told_in_passing_ends_at_the_comma() -> None:
    found = case("Is the squad, which is in a pillbox, pinned?")
    assert found["ask"] == {"is": ["squad", "Pinned"]} and found["things"]["squad"] == {"is": "Squad", "at": "pillbox"}


def test_one_of_two_and_the_other() -> None:
    found = things("May the squads form a FG? one squad is inside the pillbox, the other outside it in the same hex.")
    assert (found["squad"]["at"], found["squad-2"]["at"]) == ("pillbox", "ground-level")
    assert asked_back("May three squads form a FG? one squad is inside the pillbox, the other outside it.")


def test_those_asked_about_are_some_of_those_told() -> None:
    told = "A is ADJACENT to B and B to C."
    found = things(f"May the squads in A and C form a FG? Good Order squads in Locations A, B and C. {told}")
    assert found["forming-a-fire-group"]["firers"] == ["squad", "squad-2"] and "squad-3" in found


def test_what_is_held_is_held_by_the_place() -> None:
    found = things("May a squad enter the hex? hex: a bunker, occupied by two friendly squads.", "vv")
    assert found["squad-2"]["at"] == "bunker" and "occupiedBy" not in found["hex"]


def test_the_hex_that_he_entered_is_entered_before() -> None:
    found = case("What happens to the squad? it leaves the minefield hex, which it entered last turn.", "vv")
    assert found["history"] == ["entry-2", "end-of-turn"] and found["things"]["entry-2"]["destination"] == "hex"


def test_doing_something_without_another_thing_is_asked_back() -> None:
    assert asked_back("May a tank cross the Anti-tank Obstacle without shooting it?", "fow")


# ── what was written when that was done ──


@pytest.mark.slow
def test_what_was_written_afterwards_is_right_or_asked_back_and_never_wrong() -> None:
    rows = bench.rows(MENDED.with_name("evening.yaml"))
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == 60 and tally["wrong"] == 0 and tally["right"] >= 43


def test_a_which_that_is_open_is_asked_back() -> None:
    row = next(row for row in bench.rows(MENDED.with_name("evening.yaml")) if row["text"].startswith("In which phase"))
    assert bench.judged(row)[0] == "asked" and bench.judged({**row, "answer": ["movement phase"]})[0] == "wrong"


def test_whom_he_fires_at_is_the_enemy_that_was_spoken_of() -> None:
    """It was taken for the pillbox that he is in."""
    told = "My squad is inside a pillbox. An enemy squad is three hexes away, outside the pillbox's CA."
    assert things(f"{told} Can my squad fire at it?")["fire"]["target"] == "enemy-squad"


def test_an_attack_goes_nowhere_and_comes_from_somewhere() -> None:
    told = "the attack comes from an adjacent hex outside the pillbox CA. Strength Factors: 2, +3, +5."
    found = things(f"What is the TEM of the pillbox? {told}")
    assert found["attack"]["from"] == "hex" and "move" not in found and found["pillbox"]["ncaModification"] == "5"


def test_the_verb_that_is_asked_for_is_not_how_its_subject_is_done() -> None:
    found = case("Does an attack by a Fanatic squad cower on Original Doubles?")
    assert found["ask"] == {"is": ["attack", "Cowering"]} and found["things"]["attack"]["is"] == [
        "Attack",
        "OriginalDoubles",
    ]


def test_what_attacks_whoever_goes_there_is_asked_of_what_he_does() -> None:
    assert case("Does a minefield attack a squad again when it leaves?", "vv")["ask"] == {
        "is": ["entry", "MinefieldAttack"]
    }
    told = "My squad moved into the minefield last turn and stayed there."
    assert case(f"{told} Does the minefield attack it this turn?", "vv")["ask"] == {
        "is": ["occupation", "MinefieldAttack"]
    }
    assert asked_back("A squad enters the minefield. Is it attacked again?", "vv")


def test_places_told_to_be_apart_are() -> None:
    found = things("May a squad and a half-squad form a FG if they are in Locations that are not ADJACENT?")
    assert found["location"]["ADJACENTTo"] == found["location-2"]["ADJACENTTo"] == []
