"""When an act may be done: the rules on it as the shortest list of conditions, proven equal to them over a stated shape.

    found = table(theory, case) -> DecisionTable

The reasoner says for each norm what it turns on (kb.research.decision_trees). How the norms meet, and what silence comes to, are
put together from that as diagrams (kb.research.bdd), in which equal functions are the same; rows are read in their order, the first
that is met decides. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import proof as p, scope_acts
from kb.reasoner.scope import narrowest, of_rows, STATE
from kb.research.bdd import FALSE, TRUE, Diagrams, Product
from kb.research.decision_shape import IS, LINK, Key, Shape
from kb.research.decision_trees import Grower, Split, Test, Tree, of_freed, of_norm, of_notion, of_row, splits
from kb.rulebook.theory import Theory

MOST_ROUNDS = 5
SILENT, BEYOND, FREED, RULE = "silent", "beyond", "freed", "rule"
Allowed = dict[Key, frozenset[int]]  # by input, the options that a row allows


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an act comes to: a verdict, and whether that is for want of any rule that speaks of it."""

    verdict: str
    by_rule: bool

    @property
    def sort(self) -> str:
        """The verdict, or what stands for it: silence, or leave that does not reach as far."""
        if not self.by_rule:
            return FREED if self.verdict == p.PERMITTED else SILENT
        return BEYOND if self.verdict == p.OUTSIDE else self.verdict


@dataclass(frozen=True)
class Row:
    """A row of a table: where its inputs are as allowed, and no row before it is met, the act comes to that."""

    outcome: Outcome
    allowed: Allowed
    rules: tuple[str, ...]


@dataclass
class DecisionTable:
    """rows: the first that is met decides; the last holds of everything. shares: of each outcome, in which part of the shape's
    situations an act comes to it; by_rule: the same by rule; needs: the rules not loaded that it takes besides; closing: the rule by
    which silence bars; together: the functions that the rows were made of; asked: how often the reasoner was."""

    shape: Shape
    rows: list[Row]
    together: Together
    title: str = ""
    shares: dict[Outcome, float] = field(default_factory=dict)
    by_rule: dict[str, float] = field(default_factory=dict)
    needs: dict[Outcome, tuple[str, ...]] = field(default_factory=dict)
    closing: str = ""
    notes: tuple[str, ...] = ()


class Functions:
    """The trees of a shape as functions of its inputs, each option of an input but the last a variable."""

    def __init__(self, shape: Shape, trees: Iterable[Tree]):
        self.d, self.shape, self.care = Diagrams(), shape, TRUE
        self.reckoned: dict[str, m.Norm] = {}
        keys = dict.fromkeys(split.key for tree in trees for split in splits(tree))
        self.keys = list(keys)
        self.vars: dict[Key, list[int]] = {}
        for key in self.keys:
            first = sum(len(v) for v in self.vars.values())
            self.vars[key] = [first + n for n in range(shape.inputs[key].last)]
        self.where = {var: (key, n) for key, vs in self.vars.items() for n, var in enumerate(vs)}

    def beside(self, norm: m.Norm) -> int:
        """An input of its own, for what a norm asks for and the inputs do not tell: whether that is so."""
        key: Key = (RULE, "", norm.id)
        self.reckoned[norm.id] = norm
        if key in self.vars:
            return self.d.var(self.vars[key][0])
        self.keys.append(key)
        self.vars[key] = [len(self.where)]
        self.where[len(self.where)] = (key, 0)
        return self.d.var(self.vars[key][0])

    def option(self, key: Key, n: int) -> int:
        """Where an input is one of its options: of those that exclude each other none other is."""
        vs = self.vars[key]
        return self.d.product({var: i == n for i, var in enumerate(vs)})

    def of(self, tree: Tree, value: bool | None) -> int:
        """Where a tree comes to a value."""
        if not isinstance(tree, Split):
            return TRUE if tree is value else FALSE
        found = FALSE
        for n, way in enumerate(tree.ways):
            found = self.d.either(found, self.d.both(self.option(tree.key, n), self.of(way, value)))
        return found

    def allowed(self, product: Product) -> Allowed:
        """The options that a product of variables allows."""
        found: dict[Key, set[int]] = {}
        for var, so in product.items():
            key, n = self.where[var]
            options = found.setdefault(key, set(range(len(self.vars[key]) + 1)))
            options &= {n} if so else options - {n}
        return {key: frozenset(options) for key, options in found.items()}

    def holds(self, where: int, allowed: Mapping[Key, frozenset[int]]) -> bool:
        """Whether a function, which holds of all that cannot be, holds wherever inputs are as allowed."""
        fixed: list[dict[int, bool]] = [{}]
        for key, options in allowed.items():
            vs = self.vars[key]
            if len(options) == 1 or len(vs) not in options:
                ways = [{var: i == n for i, var in enumerate(vs)} for n in options]
            else:
                ways = [{var: False for i, var in enumerate(vs) if i not in options}]
            fixed = [{**before, **way} for before in fixed for way in ways]
        return all(self.d.always(where, way) for way in fixed)

    def function(self, allowed: Mapping[Key, frozenset[int]]) -> int:
        """Where inputs are as allowed."""
        d = self.d
        return d.both(*(d.either(*(self.option(key, n) for n in options)) for key, options in allowed.items()))


