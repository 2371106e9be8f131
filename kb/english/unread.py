"""What a text comes to: the case that was understood of it, what was not, and what is asked back of that."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kb.errors import Place, Problem
from kb.yaml_document import written

MOST_TOLD = 6  # things that are asked back at once
BEFORE = 40  # letters of the text that are shown on each side of what was not understood


@dataclass(frozen=True, slots=True)
class Unread:
    """A stretch of the text that is not understood. question: what is asked back; like: words of the book that are spelled like it."""

    start: int
    end: int
    text: str
    question: str
    like: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text comes to in the words of a book. data: a case; empty where no question was understood."""

    text: str
    book: str
    data: dict[str, Any]
    unread: tuple[Unread, ...] = ()
    tries: int = 0  # ways of reading that were tried
    said: str = ""  # the text as it was read, where it was said otherwise

    @property
    def yaml(self) -> str:
        """The case that was understood, as YAML to correct and ask; "" where no question was."""
        note = f"# READ AS: {self.said}\n" if self.said else ""
        return note + written(self.data).rstrip() if self.data else ""

    def problems(self) -> list[Problem]:
        """What was not understood, as problems to mend; none where everything was."""
        return [problem(self.text, row) for row in self.unread[:MOST_TOLD]]

    def to_json(self) -> dict[str, Any]:
        """The reading as plain values."""
        rows = [{**asdict(row), "like": list(row.like)} for row in self.unread]
        return {
            "text": self.text,
            "book": self.book,
            "case": self.data or None,
            "yaml": self.yaml or None,
            "unread": rows,
            "said": self.said or None,
        }


def problem(text: str, row: Unread) -> Problem:
    """One stretch of the text that was not understood, underlined, with what is asked back."""
    left, right = max(0, row.start - BEFORE), min(len(text), row.end + BEFORE)
    line = " ".join(text[left:right].splitlines()) if row.end else ""
    place, span = Place("", 0, row.start - left + 1), min(row.end, right) - row.start
    return Problem(463, message(row), place, asking_back(row), line, span=max(span, 1))


def message(row: Unread) -> str:
    """What is wrong with a stretch of the text."""
    return f"“{row.text}” is not understood here" if row.end else row.question


def asking_back(row: Unread) -> str:
    """The question back: what a stretch means, with the words that are spelled like it."""
    near = f"did you mean {' or '.join(row.like)}?" if row.like else ""
    plain = "say it otherwise, or state the case (docs/cases.md)" if not near else ""
    return "; ".join(said for said in (row.question if row.end else "", near, plain) if said)
