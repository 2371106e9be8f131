"""A case worked out without a proof, from kb.checker.reference alone: what has happened, the answer, and what a flip starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as replaced
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from kb.checker import reference as j, reference_scope_acts, reference_scope_numbers, reference_scope_statements
from kb.checker.reference import Judge, One
from kb.checker.reference_events import (
    Came,
    Clock,
    Linked,
    Shifted,
    after,
    ending,
    gathered,
    happens,
    is_over,
    kept,
    shifted,
    spread,
)
from kb.checker.reference_index import indexed
from kb.checker.reference_scope import Ruled
from kb.checker.reference_standing import earlier, stood
from kb.checker.reference_strength import goes_over, stronger
from kb.language import norms as m
from kb.language.case import Case, Facts, brought_about
from kb.language.vocabulary import CONCLUDED
from kb.reasoner import proof as p
from kb.rulebook.theory import Theory

Answered = tuple[Ruled, Fraction | None]  # a verdict within its scope, and the number that is asked for
OPEN_LIMIT = 10  # open norms that are tried each way
# What the modes of norms say to a question: for it (True) or against it.
MODES = {
    "may": {m.PERMITS: True, m.REQUIRES: True, m.FORBIDS: False},
    "must": {m.REQUIRES: True, m.WAIVES: False, m.FORBIDS: False},
}


def stages(theory: Theory, case: Case, named: j.Named = None) -> Iterator[Judge]:
    """The case before each act of its history that goes before what is asked, and after the last. named: see Judge."""
    held: list[Came] = []
    shifts: list[Shifted] = []
    waiting: list[tuple[str, str, bool, m.Norm]] = []
    links: list[Linked] = []
    bonds: dict[str, list[tuple[str, str, str, bool]]] = {}
    loose: dict[tuple[str, str], set[str]] = {}
    clock: Clock = {}
    judge = Judge(theory, stood(theory.vocabulary, case, (), {}), named=named)
    acts, classes = earlier(case), theory.vocabulary.classes
    for number, name in enumerate(acts, 1):
        yield judge
        event = judge.things[name]
        found = happens(judge, event)
        apart = {(c.thing, cls) for c in found.came for cls in (c.cls, *classes[c.cls].disjoint)}
        waiting = [w for w in waiting if w[:2] not in apart]
        for c in found.may:  # what earlier acts made and this may have ended is open with it
            ended = [h for h in held if h.thing == c.thing and h.cls in classes[c.cls].disjoint]
            head = c.by.norm.head
            is_ = judge.things[c.thing].facts.is_ if isinstance(head, m.Effect) and head.ends else ()
            stated = [cls for cls in is_ if cls in classes[c.cls].disjoint]
            open_ = (c.cls, *(h.cls for h in ended), *stated)
            waiting += [(c.thing, cls, bool(ended or stated), c.by.norm) for cls in open_]
            held = [h for h in held if h not in ended]
        held = [h for h in held if not is_over(judge, event, h.by.norm, h.thing, clock, h)]
        shifts = [s for s in shifts if not is_over(judge, event, s.by.norm, s.thing, clock, s)]
        waiting = [w for w in waiting if w[2] or not is_over(judge, event, w[3], w[0], clock, w)]
        over = [k for k in links if not k.row[3] and is_over(judge, event, k.by.norm, k.thing, clock, k)]
        links = [k for k in links if k not in over]
        still = {k.row for k in links}
        bonds[name] = [(*k.row[:3], True) for k in over if k.row not in still] + [k.row for k in found.links]
        links = relinked(judge, links, found.links, loose)
        loosen(judge, found.loose, loose, links)
        for c in found.came:
            held = [h for h in held if h.thing != c.thing or h.cls not in classes[c.cls].disjoint]
            held.append(c)
        shifts += found.shifts
        made = gathered((h.thing, h.cls) for h in held)
        judge = Judge(theory, stood(theory.vocabulary, case, acts[:number], made, bonds), made, acts[:number], named)
        judge.shifts = shifted(shifts)
        judge.held, judge.clock = list(held), dict(clock)
        judge.linked, judge.loose = kept(links), {key: set(ends) for key, ends in loose.items()}
        for thing, cls, anyhow, _ in waiting:
            one = judge.things.get(thing)  # none where it was made up, and nothing has asked for it since
            if one is not None and (anyhow or (cls not in one.types and cls not in one.denied)):
                judge.pending.setdefault(thing, set()).add(cls)
    yield judge


def relinked(
    judge: Judge, held: list[Linked], new: list[Linked], loose: dict[tuple[str, str], set[str]]
) -> list[Linked]:
    """What is related, and parted, once more is; what that settles is open no longer."""
    for k in new:
        alone = not k.to or (judge.vocabulary.properties[k.role].functional and not k.row[3])
        held = [h for h in held if (h.thing, h.role) != (k.thing, k.role) or not (alone or h.to == k.to)]
        held += spread(judge, [k])
        loose[k.thing, k.role] = set() if alone else loose.get((k.thing, k.role), set()) - {k.to}
    return held


def loosen(judge: Judge, may: list[Linked], loose: dict[tuple[str, str], set[str]], held: list[Linked]) -> None:
    """Notes what may be related or parted: with one that can have but one end, what it had may be over too."""
    for k in may:
        term = judge.vocabulary.properties[k.role]
        open_ = loose.setdefault((k.thing, k.role), set())
        if k.to:
            open_.add(k.to)
        if not k.to or (term.functional and not k.row[3]):
            facts = judge.things[k.thing].facts
            open_ |= {h.to for h in held if (h.thing, h.role) == (k.thing, k.role) and not h.row[3]}
            open_ |= {to for q in term.below for to in facts.links.get(q, ())}
            open_ |= {n for n, y in judge.things.items() for q in term.inverses if k.thing in y.facts.links.get(q, ())}


def answer(theory: Theory, case: Case, judge: Judge | None = None) -> str:
    """The answer to a case, worked out without proof, in the same words as `said`. judge: the last of its stages."""
    found, number = of_norms(theory, case, judge)
    if found.verdict == p.UNDETERMINED and known_otherwise(theory, case) is not None:
        return p.OUTSIDE
    return p.shown(number) if found.verdict == p.VALUE else found.verdict


def known_otherwise(theory: Theory, case: Case) -> Answered | None:
    """What an open case comes to as if rules that are not loaded said nothing of what is left to them; None where it is open still."""
    if not theory.leaves or case.elsewhere or case.question.kind == "effects":
        return None
    norms = {i: n for i, n in theory.norms.items() if i not in theory.leaves}
    found = of_norms(replaced(theory, norms=norms, leaves=frozenset()), case)
    return None if found[0].verdict in (p.UNDETERMINED, p.CONFLICT) else found


def of_norms(theory: Theory, case: Case, judge: Judge | None = None) -> Answered:
    """The answer within its scope, and the number that is asked for, whatever leaves it open."""
    judge = judge or list(stages(theory, case))[-1]
    question = case.question
    x = judge.things[question.thing]
    if question.kind in MODES:
        norms = {n.id: n for n, head in indexed(theory).deontic if head.mode in MODES[question.kind]}
        verdict, winners = contest(theory, judge, question.kind, x, {i: judge.status(n, x) for i, n in norms.items()})
        return reference_scope_acts.act(judge, x, question.kind, verdict, winners), None
    if question.kind == "is":
        assert question.condition is not None
        held = judge.holds(question.condition, x, {"this": x, **judge.things})
        return reference_scope_statements.condition(judge, x, question.condition, held), None
    if question.kind == "value":
        verdict = number_verdict(judge, x, question.quantity)
        number = judge.quantity(x, question.quantity)
        return reference_scope_numbers.number(judge, x, question.quantity, verdict), number
    return reference_scope_acts.event(judge, x, effect_answer(judge, x)), None


def number_verdict(judge: Judge, x: One, name: str) -> str:
    """What is known of a number, whatever the scope: its value, a conflict, silence, or too little."""
    if judge.quantity(x, name) is not None:
        return p.VALUE
    rows = list(judge.rows(x, name, j.NONE))
    judge.total(x, name, rows)
    if any(r.state == "conflict" for r in rows):
        return p.CONFLICT
    return p.SILENT if rows and all(r.status is False for r in rows) else p.UNDETERMINED


def effect_answer(judge: Judge, event: One) -> str:
    """The effects of an event in one string: direct ones, and what things then count as."""
    come = happens(judge, event)
    direct = {(c.thing, c.cls) for c in come.came}
    past = {(c.thing, c.cls) for c in ending(come)}
    after_ = after(judge, event, come)
    found = set(direct)
    for norm in judge.theory.norms.values() if direct else ():
        head = norm.head
        if (
            isinstance(head, m.CountsAs)
            and not head.negated
            and judge.vocabulary.classes[head.target].when_unstated != CONCLUDED
            and "State" in judge.vocabulary.classes[head.target].ancestors
        ):
            for name in judge.case.things:
                now = after_.things[name]
                counted = head.target not in now.types and after_.member(now, head.target, now)
                if (
                    counted
                    and judge.member(judge.things[name], head.target, judge.things[name]) is not True
                    and after_.status(norm, now)
                ):
                    found.add((name, head.target))
    changes = [s for s in come.shifts if s.by.so and s.value is not None]
    if found or past or changes or come.links:
        made = [(t, c, "") for t, c in found | past]
        made += [(s.thing, f"{s.quantity} {s.by.norm.head.op} {s.value}", "") for s in changes]  # type: ignore[union-attr]
        made += [(k.thing, f"{k.role} {'ends' if k.row[3] else 'causes'}", k.to) for k in come.links]
        return brought_about(judge.case, made)
    open_ = (
        come.may
        or come.loose
        or any(t.so is None for t in come.tried)
        or any(s.by.so and s.value is None for s in come.shifts)
    )
    return p.UNDETERMINED if open_ else p.NO_EFFECT


def effects_open(judge: Judge, event: One) -> bool:
    """Whether it is open what else an event brings about: an effect that may come about, and that nothing brings about anyway or beats."""
    come = happens(judge, event)
    made = {(c.thing, c.cls) for c in come.came}

    def idle(c: Came) -> bool:
        return (c.thing, c.cls) in made or any(
            d.thing == c.thing and goes_over(d.by.norm, c.by.norm) for d in come.came
        )

    told = {id(by) for by in (*(c.by for c in come.may), *(k.by for k in come.loose))}
    untold = any(t.so is None and id(t) not in told for t in come.tried)  # of what nobody knows, or of a number
    vague = any(s.by.status and s.value is None for s in come.shifts)
    return untold or vague or bool(come.loose) or not all(map(idle, come.may))


def contest(theory: Theory, judge: Judge, kind: str, focus: One, statuses: dict[str, j.Tri]) -> tuple[str, set[str]]:
    """The verdict, and the norms that decide: each applicable norm of the losing side is beaten by one of the winning."""
    norms = {
        i: n for i, s in statuses.items() if s is not False and (n := theory.norms.get(i))
        and isinstance(n.head, m.Deontic) and n.head.mode in MODES[kind]
    }  # fmt: skip
    sure = {i for i in norms if statuses[i]}
    silence = "" if sure else reference_scope_acts.silence(judge, focus, kind)
    if kind == "may" and silence in (p.PERMITTED, p.OUTSIDE) and (missing := not_told(judge, focus)):
        # Where nothing is presumed of what such an act must be told with, is the answer still the same?
        facts = replace(focus.facts, unknown=(*focus.facts.unknown, *missing), one_sided=True)
        other = replace(judge.case, things={**judge.case.things, focus.name: facts})
        if answer(theory, other) == p.UNDETERMINED:
            silence = p.UNDETERMINED

    def fight(held: set[str]) -> tuple[str, set[str]]:
        pro = {i for i in held if MODES[kind].get(norms[i].head.mode, 0)}  # type: ignore[union-attr]
        con = held - pro
        if not held:
            return silence, set()
        wins = [
            bool(ours) and all(any(stronger(theory, norms[o], norms[t]) for o in ours) for t in theirs)
            for ours, theirs in ((pro, con), (con, pro))
        ]  # fmt: skip
        if wins[0] and not wins[1]:
            return (p.PERMITTED if kind == "may" else p.REQUIRED), pro
        if wins[1] and not wins[0]:
            forbids = any(norms[i].head.mode == m.FORBIDS for i in con)  # type: ignore[union-attr]
            return (p.FORBIDDEN if forbids else p.PERMITTED), con
        return p.CONFLICT, held

    doubtful = [i for i in norms if statuses[i] is None]
    first = fight(sure)
    if len(doubtful) > OPEN_LIMIT:  # no side loses by what joins it: all, none, and each side alone tell of any choice
        mine = {i for i in doubtful if MODES[kind].get(norms[i].head.mode, 0)}  # type: ignore[union-attr]
        choices = [set(doubtful), mine, set(doubtful) - mine]
    else:
        tried = product((False, True), repeat=len(doubtful))
        choices = [{i for i, on in zip(doubtful, choice, strict=True) if on} for choice in tried]
    if any(fight(sure | more)[0] != first[0] for more in choices):
        return p.UNDETERMINED, set()
    return first


def not_told(judge: Judge, act: One) -> tuple[str, ...]:
    """The relations that acts of this kind must be told with and that neither are told nor have another one told instead."""
    properties = judge.vocabulary.properties
    found = []
    for name, prop in properties.items():
        if any(kind in act.types for kind in prop.spared):
            continue
        for owed in prop.must_be_told:
            if owed.act in act.types and name not in act.facts.unknown and name not in found:
                known = [q for w in (name, *owed.instead) for q in properties[w].below]
                if not any(w in act.facts.links for w in known) and not judge.successors(act, name).things:
                    found.append(name)
    return tuple(found)


def candidate(case: Case, name: str) -> Case:
    """The case in which a candidate of a `which` question is tried: put in the place that the question names."""
    question, things = case.question, dict(case.things)
    inner = question.inner
    assert inner is not None
    there = bool(question.things) and name in things
    if inner.thing == "each" and there:
        inner = replace(inner, thing=name)
    elif not there and (inner.thing == "each" or m.speaks_of(inner.condition, "each")):
        things["each"] = Facts("each", (name,))
    if there and inner.condition is not None:
        inner = replace(inner, condition=m.renamed(inner.condition, "each", name))
    role = question.role
    if role in things and not there:
        things[role] = replace(things[role], is_=(*things[role].is_, name))
    elif role:
        *path, last = role.split(".")
        owner = path[0] if path else inner.thing
        for step in path[1:]:
            owner = things[path[0]].links.get(step, (".".join(path),))[0]
        there_ = name if there else f"{owner}.{last}"
        if not there:
            things[there_] = Facts(there_, (name,))
        things[owner] = replace(things[owner], links={**things[owner].links, last: (there_,)})
    return replace(case, things=things, question=inner)


def reading(theory: Theory, dispute: str, option: str) -> dict[str, m.Norm] | None:
    """The norms where a dispute is read in one way; None for what is read so already, or never."""
    adopted = dict(n.reading.partition(":")[::2] for n in theory.norms.values() if n.reading)
    norms = [n for ch in theory.chapters.values() for s in ch.sections for n in s.norms]
    if option == adopted.get(dispute) or f"{dispute}:{option}" not in {n.reading for n in norms}:
        return None
    wanted = {f"{d}:{o}" for d, o in {**adopted, dispute: option}.items()}
    return {n.id: n for n in norms if not n.reading or n.reading in wanted}


def possible(theory: Theory, case: Case) -> bool:
    """Whether no thing is said to be of two kinds that exclude each other, or of a kind that it is said not to be."""
    classes = theory.vocabulary.classes
    return not any(
        classes[cls].disjoint.intersection(facts.is_) or classes[cls].ancestors.intersection(facts.not_)
        for facts in case.things.values() for cls in facts.is_
    )  # fmt: skip
