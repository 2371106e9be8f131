"""What the norms of a question read of its things, by the way that leads there: the states that a thing may be in and the ways in
which an act may be done, which nobody is asked for because they are presumed absent; and lists to which more may be told.

read(theory, case) -> Reads
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.answers.openings import SIDES, main
from kb.language import english, norms as m
from kb.language.case import Case, Question
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.rulebook.theory import Theory

ACT, STATE, PIECE, UNIT, GONE = (
    "Act",
    "State",
    "Piece",
    "Unit",
    "Eliminated",
)  # what is gone bars nothing, and nobody tells of it
SIDED = ("friendlyTo", "enemyOf")  # relations between units of a side, or of two
DEEP = 3  # definitions, and norms that make a kind, looked into one after the other
Way = tuple[str, ...]  # relations, from the thing asked about


@dataclass(slots=True)
class Reads:
    """By the way that leads to a thing: how often a class is asked of it, and of what kinds something is asked to stand in a
    relation to it. direct: the classes that a norm itself asks for, and not a definition; ways: where the names lead that a condition gives."""

    classes: Counter[tuple[Way, str]] = field(default_factory=Counter)
    lists: dict[tuple[Way, str], Counter[str]] = field(default_factory=dict)
    direct: set[tuple[Way, str]] = field(default_factory=set)
    ways: dict[str, Way] = field(default_factory=dict)


def read(theory: Theory, case: Case) -> Reads:
    """What is read for the question of a case."""
    found, is_ = Reads(), case.things[case.question.thing].is_
    akin = frozenset[str]().union(*((t := theory.vocabulary.classes[n]).ancestors | t.descendants for n in is_))
    akin |= {cls for cls, whens in theory.definitions.items() if not {*is_}.isdisjoint(m.names_in(tuple(whens)))}
    for norm in theory.norms.values():
        if concerns(norm.head, case.question, akin):
            for when in (norm.when, *(u.condition for u in norm.unless)):
                walk(theory, found, when, (), DEEP)
    return found


def concerns(head: m.Head, question: Question, akin: frozenset[str]) -> bool:
    """Whether a norm may answer a question of a thing of some kinds."""
    match question.kind, head:
        case (("may" | "must"), m.Deontic(act=act)):
            return act in akin
        case "value", m.QuantityHead():
            return head.quantity == question.quantity and head.of in akin
        case "effects", m.Effect(event=event) | m.Change(event=event) | m.Link(event=event):
            return event in akin
        case "is", m.CountsAs():
            return (
                isinstance(question.condition, m.Named)
                and head.target == question.condition.name
                and head.subject in akin
            )
    return False


def walk(theory: Theory, found: Reads, c: object, way: Way, deep: int) -> None:
    """Notes what a condition asks, of the thing that a way leads to."""
    match c:
        case m.And(parts) | m.Or(parts):
            for part in parts:
                walk(theory, found, part, way, deep)
        case m.Bind(of, var):
            found.ways[var] = way
            walk(theory, found, of, way, deep)
        case m.Of(root, condition) if root in found.ways:
            walk(theory, found, condition, found.ways[root], deep)
        case m.Not(of):
            walk(theory, found, of, way, deep)
        case m.Except(base, carve):
            walk(theory, found, base, way, deep)
            walk(theory, found, carve, way, deep)
        case m.Named(name):
            found.classes[way, name] += 1
            if deep == DEEP:
                found.direct.add((way, name))
            for made in making(theory, name) if deep else ():
                walk(theory, found, made, way, deep - 1)
        case m.Compare(left, _, right):
            for side in (left, right):
                summed(theory, found, side, way, deep)
        case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, filler=filler) if not role.inverse:
            *through, last = theory.told_by(role.name)
            there = found.lists.setdefault(((*way, *through), last), Counter())
            there.update(asked_for(theory, filler))
            walk(theory, found, filler, (*way, *through, last), deep)


def asked_for(theory: Theory, filler: m.Condition) -> Iterator[str]:
    """The kinds that are looked for in a list; who is somebody's friend or enemy is a unit."""
    for name in m.names_in(filler):
        if name in theory.vocabulary.classes:
            yield name
        elif name in SIDED and UNIT in theory.vocabulary.classes:
            yield UNIT


