"""Things as an event leaves them: what it has brought about, put into a situation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import ties
from kb.reasoner.positions import standing
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Caused, Outcome, Shift, Step, Thing, Tied


@dataclass
class Happening:
    """What an event brings about: what things become, the numbers that change, what norms made that is over with it, what is related and parted (maybe: where that is open,
    with what is), the norms tried, and those left open: each with what is open (the norm itself, whether there is what triggers it, or whether its path leads to a thing), and on which things."""

    caused: list[Caused] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)
    over: list[Caused] = field(default_factory=list)
    ties: list[Tied] = field(default_factory=list)
    maybe: list[tuple[Tied, Outcome | Step]] = field(default_factory=list)
    tried: list[Outcome] = field(default_factory=list)
    doubtful: list[tuple[Outcome, Outcome | Step, list[str]]] = field(default_factory=list)


def leave_open(situation: Situation, o: Outcome | Step, name: str, cls: str, anyhow: bool) -> None:
    """Marks what an open effect may have made of a thing, or ended of it; unless something else has made it so, or otherwise.

    anyhow: whatever was stated of it at first, for that has been ended before.
    """
    thing = situation.things.get(name)
    if thing is not None and (anyhow or (cls not in thing.kind.types and cls not in thing.kind.denied)):
        thing.pending = {**thing.pending, cls: (*thing.pending.get(cls, ()), o)}
        situation.unsettled = True
        thing.plain = False


def leave_out(situation: Situation, o: Outcome, name: str) -> None:
    """Marks what an effect would have made of a thing, or ended of it, but for something that is presumed not to be so."""
    thing = situation.things.get(name)
    if thing is None:
        return
    assert isinstance(o.norm.head, m.Effect)
    term = situation.vocabulary.classes[o.norm.head.cls]
    for cls in (*term.ancestors, *(term.disjoint & thing.kind.types)):
        thing.spared = {**thing.spared, cls: (*thing.spared.get(cls, ()), o)}
        thing.plain = False


def mark(situation: Situation, c: Caused) -> None:
    """Makes an effect a fact of the situation; it ends what cannot be true beside it."""
    thing = situation.things.get(c.thing)
    if thing is None:
        return
    ended = situation.vocabulary.classes[c.cls].disjoint
    thing.caused = {**{cls: by for cls, by in thing.caused.items() if cls not in ended}, c.cls: c}
    thing.plain = False
    # What was stated at first and has been ended is stated no more, even if another act makes it so again.
    thing.ended |= ended.intersection(thing.facts.is_)
    over = {cls for made in thing.caused for cls in situation.vocabulary.classes[made].disjoint}
    stated = (cls for cls in thing.facts.is_ if cls not in over and cls not in thing.ended)
    is_ = frozenset((*stated, *thing.caused))
    thing.kind = situation.theory.kind(is_, frozenset(thing.facts.not_).difference(thing.caused))


def count(situation: Situation, shifts: Iterable[Shift]) -> None:
    """Hands to each thing the changes of its numbers, in their order."""
    for c in shifts:
        thing = situation.things.get(c.thing)
        if thing is not None:
            open_ = c.by.status is None or (c.value is not None and c.value.value is None)
            situation.unsettled = situation.unsettled or open_
            thing.shifts = {**thing.shifts, c.quantity: (*thing.shifts.get(c.quantity, ()), c)}


def after(situation: Situation, event: Thing, found: Happening, now: Case | None = None) -> Situation:
    """The situation as an event leaves it: with what was so before, and what it has brought about up to now. now: where things then
    stand, otherwise where they did."""
    then = Situation(situation.theory, situation.case, now or situation.now, situation.effort)
    then.done = {*situation.done, event.name}
    open_ = list(left_open(situation, found))
    over = {(c.thing, c.cls) for c in found.over} | {(name, cls) for name, cls, _, ended in open_ if ended}
    for thing in situation.things.values():
        for cls, was in thing.caused.items():
            if (thing.name, cls) not in over:
                mark(then, was)
        count(then, (c for changes in thing.shifts.values() for c in changes))
    for c in found.caused:
        mark(then, c)
    count(then, found.shifts)
    for thing in situation.things.values():
        if thing.tied or thing.loose:
            then.things[thing.name].tied, then.things[thing.name].loose = thing.tied, thing.loose
    ties.bind(then, ties.spread(situation, found.ties))
    for name, cls, why, anyhow in open_:
        leave_open(then, why, name, cls, anyhow)
    return then


def left_open(situation: Situation, found: Happening) -> Iterator[tuple[str, str, Outcome | Step, bool]]:
    """What an event leaves open: of which thing, whether it is of which class, why, and whether whatever was so before.

    What was open before is so still, but for what the event surely makes of it.
    """
    classes = situation.vocabulary.classes
    sure = {(c.thing, cls) for c in found.caused for cls in (c.cls, *classes[c.cls].disjoint)}
    for thing in situation.things.values():
        yield from (
            (thing.name, cls, why, cls in thing.facts.is_)
            for cls, whys in thing.pending.items() if (thing.name, cls) not in sure for why in whys
        )  # fmt: skip
    for o, why, things in found.doubtful:
        head = o.norm.head
        if not isinstance(head, m.Effect):
            continue
        for name in things:
            apart, thing = classes[head.cls].disjoint, situation.things[name]
            ended = [cls for cls in (*thing.caused, *(thing.facts.is_ if head.ends else ())) if cls in apart]
            yield from ((name, cls, why, bool(ended)) for cls in (head.cls, *ended))


def moved(situation: Situation, event: Thing, found: Happening) -> Case:
    """The case as things stand after an event: who has gone where, and who is nowhere for what it made of him."""
    made: dict[str, set[str]] = {thing.name: set(thing.caused) for thing in situation.things.values() if thing.caused}
    for c in found.caused:
        made.setdefault(c.thing, set()).add(c.cls)
    return standing(situation.vocabulary, situation.now, (event.name,), made, {event.name: [t.row for t in found.ties]})
