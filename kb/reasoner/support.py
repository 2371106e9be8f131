"""What an answer rests on: the rules to cite, what it assumes, the rules it needs that are not loaded, and so its grade.

    basis(proof, situation) -> Rest

Gathered from the steps of a proof when it is asked for. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.language import norms as m
from kb.language.vocabulary import ClassTerm, PropertyTerm
from kb.reasoner import kind_rules, presumptions, proof as p, scope
from kb.reasoner.defeat import carried
from kb.reasoner.descent import below, outcomes_in
from kb.reasoner.proof import Assumption, Proof, Rest
from kb.reasoner.quantities import says_why
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Contribution, Outcome, Reached, Stated, Step, Thing
from kb.rulebook.theory import SIDES, Theory


def basis(found: Proof, situation: Situation) -> Rest:
    """Cites, needs, assumptions and grade, from what the decision leans on; what nothing reads is not gone through for that."""
    weighty = mattering(situation.theory, found)
    leans: list[Step | Outcome] = [*found.winners]
    if found.verdict != p.UNDETERMINED:
        # What did not apply matters too: an answer rests on it not applying.
        leans += [o for o in found.considered if o.status is False and id(o) in weighty]
    leans += [
        *(found.open if found.verdict == p.OUTSIDE else ()),
        *found.steps,
        *found.silence,
        *(step for c in found.effects for step in c.way),
    ]
    used = list(outcomes_in(leans))
    assumptions = tuple(dict.fromkeys(assumed(situation, leans, found)))
    open_ = found.verdict in (p.UNDETERMINED, p.CONFLICT)
    freed = dict.fromkeys(found.scope.freed)
    excepted = [o for o in found.considered if o.exception is not None]
    carved = [] if open_ else [o for o in found.considered if id(o) in weighty and carves(situation, o)]
    bearing = [o for o in outcomes_in([*found.winners, *found.steps]) if o.status]
    cites = dict.fromkeys(leaving(found)) | dict.fromkeys(leading(situation.theory, found.contributions))
    cites.update(dict.fromkeys(o.norm.rule for o in found.winners))
    cites.update(dict.fromkeys(o.norm.rule for o in bearing))
    cites.update(freed or dict.fromkeys(o.norm.rule for o in (*excepted, *carved)))
    leant_on = (ref for o in bearing for ref in o.norm.cites)
    cites.update(dict.fromkeys(ref for ref in leant_on if ref in situation.theory.sections))
    if found.scope.by:
        cites.setdefault(found.scope.by)
    if open_:
        cites.update(dict.fromkeys(o.norm.rule for o in outcomes_in(found.open)))
    cites.update(dict.fromkeys(sources(situation, found.steps)))
    cites.update(dict.fromkeys(source_of_stated(situation, found)))
    kin = tuple(
        dict.fromkeys(r for r in kind_rules.rules(situation.theory, [*found.winners, *found.steps]) if r not in cites)
    )
    cites.update(dict.fromkeys(kin))
    also = dict.fromkeys(o.norm.rule for o in (*found.considered, *used) if o.norm.rule not in cites)
    if not found.winners and not open_ and not excepted:
        # No norm decides: the rules that were tried and do not apply are what there is to cite.
        cites.update(also)
        also = {}
    needs = dict.fromkeys(r for o in (*found.winners, *(o for o in used if o.status)) for r in o.norm.needs)
    for o in excepted:
        assert o.exception is not None
        needs.update(dict.fromkeys((*o.exception[0].cites, *o.norm.needs)))
    needs.update(dict.fromkeys(scope.left(situation.theory, found.open)))
    missing = dict.fromkeys(r for r in needs if r not in situation.theory.sections)
    missing.update(dict.fromkeys(found.scope.needs))
    grade = grade_of(found.verdict, found.scope, missing, assumptions)
    return Rest(grade, tuple(cites), tuple(also), tuple(missing), assumptions, kin)


def leaving(found: Proof) -> Iterator[str]:
    """The rules that leave something to rules which are not loaded, so that these decide."""
    if found.verdict == p.OUTSIDE:
        leaves = found.theory.leaves
        tried = outcomes_in([*found.considered, *found.steps]) if leaves else ()
        yield from (o.norm.rule for o in tried if o.status is None and o.norm.id in leaves)


def leading(theory: Theory, rows: Iterable[Contribution], whole: bool = True) -> Iterator[str]:
    """The rules that decide a number although others name it: those that make what is doubled or halved what it is, and those that double
    or halve what is summed up, where they are the stronger."""
    for row in rows:
        if row.state != "counts" or row.value is None:
            continue
        norm = row.outcome.norm
        if row.op == m.MULTIPLIES and row.value.value != 1:
            made = (
                o.norm
                for o in outcomes_in([row.outcome])
                if o is not row.outcome and o.status and o.focus is row.outcome.focus
            )
            yield from (k.rule for k in made if isinstance(k.head, m.CountsAs) and theory.stronger(k, norm))
            if not whole:
                yield norm.rule
        elif row.op == m.SETS:
            yield from (r for r in leading(theory, summed(row.value), False) if r != norm.rule)


def summed(step: Step) -> Iterator[Contribution]:
    """What the numbers of an expression are made of."""
    for part in step.parts:
        if isinstance(part, Contribution):
            yield part
        elif isinstance(part, Step):
            yield from summed(part)


def grade_of(verdict: str, scope: p.Scope, needs: Iterable[str], assumptions: Sequence[Assumption]) -> str:
    """How far an answer can be leant on."""
    if verdict in p.OPEN:
        return p.OPEN[verdict]
    if tuple(needs) or scope.kind == p.PARTLY:
        return p.PARTLY_HERE
    return p.IF_NOTHING_ELSE if assumptions else p.SETTLED


def basis_of_all(rows: Sequence[tuple[str, Proof]], yes: Sequence[str]) -> Rest:
    """What a which-answer rests on: all that its proofs rest on, those of the chosen first."""
    ordered = [f for n, f in rows if n in yes] + [f for n, f in rows if n not in yes]
    cites, also, needs, assumptions = (
        tuple(dict.fromkeys(x for f in ordered for x in getattr(f, name)))
        for name in ("cites", "also", "needs", "assumptions")
    )
    also = tuple(rule for rule in also if rule not in cites)
    grade = grade_of(p.WHICH, p.Scope(), needs, assumptions)
    open_ = [p.OPEN[f.verdict] for _, f in rows if f.verdict in p.OPEN]
    if rows and not yes and open_:
        grade = p.FACT_MISSING if p.FACT_MISSING in open_ else open_[0]  # “none” would say more than is known
    return Rest(grade, cites, also, needs, assumptions)


def basis_of_cases(proofs: Sequence[Proof]) -> Rest:
    """What an answer rests on that is the same in each of some cases: all that the answer in each rests on."""
    cites, needs, assumptions, kin = (
        tuple(dict.fromkeys(x for found in proofs for x in getattr(found.rest, name)))
        for name in ("cites", "needs", "assumptions", "kin")
    )
    also = tuple(dict.fromkeys(rule for found in proofs for rule in found.rest.also if rule not in cites))
    verdict = proofs[0].verdict
    grade = p.OPEN.get(verdict) or (p.PARTLY_HERE if needs else p.IF_NOTHING_ELSE if assumptions else p.SETTLED)
    return Rest(grade, cites, also, needs, assumptions, kin)


def mattering(theory: Theory, found: Proof) -> set[int]:
    """The ids of the outcomes of norms that do not apply and would change the answer if they did."""
    sides = SIDES.get(found.question.kind, {})
    speaking = [
        (x, sides.get(x.norm.head.mode, 0)) for x in found.considered if x.status and isinstance(x.norm.head, m.Deontic)
    ]
    pro, con = [x for x, side in speaking if side > 0], [x for x, side in speaking if side < 0]

    def matters(o: Outcome) -> bool:
        head = o.norm.head
        if says_why(head):
            return False
        if isinstance(head, m.QuantityHead) and head.op == m.SETS:
            return not any(theory.stronger(w.norm, o.norm) for w in found.winners)
        if not isinstance(head, m.Deontic):
            return True
        more = ([*pro, o], con) if sides.get(head.mode, 0) > 0 else (pro, [*con, o])
        return carried(theory, found.question.kind, *more, p.SILENT)[0] != found.verdict

    return {id(o) for o in found.considered if o.status is False and matters(o)}


def carves(situation: Situation, o: Outcome) -> bool:
    """Whether a norm on an act, a number or an effect does not apply for something that it speaks of itself and that is so here."""
    return (
        o.status is False
        and isinstance(o.norm.head, m.Deontic | m.QuantityHead | m.OnEvent)
        and carved_out(situation, o.when, o.focus)
    )


def carved_out(situation: Situation, step: Step | None, focus: Thing) -> bool:
    """Whether a condition is not met for an exception within it, for a state told of another thing or for a number given.

    Who is of another kind than those excepted (an aircraft, where ground units are) counts with them.
    """
    if step is None or step.value is not False:
        return False
    inner = next((part for part in step.parts if isinstance(part, Step)), None)
    match step.node:
        case m.Except():
            return inner is not None and (isinstance(inner.node, m.Not) or other_kind(situation, inner))
        case m.Not():
            told = inner is not None and isinstance(inner.node, m.Named) and inner.why in ("stated", "inferred")
            return told and step.thing is not focus
        case m.Compare():
            return any(told_number(part) for part in step.parts if isinstance(part, Step))
    return any(carved_out(situation, part, focus) for part in step.parts if isinstance(part, Step))


def other_kind(situation: Situation, step: Step) -> bool:
    """Whether a thing is told to be what is asked for (an enemy) but for its kind (which is none of a ground unit)."""
    other = [
        q.node.name for q in step.parts if isinstance(q, Step) and isinstance(q.node, m.Named) and q.why == "disjoint"
    ]
    classes = situation.vocabulary.classes
    return isinstance(step.node, m.And) and any(
        isinstance(part, m.Named) and part.name in step.thing.kind.types and part.name not in classes[kind].ancestors
        for kind in other
        for part in step.node.parts
    )


def told_number(step: Step) -> bool:
    """Whether a number is one that the case gives, or worked out from such."""
    used = (q.value if isinstance(q, Contribution) and q.state == "counts" else q for q in step.parts)
    return step.why == "stated" or any(told_number(q) for q in used if isinstance(q, Step))


def sources(situation: Situation, steps: Iterable[Step]) -> Iterator[str]:
    """The loaded rules that the ontology names as the sources of the terms an `is` answer turned on."""
    for step in steps:
        if isinstance(step.node, m.Named) and step.why in ("stated", "inferred", "disjoint"):
            for cls in (step.thing.kind.source.get(step.node.name, ""), step.node.name):
                yield from loaded(situation, situation.vocabulary.classes.get(cls))
        elif isinstance(step.node, (m.Some, m.HasValue)):
            # Told by a narrower relation (beneath for at): that one's rule is why.
            for reached in (q for q in step.parts if isinstance(q, Reached)):
                how = reached.why
                if isinstance(how, Stated) and how.by != step.node.role.name:
                    yield from loaded(situation, situation.vocabulary.properties.get(how.by))
        elif step.why in ("and", "or", "not"):
            yield from sources(situation, [part for part in step.parts if isinstance(part, Step)])


def source_of_stated(situation: Situation, found: Proof) -> Iterator[str]:
    """The loaded rules that speak of a number which the case itself gives and no norm changes."""
    question = found.question
    if question.kind == "value" and not found.winners and not any(c.state == "counts" for c in found.contributions):
        things = found.case.things
        if question.thing in things and question.quantity in things[question.thing].numbers:
            yield from loaded(situation, situation.vocabulary.properties.get(question.quantity))


def loaded(situation: Situation, term: ClassTerm | PropertyTerm | None) -> Iterator[str]:
    """The sources of a term that are rules in force here."""
    for source in term.source.replace(",", ";").split(";") if term is not None else ():
        if source.strip() in situation.theory.sections:
            yield source.strip()


def assumed(situation: Situation, roots: Iterable[object], found: Proof) -> Iterator[Assumption]:
    """The presumptions below a set of steps, each once. That other rules decide leans on what is known beside what is left to them."""
    seen: set[int] = set()
    through = found.verdict == p.OUTSIDE and bool(found.open)
    stack: list[object] = list(roots)
    while stack:
        now = stack.pop()
        if now is None or id(now) in seen:
            continue
        seen.add(id(now))
        if isinstance(now, Step):
            yield from presumptions.presumption(situation, now)
        if through and isinstance(now, (Step, Outcome)) and now.value is None:
            stack.extend(below(now))
            continue
        if isinstance(now, Outcome) and not now.soft:
            continue
        if isinstance(now, Contribution) and now.state == "idle" and says_why(now.outcome.norm.head):
            continue
        if isinstance(now, Step) and not now.soft:
            continue
        stack.extend(below(now))
