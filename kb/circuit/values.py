"""What holds in which lanes: a truth value is two integers, whose bits say of each lane that it is so, and that it is not so.

A lane is one variant of a case. Neither bit of a lane set: not known. A number, and anything else that is not a truth value, is a
dictionary from each of its values to the lanes that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from kb.language.case import Facts
from kb.rulebook.theory import Kind

Tri = tuple[int, int]  # the lanes in which it is so, and those in which it is not
K = TypeVar("K")
Parts = dict[K, int]  # each value, with its lanes
NO_LANES: Mapping[Any, int] = {}


class Form(Struct, frozen=True, eq=False):
    """One way in which a thing is told, and the lanes that tell it so."""

    facts: Facts
    kind: Kind
    lanes: int


class One:
    """An individual in all lanes at once. forms: how it is told; here: the lanes that have it; blank: whether nobody told it, and it
    stands for whatever a relation leads to; made: (owner, role) of what an axiom implies.

    Most ways to tell it differ in one fact, so what is asked most is put together: kinds: each kind that it has, with its lanes; links: by
    relation, what it is told to lead to, with the lanes; unsure: the lanes that say of something that it is not known."""

    __slots__ = ("blank", "denied", "forms", "here", "kinds", "known", "links", "made", "name", "spoken", "unsure")

    def __init__(self, name: str, forms: list[Form], blank: bool = False, made: tuple[One, str] | None = None):
        self.name, self.forms, self.blank, self.made = name, forms, blank, made
        self.gather()

    def gather(self) -> None:
        """Puts together what is told; again, where there is a new way in which it is told."""
        kinds: dict[int, tuple[Kind, int]] = {}
        links: dict[str, dict[tuple[str, ...], int]] = {}
        self.here = self.unsure = 0
        for form in self.forms:
            lanes, kind = form.lanes, form.kind
            self.here |= lanes
            kinds[id(kind)] = kind, kinds.get(id(kind), (kind, 0))[1] | lanes
            for role, ends in form.facts.links.items():
                put(links.setdefault(role, {}), ends, lanes)
            if form.facts.unknown:
                self.unsure |= lanes
        self.kinds, self.links = list(kinds.values()), links
        self.known: dict[Any, int] = {}
        self.denied: dict[str, int] = {}
        self.spoken: dict[str, int] = {}

    def where(self, key: Any, test: Callable[[Form], bool]) -> int:
        """The lanes in which what is told of it passes a test, remembered under a key."""
        found = self.known.get(key)
        if found is None:
            found = 0
            for form in self.forms:
                if test(form):
                    found |= form.lanes
            self.known[key] = found
        return found

    def is_a(self, cls: str) -> int:
        """The lanes in which it is a cls by what is stated and the class tree."""
        found = self.known.get(cls)
        if found is None:
            found = 0
            for kind, lanes in self.kinds:
                if cls in kind.types:
                    found |= lanes
            self.known[cls] = found
        return found

    def is_no(self, cls: str) -> int:
        """The lanes in which it is none, in the same way."""
        found = self.denied.get(cls)
        if found is None:
            found = 0
            for kind, lanes in self.kinds:
                if cls in kind.denied:
                    found |= lanes
            self.denied[cls] = found
        return found

    def told(self, role: str) -> int:
        """The lanes in which it is told to what a relation of it leads, be it to nothing."""
        return union(self.links[role].values()) if role in self.links else 0

    def alone(self, role: str) -> int:
        """The lanes that tell that a relation of it leads to nothing."""
        return self.links[role].get((), 0) if role in self.links else 0

    def tells(self, roles: frozenset[str]) -> int:
        """The lanes in which one of some relations of it is told."""
        return union(self.told(role) for role in self.links if role in roles)

    def has_some(self, quantity: str) -> int:
        """The lanes in which a number of it is told that is not 0."""
        return self.where(("some", quantity), lambda form: bool(form.facts.numbers.get(quantity)))

    def unknown(self, names: frozenset[str] | tuple[str, ...]) -> int:
        """The lanes that say of one of some words that it is not known."""
        return self.unsure and self.where(("?", names), lambda form: any(name in names for name in form.facts.unknown))

    def __repr__(self) -> str:
        return f"<{self.name}>"


Env = dict[str, Any]  # bound names; "this" is the focus
World = tuple[int, int, Env]  # a truth value, and what the names then stand for


class Links(Struct, eq=False):
    """What a property leads to, each with its lanes; the lanes in which that is all, in which "all" is presumed, in which nothing is
    told, and in which nothing but `perhaps` may be more. barred: by name, what a norm says is none of them."""

    things: Mapping[One, int] = NO_LANES
    complete: int = 0
    presumed: int = 0
    barred: Mapping[str, int] = NO_LANES
    untold: int = 0
    perhaps: Mapping[str, int] = NO_LANES
    no_more: int = 0


def union(lanes: Iterable[int]) -> int:
    """The lanes that are in one or more."""
    found = 0
    for some in lanes:
        found |= some
    return found


def put(parts: Parts[K], value: K, lanes: int) -> None:
    """Adds a value in some lanes."""
    if lanes:
        parts[value] = parts.get(value, 0) | lanes


def joined(a: Parts[Any], b: Parts[Any], join: Callable[[Any, Any], K]) -> Parts[K]:
    """What comes of two values in each lane that has both."""
    found: Parts[K] = {}
    for u, some in a.items():
        for v, others in b.items():
            if some & others:
                put(found, join(u, v), some & others)
    return found


def within(parts: Parts[K], lanes: int) -> Parts[K]:
    """The values in some lanes alone."""
    return {value: some & lanes for value, some in parts.items() if some & lanes}


def vectors(lanes: int, columns: Sequence[Tri]) -> list[tuple[int, tuple[bool | None, ...]]]:
    """The lanes put together in which all of some truth values are the same, with these."""
    found: list[tuple[int, tuple[bool | None, ...]]] = [(lanes, ())] if lanes else []
    for true, false in columns:
        rows: list[tuple[int, tuple[bool | None, ...]]] = []
        for some, values in found:
            for part, value in ((some & true, True), (some & false, False), (some & ~(true | false), None)):
                if part:
                    rows.append((part, (*values, value)))
        found = rows
    return found
