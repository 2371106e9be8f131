"""Which classes can have no member in common: told disjointness, closed under the class tree and under what follows.

What follows: A or B is apart from C when both A and B are; two classes are apart when each asks for its own value of a
property that has only one, and these values are apart. Everything else is left to the DL reasoner, which tests sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rdflib import OWL, RDF, RDFS, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.ontology.roles import Roles

Asked = list[tuple[str, Node]]  # (functional property, the value or class of value asked for)


def told(graph: Graph, node: Node) -> list[Node]:
    """All that a class is told to be: superclasses and equals, intersections taken apart."""
    found: list[Node] = []
    queue = [*graph.objects(node, RDFS.subClassOf), *graph.objects(node, OWL.equivalentClass)]
    queue += graph.subjects(OWL.equivalentClass, node)
    while queue:
        part = queue.pop()
        head = graph.value(part, OWL.intersectionOf) if isinstance(part, BNode) else None
        if head is not None:
            queue += graph.items(head)
        else:
            found.append(part)
    return found


def axioms(graph: Graph) -> Iterator[tuple[Node, Node]]:
    """The pairs told disjoint, each once."""
    heads = [h for a in graph.subjects(RDF.type, OWL.AllDisjointClasses) for h in graph.objects(a, OWL.members)]
    for head in [*heads, *graph.objects(None, OWL.disjointUnionOf)]:
        members = list(graph.items(head))
        yield from ((a, b) for i, a in enumerate(members) for b in members[i + 1 :])
    yield from graph.subject_objects(OWL.disjointWith)
    yield from graph.subject_objects(OWL.complementOf)


def disjoint(graph: Graph, above: Mapping[str, set[str]], roles: Roles) -> dict[str, set[str]]:
    """The most general disjoint pairs of named classes, on both sides. above: each class's superclasses and itself."""
    found = _Disjoint(graph, above, roles)
    found.close()
    return found.most_general()


class _Disjoint:
    def __init__(self, graph: Graph, above: Mapping[str, set[str]], roles: Roles):
        self.graph, self.above, self.roles = graph, above, roles
        self.below: dict[str, set[str]] = defaultdict(set)
        for iri, found in above.items():
            for parent in found:
                self.below[parent].add(iri)
        self.made: dict[BNode, tuple[Node | None, list[Node]]] = {}  # what each expression is made of, and how
        self.apart: dict[str, set[str]] = {iri: set() for iri in above}
        self.told = {iri: told(graph, URIRef(iri)) for iri in above}
        for one, other in axioms(graph):
            self.add(str(one), str(other))

    def add(self, one: str, other: str) -> None:
        """Two named classes are apart, and so are all below them."""
        if one in self.above and other in self.above and one != other:
            for a in self.below[one]:
                self.apart[a] |= self.below[other]
            for b in self.below[other]:
                self.apart[b] |= self.below[one]

    def close(self) -> None:
        asked = {iri: list(self.asked(parts)) for iri, parts in self.told.items()}
        whole = {iri: [pair for a in found for pair in asked[a]] for iri, found in self.above.items()}
        telling = {iri: [p for p in parts if isinstance(p, BNode)] for iri, parts in self.told.items()}
        grown = True
        while grown:
            grown = False
            for one in (iri for iri in self.above if telling[iri]):
                for other in self.above.keys() - self.apart[one] - self.above[one] - self.below[one]:
                    told_apart = any(self.outside(part, URIRef(other)) for part in telling[one])
                    if told_apart or self.clash(asked[one], whole[other]):
                        self.add(one, other)
                        grown = True

    def outside(self, one: Node, other: Node) -> bool:
        """Whether two expressions are known to be apart."""
        if isinstance(one, Literal) or isinstance(other, Literal):
            return isinstance(one, Literal) and isinstance(other, Literal) and one.value != other.value
        for x, y in ((one, other), (other, one)):
            if not isinstance(x, BNode):
                continue
            how, parts = self.made_of(x)
            if how == OWL.unionOf:
                return all(self.outside(part, y) for part in parts)
            if how == OWL.intersectionOf:
                return any(self.outside(part, y) for part in parts)
            return how == OWL.complementOf and self.inside(y, parts[0])
        return str(other) in self.apart.get(str(one), ())

    def made_of(self, one: BNode) -> tuple[Node | None, list[Node]]:
        """What an expression is made of, and how; looked up once, for it is asked again and again."""
        found = self.made.get(one)
        if found is None:
            found = self.made[one] = self.taken_apart(one)
        return found

    def taken_apart(self, one: BNode) -> tuple[Node | None, list[Node]]:
        for how in (OWL.unionOf, OWL.intersectionOf):
            if (head := self.graph.value(one, how)) is not None:
                return how, list(self.graph.items(head))
        of = self.graph.value(one, OWL.complementOf)
        return (None, []) if of is None else (OWL.complementOf, [of])

    def inside(self, one: Node, other: Node) -> bool:
        """Whether a named class is known to lie inside another, or inside one member of a union."""
        if isinstance(other, BNode):
            how, parts = self.made_of(other)
            return how == OWL.unionOf and any(self.inside(one, part) for part in parts)
        return str(other) in self.above.get(str(one), ())

    def asked(self, parts: list[Node]) -> Iterator[tuple[str, Node]]:
        """What restrictions ask of properties that have one value, those above the restricted ones included."""
        for part in parts:
            p = self.graph.value(part, OWL.onProperty) if isinstance(part, BNode) else None
            for predicate in (OWL.someValuesFrom, OWL.hasValue) if isinstance(p, URIRef) else ():
                if (value := self.graph.value(part, predicate)) is not None:
                    yield from ((q, value) for q in self.roles.above.get(str(p), ()) if self.roles.functional(q))

    def clash(self, one: Asked, other: Asked) -> bool:
        return any(p == q and self.outside(v, w) for p, v in one for q, w in other)

    def most_general(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for one, others in self.apart.items():
            wide = {a for a in self.above[one] if one not in self.above[a]}
            found[one] = {
                other
                for other in others
                if other in self.above[one]  # nothing can be one: kept, for the error message
                or (
                    not any(other in self.apart[a] for a in wide)
                    and not any(b in others for b in self.above[other] if other not in self.above[b])
                )
            }
        return found
