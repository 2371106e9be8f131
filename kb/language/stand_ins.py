"""What stands in English for the names that a condition binds: `this squad`, for `Squad as one`, wherever `one` is spoken of.

plain(vocabulary, c)   a condition without its own names, each told by its kind
kinds(vocabulary, c)   by name, what it is told as; of_norm(vocabulary, norm)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from kb.language import norms as m
from kb.language.binding import over_parts, renamed
from kb.language.english import noun
from kb.language.kinds import kindly
from kb.language.vocabulary import Vocabulary

T = TypeVar("T")
MOST = 20_000  # norms whose names are remembered
# By identity; what is in it lives on, so that its number stays its own.
NAMED: dict[tuple[int, int], tuple[Vocabulary, m.Norm, dict[str, str]]] = {}


def kinds(vocabulary: Vocabulary, c: object) -> dict[str, str]:
    """By name that a condition binds, what it is called where no thing of a case stands for it: `this squad`, `this one`."""
    found: dict[str, str] = {}

    def walk(node: object) -> None:
        if isinstance(node, m.Bind):
            found.setdefault(node.var, that(vocabulary, node.of))
        for part in m.made_of(node):
            walk(part)

    walk(c)
    return found


def of_norm(vocabulary: Vocabulary, norm: m.Norm) -> dict[str, str]:
    """The same of the names that a norm binds: its head speaks of those of its condition."""
    key = id(vocabulary), id(norm)
    found = NAMED.get(key)
    if found is None:
        if len(NAMED) >= MOST:
            NAMED.clear()
        named = kinds(vocabulary, (norm.when, norm.head, *(u.condition for u in norm.unless)))
        found = NAMED[key] = vocabulary, norm, named
    return dict(found[2])


def that(vocabulary: Vocabulary, c: m.Condition) -> str:
    """`this squad`, of what is a squad that is pinned; `this one`, of what may be of any kind."""
    match c:
        case m.Named(name) if kindly(vocabulary, c):
            said = noun(vocabulary.classes[name])
            for article in ("a ", "an "):
                if said.startswith(article):
                    return f"this {said.removeprefix(article)}"
            return said
        case m.And(parts):
            return next((said for said in (that(vocabulary, part) for part in parts) if said != "this one"), "this one")
        case m.Except(base):
            return that(vocabulary, base)
        case m.Bind(of, _):
            return that(vocabulary, of)
    return "this one"


def plain(vocabulary: Vocabulary, c: T) -> T:
    """A condition that binds no names: it speaks of the kinds of what they stand for."""
    found = kinds(vocabulary, c)
    return called(unbound(c), found) if found else c


def unbound(node: T) -> T:
    """A condition, or a part of one, that gives no names."""
    if isinstance(node, m.Bind):
        return unbound(node.of)  # type: ignore[return-value]
    found: T = over_parts(node, unbound)
    return found


def called(node: T, names: Mapping[str, str]) -> T:
    """A condition, or a part of one, that speaks of things by what they are called."""
    for name, said in names.items():
        node = renamed(node, name, said)
    return node
