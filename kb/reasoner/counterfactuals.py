"""What would settle an open answer, and what would turn a settled one: small edits of the case, tried for real.

Every candidate edit comes from a step of the proof, is applied to the case, and the question is asked again. What is
reported is what the reasoner then said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kb.errors import LoopholeError
from kb.language import english, norms as m
from kb.language.case import Case, Edit, Facts
from kb.language.vocabulary import ABSENT
from kb.reasoner import kind_rules, untold
from kb.reasoner.proof import IF_NOTHING_ELSE, OPEN, PARTLY_HERE, SETTLED, UNDETERMINED, Assumption, Rest, shown
from kb.reasoner.trace import Contribution, Flip, Missing, Outcome, Step, Thing, below, outcomes_in
from kb.rulebook.compiler import without

if TYPE_CHECKING:
    from kb.reasoner.proof import Proof
    from kb.reasoner.situation import Situation
    from kb.rulebook.theory import Theory

MOST_ATOMS, MOST_PAIRS, MOST_SAMPLES = 60, 200, 2


class Atom(Struct, frozen=True):
    """One fact that can be true or false: how to say it, and the edits that make it so.

    whole: the two edits are all there is (a class, a flag), so that an answer equal under both is settled.
    """

    text: str
    negative: str
    true: tuple[Edit, ...]
    false: tuple[Edit, ...]
    rule: str = ""
    whole: bool = True


# ── what is presumed ──


def presumption(situation: Situation, step: Step) -> Iterator[Assumption]:
    """The presumption that this very step makes, if it makes one that the case does not state: “and nothing else”."""
    node, x = step.node, step.thing
    if situation.case.nothing_else and not (step.why == "staged" or seen_as_own(situation, step)):
        return
    if step.why == "presumed":
        if isinstance(node, m.Named):
            said = english.say_absent(situation.vocabulary, x.label, node.name)
            yield Assumption(said, "presumption", x.name, node.name)
        elif isinstance(node, m.Flag):
            said = english.say_flag(situation.vocabulary, node.name, x.label, False)
            yield Assumption(said, "presumption", x.name, node.name)
    elif (
        isinstance(node, (m.Some, m.Only, m.Count))
        and not (isinstance(node, m.Some) and step.value)
        and step.value is not None
    ):
        # Of a thing as it stood before some act only its steps are left: its lists are looked up as they are now.
        now = situation.things.get(x.name, x)
        links = situation.successors(now, node.role.name, node.role.inverse)
        before = now is not x and not any(getattr(q, "soft", False) for q in step.parts)
        open_ = links.perhaps if links.no_more and isinstance(node, m.Count) else {}
        if (links.presumed or open_ or before) and step.soft and step.why in ("none", "some", "only", "count"):
            names = english.series([t.label for t in links.things])
            only = f"{names} and nothing else" if links.things else "nothing"
            if open_:
                only += f" but, maybe, {english.series([situation.things[n].label for n in open_], 'or')}"
            said = english.say_link(situation.vocabulary, node.role, x.label, only)
            if not links.things and not open_ and english.predicate_of(situation.vocabulary, node.role):
                # `unit does not carry anything`: the verb says it more plainly than `carries nothing`.
                said = english.say_link(situation.vocabulary, node.role, x.label, "anything", False)
                label = situation.vocabulary.properties[node.role.name].label
                if english.loose(label) is None and not label.startswith("has "):
                    said = f"no {label} of {x.label} is named"
            yield Assumption(said, "completeness", x.name, node.role.name)
    elif isinstance(node, m.Named) and step.why == "staged" and x.made is not None:
        owner, role, cls = x.made
        there = english.say_link(
            situation.vocabulary, m.Role(role), owner.label, english.noun(situation.vocabulary.classes[cls])
        )
        yield Assumption(f"{there}, not named in the case", "staged", owner.name, role)
    elif step.why == "module" and step.soft and isinstance(node, m.Named):
        if situation.vocabulary.classes[node.name].derived == "sides":
            yield Assumption("the acting unit is on the asker's side", "presumption", x.name, node.name)
        else:
            said = english.say_class(situation.vocabulary, x.label, node.name, step.value)
            yield Assumption(f"{said}, if all there is to it is named", "completeness", x.name, node.name)
    elif step.why == "default" and isinstance(node, m.Path) and step.value is not None:
        prop = situation.vocabulary.properties[node.steps[-1]]
        yield Assumption(
            f"{prop.label} of {x.label} is {shown(step.value)}, nothing said otherwise",
            "presumption",
            x.name,
            prop.name,
        )


def seen_as_own(situation: Situation, step: Step) -> bool:
    """Whether a step takes the acting unit for the asker's own: that is no absence of anything."""
    return isinstance(step.node, m.Named) and situation.vocabulary.classes[step.node.name].derived == "sides"


