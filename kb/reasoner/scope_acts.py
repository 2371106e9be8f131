"""How far the loaded rules decide what may or must be done, and what an event brings about.

    silence(situation, focus, kind, …)  the verdict on an act of which no norm speaks
    act, effects                        put the answer in its scope

A rule that bars some acts, and plainly not this one, frees this one where its chapter lists all that it bars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.effects import regulating
from kb.reasoner.evaluate import evaluator
from kb.reasoner.proof import Proof, Scope
from kb.reasoner.scope import STATE, Found, home, homes, leaning, narrowest, of_act, of_rows, rows
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Outcome, Step, Thing
from kb.rulebook.compiler import conjuncts
from kb.rulebook.theory import Theory

# ── acts ──


def silence(
    situation: Situation, focus: Thing, kind: str, found: Found, idle: Iterable[Outcome]
) -> tuple[str, Step | None]:
    """The verdict on an act of which no norm speaks, in a `may` or `must` question; with the step that it turns on, if one is open.

    What a chapter decides wholly and does not allow is barred, where it has a closing rule; what it does not ask for need not
    be done. idle: the norms that do not apply.
    """
    theory = situation.theory
    sure = closing(theory, found, kind)
    if kind == "must" and situation.case.elsewhere:
        return p.SILENT, None
    if sure:
        return (p.SILENT if kind == "must" else p.FORBIDDEN), None
    for row, step in found:  # that it may be of a kind that is decided wholly here is asked for
        if row.kind == m.WHOLLY and (row.by or kind == "must") and step.value is None:
            return p.UNDETERMINED, step
    if kind == "must":
        return p.OUTSIDE, None
    if situation.case.elsewhere:
        return p.PERMITTED, None
    return (p.PERMITTED if freed(situation, focus, found, idle) else p.OUTSIDE), None


def closing(theory: Theory, found: Found, kind: str) -> list[m.ScopeRow]:
    """The narrowest rows of an act by which silence decides: in a `may` question only those with a closing rule."""
    sure = [row for row, step in found if step.value is True and (row.by or row.kind != m.WHOLLY or kind == "must")]
    return [row for row in narrowest(theory, sure) if row.kind == m.WHOLLY]


def act(found: Proof, situation: Situation, focus: Thing, under: Found | None) -> Proof:
    """The answer to `may` or `must` in its scope. under: the rows that the act falls under, where they have been looked for."""
    theory = situation.theory
    by_norm = bool(found.winners)
    if found.verdict in (p.FORBIDDEN, p.REQUIRED, p.CONFLICT, p.UNDETERMINED) and (
        by_norm or found.verdict == p.UNDETERMINED
    ):
        return found
    if found.question.kind == "must" and by_norm:
        return found
    under = of_act(situation, focus) if under is None else under
    closed = closing(theory, under, found.question.kind)
    if not by_norm and closed:
        return replace(found, scope=of_rows(theory, closed, ()), silence=leaning(situation, focus, closed))
    if situation.case.elsewhere:
        return found
    wider = [row for row, step in under if step.value is True and row.kind != m.WHOLLY]
    rest = of_rows(theory, wider, tuple(homes(situation, focus)))
    free = freed(situation, focus, under, found.considered) if not by_norm and found.verdict == p.PERMITTED else ()
    if found.verdict == p.OUTSIDE:
        return replace(found, scope=rest if rest.kind != p.WHOLLY else Scope(p.OUTSIDE))
    if not wider and closed:
        return replace(found, scope=of_rows(theory, closed, ()))
    read = names_of([*(o.norm for o in found.winners), *(o.norm for o in free)])
    states = tuple(unruled(situation, focus, wider, read))
    refs = tuple(dict.fromkeys((*(ref for _, _, rules in states for ref in rules), *rest.needs)))
    verdict, kind = (p.OUTSIDE, p.OUTSIDE) if states else (found.verdict, p.PARTLY)
    scope = Scope(kind, refs, rest.those, rest.term, freed=tuple(o.norm.rule for o in free), states=states)
    silence = found.silence
    if free:
        barring = leaning(situation, focus, [row for row in wider if row.bars])
        silence = (*barring, *(step for o in free for step in spoken(situation, o, focus) if lone(step)))
    return replace(found, verdict=verdict, scope=scope, silence=silence)


def names_of(norms: Iterable[m.Norm]) -> set[str]:
    """Every term that norms read."""
    found: set[str] = set()
    for norm in norms:
        found |= m.names_in(norm.when) | m.names_in(norm.head)
        for u in norm.unless:
            found |= m.names_in(u.condition)
    return found


def unruled(
    situation: Situation, focus: Thing, wider: Sequence[m.ScopeRow], read: set[str]
) -> Iterator[tuple[Thing, str, tuple[str, ...]]]:
    """The states of an act and of who does it that no norm of a permission reads and other rules speak of: with those rules.

    A permission does not reach beyond its rule: what it says of units in general, a rule on the broken may take back.
    """
    suits = {cls for row in wider for cls in row.suits}
    doers = [y for role in situation.vocabulary.doers for y in situation.successors(focus, role).things]
    unread = Unread(frozenset(read | suits), situation.theory)
    for x in dict.fromkeys((focus, *doers)):
        for name in dict.fromkeys((*situation.vocabulary.those(x.facts.is_, unread), *filter(unread, x.caused))):
            if situation.member(x, name).value is not False:
                yield x, name, tuple(home(situation.theory, situation.vocabulary.classes[name]))


@dataclass(frozen=True)
class Unread:
    """Whether a class is a state of which other rules speak, and which is none of some that are read."""

    read: frozenset[str]
    theory: Theory = field(compare=False, repr=False)

    def __call__(self, name: str) -> bool:
        """Whether a class is one."""
        theory = self.theory
        term = theory.vocabulary.classes[name]
        if STATE not in term.ancestors or not term.ancestors.isdisjoint(self.read) or term.derived:
            return False
        return any(True for _ in home(theory, term)) and not any(s in theory.sections for s in split(term.source))


def split(source: str) -> list[str]:
    """The rules that a source names."""
    return [s.strip() for s in source.replace(",", ";").split(";")]


def freed(situation: Situation, focus: Thing, under: Found, tried: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The bars of which all is so but what the case states otherwise: what a rule bars on a condition, it lets be without it.

    Only of an act of which a chapter says by which rules it bars all that it does bar.
    """
    bars = {rule for row, step in under if step.value is True for rule in row.bars}
    return tuple(
        o for o in tried
        if o.norm.rule in bars and o.status is False and isinstance(o.norm.head, m.Deontic)
        and o.norm.head.mode == m.FORBIDS and but_for(situation, o, focus, otherwise)
    )  # fmt: skip


