"""What numbers come to, for the judge: sums of norms, arithmetic, tables. None is a number that is not known."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kb.checker.reference_builtins import Derived
from kb.checker.reference_strength import goes_over, stronger
from kb.checker.reference_values import NONE, Env, One, either
from kb.language import norms as m


@dataclass
class Row:
    """One norm's part in a number. state: counts, beaten, conflict, open, idle."""

    norm: m.Norm
    status: bool | None
    value: Fraction | None
    state: str = "idle"
    by: m.Norm | None = None


def total(base: Fraction, rows: Iterable[Row]) -> Fraction:
    """What has happened to it, with the limits kept each time; then additions, multiplications and limits."""
    known = list(rows)
    limits = [r for r in known if op(r) == m.LIMITS]
    for r in known:
        assert r.value is not None
        if op(r) in m.HAPPENED:
            by = -r.value if op(r) == m.LOWERS else r.value
            base = limited(by if op(r) == m.PUTS else base + by, limits)
    for r in known:
        base += r.value if op(r) == m.ADDS else 0  # type: ignore[operator]
    for r in known:
        base *= r.value if op(r) == m.MULTIPLIES else 1  # type: ignore[operator]
    return limited(base, limits)


def current(rows: list[Row]) -> list[Row]:
    """Rows without those that an event which sets the number has overtaken: what norms set it to, and what happened before."""

    def stands(at: int) -> bool:
        r = rows[at]
        rival = any(o.status and op(o) == m.SETS and goes_over(o.norm, r.norm) for o in rows)
        return op(r) == m.PUTS and r.status is True and r.value is not None and not rival

    last = max((at for at in range(len(rows)) if stands(at)), default=-1)
    if last < 0:
        return rows
    plain = [op(r) == m.SETS and not m.of_itself(r.norm.head) for r in rows]
    return [r for at, r in enumerate(rows) if not (plain[at] or (op(r) in m.HAPPENED and at < last))]


def limited(number: Fraction, limits: list[Row]) -> Fraction:
    """A number within limits."""
    for r in limits:
        assert r.value is not None and isinstance(r.norm.head, m.QuantityHead)
        number = min(number, r.value) if r.norm.head.bound == "at most" else max(number, r.value)
    return number


def op(row: Row) -> str:
    """What a norm does to a number."""
    assert isinstance(row.norm.head, m.QuantityHead | m.Change)
    return row.norm.head.op


