"""The facts that would turn a step of a proof, as small edits of the case: `atoms` finds them.

With `unknown` they are facts that are missing (abduction: what, if it were stated, would settle the step); else facts stated
or presumed, to be denied. A witness is made up where a step needs something at the end of a relation; counterfactuals asks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import OPPOSITE, Amount, Edit, Fact, Facts, Flagged, IsA, Reaches, Related, RelatedToKind
from kb.language.vocabulary import ABSENT
from kb.reasoner import builtins, kind_rules
from kb.reasoner.chain_ends import chained, told_at
from kb.reasoner.descent import below
from kb.reasoner.sides import ENEMY, FRIENDLY
from kb.reasoner.trace import ByNorm, Contribution, Outcome, Step, Thing

if TYPE_CHECKING:
    from kb.reasoner.situation import Situation

MOST_ATOMS = 60
SIDES = (FRIENDLY, ENEMY)


class Atom(Struct, frozen=True):
    """One fact that can be true or false, what it is otherwise (None: no one thing), and the edits that make each so.

    whole: the two edits are all there is (a class, a flag), so that an answer equal under both is settled.
    """

    fact: Fact
    otherwise: Fact | None
    true: tuple[Edit, ...]
    false: tuple[Edit, ...]
    rule: str = ""
    whole: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The plain kinds of which something must be one to stand in the relation: a pillbox, of `a pillbox that is not full`."""
        if not isinstance(self.fact, Reaches):
            return ()
        return tuple(name for name in conjuncts(self.fact.filler) if name in SIDES) or leading(self.fact.filler)


def atoms(situation: Situation, roots: Iterable[object], unknown: bool, most: int = MOST_ATOMS) -> list[Atom]:
    """The facts that a proof turned on: with `unknown`, those not known; else those stated or presumed. most: 0 for all."""
    found: dict[Fact, Atom] = {}
    seen: set[int] = set()
    queue: list[tuple[object, str]] = [(r, "") for r in roots]
    while queue and not (most and len(found) >= most):
        now, rule = queue.pop(0)
        if now is None or id(now) in seen:
            continue
        seen.add(id(now))
        if isinstance(now, Outcome):
            rule = now.norm.rule
        if isinstance(now, Step):
            if unknown and now.value is not None:
                continue
            for atom in step_atoms(situation, now, unknown):
                found.setdefault(atom.fact, replace(atom, rule=rule))
        if unknown and isinstance(now, Outcome) and now.status is not None:
            continue
        if isinstance(now, Contribution) and not unknown:
            queue.append((now.outcome, rule))
            if now.value is not None:
                queue.append((now.value, rule))
            continue
        queue.extend((b, rule) for b in below(now))
    return list(found.values())


def step_atoms(situation: Situation, step: Step, unknown: bool) -> Iterator[Atom]:
    """The facts of one step."""
    node, x = step.node, step.thing
    vocabulary = situation.vocabulary
    prefix, owner = real(situation, x)
    match node:
        case m.Named(name) if step.why in ("unknown", "presumed", "stated", "inferred", "denied", "disjoint", "open"):
            made = x.made is not None and step.why in ("inferred", "disjoint")
            if made or (vocabulary.classes[name].derived and step.why != "unknown"):
                return
            if step.why == "disjoint" and x.name in situation.case.things and "." not in x.name:
                return  # a named thing of another kind would be another story
            become = "become" if step.why == "disjoint" else "is"
            # Taking its only stated kind from a thing says nothing that a player could change.
            plain = (step.why == "stated" and len(x.facts.is_) == 1) or step.why == "inferred"
            away, otherwise = () if plain else (*prefix, Edit("not", owner, name)), of_kind(situation, x, name, False)
            if away and step.value and (halves := vocabulary.classes[name].halves):  # then it is of the other half
                away = (*prefix, Edit("become", owner, halves[1], vocabulary.classes[halves[1]].disjoint))
                otherwise = of_kind(situation, x, halves[1], True)
            so = (*prefix, Edit(become, owner, name, vocabulary.classes[name].disjoint))
            yield Atom(of_kind(situation, x, name, True), otherwise, so, away)
        case m.Named(name) if step.why == "module" and name in ("Friendly", "Enemy"):
            other = "Enemy" if name == "Friendly" else "Friendly"
            if other in vocabulary.classes:
                now, then = (name, other) if step.value else (other, name)
                edits = (*prefix, Edit("not", owner, now), Edit("is", owner, then))
                yield Atom(IsA(x.name, x.label, then), IsA(x.name, x.label, now), edits, ())
        case m.Some(role, _) if not role.inverse:
            yield from some_atoms(situation, step, unknown)
        case m.HasValue(role, _) if step.end is not None and step.end.made is None and not role.inverse:
            if unknown and not situation.successors(x, role.name).things:
                x, role = chained(situation, x, role)
                prefix, owner = real(situation, x)
            said, denied = (Related(x.name, x.label, role, step.end.label, so) for so in (True, False))
            if unknown and vocabulary.properties[role.name].derived == "sides":
                yield Atom(said, denied, *opposed(situation, x, step.end, role.name))
            if unknown and askable_link(situation, x, role.name):
                to_it = Edit("link", owner, role.name, (step.end.name, {}))
                nowhere = Edit("unlink", owner, role.name)  # it may also be somewhere else
                yield Atom(said, denied, (*prefix, to_it), (*prefix, nowhere), whole=False)
        case m.Flag(name, value):
            yield Atom(
                Flagged(x.name, x.label, name, value), Flagged(x.name, x.label, name, not value),
                (*prefix, Edit("flag", owner, name, value)), (*prefix, Edit("flag", owner, name, not value)),
            )  # fmt: skip
        case m.Compare(_, op, _):
            yield from compare_atoms(situation, step, op)
        case m.Aggregate(_, m.Path(_, (listed,)), filler, _) if unknown and (kind := leading(filler)):
            # A number of things of which it is not told who they are: it is asked whether there is one.
            if askable_link(situation, x, listed) and not situation.successors(x, listed).things:
                one, role = f"{x.name}.{listed}?", m.Role(listed)
                there_is, none = (Reaches(x.name, x.label, role, m.Named(kind[0]), so) for so in (True, False))
                there = Edit("link", owner, listed, (one, {one: Facts(one, (kind[0],))}))
                yield Atom(there_is, none, (*prefix, there), (*prefix, Edit("unlink", owner, listed)), whole=False)
        case m.Path(_, steps) if unknown and (askable(step) or steps[-1] in x.facts.unknown):
            prop = vocabulary.properties[steps[-1]]
            numbers = [(*prefix, Edit("number", owner, prop.name, Fraction(n))) for n in (1, 0)]
            yield Atom(Amount(x.name, x.label, prop.name), None, numbers[0], numbers[1], whole=False)


