"""The names that a condition binds, and the individuals and words that take the place of others in it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kb.language.conditions import Bind, Count, Not, Of, Only, Path, Role, Some, made_of

T = TypeVar("T")
INWARDS = (Not, Only, Count)  # what names nothing outside of itself


def over_parts(node: T, change: Callable[[Any], Any]) -> T:
    """A condition or an expression with each part of it changed; itself where none is."""
    if isinstance(node, tuple):
        made = tuple([change(part) for part in node])
        return node if all(map(operator.is_, made, node)) else made  # type: ignore[return-value]
    if isinstance(node, Struct):
        parts = {name: getattr(node, name) for name in node.__struct_fields__}
        new = {name: now for name, was in parts.items() if (now := change(was)) is not was}
        return replace(node, **new) if new else node
    return node


def replaced(node: T, name: str, by: Path) -> T:
    """A condition or an expression that speaks of what a path leads to wherever this one speaks of the individual `name`."""
    found: Any = over_parts(node, lambda part: replaced(part, name, by))
    match found:
        case Path(root, steps) if root == name:
            found = Path(by.root, (*by.steps, *steps))
        case Of(root, condition) if root == name:
            for step in reversed(by.steps):
                condition = Some(Role(step), condition)
            found = Of(by.root, condition)
    return found  # type: ignore[no-any-return]


def renamed(node: T, old: str, new: str) -> T:
    """A condition, or a part of one, that speaks of the individual `new` wherever this one speaks of `old`."""
    return replaced(node, old, Path(new, ()))


def speaks_of(node: object, name: str) -> bool:
    """Whether a condition names an individual."""
    return renamed(node, name, "") != node


def unbound(node: object) -> set[str]:
    """The names that a condition, or a part of one, speaks of and does not itself give."""
    found: set[str] = set().union(*map(unbound, made_of(node)))
    if type(node) is Path or type(node) is Of:
        found |= {node.root} - {"", "this"}
    return found - given(node) if found else found


def given(node: object) -> set[str]:
    """The names that trying a condition gives to individuals."""
    if type(node) in INWARDS:
        return set()
    found: set[str] = set().union(*map(given, made_of(node)))
    return found | {node.var} if type(node) is Bind else found
