"""Where things stand after what has happened: a case with its positions brought up to date.

The ontology says by `lp:changedBy` what changes a relation: "Entry actor destination" (after such an act its actor has it to
the act's destination, and to nothing else if it is functional), "BailOut actor actor carriedBy at" (its actor has it to where that
which carried it is), "Entry actor" (its actor has it no more, nor is of a class that has it: who got off is no Passenger), "EndOfTurn" (nothing has it any more), "Eliminated" (what is so has it no
more), "Collapsed occupant hex" (who was in what is so has it to the hex of that), "Collapsed hex" (what is so has it to what was its hex).
An act keeps where it was done from, where what it was aimed at stood and who was there, be they gone from there since.
Nothing is changed by an act that came to nothing (`lp:failsWith` "conducting Unsuccessful"), nor where the case names no mover or no destination. What a thing takes along (the relation above `possesses` and `carries`) is where that comes to. Of a class
it says in the same words when a thing is no more what it was told to be: "Entry actor destination", but not of who was there already. Pure; the case that is handed in stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kb.language.case import Case, Facts
from kb.language.vocabulary import AT, MEMBER, ChangedBy, PropertyTerm, Vocabulary

Things = dict[str, Facts]
Caused = Mapping[str, Collection[str]]  # by thing, the classes that what has happened made it
Bond = tuple[str, str, str, bool]  # a thing, a relation, to what (“”: whatever there is), and whether that is over
Bonds = Mapping[str, Sequence[Bond]]  # by event, what norms relate on it, and what they end, in order
NOTHING: Caused = {}
NO_BONDS: Bonds = {}


def before(case: Case) -> tuple[str, ...]:
    """The acts of the history that go before what is asked: all of them, unless the question is about one of them."""
    asked = case.question.thing
    return case.history[: case.history.index(asked)] if asked in case.history else case.history


def told(case: Case) -> tuple[str, ...]:
    """The acts that a case tells as events of their own: those of the history, and the one whose effects it asks."""
    return (*case.history, case.question.thing) if case.question.kind == "effects" else case.history


def standing(
    vocabulary: Vocabulary, case: Case, done: tuple[str, ...], caused: Caused = NOTHING, bonds: Bonds = NO_BONDS
) -> Case:
    """The case as it stands once the acts `done` are over, have made things what `caused` says, and have tied them to what `bonds` say."""
    if not (done or caused or any(not vocabulary.ending.isdisjoint(facts.is_) for facts in case.things.values())):
        return case
    things: Things = dict(case.things)
    rules = [(prop, rule) for prop in vocabulary.changing for rule in prop.changed_by]
    ways = ways_by_place(vocabulary) if done else ()
    for name in done:
        keep(things, name, ways)
        if failed(vocabulary, things, things[name]):
            tie(vocabulary, things, bonds.get(name, ()))
            continue
        moved = [(p, mover, to) for p, rule in rules if not rule.of_state and vocabulary.entails(things[name].is_, rule.cls)
                 for mover, to in moves(vocabulary, things, things[name], rule, p)]  # fmt: skip
        for who, cls in list(over(vocabulary, things, things[name])):
            widen(vocabulary, things, who, vocabulary.classes[cls].descendants)
        for prop, mover, to in moved:
            move(vocabulary, things, prop, mover, to)
        for prop, mover, to in moved:
            if prop.name == AT and mover in things:
                lie(vocabulary, things, mover, to)
        tie(vocabulary, things, bonds.get(name, ()))
    states = [(prop, rule, name) for prop, rule in rules if rule.of_state for name, facts in case.things.items()
              if vocabulary.entails((*facts.is_, *caused.get(name, ())), rule.cls)]  # fmt: skip
    left = [
        found for prop, rule, name in states if rule.place for found in left_to(vocabulary, things, prop, rule, name)
    ]
    for prop, rule, name in states:
        if not rule.place:
            put(things, prop, name, ())
    for prop, name, to in left:
        put(things, prop, name, to)
    return case if things == case.things else replace(case, things=things)


def tie(vocabulary: Vocabulary, things: Things, bonds: Sequence[Bond]) -> None:
    """Relates what norms relate, and parts what they part; what a thing takes along comes along."""
    for name, role, to, over_ in bonds:
        prop = vocabulary.properties[role]
        if over_ and to:
            part(things, prop, name, to)
        elif over_:
            put(things, prop, name, ())
        else:
            carried = along(vocabulary, things, (name,)) if role in vocabulary.whereabouts else ()
            for who in (name, *carried):
                put(things, prop, who, (to,))


def part(things: Things, prop: PropertyTerm, name: str, to: str) -> None:
    """Takes one end of a relation from a thing: that it has it to that, and that it has been told from there."""
    own = {q: tuple(n for n in ends if n != to) if q in prop.below else ends for q, ends in things[name].links.items()}
    if prop.functional and to in places(things, prop, name):
        own[prop.name] = ()
    things[name] = replace(things[name], links=own)
    other = things[to].links
    things[to] = replace(things[to], links={q: tuple(n for n in ends if n != name) if q in prop.inverses else ends
                                            for q, ends in other.items()})  # fmt: skip


def failed(vocabulary: Vocabulary, things: Things, act: Facts) -> bool:
    """Whether an act came to nothing: who would have moved by it stays where he is."""
    for cls, way in vocabulary.failing:
        ends = places(things, vocabulary.properties[way.role], act.name) if vocabulary.entails(act.is_, cls) else ()
        if any(vocabulary.entails(things[to].is_, way.kind) for to in ends if to in things):
            return True
    return False


def left_to(
    vocabulary: Vocabulary, things: Things, prop: PropertyTerm, rule: ChangedBy, name: str
) -> Iterator[tuple[PropertyTerm, str, tuple[str, ...]]]:
    """Whom a state of a thing leaves with a relation, and to what: to what the thing had until then, if that is known."""
    known = vocabulary.properties
    to = tuple(dict.fromkeys(places(things, known[rule.place], name)))
    for who in dict.fromkeys(places(things, known[rule.mover], name)) if rule.mover else (name,):
        if to and who in things:
            yield prop, who, to


def over(vocabulary: Vocabulary, things: Things, act: Facts) -> Iterator[tuple[str, str]]:
    """What an act ends: who, and what he was told to be until then."""
    for cls, rule in vocabulary.passing:
        if vocabulary.entails(act.is_, rule.cls):
            for who in movers(vocabulary, things, act, rule) if rule.mover else tuple(things):
                there = act.links.get(rule.place, ())
                if who in things and not (there and there == places(things, vocabulary.properties[AT], who)):
                    yield who, cls


def movers(vocabulary: Vocabulary, things: Things, act: Facts, rule: ChangedBy) -> tuple[str, ...]:
    """Who an act moves, with a group its members."""
    told = act.links.get(rule.mover, ())
    with_them = (who for name in told if name in things for who in things[name].links.get(MEMBER, ()))
    return tuple(dict.fromkeys((*told, *with_them)))


def along(vocabulary: Vocabulary, things: Things, those: tuple[str, ...]) -> Iterator[str]:
    """What goes along with some things, and with that, of what is no mover itself."""
    takes = vocabulary.along
    met = list(those)
    for name in met if takes is not None else ():
        new = [x for x in (places(things, takes, name) if takes and name in things else ()) if x not in met]
        met += new
        yield from new


def moves(
    vocabulary: Vocabulary, things: Things, act: Facts, rule: ChangedBy, prop: PropertyTerm
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Who an act moves, and what goes along, and where to: nowhere where the rule names no place."""
    first, *onwards = rule.place.split(".")
    to = act.links.get(first, ())
    for role in onwards:
        step = vocabulary.properties[role]
        to = tuple(dict.fromkeys(there for name in to if name in things for there in places(things, step, name)))
    if len(to) == 1 or not rule.place:
        those = movers(vocabulary, things, act, rule) if rule.mover else tuple(things) if prop.kind == "object" else ()
        carried = along(vocabulary, things, those) if prop.name in vocabulary.whereabouts else ()
        yield from ((name, to) for name in (*those, *carried))


