"""Checks a proof step by step without the reasoner: what is claimed must follow from the case, the norms and the ontology.

    certify(proof, theory, case) -> problems      empty: the proof is accepted

Each step is held against the piece of a norm that it stands for (its syntax tree, not the reasoner's word), against its
own parts (does the value follow from them, is a needed part missing), and against kb.judge, which works the same thing
out in the plainest way. What a proof claims without showing ("nothing makes it so", "these are all") is worked out too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from kb import grounds, judge as j, model as m, modules, proof as p
from kb.errors import Problem
from kb.facts import Case, Facts
from kb.judge import Judge, One, find
from kb.proof import Proof
from kb.standing import before, standing
from kb.steps import Caused, Contribution, Outcome, Reached, Step, Thing
from kb.theory import Theory
from kb.vocabulary import ABSENT, CONCLUDED

Quoted = Sequence[tuple[str, str]]  # (rule number, a sentence quoted as that rule's)
OPEN_LIMIT = 10
MODES = {
    "may": {m.PERMITS: True, m.REQUIRES: True, m.FORBIDS: False},
    "must": {m.REQUIRES: True, m.WAIVES: False, m.FORBIDS: False},
}


def certify(
    proof: Proof, theory: Theory | None = None, case: Case | None = None, *, deep: bool = False, quoted: Quoted = (),
    digests: Callable[[str], frozenset[str]] | None = None,
) -> list[Problem]:  # fmt: skip
    """Every fault of a proof; none: accepted.

    theory and case: what the proof is to be held against; its own when left out. deep: what it says of missing facts and
    flips is worked out too. quoted: sentences shown with the proof, each of which must have a hash that `digests` gives
    for its rule (SHA-256, hexadecimal, of the sentence with its white space made single).
    """
    checker = Checker(theory or proof.theory, case or proof.case)
    checker.proof(proof, deep)
    if digests is not None:
        for rule, sentence in quoted:
            if hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest() not in digests(rule):
                checker.problem(880, f"a sentence quoted as {rule}'s is not in the book as it was imported")
    return checker.problems


class Checker:
    """Walks one proof; `stages` are the case before each act of its history, and after the last."""

    def __init__(self, theory: Theory, case: Case):
        self.theory, self.case = theory, case
        self.stages = list(stages(theory, case))
        self.judge = self.stages[-1]
        self.problems: list[Problem] = []
        self.seen: set[Any] = set()
        self.within: list[
            tuple[Any, ...]
        ] = []  # the norms, classes and numbers that are being checked, the outer first
        self.where: dict[int, grounds.Where] = {}  # in which case, and of what, each step was found to follow

    def problem(self, code: int, message: str) -> None:
        if len(self.problems) < 50:
            self.problems.append(Problem(code, message))

    def need(self, true: object, code: int, message: str) -> bool:
        if not true:
            self.problem(code, message)
        return bool(true)

    # ── the answer ──

    def proof(self, proof: Proof, deep: bool) -> None:
        self.need(proof.question == self.case.question, 801, "the proof answers another question")
        self.need(
            proof.case.things == self.case.things and proof.case.history == self.case.history,
            801,
            "the proof is of another case",
        )
        if getattr(proof, "cases", ()):
            self.by_cases(proof)
            return self.what_if(proof) if deep else None
        # Worked out before any step is looked at, so that nothing in the proof can colour it.
        found = answer(self.theory, self.case, self.judge) if proof.question.kind != "which" else ""
        later = {id(c.by) for c in proof.effects if not c.direct}
        for o in dict.fromkeys((*proof.winners, *proof.considered, *(x for x in proof.open if isinstance(x, Outcome)))):
            if id(o) not in later:
                self.outcome(o, self.at(o))
        for d in proof.defeats:
            self.defeat(d.loser, d.winner, d.principle)
        self.left_open(proof)
        kind = proof.question.kind
        {
            "may": self.deontic,
            "must": self.deontic,
            "is": self.holds,
            "value": self.number,
            "effects": self.effects,
            "which": self.which,
        }[kind](proof)
        if kind != "which":
            self.rests(proof)
            if not self.problems:
                self.need(said(proof) == found, 802, f"the answer should be {found}, not {said(proof)}")
        if deep:
            self.what_if(proof)

    def left_open(self, proof: Proof) -> None:
        """What is called open is not known, and nothing is called so where the answer is settled."""
        for x in proof.open:
            rows = [c for c in proof.contributions if c.outcome is x and c.state == "open"]
            now = x.status if isinstance(x, Outcome) else x.value
            self.need(now is None or rows, 815, f"{x} is called open")
        settled = proof.verdict not in (p.UNDETERMINED, p.CONFLICT)
        self.need(not (settled and proof.open), 815, "the answer is settled, and something is called open")
        if proof.question.kind == "is":
            self.need(
                {id(x) for x in proof.open} == {id(s) for s in proof.steps if s.value is None},
                815,
                "what is open is not told",
            )
        rows = [c for c in proof.contributions if c.state == "open"]
        self.need(not rows or proof.open, 815, "what is open is not told")

    def by_cases(self, proof: Proof) -> None:
        """Settled whichever way an open fact falls: each branch is a proof of its own, and both say the same."""
        self.need(len(proof.cases) == 2, 803, "reasoning by cases needs both cases")
        for text, edits, branch in proof.cases:
            case = self.case
            for edit in edits:
                case = edit.apply(case)
            self.need(said(branch) == said(proof), 803, f"where {text}, the answer is another")
            self.problems += certify(branch, self.theory, case)
        shown = ("verdict", "value", "winners", "considered", "defeats", "effects", "closure")
        one = proof.cases[0][2]
        self.need(all(getattr(proof, f) == getattr(one, f) for f in shown), 803, "what is shown is of neither case")
        self.gathered(proof, [branch for _, _, branch in proof.cases])
        sides = [edits[-1] for _, edits, _ in proof.cases]
        same = len({(e.thing, e.name) for e in sides}) == 1
        kinds = [e.kind for e in sides]
        opposite = kinds == ["is", "not"] or (kinds == ["flag", "flag"] and sides[0].value is not sides[1].value)
        self.need(same and opposite, 803, "the two cases do not leave only these two possibilities")

    def deontic(self, proof: Proof) -> None:
        kind, focus = proof.question.kind, self.judge.things[proof.question.thing]
        told = {o.norm.id: o for o in proof.considered}
        for norm in self.theory.norms.values():
            if isinstance(norm.head, m.Deontic) and norm.head.mode in MODES[kind] and norm.id not in told:
                self.need(self.judge.status(norm, focus) is False, 810, f"{norm.id} could speak here and is left out")
        for o in proof.considered:
            head = o.norm.head
            self.need(
                isinstance(head, m.Deontic) and head.mode in MODES[kind] and o.focus.name == focus.name,
                811,
                f"{o.norm.id} does not speak of this",
            )
        statuses = {i: o.status for i, o in told.items()}
        verdict, sides = contest(self.theory, self.judge, kind, focus, statuses)
        self.need(proof.verdict == verdict, 812, f"from what applies follows {verdict}, not {proof.verdict}")
        if proof.verdict not in (p.UNDETERMINED, p.SILENT) and not (proof.closure and not sides):
            self.need(
                {o.norm.id for o in proof.winners} == sides,
                813,
                f"what decides is {', '.join(sorted(sides)) or 'nothing'}",
            )
        for o in proof.winners:
            self.need(o.status is True, 813, f"{o.norm.id} is said to decide and does not apply")
            self.need(told.get(o.norm.id) is not None, 813, f"{o.norm.id} decides and was not considered")
        sure = verdict in (p.PERMITTED, p.FORBIDDEN, p.REQUIRED)
        if sure and proof.winners:
            pro = [MODES[kind].get(o.norm.head.mode, 0) for o in proof.winners if isinstance(o.norm.head, m.Deontic)]
            lost = {i for i, o in told.items() if o.status and MODES[kind].get(o.norm.head.mode, 0) != pro[0]}  # type: ignore[union-attr]
            self.need(
                lost == {d.loser.norm.id for d in proof.defeats},
                814,
                f"what loses is {', '.join(sorted(lost)) or 'nothing'}",
            )
        if proof.verdict == p.UNDETERMINED:
            wanted = {i for i, s in statuses.items() if s is None}
            self.need(
                {o.norm.id for o in proof.open if isinstance(o, Outcome)} == wanted,
                815,
                "the norms left open are not all told",
            )
        self.closure(proof, kind, focus)

    def closure(self, proof: Proof, kind: str, focus: One) -> None:
        """What the book's policy says where no norm speaks."""
        found = closure(self.theory, self.judge, focus) if kind == "may" else None
        if proof.closure is not None:
            got = (proof.closure.kind, proof.closure.act, proof.closure.says, proof.closure.cite)
            self.need(got == found, 816, f"the policy does not say “{proof.closure.says}” of this act")
            self.need(not proof.winners, 816, "the policy's word on silence is used though a norm speaks")
        elif kind == "may" and not proof.winners and proof.verdict in (p.PERMITTED, p.FORBIDDEN):
            self.problem(816, "nothing is named that decides")

    def defeat(self, loser: Outcome, winner: Outcome, principle: m.Principle | None) -> None:
        found = j.stronger(self.theory, winner.norm, loser.norm)
        name = principle.name if principle else "no principle"
        self.need(
            found is not None and found == principle, 820, f"{winner.norm.id} does not beat {loser.norm.id} on {name}"
        )
        for o in (loser, winner):
            self.outcome(o)
            self.need(o.status is not False, 820, f"{o.norm.id} is in a contest and does not apply")

    def holds(self, proof: Proof) -> None:
        thing, c = self.judge.things[proof.question.thing], proof.question.condition
        if self.need(len(proof.steps) == 1 and c is not None, 830, "there is no step for what is asked"):
            assert c is not None
            self.condition(proof.steps[0], c, thing, self.bound(thing), self.judge)
            verdict = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[proof.steps[0].value]
            self.need(proof.verdict == verdict, 830, f"the step says {verdict}, the proof {proof.verdict}")

    def bound(self, thing: One) -> j.Env:
        return {"this": thing, **self.judge.things}

    def number(self, proof: Proof) -> None:
        thing = self.judge.things[proof.question.thing]
        if not self.need(len(proof.steps) == 1, 840, "there is no step for what is asked"):
            return
        step = proof.steps[0]
        self.quantity(step, thing, proof.question.quantity, j.NONE, self.judge)
        self.need(step.value == proof.value, 840, f"the step comes to {step.value}, the proof says {proof.value}")
        self.need((proof.verdict == p.VALUE) == (proof.value is not None), 840, "the verdict does not fit the number")
        rows = [c for c in step.parts if isinstance(c, Contribution)]
        self.need(list(proof.contributions) == rows, 840, "the contributions told are not those of the step")
        self.need(
            {o.norm.id for o in proof.winners} == {r.outcome.norm.id for r in rows if r.state == "counts"},
            841,
            "the norms said to decide are not those that count",
        )
        self.need(
            {d.loser.norm.id for d in proof.defeats}
            == {r.outcome.norm.id for r in rows if r.state == "beaten" and r.principle},
            841,
            "the norms beaten are not all told",
        )

    # ── effects ──

    def effects(self, proof: Proof) -> None:
        event = self.judge.things[proof.question.thing]
        told = {o.norm.id: o for o in proof.considered}
        for norm in self.theory.norms.values():
            if isinstance(norm.head, m.Effect) and norm.id not in told:
                self.need(
                    self.judge.status(norm, event) is False, 850, f"{norm.id} could have an effect and is left out"
                )
        direct = {(t, c): n for t, c, n in happens(self.judge, event)}
        got = {(c.thing, c.cls) for c in proof.effects if c.direct}
        self.need(got == set(direct), 851, f"the effects are {tell(set(direct))}, not {tell(got)}")
        after = Judge(self.theory, self.judge.case, added(self.judge, direct), {*self.judge.done, event.name})
        for c in proof.effects:
            self.caused(c, event, after)
        self.need(
            (proof.verdict == p.EFFECTS) <= bool(proof.effects), 851, "the proof speaks of effects and names none"
        )
        self.need(
            {id(o) for o in proof.winners} == {id(c.by) for c in proof.effects},
            851,
            "the norms said to decide are not those that cause the effects",
        )
        for o in told.values():
            head = o.norm.head
            if o.status is None and o not in proof.open and isinstance(head, m.Effect):
                ends, _ = self.judge.follow(event, m.Path(head.path.root or "this", head.path.steps), {"this": event})
                brought = {(c.thing, c.cls) for c in proof.effects}
                self.need(
                    bool(head.path.root) or (ends and all((y.name, head.cls) in brought for y in ends)),
                    815,
                    f"{o.norm.id} is left open, and is not told",
                )

    def caused(self, c: Caused, event: One, after: Judge) -> None:
        self.outcome(c.by, after if not c.direct else self.judge)
        self.need(c.by.status is True, 852, f"{c.by.norm.id} does not apply and is said to cause {c.cls}")
        head = c.by.norm.head
        if c.direct:
            self.need(
                isinstance(head, m.Effect) and head.cls == c.cls and c.by.focus.name == event.name,
                852,
                f"{c.by.norm.id} does not cause {c.cls} on {event.name}",
            )
        else:
            thing = after.things.get(c.thing)
            fits = isinstance(head, m.CountsAs) and head.target == c.cls and c.by.focus.name == c.thing
            self.need(
                fits and thing and after.member(thing, c.cls, thing),
                852,
                f"{c.thing} does not come to count as {c.cls}",
            )

    # ── which ──

    def which(self, proof: Proof) -> None:
        q, classes = proof.question, self.theory.vocabulary.classes
        kinds = () if q.things else classes[q.cls].descendants - {q.cls}
        wanted = set(q.things) or {n for n in kinds if self.theory.vocabulary.own_word(n) is None}
        self.need(
            {n for n, _ in proof.which} == wanted and len(proof.which) == len(wanted),
            860,
            "the candidates are not all there",
        )
        yes: list[str] = []
        no: set[str] = set()
        for name, found in proof.which:
            wanted_case = candidate(self.case, name)
            self.need(found.question == wanted_case.question, 861, f"for {name} another question is answered")
            self.problems += certify(found, self.theory, wanted_case)
            if found.answer == "yes" or found.verdict == p.EFFECTS:
                yes.append(name)
            elif found.answer == "no":
                no.add(name)
        if q.cls:
            yes = [n for n in yes if not no & classes[n].descendants]
            yes = [n for n in yes if not any(o != n and o in classes[n].ancestors for o in yes)]
        self.need(set(proof.chosen) == set(yes), 862, f"the answer is {', '.join(yes) or 'none'}")
        self.gathered(proof, [found for _, found in proof.which])

    # ── what it rests on, what would turn it ──

    def rests(self, proof: Proof) -> None:
        """Every presumption below the decision is named and no other, and so the rules it needs; the grade fits."""
        roots: list[object] = [*proof.winners, *proof.steps]
        if proof.verdict != p.UNDETERMINED:
            roots += [o for o in proof.considered if o.status is False and self.matters(proof, o)]
        self.assumed(proof, grounds.presumptions(proof, roots, self.of))
        missing = grounds.needed(proof, roots, self.judge)
        self.need(missing == set(proof.needs), 871, f"needed and not loaded: {', '.join(sorted(missing)) or 'nothing'}")
        grade = (
            p.UNDECIDED
            if proof.verdict == p.UNDETERMINED
            else p.NEEDS
            if proof.needs
            else p.ASSUMING
            if proof.assumptions
            else p.DEFINITE
        )
        self.need(proof.grade == grade, 872, f"the grade should be “{grade}”, not “{proof.grade}”")
        for rule in sorted(grounds.cited(proof, self.judge) - set(proof.cites)):
            self.problem(873, f"{rule} decides, and is not cited")
        for rule in sorted({*proof.cites, *proof.also} - grounds.known_rules(proof, self.judge)):
            self.problem(873, f"{rule} is cited, and nothing in the proof is of it")

    def gathered(self, proof: Proof, found: Sequence[Proof]) -> None:
        """An answer that is made of others rests on all that they rest on, and on nothing else."""
        for name in ("assumptions", "needs", "cites"):
            whole = {x for one in found for x in getattr(one, name)}
            told = set(getattr(proof, name))
            for x in sorted(map(str, whole - told)):
                self.problem(874, f"{x} is of an answer that this one is made of, and not among its {name}")
            for x in sorted(map(str, told - whole)):
                self.problem(874, f"{x} is among the {name}, and of none of the answers that this one is made of")
        tried = {rule for one in found for rule in (*one.also, *one.cites)}
        for rule in sorted(set(proof.also) - tried):
            self.problem(874, f"{rule} is said to be tried, and by none of the answers that this one is made of")
        grade = p.NEEDS if proof.needs else p.ASSUMING if proof.assumptions else p.DEFINITE
        self.need(proof.grade == grade, 872, f"the grade should be “{grade}”, not “{proof.grade}”")

    def of(self, step: Step) -> grounds.Where:
        """The case in which a step was found, and its thing there."""
        return self.where.get(id(step)) or (self.judge, find(self.judge, step.thing.name))

    def assumed(self, proof: Proof, wanted: set[grounds.Presumed]) -> None:
        """What is presumed is named, and what is named is presumed, in the words for it."""
        named = {(a.kind, a.thing, a.term): a.text for a in proof.assumptions}
        for kind, thing, term, text in sorted(wanted):
            what = f"{kind} of {term or 'the act'} for {thing}"
            if self.need((kind, thing, term) in named, 870, f"{what} is assumed and not named") and text:
                said = named[kind, thing, term]
                self.need(said == text, 870, f"{what} reads “{text}”, not “{said}”")
        known = {x[:3] for x in wanted}
        for kind, thing, term in named.keys() - known:
            self.problem(870, f"{kind} of {term or 'the act'} for {thing} is named and not assumed")

    def matters(self, proof: Proof, o: Outcome) -> bool:
        """Whether the answer would be another if a norm applied that does not."""
        head, kind = o.norm.head, proof.question.kind
        if isinstance(head, m.QuantityHead) and head.op == m.SETS:
            return not any(j.stronger(self.theory, w.norm, o.norm) for w in proof.winners)
        if not isinstance(head, m.Deontic):
            return True
        statuses = {x.norm.id: x.status for x in proof.considered} | {o.norm.id: True}
        return (
            contest(self.theory, self.judge, kind, self.judge.things[proof.question.thing], statuses)[0]
            != proof.verdict
        )

    def what_if(self, proof: Proof) -> None:
        """Each flip turns the answer as it says; each missing fact would lead where it says."""
        for flip in proof.flips:
            theory, case = self.theory, self.case
            if flip.kind == "facts":
                for edit in flip.edits:
                    case = edit.apply(case)
            elif flip.kind == "rule":
                norm_id = flip.change.removeprefix("without ")
                theory = replace(theory, norms={k: n for k, n in theory.norms.items() if k != norm_id})
                self.need(norm_id in self.theory.norms, 890, f"there is no norm {norm_id} to be without")
            else:
                norms = reading(theory, flip.change)
                self.need(norms is not None, 890, f"“{flip.change}” is no other reading")
                theory = replace(theory, norms=norms or theory.norms)
            found = answer(theory, case)
            self.need(
                found == flip.verdict != said(proof), 890, f"“{flip.change}” leads to {found}, not {flip.verdict}"
            )
            self.need(
                flip.value is None or p.shown(flip.value) == found,
                890,
                f"“{flip.change}” leads to {found}, not {flip.value}",
            )
        for row in proof.missing:
            for edits, then in zip(row.edits, (row.if_true, row.if_false), strict=True):
                case = self.case
                for edit in edits:
                    case = edit.apply(case)
                found = answer(self.theory, case) if edits and possible(self.theory, case) else "impossible"
                self.need(found == then, 891, f"“{row.asks}” leads to {found}, not {then}")
            settles = p.UNDETERMINED not in (row.if_true, row.if_false)
            self.need(settles or not row.settles, 891, f"“{row.asks}” does not settle it")
            self.need(row.settles or not settles or row.if_true == row.if_false, 891, f"“{row.asks}” settles it")

    # ── norms ──

    def outcome(self, o: Outcome, judge: Judge | None = None) -> None:
        """A norm tried: it is the book's, and its status follows from its head, condition and exceptions."""
        judge = judge or self.judge
        if (id(o), id(judge)) in self.seen:
            return
        self.seen.add((id(o), id(judge)))
        norm = self.theory.norms.get(o.norm.id)
        if not self.need(
            norm == o.norm and norm is not None, 821, f"{o.norm.id} is not in the book as the proof has it"
        ):
            return
        x = find(judge, o.focus.name)
        if x is None:
            return self.problem(822, f"the case has no thing “{o.focus.name}”")
        assert norm is not None
        env: j.Env = {"this": x, "norm": norm.id}
        subject = j.subject_of(norm.head)
        self.within.append(("norm", norm.id, x.name))
        if o.head is not None and o.head.why == "other-kind":
            fits = same(o.head.node, m.Named(subject)) and o.head.thing.name == x.name and o.head.value is False
            self.need(fits and not judge.speaks(x, subject), 843, f"{x.name} may be a {subject}")
        elif o.head is not None:
            self.condition(o.head, m.Named(subject), x, env, judge)
        if o.when is not None:
            self.condition(o.when, norm.when, x, env, judge)
        for (unless, step), own in zip(o.unless, norm.unless, strict=False):
            if self.need(unless == own, 823, f"{norm.id} has no exception “{unless.label}” there"):
                self.condition(step, own.condition, x, dict(env), judge)
        self.within.pop()
        told = [o.head.value if o.head else None if subject else True, o.when.value if o.when else None]
        tried = [s.value for _, s in o.unless]
        met = False in told or True in tried
        whole = len(tried) == len(norm.unless) and o.when is not None
        follows: j.Tri = (
            False if met else True if whole and None not in told and not any(t is not False for t in tried) else None
        )
        if not met and not whole and o.status is not False:
            self.problem(823, f"{norm.id}: a part of it was not tried")
        if not (o.head is None and o.when is None):
            self.need(o.status is follows, 824, f"{norm.id}: from its parts follows {follows}, not {o.status}")
        found = judge.status(norm, x)
        self.need(o.status is found, 824, f"{norm.id} on {x.name} should be {found}, not {o.status}")
        soft = any(s.soft for s in (o.head, o.when, *(s for _, s in o.unless)) if s is not None)
        if o.status is False:
            why = grounds.deciding(o)
            soft = why is not None and why.soft
            circular = ("norm", norm.id, x.name) in self.within
            self.need(
                circular or (why is not None and why.value is (o.exception is not None)),
                823,
                f"{norm.id} is said not to apply, and not why",
            )
        self.need(o.soft or not soft or o.status is None, 825, f"{norm.id} hides that it rests on a presumption")

    # ── conditions ──

    def condition(self, step: Step, c: m.Condition, x: One, env: j.Env, judge: Judge) -> None:
        """A step claims a value for a condition on a thing."""
        while isinstance(c, (m.Bind, m.Of)):
            if isinstance(c, m.Bind):
                env[c.var], c = x, c.of
            else:
                y = env.get(c.root) or judge.things.get(c.root)
                if y is None:
                    self.need(step.value is None, 831, f"{c.root} stands for nothing")
                    return None
                x, c = y, c.condition
        if not self.need(same(step.node, c), 831, f"a step on “{step.node}” stands where “{c}” is asked"):
            return
        if not self.need(step.thing.name == x.name, 832, f"a step speaks of {step.thing.name} where {x.name} is asked"):
            return
        self.where.setdefault(id(step), (judge, x))
        key = (id(step), id(judge), tuple(sorted((k, v.name) for k, v in env.items() if isinstance(v, One))))
        if key in self.seen:
            return
        self.seen.add(key)
        parts = [q for q in step.parts if isinstance(q, Step)]
        if step.value is not None and not isinstance(c, (m.Compare,)):
            self.need(
                step.soft or not any(q.soft for q in parts),
                833,
                f"“{c}” of {x.name} hides that it rests on a presumption",
            )
        before = dict(env)
        match c:
            case m.Named(name):
                self.member(step, name, x, judge, env)
            case m.And(conds):
                self.junction(step, conds, x, env, judge, False)
            case m.Except(base, carve, _):
                self.junction(step, (base, m.Not(carve)), x, env, judge, False)
            case m.Or(conds):
                self.junction(step, conds, x, env, judge, True)
            case m.Not(of):
                if self.need(len(parts) == 1, 834, f"“{c}” needs one part"):
                    self.condition(parts[0], of, x, dict(env), judge)
                    self.need(step.value is j.no(parts[0].value), 835, f"“{c}” does not follow from its part")
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                self.restriction(step, c, role, filler, x, env, judge)
            case m.HasValue(role, target):
                reached = next((q for q in step.parts if isinstance(q, Reached)), None)
                if (
                    self.need((reached is not None) == (step.value is True), 836, f"“{c}” of {x.name} shows no value")
                    and reached
                ):
                    self.reached(reached, role, x, judge)
                    ends, _ = judge.follow(x, target, before)
                    self.need(
                        any(e.name == reached.thing.name for e in ends), 836, f"{reached.thing.name} is not {target}"
                    )
                for o in step.parts if step.why == "barred" else ():
                    self.outcome(o, judge)
                    head = o.norm.head
                    bars = isinstance(head, m.Relates) and head.negated and o.status is True
                    self.need(bars, 836, f"{o.norm.id} does not bar {c} of {x.name}")
            case m.Flag(name, flag):
                self.flag(step, name, flag, x)
            case m.Compare(left, sign, right):
                if self.need(len(parts) == 2, 834, f"“{c}” needs two parts"):
                    a, b = (self.expression(q, e, x, env, judge) for q, e in zip(parts, (left, right), strict=True))
                    follows = None if a is None or b is None else bool(j.COMPARE[sign](a, b))
                    self.need(step.value is follows, 837, f"“{c}” is {follows}: {a} {sign} {b}")
        found = judge.holds(c, x, before)
        self.need(step.value is found, 838, f"“{c}” of {x.name} should be {found}, not {step.value}")

    def flag(self, step: Step, name: str, flag: bool, x: One) -> None:
        """What is true or false of a thing: stated, presumed absent where the ontology lets one, or not known."""
        stated = x.facts.flags.get(name)
        absent = self.theory.vocabulary.properties[name].when_unstated == ABSENT and name not in x.facts.unknown
        why = "stated" if stated is not None else "presumed" if absent else "unknown"
        self.need(step.why == why, 842, f"{name} of {x.name} is {why}, not {step.why}")
        self.need(step.soft or why != "presumed", 844, f"{name} of {x.name} is presumed and does not say so")

    def junction(
        self, step: Step, conds: Sequence[m.Condition], x: One, env: j.Env, judge: Judge, telling: bool
    ) -> None:
        """`and` (telling False) and `or` (telling True): one part that decides, or all of them."""
        parts = list(step.parts)
        if step.why == "join":
            return self.joined(step, conds, x, env, judge)
        if (step.value is telling and len(parts) == 1 and len(conds) > 1) or len(conds) == 1:
            at = (
                next(
                    (i for i, c in enumerate(conds) if same(core(c), parts[0].node) and parts[0].value is telling), None
                )
                if parts
                else None
            )
            if self.need(
                at is not None and parts[0].value is step.value, 834, f"“{step.node}” does not follow from its part"
            ):
                assert at is not None
                for c in conds[:at]:
                    env.update(next((e for v, e in judge.worlds(c, x, env) if v is not False), {}))
                self.condition(parts[0], conds[at], x, env, judge)
            return
        if not self.need(len(parts) == len(conds), 834, f"“{step.node}” lacks a part"):
            return
        for c in conds:
            # Where no names are bound, the parts may have been tried in any order.
            fits = [q for q in parts if same(q.node, core(c))] if not j.binds(m.And(tuple(conds))) else parts[:1]
            if self.need(fits, 834, f"“{step.node}” lacks the part “{c}”"):
                parts.remove(fits[0])
                known = dict(env)
                self.condition(fits[0], c, x, env, judge)
                if fits[0].value is None and j.binds(c):  # what it would bind, if it were so, the parts behind it name
                    env.update(
                        next((e for v, e in judge.worlds(c, x, known) if v is None and e.keys() > known.keys()), {})
                    )
        parts = list(step.parts)
        join = j.either if telling else j.both
        self.need(step.value is join(q.value for q in parts), 835, f"“{step.node}” does not follow from its parts")

    def joined(self, step: Step, conds: Sequence[m.Condition], x: One, env: j.Env, judge: Judge) -> None:
        """Every way to bind the names of a conjunction was tried, and none bears it out."""
        values = []
        for attempt in step.parts:
            bound = dict(env)
            for part, c in zip(attempt.parts, conds, strict=False):
                inner = core(c)
                if isinstance(inner, m.Some) and part.value is None and part.why == "some" and len(part.parts) == 1:
                    names = {y.name: y for y in judge.links(x, inner.role).things}
                    y = self.through(inner.filler, part.parts[0], names, bound, judge)
                    if self.need(
                        y is not None, 836, f"{x.name} has no {inner.role} that is {part.parts[0].thing.name}"
                    ):
                        self.condition(part.parts[0], inner.filler, y, bound, judge)  # type: ignore[arg-type]
                else:
                    self.condition(part, c, x, bound, judge)
            follows = j.both(part.value for part in attempt.parts)
            self.need(
                attempt.value is follows and follows is not True, 835, f"“{step.node}” does not follow from its parts"
            )
            self.need(follows is False or len(attempt.parts) == len(conds), 834, f"“{step.node}” lacks a part")
            values.append(attempt.value)
        self.need(step.value is j.either(values), 835, f"“{step.node}” does not follow from what was tried")

    def restriction(
        self, step: Step, c: Any, role: m.Role, filler: m.Condition, x: One, env: j.Env, judge: Judge
    ) -> None:
        """`some`, `only` and counting: a witness that is there, or all there are."""
        links = judge.links(x, role)
        if step.value is not None:
            whys = {m.Some: ("some", "none", "blank"), m.Only: ("only",), m.Count: ("count",)}[type(c)]
            self.need(step.why in whys, 848, f"“{step.why}” is no reason for “{c}” of {x.name}")
            self.need(step.why != "none" or not links.things, 848, f"{x.name} has some {role}")
        parts = [q for q in step.parts if isinstance(q, Step)]
        reached = next((q for q in step.parts if isinstance(q, Reached)), None)
        names = {y.name: y for y in links.things}
        for part in parts if step.why != "blank" else ():
            y = self.through(filler, part, names, env, judge)
            if y is None:
                self.problem(836, f"{x.name} has no {role} that is {part.thing.name}")
            else:
                self.condition(part, filler, y, env if reached else dict(env), judge)
        if isinstance(c, m.Count):
            follows = j.count(c.kind, c.n, [q.value for q in parts], links.complete)
            self.need(
                len(parts) == len(names) and step.value is follows,
                839,
                f"“{c}” of {x.name} does not follow from what was counted",
            )
            hidden = step.value is not None and links.presumed and not step.soft
            self.need(not hidden, 833, f"“{c}” of {x.name} hides that the list is presumed complete")
            return
        witness = isinstance(c, m.Some)
        if step.why == "blank":
            fits = witness and links.untold and judge.things.get(x.name) is x and len(parts) == 1
            if self.need(fits and step.soft and not step.value, 839, f"“{c}”: what {role} of {x.name} is, is told"):
                blank = judge.blank(x, role.name)
                self.condition(parts[0], filler, blank, dict(env), judge)
                self.need(parts[0].value is False, 839, f"“{c}” of {x.name} does not follow from {blank.name}")
            return
        if reached is not None:
            self.reached(reached, role, x, judge)
            fits = len(parts) == 1 and parts[0].value is witness and step.value is witness
            self.need(fits, 836, f"“{c}” of {x.name} does not follow from {reached.thing.name}")
            return
        self.need(len(parts) == len(names), 839, f"“{c}” of {x.name}: not every {role} was looked at")
        whole = [*(q.value for q in parts), None if not links.complete else not witness]
        follows = j.either(whole) if witness else j.both(whole)
        self.need(step.value is follows, 839, f"“{c}” of {x.name} is {follows} by what was looked at")
        if step.value is not None and links.presumed:
            self.need(step.soft, 833, f"“{c}” of {x.name} hides that the list is presumed complete")

    def through(self, filler: m.Condition, part: Step, names: dict[str, One], env: j.Env, judge: Judge) -> One | None:
        """The value that a part speaks of; a filler that starts elsewhere (`x: …`) is told by its place alone."""
        inner = filler
        while isinstance(inner, m.Bind):
            inner = inner.of
        if isinstance(inner, m.Of):
            return next(iter(names.values()), None)
        return names.get(part.thing.name)

    def reached(self, reached: Reached, role: m.Role, x: One, judge: Judge) -> None:
        """A value that a property is said to have, and how it is known."""
        y = find(judge, reached.thing.name)
        if not self.need(
            y is not None and y in judge.links(x, role).things,
            836,
            f"{x.name} has no {role} that is {reached.thing.name}",
        ):
            return
        assert y is not None
        code, detail = reached.why
        prop = self.theory.vocabulary.properties[role.name]
        a, b = (y, x) if role.inverse else (x, y)
        if code == "stated":
            stated = any(b.name in a.facts.links.get(q, ()) for q in prop.below) or any(
                a.name in b.facts.links.get(q, ()) for q in prop.inverses
            )
            made = (y.made and y.made[0] is x) or (x.made and x.made[0] is y)
            self.need(stated or made, 836, f"the case does not state {role} of {x.name}: {y.name}")
        elif code == "implied":
            self.need(y.made is not None and y.made[0] is x, 836, f"no axiom implies {y.name}")
        elif code == "norm":
            outcome, step = detail
            self.outcome(outcome, judge)
            head = outcome.norm.head
            if self.need(
                isinstance(head, m.Relates) and not head.negated and outcome.status and step.value,
                836,
                f"{outcome.norm.id} does not relate {x.name} to {y.name}",
            ):
                to = y if outcome.focus.name == x.name else x
                # What the norm's condition has named may be spoken of in what it relates to.
                bound = {k: find(judge, v.name) for k, v in outcome.env.items() if isinstance(v, Thing)}
                bound["this"] = find(judge, outcome.focus.name)
                self.condition(step, head.to, to, {**bound, "norm": outcome.norm.id}, judge)
        elif code == "chain":
            self.need(detail in prop.chains or detail[0] in prop.below, 836, f"no chain of {role} is {detail}")
        elif code == "module":
            self.need(detail[0] == prop.derived, 836, f"{role} is not worked out by {detail[0]}")

    # ── membership ──

    def member(self, step: Step, cls: str, x: One, judge: Judge, env: j.Env) -> None:
        """That a thing is of a class, for the reason given."""
        classes = self.theory.vocabulary.classes
        parts = [q for q in step.parts if isinstance(q, Step)]
        outs = [q for q in step.parts if isinstance(q, Outcome)]
        says = f"that {x.name} is {'' if step.value else 'not '}{cls}"
        why = step.why
        if why == "stated":
            self.need(cls in x.facts.is_, 842, f"the case does not state {says}")
        elif why in ("inferred", "staged") and not parts:
            self.need(
                any(cls in classes[c].ancestors for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} is not in the class tree",
            )
            self.need(why == "inferred" or x.made is not None, 843, f"{x.name} was not made up")
        elif why == "inferred":
            self.need(
                str(parts[0].node) in classes[cls].descendants and parts[0].value is True,
                843,
                f"{says} is not in the class tree",
            )
        elif why == "denied":
            self.need(any(cls in classes[c].descendants for c in x.facts.not_), 842, f"the case does not deny {says}")
        elif why == "disjoint":
            self.need(
                any(cls in classes[c].disjoint for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} does not follow from disjointness",
            )
        elif why == "presumed":
            term = classes[cls]
            withdrawn = any(u in term.ancestors for u in x.facts.unknown)
            self.need(
                term.when_unstated in (ABSENT, CONCLUDED) and not withdrawn,
                844,
                f"the ontology does not let anyone presume {says}",
            )
            self.need(step.soft and step.value is False, 844, f"{says} is presumed and does not say so")
        elif why in ("counts", "counts-not"):
            positive = why == "counts"
            for o in outs:
                head = o.norm.head
                reach = isinstance(head, m.CountsAs) and head.negated != positive and cls in (
                    classes[head.target].ancestors if positive else classes[head.target].descendants)  # fmt: skip
                self.need(
                    reach and o.status is True and o.focus.name == x.name, 845, f"{o.norm.id} does not say {says}"
                )
            self.need(outs, 845, f"no norm says {says}")
        elif why == "defined":
            known = self.theory.definitions.get(cls, ())
            self.need(
                parts and any(same(parts[0].node, core(d)) for d in known) and parts[0].value is step.value,
                846,
                f"no definition says {says}",
            )
        elif why == "effect":
            self.need(
                outs and self.brought(outs[0], cls, x, judge), 847, f"nothing that has happened makes {x.name} a {cls}"
            )
            return self.rest_of_member(step, cls, x, judge, env, [], parts)
        elif why in ("module", "unknown", "open", "conflict", "circular"):
            derived = bool(classes[cls].derived)
            if why == "module" and derived:
                again = modules.member(judge, classes[cls].derived, cls, x, env["this"])  # type: ignore[arg-type]
                self.need(again is None or step.soft >= again.soft, 833, f"{x.name} {cls}: a presumption is hidden")
            inside = why != "circular" or ("is", cls, x.name) in self.within
            self.need(inside, 848, f"{says} leans on nothing that leans on it")
            self.need(
                derived == (why == "module") or (derived and step.value is None),
                848,
                f"{cls} is not worked out by a module",
            )
            self.need(
                why == "module" or (step.value is None) == (why != "circular"),
                848,
                f"{says} is called {why} and has a value",
            )
        else:
            self.problem(848, f"“{why}” is no reason for {says}")
        self.rest_of_member(step, cls, x, judge, env, outs, parts)

    def rest_of_member(
        self, step: Step, cls: str, x: One, judge: Judge, env: j.Env, outs: list[Outcome], parts: list[Step]
    ) -> None:
        self.within.append(("is", cls, x.name))
        for o in outs:
            self.outcome(o, self.at(o, judge))
        for part in parts:
            known = [d for d in self.theory.definitions.get(cls, ()) if same(core(d), part.node)]
            self.condition(part, known[0] if known else m.Named(str(part.node)), x, {"this": x}, judge)
        self.within.pop()
        self.need(
            step.soft or not any(getattr(q, "soft", False) for q in (*outs, *parts)) or step.value is None,
            833,
            f"{x.name} {cls}: a presumption is hidden",
        )

    def at(self, o: Outcome, judge: Judge | None = None) -> Judge:
        """The case in which an outcome was found: an effect of an act that has happened, before that act."""
        if isinstance(o.norm.head, m.Effect) and o.focus.name in self.case.history:
            return self.stages[self.case.history.index(o.focus.name)]
        return judge or self.judge

    def brought(self, o: Outcome, cls: str, x: One, judge: Judge) -> bool:
        """Whether an act that has happened made x a cls by this norm."""
        head = o.norm.head
        acts = [*self.case.history] + ([self.case.question.thing] if judge not in self.stages else [])
        for name, earlier in zip(acts, self.stages, strict=False):
            if (
                name == o.focus.name
                and isinstance(head, m.Effect)
                and cls in self.theory.vocabulary.classes[head.cls].ancestors
            ):
                self.outcome(o, earlier)
                if o.status is True and (x.name, head.cls) in {
                    (t, c) for t, c, _ in happens(earlier, earlier.things[name])
                }:
                    return head.cls in judge.caused.get(x.name, ())
        return False

    # ── numbers ──

    def expression(self, step: Step, e: m.Expr, x: One, env: j.Env, judge: Judge) -> Fraction | None:
        """Checks what a step claims for an expression; returns the step's value."""
        self.where.setdefault(id(step), (judge, x))
        parts = [q for q in step.parts if isinstance(q, Step)]
        without = env.get("without", j.NONE)
        if isinstance(e, m.Path) and not e.root and len(e.steps) == 1:
            self.quantity(step, x, e.steps[0], without if x is env["this"] else j.NONE, judge)
            return step.value  # type: ignore[no-any-return]
        if not self.need(same(step.node, e), 831, f"a step on “{step.node}” stands where “{e}” is asked"):
            return step.value  # type: ignore[no-any-return]
        follows: Fraction | None = None
        match e:
            case m.Num(value):
                follows = value
            case m.Path(root, steps):
                ends, _ = judge.follow(x, m.Path(root, steps[:-1]), env)
                for part in parts:
                    y = next((end for end in ends if end.name == part.thing.name), None)
                    if self.need(y is not None, 836, f"{e} does not lead to {part.thing.name}"):
                        assert y is not None
                        self.quantity(part, y, steps[-1], j.NONE, judge)
                values = {q.value for q in parts}
                follows = values.pop() if len(values) == 1 else None
            case m.Otherwise(quantity):
                if self.need(len(parts) == 1, 834, f"“{e}” needs one part"):
                    self.quantity(parts[0], env["this"], quantity, without | {env["norm"]}, judge)
                    follows = parts[0].value
            case m.Arith(op, left, right):
                if self.need(len(parts) == 2, 834, f"“{e}” needs two parts"):
                    follows = j.arith(
                        op, *(self.expression(q, a, x, env, judge) for q, a in zip(parts, (left, right), strict=True))
                    )
            case m.Call(function, args):
                if self.need(len(parts) == len(args), 834, f"“{e}” lacks a part"):
                    follows = j.call(
                        function, [self.expression(q, a, x, env, judge) for q, a in zip(parts, args, strict=True)]
                    )
            case m.Lookup(table, how, key, column, shift):
                wanted = [key] if shift is None else [key, shift]
                if self.need(len(parts) == len(wanted), 834, f"“{e}” lacks a part"):
                    got = [self.expression(q, a, x, env, judge) for q, a in zip(parts, wanted, strict=True)]
                    follows = j.lookup(
                        self.theory.tables[table], how, got[0], column, got[1] if shift is not None else Fraction(0)
                    )
            case m.Aggregate(_, _, filler, quantity):
                for part in parts:
                    y = find(judge, part.thing.name)
                    if y is not None and str(part.node) == quantity:
                        self.quantity(part, y, quantity, j.NONE, judge)
                    elif y is not None:
                        self.condition(part, filler, y, dict(env), judge)
                follows = judge.number(e, x, env)
        self.need(step.value == follows, 849, f"“{e}” comes to {follows}, not {step.value}")
        return step.value  # type: ignore[no-any-return]

    def quantity(self, step: Step, x: One, name: str, without: frozenset[str], judge: Judge) -> None:
        """A number of a thing: every norm that bears on it is there, and the sum is right."""
        if not self.need(
            str(step.node) == name and step.thing.name == x.name,
            831,
            f"a step on “{step.node}” of {step.thing.name} stands where {name} of {x.name} is asked",
        ):
            return
        self.where.setdefault(id(step), (judge, x))
        if (id(step), without) in self.seen:
            return
        self.seen.add((id(step), without))
        found = judge.quantity(x, name, without)
        self.need(step.value == found, 849, f"{name} of {x.name} is {found}, not {step.value}")
        if step.why == "circular":
            self.need(
                step.value is None and ("number", name, x.name) in self.within,
                848,
                f"{name} of {x.name} leans on nothing that leans on it",
            )
            return
        rows = {r.norm.id: r for r in judge.rows(x, name, without)}
        judge.total(x, name, list(rows.values()))
        told = {c.outcome.norm.id: c for c in step.parts if isinstance(c, Contribution)}
        for norm_id, row in rows.items():
            self.need(
                norm_id in told or row.status is False, 853, f"{norm_id} bears on {name} of {x.name} and is left out"
            )
        self.within.append(("number", name, x.name))
        for norm_id, c in told.items():
            known = rows.get(norm_id)
            if known is None:
                self.problem(853, f"{norm_id} does not bear on {name} of {x.name}")
                continue
            self.outcome(c.outcome, judge)
            head = known.norm.head
            assert isinstance(head, m.QuantityHead)
            self.need(c.op == head.op and c.bound == head.bound, 854, f"{norm_id} {head.op}, it does not {c.op}")
            state = "idle" if known.status is False else known.state
            self.need(c.state == state, 855, f"{norm_id} is {state}, not {c.state}")
            if c.value is not None:
                env = {**c.outcome.env, "this": x, "norm": norm_id, "without": without}
                env.update({k: find(judge, v.name) for k, v in c.outcome.env.items() if hasattr(v, "facts")})
                self.expression(c.value, head.value, x, env, judge)
            if c.state == "counts":
                self.need(c.value is not None and c.value.value is not None, 855, f"{norm_id} counts without a number")
            if c.state == "beaten":
                self.beaten(c)
        self.within.pop()
        if step.value is not None:
            counts = any(c.state == "counts" for c in told.values())
            derived = self.theory.vocabulary.properties[name].derived
            module = bool(derived) and modules.number(judge, derived, x) is not None  # type: ignore[arg-type]
            why = "computed" if counts else "stated" if name in x.facts.numbers else "module" if module else "default"
            self.need(step.why == why, 842, f"{name} of {x.name} is {why}, not {step.why}")
            self.need(step.soft or why != "default", 844, f"{name} of {x.name} is presumed and does not say so")
        self.need(
            step.soft
            or step.value is None
            or not any(
                c.state == "counts" and (c.outcome.soft or (c.value is not None and c.value.soft))
                for c in told.values()
            ),
            833,
            f"{name} of {x.name} hides that it rests on a presumption",
        )

    def beaten(self, c: Contribution) -> None:
        by = c.by
        if not self.need(by is not None and by.status, 820, f"{c.outcome.norm.id} is beaten by nothing that applies"):
            return
        assert by is not None
        over = j.named(by.norm.over, c.outcome.norm)
        stronger = j.stronger(self.theory, by.norm, c.outcome.norm)
        explicit = (
            c.principle is None or c.principle.name == "explicit" or c.principle == self.theory.policy.principles[0]
        )
        self.need(
            (over and explicit) or (stronger is not None and stronger == c.principle),
            820,
            f"{by.norm.id} does not beat {c.outcome.norm.id} so",
        )


