"""What nothing read is listed, and nothing else is; what an act must be told with is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from kb import asking, registry
from kb.answers import explain, headline, proof_json
from kb.language.case import LeadsTo
from kb.reasoner import relevance, unused, walks
from kb.reasoner.proof import Proof

HOUSE = {
    "squad": {"is": ["Squad", "Friendly"], "at": "yard"},
    "yard": "GroundLevel",
    "box": {"is": "Pillbox", "exterior": "yard"},
    "foe": {"is": ["Squad", "Enemy"], "at": "yard"},
    "move": {"is": "Move", "actor": "squad", "destination": "box"},
}
VV = registry.vocabulary("vv")
YARD = {"squad": {"is": ["Squad"], "at": "yard"}, "yard": "GroundLevel"}


def ask(things: dict[str, Any], question: dict[str, Any], book: str = "asl") -> Proof:
    """The answer to a case given as plain values."""
    return asking.ask({"book": book, "things": things, "ask": question})


def told(proof: Proof) -> set[tuple[str, str]]:
    """What is listed as not used."""
    return {(row.thing, row.key) for row in proof.unused}


def test_a_case_whose_every_fact_was_used_reports_nothing() -> None:
    proof = ask(HOUSE, {"may": "move"})
    assert proof.verdict == "forbidden"
    assert proof.unused == ()
    assert "NOT USED" not in explain.text(proof)
    assert "not used" not in headline.headline(proof)


def test_a_state_that_nothing_reads_is_listed_and_one_that_is_read_is_not() -> None:
    things = {**HOUSE, "foe": {"is": ["Squad", "Enemy", "Concealed", "Disrupted"], "at": "yard"}}
    assert told(ask(things, {"may": "move"})) == {("foe", "is")}
    assert [row.value for row in ask(things, {"may": "move"}).unused] == ["Concealed"]


def test_a_thing_that_no_rule_comes_to_has_one_row() -> None:
    things = {**YARD, "gun": {"is": "SupportWeapon", "label": "the old gun"}}
    (row,) = ask(things, {"is": ["squad", "at value yard"]}).unused
    assert (row.thing, row.key, row.about) == ("gun", "", False)
    assert row.text == "the old gun is not spoken of by any rule of this question"


def test_what_belongs_to_the_act_stands_in_the_first_line() -> None:
    things = {
        "squad": {"is": ["Squad", "Pinned"], "printedFP": 7},
        "foe": {"is": ["Squad", "Enemy", "Concealed"]},
        "shot": {"is": ["SmallArmsFire", "AreaFire"], "actor": "squad", "target": "foe"},
    }
    proof = ask(things, {"value": ["firepower", "shot"]})
    assert unused.about_the_act(proof)
    assert headline.headline(proof).endswith("; not used: foe is concealed")
    other = ask(
        {**things, "foe": {"is": ["Squad", "Enemy"]}, "far": {"is": ["Squad", "Concealed"]}},
        {"value": ["firepower", "shot"]},
    )
    assert told(other)
    assert not unused.about_the_act(other)
    assert "not used" not in headline.headline(other)


def test_the_nearest_word_is_one_that_is_read_and_that_the_value_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    things = {
        "us": {"is": ["Squad", "Friendly"]},
        "them": {"is": ["Squad", "Enemy"]},
        "box": {"is": "Pillbox"},
        "shot": {"is": "OrdnanceFire", "actor": "us", "firedAt": "them"},
    }
    (row,) = [row for row in ask(things, {"value": ["tem", "shot"]}).unused if row.key == "firedAt"]
    assert (row.hint, row.about) == ("target", True)
    assert row.text == "`firedAt: them` of shot is not read by this question; `target` is"
    monkeypatch.setattr(unused.Report, "link_hint", lambda *_: "")
    (bare,) = [row for row in ask(things, {"value": ["tem", "shot"]}).unused if row.key == "firedAt"]
    assert bare.text == "`firedAt: them` of shot is not read by this question"


def test_a_word_that_tells_another_is_used_where_that_is() -> None:
    things = {
        **HOUSE,
        "yard": {"is": "GroundLevel", "hex": "there"},
        "there": "Hex",
        "box": {"is": "Pillbox", "hex": "there"},
    }
    proof = ask(things, {"may": "move"})
    assert proof.verdict == "forbidden"
    assert ("box", "hex") not in told(proof)


def test_a_planted_norm_that_reads_a_fact_takes_it_off_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    things = {**YARD, "gun": {"is": "SupportWeapon"}}
    assert told(ask(things, {"is": ["squad", "at value yard"]})) == {("gun", "")}
    question = relevance.Walk.question

    def reads_more(walk: relevance.Walk, proof: Proof) -> None:
        question(walk, proof)
        walk.cls(walk.s.things["gun"], "SupportWeapon")

    monkeypatch.setattr(relevance.Walk, "question", reads_more)
    assert ask(things, {"is": ["squad", "at value yard"]}).unused == ()


def test_a_walk_that_stops_at_the_first_norm_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevance.Walk, "ask", lambda walk, asks, x, frame: None)
    monkeypatch.setattr(walks, "met", lambda theory: walks.Met(0, 0))  # and none is known or kept
    assert ("foe", "") in told(ask(HOUSE, {"may": "move"}))


def test_the_rows_stand_in_the_record_and_the_text() -> None:
    things = {**HOUSE, "foe": {"is": ["Squad", "Enemy", "Concealed"], "at": "yard"}}
    proof = ask(things, {"may": "move"})
    assert proof_json.to_json(proof, False)["unused"] == [
        {
            "thing": "foe", "fact": "is", "value": "Concealed", "says": "foe is concealed", "hint": "", "about": False,
            "text": "`is: Concealed` of foe is not read by this question",
        }
    ]  # fmt: skip
    assert "NOT USED\n  `is: Concealed` of foe is not read by this question" in explain.text(proof, flips=False)


def test_looking_changes_nothing() -> None:
    one, other = (ask(HOUSE, {"may": "move"}) for _ in range(2))
    before = set(one.worked[1].things)
    assert one.unused == ()
    assert set(one.worked[1].things) == before
    assert explain.text(one) == explain.text(other)


# ── what an act must be told with ──


@pytest.mark.parametrize(
    ("book", "things", "act", "role"),
    [
        ("asl", {"squad": ["Squad", "Friendly"], "act": {"is": "Move", "actor": "squad"}}, "act", "destination"),
        ("asl", {"squad": ["Squad", "Friendly"], "act": {"is": "Fire", "actor": "squad"}}, "act", "target"),
        ("fow", {"team": "Infantry", "act": {"is": "Assault", "actor": "team"}}, "act", "target"),
        ("vv", {"squad": ["Squad", "Friendly"], "act": {"is": "Fire", "actor": "squad"}}, "act", "target"),
    ],
)
def test_an_act_that_is_not_told_what_it_needs_is_asked_for_it(
    book: str, things: dict[str, Any], act: str, role: str
) -> None:
    proof = ask(things, {"may": act}, book)
    assert proof.verdict == "undetermined"
    assert any(isinstance(row.fact, LeadsTo) and row.fact.role == role for row in proof.missing)
    assert f"“{role}: …” of {act}" in explain.text(proof, flips=False)


def test_a_bar_that_applies_whatever_the_target_is_stands() -> None:
    things = {"squad": ["Squad", "Friendly", "Broken"], "shot": {"is": "IntensiveFire", "actor": "squad"}}
    pinned = {"squad": ["Squad", "Friendly", "Pinned"], "shot": {"is": "IntensiveFire", "actor": "squad"}}
    assert ask(pinned, {"may": "shot"}).verdict == "forbidden"
    assert ask(things, {"may": "shot"}).verdict != "permitted"


@pytest.mark.parametrize("more", [{"against": "box"}, {"target": "foe"}])
def test_what_will_do_in_its_stead_does(more: dict[str, str]) -> None:
    things = {**HOUSE, "shot": {"is": "Fire", "actor": "squad", **more}}
    del things["move"]
    assert not any(row.role for row in ask(things, {"may": "shot"}).missing)


def test_a_word_is_offered_only_where_it_is_nearly_the_same() -> None:
    things = {
        "squad": {"is": ["Squad", "Friendly"]}, "wire": "BarbedWire",
        "place": {"is": "PlaceSatchelCharge", "actor": "squad", "target": "wire", "phase": "FirePhase"},
    }  # fmt: skip
    rows = {row.key: row for row in ask(things, {"effects": "place"}, "vv").unused}
    assert rows["phase"].hint == ""  # `passes` is read of it, and only so much alike
    hint = unused.alike
    assert hint(VV.properties["coverModifier"], VV.properties["totalCoverModifier"]) >= unused.ALIKE
    assert hint(VV.properties["phase"], VV.properties["passes"]) < unused.ALIKE


TAKEN: dict[str, Any] = {
    "hex": {"is": "Hex", "emplacement": "trench"},
    "trench": "Trench",
    "foe": {"is": ["Squad", "Enemy", "Eliminated"], "at": "trench"},
    "squad": {"is": ["Squad", "Friendly"]},
    "adv": {"is": "Advance", "actor": "squad", "destination": "trench", "phase": "AdvanceAndAssaultPhase"},
}


def test_a_state_that_takes_a_link_away_is_used_where_that_would_be_read() -> None:
    alive = {**TAKEN, "foe": {"is": ["Squad", "Enemy"], "at": "trench"}}
    assert ask(alive, {"may": "adv"}, "vv").verdict == "forbidden"  # so that he is eliminated decides
    gone = ask(TAKEN, {"may": "adv"}, "vv")
    assert gone.verdict == "permitted"
    assert told(gone).isdisjoint({("foe", "is"), ("foe", "at")})


def test_a_state_that_takes_a_link_away_that_nothing_looks_for_is_not_used() -> None:
    things = {**TAKEN, "foe": {"is": ["Squad", "Enemy", "Eliminated"], "at": "wood"}, "wood": "Hex"}
    rows = told(ask(things, {"may": "adv"}, "vv"))
    assert ("foe", "") in rows or {("foe", "is"), ("foe", "at")} <= rows