def places(things: Things, prop: PropertyTerm, name: str) -> tuple[str, ...]:
    """Where a thing is said to be, from its own side or from that of the place."""
    own = (to for q in prop.below for to in things[name].links.get(q, ()))
    return (*own, *(p for p, facts in things.items() if any(name in facts.links.get(q, ()) for q in prop.inverses)))


def ways_by_place(vocabulary: Vocabulary) -> list[tuple[str, str, list[PropertyTerm]]]:
    """The ways by which an act leads to where somebody stands, or who stands there: what comes of each, its first step and the others."""
    known, moving = vocabulary.properties, vocabulary.moving
    chains = ((q.name, chain) for q in known.values() for chain in q.chains if not moving.isdisjoint(chain[1:]))
    return [(name, chain[0], [known[step] for step in chain[1:]]) for name, chain in chains]


def keep(things: Things, act: str, ways: Sequence[tuple[str, str, Sequence[PropertyTerm]]]) -> None:
    """Has an act keep where it was done from, where what it was aimed at stood and who was there, if nothing is told of that."""
    links = things[act].links
    found: dict[str, tuple[str, ...]] = {}
    for name, role, steps in ways:
        ends = links.get(role, ()) if name not in links else ()
        for step in steps:
            ends = tuple(to for who in ends if who in things for to in places(things, step, who))
        found[name] = (*found.get(name, ()), *ends)
    kept = {name: tuple(dict.fromkeys(ends)) for name, ends in found.items() if ends}
    if kept:
        things[act] = replace(things[act], links={**links, **kept})


