"""General modules that compute terms: sides, history, hex geometry, groups. The ontology names the module of a term, and what
it works on (lp:derivedBy "MODULE FUNCTION PATH …").

A module knows no game. `member` gives a class its truth, `related` a relation its values, `number` a quantity its value. What
is stated of a thing goes before what the grid or the groups make of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import Vocabulary
from kb.reasoner import connectivity, hexgrid
from kb.reasoner.positions import told
from kb.reasoner.trace import Step, Thing
from kb.reasoner.world import Surroundings

FRIENDLY, ENEMY, NATION, PIECE = "Friendly", "Enemy", "Nationality", "Piece"


def member(situation: Surroundings, module: str, cls: str, x: Thing, focus: Thing) -> Step:
    """Whether x is a cls as `module` computes it, seen from the actor of `focus`."""
    if module == "sides":
        return side_member(situation, cls, x, focus)
    name, *args = module.split()
    if module == "history":
        return Step(m.Named(cls), x, x.name in situation.done, "module", (), False)
    if module.startswith("history told"):
        return Step(m.Named(cls), x, told_apart(situation, x, *args[1:]), "module", (), False)
    node, classes = m.Named(cls), situation.vocabulary.classes
    if any(cls in classes[c].ancestors for c in x.facts.is_):
        return Step(node, x, True, "module", (), False)
    if any(cls in classes[c].descendants for c in x.facts.not_):
        return Step(node, x, False, "module", (), False)
    if any(cls in classes[c].disjoint for c in x.facts.is_) or cls in x.facts.unknown:
        return Step(
            node,
            x,
            False if cls not in x.facts.unknown else None,
            "module" if cls not in x.facts.unknown else "unknown",
            (),
            False,
        )
    value, soft = None, False
    if name == "history":
        value = parted(situation, x, *args[1:])
    elif name == "grid" and args[0] == "between":
        value, soft = hexgrid.between(situation, x, *args[1:])
    elif name == "grid":
        value = hexgrid.holds(situation, x, *args)
    elif name == "groups":
        value, soft = connectivity.connected(situation, x, *args[1:])
    return Step(node, x, value, "unknown" if value is None else "module", (), soft)


def parted(situation: Surroundings, x: Thing, acts: str, aim: str) -> bool:
    """Whether the history has an act at something else between the acts that x has by `acts`, which have one aim.

    What is asked about may still be to come: an act that the history does not name falls after it.
    """
    order = situation.case.history
    mine = [y for y in situation.successors(x, acts).things]
    places = [order.index(y.name) if y.name in order else len(order) for y in mine]
    aims = {z.name for y in mine for z in situation.successors(y, aim).things}
    if not aims or min(places) == max(places):
        return False
    between = [name for name in order[min(places) + 1 : max(places)] if name not in {y.name for y in mine}]
    others = ({z.name for z in situation.successors(situation.things[name], aim).things} for name in between)
    return any(theirs and not theirs & aims for theirs in others)


def told_apart(situation: Surroundings, x: Thing, relation: str, kind: str) -> bool:
    """Whether something of a kind that leads to x by a relation is told as an event of its own."""
    classes = situation.vocabulary.classes
    events = [situation.things[name] for name in told(situation.case)]
    ours = [y for y in events if any(kind in classes[c].ancestors for c in y.facts.is_)]
    return any(x in situation.successors(y, relation).things for y in ours)


def related(situation: Surroundings, module: str, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
    """The things x is related to by a derived property, each with whether a presumption stands behind it."""
    if module == "sides":
        mine = taken_for(situation, x)
        for y in list(situation.things.values()):
            theirs = taken_for(situation, y)
            if mine and theirs and (mine == theirs) == (name == "friendlyTo"):
                yield y, False
    elif module.startswith("grid"):
        for y in hexgrid.related(situation, x):
            # A case that says "next to nothing" of a place goes before the map.
            if () not in (x.facts.links.get(name), y.facts.links.get(name)):
                yield y, False
    elif module.startswith("things"):
        cls = module.split()[1]
        for y in list(situation.things.values()):
            if y is not x and any(cls in situation.vocabulary.classes[c].ancestors for c in y.facts.is_):
                yield y, False


def undecided(situation: Surroundings, module: str, x: Thing) -> Iterator[Thing]:
    """The things that x may be related to by a derived property, for all that is told: pieces of which a side is not known."""
    if module == "sides" and is_piece(situation, x):
        mine = taken_for(situation, x)
        for y in list(situation.things.values()):
            if y is not x and is_piece(situation, y) and not (mine and taken_for(situation, y)):
                yield y
    elif module == "grid adjacent" and hexgrid.spot(x) is not None:
        for y in list(situation.things.values()):
            if y is not x and y.made is None and hexgrid.is_place(situation, y) and hexgrid.spot(y) is None:
                yield y


def settled(situation: Surroundings, module: str, x: Thing) -> bool:
    """Whether a module knows of everything but what is `undecided` that x is not related to it."""
    return module == "sides" or (module == "grid adjacent" and hexgrid.spot(x) is not None)


def complete(situation: Surroundings, module: str, x: Thing) -> bool:
    """Whether a module knows of everything that x is related to by a property of its own, so that nothing is presumed."""
    if module.startswith("grid"):
        others = [y for y in situation.things.values() if y is not x and hexgrid.is_place(situation, y)]
        return hexgrid.spot(x) is not None and all(hexgrid.spot(y) is not None for y in others)
    return True


def number(situation: Surroundings, module: str, x: Thing) -> Fraction | None:
    """A quantity of x as a module works it out; None when it cannot."""
    name, *args = module.split()
    return hexgrid.number(situation, x, *args[1:]) if name == "grid" and len(args) == 3 else None


def side(situation: Surroundings, x: Thing) -> str:
    """The side a thing is on, or "" when nothing says: by its classes, or by its `side`."""
    stated = perspective(x)
    if stated or "side" not in situation.vocabulary.properties:
        return stated
    for s in situation.successors(x, "side").things:
        if perspective(s):
            return perspective(s)
        return side_of(situation, side_name(s))
    nation = nation_of(situation, x)
    return side_of(situation, nation) if nation else ""


def side_of(situation: Surroundings, name: str) -> str:
    """Somebody else of that side may be said to be friend or foe; then all of it is. So is that of the acting unit: friends."""
    for y in situation.things.values():
        if perspective(y) and (
            nation_of(situation, y) == name or any(side_name(t) == name for t in situation.successors(y, "side").things)
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
    return side_name(named) if named is not None else nation_of(situation, unit)


def nation_of(situation: Surroundings, x: Thing) -> str:
    """The nation that a thing is said to be of as a class (`is: [Squad, Japanese]`), or ""."""
    classes = situation.vocabulary.classes
    return next((c for c in x.facts.is_ if NATION in classes[c].ancestors), "")


def perspective(x: Thing) -> str:
    """The side that a thing is stated to be on, as the teller sees it; "" where it is not stated."""
    if FRIENDLY in x.facts.is_ or ENEMY in x.facts.not_:
        return FRIENDLY
    return ENEMY if ENEMY in x.facts.is_ or FRIENDLY in x.facts.not_ else ""


def attacks_enemy(situation: Surroundings, x: Thing) -> bool:
    """Whether a case has x, of which it says no side, act against what it calls Enemy or where such a unit is: then x is
    on the asker's side."""
    roles = situation.vocabulary.doers
    for act in list(situation.things.values()):
        links = act.facts.links
        if roles.isdisjoint(links) or not any(x.name in links.get(role, ()) for role in roles):
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


def side_name(s: Thing) -> str:
    """A side given as a class (`side: Japanese`) is that side wherever it is written."""
    return s.facts.is_[0] if s.name.endswith(".side") and s.facts.is_ else s.name


def side_member(situation: Surroundings, cls: str, x: Thing, focus: Thing) -> Step:
    """Whether a thing is friendly, or an enemy, to whoever acts: sides are seen from the actor."""
    node = m.Named(cls)
    actors = situation.successors(focus, "actor").things if "actor" in situation.vocabulary.properties else ()
    actor = actors[0] if actors else None
    theirs = side(situation, x)
    if actor is x:
        return Step(node, x, cls == FRIENDLY, "module", (), False)
    mine = side(situation, actor) if actor is not None else FRIENDLY
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
