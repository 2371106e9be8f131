"""The clauses of a sentence: its brackets, the edges between clauses, and the phrase before a place.

Nothing here looks further than `WINDOW` characters, so that a text of one endless sentence is read in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from kb.texts.model import Span
from kb.texts.sentences import bracket_pairs

WINDOW = 3000
CLAUSE_EDGE = re.compile(r";|—|--|(?<=\s)[–-](?=\s)")
INTRO = re.compile(r"(?:EXC?|Exc?|Examples?|Exceptions?)\s?:\s*")
LEAD = re.compile(
    r"(?:[\s,;:—–-]|\b(?:and|but|however|hence|thus|e\.g\.|i\.e\.|similarly|therefore)\b[,\s]*){0,20}", re.I
)
PREPOSITION = re.compile(r"(?:of|from|at|in|to|by|with|for|via|within|against|on|across|through|into)\b", re.I)
PHRASE_WORD = re.compile(r"(?:[^\s,;()\[\]]|\((?:s|es|ies)\))+|[,;()\[\]]")
DETERMINER = {
    "a", "an", "the", "any", "each", "every", "all", "no", "some", "such", "other", "its", "their", "that", "this",
    "these", "those",
}  # fmt: skip
BOUNDARY = {
    "of", "in", "to", "by", "for", "with", "from", "at", "vs", "against", "as", "is", "are", "be", "was", "were",
    "may", "must", "can", "cannot", "both", "either", "neither", "and", "or", "when", "if", "which", "that", "whose",
    "who", "than", "on", "into", "via", "within", "has", "have", "through", "not", "never", "during", "after",
    "before", "there", "where", "while", "but", "also", "only", "contains", "contain", "out",
}  # fmt: skip
PUNCTUATION = frozenset(",;()[]")


@dataclass(slots=True)
class Marks:
    """The brackets of a sentence in order, each with the bracket it stands in (-1: none), and its clauses' edges."""

    text: str
    pairs: list[Span]
    parents: list[int]
    edges: list[int]
    openers: list[int]

    @classmethod
    def of(cls, text: str) -> Marks:
        """The brackets and marks of a text, each with what encloses it."""
        pairs = bracket_pairs(text, len(text))
        parents: list[int] = []
        stack: list[int] = []
        for k, (begin, _) in enumerate(pairs):
            while stack and pairs[stack[-1]][1] < begin:
                stack.pop()
            parents.append(stack[-1] if stack else -1)
            stack.append(k)
        return cls(text, pairs, parents, [m.end() for m in CLAUSE_EDGE.finditer(text)], [b for b, _ in pairs])

    def enclosing(self, at: int) -> Span:
        """The inside of the innermost bracket around `at`, or the whole sentence."""
        k = bisect_right(self.openers, at - 1) - 1
        while k >= 0 and self.pairs[k][0] > at - WINDOW:
            begin, end = self.pairs[k]
            if end >= at:
                return begin + 1, end
            k = self.parents[k]
        return 0, len(self.text)

    def clause_start(self, at: int, low: int) -> int:
        """Where the clause that ends at `at` begins: after the last edge at its own bracket level."""
        low_edge = max(low, at - WINDOW)
        i = bisect_right(self.edges, at) - 1
        while i >= 0 and self.edges[i] > low_edge:
            if self.enclosing(self.edges[i])[0] == low:
                return self.edges[i]
            i -= 1
        return low_edge

    def clause(self, at: int, low: int) -> int:
        """The same, without what only leads in: an example's head, conjunctions, spaces."""
        begin = self.clause_start(at, low)
        if m := INTRO.match(self.text, begin, at):
            begin = m.end()
        m = LEAD.match(self.text, begin, at)
        return m.end() if m and m.end() < at else begin

    def next_edge(self, pattern: re.Pattern[str], at: int, high: int) -> int:
        """The first match of `pattern` from `at` on that stands at the same bracket level, or `high`."""
        here = self.enclosing(at)[0]
        high = min(high, at + WINDOW)
        return next(
            (m.start() for m in pattern.finditer(self.text, at, high) if self.enclosing(m.start())[0] == here), high
        )

    def solid_end(self, at: int) -> int:
        """`at`, or the end of the last character before it that is no space."""
        while at > 0 and self.text[at - 1].isspace():
            at -= 1
        return at

    def phrase(self, begin: int, end: int, with_preposition: bool) -> Span:
        """The noun phrase that ends at `end`: back to its determiner, or to the word that leads it in."""
        base = max(begin, end - 160)
        words = [(base + m.start(), m.group()) for m in PHRASE_WORD.finditer(self.text[base:end])]
        first = end
        for n, (at, word) in enumerate(reversed(words[-10:])):
            bare = word.casefold().strip("\"'“”.")
            if n and bare in DETERMINER:
                first = at
                if with_preposition and n + 1 < len(words) and PREPOSITION.fullmatch(words[-n - 2][1]):
                    first = words[-n - 2][0]
                break
            if bare in BOUNDARY or word in PUNCTUATION:
                break
            first = at
        return first, end


def trimmed(text: str, a: int, b: int) -> Span:
    """A stretch without the spaces, commas and dashes at its ends."""
    while a < b and text[a] in " ,;—":
        a += 1
    while b > a and text[b - 1] in " ,;—":
        b -= 1
    return a, max(a, b)
