"""The second pass over blocks: numbers that stand alone on a line, and headings in the middle of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from kb.texts.layout import HEADING, PARAGRAPH, RUN_IN, Block, Blocks, strip, successors, title_of
from kb.texts.model import Finding, Leftover, Span

PAGE_NUMBER = re.compile(r"\d+|[Pp]age.*|p\..*|[-–—].*")
DOTTED = re.compile(r"[A-Z]{0,4}\d+(?:\.\d+)+")


class Settler:
    """Goes through the blocks in order. `seen`: the numbers that head a section; `last`: the one gone by."""

    def __init__(self, text: str, letters: set[str], seen: set[str], out: Blocks):
        self.text, self.letters, self.seen, self.out = text, letters, seen, out
        self.last = ""

    def settle(self) -> list[Block]:
        """All blocks, bare numbers settled and run-in headings cut out."""
        blocks = self.bare_numbers(self.out.blocks)
        return [b for block in blocks for b in self.run_in(block)]

    def bare_numbers(self, blocks: list[Block]) -> list[Block]:
        """Settles the lines that hold a number and nothing else: a section's number, or a page head."""
        out: list[Block] = []
        last = ""
        for block, following in zip_longest(blocks, blocks[1:]):
            if block.bare:
                number = block.number.rstrip(".")
                fits = DOTTED.fullmatch(number) and number not in self.seen and number in successors(last)
                if not fits or not following or following.kind != PARAGRAPH or following.bullet:
                    self.page_head(block, number)
                    continue
                self.seen.add(number)
                block.bare, block.number = False, number
            if block.kind == HEADING and block.number:
                last = block.number
            out.append(block)
        return out

    def page_head(self, block: Block, number: str) -> None:
        """Takes a block off the text that is a page's number or head, and tells of it."""
        a, b = block.spans[0]
        kind = "page number" if PAGE_NUMBER.fullmatch(number) else "page head"
        self.out.leftovers.append(Leftover(kind, a, b))
        self.out.findings.append(Finding(kind, a, self.text[a:b]))

    def run_in(self, block: Block) -> Iterator[Block]:
        """Cuts a paragraph at the headings that stand in the middle of it."""
        if block.kind == HEADING or not self.last:
            self.last = block.number or self.last
            yield block
            return
        rest: list[Span] = []
        now = block
        for begin, end in block.spans:
            at = begin
            for m in RUN_IN.finditer(self.text, begin, end):
                heading = self.heading_at(m, begin, end)
                if heading is None:
                    continue
                rest += solid(strip(self.text, at, m.start()))
                if rest:
                    now.spans = rest
                    yield now
                yield heading
                self.out.findings.append(Finding("run-in heading", m.start(), heading.number))
                rest, at, now = [], heading.spans[0][1], Block(PARAGRAPH, [])
            rest += solid(strip(self.text, at, end))
        if rest:
            now.spans = rest
            yield now

    def heading_at(self, m: re.Match[str], begin: int, end: int) -> Block | None:
        """The heading that begins with a number inside a paragraph; None when it is only a reference."""
        number = m.group("letters") + m.group("num")
        before = self.text[max(begin, m.start() - 8) : m.start()].rstrip()[-1:]
        if m.group("letters") not in self.letters or number in self.seen or before not in tuple('.!?)]"”'):
            return None
        rest = self.text[m.end() : min(end, m.end() + 120)]
        title, note, length = title_of(rest) or ("", "", 0)
        if not title.isupper():
            title, note, length = "", "", 0
            if not m.group("bold") and not (number in successors(self.last) and before in ".!?" and rest[:1].isupper()):
                return None
        self.seen.add(number)
        self.last = number
        return Block(HEADING, [(m.start(), m.end() + length)], number, title, notes=(note,) if note else ())


def solid(span: Span) -> list[Span]:
    """A span in a list, or none where it is empty."""
    return [span] if span[1] > span[0] else []
