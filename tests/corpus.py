"""The cases of tests/cases and examples, read once for all the tests of a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kb.cases import casebook
from kb.cases.casebook import Written

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"


@cache
def of(pattern: str) -> tuple[Written, ...]:
    """The cases of some files below tests/cases, in order: `asl/B30.42.yaml`, `across/*.yaml`."""
    found = tuple(casebook.of(sorted(CASES.glob(pattern))))
    assert found, f"no case in tests/cases/{pattern}"
    return found


@cache
def every() -> tuple[Written, ...]:
    """All cases of one book each; what compares books is in `across/*.yaml`."""
    return tuple(case for case in of("*/*.yaml") if not case.compares)


@cache
def named(name: str) -> Written:
    """The case of that name."""
    said = f"name: {name}\n"
    (file,) = (path for path in sorted(CASES.glob("*/*.yaml")) if said in path.read_text(encoding="utf-8"))
    return casebook.one(casebook.in_file(file), name)


def beginning(*starts: str) -> list[Written]:
    """The cases whose names begin so."""
    return [case for case in every() if case.name.startswith(starts)]