def move(vocabulary: Vocabulary, things: Things, prop: PropertyTerm, name: str, to: tuple[str, ...]) -> None:
    """Moves a thing: whatever has the relation to where it was has it no more, if there can be but one."""
    if name not in things:
        return
    if not to:
        unsay(vocabulary, things, prop, name)
    old = tuple(dict.fromkeys(places(things, prop, name)))
    if not (old or to):
        return
    put(things, prop, name, to)


def unsay(vocabulary: Vocabulary, things: Things, prop: PropertyTerm, name: str) -> None:
    """Takes from a thing that has a relation no more the classes of what has it; the wider ones stay."""
    classes = vocabulary.classes
    owing = {c for kind in things[name].is_ for c in classes[kind].ancestors}
    owing = {c for c in owing if any(role == prop.name for role, _ in classes[c].existential)}
    widen(vocabulary, things, name, owing)


def widen(vocabulary: Vocabulary, things: Things, name: str, gone: Collection[str]) -> None:
    """Takes some classes from a thing; the wider ones stay."""
    classes, facts = vocabulary.classes, things[name]
    if any(c in gone for c in facts.is_):
        wide = {a for c in facts.is_ for a in classes[c].ancestors if a not in gone}
        left = tuple(c for c in facts.is_ if c not in gone)
        narrow = sorted(
            c for c in wide if not any(c != d and c in classes[d].ancestors for d in wide) and c not in left
        )
        things[name] = replace(facts, is_=(*left, *narrow))


def lie(vocabulary: Vocabulary, things: Things, name: str, to: tuple[str, ...]) -> None:
    """Of who has come to a place that lies in a cell as pieces do (a foxhole): is where that lies, and in it."""
    cell = vocabulary.cell
    for place in to if cell is not None and cell.within else ():
        ground = places(things, vocabulary.properties[AT], place) if place in things else ()
        if cell is not None and len(ground) == 1 and not cell.pieces.isdisjoint(things[place].is_):
            put(things, vocabulary.properties[AT], name, ground)
            put(things, vocabulary.properties[cell.within], name, (place,))


def put(things: Things, prop: PropertyTerm, name: str, to: tuple[str, ...]) -> None:
    """Relates a thing to `to`: to nothing else, where there can be but one."""
    if to and not prop.functional:
        known = things[name].links.get(prop.name, ())
        things[name] = replace(
            things[name], links={**things[name].links, prop.name: tuple(dict.fromkeys((*known, *to)))}
        )
        return
    kept = {q: targets for q, targets in things[name].links.items() if q not in prop.below}
    things[name] = replace(things[name], links={**kept, prop.name: to})
    for place, facts in list(things.items()):
        for q in prop.inverses:
            if name in facts.links.get(q, ()):
                facts = replace(facts, links={**facts.links, q: tuple(n for n in facts.links[q] if n != name)})
                things[place] = facts
