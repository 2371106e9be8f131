"""Exceptions as objects: what introduces each, what it says, what it modifies, and which exception it stands in.

A bracket that closes a clause modifies the clause; one in mid-clause modifies the phrase before it. An exception made
with a word modifies the clause it hangs on, or the quantified phrase before it ("any hex except …").
"""

from __future__ import annotations

import re

from kb.texts.brackets import CLAUSE_EDGE, PREPOSITION, WINDOW, Marks, trimmed
from kb.texts.model import BRACKET, BUT_NOT, EXCEPT, ONLY, UNLESS, ExceptionClause, Reference, Span

MOST = 200  # exceptions of one sentence; more are not made into objects, and the reader is told

OWN = re.compile(r"[(\[]\s*(?:EXC|Exc|EXCEPTIONS?|Exceptions?)\s*[:;.,]?\s+")
WORDS = re.compile(
    r"\b(?:(?P<unless>[Uu]nless)"
    r"|(?P<except>[Ee]xcept(?:ing)?|[Ee]xcluding|[Aa]part from|[Oo]ther than|[Ww]ith the exception of)"
    r"|(?P<only>[Oo]nly)|(?P<butnot>[Bb]ut not)(?! (?:only|limited)))\b"
)
KINDS = {"unless": UNLESS, "except": EXCEPT, "only": ONLY, "butnot": BUT_NOT}
NO_EXCEPTION = re.compile(r"\b(?:not|if|the|of)\s+$|\beven (?:if|though)\b[^.;,()]*$", re.I)
MODAL = re.compile(
    r"\b(?:may|must|can|cannot|could|is|are|was|were|has|have|need|does|do|will|would|should|appears?|attacks?|enters?|affects?)\b"
)
ONLY_EDGE = re.compile(
    r";|—|,\s(?:and|but|or(?!\s(?:through|by|in|on|at|from|to|for|with|during)\b)|so|with|even|which|because|while|it|they|he|the|a|all|any)\b"
    r"|\s(?:and|or|but)\s(?=(?:may|must|can|cannot|will|is|are|then)\b)|\s(?=and\s[A-Z]{2,}\s(?:to|from|is|may)\b)"
)
COMMA = re.compile(",")
BUT_NOT_EDGE = re.compile(r",|\s(?=all\b)")
CLOSES_CLAUSE = re.compile(
    r"\s*(?:$|[.;:!?—,)\]]|(?:or|and|but)\s+(?:may|must|can|cannot|is|are|was|were|has|have|does|do|will)\b)"
)
ADVERBIAL = re.compile(r"(?:not\s+)?(?:if|when|while|during|once|unless|as)\b", re.I)
NESTS = re.compile(r"\b(?:unless|except that)\s+")
ONLY_WORD = re.compile(r"\bonly\b", re.I)
AGAIN = re.compile(r",?\s(?:and|but)(?: even then| again| then)?\s$")
JOINED = re.compile(r",\s(?:and|but|or)\s(?!only\b)")
OWN_SUBJECT = re.compile(
    r"(?:they|it|he|she|this|that|these|those|the|an?|each|all|such)\b[^,;]{0,80}\b(?:may|must|can|cannot|will|is|are)\s*"
)
DETERMINED = re.compile(
    r"\s+(?:the|a|an|one|this|these|those|[A-Z][a-z]+)\s(?!then)[^,;]{0,200}?\b(?:may|must|can|is|are)\b"
)
OF_PHRASE = re.compile(r"\b(?:for|to|in|at|on|by|with|from|during)\b", re.I)
QUANTIFIED = re.compile(
    r"\b(?:all|any|each|every|no|nobody|nothing|none)\b(?:\s+(?!(?:except|unless)\b)[^\s,;()\[\]]+){0,5}\s*$", re.I
)
QUANTIFIER = re.compile(r"\b(?:all|any|each|every)\b")
OF_CLAUSE = re.compile(r"\s+(?:that|to|as|during|with|if|when|in|for|by)\b(?! from)")
OF_THOSE = re.compile(r"\s+(?:that|those)\s+(?:from|of|in|which|who)\b")
THOSE = re.compile(r"[Ee]xcept (?:those|that|for those)\b")


