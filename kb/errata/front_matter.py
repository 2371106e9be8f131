"""The front matter of a file of records, read: the book, its title and its editions; and YAML anywhere in the file, with places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.markdown import front
from kb.rulebook import records as e
from kb.rulebook.chapter_reader import ChapterReader
from kb.yaml_document import Source, document

FRONT = ("book", "title", "base", "editions")
EDITION = ("id", "title", "published", "source")
BROKEN: Mapping[str, Any] = {}  # what stands for a block that does not read, which has been told
DO_RECORD = "see docs/errata.md for the shape of a record"


class FrontReader:
    """The lines of a file and the faults found in them; reads the front matter."""

    def __init__(self, name: str, text: str, shipped: Callable[[str], e.Ledger] | None = None):
        self.shipped = shipped
        self.chapter = ChapterReader(name, text)
        self.chapter.authority = "chapter"
        self.lines = self.chapter.lines

    def problem(self, code: int, message: str, place: Place, hint: str = "") -> None:
        """Adds a fault with the line it stands on."""
        line = self.lines[place.line - 1] if 0 < place.line <= len(self.lines) else ""
        self.chapter.problems.append(Problem(code, message, place, hint, line))

    def at(self, line: int) -> Place:
        """The place of a line, under the record being read."""
        return Place(self.chapter.file, line, 1, self.chapter.heading)

    def front(self) -> tuple[Mapping[str, Any], int, Source]:
        """The front matter, the line behind it, and where its keys stand."""
        end = front(self.lines)
        if end is None:
            self.problem(
                901, "a file of records begins with a front matter between two lines of ---", self.at(1), DO_RECORD
            )
            return {}, 0, Source(self.chapter.file, self.lines)
        data, source = self.yaml(1, end)
        if data is BROKEN:
            return {}, end + 1, source
        for key in data:
            if key not in FRONT:
                self.problem(
                    902, f"unknown front matter key “{key}”", source.place(key), did_you_mean(str(key), FRONT, "keys:")
                )
        for key in FRONT if self.shipped is None else FRONT[:1]:
            if key not in data:
                self.problem(902, f"the front matter lacks “{key}”", self.at(1), DO_RECORD)
        return data, end + 1, source

    def yaml(self, start: int, end: int) -> tuple[Mapping[str, Any], Source]:
        """The mapping in some lines of the file, with the places that its keys have in the file."""
        empty = Source(self.chapter.file, self.lines)
        try:
            found, source = document("\n" * start + "\n".join(self.lines[start:end]), self.chapter.file)
        except CaseError as error:
            self.chapter.problems += error.problems
            return BROKEN, empty
        if not isinstance(found, Mapping):
            self.problem(904, "a mapping belongs here", self.at(start + 1), DO_RECORD)
            return BROKEN, empty
        return found, source

    def editions(self, given: Any, source: Source) -> list[e.Edition]:
        """The editions that the front matter lists, oldest first."""
        out: list[e.Edition] = []
        if not isinstance(given, list) or not all(isinstance(row, Mapping) and "id" in row for row in given):
            if given is not None:
                hint = "- {id: second, title: second edition, published: 2001}"
                self.problem(
                    905, "“editions” is a list of mappings with an id, oldest first", source.place("editions"), hint
                )
            return out
        for i, row in enumerate(given):
            place = source.place("editions", i)
            for key in row:
                if key not in EDITION:
                    hint = did_you_mean(str(key), EDITION, "keys:")
                    self.problem(902, f"unknown key “{key}” of an edition", source.place("editions", i, key), hint)
            if any(row["id"] == before.id for before in out):
                self.problem(
                    906, f"edition “{row['id']}” stands twice in the chain", place, "give each edition one row"
                )
            date = self.date(row.get("published"), source.place("editions", i, "published"))
            dated = [b for b in out if b.published != e.UNDETERMINED]
            if date != e.UNDETERMINED and dated and date < dated[-1].published:
                message = f"edition “{row['id']}” of {date} stands after “{dated[-1].id}” of {dated[-1].published}"
                self.problem(906, message, place, "put the oldest first")
            out.append(e.Edition(str(row["id"]), str(row.get("title", "")), date, str(row.get("source", "")), place))
        return out

    def date(self, value: Any, place: Place) -> str:
        """A date as written, `undetermined` for none; a fault (E907) where it is no date."""
        said = str(value) if value is not None else e.UNDETERMINED
        if said != e.UNDETERMINED and not e.DATE.fullmatch(said):
            self.problem(907, f"“{said}” is no date", place, "write 2025, 2025-06, 2025-06-01 or undetermined")
        return said
