"""Decides a question: stages the case, tries the norms, lets the stronger defeat the weaker, and keeps everything.

    decide(theory, case) -> Proof                      the verdict with its steps, as trials need it
    decided(theory, case) -> (Proof, Situation)        the same with the staged case

kb.reasoner.reason adds what is missing from an open answer, and gives what follows from any.

Pure: no files, clock or network, and no RDF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p, scope, scope_acts, scope_numbers, scope_statements, untold
from kb.reasoner.affected import short_of
from kb.reasoner.defeat import outdone, ranked, settle
from kb.reasoner.descent import met, outcomes_in
from kb.reasoner.effects import happen, stage
from kb.reasoner.evaluate import of_question
from kb.reasoner.positions import before, told
from kb.reasoner.proof import Proof
from kb.reasoner.sides import asks_for
from kb.reasoner.situation import Situation
from kb.reasoner.staging import Effort
from kb.reasoner.trace import Caused, Contribution, Defeat, Outcome, Step, Thing
from kb.rulebook.compiler import bare
from kb.rulebook.theory import Theory

IN_SCOPE: dict[str, Callable[[Proof, Situation], Proof]] = {
    "is": scope_statements.holds, "value": scope_numbers.value, "effects": scope_acts.effects,
}  # fmt: skip


def decide(theory: Theory, case: Case, effort: Effort | None = None) -> Proof:
    """The proof for a case's question. effort: what may be spent on it; raises TooLong where that is not enough."""
    if case.question.kind == "which":
        return chosen(theory, case, [(name, decide(theory, varied, effort)) for name, varied in variants(theory, case)])
    return decided(theory, case, None, effort)[0]


def decided(
    theory: Theory, case: Case, staged: Situation | None = None, effort: Effort | None = None
) -> tuple[Proof, Situation]:
    """The proof for a case's question, which is no `which`, and the case as it was staged for it.

    staged: the situation of an earlier answer about the same facts; what was found of them is not worked out again.
    """
    question = case.question
    situation = (
        staged
        if staged is not None and (staged.case is case or same_facts(theory.vocabulary, staged.case, case))
        else stage(theory, case, effort)
    )
    solve: dict[str, Callable[[Situation, Case], Proof]] = {
        "may": deontic, "must": deontic, "is": holds, "value": value, "effects": effects,
    }  # fmt: skip
    found = solve[question.kind](situation, case)
    if question.kind in IN_SCOPE:
        found = IN_SCOPE[question.kind](found, situation)
    if found.verdict == p.UNDETERMINED and question.kind != "effects" and theory.leaves:
        found = scope.elsewhere(found, lambda: decide(bare(theory), case, effort))
    return found, situation


def same_facts(vocabulary: Vocabulary, one: Case, other: Case) -> bool:
    """Whether what is found of one case holds of the other, whatever each asks."""
    same = one.things == other.things and before(one) == before(other) and told(one) == told(other)
    return same and asks_for(vocabulary, one) == asks_for(vocabulary, other)


# ── may and must ────────────────────────────────────────────────────────────────────────────────────────


def deontic(situation: Situation, case: Case) -> Proof:
    """Whether an act may, or must, be done: what allows or demands it against what forbids it."""
    question = case.question
    theory = situation.theory
    focus = situation.things[question.thing]
    pro: list[Outcome] = []
    con: list[Outcome] = []
    rest: list[Outcome] = []
    for tried, side in situation.deontic(focus, question.kind):
        outcome = tried(situation, focus)
        if theory.tried is not None:
            theory.tried[outcome.norm.id].append(outcome)
        if outcome.status is False:
            rest.append(outcome)
        elif side > 0:
            pro.append(outcome)
        else:
            con.append(outcome)
    under: scope.Found | None = None
    silence, doubt = p.SILENT, None
    if not any(o.status for o in (*pro, *con)):  # what no norm surely speaks of is as the chapters' scope has it
        under = scope.of_act(situation, focus)
        silence, doubt = scope_acts.silence(situation, focus, question.kind, under, rest)
        roles = (
            untold.untold(situation, focus) if question.kind == "may" and silence in (p.PERMITTED, p.OUTSIDE) else ()
        )
        if (
            roles
            and decide(theory, untold.withdrawn(case, focus.name, roles), situation.effort).verdict == p.UNDETERMINED
        ):
            silence, doubt = p.UNDETERMINED, untold.asks(focus, roles[0])  # it may matter what it is done to
    verdict, winners, defeats = settle(theory, question.kind, pro, con, silence)
    open_: tuple[Outcome | Step, ...] = ()
    if verdict == p.UNDETERMINED:
        open_ = tuple(o for o in (*pro, *con) if o.status is None)
        if doubt is not None:
            open_ = (*open_, doubt)
    found = Proof(
        case, theory, question, verdict,
        winners=winners, considered=(*pro, *con, *rest), defeats=defeats, open=open_,
    )  # fmt: skip
    return scope_acts.act(found, situation, focus, under)


