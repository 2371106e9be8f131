"""Rows by the columns that they tell (kb.batch.columns, kb.over): each combination of cells is asked once, each row answered as alone."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kb
from kb import asking, registry
from kb.batch import chunks, coded, columns, over as at_hand, sinks, told
from kb.batch.reading import Job
from kb.batch.shapes import Shape
from kb.batch.sources import Row
from kb.batch.told import Taken, Told
from kb.errors import CaseError, LoopholeError
from tests.batches import SHAPE
from tests.test_batch import Planted, batch

CELLS: dict[str, Sequence[Any]] = {
    "foe.is.Disrupted": (True, False, None, "unknown"), "pillbox.capacity": (1, True, 2, 2.5, None),
    "move.phase": ("MovementPhase", "RoutPhase", "MovmentPhase"), "foe.not": (["Pinned"], None, "Broken"),
}  # fmt: skip
SOUND: dict[str, Sequence[Any]] = {
    "foe.is.Disrupted": (True, False, None), "name": ("a", "", 'x, "y"', None), "pillbox.capacity": (1, 2, None),
    "move.phase": ("MovementPhase", "RoutPhase", "MovmentPhase"),
}  # fmt: skip


def drawn(many: int, cells: dict[str, Sequence[Any]] = CELLS, seed: str = "columns") -> dict[str, list[Any]]:
    random = Random(seed)
    return {name: random.choices(values, k=many) for name, values in cells.items()}


def rows_of(given: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    return list(zip(*given.values(), strict=True))


def alone(given: dict[str, list[Any]]) -> list[Told | None]:
    """Each row as `ask` answers its case; None for what is wrong with it."""
    shape = Shape(SHAPE, registry.vocabulary("asl"), tuple(given))
    found: dict[str, Told | None] = {}
    for row in rows_of(given):
        try:
            found.setdefault(repr(row), told.of_proof(0, "", asking.ask(shape.case(row, "", 0)[0])))
        except LoopholeError:
            found[repr(row)] = None
    return [found[repr(row)] for row in rows_of(given)]


def bare(made: Sequence[Told]) -> list[Any]:
    """Answers without the number and the name of their rows; None for one at fault."""
    return [None if one.problems else (one.verdict, one.grade, one.cites, one.needs, one.assumes) for one in made]


def arrow() -> Any:
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["", "kinds", "room"])
def test_columns_are_answered_as_ask_answers_each_row(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: 1 and true are taken for one; a column has less room than it has different cells."""
    given = drawn(40)
    plain = {name: given[name] for name in ("foe.is.Disrupted", "pillbox.capacity", "move.phase")}
    texts = {name: [None if cell is None else str(cell) for cell in column] for name, column in plain.items()}
    if fault == "kinds":
        monkeypatch.setattr(
            columns, "kinds_of", lambda cells: tuple(float if type(c) in (int, bool) else type(c) for c in cells)
        )
    elif fault == "room":
        monkeypatch.setattr(coded, "ROOM", 2)
        monkeypatch.setattr(coded.Coded, "make_room", lambda self: None)
    wrong = []
    for cells in (given, plain, texts):
        wanted = [one and (one.verdict, one.grade, one.cites, one.needs, one.assumes) for one in alone(cells)]
        assert None in wanted and len(set(wanted)) > 3
        if fault != "room":
            asked = kb.over(SHAPE, tuple(cells))
            wrong += [1 for _ in range(2) if bare(asked.answers(cells)) != wanted]
        if cells is texts and fault != "kinds":
            asked = kb.over(SHAPE, tuple(cells))
            table = arrow().table(cells)
            wrong += [1 for _ in range(2) if bare(asked.answers(table)) != wanted]
    assert bool(wrong) == bool(fault)


def test_a_row_is_a_tuple_or_names_its_cells() -> None:
    asked = kb.over(SHAPE, ["foe.is.Disrupted", "name", "pillbox.capacity"])
    assert asked.verdict((True, "a", 2)) == "permitted" == asked.verdict([True, "b", 2])
    assert asked.verdict({"pillbox.capacity": 2, "foe.is.Disrupted": True}) == "permitted"
    assert asked.verdict((None, "c", 1)) == asked.verdict({"pillbox.capacity": 1}) == "forbidden"
    for _ in range(2):
        with pytest.raises(CaseError) as caught:
            asked.verdict(("perhaps", "", 2))
        assert caught.value.problems[0].code == 477 and caught.value.problems[0].place.heading == "foe.is.Disrupted"


def test_what_was_met_is_asked_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    given = drawn(60, SOUND | {"move.phase": ("RoutPhase", "MovementPhase")})
    asked = kb.over(SHAPE, tuple(given))
    first = asked.answers(given)
    monkeypatch.setattr(chunks, "answers_of", None)
    again = asked.answers({name: column[::-1] for name, column in given.items()})
    assert [one.verdict for one in again] == first.verdicts[::-1]
    start = time.process_time()
    found = [asked.verdict(row) for row in rows_of(given)]
    assert found == first.verdicts and time.process_time() - start < 0.1


