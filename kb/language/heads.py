"""What a norm says: the heads, each of which prints itself in the rule language, and the class that its focus must be of."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.language.conditions import (
    And,
    Arith,
    Bind,
    Call,
    Condition,
    Expr,
    HasValue,
    Lookup,
    Num,
    Otherwise,
    Path,
    Piece,
    Some,
)

PERMITS, FORBIDS, REQUIRES, WAIVES = "permits", "forbids", "requires", "waives"
CONTRARY = {
    PERMITS: frozenset({FORBIDS}),
    FORBIDS: frozenset({PERMITS, REQUIRES}),
    REQUIRES: frozenset({FORBIDS, WAIVES}),
    WAIVES: frozenset({REQUIRES}),
}
SETS, ADDS, MULTIPLIES, LIMITS = "sets", "adds", "multiplies", "limits"
RAISES, LOWERS = "raises", "lowers"
PUTS = "puts"  # written `sets … on Event`
HAPPENED = (RAISES, LOWERS, PUTS)  # what events do to a number
NO_MORE = "no longer "  # before the class that an effect ends: the name of what it brings about
KEEPS = "keeps"  # written for multiplying by 1: the rule is cited with the number


class Deontic(Piece, frozen=True):
    """`permits|forbids|requires|waives Act`: a permission, prohibition, obligation, or release from one."""

    mode: str
    act: str

    def __str__(self) -> str:
        return f"{self.mode} {self.act}"


class CountsAs(Piece, frozen=True):
    """`counts Subject as [not] Class`: a constitutive norm."""

    subject: str
    target: str
    negated: bool = False

    def __str__(self) -> str:
        return f"counts {self.subject} as {'not ' if self.negated else ''}{self.target}"


class Relates(Piece, frozen=True):
    """`relates Subject by property to (condition)`: a constitutive norm whose conclusion is a relation."""

    subject: str
    role: str
    to: Condition
    negated: bool = False

    def __str__(self) -> str:
        return f"relates {self.subject} {'not ' if self.negated else ''}by {self.role} to ({self.to})"

    def handed_on(self) -> tuple[str, ...]:
        """The relations of the subject whose values it gives to its own: `object`, of what `inverse object value this`."""
        parts = self.to.parts if isinstance(self.to, And) else (self.to,)
        values = (part for part in parts if isinstance(part, HasValue) and part.target == Path("this", ()))
        return () if self.negated else tuple(part.role.name for part in values if part.role.inverse)


class QuantityHead(Piece, frozen=True):
    """`sets|adds|multiplies|limits`. For limits, `bound` is "at most" or "at least"."""

    op: str
    quantity: str
    of: str
    value: Expr
    bound: str = ""

    def __str__(self) -> str:
        if self.op == SETS:
            return f"sets {self.quantity} of {self.of} to {self.value}"
        if self.op == ADDS:
            return f"adds {self.value} to {self.quantity} of {self.of}"
        if self.op == MULTIPLIES and self.value == Num(Fraction(1)):
            return f"{KEEPS} {self.quantity} of {self.of}"
        if self.op == MULTIPLIES:
            return f"multiplies {self.quantity} of {self.of} by {self.value}"
        return f"limits {self.quantity} of {self.of} to {self.bound} {self.value}"


class Effect(Piece, frozen=True):
    """`causes|ends Class of path on Event`: what becomes true, or is true no more, of what, when the event happens.

    The focus is the event. Of `each X` it is each thing of a class, whatever the event; of `becoming C` (`event` is the class)
    what an event makes a C, of `becoming not C` what is one no longer (then `event` has NO_MORE before it). What ends a C brings about `no longer C`, a class that excludes it (Vocabulary.with_ends).
    """

    cls: str
    path: Path
    event: str
    each: str = ""
    becoming: bool = False

    @property
    def ends(self) -> bool:
        """Whether it makes something be so no more."""
        return self.cls.startswith(NO_MORE)

    @property
    def term(self) -> str:
        """The class that it brings about or ends."""
        return self.cls.removeprefix(NO_MORE)

    def __str__(self) -> str:
        return f"{'ends' if self.ends else 'causes'} {self.term} of {whom(self)}"


class Change(Piece, frozen=True):
    """`raises|lowers quantity of path by expression on Event`, `sets … to …`: a number after the event, from what it was before.

    The events change it one after the other, and what limits it holds after each. Focus and trigger: see Effect.
    """

    op: str
    quantity: str
    path: Path
    value: Expr
    event: str
    each: str = ""
    becoming: bool = False

    def __str__(self) -> str:
        path, _, on = whom(self).partition(" on ")
        if self.op == PUTS:
            return f"{SETS} {self.quantity} of {path} to {self.value} on {on}"
        return f"{self.op} {self.quantity} of {path} by {self.value} on {on}"


class Link(Piece, frozen=True):
    """`causes|ends relation of path [to path] on Event`: what is related to what after the event, or is so no more.

    Without `to` it ends whatever it was. Focus and trigger: see Effect.
    """

    role: str
    path: Path
    to: Path | None
    event: str
    each: str = ""
    becoming: bool = False
    ends: bool = False

    def __str__(self) -> str:
        path, _, on = whom(self).partition(" on ")
        to = f" to {self.to}" if self.to is not None else ""
        return f"{'ends' if self.ends else 'causes'} {self.role} of {path}{to} on {on}"


def of_itself(head: Head) -> bool:
    """Whether it says what a number is by what it would be without it: with additions and factors, which are not applied again."""
    own = isinstance(head, QuantityHead) and head.op == SETS and not isinstance(head.value, Num | Path)
    return own and leans_on(head.value, head.quantity)  # type: ignore[union-attr]


def leans_on(e: object, quantity: str) -> bool:
    """Whether an expression has `otherwise(quantity)` in it."""
    match e:
        case Otherwise(name):
            return name == quantity
        case Arith(_, left, right):
            return leans_on(left, quantity) or leans_on(right, quantity)
        case Call(_, args):
            return any(leans_on(a, quantity) for a in args)
        case Lookup(_, _, key, _, shift):
            return leans_on(key, quantity) or leans_on(shift, quantity)
    return False


OnEvent = Effect | Change | Link  # what comes about when something happens


def whom(head: OnEvent) -> str:
    """What an effect is on, and when: `actor on Entry`, `each Unit on TurnEnd`, `this on becoming Spent`."""
    of = f"each {head.each}" if head.each else str(head.path)
    event = head.event.replace(NO_MORE, "not ", 1)
    return f"{of} on {'becoming ' if head.becoming else ''}{event}"


def trigger_of(head: OnEvent) -> str:
    """The class of events on which something comes about, or of what things become (or are no longer)."""
    return head.event.removeprefix(NO_MORE)


def meant(when: Condition, steps: tuple[str, ...]) -> Iterator[Condition]:
    """What a condition asks of that to which a path leads: of several there, an effect is on those alone that are so."""
    if not steps:
        yield when
        return
    match when:
        case And(parts):
            for part in parts:
                yield from meant(part, steps)
        case Bind(of, _):
            yield from meant(of, steps)
        case Some(role, of) if role.name == steps[0] and not role.inverse:
            yield from meant(of, steps[1:])


Head = Deontic | CountsAs | Relates | QuantityHead | Effect | Change | Link


def subject_of(head: Head) -> str:
    """The class that a norm's focus must be of."""
    match head:
        case Deontic(_, act):
            return act
        case CountsAs(subject, _, _) | Relates(subject, _, _, _):
            return subject
        case QuantityHead(_, _, of, _, _):
            return of
        case Effect() | Change() | Link():
            return head.each or ("" if head.event.startswith(NO_MORE) else head.event)
