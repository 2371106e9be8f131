"""Conditions as OWL class expressions, and which conditions a DL reasoner finds inside which.

What OWL 2 DL can say is said in OWL: `except` as `and not`, a comparison of a quantity with a number as a facet. The
rest (paths from `this`, bound names, sums, lookups, counts over chains) becomes a named opaque class with its text.

An opaque class stands for whatever its text picks out once the focus and the bound names are fixed, so an answer that
treats it as any set of things is right for that set too; `A as x` adds the opaque class `same as x`, which keeps two
norms' x apart unless both bind the same thing. So "is subsumed by" is never claimed wrongly, though it may be missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.errors import LoopholeError, Problem, did_you_mean
from kb.language.norms import (
    And,
    Anything,
    Bind,
    Compare,
    Condition,
    Count,
    Except,
    Flag,
    Named,
    Norm,
    Not,
    Num,
    Only,
    Or,
    Path,
    Role,
    Same,
    Some,
)
from kb.language.vocabulary import PropertyTerm, Vocabulary
from kb.ontology import sources
from kb.ontology.dl_reasoner import run
from kb.ontology.from_owl import COUNTS, FACETS
from kb.ontology.turtle import BASE, LP

OPAQUE = BASE + "opaque#"
_MARK = URIRef(LP + "expression")

# ── from the rule language to OWL ───────────────────────────────────────────────────────────────────────


@dataclass
class Translation:
    """Conditions written into one graph.

    opaque: IRI → text of each opaque class. exceptions: (label, class) of each `except`, in the order met; the class is
    what is carved out, and its triples are in the graph.
    """

    vocabulary: Vocabulary
    graph: Graph = field(default_factory=Graph)
    opaque: dict[str, str] = field(default_factory=dict)
    exceptions: list[tuple[str, Node]] = field(default_factory=list)

    def translate(self, condition: Condition) -> Node:
        """The class expression of a condition: an IRI or a blank node of the graph.

        Raises LoopholeError (E730) for a name that the vocabulary has not.
        """
        match condition:
            case Anything():
                return OWL.Thing
            case Named(name):
                return self.named(name)
            case Not(of):
                return self.class_(OWL.complementOf, self.translate(of))
            case And(parts):
                return self.class_(OWL.intersectionOf, self.list_([self.translate(p) for p in parts]))
            case Or(parts):
                return self.class_(OWL.unionOf, self.list_([self.translate(p) for p in parts]))
            case Except(base, carve, label):
                kept, taken = self.translate(base), self.translate(carve)
                self.exceptions.append((label, taken))
                return self.class_(OWL.intersectionOf, self.list_([kept, self.class_(OWL.complementOf, taken)]))
            case Bind(of, var):
                return self.class_(OWL.intersectionOf, self.list_([self.translate(of), self.hide(Same(Path(var, ())))]))
            case Some(role, filler):
                return self.restriction(self.role(role), {OWL.someValuesFrom: self.translate(filler)})
            case Only(role, filler):
                return self.restriction(self.role(role), {OWL.allValuesFrom: self.translate(filler)})
            case Count(role, kind, n, filler) if (kind, n) in {("min", 1), ("max", 0), ("exactly", 0)}:
                return self.translate(Some(role, filler) if n else Not(Some(role, filler)))
            case Count(role, kind, n, filler):
                if not self.simple(role.name):
                    return self.hide(condition)
                number = Literal(str(n), datatype=XSD.nonNegativeInteger)
                return self.restriction(self.role(role), {COUNTS[kind]: number, OWL.onClass: self.translate(filler)})
            case Flag(name, value):
                return self.restriction(self.property(name), {OWL.hasValue: Literal(value)})
            case Compare():
                return self.compare(condition)
        return self.hide(condition)

    def compare(self, condition: Compare) -> Node:
        """`path.quantity op number` as a facet, where each step of the path has one value; else an opaque class."""
        path, op, right = condition.left, condition.op, condition.right
        if not (isinstance(path, Path) and path.root == "" and path.steps and isinstance(right, Num)):
            return self.hide(condition)
        if (exact := decimal(right.value)) is None:
            return self.hide(condition)
        if not all(self.term(step).functional for step in path.steps[:-1]):
            return self.hide(condition)
        property_ = self.property(path.steps[-1])
        if op == "=":
            node: Node = self.restriction(property_, {OWL.hasValue: exact})
        elif op == "!=":
            both = [self.some_number(property_, sign, exact) for sign in "<>"]
            node = self.class_(OWL.unionOf, self.list_(both))
        else:
            node = self.some_number(property_, op, exact)
        for step in reversed(path.steps[:-1]):
            node = self.restriction(self.property(step), {OWL.someValuesFrom: node})
        return node

    def some_number(self, property_: URIRef, sign: str, value: Literal) -> Node:
        """The restriction to a number that compares so with a value."""
        kind, facet = BNode(), BNode()
        self.graph.add((facet, FACETS[sign], value))
        self.graph.add((kind, RDF.type, RDFS.Datatype))
        self.graph.add((kind, OWL.onDatatype, XSD.decimal))
        self.graph.add((kind, OWL.withRestrictions, self.list_([facet])))
        return self.restriction(property_, {OWL.someValuesFrom: kind})

    def hide(self, condition: Condition) -> URIRef:
        """The opaque class of a condition: the same text, the same class."""
        text = str(condition)
        iri = URIRef(OPAQUE + hashlib.sha256(text.encode()).hexdigest()[:16])
        self.opaque[str(iri)] = text
        self.graph.add((iri, RDF.type, OWL.Class))
        self.graph.add((iri, _MARK, Literal(text)))
        return iri

    def named(self, name: str) -> URIRef:
        """The IRI of a class. Raises LoopholeError with the nearest for a name that is none."""
        if name not in self.vocabulary.classes:
            raise LoopholeError(_unknown("class", name, self.vocabulary.classes))
        return URIRef(self.vocabulary.classes[name].iri)

    def term(self, name: str) -> PropertyTerm:
        """The property of a name. Raises LoopholeError with the nearest for a name that is none."""
        if name not in self.vocabulary.properties:
            raise LoopholeError(_unknown("property", name, self.vocabulary.properties))
        return self.vocabulary.properties[name]

    def property(self, name: str) -> URIRef:
        """The IRI of a property. Raises LoopholeError likewise."""
        return URIRef(self.term(name).iri)

    def simple(self, name: str) -> bool:
        """Whether OWL 2 DL lets a property be counted."""
        return simple(self.vocabulary, name)

    def role(self, role: Role) -> Node:
        """A property, or its inverse as a blank node."""
        iri = self.property(role.name)
        if not role.inverse:
            return iri
        node = BNode()
        self.graph.add((node, OWL.inverseOf, iri))
        return node

    def restriction(self, property_: Node, rest: dict[URIRef, Node]) -> BNode:
        """An owl:Restriction on a property. rest: what it restricts to."""
        node = BNode()
        for p, o in {RDF.type: OWL.Restriction, OWL.onProperty: property_, **rest}.items():
            self.graph.add((node, p, o))
        return node

    def class_(self, kind: URIRef, value: Node) -> BNode:
        """An anonymous class by one construct (owl:unionOf …)."""
        node = BNode()
        self.graph.add((node, RDF.type, OWL.Class))
        self.graph.add((node, kind, value))
        return node

    def list_(self, nodes: Sequence[Node]) -> BNode:
        """An RDF list."""
        cells = [BNode() for _ in nodes]
        for cell, node, rest in zip(cells, nodes, [*cells[1:], RDF.nil], strict=True):
            self.graph.add((cell, RDF.first, node))
            self.graph.add((cell, RDF.rest, rest))
        return cells[0]


def decimal(value: Fraction) -> Literal | None:
    """The exact decimal literal, None where its digits do not end (the reasoners are at odds about owl:rational)."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return None
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    whole = str(abs((value * 10**digits).numerator)).rjust(digits + 1, "0")
    text = whole if not digits else f"{whole[:-digits]}.{whole[-digits:]}"
    return Literal(("-" if value < 0 else "") + text, datatype=XSD.decimal)


