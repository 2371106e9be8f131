"""Conditions on what a property leads to (some, only, counting, a value) and comparisons, as functions that give a Step."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from kb.language import norms as m
from kb.reasoner.expressions import Env, Expressions, Run, follow, listed, lists
from kb.reasoner.trace import ByNorm, Links, Outcome, Reached, Step, Thing, Towards, Why
from kb.reasoner.world import World


class Restrictions(Expressions):
    """Compiles the conditions of one norm that ask about links, identity and numbers."""

    def some(self, c: m.Some, slot: int | None = None) -> Run:
        """Whether a value of a property is as wanted. slot: where the thing remembers it."""
        name, inverse, key = c.role.name, c.role.inverse, str(c.role)
        names, of = binds(c), c.filler
        cls = of.name if isinstance(of, m.Named) and not self.vocabulary.classes[of.name].derived else ""
        filler = None if cls else self.condition(of)
        of_each = filler or (lambda s, y, env: y.members.get(cls) or s.first(y, cls))
        untold = self.untold(c, of_each)

        def run(s: World, x: Thing, env: Env) -> Step:
            links = x.linked.get(key) or s.reach(x, name, inverse, key)
            things = links.things
            if len(things) == 1 and links.complete:  # the usual
                y = things[0]
                step = filler(s, y, env) if filler else y.members.get(cls) or s.first(y, cls)
                value = step.value
                if value:
                    reached = Reached(links, y)
                    return Step(c, x, True, "some", (reached, step), step.soft or reached.soft)
                return Step(c, x, value, "some", (step,), value is False and (links.presumed or step.soft))
            return several(s, x, env, links)

        def kept(s: World, x: Thing, env: Env) -> Step:
            return s.once(x.conditions, slot, run, s, x, env)

        def several(s: World, x: Thing, env: Env, links: Links) -> Step:
            tried: list[Step] = []
            met: tuple[Thing, Step, Env] | None = None
            unknown, soft = False, links.presumed
            for y in links.things:
                step = filler(s, y, env) if filler else y.members.get(cls) or s.first(y, cls)
                value = step.value
                if value is True:
                    reached = Reached(links, y)
                    if not (step.soft or reached.soft):
                        return Step(c, x, True, "some", (reached, step), False)
                    met = met or (y, step, dict(env) if names else env)
                elif value is None:
                    unknown = True
                soft = soft or step.soft
                tried.append(step)
            if met is not None:
                if names:  # they stand for what met it, not for what was tried after
                    env.update(met[2])
                return Step(c, x, True, "some", (Reached(links, met[0]), met[1]), True)
            if unknown:
                return Step(c, x, None, "some", tuple(tried), False)
            if links.complete:
                return Step(c, x, False, "some" if tried else "none", tuple(tried), soft)
            if links.untold and s.named(x):
                return untold(s, x, env)
            mays: dict[str, Step] = {}
            if links.no_more and not names:  # what it may lead to besides: each is tried too
                mays = {n: of_each(s, s.things[n], dict(env)) for n in links.perhaps}
                if all(step.value is False for step in mays.values()):
                    return Step(c, x, False, "some", (*tried, *mays.values(), listed(x, c.role, links)), True)
            opens = () if links.untold else tuple(
                o for n, of in links.perhaps.items() if n not in mays or mays[n].value is not False for o in of
            )  # fmt: skip
            return Step(c, x, None, "missing", (*tried, *opens), False)

        return run if slot is None else kept

    def untold(self, c: m.Some, filler: Run) -> Run:
        """The same where nobody says what is there. A blank stands for it: what is presumed absent of anything is absent of
        that too."""
        name = c.role.name

        def run(s: World, x: Thing, env: Env) -> Step:
            step = filler(s, s.blank(x, name), dict(env))
            if step.value is False:
                return Step(c, x, False, "blank", (step,), True)
            return Step(c, x, None, "missing", (), False)

        return run

    def only(self, c: m.Only, role: m.Role, filler: Run) -> Run:
        name, inverse = role.name, role.inverse

        def run(s: World, x: Thing, env: Env) -> Step:
            links = s.successors(x, name, inverse)
            tried = [filler(s, y, env) for y in links.things]
            for y, step in zip(links.things, tried, strict=True):
                if step.value is False:
                    return Step(c, x, False, "only", (Reached(links, y), step), step.soft)
            if any(t.value is None for t in tried):
                return Step(c, x, None, "only", tuple(tried), False)
            if not links.complete:
                return Step(c, x, None, "missing", tuple(tried), False)
            return Step(c, x, True, "only", tuple(tried), links.presumed or any(t.soft for t in tried))

        return run

    def count(self, c: m.Count, role: m.Role, kind: str, n: int, filler: Run) -> Run:
        name, inverse = role.name, role.inverse

        def run(s: World, x: Thing, env: Env) -> Step:
            links = s.successors(x, name, inverse)
            tried = [filler(s, y, env) for y in links.things]
            low, high = counted(tried, links)
            value: bool | None
            if kind == "min":
                value = True if low >= n else False if high < n else None
            elif kind == "max":
                value = False if low > n else True if high <= n else None
            else:
                value = True if low == high == n else False if low > n or high < n else None
            soft = links.presumed or any(t.soft for t in tried)
            why: Why = "missing" if value is None and not links.complete else "count"
            return Step(c, x, value, why, tuple(tried), soft)

        return run

    def has_value(self, c: m.HasValue, role: m.Role, target: m.Path) -> Run:
        name, inverse = role.name, role.inverse

        def run(s: World, x: Thing, env: Env) -> Step:
            wanted, sure = follow(s, x, target, env)
            links = s.successors(x, name, inverse)
            for y in wanted:
                if y.name in links.why:
                    reached = Reached(links, y)
                    return Step(c, x, True, "value", (reached,), reached.soft)
            if wanted and sure is not None and links.barred and all(y.name in links.barred for y in wanted):
                by = tuple(part for y in wanted for part in against(links.barred[y.name]))
                whole = () if sure else tuple(lists(s, x, target, env))
                return Step(c, x, False, "barred", (*by, *whole), bool(whole) or any(q.soft for q in by))
            if wanted and not links.presumed and not s.named(x):
                return Step(c, x, None, "missing", (), False)  # what nobody told may be related to anything
            if sure is not None and (links.complete or not wanted):
                whole = () if sure else tuple(lists(s, x, target, env))
                if wanted and links.presumed:
                    whole = (*whole, listed(x, role, links))
                return Step(c, x, False, "value", whole, bool(whole))
            if sure is not None and links.no_more and not any(y.name in links.perhaps for y in wanted):
                whole = () if sure else tuple(lists(s, x, target, env))
                return Step(c, x, False, "value", (*whole, listed(x, role, links)), True)
            opens = tuple(o for y in wanted for o in links.perhaps.get(y.name, ()))
            if len(wanted) == 1:
                return Towards(c, x, None, "missing", opens, False, wanted[0])
            return Step(c, x, None, "missing", opens, False)

        return run

    def same(self, c: m.Same, target: m.Path) -> Run:
        def run(s: World, x: Thing, env: Env) -> Step:
            wanted, sure = follow(s, x, target, env)
            if x in wanted:
                return Step(c, x, True, "same", (), False)
            known = s.named(x) and (wanted or sure is not None)  # what nobody told may be anything
            return Step(c, x, False if known else None, "same", (), False)

        return run

    def compare(self, c: m.Compare, left: Run, op: Callable[[Any, Any], bool], right: Run) -> Run:
        def run(s: World, x: Thing, env: Env) -> Step:
            a, b = left(s, x, env), right(s, x, env)
            if a.value is None or b.value is None:
                return Step(c, x, None, "compare", (a, b), False)
            (one, under), (other, below) = a.value.as_integer_ratio(), b.value.as_integer_ratio()
            return Step(c, x, op(one * below, other * under), "compare", (a, b), a.soft or b.soft)

        return run


@lru_cache(maxsize=10_000)
def binds(c: m.Condition) -> bool:
    """Whether trying a condition gives a name to something; remembered, for it is asked of a part for all that this is part of."""
    match c:
        case m.Bind():
            return True
        case m.And(parts) | m.Or(parts):
            return any(binds(p) for p in parts)
        case m.Not(of) | m.Except(of, _, _) | m.Some(_, of) | m.Only(_, of) | m.Count(_, _, _, of) | m.Of(_, of):
            return binds(of)
    return False


def counted(tried: list[Step], links: Links) -> tuple[int, float]:
    """The least and the most of the tried that can be true; endless when there may be others."""
    low = sum(1 for t in tried if t.value is True)
    high = sum(1 for t in tried if t.value is not False)
    return low, high if links.complete else math.inf


def against(how: ByNorm) -> tuple[Outcome | Step, ...]:
    """What shows that something is no value: the norm that says so, and that this is what it says it of."""
    return (how.outcome,) if isinstance(how.outcome.norm.head, m.Link) else (how.outcome, how.step)
