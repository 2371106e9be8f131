"""What may be asked of a staged case: by the built-in relations and classes, and by the conditions and numbers of norms.

Situation answers them for the reasoner; the checker's own interpreter answers those of the built-ins for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import Vocabulary
from kb.reasoner.trace import Links, Outcome, Step, Thing
from kb.rulebook.theory import Theory


class Surroundings(Protocol):
    """What a built-in sees: the things of a case, what they are related to, and what has been done."""

    @property
    def case(self) -> Case:
        """The case as it is told."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of the book."""

    @property
    def things(self) -> Mapping[str, Any]:
        """The things by name."""

    @property
    def done(self) -> Collection[str]:
        """The acts that have been done."""

    def successors(self, x: Any, name: str, /) -> Any:
        """What a relation leads to from a thing."""


class World:
    """What a condition or a number is evaluated in: a staged case under a theory, and what was remembered of it."""

    theory: Theory
    vocabulary: Vocabulary
    case: Case
    things: dict[str, Thing]
    done: set[str]

    def looks_around(self) -> None:
        """Notes that what is being worked out goes by more than one thing that nobody told."""
        raise NotImplementedError

    def thing(self, name: str) -> Thing | None:
        """The thing of a name."""
        self.looks_around()
        return self.things.get(name)

    def once(self, memory: dict[Any, Step], slot: Any, work: Callable[..., Step], *given: Any) -> Step:
        """What `work` gives, remembered as soon as all that it leans on is known."""
        raise NotImplementedError

    def first(self, x: Thing, cls: str) -> Step:
        """Whether a thing is of a class, asked for the first time."""
        raise NotImplementedError

    def successors(self, x: Thing, name: str, inverse: bool = False) -> Links:
        """What a relation leads to from a thing."""
        raise NotImplementedError

    def reach(self, x: Thing, name: str, inverse: bool, key: str) -> Links:
        """The same, under the key that it is remembered by."""
        raise NotImplementedError

    def quantity(self, x: Thing, name: str, without: frozenset[str] = frozenset()) -> Step:
        """A number of a thing; without: the norms left out."""
        raise NotImplementedError

    def outcome(self, norm: m.Norm, x: Thing) -> Outcome:
        """Whether a norm applies to a thing."""
        raise NotImplementedError

    def named(self, x: Thing) -> bool:
        """Whether the case speaks of a thing by a name."""
        raise NotImplementedError

    def blank(self, x: Thing, role: str) -> Thing:
        """What stands for whatever a relation may lead to, where nothing is told."""
        raise NotImplementedError
