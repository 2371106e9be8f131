"""Why something is open in a case: by what the case tells, or by its silence alone.

Told is what a case says is not known, what an act of its history may have brought about, and what rules say opposite things
of. Worked out from the syntax trees by kb.checker.reference; the reasoner reads the same off its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kb.checker.reference_values import Env, One
from kb.language import norms as m

Judge = Any  # kb.checker.reference.Judge, which looks here


class Telling:
    """Looks for what a case tells under something that is open."""

    def __init__(self, judge: Judge):
        self.judge = judge
        self.known: dict[Any, bool] = {}
        self.words = frozenset().union(*(x.unknown for x in judge.case.things.values()))

    def nothing(self) -> bool:
        """Whether the case tells nothing of the kind, so that there is no need to look."""
        shifts = (s for rows in self.judge.shifts.values() for s in rows)
        happened = any(self.judge.pending.values()) or any(
            s.by.so is None or (s.by.so and s.value is None) for s in shifts
        )
        return not (self.words or happened or self.judge.clash)

    def once(self, key: Any, look: Callable[..., bool], *at: Any) -> bool:
        """What looking finds, worked out once; what leans on itself adds nothing."""
        if key not in self.known:
            self.known[key] = False
            self.known[key] = look(*at)
        return self.known[key]

    def member(self, x: One, cls: str, focus: One, so: bool) -> bool:
        """Whether it may come about that x is a cls (so), or is none, by what the case tells, where that is open."""
        return self.judge.member(x, cls, focus) is None and self.once(("is", x.name, cls, so), self.made, x, cls, so)

    def made(self, x: One, cls: str, so: bool) -> bool:
        """The same of what would make it so, and what would take it away."""
        judge, terms = self.judge, self.judge.vocabulary.classes
        if terms[cls].ancestors.intersection(x.facts.unknown):
            return True
        if terms[cls].derived:
            return False
        if any(cls in terms[c].ancestors for c in judge.pending.get(x.name, ())):
            return True
        makes, unmakes = judge.making(cls, False), judge.making(cls, True)
        held = [any(judge.status(n, x) for n in norms) for norms in (makes, unmakes)]
        if all(held):
            return True
        norms = unmakes if held[0] else makes if so else [*makes, *unmakes]
        if any(self.norm(n, x, so) for n in norms):
            return True
        if any(self.condition(d, x, {"this": x}, so) for d in judge.theory.definitions.get(cls, ())):
            return True
        below = (
            d for d in terms[cls].descendants if d != cls and d not in x.denied and judge.theory.definitions.get(d)
        )
        return any(self.member(x, d, x, so) for d in sorted(below))

    def norm(self, norm: m.Norm, x: One, so: bool) -> bool:
        """Whether an open norm may come to apply (so), or not to, by what the case tells."""
        open_ = self.judge.status(norm, x) is None
        return open_ and self.once(("norm", norm.id, x.name, so), self.applying, norm, x, so)

    def applying(self, norm: m.Norm, x: One, so: bool) -> bool:
        """The same of its class, its condition and its exceptions."""
        judge, subject = self.judge, m.subject_of(norm.head)
        kind = m.Named(subject) if subject else m.Anything()
        return any(
            self.together([(kind, so), (norm.when, so), *((u.condition, not so) for u in norm.unless)], x, {**env, "this": x}, so)
            for value, env in judge.applies(norm, x) if value is None
        )  # fmt: skip

    def together(self, parts: Sequence[tuple[m.Condition, bool]], x: One, env: Env, so: bool) -> bool:
        """The same of conditions that must all be met: then each open one may be, or, not to be met, one of them may not.

        parts: each with the side of it that is looked for.
        """
        open_ = [(c, then) for c, then in parts if self.judge.holds(c, x, env) is None]
        return bool(open_) and (all if so else any)([self.condition(c, x, env, then) for c, then in open_])

    def condition(self, c: m.Condition, x: One, env: Env, so: bool) -> bool:
        """Whether an open condition may come to be met (so), or not to be, by what the case tells."""
        judge = self.judge
        match c:
            case m.Bind(of, var):
                return self.condition(of, x, {**env, var: x}, so)
            case m.Of(root, of):
                y = env.get(root)
                return y is not None and self.condition(of, y, env, so)
            case m.And() | m.Except():
                return self.joint(list(c.parts if isinstance(c, m.And) else (c.base, m.Not(c.carve))), x, env, so)
        if judge.holds(c, x, env) is not None:
            return False
        match c:
            case m.Named(name):
                return self.member(x, name, env["this"], so)
            case m.Not(of):
                return self.condition(of, x, env, not so)
            case m.Or(parts):
                open_ = [part for part in parts if judge.holds(part, x, env) is None]
                return bool(open_) and (any if so else all)([self.condition(part, x, env, so) for part in open_])
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                return self.relation(x, role, so) or any(
                    self.condition(filler, y, env, so) for y in judge.links(x, role).things
                )
            case m.HasValue(role, _):
                return self.relation(x, role, so)
            case m.Flag(name, _):
                return name in x.facts.unknown
            case m.Compare(left, _, right):
                return self.number(left, x, env, so) or self.number(right, x, env, so)
        return False

    def joint(self, parts: list[m.Condition], x: One, env: Env, so: bool, open_: bool = False) -> bool:
        """The same of a conjunction, for some way in which its parts name things, from left to right.

        open_: whether a part before these is open, and may come to be met.
        """
        if not parts:
            return so and open_
        for value, after in self.judge.worlds(parts[0], x, env):
            if value is False:
                continue
            told = value is None and self.condition(parts[0], x, env, so)
            if told and not so:
                return True
            if (told or value or not so) and self.joint(parts[1:], x, after, so, open_ or told):
                return True
        return False

    def relation(self, x: One, role: m.Role, so: bool) -> bool:
        """Whether the case tells why it is open what a role of x leads to."""
        judge = self.judge
        if judge.withheld(x, role.name):
            return True
        return bool(judge.links(x, role).perhaps) and self.once(
            ("to", x.name, str(role), so), self.relating, x, role, so
        )

    def relating(self, x: One, role: m.Role, so: bool) -> bool:
        """The same of the norms that relate x to something."""
        judge, links = self.judge, self.judge.links(x, role)
        below = judge.vocabulary.properties[role.name].below
        for norm, head in judge.index.relating:
            if head.role not in below:
                continue
            for one in [x, *(judge.things[name] for name in links.perhaps if name in judge.things)]:
                if self.norm(norm, one, so):
                    return True
                for value, env in judge.applies(norm, one):
                    if value is not False and any(
                        self.condition(head.to, judge.things[name], env, so) for name in (*links.perhaps, x.name)
                    ):
                        return True
        return False

    def number(self, e: m.Expr, x: One, env: Env, so: bool) -> bool:
        """Whether the case tells why a number is not known."""
        judge = self.judge
        if judge.number(e, x, env) is not None:
            return False
        match e:
            case m.Path(root, steps):
                if not root and len(steps) == 1:
                    return self.quantity(x, steps[0], so)
                ends, _ = judge.follow(x, m.Path(root, steps[:-1]), env)
                return any(self.quantity(y, steps[-1], so) for y in ends) if ends else not self.words.isdisjoint(steps)
            case m.Otherwise(quantity):
                return self.quantity(env["this"], quantity, so)
            case m.Arith(_, left, right):
                return self.number(left, x, env, so) or self.number(right, x, env, so)
            case m.Call(_, args):
                return any(self.number(a, x, env, so) for a in args)
            case m.Aggregate(_, path, filler, quantity):
                ends, whole = judge.follow(x, path, env)
                if not whole:
                    return not self.words.isdisjoint(path.steps)
                return any(
                    self.condition(filler, y, env, so) or (bool(quantity) and self.quantity(y, quantity, so))
                    for y in ends
                )
            case m.Lookup(_, _, key, _, shift):
                return self.number(key, x, env, so) or (shift is not None and self.number(shift, x, env, so))
        return False

    def quantity(self, x: One, name: str, so: bool) -> bool:
        """The same of a number of x, which norms make."""
        if name in x.facts.unknown:
            return True
        open_ = self.judge.quantity(x, name) is None
        return open_ and self.once(("number", x.name, name, so), self.numbering, x, name, so)

    def numbering(self, x: One, name: str, so: bool) -> bool:
        """The same of the norms that make a number of x."""
        judge = self.judge
        rows = list(judge.rows(x, name, frozenset()))
        judge.total(x, name, rows)
        for row in rows:
            if row.state == "conflict":
                return True
            head = row.norm.head
            if row.state == "open" and isinstance(head, m.Change):
                return True  # what has happened may have changed it
            if row.state == "open" and isinstance(head, m.QuantityHead):
                envs = [env for value, env in judge.applies(row.norm, x) if value is not False]
                if self.norm(row.norm, x, so) or any(
                    self.number(head.value, x, {**env, "norm": row.norm.id}, so) for env in envs
                ):
                    return True
        return False
