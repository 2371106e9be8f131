"""A relation that comes by way of what must be there is asked for, told as missing and changed in the words of that way: who is outside
in the hex of a pillbox, as who is in its outside Location, whatever norms add to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kb import asking, registry
from kb.answers import explain
from kb.answers.interview import Interview
from kb.answers.switches import switches
from kb.language.case import Edit
from kb.reasoner.reason import Answer
from tests import corpus

OUTSIDE = "outsider"
CASE = """
book: asl
things:
  box: {is: Pillbox, exterior: yard}
  yard: GroundLevel
  squad: {is: [Squad, Friendly], at: yard}
  go: {is: Move, actor: squad, destination: box}
ask: {may: go}
"""
WITH_FOE = CASE.replace("  go:", "  foe: {is: [Squad, Enemy], AT}\n  go:", 1)


def edits(proof: Answer) -> Iterator[Edit]:
    """All that a proof would change or ask for."""
    for flip in proof.flips:
        yield from flip.edits
    for row in proof.missing:
        yield from (edit for way in row.edits for edit in way)


def test_there_is_such_a_relation_and_of_others_the_own_word_tells() -> None:
    theory = registry.theory("asl")
    assert theory.told_by(OUTSIDE) == ("exterior", "occupant")
    chained = [n for n, prop in theory.vocabulary.properties.items() if prop.chains and n != OUTSIDE]
    assert len(chained) > 5 and all(theory.told_by(name) == (name,) for name in chained)


def test_it_is_changed_in_the_words_by_which_it_is_told() -> None:
    proof = asking.ask(asking.case(CASE))
    assert proof.verdict == "permitted"
    turned = {(edit.kind, edit.thing, edit.name) for flip in proof.flips for edit in flip.edits}
    assert ("link", "yard", "occupant") in turned and not any(name == OUTSIDE for _, _, name in turned)
    assert proof.told_at("box", OUTSIDE) == ("yard", "occupant")
    assert proof.told_at("box", "exterior") == ("box", "exterior") and proof.told_at("no", "x") == ("no", "x")
    assert not any(OUTSIDE in row.case for row in switches(proof).flips)


def test_what_it_is_assumed_to_lead_to_is_told_first_where_that_would_turn_the_answer() -> None:
    said = explain.text(asking.ask(asking.case(CASE))).partition("ASSUMED")[2]
    assert said.index("squad and nothing else is outside in the hex of box") < said.index("no weapon of go is named")


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("at: yard", "foe is outside in the hex of box: yard is the outside of box in its hex and foe is in yard"),
        ("at: {is: UpperLevel, sharesHexWith: yard}", "foe is outside in the hex of box, by a rule"),
    ],
)
def test_a_proof_says_by_what_way_it_comes(at: str, why: str) -> None:
    proof = asking.ask(asking.case(WITH_FOE.replace("AT", at)))
    assert proof.verdict == "forbidden" and proof.cites[0] == "B30.42" and why in " ".join(explain.text(proof).split())


def test_in_no_case_of_the_door_it_is_asked_for_or_changed_by_its_own_word() -> None:
    cases = [case.data for case in (*corpus.of("asl/B30.42.yaml"), *corpus.of("asl/B30.6.yaml"))][::6]
    found = [edit for given in cases for edit in edits(asking.ask(given))]
    assert len(cases) > 30 and len(found) > 200
    made = [
        n for edit in found if isinstance(edit.value, tuple) for facts in edit.value[1].values() for n in facts.links
    ]
    assert "occupant" in {edit.name for edit in found} & {*made}
    assert OUTSIDE not in {edit.name for edit in found} | {*made}


def test_an_interview_asks_for_it_as_a_case_tells_it() -> None:
    talk = Interview(registry.theory("asl"), "Move")
    for answer in ("pillbox", "squad", "yes", "squad"):
        question = talk.next()
        assert question is not None
        talk.answer(question, answer)
    assert talk.next() is None and talk.proof.verdict == "forbidden" and OUTSIDE not in talk.text()
    assert [q for q, _ in talk.asked][2] == "is an enemy in the pillbox's outside Location?"
    more = [row.text for row in talk.more()]
    assert "what else is in the ground level?" in more and "how is it with the enemy?" in more


def test_what_a_trial_does_not_meet_is_not_told_as_missing() -> None:
    proof = asking.ask(corpus.named("asl-c5-42-foe-nobody-knows-where").data)
    said = [row.said(proof.theory.vocabulary) for row in proof.missing]
    assert proof.verdict == "undetermined" and said and not any("vertical-level" in row for row in said)
