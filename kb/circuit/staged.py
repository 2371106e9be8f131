"""Many variants of one case as one: each thing with all the ways in which it is told, and what is found of them, once for all lanes.

Goals that ask for themselves are tabled, as kb.reasoner.staging has it, and each is worked out in those lanes alone in which somebody
asks for it. Met again while it is worked out in a lane, a goal counts as nothing there; if it then turns out to be more, what was found
since may rest on too little, and is forgotten in that lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kb.circuit.known import Sort
from kb.circuit.values import Env, Form, Links, One, Parts, Tri, World
from kb.language import norms as m
from kb.language.case import Case, Facts
from kb.rulebook.theory import Theory

MOST_CONDITIONS = 100_000  # of which it is remembered whether they bind a name: those of questions come and go


TOO_LONG = "it takes too long"
MOST = 1_000_000  # goals that are worked out where nobody says otherwise


class Unground(Exception):
    """What cannot be worked out in lanes at all, by name."""


class Budget:
    """How many goals may still be worked out: the same on every machine."""

    __slots__ = ("left",)

    def __init__(self, left: int):
        self.left = left

    def spend(self) -> None:
        """One goal. Raises Unground when there is nothing left."""
        self.left -= 1
        if self.left < 0:
            raise Unground(TOO_LONG)


class Staged:
    """Variants of one case under one theory, a lane for each. every: all lanes; undecided: those of which it matters still; lost: the lanes of which something could not be worked
    out in lanes, by what that is: their answer is the reasoner's to give; struck: by norm, the lanes that are without it; hints: by rule, those that it may decide; expected: relations that a single lane was seen
    to ask for, which are worked out for all lanes at once."""

    presumes = True  # whether what is not told is taken to be as usual
    things: dict[str, One]
    back: dict[One, dict[str, Parts[One]]]  # by thing and relation, what is stated to be so related to it
    budget: Budget
    words: int  # the lanes that say of something that it is not known
    struck: dict[str, int]

    def __init__(self, theory: Theory, cases: Sequence[Case], like: Staged | None = None, budget: Budget | None = None):
        self.theory, self.vocabulary, self.cases = theory, theory.vocabulary, cases
        self.every = (1 << len(cases)) - 1
        self.undecided: int = like.undecided if like is not None else self.every
        self.lost: dict[str, int] = {}
        self.hints: dict[str, int] = {}
        self.expected: frozenset[Any] = like.expected if like is not None and type(self) is type(like) else frozenset()
        self.budget = budget or (like.budget if like is not None else Budget(MOST))
        # By goal: the lanes in which it was worked out, what was found, and on which depths that leans.
        self.memo: dict[Any, list[Any]] = {}
        self.blanks: dict[tuple[One, str], One] = {}
        # The goals being worked out: by goal, at which depth and in which lanes; what was remembered meanwhile, in order; and the depths
        # of those that the innermost one leans on, for it was met again.
        self.active: dict[Any, list[tuple[int, int]]] = {}
        self.depths: list[int] = []
        self.trail: list[tuple[list[Any], int]] = []
        self.leant = 0
        self.done = frozenset[str]()
        self.left = 0  # the lanes in which something is left to rules that are not loaded
        self.clash = 0  # the lanes in which norms say opposite things, and none is the stronger
        self.binding = bindings(theory)
        if like is not None:
            self.things, self.back, self.words, self.struck = like.things, like.back, like.words, like.struck
        else:
            self.things, self.back, self.words, self.struck = {}, {}, 0, {}
            self.stage()

    def stage(self) -> None:
        """Puts the things of all variants on the stage."""
        rows: dict[tuple[str, int], list[Any]] = {}  # most variants share most of what is told: looked at once
        for lane, case in enumerate(self.cases):
            bit = 1 << lane
            for name, facts in case.things.items():
                row = rows.get((name, id(facts)))
                if row is None:
                    rows[name, id(facts)] = [facts, bit]
                else:
                    row[1] |= bit
        forms: dict[str, dict[Any, list[Any]]] = {}
        for (name, _), (facts, lanes) in rows.items():
            forms.setdefault(name, {}).setdefault(told(facts), [facts, 0])[1] |= lanes
        for name, ways in forms.items():
            self.things[name] = One(
                name, [Form(facts, self.theory.kind_of(facts.is_, facts.not_), lanes) for facts, lanes in ways.values()]
            )
        for x in self.things.values():
            self.words |= x.unsure
            for role, leads in x.links.items():
                for ends, some in leads.items():
                    for end in ends:
                        self.related(x, role, self.things[end], some)

    def leave(self, lanes: int) -> None:
        """Looks no more at how things are told in some lanes, of which it does not matter any longer."""
        self.undecided &= ~lanes
        for x in self.things.values() if lanes else ():
            x.forms = [form for form in x.forms if form.lanes & ~lanes]
            x.gather()

    def related(self, x: One, role: str, y: One, lanes: int) -> None:
        """Notes of y that x is stated to be related to it."""
        found = self.back.setdefault(y, {}).setdefault(role, {})
        found[x] = found.get(x, 0) | lanes

    def lose(self, reason: str, lanes: int) -> None:
        """Notes that some lanes cannot be worked out here."""
        if lanes:
            self.lost[reason] = self.lost.get(reason, 0) | lanes

    def once(self, sort: Sort, key: Any, at: int, work: Callable[[int], Any]) -> Any:
        """What `work` finds in some lanes, tabled: what was found in some is not worked out again, and a goal met while it is being
        worked out in a lane is nothing there."""
        known = self.memo.get(key)
        if known is None:
            known = self.memo[key] = [0, sort.empty, 0]
        left = at & ~known[0]
        if not left:
            self.leant |= known[2]
            return known[1]
        frames, busy = self.active.setdefault(key, []), 0
        for depth, lanes in frames:
            if lanes & left:
                busy |= lanes & left
                self.leant |= 1 << depth
        left &= ~busy
        if left:
            self.budget.spend()
            if (
                self.expected and key[0] == "to" and by_name(key) in self.expected
            ):  # all lanes that are not decided will ask for it: once for all of them
                more = self.undecided & ~known[0]
                for _, lanes in frames:
                    more &= ~lanes
                left |= more
            depth, outer, begun = len(self.depths), self.leant, len(self.trail)
            frames.append((depth, left))
            self.depths.append(left)
            self.leant = 0
            try:
                found = work(left)
            finally:
                frames.pop()
                self.depths.pop()
            mine, bit = self.leant, 1 << depth
            if mine & bit:
                self.closed(bit, left & ~sort.nothing(found), begun)
                mine &= ~bit
            known[1] = sort.joined(known[1], found, left)
            known[0] |= left
            known[2] |= mine
            self.leant = outer | known[2]
            if depth:
                self.trail.append((known, left))
            else:
                self.trail.clear()
        else:
            self.leant |= known[2]
        return sort.joined(known[1], sort.blank(busy), busy) if busy else known[1]

    def closed(self, bit: int, more: int, begun: int) -> None:
        """Forgets what leans on there being nothing to a goal, where there is more to it. bit: that of the goal; begun: from where on
        others may lean on it."""
        leaning = [at for at in range(begun, len(self.trail)) if self.trail[at][0][2] & bit]
        for at in leaning:
            known, lanes = self.trail[at]
            if lanes & more:
                known[0] &= ~more
                self.trail[at] = known, lanes & ~more
        for at in leaning:
            self.trail[at][0][2] &= ~bit

    def speaks(self, x: One, cls: str) -> int:
        """The lanes in which a norm about cls can speak of x."""
        found = x.spoken.get(cls)
        if found is None:
            fits = self.theory.fits
            found = 0
            for kind, lanes in x.kinds:
                if fits(kind, cls) is not False:
                    found |= lanes
            x.spoken[cls] = found
        return found

    def binds(self, c: m.Condition) -> bool:
        """Whether a condition binds a name that stands to its right can use."""
        found = self.binding.get(id(c))
        if found is None:
            found = self.binding[id(c)] = c, binds(c)
        return found[1]

    def blank(self, x: One, role: str) -> One:
        """Whatever a property of x leads to, of which nothing is told: of its range, and as usual."""
        found = self.blanks.get((x, role))
        if found is None:
            facts = Facts(f"{x.name}.{role}", *self.vocabulary.unnamed(role))
            kind = self.theory.kind_of(facts.is_, facts.not_)
            found = self.blanks[x, role] = One(facts.name, [Form(facts, kind, self.every)], blank=True, made=(x, role))
        return found

    # ── what the modules that build on this answer for each other ──

    def holds(self, c: m.Condition, x: One, env: Env, at: int) -> Tri:
        """Whether a condition holds of x, for some way to bind its names; looked at in some lanes."""
        raise NotImplementedError

    def worlds(self, c: m.Condition, x: One, env: Env, at: int) -> list[World]:
        """The same for each way to bind its names."""
        raise NotImplementedError

    def follow(self, x: One, path: m.Path, env: Env, at: int) -> tuple[Parts[One], int]:
        """Where a path leads, and the lanes in which that is all there is."""
        raise NotImplementedError

    def member(self, x: One, cls: str, focus: One, at: int) -> Tri:
        """Whether x is a cls. focus: from whom built-ins see it."""
        raise NotImplementedError

    def applies(self, norm: m.Norm, x: One, at: int) -> Sequence[World]:
        """Whether a norm applies to x, for each way to bind its names."""
        raise NotImplementedError

    def status(self, norm: m.Norm, x: One, at: int) -> Tri:
        """Whether a norm applies to x."""
        raise NotImplementedError

    def successors(self, x: One, name: str, at: int, inverse: bool = False) -> Links:
        """What x is related to by a property, or (inverse) what is so related to x."""
        raise NotImplementedError

    def number(self, e: m.Expr, x: One, env: Env, at: int) -> Parts[Any]:
        """The value of an expression for x in some lanes; None where it is not known."""
        raise NotImplementedError


def by_name(key: Any) -> Any:
    """A goal as it is called in any lanes."""
    return tuple(part.name if isinstance(part, One) else part for part in key)


def bindings(theory: Theory) -> dict[int, tuple[m.Condition, bool]]:
    """Which conditions bind a name, as far as it is known: by identity, each kept so that its number stays its own."""
    found: Any = theory.compiled.setdefault("bindings", {})
    if len(found) > MOST_CONDITIONS:
        found.clear()
    return found  # type: ignore[no-any-return]


def told(facts: Facts) -> object:
    """What is stated of a thing, to tell two ways of telling it apart."""
    return (
        facts.is_, facts.not_, facts.unknown, tuple(facts.links.items()), tuple(facts.numbers.items()),
        tuple(facts.flags.items()), tuple(facts.texts.items()), facts.one_sided,
    )  # fmt: skip


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
