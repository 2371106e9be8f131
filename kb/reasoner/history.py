"""History: what a case says has happened, in its order, and what is told as an event of its own.

`lp:derivedBy "history"`: whether an act has been done. `"history parted ACTS AIM"`: whether something else comes between the acts
of a thing. `"history run AIM CLASS OTHER"`: the acts of a class up to one of them (or to an act of the other class, of which it is not
told), since the last that was aimed at something else.
`"history told RELATION CLASS"`: whether an event of a class leads to it that is told as one. `"history before CLASS"`,
`"history before NUMBER"`: whether an event of a class, or that changes a number (the end of a turn), has come since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.language import norms as m
from kb.reasoner.builtin import CLASS, RELATION, Args, Builtin, Reads
from kb.reasoner.positions import told
from kb.reasoner.trace import Step, Thing
from kb.reasoner.world import Surroundings


class Done(Builtin):
    """Whether an act has been done."""

    name, gives = "history", (CLASS,)

    def member(self, s: Surroundings, args: Args, cls: str, x: Thing, focus: Thing) -> Step:
        """As the history says: nothing else tells it."""
        return Step(m.Named(cls), x, x.name in s.done, "module", (), False)


class Told(Builtin):
    """Whether something of a kind that leads to a thing is told as an event of its own."""

    name, takes, gives = "history told", (2, 2), (CLASS,)

    def member(self, s: Surroundings, args: Args, cls: str, x: Thing, focus: Thing) -> Step:
        """As the history says: nothing else tells it."""
        return Step(m.Named(cls), x, told_apart(s, x, *args), "module", (), False)

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """What each event of that kind leads to."""
        relation, kind = args
        for y in list(reader.s.things.values()):
            if reader.vocabulary.entails(y.facts.is_, kind):
                reader.role(y, relation)


class Before(Builtin):
    """Whether an act was done before the last of the events of a class, or that change a number: in an earlier turn."""

    name, takes, gives = "history before", (1, 1), (CLASS,)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By the order of what has been done."""
        done = [name for name in s.case.history if name in s.done]
        later = done[done.index(x.name) + 1 :] if x.name in done else []
        number = s.vocabulary.properties.get(args[0])
        ends = [rule.cls for rule in number.changed_by] if number is not None else args
        return any(s.vocabulary.entails(s.things[y].facts.is_, cls) for y in later for cls in ends), False

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """In which turn the acts are."""
        if args[0] not in reader.s.vocabulary.properties:
            return
        case = reader.s.case
        for y in [x, *map(reader.s.things.get, case.history), reader.s.things.get(case.question.thing)]:
            if y is not None:
                reader.word(y, args[0])


class Parted(Builtin):
    """Whether something else comes between the acts of a thing, which have one aim."""

    name, takes, gives = "history parted", (2, 2), (CLASS,)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By the order of the history."""
        return parted(s, x, *args), False

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """The acts, and what they aim at."""
        acts, aim = args
        for y in reader.role(x, acts):
            reader.role(y, aim)


class Run(Builtin):
    """The acts of a class that follow on one another at one aim, up to one of them, which is among them; or up to one of a second
    class, of which is not told what it goes with."""

    name, takes, gives = "history run", (2, 3), (RELATION,)

    def related(self, s: Surroundings, args: Args, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
        """By the order of the history."""
        aim, *kinds = args
        for y in run(s, x, aim, kinds[: 1 if name in x.facts.links else None]):
            yield y, False

    def complete(self, s: Surroundings, args: Args, x: Thing) -> bool:
        """Never: a case may tell what an act goes with."""
        return False

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """What each act of the class is aimed at."""
        aim, *kinds = args
        for y in [x, *map(reader.s.things.get, reader.s.case.history)]:
            if y is not None and any(reader.vocabulary.entails(y.facts.is_, kind) for kind in kinds):
                reader.role(y, aim)


def run(situation: Surroundings, x: Thing, aim: str, kinds: Sequence[str]) -> list[Thing]:
    """The acts of the first class in the history that lead up to x, which is of one of the classes, with the same aim and none at
    another in between; x too, where it is of the first.

    What is asked about may still be to come: it falls after all that the history names.
    """
    order, entails = situation.case.history, situation.vocabulary.entails
    if not any(entails(x.facts.is_, kind) for kind in kinds):
        return []
    aims = {z.name for z in situation.successors(x, aim).things}
    found = [x] if entails(x.facts.is_, kinds[0]) else []
    for name in reversed(order[: order.index(x.name)] if x.name in order else order):
        y = situation.things[name]
        theirs = {z.name for z in situation.successors(y, aim).things} if aims else set()
        if theirs and not theirs & aims:
            break
        if theirs and entails(y.facts.is_, kinds[0]):
            found.append(y)
    return found


def parted(situation: Surroundings, x: Thing, acts: str, aim: str) -> bool:
    """Whether the history has an act at something else between the acts that x has by `acts`, which have one aim.

    What is asked about may still be to come: an act that the history does not name falls after it.
    """
    order = situation.case.history
    mine = [y for y in situation.successors(x, acts).things]
    places = [order.index(y.name) if y.name in order else len(order) for y in mine]
    aims = {z.name for y in mine for z in situation.successors(y, aim).things}
    if not aims or min(places) == max(places):
        return False
    between = [name for name in order[min(places) + 1 : max(places)] if name not in {y.name for y in mine}]
    others = ({z.name for z in situation.successors(situation.things[name], aim).things} for name in between)
    return any(theirs and not theirs & aims for theirs in others)


def told_apart(situation: Surroundings, x: Thing, relation: str, kind: str) -> bool:
    """Whether something of a kind that leads to x by a relation is told as an event of its own."""
    classes = situation.vocabulary.classes
    events = [situation.things[name] for name in told(situation.case)]
    ours = [y for y in events if any(kind in classes[c].ancestors for c in y.facts.is_)]
    return any(x in situation.successors(y, relation).things for y in ours)
