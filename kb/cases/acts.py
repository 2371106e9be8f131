"""What a case tells of acts in a roundabout way, brought into the words that rules use.

A kind of act may be told by a wider one and what it is done with (`lp:toldAs`: the placement of a charge is a Placed DC), what it
is done to or where by a neighboring relation (`lp:takenFor`), or by a value of another one as it is of a kind (`lp:toldByKind`: a
weapon that fires is the weapon of the shot), and what is not said of it by what one who takes part has (`lp:toldThrough`: a hit is
made with the weapon of the team that scores it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from msgspec.structs import replace

from kb.cases.sides import ENEMY, FRIENDLY
from kb.cases.telling import BOOKS, Telling
from kb.language.case import Facts
from kb.language.vocabulary import ACTOR, COUNT, MEMBER, PropertyTerm, ToldThrough, Vocabulary

Things = Mapping[str, Facts]
WEAPON = "Weapon"  # what is fired: who has one of the kind fires that one
TURNED = {FRIENDLY: ENEMY, ENEMY: FRIENDLY}
NO_WORDS: Mapping[str, str] = {}
# What a definition says that something has no value of: `not (weapon some Weapon)`, or of a kind but for some of these.
NONE_OF = re.compile(r"not \((\S+) some (?:(\w+)\)|\((\w+) and \(not )")


@dataclass(frozen=True, slots=True)
class Way:
    """A relation or number that is told through another: `told`, the words by which that is, from either side; `leads`, those by which it
    leads on; fired: it is that of a weapon, which may be known from another act too."""

    role: PropertyTerm
    by: ToldThrough
    told: frozenset[str]
    leads: frozenset[str]
    fired: bool


@dataclass(frozen=True, slots=True)
class Acts:
    """How acts of a class are told in a roundabout way: of themselves by `words` of their own, and through others; kinds: the kinds of values of a relation
    that are meant for another one; none: the relations of which they have by definition no value of a kind (Small Arms fire no weapon)."""

    words: frozenset[str]
    ways: tuple[Way, ...]
    kinds: tuple[tuple[str, str, tuple[str, ...]], ...]
    none: frozenset[tuple[str, str]]

    def heard(self, said: Set[str]) -> list[Way]:
        """The ways for which the words are said."""
        return [
            way for way in self.ways
            if not way.told.isdisjoint(said) and (way.fired or not way.leads.isdisjoint(said))
        ]  # fmt: skip


@lru_cache(maxsize=BOOKS)
def roundabout(vocabulary: Vocabulary) -> Mapping[str, Acts]:
    """The classes of act of which a case may tell something in a roundabout way, each with how."""
    classes, properties = vocabulary.classes, vocabulary.properties

    @cache  # one for all classes that have it
    def way(role: str, by: ToldThrough) -> Way:
        told, leads = (frozenset((q, *properties[q].below, *properties[q].inverses)) for q in (by.role, by.way))
        prop = properties[role]
        return Way(prop, by, told, leads, vocabulary.entails((prop.range, by.kind), WEAPON))

    none: dict[str, set[tuple[str, str]]] = {}
    for term in classes.values():
        pairs = [(role, one or but) for text in term.definitions for role, one, but in NONE_OF.findall(text)]
        for below in term.descendants if pairs else ():
            none.setdefault(below, set()).update(pairs)
    meant, by_kind, others, borne = vocabulary.meant_by, vocabulary.by_kind, vocabulary.told_otherwise, vocabulary.borne
    found = {}
    for cls in {*meant, *by_kind, *others, *borne, *none}:
        kinds: dict[tuple[str, str], list[str]] = {}
        for role, by in by_kind.get(cls, ()):
            kinds.setdefault((role, by.role), []).append(by.kind)
        words = {*meant.get(cls, ()), *(told for _, told in kinds), *(role for role, _, _ in others.get(cls, ()))}
        ways = tuple(way(role, by) for role, by in borne.get(cls, ()))
        told_so = tuple((role, told, tuple(those)) for (role, told), those in kinds.items())
        found[cls] = Acts(frozenset(words), ways, told_so, frozenset(none.get(cls, ())))
    return found


def settle(things: Telling, vocabulary: Vocabulary) -> None:
    """Brings what is told of each act into the normal words, in place."""
    known, said = roundabout(vocabulary), things.said
    heard = {cls for cls in known.keys() & said if not known[cls].words.isdisjoint(said) or known[cls].heard(said)}
    if not heard:
        return
    told = things.as_told()
    for facts in [x for x in told.values() if not heard.isdisjoint(x.is_)]:
        meant = facts
        if any([cls in heard and not known[cls].words.isdisjoint(facts.links) for cls in facts.is_]):
            meant = understood(facts, told, vocabulary)
            if (narrower := proper(meant, told, vocabulary)) is not meant:
                meant = understood(narrower, told, vocabulary)  # the proper kind may have its own words
        kinds = [known[cls] for cls in meant.is_ if cls in known]
        if ways := [way for kind in kinds for way in kind.heard(said)]:
            none = set().union(*(kind.none for kind in kinds))
            meant = borne(meant, [way for way in ways if (way.role.name, way.by.kind) not in none], told, vocabulary)
        if meant is not facts:
            things[facts.name] = meant


def proper(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act under the kind that is meant by a wider one and what it is done with: a Placed DC, by the placement of a charge."""
    is_, told = facts.is_, dict[str, str]()
    while pairs := [(w, kind) for w in is_ if w not in told for kind in meant_kinds(w, facts, things, vocabulary)][:1]:
        told.update(pairs)
        is_ = tuple(told.get(cls, cls) for cls in is_)  # which may tell yet another kind
    return facts if is_ is facts.is_ else replace(facts, is_=is_)


