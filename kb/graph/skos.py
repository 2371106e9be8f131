"""The words of the books as a SKOS glossary: a concept for each class and property, narrower and broader as the tree is.

A concept is not the class: it has an IRI of its own and `rdfs:seeAlso` leads to the class. Its notes are the rules whose
norms use the word, so a glossary is an index too.
"""

from __future__ import annotations

from rdflib import DCTERMS, RDF, RDFS, SKOS, Graph, URIRef

from kb import registry
from kb.graph.cases import in_english, plain
from kb.graph.norms import terms_of
from kb.graph.void import LICENCE
from kb.language import iris
from kb.language.vocabulary import ClassTerm
from kb.ontology.turtle import canonical


def of_books(book: str = "") -> str:
    """The glossary of one book or of all, as Turtle. Raises CaseError for a book there is none of."""
    found = Graph()
    for name in [book] if book else registry.books():
        write(found, name)
    return canonical(found, ("# Loophole: the words of the rules, as a glossary.",))


def concept(book: str, term: str) -> URIRef:
    """The concept of a term in a book's glossary."""
    return URIRef(f"{iris.BASE}glossary/{iris.part(book)}/{iris.part(term)}")


def write(graph: Graph, book: str) -> None:
    """One book's glossary: a concept scheme, with what the book shares with others in it."""
    vocabulary = registry.vocabulary(book)
    scheme = URIRef(f"{iris.BASE}glossary/{iris.part(book)}")
    rules = used_in(book)
    shown = {t.name: t for t in vocabulary.all() if "/core#" not in t.iri}
    graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    graph.add((scheme, DCTERMS.title, in_english(f"Glossary of {registry.book(book).title}")))
    graph.add((scheme, DCTERMS.license, LICENCE))
    graph.add((scheme, DCTERMS.creator, plain("The Loophole contributors")))
    for term in shown.values():
        me = concept(book, term.name)
        graph.add((me, RDF.type, SKOS.Concept))
        graph.add((me, SKOS.inScheme, scheme))
        graph.add((me, SKOS.prefLabel, in_english(term.label)))
        graph.add((me, SKOS.notation, plain(term.name)))
        graph.add((me, RDFS.seeAlso, URIRef(term.iri)))
        for alt in term.alt:
            graph.add((me, SKOS.altLabel, in_english(alt)))
        if term.definition:
            graph.add((me, SKOS.definition, in_english(term.definition)))
        if term.source:
            graph.add((me, DCTERMS.source, plain(term.source)))
        for rule in rules.get(term.name, ()):
            graph.add((me, DCTERMS.isReferencedBy, URIRef(iris.rule(book, rule))))
        above = [p for p in term.parents if p in shown] if isinstance(term, ClassTerm) else []
        for parent in above:
            graph.add((me, SKOS.broader, concept(book, parent)))
            graph.add((concept(book, parent), SKOS.narrower, me))
        if not above:
            graph.add((me, SKOS.topConceptOf, scheme))
            graph.add((scheme, SKOS.hasTopConcept, me))


def used_in(book: str) -> dict[str, list[str]]:
    """The rules whose norms use each term, in the order of the book."""
    found: dict[str, dict[str, None]] = {}
    for chapter in registry.book(book).chapters:
        for section in chapter.sections:
            for norm in section.norms:
                for name in terms_of(norm):
                    found.setdefault(name, {})[section.rule] = None
    return {name: list(rules) for name, rules in found.items()}
