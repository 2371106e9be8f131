"""What an act must be told with and is not: a shot at nothing, a move that leads nowhere.

    untold(situation, act) -> ("destination",)     the relations of that sort that nothing tells
    withdrawn(case, act, roles) -> Case             the case in which silence on them presumes nothing
    asks(act, role) -> Step                         such a relation as an open step

The ontology says by `lp:mustBeTold` of a relation which acts are not told without it, and by what else they may be told.
Where no rule settles whether such an act may be done, silence on it would be a yes to whatever it is done to. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner.trace import Step, Thing

if TYPE_CHECKING:
    from kb.reasoner.situation import Situation

WHATEVER = m.Anything()


def untold(situation: Situation, act: Thing) -> tuple[str, ...]:
    """The relations that an act must be told with and that nothing tells, not even by saying that there is none."""
    properties = situation.vocabulary.properties
    found: dict[str, None] = {}
    for prop in situation.vocabulary.owed_by_acts:
        if not act.kind.types.isdisjoint(prop.spared):
            continue
        for owed in prop.must_be_told:
            if owed.act in act.kind.types and prop.name not in act.facts.unknown:
                words = {q for w in (prop.name, *owed.instead) for q in properties[w].below}
                if words.isdisjoint(act.facts.links) and not situation.successors(act, prop.name).things:
                    found[prop.name] = None
    return tuple(found)


def withdrawn(case: Case, act: str, roles: tuple[str, ...]) -> Case:
    """The case in which nothing is presumed of some relations of an act."""
    facts = case.things[act]
    facts = replace(facts, unknown=tuple(dict.fromkeys((*facts.unknown, *roles))), one_sided=True)
    return replace(case, things={**case.things, act: facts})


def asks(act: Thing, role: str) -> Step:
    """That it is not told what an act stands in a relation to."""
    return Step(m.Some(m.Role(role), WHATEVER), act, None, "missing", (), False)


def asked(step: object) -> str:
    """The relation that such a step asks for; "" of any other step."""
    whatever = isinstance(step, Step) and isinstance(step.node, m.Some) and step.node.filler == WHATEVER
    return step.node.role.name if whatever and isinstance(step, Step) and not step.parts else ""
