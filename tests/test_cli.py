"""The command line: what it prints, its exit codes, and that no mistake ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from api import cli
from kb import asking, registry
from kb.errors import CaseError, Problem
from tests import toy
from tests.conftest import Run
from tests.test_explain import THINGS


@pytest.fixture(autouse=True)
def only_the_toy_book(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    def vocabulary(book: str) -> object:
        if book != "toy":
            raise CaseError(Problem(420, f"there is no book “{book}”"))
        return toy.vocabulary()

    monkeypatch.setattr(registry.SHIPPED, "names", lambda: ["toy"])
    monkeypatch.setattr(registry.SHIPPED, "vocabulary", vocabulary)
    monkeypatch.setattr(registry.SHIPPED, "book", lambda book, toggled=(): toy.book())
    monkeypatch.setattr(
        registry.SHIPPED, "theory", lambda book, chapters=(), readings=(), toggled=(): toy.theory(readings)
    )
    monkeypatch.setattr(registry, "books", lambda: ["toy"])
    monkeypatch.setattr(registry, "vocabulary", vocabulary)
    monkeypatch.setattr(registry, "book", lambda book, toggled=(): toy.book())
    monkeypatch.setattr(registry, "theory", lambda book, chapters=(), readings=(), toggled=(): toy.theory(readings))
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def case(tmp_path: Path) -> Callable[..., Path]:
    def write(question: str, expect: str = "", name: str = "case.yaml", things: str = THINGS) -> Path:
        path = tmp_path / name
        path.write_text(things + question + (f"\nexpect: {expect}\n" if expect else "\n"), encoding="utf-8")
        return path

    return write


# ── ask ──


def test_ask_prints_the_verdict_first(run: Run, case: Callable[..., Path]) -> None:
    code, out, err = run("ask", case("{may: go}"))
    assert code == 0 and out.startswith("FORBIDDEN: ann may not charge into keep (K1.2)\n\nBECAUSE\n") and not err


def test_ask_reads_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(THINGS + "{may: go}"))
    code, out, _ = run("ask", "-")
    assert code == 0 and out.startswith("FORBIDDEN")


def test_ask_gives_json_a_tree_and_a_picture(run: Run, case: Callable[..., Path]) -> None:
    path = case("{may: go}")
    assert json.loads(run("ask", path, "--json")[1])["verdict"] == "forbidden"
    tree = run("ask", path, "--tree")[1]
    assert tree.startswith("FORBIDDEN") and "└── " in tree and "[EXC: by tunnel; T9]" in tree.replace("\n", " ")
    assert run("ask", path, "--dot")[1].startswith("digraph")


def test_flips_can_be_left_out(run: Run, case: Callable[..., Path]) -> None:
    assert "WOULD FLIP IT" not in run("ask", case("{may: go}"), "--no-flips")[1]


def test_another_reading_can_be_adopted(run: Run, case: Callable[..., Path]) -> None:
    things = THINGS.replace("is: Charge", "is: Sneak, phase: DayPhase").replace(
        "[Archer, Enemy]", "[Archer, Enemy, Weary]"
    )
    path = case("{may: go}", things=things)
    assert run("ask", path)[1].startswith("CONFLICT")
    assert run("ask", path, "--reading", "near:inside")[1].startswith("PERMITTED")
    code, _, err = run("ask", path, "--reading", "near")
    assert code == 2 and "DISPUTE:OPTION" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (THINGS.replace("Archer", "Archr") + "{may: go}", "do: did you mean Archer?"),
        ("book: chess\nask: {may: go}", "E420: there is no book “chess”"),
        ("", "E410"),
        ("book: toy\nask: {may: [", "E403"),
        ("- a\n- b\n", "E410"),
    ],
)
def test_bad_cases_are_told_in_full_with_exit_code_2(text: str, said: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("ask", path)
    assert code == 2 and said in err and not out


def test_files_that_cannot_be_read_are_told(run: Run, tmp_path: Path) -> None:
    assert run("ask", tmp_path / "no.yaml")[::2] == (
        2,
        f"E400 {tmp_path / 'no.yaml'}:1:1: cannot read {tmp_path / 'no.yaml'}: No such file or directory\n"
        "  do: give the path of a file that you may read\n\n1 problem\n",
    )
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert run("ask", tmp_path / "bytes.yaml")[0] == 2
    assert run("ask", tmp_path)[0] == 2


@pytest.mark.parametrize("args", [("ask",), ("asc", "x"), ("ask", "x", "--jsn"), ("rule",), ("import", "x")])
def test_mistakes_on_the_command_line_end_with_2(args: tuple[str, ...], run: Run) -> None:
    code, _, err = run(*args)
    assert code == 2 and err


def test_what_should_not_happen_is_one_line(
    run: Run, case: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(asking, "ask", broken)
    code, _, err = run("ask", case("{may: go}"))
    assert code == 2 and err.count("\n") == 1 and "ZeroDivisionError: oops" in err and "--debug" in err
    with pytest.raises(ZeroDivisionError):
        cli.main(["--debug", "ask", str(case("{may: go}"))])


# ── rule, terms ──


@pytest.mark.parametrize("number", ["K1.2", "k1.2", "1.2", "K 1.2", "k12", "K1.2/tunnel"])
def test_a_rule_is_found_however_it_is_written(number: str, run: Run) -> None:
    code, out, _ = run("rule", number)
    assert code == 0 and out.startswith("K1.2 The door is watched")
    assert "unless   tunnel: via some Tunnel  [T9]" in out
    assert "K1.1 (beats)" in out and "T9 (exception “tunnel”; not loaded)" in out


def test_a_rule_says_what_refers_to_it(run: Run) -> None:
    out = run("rule", "K1.1")[1]
    assert "referred to by\n  K1.2 (beats)" in out
    data = json.loads(run("rule", "K1.1", "--json")[1])
    assert data["referred_to_by"] == [{"norm": "K1.2", "how": "beats"}] and len(data["norms"]) == 2


def test_a_reading_that_is_not_adopted_is_marked(run: Run) -> None:
    assert "(not the reading adopted)" in run("rule", "K1.8")[1]


def test_an_unknown_rule_gets_the_nearest(run: Run) -> None:
    code, _, err = run("rule", "K1.22")
    assert code == 2 and "E611" in err and "K1.2" in err


def test_terms_are_found_by_name_label_abbreviation_and_part(run: Run) -> None:
    for word in ("Knight", "kn", "knight"):
        assert run("terms", word)[1].startswith("Knight: class, “knight” (Kn)")
    assert run("terms", "phase")[1].count("relation") == 1
    out = run("terms")[1]
    assert out.count("\n") == len(toy.vocabulary().classes) + len(toy.vocabulary().properties)
    assert json.loads(run("terms", "wall", "--json")[1])[0]["unit"] == "stones"
    code, _, err = run("terms", "knigth")
    assert code == 2 and "did you mean" in err


# ── test ──


def test_cases_are_tested_and_counted(run: Run, case: Callable[..., Path]) -> None:
    good = case("{may: go}", "{verdict: forbidden, cites: [K1.2]}")
    code, out, _ = run("test", good)
    assert code == 0 and out.endswith("1 passed, 0 failed\n")
    case("{may: go}", "{verdict: permitted}", "wrong.yaml")
    code, out, _ = run("test", good.parent)
    assert code == 1 and out.endswith("1 passed, 1 failed\n")
    assert "verdict: expected permitted, got forbidden" in out and "FORBIDDEN: ann may not charge into keep" in out


def test_a_case_without_expectations_is_no_test(run: Run, case: Callable[..., Path]) -> None:
    code, out, _ = run("test", case("{may: go}"))
    assert code == 1 and "nothing to test" in out


def test_a_case_that_cannot_be_read_is_told_and_the_rest_goes_on(run: Run, case: Callable[..., Path]) -> None:
    case("{may: come}", "{verdict: permitted}", "a.yaml")
    path = case("{may: go}", "{verdict: forbidden}", "b.yaml")
    code, out, err = run("test", path.parent)
    assert code == 2 and "E428" in err and out.endswith("1 passed, 0 failed, 1 could not be read\n")


def test_a_folder_without_cases_is_bad_input(run: Run, tmp_path: Path) -> None:
    assert run("test", tmp_path)[0] == 2


# ── interview ──


def test_an_interview_takes_answers_from_a_file_and_shows_the_case(run: Run, tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("yes\nknight\n", encoding="utf-8")
    code, out, _ = run("interview", "charge", "--answers", answers, "--save", tmp_path / "made.yaml")
    assert code == 0 and "does the charge go into a keep?" in out and "\nPERMITTED: knight may charge into keep" in out
    assert "why: " in out and "> knight" in out
    code, again, _ = run("ask", tmp_path / "made.yaml")
    assert code == 0 and again.startswith("PERMITTED")


def test_an_interview_does_not_wait_without_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, out, err = run("interview", "charge")
    assert code == 0 and "UNDETERMINED" in out and "no more answers" in err


def test_an_answer_that_makes_no_sense_is_asked_again(run: Run, tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("perhaps\nno\n", encoding="utf-8")
    code, out, err = run("interview", "entry", "--answers", answers)
    assert code == 0 and "E452" in err and out.count("does the entry go into a keep?") == 2 and "FORBIDDEN" in out


def test_an_interview_explains_itself_and_goes_back(run: Run, tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("why\nhelp\nno\n", encoding="utf-8")
    code, out, _ = run("interview", "charge", "--answers", answers)
    assert code == 0 and "K1.2 The door is watched: While a fresh enemy" in out and "none" not in out.split("> help")[0]
    assert "keep: place that has walls and a door" in out and out.count("does the charge go into a keep?") == 1
    answers.write_text("yes\nback\nno\n", encoding="utf-8")
    code, out, _ = run("interview", "charge", "--answers", answers)
    assert code == 0 and out.count("does the charge go into a keep?") == 2 and "\nFORBIDDEN" in out


def test_an_unknown_act_is_bad_input(run: Run) -> None:
    assert run("interview", "dance")[0] == 2


# ── the library, checks, schema ──


def test_texts_come_in_are_listed_and_go(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own" / "toy").mkdir(parents=True)
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path / "own"))
    text = tmp_path / "mine.txt"
    text.write_text("1.1 ENTRY: A knight may enter a keep by day. He may not enter by night.\n", encoding="utf-8")
    code, out, _ = run("import", text, "--book", "toy", "--chapter", "K")
    assert code == 0 and out.startswith("toy K: 1 sections, 2 sentences")
    assert run("library", "list")[1].startswith("toy K: 1 sections, 2 sentences, from mine.txt")
    assert json.loads(run("library", "list", "--json")[1])
    assert run("library", "remove", "toy", "K")[:2] == (0, "removed toy K\n") or run("library", "list")[1].startswith(
        "nothing"
    )
    assert run("library", "remove", "toy", "K")[0] == 2
    assert run("library", "list")[1].startswith("nothing is imported yet")


def test_a_text_that_cannot_be_read_is_bad_input(run: Run, tmp_path: Path) -> None:
    assert run("import", tmp_path / "no.txt", "--book", "asl")[0] == 2


def test_the_schema_is_printed(run: Run) -> None:
    assert json.loads(run("schema")[1])["title"] == "A Loophole case"


def test_every_command_has_help(run: Run) -> None:
    for command in ("ask", "interview", "rule", "terms", "test", "import", "library", "coverage", "check", "schema"):
        code, out, _ = run(command, "--help")
        assert code == 0 and "Usage:" in out, command


# ── as a program ──


@pytest.fixture(scope="module")
def program() -> Iterator[list[str]]:
    yield [sys.executable, "-c", "import sys; from api.cli import main; sys.exit(main())"]


def test_nothing_heavy_is_imported_at_the_top(root: Path) -> None:
    heavy = (
        "rdflib",
        "rich",
        "owlready2",
        "pyoxigraph",
        "fastapi",
        "pydantic",
        "jsonschema",
        "kb.reasoner.reason",
        "yaml",
        "socket",
    )
    script = f"import sys, api.cli; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    loaded = set(eval(done.stdout))
    bare = subprocess.run(
        [sys.executable, "-c", script.replace("api.cli", "typer")], cwd=root, capture_output=True, text=True, check=True
    )
    assert loaded - set(eval(bare.stdout)) == set()


@pytest.mark.slow
def test_the_readers_own_sentences_are_quoted_once_they_are_imported(
    root: Path, program: list[str], tmp_path: Path, seed: Callable[[int], Path]
) -> None:
    env = {**os.environ, "LOOPHOLE_LIBRARY": str(tmp_path), "PYTHONUTF8": "1", "COLUMNS": "100"}

    def said(*args: str) -> str:
        return subprocess.run([*program, *args], cwd=root, env=env, capture_output=True, text=True, check=True).stdout

    ask = ("ask", "examples/pillbox.yaml", "--no-flips")
    before = said(*ask)
    said("import", str(seed(0)), "--book", "asl", "--chapter", "B30")
    after = said(*ask)
    assert "your B30, B30.42: “" not in before and "your B30, B30.42: “" in after
    assert before.splitlines()[0] == after.splitlines()[0]
    said("library", "remove", "asl", "B30")
    assert said(*ask) == before


def test_a_closed_pipe_is_no_mistake(root: Path, program: list[str], tmp_path: Path) -> None:
    env = {**os.environ, "LOOPHOLE_LIBRARY": str(tmp_path), "PYTHONUTF8": "1"}
    first = subprocess.Popen([*program, "schema"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert first.stdout is not None and first.stderr is not None
    first.stdout.read(10)
    first.stdout.close()
    said = first.stderr.read().decode()
    assert first.wait() == 0 and "Traceback" not in said
