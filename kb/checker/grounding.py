"""What an answer rests on, held against its steps: presumptions, rules that decide or are needed, and so its grade.

kb.checker.support reads off the steps what there is to name; here what the proof names is held against that.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.checker import support
from kb.checker.reference import find
from kb.checker.reference_answers import contest
from kb.checker.reference_strength import stronger
from kb.checker.steps import Walker
from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome, Step


class Grounding(Walker):
    """Checks what an answer says that it rests on."""

    def rests(self, proof: Proof) -> None:
        """Every presumption below the decision is named and no other, and so the rules it needs; the grade fits."""
        for step in proof.silence:
            thing = self.judge.things[step.thing.name]
            self.condition(step, step.node, thing, {"this": thing, **self.judge.things}, self.judge)
        roots: list[object] = [*proof.winners, *proof.steps, *proof.silence, *(s for c in proof.effects for s in c.way)]
        if proof.verdict == p.OUTSIDE:
            roots += proof.open
        if proof.verdict != p.UNDETERMINED:
            roots += [o for o in proof.considered if o.status is False and self.matters(proof, o)]
        self.assumed(proof, support.presumptions(proof, roots, self.of, self.judge))
        for step in support.baseless(roots, self.of):
            self.problem(875, f"“{step.node}” of {step.thing.name} is said to rest on a presumption, and not on which")
        missing = support.needed(proof, roots, self.judge)
        self.need(missing == set(proof.needs), 871, f"needed and not loaded: {', '.join(sorted(missing)) or 'nothing'}")
        grade = graded(proof.verdict, bool(proof.needs) or proof.scope.kind == p.PARTLY, bool(proof.assumptions))
        self.graded(proof, grade)
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
        self.graded(proof, grade)

    def graded(self, proof: Proof, grade: str) -> None:
        """The grade is this one; what is told of the act and read by no rule keeps it from being the highest (E872)."""
        if grade == p.SETTLED and any(row.about for row in proof.unused):
            grade = p.IF_NOTHING_ELSE
        self.need(proof.grade == grade, 872, f"the grade should be “{grade}”, not “{proof.grade}”")

    def of(self, step: Step) -> support.Where:
        """The case in which a step was found, and its thing there."""
        return self.where.get(id(step)) or (self.judge, find(self.judge, step.thing.name))

    def assumed(self, proof: Proof, wanted: set[support.Presumed]) -> None:
        """What is presumed is named, and what is named is presumed, as it is."""
        named = {(a.kind, a.thing, a.term): a.fact for a in proof.assumptions}
        for kind, thing, term, fact in sorted(wanted, key=lambda x: x[:3]):
            what = f"{kind} of {term or 'the act'} for {thing}"
            if self.need((kind, thing, term) in named, 870, f"{what} is assumed and not named") and fact:
                self.need(named[kind, thing, term] == fact, 870, f"{what} is named as something else")
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


def graded(verdict: str, others: bool, presumed: bool) -> str:
    """How sure an answer is. others: rules that are not loaded have a say in it; presumed: it rests on presumptions."""
    open_ = {p.UNDETERMINED: p.FACT_MISSING, p.CONFLICT: p.AT_ODDS, p.OUTSIDE: p.NOT_HERE}
    return open_.get(verdict) or (p.PARTLY_HERE if others else p.IF_NOTHING_ELSE if presumed else p.SETTLED)
