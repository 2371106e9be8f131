"""Many rows at once: each answered as `ask` answers it, in order, none lost; what is wrong with one stands with it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import kb
from api import cli
from kb import asking
from kb.batch import chunks, evaluate, many, pools, told
from kb.batch.many import Batch
from kb.batch.pools import Here, Processes
from kb.batch.reading import Job
from kb.batch.sources import Row, Values
from kb.batch.told import Answers, Told
from kb.errors import CaseError
from kb.reasoner.proof import UNDETERMINED
from tests import batches, corpus
from tests.batches import DEADLY, SHAPE
from tests.conftest import Run
from tests.night import some

ROWS: list[dict[str, Any]] = [
    {"foe.is.Broken": True},
    {"foe.is.Disrupted": "yes", "name": "routed"},
    {"foe.is.Unarmed": "unknown"},
    {"pillbox.capacity": 3, "squad.is.Pinned": False},
    {"move.phase": "RoutPhase", "move": None} | {"move.via.is": "Tunnel"},
    {"foe.is": ["HalfSquad", "Enemy"], "foe.not": ""},
    {"foe.at": []},
    {"foe.at": "pillbox"},
]
del ROWS[4]["move"]


def answers(rows: Any, shape: Any = None, **more: Any) -> list[Told]:
    return list(kb.ask_many(rows, shape, workers=1, **more))


def as_asked(row: int, case: Any, name: str = "") -> Told:
    """What `ask` says to a case."""
    return told.of_proof(row, name, asking.ask(case))


# ── the same answers as `ask` ──


def sampled() -> list[corpus.Written]:
    """Cases of every book and kind of question; all of them at night."""
    sound = [case for case in corpus.every() if case.fault is None]
    return list(some(sound, of=50))


def disagreeing(rows: Sequence[Told], cases: Sequence[corpus.Written]) -> list[str]:
    """The cases that a batch answers otherwise than `ask`."""
    return [
        case.name for row, case, made in zip(range(1, 10_000), cases, rows, strict=False)
        if made != as_asked(row, case, made.name)
    ]  # fmt: skip


@pytest.mark.slow
def test_every_row_is_answered_as_ask_answers_the_case() -> None:
    cases = sampled()
    lines = [json.dumps(case.data, default=str) for case in cases]
    rows = answers(lines)
    assert len(rows) == len(cases) >= 80 and [made.row for made in rows] == list(range(1, len(cases) + 1))
    assert disagreeing(rows, cases) == []
    assert len({made.verdict for made in rows}) >= 8
    # Planted: one answer that is another one.
    rows[7] = replace(rows[7], cites=(*rows[7].cites, "B30.1"))
    assert disagreeing(rows, cases) == [cases[7].name]


def test_what_is_the_same_either_way_is_answered_though_missing_facts_are_not_told() -> None:
    """Of an open case nothing is tried that only tells what is missing; reasoning by cases is done."""
    open_ = [c for c in corpus.every() if said(c) == UNDETERMINED][::50]
    open_.append(corpus.named("b30-92-placed-3-either"))
    found = answers([json.dumps(case.data, default=str) for case in open_])
    assert len(open_) >= 4 and disagreeing(found, open_) == []
    assert asking.ask(open_[-1].data).cases and found[-1].verdict != UNDETERMINED


def said(case: corpus.Written) -> str:
    """The verdict that a case expects."""
    return str((case.data.get("expect") or {}).get("verdict", ""))


def mapped(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The shape with some facts of ROWS, written as people would."""
    case = json.loads(json.dumps(SHAPE))
    things = case["things"]
    for key, value in facts.items():
        thing, *rest = key.split(".")
        if key == "foe.is.Broken":
            things["foe"]["is"].append("Broken")
        elif key == "foe.is.Disrupted":
            things["foe"]["is"].append("Disrupted")
        elif key == "foe.is.Unarmed":
            things["foe"]["unknown"] = ["Unarmed"]
        elif key == "squad.is.Pinned":
            things["squad"]["not"] = ["Pinned"]
        elif key == "foe.not":
            del things["foe"]["not"]
        elif key != "name" and len(rest) == 1:
            things[thing][rest[0]] = value
    return case  # type: ignore[no-any-return]


def test_facts_over_a_shape_say_what_the_case_says_that_has_them() -> None:
    rows = answers(ROWS, SHAPE)
    assert rows == [as_asked(n, mapped(facts), facts.get("name", "")) for n, facts in enumerate(ROWS, 1)]
    assert rows[1].name == "routed" and {made.verdict for made in rows} >= {"forbidden", "permitted"}


