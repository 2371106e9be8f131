"""Holds decision tables to the reasoner: situations of their shapes drawn at random, each put to both.

python bench/tables.py                          every act of every book of which a table is given when nothing is told, 10,000 situations each
python bench/tables.py --times 300 fow:Gapping "vv:TakingPosition takes=Foxhole"
"""

from __future__ import annotations

import argparse
import sys
import time

from kb import resources
from kb.research.decisions import asked
from kb.research.decisions.check import disagreements, drawn
from kb.research.decisions.table import TooWide, table


def main() -> int:
    """0 where no table differs from the reasoner, 1 where one does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("acts", nargs="*", help="BOOK:ACT, with what else is told: ROLE=KIND")
    parser.add_argument("--times", type=int, default=10_000, help="situations of each table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    acts = given.acts or [f"{book}:{act}" for book in resources.games() for act, _ in asked.acts(book)]
    wrong = 0
    for said in acts:
        begun = time.process_time()
        name, *told = said.split()
        book, _, act = name.partition(":")
        case = asked.situation(book, act, {role: [kind] for role, _, kind in (row.partition("=") for row in told)})
        try:
            made = table(asked.rules(case), case)
        except TooWide:
            print(f"{said}: too wide")
            continue
        tried = len(list(drawn(made, given.times, given.seed)))
        found = list(disagreements(made, given.times, given.seed))
        wrong += bool(found)
        print(
            f"{said}: {len(found)} of {tried} situations differ, {len(made.rows)} rows, {time.process_time() - begun:.0f} s",
            flush=True,
        )
        for fault in found[:1]:
            print(f"  the reasoner says {fault.found}, the row {fault.row}: {fault.case}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