# ── worked out anew ──


def same(a: object, b: object) -> bool:
    """Whether two pieces of the rule language read alike; a recorded proof has them as text."""
    return a is b or str(a) == str(b)


def core(c: m.Condition) -> m.Condition:
    """A condition without the names it binds and without where it starts: what its step is about."""
    while isinstance(c, (m.Bind, m.Of)):
        c = c.of if isinstance(c, m.Bind) else c.condition
    return c


def candidate(case: Case, name: str) -> Case:
    """The case in which a candidate of a `which` question is tried: put in the place that the question names."""
    question, things = case.question, dict(case.things)
    inner = question.inner
    assert inner is not None
    there = bool(question.things) and name in things
    if there:
        inner = replace(inner, thing=name if inner.thing == "each" else inner.thing)
        inner = replace(inner, condition=m.renamed(inner.condition, "each", name) if inner.condition else None)
    elif inner.thing == "each" or m.speaks_of(inner.condition, "each"):
        things["each"] = Facts("each", (name,))
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


def reading(theory: Theory, change: str) -> dict[str, m.Norm] | None:
    """The norms where a dispute is read as a flip says: “D is read as “o””; None for what is read so already, or never."""
    dispute, _, option = change.removesuffix("”").partition(" is read as “")
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


def stages(theory: Theory, case: Case) -> Iterator[Judge]:
    """The case before each act of its history, and after the last."""
    held: list[tuple[str, str, str]] = []
    waiting: list[tuple[str, str]] = []
    judge = Judge(theory, standing(theory.vocabulary, case, ()))
    for number, name in enumerate(case.history):
        yield judge
        event = judge.things[name]
        found = happens(judge, event)
        waiting += may_happen(judge, event)
        held = [h for h in held if not (h[2] and judge.member(event, h[2], event))]
        for thing, cls, norm in found:
            held = [h for h in held if h[0] != thing or h[1] not in theory.vocabulary.classes[cls].disjoint]
            held.append((thing, cls, norm.until))
        made = gathered((t, c) for t, c, _ in held)
        over = tuple(act for act in case.history[: number + 1] if act in before(case))
        judge = Judge(theory, standing(theory.vocabulary, case, over, made), made, case.history[: number + 1])
        for thing, cls in waiting:
            judge.pending.setdefault(thing, set()).add(cls)
    yield judge


