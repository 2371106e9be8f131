"""Lines to blocks: headings of three styles of rulebook, paragraphs, and what is neither (page heads, chrome).

Decimal: `7.51 VEHICLES/ORDNANCE: text`, `30.12 text`, a title run in and in capitals.
Titled: `20.3 Movement and Occupying` on a line of its own.
Bulleted: `### Heading (P213)` and `- bullets`, which are numbered under their heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.texts.model import Finding, Leftover, Span

LINE = re.compile(r"[^\n\f]*(?:\n|\f|\Z)")
HASHES = re.compile(r"(#{1,6})\s+")
BULLET = re.compile(r"(?:[-*•·▪◦‣–]|\\item)\s+(?=\S)")
QUOTE = re.compile(r"(?:>\s?)+")
NUMBER = re.compile(
    r"(?:\*\*|__)?(?P<letters>[A-Z]{0,4})(?P<num>\d{1,4}(?:\.\d{1,6}){0,5})(?P<dot>\.)?(?P<end>(?:\*\*|__)?[\s\xa0\x00-\x08]+|(?:\*\*|__)?$)"
)
RUN_IN_TITLE = re.compile(
    r"(?P<title>[^:.!?\[\]\n]{1,80}?)\s?:(?P<note>\d{1,2}|[⁰¹²³⁴-⁹]{1,3})?(?P<bold>\*\*|__)?(?=\s|$)"
)
TITLE_NOTE = re.compile(r"(?<=[A-Za-z)])(\d{1,2}|[⁰¹²³⁴-⁹]{1,3}|\[\^\w{1,8}\]|[†‡*])$")
PAGE_MARK = re.compile(r"\s*\((?:[Pp]|pp?\.|page)\s?(\d{1,4})\)\s*$")
CONTINUED = re.compile(r"\s*\((?:continued|cont(?:'d|inued)?\.?)\)\s*$", re.I)
BARE = re.compile(
    r"(?:[A-Z]{1,4}\s+)?\d{1,4}(?:\.\d{1,6}){0,3}\.?(?:\s+[A-Z]{1,4})?|[A-Z]|(?:[Pp]age|PAGE|p\.)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|[-–—]\s*\d{1,4}\s*[-–—]"
)
TURN = re.compile(
    r"\(?\s*(?:also\s+)?(?:see|continued?|cont'd|turn|please turn)\b[^()\n]{0,50}"
    r"\b(?:side|page|over|overleaf|column|reverse)\b[^()\n]{0,20}\)?\.?",
    re.I,
)
RULE_LINE = re.compile(r"(?:[-=_*~]\s?){3,}")
PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,300}\)|<!--.{0,300}?-->|<img\b[^>\n]{0,300}>")
CHROME = {
    "skip to content", "skip to main content", "skip to navigation", "menu", "search", "home", "log in", "login",
    "sign in", "register", "back to top", "table of contents", "contents", "toggle navigation", "share", "share this",
    "print", "print this page", "previous", "next", "next page", "previous page", "leave a comment", "privacy policy",
    "cookie policy", "accept cookies", "all rights reserved", "subscribe", "download", "download pdf",
    "edit this page", "powered by wordpress", "close", "facebook", "twitter", "navigation",
}  # fmt: skip
COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright\b)(?=.*(?:\d{4}|rights)).{0,160}", re.I)
SMALL = {"of", "and", "the", "in", "to", "vs", "vs.", "for", "a", "an", "or", "at", "on", "with", "by", "from", "under"}
HANGING = {
    "the",
    "a",
    "an",
    "of",
    "to",
    "in",
    "or",
    "and",
    "by",
    "with",
    "for",
    "from",
    "at",
    "is",
    "are",
    "may",
    "must",
    "any",
    "its",
}
MAX_TITLE = 10  # words
EXAMPLE = re.compile(r"(?:\*\*|__|\*)?(?:EX|Ex|Example|EXAMPLE)S?\s?:")


RUN_IN = re.compile(
    r"(?<=\s)(?P<bold>\*\*|__)?(?P<letters>[A-Z]{0,4})(?P<num>\d{1,4}(?:\.\d{1,6}){1,4})(?:\*\*|__)?\s{1,3}(?=[A-Z\"“])"
)


HEADING, PARAGRAPH = "heading", "paragraph"


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
    """A text in blocks; what was left over, and what was found wrong and mended."""

    blocks: list[Block] = field(default_factory=list)
    leftovers: list[Leftover] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def title_of(rest: str) -> tuple[str, str, int] | None:
    """(title, footnote mark, length with its colon) of a title run in after a number; every word has a capital."""
    m = RUN_IN_TITLE.match(rest)
    if not m:
        return None
    title = m.group("title").strip("*_ ")
    words = re.findall(r"[A-Za-z][A-Za-z'’]*", title)
    if not words or len(words) > MAX_TITLE or not all(any(c.isupper() for c in w) or w in SMALL for w in words):
        return None
    if words[0] in SMALL or (len(words) == 1 and words[0] in ("Note", "NOTE", "EX", "Exception", "EXC")):
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