def of_kind(situation: Situation, x: Thing, name: str, so: bool) -> Fact:
    """`squad is pinned`; of a thing that the case gives no name: `shot is resolved on an Area Target Type`."""
    vocabulary = situation.vocabulary
    owner, _, role = x.name.rpartition(".")
    if owner in situation.things and role in vocabulary.properties and vocabulary.classes[name].when_unstated != ABSENT:
        return RelatedToKind(owner, situation.things[owner].label, role, name, so)
    return IsA(x.name, x.label, name, so)


def some_atoms(situation: Situation, step: Step, unknown: bool) -> Iterator[Atom]:
    """A relation that is missing, presumed empty, or stated as a list: with a fitting thing at its end, and without."""
    node, x = step.node, step.thing
    vocabulary, role = situation.vocabulary, node.role
    x, role = told_at(situation, x, role)
    links = situation.successors(x, role.name)
    if any(isinstance(how, ByNorm) for how in links.why.values()):
        return
    if unknown and not links.things:
        x, role = chained(situation, x, role)
    prefix, owner = real(situation, x)
    filler = node.filler
    if isinstance(filler, m.Named):
        # A notion that rules alone make is asked for by the kinds that it comes down to: those one can see.
        filler = kind_rules.spelled_out(situation.theory, filler.name) or filler
    said, denied = (Reaches(x.name, x.label, role, filler, so) for so in (True, False))
    prop = vocabulary.properties[role.name]
    if step.why in ("missing", "none", "blank") or (not unknown and step.value is False and links.presumed):
        first = leading(filler)
        if not first and prop.when_unstated == "asked":
            return
        name = f"{x.name}.{role.name}?"
        away = Edit("link", owner, role.name, (name, {name: Facts(name, (), first)}))
        if prop.when_unstated != "asked":
            away = Edit("unlink", owner, role.name)
        there = Edit("link", owner, role.name, (name, witness(situation, name, filler)))
        # What is taken not to be so already can only become so.
        yield Atom(said, denied, (*prefix, there), (*prefix, away) if unknown else (), whole=False)
    elif (
        not unknown and step.why == "some" and step.value is True and role.name in x.facts.links and not prop.functional
    ):
        yield Atom(said, denied, (), (*prefix, Edit("unlink", owner, role.name)))


def askable_link(situation: Situation, x: Thing, name: str) -> bool:
    """Whether a player would be asked for a relation of x: it is never presumed, and not already stated."""
    prop = situation.vocabulary.properties[name]
    asked = prop.when_unstated == "asked" or name in x.facts.unknown
    worked_out = (
        prop.derived and not builtins.named(prop.derived)[0].on_map
    )  # what the map tells, a case may say itself
    return bool(asked and not worked_out) and not (prop.functional and x.facts.links.get(name))


