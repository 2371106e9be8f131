"""The rows of a decision table: as few and as short as can be found, equal to what the rules put together come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kb.reasoner import proof as p
from kb.research.decisions.bdd import FALSE
from kb.research.decisions.functions import Allowed, Functions
from kb.research.decisions.shape import IS, Shape
from kb.research.decisions.together import BEYOND, FREED, SILENT, Outcome, Together, bars


@dataclass(frozen=True)
class Row:
    """A row of a table: where its inputs are as allowed, and no row before it is met, the act comes to that."""

    outcome: Outcome
    allowed: Allowed
    rules: tuple[str, ...]


@dataclass
class DecisionTable:
    """rows: the first that is met decides; the last holds of everything. shares: of each outcome, in which part of the shape's
    situations an act comes to it; by_rule: the same by rule; needs: the rules not loaded that it takes besides; closing: the rule by
    which silence bars; together: the functions that the rows were made of; asked: how often the reasoner was."""

    shape: Shape
    rows: list[Row]
    together: Together
    title: str = ""
    shares: dict[Outcome, float] = field(default_factory=dict)
    by_rule: dict[str, float] = field(default_factory=dict)
    needs: dict[Outcome, tuple[str, ...]] = field(default_factory=dict)
    closing: str = ""
    notes: tuple[str, ...] = ()


# ── rows ──


def rows(together: Together) -> list[Row]:
    """The rows of a table: bars by a rule first, then what is left in the order that takes the fewest words."""
    outcomes = together.outcomes()
    free = together.f.d.no(together.care)  # what cannot be, and what is decided before
    barred = [o for o in outcomes if o.verdict == p.FORBIDDEN and o.by_rule]
    rest = [o for o in outcomes if o not in barred]
    first, free = in_order(together, outcomes, barred, free, not rest)
    ways = []
    for order in ORDERS:
        told = sorted(rest, key=lambda o: (order.index(o.sort), o.verdict))
        ways.append(in_order(together, outcomes, told, free, True)[0])
    costs = [sum(1 + len(row.allowed) for row in rows) for rows in ways]
    return [*first, *ways[costs[1] <= PLAINLY * costs[0]]]


def in_order(
    together: Together, outcomes: Mapping[Outcome, int], order: Sequence[Outcome], free: int, whole: bool
) -> tuple[list[Row], int]:
    """The rows of some outcomes in their order, and what then is decided. whole: the last of them is all that is left."""
    d, f, found = together.f.d, together.f, list[Row]()
    for n, outcome in enumerate(order):
        where = outcomes[outcome]
        if whole and n == len(order) - 1:
            found.append(Row(outcome, {}, cited(together, outcome, where)))
            continue
        speak = speaking(together, outcome, free)
        for allowed in shortest(f, where, d.either(where, free), together.shape.notions):
            alone = [rule for rule, g in speak.items() if f.holds(g, allowed)]
            found.append(
                Row(outcome, allowed, tuple(alone[:1]) or cited(together, outcome, d.but(f.function(allowed), free)))
            )
        free = d.either(free, where)
    return found, free


PLAINLY = 2.0  # how many times as long leave may be when it is told outright, and not as what is left
ORDERS = (
    (p.CONFLICT, SILENT, BEYOND, FREED, p.PERMITTED),
    (p.CONFLICT, BEYOND, p.PERMITTED, FREED, SILENT),
)


def shortest(f: Functions, lower: int, upper: int, notions: frozenset[str]) -> list[Allowed]:
    """Rows that hold wherever one function does and only where another does: none can be shortened, none left out."""
    d = f.d
    found = [f.allowed(product) for product in d.products(lower, upper)]
    wide = [
        min((widened(f, a, lower, upper, notions), widened(f, said(f, a, notions), lower, upper, notions)), key=len)
        for a in found
    ]
    kept = sorted({f.function(a): a for a in wide}.items(), key=lambda row: len(row[1]))
    before = [FALSE]  # what the rows before each come to together
    for g, _ in kept:
        before.append(d.either(before[-1], g))
    needed, after = list[Allowed](), FALSE
    for n in range(len(kept) - 1, -1, -1):
        g, allowed = kept[n]
        if not d.within(d.both(lower, g), d.either(before[n], after)):
            needed.append(allowed)
            after = d.either(after, g)
    return needed[::-1]


def said(f: Functions, allowed: Allowed, notions: frozenset[str]) -> Allowed:
    """A row with the notions that it comes to, as the rules have them, put to it."""
    d, where = f.d, f.function(allowed)
    live = d.both(where, f.care)
    for key in f.keys:
        if key[0] == IS and key[2] in notions and key not in allowed:
            for n in (0, 1):
                if d.within(live, f.option(key, n)):
                    allowed = {**allowed, key: frozenset([n])}
    return allowed


def widened(f: Functions, allowed: Allowed, lower: int, upper: int, notions: frozenset[str]) -> Allowed:
    """A row with whatever can be left out of it left out, notions of the rules last, and each input allowed as many options as can be."""
    never = f.d.no(lower)
    for key in sorted(allowed, key=lambda k: (k[2] in notions, -len(allowed[k]), -f.keys.index(k))):
        rest = {k: v for k, v in allowed.items() if k != key}
        if f.holds(upper, rest):
            allowed = rest
    for key in list(allowed):
        for n in range(len(f.vars[key]) + 1):
            one = {**allowed, key: frozenset([n])}
            if n not in allowed[key] and f.holds(upper, one) and not f.holds(never, one):
                allowed = {**allowed, key: allowed[key] | {n}}
    return allowed


def speaking(together: Together, outcome: Outcome, free: int) -> dict[str, int]:
    """By rule, where it speaks for an outcome, or that does not matter."""
    d, found = together.f.d, dict[str, int]()
    for name, freed in together.freed.items() if outcome.sort == FREED else ():
        rule = together.theory.norms[name].rule
        found[rule] = d.either(found.get(rule, free), freed)
    for norm in together.shape.norms if outcome.by_rule else ():
        if outcome.verdict == p.CONFLICT or bars(norm) == (outcome.verdict == p.FORBIDDEN):
            found[norm.rule] = d.either(found.get(norm.rule, free), together.norms[norm.id])
    return found


def cited(together: Together, outcome: Outcome, where: int) -> tuple[str, ...]:
    """The rules by which an act comes to what it does in some situations: as few as speak for all of them."""
    d, left, rules = together.f.d, where, list[str]()
    speak = {rule: d.both(g, where) for rule, g in speaking(together, outcome, FALSE).items()}
    while left != FALSE and speak:
        best = max(speak, key=lambda rule: d.count(d.both(speak[rule], left), together.f.where))
        if d.both(speak[best], left) == FALSE:
            break
        rules.append(best)
        left = d.but(left, speak[best])
    return tuple(rules)
