"""What the first question of a theory takes: python bench/first_answer.py [--runs N]

A theory is read, nothing is asked of it yet; then comes one question, answered with all that it rests on (`first` of bench/growth.py).
Three questions to each of the books, of asl to each chapter: picked by hand from a sample of the cases, where they stood above the
median and, of asl, not far below the bound. They are not the slowest: the sample had settled ones of 34 to 45 ms, and far longer
ones where a question is open or asks `which`. So a bound held here is not one held by every case.
Every question has a process of its own; processor time, the least of some
runs, in ms. `warm` is the same question asked again. Exit code 1 above the bound.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

BOUND, RUNS = 30.0, 5
QUESTIONS = {
    "asl, B30": ("b30-2-fpf", "b30-92-faust", "r4a-mgs-ca"),
    "asl, A7": ("a7-5-leader-link-heroic", "a7-9-group-selected", "a7-u-dir-fg-then-squad"),
    "asl, BRT6": ("brt6-12-just-enough", "brt6-51-tem-oba", "fresh-asl-f29"),
    "vv": ("vv-lost-one-of-two-still-holds-the-hex", "vv-mines-roll-unknown", "vv-w7-told-full-must-go-on"),
    "fow": ("fow-st3-team-unknown-wire", "flame-then-rifles-after-rally", "fow-q054"),
}


def asked(name: str) -> None:
    """Prints what the first answer to a case and the next one take, with the garbage collector as the command line has it."""
    from api import cli_plain
    from kb import asking
    from kb.reasoner import reason
    from tests import corpus

    cli_plain.look_seldom()
    case = asking.case(corpus.named(name))
    theory = asking.rules(case)
    for _ in range(2):
        begun = time.process_time()
        reason.answer(theory, case).cites  # noqa: B018 worked out when it is looked at
        print((time.process_time() - begun) * 1e3)


def times(name: str) -> tuple[float, float]:
    """The same from a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True)
    first, warm = map(float, done.stdout.split())
    return first, warm


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        asked(options.one)
        return 0
    print("| book | question | first, ms | warm, ms |\n|---|---|---|---|")
    longest = 0.0
    for book, names in QUESTIONS.items():
        for name in names:
            first, warm = map(min, zip(*(times(name) for _ in range(options.runs)), strict=True))
            longest = max(longest, first)
            print(f"| {book} | `{name}` | {first:.1f} | {warm:.1f} |", flush=True)
    print(f"\nthe longest first answer {longest:.1f} ms; bound {BOUND:.0f}: {'held' if longest < BOUND else 'BROKEN'}")
    return 0 if longest < BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
