"""docs/new-rulebook.md, walked as a newcomer would: its files written, its commands run, its answers compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import registry
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "new-rulebook.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:\*\*(add to )?`([^`]+)`\*\*\n\n)?^(`{3,4})(\w+)\n(.*?)^\3$", re.S | re.M)
TERMS = "terms/dugouts.md"
pytestmark = [pytest.mark.slow, pytest.mark.reasoner]


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ, "LOOPHOLE_BOOKS": str(folder / "rules"), "LOOPHOLE_LIBRARY": str(folder / "library"),
        "PYTHONPATH": str(ROOT), "COLUMNS": "100",
    }  # fmt: skip


def process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)


def walk(folder: Path) -> dict[str, int]:
    """Does what the guide says, in its order; counts what was done. Fails at the first thing that goes otherwise."""
    done = {"files": 0, "commands": 0, "answers": 0}
    said = ""
    for more, name, _, kind, text in BLOCK.findall(GUIDE):
        if name:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((path.read_text(encoding="utf-8") + "\n" if more else "") + text, encoding="utf-8")
            done["files"] += 1
        elif kind == "sh":
            said = ""
            for line in text.splitlines():
                if line.startswith("loophole "):
                    words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', line)][1:]
                    got = process(folder, *words)
                    assert got.returncode == 0, f"{line}\n{got.stdout}\n{got.stderr}"
                    said += got.stdout
                    done["commands"] += 1
                elif line.startswith("mkdir "):
                    for made in line.split()[2:]:
                        (folder / made).mkdir(parents=True, exist_ok=True)
                else:
                    assert line.startswith("export LOOPHOLE_BOOKS="), line
        elif kind == "text":
            for line in text.splitlines():
                assert squeezed(line) in squeezed(said), f"the guide shows “{line}”, and this was said:\n{said}"
                done["answers"] += 1
        else:
            raise AssertionError(f"a block of {kind} that says neither a file nor a command:\n{text}")
    return done


def squeezed(text: str) -> str:
    return " ".join(re.sub(r"[│┃]", " ", text).split())


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("newcomer")
    done = walk(folder)
    assert done["files"] >= 13 and done["commands"] >= 13 and done["answers"] >= 6, done
    return folder


def test_the_guide_can_be_walked(walked: Path) -> None:
    assert (walked / "rules" / "pickets" / "vocabulary.json").is_file()
    assert (walked / "rules" / "pickets" / "terms" / "dugouts.ttl").is_file()
    assert (walked / "rules" / "pickets" / "1.align.json").is_file()
    assert "squad" not in (walked / "rules" / "pickets" / "1.align.json").read_text(encoding="utf-8")


def test_a_question_that_the_guide_does_not_ask_is_answered(walked: Path) -> None:
    case = walked / "own.yaml"
    case.write_text(
        "book: pickets\nthings:\n  hole: LogDugout\nask: {value: [cover, hole]}\nexpect: {value: 2, cites: ['1.4']}\n",
        encoding="utf-8",
    )
    got = process(walked, "test", str(case))
    assert got.returncode == 0, got.stdout
    case.write_text(case.read_text(encoding="utf-8").replace("value: 2", "value: 3"), encoding="utf-8")
    assert process(walked, "test", str(case)).returncode == 1


@pytest.fixture
def here(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Commands in this process, as if it had begun in this folder."""
    for name in ("LOOPHOLE_BOOKS", "LOOPHOLE_LIBRARY", "COLUMNS"):
        monkeypatch.setenv(name, environment(tmp_path)[name])
    (tmp_path / "rules").mkdir()
    monkeypatch.chdir(tmp_path)
    registry.SHIPPED.forget()
    yield run
    registry.SHIPPED.forget()


