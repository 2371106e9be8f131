"""Reads a rulebook folder: chapter Markdown and policy.yaml in, kb.model out. Many problems are reported at once.

The language is described in docs/rule-language.md. Names are not looked up here; see kb.link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from kb import files, model as m, numbers
from kb.errors import Problem, RulebookError, did_you_mean
from kb.source import Place
from kb.syntax import HEADS, Fault, Parser, Token, tokens

HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*(?:\{#([^}]+)\})?\s*$")
NOT_ENCODED = re.compile(r"^>\s*not encoded\s*\((\w+)\)\s*([\w-]+)?\s*:\s*(.+)$")
CASE_LINE = re.compile(r"^>\s*case:\s*(.+)$")
MARK = re.compile(r"\[(?:EXC|BUT)\s+([\w-]+)\s*:|[\[\]]")  # a bracket, with its label where it has one
REFS = re.compile(r"\[([^\[\]]*)\]\s*$")
KINDS = ("note", "pointer", "umpire", "procedure")
CLAUSES = ("when", "unless", "over", "cites", "needs", "excepts", "reading", "until")
POLICY_KEYS = {"book", "title", "namespaces", "authorities", "principles", "closed", "presumed"}
PRINCIPLES = ("explicit", "authority", "specificity", "prohibition", "higher-number", "lower-number")


def book(folder: Path) -> m.Book:
    """Reads kb/rulebooks/<book>/: every chapter and the policy. Raises RulebookError with all problems found."""
    problems: list[Problem] = []
    policy = chapters = None
    try:
        policy, title, namespaces = policy_file(folder / "policy.yaml")
    except RulebookError as e:
        problems += e.problems
    chapters = []
    for path in sorted(folder.glob("*.md")):
        if path.name in ("NOTES.md", "README.md"):
            continue
        try:
            chapters.append(chapter(path))
        except RulebookError as e:
            problems += e.problems
    if not chapters and not problems:
        problems.append(Problem(101, f"{folder} has no chapters", hint="add a Markdown file with a front matter"))
    if problems or policy is None:
        raise RulebookError(problems)
    return m.Book(policy.book, title, tuple(chapters), policy, namespaces)


def policy_file(path: Path) -> tuple[m.Policy, str, tuple[str, ...]]:
    """The policy, the book's title and its namespaces."""
    place = Place(str(path), 1)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RulebookError(Problem(102, f"{path} is missing", hint="every book has a policy.yaml")) from None
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise RulebookError(
            Problem(103, f"{path.name} is not YAML: {e}", place, "check the indentation, the brackets and the colons")
        ) from None
    problems = []
    if not isinstance(data, dict):
        raise RulebookError(Problem(103, f"{path.name} is not a mapping", place, "begin with book: ID"))
    for key in ("book", "closed", "presumed", "principles"):
        wanted = {"book": str, "principles": list}.get(key, dict)
        if not isinstance(data.get(key) or (None if key == "book" else wanted()), wanted):
            said = {str: "a name", list: "a list", dict: "a mapping"}[wanted]
            problems.append(
                Problem(106, f"“{key}” in {path.name} is {said}", place, "see docs/new-rulebook.md for a policy")
            )
    if problems:
        raise RulebookError(problems)
    for key in data.keys() - POLICY_KEYS:
        problems.append(
            Problem(104, f"unknown key “{key}”", place, did_you_mean(str(key), sorted(POLICY_KEYS), "keys:"))
        )
    principles = []
    for row in data.get("principles") or ():
        name = str(row.get("name", "") if isinstance(row, dict) else row)
        if name not in PRINCIPLES:
            hint = did_you_mean(name, PRINCIPLES, "one of")
            problems.append(Problem(105, f"“{name}” is no principle the reasoner knows", place, hint))
        else:
            given = row if isinstance(row, dict) else {}
            principles.append(m.Principle(name, str(given.get("cite", "")), str(given.get("says", ""))))
    if problems:
        raise RulebookError(problems)
    closed = data.get("closed") or {}
    policy = m.Policy(
        book=str(data["book"]),
        principles=tuple(principles),
        closed=listed(closed.get("acts")),
        closed_cite=str(closed.get("cite", "")),
        closed_says=str(closed.get("says", "")),
        presumed={str(k): str(v) for k, v in (data.get("presumed") or {}).items()},
        authorities=listed(data.get("authorities")),
    )
    return policy, str(data.get("title", policy.book)), listed(data.get("namespaces"))


