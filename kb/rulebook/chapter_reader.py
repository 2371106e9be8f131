"""Reads one chapter, a Markdown file: its front matter, sections with sentences, remarks and norms, and tables.

The language is described in docs/rule-language.md. Every fault of the file is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Generic, TypeVar

import yaml
from msgspec.structs import replace

from kb import numbers, yaml_document
from kb.errors import Place, Problem, RulebookError, did_you_mean
from kb.language import norms as m
from kb.markdown import Fence, Heading, Rows, blocks, front
from kb.rulebook.norm_reader import NormReader, encoded_labels as encoded_labels, labels as labels
from kb.rulebook.scope_reader import ScopeReader
from kb.yaml_document import listed

NOT_ENCODED = re.compile(r"^>\s*not encoded\s*\((\w+)\)\s*([\w-]+)?\s*:\s*(.+)$")
CASE_LINE = re.compile(r"^>\s*case:\s*(.+)$")
# a bracket, with its label where it has one, and the rules that it restricts
MARK = re.compile(r"\[(?:EXC|BUT|YET)\s+([\w-]+)(?:\s+to\s+([^:\[\]]+))?\s*:|[\[\]]")
Rest = TypeVar("Rest")
KINDS = ("note", "pointer", "umpire", "procedure")


class Unread(RulebookError, Generic[Rest]):
    """A chapter or a book that does not read; `rest` is what of it does, in which further faults may be found."""

    def __init__(self, problems: Iterable[Problem], rest: Rest):
        super().__init__(problems)
        self.rest = rest


class ChapterReader:
    """One pass over the lines of a chapter; `heading` is the heading path for errors."""

    def __init__(self, file: str, text: str):
        self.file = file
        self.lines = text.splitlines()
        self.problems: list[Problem] = []
        self.heading = ""

    def problem(self, code: int, message: str, line: int, column: int = 1, hint: str = "") -> None:
        """Adds a fault with the line it stands on. line: from 1."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        self.problems.append(Problem(code, message, Place(self.file, line, column, self.heading), hint, text))

    def read(self) -> m.Chapter:
        """The chapter. Raises Unread with all its faults."""
        matter, start = self.front_matter()
        self.book, self.authority = str(matter.get("book", "")), str(matter.get("authority", "chapter"))
        scope = ScopeReader(self, start).read(matter.get("scope"))
        sections, tables = self.body(start)
        chapter = m.Chapter(
            book=self.book,
            id=str(matter.get("chapter", "")),
            title=str(matter.get("title", "")),
            authority=self.authority,
            edition=str(matter.get("edition", "")),
            builds_on=listed(matter.get("builds-on")),
            sections=tuple(sections),
            tables=tuple(tables),
            file=self.file,
            aliases=listed(matter.get("aliases")),
            scope=scope,
        )
        if self.problems:
            raise Unread(self.problems, chapter)
        return chapter

    def front_matter(self) -> tuple[dict[str, Any], int]:
        """The front matter, and the index of the line behind it."""
        end = front(self.lines)
        if end is None:
            self.problem(
                110,
                "a chapter begins with a front matter between two lines of ---",
                1,
                hint="---, then book, chapter, title, authority and edition, then ---",
            )
            return {}, 0
        try:
            data = yaml_document.values("\n".join(self.lines[1:end])) or {}
        except yaml.YAMLError as e:
            self.problem(
                111, f"the front matter is not YAML: {e}", 1, hint="check the indentation, the brackets and the colons"
            )
            return {}, end + 1
        if not isinstance(data, dict):
            self.problem(111, "the front matter is not a mapping", 1, hint="a line such as book: ID for each key")
            return {}, end + 1
        known = {"book", "chapter", "title", "authority", "edition", "builds-on", "aliases", "scope"}
        for key in ("book", "chapter", "title"):
            if key not in data:
                self.problem(112, f"the front matter lacks “{key}”", 1, hint=f"add {key}: …")
        for key in data.keys() - known:
            self.problem(
                113, f"unknown front matter key “{key}”", 1, hint=did_you_mean(str(key), sorted(known), "keys:")
            )
        return data, end + 1

    def body(self, start: int) -> tuple[list[m.Section], list[m.Table]]:
        """The sections and tables from a line on."""
        sections: list[m.Section] = []
        tables: list[m.Table] = []
        now: SectionReader | None = None
        for block in blocks(self.lines, start):
            if isinstance(block, Heading):
                if now:
                    sections.append(now.done())
                now = self.section(block, [s.rule for s in sections])
            elif now is None:
                hint = "start a section: ## NUMBER Title {#NUMBER}"
                self.problem(114, "text before the first heading", block.line, hint=hint)
            elif isinstance(block, Fence):
                if block.kind != "norms":
                    hint = "```norms, the norms of the sentences above, ```"
                    self.problem(115, f"a block of a chapter is no “{block.kind}”", block.line, hint=hint)
                    continue
                if not block.closed:
                    self.problem(115, "this norms block is never closed", block.line, hint="end it with ```")
                now.block(block.start, block.end)
            elif isinstance(block, Rows):
                if any(t.name == block.name for t in tables):
                    hint = "give one of them another name"
                    self.problem(119, f"two tables are called “{block.name}”", block.line, hint=hint)
                tables.append(self.table(block, now.rule))
            elif block.text.startswith(">"):
                now.remark(block.text, block.line)
            else:
                now.sentence(block.text, block.line)
        if now:
            sections.append(now.done())
        return sections, tables

    def section(self, block: Heading, before: list[str]) -> SectionReader:
        """The section that a heading begins. before: the rules that have one already."""
        title = block.title
        if not (block.anchor or title):
            self.problem(114, "a heading without a number", block.line, hint="## NUMBER Title {#NUMBER}")
        rule = block.anchor or title.partition(" ")[0]
        if rule in before:
            hint = "give each rule one heading and a number of its own"
            self.problem(128, f"rule {rule} has two headings", block.line, hint=hint)
        self.heading = title
        return SectionReader(self, rule, title.removeprefix(rule).strip(), block.line)

    def table(self, block: Rows, rule: str) -> m.Table:
        """The table that some rows make: a head, the line under it, and what it holds."""
        if len(block.rows) < 3:
            hint = "a Markdown table follows “Table: name”"
            self.problem(116, f"table “{block.name}” has no rows", block.line, hint=hint)
            return m.Table(block.name, rule, (), ())
        (_, columns), _, *rows = block.rows
        for line, row in rows:
            if len(row) != len(columns):
                message = f"this row has {len(row)} cells, the head {len(columns)}"
                self.problem(117, message, line, hint="one cell for each column")
        cells = tuple(tuple(map(cell, row)) for _, row in rows)
        return m.Table(block.name, rule, columns, cells, Place(self.file, block.line, 1, self.heading))