def find(text: str, refs: tuple[Reference, ...]) -> tuple[ExceptionClause, ...]:
    """The exceptions of one sentence, outermost first. A bracket that is never closed runs to the sentence's end."""
    if not OWN.search(text) and not WORDS.search(text):
        return ()
    marks = Marks.of(text)
    found = [*brackets(marks), *words(marks)]
    found.sort(key=lambda f: (f[1], -f[2]))
    out: list[ExceptionClause] = []
    stack: list[int] = []
    for n, (kind, start, end, inner, (a, b)) in enumerate(found[:MOST]):
        while stack and (found[stack[-1]][2] < end or found[stack[-1]][0] in (ONLY, BUT_NOT)):
            stack.pop()
        mine = tuple(i for i, r in enumerate(refs[:MOST]) if start <= r.start and r.end <= end)
        out.append(ExceptionClause(kind, inner, start, end, text[a:b], a, b, stack[-1] if stack else -1, mine))
        stack.append(n)
    return tuple(out)


Found = tuple[str, int, int, str, Span]
"""Kind, start, end, what it says, target."""


def brackets(marks: Marks) -> list[Found]:
    """The exceptions in brackets of their own."""
    text, closing = marks.text, dict(marks.pairs)
    last = len(text.rstrip(".!? "))
    out: list[Found] = []
    for m in OWN.finditer(text):
        end = closing.get(m.start())
        inner = text[m.end() : last if end is None else end].strip()
        stop = max(last, m.end()) if end is None else end + 1
        out.append((BRACKET, m.start(), stop, inner, bracket_target(marks, m.start(), stop, inner)))
        if len(out) == MOST:
            break
    return out


def bracket_target(marks: Marks, start: int, stop: int, inner: str) -> Span:
    """What a bracketed exception modifies."""
    text = marks.text
    low, _ = marks.enclosing(start) if start else (0, 0)
    begin = marks.clause(start, low)
    end = marks.solid_end(start)
    begin = min(begin, end)
    if not CLOSES_CLAUSE.match(text, stop):
        if ADVERBIAL.match(inner):
            return begin, end
        return marks.phrase(begin, end, bool(PREPOSITION.match(inner)))
    if m := PREPOSITION.match(inner):  # "of 70mm [of 100mm, …]": the phrase that begins as the exception does
        near = [x.start() for x in re.finditer(rf"\b{m.group()}\b", text[begin:end])]
        if near and near[-1] > 0 and len(text[begin + near[-1] : end].split()) <= 4:
            return begin + near[-1], end
    outer = [m.end() for m in NESTS.finditer(text, begin, end) if marks.enclosing(m.start())[0] == low]
    return (outer[-1] if outer and outer[-1] < end else begin), end


def words(marks: Marks) -> list[Found]:
    """The exceptions made with a word."""
    text = marks.text
    out: list[Found] = []
    for m in WORDS.finditer(text):
        kind, at, after = KINDS[m.lastgroup or ""], m.start(), m.end()
        if kind == ONLY and NO_EXCEPTION.search(text[max(0, at - 60) : at]):
            continue
        low, high = marks.enclosing(at)
        if high == len(text):
            high = len(text.rstrip('.!?"” '))
        make = {UNLESS: unless, EXCEPT: unless, ONLY: only, BUT_NOT: but_not}[kind]
        start, end, target = make(marks, kind, at, after, low, max(after, min(high, at + WINDOW)))
        out.append((kind, start, end, text[start:end].strip(" ,"), target))
        if len(out) == MOST:
            break
    return out


Made = tuple[int, int, Span]
"""Start, end, target."""


def fills_bracket(marks: Marks, at: int, low: int) -> bool:
    """Whether an exception begins where its bracket does: "(unless …)"."""
    return low > 0 and low > at - 9 and not marks.text[low:at].strip()