# ── atoms ──


def atoms(situation: Situation, roots: Iterable[object], unknown: bool) -> list[Atom]:
    """The facts that a proof turned on: with `unknown`, those not known; else those stated or presumed."""
    found: dict[str, Atom] = {}
    seen: set[int] = set()
    queue: list[tuple[object, str]] = [(r, "") for r in roots]
    while queue and len(found) < MOST_ATOMS:
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
                found.setdefault(atom.text, replace(atom, rule=rule))
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
            if x.made is not None and step.why in ("inferred", "disjoint"):
                return
            if vocabulary.classes[name].derived and step.why != "unknown":
                return
            if step.why == "disjoint" and x.name in situation.case.things and "." not in x.name:
                return  # a named thing of another kind would be another story
            become = "become" if step.why == "disjoint" else "is"
            # Taking its only stated kind from a thing says nothing that a player could change.
            plain = (step.why == "stated" and len(x.facts.is_) == 1) or step.why == "inferred"
            away = () if plain else (*prefix, Edit("not", owner, name))
            yield Atom(
                say_kind(situation, x, name, True), say_kind(situation, x, name, False),
                (*prefix, Edit(become, owner, name, vocabulary.classes[name].disjoint)), away,
            )  # fmt: skip
        case m.Named(name) if step.why == "module" and name in ("Friendly", "Enemy"):
            other = "Enemy" if name == "Friendly" else "Friendly"
            if other in vocabulary.classes:
                now, then = (name, other) if step.value else (other, name)
                edits = (*prefix, Edit("not", owner, now), Edit("is", owner, then))
                yield Atom(
                    english.say_class(vocabulary, x.label, then), english.say_class(vocabulary, x.label, now), edits, ()
                )
        case m.Some(role, _) if not role.inverse:
            yield from some_atoms(situation, step, unknown)
        case m.HasValue(role, _) if step.end is not None and step.end.made is None and not role.inverse:
            if unknown and not situation.successors(x, role.name).things:
                x, role = chained(situation, x, role)
                prefix, owner = real(situation, x)
            said, denied = (english.say_link(vocabulary, role, x.label, step.end.label, so) for so in (True, False))
            if unknown and vocabulary.properties[role.name].derived == "sides":
                yield Atom(said, denied, *opposed(situation, x, step.end, role.name))
            if unknown and askable_link(situation, x, role.name):
                to_it = Edit("link", owner, role.name, (step.end.name, {}))
                nowhere = Edit("unlink", owner, role.name)  # it may also be somewhere else
                yield Atom(said, denied, (*prefix, to_it), (*prefix, nowhere), whole=False)
        case m.Flag(name, value):
            yield Atom(
                english.say_flag(vocabulary, name, x.label, value), english.say_flag(vocabulary, name, x.label, not value),
                (*prefix, Edit("flag", owner, name, value)), (*prefix, Edit("flag", owner, name, not value)),
            )  # fmt: skip
        case m.Compare(_, op, _):
            yield from compare_atoms(situation, step, op)
        case m.Aggregate(_, m.Path(_, (listed,)), filler, _) if unknown and (kind := leading(filler)):
            # A number of things of which it is not told who they are: it is asked whether there is one.
            if askable_link(situation, x, listed) and not situation.successors(x, listed).things:
                one, role = f"{x.name}.{listed}?", m.Role(listed)
                said, denied = (
                    english.say_filler(vocabulary, role, x.label, m.Named(kind[0]), so) for so in (True, False)
                )
                there = Edit("link", owner, listed, (one, {one: Facts(one, (kind[0],))}))
                yield Atom(said, denied, (*prefix, there), (*prefix, Edit("unlink", owner, listed)), whole=False)
        case m.Path(_, steps) if unknown and askable(step):
            prop = vocabulary.properties[steps[-1]]
            numbers = [(*prefix, Edit("number", owner, prop.name, Fraction(n))) for n in (1, 0)]
            yield Atom(f"{prop.label} of {x.label}", "", numbers[0], numbers[1], whole=False)