def meant_kinds(wide: str, act: Facts, things: Things, vocabulary: Vocabulary) -> Iterator[str]:
    """The kinds that a wider one means of an act, by what it is done with."""
    for role, kind, meant in vocabulary.told_otherwise.get(wide, ()):
        if any(vocabulary.entails(seen(things[other].is_, act, things), kind) for other in act.links.get(role, ())):
            yield meant


def seen(classes: tuple[str, ...], act: Facts, things: Things) -> tuple[str, ...]:
    """Classes of a thing, the sides among them as they are to who does an act: to one who is Enemy to the teller, an Enemy is Friendly."""
    if all(ENEMY not in things[doer].is_ for doer in act.links.get(ACTOR, ())):
        return classes
    return tuple(TURNED.get(cls, cls) for cls in classes)


def borne(facts: Facts, ways: list[Way], things: Telling, vocabulary: Vocabulary) -> Facts:
    """An act with what is meant by what one who takes part in it has: a hit with the weapon of the team that scores it, its only one.

    Where the relation marked is the one that leads there (`target`, by the `target`), what is found is meant instead. A weapon of which
    only the kind is told is the one of that kind that he has.
    """
    links, numbers = facts.links, facts.numbers
    for way in ways:
        prop, by, role = way.role, way.by, way.role.name
        if prop.kind == "number":
            owners = things.related(facts.name, by.role, vocabulary)
            told = {things[n].numbers[by.way] for n in owners if of_kind(n, by, things, vocabulary)}
            if role not in numbers and len(told) == 1:
                numbers = {**numbers, role: told.pop()}
        elif by.role == role or (
            links.keys().isdisjoint(prop.below) and not things.related(facts.name, role, vocabulary)
        ):
            owners = things.related(facts.name, by.role, vocabulary)
            if by.kind != prop.range:  # of several in a group it is the one that has what the act is done with
                owners |= members(owners, things)
            found = {n for owner in owners for n in things.related(owner, by.way, vocabulary)}
            kept = [n for n in found if vocabulary.entails(things[n].is_, by.kind)]
            if len(kept) == 1:
                links = {**links, role: (kept[0],)}
        elif way.fired and (kinds := told_by_kind_alone(facts.name, links.get(role, ()), role, things)):
            owners = things.related(facts.name, by.role, vocabulary)
            owners |= members(owners, things)
            held = {n for owner in owners for n in things.related(owner, by.way, vocabulary)}
            alike = [n for n in held if all(vocabulary.entails(things[n].is_, cls) for cls in kinds)]
            if prop.range == WEAPON:
                alike = alike or told_before(facts, role, by, kinds, things)
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


def understood(facts: Facts, things: Things, vocabulary: Vocabulary) -> Facts:
    """An act with what it is done to, or where, under the relation that rules speak of: a claim of Control “of” a place is at it."""
    links, known = facts.links, roundabout(vocabulary)
    for cls in facts.is_:
        for word, role in vocabulary.meant_by.get(cls, NO_WORDS).items():
            if word in links and role not in links:
                links = {role if key == word else key: value for key, value in links.items()}
        for role, told, kinds in known[cls].kinds if cls in known else ():
            if told not in links or role in links:
                continue
            if meant := tuple([n for n in links[told] if any([vocabulary.entails(things[n].is_, x) for x in kinds])]):
                rest = tuple(n for n in links[told] if n not in meant)
                links = {key: value for key, value in {**links, told: rest}.items() if value or key != told}
                links[role] = meant
    return facts if links is facts.links else replace(facts, links=links)
