"""How a chapter is written, counted over its Markdown alone: how much is said by how many norms, and what is hard to read.

Nothing here knows what a norm means; an id at the left margin of a norms block is one, however many it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

FRONT = re.compile(r"\A---.*?\n---\n", re.S)
BLOCK = re.compile(r"```norms\n(.*?)```", re.S)
FENCED = re.compile(r"```.*?```", re.S)
ANCHOR = re.compile(r"\{#([^}]+)\}")
OVER = re.compile(r"\s+over\s+(.*)")
WHEN = re.compile(r"(\s+)(?:(?:only|exactly) )?when\s")
NO_SENTENCE = "#>|<-"  # headings, remarks, tables, comments, rules
WIDTH, HIGH = 120, 3  # columns of a line, lines of a condition


@dataclass(frozen=True, slots=True)
class Figures:
    """What is counted of a chapter, or of several. cross: of `over`, those that stand in another chapter; high: conditions
    of more than three lines; wide: lines of norms of more than 120 columns."""

    sentences: int = 0
    norms: int = 0
    over: int = 0
    cross: int = 0
    high: int = 0
    wide: int = 0

    @property
    def share(self) -> Fraction:
        """Norms for each sentence."""
        return Fraction(self.norms, max(1, self.sentences))


@dataclass(frozen=True, slots=True)
class Target:
    """A figure's name, how it is called, and the most that it should be."""

    name: str
    title: str
    most: Fraction


TARGETS = (
    Target("share", "norms a sentence", Fraction(5, 2)),
    Target("over", "names in over", Fraction(40)),
    Target("cross", "of them in another chapter", Fraction(0)),
    Target("high", f"conditions over {HIGH} lines", Fraction(0)),
    Target("wide", f"lines of norms over {WIDTH} columns", Fraction(0)),
    Target("unused", "classes that nothing uses", Fraction(15)),
)


def of_chapter(text: str) -> Figures:
    """The figures of one chapter's text."""
    sections = set(ANCHOR.findall(text))
    blocks = [block.splitlines() for block in BLOCK.findall(text)]
    lines = [line for block in blocks for line in block]
    names = [name for line in lines for name in beaten(line)]
    prose = FENCED.sub("", FRONT.sub("", text))
    return Figures(
        sentences=sum(1 for line in prose.splitlines() if line.strip() and line[0] not in NO_SENTENCE),
        norms=sum(1 for line in lines if line and not line[0].isspace() and line[0] != "#" and " " not in line),
        over=len(names),
        cross=sum(name.split("/")[0] not in sections for name in names),
        high=sum(height > HIGH for block in blocks for height in heights(block)),
        wide=sum(len(line) > WIDTH for line in lines),
    )


def beaten(line: str) -> list[str]:
    """The names behind `over` on a line."""
    found = OVER.match(line)
    return [name for part in found[1].split(",") if (name := part.strip())] if found else []


def heights(block: Iterable[str]) -> Iterator[int]:
    """How many lines each condition behind `when` takes: its own, and those indented deeper below it."""
    height, indent = 0, 0
    for line in block:
        bare = line.split("#")[0].rstrip()
        depth = len(bare) - len(bare.lstrip())
        if not bare:
            continue
        if height and depth > indent:
            height += 1
            continue
        if height:
            yield height
        found = WHEN.match(bare + " ")
        height, indent = (1, depth) if found else (0, 0)
    if height:
        yield height


def total(figures: Iterable[Figures]) -> Figures:
    """The figures of several chapters together."""
    rows = list(figures)
    return Figures(**{f.name: sum(getattr(row, f.name) for row in rows) for f in fields(Figures)})


def table(chapters: Mapping[str, Figures], unused: Mapping[str, int]) -> list[list[str]]:
    """Chapters beside each other under a head, then all of them, then the targets. unused: by the head of a row, the
    classes that nothing uses."""
    head = ["", "sentences", "norms", *(t.title for t in TARGETS)]
    rows = {**chapters, "all": total(chapters.values())}
    body = [
        [name, str(row.sentences), str(row.norms), *(cell(t, row, unused.get(name)) for t in TARGETS)]
        for name, row in rows.items()
    ]
    return [head, *body, ["at most", "", "", *(number(t.most) for t in TARGETS)]]


def cell(target: Target, row: Figures, unused: int | None) -> str:
    """One figure of a row; nothing where it is not counted there."""
    value = unused if target.name == "unused" else getattr(row, target.name)
    return "" if value is None else number(value)


def number(value: int | Fraction) -> str:
    """A whole number as it is, any other with one place behind the point, rounded up: what misses a target looks it."""
    if value == int(value):
        return str(int(value))
    tenths = -(-value.numerator * 10 // value.denominator)
    return f"{tenths // 10}.{tenths % 10}"


def missed(row: Figures, unused: int) -> list[str]:
    """What is over its target, in words."""
    values = {t: Fraction(unused if t.name == "unused" else getattr(row, t.name)) for t in TARGETS}
    return [f"{t.title}: {number(v)}, at most {number(t.most)}" for t, v in values.items() if v > t.most]
