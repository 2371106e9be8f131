"""An OWL graph in functional syntax, for HermiT: the OWL API of its day misreads RDF whose triples come in some orders.

Nothing is dropped on the way: a triple that belongs to no axiom known here is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.errors import LoopholeError, Problem
from kb.ontology.turtle import curie

_DECLARED = {
    OWL.Class: "Class",
    OWL.ObjectProperty: "ObjectProperty",
    OWL.DatatypeProperty: "DataProperty",
    OWL.NamedIndividual: "NamedIndividual",
    RDFS.Datatype: "Datatype",
}
_MARKED = {
    OWL.FunctionalProperty: "Functional",
    OWL.InverseFunctionalProperty: "InverseFunctional",
    OWL.SymmetricProperty: "Symmetric",
    OWL.AsymmetricProperty: "Asymmetric",
    OWL.TransitiveProperty: "Transitive",
    OWL.ReflexiveProperty: "Reflexive",
    OWL.IrreflexiveProperty: "Irreflexive",
}
_NOTES = (RDFS.label, RDFS.comment, RDFS.seeAlso, RDFS.isDefinedBy, OWL.versionInfo, OWL.deprecated)
_BOOLEAN = {OWL.intersectionOf: "IntersectionOf", OWL.unionOf: "UnionOf"}
_COUNTS = {
    OWL.minCardinality: "Min", OWL.maxCardinality: "Max", OWL.cardinality: "Exact",
    OWL.minQualifiedCardinality: "Min", OWL.maxQualifiedCardinality: "Max", OWL.qualifiedCardinality: "Exact",
}  # fmt: skip
_CLASSES = {
    RDFS.subClassOf: "SubClassOf",
    OWL.equivalentClass: "EquivalentClasses",
    OWL.disjointWith: "DisjointClasses",
}
_PROPERTIES = {
    RDFS.subPropertyOf: "Sub{}PropertyOf",
    OWL.equivalentProperty: "Equivalent{}Properties",
    OWL.propertyDisjointWith: "Disjoint{}Properties",
}


_TYPE = str(RDF.type)
_ROLES = (("Object", OWL.ObjectProperty), ("Data", OWL.DatatypeProperty))
_LANGUAGE = (str(OWL), str(RDF), str(RDFS))  # what is of these is no class of ours, but the form of an axiom


def functional(graph: Graph) -> str:
    """The graph's axioms in OWL 2 functional syntax, in a stable order. Annotations have to be gone already.

    Raises LoopholeError (E725) for triples that are no OWL 2 axiom known here.
    """
    return whole(axioms(graph))


def whole(lines: Iterable[str]) -> str:
    """An ontology of these axioms."""
    return "Ontology(\n" + "".join(line + "\n" for line in lines) + ")\n"


def axioms(graph: Graph, known: Graph | None = None) -> list[str]:
    """The axioms of a graph, in a stable order. known: a graph written elsewhere that declares properties used here.

    Raises LoopholeError (E725) for triples that are no OWL 2 axiom known here.
    """
    writer = _Writer(graph, known)
    lines = sorted(set(writer.axioms()))
    if writer.left:
        s, p, o = min(writer.left, key=str)
        message = f"no OWL 2 axiom: {' '.join(curie(str(n)) if isinstance(n, URIRef) else f'“{n}”' for n in (s, p, o))}"
        raise LoopholeError(Problem(725, message, hint="see the mapping of OWL 2 to RDF, or drop the triple"))
    return lines


def document(graph: Graph) -> str:
    """A whole ontology in OWL 2 functional syntax, annotations and header too, in a stable order.

    Raises LoopholeError (E725) for triples that are no OWL 2 axiom known here, and where there is not one header.
    """
    rows = list(graph)
    kinds: dict[str, set[str]] = {}
    for s, p, o in rows:
        if str(p) == _TYPE:
            kinds.setdefault(str(o), set()).add(str(s))
    marks = {*map(str, _NOTES), *kinds.get(str(OWL.AnnotationProperty), ())}
    roles = {role: sort for sort, kind in _ROLES for role in kinds.get(str(kind), ())}
    headers = sorted(kinds.get(str(OWL.Ontology), ()))
    if len(headers) != 1:
        hint = "take the headers of all but one of the files out"
        raise LoopholeError(Problem(725, f"an ontology has one header, this has {len(headers)}", hint=hint))
    told, notes, head, version = Graph(store="SimpleMemory"), [], [], ""
    writer = _Writer(Graph())
    for s, p, o in rows:
        name, whom = str(p), str(s)
        if whom == headers[0]:
            if name == str(OWL.versionIRI):
                version = str(o)
            elif name != _TYPE:
                head.append(f"Annotation(<{name}> {writer.individual(o)})")
        elif name in marks:
            notes.append(f"AnnotationAssertion(<{name}> {writer.individual(s)} {writer.individual(o)})")
        elif name == _TYPE and str(o) == str(OWL.AnnotationProperty):
            notes.append(f"Declaration(AnnotationProperty(<{whom}>))")
        elif name in roles and not isinstance(s, BNode) and not isinstance(o, BNode):
            notes.append(f"{roles[name]}PropertyAssertion(<{name}> <{whom}> {writer.individual(o)})")
        elif name == _TYPE and isinstance(o, URIRef) and not isinstance(s, BNode) and not str(o).startswith(_LANGUAGE):
            notes.append(f"ClassAssertion(<{o}> <{whom}>)")
        else:
            told.add((s, p, o))
    lines = axioms(told)
    name = f"<{headers[0]}>" + (f" <{version}>" if version else "")
    prefixes = "".join(f"Prefix({p}:=<{ns}>)\n" for p, ns in (("owl", OWL), ("rdf", RDF), ("rdfs", RDFS), ("xsd", XSD)))
    return prefixes + "\n".join([f"Ontology({name}", *sorted(head), *sorted({*lines, *notes}), ")"]) + "\n"


class _Writer:
    def __init__(self, graph: Graph, known: Graph | None = None):
        self.graph = graph
        self.left = set(graph)
        declared = [graph] if known is None else [graph, known]
        self.data = {p for g in declared for p in g.subjects(RDF.type, OWL.DatatypeProperty)}
        self.objects = {p for g in declared for p in g.subjects(RDF.type, OWL.ObjectProperty)}

    def value(self, node: Node, predicate: URIRef) -> Node | None:
        """The one value of a predicate, used up."""
        found = self.graph.value(node, predicate)
        self.left.discard((node, predicate, found))
        return found

    def take(self, predicate: URIRef, value: Node | None = None) -> Iterator[tuple[Node, Node]]:
        for s, p, o in list(self.graph.triples((None, predicate, value))):
            if (s, p, o) in self.left:
                self.left.discard((s, p, o))
                yield s, o

    def axioms(self) -> Iterator[str]:
        for _ in self.take(RDF.type, OWL.Ontology):
            pass
        for kind, word in _DECLARED.items():
            for s, _ in list(self.take(RDF.type, kind)):
                if isinstance(s, URIRef):
                    yield f"Declaration({word}({self.iri(s)}))"
        yield from self.of_classes()
        yield from self.of_properties()
        yield from self.of_individuals()

    def of_classes(self) -> Iterator[str]:
        for predicate, word in _CLASSES.items():
            for s, o in self.take(predicate):
                yield f"{word}({self.class_(s)} {self.class_(o)})"
        for s, head in self.take(OWL.disjointUnionOf):
            yield f"DisjointUnion({self.iri(s)} {self.classes(head)})"
        for s, _ in self.take(RDF.type, OWL.AllDisjointClasses):
            yield f"DisjointClasses({self.classes(self.value(s, OWL.members))})"
        for predicate in (*_BOOLEAN, OWL.complementOf, OWL.oneOf):
            for s in [s for s in self.graph.subjects(predicate) if isinstance(s, URIRef)]:
                yield f"EquivalentClasses({self.iri(s)} {self.boolean(s)})"

    def of_properties(self) -> Iterator[str]:
        for predicate, word in _PROPERTIES.items():
            for s, o in self.take(predicate):
                yield f"{word.format(self.sort(s))}({self.property(s)} {self.property(o)})"
        for s, o in [pair for pair in self.graph.subject_objects(OWL.inverseOf) if isinstance(pair[0], URIRef)]:
            self.left.discard((s, OWL.inverseOf, o))
            yield f"InverseObjectProperties({self.property(s)} {self.property(o)})"
        for s, head in self.take(OWL.propertyChainAxiom):
            chain = " ".join(map(self.property, self.items(head)))
            yield f"SubObjectPropertyOf(ObjectPropertyChain({chain}) {self.property(s)})"
        for s, o in self.take(RDFS.domain):
            yield f"{self.sort(s)}PropertyDomain({self.property(s)} {self.class_(o)})"
        for s, o in self.take(RDFS.range):
            end = self.range(o) if s in self.data else self.class_(o)
            yield f"{self.sort(s)}PropertyRange({self.property(s)} {end})"
        for mark, word in _MARKED.items():
            for s, _ in self.take(RDF.type, mark):
                yield f"{word}{self.sort(s)}Property({self.property(s)})"

    def of_individuals(self) -> Iterator[str]:
        for s, _ in self.take(RDF.type, OWL.AllDifferent):
            head = self.value(s, OWL.distinctMembers) or self.value(s, OWL.members)
            yield f"DifferentIndividuals({' '.join(map(self.individual, self.items(head)))})"
        for s, _ in self.take(RDF.type, OWL.NegativePropertyAssertion):
            p, one = self.value(s, OWL.assertionProperty), self.value(s, OWL.sourceIndividual)
            other = self.value(s, OWL.targetIndividual) or self.value(s, OWL.targetValue)
            if p is not None and one is not None and other is not None:
                words = f"{self.property(p)} {self.individual(one)} {self.individual(other)}"
                yield f"Negative{self.sort(p)}PropertyAssertion({words})"
        for predicate, word in ((OWL.sameAs, "SameIndividual"), (OWL.differentFrom, "DifferentIndividuals")):
            for s, o in self.take(predicate):
                yield f"{word}({self.individual(s)} {self.individual(o)})"
        for p in sorted(self.objects | self.data, key=str):
            for s, o in self.take(URIRef(str(p))):
                words = f"{self.property(p)} {self.individual(s)} {self.individual(o)}"
                yield f"{self.sort(p)}PropertyAssertion({words})"
        syntax = {OWL.Class, OWL.Restriction, RDFS.Datatype, RDF.List}
        for s, o in self.graph.subject_objects(RDF.type):
            if (s, RDF.type, o) not in self.left or (isinstance(s, BNode) and o in syntax):
                continue  # the types of expressions go with the expressions
            self.left.discard((s, RDF.type, o))
            yield f"ClassAssertion({self.class_(o)} {self.individual(s)})"

    # ── expressions ─────────────────────────────────────────────────────────────────────────────────────

    def class_(self, node: Node) -> str:
        if not isinstance(node, BNode):
            return self.iri(node)
        if (p := self.value(node, OWL.onProperty)) is not None:
            self.left.discard((node, RDF.type, OWL.Restriction))
            return self.restriction(node, p)
        return self.boolean(node)

    def boolean(self, node: Node) -> str:
        self.left.discard((node, RDF.type, OWL.Class))
        for predicate, word in _BOOLEAN.items():
            if (head := self.value(node, predicate)) is not None:
                parts = [self.class_(item) for item in self.items(head)]
                return f"Object{word}({' '.join(parts)})" if len(parts) > 1 else "".join(parts)
        if (of := self.value(node, OWL.complementOf)) is not None:
            return f"ObjectComplementOf({self.class_(of)})"
        if (head := self.value(node, OWL.oneOf)) is not None:
            return f"ObjectOneOf({' '.join(map(self.individual, self.items(head)))})"
        raise LoopholeError(Problem(725, f"no class expression: “{node}”", hint="see the mapping of OWL 2 to RDF"))

    def restriction(self, node: Node, p: Node) -> str:
        sort, role = self.sort(p), self.property(p)
        end = self.range if p in self.data else self.class_
        if (filler := self.value(node, OWL.someValuesFrom)) is not None:
            return f"{sort}SomeValuesFrom({role} {end(filler)})"
        if (filler := self.value(node, OWL.allValuesFrom)) is not None:
            return f"{sort}AllValuesFrom({role} {end(filler)})"
        if (value := self.value(node, OWL.hasValue)) is not None:
            return f"{sort}HasValue({role} {self.individual(value)})"
        if self.value(node, OWL.hasSelf) is not None:
            return f"ObjectHasSelf({role})"
        for predicate, word in _COUNTS.items():
            if (n := self.value(node, predicate)) is not None:
                filler = self.value(node, OWL.onClass) or self.value(node, OWL.onDataRange)
                what = f" {end(filler)}" if filler is not None else ""
                return f"{sort}{word}Cardinality({n} {role}{what})"
        raise LoopholeError(Problem(725, f"an unfinished restriction on {curie(str(p))}", hint="say some, only, min …"))

    def range(self, node: Node) -> str:
        if not isinstance(node, BNode):
            return self.iri(node)
        self.left.discard((node, RDF.type, RDFS.Datatype))
        if (kind := self.value(node, OWL.onDatatype)) is not None:
            facets = []
            for facet in self.items(self.value(node, OWL.withRestrictions)):
                for p, o in self.graph.predicate_objects(facet):
                    self.left.discard((facet, p, o))
                    facets.append(f"{self.iri(p)} {self.individual(o)}")
            return f"DatatypeRestriction({self.iri(kind)} {' '.join(facets)})"
        for predicate, word in _BOOLEAN.items():
            if (head := self.value(node, predicate)) is not None:
                return f"Data{word}({' '.join(map(self.range, self.items(head)))})"
        if (head := self.value(node, OWL.oneOf)) is not None:
            return f"DataOneOf({' '.join(map(self.individual, self.items(head)))})"
        raise LoopholeError(Problem(725, f"no range of numbers or texts: “{node}”", hint="bound it by facets"))

    def property(self, node: Node) -> str:
        if isinstance(node, BNode) and (of := self.value(node, OWL.inverseOf)) is not None:
            self.left.discard((node, RDF.type, OWL.ObjectProperty))
            return f"ObjectInverseOf({self.iri(of)})"
        return self.iri(node)

    def sort(self, p: Node) -> str:
        return "Data" if p in self.data else "Object"

    def classes(self, head: Node | None) -> str:
        return " ".join(map(self.class_, self.items(head)))

    def items(self, head: Node | None) -> Sequence[Node]:
        found: list[Node] = []
        while head is not None and head != RDF.nil:
            first = self.value(head, RDF.first)
            found += [] if first is None else [first]
            self.left.discard((head, RDF.type, RDF.List))
            head = self.value(head, RDF.rest)
        return found

    def individual(self, node: Node) -> str:
        if isinstance(node, Literal):
            quoted = '"' + str(node).replace("\\", "\\\\").replace('"', '\\"') + '"'
            return f"{quoted}@{node.language}" if node.language else f"{quoted}^^<{node.datatype or XSD.string}>"
        return f"_:{node}" if isinstance(node, BNode) else self.iri(node)

    def iri(self, node: Node) -> str:
        return f"<{node}>"
