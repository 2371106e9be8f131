"""Lines to blocks: headings, paragraphs, and what is neither. kb.texts.layout says what a heading looks like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kb.texts.layout import (
    BARE,
    BULLET,
    CHROME,
    CONTINUED,
    COPYRIGHT,
    EXAMPLE,
    HANGING,
    HASHES,
    HEADING,
    LINE,
    MAX_TITLE,
    NUMBER,
    PAGE_MARK,
    PARAGRAPH,
    PICTURE,
    QUOTE,
    RULE_LINE,
    RUN_IN_TITLE,
    SMALL,
    TITLE_NOTE,
    TURN,
    Block,
    Blocks,
    strip,
    successors,
    title_of,
    unbold,
)
from kb.texts.model import Finding, Leftover, Span
from kb.texts.run_in import Settler


def read(text: str, prefix: str, aliases: tuple[str, ...] = ()) -> Blocks:
    """The blocks of a text in order. `prefix`: the letters that begin its rule numbers; `aliases`: others that do."""
    return BlockReader(text, {"", prefix, *aliases}).read()


def lines(text: str) -> Iterator[Span]:
    """(start, end) of each line, without its line end."""
    for m in LINE.finditer(text):
        if m.start() == len(text):
            return
        end = m.end()
        if text[end - 1] in "\n\f":
            end -= 1
        yield m.start(), end


LONGEST_HEADING = 300  # characters; a longer line with hashes is a text that lost its line ends
RULE_ROW = re.compile(r"(?:\*\*)?[A-Z]{0,4}\d+(?:\.\d+)+\S*(?:\s+\S+){4}")


def furniture(text: str) -> set[str]:
    """Lines, digits masked, that stand at the head or foot of many pages."""
    if "\f" not in text:
        return set()
    seen: Counter[str] = Counter()
    pages = text.split("\f")
    for page in pages:
        rows = [r.strip() for r in page.split("\n") if r.strip()]
        edge = {
            masked(r) for r in rows[:2] + rows[-2:] if len(r) <= 80 and r[-1] not in ".!?" and not RULE_ROW.match(r)
        }
        seen.update(edge)
    return {row for row, n in seen.items() if n >= max(2 if "#" in row else 3, len(pages) // 4)}


def masked(row: str) -> str:
    """A line with its numbers made alike, for page heads differ in nothing else."""
    return re.sub(r"\d+", "#", row)


class BlockReader:
    """One pass over the lines. `open` is the paragraph that the next line may continue."""

    def __init__(self, text: str, letters: set[str]):
        self.text, self.letters = text, letters
        self.out = Blocks()
        self.open: Block | None = None
        self.gap = True  # a blank line, page head or heading stands just above
        self.parted = False  # a page head or the like does
        self.seen: set[str] = set()
        self.last = ""
        self.repeated = furniture(text)

    def read(self) -> Blocks:
        """The blocks of the text, read line by line."""
        for start, end in lines(self.text):
            a, b = strip(self.text, start, end)
            if a == b:
                self.blank()
            else:
                self.line(a, b)
        self.out.blocks = Settler(self.text, self.letters, self.seen, self.out).settle()
        return self.out

    def blank(self) -> None:
        """Takes a blank line: what follows may begin a new paragraph."""
        self.gap = True

    def leave(self, kind: str, a: int, b: int) -> None:
        """Counts a line as a leftover; the paragraph above stays open, for it may go on below."""
        self.out.leftovers.append(Leftover(kind, a, b))
        self.out.findings.append(Finding(kind, a, self.text[a : min(b, a + 80)]))
        self.gap = self.parted = True

    def line(self, a: int, b: int) -> None:
        """Takes a line without the white space around it: leftover, heading or body. a, b: where it begins and ends."""
        text = self.text
        short = text[a:b] if b - a <= 400 else ""
        if short:
            if short.casefold().strip(" .:»>|") in CHROME:
                return self.leave("website chrome", a, b)
            if COPYRIGHT.fullmatch(short):
                return self.leave("copyright line", a, b)
            if RULE_LINE.fullmatch(short):
                return self.leave("rule line", a, b)
            if PICTURE.fullmatch(short):
                return self.leave("picture", a, b)
            if TURN.fullmatch(short):
                return self.leave("turn-over mark", a, b)
            if self.repeated and masked(short) in self.repeated:
                return self.leave("page head", a, b)
            if BARE.fullmatch(short):
                self.out.blocks.append(Block(HEADING, [(a, b)], number=short, bare=True))
                self.gap = self.parted = True
                return None
        if m := QUOTE.match(text, a, b):
            self.out.leftovers.append(Leftover("markup", a, m.end()))
            a = m.end()
            if a == b:
                return None
        if m := HASHES.match(text, a, b):
            if b - a <= LONGEST_HEADING:
                return self.hashed(a, m.end(), b, len(m.group(1)))
            self.out.leftovers.append(Leftover("markup", a, m.end()))
            return self.begin(m.end(), b)
        if self.may_begin() and self.number_line(a, a, b, 0):
            return None
        if (
            short
            and self.gap
            and PAGE_MARK.search(short)
            and short[0].isupper()
            and short[-1] == ")"
            and len(short.split()) <= MAX_TITLE
        ):
            return self.name(a, a, b, 3)
        if (m := BULLET.match(text, a, b)) and (self.gap or not self.open or self.open.bullet or text[a] != "-"):
            self.out.leftovers.append(Leftover("bullet", a, m.end()))
            return self.begin(m.end(), b, bullet=True)
        return self.body(a, b)

    def may_begin(self) -> bool:
        """Whether a heading may stand here: after a gap, or after a paragraph that has ended."""
        return self.gap or self.open is None or self.text[self.open.spans[-1][1] - 1] in '.!?:)]"”'

    def hashed(self, a: int, at: int, b: int, level: int) -> None:
        """Takes a line after `level` marks of a heading, which end at `at`."""
        inner, end = unbold(self.text, at, b)
        if not self.number_line(a, at, b, level):
            if not self.text[inner:end].strip():
                return self.leave("empty heading", a, b)
            self.name(a, inner, b, level)
        return None

    def name(self, a: int, inner: int, b: int, level: int) -> None:
        """A heading without a number."""
        title = self.text[inner:b].strip().rstrip("#").strip().strip("*_").strip()
        page = ""
        if m := PAGE_MARK.search(title):
            page, title = m.group(1), title[: m.start()].strip("*_ ")
        title = CONTINUED.sub("", title)
        notes: tuple[str, ...] = ()
        if m := TITLE_NOTE.search(title):
            notes, title = (m.group(1),), title[: m.start()]
        self.push(Block(HEADING, [(a, b)], "", title, page, level, named=True, notes=notes))

    def push(self, block: Block) -> None:
        """Adds a block on which nothing may go on."""
        self.out.blocks.append(block)
        self.open, self.gap, self.parted = None, True, False

    def number_line(self, a: int, at: int, b: int, level: int) -> bool:
        """Reads a numbered heading at `at`, and the paragraph run in after it. False when it is none."""
        m = NUMBER.match(self.text, at, b)
        if not m or (m.group("letters") not in self.letters and not (self.letters == {""} and "." in m.group("num"))):
            return False
        number = m.group("letters") + m.group("num")
        body = m.end()
        dotted = "." in m.group("num")
        if body >= b:
            return False
        first = self.text[body]
        rest = self.text[body : min(b, body + 200)]
        if RUN_IN_TITLE.match(rest) and (found := title_of(rest)):
            title, note, length = found
            self.heading(number, title, (a, body + length), level, note)
            if strip(self.text, body + length, b)[0] < b:
                self.begin(*strip(self.text, body + length, b))
            return True
        if b - body <= 120 and (level or self.title_line(rest)):
            plain = rest.strip().rstrip("#").strip("*_ ")
            mark = TITLE_NOTE.search(plain)
            if mark:
                plain = plain[: mark.start()]
            page = PAGE_MARK.search(plain)
            self.heading(
                number,
                PAGE_MARK.sub("", plain),
                (a, b),
                level,
                mark.group(1) if mark else "",
                page.group(1) if page else "",
            )
            return True
        if (
            not dotted
            or not (first.isupper() or first in "\"“[('*_⅝½" or first.isdigit())
            or not self.plausible(number, self.gap)
        ):
            return False
        self.heading(number, "", (a, body), level)
        self.begin(body, b)
        return True

    def title_line(self, rest: str) -> bool:
        """Whether what follows a number on its line is a title: short, capitalised, no full stop."""
        words = rest.strip("*_ ").split()
        if not words or len(words) > MAX_TITLE or rest.rstrip("*_ ")[-1] in ".;,:!?":
            return False
        if re.match(r"(?:MF|MP|FP|mm|cm)\b", words[0]):
            return False
        return all(w[0].isupper() or w in SMALL or not w[0].isalpha() for w in words) and any(
            w[0].isupper() for w in words
        )

    def plausible(self, number: str, gap: bool) -> bool:
        """Whether a number may head a section: after a gap any new one, inside a run of lines only a successor."""
        return number not in self.seen if gap else number in successors(self.last)

    def heading(self, number: str, title: str, span: Span, level: int, note: str = "", page: str = "") -> None:
        """Adds a rule's heading and remembers its number."""
        self.seen.add(number)
        self.last = number
        self.push(Block(HEADING, [span], number, title.strip("*_ "), page, level, notes=(note,) if note else ()))

    def begin(self, a: int, b: int, bullet: bool = False) -> None:
        """Begins a paragraph."""
        example = bool(EXAMPLE.match(self.text, a, b))
        self.open = Block(PARAGRAPH, [(a, b)], bullet=bullet, example=example)
        self.out.blocks.append(self.open)
        self.gap = self.parted = False

    def body(self, a: int, b: int) -> None:
        """Takes a line of body text: it goes on with the paragraph above, or begins one."""
        now = self.open
        if now is None or EXAMPLE.match(self.text, a, b):
            return self.begin(a, b)
        if self.gap and not self.goes_on(now, a):
            return self.begin(a, b)
        last = now.spans[-1]
        if self.parted or self.text[last[1] : a].strip():
            now.spans.append((a, b))
            if self.gap:
                self.out.findings.append(
                    Finding("sentence goes on", a, self.text[a : min(b, a + 40)], "after a break in mid-sentence")
                )
        else:
            now.spans[-1] = (last[0], b)
        self.gap = self.parted = False
        return None

    def goes_on(self, now: Block, a: int) -> bool:
        """Whether the paragraph above, cut off by a gap, goes on at `a`."""
        begin, end = now.spans[-1]
        tail = self.text[max(begin, end - 24) : end].rstrip("*_ ")
        if tail[-1:] in ".!?:" or tail[-2:] in ('."', ".)", ".]", ".”"):
            return False
        words = re.findall(r"[A-Za-z]+", tail)
        hanging = tail[-1:] in ",-" or bool(words and words[-1] in HANGING and words[-1].islower())
        return self.parted or self.text[a].islower() or hanging
