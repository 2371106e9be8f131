"""The normal form of a case: what it tells in a roundabout way, in the words that rules use.

It is reached in passes, each declared by marks of the ontology: acts by what they are done to and with (kb.cases.acts), a number
by another (`lp:toldBy`: the firepower said of a squad is what is printed on it, unless that is said too), one thing by the
relation for several (`lp:singly`), where things are by what they are with, who is an enemy by whose enemy he is (kb.cases.sides),
and where things are by the cell of the map that they are in (kb.cases.cells). What is found is then as good as stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec.structs import replace

from kb.cases import acts, cells, same_cell, sides, standing
from kb.cases.cells import ACT, PLACE
from kb.cases.telling import BOOKS, Telling
from kb.cases.things import HAS_GROUND as HAS_GROUND
from kb.language import english
from kb.language.case import Facts
from kb.language.vocabulary import ACTOR, AT, COUNT, MEMBER, ToldThrough, Vocabulary

Things = Mapping[str, Facts]
WORKS = ("Fortification", "Entrenchment")
UNIT = "Unit"  # what a group consists of, where no more is told
ROLES = frozenset((sides.FRIENDLY, sides.ENEMY, "Nationality", "State"))


def complete(things: Things, vocabulary: Vocabulary) -> dict[str, Facts]:
    """The things of a case, with what is told in a roundabout way in the normal words."""
    found = Telling(things)
    for settle, words in concerned(vocabulary):
        if not words.isdisjoint(found.said):
            settle(found, vocabulary)
    return dict(found)


def stages(things: Things, vocabulary: Vocabulary) -> Iterator[tuple[str, Things, Things]]:
    """Each pass: by what it goes, the things before it, and after it."""
    found = Telling(things)
    for (by, *_), (settle, words) in zip(PASSES, concerned(vocabulary), strict=True):
        before = dict(found)
        if not words.isdisjoint(found.said):
            settle(found, vocabulary)
        yield by, before, dict(found)


@lru_cache(maxsize=BOOKS)
def concerned(vocabulary: Vocabulary) -> tuple[tuple[Settle, frozenset[str]], ...]:
    """What each pass does, with its words: where none of them is told, it finds nothing to do."""
    return tuple((settle, frozenset(words(vocabulary))) for _, settle, words in PASSES)


def numbers(things: Telling, vocabulary: Vocabulary) -> None:
    """The numbers that others stand for are told by these, where they are not told themselves, or said by them to be not known."""
    telling = numbers_told(vocabulary)
    for name, facts in things.items():
        if (facts.numbers or facts.unknown) and not telling.isdisjoint((*facts.numbers, *facts.unknown)):
            told, open_ = number_told(facts, vocabulary)
            if told or open_:
                things[name] = replace(facts, numbers={**facts.numbers, **told}, unknown=(*facts.unknown, *open_))


def alone(things: Telling, vocabulary: Vocabulary) -> None:
    """One thing where a relation takes several (`firers: [squad]`) is told as by the relation for one (`actor: squad`); several are one
    group in the acts that `lp:asOne` names (`actors: [a, b]`)."""
    for several, told in vocabulary.singly.items():
        if not any(several in facts.links for facts in things.values()):
            continue
        roles = [vocabulary.properties[role] for role in told.roles]
        for facts in [x for x in things.values() if x.links.get(several)]:
            named = facts.links[several]
            if any(vocabulary.entails(facts.is_, group) for group in told.groups):
                continue
            group = by_group(facts, several, vocabulary)
            if len(named) > 1:
                if group:
                    as_one(facts, several, group, things, vocabulary)
                continue
            (one,) = named
            if not group and stands_for_several(one, things, vocabulary):
                continue
            role = next((r for r in roles if vocabulary.entails(things[one].is_, r.range)), roles[-1])
            if role.name not in facts.links:
                tell_by(facts, several, role.name, (one,), things)


def by_group(act: Facts, several: str, vocabulary: Vocabulary) -> str:
    """The relation by which those whom one for several leads to are one group in an act, or ""."""
    ways = vocabulary.properties[several].as_one
    return next((way.role for way in ways if any(vocabulary.entails(act.is_, cls) for cls in way.acts)), "")


def stands_for_several(name: str, things: Telling, vocabulary: Vocabulary) -> bool:
    """Whether a thing is told to be a number of pieces, or a group of several."""
    several = MEMBER in vocabulary.properties and len(things.related(name, MEMBER, vocabulary)) > 1
    return several or things[name].numbers.get(COUNT, 1) != 1


def as_one(facts: Facts, several: str, role: str, things: Telling, vocabulary: Vocabulary) -> None:
    """Those who do an act together are made the one group that does it."""
    members, name = facts.links[several], f"{facts.name}.{role}"
    if role not in facts.links and name not in things:
        group = vocabulary.properties[MEMBER].domain
        label = english.series([things[x].label or x for x in members])
        things[name] = Facts(name, (group,), links={MEMBER: members}, label=label)
        tell_by(facts, several, role, (name,), things)


def tell_by(facts: Facts, told: str, role: str, values: tuple[str, ...], things: dict[str, Facts]) -> None:
    """Tells a thing by another relation than it is told by."""
    rest = {key: value for key, value in facts.links.items() if key != told}
    things[facts.name] = replace(facts, links={**rest, role: values})


def beside(things: Telling, vocabulary: Vocabulary) -> None:
    """What is told to be with something is where that is; where neither is told, at a place that is made."""
    told = vocabulary.told.get(AT)
    if told is None or not any(role in facts.links for facts in things.values() for role in told.roles):
        return
    at = vocabulary.properties[AT]
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


def belonging(things: Telling, vocabulary: Vocabulary) -> None:
    """Who belongs to a group is told of the group. Where nobody is told to, a unit is made that stands for those who do: of what kind they
    are is not known, nor how many, where the group has no count. What an act is done to or with is they, where it may be several;
    a group of one is that one."""
    if MEMBER not in vocabulary.properties or UNIT not in vocabulary.classes:
        return
    kind, whole = vocabulary.properties[MEMBER].domain, {}
    for name, facts in [(name, x) for name, x in things.items() if vocabulary.entails(x.is_, kind)]:
        told = things.related(name, MEMBER, vocabulary)
        if not told and MEMBER not in facts.links and MEMBER not in facts.unknown:
            numbers = {COUNT: facts.numbers[COUNT]} if COUNT in facts.numbers else {}
            made = f"{name}.{MEMBER}"
            label = f"who belongs to {facts.label or name}"
            things[made] = Facts(made, (UNIT,), numbers=numbers, unknown=() if numbers else (COUNT,), label=label)
            told = {made}
        if told:
            whole[name] = tuple([x for x in things if x in told])
            things[name] = replace(facts, links={**facts.links, MEMBER: whole[name]})
    alone = {name: those for name, those in whole.items() if len(those) == 1}
    for name, facts in list(things.items()) if whole else ():
        if vocabulary.entails(facts.is_, ACT) and any(x in whole for to in facts.links.values() for x in to):
            each = [role for role in vocabulary.singly if not by_group(facts, role, vocabulary)]
            doers = vocabulary.doers.difference(each)
            one = {role for role in facts.links if role in doers or vocabulary.properties[role].functional}
            meant = {
                role: tuple(y for x in to for y in (alone if role in one else whole).get(x, (x,)))
                for role, to in facts.links.items()
            }
            things[name] = replace(facts, links=meant)


def one_player(things: Telling, vocabulary: Vocabulary) -> None:
    """Acts that go by whose the things are that they are done with (`lp:toldThrough` a side), and of which neither that nor who does them
    is told, are one player's: of him who is told to do others of them, or of one who is made."""
    owed = of_a_side(vocabulary)
    those = [facts for facts in things.values() if not owed.keys().isdisjoint(facts.is_)]
    silent = [facts for facts in those if vocabulary.doers.isdisjoint((*facts.links, *facts.unknown))]
    if len(those) < 2 or not silent:
        return
    doers = {x for facts in those for role in vocabulary.doers & facts.links.keys() for x in facts.links[role]}
    if len(doers) > 1:
        return
    way = next(owed[cls] for cls in silent[0].is_ if cls in owed)
    if any(sides.told(things[x], vocabulary) for facts in silent for x in facts.links.get(way.role, ())):
        return
    made = f"{silent[0].name}.{ACTOR}"
    if not doers:
        things[made] = Facts(made, (way.kind,), label="the player")
    for facts in silent:
        things[facts.name] = replace(facts, links={**facts.links, ACTOR: tuple(doers or (made,))})


