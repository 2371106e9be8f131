"""Whether a condition says of what kind a thing is, or only how it is; and of what kind what a relation leads to is."""

from __future__ import annotations

from kb.language import english, norms as m
from kb.language.english import noun
from kb.language.relations import verbal
from kb.language.terms import PropertyTerm
from kb.language.vocabulary import Vocabulary

WIDE = ("Unit", "Piece", "Act", "Place")  # kinds that say no more than `something`


def kind_at(vocabulary: Vocabulary, role: m.Role, positive: bool = True) -> str:
    """The kind of what a relation leads to, where that says something of it: `a skill test`; else `something`, `anything`."""
    term = vocabulary.properties[role.name]
    name = term.domain if role.inverse else term.range
    named = name in vocabulary.classes and name not in WIDE and not stative(vocabulary, m.Named(name))
    return noun(vocabulary.classes[name]) if named else "something" if positive else "anything"


def stative(vocabulary: Vocabulary, c: m.Condition) -> bool:
    """Whether a condition only says how a thing is, and not of what kind: `pinned`, `pinned or not in Good Order`."""
    match c:
        case m.Named(name):
            return english.stative(vocabulary, name)
        case m.Not(m.Named()):
            return True
        case m.And(parts) | m.Or(parts):
            return all(stative(vocabulary, part) for part in parts)
    return False


def kindly(vocabulary: Vocabulary, c: m.Condition) -> bool:
    """Whether a condition says of what kind a thing is, so that it can be called by it: `a gun or a mortar`."""
    match c:
        case m.Named(name):
            return not stative(vocabulary, c) and not noun(vocabulary.classes[name]).startswith("that ")
        case m.Or(parts):
            return all(kindly(vocabulary, part) for part in parts)
        case m.And(parts):
            return any(kindly(vocabulary, part) for part in parts)
        case m.Except(base):
            return kindly(vocabulary, base)
        case m.Bind(of, _) | m.Of(_, of):
            return kindly(vocabulary, of)
    return False


def manifold(term: PropertyTerm) -> bool:
    """Whether a relation's name cannot stand for the one thing at its end: no noun, or a plural (firers)."""
    return verbal(term) or term.label.endswith("s")
