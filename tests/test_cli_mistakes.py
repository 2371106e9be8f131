"""Mistakes on the command line: each told with a number and what to do, exit code 2, and never a traceback."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from api import cli
from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("home")

CASE = "book: asl\nthings:\n  squad: {is: Squad}\n  move: {is: Move, actor: squad}\nask: {may: move}\n"
FILES = {
    "case.yaml": CASE, "empty": "", "words.txt": "no number in it", "records.md": "# none\n", "SELECT.rq": "SELEC ?x {",
    "answers": "no\n",
}  # fmt: skip

# The command line, the number, and a part of what is to be done. Names in capitals are files of the test.
MISTAKES = [
    ("asc x", 671, "did you mean ask?"),
    ("library lsit", 671, "did you mean list?"),
    ("ask x --jsn", 672, "did you mean --json or --svg?"),
    ("ask", 673, "see loophole ask --help"),
    ("import x", 673, "see loophole import --help"),
    ("ask a b", 674, "see loophole ask --help"),
    ("search pillbox --limit 0", 674, "see loophole search --help"),
    ("impact x --facts many", 674, "see loophole impact --help"),
    ("serve --port 70000", 674, "see loophole serve --help"),
    ("ask NONE", 400, "give the path"),
    ("ask FOLDER", 400, "give the path of a file"),
    ("ask BYTES", 400, "save it as UTF-8"),
    ("ask case.yaml --reading near", 680, "loophole rule"),
    ("ask case.yaml --reading near:inside", 957, "readings: "),
    ("ask case.yaml --as-of 2024-13", 954, "write 2025, "),
    ("ask case.yaml --edition 2dn", 951, "did you mean 2nd?"),
    ("ask case.yaml --chapter B3", 301, "B30"),
    ("when Entrry", 450, "did you mean Entry"),
    ("when Entry --into Pilbox --book asl", 692, "did you mean Pillbox"),
    ("when Entry --diff nothing --book asl", 694, "write edition=ID"),
    ("interview Mvoe", 682, "did you mean Move"),
    ("interview Move", 681, "--book asl"),
    ("interview Move --book asl --answers NONE", 675, "give the path"),
    ("interview Move --book asl --answers BYTES", 675, "save it as UTF-8"),
    ("interview Move --book vv --answers answers --save FOLDER", 676, "name a file"),
    ("rule B30.421", 611, "did you mean B30.42"),
    ("terms pilbox", 612, "did you mean Pillbox"),
    ("test FOLDER", 683, "name case files"),
    ("compare --file NONE", 400, "give the path"),
    ("import words.txt --book asl", 506, "sections begin"),
    ("import words.txt --book als", 687, "did you mean asl?"),
    ("mcp --port 70000", 674, "see loophole mcp --help"),
    ("completion bach", 674, "did you mean bash?"),
    ("import FOLDER --book asl --alias T", 680, "--alias T=BRT"),
    ("import FOLDER --book asl --chapter B30", 684, "leave --chapter out"),
    ("library remove asl data", 685, "loophole library list"),
    ("coverage --book als", 420, "did you mean asl?"),
    ("coverage --book vv --html FOLDER", 676, "name a file"),
    ("align asl", 685, "loophole import"),
    ("errata B30.343", 956, "did you mean"),
    ("impact B30.34-at", 952, "did you mean B30.34-att"),
    ("impact B30.34-att --cases NONE", 675, "name case files"),
    ("impact records.md", 901, "docs/errata.md"),
    ("accept hiden", 963, "loophole errata"),
    ("research als", 420, "did you mean asl?"),
    ("certify NONE", 675, "give"),
    ("certify case.yaml", 895, "loophole ask --proof"),
    ("question B30.4", 684, "give both norms"),
    ("question A7.4/allowed B30.113/wp --answer maybe", 680, "yes or no"),
    ("question A7.4/allowed B30.113/wp --answer yes --by nobody", 680, "publisher"),
    ("sparql NONE", 675, "give a query"),
    ("sparql BYTES", 675, "give a query"),
    ("sparql SELECT.rq", 632, "SELECT"),
    ("sparql ASK{} --store ftp://here", 655, "http://host"),
    ("query cite", 662, "did you mean cites?"),
    ("push nowhere", 655, "http://host"),
    ("push http://[", 655, "http://host"),
    ("export prvo", 960, "did you mean prov?"),
    ("export prov", 673, "name case files"),
    ("export html", 673, "--out FOLDER"),
    ("export ttl case.yaml", 684, "leave the cases out"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands run in."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "BYTES").write_bytes(bytes(range(256)))
    (tmp_path / "FOLDER").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "number", "do"), MISTAKES)
def test_a_mistake_is_told_with_its_number_and_what_to_do(
    line: str, number: int, do: str, run: Run, folder: Path
) -> None:
    code, _, err = run(*line.split(" "))
    assert code == 2 and f"E{number}" in err and re.search(r"\n1 problem\n$", err), err
    assert do in err.partition("  do: ")[2], err


def test_every_command_has_a_mistake_in_the_list() -> None:
    asked = {line.split()[0] for line, *_ in MISTAKES}
    commands = {c.name or c.callback.__name__ for c in cli.app.registered_commands if c.callback}
    assert len(commands) >= 22 and commands - asked == {"build", "check", "schema"}, "these three take nothing"


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, err = run("serve", "--port", taken.getsockname()[1])
    assert code == 2 and "E686" in err and "--port 0" in err
