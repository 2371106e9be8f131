"""Notions mended on the evening of November 26th: what each comes to in the case, and what is still asked back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import english as bench
from tests.reading import asked_back, case, things

MENDED = Path(__file__).parent / "english" / "mended.yaml"


@pytest.mark.slow
def test_what_was_written_of_each_notion_before_it_was_mended_is_answered_right() -> None:
    rows = bench.rows(MENDED)
    assert len(rows) >= 24 and [row["text"] for row in rows if bench.judged(row)[0] != "right"] == []


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
