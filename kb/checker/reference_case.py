"""One case under one theory, as the reference interpreter keeps it: its things with the classes that they are stated to be, what is
being worked out, and what was found. The rest of the interpreter is made of it: reference_memberships, reference_relations and
reference_numbers each answer one kind of question, and kb.checker.reference puts them together as the Judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kb.checker.reference_index import MOST_CONDITIONS, indexed
from kb.checker.reference_strength import stronger
from kb.checker.reference_values import Env, Named, One, Tri
from kb.language import norms as m
from kb.language.case import Case, Facts
from kb.rulebook.theory import Theory

JOINING = frozenset(
    {m.And, m.Or, m.Except, m.Some, m.Of}
)  # of which a part may bind a name for what stands further right


class Staged:
    """One case under one theory. caused: thing to the classes that earlier acts brought about; done: those acts; pending:
    thing to the classes that they may have brought about; shifts: by thing and number, what has raised, lowered or set it; linked: by thing, relation and
    what it leads to, what related the two or parted them; loose: by thing and relation, what it may lead to; held, clock: what norms have made, and how often has come what
    ends it. named: what alone may be presumed, each a thing and a term; None:
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
        self.shifts: dict[tuple[str, str], list[Any]] = {}
        self.held: list[Any] = []
        self.clock: dict[Any, Any] = {}
        self.linked: dict[tuple[str, str, str], Any] = {}
        self.loose: dict[tuple[str, str], set[str]] = {}
        self.memo: dict[Any, Any] = {}
        self.clash = False  # whether norms were found to say opposite things, and none to be the stronger
        # active: the goals being evaluated, each at its depth; leant: the depths that the innermost goal has leant on, a bit for
        # each. meanwhile: results that leant on unfinished goals; until: which of them are looked at again when the goal at a depth
        # is done.
        self.active: dict[Any, int] = {}
        self.leant = 0
        self.meanwhile: dict[Any, tuple[Any, int]] = {}
        self.until: dict[int, list[Any]] = {}
        self.spoken: dict[tuple[One, str], bool] = {}
        self.kinds: dict[One, set[str]] = {}
        self.index = indexed(theory)
        # What is stated to be related to a thing: the relation, and the thing.
        self.pointed = {(q, to) for facts in case.things.values() for q, ends in facts.links.items() for to in ends}
        for name, facts in case.things.items():
            self.things[name] = self.one(name, facts, self.caused.get(name, ()))

    def one(self, name: str, facts: Facts, caused: tuple[str, ...] = ()) -> One:
        """A thing with all classes that it is, and is not, by what is stated and what acts brought about."""
        types, denied = self.index.closed(facts.is_, facts.not_, caused)
        return One(name, facts, types, denied)

    def once(self, key: Any, circular: Any, work: Callable[[], Any]) -> Any:
        """`work()`, tabled: a goal met while it is being evaluated gets `circular`, and a result that leant on such a goal is
        kept beyond that goal only where it turns out to be just that."""
        if key in self.memo:
            return self.memo[key]
        if key in self.active:
            self.leant |= 1 << self.active[key]
            return circular
        if key in self.meanwhile:
            found, leant = self.meanwhile[key]
            self.leant |= leant
            return found
        depth, outer = len(self.active), self.leant
        self.active[key], self.leant = depth, 0
        try:
            found = work()
        finally:
            del self.active[key]
            mine, self.leant = self.leant & ~(1 << depth), outer
            leaning = [(other, *self.meanwhile.pop(other)) for other in self.until.pop(depth, ())]
        self.keep(key, found, mine)
        self.leant |= mine
        if leaning and borne_out(found, circular):
            for other, held, leant in leaning:
                self.keep(other, held, leant & ~(1 << depth) | mine)
        return found

    def keep(self, key: Any, found: Any, leant: int) -> None:
        """Keeps a result; one that leant on unfinished goals until the innermost of these is done."""
        if leant:
            self.meanwhile[key] = found, leant
            self.until.setdefault(leant.bit_length() - 1, []).append(key)
        else:
            self.memo[key] = found

    def presumes(self, x: One, term: str) -> bool:
        """Whether something may be presumed of x."""
        return self.named is None or (x.name, term) in self.named

    def beats(self, a: str, b: str) -> bool:
        """Whether the first of two norms, by their ids, is the stronger."""
        return stronger(self.theory, self.theory.norms[a], self.theory.norms[b]) is not None

    def making(self, cls: str, negated: bool) -> list[m.Norm]:
        """The norms by which a thing can count as a cls, or (negated) as none."""
        return self.index.making(cls, negated)

    def one_of(self, x: One, cls: str) -> bool:
        """Whether x may be one of each cls: also where the case says that this is not known of it."""
        told = not self.vocabulary.classes[cls].ancestors.isdisjoint(x.facts.unknown)
        return self.speaks(x, cls) or (told and cls not in x.denied)

    def speaks(self, x: One, cls: str) -> bool:
        """Whether a norm about cls can speak of x at all: a thing is of no kind apart from the kinds it is said to be."""
        if not cls or cls in x.types:
            return True
        if cls in x.denied:
            return False
        found = self.spoken.get((x, cls))
        if found is None:
            found = self.spoken[x, cls] = self._speaks(x, cls)
        return found

    def _speaks(self, x: One, cls: str) -> bool:
        if self.making(cls, False) or self.theory.definitions.get(cls):
            return True
        stated = self.kinds.get(x)
        if stated is None:
            stated = self.kinds[x] = self.narrowest(x)
        return not stated or not self.vocabulary.classes[cls].ancestors.isdisjoint(stated)

    def narrowest(self, x: One) -> set[str]:
        """The kinds that x is said to be, or was made, but for those that follow from others."""
        classes = self.vocabulary.classes
        every = [c for c in (*x.facts.is_, *self.caused.get(x.name, ())) if not classes[c].derived]
        return {c for c in every if not any(o != c and c in classes[o].ancestors for o in every)}

    def binds(self, c: m.Condition) -> bool:
        """Whether a condition of the theory, or of the question, binds a name that stands to its right can use."""
        if type(c) not in JOINING:
            return isinstance(c, m.Bind)
        known = self.index.naming
        found = known.get(id(c))
        if found is None:
            if len(known) > MOST_CONDITIONS:
                known.clear()
            found = known[id(c)] = c, binds(c)
        return found[1]

    # ── what the modules that build on this answer for each other ──

    def holds(self, c: m.Condition, x: One, env: Env) -> Tri:
        """Whether a condition holds of x, for some way to bind its names."""
        raise NotImplementedError

    def follow(self, x: One, path: m.Path, env: Env) -> tuple[list[One], bool]:
        """Where a path leads, and whether that is all there is."""
        raise NotImplementedError

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is a cls. focus: from whom modules see it."""
        raise NotImplementedError

    def status(self, norm: m.Norm, x: One) -> Tri:
        """Whether a norm applies to x."""
        raise NotImplementedError

    def applies(self, norm: m.Norm, x: One) -> list[tuple[Tri, Env]]:
        """The same for each way to bind the norm's names."""
        raise NotImplementedError


def borne_out(found: Any, circular: Any) -> bool:
    """Whether a goal comes to no more than what stood for it while it was worked out."""
    if isinstance(circular, list):  # a norm tried, once for each way to bind its names
        return all(value is False for value, _ in found)
    return bool(found == circular) and type(found) is type(circular)


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