def opposed(situation: Situation, one: Thing, other: Thing, role: str) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Edits that put two pieces on opposed sides, and those that put them on one, the other way round for `friendlyTo`."""
    theirs = next((name for name in SIDES if name in other.facts.is_), "Friendly")
    fixed = () if theirs in other.facts.is_ else (Edit("is", other.name, theirs),)
    away = SIDES[1 - SIDES.index(theirs)]
    apart, together = (
        (*fixed, Edit("not", one.name, against), Edit("is", one.name, on))
        for on, against in ((away, theirs), (theirs, away))
    )
    return (apart, together) if role == "enemyOf" else (together, apart)


def compare_atoms(situation: Situation, step: Step, op: str) -> Iterator[Atom]:
    """A comparison turned by setting a stated or missing number on one side to just meet, and just miss, the other."""
    sides = [p for p in step.parts if isinstance(p, Step)]
    for own, other in (sides, sides[::-1]) if len(sides) == 2 else ():
        leaf = number_leaf(own)
        if leaf is None:
            continue
        target = other.value if other.value is not None else Fraction(1)
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op) if own is sides[1] else op
        one = Fraction(1)
        meet = {"<": target - one, ">": target + one}.get(mirrored, target)
        miss = {"<": target, ">": target, "<=": target + one, ">=": target - one, "=": target + one, "!=": target}[
            mirrored
        ]
        if mirrored == "!=":
            meet = target + one
        prop = situation.vocabulary.properties[leaf.node.steps[-1]]
        prefix, owner = real(situation, leaf.thing)
        told, denied = (
            Amount(leaf.thing.name, leaf.thing.label, prop.name, o, target) for o in (mirrored, OPPOSITE[mirrored])
        )
        yield Atom(
            told, denied,
            () if step.value is True else (*prefix, Edit("number", owner, prop.name, meet)),
            () if step.value is False else (*prefix, Edit("number", owner, prop.name, miss)), whole=False,
        )  # fmt: skip
        return


def askable(step: Step) -> bool:
    """Whether an unknown number is best asked for itself: nothing sets it, or what sets it cannot be worked out."""
    rows = [r for r in step.parts if isinstance(r, Contribution) and r.outcome.status is not False]
    if step.why == "unknown":
        return not rows
    if rows and all(r.op != m.SETS and r.outcome.status and r.value is not None for r in rows):
        return all(r.value.value is not None for r in rows if r.value is not None)
    return (
        step.why == "open"
        and bool(rows)
        and all(r.outcome.status for r in rows)
        and any(r.value is not None and r.value.value is None for r in rows)
    )


def number_leaf(step: Step) -> Step | None:
    """The one stated, defaulted or missing number an expression is, when it is one."""
    while isinstance(step.node, m.Path):
        inner = [q for q in step.parts if isinstance(q, Step)]
        if step.why == "path" and len(inner) == 1:
            step = inner[0]
            continue
        rows = [r for r in step.parts if isinstance(r, Contribution) and r.outcome.status is not False]
        return step if step.why in ("stated", "unknown", "default") and not rows else None
    return None


def real(situation: Situation, x: Thing) -> tuple[tuple[Edit, ...], str]:
    """Edits that make a thing which staging made up a real one, so that it can be edited."""
    if x.made is None or x.name in situation.case.things:
        return (), x.name
    owner, role, cls = x.made
    before, name = real(situation, owner)
    facts = Facts(x.name, (cls,) if cls else (), label=x.label)
    return (*before, Edit("link", name, role, (x.name, {x.name: facts}))), x.name


def leading(c: m.Condition) -> tuple[str, ...]:
    """The classes of which something must be one to meet a filler; denying them denies it, as far as classes can: a trial tells."""
    match c:
        case m.Named(name):
            return (name,)
        case m.And(parts):
            return next((n for n in map(leading, parts) if n), ())
        case m.Or(parts):
            found = [leading(part) for part in parts]
            return tuple(n for names in found for n in names)
        case m.Except(of, _, _) | m.Bind(of, _):
            return leading(of)
    return ()


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


def witness(situation: Situation, name: str, c: m.Condition) -> dict[str, Facts]:
    """New things, the first called `name`, that meet a condition as far as facts can say it."""
    found: dict[str, Facts] = {}

    def build(name: str, c: m.Condition) -> None:
        facts = found.setdefault(name, Facts(name))
        match c:
            case m.Named(cls):
                found[name] = replace(facts, is_=(*facts.is_, cls))
            case m.And(parts):
                for part in parts:
                    build(name, part)
            case m.Or(parts):
                build(name, parts[0])
            case m.Except(base, carve, _):
                build(name, base)
                build(name, m.Not(carve))
            case m.Not(m.Or(parts)):
                for part in parts:
                    build(name, m.Not(part))
            case m.Not(m.And(parts)):
                # One part that is not so is enough: a kind, which a case can deny.
                build(name, m.Not(next((part for part in parts if isinstance(part, m.Named)), parts[0])))
            case m.Not(m.Named(cls)) if situation.vocabulary.classes[cls].when_unstated != ABSENT:
                found[name] = replace(facts, not_=(*facts.not_, cls))
            case m.Bind(of, _):
                build(name, of)
            case m.Some(role, filler) if not role.inverse:
                for step in situation.theory.told_by(role.name):
                    child, facts = f"{name}.{step}", found.setdefault(name, Facts(name))
                    found[name] = replace(facts, links={**facts.links, step: (child,)})
                    name = child
                build(name, filler)
            case m.Flag(flag, value):
                found[name] = replace(facts, flags={**facts.flags, flag: value})

    build(name, c)
    return found
