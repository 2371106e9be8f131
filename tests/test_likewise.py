"""What is found of a thing that nobody told holds of the next such thing: it is taken over (kb.reasoner.likewise), and is just what would be
found anew."""

from __future__ import annotations

from typing import Any

import pytest

from kb import asking
from kb.answers import proof_json
from kb.checker.checker import certify
from kb.language.case import Case
from kb.reasoner import likewise, reason
from kb.reasoner.decision import decided
from kb.reasoner.staging import Effort
from kb.rulebook import compiler
from kb.rulebook.theory import Theory
from tests import corpus

# Moves from somewhere that is not told, with relations that rules add to, bar and leave open; and a building, of which one of them speaks.
NAMES = ("brt6-4-move-in", "brt6-12-cavalry", "brt6-33-vbm-no", "fresh-asl-t10")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [asking.case(corpus.named(name)) for name in NAMES]


@pytest.fixture
def theory(cases: list[Case]) -> Theory:
    """The rules, of which nothing was asked."""
    return compiler.amended(asking.rules(cases[0]), {})


def test_what_is_taken_over_is_what_is_found_anew(
    cases: list[Case], theory: Theory, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[likewise.Finding] = []
    take = likewise.Blank.take

    def noted(of: likewise.Blank, finding: likewise.Finding) -> None:
        taken.append(finding)
        take(of, finding)

    monkeypatch.setattr(likewise.Blank, "take", noted)
    found = [(told(theory, case), told(theory, case)) for case in cases]
    assert len(taken) >= len(cases)
    assert not certify(again := reason.answer(theory, cases[0]), theory, cases[0]) and again.considered
    monkeypatch.setattr(likewise.Blank, "known", lambda of, key, none_is: None)
    for case, both in zip(cases, found, strict=True):
        anew = told(compiler.amended(theory, {}), case)
        assert both == (anew, anew)


def told(theory: Theory, case: Case) -> dict[str, Any]:
    """All that an answer says."""
    return proof_json.to_json(reason.answer(theory, case), flips=False)


def test_it_takes_as_many_goals(cases: list[Case], theory: Theory) -> None:
    """Else what is left out for want of effort would depend on what was asked before. Only what a rule bars is not gone through again."""
    spent = []
    for _ in range(2):
        effort = Effort(100_000)
        decided(theory, cases[0], None, effort)
        spent.append(100_000 - effort.left)
    assert spent[1] <= spent[0] < 1.1 * spent[1]


def test_rules_of_their_own_find_their_own(cases: list[Case], theory: Theory) -> None:
    decided(theory, cases[0])
    assert theory.likewise.kept
    assert compiler.without(theory, next(iter(theory.norms))).likewise is None


def test_no_more_is_kept_than_may_be(cases: list[Case], theory: Theory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likewise, "MOST", 10)
    decided(theory, cases[0])
    assert theory.likewise.kept <= 10
