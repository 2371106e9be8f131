"""Class expressions of the ontology, read as conditions of the rule language. kb.ontology.to_owl goes the other way."""

from __future__ import annotations

from fractions import Fraction

from rdflib import OWL, RDF, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.language.norms import (
    And,
    Anything,
    Compare,
    Condition,
    Count,
    Flag,
    Named,
    Not,
    Num,
    Only,
    Or,
    Path,
    Role,
    Some,
)
from kb.ontology.turtle import local

FACETS = {"<": XSD.maxExclusive, "<=": XSD.maxInclusive, ">": XSD.minExclusive, ">=": XSD.minInclusive}
COUNTS = {"min": OWL.minQualifiedCardinality, "max": OWL.maxQualifiedCardinality, "exactly": OWL.qualifiedCardinality}
_SIGNS = {facet: sign for sign, facet in FACETS.items()}
_KINDS = {count: kind for kind, count in COUNTS.items()}


class Unsayable(ValueError):
    """A class expression that the rule language has no words for; the message says which part."""


def condition_of(graph: Graph, node: Node) -> Condition:
    """The condition that a class expression states. Raises Unsayable for individuals, self and the like."""
    if isinstance(node, URIRef):
        return Anything() if node == OWL.Thing else Named(local(node))
    for kind, many in ((OWL.intersectionOf, And), (OWL.unionOf, Or)):
        if (head := graph.value(node, kind)) is not None:
            parts = tuple(condition_of(graph, part) for part in graph.items(head))
            return many(parts) if len(parts) != 1 else parts[0]
    if (of := graph.value(node, OWL.complementOf)) is not None:
        return Not(condition_of(graph, of))
    property_ = graph.value(node, OWL.onProperty)
    if property_ is None:
        raise Unsayable("a list of individuals, or an expression of no kind known")
    return _restriction(graph, node, property_)


def _restriction(graph: Graph, node: Node, property_: Node) -> Condition:
    turned = graph.value(property_, OWL.inverseOf) if isinstance(property_, BNode) else None
    role = Role(local(turned), inverse=True) if turned is not None else Role(local(property_))
    data = (property_, RDF.type, OWL.DatatypeProperty) in graph
    if (value := graph.value(node, OWL.hasValue)) is not None:
        if isinstance(value, Literal) and isinstance(value.value, bool):
            return Flag(role.name, value.value)
        if isinstance(value, Literal) and data:
            return Compare(Path("", (role.name,)), "=", Num(Fraction(str(value))))
        raise Unsayable("the value of a property that is an individual")
    if (filler := graph.value(node, OWL.someValuesFrom)) is not None:
        return _facets(graph, role.name, filler) if data else Some(role, condition_of(graph, filler))
    if data:
        raise Unsayable("only, min, max or exactly over numbers")
    if (filler := graph.value(node, OWL.allValuesFrom)) is not None:
        return Only(role, condition_of(graph, filler))
    for predicate, kind in _KINDS.items():
        if (n := graph.value(node, predicate)) is not None:
            return Count(role, kind, int(str(n)), condition_of(graph, graph.value(node, OWL.onClass) or OWL.Thing))
    for predicate, kind in ((OWL.minCardinality, "min"), (OWL.maxCardinality, "max"), (OWL.cardinality, "exactly")):
        if (n := graph.value(node, predicate)) is not None:
            return Count(role, kind, int(str(n)), Anything())
    raise Unsayable("hasSelf, or an unfinished restriction")


def _facets(graph: Graph, quantity: str, kind: Node) -> Condition:
    head = graph.value(kind, OWL.withRestrictions)
    facets = list(graph.items(head)) if head is not None else []
    found = [pair for facet in facets for pair in graph.predicate_objects(facet)]
    if not found or any(p not in _SIGNS for p, _ in found):
        raise Unsayable("numbers that are not bounded by < <= > >=")
    parts = [Compare(Path("", (quantity,)), _SIGNS[URIRef(str(p))], Num(Fraction(str(o)))) for p, o in found]
    parts.sort(key=str)
    return parts[0] if len(parts) == 1 else And(tuple(parts))