def test_an_empty_cell_is_not_told_though_the_shape_tells_it() -> None:
    asked = {**SHAPE, "ask": {"value": ["capacity", "pillbox"]}}
    full, empty, left = answers([{"pillbox.capacity": 2}, {"pillbox.capacity": None}, {"squad.is.Pinned": True}], asked)
    assert (full.value, empty.value, left.value) == ("2", None, "1")


def test_a_table_says_what_lines_of_json_say(tmp_path: Path) -> None:
    columns = ["name", "foe.is.Disrupted", "pillbox.capacity", "move.phase", "foe.is"]
    table = [
        ["a", "true", "2", "", "Squad;Enemy"], ["b", "", "2½", "RoutPhase", '["HalfSquad", "Enemy"]'],
        ["a", "NO", "", "MovementPhase", "Enemy; Squad"], ["c", "true", "2", "", "Squad;Enemy"],
    ]  # fmt: skip
    lines = [
        {"foe.is.Disrupted": True, "pillbox.capacity": 2, "foe.is": ["Squad", "Enemy"], "move.phase": None},
        {"pillbox.capacity": "2½", "move.phase": "RoutPhase", "foe.is": ["HalfSquad", "Enemy"], "foe.is.Disrupted": ""},
        {
            "foe.is.Disrupted": False,
            "move.phase": "MovementPhase",
            "foe.is": ["Enemy", "Squad"],
            "pillbox.capacity": "",
        },
        {"foe.is.Disrupted": True, "pillbox.capacity": 2, "foe.is": ["Squad", "Enemy"], "move.phase": None},
    ]
    wanted = [replace(made, name=row[0]) for made, row in zip(answers(lines, SHAPE), table, strict=True)]
    for name, mark in (("rows.csv", ","), ("semicolons.csv", ";"), ("rows.tsv", "\t")):
        text = io.StringIO()
        csv.writer(text, delimiter=mark).writerows([columns, *table])
        (tmp_path / name).write_text("\ufeff" + text.getvalue(), encoding="utf-8")
        assert answers(tmp_path / name, SHAPE) == wanted, name
    assert not any(made.problems for made in wanted)
    assert wanted[3] == replace(wanted[0], row=4, name="c"), "what was asked before is remembered"


def test_one_and_true_are_two_facts_to_a_number() -> None:
    one, truth = answers([{"pillbox.capacity": 1}, {"pillbox.capacity": True}], SHAPE)
    assert one.verdict == "forbidden" and [p.number for p in truth.problems] == ["E421"]


def test_the_file_may_begin_with_its_shape(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ({"shape": SHAPE}, *ROWS)) + "\n\n", encoding="utf-8")
    assert answers(path) == answers(ROWS, SHAPE)


def test_rows_are_asked_as_the_options_say() -> None:
    (found,) = answers([json.dumps(SHAPE)], chapters=("B30",), edition="2nd")
    assert found == told.of_proof(1, "", asking.ask(SHAPE, ("B30",), edition="2nd"))
    assert found.needs != answers([json.dumps(SHAPE)])[0].needs or found.grade


# ── what is wrong with a row ──

FAULTY: list[tuple[bytes, str, str, str]] = [
    (b'{"foe.is.Disruptd": true}', "E476", "foe.is.Disruptd", "did you mean Disrupted"),
    (b'{"fo.is.Broken": true}', "E475", "fo.is.Broken", "did you mean foe?"),
    (b'{"foe": "Squad"}', "E475", "foe", "write foe.is.CLASS"),
    (b'{"pillbox.capacty": 2}', "E476", "pillbox.capacty", "did you mean capacity"),
    (b'{"foe.at.yard": true}', "E476", "foe.at.yard", "write foe.at"),
    (b'{"foe.is.Broken": "perhaps"}', "E477", "foe.is.Broken", "leave the cell empty"),
    (b'{"pillbox.capacity": "many"}', "E421", "pillbox.capacity", "write 3"),
    (b'{"move.phase": "MovmentPhase"}', "E427", "move.phase", "did you mean MovementPhase"),
    (b'{"foe.is.Broken": true, "foe.Broken": true}', "E478", "foe.Broken", "keep one column"),
    (b'{"foe.is.Broken": true', "E489", "", "whole, on each line"),
    (b'{"pillbox.capacity": NaN}', "E489", "", "whole, on each line"),
    (b'{"foe.is": "\xff"}', "E402", "", "UTF-8"),
    (b'{"book": "asl", "things": {"a": "Sqad"}, "ask": {"may": "a"}}', "E423", "", "did you mean Squad"),
    (b'{"book": "asl", "book": "vv", "ask": {"may": "a"}}', "E406", "", "keep one"),
    (b'{"book": ' + b"[" * 3000 + b"]" * 3000 + b"}", "E404", "", "name things"),
    (b'{"book": "chess"}', "E420", "", "books:"),
    (b"[1]", "E410", "", "book: one of"),
    (b'{"foe.is": "' + b"x" * 2_100_000 + b'"}', "E401", "", "state what bears"),
]