def say_kind(situation: Situation, x: Thing, name: str, positive: bool) -> str:
    """`squad is pinned`; of a thing that the case gives no name: `shot is resolved on an Area Target Type`."""
    vocabulary = situation.vocabulary
    owner, _, role = x.name.rpartition(".")
    if owner in situation.things and role in vocabulary.properties and vocabulary.classes[name].when_unstated != ABSENT:
        what = english.noun(vocabulary.classes[name])
        return english.say_link(vocabulary, m.Role(role), situation.things[owner].label, what, positive)
    return english.say_class(vocabulary, x.label, name, positive)


def some_atoms(situation: Situation, step: Step, unknown: bool) -> Iterator[Atom]:
    """A relation that is missing, presumed empty, or stated as a list: with a fitting thing at its end, and without."""
    node, x = step.node, step.thing
    vocabulary, role = situation.vocabulary, node.role
    prefix, owner = real(situation, x)
    links = situation.successors(x, role.name)
    if any(code == "norm" for code, _ in links.why.values()):
        return
    if unknown and not links.things:
        x, role = chained(situation, x, role)
        prefix, owner = real(situation, x)
    filler = node.filler
    if isinstance(filler, m.Named):
        # A notion that rules alone make is asked for by the kinds that it comes down to: those one can see.
        filler = kind_rules.spelled_out(situation.theory, filler.name) or filler
    said, denied = (english.say_filler(vocabulary, role, x.label, filler, positive) for positive in (True, False))
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


def chained(situation: Situation, x: Thing, role: m.Role) -> tuple[Thing, m.Role]:
    """Where a missing value that comes by a chain is looked up: the terrain of a site is the terrain of that hex."""
    for chain in situation.vocabulary.properties[role.name].chains:
        now = [x]
        for step in chain[:-1]:
            inverse = step.startswith("inverse ")
            now = [z for y in now for z in situation.successors(y, step.removeprefix("inverse "), inverse).things]
        if len(now) == 1 and now[0].name in situation.case.things and not chain[-1].startswith("inverse "):
            return now[0], m.Role(chain[-1])
    return x, role


def askable_link(situation: Situation, x: Thing, name: str) -> bool:
    """Whether a player would be asked for a relation of x: it is never presumed, and not already stated."""
    prop = situation.vocabulary.properties[name]
    asked = prop.when_unstated == "asked" or name in x.facts.unknown
    worked_out = bool(prop.derived) and not prop.derived.startswith("grid")  # what the map tells, a case may say itself
    return asked and not worked_out and not (prop.functional and x.facts.links.get(name))


