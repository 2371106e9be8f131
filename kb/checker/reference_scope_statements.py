"""How far the chapters decide what is so, for the judge: `condition` puts the value of a condition in its scope.

What is not so by silence alone is an answer only of a term that a chapter decides wholly.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from kb.checker import reference as j
from kb.checker.reference import Judge, One, Tri, Values
from kb.checker.reference_scope import Ruled, above, all_rows, bearing, comes_to, home, stands
from kb.checker.reference_scope_numbers import ruled, start_of
from kb.language import norms as m
from kb.reasoner import proof as p


class Sure(Judge):
    """A question's condition with what silence says only where a chapter decides the term wholly; the rest is not known.

    Memberships, links and numbers are the judge's own. outside, closed: what the answer fails for, and what bears it out.
    open_book: as if no rule closed anything.
    """

    def __init__(self, judge: Judge, open_book: bool = False):
        self.open_book = open_book
        super().__init__(judge.theory, judge.case, judge.caused, judge.done)
        self.under, self.things = judge, judge.things
        self.pending, self.shifts = judge.pending, judge.shifts
        self.linked, self.loose = judge.linked, judge.loose
        self.held, self.clock = judge.held, judge.clock
        self.outside: list[Ruled] = []
        self.closed: list[Ruled] = []

    def decided(self, x: One, terms: Iterable[str], name: str) -> bool:
        """Whether a chapter decides wholly what is not said of a term; either is noted."""
        found = comes_to(self.under, bearing(self.under, x, terms), home(self.under, name))
        (self.closed if found.kind == p.WHOLLY else self.outside).append(found)
        return found.kind == p.WHOLLY and not (self.open_book and any(by or says for _, by, says in found.closing))

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is a cls; not known where only silence says no, and no chapter decides it wholly."""
        held = self.under.member(x, cls, focus)
        if held and self.before(x, cls):
            found = comes_to(
                self.under, bearing(self.under, x, self.vocabulary.classes[cls].ancestors), home(self.under, cls)
            )
            if found.kind == p.WHOLLY:
                return held
            self.outside.append(found)
            return None
        if held is not False or self.vocabulary.classes[cls].derived or cls in x.denied:
            return held
        if any(self.under.status(norm, x) for norm in self.making(cls, True)):
            return False
        if any(self.holds(d, x, {"this": x}) is False for d in self.theory.definitions.get(cls, ())):
            return False
        return False if self.decided(x, self.vocabulary.classes[cls].ancestors, cls) else None

    def before(self, x: One, cls: str) -> bool:
        """Whether only the case's word on the start makes x a cls, a state, and x has had a part in what has happened since."""
        classes = self.vocabulary.classes
        said = [c for c in x.facts.is_ if cls in classes[c].ancestors]
        made = any(cls in classes[c].ancestors for c in self.under.caused.get(x.name, ()))
        if not said or made or not any("State" in classes[c].ancestors for c in said):
            return False
        acts = [self.case.things[name] for name in self.under.done]
        return any(x.name in to for act in acts for to in act.links.values())

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """The judge's own."""
        return self.under.successors(x, name, inverse)

    def blank(self, x: One, name: str) -> One:
        """The judge's own."""
        return self.under.blank(x, name)

    def applies(self, norm: m.Norm, x: One) -> list[tuple[Tri, j.Env]]:
        """The judge's own."""
        return self.under.applies(norm, x)

    def quantity(self, x: One, name: str, without: frozenset[str] = j.NONE) -> Fraction | None:
        """The judge's own."""
        return self.under.quantity(x, name, without)

    def silent(self, x: One, role: m.Role) -> bool:
        """Whether a relation that rules make is only not said to hold, and rules that are not loaded make it too."""
        terms = above(self, role.name)
        ruled = any(row.term in terms for row in all_rows(self))
        return ruled and not self.decided(x, terms, role.name)

    def plain(self, c: m.Condition, x: One, env: j.Env) -> Tri:
        """A condition; not known where a relation or a number is so by silence alone, and no chapter decides it wholly."""
        said = self.under.plain(c, x, dict(env))
        match c:
            case m.Some(role, _) if said is False and self.silent(x, role):
                return None
            case m.HasValue(role, target):
                barred = {y.name for y in self.follow(x, target, env)[0]} & self.links(x, role).barred
                return None if said is False and not barred and self.silent(x, role) else said
            case m.Only() | m.Count() | m.Same() | m.Flag():
                return said
            case m.Compare(left, _, right):
                return None if said is not None and any([self.unknown(e, x, env) for e in (left, right)]) else said
        return super().plain(c, x, env)

    def unknown(self, e: m.Expr, x: One, env: j.Env) -> bool:
        """Whether a number that is compared is only what is usual, and rules that are not loaded decide it too."""
        if not isinstance(e, m.Path):
            return False
        ends = self.follow(x, m.Path(e.root, e.steps[:-1]), env)[0] if e.root or len(e.steps) > 1 else [x]
        name = e.steps[-1]
        bare = [y for y in ends if start_of(self.under, y, name) != "stated" and not ruled(self.under, y, name)]
        return any([not self.decided(y, (name,), name) for y in bare])


def condition(judge: Judge, x: One, c: m.Condition, held: Tri) -> Ruled:
    """What the value of a condition comes to within the scope: what is not so by silence alone is no answer."""
    verdict = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[held]
    if held is None or judge.case.elsewhere:
        return stands(verdict)
    surely = Sure(judge)
    if surely.holds(c, x, {"this": x, **judge.things}) is not None:
        said = frozenset(row for found in surely.closed for row in found.closing if row[1] or row[2])
        bare = Sure(judge, open_book=True)
        return Ruled(verdict, closing=said, closes=bare.holds(c, x, {"this": x, **judge.things}) is None)
    open_ = surely.outside
    needs, terms, those = (
        frozenset(x for found in open_ for x in getattr(found, name)) for name in ("needs", "terms", "those")
    )
    reasons = frozenset(found.needs for found in open_)
    return Ruled(p.OUTSIDE, p.OUTSIDE, needs, terms, those, reasons=reasons)
