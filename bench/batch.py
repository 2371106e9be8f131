"""What a row of a batch costs: python bench/batch.py

Rows over the pillbox's shape with eleven facts drawn: each answered alone, then together (kb.batch.alike), then a second batch of other
rows; and what of that is reading the row, and finding whether its answer is known. CPU time of one process, µs a row; the answers are the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import kb
from kb import asking
from kb.batch import chunks, evaluate
from kb.batch.alike import kept
from kb.circuit import answers
from kb.reasoner import reason
from tests.batches import SHAPE
from tests.test_alike import COLUMNS

ALONE, EACH = 400, 200


def rows(many: int, seed: str) -> list[dict[str, Any]]:
    """Rows over the shape, drawn."""
    random = Random(seed)
    return [{name: random.choice(values) for name, values in COLUMNS.items()} for _ in range(many)]


def batch(drawn: Sequence[dict[str, Any]]) -> tuple[float, int, list[Any]]:
    """The time for each of some rows, how many were worked out, and the answers."""
    start = time.process_time()
    found = kb.ask_many(drawn, SHAPE, workers=1)
    told = list(found)
    return (time.process_time() - start) / len(drawn) * 1e6, found.asked, told


def main(many: int) -> None:
    """Measures, and prints a table."""
    drawn = rows(many, "first")
    few, evaluate.FEW = evaluate.FEW, many
    batch(drawn[:ALONE])  # the norms are made ready when they are first tried
    chunks.AT_WORK.clear()
    alone, _, told = batch(drawn[:ALONE])
    evaluate.FEW = few
    chunks.AT_WORK.clear()
    together, asked, same = batch(drawn)
    assert same[:ALONE] == told
    second, more, _ = batch(rows(many, "second"))
    reader, _ = next(iter(chunks.AT_WORK.values()))
    start = time.process_time()
    cases = [reader.read(row).case("") for row in list(kb.ask_many(rows(EACH, "third"), SHAPE, workers=1).source)]
    read = (time.process_time() - start) / EACH * 1e6
    theory = asking.rules(cases[0])
    found = [kept.of(theory, case) for case in cases]
    start = time.process_time()
    known = [alike.find(case) for alike, case in zip(found, cases, strict=True)]
    find = (time.process_time() - start) / EACH * 1e6
    verdicts = {}
    for name, ask in (
        ("reasoner", lambda case: reason.answer(theory, case, deep=False)),
        ("lanes", lambda case: answers.verdicts(theory, [case])),
    ):
        start = time.process_time()
        for case in cases:
            ask(case)
        verdicts[name] = (time.process_time() - start) / EACH * 1e6
    print(f"| {many:,} rows | µs a row | worked out |\n|---|---|---|")
    print(f"| each alone ({ALONE} of them) | {alone:,.0f} | {ALONE} |")
    print(f"| together | {together:,.0f} | {asked} |\n| a second batch | {second:,.0f} | {more} |")
    print(
        f"\nReading {read:,.0f} µs; finding the answer {find:,.0f} µs ({sum(k is not None for k in known)} of {EACH} known)."
    )
    print(f"A verdict alone: by the reasoner {verdicts['reasoner']:,.0f} µs, by one lane {verdicts['lanes']:,.0f} µs.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
