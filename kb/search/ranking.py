"""Search as people type: rules, terms, errata, rulings and the reader's own text, ranked, with snippets and facets.

found = search("pillbox smoke", book="asl")
found.hits[0].number, found.hits[0].snippet, found.facets["kind"]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kb import registry
from kb.errors import Problem, QueryError, did_you_mean
from kb.search.documents import ERRATUM, KINDS, OWN, RULE, RULING, SHARED, TERM, Document
from kb.search.index import Index, current
from kb.search.query import Concept, read

LONGEST = 400  # characters of a query
MOST_CONCEPTS = 24
MOST = 200  # hits in one answer
# Who searches wants a rule first, then what settles it, then what a word means.
LIKING = {RULE: 1.0, RULING: 0.9, ERRATUM: 0.75, OWN: 0.85, TERM: 0.6}
NAMED = 1.5  # the liking for a term that the whole query names
BARE = 0.6  # a heading with nothing under it
GAP = 0.55  # what each missing concept leaves of the score, at least


@dataclass(frozen=True, slots=True)
class Match:
    """One thing found. score: comparable inside one answer only; why: how other words than those typed led to it."""

    book: str
    kind: str
    number: str
    title: str
    snippet: str
    score: float
    context: str = ""
    iri: str = ""
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search. total: how many there are; facets: counts by book and by kind, over all of them.

    read_as: what was taken for something else than typed, as (typed, taken for).
    """

    query: str
    hits: tuple[Match, ...]
    total: int
    facets: Mapping[str, Mapping[str, int]]
    read_as: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return asdict(self)


def search(query: str, book: str = "", kind: str = "", limit: int = 10, offset: int = 0) -> Found:
    """What a query finds, the best first; only of one book or kind where given (terms of every game count as any book's).

    Raises QueryError: E620 nothing to search for, E621 too long, E622 no such book or kind.
    """
    check(query, book, kind)
    index = current()
    concepts = read(query, index)
    if not concepts:
        raise QueryError(Problem(620, "there is nothing to search for", hint="type a word, a term or a rule number"))
    if len(concepts) > MOST_CONCEPTS:
        raise QueryError(Problem(621, f"that is {len(concepts)} things to search for", hint=f"at most {MOST_CONCEPTS}"))
    scores, why = scored(concepts, index)
    ranked = sorted(scores, key=lambda i: (-scores[i], index.documents[i].number, index.documents[i].book))
    of_book = [i for i in ranked if not book or index.documents[i].book in (book, SHARED)]
    of_kind = [i for i in ranked if not kind or index.documents[i].kind == kind]
    chosen = [i for i in of_book if not kind or index.documents[i].kind == kind]
    facets = {
        "book": dict(Counter(index.documents[i].book for i in of_kind).most_common()),
        "kind": dict(Counter(index.documents[i].kind for i in of_book).most_common()),
    }
    shown = chosen[max(offset, 0) : max(offset, 0) + min(max(limit, 0), MOST)]
    expression = " OR ".join(f"({v.expression})" for c in concepts for v in c.variants if v.expression)
    hits = tuple(hit(index, i, scores[i], tuple(why.get(i, ())), expression) for i in shown)
    read_as = tuple((c.typed, c.read_as) for c in concepts if c.read_as)
    return Found(query, hits, len(chosen), facets, read_as)


def check(query: str, book: str, kind: str) -> None:
    """Raises QueryError with each fault: E621 too long, E622 no such book or kind."""
    problems = []
    if len(query) > LONGEST:
        problems.append(Problem(621, f"the query has {len(query)} characters", hint=f"at most {LONGEST}"))
    if book and book not in (known := registry.books()):
        hint = did_you_mean(book, known, "books:")
        problems.append(Problem(622, f"there is no book “{book}”", hint=hint))
    if kind and kind not in KINDS:
        problems.append(Problem(622, f"there is no kind “{kind}”", hint=f"one of {', '.join(KINDS)}"))
    if problems:
        raise QueryError(problems)


def scored(concepts: list[Concept], index: Index) -> tuple[dict[int, float], dict[int, dict[str, None]]]:
    """Each document's score: for each concept its best way to be said, added up; less where concepts are missing."""
    total: dict[int, float] = {}
    met: Counter[int] = Counter()
    why: dict[int, dict[str, None]] = {}
    for concept in concepts:
        best: dict[int, tuple[float, str]] = {}
        most = 0.0  # no other way to say it finds anything better than what was typed does
        for variant in concept.variants:
            found = dict.fromkeys(variant.places, 1.0) if variant.places else {}
            if variant.expression:
                found = index.match(variant.expression)
            most = most or max(found.values(), default=0.0)
            for i, score in found.items():
                worth = min(score, most) * variant.weight
                if worth > best.get(i, (0.0, ""))[0]:
                    best[i] = (worth, variant.why)
        for i, (score, reason) in best.items():
            total[i] = total.get(i, 0.0) + score
            met[i] += 1
            if reason:
                why.setdefault(i, {})[reason] = None
    whole = " ".join(c.read_as or c.typed for c in concepts)
    return {
        i: s * GAP ** (len(concepts) - met[i]) * liking(index.documents[i], whole) for i, s in total.items()
    }, why  # fmt: skip


def liking(document: Document, query: str) -> float:
    """How much a document is liked before its words count: what is named goes before what is described."""
    if document.kind == TERM and query.casefold() in {n.casefold() for n in (document.number, *document.names)}:
        return NAMED
    return LIKING[document.kind] * (1.0 if document.body else BARE)


def hit(index: Index, i: int, score: float, why: tuple[str, ...], expression: str) -> Match:
    """A document found, with its snippet."""
    d = index.documents[i]
    snippet = index.snippet(i, expression)
    return Match(d.book, d.kind, d.number, d.title, snippet, round(score, 3), d.context, d.iri, why)