def regrown(shape: Shape, tests: Mapping[str, Test]) -> tuple[dict[str, Tree], Grower]:
    """The trees of some tests, grown anew until none of them adds to the shape."""
    for _ in range(MOST_ROUNDS):
        before, grower = shape.grown, Grower(shape)
        trees = {name: grower.grow(test) for name, test in tests.items()}
        if shape.grown == before:
            break
    return trees, grower


def asked_of(shape: Shape) -> dict[str, Test]:
    """What is asked of a shape: of each norm whether it applies, or lets be; of each row of a scope whether the act is under it."""
    act = shape.base.question.thing
    barring = {rule for row in shape.rows for rule in row.bars}
    tests = {f"norm {n.id}": of_norm(n, act) for n in shape.norms}
    tests |= {f"freed {n.id}": of_freed(n, act) for n in shape.norms if n.rule in barring and bars(n)}
    return tests | {f"row {i}": of_row(row, act) for i, row in enumerate(shape.rows)}


def bars(norm: m.Norm) -> bool:
    """Whether a norm forbids."""
    return isinstance(norm.head, m.Deontic) and norm.head.mode == m.FORBIDS


def put_together(*shapes: Shape) -> list[Together]:
    """The rules of some shapes put together, in terms of the same inputs, which the shapes share."""
    grown = [regrown(shape, asked_of(shape)) for shape in shapes]
    if len(shapes) > 1:  # what one of them has added, the others read as well
        grown = [regrown(shape, asked_of(shape)) for shape in shapes]
    f = Functions(shapes[0], [tree for trees, _ in grown for tree in trees.values()])
    return [Together(shape, f, *row) for shape, row in zip(shapes, grown, strict=True)]


