"""Findings about what rules point to: references that lead nowhere, to nothing on the point, or to what is not loaded; numbers left out.

A reference is on the point where the rule that it names says something of what the sentence needs: of a term that the exception or the sentence
turns on, or of one whose words stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.language import norms as m
from kb.language.rule_number import under
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.study import Study, bare, named, shortened
from kb.rulebook.soundness import Cited
from kb.texts import references

WORDS = re.compile(r"[A-Za-z⅝-]{2,}")
EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "by",
        "at",
        "it",
        "is",
        "as",
        "or",
        "and",
        "for",
        "not",
        "no",
        "that",
        "what",
        "with",
        "which",
        "who",
        "from",
        "be",
        "its",
        "their",
        "there",
    ]
)
BEFORE = re.compile(r"([A-Za-z-]+)\s*\($")
ALIKE = 5  # letters that two forms of a word begin with alike: connects, connected
SIBLING = re.compile(r"^(?P<parent>.*\d)(?P<digit>\d)$")


@dataclass(frozen=True)
class Pointer:
    """A reference in a sentence: the rule named; the exception that it stands in ("" for none), and the word right before it."""

    rule: str
    to: str
    sentence: m.Sentence
    label: str
    text: str
    word: str


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of a book's references and numbers."""
    every = list(pointers(study))
    yield from off_point(study, every)
    yield from missing(study, every)
    yield from lone(study, every)
    yield from not_loaded(study, every)
    yield from numbering(study)


def pointers(study: Study) -> Iterator[Pointer]:
    """The references of all sentences, examples left out."""
    aliases = {alias: ch.id for ch in study.book.chapters for alias in ch.aliases}
    for section in study.sections.values():
        prefix = re.match(r"[A-Z]*", section.rule)
        for sentence in section.sentences:
            if sentence.example:
                continue
            for ref in references.find(sentence.text, prefix[0] if prefix else ""):
                to = ref.rule
                for alias, chapter in aliases.items():
                    if to.startswith(f"{alias}."):
                        to = chapter + to.removeprefix(alias)
                inside = [e for e in sentence.exceptions if ref.text in e.text]
                label = inside[-1].label if inside else ""
                word = BEFORE.search(sentence.text[: ref.start])
                text = inside[-1].text if inside else sentence.text
                yield Pointer(section.rule, to, sentence, label, text, word[1] if word else "")


def loaded(study: Study, rule: str) -> list[m.Section]:
    """The sections of a rule and of those under it."""
    return [s for name, s in study.sections.items() if name == rule or under(name, rule)]


# ── on the point ──


def off_point(study: Study, every: list[Pointer]) -> Iterator[Finding]:
    """A finding for each reference to a loaded rule that says nothing of what it is named for."""
    seen: set[tuple[str, str, str]] = set()
    for pointer in every:
        home = [s for s in loaded(study, pointer.to) if s.norms]
        if not home or pointer.to == pointer.rule or under(pointer.rule, pointer.to) or under(pointer.to, pointer.rule):
            continue
        needed = needs(study, pointer)
        # that it is about what an exception takes out is not yet that it says what is then so
        taken = {n for norm in study.sections[pointer.rule].norms for n in narrowed(norm).get(pointer.label, ())}
        if not needed or on_point(study, pointer, needed, {t for s in home for n in s.norms for t in said(n)} - taken):
            continue
        if (pointer.rule, pointer.to, pointer.label) in seen:
            continue
        first = not any((rule, name) == (pointer.rule, pointer.label) for rule, _, name in seen)
        seen.add((pointer.rule, pointer.to, pointer.label))
        what = labels(study, needed)
        says = f"{pointer.rule} points to {pointer.to} (“{shortened(bare(pointer.text), 14)}”), which says nothing of {what}."
        about = named(dict.fromkeys(s.title for s in home))
        yield Finding(
            study.book.id, "reference-off-point", (pointer.rule, pointer.to), says, f"Is {pointer.to} ({about}) the rule that is meant?",
            "what the rule named concludes, held against what the sentence turns on and against its words", LIKELY,
            (), tuple(sorted(needed)), (bare(pointer.sentence.text),), None, pointer.label if first else f"{pointer.label} {pointer.to}",
        )  # fmt: skip


