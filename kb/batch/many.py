"""Many questions at once.

    for told in ask_many("rows.csv", shape="shape.yaml"): …

ask_many(rows)   a Batch: read, asked and answered as it is gone through, in the order of the rows
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from kb import asking
from kb.batch import chunks as work, sources
from kb.batch.cluster import Cluster
from kb.batch.columns import Columns, Together
from kb.batch.pools import Asked, Here, Pool, Processes, Watch
from kb.batch.reading import Job, Reader
from kb.batch.shapes import Shape
from kb.batch.sinks import Sink, to_file
from kb.batch.sources import Row
from kb.batch.told import Answers, Pieces, Taken, Told, lines, tails
from kb.cases import casebook
from kb.errors import CaseError, Place, Problem
from kb.registry import vocabulary

LEAST, MOST = 16, 256  # rows that a worker is given at a time: few at first, so that all have something to do
FEW = 48  # rows for which no other process is started
STRIDE = 97  # which row of a chunk is asked anew: not the same in all of them

Rows = str | Path | Iterable[Mapping[str, Any] | str | bytes]


class Batch:
    """Some rows and how they are asked; goes through them once. rows, faults, losses: how many came so far, how many of them have no
    answer, and how often rows had to be asked for again; asked: for how many the answer was worked out, and not known of others."""

    def __init__(self, source: sources.Source, job: Job, pool: Pool | None, workers: int, check: bool):
        self.source, self.job, self.pool, self.workers, self.check = source, job, pool, workers, check
        self.rows = self.faults = self.losses = self.asked = 0

    def __iter__(self) -> Iterator[Told]:
        """Each row's answer."""
        for told in self.chunks():
            yield from told

    def share(self) -> float | None:
        """How much was read, from 0 to 1; None where nobody knows."""
        return self.source.share()

    def sink(self, path: Path | None, stream: BinaryIO) -> Sink:
        """Where answers are written, for a `with`: a file, by how its name ends, or lines of JSON to a stream. Raises CaseError, OSError."""
        return Sink(stream) if path is None else to_file(path)

    def lines(self) -> Iterator[bytes]:
        """Each row's answer as a line of JSON."""
        pieces = Pieces(tails)
        for told in self.chunks():
            yield from lines(told, pieces)

    def chunks(self) -> Iterator[Taken]:
        """The answers as they come, some rows together. Raises CaseError (E483, E484)."""
        first = self.source.part(FEW + 1)
        pool = self.pool or (Here() if self.workers == 1 or len(first) <= FEW else Processes(self.workers))
        # What this process answers it may remember; what others do is known in this batch alone.
        columns = Columns(Reader(self.job)) if pool.apart else work.at_work(self.job)[2]
        watch = Watch(pool, self.job)
        try:
            for part, answered in watch.in_order(self.parts(first, columns)):
                self.learn(columns, part, answered, pool.apart)
                left = part.left()
                if left:
                    self.learn(columns, part, watch.settled(part, watch.given(groups(part, left, MOST)))[1], pool.apart)
                told = part.taken()
                self.rows += len(told)
                self.faults += sum(1 for made in told.own.values() if made.problems)
                self.losses = watch.losses
                yield told
        finally:
            pool.stop()
            self.source.close()

    def parts(self, first: sources.Part, columns: Columns) -> Iterator[tuple[Together, list[list[Row]]]]:
        """The rows in parts, with those that are to be asked: of a part twice as large as the one before up to a bound, while few are."""
        size, rows, asked = LEAST, first, set[int]()
        met = columns.met
        while len(rows):
            with columns.lock:
                part = columns.part(rows)
                if part.met is not met:
                    met, asked = part.met, set()
                places = part.open(asked)
            yield part, groups(part, places, min(size, MOST))
            size = min(2 * size, self.source.most) if len(places) <= MOST else max(size // 2, LEAST)
            rows = self.source.part(size)

    def learn(self, columns: Columns, part: Together, answered: Sequence[Asked], apart: bool) -> None:
        """Notes what came of the rows that were to be asked. Raises CaseError (E483)."""
        for rows, told in answered:
            self.asked += told.asked if isinstance(told, Answers) else len(told)
            if self.check and apart:
                self.compare(rows, told)
            with columns.lock:
                part.came(told)

    def compare(self, asked: Sequence[Row], told: Sequence[Told]) -> None:
        """Asks one row of a chunk anew, in this process and the long way. Raises CaseError (E483) where the answer is another one."""
        at = self.rows * STRIDE % len(asked)
        row, given = asked[at], told[at]
        if given.problems and given.problems[0].number == "E482":
            return  # nobody answered it, and this process is not to die of it
        again = work.anew(self.job, row)
        if again != given:
            place = Place(self.job.file, row.line) if self.job.file and row.line else Place("", 0, 0)
            message = f"row {row.number} was answered {given.verdict} ({', '.join(given.cites)}), and is {again.verdict} ({', '.join(again.cites)})"
            hint = "see that all workers have the same version of Loophole and the same books"
            raise CaseError(Problem(483, message, place, hint))


def groups(part: Together, places: Sequence[int], size: int) -> list[list[Row]]:
    """The rows of a part at some places, as many together as a worker is given."""
    return [part.rows(places[at : at + size]) for at in range(0, len(places), size)]


def ask_many(
    rows: Rows, shape: Mapping[str, Any] | str | Path | None = None, *, name: str = "", workers: int = 0,
    scheduler: str = "", check: bool = True, first: int = 1, **options: Any,
) -> Batch:  # fmt: skip
    """The answers to many rows. Raises CaseError for what is wrong with all of them: a file that cannot be read, a shape that is
    no case, a heading that names no fact of it.

    rows: a file (lines of JSON, CSV, Parquet), or mappings, or lines of JSON: each a case, or facts over the shape. shape: a case, or
    the file of one (of several there, the one of that name). workers: processes, as many as there are cores when 0, none besides
    this one when 1; scheduler: the address of a Dask cluster instead. check: of each chunk that others answer, one row is asked
    anew here. first: the number of the first of rows at hand. options: of asking.ask: chapters, readings, edition, as_of, without, also.
    """
    source = sources.of_file(Path(rows)) if isinstance(rows, (str, Path)) else sources.Values(rows, first)
    try:
        data = source.shape if shape is None else shape_of(shape, name)
        said = tuple(sorted((key, value) for key, value in options.items() if value))
        job = Job(data, source.columns, source.file, said, source.separator)
        held_against(job)
        return Batch(source, job, Cluster(scheduler) if scheduler else None, workers, check)
    except BaseException:
        source.close()
        raise


def held_against(job: Job) -> None:
    """Raises CaseError or QueryError for what is wrong with all rows: a shape that is none, a heading that names no fact, an unknown edition."""
    if job.shape is not None:
        asking.manner(asking.case(job.shape), **dict(job.options))
        Shape(job.shape, vocabulary(str(job.shape["book"])), job.columns or (), Place(job.file, 1))
    elif job.columns is not None:
        hint = "name the case over which the table tells facts: --shape CASE"
        raise CaseError(Problem(488, "a table tells facts over a shape, and none is given", Place(job.file, 1), hint))


def shape_of(shape: Mapping[str, Any] | str | Path, name: str) -> Mapping[str, Any]:
    """The case of a shape, as written. Raises CaseError with its places where it is none."""
    if isinstance(shape, Mapping):
        return shape
    written = casebook.one(casebook.in_file(Path(shape)), name)
    asking.case(written)
    found: Mapping[str, Any] = written.data
    return found
