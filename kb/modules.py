"""General modules that compute relations: sides, hex geometry. The ontology names the module of a term (lp:derivedBy).

A module knows no game. `member` gives a class its truth, `related` a property its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb import grid, model as m
from kb.steps import Step, Thing

if TYPE_CHECKING:
    from kb.situation import Situation

FRIENDLY, ENEMY = "Friendly", "Enemy"


def member(situation: Situation, module: str, cls: str, x: Thing, focus: Thing) -> Step:
    """Whether x is a cls as `module` computes it, seen from the actor of `focus`."""
    if module == "sides":
        return side_member(situation, cls, x, focus)
    if module == "history":
        return Step(m.Named(cls), x, x.name in situation.done, "module", (), False)
    return Step(m.Named(cls), x, None, "unknown", (), False)


def related(situation: Situation, module: str, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
    """The things x is related to by a derived property, each with whether a presumption stands behind it."""
    if module == "sides":
        mine = side(situation, x)
        for y in list(situation.things.values()):
            theirs = side(situation, y)
            if mine and theirs and (mine == theirs) == (name == "friendlyTo"):
                yield y, False
    elif module == "grid":
        for y in list(situation.things.values()):
            if y is not x and grid.holds(situation, name, x, y):
                yield y, False


def side(situation: Situation, x: Thing) -> str:
    """The side a thing is on, or "" when nothing says: by its classes, or by its `side`."""
    stated = perspective(x)
    if stated or "side" not in situation.vocabulary.properties:
        return stated
    for s in situation.successors(x, "side").things:
        if perspective(s):
            return perspective(s)
        name = side_name(s)
        # Somebody else of that side may be said to be friend or foe; then all of it is.
        for y in situation.things.values():
            if perspective(y) and any(side_name(t) == name for t in situation.successors(y, "side").things):
                return perspective(y)
        return name
    return ""


def perspective(x: Thing) -> str:
    if FRIENDLY in x.facts.is_ or ENEMY in x.facts.not_:
        return FRIENDLY
    return ENEMY if ENEMY in x.facts.is_ or FRIENDLY in x.facts.not_ else ""


def side_name(s: Thing) -> str:
    """A side given as a class (`side: Japanese`) is that side wherever it is written."""
    return s.facts.is_[0] if s.name.endswith(".side") and s.facts.is_ else s.name


def side_member(situation: Situation, cls: str, x: Thing, focus: Thing) -> Step:
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
    if not theirs:
        return Step(node, x, None, "unknown", (), False)
    return Step(node, x, (mine == theirs) == (cls == FRIENDLY), "module", (), presumed)
