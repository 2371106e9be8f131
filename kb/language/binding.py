"""The names that a condition binds, and the individuals and words that take the place of others in it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from kb.language.conditions import Bind, Count, Not, Of, Only, Path

T = TypeVar("T")


def renamed(node: T, old: str, new: str) -> T:
    """A condition, or a part of one, that speaks of the individual `new` wherever this one speaks of `old`."""
    found: Any = node
    match node:
        case Path(root, _) | Of(root, _) if root == old:
            found = replace(found, root=new)
    if isinstance(found, tuple):
        return tuple(renamed(part, old, new) for part in found)  # type: ignore[return-value]
    if hasattr(found, "__dataclass_fields__"):
        parts = {f.name: renamed(getattr(found, f.name), old, new) for f in fields(found)}
        return replace(found, **parts)  # type: ignore[no-any-return]
    return found  # type: ignore[no-any-return]


def speaks_of(node: object, name: str) -> bool:
    """Whether a condition names an individual."""
    return renamed(node, name, "") != node


def unbound(node: object) -> set[str]:
    """The names that a condition, or a part of one, speaks of and does not itself give."""
    match node:
        case Path(root, _):
            found = {root} - {"", "this"}
        case Of(root, of):
            found = {root, *unbound(of)} - {"", "this"}
        case tuple():
            found = set().union(*map(unbound, node))
        case _ if hasattr(node, "__dataclass_fields__"):
            found = set().union(*(unbound(getattr(node, f)) for f in node.__dataclass_fields__))
        case _:
            found = set()
    return found - given(node)


def given(node: object) -> set[str]:
    """The names that trying a condition gives to individuals."""
    match node:
        case Bind(of, name):
            return {name, *given(of)}
        case tuple():
            return set().union(*map(given, node))
        case Not() | Only() | Count():
            return set()
        case _ if hasattr(node, "__dataclass_fields__"):
            return set().union(*(given(getattr(node, f)) for f in node.__dataclass_fields__))
    return set()