@pytest.mark.parametrize(
    ("file", "old", "new", "command", "said"),
    [
        ("policy.yaml", "book: pickets", "book: Pickets", "rule", "write book: pickets"),
        ("policy.yaml", "[pickets, tactics, core]", "[pickets]", "build", "name core among the namespaces"),
        ("policy.yaml", "[pickets, tactics, core]", "[pickets, tactic, core]", "build", "did you mean tactics?"),
        ("1.md", "{Stop: place", "{Stopp: place", "rule", "did you mean Stop or SetUp?"),
        ("1.md", "    - room\n", "", "rule", "say in the scope of 1 whether it is decided wholly"),
        ("1.md", 'those: "let it move"', "thse: x", "rule", "keys: of, with, those"),
        (TERMS, "title: Pickets", "titel: Pickets", "build", "the head has no title"),
        (TERMS, "| source |\n|---|---|---|---|\n| Dugout", "| source |\n| Dugout", "build", "put a line |---|"),
        (TERMS, "| state |", "| stat |", "build", "did you mean state?"),
        (TERMS, "| kind | is a |", "| kind | is an |", "build", "did you mean is a?"),
        (TERMS, "| number | of | means |", "| number | to | means |", "build", "a table of number has no column “to”"),
        (TERMS, "stone | 1.4 |", "stone | 1.4 | | |", "build", "a row of 6 cells under 5 headings"),
        (TERMS, "| StoneDugout |", "| LogDugout |", "build", "“LogDugout” has two rows"),
        (TERMS, "| StoneDugout |", "| Log_Dugout |", "build", "the same label as pickets:LogDugout: log dugout"),
        (TERMS, "| infantry that is ten soldiers strong |", "| |", "build", "“Squad”: the column “means” is empty"),
        (TERMS, "soldiers strong | 1.2 |", "soldiers strong |", "build", "the column “source” is empty"),
        (TERMS, "| Infantry |", "| Infantery |", "build", "did you mean Infantry"),
        (TERMS, "| absent |", "| absnt |", "build", "did you mean absent"),
        (TERMS, "{s} has been", "it has been", "build", "write {s} where the thing goes"),
        (TERMS, "| Water |", "| Unit |", "build", "has the same name as"),
        (TERMS, "| Infantry |", "| Infantry, Vehicle |", "build", "nothing can be a pickets:Squad"),
        (TERMS, "LogDugout, StoneDugout |", "LogDugout |", "build", "name two or more"),
        ("1.md", "---\nbook", "book", "rule", "---, then book, chapter"),
        ("1.md", "excepts  water", "", "rule", "excepts water once in 1.1"),
        ("1.md", "some Storming", "some Stormin", "rule", "did you mean Storming?"),
        ("1.md", "some Storming", "some Quaffing", "rule", "add it to the terms of the book and run loophole build"),
        ("1.md", "on becoming Spent", "on becomming Spent", "rule", "did you mean becoming?"),
        ("1.md", "on becoming Spent", "on becoming Spnt", "rule", "did you mean Spent?"),
        ("1.md", "of each Squad by 1", "of each Squads by 1", "rule", "did you mean Squad"),
        ("1.md", "  ends     Toolless", "  end      Toolless", "rule", "did you mean ends?"),
        ("1.md", "raises   toil of actor by 1 on", "raises   toil of actor on", "rule", "expected “by”"),
        ("1.md", "raises   toil", "raises   Toolless", "rule", "is not a"),
        ("1.md", "  requires Stop", "  require Stop", "rule", "did you mean requires?"),
        (
            "1.md",
            "> case: cases/shelled.yaml",
            "> case: cases/shelled.yaml\n\nNobody sleeps.",
            "rule",
            "not encoded (kind): reason",
        ),
    ],
)
def test_what_a_newcomer_gets_wrong_is_told(
    walked: Path, tmp_path: Path, here: Run, file: str, old: str, new: str, command: str, said: str
) -> None:
    """Planted: each fault is found, with its file, and what to do about it."""
    shutil.copytree(walked / "rules", tmp_path / "rules", dirs_exist_ok=True)
    path = tmp_path / "rules" / "pickets" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    code, shown, complaint = here(command, *(["--quick"] if command == "build" else ["1.5", "--book", "pickets"]))
    told = shown + complaint
    assert code in (1, 2) and said in told and file in told, told
    assert "should not have happened" not in told


def test_a_book_without_policy_and_a_folder_that_is_missing_are_told(walked: Path, tmp_path: Path) -> None:
    (tmp_path / "rules" / "pickets").mkdir(parents=True)
    got = process(tmp_path, "ask", str(walked / "cases" / "held.yaml"))
    assert got.returncode == 2 and "has no policy.yaml" in got.stderr
    got = process(tmp_path / "rules", "check")
    assert got.returncode == 2 and "no such folder" in got.stderr
    (tmp_path / "rules" / "vv").mkdir()
    (tmp_path / "rules" / "vv" / "policy.yaml").write_text("book: vv\n", encoding="utf-8")
    got = process(tmp_path, "check")
    assert got.returncode == 2 and "give " in got.stderr and "another name" in got.stderr