def opposed(situation: Situation, one: Thing, other: Thing, role: str) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Edits that put two pieces on opposed sides, and those that put them on one, the other way round for `friendlyTo`."""
    sides = ("Friendly", "Enemy")
    theirs = next((name for name in sides if name in other.facts.is_), "Friendly")
    fixed = () if theirs in other.facts.is_ else (Edit("is", other.name, theirs),)
    away = sides[1 - sides.index(theirs)]
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
        text = f"{prop.label} of {leaf.thing.label}"
        opposite = {"<": "at least", ">": "at most", "<=": "more than", ">=": "less than", "=": "not", "!=": ""}[
            mirrored
        ]
        word = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least", "=": "", "!=": "not"}[mirrored]
        yield Atom(
            " ".join(f"{text} is {word} {shown(target)}".split()), " ".join(f"{text} is {opposite} {shown(target)}".split()),
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
                child = f"{name}.{role.name}"
                build(child, filler)
                facts = found[name]
                found[name] = replace(facts, links={**facts.links, role.name: (child,)})
            case m.Flag(flag, value):
                found[name] = replace(facts, flags={**facts.flags, flag: value})

    build(name, c)
    return found


# ── trials ──


def trial(case: Case, edits: Iterable[Edit], ask: Callable[[Case], Proof]) -> Proof | None:
    """The answer after some edits; None when the edited facts contradict each other."""
    try:
        for edit in edits:
            case = edit.apply(case)
        return ask(case)
    except (KeyError, LoopholeError):
        return None


def consistent(situation: Situation, edits: Iterable[Edit]) -> bool:
    """Whether the classes that edits state of each thing can hold together."""
    classes = situation.vocabulary.classes
    case = situation.case
    try:
        for edit in edits:
            case = edit.apply(case)
    except KeyError:
        return False
    for facts in case.things.values():
        for a in facts.is_:
            term = classes[a]
            if any(b in term.disjoint for b in facts.is_) or any(n in term.ancestors for n in facts.not_):
                return False
    return True


def said(found: Proof) -> str:
    """An answer as one comparable string: verdict, value, effects."""
    if found.effects:
        return ", ".join(sorted(f"{c.thing} {c.cls}" for c in found.effects))
    return found.answer if found.verdict == "value" else found.verdict


def asked_for(found: Proof, situation: Situation) -> str:
    """What an `is` question asks, in the words of a missing fact: to ask it back helps nobody who can tell more."""
    question = found.question
    if question.kind != "is" or not isinstance(question.condition, m.Named):
        return ""
    return english.say_class(situation.vocabulary, situation.things[question.thing].label, question.condition.name)


def settle(found: Proof, situation: Situation, ask: Callable[[Case], Proof]) -> None:
    """Ranks the facts missing from an open answer; an answer that is the same either way is no longer open."""
    rows: list[Missing] = []
    roots: list[object] = [*found.open]
    halves: list[tuple[str, tuple[Edit, ...], Proof]] = []
    roles = tuple(role for role in map(untold.asked, found.open) if role)
    if roles:  # what silence on them would have answered is what it turns on
        act = situation.things[found.question.thing]
        other = ask(untold.withdrawn(found.case, act.name, untold.untold(situation, act)))
        situation, roots = other.situation, [*other.open]
    for atom in atoms(situation, roots, unknown=True):
        outcomes = [
            trial(found.case, edits, ask) if edits and consistent(situation, edits) else None
            for edits in (atom.true, atom.false)
        ]
        sides = zip((atom.text, atom.negative), (atom.true, atom.false), outcomes, strict=True)
        open_sides = [(text, edits, o) for text, edits, o in sides if o is not None and o.verdict == UNDETERMINED]
        if len(open_sides) == 1 and atom.whole and None not in outcomes:
            halves += open_sides
        yes, no = (said(o) if o is not None else "impossible" for o in outcomes)
        settles = UNDETERMINED not in (yes, no) and (yes != no or not atom.whole)
        rows.append(Missing(atom.text, (atom.true, atom.false), yes, no, settles, (atom.rule,) if atom.rule else ()))
        known = [o for o in outcomes if o is not None]
        if atom.whole and len(known) == 2 and yes == no != UNDETERMINED and "impossible" not in (yes, no):
            # Decided whichever way the open fact falls: reasoning by cases.
            for field in ("verdict", "value", "winners", "considered", "defeats", "effects", "scope"):
                setattr(found, field, getattr(known[0], field))
            found.find_rest = either_way(*known)
            found.open = ()
            found.cases = ((atom.text, atom.true, known[0]), (atom.negative, atom.false, known[1]))
            return
    itself = asked_for(found, situation)
    if any(r.settles and r.asks != itself for r in rows):
        rows = [r for r in rows if r.asks != itself]
    compared = [r.asks for r in rows if r.asks.split(" is ")[0] != r.asks]
    rows = [r for r in rows if not any(c.startswith(r.asks + " is ") for c in compared)]
    # Of a fact that one norm asks for and another denies, the plain side is enough.
    turned = [(r.edits[1], r.edits[0]) for r in rows if " not " not in r.asks]
    rows = [r for r in rows if " not " not in r.asks or r.edits not in turned]
    rows.sort(key=lambda r: (not r.settles, (r.if_true == UNDETERMINED) + (r.if_false == UNDETERMINED)))
    if not any(r.settles for r in rows):
        rows += further(situation, halves[:1], {r.asks for r in rows}, ask)
    if roles:
        rows = [*itself_asked(found, situation, roles, rows), *sorted(rows, key=lambda r: len(r.asks))[:MOST_SAMPLES]]
    found.missing = tuple(rows)


def itself_asked(found: Proof, situation: Situation, roles: tuple[str, ...], rows: list[Missing]) -> Iterator[Missing]:
    """The relation that an act must be told with, asked for by its word; with the sample that shows best what turns on it."""
    act = situation.things[found.question.thing]
    best = sorted(rows, key=lambda r: not (r.settles and r.if_true != r.if_false))
    for row in [r for r in best if all(r.edits)][:1]:
        phrase = english.role_phrase(situation.vocabulary, m.Role(roles[0]), act.label)
        asks = f"{phrase} (“{roles[0]}: …” of {act.name})"
        yield Missing(asks, row.edits, row.if_true, row.if_false, row.settles, (), roles[0])


def further(
    situation: Situation,
    halves: list[tuple[str, tuple[Edit, ...], Proof]],
    told: set[str],
    ask: Callable[[Case], Proof],
) -> Iterator[Missing]:
    """What else is missing where a fact settles an answer one way only: the facts asked for if it falls the other way."""
    for condition, before, other in halves:
        assert other.situation is not None
        for atom in atoms(other.situation, [*other.open], unknown=True):
            if atom.text in told or not (atom.true and atom.false):
                continue
            edits = (*before, *atom.true), (*before, *atom.false)
            tried = [trial(situation.case, e, ask) if consistent(situation, e) else None for e in edits]
            yes, no = (said(o) if o is not None else "impossible" for o in tried)
            if "impossible" not in (yes, no) and yes != no:
                rules, settles = (atom.rule,) if atom.rule else (), UNDETERMINED not in (yes, no)
                yield Missing(f"{atom.text}, if {condition}", edits, yes, no, settles, rules)


def either_way(one: Proof, other: Proof) -> Callable[[Proof], Rest]:
    """Finds what an answer rests on that is the same in either of two cases."""
    return lambda _: of_both(one, other)


def of_both(one: Proof, other: Proof) -> Rest:
    """What an answer rests on that is the same in either of two cases: all that the answer in each rests on."""
    cites, needs, assumptions, kin = (
        tuple(dict.fromkeys((*getattr(one.rest, name), *getattr(other.rest, name))))
        for name in ("cites", "needs", "assumptions", "kin")
    )
    also = tuple(rule for rule in dict.fromkeys((*one.rest.also, *other.rest.also)) if rule not in cites)
    grade = OPEN.get(one.verdict) or (PARTLY_HERE if needs else IF_NOTHING_ELSE if assumptions else SETTLED)
    return Rest(grade, cites, also, needs, assumptions, kin)


def flips(found: Proof, situation: Situation, ask: Callable[..., Proof]) -> tuple[Flip, ...]:
    """Each smallest change of facts, and each single rule, that turns the answer."""
    if found.question.kind == "which" or found.verdict == UNDETERMINED:
        return ()
    theory = situation.theory
    before = said(found)
    roots: list[object] = [*found.winners, *found.steps, *(o for o in found.considered if o.status is False)]
    singles: list[Flip] = []
    spare: list[tuple[str, tuple[Edit, ...]]] = []
    seen: set[str] = set()
    for atom in atoms(situation, roots, unknown=False):
        for text, edits in ((atom.text, atom.true), (atom.negative, atom.false)):
            if not edits or text in seen or not consistent(situation, edits):
                continue
            seen.add(text)
            other = trial(found.case, edits, lambda c: ask(theory, c, False))
            if other is None or any(c.thing not in found.case.things for c in other.effects):
                continue  # what it would do to a thing made up for the trial tells a player nothing
            if said(other) not in (before, UNDETERMINED):
                singles.append(Flip("facts", text, said(other), edits, other.value))
            elif said(other) == before:
                spare.append((text, edits))
    pairs: list[Flip] = []
    if not singles:
        for (one, a), (two, b) in list(combinations(spare, 2))[:MOST_PAIRS]:
            if consistent(situation, (*a, *b)):
                other = trial(found.case, (*a, *b), lambda c: ask(theory, c, False))
                if other is not None and said(other) not in (before, UNDETERMINED):
                    pairs.append(Flip("facts", f"{one}, and {two}", said(other), (*a, *b), other.value))
    return (*singles, *pairs, *rule_flips(found, situation, ask, before))


def rule_flips(found: Proof, situation: Situation, ask: Callable[..., Proof], before: str) -> Iterator[Flip]:
    """Each single norm without which the answer would be another."""
    used = dict.fromkeys(
        o.norm.id for o in outcomes_in([*found.winners, *found.steps, *(d.winner for d in found.defeats)]) if o.status
    )
    for norm_id in used:
        other = ask(without(situation.theory, norm_id), found.case, False)
        if said(other) != before:
            yield Flip("rule", f"without {norm_id}", said(other), (), other.value)


def readings(theory: Theory) -> dict[str, list[str]]:
    """The disputes of a theory and their options, the adopted one first."""
    found: dict[str, list[str]] = {}
    for chapter in theory.chapters.values():
        for section in chapter.sections:
            for norm in section.norms:
                if norm.reading:
                    dispute, _, option = norm.reading.partition(":")
                    options = found.setdefault(dispute, [])
                    if option not in options:
                        options.append(option)
    return found
