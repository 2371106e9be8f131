"""What the whole report costs: `loophole research` of every book, done anew, beside HermiT's classification of the same theory.

    python bench/research.py [BOOK …] [--runs N]

The theory that HermiT classifies is the book's ontology with the condition of every norm as a class (what `loophole build` does for which
norm is the narrower). Both are run in the same run, N times HermiT, and told in seconds of processor time and of the clock. Exit code 1 where all
reports together take longer than ten minutes, or one as long as thirty classifications.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kb import resources  # noqa: E402
from kb.ontology import subsumption  # noqa: E402
from kb.research import report  # noqa: E402

MOST_SECONDS, MOST_TIMES = 600, 30


def taken(work: Callable[[], object]) -> tuple[float, float]:
    """The seconds of processor time, that of finished processes of its own included, and of the clock that some work takes."""
    before, began = used(), time.perf_counter()
    work()
    return used() - before, time.perf_counter() - began


def used() -> float:
    """Seconds of processor time used until now, by this process and those that it started and has seen end."""
    rows = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(row.ru_utime + row.ru_stime for row in rows)


def main() -> int:
    """Measures and tells; returns the exit code."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("book", nargs="*", default=list(resources.games()))
    given.add_argument("--runs", type=int, default=1, help="how often HermiT classifies")
    given.add_argument("--jobs", type=int, default=2, help="processes of research")
    options = given.parse_args()
    whole, bad = 0.0, False
    for book in options.book:
        norms, terms = subsumption.norms_of(book)
        hermit = [taken(lambda: subsumption.decide(norms, terms)) for _ in range(options.runs)]  # noqa: B023
        done, clock = taken(lambda: report.run(book, options.jobs, True))  # noqa: B023
        one = statistics.median(cpu for cpu, _ in hermit)
        whole += clock
        bad |= done > MOST_TIMES * one
        print(
            f"{book}: research {done:.0f} s of processor time, {clock:.0f} s; HermiT once, {len(norms)} norms, {one:.1f} s, "
            f"{statistics.median(wall for _, wall in hermit):.0f} s; {done / one:.2f} classifications", flush=True
        )  # fmt: skip
    print(f"all: {whole:.0f} s")
    return int(bad or whole > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
