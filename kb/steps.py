"""What an evaluation leaves behind: things, steps, links, contributions and outcomes. Proofs are made of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from kb import model as m
from kb.facts import Facts
from kb.theory import Kind

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Thing:
    """One individual of a staged case. `made` is (owner, role, class) when staging made it up.

    members, linked and outcomes remember what was found of it in this situation, by class, role and norm (None while it
    is being worked out); conditions, what was found of shared conditions. back: by property, the things stated to be related
    to this one. plain: what it is follows from its kind, unless
    norms or definitions say more. caused: classes that what has happened made it; pending: those it may have made it,
    with the norms that are open.
    """

    __slots__ = (
        "back", "caused", "conditions", "facts", "kind", "label", "linked", "made", "members", "name", "outcomes", "pending",
        "plain", "soft",
    )  # fmt: skip

    def __init__(self, name: str, label: str, facts: Facts, kind: Kind):
        self.name, self.label, self.facts, self.kind = name, label, facts, kind
        self.members: dict[str, Step | None] = {}
        self.linked: dict[str, Links | None] = {}
        self.outcomes: dict[str, Outcome | None] = {}
        self.conditions: dict[Any, Step] = {}
        self.back: Mapping[str, list[Thing]] = NOTHING
        self.caused: Mapping[str, Outcome] = NOTHING
        self.pending: Mapping[str, tuple[Outcome, ...]] = NOTHING
        self.made: tuple[Thing, str, str] | None = None
        self.soft = False
        self.plain = not facts.unknown

    def forget(self) -> None:
        """Lets go of all that was found of it."""
        for memory in (self.members, self.linked, self.outcomes, self.conditions):
            memory.clear()
        self.back = NOTHING

    @classmethod
    def implied(cls, name: str, label: str, kind: Kind, owner: Thing, role: str, of: str) -> Thing:
        made = cls(name, label, Facts(name, (of,) if of else ()), kind)
        made.made, made.plain = (owner, role, of), False
        return made

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Step:
    """One finding: `node` (a condition or an expression) has `value` for `thing`, because of `why` and `parts`.

    value: True, False or None (unknown) for a condition; a Fraction or None for an expression.
    soft: it rests on a presumption somewhere below. end: where an open relation would have to lead, when that is one thing.
    """

    __slots__ = ("node", "parts", "soft", "thing", "value", "why")
    end: Thing | None = None

    def __init__(self, node: Any, thing: Thing, value: Any, why: str, parts: tuple[Any, ...], soft: bool):
        self.node = node
        self.thing = thing
        self.value = value
        self.why = why
        self.parts = parts
        self.soft = soft

    def __repr__(self) -> str:
        return f"{self.thing.name}: {self.node} = {self.value} ({self.why})"


class Towards(Step):
    """A relation left open that would have to lead to one thing."""

    __slots__ = ("end",)

    def __init__(self, node: Any, thing: Thing, parts: tuple[Any, ...], end: Thing):
        super().__init__(node, thing, None, "missing", parts, False)
        self.end = end


class Links:
    """The values of a property: things, how each is known, whether these are all, and whether that is presumed.

    barred: by name, what a norm says is no value, and how. untold: nothing is said of the values, and no rule is open.
    perhaps: by name, what an open norm may add: its outcome, or what of the thing itself is open.
    """

    __slots__ = ("barred", "complete", "perhaps", "presumed", "things", "untold", "why")

    def __init__(
        self,
        things: tuple[Thing, ...],
        why: dict[str, tuple[str, Any]],
        complete: bool,
        presumed: bool,
        barred: dict[str, tuple[str, Any]] | None = None,
        untold: bool = False,
        perhaps: dict[str, tuple[Outcome | Step, ...]] | None = None,
    ):
        self.things, self.why, self.complete, self.presumed = things, why, complete, presumed
        self.barred: Mapping[str, tuple[str, Any]] = barred or NOTHING
        self.untold = untold
        self.perhaps: Mapping[str, tuple[Outcome | Step, ...]] = perhaps or NOTHING


class Reached:
    """Which value of a property bore a condition out, and how that value is known."""

    __slots__ = ("links", "thing")

    def __init__(self, links: Links, thing: Thing):
        self.links, self.thing = links, thing

    @property
    def why(self) -> tuple[str, Any]:
        return self.links.why.get(self.thing.name, ("stated", ""))


class Outcome:
    """A norm tried on a focus. status: applies (True), does not (False), open (None)."""

    __slots__ = ("env", "focus", "head", "norm", "soft", "status", "unless", "when")

    def __init__(
        self,
        norm: m.Norm,
        focus: Thing,
        status: bool | None,
        head: Step | None,
        when: Step | None,
        unless: tuple[tuple[m.Unless, Step], ...],
        env: dict[str, Any],
        soft: bool,
    ):
        self.norm = norm
        self.focus = focus
        self.status = status
        self.head = head
        self.when = when
        self.unless = unless
        self.env = env
        self.soft = soft

    @property
    def value(self) -> bool | None:
        return self.status

    @property
    def exception(self) -> tuple[m.Unless, Step] | None:
        """The exception that was met, if one was."""
        return next(((u, s) for u, s in self.unless if s.value is True), None)

    def __repr__(self) -> str:
        return f"{self.norm.id} on {self.focus.name}: {self.status}"


class Contribution:
    """One norm's part in a number. state: counts, beaten, conflict, open, or idle (it does not apply)."""

    __slots__ = ("bound", "by", "lost", "op", "outcome", "principle", "state", "value")

    def __init__(self, op: str, outcome: Outcome, value: Step | None, bound: str = ""):
        self.op, self.outcome, self.value, self.bound = op, outcome, value, bound
        self.state, self.lost = "idle", False
        self.by: Outcome | None = None
        self.principle: m.Principle | None = None

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
    """An effect: after the event `thing` is a `cls`. Either directly, or because it then counts as one."""

    thing: str
    cls: str
    by: Outcome
    direct: bool = True