def test_what_is_wrong_with_a_row_stands_with_it_and_no_other_is_lost(tmp_path: Path) -> None:
    good = b'{"foe.is.Disrupted": true}'
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"\n".join(part for row, *_ in FAULTY for part in (row, good)))
    rows = answers(path, SHAPE)
    assert len(rows) == 2 * len(FAULTY)
    for at, (content, number, column, hint) in enumerate(FAULTY):
        first, line = rows[2 * at].problems[0], 2 * at + 1
        assert (first.number, first.column, first.line) == (number, column, line), (content, first)
        assert hint in first.do, (content, first)
        assert rows[2 * at].verdict is None and rows[2 * at].row == line
    assert {made.verdict for made in rows[1::2]} == {"permitted"} and not any(made.problems for made in rows[1::2])


@pytest.mark.parametrize(
    ("line", "number"),
    [('"true', "E474"), ("true,2,3", "E474"), ("maybe,2", "E477"), ("true,{", "E485"), ("true,x", "E421")],
)
def test_what_is_wrong_with_a_row_of_a_table_stands_with_it(tmp_path: Path, line: str, number: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"foe.is.Disrupted,pillbox.capacity\ntrue,2\n{line}\n\ntrue,2\n", encoding="utf-8")
    before, wrong, after = answers(path, SHAPE)
    assert [p.number for p in wrong.problems] == [number] and wrong.problems[0].line == 3
    assert before.verdict == after.verdict == "permitted" and after.row == 3


def test_facts_without_a_shape_say_so() -> None:
    (found,) = answers(['{"foe.is.Broken": true}'])
    assert found.problems[0].number == "E479" and "--shape" in found.problems[0].do


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [("rows.csv", "fo.is.Broken\ntrue\n", "E475"), ("rows.csv", "", "E486"), ("rows.xlsx", "", "E480"),
     ("gone.csv", None, "E400"), ("rows.csv", "foe.is.Broken,foe.Broken\n", "E478")],
)  # fmt: skip
def test_what_is_wrong_with_all_rows_is_told_at_once(tmp_path: Path, name: str, text: str | None, number: str) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        answers(path, SHAPE)
    assert caught.value.problems[0].code == int(number[1:]) and caught.value.problems[0].hint


