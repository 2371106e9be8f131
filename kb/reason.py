"""Answers a question: stages the case, tries the norms, lets the stronger defeat the weaker, and keeps everything.

    answer(theory, case) -> Proof

Pure: no files, clock or network, and no RDF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from kb import kindred, model as m, proof as p, whatif
from kb.conditions import evaluator, follow
from kb.facts import Case, Facts, Question
from kb.proof import Assumption, Closure, Proof, Rest
from kb.situation import Situation
from kb.standing import before, standing
from kb.steps import Caused, Contribution, Defeat, Outcome, Reached, Step, Thing, below, outcomes_in
from kb.theory import SIDES, Theory, names
from kb.vocabulary import CONCLUDED, ClassTerm, PropertyTerm

OPEN_LIMIT = 10


def answer(theory: Theory, case: Case, deep: bool = True, staged: Situation | None = None) -> Proof:
    """The proof for a case's question. With `deep` false, missing facts are not looked for (used by what-if trials).

    staged: the situation of an earlier answer about the same facts; what was found of them is not worked out again.
    """
    question = case.question
    if question.kind == "which":
        return which(theory, case, deep)
    if staged is not None and staged.case.things == case.things and before(staged.case) == before(case):
        situation = staged.asked(case)
    else:
        situation = stage(theory, case)
    solve: dict[str, Callable[[Situation, Question], Proof]] = {
        "may": deontic, "must": deontic, "is": holds, "value": value, "effects": effects,
    }  # fmt: skip
    found = solve[question.kind](situation, question)
    found.situation = situation
    found.find_rest = lambda proof: rest(proof, situation)
    if deep:
        if found.verdict == p.UNDETERMINED:
            whatif.settle(found, situation, lambda c: answer(theory, c, False))
        found.find_flips = lambda proof: whatif.flips(proof, situation, answer)
    return found


def stage(theory: Theory, case: Case) -> Situation:
    """The situation after what has already happened: the effects of each act of the history hold for the next.

    An effect that is open, because a fact about that act is missing, leaves open what it may have made.
    """
    situation = Situation(theory, case, standing(theory.vocabulary, case, ()))
    lasting: list[tuple[Caused, str]] = []
    waiting: list[tuple[Outcome, str]] = []
    past: list[Outcome] = []
    for number, name in enumerate(case.history, 1):
        event = situation.things[name]
        caused, tried, doubtful = happen(situation, event)
        past += tried
        waiting += [(o, name) for o in doubtful for name in reached(situation, event, o)]
        lasting = [(c, until) for c, until in lasting if not (until and situation.member(event, until).value is True)]
        # What things count as follows again from what lasts; only direct effects last by themselves.
        lasting += [(c, c.by.norm.until) for c in caused if c.direct]
        now = tuple(name for name in case.history[:number] if name in before(case))
        made = {c.thing: {d.cls for d, _ in lasting if d.thing == c.thing} for c, _ in lasting}
        situation = Situation(theory, case, standing(theory.vocabulary, case, now, made))
        situation.done = set(case.history[:number])
        for c, _ in lasting:
            mark(situation, c)
        for o, thing in waiting:
            leave_open(situation, o, thing)
    situation.past = past
    return situation


def reached(situation: Situation, event: Thing, o: Outcome) -> list[str]:
    """The names of the things that an effect is on."""
    assert isinstance(o.norm.head, m.Effect)
    path = o.norm.head.path
    return [thing.name for thing in follow(situation, event, m.Path(path.root or "this", path.steps), o.env)[0]]


def leave_open(situation: Situation, o: Outcome, name: str) -> None:
    """Marks what an open effect may have made of a thing, unless something else has made it so, or made it otherwise."""
    thing = situation.things.get(name)
    assert isinstance(o.norm.head, m.Effect)
    cls = o.norm.head.cls
    if thing is not None and cls not in thing.kind.types and cls not in thing.kind.denied:
        thing.pending = {**thing.pending, cls: (*thing.pending.get(cls, ()), o)}
        thing.plain = False


def mark(situation: Situation, c: Caused) -> None:
    """Makes an effect a fact of the situation; it ends what cannot be true beside it."""
    thing = situation.things.get(c.thing)
    if thing is None:
        return
    ended = situation.vocabulary.classes[c.cls].disjoint
    thing.caused = {**{cls: by for cls, by in thing.caused.items() if cls not in ended}, c.cls: c.by}
    thing.plain = False
    over = {cls for made in thing.caused for cls in situation.vocabulary.classes[made].disjoint}
    is_ = frozenset(cls for cls in (*thing.facts.is_, *thing.caused) if cls not in over or cls in thing.caused)
    thing.kind = situation.theory.kind(is_, frozenset(thing.facts.not_).difference(thing.caused))


# ── may and must ────────────────────────────────────────────────────────────────────────────────────────


def deontic(situation: Situation, question: Question) -> Proof:
    theory = situation.theory
    focus = situation.things[question.thing]
    pro: list[Outcome] = []
    con: list[Outcome] = []
    rest: list[Outcome] = []
    for tried, side in situation.deontic(focus, question.kind):
        outcome = tried(situation, focus)
        if outcome.status is False:
            rest.append(outcome)
        elif side > 0:
            pro.append(outcome)
        else:
            con.append(outcome)
    closure = None
    if question.kind == "may" and not any(o.status for o in (*pro, *con)):
        closure = closed(situation, focus)  # the policy's word counts where no norm surely speaks
    verdict, winners, defeats = settle(theory, question.kind, pro, con, closure)
    open_: tuple[Outcome | Step, ...] = ()
    if verdict == p.UNDETERMINED:
        open_ = tuple(o for o in (*pro, *con) if o.status is None)
        if isinstance(closure, Step):
            open_ = (*open_, closure)
    used = isinstance(closure, Closure) and not winners and verdict in (p.PERMITTED, p.FORBIDDEN)
    return Proof(
        situation.case, theory, question, verdict,
        winners=winners, considered=(*pro, *con, *rest), defeats=defeats, open=open_,
        closure=closure if used and isinstance(closure, Closure) else None,
    )  # fmt: skip


def settle(
    theory: Theory, kind: str, pro: Sequence[Outcome], con: Sequence[Outcome], closure: Closure | Step | None
) -> tuple[str, tuple[Outcome, ...], tuple[Defeat, ...]]:
    """Verdict, winners and defeats. Open norms are tried both ways; if that changes nothing they do not matter."""
    sure_pro, sure_con = [o for o in pro if o.status], [o for o in con if o.status]
    doubtful = [o for o in (*pro, *con) if o.status is None]
    result = contest(theory, kind, sure_pro, sure_con, closure)
    if not doubtful:
        return result
    if len(doubtful) > OPEN_LIMIT:
        return p.UNDETERMINED, (), ()
    for choice in product((False, True), repeat=len(doubtful)):
        held = {id(o) for o, on in zip(doubtful, choice, strict=True) if on}
        other = contest(
            theory,
            kind,
            [o for o in pro if o.status or id(o) in held],
            [o for o in con if o.status or id(o) in held],
            closure,
        )
        if other[0] != result[0]:
            return p.UNDETERMINED, (), ()
    return result


def contest(
    theory: Theory, kind: str, pro: Sequence[Outcome], con: Sequence[Outcome], closure: Closure | Step | None
) -> tuple[str, tuple[Outcome, ...], tuple[Defeat, ...]]:
    """Team defeat: a side wins when each norm of the other side is beaten by one of its own."""
    if not pro and not con:
        if kind == "may":
            if isinstance(closure, Closure):
                return (p.PERMITTED if closure.kind == "presumed" else p.FORBIDDEN), (), ()
            if closure is not None:
                return p.UNDETERMINED, (), ()
        return p.SILENT, (), ()
    pro_wins, pro_defeats = beats_all(theory, pro, con)
    con_wins, con_defeats = beats_all(theory, con, pro)
    if pro and pro_wins and not (con and con_wins):
        return (p.PERMITTED if kind == "may" else p.REQUIRED), ranked(theory, pro, pro_defeats), pro_defeats
    if con and con_wins and not (pro and pro_wins):
        modes = {o.norm.head.mode for o in con if isinstance(o.norm.head, m.Deontic)}
        bad = p.FORBIDDEN if m.FORBIDS in modes else p.PERMITTED
        return bad, ranked(theory, con, con_defeats), con_defeats
    return p.CONFLICT, (*pro, *con), (*pro_defeats, *con_defeats)


def beats_all(theory: Theory, ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> tuple[bool, tuple[Defeat, ...]]:
    defeats = []
    for t in theirs:
        for o in ours:
            principle = theory.stronger(o.norm, t.norm)
            if principle is not None:
                defeats.append(Defeat(t, o, principle))
                break
    return len(defeats) == len(theirs), tuple(defeats)


def ranked(theory: Theory, winners: Sequence[Outcome], defeats: Sequence[Defeat]) -> tuple[Outcome, ...]:
    """Winners that beat something first; then the firm before the presumed; then in the book's order."""
    beating = {id(d.winner) for d in defeats}
    return tuple(sorted(winners, key=lambda o: (id(o) not in beating, o.soft)))