# ── is, value, effects, which ───────────────────────────────────────────────────────────────────────────


def holds(situation: Situation, case: Case) -> Proof:
    """Whether a condition holds of a thing."""
    question = case.question
    thing = situation.things[question.thing]
    assert question.condition is not None
    step = of_question(situation.theory, question.condition)(situation, thing, {"this": thing, **situation.things})
    verdict = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[step.value]
    considered = tuple(dict.fromkeys(consulted(situation, question.condition, thing)))
    winners = tuple(o for o in outcomes_in([step]) if o.status)
    if not winners and not considered:
        # No norm speaks of the thing itself, nor makes what is asked: what was tried of those that the condition leads to.
        led_to = (
            s for s in met([step]) if isinstance(s, Step) and s.thing is not thing and isinstance(s.node, m.Named)
        )
        considered = tuple(dict.fromkeys(o for s in led_to for o in consulted(situation, s.node, s.thing)))
    return Proof(
        case, situation.theory, question, verdict, winners=winners, considered=considered, steps=(step,),
        defeats=tuple(outdone(situation.theory, considered, winners)), open=(step,) if step.value is None else (),
    )  # fmt: skip


def consulted(situation: Situation, c: m.Condition, thing: Thing) -> Iterator[Outcome]:
    """The constitutive norms that an `is` question could have turned on."""
    theory = situation.theory
    for name in class_names(c):
        for norm in (*theory.makes.get(name, ()), *theory.unmakes.get(name, ())):
            found = thing.outcomes.get(norm.id)
            if found is not None:
                yield found
        for o in situation.past:
            if isinstance(o.norm.head, m.Effect) and name in situation.vocabulary.classes[o.norm.head.term].ancestors:
                yield o
    for name in role_names(c):
        for norm in theory.relations.get(name, ()):
            found = thing.outcomes.get(norm.id)
            if found is not None:
                yield found


def class_names(c: m.Condition) -> Iterator[str]:
    """The classes that a condition asks of the thing itself."""
    match c:
        case m.Named(name):
            yield name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from class_names(part)
        case m.Not(of) | m.Bind(of, _) | m.Of(_, of):
            yield from class_names(of)


def role_names(c: m.Condition) -> Iterator[str]:
    """The relations of the thing itself that a condition looks along."""
    match c:
        case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
            yield role.name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from role_names(part)
        case m.Not(of) | m.Bind(of, _) | m.Of(_, of):
            yield from role_names(of)


def value(situation: Situation, case: Case) -> Proof:
    """A number of a thing, with what each norm on it contributes."""
    question = case.question
    thing = situation.things[question.thing]
    step = situation.quantity(thing, question.quantity)
    rows = tuple(r for r in step.parts if isinstance(r, Contribution))
    if step.value is not None:
        verdict = p.VALUE
    elif step.why == "conflict":
        verdict = p.CONFLICT
    elif rows and all(r.outcome.status is False for r in rows):
        verdict = p.SILENT
    else:
        verdict = p.UNDETERMINED
    counting = [r for r in rows if r.state == "counts"]
    # What makes of a number something else than it is set to decides before that does; what adds nothing, last.
    parts: tuple[list[Outcome], ...] = ([], [], [])
    for r in counting:
        parts[1 if r.op == m.SETS else 2 if r.value is not None and r.value.value == 0 else 0].append(r.outcome)
    winners = tuple(o for part in parts for o in ranked(situation.theory, part))
    defeats = tuple(
        Defeat(r.outcome, r.by, r.principle)
        for r in rows
        if r.state == "beaten" and r.by is not None and r.principle is not None
    )
    lacks: dict[object, Outcome | Step] = {}  # norms that make it of the same numbers lack the same
    for r in rows:
        if r.state == "open":
            vague = r.outcome.status is None or r.value is None
            lacks.setdefault(r.outcome.norm.id if vague else r.value.node, r.outcome if vague else r.value)  # type: ignore[union-attr,arg-type]
    open_ = tuple(lacks.values())
    if verdict == p.UNDETERMINED and not open_:
        open_ = (step,)
    return Proof(
        case, situation.theory, question, verdict, value=step.value, winners=winners,
        considered=tuple(r.outcome for r in rows), defeats=defeats, steps=(step,), contributions=rows, open=open_,
    )  # fmt: skip


