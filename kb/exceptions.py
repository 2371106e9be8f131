"""Exceptions as objects: what introduces each, what it says, what it modifies, and which exception it stands in.

A bracket that closes a clause modifies the clause; one in mid-clause modifies the phrase before it. An exception made
with a word modifies the clause it hangs on, or the quantified phrase before it ("any hex except …").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from kb.passage import BRACKET, BUT_NOT, EXCEPT, ONLY, UNLESS, ExceptionClause, Reference, Span
from kb.sentences import LONGEST_BRACKET, bracket_pairs

OWN = re.compile(r"[(\[]\s*(?:EXC|Exc|EXCEPTIONS?|Exceptions?)\s*[:;.,]?\s+")
INTRO = re.compile(r"(?:EX|Ex|Example)S?\s?:\s*")
WORDS = re.compile(
    r"\b(?P<unless>[Uu]nless)\b|\b(?P<except>[Ee]xcept(?:ing)?|[Ee]xcluding|[Aa]part from|[Oo]ther than|[Ww]ith the exception of)\b|\b(?P<only>[Oo]nly)\b|\b(?P<butnot>[Bb]ut not)\b(?! (?:only|limited))"
)
NO_EXCEPTION = re.compile(r"(?:\bnot|\bif|\beven(?: if)?|\bnot necessarily)\s+$", re.I)
MODAL = re.compile(r"\b(?:may|must|can|cannot|could|is|are|was|were|has|have|need|does|do|will|would|should|appears?|attacks?|enters?|affects?)\b")
CLAUSE_EDGE = re.compile(r";|—|--|(?<=\s)[–-](?=\s)")
ONLY_EDGE = re.compile(
    r";|—|,\s(?:and|but|or|so|with|even|which|because|while)\b|,\s(?:it|they|he|the|a|all|any)\b|\s(?:and|or|but)\s(?=(?:may|must|can|cannot|will|is|are|then)\b)|\s(?=and\s[A-Z]{2,}\s(?:to|from|is|may)\b)"
)
CLAUSE_LEVEL = re.compile(r"\s*(?:$|[.;:!?—]|,|\)|\]|(?:or|and|but)\s+(?:may|must|can|cannot|is|are|was|were|has|have|does|do|will)\b)")
ADVERBIAL = re.compile(r"(?:not\s+)?(?:if|when|while|during|once|unless|as)\b", re.I)
PREPOSITION = re.compile(r"(?:of|from|at|in|to|by|with|for|via|within|against|on|across|through|into)\b", re.I)
ONLY_WORD = re.compile(r"\bonly\b", re.I)
DETERMINED = re.compile(r"\s+(?:the|a|an|one|this|these|those|[A-Z][a-z]+)\s(?!then)[^,;]*?\b(?:may|must|can|is|are)\b")
DETERMINER = {"a", "an", "the", "any", "each", "every", "all", "no", "some", "such", "other", "its", "their", "that", "this", "these", "those"}
BOUNDARY = {
    "of", "in", "to", "by", "for", "with", "from", "at", "vs", "against", "as", "is", "are", "be", "was", "were", "may", "must", "can", "cannot",
    "both", "either", "neither", "and", "or", "when", "if", "which", "that", "whose", "who", "than", "on", "into", "via", "within", "has", "have",
    "through", "not", "never", "during", "after", "before", "there", "where", "while", "but", "also", "only", "contains", "contain", "out",
}  # fmt: skip
NESTS = re.compile(r"\b(?:unless|except that)\s+")
QUANTIFIED = re.compile(r"\b(?:all|any|each|every|no|nobody|nothing|none)\b(?:\s+(?!(?:except|unless)\b)[^\s,;()\[\]]+){0,5}\s*$", re.I)
LEAD = re.compile(r"(?:[\s,;:—–-]|\b(?:and|but|however|hence|thus|e\.g\.|i\.e\.|similarly|therefore)\b[,\s]*)*", re.I)


@dataclass(slots=True)
class Marks:
    """The brackets of a sentence, and the edges between its clauses that stand in no bracket of their own."""

    text: str
    pairs: list[Span]
    edges: list[int]
    closers: list[int]
    openers: list[int]

    def enclosing(self, at: int) -> Span:
        """The inside of the innermost bracket around `at`, or the whole sentence."""
        best = (0, len(self.text))
        i = bisect_right(self.openers, at) - 1
        for k in range(i, max(-1, i - 40), -1):
            begin, end = self.pairs[k]
            if end >= at > begin:
                return begin + 1, end
        return best

    def clause_start(self, at: int, low: int) -> int:
        """Where the clause that ends at `at` begins: after the last edge at its own bracket level."""
        i = bisect_right(self.edges, at) - 1
        while i >= 0 and self.edges[i] > low:
            if self.edges[i] <= at and self.enclosing(self.edges[i])[0] == low or low == 0 and self.enclosing(self.edges[i])[0] == 0:
                return self.edges[i]
            i -= 1
        return low


def find(text: str, refs: tuple[Reference, ...]) -> tuple[ExceptionClause, ...]:
    """The exceptions of one sentence, outermost first. A bracket that is never closed runs to the sentence's end."""
    if not OWN.search(text) and not WORDS.search(text):
        return ()
    pairs = bracket_pairs(text, LONGEST_BRACKET * 10)
    marks = Marks(text, pairs, [m.end() for m in CLAUSE_EDGE.finditer(text)], [e for _, e in pairs], [b for b, _ in pairs])
    closing = dict(pairs)
    found: list[tuple[int, int, str, str, Span]] = []
    last = len(text.rstrip(".!? "))
    for m in OWN.finditer(text):
        end = closing.get(m.start(), last - 1 if m.start() not in closing else 0)
        end = max(end, m.end() - 1)
        stop = end + 1 if m.start() in closing else last
        inner = text[m.end() : end if m.start() in closing else last].strip()
        found.append((m.start(), max(stop, m.end()), BRACKET, inner, bracket_target(marks, m.start(), stop, inner)))
    for m in WORDS.finditer(text):
        kind = {"unless": UNLESS, "except": EXCEPT, "only": ONLY, "butnot": BUT_NOT}[m.lastgroup or ""]
        if kind == ONLY and (NO_EXCEPTION.search(text, max(0, m.start() - 20), m.start()) or quantity(text, m.start())):
            continue
        start, end, target = word_span(marks, kind, m.start(), m.end())
        found.append((start, end, kind, text[start:end].strip(" ,"), target))
    found.sort(key=lambda f: (f[0], -f[1]))
    out: list[ExceptionClause] = []
    stack: list[int] = []
    for n, (start, end, kind, inner, (a, b)) in enumerate(found):
        while stack and (found[stack[-1]][1] < end or found[stack[-1]][2] in (ONLY, BUT_NOT)):
            stack.pop()
        mine = tuple(i for i, r in enumerate(refs) if start <= r.start and r.end <= end)
        out.append(ExceptionClause(kind, inner, start, end, text[a:b], a, b, stack[-1] if stack else -1, mine))
        stack.append(n)
    return tuple(out)