def may_happen(judge: Judge, event: One) -> Iterator[tuple[str, str]]:
    """What an event may bring about, as far as the facts are known: (thing, class)."""
    for norm in judge.theory.norms.values():
        if isinstance(norm.head, m.Effect) and judge.status(norm, event) is None:
            envs = [e for v, e in judge.applies(norm, event) if v is not False] or [{"this": event}]
            path = norm.head.path
            ends, _ = judge.follow(event, m.Path(path.root or "this", path.steps), envs[0])
            yield from ((y.name, norm.head.cls) for y in ends)


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for thing, cls in pairs:
        found[thing] = (*found.get(thing, ()), cls)
    return found


def added(judge: Judge, more: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """What was brought about before, and these besides; a later state ends an earlier one that it excludes."""
    pairs = [(t, c) for t, cs in judge.caused.items() for c in cs]
    for thing, cls in more:
        apart = judge.vocabulary.classes[cls].disjoint
        pairs = [(t, c) for t, c in pairs if t != thing or c not in apart]
        pairs.append((thing, cls))
    return gathered(pairs)


def happens(judge: Judge, event: One) -> list[tuple[str, str, m.Norm]]:
    """What an event brings about directly: (thing, class, norm)."""
    found: list[tuple[str, str, m.Norm]] = []
    for norm in judge.theory.norms.values():
        if isinstance(norm.head, m.Effect):
            env = next((e for v, e in judge.applies(norm, event) if v), None)
            if env is not None:
                path = norm.head.path
                ends, _ = judge.follow(event, m.Path(path.root or "this", path.steps), env)
                found += [(y.name, norm.head.cls, norm) for y in ends]
    return [f for f in found if not any(g[0] == f[0] and j.named(g[2].over, f[2]) for g in found)]


def closure(theory: Theory, judge: Judge, focus: One) -> tuple[str, str, str, str] | str:
    """(kind, act, says, cite) of the policy's word on an act of which no norm speaks; "open" or "" otherwise."""
    policy, classes = theory.policy, theory.vocabulary.classes
    fits: list[tuple[str, str, str, str]] = []
    doubt = ""
    rows = [("closed", a, policy.closed_says, policy.closed_cite) for a in policy.closed]
    rows += [("presumed", a, says, "") for a, says in policy.presumed.items()]
    for row in rows:
        held = judge.member(focus, row[1], focus) if judge.speaks(focus, row[1]) else False
        if held:
            fits.append(row)
        elif held is None and row[0] == "closed":
            doubt = "open"
    best = [f for f in fits if not any(g[1] != f[1] and f[1] in classes[g[1]].ancestors for g in fits)]
    best = [f for f in best if f[0] == "closed"] or best
    if doubt and not any(f[0] == "closed" for f in best):
        return doubt
    return best[0] if best else ""


def contest(theory: Theory, judge: Judge, kind: str, focus: One, statuses: dict[str, j.Tri]) -> tuple[str, set[str]]:
    """The verdict, and the norms that decide: each applicable norm of the losing side is beaten by one of the winning."""
    norms = {
        i: n for i, s in statuses.items() if s is not False and (n := theory.norms.get(i))
        and isinstance(n.head, m.Deontic) and n.head.mode in MODES[kind]
    }  # fmt: skip
    silence = closure(theory, judge, focus) if kind == "may" else ""

    def fight(held: set[str]) -> tuple[str, set[str]]:
        pro = {i for i in held if MODES[kind].get(norms[i].head.mode, 0)}  # type: ignore[union-attr]
        con = held - pro
        if not held:
            if not silence:
                return p.SILENT, set()
            return (
                p.UNDETERMINED if isinstance(silence, str) else p.PERMITTED if silence[0] == "presumed" else p.FORBIDDEN
            ), set()
        wins = [
            bool(ours) and all(any(j.stronger(theory, norms[o], norms[t]) for o in ours) for t in theirs)
            for ours, theirs in ((pro, con), (con, pro))
        ]  # fmt: skip
        if wins[0] and not wins[1]:
            return (p.PERMITTED if kind == "may" else p.REQUIRED), pro
        if wins[1] and not wins[0]:
            forbids = any(norms[i].head.mode == m.FORBIDS for i in con)  # type: ignore[union-attr]
            return (p.FORBIDDEN if forbids else p.PERMITTED), con
        return p.CONFLICT, held

    sure = {i for i in norms if statuses[i]}
    doubtful = [i for i in norms if statuses[i] is None]
    first = fight(sure)
    if doubtful and (len(doubtful) > OPEN_LIMIT or any(
        fight(sure | {i for i, on in zip(doubtful, choice, strict=True) if on})[0] != first[0]
        for choice in product((False, True), repeat=len(doubtful))
    )):  # fmt: skip
        return p.UNDETERMINED, set()
    return first


def said(proof: Proof) -> str:
    """An answer as one comparable string, as the flips of a proof say it."""
    if proof.effects:
        return ", ".join(sorted(f"{c.thing} {c.cls}" for c in proof.effects))
    return proof.answer if proof.verdict == p.VALUE else proof.verdict


def answer(theory: Theory, case: Case, judge: Judge | None = None) -> str:
    """The answer to a case, worked out without proof, in the same words as `said`. judge: the last of its stages."""
    judge = judge or list(stages(theory, case))[-1]
    question = case.question
    x = judge.things[question.thing]
    if question.kind in MODES:
        norms = {
            n.id: n
            for n in theory.norms.values()
            if isinstance(n.head, m.Deontic) and n.head.mode in MODES[question.kind]
        }
        return contest(theory, judge, question.kind, x, {i: judge.status(n, x) for i, n in norms.items()})[0]
    if question.kind == "is":
        assert question.condition is not None
        held = judge.holds(question.condition, x, {"this": x, **judge.things})
        return p.HOLDS if held else p.UNDETERMINED if held is None else p.FAILS
    if question.kind == "value":
        number = judge.quantity(x, question.quantity)
        if number is not None:
            return p.shown(number)
        rows = list(judge.rows(x, question.quantity, j.NONE))
        judge.total(x, question.quantity, rows)
        return (
            p.CONFLICT
            if any(r.state == "conflict" for r in rows)
            else p.SILENT
            if rows and all(r.status is False for r in rows)
            else p.UNDETERMINED
        )
    return effect_answer(judge, x)


def effect_answer(judge: Judge, event: One) -> str:
    """The effects of an event in one string: direct ones, and what things then count as."""
    direct = {(t, c) for t, c, _ in happens(judge, event)}
    after = Judge(judge.theory, judge.case, added(judge, sorted(direct)), {*judge.done, event.name})
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
                now = after.things[name]
                counted = head.target not in now.types and after.member(now, head.target, now)
                if (
                    counted
                    and judge.member(judge.things[name], head.target, judge.things[name]) is not True
                    and after.status(norm, now)
                ):
                    found.add((name, head.target))
    if found:
        return ", ".join(sorted(f"{t} {c}" for t, c in found))
    open_ = any(isinstance(n.head, m.Effect) and judge.status(n, event) is None for n in judge.theory.norms.values())
    return p.UNDETERMINED if open_ else p.NO_EFFECT


def tell(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{t} {c}" for t, c in sorted(pairs)) or "none"
