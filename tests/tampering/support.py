"""What an answer rests on is falsified: assumptions, rules cited, rules needed, the grade."""

from __future__ import annotations

from msgspec.structs import astuple

from kb.language.case import Absent, AbsentAtFirst, OwnSide
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome, Step
from tests.tampering.parts import Tamper, alter_rest, graded, parts, replace


def fewer_assumptions(x: Proof) -> bool:
    kept = tuple(a for a in x.assumptions if a.kind != "presumption" or not a.term)
    return len(kept) < len(x.assumptions) and not x.which and alter_rest(x, assumptions=kept)


def too_sure(x: Proof) -> bool:
    return x.grade != p.SETTLED and not x.which and alter_rest(x, grade=p.SETTLED)


def needs_nothing(x: Proof) -> bool:
    return (
        any(o.norm.needs for o in x.winners)
        and bool(x.needs)
        and alter_rest(x, needs=(), grade=p.IF_NOTHING_ELSE if x.assumptions else p.SETTLED)
    )


def cites_nothing(x: Proof) -> bool:
    return bool(x.winners) and alter_rest(x, cites=())


def drop_assumption(*kinds: str) -> Tamper:
    """Drops one assumption of these kinds, and mends the grade so that only the gap tells."""

    def change(x: Proof) -> bool:
        gone = next((a for a in x.assumptions if a.kind in kinds), None)
        kept = tuple(a for a in x.assumptions if a != gone)
        return gone is not None and alter_rest(x, assumptions=kept, grade=graded(x, kept))

    return change


def invent_assumption(x: Proof) -> bool:
    thing = next(iter(x.case.things))
    classes = x.theory.vocabulary.classes.values()
    told = {a.term for a in x.assumptions if a.thing == thing}
    cls = next(t for t in classes if t.when_unstated == "absent" and t.name not in told)
    made = p.Assumption(Absent(thing, thing, cls.name), "presumption", thing, cls.name)
    return alter_rest(x, assumptions=(*x.assumptions, made), grade=graded(x, (made,)))


def alter_assumption(**changes: object) -> Tamper:
    def change(x: Proof) -> bool:
        if not any(a.kind == "presumption" for a in x.assumptions):
            return False
        old = next(a for a in x.assumptions if a.kind == "presumption")
        return alter_rest(x, assumptions=tuple(replace(a, **changes) if a is old else a for a in x.assumptions))  # type: ignore[arg-type]

    return change


def at_another_moment(x: Proof) -> bool:
    """What is presumed as things stand is said to have been so at first only, or the other way round."""
    old = next((a for a in x.assumptions if isinstance(a.fact, Absent)), None)
    if old is None or x.which or x.cases:
        return False
    kind = Absent if isinstance(old.fact, AbsentAtFirst) else AbsentAtFirst
    moved = replace(old, fact=kind(*astuple(old.fact)))
    return alter_rest(x, assumptions=tuple(moved if a is old else a for a in x.assumptions))


def other_cite(x: Proof) -> bool:
    """The number of the rule that decides becomes that of the next rule of the book."""
    if not x.winners or x.which or x.cases:
        return False
    rules, mine = list(x.theory.sections), x.winners[0].norm.rule
    other = rules[(rules.index(mine) + 1) % len(rules)]
    return other not in x.cites and alter_rest(x, cites=tuple(other if c == mine else c for c in x.cites))


def invent_cite(name: str) -> Tamper:
    return lambda x: alter_rest(x, **{name: (*getattr(x, name), "Z9.9")})


def rule_not_told(x: Proof) -> bool:
    told = next((o.norm.rule for o in x.considered if o.norm.rule in x.also), None)
    return told is not None and not x.cases and alter_rest(x, also=tuple(r for r in x.also if r != told))


def kin_of_nobody(x: Proof) -> bool:
    return alter_rest(x, kin=(*x.rest.kin, "Z9.9"))


def all_quiet(x: Proof) -> bool:
    """No step of the whole proof says any more that it rests on a presumption, and none is on the list."""
    if not any(a.kind in ("presumption", "completeness") for a in x.assumptions) or x.which or x.cases:
        return False
    found = [s for s in parts(x) if isinstance(s, (Step, Outcome)) and s.soft]
    for s in found:
        s.soft = False
    return bool(found) and alter_rest(x, assumptions=(), grade=graded(x, ()))


KINDS: dict[str, Tamper] = {
    "every presumption of the whole proof is hidden": all_quiet,
    "a rule that was tried is not told": rule_not_told,
    "a rule is of a kind and not cited": kin_of_nobody,
    "a presumption is dropped": drop_assumption("presumption"),
    "a presumed list is dropped": drop_assumption("completeness"),
    "an assumption is invented": invent_assumption,
    "an assumption is told as something else": alter_assumption(fact=OwnSide("nobody")),
    "an assumption is made of something else": alter_assumption(thing="nobody"),
    "a presumption is of another moment": at_another_moment,
    "an assumption is of another kind": alter_assumption(kind="staged"),
    "the number of the rule that decides is changed": other_cite,
    "a rule is cited that the proof does not touch": invent_cite("cites"),
    "a rule is said to be tried that the proof does not touch": invent_cite("also"),
    "a rule is said to be needed that is not": invent_cite("needs"),
    "an answer that is partly decided is called settled": lambda x: x.grade == p.PARTLY_HERE and not x.which and alter_rest(x, grade=p.IF_NOTHING_ELSE),
    "an answer that is not ruled here is called settled": lambda x: x.grade == p.NOT_HERE and not x.which and alter_rest(x, grade=p.SETTLED),
    "a presumption is not named": fewer_assumptions,
    "an answer that presumes something is called settled": too_sure,
    "a rule that is not loaded is not needed": needs_nothing,
    "the rule that decides is not cited": cites_nothing,
}  # fmt: skip
