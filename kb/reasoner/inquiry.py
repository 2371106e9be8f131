"""What is still to be asked about a case: the facts that an open answer misses, and those that a settled one presumes.

    missing(answer)  -> Missed(roles, atoms)    what an open answer turns on; roles: the relations that its act must be told with
    presumed(answer) -> (Atom, …)               the relations that nothing is told of, and by which a norm would apply

Nothing is tried here: kb.answers.interview tries what it would ask, in the case that the answer would make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Case, Edit, Reaches
from kb.reasoner import untold
from kb.reasoner.abduction import Atom as Atom, atoms, leading
from kb.reasoner.counterfactuals import plain
from kb.reasoner.decision import decided
from kb.reasoner.proof import UNDETERMINED
from kb.reasoner.reason import Answer
from kb.rulebook.theory import Theory

MOST_ATOMS = 60
SIDES = ("Enemy", "Friendly")


class Missed(Struct, frozen=True):
    """What an open answer turns on."""

    roles: tuple[str, ...]
    atoms: tuple[Atom, ...]


def missing(answer: Answer) -> Missed:
    """The facts that an open answer turns on; none of one that is not open."""
    found, situation = answer.worked
    if found.verdict != UNDETERMINED:
        return Missed((), ())
    roles = tuple(role for role in map(untold.asked, found.open) if role)
    roots: Iterable[object] = found.open
    if roles:  # what silence on them would have answered is what it turns on
        act = situation.things[found.question.thing]
        case = untold.withdrawn(found.case, act.name, untold.untold(situation, act))
        other, situation = decided(answer.theory, case)
        roots = other.open
    return Missed(roles, tuple(map(plainly, atoms(situation, roots, unknown=True, most=MOST_ATOMS))))


def presumed(answer: Answer) -> tuple[Atom, ...]:
    """The relations to something that nothing tells, of those by which a norm that was tried would apply or not."""
    found, situation = answer.worked
    roots = [*found.winners, *found.steps, *(o for o in found.considered if o.status is False)]
    rows = [row for row in atoms(situation, roots, unknown=False, most=MOST_ATOMS) if row.true]
    return tuple(row for row in rows if row.true[-1].kind == "link" and not said_empty(found.case, row.true[-1]))


def said_empty(case: Case, edit: Edit) -> bool:
    """Whether a case says that nothing stands in the relation that an edit would tell."""
    facts = case.things.get(edit.thing)
    return facts is not None and facts.links.get(edit.name) == ()


def speak_of(theory: Theory, *names: str) -> int:
    """How many norms speak of all these terms: what is often spoken of is likely to decide."""
    return sum(1 for terms in theory.spoken_of if terms.issuperset(names))


def kinds(atom: Atom) -> tuple[str, ...]:
    """The plain kinds of which something must be one to stand in an open relation: a pillbox, of `a pillbox that is not full`."""
    if not isinstance(atom.fact, Reaches):
        return ()
    sides = [name for name in conjuncts(atom.fact.filler) if name in SIDES]
    return tuple(sides) or leading(atom.fact.filler)


def conjuncts(c: m.Condition) -> Iterator[str]:
    """The classes of which a thing must be all to meet a condition, as far as it names them."""
    match c:
        case m.Named(name):
            yield name
        case m.And(parts):
            for part in parts:
                yield from conjuncts(part)
        case m.Except(of, _, _) | m.Bind(of, _):
            yield from conjuncts(of)


def plainly(atom: Atom) -> Atom:
    """A fact that says that something is not so, put the other way round."""
    if plain(atom.fact) or atom.otherwise is None or not atom.false:
        return atom
    return replace(atom, fact=atom.otherwise, otherwise=atom.fact, true=atom.false, false=atom.true)


def listed(answer: Answer, thing: str, role: str) -> bool:
    """Whether anything is told, or follows, to stand in a relation of a thing."""
    _, situation = answer.worked
    x = situation.things.get(thing)
    return x is not None and bool(situation.successors(x, role).things)
