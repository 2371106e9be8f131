"""The layers hold, each contract is seen to fail on a planted fault, and no Python of kb names a game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(folder: Path) -> tuple[int, str]:
    """import-linter's exit code and output for the packages in a folder."""
    command = [sys.executable, "-c", LINT, "--no-cache"]
    done = subprocess.run(command, cwd=folder, env={"PATH": "", "COLUMNS": "200"}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_every_contract_holds(root: Path) -> None:
    code, output = lint(root)
    assert code == 0, output
    assert "26 kept, 0 broken" in output, "a contract was added or lost: plant a fault for it below"


FAULTS = {
    "doors": {"kb/errors.py": "import api"},
    "layers": {"kb/errors.py": "from kb.rulebook import linker"},
    "layers-for-types": {
        "kb/language/norms.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from kb.rulebook import theory"
    },
    "stray": {"kb/stray.py": "x = 1"},
    "face": {"kb/asking.py": "from kb.reasoner import quantities"},
    "no-cycles": {
        "kb/language/vocabulary.py": "from kb.language import norms",
        "kb/language/norms.py": "from kb.language import vocabulary",
    },
    "rdf": {"kb/rulebook/linker.py": "import rdflib"},
    "rdf-by-a-door": {"api/__init__.py": "import pyoxigraph"},
    "checker": {"kb/checker/reference.py": "from kb.reasoner import kind_rules"},
    "checker-at-one-remove": {"kb/reasoner/known.py": "from kb.reasoner import evaluate"},
    "circuit": {"kb/circuit/acts.py": "from kb.reasoner import reason"},
    "pure": {"kb/reasoner/reason.py": "import yaml"},
    "pure-at-one-remove": {"kb/rulebook/theory.py": "import time"},
}
BROKEN = {
    "doors": "The doors import the library, never the reverse BROKEN",
    "layers": "Each package of kb imports only itself and what stands below it BROKEN",
    "layers-for-types": "Each package of kb imports only itself and what stands below it BROKEN",
    "stray": "- kb.stray",
    "face": "Of kb.reasoner other packages see its face alone BROKEN",
    "no-cycles": "No two modules of a package of kb need each other BROKEN",
    "rdf": "Only the packages of the ontology, the graph and its store know RDF BROKEN",
    "rdf-by-a-door": "Only the packages of the ontology, the graph and its store know RDF BROKEN",
    "checker": "The checker of proofs does without the reasoner's evaluation BROKEN",
    "checker-at-one-remove": "The checker of proofs does without the reasoner's evaluation BROKEN",
    "circuit": "Lanes do without the reasoner's evaluation BROKEN",
    "pure": "Reasoning and compiling touch no RDF, file, clock or network BROKEN",
    "pure-at-one-remove": "Reasoning and compiling touch no RDF, file, clock or network BROKEN",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_import_breaks_its_contract(fault: str, copy_of: Callable[..., Path]) -> None:
    copy = copy_of("kb", "api", "pyproject.toml")
    for file, line in FAULTS[fault].items():
        path = copy / file
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + f"\n{line}\n", encoding="utf-8")
    code, output = lint(copy)
    assert code == 1 and BROKEN[fault] in output, output


# ── faces ───────────────────────────────────────────────────────────────────────────────────────────────

KB = Path(__file__).parent.parent / "kb"
PACKAGES = sorted(p.parent for p in KB.rglob("__init__.py") if p.parent != KB)


def face(folder: Path) -> list[str]:
    """What a package gives to others: its `__all__`."""
    (found,) = [
        node.value
        for node in ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    ]
    return list(ast.literal_eval(found))


def imported(folder: Path) -> set[tuple[str, str]]:
    """(package of kb, module) for each module of kb that a folder's files import; the module is "" for a package of one."""
    found: set[tuple[str, str]] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "kb":
                continue
            _, *path = (node.module or "").split(".")
            for name in node.names:
                package, *rest = [*path, name.name]
                found.add((package, rest[0] if rest and (folder.parent / "kb" / package).is_dir() else ""))
    return found


def test_each_package_says_what_it_is_for_and_has_a_small_face(root: Path) -> None:
    assert len(PACKAGES) >= 14
    config = (root / "pyproject.toml").read_text(encoding="utf-8")
    for folder in PACKAGES:
        text = (folder / "__init__.py").read_text(encoding="utf-8")
        modules = {p.stem for p in folder.glob("*.py")} - {"__init__"}
        within = {p.parent.name for p in folder.glob("*/__init__.py")}
        assert len(ast.get_docstring(ast.parse(text)) or "") > 60, folder.name
        name, dotted = ("-".join(folder.relative_to(KB).parts), r"\.".join(folder.relative_to(KB).parts))
        assert 1 <= len(face(folder)) <= 8 and set(face(folder)) <= modules | within, folder.name
        private = re.search(rf'"face-of-{name}".*?protected_modules = \[(.*?)\]', config, re.S)
        assert modules - set(face(folder)) == set(re.findall(rf"kb\.{dotted}\.(\w+)", private[1]) if private else ()), (
            f"the private modules of {folder.name} in pyproject.toml"
        )


def test_the_doors_use_the_names_that_kb_gives_them(root: Path) -> None:
    assert len(face(root / "kb")) <= 15
    assert {package for package, _ in imported(root / "api")} == set(face(root / "kb"))


# ── no game in the Python ───────────────────────────────────────────────────────────────────────────────


# Games' properties that are plain English words, and are whole strings in kb that stand for something else there.
PLAIN = {
    "above": "a preposition",
    "basis": "what stands before a condition",
    "behind": "a preposition",
    "beneath": "a preposition",
    "between": "a preposition",
    "holds": "a verb of proofs' sentences",
    "length": "how long a thing is in plain English",
    "position": "a verb of players",
    "roll": "a verb of players",
    "section": "a part of a text",
    "through": "a preposition",
    "turn": "a verb of proofs' sentences",
    "under": "a preposition",
    "uses": "a verb of proofs' sentences",
    "within": "a preposition",
}


def games(root: Path) -> tuple[set[str], set[str]]:
    """The ids of the books, and the names of the classes and properties that only games have, none that all share."""
    books = {p.parent.name for p in (root / "kb" / "rulebooks").glob("*/policy.yaml")}
    terms = set()
    for book in books:
        for file in (root / "ontology" / book).glob("*.ttl"):
            text = file.read_text(encoding="utf-8")
            terms |= set(re.findall(rf"^{book}:([A-Z]\w+)\s+a owl:Class\b", text, re.M))
            terms |= set(re.findall(rf"^{book}:([a-z]\w+)\s+a owl:(?:Object|Datatype)Property\b", text, re.M))
    for name in ("core", "tactics"):
        terms -= set(re.findall(r"^\w+:(\w+)\s+a owl:", (root / "ontology" / f"{name}.ttl").read_text("utf-8"), re.M))
    return books, terms


@cache
def words_of(source: str) -> tuple[tuple[int, str, bool], ...]:
    """See `words_in`; of each module once."""
    return tuple(words_in(source))


def words_in(source: str) -> Iterator[tuple[int, str, bool]]:
    """(line, text, whether a string) of each identifier and each string of a module that is not a docstring or a name in its face."""
    module = ast.parse(source)
    docstrings = set()
    for node in ast.walk(module):
        body = getattr(node, "body", None)
        if isinstance(body, list):  # a string that stands alone documents what is above it
            docstrings |= {id(s.value) for s in body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)}
            faces = (
                s.value for s in body if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == "__all__"
            )
            docstrings |= {id(name) for names in faces for name in ast.walk(names)}
    for node in ast.walk(module):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield line, node.value, True
        for field in ("name", "id", "attr", "arg", "module", "asname"):
            if isinstance(value := getattr(node, field, None), str):
                yield line, value, False


