"""Problems a person can mend: number, place (file, line, column, heading), what is wrong, what to do, nearest spelling.

LoopholeError                 any bad input; carries one or more Problems; 7xx: the ontology, what is built, what is installed
├── RulebookError             1xx read, 2xx link, 3xx compile: a rulebook file; 90x to 94x: records of errata and rulings
├── CaseError                 4xx: a case, an interview, a question across games
├── TextError                 5xx: a text to import, or the local library
├── QueryError                6xx: what is asked for by name, search, SPARQL, a store; 95x, 96x, 98x: editions, records, exports
└── api.terminal.CommandError 67x, 68x: a command line
8xx are findings of kb.checker.checker about a proof. A number means one thing only (tests/test_errors.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct


class Place(Struct, frozen=True):
    """A position in a text file; line and column count from 1."""

    file: str
    line: int
    column: int = 1
    heading: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" + (f" ({self.heading})" if self.heading else "")


NOWHERE = Place("", 0, 0)
LONGEST = 400  # characters of a line that are shown


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in an input. `line` is the text of the faulty line, shown with a caret under `place.column` and, of a `span`, the columns
    after it; `under`, the sentence of a rulebook that a norm with a fault stands under."""

    code: int
    message: str
    place: Place = NOWHERE
    hint: str = ""
    line: str = ""
    other: Place | None = None
    under: str = ""
    span: int = 1

    def __str__(self) -> str:
        out = [f"E{self.code} {self.place}: {self.message}" if self.place.file else f"E{self.code}: {self.message}"]
        if self.under:
            out.append(f"  under: {self.under}")
        if self.line:
            line, at = self.line, max(self.place.column - 1, 0)
            if len(line) > LONGEST:  # what stands around the fault
                cut = max(at - LONGEST // 2, 0)
                line, at = line[cut : cut + LONGEST], at - cut
            out += ["    " + line, "    " + " " * at + "^" * self.span]
        if self.other is not None:
            out.append(f"  see also: {self.other}")
        if self.hint:
            out.append(f"  do: {self.hint}")
        return "\n".join(out)


class LoopholeError(Exception):
    """Bad input. `problems` holds every fault found, in the order of the text."""

    def __init__(self, problems: Problem | Iterable[Problem]):
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class RulebookError(LoopholeError):
    """A rulebook file that does not read, link or compile."""


class CaseError(LoopholeError):
    """A case that cannot be understood or that contradicts itself."""


class TextError(LoopholeError):
    """A rule text that cannot be imported, or a library that cannot be used."""


class QueryError(LoopholeError):
    """A query that is unknown, malformed, or refused."""


def too_deep() -> CaseError:
    """The problem (E404) of what no reader found too deep, and yet was."""
    hint = "use fewer brackets in one another, shorter chains of things, or rules that lead to one another less often"
    return CaseError(Problem(404, "it is nested too deeply to be worked out", hint=hint))


def of_system(error: OSError) -> LoopholeError:
    """The problem (E719) of a file or a folder that the system does not let us use, where nothing nearer tells of it."""
    where = f" {error.filename}" if error.filename else ""
    hint = "see that there is room on the disk, and that you may read and write there; what is kept is written whole or not at all"
    return LoopholeError(
        Problem(719, f"the system does not let us use{where or ' a file'}: {error.strerror or error}", hint=hint)
    )


def nearest(word: str, known: Iterable[str], n: int = 3, alike: float = 0.6) -> list[str]:
    """The known names spelt most like `word`, best first; at most `n`, each at least so much `alike` (1: the same)."""
    table: dict[str, str] = {}
    for name in known:
        table.setdefault(name.casefold(), name)
    close = difflib.get_close_matches(word.casefold(), table, n=n, cutoff=alike)
    return [table[c] for c in close]


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint naming the nearest spellings. Where nothing is near: all names behind `otherwise`, or "" without it."""
    names = list(known)
    close = nearest(word, names)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"{otherwise} {', '.join(names) or 'none'}" if otherwise else ""
