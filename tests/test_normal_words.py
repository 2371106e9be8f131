"""Norms speak in normal words: what a case may tell otherwise is no word for them (E223), with each kind of told word planted."""

from __future__ import annotations

import pytest

from kb import registry
from kb.language import norms as m
from kb.rulebook import normal_words


def norm(head: m.Head, when: m.Condition, part_of: str = "") -> m.Norm:
    return m.Norm(f"1/{head}", "1", head, when, part_of=part_of)


def some(role: str, cls: str) -> m.Condition:
    return m.Some(m.Role(role), m.Named(cls))


def found(*norms: m.Norm) -> list[tuple[int, str]]:
    return [(p.code, p.hint) for p in normal_words.faults(norms, registry.vocabulary("asl"), {})]


@pytest.mark.parametrize(
    ("act", "told", "normal", "word"),
    [
        ("Entry", some("place", "Pillbox"), some("destination", "Pillbox"), "destination"),
        ("Move", some("target", "Pillbox"), some("destination", "Pillbox"), "destination"),
        ("Fire", some("actor", "Mortar"), some("weapon", "Mortar"), "weapon"),
        ("Placement", some("object", "DemolitionCharge"), some("object", "Squad"), "PlacedDC"),
        ("Entry", some("actor", "Squad"), some("actor", "Squad"), ""),
        (
            "Entry",
            m.Some(m.Role("actor"), some("sharesLocationWith", "Squad")),
            m.Some(m.Role("actor"), some("at", "Pillbox")),
            "at",
        ),
    ],
)
def test_a_told_word_is_a_fault_and_the_normal_one_is_none(
    act: str, told: m.Condition, normal: m.Condition, word: str
) -> None:
    head = m.Deontic("forbids", act)
    wanted = [(223, f"the normal word is “{word}”")] if word else []
    assert found(norm(head, told)) == wanted
    assert found(norm(head, m.And((m.Not(told), m.Named("Act"))))) == wanted
    assert found(norm(head, normal)) == []


def test_an_exception_is_held_to_them_too() -> None:
    head = m.Deontic("forbids", "Entry")
    told = m.Norm("1/x", "1", head, m.Anything(), (m.Unless("but", some("place", "Pillbox")),))
    assert found(told) == [(223, "the normal word is “destination”")]


def test_a_norm_of_several_heads_may_ask_for_the_word_of_one() -> None:
    when = m.Or((some("place", "Pillbox"), some("destination", "Pillbox")))
    heads = [norm(m.Deontic("forbids", act), when, "1/both") for act in ("Entry", "Occupation")]
    assert found(*heads) == []
    assert found(heads[0]) != []


def test_what_is_read_wherever_the_normal_word_is_told_is_a_normal_word() -> None:
    assert found(norm(m.Deontic("forbids", "Fire"), some("against", "Pillbox"))) == []


@pytest.mark.parametrize("book", ["asl", "vv", "fow"])
def test_the_books_speak_in_normal_words(book: str) -> None:
    norms = [n for c in registry.book(book).chapters for s in c.sections for n in s.norms]
    assert len(norms) > 150
    assert list(normal_words.faults(norms, registry.vocabulary(book), {})) == []