def simple(vocabulary: Vocabulary, name: str) -> bool:
    """Whether OWL 2 DL lets a property be counted: no chain and no transitive property implies it."""
    if name not in vocabulary.properties:
        raise LoopholeError(_unknown("property", name, vocabulary.properties))
    term = vocabulary.properties[name]
    parts = [vocabulary.properties[n] for n in (*term.below, *term.inverses) if n in vocabulary.properties]
    return not any(p.transitive or set(p.chains) - set(p.others) for p in (term, *parts))


def _unknown(kind: str, name: str, known: object) -> Problem:
    pool = list(known) if isinstance(known, dict) else []
    return Problem(730, f"no {kind} is called “{name}”", hint=did_you_mean(name, pool) or "add it to the ontology")


# ── which conditions lie inside which ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Comparison:
    """subsumed: (i, j) where whatever meets condition i meets condition j, i ≠ j. empty: conditions nothing can meet;
    these are in no pair."""

    subsumed: frozenset[tuple[int, int]]
    empty: frozenset[int]


def situation(norm: Norm, focus: str) -> Condition:
    """All that a norm asks for: its focus class, its `when`, and none of its `unless`."""
    return And((Named(focus), norm.when, *(Not(u.condition) for u in norm.unless)))


def compare(conditions: Sequence[Condition], vocabulary: Vocabulary, background: Graph | None = None) -> Comparison:
    """Decide with HermiT which conditions lie inside which, given the ontology of the vocabulary's book.

    background: the ontology's triples; the book's own from the ontology folder when left out.
    Raises LoopholeError as kb.ontology.dl_reasoner.classify, and E730 for unknown names.
    """
    if background is None:
        background = sources.scope(vocabulary.book).graph
    translation = Translation(vocabulary)
    names = {f"{BASE}condition#c{i}": i for i in range(len(conditions))}
    for iri, i in names.items():
        translation.graph.add((URIRef(iri), RDF.type, OWL.Class))
        translation.graph.add((URIRef(iri), OWL.equivalentClass, translation.translate(conditions[i])))
    translation.graph.add((_MARK, RDF.type, OWL.AnnotationProperty))
    merged = background + translation.graph
    tree, nothing = run(merged)
    empty = frozenset(i for iri, i in names.items() if iri in nothing)
    pairs = {(i, names[a]) for iri, i in names.items() if i not in empty for a in tree[iri] if a in names and a != iri}
    return Comparison(frozenset(pairs), empty)


def subsumed(conditions: Sequence[Condition], vocabulary: Vocabulary) -> set[tuple[int, int]]:
    """The pairs (i, j) where condition i is subsumed by condition j. See `compare`."""
    return set(compare(conditions, vocabulary).subsumed)
