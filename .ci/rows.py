#!/usr/bin/env python3
"""Writes the expected rows of the named questions anew: .venv/bin/python .ci/rows.py   (`check` only tells what is stale)

Each question is asked what queries/expected/asked.yaml gives it. Read the difference before committing it: a row that came,
went or changed has to be true of the rules. tests/test_queries.py holds the answers to these rows, cell for cell.
"""

from __future__ import annotations

import csv
import difflib
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

EXPECTED = Path(__file__).resolve().parent.parent / "queries" / "expected"
RENEW = ".venv/bin/python .ci/rows.py"
Row = tuple[str, ...]


def asked() -> dict[str, list[dict[str, str]]]:
    """What each question is given, by its name."""
    found: dict[str, list[dict[str, str]]] = yaml.safe_load((EXPECTED / "asked.yaml").read_text(encoding="utf-8"))
    return found


def written(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """A table as CSV, as the files beside asked.yaml are."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([columns, *rows])
    return out.getvalue()


def kept(name: str) -> list[Row]:
    """The columns and the expected rows of a question."""
    return [tuple(row) for row in csv.reader(io.StringIO((EXPECTED / f"{name}.csv").read_text(encoding="utf-8")))]


def difference(name: str, now: str) -> str:
    """What an answer has otherwise than its file, line by line, and what to do; "" where they are the same."""
    path = EXPECTED / f"{name}.csv"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if before == now:
        return ""
    rows = difflib.unified_diff(before.splitlines(), now.splitlines(), "expected", "answered", lineterm="", n=0)
    head = f"queries/expected/{name}.csv is not what the query answers: mend the query, or, where a book has changed, run {RENEW}"
    return "\n".join([f"{head} and look at the difference", *rows])


def main(argv: Sequence[str]) -> int:
    sys.path.insert(0, str(EXPECTED.parent.parent))
    from kb.triplestore import named_queries, store

    held = store.opened()
    stale = 0
    for name, given in asked().items():
        now = answer(named_queries.find(name), held, given)
        if said := difference(name, now):
            stale += 1
            print(said)
            if "check" not in argv:
                (EXPECTED / f"{name}.csv").write_text(now, encoding="utf-8")
    print(f"{stale} of {len(asked())} questions have other rows" if stale else "the expected rows are current")
    return int(bool(stale) and "check" in argv)


def answer(query: object, held: object, given: Sequence[Mapping[str, str]]) -> str:
    """A question's answers, one after the other, as CSV."""
    from kb.triplestore import named_queries

    tables = [named_queries.ask(query, held, values) for values in given]  # type: ignore[arg-type]
    rows = [tuple("" if t is None else str(t) for t in row) for table in tables for row in table.rows]
    return written(tables[0].columns, rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
