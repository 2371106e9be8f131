"""From a classified graph to the rows of a Vocabulary: what the reasoner of a book needs to know of each term.

Told axioms are closed under the class tree that the DL reasoners found. kb.vocabulary says what each field means.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, BNode, Literal, URIRef
from rdflib.term import Node

from kb.classify import Tree
from kb.errors import LoopholeError, Problem
from kb.ontology import NUMBERS, Scope, mark, terms, text_of
from kb.owl import Unsayable, condition_of
from kb.turtle import LP, curie
from kb.vocabulary import ABSENT, ASKED, COMPLETE

Row = dict[str, Any]
_SILENCE = {LP + "Absent": ABSENT, LP + "Complete": COMPLETE, LP + "Asked": ASKED}
_CAUTION = (ASKED, COMPLETE, ABSENT)  # of marks inherited from two sides, the one that presumes least


def rows(scope: Scope, tree: Tree) -> dict[str, dict[str, Row]]:
    """{"classes": {name: row}, "properties": {name: row}}, fields left out where they have their default.

    Raises LoopholeError for marks that cannot be read: E740 whenUnstated, E741 defaultValue, E742 a definition that the
    rule language cannot say, E743 a chain through a property read backwards that has no name.
    """
    return _Lexicon(scope, tree).rows()


class _Lexicon:
    def __init__(self, scope: Scope, tree: Tree):
        self.scope, self.graph, self.problems = scope, scope.graph, list[Problem]()
        inside = {str(n) for n in terms(self.graph, scope.iris())}
        self.classes = sorted(iri for iri in tree if iri in inside)
        self.above = {c: {a for a in tree[c] if a in inside} for c in self.classes}
        self.properties = sorted(inside - set(self.classes))

    def rows(self) -> dict[str, dict[str, Row]]:
        silence = self.silence(self.classes, self.above)
        disjoint, existential = self.disjoint(), self.existential()
        classes = {}
        for iri in self.classes:
            row = self.row(iri, silence[iri])
            row["parents"] = _names(self.parents(iri))
            row["disjoint"] = _names(disjoint[iri])
            row["definitions"] = self.definitions(iri)
            row["existential"] = existential[iri]
            classes[_name(iri)] = _lean(row)
        properties = self.property_rows()
        if self.problems:
            raise LoopholeError(self.problems)
        return {"classes": classes, "properties": properties}

    def row(self, iri: str, silence: str) -> Row:
        node = URIRef(iri)
        labels = {str(o) for o in self.graph.objects(node, SKOS.altLabel)}
        return {
            "iri": iri,
            "label": text_of(self.graph, node, RDFS.label) or _name(iri),
            "alt": sorted(labels),
            "definition": text_of(self.graph, node, SKOS.definition),
            "source": ", ".join(sorted(str(o) for o in self.graph.objects(node, DCTERMS.source))),
            "verbalization": text_of(self.graph, node, mark("verbalization")),
            "when_unstated": "" if silence == ASKED else silence,
            "derived": text_of(self.graph, node, mark("derivedBy")),
        }

    def problem(self, code: int, iri: str, message: str, hint: str) -> None:
        self.problems.append(Problem(code, f"{curie(iri)} {message}", self.scope.place(URIRef(iri)), hint))

    # ── classes ─────────────────────────────────────────────────────────────────────────────────────────

    def parents(self, iri: str) -> set[str]:
        """Direct superclasses; a class with another name for it has that name among its parents."""
        same = {a for a in self.above[iri] if iri in self.above[a]}
        over = self.above[iri] - same
        direct = {a for a in over if not any(a in self.above[b] and b not in self.above[a] for b in over)}
        return direct | (same - {iri})

    def silence(self, iris: Iterable[str], above: Mapping[str, set[str]]) -> dict[str, str]:
        """What each term's silence means: its own mark, else its nearest ancestors'; where these differ, the one that
        presumes least."""
        own: dict[str, str] = {}
        for iri in iris:
            told = {str(o) for o in self.graph.objects(URIRef(iri), mark("whenUnstated"))}
            if len(told) > 1 or not told <= _SILENCE.keys():
                said = ", ".join(sorted(map(curie, told)))
                self.problem(740, iri, f"says lp:whenUnstated {said}", "say one of lp:Absent, lp:Complete, lp:Asked")
            elif told:
                own[iri] = _SILENCE[told.pop()]
        found = {}
        for iri in above:
            marked = {a for a in above[iri] if a in own}
            nearest = {a for a in marked if not any(a in above[b] and b not in above[a] for b in marked)}
            said = {own[a] for a in ({iri} & marked or nearest)}
            found[iri] = next((s for s in _CAUTION if s in said), ASKED)
        return found

    def disjoint(self) -> dict[str, set[str]]:
        """The most general pairs told disjoint, on both sides; a Vocabulary closes them under subclasses."""
        pairs: set[tuple[Node, Node]] = set()
        graph = self.graph
        for axiom in graph.subjects(RDF.type, OWL.AllDisjointClasses):
            for head in graph.objects(axiom, OWL.members):
                pairs |= _pairs(list(graph.items(head)))
        for head in graph.objects(None, OWL.disjointUnionOf):
            pairs |= _pairs(list(graph.items(head)))
        pairs |= set(graph.subject_objects(OWL.disjointWith))
        for iri in self.classes:
            for part in self.conjuncts(URIRef(iri)):
                for outside in graph.objects(part, OWL.complementOf):
                    pairs |= {(URIRef(iri), d) for d in self.disjuncts(outside)}
            for outside in graph.objects(URIRef(iri), OWL.complementOf):
                pairs |= {(URIRef(iri), d) for d in self.disjuncts(outside)}
        named = {(str(a), str(b)) for a, b in pairs if str(a) in self.above and str(b) in self.above and a != b}
        named |= {(b, a) for a, b in named}
        found: dict[str, set[str]] = defaultdict(set)
        for a, b in named:
            weaker = any((c, d) != (a, b) and (c, d) in named for c in self.above[a] for d in self.above[b])
            if not weaker or b in self.above[a]:
                found[a].add(b)
        return found

    def conjuncts(self, node: Node) -> list[Node]:
        """All that a class is told to be: superclasses and equals, intersections taken apart."""
        found: list[Node] = []
        queue = [*self.graph.objects(node, RDFS.subClassOf), *self.graph.objects(node, OWL.equivalentClass)]
        queue += self.graph.subjects(OWL.equivalentClass, node)
        while queue:
            part = queue.pop()
            heads = list(self.graph.objects(part, OWL.intersectionOf)) if isinstance(part, BNode) else []
            if heads:
                queue += [item for head in heads for item in self.graph.items(head)]
            else:
                found.append(part)
        return found

    def disjuncts(self, node: Node) -> list[Node]:
        head = self.graph.value(node, OWL.unionOf) if isinstance(node, BNode) else None
        return [node] if head is None else [d for item in self.graph.items(head) for d in self.disjuncts(item)]

    def existential(self) -> dict[str, list[list[str]]]:
        """Of each class the most specific (property, class) such that every member has such a value."""
        own = {iri: set(self.own_existential(URIRef(iri))) for iri in self.classes}
        below = self.closed()[0]
        found = {}
        for iri in self.classes:
            every = set().union(*(own[a] for a in self.above[iri]))

            def says(one: tuple[str, str], other: tuple[str, str]) -> bool:
                (q, e), (p, d) = one, other
                return q in below[p] and (not d or d in self.above.get(e, ()))

            keep = [
                pair for pair in every
                if not any(o != pair and says(o, pair) and (o < pair or not says(pair, o)) for o in every)
            ]  # fmt: skip
            found[iri] = [[_name(p), _name(d) if d else "Thing"] for p, d in sorted(keep)]
        return found

    def own_existential(self, node: Node) -> Iterable[tuple[str, str]]:
        for part in self.conjuncts(node):
            p = self.graph.value(part, OWL.onProperty) if isinstance(part, BNode) else None
            if p is None or str(p) not in self.properties or (p, RDF.type, OWL.ObjectProperty) not in self.graph:
                continue
            filler = self.graph.value(part, OWL.someValuesFrom)
            counts = [self.graph.value(part, c) for c in (OWL.minQualifiedCardinality, OWL.qualifiedCardinality)]
            if any(n is not None and int(str(n)) > 0 for n in counts):
                filler = self.graph.value(part, OWL.onClass)
            bare = [self.graph.value(part, c) for c in (OWL.minCardinality, OWL.cardinality)]
            if any(n is not None and int(str(n)) > 0 for n in bare):
                filler = OWL.Thing
            if filler is None:
                continue
            parts = [filler] if isinstance(filler, URIRef) else self.parts(filler)
            for d in [str(f) for f in parts if str(f) in self.above] or [""]:
                yield str(p), d

    def parts(self, node: Node) -> list[Node]:
        head = self.graph.value(node, OWL.intersectionOf)
        return list(self.graph.items(head)) if head is not None else []

    def definitions(self, iri: str) -> list[str]:
        found = []
        for told in self.graph.objects(URIRef(iri), OWL.equivalentClass):
            try:
                found.append(str(condition_of(self.graph, told)))
            except Unsayable as error:
                hint = "use rdfs:subClassOf, or mark the class lp:derivedBy a module"
                self.problem(742, iri, f"is defined by what the rule language cannot say: {error}", hint)
        return sorted(found)

    # ── properties ──────────────────────────────────────────────────────────────────────────────────────

    def closed(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """(below, inverses): of each property those whose values are its own, read forwards and read backwards."""
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
        below, inverses = {}, {}
        for iri in self.properties:
            reached, queue = {(iri, True)}, [(iri, True)]
            while queue:
                more = edges[queue.pop()] - reached
                reached |= more
                queue += more
            below[iri] = {p for p, forwards in reached if forwards and p in self.properties}
            inverses[iri] = {p for p, forwards in reached if not forwards and p in self.properties}
        return below, inverses

    def property_rows(self) -> dict[str, Row]:
        graph = self.graph
        below, inverses = self.closed()
        above = {p: {q for q in self.properties if p in below[q]} for p in self.properties}
        silence = self.silence(self.properties, above)
        chains = {p: self.chains(p, inverses) for p in self.properties}
        found = {}
        for iri in self.properties:
            node = URIRef(iri)
            row = self.row(iri, silence[iri])
            row["kind"] = self.kind(node)
            row["below"] = [_name(iri), *(n for n in _names(below[iri]) if n != _name(iri))]
            row["inverses"] = _names(inverses[iri])
            every = {c for q in below[iri] for c in chains[q]}
            turned = [self.backwards(c, inverses) for q in inverses[iri] for c in chains[q]]
            every |= {tuple(reversed(c)) for c in turned if c}
            row["chains"] = [list(map(_name, c)) for c in sorted(every)]
            single = {str(p) for p in graph.subjects(RDF.type, OWL.FunctionalProperty)} & above[iri]
            turned_single = {str(p) for p in graph.subjects(RDF.type, OWL.InverseFunctionalProperty)}
            single |= {q for q in turned_single if iri in inverses[q]}
            row["functional"] = bool(single)
            same = [q for q in (*below[iri], *inverses[iri]) if iri in below[q] or iri in inverses[q]]
            row["transitive"] = any((URIRef(q), RDF.type, OWL.TransitiveProperty) in graph for q in same)
            row["domain"] = self.end(iri, above, inverses, RDFS.domain, RDFS.range)
            row["range"] = self.end(iri, above, inverses, RDFS.range, RDFS.domain)
            row["staged"] = text_of(graph, node, mark("staged")) == "true"
            row["default"] = self.default(iri)
            row["unit"] = text_of(graph, node, mark("unit"))
            found[_name(iri)] = _lean(row, keep=("iri", "label", "kind", "below"))
        return found

    def kind(self, node: URIRef) -> str:
        if (node, RDF.type, OWL.ObjectProperty) in self.graph:
            return "object"
        ranges = set(self.graph.objects(node, RDFS.range))
        return "flag" if XSD.boolean in ranges else "number" if ranges & set(NUMBERS) else "text"

    def chains(self, iri: str, inverses: Mapping[str, set[str]]) -> set[tuple[str, ...]]:
        found = set()
        for head in self.graph.objects(URIRef(iri), OWL.propertyChainAxiom):
            steps = []
            for step in self.graph.items(head):
                turned = self.graph.value(step, OWL.inverseOf) if isinstance(step, BNode) else None
                if turned is None:
                    steps.append(str(step))
                elif names := self.same_backwards(str(turned), inverses):
                    steps.append(names[0])
                else:
                    self.problem(743, iri, f"has a chain through inverse {_name(str(turned))}", "name that inverse")
            found.add(tuple(steps))
        return found

    def backwards(self, chain: tuple[str, ...], inverses: Mapping[str, set[str]]) -> tuple[str, ...] | None:
        """The chain's steps each read backwards, where every step has a name for that."""
        names = [self.same_backwards(step, inverses) for step in chain]
        return tuple(n[0] for n in names) if all(names) else None

    def same_backwards(self, iri: str, inverses: Mapping[str, set[str]]) -> list[str]:
        return sorted(q for q in inverses.get(iri, ()) if iri in inverses.get(q, ()))

    def end(
        self, iri: str, above: Mapping[str, set[str]], inverses: Mapping[str, set[str]], here: URIRef, there: URIRef
    ) -> str:
        """The most specific named class told as domain (or range), of the property or one above it; "" without one."""
        told = {str(o) for q in above[iri] for o in self.graph.objects(URIRef(q), here)}
        told |= {str(o) for q in self.same_backwards(iri, inverses) for o in self.graph.objects(URIRef(q), there)}
        named = {t for t in told if t in self.above}
        lowest = sorted(t for t in named if not any(t in self.above[u] and u not in self.above[t] for u in named))
        return _name(lowest[0]) if lowest else ""

    def default(self, iri: str) -> str | None:
        told = [o for o in self.graph.objects(URIRef(iri), mark("defaultValue")) if isinstance(o, Literal)]
        if not told:
            return None
        try:
            return str(Fraction(str(told[0])))
        except (ValueError, ZeroDivisionError):
            self.problem(741, iri, f"has the default “{told[0]}”", "give a number: 0, 1/2, 2.5")
            return None


def _pairs(nodes: list[Node]) -> set[tuple[Node, Node]]:
    return {(a, b) for i, a in enumerate(nodes) for b in nodes[i + 1 :]}


def _lean(row: Row, keep: tuple[str, ...] = ("iri", "label")) -> Row:
    return {k: v for k, v in row.items() if k in keep or v not in ("", [], (), None, False)}


def _name(iri: str) -> str:
    return iri.rpartition("#")[2]


def _names(iris: Iterable[str]) -> list[str]:
    return sorted(map(_name, iris))


