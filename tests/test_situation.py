"""How a case was understood is shown: what it tells, and what that comes to, with what it goes by."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.cli import main
from kb import asking
from kb.answers import explain, proof_json
from kb.checker import reference_standing
from kb.reasoner import positions

CASE = """\
book: asl
things:
  me:   {is: [Squad, Pinned], possesses: mg}
  mg:   MMG
  foe:  {is: Squad, enemyOf: me, at: K5}
  box:  {is: Pillbox, at: K5}
  shot: {is: Fire, actor: mg, against: foe}
ask: {is: [shot, AreaFire]}
"""
PLAIN = """\
book: asl
things: {yard: GroundLevel, box: {is: Pillbox, exterior: yard}, me: {is: [Squad, Friendly], at: yard}}
ask: {may: {is: Move, actor: me, destination: box}}
"""


def section(text: str, name: str) -> list[str]:
    """The lines of one section of an answer."""
    rows = text.split("\n")
    start = rows.index(name) + 1
    return [row.strip() for row in rows[start : rows.index("", start)]]


def test_what_is_told_and_what_it_comes_to() -> None:
    text = explain.text(asking.ask(CASE), flips=False, situation=True, width=200)
    assert "me is a squad; me is pinned; me has mg" in section(text, "TOLD")
    found = section(text, "UNDERSTOOD")
    assert "shot is aimed at foe (by what the act is done to and with, told as `against: foe`)" in found
    assert "shot is made with mg (by what the act is done to and with, told as `actor: mg`)" in found
    assert "foe is an enemy (by whose enemy or friend it is)" in found
    assert "K5 is the outside of box in its hex (by the place in the same cell of the map, told as `at: K5`)" in found


def test_what_is_told_in_the_normal_words_is_understood_as_it_is() -> None:
    text = explain.text(asking.ask(PLAIN), flips=False, situation=True)
    assert "TOLD" in text and "UNDERSTOOD" not in text


def test_an_answer_does_not_tell_it_unasked() -> None:
    assert "UNDERSTOOD" not in explain.text(asking.ask(CASE), flips=False)


def test_json_has_it() -> None:
    data = proof_json.to_json(asking.ask(CASE), flips=False)["situation"]
    assert [row["thing"] for row in data["told"]] == ["me", "mg", "foe", "K5", "box", "shot"]
    (made,) = [row for row in data["understood"] if row["says"] == "shot is made with mg"]
    assert made == {
        "thing": "shot", "says": "shot is made with mg", "by": "by what the act is done to and with", "instead": ["actor: mg"],
    }  # fmt: skip
    assert proof_json.to_json(asking.ask(PLAIN), flips=False)["situation"]["understood"] == []


def test_the_command_line_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.yaml").write_text(CASE)
    assert main(["ask", str(tmp_path / "c.yaml"), "--situation", "--no-flips"]) == 0
    assert "UNDERSTOOD" in capsys.readouterr().out


ENTRENCHED = """\
book: asl
things:
  box:  {is: Pillbox, at: H5}
  H6:   {is: Hex, outsideCAOf: box}
  hole: {is: Foxhole, at: H6}
  me:   {is: Squad, at: hole}
  he:   {is: Squad, at: H7}
  shot: {is: SmallArmsFire, actor: he, target: hole}
  go:   {is: Move, actor: he, destination: hole}
history: [go]
ask: {is: [me, Affected]}
"""


def links(text: str, name: str) -> dict[str, tuple[str, ...]]:
    """What a thing of a case is related to, once it is understood."""
    return dict(asking.case(text).things[name].links)


def test_who_is_in_a_foxhole_is_where_that_lies() -> None:
    assert links(ENTRENCHED, "me") == {"at": ("H6",), "entrenchedIn": ("hole",)}
    turned = ENTRENCHED.replace("at: hole}", "}").replace("at: H6}", "at: H6, occupant: me}")
    assert links(turned, "me") == {"at": ("H6",), "entrenchedIn": ("hole",)}
    nowhere = "book: asl\nthings: {ditch: Trench, me: {is: Squad, at: ditch}}\nask: {is: [me, Pinned]}"
    assert links(nowhere, "me") == {"at": ("ditch",)}


def test_what_is_aimed_at_a_foxhole_is_aimed_at_where_that_lies() -> None:
    assert links(ENTRENCHED, "shot")["target"] == ("H6",)
    assert links(ENTRENCHED, "go")["destination"] == ("hole",), "what goes into it does go into it"


def test_who_has_gone_into_a_foxhole_is_where_that_lies() -> None:
    case = asking.case(ENTRENCHED)
    vocabulary = asking.rules(case).vocabulary
    for stand in (positions.standing, lambda *given: reference_standing.stood(*given, {})):
        he = stand(vocabulary, case, case.history).things["he"]
        assert (he.links["at"], he.links["entrenchedIn"]) == (("H6",), ("hole",))


def test_what_is_so_of_a_whole_hex_is_so_of_each_place_in_it() -> None:
    assert links(ENTRENCHED, "hole")["outsideCAOf"] == ("box",)
    other = ENTRENCHED.replace("at: H6}", "at: H6, withinCAOf: box}")
    assert "outsideCAOf" not in links(other, "hole"), "the case has its word"