def closed(situation: Situation, focus: Thing) -> Closure | Step | None:
    """What the book's policy says of an act on which no norm speaks; a Step when it turns on an unknown fact."""
    policy, classes = situation.theory.policy, situation.vocabulary.classes
    doubt: Step | None = None
    fits: list[Closure] = []
    for kind, act in situation.theory.acts_of(focus.kind):
        step = situation.member(focus, act)
        if step.value is True:
            says = policy.closed_says if kind == "closed" else policy.presumed[act]
            fits.append(Closure(kind, act, says, policy.closed_cite if kind == "closed" else ""))
        elif step.value is None and kind == "closed":
            doubt = doubt or step
    if len(fits) == 1 and doubt is None:
        return fits[0]
    # The policy's word on the narrowest kind of act counts; closed before presumed on the same one.
    best = [f for f in fits if not any(g.act != f.act and f.act in classes[g.act].ancestors for g in fits)]
    best = [f for f in best if f.kind == "closed"] or best
    if doubt is not None and not any(f.kind == "closed" for f in best):
        return doubt
    return best[0] if best else None


# ── is, value, effects, which ───────────────────────────────────────────────────────────────────────────


def holds(situation: Situation, question: Question) -> Proof:
    thing = situation.things[question.thing]
    assert question.condition is not None
    step = evaluator(situation.theory, question.condition)(situation, thing, {"this": thing, **situation.things})
    verdict = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[step.value]
    considered = tuple(dict.fromkeys(consulted(situation, question.condition, thing)))
    winners = tuple(o for o in outcomes_in([step]) if o.status)
    return Proof(
        situation.case, situation.theory, question, verdict, winners=winners, considered=considered, steps=(step,),
        defeats=tuple(outdone(situation.theory, considered, winners)), open=(step,) if step.value is None else (),
    )  # fmt: skip


