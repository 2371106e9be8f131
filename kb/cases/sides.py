"""Who is whose enemy, brought into the words that rules use: who is said to be an enemy of one's own is Enemy, and a friend of his Friendly.

A case may say of two pieces that they are enemies (`enemyOf`) or friends (`friendlyTo`) of each other, of which rules speak as seen
from the acting unit. Where a side is told of one of those who are so joined, it tells those of all; where none is, the one who
acts is the teller's own, or else the one whom others are said to be enemies or friends of. Who is on the side of a nation is of that
nation. Pure, but for the mapping handed in.
"""

from __future__ import annotations

from msgspec.structs import replace

from kb.language.case import Facts
from kb.language.vocabulary import Vocabulary

FRIENDLY, ENEMY = "Friendly", "Enemy"
FOES, FRIENDS = "enemyOf", "friendlyTo"
SIDE, NATION = "side", "Nationality"


def nations(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """Says of who is told to be on the side of a nation that he is of that nation, in place; not of who is told to be of another, or not
    of that one."""
    for name, facts in things.items():
        nation = next((n for to in facts.links.get(SIDE, ()) if (n := vocabulary.first(things[to].is_, NATION))), "")
        if nation and nation not in facts.not_ and not vocabulary.first(facts.is_, NATION):
            things[name] = replace(facts, is_=(*facts.is_, nation))


def settle(things: dict[str, Facts], vocabulary: Vocabulary) -> None:
    """Says of each piece that is told by whose enemy or friend it is which it is, in place."""
    pairs = [
        (name, other, word == FRIENDS)
        for name, facts in things.items()
        for word in (FOES, FRIENDS)
        for other in facts.links.get(word, ())
    ]
    while pairs:
        known = {name: stand(things[name]) for name in things}
        for one, other, same in [*pairs, *((b, a, same) for a, b, same in pairs)]:
            here = known[one]
            if here is not None and known[other] is None:
                say(things, other, here == same)
                break
        else:
            pairs = [pair for pair in pairs if known[pair[0]] is None and known[pair[1]] is None]
            if pairs:
                say(things, own(pairs, things, vocabulary), True)


def told(facts: Facts, vocabulary: Vocabulary) -> bool:
    """Whether it is told whose a thing is."""
    return SIDE in facts.links or stand(facts) is not None or bool(vocabulary.first(facts.is_, NATION))


def stand(facts: Facts) -> bool | None:
    """Whether a thing is told to be Friendly; None where nothing is told."""
    if FRIENDLY in facts.is_ or ENEMY in facts.not_:
        return True
    return False if ENEMY in facts.is_ or FRIENDLY in facts.not_ else None


def own(pairs: list[tuple[str, str, bool]], things: dict[str, Facts], vocabulary: Vocabulary) -> str:
    """The one of those joined from whose side the case is told: who acts, or else whose enemies or friends others are said to be."""
    roles = vocabulary.doers
    acting = {n for facts in things.values() for role in roles & facts.links.keys() for n in facts.links[role]}
    joined = [name for pair in pairs for name in (pair[1], pair[0])]
    return next((name for name in joined if name in acting), joined[0])


def say(things: dict[str, Facts], name: str, friendly: bool) -> None:
    """Says on which side a thing is."""
    facts = things[name]
    things[name] = replace(facts, is_=(*facts.is_, FRIENDLY if friendly else ENEMY))
