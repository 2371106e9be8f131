"""A paragraph's reading text: markup and footnote marks out, broken words joined, and where each stretch came from."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from kb.texts.model import Finding, Leftover, Span

GLYPHS = {
    (1, 2): "½",
    (1, 3): "⅓",
    (2, 3): "⅔",
    (1, 4): "¼",
    (3, 4): "¾",
    (1, 8): "⅛",
    (3, 8): "⅜",
    (5, 8): "⅝",
    (7, 8): "⅞",
}
COMMANDS = {
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "times": "×",
    "neq": "≠",
    "pm": "±",
    "cdot": "·",
    "rightarrow": "→",
}
ENTITIES = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'"}
SPECIAL = re.compile(
    r"(?P<control>[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff\u200b-\u200f\u2028\u2029]+)"
    r"|(?P<wordbreak>(?<=[A-Za-z])-[ \t]*\r?[\n\f]\s*(?=[a-z])|\xad\s*)"
    r"|(?P<gap>[ \t\xa0]*[\r\n\f\v][\s\xa0]*|[ \t\xa0]{2,}|[\t\xa0])"
    r"|(?P<math>\$[^$]{1,200}\$)"
    r"|(?P<errata>\[\s*[Ee]rrat(?:a|um)\b[^\[\]]{0,60}\]\s?)"
    r"|(?P<note>\[\^\w{1,8}\]|<sup>[^<>]{1,8}</sup>|(?<=[^\W\d_])[⁰¹²³⁴-⁹]+|(?<=[.,;:)\]])[⁰¹²³⁴-⁹]+|[†‡]|(?<=[a-z]{4})\d{1,2}(?![\w.,/-]))"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|quot|#39);)"
    r"|(?P<markup>\*\*|__|</?[A-Za-z][A-Za-z0-9]{0,9}\s?/?>|\*(?=\w[^*\n]{0,80}\*)|(?<=[\w.,;:)])\*(?!\w)|(?<![^\s])`|`(?=[\s.,;:]|$))"
    r"|(?P<hyphen>(?<![\w-])[a-z]{2,12}-[a-z]{2,20}(?![\w-]))"
)
KINDS = {
    "control": "control character",
    "wordbreak": "word break",
    "errata": "errata mark",
    "note": "footnote mark",
    "markup": "markup",
}
KEEP_HYPHEN = {
    "non", "self", "multi", "semi", "anti", "pre", "post", "co", "half", "mid", "sub", "all", "one", "two",
    "three",
}  # fmt: skip


@dataclass(slots=True)
class Reading:
    """A paragraph's reading text, and for each stretch of it the input it came from."""

    text: str
    pieces: list[tuple[int, int, int, int]]  # reading start, reading length, input start, input length
    leftovers: list[Leftover] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)  # footnote marks: reading offset, mark
    errata: list[tuple[int, str]] = field(default_factory=list)


def clean(source: str, spans: list[Span], words: Container[str]) -> Reading:
    """The reading text of a paragraph that occupies `spans` of the input. `words`: all words of the whole text."""
    cleaner = Cleaner(source, words)
    for n, (begin, end) in enumerate(spans):
        if n:  # what stands between two spans is already accounted for: page heads and the like
            cleaner.join(spans[n - 1][1], begin)
        cleaner.stretch(begin, end)
    cleaner.r.text = "".join(cleaner.out)
    return cleaner.r


