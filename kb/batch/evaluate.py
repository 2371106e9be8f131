"""The one place where rows are answered: some of one shape in, an answer for each out.

    answers(asker, rows) -> [Told, ...]

Rows of one shape differ in the facts that they tell and in nothing else; what they share (the theory, and the answers that are known to
be theirs too, `alike`) is worked out once for all of them. `anew` is the way of `loophole ask`, for one row, to hold the answers against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from kb import asking
from kb.batch import told
from kb.batch.alike import kept
from kb.batch.reading import Facts, Read
from kb.batch.told import Answers, Told
from kb.errors import LoopholeError
from kb.language.case import Case

FEW = 4  # rows of a shape of which it is not looked whether their answers are alike


class Asker:
    """How the rows of a job are asked. options: of asking.ask; file: where the rows stand; asked: how many were worked out."""

    def __init__(self, options: Mapping[str, Any], file: str = ""):
        self.options, self.file, self.asked = options, file, 0
        self.manners: dict[tuple[str, str], asking.Manner] = {}

    def manner(self, found: Case) -> asking.Manner:
        """The chapters, readings and errata under which a case is asked; the same for all of a book and edition."""
        key = found.book, found.edition
        if key not in self.manners:
            self.manners[key] = asking.manner(found, **self.options)
        return self.manners[key]


def answers(asker: Asker, rows: Sequence[Read]) -> Answers:
    """The answer of each of some rows of one shape. What is wrong with a row stands in its answer."""
    before, several = asker.asked, together(rows) > FEW
    found = Answers([answer(asker, row, several) for row in rows])
    found.asked = asker.asked - before
    return found


def together(rows: Sequence[Read]) -> int:
    """How many rows of one shape these are, with those that were asked before."""
    first = rows[0]
    if not isinstance(first, Facts):
        return len(rows)
    first.shape.asked += len(rows)
    return first.shape.asked


def answer(asker: Asker, row: Read, several: bool = False) -> Told:
    """The answer of a row. several: whether it is one of many that may be answered alike."""
    try:
        made = asked(asker, row.case(asker.file), several)
    except LoopholeError as e:
        return told.at_fault(row.row.number, row.row.line, e.problems, row.name)
    return replace(made, row=row.row.number, name=row.name)


def asked(asker: Asker, found: Case, several: bool) -> Told:
    """The answer to a case. Raises LoopholeError."""
    how = asker.manner(found)
    if several:
        alike = kept.of(how.theory(found), found)
        known = alike.find(found)
        if known is not None:
            return known
        made = alike.work_out(found)
        if made is not None:
            asker.asked += 1
            kept.trim()
            return made
    asker.asked += 1
    return told.of_proof(0, "", asking.answered(found, how, missing=False))


def anew(asker: Asker, row: Read) -> Told:
    """The answer of one row by the way of `loophole ask`, nothing shared and nothing remembered."""
    try:
        proof = asking.ask(row.case(asker.file), **asker.options)
    except LoopholeError as e:
        return told.at_fault(row.row.number, row.row.line, e.problems, row.name)
    return told.of_proof(row.row.number, row.name, proof)
