"""A paragraph to sentences; where a full stop was lost, two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

TERMINATOR = re.compile(r"(?<![.!?…])[.!?…]{1,6}[\"'”’»]{0,3}[)\]]{0,9}[\"'”’»]{0,3}(?=\s|$)")
NEVER_ENDS = re.compile(r"(?:^|[\s(\[/—-])(?:i\.e|e\.g|vs|cf|viz|approx|incl)\.$", re.I)
BEFORE_NUMBER = re.compile(r"(?:^|[\s(\[/—-])(?:[Nn]os?|[Ff]igs?|pp?|pgs?)\.$")
OWN_BRACKET = re.compile(r"[(\[]\s*(?:EXC|Exc|Exception)\b")
ONLY_MARK = re.compile(r"[\s(\[]*(?:\d{1,3}|[A-Za-z])[.)]$")
CAPITAL_AFTER_COMMA = re.compile(
    r"(?<=[\])\w]),\s+(?=(?:A|An|The|If|When|Once|Each|Any|This|These|Such|Units?|Infantry)\s+[A-Za-z])"
)
MODAL = re.compile(r"\b(?:may|must|can|cannot|is|are|was|were|has|have|need|does|do|will)\b")
CAPITAL_RUN_ON = re.compile(r"(?<=[\w)\]])\s(?=([A-Z][a-z]{3,})\s[a-z]{3,}(?:ing|ed|s)?\b)")
PAIR = {")": "(", "]": "["}
LONGEST_BRACKET = 3000


def bracket_pairs(text: str, longest: int = LONGEST_BRACKET) -> list[tuple[int, int]]:
    """Matching ( ) and [ ], as (opening, closing) offsets in order of opening. Strays are left out; linear in time."""
    stack: list[tuple[str, int]] = []
    waiting = {"(": 0, "[": 0}
    found: list[tuple[int, int]] = []
    for m in re.finditer(r"[()\[\]]", text):
        ch, i = m.group(), m.start()
        if ch in "([":
            stack.append((ch, i))
            waiting[ch] += 1
        elif waiting[PAIR[ch]]:
            while True:
                opened, begin = stack.pop()
                waiting[opened] -= 1
                if opened == PAIR[ch]:
                    break
            if i - begin <= longest:
                found.append((begin, i))
    found.sort()
    return found


def split(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, note) of each sentence; `note` says what was mended to find its beginning."""
    pairs = dict(bracket_pairs(text))
    edges = sorted([(begin, 1) for begin in pairs] + [(end + 1, -1) for end in pairs.values()])
    depth = e = 0
    outermost = -1
    start = skip(text, 0)
    for m in TERMINATOR.finditer(text):
        after = m.end()
        while e < len(edges) and edges[e][0] <= after:
            if edges[e][1] > 0 and depth == 0:
                outermost = edges[e][0]
            depth += edges[e][1]
            e += 1
        following = skip(text, after)
        if after <= start or depth or (following < len(text) and text[following].islower()):
            continue
        if outermost > start and m.start() > outermost and m.group().rstrip("\"'”’»")[-1:] in ")]":
            continue  # a full stop inside brackets ends what stands in the brackets
        if following < len(text):
            said = text[max(start, after - 12) : m.start() + 1]
            if NEVER_ENDS.search(said) or (BEFORE_NUMBER.search(said) and text[following].isdigit()):
                continue
        if after - start < 9 and ONLY_MARK.fullmatch(text, start, after):
            continue
        if following in pairs and OWN_BRACKET.match(text, following):  # an exception put after the full stop
            after = pairs[following] + 1
            after += text[after : after + 1] in (".", ";")
            following = skip(text, after)
        yield from mend(text, start, after)
        start = following
    if start < len(text) and text[start:].strip():
        yield from mend(text, start, len(text.rstrip()))


def mend(text: str, start: int, end: int, note: str = "") -> Iterator[tuple[int, int, str]]:
    """A sentence, or two where a full stop was lost or printed as a comma between them."""
    if end - start < 4000:
        inside = bracket_pairs(text[start:end])
        for m in CAPITAL_AFTER_COMMA.finditer(text, start, end):
            if text[m.start() - 1] == "]" and not any(b <= m.start() - start <= e for b, e in inside):
                yield start, m.start() + 1, note
                yield from mend(text, m.end(), end, "comma for full stop")
                return
        for m in CAPITAL_RUN_ON.finditer(text, start, end):
            if run_on(text, start, m.start(), m.end(), end, m.group(1), inside):
                yield start, m.start(), note
                yield from mend(text, m.end(), end, "full stop missing")
                return
    yield start, end, note


def run_on(text: str, start: int, stop: int, begin: int, end: int, word: str, inside: list[tuple[int, int]]) -> bool:
    """Whether a sentence that lost its full stop goes on at `begin`: the paragraph often begins sentences with this
    word, and both halves have a verb of their own with no conjunction between."""
    if any(b <= stop - start <= e for b, e in inside):
        return False
    around = text[max(0, start - 2000) : start], text[begin : begin + 2000]
    openings = re.findall(rf"(?:^|[.!?]\s{{1,3}}){word}\b", around[0]) + re.findall(
        rf"[.!?]\s{{1,3}}{word}\b", around[1]
    )
    before, after = text[start:stop], text[begin:end]
    if len(openings) < 2 or len(before.split()) < 6 or not MODAL.search(before):
        return False
    last = before.split()[-1]
    if not re.fullmatch(r"[A-Z]{2,}|[a-z]+(?:ing|ed|s|ly)|[a-z]{4,}", last) or last in {
        "enemy",
        "friendly",
        "such",
        "other",
        "both",
    }:
        return False
    opening = re.match(rf"{word}\s(?:\w+ing|may|must|can|is|are)\b", after)
    verb = MODAL.search(after)
    return bool(opening and verb and not re.search(r"[,;]|\b(?:and|or|but)\b", after[: verb.start()]))


def skip(text: str, at: int) -> int:
    """The offset of the next character that is no space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at
