"""The graph's door: ontologies whole in every form, to whatever OWL tools and browsers ask for; graphs of queries; what the service says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from rdflib import OWL, RDF, Graph, Namespace, URIRef

from kb.errors import QueryError
from kb.graph import ontologies
from kb.language import iris
from tests import dl_profile
from tests.night import turn

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
# As the OWL API 4 sends it, which Protégé 5 opens an address with; what the OWL API 5, rdflib and a browser send.
PROTEGE = "application/rdf+xml, application/xml; q=0.7, text/xml; q=0.6, text/plain; q=0.1, */*; q=0.09"
OWL_API = "application/rdf+xml,application/xml; q=0.5,text/xml; q=0.3,*/*; q=0.2"
RDFLIB = "text/turtle, application/rdf+xml, text/rdf+n3, application/x-turtle, application/xhtml+xml;q=0.5, */*;q=0.1"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PARSERS = {
    "text/turtle": "turtle",
    "application/rdf+xml": "xml",
    "application/ld+json": "json-ld",
    "application/n-triples": "nt",
}
CONSTRUCT = "CONSTRUCT { ?n lp:beats ?o ; dcterms:identifier ?i } WHERE { ?n lp:beats ?o ; dcterms:identifier ?i FILTER(?n = norm:asl\\/B30.42) }"


def kind(client: TestClient, path: str, accept: str) -> str:
    found = client.get(path, headers={"accept": accept})
    assert found.status_code == 200, found.text[:300]
    return found.headers["content-type"].partition(";")[0]


# ── ontologies ──


@pytest.mark.slow
def test_an_ontology_has_a_name_for_each_namespace_and_file() -> None:
    assert {"all", "core", "tactics", "asl", "vv", "fow", "asl-b30", "fow/acts"} <= set(ontologies.names())
    with pytest.raises(QueryError, match=r"E614(.|\n)*did you mean"):
        ontologies.of_name("tactis")
    with pytest.raises(QueryError, match="E960"):
        ontologies.of_name("core", "docx")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["core", "tactics", "vv"])
def test_an_ontology_is_whole_in_every_form(name: str, client: TestClient, root: Path) -> None:
    counts = {}
    for media, parser in PARSERS.items():
        text = client.get(f"/id/{name}", headers={"accept": media}).text
        counts[media] = len(Graph().parse(data=text, format=parser))
    assert len(set(counts.values())) == 1, counts
    file = root / "ontology" / f"{name}.ttl"
    files = [file] if file.exists() else list((root / "ontology" / name).glob("*.ttl"))
    terms = {s for f in files for s in Graph().parse(f).subjects(RDF.type, OWL.Class) if isinstance(s, URIRef)}
    whole = Graph().parse(data=client.get(f"/id/{name}.nt").text, format="nt")
    assert len(terms) > 30 and terms <= set(whole.subjects(RDF.type, OWL.Class))
    assert len(set(whole.subjects(RDF.type, OWL.Ontology))) == 1
    functional = client.get(f"/id/{name}.ofn")
    assert functional.headers["content-type"].startswith("text/owl-functional")
    assert [t for t in terms if f"Declaration(Class(<{t}>))" not in functional.text] == []


@turn(of=3, on=2)
@pytest.mark.slow
@pytest.mark.reasoner
@pytest.mark.parametrize("name", ["core", "tactics", "asl-b30", "vv"])
def test_the_owl_api_reads_each_by_itself(name: str) -> None:
    assert dl_profile.violations(ontologies.of_name(name, "ofn")) == []


@pytest.mark.slow
def test_tools_get_rdf_and_browsers_a_page(client: TestClient) -> None:
    assert kind(client, "/id/core", PROTEGE) == kind(client, "/id/core", OWL_API) == "application/rdf+xml"
    assert kind(client, "/id/core", RDFLIB) == "text/turtle"
    assert kind(client, "/id/core", "text/owl-functional") == "text/owl-functional"
    assert kind(client, "/id/core", BROWSER) == kind(client, "/id/core", "*/*") == "text/html"
    assert kind(client, "/id/core.owl", "*/*") == kind(client, "/id/fow/acts.rdf", BROWSER) == "application/rdf+xml"
    assert kind(client, "/id/norm/asl/B30.42", PROTEGE) == "application/rdf+xml"
    assert kind(client, "/id/all", BROWSER) == "text/html"
    assert client.get("/id/no-such.ttl", headers={"accept": "text/turtle"}).status_code == 404


@pytest.mark.slow
def test_all_that_is_known_is_one_ontology(client: TestClient) -> None:
    text = client.get("/id/all", headers={"accept": "text/owl-functional"}).text
    assert f"Ontology(<{iris.BASE}all>" in text and text.rstrip().endswith(")")
    for name in ("core#Norm", "tactics#Move", "asl#Pillbox", "vv#Bunker", "fow#Bunker", "norm/asl/B30.42"):
        assert f"<{iris.BASE}{name}>" in text, name


# ── SPARQL ──


@pytest.mark.slow
def test_a_graph_of_a_query_in_every_form(client: TestClient) -> None:
    found = {}
    for media, parser in PARSERS.items():
        answer = client.get("/v1/sparql", params={"query": CONSTRUCT}, headers={"accept": media})
        assert answer.headers["content-type"].partition(";")[0] == media
        found[media] = set(Graph().parse(data=answer.text, format=parser))
    first = found["text/turtle"]
    assert len(first) >= 2 and all(rows == first for rows in found.values())
    answer = client.get("/v1/sparql", params={"query": CONSTRUCT}, headers={"accept": "application/pdf"})
    assert answer.status_code == 406


@pytest.mark.slow
def test_without_a_query_the_service_describes_itself(client: TestClient) -> None:
    for media, parser in PARSERS.items():
        answer = client.get("/v1/sparql", headers={"accept": media})
        told = Graph().parse(data=answer.text, format=parser)
        (service,) = told.subjects(RDF.type, SD.Service)
        assert str(told.value(service, SD.endpoint)).endswith("/v1/sparql")
        assert (service, SD.supportedLanguage, SD.SPARQL11Query) in told
        assert len(set(told.objects(service, SD.resultFormat))) == 8
    odd = client.get("/v1/sparql", headers={"accept": "application/rdf+xml", "host": 'a> ; <b>"\\'})
    assert odd.status_code in (200, 400) and "<b>" not in odd.text
    assert client.get("/v1/sparql", params={"query": ""}).status_code == 422
