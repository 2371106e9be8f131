"""Reads the norms of one block of a chapter: an id at the left margin, then clauses; and the labels that norms encode.

The language is described in docs/rule-language.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from kb.errors import Place, did_you_mean
from kb.language import norms as m
from kb.language.parser import HEADS, Fault, Parser, Token, tokens

REFS = re.compile(r"\[([^\[\]]*)\]\s*$")
CLAUSES = ("when", "unless", "over", "cites", "needs", "excepts", "reading", "until")


class Chapter(Protocol):
    """What is needed of the reader of the chapter: what it is, its lines, and where faults go."""

    book: str
    authority: str
    file: str
    heading: str
    lines: list[str]

    def problem(self, code: int, message: str, line: int, column: int = 1, hint: str = "") -> None:
        """Takes a fault."""


class NormReader:
    """The norms of one block: an id at the left margin, then clauses."""

    def __init__(self, reader: Chapter, rule: str):
        self.reader, self.rule = reader, rule

    def read(self, start: int, end: int, encoded: tuple[int, ...]) -> list[m.Norm]:
        """The norms of the lines from start to end. encoded: the numbers of the sentences that they encode."""
        norms = []
        for head_line, clauses in self.split(start, end):
            norm_id = self.reader.lines[head_line].split("#")[0].strip()
            if norm_id.split("/")[0] != self.rule:
                hint = f"write {self.rule} or {self.rule}/label"
                self.reader.problem(130, f"norm {norm_id} stands in section {self.rule}", head_line + 1, 1, hint)
            try:
                norm = self.norm(norm_id, head_line, clauses, encoded)
                if norm:
                    norms.append(norm)
            except Fault as e:
                self.reader.problem(131, e.message, e.token.line, e.token.column, e.hint)
        return norms

    def split(self, start: int, end: int) -> Iterator[tuple[int, list[list[int]]]]:
        """(line of the id, its clauses as lists of line indexes)."""
        now: tuple[int, list[list[int]]] | None = None
        indent = 0
        for i in range(start, end):
            text = self.reader.lines[i].split("#")[0].rstrip()
            if not text.strip():
                continue
            depth = len(text) - len(text.lstrip())
            if depth == 0:
                if now:
                    yield now
                now, indent = (i, []), 0
            elif now is None:
                self.reader.problem(
                    132,
                    "a norm begins with its id at the left margin",
                    i + 1,
                    hint="put the id above, without indentation",
                )
            elif indent and depth > indent and now[1]:
                now[1][-1].append(i)
            else:
                indent = indent or depth
                now[1].append([i])
        if now:
            yield now

    def norm(self, norm_id: str, head_line: int, clauses: list[list[int]], encoded: tuple[int, ...]) -> m.Norm | None:
        """One norm of its clauses; None, with faults, where it cannot be read."""
        head: m.Head | None = None
        when: m.Condition = m.Anything()
        unless: list[m.Unless] = []
        lists: dict[str, tuple[str, ...]] = {}
        texts: dict[str, str] = {}
        bound = {"this"}
        seen: set[str] = set()
        # `when` first: the names that it binds may stand in the head above it.
        for lines in sorted(clauses, key=lambda c: self.reader.lines[c[0]].split()[0] != "when"):
            word = self.reader.lines[lines[0]].split()[0]
            line = lines[0] + 1
            column = self.reader.lines[lines[0]].index(word) + 1
            try:
                if word in seen and word != "unless":
                    self.reader.problem(133, f"a second “{word}”", line, column, "join conditions with “and”")
                seen.add(word)
                if word in HEADS:
                    if head is not None:
                        self.reader.problem(134, "a norm has one head", line, column, "start another norm")
                    parser = Parser(self.tokens(lines, 0), bound)
                    head = parser.head()
                    parser.finish()
                elif word == "when":
                    when = self.condition(lines, bound)
                elif word == "unless":
                    unless.append(self.exception(lines, bound))
                elif word in ("over", "cites", "needs"):
                    text = " ".join(self.reader.lines[i].split("#")[0].strip() for i in lines)[len(word) :]
                    lists[word] = tuple(t.strip() for t in text.split(",") if t.strip())
                elif word in ("excepts", "reading", "until"):
                    texts[word] = " ".join(self.reader.lines[i].split("#")[0].strip() for i in lines)[
                        len(word) :
                    ].strip()
                else:
                    hint = did_you_mean(word, (*CLAUSES, *HEADS)) or f"clauses: {', '.join(CLAUSES)}"
                    self.reader.problem(135, f"“{word}” begins no clause", line, column, hint)
            except Fault as e:
                self.reader.problem(131, e.message, e.token.line, e.token.column, e.hint)
        if head is None:
            if not seen & set(HEADS):
                self.reader.problem(136, f"{norm_id} has no head", head_line + 1, 1, f"one of {', '.join(HEADS)}")
            return None
        return m.Norm(
            id=norm_id, rule=self.rule, head=head, when=when, unless=tuple(unless),
            over=lists.get("over", ()), cites=lists.get("cites", ()), needs=lists.get("needs", ()),
            excepts=texts.get("excepts", ""), reading=texts.get("reading", ""), until=texts.get("until", ""),
            sentences=encoded, place=Place(self.reader.file, head_line + 1, 1, self.reader.heading),
            book=self.reader.book, authority=self.reader.authority,
        )  # fmt: skip

    def tokens(self, lines: list[int], skip: int) -> list[Token]:
        """Tokens of a clause that runs over `lines`, leaving out the first `skip` characters of its text."""
        found: list[Token] = []
        for n, i in enumerate(lines):
            text = self.reader.lines[i].split("#")[0].rstrip()
            begin = len(text) - len(text.lstrip())
            if n == 0:
                begin += skip
            found += tokens(text[begin:], i + 1, begin + 1)
        return found

    def condition(self, lines: list[int], bound: set[str]) -> m.Condition:
        """The condition on some lines behind `when`. bound: names that are known there; what it names is added."""
        parser = Parser(self.tokens(lines, len("when")), bound)
        found = parser.condition()
        parser.finish()
        return found

    def exception(self, lines: list[int], bound: set[str]) -> m.Unless:
        """`unless label: CONDITION [refs]`."""
        found = self.tokens(lines, len("unless"))
        cites: tuple[str, ...] = ()
        if found and found[-1].text == "]":
            text = self.reader.lines[lines[-1]].split("#")[0]
            refs = REFS.search(text)
            if refs and "<" not in refs.group(1) and ">" not in refs.group(1):
                cites = tuple(r.strip() for r in refs.group(1).split(",") if r.strip())
                found = [t for t in found if (t.line, t.column) < (lines[-1] + 1, refs.start() + 1)]
        label = ""
        if len(found) > 1 and found[1].text == ":":
            label, found = found[0].text, found[2:]
        place = Place(self.reader.file, lines[0] + 1, 1, self.reader.heading)
        if not label:
            self.reader.problem(137, "an exception has a label", lines[0] + 1, 1, "unless label: CONDITION")
        parser = Parser(found, set(bound))
        condition = parser.condition()
        parser.finish()
        return m.Unless(label, condition, cites, place)


def labels(norm: m.Norm) -> Iterator[str]:
    """Every exception label that a norm encodes."""
    for unless in norm.unless:
        yield unless.label
        yield from except_labels(unless.condition)
    yield from except_labels(norm.when)
    if norm.excepts:
        yield norm.excepts


def except_labels(c: m.Condition) -> list[str]:
    """The labels of `except` in a condition, from the outside in."""
    found: list[str] = []
    stack = [c]
    while stack:
        match stack.pop():
            case m.Named():  # most of them
                pass
            case m.And(parts) | m.Or(parts):
                stack += reversed(parts)
            case m.Some(_, filler) | m.Only(_, filler) | m.Count(_, _, _, filler) | m.Of(_, filler):
                stack.append(filler)
            case m.Not(of) | m.Bind(of, _):
                stack.append(of)
            case m.Except(base, carve, label):
                if label:
                    found.append(label)
                stack += (carve, base)
    return found
