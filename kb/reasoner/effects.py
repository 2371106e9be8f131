"""What an act brings about, and how things are after what has happened.

    stage(theory, case) -> Situation      the case after its history
    happen(situation, event) -> Happening what an event causes: directly, by what things then count as, and by what they become

Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import CONCLUDED
from kb.reasoner import ties
from kb.reasoner.affected import affected, ends, reached, way
from kb.reasoner.aftermath import Happening, after, count, leave_open, leave_out, mark, moved
from kb.reasoner.evaluate import number_of, of_question
from kb.reasoner.positions import before, standing
from kb.reasoner.situation import Situation
from kb.reasoner.staging import Effort
from kb.reasoner.trace import Caused, Outcome, Shift, Step, Thing, Tied
from kb.rulebook.theory import Theory, goes_over


def stage(theory: Theory, case: Case, effort: Effort | None = None) -> Situation:
    """The situation after what has already happened: the effects of each act of the history hold for the next.

    An effect that is open, because a fact about that act is missing, leaves open what it may have made. effort: what may be spent on it.
    """
    situation = Situation(theory, case, standing(theory.vocabulary, case, ()), effort)
    lasting: list[Caused] = []
    shifts: list[Shift] = []
    # The norm of an open effect, what it is on, a class that it leaves open, whether in spite of what is stated, and what is open.
    waiting: list[tuple[m.Norm, str, str, bool, Outcome | Step]] = []
    past: list[Outcome] = []
    bonds, clock = ties.Bonds(), ties.Clock()
    spared: list[tuple[Outcome, str]] = []
    over, classes = before(case), theory.vocabulary.classes
    for number, name in enumerate(over, 1):
        event = situation.things[name]
        found = happen(situation, event, bool(waiting))
        past += found.tried
        spared += [(o, n) for o in found.tried if spares(o) for n in reached(situation, o)]
        # What an act has surely made of a thing no longer waits; what one may have ended no longer surely lasts.
        ends = {(c.thing, cls) for c in found.caused for cls in (c.cls, *classes[c.cls].disjoint)}
        waiting = [row for row in waiting if row[1:3] not in ends]
        for o, why, things in found.doubtful:
            head = o.norm.head
            if not isinstance(head, m.Effect):
                continue
            for thing in things:
                apart = classes[head.cls].disjoint
                ended = [c for c in lasting if c.thing == thing and c.cls in apart]
                stated = [cls for cls in situation.things[thing].facts.is_ if cls in apart and head.ends]
                open_ = (head.cls, *(c.cls for c in ended), *stated)
                waiting += [(o.norm, thing, cls, bool(ended or stated), why) for cls in open_]
                lasting = [c for c in lasting if c not in ended]
        lasting = [c for c in lasting if not clock.over(situation, event, c.by.norm, c.thing, c)]
        shifts = [c for c in shifts if not clock.over(situation, event, c.by.norm, c.thing, c)]
        waiting = [row for row in waiting if row[3] or not clock.over(situation, event, row[0], row[1], row)]
        bonds.end(situation, event, clock)
        bonds.take(situation, event, found.ties, found.maybe)
        # What things count as follows again from what lasts; only direct effects last by themselves.
        lasting += [c for c in found.caused if c.direct]
        shifts += found.shifts
        made = {c.thing: {d.cls for d in lasting if d.thing == c.thing} for c in lasting}
        situation = Situation(
            theory, case, standing(theory.vocabulary, case, over[:number], made, bonds.by_event), effort
        )
        situation.done = set(over[:number])
        situation.passing = passing(lasting, clock)
        for c in lasting:
            mark(situation, c)
        count(situation, shifts)
        bonds.hand(situation)
        for _, thing, cls, anyhow, why in waiting:
            leave_open(situation, why, thing, cls, anyhow)
        for o, thing in spared:
            leave_out(situation, o, thing)
    situation.past = past
    return situation


def passing(lasting: list[Caused], clock: ties.Clock) -> Callable[[Situation, Thing], list[Caused]]:
    """What tells which of the states that norms have made are over with an event: those that nothing else has made as well."""
    held = [c for c in lasting if not c.cls.startswith(m.NO_MORE)]

    def over(situation: Situation, event: Thing) -> list[Caused]:
        past = [c for c in held if clock.over(situation, event, c.by.norm, c.thing, c, False)]
        kept = {(c.thing, c.cls) for c in held if c not in past}
        return [c for c in past if (c.thing, c.cls) not in kept and c.cls in situation.things[c.thing].caused]

    return over


def spares(o: Outcome) -> bool:
    """Whether an effect does not come about only for something that is presumed."""
    return o.status is False and o.soft and isinstance(o.norm.head, m.Effect)


def happen(situation: Situation, event: Thing, counted: bool = True) -> Happening:
    """What an event brings about. counted: with what things then count as, which follows again from what lasts."""
    found = Happening(over=situation.passing(situation, event))
    for norm, thing, so in concerned(situation, event):
        take(situation, found, situation.outcome(norm, thing), so)
    found.caused, found.shifts = winning(found.caused), unbeaten(found.shifts)
    found.ties = ties.unbeaten(found.ties)
    if situation.theory.turns:
        become(situation, event, found)
    found.doubtful = [row for row in found.doubtful if not settled_by(row[0], row[2], found)]
    found.maybe = [(t, why) for t, why in found.maybe if not settled_by(t.by, [t.thing], found)]
    if found.caused and counted:
        found.caused += counting(situation, event, found)
    return found


def regulating(situation: Situation, event: Thing) -> Iterator[m.Norm]:
    """The norms on what such an event brings about."""
    for norm in situation.theory.effects:
        assert isinstance(norm.head, m.OnEvent)
        if situation.focus(event, norm.head.event) is not False:
            yield norm


def concerned(situation: Situation, event: Thing) -> Iterator[tuple[m.Norm, Thing, Step | None]]:
    """The effects that an event can have: of what, and what is open about its being such an event."""
    for norm in regulating(situation, event):
        assert isinstance(norm.head, m.OnEvent)
        if not norm.head.each:
            yield norm, event, None
            continue
        so = situation.member(event, norm.head.event)
        if so.value is not False:
            for x in [situation.things[name] for name in situation.case.things]:
                if situation.one_of(x, norm.head.each):
                    yield norm, x, None if so.value else so


def take(situation: Situation, found: Happening, o: Outcome, so: Step | None) -> None:
    """Notes what comes of an effect that was tried. so: where it is open whether there is what triggers it, the step that says it."""
    found.tried.append(o)
    head = o.norm.head
    whom, maybe = affected(situation, o) if o.status is not False else (reached(situation, o), [])
    open_ = o if o.status is None or so is None else so  # what is, where it is not plain that it comes about
    if o.status is None or (o.status and so is not None):
        found.doubtful.append((o, open_, whom))
    if isinstance(head, m.Link):
        return link(situation, found, o, whom, maybe, None if o.status and so is None else open_)
    if isinstance(head, m.Change):
        found.shifts += [Shift(name, head.quantity, o, step) for name, step in maybe]
    else:
        found.doubtful += [(o, step, [name]) for name, step in maybe]
    if isinstance(head, m.Change) and (o.status is not False or o.soft):
        value = so if o.status is not False else None
        if o.status is not False and so is None:
            value = number_of(situation.theory, head.value, o.norm)(situation, o.focus, o.env)
        found.shifts += [Shift(name, head.quantity, o, value) for name in whom]
    elif isinstance(head, m.Effect) and o.status and so is None:
        found.caused += [Caused(name, head.cls, o, way=way(situation, o, name)) for name in whom]


def link(
    situation: Situation, found: Happening, o: Outcome, whom: list[str], maybe: list[tuple[str, Step]],
    open_: Outcome | Step | None,
) -> None:  # fmt: skip
    """Notes what an effect relates or parts. maybe: to what its path may lead besides; open_: what is, where it is open whether it does."""
    if o.status is False:
        return
    assert isinstance(o.norm.head, m.Link)
    role, (to, perhaps) = o.norm.head.role, ends(situation, o)
    sure = [Tied(name, role, end, o) for name in whom for end in to]
    unsure = [(Tied(name, role, end, o), step) for name, step in maybe for end in (*to, *(e for e, _ in perhaps))]
    unsure += [(Tied(name, role, end, o), step) for name in whom for end, step in perhaps]
    found.doubtful += [(o, step, [t.thing]) for t, step in unsure if open_ is None]
    if open_ is None:
        found.ties += sure
        found.maybe += unsure
    else:
        found.maybe += [(t, open_) for t in (*sure, *(t for t, _ in unsure))]


def winning(caused: list[Caused]) -> list[Caused]:
    """What is brought about where exceptions beat rules: once for each thing and class."""
    kept: dict[tuple[str, str], Caused] = {}
    for c in caused:
        if not any(d.thing == c.thing and d.by is not c.by and goes_over(d.by.norm, c.by.norm) for d in caused):
            kept.setdefault((c.thing, c.cls), c)
    return list(kept.values())


def unbeaten(shifts: list[Shift]) -> list[Shift]:
    """The changes of numbers by one event where exceptions beat rules."""

    def beats(one: Shift, other: Shift) -> bool:
        same = (one.thing, one.quantity) == (other.thing, other.quantity)
        return same and one.by.status is True and goes_over(one.by.norm, other.by.norm)

    return [c for c in shifts if not any(beats(d, c) for d in shifts)]


def counting(situation: Situation, event: Thing, found: Happening) -> list[Caused]:
    """What things then count as that they were not."""
    then = after(situation, event, found, moved(situation, event, found) if found.ties else None)
    known = {(c.thing, c.cls): c for c in found.caused}
    more: dict[tuple[str, str], Caused] = {}
    for cls, norms in situation.theory.makes.items():
        term = situation.vocabulary.classes[cls]
        if term.when_unstated == CONCLUDED or "State" not in term.ancestors:
            continue  # a way of looking at things that rules alone make, no change of them
        for norm in norms:
            if not isinstance(norm.head, m.CountsAs) or norm.head.target != cls:
                continue
            for thing in list(then.things.values()):
                if (thing.name, cls) in known or (thing.name, cls) in more or thing.name not in situation.things:
                    continue
                now, was = then.member(thing, cls), situation.things[thing.name]
                if now.value is True and now.why == "counts" and situation.member(was, cls).value is not True:
                    makers = [o for o in now.parts if isinstance(o, Outcome)]
                    if makers:
                        more[thing.name, cls] = Caused(thing.name, cls, makers[0], direct=False)
    return list(more.values())


def become(situation: Situation, event: Thing, found: Happening) -> None:
    """What comes of it that things have become so, by what it brings about or by who has gone where, and what of that; each norm speaks
    once of each thing."""
    fired: set[tuple[str, str]] = set()
    earlier = situation.now.things
    again = bool(found.caused or found.shifts or found.over or found.doubtful) or any(
        facts != earlier[name] for name, facts in moved(situation, event, found).things.items() if name != event.name
    )
    while again:
        again = False
        then = after(situation, event, found, moved(situation, event, found))
        for norm in situation.theory.turns:
            assert isinstance(norm.head, m.OnEvent)
            for thing in [then.things[name] for name in situation.case.things]:
                if (norm.id, thing.name) in fired:
                    continue
                now = is_so(then, thing, norm.head)
                was = is_so(situation, situation.things[thing.name], norm.head) if now.value is not False else now
                if was.value is True or now.value is False:
                    continue
                o = then.outcome(norm, thing)
                if o.status is not False:
                    fired.add((norm.id, thing.name))
                    again = True
                    take(then, found, o, None if was.value is False and now.value else was if now.value else now)
    if fired:
        found.caused, found.shifts = list(left(situation, found.caused)), unbeaten(found.shifts)
        found.ties = ties.unbeaten(found.ties)


def is_so(situation: Situation, thing: Thing, head: m.OnEvent) -> Step:
    """Whether a thing is what a norm speaks of when things become it, or are it no longer."""
    cls = m.trigger_of(head)
    if cls == head.event:
        return situation.member(thing, cls)
    return of_question(situation.theory, m.Not(m.Named(cls)))(situation, thing, {"this": thing})


def left(situation: Situation, caused: list[Caused]) -> Iterator[Caused]:
    """What is left of one thing after another: what exceptions do not beat, and what nothing later is or ends."""
    classes = situation.vocabulary.classes
    for i, c in enumerate(caused):
        later = [d for d in caused[i + 1 :] if d.thing == c.thing]
        over = any(d.by is not c.by and d.thing == c.thing and goes_over(d.by.norm, c.by.norm) for d in caused)
        if not over and not any(c.cls == d.cls or c.cls in classes[d.cls].disjoint for d in later):
            yield c


def settled_by(o: Outcome, things: list[str], found: Happening) -> bool:
    """An open effect does not matter that would bring about what is brought about anyway, or that loses to such a one."""
    caused = found.caused
    if isinstance(o.norm.head, m.Link):
        over = {t.thing for t in found.ties if t.role == o.norm.head.role and goes_over(t.by.norm, o.norm)}
        return bool(things) and over.issuperset(things)
    if not isinstance(o.norm.head, m.Effect):
        return False
    made = {(c.thing, c.cls) for c in caused}
    stronger = {c.thing for c in caused if goes_over(c.by.norm, o.norm)}
    return bool(things) and all((name, o.norm.head.cls) in made or name in stronger for name in things)
