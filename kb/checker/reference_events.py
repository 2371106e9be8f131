"""What an event brings about, worked out without a proof: what things become, the numbers that change, and what may."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from kb.checker.reference import Judge, One, Tri
from kb.checker.reference_standing import stood
from kb.checker.reference_strength import goes_over
from kb.checker.reference_values import Env, both, no
from kb.language import norms as m


@dataclass(frozen=True)
class Tried:
    """A norm on an effect, on what it was tried, and in which case: before the event, or after it for what becomes so.

    status: whether it applies; triggered: whether there was what brings it about.
    """

    norm: m.Norm
    focus: str
    judge: Judge
    status: Tri
    triggered: Tri = True

    @property
    def so(self) -> Tri:
        """Whether it comes about."""
        return both((self.status, self.triggered))


@dataclass(frozen=True)
class Came:
    """What becomes of a thing, and by what."""

    thing: str
    cls: str
    by: Tried


@dataclass(frozen=True)
class Shifted:
    """A number of a thing that changes, by what and by how much; None for what is not known."""

    thing: str
    quantity: str
    by: Tried
    value: Fraction | None


@dataclass(frozen=True)
class Linked:
    """Two things that are related, or (by what ends it) are so no more; to: “” for whatever there is."""

    thing: str
    role: str
    to: str
    by: Tried

    @property
    def row(self) -> tuple[str, str, str, bool]:
        """What becomes of what."""
        assert isinstance(self.by.norm.head, m.Link)
        return self.thing, self.role, self.to, self.by.norm.head.ends


Clock = dict[tuple[int, m.Ending], tuple[object, int]]  # by what was made and what ends it, how often that has come


@dataclass
class Events:
    """All that comes of one event. links: what is related and parted; loose: where that is open. came: what is left of what came about, one thing after another (every); may: what is open; over: what norms had made that ends with it."""

    tried: list[Tried] = field(default_factory=list)
    came: list[Came] = field(default_factory=list)
    every: list[Came] = field(default_factory=list)
    may: list[Came] = field(default_factory=list)
    over: list[Came] = field(default_factory=list)
    shifts: list[Shifted] = field(default_factory=list)
    links: list[Linked] = field(default_factory=list)
    loose: list[Linked] = field(default_factory=list)


def is_over(
    judge: Judge, event: One, norm: m.Norm, thing: str, clock: Clock, made: object, counts: bool = True
) -> bool:
    """Whether an event ends what a norm made of a thing: for everybody, or for whom the norm's clause on it leads to; for the how
    many-eth time it comes is counted in clock (counts: it has come)."""
    past = False
    for end in norm.until:
        if judge.member(event, end.event, event) is not True:
            continue
        w = end.whose
        whom = judge.follow(event, m.Path(w.root or "this", w.steps), {"this": event})[0] if w else ()
        if w is None or any(y.name == thing for y in whom):
            _, times = clock.get((id(made), end), (made, 0))
            if counts:
                clock[id(made), end] = made, times + 1
            past = past or times + 1 >= end.nth
    return past


def happens(judge: Judge, event: One) -> Events:
    """What an event brings about directly, and by what things become through it."""
    found = Events()
    kept_ = [h for h in judge.held if not is_over(judge, event, h.by.norm, h.thing, judge.clock, h, False)]
    for h in judge.held:
        still = h.cls.startswith(m.NO_MORE) or any((k.thing, k.cls) == (h.thing, h.cls) for k in kept_)
        found.over += [] if still else [h]
    for norm, head in judge.index.effects:
        if head.becoming or not judge.speaks(event, head.event):
            continue
        if not head.each:
            note(found, Tried(norm, event.name, judge, judge.status(norm, event)))
        elif (so := judge.member(event, head.event, event)) is not False:
            for name in judge.case.things:
                x = judge.things[name]
                if judge.one_of(x, head.each):
                    note(found, Tried(norm, name, judge, judge.status(norm, x), so))
    found.came, found.shifts = list(winning(found.came)), list(unbeaten(found.shifts))
    found.links = standing(found.links)
    become(judge, event, found)
    found.loose = [k for k in found.loose if not any(outdoes(sure, k) for sure in found.links)]
    return found


def become(judge: Judge, event: One, found: Events) -> None:
    """Adds what comes of it that things have become so, and of that in its turn."""
    norms = [n for n, head in judge.index.effects if head.becoming]
    fired: set[tuple[str, str]] = set()
    comes = bool(found.over) or any(t.so is not False for t in found.tried)
    again = bool(norms) and (comes or elsewhere(judge, event, after(judge, event, found, gone=True)))
    while again:
        again = False
        then = after(judge, event, found, gone=True)
        for norm in norms:
            assert isinstance(norm.head, m.OnEvent)
            cls, leaves = m.trigger_of(norm.head), norm.head.event.startswith(m.NO_MORE)
            for name in judge.case.things:
                x, y = judge.things[name], then.things[name]
                was, now = judge.member(x, cls, x), then.member(y, cls, y)
                was, now = (no(was), no(now)) if leaves else (was, now)
                if (norm.id, name) in fired or was is True or now is False:
                    continue
                tried = Tried(norm, name, then, then.status(norm, y), True if was is False and now else None)
                if tried.status is not False:
                    fired.add((norm.id, name))
                    again = True
                    note(found, tried)
    found.every = found.came
    if fired:
        found.came, found.shifts = list(left(judge, found.came)), list(unbeaten(found.shifts))
        found.links = standing(found.links)


def elsewhere(judge: Judge, event: One, then: Judge) -> bool:
    """Whether an event has changed where anything stands; what it keeps itself is no change."""
    return any(then.case.things[name] != facts for name, facts in judge.case.things.items() if name != event.name)


def left(judge: Judge, came: list[Came]) -> Iterator[Came]:
    """What is left of one thing after another: what exceptions do not beat, and what nothing later is or ends."""
    for i, c in enumerate(came):
        later = {d.cls for d in came[i + 1 :] if d.thing == c.thing}
        over = any(d.thing == c.thing and goes_over(d.by.norm, c.by.norm) for d in came)
        if not over and c.cls not in later and later.isdisjoint(judge.vocabulary.classes[c.cls].disjoint):
            yield c


def after(judge: Judge, event: One, found: Events, gone: bool = False) -> Judge:
    """The case as an event leaves it; gone: where things then stand, otherwise where they did, but for what norms relate and part."""
    open_ = list(opened(judge, found))
    past = {(h.thing, h.cls) for h in found.over} | {(name, cls) for name, cls, ended in open_ if ended}
    made = added(judge, ((c.thing, c.cls) for c in found.came), past)
    links = {event.name: [k.row for k in found.links]}
    there = stood(judge.vocabulary, judge.case, (event.name,), made, links) if gone or found.links else judge.case
    then = Judge(judge.theory, there, made, {*judge.done, event.name})
    then.shifts = shifted([*(s for rows in judge.shifts.values() for s in rows), *found.shifts])
    for name, cls, anyhow in open_:
        one = then.things.get(name)  # none where it was made up, and nothing has asked for it since
        if one is not None and (anyhow or (cls not in one.types and cls not in one.denied)):
            then.pending.setdefault(name, set()).add(cls)
    then.linked, then.loose = {**judge.linked, **kept(spread(judge, found.links))}, judge.loose
    return then


def opened(judge: Judge, found: Events) -> Iterator[tuple[str, str, bool]]:
    """What is open after an event: of which thing and class, and whether whatever it was before. What was open still is, where
    the event does not settle it."""
    classes = judge.vocabulary.classes
    settled = {(c.thing, cls) for c in found.came for cls in (c.cls, *classes[c.cls].disjoint)}
    for name, waiting in judge.pending.items():
        stated = judge.things[name].facts.is_
        yield from ((name, cls, cls in stated) for cls in waiting if (name, cls) not in settled)
    for c in found.may:
        head, apart = c.by.norm.head, classes[c.cls].disjoint
        stated = judge.things[c.thing].facts.is_ if isinstance(head, m.Effect) and head.ends else ()
        ended = [cls for cls in (*judge.caused.get(c.thing, ()), *stated) if cls in apart]
        yield from ((c.thing, cls, bool(ended)) for cls in (c.cls, *ended))


def note(found: Events, tried: Tried) -> None:
    """Adds what a norm does that was tried."""
    found.tried.append(tried)
    head, judge = tried.norm.head, tried.judge
    assert isinstance(head, m.OnEvent)
    if tried.status is False and not isinstance(head, m.Change):
        return
    x = judge.things[tried.focus]
    env = next((e for v, e in judge.applies(tried.norm, x) if v is tried.status), {"this": x})
    ends, _ = judge.follow(x, m.Path(head.path.root or "this", head.path.steps), env)
    if tried.status is not False:
        asked = list(m.meant(tried.norm.when, head.path.steps)) if len(ends) > 1 and not head.path.root else []
        fits = {y.name: both(judge.holds(c, y, env) for c in asked) for y in ends}
        ends = [y for y in ends if fits[y.name]]
        unsure = [*perhaps(judge, x, head.path, env), *(name for name, so in fits.items() if so is None)]
        if isinstance(head, m.Link):
            return join(found, tried, env, [y.name for y in ends], unsure)
        for name in unsure:
            if isinstance(head, m.Change):
                found.shifts.append(Shifted(name, head.quantity, tried, None))
            elif isinstance(head, m.Effect):
                found.may.append(Came(name, head.cls, tried))
    if isinstance(head, m.Change):
        value = (
            judge.number(head.value, x, {**env, "norm": tried.norm.id})
            if tried.so is not False and tried.triggered
            else None
        )
        found.shifts += [Shifted(y.name, head.quantity, tried, value) for y in ends]
    elif isinstance(head, m.Effect):
        (found.came if tried.so else found.may).extend(Came(y.name, head.cls, tried) for y in ends)


def join(found: Events, tried: Tried, env: Env, whom: list[str], unsure: list[str]) -> None:
    """Adds what a norm relates or parts. whom: of what; unsure: of what it may be."""
    head, judge = tried.norm.head, tried.judge
    assert isinstance(head, m.Link)
    x, sure, may = judge.things[tried.focus], [""], list[str]()
    if head.to is not None:
        sure = [y.name for y in judge.follow(x, m.Path(head.to.root or "this", head.to.steps), env)[0]]
        may = list(perhaps(judge, x, head.to, env))
    plain = [Linked(name, head.role, to, tried) for name in whom for to in sure]
    open_ = [Linked(name, head.role, to, tried) for name in whom for to in may]
    open_ += [Linked(name, head.role, to, tried) for name in unsure for to in (*sure, *may)]
    (found.links if tried.so else found.loose).extend(plain)
    found.loose += open_


def standing(links: Iterable[Linked]) -> list[Linked]:
    """What is related and parted where exceptions beat rules, each once."""
    rows = list(links)
    return list({k.row: k for k in reversed(rows) if not any(outdoes(o, k) for o in rows)}.values())[::-1]


def outdoes(one: Linked, other: Linked) -> bool:
    """Whether what one norm says of a relation of a thing goes over what another says."""
    return (one.thing, one.role) == (other.thing, other.role) and goes_over(one.by.norm, other.by.norm)


def spread(judge: Judge, links: Iterable[Linked]) -> Iterator[Linked]:
    """The same, with a row for each that a thing is parted from by what parts it from all."""
    for k in links:
        term, facts = judge.vocabulary.properties[k.role], judge.things[k.thing].facts
        own = [to for q in term.below for to in facts.links.get(q, ())]
        own += [n for n, y in judge.things.items() for q in term.inverses if k.thing in y.facts.links.get(q, ())]
        yield from (Linked(k.thing, k.role, to, k.by) for to in dict.fromkeys([k.to] if k.to else own))


def kept(links: Iterable[Linked]) -> dict[tuple[str, str, str], Tried]:
    """By what is related to what, what did it, or parted them, last."""
    return {(k.thing, k.role, k.to): k.by for k in links}


def perhaps(judge: Judge, x: One, path: m.Path, env: Env) -> Iterator[str]:
    """The things to which it is open whether an effect's path leads."""
    if not path.steps:
        return
    last = path.steps[-1]
    owners, _ = judge.follow(x, m.Path(path.root or "this", path.steps[:-1]), env)
    for y in owners:
        names = [name for name in judge.links(y, m.Role(last)).perhaps if name in judge.case.things]
        for name in names:
            if judge.holds(m.HasValue(m.Role(last), m.Path(name, ())), y, {"this": y, **judge.things}) is None:
                yield name