def test_lists_and_columns_of_arrow_are_one(tmp_path: Path) -> None:
    given = drawn(50, SOUND)
    given["name"] = [str(cell or "") for cell in given["name"]]
    table = arrow().table(given)
    asked, other = kb.over(SHAPE, tuple(given)), kb.over(SHAPE, tuple(given))
    by_lists, by_arrow = asked.answers(given), other.answers(table)
    assert list(by_lists) == list(by_arrow) == list(asked.answers({name: table[name] for name in given}))
    assert by_lists.verdicts == by_arrow.verdicts.to_pylist()
    assert {one.verdict for one in by_lists} == {"permitted", "forbidden", None}
    assert [one.name for one in by_lists] == given["name"] and by_lists[3] == by_lists[3:4][0]
    rows = asked.table(given).to_pylist()
    assert [(row["row"], row["name"], row["verdict"], tuple(row["cites"])) for row in rows] == [
        (one.row, one.name, one.verdict, one.cites) for one in by_lists
    ]
    # Taken by number or one by one, they are written the same.
    for form in ("jsonl", "csv", "parquet"):
        for name, made in (("taken", by_arrow), ("one", list(by_arrow))):
            with sinks.to_file(tmp_path / f"{name}.{form}") as sink:
                sink.write(made)
    for form in ("jsonl", "csv"):
        assert (tmp_path / f"taken.{form}").read_bytes() == (tmp_path / f"one.{form}").read_bytes()
    parquet = pytest.importorskip("pyarrow.parquet")
    one, taken = (parquet.read_table(tmp_path / f"{name}.parquet") for name in ("one", "taken"))
    assert one.equals(taken) and one.schema.field("cites").type == arrow().list_(
        arrow().field("element", arrow().string())
    )


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    given = drawn(120, SOUND | {"squad.is.Pinned": (True, False), "squad.is.CX": (True, False)})
    del given["name"]
    wanted = list(kb.over(SHAPE, tuple(given)).answers(given))
    monkeypatch.setattr(columns, "REMEMBERED", 20)
    monkeypatch.setattr(at_hand, "TOGETHER", 8)
    for cells in (given, arrow().table(given)):
        asked = kb.over(SHAPE, tuple(given))
        seen = set()
        for part in asked.parts(cells):
            asked.taken(part)
            seen.add(id(asked.columns.met))
            assert len(asked.columns.met.numbers) <= 28
        assert len(seen) > 1 and list(asked.answers(cells)) == wanted


@pytest.mark.parametrize("largest", [2**62, 2**20])
def test_the_numbers_of_rows_tell_their_combinations(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many columns there are, and however many different cells come."""
    monkeypatch.setattr(coded, "LARGEST", largest)
    monkeypatch.setattr(coded, "MANY", 2**10)
    met: dict[Any, int] = {}
    of = coded.Coded(lambda names, cells: met.setdefault(cells, len(met)), [str(n) for n in range(30)], 3)
    random = Random("numbers")
    for many in (1, 3, 60):
        table = arrow().table({str(n): [random.choice([None, *range(many)]) for _ in range(100)] for n in range(30)})
        (part,) = table.to_batches()
        rows = list(zip(*(column.to_pylist() for n, column in enumerate(part.columns) if n != 3), strict=True))
        rows += rows[:10]
        found = of.combinations(arrow().concat_tables([table, table.slice(0, 10)]).combine_chunks().to_batches()[0])
        assert found.to_pylist() == [met[row] for row in rows]


@pytest.mark.parametrize(
    "given",
    [{"foe.is.Disrupted": [True]}, {"foe.is.Disrupted": [True], "pillbox.capacity": [1, 2]},
     {"foe.is.Disrupted": [True], "pillbox.capacity": [1], "foe.is.Broken": [True]}],
)  # fmt: skip
def test_other_columns_are_refused(given: dict[str, list[Any]]) -> None:
    asked = kb.over(SHAPE, ["foe.is.Disrupted", "pillbox.capacity"])
    with pytest.raises(CaseError) as caught:
        asked.answers(given)
    assert caught.value.problems[0].code == 490 and caught.value.problems[0].hint
    for row in ((True,), "ab", {"foe.is.Broken": True}):
        with pytest.raises(CaseError, match="E490"):
            asked.verdict(row)
    with pytest.raises(CaseError, match="E476"):
        kb.over(SHAPE, ["foe.is.Brokn"])
    assert list(asked.answers({"foe.is.Disrupted": [], "pillbox.capacity": []})) == []


def test_rows_that_tell_the_same_are_sent_to_a_worker_once() -> None:
    sent: list[int] = []

    def noted(job: Job, rows: Sequence[Row]) -> list[Told]:
        sent.extend(row.number for row in rows)
        return chunks.answered(job, rows)

    rows = [{"pillbox.capacity": n % 3 + 1} for n in range(300)]
    rows[200] = {"pillbox.capacity": "many"}  # what is wrong with a row is told of that row
    rows[201] = {"pillbox.capacity": "many"}
    found = list(many := batch(Planted(noted), rows, check=True))
    assert sent == [1, 2, 3, 201, 202] and many.asked == 3 and many.faults == 2
    assert [made.row for made in found] == list(range(1, 301))
    assert [made.problems[0].line for made in found if made.problems] == [201, 202]


def test_answers_taken_by_number_are_lines_as_each_is() -> None:
    one = Told(row=0, verdict="permitted", answer="yes", grade="settled", cites=("A1",))
    fault = Told(row=8, name="c", verdict=None, answer=None, grade=None)
    for names in (None, ["", 'b"', "c"]):
        taken = Taken(6, [one], [0, 0, -1], {2: fault}, names)
        assert b"".join(told.lines(taken, told.Pieces(told.tails))) == b"".join(map(told.line, taken))
        stream = io.BytesIO()
        sinks.Sink(stream).write(taken)
        assert stream.getvalue() == b"".join(map(told.line, taken))
