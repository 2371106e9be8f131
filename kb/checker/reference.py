"""What the rule language says of a case, worked out in the plainest way: no proof, no index, no ranking.

kb.checker.checker holds the steps of a proof against it. It follows docs/rule-language.md from the syntax trees of the norms and
shares no code with the reasoner; only the modules that compute relations (sides, hex geometry) are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from kb.checker.reference_case import binds as binds
from kb.checker.reference_memberships import Memberships
from kb.checker.reference_numbers import Numbers
from kb.checker.reference_relations import Relations
from kb.checker.reference_values import (
    NONE as NONE,
    Env as Env,
    Named as Named,
    One as One,
    Tri as Tri,
    Values as Values,
    both,
    either,
    no,
)
from kb.language import norms as m
from kb.language.vocabulary import ABSENT
from kb.numbers import COMPARE


class Judge(Memberships, Relations, Numbers):
    """One case under one theory, asked whether conditions hold and norms apply; Staged tells what it is made from."""

    def supposing(self, keys: Iterable[Any]) -> Judge:
        """The same case, anew, in which there is nothing to some memberships and norms: ("is", thing, class), ("norm", id, thing)."""
        other = Judge(self.theory, self.case, self.caused, self.done, self.named)
        other.pending, other.shifts = self.pending, self.shifts
        other.linked, other.loose = self.linked, self.loose
        other.held, other.clock = self.held, self.clock
        other.active = {key: depth for depth, key in enumerate(keys)}
        return other

    # ── conditions ──

    def holds(self, c: m.Condition, x: One, env: Env) -> Tri:
        """Whether a condition holds of x, for some way to bind its names."""
        if isinstance(c, m.Named):
            return self.member(x, c.name, env["this"])
        if not self.binds(c):
            return self.plain(c, x, env)  # there is but one way
        return either(v for v, _ in self.worlds(c, x, env))

    def worlds(self, c: m.Condition, x: One, env: Env) -> list[tuple[Tri, Env]]:
        """A condition's value for each way to bind its names: it holds if one of them does."""
        if not self.binds(c):
            return [(self.plain(c, x, env), env)]
        match c:
            case m.Bind(of, var):
                return [(v, {**e, var: x}) for v, e in self.worlds(of, x, {**env, var: x})]
            case m.And(parts):
                return self.joint(parts, x, env)
            case m.Or(parts):
                found = [w for part in parts for w in self.worlds(part, x, env)]
                # Where one side is so, what the others name nothing by does not matter.
                return [(v, e) for v, e in found if v or e.keys() > env.keys()] if any(v for v, _ in found) else found
            case m.Except(base, carve, _):
                return self.joint((base, m.Not(carve)), x, env)
            case m.Some(role, filler):
                links = self.links(x, role)
                rest = False if links.complete or self.nothing_such(x, role, filler, links, env) else None
                return [w for y in links.things for w in self.worlds(filler, y, env)] + [(rest, env)]
            case m.Of(root, of):
                y = env.get(root)
                return self.worlds(of, y, env) if y is not None else [(None, env)]
        raise TypeError(c)

    def joint(self, parts: Iterable[m.Condition], x: One, env: Env) -> list[tuple[Tri, Env]]:
        """The value of several conditions together for each way to bind names, from left to right."""
        found: list[tuple[Tri, Env]] = [(True, env)]
        for part in parts:
            found = [
                (both((v, w)), f) for v, e in found for w, f in (self.worlds(part, x, e) if v is not False else [(False, e)])
            ]  # fmt: skip
        return found

    def plain(self, c: m.Condition, x: One, env: Env) -> Tri:
        """A condition that binds nothing for what stands to its right."""
        match c:
            case m.Anything():
                return True
            case m.Named(name):
                return self.member(x, name, env["this"])
            case m.Not(of):
                return no(self.holds(of, x, env))
            case m.And(parts):
                return both(self.holds(p, x, env) for p in parts)
            case m.Except(base, carve, _):
                return both(self.holds(part, x, env) for part in (base, m.Not(carve)))
            case m.Or(parts):
                return either(self.holds(p, x, env) for p in parts)
            case m.Some(role, filler):
                links = self.links(x, role)
                if self.nothing_such(x, role, filler, links, env):
                    return False
                mays = (self.holds(filler, self.things[n], env) for n in sorted(links.perhaps))
                rest = links.complete or (links.no_more and all(v is False for v in mays))
                return either([*(self.holds(filler, y, env) for y in links.things), False if rest else None])
            case m.Only(role, filler):
                links = self.links(x, role)
                return both([*(self.holds(filler, y, env) for y in links.things), True if links.complete else None])
            case m.Count(role, kind, n, filler):
                links = self.links(x, role)
                return count(kind, n, [self.holds(filler, y, env) for y in links.things], links.complete)
            case m.HasValue(role, target):
                links = self.links(x, role)
                wanted, whole = self.follow(x, target, env)
                if any(y in links.things for y in wanted):
                    return True
                if wanted and whole and all(y.name in links.barred for y in wanted):
                    return False
                if wanted and not links.presumed and x.name not in self.things:
                    return None  # what nobody told may be related to anything
                closed = links.no_more and not any(y.name in links.perhaps for y in wanted)
                return False if whole and (links.complete or not wanted or closed) else None
            case m.Same(target):
                wanted, whole = self.follow(x, target, env)
                return True if x in wanted else False if whole and x.name in self.things else None
            case m.Of(root, of):
                y = env.get(root)
                return self.holds(of, y, env) if y is not None else None
            case m.Flag(name, value):
                stated = x.facts.flags.get(name)
                if stated is not None:
                    return stated is value
                absent = self.vocabulary.properties[name].when_unstated == ABSENT and name not in x.facts.unknown
                return value is False if absent and self.presumes(x, name) else None
            case m.Compare(left, op, right):
                a, b = self.number(left, x, env), self.number(right, x, env)
                return None if a is None or b is None else bool(COMPARE[op](a, b))
        raise TypeError(c)

    def follow(self, x: One, path: m.Path, env: Env) -> tuple[list[One], bool]:
        """Where a path leads, and whether that is all there is."""
        start = env.get(path.root) if path.root else x
        if start is None:
            return [], False
        if (
            not path.root
            and len(path.steps) == 1
            and path.steps[0] in self.things
            and path.steps[0] not in self.vocabulary.properties
        ):
            return [self.things[path.steps[0]]], True
        now, whole = [start], True
        for step in path.steps:
            links = [self.successors(y, step) for y in now]
            whole = whole and all(ln.complete for ln in links)
            now = list(dict.fromkeys(z for ln in links for z in ln.things))
        return now, whole

    # ── norms ──

    def status(self, norm: m.Norm, x: One) -> Tri:
        """Whether a norm applies to x."""
        return either(v for v, _ in self.applies(norm, x))

    def applies(self, norm: m.Norm, x: One) -> list[tuple[Tri, Env]]:
        """The same for each way to bind the norm's names."""
        env: Env = {"this": x}
        return self.once(("norm", norm.id, x.name), [(False, env)], lambda: self._applies(norm, x, env))  # type: ignore[no-any-return]

    def _applies(self, norm: m.Norm, x: One, env: Env) -> list[tuple[Tri, Env]]:
        subject = subject_of(norm.head)
        each = isinstance(norm.head, m.OnEvent) and norm.head.each
        turned = isinstance(norm.head, m.OnEvent) and norm.head.becoming  # it need not have been one
        if subject and not turned and not (self.one_of(x, subject) if each else self.speaks(x, subject)):
            return [(False, env)]
        head = self.member(x, subject, x) if subject else True
        if head is False:
            return [(False, env)]
        env = {**env, "norm": norm.id}
        return [
            (both((head, v, *(no(self.holds(u.condition, x, e)) for u in norm.unless))) if v is not False else False, e)
            for v, e in self.worlds(norm.when, x, env)
        ]  # fmt: skip


