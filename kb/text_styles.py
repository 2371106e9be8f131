"""Lines to blocks: headings of three styles of rulebook, paragraphs, and what is neither (page heads, chrome).

Decimal: `7.51 VEHICLES/ORDNANCE: text`, `30.12 text`, a title run in and in capitals.
Titled: `20.3 Movement and Occupying` on a line of its own.
Bulleted: `### Heading (P213)` and `- bullets`, which are numbered under their heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.passage import Finding, Leftover, Span

HEADING, PARAGRAPH = "heading", "paragraph"
LINE = re.compile(r"[^\n\f]*(?:\n|\f|\Z)")
HASHES = re.compile(r"(#{1,6})\s+")
BULLET = re.compile(r"(?:[-*•·▪◦‣–]|\\item)\s+(?=\S)")
QUOTE = re.compile(r"(?:>\s?)+")
NUMBER = re.compile(r"(?:\*\*|__)?(?P<letters>[A-Z]{0,4})(?P<num>\d{1,4}(?:\.\d{1,6}){0,5})(?P<dot>\.)?(?P<end>(?:\*\*|__)?[\s\xa0]+|(?:\*\*|__)?$)")
RUN_IN_TITLE = re.compile(r"(?P<title>[^:.!?\[\]\n]{1,80}?)\s?:(?P<note>\d{1,2}|[⁰¹²³⁴-⁹]{1,3})?(?P<bold>\*\*|__)?(?=\s|$)")
TITLE_NOTE = re.compile(r"(?<=[A-Za-z)])(\d{1,2}|[⁰¹²³⁴-⁹]{1,3}|\[\^\w{1,8}\]|[†‡*])$")
PAGE_MARK = re.compile(r"\s*\((?:[Pp]|pp?\.|page)\s?(\d{1,4})\)\s*$")
CONTINUED = re.compile(r"\s*\((?:continued|cont(?:'d|inued)?\.?)\)\s*$", re.I)
BARE = re.compile(r"(?:[A-Z]{1,4}\s+)?\d{1,4}(?:\.\d{1,6}){0,3}\.?(?:\s+[A-Z]{1,4})?|[A-Z]|(?:[Pp]age|PAGE|p\.)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|[-–—]\s*\d{1,4}\s*[-–—]")
TURN = re.compile(r"\(?\s*(?:also\s+)?(?:see|continued?|cont'd|turn|please turn)\b[^()\n]{0,50}\b(?:side|page|over|overleaf|column|reverse)\b[^()\n]{0,20}\)?\.?", re.I)
RULE_LINE = re.compile(r"(?:[-=_*~]\s?){3,}")
PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,300}\)|<!--.{0,300}?-->|<img\b[^>\n]{0,300}>")
CHROME = {
    "skip to content", "skip to main content", "skip to navigation", "menu", "search", "home", "log in", "login", "sign in", "register",
    "back to top", "table of contents", "contents", "toggle navigation", "share", "share this", "print", "print this page", "previous",
    "next", "next page", "previous page", "leave a comment", "privacy policy", "cookie policy", "accept cookies", "all rights reserved",
    "subscribe", "download", "download pdf", "edit this page", "powered by wordpress", "close", "facebook", "twitter", "navigation",
}  # fmt: skip
COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright)\b.{0,120}", re.I)
SMALL = {"of", "and", "the", "in", "to", "vs", "vs.", "for", "a", "an", "or", "at", "on", "with", "by", "from", "under"}
HANGING = {"the", "a", "an", "of", "to", "in", "or", "and", "by", "with", "for", "from", "at", "is", "are", "may", "must", "any", "its"}
MAX_TITLE = 10  # words
EXAMPLE = re.compile(r"(?:\*\*|__|\*)?(?:EX|Ex|Example|EXAMPLE)S?\s?:")


@dataclass(slots=True)
class Block:
    """A heading or a paragraph. A paragraph may be made of several stretches of the input."""

    kind: str
    spans: list[Span]
    number: str = ""
    title: str = ""
    page: str = ""
    level: int = 0
    named: bool = False
    bullet: bool = False
    example: bool = False
    notes: tuple[str, ...] = ()
    bare: bool = False


@dataclass(slots=True)
class Blocks:
    blocks: list[Block] = field(default_factory=list)
    leftovers: list[Leftover] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


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


def furniture(text: str) -> set[str]:
    """Lines, digits masked, that stand at the head or foot of many pages."""
    if "\f" not in text:
        return set()
    seen: Counter[str] = Counter()
    pages = text.split("\f")
    for page in pages:
        rows = [r.strip() for r in page.split("\n") if r.strip()]
        edge = {masked(r) for r in rows[:2] + rows[-2:] if len(r) <= 80 and not r.endswith((".", "!", "?"))}
        seen.update(edge)
    return {row for row, n in seen.items() if n >= max(3, len(pages) // 4)}


def masked(row: str) -> str:
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
        self.numbered = 0

    def read(self) -> Blocks:
        for start, end in lines(self.text):
            a, b = strip(self.text, start, end)
            if a == b:
                self.blank()
            else:
                self.line(a, b)
        self.out.blocks = [b for block in self.bare_numbers() for b in self.run_in(block)]
        return self.out

    def blank(self) -> None:
        self.gap = True

    def leave(self, kind: str, a: int, b: int) -> None:
        """Counts a line as a leftover; the paragraph above stays open, for it may go on below."""
        self.out.leftovers.append(Leftover(kind, a, b))
        self.out.findings.append(Finding(kind, a, self.text[a : min(b, a + 80)]))
        self.gap = self.parted = True

    def line(self, a: int, b: int) -> None:
        text = self.text
        short = text[a:b] if b - a <= 400 else ""
        if short:
            if short.casefold().strip(" .:»>|") in CHROME or COPYRIGHT.fullmatch(short):
                return self.leave("website chrome" if short[0] not in "©(cC" else "copyright line", a, b)
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
            return self.hashed(a, m.end(), b, len(m.group(1)))
        if self.may_begin(a, b) and self.number_line(a, a, b, 0):
            return None
        if short and self.gap and PAGE_MARK.search(short) and short[0].isupper() and short[-1] == ")" and len(short.split()) <= MAX_TITLE:
            return self.name(a, a, b, 3)
        if (m := BULLET.match(text, a, b)) and (self.gap or not self.open or self.open.bullet or text[a] != "-"):
            self.out.leftovers.append(Leftover("bullet", a, m.end()))
            return self.begin(m.end(), b, bullet=True)
        return self.body(a, b)

    def may_begin(self, a: int, b: int) -> bool:
        """Whether a heading may stand here: after a gap, or after a paragraph that has ended."""
        return self.gap or self.open is None or self.text[self.open.spans[-1][1] - 1] in ".!?:)]\"”"

    def hashed(self, a: int, at: int, b: int, level: int) -> None:
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
        self.out.blocks.append(block)
        self.open, self.gap, self.parted = None, True, False

    def number_line(self, a: int, at: int, b: int, level: int) -> bool:
        """Reads a numbered heading at `at`, and the paragraph run in after it. False when it is none."""
        m = NUMBER.match(self.text, at, b)
        if not m or m.group("letters") not in self.letters and not (self.letters == {""} and "." in m.group("num")):
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
        if b - body <= 120 and (level or self.title_line(rest, dotted)):
            plain = rest.strip().rstrip("#").strip("*_ ")
            note = TITLE_NOTE.search(plain)
            if note:
                plain = plain[: note.start()]
            page = PAGE_MARK.search(plain)
            self.heading(number, PAGE_MARK.sub("", plain), (a, b), level, note.group(1) if note else "", page.group(1) if page else "")
            return True
        if not dotted or not (first.isupper() or first in "\"“[('*_⅝½" or first.isdigit()) or not self.plausible(number, self.gap):
            return False
        self.heading(number, "", (a, body), level)
        self.begin(body, b)
        return True

    def title_line(self, rest: str, dotted: bool) -> bool:
        """Whether what follows a number on its line is a title: short, capitalised, no full stop."""
        words = rest.strip("*_ ").split()
        if not words or len(words) > MAX_TITLE or rest.rstrip("*_ ")[-1] in ".;,:!?":
            return False
        if re.match(r"(?:MF|MP|FP|mm|cm)\b", words[0]):
            return False
        return all(w[0].isupper() or w in SMALL or not w[0].isalpha() for w in words) and any(w[0].isupper() for w in words)

    def plausible(self, number: str, gap: bool) -> bool:
        """Whether a number may head a section here. After a gap any new one may; inside a run of lines only a successor."""
        return number not in self.seen if gap else number in successors(self.last)

    def heading(self, number: str, title: str, span: Span, level: int, note: str = "", page: str = "") -> None:
        self.seen.add(number)
        self.last = number
        self.push(Block(HEADING, [span], number, title.strip("*_ "), page, level, notes=(note,) if note else ()))

    def begin(self, a: int, b: int, bullet: bool = False) -> None:
        example = bool(EXAMPLE.match(self.text, a, b))
        self.open = Block(PARAGRAPH, [(a, b)], bullet=bullet, example=example)
        self.out.blocks.append(self.open)
        self.gap = self.parted = False

    def body(self, a: int, b: int) -> None:
        now = self.open
        if now is None or EXAMPLE.match(self.text, a, b):
            return self.begin(a, b)
        if self.gap and not self.goes_on(now, a):
            return self.begin(a, b)
        last = now.spans[-1]
        if self.parted or self.text[last[1] : a].strip():
            now.spans.append((a, b))
            if self.gap:
                self.out.findings.append(Finding("sentence goes on", a, self.text[a : min(b, a + 40)], "after a break in mid-sentence"))
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
        return self.text[a].islower() or hanging

    def bare_numbers(self) -> list[Block]:
        """Settles the lines that hold a number and nothing else: a section's number, or a page head."""
        out: list[Block] = []
        last = ""
        blocks = self.out.blocks
        for i, block in enumerate(blocks):
            if block.bare:
                number = block.number.rstrip(".")
                following = blocks[i + 1] if i + 1 < len(blocks) else None
                fits = bool(re.fullmatch(r"[A-Z]{0,4}\d+(?:\.\d+)+", number)) and number not in self.seen and number in successors(last)
                if fits and following and following.kind == PARAGRAPH and self.text[following.spans[0][0]].isupper():
                    self.seen.add(number)
                    block.bare, block.number = False, number
                else:
                    a, b = block.spans[0]
                    kind = "page head" if not re.fullmatch(r"\d+|[Pp]age.*|p\..*|[-–—].*", number) else "page number"
                    self.out.leftovers.append(Leftover(kind, a, b))
                    self.out.findings.append(Finding(kind, a, self.text[a:b]))
                    continue
            if block.kind == HEADING and block.number:
                last = block.number
            out.append(block)
        return out

    def run_in(self, block: Block) -> Iterator[Block]:
        """Cuts a paragraph at headings that stand in the middle of it."""
        if block.kind == HEADING:
            self.numbered += bool(block.number)
            self.last = block.number or self.last
            yield block
            return
        if not self.numbered:
            yield block
            return
        rest: list[Span] = []
        now = block
        for begin, end in block.spans:
            at = begin
            for m in RUN_IN.finditer(self.text, begin, end):
                cut = self.run_in_at(m, begin, end)
                if cut is None:
                    continue
                heading, after = cut
                a, b = strip(self.text, at, m.start())
                if b > a:
                    rest.append((a, b))
                if rest:
                    now.spans = rest
                    yield now
                yield heading
                self.out.findings.append(Finding("run-in heading", m.start(), heading.number))
                rest, at = [], after
                now = Block(PARAGRAPH, [])
            a, b = strip(self.text, at, end)
            if b > a:
                rest.append((a, b))
        if rest:
            now.spans = rest
            yield now

    def run_in_at(self, m: re.Match[str], begin: int, end: int) -> tuple[Block, int] | None:
        number = m.group("letters") + m.group("num")
        if m.group("letters") not in self.letters or number in self.seen:
            return None
        before = self.text[max(begin, m.start() - 8) : m.start()].rstrip()
        if before[-1:] not in tuple(".!?)]\"”"):
            return None
        rest = self.text[m.end() : min(end, m.end() + 120)]
        found = title_of(rest)
        if found and found[0].isupper():
            title, note, length = found
        elif m.group("bold") or number in successors(self.last) and before[-1] in ".!?" and rest[:1].isupper():
            title, note, length = "", "", 0
        else:
            return None
        self.seen.add(number)
        self.last = number
        after = m.end() + length
        return Block(HEADING, [(m.start(), after)], number, title, notes=(note,) if note else ()), after


