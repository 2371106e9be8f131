"""What numbers come to, in all lanes at once: a dictionary from each value to its lanes. None is a number that is not known."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from kb.circuit.known import NUMBERS, Quantity, Way
from kb.circuit.seen import Seeing
from kb.circuit.sums import Row, total
from kb.circuit.values import Env, One, Parts, joined, put, union, within
from kb.language import norms as m
from kb.reasoner import builtins

Number = Parts[Fraction | None]
NONE: frozenset[str] = frozenset()
ARITH: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
CALLS: dict[str, Callable[..., Any]] = {"floor": math.floor, "ceil": math.ceil, "abs": abs, "min": min, "max": max}
OPEN = "open"  # where an aggregate comes to nothing that is known


class Numbers(Seeing):
    """What the numbers of a thing come to."""

    def number(self, e: m.Expr, x: One, env: Env, at: int) -> Number:
        """The value of an expression for x in some lanes; None where it is not known."""
        match e:
            case m.Num(value):
                return {value: at}
            case m.Path("", (name,)):
                without = env.get("without", NONE) if x is env["this"] else NONE
                return within(self.quantity(x, name, at, without).value, at)
            case m.Path(root, steps):
                return self.along(m.Path(root, steps[:-1]), steps[-1], x, env, at)
            case m.Otherwise(name):
                without = env.get("without", NONE) | {env["norm"]}
                return within(self.quantity(env["this"], name, at, without).value, at)
            case m.Arith(op, left, right):
                return joined(
                    self.number(left, x, env, at), self.number(right, x, env, at), lambda a, b: arith(op, a, b)
                )
            case m.Call(function, args):
                found: Parts[tuple[Fraction | None, ...]] = {(): at}
                for arg in args:
                    found = joined(found, self.number(arg, x, env, at), lambda a, b: (*a, b))
                values: Number = {}
                for row, lanes in found.items():
                    put(values, None if None in row else Fraction(CALLS[function](*row)), lanes)
                return values
            case m.Aggregate(function, path, filler, quantity):
                return self.aggregate(function, path, filler, quantity, x, env, at)
            case m.Lookup(table, how, key, column, shift):
                cells = self.theory.tables[table]
                wanted = self.number(key, x, env, at)
                moved = self.number(shift, x, env, at) if shift is not None else {Fraction(0): at}
                return joined(wanted, moved, lambda a, b: lookup(cells, how, a, column, b))
        raise TypeError(e)

    def along(self, way: m.Path, name: str, x: One, env: Env, at: int) -> Number:
        """The number of what a path leads to: the one value that all of it have."""
        ends, _ = self.follow(x, way, env, at)
        found: Parts[Any] = {"": at}
        for y, lanes in ends.items():
            if lanes & at:
                mine = {**within(self.quantity(y, name, lanes & at).value, lanes & at)}
                put(mine, "", at & ~lanes)
                found = joined(found, mine, lambda a, b: a if b == "" else b if a == "" or a == b else None)
        values: Number = {}
        for value, lanes in found.items():
            put(values, None if value == "" else value, lanes)
        return values

    def aggregate(
        self, function: str, path: m.Path, filler: m.Condition, quantity: str, x: One, env: Env, at: int
    ) -> Number:
        """The count, sum, highest or lowest of what a path leads to and meets a condition."""
        ends, whole = self.follow(x, path, env, at)
        quantity = "" if function == "count" else quantity
        found: Parts[Any] = {(): at & whole}
        put(found, OPEN, at & ~whole)
        for y, lanes in ends.items():
            lanes &= at
            if not lanes:
                continue
            t, f = self.holds(filler, y, env, lanes)
            mine: Parts[Any] = {}
            for value, some in (
                within(self.quantity(y, quantity, t).value, t).items() if quantity and t else [(Fraction(0), t)]
            ):
                put(mine, OPEN if value is None else value, some)
            put(mine, OPEN, lanes & ~(t | f))
            put(mine, None, at & ~lanes | f)
            found = joined(found, mine, counting)
        values: Number = {}
        for numbers, lanes in found.items():
            known = None if numbers == OPEN else numbers
            put(values, None if known is None else aggregate(function, known), lanes)
        return values

    def quantity(self, x: One, name: str, at: int, without: frozenset[str] = NONE) -> Quantity:
        """A number of x, made of what the norms contribute. without: norms that are left out."""
        key = ("number", x, name, without)
        return self.once(NUMBERS, key, at, lambda lanes: self._quantity(x, name, lanes, without))  # type: ignore[no-any-return]

    def _quantity(self, x: One, name: str, at: int, without: frozenset[str]) -> Quantity:
        ways: list[tuple[int, list[tuple[m.Norm, bool | None, Fraction | None]]]] = [(at, [])]
        spoken = 0
        for norm in self.theory.quantities.get(name, ()):
            head = norm.head
            assert isinstance(head, m.QuantityHead)
            speaks = at & self.speaks(x, head.of) & ~self.struck.get(norm.id, 0)
            if head.op == m.SETS and norm.id in self.theory.leaves:
                speaks &= ~x.where(
                    ("told", name), lambda form: name in form.facts.numbers
                )  # that is not left to others
            if norm.id in without or not speaks:
                continue
            spoken |= speaks
            parts = self.contributed(norm, head, x, speaks, without)
            if parts:
                after = []
                for lanes, rows in ways:
                    rest = lanes
                    for (status, value), some in parts.items():
                        if lanes & some:
                            after.append((lanes & some, [*rows, (norm, status, value)]))
                            rest &= ~some
                    if rest:
                        after.append((rest, rows))
                ways = after
        values: Number = {}
        made: list[Way] = []
        for (stated, start, default), lanes in self.starts(x, name, at).items():
            for some, rows in ways:
                if lanes & some:
                    own = [Row(*row) for row in rows]
                    value = total(self.theory, stated, default, own)
                    begun = "computed" if any(r.state == "counts" and r.op == m.SETS for r in own) else start
                    if not self.presumes and begun == "default":
                        value = None
                    made.append(Way(lanes & some, value, own, begun))
                    put(values, value, lanes & some)
        put(values, None, at & ~union(values.values()))
        return Quantity(values, made, spoken)

    def contributed(
        self, norm: m.Norm, head: m.QuantityHead, x: One, at: int, without: frozenset[str]
    ) -> Parts[tuple[bool | None, Fraction | None]]:
        """What a norm contributes to a number where it applies (True) or may apply (None)."""
        true, false = self.status(norm, x, at)
        found: Parts[tuple[bool | None, Fraction | None]] = {}
        left = {True: true, None: at & ~(true | false)}
        for t, f, env in self.applies(norm, x, at):
            for status, lanes in ((True, t), (None, ~(t | f))):
                lanes &= left[status]
                if lanes:
                    left[status] &= ~lanes
                    names = {**env, "norm": norm.id, "without": without}
                    for value, some in self.number(head.value, x, names, lanes).items():
                        put(found, (status, value), some)
        return found

    def starts(self, x: One, name: str, at: int) -> Parts[tuple[Fraction | None, str, Fraction | None]]:
        """What a number is before norms say anything: what is stated, or a built-in works out; and the default."""
        prop = self.vocabulary.properties[name]
        found: Parts[tuple[Fraction | None, str, Fraction | None]] = {}
        for form in x.forms:
            some = form.lanes & at
            if not some:
                continue
            default = None if name in form.facts.unknown else prop.default
            stated = form.facts.numbers.get(name)
            if stated is None and prop.derived:
                by = prop.derived
                for value, lanes in self.seen(some, lambda view: builtins.number(view, by, view.of(x))).items():  # type: ignore[arg-type]  # noqa: B023
                    put(found, (value, "default" if value is None else "module", default), lanes)
            else:
                put(found, (stated, "default" if stated is None else "stated", default), some)
        return found


def counting(a: Any, b: Any) -> Any:
    """The numbers gathered so far, and one more; None: it is not one of them."""
    if a == OPEN or b == OPEN:
        return OPEN
    return a if b is None else (*a, b)


def aggregate(function: str, numbers: tuple[Fraction, ...]) -> Fraction | None:
    """The count, sum, highest or lowest."""
    if function == "count":
        return Fraction(len(numbers))
    if function == "sum":
        return sum(numbers, Fraction(0))
    return None if not numbers else max(numbers) if function == "highest" else min(numbers)


def arith(op: str, a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """Two numbers put together; None where one is not known, or by zero."""
    if a is None or b is None or (op == "/" and b == 0):
        return None
    return ARITH[op](a, b)  # type: ignore[no-any-return]


def lookup(table: m.Table, how: str, key: Fraction | None, column: str, moved: Fraction | None) -> Fraction | None:
    """A cell of a table; None where there is no such row, or no number in it."""
    if key is None or moved is None:
        return None
    keys = {i: r[0] for i, r in enumerate(table.rows) if isinstance(r[0], Fraction)}
    fits = [i for i, k in keys.items() if (k == key if how == "is" else k <= key)]
    if not fits:
        return None
    at = (fits[0] if how == "is" else max(fits, key=lambda i: keys[i])) + int(moved)
    cell = table.rows[at][table.columns.index(column)] if 0 <= at < len(table.rows) else ""
    return cell if isinstance(cell, Fraction) else None
