"""The commands as somebody uses them who may not write everywhere: what needs no file of its own works, the rest says what to do.

Root may write anywhere; there, `setpriv` takes that right from the commands.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from kb import resources
from kb.research import findings
from tests.conftest import ROOT

AS_NOBODY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
WORKS = (
    "ask examples/pillbox.yaml", "library list", "search pillbox", "rule B30.42", "check --book fow", "when Gapping",
    "export ofn --book fow",
)  # fmt: skip
REFUSED = {
    "ask {closed}/case.yaml": "E400", "certify {closed}/case.yaml": "E675", "test {closed}/folder": "E674",
    "ask examples/pillbox.yaml --proof {home}/proof.json": "E676", "export ttl --out {home}/all.ttl": "E676",
    "import {text} --book asl": "E717",
}  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(AS_NOBODY) and not shutil.which("setpriv"), reason="root, and no setpriv to be less"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A home where nothing may be written, and a file and a folder that may not be read."""
    folder = tmp_path_factory.mktemp("unprivileged")
    home, closed = folder / "home", folder / "closed"
    home.mkdir()
    (closed / "folder").mkdir(parents=True)
    case, text = closed / "case.yaml", folder / "text.md"
    case.write_text("book: asl\n")
    text.write_text("# B30 Pillboxes\n\n30.1 A page of one's own.\n")
    shut = (home, 0o555), (case, 0), (closed / "folder", 0)
    for path, mode in shut:
        path.chmod(mode)
    yield {"home": home, "closed": closed, "text": text}
    for path, _ in shut:
        path.chmod(0o755)


def said(command: str, place: dict[str, Path]) -> subprocess.CompletedProcess[str]:
    words = [word.format(**place) for word in command.split()]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "LOOPHOLE_"))}
    return subprocess.run(
        [*AS_NOBODY, sys.executable, "-m", "api.cli", *words],
        cwd=ROOT, env={**kept, "HOME": str(place["home"])}, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_the_home_is_closed(place: dict[str, Path]) -> None:
    """Or the rest would prove nothing."""
    assert subprocess.run([*AS_NOBODY, "touch", str(place["home"] / "x")], capture_output=True).returncode == 1


@pytest.mark.parametrize("command", WORKS)
def test_what_needs_no_file_of_its_own_works(command: str, place: dict[str, Path]) -> None:
    done = said(command, place)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


@pytest.mark.parametrize(("number", "refused"), [(errno.EACCES, False), (errno.EROFS, False), (errno.ENOSPC, True)])
def test_research_goes_on_where_nothing_may_be_kept(
    number: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path, text: str) -> None:
        raise OSError(number, "planted")

    monkeypatch.setattr(resources, "write", failing)
    with pytest.raises(OSError, match="planted") if refused else nullcontext():
        findings.keep(tmp_path / "kept.json", {})


@pytest.mark.parametrize("command", REFUSED)
def test_what_cannot_be_done_says_so_and_what_to_do(command: str, place: dict[str, Path]) -> None:
    done = said(command, place)
    assert done.returncode == 2 and REFUSED[command] in done.stderr and "  do: " in done.stderr
    assert "Traceback" not in done.stderr and "should not have happened" not in done.stderr