def chapter(path: Path) -> m.Chapter:
    """Reads one chapter file. Raises RulebookError with every problem found."""
    return ChapterReader(str(path), files.read_text(path, 118, RulebookError)).read()


def listed(value: Any) -> tuple[str, ...]:
    """A list of names; a single name stands for a list of one."""
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),) if value else ()


class ChapterReader:
    """One pass over the lines of a chapter; `heading` is the heading path for errors."""

    def __init__(self, file: str, text: str):
        self.file = file
        self.lines = text.splitlines()
        self.problems: list[Problem] = []
        self.heading = ""

    def problem(self, code: int, message: str, line: int, column: int = 1, hint: str = "") -> None:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        self.problems.append(Problem(code, message, Place(self.file, line, column, self.heading), hint, text))

    def read(self) -> m.Chapter:
        front, start = self.front_matter()
        self.book, self.authority = str(front.get("book", "")), str(front.get("authority", "chapter"))
        sections, tables = self.body(start)
        if self.problems:
            raise RulebookError(self.problems)
        return m.Chapter(
            book=self.book,
            id=str(front["chapter"]),
            title=str(front["title"]),
            authority=self.authority,
            edition=str(front.get("edition", "")),
            builds_on=listed(front.get("builds-on")),
            sections=tuple(sections),
            tables=tuple(tables),
            file=self.file,
            aliases=listed(front.get("aliases")),
        )

    def front_matter(self) -> tuple[dict[str, Any], int]:
        if not self.lines or self.lines[0].strip() != "---":
            self.problem(
                110,
                "a chapter begins with a front matter between two lines of ---",
                1,
                hint="---, then book, chapter, title, authority and edition, then ---",
            )
            return {}, 0
        end = next((i for i, ln in enumerate(self.lines[1:], 1) if ln.strip() == "---"), 0)
        try:
            data = yaml.safe_load("\n".join(self.lines[1:end])) or {}
        except yaml.YAMLError as e:
            self.problem(
                111, f"the front matter is not YAML: {e}", 1, hint="check the indentation, the brackets and the colons"
            )
            return {}, end + 1
        if not isinstance(data, dict):
            self.problem(111, "the front matter is not a mapping", 1, hint="a line such as book: ID for each key")
            return {}, end + 1
        known = {"book", "chapter", "title", "authority", "edition", "builds-on", "aliases"}
        for key in ("book", "chapter", "title"):
            if key not in data:
                self.problem(112, f"the front matter lacks “{key}”", 1, hint=f"add {key}: …")
        for key in data.keys() - known:
            self.problem(
                113, f"unknown front matter key “{key}”", 1, hint=did_you_mean(str(key), sorted(known), "keys:")
            )
        return data, end + 1

    def body(self, start: int) -> tuple[list[m.Section], list[m.Table]]:
        sections: list[m.Section] = []
        tables: list[m.Table] = []
        now: SectionReader | None = None
        i = start
        while i < len(self.lines):
            line, number = self.lines[i], i + 1
            text = line.strip()
            i += 1
            if match := HEADING.match(line):
                if now:
                    sections.append(now.done())
                title, anchor = match.group(2), match.group(3)
                if not (anchor or title):
                    self.problem(114, "a heading without a number", number, hint="## NUMBER Title {#NUMBER}")
                rule = anchor or title.partition(" ")[0]
                if any(s.rule == rule for s in sections):
                    self.problem(
                        128,
                        f"rule {rule} has two headings",
                        number,
                        hint="give each rule one heading and a number of its own",
                    )
                self.heading = title
                now = SectionReader(self, rule, title.removeprefix(rule).strip(), number)
            elif not text or text.startswith("<!--"):
                continue
            elif now is None:
                self.problem(
                    114, "text before the first heading", number, hint="start a section: ## NUMBER Title {#NUMBER}"
                )
            elif text == "```norms":
                end = next((j for j in range(i, len(self.lines)) if self.lines[j].strip() == "```"), len(self.lines))
                if end == len(self.lines):
                    self.problem(115, "this norms block is never closed", number, hint="end it with ```")
                now.block(i, end)
                i = end + 1
            elif text.startswith("Table:"):
                table, i = self.table(text[6:].strip(), now.rule, i, number)
                if any(t.name == table.name for t in tables):
                    self.problem(
                        119, f"two tables are called “{table.name}”", number, hint="give one of them another name"
                    )
                tables.append(table)
            elif text.startswith(">"):
                now.remark(text, number)
            else:
                now.sentence(text, number)
        if now:
            sections.append(now.done())
        return sections, tables

    def table(self, name: str, rule: str, i: int, number: int) -> tuple[m.Table, int]:
        rows: list[list[str]] = []
        places: list[int] = []
        while i < len(self.lines) and (
            (not self.lines[i].strip() and not rows) or self.lines[i].lstrip().startswith("|")
        ):
            if self.lines[i].strip():
                rows.append([c.strip() for c in self.lines[i].strip().strip("|").split("|")])
                places.append(i + 1)
            i += 1
        if len(rows) < 3:
            self.problem(116, f"table “{name}” has no rows", number, hint="a Markdown table follows “Table: name”")
            return m.Table(name, rule, (), ()), i
        columns = tuple(rows[0])
        for offset, row in enumerate(rows[2:], 2):
            if len(row) != len(columns):
                self.problem(
                    117,
                    f"this row has {len(row)} cells, the head {len(columns)}",
                    places[offset],
                    hint="one cell for each column",
                )
        cells = tuple(tuple(map(cell, row)) for row in rows[2:])
        return m.Table(name, rule, columns, cells, Place(self.file, number, 1, self.heading)), i