def effects(situation: Situation, case: Case) -> Proof:
    """What an event brings about."""
    question = case.question
    event = situation.things[question.thing]
    found = happen(situation, event)
    shifts = tuple(c for c in found.shifts if c.by.status)
    vague = [c.value for c in shifts if c.value is not None and c.value.value is None]
    open_ = tuple(dict.fromkeys([*(why for _, why, _ in found.doubtful), *vague]))
    made = {(c.thing, c.cls) for c in found.caused}
    past = [Caused(c.thing, m.NO_MORE + c.cls, c.by, way=c.way) for c in found.over if (c.thing, c.cls) not in made]
    past = [c for c in past if (c.thing, c.cls) not in made]
    caused = (*found.caused, *past)
    come = [*(c.by for c in caused), *(c.by for c in shifts), *(c.by for c in found.ties)]
    verdict = p.UNDETERMINED if open_ else p.EFFECTS if come else p.NO_EFFECT
    short = [farther for o in found.tried if o.status for farther in short_of(situation, o)]
    return Proof(
        case, situation.theory, question, verdict, winners=tuple(dict.fromkeys(come)),
        considered=tuple(dict.fromkeys([*found.tried, *short])), effects=caused, shifts=shifts, ties=tuple(found.ties), open=open_,
    )  # fmt: skip


def variants(theory: Theory, case: Case) -> Iterator[tuple[str, Case]]:
    """Each candidate of a `which` question, with the case that asks the inner question of it."""
    question = case.question
    if question.things:
        candidates = [(name, name if name in case.things else "") for name in question.things]
    else:
        candidates = [(name, "") for name in kinds_of(theory, question.cls)]
    for name, thing in candidates:
        yield name, vary(case, question, name, thing)


def chosen(theory: Theory, case: Case, rows: Sequence[tuple[str, Proof]]) -> Proof:
    """The answer to a `which` question: those candidates of which the inner question has a yes. rows: the proof for each."""
    question = case.question
    yes = [name for name, found in rows if found.answer == "yes" or found.verdict == p.EFFECTS]
    if question.cls:
        classes = theory.vocabulary.classes
        # A wider kind of which a narrower one is ruled out would say too much; the narrower ones that are in say it.
        no = {name for name, found in rows if found.answer == "no"}
        yes = [n for n in yes if not no & classes[n].descendants]
        yes = [n for n in yes if not any(o != n and o in classes[n].ancestors for o in yes)]
    return Proof(case, theory, question, p.WHICH, which=tuple(rows), chosen=tuple(yes))


def kinds_of(theory: Theory, cls: str) -> list[str]:
    """The classes below one, in order; for a shared notion that the book has one word for, only the book's word."""
    below = theory.vocabulary.classes[cls].descendants - {cls}
    return sorted(n for n in below if theory.vocabulary.own_word(n) is None)


def vary(case: Case, question: Question, name: str, thing: str) -> Case:
    """The case with one candidate in the varied place, asking the inner question."""
    inner = question.inner
    assert inner is not None
    things = dict(case.things)
    subject = inner.thing
    if subject == "each" and thing:
        inner = replace(inner, thing=thing)
    elif not thing and (subject == "each" or m.speaks_of(inner.condition, "each")):
        things["each"] = Facts("each", (name,))
    if thing and inner.condition is not None:
        inner = replace(inner, condition=m.renamed(inner.condition, "each", thing))
    if question.role in things and not thing:
        facts = things[question.role]
        things[question.role] = replace(facts, is_=(*facts.is_, name))
    elif question.role:
        owner, _, role = question.role.rpartition(".")
        owner = owner or inner.thing
        for step in owner.split(".")[1:]:
            owner = things[owner.split(".")[0]].links.get(step, (owner,))[0]
        filler = thing or f"{owner}.{role}"
        if not thing:
            things[filler] = Facts(filler, (name,))
        things[owner] = replace(things[owner], links={**things[owner].links, role: (filler,)})
    return replace(case, things=things, question=inner)