def outdone(theory: Theory, considered: Iterable[Outcome], winners: Sequence[Outcome]) -> Iterator[Defeat]:
    """Constitutive norms that applied but did not carry the day, each with the winner that is stronger."""
    for o in considered:
        if o.status and o not in winners:
            for w in winners:
                principle = theory.stronger(w.norm, o.norm)
                if principle is not None:
                    yield Defeat(o, w, principle)
                    break


def consulted(situation: Situation, c: m.Condition, thing: Thing) -> Iterator[Outcome]:
    """The constitutive norms that an `is` question could have turned on."""
    theory = situation.theory
    for name in class_names(c):
        for norm in (*theory.makes.get(name, ()), *theory.unmakes.get(name, ())):
            found = thing.outcomes.get(norm.id)
            if found is not None:
                yield found
        for o in situation.past:
            if isinstance(o.norm.head, m.Effect) and name in situation.vocabulary.classes[o.norm.head.cls].ancestors:
                yield o
    for name in role_names(c):
        for norm in theory.relations.get(name, ()):
            found = thing.outcomes.get(norm.id)
            if found is not None:
                yield found


def class_names(c: m.Condition) -> Iterator[str]:
    match c:
        case m.Named(name):
            yield name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from class_names(part)
        case m.Not(of) | m.Bind(of, _) | m.Of(_, of):
            yield from class_names(of)