def find(judge: Judge, name: str) -> One | None:
    """A thing of the case, or `pillbox.exterior`: one that an axiom implies, or that stands for what nobody told."""
    owner, _, role = name.rpartition(".")
    if name not in judge.things and role in judge.vocabulary.properties and (x := find(judge, owner)) is not None:
        judge.successors(x, role)
        if name not in judge.things and judge.things.get(owner) is x:
            return judge.blank(x, role)
    return judge.things.get(name)


def count(kind: str, n: int, tried: list[Tri], complete: bool) -> Tri:
    """Whether so many of the tried are true. complete: whether there can be no others."""
    low, high = tried.count(True), len(tried) - tried.count(False) if complete else math.inf
    least, most = (
        (True if low >= n else False if high < n else None),
        (False if low > n else True if high <= n else None),
    )
    return least if kind == "min" else most if kind == "max" else both((least, most))


def subject_of(head: m.Head) -> str:
    """The class that a norm's focus must be of."""
    match head:
        case m.Deontic(_, cls):
            return cls
        case m.Effect() | m.Change() | m.Link():
            return head.each or ("" if head.event.startswith(m.NO_MORE) else head.event)
        case m.CountsAs(cls, _, _) | m.Relates(cls, _, _, _):
            return cls
        case m.QuantityHead(_, _, cls, _, _):
            return cls
