#!/usr/bin/env python3
"""Imports a text of 70 pages and one of 700, and holds the larger to 1.3 times the smaller's time for a page.

    python bench/bench_import.py [--text FILE] [--pages 70 700] [--json]

The text is made by repeating and renumbering: an invented page, or FILE (../shared/seeds, say) cut at its sections.
Each import runs in a process of its own, five times in turn; the least processor time counts. Memory is its peak.
Exit code 1 when a bound is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PAGE_CHARACTERS = 3500
MOST_TIME = 1.3  # times the smaller's, for a page
MOST_MEMORY = 50_000  # bytes for a page more: the library keeps sections, not their parse
RULE = """{n} WALLS & GATES: A wall stops each arrow [EXC: fire arrows; {n}] that a knight shoots from outside,
unless the wall is broken (K4.12; see {n} and 8.61-.62). Only its owner may mend a wall, and he pays three crowns a day
except in a siege. A gate is a wall in all respects except that a rider may pass it by day [EXC: a cursed rider [EXC:
led by a priest; J2.31]; K3.1]. Nobody sleeps on a wall (even if tired), though a guard may lean on it for a while.

EX: Ann stands on her wall. Bob shoots a fire arrow from a cart two hexes away, so the wall does not stop it.
"""


def make(pages: int, source: Path | None) -> str:
    """A text of so many pages, parted by form feeds, every section with a number of its own."""
    pieces = [RULE]
    if source:
        words = source.read_text(encoding="utf-8").replace("{", "(").replace("}", ")")
        pieces = [
            re.sub(r"^\d+(?:\.\d+)*", "{n}", piece.strip()) + "\n"
            for piece in re.split(r"(?m)^(?=\d+\.\d+ )", words)
            if re.match(r"\d", piece)
        ]
    out = []
    number = 0
    for page in range(1, pages + 1):
        rows = [f"THE BOOK OF KEEPS {page}"]
        while sum(map(len, rows)) < PAGE_CHARACTERS:
            number += 1
            rows.append(pieces[number % len(pieces)].replace("{n}", f"{100 + number // 900}.{100 + number % 900}"))
        out.append("\n\n".join(rows))
    return "\f".join(out)


def once(path: str) -> None:
    """Imports one file into an empty library; prints seconds, peak bytes and what was found."""
    from kb.texts import library

    with tempfile.TemporaryDirectory() as folder:
        os.environ["LOOPHOLE_LIBRARY"] = folder
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started = time.process_time()  # other work on the machine does not count
        report = library.import_text(path, "bench", "K")
        seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row = {"seconds": seconds, "peak": peak * 1024, "before": before * 1024, "sections": report.sections}
    print(json.dumps({**row, "sentences": report.sentences}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--pages", type=int, nargs=2, default=[70, 700])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.once:
        once(args.once)
        return 0
    rows: dict[int, list[dict[str, float]]] = {pages: [] for pages in args.pages}
    with tempfile.TemporaryDirectory() as folder:
        for pages in args.pages:
            (Path(folder) / f"{pages}.txt").write_text(make(pages, args.text), encoding="utf-8")
        for _ in range(args.rounds):
            for pages in args.pages:
                command = [sys.executable, __file__, "--once", str(Path(folder) / f"{pages}.txt")]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                rows[pages].append(json.loads(done.stdout))
    few, many = args.pages
    time_of = {p: min(r["seconds"] for r in rows[p]) / p for p in args.pages}
    peak_of = {p: min(r["peak"] for r in rows[p]) for p in args.pages}
    figures = {
        "pages": args.pages,
        "sections": [rows[p][0]["sections"] for p in args.pages],
        "sentences": [rows[p][0]["sentences"] for p in args.pages],
        "milliseconds a page": [round(1000 * time_of[p], 3) for p in args.pages],
        "time ratio": round(time_of[many] / time_of[few], 3),
        "peak megabytes": [round(peak_of[p] / 1e6, 1) for p in args.pages],
        "bytes for each page more": round((peak_of[many] - peak_of[few]) / (many - few)),
    }
    print(json.dumps(figures, indent=1) if args.json else "\n".join(f"{k}: {v}" for k, v in figures.items()))
    broken = []
    if figures["time ratio"] > MOST_TIME:
        broken.append(f"a page of {many} takes {figures['time ratio']} times one of {few}; at most {MOST_TIME}")
    if figures["bytes for each page more"] > MOST_MEMORY:
        broken.append(f"each page more takes {figures['bytes for each page more']} bytes; at most {MOST_MEMORY}")
    for line in broken:
        print(f"broken: {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
