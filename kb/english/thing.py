"""A thing of a question: what is told of it, in the names of the ontology."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

SIDES = ("Friendly", "Enemy")
ACT, NATION = "Act", "Nationality"


@dataclass(eq=False)
class Thing:
    """A thing of the question, as far as it is told. apart: it is one more than those before (another, a second)."""

    name: str = ""
    kinds: list[str] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)  # of what it is said that it is not known
    links: dict[str, list[Thing]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    spot: str = ""
    said: str = ""
    count: int = 1  # how many there are of it
    shown: bool = False  # it was pointed at: this hex
    definite: bool = False  # it was met as the one: the pillbox
    letter: str = ""  # by which a place is told: A
    another: bool = False  # it is one more than those before
    nth: int = 0  # which of several acts it is: a second hit
    # those that were told together with it, each of which is told more of
    fellows: list[Thing] = field(default_factory=list)
    far: str = ""  # how far off it is: a number of the act that it takes part in
    off: Thing | None = None  # from what it is so far
    doing: list[str] = field(default_factory=list)  # how he is told to do what he is asked to do: using Bypass
    earlier: bool = False  # of an act: done in an earlier turn than what is asked about

    def link(self, role: str, other: Thing) -> None:
        """Relates it to another thing."""
        there = self.links.setdefault(role, [])
        if other not in there:
            there.append(other)

    def facts(self) -> list[str]:
        """What is told of it, by the names of the ontology."""
        return [*self.kinds, *self.denied, *self.links, *self.numbers, *self.flags]

    def add(self, names: Iterable[str]) -> None:
        """Says that it is of these classes."""
        self.kinds += [name for name in names if name not in self.kinds]
