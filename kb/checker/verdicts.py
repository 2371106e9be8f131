"""The verdict of each kind of question, held against the steps that it is said to follow from and the scope of the chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.checker import (
    reference as j,
    reference_scope,
    reference_scope_acts,
    reference_scope_numbers,
    reference_scope_statements,
    support,
)
from kb.checker.base import core
from kb.checker.reference import Judge, One
from kb.checker.reference_answers import MODES, contest, effect_answer, known_otherwise, not_told, number_verdict
from kb.checker.reference_events import Events, after, ending, happens
from kb.checker.reference_strength import goes_over, stronger
from kb.checker.steps import Walker
from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Caused, Contribution, Outcome, Step


class Verdicts(Walker):
    """Checks what is answered: a permission, what is so, a number, or what an event brings about."""

    def left_open(self, proof: Proof) -> None:
        """What is called open is not known, and nothing is called so where the answer is settled."""
        for x in proof.open:
            rows = [c for c in proof.contributions if c.outcome is x and c.state == "open"]
            now = x.status if isinstance(x, Outcome) else x.value
            self.need(now is None or rows, 815, f"{x} is called open")
        settled = proof.verdict not in (p.UNDETERMINED, p.CONFLICT, p.OUTSIDE)
        self.need(not (settled and proof.open), 815, "the answer is settled, and something is called open")
        if proof.question.kind == "is":
            self.need(
                {id(x) for x in proof.open} == {id(s) for s in proof.steps if s.value is None},
                815,
                "what is open is not told",
            )
        rows = [c for c in proof.contributions if c.state == "open"]
        self.need(not rows or proof.open, 815, "what is open is not told")

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
        bound = reference_scope_acts.act(self.judge, focus, kind, verdict, sides)
        bound, _ = self.elsewhere(proof, bound)
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
        if proof.verdict == p.UNDETERMINED or proof.open:
            wanted = {i for i, s in statuses.items() if s is None}
            self.need(
                {o.norm.id for o in proof.open if isinstance(o, Outcome)} == wanted,
                815,
                "the norms left open are not all told",
            )
            doubtful = [x for x in proof.open if isinstance(x, Step)]
            silent = reference_scope_acts.doubts(self.judge, focus, kind) if doubtful or not wanted else []
            known = {str(core(c)): c for c in silent}
            self.need(wanted or doubtful, 815, "nothing is open")
            for x in doubtful:
                role = x.node.role.name if isinstance(x.node, m.Some) else ""
                if str(x.node) in known:
                    self.condition(x, known[str(x.node)], focus, {"this": focus}, self.judge)
                elif role:  # what it is done to is not told, and may matter
                    self.need(
                        role in not_told(self.judge, focus),
                        815,
                        f"that {focus.name} has no {role} does not leave it open",
                    )
                else:
                    self.problem(815, f"that {focus.name} may be {x.node} does not leave it open")

    def elsewhere(self, proof: Proof, bound: reference_scope.Ruled) -> tuple[reference_scope.Ruled, bool]:
        """What is not ruled here, for it is open for nothing but what is left to rules that are not loaded; and whether that is so."""
        found = known_otherwise(self.theory, self.case) if bound.verdict == p.UNDETERMINED else None
        if found is None:
            self.need(
                proof.verdict != p.OUTSIDE or not proof.open, 815, "something is called open that decides nothing"
            )
            return bound, False
        rules = {frozenset(norm.needs) for norm in support.left([*proof.considered, *proof.steps], self.judge)}
        also = {found[0].needs} if found[0].verdict == p.OUTSIDE else set()
        return reference_scope.Ruled(p.OUTSIDE, p.OUTSIDE, reasons=frozenset(rules | also)), True

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
            bound = reference_scope_statements.condition(self.judge, thing, c, proof.steps[0].value)
            bound, _ = self.elsewhere(proof, bound)
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
        thing, name = self.judge.things[proof.question.thing], proof.question.quantity
        by_norms = number_verdict(self.judge, thing, name)
        bound, outside = self.elsewhere(proof, reference_scope_numbers.number(self.judge, thing, name, by_norms))
        number = step.value
        if outside and (other := known_otherwise(self.theory, self.case)) is not None:
            number = other[1]  # so far
        self.need(number == proof.value, 840, f"the step comes to {number}, the proof says {proof.value}")
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
        vague = reference_scope_numbers.vague(self.judge, thing, name, by_norms)
        if proof.verdict == p.UNDETERMINED and vague:
            self.who_decides(proof, thing, vague)  # whatever the number, it is open whether it is ruled here
        elif proof.verdict == p.UNDETERMINED or outside:
            lacks = [
                r.outcome if r.outcome.status is None or r.value is None else r.value for r in rows if r.state == "open"
            ]
            once = {str(x.node) if isinstance(x, Step) else x.norm.id: x for x in reversed(lacks or [step])}
            self.need({id(x) for x in proof.open} == {id(x) for x in once.values()}, 815, "what is open is not told")

    def who_decides(self, proof: Proof, x: One, rows: list[m.ScopeRow]) -> None:
        """Checks that all is told of what leaves open whether the chapters decide a number (E815)."""
        wanted = [str(row.condition) for row in rows]
        steps = [s for s in proof.open if isinstance(s, Step)]
        self.need(sorted(str(s.node) for s in steps) == sorted(wanted), 815, "what is open is not told")
        for step in steps:
            row = next((r for r in rows if str(r.condition) == str(step.node)), None)
            if row is not None and row.condition is not None:
                self.condition(step, row.condition, x, {"this": x}, self.judge)

    def effects(self, proof: Proof) -> None:
        """Checks an answer to `effects`: every norm of the event is tried, every effect caused, none left out."""
        event = self.judge.things[proof.question.thing]
        come = happens(self.judge, event)
        told = {(o.norm.id, o.focus.name) for o in proof.considered}
        for t in come.tried:
            left = t.status is not False and (t.norm.id, t.focus) not in told
            self.need(not left, 850, f"{t.norm.id} could have an effect and is left out")
        direct = {(c.thing, c.cls) for c in (*come.came, *ending(come))}
        got = {(c.thing, c.cls) for c in proof.effects if c.direct}
        self.need(got == direct, 851, f"the effects are {tell(direct)}, not {tell(got)}")
        then = after(self.judge, event, come)
        for c in proof.effects:
            self.caused(c, come, then)
        self.shifts(proof, come)
        links = sorted((*k.row, k.by.norm.id, k.by.focus) for k in come.links)
        shown = sorted((t.thing, t.role, t.to, t.ends, t.by.norm.id, t.by.focus.name) for t in proof.ties)
        self.need(shown == links, 851, "other things are related or parted than the proof says")
        for tie in proof.ties:
            self.outcome(tie.by, self.at(tie.by))
        self.need(
            proof.verdict == p.UNDETERMINED
            or (proof.verdict == p.EFFECTS) == bool(proof.effects or proof.shifts or proof.ties),
            851,
            "the verdict does not fit the effects",
        )
        self.scope(proof, reference_scope_acts.event(self.judge, event, effect_answer(self.judge, event)))
        self.need(
            {id(o) for o in proof.winners} == {id(by) for by in brought_by(proof)},
            851,
            "the norms said to decide are not those that cause the effects",
        )
        brought = {(c.thing, c.cls) for c in proof.effects}
        for o in proof.considered:
            head = o.norm.head
            if o.status is None and o not in proof.open and isinstance(head, m.Effect):
                ends = [c.thing for c in come.may if c.by.norm.id == o.norm.id and c.by.focus == o.focus.name]
                beaten = {c.thing for c in proof.effects if goes_over(c.by.norm, o.norm)}
                self.need(
                    bool(head.path.root) or (ends and all((y, head.cls) in brought or y in beaten for y in ends)),
                    815,
                    f"{o.norm.id} is left open, and is not told",
                )

    def shifts(self, proof: Proof, come: Events) -> None:
        """Checks the numbers that an event changes: all of them, by the norms that say so, by as much (E853)."""
        wanted = [(s.thing, s.quantity, s.by.norm.id, s.by.focus, s.value) for s in come.shifts if s.by.status]
        got = [
            (s.thing, s.quantity, s.by.norm.id, s.by.focus.name, s.value.value if s.value else None)
            for s in proof.shifts
        ]
        self.need(sorted(map(str, got)) == sorted(map(str, wanted)), 853, "other numbers change than the proof says")
        for s in proof.shifts:
            self.outcome(s.by, self.at(s.by))
            self.amount(s.by, s.value, self.at(s.by))

    def caused(self, c: Caused, come: Events, after: Judge) -> None:
        """Checks one effect, direct or through what a thing then counts as (E852). after: things as they are then."""
        self.outcome(c.by, self.at(c.by) if c.direct else after)
        self.need(c.by.status is True, 852, f"{c.by.norm.id} does not apply and is said to cause {c.cls}")
        head = c.by.norm.head
        if c.direct:
            self.need(
                (c.thing, c.cls, c.by.norm.id, c.by.focus.name)
                in {(d.thing, d.cls, d.by.norm.id, d.by.focus) for d in (*come.came, *ending(come))},
                852,
                f"{c.by.norm.id} does not cause {c.cls} of {c.thing}",
            )
            self.led(c.by, c.thing, c.way)
        else:
            thing = after.things.get(c.thing)
            fits = isinstance(head, m.CountsAs) and head.target == c.cls and c.by.focus.name == c.thing
            self.need(
                fits and thing and after.member(thing, c.cls, thing),
                852,
                f"{c.thing} does not come to count as {c.cls}",
            )


def brought_by(proof: Proof) -> Iterator[Outcome]:
    """The norms by which something comes about."""
    yield from (c.by for c in proof.effects)
    yield from (c.by for c in proof.shifts)
    yield from (c.by for c in proof.ties)


def tell(pairs: Iterable[tuple[str, str]]) -> str:
    """Effects in words: each thing with its class, in order."""
    return ", ".join(f"{t} {c}" for t, c in sorted(pairs)) or "none"
