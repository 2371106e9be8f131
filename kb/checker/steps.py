"""The steps of a proof: norms and conditions, each held against what it stands for, its own parts, and kb.checker.reference."""

from __future__ import annotations

from collections.abc import Sequence

from kb.checker import reference as j, support
from kb.checker.base import core, same
from kb.checker.memberships import Members
from kb.checker.numbers import Numbers
from kb.checker.reference import Judge, One, find
from kb.checker.reference_values import both, either, no
from kb.checker.relations import Relations
from kb.language import norms as m
from kb.language.vocabulary import ABSENT
from kb.numbers import COMPARE
from kb.reasoner.trace import Outcome, Reached, Step


class Walker(Members, Numbers, Relations):
    """Walks norms and conditions; the classes above it, memberships, numbers and relations."""

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
        self.thing(o.focus, x, judge)
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
        self.need(len(o.unless) <= len(norm.unless), 823, f"{norm.id} has fewer exceptions")
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
        found = self.agreed(o, x, env, judge, lambda case, y, _: case.status(norm, y))
        self.need(o.status is found, 824, f"{norm.id} on {x.name} should be {found}, not {o.status}")
        soft = any(s.soft for s in (o.head, o.when, *(s for _, s in o.unless)) if s is not None)
        if o.status is False:
            why = support.deciding(o)
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
                y = env.get(c.root)
                if y is None:
                    self.need(step.value is None, 831, f"{c.root} stands for nothing")
                    return None
                x, c = y, c.condition
        if not same(step.node, c):
            return self.problem(831, f"a step on “{step.node}” stands where “{c}” is asked")
        if not self.need(step.thing.name == x.name, 832, f"a step speaks of {step.thing.name} where {x.name} is asked"):
            return
        self.about(step, x, judge)
        key = (id(step), id(judge), tuple(sorted((k, v.name) for k, v in env.items() if isinstance(v, One))))
        if key in self.seen:
            env.update(self.bound_by.get(key, {}))
            return
        self.seen.add(key)
        parts = [q for q in step.parts if isinstance(q, Step)]
        if step.value is not None and not step.soft and any(q.soft for q in parts):
            self.problem(833, f"“{c}” of {x.name} hides that it rests on a presumption")
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
                if self.need(len(parts) == 1, 834, "“{}” needs one part", c):
                    self.condition(parts[0], of, x, dict(env), judge)
                    self.need(step.value is no(parts[0].value), 835, "“{}” does not follow from its part", c)
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                self.restriction(step, c, role, filler, x, env, judge)
            case m.HasValue(role, target):
                reached = next((q for q in step.parts if isinstance(q, Reached)), None)
                if (
                    self.need(
                        (reached is not None) == (step.value is True), 836, "“{}” of {} shows no value", c, x.name
                    )
                    and reached
                ):
                    self.reached(reached, role, x, judge)
                    ends, _ = judge.follow(x, target, before)
                    self.need(
                        any(e.name == reached.thing.name for e in ends), 836, f"{reached.thing.name} is not {target}"
                    )
                ends, _ = judge.follow(x, target, before)
                links = judge.links(x, role)
                if step.value is False and step.why in ("value", "barred"):
                    named = self.lists(x, target, before, judge)
                    told = parts
                    if step.why == "barred":
                        told = self.barred(step, role, x, ends, judge)
                    if step.why == "value" and ends and (links.presumed or links.no_more):
                        named[x.name, str(role)] = (x, role)
                    self.whole(step, c, told, named, judge)
                self.need(
                    len(step.parts) == len(parts) or step.value is not False or step.why == "barred",
                    836,
                    f"“{c}” of {x.name} leans on other parts",
                )
                self.need(
                    len(step.parts) == 1 or step.value is not True, 836, "“{}” of {} leans on other parts", c, x.name
                )
                if step.why == "missing":
                    self.may_add(step.parts, x, role, judge)
            case m.Flag(name, flag):
                self.flag(step, name, flag, x)
            case m.Compare(left, sign, right):
                if self.need(len(parts) == 2, 834, "“{}” needs two parts", c):
                    a, b = (self.expression(q, e, x, env, judge) for q, e in zip(parts, (left, right), strict=True))
                    follows = None if a is None or b is None else bool(COMPARE[sign](a, b))
                    self.need(step.value is follows, 837, "“{}” is {}: {} {} {}", c, follows, a, sign, b)
        found = self.agreed(step, x, before, judge, lambda case, y, bound: case.holds(c, y, bound))
        if step.value is not found:
            self.problem(838, f"“{c}” of {x.name} should be {found}, not {step.value}")
        self.bound_by[key] = {k: v for k, v in env.items() if k not in before}

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
                next((i for i, c in enumerate(conds) if shows(parts[0], c, core(c), x, env, judge)), None)
                if parts and parts[0].value is telling
                else None
            )
            if self.need(
                at is not None and parts[0].value is step.value, 834, "“{}” does not follow from its part", step.node
            ):
                assert at is not None
                for c in conds[:at]:
                    env.update(next((e for v, e in judge.worlds(c, x, env) if v is not False), {}))
                self.condition(parts[0], conds[at], x, env, judge)
            return
        if not self.need(len(parts) == len(conds), 834, "“{}” lacks a part", step.node):
            return
        for c in conds:
            # Where no names are bound, the parts may have been tried in any order.
            fits = (
                parts[:1]
                if j.binds(m.And(tuple(conds)))
                else [q for q in parts if shows(q, c, told_of(q, c), x, env, judge)]
            )
            if self.need(fits, 834, "“{}” lacks the part “{}”", step.node, c):
                parts.remove(fits[0])
                known = dict(env)
                self.condition(fits[0], c, x, env, judge)
                if fits[0].value is None and j.binds(c):  # what it would bind, if it were so, the parts behind it name
                    env.update(
                        next((e for v, e in judge.worlds(c, x, known) if v is None and e.keys() > known.keys()), {})
                    )
        parts = list(step.parts)
        join = either if telling else both
        self.need(step.value is join(q.value for q in parts), 835, "“{}” does not follow from its parts", step.node)

    def joined(self, step: Step, conds: Sequence[m.Condition], x: One, env: j.Env, judge: Judge) -> None:
        """Every way to bind the names of a conjunction was tried, and none bears it out."""
        values = []
        for attempt in step.parts:
            bound = dict(env)
            for part, c in zip(attempt.parts, conds, strict=False):
                inner = core(c)
                if isinstance(inner, m.Some) and part.value is None and part.why == "some" and len(part.parts) == 1:
                    names = {y.name: y for y in judge.links(x, inner.role).things}
                    self.looked_at(part, inner, x, names, bound, judge)
                elif isinstance(inner, m.Some) and part.why == "missing" and j.binds(inner):
                    links = judge.links(x, inner.role)
                    self.need(part.value is None and not links.complete, 839, f"“{part.node}” of {x.name} is all told")
                    names = {y.name: y for y in links.things if judge.holds(inner.filler, y, dict(bound)) is False}
                    self.looked_at(part, inner, x, names, dict(bound), judge)
                else:
                    self.condition(part, c, x, bound, judge)
                self.note(part, c, x, bound, judge)
            follows = both(part.value for part in attempt.parts)
            self.need(
                attempt.value is follows and follows is not True, 835, "“{}” does not follow from its parts", step.node
            )
            self.need(follows is False or len(attempt.parts) == len(conds), 834, "“{}” lacks a part", step.node)
            values.append(attempt.value)
        self.need(step.value is either(values), 835, "“{}” does not follow from what was tried", step.node)

    def note(self, step: Step, c: m.Condition, x: One, env: j.Env, judge: Judge) -> None:
        """Binds the names that a condition gives to the one thing that its step tries, also where that is open."""
        while isinstance(c, m.Bind):
            env.setdefault(c.var, x)
            c = c.of
        parts = [q for q in step.parts if isinstance(q, Step)]
        if isinstance(c, m.Some) and step.value is not False and len(parts) == 1:
            y = find(judge, parts[0].thing.name)
            if y is not None and not isinstance(core(c.filler), m.Of):
                self.note(parts[0], c.filler, y, env, judge)
        elif isinstance(c, m.And) and len(parts) == len(c.parts):
            for part, of in zip(parts, c.parts, strict=True):
                self.note(part, of, x, env, judge)


def told_of(step: Step, c: m.Condition) -> m.Condition:
    """What a step on a condition shows of it: what is asked of the thing that a name stands for, unless it stands for none."""
    return c if step.why == "unbound" else core(c)


def shows(step: Step, c: m.Condition, told: m.Condition, x: One, env: j.Env, judge: Judge) -> bool:
    """Whether a step is on a condition, and on the thing that this is asked of: two may ask the same of two things. told: what it shows."""
    while isinstance(c, (m.Bind, m.Of)) and told is not c:
        if isinstance(c, m.Of):
            found = env.get(c.root) or judge.things.get(c.root)
            x = found if isinstance(found, One) else x
        c = c.of if isinstance(c, m.Bind) else c.condition
    return same(step.node, told) and step.thing.name == x.name
