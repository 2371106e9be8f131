"""What a chapter leaves to rules that are not loaded: where its row speaks, nothing is presumed, and the answer names these rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import asking
from kb.checker.checker import certify
from kb.errors import RulebookError
from kb.reasoner import proof as p, reason
from tests import corpus, strategies as arena

WHOLLY = "wholly: [Enter, Strike, Hurt, power, strength]\nleft: [{of: [{%s: %s}], by: R1, with: [%s]}]"
ENTER = "R1\n  permits Enter\nR2\n  forbids Enter\n  when actor some Hurt"
POWER = "R1\n  sets power of Strike to bonus + 1\nR2\n  permits Enter"


def answer(norms: str, row: tuple[str, str], question: str, actor: str, ref: str = "X1", more: str = "") -> p.Proof:
    """The answer to a question about an actor's act, under norms and one row of what is left; the checker accepts it."""
    rules = arena.theory(norms, scope=WHOLLY % (*row, ref))
    of = arena.case(
        f"{more}\nthings:\n  one: {{{actor}}}\n  go: {{is: Enter, actor: one}}\n  hit: {{is: Strike, actor: one}}\nask: {question}"
    )
    found = reason.answer(rules, of)
    assert not certify(found, rules, of, deep=True)
    return found


@pytest.mark.parametrize(
    ("row", "question", "norms"),
    [
        (("bonus", "actor some Veteran"), "{value: [power, hit]}", POWER),  # it has not its usual value
        (("strength", "Veteran"), "{value: [strength, one]}", POWER),  # it is more or less than what is told
        (("Hurt", "Veteran"), "{may: go}", ENTER),  # it is not presumed not to be so
        (("Enter", "actor some Veteran"), "{may: go}", ENTER),  # it may be barred
    ],
)
def test_what_is_left_is_not_ruled_here(row: tuple[str, str], question: str, norms: str) -> None:
    """Where the row speaks; where it does not, where others say nothing and where they are loaded, it is as it was."""
    told = "is: [Fighter, Veteran], strength: 2"
    found = answer(norms, row, question, told)
    assert (found.verdict, found.scope.needs, found.cites[0]) == (p.OUTSIDE, ("X1",), "R1")
    usual = answer(norms, row, question, "is: [Fighter], not: [Veteran], strength: 2")
    assert usual.verdict in (p.VALUE, p.PERMITTED)
    for other in (
        answer(norms, row, question, told, more="elsewhere: nothing"),
        answer(norms, row, question, told, "R2"),
    ):
        assert (other.verdict, other.value) == (usual.verdict, usual.value)


def test_what_a_case_tells_of_it_stands() -> None:
    """A number that is told, and a state that is told not to be so; what norms make a class, it is."""
    told = "is: [Fighter, Veteran], not: [Hurt]"
    assert answer(ENTER, ("Hurt", "Veteran"), "{may: go}", told).verdict == p.PERMITTED
    assert answer(ENTER, ("Hurt", "Veteran"), "{may: go}", "is: [Fighter, Veteran, Hurt]").verdict == p.FORBIDDEN
    made = answer(ENTER + "\nR3\n  counts Veteran as Hurt", ("Hurt", "Veteran"), "{may: go}", "is: [Fighter, Veteran]")
    assert made.verdict == p.FORBIDDEN


def test_so_far() -> None:
    """A number of which something is left is told as far as the loaded rules go."""
    found = answer(POWER, ("bonus", "actor some Veteran"), "{value: [power, hit]}", "is: [Fighter, Veteran]")
    assert found.value == 1


@pytest.mark.parametrize(
    ("row", "code", "says"),
    [
        ("{of: [{Hurt: Fighter}], by: R1}", 138, "names them"),
        ("{of: [{Hurt: Fighter}], with: [X1]}", 138, "the rule that leaves it"),
        ("{of: [Hurt], by: R1, with: [X1]}", 138, "where something is so"),
        ("{of: [{Hurt: Fighter}], by: R7, with: [X1]}", 207, "by R7"),
        ("{of: [{near: Fighter}], by: R1, with: [X1]}", 203, "a quantity"),
    ],
)
def test_a_row_that_does_not_read(row: str, code: int, says: str) -> None:
    """What is missing is said."""
    with pytest.raises(RulebookError) as fault:
        arena.theory(ENTER, scope=f"wholly: [Enter]\nleft: [{row}]")
    assert [(x.code, says in str(x)) for x in fault.value.problems] == [(code, True)]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("b30-3-left-mud", ("E3.62", "E3.731")), ("b30-3-left-smoke", ("A24.2",)), ("a7-6-left-hindrance", ("A6.7",)),
        ("a7-4-left-oba", ("C1",)), ("a7-4-left-melee", ("A11",)), ("a7-8-left-fanatic", ("A10.8",)),
        ("a7-8-left-fanatic-brings", ("A10.8",)), ("b30-4-left-leader", ("A4.11",)),
    ],
)  # fmt: skip
def test_the_rule_that_it_is_left_to_is_named(name: str, rules: tuple[str, ...]) -> None:
    """That one, and no other; and the facts that are told of are read."""
    found = asking.ask(corpus.named(name))
    assert found.needs == rules
    assert not certify(found, deep=True)
    assert not [row for row in found.unused if row.about]


def test_a_thrown_dc_needs_its_own_rule() -> None:
    """Besides those on all that adds to an attack."""
    assert "A23.6" in asking.ask(corpus.named("b30-31-left-thrown")).needs


def test_what_is_left_is_told_on_the_page_of_scopes() -> None:
    """With the rule that leaves it, and to which."""
    page = (Path(__file__).parents[1] / "docs" / "scope.md").read_text(encoding="utf-8")
    assert "| A7.8 | A10.8 |" in page
