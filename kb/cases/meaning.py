"""A question in the normal form, as the facts of a case are (kb.cases.completion): what it asks of places and groups, as it is meant of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from kb.cases import whereabouts
from kb.cases.cells import PLACE
from kb.cases.things import GROUND, HAS_GROUND
from kb.cases.words import EACH
from kb.language import norms as m
from kb.language.case import Facts, Question
from kb.language.vocabulary import MEMBER, Vocabulary

Things = Mapping[str, Facts]
LOSSES = "losses"  # whom a group has lost


def asked(question: Question, things: Things, vocabulary: Vocabulary) -> Question:
    """A question in the normal form, as a case is: whether a place is woods is asked of its terrain, and whether a cell of the map, or
    its ground, is a place of another kind, of what stands in the cell; what a group is, of each who belongs to it."""
    if question.inner is not None:
        inner = question.inner
        subjects = question.things if inner.thing == EACH else (inner.thing,)
        return replace(question, inner=replace(inner, condition=meant(inner.condition, subjects, things, vocabulary)))
    return replace(question, condition=meant(question.condition, (question.thing,), things, vocabulary))


def meant(
    condition: m.Condition | None, subjects: tuple[str, ...], things: Things, vocabulary: Vocabulary
) -> m.Condition | None:
    """A condition on places or groups of the case, as it is meant of them."""
    cell, kinds = vocabulary.cell, [things[name].is_ if name in things else () for name in subjects]
    if not kinds or condition is None:
        return condition
    condition = whereabouts.meant(condition, subjects, things, vocabulary)
    known = () if cell is None else (cell.name, cell.ground)
    here = next((k for k in known if all(vocabulary.entails(of, k) for of in kinds)), "")
    own = vocabulary.properties[cell.to_it].inverses if cell is not None and here == cell.name else ()

    def of_place(x: m.Named) -> m.Condition:
        term = vocabulary.classes[x.name]
        if GROUND in term.ancestors:
            return m.Some(m.Role(HAS_GROUND), x)
        if cell is not None and here in term.disjoint and PLACE in term.ancestors:
            return m.Some(m.Role(next(iter(own), cell.relation)), x)
        return x

    group = vocabulary.properties[MEMBER].domain if MEMBER in vocabulary.properties else ""

    def of_group(x: m.Named) -> m.Condition:
        if group in vocabulary.classes[x.name].ancestors:
            return x
        each = m.Only(m.Role(MEMBER), x)
        if x.name not in vocabulary.ending:
            return each
        # who is eliminated belongs to it no more
        there_were = m.Or((m.Some(m.Role(LOSSES), x), m.Some(m.Role(MEMBER), m.Anything())))
        return m.And((each, there_were))

    if all(vocabulary.entails(of, PLACE) for of in kinds):
        return each_named(condition, of_place)
    if group and all(vocabulary.entails(of, group) for of in kinds):
        return each_named(condition, of_group)
    return condition


def each_named(x: m.Condition, change: Callable[[m.Named], m.Condition]) -> m.Condition:
    """A condition with its classes changed, those that it says of the thing itself."""
    if isinstance(x, m.Not):
        return m.Not(each_named(x.of, change))
    if isinstance(x, (m.And, m.Or)):
        return type(x)(tuple(each_named(part, change) for part in x.parts))
    return change(x) if isinstance(x, m.Named) else x
