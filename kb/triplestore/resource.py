"""What the graph says of one thing: for its page, and in the forms of linked data for whoever resolves its IRI."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rdflib import Graph

from kb.errors import Problem, QueryError, did_you_mean
from kb.graph import dataset, export
from kb.triplestore.results import Term, prefixes, short
from kb.triplestore.store import Store, opened


@lru_cache
def store() -> Store:
    """The store of the environment's setting, opened once."""
    return opened()


TURTLE, JSON_LD, RDF_XML, N_TRIPLES = (
    "text/turtle",
    "application/ld+json",
    "application/rdf+xml",
    "application/n-triples",
)
FORMS = {TURTLE: "turtle", RDF_XML: "xml", JSON_LD: "json-ld", N_TRIPLES: "nt"}  # by what rdflib calls them
MOST, SECONDS = 500, 5.0


def rows(iri: str) -> list[tuple[str, str, str]]:
    """(property, value, the value's IRI or ""); `^property` for what points to it. Raises QueryError E614 for nothing."""
    one = wanted(iri)
    out = store().select(f"SELECT DISTINCT ?p ?o WHERE {{ {one} ?p ?o }} ORDER BY ?p ?o", MOST, SECONDS).rows
    back = (
        store()
        .select(f"SELECT DISTINCT ?p ?s WHERE {{ ?s ?p {one} FILTER(isIRI(?s)) }} ORDER BY ?p ?s", MOST, SECONDS)
        .rows
    )
    if not out and not back:
        raise missing(iri)
    known = prefixes()
    found = [(short(p, known), short(o, known), o.value if o.kind == "iri" else "") for p, o in out if p and o]
    return found + [(f"^{short(p, known)}", short(s, known), s.value) for p, s in back if p and s]


def text(iri: str, media: str = TURTLE) -> str:
    """Its own statements, those of its parts and of the blank nodes beside it. Raises QueryError E614 for nothing."""
    one = wanted(iri)
    query = f"""CONSTRUCT {{ ?s ?p ?o }} WHERE {{
      {{ BIND({one} AS ?s) }} UNION {{ ?s lp:partOf {one} }} UNION {{ {one} ?q ?s FILTER(isBlank(?s)) }}
      ?s ?p ?o }}"""
    table = store().select(query, None, SECONDS)
    if not table.rows:  # a namespace: what its terms are
        inside = Term("literal", iri + "#").sparql()
        query = (
            f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ ?s a ?c ; ?p ?o FILTER(STRSTARTS(STR(?s), {inside}) && !isBlank(?o)) }}"
        )
        table = store().select(query, None, SECONDS)
    if not table.rows:
        raise missing(iri)
    return serialized(table.rows, media)


def serialized(rows: Iterable[Sequence[Term | None]], media: str) -> str:
    """Triples in one of FORMS, the prefixes of queries used."""
    lines = [
        " ".join(f"_:{t.value}" if t.kind == "bnode" else t.sparql() for t in row if t is not None) for row in rows
    ]
    found = Graph()
    for prefix, namespace in dataset.prefixes().items():
        found.bind(prefix, namespace, replace=True)
    found.parse(data="".join(f"{line} .\n" for line in sorted(lines)), format="nt")
    return converted(found, media)


def converted(found: Graph, media: str) -> str:
    """A graph in one of FORMS."""
    if media == JSON_LD:
        return str(found.serialize(format="json-ld", context=export.context()["@context"], indent=1, sort_keys=True))
    return str(found.serialize(format=FORMS[media]))


def reread(turtle: str, media: str) -> str:
    """Turtle in one of FORMS."""
    return turtle if media == TURTLE else converted(Graph().parse(data=turtle, format="turtle"), media)


def wanted(iri: str) -> str:
    """An IRI as SPARQL has it. Raises QueryError (E614)."""
    try:
        return Term("iri", iri).sparql()
    except ValueError:
        raise missing(iri) from None


def missing(iri: str) -> QueryError:
    """What to raise for an IRI of which nothing is known, with the nearest ones."""
    head = iri.rpartition("/")[0]
    try:
        beside = f"SELECT DISTINCT ?s WHERE {{ ?s ?p ?o FILTER(STRSTARTS(STR(?s), {Term('literal', head + '/').sparql()})) }} LIMIT 2000"
        known = [s.value for (s,) in store().select(beside, 2000, SECONDS).rows if s]
    except ValueError:
        known = []
    return QueryError(
        Problem(
            614,
            f"nothing is known of <{iri}>",
            hint=did_you_mean(iri, known) or "loophole search finds things by words",
        )
    )
