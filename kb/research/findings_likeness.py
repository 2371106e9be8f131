"""Findings about what is left to the reader's sense of likeness: one thing said to be as another, lists that may go on, states of which one rule says
how long they last and another does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_references import label
from kb.research.findings_words import BY_WORDS, sentences
from kb.research.study import Study, bare, named, terms_of

LIKE = re.compile(
    r"(?<!not )\b(just as|as if|treated as|(?:counts?|reckoned) as(?! (?:ever|usual))|in every way|in all respects|is as an?|is like an?|as an? (?:[\w-]+ ){1,4}would)\b",
    re.I,
)
BOUNDED = re.compile(r"^For\b|\bas if\b[^\[\]]*,? for [A-Z]")  # for what it is so is told
GOES_ON = re.compile(r"\b(such as|are such|and the like)\b|, (as) [A-Z]\w+(?:, \w+)* (?:or|and) \w+,")
MOST_RULES = 6  # of those that speak of the one thing


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of this kind."""
    yield from likenesses(study)
    yield from open_lists(study)
    yield from how_long(study)


def likenesses(study: Study) -> Iterator[Finding]:
    """A finding for each sentence that says of one thing that it is as another, with the rules that speak of the other."""
    for section, sentence, norms in sentences(study):
        met = LIKE.search(sentence.text)
        if met is None or BOUNDED.search(sentence.text):
            continue
        other = [n for n in spoken_of(study, sentence.text[met.start() :])]
        rules = [
            r
            for r in dict.fromkeys(n.rule for n in study.theory.norms.values() if set(other) & turned_on(n))
            if r != section.rule
        ]
        speak = (
            f" Of {named(f'“{label(study, n)}”' for n in other)} {named(rules[:MOST_RULES])} speak{'s' if len(rules) == 1 else ''}{', and others' if len(rules) > MOST_RULES else ''}."
            if rules
            else ""
        )
        yield Finding(
            study.book.id, "modality", (section.rule, *rules[:MOST_RULES]), f"“{met[0]}” in {section.rule} leaves open how far the likeness goes.{speak}",
            f"Does all that is said of the one hold for the other by {section.rule}?", BY_WORDS, LIKELY, tuple(n.id for n in norms), (met[0].casefold(), *other),
            (bare(sentence.text),), None, f"like {sentence.number}",
        )  # fmt: skip


def turned_on(norm: m.Norm) -> set[str]:
    """The terms that a norm is about: those of its condition, and its subject."""
    return {*terms_of(norm), m.subject_of(norm.head)}


def spoken_of(study: Study, text: str) -> list[str]:
    """The book's own classes that the first words of a text name, the longest names alone."""
    said = re.split(r"[,;:\[\]()]", text)[0].casefold()
    found: dict[str, str] = {}
    for name, term in study.theory.vocabulary.classes.items():
        if f"/{study.book.id}#" not in term.iri:
            continue
        for form in (term.label, *term.alt):
            if (
                len(form) > 2
                and re.search(rf"(?<![\w-]){re.escape(form.casefold())}s?(?![\w-])", said)
                and len(form) > len(found.get(name, ""))
            ):
                found[name] = form.casefold()
    return sorted(n for n, form in found.items() if not any(form != o and form in o for o in found.values()))


def open_lists(study: Study) -> Iterator[Finding]:
    """A finding for each sentence that gives some of a kind, and leaves open whether these are all."""
    for section, sentence, norms in sentences(study):
        met = GOES_ON.search(sentence.text)
        if met is not None and norms:
            word = met[1] or met[2]
            yield Finding(
                study.book.id, "modality", (section.rule,), f"“{word}” in {section.rule} leaves open whether more belong to the list; it is encoded as it stands.",
                f"Are these all that {section.rule} means?", BY_WORDS, LIKELY, tuple(n.id for n in norms), (word,), (bare(sentence.text),), None, f"list {sentence.number}",
            )  # fmt: skip


def how_long(study: Study) -> Iterator[Finding]:
    """A finding for each two rules that bring about one state, of which the one says until when and the other does not."""
    effects = [(n, n.head) for n in study.theory.norms.values() if isinstance(n.head, m.Effect) and not n.head.ends]
    lasting: dict[tuple[str, str], list[tuple[m.Norm, m.Norm]]] = {}
    for norm, head in effects:
        for other, its in effects:
            if head.term == its.term and other.until and not norm.until and norm.rule != other.rule:
                lasting.setdefault((norm.rule, head.term), []).append((norm, other))
    for (rule, term), rows in lasting.items():
        norm, other = rows[0]
        says = f"{norm.id} {phrases.say_head(study.theory.vocabulary, norm.head)} and does not say until when; by {named(o.id for _, o in rows)} it lasts {named(f'until {e}' for e in other.until)}."
        yield Finding(
            study.book.id, "gap", tuple(dict.fromkeys((rule, *(o.rule for _, o in rows)))), says, f"Until when is it so by {rule}?", "what effects bring about, held against the ends that others have",
            PROVEN, tuple(dict.fromkeys(n.id for row in rows for n in row)), (term,), (study.chain(norm), study.chain(other)), None, f"until {term}",
        )  # fmt: skip
