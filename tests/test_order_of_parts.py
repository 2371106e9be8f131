"""The order in which the parts of a conjunction are tried: what looks from thing to thing waits for the cheap parts."""

from __future__ import annotations

import pytest

from kb.language import norms as m
from kb.reasoner.evaluate import Compiler
from tests import strategies as arena

RULES = arena.theory(
    """
R1
  forbids  Enter
  when     into some Place
R2
  counts   Fighter as Favoured
  when     Veteran
"""
)
DEAR = 4
INTO, OCCUPANT = m.Role("into"), m.Role("occupant")
PLAIN = m.Or((m.Named("Lion"), m.Named("Fighter")))
FURTHER = m.Or((m.Named("Place"), m.Some(OCCUPANT, m.Named("Lion"))))


@pytest.mark.parametrize(
    ("part", "dear"),
    [
        (m.Some(INTO, m.Named("Place")), False),
        (m.Some(OCCUPANT, PLAIN), False),
        (m.Some(INTO, FURTHER), True),
        (m.Some(OCCUPANT, m.Named("Favoured")), True),  # a norm makes it so
        (m.Not(m.Some(INTO, FURTHER)), True),
    ],
    ids=str,
)
def test_what_looks_further_is_dear(part: m.Condition, dear: bool) -> None:
    assert (Compiler(RULES, None).cost(part) >= DEAR) is dear


def test_the_dear_part_is_tried_last_wherever_it_is_written() -> None:
    dear, cheap = m.Some(INTO, FURTHER), m.Some(INTO, m.Named("Place"))
    assert Compiler(RULES, None).cheap_first((dear, cheap)) == [cheap, dear]
