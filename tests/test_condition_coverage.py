"""Condition coverage: a condition on which no case turns is told, with a situation that would; and one more case takes it away."""

from __future__ import annotations

from pathlib import Path

import pytest

from api import cli
from kb import asking
from kb.cases import casebook
from kb.cases.casebook import Written
from kb.research import condition_coverage
from kb.rulebook import compiler
from tests.night import NIGHT

CASES = Path(__file__).parent / "cases"
FLOOR = {"fow": 0.68, "vv": 0.65, "asl": 0.55}  # of the conditions and exceptions of the norms, how many a case turns


def silent(cases: list[Written], name: str, said: str) -> list[condition_coverage.Part]:
    """The parts of a norm, so begun, on which none of some cases turns."""
    found = condition_coverage.covered(cases, rules=lambda rule: rule == name.partition("/")[0])
    return [part for part in found.silent if part.name == name and part.said.startswith(said)]


def test_a_condition_on_which_no_case_turns_is_told_with_a_situation_that_does() -> None:
    both = ("vv-foxhole-cover", "vv-foxhole-infantry-in")
    cases = [case for case in casebook.in_file(CASES / "vv" / "20.9.yaml") if case.name in both]
    fewer = [case for case in cases if case.name != "vv-foxhole-infantry-in"]
    assert len(cases) == 2 and len(fewer) == 1 and not silent(cases, "20.9/who", "actors some (Unit except")
    (part,) = silent(fewer, "20.9/who", "actors some (Unit except")
    assert "infantry" in part.said.casefold() and part.place.file.endswith("20.md")
    told = condition_coverage.telling(part)
    assert told is not None and told.answer != told.without
    case = asking.case(told.case)
    without = compiler.amended(asking.rules(case), part.norms)
    assert condition_coverage.missed(without, asking.case({**told.case, "expect": {"verdict": "permitted"}}))


def test_an_exception_on_which_no_case_turns_is_told() -> None:
    cases = list(casebook.in_file(CASES / "vv" / "20.1.yaml"))
    labels = {part.said for part in condition_coverage.covered(cases).silent if part.said.startswith("unless ")}
    assert "unless indicated" in labels  # of 20.1/los, and no other file has a case of it
    every = {
        p.said for p in condition_coverage.parts(asking.rules(asking.case(cases[0]))) if p.said.startswith("unless ")
    }
    assert labels <= every


def test_a_case_that_is_answered_otherwise_than_it_expects_tells_nothing() -> None:
    (case,) = [c for c in casebook.in_file(CASES / "vv" / "20.9.yaml") if c.name == "vv-foxhole-infantry-in"]
    text = (
        Path(case.file).read_text(encoding="utf-8").partition("name: vv-foxhole-infantry-in")[2].partition("\n---")[0]
    )
    wrong = casebook.in_text("name: wrong" + text.replace("verdict: permitted", "verdict: forbidden"))
    assert condition_coverage.covered([case]).asked == 1 and condition_coverage.covered(wrong).asked == 0


def test_the_command_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["test", str(CASES / "vv" / "20.71.yaml"), "-q", "--rule", "20.71", "--conditions"]) == 0
    told = capsys.readouterr().out
    assert "no case turns on “unless special” of 20.71/special" in told and "are turned by a case" in told


@pytest.mark.slow
@pytest.mark.skipif(not NIGHT, reason="at night: every case of a book is asked once for each part of a norm")
@pytest.mark.parametrize("book", FLOOR)
def test_no_fewer_conditions_are_turned_than_were(book: str) -> None:
    found = condition_coverage.covered(casebook.of([CASES / book]))
    assert found.parts > 200 and 1 - len(found.silent) / found.parts >= FLOOR[book]
