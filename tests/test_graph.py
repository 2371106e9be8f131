"""The knowledge as one graph: everything is in it, under the names that docs/graph.md gives, and always the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pyshacl
import pytest
from rdflib import DCTERMS, OWL, RDF, VOID, Dataset, Graph, Literal, URIRef

from kb import registry
from kb.cases import casebook
from kb.graph import dataset, export, version
from kb.graph.blank_nodes import ntriples
from kb.graph.cases import lp
from kb.language import iris

ROOT = Path(__file__).resolve().parent.parent
ENTRY = URIRef(f"{iris.BASE}tactics#Entry")


def values(data: Dataset, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in data.query(query)]  # type: ignore[union-attr]


@pytest.fixture
def count(whole: Dataset) -> Callable[[str], int]:
    """How many things there are of which something holds."""

    def of(what: str) -> int:
        return int(str(values(whole, f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {what} }}")[0][0]))

    return of


@pytest.mark.slow
def test_every_rule_sentence_norm_exception_and_case_is_there(count: Callable[[str], int]) -> None:
    sections = [s for b in registry.books() for c in registry.book(b).chapters for s in c.sections]
    norms = [n for s in sections for n in s.norms]
    assert len(sections) > 120 and len(norms) > 900
    assert count("?s a lp:Section ; dcterms:title ?t ; lp:partOf ?c . ?c a lp:Chapter") == len(sections)
    assert count("?s lp:ownWords ?w . { ?s a lp:Sentence } UNION { ?s a lp:ExampleText }") == sum(
        len(s.sentences) for s in sections
    )
    encoded = (
        "FILTER NOT EXISTS { ?s lp:byErratum ?e . FILTER(CONTAINS(STR(?s), '@')) } FILTER(!CONTAINS(STR(?s), '@'))"
    )
    assert count(f"?s lp:statedIn ?r ; lp:expression ?x ; lp:hasSituation ?c . {encoded}") == len(norms)
    assert count(f"?n lp:hasException ?s . ?s a lp:ActException . {encoded.replace('?s', '?n')}") == sum(
        len(n.unless) for n in norms
    )
    assert count("?s a lp:KindException ; lp:modifies ?m ; lp:hasCondition ?c") > 10
    cases = [case for case in casebook.of(dataset.case_files()) if not case.compares]
    assert len(cases) >= 3280
    assert count("?s a lp:Case ; lp:asks ?q") == len(cases)


@pytest.mark.slow
def test_the_rule_of_the_page_reads_as_the_page_says(whole: Dataset) -> None:
    norm = URIRef(iris.norm("asl", "B30.42"))
    tunnel, enemy = URIRef(f"{norm}#unless-tunnel"), URIRef(f"{norm}#except-enemy")
    assert (norm, RDF.type, lp("Prohibition")) in whole
    assert set(whole.objects(norm, lp("hasException"))) == {tunnel, enemy}
    assert (tunnel, lp("modifies"), ENTRY) in whole
    assert (tunnel, lp("encodes"), URIRef(iris.passage("asl", "B30.42", "tunnel"))) in whole
    narrowed = whole.value(enemy, lp("modifies"))
    assert "GroundUnit" in str(whole.value(narrowed, lp("expression")))
    assert (narrowed, OWL.equivalentClass, None) in whole
    beaten = {str(o) for o in whole.objects(norm, lp("beats"))}
    assert {iris.norm("asl", "B30.4"), iris.norm("asl", "B30.4/out")} <= beaten
    assert (URIRef(iris.rule("asl", "B30.42")), lp("refersTo"), URIRef(iris.rule("asl", "B8.6"))) in whole
    assert (URIRef(iris.rule("asl", "B8.6")), lp("loaded"), Literal(False)) in whole


@pytest.mark.slow
def test_the_exception_narrows_the_condition_where_the_text_makes_it(whole: Dataset) -> None:
    """The class of B30.42's condition holds `not (the exception)` below the occupant, not beside the entry."""
    norm = iris.norm("asl", "B30.42")
    when = whole.value(URIRef(f"{norm}#when"), OWL.equivalentClass)
    assert whole.value(when, OWL.onProperty) == URIRef(f"{iris.BASE}tactics#destination")
    taken = URIRef(f"{norm}#except-enemy-condition")
    refused = list(whole.subjects(OWL.complementOf, taken))
    assert len(refused) == 1 and (refused[0], RDF.type, OWL.Class) in whole