def quantity(text: str, at: int) -> bool:
    """"only" that merely limits a noun already singled out ("the only", "only those units whose")."""
    before = text[max(0, at - 60) : at]
    return bool(re.search(r"\b(?:the|of)\s+$|\beven (?:if|though)\b[^.;,()]*$", before, re.I))


def bracket_target(marks: Marks, start: int, stop: int, inner: str) -> Span:
    """What a bracketed exception modifies."""
    text = marks.text
    low, _ = marks.enclosing(start - 1) if start else (0, 0)
    begin = trimmed_start(text, marks.clause_start(start, low), start)
    end = start
    while end > begin and text[end - 1].isspace():
        end -= 1
    closes = CLAUSE_LEVEL.match(text, stop) is not None or stop >= len(text)
    if closes:
        same = re.match(r"\w+", inner)
        if same and PREPOSITION.match(inner):
            near = [m.start() for m in re.finditer(rf"\b{same.group()}\b", text[begin:end])]
            if near and len(text[begin + near[-1] : end].split()) <= 4 and near[-1] > 0:
                return begin + near[-1], end
        outer = [m.end() for m in NESTS.finditer(text, begin, end) if marks.enclosing(m.start())[0] == low]
        return (outer[-1] if outer and outer[-1] < end else begin), end
    if ADVERBIAL.match(inner):
        return begin, end
    return phrase(text, begin, end, bool(PREPOSITION.match(inner)))


def trimmed_start(text: str, begin: int, end: int) -> int:
    """Leaves out what only leads in: an example's head, conjunctions, spaces."""
    if m := INTRO.match(text, begin, end):
        begin = m.end()
    m = LEAD.match(text, begin, end)
    return m.end() if m and m.end() < end else begin


def phrase(text: str, begin: int, end: int, with_preposition: bool) -> Span:
    """The noun phrase that ends at `end`: back to its determiner, or to the word that leads it in."""
    words = [(m.start(), m.group()) for m in re.finditer(r"(?:[^\s,;()\[\]]|\((?:s|es|ies)\))+|[,;()\[\]]", text[max(begin, end - 160) : end])]
    base = max(begin, end - 160)
    first = end
    for n, (at, word) in enumerate(reversed(words)):
        bare = word.casefold().strip("\"'“”.")
        if n and bare in DETERMINER:
            first = base + at
            if with_preposition and n + 1 < len(words):
                previous_at, previous = words[len(words) - n - 2]
                if PREPOSITION.fullmatch(previous):
                    first = base + previous_at
            break
        if bare in BOUNDARY or word in ",;()[]":
            break
        first = base + at
        if n >= 9:
            break
    return first, end


