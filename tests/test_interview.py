"""Interviews with scripted answers: what is asked, why, and the case that is built."""

from __future__ import annotations

import pytest
import yaml

from kb import asking, registry
from kb.answers.interview import Interview, things
from kb.answers.moments import fresh
from kb.answers.starts import plainest
from kb.cases.reader import read
from kb.errors import CaseError
from kb.language import english
from kb.reasoner import reason
from tests import toy


def held(act: str, *answers: str, asks: str = "may") -> tuple[Interview, list[str]]:
    """An interview with these answers, then `unknown` throughout; and what was asked."""
    talk, script, asked = Interview(toy.theory(), act, asks), iter(answers), []
    while question := talk.next():
        asked.append(question.text)
        talk.answer(question, next(script, "unknown"))
    return talk, asked


def test_it_stops_as_soon_as_the_answer_is_settled() -> None:
    talk, asked = held("entry", "no")
    assert asked == ["does the entry go into a keep?"]
    assert talk.proof.verdict == "forbidden" and talk.proof.scope.by == "K0.4"


def test_a_question_says_which_rules_turn_on_it() -> None:
    question = Interview(toy.theory(), "Charge").next()
    assert question is not None and question.kind == "yes-no"
    assert question.why.startswith("K1.2") and "turn" in question.why


def test_kinds_are_asked_for_in_one_question() -> None:
    talk, asked = held("charge", "yes", "knight")
    assert "who is to charge?" in asked
    assert talk.case.things["knight"].is_ == ("Friendly", "Knight")
    assert talk.proof.verdict == "permitted"


def test_who_stands_outside_is_asked_before_it_is_presumed() -> None:
    _, asked = held("charge", "yes", "archer", "yes")
    assert asked[2:] == ["does the keep's outside hold an enemy?", "what is the enemy?"]


def test_who_stands_outside_decides_when_it_is_told_what_he_is() -> None:
    talk, asked = held("charge", "yes", "knight", "yes", "fresh archer", "yes", "no")
    assert asked[3:] == ["what is the enemy?", "is the keep drawn up?", "does the charge go by a tunnel?"]
    assert talk.proof.verdict == "forbidden" and talk.proof.cites[0] == "K1.2"
    assert held("charge", "yes", "knight", "yes", "fresh archer", "yes", "yes")[0].proof.verdict == "permitted"
    talk, asked = held("charge", "yes", "knight", "no")
    assert len(asked) == 3 and talk.proof.verdict == "permitted"


def test_several_words_name_what_is_both() -> None:
    talk, _ = held("charge", "yes", "knight", "brute = fresh enemy ogre")
    assert talk.case.things["brute"].is_ == ("Fresh", "Enemy", "Ogre") and talk.proof.verdict == "permitted"


def test_an_answer_is_taken_back() -> None:
    talk = Interview(toy.theory(), "charge")
    first = talk.next()
    assert first is not None
    talk.answer(first, "no")
    assert talk.next() is None and talk.proof.verdict == "forbidden"
    talk.answer(first, "back")
    assert talk.next() == first and talk.asked == [] and talk.proof.verdict == "undetermined"
    with pytest.raises(CaseError, match="E457"):
        talk.back()


def test_why_and_help_explain_a_question() -> None:
    talk = Interview(toy.theory(), "charge")
    question = talk.next()
    assert question is not None and question.kind == "yes-no"
    rules = {rule: text for rule, _, text in talk.reasons(question)}
    assert "K1.2" in rules and "ogres see badly" in rules["K1.2"]
    said = "\n".join(talk.help(question))
    assert "keep: place that has walls and a door" in said and "back" in said and "unknown" in said


def test_who_does_not_know_learns_what_the_answer_is_either_way() -> None:
    talk, asked = held("charge", "yes", "unknown")
    assert asked[-1] == "who is to charge?" and talk.proof.verdict == "undetermined"
    rows = {row.said(toy.vocabulary()): (row.if_true, row.if_false) for row in talk.proof.missing}
    assert rows["unit is a knight"][0] == "permitted" and rows["unit is an ogre"][0] == "forbidden"


def test_the_case_that_was_built_can_be_asked_again() -> None:
    talk, _ = held("charge", "yes", "knight")
    data = yaml.safe_load(yaml.safe_dump(talk.data()))
    again = reason.answer(toy.theory(), read(data, toy.vocabulary()))
    assert again.verdict == talk.proof.verdict == "permitted"


def test_unknown_is_an_answer_and_no_question_comes_twice() -> None:
    talk, asked = held("entry")
    assert len(asked) == len(set(asked)) and talk.proof.verdict == "undetermined"


def test_numbers_are_taken_exactly() -> None:
    talk = Interview(toy.theory(), "Shot")
    question = talk.next()
    assert question is None  # shooting as such stands in rules that are not loaded
    assert talk.proof.verdict == "outside" and talk.proof.needs == ("S",)


def test_none_of_these_is_kept_as_a_fact() -> None:
    talk, _ = held("charge", "yes", "none")
    assert set(talk.case.things["unit"].not_) >= {"Knight", "Archer"}


