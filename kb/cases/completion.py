"""The normal form of a case: what it tells in a roundabout way, in the words that rules use.

A kind of act may be told by a wider one and what it is done with (`lp:toldAs`: the placement of a charge is a Placed DC), what
it is done to by a neighboring relation (`lp:takenFor`), one thing by the relation for several
(`lp:singly`), a number by another (`lp:toldBy`: the firepower said of a squad is what is printed on it, unless that is said
too), and where things are by the cell of the map that they are in (kb.cases.cells). What is found is then as good as stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from kb.cases import cells, sides
from kb.language.case import Facts
from kb.language.vocabulary import AT, ToldThrough, Vocabulary

Things = Mapping[str, Facts]
NO_WORDS: Mapping[str, str] = {}


def complete(things: Things, vocabulary: Vocabulary) -> dict[str, Facts]:
    """The things of a case, with what is told in a roundabout way in the normal words."""
    found = dict(things)
    telling, concerned = vocabulary.telling_numbers, vocabulary.concerned
    for name, facts in things.items():
        if not concerned.isdisjoint(facts.is_):
            facts = understood(facts, things, vocabulary)
            if (meant := proper(facts, things, vocabulary)) is not facts:
                facts = understood(meant, things, vocabulary)  # the proper kind may have its own words
            found[name] = facts = borne(facts, things, vocabulary)
        if facts.numbers and not telling.isdisjoint(facts.numbers) and (more := number_told(facts, vocabulary)):
            found[name] = replace(found[name], numbers={**facts.numbers, **more})
    spoken = relations(found)
    if not vocabulary.singly.keys().isdisjoint(spoken):
        alone(found, vocabulary)
    if AT in vocabulary.told and not spoken.isdisjoint(vocabulary.told[AT].roles):
        beside(found, vocabulary)
    if not spoken.isdisjoint((sides.FOES, sides.FRIENDS)):
        sides.settle(found, vocabulary)
    cells.settle(found, vocabulary)
    return found


def proper(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act under the kind that is meant by a wider one and what it is done with: a Placed DC, by the placement of a charge."""
    is_ = facts.is_
    for wide in facts.is_:
        for role, kind, meant in vocabulary.told_otherwise.get(wide, ()):
            if any(vocabulary.entails(things[other].is_, kind) for other in facts.links.get(role, ())):
                is_ = tuple(meant if cls == wide else cls for cls in is_)
    return facts if is_ is facts.is_ else replace(facts, is_=is_)


def borne(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act with what is meant by what one who takes part in it has: a hit with the weapon of the team that scores it, its only one.

    Where the relation marked is the one that leads there (`target`, by the `target`), what is found is meant instead.
    """
    links, numbers = facts.links, facts.numbers
    for cls in facts.is_:
        for role, way in vocabulary.borne.get(cls, ()):
            prop, owners = vocabulary.properties[role], links.get(way.role, ())
            if prop.kind == "number":
                told = {things[n].numbers[way.way] for n in owners if of_kind(n, way, things, vocabulary)}
                if role not in numbers and len(told) == 1:
                    numbers = {**numbers, role: told.pop()}
            elif way.role == role or links.keys().isdisjoint(prop.below):
                found = {n for owner in owners for n in related(owner, way.way, things, vocabulary)}
                kept = [n for n in found if vocabulary.entails(things[n].is_, way.kind)]
                if len(kept) == 1:
                    links = {**links, role: (kept[0],)}
    return facts if links is facts.links and numbers is facts.numbers else replace(facts, links=links, numbers=numbers)


def of_kind(name: str, way: ToldThrough, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether a number is told of a thing, and the thing is of the kind whose number is meant."""
    return way.way in things[name].numbers and vocabulary.entails(things[name].is_, way.kind)


def related(name: str, role: str, things: Things, vocabulary: Vocabulary) -> set[str]:
    """What a thing is said to have by a relation, told from either side."""
    prop = vocabulary.properties[role]
    own = {to for q in prop.below for to in things[name].links.get(q, ())}
    return own | {other for other, facts in things.items() for q in prop.inverses if name in facts.links.get(q, ())}


def understood(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act with what it is done to, or where, under the relation that rules speak of: a claim of Control “of” a place is at it."""
    links = facts.links
    for cls in facts.is_:
        for word, role in vocabulary.meant_by.get(cls, NO_WORDS).items():
            if word in links and role not in links:
                links = {role if key == word else key: value for key, value in links.items()}
        for role, way in vocabulary.by_kind.get(cls, ()):
            meant = tuple(n for n in links.get(way.role, ()) if vocabulary.entails(things[n].is_, way.kind))
            if meant and role not in links:
                rest = tuple(n for n in links[way.role] if n not in meant)
                links = {key: value for key, value in {**links, way.role: rest}.items() if value or key != way.role}
                links[role] = meant
    return facts if links is facts.links else replace(facts, links=links)


def relations(things: Things) -> set[str]:
    """The relations that anything is said to be in."""
    return set().union(*[facts.links for facts in things.values()])


def alone(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """One thing where a relation takes several (`firers: [squad]`) is told as by the relation for one (`actor: squad`)."""
    for several, told in vocabulary.singly.items():
        roles = [vocabulary.properties[role] for role in told.roles]
        for facts in [x for x in things.values() if len(x.links.get(several, ())) == 1]:
            if any(vocabulary.entails(facts.is_, group) for group in told.groups):
                continue
            (one,) = facts.links[several]
            role = next((r for r in roles if vocabulary.entails(things[one].is_, r.range)), roles[-1])
            if role.name not in facts.links:
                rest = {key: value for key, value in facts.links.items() if key != several}
                things[facts.name] = replace(facts, links={**rest, role.name: (one,)})


def beside(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """What is told to be with something is where that is; where neither is told, at a place that is made."""
    at = vocabulary.properties[AT]
    told = vocabulary.told[AT]
    ways = {q for role in told.roles for q in vocabulary.properties[role].below}
    pairs = [(name, to) for name, facts in things.items() for q in ways & facts.links.keys() for to in facts.links[q]]
    held = {x: name for name, facts in things.items() for q in at.inverses for x in facts.links.get(q, ())}

    def place(name: str) -> str:
        return next((to for q in at.below for to in things[name].links.get(q, ())), held.get(name, ""))

    def spread() -> None:
        for _ in pairs:
            for one, other in (*pairs, *((b, a) for a, b in pairs)):
                if place(one) and not place(other):
                    put(things, other, place(one))

    spread()
    for name, _ in pairs:
        if not place(name):
            made = f"{name}.{AT}"
            things[made] = Facts(made, told.kinds, label=f"the place of {things[name].label or name}")
            put(things, name, made)
            spread()


def put(things: dict[str, Facts], name: str, place: str) -> None:
    """Says where a thing is."""
    things[name] = replace(things[name], links={**things[name].links, AT: (place,)})


def number_told(facts: Facts, vocabulary: Vocabulary) -> dict[str, Fraction]:
    """The numbers that others stand for, of those of its kind that a thing has not stated."""
    more = {}
    for role, told_by in vocabulary.told_numbers.items():
        word = next((word for word in told_by if word in facts.numbers), "") if role not in facts.numbers else ""
        if word:
            domain = vocabulary.properties[role].domain
            if not domain or vocabulary.entails(facts.is_, domain):
                more[role] = facts.numbers[word]
    return more