def test_a_table_needs_a_shape_that_is_a_case(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("foe.is.Broken\ntrue\n", encoding="utf-8")
    for shape, number in ((None, 488), ({"book": "asl", "things": {"a": "Sqad"}, "ask": {"may": "a"}}, 423)):
        with pytest.raises(CaseError) as caught:
            answers(path, shape)
        assert caught.value.problems[0].code == number


# ── rows of one shape go together ──


def test_rows_of_one_shape_are_answered_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that tell the same words of the same things are one shape, whatever else stands between them."""
    seen: list[list[int]] = []

    def noted(asker: evaluate.Asker, rows: Sequence[Any]) -> Answers:
        seen.append([read.row.number for read in rows])
        return Answers([batches.plain(read.row.number) for read in rows])

    monkeypatch.setattr(evaluate, "answers", noted)
    monkeypatch.setattr(chunks, "AT_WORK", OrderedDict())  # where such answers are remembered
    other = json.loads(json.dumps(SHAPE))
    other["things"]["pillbox"]["capacity"] = 5
    longer = {**SHAPE, "things": {**SHAPE["things"], "more": "Squad"}}
    mixed = [SHAPE, longer, {"foe.is.Broken": True}, other, {"foe.is.Broken": False}, {"pillbox.capacity": 1}]
    assert [made.row for made in answers(mixed, SHAPE)] == [1, 2, 3, 4, 5, 6]
    assert sorted(seen) == [[1, 4], [2], [3, 5], [6]]


# ── none is lost ──


class Planted(Here):
    """A pool of one process, this one, whose worker is not to be trusted. read: the most rows that were with it at a time."""

    def __init__(self, task: Any, room: int = 4):
        self.task, self.room, self.apart = task, room, True  # type: ignore[misc]

    def submit(self, job: Job, rows: Sequence[Row]) -> list[Told]:
        found: list[Told] = self.task(job, rows)
        return found


def batch(pool: Any, rows: Any, check: bool = False, file: str = "") -> Batch:
    return Batch(Values(rows), Job(SHAPE, None, file), pool, 2, check)


NUMBERS = list(range(1, 101))
DIFFERENT = [{"pillbox.capacity": n} for n in NUMBERS]  # rows that tell the same are asked once


def test_a_row_that_a_worker_loses_is_noticed() -> None:
    rows = list(lost := batch(Planted(batches.loses), DIFFERENT))
    assert [made.row for made in rows] == NUMBERS and lost.losses > 0
    assert [made.row for made in rows if made.problems] == [DEADLY]
    assert rows[DEADLY - 1].problems[0].number == "E482" and lost.faults == 1


def test_a_worker_that_answers_wrong_is_noticed() -> None:
    asked = [{"foe.is.Broken": True}] * 20
    with pytest.raises(CaseError) as caught:
        list(batch(Planted(batches.lies), asked, check=True))
    assert caught.value.problems[0].code == 483 and "forbidden" in caught.value.problems[0].message
    right = list(batch(Planted(chunks.answered), asked, check=True))
    assert {made.verdict for made in right} == {"forbidden"}


@pytest.mark.parametrize("different", [1, 20_000])
def test_no_more_is_read_than_is_under_way(different: int) -> None:
    read = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal read
        for _ in range(20_000):
            read += 1
            yield {"pillbox.capacity": read % different}

    found = 0
    for made in (asked := batch(Planted(batches.quick), rows())):
        found += 1
        assert made.row == found and read - found <= 4 * 256 + 49
    assert found == asked.rows == read == 20_000


@pytest.mark.slow
def test_workers_that_die_lose_no_row(tmp_path: Path) -> None:
    """One that dies of a row is replaced, and that row says so; one that dies once loses nothing."""
    deadly = list(batch(Processes(2, batches.dies), DIFFERENT))
    assert [made.row for made in deadly] == NUMBERS
    assert [made.row for made in deadly if made.problems] == [DEADLY] and "died" in deadly[DEADLY - 1].problems[
        0
    ].message
    once = batch(Processes(2, batches.dies_once), DIFFERENT, file=str(tmp_path / "died"))
    assert [made.row for made in once if not made.problems] == NUMBERS and once.losses == 1


@pytest.mark.slow
def test_workers_that_never_work_are_not_asked_for_ever() -> None:
    with pytest.raises(CaseError) as caught:
        list(batch(Processes(1, batches.never_works), [{}] * 100))
    assert caught.value.problems[0].code == 484 and "__main__" in caught.value.problems[0].hint


@pytest.mark.slow
def test_processes_answer_as_this_one_does() -> None:
    rows = [dict(zip(("foe.is.Broken", "pillbox.capacity"), (n % 2 == 0, n % 9), strict=True)) for n in range(120)]
    asked = kb.ask_many(rows, SHAPE, workers=2)
    assert list(asked) == answers(rows, SHAPE) and (asked.rows, asked.losses) == (120, 0)


@pytest.mark.slow
def test_a_cluster_whose_worker_dies_loses_nothing() -> None:
    distributed = pytest.importorskip("distributed", reason="dask and distributed are not installed")
    rows = [
        {"foe.is.Broken": n % 2 == 0, "pillbox.capacity": n % 50 + 1, "squad.is.Pinned": n % 3 == 0} for n in range(400)
    ]
    wanted = Counter(made.verdict for made in answers(rows, SHAPE))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        asked = kb.ask_many(rows, SHAPE, scheduler=cluster.scheduler_address)
        found: list[Told] = []
        for part in asked.chunks():
            if not found:  # while most is still to come
                worker = next(iter(cluster.workers.values()))
                os.kill(worker.pid, signal.SIGKILL)
            found += part
    assert [made.row for made in found] == list(range(1, 401)) and Counter(made.verdict for made in found) == wanted


def test_no_cluster_at_an_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="dask and distributed are not installed")
    monkeypatch.setattr("kb.batch.cluster.REACHED", 1)
    with pytest.raises(CaseError) as caught:
        kb.ask_many([SHAPE], scheduler="tcp://127.0.0.1:9")
    assert caught.value.problems[0].code == 484


def test_a_worker_that_takes_too_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    class Never:
        def result(self) -> None:
            raise TimeoutError

    pool = Processes.__new__(Processes)
    with pytest.raises(pools.Lost, match="longer than"):
        pool.result(Never())  # type: ignore[arg-type]


# ── files ──


def test_answers_are_written_as_csv_and_parquet(tmp_path: Path) -> None:
    rows = [*ROWS, {"pillbox.capacity": "many"}]
    made = answers(rows, SHAPE)
    asked = kb.ask_many(rows, SHAPE, workers=1)
    with asked.sink(tmp_path / "out.csv", io.BytesIO()) as sink:
        for part in asked.chunks():
            assert not (tmp_path / "out.csv").exists(), "a file has its name when it is whole"
            sink.write(part)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [(int(r["row"]), r["verdict"] or None, r["cites"]) for r in read] == [
        (m.row, m.verdict, "; ".join(m.cites)) for m in made
    ]
    assert read[-1]["problems"].startswith("E421 pillbox.capacity: ")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    with kb.ask_many([], workers=1).sink(tmp_path / "out.parquet", io.BytesIO()) as sink:
        sink.write(made[:4])
        sink.write(made[4:])
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(r["row"], r["verdict"], tuple(r["cites"])) for r in found] == [(m.row, m.verdict, m.cites) for m in made]


def test_rows_are_read_from_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    columns = {"foe.is.Disrupted": [True, None, False], "pillbox.capacity": [2.5, 1.0, float("nan")]}
    parquet.write_table(arrow.table(columns), tmp_path / "rows.parquet")
    found = answers(tmp_path / "rows.parquet", SHAPE)
    lines = [{"foe.is.Disrupted": True, "pillbox.capacity": "5/2"}, {"foe.is.Disrupted": None, "pillbox.capacity": 1}]
    assert found[:2] == answers(lines, SHAPE) and [p.number for p in found[2].problems] == ["E421"]
    (tmp_path / "no.parquet").write_text("foe")
    with pytest.raises(CaseError, match="E486"):
        answers(tmp_path / "no.parquet", SHAPE)


def test_the_example_of_the_page_is_what_comes_out(root: Path, tmp_path: Path) -> None:
    page = (root / "docs" / "batch.md").read_text(encoding="utf-8")
    given, wanted = (block.partition("```")[0] for block in page.split("```csv\n")[1:3])
    assert given == (root / "examples" / "pillbox-rows.csv").read_text(encoding="utf-8")
    asked = kb.ask_many(root / "examples" / "pillbox-rows.csv", root / "examples" / "pillbox.yaml", workers=1)
    with asked.sink(tmp_path / "answers.csv", io.BytesIO()) as sink:
        for part in asked.chunks():
            sink.write(part)
    made = list(csv.DictReader((tmp_path / "answers.csv").read_text(encoding="utf-8").splitlines()))
    shown = list(csv.DictReader(wanted.splitlines()))
    assert len(shown) == len(made) == 5 and [{key: row[key] for key in shown[0]} for row in made] == shown


# ── at the command line ──


def test_lines_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(json.dumps(row) for row in ({"shape": SHAPE}, {"foe.is.Disrupted": True}))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert [made.verdict for made in answers("-")] == ["permitted"]


def test_the_command_line_writes_a_line_for_each_row(run: Run, tmp_path: Path) -> None:
    shape, rows = tmp_path / "shape.json", tmp_path / "rows.csv"
    shape.write_text(json.dumps(SHAPE), encoding="utf-8")
    rows.write_text("foe.is.Disrupted,pillbox.capacity\ntrue,2\n,many\n", encoding="utf-8")
    out = tmp_path / "out.jsonl"
    code, _, err = run("ask", "--batch", rows, "--shape", shape, "--out", out)
    assert code == 2 and "2 rows in" in err and "1 of them without an answer" in err
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["verdict"] for line in lines] == ["permitted", None]
    assert lines[1]["problems"][0]["column"] == "pillbox.capacity" and lines[1]["problems"][0]["line"] == 3


@pytest.mark.parametrize(
    ("words", "number"),
    [(["--batch", "r.csv", "--tree"], "E684"), (["case.yaml", "--batch", "r.csv"], "E684"), (["--shape", "x"], "E684"),
     (["--batch", "r.csv", "--no-flips"], "E684"), ([], "E673"), (["--batch", "r.xls"], "E480")],
)  # fmt: skip
def test_options_that_do_not_go_with_a_batch_are_refused(run: Run, words: list[str], number: str) -> None:
    code, _, err = run("ask", *words)
    assert code == 2 and number in err


def test_kb_gives_it_and_no_other_function() -> None:
    assert cli.app is not None and kb.ask_many is many.ask_many
    with pytest.raises(AttributeError):
        kb.ask_manny  # noqa: B018
