"""One ontology whole, by the name that its IRI ends in: `core`, `tactics`, a book's words (`asl`), a file of them (`asl-b30`), or
`all` that is known; in the formats that tools of OWL open."""

from __future__ import annotations

from collections.abc import Callable

from rdflib import OWL, RDF, Graph, URIRef

from kb import errors, registry
from kb.errors import Problem, QueryError
from kb.graph import export
from kb.graph.blank_nodes import ntriples
from kb.graph.one_ontology import declare, header
from kb.graph.version import kept
from kb.language import iris
from kb.ontology import sources
from kb.ontology.functional_syntax import document
from kb.ontology.turtle import canonical

ALL = "all"
KINDS = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, OWL.NamedIndividual)
FORMATS = ("ttl", "rdf", "ofn", "jsonld", "nt")


def names() -> list[str]:
    """The names there are: of all that is known, of each namespace, of each file of the ontology."""
    found = {ALL}
    for source in every():
        found |= {source.namespace.rstrip("#").removeprefix(iris.BASE), name_of(source)}
    return sorted(found)


def of_name(name: str, format: str = "ttl") -> str:
    """An ontology as text. Raises QueryError: E614 no such ontology, E960 no such format."""
    if format not in FORMATS:
        raise QueryError(
            Problem(960, f"there is no format “{format}”", hint=errors.did_you_mean(format, FORMATS, "formats:"))
        )
    if name == ALL:
        return export.of_format(format)
    parts = [s for s in every() if name in (s.namespace.rstrip("#").removeprefix(iris.BASE), name_of(s))]
    if not parts:
        raise QueryError(
            Problem(614, f"there is no ontology “{name}”", hint=errors.did_you_mean(name, names(), "ontologies:"))
        )
    return kept(
        f"ontology-{name.replace('/', '.')}", format, lambda: written(merged(name, parts), format).encode()
    ).decode()


def every() -> list[sources.Source]:
    """Each file of the ontology of every book, once."""
    books = set(registry.books())
    scopes = [scope for scope in sources.all_scopes() if scope.book in books]
    return list({(s.root, s.name): s for scope in scopes for s in scope.sources}.values())


def name_of(source: sources.Source) -> str:
    """What the IRI of a file's ontology ends in."""
    named = [str(o) for o in source.graph.subjects(RDF.type, OWL.Ontology) if isinstance(o, URIRef)]
    return (named or [source.namespace.rstrip("#")])[0].removeprefix(iris.BASE)


def merged(name: str, parts: list[sources.Source]) -> Graph:
    """The triples of some files under one header, with what they use declared, be it of another file."""
    graph = Graph(store="SimpleMemory")
    for source in parts:
        graph.addN((s, p, o, graph) for s, p, o in source.graph)
    if len(set(graph.subjects(RDF.type, OWL.Ontology))) != 1:
        for s in list(graph.subjects(RDF.type, OWL.Ontology)):
            graph.remove((s, None, None))
        header(graph, f"{iris.BASE}{name}")
    used = {node for triple in graph for node in triple if isinstance(node, URIRef)}
    for source in every():
        for kind in KINDS:
            graph.addN((s, RDF.type, kind, graph) for s in source.graph.subjects(RDF.type, kind) if s in used)
    declare(graph)
    return graph


def written(graph: Graph, format: str) -> str:
    """A graph in a format, always the same."""
    write: dict[str, Callable[[Graph], str]] = {
        "ttl": lambda g: canonical(g, export.HEAD, {}),
        "rdf": lambda g: export.steady(g).serialize(format="xml"),
        "ofn": document,
        "jsonld": lambda g: export.steady(g).serialize(
            format="json-ld", context=export.context()["@context"], sort_keys=True, indent=1
        ),
        "nt": lambda g: "".join(ntriples(g)),
    }
    return write[format](graph)
