"""Compares one run's results with what we hold ourselves to: python bench/bounds.py RESULTS.json

    every answer right, 10,000 of them
    an answer with its full proof   at most 50 times the hand-written Python with full proof (aim: 10)
    an answer with its full proof   faster than SWI-Prolog with its proof tree

Figures are medians of one warm question, each a ratio to the yardstick taken in its own process.
Exit code 1 when a bound is broken.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

OURS, PYTHON, PROLOG = "Loophole", "python with full proof", "SWI-Prolog (pipe)"
BOUND, AIM, CASES = 50, 10, 10_000


def verdicts(rows: list[dict[str, Any]]) -> list[tuple[bool, str]]:
    """(held, sentence) for each bound. A peer that is missing or failed breaks the bounds that need it."""
    by = {row["peer"]: row for row in rows if "error" not in row}
    if lacking := [name for name in (OURS, PYTHON, PROLOG) if name not in by]:
        return [(False, f"no result of {name}") for name in lacking]
    row = by[OURS]
    right = row["wrong"] == 0 and row["checked"] >= CASES
    found = [(right, f"{row['wrong']} wrong of {row['checked']:,}; asked for: {CASES:,}, all right")]
    ours = row["ratio"]["median"]
    python = by[PYTHON]["ratio"]["median"]
    prolog = by[PROLOG]["ratio"]["explain"]
    found.append((ours <= BOUND * python, f"{ours / python:.1f} times {PYTHON}; bound {BOUND}, aim {AIM}"))
    found.append((ours < prolog, f"{ours:.0f} times the yardstick; SWI-Prolog with its proof tree {prolog:.0f}"))
    return found


def main(path: str) -> int:
    found = verdicts(json.loads(Path(path).read_text(encoding="utf-8")))
    for held, sentence in found:
        print(f"{'held  ' if held else 'BROKEN'}  {sentence}")
    return 0 if all(held for held, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