def needs(study: Study, pointer: Pointer) -> set[str]:
    """The terms of which the rule named should say something: those of the exception, or what the sentence says."""
    section = study.sections[pointer.rule]
    found: set[str] = set()
    for norm in section.norms:
        if pointer.label:
            for unless in norm.unless:
                if unless.label == pointer.label:
                    found |= {*m.names_in(unless.condition), *said(norm)}
            if norm.excepts == pointer.label or pointer.label in narrowed(norm):
                found |= said(norm)
        elif pointer.sentence.number in norm.sentences:
            found |= said(norm)
    return found


def narrowed(node: object) -> dict[str, set[str]]:
    """The exceptions by which a norm narrows a kind of thing in its condition or its number: by label what each takes out."""
    found = {node.label: set(m.names_in(node.carve))} if isinstance(node, m.Except) and node.label else {}
    for part in m.made_of(node):
        found |= narrowed(part)
    return found


def said(norm: m.Norm) -> set[str]:
    """What a norm says something of, without what it says it of."""
    match norm.head:
        case m.Deontic(_, act):
            return {act}
        case m.CountsAs(_, target, _):
            return {target}
        case m.Relates(_, role, _, _):
            return {role}
        case m.QuantityHead(_, quantity, _, _, _):
            return {quantity}
        case m.Effect(cls=term) | m.Change(quantity=term) | m.Link(role=term):
            return {term.removeprefix(m.NO_MORE)}


def on_point(study: Study, pointer: Pointer, needed: set[str], told: set[str]) -> bool:
    """Whether a rule that says something of the terms `told` is on the point."""
    terms = study.theory.vocabulary
    if any(alike(pointer.word, w) for s in loaded(study, pointer.to) for w in content(s.title)):
        return True  # that the thing is told of there is all that is said
    if pointer.word:  # what stands right before the reference is what it is named for
        meant = {t for t in needed if any(alike(pointer.word, w) for w in content(label(study, t)))}
        if meant:
            return any(related(study, a, b) for a in meant for b in told)
    if any(related(study, a, b) for a in needed for b in told):
        return True
    text = {w.casefold() for w in WORDS.findall(bare(pointer.text))}
    for name in told:
        term = terms.classes.get(name) or terms.properties.get(name)
        for form in (term.label, *term.alt) if term else ():
            words = content(form)
            if words and all(any(alike(w, t) for t in text) for w in words):
                return True
    return False


