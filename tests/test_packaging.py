"""The wheel carries the whole library with its data, and the pinned dependencies are whole, hashed and hostless."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

PAGES = ("cases", "new-rulebook", "rule-language", "asl-modelling", "fow-modelling", "vv-modelling")
SHIPPED = {"kb/": "kb/", "api/": "api/", "ontology/": "kb/_data/ontology/", "queries/": "kb/_data/queries/"}
SHIPPED |= {f"docs/{page}.md": f"kb/_data/docs/{page}.md" for page in PAGES}


def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# ── the wheel ───────────────────────────────────────────────────────────────────────────────────────────


def wheel_of(folder: Path, target: Path) -> list[str]:
    """The names in the wheel built from a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


def expected(files: Iterable[str]) -> set[str]:
    """Where in the wheel each file of the project must stand."""
    return {inside + f.removeprefix(top) for f in files for top, inside in SHIPPED.items() if f.startswith(top)}


SOURCES = ("kb", "api", "ontology", "queries", "docs", "pyproject.toml", "README.md", "LICENSE")


def test_the_wheel_holds_every_file_of_the_library_and_no_other(copy_of: Callable[..., Path], files: list[str]) -> None:
    copy = copy_of(*SOURCES)
    names = wheel_of(copy, copy.parent / "dist")
    inside = {n for n in names if ".dist-info/" not in n}
    assert inside == expected(files)
    assert any(n.endswith(".dist-info/licenses/LICENSE") for n in names)
    for top in SHIPPED.values():
        assert any(n.startswith(top) for n in inside), f"nothing under {top}"
    assert any(n.startswith("kb/rulebooks/") and n.endswith("policy.yaml") for n in inside)


def test_a_wheel_without_its_data_is_noticed(copy_of: Callable[..., Path], files: list[str]) -> None:
    copy = copy_of(*SOURCES)
    text = (copy / "pyproject.toml").read_text(encoding="utf-8")
    (copy / "pyproject.toml").write_text(text.replace('"ontology" = "kb/_data/ontology"\n', ""), encoding="utf-8")
    missing = expected(files) - set(wheel_of(copy, copy.parent / "dist"))
    assert missing and all(name.startswith("kb/_data/ontology/") for name in missing)


# ── what it depends on ──────────────────────────────────────────────────────────────────────────────────

# Where the name to import is not the name to install.
DISTRIBUTION = {"yaml": "pyyaml", "jpype": "jpype1"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: Iterable[str]) -> set[str]:
    return {canonical(m.group()) for r in requirements if (m := re.match(r"[\w.-]+", r))}


def imported(source: str) -> set[str]:
    """The distributions outside the standard library and the project that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return {canonical(DISTRIBUTION.get(n, n)) for n in found - sys.stdlib_module_names - {"kb", "api"}}


@pytest.mark.slow
def test_what_the_library_imports_it_declares(root: Path) -> None:
    runtime = names(project(root)["dependencies"])
    extras = project(root)["optional-dependencies"]
    optional = set().union(*(names(extras[of]) for of in ("reasoner", "research", "docs", "parquet", "cluster")))
    modules = [m for top in ("kb", "api") for m in (root / top).rglob("*.py")]
    used = {m.relative_to(root).as_posix(): imported(m.read_text(encoding="utf-8")) for m in modules}
    assert set().union(*used.values()) & runtime, "the collector found no import at all"
    assert not {m: extra for m, found in used.items() if (extra := found - runtime - optional)}


def test_an_undeclared_import_is_found() -> None:
    assert imported("import os, yaml\nfrom requests.adapters import x\nfrom . import y\nimport kb.language.norms") == {
        "pyyaml",
        "requests",
    }


# ── the pins ────────────────────────────────────────────────────────────────────────────────────────────

PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.+!-]+)(?: ; [^\\]+)?(?: +\\)?")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def pins(text: str) -> tuple[dict[str, str], list[str]]:
    """The pinned versions of a constraints file, and its faults: lines of other kinds, pins without a hash."""
    found: dict[str, str] = {}
    faults: list[str] = []
    bare = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if HASH.fullmatch(line):
            bare = ""
        elif pin := PIN.fullmatch(line):
            faults += [f"{bare} has no hash"] if bare else []
            bare = canonical(pin["name"])
            found[bare] = pin["version"]
        else:
            faults.append(f"line {number} is neither a pin nor a hash: {line}")
    faults += [f"{bare} has no hash"] if bare else []
    return found, faults


@pytest.mark.parametrize(("file", "extra"), [("constraints.txt", ()), ("constraints-dev.txt", ("reasoner", "dev"))])
def test_every_dependency_is_pinned_with_its_hashes(file: str, extra: tuple[str, ...], root: Path) -> None:
    found, faults = pins((root / file).read_text(encoding="utf-8"))
    assert not faults
    told = project(root)
    wanted = [*told["dependencies"], *(r for e in extra for r in told["optional-dependencies"][e]), "hatchling"]
    assert not names(wanted) - found.keys() - {"loophole-rules"}


def test_both_files_pin_the_same_versions(root: Path) -> None:
    runtime, _ = pins((root / "constraints.txt").read_text(encoding="utf-8"))
    dev, _ = pins((root / "constraints-dev.txt").read_text(encoding="utf-8"))
    assert len(runtime) > 20 and runtime.items() <= dev.items()


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("rdflib==7.6.0\n", "rdflib has no hash"),
        ("rdflib==7.6.0 \\\nrich==15.0.0 \\\n    --hash=sha256:" + "0" * 64, "rdflib has no hash"),
        ("rdflib>=7\n", "neither a pin nor a hash"),
        ("--index-" + "url somewhere\n", "neither a pin nor a hash"),
        ("rdflib @ file:rdflib.whl\n", "neither a pin nor a hash"),
        ("rich==15.0.0 \\\n    --hash=md5:00", "neither a pin nor a hash"),
    ],
)
def test_a_planted_fault_in_the_pins_is_found(planted: str, fault: str) -> None:
    assert any(fault in f for f in pins(planted)[1])
