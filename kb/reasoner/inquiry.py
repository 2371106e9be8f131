"""What is still to be asked about a case: the facts that an open answer misses, and those that a settled one presumes.

    missing(proof, situation)  -> Missed(roles, atoms)   what an open answer turns on
    presumed(proof, situation) -> (Atom, …)              the relations that nothing is told of, and by which a norm would apply

Nothing is tried here: kb.answers.interview tries what it would ask, in the case that the answer would make.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Case, Edit
from kb.reasoner import chain_ends, untold
from kb.reasoner.abduction import Atom, atoms
from kb.reasoner.counterfactuals import plain
from kb.reasoner.decision import decided
from kb.reasoner.proof import UNDETERMINED, Proof
from kb.reasoner.situation import Situation


class Missed(Struct, frozen=True):
    """What an open answer turns on. roles: the relations that its act must be told with, and is not."""

    roles: tuple[str, ...]
    atoms: tuple[Atom, ...]


def missing(found: Proof, situation: Situation) -> Missed:
    """The facts that an open answer turns on; none of one that is not open."""
    if found.verdict != UNDETERMINED:
        return Missed((), ())
    roles = tuple(role for role in map(untold.asked, found.open) if role)
    roots: Iterable[object] = found.open
    if roles:  # what silence on them would have answered is what it turns on
        act = situation.things[found.question.thing]
        case = untold.withdrawn(found.case, act.name, untold.untold(situation, act))
        other, situation = decided(found.theory, case)
        roots = other.open
    return Missed(roles, tuple(map(plainly, atoms(situation, roots, unknown=True))))


def presumed(found: Proof, situation: Situation) -> tuple[Atom, ...]:
    """The relations to something that nothing tells, of those by which a norm that was tried would apply or not."""
    roots = [*found.winners, *found.steps, *(o for o in found.considered if o.status is False)]
    rows = [row for row in atoms(situation, roots, unknown=False) if row.true]
    return tuple(row for row in rows if row.true[-1].kind == "link" and not said_empty(found.case, row.true[-1]))


def said_empty(case: Case, edit: Edit) -> bool:
    """Whether a case says that nothing stands in the relation that an edit would tell."""
    facts = case.things.get(edit.thing)
    return facts is not None and facts.links.get(edit.name) == ()


def plainly(atom: Atom) -> Atom:
    """A fact that says that something is not so, put the other way round."""
    if plain(atom.fact) or atom.otherwise is None or not atom.false:
        return atom
    return replace(atom, fact=atom.otherwise, otherwise=atom.fact, true=atom.false, false=atom.true)


def listed(situation: Situation, thing: str, role: str) -> bool:
    """Whether anything is told, or follows, to stand in a relation of a thing."""
    x = situation.things.get(thing)
    return x is not None and bool(situation.successors(x, role).things)


def told_at(situation: Situation, thing: str, term: str) -> tuple[str, str]:
    """Of what thing, and by what word, a case tells what is said of a thing by a term."""
    x = situation.things.get(thing)
    if x is None or term not in situation.vocabulary.properties:
        return thing, term
    end, role = chain_ends.told_at(situation, x, m.Role(term))
    return end.name, role.name
