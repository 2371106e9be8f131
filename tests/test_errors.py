"""The numbers of problems: each means one thing, has something to do with it, and stands in one module."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from kb.errors import Place, Problem, did_you_mean, nearest

ROOT = Path(__file__).parent.parent
MODULES = sorted(p for p in (*ROOT.glob("kb/**/*.py"), *ROOT.glob("api/*.py")) if p.stem != "guard")  # it has statuses
# What raises a problem: the name of the call, and which argument (or keyword) tells what to do.
RAISES = {"Problem": (3, "hint"), "problem": (3, "hint"), "refuse": (2, "hint"), "read_text": (None, "")}
# Numbers that several modules give, for one and the same fault.
SHARED = {
    400: "a case's file cannot be read",
    402: "not text",
    404: "nested too deeply",
    410: "not a case",
    422: "neither true nor false",
    454: "an answer to no question",
    481: "something optional is not installed",
    484: "workers that do not answer",
    612: "no such term",
    614: "nothing of that name in the graph",
    620: "nothing to search for",
    631: "not text",
    640: "not SPARQL",
    655: "no address of an endpoint",
    689: "a table that grows too wide",
    693: "a role that names no relation and kind",
    675: "a file cannot be read",
    676: "a file cannot be written",
    673: "something is missing on the command line",
    674: "a setting or option that does not read",
    680: "a value not of the form asked for",
    684: "options that do not go together",
    685: "nothing of that is imported",
    701: "not Turtle",
    720: "a reasoner's parts are not installed",
    723: "a reasoner refused the ontology",
    956: "no such erratum or ruling",
    960: "no such format",
}


def raised() -> list[tuple[str, int, int, bool]]:
    """(module, line, number, whether it says what to do) of every problem that the source raises."""
    rows = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            numbers = [a.value for a in node.args if isinstance(a, ast.Constant) and type(a.value) is int]
            if name not in RAISES or not numbers or not 100 <= numbers[0] <= 999:
                continue
            at, keyword = RAISES[name]
            does = at is None or len(node.args) > at or keyword in {k.arg for k in node.keywords}
            rows.append((f"{path.parent.name}.{path.stem}", node.lineno, numbers[0], does))
    return rows


def test_a_number_means_one_thing() -> None:
    rows, homes = raised(), defaultdict(set)
    for module, _, number, _ in rows:
        homes[number].add(module)
    assert len(rows) >= 300 and len(homes) >= 190, "the collector lost sight of them"
    assert {n: sorted(where) for n, where in homes.items() if len(where) > 1 and n not in SHARED} == {}
    assert [n for n in SHARED if n not in homes] == []


def test_every_problem_says_what_to_do() -> None:
    """But for findings about a proof, which nobody mends by hand."""
    bare = [f"{module}:{line} E{number}" for module, line, number, does in raised() if not does]
    assert [row for row in bare if not row.startswith("checker.")] == []


def test_the_line_is_shown_with_a_caret_under_the_column() -> None:
    told = str(Problem(423, "no class", Place("a.yaml", 3, 5), "did you mean Squad?", "a: {is: Sqaud}", Place("b", 1)))
    assert told.splitlines() == [
        "E423 a.yaml:3:5: no class", "    a: {is: Sqaud}", "        ^", "  see also: b:1:1", "  do: did you mean Squad?",
    ]  # fmt: skip


def test_the_nearest_spellings_are_told_best_first() -> None:
    assert nearest("squads", ["Squid", "Squad", "Leader"]) == ["Squad", "Squid"]
    assert did_you_mean("sqaud", ["Squad"]) == "did you mean Squad?" and did_you_mean("zzz", ["Squad"]) == ""
