"""Turtle in one style, so that a diff of an ontology file is a diff of what it says.

Stable prefixes; the ontology first, then terms by IRI, then nameless axioms; predicates in the order a reader wants;
blank nodes nested, lists written as lists. Only triples and the comment lines at the head of a file are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rdflib import DCTERMS, OWL, PROV, RDF, RDFS, SH, SKOS, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.errors import LoopholeError, Problem

BASE = "https://w3id.org/loophole/"
LP = BASE + "core#"
WIDTH = 120

_SHORT = {"core": "lp", "tactics": "tac"}  # a namespace of ours is its own prefix, but for these
_KNOWN = {
    str(DCTERMS): "dcterms",
    "http://docs.oasis-open.org/legalruleml/ns/v1.0/metamodel#": "lrml",
    str(OWL): "owl",
    str(PROV): "prov",
    str(RDF): "rdf",
    str(RDFS): "rdfs",
    str(SH): "sh",
    str(SKOS): "skos",
    str(XSD): "xsd",
}
PREFIXES = {prefix: namespace for namespace, prefix in _KNOWN.items()} | {
    prefix: f"{BASE}{name}#" for name, prefix in _SHORT.items()
}
_FIRST = [
    RDF.type, RDFS.subClassOf, RDFS.subPropertyOf, OWL.equivalentClass, OWL.equivalentProperty, OWL.disjointUnionOf,
    OWL.disjointWith, OWL.complementOf, OWL.inverseOf, OWL.propertyChainAxiom, OWL.onProperty, OWL.onClass,
    RDFS.domain, RDFS.range, RDFS.label, SKOS.altLabel, SKOS.hiddenLabel, SKOS.definition, DCTERMS.source,
    URIRef(LP + "verbalization"), URIRef(LP + "whenUnstated"), URIRef(LP + "defaultValue"), URIRef(LP + "unit"),
    URIRef(LP + "derivedBy"), URIRef(LP + "staged"), URIRef(LP + "inCell"), URIRef(LP + "ofWholeCell"), URIRef(LP + "toldBy"), URIRef(LP + "askedThrough"),
    URIRef(LP + "changedBy"), URIRef(LP + "failsWith"), URIRef(LP + "singly"), URIRef(LP + "asOne"), URIRef(LP + "takenFor"), URIRef(LP + "cell"), URIRef(LP + "toldAs"),
    URIRef(LP + "toldThrough"), URIRef(LP + "toldByKind"),
    URIRef(LP + "mustBeTold"), URIRef(LP + "othersBy"),
]  # fmt: skip
_ORDER = {predicate: i for i, predicate in enumerate(_FIRST)}
_LOCAL = re.compile(r"[^\W\d](?:[\w-]*)")
_FURTHER = re.compile(r"\w(?:[\w.-]*[\w-])?")
_BARE = {
    XSD.integer: re.compile(r"[+-]?\d+"),
    XSD.decimal: re.compile(r"[+-]?\d*\.\d+"),
    XSD.boolean: re.compile(r"true|false"),
}


@lru_cache(maxsize=200_000)
def prefix_of(iri: str) -> tuple[str, str, str] | None:
    """(prefix, namespace, local name) of an IRI, or None where it has to be written out."""
    cut = max(iri.rfind("#"), iri.rfind("/")) + 1
    namespace, local = iri[:cut], iri[cut:]
    if ours := re.fullmatch(re.escape(BASE) + r"([a-z]\w*)#", namespace):
        prefix = _SHORT.get(ours[1], ours[1])
    else:
        prefix = _KNOWN.get(namespace, "")
    return (prefix, namespace, local) if prefix and _LOCAL.fullmatch(local) else None


def lp(name: str) -> URIRef:
    """A term of our core vocabulary."""
    return URIRef(LP + name)


def local(node: object) -> str:
    """The name of an IRI inside its namespace."""
    return str(node).rpartition("#")[2]


def curie(iri: str) -> str:
    """`asl:Pillbox`, or `<…>` for an IRI that has no prefix here."""
    found = prefix_of(iri)
    return f"{found[0]}:{found[2]}" if found else f"<{iri}>"


def canonical(graph: Graph, comments: Iterable[str] = (), prefixes: Mapping[str, str] | None = None) -> str:
    """The graph as Turtle in the project's one style, under the comment lines given.

    prefixes: further namespaces, each with its prefix.

    Raises LoopholeError (E711) for a blank node that has no place to be nested in: one used twice, or in a circle.
    """
    return _Writer(graph, prefixes or {}).write(comments)


def head_comments(text: str) -> list[str]:
    """The comment lines at the top of a file, before anything else."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.rstrip())
    return lines


