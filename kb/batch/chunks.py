"""What a worker does: rows are read, those of one shape put together, and answered.

answered(job, rows)   an answer for each row, in their order
anew(job, row)        the answer of one row by the way of `loophole ask`
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from kb.batch import evaluate, told
from kb.batch.columns import Columns
from kb.batch.evaluate import Asker
from kb.batch.reading import Facts, Job, Read, Reader
from kb.batch.sources import Row
from kb.batch.told import Answers, Told
from kb.errors import CaseError, LoopholeError, Problem
from kb.language.case import Case, form

JOBS = 4  # of which a process remembers what it made of them
AT_WORK: OrderedDict[bytes, tuple[Reader, Asker, Columns]] = OrderedDict()


def at_work(job: Job) -> tuple[Reader, Asker, Columns]:
    """How a job's rows are read and asked in this process, and what is known of them here."""
    key = msgspec.msgpack.encode(job, enc_hook=str)
    if key not in AT_WORK:
        reader = Reader(job)
        AT_WORK[key] = reader, Asker(dict(job.options), job.file), Columns(reader)
        if len(AT_WORK) > JOBS:
            AT_WORK.popitem(last=False)
    return AT_WORK[key]


def answered(job: Job, rows: Sequence[Row]) -> Answers:
    """The answers of some rows, in their order: one for each."""
    reader, asker, _ = at_work(job)
    return answers_of(reader, asker, rows)


def answers_of(reader: Reader, asker: Asker, rows: Sequence[Row]) -> Answers:
    """The same, read and asked by these."""
    found: dict[int, Told] = {}
    together: dict[object, list[Read]] = {}
    for row in rows:
        read = tried(reader, row)
        if isinstance(read, Told):
            found[row.number] = read
        else:
            together.setdefault(shape_of(read), []).append(read)
    asked = 0
    for group in together.values():
        made = evaluate.answers(asker, group)
        found.update((one.row, one) for one in made)
        asked += made.asked
    answers = Answers([found[row.number] for row in rows])
    answers.asked = asked
    return answers


def tried(reader: Reader, row: Row) -> Read | Told:
    """What a row says, or what is wrong with it."""
    try:
        return reader.read(row)
    except LoopholeError as e:
        return told.at_fault(row.number, row.line, e.problems)
    except RecursionError:
        deep = Problem(404, "the row is nested too deeply", hint="name things, and use their names instead of nesting")
        return told.at_fault(row.number, row.line, CaseError(deep).problems)


def shape_of(read: Read) -> object:
    """What rows of one shape have in common."""
    return read.shape if isinstance(read, Facts) else of_case(read.found)


def of_case(found: Case) -> tuple[object, ...]:
    """What is asked, and of which things: their kinds, and the words by which they are told."""
    things = tuple((name, form(facts)) for name, facts in found.things.items())
    return found.book, found.edition, found.modules, str(found.question), things


def anew(job: Job, row: Row) -> Told:
    """The answer of one row by the way of `loophole ask`."""
    reader, asker, _ = at_work(job)
    read = tried(reader, row)
    return read if isinstance(read, Told) else evaluate.anew(asker, read)
