"""Who is where, asked in the words in which rules read it.

Where somebody is may be told by a place (`at: hex`) or by what stands there (`at: trench`), and rules read both by a wider relation, or by
one of its own. So does a question: who is told to be in the trench is in its hex too, if the book makes no difference between them.
"""

from __future__ import annotations

from collections.abc import Mapping

from kb.cases.cells import PLACE
from kb.cases.telling import Telling
from kb.cases.things import GROUND, HAS_GROUND
from kb.cases.words import EACH
from kb.language import norms as m
from kb.language.case import Facts
from kb.language.vocabulary import AT, Cell, Vocabulary

Things = Mapping[str, Facts]
Asked = m.Some | m.Only | m.Count | m.HasValue


def meant(x: m.Condition, subjects: tuple[str, ...], things: Things, vocabulary: Vocabulary) -> m.Condition:
    """A condition on things with what it says of where they are, or of who is there, said by the relation that rules read."""
    if isinstance(x, m.Not):
        return m.Not(meant(x.of, subjects, things, vocabulary))
    if isinstance(x, m.And):
        return m.And(tuple(meant(part, subjects, things, vocabulary) for part in x.parts))
    if isinstance(x, m.Or):
        said = tuple(meant(part, subjects, things, vocabulary) for part in x.parts)
        if said == x.parts:
            return x
        each = dict.fromkeys(p for part in said for p in (part.parts if isinstance(part, m.Or) else (part,)))
        return x if tuple(each) == x.parts else m.Or(tuple(each))  # one that was made here is read again as it is
    if isinstance(x, m.Compare):
        left, right = (number(part, subjects, things, vocabulary) for part in (x.left, x.right))
        return m.Compare(left, x.op, right)
    if isinstance(x, (m.Some, m.Only, m.Count)):
        x = by(x, x.role, on_ground(x.filler, x.role, vocabulary))
    at, cell = vocabulary.properties.get(AT), vocabulary.cell
    if isinstance(x, m.HasValue) and cell is not None and x.role == m.Role(cell.to_it):
        there = [vocabulary.entails(things[name].is_, PLACE) for name in subjects if name in things]
        return x if any(there) else by(x, m.Role(cell.relation))
    if at is None or not isinstance(x, (m.Some, m.Only, m.Count, m.HasValue)) or x.role.name not in (AT, *at.inverses):
        return x
    forth = (x.role.name == AT) is not x.role.inverse
    ways = [
        m.Role(other.role, (name == AT) is not forth)
        for name in (AT, *at.inverses)
        for other in vocabulary.properties[name].taken_for
        if name in vocabulary.properties[other.role].below
    ][-1:]
    if cell is not None and cell.within and (sure := inside(x, forth, subjects, things, cell)) is not False:
        ways = [m.Role(cell.within, not forth)]
        if sure is None:
            return m.Or((x, *(by(x, role) for role in ways)))
    # whose place is not told is not known to be elsewhere
    if forth and ways and any(name in things and not told(name, things, vocabulary) for name in subjects):
        return x if isinstance(x, (m.Count, m.Only)) else m.Or((x, *(by(x, role) for role in ways)))
    return by(x, ways[0]) if ways else x


def told(name: str, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether the case says where a thing is."""
    return bool(Telling(things).related(name, AT, vocabulary))


def by(x: Asked, role: m.Role, filler: m.Condition | None = None) -> Asked:
    """A condition that asks by another relation, or for something else."""
    if isinstance(x, m.HasValue):
        return m.HasValue(role, x.target)
    of = x.filler if filler is None else filler
    return m.Count(role, x.kind, x.n, of) if isinstance(x, m.Count) else type(x)(role, of)


def on_ground(filler: m.Condition, role: m.Role, vocabulary: Vocabulary) -> m.Condition:
    """What a relation is to lead to, as it is meant of a place: who is in woods is where the terrain is woods."""
    term = vocabulary.properties[role.name]
    end = term.domain if role.inverse else term.range
    if not end or not vocabulary.entails((end,), PLACE) or not isinstance(filler, m.Named):
        return filler
    ancestors = vocabulary.classes[filler.name].ancestors
    if GROUND not in ancestors or role.name == HAS_GROUND:
        return filler
    of_ground = m.Some(m.Role(HAS_GROUND), filler)
    return m.Or((filler, of_ground)) if PLACE in ancestors else of_ground


def number(x: m.Expr, subjects: tuple[str, ...], things: Things, vocabulary: Vocabulary) -> m.Expr:
    """A number of those who are somewhere, counted by the relation that rules read."""
    if isinstance(x, m.Arith):
        return m.Arith(x.op, *(number(part, subjects, things, vocabulary) for part in (x.left, x.right)))
    if not isinstance(x, m.Aggregate) or len(x.path.steps) != 1 or x.path.root not in ("", "this"):
        return x
    role = meant(m.Some(m.Role(x.path.steps[0]), x.filler), subjects, things, vocabulary)
    if not isinstance(role, m.Some) or role.role.inverse:
        return x
    return m.Aggregate(x.function, m.Path(x.path.root, (role.role.name,)), role.filler, x.quantity)


def inside(x: Asked, forth: bool, subjects: tuple[str, ...], things: Things, cell: Cell) -> bool | None:
    """Whether the place that is asked about lies on the ground as pieces do, so that who is in it is on that ground; None: it may."""
    if forth and not isinstance(x, m.HasValue):
        return isinstance(x.filler, m.Named) and x.filler.name in cell.pieces
    asked = [str(x.target)] if forth and isinstance(x, m.HasValue) else subjects
    if EACH in asked:
        return None
    return all(name in things and not cell.pieces.isdisjoint(things[name].is_) for name in asked)
