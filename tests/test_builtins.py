"""The built-ins that work out terms: each is registered by the name that the ontology calls it by, and a wrong name is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from kb import asking, registry
from kb.errors import CaseError
from kb.language.vocabulary import Vocabulary, seal
from kb.reasoner import builtins
from kb.registry import Books


def derived(terms: Vocabulary) -> set[str]:
    return {t.derived for t in (*terms.classes.values(), *terms.properties.values()) if t.derived}


def test_what_the_ontology_names_is_registered_and_what_is_registered_is_named() -> None:
    named = set().union(*(derived(registry.vocabulary(book)) for book in registry.books()))
    used = {id(builtins.named(name)[0]) for name in named}
    assert {name for name, one in builtins.REGISTERED.items() if id(one) not in used} == set()
    assert [p for book in registry.books() for p in builtins.faults(registry.vocabulary(book))] == []


@pytest.mark.parametrize(
    ("term", "now", "says"),
    [
        ("Friendly", "side", "no such built-in → did you mean sides"),
        ("Friendly", "teams", "built-ins: grid adjacent"),
        ("ADJACENTTo", "grid adjacnt", "grid adjacent"),
        ("ADJACENTTo", "grid adjacent at", "with 1 arguments → give it 0"),
        ("range", "grid range actor target at", "with 3 arguments → give it 2 or 4 or 6 or 8 or 10"),
        ("ADJACENTTo", "history told hit Shot", "is a relation → it works out a class"),
        ("Friendly", "things Shot", "is a class → it works out a relation"),
    ],
)
def test_a_term_that_names_none_or_names_it_wrongly_is_told(term: str, now: str, says: str) -> None:
    """Planted: one term of a book, as somebody may write it."""
    terms = registry.vocabulary("asl")
    classes, properties = dict(terms.classes), dict(terms.properties)
    held = classes if term in classes else properties
    held[term] = replace(held[term], derived=now)
    (problem,) = builtins.faults(Vocabulary(terms.book, terms.version, classes, properties))
    said = f"{problem.message} → {problem.hint}"
    assert problem.code == 417 and term in said and all(part in said for part in says.split(" → ")), said


def test_a_book_is_held_against_the_table_when_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kb import resources

    text = resources.inferred("fow", None).read_text(encoding="utf-8")
    file = tmp_path / "vocabulary.json"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "inferred", lambda *_: file)
    assert Books().vocabulary("fow").classes
    file.write_text(seal(text.replace(json.dumps("sides"), json.dumps("sidez"))), encoding="utf-8")
    with pytest.raises(CaseError, match="there is no such built-in"):
        Books().vocabulary("fow")


FIRE = {"is": ["Fire", "NMCPossible"], "target": "foe", "phase": "PrepFirePhase"}


def resting_on(history: list[str]) -> list[str]:
    """What the last act of a history rests on: the acts at its aim since the last at another."""
    case = {
        "book": "asl",
        "things": {
            "one": {"is": ["Squad", "Friendly"], "at": "U2"},
            "two": {"is": ["Squad", "Friendly"], "at": "S5"},
            "foe": {"is": ["Squad", "Enemy"], "at": "T3"},
            "other": {"is": ["Squad", "Enemy"], "at": "T6"},
            **{name: FIRE | {"actor": "one"} for name in ("a", "b")},
            "c": FIRE | {"actor": "two"},
            "away": FIRE | {"actor": "two", "target": "other"},
            "go": {"is": "Move", "actor": "two", "destination": "S6"},
        },
        "history": history,
    }
    found = [asking.ask(case | {"ask": {"is": ["c", f"basis value {name}"]}}).answer for name in ("a", "b", "c")]
    return [name for name, answer in zip(("a", "b", "c"), found, strict=True) if answer == "yes"]


@pytest.mark.parametrize(
    ("history", "rests"),
    [
        (["a", "b", "c"], ["a", "b", "c"]),
        (["a", "away", "b", "c"], ["b", "c"]),
        (["a", "b", "away", "c"], ["c"]),
        (["a", "go", "c"], ["a", "c"]),
        (["c", "a"], ["c"]),
        (["a", "b"], ["a", "b", "c"]),  # it is still to come
    ],
)
def test_a_run_goes_back_to_the_last_act_at_something_else(history: list[str], rests: list[str]) -> None:
    assert resting_on(history) == rests


def test_an_act_of_a_run_is_rested_on_by_itself_too() -> None:
    """Seen from both ends: by the reasoner, and by the checker, which accepts what it says."""
    things = {"one": {"is": "Squad"}, "foe": {"is": "Squad"}, "a": FIRE | {"actor": "one"}}
    case = {"book": "asl", "things": things, "history": ["a"], "ask": {"is": ["a", "inverse basis value a"]}}
    proof = asking.ask(case)
    assert proof.verdict == "yes"
    assert asking.certified(json.dumps(asking.record(proof, flips=False)))[1] == []
