"""Pointers to other rules: numbers with and without the chapter's letters, ranges, lists; and where they lead."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from kb.texts.model import DANGLING, NOT_LOADED, PAGE, SECTION, Reference, Section

NUMBER = re.compile(
    r"(?<![\w.$/'’])(?P<letters>[A-Z]{1,4})?"
    r"(?P<num>\d{1,3}\.\d{1,6}(?:\.\d{1,6})*|(?<=[A-Z])\.\d{1,4}|\d{1,3}\.(?=[)\];,]))"
    r"(?P<range>\s?[-–—]\s?(?P<to_letters>[A-Z]{1,4})?(?P<to>\d{0,3}\.?\d{1,6}(?:\.\d{1,6})*)(?![\w%]))?(?![\w%])"
)
PAGE_REF = re.compile(r"\(\s*(?:see\s+)?(?:P|p\.?|pp\.|page)\s?(\d{1,4})\s*\)")
WHOLE = re.compile(
    r"\b(?:[Ss]ee(?: also)?|[Aa]s per|[Pp]er|[Uu]nder|[Rr]ules?|[Ss]ections?|[Cc]hapter)\s+"
    r"(?P<letters>[A-Z]{1,4})(?P<num>\d{1,3})(?![\w.])"
)
CUE = re.compile(
    r"(?:\b(?:see|per|also|in|under|by|rules?|sections?|of|and|or|to|with|from|than|cf\.|vs)|§|[(\[;,])\s*$", re.I
)
UNIT = re.compile(r"\s?(?:MF|MP|FP|mm|cm|km|m|kg|hex(?:es)?|inch(?:es)?|points?|times|[\"”%×½])(?![a-z])")
SIGN = re.compile(r"[-+=×≤≥<>$*]\s?$")


def find(text: str, prefix: str) -> tuple[Reference, ...]:
    """The references of one sentence, in order. `prefix`: the chapter letters of numbers that are written without."""
    out: list[Reference] = []
    opened = brackets(text)
    for m in NUMBER.finditer(text):
        letters, num = m.group("letters") or "", m.group("num")
        end = m.end()
        ranged = m.group("range")
        if ranged and not is_range(num, m.group("to"), m.group("to_letters") or ""):
            ranged, end = None, m.start("range")
        if not letters and (UNIT.match(text, end) or SIGN.search(text, max(0, m.start() - 2), m.start())):
            continue
        inside = bool(opened) and opened[m.start()] == 1
        follows = out and text[out[-1].end : m.start()].strip(" ,;&/") in ("", "and", "or", "to")
        if (
            not letters
            and not inside
            and not follows
            and not CUE.search(text, max(0, m.start() - 12), m.start())
            and not at_start(text, m)
        ):
            continue
        if num.endswith(".") and not inside:
            continue
        rule = full(letters or prefix, num)
        to = full(m.group("to_letters") or letters or prefix, completed(num, m.group("to"))) if ranged else ""
        out.append(Reference(text[m.start() : end], rule, m.start(), end, to))
    for m in PAGE_REF.finditer(text):
        out.append(Reference(m.group().strip("()"), f"P{m.group(1)}", m.start() + 1, m.end() - 1, "", PAGE))
    for m in WHOLE.finditer(text):
        out.append(
            Reference(
                m.group("letters") + m.group("num"), m.group("letters") + m.group("num"), m.start("letters"), m.end()
            )
        )
    out.sort(key=lambda r: r.start)
    return tuple(out)


def at_start(text: str, m: re.Match[str]) -> bool:
    """Whether a number without letters begins the sentence as its subject: "8.3 applies"."""
    return m.start() == 0 and bool(re.match(r"\s[a-z]", text[m.end() :]))


def brackets(text: str) -> bytearray:
    """For each character 1 where it stands inside a bracket; empty when there are none."""
    out = bytearray()
    if "(" not in text and "[" not in text:
        return out
    depth = 0
    for ch in text:
        if ch in "([":
            depth += 1
        elif ch in ")]" and depth:
            depth -= 1
        out.append(depth > 0)
    return out


def full(letters: str, num: str) -> str:
    """The id of a rule, without a full stop at its end: "A" and "15." are A15, "C" and ".7" are C.7."""
    return letters + num.rstrip(".")


def is_range(num: str, to: str, to_letters: str) -> bool:
    """Whether two numbers joined by a dash are a range of rules, not of quantities."""
    return "." in to or bool(to_letters) or (len(to) <= 3 and "." in num and not num.endswith("."))


def completed(num: str, to: str) -> str:
    """The last number of a range, written out: ".62" after 8.61 is 8.62, "45" after 30.42 is 30.45."""
    if to.startswith("."):
        return num.split(".")[0] + to
    if "." in to:
        return to
    head, _, tail = num.rpartition(".")
    return f"{head}.{tail[: max(0, len(tail) - len(to))]}{to}"


@dataclass(frozen=True)
class Loaded:
    """The sections at hand, to resolve references in."""

    rules: frozenset[str]
    spans: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, sections: Iterable[Section]) -> Loaded:
        """The rules of some sections."""
        return cls.of_rules(s.rule for s in sections)

    @classmethod
    def of_rules(cls, ids: Iterable[str]) -> Loaded:
        """The rules with these numbers."""
        rules = frozenset(filter(None, ids))
        spans: dict[str, list[tuple[str, ...]]] = {}
        for rule in rules:
            spans.setdefault(major(rule), []).append(key(rule))
        for keys in spans.values():
            keys.sort()
        return cls(rules, spans)

    def status(self, rule: str, to: str = "") -> str:
        """Whether a reference leads to a section at hand, to one not loaded, or nowhere.

        It dangles when sections before and after it are loaded and it is not among them.
        """
        if rule in self.rules and (not to or to in self.rules):
            return SECTION
        for one in (rule, to) if to else (rule,):
            if one in self.rules:
                continue
            keys = self.spans.get(major(one), [])
            at = bisect_left(keys, key(one))
            if 0 < at < len(keys) or (len(keys) and at == 0 and key(one) == keys[0]):
                return DANGLING
        return NOT_LOADED


def major(rule: str) -> str:
    """The section before the first full stop: B30 of B30.42."""
    return rule.split(".")[0]


def key(rule: str) -> tuple[str, ...]:
    """Orders rules as decimals: 30.1, 30.11, 30.2."""
    head, _, tail = rule.partition(".")
    return (head, *tail)


def resolve(sections: Iterable[Section], loaded: Loaded) -> list[Section]:
    """The sections with the status of each reference filled in."""
    out = []
    for section in sections:
        changed = False
        sentences = []
        for s in section.sentences:
            if s.references:
                refs = tuple(
                    r if r.status == PAGE else replace(r, status=loaded.status(r.rule, r.to)) for r in s.references
                )
                if refs != s.references:
                    s, changed = replace(s, references=refs), True
            sentences.append(s)
        out.append(replace(section, sentences=tuple(sentences)) if changed else section)
    return out
