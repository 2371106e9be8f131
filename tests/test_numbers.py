"""Exact numbers: read as players write them, shown so that they read back the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from kb.numbers import number, shown
from kb.rulebook.chapter_reader import cell


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("+3", 3), ("2.5", Fraction(5, 2)), ("2 1/2", Fraction(5, 2)), ("2½", Fraction(5, 2)),
        ("½", Fraction(1, 2)),
        ("13/2", Fraction(13, 2)), ("10/2", 5), ("-1 1/2", Fraction(-3, 2)), ("−2", -2), (".5", Fraction(1, 2)), (4, 4),
        (16.1, Fraction(161, 10)), (-0.5, Fraction(-1, 2)),
    ],
)  # fmt: skip
def test_numbers_are_exact(text: object, value: Fraction) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "1/0",
        "+",
        "1e3",
        "0x10",
        ".nan",
        "1 2",
        "2 ½ 3",
        True,
        False,
        None,
        [3],
        float("nan"),
        float("inf"),
        "٣x",
        "9" * 50_000,
    ],
)
def test_what_is_no_number_is_none(text: object) -> None:
    assert number(text) is None


@given(st.fractions())
def test_what_is_shown_reads_back_the_same(value: Fraction) -> None:
    assert number(shown(value)) == value


def test_cells_of_tables_are_numbers_where_they_read_as_such() -> None:
    assert [cell(text) for text in ("2½", "13/2", "NA", "")] == [Fraction(5, 2), Fraction(13, 2), "NA", ""]
