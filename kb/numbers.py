"""Exact numbers as players write them: 3, 2.5, "+3", "2 1/2", "2½"; read and shown."""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

VULGAR = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}
SIGNS = {value: sign for sign, value in VULGAR.items()}
IN_WORDS = {
    word: n for n, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
}
LONGEST = 1000  # characters: no game counts so far, and longer ones cost more than they tell
WHOLE = {n: Fraction(n) for n in range(100)}
NUMBER = re.compile(
    r"\s*([+-]?)(?:(\d+)\s*([½¼¾⅓⅔])?|([½¼¾⅓⅔])|(?:(\d+)\s+)?(\d+)/(\d+)|(\d*\.\d+))\s*",
)

COMPARE = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
ZERO, ONE = WHOLE[0], WHOLE[1]


@lru_cache(maxsize=4096)
def _sum(a: int, b: int, c: int, d: int) -> Fraction:
    return Fraction(a * d + c * b, b * d)


def plus(one: Fraction, other: Fraction) -> Fraction:
    """The sum. Games add the same few numbers over and over: what was added before is remembered."""
    return _sum(*one.as_integer_ratio(), *other.as_integer_ratio())


@lru_cache(maxsize=4096)
def _quotient(a: int, b: int, c: int, d: int) -> Fraction:
    return Fraction(a * d, b * c)


def over(one: Fraction, other: Fraction) -> Fraction:
    """The quotient, likewise remembered. Raises ZeroDivisionError."""
    return _quotient(*one.as_integer_ratio(), *other.as_integer_ratio())


def number(value: Any) -> Fraction | None:
    """An exact number, or None when it is none. True and False are none."""
    if type(value) is int and value in WHOLE:
        return WHOLE[value]
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, float):
        value = repr(value)  # as it was written: a decimal fraction, not the nearest binary one
    match = NUMBER.fullmatch(value.replace("−", "-")) if isinstance(value, str) and len(value) <= LONGEST else None
    if not match:
        return None
    sign, whole, after, vulgar, before, over, under, decimal = match.groups()
    if under and not int(under):
        return None
    found = Fraction(whole or before or decimal or 0) + VULGAR.get(after or vulgar, Fraction(0))
    found += Fraction(int(over), int(under)) if over else 0
    return -found if sign == "-" else found


def shown(value: Fraction | None) -> str:
    """A number as players write it: 7, -1, 2½, 7/3."""
    if value is None:
        return "unknown"
    whole, part = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if not part:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}{SIGNS[part]}" if part in SIGNS else str(value)
