"""What the rows of a number come to in lanes that agree on them: which is beaten, which counts, and the total."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from kb.language import norms as m
from kb.rulebook.theory import Theory, goes_over

ONE, ZERO = Fraction(1), Fraction(0)


class Row(Struct, eq=False):
    """A norm's part in a number. status: whether it applies, True or None; state: counts, beaten, conflict, open, idle."""

    norm: m.Norm
    status: bool | None
    value: Fraction | None
    state: str = "idle"
    lost: bool = False

    @property
    def op(self) -> str:
        """What it does to the number."""
        assert isinstance(self.norm.head, m.QuantityHead)
        return self.norm.head.op


def total(theory: Theory, stated: Fraction | None, default: Fraction | None, rows: list[Row]) -> Fraction | None:
    """The number that rows make together; marks each with its state."""
    if not rows:
        return default if stated is None else stated
    for r in rows:
        if any(o.status and o is not r and goes_over(o.norm, r.norm) for o in rows):
            r.state, r.lost = "beaten", True
    sets = [r for r in rows if r.op == m.SETS and not r.lost]
    sure = [r for r in sets if r.status and r.value is not None]
    for r in sure:
        if any(s.value != r.value and not s.lost and theory.stronger(s.norm, r.norm) for s in sure):
            r.state, r.lost = "beaten", True
    winners = [r for r in sure if not r.lost]
    values = {r.value for r in winners}
    if len(values) > 1:
        for r in winners:
            r.state = "conflict"
        return None
    for r in sets:
        if r not in sure:
            same = r.value is not None and values == {r.value}
            beaten = any(theory.stronger(w.norm, r.norm) for w in winners)
            r.state = "idle" if same or beaten or (stated is not None and not winners) else "open"
    for r in winners:
        r.state = "counts"
    base = winners[0].value if winners else default if stated is None else stated
    whole = any(m.of_itself(r.norm.head) for r in winners)  # additions and factors are in it
    for r in rows:
        if whole and r.op != m.LIMITS:
            continue
        if base is not None and r.op != m.SETS and not r.lost:
            neutral = {m.LIMITS: None, m.MULTIPLIES: ONE}.get(r.op, ZERO)
            known = r.status and r.value is not None
            r.state = "counts" if known else "idle" if r.value is not None and r.value == neutral else "open"
    if base is None or any(r.state == "open" for r in rows):
        return None
    return added(base, [r for r in rows if r.state == "counts"])


def added(number: Fraction, rows: list[Row]) -> Fraction:
    """Additions, then multiplications, then limits."""
    for op in (m.ADDS, m.MULTIPLIES, m.LIMITS):
        for r in rows:
            if r.op == op and r.value is not None:
                assert isinstance(r.norm.head, m.QuantityHead)
                if op == m.ADDS:
                    number += r.value
                elif op == m.MULTIPLIES:
                    number *= r.value
                else:
                    number = (min if r.norm.head.bound == "at most" else max)(number, r.value)
    return number
