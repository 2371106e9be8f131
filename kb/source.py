"""Where a thing was written: file, line, column, and the heading above it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text file; line and column count from 1."""

    file: str
    line: int
    column: int = 1
    heading: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" + (f" ({self.heading})" if self.heading else "")


NOWHERE = Place("", 0, 0)
