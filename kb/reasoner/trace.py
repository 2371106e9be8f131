"""What an evaluation leaves behind: things, steps, links, contributions and outcomes. Proofs are made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from msgspec import Struct

from kb.language import norms as m
from kb.language.case import Facts
from kb.reasoner.alternatives import Flip as Flip, Missing as Missing
from kb.reasoner.known import (
    Chained as Chained,
    Implied as Implied,
    Stated as Stated,
    Transitive as Transitive,
    WorkedOut as WorkedOut,
)
from kb.rulebook.theory import Kind

NOTHING: Mapping[str, Any] = MappingProxyType({})
NONE: Mapping[tuple[str, str], Any] = MappingProxyType({})

# Hundreds of these are made for each answer: msgspec makes them several times as fast as Python does. Equal is only the same.


class Thing(Struct, eq=False):
    """One individual of a staged case. `made` is (owner, role, class) when staging made it up.

    members, linked and outcomes remember what was found of it in this situation, by class, role and norm (None while it
    is being worked out); conditions, what was found of shared conditions. back: by property, the things stated to be related
    to this one. plain: what it is follows from its kind, unless
    norms or definitions say more. blank: nobody told it, and it stands for whatever a relation leads to. ended: stated classes that what has happened ended; caused: classes that it made it; pending: those it may have made it,
    with the norms that are open; tied: by relation and the name of what it leads to, the norm by which something that has happened
    related the two, or (True) ended that; loose: where that is open, what is; spared: those that it did not make it, as far as is presumed, with the norms. shifts: by number,
    what has happened to it.
    """

    name: str
    label: str
    facts: Facts
    kind: Kind
    plain: bool
    made: tuple[Thing, str, str] | None = None
    blank: bool = False
    soft: bool = False
    members: dict[str, Step | None] = {}
    linked: dict[str, Links | None] = {}
    outcomes: dict[str, Outcome | None] = {}
    conditions: dict[Any, Step] = {}
    back: Mapping[str, list[Thing]] = NOTHING
    ended: frozenset[str] = frozenset()
    caused: Mapping[str, Caused] = NOTHING
    pending: Mapping[str, tuple[Outcome | Step, ...]] = NOTHING
    spared: Mapping[str, tuple[Outcome, ...]] = NOTHING
    shifts: Mapping[str, tuple[Shift, ...]] = NOTHING
    tied: Mapping[tuple[str, str], tuple[Outcome, bool]] = NONE
    loose: Mapping[tuple[str, str], tuple[Outcome | Step, ...]] = NONE

    def forget(self) -> None:
        """Lets go of all that was found of it."""
        self.members.clear()
        self.linked.clear()
        self.outcomes.clear()
        self.conditions.clear()
        self.back = NOTHING

    @classmethod
    def implied(
        cls,
        name: str,
        label: str,
        kind: Kind,
        owner: Thing,
        role: str,
        is_: tuple[str, ...],
        not_: tuple[str, ...] = (),
    ) -> Thing:
        return cls(name, label, Facts(name, is_, not_), kind, False, (owner, role, is_[0] if is_ else ""))

    def __repr__(self) -> str:
        return f"<{self.name}>"


# Why a step comes out as it does: of a class or flag, of a relation, of a connective, of a number.
Why = Literal[
    "stated", "inferred", "staged", "denied", "disjoint", "presumed", "effect", "counts", "counts-not", "defined", "module",
    "unknown", "open", "conflict", "circular", "other-kind",
    "some", "none", "blank", "only", "count", "value", "barred", "missing",
    "anything", "not", "and", "or", "join", "same", "compare", "unbound",
    "number", "otherwise", "arith", "call", "lookup", "no-cell", "path", "several", "computed", "default", "sum", "highest", "lowest",
]  # fmt: skip


class Step(Struct, eq=False):
    """One finding: `node` (a condition or an expression) has `value` for `thing`, because of `why` and `parts`.

    value: True, False or None (unknown) for a condition; a Fraction or None for an expression.
    soft: it rests on a presumption somewhere below. end: where an open relation would have to lead, when that is one thing.
    """

    node: Any
    thing: Thing
    value: Any
    why: Why
    parts: tuple[Any, ...]
    soft: bool

    @property
    def end(self) -> Thing | None:
        return None

    def __repr__(self) -> str:
        return f"{self.thing.name}: {self.node} = {self.value} ({self.why})"


class Towards(Step):
    """A relation left open that would have to lead to one thing."""

    to: Thing

    @property
    def end(self) -> Thing | None:
        return self.to


class ByNorm(Struct, eq=False):
    """A norm relates the two: that it applies, and that what it relates to is met."""

    code: ClassVar[str] = "norm"
    outcome: Outcome
    step: Step


How = Stated | Implied | Chained | Transitive | WorkedOut | ByNorm  # how a value of a property is known


class Links(Struct, eq=False):
    """The values of a property: things, how each is known, whether these are all, and whether that is presumed.

    barred: by name, what a norm says is no value, and how. untold: nothing is said of the values, and no rule is open.
    perhaps: by name, what an open norm may add: its outcome, or what of the thing itself is open.
    no_more: whether the only possible further values are those in `perhaps`.
    """

    things: tuple[Thing, ...]
    why: dict[str, How]
    complete: bool
    presumed: bool
    barred: Mapping[str, ByNorm] = NOTHING
    untold: bool = False
    perhaps: Mapping[str, tuple[Outcome | Step, ...]] = NOTHING
    no_more: bool = False


UNSAID = Stated()


class Reached(Struct, eq=False):
    """Which value of a property bore a condition out, and how that value is known."""

    links: Links
    thing: Thing

    @property
    def why(self) -> How:
        return self.links.why.get(self.thing.name, UNSAID)

    @property
    def soft(self) -> bool:
        """Whether it is a value by something that is presumed: a rule relates the two."""
        how = self.why
        return isinstance(how, ByNorm) and (how.outcome.soft or how.step.soft)


class Outcome(Struct, eq=False):
    """A norm tried on a focus. status: applies (True), does not (False), open (None)."""

    norm: m.Norm
    focus: Thing
    status: bool | None
    head: Step | None
    when: Step | None
    unless: tuple[tuple[m.Unless, Step], ...]
    env: dict[str, Any]
    soft: bool

    @property
    def value(self) -> bool | None:
        return self.status

    @property
    def exception(self) -> tuple[m.Unless, Step] | None:
        """The exception that was met, if one was."""
        return next(((u, s) for u, s in self.unless if s.value is True), None)

    def __repr__(self) -> str:
        return f"{self.norm.id} on {self.focus.name}: {self.status}"


class Contribution(Struct, eq=False):
    """One norm's part in a number. state: counts, beaten, conflict, open, or idle (it does not apply)."""

    op: str
    outcome: Outcome
    value: Step | None
    bound: str = ""
    state: str = "idle"
    lost: bool = False
    by: Outcome | None = None
    principle: m.Principle | None = None

    def beaten(self, by: Outcome, principle: m.Principle | None) -> None:
        self.state, self.lost, self.by, self.principle = "beaten", True, by, principle


