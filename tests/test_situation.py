"""How a case was understood is shown: what it tells, and what that comes to, with what it goes by."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.cli import main
from kb import asking
from kb.answers import explain, proof_json

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
