"""Sides: who is friend and who is foe, as the teller and the acting unit see it, from what a case says of them and does with them.

`lp:derivedBy "sides"`: the classes Friendly and Enemy, and the relation friendlyTo and its opposite.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import MEMBER, Vocabulary
from kb.reasoner.builtin import CLASS, RELATION, Args, Builtin, Reads
from kb.reasoner.trace import Step, Thing
from kb.reasoner.world import Surroundings

FRIENDLY, ENEMY, NATION, PARTY = "Friendly", "Enemy", "Nationality", "Side"
PIECE, SIDE, ACTOR, OBJECT = "Piece", "side", "actor", "object"


class Sides(Builtin):
    """Seen from the actor, a thing is of his side or of another."""

    name, gives = "sides", (CLASS, RELATION)

    def member(self, s: Surroundings, args: Args, cls: str, x: Thing, focus: Thing) -> Step:
        """Whether a thing is friendly, or an enemy, to whoever acts."""
        return side_member(s, cls, x, focus)

    def related(self, s: Surroundings, args: Args, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
        """The things of the same side, or of another."""
        mine = taken_for(s, x)
        for y in list(s.things.values()):
            theirs = taken_for(s, y)
            if mine and theirs and (mine == theirs) == (name == "friendlyTo"):
                yield y, False

    def undecided(self, s: Surroundings, x: Thing) -> Iterator[Thing]:
        """Pieces of which, or of x, a side is not known."""
        if is_piece(s, x):
            mine = taken_for(s, x)
            for y in list(s.things.values()):
                if y is not x and is_piece(s, y) and not (mine and taken_for(s, y)):
                    yield y

    def settled(self, s: Surroundings, x: Thing) -> bool:
        """All others are of the side that they are told to be of."""
        return True

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """The side of everything, and who acts."""
        for y in list(reader.s.things.values()) if reader.new("sides") else ():
            if SIDE in reader.vocabulary.properties:
                reader.read.add((y.name, SIDE))
                reader.met.update(y.facts.links.get(SIDE, ()))
        if focus is not None:
            for role in {ACTOR, OBJECT} & reader.vocabulary.properties.keys():
                reader.role(focus, role)
            for y in reader.s.things.values():
                if MEMBER in y.facts.links:
                    reader.read.add((y.name, MEMBER))


def side(situation: Surroundings, x: Thing) -> str:
    """The side a thing is on, or "" when nothing says: by its classes, or by its `side`. A side is on its own."""
    stated = perspective(x)
    if stated or "side" not in situation.vocabulary.properties:
        return stated
    for s in situation.successors(x, "side").things:
        if perspective(s):
            return perspective(s)
        return side_of(situation, side_name(situation, s))
    own = own_name(situation, x)
    return side_of(situation, own) if own else ""


def side_of(situation: Surroundings, name: str) -> str:
    """Somebody else of that side may be said to be friend or foe; then all of it is. So is that of the acting unit: friends."""
    for y in situation.things.values():
        if perspective(y) and (
            own_name(situation, y) == name
            or any(side_name(situation, t) == name for t in situation.successors(y, "side").things)
        ):
            return perspective(y)
    return FRIENDLY if name == acting(situation) else name


def acting(situation: Surroundings) -> str:
    """The name of the side that acts in what is asked about, where its unit is told to be of one; else ""."""
    act = situation.things.get(situation.case.question.thing)
    actors = act.facts.links.get("actor", ()) if act is not None else ()
    unit = situation.things.get(actors[0]) if actors else None
    if unit is None or perspective(unit):
        return ""
    sides = unit.facts.links.get("side", ())
    named = situation.things.get(sides[0]) if sides else None
    return side_name(situation, named) if named is not None else own_name(situation, unit)


def nation_of(situation: Surroundings, x: Thing) -> str:
    """The nation that a thing is said to be of as a class (`is: [Squad, Japanese]`), or ""."""
    return situation.vocabulary.first(x.facts.is_, NATION)


def perspective(x: Thing) -> str:
    """The side that a thing is stated to be on, as the teller sees it; "" where it is not stated."""
    if FRIENDLY in x.facts.is_ or ENEMY in x.facts.not_:
        return FRIENDLY
    return ENEMY if ENEMY in x.facts.is_ or FRIENDLY in x.facts.not_ else ""


def attacks_enemy(situation: Surroundings, x: Thing) -> bool:
    """Whether a case has x, of which it says no side, act against what it calls Enemy or where such a unit is: then x is
    on the asker's side. So is who makes such an act and is not named."""
    roles = situation.vocabulary.doers
    acts = list(situation.things.values())
    if x.made is not None:
        acts = [x.made[0]] if x.made[1] in roles else []
    for act in acts:
        links = act.facts.links
        if x.made is None and (roles.isdisjoint(links) or not any(x.name in links.get(role, ()) for role in roles)):
            continue
        for name in links.get("target", ()):
            aim = situation.things.get(name)
            seen = {perspective(y) for y in situation.things.values() if name in y.facts.links.get("at", ())}
            seen |= {perspective(aim)} if aim is not None else set()
            if ENEMY in seen and FRIENDLY not in seen:
                return True
    return False


