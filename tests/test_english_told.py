"""What players tell: conditions in front, who stands where, what happened before; each notion with what it must not be taken for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import english as bench
from kb import asking
from tests.reading import asked_back, case, things

TOLD = Path(__file__).parent / "english" / "told.yaml"


@pytest.mark.slow
def test_what_players_tell_is_answered_right_or_asked_back_and_never_wrong() -> None:
    """Written before the reader was tried on them; 28 of the 60 were right then, none wrong."""
    rows = bench.rows(TOLD)
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == 60 and tally["wrong"] == 0 and tally["right"] >= 56


@pytest.mark.slow
def test_what_readers_of_the_rulebooks_ask_is_never_answered_wrong() -> None:
    rows = bench.rows(TOLD.with_name("fresh.yaml"))
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == 60 and tally["wrong"] == 0 and tally["right"] >= 10


def test_nothing_comes_of_it_is_an_answer_that_can_be_wrong() -> None:
    row = next(row for row in bench.rows(TOLD) if row["answer"] == "none")
    assert bench.judged(row)[0] == "right" and bench.judged({**row, "answer": "Eliminated"})[0] == "wrong"


# ── other words for the same ──


@pytest.mark.parametrize(
    "text",
    [
        "May a pinned squad move?",
        "If a squad is pinned, may it still move?",
        "Suppose a squad is pinned. May it move?",
        "A squad has become pinned. May it move?",
    ],
)
def test_a_condition_may_stand_anywhere(text: str) -> None:
    found = case(text)
    assert found["things"]["squad"]["is"] == ["Squad", "Pinned"] and found["ask"] == {"may": "move"}


def test_a_negation_is_never_dropped() -> None:
    for text in ("If a squad is not pinned, may it move?", "Suppose a squad is not pinned. May it move?"):
        squad = things(text)["squad"]
        assert squad["is"] == "Squad" and squad["not"] == ["Pinned"]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("May the squad move? It is not pinned, broken or berserk.", ["Pinned", "Broken", "Berserk"]),
        ("May the squad move? It is not pinned or broken.", ["Pinned", "Broken"]),
        (
            "May the squad advance? It is not pinned, broken or berserk and is in a woods hex.",
            ["Pinned", "Broken", "Berserk"],
        ),
    ],
)
def test_what_is_listed_behind_a_not_is_denied(text: str, denied: list[str]) -> None:
    squad = things(text)["squad"]
    assert squad["is"] == "Squad" and squad["not"] == denied


def test_what_is_listed_behind_a_but_is_not_denied() -> None:
    assert asked_back("May the squad move? It is not pinned, but broken or berserk.")


@pytest.mark.parametrize(
    "hex_",
    ["is woods", "is a woods hex", "is woods, not Open Ground or brush", "is a woods hex, not brush, orchard or grain"],
)
def test_a_hex_is_what_its_ground_is(hex_: str) -> None:
    assert things(f"May a pillbox be set up in a hex before play? The hex {hex_}.")["hex"] == {
        "is": "Hex",
        "terrain": "Woods",
    }


def test_a_hex_has_the_work_that_it_is_called_by() -> None:
    for work in ("a barbed wire hex", "barbed wire"):
        text = f"May a truck enter the hex? The hex is {work}."
        assert asking.ask(asking.case(case(text, "vv"))).answer == "no"


def test_who_stands_somewhere_is_there() -> None:
    for verb in ("stands", "is standing", "sits", "is located", "is"):
        found = things(f"May my squad enter the pillbox? An enemy squad {verb} outside it.")
        assert found["enemy-squad"]["at"] == found["pillbox"]["exterior"]
        assert "at" not in found["squad"]


def test_only_makes_no_condition_of_a_fact_and_is_dropped_of_none() -> None:
    assert things("May a squad enter the pillbox? Only an enemy squad is in it.")["enemy-squad"]["at"] == "pillbox"
    assert asked_back("May only a squad enter the pillbox?")
    assert asked_back("May a squad enter the pillbox? It may do so only if it is pinned.")


def test_a_way_between_two_hexes() -> None:
    text = "May a vehicle enter the Rooftop Location of a Command Bunker? from an adjacent hex, {}L44-M45."
    assert things(text.format("not "))["entry"]["not"] == ["BetweenL44AndM45"]
    assert "BetweenL44AndM45" in things(text.format(""))["entry"]["is"]


# ── who and what ──


def test_a_squad_told_with_an_article_is_no_second_name_of_the_one_before() -> None:
    """It was read as the Japanese squad being an enemy."""
    text = "May a Japanese squad move from its bunker to the trench? an unbroken, armed enemy squad, not Disrupted, stands outside the bunker. the trench's hex is Accessible to the bunker's hex."
    found = things(text)
    assert found["squad"]["is"] == ["Japanese", "Squad"] and found["squad"]["at"] == "bunker"
    assert found["enemy-squad"]["is"] == ["Enemy", "Squad"] and found["enemy-squad"]["not"] == [
        "Broken",
        "Unarmed",
        "Disrupted",
    ]


def test_it_is_what_it_may_be_and_never_who_does_it() -> None:
    found = things("Two enemy squads are inside the pillbox. May my squad, which is outside, advance into it?")
    assert found["advance"]["actor"] == "squad" and found["advance"]["destination"] == "pillbox"
    assert asked_back("A bunker and a trench are in the hex. May my tank drive into it?", "vv")


def test_whom_a_relative_clause_is_of() -> None:
    found = things("May an enemy squad enter a pillbox that my squad occupies?")
    assert found["squad"] == {"is": ["Friendly", "Squad"], "at": "pillbox"} and "at" not in found["enemy-squad"]


def test_two_who_do_it_are_two() -> None:
    found = things("May the squad in the pillbox and the squad outside it in the same hex form a FG?")
    assert found["squad"]["at"] == "pillbox" and found["squad-2"]["at"] == found["pillbox"]["exterior"]
    assert asked_back("May the leader direct fire? Both are pinned.")


def test_a_group_in_two_places_and_a_leader_in_each() -> None:
    text = "Which leadership DRM applies to the FG's attack? FG in two Locations. a -2 leader directs in the first, a {} leader in the second."
    found = things(text.format("-1"))
    one, other = found["leader"], found["leader-2"]
    assert (one["leadershipDRM"], other["leadershipDRM"]) == ("-2", "-1") and one["at"] != other["at"]
    assert found["fg-attack"]["director"] == ["leader", "leader-2"]
    each = things(
        "May the FG fire? FG in two ADJACENT Locations, one -1 leader in each; both direct, neither is pinned."
    )
    assert {each[name]["at"] for name in ("leader", "leader-2")} == {"location", "location-2"}
    assert all(each[name]["not"] == ["Pinned"] for name in ("leader", "leader-2"))
    assert asked_back(
        "Which leadership DRM applies to the FG's attack? a -2 leader directs in the first, a -1 leader in the second."
    )


def test_one_kind_named_once() -> None:
    found = things(
        "By how many columns is the attack lowered? FG of one Inexperienced and one experienced squad; IFT DR: Original Doubles."
    )
    assert sorted("Inexperienced" in t["is"] for t in found.values() if "Squad" in t["is"]) == [False, True]
    assert sum(t.get("not") == ["Inexperienced"] for t in found.values()) == 1


# ── where they are not ──


def test_that_somebody_is_not_somewhere_is_never_read_as_that_he_is() -> None:
    found = things("May a squad be set up in this hex? the hex is neither a Beach hex nor adjacent to one.")
    assert not any("adjacentTo" in t for t in found.values())
    assert found["hex"]["not"] == ["BeachHex", "NextToBeach"]
    assert "at" not in things("May the squad fire? the squad is not in a pillbox.")["squad"]
    assert asked_back("May the squad in the pillbox fire? the squad is not in the pillbox.")
    assert asked_back("May a squad enter a pillbox if an enemy squad is not outside?")


def test_nobody() -> None:
    text = "May this squad go into the pillbox? squad: in the pillbox's hex. inside the pillbox: {}."
    assert not any(t.get("at") == "pillbox" for t in things(text.format("nobody")).values())
    assert things(text.format("an enemy squad"))["enemy-squad"]["at"] == "pillbox"


# ── what happened before ──


def test_what_somebody_did_has_happened_and_is_not_asked() -> None:
    for text in (
        "May a squad that fired in the PFPh move?",
        "The squad fired in the PFPh. May it move?",
        "May the squad move after firing in the PFPh?",
        "After firing in the PFPh, may the squad move?",
    ):
        found = case(text)
        assert found["ask"] == {"may": "move"} and found["history"] == ["fire"], text
    assert "history" not in case("May a squad fire at a squad?")


def test_an_event_that_may_come_later_is_asked() -> None:
    assert "bear on it" in asked_back("May a squad fire at a tank if an enemy squad advances into the pillbox?")
    assert asked_back("May the squad move into the pillbox and then fire?")


@pytest.mark.parametrize(("roll", "answer"), [("3", "yes"), ("4", "no")])
def test_what_is_asked_of_a_thing_is_asked_after_what_befell_it(roll: str, answer: str) -> None:
    """Without its entry the tank was, surely and wrongly, not eliminated."""
    found = asking.ask(case(f"Is the tank eliminated? it drives into a hex with a minefield; die roll: {roll}.", "vv"))
    assert found.answer == answer


def test_a_successful_test_has_passed_and_a_failed_one_has_not() -> None:
    text = "What happens to the Nest? hit by a Flame-thrower. Firepower Test: {}."
    assert things(text.format("successful"), "fow")["firepower-test"]["is"] == ["FirepowerTest", "Passed"]
    assert things(text.format("failed"), "fow")["firepower-test"]["is"] == ["FirepowerTest", "Failed"]


# ── numbers ──


def test_a_number_is_of_what_it_is_told() -> None:
    found = things("May an infantry team shoot at a Nest from 18 inches away?", "fow")
    assert found["fire"]["range"] == "18"
    assert things("May a team that has moved 8 inches shoot its Flame-thrower?", "fow")["unit"]["distanceMoved"] == "8"
    assert asked_back("May a team that has moved 8 shoot its Flame-thrower?", "fow")


def test_a_weapon_that_is_fired_is_no_target() -> None:
    found = things("May a mortar be fired from inside a bunker?", "vv")
    assert found["fire"]["weapon"] == "mortar" and "target" not in found["fire"]


def test_a_phase_is_no_target() -> None:
    found = things("May a leader who has directed fire this phase direct another attack?")
    assert not any("target" in t for t in found.values())


def test_a_word_that_tells_nothing_is_dropped_only_where_the_book_has_no_word_for_it() -> None:
    assert "brokken" in asked_back("May a brokken squad still move?")
    assert "cloaked" in asked_back("May a cloaked squad move?")


def test_nobody_is_a_group_by_himself() -> None:
    """Read as one squad alone, every member of a FG was surely forbidden."""
    may = asking.ask(case("May a berserk squad be a member of the FG?"))
    assert may.verdict == "undetermined"
    assert asking.ask(case("May a berserk squad be part of a multi-Location FG?")).verdict == "forbidden"


def test_how_two_stand_to_each_other_is_asked_of_two() -> None:
    told = "A squad is in a pillbox. An enemy squad is outside it in the same hex. {}Are they ADJACENT?"
    assert case(told.format(""))["ask"] == {"is": ["squad", "ADJACENTTo value enemy-squad"]}
    assert asked_back(told.format("A crew is in the pillbox. "))


def test_a_weapon_whose_fire_it_is_does_not_do_it() -> None:
    found = things("Is the fire of a Japanese MG from a Command Bunker Area Fire? The MG is not captured.")
    assert found["fire"]["weapon"] == "machine-gun" and "actor" not in found["fire"]


def test_what_one_is_not_is_said_of_him_and_its_words_are_not_parted() -> None:
    """The not was dropped, and what stood behind it was read by itself."""
    assert asked_back("May the Pioneer team attempt to gap the Obstacle? not Pioneer infantry team.", "fow")
    assert asked_back("May the Japanese squad move? not a Japanese squad.")
    found = things("My squad is in a pillbox, and an armed enemy squad is outside in the same hex. May my squad move?")
    assert "not" not in found["squad"] and found["enemy-squad"]["not"] == ["Unarmed"]


def test_what_is_told_bears_on_what_is_asked() -> None:
    """A thing of which more is told, and which nothing else joins to the question, is the one of its kind that is asked about."""
    told = (
        "Is this fire resolved as Area Fire? a Japanese squad fires a Captured MMG. the squad is in a Command Bunker."
    )
    found = things(told)
    assert (
        found["fire"] == {"is": "Fire", "actor": "squad", "weapon": "mmg"} and found["squad"]["at"] == "command-bunker"
    )
    twice = "What cover modifier does the squad in this bunker have? an infantry squad is in a bunker."
    assert things(twice, "vv") == {"squad": {"is": "Squad", "at": "bunker"}, "bunker": {"is": "Bunker"}}
    assert "stand to the rest" in asked_back("May a squad move? an enemy squad in a trench.")


def test_a_rule_is_used_in_an_attack() -> None:
    for told in ("against a bunker", "when shooting at a bunker"):
        assert asking.ask(case(f"May a team use Volley Fire {told}?", "fow")).verdict == "forbidden"
    assert asked_back("May a team use hats against a bunker?", "fow")


def test_the_narrower_kind_of_an_act_stands_behind_with_and_in() -> None:
    assert things("May a squad fire at a bunker with ATFP?", "vv")["atfp-fire"]["target"] == "bunker"
    assert "close-combat" in things("May my squad attack the enemy squad in Close Combat?")


def test_what_is_no_place_is_entered_all_the_same() -> None:
    found = case("Must a mine flail pass a Motivation Test to enter a minefield?", "fow")
    assert found["things"]["entry"]["through"] == "minefield" and asking.ask(found).verdict == "permitted"


def test_with_movement_left_tells_nothing_and_a_number_does() -> None:
    assert "move" in things("May the squad climb onto the roof of a Command Bunker with enough MF?")
    assert things("May a squad with 2 MF left move?")["squad"]["strengthInMF"] == "2"
