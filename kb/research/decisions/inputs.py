"""An input of a decision table: something that rules read, with the ways it may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from kb.language.case import Amount, Case, Edit, Fact, Facts, Reaches, Related
from kb.language.vocabulary import Vocabulary
from kb.reasoner.reason import turning
from kb.research.decisions.fillers import anything, positive

IS, FLAG, LINK, NUMBER = "is", "flag", "link", "number"
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Option:
    """One way in which an input may be. fact: what is then so, None where it is none of the others; edits: what a case then says."""

    fact: Fact | None
    edits: tuple[Edit, ...]


@dataclass(slots=True)
class Input:
    """Something that rules read. options: the ways it may be, the last of them none of the others; cuts: of a number, the limits
    that rules name, with whether what is exactly there lies below."""

    key: Key
    options: list[Option] = field(default_factory=list)
    rules: dict[str, None] = field(default_factory=dict)
    cuts: set[tuple[Fraction, bool]] = field(default_factory=set)

    @property
    def last(self) -> int:
        """The option that is none of the others."""
        return len(self.options) - 1


def between(key: Key, label: str, cuts: list[tuple[Fraction, bool]]) -> Iterator[Option]:
    """The options of a number: below the first limit, between each two, above the last."""
    _, thing, name = key
    for n in range(len(cuts) + 1):
        low = cuts[n - 1] if n else None
        high = cuts[n] if n < len(cuts) else None
        if low is None:
            assert high is not None
            op, value, sample = ("<=" if high[1] else "<"), high[0], high[0] - (0 if high[1] else 1)
        elif high is not None and low[0] == high[0]:
            op, value, sample = "=", low[0], low[0]
        elif high is None:
            op, value, sample = (">" if low[1] else ">="), low[0], low[0] + (1 if low[1] else 0)
        else:
            op, value, sample = (">" if low[1] else ">="), low[0], (low[0] + high[0]) / 2 if low[1] else low[0]
        yield Option(Amount(thing, label, name, op, value), (Edit("number", thing, name, sample),))


def led_to(option: Option) -> str:
    """The thing of the shape that an option puts into its relation; "" for none of them."""
    return str(option.edits[0].value[0]) if isinstance(option.fact, Related) else ""


def alike(one: Option, other: Option) -> bool:
    """Whether two options put the same thing of the shape into their relations, or a thing of the very same kind."""
    if led_to(one):
        return led_to(one) == led_to(other)
    return isinstance(one.fact, Reaches) and isinstance(other.fact, Reaches) and one.fact.filler == other.fact.filler


def akin(terms: Vocabulary, one: Option, other: Option) -> bool:
    """Whether of what two options put into a relation the one is of a kind that takes in the other's."""
    if not (isinstance(one.fact, Reaches) and isinstance(other.fact, Reaches)):
        return False
    if anything(other.fact.filler):
        return True
    mine, theirs = [*positive(one.fact.filler)], [*positive(other.fact.filler)]
    return any(a in terms.classes[b].ancestors or b in terms.classes[a].ancestors for a in mine for b in theirs)


def made_real(case: Case, situation: turning.Situation) -> Case:
    """A case with the things that must be there by what is told, so that they can be told more of."""
    for name, thing in situation.things.items():
        if thing.made is not None and name not in case.things and thing.made[0].name in case.things:
            owner, role, cls = thing.made
            facts = Facts(name, (cls,) if cls else (), label=thing.label)
            case = Edit("link", owner.name, role, (name, {name: facts})).apply(case)
    return case