def taken_for(situation: Surroundings, x: Thing) -> str:
    """The side that a thing is on, or is taken to be on where nothing says; "" where it is not known."""
    return side(situation, x) or asker(situation, x)


def asker(situation: Surroundings, x: Thing) -> str:
    """The side of a piece that is asked about and of which none is told, where another one is called Enemy: the asker's own."""
    if not is_piece(situation, x):
        return ""
    if attacks_enemy(situation, x):
        return FRIENDLY
    if x.name != asks_for(situation.vocabulary, situation.case):
        return ""
    foes = any(perspective(y) == ENEMY for y in situation.things.values() if y is not x)
    return FRIENDLY if foes else ""


def asks_for(vocabulary: Vocabulary, case: Case) -> str:
    """The piece that a case asks about, from whose side it may be told; "" where it asks about something else."""
    facts = case.things.get(case.question.thing)
    return facts.name if facts is not None and vocabulary.entails(facts.is_, PIECE) else ""


def is_piece(situation: Surroundings, x: Thing) -> bool:
    """Whether a thing is told to be a piece, which has a side; what is only made up on the way is not told."""
    return x.made is None and situation.vocabulary.entails(x.facts.is_, PIECE)


def side_name(situation: Surroundings, s: Thing) -> str:
    """A side given as a class (`side: Japanese`) is that side wherever it is written; one of a nation is that nation's, unless the case
    has two sides of it."""
    if s.name.endswith(".side") and s.facts.is_:
        return s.facts.is_[0]
    nation = nation_of(situation, s)
    parties = [y for y in situation.things.values() if PARTY in y.facts.is_] if nation else []
    return nation if nation and sum(nation_of(situation, y) == nation for y in parties) < 2 else s.name


def own_name(situation: Surroundings, x: Thing) -> str:
    """What the side is called that a thing is on by itself: its own where it is a side or whatever others are on the side of (a player),
    else its nation's; "" for none."""
    leads = PARTY in x.facts.is_ or any(x.name in y.facts.links.get(SIDE, ()) for y in situation.things.values())
    return side_name(situation, x) if leads else nation_of(situation, x)


def placed(situation: Surroundings) -> bool:
    """Whether a case tells of what side or nation the asker is: by the unit that acts, or by a friend of his."""
    if acting(situation):
        return True
    friends = [y for y in situation.things.values() if perspective(y) == FRIENDLY]
    return any(own_name(situation, y) or y.facts.links.get(SIDE) for y in friends)


def concerned(situation: Surroundings, focus: Thing) -> list[Thing]:
    """The pieces that an act is done with, who stand for whoever does it where he is not told: who puts them somewhere is of their side."""
    known = OBJECT in situation.vocabulary.properties
    return [y for y in situation.successors(focus, OBJECT).things if is_piece(situation, y)] if known else []


def side_member(situation: Surroundings, cls: str, x: Thing, focus: Thing) -> Step:
    """Whether a thing is friendly, or an enemy, to whoever acts: sides are seen from the actor."""
    node = m.Named(cls)
    actors = situation.successors(focus, "actor").things if "actor" in situation.vocabulary.properties else ()
    actor = actors[0] if actors else None
    theirs = side(situation, x)
    if actor is x or (actor is not None and not theirs and x.name in actor.facts.links.get(MEMBER, ())):
        return Step(node, x, cls == FRIENDLY, "module", (), False)
    if actor is not None:
        mine = side(situation, actor)
    elif theirs in ("", FRIENDLY, ENEMY) or placed(situation):
        mine = FRIENDLY
    elif (mine := next((there for y in concerned(situation, focus) if (there := side(situation, y))), "")) == "":
        return Step(node, x, None, "unknown", (), False)  # of what nation the asker is nobody tells
    presumed = False
    if not mine:
        # The asker speaks of the acting unit as his own unless he says otherwise.
        mine = FRIENDLY
        presumed = True
    if not theirs and attacks_enemy(situation, x):
        theirs = FRIENDLY
        presumed = True
    if not theirs or (
        presumed and mine != theirs and theirs not in (FRIENDLY, ENEMY)
    ):  # whose nation the actor is of is not told
        return Step(node, x, None, "unknown", (), False)
    return Step(node, x, (mine == theirs) == (cls == FRIENDLY), "module", (), presumed)
