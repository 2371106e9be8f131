"""What a row of a batch costs: python bench/batch.py [ROWS …]

Rows over the pillbox's shape with eleven facts drawn. First a few thousand: each answered alone, then together (kb.batch.alike), then
other rows; and what of that is reading the row, and finding whether its answer is known. Then as columns, from file to file and at
hand: a first pass, in which most combinations of cells are new, and a second of the same rows. CPU time of one process, µs a row, and
as a ratio to Y, a hand-written check in Python, where the references stand beside the checkout; the answers are the same.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import kb
from kb import asking
from kb.batch import chunks, evaluate
from kb.batch.alike import kept
from kb.batch.columns import Met
from kb.circuit import answers
from kb.reasoner import reason
from tests.batches import SHAPE
from tests.test_alike import COLUMNS

ALONE, EACH, TOGETHER = 400, 200, 2_000
PEERS = Path(__file__).resolve().parent.parent.parent / "shared" / "bench"


def rows(many: int, seed: str) -> list[dict[str, Any]]:
    """Rows over the shape, drawn."""
    random = Random(seed)
    return [{name: random.choice(values) for name, values in COLUMNS.items()} for _ in range(many)]


def took(what: Callable[[], Any]) -> tuple[float, Any]:
    """The time that something takes, in µs, and what it gives."""
    start = time.process_time()
    found = what()
    return (time.process_time() - start) * 1e6, found


def yardstick() -> float:
    """What the hand-written check takes for a row, the least of nine; 0 where it is not there."""
    if not (PEERS / "model.py").is_file():
        return 0.0
    with TemporaryDirectory() as folder:  # the references write their scenarios beside them
        for name in ("gen.py", "model.py"):
            copy(PEERS / name, folder)
        subprocess.run([sys.executable, "gen.py", "2000"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        sys.path.insert(0, folder)
        import model

        scenarios = model.load()[0]
    return min(took(lambda: [model.may_enter(s) for s in scenarios])[0] for _ in range(9)) / len(scenarios)


# ── row by row ──


def batch(drawn: Sequence[dict[str, Any]]) -> tuple[float, int, list[Any]]:
    """The time for each of some rows, how many were worked out, and the answers."""
    found = kb.ask_many(drawn, SHAPE, workers=1)
    spent, told = took(lambda: list(found))
    return spent / len(drawn), found.asked, told


def row_by_row(many: int) -> None:
    """What a row costs that is read."""
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
    reader = next(iter(chunks.AT_WORK.values()))[0]
    lines = kb.ask_many(rows(EACH, "third"), SHAPE, workers=1).source.part(EACH)
    read, cases = took(lambda: [reader.read(row).case("") for row in lines])
    theory = asking.rules(cases[0])
    found = [kept.of(theory, case) for case in cases]
    find, known = took(lambda: [alike.find(case) for alike, case in zip(found, cases, strict=True)])
    reasoner, _ = took(lambda: [reason.answer(theory, case, deep=False) for case in cases])
    lanes, _ = took(lambda: [answers.verdicts(theory, [case]) for case in cases])
    print(f"| {many:,} rows | µs a row | worked out |\n|---|---|---|")
    print(f"| each alone ({ALONE} of them) | {alone:,.0f} | {ALONE} |")
    print(f"| together | {together:,.0f} | {asked} |\n| a second batch | {second:,.0f} | {more} |")
    print(
        f"\nReading {read / EACH:,.0f} µs; finding the answer {find / EACH:,.0f} µs ({sum(k is not None for k in known)} of {EACH} known)."
    )
    print(f"A verdict alone: by the reasoner {reasoner / EACH:,.0f} µs, by one lane {lanes / EACH:,.0f} µs.\n")


# ── as columns ──


def written(folder: Path, columns: dict[str, list[Any]]) -> dict[str, Path]:
    """The rows as files."""
    import pyarrow
    from pyarrow import parquet

    files = {form: folder / f"rows.{form}" for form in ("parquet", "csv", "jsonl")}
    parquet.write_table(pyarrow.table(columns), files["parquet"])
    cells = list(zip(*columns.values(), strict=True))
    with files["csv"].open("w", newline="") as file:
        csv.writer(file).writerows([tuple(columns), *cells])
    with files["jsonl"].open("w") as file:
        file.writelines(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in cells)
    return files


def from_file_to_file(file: Path) -> float:
    """The time to answer the rows of a file into one of the same form."""
    many = kb.ask_many(file, SHAPE, workers=1)

    def answered() -> None:
        with many.sink(file.with_name(f"out{file.suffix}"), io.BytesIO()) as sink:
            for part in many.chunks():
                sink.write(part)

    return took(answered)[0]


def as_columns(many: int, y: float) -> None:
    """What a row costs of which all combinations of cells were met, and where they were not."""
    import pyarrow

    pyarrow.set_cpu_count(1)
    drawn = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*columns_of(many).values(), strict=True)][:EACH]
    columns, found = columns_of(many), list[tuple[str, float, float]]()
    with TemporaryDirectory() as folder:
        for form, file in written(Path(folder), columns).items():
            forget()
            first = from_file_to_file(file)
            found.append((f"{form} to {form}", first, min(from_file_to_file(file) for _ in range(2))))
    table = pyarrow.table(columns)
    over = kb.over(SHAPE, tuple(COLUMNS))
    for name, ask in (
        ("columns at hand, Arrow: the verdicts", lambda: over.answers(table).verdicts),
        ("columns at hand, lists: the verdicts", lambda: over.answers(columns).verdicts),
        ("columns at hand, Arrow: the whole table", lambda: over.table(table)),
    ):
        forget()
        over.columns.met = Met()
        first = took(ask)[0]
        found.append((name, first, min(took(ask)[0] for _ in range(3))))
    cells = list(zip(*columns.values(), strict=True))[:EACH]
    assert [over.verdict(row) for row in cells] == [m.verdict for m in kb.ask_many(drawn, SHAPE, workers=1)]
    found.append(
        (
            "a verdict alone, known",
            0.0,
            min(took(lambda: [over.verdict(row) for row in cells])[0] for _ in range(3)) / EACH * many,
        )
    )
    print(
        f"| {many:,} rows, {len(over.columns.met.numbers):,} combinations | first pass, µs | Y | second, µs | Y |\n|---|---|---|---|---|"
    )
    for name, first, second in found:
        each = [
            f"{spent / many:,.2f} | {spent / many / y:,.2f}" if y and spent else f"{spent / many:,.2f} | "
            for spent in (first, second)
        ]
        print(f"| {name} | {' | '.join(each)} |", flush=True)
    print(f"\nY: {y:.3f} µs.\n")


def columns_of(many: int) -> dict[str, list[Any]]:
    """Columns over the shape, drawn."""
    random = Random("columns")
    return {name: random.choices(values, k=many) for name, values in COLUMNS.items()}


def forget() -> None:
    """Lets go of all combinations; the answers that were worked out stay known by what they read."""
    chunks.AT_WORK.clear()


if __name__ == "__main__":
    row_by_row(TOGETHER)
    yard = yardstick()
    for size in map(int, sys.argv[1:] or ("20000", "1000000")):
        as_columns(size, yard)