def of_a_side(vocabulary: Vocabulary) -> dict[str, ToldThrough]:
    """The classes of acts whose actor is told by whose side what they are done with is on, each with how."""
    ways = [(cls, way) for cls, told in vocabulary.borne.items() for role, way in told if role == ACTOR]
    return {cls: way for cls, way in ways if way.way == sides.SIDE}


def together(things: Telling, vocabulary: Vocabulary) -> None:
    """Where a group is, what it is next to or behind, and what it is in (a side, a nation, a state) is so of each member that is not told
    otherwise; and of the group is so what is told of all its members alike."""
    at, classes = vocabulary.properties.get(AT), vocabulary.classes
    if MEMBER not in vocabulary.properties or at is None:
        return
    beside, order = vocabulary.left_behind, {name: at for at, name in enumerate(things)}

    def shared(facts: Facts) -> list[str]:
        return [c for c in facts.is_ if not ROLES.isdisjoint((c, *classes[c].ancestors))]

    def where(facts: Facts, role: str = AT) -> set[str]:
        return things.related(facts.name, role, vocabulary)

    def tell(facts: Facts, more: list[str], place: set[str], near: dict[str, set[str]]) -> None:
        apart = {d for c in facts.is_ for d in classes[c].disjoint}
        fresh = (c for c in more if c not in facts.is_ and c not in facts.not_ and c not in apart)
        facts = replace(facts, is_=(*facts.is_, *fresh))
        gone = not vocabulary.ending.isdisjoint(facts.is_)  # who is eliminated stands nowhere
        told = {AT: place if len(place) == 1 else set(), **near}
        links = {
            role: tuple(sorted(to, key=order.__getitem__))
            for role, to in told.items()
            if to and not (gone or role in facts.links or role in facts.unknown or where(facts, role))
        }
        things[facts.name] = replace(facts, links={**facts.links, **links})

    for name in [x for x, facts in things.items() if facts.links.get(MEMBER)]:
        members = things[name].links[MEMBER]
        alike = [c for c in shared(things[members[0]]) if all(c in things[x].is_ for x in members)]
        near = {role: set[str].intersection(*(where(things[x], role) for x in members)) for role in beside}
        places = [where(things[x]) for x in members]
        tell(things[name], alike, set().union(*places) if all(places) else set(), near)
        for member in members:
            group = things[name]
            tell(things[member], shared(group), where(group), {role: where(group, role) for role in beside})


