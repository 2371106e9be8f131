"""What the reference interpreter speaks of: three truth values, individuals, and what a property leads to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kb.language.case import Facts

Tri = bool | None  # true, false, not known
Env = dict[str, Any]  # bound names; "this" is the focus, "without" the norms left out of a quantity
NONE: frozenset[str] = frozenset()
Named = frozenset[tuple[str, str]] | None  # what may be presumed: a thing and a term


def both(values: Iterable[Tri]) -> Tri:
    """Strong Kleene `and`; what comes after a False is not looked at."""
    found: Tri = True
    for value in values:
        if value is False:
            return False
        found = found and value
    return found


def either(values: Iterable[Tri]) -> Tri:
    """Strong Kleene `or`; what comes after a True is not looked at."""
    found: Tri = False
    for value in values:
        if value is True:
            return True
        found = None if value is None else found
    return found


def no(value: Tri) -> Tri:
    """Strong Kleene `not`."""
    return None if value is None else not value


@dataclass(eq=False)
class One:
    """One individual: what is stated of it, and the classes that follow by the tree. made: (owner, role, class)."""

    name: str
    facts: Facts
    types: frozenset[str]
    denied: frozenset[str]
    made: tuple[One, str, str] | None = None


@dataclass
class Values:
    """What a property leads to, whether that is all, and whether "all" is presumed."""

    things: list[One] = field(default_factory=list)
    complete: bool = True
    presumed: bool = False
    barred: frozenset[str] = frozenset()  # what a norm says is none of them
    untold: bool = False  # nothing is said of them, and no norm is open
    perhaps: frozenset[str] = frozenset()  # what an open norm may add
    no_more: bool = False  # the only possible further values are those in perhaps
