"""Plain questions: which gives more, what came later, the test of a hit; each notion with what it must not be taken for."""

from __future__ import annotations

import pytest

from kb import asking
from kb.answers import proof_json
from tests.reading import asked_back, case, things

# ── which has more ──


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ("gives more cover, a trench or sandbags", []),
        ("of these gives the most cover: a trench, sandbags", ["trench", "sandbags"]),
    ],
)
def test_of_two_alike_neither_gives_more_and_both_give_the_most(asked: str, chosen: list[str]) -> None:
    given = proof_json.to_json(asking.ask(case(f"Which {asked}?", "vv")), flips=False)["which"]
    assert [one["candidate"] for one in given if one["chosen"]] == chosen


def test_less_is_not_more() -> None:
    more = case("Does a trench give more cover than a foxhole?", "vv")
    less = case("Does a trench give less cover than a foxhole?", "vv")
    assert asking.ask(more).answer == "yes" and asking.ask(less).answer == "no"


def test_what_has_no_such_number_is_asked_back() -> None:
    assert asked_back("Which gives more hats, a trench or a foxhole?", "vv")


# ── order ──


@pytest.mark.parametrize(
    "told",
    [
        "A pinned squad is later broken. May it rout?",
        "A squad has been pinned and later breaks. May it rout?",
        "May the pinned squad rout? it was broken after it was pinned.",
        "May the pinned squad rout? it was broken by a later attack.",
    ],
)
def test_what_came_later_is_an_event_after_what_was_so(told: str) -> None:
    found = case(told)
    assert found["things"]["squad"]["is"] == ["Squad", "Pinned"] and found["history"] == ["breaking"]


def test_what_came_to_be_so_for_which_the_book_has_no_event_is_asked_back() -> None:
    assert asked_back("A broken squad is later pinned. May it rout?")


# ── events ──


def test_an_attack_that_makes_a_hit_is_that_hit() -> None:
    """It was read as the attack firing another one, and the pillbox surely stood."""
    found = case("Is the gray pillbox eliminated? 105mm OBA hits it with a CH.")
    assert found["things"]["oba"]["is"] == ["OBA", "Hit", "CriticalHit"] and asking.ask(found).answer == "yes"


def test_a_hit_of_who_assaults_is_a_hit_in_the_assault() -> None:
    """It was any hit, and the Nest surely stood."""
    for told in ("hits it", "hits"):
        found = case(f"An infantry team assaults a Nest and {told}. Is the Nest destroyed?", "fow")
        assert found["things"]["assault-hit"]["target"] == "nest" and asking.ask(found).answer == "yes"
    assert asked_back("An infantry team hits. Is the Nest destroyed?", "fow")


@pytest.mark.parametrize(
    ("came_off", "answer"), [("passes its Firepower Test", "yes"), ("its Firepower Test fails", "no")]
)
def test_the_test_that_is_told_after_a_hit_is_its_test(came_off: str, answer: str) -> None:
    found = asking.ask(case(f"A flame-thrower hits a Nest and {came_off}. Is the Nest destroyed?", "fow"))
    assert found.answer == answer


def test_what_it_is_behind_what_was_done_is_whom_it_was_done_to_unless_he_was_told_to_be_so() -> None:
    told = "A {}squad fires at an enemy squad. Is it pinned?"
    assert case(told.format(""))["ask"] == {"is": ["enemy-squad", "Pinned"]}
    assert case(told.format("pinned "))["ask"] == {"is": ["squad", "Pinned"]}


def test_what_can_destroy_is_asked_back_where_it_is_not_told_how_it_comes_off() -> None:
    assert "hangs on" in asked_back("Can a flame-thrower destroy a Pill Box?", "fow")
    told = "Can the flame-thrower destroy the Pill Box? The Firepower Test is passed."
    assert asking.ask(case(told, "fow")).answer == "no"


def test_a_state_brought_about_by_what_the_book_counts_is_counted() -> None:
    told = "A Nest has been pinned down by {}. May it conduct Defensive Fire?"
    assert things(told.format("one successful Firepower Test"), "fow")["nest"]["earlierSuccesses"] == "1"
    assert "earlierSuccesses" not in things(told.format("a flame-thrower"), "fow")["nest"]


# ── places, weapons, numbers ──


def test_on_a_pillbox_is_not_in_it() -> None:
    squad = things("My squad stands on the pillbox. May it enter the pillbox?")["squad"]
    assert squad["onTopOf"] == "pillbox" and "at" not in squad


def test_who_holds_a_place_is_there_and_what_he_holds_he_has() -> None:
    assert things("A squad holds the pillbox. May it move?")["squad"]["at"] == "pillbox"
    assert things("A squad holds a MG. May it move?")["squad"]["possesses"] == "machine-gun"


def test_an_adjacent_hex_of_wire_is_adjacent_to_his_and_not_to_itself() -> None:
    found = things("May a squad place its satchel charge in an adjacent barbed wire hex?", "vv")
    assert found["hex"]["adjacentTo"] == found["squad"]["at"]


def test_instead_of_tells_only_the_phase() -> None:
    found = case("May an infantry team gap the obstacle instead of shooting?", "fow")
    assert set(found["things"]) == {"infantry", "gapping", "obstacle"} and "history" not in found
    assert asked_back("May a squad fire its MG instead of its hats?")


def test_a_row_of_numbers_is_of_what_has_such_numbers() -> None:
    assert things("May a squad enter the pillbox? It is a 1-3-5.")["pillbox"]["caModification"] == "3"
    assert asked_back("May the squad move? It is a 1-3-5.")


def test_whom_somebody_is_with_is_where_he_is() -> None:
    found = things("May a pinned leader direct the fire of the squad he is with?")
    assert found["leader"]["at"] == found["squad"]["at"]


def test_how_near_one_must_be_is_a_number_of_what_it_is_done_to() -> None:
    assert case("How close must a team be to shoot at a Bunker?", "fow")["ask"] == {
        "value": ["shootingRange", "bunker"]
    }
