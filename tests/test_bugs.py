"""Bugs planted in the reasoner (bench/bugs.py), and what the checker has of its own to notice them by."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bench import bugs
from kb import asking, hexes
from kb.checker import reference_hexes, reference_standing
from kb.checker.checker import certify
from kb.language.case import Case
from kb.reasoner import positions
from tests import corpus

# Modules that turn no verdict: what an answer tells besides, what is asked next, and types.
TELLING = {"alike", "alternatives", "asks", "chain_ends", "descent", "facts_read", "flips", "inquiry", "kind_rules", "known", "overruled", "presumptions", "relevance", "support", "turning", "unused", "walks", "watched", "world"}  # fmt: skip
SOME = [
    ("stated-of-built-ins", "a7-71-alone"),
    ("actor's-side", "b30-t-nation-hex-control"),
    ("no-hex-of-a-place", "fresh-asl-h35"),
    ("done-when-told", "fow-st3-two-hits-one-fail"),
    ("unmade-anyway", "brt6-x-rubbling-effects"),
    ("failed-and-moved", "vv-20-3-failed-assault-leaves-it-outside"),
    ("goes-on-being-so", "a7-8-out-of-water"),
]


def test_every_module_that_decides_has_a_bug_that_can_be_planted() -> None:
    modules = {path.stem for path in (bugs.ROOT / "kb" / "reasoner").glob("*.py")} - {"__init__"}
    assert {bug.module for bug in bugs.BUGS} == modules - TELLING
    assert len({bug.name for bug in bugs.BUGS}) == len(bugs.BUGS) >= 30
    for bug in bugs.BUGS:
        compile(bugs.changed(bug), bug.module, "exec")
    with pytest.raises(ValueError, match="stands 0 times"):
        bugs.changed(bugs.Bug("gone", "sides", "nothing of the kind stands there", ""))


@pytest.mark.slow
@pytest.mark.parametrize(("bug", "name"), SOME)
def test_the_checker_notices_a_bug_that_turns_an_answer(bug: str, name: str) -> None:
    answer, checker, _ = bugs.child("--bug", bug, "--case", name)
    proof = asking.ask(corpus.named(name))
    assert answer != bugs.told(proof) and checker
    assert not certify(proof, proof.theory, proof.case)  # without the bug it has nothing to say


# ── what the checker has of its own comes to the same ──

NAMES = [f"{board}{letter * twice}{row}" for board in ("", "3") for letter in "ABCTZ" for twice in (1, 2) for row in (0, 1, 2, 9)]  # fmt: skip
ENTRIES = [hexes.Entry(kind, number) for kind in ("side", "vertex") for number in range(1, 7)]
SHAPES = {
    "opposite-hexspines": hexes.opposite_hexspines, "three-vertices-between": hexes.three_vertices_between,
    "three-vertices-each-way": hexes.three_vertices_each_way, "three-sides-apart": hexes.three_sides_apart,
}  # fmt: skip


def measured_otherwise() -> list[tuple[str, str]]:
    """The pairs of hexes that the two measure otherwise: how far apart, or where the line from one comes into the other."""
    found = []
    for a, b in itertools.product(NAMES, NAMES):
        one, other = hexes.hex_at(a), hexes.hex_at(b)
        assert one is not None and other is not None
        ours, theirs = reference_hexes.named(a), reference_hexes.named(b)
        assert ours is not None and theirs is not None
        far = hexes.distance(one, other) if hexes.comparable(one, other) else None
        entered = hexes.entry(one, other)
        clock = None if entered is None else entered.hour
        if far != reference_hexes.apart(ours, theirs) or clock != reference_hexes.hour(ours, theirs):
            found.append((a, b))
    return found


def test_hexes_are_measured_in_two_ways_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not measured_otherwise()
    for said in ("AB3", "T", "-1", "", "3", "t3", " 3 T3 "):
        assert (hexes.hex_at(said) is None) == (reference_hexes.named(said) is None), said
    for entries in itertools.chain(*(itertools.combinations(ENTRIES, n) for n in range(5))):
        for shape, function in SHAPES.items():
            assert function(entries) == reference_hexes.has_shape(shape, [e.hour for e in entries]), (shape, entries)
    turned = {"yz": 2, "xz": 0}  # planted: two sides change places
    monkeypatch.setattr(reference_hexes, "TOWARDS", {**reference_hexes.TOWARDS, **turned})
    assert measured_otherwise()


def histories() -> list[Case]:
    """Every case file in which something has happened."""
    return [asking.case(case) for case in corpus.every() if "history" in case.data]


@pytest.mark.slow
def test_where_things_stand_is_worked_out_in_two_ways_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = histories()

    def differing() -> int:
        rows = [(asking.rules(case).vocabulary, case) for case in cases]
        return sum(
            positions.standing(terms, case, case.history[:n]) != reference_standing.stood(terms, case, case.history[:n], {})
            or positions.before(case) != reference_standing.earlier(case)
            for terms, case in rows for n in range(len(case.history) + 1)
        )  # fmt: skip

    assert len(cases) > 50 and differing() == 0
    monkeypatch.setattr(
        reference_standing.Board, "remember", lambda *_: None
    )  # planted: nobody notes where an act was done from
    assert differing()


def test_the_checker_asks_no_module_of_the_reasoner_that_works_anything_out() -> None:
    words = ("kb.reasoner import builtins", "kb.reasoner.positions", "kb.reasoner.sides", "kb.hexes")
    for path in (Path(bugs.ROOT) / "kb" / "checker").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert not [w for w in words if f"from {w}" in source or f"import {w}" in source], path
