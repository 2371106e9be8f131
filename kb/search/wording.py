"""The words for a case, found by what a player says: terms, each with how it is used, and the lines of the pages that tell how
players' notions are put (docs/<book>-modelling.md).

found = find("enemy outside the pillbox, tunnel", "asl")
found[0].notes, found[0].terms
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import log

from kb import registry, resources
from kb.errors import LoopholeError, Problem, QueryError
from kb.language import english
from kb.language.vocabulary import ABSENT, ClassTerm, PropertyTerm, Vocabulary
from kb.search import query as typed, ranking
from kb.search.documents import TERM

PHRASE = re.compile(r"[,;\n]+")
ROW = re.compile(r"\| *(.*?) *\| *(.*?) *\|$")
ENDING = re.compile(r"(?:ing|ed|e)$")
MOST_PHRASES = 12
TERMS, NOTES = (10, 5, 4), (5, 3, 2)  # for one phrase, for each of a few, of many
FEW = 4
ENOUGH = 0.34  # of the weight of a phrase's words a note must hold
NEAR = 0.2  # of the best term's score another one needs
KINDS_SHOWN = 14
Term = ClassTerm | PropertyTerm


@dataclass(frozen=True, slots=True)
class Note:
    """How a notion is put: what a player means, and what is written; under which heading of the page."""

    means: str
    write: str
    heading: str

    @property
    def text(self) -> str:
        """The line for a reader."""
        return f"{self.means} → {self.write}" if self.write else self.means


@dataclass(frozen=True, slots=True)
class Words:
    """What was found for one phrase."""

    phrase: str
    notes: tuple[Note, ...]
    terms: tuple[Term, ...]


def find(text: str, book: str) -> list[Words]:
    """The words of a book for each phrase of a text (commas part them), the best first.

    Raises QueryError (E620: nothing to look for), CaseError (E420: no such book).
    """
    vocabulary = registry.vocabulary(book)
    phrases = [p.strip() for p in PHRASE.split(text) if p.strip()][:MOST_PHRASES]
    if not phrases:
        raise QueryError(Problem(620, "there is nothing to look for", hint="say some words: enemy outside, tunnel"))
    at = 0 if len(phrases) == 1 else 1 if len(phrases) <= FEW else 2
    return [Words(p, tuple(noted(p, book, NOTES[at])), tuple(termed(p, vocabulary, TERMS[at]))) for p in phrases]


def termed(phrase: str, vocabulary: Vocabulary, most: int) -> Iterator[Term]:
    """The terms of a book that a phrase names or speaks of: those called so, then what a search finds."""
    called = vocabulary.resolve(phrase, [vocabulary.classes, vocabulary.properties])
    names = dict.fromkeys([called] if isinstance(called, str) else [])
    with suppress(QueryError):  # nothing but words that say nothing by themselves
        hits = ranking.search(phrase[: ranking.LONGEST], vocabulary.book, TERM, most).hits
        names |= dict.fromkeys(h.number for h in hits if h.score >= NEAR * hits[0].score)
    for name in list(names)[:most]:
        found = vocabulary.classes.get(name) or vocabulary.properties.get(name)
        if found is not None:
            yield found


def noted(phrase: str, book: str, most: int) -> list[Note]:
    """The lines of a book's page that hold most of a phrase's words, the rarer the word the more it weighs."""
    rows, weight = page(book)
    asked = {root(w) for w in typed.words(phrase) if w not in typed.STOP}
    unheard = log(1 + len(rows)) / 2  # of a word that no line holds: lines that hold the others may miss the point
    whole = sum(weight.get(w, unheard) for w in asked)
    scored = []
    for note, meant, held in rows:
        score = sum(weight.get(w, 0.0) for w in asked & held)
        if score and score >= ENOUGH * whole:
            scored.append((score + sum(weight.get(w, 0.0) for w in asked & meant) / 2, note))
    return [note for _, note in sorted(scored, key=lambda row: row[0], reverse=True)[:most]]


def root(word: str) -> str:
    """A word without its endings, only to compare words: turning and turn, placed and place."""
    word = typed.stem(word)
    return ENDING.sub("", word) if len(word) > 4 else word


@lru_cache(maxsize=16)
def page(book: str) -> tuple[tuple[tuple[Note, frozenset[str], frozenset[str]], ...], dict[str, float]]:
    """The lines of a book's page on how notions are put, each with the words of what is meant and all its words, and how rare each word
    is; none for a book without."""
    try:
        text = resources.path("docs").joinpath(f"{book}-modelling.md").read_text(encoding="utf-8")
    except (LoopholeError, OSError):
        return (), {}
    rows = []
    for note in lines(text):
        said = frozenset(map(root, typed.words(f"{note.means} {note.write} {typed.spread(note.write)}")))
        rows.append((note, frozenset(map(root, typed.words(note.means))) if note.write else frozenset(), said))
    often = Counter(w for _, _, held in rows for w in held)
    return tuple(rows), {w: log(1 + len(rows) / n) for w, n in often.items()}


def lines(text: str) -> Iterator[Note]:
    """The rows of the tables of a page, and the points of its lists."""
    heading, point = "", ""
    for line in [*text.splitlines(), ""]:
        if point and (not line.strip() or line.startswith(("* ", "#", "|"))):
            yield Note(point, "", heading)
            point = ""
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("* "):
            point = line[2:].strip()
        elif point:
            point += " " + line.strip()
        elif (row := ROW.match(line)) and row[1] != "you mean" and not set(row[1]) <= set("-: "):
            yield Note(row[1], row[2], heading)


def line(term: Term) -> str:
    """A term in a line: what it is, what it is also called, how it is used, what it means, what silence means."""
    alt = [a for a in dict.fromkeys([term.label, *term.alt]) if a.casefold() != term.name.casefold()][:4]
    also = f" (“{'”, “'.join(alt)}”)" if alt else ""
    said = (
        f"{term.name}: {use(term)}{also}: {term.definition}" if term.definition else f"{term.name}: {use(term)}{also}"
    )
    silence = "; unsaid: presumed not so" if term.when_unstated == ABSENT and isinstance(term, ClassTerm) else ""
    return said + silence + kinds(term)


def use(term: Term) -> str:
    """How a term stands in a case."""
    if isinstance(term, ClassTerm):
        return "act" if "Act" in term.ancestors else f"class, a kind of {term.parents[0]}" if term.parents else "class"
    of = f" of {term.domain}" if term.domain else ""
    match term.kind:
        case "object":
            return f"relation{of} to {term.range or 'a thing'}"
        case "number":
            unit = f", in {term.unit}" if term.unit else ""
            return f"number{of}{unit}" + (f", {english.shown(term.default)} unsaid" if term.default is not None else "")
        case "flag":
            return f"true or false{of}"
    return f"text{of}"


def kinds(term: Term) -> str:
    """The kinds of a class, the first of them where they are many."""
    below = sorted(term.descendants - {term.name}) if isinstance(term, ClassTerm) else []
    more = f" … ({len(below)} in all)" if len(below) > KINDS_SHOWN else ""
    return f"; kinds: {', '.join(below[:KINDS_SHOWN])}{more}" if below else ""