class Cleaner:
    """Writes a reading piece by piece; every character of the input goes into a piece or is a leftover with a name."""

    def __init__(self, source: str, words: Container[str]):
        self.source, self.words = source, words
        self.r = Reading("", [])
        self.out: list[str] = []
        self.at = 0

    def put(self, text: str, start: int, length: int) -> None:
        """Adds text that stands for `length` characters of the input."""
        if length or text:
            self.out.append(text)
            self.r.pieces.append((self.at, len(text), start, length))
            self.at += len(text)

    def drop(self, kind: str, start: int, end: int) -> None:
        """Leaves a stretch of the input out."""
        self.r.leftovers.append(Leftover(kind, start, end))

    def find(self, kind: str, start: int, text: str, note: str = "") -> None:
        """Reports what was mended."""
        self.r.findings.append(Finding(kind, start, text, note))

    def join(self, before: int, begin: int) -> None:
        """Puts the next span behind the one that ended at `before`: a word broken between them is made whole."""
        last = self.out[-1] if self.out else ""
        if not (last.endswith("-") and self.source[begin : begin + 1].islower()):
            if not last.endswith(" "):
                self.put(" ", begin, 0)
            return
        head = re.search(r"([A-Za-z]+)-$", last)
        tail = re.match(r"[a-z]+", self.source[begin : begin + 40])
        if head and tail and not keeps_hyphen(head.group(1), tail.group(), self.words):
            reading, length, start, taken = self.r.pieces[-1]
            self.out[-1] = last[:-1]
            self.r.pieces[-1] = (reading, length - 1, start, taken - 1)
            self.at -= 1
            self.drop("word break", before - 1, before)
            self.find("word break", before - 1, f"{head.group(1)}-/{tail.group()}", "joined across a page")

    def stretch(self, begin: int, end: int) -> None:
        """Reads one span: what is special in it by its kind, the rest as it stands."""
        pos = begin
        for m in SPECIAL.finditer(self.source, begin, end):
            kind, start, stop = m.lastgroup or "", m.start(), m.end()
            self.put(self.source[pos:start], pos, start - pos)
            pos = stop
            match kind:
                case "gap":
                    self.put(" ", start, stop - start)
                case "entity":
                    self.put(ENTITIES[m.group()], start, stop - start)
                case "wordbreak":
                    self.word_break(m.group(), begin, start, stop)
                case "math":
                    self.formula(m.group(), start, stop)
                case "hyphen":
                    self.hyphen(m.group(), start, stop)
                case _:
                    self.mark(kind, m.group(), start, stop)
        self.put(self.source[pos:end], pos, end - pos)

    def word_break(self, found: str, begin: int, start: int, stop: int) -> None:
        """A word broken at the end of a line."""
        head = re.search(r"[A-Za-z]{1,30}$", self.source[max(begin, start - 30) : start])
        tail = re.match(r"[a-z]+", self.source[stop : stop + 40])
        if found[0] == "-" and head and tail and keeps_hyphen(head.group(), tail.group(), self.words):
            self.put("-", start, 1)
            self.drop("space", start + 1, stop)
            return
        self.drop(KINDS["wordbreak"], start, stop)
        if head and tail:
            self.find("word break", start, f"{head.group()}-/{tail.group()}", "joined")

    def formula(self, found: str, start: int, stop: int) -> None:
        """LaTeX, as plain signs where it can be read."""
        plain = latex(found)
        self.put(found if plain is None else plain, start, stop - start)
        if plain is not None:
            self.find("formula", start, found, f"read as {plain}")

    def hyphen(self, found: str, start: int, stop: int) -> None:
        """A word with a hyphen in it that the end of some line may have left there."""
        head, tail = found.split("-")
        if not mends(head, tail, self.words):
            self.put(found, start, stop - start)
            return
        self.put(head, start, len(head))
        self.drop("word break", start + len(head), start + len(head) + 1)
        self.put(tail, stop - len(tail), len(tail))
        self.find("word break", start, found, f"read as {head + tail}")

    def mark(self, kind: str, found: str, start: int, stop: int) -> None:
        """What is no part of the text: marks of footnotes and errata are kept apart, with their place."""
        self.drop(KINDS[kind], start, stop)
        if kind == "note":
            self.r.notes.append((self.at, found.strip("[]^<>/sup")))
            self.find("footnote mark", start, found)
        elif kind == "errata":
            self.r.errata.append((self.at, found.strip("[] ")))
            self.find("errata mark", start, found.strip())
        elif kind == "control":
            self.find("control character", start, f"U+{ord(found[0]):04X}", f"{len(found)} left out")


def keeps_hyphen(head: str, tail: str, words: Container[str]) -> bool:
    """Whether a word broken at a hyphen is written with one: as the rest of the text writes it."""
    joined, hyphened = (head + tail).casefold(), f"{head}-{tail}".casefold()
    if joined in words:
        return False
    both = head.casefold() in words and tail.casefold() in words
    return both or hyphened in words or head.casefold() in KEEP_HYPHEN


def mends(head: str, tail: str, words: Container[str]) -> bool:
    """Whether a hyphen inside a line is what is left of a broken word: neither half is a word, the whole is."""
    return head + tail in words and head not in words and tail not in words and head not in KEEP_HYPHEN


def latex(formula: str) -> str | None:
    """A LaTeX formula as plain text; None when it is no formula (two dollar amounts, say)."""
    inner = formula[1:-1]
    if not re.search(r"[\\^_{}]", inner):
        return None
    inner = re.sub(r"\\frac\s*\{(\d+)\}\s*\{(\d+)\}", lambda m: fraction(m.group(1), m.group(2)), inner)
    inner = re.sub(r"\^\{?(\d+)\}?\s*/\s*_\{?(\d+)\}?", lambda m: fraction(m.group(1), m.group(2)), inner)
    inner = re.sub(r"\\(?:text|mathrm|mathbf)\s*\{([^{}]*)\}", r"\1", inner)
    inner = re.sub(r"\\([A-Za-z]+)\s?", lambda m: COMMANDS.get(m.group(1), m.group(1)) + " ", inner)
    return " ".join(re.sub(r"[\\{}^_]", "", inner).split())


def fraction(over: str, under: str) -> str:
    """A fraction's character. "31" over "2" is how text recognition writes three and a half."""
    whole = ""
    if len(over) > 1 and len(under) == 1 and int(over) > int(under) and (int(over[-1]), int(under)) in GLYPHS:
        whole, over = over[:-1], over[-1]
    if int(under) == 0 or len(over) > 6:
        return f"{whole}{over}/{under}"
    return whole + GLYPHS.get((int(over), int(under)), f"{over}/{under}")


def source_spans(pieces: list[tuple[int, int, int, int]], ranges: list[Span]) -> list[list[Span]]:
    """For each range of the reading text (in order, apart) the stretches of input it came from."""
    out: list[list[Span]] = []
    p = 0
    for begin, end in ranges:
        found: list[Span] = []
        while p < len(pieces) and pieces[p][0] + pieces[p][1] <= begin:
            p += 1
        q = p
        while q < len(pieces) and pieces[q][0] < end:
            at, length, start, size = pieces[q]
            if length == size:  # copied as it stood: cut exactly
                a, b = max(begin, at) - at, min(end, at + length) - at
                span = (start + a, start + b)
            else:  # replaced: whole or not at all
                span = (start, start + size)
            if span[1] > span[0]:
                if found and found[-1][1] == span[0]:
                    found[-1] = (found[-1][0], span[1])
                else:
                    found.append(span)
            q += 1
        out.append(found)
        p = max(p, q - 1)
    return out
