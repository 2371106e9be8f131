"""Reads what a person typed: numbers of rules, names of terms in any spelling, and words; each with what else to look for.

A *concept* is a stretch of the query with several ways to say it, each with a weight: as typed, what the ontology also
calls it, kinds of it, terms whose definition speaks of it, and, for words that nothing holds, the nearest spelling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kb import registry
from kb.language import rule_number
from kb.language.english import singular
from kb.language.vocabulary import ClassTerm, PropertyTerm
from kb.search.index import Index, quoted

AS_TYPED, SYNONYM, KIND, RELATED, SPELLING, PREFIX = 1.0, 0.85, 0.45, 0.35, 0.8, 0.4
MANY_KINDS = 60
LONGEST_NAME = 6  # words
TOKEN = re.compile(r"§?[A-Za-z]{0,6}\d+(?:[.\-–]?\d+)*(?:/[\w-]+)?|[^\W_]+(?:['’][^\W_]+)?")
NUMBER = re.compile(r"§?(?:[A-Za-z]{1,6}\d[\d.]*|\d+\.\d[\d.]*|\d{3,})(?:/[\w-]+)?")
STOP_WORDS = """
a an the of to in into on at by for from with and or is are was be been do does did can could may might must should
would will i my me we you your it its they their this that these those what which who whose when where why how if
there have has had rule rules about as any s t
"""
STOP = frozenset(STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to find a concept: an FTS5 expression, or documents by place; `why` says it to a reader."""

    expression: str
    weight: float
    why: str = ""
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """A stretch of the query. `read_as`: what it was taken for, "" for what was typed."""

    typed: str
    variants: tuple[Variant, ...]
    read_as: str = ""


@dataclass(frozen=True)
class Names:
    """What the terms of all books are called: name, folded and stemmed, to terms."""

    by_name: Mapping[tuple[str, ...], list[ClassTerm | PropertyTerm]]
    by_definition: Mapping[str, list[ClassTerm | PropertyTerm]]
    by_key: Mapping[tuple[str, str], ClassTerm | PropertyTerm]


@lru_cache(maxsize=1)
def names() -> Names:
    """The names of all terms of all books, as words of a query are compared with."""
    by_name: dict[tuple[str, ...], list[ClassTerm | PropertyTerm]] = {}
    by_definition: dict[str, list[ClassTerm | PropertyTerm]] = {}
    by_key: dict[tuple[str, str], ClassTerm | PropertyTerm] = {}
    for book in registry.books():
        for term in registry.vocabulary(book).all():
            by_key[book, term.name] = term
            for spelt in {term.label, *term.alt, spread(term.name)}:
                key = tuple(stem(w) for w in words(spelt))
                if key and not (isinstance(term, PropertyTerm) and len(key) == 1 and key[0] in STOP):
                    listed = by_name.setdefault(key, [])
                    if all(t.iri != term.iri for t in listed):
                        listed.append(term)
            for w in {stem(w) for w in words(term.definition)}:
                by_definition.setdefault(w, []).append(term)
    return Names(by_name, by_definition, by_key)


def words(text: str) -> list[str]:
    """The words of a text, folded, without a possessive s."""
    return [w.casefold() for w in re.findall(r"[^\W_]+", text.replace("'s", "").replace("’s", ""))]


def spread(name: str) -> str:
    """A term's name in words: PillboxEntry is "pillbox entry"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def stem(word: str) -> str:
    """A word without the ending of a plural: only to compare names, FTS5 stems by itself."""
    return singular(word, 4)


def read(query: str, index: Index) -> list[Concept]:
    """The concepts of a query, in order. Words that say nothing by themselves are left out where others stand."""
    if whole := number(query.strip(), [query], index):
        return [whole]
    tokens = [t for t in TOKEN.findall(query) if t.strip("'’§")]
    out: list[Concept] = []
    mended: list[tuple[str, str]] = []  # as typed, as spelt
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if found := number(token, tokens, index):
            out.extend(of_words(mended))
            mended = []
            out.append(found)
        else:
            for word in words(token):
                near = index.spelling(word) if (stem(word),) not in names().by_name else []
                mended.append((word, near[0] if near else word))
        i += 1
    out.extend(of_words(mended))
    return out


def number(token: str, tokens: list[str], index: Index) -> Concept | None:
    """A rule's number, with the rules below it and those that name it; None where no rule has it."""
    if not (NUMBER.fullmatch(token) or len(tokens) == 1):
        return None
    key = rule_number.folded(token.lstrip("§")).split("/")[0]
    at = index.places.get(key)
    if not at:
        return None
    rules = {index.documents[i].number for i in at}
    below = [
        i
        for i, d in enumerate(index.documents)
        if d.kind != "term" and any(rule_number.under(d.number, r) for r in rules)
    ]
    citing = [i for i, d in enumerate(index.documents) if rules & set(d.cites)]
    variants = (
        Variant("", 40.0, "", tuple(at)),
        Variant("", 20.0, "below it", tuple(below)),
        Variant("", 10.0, "names it", tuple(citing)),
    )
    return Concept(token, variants, " or ".join(sorted(rules)))


