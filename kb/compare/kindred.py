"""The rules of a game that speak of what a question speaks of: the same act, the same kinds of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kb import registry
from kb.compare.words import PLAIN, kind_of, known_word, spoken, vocabularies
from kb.errors import QueryError
from kb.search import ranking

MOST_RULES, MOST_SEARCHED = 5, 20
RULE = "rule"
SPEAK = "its rules that speak of the same"
WIDE = frozenset((
    "Thing", "GroundUnit", "Weapon", "Nationality", "Phase", "Terrain", "Entrenchment", "Act", "Piece", "Unit", "Place",
    "Location", "State", "Fortification",
))  # fmt: skip


def rules_on(sentence: str, book: str) -> list[str]:
    """The rules of a game whose norms speak of what a sentence names, its act and its kinds of things: those that a search for its words
    finds, the best first; where that finds none, those that speak of most of it."""
    wanted = list(notions(sentence, book))
    if not all(narrow for narrow, _ in wanted):
        return []  # of a work that this game has not
    words, spoken_by = spoken_of(book), dict[str, int]()
    for rule, names in words.items():
        if hits := sum(bool((narrow | wide) & names) for narrow, wide in wanted):
            spoken_by[rule] = hits
    most = max(spoken_by.values(), default=0)
    if not most or (most < 2 and len(wanted) > 1):
        return []
    if found := [rule for rule in searched(sentence, book) if rule in spoken_by]:
        return found[:MOST_RULES]
    own = {rule: sum(bool(narrow & words[rule]) for narrow, _ in wanted) for rule in spoken_by}
    return sorted((rule for rule in spoken_by if spoken_by[rule] == most), key=lambda rule: -own[rule])[:MOST_RULES]


def searched(sentence: str, book: str) -> list[str]:
    """The rules of a game that a search for all words of a sentence finds, the best first."""
    try:
        return [hit.number for hit in ranking.search(sentence, book, RULE, MOST_SEARCHED).hits]
    except QueryError:
        return []


def notions(sentence: str, book: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """For each word of a sentence that some game knows: the classes of this game that it names, with their kinds; and those above them."""
    vocabulary = registry.vocabulary(book)
    for word in dict.fromkeys(spoken(sentence)):
        known = None if word in PLAIN else known_word(word)
        if known is None or known.kind not in ("act", "thing"):
            continue
        own = vocabulary.resolve(word, [vocabulary.classes])
        shared = [own] if own else [a for a in near_shared(known.name) if a in vocabulary.classes]
        if shared:
            term = vocabulary.classes[shared[0]]
            above = {a for a in term.ancestors if a not in WIDE and not kind_of(a, "State")} if own else set()
            yield frozenset(term.descendants), frozenset(above - term.descendants)
        elif kind_of(known.name, "Fortification"):
            yield frozenset(), frozenset()


def near_shared(name: str) -> list[str]:
    """The notions shared by the games that a class of one of them is below, the narrowest first."""
    for vocabulary in vocabularies():
        if name in vocabulary.classes:
            shared = [a for a in vocabulary.classes[name].ancestors if not vocabulary.own(a) and a not in WIDE]
            return sorted(shared, key=lambda a: -len(vocabulary.classes[a].ancestors))
    return []


@lru_cache
def spoken_of(book: str) -> dict[str, frozenset[str]]:
    """For each rule of a book, the words that its norms use."""
    found: dict[str, set[str]] = {}
    for rule, section in registry.theory(book).sections.items():
        names = found.setdefault(rule, set())
        for norm in section.norms:
            names.update(re.findall(r"\w+", f"{norm.head} {norm.when}"))
            for unless in norm.unless:
                names.update(re.findall(r"\w+", str(unless.condition)))
    return {rule: frozenset(names) for rule, names in found.items()}
