"""Why something is open in a case: by what the case tells, or by its silence alone.

Told is what a case says is not known, what an act of its history may have brought about, and what rules say opposite things
of. Worked out from the syntax trees by kb.checker.reference; the reasoner reads the same off its steps.
"""

from __future__ import annotations

from typing import Any

from kb.checker.reference_values import Env, One
from kb.language import norms as m

Judge = Any  # kb.checker.reference.Judge, which looks here


class Telling:
    """Looks for what a case tells under something that is open."""

    def __init__(self, judge: Judge):
        self.judge = judge
        self.seen: set[Any] = set()
        self.words = frozenset().union(*(x.unknown for x in judge.case.things.values()))

    def nothing(self) -> bool:
        """Whether the case tells nothing of the kind, so that there is no need to look."""
        return not (self.words or any(self.judge.pending.values()) or self.judge.clash)

    def again(self, key: Any) -> bool:
        """Whether this was looked at before; notes that it is now."""
        old = key in self.seen
        self.seen.add(key)
        return old

    def member(self, x: One, cls: str, focus: One) -> bool:
        """Whether the case tells why it is open that x is a cls."""
        if self.judge.member(x, cls, focus) is not None or self.again(("is", x.name, cls)):
            return False
        return self.made(x, cls)

    def made(self, x: One, cls: str) -> bool:
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
        norms = unmakes if held[0] else [*makes, *unmakes]
        if any(self.norm(n, x) for n in norms):
            return True
        if any(self.condition(d, x, {"this": x}) for d in judge.theory.definitions.get(cls, ())):
            return True
        below = (
            d for d in terms[cls].descendants if d != cls and d not in x.denied and judge.theory.definitions.get(d)
        )
        return any(self.member(x, d, x) for d in sorted(below))

    def norm(self, norm: m.Norm, x: One) -> bool:
        """Whether the case tells why a norm is open."""
        judge, subject = self.judge, m.subject_of(norm.head)
        if judge.status(norm, x) is not None or self.again(("norm", norm.id, x.name)):
            return False
        if subject and self.member(x, subject, x):
            return True
        return any(
            self.condition(c, x, {**env, "this": x})
            for value, env in judge.applies(norm, x) if value is None
            for c in (norm.when, *(u.condition for u in norm.unless))
        )  # fmt: skip

    def condition(self, c: m.Condition, x: One, env: Env) -> bool:
        """Whether the case tells why a condition is open."""
        judge = self.judge
        match c:
            case m.Bind(of, var):
                return self.condition(of, x, {**env, var: x})
            case m.Of(root, of):
                y = env.get(root) or judge.things.get(root)
                return y is not None and self.condition(of, y, env)
            case m.And() | m.Except():
                parts = c.parts if isinstance(c, m.And) else (c.base, m.Not(c.carve))
                known = [env]
                for part in parts:
                    if any(self.condition(part, x, e) for e in known):
                        return True
                    known = [f for e in known for v, f in judge.worlds(part, x, e) if v is not False] or known
                return False
        if judge.holds(c, x, env) is not None:
            return False
        match c:
            case m.Named(name):
                return self.member(x, name, env["this"])
            case m.Not(of):
                return self.condition(of, x, env)
            case m.Or(parts):
                return any(self.condition(part, x, env) for part in parts)
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                return self.relation(x, role) or any(
                    self.condition(filler, y, env) for y in judge.links(x, role).things
                )
            case m.HasValue(role, _):
                return self.relation(x, role)
            case m.Flag(name, _):
                return name in x.facts.unknown
            case m.Compare(left, _, right):
                return self.number(left, x, env) or self.number(right, x, env)
        return False

    def relation(self, x: One, role: m.Role) -> bool:
        """Whether the case tells why it is open what a role of x leads to."""
        judge = self.judge
        if judge.withheld(x, role.name):
            return True
        links = judge.links(x, role)
        if not links.perhaps or self.again(("to", x.name, str(role))):
            return False
        below = judge.vocabulary.properties[role.name].below
        for norm, head in judge.relating:
            if head.role not in below:
                continue
            for one in [x, *(judge.things[name] for name in links.perhaps if name in judge.things)]:
                if self.norm(norm, one):
                    return True
                for value, env in judge.applies(norm, one):
                    if value is not False and any(
                        self.condition(head.to, judge.things[name], env) for name in (*links.perhaps, x.name)
                    ):
                        return True
        return False

    def number(self, e: m.Expr, x: One, env: Env) -> bool:
        """Whether the case tells why a number is not known."""
        judge = self.judge
        if judge.number(e, x, env) is not None:
            return False
        match e:
            case m.Path(root, steps):
                if not root and len(steps) == 1:
                    return self.quantity(x, steps[0])
                ends, _ = judge.follow(x, m.Path(root, steps[:-1]), env)
                return any(self.quantity(y, steps[-1]) for y in ends) if ends else not self.words.isdisjoint(steps)
            case m.Otherwise(quantity):
                return self.quantity(env["this"], quantity)
            case m.Arith(_, left, right):
                return self.number(left, x, env) or self.number(right, x, env)
            case m.Call(_, args):
                return any(self.number(a, x, env) for a in args)
            case m.Aggregate(_, path, filler, quantity):
                ends, whole = judge.follow(x, path, env)
                if not whole:
                    return not self.words.isdisjoint(path.steps)
                return any(
                    self.condition(filler, y, env) or (bool(quantity) and self.quantity(y, quantity)) for y in ends
                )
            case m.Lookup(_, _, key, _, shift):
                return self.number(key, x, env) or (shift is not None and self.number(shift, x, env))
        return False

    def quantity(self, x: One, name: str) -> bool:
        """The same of a number of x, which norms make."""
        judge = self.judge
        if name in x.facts.unknown:
            return True
        if judge.quantity(x, name) is not None or self.again(("number", x.name, name)):
            return False
        rows = list(judge.rows(x, name, frozenset()))
        judge.total(x, name, rows)
        for row in rows:
            if row.state == "conflict":
                return True
            head = row.norm.head
            if row.state == "open" and isinstance(head, m.QuantityHead):
                envs = [env for value, env in judge.applies(row.norm, x) if value is not False]
                if self.norm(row.norm, x) or any(
                    self.number(head.value, x, {**env, "norm": row.norm.id}) for env in envs
                ):
                    return True
        return False
