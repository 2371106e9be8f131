"""Where a relation is told that comes by way of others: of what, and by what word.

told_at(situation, x, role)   through what must be there: who is outside in the hex, of the outside, as who is in it
chained(situation, x, role)   of a value that is missing: as the terrain of the hex
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.language import norms as m
from kb.reasoner.trace import Thing

if TYPE_CHECKING:
    from kb.reasoner.situation import Situation


def told_at(situation: Situation, x: Thing, role: m.Role) -> tuple[Thing, m.Role]:
    """The end of the chain by which a relation is told, unless a case tells it by its own word."""
    *through, last = situation.theory.told_by(role.name)
    now = x
    for step in through if role.name not in x.facts.links else ():
        things = situation.successors(now, step).things
        if len(things) != 1:
            return x, role
        now = things[0]
    return (x, role) if now is x else (now, m.Role(last))


def chained(situation: Situation, x: Thing, role: m.Role) -> tuple[Thing, m.Role]:
    """Where a missing value that comes by a chain is looked up: the terrain of a site is that of the hex, not of what stands on it."""
    cell, found = situation.vocabulary.cell, []
    for chain in situation.vocabulary.properties[role.name].chains:
        if len(chain) == 1:
            continue  # another word for it, of the same thing: it is looked up by its own
        now = [x]
        for step in chain[:-1]:
            inverse = step.startswith("inverse ")
            now = [z for y in now for z in situation.successors(y, step.removeprefix("inverse "), inverse).things]
        if len(now) == 1 and now[0].name in situation.case.things and not chain[-1].startswith("inverse "):
            found.append((now[0], m.Role(chain[-1])))
    found.sort(key=lambda end: cell is None or cell.cells.isdisjoint(end[0].facts.is_))
    return found[0] if found else (x, role)
