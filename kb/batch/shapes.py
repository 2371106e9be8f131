"""A shape: one case whose things and links stay, and columns that name facts of it: `squad.is.Broken`, `box.capacity`, `go.phase`.

What a column names is told by the rows alone: what the shape's own case says of it is taken back, and an empty cell is not told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.language.vocabulary import Vocabulary
from kb.yaml_document import Source

NAME = "name"  # the one column that tells no fact: what the row is called
TRUTH = {
    "true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False,
    "unknown": None,
}  # fmt: skip
UNKNOWN = "unknown"
LISTED = ("is", "not", UNKNOWN)  # keys of a thing that hold words


class Column(Struct, frozen=True):
    """A fact that rows tell. path: the names that lead to the thing; key: its word there; cls: the class, where the fact is whether
    the thing is of that."""

    name: str
    path: tuple[str, ...]
    key: str
    cls: str = ""


class Shape:
    """One case as it was read, to be told again with other facts. Raises CaseError where a column names none."""

    def __init__(
        self, data: Mapping[str, Any], vocabulary: Vocabulary, columns: Sequence[str], place: Place | None = None
    ):
        self.vocabulary, self.place, self.asked = vocabulary, place, 0  # asked: how many rows of it were
        self.names = tuple(columns)
        self.things: dict[str, Any] = {str(k): opened(v) for k, v in dict(data.get("things") or {}).items()}
        self.columns = self.named(columns)
        for column in self.columns:
            self.take_back(column)
        self.data = {**data, "things": self.things}
        # What a thing is, is told before what more it is: a column `squad.is` before `squad.is.Broken`.
        self.order = sorted(range(len(self.columns)), key=lambda i: bool(self.columns[i].cls))
        self.called = next((i for i, c in enumerate(self.columns) if c.key == NAME and not c.path), None)

    # ── columns ──

    def named(self, columns: Sequence[str]) -> list[Column]:
        """The facts that the columns name; every fault of a heading at once."""
        found: list[Column] = []
        problems: list[Problem] = []
        for at, name in enumerate(columns, 1):
            place = (
                Place(self.place.file, self.place.line, at, name) if self.place is not None else Place("", 0, at, name)
            )
            try:
                column = self.column(name.strip(), place)
            except CaseError as e:
                problems += e.problems
                continue
            same = next((c.name for c in found if (c.path, c.key, c.cls) == (column.path, column.key, column.cls)), "")
            if same:
                problems.append(
                    Problem(478, f"“{name}” and “{same}” tell one fact", place, "keep one column of the two")
                )
            found.append(column)
        if problems:
            raise CaseError(problems)
        return found

    def column(self, name: str, place: Place) -> Column:
        """The fact that a heading names. Raises CaseError (E475, E476)."""
        if name == NAME:
            return Column(name, (), NAME)
        parts = name.split(".")
        first = next((i for i in range(len(parts), 0, -1) if ".".join(parts[:i]) in self.things), 0)
        if not first or first == len(parts):
            names = list(self.things)
            hint = did_you_mean(parts[0], names, "things of the shape:")
            wrong = f"“{name}” names a thing and nothing of it" if first else f"the shape has no thing “{parts[0]}”"
            hint = f"write {name}.is.CLASS, or {name} with a property, such as {name}.at" if first else hint
            raise CaseError(Problem(475, wrong, place, hint))
        path: tuple[str, ...] = (".".join(parts[:first]),)
        rest, now = parts[first:], self.things[path[0]]
        while len(rest) > 1 and isinstance(now.get(rest[0]), dict):  # a thing that is described in place
            path, now, rest = (*path, rest[0]), now[rest[0]], rest[1:]
        key, cls = rest[0], ".".join(rest[1:])
        if cls and key != "is":
            hint = f"write {'.'.join((*path, key))}; or, of another thing, begin with its name"
            raise CaseError(Problem(476, f"“{name}”: nothing is described in place under “{key}”", place, hint))
        classes, properties = self.vocabulary.classes, self.vocabulary.properties
        if not cls and (key in LISTED or key == "label" or self.vocabulary.resolve(key, [properties])):
            return Column(name, path, key)
        found = self.vocabulary.resolve(cls or key, [classes])  # `squad.Broken` says the same as `squad.is.Broken`
        if found is None:
            pool = (s for t in (*(() if cls else properties.values()), *classes.values()) for s in (t.name, *t.alt))
            what = "class" if cls else "property or class"
            hint = did_you_mean(cls or key, pool) or "see loophole terms"
            raise CaseError(Problem(476, f"“{name}”: no {what} is called “{cls or key}”", place, hint))
        return Column(name, path, "is", found)

    def take_back(self, column: Column) -> None:
        """Takes back what the shape itself says of a fact that the rows tell."""
        if not column.path:
            return
        resolve, pools = self.vocabulary.resolve, [self.vocabulary.classes, self.vocabulary.properties]
        thing: dict[str, Any] = self.things
        for step in column.path:
            thing = thing[step]
        if not column.cls and column.key in (*LISTED, "label"):
            thing.pop(column.key, None)
            return
        pool = pools[:1] if column.cls else pools[1:]
        meant = column.cls or resolve(column.key, pool)
        for key in [k for k in thing if k not in LISTED and k != "label" and resolve(str(k), pool) == meant]:
            del thing[key]
        for key in LISTED:
            if key in thing:
                thing[key] = [word for word in words(thing[key]) if resolve(str(word), pool) != meant]

    # ── rows ──

    def case(self, cells: Sequence[Any], file: str, line: int) -> tuple[dict[str, Any], Source]:
        """A row as a case, and where each fact of it stands. Raises CaseError with every fault of its cells."""
        things = dict(self.things)
        made: dict[tuple[str, ...], dict[str, Any]] = {}
        source = Source(file, start=line - 1)
        problems: list[Problem] = []
        for i in self.order:
            column, cell = self.columns[i], cells[i]
            if cell is None or (isinstance(cell, str) and not cell.strip()) or not column.path:
                continue
            place = Place(file, line, i + 1, column.name)
            try:
                key, value = told(column, cell, place)
            except CaseError as e:
                problems += e.problems
                continue
            thing = copied(things, column.path, made)
            # A list is made anew, never added to: it may be the shape's own.
            thing[key] = [*words(thing.get(key)), *words(value)] if key in LISTED else value
            source.places.setdefault(("things", *column.path, key), place)
        if problems:
            raise CaseError(problems)
        return {**self.data, "things": things}, source

    def name(self, cells: Sequence[Any]) -> str:
        """What a row is called; "" where no column says."""
        return str(cells[self.called] or "") if self.called is not None else ""


def opened(given: Any) -> Any:
    """What is said of a thing as a mapping of its own, that may be changed."""
    if given is None or isinstance(given, (str, list)):
        return {"is": words(given)}
    if isinstance(given, Mapping):
        return {str(k): opened(v) if isinstance(v, Mapping) else v for k, v in given.items()}
    return given


def words(value: Any) -> list[Any]:
    """A list of words; one stands for a list of one."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def copied(
    things: dict[str, Any], path: tuple[str, ...], made: dict[tuple[str, ...], dict[str, Any]]
) -> dict[str, Any]:
    """The thing that a path leads to, as the row's own copy."""
    if path not in made:
        above = things if len(path) == 1 else copied(things, path[:-1], made)
        made[path] = above[path[-1]] = dict(above[path[-1]])
    return made[path]


def told(column: Column, cell: Any, place: Place) -> tuple[str, Any]:
    """The key and the value by which a case tells what a cell says. Raises CaseError (E477, E485)."""
    said = cell.strip() if isinstance(cell, str) else cell
    folded = str(said).casefold()
    if column.cls:
        if folded not in TRUTH:
            message = f"“{column.name}” is true, false or unknown; here stands “{said}”"
            raise CaseError(Problem(477, message, place, "leave the cell empty where it is not told"))
        return {True: "is", False: "not", None: UNKNOWN}[TRUTH[folded]], column.cls
    if folded == UNKNOWN and column.key != "label":
        return UNKNOWN, column.key
    if not isinstance(said, str):
        return column.key, said
    if said[0] in "[{":
        try:
            return column.key, json.loads(said, parse_float=str)
        except (ValueError, RecursionError):
            message = f"“{column.name}”: here begins a list or a mapping that is not JSON: {said[:40]}"
            raise CaseError(Problem(485, message, place, 'write ["one", "other"], or one; other')) from None
    if ";" in said and column.key != "label":
        return column.key, [part.strip() for part in said.split(";") if part.strip()]
    return column.key, said
