"""The named graphs as one ontology: one header, and every property and class that others define declared.

OWL 2 DL wants to know of each name what it is. What is not ours and no OWL (dcterms:title, prov:used, void:triples) is
declared as an annotation property, so it stays on what it says something of and means nothing to a reasoner.
"""

from __future__ import annotations

from collections.abc import Mapping

from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, Graph, URIRef
from rdflib.term import Node

from kb.graph.blank_nodes import Bag
from kb.graph.cases import in_english, plain
from kb.graph.proofs import version
from kb.graph.void import LICENCE
from kb.language import iris

NAME = f"{iris.BASE}all"
_LANGUAGE = tuple(str(ns) for ns in (RDF, RDFS, OWL, XSD))
_KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}


def joined(parts: Mapping[str, Graph]) -> Bag:
    """The triples of all of these, with one ontology header; one that several tell may come more than once."""
    rows, ontology = [row for triples in parts.values() for row in triples], str(OWL.Ontology)
    heads = {s for s, p, o in rows if str(o) == ontology and p == RDF.type}
    found = Bag(row for row in rows if row[0] not in heads) if heads else Bag(rows)
    declare(found)
    header(found)
    return found


def merged(parts: Mapping[str, Graph]) -> Graph:
    """One graph of all of these, with one ontology header."""
    graph = Graph(store="SimpleMemory")  # it has one context: half the time
    graph.addN((s, p, o, graph) for s, p, o in joined(parts))
    return graph


def declare(graph: Graph) -> None:
    """Declares what is used and declared nowhere; our own terms are declared where they are described."""
    known: set[Node] = set()
    used: dict[str, Node] = {}
    types: dict[Node, None] = {}
    kinds, typed = {*map(str, _KINDS)}, str(RDF.type)
    for s, p, o in graph:
        name = str(p)
        used[name] = p
        if name == typed:
            types[o] = None
            if str(o) in kinds:
                known.add(s)
    for p in used.values():
        if p not in known and not str(p).startswith(_LANGUAGE):
            graph.add((p, RDF.type, OWL.AnnotationProperty))
    for kind in types:
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
