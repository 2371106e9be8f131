"""What can be found: rules, terms, errata, rulings and the reader's own sections, each as one document.

Nothing here knows how it is searched. A document's `terms` are the terms that it speaks of or that its norms use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb import registry
from kb.errata import checks
from kb.language import english, norms as m, rule_number
from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary
from kb.rulebook.records import RULINGS, Ledger
from kb.search import lookup
from kb.texts import library, references

RULE, TERM, ERRATUM, RULING, OWN = "rule", "term", "erratum", "ruling", "own"
KINDS = (RULE, TERM, ERRATUM, RULING, OWN)
SHARED = "shared"  # the book of a term that every game has
NAME = re.compile(r"[A-Za-z][\w]*")
ABOUT_BOOKS = "/core#"  # terms of rulebooks, not of the games in them


@dataclass(frozen=True, slots=True)
class Document:
    """One thing to find. number: a rule's number, a term's name or a record's id; context: the titles above it.

    names: what a term is called. body: sentences in the order of the text. cites: rule numbers that it names.
    """

    book: str
    kind: str
    number: str
    title: str
    body: str
    context: str = ""
    names: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    iri: str = ""


def everything() -> Iterator[Document]:
    """Every document, book after book; the reader's own texts last. Raises what the books or the library raise."""
    seen: set[str] = set()
    for book in registry.books():
        yield from rules(registry.text_of(book), registry.vocabulary(book))
        for term in registry.vocabulary(book).all():
            if term.iri not in seen and ABOUT_BOOKS not in term.iri:
                seen.add(term.iri)
                yield of_term(book, term)
        yield from records(checks.ledger(book))
    yield from own_texts()


def rules(book: m.Book, vocabulary: Vocabulary) -> Iterator[Document]:
    """Each rule of a book, in our words."""
    for chapter in book.chapters:
        titles = {s.rule: s.title for s in chapter.sections}
        for s in chapter.sections:
            norms = " ".join(f"{n.head} {n.when} {' '.join(str(u.condition) for u in n.unless)}" for n in s.norms)
            used = dict.fromkeys(
                w for w in NAME.findall(norms) if w in vocabulary.classes or w in vocabulary.properties
            )
            above = [titles[a] for a in ancestors(s.rule) if a in titles]
            body = " ".join(english.sentence(x.text) for x in s.sentences)
            prefix = re.match(r"[A-Za-z]*", chapter.id)
            named = [r.rule for x in s.sentences for r in references.find(x.text, prefix[0] if prefix else "")]
            named += [r.split("/")[0] for n in s.norms for r, _ in lookup.references(n)]
            cites = tuple(r for r in dict.fromkeys(named) if r != s.rule)
            context = " / ".join(dict.fromkeys([chapter.title, *above]))
            yield Document(book.id, RULE, s.rule, s.title, body, context, terms=tuple(used), cites=cites)


def ancestors(rule: str) -> list[str]:
    """The numbers above a rule's, the nearest last: B30, B30.4 of B30.42."""
    head, dot, tail = rule.rpartition(".")
    if not dot:
        return []
    return [*ancestors(head), head, *(f"{head}.{tail[:n]}" for n in range(1, len(tail)))]


def of_term(book: str, term: ClassTerm | PropertyTerm) -> Document:
    """A term as a document; a shared one under the shared name."""
    own = f"/{book}#" in term.iri
    names = tuple(n for n in dict.fromkeys((term.label, *term.alt)))
    above = " / ".join(term.parents) if isinstance(term, ClassTerm) else ""
    cites = tuple(r.strip() for r in term.source.split(",") if r.strip())
    return Document(
        book if own else SHARED, TERM, term.name, term.label, term.definition, above, names, (term.name,), cites,
        term.iri,
    )  # fmt: skip


def records(ledger: Ledger) -> Iterator[Document]:
    """Each erratum and ruling of a book."""
    for r in ledger.records:
        said = [r.question, r.answer, r.note, *(english.sentence(s.text) for p in r.parts for s in p.sentences)]
        kind = RULING if r.kind in RULINGS else ERRATUM
        body = " ".join(filter(None, said))
        yield Document(ledger.book, kind, r.id, r.title, body, f"{r.kind} / {r.source}", cites=r.rules)


def own_texts() -> Iterator[Document]:
    """Each section of the texts that the reader has imported."""
    for entry in library.listing():
        for s in library.sections_of(entry):
            if s.sentences or s.title:
                body = " ".join(x.text for x in s.sentences)
                cites = tuple(dict.fromkeys(r.rule for x in s.sentences for r in x.references))
                yield Document(entry.book, OWN, s.rule or s.title, s.title, body, entry.chapter, cites=cites)


def numbers(found: Iterable[Document]) -> dict[str, list[int]]:
    """Where each spelling of a number leads: documents by place. B30.42 is also found by 30.42, b3042 and 3042."""
    out: dict[str, list[int]] = {}
    other = {c.id: c.aliases for b in registry.books() for c in registry.text_of(b).chapters}
    for i, doc in enumerate(found):
        if doc.kind == TERM:
            continue
        number = rule_number.folded(doc.number)
        spelt = {number}
        for chapter, aliases in other.items():
            if number.startswith(rule_number.folded(chapter)):
                spelt |= {rule_number.folded(a) + number.removeprefix(rule_number.folded(chapter)) for a in aliases}
        spelt |= {re.sub(r"^[a-z]+(?=\d)", "", s) for s in spelt}
        for s in spelt | {s.replace(".", "") for s in spelt}:
            out.setdefault(s, []).append(i)
    return out