@dataclass(frozen=True, slots=True)
class Defeat:
    """`loser` lost to `winner` on `principle`."""

    loser: Outcome
    winner: Outcome
    principle: m.Principle


@dataclass(frozen=True, slots=True)
class Caused:
    """An effect: after the event `thing` is a `cls`. Either directly, or because it then counts as one.

    way: how it is known that the norm's path leads to the thing, as far as norms say so.
    """

    thing: str
    cls: str
    by: Outcome
    direct: bool = True
    way: tuple[Step, ...] = ()

    @property
    def soft(self) -> bool:
        """Whether it rests on a presumption."""
        return self.by.soft or any(step.soft for step in self.way)


@dataclass(frozen=True, slots=True)
class Tied:
    """A relation that an event brings about, or ends: of what, to what (“”: to whatever it was), and by which norm."""

    thing: str
    role: str
    to: str
    by: Outcome

    @property
    def ends(self) -> bool:
        """Whether the two are related no more."""
        assert isinstance(self.by.norm.head, m.Link)
        return self.by.norm.head.ends

    @property
    def row(self) -> tuple[str, str, str, bool]:
        """What becomes of what."""
        return self.thing, self.role, self.to, self.ends


@dataclass(frozen=True, slots=True)
class Shift:
    """A number that an event raises, lowers or sets: whose, by which norm, and by how much.

    value: None where the norm does not apply; where it is open whether there is what triggers it, the step that says so.
    """

    thing: str
    quantity: str
    by: Outcome
    value: Step | None

    @property
    def op(self) -> str:
        """Whether it raises, lowers or sets it."""
        assert isinstance(self.by.norm.head, m.Change)
        return self.by.norm.head.op
