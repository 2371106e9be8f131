"""Invents small situations: which facts a norm's condition can turn on, and the smallest sets of them that make sense.

The pool of facts is read off the conditions of the norms that a change words anew. An answer-set solver (clingo) then
lists sets of them by size: first only those under which one wording would apply and the other not, read as if all that
is not said were false; or all of them, for a statement that none is left. Whether an answer flips, the reasoner says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kb import model as m
from kb.conditions import subject_of
from kb.errors import LoopholeError, Problem
from kb.vocabulary import ASKED, Vocabulary

CLASS, NOT, FLAG, NUMBER, LINK, NONE = "class", "not", "flag", "number", "link", "none"
MOST_FACTS, MOST_CHILDREN = 60, 3
Env = dict[str, int]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to say of a node. target: the node a link leads to; child: the link brings that node in."""

    kind: str
    node: int
    name: str
    value: Any = None
    target: int = -1
    child: bool = False

    @property
    def cost(self) -> int:
        return 0 if self.child else 1


@dataclass
class Pool:
    """The facts that may be said, of a focus (node 0) and what is related to it."""

    vocabulary: Vocabulary
    head: m.Head
    names: list[str] = field(default_factory=list)
    facts: dict[tuple[Any, ...], Fact] = field(default_factory=dict)
    children: dict[tuple[int, str, bool], list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        cls = subject_of(self.head)
        self.root = cls or ""
        self.names.append(cls[:1].lower() + cls[1:] if cls else "thing")

    def add(self, fact: Fact) -> None:
        key = (fact.kind, fact.node, fact.name, fact.value, fact.target)
        if len(self.facts) < MOST_FACTS:
            self.facts.setdefault(key, fact)

    def child(self, node: int, role: m.Role, number: int = 0) -> int:
        """The node that a role leads to; one for a functional role, one for each mention of another."""
        key = (node, role.name, role.inverse)
        found = self.children.setdefault(key, [])
        functional = self.vocabulary.properties[role.name].functional and not role.inverse
        at = 0 if functional else number
        while len(found) <= min(at, MOST_CHILDREN - 1):
            new = len(self.names)
            name = role.name if role.name not in self.names else f"{role.name}{new}"
            self.names.append(name)
            found.append(new)
            ends = (new, node) if role.inverse else (node, new)
            self.add(Fact(LINK, ends[0], role.name, None, ends[1], True))
            kind = self.vocabulary.properties[role.name].range if not role.inverse else ""
            if kind in self.vocabulary.classes:
                self.add(Fact(CLASS, new, kind))
        return found[min(at, len(found) - 1)]

    def concrete(self) -> None:
        """For each node the kinds of thing that settle most of the classes spoken of there: what it is, if not these."""
        classes = self.vocabulary.classes
        for node in range(len(self.names)):
            spoken = {f.name for f in self.facts.values() if f.node == node and f.kind in (CLASS, NOT)}
            spoken |= {self.root} if node == 0 and self.root else set()
            kinds = {c for name in spoken for c in classes[name].descendants if self.vocabulary.own(c)} - spoken
            settled = {c: len(spoken & (classes[c].ancestors | classes[c].disjoint)) for c in kinds}
            asked = [n for n in spoken if classes[n].when_unstated == ASKED]
            best = sorted(settled, key=lambda c: (-settled[c], len(classes[c].descendants) == 1, len(c), c))
            for cls in best[:2] if len(asked) > 1 else ():
                self.add(Fact(CLASS, node, cls))

    # ── facts off conditions ──

    def norm(self, norm: m.Norm) -> None:
        """The facts that a norm can turn on."""
        env: Env = {"this": 0}
        self.walk(norm.when, 0, env, True)
        for unless in norm.unless:
            self.walk(unless.condition, 0, dict(env), False)
        if isinstance(norm.head, m.QuantityHead):
            self.numbers(norm.head.value, 0, env, ())
        if isinstance(norm.head, m.Effect):
            self.follow(m.Path("this", norm.head.path.steps), 0, env)

    def walk(self, c: m.Condition, node: int, env: Env, wanted: bool) -> None:
        match c:
            case m.Named(name):
                self.add(Fact(CLASS, node, name))
                if not wanted and self.vocabulary.classes[name].when_unstated == ASKED:
                    self.add(Fact(NOT, node, name))
            case m.Not(of):
                self.walk(of, node, env, not wanted)
            case m.And(parts) | m.Or(parts):
                for part in parts:
                    self.walk(part, node, env, wanted)
            case m.Except(base, carve, _):
                self.walk(base, node, env, wanted)
                self.walk(carve, node, env, not wanted)
            case m.Some(role, filler) | m.Only(role, filler):
                self.walk(filler, self.child(node, role, self.used(node, role)), dict(env), wanted)
                if not wanted and not role.inverse:
                    self.add(Fact(NONE, node, role.name))
            case m.Count(role, _, n, filler):
                for number in range(min(max(n, 1), MOST_CHILDREN)):
                    self.walk(filler, self.child(node, role, number), dict(env), wanted)
            case m.HasValue(role, target):
                end = self.follow(target, node, env)
                if end is not None:
                    ends = (end, node) if role.inverse else (node, end)
                    self.add(Fact(LINK, ends[0], role.name, None, ends[1]))
            case m.Same(target):
                self.follow(target, node, env)
            case m.Of(root, of):
                self.walk(of, env.get(root, node), env, wanted)
            case m.Bind(of, var):
                self.walk(of, node, env, wanted)
                env[var] = node
            case m.Flag(name, _):
                self.add(Fact(FLAG, node, name, True))
                self.add(Fact(FLAG, node, name, False))
            case m.Compare(left, _, right):
                near = [n.value for n in (left, right) if isinstance(n, m.Num)]
                for side in (left, right):
                    self.numbers(side, node, env, near)

    def used(self, node: int, role: m.Role) -> int:
        """The number of the next child: another for each mention on a node other than the first two."""
        return len(self.children.get((node, role.name, role.inverse), ()))

    def numbers(self, e: m.Expr, node: int, env: Env, near: Sequence[Fraction]) -> None:
        """Values to try for each quantity that an expression reads."""
        values = {v + d for v in near for d in (-1, 0, 1)} or {Fraction(1), Fraction(2)}
        match e:
            case m.Path(root, steps) if steps:
                at = self.follow(m.Path(root, steps[:-1]), node, env)
                for value in sorted(values) if at is not None else ():
                    self.add(Fact(NUMBER, at if at is not None else node, steps[-1], value))
            case m.Aggregate(_, path, filler, quantity):
                at = self.follow(path, node, env)
                if at is not None:
                    self.walk(filler, at, dict(env), True)
                    for value in sorted(values) if quantity else ():
                        self.add(Fact(NUMBER, at, quantity, value))
            case m.Arith(_, left, right):
                self.numbers(left, node, env, near)
                self.numbers(right, node, env, near)
            case m.Call(_, args):
                for arg in args:
                    self.numbers(arg, node, env, near)

    def follow(self, path: m.Path, node: int, env: Env) -> int | None:
        if path.root and path.root not in env:
            return None
        at = env[path.root] if path.root else node
        for step in path.steps:
            at = self.child(at, m.Role(step))
        return at

    # ── a situation in words of a case ──

    def case(self, chosen: Sequence[Fact]) -> dict[str, Any]:
        """The case that says these facts and asks what the head speaks of."""
        things: dict[str, dict[str, Any]] = {self.names[0]: {"is": [self.root] if self.root else []}}
        for fact in chosen:
            for node in (fact.node, fact.target):
                if node >= 0:
                    things.setdefault(self.names[node], {"is": []})
        for f in chosen:
            thing = things[self.names[f.node]]
            match f.kind:
                case "class":
                    thing["is"].append(f.name)
                case "not":
                    thing.setdefault("not", []).append(f.name)
                case "link":
                    thing.setdefault(f.name, []).append(self.names[f.target])
                case "none":
                    thing.setdefault(f.name, [])
                case _:
                    thing[f.name] = str(f.value) if isinstance(f.value, Fraction) else f.value
        classes = self.vocabulary.classes
        for thing in things.values():
            thing["is"] = [c for c in thing["is"] if not any(c != d and c in classes[d].ancestors for d in thing["is"])]
            if not thing["is"]:
                del thing["is"]
        return {"book": self.vocabulary.book, "things": things, "ask": self.question()}

    def question(self) -> dict[str, Any]:
        it = self.names[0]
        match self.head:
            case m.Deontic(mode, _):
                return {"may" if mode in (m.PERMITS, m.FORBIDS) else "must": it}
            case m.CountsAs(_, target, _):
                return {"is": [it, target]}
            case m.Relates(_, role, to, _):
                return {"is": [it, str(m.Some(m.Role(role), to))]}
            case m.QuantityHead(_, quantity, _, _, _):
                return {"value": [quantity, it]}
        return {"effects": it}


# ── the solver ──────────────────────────────────────────────────────────────────────────────────────────

BASE = """
{ in(F) : fact(F,_,_) }.
there(0). there(N) :- in(F), makes(F,N).
:- in(F), fact(F,N,_), not there(N).
:- in(F), toward(F,N), not there(N).
kept(N) :- in(F), fact(F,N,1).
kept(N) :- in(F), toward(F,N).
kept(N) :- in(F), makes(F,M), brings(F,N).
:- in(F), makes(F,N), not kept(N).
:- in(F), in(G), clash(F,G).
:- #sum { C,F : in(F), fact(F,_,C) } != size.
#show in/1.
"""


class Program:
    """An answer-set program over a pool, with a condition's truth read as if what is not said were false."""

    def __init__(self, pool: Pool):
        self.pool, self.facts = pool, list(pool.facts.values())
        self.lines = [BASE]
        self.count = 0
        classes, properties = pool.vocabulary.classes, pool.vocabulary.properties
        parents = {kids: key[0] for key, found in pool.children.items() for kids in found}
        for i, f in enumerate(self.facts):
            new = f.target if f.child and parents.get(f.target) == f.node else f.node
            self.lines.append(f"fact({i},{f.node if not f.child else parents[new]},{f.cost}).")
            if f.child:
                self.lines.append(f"makes({i},{new}). brings({i},{parents[new]}).")
            elif f.kind == LINK:
                self.lines.append(f"toward({i},{f.target}).")
            for j, g in enumerate(self.facts[:i]):
                if f.node != g.node:
                    continue
                both = {f.kind, g.kind}
                one_of = f.name == g.name and f.kind == g.kind and f.kind in (FLAG, NUMBER)
                if f.kind == LINK == g.kind and f.name == g.name and properties[f.name].functional:
                    one_of = True
                if both == {LINK, NONE} and f.name == g.name:
                    one_of = True
                if both == {CLASS}:
                    one_of = (
                        g.name in classes[f.name].disjoint | classes[f.name].ancestors
                        or f.name in classes[g.name].ancestors
                    )
                if both == {CLASS, NOT}:
                    is_, out = (f, g) if f.kind == CLASS else (g, f)
                    one_of = out.name in classes[is_.name].ancestors or out.name in classes[is_.name].disjoint
                if one_of:
                    self.lines.append(f"clash({i},{j}).")
            if f.node == 0 and pool.root and f.kind in (CLASS, NOT):
                known = classes[pool.root]
                if f.name in known.ancestors or f.name in known.disjoint:
                    self.lines.append(f":- in({i}).")

    def apart(self, old: m.Norm | None, new: m.Norm | None) -> None:
        """Only situations under which one wording applies and the other does not."""
        one, other = (self.applies(n) if n is not None else "#false" for n in (old, new))
        self.lines += [f":- {one}, {other}.", f":- not {one}, not {other}."]

    def against(self, norms: Sequence[m.Norm]) -> None:
        """Only situations under which one of these norms applies, so that there is something to beat."""
        if norms:
            self.lines.append(f":- {', '.join(f'not {self.applies(n)}' for n in norms)}.")

    def applies(self, norm: m.Norm) -> str:
        env: Env = {"this": 0}
        uses: dict[tuple[int, str, bool], int] = {}
        parts = [self.lit(norm.when, 0, env, uses)]
        parts += [f"not {self.lit(u.condition, 0, dict(env), uses)}" for u in norm.unless]
        return self.rule(parts)

    def rule(self, body: Sequence[str]) -> str:
        self.count += 1
        self.lines.append(f"h({self.count}) :- {', '.join(body) or '#true'}.")
        return f"h({self.count})"

    def any(self, bodies: Sequence[str]) -> str:
        self.count += 1
        atom = f"h({self.count})"
        self.lines += [f"{atom} :- {body}." for body in bodies] or [f"{atom} :- #false."]
        return atom

    def free(self) -> str:
        """A condition that the solver may take either way: the reasoner looks at what it rests on."""
        self.count += 1
        self.lines.append(f"{{ h({self.count}) }}.")
        return f"h({self.count})"

    def links(self, node: int, role: m.Role) -> Iterator[tuple[int, int]]:
        """The facts that relate a node by a role, each with the node it leads to."""
        below = self.pool.vocabulary.properties[role.name].below
        inverses = self.pool.vocabulary.properties[role.name].inverses
        for i, f in enumerate(self.facts):
            if f.kind != LINK:
                continue
            forwards = f.name in below if not role.inverse else f.name in inverses
            backwards = f.name in below if role.inverse else f.name in inverses
            if forwards and f.node == node:
                yield i, f.target
            elif backwards and f.target == node:
                yield i, f.node

    def lit(self, c: m.Condition, node: int, env: Env, uses: dict[tuple[int, str, bool], int]) -> str:
        classes = self.pool.vocabulary.classes
        match c:
            case m.Anything():
                return self.rule([])
            case m.Named(name):
                if node == 0 and self.pool.root and name in classes[self.pool.root].ancestors:
                    return self.rule([])
                said = [
                    i
                    for i, f in enumerate(self.facts)
                    if f.kind == CLASS and f.node == node and name in classes[f.name].ancestors
                ]
                return self.any([f"in({i})" for i in said])
            case m.Not(of):
                return self.rule([f"not {self.lit(of, node, env, uses)}"])
            case m.And(parts):
                return self.rule([self.lit(p, node, env, uses) for p in parts])
            case m.Or(parts):
                return self.any([self.lit(p, node, env, uses) for p in parts])
            case m.Except(base, carve, _):
                return self.rule([self.lit(base, node, env, uses), f"not {self.lit(carve, node, env, uses)}"])
            case m.Some(role, filler):
                return self.any(
                    [f"in({i}), {self.lit(filler, end, dict(env), uses)}" for i, end in self.links(node, role)]
                )
            case m.Only(role, filler):
                bad = self.any(
                    [f"in({i}), not {self.lit(filler, end, dict(env), uses)}" for i, end in self.links(node, role)]
                )
                return self.rule([f"not {bad}"])
            case m.Count(role, kind, n, filler):
                ends = [f"{i} : in({i}), {self.lit(filler, end, dict(env), uses)}" for i, end in self.links(node, role)]
                sign = {"min": ">=", "max": "<=", "exactly": "="}[kind]
                return self.rule([f"#count {{ {'; '.join(ends)} }} {sign} {n}"])
            case m.HasValue(role, target):
                end = self.pool.follow(target, node, env)
                return self.any([f"in({i})" for i, to in self.links(node, role) if to == end])
            case m.Same(target):
                end = self.pool.follow(target, node, env)
                return self.free() if end is None else self.rule([] if end == node else ["#false"])
            case m.Of(root, of):
                return self.lit(of, env.get(root, node), env, uses)
            case m.Bind(of, var):
                found = self.lit(of, node, env, uses)
                env[var] = node
                return found
            case m.Flag(name, value):
                return self.any(
                    [
                        f"in({i})"
                        for i, f in enumerate(self.facts)
                        if (f.kind, f.node, f.name, f.value) == (FLAG, node, name, value)
                    ]
                )
        return self.free()

    def models(self, size: int, most: int) -> Iterator[list[Fact]]:
        """Sets of facts of a size, at most so many. Raises LoopholeError without the solver."""
        try:
            import clingo
        except ModuleNotFoundError:
            hint = 'install it: pip install "loophole-rules[research]"'
            raise LoopholeError(Problem(970, "inventing situations needs the solver clingo", hint=hint)) from None
        control = clingo.Control([str(most), "--warn=none", f"-c size={size}"])
        control.add("base", [], "\n".join(self.lines))
        control.ground([("base", [])])
        seen: set[tuple[int, ...]] = set()
        with control.solve(yield_=True) as handle:
            for model in handle:
                chosen = tuple(sorted(s.arguments[0].number for s in model.symbols(shown=True)))
                if chosen not in seen:
                    seen.add(chosen)
                    yield [self.facts[i] for i in chosen]


def situations(
    pool: Pool, bound: int, most: int, apart: tuple[m.Norm | None, m.Norm | None], against: Sequence[m.Norm] = ()
) -> Iterator[tuple[int, list[Fact]]]:
    """(size, facts) by size, at most `bound` facts each and `most` sets of each size, that tell two wordings apart.

    against: norms of which one must apply, so that there is something to beat.
    """
    program = Program(pool)
    program.apart(*apart)
    program.against(against)
    for size in range(bound + 1):
        for found in program.models(size, most):
            yield size, found


def together(pool: Pool, bound: int, most: int, both: Sequence[m.Norm]) -> Iterator[tuple[int, list[Fact]]]:
    """(size, facts) by size of situations under which every one of some norms applies."""
    program = Program(pool)
    program.lines += [f":- not {program.applies(norm)}." for norm in both]
    for size in range(bound + 1):
        for found in program.models(size, most):
            yield size, found


def narrower(a: m.Head, b: m.Head, vocabulary: Vocabulary) -> bool:
    """Whether the first head speaks of a narrower kind of thing, or of a narrower class, than the second."""
    for one, other in ((subject_of(a), subject_of(b)), (getattr(a, "target", ""), getattr(b, "target", ""))):
        if one != other and one in vocabulary.classes:
            return other in vocabulary.classes[one].ancestors or not other
    return True


def shown(case: Mapping[str, Any]) -> str:
    """A case as people write it, a thing a line."""

    def flow(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return flow(value[0]) if len(value) == 1 else "[" + ", ".join(map(flow, value)) + "]"
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    rows = [f"book: {case['book']}", "things:", *(f"  {name}: {flow(facts)}" for name, facts in case["things"].items())]
    return "\n".join([*rows, f"ask: {flow(case['ask'])}"])
