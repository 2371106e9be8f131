"""Reads YAML (JSON is YAML) into plain values, with the place of each, and writes a case as people write it.

What would exhaust or mislead a reader is refused. Numbers are exact, yes and no are names, aliases are not taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import yaml

from kb.errors import NOWHERE, CaseError, Place, Problem
from kb.numbers import number

MAX_DEPTH, MAX_BYTES, SMALL = 40, 2_000_000, 1_000
SHORT = 10  # characters of a number
LOADER: Any = yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader
BARE = re.compile(r"[^\W\d][\w./ '-]*(?<! )")  # a text that needs no quotation marks
RULE_LISTS = frozenset(("cites", "defeated"))  # keys under which 20.10 is the number of a rule, and not 20.1
AS_WRITTEN = RULE_LISTS | {"rule"}
# What may stand in JSON that YAML reads otherwise, or not at all: characters that it does not print or takes for the end of a line,
# escapes that only one of them has, a key that does not stand at its colon, and what may be a key that is too long for it.
APART = re.compile(
    r"[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    r"|\\(?![\"\\bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})|\"(?:\s+:|[^\"]{1000})"
)
MARK = re.compile(r"^---(?=\s|$)", re.M)  # what stands between the documents of a file
FLATTER = "name things, and use their names instead of nesting"


@dataclass
class Source:
    """Where each value of a document stands, by the path of keys to it. start: how many lines of its file stand before it; unread: a text
    whose places are looked for once one of them is asked for, which is where something is wrong."""

    file: str = ""
    lines: list[str] = field(default_factory=list)
    places: dict[tuple[Any, ...], Place] = field(default_factory=dict)
    start: int = 0
    unread: str = field(default="", repr=False)

    def place(self, *path: Any) -> Place:
        """Where a value stands that is reached by these keys; where what holds it stands, if it has no place of its own."""
        if self.unread:
            text, self.unread = self.unread, ""
            plain(yaml.compose(text, Loader=LOADER), (), self, [], 0)
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(self.file, self.start + 1) if self.file else NOWHERE)

    def at(self, mark: Any) -> Place:
        """The place that the parser of YAML means."""
        return Place(self.file, self.start + mark.line + 1, mark.column + 1)

    def line(self, place: Place) -> str:
        """The text of the line of a place; "" outside the document."""
        number = place.line - self.start
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


def pieces(text: str) -> list[tuple[int, str]]:
    """The documents of a text that holds several, each with how many lines stand before it; the whole text where it has one.

    A line that begins with `---` stands between two; where only comments or directives stand there is no document.
    """
    at = [0, *(m.start() for m in MARK.finditer(text)), len(text)] if "---" in text else []
    parts = [(text.count("\n", 0, start), text[start:end]) for start, end in pairwise(at)]
    return [(lines, part) for lines, part in parts if says(part)] or [(0, text)]


def says(text: str) -> bool:
    """Whether more stands in a text than marks, comments, directives and blanks."""
    lines = text.removeprefix("\ufeff").removeprefix("---").splitlines()
    return any(line.strip() and line.lstrip()[0] not in "#%" for line in lines)


def document(text: str, file: str = "", start: int = 0) -> tuple[Any, Source]:
    """Parses YAML (JSON is YAML) into plain values and the places of its keys. Raises CaseError.

    start: how many lines of the file stand before the text.
    """
    source = Source(file or "case", text.splitlines(), start=start)
    if len(text) > MAX_BYTES:
        raise CaseError(
            Problem(
                401,
                f"the case is larger than {MAX_BYTES} characters",
                source.place(),
                "state what bears on the question",
            )
        )
    if "\x00" in text:
        raise CaseError(
            Problem(402, "the case holds a NUL character; it is not text", source.place(), "save it as UTF-8 text")
        )
    if text.startswith("{") and (found := from_json(text)) is not None:
        source.unread = text
        return found, source
    problems: list[Problem] = []
    try:
        if len(text) > SMALL or "*" in text:
            guard(text, source)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        place = source.at(mark) if mark else source.place()
        said = getattr(e, "problem", None) or str(e)
        hint = "check the indentation, the brackets and the colons here"
        raise CaseError(Problem(403, f"this is not YAML: {said}", place, hint, source.line(place))) from None
    except RecursionError:
        raise CaseError(Problem(404, "the case is nested too deeply", source.place(), FLATTER)) from None
    value = plain(node, (), source, problems, 0) if node is not None else None
    if problems:
        raise CaseError(problems)
    return value, source


def from_json(text: str) -> dict[str, Any] | None:
    """The plain values of a text of JSON; None for one that is none, or that YAML may read in another way, for it is the YAML that counts."""
    if APART.search(text) is not None or not text.rstrip("\n").endswith("}"):
        return None
    try:
        found: dict[str, Any] = json.loads(text, parse_float=exact, parse_int=whole, parse_constant=exact)
    except (ValueError, RecursionError):
        return None
    keys = 0
    level: list[Any] = [found]
    for _ in range(MAX_DEPTH - 1):
        for x in level:
            if type(x) is dict:
                keys += len(x)
                if not (AS_WRITTEN.isdisjoint(x) or all(texts(x[key]) for key in AS_WRITTEN & x.keys())):
                    return None  # the numbers of rules stay as they are written
        inside = [y for x in level for y in (x.values() if type(x) is dict else x)]
        level = [x for x in inside if type(x) is dict or type(x) is list]
        if not level:
            return found if keys == text.count('":') else None  # else a key may be given twice
    return None


def exact(written: str) -> Any:
    """A number of JSON. Raises ValueError for one that is none in YAML."""
    if not written[-1].isdigit() or "e" in written or "E" in written:
        raise ValueError(written)
    found = number(written)
    return written if found is None else found


def whole(written: str) -> Any:
    """A whole number of JSON; most are short."""
    return number(int(written)) if len(written) < SHORT else exact(written)


def texts(value: Any) -> bool:
    """Whether a value is a text, or a list of such."""
    return all(type(x) is str for x in (value if type(value) is list else [value]))


def values(text: str) -> Any:
    """The plain values of a small text of YAML, as YAML has them: a front matter, a policy. Raises yaml.YAMLError, also for what is nested
    too deeply."""
    if len(text) > SMALL:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise yaml.YAMLError(f"it is nested more than {MAX_DEPTH} deep")
    try:
        with suppress(yaml.YAMLError):  # of a mistake, the slower one tells more
            return yaml.load(text, Loader=LOADER)
        return yaml.safe_load(text)
    except RecursionError:
        raise yaml.YAMLError("it is nested too deeply") from None


def guard(text: str, source: Source) -> None:
    """Refuses what would exhaust the parser: deep nesting, and aliases, which can multiply a short text."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH or isinstance(event, yaml.AliasEvent):
            mark = event.start_mark
            place = source.at(mark) if mark else source.place()
            if depth > MAX_DEPTH:
                raise CaseError(Problem(404, "the case is nested too deeply", place, FLATTER))
            hint = "write the value out, or name a thing and use its name"
            raise CaseError(Problem(407, "a case may not use YAML aliases", place, hint, source.line(place)))