@pytest.mark.parametrize(
    ("act", "answers", "said"),
    [
        ("dance", (), "E450: no kind of act is called “dance”"),
        ("charge", ("perhaps",), "E452: “perhaps” is neither an answer nor a class"),
        ("charge", ("knight",), "E453: a knight cannot be a place"),
        ("charge", ("yes", "keep"), "E453: unit"),
        ("charge", ("charge = keep",), "E458: there is a “charge” already"),
    ],
)
def test_an_answer_that_makes_no_sense_is_told_so(act: str, answers: tuple[str, ...], said: str) -> None:
    with pytest.raises(CaseError) as caught:
        held(act, *answers)
    assert str(caught.value).startswith(said.split(":")[0]) and said.split(": ", 1)[1] in str(caught.value)


def test_a_class_may_answer_a_yes_no_question() -> None:
    talk, _ = held("charge", "tower", "knight")
    assert talk.case.things["tower"].is_ == ("Tower",)


def test_another_class_says_no_and_what_it_is() -> None:
    talk, asked = held("charge", "yard")
    assert asked == ["does the charge go into a keep?"]
    assert talk.case.things["charge"].links["destination"] == ("yard",) and talk.proof.verdict == "forbidden"


def test_a_new_thing_can_be_named() -> None:
    talk, _ = held("charge", "castle = keep", "knight")
    assert talk.case.things["charge"].links["destination"] == ("castle",)


def test_an_act_told_only_by_how_it_is_done_is_asked_about() -> None:
    case = Interview(registry.theory("asl"), "into the CA").case
    assert case.things[case.question.thing].is_[-1] == "IntoCA" and len(case.things[case.question.thing].is_) == 2


def test_names_are_made_of_labels() -> None:
    assert fresh("Open Ground", ["open-ground"]) == "open-ground2"
    assert fresh("⅝", []) == "thing" or fresh("⅝", []).strip()


def test_must_is_asked_as_well() -> None:
    talk, _ = held("feast", "knight", asks="must")
    assert talk.case.question.kind == "must"


# ── things, what is needless, what is told beside ──


def test_a_thing_is_asked_about() -> None:
    talk = Interview(registry.theory("vv"), "bunker", "coverModifier", asking.rules)
    question = talk.next()
    assert question is not None and "concrete reinforced bunker" in question.options
    talk.answer(question, "concrete reinforced bunker")
    assert talk.next() is None and talk.proof.verdict == "value" and talk.proof.value == 4
    assert "bunker" in [s.label for s in things(registry.theory("vv"))]
    assert {s.name for s in things(registry.theory("vv"))}.isdisjoint({"Move", "Full", "Phase"})
    with pytest.raises(CaseError, match="E450"):
        Interview(registry.theory("vv"), "bunker", "may")


def test_the_question_itself_is_not_asked_back() -> None:
    talk = Interview(registry.theory("vv"), "terrain", "ClosedToEntrenchments", asking.rules)
    question = talk.next()
    assert question is not None and question.text == "what is the terrain?" and "marsh" in question.options
    talk.answer(question, "marsh")
    assert talk.proof.verdict == "yes" and talk.next() is None


def test_what_goes_without_saying_is_not_asked() -> None:
    talk = Interview(registry.theory("vv"), "Move", "movementCost", asking.rules)
    for said in ("trench", "1"):
        question = talk.next()
        assert question is not None and "in a hex" not in question.text
        talk.answer(question, said)
    assert talk.proof.value == 2 and talk.next() is None


def test_what_a_move_comes_into_is_where_it_leads() -> None:
    question = Interview(registry.theory("vv"), "Move", "movementCost", asking.rules).next()
    assert question is not None and question.text == "what does the move lead into?"


def test_nothing_needless_is_offered() -> None:
    talk = Interview(registry.theory("asl"), "Move", "may", asking.rules)
    for said in ("pillbox", "squad"):
        question = talk.next()
        assert question is not None
        talk.answer(question, said)
    texts = [q.text for q in talk.more()]
    assert "is the pillbox in a pillbox?" not in texts and "how is it with the squad?" in texts
    assert not [t for t in texts if " in at " in t or "squad could" in t or "lead into" in t]
    talk = Interview(registry.theory("fow"), "Gapping", "may", asking.rules)
    talk.answer(next(q for q in (talk.next(),) if q), "Anti-tank Obstacle")
    assert not [q.text for q in talk.more() if "taken to gap" in q.text or "at issue" in q.text]


def test_an_act_that_is_a_gerund_is_called_the_act() -> None:
    question = Interview(registry.theory("asl"), "PayingCrossing", "must", asking.rules).next()
    assert question is not None and question.text == "does the act concern a trench?"


def test_barbed_wire_and_a_building_are_kinds_of_thing() -> None:
    for book, wide, narrow in (("vv", "Emplacement", "BarbedWire"), ("fow", "Obstacle", "BarbedWireEntanglement")):
        theory = registry.theory(book)
        assert theory.vocabulary.classes[narrow].label in [s.label for s in things(theory)]
        assert narrow in plainest(theory, wide)
    asl = registry.vocabulary("asl").classes
    assert not english.adjectival(asl["Building"]) and english.manner(asl["FromAnotherHex"])
