"""The facts that a norm's condition can turn on: what may be said of its focus, and of what is related to it.

They are read off conditions; kb.research.witness_search chooses among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kb.cases.reader import how
from kb.language import norms as m
from kb.language.vocabulary import ASKED, Vocabulary

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
        """What it adds to the size of a situation: a link that only brings a node in adds nothing."""
        return 0 if self.child else 1


@dataclass
class Pool:
    """The facts that may be said, of a focus (node 0) and what is related to it."""

    vocabulary: Vocabulary
    head: m.Head
    names: list[str] = field(default_factory=list)
    facts: dict[tuple[Any, ...], Fact] = field(default_factory=dict)
    children: dict[tuple[int, str, bool], list[int]] = field(default_factory=dict)
    bound: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        cls = m.subject_of(self.head)
        self.root = cls or ""
        self.names.append(cls[:1].lower() + cls[1:] if cls else "thing")

    def add(self, fact: Fact) -> None:
        """Adds a fact, unless it is there or the pool is full."""
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
            told = self.told(role, len(found) > 0)
            if (one := self.alone(node, told, role)) is not None:
                found.append(one)
                continue
            self.names.append(told if told not in self.names else f"{told}{new}")
            found.append(new)
            ends = (new, node) if role.inverse else (node, new)
            self.add(Fact(LINK, ends[0], told, None, ends[1], True))
            kind = self.vocabulary.properties[role.name].range if not role.inverse else ""
            if kind in self.vocabulary.classes:
                self.add(Fact(CLASS, new, kind))
        return found[min(at, len(found) - 1)]

    def alone(self, node: int, told: str, role: m.Role) -> int | None:
        """The node that a relation to one thing alone leads to already, under whatever name: who takes part is the actor."""
        if role.inverse or not self.vocabulary.properties[told].functional:
            return None
        return next((f.target for f in self.facts.values() if (f.node, f.name, f.child) == (node, told, True)), None)

    def told(self, role: m.Role, more: bool = False) -> str:
        """The property under which a case says a relation: of one that chains work out, a narrower one that they start from.
        more: to one thing more, which a relation to one alone could not tell."""
        properties = self.vocabulary.properties
        starts = {chain[0] for chain in properties[role.name].chains}
        below = (p for p in properties[role.name].below if p != role.name and p in starts)
        return next((p for p in below if not (more and properties[p].functional)), role.name)

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
        """The facts that a norm can turn on: of a norm about a narrower kind of focus, also that the focus is one."""
        env: Env = {"this": 0}
        if self.narrowed(norm):
            self.add(Fact(CLASS, 0, m.subject_of(norm.head)))
        self.walk(norm.when, 0, env, True)
        for unless in norm.unless:
            self.walk(unless.condition, 0, dict(env), False)
        if isinstance(norm.head, m.QuantityHead):
            self.numbers(norm.head.value, 0, env, ())
        if isinstance(norm.head, m.OnEvent):
            self.follow(m.Path("this", norm.head.path.steps), 0, env)

    def narrowed(self, norm: m.Norm) -> bool:
        """Whether a norm speaks only of some of the things that the head of this pool speaks of."""
        cls = m.subject_of(norm.head)
        return cls in self.vocabulary.classes and self.root in self.vocabulary.classes[cls].ancestors - {cls}

    def walk(self, c: m.Condition, node: int, env: Env, wanted: bool) -> None:
        """Adds the facts that a condition on a node can turn on. wanted: whether it has to hold, or to fail."""
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
                inner = env if isinstance(c, m.Some) else dict(env)  # what `some` names is known to the right of it
                self.walk(filler, self.child(node, role, self.used(node, role)), inner, wanted)
                if not wanted and not role.inverse:
                    self.add(Fact(NONE, node, self.told(role)))
            case m.Count(role, _, n, filler):
                for number in range(min(max(n, 1), MOST_CHILDREN)):
                    self.walk(filler, self.child(node, role, number), dict(env), wanted)
            case m.HasValue(role, target):
                end = self.follow(target, node, env)
                if end is not None:
                    ends = (end, node) if role.inverse else (node, end)
                    self.add(Fact(LINK, ends[0], self.told(role), None, ends[1]))
            case m.Same(target):
                self.follow(target, node, env)
            case m.Of(root, of):
                self.walk(of, env.get(root, node), env, wanted)
            case m.Bind(of, var):
                env[var] = node
                self.bound.add((var, node))
                self.walk(of, node, env, wanted)
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
        """The node that a path leads to, brought in where it is not there; None from a name that is not bound."""
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
            # What act the focus is stays said beside how it is done.
            stays = isinstance(self.head, m.Deontic) and all(how(classes[d]) for d in thing["is"] if d != self.root)
            wider = {a for d in thing["is"] for a in classes[d].ancestors - {d} if not (stays and a == self.root)}
            thing["is"] = [c for c in thing["is"] if c not in wider]
            if not thing["is"]:
                del thing["is"]
        return {"book": self.vocabulary.book, "things": things, "ask": self.question()}

    def question(self) -> dict[str, Any]:
        """The question that the head answers, about node 0."""
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