def plain(node: Any, path: tuple[Any, ...], source: Source, problems: list[Problem], depth: int) -> Any:
    """A YAML node as plain values; notes the place of each key and the faults found. Raises CaseError (E404)."""
    place = source.at(node.start_mark)
    source.places.setdefault(path, place)
    if depth > MAX_DEPTH:
        raise CaseError(Problem(404, "the case is nested too deeply", place, FLATTER))
    if isinstance(node, yaml.MappingNode):
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = plain(key_node, (*path, "?"), source, problems, depth + 1)
            key = key_node.value if isinstance(key, bool) else key
            here = source.at(key_node.start_mark)
            if not isinstance(key, (str, int)):
                problems.append(Problem(405, "a key must be a name", here, "write NAME: VALUE", source.line(here)))
                continue
            if key in found:
                before = source.places[(*path, key)]
                problems.append(Problem(406, f"“{key}” is given twice", here, "keep one", source.line(here), before))
            found[key] = plain(value_node, (*path, key), source, problems, depth + 1)
            source.places[(*path, key)] = here
        return found
    if isinstance(node, yaml.SequenceNode):
        return [plain(child, (*path, i), source, problems, depth + 1) for i, child in enumerate(node.value)]
    if node.tag == "tag:yaml.org,2002:float" or node.tag == "tag:yaml.org,2002:int":
        exact = None if path == ("rule",) or RULE_LISTS.intersection(path) else number(node.value)
        return node.value if exact is None else exact
    if node.tag == "tag:yaml.org,2002:bool":
        # Only true and false are truth values; yes, no, on and off may be somebody's names.
        return {"true": True, "false": False}.get(node.value.casefold(), node.value)
    if node.tag == "tag:yaml.org,2002:null":
        return None
    return node.value


def written(case: Mapping[str, Any]) -> str:
    """A case in YAML, a key a line and a thing a line, that `document` reads back to the same."""
    rows = []
    for key, value in case.items():
        if key == "things":
            rows += ["things:", *(f"  {name}: {flow(facts)}" for name, facts in value.items())]
        elif value or key != "history":
            rows.append(f"{key}: {flow(value)}")
    return "\n".join(rows) + "\n"


def flow(value: Any) -> str:
    """A value on one line; a list of one as that one."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return flow(value[0]) if len(value) == 1 else "[" + ", ".join(map(flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    text = str(value)
    bare = number(text) is not None or (BARE.fullmatch(text) and text.casefold() not in ("true", "false", "null"))
    return text if bare else json.dumps(text, ensure_ascii=False)


def listed(value: Any) -> tuple[str, ...]:
    """A list of names; a single name stands for a list of one."""
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),) if value else ()