def summed(theory: Theory, found: Reads, e: object, way: Way, deep: int) -> None:
    """Notes what a number is made of: the lists over which it counts or sums, and what the norms ask that set it."""
    match e:
        case m.Arith(_, left, right):
            summed(theory, found, left, way, deep)
            summed(theory, found, right, way, deep)
        case m.Call(_, args):
            for arg in args:
                summed(theory, found, arg, way, deep)
        case m.Path(root, (*before, number)):
            way = found.ways.get(root, way)
            for norm in theory.norms.values() if deep else ():
                if isinstance(norm.head, m.QuantityHead) and norm.head.quantity == number:
                    walk(theory, found, norm.when, (*way, *before), deep - 1)
                    summed(theory, found, norm.head.value, (*way, *before), deep - 1)
        case m.Aggregate(_, path, filler) if path.steps:
            way = found.ways.get(path.root, way)
            there = found.lists.setdefault(((*way, *path.steps[:-1]), path.steps[-1]), Counter())
            there.update(asked_for(theory, filler))


def making(theory: Theory, cls: str) -> Iterator[m.Condition]:
    """The conditions under which something is of a class that definitions or norms make."""
    yield from theory.definitions.get(cls, ())
    if theory.vocabulary.classes[cls].when_unstated == CONCLUDED:
        for norm in theory.norms.values():
            if isinstance(norm.head, m.CountsAs) and norm.head.target == cls:
                yield norm.when


def at(theory: Theory, case: Case, way: Way) -> Iterator[str]:
    """The things of a case that a way leads to, by its relations or by what is told in narrower ones: `actors` leads to the `actor`."""
    reached = [case.question.thing]
    for role in way:
        links = [case.things[thing].links for thing in reached if thing in case.things]
        reached = [t for told in links for name in theory.vocabulary.properties[role].below for t in told.get(name, ())]
    yield from (thing for thing in reached if thing in case.things)


def states(theory: Theory, case: Case, reads: Reads) -> dict[str, tuple[str, ...]]:
    """By thing of the case, the states and manners that may be told of it, those read most first."""
    often, known = dict[str, Counter[str]](), theory.vocabulary
    for (way, cls), n in reads.classes.items():
        for thing in at(theory, case, way):
            act = ACT in english.all_above(known, case.things[thing].is_)
            if not act or STATE not in known.classes[cls].ancestors or (way, cls) in reads.direct:
                often.setdefault(thing, Counter())[cls] += n

    def fitting(thing: str) -> list[str]:
        piece = PIECE in english.all_above(known, case.things[thing].is_)
        return [c for c in often[thing] if tellable(theory, c, piece) and open_to(theory, case, thing, c)]

    def weight(thing: str, cls: str) -> tuple[bool, int]:
        return known.classes[cls].when_unstated == CONCLUDED, -often[thing][cls]

    return {thing: tuple(sorted(fitting(thing), key=lambda c: weight(thing, c))) for thing in often}


def tellable(theory: Theory, cls: str, piece: bool) -> bool:
    """Whether a player may tell that something is of a class: a state or a manner; what only rules make, of a piece alone, which has a marker."""
    term = theory.vocabulary.classes[cls]
    if (
        term.derived
        or cls in (*SIDES, GONE)
        or (term.when_unstated == CONCLUDED and not (piece and STATE in term.ancestors))
    ):
        return False
    if ACT in term.ancestors:
        return term.when_unstated == ABSENT or english.manner(term)
    return english.passing(theory.vocabulary, cls) or english.stative(theory.vocabulary, cls)


def open_to(theory: Theory, case: Case, thing: str, cls: str) -> bool:
    """Whether it is not told of a thing whether it is of a class, and could be so."""
    classes, facts = theory.vocabulary.classes, case.things[thing]
    if not {*facts.is_} - {*SIDES}:
        return False  # of what kind it is, is told first
    told = frozenset[str]().union(*(classes[n].ancestors for n in facts.is_))
    act = any(ACT in classes[n].ancestors for n in facts.is_)
    fits = STATE in classes[cls].ancestors or (ACT in classes[cls].ancestors) == act
    return fits and cls not in told and cls not in facts.not_ and not any(cls in classes[n].disjoint for n in facts.is_)


def lists(theory: Theory, case: Case, reads: Reads) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The lists of a case that norms read, each as the thing, the relation and the kinds that are looked for in it."""
    for (way, role), kinds in reads.lists.items():
        if theory.vocabulary.properties[role].functional:
            continue
        told = {
            n: k
            for n, k in kinds.items()
            if not english.passing(theory.vocabulary, n) and ACT not in theory.vocabulary.classes[n].ancestors
        }
        to = theory.vocabulary.properties[role].range
        units = any(
            UNIT in theory.vocabulary.classes[n].ancestors
            for n in (*told, *([to] if to in theory.vocabulary.classes else []))
        )
        for thing in at(theory, case, way):
            yield thing, role, tuple(reversed(SIDES)) if units else main(theory.vocabulary, told)
