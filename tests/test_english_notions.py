"""What is read of longer tellings: each notion with what it must not be taken for."""

from __future__ import annotations

import pytest

from tests.reading import asked_back, read, things

# ── what an act is told with ──


def test_what_stands_behind_a_colon_takes_what_goes_with_the_act() -> None:
    text = "What TEM applies to this attack? a pillbox. attack: HE ordnance from a Gun in a hex {} its arc, not a CH; the pillbox was predesignated as the target."
    inside = things(text.format("within").replace("its arc", "the pillbox CA"))
    shot = next(t for t in inside.values() if "target" in t)
    assert shot["ammunition"] == "HE" and shot["weapon"] == "gun" and shot["not"] == ["CriticalHit"]
    assert inside[shot["from"]]["withinCAOf"] == "pillbox"
    outside = things(text.format("outside").replace("its arc", "the pillbox CA"))
    assert not any("withinCAOf" in t for t in outside.values())


def test_whose_arc_it_is_that_a_hex_is_in() -> None:
    """The arc is the pillbox's: a hex within the pillbox CA is no hex in the pillbox."""
    found = things("May a squad in a hex within the pillbox CA fire at the pillbox?")
    assert found["hex"] == {"is": "Hex", "withinCAOf": "pillbox"} and found["squad"]["at"] == "hex"


@pytest.mark.parametrize(
    ("attack", "kind"),
    [
        ("an attack with a DC", "DCAttack"),
        ("an MG attack", "MGFire"),
        ("this AP attack", "Fire"),
        ("an attack", "Attack"),
    ],
)
def test_an_attack_is_of_the_kind_that_its_weapon_makes_it(attack: str, kind: str) -> None:
    found = things(f"What is the TEM of {attack} on a pillbox?")
    assert any(kind in (t["is"] if isinstance(t["is"], list) else [t["is"]]) for t in found.values())


def test_who_is_in_a_place_may_be_told_behind_a_colon() -> None:
    found = things(
        "May a squad enter the pillbox? inside the pillbox: an enemy squad. outside the pillbox: another enemy squad, armed."
    )
    assert found["enemy-squad"]["at"] == "pillbox" and found["enemy-squad-2"]["not"] == ["Unarmed"]
    assert found["enemy-squad-2"]["at"] == found["pillbox"]["exterior"]
    assert asked_back("May a squad enter the pillbox? inside the pilbox: an enemy squad.")


def test_what_an_attack_affects_is_asked_as_what_it_can_affect() -> None:
    found = read("May this Canister attack affect the squad inside the pillbox? attack: Canister at the pillbox hex.")
    assert not found.unread and found.data["ask"]["is"][1] == "AffectsPillboxContents"
    assert asked_back("May this Canister attack affect the weather?")


# ── figures ──


def test_figures_in_a_row_and_by_their_sign() -> None:
    assert things("May a squad enter a 2-5-7 pillbox?")["pillbox"] == {
        "is": "Pillbox",
        "capacity": "2",
        "caModification": "5",
        "ncaModification": "7",
    }
    assert things("May a squad enter a 1-4-6 pillbox?")["1-4-6-pillbox"] == {"is": "OneFourSix"}
    assert (
        things("May a squad fire at an enemy squad if a -1 leader directs the fire?")["leader"]["leadershipDRM"] == "-1"
    )
    assert asked_back("May a 1-3-5 squad move?")


def test_a_number_is_parted_from_its_unit() -> None:
    found = things("What happens to the pillbox? a DC attack on the pillbox. Original IFT result: 2KIA.")
    assert found["dc-attack"]["originalKIA"] == "2"
    assert asked_back("What happens to the pillbox? a DC attack on the pillbox. Original IFT result: 2TEM.")


