"""How far the chapters decide what is so, in all lanes at once: what is not so by silence alone is an answer only of a term that a
chapter decides wholly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.circuit.amounts import ruled
from kb.circuit.conditions import Lanes
from kb.circuit.past import HAPPENED
from kb.circuit.scope import bearing, kind_of, wider
from kb.circuit.values import Env, Links, One, Parts, Tri, World, put, union, vectors
from kb.language import norms as m
from kb.reasoner import proof as p

STATE = "State"


def verdicts(lanes: Lanes, x: One, c: m.Condition) -> Parts[str]:
    """The answer to an `is` question."""
    lanes.lose(HAPPENED, told_before(lanes))
    env: Env = {"this": x, **lanes.things}
    true, false = lanes.holds(c, x, env, lanes.every)
    elsewhere = union(1 << i for i, case in enumerate(lanes.cases) if case.elsewhere)
    t, f = Sure(lanes).holds(c, x, {"this": x, **lanes.things}, (true | false) & ~elsewhere)
    found: Parts[str] = {}
    sure = elsewhere | t | f
    put(found, p.HOLDS, true & sure)
    put(found, p.FAILS, false & sure)
    put(found, p.OUTSIDE, (true | false) & ~sure)
    put(found, p.UNDETERMINED, lanes.every & ~(true | false))
    return found


def told_before(lanes: Lanes) -> int:
    """The lanes in which somebody is stated to be in a state and has since had a part in something: other rules may have ended it."""
    classes, found = lanes.vocabulary.classes, 0
    for i, case in enumerate(lanes.cases) if lanes.done else ():
        parts = {name for act in lanes.done for to in case.things[act].links.values() for name in to}
        told = (c for name in parts if name in case.things for c in case.things[name].is_)
        if any(STATE in classes[c].ancestors for c in told):
            found |= 1 << i
    return found


class Sure(Lanes):
    """A question's condition with what silence says only where a chapter decides the term wholly; the rest is not known.

    Relations, norms and numbers are those of the lanes themselves.
    """

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.theory, lanes.cases, lanes)
        self.under = lanes

    def decided(self, x: One, terms: Iterable[str], at: int) -> int:
        """The lanes in which a chapter decides wholly what is not said of some terms."""
        rows = bearing(self.under, x, terms, at)
        found = 0
        for some, values in vectors(at, [value for _, value in rows]):
            if kind_of(self.theory, [row for (row, _), value in zip(rows, values, strict=True) if value]) == m.WHOLLY:
                found |= some
        return found

    def member(self, x: One, cls: str, focus: One, at: int) -> Tri:
        """Whether x is a cls; not known where only silence says no, and no chapter decides it wholly."""
        true, false = self.under.member(x, cls, focus, at)
        term = self.vocabulary.classes[cls]
        false &= at
        if term.derived or not false & ~x.is_no(cls):
            return true, false
        sure = x.is_no(cls)
        for norm in self.theory.unmakes.get(cls, ()):
            sure |= self.under.status(norm, x, false)[0]
        for d in self.theory.definitions.get(cls, ()):
            sure |= self.holds(d, x, {"this": x}, false)[1]
        if false & ~sure:
            sure |= self.decided(x, term.ancestors, false & ~sure)
        return true, false & sure

    def successors(self, x: One, name: str, at: int, inverse: bool = False) -> Links:
        """Those of the lanes."""
        return self.under.successors(x, name, at, inverse)

    def blank(self, x: One, role: str) -> One:
        """Those of the lanes."""
        return self.under.blank(x, role)

    def applies(self, norm: m.Norm, x: One, at: int) -> Sequence[World]:
        """Those of the lanes."""
        return self.under.applies(norm, x, at)

    def silent(self, x: One, role: m.Role, at: int) -> int:
        """The lanes in which a relation that rules make is only not said to hold, and rules that are not loaded make it too."""
        terms = list(wider(self.theory, role.name))
        if not any(term in self.theory.scope for term in terms):
            return 0
        return at & ~self.decided(x, terms, at)

    def plain(self, c: m.Condition, x: One, env: Env, at: int) -> Tri:
        """A condition; not known where a relation or a number is so by silence alone, and no chapter decides it wholly."""
        match c:
            case m.Some(role, _):
                said = self.under.plain(c, x, dict(env), at)[1]
                at &= ~(self.silent(x, role, said) if said else 0)
                return super().plain(c, x, env, at) if at else (0, 0)
            case m.HasValue(role, target):
                t, f = self.under.plain(c, x, dict(env), at)
                if f:
                    barred = self.successors(x, role.name, f, role.inverse).barred
                    ends = self.follow(x, target, env, f)[0]
                    f &= ~self.silent(x, role, f & ~union(lanes & barred.get(y.name, 0) for y, lanes in ends.items()))
                return t, f
            case m.Only() | m.Count() | m.Same() | m.Flag():
                return self.under.plain(c, x, dict(env), at)
            case m.Compare(left, _, right):
                t, f = self.under.plain(c, x, dict(env), at)
                open_ = union(self.doubtful(e, x, env, t | f) for e in (left, right)) if t | f else 0
                return t & ~open_, f & ~open_
        return super().plain(c, x, env, at)

    def doubtful(self, e: m.Expr, x: One, env: Env, at: int) -> int:
        """The lanes in which a number that is compared is only what is usual, and rules that are not loaded decide it too."""
        if not isinstance(e, m.Path):
            return 0
        ends: Parts[One] = {x: at}
        if e.root or len(e.steps) > 1:
            ends = self.follow(x, m.Path(e.root, e.steps[:-1]), env, at)[0]
        name, found = e.steps[-1], 0
        for y, lanes in ends.items():
            stated = union(
                way.lanes for way in self.under.quantity(y, name, lanes).ways
                if way.start == "stated" and not any(r.state == "counts" for r in way.rows)
            )  # fmt: skip
            bare = lanes & ~stated
            bare &= ~ruled(self.under, y, name, bare)
            if bare:
                found |= bare & ~self.decided(y, (name,), bare)
        return found