def related(study: Study, one: str, other: str) -> bool:
    """Whether two terms are the same, or one is a kind of the other."""
    classes, properties = study.theory.vocabulary.classes, study.theory.vocabulary.properties
    if one in classes and other in classes:
        return one in classes[other].ancestors or other in classes[one].ancestors
    if one in properties and other in properties:
        return one in properties[other].below or other in properties[one].below
    return one == other


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one."""
    a, b = one.casefold(), other.casefold()
    return a == b or (min(len(a), len(b)) >= ALIKE and a[:ALIKE] == b[:ALIKE])


def content(text: str) -> list[str]:
    """The words of a label that say something."""
    return [w.casefold() for w in WORDS.findall(text) if w.casefold() not in EMPTY]


def label(study: Study, name: str) -> str:
    """A term as people call it."""
    terms = study.theory.vocabulary
    term = terms.classes.get(name) or terms.properties.get(name)
    return term.label if term else name


def labels(study: Study, names: set[str]) -> str:
    """Some terms as people call them."""
    found = sorted({label(study, n) for n in names})
    return ", ".join(found[:4]) + (" …" if len(found) > 4 else "")


# ── there at all ──


def missing(study: Study, every: list[Pointer]) -> Iterator[Finding]:
    """A finding for each reference to a rule that its chapter, which is loaded, has not."""
    cited = Cited(study.book)
    for rule, to, text in dict.fromkeys((p.rule, p.to, p.text) for p in every if cited.missing(p.to)):
        yield Finding(
            study.book.id, "reference-missing", (rule, to), f"{rule} points to {to}, a rule that its chapter has not: “{shortened(bare(text), 14)}”.",
            f"Is there a rule {to}?", "the numbers of the chapter's rules", PROVEN, (), (to,),
        )  # fmt: skip


def lone(study: Study, every: list[Pointer]) -> Iterator[Finding]:
    """A finding for each rule that is not loaded and that one norm alone names: no sentence, no scope, no term and no other norm does."""
    cited, by_ref = Cited(study.book), dict[str, set[str]]()
    for norm in study.norms.values():
        for ref in (*norm.cites, *norm.needs, *(r for u in norm.unless for r in u.cites)):
            if cited.away(ref):
                by_ref.setdefault(ref, set()).add(norm.part_of or norm.id)
    known = {p.to for p in every} | {
        ref for chapter in study.book.chapters for row in chapter.scope for ref in row.refs
    }
    known |= {part.strip() for term in study.theory.vocabulary.all() for part in term.source.split(",")}
    for ref, norms in by_ref.items():
        if len(norms) > 1 or ref in known or any(under(other, ref) for other in known):
            continue
        (name,) = norms
        rule = name.partition("/")[0]
        yield Finding(
            study.book.id, "reference-missing", (rule, ref), f"{name} names {ref}; no sentence, no scope, no term and no other norm does.",
            f"Is {ref} the rule that is meant?", "the references of norms, held against all other places that name rules", LIKELY, (name,), (ref,),
        )  # fmt: skip


def not_loaded(study: Study, every: list[Pointer]) -> Iterator[Finding]:
    """A finding for each rule that leans on others which are not loaded."""
    cited = Cited(study.book)
    by_rule: dict[str, list[str]] = {}
    for pointer in every:
        by_rule.setdefault(pointer.rule, []).append(pointer.to)
    for norm in study.norms.values():
        refs = (*norm.needs, *norm.cites, *(r for u in norm.unless for r in u.cites))
        by_rule.setdefault(norm.rule, []).extend(refs)
    chapters = {name for ch in study.book.chapters for name in (ch.id, *ch.aliases)}
    for rule, named_there in by_rule.items():
        away = [
            r for r in dict.fromkeys(named_there) if r not in chapters and not loaded(study, r) and not cited.missing(r)
        ]
        if away:
            needed = sorted({n for norm in study.sections[rule].norms for n in norm.needs} & set(away))
            turns = f"; an answer that turns on {named(needed)} is incomplete" if needed else ""
            yield Finding(
                study.book.id, "reference-not-loaded", (rule,), f"{rule} leans on {named(away)}, not loaded{turns}.",
                f"Does anything in {named(away)} change what {rule} says?", "the references of sentences and norms", PROVEN, (), tuple(away),
            )  # fmt: skip


def numbering(study: Study) -> Iterator[Finding]:
    """A finding for each number that is left out below a rule."""
    below: dict[str, list[int]] = {}
    for rule in study.sections:
        if (found := SIBLING.match(rule)) and found["parent"] in study.sections:
            below.setdefault(found["parent"], []).append(int(found["digit"]))
    for parent, digits in below.items():
        gaps = sorted(set(range(1, max(digits))) - set(digits)) if min(digits) else []
        if gaps:
            gone = [f"{parent}{digit}" for digit in gaps]
            rules = (parent, *(f"{parent}{d}" for d in sorted(digits)))
            yield Finding(
                study.book.id, "numbering", rules, f"Under {parent} there is {named(rules[1:])}, and no {named(gone)}.",
                f"Was there a rule {gone[0]}?", "the numbers of the chapter's rules", PROVEN, (), tuple(gone),
            )  # fmt: skip