def cell(text: str) -> Fraction | str:
    """A table cell: a number ("2 1/2", "+3", "0.5", "2½") or the text as it stands."""
    found = numbers.number(text)
    return text if found is None else found


class SectionReader:
    """Sentences, remarks and norms of one section; knows which sentences the next block or remark stands for."""

    def __init__(self, reader: ChapterReader, rule: str, title: str, line: int, *, part: bool = False):
        self.part = part
        self.reader, self.rule, self.title = reader, rule, title
        self.place = Place(reader.file, line, 1, reader.heading)
        self.sentences: list[m.Sentence] = []
        self.norms: list[m.Norm] = []
        self.definitions: list[m.Definition] = []
        self.waiting: list[int] = []
        self.encoded: tuple[int, ...] = ()  # by the block right above

    def sentence(self, text: str, line: int) -> None:
        """Takes a sentence; it waits for what encodes it, or says why nothing does."""
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
        """Marks the sentences that wait, and lets them go."""
        for number in self.waiting:
            self.sentences[number - 1] = replace(self.sentences[number - 1], **changes)
        self.waiting = []

    def remark(self, text: str, line: int) -> None:
        """Takes a line that begins with `>`: why a sentence is not encoded, or what else there is to say of it."""
        self.encoded = ()
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
        """Takes an exception off the sentence that has it, by its label; a fault where none has."""
        for s in reversed(self.sentences):
            if any(e.label == label for e in s.exceptions):
                left = tuple(e for e in s.exceptions if e.label != label)
                self.sentences[s.number - 1] = replace(s, exceptions=left)
                return
        self.reader.problem(
            123, f"no bracket [EXC {label}: …] stands above", line, hint="use the label of a bracket of this section"
        )

    def block(self, start: int, end: int) -> None:
        """Takes a norms block, which encodes the sentences that wait; right under another block, those of that one."""
        encoded = tuple(self.waiting) or self.encoded
        if not encoded and not self.part:  # a part of a record encodes sentences of the rule that it changes
            hint = "write the sentence that it encodes above it, or put its norms into the block above"
            self.reader.problem(140, "these norms stand under no sentence of their own", start, 1, hint)
        reader = NormReader(self.reader, self.rule)
        for norm in reader.read(start, end, encoded):
            if any(norm.id == n.id for n in self.norms):
                self.reader.problem(
                    124, f"{norm.id} is used twice", norm.place.line, hint="give each norm a label: RULE/label"
                )
            self.norms.append(norm)
        self.definitions += reader.definitions
        self.waiting, self.encoded = [], encoded

    def done(self) -> m.Section:
        """The section; a fault for each sentence that is neither encoded nor explained."""
        for number in self.waiting:
            s = self.sentences[number - 1]
            hint = "put a norms block under it, or a line > not encoded (kind): reason"
            self.reader.problem(125, "this sentence is not encoded and does not say why", s.place.line, 1, hint)
        self.round_trip()
        return m.Section(
            self.rule, self.title, tuple(self.sentences), tuple(self.norms), self.place, tuple(self.definitions)
        )

    def round_trip(self) -> None:
        """Each labelled bracket is encoded exactly once, and each labelled exception has its bracket."""
        told = [(norm, label) for norm in self.norms for label in labels(norm)]
        encoded = encoded_labels(self.norms, self.definitions)
        written = {e.label: s for s in self.sentences for e in s.exceptions}
        for label, s in written.items():
            if (n := encoded[label]) != 1 and not s.not_encoded:
                hint = f"write unless {label}: …, except {label} (…) or excepts {label} once in {self.rule}"
                self.reader.problem(126, f"exception “{label}” is encoded {n} times", s.place.line, 1, hint)
        for norm, label in told:
            if label and label not in written:
                hint = f"write [EXC {label}: …] or [BUT {label}: …] in the sentence"
                self.reader.problem(127, f"exception “{label}” stands in no sentence", norm.place.line, 1, hint)


def exceptions(text: str) -> Iterator[m.Exc]:
    """The bracketed exceptions of a sentence, outermost first; brackets may nest."""
    stack: list[tuple[str, tuple[str, ...], int]] = []
    found: list[tuple[int, m.Exc]] = []
    for match in MARK.finditer(text):
        if match[0] != "]":
            to = tuple(rule.strip() for rule in (match[2] or "").split(",") if rule.strip())
            stack.append((match[1] or "", to, match.end()))
        elif stack:
            label, to, begin = stack.pop()
            if label:
                parent = next((lb for lb, _, _ in reversed(stack) if lb), "")
                found.append((begin, m.Exc(label, text[begin : match.start()].strip(), parent, to)))
    return iter(e for _, e in sorted(found, key=lambda f: f[0]))
