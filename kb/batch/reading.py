"""What a row says: a case of its own, or facts over a shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kb import asking, registry
from kb.batch.shapes import Shape
from kb.batch.sources import Row
from kb.cases.casebook import Written
from kb.errors import CaseError, Place, Problem
from kb.language.case import Case
from kb.yaml_document import MAX_BYTES, Source, document

SHAPES = 64  # sorts of rows, by the facts that they tell, of which it is remembered how they read


class Job(Struct, frozen=True):
    """What is asked of all rows alike. It goes to the workers with each chunk: small, and the same for all of them.

    shape: the case over which rows tell facts, if any; columns: the headings of a table; file: where the rows stand; options:
    of asking.ask.
    """

    shape: Mapping[str, Any] | None = None
    columns: tuple[str, ...] | None = None
    file: str = ""
    options: tuple[tuple[str, Any], ...] = ()


class Facts(Struct, frozen=True):
    """A row of facts over a shape: its cells are in the order of the shape's columns."""

    row: Row
    shape: Shape
    cells: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What the row is called."""
        return self.shape.name(self.cells)

    def case(self, file: str) -> Case:
        """The shape's case with these facts. Raises CaseError."""
        data, source = self.shape.case(self.cells, file, self.row.line)
        return asking.case(Written(file, "", True, data, source))


class Whole(Struct, frozen=True):
    """A row that is a case of its own."""

    row: Row
    found: Case

    @property
    def name(self) -> str:
        """What the case is called."""
        return self.found.name

    def case(self, file: str) -> Case:
        """The case."""
        return self.found


Read = Facts | Whole


class Reader:
    """Reads the rows of a job."""

    def __init__(self, job: Job):
        self.job = job
        self.over = lru_cache(maxsize=SHAPES)(self.shape)

    def shape(self, columns: tuple[str, ...]) -> Shape:
        """The job's shape under some headings. Raises CaseError where one of them names no fact of it."""
        assert self.job.shape is not None
        return Shape(self.job.shape, registry.vocabulary(str(self.job.shape["book"])), columns)

    def read(self, row: Row) -> Read:
        """What a row says. Raises LoopholeError with what is wrong with it, at its place."""
        content = row.content
        match content:
            case CaseError():
                raise content
            case tuple():
                if self.job.shape is None:
                    raise without_shape(self.job.file, row.line)
                return self.facts(row, self.job.columns or (), content)
            case bytes() if len(content) > MAX_BYTES:
                data = None  # which is told where the line is read once more
            case bytes():
                data = parsed(content, Place(self.job.file, row.line))
            case _:
                data = content
        if isinstance(data, Mapping) and "book" not in data:
            if self.job.shape is not None:
                return self.facts(row, tuple(map(str, data)), tuple(data.values()))
            if any("." in str(key) for key in data):
                raise without_shape(self.job.file, row.line)
        source = Source(self.job.file, start=row.line - 1)
        if isinstance(content, bytes):
            try:
                if isinstance(data, Mapping):
                    return Whole(row, asking.case(data))
            except CaseError:
                pass  # it is read once more, with the place of each word
            data, source = document(content.decode("utf-8", "replace"), self.job.file, row.line - 1)
        return Whole(row, asking.case(Written(self.job.file, "", True, data, source)))

    def facts(self, row: Row, columns: tuple[str, ...], cells: tuple[Any, ...]) -> Facts:
        """A row of facts. Raises CaseError where it names one that the shape has not."""
        try:
            return Facts(row, self.over(columns), cells)
        except CaseError as e:
            raise CaseError([at_line(p, self.job.file, row.line) for p in e.problems]) from None


def parsed(line: bytes, place: Place) -> Any:
    """The value of a line of JSON, numbers as they are written; None where it is to be read with the place of each word, for a key
    stands twice or it is nested too deeply. Raises CaseError (E402, E489)."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise RecursionError
        return found

    def never(word: str) -> Any:
        raise ValueError(f"{word} is no number")

    try:
        return json.loads(line, parse_float=str, parse_constant=never, object_pairs_hook=once)
    except RecursionError:
        return None
    except UnicodeDecodeError:
        raise CaseError(Problem(402, "the line is not UTF-8 text", place, "write it as UTF-8 text")) from None
    except ValueError as e:
        at = getattr(e, "colno", 1)
        message = f"the line is not JSON: {getattr(e, 'msg', e)}"
        hint = "write one case or one row of facts, whole, on each line"
        raise CaseError(Problem(489, message, Place(place.file, place.line, at), hint)) from None


def without_shape(file: str, line: int) -> CaseError:
    """The problem (E479) of facts that stand alone."""
    place = Place(file, line) if file else Place("", 0, 0)
    hint = 'name the case over which they are told: --shape CASE, or a first line {"shape": CASE}'
    return CaseError(Problem(479, "here are facts over a shape, and none is given", place, hint))


def at_line(problem: Problem, file: str, line: int) -> Problem:
    """A problem of a heading, at the row that has it."""
    place = Place(file, line, problem.place.column, problem.place.heading)
    return Problem(problem.code, problem.message, place, problem.hint)
