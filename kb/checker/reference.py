"""What the rule language says of a case, worked out in the plainest way: no proof, no index, no ranking.

kb.checker.checker holds the steps of a proof against it. It follows docs/rule-language.md from the syntax trees of the norms and
shares no code with the reasoner; only the modules that compute relations (sides, hex geometry) are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from kb.checker.reference_numbers import Row, aggregate, arith, call, lookup, op, total
from kb.checker.reference_open import Telling
from kb.checker.reference_strength import named, stronger
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
from kb.language.case import Case, Facts
from kb.language.vocabulary import ABSENT, COMPLETE, CONCLUDED
from kb.numbers import COMPARE
from kb.reasoner import builtins
from kb.rulebook.theory import Theory


class Judge:
    """One case under one theory. caused: thing to the classes that earlier acts brought about; done: those acts; pending:
    thing to the classes that they may have brought about. named: what alone may be presumed, each a thing and a term; None:
    whatever the ontology lets one presume."""

    def __init__(
        self,
        theory: Theory,
        case: Case,
        caused: dict[str, tuple[str, ...]] | None = None,
        done: Iterable[str] = (),
        named: Named = None,
    ):
        self.named = named
        self.theory, self.case, self.vocabulary = theory, case, theory.vocabulary
        self.caused, self.done = caused or {}, set(done)
        self.things: dict[str, One] = {}
        self.pending: dict[str, set[str]] = {}
        self.makers: dict[tuple[str, bool], list[m.Norm]] = {}
        self.memo: dict[Any, Any] = {}
        self.clash = False  # whether norms were found to say opposite things, and none to be the stronger
        # What is being worked out, each at its depth; the depths that the innermost has leant on. What leant on some is
        # kept while all of them are being worked out, and forgotten with the innermost of these.
        self.active: dict[Any, int] = {}
        self.leant: set[int] = set()
        self.meanwhile: dict[Any, tuple[Any, set[int]]] = {}
        self.until: dict[int, list[Any]] = {}
        norms = theory.norms.values()
        self.counting = [(n, n.head) for n in norms if isinstance(n.head, m.CountsAs)]
        self.relating = [(n, n.head) for n in norms if isinstance(n.head, m.Relates)]
        self.summing = [(n, n.head) for n in norms if isinstance(n.head, m.QuantityHead)]
        for name, facts in case.things.items():
            self.things[name] = self.one(name, facts, self.caused.get(name, ()))

    def one(self, name: str, facts: Facts, caused: tuple[str, ...] = ()) -> One:
        """A thing with all classes that it is, and is not, by what is stated and what acts brought about."""
        classes = self.vocabulary.classes
        apart = frozenset(out for c in caused for out in classes[c].disjoint)
        kept = [c for c in facts.is_ if c not in apart]
        types = frozenset(a for c in (*kept, *caused) for a in classes[c].ancestors)
        denied = {d for c in (*kept, *caused) for d in classes[c].disjoint}
        denied |= {d for c in facts.not_ if c not in caused for d in classes[c].descendants}
        return One(name, facts, types, frozenset(denied - types))

    def once(self, key: Any, circular: Any, work: Callable[[], Any]) -> Any:
        """`work()`, remembered; where it leant on what is itself still being worked out, for as long as that is so."""
        if key in self.memo:
            return self.memo[key]
        if key in self.active:
            self.leant.add(self.active[key])
            return circular
        if key in self.meanwhile:
            found, leant = self.meanwhile[key]
            self.leant |= leant
            return found
        depth, outer = len(self.active), self.leant
        self.active[key], self.leant = depth, set()
        try:
            found = work()
        finally:
            del self.active[key]
            mine, self.leant = self.leant - {depth}, outer
            for other in self.until.pop(depth, ()):
                del self.meanwhile[other]
        if mine:
            self.meanwhile[key] = found, mine
            self.until.setdefault(max(mine), []).append(key)
            self.leant |= mine
        else:
            self.memo[key] = found
        return found

    def supposing(self, keys: Iterable[Any]) -> Judge:
        """The same case, anew, in which there is nothing to some memberships and norms: ("is", thing, class), ("norm", id, thing)."""
        other = Judge(self.theory, self.case, self.caused, self.done, self.named)
        other.pending = self.pending
        other.active = {key: depth for depth, key in enumerate(keys)}
        return other

    # ── conditions ──

    def holds(self, c: m.Condition, x: One, env: Env) -> Tri:
        """Whether a condition holds of x, for some way to bind its names."""
        return either(v for v, _ in self.worlds(c, x, env))

    def worlds(self, c: m.Condition, x: One, env: Env) -> list[tuple[Tri, Env]]:
        """A condition's value for each way to bind its names: it holds if one of them does."""
        match c:
            case m.Bind(of, var):
                return [(v, {**e, var: x}) for v, e in self.worlds(of, x, {**env, var: x})]
            case m.And(parts) if binds(c):
                return self.joint(parts, x, env)
            case m.Or(parts) if binds(c):
                found = [w for part in parts for w in self.worlds(part, x, env)]
                # Where one side is so, what the others name nothing by does not matter.
                return [(v, e) for v, e in found if v or e.keys() > env.keys()] if any(v for v, _ in found) else found
            case m.Except(base, carve, _):
                return self.joint((base, m.Not(carve)), x, env)
            case m.Some(role, filler) if binds(c):
                links = self.links(x, role)
                rest = False if links.complete or self.nothing_such(x, role, filler, links, env) else None
                return [w for y in links.things for w in self.worlds(filler, y, env)] + [(rest, env)]
            case m.Of(root, of) if binds(of):
                y = env.get(root) or self.things.get(root)
                return self.worlds(of, y, env) if y is not None else [(None, env)]
        return [(self.plain(c, x, env), env)]

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
            case m.Or(parts):
                return either(self.holds(p, x, env) for p in parts)
            case m.Some(role, filler):
                links = self.links(x, role)
                if self.nothing_such(x, role, filler, links, env):
                    return False
                return either([*(self.holds(filler, y, env) for y in links.things), False if links.complete else None])
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
                y = env.get(root) or self.things.get(root)
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
        start = env.get(path.root) or self.things.get(path.root) if path.root else x
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

    # ── membership ──

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is a cls. focus: from whom modules see it."""
        term = self.vocabulary.classes[cls]
        if term.derived:
            found: Any = builtins.member(self, term.derived, cls, x, focus)  # type: ignore[arg-type]
            return found.value if found is not None else None
        return self.once(("is", x.name, cls), False, lambda: self._member(x, cls))  # type: ignore[no-any-return]

    def _member(self, x: One, cls: str) -> Tri:
        if cls in self.pending.get(x.name, ()) and (cls in x.types or cls in x.denied):
            return None  # stated at first, ended, and maybe so again
        if cls in x.types or cls in x.denied:
            return cls in x.types
        term = self.vocabulary.classes[cls]
        makes = {n.id: self.status(n, x) for n in self.making(cls, False)}
        unmakes = {n.id: self.status(n, x) for n in self.making(cls, True)}
        yes, nay = ([i for i, s in rows.items() if s] for rows in (makes, unmakes))
        if yes and all(any(self.beats(p, c) for p in yes) for c, s in unmakes.items() if s is not False):
            return True
        if nay and all(any(self.beats(c, p) for c in nay) for p, s in makes.items() if s is not False):
            return False
        if yes:
            self.clash = self.clash or bool(nay)
            return None
        defined = [self.holds(d, x, {"this": x}) for d in self.theory.definitions.get(cls, ())]
        below = [
            self.member(x, d, x) for d in sorted(term.descendants) if d != cls and d not in x.denied and self.theory.definitions.get(d)
        ]  # fmt: skip
        if True in defined or True in below:
            return True if None not in unmakes.values() else None
        making = None in (*makes.values(), *defined, *below)
        open_ = making or None in unmakes.values()
        if any(cls in self.vocabulary.classes[c].ancestors for c in self.pending.get(x.name, ())):
            return False if False in defined and not open_ else None
        if False in defined and not open_:
            return False
        if any(u in term.ancestors for u in x.facts.unknown) or not self.presumes(x, cls):
            return None
        if term.when_unstated == CONCLUDED:
            return None if open_ else False
        if term.when_unstated != ABSENT:
            return None
        # A state that an open rule would bring about is open; where silence alone opens it, its term may say otherwise,
        # and what nobody named is as usual.
        usual = term.unshown or self.things.get(x.name) is not x
        return False if not making or (usual and not self.told_open(x, cls)) else None

    def presumes(self, x: One, term: str) -> bool:
        """Whether something may be presumed of x."""
        return self.named is None or (x.name, term) in self.named

    def told_open(self, x: One, cls: str) -> bool:
        """Whether it is what the case tells, and not its silence alone, that leaves open whether x is a cls."""
        telling = Telling(self)
        return not telling.nothing() and telling.made(x, cls)

    def making(self, cls: str, negated: bool) -> list[m.Norm]:
        """The norms by which a thing can count as a cls, or (negated) as none."""
        found = self.makers.get((cls, negated))
        if found is None:
            term = self.vocabulary.classes[cls]
            near = term.ancestors if negated else term.descendants
            found = [n for n, head in self.counting if head.negated == negated and head.target in near]
            self.makers[cls, negated] = found
        return found

    def beats(self, a: str, b: str) -> bool:
        """Whether the first of two norms, by their ids, is the stronger."""
        return stronger(self.theory, self.theory.norms[a], self.theory.norms[b]) is not None

    def speaks(self, x: One, cls: str) -> bool:
        """Whether a norm about cls can speak of x at all: a thing is of no kind apart from the kinds it is said to be."""
        if not cls or cls in x.types:
            return True
        if cls in x.denied:
            return False
        term = self.vocabulary.classes[cls]
        others = bool(self.making(cls, False)) or bool(self.theory.definitions.get(cls))
        classes = self.vocabulary.classes
        every = [c for c in (*x.facts.is_, *self.caused.get(x.name, ())) if not classes[c].derived]
        stated = {c for c in every if not any(o != c and c in classes[o].ancestors for o in every)}
        return others or not stated or not term.ancestors.isdisjoint(stated)

    # ── relations ──

    def links(self, x: One, role: m.Role) -> Values:
        """What x is related to by a role."""
        return self.successors(x, role.name, role.inverse)

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """What x is related to by a property, or (inverse) what is so related to x."""
        work = self._inverse if inverse else self._successors
        return self.once(("to", x.name, name, inverse), Values(), lambda: work(x, name))  # type: ignore[no-any-return]

    def _inverse(self, x: One, name: str) -> Values:
        """Everything that `name` leads from to x; a case is taken to name all that matter."""
        reached = [(y, self.successors(y, name)) for y in list(self.things.values())]
        things = [y for y, values in reached if x in values.things]
        perhaps = frozenset(y.name for y, values in reached if x.name in values.perhaps and y is not x)
        whole = not perhaps and self.presumes(x, name)
        return Values(things, whole, whole, perhaps=perhaps)

    def _successors(self, x: One, name: str, onwards: bool = True) -> Values:
        prop = self.vocabulary.properties[name]
        found: dict[str, None] = {}
        stated = False
        for q in prop.below:
            if q in x.facts.links:
                stated = stated or q == name or bool(x.facts.links[q])
                found.update(dict.fromkeys(x.facts.links[q]))
        for y in self.things.values():
            if any(x.name in y.facts.links.get(q, ()) for q in prop.inverses):
                found[y.name] = None
        made = x.made
        if made is not None and made[1] in prop.inverses:
            found[made[0].name] = None
        for q in (name, *(b for b in prop.below if b != name)):
            term = self.vocabulary.properties[q]
            for chain in term.chains:
                if x.name in self.done and not self.vocabulary.moving.isdisjoint(chain):
                    continue  # it is over: where those who did it stand now is not where it took place
                ends = [x]
                for step in chain:
                    role = m.Role(step.removeprefix("inverse "), step.startswith("inverse "))
                    ends = [z for y in ends for z in self.links(y, role).things]
                found.update((y.name, None) for y in ends if y is not x or chain not in term.others)
        if prop.derived:
            found.update((y.name, None) for y, _ in builtins.related(self, prop.derived, name, x))  # type: ignore[arg-type]
        barred: set[str] = set()
        perhaps: set[str] = set()
        if prop.derived:
            perhaps.update(y.name for y in builtins.undecided(self, prop.derived, x))  # type: ignore[arg-type]
        for norm, head in self.relating:
            if head.role in prop.below:
                self.relate(x, name, norm, head, found, barred, perhaps)
        perhaps -= barred
        if prop.functional and any(q in x.facts.links and x.facts.links[q] for q in prop.below):
            perhaps.clear()  # it has its one value
        unsure = bool(perhaps)
        if prop.transitive and onwards:
            queue = list(found)
            while queue:
                for z in self._successors(self.things[queue.pop()], name, False).things:
                    if z.name not in found and z is not x:
                        found[z.name] = None
                        queue.append(z.name)
        if not found and not stated:
            found.update((y.name, None) for y in [self.implied(x, name)] if y is not None)
        withdrawn = self.withheld(x, name)
        if withdrawn or unsure:
            complete = presumed = False
        elif (prop.functional and found) or (stated and not found):
            complete, presumed = True, False
        else:
            worked_out = bool(prop.derived) and builtins.complete(self, prop.derived, x)  # type: ignore[arg-type]
            complete = bool(found) or worked_out or prop.when_unstated in (COMPLETE, ABSENT)
            presumed = complete and not worked_out
        untold = not (found or barred or complete or withdrawn or unsure)
        if presumed and not self.presumes(x, name):
            complete = presumed = False
        sure = prop.when_unstated in (COMPLETE, ABSENT) or (
            bool(prop.derived) and builtins.settled(self, prop.derived, x)  # type: ignore[arg-type]
        )
        no_more = unsure and not withdrawn and not stated and sure and self.presumes(x, name)
        things = [self.things[n] for n in found]
        return Values(things, complete, presumed, frozenset(barred), untold, frozenset(perhaps), no_more)

    def withheld(self, x: One, name: str) -> bool:
        """Whether the case says that what a property of x leads to is not known, or where a chain that tells it starts."""
        below = self.vocabulary.properties[name].below
        starts = {chain[0] for q in below for chain in self.vocabulary.properties[q].chains}
        return not starts.union(below).isdisjoint(x.facts.unknown)

    def blank(self, x: One, name: str) -> One:
        """Whatever a property of x leads to, of which nothing is told: of its range, and as usual."""
        cls = self.vocabulary.properties[name].range
        facts = Facts(f"{x.name}.{name}", (cls,) if cls in self.vocabulary.classes else ())
        return self.once(("blank", x.name, name), None, lambda: self.one(facts.name, facts))  # type: ignore[no-any-return]

    def nothing_such(self, x: One, role: m.Role, filler: m.Condition, links: Values, env: Env) -> bool:
        """Whether nothing is told of a relation of x, and the filler asks for what anything is presumed not to be."""
        untold = links.untold and self.things.get(x.name) is x
        return untold and self.holds(filler, self.blank(x, role.name), env) is False

    def relate(
        self,
        x: One,
        name: str,
        norm: m.Norm,
        head: m.Relates,
        found: dict[str, None],
        barred: set[str],
        perhaps: set[str],
    ) -> None:
        """Adds or bars what one `relates` norm says of x; or notes what it may add, where that is open."""
        pairs = [(x, y) for y in list(self.things.values())]
        if name in self.vocabulary.properties[name].inverses:
            pairs += [(y, x) for y in list(self.things.values())]
        for a, b in pairs:
            if a is b:
                continue
            other = b if a is x else a
            for status, env in self.applies(norm, a):
                value = both((status, self.holds(head.to, b, env))) if status is not False else False
                if value is None:
                    if not (head.negated or other.name in found):
                        perhaps.add(other.name)
                elif value and head.negated:
                    found.pop(other.name, None)
                    barred.add(other.name)
                elif value:
                    found[other.name] = None

    def implied(self, x: One, name: str) -> One | None:
        """The value that an axiom `C SubClassOf p some D` implies, made up when the case names none."""
        classes = self.vocabulary.classes
        for q in self.vocabulary.properties[name].below:
            fillers = {d for c in x.types for p, d in classes[c].existential if p == q}
            narrowest = [d for d in sorted(fillers) if not any(o != d and d in classes[o].ancestors for o in fillers)]
            if narrowest and self.things.get(x.name) is x:
                made = f"{x.name}.{q}"
                if made not in self.things:
                    self.things[made] = self.one(made, Facts(made, (narrowest[0],)))
                    self.things[made].made = (x, q, narrowest[0])
                return self.things[made]
        return None

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
        if subject and not self.speaks(x, subject):
            return [(False, env)]
        head = self.member(x, subject, x) if subject else True
        if head is False:
            return [(False, env)]
        env = {**env, "norm": norm.id}
        return [
            (both((head, v, *(no(self.holds(u.condition, x, e)) for u in norm.unless))) if v is not False else False, e)
            for v, e in self.worlds(norm.when, x, env)
        ]  # fmt: skip

    # ── numbers ──

    def number(self, e: m.Expr, x: One, env: Env) -> Fraction | None:
        """The value of an expression for x; None where it is not known."""
        match e:
            case m.Num(value):
                return value
            case m.Path(root, steps):
                if not root and len(steps) == 1:
                    return self.quantity(x, steps[0], env.get("without", NONE) if x is env["this"] else NONE)
                ends, _ = self.follow(x, m.Path(root, steps[:-1]), env)
                values = {self.quantity(y, steps[-1]) for y in ends}
                return values.pop() if len(values) == 1 else None
            case m.Otherwise(quantity):
                return self.quantity(env["this"], quantity, env.get("without", NONE) | {env["norm"]})
            case m.Arith(op, left, right):
                return arith(op, self.number(left, x, env), self.number(right, x, env))
            case m.Call(function, args):
                return call(function, [self.number(a, x, env) for a in args])
            case m.Aggregate(function, path, filler, quantity):
                ends, whole = self.follow(x, path, env)
                held = [(y, self.holds(filler, y, env)) for y in ends]
                if not whole or any(v is None for _, v in held):
                    return None
                chosen = [y for y, v in held if v]
                return aggregate(
                    function, len(chosen), [self.quantity(y, quantity) for y in chosen] if quantity else []
                )
            case m.Lookup(table, how, key, column, shift):
                moved = self.number(shift, x, env) if shift is not None else Fraction(0)
                return lookup(self.theory.tables[table], how, self.number(key, x, env), column, moved)
        raise TypeError(e)

    def quantity(self, x: One, name: str, without: frozenset[str] = NONE) -> Fraction | None:
        """A number of x, made of what the norms contribute. without: norms that are left out."""
        key = ("number", x.name, name, without)
        return self.once(key, None, lambda: self.total(x, name, list(self.rows(x, name, without))))  # type: ignore[no-any-return]

    def rows(self, x: One, name: str, without: frozenset[str]) -> Iterator[Row]:
        """What each norm about a quantity contributes to it, where the norm applies or may apply."""
        for norm, head in self.summing:
            if head.quantity == name and norm.id not in without and self.speaks(x, head.of):
                worlds = self.applies(norm, x)
                status = either(v for v, _ in worlds)
                env = next((e for v, e in worlds if v is status), {"this": x})
                env = {**env, "norm": norm.id, "without": without}
                yield Row(norm, status, self.number(head.value, x, env) if status is not False else None)

    def total(self, x: One, name: str, rows: list[Row]) -> Fraction | None:
        """The number that rows make together; marks each row with its state."""
        stated, prop = x.facts.numbers.get(name), self.vocabulary.properties[name]
        if stated is None and prop.derived:
            stated = builtins.number(self, prop.derived, x)  # type: ignore[arg-type]
        default = None if name in x.facts.unknown or not self.presumes(x, name) else prop.default
        live = [r for r in rows if r.status is not False]
        for r in live:
            r.by = next((o.norm for o in live if o.status and o is not r and named(o.norm.over, r.norm)), None)
            r.state = "beaten" if r.by else "idle"
        sets = [r for r in live if op(r) == m.SETS and not r.by]
        sure = [r for r in sets if r.status and r.value is not None]
        for r in sure:
            if rival := next(
                (s for s in sure if s.value != r.value and not s.by and stronger(self.theory, s.norm, r.norm)), None
            ):
                r.state, r.by = "beaten", rival.norm
        winners = [r for r in sure if not r.by]
        if len({r.value for r in winners}) > 1:
            for r in winners:
                r.state = "conflict"
            return None
        for r in sets:
            if r not in sure:
                same = r.value is not None and {w.value for w in winners} == {r.value}
                lost = any(stronger(self.theory, w.norm, r.norm) for w in winners)
                r.state = "idle" if same or lost or (stated is not None and not winners) else "open"
        for r in winners:
            r.state = "counts"
        base = winners[0].value if winners else stated if stated is not None else default
        for r in live:
            if base is not None and op(r) != m.SETS and not r.by:
                neutral = {m.ADDS: Fraction(0), m.MULTIPLIES: Fraction(1)}.get(op(r))
                known = r.status and r.value is not None
                r.state = "counts" if known else "idle" if r.value is not None and r.value == neutral else "open"
        if base is None or any(r.state == "open" for r in live):
            return None
        return total(base, [r for r in live if r.state == "counts"])


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
        case m.Deontic(_, cls) | m.Effect(_, _, cls):
            return cls
        case m.CountsAs(cls, _, _) | m.Relates(cls, _, _, _):
            return cls
        case m.QuantityHead(_, _, cls, _, _):
            return cls


def binds(c: Any) -> bool:
    """Whether a condition binds a name that stands to its right can use."""
    match c:
        case m.Bind():
            return True
        case m.And(parts) | m.Or(parts):
            return any(map(binds, parts))
        case m.Except(base, _, _):
            return binds(base)
        case m.Some(_, of) | m.Of(_, of):
            return binds(of)
    return False
