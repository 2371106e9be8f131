"""What numbers come to, for the judge: sums of norms, arithmetic, tables. None is a number that is not known."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
    """Additions, then multiplications, then limits."""
    order = [m.ADDS, m.MULTIPLIES, m.LIMITS]
    for r in sorted((r for r in rows if op(r) in order), key=lambda r: order.index(op(r))):
        assert r.value is not None and isinstance(r.norm.head, m.QuantityHead)
        at_most = r.norm.head.bound == "at most"
        match op(r):
            case m.ADDS:
                base += r.value
            case m.MULTIPLIES:
                base *= r.value
            case _:
                base = min(base, r.value) if at_most else max(base, r.value)
    return base


def op(row: Row) -> str:
    """What a norm does to a number."""
    assert isinstance(row.norm.head, m.QuantityHead)
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