@pytest.mark.slow
def test_what_owl_cannot_say_is_a_class_with_its_text_and_no_expression(count: Callable[[str], int]) -> None:
    assert count("?s a lp:OpaqueCondition") > 50
    assert count("?s a lp:OpaqueCondition . FILTER NOT EXISTS { ?s lp:expression ?x }") == 0
    assert count("?s a lp:OpaqueCondition ; owl:equivalentClass ?x") == 0
    assert count("?s a lp:Condition . FILTER NOT EXISTS { ?s owl:equivalentClass ?x }") == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        "?s a lp:CrossReference . FILTER NOT EXISTS { ?s lp:pointsTo ?r . ?r a lp:CitedRule }",
        # In two steps: asked of both at once, the store looks through all labels for each mention.
        "?s a lp:TermMention . FILTER NOT EXISTS { ?s lp:mentions ?t }",
        "?m lp:mentions ?s . FILTER NOT EXISTS { ?s rdfs:label ?l }",
        "?s lp:usesTerm ?t . FILTER NOT EXISTS { ?t rdfs:label ?l }",
        "?s lp:encodes ?t . FILTER NOT EXISTS { ?t lp:ownWords ?w }",
        "?s lp:statedIn ?t . FILTER NOT EXISTS { ?t a lp:Section }",
        "?s lp:beats ?t . FILTER NOT EXISTS { ?t a ?k }",
        "?s lp:inEdition ?t . FILTER NOT EXISTS { ?t a lp:Edition }",
        "?s lp:hasAuthority ?t . FILTER NOT EXISTS { ?t a lp:Authority }",
        "?s lp:underReading ?t . FILTER NOT EXISTS { ?t lp:readingOf ?d }",
        "?s lp:checkedBy ?t . FILTER NOT EXISTS { ?t a lp:Case }",
        "?s lp:byErratum ?t . FILTER NOT EXISTS { ?t a lp:Erratum }",
        "?c lp:citesRule ?s . FILTER NOT EXISTS { ?s a lp:CitedRule ; lp:loaded ?l }",
    ],
)
def test_nothing_points_into_the_void(fault: str, whole: Dataset) -> None:
    assert values(whole, f"SELECT DISTINCT ?s WHERE {{ {fault} }} LIMIT 5") == []


@pytest.mark.slow
def test_named_graphs_and_the_description_agree(whole: Dataset) -> None:
    names = {str(g.identifier) for g in whole.graphs() if len(g)}
    assert {f"{iris.BASE}core", iris.graph("asl", "2nd"), iris.graph("asl", "1st"), iris.graph("vv", "2021")} <= names
    described = URIRef(f"{iris.BASE}dataset")
    assert {str(o) for o in whole.objects(described, VOID.subset)} == names - {iris.graph("description")}
    for name in names - {iris.graph("description")}:
        assert whole.value(URIRef(name), VOID.triples) == Literal(len(whole.graph(URIRef(name))))
    assert whole.value(described, DCTERMS.license) and whole.value(described, DCTERMS.creator)


def test_the_same_books_are_written_the_same() -> None:
    """Blank nodes are made anew each time; the lines are not."""
    one, two = dataset.of_book("vv"), dataset.of_book("vv")
    assert dataset.lines(one) == dataset.lines(two)
    name = iris.graph("vv", "2021")
    assert {s for s, _, _ in one[name]} != {s for s, _, _ in two[name]}, "the blank nodes ought to differ"


def test_lines_of_a_graph_are_valid_and_keep_every_triple() -> None:
    source = Graph().parse(ROOT / "ontology" / "core.ttl")
    lines = ntriples(source)
    again = Graph().parse(data="".join(lines), format="nt")
    assert len(lines) == len(again) == len(source)
    assert ntriples(again) == lines


@pytest.mark.slow
def test_one_book_holds_no_other() -> None:
    names = set(dataset.parts("vv"))
    assert iris.graph("vv", "2021") in names
    assert not [n for n in names if re.search(r"\b(asl|fow)\b", n)]


def test_it_is_kept_on_disk_until_what_it_is_made_from_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version.resources, "cache", lambda: tmp_path)
    made: list[str] = []
    monkeypatch.setattr(dataset, "parts", lambda book="", cases=True: made.append(book) or {"urn:g": Graph()})
    assert dataset.nquads("vv") == dataset.nquads("vv")
    assert made == ["vv"]
    monkeypatch.setattr(version, "version", lambda: "another")
    assert dataset.nquads("vv") == b"" and made == ["vv", "vv"]
    assert [p.name for p in tmp_path.iterdir()] == ["graph-vv-another.nq"]


def test_an_export_is_made_once_and_anew_when_its_sources_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version.resources, "cache", lambda: tmp_path)
    made: list[tuple[str, bool]] = []
    monkeypatch.setitem(export.FORMATS, "ofn", lambda book, cases: f"{made.append((book, cases))}{len(made)}")
    assert export.of_format("ofn") == export.of_format("ofn") == "None1"
    assert export.of_format("ofn", cases=False) == "None2" and export.of_format("ofn", "vv") == "None3"
    monkeypatch.setattr(version, "version", lambda: "another")
    assert export.of_format("ofn") == "None4"
    assert len(list(tmp_path.iterdir())) == 3


def test_where_nothing_can_be_kept_it_is_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(version.resources, "cache", lambda: tmp_path / "file")
    monkeypatch.setattr(dataset, "parts", lambda book="": {"urn:g": Graph()})
    assert dataset.nquads("vv") == b"" and (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


@pytest.mark.slow
def test_a_whole_book_meets_the_shapes() -> None:
    data = Graph()
    parts = dataset.parts("vv")
    for triple in (t for name, part in parts.items() if "/cases" not in name for t in part):
        data.add(triple)
    cases = list(dict.fromkeys(s for s, _, o in parts[iris.graph("vv", "cases")] if o == lp("Case")))[:40]
    for s, p, o in parts[iris.graph("vv", "cases")]:
        if str(s).partition("#")[0] in {str(c) for c in cases} or str(s).startswith("N"):
            data.add((s, p, o))
    shapes = Graph().parse(ROOT / "ontology" / "shapes.ttl")
    met, _, text = pyshacl.validate(data, shacl_graph=shapes)
    assert met, text[:3000]