class Together:
    """The rules on an act put together. norms, freed, rows: where each applies, lets be, or has the act under it; care: the situations
    that can be."""

    def __init__(self, shape: Shape, f: Functions, trees: Mapping[str, Tree], grower: Grower):
        self.shape, self.theory, self.f, self.grower = shape, shape.theory, f, grower
        self.norms = {n.id: self.applies(n, trees[f"norm {n.id}"]) for n in shape.norms}
        self.freed = {n.id: f.of(trees[f"freed {n.id}"], True) for n in shape.norms if f"freed {n.id}" in trees}
        self.rows = [f.of(trees[f"row {i}"], True) for i in range(len(shape.rows))]
        self.care = f.d.both(self.possible(), self.as_ruled())
        f.care = f.d.both(f.care, self.care)

    def applies(self, norm: m.Norm, tree: Tree) -> int:
        """Where a norm applies. What it turns on that is in no input, numbers set against numbers, is one of its own."""
        d, f = self.f.d, self.f
        sure, open_ = f.of(tree, True), f.of(tree, None)
        return sure if open_ == FALSE else d.either(sure, d.both(open_, f.beside(norm)))

    # ── what can be ──

    def possible(self) -> int:
        """The situations in which options exclude each other and the classes of each thing go together."""
        d, f, classes = self.f.d, self.f, self.shape.vocabulary.classes
        found = TRUE
        for key in f.keys:
            found = d.both(found, d.either(*(f.option(key, n) for n in range(len(f.vars[key]) + 1))))
        of_thing: dict[str, list[Key]] = {}
        for key in f.keys:
            if key[0] == IS:
                of_thing.setdefault(key[1], []).append(key)
        for keys in of_thing.values():
            for one in keys:
                for other in keys:
                    a, b = (d.var(f.vars[k][0]) for k in (one, other))
                    if other[2] in classes[one[2]].disjoint:
                        found = d.but(found, d.both(a, b))
                    elif one != other and other[2] in classes[one[2]].ancestors:
                        found = d.but(found, d.but(a, b))
        return found

    def as_ruled(self) -> int:
        """The situations in which each notion that rules make is as they make it, as far as the shape's own inputs tell."""
        d, f, found = self.f.d, self.f, TRUE
        self.grower.learning = False
        made = {*self.theory.makes, *self.theory.unmakes, *self.theory.definitions, *self.theory.defined_below}
        for key in f.keys:
            if key[0] == IS and key[2] in made:
                tree = self.grower.grow(of_notion(key[1], key[2]), barred=frozenset([key]) | self.unused())
                so = d.var(f.vars[key][0])
                found = d.but(found, d.but(f.of(tree, True), so))
                found = d.but(found, d.both(f.of(tree, False), so))
        for key, wide in self.defined_above():
            tree = self.grower.grow(of_notion(key[1], wide), barred=frozenset([key]) | self.unused())
            found = d.but(found, d.both(f.of(tree, False), d.var(f.vars[key][0])))
        return found

    def defined_above(self) -> Iterable[tuple[Key, str]]:
        """The classes of the shape that are narrower than one that is defined, each with that."""
        classes, base = self.shape.vocabulary.classes, self.shape.base.things
        for key in self.f.keys:
            told = {a for c in base[key[1]].is_ for a in classes[c].ancestors} if key[0] == IS else set()
            for wide in sorted(classes[key[2]].ancestors - told - {key[2]}) if key[0] == IS else ():
                if wide in self.theory.definitions:
                    yield key, wide

    def unused(self) -> frozenset[Key]:
        """The inputs that no tree reads."""
        return frozenset(self.shape.inputs.keys() - {*self.f.keys})

    # ── what it comes to ──

    def outcomes(self) -> dict[Outcome, int]:
        """Where an act comes to what."""
        d, theory = self.f.d, self.theory
        live = [n for n in self.shape.norms if d.both(self.norms[n.id], self.care) != FALSE]
        forbid = [n for n in live if bars(n)]
        allow = [n for n in live if n not in forbid]
        pro, con = (d.either(*(self.norms[n.id] for n in side)) for side in (allow, forbid))

        def wins(ours: Sequence[m.Norm], theirs: Sequence[m.Norm]) -> int:
            found = TRUE
            for t in theirs:
                beaten = d.either(*(self.norms[o.id] for o in ours if theory.stronger(o, t) is not None))
                found = d.both(found, d.either(d.no(self.norms[t.id]), beaten))
            return found

        pro_wins, con_wins = d.both(pro, wins(allow, forbid)), d.both(con, wins(forbid, allow))
        yes, barred = d.but(pro_wins, con_wins), d.but(con_wins, pro_wins)
        clash = d.but(d.either(pro, con), d.either(yes, barred))
        silent = d.no(d.either(pro, con))
        beyond = d.both(yes, self.beyond(allow, self.norms))
        closed = d.both(silent, self.closed())
        barring = [n for n in self.shape.norms if n.id in self.freed]
        free = d.but(d.both(silent, self.let_be()), d.either(closed, self.beyond(barring, self.freed)))
        found = {
            Outcome(p.CONFLICT, True): clash, Outcome(p.FORBIDDEN, True): barred, Outcome(p.OUTSIDE, True): beyond,
            Outcome(p.PERMITTED, True): d.but(yes, beyond), Outcome(p.FORBIDDEN, False): closed,
            Outcome(p.PERMITTED, False): free, Outcome(p.OUTSIDE, False): d.but(silent, d.either(closed, free)),
        }  # fmt: skip
        return {outcome: g for outcome, f in found.items() if (g := d.both(f, self.care)) != FALSE}

    def combinations(self) -> list[tuple[list[m.ScopeRow], int]]:
        """Each set of rows of the scopes that an act can be under together, and where it is."""
        d = self.f.d
        found: list[tuple[list[m.ScopeRow], int]] = [([], self.care)]
        for row, f in zip(self.shape.rows, self.rows, strict=True):
            found = [
                (rows, g)
                for before, where in found
                for rows, g in (([*before, row], d.both(where, f)), (before, d.but(where, f)))
                if g != FALSE
            ]
        return found

    def closed(self) -> int:
        """Where what no rule allows is barred."""
        d, theory = self.f.d, self.theory
        found = FALSE
        for rows, where in self.combinations():
            sure = [row for row in rows if row.by or row.kind != m.WHOLLY]
            if any(row.kind == m.WHOLLY for row in narrowest(theory, sure)):
                found = d.either(found, where)
        return found

    def states(self) -> list[Key]:
        """The inputs that are a state of the act or of who does it, on which rules speak that are not loaded."""
        theory, classes = self.theory, self.shape.vocabulary.classes
        act = self.shape.base.things[self.shape.base.question.thing]
        things = {act.name}.union(*(act.links.get(role, ()) for role in self.shape.vocabulary.doers))
        found = []
        for key in self.f.keys:
            term = classes[key[2]] if key[0] == IS and key[1] in things else None
            if term is not None and STATE in term.ancestors and not term.derived:
                sources = tuple(scope_acts.home(theory, term))
                if sources and not any(s in theory.sections for s in scope_acts.split(term.source)):
                    found.append(key)
        return found

    def let_be(self) -> int:
        """Where a rule that bars some such acts, by which its chapter bars all that it does bar, plainly does not bar this one."""
        d, found = self.f.d, FALSE
        for rows, where in self.combinations() if self.freed else ():
            barring = {rule for row in rows for rule in row.bars}
            freed = d.either(*(f for name, f in self.freed.items() if self.theory.norms[name].rule in barring))
            found = d.either(found, d.both(where, freed))
        return found

    def beyond(self, allow: Sequence[m.Norm], applies: Mapping[str, int]) -> int:
        """Where who acts, or the act, is in a state that no rule which allows it reads, and rules that are not loaded do."""
        d, f, theory, known = self.f.d, self.f, self.theory, self.shape.vocabulary
        found = FALSE
        for key in self.states():
            term = known.classes[key[2]]
            reading = [n for n in allow if term.ancestors & scope_acts.names_of([n])]
            unread = d.but(d.var(f.vars[key][0]), d.either(*(applies[n.id] for n in reading)))
            for rows, where in self.combinations():
                suits = {cls for row in rows if row.kind != m.WHOLLY for cls in row.suits}
                wider = any(row.kind != m.WHOLLY for row in rows)
                if (wider or not rows) and not term.ancestors & suits:
                    found = d.either(found, d.both(unread, where))
        return found


