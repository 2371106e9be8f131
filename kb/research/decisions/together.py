"""The rules on an act put together: which norm applies where, how they meet, and what silence comes to.

How norms meet is worked out here a second time, as functions of the inputs; kb.research.decisions.check holds it against the reasoner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kb.language import norms as m
from kb.language.case import Reaches
from kb.language.vocabulary import ClassTerm
from kb.reasoner import proof as p
from kb.reasoner.reason import turning
from kb.research.decisions.bdd import FALSE, TRUE
from kb.research.decisions.fillers import positive
from kb.research.decisions.functions import LETS, Functions
from kb.research.decisions.inputs import akin, alike, led_to
from kb.research.decisions.shape import IS, LINK, Key, Shape
from kb.research.decisions.trees import MOST_EACH, Grower, TooWide, Tree, leaves

MOST_ROUNDS = 5
MOST_GOALS = 500_000  # of a round
SILENT, BEYOND, FREED = "silent", "beyond", "freed"


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


def regrown(shape: Shape) -> tuple[dict[str, Tree], Grower]:
    """The trees of all that is asked of a shape, grown anew until none of them adds to it. Raises TooWide; TooLong where that takes too much."""
    for _ in range(MOST_ROUNDS):
        before, grower = shape.grown, Grower(shape)
        later = max(0, shape.effort.left - MOST_GOALS)
        shape.effort.left -= later
        shape.look()
        trees = {
            name: grower.under(test, shape.besides[norm])
            if (norm := name.partition(" ")[2]) in shape.besides
            else grower.grow(test)
            for name, test in asked_of(shape).items()
        }
        shape.widen()
        shape.effort.left += later
        if shape.grown == before:
            break
    tests = asked_of(shape)
    for one in filter(permits, shape.norms):
        name = f"norm {one.id}"
        if all(leaf is False for leaf in leaves(trees[name])):
            trees[name] = by_itself(shape, one, tests[name])
    return trees, grower


def by_itself(shape: Shape, norm: m.Norm, test: turning.Probe) -> Tree:
    """The tree of a permission that would never be met as things usually are: what it turns on besides the inputs (what is two steps away, what leads
    to a thing) stays open, so that it is told in its own words and not left out."""
    grower = Grower(shape, MOST_EACH)
    grower.learning = False
    try:
        return grower.under(test, shape.besides[norm.id]) if norm.id in shape.besides else grower.grow(test)
    except TooWide:
        return None


def asked_of(shape: Shape) -> dict[str, turning.Probe]:
    """What is asked of a shape: of each norm whether it applies, or lets be; of each row of a scope whether the act is under it."""
    act = shape.base.question.thing
    barring = {rule for row in shape.rows for rule in row.bars}
    tests = {f"norm {n.id}": turning.of_norm(n, act) for n in shape.norms}
    tests |= {f"freed {n.id}": turning.of_freed(n, act) for n in shape.norms if n.rule in barring and bars(n)}
    return tests | {f"row {i}": turning.of_row(row, act) for i, row in enumerate(shape.rows)}


def permits(norm: m.Norm) -> bool:
    """Whether a norm permits."""
    return isinstance(norm.head, m.Deontic) and norm.head.mode == m.PERMITS


def bars(norm: m.Norm) -> bool:
    """Whether a norm forbids."""
    return isinstance(norm.head, m.Deontic) and norm.head.mode == m.FORBIDS


def put_together(*shapes: Shape) -> list[Together]:
    """The rules of some shapes put together, in terms of the same inputs, which the shapes share. Raises TooWide."""
    try:
        grown = [regrown(shape) for shape in shapes]
        if len(shapes) > 1:  # what one of them has added, the others read as well
            grown = [regrown(shape) for shape in shapes]
        f = Functions(shapes[0], [tree for trees, _ in grown for tree in trees.values()])
        return [Together(shape, f, *row) for shape, row in zip(shapes, grown, strict=True)]
    except turning.TooLong:
        raise TooWide from None


class Together:
    """The rules on an act put together. norms, freed, rows: where each applies, lets be, or has the act under it; care: the situations
    that can be."""

    def __init__(self, shape: Shape, f: Functions, trees: Mapping[str, Tree], grower: Grower):
        self.shape, self.theory, self.f, self.grower = shape, shape.theory, f, grower
        self.norms = {n.id: self.applies(n, trees[f"norm {n.id}"]) for n in shape.norms}
        self.freed = {
            n.id: self.applies(n, trees[f"freed {n.id}"], LETS) for n in shape.norms if f"freed {n.id}" in trees
        }
        self.rows = [f.of(trees[f"row {i}"], True) for i in range(len(shape.rows))]
        self.care = f.d.both(self.possible(), self.as_ruled())
        f.care = f.d.both(f.care, self.care)

    def applies(self, norm: m.Norm, tree: Tree, what: str = "") -> int:
        """Where a norm applies, or lets be. What it turns on that is in no input, numbers set against numbers, is one of its own."""
        d, f = self.f.d, self.f
        sure, open_ = f.of(tree, True), f.of(tree, None)
        return sure if open_ == FALSE else d.either(sure, d.both(open_, f.beside(norm, what)))

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
        return d.both(found, self.in_wider_relations(), self.seen_from_both_ends())

    def in_wider_relations(self) -> int:
        """The situations in which what stands in a relation stands in the wider ones as well: what an entry leads to, it comes into."""
        d, f, known = self.f.d, self.f, self.shape.vocabulary.properties
        found, links = TRUE, [key for key in f.keys if key[0] == LINK]
        for wide in links:
            for narrow in links:
                if wide == narrow or wide[1] != narrow[1] or narrow[2] not in known[wide[2]].below:
                    continue
                for n, option in enumerate(self.shape.inputs[narrow].options):
                    others = list(enumerate(self.shape.inputs[wide].options))
                    there = [i for i, other in others if alike(option, other)] or [
                        i for i, other in others if akin(self.shape.vocabulary, option, other)
                    ]
                    if there:
                        here = d.either(*(f.option(wide, i) for i in there))
                        found = d.but(found, d.but(f.option(narrow, n), here))
        return found

    def seen_from_both_ends(self) -> int:
        """The situations in which a relation between two things of the shape says the same from either of them: who is next to a place has
        that next to him."""
        d, f, shape, found = self.f.d, self.f, self.shape, TRUE
        links = [key for key in f.keys if key[0] == LINK]
        for one in links:
            for n, option in enumerate(shape.inputs[one].options):
                for other in links:
                    if other[1] == led_to(option) and other[2] in shape.backwards(one[2]):
                        back = [i for i, o in enumerate(shape.inputs[other].options) if led_to(o) == one[1]]
                        here = d.either(*(f.option(other, i) for i in back))
                        found = d.but(found, d.but(f.option(one, n), here))
        return found

    def as_ruled(self) -> int:
        """The situations in which each notion that rules make is as they make it, as far as the shape's own inputs tell."""
        d, f, found = self.f.d, self.f, TRUE
        self.grower.learning = False
        made = {*self.theory.makes, *self.theory.unmakes, *self.theory.definitions, *self.theory.defined_below}
        for key in f.keys:
            if key[0] == IS and key[2] in made:
                tree = self.grower.grow(turning.of_notion(key[1], key[2]), barred=frozenset([key]) | self.unused())
                so = d.var(f.vars[key][0])
                found = d.but(found, d.but(f.of(tree, True), so))
                found = d.but(found, d.both(f.of(tree, False), so))
        for key, wide in self.defined_above():
            tree = self.grower.grow(turning.of_notion(key[1], wide), barred=frozenset([key]) | self.unused())
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

    @cached_property
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
        for rows, where in self.combinations:
            sure = [row for row in rows if row.by or row.kind != m.WHOLLY]
            if any(row.kind == m.WHOLLY for row in turning.narrowest(theory, sure)):
                found = d.either(found, where)
        return found

    def states(self) -> list[tuple[int, ClassTerm]]:
        """Where the act or who does it is in a state on which rules speak that are not loaded, and which state."""
        theory, classes = self.theory, self.shape.vocabulary.classes
        act = self.shape.base.things[self.shape.base.question.thing]
        things = {act.name}.union(*(act.links.get(role, ()) for role in self.shape.vocabulary.doers))
        found = []
        for key in self.f.keys:
            term = classes[key[2]] if key[0] == IS and key[1] in things else None
            if term is not None:
                found.append((self.f.d.var(self.f.vars[key][0]), term))
            if key[0] == LINK and key[1] == act.name and key[2] in self.shape.vocabulary.doers:
                fillers = [
                    (n, o.fact.filler)
                    for n, o in enumerate(self.shape.inputs[key].options)
                    if isinstance(o.fact, Reaches)
                ]
                found += [(self.f.option(key, n), classes[name]) for n, filler in fillers for name in positive(filler)]
        return [(where, term) for where, term in found if turning.elsewhere(theory, term)]

    def let_be(self) -> int:
        """Where a rule that bars some such acts, by which its chapter bars all that it does bar, plainly does not bar this one."""
        d, found = self.f.d, FALSE
        for rows, where in self.combinations if self.freed else ():
            barring = {rule for row in rows for rule in row.bars}
            freed = d.either(*(f for name, f in self.freed.items() if self.theory.norms[name].rule in barring))
            found = d.either(found, d.both(where, freed))
        return found

    def beyond(self, allow: Sequence[m.Norm], applies: Mapping[str, int]) -> int:
        """Where who acts, or the act, is in a state that no rule which allows it reads, and rules that are not loaded do."""
        d, found = self.f.d, FALSE
        for where_so, term in self.states():
            reading = [n for n in allow if term.ancestors & turning.names_of([n])]
            unread = d.but(where_so, d.either(*(applies[n.id] for n in reading)))
            for rows, where in self.combinations:
                suits = {cls for row in rows if row.kind != m.WHOLLY for cls in row.suits}
                wider = any(row.kind != m.WHOLLY for row in rows)
                if (wider or not rows) and not term.ancestors & suits:
                    found = d.either(found, d.both(unread, where))
        return found
