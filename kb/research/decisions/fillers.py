"""What a condition asks of the thing that a relation leads to: its classes, what it is related by, and the kinds that it names."""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m


def kinds_in(filler: m.Condition) -> Iterator[str]:
    """The classes that a condition names of the thing itself."""
    match filler:
        case m.Named(name):
            yield name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from kinds_in(part)
        case m.Not(of) | m.Bind(of, _):
            yield from kinds_in(of)
        case m.Except(of, carve, _):
            yield from kinds_in(of)
            yield from kinds_in(carve)


def positive(filler: m.Condition) -> Iterator[str]:
    """The classes that a condition asks the thing itself to be of."""
    match filler:
        case m.Named(name):
            yield name
        case m.And(parts):
            for part in parts:
                yield from positive(part)
        case m.Bind(of, _) | m.Except(of, _, _):
            yield from positive(of)


def anything(filler: m.Condition) -> bool:
    """Whether a condition asks for a thing of any kind, though it may have to be none of some that are named."""
    match filler:
        case m.And(parts):
            return all(map(anything, parts))
        case m.Bind(of, _):
            return anything(of)
        case m.Except(of, _, _):
            return anything(of)
    return isinstance(filler, m.Anything | m.Not)


def relations_in(filler: m.Condition) -> Iterator[str]:
    """The relations that a condition asks of the thing itself."""
    match filler:
        case m.Some(role, _) if not role.inverse:
            yield role.name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from relations_in(part)
        case m.Bind(of, _) | m.Except(of, _, _):
            yield from relations_in(of)


def several(filler: m.Condition) -> Iterator[m.Condition]:
    """The kinds that a condition names one beside the other."""
    if isinstance(filler, m.Or):
        for part in filler.parts:
            yield from several(part)
    else:
        yield filler


def terms_of(norm: m.Norm) -> set[str]:
    """Every term that a norm's conditions name."""
    return m.names_in(norm.when).union(
        {m.subject_of(norm.head)} - {""}, *(m.names_in(u.condition) for u in norm.unless)
    )