# ── rows ──


def rows(together: Together) -> list[Row]:
    """The rows of a table: bars by a rule first, then what is left in the order that takes the fewest words."""
    outcomes = together.outcomes()
    free = together.f.d.no(together.care)  # what cannot be, and what is decided before
    barred = [o for o in outcomes if o.verdict == p.FORBIDDEN and o.by_rule]
    rest = [o for o in outcomes if o not in barred]
    first, free = in_order(together, outcomes, barred, free, not rest)
    ways = []
    for order in ORDERS:
        told = sorted(rest, key=lambda o: (order.index(o.sort), o.verdict))
        ways.append(in_order(together, outcomes, told, free, True)[0])
    return [*first, *min(ways, key=lambda rows: sum(1 + len(row.allowed) for row in rows))]


def in_order(
    together: Together, outcomes: Mapping[Outcome, int], order: Sequence[Outcome], free: int, whole: bool
) -> tuple[list[Row], int]:
    """The rows of some outcomes in their order, and what then is decided. whole: the last of them is all that is left."""
    d, f, found = together.f.d, together.f, list[Row]()
    for n, outcome in enumerate(order):
        where = outcomes[outcome]
        if whole and n == len(order) - 1:
            found.append(Row(outcome, {}, cited(together, outcome, where)))
            continue
        speak = speaking(together, outcome, free)
        for allowed in shortest(f, where, d.either(where, free), together.shape.notions):
            alone = [rule for rule, g in speak.items() if f.holds(g, allowed)]
            found.append(Row(outcome, allowed, tuple(alone[:1]) or cited(together, outcome, d.but(f.function(allowed), free))))
        free = d.either(free, where)
    return found, free


