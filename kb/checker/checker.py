"""Checks a proof step by step without the reasoner: what is claimed must follow from the case, the norms and the ontology.

    certify(proof, theory, case) -> problems      empty: the proof is accepted

Each step is held against the piece of a norm that it stands for (its syntax tree, not the reasoner's word), against its
own parts (does the value follow from them, is a needed part missing), and against kb.checker.reference, which works the same thing
out in the plainest way. What a proof claims without showing ("nothing makes it so", "these are all") is worked out too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from kb.checker import reference as j, reference_scope, shape, support
from kb.checker.reference import Judge, One, find
from kb.checker.reference_answers import (
    MODES,
    added,
    answer,
    candidate,
    contest,
    effect_answer,
    happens,
    not_told,
    number_verdict,
    possible,
    reading,
)
from kb.checker.reference_strength import named, stronger
from kb.checker.steps import Walker
from kb.errors import Problem
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Caused, Contribution, Outcome, Step, outcomes_in
from kb.rulebook.records import InForce
from kb.rulebook.theory import Theory

OF_A_BOOK = (
    "book",
    "policy",
    "norms",
    "tables",
    "definitions",
    "specific",
    "vocabulary",
    "chapters",
)  # what an answer can turn on
Quoted = Sequence[tuple[str, str]]  # (rule number, a sentence quoted as that rule's)


def certify(
    proof: Proof, theory: Theory | None = None, case: Case | None = None, *, edition: InForce | None = None,
    deep: bool = False, quoted: Quoted = (), digests: Callable[[str], frozenset[str]] | None = None,
) -> list[Problem]:  # fmt: skip
    """Every fault of a proof; none: accepted.

    theory and case: what the proof is to be held against; its own when left out. edition: what that theory is of, when it
    is known. deep: what it says of missing facts and
    flips is worked out too. quoted: sentences shown with the proof, each of which must have a hash that `digests` gives
    for its rule (SHA-256, hexadecimal, of the sentence with its white space made single).
    """
    checker = Checker(theory or proof.theory, case or proof.case)
    checker.proof(proof, deep)
    if edition is not None:
        checker.need(proof.edition == edition, 805, "the proof is of another edition, or of other errata")
    if digests is not None:
        for rule, sentence in quoted:
            if hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest() not in digests(rule):
                checker.problem(880, f"a sentence quoted as {rule}'s is not in the book as it was imported")
    return checker.problems


class Checker(Walker):
    """Checks one proof: the answer, what it rests on, and what would turn it."""

    # ── the answer ──

    def proof(self, proof: Proof, deep: bool) -> None:
        """Checks a whole proof: what it answers, how, on what. deep: missing facts and flips too."""
        self.need(proof.question == self.case.question, 801, "the proof answers another question")
        self.need(
            proof.case.things == self.case.things and proof.case.history == self.case.history,
            801,
            "the proof is of another case",
        )
        same = all(getattr(proof.theory, name) == getattr(self.theory, name) for name in OF_A_BOOK)
        self.need(proof.theory is self.theory or same, 805, "the proof is of another rulebook")
        for fault in shape.faults(proof):
            self.problem(804, fault)
        if getattr(proof, "cases", ()):
            self.by_cases(proof)
            return self.what_if(proof) if deep else None
        # Worked out before any step is looked at, so that nothing in the proof can colour it.
        found = answer(self.theory, self.case, self.judge) if proof.question.kind != "which" else ""
        later = {id(c.by) for c in proof.effects if not c.direct}
        for o in outcomes_in([*proof.winners, *proof.considered, *proof.steps]):
            if isinstance(o.norm.head, m.Effect) and o.focus.name in self.case.history:
                self.early |= {id(q): self.at(o) for q in outcomes_in([o]) if id(q) not in self.early}
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
        shown = ("verdict", "value", "winners", "considered", "defeats", "effects", "scope")
        one = proof.cases[0][2]
        self.need(all(getattr(proof, f) == getattr(one, f) for f in shown), 803, "what is shown is of neither case")
        self.gathered(proof, [branch for _, _, branch in proof.cases])
        sides = [edits[-1] for _, edits, _ in proof.cases]
        if proof.steps:
            self.asked(proof)
            self.need(proof.steps[0].value is None, 803, "what is asked is settled without two cases")
        rows = [c for s in proof.steps for c in s.parts if isinstance(c, Contribution)]
        self.need([*proof.contributions] == rows, 840, "the contributions told are not those of the step")
        same = len({(e.thing, e.name) for e in sides}) == 1
        kinds = [e.kind for e in sides]
        opposite = kinds == ["is", "not"] or (kinds == ["flag", "flag"] and sides[0].value is not sides[1].value)
        self.need(same and opposite, 803, "the two cases do not leave only these two possibilities")

    def deontic(self, proof: Proof) -> None:
        """Checks an answer to `may` or `must`: every norm tried, who beat whom, the verdict (E810 to E82x)."""
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
        bound = reference_scope.act(self.judge, focus, kind, verdict, sides)
        self.scope(proof, bound)
        follows = bound.verdict
        self.need(proof.verdict == follows, 812, f"from what applies follows {follows}, not {proof.verdict}")
        self.need(
            {o.norm.id for o in proof.winners} == sides, 813, f"what decides is {', '.join(sorted(sides)) or 'nothing'}"
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
            doubtful = [x for x in proof.open if isinstance(x, Step)]
            known = reference_scope.doubts(self.judge, focus) if doubtful or not wanted else set()
            self.need(wanted or doubtful, 815, "nothing is open")
            for x in doubtful:
                role = x.node.role.name if isinstance(x.node, m.Some) else ""
                if role:  # what it is done to is not told, and may matter
                    self.need(
                        role in not_told(self.judge, focus),
                        815,
                        f"that {focus.name} has no {role} does not leave it open",
                    )
                elif self.need(str(x.node) in known, 815, f"that {focus.name} may be {x.node} does not leave it open"):
                    self.condition(x, m.Named(str(x.node)), focus, {"this": focus}, self.judge)

    def scope(self, proof: Proof, bound: reference_scope.Ruled) -> None:
        """What a proof tells of its scope is what the chapters' scopes come to (E816)."""
        for fault in bound.faults(proof.scope):
            self.problem(816, fault)

    def defeat(self, loser: Outcome, winner: Outcome, principle: m.Principle | None) -> None:
        """Checks that one norm beats another on the principle named (E820)."""
        found = stronger(self.theory, winner.norm, loser.norm)
        name = principle.name if principle else "no principle"
        self.need(
            found is not None and found == principle, 820, f"{winner.norm.id} does not beat {loser.norm.id} on {name}"
        )
        for o in (loser, winner):
            self.outcome(o)
            self.need(o.status is not False, 820, f"{o.norm.id} is in a contest and does not apply")

    def asked(self, proof: Proof) -> bool:
        """There is one step, on what is asked."""
        question = proof.question
        thing, c = self.judge.things[question.thing], question.condition
        if not self.need(len(proof.steps) == 1, 830, "there is no step for what is asked"):
            return False
        if c is not None:
            self.condition(proof.steps[0], c, thing, {"this": thing, **self.judge.things}, self.judge)
        else:
            self.quantity(proof.steps[0], thing, question.quantity, j.NONE, self.judge)
        return True

    def holds(self, proof: Proof) -> None:
        """Checks an answer to `is`: its verdict and the norms that decide are those of its step (E813, E830)."""
        if self.asked(proof):
            thing, c = self.judge.things[proof.question.thing], proof.question.condition
            assert c is not None
            bound = reference_scope.condition(self.judge, thing, c, proof.steps[0].value)
            self.scope(proof, bound)
            self.need(proof.verdict == bound.verdict, 830, f"the step says {bound.verdict}, the proof {proof.verdict}")
        applied = {id(o) for o in support.applied(proof.steps)}
        self.need({id(o) for o in proof.winners} == applied, 813, "the norms said to decide are not those of the steps")
        for o in proof.considered:
            winners = [w for w in proof.winners if stronger(self.theory, w.norm, o.norm)]
            lost = bool(o.status and id(o) not in applied and winners)
            told = any(d.loser is o for d in proof.defeats)
            self.need(lost == told, 814, f"{o.norm.id} {'loses, and that is not told' if lost else 'does not lose'}")

    def number(self, proof: Proof) -> None:
        """Checks an answer to `value`: the number is its step's, made of the contributions told (E840)."""
        if not self.asked(proof):
            return
        step = proof.steps[0]
        self.need(step.value == proof.value, 840, f"the step comes to {step.value}, the proof says {proof.value}")
        thing, name = self.judge.things[proof.question.thing], proof.question.quantity
        bound = reference_scope.number(self.judge, thing, name, number_verdict(self.judge, thing, name))
        self.scope(proof, bound)
        self.need(proof.verdict == bound.verdict, 840, f"the verdict should be {bound.verdict}, not {proof.verdict}")
        rows = [c for c in step.parts if isinstance(c, Contribution)]
        self.need(list(proof.contributions) == rows, 840, "the contributions told are not those of the step")
        self.need(
            [id(o) for o in proof.considered] == [id(r.outcome) for r in rows],
            841,
            "the norms tried are not those of the contributions",
        )
        self.need(
            {id(o) for o in proof.winners} == {id(r.outcome) for r in rows if r.state == "counts"},
            841,
            "the norms said to decide are not those that count",
        )
        self.need(
            {(id(d.loser), id(d.winner), d.principle) for d in proof.defeats}
            == {(id(r.outcome), id(r.by), r.principle) for r in rows if r.state == "beaten" and r.principle},
            841,
            "the norms beaten are not all told",
        )
        if proof.verdict == p.UNDETERMINED:
            lacks = [
                r.outcome if r.outcome.status is None or r.value is None else r.value for r in rows if r.state == "open"
            ]
            self.need([id(x) for x in proof.open] == [id(x) for x in lacks or [step]], 815, "what is open is not told")

    # ── effects ──

    def effects(self, proof: Proof) -> None:
        """Checks an answer to `effects`: every norm of the event is tried, every effect caused, none left out."""
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
            proof.verdict == p.UNDETERMINED or (proof.verdict == p.EFFECTS) == bool(proof.effects),
            851,
            "the verdict does not fit the effects",
        )
        self.scope(proof, reference_scope.event(self.judge, event, effect_answer(self.judge, event)))
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
                beaten = {c.thing for c in proof.effects if named(c.by.norm.over, o.norm)}
                self.need(
                    bool(head.path.root)
                    or (ends and all((y.name, head.cls) in brought or y.name in beaten for y in ends)),
                    815,
                    f"{o.norm.id} is left open, and is not told",
                )

    def caused(self, c: Caused, event: One, after: Judge) -> None:
        """Checks one effect, direct or through what a thing then counts as (E852). after: things as they are then."""
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
        """Checks a list: every candidate asked and certified, those chosen that answer yes (E860 to E862)."""
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
        for step in proof.silence:
            thing = self.judge.things[step.thing.name]
            self.condition(step, step.node, thing, {"this": thing}, self.judge)
        roots: list[object] = [*proof.winners, *proof.steps, *proof.silence]
        if proof.verdict != p.UNDETERMINED:
            roots += [o for o in proof.considered if o.status is False and self.matters(proof, o)]
        self.assumed(proof, support.presumptions(proof, roots, self.of))
        for step in support.baseless(roots, self.of):
            self.problem(875, f"“{step.node}” of {step.thing.name} is said to rest on a presumption, and not on which")
        missing = support.needed(proof, roots, self.judge)
        self.need(missing == set(proof.needs), 871, f"needed and not loaded: {', '.join(sorted(missing)) or 'nothing'}")
        grade = graded(proof.verdict, bool(proof.needs) or proof.scope.kind == p.PARTLY, bool(proof.assumptions))
        # What is told of the act and read by no rule keeps the grade from being the highest.
        low = grade == p.SETTLED and proof.grade == p.IF_NOTHING_ELSE and any(row.about for row in proof.unused)
        self.need(low or proof.grade == grade, 872, f"the grade should be “{grade}”, not “{proof.grade}”")
        for rule in sorted(support.cited(proof, self.judge) - set(proof.cites)):
            self.problem(873, f"{rule} decides, and is not cited")
        for rule in sorted({o.norm.rule for o in proof.considered} - {*proof.cites, *proof.also}):
            self.problem(873, f"{rule} was tried, and is not told")
        for rule in sorted(set(proof.cites) & set(proof.also)):
            self.problem(873, f"{rule} is cited, and said only to have been tried")
        for rule in sorted({*proof.cites, *proof.also} - support.known_rules(proof, self.judge)):
            self.problem(873, f"{rule} is cited, and nothing in the proof is of it")

    def gathered(self, proof: Proof, found: Sequence[Proof]) -> None:
        """An answer that is made of others rests on all that they rest on, and on nothing else."""
        for name in ("assumptions", "needs", "cites", "also"):
            whole = {x for one in found for x in getattr(one, name)}
            if name == "also":  # what one of them cites, another may only have tried
                whole -= set(proof.cites)
            told = set(getattr(proof, name))
            for x in sorted(map(str, whole - told)):
                self.problem(874, f"{x} is of an answer that this one is made of, and not among its {name}")
            for x in sorted(map(str, told - whole)):
                self.problem(874, f"{x} is among the {name}, and of none of the answers that this one is made of")
        grade = graded(proof.verdict, bool(proof.needs), bool(proof.assumptions))
        lacks = [p.OPEN[one.verdict] for one in found if one.verdict in p.OPEN]
        if proof.which and not proof.chosen and lacks:
            grade = p.FACT_MISSING if p.FACT_MISSING in lacks else lacks[0]
        low = grade == p.SETTLED and proof.grade == p.IF_NOTHING_ELSE and any(row.about for row in proof.unused)
        self.need(low or proof.grade == grade, 872, f"the grade should be “{grade}”, not “{proof.grade}”")

    def of(self, step: Step) -> support.Where:
        """The case in which a step was found, and its thing there."""
        return self.where.get(id(step)) or (self.judge, find(self.judge, step.thing.name))

    def assumed(self, proof: Proof, wanted: set[support.Presumed]) -> None:
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
        if support.says_why(head):
            return False
        if isinstance(head, m.QuantityHead) and head.op == m.SETS:
            return not any(stronger(self.theory, w.norm, o.norm) for w in proof.winners)
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
                flip.value is None or p.shown(flip.value) == found or flip.verdict == p.OUTSIDE,
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


def graded(verdict: str, others: bool, presumed: bool) -> str:
    """How sure an answer is. others: rules that are not loaded have a say in it; presumed: it rests on presumptions."""
    open_ = {p.UNDETERMINED: p.FACT_MISSING, p.CONFLICT: p.AT_ODDS, p.OUTSIDE: p.NOT_HERE}
    return open_.get(verdict) or (p.PARTLY_HERE if others else p.IF_NOTHING_ELSE if presumed else p.SETTLED)


def said(proof: Proof) -> str:
    """An answer as one comparable string, as the flips of a proof say it."""
    if proof.effects:
        return ", ".join(sorted(f"{c.thing} {c.cls}" for c in proof.effects))
    return proof.answer if proof.verdict == p.VALUE else proof.verdict


def tell(pairs: Iterable[tuple[str, str]]) -> str:
    """Effects in words: each thing with its class, in order."""
    return ", ".join(f"{t} {c}" for t, c in sorted(pairs)) or "none"