def role_names(c: m.Condition) -> Iterator[str]:
    match c:
        case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
            yield role.name
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from role_names(part)
        case m.Not(of) | m.Bind(of, _) | m.Of(_, of):
            yield from role_names(of)


def value(situation: Situation, question: Question) -> Proof:
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
    order = {m.SETS: 0, m.MULTIPLIES: 1, m.ADDS: 1, m.LIMITS: 2}
    winners = tuple(r.outcome for r in sorted(counting, key=lambda r: order[r.op]))
    defeats = tuple(
        Defeat(r.outcome, r.by, r.principle)
        for r in rows
        if r.state == "beaten" and r.by is not None and r.principle is not None
    )
    open_ = tuple(
        r.outcome if r.outcome.status is None or r.value is None else r.value for r in rows if r.state == "open"
    )
    if verdict == p.UNDETERMINED and not open_:
        open_ = (step,)
    return Proof(
        situation.case, situation.theory, question, verdict, value=step.value, winners=winners,
        considered=tuple(r.outcome for r in rows), defeats=defeats, steps=(step,), contributions=rows, open=open_,
    )  # fmt: skip


def effects(situation: Situation, question: Question) -> Proof:
    event = situation.things[question.thing]
    caused, tried, doubtful = happen(situation, event)
    verdict = p.UNDETERMINED if doubtful else p.EFFECTS if caused else p.NO_EFFECT
    return Proof(
        situation.case, situation.theory, question, verdict,
        winners=tuple(dict.fromkeys(c.by for c in caused)), considered=tuple(tried), effects=tuple(caused), open=tuple(doubtful),
    )  # fmt: skip


def happen(situation: Situation, event: Thing) -> tuple[list[Caused], list[Outcome], list[Outcome]]:
    """What an event causes, directly and by what things then count as; the norms tried; those left open."""
    theory = situation.theory
    found: list[Caused] = []
    tried: list[Outcome] = []
    doubtful: list[Outcome] = []
    for norm in theory.effects:
        assert isinstance(norm.head, m.Effect)
        if situation.focus(event, norm.head.event) is False:
            continue
        outcome = situation.outcome(norm, event)
        tried.append(outcome)
        if outcome.status is None:
            doubtful.append(outcome)
        elif outcome.status:
            targets, _ = follow(
                situation, event, m.Path(norm.head.path.root or "this", norm.head.path.steps), outcome.env
            )
            found += [Caused(thing.name, norm.head.cls, outcome) for thing in targets]
    caused: dict[tuple[str, str], Caused] = {}
    for c in found:
        if not any(d.thing == c.thing and d.by is not c.by and names(d.by.norm.over, c.by.norm) for d in found):
            caused.setdefault((c.thing, c.cls), c)
    doubtful = [o for o in doubtful if not settled_by(situation, o, caused)]
    if caused:
        after = Situation(theory, situation.case, situation.now)
        after.done = {*situation.done, event.name}
        for thing in situation.things.values():
            for cls, by in thing.caused.items():
                mark(after, Caused(thing.name, cls, by))
        for c in caused.values():
            mark(after, c)
        for cls, norms in theory.makes.items():
            term = situation.vocabulary.classes[cls]
            if term.when_unstated == CONCLUDED or "State" not in term.ancestors:
                continue  # a way of looking at things that rules alone make, no change of them
            for norm in norms:
                if not isinstance(norm.head, m.CountsAs) or norm.head.target != cls:
                    continue
                for thing in list(after.things.values()):
                    if (thing.name, cls) in caused or thing.name not in situation.things:
                        continue
                    now, before = after.member(thing, cls), situation.things[thing.name]
                    if now.value is True and now.why == "counts" and situation.member(before, cls).value is not True:
                        makers = [o for o in now.parts if isinstance(o, Outcome)]
                        if makers:
                            caused[thing.name, cls] = Caused(thing.name, cls, makers[0], direct=False)
    return list(caused.values()), tried, doubtful