ORDERS = (
    (p.CONFLICT, SILENT, BEYOND, FREED, p.PERMITTED),
    (p.CONFLICT, BEYOND, p.PERMITTED, FREED, SILENT),
)


def shortest(f: Functions, lower: int, upper: int, notions: frozenset[str]) -> list[Allowed]:
    """Rows that hold wherever one function does and only where another does: none can be shortened, none left out."""
    d = f.d
    found = [f.allowed(product) for product in d.products(lower, upper)]
    wide = [min((widened(f, a, upper, notions), widened(f, said(f, a, upper, notions), upper, notions)), key=len) for a in found]
    kept = sorted({f.function(a): a for a in wide}.items(), key=lambda row: len(row[1]))
    functions = [g for g, _ in kept]
    for n in range(len(kept) - 1, -1, -1):
        others = d.either(*(g for i, g in enumerate(functions) if i != n))
        if d.within(d.both(lower, functions[n]), others):
            functions[n] = FALSE
    return [a for (_, a), left in zip(kept, functions, strict=True) if left != FALSE]


def said(f: Functions, allowed: Allowed, upper: int, notions: frozenset[str]) -> Allowed:
    """A row with the notions that it comes to, as the rules have them, put to it."""
    d, where = f.d, f.function(allowed)
    live = d.both(where, f.care)
    for key in f.keys:
        if key[0] == IS and key[2] in notions and key not in allowed:
            for n in (0, 1):
                if d.within(live, f.option(key, n)):
                    allowed = {**allowed, key: frozenset([n])}
    return allowed


def widened(f: Functions, allowed: Allowed, upper: int, notions: frozenset[str]) -> Allowed:
    """A row with whatever can be left out of it left out, notions of the rules last, and each input allowed as many options as can be."""
    for key in sorted(allowed, key=lambda k: (k[2] in notions, -len(allowed[k]), -f.keys.index(k))):
        rest = {k: v for k, v in allowed.items() if k != key}
        if f.holds(upper, rest):
            allowed = rest
    for key in list(allowed):
        for n in range(len(f.vars[key]) + 1):
            if n not in allowed[key] and f.holds(upper, {**allowed, key: frozenset([n])}):
                allowed = {**allowed, key: allowed[key] | {n}}
    return allowed


def speaking(together: Together, outcome: Outcome, free: int) -> dict[str, int]:
    """By rule, where it speaks for an outcome, or that does not matter."""
    d, found = together.f.d, dict[str, int]()
    for name, freed in together.freed.items() if outcome.sort == FREED else ():
        rule = together.theory.norms[name].rule
        found[rule] = d.either(found.get(rule, free), freed)
    for norm in together.shape.norms if outcome.by_rule else ():
        if outcome.verdict == p.CONFLICT or bars(norm) == (outcome.verdict == p.FORBIDDEN):
            found[norm.rule] = d.either(found.get(norm.rule, free), together.norms[norm.id])
    return found


def cited(together: Together, outcome: Outcome, where: int) -> tuple[str, ...]:
    """The rules by which an act comes to what it does in some situations: as few as speak for all of them."""
    d, left, rules = together.f.d, where, list[str]()
    speak = {rule: d.both(g, where) for rule, g in speaking(together, outcome, FALSE).items()}
    while left != FALSE and speak:
        best = max(speak, key=lambda rule: d.count(d.both(speak[rule], left), together.f.where))
        if d.both(speak[best], left) == FALSE:
            break
        rules.append(best)
        left = d.but(left, speak[best])
    return tuple(rules)
