"""What beats what by the text itself: a norm that encodes an exception goes over what the sentence around it says otherwise.

No unit may enter [EXC tunnel: by tunnel].      a norm with `excepts tunnel` goes over the norms of this sentence
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kb.errors import Problem
from kb.language import norms as m
from kb.language.parser import terms


def with_exceptions(section: m.Section, rules: Mapping[str, Sequence[m.Norm]]) -> m.Section:
    """The section, in which each norm that encodes a labelled exception goes over what that restricts.

    rules: the norms of each rule. An exception restricts the sentence that it stands in, or the rules that it names.
    """
    marks = {e.label: (s.number, e.to) for s in section.sentences for e in s.exceptions}

    def over(norm: m.Norm) -> m.Norm:
        if norm.excepts not in marks:
            return norm
        number, to = marks[norm.excepts]
        restricted = [n for rule in to for n in rules.get(rule, ())] if to else section.norms
        beaten = (
            other.id
            for other in restricted
            if (to or (number in other.sentences and not other.excepts))
            and norm.names.isdisjoint(other.over)  # itself an exception to the exception
            and otherwise(norm.head, other.head)
        )
        return replace(norm, carves=tuple(dict.fromkeys(beaten)))

    return replace(section, norms=tuple(map(over, section.norms)))


def otherwise(a: m.Head, b: m.Head) -> bool:
    """Whether an exception that says one thing restricts what says the other: of the very same term, or of one event."""
    match a, b:
        case m.Effect(cls, path, event), m.Effect(other, to, on):
            return cls != other and (path, event, a.each) == (to, on, b.each)
        case m.Change(_, quantity, path, _, event), m.Change(_, of, to, _, on):
            return (quantity, path, event, a.each) == (of, to, on, b.each)
        case m.Link(role, path, _, event), m.Link(other, to, _, on):
            return (role, path, event, a.each) == (other, to, on, b.each)
    return against(a, b) and next(terms(a)) == next(terms(b))


def against(a: m.Head, b: m.Head) -> bool:
    """Whether two heads say otherwise of what may be one thing, by their form alone."""
    match a, b:
        case m.Deontic(mode, _), m.Deontic(other, _):
            return other in m.CONTRARY[mode]
        case m.CountsAs(_, target, negated), m.CountsAs(_, of, other_negated):
            return target == of and negated != other_negated
        case m.Relates(_, role, _, negated), m.Relates(_, of, _, other_negated):
            return role == of and negated != other_negated
        case m.QuantityHead(m.SETS, quantity, _, _, _), m.QuantityHead(m.SETS, of, _, _, _):
            return quantity == of
    return False


def misused(norm: m.Norm, named: Mapping[str, Sequence[m.Norm]]) -> Iterator[Problem]:
    """A fault (E214) for each name behind `lifts` that is no bar to what the norm permits, and no duty that it waives."""
    for name in norm.lifts:
        if not any(against(norm.head, other.head) for other in named.get(name, ())):
            hint = "a permission lifts a prohibition, a release a duty; what else a norm beats is named by over"
            yield Problem(214, f"{norm.id} lifts {name}, which bars nothing that it permits", norm.place, hint)
