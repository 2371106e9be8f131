"""A told word in the place of a normal one changes nothing: tried for each declared told word, on every case file that has the normal one.

The normal form of the case so told has to be that of the case as it is; the answer is then the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from msgspec.structs import replace

from kb import asking, registry
from kb.cases.completion import complete
from kb.language.case import Facts
from kb.language.vocabulary import Vocabulary
from tests import corpus, paraphrases

Things = Mapping[str, Facts]
Told = tuple[str, Facts]  # the told word, and the act as told with it

BOOKS = ("asl", "vv", "fow")
# No case tells of these in normal words: who mans a Gun, or an act of Flames of War that has a place, as a set-up; nor is anything told
# by `actors` in the normal form: one is the `actor`, several are the Group that is.
UNTRIED = {
    "asl": {
        "at: Unit deeds from Place",  # a unit's, not an act's; and whom a group's shot is of, its members: both are tried in tests/paraphrases
        "firers: actor Group",
        "object: Rubbling target holds Building",
        "weapon: FlamethrowerAttack actor mans Flamethrower",
        *(f"weapon: OrdnanceFire actor mans {kind}" for kind in ("LATW", "Mortar")),
    },
    "fow": {
        "Assault: CloseCombat target FiringSlit",
        "actors: doneBy",
        "object: actor Fortification",
        "object: actor Piece",
        *(f"place: {word}" for word in ("at", "destination", "object", "target")),
    },
}


def renamed(facts: Facts, role: str, word: str) -> Facts:
    """A thing with one relation under another word."""
    return replace(facts, links={word if key == role else key: value for key, value in facts.links.items()})


def without(facts: Facts, role: str) -> Facts:
    """A thing of which one relation is not told."""
    return replace(facts, links={key: value for key, value in facts.links.items() if key != role})


def told(facts: Facts, things: Things, vocabulary: Vocabulary) -> Iterator[Told]:
    """The ways in which an act that is told in normal words may be told otherwise, each with what is declared of it."""
    for cls in facts.is_:
        for word, role in vocabulary.meant_by.get(cls, {}).items():
            if role in facts.links and word not in facts.links:
                yield f"{role}: {word}", renamed(facts, role, word)
        for role, way in vocabulary.by_kind.get(cls, ()):
            kept = facts.links.get(role, ())
            if vocabulary.meant_by.get(cls, {}).get(way.role, role) not in facts.links:
                continue  # the word is taken for another relation, where that is not told
            if any(word in facts.links for word, meant in vocabulary.meant_by.get(cls, {}).items() if meant == role):
                continue  # what else is told is taken for the relation, where that is not told
            if kept and way.role not in facts.links and all(vocabulary.entails(things[n].is_, way.kind) for n in kept):
                yield f"{role}: {way.role} {way.kind}", renamed(facts, role, way.role)
        for role, way in vocabulary.borne.get(cls, ()):
            owners = facts.links.get(way.role, ())
            has = [n for owner in owners for n in things[owner].links.get(way.way, ())]
            kept = [n for n in has if vocabulary.entails(things[n].is_, way.kind)]
            if way.role != role and facts.links.get(role) == tuple(kept) and len(kept) == 1:
                yield f"{role}: {way.act} {way.role} {way.way} {way.kind}", without(facts, role)
    for wide, ways in vocabulary.told_otherwise.items():
        for role, kind, meant in ways:
            if meant in facts.is_ and any(vocabulary.entails(things[n].is_, kind) for n in facts.links.get(role, ())):
                yield (
                    f"{meant}: {wide} {role} {kind}",
                    replace(facts, is_=tuple(wide if c == meant else c for c in facts.is_)),
                )


def declared(vocabulary: Vocabulary) -> set[str]:
    """Every told word that the ontology declares for a book."""
    found = {f"{role}: {word}" for words in vocabulary.meant_by.values() for word, role in words.items()}
    for name, term in vocabulary.properties.items():
        found |= {f"{name}: {way.role} {way.kind}" for way in term.told_by_kind}
        links = [way for way in term.told_through if way.role != name and term.kind == "object"]
        found |= {f"{name}: {way.act} {way.role} {way.way} {way.kind}" for way in links}
    for name, cls in vocabulary.classes.items():
        found |= {f"{name}: {way.wide} {way.role} {way.kind}" for way in cls.told_as}
    return found


@cache
def tried(book: str) -> tuple[Counter[str], list[str]]:
    """How often each told word was tried, and where it came to something else."""
    vocabulary = registry.vocabulary(book)
    count: Counter[str] = Counter()
    amiss = []
    cases = [(written.name, asking.case(written)) for written in corpus.of(f"{book}/*.yaml")]
    cases += [(str(way), asking.case(way.case)) for way in paraphrases.ways() if way.case["book"] == book]
    for title, case in cases:
        normal = case.things
        for name, facts in normal.items():
            for way, so_told in told(facts, normal, vocabulary):
                count[way] += 1
                if complete({**normal, name: so_told}, vocabulary)[name] != facts:
                    amiss.append(f"{title}: {name}, told with {way}")
    return count, amiss


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_a_told_word_for_a_normal_one_changes_nothing(book: str) -> None:
    count, amiss = tried(book)
    assert count.total() > 600
    assert amiss == []


@pytest.mark.parametrize("book", BOOKS)
def test_each_declared_told_word_is_tried(book: str) -> None:
    assert declared(registry.vocabulary(book)) - set(tried(book)[0]) == UNTRIED.get(book, set())


def test_a_word_that_is_declared_for_nothing_changes_what_is_told() -> None:
    """Planted: a Move told `via` its destination is another Move."""
    case = asking.case(corpus.of("asl/B30.42.yaml")[0])
    name = case.question.thing
    so_told = renamed(case.things[name], "destination", "via")
    assert complete({**case.things, name: so_told}, registry.vocabulary("asl"))[name] != case.things[name]