def arith(sign: str, a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """Two numbers put together; None where one is not known, or by zero."""
    if a is None or b is None or (sign == "/" and b == 0):
        return None
    return {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[sign](a, b)  # type: ignore[no-any-return]


def call(function: str, args: list[Fraction | None]) -> Fraction | None:
    """A function of some numbers; None where it needs one that is not known."""
    known = [a for a in args if a is not None]
    if len(known) < len(args):
        return None
    one: dict[str, Callable[[Fraction], Any]] = {"floor": math.floor, "ceil": math.ceil, "abs": abs}
    return Fraction(one[function](known[0])) if function in one else {"min": min, "max": max}[function](known)


def aggregate(function: str, n: int, values: list[Fraction | None]) -> Fraction | None:
    """The count, sum, highest or lowest. n: how many there are."""
    known = [v for v in values if v is not None]
    if function == "count":
        return Fraction(n)
    if len(known) < len(values) or (not known and function != "sum"):
        return None
    return sum(known, Fraction(0)) if function == "sum" else max(known) if function == "highest" else min(known)


def lookup(table: m.Table, how: str, key: Fraction | None, column: str, moved: Fraction | None) -> Fraction | None:
    """A cell of a table, or None where there is no such row, or no number in it."""
    if key is None or moved is None:
        return None
    keys = {i: r[0] for i, r in enumerate(table.rows) if isinstance(r[0], Fraction)}
    fits = [i for i, k in keys.items() if (k == key if how == "is" else k <= key)]
    if not fits:
        return None
    at = (fits[0] if how == "is" else max(fits, key=lambda i: keys[i])) + int(moved)
    cell = table.rows[at][table.columns.index(column)] if 0 <= at < len(table.rows) else ""
    return cell if isinstance(cell, Fraction) else None


class Numbers(Derived):
    """What the numbers of a thing come to."""

    def number(self, e: m.Expr, x: One, env: Env) -> Fraction | None:
        """The value of an expression for x; None where it is not known."""
        match e:
            case m.Num(value):
                return value
            case m.Path(root, steps):
                if not root and len(steps) == 1:
                    return self.quantity(x, steps[0], env.get("without", NONE) if x is env["this"] else NONE)
                ends, _ = self.follow(x, m.Path(root, steps[:-1]), env)
                values = {self.quantity(y, steps[-1]) for y in ends}
                return values.pop() if len(values) == 1 else None
            case m.Otherwise(quantity):
                return self.quantity(env["this"], quantity, env.get("without", NONE) | {env["norm"]})
            case m.Arith(op, left, right):
                return arith(op, self.number(left, x, env), self.number(right, x, env))
            case m.Call(function, args):
                return call(function, [self.number(a, x, env) for a in args])
            case m.Aggregate(function, path, filler, quantity):
                ends, whole = self.follow(x, path, env)
                held = [(y, self.holds(filler, y, env)) for y in ends]
                if not whole or any(v is None for _, v in held):
                    return None
                chosen = [y for y, v in held if v]
                return aggregate(
                    function, len(chosen), [self.quantity(y, quantity) for y in chosen] if quantity else []
                )
            case m.Lookup(table, how, key, column, shift):
                moved = self.number(shift, x, env) if shift is not None else Fraction(0)
                return lookup(self.theory.tables[table], how, self.number(key, x, env), column, moved)
        raise TypeError(e)

    def quantity(self, x: One, name: str, without: frozenset[str] = NONE) -> Fraction | None:
        """A number of x, made of what the norms contribute. without: norms that are left out."""
        key = ("number", x.name, name, without)
        return self.once(key, None, lambda: self.total(x, name, list(self.rows(x, name, without))))  # type: ignore[no-any-return]

    def rows(self, x: One, name: str, without: frozenset[str]) -> Iterator[Row]:
        """What each norm about a quantity contributes to it, where the norm applies or may apply."""
        for shift in self.shifts.get((x.name, name), ()):
            yield Row(shift.by.norm, shift.by.status, shift.value)
        for norm, head in self.index.summing.get(name, ()):
            told = name in x.facts.numbers and head.op == m.SETS and norm.id in self.theory.leaves  # not left to others
            if norm.id not in without and not told and self.speaks(x, head.of):
                worlds = self.applies(norm, x)
                status = either(v for v, _ in worlds)
                env = next((e for v, e in worlds if v is status), {"this": x})
                env = {**env, "norm": norm.id, "without": without}
                yield Row(norm, status, self.number(head.value, x, env) if status is not False else None)

    def total(self, x: One, name: str, rows: list[Row]) -> Fraction | None:
        """The number that rows make together; marks each row with its state."""
        stated, prop = x.facts.numbers.get(name), self.vocabulary.properties[name]
        if stated is None and prop.derived:
            stated = self.derived_number(x, name)
        default = None if name in x.facts.unknown or not self.presumes(x, name) else prop.default
        live = current([r for r in rows if r.status is not False])
        for r in live:
            over = (o.norm for o in live if o.status and o is not r and goes_over(o.norm, r.norm))
            r.by = None if op(r) in (m.RAISES, m.LOWERS) else next(over, None)
            r.state = "beaten" if r.by else "idle"
        sets = [r for r in live if op(r) == m.SETS and not r.by]
        sure = [r for r in sets if r.status and r.value is not None]
        for r in sure:
            if rival := next(
                (s for s in sure if s.value != r.value and not s.by and stronger(self.theory, s.norm, r.norm)), None
            ):
                r.state, r.by = "beaten", rival.norm
        winners = [r for r in sure if not r.by]
        if len({r.value for r in winners}) > 1:
            for r in winners:
                r.state = "conflict"
            return None
        for r in sets:
            if r not in sure:
                same = r.value is not None and {w.value for w in winners} == {r.value}
                lost = any(stronger(self.theory, w.norm, r.norm) for w in winners)
                r.state = "idle" if same or lost or (stated is not None and not winners) else "open"
        for r in winners:
            r.state = "counts"
        base = winners[0].value if winners else stated if stated is not None else default
        if base is None and any(op(r) == m.PUTS and r.status and r.value is not None for r in live):
            base = Fraction(0)  # an event has set it, whatever it was
        whole = any(m.of_itself(r.norm.head) for r in winners)
        for r in live:
            if whole and op(r) != m.LIMITS:
                continue  # it is in what the number would be otherwise
            if base is not None and op(r) != m.SETS and not r.by:
                neutral = {m.LIMITS: None, m.MULTIPLIES: Fraction(1)}.get(op(r), Fraction(0))
                known = r.status and r.value is not None
                r.state = "counts" if known else "idle" if r.value is not None and r.value == neutral else "open"
        if base is None or any(r.state == "open" for r in live):
            return None
        return total(base, [r for r in live if r.state == "counts"])
