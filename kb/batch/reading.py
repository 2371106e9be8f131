"""What a row says: a case of its own, or facts over a shape."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kb import asking, registry
from kb.batch.shapes import Shape
from kb.batch.sources import Row, cells
from kb.cases.casebook import Written
from kb.errors import CaseError, LoopholeError, Place, Problem
from kb.language.case import Case
from kb.yaml_document import MAX_BYTES, Source, document

SHAPES = 64  # sorts of rows, by the facts that they tell, of which it is remembered how they read


class Job(Struct, frozen=True):
    """What is asked of all rows alike. It goes to the workers with each chunk: small, and the same for all of them.

    shape: the case over which rows tell facts, if any; columns: the headings of a table; file: where the rows stand; options:
    of asking.ask; separator: what stands between the cells of a line of a table.
    """

    shape: Mapping[str, Any] | None = None
    columns: tuple[str, ...] | None = None
    file: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    separator: str = ""


class Facts(Struct, frozen=True):
    """A row of facts over a shape: its cells are in the order of the shape's columns."""

    row: Row
    shape: Shape
    cells: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What the row is called."""
        return self.shape.name(self.cells)

    def told(self) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        """What its cells are of, and the cells that tell facts."""
        called = self.shape.called
        return self.shape.names, self.cells if called is None else (*self.cells[:called], *self.cells[called + 1 :])

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
        self.shapes = lru_cache(maxsize=SHAPES)(self.shape)

    def shape(self, columns: tuple[str, ...]) -> Shape | CaseError:
        """The job's shape under some headings, or what is wrong with these: that is looked for once too, among all terms."""
        assert self.job.shape is not None
        try:
            return Shape(self.job.shape, registry.vocabulary(str(self.job.shape["book"])), columns)
        except CaseError as e:
            return e

    def over(self, columns: tuple[str, ...]) -> Shape:
        """The job's shape under some headings. Raises CaseError where one of them names no fact of it."""
        found = self.shapes(columns)
        if isinstance(found, CaseError):
            raise CaseError(found.problems)
        return found

    def read(self, row: Row) -> Read:
        """What a row says. Raises LoopholeError with what is wrong with it, at its place."""
        data = self.data(row)
        facts = self.over_the_shape(row, data)
        if facts is not None:
            return facts
        content, source = row.content, Source(self.job.file, start=row.line - 1)
        if isinstance(data, Mapping) and "book" not in data and any("." in str(key) for key in data):
            raise without_shape(self.job.file, row.line)
        if isinstance(content, bytes):
            try:
                if isinstance(data, Mapping):
                    return Whole(row, asking.case(data))
            except CaseError:
                pass  # it is read once more, with the place of each word
            data, source = document(content.decode("utf-8", "replace"), self.job.file, row.line - 1)
        return Whole(row, asking.case(Written(self.job.file, "", True, data, source)))

    def told(self, row: Row) -> Facts | None:
        """What a row tells over the shape; None where it is a case of its own, or something is wrong with it."""
        if self.job.shape is None:
            return None
        try:
            return self.over_the_shape(row, self.data(row))
        except (LoopholeError, RecursionError):
            return None

    def data(self, row: Row) -> Any:
        """What stands in a row: the cells of a table, or a value of JSON. None where the line is to be read with the place of each
        word. Raises CaseError."""
        content = row.content
        if not isinstance(content, bytes):
            return content
        place = Place(self.job.file, row.line)
        if self.job.separator:
            return cells_of(content, self.job.separator, len(self.job.columns or ()), place)
        return parsed(content, place) if len(content) <= MAX_BYTES else None

    def over_the_shape(self, row: Row, data: Any) -> Facts | None:
        """What a row tells over the shape; None where it is a case of its own, or there is no shape. Raises CaseError."""
        if isinstance(data, tuple):
            if self.job.shape is None:
                raise without_shape(self.job.file, row.line)
            return self.facts(row, self.job.columns or (), data)
        if self.job.shape is None or not isinstance(data, Mapping) or "book" in data:
            return None
        return self.facts(row, tuple(map(str, data)), tuple(data.values()))

    def facts(self, row: Row, columns: tuple[str, ...], cells: tuple[Any, ...]) -> Facts:
        """A row of facts. Raises CaseError where it names one that the shape has not."""
        try:
            return Facts(row, self.over(columns), cells)
        except CaseError as e:
            raise CaseError([at_line(p, self.job.file, row.line) for p in e.problems]) from None


def cells_of(line: bytes, separator: str, wanted: int, place: Place) -> tuple[str, ...]:
    """The cells of a line of a table. Raises CaseError (E402, E474)."""
    if len(line) > MAX_BYTES:
        raise CaseError(Problem(474, f"the row is longer than {MAX_BYTES} bytes", place, "close quotation marks"))
    try:
        found = cells(line.decode("utf-8"), separator)
    except UnicodeDecodeError:
        raise CaseError(Problem(402, "the row is not UTF-8 text", place, "save the table as UTF-8 text")) from None
    except csv.Error as e:
        hint = "close quotation marks in their line"
        raise CaseError(Problem(474, f"the row does not read: {e}", place, hint)) from None
    if len(found) != wanted:
        message = f"the row has {len(found)} cell{'' if len(found) == 1 else 's'}, and there are {wanted} columns"
        raise CaseError(Problem(474, message, place, "leave a cell empty where nothing is told"))
    return found


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
