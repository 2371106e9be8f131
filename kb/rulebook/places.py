"""Where in a chapter's text a fault stands: at which word, on which line, and under which sentence."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from kb.errors import Place, Problem

Lines = Mapping[str, Sequence[str]]
FAR = 60  # lines that a norm may run over
OPEN, CLOSE = "```norms", "```"


def of_word(word: str, place: Place, lines: Lines) -> tuple[Place, str]:
    """The place of a word, and its line, from some place on to the end of the block that this stands in; else that place."""
    text = lines.get(place.file, ())
    if not 0 < place.line <= len(text):
        return place, ""
    for i in range(place.line - 1, min(place.line + FAR, len(text))):
        if match := re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text[i].split("#")[0]):
            return replace(place, line=i + 1, column=match.start() + 1), text[i]
        if text[i].strip() == CLOSE:
            break
    return place, text[place.line - 1]


def word_at(problem: Problem) -> str:
    """The word that a problem stands at; "" where its line is not known."""
    match = re.compile(r"\w+").match(problem.line, problem.place.column - 1)
    return match[0] if match else ""


def lines_of(files: Iterable[str]) -> dict[str, list[str]]:
    """The lines of each file; none of one that cannot be read."""
    found: dict[str, list[str]] = {}
    for file in files:
        try:
            found[file] = Path(file).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            found[file] = []
    return found


def told(problems: Iterable[Problem]) -> list[Problem]:
    """Problems of a book in the order of its text, each with its line, and with the sentence above it where it is in a norm."""
    texts: dict[str, list[str]] = {}
    return sorted((shown(p, texts) for p in problems), key=lambda p: (p.place.file, p.place.line, p.place.column))


def shown(problem: Problem, texts: dict[str, list[str]]) -> Problem:
    """A problem with its line and the sentence that it stands under. texts: the files that are read already."""
    file, number = problem.place.file, problem.place.line
    if not file.endswith(".md"):
        return problem
    if file not in texts:
        texts |= lines_of([file])
    lines = texts[file]
    if not 0 < number <= len(lines):
        return problem
    return dataclasses.replace(
        problem, line=problem.line or lines[number - 1], under=problem.under or sentence_above(lines, number)
    )


def sentence_above(lines: Sequence[str], number: int) -> str:
    """The sentence above a line of a norms block; "" for any other line."""
    above = [line.strip() for line in lines[: number - 1]]
    if lines[number - 1].strip() in (OPEN, CLOSE) or OPEN not in above:
        return ""
    opened = len(above) - 1 - above[::-1].index(OPEN)
    if CLOSE in above[opened:]:
        return ""
    for line in reversed(above[:opened]):
        if line.startswith("#"):
            return ""
        if line and not line.startswith((">", "|", "```", "<!--", "Table:")) and not inside(above, line, opened):
            return line
    return ""


def inside(above: Sequence[str], line: str, end: int) -> bool:
    """Whether the last such line above some line stands in a norms block."""
    at = max(i for i in range(end) if above[i] == line)
    fences = [i for i in range(at) if above[i] in (OPEN, CLOSE)]
    return bool(fences) and above[fences[-1]] == OPEN