class _Writer:
    def __init__(self, graph: Graph, more: Mapping[str, str]):
        self.graph, self.more = graph, more
        self.prefixes: dict[str, str] = {}
        self.written: set[Node] = set()

    def write(self, comments: Iterable[str]) -> str:
        subjects = set(self.graph.subjects())
        named = sorted((s for s in subjects if isinstance(s, URIRef)), key=self.subject_key)
        blocks = [self.block(self.term(s), s) for s in named]
        roots = [s for s in subjects if isinstance(s, BNode) and not any(self.graph.subjects(None, s))]
        blocks += sorted(self.block("[]", s) for s in roots)
        if lost := [s for s in subjects if isinstance(s, BNode) and s not in self.written]:
            raise LoopholeError(self.stray(lost[0]))
        head = "".join(line + "\n" for line in comments)
        prefixes = "".join(f"@prefix {p}: <{ns}> .\n" for p, ns in sorted(self.prefixes.items()))
        return "\n".join([head + prefixes, *blocks]) if blocks else head + prefixes

    def subject_key(self, subject: Node) -> tuple[bool, str]:
        return (subject, RDF.type, OWL.Ontology) not in self.graph, str(subject)

    def block(self, head: str, subject: Node) -> str:
        self.written.add(subject)
        rows = [f"{p} {self.objects(p, os, 4)}" for p, os in self.predicates(subject)]
        return f"{head} " + " ;\n    ".join(rows) + " .\n"

    def predicates(self, subject: Node) -> list[tuple[str, list[Node]]]:
        found: dict[Node, list[Node]] = {}
        for p, o in self.graph.predicate_objects(subject):
            found.setdefault(p, []).append(o)
        order = sorted(found, key=lambda p: (_ORDER.get(URIRef(str(p)), len(_ORDER)), curie(str(p))))
        return [("a" if p == RDF.type else self.term(p), found[p]) for p in order]

    def objects(self, predicate: str, objects: list[Node], indent: int) -> str:
        kind = {URIRef: 0, Literal: 1, BNode: 2}
        texts = [(kind[type(o)], self.object(o, indent + 4)) for o in objects]
        texts.sort(key=lambda pair: (pair[0], pair[1] != "owl:Class", pair[1]))
        line = " , ".join(text for _, text in texts)
        if indent + len(predicate) + len(line) + 3 <= WIDTH and "\n" not in line:
            return line
        return (" ,\n" + " " * (indent + 4)).join(text for _, text in texts)

    def object(self, node: Node, indent: int) -> str:
        if not isinstance(node, BNode):
            return self.term(node)
        if node in self.written or len(list(self.graph.triples((None, None, node)))) > 1:
            raise LoopholeError(self.stray(node))
        if (node, RDF.first, None) in self.graph:
            return self.fold("(", [self.object(item, indent + 2) for item in self.items(node)], "", ")", indent)
        self.written.add(node)
        rows = [f"{p} {self.objects(p, os, indent)}" for p, os in self.predicates(node)]
        return self.fold("[", rows, " ;", "]", indent)

    def fold(self, left: str, rows: list[str], separator: str, right: str, indent: int) -> str:
        """The rows on one line where they fit, else one a line."""
        line = f"{left} {(separator + ' ').join(rows)} {right}"
        if indent + len(line) <= WIDTH and "\n" not in line:
            return line
        return f"{left} " + (separator + "\n" + " " * (indent + 2)).join(rows) + f" {right}"

    def items(self, head: Node) -> list[Node]:
        found: list[Node] = []
        while head != RDF.nil:
            if head in self.written or len(list(self.graph.predicate_objects(head))) not in (2, 3):
                raise LoopholeError(self.stray(head))
            self.written.add(head)
            found.extend(self.graph.objects(head, RDF.first))
            rest = list(self.graph.objects(head, RDF.rest))
            if len(rest) != 1:
                raise LoopholeError(self.stray(head))
            head = rest[0]
        return found

    def term(self, node: Node) -> str:
        if isinstance(node, Literal):
            return self.literal(node)
        found = prefix_of(str(node)) or (self.further(str(node)) if self.more else None)
        if found is None:
            return f"<{node}>"
        self.prefixes[found[0]] = found[1]
        return f"{found[0]}:{found[2]}"

    def further(self, iri: str) -> tuple[str, str, str] | None:
        """As `prefix_of`, for the namespaces that the writer was given."""
        for namespace in sorted(self.more, key=len, reverse=True):
            local = iri.removeprefix(namespace)
            if local != iri and _FURTHER.fullmatch(local.replace("/", "")):
                return self.more[namespace], namespace, local.replace("/", "\\/")  # a slash in a name is escaped
        return None

    def literal(self, node: Literal) -> str:
        text = str(node)
        if node.datatype in _BARE and _BARE[node.datatype].fullmatch(text):
            return text
        quoted = '"' + text.translate(ESCAPES) + '"'
        if node.language:
            return f"{quoted}@{node.language}"
        if node.datatype and node.datatype != XSD.string:
            return f"{quoted}^^{self.term(node.datatype)}"
        return quoted

    def stray(self, node: Node) -> Problem:
        uses = sorted({curie(str(s)) for s in self.graph.subjects(None, node) if isinstance(s, URIRef)})
        where = f" by {', '.join(uses)}" if uses else ""
        return Problem(711, f"a blank node is used twice or in a circle{where}", hint="give it a name")


ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
