"""Facts that a case tells in a roundabout way: a relation that a class implies, read off other relations; a number, off others.

A pillbox has a Location outside it in its hex. A case may name that by the relation itself, or tell it by the hex that both
are in, or by what is said to be in that hex. The ontology says by which relations (`lp:toldBy`), and which classes may stand
in for the proper one (a hex for the Location in it). What is found is then as good as stated; what is not is made up later.
So it is with a number: the firepower said of a squad is what is printed on it, unless that is said too.

Where a piece is may be told in such a way too: by what it lies on, shares a hex with, or by the hex (`lp:toldBy
"onTopOf.exterior hex.exterior"` on `at`: the outside Location of what it lies on, or of what stands in that hex). No place
is, save one of a class that stands in the same list: a trench lies at the Location outside the pillbox of its hex.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from kb.facts import Facts
from kb.vocabulary import Vocabulary

Things = Mapping[str, Facts]


def complete(things: Things, vocabulary: Vocabulary) -> dict[str, Facts]:
    """The things of a case, with each implied relation added that other relations tell."""
    found = dict(things)
    owing, telling, meant_by = vocabulary.owing, vocabulary.telling_numbers, vocabulary.meant_by
    concerned = vocabulary.concerned
    for name, facts in things.items():
        for stated_class in facts.is_:
            if stated_class not in concerned:
                continue
            if stated_class in meant_by and not facts.links.keys().isdisjoint(meant_by[stated_class]):
                found[name] = facts = understood(facts, meant_by[stated_class])
            for role, cls in owing.get(stated_class, ()):
                if not stated(role, facts, things, vocabulary):
                    value = meant(facts, cls, vocabulary.told[role], things, vocabulary)
                    if value:
                        found[name] = replace(found[name], links={**found[name].links, role: (value,)})
        if facts.numbers and not telling.isdisjoint(facts.numbers) and (more := number_told(facts, vocabulary)):
            found[name] = replace(found[name], numbers={**facts.numbers, **more})
    spoken = relations(found)
    if not spoken.isdisjoint(vocabulary.singly):
        alone(found, vocabulary)
        spoken = relations(found)
    for role, placed in vocabulary.told_beside.items():
        ways = [way for way in placed if way[0] in spoken]
        for name in things if ways else ():
            facts, lies = (
                found[name],
                any(vocabulary.entails(found[name].is_, cls) for cls in vocabulary.lying.get(role, ())),
            )
            if (lies or is_piece(facts, vocabulary)) and not stated_at_all(role, facts, found, vocabulary):
                locate(name, role, ways, found, vocabulary)
    return found


def understood(facts: Facts, words: Mapping[str, str]) -> Facts:
    """An act with what it is done to, or where, under the relation that rules speak of: a claim of Control “of” a place is at it."""
    links = facts.links
    for word, role in words.items():
        if word in links and role not in links:
            links = {role if key == word else key: value for key, value in links.items()}
    return facts if links is facts.links else replace(facts, links=links)


def relations(things: Things) -> set[str]:
    """The relations that anything is said to be in."""
    return set().union(*[facts.links for facts in things.values()])


def alone(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """One thing where a relation takes several (`firers: [squad]`) is told as by the relation for one (`actor: squad`)."""
    for several, words in vocabulary.singly.items():
        roles = [vocabulary.properties[word] for word in words if word in vocabulary.properties]
        groups = [word for word in words if word in vocabulary.classes]
        for facts in [x for x in things.values() if len(x.links.get(several, ())) == 1]:
            if any(vocabulary.entails(facts.is_, group) for group in groups):
                continue
            (one,) = facts.links[several]
            role = next((r for r in roles if vocabulary.entails(things[one].is_, r.range)), roles[-1])
            if role.name not in facts.links:
                rest = {key: value for key, value in facts.links.items() if key != several}
                things[facts.name] = replace(facts, links={**rest, role.name: (one,)})


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


def stated_at_all(role: str, facts: Facts, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether a case states a relation of a thing, or a narrower one."""
    below = vocabulary.properties[role].below
    return stated(role, facts, things, vocabulary) or any(q in facts.links for q in below)


def locate(name: str, role: str, ways: list[tuple[str, str]], found: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """Relates a piece to the place beside what it is told to be with; one that nobody names is made."""
    for way, there in ways:
        posts = list(near(found[name], [way], found))
        posts += [z for y in posts for z in (*near(y, [way], found), *near(y, [role], found))]
        for post in posts:
            cls = next((c for s in post.is_ for q, c in vocabulary.classes[s].existential if q == there), "")
            place = next(iter(post.links.get(there, ())), "")
            back = vocabulary.properties[there].inverses
            place = place or next((n for n, y in found.items() for q in back if post.name in y.links.get(q, ())), "")
            if cls and post.name != name:
                if not place:
                    place = f"{post.name}.{there}"
                    found[place] = Facts(
                        place, (cls,), label=f"{post.label or post.name}'s {vocabulary.properties[there].label}"
                    )
                    found[post.name] = replace(post, links={**post.links, there: (place,)})
                found[name] = replace(found[name], links={**found[name].links, role: (place,)})
                return
    for way, _ in ways:  # in a hex where nothing stands that has an outside
        if vocabulary.properties[way].functional and way in found[name].links:
            found[name] = replace(found[name], links={**found[name].links, role: found[name].links[way]})


def stated(role: str, facts: Facts, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether a relation of a thing is stated, from either side."""
    inverses = vocabulary.properties[role].inverses
    return role in facts.links or any(facts.name in y.links.get(i, ()) for y in things.values() for i in inverses)


def meant(facts: Facts, cls: str, told_by: tuple[str, ...], things: Things, vocabulary: Vocabulary) -> str:
    """The thing that a relation to a `cls` leads to: one told to be here, one in a place told to be here, or that place."""
    roles = [word for word in told_by if word in vocabulary.properties]
    stand_ins = [word for word in told_by if word in vocabulary.classes]
    here = [y for y in near(facts, roles, things) if y.name != facts.name]
    around = [y for y in here if any(vocabulary.entails(y.is_, s) for s in stand_ins)]
    for y in around:  # units told to be in the hex itself
        if any(y.name in z.links.get("at", ()) for z in things.values() if not is_place(z, vocabulary)):
            return y.name
    further = [z for y in around for z in near(y, roles, things)]
    for y in (*here, *further):
        if y.name != facts.name and vocabulary.entails(y.is_, cls):
            return y.name
    return around[0].name if around else ""


def near(facts: Facts, roles: list[str], things: Things) -> Iterator[Facts]:
    """What stands in one of these relations to a thing, either way round."""
    for role in roles:
        for name in facts.links.get(role, ()):
            if name in things:
                yield things[name]
        for y in things.values():
            if facts.name in y.links.get(role, ()):
                yield y


def is_piece(facts: Facts, vocabulary: Vocabulary) -> bool:
    """Whether a thing may be anything that lies on the map: no place and no act."""
    return not any(vocabulary.entails(facts.is_, cls) for cls in ("Place", "Act") if cls in vocabulary.classes)


def is_place(facts: Facts, vocabulary: Vocabulary) -> bool:
    """Whether a thing is stated to be a place."""
    return vocabulary.entails(facts.is_, "Place")
