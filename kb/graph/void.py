"""What the graph says of itself: VoID and DCAT, with version, licence, creators and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rdflib import DCAT, DCTERMS, OWL, RDF, VOID, Graph, Literal, URIRef

from kb.graph.cases import in_english, plain
from kb.graph.proofs import version
from kb.language import iris

LICENCE = URIRef("https://www.apache.org/licenses/LICENSE-2.0")
FORMATS = {
    "trig": "application/trig", "nq": "application/n-quads", "ttl": "text/turtle", "rdf": "application/rdf+xml",
    "jsonld": "application/ld+json", "nt": "application/n-triples", "ofn": "text/owl-functional",
}  # fmt: skip
VOCABULARIES = (
    "http://www.w3.org/2002/07/owl#", "http://www.w3.org/ns/prov#", "http://www.w3.org/2004/02/skos/core#",
    "http://purl.org/dc/terms/", iris.BASE + "core#",
)  # fmt: skip


def describe(graphs: Mapping[str, Graph], books: Iterable[str]) -> Graph:
    """The description of a set of named graphs."""
    found = Graph()
    me, counts = URIRef(f"{iris.BASE}dataset"), {name: len(set(graph)) for name, graph in graphs.items()}

    def put(s: URIRef, predicate: URIRef, *objects: URIRef | Literal) -> None:
        for o in objects:
            found.add((s, predicate, o))

    put(me, RDF.type, VOID.Dataset, DCAT.Dataset)
    put(me, DCTERMS.title, in_english("Loophole: rules of tabletop wargames as one graph"))
    put(
        me,
        DCTERMS.description,
        in_english("What rulebooks say, in words of our own and as norms over an OWL ontology."),
    )
    put(me, DCTERMS.license, LICENCE)
    put(me, DCTERMS.creator, plain("The Loophole contributors"))
    put(me, OWL.versionInfo, plain(version()))
    put(me, URIRef(f"{DCAT}version"), plain(version()))
    put(me, DCTERMS.hasVersion, URIRef(f"{iris.BASE}dataset/{version()}"))
    put(me, DCTERMS.subject, *(URIRef(iris.book(b)) for b in books))
    put(me, VOID.triples, Literal(sum(counts.values())))
    put(me, VOID.uriSpace, plain(iris.BASE))
    put(me, VOID.exampleResource, *(URIRef(iris.book(b)) for b in books))
    put(me, VOID.vocabulary, *map(URIRef, VOCABULARIES))
    put(me, DCAT.keyword, *map(in_english, ("wargame", "rules", "norms", "ontology", "proof")))
    for name in graphs:
        part = URIRef(name)
        put(me, VOID.subset, part)
        put(part, RDF.type, VOID.Dataset)
        put(part, VOID.triples, Literal(counts[name]))
        put(part, DCTERMS.isPartOf, me)
    for name, media in FORMATS.items():
        file = URIRef(f"{iris.BASE}dataset/{version()}/loophole.{name}")
        put(me, DCAT.distribution, file)
        put(file, RDF.type, DCAT.Distribution)
        put(file, DCAT.mediaType, URIRef(f"https://www.iana.org/assignments/media-types/{media}"))
        put(file, DCTERMS.license, LICENCE)
        put(file, DCTERMS.title, in_english(f"Loophole {version()}, {name}"))
    return found
