"""What would settle or turn an answer: a fact that is missing, and a change that leads to another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kb.language.case import Amount, Edit, Fact, LeadsTo
from kb.language.phrases import say_fact
from kb.language.vocabulary import Vocabulary


@dataclass(frozen=True)
class Missing:
    """A fact that would settle an open answer, and the outcome each way. given: what has to be so first; settles: whether
    neither outcome is open; rules: those that ask for it."""

    fact: Fact
    edits: tuple[tuple[Edit, ...], tuple[Edit, ...]]
    if_true: str
    if_false: str
    settles: bool = False
    rules: tuple[str, ...] = ()
    given: Fact | None = None

    @property
    def whatever(self) -> bool:
        """Whether it asks what something is, a number or the end of a relation, and not whether something is so."""
        return isinstance(self.fact, LeadsTo) or (isinstance(self.fact, Amount) and not (self.fact.op or self.given))

    def said(self, vocabulary: Vocabulary) -> str:
        """What it asks, in English."""
        given = f", if {say_fact(vocabulary, self.given)}" if self.given is not None else ""
        return say_fact(vocabulary, self.fact) + given


@dataclass(frozen=True)
class Flip:
    """A smallest change that turns the answer: of facts, of one rule, or of a reading."""

    kind: str  # facts, rule, reading
    verdict: str
    facts: tuple[Fact, ...] = ()
    norm: str = ""  # the one that is struck
    reading: tuple[str, str] = ("", "")  # a dispute, and how it is read
    edits: tuple[Edit, ...] = ()
    value: Fraction | None = None

    def said(self, vocabulary: Vocabulary) -> str:
        """The change in English."""
        if self.kind == "rule":
            return f"without {self.norm}"
        if self.kind == "reading":
            return "{} is read as “{}”".format(*self.reading)
        return ", and ".join(say_fact(vocabulary, fact) for fact in self.facts)
