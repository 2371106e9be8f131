"""Expectations: each kind met and missed, and what is said of a miss."""

from __future__ import annotations

import pytest

from kb.answers import expectations
from kb.cases import reader
from kb.language.rule_number import same_rule
from tests import toy
from tests.test_explain import THINGS


def missed(question: str, wanted: str, things: str = THINGS) -> list[str]:
    return expectations.mismatches(toy.ask(f"{things}{question}\nexpect: {wanted}\n"))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "{may: go}",
            "{verdict: forbidden, answer: no, cites: [K1.2], defeated: [K1.1], grade: settled if nothing else is so}",
        ),
        (
            "{may: go}",
            "{verdict: Forbidden, answer: 'no', cites: [k1.2, 'K 1.2', '1.2'], assumes: [weary, foe cursed]}",
        ),
        ("{must: eat}", "{verdict: silent, answer: no}"),
        ("{value: [cover, shot]}", "{value: 5, verdict: 5, answer: '5', cites: [K1.6]}"),
        ("{value: [cover, shot]}", "{value: '10/2'}"),
        ("{effects: shot}", "{effects: [[bob, Fallen], [keep, ruined]], grade: partly here}"),
        ("{effects: go}", "{effects: [], verdict: outside}"),
        ("{is: [ann, Fresh]}", "{verdict: yes, answer: yes}"),
        ("{is: [ann, Archer]}", "{verdict: no, assumes: []}"),
        ("{which: Phase, as: phase, may: go}", "{which: []}"),
        ("{may: go}", "{uncited: [K1.4], reading: []}"),
    ],
)
def test_what_is_as_expected_says_nothing(question: str, wanted: str) -> None:
    assert missed(question, wanted) == []


@pytest.mark.parametrize(
    ("question", "wanted", "said"),
    [
        ("{may: go}", "{verdict: permitted}", "verdict: expected permitted, got forbidden"),
        ("{may: go}", "{answer: yes}", "answer: expected yes, got no"),
        ("{may: go}", "{cites: [K1.4]}", "cites: expected K1.4 among K1.2"),
        ("{may: go}", "{uncited: [K1.4, '1.2']}", "uncited: 1.2 is among those cited: K1.2"),
        ("{may: go}", "{defeated: [K1.4]}", "defeated: expected K1.4 among K1.1"),
        ("{may: go}", "{grade: settled}", "grade: expected settled, got settled if nothing else is so"),
        ("{may: go}", "{assumes: [hungry]}", "assumes: nothing assumed says “hungry”; assumed: "),
        ("{may: go}", "{assumes: []}", "assumes: expected nothing, got "),
        ("{may: go}", "{missing: [wall]}", "missing: nothing asks for “wall”; asked: nothing"),
        ("{may: go}", "{value: 3}", "value: expected 3, got forbidden"),
        ("{may: go}", "{until: Feast}", "until: expected Feast, got no end"),
        ("{may: go}", "{reading: near}", "reading: no other reading “near” turns the answer; those that do: none"),
        ("{value: [cover, shot]}", "{value: 4}", "value: expected 4, got 5"),
        ("{value: [cover, shot]}", "{value: none}", "value: expected none, got 5"),
        ("{value: [cover, shot]}", "{value: four}", "value: “four” in the case is no number"),
        ("{effects: shot}", "{effects: [[bob, Fallen]]}", "effects: [keep, Ruined] came about and was not expected"),
        ("{effects: shot}", "{effects: []}", "effects: [bob, Fallen], [keep, Ruined] came about and was not expected"),
        ("{effects: go}", "{effects: [[bob, Fallen]]}", "effects: expected also [bob, Fallen]; got none"),
        ("{effects: go}", "{effects: [[bob, Falen]]}", "effects: no class is called “Falen”"),
        ("{effects: go}", "{effects: [[bobby, Fallen]]}", "effects: the case has no thing “bobby”"),
        ("{effects: go}", "{effects: [bob]}", "effects: “bob” in the case is no [thing, class] pair"),
        ("{which: Phase, as: phase, may: go}", "{which: [night]}", "which: expected also NightPhase (got none)"),
    ],
)
def test_a_miss_is_told(question: str, wanted: str, said: str) -> None:
    found = missed(question, wanted)
    assert len(found) == 1 and found[0].startswith(said), found


def test_missing_takes_words_classes_and_properties() -> None:
    things = THINGS.replace(", drawn: true", "")
    for phrase in ("drawn", "keep drawn up", "drawn up"):
        assert missed("{may: go}", f"{{missing: [{phrase}]}}", things) == []
    assert missed("{may: go}", "{missing: [wall]}", things) != []


def test_every_key_that_a_case_may_hold_is_checked() -> None:
    assert set(expectations.CHECKS) == set(reader.EXPECTS)


@pytest.mark.parametrize(
    ("asked", "rule", "same"),
    [
        ("30.42", "B30.42", True), ("b30.42", "B30.42", True), ("B 30.42", "B30.42", True), ("30.4", "B30.42", False),
        ("A30.42", "B30.42", False), ("T6.1", "BRT6.1", True), ("", "B30.42", False), ("x-y.2", "XY.2", True),
    ],
)  # fmt: skip
def test_rule_numbers_as_people_write_them(asked: str, rule: str, same: bool) -> None:
    assert same_rule(asked, rule, [("T6", "BRT6")]) is same
