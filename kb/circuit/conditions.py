"""Whether conditions hold and norms apply, in all lanes at once: strong Kleene logic on two integers.

`at` is where it matters: what is not so, or so, in each of these lanes already is not looked at further. A truth value that is
handed back says nothing of other lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.circuit.known import WORLDS
from kb.circuit.memberships import Memberships
from kb.circuit.numbers import Numbers
from kb.circuit.relations import Relations
from kb.circuit.values import Env, Links, One, Parts, Tri, World, put
from kb.language import norms as m
from kb.language.vocabulary import ABSENT
from kb.numbers import COMPARE

FREE = frozenset((m.Not, m.Flag, m.Compare, m.HasValue, m.Same, m.Only, m.Count, m.Anything))  # what binds no name


class Lanes(Memberships, Relations, Numbers):
    """Variants of one case under one theory, asked whether conditions hold and norms apply."""

    def holds(self, c: m.Condition, x: One, env: Env, at: int) -> Tri:
        """Whether a condition holds of x, for some way to bind its names."""
        sort = type(c)
        if sort is m.Named:
            t, f = self.member(x, c.name, env["this"], at)  # type: ignore[union-attr]
            return t & at, f & at
        if sort is not m.Except and (sort in FREE or not self.binds(c)):
            return self.plain(c, x, env, at)
        true, false = 0, at
        for t, f, _ in self.worlds(c, x, env, at):
            true, false = true | t, false & f
        return true & at, false

    def worlds(self, c: m.Condition, x: One, env: Env, at: int) -> list[World]:
        """A condition's value for each way to bind its names: it holds if one of them does."""
        match c:
            case m.Bind(of, var):
                return [(t, f, {**e, var: x}) for t, f, e in self.worlds(of, x, {**env, var: x}, at)]
            case m.And(parts) if self.binds(c):
                return self.joint(parts, x, env, at)
            case m.Or(parts) if self.binds(c):
                found = [w for part in parts for w in self.worlds(part, x, env, at)]
                met = 0
                for t, _, _ in found:
                    met |= t
                # Where one side is so, what the others name nothing by does not matter.
                return [(t, f if e.keys() > env.keys() else f | met & ~t, e) for t, f, e in found]
            case m.Except(base, carve, _):
                return self.joint((base, m.Not(carve)), x, env, at)
            case m.Some(role, filler) if self.binds(c):
                links = self.successors(x, role.name, at, role.inverse)
                rest = at & (links.complete | self.nothing_such(x, role, filler, links, env, at))
                each = [
                    (t & lanes, f | at & ~lanes, e)
                    for y, lanes in links.things.items() if lanes & at
                    for t, f, e in self.worlds(filler, y, env, lanes & at)
                ]  # fmt: skip
                return [*each, (0, rest, env)]
            case m.Of(root, of) if self.binds(of):
                y = env.get(root)
                return self.worlds(of, y, env, at & y.here) if y is not None else [(0, 0, env)]
        return [(*self.plain(c, x, env, at), env)]

    def joint(self, parts: Sequence[m.Condition], x: One, env: Env, at: int) -> list[World]:
        """The value of several conditions together for each way to bind names, from left to right."""
        found: list[World] = [(at, 0, env)]
        for part in parts:
            after: list[World] = []
            for t, f, e in found:
                if f == at:
                    after.append((t, f, e))
                    continue
                for u, g, then in self.worlds(part, x, e, at & ~f):
                    after.append((t & u, (f | g) & at, then))
            found = after
        return found

    def plain(self, c: m.Condition, x: One, env: Env, at: int) -> Tri:
        """A condition that binds nothing for what stands to its right."""
        match c:
            case m.Named(name):
                t, f = self.member(x, name, env["this"], at)
                return t & at, f & at
            case m.Not(of):
                t, f = self.holds(of, x, env, at)
                return f, t
            case m.And(parts):
                true, false = at, 0
                for part in parts:
                    if false == at:
                        break
                    t, f = self.holds(part, x, env, at & ~false)
                    true, false = true & t, false | f
                return true & ~false, false
            case m.Or(parts):
                true, false = 0, at
                for part in parts:
                    if true == at:
                        break
                    t, f = self.holds(part, x, env, at & ~true)
                    true, false = true | t, false & f
                return true, false & ~true
            case m.Some(role, filler):
                return self.some(role, filler, x, env, at)
            case m.Only(role, filler):
                return self.only(role, filler, x, env, at)
            case m.Count(role, kind, n, filler):
                return self.count(role, kind, n, filler, x, env, at)
            case m.HasValue(role, target):
                return self.has_value(role, target, x, env, at)
            case m.Same(target):
                wanted, whole = self.follow(x, target, env, at)
                true = wanted.get(x, 0)
                return true & at, 0 if x.blank else whole & at & ~true
            case m.Of(root, of):
                y = env.get(root)
                return self.holds(of, y, env, at & y.here) if y is not None else (0, 0)
            case m.Flag(name, value):
                return self.flag(name, value, x, at)
            case m.Compare(left, op, right):
                true = false = 0
                ours, compare = self.number(left, x, env, at), COMPARE[op]
                theirs = self.number(right, x, env, at)
                for a, lanes in ours.items():
                    for b, others in theirs.items():
                        if a is not None and b is not None and lanes & others:
                            if compare(a, b):
                                true |= lanes & others
                            else:
                                false |= lanes & others
                return true & at, false & at
            case m.Anything():
                return at, 0
        raise TypeError(c)

    def some(self, role: m.Role, filler: m.Condition, x: One, env: Env, at: int) -> Tri:
        """Whether x is related to something that meets a condition."""
        links = self.successors(x, role.name, at, role.inverse)
        none = self.nothing_such(x, role, filler, links, env, at)
        true, false = 0, at & (links.complete | links.no_more)
        for y, lanes in links.things.items():
            lanes &= at & ~(none | true)
            if lanes:
                t, f = self.holds(filler, y, env, lanes)
                true, false = true | t, false & (f | ~lanes)
        for name, lanes in links.perhaps.items():  # what it may lead to besides
            lanes &= false & ~true
            if lanes:
                false &= self.holds(filler, self.things[name], env, lanes)[1] | ~lanes
        return true, (false | none) & ~true

    def only(self, role: m.Role, filler: m.Condition, x: One, env: Env, at: int) -> Tri:
        """Whether x is related to nothing but what meets a condition."""
        links = self.successors(x, role.name, at, role.inverse)
        true, false = at & links.complete, 0
        for y, lanes in links.things.items():
            lanes &= at & ~false
            if lanes:
                t, f = self.holds(filler, y, env, lanes)
                true, false = true & (t | ~lanes), false | f
        return true & ~false, false

    def count(self, role: m.Role, kind: str, n: int, filler: m.Condition, x: One, env: Env, at: int) -> Tri:
        """Whether x is related to so many that meet a condition. sure, may: by number, the lanes with as many that do, and that may."""
        links = self.successors(x, role.name, at, role.inverse)
        sure, may = [at, *[0] * (n + 1)], [at, *[0] * (n + 1)]
        for y, lanes in links.things.items():
            lanes &= at
            t, f = self.holds(filler, y, env, lanes) if lanes else (0, 0)
            for held, more in ((sure, t), (may, lanes & ~f)):
                for k in range(n + 1, 0, -1):
                    held[k] |= held[k - 1] & more
        whole = at & links.complete
        least, most = (sure[n], whole & ~may[n]), (whole & ~may[n + 1], sure[n + 1])
        if kind == "min":
            return least
        return most if kind == "max" else (least[0] & most[0], least[1] | most[1])

    def has_value(self, role: m.Role, target: m.Path, x: One, env: Env, at: int) -> Tri:
        """Whether x is related to what a path leads to."""
        links = self.successors(x, role.name, at, role.inverse)
        wanted, whole = self.follow(x, target, env, at)
        true = any_ = 0
        barred = closed = at
        for y, lanes in wanted.items():
            any_ |= lanes
            true |= lanes & links.things.get(y, 0)
            barred &= ~lanes | links.barred.get(y.name, 0)
            closed &= ~(lanes & links.perhaps.get(y.name, 0))
        false = any_ & whole & barred
        told = ~(any_ & ~links.presumed) if x.blank else at  # what nobody told may be related to anything
        false |= told & whole & (links.complete | ~any_ | closed & links.no_more)
        return true & at, false & at & ~true

    def flag(self, name: str, value: bool, x: One, at: int) -> Tri:
        """Whether a flag is as it should be; what is presumed absent is not set where nobody says."""
        true = x.where(("flag", name, value), lambda form: form.facts.flags.get(name) is value)
        false = x.where(("flag", name, not value), lambda form: form.facts.flags.get(name) is (not value))
        if self.vocabulary.properties[name].when_unstated == ABSENT and self.presumes:
            usual = at & ~(true | false | x.unknown((name,)))
            if value:
                false |= usual
            else:
                true |= usual
        return true & at, false & at

    def nothing_such(self, x: One, role: m.Role, filler: m.Condition, links: Links, env: Env, at: int) -> int:
        """The lanes in which nothing is told of a relation of x, and the filler asks for what anything is presumed not to be."""
        lanes = links.untold & at
        if x.blank or not lanes or not self.presumes:
            return 0
        return self.holds(filler, self.blank(x, role.name), env, lanes)[1]

    def follow(self, x: One, path: m.Path, env: Env, at: int) -> tuple[Parts[One], int]:
        """Where a path leads in some lanes, and those of them in which that is all there is."""
        start = x
        if path.root:
            bound = env.get(path.root)
            if bound is None:
                return {}, 0
            start = bound
            at &= start.here
        elif len(path.steps) == 1 and path.steps[0] in self.things and path.steps[0] not in self.vocabulary.properties:
            there = self.things[path.steps[0]]
            return {there: at & there.here}, at & there.here
        now, whole = {start: at}, at
        for step in path.steps:
            after: Parts[One] = {}
            for y, lanes in now.items():
                links = self.successors(y, step, lanes)
                whole &= links.complete | ~lanes
                for z, others in links.things.items():
                    put(after, z, lanes & others)
            now = after
        return now, whole

    # ── norms ──

    def status(self, norm: m.Norm, x: One, at: int) -> Tri:
        """Whether a norm applies to x."""
        true, false = 0, at
        for t, f, _ in self.applies(norm, x, at):
            true, false = true | t, false & f
        return true & at, false

    def applies(self, norm: m.Norm, x: One, at: int) -> Sequence[World]:
        """The same for each way to bind the norm's names."""
        known = self.memo.get(("norm", norm.id, x))
        if known is not None and not at & ~known[0]:
            self.leant |= known[2]
            return known[1]  # type: ignore[no-any-return]
        return self.once(WORLDS, ("norm", norm.id, x), at, lambda lanes: self._applies(norm, x, lanes))  # type: ignore[no-any-return]

    def _applies(self, norm: m.Norm, x: One, at: int) -> Sequence[World]:
        env: Env = {"this": x}
        subject = m.subject_of(norm.head)
        at &= self.speaks(x, subject) if subject else x.here
        if self.struck:
            at &= ~self.struck.get(norm.id, 0)
        if not at:
            return ()
        sure = at
        if subject:
            t, f = self.member(x, subject, x, at)
            sure, at = t, at & ~f
            if not at:
                return ()
        env["norm"] = norm.id
        found: list[World] = []
        for t, f, e in self.worlds(norm.when, x, env, at):
            t, f = t & sure & at, f | ~at
            for u in norm.unless:
                left = at & ~f
                if not left:
                    break
                met, unmet = self.holds(u.condition, x, e, left)
                t, f = t & unmet, f | met
            if at & ~f:
                found.append((t, f, e))
        return found