def word_span(marks: Marks, kind: str, at: int, after: int) -> tuple[int, int, Span]:
    """(start, end, target) of an exception that a word introduces at `at`."""
    text = marks.text
    low, high = marks.enclosing(at)
    high = min(high, len(text.rstrip(".!?\"” ")) if high == len(text) else high)
    start = trimmed_start(text, marks.clause_start(at, low), at) if at > low else at
    if start == at and kind in (UNLESS, EXCEPT) and at > low and (edge := len(text[:at].rstrip(" ,;:—–-"))) > low:
        start = trimmed_start(text, marks.clause_start(edge, low), edge)  # "…—except that": the clause before the dash
    leads = not text[start:at].strip(" ,;—\"“")
    edge = next_edge(marks, CLAUSE_EDGE if kind in (UNLESS, EXCEPT) or leads else ONLY_EDGE, after, high)
    parenthetic = low > 0 and not text[low:at].strip()
    if kind in (UNLESS, EXCEPT):
        if leads and not parenthetic:  # "Except during X, the rule": up to the first comma; the rest is what it modifies
            comma = next_edge(marks, re.compile(","), after, edge)
            if comma < edge:
                return at, comma, span(text, comma + 1, edge)
        if parenthetic:
            return at, high, before_bracket(marks, low - 1, text[at:high])
        found = QUANTIFIED.search(text, start, at) if kind == EXCEPT and not re.match(r"\s+(?:that|to|as|during|with|if|when|in|for|by)\b(?! from)", text[after:]) else None
        if kind == EXCEPT and not found and re.match(r"\s+(?:that|those)\s+(?:from|of|in|which|who)\b", text[after:]):
            found = QUANTIFIED.search(text, start, at)
        return at, edge, span(text, found.start() if found else start, at)
    if kind == BUT_NOT:
        comma = next_edge(marks, re.compile(r",|\s(?=all\b)"), after, edge)
        if parenthetic:
            return at, high, before_bracket(marks, low - 1, "")
        return at, comma, span(text, start, at)
    again = re.search(r",?\s(?:and|but)(?: even then| again| then)?\s$", text[start:at])
    if again and DETERMINED.match(text, after):
        leads, start = True, at
    elif again:  # "only before play, and only in woods": both restrict the same clause
        first = ONLY_WORD.search(text, start, start + again.start())
        return at, next_edge(marks, ONLY_EDGE, after, high), span(text, start, first.start() if first else start + again.start())
    if leads:  # "Only Infantry may enter": the subject is the restriction, the rest what is restricted
        verb = MODAL.search(text, after, edge)
        if verb:
            return at, len(text[: verb.start()].rstrip(" ,")), span(text, verb.start(), next_edge(marks, ONLY_EDGE, verb.end(), edge))
    following = text[after : after + 2].lstrip()[:1]
    if following in (",", ".", ";", "(", "") or after >= edge:  # "for setup purposes only": the phrase before is the restriction
        own = list(re.finditer(r"\b(?:for|to|in|at|on|by|with|from|during)\b", text[start:at], re.I))
        begin = start + own[-1].start() if own else start
        if begin == start and following == ",":
            return begin, after, span(text, after + 1, next_edge(marks, CLAUSE_EDGE, after, high))
        if following == "(":
            after = dict(marks.pairs).get(text.index("(", after), after - 1) + 1
        return begin, after, span(text, start, begin)
    if parenthetic:
        return at, high, before_bracket(marks, low - 1, "")
    return at, edge, span(text, start, at)


def before_bracket(marks: Marks, bracket: int, words: str) -> Span:
    """What an exception that fills a bracket of its own modifies: the clause before the bracket, or the phrase."""
    text = marks.text
    low, _ = marks.enclosing(bracket - 1) if bracket else (0, 0)
    begin = trimmed_start(text, marks.clause_start(bracket, low), bracket)
    end = len(text[:bracket].rstrip())
    if re.match(r"[Ee]xcept (?:those|that|for those)\b", words) and (m := re.search(r"\b(?:all|any|each|every|those)\b", text[begin:end])):
        tail = [x.start() for x in re.finditer(r"\b(?:all|any|each|every)\b", text[begin:end])]
        return (begin + tail[-1], end) if tail else (begin + m.start(), end)
    return begin, max(begin, end)


def next_edge(marks: Marks, pattern: re.Pattern[str], at: int, high: int) -> int:
    """The first match of `pattern` after `at` that stands at the same bracket level, or `high`."""
    text = marks.text
    here = marks.enclosing(at)[0]
    for n, m in enumerate(pattern.finditer(text, at, high)):
        if marks.enclosing(m.start())[0] == here:
            return m.start()
        if n > 200:
            break
    return high


def span(text: str, a: int, b: int) -> Span:
    """A stretch without the spaces and commas at its ends."""
    while a < b and text[a] in " ,;—":
        a += 1
    while b > a and text[b - 1] in " ,;—":
        b -= 1
    return a, max(a, b)