def ending(found: Events) -> list[Came]:
    """What is no longer so after an event, for it lasted until then."""
    made = {(c.thing, c.cls) for c in found.came}
    rows = {(h.thing, h.cls): h for h in reversed(found.over)}
    past = [Came(h.thing, m.NO_MORE + h.cls, h.by) for key, h in rows.items() if key not in made]
    return [c for c in past if (c.thing, c.cls) not in made]


def winning(came: Iterable[Came]) -> Iterator[Came]:
    """What comes about where exceptions beat rules."""
    rows = list(came)
    for c in rows:
        if not any(d.thing == c.thing and goes_over(d.by.norm, c.by.norm) for d in rows):
            yield c


def unbeaten(shifts: list[Shifted]) -> Iterator[Shifted]:
    """The changes of numbers by one event where exceptions beat rules."""
    for s in shifts:
        rivals = (t for t in shifts if (t.thing, t.quantity) == (s.thing, s.quantity) and t.by.status)
        if not any(goes_over(t.by.norm, s.by.norm) for t in rivals):
            yield s


def added(
    judge: Judge, more: Iterable[tuple[str, str]], past: Collection[tuple[str, str]] = ()
) -> dict[str, tuple[str, ...]]:
    """What was brought about before, and these besides; a later state ends an earlier one that it excludes."""
    pairs = [(t, c) for t, cs in judge.caused.items() for c in cs if (t, c) not in past]
    for thing, cls in more:
        apart = judge.vocabulary.classes[cls].disjoint
        pairs = [(t, c) for t, c in pairs if t != thing or c not in apart]
        pairs.append((thing, cls))
    return gathered(pairs)


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Pairs of a thing and a class, as the classes of each thing."""
    found: dict[str, tuple[str, ...]] = {}
    for thing, cls in pairs:
        found[thing] = (*found.get(thing, ()), cls)
    return found


def shifted(rows: Iterable[Shifted]) -> dict[tuple[str, str], list[Shifted]]:
    """Changes of numbers, as those of each number of each thing."""
    found: dict[tuple[str, str], list[Shifted]] = {}
    for row in rows:
        found.setdefault((row.thing, row.quantity), []).append(row)
    return found
