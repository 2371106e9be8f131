"""What a player writes where something else is wanted, and the message that says what: each is planted, and each hint then works."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from kb import asking, registry
from kb.cases import misread
from kb.errors import CaseError, LoopholeError

BOX: dict[str, Any] = {"box": {"is": "Pillbox", "capacity": 1, "caModification": 3, "ncaModification": 5}}


def ask(things: dict[str, Any], question: dict[str, Any], book: str = "asl") -> Any:
    return asking.ask({"book": book, "things": things, "ask": question})


def faults(things: dict[str, Any], question: dict[str, Any], book: str = "asl") -> list[tuple[int, str, str]]:
    with pytest.raises(LoopholeError) as found:
        ask(things, question, book)
    return [(p.code, p.message, p.hint) for p in found.value.problems]


IS = {"is": ["x", "Unit"]}
SAID: list[tuple[dict[str, Any], dict[str, Any], int, str, str]] = [
    # a number that is none
    ({"x": {"is": "Pillbox", "capacity": [1, 2]}}, {"is": ["x", "Bunker"]}, 421, "here are 2: 1, 2", "unknown: [capacity]"),
    ({"x": {"is": "Pillbox", "capacity": [Fraction(1)]}}, {"is": ["x", "Bunker"]}, 421, "a list of one, 1", "write capacity: 1"),
    ({"x": {"is": "Pillbox", "capacity": "1 + 2"}}, {"is": ["x", "Bunker"]}, 421, "an expression", "write what it comes to"),
    ({"x": {"is": "Pillbox", "capacity": {"is": Fraction(3, 2)}}}, {"is": ["x", "Bunker"]}, 421, "“{is: 1½}” is none", "write 3"),
    ({"x": {"is": "Fire", "range": "within 16 inches"}}, {"is": ["x", "Fire"]}, 421, "a bound", "the most that it may be: range: 16"),
    ({"x": {"is": "Fire", "range": ">= 3"}}, {"is": ["x", "Fire"]}, 421, "a bound", "the least that it may be: range: 3"),
    ({"x": {"is": "Pillbox", "capacity": "many"}}, {"is": ["x", "Bunker"]}, 421, "is none", "write 3, 2.5"),
    # what a value question takes
    (BOX, {"value": ["ncaModification - caModification", "box"]}, 434, "is an expression", 'is: [box, "ncaModification - caModification = 2"]'),
    (BOX, {"value": ["capacity > 1", "box"]}, 434, "is a condition", 'ask is: [box, "capacity > 1"]'),
    (BOX, {"value": ["count(occupant)", "box"]}, 434, "“count(occupant)” is a count", '"occupant min 2"'),
    (BOX, {"value": ["occupants", "box"]}, 434, "“occupants” is a relation", '"occupant min 2"'),
    (BOX, {"value": ["overstack", "box"]}, 434, "is not a quantity", "is: [thing, condition]"),
    (BOX, {"value": ["pinned", "box"]}, 434, "“pinned” is a class, not a quantity", "is: [box, Pinned]"),
    (BOX, {"value": ["capacitie", "box"]}, 425, "no property is called", "capacity"),
    (BOX, {"how many": ["occupant", "box"]}, 431, "unknown kind of question", "one of may"),
    # each
    ({"x": "each"}, IS, 423, "“each” stands for the candidate", "is: [each, CLASS]"),
    ({"x": {"is": "Squad", "not": "each"}}, IS, 423, "“each” stands for the candidate", "leave it out of “not”"),
    (BOX, {"is": ["box", "each"]}, 436, "“each” stands for the candidate", "is: [each, CLASS]"),
    # words for what is not so
    ({"x": {"is": ["Squad", "unbroken"]}}, IS, 423, "no class is called “unbroken”", "write not: [Broken]"),
    ({"x": {"is": ["Squad", "not Broken"]}}, IS, 423, "“not Broken”", "write not: [Broken]"),
    ({"x": {"is": ["Squad", "Armed"]}}, IS, 423, "“Armed”", "write not: [Unarmed]"),
    ({"x": {"is": "Squad", "armed": True}}, IS, 425, "“armed”", "write not: [Unarmed]"),
    ({"x": {"is": "Squad", "armed": False}}, IS, 425, "“armed”", "write is: [Unarmed]"),
    # several words that name nothing
    (BOX, {"is": ["box", "lawfully placed"]}, 436, "no class “lawfully placed”", ""),
    (BOX, {"is": ["box", "occupant sum Squad and"]}, 435, "at character", ""),
    # what stands where it cannot
    ({"x": {"is": "GroundLevel", "cost to enter": 2}}, IS, 441, "said of an act", "{is: Entry, destination: x, movementCost: …}"),
    ({"x": {"is": "Pillbox", "TEM": 2}}, IS, 441, "said of an act", "{is: Fire, target: x, tem: …}"),
    ({"x": {"is": "Squad", "capacity": 2}}, IS, 441, "said of a location", "say it of a location"),
    ({"x": {"is": "Fire", "target": "hut", "buildingTEM": 2}, "hut": "Building"}, {"is": ["x", "Fire"]}, 441, "said of a place", "hut: {buildingTEM: …}"),
    ({"x": {"is": "Move", "actor": "men", "MF left": 0}, "men": "Squad"}, {"is": ["x", "Move"]}, 441, "said of a unit", "men: {strengthInMF: …}; or write mfLeft: … (MF left after it)"),
    ({"x": {"is": "LOSTracing", "through": "T4"}}, {"is": ["x", "Move"]}, 441, "said of a path", "write between: …"),
    ({"x": {"is": "Move", "hexside": ["L44", "M45"]}}, {"may": "x"}, 424, "is a class", "from: L44, destination: M45"),
    ({"x": {"is": "Squad", "at": ["a", "b"]}, "a": "GroundLevel", "b": "GroundLevel"}, IS, 426, "one value, here are 2", "unknown: [at]"),
    ({"x": {"is": "Leader", "not": "Pinned"}, "y": {"is": ["Leader", "wants to direct"]}}, {"may": "y"}, 440, "cannot be both", "act: {is: DirectingFire, …}"),
    # a state of those who take part, and of what they do
    ({"x": {"is": "CloseCombat", "actor": "men"}, "men": "Squad"}, {"is": ["x", "InMelee"]}, 442, "asked of what is no act", "ask it of men; or is: [x, ResultsInMelee]"),
    ({"x": {"is": "Fire", "target": "men"}, "men": "Squad"}, {"is": ["x", "Affected"]}, 442, "asked of what is no act", "ask it of men"),
    ({"x": "Squad"}, {"is": ["x", "AffectsOutsideLocation"]}, 442, "asked of an act", "attack: {is: Attack, …}"),
    ({"x": {"is": ["CloseCombat", "InMelee"], "actor": "Squad"}}, {"may": "x"}, 440, "cannot be both", "say InMelee of who or what takes part in it"),
]  # fmt: skip


@pytest.mark.parametrize(("things", "question", "code", "message", "hint"), SAID, ids=lambda x: str(x)[:40])
def test_what_to_write_instead(
    things: dict[str, Any], question: dict[str, Any], code: int, message: str, hint: str
) -> None:
    (found,) = faults(things, question)
    assert found[0] == code and message in found[1] and hint in found[2], found
    assert "Fraction(" not in found[1] + found[2]


def test_what_the_hints_say_is_understood() -> None:
    assert ask(BOX, {"is": ["box", "ncaModification - caModification = 2"]}).answer == "yes"
    crowd = {**BOX, "a": {"is": "Squad", "at": "box"}, "b": {"is": "HalfSquad", "at": "box"}}
    assert ask(crowd, {"is": ["box", "occupant min 2"]}).answer == "yes"
    assert ask(crowd, {"is": ["box", "occupant min 3"]}).answer == "no"
    assert ask({"x": {"is": "Squad", "not": ["Unarmed"]}}, {"is": ["x", "not Unarmed"]}).answer == "yes"


@pytest.mark.parametrize(
    ("book", "gone", "hint"),
    [
        ("asl", "FiringFromPillbox", "did you mean"), ("asl", "ForcedRout", "rout"),
        ("asl", "SafeFromRubbling", "Rubbling"), ("asl", "WithInexperienced", "Inexperienced"), ("vv", "CaveUse", "Cave"),
        ("asl", "MFExpenditure", "movementCost: NUMBER"), ("asl", "FFNAM", "ffDRM: NUMBER"), ("asl", "TargetHex", "against: THING"),
        ("fow", "CommandDistance", "inCommandDistanceOf: THING"),
    ],
)  # fmt: skip
def test_a_class_that_is_gone_is_refused_with_what_is_near(book: str, gone: str, hint: str) -> None:
    (found,) = faults({"x": {"is": gone}}, IS, book)
    assert found[0] == 423 and hint in found[2], found


@pytest.mark.parametrize(
    ("book", "gone", "now"),
    [("asl", "SmokeInside", "SmokePlacement"), ("asl", "VictoryCondition", "VictoryPurpose"), ("asl", "RateOfFire", "MultipleROF"), ("vv", "OwningPlayer", "Player"),
     ("fow", "ObstacleSection", "Obstacle"), ("fow", "Troops", "Unit")],
)  # fmt: skip
def test_a_class_that_has_become_another_s_synonym_is_read_as_that(book: str, gone: str, now: str) -> None:
    classes = registry.vocabulary(book).classes
    assert gone not in classes
    assert ask({"x": {"is": gone}}, {"is": ["x", now]}, book).answer == "yes"


def test_words_that_were_called_alike_are_told_apart() -> None:
    terms = registry.vocabulary("asl").properties
    labels = [terms[name].label for name in ("smokeDRM", "hindranceDRM", "tem", "otherTEM", "totalTEM", "buildingTEM")]
    assert len(set(labels)) == 6 and "Hindrance" not in terms["smokeDRM"].label
    assert registry.vocabulary("asl").resolve("MF left") == "strengthInMF"
    assert ask({"x": "UpperLevel"}, {"is": ["x", "VerticalLevelLocation"]}).answer == "yes"
    assert (
        ask({"x": {"is": "PlacedDC", "target": "Pillbox"}}, {"value": ["eliminatingKIA", "x"]}).case.question.quantity
        == "leastKIA"
    )


def test_what_is_no_state_of_a_thing_is_no_open_question() -> None:
    for word in ("CoveredArc", "KIA", "IFT", "PlayerTurn"):
        assert ask({"x": "Squad"}, {"is": ["x", word]}).answer == "no", word


def test_a_state_that_cannot_matter_to_a_thing_is_named() -> None:
    things = {
        "box": {"is": ["Pillbox", "Pinned"], "exterior": "yard"}, "yard": "GroundLevel",
        "men": {"is": ["Squad", "Friendly"], "at": "yard"}, "go": {"is": "Move", "actor": "men", "destination": "box"},
    }  # fmt: skip
    assert [(row.thing, row.value) for row in ask(things, {"may": "go"}).unused] == [("box", "Pinned")]


def test_a_relation_that_tells_a_kind_of_act_is_used() -> None:
    things = {
        "nest": {"is": ["Nest", "PinnedDown"]},
        "dawn": {"is": "StartOfTurn", "actor": "nest", "whose turn": "Friendly"},
    }
    assert not ask(things, {"effects": "dawn"}, "fow").unused
    idle = {**things, "dawn": {**things["dawn"], "weapon": "nest"}}
    assert [row.key for row in ask(idle, {"effects": "dawn"}, "fow").unused] == ["weapon"]


def test_negations_and_plain_words() -> None:
    terms = registry.vocabulary("asl")
    assert misread.denied("unpinned", terms) == "Pinned" and misread.denied("inspected", terms) == ""
    assert misread.plain("lawfully placed") and not misread.plain("Broken or Pinned") and not misread.plain("a > 1")
    with pytest.raises(CaseError):
        ask(BOX, {"value": ["capacity", "nothing"]})


def test_what_goes_ill_with_a_rule_is_told_too() -> None:
    """A test stated to have failed, which a rule has always pass: asked whether it passed, the rule that says so is named."""
    failed = {"box": "Bunker", "test": {"is": ["MotivationTest", "Failed"], "actor": "box"}}
    for cls, answer in (("Passed", "no"), ("Failed", "yes")):
        proof = ask(failed, {"is": ["test", cls]}, "fow")
        assert proof.answer == answer
        assert [n.rule for row in proof.overruled for n in row.norms] == ["BunkersGeneralRules.3"]
    assert not ask(
        {**failed, "test": {"is": "MotivationTest", "actor": "box"}}, {"is": ["test", "Passed"]}, "fow"
    ).overruled
