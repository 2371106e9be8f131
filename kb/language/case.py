"""A case as the reasoner takes it: stated facts about named things, what has happened, and one question.

Immutable; an Edit makes a copy with one fact changed, which is how flips and missing facts are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kb.language import norms as m

NO_LINKS: Mapping[str, tuple[str, ...]] = {}


class Facts(Struct, frozen=True):
    """What is stated of one thing. `links[p] == ()` states that nothing is related by p. `unknown` withdraws presumptions.

    one_sided: of the relations in `unknown`, that they may lead to anything is not said (nobody tells of them as yet, where a case
    that says so of a unit's `at` means that it may be anywhere).
    """

    name: str
    is_: tuple[str, ...] = ()
    not_: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    links: Mapping[str, tuple[str, ...]] = {}
    numbers: Mapping[str, Fraction] = {}
    flags: Mapping[str, bool] = {}
    label: str = ""
    texts: Mapping[str, str] = {}
    one_sided: bool = False


def form(facts: Facts) -> tuple[object, ...]:
    """What is stated of a thing without the values: its classes, and which properties it is described by."""
    return (facts.is_, facts.not_, *facts.links, *facts.numbers, *facts.flags, *facts.texts)


MAY_NOT = "may not"


class Question(Struct, frozen=True):
    """kind: may, must, is, value, effects, which. `condition` for is, `quantity` for value; `turned`: of may, asked whether it is
    forbidden, so that the same verdict is the other answer.

    which: `inner` is asked once for each candidate (subclasses of `cls`, or `things`), put in the place `role`.
    """

    kind: str
    thing: str = ""
    condition: m.Condition | None = None
    quantity: str = ""
    cls: str = ""
    things: tuple[str, ...] = ()
    role: str = ""
    inner: Question | None = None
    turned: bool = False

    @property
    def key(self) -> str:
        """The key of a case's `ask` that it stands under."""
        return MAY_NOT if self.turned else self.kind

    def __str__(self) -> str:
        match self.kind:
            case "is":
                return f"is {self.thing} {self.condition}"
            case "value":
                return f"value of {self.quantity} of {self.thing}"
            case "which":
                return f"which {self.cls or ', '.join(self.things)} as {self.role}: {self.inner}"
        return f"{self.key} {self.thing}"


class Case(Struct, frozen=True):
    """A partial description of one situation. `history`: acts among the things that have happened, in order;
    `modules`: of the book, in force besides those whose own words the case uses; `elsewhere`: whether it says that rules which
    are not loaded have nothing to say here; `said`: the things in the words of the case, before what is told in a roundabout
    way was put into others (kb.cases.completion); `nothing_else`: the teller says that nothing else is so, so that what is presumed not to
    be so, or to be all, is as good as stated; `name`: what the case is called; `rule`: the number of the rule that it is about."""

    book: str
    things: Mapping[str, Facts]
    question: Question
    history: tuple[str, ...] = ()
    expect: Mapping[str, Any] = {}
    title: str = ""
    file: str = ""
    edition: str = ""
    modules: tuple[str, ...] = ()
    elsewhere: bool = False
    said: Mapping[str, Facts] = {}
    nothing_else: bool = False
    name: str = ""
    rule: str = ""


def brought_about(case: Case, made: Iterable[tuple[str, str, str]]) -> str:
    """What an event makes of things as one text, in the order in which the case has these, whatever they are called.

    made: of each the thing, what comes of it, and to which other thing, if any.
    """
    order = {name: at for at, name in enumerate(case.things)}

    def place(row: tuple[str, str, str]) -> tuple[Any, ...]:
        thing, comes, to = row
        return order.get(thing, len(order)), comes, order.get(to, len(order)), thing, to

    return ", ".join(" ".join(filter(None, row)) for row in sorted(made, key=place))


class Edit(Struct, frozen=True):
    """One change of facts. kind: is, become, not, link, unlink, number, flag.

    become states a class in place of the stated ones that it is disjoint with (`value`);

    link relates `thing` by `name` to a new thing described by `witness`; unlink removes every such link.
    """

    kind: str
    thing: str
    name: str
    value: Any = None

    def apply(self, case: Case) -> Case:
        """The case with this fact changed; things that staging made up must have been made real first."""
        facts = case.things[self.thing]
        if self.name in facts.unknown:  # now it is said
            facts = replace(facts, unknown=tuple(n for n in facts.unknown if n != self.name))
        things = dict(case.things)
        match self.kind:
            case "is":
                facts = replace(
                    facts,
                    is_=(*facts.is_, self.name),
                    not_=tuple(n for n in facts.not_ if n != self.name),
                )
            case "become":
                kept = tuple(n for n in facts.is_ if n not in self.value)
                facts = replace(facts, is_=(*kept, self.name), not_=tuple(n for n in facts.not_ if n != self.name))
            case "not":
                facts = replace(
                    facts,
                    is_=tuple(n for n in facts.is_ if n != self.name),
                    not_=(*facts.not_, self.name),
                )
            case "link":
                new, described = self.value
                things.update(described)
                before = facts.links.get(self.name, ())
                facts = replace(facts, links={**facts.links, self.name: (*before, new)})
            case "unlink":
                facts = replace(facts, links={**facts.links, self.name: ()})
            case "number":
                facts = replace(facts, numbers={**facts.numbers, self.name: self.value})
            case "flag":
                facts = replace(facts, flags={**facts.flags, self.name: self.value})
        things[self.thing] = facts
        return replace(case, things=things)


# ── what may be so of a thing ──
# Asked for where it is missing, changed in a flip, presumed in an answer. thing: the name of what it is about; label: how that
# is called; so: whether it is said to be so, or not to be. kb.language.phrases has the English.

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "="}


class About(Struct, frozen=True):
    """Something that may be so of a thing: its name, and how it is called."""

    thing: str
    label: str


class IsA(About, frozen=True):
    """It is of a class."""

    cls: str
    so: bool = True


class Absent(About, frozen=True):
    """It is of no such class as far as anyone says."""

    cls: str


class AbsentAtFirst(Absent, frozen=True):
    """It was of no such class as far as anyone says, before what has happened made it one."""


class Related(About, frozen=True):
    """It is related to a thing: to, how that is called."""

    role: m.Role
    to: str
    so: bool = True


class RelatedToKind(About, frozen=True):
    """It is related to something of a class that the case gives no name."""

    role: str
    cls: str
    so: bool = True


class Reaches(About, frozen=True):
    """It is related to something that meets a condition."""

    role: m.Role
    filler: m.Condition
    so: bool = True


class Lists(About, frozen=True):
    """It is related to some things and to nothing else but, maybe, some others; each by what it is called."""

    role: m.Role
    to: tuple[str, ...]
    perhaps: tuple[str, ...] = ()


class LeadsTo(About, frozen=True):
    """Whatever a relation of it leads to, of which nothing is told."""

    role: str


class Flagged(About, frozen=True):
    """A flag of it is set."""

    flag: str
    so: bool = True


class Amount(About, frozen=True):
    """A number of it is less than, at least … some value; op "": whatever it is."""

    quantity: str
    op: str = ""
    value: Fraction = Fraction(0)


class OwnSide(Struct, frozen=True):
    """It is on the side of who asks."""

    thing: str


Fact = (
    IsA | Absent | AbsentAtFirst | Related | RelatedToKind | Reaches | Lists | LeadsTo | Flagged | Amount | OwnSide
)  # one thing that may be so
