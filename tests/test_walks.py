"""What nothing reads of a case is the same, whether its walk is gone through or known of a case that is told alike (kb.reasoner.walks)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import kb
from kb import asking
from kb.batch.reading import Reader
from kb.errors import LoopholeError
from kb.language.case import Case
from kb.reasoner import walks, watched
from kb.reasoner.alike import Frames, Lanes
from kb.rulebook.theory import Theory
from tests import corpus, night
from tests.batches import SHAPE
from tests.test_alike import rows
from tests.test_circuit import variants

EVERY, VARIANTS, DRAWN = 90, 10, 150
Kept = dict[int, walks.Met]


def of_shape(many: int) -> list[Case]:
    """Cases over one shape, drawn."""
    asked = kb.ask_many(rows(many, "walks"), SHAPE, workers=1)
    reader = Reader(asked.job)
    return [reader.read(row).case("") for row in asked.source.part(many)]


def listed(case: Case) -> object:
    """What nothing reads, and the grade; None where it takes too long."""
    try:
        proof = asking.answered(case, asking.manner(case), missing=False)
        return proof.unused, proof.grade
    except LoopholeError:
        return None


def known(kept: Kept) -> Callable[[Theory], walks.Met]:
    """Where walks are kept for a test."""
    return lambda theory: kept.setdefault(id(theory), walks.Met(walks.FRAMES, walks.WALKS))


def differences(cases: Sequence[Case], monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], int]:
    """The cases of which something else is listed where walks are known, and of how many they were."""
    with monkeypatch.context() as now:
        now.setattr(walks, "met", lambda theory: walks.Met(0, 0))
        alone = [listed(case) for case in cases]
    kept: Kept = {}
    with monkeypatch.context() as now:
        now.setattr(walks, "met", known(kept))
        together = [listed(case) for case in cases]
    wrong = [str(case.things) for case, a, b in zip(cases, alone, together, strict=True) if a != b]
    return wrong, sum(lanes.spared for frames in kept.values() for lanes in frames.known.values() if lanes is not None)


@pytest.mark.slow
def test_cases_of_one_shape_share_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, spared = differences(of_shape(DRAWN), monkeypatch)
    assert not wrong and spared > DRAWN / 3, spared


@pytest.mark.slow
def test_variants_of_the_case_files_list_what_they_list_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    files = night.today(corpus.every(), of=12)[:: EVERY // 12]
    assert len(files) > 50
    spared = 0
    for written in files:
        case = asking.case(written)
        some = variants(asking.rules(case), case, VARIANTS)
        wrong, found = differences([*some, *some[:3]], monkeypatch)
        assert not wrong, wrong[:2]
        spared += found
    assert spared > len(files) / 5


def attack(kind: str) -> Case:
    """Firepower in an attack of some kind: in Close Combat it does not matter who is CX."""
    squad = {"is": ["Squad", "Friendly", "CX", "Wounded"], "at": "yard"}
    foe = {"is": ["Squad", "Enemy", "CX"], "at": "yard"}
    things = {"squad": squad, "foe": foe, "yard": "GroundLevel", "act": {"is": kind, "actor": "squad", "target": "foe"}}
    return asking.case({"book": "asl", "things": things, "ask": {"value": ["firepower", "act"]}})


def test_what_goes_unnoticed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [attack(kind) for kind in ("Fire", "Fire", "CloseCombat", "Fire", "CloseCombat")]
    assert differences(cases, monkeypatch) == ([], 2)
    monkeypatch.setattr(watched.Reads, "of", lambda self, name: {})  # planted: what a walk goes by is not compared
    assert len(differences(cases, monkeypatch)[0]) == 2


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = of_shape(40)
    kept: Kept = {}
    monkeypatch.setattr(walks, "met", known(kept))
    monkeypatch.setattr(walks, "WALKS", 3)
    for case in cases:
        listed(case)
    (frames,) = kept.values()
    assert 0 < frames.size() <= 3 and len(frames.known) == 1
    many: Frames[Lanes[walks.Gone]] = Frames(Lanes, 2, 100)
    theory = asking.rules(cases[0])
    for at in range(5):
        shape = {**SHAPE, "things": {**SHAPE["things"], f"other{at}": "Squad"}}
        many.note(theory, asking.case(shape))
    assert len(many.known) == 2