def settled_by(situation: Situation, o: Outcome, caused: dict[tuple[str, str], Caused]) -> bool:
    """An open effect does not matter that would bring about what is brought about anyway, or that loses to such a one."""
    head = o.norm.head
    assert isinstance(head, m.Effect)
    targets, _ = follow(situation, o.focus, m.Path(head.path.root or "this", head.path.steps), o.env)
    stronger = {c.thing for c in caused.values() if names(c.by.norm.over, o.norm)}
    return bool(targets) and all((t.name, head.cls) in caused or t.name in stronger for t in targets)


def which(theory: Theory, case: Case, deep: bool) -> Proof:
    """Asks the inner question once for each candidate, and keeps each proof."""
    question = case.question
    assert question.inner is not None
    rows: list[tuple[str, Proof]] = []
    if question.things:
        candidates = [(name, name if name in case.things else "") for name in question.things]
    else:
        candidates = [(name, "") for name in kinds_of(theory, question.cls)]
    for name, thing in candidates:
        rows.append((name, answer(theory, vary(case, question, name, thing), False)))
    yes = [name for name, found in rows if found.answer == "yes" or found.verdict == p.EFFECTS]
    if question.cls:
        classes = theory.vocabulary.classes
        # A wider kind of which a narrower one is ruled out would say too much; the narrower ones that are in say it.
        no = {name for name, found in rows if found.answer == "no"}
        yes = [n for n in yes if not no & classes[n].descendants]
        yes = [n for n in yes if not any(o != n and o in classes[n].ancestors for o in yes)]
    return Proof(
        case,
        theory,
        question,
        p.WHICH,
        which=tuple(rows),
        chosen=tuple(yes),
        find_rest=lambda _: rest_of_all(rows, yes),
    )


def kinds_of(theory: Theory, cls: str) -> list[str]:
    """The classes below one, in order; for a shared notion that the book has one word for, only the book's word."""
    below = theory.vocabulary.classes[cls].descendants - {cls}
    return sorted(n for n in below if theory.vocabulary.own_word(n) is None)


def rest_of_all(rows: Sequence[tuple[str, Proof]], yes: Sequence[str]) -> Rest:
    """What a which-answer rests on: all that its proofs rest on, those of the chosen first."""
    ordered = [f for n, f in rows if n in yes] + [f for n, f in rows if n not in yes]
    cites, also, needs, assumptions = (
        tuple(dict.fromkeys(x for f in ordered for x in getattr(f, name)))
        for name in ("cites", "also", "needs", "assumptions")
    )
    grade = p.NEEDS if needs else p.ASSUMING if assumptions else p.DEFINITE
    return Rest(grade, cites, also, needs, assumptions)


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


# ── what an answer rests on ─────────────────────────────────────────────────────────────────────────────


