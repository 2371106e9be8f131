"""The steps of a proof that give a number, each held against its expression, the norms that bear on it and kb.checker.reference."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

from kb.checker import reference as j
from kb.checker.base import same
from kb.checker.past import Past
from kb.checker.reference import Judge, One, find
from kb.checker.reference_numbers import Row, arith, call, lookup
from kb.checker.reference_strength import goes_over, stronger
from kb.language import norms as m
from kb.reasoner.trace import Contribution, Outcome, Step

T = TypeVar("T")


class Numbers(Past):
    """Checks expressions and the numbers of things."""

    def expression(self, step: Step, e: m.Expr, x: One, env: j.Env, judge: Judge) -> Fraction | None:
        """Checks what a step claims for an expression; returns the step's value."""
        self.about(step, x, judge)
        parts = [q for q in step.parts if isinstance(q, Step)]
        without = env.get("without", j.NONE)
        if isinstance(e, m.Path) and not e.root and len(e.steps) == 1:
            self.quantity(step, x, e.steps[0], without if x is env["this"] else j.NONE, judge)
            return step.value  # type: ignore[no-any-return]
        if not self.need(same(step.node, e), 831, "a step on “{}” stands where “{}” is asked", step.node, e):
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
                self.need(len({q.thing.name for q in parts}) == len(parts), 834, f"“{e}” has a part twice")
                self.need(bool(parts) == (step.why != "missing"), 834, f"“{e}” shows nothing")
                values = {q.value for q in parts}
                follows = values.pop() if len(values) == 1 else None
            case m.Otherwise(quantity):
                if self.need(len(parts) == 1, 834, f"“{e}” needs one part"):
                    self.quantity(parts[0], env["this"], quantity, without | {env["norm"]}, judge)
                    follows = parts[0].value
            case m.Arith(op, left, right):
                if self.need(len(parts) == 2, 834, f"“{e}” needs two parts"):
                    follows = arith(
                        op, *(self.expression(q, a, x, env, judge) for q, a in zip(parts, (left, right), strict=True))
                    )
            case m.Call(function, args):
                if self.need(len(parts) == len(args), 834, f"“{e}” lacks a part"):
                    follows = call(
                        function, [self.expression(q, a, x, env, judge) for q, a in zip(parts, args, strict=True)]
                    )
            case m.Lookup(table, how, key, column, shift):
                wanted = [key] if shift is None else [key, shift]
                if self.need(len(parts) == len(wanted), 834, f"“{e}” lacks a part"):
                    got = [self.expression(q, a, x, env, judge) for q, a in zip(parts, wanted, strict=True)]
                    follows = lookup(
                        self.theory.tables[table], how, got[0], column, got[1] if shift is not None else Fraction(0)
                    )
            case m.Aggregate():
                self.aggregate(step, e, x, env, judge)
                follows = judge.number(e, x, env)
        hidden = step.value is not None and not step.soft and any(q.soft for q in parts)
        self.need(not hidden, 833, f"“{e}” of {x.name} hides that it rests on a presumption")
        self.need(step.value == follows, 849, f"“{e}” comes to {follows}, not {step.value}")
        return step.value  # type: ignore[no-any-return]

    def aggregate(self, step: Step, e: m.Aggregate, x: One, env: j.Env, judge: Judge) -> None:
        """A sum, a count or the like: the things it is made of, why those, and the lists presumed to be all there is."""
        parts = [q for q in step.parts if isinstance(q, Step)]
        ends, _ = judge.follow(x, e.path, env)
        lists = [q for q in parts if is_list(q)]
        numbers = [q for q in parts if e.quantity and str(q.node) == e.quantity]
        tried = [q for q in parts if q not in lists and q not in numbers]
        if step.value is not None:
            chosen = sorted(y.name for y in ends if judge.holds(e.filler, y, env))
            fits = not e.quantity or sorted(q.thing.name for q in numbers) == chosen
            self.need(fits, 834, f"“{e}” is made of {', '.join(chosen) or 'nothing'}")
            shown = sorted(q.thing.name for q in tried)
            everything = bool(e.quantity) and isinstance(e.filler, m.Anything)
            fits = shown == ([] if everything else sorted(y.name for y in ends))
            self.need(fits, 834, f"“{e}”: not everything that it leads to was looked at")
            self.need(step.why == e.function, 848, f"“{e}” is no {step.why}")
            self.whole(step, e, lists, self.lists(x, e.path, env, judge), judge)
        for part in (*numbers, *tried):
            y = find(judge, part.thing.name)
            if not self.need(y is not None and y in ends, 836, f"“{e}” does not lead to {part.thing.name}"):
                continue
            assert y is not None
            if part in numbers:
                self.quantity(part, y, e.quantity, j.NONE, judge)
            else:
                self.condition(part, e.filler, y, dict(env), judge)

    def lists(self, x: One, path: m.Path, env: j.Env, judge: Judge) -> dict[tuple[str, str], tuple[One, m.Role]]:
        """The lists on a path that are presumed to be all there is."""
        start = env.get(path.root) if path.root else x
        found: dict[tuple[str, str], tuple[One, m.Role]] = {}
        now = [start] if start is not None else []
        for name in path.steps if path.root or path.steps[0] in self.theory.vocabulary.properties else ():
            reached = [(y, judge.successors(y, name)) for y in now]
            found.update({(y.name, name): (y, m.Role(name)) for y, links in reached if links.presumed})
            now = [z for _, links in reached for z in links.things]
        return found

    def whole(
        self, step: Step, e: object, told: list[Step], wanted: dict[tuple[str, str], tuple[One, m.Role]], judge: Judge
    ) -> None:
        """Every list that is presumed to be whole is said to be."""
        fits = len(told) == len(wanted) and all(is_list(q) and (q.thing.name, str(q.node.role)) in wanted for q in told)
        if self.need(fits, 833, f"“{e}” of {step.thing.name} hides that a list is presumed complete"):
            for q in told:
                y, role = wanted[q.thing.name, str(q.node.role)]
                links = judge.links(y, role)
                count = m.Count(role, "exactly", len(links.things), m.Anything())
                if links.no_more:  # all there is but for what is open
                    self.need(same(q.node, count) and q.value is True and q.soft, 833, f"{q.node} is not {count}")
                else:
                    self.condition(q, count, y, {"this": y}, judge)

    def quantity(self, step: Step, x: One, name: str, without: frozenset[str], judge: Judge) -> None:
        """A number of a thing: every norm that bears on it is there, and the sum is right."""
        if not self.need(
            str(step.node) == name and step.thing.name == x.name,
            831,
            f"a step on “{step.node}” of {step.thing.name} stands where {name} of {x.name} is asked",
        ):
            return
        self.about(step, x, judge)
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
        rows = counted((r.norm.id, r) for r in judge.rows(x, name, without))
        judge.total(x, name, list(rows.values()))
        told = counted((c.outcome.norm.id, c) for c in step.parts if isinstance(c, Contribution))
        self.need(len(told) == len(step.parts), 853, f"{name} of {x.name} has another part")
        for key, row in rows.items():
            self.need(key in told or row.status is False, 853, f"{key[0]} bears on {name} of {x.name} and is left out")
        self.within.append(("number", name, x.name))
        for key, c in told.items():
            known, norm_id = rows.get(key), key[0]
            if known is None:
                self.problem(853, f"{norm_id} does not bear on {name} of {x.name}")
                continue
            head = known.norm.head
            if isinstance(head, m.Change):
                self.change(c, known)
                continue
            self.outcome(c.outcome, judge)
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
            beaten = c.state == "beaten"
            self.need(c.lost is beaten, 855, f"{norm_id} is said to be beaten, and not to be, at once")
            self.need((c.value is None) == (c.outcome.status is False), 855, f"{norm_id} does not show what it adds")
            if beaten:
                self.beaten(c)
            else:
                self.need(c.by is None and c.principle is None, 855, f"{norm_id} is beaten by nothing")
        self.within.pop()
        if step.value is not None:
            counts = any(c.state == "counts" for c in told.values())
            module = judge.derived_number(x, name) is not None
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

    def change(self, c: Contribution, known: Row) -> None:
        """Checks what an event did to a number: that the norm applied then, and by how much (E853 to E855)."""
        head, norm_id = known.norm.head, known.norm.id
        assert isinstance(head, m.Change)
        judge = self.at(c.outcome)
        self.outcome(c.outcome, judge)
        self.need(c.op == head.op and not c.bound, 854, f"{norm_id} {head.op}, it does not {c.op}")
        state = "idle" if known.status is False else known.state
        self.need(c.state == state, 855, f"{norm_id} is {state}, not {c.state}")
        self.amount(c.outcome, c.value, judge)
        value = c.value.value if c.value is not None else None
        self.need(value == known.value, 853, f"{norm_id} {head.op} it by {known.value}, not {value}")
        self.need(c.lost is (c.state == "beaten"), 855, f"{norm_id} is said to be beaten, and not to be, at once")
        if c.state == "beaten":
            self.beaten(c)

    def amount(self, o: Outcome, value: Step | None, judge: Judge) -> None:
        """Checks by how much a norm that applies changes a number; or that it is open whether there is what triggers it."""
        head = o.norm.head
        assert isinstance(head, m.Change)
        self.need((value is None) == (o.status is False), 855, f"{o.norm.id} does not show by how much")
        x = find(judge, o.focus.name)
        if value is None or x is None:
            return
        if isinstance(value.node, m.Named | m.Not | m.HasValue):
            self.need(
                value.value is None and self.triggering(value.node, head),
                855,
                f"{o.norm.id}: what triggers it is not open",
            )
            return
        env = {**o.env, "this": x, "norm": o.norm.id}
        env.update({k: find(judge, v.name) for k, v in o.env.items() if hasattr(v, "facts")})
        self.expression(value, head.value, x, env, judge)

    def beaten(self, c: Contribution) -> None:
        """Checks that a contribution is beaten by a norm that applies and is the stronger (E820)."""
        by = c.by
        if not self.need(by is not None and by.status, 820, f"{c.outcome.norm.id} is beaten by nothing that applies"):
            return
        assert by is not None
        over = goes_over(by.norm, c.outcome.norm)
        prefers = stronger(self.theory, by.norm, c.outcome.norm)
        explicit = (
            c.principle is None or c.principle.name == "explicit" or c.principle == self.theory.policy.principles[0]
        )
        self.need(
            (over and explicit) or (prefers is not None and prefers == c.principle),
            820,
            f"{by.norm.id} does not beat {c.outcome.norm.id} so",
        )


def counted(rows: Iterable[tuple[str, T]]) -> dict[tuple[str, int], T]:
    """Rows by the norm that they are of; what a norm says at several events, by its turn."""
    found: dict[tuple[str, int], T] = {}
    for name, row in rows:
        found[name, sum(name == known for known, _ in found)] = row
    return found


def is_list(step: Step) -> bool:
    """Whether a step says of a list no more than how many it names."""
    return isinstance(step.node, m.Count) and step.node.kind == "exactly" and isinstance(step.node.filler, m.Anything)
