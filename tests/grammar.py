"""The grammar that docs/rule-language.md gives, read from there: it tells whether words are a sentence, and makes sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from kb.language.tokens import WORDS, Token

DOCS = Path(__file__).parent.parent / "docs" / "rule-language.md"
PIECE = re.compile(r"'[^']+'|[A-Za-z]+|[()|?*+]")

Node = tuple[str, tuple["Node", ...]] | tuple[str, str]  # any of, all of, repeated at least 0 or 1, maybe, word, name


def rules() -> dict[str, Node]:
    """The productions, by name."""
    block = DOCS.read_text(encoding="utf-8").partition("```ebnf\n")[2].partition("```")[0]
    found = {}
    for part in re.split(r"\n(?=\w+\s*::=)", block.strip()):
        name, _, body = part.partition("::=")
        pieces = PIECE.findall(body)
        node, end = either(pieces, 0)
        assert end == len(pieces), f"{name}: what follows {pieces[:end]}?"
        found[name.strip()] = node
    return found


def either(pieces: Sequence[str], at: int) -> tuple[Node, int]:
    """Sequences with | between."""
    options: list[Node] = []
    while True:
        parts: list[Node] = []
        while at < len(pieces) and pieces[at] not in "|)":
            node, at = single(pieces, at)
            while at < len(pieces) and pieces[at] in "?*+":
                node, at = (pieces[at], (node,)), at + 1
            parts.append(node)
        options.append(("all", tuple(parts)))
        if at == len(pieces) or pieces[at] == ")":
            return ("any", tuple(options)), at
        at += 1


def single(pieces: Sequence[str], at: int) -> tuple[Node, int]:
    """A word, a name, or what stands in brackets."""
    piece = pieces[at]
    if piece == "(":
        node, at = either(pieces, at + 1)
        return node, at + 1
    return (("word", piece[1:-1]) if piece.startswith("'") else ("name", piece)), at + 1


class Grammar:
    """What the productions accept and make."""

    def __init__(self) -> None:
        self.rules = rules()
        self.sizes: dict[str, int] = {}

    def words(self) -> set[str]:
        """Every word that stands for itself."""
        found: set[str] = set()
        todo = list(self.rules.values())
        while todo:
            kind, of = todo.pop()
            if kind == "word":
                found.add(str(of))
            elif kind != "name":
                todo += of  # type: ignore[arg-type]
        return found

    def accepts(self, start: str, tokens: Sequence[Token]) -> bool:
        """Whether the words are a sentence from a production."""

        @cache
        def of_rule(name: str, at: int) -> frozenset[int]:
            return ends(self.rules[name], at)

        def ends(node: Node, at: int) -> frozenset[int]:
            kind, of = node
            now = tokens[at] if at < len(tokens) else Token("end", "", 0, 0)
            if kind == "word":
                return frozenset([at + 1] if now.text == of else [])
            if kind == "name" and of == "NAME":
                return frozenset([at + 1] if now.kind == "name" and now.text not in WORDS else [])
            if kind == "name" and of in ("CLASS", "QUANTITY"):
                fits = now.kind == "name" and now.text not in WORDS and now.text[0].isupper() == (of == "CLASS")
                return frozenset([at + 1] if fits else [])
            if kind == "name" and of == "NUMBER":
                return frozenset([at + 1] if now.kind == "number" else [])
            if kind == "name":
                return of_rule(str(of), at)
            parts: tuple[Node, ...] = of  # type: ignore[assignment]
            if kind == "any":
                return frozenset().union(*(ends(part, at) for part in parts))
            if kind == "all":
                found = frozenset([at])
                for part in parts:
                    found = frozenset().union(*(ends(part, i) for i in found))
                return found
            found = ends(parts[0], at) if kind == "+" else frozenset([at])
            new = found if kind != "?" else frozenset()
            if kind == "?":
                return found | ends(parts[0], at)
            while new:
                new = frozenset().union(*(ends(parts[0], i) for i in new)) - found
                found |= new
            return found

        return len(tokens) in of_rule(start, 0)

    def made(self, start: str, draw: random.Random, names: Callable[[], str], deep: int = 4) -> str:
        """A sentence from a production, at random; deeper than `deep` the first ways are taken that end soonest."""

        def say(node: Node, depth: int) -> str:
            kind, of = node
            if kind == "word":
                return str(of)
            if kind == "name":
                simple = {
                    "NAME": names,
                    "CLASS": lambda: "Near",
                    "QUANTITY": lambda: "load",
                    "NUMBER": lambda: str(draw.randint(1, 9)),
                    "REFS": lambda: "T1",
                    "ID": lambda: "K9.1",
                }
                return simple[str(of)]() if of in simple else say(self.rules[str(of)], depth + 1)
            parts: tuple[Node, ...] = of  # type: ignore[assignment]
            if kind == "any":
                ways = parts if depth <= deep else [min(parts, key=self.least)]
                return say(draw.choice(list(ways)), depth)
            if kind == "all":
                return " ".join(filter(None, (say(part, depth) for part in parts)))
            times = {"?": (0, 1), "*": (0, 2), "+": (1, 2)}[kind]
            n = times[0] if depth > deep else draw.randint(*times)
            return " ".join(filter(None, (say(parts[0], depth) for _ in range(n))))

        return say(self.rules[start], 0)

    def least(self, node: Node, seen: frozenset[str] = frozenset()) -> int:
        """How many words a part has at least."""
        kind, of = node
        if kind == "word" or of in ("NAME", "CLASS", "QUANTITY", "NUMBER", "REFS", "ID"):
            return 1
        if kind == "name":
            if of in seen:
                return 99
            if str(of) not in self.sizes or seen:
                size = self.least(self.rules[str(of)], seen | {str(of)})
                if seen:
                    return size
                self.sizes[str(of)] = size
            return self.sizes[str(of)]
        parts: tuple[Node, ...] = of  # type: ignore[assignment]
        sizes = [self.least(part, seen) for part in parts]
        return min(sizes) if kind == "any" else sum(sizes) if kind == "all" else sizes[0] if kind == "+" else 0
