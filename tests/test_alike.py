"""Rows of a batch that are told the same in all that an answer read have that answer (kb.batch.alike): each as it is answered alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import kb
from kb import asking
from kb.batch import alike, chunks, evaluate, told
from kb.batch.alike import Alike
from kb.batch.evaluate import Asker
from kb.batch.reading import Whole
from kb.batch.sources import Row
from kb.batch.told import Told
from kb.errors import LoopholeError
from kb.language.case import Case
from kb.reasoner import alike as reasoner_alike, watched
from kb.reasoner.alike import Frames
from tests import corpus, night
from tests.batches import SHAPE
from tests.night import turn
from tests.test_circuit import variants

COLUMNS: dict[str, Sequence[Any]] = {
    "foe.is.Disrupted": (True, False), "foe.is.Unarmed": (True, False), "foe.is.Encircled": (True, False),
    "squad.is.Pinned": (True, False), "squad.is.Broken": (True, False), "squad.is.CX": (True, False),
    "squad.is.Fanatic": (True, False), "squad.strengthInMF": (2, 4, None), "pillbox.capacity": (1, 2, 3),
    "pillbox.caModification": (3, 5, 7), "move.phase": ("MovementPhase", "RoutPhase", "AdvancePhase"),
}  # fmt: skip
DAILY, VARIANTS = 300, night.times(24, of=2)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins with no answer kept."""
    forget(monkeypatch)


def fresh(frames: int = alike.FRAMES, answers: int = alike.ANSWERS) -> Frames[Alike]:
    return Frames(Alike, frames, answers)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets go of all answers."""
    monkeypatch.setattr(evaluate, "kept", fresh())
    chunks.AT_WORK.clear()


def rows(many: int, seed: str) -> list[dict[str, Any]]:
    """Rows over the shape, drawn."""
    random = Random(seed)
    return [{name: random.choice(values) for name, values in COLUMNS.items()} for _ in range(many)]


def alone(case: Case) -> Told | None:
    """A case as it is answered by itself; None where it takes too long."""
    try:
        return told.of_proof(0, "", asking.answered(case, asking.manner(case), missing=False))
    except LoopholeError:
        return None


def differences(cases: Sequence[Case]) -> tuple[list[str], int]:
    """The cases that are answered otherwise together than alone, and how many were answered as another was."""
    asker = Asker({})
    reads = [Whole(Row(n, n, b""), case) for n, case in enumerate(cases, 1)]
    found = evaluate.answers(asker, reads)
    wrong = []
    for case, made in zip(cases, found, strict=True):
        wanted = alone(case)
        if wanted is not None and (made.verdict, *parts(made)) != (wanted.verdict, *parts(wanted)):
            wrong.append(f"{case.name}: {made}, and alone {wanted}: {case.things}")
    return wrong, len(cases) - found.asked


def parts(made: Told) -> tuple[Any, ...]:
    """All that an answer tells, but for the number and the name of its row."""
    return tuple(getattr(made, name) for name in told.COLUMNS if name not in ("row", "name"))


@turn(of=3, on=2)
@pytest.mark.slow
def test_variants_of_the_case_files_are_answered_together_as_alone() -> None:
    wrong: list[str] = []
    spared = tried = 0
    for written in night.some(corpus.every(), of=DAILY):
        case = asking.case(written)
        cases = variants(asking.rules(case), case, VARIANTS)
        faults, alike_ = differences([*cases, *cases[:3]])
        wrong += faults
        spared, tried = spared + alike_, tried + len(cases)
    assert not wrong, "\n".join(wrong[:5])
    assert not any(of.unwatched for of in evaluate.kept.known.values())
    assert spared > 0.1 * tried, (spared, tried)


@pytest.mark.slow
def test_rows_over_a_shape_are_answered_together_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = rows(300, "together")
    together = kb.ask_many(drawn, SHAPE, workers=1)
    found = list(together)
    asked = together.asked
    assert {made.grade for made in found} >= {"settled", "settled if nothing else is so", "partly here"}
    forget(monkeypatch)
    monkeypatch.setattr(evaluate, "FEW", len(drawn))
    each = kb.ask_many(drawn, SHAPE, workers=1)
    assert list(each) == found
    assert asked < 0.7 * each.asked


@pytest.mark.slow
def test_an_act_that_is_not_told_with_what_it_must_be_told_with_is_asked_of_with_that_withdrawn() -> None:
    """A watched case is told otherwise for that, and is then told so."""
    case = asking.case(corpus.named("a7-82-open"))
    assert differences([case] * (evaluate.FEW + 2))[0] == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["unnoticed", "unread"])
def test_a_fault_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what is read of the foe goes unnoticed; what nothing read of a row is not looked at."""
    drawn = rows(150, "faults")
    right = [parts(made) for made in kb.ask_many(drawn, SHAPE, workers=1)]
    forget(monkeypatch)
    if fault == "unnoticed":
        of = watched.Reads.of
        monkeypatch.setattr(watched.Reads, "of", lambda self, name: {} if name == "foe" else of(self, name))
    else:
        monkeypatch.setattr(alike.reason, "unread", lambda walk, case: False)
    assert [parts(made) for made in kb.ask_many(drawn, SHAPE, workers=1)] != right


def test_a_second_batch_of_a_shape_works_nothing_out_that_is_known() -> None:
    known = [dict(zip(COLUMNS, cells, strict=True)) for cells in {tuple(row.values()) for row in rows(150, "first")}]
    assert len(list(kb.ask_many(known, SHAPE, workers=1))) == len(known)
    second = kb.ask_many([{**row, "pillbox.caModification": 4} for row in known], SHAPE, workers=1)
    assert not any(made.problems for made in second)
    assert second.asked == 0


@pytest.mark.slow
def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasoner_alike, "FORMS", 6)
    kept = fresh(frames=3, answers=40)
    monkeypatch.setattr(evaluate, "kept", kept)
    for at in ("yard", "pillbox", "Beach", "Woods", "Building"):
        shape = {**SHAPE, "things": {**SHAPE["things"], "other": {"is": "Squad", "at": at}}}
        list(kb.ask_many(rows(60, at), shape, workers=1))
        assert len(kept.known) <= 3
        last = next(reversed(kept.known.values()))
        assert kept.size() - len(last.answers.items) <= 40
        assert all(len(side.forms) <= 6 for of in kept.known.values() for side in of.answers.sides.values())
    assert kept.size() > 0


def test_how_many_were_worked_out_is_told() -> None:
    from api.cli_batch import told as summary

    many = kb.ask_many(rows(60, "told"), SHAPE, workers=1)
    list(many)
    assert f"{many.asked} of them worked out, the others alike" in summary(many, 1.0)