def games_named(source: str, books: set[str], terms: set[str]) -> list[str]:
    """Each place where a module names a book by its id, or a class or property of one game: "12: asl".

    A property of one small word (`level`) is an English word too: it is one only as a whole string, as terms are named.
    """
    found = []
    for line, text, string in words_of(source):
        pieces = {piece.casefold() for piece in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}
        whole = {word for word in re.findall(r"\w+", text) if not word.islower()}
        if string:
            whole |= {word for word in re.split(r"[.:#]", text) if word not in PLAIN}
        found += [f"{line}: {word}" for word in sorted((pieces & books) | (whole & terms))]
    return found


@pytest.mark.slow
def test_the_library_names_no_game(root: Path) -> None:
    books, terms = games(root)
    modules = sorted((root / "kb").rglob("*.py"))
    assert books and len(modules) > 20, "the collector found too little to mean anything"
    assert sum(t[0].isupper() for t in terms) > 300 and sum(t[0].islower() for t in terms) > 200
    assert {"participant", "level", "Pillbox"} <= terms and terms.isdisjoint({"actor", "target", "Unit", "staged"})
    found = {str(m): hits for m in modules if (hits := games_named(m.read_text(encoding="utf-8"), books, terms))}
    assert not found
    strings = {t for m in modules for _, t, string in words_of(m.read_text(encoding="utf-8")) if string}
    assert set(PLAIN) <= terms & strings, "a plain word is listed that no game has, or that kb does not need"


@pytest.mark.parametrize(
    "line",
    [
        'book = "asl"',
        "def aslBook(): ...",
        "asl_rules = 1",
        'kind == "Pillbox"',
        "from kb import asl",
        'f"{x} in ASL"',
        "x.asl = 1",
        'links.get("participant", ())',
        'PATH = "this.participant"',
        'say = "the mfLeft of it"',
        "mfLeft = 4",
    ],
)
def test_a_planted_game_is_found(line: str) -> None:
    assert games_named(f'"""Docstring: asl."""\n{line}\n', {"asl"}, {"Pillbox", "participant", "mfLeft"})


@pytest.mark.parametrize(
    "line",
    [
        '"""asl, and a Pillbox"""',
        'name = "translator"',
        "# asl",
        'x = "at each level of it"',
        "level = 1",
        'x["through"]',
    ],
)
def test_examples_in_docstrings_and_other_words_are_let_be(line: str) -> None:
    assert not games_named(f"x = 1\n{line}\n", {"asl"}, {"Pillbox", "level", "through"})


# ── how long a module may be ──

MOST_LINES, MODULES = 350, 400


def too_long(root: Path, most: int = MOST_LINES) -> tuple[int, list[str]]:
    """How many modules there are, and those that no reader takes in at once."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(root)}
    return len(lines), [f"{path.relative_to(root)}: {n}" for path, n in lines.items() if n > most]


def sources(root: Path) -> list[Path]:
    """The modules of the library and of its doors."""
    return sorted(path for room in ("kb", "api") for path in (root / room).rglob("*.py"))


def test_a_module_can_be_read_at_once(root: Path) -> None:
    found, long = too_long(root)
    assert found >= MODULES and not long, long
    assert too_long(root, 100)[1]  # a smaller bound is broken
