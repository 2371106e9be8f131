"""Who is named together as one subject, what stands apart from what is asked, and acts that were told before."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import english as bench
from kb import asking
from tests.reading import asked_back, case, things

FOUND = Path(__file__).parent / "english" / "together.yaml"
MINES = "into a minefield hex. How many die rolls are made?"


def test_what_was_found_from_outside_is_answered_right() -> None:
    rows = bench.rows(FOUND)
    assert len(rows) == 12 and [row["text"] for row in rows if bench.judged(row)[0] != "right"] == []


@pytest.mark.parametrize(
    ("who", "members"),
    [
        ("A squad and a leader advance", 2),
        ("A leader and a squad moved", 2),
        ("A squad, a leader and an infantry unit are advancing", 3),
        ("Two squads and a leader advance", 3),
        ("Two squads advance", 2),
    ],
)
def test_all_who_are_named_as_the_subject_do_the_act(who: str, members: int) -> None:
    found = case(f"{who} {MINES}", "vv")
    assert len(found["things"]["group"]["member"]) == members
    act = found["things"][found["ask"]["value"][1]]
    assert act["actor"] == "group" and asking.ask(found).value == members


def test_a_condition_names_them_too() -> None:
    found = things("If a squad and a leader advance into a minefield hex, how many die rolls are made?", "vv")
    assert found["group"] == {"is": "Group", "member": ["squad", "leader"]}


def test_what_is_done_to_them_is_done_to_each() -> None:
    found = things("A squad and a leader are attacked by an enemy squad. Is the leader pinned?")
    assert found["attack"]["target"] == ["squad", "leader"] and "group" not in found


def test_what_is_so_of_three_is_so_of_each() -> None:
    found = things("A squad, a leader and a hero are broken and in a pillbox. May an enemy squad enter the pillbox?")
    told = {who: (found[who]["is"][-1], found[who]["at"]) for who in ("squad", "leader", "hero")}
    assert told == {who: ("Broken", "pillbox") for who in ("squad", "leader", "hero")}


def test_whoever_has_no_part_in_what_is_asked_is_asked_back_though_told_first() -> None:
    for told in ("A squad", "A squad is in woods", "A squad is in a bunker"):
        assert "how does “A squad” stand to the rest?" in asked_back(f"{told}. A leader advances {MINES}", "vv")
    assert "squad" in things("A squad is in a pillbox. May an enemy squad enter the pillbox?")


# ── an act that was told before ──


@pytest.mark.parametrize(
    ("text", "book", "may"),
    [
        ("A tank enters a pillbox. Is the entry allowed?", "asl", "entry"),
        ("A tank enters a pillbox. Is this entry permitted?", "asl", "entry"),
        ("A squad moves into a pillbox. Is the move legal?", "asl", "move"),
        ("Is an entry of a tank into a pillbox allowed?", "asl", "entry"),
        ("A squad enters a tunnel complex. Is the entry allowed?", "vv", "entry"),
    ],
)
def test_an_act_that_was_told_may_be_asked_about_by_its_name(text: str, book: str, may: str) -> None:
    found = case(text, book)
    assert found["ask"] == {"may": may} and found["things"][may]["destination"] and "history" not in found


def test_an_act_that_was_not_told_is_asked_back() -> None:
    assert "allowed" in asked_back("A squad is in a pillbox. Is the entry allowed?")


@pytest.mark.parametrize(
    "text",
    [
        "A Nest is hit by a Bunker Buster. What happens?",
        "A Nest is hit by a Bunker Buster. What happens then?",
        "What happens? A Nest is hit by a Bunker Buster.",
    ],
)
def test_what_happens_is_asked_of_what_was_told(text: str) -> None:
    found = case(text, "fow")
    assert found["ask"] == {"effects": "hit"}
    assert asking.ask(found).verdict == "effects"


def test_of_which_of_two_it_happens_is_asked_back() -> None:
    assert "which of what was told" in asked_back("A squad moves. An enemy squad fires at it. What happens?")
    assert "by what does it happen" in asked_back("What happens?")


def test_what_happens_befalls_nobody_of_whom_it_is_not_said() -> None:
    assert "stand to the rest" in asked_back("A squad fires a MG and a leader directs the fire. What happens?")
    assert things("What happens to the Nest? attack: a hit by a Bunker Buster.", "fow")["fire"]["target"] == "nest"


# ── bounds and extents ──


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("How many entrances must a tunnel nine hexes long have at least?", "fewestEntrances"),
        ("How many entrances must a tunnel have if it is nine hexes long?", "fewestEntrances"),
        ("How many inner entrances must a tunnel 9 hexes long have?", "fewestInnerEntrances"),
        ("How many sections does a tunnel nine hexes long need?", "fewestSections"),
    ],
)
def test_the_fewest_of_what_something_must_have(text: str, name: str) -> None:
    found = case(text, "vv")
    assert found["ask"] == {"value": [name, "tunnel"]} and found["things"]["tunnel"]["length"] == "9"


def test_what_something_has_is_not_the_fewest_that_it_needs() -> None:
    assert asked_back("How many entrances does a tunnel nine hexes long have?", "vv")
    assert asked_back("How many entrances may a tunnel nine hexes long have at most?", "vv")
    assert asked_back("How many entrances must a tunnel nine inches long have?", "vv")


# ── parts by their names ──


def test_a_part_in_an_act_is_given_by_its_name() -> None:
    found = things("May a Bunker fire a Smoke Bombardment with a Nest as its Aiming Point?", "fow")
    assert found["smoke-bombardment"]["aimingPoint"] == "nest" and found["smoke-bombardment"]["actor"] == "bunker"
    assert "hat" in asked_back("May a Bunker fire a Smoke Bombardment with a Nest as its hat?", "fow")


def test_a_weapon_that_hits_something_hits_it() -> None:
    assert things("A Flame-thrower hits a Nest. What happens?", "fow")["fire"]["target"] == "nest"


# ── they ──


def test_they_are_all_of_whom_the_same_was_told() -> None:
    told = "A squad and a leader are in a pillbox."
    assert things(f"{told} May they fire at an enemy squad?")["fire"]["firers"] == ["squad", "leader"]
    assert things(f"{told} May the squad fire at an enemy squad?")["fire"]["actor"] == "squad"


def test_who_they_are_is_asked_back_where_several_were_told_apart() -> None:
    assert "who are “they”?" in asked_back("A squad is in a hex. A leader is in it. May they enter a pillbox?")
    assert things("Two squads are in a pillbox. May they fire at an enemy squad?")["fire"]["firers"] == [
        "squad",
        "squad-2",
    ]


# ── wholes, their parts, and the hex that they are in ──


@pytest.mark.parametrize(
    "text",
    [
        "A squad is in a cave of the tunnel complex. May it enter the tunnel complex?",
        "May a squad in a cave enter the tunnel complex if the cave is an entrance of the tunnel complex?",
    ],
)
def test_a_part_that_is_named_after_its_part_is_one(text: str) -> None:
    found = things(text, "vv")
    assert found["tunnel-complex"]["entrance"] == "cave" and found["squad"]["at"] == "cave"


@pytest.mark.parametrize("where", ["in the same hex", "of the same hex", "of that hex"])
def test_a_place_of_the_same_hex_is_in_the_hex_of_the_one_that_was_told(where: str) -> None:
    found = things(f"May a squad in a cave enter the tunnel complex {where}?", "vv")
    assert found["cave"]["hex"] == found["tunnel-complex"]["at"] == "hex" and "object" not in found["entry"]


def test_a_place_of_a_hex_is_in_it() -> None:
    assert things("May a squad in woods enter the pillbox of that hex?")["pillbox"]["hex"] == "hex"


def test_places_that_nothing_joins_are_asked_back() -> None:
    assert "in one hex?" in asked_back("May a squad in a cave enter the tunnel complex?", "vv")


# ── which of several ──


@pytest.mark.parametrize(
    "text",
    [
        "A Nest has suffered one successful Firepower Test. Does a second successful Firepower Test destroy it?",
        "A Nest has suffered one successful Firepower Test. Is it destroyed by a second successful Firepower Test?",
        "Does a second successful Firepower Test destroy a Nest?",
    ],
)
def test_a_second_act_comes_after_a_first(text: str) -> None:
    found = case(text, "fow")
    assert found["things"]["nest"]["earlierSuccesses"] == "1"
    assert found["things"]["firepower-test"]["is"] == ["FirepowerTest", "Passed"] and asking.ask(found).verdict == "yes"


def test_a_first_one_comes_after_none() -> None:
    found = case("Does a successful Firepower Test destroy a Nest?", "fow")
    assert "earlierSuccesses" not in found["things"]["nest"] and asking.ask(found).verdict == "no"


def test_what_came_before_a_second_act_is_asked_back_where_no_number_tells_it() -> None:
    assert "what came before “a second hit”?" in asked_back("Does a second hit destroy a Nest?", "fow")
    told = "A Nest has suffered two successful Firepower Tests."
    assert "what came before" in asked_back(f"{told} Does a second successful Firepower Test destroy it?", "fow")
