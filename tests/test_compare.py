"""Questions across games: found by their words, answered by each book, compared with what is held to be right."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

from api import cli, cli_compare
from kb import registry
from kb.cases import casebook
from kb.cases.casebook import Written
from kb.compare import (
    compare,
    comparison,
    expectations as compare_expect,
    page as compare_page,
    question as compare_question,
    worded,
)
from kb.errors import CaseError
from tests import corpus
from tests.night import some

ROOT = Path(__file__).parent.parent
FOUND = corpus.of("across/*.yaml")
NAMED = comparison.named()


# By day a sixth of them: `.ci/run cases` compares them all.
@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in some(FOUND, of=6)])
def test_the_answers_across_games_are_as_expected(case: Written) -> None:
    assert case.compares
    assert cli_compare.tried(case) == ""


def test_the_collector_finds_them() -> None:
    """No fewer than there were, and every question shipped has its expectations."""
    assert len(FOUND) >= 109 and len(NAMED) >= 80
    asked = {compare_question.find(said, NAMED).name for p in FOUND if (said := compare_expect.read(p).compare)}
    assert set(NAMED) - asked == {"pinned-fire"}


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (("answer", "yes"), "vv Bunker: answer: expected yes, got no"),
        (("cites", ["20.6"]), "cites: expected 20.6 among 20.5"),
        (("verdict", "permitted"), "verdict: expected permitted, got forbidden"),
        (("kind", "Igloo"), "vv: no row for Igloo"),
        (("notes", "snow"), "nothing says “snow”"),
        (("defeated", ["20.9"]), "defeated: expected 20.9"),
    ],
)
def test_a_wrong_expectation_is_noticed(plant: tuple[str, object], said: str) -> None:
    expected = compare_expect.Expected("mortar-from-inside", {"vv": {"answer": "no", plant[0]: plant[1]}})
    found = compare_expect.mismatches(expected, compare.answer(NAMED["mortar-from-inside"]))
    assert said in "\n".join(found)


def test_a_wrong_list_of_systems_is_noticed() -> None:
    answered = compare.answer(NAMED["blocks-line-of-sight"])
    assert answered.systems() == ["fow", "vv"] and answered.systems("no") == ["asl"]
    expected = compare_expect.Expected("", {"vv": {"answer": "yes"}}, ("asl",))
    assert compare_expect.mismatches(expected, answered) == ["systems: expected asl, got fow, vv"]


def test_a_file_of_expectations_says_all_its_faults(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("compare: mines\nsystem: [vv]\nexpect:\n  chess: {answer: 1}\n  vv: {anser: 3}\n", encoding="utf-8")
    with pytest.raises(CaseError) as e:
        compare_expect.read(casebook.one(casebook.in_file(file)))
    said = str(e.value)
    assert "did you mean systems?" in said and "no book “chess”" in said and "did you mean answer?" in said


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("may a mortar fire from inside a bunker?", "mortar-from-inside"),
        ("Can mortars shoot out of pillboxes", "mortar-from-inside"),
        ("mortar-from-inside", "mortar-from-inside"),
        ("does a pillbox block LOS", "blocks-line-of-sight"),
        ("may smoke be inside a pillbox", "smoke-inside"),
        ("may smoke never be inside a pillbox", "smoke-never-inside"),
        ("How many squads fit into a bunker?", "capacity"),
        ("what cover does a foxhole provide", "trench-cover"),
        ("May trucks go through barbed wire?", "wire-vehicle"),
    ],
)
def test_a_question_is_found_by_its_words(sentence: str, name: str) -> None:
    assert compare_question.find(sentence, NAMED).name == name


def test_a_question_put_the_other_way_round_is_answered_the_other_way_round() -> None:
    turned = [(text, compare_question.find(text, NAMED), c.name) for c in NAMED.values() for text in c.contrary]
    assert len(turned) >= 10
    assert [text for text, found, name in turned if found.name != name or not found.turned] == []
    for text, answer in (("Does barbed wire stop vehicles?", "yes"), ("May a truck go through barbed wire?", "no")):
        rows = compare.answer(compare_question.find(text, NAMED), ["vv"]).rows
        assert [row.answer for row in rows] == [answer]


def test_a_question_with_not_is_answered_the_other_way_round() -> None:
    asked = compare_question.find("In which of the systems may artillery not target a bunker?", NAMED)
    assert asked.name == "artillery" and asked.turned and "not" in asked.question
    assert [row.answer for row in compare.answer(asked, ["fow"]).rows] == ["yes"] * len(
        compare.answer(asked, ["fow"]).rows
    )
    assert not compare_question.find("may artillery target a bunker?", NAMED).turned


@pytest.mark.slow
def test_every_wording_finds_its_own_question() -> None:
    asked = [(text, c.name) for c in NAMED.values() for text in (c.question, *c.also)]
    assert len(asked) >= 40
    assert [(text, compare_question.find(text, NAMED).name) for text, _ in asked] == asked


def test_a_question_that_nobody_wrote_is_made_from_the_words() -> None:
    made = compare_question.find("may a flamethrower fire at a bunker", NAMED)
    assert made.name == "" and made.about == "ProtectedPost"
    assert made.wording.things["act"] == {"is": "Fire", "actor": "actor", "weapon": "Flamethrower", "target": "post"}
    inside = compare_question.find("may a leader fire out of a trench", NAMED)
    assert inside.about == "Entrenchment" and inside.wording.things["actor"] == {
        "is": ["Leader", "Friendly"],
        "at": "post",
    }
    answered = compare.answer(compare_question.find("may aircraft attack a bunker", NAMED))
    assert {r.answer for r in answered.rows if r.book == "fow"} == {"no"}


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("may a mortr fire at a bunker", "“mortr” (did you mean mortar"),
        ("may a dragon fire at a bunker", "no book knows “dragon”"),
        ("why", "none of the questions"),
        ("", "none of the questions"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told_why(sentence: str, said: str) -> None:
    with pytest.raises(CaseError) as e:
        compare_question.find(sentence, NAMED)
    assert said in str(e.value) and "loophole compare --list" in str(e.value)


def test_each_game_has_its_own_kinds() -> None:
    names = {b: [t.name for t in compare.kinds(registry.vocabulary(b), "ProtectedPost") if t] for b in registry.books()}
    assert names["vv"] == ["Bunker", "ConcreteBunker", "EarthenBunker"]
    assert {"Nest", "PillBox", "Turret"} < set(names["fow"]) and "Pillbox" in names["asl"]


def test_a_kind_told_apart_by_its_narrower_kinds_has_no_row_of_its_own() -> None:
    rows = compare.answer(NAMED["protection"], ["vv"]).rows
    assert [(r.kind, r.answer) for r in rows] == [("ConcreteBunker", "4"), ("EarthenBunker", "3")]


def test_the_same_word_for_different_things_is_told() -> None:
    listed = compare.meanings("obstacle")
    assert {m.book for m in listed} == {"asl", "fow", "vv"}
    assert "in common: nothing but the word" in compare_page.meanings_text(listed, "obstacle", 100)
    words = {row[0].word for row in compare.answer(NAMED["mortar-from-inside"]).homonyms}
    assert words == {"bunker"}
    assert "no game has" in compare_page.meanings_text(compare.meanings("igloo"), "igloo", 100)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 1\n", "a comparison is a mapping"),
        ("ask: {may: x}\n", "its question in words"),
        ("question: Why?\n", "“ask” is a mapping"),
        ("question: Why?\nabuot: x\nask: {may: x}\n", "did you mean about?"),
        ("question: Why?\nabout: ProtectdPost\nask: {may: x}\n", "did you mean ProtectedPost?"),
        ("question: Why?\nask: {may: x}\ninstead: [{says: x}]\n", "says for whom it is"),
        ("question: Why?\nask: {may: x}\ninstead: [{in: vv, sais: x}]\n", "did you mean says?"),
    ],
)
def test_a_faulty_question_is_told_what_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as e:
        comparison.read(file)
    assert said in str(e.value) and "q.yaml" in str(e.value)


def test_a_word_that_no_game_knows_is_a_fault_and_not_an_answer() -> None:
    data = {"question": "?", "things": {"x": {"is": "Zeppelin"}}, "ask": {"is": ["x", "Unit"]}}
    with pytest.raises(CaseError, match="Zeppelin"):
        compare.answer(comparison.comparison(data))


# ── the page and the door ──


@pytest.mark.slow
def test_the_page_is_current_and_a_stale_one_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = list(compare_page.answers())  # every named question: once for the three looks at the page
    monkeypatch.setattr(compare_page, "answers", lambda: answered)
    page = tmp_path / "across-games.md"
    shutil.copy(ROOT / "docs" / "across-games.md", page)
    assert compare_page.check(page) == 0, "run python -m kb.compare.page build"
    text = page.read_text(encoding="utf-8")
    assert text.count("`loophole compare ") >= len(NAMED)
    page.write_text(text.replace("| **yes** | 20.5, 20.1 |", "| **no** | 20.5 |"), encoding="utf-8")
    assert compare_page.check(page) == 1 and "is stale" in capsys.readouterr().out
    compare_page.build(page)
    assert page.read_text(encoding="utf-8") == text


def test_the_question_and_the_expectations_on_the_page_work(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "across-games.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in text.split("```yaml\n")[1:]]
    assert len(blocks) == 2
    answered = compare.answer(comparison.comparison(yaml.safe_load(blocks[0])))
    assert {r.answer for r in answered.rows if r.book == "fow"} == {"does not arise"}
    file = tmp_path / "expected.yaml"
    file.write_text(blocks[1], encoding="utf-8")
    assert cli_compare.tried(casebook.one(casebook.in_file(file))) == ""


def test_the_door_shows_a_table_and_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    assert cli.main(["compare", "may a mortar fire from inside a bunker?"]) == 0
    said = capsys.readouterr().out
    assert "Valor & Victory" in said and "20.5" in said and "B30.2" in said and "does not arise" in said
    assert "“bunker” does not mean the same" in said
    assert cli.main(["compare", "--json", "--book", "vv", "mortar-from-inside"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == "loophole-comparison/1" and {r["book"] for r in data["rows"]} == {"vv"}
    assert data["rows"][0]["verdict"] == "forbidden" and data["rows"][0]["cites"][0] == "20.5"
    assert cli.main(["compare", "--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(NAMED)
    assert cli.main(["compare", "--word", "obstacle"]) == 0
    assert "nothing but the word" in capsys.readouterr().out
    assert cli.main(["compare", "may a mortr fire"]) == 2
    assert "mortar" in capsys.readouterr().err
    assert cli.main(["compare", "--book", "chess", "mines"]) == 2
    assert "no book “chess”" in capsys.readouterr().err


def test_loophole_test_runs_expectations_across_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.yaml").write_text("compare: mines\nexpect: {vv: {answer: '3'}}\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("compare: mines\nexpect: {vv: {answer: '4'}}\n", encoding="utf-8")
    assert cli.main(["test", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "answer: expected 4, got 3" in said and "1 passed, 1 failed" in said


@pytest.mark.parametrize(
    ("sentence", "same"),
    [
        ("may a bunker be attacked by a tank", "may a tank attack a bunker"),
        ("may a foxhole be occupied by a gun", "may a gun occupy a foxhole"),
        ("may a bunker be assaulted", "may assault a bunker"),
    ],
)
def test_the_passive_asks_what_the_active_asks(sentence: str, same: str) -> None:
    assert worded.built(sentence).wording == worded.built(same).wording  # type: ignore[union-attr]
    assert worded.built("may a tank attack a trench").about == "Entrenchment"  # type: ignore[union-attr]


def test_an_act_is_joined_to_its_thing_as_the_norms_have_it() -> None:
    assert worded.usual_role("Sighting") == "target"
    assert worded.usual_role("Occupation") == "place"
    assert worded.usual_role("Igloo") == "object"


def test_a_rule_whose_exception_frees_the_act_answers_yes_and_is_cited() -> None:
    row = next(r for r in compare.answer(NAMED["overrun"], ["vv"]).rows)
    assert row.answer == "yes" and "20.3" in row.cites
    bare = compare.answer(compare_question.find("may a tank fire at a squad", NAMED), ["vv"]).rows[0]
    assert bare.answer == "not ruled here" and bare.cites == ()


def test_what_no_game_can_be_asked_gets_its_rules_the_best_found_first() -> None:
    """A verb that no game knows is no slip for a word that is spelt a little like it."""
    found = compare.answer(compare_question.find("May two squads share one pillbox?", NAMED))
    told = {row.book: " ".join(row.notes) for row in found.rows}
    assert "its rules that speak of the same: B30.111" in told["asl"] and "20.5" in told["vv"]
    with pytest.raises(CaseError, match="did you mean squad"):
        compare_question.find("May a sqaud enter a pillbox?", NAMED)