@pytest.mark.parametrize(
    ("text", "book", "name"),
    [
        ("How many Trench counters does the Japanese player receive? OB-given pillboxes: 7; none purchased.", "asl", "trenchCounters"),
        ("By how many columns is the attack lowered?", "asl", "columnShift"),
        ("How many minefield die rolls are made? three squads enter a minefield hex.", "vv", "dieRolls"),
        ("How many of the teams can assault the Nest?", "fow", "assaulters"),
    ],
)  # fmt: skip
def test_a_number_that_is_named_with_its_verb(text: str, book: str, name: str) -> None:
    found = read(text, book)
    assert not found.unread and found.data["ask"]["value"][0] == name


def test_none_of_what_was_counted_is_nought() -> None:
    player = next(
        iter(
            things(
                "How many Trench counters does the Japanese player receive? OB-given pillboxes: 7; none purchased. he takes one Passage instead of a Trench counter."
            ).values()
        )
    )
    assert player == {"is": "Japanese", "pillboxesGiven": "7", "pillboxesPurchased": "0", "passagesTaken": "1"}
    assert asked_back("How many Trench counters does the Japanese player receive? none purchased.")


def test_to_multiply_is_no_roll_of_the_dice() -> None:
    told = things("How many FP has the attack of the squad? squad: printed 6FP. PBF doubles.")
    assert "OriginalDoubles" not in str(told) and "PointBlankFire" in str(told)
    assert "OriginalDoubles" in str(things("By how many columns is the attack lowered? Original Doubles."))


# ── places ──


def test_places_by_letters() -> None:
    text = "May the squads in A, B and C form one FG? A is ADJACENT to B and B to C; A is not ADJACENT to C. all have a LOS to the target. none is in a pillbox."
    found = things(text)
    assert found["forming-a-fire-group"]["firers"] == ["squad", "squad-2", "squad-3"]
    assert found["location"]["ADJACENTTo"] == "location-2" and found["location-2"]["ADJACENTTo"] == "location-3"
    assert all("HasLOSToTarget" in found[name]["is"] for name in ("squad", "squad-2", "squad-3"))
    assert not any("pillbox" in name for name in found)


def test_letters_are_no_articles_and_contradictions_are_asked() -> None:
    assert read("A squad moves. May it fire?").data["ask"] == {"may": "fire"}
    assert "not ADJACENT to B it was told" in asked_back(
        "May the squads in A and B form one FG? A is ADJACENT to B; A is not ADJACENT to B."
    )
    assert asked_back("May two squads in A, B and C form one FG?")
    assert not read("May the squads in A and B form one FG? A and B are not ADJACENT.").unread
    assert asked_back("May the squads in A and B form one FG? A and B are ADJACENT. A and B are not ADJACENT.")


def test_an_adjacent_hex_is_adjacent_to_what_is_asked_about() -> None:
    found = things("What happens to the pillbox? a DC attack on the pillbox from an adjacent hex.")
    assert found["hex"]["adjacentTo"] == found["pillbox"]["exterior"]
    found = things("May a squad in a trench fire at a pillbox in an adjacent hex?")
    assert found["hex"]["adjacentTo"] == "trench" and found["pillbox"]["at"] == "hex"


def test_the_place_where_somebody_is() -> None:
    found = things(
        "What TEM does the squad get from the pillbox against this attack? attack: MG fire, made against the Location the squad is in. the squad: on top of the pillbox."
    )
    shot = next(t for t in found.values() if "against" in t)
    assert found["squad"]["at"] == shot["against"] != "pillbox"


def test_ground_is_a_kind_and_not_one_place() -> None:
    text = "Is the total cover modifier of the infantry in the trench greater than that of the infantry in the bunker? trench: in terrain whose own cover modifier is +3. bunker: concrete, in open terrain of cover modifier 0."
    found = things(text, "vv")
    hexes = [t for t in found.values() if t["is"] == "Hex"]
    assert [t["coverModifier"] for t in hexes] == ["3", "0"] and [t["terrain"] for t in hexes] == [
        "Terrain",
        "OpenTerrain",
    ]
    assert any(t["is"] == "ConcreteBunker" for t in found.values())


def test_what_is_told_in_brackets_must_agree() -> None:
    assert (
        things("May the player place a bunker in this hex? hex: woods (not open terrain).", "vv")["hex"]["terrain"]
        == "Woods"
    )
    assert asked_back("May the player place a bunker in this hex? hex: woods (not woods).", "vv")


