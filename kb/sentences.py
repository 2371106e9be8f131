"""A paragraph to sentences: markup, footnote marks and broken words are taken out, and each knows the input it came from."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from kb.passage import Finding, Leftover, Span

GLYPHS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾", (1, 8): "⅛", (3, 8): "⅜", (5, 8): "⅝", (7, 8): "⅞"}
COMMANDS = {"leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "times": "×", "neq": "≠", "pm": "±", "cdot": "·", "rightarrow": "→"}
ENTITIES = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'"}
SPECIAL = re.compile(
    r"(?P<control>[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff\u200b-\u200f\u2028\u2029]+)"
    r"|(?P<wordbreak>(?<=[A-Za-z])-[ \t]*\r?[\n\f]\s*(?=[a-z])|\xad\s*)"
    r"|(?P<gap>[ \t\xa0]*[\r\n\f\v][\s\xa0]*|[ \t\xa0]{2,}|[\t\xa0])"
    r"|(?P<math>\$[^$\n]{1,200}\$)"
    r"|(?P<errata>\[\s*[Ee]rrat(?:a|um)\b[^\[\]]{0,60}\]\s?)"
    r"|(?P<note>\[\^\w{1,8}\]|<sup>[^<>]{1,8}</sup>|(?<=[^\W\d_])[⁰¹²³⁴-⁹]+|(?<=[.,;:)\]])[⁰¹²³⁴-⁹]+|[†‡]|(?<=[a-z]{4})\d{1,2}(?![\w.,/-]))"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|quot|#39);)"
    r"|(?P<markup>\*\*|__|</?[A-Za-z][A-Za-z0-9]{0,9}\s?/?>|\*(?=\w[^*\n]{0,80}\*)|(?<=[\w.,;:)])\*(?!\w)|(?<![^\s])`|`(?=[\s.,;:]|$))"
    r"|(?P<hyphen>(?<![\w-])[a-z]{2,12}-[a-z]{2,20}(?![\w-]))"
)
KINDS = {"control": "control character", "wordbreak": "word break", "errata": "errata mark", "note": "footnote mark", "markup": "markup"}
KEEP_HYPHEN = {"non", "self", "multi", "semi", "anti", "pre", "post", "co", "half", "mid", "sub", "all", "one", "two", "three"}
TERMINATOR = re.compile(r"(?<![.!?…])[.!?…]{1,6}[\"'”’»]{0,3}[)\]]{0,9}[\"'”’»]{0,3}(?=\s|$)")
NEVER_ENDS = re.compile(r"(?:^|[\s(\[/—-])(?:i\.e|e\.g|vs|cf|viz|approx|incl)\.$", re.I)
BEFORE_NUMBER = re.compile(r"(?:^|[\s(\[/—-])(?:[Nn]os?|[Ff]igs?|pp?|pgs?)\.$")
OWN_BRACKET = re.compile(r"[(\[]\s*(?:EXC|Exc|Exception)\b")
ONLY_MARK = re.compile(r"[\s(\[]*(?:\d{1,3}|[A-Za-z])[.)]$")
CAPITAL_AFTER_COMMA = re.compile(r"(?<=[\])\w]),\s+(?=(?:A|An|The|If|When|Once|Each|Any|This|These|Such|Units?|Infantry)\s+[A-Za-z])")
MODAL = re.compile(r"\b(?:may|must|can|cannot|is|are|was|were|has|have|need|does|do|will)\b")
CAPITAL_RUN_ON = re.compile(r"(?<=[\w)\]])\s(?=([A-Z][a-z]{3,})\s[a-z]{3,}(?:ing|ed|s)?\b)")
PAIR = {")": "(", "]": "["}
LONGEST_BRACKET = 3000


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
    out: list[str] = []
    r = Reading("", [])
    at = 0

    def put(text: str, start: int, length: int) -> None:
        nonlocal at
        if length == 0 and not text:
            return
        out.append(text)
        r.pieces.append((at, len(text), start, length))
        at += len(text)

    def drop(kind: str, start: int, end: int) -> None:
        r.leftovers.append(Leftover(kind, start, end))

    for n, (begin, end) in enumerate(spans):
        if n:  # what stands between two spans is already accounted for: page heads and the like
            last = out[-1] if out else ""
            broken = last.endswith("-") and source[begin : begin + 1].islower()
            if broken:
                rs, rl, s, ln = r.pieces[-1]
                hyphen = spans[n - 1][1] - 1
                head = re.search(r"([A-Za-z]+)-$", last)
                tail = re.match(r"[a-z]+", source[begin : begin + 40])
                if head and tail and not keeps_hyphen(head.group(1), tail.group(), words):
                    out[-1] = last[:-1]
                    r.pieces[-1] = (rs, rl - 1, s, ln - 1)
                    at -= 1
                    drop("word break", hyphen, hyphen + 1)
                    r.findings.append(Finding("word break", hyphen, head.group(1) + "-/" + tail.group(), "joined across a page"))
            elif not last.endswith(" "):
                put(" ", begin, 0)
        pos = begin
        for m in SPECIAL.finditer(source, begin, end):
            kind, start, stop = m.lastgroup or "", m.start(), m.end()
            if start > pos:
                put(source[pos:start], pos, start - pos)
            pos = stop
            found = m.group()
            if kind == "gap":
                put(" ", start, stop - start)
            elif kind == "wordbreak":
                head = re.search(r"[A-Za-z]{1,30}$", source[max(begin, start - 30) : start])
                tail = re.match(r"[a-z]+", source[stop : stop + 40])
                if found[0] == "-" and head and tail and keeps_hyphen(head.group(), tail.group(), words):
                    put("-", start, 1)
                    drop("space", start + 1, stop)
                else:
                    drop(KINDS[kind], start, stop)
                    if head and tail:
                        r.findings.append(Finding("word break", start, f"{head.group()}-/{tail.group()}", "joined"))
            elif kind == "math":
                plain = latex(found)
                put(plain if plain is not None else found, start, stop - start)
                if plain is not None:
                    r.findings.append(Finding("formula", start, found, f"read as {plain}"))
            elif kind == "entity":
                put(ENTITIES[found], start, stop - start)
            elif kind == "hyphen":
                head_word, tail_word = found.split("-")
                if mends(head_word, tail_word, words):
                    put(head_word, start, len(head_word))
                    drop("word break", start + len(head_word), start + len(head_word) + 1)
                    put(tail_word, stop - len(tail_word), len(tail_word))
                    r.findings.append(Finding("word break", start, found, f"read as {head_word + tail_word}"))
                else:
                    put(found, start, stop - start)
            else:
                drop(KINDS[kind], start, stop)
                if kind == "note":
                    r.notes.append((at, found.strip("[]^<>/sup")))
                    r.findings.append(Finding("footnote mark", start, found))
                elif kind == "errata":
                    r.errata.append((at, found.strip("[] ")))
                    r.findings.append(Finding("errata mark", start, found.strip()))
                elif kind == "control":
                    r.findings.append(Finding("control character", start, f"U+{ord(found[0]):04X}", f"{len(found)} left out"))
        if end > pos:
            put(source[pos:end], pos, end - pos)
    r.text = "".join(out)
    return r


def keeps_hyphen(head: str, tail: str, words: Container[str]) -> bool:
    """Whether a word broken at a hyphen is written with one: as the rest of the text writes it."""
    joined, hyphened = (head + tail).casefold(), f"{head}-{tail}".casefold()
    if joined in words:
        return False
    return hyphened in words or head.casefold() in KEEP_HYPHEN


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
        if after <= start or depth or following < len(text) and text[following].islower():
            continue
        if outermost > start and m.start() > outermost and m.group().rstrip("\"'”’»")[-1:] in ")]":
            continue  # a full stop inside brackets ends what stands in the brackets
        if following < len(text):
            said = text[max(start, after - 12) : m.start() + 1]
            if NEVER_ENDS.search(said) or BEFORE_NUMBER.search(said) and text[following].isdigit():
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
    openings = re.findall(rf"(?:^|[.!?]\s{{1,3}}){word}\b", around[0]) + re.findall(rf"[.!?]\s{{1,3}}{word}\b", around[1])
    before, after = text[start:stop], text[begin:end]
    if len(openings) < 2 or len(before.split()) < 6 or not MODAL.search(before):
        return False
    last = before.split()[-1]
    if not re.fullmatch(r"[A-Z]{2,}|[a-z]+(?:ing|ed|s|ly)|[a-z]{4,}", last) or last in {"enemy", "friendly", "such", "other", "both"}:
        return False
    opening = re.match(rf"{word}\s(?:\w+ing|may|must|can|is|are)\b", after)
    verb = MODAL.search(after)
    return bool(opening and verb and not re.search(r"[,;]|\b(?:and|or|but)\b", after[: verb.start()]))


def skip(text: str, at: int) -> int:
    """The offset of the next character that is no space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


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
