"""The tools for assistants: small enough to hand over whole, spoken to by the SDK's own client, wrong in words that a model can mend."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api import mcp_jobs, mcp_tools
from api.mcp_server import INSTRUCTIONS, Assistants, described
from api.mcp_tools import TEXT, TOOLS, Argument, Tool
from api.settings import Settings
from kb import asking, registry
from kb.answers import explain
from kb.answers.parts import Part
from kb.errors import CaseError, Problem, QueryError
from kb.search import lookup, wording
from tests.mcp_sessions import Talk, by_http, by_stdio, serving_http
from tests.night import turn

MOST_TOKENS = 3000
A_TOKEN = 3.5  # characters, fewer than any tokenizer makes of English and JSON
CASE = """book: asl
things:
  squad: {is: [Squad, Friendly], at: yard}
  foe:   {is: [Squad, Enemy], at: yard}
  yard:  {is: GroundLevel}
  box:   {is: Pillbox, exterior: yard}
  move:  {is: Move, actor: squad, destination: box}
ask: {may: move}
"""


def tokens(tools: list[dict[str, Any]], more: str = "") -> float:
    """At least as many tokens as a description of tools has."""
    return len(json.dumps(tools, ensure_ascii=False) + more) / A_TOKEN


# ── the tools as they are described ──


def test_all_that_a_model_is_handed_is_small() -> None:
    told = [described(t).model_dump(by_alias=True, exclude_none=True) for t in TOOLS]
    assert len(told) == 12
    assert tokens(told, INSTRUCTIONS) < MOST_TOKENS


def test_a_tool_that_talks_too_much_is_noticed() -> None:
    long = Tool("long", "a word and another " * 550, {}, lambda a: ())
    assert tokens([described(t).model_dump(by_alias=True, exclude_none=True) for t in (*TOOLS, long)]) > MOST_TOKENS


def test_every_fault_in_the_arguments_is_told() -> None:
    with pytest.raises(QueryError) as told:
        mcp_tools.find("ask").given({"kase": "x", "whole": "yes"})
    said = str(told.value)
    assert len(told.value.problems) == 3
    assert (
        "did you mean case?" in said and "ask needs “case”" in said and "“whole” is to be of the type boolean" in said
    )
    with pytest.raises(QueryError, match=r"E617.*\n.*did you mean ask"):
        mcp_tools.find("asks")
    with pytest.raises(QueryError, match="E616"):
        Tool("t", "", {"a": Argument(TEXT)}, lambda a: ()).given({"a": "x" * (mcp_tools.LONGEST + 1)})


def told_in(room: str) -> list[str]:
    """The texts of a package that are no descriptions of its code."""
    found = []
    for file in sorted((Path(__file__).parent.parent / "kb" / room).glob("**/*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        about = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        found += [
            n.value
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in about
        ]
    return found


@pytest.mark.parametrize("room", ["answers", "cases", "compare", "english", "search"])
def test_what_to_do_is_told_by_tools_not_by_commands_or_docs(room: str) -> None:
    named = [n for said in told_in(room) for n in mcp_tools.ELSEWHERE.finditer(said)]
    left = {mcp_tools.in_tools(n) for n in named} & {n[0] for n in named}
    assert named and left <= {"docs/across-games.md"}, left  # how a file of comparisons is written, which no tool takes


def test_a_fault_is_told_with_the_tool_that_mends_it() -> None:
    hint = "see loophole terms, docs/cases.md or docs/new-rulebook.md; name one: --book; loophole mcp"
    said = mcp_tools.mendable(QueryError([Problem(425, "one", hint=hint), Problem(434, "two; see loophole terms")]))
    assert said.splitlines()[1] == (
        "  do: see find_words, tool guide or tool guide, page rulebook; name one: book; loophole mcp"
    )
    assert "two; see loophole terms" in said and said.endswith("\n\n2 problems: mend and call again")


def test_writing_tools_are_shown_to_who_may_use_them() -> None:
    def names(local: bool, token: str) -> set[str]:
        listed = asyncio.run(Assistants(Settings(token=token), local).tools(None, None))  # type: ignore[arg-type]
        return {t.name for t in listed.tools}

    every = {t.name for t in TOOLS}
    assert names(True, "") == names(False, "secret") == every
    assert every - names(False, "") == {"new_book", "check"}


# ── what they say ──


def test_words_are_found_with_how_they_are_put() -> None:
    (found,) = wording.find("on top of the pillbox", "asl")
    assert any("onTopOf: box" in n.write for n in found.notes)
    assert "onTopOf" in [t.name for t in found.terms]
    said = mcp_jobs.words("LOF blocked, gibberish zxqv", "asl")
    assert "LOFBlocked" in said and "nothing; say it in other words" in said
    assert "MGFire: act" in mcp_jobs.words("MG fire", "asl")
    assert "caModification: number of Pillbox" in mcp_jobs.words("caModification", "asl")
    with pytest.raises(QueryError, match="E620"):
        wording.find(" , ;", "asl")


def test_words_that_have_little_to_do_with_a_notion_are_left_out() -> None:
    assert [t.name for t in wording.find("Marines", "asl")[0].terms] == ["Marines"]  # not all that one may *use*
    notes = wording.find("Japanese squad holds the building", "asl")[0].notes
    assert notes and not any("how many pillboxes" in n.means for n in notes)  # it holds no more than Japanese
    assert any("destination: yard" in n.write for n in wording.find("going out of the pillbox", "asl")[0].notes)


@pytest.mark.parametrize(
    ("said", "book", "written"),
    [
        ("turn the pillbox", "asl", "ChangeOfCA"), ("placing a demolition charge", "asl", "PlacedDC"),
        ("adjacent hex outside CA", "asl", "FromOutsideCA"), ("no other unit has moved", "asl", "MPhOver"),
        ("capture the pillbox", "asl", "ControlGain"), ("destroy the pillbox", "asl", "{effects: shot}"),
        ("DFF", "asl", "promptedBy"), ("placing a cave", "vv", "distanceToNearestCave"),
        ("moved this turn", "vv", "MovementPhase"), ("won the assault", "fow", "{is: Assault"),
    ],
)  # fmt: skip
def test_how_a_notion_is_put_is_found_in_whatever_form_its_words_are(said: str, book: str, written: str) -> None:
    few = wording.find(f"{said}, pillbox", book)[0].notes
    assert any(written in n.text for n in few), [n.means for n in few]


def test_a_word_told_above_is_named_again_where_it_is_found_again() -> None:
    said = mcp_jobs.words("normal range, shooting beyond range, long range", "asl")
    assert said.count("- LongRange: act") == 1
    beyond, long = said.split("## ")[2:]
    assert "- Fire: act" in beyond and re.search(r"- above: .*LongRange", beyond) and "- above: LongRange" in long


@pytest.mark.parametrize("book", ["asl", "vv", "fow"])
def test_a_rule_in_short_names_every_word_that_its_norms_read(book: str) -> None:
    vocabulary, short, long = registry.vocabulary(book), 0, 0
    known = set(vocabulary.classes) | set(vocabulary.properties)
    for number in registry.theory(book).sections:
        found = lookup.rule(number, [book], registry.theory)
        whole = lookup.text(found, asking.quotes(found.theory), mcp_jobs.WIDE)
        brief = mcp_jobs.rule(number, book)
        read, told = (known & set(re.findall(r"\w+", said)) for said in (whole, brief))
        assert read - mcp_jobs.GRAMMAR <= told and "(cut:" not in brief, number
        assert all(n.id in brief for n in found.section.norms), number
        short, long = short + len(brief), long + len(whole)
    assert short < 0.8 * long


@pytest.mark.parametrize("book", ["asl", "vv", "fow"])
def test_every_book_has_lines_on_how_notions_are_put(book: str) -> None:
    rows, weight = wording.page(book)
    assert len(rows) >= 25 and sum(bool(n.write) for n, _, _ in rows) >= 20 and weight
    assert not any("you mean" in n.means or set(n.means) <= {"-"} for n, _, _ in rows)


def test_an_answer_in_short_is_short_and_says_where_the_rest_is() -> None:
    short, whole = mcp_jobs.answer(CASE, False, ()), mcp_jobs.answer(CASE, True, ())
    assert short.startswith("FORBIDDEN: squad may not move into box (B30.42)") and "WOULD FLIP IT" in short
    assert "more (whole: true)" in short and len(short) < 0.75 * len(whole)


def test_a_question_in_english_is_understood_first_or_asked_back() -> None:
    said = mcp_jobs.answer("May a pinned squad move?", False, (), "asl")
    assert said.startswith("UNDERSTOOD AS\nbook: asl") and "FORBIDDEN: squad may not move (A7.8)" in said
    with pytest.raises(CaseError, match="E463: “brokken” is not understood here"):
        mcp_jobs.answer("May a brokken squad move?", False, (), "asl")
    assert mcp_jobs.answer(CASE, False, (), "asl").startswith("FORBIDDEN")


def test_a_question_in_english_may_speak_of_a_book_and_of_things() -> None:
    with pytest.raises(CaseError, match="E463: “book” is not understood here"):
        mcp_jobs.answer("May a pinned squad move by the book and other things?", False, (), "asl")
    for case in (json.dumps({"book": "asl", "things": {"s": "Squad"}, "ask": {"is": ["s", "Squad"]}}), "\n" + CASE):
        assert mcp_jobs.answer(case, False, (), "asl").startswith(("YES", "FORBIDDEN"))


def test_changes_of_many_conditions_are_left_for_the_whole_proof() -> None:
    group = Part("to no:", (Part("if it is pinned"), Part("if " + "this and that " * 20)))
    assert [p.text for p in mcp_jobs.sayable(group).parts] == ["if it is pinned", "… 1 longer (whole: true)"]
    assert mcp_jobs.sayable(replace(group, parts=group.parts[:1])).parts == group.parts[:1]


def test_what_is_assumed_of_things_and_would_turn_the_answer_is_told_first() -> None:
    proof = asking.ask(asking.case(CASE.replace("  foe:   {is: [Squad, Enemy], at: yard}\n", "")))
    (told, plain) = (
        [p.text for p in s.parts]
        for flips in (True, False)
        for s in explain.outline(proof, flips=flips).parts
        if s.text == "ASSUMED"
    )
    assert sorted(told) == sorted(plain) and len(told) > mcp_jobs.ASSUMED
    nobody = next(row for row in told if row.endswith("nothing else is outside in the hex of box"))
    assert told.index(nobody) < mcp_jobs.ASSUMED < plain.index(nobody)
    assert told.index("squad is not pinned") < told.index("no weapon of move is named")


def test_keys_of_other_formats_are_told_by_what_they_are_called_here() -> None:
    with pytest.raises(CaseError) as told:
        mcp_jobs.stated("book: asl\nfacts:\n  squad: {is: Squad}\nquestion: {may: move}\n")
    assert {p.message: p.hint for p in told.value.problems if p.code == 411} == {
        "unknown key “facts”": "write things", "unknown key “question”": "write ask",
    }  # fmt: skip


def test_a_case_that_reads_says_what_is_not_used() -> None:
    said = mcp_jobs.stated(CASE)
    assert "NOT USED: nothing" in said and "move is done by squad" in said
    assert "UNDERSTOOD" in mcp_jobs.stated(CASE.replace("exterior: yard", "at: yard"))
    said = mcp_jobs.stated(CASE.replace("exterior: yard", "exterior: yard, ncaModification: 5"))
    assert "`ncaModification: 5` of box is not read by this question" in said


def test_an_interview_says_what_it_was_told_and_which_acts_there_are() -> None:
    said = mcp_jobs.interview("Move", "asl", "may", ("pillbox",))
    assert said.startswith("so far: what does the move lead into? pillbox\nwho is to move?")
    assert not mcp_jobs.interview("Move", "asl", "may", ()).startswith("so far")
    with pytest.raises(CaseError, match=r"E450: .*“going into a pillbox”\n  do: acts that it may be: .*PillboxEntry"):
        mcp_jobs.interview("going into a pillbox", "asl", "may", ())
    with pytest.raises(CaseError, match=r"E450: .*“zxqv”\n  do: see loophole terms act"):
        mcp_jobs.interview("zxqv", "asl", "may", ())


def test_the_guide_is_true() -> None:
    guide = mcp_jobs.guide("guide")
    assert len(guide) / A_TOKEN < 2000
    (case,) = re.findall(r"```yaml\n(.*?)```", guide, re.S)
    assert asking.ask(asking.case(case)).verdict == "forbidden"
    named = set(re.findall(r"`(\w+)`", guide)) & {t.name for t in TOOLS}
    assert {"find_words", "state_case", "ask", "rule", "search"} <= named
    for question in re.findall(r"`(\{(?:may|must|is|value|effects|which): [^`]*\})`", guide):
        assert question.count("{") == question.count("}")
    for page in mcp_jobs.PAGES:
        assert len(mcp_jobs.guide(page)) > 1000
    with pytest.raises(QueryError, match="E615"):
        mcp_jobs.guide("../LICENSE")


# ── a book of one's own ──

TERMS = """---
title: Pickets
---

