"""What a theory works out once of a set of classes, and of a property: a kind, what follows from it alone, and the ways to a value. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kb.language import norms as m
from kb.language.case import Facts


class Leaf(NamedTuple):
    """Whether things of a kind are of a class, as far as the kind alone says. why "": norms or definitions say more."""

    node: m.Named
    value: bool | None
    why: str
    soft: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """What a set of stated and denied classes entails: kept, for cases repeat them.

    existential: property to class, for what must be there; source: the stated class that entails each entailed or
    excluded one. fits remembers which classes a thing of this kind can be said to be; deontic and numbers, which norms
    can speak of it in a question, or of its numbers; scope, the rows of the chapters' scopes that can be about it; unnamed and could
    (kb.reasoner.unnamed), the same as leaves of one that nobody told.
    """

    stated: frozenset[str]
    types: frozenset[str]
    denied: frozenset[str]
    existential: dict[str, str]
    source: dict[str, str]
    fits: dict[str, bool | None]
    deontic: dict[str, tuple[frozenset[str], list[tuple[Any, int]]]]
    numbers: dict[str, list[m.Norm]]
    leaves: dict[str, Leaf]
    scope: list[tuple[m.ScopeRow, ...]]
    unnamed: dict[str, Leaf]
    could: list[Any]


@dataclass(frozen=True, slots=True)
class Way:
    """How the values of a property are found. below, inverses: the properties that state one of them; presumed: silence
    means that there is none; indirect: chains, modules, norms or transitivity may add to what is stated. alone: nothing but
    its own name and its inverses states a value. chains: the steps of each, with
    whether it goes the other way; openers: what states the first step of one, from its own side and from the other (None:
    not only statements do); chained: the narrower properties that have chains; tellers: the properties that a value is told by,
    narrower ones, the first of each chain, and those whose values a norm hands on; along: the chain at whose end it is told, which leads
    through what must be there, and of which silence says the same."""

    below: tuple[str, ...]
    inverses: tuple[str, ...]
    functional: bool
    derived: str
    presumed: bool
    indirect: bool
    alone: bool
    chains: tuple[tuple[tuple[str, ...], tuple[tuple[str, bool], ...]], ...]
    openers: tuple[frozenset[str], frozenset[str]] | None
    chained: tuple[str, ...]
    tellers: frozenset[str]
    along: tuple[str, ...]

    def opens(self, x: Facts, back: Mapping[str, object], implied: Mapping[str, str]) -> bool:
        """Whether a chain may start at a thing: by what is stated of it, by what is stated to lead to it, or by its kind."""
        if self.openers is None:
            return True
        own, other = self.openers
        return not (own.isdisjoint(x.links) and own.isdisjoint(implied) and other.isdisjoint(back))
