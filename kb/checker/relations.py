"""The steps of a proof on what a property leads to: `some`, `only` and counting, the values shown, and what may still add to them,
each held against kb.checker.reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kb.checker import reference as j
from kb.checker.base import Ground, core
from kb.checker.reference import Judge, One, find
from kb.checker.reference_values import both, either
from kb.language import norms as m
from kb.reasoner.trace import ByNorm, Chained, Implied, Outcome, Reached, Stated, Step, Thing, WorkedOut


class Relations(Ground):
    """Walks relations: what a thing is related to, and whether that is all."""

    def looked_at(self, step: Step, c: m.Some, x: One, names: dict[str, One], env: j.Env, judge: Judge) -> None:
        """Each value of a property that a step shows is one of these, and is as it says."""
        for part in step.parts:
            if not isinstance(part, Step):
                continue
            y = self.through(c.filler, part, names, env, judge)
            if self.need(y is not None, 836, f"{x.name} has no {c.role} that is {part.thing.name}"):
                self.condition(part, c.filler, y, env, judge)  # type: ignore[arg-type]

    def restriction(
        self, step: Step, c: Any, role: m.Role, filler: m.Condition, x: One, env: j.Env, judge: Judge
    ) -> None:
        """`some`, `only` and counting: a witness that is there, or all there are."""
        links = judge.links(x, role)
        if step.value is not None:
            whys: dict[type, tuple[str, ...]] = {
                m.Some: ("some", "none", "blank"),
                m.Only: ("only",),
                m.Count: ("count",),
            }
            self.need(step.why in whys[type(c)], 848, f"“{step.why}” is no reason for this of {x.name}")
            self.need(step.why != "none" or not links.things, 848, f"{x.name} has some {role}")
        if isinstance(c, m.Some) and step.value is False and step.why == "some" and links.no_more:
            return self.none_of_these(step, c, x, env, judge)
        names = {y.name: y for y in links.things}
        looked = step.parts
        if step.why == "missing" and isinstance(c, m.Some):
            looked = step.parts[: len(names)]
            self.may_add(step.parts[len(names) :], x, role, judge)
        parts = [q for q in looked if isinstance(q, Step)]
        reached = next((q for q in looked if isinstance(q, Reached)), None)
        twice = not isinstance(core(filler), m.Of) and len({q.thing.name for q in parts}) < len(parts)
        self.need(not twice, 839, "“{}” of {}: one {} was looked at twice", c, x.name, role)
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
            self.need(not hidden, 833, "“{}” of {} hides that the list is presumed complete", c, x.name)
            return
        witness = isinstance(c, m.Some)
        if step.why == "blank":
            fits = witness and links.untold and judge.things.get(x.name) is x and len(parts) == 1
            if self.need(
                fits and step.soft and not step.value, 839, "“{}”: what {} of {} is, is told", c, role, x.name
            ):
                blank = judge.blank(x, role.name)
                self.condition(parts[0], filler, blank, dict(env), judge)
                self.need(parts[0].value is False, 839, "“{}” of {} does not follow from {}", c, x.name, blank.name)
            return
        if reached is not None:
            self.reached(reached, role, x, judge)
            fits = len(step.parts) == 2 and len(parts) == 1 and parts[0].value is witness and step.value is witness
            self.need(fits, 836, "“{}” of {} does not follow from {}", c, x.name, reached.thing.name)
            return
        self.need(step.value is not witness or not witness, 836, "“{}” of {} shows no {} that is so", c, x.name, role)
        if witness and [q.value for q in parts] == [None] and j.binds(filler):
            names = {
                n: y for n, y in names.items() if n == parts[0].thing.name
            }  # each that a name may stand for is tried by itself
        self.need(len(parts) == len(names), 839, "“{}” of {}: not every {} was looked at", c, x.name, role)
        whole = either if witness else both
        looked_at = [q.value for q in parts]
        follows = whole([*looked_at, None if not links.complete else not witness])
        if step.value is not follows and self.within:  # what a circle of rules would relate is not so within it
            around = judge.supposing(key for key in self.within if key[0] != "number").links(x, role)
            if around.complete and {y.name for y in around.things} <= names.keys():
                follows = whole([*looked_at, not witness])
        self.need(step.value is follows, 839, "“{}” of {} is {} by what was looked at", c, x.name, follows)
        if step.value is not None and links.presumed:
            self.need(step.soft, 833, "“{}” of {} hides that the list is presumed complete", c, x.name)

    def none_of_these(self, step: Step, c: m.Some, x: One, env: j.Env, judge: Judge) -> None:
        """Nothing that a thing is related to, or may be, is as wanted; and that there is nothing else is presumed, and said."""
        links = judge.links(x, c.role)
        names = {y.name: y for y in (*links.things, *(judge.things[n] for n in links.perhaps))}
        *tried, all_ = [q for q in step.parts if isinstance(q, Step)] or [step]
        whole = len(tried) == len(names) == len(step.parts) - 1 and not j.binds(c.filler)
        whole = whole and (isinstance(core(c.filler), m.Of) or {q.thing.name for q in tried} == set(names))
        if self.need(whole, 839, "“{}” of {}: not every {} was looked at", c, x.name, c.role):
            self.need(step.soft, 833, "“{}” of {} hides that the list is presumed complete", c, x.name)
            for part in tried:
                y = self.through(c.filler, part, names, env, judge)
                if self.need(
                    y is not None and part.value is False, 839, f"“{c}” does not follow from {part.thing.name}"
                ):
                    self.condition(part, c.filler, y, dict(env), judge)  # type: ignore[arg-type]
            self.whole(step, c, [all_], {(x.name, str(c.role)): (x, c.role)}, judge)

    def may_add(self, opens: Iterable[object], x: One, role: m.Role, judge: Judge) -> None:
        """What may add to a relation: each norm that is open or does apply, and what is open of the thing it would add."""
        outcome: Outcome | None = None
        for part in opens:
            if isinstance(part, Outcome):
                outcome, head = part, part.norm.head
                if isinstance(head, m.Link):  # something that has happened may have related them, or parted them
                    self.outcome(part, self.at(part))
                    self.need(part.status is None, 836, f"{part.norm.id} is not open")
                    continue
                self.outcome(part, judge)
                adds = isinstance(head, m.Relates) and not head.negated and part.status is not False
                self.need(adds, 836, f"{part.norm.id} adds no {role} to {x.name}")
            elif isinstance(part, Step) and part.value is None and self.doubts(part.node):
                self.untriggered(part)
            elif isinstance(part, Step) and outcome is not None and isinstance(outcome.norm.head, m.Relates):
                y = find(judge, part.thing.name)
                if self.need(y is not None and part.value is None, 836, f"{outcome.norm.id} leaves open no {part}"):
                    self.condition(part, outcome.norm.head.to, y, self.bound(outcome, judge), judge)  # type: ignore[arg-type]
            else:
                self.problem(836, f"“{part}” adds no {role} to {x.name}")

    def bound(self, outcome: Outcome, judge: Judge) -> j.Env:
        """What the norm's condition has named, which may be spoken of in what it relates to."""
        env = {k: find(judge, v.name) for k, v in outcome.env.items() if isinstance(v, Thing)}
        return {**env, "this": find(judge, outcome.focus.name), "norm": outcome.norm.id}

    def parted(self, o: Outcome, role: m.Role, x: One, judge: Judge) -> None:
        """Checks that something that has happened parted a thing from what it was related to, by a norm."""
        prop = self.theory.vocabulary.properties[role.name]
        rows = [t for (name, q, _), t in judge.linked.items() if name == x.name and q in prop.below]
        same = any((t.norm.id, t.focus) == (o.norm.id, o.focus.name) for t in rows)
        ends = isinstance(o.norm.head, m.Link) and o.norm.head.ends and o.status is True
        self.need(ends and same and not role.inverse, 836, f"{o.norm.id} parts {x.name} from no {role}")
        self.outcome(o, self.at(o))

    def barred(self, step: Step, role: m.Role, x: One, ends: Sequence[One], judge: Judge) -> list[Step]:
        """Checks that norms say of each of some things that it is no value, the step on what a norm says that of beside it; gives the
        other steps."""
        left, told = list(step.parts), {y.name: y for y in ends}
        while left and isinstance(o := left[0], Outcome):
            del left[0]
            head = o.norm.head
            if isinstance(head, m.Link):
                self.parted(o, role, x, judge)
                continue
            self.outcome(o, judge)
            says = f"{o.norm.id} does not bar {role} of {x.name}"
            bars = isinstance(head, m.Relates) and head.negated and o.status is True
            if not self.need(bars and left and isinstance(left[0], Step), 836, says):
                continue
            to = left.pop(0)
            y = told.get(to.thing.name) if o.focus.name == x.name else x
            if self.need(y is not None and to.value is True, 836, says) and isinstance(head, m.Relates):
                self.condition(to, head.to, y, self.bound(o, judge), judge)  # type: ignore[arg-type]
        return [q for q in left if isinstance(q, Step)]

    @staticmethod
    def leads(prop: Any, name: str, role: str, to: str, a: One, b: One) -> bool:
        """Whether what was related is what a property leads to from one thing to another, from either side."""
        return (role in prop.below and (name, to) == (a.name, b.name)) or (
            role in prop.inverses and (name, to) == (b.name, a.name)
        )

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
        prop = self.theory.vocabulary.properties[role.name]
        a, b = (y, x) if role.inverse else (x, y)
        match reached.why:
            case Stated(by):
                stated = any(b.name in a.facts.links.get(q, ()) for q in prop.below) or any(
                    a.name in b.facts.links.get(q, ()) for q in prop.inverses
                )
                if by:
                    self.need(by in (*prop.below, *prop.inverses), 836, f"{by} is no kind of {role}")
                made = (y.made and y.made[0] is x) or (x.made and x.made[0] is y)
                self.need(stated or made, 836, f"the case does not state {role} of {x.name}: {y.name}")
            case Implied():
                self.need(y.made is not None and y.made[0] is x, 836, f"no axiom implies {y.name}")
            case ByNorm(outcome, step):
                head = outcome.norm.head
                if isinstance(head, m.Link):
                    came = [t for (n, q, to), t in judge.linked.items() if self.leads(prop, n, q, to, a, b)]
                    same = any((t.norm.id, t.focus) == (outcome.norm.id, outcome.focus.name) for t in came)
                    fits = same and not head.ends and step.value is True and isinstance(step.node, m.Anything)
                    self.need(fits, 836, f"{outcome.norm.id} did not relate {x.name} to {y.name}")
                    return self.outcome(outcome, self.at(outcome))
                self.outcome(outcome, judge)
                says = f"{outcome.norm.id} does not relate {x.name} to {y.name}"
                relates = isinstance(head, m.Relates) and not head.negated and outcome.status and step.value
                if self.need(relates, 836, says) and isinstance(head, m.Relates):
                    to = y if outcome.focus.name == x.name else x
                    self.condition(step, head.to, to, self.bound(outcome, judge), judge)
            case Chained(chain):
                self.need(chain in prop.chains or chain[0] in prop.below, 836, f"no chain of {role} is {chain}")
            case WorkedOut(by):
                self.need(by == prop.derived, 836, f"{role} is not worked out by {by}")
