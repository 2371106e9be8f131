"""README cannot rot: its answer is what the command prints, its commands are one line each, its links lead to files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


def answer_shown(text: str) -> str:
    """The block after the answer mark. Raises AssertionError where README shows none."""
    block = re.search(r"<!-- answer -->\n```\w*\n(.*?)\n```\n", text, re.S)
    assert block, "README.md shows no answer: put the output of its first command in a block after <!-- answer -->"
    return block.group(1)


def command(root: Path, name: str) -> str:
    """What .ci/readme takes out of README.md."""
    done = subprocess.run(["bash", ".ci/readme", name], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def answered(root: Path, case: str, library: Path) -> str:
    """What `loophole ask` prints for a case to somebody who has imported no text of their own."""
    run = [sys.executable, "-c", "import sys; from api.cli import main; sys.exit(main())", "ask", case]
    settings = {**os.environ, "LOOPHOLE_LIBRARY": str(library), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(run, cwd=root, env=settings, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_answer_shown_is_the_answer_printed(root: Path, tmp_path: Path) -> None:
    case = command(root, "ask").split()[-1]
    shown = answer_shown((root / "README.md").read_text(encoding="utf-8"))
    assert trimmed(shown) == trimmed(answered(root, case, tmp_path))


def test_a_readme_without_an_answer_is_noticed() -> None:
    with pytest.raises(AssertionError, match="shows no answer"):
        answer_shown("<!-- answer -->\n\nsoon\n")


@pytest.mark.parametrize(("name", "last"), [("ask", "loophole ask"), ("test", "pytest")])
def test_a_command_is_one_line_that_needs_python_and_the_clone_only(name: str, last: str, root: Path) -> None:
    said = command(root, name)
    programs = [step.split()[0] for step in said.split(" && ")]
    assert programs[0] == "python3" and all(p.startswith(".venv/bin/") for p in programs[1:])
    assert last in said.split(" && ")[-1]
    files = re.findall(r"\S+\.(?:txt|yaml)\b", said)
    assert files and all((root / file).is_file() for file in files)


def test_links_lead_to_files(root: Path) -> None:
    links = 0
    for page in ("README.md", "CONTRIBUTING.md"):
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", (root / page).read_text(encoding="utf-8")):
            assert (root / link).exists(), f"{page} links to {link}"
            links += 1
    assert links >= 4
