"""What it costs to ask many variants of a case at once: python bench/lanes.py

    flips     the changes that would turn an answer: each asked of the reasoner, and looked at in lanes first (kb.circuit); the example of
              README, and the ten case files of some fifty whose flips take longest
    verdicts  one question over a shape with eight facts that hold or not: by the reasoner one by one, and in lanes, verdicts alone

CPU time of this process, the least of some runs; every answer is held against the reasoner's.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec.structs import replace

from kb import asking
from kb.circuit import answers
from kb.language.case import Case
from kb.reasoner import counterfactuals, flips, reason
from tests import corpus

ROOT = Path(__file__).resolve().parent.parent
RUNS, EVERY, LARGEST = 2, 90, 10
ENOUGH = 3_000_000  # goals: of what is asked one by one nothing is left out, as little as of what lanes get through with fewer
FACTS = ("Broken", "Pinned", "Berserk", "Fanatic", "CX", "Disrupted", "Captured", "Encircled")


def least(what: Callable[[], Any]) -> tuple[float, Any]:
    """The least CPU time of some runs, in seconds, and what came of the last."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        found = what()
        times.append(time.process_time() - start)
    return min(times), found


def flipped(name: str, case: Case) -> tuple[float, float, float, str]:
    """The time for an answer, for its flips asked one by one and in lanes first."""
    asked, proof = least(lambda: asking.ask(case).verdict and asking.ask(case))
    if proof.verdict in ("which", "undetermined"):
        return 0, 0, 0, name
    proof.worked  # noqa: B018 staged once, for both
    each, one = least(lambda: flips.flips(*proof.worked, ENOUGH))
    lanes, other = least(lambda: flips.flips(*proof.worked, ENOUGH, answers.sieve))
    assert one == other, name
    return each, lanes, asked / 2, name


def swept(case: Case, thing: str) -> list[Case]:
    """The case with each choice of the facts."""
    found = []
    for so in itertools.product((False, True), repeat=len(FACTS)):
        facts = case.things[thing]
        more = tuple(name for name, held in zip(FACTS, so, strict=True) if held)
        found.append(replace(case, things={**case.things, thing: replace(facts, is_=(*facts.is_, *more))}))
    return found


def main() -> None:
    """Measures, and prints a table."""
    example = asking.case(ROOT / "examples" / "pillbox.yaml")
    rows = [flipped("README", example)]
    several = [asking.case(case) for case in corpus.every()[3::EVERY]]
    rows += sorted((flipped(case.name, case) for case in several), reverse=True)[:LARGEST]
    print("| flips of | an answer, ms | asked one by one, ms | in lanes first, ms | times |\n|---|---|---|---|---|")
    for each, lanes, asked, name in rows:
        print(f"| {name} | {asked * 1e3:.1f} | {each * 1e3:.0f} | {lanes * 1e3:.0f} | {each / lanes:.1f} |")
    theory, cases = asking.rules(example), swept(example, "squad")
    one, plain = least(lambda: [counterfactuals.said(reason.answer(theory, case, deep=False)) for case in cases])
    all_, found = least(lambda: answers.verdicts(theory, cases))
    assert all(a in (None, b) for a, b in zip(found.answers, plain, strict=True))
    print(f"\n{len(cases)} verdicts over a shape: {one / len(cases) * 1e6:.0f} µs each one by one,", end=" ")
    print(f"{all_ / len(cases) * 1e6:.0f} µs each in lanes; left to the reasoner: {found.reasons or 'none'}")


if __name__ == "__main__":
    main()
