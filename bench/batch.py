"""What a row of a batch costs: python bench/batch.py [ROWS …] [“row by row”, “at hand”, parquet, csv, jsonl]

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
FORMS = ["row by row", "at hand", "parquet", "csv", "jsonl"]
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


def written(file: Path, columns: dict[str, list[Any]]) -> Path:
    """The rows as a file, in the form that its name tells."""
    if file.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table(columns), file)
        return file
    cells = zip(*columns.values(), strict=True)
    with file.open("w", newline="") as stream:
        if file.suffix == ".csv":
            csv.writer(stream).writerows([tuple(columns), *cells])
        else:
            stream.writelines(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in cells)
    return file


def from_file(file: Path) -> None:
    """Reads the rows of a file and has them answered."""
    for _ in kb.ask_many(file, SHAPE, workers=1).chunks():
        pass


def from_file_to_file(file: Path) -> None:
    """Has the rows of a file answered into one of the same form."""
    many = kb.ask_many(file, SHAPE, workers=1)
    with many.sink(file.with_name(f"out{file.suffix}"), io.BytesIO()) as sink:
        for part in many.chunks():
            sink.write(part)


def as_columns(many: int, y: float, forms: Sequence[str]) -> None:
    """What a row costs of which all combinations of cells were met, and where they were not."""
    import pyarrow

    pyarrow.set_cpu_count(1)
    columns = columns_of(many)
    table, over, cells = (
        pyarrow.table(columns),
        kb.over(SHAPE, tuple(COLUMNS)),
        list(zip(*columns.values(), strict=True))[:EACH],
    )
    print(f"| {many:,} rows | first pass, µs | Y | second, µs | Y |\n|---|---|---|---|---|")

    def tell(name: str, ask: Callable[[], Any], rows: int = many, first: bool = True) -> None:
        chunks.AT_WORK.clear()
        if first:
            over.columns.met = Met()
        spent = [took(ask)[0] / rows, min(took(ask)[0] for _ in range(2)) / rows]
        told = [f"{one:,.2f} | {one / y:,.2f}" if y else f"{one:,.2f} | " for one in spent]
        print(f"| {name} | {' | '.join(told)} |", flush=True)

    if "at hand" in forms:
        tell("columns at hand, Arrow: the verdicts", lambda: over.answers(table).verdicts)
        tell("columns at hand, Arrow: the whole table", lambda: over.table(table))
        tell("columns at hand, lists: the verdicts", lambda: over.answers(columns).verdicts)
        tell("a verdict alone, met before", lambda: [over.verdict(row) for row in cells], len(cells), first=False)
    drawn = [dict(zip(columns, row, strict=True)) for row in cells]
    assert [over.verdict(row) for row in cells] == [made.verdict for made in kb.ask_many(drawn, SHAPE, workers=1)]
    with TemporaryDirectory() as folder:
        for form in forms:
            if form not in FORMS[:2]:
                file = written(Path(folder) / f"rows.{form}", columns)
                tell(f"{form}: read and answered", lambda file=file: from_file(file))
                tell(f"{form} to {form}", lambda file=file: from_file_to_file(file))
    print(f"\nY: {y:.3f} µs.\n")


def columns_of(many: int) -> dict[str, list[Any]]:
    """Columns over the shape, drawn."""
    random = Random("columns")
    return {name: random.choices(values, k=many) for name, values in COLUMNS.items()}


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if not word.isdecimal()] or FORMS
    if "row by row" in named:
        row_by_row(TOGETHER)
    yard = yardstick()
    for size in [int(word) for word in sys.argv[1:] if word.isdecimal()] or (20_000, 1_000_000):
        as_columns(size, yard, named)
