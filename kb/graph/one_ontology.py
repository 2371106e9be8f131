"""The named graphs as one ontology: one header, and every property and class that others define declared.

OWL 2 DL wants to know of each name what it is. What is not ours and no OWL (dcterms:title, prov:used, void:triples) is
declared as an annotation property, so it stays on what it says something of and means nothing to a reasoner.
"""

from __future__ import annotations

from collections.abc import Mapping

from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, Graph, URIRef

from kb.graph.cases import in_english, plain
from kb.graph.proofs import version
from kb.graph.void import LICENCE
from kb.language import iris

NAME = f"{iris.BASE}all"
_LANGUAGE = tuple(str(ns) for ns in (RDF, RDFS, OWL, XSD))
_KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}


def merged(parts: Mapping[str, Graph]) -> Graph:
    """One graph of all of these, with one ontology header."""
    graph = Graph(store="SimpleMemory")  # it has one context: half the time
    graph.addN((s, p, o, graph) for triples in parts.values() for s, p, o in triples)
    for s in list(graph.subjects(RDF.type, OWL.Ontology)):
        graph.remove((s, None, None))
    declare(graph)
    header(graph)
    return graph


def declare(graph: Graph) -> None:
    """Declares what is used and declared nowhere; our own terms are declared where they are described."""
    known = {s for kind in _KINDS for s in graph.subjects(RDF.type, kind)}
    for p in set(graph.predicates()):
        if p not in known and not str(p).startswith(_LANGUAGE):
            graph.add((p, RDF.type, OWL.AnnotationProperty))
    for kind in set(graph.objects(None, RDF.type)):
        if isinstance(kind, URIRef) and kind not in known and not str(kind).startswith(_LANGUAGE):
            graph.add((kind, RDF.type, OWL.Class))


def header(graph: Graph, name: str = NAME) -> None:
    """Puts the one ontology's head into the graph."""
    me = URIRef(name)
    for predicate, o in (
        (RDF.type, OWL.Ontology),
        (OWL.versionIRI, URIRef(f"{name}/{version()}")),
        (OWL.versionInfo, plain(version())),
        (DCTERMS.title, in_english("Loophole: rules of tabletop wargames")),
        (DCTERMS.creator, plain("The Loophole contributors")),
        (DCTERMS.license, LICENCE),
        (
            SKOS.scopeNote,
            in_english("Conditions that OWL cannot say are opaque classes; lp:expression holds their text."),
        ),
    ):
        graph.add((me, predicate, o))
    for p in (DCTERMS.title, DCTERMS.creator, DCTERMS.license, SKOS.scopeNote):
        graph.add((p, RDF.type, OWL.AnnotationProperty))
