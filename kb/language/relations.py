"""How a relation is said: as a sentence, as what it says of either end, and as what it leads to.

    sentence(vocabulary, role)            `{s} is in {o}`, with {s} for the thing it is said of, read backwards or not
    predicate_of(vocabulary, role)        `is in {o}`: said of the thing
    predicate_of_end(vocabulary, role)    `is aimed at it`: said of what it leads to
    role_phrase(vocabulary, role, x)      `occupant of yard`, `what shot is against`, `the place it is done from`

A relation's name is a noun (`target`) or says something (`against`, `comes into`); of the latter kind nothing can be said but by its sentence.
"""

from __future__ import annotations

import re

from kb.language import norms as m
from kb.language.inflection import third_person
from kb.language.terms import PropertyTerm
from kb.language.vocabulary import Vocabulary

PREPOSITIONS = (
    "into", "from", "at", "by", "with", "against", "in", "on", "through", "via", "to", "of", "under", "over", "for",
    "inside", "outside",
)  # fmt: skip
SAYING = ("chosen", "done", "made", "within")  # first words of names that are no nouns
ARTICLE = re.compile(r" ?\b(an?|the)$")


def sentence(vocabulary: Vocabulary, role: m.Role) -> str:
    """A relation's sentence, with {s} for the thing that it is said of and {o} for the other; "" where it has none."""
    said = vocabulary.properties[role.name].verbalization
    if "{s}" not in said or "{o}" not in said:
        return ""
    return said.replace("{s}", "{?}").replace("{o}", "{s}").replace("{?}", "{o}") if role.inverse else said


def predicate_of(vocabulary: Vocabulary, role: m.Role) -> str:
    """`carries {o}`: what a relation says of its subject; "" where its sentence does not begin with it."""
    gap, _, predicate = sentence(vocabulary, role).partition(" ")
    return predicate if gap == "{s}" else ""


def predicate_of_end(vocabulary: Vocabulary, role: m.Role, subject: str = "it") -> str:
    """`is in it`: what a relation whose sentence begins with its other end says of that end; else ""."""
    gap, _, predicate = sentence(vocabulary, role).partition(" ")
    return predicate.replace("{s}", subject) if gap == "{o}" else ""


def verbal(term: PropertyTerm) -> bool:
    """Whether a relation's name is no noun: `against`, `made with`, `enters`; so nothing is `the against of shot`."""
    words = term.label.split()
    if "{s}" not in term.verbalization:
        return False
    if words[-1] in (*PREPOSITIONS, "as") or words[0].endswith(("ing", "ed")) or words[0] in SAYING:
        return True
    if re.match(rf"\{{s\}} is (\w+ly )?{re.escape(words[0])}\b", term.verbalization):
        return True
    return term.verbalization.startswith("{s} ") and (third_person(words[0]) or words[0] in PREPOSITIONS)


def role_phrase(vocabulary: Vocabulary, role: m.Role, subject: str) -> str:
    """`occupant of yard`, `what shot is against`; read backwards `what has yard as its outside`."""
    term = vocabulary.properties[role.name]
    if not role.inverse and not verbal(term):
        return f"{term.label} of {subject}"
    if not sentence(vocabulary, role):
        return f"what has {subject} as its {term.label}" if role.inverse else f"{term.label} of {subject}"
    return clause(vocabulary, role, subject)


def clause(vocabulary: Vocabulary, role: m.Role, subject: str) -> str:
    """What a relation leads to, by its sentence: `what shot is against`, `the place it is done from`, `what is aimed at box`."""
    term = vocabulary.properties[role.name]
    reached = term.domain if role.inverse else term.range
    place = reached in vocabulary.classes and "Place" in vocabulary.classes[reached].ancestors
    if predicate := predicate_of(vocabulary, role):
        first, _, rest = predicate.partition("{o}")
        said = ARTICLE.sub("", first.rstrip()) + rest.removeprefix(":")
        return f"{'the place' if place else 'what'} {subject} {said}".rstrip()
    if predicate := predicate_of_end(vocabulary, role, subject):
        if one := re.match(r"is (?=\w+(ed|en|left)\b|left )", predicate):  # the one chosen by Random Selection
            return f"the one {predicate[one.end() :]}"
        return f"{'the place that' if place else 'what'} {predicate}"
    return f"{term.label} of {subject}"


def with_object(predicate: str, other: str, articled: bool) -> str:
    """`is in a {o}` and `a PFPh` to `is in a PFPh`; articled: whether the other brings an article of its own."""
    bare = re.sub(r"\b(an?|the|hex) \{o\}", "{o}", predicate) if articled else predicate
    return bare.replace("{o}", other)
