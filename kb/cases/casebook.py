"""The cases of files: a file holds one, or several with a line `---` between them. docs/cases.md describes them.

of(paths)             every case of files and folders, in order
in_text(text, file)   those of a text
one(cases, name)      the one that is meant
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb import resources
from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.yaml_document import Source, document, pieces

SHOWN = 12  # names listed where one is asked for


@dataclass(frozen=True, eq=False)
class Written:
    """A case as it stands in a file, not yet checked.

    name: its own, or one made of the file's. alone: nothing else stands in the file, and no name: the file's name will do.
    fault: why it is none, told when its data are asked for.
    """

    file: str
    name: str
    alone: bool
    content: Any
    source: Source = field(repr=False)
    fault: CaseError | None = None

    @property
    def data(self) -> Any:
        """What is written. Raises CaseError where it does not read, or another case of the file has its name."""
        if self.fault is not None:
            raise self.fault
        return self.content

    @property
    def line(self) -> int:
        """The line of its file in which it begins."""
        return self.source.place().line

    @property
    def rule(self) -> str:
        """The number of the rule that it is about; "" where it does not say."""
        return said(self.content, "rule")

    @property
    def compares(self) -> bool:
        """Whether it is an expectation across games: it has the key `compare` and no `book`."""
        return isinstance(self.content, Mapping) and "compare" in self.content and "book" not in self.content

    @property
    def title(self) -> str:
        """Its file, and its name where the file holds others."""
        return self.file if self.alone else f"{self.file}: {self.name}"

    @property
    def place(self) -> str:
        """Its file, line and name; the file alone where nothing else stands there."""
        return self.file if self.alone else f"{self.file}:{self.line} {self.name}"


def parted(title: str) -> tuple[str, str]:
    """The file and the name that a title tells; no name where the file alone is meant."""
    file, _, name = title.partition(": ")
    return file, name


def said(content: Any, key: str) -> str:
    """A text that a case gives under a key."""
    value = content.get(key) if isinstance(content, Mapping) else None
    return "" if value is None or isinstance(value, Mapping | list) else str(value)


def of(paths: Iterable[Path]) -> Iterator[Written]:
    """Every case of some files and folders, in order. Raises CaseError for a file that cannot be read."""
    for path in paths:
        for file in resources.cases(path):
            yield from in_file(file)


def in_file(file: Path) -> tuple[Written, ...]:
    """The cases of a file. Raises CaseError where it cannot be read."""
    return in_text(resources.read_text(file, 400, CaseError), str(file))


@lru_cache(maxsize=2)  # for who reads one case after the other of a file by its name
def in_text(text: str, file: str = "") -> tuple[Written, ...]:
    """The cases of a text. What is wrong with one stands with it, and the others can be read."""
    parts = pieces(text)
    found: list[Written] = []
    first: dict[str, Source] = {}
    for number, (start, part) in enumerate(parts, 1):
        fault, content, source = None, None, Source(file or "case", start=start)
        try:
            content, source = document(part, file, start)
        except CaseError as e:
            fault = e
        own = said(content, "name")
        stem = Path(file).stem if file else "case"
        name = own or (stem if len(parts) == 1 else f"{stem}-{number}")
        made = Written(file, name, len(parts) == 1 and not own, content, source, fault)
        if name in first and fault is None:
            at, hint = source.place("name"), "give each a name of its own"
            twice = Problem(408, f"“{name}” names two cases", at, hint, source.line(at), first[name].place("name"))
            made = replace(made, fault=CaseError(twice))
        first.setdefault(name, source)
        found.append(made)
    return tuple(found)


def one(cases: Sequence[Written], name: str = "") -> Written:
    """The case of that name, or the only one. Raises CaseError naming those there are."""
    named = [c for c in cases if c.name == name] if name else list(cases)
    if len(named) == 1:
        return named[0]
    if name and named:  # of a name that stands twice
        return next(c for c in named if c.fault is not None)
    names = [c.name for c in cases]
    listed = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    if name:
        at = Place(cases[0].source.file, 1)
        raise CaseError(
            Problem(409, f"no case here is called “{name}”", at, did_you_mean(name, names) or f"there are: {listed}")
        )
    at = cases[1].source.place()
    message = f"here begins the second of {len(cases)} cases, and one is asked at a time"
    raise CaseError(Problem(418, message, at, f"say which with --case NAME: {listed}", cases[1].source.line(at)))
