"""Who is where, asked in the words in which rules read it.

Where somebody is may be told by a place (`at: hex`) or by what stands there (`at: trench`), and rules read both by a wider relation, or by
one of its own. So does a question: who is told to be in the trench is in its hex too, if the book makes no difference between them.
"""

from __future__ import annotations

from collections.abc import Mapping

from kb.cases import acts
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
    if isinstance(x, (m.And, m.Or)):
        return type(x)(tuple(meant(part, subjects, things, vocabulary) for part in x.parts))
    at = vocabulary.properties.get(AT)
    if at is None or not isinstance(x, (m.Some, m.Only, m.Count, m.HasValue)) or x.role.name not in (AT, *at.inverses):
        return x
    forth, cell = (x.role.name == AT) is not x.role.inverse, vocabulary.cell
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
    if forth and any(name in things and not told(name, things, vocabulary) for name in subjects):
        return x if isinstance(x, (m.Count, m.Only)) else m.Or((x, *(by(x, role) for role in ways)))
    return by(x, ways[0]) if ways else x


def told(name: str, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether the case says where a thing is."""
    return bool(acts.related(name, AT, dict(things), vocabulary))


def by(x: Asked, role: m.Role) -> m.Condition:
    """A condition that asks by another relation."""
    if isinstance(x, m.Count):
        return m.Count(role, x.kind, x.n, x.filler)
    return m.HasValue(role, x.target) if isinstance(x, m.HasValue) else type(x)(role, x.filler)


def inside(x: Asked, forth: bool, subjects: tuple[str, ...], things: Things, cell: Cell) -> bool | None:
    """Whether the place that is asked about lies on the ground as pieces do, so that who is in it is on that ground; None: it may."""
    if forth and not isinstance(x, m.HasValue):
        return isinstance(x.filler, m.Named) and x.filler.name in cell.pieces
    asked = [str(x.target)] if forth and isinstance(x, m.HasValue) else subjects
    if EACH in asked:
        return None
    return all(name in things and not cell.pieces.isdisjoint(things[name].is_) for name in asked)
