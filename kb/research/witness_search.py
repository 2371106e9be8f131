"""Invents small situations: of the facts that may be said (kb.research.witness_facts), the smallest sets that make sense.

An answer-set solver (clingo) lists sets of them by size: first only those under which one wording would apply and the
other not, read as if all that is not said were false; or all of them, for a statement that none is left. Whether an
answer flips, the reasoner says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.errors import LoopholeError, Problem
from kb.language import norms as m
from kb.language.vocabulary import Vocabulary
from kb.research.witness_facts import CLASS, FLAG, LINK, NONE, NOT, NUMBER, Env, Fact, Pool

BEYOND = 3  # sizes tried from the least that conditions ask for: what is compared with a number is not among these
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
        """The atom that holds where a norm would apply to node 0."""
        env: Env = {"this": 0}
        uses: dict[tuple[int, str, bool], int] = {}
        parts = [self.lit(m.Named(m.subject_of(norm.head)), 0, env, uses)] if self.pool.narrowed(norm) else []
        parts.append(self.lit(norm.when, 0, env, uses))
        parts += [f"not {self.lit(u.condition, 0, dict(env), uses)}" for u in norm.unless]
        return self.rule(parts)

    def rule(self, body: Sequence[str]) -> str:
        """A new atom that holds where all of the body do."""
        self.count += 1
        self.lines.append(f"h({self.count}) :- {', '.join(body) or '#true'}.")
        return f"h({self.count})"

    def any(self, bodies: Sequence[str]) -> str:
        """A new atom that holds where one of some bodies does."""
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
        """The atom that holds where a condition does of a node. env: nodes by name; what it names is added."""
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
                named: Env = {}
                bodies, bound = [], self.pool.bound
                for i, reached in self.links(node, role):
                    inner = dict(env)
                    bodies.append(f"in({i}), {self.lit(filler, reached, inner, uses)}")
                    named |= {v: n for v, n in inner.items() if v not in env and (v not in named or (v, n) in bound)}
                env |= named
                return self.any(bodies)
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
                env[var] = node
                return self.lit(of, node, env, uses)
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
    pool: Pool,
    bound: int,
    most: int,
    apart: tuple[m.Norm | None, m.Norm | None],
    against: Sequence[m.Norm] = (),
    reach: int = 0,
) -> Iterator[tuple[int, list[Fact]]]:
    """(size, facts) by size, at most `bound` facts each and `most` sets of each size, that tell two wordings apart.

    against: norms of which one must apply, so that there is something to beat. reach: how many facts may be said where
    no set of `bound` facts tells them apart; then only those of the least size that does are given.
    """
    program = Program(pool)
    program.apart(*apart)
    program.against(against)
    yield from by_size(program, bound, most, reach)


def together(
    pool: Pool, bound: int, most: int, both: Sequence[m.Norm], reach: int = 0
) -> Iterator[tuple[int, list[Fact]]]:
    """(size, facts) by size of situations under which every one of some norms applies; `reach` as in situations."""
    program = Program(pool)
    program.lines += [f":- not {program.applies(norm)}." for norm in both]
    yield from by_size(program, bound, most, reach)


def by_size(program: Program, bound: int, most: int, reach: int) -> Iterator[tuple[int, list[Fact]]]:
    """The sets that a program lists, by size, up to a bound; where it lists none, those of the least sizes that have any."""
    least = -1
    for size in range(max(bound, reach) + 1):
        if size > bound and 0 <= least < size - BEYOND:
            return
        for found in program.models(size, most):
            least = size if least < 0 else least
            yield size, found


def narrower(a: m.Head, b: m.Head, vocabulary: Vocabulary) -> bool:
    """Whether the first head speaks of a narrower kind of thing, or of a narrower class, than the second."""
    for one, other in ((m.subject_of(a), m.subject_of(b)), (getattr(a, "target", ""), getattr(b, "target", ""))):
        if one != other and one in vocabulary.classes:
            return other in vocabulary.classes[one].ancestors or not other
    return True
