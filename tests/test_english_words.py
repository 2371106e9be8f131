"""Players' words: what the tables of terms have of them, and who reads them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import english as bench
from kb import registry
from kb.english import lexicon, plain
from kb.language.vocabulary import fold
from tests.reading import asked_back, case, read, things

WORDS = Path(__file__).parent / "english" / "words.yaml"


@pytest.mark.slow
def test_what_is_asked_in_players_words_is_answered_right_or_asked_back() -> None:
    rows = bench.rows(WORDS)
    tally = Counter(bench.judged(row)[0] for row in rows)
    assert len(rows) == 140 and tally["wrong"] == 0 and tally["right"] >= 85


@pytest.mark.parametrize("book", registry.books())
def test_only_questions_in_english_are_read_by_them(book: str) -> None:
    """A case, a search and a comparison are read by the vocabulary of the registry, and sentences are said in it."""
    told, spoken = registry.vocabulary(book), lexicon.lexicon(book).vocabulary
    heard = [(term, word) for term in told.all() for word in term.talk]
    assert len(heard) > 150
    assert [
        word for term, word in heard if fold(word) in {fold(own) for own in (term.name, term.label, *term.alt)}
    ] == []
    assert all(word in spoken.term(term.name).alt for term, word in heard)
    assert told.resolve("grunts") is None and spoken.resolve("grunts") == "Infantry"


def test_a_word_of_two_terms_is_asked_back_with_both() -> None:
    found = read("Can a squad use ATFP on the gunners in a bunker?", "vv")
    assert {word for row in found.unread for word in row.like} >= {"gun", "infantry"}


def test_verbs_of_talk_are_those_of_the_book() -> None:
    told = things("May the squad in the pillbox toss a smoke grenade into its own hex?")
    assert any(thing["is"] == "SmokePlacement" for thing in told.values())
    assert case("Can a tank storm a bunker?", "fow") == case("Can a tank assault a bunker?", "fow")
    assert {"lob", "lobbing", "plops", "flung"} <= {*plain.SAID} and plain.SAID["plops"] == "places"


def test_to_take_a_thing_out_is_not_to_destroy_it() -> None:
    assert asked_back("My Gun is in a pillbox. Can I take it out?")
    assert "hide" in asked_back("Can I hide a Gun in a pillbox?")


def test_what_is_said_in_a_proof_is_no_word_of_talk() -> None:
    terms = [t for book in registry.books() for t in registry.vocabulary(book).all()]
    assert [t.name for t in terms if {*t.talk} & {t.label, t.verbalization}] == []


# ── separate attacks, and where somebody is ──


def test_separate_attacks_of_several_are_each_apart_from_the_others() -> None:
    """They were taken for one attack of all, which is allowed."""
    found = case("Can two squads in the same Location fire at the same enemy squad in the PFPh as separate attacks?")
    shot = found["things"]["fire"]
    assert (shot["actor"], shot["apartFrom"]) == ("squad", "squad-2") and "firers" not in shot


def test_what_was_told_of_their_fire_is_so_of_the_separate_attacks() -> None:
    found = case("Two squads in the same Location fire at different targets. May they fire as separate attacks?")
    assert "DifferentTarget" in found["things"]["fire"]["is"] and "history" not in found


@pytest.mark.parametrize("asked", ["inside it", "outside it"])
def test_who_is_on_top_of_it_is_asked_whether_he_is_inside(asked: str) -> None:
    """It was asked whether he is on top, with the pillbox inside itself."""
    found = case(f"Are the units on top of the pillbox {asked}?")
    assert found["things"]["unit"]["onTopOf"] == "pillbox" and "InsidePillbox" in found["ask"]["is"][1]


def test_what_my_own_team_hit_is_what_may_be_destroyed() -> None:
    assert case("My infantry hit a Nest in the assault. Is it destroyed?", "fow")["ask"] == {
        "is": ["nest", "Destroyed"]
    }