def rest(found: Proof, situation: Situation) -> Rest:
    """Cites, needs, assumptions and grade, from what the decision leans on."""
    leans: list[Step | Outcome] = [*found.winners]
    if found.verdict != p.UNDETERMINED:
        # What did not apply matters too: an answer rests on it not applying.
        leans += [o for o in found.considered if o.status is False and matters(situation.theory, found, o)]
    leans += list(found.steps)
    used = list(outcomes_in(leans))
    assumptions = tuple(dict.fromkeys(assumed(situation, leans, found)))
    open_ = found.verdict in (p.UNDETERMINED, p.CONFLICT)
    excepted = [o for o in found.considered if o.exception is not None]
    cites = dict.fromkeys(o.norm.rule for o in found.winners)
    cites.update(dict.fromkeys(o.norm.rule for o in outcomes_in([*found.winners, *found.steps]) if o.status))
    cites.update(dict.fromkeys(o.norm.rule for o in excepted))
    leant_on = (ref for o in outcomes_in([*found.winners, *found.steps]) if o.status for ref in o.norm.cites)
    cites.update(dict.fromkeys(ref for ref in leant_on if ref in situation.theory.sections))
    if found.closure is not None and found.closure.cite:
        cites.setdefault(found.closure.cite)
    if open_:
        cites.update(dict.fromkeys(o.norm.rule for o in outcomes_in(found.open)))
    cites.update(dict.fromkeys(sources(situation, found.steps)))
    cites.update(dict.fromkeys(source_of_stated(situation, found)))
    kin = tuple(
        dict.fromkeys(r for r in kindred.rules(situation.theory, [*found.winners, *found.steps]) if r not in cites)
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
    missing = tuple(r for r in needs if r not in situation.theory.sections)
    if found.verdict == p.UNDETERMINED:
        grade = p.UNDECIDED
    elif missing:
        grade = p.NEEDS
    else:
        grade = p.ASSUMING if assumptions else p.DEFINITE
    return Rest(grade, tuple(cites), tuple(also), missing, assumptions, kin)


def matters(theory: Theory, found: Proof, o: Outcome) -> bool:
    """Whether a norm that does not apply would change the answer if it did."""
    head = o.norm.head
    if isinstance(head, m.QuantityHead) and head.op == m.SETS:
        return not any(theory.stronger(w.norm, o.norm) for w in found.winners)
    if not isinstance(head, m.Deontic):
        return True
    sides = SIDES[found.question.kind]
    pro = [x for x in found.considered if x.status and sides.get(x.norm.head.mode, 0) > 0]  # type: ignore[union-attr]
    con = [x for x in found.considered if x.status and sides.get(x.norm.head.mode, 0) < 0]  # type: ignore[union-attr]
    (pro if sides.get(head.mode, 0) > 0 else con).append(o)
    return contest(theory, found.question.kind, pro, con, found.closure)[0] != found.verdict


def sources(situation: Situation, steps: Iterable[Step]) -> Iterator[str]:
    """The loaded rules that the ontology names as the sources of the terms an `is` answer turned on."""
    for step in steps:
        if isinstance(step.node, m.Named) and step.why in ("stated", "inferred", "disjoint"):
            for cls in (step.thing.kind.source.get(step.node.name, ""), step.node.name):
                yield from loaded(situation, situation.vocabulary.classes.get(cls))
        elif isinstance(step.node, (m.Some, m.HasValue)):
            # Told by a narrower relation (beneath for at): that one's rule is why.
            for reached in (q for q in step.parts if isinstance(q, Reached)):
                code, told = reached.why
                if code == "stated" and told != step.node.role.name:
                    yield from loaded(situation, situation.vocabulary.properties.get(told))
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
    """The presumptions below a set of steps, each once."""
    if found.closure is not None and found.closure.kind == "presumed":
        yield Assumption(
            f"nothing outside the loaded rules bars it: {found.closure.says}", "base permission", found.question.thing
        )
    seen: set[int] = set()
    stack: list[object] = list(roots)
    while stack:
        now = stack.pop()
        if now is None or id(now) in seen:
            continue
        seen.add(id(now))
        if isinstance(now, Step):
            yield from whatif.presumption(situation, now)
        if isinstance(now, Outcome) and not now.soft:
            continue
        if isinstance(now, Step) and not now.soft:
            continue
        stack.extend(below(now))
