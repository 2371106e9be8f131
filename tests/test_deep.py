"""What is nested deeply is an error with its number, its place and what to do, at every door; what may stand is worked out whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from api import cli, guard as web, jobs, mcp_jobs
from kb import asking, yaml_document
from kb.checker.checker import certify
from kb.errors import CaseError, LoopholeError, QueryError, RulebookError, too_deep
from kb.language import condition_parser, tokens
from kb.rulebook import reader
from kb.triplestore import guard
from tests.night import NIGHT
from tests.own_book import CHAPTER, POLICY

DEPTHS = (50, 500, 5_000, 50_000) if NIGHT else (50, 5_000)
CONDITIONS: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "not (" * n + "Squad" + ")" * n,
    "unclosed": lambda n: "(not " * n + "Squad",
    "denied": lambda n: "not " * n + "Squad",
    "related": lambda n: "at some " * n + "Squad",
    "a sum": lambda n: "1" + "+1" * n + " = 2",
    "a product": lambda n: "1" + "*1" * n + " = 2",
    "signs": lambda n: "-" * n + "1 = 2",
    "carved": lambda n: "Squad" + " except (Pinned)" * n,
    "counted": lambda n: "count(at that " * n + "Squad" + ") > 1" * n,
    "called": lambda n: "abs(" * n + "1" + ")" * n + " > 1",
    "a path": lambda n: "at." * n + "at some Squad",
}
ASKED = "book: asl\nthings: {a: {is: Squad}}\nask: {is: [a, '%s']}"
SHAPES: dict[str, Callable[[int], str]] = {
    "lists": lambda n: "[" * n + "]" * n,
    "maps": lambda n: "{a: " * n + "1" + "}" * n,
    "JSON": lambda n: '{"a":' * n + "1" + "}" * n,
    "dashes": lambda n: "- " * n + "1",
    "questions": lambda n: "book: asl\nthings: {a: {is: Squad}}\nask: " + "{which: [a], ask: " * n + "{may: a}" + "}" * n,
}  # fmt: skip
QUERIES: dict[str, Callable[[int], str]] = {
    "groups": lambda n: "SELECT * " + "{ " * n + "}" * n,
    "lists": lambda n: "SELECT * { ?s ?p " + "(" * n + ")" * n + " }",
    "blank nodes": lambda n: "SELECT * { ?s ?p " + "[" * n + "]" * n + " }",
    "paths": lambda n: "SELECT * { ?s " + "a/" * n + "a ?o }",
    "denied": lambda n: "SELECT * { FILTER(" + "!" * n + "true) }",
}


def mendable(error: LoopholeError, *codes: int) -> bool:
    """Whether each fault has one of these numbers, a place, something to do, and no more words than one reads."""
    return all(p.code in codes and p.place.file and p.hint and len(str(p)) < 6_000 for p in error.problems)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", CONDITIONS)
def test_a_condition_too_deep(kind: str, depth: int, tmp_path: Path) -> None:
    said = CONDITIONS[kind](depth)
    with pytest.raises(CaseError) as told:
        asking.ask(ASKED % said)
    assert mendable(told.value, 435) and told.value.problems[0].place.line == 3
    chapter = tmp_path / "1.md"
    chapter.write_text(CHAPTER.replace("when     keeper some Unit", f"when     {said}"), encoding="utf-8")
    with pytest.raises(RulebookError) as told_:
        reader.chapter(chapter)
    (problem,) = told_.value.problems
    assert problem.code == 131 and problem.place.line > 40 and "nested" in problem.message and problem.hint


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_case_a_front_matter_and_a_policy_too_deep(shape: str, depth: int, tmp_path: Path) -> None:
    said = SHAPES[shape](depth)
    with pytest.raises(CaseError) as told:
        asking.ask(said)
    assert mendable(told.value, 404)
    if "\n" in said or depth < 500:
        return  # what a front matter may hold
    (tmp_path / "1.md").write_text(CHAPTER.replace("scope:", f"extra: {said}\nscope:"), encoding="utf-8")
    (tmp_path / "policy.yaml").write_text(POLICY + f"extra: {said}\n", encoding="utf-8")
    with pytest.raises(RulebookError) as told_:
        reader.book(tmp_path)
    assert {111, 103} <= {p.code for p in told_.value.problems}


@pytest.mark.parametrize("depth", [d for d in DEPTHS if d > guard.MOST_STEPS])
@pytest.mark.parametrize("kind", QUERIES)
def test_a_query_too_deep(kind: str, depth: int) -> None:
    with pytest.raises(QueryError) as told:
        guard.checked(QUERIES[kind](depth)[: guard.LONGEST])
    assert mendable(told.value, 636, 638)


def test_what_may_stand_is_worked_out_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, made in CONDITIONS.items():
        for depth in range(tokens.DEEPEST, 0, -1):
            try:
                condition_parser.condition(made(depth))
            except tokens.Fault:
                continue
            break
        if kind == "unclosed":
            continue
        assert depth >= tokens.DEEPEST // 3, f"{kind}: {depth} deep"
        if kind in ("denied", "brackets", "related", "a path"):
            proof = asking.ask(ASKED % made(depth))
            assert certify(proof, proof.theory, proof.case) == [] and asking.record(proof)
    monkeypatch.setattr(tokens, "DEEPEST", 1_000_000)  # planted: without the limit the parser's own stack is at its end
    with pytest.raises(RecursionError):
        condition_parser.condition(CONDITIONS["denied"](5_000))


def test_other_doors_tell_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    case = tmp_path / "case.yaml"
    case.write_text(SHAPES["lists"](5_000), encoding="utf-8")
    assert cli.main(["ask", str(case)]) == 2
    assert "E404 " in (said := capsys.readouterr().err) and f"{case}:1:" in said and "do: " in said
    for job in (mcp_jobs.stated, jobs.test):
        failed = jobs.run(0, job, SHAPES["maps"](5_000))
        assert isinstance(failed, jobs.Failed) and failed.problems[0].code == 404
    assert web.deep(b"[" * 50_000) and not web.deep(b"[]" * 50_000)

    def endless(text: object) -> object:  # planted: what no reader found too deep
        return endless(text)

    assert jobs.run(0, endless, "") == jobs.Failed(CaseError, too_deep().problems)
    monkeypatch.setattr(asking, "ask", lambda *a, **k: endless(a))
    case.write_text(ASKED % "Squad", encoding="utf-8")
    assert cli.main(["ask", str(case)]) == 2
    assert "E404: it is nested too deeply" in (said := capsys.readouterr().err) and "do: " in said
    assert "this should not have happened" not in said


# ── what the readers take grows as the text does ──

LONG = {
    "points": "SELECT * { " + "a." * 30_000, "hyphens": "a-" * 30_000, "quotes": "SELECT * { " + '"\\' * 26_000,
    "others": "SELECT * { " + "'\\" * 26_000, "IRIs": "<a" * 30_000, "services": "SERVICE " * 7_900, "signs": "?" * 60_000,
}  # fmt: skip


@pytest.mark.parametrize("kind", LONG)
def test_a_long_query_is_read_at_once(kind: str) -> None:
    begun = time.process_time()
    try:
        guard.checked(LONG[kind])
    except QueryError as e:
        assert len(e.problems) <= guard.MOST_FAULTS and mendable(e, 632, 634, 640)
    assert time.process_time() - begun < 3


def test_a_body_of_open_strings_is_read_at_once() -> None:
    begun = time.process_time()
    web.deep(b"[" * 200 + b'"\\' * 120_000)
    assert time.process_time() - begun < 1
    assert not web.deep(b'{"a": "' + b"[" * 500 + b'\\"\n' + b"{" * 500)


def test_the_tokens_are_all_the_text() -> None:
    for text in ("a.b-c.d:e f.g", "é.x", "_:b _x", "a.1e+5", "1.2e3", 'a "b" c.d', "a..b", "x.y", 'open "'):
        assert "".join(t.text for t in guard.tokens(text)) == text
    assert [(t.kind, t.text) for t in guard.tokens("a.b:c d.e")] == [
        ("name", "a.b:c"), ("space", " "), ("word", "d"), ("sign", "."), ("word", "e"),
    ]  # fmt: skip


def test_plain_values_are_those_of_yaml() -> None:
    assert yaml_document.values("a: [1, yes]\nb: {c: 2.5}") == {"a": [1, True], "b": {"c": 2.5}}