@dataclass
class Missing:
    """Facts that would settle an open answer, and the outcome each way."""

    asks: str
    edits: tuple[Any, ...]
    if_true: str
    if_false: str
    settles: bool = False
    rules: tuple[str, ...] = ()


@dataclass
class Flip:
    """A smallest change that turns the answer: of facts, of one rule, or of a reading."""

    kind: str  # facts, rule, reading
    change: str
    verdict: str
    edits: tuple[Any, ...] = field(default=())
    value: Fraction | None = None


# ── walking down ──


def outcomes_in(roots: Iterable[object]) -> Iterator[Outcome]:
    """Every norm outcome that a set of steps and outcomes leans on, in the order met."""
    seen: set[int] = set()
    stack = list(reversed(list(roots)))
    while stack:
        now = stack.pop()
        if id(now) in seen:
            continue
        seen.add(id(now))
        if isinstance(now, Outcome):
            yield now
        stack.extend(reversed(list(below(now))))


def below(now: object) -> Iterator[object]:
    """What a step or outcome leans on directly."""
    if isinstance(now, Outcome):
        if now.status is False:
            yield (
                now.exception[1]
                if now.exception
                else now.when
                if now.when is not None and now.when.value is False
                else now.head
            )
        else:
            yield from (s for s in (now.head, now.when) if s is not None)
            yield from (s for _, s in now.unless)
    elif isinstance(now, Step):
        yield from now.parts
    elif isinstance(now, Contribution):
        if now.state in ("counts", "open", "conflict"):
            yield now.outcome
            if now.value is not None:
                yield now.value
        elif now.state == "beaten":
            yield from (o for o in (now.outcome, now.by) if o is not None)
        elif now.outcome.status is False:
            yield now.outcome
    elif isinstance(now, Reached):
        code, detail = now.why
        if code == "norm":
            yield from detail
