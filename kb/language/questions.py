"""Questions in English, from the ontology's own sentences: `does move lead into a pillbox?`, `what is shot aimed at?`"""

from __future__ import annotations

import re

from kb.language import norms as m
from kb.language.english import PERFECT, complement, role_phrase, say_link, verbal
from kb.language.inflection import base_form
from kb.language.vocabulary import Vocabulary

FRONTED = ("is", "are", "was", "can", "could", "may", "must")  # verbs that a question begins with


def whether(subject: str, predicate: str) -> str:
    """`squad`, `is pinned` to `is squad pinned?`; `carries a gun` to `does squad carry a gun?`."""
    verb, _, rest = predicate.partition(" ")
    if verb in FRONTED or PERFECT.match(predicate):
        return f"{verb} {subject} {rest}".rstrip() + "?"
    return f"does {subject} {base_form(verb)} {rest}".rstrip() + "?"


def whether_is(vocabulary: Vocabulary, subject: str, cls: str) -> str:
    """`is squad pinned?`."""
    return whether(subject, complement(vocabulary.classes[cls]))


def whether_linked(vocabulary: Vocabulary, name: str, subject: str, other: str) -> str:
    """`is foe in yard?`; `does move lead into a pillbox?`."""
    said = say_link(vocabulary, m.Role(name), subject, other)
    for first, second in ((subject, other), (other, subject)):
        if said.startswith(f"{first} ") and second in said[len(first) :]:
            return whether(first, said[len(first) + 1 :])
    head, middle, tail = said.partition(" is ")
    return f"is {head} {tail}?" if middle else f"is it so that {said}?"


def what_linked(vocabulary: Vocabulary, name: str, subject: str) -> str:
    """`what does move lead into?`; `what is in yard?`; `what phase is shot in?`."""
    term = vocabulary.properties[name]
    gap, _, predicate = term.verbalization.partition(" ")
    if gap == "{o}" and "{s}" in predicate:
        return f"what {predicate.replace('{s}', subject)}?"
    if gap == "{s}" and predicate.endswith("{o}"):
        bare = predicate.removesuffix("{o}").strip()
        articled = re.search(r"\b(an?|the)$", bare)
        what = "what" if articled is None or verbal(term) else f"what {term.label}"
        return f"{what} {whether(subject, re.sub(r' (an?|the)$', '', bare))}"
    return f"what is {role_phrase(vocabulary, m.Role(name), subject)}?"
