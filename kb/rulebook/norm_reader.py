"""Reads the norms and definitions of one block of a chapter: an id or a definition at the left margin, clauses under an id.

The language is described in docs/rule-language.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, Protocol

from msgspec.structs import replace

from kb.errors import Place, did_you_mean
from kb.language import norms as m
from kb.language.parser import DEONTIC, HEADS, SPAN, Fault, HeadParser, Parser, Token, instead, opposite, terms, tokens
from kb.rulebook.norm_forms import Alternative, Written
from kb.rulebook.overrides import against

REFS = re.compile(r"\[([^\[\]]*)\]\s*$")
LISTS = ("over", "lifts", "cites", "needs")
TEXTS = ("excepts", "reading")
POLES = ("only", "exactly")
SEVERAL = ("either", "or", "unless")
CLAUSES = ("when", "only when", "exactly when", *SEVERAL, *LISTS, *TEXTS, "until")
DEFINE = "define"
MODES = set(DEONTIC)


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
    """The norms and definitions of one block."""

    def __init__(self, reader: Chapter, rule: str):
        self.reader, self.rule = reader, rule
        self.definitions: list[m.Definition] = []

    def read(self, start: int, end: int, encoded: tuple[int, ...]) -> list[m.Norm]:
        """The norms of the lines from start to end; what they define is in `definitions` then.

        encoded: the numbers of the sentences that they encode.
        """
        norms: list[m.Norm] = []
        for first, lines in self.split(start, end):
            text = self.text([first])
            try:
                if text.split()[0] == DEFINE:
                    self.define([first, *lines])
                    continue
                if text.split("/")[0] != self.rule:
                    hint = f"write {self.rule} or {self.rule}/label"
                    self.reader.problem(130, f"norm {text} stands in section {self.rule}", first + 1, 1, hint)
                norms += self.norms(text, first, self.clauses(lines), encoded)
            except Fault as e:
                self.reader.problem(131, e.message, e.token.line, e.token.column, e.hint)
        return norms

    # ── lines ──

    def split(self, start: int, end: int) -> Iterator[tuple[int, list[int]]]:
        """What stands at the left margin, and the lines under it, by their indexes."""
        now: tuple[int, list[int]] | None = None
        for i in range(start, end):
            text = self.bare(i)
            if not text.strip():
                continue
            if text[0] != " ":
                if now:
                    yield now
                now = i, []
            elif now is None:
                hint = "put the id above, without indentation"
                self.reader.problem(132, "a norm begins with its id at the left margin", i + 1, hint=hint)
            else:
                now[1].append(i)
        if now:
            yield now

    def clauses(self, lines: Iterable[int]) -> list[list[int]]:
        """The lines of each clause: one indented deeper goes on with the clause above."""
        found: list[list[int]] = []
        indent = 0
        for i in lines:
            text = self.bare(i)
            depth = len(text) - len(text.lstrip())
            indent = indent or depth
            if depth > indent and found:
                found[-1].append(i)
            else:
                found.append([i])
        return found

    def bare(self, i: int) -> str:
        """A line without its comment."""
        return self.reader.lines[i].split("#")[0].rstrip()

    def text(self, lines: Iterable[int], skip: int = 0) -> str:
        """Some lines as one text, without the first characters of it."""
        return " ".join(self.bare(i).strip() for i in lines)[skip:].strip()

    def tokens(self, lines: list[int], skip: int) -> list[Token]:
        """Tokens of a clause that runs over `lines`, leaving out the first `skip` characters of its text."""
        found: list[Token] = []
        for n, i in enumerate(lines):
            text = self.bare(i)
            begin = len(text) - len(text.lstrip())
            if n == 0:
                begin += skip
            found += tokens(text[begin:], i + 1, begin + 1)
        return found

    # ── clauses ──

    def norms(self, norm_id: str, line: int, clauses: list[list[int]], encoded: tuple[int, ...]) -> tuple[m.Norm, ...]:
        """What is written under an id; nothing, with faults, where it cannot be read."""
        place = Place(self.reader.file, line + 1, 1, self.reader.heading)
        book, authority = self.reader.book, self.reader.authority
        nothing = m.Deontic(m.PERMITS, "")  # a head takes its place
        norm = m.Norm(norm_id, self.rule, nothing, sentences=encoded, place=place, book=book, authority=authority)
        written = Written(norm)
        bound = {"this"}
        seen: set[str] = set()
        # `when` first, heads last: the names that a condition binds may stand in the head above it.
        for lines in sorted(clauses, key=lambda c: self.order(self.bare(c[0]).split()[0])):
            word = self.bare(lines[0]).split()[0]
            column = self.reader.lines[lines[0]].index(word) + 1
            if word in seen and word not in (*HEADS, *SEVERAL):
                self.reader.problem(133, f"a second “{word}”", lines[0] + 1, column, "join conditions with “and”")
            seen.add(word)
            try:
                self.clause(word, lines, written, bound, column)
            except Fault as e:
                self.reader.problem(131, e.message, e.token.line, e.token.column, e.hint)
        if not written.said:
            if not seen & set(HEADS):
                self.reader.problem(136, f"{norm_id} has no head", line + 1, 1, f"one of {', '.join(HEADS)}")
            return ()
        heads = [head for said in written.said for head in said.heads]
        if any(both_ways(a, b) for a, b in combinations(heads, 2)):
            self.reader.problem(
                134, f"{norm_id} says both ways of one thing", line + 1, 1, "give each a norm of its own"
            )
        if (written.test or any(s.test for s in written.said)) and not self.has_poles(written):
            return ()
        return written.norms()

    @staticmethod
    def order(word: str) -> int:
        """When a clause is read: names are bound in `when`, then in what tests it."""
        return 0 if word == "when" else 1 if word in POLES else 2 if word not in HEADS else 3

    def clause(self, word: str, lines: list[int], written: Written, bound: set[str], column: int) -> None:
        """Takes one clause. Raises Fault."""
        norm = written.norm
        if word in HEADS:
            parser = HeadParser(self.tokens(lines, 0), bound)
            written.said.append(parser.head())
            parser.finish()
        elif word == "when":
            written.norm = replace(norm, when=self.condition(lines, "when", bound))
        elif word in POLES:
            clause = f"{word} when"
            if not self.text(lines).startswith(clause):
                raise Fault(self.tokens(lines, 0)[0], f"expected “{clause}”")
            written.test = self.condition(lines, clause, bound)
        elif word in ("either", "or"):
            label, condition, cites = self.labelled(lines, word, bound)
            place = replace(norm.place, line=lines[0] + 1)
            written.alternatives.append(Alternative(label, condition, cites, place))
        elif word == "unless":
            label, condition, cites = self.labelled(lines, word, bound)
            if not label:
                hint = "unless label: CONDITION"
                self.reader.problem(137, "an exception has a label", lines[0] + 1, 1, hint)
            place = Place(self.reader.file, lines[0] + 1, 1, self.reader.heading)
            written.norm = replace(norm, unless=(*norm.unless, m.Unless(label, condition, cites, place)))
        elif word in LISTS:
            names = tuple(t.strip() for t in self.text(lines, len(word)).split(",") if t.strip())
            change: dict[str, Any] = {word: names}
            if word == "lifts":
                change["over"] = (*norm.over, *names)
            elif word == "over":
                change["over"] = (*names, *norm.lifts)
            written.norm = replace(norm, **change)
        elif word in TEXTS:
            change = {word: self.text(lines, len(word))}
            written.norm = replace(norm, **change)
        elif word == "until":
            told = HeadParser(self.tokens(lines, len(word)), bound)
            endings: list[m.Ending] = []
            while not endings or told.take(","):
                nth = told.whole() if told.now.kind == "number" else 1
                event = told.name("a class of event")
                if told.now.kind == "name" and told.now.text != "of":
                    raise Fault(event, f"“{event.text}” stands before “{told.now.text}”", SPAN)
                endings.append(m.Ending(event.text, told.path() if told.take("of") else None, nth))
            told.finish()
            written.norm = replace(norm, until=(*norm.until, *endings))
        else:
            hint = instead(word) or did_you_mean(word, (*CLAUSES, *HEADS)) or f"clauses: {', '.join(CLAUSES)}"
            self.reader.problem(135, f"“{word}” begins no clause", lines[0] + 1, column, hint)

    def has_poles(self, written: Written) -> bool:
        """Whether what is written can say both when it applies and when it does not; a fault where it cannot."""
        heads = [head for said in written.said for head in said.heads if not said.test]
        bad = written.norm.unless or (written.test and any(opposite(head) is None for head in heads))
        if bad or (written.test and len(heads) < sum(len(s.heads) for s in written.said)):
            hint = "say it of permits, requires, counts or relates alone, and put exceptions into the condition"
            self.reader.problem(138, "this cannot say when it does not apply", written.norm.place.line, 1, hint)
        return not bad

    def condition(self, lines: list[int], word: str, bound: set[str]) -> m.Condition:
        """The condition on some lines behind a word. bound: names that are known there; what it names is added."""
        parser = Parser(self.tokens(lines, len(word)), bound)
        found = parser.condition()
        parser.finish()
        return found

    def labelled(self, lines: list[int], word: str, bound: set[str]) -> tuple[str, m.Condition, tuple[str, ...]]:
        """`[label:] CONDITION [refs]` behind a word: the label or nothing, the condition, the references."""
        found = self.tokens(lines, len(word))
        cites: tuple[str, ...] = ()
        if found and found[-1].text == "]":
            refs = REFS.search(self.bare(lines[-1]))
            if refs and "<" not in refs.group(1) and ">" not in refs.group(1):
                cites = tuple(r.strip() for r in refs.group(1).split(",") if r.strip())
                found = [t for t in found if (t.line, t.column) < (lines[-1] + 1, refs.start() + 1)]
        label = ""
        if len(found) > 1 and found[1].text == ":":
            label, found = found[0].text, found[2:]
        parser = Parser(found, set(bound))
        condition = parser.condition()
        parser.finish()
        return label, condition, cites

    def define(self, lines: list[int]) -> None:
        """`define Name(x): CONDITION` or `define name(x) = EXPRESSION`. Raises Fault."""
        parser = Parser(self.tokens(lines, len(DEFINE)))
        name = parser.name("the word that is defined")
        params: list[str] = []
        if parser.take("("):
            params.append(parser.name("a parameter").text)
            while parser.take(","):
                params.append(parser.name("a parameter").text)
            parser.need(")", " to close the parameters")
        parser.bound |= set(params)
        body: m.Condition | m.Expr
        if name.text[0].isupper():
            parser.need(":", " and a condition (a number that is defined begins with a small letter)")
            body = parser.condition()
        else:
            parser.need("=", " and an expression (a condition that is defined begins with a capital)")
            body = parser.expression()
        parser.finish()
        place = Place(self.reader.file, lines[0] + 1, 1, self.reader.heading)
        self.definitions.append(m.Definition(name.text, tuple(params), body, self.rule, place))


def both_ways(a: m.Head, b: m.Head) -> bool:
    """Whether two heads of one norm contradict each other."""
    alike = set(terms(a)) - MODES == set(terms(b)) - MODES
    to = [head.to for head in (a, b) if isinstance(head, m.Relates)]
    return alike and against(a, b) and to[:1] == to[1:]


def encoded_labels(norms: Iterable[m.Norm], definitions: Iterable[m.Definition] = ()) -> Counter[str]:
    """How often each exception label is encoded: once where what is written under one id says several norms."""
    written: dict[str, Counter[str]] = {}
    for norm in norms:
        under = norm.part_of or norm.id
        written[under] = written.get(under, Counter()) | Counter(labels(norm))
    found = sum(written.values(), Counter[str]())
    for d in definitions:
        found.update(except_labels(d.body))
    return found


def labels(norm: m.Norm) -> Iterator[str]:
    """Every exception label that a norm encodes."""
    for unless in norm.unless:
        yield unless.label
        yield from except_labels(unless.condition)
    yield from except_labels(norm.when)
    if norm.excepts:
        yield norm.excepts


def except_labels(c: m.Condition | m.Expr) -> list[str]:
    """The labels of `except` in a condition, from the outside in."""
    found: list[str] = []
    stack: list[m.Condition | m.Expr] = [c]
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
