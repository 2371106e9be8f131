"""A further question about the same facts: the same answer as if it were asked alone."""

import gc
from pathlib import Path

import pytest

from kb import pipeline
from kb.errors import CaseError

CASE = Path(__file__).parent.parent / "examples" / "pillbox.yaml"
FURTHER = [{"may": "move"}, {"is": ["pillbox", "Bunker"]}, {"is": ["move", "FromInside"]}, {"effects": "move"}]


@pytest.mark.parametrize("question", FURTHER, ids=str)
def test_a_further_question_is_answered_as_if_alone(question: dict[str, object]) -> None:
    first = pipeline.ask(CASE)
    further = pipeline.ask_further(first, question)
    alone = pipeline.ask(CASE.read_text(encoding="utf-8").split("\nask:")[0] + f"\nask: {question}\n")
    assert (further.verdict, further.value, further.cites, further.assumptions) == (
        alone.verdict, alone.value, alone.cites, alone.assumptions,
    )  # fmt: skip
    assert further.edition == first.edition
    assert further.flips == alone.flips


def test_a_further_question_shares_what_was_found() -> None:
    first = pipeline.ask(CASE)
    again = pipeline.ask_further(first, {"may": "move"})
    assert again.situation.things is first.situation.things


def test_a_fault_in_a_further_question_is_told() -> None:
    with pytest.raises(CaseError, match="no thing “mvoe”"):
        pipeline.ask_further(pipeline.ask(CASE), {"may": "mvoe"})


def test_a_proof_leaves_nothing_to_the_garbage_collector() -> None:
    """Everything is let go of with the last proof that needs it; a circle would cost every answer a third of its time."""

    def left() -> int:
        first = pipeline.ask(CASE)
        again = pipeline.ask_further(first, {"is": ["pillbox", "Bunker"]})
        assert first.situation.things["squad"].members and again.verdict
        del first
        assert again.situation.things["squad"].members, "the last who can ask still finds what was found"
        del again
        return gc.collect()

    left()
    gc.disable()
    try:
        assert left() < 20
    finally:
        gc.enable()
