"""Numbers: what norms set, add, multiply and limit, on top of what is stated; which contribution counts and which is beaten.

worked_out(situation, x, name, without) -> Step      its parts are the contributions
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from kb.language import norms as m
from kb.numbers import ONE, ZERO, plus
from kb.reasoner import builtins
from kb.reasoner.evaluate import number_of
from kb.reasoner.trace import Contribution, Step, Thing, Why
from kb.reasoner.world import World
from kb.rulebook.theory import goes_over

# What is done to a number after what it is set to; events change it in their order.
ORDER = {m.RAISES: 0, m.LOWERS: 0, m.PUTS: 0, m.ADDS: 1, m.MULTIPLIES: 2, m.LIMITS: 3}


def worked_out(s: World, x: Thing, name: str, without: frozenset[str]) -> Step:
    """A number of x from what is stated, what norms contribute and the default; norms in `without` are left aside."""
    prop = s.vocabulary.properties[name]
    path = node(name)
    said: Why = "stated"
    stated = x.facts.numbers.get(name)
    if stated is None and prop.derived:
        stated, said = builtins.number(s, prop.derived, x), "module"
    rows: list[Contribution] = []
    norms = x.kind.numbers.get(name)
    if norms is None:
        norms = s.theory.numbers_of(x.kind, name)
    if not norms and not x.shifts and stated is None and prop.default is not None and name not in x.facts.unknown:
        return Step(path, x, prop.default, "default", (), True)
    for change in x.shifts.get(name, ()):
        rows.append(Contribution(change.op, change.by, change.value))
    for norm in norms:
        if norm.id in without:
            continue
        head = norm.head
        assert isinstance(head, m.QuantityHead)
        if stated is not None and head.op == m.SETS and norm.id in s.theory.leaves:
            continue  # what is told is not left to others
        outcome = s.outcome(norm, x)
        value: Step | None = None
        if outcome.status is not False:
            value = number_of(s.theory, head.value, norm)(s, x, {**outcome.env, "without": without})
        rows.append(Contribution(head.op, outcome, value, head.bound))
    if not rows and stated is not None:
        return Step(path, x, stated, said, (), False)
    live = [r for r in rows if r.outcome.status is not False]
    if x.shifts and any(r.op == m.PUTS for r in live):
        live = since_set(live)
    if len(live) == 1 and live[0].op == m.SETS:
        (only,) = live  # nothing to set against it
        if only.outcome.status and only.value is not None and only.value.value is not None:
            only.state = "counts"
            soft = only.outcome.soft or only.value.soft or left_out(s, rows, live)
            return Step(path, x, only.value.value, "computed", tuple(rows), soft)
    for r in live:  # what events have done to it they have done: their exceptions had their say then
        by = (
            None
            if r.op in (m.RAISES, m.LOWERS)
            else next(
                (o for o in live if o.outcome.status and o is not r and goes_over(o.outcome.norm, r.outcome.norm)),
                None,
            )
        )
        if by is not None:
            r.beaten(by.outcome, s.theory.policy.principles[0] if s.theory.policy.principles else None)
    base, soft, clear = base_of(s, x, name, stated, live)
    if base is None and any(r.op == m.PUTS and known(r) for r in live):
        base, soft = ZERO, False  # an event has set it, whatever it was
    whole = any(r.state == "counts" and m.of_itself(r.outcome.norm.head) for r in live)
    for r in live:
        if base is None or r.op == m.SETS or r.lost or (whole and r.op != m.LIMITS):
            continue
        neutral = ONE if r.op == m.MULTIPLIES else ZERO
        if r.outcome.status is None or r.value is None or r.value.value is None:
            if r.value is not None and r.value.value == neutral and r.op != m.LIMITS:
                continue
            r.state = "open"
            clear = False
            continue
    if base is not None:
        sure = [r for r in live if not r.lost and known(r) and (not whole or r.op == m.LIMITS)]
        for r in sorted((r for r in sure if r.op != m.SETS), key=lambda r: ORDER[r.op]):
            assert r.value is not None
            r.state = "counts"
            soft = soft or r.outcome.soft or r.value.soft
            base = combined(base, r)
            if r.op in m.HAPPENED:  # after each event the number is within its limits
                for limit in (r for r in sure if r.op == m.LIMITS):
                    base = combined(base, limit)
    value_ = base if clear else None
    why: Why = "computed" if any(r.state == "counts" for r in live) else said if stated is not None else "default"
    if any(r.state == "conflict" for r in live):
        why = "conflict"
    elif base is None and not live:
        why = "unknown"
    elif value_ is None:
        why = "open"
    if why == "default":
        soft = prop.default is not None
    soft = soft or (value_ is not None and left_out(s, rows, [r for r in live if r.state == "counts"]))
    return Step(path, x, value_, why, tuple(rows), soft)


def known(r: Contribution) -> bool:
    """Whether a norm surely has a part in a number, and which."""
    return r.outcome.status is True and r.value is not None and r.value.value is not None


def since_set(live: list[Contribution]) -> list[Contribution]:
    """What bears on a number since an event has set it: not what norms set it to, nor what happened before."""
    puts = [
        at for at, r in enumerate(live) if r.op == m.PUTS and known(r)
        and not any(o.outcome.status and o.op == m.SETS and goes_over(o.outcome.norm, r.outcome.norm) for o in live)
    ]  # fmt: skip
    if not puts:
        return live
    return [
        r for at, r in enumerate(live)
        if not (at < puts[-1] if r.op in m.HAPPENED else r.op == m.SETS and not m.of_itself(r.outcome.norm.head))
    ]  # fmt: skip


def left_out(s: World, rows: list[Contribution], counts: list[Contribution]) -> bool:
    """Whether a norm that would change the number does not apply only for something that is presumed."""
    return any(
        r.outcome.status is False and r.outcome.soft and not says_why(r.outcome.norm.head)
        and not (r.op == m.SETS and any(s.theory.stronger(c.outcome.norm, r.outcome.norm) for c in counts))
        for r in rows
    )  # fmt: skip


def base_of(
    s: World, x: Thing, name: str, stated: Fraction | None, live: list[Contribution]
) -> tuple[Fraction | None, bool, bool]:
    """What the quantity is before additions: (value, soft, clear). Competing `sets` are resolved by strength."""
    sets = [r for r in live if r.op == m.SETS and not r.lost]
    sure = [r for r in sets if r.outcome.status and r.value is not None and r.value.value is not None]
    vague = [r for r in sets if r not in sure]
    for r in sure:
        for other in sure:
            if other is not r and other.value.value != r.value.value and not other.lost:  # type: ignore[union-attr]
                principle = s.theory.stronger(other.outcome.norm, r.outcome.norm)
                if principle is not None:
                    r.beaten(other.outcome, principle)
    winners = [r for r in sure if not r.lost]
    values = {r.value.value for r in winners}  # type: ignore[union-attr]
    if len(values) > 1:
        for r in winners:
            r.state = "conflict"
        return None, False, False
    for r in vague:
        same = r.value is not None and r.value.value is not None and values == {r.value.value}
        beaten = any(s.theory.stronger(w.outcome.norm, r.outcome.norm) for w in winners)
        if same or beaten or (stated is not None and not winners):
            continue
        r.state = "open"
    clear = not any(r.state == "open" for r in vague)
    if winners:
        for r in winners:
            r.state = "counts"
        top = winners[0]
        assert top.value is not None
        return top.value.value, top.outcome.soft or top.value.soft, clear
    if stated is not None:
        return stated, False, True
    default = None if name in x.facts.unknown else s.vocabulary.properties[name].default
    return default, default is not None, clear


def combined(base: Fraction, r: Contribution) -> Fraction:
    assert r.value is not None
    value: Fraction = r.value.value
    if r.op in (m.ADDS, m.RAISES):
        return plus(base, value)
    if r.op == m.LOWERS:
        return plus(base, -value)
    if r.op == m.MULTIPLIES:
        return base * value
    if r.op == m.PUTS:
        return value
    return min(base, value) if r.bound == "at most" else max(base, value)


def says_why(head: m.Head) -> bool:
    """Whether a norm leaves its number as it is and only says why."""
    return isinstance(head, m.QuantityHead) and head.op == m.MULTIPLIES and head.value == m.Num(ONE)


@cache
def node(name: str) -> m.Path:
    """What the steps of a number point to; one for each is enough."""
    return m.Path("", (name,))
