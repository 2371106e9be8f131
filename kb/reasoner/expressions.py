"""Turns the expressions of norms into functions of (situation, thing, bound names); each gives a Step whose value is a number.

Also where a path of relations leads, which conditions ask too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, cast

from kb.language import norms as m
from kb.numbers import ZERO, over, plus
from kb.reasoner.trace import Links, Step, Thing, Why
from kb.reasoner.world import World
from kb.rulebook.theory import Theory

Env = dict[str, Any]
Run = Callable[[World, Thing, Env], Step]
ARITH: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": plus,
    "-": operator.sub,
    "*": operator.mul,
    "/": over,
}
CALLS: dict[str, Callable[..., Any]] = {"floor": math.floor, "ceil": math.ceil, "min": min, "max": max, "abs": abs}

ANYTHING = m.Anything()


class Expressions:
    """Compiles the expressions of one norm; their conditions, `condition` does."""

    def __init__(self, theory: Theory, norm: m.Norm | None):
        self.theory, self.norm, self.vocabulary = theory, norm, theory.vocabulary

    def condition(self, c: m.Condition) -> Run:
        """A condition as a function."""
        raise NotImplementedError

    def expr(self, e: m.Expr) -> Run:
        match e:
            case m.Num(value):
                return lambda s, x, env: Step(e, x, value, "number", (), False)
            case m.Path(root, steps):
                return self.path(e, m.Path(root, steps[:-1]), steps[-1])
            case m.Otherwise(quantity):
                assert self.norm is not None
                norm_id = self.norm.id

                def otherwise(s: World, x: Thing, env: Env) -> Step:
                    without = env.get("without", frozenset()) | {norm_id}
                    found = s.quantity(env["this"], quantity, without)
                    return Step(e, env["this"], found.value, "otherwise", (found,), found.soft)

                return otherwise
            case m.Arith(op, left, right):
                run = self.arith(e, op, self.expr(left), self.expr(right))
                return self.of_focus(e, run) if own(e) else run
            case m.Call(function, args):
                return self.call(e, CALLS[function], [self.expr(a) for a in args])
            case m.Aggregate(function, path, filler, quantity):
                return self.aggregate(
                    e, function, path, self.condition(filler), quantity, isinstance(filler, m.Anything)
                )
            case m.Lookup(table, how, key, column, shift):
                return self.lookup(
                    e, table, how, self.expr(key), column, self.expr(shift) if shift is not None else None
                )
        raise TypeError(e)

    def path(self, e: m.Path, way: m.Path, quantity: str) -> Run:
        root, step = way.root, way.steps[0] if len(way.steps) == 1 else ""

        def run(s: World, x: Thing, env: Env) -> Step:
            if not way.root and not way.steps:
                return s.quantity(x, quantity, env.get("without", frozenset()) if x is env.get("this") else frozenset())
            start = env.get(root) if root and step else None
            found: Sequence[Thing]
            if start is not None:  # the usual: this.actor.size
                found = (start.linked.get(step) or s.reach(start, step, False, step)).things
            else:
                found, _ = follow(s, x, way, env)
            if len(found) == 1:
                only = s.quantity(found[0], quantity)
                return Step(e, x, only.value, "path", (only,), only.soft)
            values = [s.quantity(y, quantity) for y in found]
            if not values:
                return Step(e, x, None, "missing", (), False)
            if len({v.value for v in values}) > 1:
                return Step(e, x, None, "several", tuple(values), False)
            return Step(e, x, values[0].value, "path", (values[0],), any(v.soft for v in values))

        return run

    def arith(self, e: m.Expr, op: str, left: Run, right: Run) -> Run:
        done = ARITH[op]

        def run(s: World, x: Thing, env: Env) -> Step:
            a, b = left(s, x, env), right(s, x, env)
            if a.value is None or b.value is None or (op == "/" and b.value == 0):
                return Step(e, x, None, "arith", (a, b), False)
            return Step(e, x, done(a.value, b.value), "arith", (a, b), a.soft or b.soft)

        return run

    def call(self, e: m.Expr, function: Callable[..., Any], args: list[Run]) -> Run:
        def run(s: World, x: Thing, env: Env) -> Step:
            found = tuple(a(s, x, env) for a in args)
            if any(f.value is None for f in found):
                return Step(e, x, None, "call", found, False)
            return Step(e, x, Fraction(function(*[f.value for f in found])), "call", found, any(f.soft for f in found))

        return run

    def aggregate(self, e: m.Aggregate, function: str, path: m.Path, filler: Run, quantity: str, every: bool) -> Run:
        """every: whatever the path leads to is taken, so that there is nothing to show of which is."""

        def run(s: World, x: Thing, env: Env) -> Step:
            found, sure = follow(s, x, path, env)
            soft = sure is not True
            chosen: list[Thing] = []
            tried: list[Step] = []
            for y in found:
                step = filler(s, y, env)
                if step.value is None:
                    return Step(e, x, None, "open", (step,), False)
                soft = soft or step.soft
                tried.append(step)
                if step.value:
                    chosen.append(y)
            if sure is None:
                return Step(e, x, None, "missing", (), False)
            whole = () if sure else tuple(lists(s, x, path, env))
            if function == "count":
                return Step(e, x, Fraction(len(chosen)), "count", (*tried, *whole), soft)
            numbers = [s.quantity(y, quantity) for y in chosen]
            if any(n.value is None for n in numbers) or (not numbers and function != "sum"):
                return Step(e, x, None, "open", tuple(n for n in numbers if n.value is None), False)
            values = [n.value for n in numbers]
            value = (
                reduce(plus, values, ZERO)
                if function == "sum"
                else max(values)
                if function == "highest"
                else min(values)
            )
            if every:
                tried = []
            return Step(
                e, x, value, cast(Why, function), (*numbers, *tried, *whole), soft or any(n.soft for n in numbers)
            )

        return run

    def lookup(self, e: m.Lookup, name: str, how: str, key: Run, column: str, shift: Run | None) -> Run:
        table = self.theory.tables[name]
        index = table.columns.index(column)

        def run(s: World, x: Thing, env: Env) -> Step:
            wanted = key(s, x, env)
            moved = shift(s, x, env) if shift is not None else None
            parts = (wanted,) if moved is None else (wanted, moved)
            if any(p.value is None for p in parts):
                return Step(e, x, None, "lookup", parts, False)
            rows = [i for i, r in enumerate(table.rows) if isinstance(r[0], Fraction)]
            if how == "is":
                at = next((i for i in rows if table.rows[i][0] == wanted.value), None)
            else:
                at = max(
                    (i for i in rows if table.rows[i][0] <= wanted.value), key=lambda i: table.rows[i][0], default=None
                )
            if at is not None and moved is not None:
                at += int(moved.value)
            if at is None or not 0 <= at < len(table.rows) or not isinstance(table.rows[at][index], Fraction):
                return Step(e, x, None, "no-cell", parts, False)
            return Step(e, x, table.rows[at][index], "lookup", parts, any(p.soft for p in parts))

        return run

    def of_focus(self, e: m.Expr, run: Run) -> Run:
        """A number that one norm speaks of twice: worked out once for each focus."""
        slot = self.theory.slot(e)

        def kept(s: World, x: Thing, env: Env) -> Step:
            if x is not env["this"] or "without" in env:
                return run(s, x, env)
            return x.conditions.get(slot) or s.once(x.conditions, slot, run, s, x, env)

        return kept


def own(c: object) -> bool:
    """Whether a piece of a norm speaks of nothing but the focus: no other name, and of no number less a norm."""
    match c:
        case m.Path(root, _):
            return root in ("", "this")
        case m.Of(root, of):
            return root == "this" and own(of)
        case m.Bind() | m.Otherwise():
            return False
    return all(map(own, m.made_of(c)))


def lists(s: World, x: Thing, path: m.Path, env: Env) -> Iterator[Step]:
    """Each list of things on a path that is presumed to be all there is, as a step that counts them."""
    start = x if not path.root else env.get(path.root)
    now = [start or x]
    for name in path.steps:
        reached = [(y, s.successors(y, name)) for y in now]
        yield from (listed(y, m.Role(name), links) for y, links in reached if links.presumed)
        now = list({z.name: z for _, links in reached for z in links.things}.values())


def listed(x: Thing, role: m.Role, links: Links) -> Step:
    """That a role of x leads to as many things as are told, and no more."""
    node = m.Count(role, "exactly", len(links.things), ANYTHING)
    return Step(
        node, x, True, "count", tuple(Step(ANYTHING, y, True, "anything", (), False) for y in links.things), True
    )


def follow(s: World, x: Thing, path: m.Path, env: Env) -> tuple[list[Thing], bool | None]:
    """Where a path leads from x (or its root), and whether that is all: True, False (presumed), None (not known)."""
    start = x if not path.root else env.get(path.root)
    if start is None and path.root:
        return [], None
    if path.root and len(path.steps) == 1 and start is not None:
        links = start.linked.get(path.steps[0]) or s.successors(start, path.steps[0])
        return list(links.things), not links.presumed if links.complete else None
    if (
        not path.root
        and len(path.steps) == 1
        and path.steps[0] in s.things
        and path.steps[0] not in s.vocabulary.properties
    ):
        return [s.things[path.steps[0]]], True
    now = [start or x]
    whole: bool | None = True
    for step in path.steps:
        found: dict[str, Thing] = {}
        for y in now:
            links = y.linked.get(step) or s.reach(y, step, False, step)
            for z in links.things:
                found[z.name] = z
            if not links.complete:
                whole = None
            elif links.presumed and whole is True:
                whole = False
        now = list(found.values())
    return now, whole