RUN_IN = re.compile(r"(?<=\s)(?P<bold>\*\*|__)?(?P<letters>[A-Z]{0,4})(?P<num>\d{1,4}(?:\.\d{1,6}){1,4})(?:\*\*|__)?\s{1,3}(?=[A-Z\"“])")


def title_of(rest: str) -> tuple[str, str, int] | None:
    """(title, footnote mark, length with its colon) of a title run in after a number; every word has a capital."""
    m = RUN_IN_TITLE.match(rest)
    if not m:
        return None
    title = m.group("title").strip("*_ ")
    words = re.findall(r"[A-Za-z][A-Za-z'’]*", title)
    if not words or len(words) > MAX_TITLE or not all(any(c.isupper() for c in w) or w in SMALL for w in words):
        return None
    if words[0] in SMALL or len(words) == 1 and words[0] in ("Note", "NOTE", "EX", "Exception", "EXC"):
        return None
    length = m.end() + (2 if rest[m.end() : m.end() + 2] in ("**", "__") else 0)
    return title, m.group("note") or "", length


def successors(number: str) -> set[str]:
    """The numbers that may follow: its first child, its next sibling, and the next siblings of what it stands in."""
    m = re.fullmatch(r"([A-Z]*)(\d+(?:\.\d+)*)", number)
    if not m:
        return set()
    letters, parts = m.group(1), m.group(2).split(".")
    out = {f"{letters}{m.group(2)}.1"} if len(parts) == 1 else {f"{letters}{m.group(2)}1"}
    whole = ".".join(parts[:-1])
    tail = parts[-1]
    if whole:
        out.add(f"{letters}{whole}.{int(tail) + 1}")
        for n in range(1, len(tail)):
            out.add(f"{letters}{whole}.{tail[: n - 1]}{int(tail[n - 1]) + 1}")
    out.add(f"{letters}{int(parts[0]) + 1}.1")
    return out


def strip(text: str, a: int, b: int) -> Span:
    """A stretch without the spaces at its ends."""
    while a < b and text[a].isspace():
        a += 1
    while b > a and text[b - 1].isspace():
        b -= 1
    return a, b


def unbold(text: str, a: int, b: int) -> Span:
    """A stretch without the stars and underscores at its ends."""
    while a < b and text[a] in "*_ ":
        a += 1
    while b > a and text[b - 1] in "*_# ":
        b -= 1
    return a, b