def cell(text: str) -> Fraction | str:
    """A table cell: a number ("2 1/2", "+3", "0.5", "2½") or the text as it stands."""
    found = numbers.number(text)
    return text if found is None else found


class SectionReader:
    """Sentences, remarks and norms of one section; knows which sentences the next block or remark stands for."""

    def __init__(self, reader: ChapterReader, rule: str, title: str, line: int):
        self.reader, self.rule, self.title = reader, rule, title
        self.place = Place(reader.file, line, 1, reader.heading)
        self.sentences: list[m.Sentence] = []
        self.norms: list[m.Norm] = []
        self.waiting: list[int] = []

    def sentence(self, text: str, line: int) -> None:
        number = len(self.sentences) + 1
        example = text.startswith("EX:")
        self.sentences.append(
            m.Sentence(
                number,
                text,
                tuple(exceptions(text)),
                "",
                example,
                (),
                Place(self.reader.file, line, 1, self.reader.heading),
            )
        )
        self.waiting.append(number)

    def mark(self, **changes: Any) -> None:
        for number in self.waiting:
            old = self.sentences[number - 1]
            fields = {f: getattr(old, f) for f in old.__slots__}
            self.sentences[number - 1] = m.Sentence(**{**fields, **changes})
        self.waiting = []

    def remark(self, text: str, line: int) -> None:
        if match := NOT_ENCODED.match(text):
            kind, label, reason = match.groups()
            if kind not in KINDS:
                hint = f"one of {', '.join(KINDS)}"
                self.reader.problem(120, f"“{kind}” is no reason to leave a sentence out", line, 1, hint)
            if label:
                # Closes one bracketed exception that only points elsewhere, not the sentence it stands in.
                self.closed = [*getattr(self, "closed", []), label]
                self.strip_exception(label, line)
            else:
                self.mark(not_encoded=f"{kind}: {reason}")
        elif match := CASE_LINE.match(text):
            cases = tuple(c.strip() for c in match.group(1).split(","))
            if not self.waiting or not all(self.sentences[n - 1].example for n in self.waiting):
                self.reader.problem(
                    121, "“> case:” stands under no example", line, hint="an example's sentences begin EX:"
                )
            self.mark(cases=cases, example=True)
        else:
            hint = "> not encoded (note|pointer|umpire|procedure): reason, or > case: path"
            self.reader.problem(122, "this remark is not understood", line, hint=hint)

    def strip_exception(self, label: str, line: int) -> None:
        for s in reversed(self.sentences):
            if any(e.label == label for e in s.exceptions):
                fields = {f: getattr(s, f) for f in s.__slots__}
                fields["exceptions"] = tuple(e for e in s.exceptions if e.label != label)
                self.sentences[s.number - 1] = m.Sentence(**fields)
                return
        self.reader.problem(
            123, f"no bracket [EXC {label}: …] stands above", line, hint="use the label of a bracket of this section"
        )

    def block(self, start: int, end: int) -> None:
        encoded = tuple(self.waiting)
        for norm in NormReader(self.reader, self.rule).read(start, end, encoded):
            if any(norm.id == n.id for n in self.norms):
                self.reader.problem(
                    124, f"{norm.id} is used twice", norm.place.line, hint="give each norm a label: RULE/label"
                )
            self.norms.append(norm)
        self.waiting = []

    def done(self) -> m.Section:
        for number in self.waiting:
            s = self.sentences[number - 1]
            hint = "put a norms block under it, or a line > not encoded (kind): reason"
            self.reader.problem(125, "this sentence is not encoded and does not say why", s.place.line, 1, hint)
        self.round_trip()
        return m.Section(self.rule, self.title, tuple(self.sentences), tuple(self.norms), self.place)

    def round_trip(self) -> None:
        """Each labelled bracket is encoded exactly once, and each labelled exception has its bracket."""
        encoded: dict[str, int] = {}
        told = [(norm, label) for norm in self.norms for label in labels(norm)]
        for _, label in told:
            encoded[label] = encoded.get(label, 0) + 1
        written = {e.label: s for s in self.sentences for e in s.exceptions}
        for label, s in written.items():
            if encoded.get(label, 0) != 1 and not s.not_encoded:
                n = encoded.get(label, 0)
                hint = f"write unless {label}: …, except {label} (…) or excepts {label} once in {self.rule}"
                self.reader.problem(126, f"exception “{label}” is encoded {n} times", s.place.line, 1, hint)
        for norm, label in told:
            if label and label not in written:
                hint = f"write [EXC {label}: …] or [BUT {label}: …] in the sentence"
                self.reader.problem(127, f"exception “{label}” stands in no sentence", norm.place.line, 1, hint)


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


def exceptions(text: str) -> Iterator[m.Exc]:
    """The bracketed exceptions of a sentence, outermost first; brackets may nest."""
    stack: list[tuple[str, int]] = []
    found: list[tuple[int, m.Exc]] = []
    for match in MARK.finditer(text):
        if match[0] != "]":
            stack.append((match[1] or "", match.end()))
        elif stack:
            label, begin = stack.pop()
            if label:
                parent = next((lb for lb, _ in reversed(stack) if lb), "")
                found.append((begin, m.Exc(label, text[begin : match.start()].strip(), parent)))
    return iter(e for _, e in sorted(found, key=lambda f: f[0]))


class NormReader:
    """The norms of one block: an id at the left margin, then clauses."""

    def __init__(self, reader: ChapterReader, rule: str):
        self.reader, self.rule = reader, rule

    def read(self, start: int, end: int, encoded: tuple[int, ...]) -> list[m.Norm]:
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
