"""What a case tells of acts in a roundabout way, brought into the words that rules use.

A kind of act may be told by a wider one and what it is done with (`lp:toldAs`: the placement of a charge is a Placed DC), what it
is done to or where by a neighboring relation (`lp:takenFor`), or by a value of another one as it is of a kind (`lp:toldByKind`: a
weapon that fires is the weapon of the shot), and what is not said of it by what one who takes part has (`lp:toldThrough`: a hit is
made with the weapon of the team that scores it).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from kb.cases.sides import ENEMY, FRIENDLY
from kb.language.case import Facts
from kb.language.vocabulary import ACTOR, COUNT, MEMBER, ToldThrough, Vocabulary

Things = Mapping[str, Facts]
WEAPON = "Weapon"  # what is fired: who has one of the kind fires that one
TURNED = {FRIENDLY: ENEMY, ENEMY: FRIENDLY}
NO_WORDS: Mapping[str, str] = {}


def settle(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """Brings what is told of each act into the normal words, in place."""
    concerned = vocabulary.concerned
    told = dict(things)
    for name, facts in told.items():
        if not concerned.isdisjoint(facts.is_):
            facts = understood(facts, told, vocabulary)
            if (meant := proper(facts, told, vocabulary)) is not facts:
                facts = understood(meant, told, vocabulary)  # the proper kind may have its own words
            things[name] = borne(facts, told, vocabulary)


def proper(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act under the kind that is meant by a wider one and what it is done with: a Placed DC, by the placement of a charge."""
    is_ = facts.is_
    for wide in facts.is_:
        for role, kind, meant in vocabulary.told_otherwise.get(wide, ()):
            if any(
                vocabulary.entails(seen(things[other].is_, facts, things), kind) for other in facts.links.get(role, ())
            ):
                is_ = tuple(meant if cls == wide else cls for cls in is_)
    return facts if is_ is facts.is_ else replace(facts, is_=is_)


def seen(classes: tuple[str, ...], act: Facts, things: Things) -> tuple[str, ...]:
    """Classes of a thing, the sides among them as they are to who does an act: to one who is Enemy to the teller, an Enemy is Friendly."""
    if all(ENEMY not in things[doer].is_ for doer in act.links.get(ACTOR, ())):
        return classes
    return tuple(TURNED.get(cls, cls) for cls in classes)


def borne(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act with what is meant by what one who takes part in it has: a hit with the weapon of the team that scores it, its only one.

    Where the relation marked is the one that leads there (`target`, by the `target`), what is found is meant instead. A weapon of which
    only the kind is told is the one of that kind that he has.
    """
    links, numbers = facts.links, facts.numbers
    for cls in facts.is_:
        for role, way in vocabulary.borne.get(cls, ()):
            if vocabulary.without(facts.is_, role, way.kind):
                continue
            prop, owners = vocabulary.properties[role], related(facts.name, way.role, things, vocabulary)
            if prop.kind == "number":
                told = {things[n].numbers[way.way] for n in owners if of_kind(n, way, things, vocabulary)}
                if role not in numbers and len(told) == 1:
                    numbers = {**numbers, role: told.pop()}
            elif way.role == role or (
                links.keys().isdisjoint(prop.below) and not related(facts.name, role, things, vocabulary)
            ):
                if way.kind != prop.range:  # of several in a group it is the one that has what the act is done with
                    owners |= members(owners, things)
                found = {n for owner in owners for n in related(owner, way.way, things, vocabulary)}
                kept = [n for n in found if vocabulary.entails(things[n].is_, way.kind)]
                if len(kept) == 1:
                    links = {**links, role: (kept[0],)}
            elif vocabulary.entails(filter(None, (prop.range, way.kind)), WEAPON) and (
                kinds := told_by_kind_alone(facts.name, links.get(role, ()), role, things)
            ):
                owners |= members(owners, things)
                held = {n for owner in owners for n in related(owner, way.way, things, vocabulary)}
                alike = [n for n in held if all(vocabulary.entails(things[n].is_, cls) for cls in kinds)]
                if prop.range == WEAPON:
                    alike = alike or told_before(facts, role, way, kinds, things)
                if len(alike) == 1 and things[alike[0]].numbers.get(COUNT, 1) == 1:
                    links = {**links, role: (alike[0],)}
    return facts if links is facts.links and numbers is facts.numbers else replace(facts, links=links, numbers=numbers)


def told_by_kind_alone(act: str, told: tuple[str, ...], role: str, things: Things) -> tuple[str, ...]:
    """The classes of what an act is told with by its kind and nothing else (`weapon: Flamethrower`); none where it is a thing of its own."""
    facts = things[told[0]] if told == (f"{act}.{role}",) else None
    return facts.is_ if facts is not None and facts == Facts(facts.name, facts.is_, label=facts.label) else ()


def told_before(act: Facts, role: str, way: ToldThrough, kinds: tuple[str, ...], things: Things) -> list[str]:
    """What the same one is told to use in another act by the same kind alone: two times a flamethrower of a squad are the one it has."""
    who = one_of(act.links.get(way.role, ()), things)
    for other in things.values() if who else ():  # of whom nothing is told it may be anybody's
        if one_of(other.links.get(way.role, ()), things) == who:
            told = other.links.get(role, ())
            if told_by_kind_alone(other.name, told, role, things) == kinds:
                return list(told)
    return []


def members(names: set[str], things: Things) -> set[str]:
    """Those who belong to groups among some things."""
    return {member for name in names for member in things[name].links.get(MEMBER, ())}


def one_of(names: tuple[str, ...], things: Things) -> tuple[str, ...]:
    """Who acts: for a group of one, that one."""
    alone = things[names[0]].links.get(MEMBER, ()) if len(names) == 1 else ()
    return alone if len(alone) == 1 else names


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
        ways = vocabulary.by_kind.get(cls, ())
        for role, way in ways:
            kinds = [other.kind for said, other in ways if (said, other.role) == (role, way.role) and way.role in links]
            meant = tuple(
                [n for n in links.get(way.role, ()) if any(vocabulary.entails(things[n].is_, kind) for kind in kinds)]
            )
            if meant and role not in links:
                rest = tuple(n for n in links[way.role] if n not in meant)
                links = {key: value for key, value in {**links, way.role: rest}.items() if value or key != way.role}
                links[role] = meant
    return facts if links is facts.links else replace(facts, links=links)
