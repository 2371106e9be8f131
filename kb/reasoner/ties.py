"""What events relate and part: the relations that norms bring about, those that are open, and what lasts until when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.language import norms as m
from kb.reasoner.expressions import follow
from kb.reasoner.positions import Bond, places
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Outcome, Step, Thing, Tied
from kb.rulebook.theory import goes_over

Loose = dict[tuple[str, str], dict[str, Outcome | Step]]  # by thing and relation, what it may lead to, and what is open


class Clock:
    """Counts the events that end what norms have made."""

    def __init__(self) -> None:
        # By what was made and which ending, how often it has come; the thing made is kept, so that its number stays its own.
        self.come: dict[tuple[int, int], tuple[object, int]] = {}

    def over(
        self, situation: Situation, event: Thing, norm: m.Norm, thing: str, made: object, counts: bool = True
    ) -> bool:
        """Whether what a norm made of a thing lasts until events of some kind, and is over with this one. counts: it has come."""
        found = False
        for at, ending in enumerate(norm.until):
            if situation.member(event, ending.event).value is not True or not concerns(situation, event, ending, thing):
                continue
            _, times = self.come.get((id(made), at), (made, 0))
            if counts:
                self.come[id(made), at] = made, times + 1
            found = found or times + 1 >= ending.nth
        return found


def concerns(situation: Situation, event: Thing, ending: m.Ending, thing: str) -> bool:
    """Whether an event that ends something ends it of a thing."""
    if (whose := ending.whose) is None:
        return True
    path = m.Path(whose.root or "this", whose.steps)
    return any(t.name == thing for t in follow(situation, event, path, {"this": event})[0])


class Bonds:
    """What the events of a history have related and parted, in their order."""

    def __init__(self) -> None:
        self.by_event: dict[str, list[Bond]] = {}  # what is done at each event
        self.lasting: list[Tied] = []
        self.loose: Loose = {}

    def end(self, situation: Situation, event: Thing, clock: Clock) -> None:
        """Parts what lasted until such an event."""
        past = [t for t in self.lasting if not t.ends and clock.over(situation, event, t.by.norm, t.thing, t)]
        for t in past:
            self.lasting.remove(t)
            if not any(u.row == t.row for u in self.lasting):
                self.by_event.setdefault(event.name, []).append((*t.row[:3], True))

    def take(
        self, situation: Situation, event: Thing, ties: Iterable[Tied], maybe: Iterable[tuple[Tied, Outcome | Step]]
    ) -> None:
        """Takes what an event relates and parts, and what it may."""
        known = situation.vocabulary.properties
        for t in ties:
            once = t.to == "" or (known[t.role].functional and not t.ends)
            self.lasting = [
                u for u in self.lasting if (u.thing, u.role) != (t.thing, t.role) or not (once or u.to == t.to)
            ]
            self.lasting += spread(situation, [t])
            self.by_event.setdefault(event.name, []).append(t.row)
            rows = self.loose.get((t.thing, t.role), {})
            for to in list(rows) if once else [t.to]:
                rows.pop(to, None)
        for t, why in maybe:
            rows = self.loose.setdefault((t.thing, t.role), {})
            there = [u.to for u in self.lasting if (u.thing, u.role) == (t.thing, t.role) and not u.ends]
            there += places(dict(situation.now.things), known[t.role], t.thing)
            if not t.ends or t.to:
                rows.setdefault(t.to, why)
            if t.to == "" or (known[t.role].functional and not t.ends):
                for to in there:
                    rows.setdefault(to, why)

    def hand(self, situation: Situation) -> None:
        """Tells the things by what norms they are related, and what of that is open."""
        bind(situation, self.lasting)
        for (name, role), rows in self.loose.items():
            x = situation.things[name]
            x.loose = {**x.loose, **{(role, to): (why,) for to, why in rows.items()}}
            situation.unsettled = situation.unsettled or bool(rows)


def spread(situation: Situation, ties: Iterable[Tied]) -> Iterator[Tied]:
    """The same, each with what it relates to or parts from: what parts a thing from whatever there is, with all that there is."""
    for t in ties:
        there = [t.to] if t.to else places(dict(situation.now.things), situation.vocabulary.properties[t.role], t.thing)
        yield from (Tied(t.thing, t.role, to, t.by) for to in dict.fromkeys(there))


def bind(situation: Situation, ties: Iterable[Tied]) -> None:
    """Tells the things by what norms they are related, or are so no more."""
    for t in ties:
        x = situation.things.get(t.thing)
        if x is not None:
            x.tied = {**x.tied, (t.role, t.to): (t.by, t.ends)}


def unbeaten(ties: Iterable[Tied]) -> list[Tied]:
    """What is related and parted by one event where exceptions beat rules; each once."""
    rows = list(ties)
    kept: dict[tuple[str, str, str, bool], Tied] = {}
    for t in rows:
        if not any((u.thing, u.role) == (t.thing, t.role) and goes_over(u.by.norm, t.by.norm) for u in rows):
            kept.setdefault(t.row, t)
    return list(kept.values())