def unless(marks: Marks, kind: str, at: int, after: int, low: int, high: int) -> Made:
    """ "unless …", "except …": the clause before is what it modifies, or the quantified phrase in it."""
    text = marks.text
    if fills_bracket(marks, at, low):
        return at, high, before_bracket(marks, low - 1, text[at : at + 30])
    start = marks.clause(at, low) if at > low else at
    leads = not text[start:at].strip(' ,;—"“')
    edge = marks.next_edge(CLAUSE_EDGE, after, high)
    if leads and at <= low + 2:  # "Except during X, the rule": up to the first comma; the rest is what it modifies
        comma = marks.next_edge(COMMA, after, edge)
        return (at, comma, trimmed(text, comma + 1, edge)) if comma < edge else (at, edge, (start, at))
    if leads:  # "the rule—except that …": the clause before the dash
        before = len(text[max(0, at - WINDOW) : at].rstrip(" ,;:—–-")) + max(0, at - WINDOW)
        start = marks.clause(before, low) if before > low else at
    found = None
    if kind == EXCEPT and (not OF_CLAUSE.match(text, after) or OF_THOSE.match(text, after)):
        found = QUANTIFIED.search(text[max(start, at - 100) : at])
    return at, edge, trimmed(text, max(start, at - 100) + found.start() if found else start, at)


def but_not(marks: Marks, kind: str, at: int, after: int, low: int, high: int) -> Made:
    """ "but not …": carves out of what stands before it."""
    if fills_bracket(marks, at, low):
        return at, high, before_bracket(marks, low - 1, "")
    edge = marks.next_edge(ONLY_EDGE, after, high)
    return at, marks.next_edge(BUT_NOT_EDGE, after, edge), trimmed(marks.text, marks.clause(at, low), at)


def only(marks: Marks, kind: str, at: int, after: int, low: int, high: int) -> Made:
    """ "only …": restricts the clause before it; or, as "Only X may …" and "for X only", what stands after it."""
    text = marks.text
    start = marks.clause(at, low) if at > low else at
    joined = list(JOINED.finditer(text, start, at))
    if joined and OWN_SUBJECT.fullmatch(text, joined[-1].end(), at):
        start = joined[-1].end()
    leads = not text[start:at].strip(' ,;—"“')
    again = AGAIN.search(text[start:at])
    if again and DETERMINED.match(text, after):
        leads = True
    elif again:  # "only before play, and only in woods": both restrict the same clause
        first = ONLY_WORD.search(text, start, start + again.start())
        stop = first.start() if first else start + again.start()
        return at, marks.next_edge(ONLY_EDGE, after, high), trimmed(text, start, stop)
    edge = marks.next_edge(CLAUSE_EDGE if leads else ONLY_EDGE, after, high)
    if leads and (verb := MODAL.search(text, after, edge)):
        _, end = trimmed(text, at, verb.start())
        return at, end, trimmed(text, verb.start(), marks.next_edge(ONLY_EDGE, verb.end(), edge))
    following = text[after : after + 2].lstrip()[:1]
    if following in (",", ".", ";", "(", "") or after >= edge:  # the phrase before is the restriction
        own = list(OF_PHRASE.finditer(text, start, at))
        begin = own[-1].start() if own else start
        if begin == start and following == ",":
            return begin, after, trimmed(text, after + 1, marks.next_edge(CLAUSE_EDGE, after, high))
        if following == "(":
            after = dict(marks.pairs).get(text.index("(", after), after - 1) + 1
        return begin, after, trimmed(text, start, begin)
    if fills_bracket(marks, at, low):
        return at, high, before_bracket(marks, low - 1, "")
    return at, edge, trimmed(text, start, at)


def before_bracket(marks: Marks, bracket: int, said: str) -> Span:
    """What an exception that fills a bracket modifies: the clause before the bracket, or the phrase it quantifies."""
    text = marks.text
    low, _ = marks.enclosing(bracket) if bracket else (0, 0)
    end = marks.solid_end(bracket)
    begin = min(marks.clause(bracket, low), end)
    if THOSE.match(said) and (found := list(QUANTIFIER.finditer(text, begin, end))):
        begin = found[-1].start()
    return begin, end