def of_words(mended: list[tuple[str, str]]) -> list[Concept]:
    """Concepts of a run of words: the longest names of terms first, then single words."""
    out: list[Concept] = []
    known = names().by_name
    weighty = any(spelt not in STOP for _, spelt in mended)
    i = 0
    while i < len(mended):
        for n in range(min(LONGEST_NAME, len(mended) - i), 0, -1):
            stretch = mended[i : i + n]
            if n == 1 and stretch[0][1] in STOP and weighty:
                break
            terms = known.get(tuple(stem(w) for _, w in stretch))
            if terms:
                out.append(of_terms(stretch, terms))
                i += n - 1
                break
        else:
            out.append(of_word(*mended[i]))
        i += 1
    return out


def of_word(typed: str, spelt: str) -> Concept:
    """A word as typed; for less, as it is spelt, and what begins with it."""
    variants = [Variant(quoted(typed), AS_TYPED)]
    if spelt != typed:
        variants.append(Variant(quoted(spelt), SPELLING, f"“{typed}” read as “{spelt}”"))
    if len(spelt) > 3:
        variants.append(Variant(quoted(spelt) + "*", PREFIX))
    return Concept(typed, tuple(variants), spelt if spelt != typed else "")


def of_terms(stretch: list[tuple[str, str]], terms: list[ClassTerm | PropertyTerm]) -> Concept:
    """A name of terms: as typed, their other names, kinds of them, and what is defined by them."""
    typed, spelt = " ".join(t for t, _ in stretch), " ".join(s for _, s in stretch)
    variants = [Variant(quoted(typed), AS_TYPED)]
    if spelt != typed:
        variants.append(Variant(quoted(spelt), SPELLING + 0.1, f"“{typed}” read as “{spelt}”"))
    if len(stretch) > 1:  # the words apart, all of them
        variants.append(Variant("(" + " AND ".join(quoted(s) for _, s in stretch if s not in STOP) + ")", 0.75))
    other = dict.fromkeys(n for t in terms for n in (t.label, *t.alt) if words(n) and words(n) != words(spelt))
    for name in other:
        variants.append(Variant(quoted(" ".join(words(name))), SYNONYM, f"“{name}” is {spelt}"))
    kinds = dict.fromkeys(k for t in terms if isinstance(t, ClassTerm) for k in kinds_of(t))
    if kinds:
        listed = [quoted(" ".join(words(k))) for k in list(kinds)[:MANY_KINDS] if words(k)]
        variants.append(Variant(" OR ".join(listed), KIND, f"a kind of {spelt}"))
    related = dict.fromkeys(t.label for t in defined_by(stretch, terms))
    if related:
        listed = [quoted(" ".join(words(name))) for name in related]
        variants.append(Variant(" OR ".join(listed), RELATED, f"{', '.join(related)}: defined by {spelt}"))
    return Concept(typed, tuple(v for v in variants if v.expression not in ("", "()")), spelt if spelt != typed else "")


def kinds_of(term: ClassTerm) -> list[str]:
    """What the classes below one are called, the nearest first."""
    known = names().by_key
    book = next((b for b, n in known if n == term.name and known[b, n].iri == term.iri), "")
    below = [known[book, d] for d in term.descendants if d != term.name and (book, d) in known]
    below.sort(key=lambda t: (term.name not in getattr(t, "parents", ()), t.name))
    return [t.label for t in below]


def defined_by(stretch: list[tuple[str, str]], terms: list[ClassTerm | PropertyTerm]) -> list[ClassTerm | PropertyTerm]:
    """The few classes whose definition speaks of a rare name; none where many do, for then it says little."""
    own = {t.iri for t in terms}
    spellings = {tuple(stem(w) for w in words(n)) for t in terms for n in (t.label, *t.alt)}
    out: dict[str, ClassTerm | PropertyTerm] = {}
    for key in spellings | {tuple(stem(s) for _, s in stretch)}:
        if len(key) == 1:
            out.update({t.iri: t for t in names().by_definition.get(key[0], ()) if t.iri not in own})
    found: list[ClassTerm | PropertyTerm] = [t for t in out.values() if isinstance(t, ClassTerm)]
    return found if len(found) <= 4 else []
