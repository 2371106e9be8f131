"""The situations in which norms meet: looked for by size, answered by the reasoner, certified by the proof checker.

    Shapes(theory, ask).both(a, b)       a smallest situation in which both apply
    Shapes(theory, ask).only(a, b)       one in which the first applies and the second does not
    Shapes(theory, ask).turns(scene, a)  whether the answer would be another without it

A shape is what the conditions of the norms themselves can turn on (kb.research.witness_facts); the search goes through its sets
of facts, the smallest first, to a bound that is told with each finding. Whatever can answer these three questions
may stand in its place: a circuit over the same facts answers them without a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb import asking, registry
from kb.answers import explain
from kb.checker.checker import certify
from kb.errors import LoopholeError
from kb.language import norms as m
from kb.reasoner import counterfactuals, reason
from kb.reasoner.proof import VALUE, Proof
from kb.research import witness_facts, witness_search
from kb.research.finding import Witness
from kb.rulebook import compiler
from kb.rulebook.theory import Theory

GOALS = 30_000  # that a situation may take: nobody plays one in which a unit is told by nothing but what is asked of it

Ask = Callable[[Mapping[str, Any]], Proof]
AskSo = Callable[[Mapping[str, Any], Mapping[str, str]], Proof]


@dataclass(frozen=True)
class Scene:
    """A situation that was found, with its answer. size: facts besides what the question itself names."""

    case: Mapping[str, Any]
    proof: Proof
    size: int


class OneOfEach(witness_facts.Pool):
    """The facts about an act done once: by one, to one, for one purpose. Two norms that meet only in an act with two targets do not."""

    def used(self, node: int, role: m.Role) -> int:
        """The first child, of the focus; of anything else another for each mention."""
        return 0 if node == 0 and not role.inverse else super().used(node, role)


@dataclass
class Shapes:
    """Looks for situations. ask, ask_so: answer a case, the latter under readings, raising LoopholeError where it is none; facts: the largest size; models:
    situations of a size, most: all together, that are tried for one question."""

    theory: Theory
    ask: Ask
    ask_so: AskSo
    facts: int = 8
    models: int = 12
    most: int = 36
    reach: int = 14
    theories: dict[str, Theory] = field(default_factory=dict)

    @property
    def bounds(self) -> str:
        """What was tried, in words."""
        return f"of at most {self.facts} facts, {self.most} of them at most"

    def pool(self, norms: Sequence[m.Norm], focus: m.Head | None = None) -> witness_facts.Pool:
        """The facts that some norms turn on, about the narrowest of what they are about."""
        head = norms[0].head
        for norm in norms[1:]:
            if witness_search.narrower(norm.head, head, self.theory.vocabulary):
                head = norm.head
        pool = OneOfEach(self.theory.vocabulary, focus or head)
        for norm in norms:
            pool.norm(norm)
        pool.concrete()
        return pool

    def scenes(self, pool: witness_facts.Pool, sets: Iterator[tuple[int, list[witness_facts.Fact]]]) -> Iterator[Scene]:
        """The situations of some sets of facts that are cases, answered."""
        for tried, (size, facts) in enumerate(sets):
            if tried >= self.most:
                return
            case = pool.case(facts)
            try:
                yield Scene(case, self.ask(case), size)
            except LoopholeError:
                continue

    def together(self, norms: Sequence[m.Norm]) -> Iterator[Scene]:
        """Situations under which all of some norms should apply, the smallest first."""
        pool = self.pool(norms)
        return self.scenes(pool, witness_search.together(pool, self.facts, self.models, norms, self.reach))

    def both(self, *norms: m.Norm) -> Scene | None:
        """A smallest situation in which all of some norms do apply."""
        return self.first(norms, lambda scene: True)

    def first(self, norms: Sequence[m.Norm], such: Callable[[Scene], bool]) -> Scene | None:
        """A smallest situation in which all of some norms do apply, and that is such a one."""
        wanted = {n.id for n in norms}
        return next((s for s in self.together(norms) if wanted <= applied(s.proof) and such(s)), None)

    def only(self, norm: m.Norm, other: m.Norm) -> Scene | None:
        """A smallest situation in which the first norm applies and the second surely does not."""
        for scene in self.between(norm, other):
            if norm.id in applied(scene.proof) and other.id not in applied(scene.proof) | undecided(scene.proof):
                return scene
        return None

    def between(self, norm: m.Norm, other: m.Norm) -> Iterator[Scene]:
        """Situations in which the first norm should apply and the second should not, the smallest first."""
        pool = self.pool((norm, other), norm.head)
        pool.walk(other.when, 0, {"this": 0}, False)  # what denies it: to be open is not to fail
        for unless in other.unless:
            pool.walk(unless.condition, 0, {"this": 0}, True)
        program = witness_search.Program(pool)
        program.lines += [f":- not {program.applies(norm)}.", f":- {program.applies(other)}."]
        yield from self.scenes(pool, witness_search.by_size(program, self.facts, self.models, self.reach))

    def applies(self, norm: m.Norm) -> Scene | None:
        """A smallest situation in which a norm applies."""
        return self.both(norm)

    def turns(self, scene: Scene, norm: m.Norm) -> bool:
        """Whether the answer of a situation, or by what rule it is so, would be another without a norm."""
        other = self.without(scene, norm)
        return counterfactuals.said(other) != counterfactuals.said(scene.proof) or deciding(other) != deciding(
            scene.proof
        )

    def without(self, scene: Scene, norm: m.Norm) -> Proof:
        """The answer of a situation without a norm."""
        return reason.answer(self.struck(norm.id, scene.proof.theory), scene.proof.case, False)

    def struck(self, name: str, theory: Theory) -> Theory:
        """A theory without one norm; the last ones made are kept."""
        key = f"{name} {sorted(theory.chapters)}"
        if key not in self.theories:
            if len(self.theories) > 4:
                self.theories.clear()
            self.theories[key] = compiler.without(theory, name)
        return self.theories[key]


def applied(proof: Proof) -> set[str]:
    """The ids of the norms that apply to what a proof is about, winners and losers."""
    found = {o.norm.id for o in (*proof.considered, *proof.winners) if o.status}
    return found | {c.outcome.norm.id for c in proof.contributions if c.outcome.status}


def undecided(proof: Proof) -> set[str]:
    """The ids of the norms of which it is open whether they apply."""
    found = {o.norm.id for o in proof.considered if o.status is None}
    return found | {c.outcome.norm.id for c in proof.contributions if c.outcome.status is None}


def deciding(proof: Proof) -> object:
    """What an answer rests on where several norms could bear it: which of them do."""
    return frozenset(proof.scope.needs), proof.scope.kind


def witness(scene: Scene) -> Witness:
    """A situation as a finding shows it: the case with what it expects, the answer in words, and whether its proof holds."""
    proof = scene.proof
    proof.__dict__["flips"] = ()  # what would turn it is not part of the finding, and long to look for
    faults = certify(proof, proof.theory, proof.case)
    expect = {"value": str(proof.value)} if proof.verdict == VALUE else {"verdict": proof.verdict}
    told = explain.text(proof, flips=False)
    return Witness({**scene.case, "expect": expect}, proof.verdict, explain.headline(proof), told, not faults)


def of_book(book: str, books: registry.Books | None = None) -> Shapes:
    """The situations of a book in a library, asked as a case of it is. Raises LoopholeError for a book that does not read."""
    library = books or registry.SHIPPED

    def ask(data: Mapping[str, Any]) -> Proof:
        case = asking.case(data, books=library)
        return reason.answer(asking.rules(case, library), case, False, goals=GOALS)

    def ask_so(data: Mapping[str, Any], readings: Mapping[str, str]) -> Proof:
        return asking.ask(data, readings=readings, books=library)

    return Shapes(library.theory(book), ask, ask_so)
