"""Every case under tests/cases and examples: asked once, compared with what it expects, and its proof checked.

By day an eighth of them: `.ci/run cases` compares them all.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import force_setattr

from api.cli_cases import tried
from kb import asking, registry
from kb.answers import proof_json
from kb.cases import casebook
from kb.cases.casebook import Written
from kb.checker.checker import certify
from kb.errors import CaseError
from kb.language.case import Case
from kb.reasoner import at_first, reason
from kb.reasoner.proof import Proof
from kb.rulebook import compiler
from kb.yaml_document import pieces
from tests import corpus
from tests.night import some

ROOT = Path(__file__).parent.parent
PARTS = 40  # small enough to fill what a process has left
FLOOR = {"asl": 2100, "vv": 556, "fow": 624}  # no fewer than there were: raise it as cases are added


@cache
def found() -> tuple[Written, ...]:
    return (*corpus.every(), *casebook.of([ROOT / "examples"]))


@pytest.mark.slow
@pytest.mark.parametrize("part", some(range(PARTS), of=8))
def test_each_case_is_answered_as_it_expects_and_its_proof_is_accepted(part: int) -> None:
    mine = found()[part::PARTS]
    faults = {case.place: said for case in mine if (said := fault(case))}
    assert len(mine) > 1000 // PARTS
    assert not faults, "\n\n".join(f"{name}: {said}" for name, said in faults.items())


def fault(written: Path | Written) -> str:
    """What is wrong with the answer to a case, or with its proof; "" for nothing."""
    proofs: list[Proof] = []
    case = asking.case(written)
    return tried(case, proofs.append) or "\n".join(str(problem) for proof in proofs for problem in certify(proof))


def test_a_proof_that_is_not_accepted_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the answer expected, of a proof that hides what it presumed."""
    path = ROOT / "examples" / "pillbox.yaml"
    asked = asking.ask

    def hiding(case: Case) -> Proof:
        found = asked(case)
        for outcome in found.considered:
            outcome.soft = False
        return found

    assert fault(path) == ""
    monkeypatch.setattr(asking, "ask", hiding)
    assert tried(asking.case(path)) == "" and fault(path).startswith("E8")


def test_what_is_written_out_as_source_finds_what_was_found_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Norms are tried as nested functions at first, and as source written out for them once they were asked often."""
    cases = [asking.case(written) for written in corpus.of("asl/B30.42.yaml")[::8]]

    def told(often: int) -> list[dict[str, Any]]:
        monkeypatch.setattr(at_first, "OFTEN", often)
        fresh = compiler.theory(registry.book("asl"), registry.vocabulary("asl"), ["B30"], shapes=())
        return [proof_json.to_json(reason.answer(fresh, case), False) for case in cases]

    assert len(cases) > 3
    assert told(1) == told(10**9)


def test_the_collector_finds_them() -> None:
    """Each case of tests/cases, by a count of its own; no two of one name, each in the file of its rule."""
    cases = corpus.every()
    books = Counter(case.data["book"] for case in cases)
    assert {book: books[book] >= floor for book, floor in FLOOR.items()} == dict.fromkeys(FLOOR, True)
    text = "".join(path.read_text(encoding="utf-8") for path in corpus.CASES.glob("*/*.yaml"))
    assert len(re.findall(r"^name: ", text, re.M)) == len(cases) + len(corpus.of("across/*.yaml"))
    names = [case.name for case in (*found(), *corpus.of("across/*.yaml"))]
    assert [name for name, n in Counter(names).items() if n > 1] == []
    assert {case.place for case in cases if (case.rule or "unruled") != Path(case.file).stem} == set()


def test_a_wrong_expectation_is_noticed() -> None:
    """Planted: each case of a few, with its verdict turned round, fails and shows what was answered."""
    tested = 0
    for written in corpus.of("asl/B30.42.yaml"):
        case = asking.case(written)
        if case.expect.get("verdict") in ("forbidden", "permitted"):
            turned = {"forbidden": "permitted", "permitted": "forbidden"}[case.expect["verdict"]]
            force_setattr(case, "expect", {**case.expect, "verdict": turned})
            report = tried(case)
            assert f"verdict: expected {turned}" in report and "the answer given:" in report
            tested += 1
        if tested == 3:
            return
    raise AssertionError("no case to plant a fault in")


def test_a_case_without_expectations_does_not_pass() -> None:
    case = asking.case(corpus.of("asl/B30.42.yaml")[0])
    force_setattr(case, "expect", {})
    assert "nothing to test" in tried(case)


# ── the documentation's own cases ──

SHOWN = [
    (page.name, text)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for shown in re.findall(r"```yaml\n((?:book|name): .*?)```", page.read_text(encoding="utf-8"), re.S)
    for _, text in pieces(shown)
    # The other pages have tests of their own: tests/test_new_rulebook.py, tests/test_errata_docs.py.
    if page.name not in ("rule-language.md", "new-rulebook.md", "errata.md")
]


@pytest.mark.parametrize(("page", "text"), SHOWN, ids=lambda value: value.split("\n")[0])
def test_a_case_shown_in_the_documentation_is_answered_as_it_says(page: str, text: str) -> None:
    case = asking.case(text)
    assert case.expect, f"a case in {page} expects nothing"
    assert tried(case) == ""


def test_the_documentation_shows_cases() -> None:
    assert [page for page, _ in SHOWN].count("cases.md") >= 6


# ── sides that a case only names ──

SIDES = """
book: asl
things:
  box: {is: Pillbox, exterior: yard}
  yard: GroundLevel
  squad: {is: Squad, at: yard, side: German}
  other: {is: Squad, at: yard, side: OTHER}
  go: {is: Move, actor: squad, destination: box}
ask: {may: go}
"""


@pytest.mark.parametrize(
    ("other", "verdict"), [("Russian", "forbidden"), ("german", "permitted"), ("Marines", "forbidden")]
)
def test_a_side_may_be_just_a_name(other: str, verdict: str) -> None:
    assert asking.ask(SIDES.replace("OTHER", other)).verdict == verdict


def test_a_nation_spelt_wrong_is_no_side() -> None:
    with pytest.raises(CaseError, match="Japanese") as caught:
        asking.case(SIDES.replace("OTHER", "Japanes"))
    assert [p.code for p in caught.value.problems] == [427]


def test_what_is_said_not_to_be_known_is_not_presumed_away_by_a_rule() -> None:
    text = "book: asl\nelsewhere: nothing\nthings: {box: {is: Pillbox, WITHDRAWN}, crew: {is: Crew, at: box}}\nask: {is: [crew, Known]}\n"
    assert asking.ask(text.replace("WITHDRAWN", "unknown: [FiredFrom]")).verdict == "undetermined"
    assert asking.ask(text.replace(", WITHDRAWN", "")).verdict == "no"
    assert asking.ask(text.replace("WITHDRAWN", "unknown: [Hidden]")).verdict == "no"


def test_a_number_that_the_case_gives_is_cited_to_the_rule_that_speaks_of_it() -> None:
    text = "book: asl\nthings: {box: {is: Pillbox, capacity: 3}}\nask: {value: [capacity, box]}\n"
    found = asking.ask(text)
    assert (found.answer, found.cites) == ("3", ("B30.111",))