def ground(things: Telling, vocabulary: Vocabulary) -> None:
    """What is told as the terrain of a cell of the map and is a place itself, such as barbed wire, stands there."""
    cell = vocabulary.cell
    if cell is None:
        return
    kinds = {cell.name, cell.ground}
    for name, facts in [(name, x) for name, x in things.items() if HAS_GROUND in x.links]:
        told = () if kinds.isdisjoint(facts.is_) else facts.links[HAS_GROUND]
        works = [work for work in told if vocabulary.entails(things[work].is_, PLACE)]
        for work in works:
            if things[work].links.keys().isdisjoint(cell.telling):
                things[work] = replace(things[work], links={**things[work].links, cell.to_it: (name,)})
        built = [x for x in works if any(vocabulary.entails(things[x].is_, work) for work in WORKS)]
        if built:  # what is built on the ground is no part of it
            rest = {HAS_GROUND: tuple([x for x in told if x not in built])}
            kept = {key: value for key, value in {**facts.links, **rest}.items() if value or key != HAS_GROUND}
            things[name] = replace(facts, links=kept)


def put(things: dict[str, Facts], name: str, place: str) -> None:
    """Says where a thing is."""
    things[name] = replace(things[name], links={**things[name].links, AT: (place,)})


def number_told(facts: Facts, vocabulary: Vocabulary) -> tuple[dict[str, Fraction], list[str]]:
    """The numbers that others stand for, of those of its kind that a thing has not stated; and those that these leave open."""
    more, open_ = {}, []
    for role, told_by in vocabulary.told_numbers.items():
        word = next((word for word in told_by if word in facts.numbers), "")
        if not word and (not facts.unknown or set(told_by).isdisjoint(facts.unknown)):
            continue
        domain = vocabulary.properties[role].domain
        if role in facts.numbers or role in facts.unknown or (domain and not vocabulary.entails(facts.is_, domain)):
            continue
        if word:
            more[role] = facts.numbers[word]
        else:
            open_.append(role)
    return more, open_


@lru_cache(maxsize=BOOKS)
def numbers_told(vocabulary: Vocabulary) -> frozenset[str]:
    """The numbers that stand for others."""
    return frozenset(word for words in vocabulary.told_numbers.values() for word in words)


def said_with(vocabulary: Vocabulary) -> Iterable[str]:
    """The relations to what something is with."""
    return vocabulary.told[AT].roles if AT in vocabulary.told else ()


def groups(vocabulary: Vocabulary) -> Iterable[str]:
    """The kinds of groups."""
    return vocabulary.below(vocabulary.properties[MEMBER].domain) if MEMBER in vocabulary.properties else ()


# By what each goes, what it does, and the words of which one must be told where it has something to do.
Settle = Callable[[Telling, Vocabulary], None]
PASSES: tuple[tuple[str, Settle, Callable[[Vocabulary], Iterable[str]]], ...] = (
    ("by what the act is done to and with", acts.settle, acts.roundabout),
    ("by a number that stands for it", numbers, numbers_told),
    ("by being the only one, or a group", alone, lambda vocabulary: vocabulary.singly),
    ("by who or what it is with", beside, said_with),
    ("by who belongs to the group", belonging, groups),
    ("by being one player's", one_player, of_a_side),
    ("by the nation whose side it is on", sides.nations, lambda _: (sides.SIDE,)),
    ("by whose enemy or friend it is", sides.settle, lambda _: (sides.FOES, sides.FRIENDS)),
    ("by the group that it belongs to", together, lambda _: (MEMBER,)),
    ("by being told as the terrain", ground, lambda _: (HAS_GROUND,)),
    ("by what stands in a place of its kind", standing.settle, standing.owing),
    ("by the place in the same cell of the map", cells.settle, same_cell.words),
    (
        "by the group that it belongs to",
        together,
        lambda _: (MEMBER,),
    ),  # once more: where the group is may just have been found
    ("by where the one who acts is", acts.settle, acts.roundabout),  # once more: where he is may just have been found
)
