"""What an act brings about, and how things are after what has happened.

    stage(theory, case) -> Situation      the case after its history
    happen(situation, event)              what an event causes, directly and by what things then count as

Pure.
"""

from __future__ import annotations

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import CONCLUDED
from kb.reasoner.expressions import follow
from kb.reasoner.positions import before, standing
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Caused, Outcome, Thing
from kb.rulebook.theory import Theory, goes_over


def stage(theory: Theory, case: Case) -> Situation:
    """The situation after what has already happened: the effects of each act of the history hold for the next.

    An effect that is open, because a fact about that act is missing, leaves open what it may have made.
    """
    situation = Situation(theory, case, standing(theory.vocabulary, case, ()))
    lasting: list[Caused] = []
    # An open effect, what it is on, a class that it leaves open, and whether in spite of what is stated.
    waiting: list[tuple[Outcome, str, str, bool]] = []
    past: list[Outcome] = []
    spared: list[tuple[Outcome, str]] = []
    over, classes = before(case), theory.vocabulary.classes
    for number, name in enumerate(over, 1):
        event = situation.things[name]
        caused, tried, doubtful = happen(situation, event)
        past += tried
        spared += [(o, name) for o in tried if o.status is False and o.soft for name in reached(situation, event, o)]
        # What an act has surely made of a thing no longer waits; what one may have ended no longer surely lasts.
        ends = {(c.thing, cls) for c in caused for cls in (c.cls, *classes[c.cls].disjoint)}
        waiting = [row for row in waiting if row[1:3] not in ends]
        for o in doubtful:
            assert isinstance(o.norm.head, m.Effect)
            for thing in reached(situation, event, o):
                ended = [c for c in lasting if c.thing == thing and c.cls in classes[o.norm.head.cls].disjoint]
                waiting += [(o, thing, cls, bool(ended)) for cls in (o.norm.head.cls, *(c.cls for c in ended))]
                lasting = [c for c in lasting if c not in ended]
        lasting = [c for c in lasting if not over_at(situation, event, c.by.norm, c.thing)]
        waiting = [row for row in waiting if row[3] or not over_at(situation, event, row[0].norm, row[1])]
        # What things count as follows again from what lasts; only direct effects last by themselves.
        lasting += [c for c in caused if c.direct]
        made = {c.thing: {d.cls for d in lasting if d.thing == c.thing} for c in lasting}
        situation = Situation(theory, case, standing(theory.vocabulary, case, over[:number], made))
        situation.done = set(over[:number])
        for c in lasting:
            mark(situation, c)
        for o, thing, cls, anyhow in waiting:
            leave_open(situation, o, thing, cls, anyhow)
        for o, thing in spared:
            leave_out(situation, o, thing)
    situation.past = past
    return situation


def over_at(situation: Situation, event: Thing, norm: m.Norm, thing: str) -> bool:
    """Whether what a norm made of a thing lasts until an event of some kind, and is over with this one."""
    if not norm.until or situation.member(event, norm.until).value is not True:
        return False
    if norm.whose is None:
        return True
    ended, _ = follow(situation, event, m.Path(norm.whose.root or "this", norm.whose.steps), {"this": event})
    return any(t.name == thing for t in ended)


def reached(situation: Situation, event: Thing, o: Outcome) -> list[str]:
    """The names of the things that an effect is on."""
    assert isinstance(o.norm.head, m.Effect)
    path = o.norm.head.path
    return [thing.name for thing in follow(situation, event, m.Path(path.root or "this", path.steps), o.env)[0]]


def leave_open(situation: Situation, o: Outcome, name: str, cls: str, anyhow: bool) -> None:
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
    thing.caused = {**{cls: by for cls, by in thing.caused.items() if cls not in ended}, c.cls: c.by}
    thing.plain = False
    # What was stated at first and has been ended is stated no more, even if another act makes it so again.
    thing.ended |= ended.intersection(thing.facts.is_)
    over = {cls for made in thing.caused for cls in situation.vocabulary.classes[made].disjoint}
    stated = (cls for cls in thing.facts.is_ if cls not in over and cls not in thing.ended)
    is_ = frozenset((*stated, *thing.caused))
    thing.kind = situation.theory.kind(is_, frozenset(thing.facts.not_).difference(thing.caused))


def happen(situation: Situation, event: Thing) -> tuple[list[Caused], list[Outcome], list[Outcome]]:
    """What an event causes, directly and by what things then count as; the norms tried; those left open."""
    theory = situation.theory
    found: list[Caused] = []
    tried: list[Outcome] = []
    doubtful: list[Outcome] = []
    for norm in theory.effects:
        assert isinstance(norm.head, m.Effect)
        if situation.focus(event, norm.head.event) is False:
            continue
        outcome = situation.outcome(norm, event)
        tried.append(outcome)
        if outcome.status is None:
            doubtful.append(outcome)
        elif outcome.status:
            targets, _ = follow(
                situation, event, m.Path(norm.head.path.root or "this", norm.head.path.steps), outcome.env
            )
            found += [Caused(thing.name, norm.head.cls, outcome) for thing in targets]
    caused: dict[tuple[str, str], Caused] = {}
    for c in found:
        if not any(d.thing == c.thing and d.by is not c.by and goes_over(d.by.norm, c.by.norm) for d in found):
            caused.setdefault((c.thing, c.cls), c)
    doubtful = [o for o in doubtful if not settled_by(situation, o, caused)]
    if caused:
        after = Situation(theory, situation.case, situation.now)
        after.done = {*situation.done, event.name}
        for thing in situation.things.values():
            for cls, by in thing.caused.items():
                mark(after, Caused(thing.name, cls, by))
        for c in caused.values():
            mark(after, c)
        for cls, norms in theory.makes.items():
            term = situation.vocabulary.classes[cls]
            if term.when_unstated == CONCLUDED or "State" not in term.ancestors:
                continue  # a way of looking at things that rules alone make, no change of them
            for norm in norms:
                if not isinstance(norm.head, m.CountsAs) or norm.head.target != cls:
                    continue
                for thing in list(after.things.values()):
                    if (thing.name, cls) in caused or thing.name not in situation.things:
                        continue
                    now, before = after.member(thing, cls), situation.things[thing.name]
                    if now.value is True and now.why == "counts" and situation.member(before, cls).value is not True:
                        makers = [o for o in now.parts if isinstance(o, Outcome)]
                        if makers:
                            caused[thing.name, cls] = Caused(thing.name, cls, makers[0], direct=False)
    return list(caused.values()), tried, doubtful


def settled_by(situation: Situation, o: Outcome, caused: dict[tuple[str, str], Caused]) -> bool:
    """An open effect does not matter that would bring about what is brought about anyway, or that loses to such a one."""
    head = o.norm.head
    assert isinstance(head, m.Effect)
    targets, _ = follow(situation, o.focus, m.Path(head.path.root or "this", head.path.steps), o.env)
    stronger = {c.thing for c in caused.values() if goes_over(c.by.norm, o.norm)}
    return bool(targets) and all((t.name, head.cls) in caused or t.name in stronger for t in targets)
