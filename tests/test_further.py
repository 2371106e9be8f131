"""A further question about the same facts: the same answer as if it were asked alone."""

import gc
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from msgspec.structs import replace

from kb import asking
from kb.cases import reader
from kb.errors import CaseError
from kb.reasoner import evaluate, reason
from kb.reasoner.proof import UNDETERMINED, Proof
from kb.rulebook import theory
from tests import corpus

CASE = Path(__file__).parent.parent / "examples" / "pillbox.yaml"
FURTHER = [{"may": "move"}, {"is": ["pillbox", "Bunker"]}, {"is": ["move", "FromInside"]}, {"effects": "move"}]


@pytest.mark.slow
@pytest.mark.parametrize("question", FURTHER, ids=str)
def test_a_further_question_is_answered_as_if_alone(question: dict[str, object]) -> None:
    first = asking.ask(CASE)
    further = asking.ask_further(first, question)
    alone = asking.ask(CASE.read_text(encoding="utf-8").split("\nask:")[0] + f"\nask: {question}\n")
    assert (further.verdict, further.value, further.cites, further.assumptions) == (
        alone.verdict, alone.value, alone.cites, alone.assumptions,
    )  # fmt: skip
    assert further.edition == first.edition
    assert further.flips == alone.flips


def test_a_further_question_shares_what_was_found() -> None:
    first = asking.ask(CASE)
    again = asking.ask_further(first, {"may": "move"})
    assert again.worked[1].things is first.worked[1].things


@pytest.mark.parametrize(("first", "then"), [("a", "b"), ("b", "a"), ("go", "b")])
def test_who_asks_is_asked_anew(first: str, then: str) -> None:
    """A piece of which no side is told is the asker's own where it is asked about: what was found for another is not."""
    told = {"book": "asl", "things": {
        "a": {"is": "Squad"}, "b": {"is": "Squad"}, "foe": {"is": ["Squad", "Enemy"]}, "go": {"is": "Move", "actor": "a"},
    }}  # fmt: skip
    questions = {name: {"is": [name, "enemyOf value foe"]} for name in ("a", "b")} | {"go": {"may": "go"}}
    proof = asking.ask_further(asking.ask({**told, "ask": questions[first]}), questions[then])
    alone = asking.ask({**told, "ask": questions[then]})
    assert (proof.verdict, proof.assumptions) == (alone.verdict, alone.assumptions) == ("yes", ())
    one = asking.ask({**told, "ask": {"is": ["a", "enemyOf value b"]}})
    assert one.verdict == "undetermined"


def test_a_fault_in_a_further_question_is_told() -> None:
    with pytest.raises(CaseError, match="no thing “mvoe”"):
        asking.ask_further(asking.ask(CASE), {"may": "mvoe"})


def test_a_proof_leaves_nothing_to_the_garbage_collector() -> None:
    """Everything is let go of with the last proof that needs it; a circle would cost every answer a third of its time."""

    def left() -> int:
        first = asking.ask(CASE)
        again = asking.ask_further(first, {"is": ["pillbox", "Bunker"]})
        assert first.worked[1].things["squad"].members and again.verdict
        del first
        assert again.worked[1].things["squad"].members, "the last who can ask still finds what was found"
        del again
        return gc.collect()

    left()
    gc.disable()
    try:
        assert left() < 20
    finally:
        gc.enable()


def test_what_is_kept_from_case_to_case_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service meets ever new kinds of thing and ever new conditions: it answers them alike, and does not grow with them."""
    monkeypatch.setattr(theory, "MOST_KINDS", 40)
    monkeypatch.setattr(evaluate, "MOST_ASKED", 5)
    monkeypatch.setattr(reader, "MOST_SOUND", 20)
    rules = asking.ask({"book": "asl", "things": {"x": {"is": "Squad"}}, "ask": {"is": ["x", "Crew"]}}).theory
    sound = rules.vocabulary.sound
    for kept in (rules.kinds, rules.kinds_stated, rules.asked, sound):
        kept.clear()
    states = ("Broken", "Pinned", "Disrupted", "Berserk", "Subterranean", "Unarmed")
    sizes = []
    for other in ("Crew", "Leader"):  # the first time round, norms are made ready too
        for number in range(60):
            shown = [s for i, s in enumerate(states) if number >> i & 1]
            things = {"x": {"is": ["Squad", "Friendly", *shown]}, "y": {"is": "Foxhole"}}
            asked = f"Squad and not ({' or '.join([other, *shown])}) and not at some ({other} and Foxhole)"
            found = asking.ask({"book": "asl", "elsewhere": "nothing", "things": things, "ask": {"is": ["x", asked]}})
            assert found.theory is rules and found.verdict == ("no" if shown else "yes")
            assert max(len(rules.kinds), len(rules.kinds_stated)) <= 40 and len(rules.asked) <= 5 and len(sound) <= 21
        sizes.append((len(rules.compiled), len(rules.shared)))
    assert sizes[0] == sizes[1]


# ── a proof is a value ──


def test_nothing_of_a_proof_can_be_set() -> None:
    proof = asking.ask(corpus.named("b30-42-withdraw"))
    with pytest.raises(FrozenInstanceError):
        proof.verdict = "permitted"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        proof.edition = None  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["b30-42-withdraw", "a7-8-history-turn", "b30-92-two-charges-no-kia"])
def test_what_follows_from_a_proof_follows_from_the_value_alone(name: str) -> None:
    case = asking.case(corpus.named(name))
    proof, bare = asking.ask(case), asking.ask(case)
    del bare.__dict__["staged"]  # what is at hand of the situation is let go
    assert bare.rest == proof.rest and bare.unused == proof.unused
    assert told(bare) == told(proof)


def told(proof: Proof) -> list[str]:
    return [flip.said(proof.theory.vocabulary) for flip in proof.flips]


def test_an_answer_that_leans_on_itself_in_many_ways_is_worked_out_in_bounds() -> None:
    """Of one firer the kind is not told, and of a hex it is said not to be known whether it is one: the Locations, the line of units
    and what may fire each lean on the others. Each was worked out anew for each, which took millions of goals."""
    case = asking.case(corpus.named("asl-r41-a04"))
    things = dict(case.things)
    things["one"] = replace(things["one"], is_=("Friendly",))
    things["N5"] = replace(things["N5"], is_=(), unknown=("Hex",))
    proof = reason.answer(asking.rules(case), replace(case, things=things), False, goals=15_000)
    assert proof.verdict == UNDETERMINED