| kind | is a | means | source |
|---|---|---|---|
| Dugout | ProtectedPost, Location | protected post that is cut into the ground | 1.1 |
"""
CHAPTER = """---
book: pickets
chapter: "1"
title: Dugouts
authority: chapter
edition: "1"
scope:
  partly:
    - {of: [{Fire: actor some (at some Dugout)}], with: [the page on fire], those: "let it fire", bars: ["1.5"]}
---

## 1.5 Mortars {#1.5}

No mortar fires out of a dugout.

```norms
1.5
  forbids  Fire
  when     actor some (at some Dugout) and weapon some Mortar
```
"""
PICKETS = """book: pickets
things:
  team: {is: Infantry, at: hole}
  hole: Dugout
  shot: {is: Fire, actor: team, weapon: Mortar}
ask: {may: shot}
expect: {verdict: forbidden, cites: ["1.5"]}
"""


def test_nothing_is_written_where_no_book_may_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from api import mcp_authoring

    monkeypatch.delenv("LOOPHOLE_BOOKS", raising=False)
    with pytest.raises(CaseError, match="E470"):
        mcp_authoring.write("pickets", "", {}, False)
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path))
    for name in ("asl", "core", "../pickets", "Pickets", ""):
        with pytest.raises(CaseError, match="E471"):
            mcp_authoring.write(name, "", {}, False)
    for file in ("../x.md", "/tmp/x.md", "terms/../../x.md", "x.py", "policy.yaml/x.md", ".x.md"):
        with pytest.raises(CaseError, match="E472"):
            mcp_authoring.write("pickets", "", {file: "x"}, True)
    assert list(tmp_path.iterdir()) == []
    mcp_authoring.write("pickets", "Pickets", {"1.md": "one"}, False)
    with pytest.raises(CaseError, match="E473"):
        mcp_authoring.write("pickets", "", {"1.md": "two", "2.md": "new"}, False)
    assert sorted(p.name for p in (tmp_path / "pickets").iterdir()) == ["1.md", "policy.yaml"]
    mcp_authoring.write("pickets", "", {"1.md": "two"}, True)
    assert (tmp_path / "pickets" / "1.md").read_text(encoding="utf-8") == "two\n"


# ── sessions ──


@pytest.fixture(scope="module")
def session() -> Talk:
    calls = [
        ("ask", {"case": CASE}),
        ("ask", {"case": CASE.replace("Squad, Enemy", "Squid, Enemy")}),
        ("state_case", {"case": CASE}),
        ("find_words", {"words": "going in, enemy outside", "book": "asl"}),
        ("rule", {"number": "30.42"}),
        ("search", {"query": "pillbox smoke", "kind": "rule"}),
        ("interview", {"act": "Move", "book": "asl", "answers": ["pillbox"]}),
        ("compare", {"question": "may a mortar fire from inside a bunker?"}),
        ("impact", {}),
        ("test", {"cases": CASE + "expect: {verdict: permitted}\n"}),
        ("guide", {}),
        ("nothing", {}),
    ]  # fmt: skip
    return by_stdio(calls, ["loophole://guide/guide", "loophole://rule/asl/B30.42"])


@pytest.mark.slow
def test_a_session_over_stdio(session: Talk) -> None:
    assert {t["name"] for t in session.tools} == {t.name for t in TOOLS}
    asked, faulty, stated, words, rule, search, interview, compare, impact, test, guide, nothing = session.said
    assert asked.text.startswith("FORBIDDEN: squad may not move into box (B30.42)") and not asked.wrong
    assert faulty.wrong
    assert re.search(r"E423 case:4:16: .*“Squid”(.|\n)*did you mean Squad", faulty.text)
    assert "TOLD" in stated.text and not stated.wrong
    assert "destination: box" in words.text and "exterior" in words.text
    assert "forbids" in rule.text and rule.text.startswith("B30.42")
    assert "- B30." in search.text
    assert "why:" in interview.text
    assert "no (B30.2)" in compare.text
    assert "A7.55-able" in impact.text
    assert test.text.startswith("0 passed, 1 failed") and not test.wrong
    assert guide.text.startswith("# Stating a case")
    assert nothing.wrong and "E617" in nothing.text
    assert session.read[0].startswith("# Stating a case") and session.read[1].startswith("B30.42")
    assert max(len(s.text) for s in session.said) <= mcp_jobs.LONGEST + 50


@turn(of=3)
@pytest.mark.slow
@pytest.mark.reasoner
def test_a_book_is_written_checked_and_asked_in_one_session(tmp_path: Path) -> None:
    write = {
        "book": "pickets",
        "title": "Pickets",
        "files": {"terms/dugouts.md": TERMS, "1.md": CHAPTER.replace("Mortar\n", "Mortr\n")},
    }
    calls = [
        ("new_book", write),
        ("check", {"book": "pickets"}),
        ("new_book", {"book": "pickets", "files": {"1.md": CHAPTER}, "replace": True}),
        ("check", {"book": "pickets"}),
        ("test", {"cases": PICKETS}),
    ]  # fmt: skip
    begun, faulty, mended, checked, tested = by_stdio(calls, LOOPHOLE_BOOKS=str(tmp_path)).said
    assert not begun.wrong and "E201" in faulty.text and "did you mean Mortar?" in faulty.text
    assert not mended.wrong and checked.text.endswith("no problems")
    assert tested.text.startswith("1 passed, 0 failed")


@pytest.mark.slow
def test_a_session_over_http(tmp_path: Path) -> None:
    begin = ("new_book", {"book": "pickets", "title": "Pickets"})
    with serving_http(LOOPHOLE_BOOKS=str(tmp_path), LOOPHOLE_TIME_LIMIT="20") as address:
        open_ = by_http(address, [("ask", {"case": CASE}), begin], ["loophole://rule/asl/B30.42"])
        elsewhere = httpx2.post(address, json={}, headers={"host": "rebound.example", "accept": "application/json"})
        large = httpx2.post(address, content=b"x" * 300_000, headers={"content-type": "application/json"})
    assert open_.said[0].text.startswith("FORBIDDEN") and open_.read[0].startswith("B30.42")
    assert "new_book" not in {t["name"] for t in open_.tools}
    assert open_.said[1].wrong and "E618" in open_.said[1].text
    assert elsewhere.status_code == 421 and large.status_code == 413
    assert list(tmp_path.iterdir()) == []


@turn(of=3, on=1)
@pytest.mark.slow
def test_the_token_lets_write_over_http(tmp_path: Path) -> None:
    begin = ("new_book", {"book": "pickets", "title": "Pickets"})
    with serving_http(LOOPHOLE_BOOKS=str(tmp_path), LOOPHOLE_TOKEN="secret") as address:
        without, wrong, right = (by_http(address, [begin], token=t) for t in ("", "secre", "secret"))
    assert without.said[0].wrong and wrong.said[0].wrong and "E618" in wrong.said[0].text
    assert not right.said[0].wrong and (tmp_path / "pickets" / "policy.yaml").is_file()


@turn(of=3, on=2)
@pytest.mark.slow
def test_the_session_of_the_page_is_what_it_says(root: Path) -> None:
    page = (root / "docs" / "mcp.md").read_text(encoding="utf-8")
    code, said = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.S).groups()  # type: ignore[union-attr]
    here = code.replace(
        'command="loophole", args=["mcp"]', f'command={sys.executable!r}, args=["-m", "api.cli", "mcp"]'
    )
    assert here != code
    done = subprocess.run([sys.executable, "-c", here], cwd=root, capture_output=True, text=True)
    assert done.stdout == said, done.stderr


@pytest.mark.slow
def test_an_answer_at_the_terminal_does_not_load_the_sdk(root: Path) -> None:
    code = "import sys; from api.cli import main; main(['ask', 'examples/pillbox.yaml']); sys.exit(any(m.startswith(('mcp', 'anyio', 'starlette')) for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("FORBIDDEN")


def test_one_tool_changed_is_one_tool_changed() -> None:
    """The description comes from the table that calls go by."""
    tool = replace(TOOLS[0], about="planted")
    assert described(tool).description == "planted" and described(tool).input_schema == tool.schema()
