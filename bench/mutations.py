"""Mutants of the rulebooks: every change of a kind that can be made of a chapter's file, and some drawn of them with a seed.

drawn(7, seed=20) -> list[Mutant]
written(mutant, folder)             the change made in a copy of the book
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb import resources

SEED, EACH = 20, 7
BLOCK = re.compile(r"^```norms\n(.*?)^```", re.S | re.M)
# How the numbers of the rules begin that a reference can be held against.
LOADED = {
    "asl": ("A7.", "B30.", "BRT6."),
    "vv": ("20.",),
    "fow": ("Gapping", "Bunkers", "Shooting", "Assaulting", "Barbed", "Entrench", "Anti", "Demolition", "Flame"),
}
OPPOSITE = {"forbids": "permits", "permits": "forbids", "requires": "forbids", "waives": "requires"}


@dataclass(frozen=True)
class Mutant:
    """One change. line: where, from 1; old, new: the lines before and after, one or several; rule: of the norm that it is made to;
    context: that norm."""

    kind: str
    book: str
    chapter: str
    line: int
    old: str
    new: str
    rule: str
    context: str = ""


@dataclass(frozen=True)
class Norm:
    """A norm as it is written: its id, the lines of its block, and the number of the first."""

    id: str
    lines: tuple[str, ...]
    at: int

    @property
    def rule(self) -> str:
        """The rule that it stands under."""
        return self.id.partition("/")[0]


def norms_in(text: str) -> Iterator[Norm]:
    """The norms of a chapter as they are written."""
    for block in BLOCK.finditer(text):
        at = text[: block.start(1)].count("\n") + 1
        now: list[str] = []
        start = at
        for n, line in enumerate([*block[1].splitlines(), ""]):
            if (line and not line.startswith((" ", "#", "define"))) or n == len(block[1].splitlines()):
                if now and not now[0].startswith(("define", "#")):
                    yield Norm(now[0].strip(), tuple(now), start)
                now, start = [], at + n
            if line:
                now.append(line)


def changes(book: str, file: Path) -> Iterator[Mutant]:
    """Every mutant that can be made of a chapter."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()

    def made(kind: str, norm: Norm, n: int, new: str) -> Mutant:
        return Mutant(kind, book, file.stem, norm.at + n, lines[norm.at + n - 1], new, norm.rule, " ".join(norm.lines))

    for norm in norms_in(text):
        said = [line.split() for line in norm.lines]
        for n, (line, words) in enumerate(zip(norm.lines, said, strict=True)):
            alone = n + 1 == len(norm.lines) or len(norm.lines[n + 1]) - len(norm.lines[n + 1].lstrip()) == 2
            if not (words and alone and line.startswith("  ") and line[2] != " "):
                continue
            word = words[0]
            if word == "unless":
                yield made("an exception dropped", norm, n, "")
                if " and " in line and "(" not in line:
                    yield made("an exception widened", norm, n, line.split(" and ")[0])
            if word in OPPOSITE and "only when" not in line:
                yield made("a modality swapped", norm, n, line.replace(word, OPPOSITE[word], 1))
                if len(norm.lines) > n + 1 and word in ("permits", "forbids"):
                    contrary = "\n".join(
                        [
                            line,
                            *norm.lines[n + 1 :],
                            f"{norm.id.split('/')[0]}/contrary",
                            line.replace(word, OPPOSITE[word], 1),
                            *(x for x in norm.lines[n + 1 :] if x.split()[0] in ("when", "either", "or", "and")),
                        ]
                    )
                    if all(
                        x.split()[0] in ("when", "either", "or", "and", "cites", "needs") for x in norm.lines[n + 1 :]
                    ):
                        yield Mutant(
                            "a contradicting norm added",
                            book,
                            file.stem,
                            norm.at + n,
                            "\n".join(norm.lines[n:]),
                            contrary,
                            norm.rule,
                        )
            if word in ("cites", "needs", "over", "lifts") and words[-1].startswith(LOADED[book]):
                yield made("a reference broken", norm, n, re.sub(r"(\d)(?=\D*$)", r"\g<1>97", line))
            if word == "when" and " and " in line and "(" not in line and " or " not in line:
                yield made("a condition widened", norm, n, line.rsplit(" and ", 1)[0])
                yield made(
                    "a condition narrowed to its contrary",
                    norm,
                    n,
                    "{} and not {}".format(*line.rsplit(" and ", 1))
                    if " not " not in line
                    else line.replace(" not ", " ", 1),
                )
            if word == "counts" and " as " in line:
                yield made(
                    "a modality swapped",
                    norm,
                    n,
                    line.replace(" as not ", " as ") if " as not " in line else line.replace(" as ", " as not ", 1),
                )
            if word in ("sets", "adds", "limits") and (number := re.search(r"\bto (\d+)\b", line)):
                yield made("a number changed", norm, n, line.replace(f"to {number[1]}", f"to {int(number[1]) + 1}", 1))
        if len(norm.lines) > 1:
            yield Mutant("a norm struck", book, file.stem, norm.at, "\n".join(norm.lines), "", norm.rule)
    for n, line in enumerate(lines[: lines.index("---", 1)], 1):
        if row := re.match(r"    - \{of: \[(\w+)\], with: \[[^\]]*\], those: [^}]*\}$", line):
            wide = f"    - {{of: [{row[1]}], with: []}}"
            yield Mutant("a scope overstated", book, file.stem, n, line, wide, row[1])


def written(mutant: Mutant, folder: Path) -> None:
    """Writes a mutant into a copy of its book. A scope is overstated by declaring wholly decided what is decided with other rules."""
    file = folder / f"{mutant.chapter}.md"
    lines = file.read_text(encoding="utf-8").split("\n")
    if mutant.kind == "a scope overstated":
        lines[mutant.line - 1 : mutant.line] = []
        lines.insert(lines.index("  wholly:") + 1, f"    - {{of: [{mutant.rule}], by: {by_of(mutant.book)}}}")
    else:
        size = mutant.old.count("\n") + 1
        assert lines[mutant.line - 1 : mutant.line - 1 + size] == mutant.old.split("\n"), mutant
        lines[mutant.line - 1 : mutant.line - 1 + size] = mutant.new.split("\n") if mutant.new else []
    file.write_text("\n".join(lines), encoding="utf-8")


def by_of(book: str) -> str:
    """A rule of a book by which silence bars."""
    return {"asl": "A.2", "vv": "20.2", "fow": "GappingObstacles.2"}[book]


def drawn(each: int = EACH, seed: int = SEED) -> list[Mutant]:
    """The mutants: so many of each kind, spread over the chapters."""
    by_kind: dict[str, dict[str, list[Mutant]]] = {}
    for book in ("asl", "vv", "fow"):
        for file in sorted(resources.book(book).glob("*.md")):
            if file.stem != "NOTES":
                for mutant in changes(book, file):
                    by_kind.setdefault(mutant.kind, {}).setdefault(file.stem, []).append(mutant)
    dice, found = random.Random(seed), list[Mutant]()
    for kind in sorted(by_kind):
        pools = [dice.sample(rows, len(rows)) for _, rows in sorted(by_kind[kind].items())]
        dice.shuffle(pools)
        taken: list[Mutant] = []
        while len(taken) < each and any(pools):
            taken += [pool.pop() for pool in pools if pool][: each - len(taken)]
        found += taken
    return found
