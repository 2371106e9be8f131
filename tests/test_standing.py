"""Where things stand after what has happened (kb.reasoner.positions)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kb import registry
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner.positions import before, standing

THINGS = {
    "box": Facts("box", ("Pillbox",), links={"exterior": ("yard",), "occupant": ("foe",)}),
    "yard": Facts("yard", ("GroundLevel",)),
    "squad": Facts("squad", ("Squad",), links={"at": ("yard",), "onTopOf": ("box",)}),
    "foe": Facts("foe", ("Squad",)),
    "go": Facts("go", ("Advance",), links={"actor": ("squad",), "destination": ("box",)}),
    "look": Facts("look", ("Inspection",), links={"actor": ("squad",), "object": ("box",)}),
    "out": Facts("out", ("Move",), links={"actor": ("foe",), "destination": ("yard",)}),
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return registry.theory("asl").vocabulary


def case(history: tuple[str, ...] = (), about: str = "squad") -> Case:
    return Case("asl", THINGS, Question("may", about), history)


def test_nothing_has_happened(vocabulary: Vocabulary) -> None:
    told = case()
    assert standing(vocabulary, told, ()) is told
    now = standing(vocabulary, told, ("look",)).things
    assert {name for name in now if now[name] != told.things[name]} == {"look"}  # it keeps where it was done
    assert now["look"].links == {**THINGS["look"].links, "from": ("yard",)}


def test_an_act_keeps_where_it_was_aimed_and_who_was_there(vocabulary: Vocabulary) -> None:
    shot = Facts("shot", ("Fire",), links={"actor": ("squad",), "target": ("foe",)})
    told = Case("asl", {**THINGS, "shot": shot}, Question("may", "squad"), ("shot", "out"))
    now = standing(vocabulary, told, ("shot", "out")).things
    assert now["foe"].links["at"] == ("yard",)
    assert {role: now["shot"].links[role] for role in ("from", "against", "inTargetLocation")} == {
        "from": ("yard",), "against": ("box",), "inTargetLocation": ("foe",)
    }  # fmt: skip
    aimed = replace(shot, links={**shot.links, "against": ("yard",)})
    told = replace(told, things={**told.things, "shot": aimed})
    assert standing(vocabulary, told, ("shot",)).things["shot"].links["against"] == ("yard",)  # as it is told


def test_who_has_moved_is_there_and_the_act_keeps_where_it_began(vocabulary: Vocabulary) -> None:
    told = case(("go",))
    now = standing(vocabulary, told, ("go",)).things
    assert now["squad"].links == {"at": ("box",), "hasEntered": ("box",), "onTopOf": ()}
    assert now["go"].links["from"] == ("yard",)
    assert told.things["squad"].links == THINGS["squad"].links


def test_who_was_told_from_the_side_of_the_place_leaves_it(vocabulary: Vocabulary) -> None:
    now = standing(vocabulary, case(("out",)), ("out",)).things
    assert now["box"].links["occupant"] == ()
    assert now["foe"].links["at"] == ("yard",)
    assert now["out"].links["from"] == ("box",)


def test_one_after_the_other(vocabulary: Vocabulary) -> None:
    back = Facts("back", ("Move",), links={"actor": ("squad",), "destination": ("yard",)})
    told = Case("asl", {**THINGS, "back": back}, Question("may", "squad"), ("go", "back"))
    now = standing(vocabulary, told, ("go", "back")).things
    assert now["squad"].links["at"] == ("yard",)
    assert now["squad"].links["hasEntered"] == ("box", "yard")
    assert now["back"].links["from"] == ("box",)


def test_the_eliminated_are_nowhere(vocabulary: Vocabulary) -> None:
    now = standing(vocabulary, case(), (), {"foe": ("Eliminated",), "squad": ("Pinned",)}).things
    assert now["box"].links["occupant"] == () and now["foe"].links["at"] == ()
    assert now["squad"] == THINGS["squad"]


def test_what_is_removed_leaves_its_hex_and_those_in_it_stay_there() -> None:
    things = {
        "h": Facts("h", ("Hex",), links={"emplacement": ("wire",)}),
        "wire": Facts("wire", ("BarbedWire",)),
        "squad": Facts("squad", ("Squad",), links={"at": ("wire",)}),
        "other": Facts("other", ("Squad",), links={"at": ("h",)}),
    }
    told = Case("vv", things, Question("may", "squad"))
    now = standing(registry.theory("vv").vocabulary, told, (), {"wire": ("RemovedFromHex",)}).things
    assert now["h"].links["emplacement"] == () and now["wire"].links["hex"] == ()
    assert now["wire"].links["stoodIn"] == ("h",)
    assert now["squad"].links["at"] == ("h",) and now["other"] == things["other"]


def test_an_act_of_the_history_is_asked_of_as_before_it() -> None:
    assert before(case(("look", "go", "out"), "go")) == ("look",)
    assert before(case(("look", "go"))) == ("look", "go")
