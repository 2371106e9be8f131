"""The blocks of a Markdown file: headings, fences, tables and single lines, each with the line it begins on (from 1).

One scanner serves chapters and records of errata; what a block means is for its reader to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*(?:\{#([^}]+)\})?\s*$")
FENCE, TABLE, COMMENT = "```", "Table:", "<!--"


@dataclass(frozen=True)
class Heading:
    """A heading; anchor: what stands in braces behind it, "" for nothing."""

    line: int
    level: int
    title: str
    anchor: str


@dataclass(frozen=True)
class Fence:
    """A fenced block of a kind. start and end: the indexes of its first line, and of the line that closes it."""

    line: int
    kind: str
    start: int
    end: int
    closed: bool


@dataclass(frozen=True)
class Rows:
    """A table under a line `Table: name`: the cells of each row, with the row's line."""

    line: int
    name: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Line:
    """Any other line: a sentence, or a remark, which begins with `>`."""

    line: int
    text: str


def front(lines: Sequence[str]) -> int | None:
    """The index of the line that closes the front matter, 0 where none does; None where the file begins with none."""
    if not lines or lines[0].strip() != "---":
        return None
    return next((i for i, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)


def blocks(lines: Sequence[str], start: int) -> Iterator[Heading | Fence | Rows | Line]:
    """The blocks from a line on; blank lines and comments are passed over."""
    i = start
    while i < len(lines):
        line, number = lines[i], i + 1
        text = line.strip()
        i += 1
        if match := HEADING.match(line):
            yield Heading(number, len(match[1]), match[2], match[3] or "")
        elif text.startswith(FENCE):
            end = next((j for j in range(i, len(lines)) if lines[j].strip() == FENCE), len(lines))
            yield Fence(number, text.removeprefix(FENCE).strip(), i, end, end < len(lines))
            i = end + 1
        elif text.startswith(TABLE):
            rows: list[tuple[int, tuple[str, ...]]] = []
            while i < len(lines) and ((row := lines[i].strip()).startswith("|") or not (row or rows)):
                if row:
                    rows.append((i + 1, tuple(c.strip() for c in row.strip("|").split("|"))))
                i += 1
            yield Rows(number, text.removeprefix(TABLE).strip(), tuple(rows))
        elif text and not text.startswith(COMMENT):
            yield Line(number, text)
