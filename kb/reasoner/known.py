"""How the value of a property is known, where no norm relates the two."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class Stated(Struct, frozen=True):
    """The case states it, by this property ("": in a way of its own)."""

    code: ClassVar[str] = "stated"
    by: str = ""


class Implied(Struct, frozen=True):
    """An axiom on the class of the thing implies that there is something."""

    code: ClassVar[str] = "implied"
    by: str


class Chained(Struct, frozen=True):
    """A chain of properties leads to it, or a narrower property that has chains."""

    code: ClassVar[str] = "chain"
    chain: tuple[str, ...]


class Transitive(Struct, frozen=True):
    """The property leads on from what it leads to."""

    code: ClassVar[str] = "transitive"
    by: str


class WorkedOut(Struct, frozen=True):
    """A built-in relation works it out. soft: as far as is presumed."""

    code: ClassVar[str] = "module"
    by: str
    soft: bool
