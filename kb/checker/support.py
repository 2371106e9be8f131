"""What an answer rests on, read off its proof by the checker: presumptions, rules that decide, rules that are needed.

It shares no code with the reasoner; kb.checker.checker has checked the steps themselves before these are read off them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import astuple

from kb.checker.reference import Judge, One
from kb.language import norms as m
from kb.language.case import Absent, AbsentAtFirst, Amount, Fact, Flagged, OwnSide
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import ByNorm, Contribution, Outcome, Reached, Stated, Step, Thing

WORD = re.compile(r"[\w-]+")
Where = tuple[Judge, One | None]  # the case in which a step was found, and the thing that it is about there


class Presumed(NamedTuple):
    """Something taken to be so. fact: what that is; None where the checker does not work it out."""

    kind: str
    thing: str
    term: str
    fact: Fact | None = None


def deciding(o: Outcome) -> Step | None:
    """The one step for which a norm does not apply."""
    if o.exception is not None:
        return o.exception[1]
    return o.when if o.when is not None and o.when.value is False else o.head


def under(now: object) -> list[object]:
    """What a step, a norm tried or a part of a number leans on directly."""
    found: list[object] = []
    if isinstance(now, Step):
        found += now.parts
    elif isinstance(now, Outcome):
        found += [deciding(now)] if now.status is False else [now.head, now.when, *(s for _, s in now.unless)]
    elif isinstance(now, Reached):
        found += [now.why.outcome, now.why.step] if isinstance(now.why, ByNorm) else ()
    elif isinstance(now, Contribution):
        if now.state in ("counts", "open", "conflict"):
            found += [now.outcome, now.value]
        elif now.state == "beaten":
            found += [now.outcome, now.by]
        elif now.outcome.status is False:
            found.append(now.outcome)
    return [x for x in found if x is not None]


def says_why(head: m.Head) -> bool:
    """Whether a norm on a number multiplies it by one: it tells why the number stays as it is, and changes none."""
    return isinstance(head, m.QuantityHead) and head.op == m.MULTIPLIES and str(head.value) == "1"


def walk(
    roots: Iterable[object], soft: bool = False, decisive: bool = False, through: bool = False
) -> Iterator[object]:
    """Everything that some steps and outcomes lean on, each once; with `soft`, not below what presumes nothing, but with
    `through` below what is open; with `decisive`, not below what is merely presumed."""
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        now = stack.pop()
        if now is None or id(now) in seen:
            continue
        seen.add(id(now))
        yield now
        if decisive and isinstance(now, Step) and now.why == "presumed":
            continue
        if soft and isinstance(now, Contribution) and now.state == "idle" and says_why(now.outcome.norm.head):
            continue
        if not (soft and isinstance(now, (Step, Outcome)) and not now.soft) or (through and now.value is None):
            stack += under(now)


# ── what is presumed ──


def presumptions(proof: Proof, roots: Iterable[object], where: Callable[[Step], Where], now: Judge) -> set[Presumed]:
    """All that the answer takes to be so and the case does not say. now: the case as things stand when it is asked."""
    found = {
        placed(x, now)
        for s in walk(roots, soft=True, through=proof.verdict == p.OUTSIDE and bool(proof.open))
        if isinstance(s, Step) and (x := presumed(s, *where(s))) is not None
    }
    if proof.case.nothing_else:  # then what is not so, and what is all, is told
        found = {x for x in found if x.kind == "staged" or (x.term and derived(proof, x.term) == "sides")}
    return found


def derived(proof: Proof, term: str) -> str:
    """The module that works a class out, or ""."""
    classes = proof.theory.vocabulary.classes
    return classes[term].derived if term in classes else ""


def baseless(roots: Iterable[object], where: Callable[[Step], Where]) -> Iterator[Step]:
    """The steps that are said to rest on a presumption, and neither make one nor lean on one that does.

    A number that norms make from a default that the ontology gives is not one of them: the default is where it starts. Nor is
    what nobody told of, where what a thing of its kind is rules it out.
    """
    for s in walk(roots, soft=True):
        if isinstance(s, Step) and s.soft and s.value is not None and presumed(s, *where(s)) is None:
            parts = [q for c in s.parts for q in (under(c) if isinstance(c, (Contribution, Reached)) else [c])]
            if not any(isinstance(q, (Step, Outcome)) and q.soft for q in parts) and s.why not in ("computed", "blank"):
                yield s


def placed(row: Presumed, now: Judge) -> Presumed:
    """A presumption of absence is of how things were at first where by now the thing has become what it was not."""
    thing = now.things.get(row.thing)
    if isinstance(row.fact, Absent) and thing is not None and row.fact.cls in thing.types:
        return row._replace(fact=AbsentAtFirst(*astuple(row.fact)))
    return row


def presumed(step: Step, judge: Judge, x: One | None) -> Presumed | None:
    """What this very step presumes."""
    node, thing, terms = step.node, step.thing, judge.vocabulary
    match node:
        case m.Named(name) if step.why == "presumed":
            return Presumed("presumption", thing.name, name, Absent(thing.name, thing.label, name))
        case m.Flag(name, _) if step.why == "presumed":
            return Presumed("presumption", thing.name, name, Flagged(thing.name, thing.label, name, False))
        case m.Named(name) if step.why == "staged" and thing.made is not None:
            owner, role, _ = thing.made
            return Presumed("staged", owner.name, role)
        case m.Named(name) if step.why == "module" and step.soft:
            if terms.classes[name].derived == "sides":
                return Presumed("presumption", thing.name, name, OwnSide(thing.name))
            return Presumed("completeness", thing.name, name)
        case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _):
            found = step.value is False or (step.value is True and not isinstance(node, m.Some))
            told = step.soft and step.why in ("none", "some", "only", "count")
            links = judge.links(x, role) if found and told and x is not None else None
            if links is not None and (links.presumed or (links.no_more and isinstance(node, m.Count))):
                return Presumed("completeness", thing.name, role.name)
        case m.Path(_, steps) if step.why == "default" and step.value is not None:
            usual = Amount(thing.name, thing.label, steps[-1], "=", step.value)
            return Presumed("presumption", thing.name, steps[-1], usual)
    return None


# ── rules that decide, and rules that are needed ──


def cited(proof: Proof, judge: Judge) -> set[str]:
    """The rules that an answer has to cite: those that decide, that what decides leans on, and that except from one.

    With a norm that applies go the loaded rules that it says it leans on itself.
    """
    used = [*proof.winners, *applied([*proof.winners, *proof.steps])]
    found = {o.norm.rule for o in used} | {r for o in used for r in o.norm.cites if r in judge.theory.sections}
    freed = set(proof.scope.freed) or {o.norm.rule for o in proof.considered if o.exception is not None}
    found |= freed
    if proof.verdict in (p.UNDETERMINED, p.CONFLICT):
        found |= {o.norm.rule for o in walk(proof.open, decisive=True) if isinstance(o, Outcome)}
    elif not proof.winners and not any(o.exception is not None for o in proof.considered):
        found |= {o.norm.rule for o in proof.considered}  # no norm decides: what was tried is all there is to cite
    return found | ({proof.scope.by} if proof.scope.by else set())


def applied(roots: Iterable[object]) -> list[Outcome]:
    """The outcomes of norms that apply, among some steps and below, save below what is merely presumed."""
    return [o for o in tried_below(roots) if o.status]


def tried_below(roots: Iterable[object]) -> list[Outcome]:
    """The outcomes of norms among some steps and below, save below what is merely presumed."""
    return [o for o in walk(roots, decisive=True) if isinstance(o, Outcome)]


def needed(proof: Proof, roots: Iterable[object], judge: Judge) -> set[str]:
    """The rules that are not loaded, and that what decides, or an exception that is met, refers to."""
    found = {r for o in (*proof.winners, *applied(roots)) for r in o.norm.needs}
    for o in proof.considered:
        if o.exception is not None:
            found.update((*o.exception[0].cites, *o.norm.needs))
    found.update(r for norm in left(proof.open, judge) for r in norm.needs)
    return (found - judge.theory.sections.keys()) | set(proof.scope.needs)


def left(roots: Iterable[object], judge: Judge) -> list[m.Norm]:
    """What is left to rules that are not loaded, among some steps and below, as the norms that stand for it."""
    return [o.norm for o in tried_below(roots) if o.status is None and o.norm.id in judge.theory.leaves]


def known_rules(proof: Proof, judge: Judge) -> set[str]:
    """Every rule that an answer could cite: of a norm that was tried, or the source of a term that a step is about."""
    roots: list[object] = [
        *proof.winners,
        *proof.steps,
        *proof.silence,
        *proof.considered,
        *proof.open,
        *proof.contributions,
        *(step for c in proof.effects for step in c.way),
    ]
    found = {proof.scope.by, *proof.scope.freed}
    names: set[str] = set()
    nodes: dict[int, object] = {}  # many steps are of one condition, and of one thing
    things: dict[int, Thing] = {}
    for now in walk(roots):
        if isinstance(now, Outcome):
            found.update((now.norm.rule, *now.norm.cites))
        elif isinstance(now, Step):
            nodes[id(now.node)], things[id(now.thing)] = now.node, now.thing
        elif isinstance(now, Reached) and isinstance(now.why, Stated):
            names.add(now.why.by)
    for node in nodes.values():
        names.update(words_in(node))
    for thing in things.values():
        names.update(judge.caused.get(thing.name, ()))
        names.update((*thing.facts.is_, *thing.facts.not_, *thing.facts.links, *thing.facts.numbers))
    terms = judge.vocabulary
    above = {a for n in names if n in terms.classes for a in terms.classes[n].ancestors}
    for name in names | above:
        term = terms.classes.get(name) or terms.properties.get(name)
        found.update(s.strip() for s in (term.source if term else "").replace(",", ";").split(";"))
    return found


def words_in(node: object) -> list[str]:
    """The terms of a condition or expression, as its text has them."""
    return WORD.findall(m.text_of(node))
