"""Reads the scope of a chapter, in its front matter: how far the chapter decides each term, and with which other rules.

    scope:
      wholly: [TERM, {TERM: CONDITION}, {of: [TERM, …], by: RULE, says: why}]
      partly: [{of: […], with: [RULE, …], those: what they decide, suits: [STATE, …], bars: [RULE, …]}]
      names:  [{of: […], with: [RULE, …]}]
      left:   [{of: [{TERM: CONDITION}, …], by: RULE, with: [RULE, …], those: what they say}]

Names are looked up later; see kb.rulebook.linker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from kb.errors import Place, did_you_mean
from kb.language import norms as m
from kb.language.parser import Fault, condition
from kb.yaml_document import listed

JOINED = re.compile(r"[\w-]")  # what makes what stands beside it part of one word
KINDS = (m.WHOLLY, m.PARTLY, m.NAMES, m.LEFT)
KEYS = {
    m.WHOLLY: ("of", "by", "says"),
    m.PARTLY: ("of", "with", "those", "suits", "bars"),
    m.NAMES: ("of", "with", "those"),
    m.LEFT: ("of", "by", "with", "those"),
}


class Chapter(Protocol):
    """What is needed of the reader of the chapter: its lines, and where faults go."""

    file: str
    lines: list[str]

    def problem(self, code: int, message: str, line: int, column: int = 1, hint: str = "") -> None:
        """Takes a fault."""


class ScopeReader:
    """The scope in a front matter that ends before a line."""

    def __init__(self, chapter: Chapter, end: int):
        self.chapter = chapter
        first = next((i for i, line in enumerate(chapter.lines[:end]) if line.startswith("scope:")), 0)
        self.first, self.end, self.now, self.column = first, end, first + 1, 1

    def read(self, data: Any) -> tuple[m.ScopeRow, ...]:
        """The rows of a scope; every fault of it is told to the chapter."""
        if data is None:
            return ()
        if not isinstance(data, Mapping):
            self.fault(138, "scope is a mapping", f"keys: {', '.join(KINDS)}")
            return ()
        found: list[m.ScopeRow] = []
        for kind, rows in data.items():
            self.now = self.first + 1
            self.seek(f"{kind}:")
            if kind not in KINDS:
                self.fault(138, f"unknown key “{kind}” of a scope", did_you_mean(str(kind), KINDS, "keys:"))
                continue
            for row in rows if isinstance(rows, list) else [rows] if rows else []:
                found += self.row(kind, row)
        return tuple(found)

    def row(self, kind: str, row: Any) -> Iterator[m.ScopeRow]:
        """The rows that one entry stands for: one for each of its terms."""
        if not (isinstance(row, Mapping) and "of" in row):
            row = {"of": [row]}
        for key in row.keys() - set(KEYS[kind]):
            self.seek(f"{key}:")
            self.fault(138, f"“{key}” says nothing of what is decided {kind}", f"keys: {', '.join(KEYS[kind])}")
        refs = listed(row.get("with"))
        if kind == m.PARTLY and not refs:
            self.fault(138, "what is decided partly names the rules that decide with it", "with: [RULE, …]")
        if kind == m.LEFT and not (refs and row.get("by")):
            self.fault(
                138, "what is left to other rules names them, and the rule that leaves it", "by: RULE, with: [RULE, …]"
            )
        terms = row["of"] if isinstance(row["of"], list) else [row["of"]]
        for term in terms:
            name, text = (next(iter(term.items()))) if isinstance(term, Mapping) and len(term) == 1 else (term, None)
            if not isinstance(name, str) or not isinstance(text, (str, type(None))):
                self.fault(138, f"“{term}” is no term to be decided", "a term, or {term: condition}")
                continue
            self.seek(name)
            if kind == m.LEFT and text is None:
                self.fault(138, f"“{name}” is left to other rules where something is so", "{term: condition}")
            place = Place(self.chapter.file, self.now, 1, "scope")
            yield m.ScopeRow(
                kind, name, self.condition(text), refs, str(row.get("those", "")), listed(row.get("suits")),
                listed(row.get("bars")), str(row.get("by", "")), " ".join(str(row.get("says", "")).split()), place,
            )  # fmt: skip

    def condition(self, text: str | None) -> m.Condition | None:
        """A condition as written; a fault of the chapter where it does not read."""
        if text is None:
            return None
        try:
            return condition(text)
        except Fault as e:
            self.fault(139, f"“{text}” is no condition: {e.message}", e.hint)
            return None

    def seek(self, word: str) -> None:
        """Goes on to the next line that has a word."""
        bare = word.rstrip(":")
        for number in range(self.now, self.end + 1):
            line = self.chapter.lines[number - 1]
            start = line.find(bare)
            while start >= 0:
                end = start + len(bare)
                if not (JOINED.match(line[max(start - 1, 0) : start]) or JOINED.match(line[end : end + 1])):
                    self.now, self.column = number, start + 1
                    return
                start = line.find(bare, start + 1)

    def fault(self, code: int, message: str, hint: str) -> None:
        """Tells the chapter of a fault at the word last gone to."""
        self.chapter.problem(code, message, max(self.now, 1), self.column, hint)