def but_for(situation: Situation, o: Outcome, focus: Thing, test: Callable[[Step], bool]) -> bool:
    """Whether a norm does not apply only for an exception that is met, or for parts of its condition that pass a test of falsity."""
    if o.head is not None and o.head.value is not True:
        return False  # the act may be of another kind: then the norm never spoke of it
    if o.exception is not None:
        return o.when is None or o.when.value is True
    steps, names = spoken(situation, o, focus), {"this"}
    for part, step in zip(conjuncts(o.norm.when), steps, strict=True):
        if not m.unbound(part) <= names:
            return False  # it speaks of what a part that failed would have named: nothing tells that all else is so
        names |= m.given(part) if step.value is not False else set()
    failing = [step for step in steps if step.value is False]
    return bool(failing) and len(failing) < len(steps) and all(map(test, failing))


def spoken(situation: Situation, o: Outcome, focus: Thing) -> list[Step]:
    """Each part of a norm's condition, those too that it was not tried for. What was tried in vain to make a part so has no name in the
    parts that follow."""
    env, steps = {"this": focus}, []
    for part in conjuncts(o.norm.when):
        names = dict(env)
        steps.append(evaluator(situation.theory, part, o.norm)(situation, focus, names))
        if steps[-1].value is not False:
            env = names
    return steps


def lone(step: Step) -> bool:
    """Whether a part of a condition leans on something presumed, and can be looked at without the other parts."""
    return step.soft and step.value is not None and not m.unbound(step.node)


def ruled_out(step: Step) -> bool:
    """Whether a condition is false on no presumption, or by a norm or a comparison of numbers, on whatever presumptions."""
    return not step.soft or step.why in ("counts-not", "compare")


def otherwise(step: Step) -> bool:
    """Whether a condition is false by what is stated, all that is listed taken to be told, and not for want of a word on it.

    A weapon that is said to be a flamethrower is no MG, where no second weapon is told of; a shot of which no weapon is said
    may be by an MG.
    """
    if not step.soft:
        return True
    failing = [q for q in step.parts if isinstance(q, Step) and q.value is False]
    match step.node:
        case m.Not():
            return True  # what it denies is so
        case m.Named():
            return step.why == "counts-not" or any(map(otherwise, failing))
        case m.Or():
            return any(map(otherwise, failing))
        case m.Some() | m.And() | m.Except() | m.Bind() | m.Of():
            return bool(failing) and all(map(otherwise, failing))
    return False


# ── effects ──


def effects(found: Proof, situation: Situation) -> Proof:
    """“No effect” in its scope: it is an answer where a chapter decides what such an event brings about."""
    if found.verdict != p.NO_EFFECT or situation.case.elsewhere:
        return found
    theory, event = situation.theory, situation.things[found.question.thing]
    # That it is decided here whether an event is such (a hit, a Cowering attack) leaves open what it brings about.
    made = theory.makes.keys() - theory.acts - theory.events
    sure = [row for row, step in rows(situation, event) if step.value is True and row.term not in made]
    scope = of_rows(theory, sure, tuple(homes(situation, event)))
    tried = [o for o in found.considered if o.status is False and but_for(situation, o, o.focus, ruled_out)]
    # Rules on what such an event does to each X have spoken of it, though no X is told of.
    if scope.kind == p.WHOLLY and any(True for _ in regulating(situation, event)):
        return replace(found, scope=scope, silence=leaning(situation, event, sure))
    if scope.kind == p.PARTLY and tried:
        return replace(found, scope=scope, silence=tuple(filter(lone, spoken(situation, tried[0], tried[0].focus))))
    return replace(found, verdict=p.OUTSIDE, scope=Scope(p.OUTSIDE, scope.needs, scope.those, scope.term))