# ── who does what ──


def test_a_relation_is_told_from_its_other_end() -> None:
    found = things("May the infantry team assault the Nest? two other infantry teams already assault the Nest.", "fow")
    assert found["nest"]["assaultedBy"] == ["infantry-2", "infantry-3"] and found["assault"]["actor"] == "infantry"


def test_what_has_become_of_him_is_how_he_is() -> None:
    assert things("May a squad that broke enter the pillbox?")["squad"]["is"] == ["Squad", "Broken"]
    assert "Broken" not in str(read("May a squad that breaks enter the pillbox?").data)


def test_what_he_did_to_another_has_not_befallen_him() -> None:
    assert "Broken" not in str(read("May a squad that broke an enemy squad enter the pillbox?").data)


def test_together_is_a_group() -> None:
    assert things("May three squads enter a pillbox together?")
    assert asked_back("May two squads fire at an enemy squad together?")


def test_what_is_done_to_him_is_not_what_he_did() -> None:
    found = things(
        "Is the infantry team in bulletproof cover? team: within a trench line. shot at by an enemy team in the same trench line.",
        "fow",
    )
    assert found["infantry"] == {"is": "Infantry", "at": "trench-line"} and found["fire"]["target"] == "infantry"


def test_a_test_is_taken_for_what_its_taker_does() -> None:
    found = things(
        "Must the team re-roll its Skill Test? Pioneer infantry team gapping. its Skill Test: passed.", "fow"
    )
    assert found["skill-test"]["testFor"] == "gapping"


def test_a_verb_behind_its_subject_is_the_verb() -> None:
    assert things("May the player place a bunker in a woods hex?", "vv")["placement"]["object"] == "bunker"


# ── what is told of what is told ──


def test_what_is_not_told_is_unknown() -> None:
    assert things("May a squad move? it is not told whether it is pinned.")["squad"]["unknown"] == ["Pinned"]
    assert things("May a squad move? whether the squad is pinned is not stated.")["squad"]["unknown"] == ["Pinned"]
    assert asked_back("May a squad move? it is not told whether it is brokken.")


def test_what_a_thing_is_that_was_asked_about() -> None:
    assert set(things("May a squad enter the pillbox? a 1-4-6 pillbox.")) == {"squad", "entry", "1-4-6-pillbox"}
    assert asked_back("May a squad enter the pillbox? an enemy squad.")


def test_that_it_happens_in_a_scenario_closes_nothing() -> None:
    found = read("Is this Japanese squad Fanatic? it is in the underground Location of the ICB. during a scenario.")
    assert not found.unread and "elsewhere" not in found.data


def test_in_which_phase_and_whether_it_applies() -> None:
    found = read("On which Target Types may ordnance TH attempts vs a pillbox be resolved?")
    assert not found.unread and found.data["ask"]["which"] == "TargetType"
    found = read("Does TPBF apply between a unit inside the pillbox and an enemy unit outside it?")
    assert (
        not found.unread
        and found.data["ask"] == {"is": ["fire", "TPBF"]}
        and found.data["things"]["fire"]["actor"] == "unit"
    )
    assert asked_back("Does TPBF apply between a unit inside the pillbox and a hat?")


def test_who_acts_is_not_what_it_is_done_to() -> None:
    found = things("May the team assault the Bunker?", "fow")
    assert found["assault"]["actor"] == "unit" and found["assault"]["target"] == "bunker"


def test_the_same_is_one_that_was_met() -> None:
    assert "in the same hex" in asked_back("May a squad fire at an enemy squad in the same hex?")
    assert things("May a squad in a woods hex fire at an enemy squad in the same hex?")["enemy-squad"]["at"] == "hex"


def test_a_signed_number_before_somebody_is_his_modifier_and_no_count_of_him() -> None:
    assert things("May a +1 leader direct an attack?")["leader"] == {"is": "Leader", "leadershipDRM": "1"}
    assert things("May two squads move?")["squad-2"] == {"is": "Squad"}
