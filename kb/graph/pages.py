"""The ontology as pages for people: every term by pylode, linked to the rules that use it, and the rules by themselves.

ontology.html    classes, properties and individuals; under each the rules whose norms name it
rules.html       every rule in our words with its norms; under each norm the terms it names
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from html import escape
from pathlib import Path

from rdflib import OWL, PROV, RDF, SKOS, BNode, Graph, Literal, URIRef

from kb import registry, resources
from kb.errors import LoopholeError, Problem
from kb.graph import dataset
from kb.graph.norms import expression, terms_of
from kb.graph.one_ontology import declare, header
from kb.graph.skos import used_in
from kb.language import english, iris, norms as m

ONTOLOGY, RULES = "ontology.html", "rules.html"
SHOWN = 60  # rules listed under one term; the page of the rules has them all
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
h2{margin-top:2.5em;border-bottom:1px solid #bbb} h3{margin:1.8em 0 .3em} pre{white-space:pre-wrap;background:#f4f4f2;
padding:.6em;margin:.4em 0;font-size:.85em} .terms{font-size:.85em} .why{color:#666;font-size:.9em} a{color:#0b5394}
"""


def write(folder: Path, book: str = "") -> list[Path]:
    """Writes both pages into a folder, which is made where it is missing; returns their paths.

    Raises LoopholeError (E961) where pylode is not installed, CaseError for a book there is none of, and E962 where the
    folder cannot be written to.
    """
    books = [book] if book else registry.books()
    page, fragments = ontology_page(books)
    made = {ONTOLOGY: page, RULES: "".join(rules_page(books, fragments))}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            resources.replaced(folder / name, text.encode("utf-8"))
    except OSError as error:
        raise LoopholeError(
            Problem(962, f"cannot write to {folder}: {error.strerror}", hint="name a folder that you may write to")
        ) from None
    return [folder / name for name in made]


def ontology_page(books: list[str]) -> tuple[str, dict[str, str]]:
    """The page of the ontology, and for each term's IRI the fragment that it stands at."""
    try:
        from pylode import OntPub
    except ImportError as error:
        hint = 'pip install "loophole-rules[docs]"'
        raise LoopholeError(Problem(961, f"no pages here: {error.name} is not installed", hint=hint)) from None
    before = logging.root.manager.disable
    logging.disable(logging.INFO)  # pylode tells its own steps
    try:
        publication = OntPub(ontology=noted(books), sort_subjects=True)
        text = str(publication.make_html())
    finally:
        logging.disable(before)
    return text, {str(iri): str(fragment) for iri, fragment in publication.fids.items()}


def noted(books: list[str]) -> Graph:
    """The ontology as one graph, with a note under each term that leads to the rules that use it."""
    found = Graph()
    for _, part in dataset.ontology_graphs(books):
        for triple in part:
            found.add(triple)
    for s in list(found.subjects(RDF.type, OWL.Ontology)):
        found.remove((s, None, None))
    declare(found)
    header(found)
    for foreign in [s for s in found.subjects(RDF.type) if isinstance(s, URIRef) and not str(s).startswith(iris.BASE)]:
        if foreign != PROV.Entity:  # what others define is told by them
            found.remove((foreign, None, None))
    # pylode cannot print every class expression: definitions are told in the rule language instead.
    for triple in [t for t in found if isinstance(t[0], BNode) or isinstance(t[2], BNode)]:
        found.remove(triple)
    notes: dict[str, list[str]] = {}
    for book in books:
        vocabulary = registry.vocabulary(book)
        for cls in vocabulary.classes.values():
            for said in cls.definitions:
                found.add((URIRef(cls.iri), SKOS.scopeNote, Literal(f"Defined as `{said}`", lang="en")))
        for name, rules in used_in(book).items():
            term = vocabulary.classes.get(name) or vocabulary.properties.get(name)
            if term is not None:
                notes.setdefault(term.iri, []).extend(f"[{r}]({RULES}#{anchor(book, r)})" for r in rules)
    for iri, links in notes.items():
        more = f" and {len(links) - SHOWN} more" if len(links) > SHOWN else ""
        found.add((URIRef(iri), SKOS.note, Literal(f"named by the rules {', '.join(links[:SHOWN])}{more}", lang="en")))
    return found


def anchor(book: str, rule: str) -> str:
    """A rule's anchor on the page of rules."""
    return f"{book}-{rule}"


def rules_page(books: list[str], fragments: dict[str, str]) -> Iterator[str]:
    """The page of rules, piece by piece. fragments: a term's IRI to its anchor on the ontology's page."""
    yield f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>Rules</title><style>{STYLE}</style></head>"
    yield f"<body><h1>The rules</h1><p>In words of our own, with their norms. Terms lead to <a href='{ONTOLOGY}'>the"
    yield " ontology</a>.</p>\n"
    for name in books:
        book = registry.book(name)
        for chapter in book.chapters:
            yield f"<h2>{escape(book.title)}: {escape(chapter.id)} {escape(chapter.title)}</h2>\n"
            for section in chapter.sections:
                yield from rule(name, section, fragments)
    yield "</body></html>\n"


def rule(book: str, section: m.Section, fragments: dict[str, str]) -> Iterator[str]:
    """One rule: our sentences, its norms, the terms that they use."""
    title = f"{section.rule} {section.title}".strip()
    yield f"<h3 id='{escape(anchor(book, section.rule), quote=True)}'>{escape(title)}</h3>\n"
    for s in section.sentences:
        why = f" <span class='why'>(not encoded: {escape(s.not_encoded)})</span>" if s.not_encoded else ""
        yield f"<p>{escape(english.sentence(s.text))}{why}</p>\n"
    for norm in section.norms:
        yield f"<pre><b>{escape(norm.id)}</b>\n{escape(expression(norm))}</pre>\n"
        yield f"<p class='terms'>{', '.join(terms(book, norm, fragments))}</p>\n"


def terms(book: str, norm: m.Norm, fragments: dict[str, str]) -> Iterator[str]:
    """The terms of a norm, each a link where the ontology's page has it."""
    vocabulary = registry.vocabulary(book)
    for name in sorted(terms_of(norm)):
        term = vocabulary.classes.get(name) or vocabulary.properties.get(name)
        if term is not None and term.iri in fragments:
            yield f"<a href='{ONTOLOGY}#{escape(fragments[term.iri], quote=True)}'>{escape(term.label)}</a>"
        elif term is not None:
            yield escape(term.label)
