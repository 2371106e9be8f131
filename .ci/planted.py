#!/usr/bin/env python3
"""Proves that each check of .ci/run can fail: plants a fault in a copy of the tree, runs the check there, wants it red.

    .venv/bin/python .ci/planted.py [CHECK ...]      (default: all; the checks use the venv that runs this)

A fault names the check, what is changed, and a text that the check must print: it fails for this reason and no other.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(sys.prefix)
CASES = "tests/cases"


def append(file: str, text: str) -> Callable[[Path], None]:
    """Adds text at the end of a file, which may be new."""

    def plant(copy: Path) -> None:
        path = copy / file
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")

    return plant


def replace(pattern: str, old: str, new: str) -> Callable[[Path], None]:
    """Replaces the first match of a regular expression, in the first file under the glob pattern that has one."""

    def plant(copy: Path) -> None:
        for path in sorted(copy.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            changed = re.sub(old, new, text, count=1)
            if changed != text:
                path.write_text(changed, encoding="utf-8")
                return
        sys.exit(f"nothing to plant: {old} is nowhere in {pattern}")

    return plant


def quote(copy: Path) -> None:
    """Puts twelve words in a row of a rule text into a new page."""
    texts = sorted((ROOT.parent / "shared" / "seeds").glob("*.txt"))
    words = texts[0].read_text(encoding="utf-8").split()[200:212]
    (copy / "docs").mkdir(exist_ok=True)
    (copy / "docs" / "planted.md").write_text(" ".join(words) + "\n", encoding="utf-8")


def only(name: str, end: str) -> Callable[[Path], None]:
    """Leaves of a README command what comes after installing, and adds to it: the venv is there already."""
    return replace("README.md", rf"(<!-- command: {name} -->\n```sh\n).*&& (.*)", rf"\1\2{end}")


def few(copy: Path) -> None:
    """Leaves every twentieth file of cases, so that asking them all is quick."""
    for i, path in enumerate(sorted(copy.glob(f"{CASES}/**/*.yaml"))):
        if i % 20:
            path.unlink()


def both(*plants: Callable[[Path], None]) -> Callable[[Path], None]:
    def plant(copy: Path) -> None:
        for one in plants:
            one(copy)

    return plant


NORM = "\n## B99.9 Planted {#B99.9}\n\nNobody may plant.\n\n```norms\nB99.9\n  forbids  Plantedd\n```\n"
ROW = "\n| kind | is a | means |\n|---|---|---|\n| Planted | Unit | |\n"
CLASS = "\n<https://w3id.org/loophole/core#Planted> a <http://www.w3.org/2002/07/owl#Class> .\n"
FAULTS: list[tuple[str, str, Callable[[Path], None], str]] = [
    # The longest first, so that two at a time end together.
    (
        "compiled",
        "a room that gives what it does not say it gives",
        append("kb/reasoner/defeat.py", '\n\ndef planted() -> int:\n    return "x"\n'),
        "do not compile",
    ),
    ("wheel", "a wheel without the ontology", replace("pyproject.toml", r'"ontology" = .*\n', ""), "ontology"),
    (
        "types",
        "a function without types",
        append("api/cli.py", "\n\ndef planted(x):\n    return x\n"),
        "no-untyped-def",
    ),
    (
        "ask",
        "an example that names no known class",
        both(only("ask", ""), append("examples/pillbox.yaml", "\n  x: {is: Plantedd}\n")),
        "E4",
    ),
    (
        "test",
        "a test that fails",
        both(
            only("test", " tests/test_planted.py"),
            append("tests/test_planted.py", "def test_planted():\n    assert False\n"),
        ),
        "1 failed",
    ),
    ("style", "an unused import", append("kb/errors.py", "import os\n"), "F401"),
    (
        "style",
        "a public function that does not say what it gives",
        append("kb/errors.py", "\n\ndef planted() -> int:\n    return 1\n"),
        "D103",
    ),
    ("style", "a file not formatted", append("kb/errors.py", "x   =  1\n"), "would be reformatted"),
    ("layers", "the library imports a door", append("kb/errors.py", "\nimport api\n"), "BROKEN"),
    ("ontology", "a term without a definition", append("ontology/asl/errata.md", ROW), "“Planted”: the column “means”"),
    ("ontology", "a class that no table has", append("ontology/core.ttl", CLASS), "edit ontology/core.md"),
    (
        "ontology",
        "a cell changed and not built",
        replace("ontology/asl/b30.md", r"\| B30\.91 \|", "| B30.92 |"),
        "ontology/asl/b30.ttl",
    ),
    ("norms", "a norm about an act that is no term", append("kb/rulebooks/asl/B30.md", NORM), "Plantedd"),
    (
        "norms",
        "a norm whose head is in no scope",
        replace("kb/rulebooks/vv/20.md", r"    - UnlawfulTunnel\n", ""),
        "is in no scope",
    ),
    (
        "ontology",
        "a page of what the rules decide that is not current",
        replace("docs/scope.md", r"^# What", "# That"),
        "docs/scope.md is stale",
    ),
    (
        "ontology",
        "a line of a norm that is too long, of which the page of figures does not tell",
        replace("kb/rulebooks/vv/20.md", r"(  when .*)\n", r"\1" + " " * 120 + "# planted\n"),
        "docs/style.md is stale",
    ),
    (
        "cases",
        "a case that expects the contrary",
        both(few, replace(f"{CASES}/**/*.yaml", r"verdict: forbidden", "verdict: permitted")),
        "permitted",
    ),
    ("rights", "words of a rule text", quote, "planted.md"),
    ("clean", "a file left in the tree", lambda copy: None, "left.txt"),
]


GIT = ["git", "-c", "user.name=planted", "-c", "user.email=planted@localhost"]


def base(folder: Path) -> Path:
    """The tree as it is, committed: what each fault is planted in a copy of."""
    whole = folder / "base"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in listed:
        if name and (ROOT / name).is_file():
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, whole / name)
    commit(whole, ["init", "-q"])
    return whole


def commit(tree: Path, *before: list[str]) -> None:
    for arguments in (*before, ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "Plant a fault"]):
        subprocess.run([*GIT, *arguments], cwd=tree, check=True, capture_output=True)


def run(whole: Path, check: str, plant: Callable[[Path], None]) -> tuple[int, str]:
    """Exit code and output of one check in a copy of the tree with the fault planted and committed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "main"
        subprocess.run(["git", "clone", "-q", str(whole), str(copy)], check=True, capture_output=True)
        (copy / ".venv").symlink_to(VENV)
        if (ROOT.parent / "shared").exists():
            (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
        plant(copy)
        commit(copy)
        if check == "clean":
            (copy / "left.txt").write_text("left\n", encoding="utf-8")
        settings = {**os.environ, "CI": "true", "VENV": str(VENV), "PYTHONPATH": str(copy), "COLUMNS": "200"}
        done = subprocess.run(["bash", ".ci/run", check], cwd=copy, env=settings, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def main(wanted: list[str]) -> int:
    listed = re.search(r"^all=\((.*)\)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M)
    checks = set(listed.group(1).split()) - {"planted"} if listed else set()
    if checks != (owned := {check for check, *_ in FAULTS}):
        print(f"checks without a planted fault, or the reverse: {sorted(checks ^ owned)}")
        return 1
    here = (ROOT.parent / "shared").exists()
    faults = [f for f in FAULTS if (not wanted or f[0] in wanted) and (f[0] != "rights" or here)]
    if not here:
        print("skipped  rights: no rule texts beside the checkout")
    missed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        whole = base(Path(folder))
        results = pool.map(lambda fault: run(whole, fault[0], fault[2]), faults)
        for (check, what, _, says), (code, output) in zip(faults, results, strict=True):
            caught = code == 1 and says in output
            missed += not caught
            print(f"{'caught' if caught else 'MISSED'}  {check}: {what}", flush=True)
            if not caught:
                print(f"  exit code {code}, wanted 1 and “{says}”; it printed:\n{output[-3000:]}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
