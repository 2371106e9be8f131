"""The floor under coverage: a stored report that a later one is held to, so that CI fails when coverage falls.

python -m tests.coverage_floor      makes today's report the floor (tests/coverage.json)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from kb import resources
from kb.coverage.coverage import Report, of_folder
from kb.errors import Place, Problem, TextError

COVERED = ("open", "exceptions open")


def floor_of(report: Report) -> dict[str, dict[str, int]]:
    """The figures of a report that a later one is held to, by "book/chapter"."""
    return {f"{c.book}/{c.chapter}": c.totals() for c in report.chapters}


def write_floor(report: Report, path: Path) -> None:
    """Makes a report the floor; one line a chapter."""
    rows = (f" {json.dumps(name)}: {json.dumps(row)}" for name, row in floor_of(report).items())
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def fallen(report: Report, floor: Mapping[str, Mapping[str, int]], file: str = "") -> list[Problem]:
    """What is less than the floor: a chapter gone, fewer sentences covered, more of them open, exceptions lost."""
    now = floor_of(report)
    problems = []
    hint = "encode what was lost; lower the floor only where the book itself has changed"
    for name, old in floor.items():
        new = now.get(name)
        if new is None:
            problems.append(Problem(530, f"{name} is gone", Place(file, 1), hint))
            continue
        covered = new.get("encoded", 0) + new.get("explained", 0), old.get("encoded", 0) + old.get("explained", 0)
        if covered[0] < covered[1]:
            problems.append(
                Problem(531, f"{name}: {covered[0]} sentences covered, {covered[1]} before", Place(file, 1), hint)
            )
        for key in ("encoded", "exceptions", "exceptions encoded"):
            if new.get(key, 0) < old.get(key, 0):
                problems.append(
                    Problem(531, f"{name}: {new.get(key, 0)} {key}, {old[key]} before", Place(file, 1), hint)
                )
        for key in COVERED:
            if new.get(key, 0) > old.get(key, 0):
                problems.append(
                    Problem(532, f"{name}: {new.get(key, 0)} {key}, {old.get(key, 0)} before", Place(file, 1), hint)
                )
    return problems


def read_floor(path: Path) -> dict[str, dict[str, int]]:
    """A floor file. Raises TextError when it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): {str(k): int(v) for k, v in row.items()} for name, row in data.items()}
    except (OSError, ValueError, AttributeError, TypeError) as e:
        raise TextError(
            Problem(533, f"this is no coverage floor: {e}", Place(str(path), 1), "write it anew from a report")
        ) from None


if __name__ == "__main__":
    write_floor(of_folder(resources.path("rulebooks")), Path(__file__).parent / "coverage.json")
