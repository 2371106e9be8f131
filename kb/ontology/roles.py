"""How the properties of a graph hang together: subproperties, inverses, chains, each closed.

A property is read forwards or backwards; what is told of one direction is followed through both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef
from rdflib.term import Node

from kb.ontology.turtle import LP

Chain = tuple[str, ...]


class Roles:
    """The closed relations between the properties of a graph, all by IRI.

    below[p]: p and its subproperties. inverses[p]: properties that, read backwards, give values of p. above[p]: p and
    the properties that it is below. nameless: (property, step) for each chain step backwards that no name has.
    unknown: (property, word) for each word of an lp:othersBy that names no property.
    """

    def __init__(self, graph: Graph, properties: Iterable[str]):
        self.graph, self.properties = graph, sorted(properties)
        self.below: dict[str, set[str]] = {}
        self.inverses: dict[str, set[str]] = {}
        self.close()
        self.above = {p: {q for q in self.properties if p in self.below[q]} for p in self.properties}
        self.nameless: list[tuple[str, str]] = []
        self.unknown: list[tuple[str, str]] = []
        self._chains = {p: self.told_chains(p) for p in self.properties}
        self._others = {p: self.told_others(p) for p in self.properties}

    def close(self) -> None:
        """Closes subproperties and inverses over each other."""
        graph, edges = self.graph, defaultdict[tuple[str, bool], set[tuple[str, bool]]](set)

        def step(low: tuple[Node, bool], high: tuple[Node, bool]) -> None:
            edges[str(high[0]), high[1]].add((str(low[0]), low[1]))
            edges[str(high[0]), not high[1]].add((str(low[0]), not low[1]))

        for s, o in graph.subject_objects(RDFS.subPropertyOf):
            turned = graph.value(o, OWL.inverseOf) if isinstance(o, BNode) else None
            step((s, True), (o, True) if turned is None else (turned, False))
        for s, o in graph.subject_objects(OWL.equivalentProperty):
            step((s, True), (o, True))
            step((o, True), (s, True))
        for s, o in graph.subject_objects(OWL.inverseOf):
            if isinstance(s, URIRef):
                step((s, True), (o, False))
                step((o, True), (s, False))
        for s in graph.subjects(RDF.type, OWL.SymmetricProperty):
            step((s, True), (s, False))
        for iri in self.properties:
            reached, queue = {(iri, True)}, [(iri, True)]
            while queue:
                more = edges[queue.pop()] - reached
                reached |= more
                queue += more
            self.below[iri] = {p for p, forwards in reached if forwards and p in self.properties}
            self.inverses[iri] = {p for p, forwards in reached if not forwards and p in self.properties}

    def same_backwards(self, iri: str) -> list[str]:
        """The names of a property's inverse."""
        return sorted(q for q in self.inverses.get(iri, ()) if iri in self.inverses.get(q, ()))

    def told_chains(self, iri: str) -> set[Chain]:
        """The chains that are told to imply a property."""
        found = set()
        for head in self.graph.objects(URIRef(iri), OWL.propertyChainAxiom):
            steps = []
            for step in self.graph.items(head):
                turned = self.graph.value(step, OWL.inverseOf) if isinstance(step, BNode) else None
                names = [str(step)] if turned is None else self.same_backwards(str(turned))
                if not names:
                    self.nameless.append((iri, str(turned)))
                    break
                steps.append(names[0])
            else:
                found.add(tuple(steps))
        return found

    def told_others(self, iri: str) -> set[Chain]:
        """The chains of lp:othersBy: each a text of local names. OWL cannot say that they leave out the thing itself."""
        names = {p.rpartition("#")[2]: p for p in self.properties}
        found = set()
        for text in self.graph.objects(URIRef(iri), URIRef(LP + "othersBy")):
            words = str(text).split()
            strange = [word for word in words if word not in names]
            self.unknown += [(iri, word) for word in strange or (() if words else ("",))]
            if words and not strange:
                found.add(tuple(names[word] for word in words))
        return found

    def chains(self, iri: str) -> list[Chain]:
        """The chains that imply a property: its own, its subproperties', and its inverses' where each step has a name
        for being read backwards; those that lead to other things only are among them."""
        return sorted(self.closed(iri, self._chains) | self.closed(iri, self._others))

    def others(self, iri: str) -> list[Chain]:
        """The chains that imply a property for other things than the one they start from: OWL is not told of them."""
        return sorted(self.closed(iri, self._others) - self.closed(iri, self._chains))

    def closed(self, iri: str, told: Mapping[str, set[Chain]]) -> set[Chain]:
        """All chains that imply a property: its subproperties' too, and those of its inverses, backwards."""
        found = {chain for q in self.below[iri] for chain in told[q]}
        for q in self.inverses[iri]:
            for chain in told[q]:
                names = [self.same_backwards(step) for step in reversed(chain)]
                if all(names):
                    found.add(tuple(n[0] for n in names))
        return found

    def functional(self, iri: str) -> bool:
        """Whether a property, or one above it, has one value at most."""
        single = set(map(str, self.graph.subjects(RDF.type, OWL.FunctionalProperty)))
        turned = set(map(str, self.graph.subjects(RDF.type, OWL.InverseFunctionalProperty)))
        return bool(single & self.above[iri]) or any(iri in self.inverses.get(q, ()) for q in turned)

    def transitive(self, iri: str) -> bool:
        """Whether a property, or an equivalent one, is transitive."""
        same = [q for q in self.below[iri] if iri in self.below[q]] + self.same_backwards(iri)
        return any((URIRef(q), RDF.type, OWL.TransitiveProperty) in self.graph for q in same)

    def ends(self, iri: str, here: URIRef, there: URIRef) -> set[str]:
        """What is told as domain (`here` rdfs:domain, `there` rdfs:range) or range (the other way round) of a property,
        of those above it, and of its inverse."""
        told = {str(o) for q in self.above[iri] for o in self.graph.objects(URIRef(q), here)}
        return told | {str(o) for q in self.same_backwards(iri) for o in self.graph.objects(URIRef(q), there)}
