"""Findings about numbers: a norm gives one that its sentence does not have, in figures or in words.

Where the number stands in another rule, that rule wants citing; where it stands nowhere, it is the encoder's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from kb.language import norms as m
from kb.language.rule_number import under
from kb.research.finding import LIKELY, Finding
from kb.research.findings_gaps import main
from kb.research.findings_references import label
from kb.research.findings_words import sentences
from kb.research.study import Study, bare, named

# A number in figures; not a part of a rule's number (30.35), of a name (L44) or of another number.
FIGURE = re.compile(r"(?<![\w.])(\d+)(?!\.?\d)")
SIGNS = {"½": Fraction(1, 2), "⅓": Fraction(1, 3), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
IN_WORDS = {
    Fraction(0): r"no|not|nothing|none|never|nor|neither|nobody|without|free|zero|cannot|ignor\w+|instead|lacks?|only",
    Fraction(1, 3): r"third",
    Fraction(1, 2): r"half|halv\w+|Area Fire",
    Fraction(1): r"one|once|first|single",
    Fraction(2): r"two|twice|doubl\w+|both|second|pair",
    Fraction(3): r"three|thrice|tripl\w+|third",
    Fraction(4): r"four|fourth", Fraction(5): r"five|fifth", Fraction(6): r"six|sixth", Fraction(7): r"seven|seventh",
    Fraction(8): r"eight|eighth", Fraction(9): r"nine|ninth", Fraction(10): r"ten|tenth",
    Fraction(11): r"eleven", Fraction(12): r"twelve|dozen",
}  # fmt: skip
# A number with what it counts: in figures or words, an inch's sign or a noun in the plural after it.
MEASURE = re.compile(
    r"(?<![\w.+/-])(\d+|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:(\")| ([a-z][a-z-]+s)\b)", re.I
)
LEAST = 3  # one and two count whatever there is
WORDS = {value: re.compile(rf"\b(?:{words})\b", re.I) for value, words in IN_WORDS.items()}


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of numbers."""
    yield from untold(study)
    yield from in_several_rules(study)


def in_several_rules(study: Study) -> Iterator[Finding]:
    """A finding for each measure, a number with what it counts, that sentences of several rules have: one of these may be changed alone."""
    met: dict[tuple[str, str], dict[str, tuple[m.Sentence, list[m.Norm]]]] = {}
    for section, sentence, norms in sentences(study):
        for number, sign, noun in MEASURE.findall(sentence.text):
            value = next((str(v) for v, words in WORDS.items() if words.fullmatch(number)), number)
            if norms and Fraction(value) >= LEAST:
                met.setdefault((value, sign or noun.casefold()), {}).setdefault(section.rule, (sentence, norms))
    for (value, unit), by_rule in met.items():
        if len(by_rule) > 1:
            said = f"{value}{unit}" if unit == '"' else f"{value} {unit}"
            yield Finding(
                study.book.id, "repeated", tuple(by_rule), f"{said} stands in {named(by_rule)}, and no rule says that it is one number.",
                f"If it is changed in {next(iter(by_rule))}, does it change in the others?", "figures with what they count, in the sentences of several rules", LIKELY,
                tuple(n.id for _, norms in by_rule.values() for n in norms), (said,), tuple(bare(s.text) for s, _ in by_rule.values()), None, f"measure {said}",
            )  # fmt: skip


def untold(study: Study) -> Iterator[Finding]:
    """A finding for each number that a rule's norms give and no text of theirs has; what is written under one id shares one."""
    seen: set[tuple[str, Fraction]] = set()
    for norm in study.theory.norms.values():
        value = given(norm.head)
        written = (norm.part_of or norm.id, value or Fraction(0))
        if value is None or written in seen or norm.rule not in study.sections or has(texts(study, norm), value):
            continue
        seen.add(written)
        term = label(study, main(norm))
        yield Finding(
            study.book.id, "untold-number", (norm.rule,), f"{norm.id} gives “{term}” the number {value}, which no sentence of it has.",
            f"Where is it said that “{term}” is {value}?", "the numbers of norms, held against their sentences and the rules that they cite", LIKELY,
            (norm.id,), (main(norm),), (study.chain(norm),), None, f"{norm.part_of or norm.id} {value}",
        )  # fmt: skip


def given(head: m.Head) -> Fraction | None:
    """The number that a head gives; None where it reckons one, or only has its say."""
    if isinstance(head, m.QuantityHead) and str(head).startswith(m.KEEPS):
        return None
    return worth(head.value) if isinstance(head, m.QuantityHead | m.Change) else None


def worth(expr: m.Expr) -> Fraction | None:
    """What an expression of nothing but numbers comes to; None of any other."""
    match expr:
        case m.Num(value):
            return value
        case m.Arith("/", m.Num(above), m.Num(below)) if below:
            return above / below
        case m.Arith("-", m.Num(less), m.Num(more)):
            return less - more
    return None


def texts(study: Study, norm: m.Norm) -> Iterator[str]:
    """Where a norm's number may stand: its own sentences and title, and the rules and tables that it cites or goes over."""
    section = study.sections[norm.rule]
    yield section.title
    yield from (s.text for s in section.sentences if s.number in norm.sentences)
    named = {*norm.cites, *norm.needs, *(r for u in norm.unless for r in u.cites)}
    for rule, other in study.sections.items():
        if any(rule == ref or under(rule, ref) for ref in named):
            yield from (s.text for s in other.sentences)


def has(lines: Iterable[str], value: Fraction) -> bool:
    """Whether a number stands in a text, in figures, as a sign or in words; its sign is not looked at."""
    size = abs(value)
    for text in lines:
        figures = {Fraction(n) for n in FIGURE.findall(text)} | {v for sign, v in SIGNS.items() if sign in text}
        if size in figures or (size in WORDS and WORDS[size].search(text)):
            return True
    return False
