"""Every export: read back it is the same graph, and the same books give the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import pytest
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, Dataset, Graph, URIRef
from rdflib.compare import isomorphic

from api import cli
from kb import registry
from kb.errors import CaseError, LoopholeError, QueryError
from kb.graph import dataset, export, legalruleml, one_ontology, pages, skos
from kb.graph.blank_nodes import ntriples
from kb.graph.cases import lp
from kb.language import iris
from kb.ontology import functional_syntax
from tests import dl_profile
from tests.night import turn

ROOT = Path(__file__).resolve().parent.parent
BOOK = "vv"
PARSERS = {"ttl": "turtle", "rdf": "xml", "jsonld": "json-ld", "nt": "nt"}


@cache
def one() -> Graph:
    """One book as one ontology, without its cases."""
    return one_ontology.merged(dataset.parts(BOOK, False))


@cache
def text(name: str) -> str:
    return export.of_format(name, BOOK, cases=False)


def quick(names: Iterable[str], kept: set[str]) -> list[Any]:
    """The names, those slow that are not among the kept: whoever is at work tries these."""
    return [pytest.param(name, marks=[] if name in kept else [pytest.mark.slow]) for name in names]


@pytest.mark.parametrize("name", quick(PARSERS, set()))
def test_what_is_written_reads_back_as_the_same_graph(name: str) -> None:
    again = Graph().parse(data=text(name), format=PARSERS[name])
    assert len(again) == len(one()) > 10_000
    assert ntriples(again) == ntriples(one())


def test_the_comparison_of_graphs_agrees_with_rdflibs() -> None:
    """`ntriples` names blank nodes after what they say; held against rdflib's own isomorphism, a planted change too."""
    some = Graph().parse(ROOT / "ontology" / "asl" / "acts.ttl")
    again = Graph().parse(data=some.serialize(format="xml"), format="xml")
    assert isomorphic(some, again) and ntriples(some) == ntriples(again)
    node = next(s for s in again.subjects(OWL.onProperty))
    again.remove((node, OWL.onProperty, None))
    again.add((node, OWL.onProperty, URIRef("urn:another")))
    assert not isomorphic(some, again) and ntriples(some) != ntriples(again)


@pytest.mark.parametrize("name", quick(["trig", "nq"], set()))
def test_named_graphs_read_back_as_they_were(name: str) -> None:
    data = Dataset()
    data.parse(data=text(name), format={"nq": "nquads"}.get(name, name))
    wanted = dataset.parts(BOOK, False)
    assert {str(g.identifier) for g in data.graphs() if len(g)} == set(wanted)
    lines = sorted(line for g in data.graphs() if len(g) for line in ntriples(g, f" <{g.identifier}> .\n"))
    assert lines == sorted(dataset.lines(wanted))


@pytest.mark.parametrize(
    "name", quick(["ttl", "trig", "ofn", "rdf", "jsonld", "skos", "legalruleml"], {"skos", "legalruleml"})
)
def test_the_same_bytes_each_time(name: str) -> None:
    assert export.of_format(name, BOOK, cases=False) == text(name)


def test_the_header_tells_version_licence_and_creators() -> None:
    (me,) = one().subjects(RDF.type, OWL.Ontology)
    assert str(me) == one_ontology.NAME
    assert str(one().value(me, OWL.versionIRI)).startswith(one_ontology.NAME + "/")
    assert one().value(me, DCTERMS.license) and one().value(me, DCTERMS.creator)


# ── OWL 2 DL ────────────────────────────────────────────────────────────────────────────────────────────


@turn(of=3, on=1)
@pytest.mark.slow
@pytest.mark.reasoner
def test_the_whole_graph_is_owl_2_dl() -> None:
    """Every book with every case, judged by the OWL API's profile checker, which read every axiom."""
    document = export.of_format("ofn")
    assert dl_profile.violations(document) == []
    lines = [x for x in document.splitlines() if re.match(r"[A-Z]\w+\(", x)]
    assert len(lines) > 80_000


@pytest.mark.reasoner
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("asl:pun a owl:ObjectProperty , owl:DatatypeProperty .", "pun"),
        ("asl:i a asl:Undeclared .", "undeclared class"),
        ("tac:wide a owl:ObjectProperty , owl:TransitiveProperty , owl:FunctionalProperty .", "simple"),
    ],
)
def test_the_checker_catches_what_is_not_owl_2_dl(fault: str, said: str) -> None:
    head = "".join(f"@prefix {p}: <{ns}> .\n" for p, ns in dataset.prefixes().items())
    bad = Graph().parse(data=f"{head}<urn:o> a owl:Ontology . {fault}", format="turtle")
    found = dl_profile.violations(functional_syntax.document(bad))
    assert any(said in line for line in found), found


@pytest.mark.reasoner
def test_the_checker_says_where_it_cannot_read() -> None:
    with pytest.raises(LoopholeError, match="OWL API"):
        dl_profile.violations("Ontology(<urn:o>\nSubClassOf(<urn:a>\n")


def test_two_headers_are_refused() -> None:
    two = Graph().parse(data="<urn:a> a <http://www.w3.org/2002/07/owl#Ontology> .", format="turtle")
    assert "Ontology(<urn:a>" in functional_syntax.document(two)
    two.add((URIRef("urn:b"), RDF.type, OWL.Ontology))
    with pytest.raises(LoopholeError, match="one header"):
        functional_syntax.document(two)


# ── LegalRuleML, SKOS, JSON-LD ──────────────────────────────────────────────────────────────────────────


def test_legalruleml_has_every_norm_and_only_elements_of_the_standard() -> None:
    root = xml.fromstring(text("legalruleml"))
    norms = [n for c in registry.book(BOOK).chapters for s in c.sections for n in s.norms]
    spaces = {f"{{{space}}}{name}" for space, names in legalruleml.ELEMENTS.items() for name in names}
    assert {e.tag for e in root.iter()} <= spaces
    lrml = f"{{{legalruleml.LRML}}}"
    made = [e for kind in ("Prescriptive", "Constitutive") for e in root.iter(f"{lrml}{kind}Statement")]
    assert {e.get("key") for e in made} == {legalruleml.key(BOOK, n.id) for n in norms} and len(made) == len(norms)
    keys = [e.get("key") for e in root.iter() if e.get("key")]
    assert len(keys) == len(set(keys)), "a key is used twice"
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", k or "") for k in keys)
    pointers = {
        v.removeprefix("#") for e in root.iter() for k, v in e.attrib.items() if k in ("keyref", "over", "under")
    }
    assert pointers and pointers <= set(keys)
    for tag, mode in (("Prohibition", "forbids"), ("Obligation", "requires")):
        assert len(list(root.iter(f"{lrml}{tag}"))) == sum(str(n.head).startswith(mode) for n in norms)


def test_an_element_that_the_standard_has_not_is_refused() -> None:
    with pytest.raises(AssertionError):
        legalruleml.lrml(None, "Loophole")


def test_the_glossary_has_every_word_and_the_rules_that_use_it() -> None:
    found = Graph().parse(data=text("skos"), format="turtle")
    words = [t for t in registry.vocabulary(BOOK).all() if "/core#" not in t.iri]
    assert len(set(found.subjects(RDF.type, SKOS.Concept))) == len(words) > 100
    squad = skos.concept(BOOK, "Squad")
    assert found.value(squad, SKOS.prefLabel) and found.value(squad, RDFS.seeAlso)
    cited = set(found.objects(None, DCTERMS.isReferencedBy))
    assert {str(c) for c in cited} <= {
        iris.rule(BOOK, s.rule) for c in registry.book(BOOK).chapters for s in c.sections
    }
    assert len(cited) > 10
    assert set(found.objects(None, SKOS.broader)) <= set(found.subjects(RDF.type, SKOS.Concept))


@pytest.mark.slow
def test_the_published_context_is_current_and_is_used() -> None:
    kept = (ROOT / "ontology" / export.CONTEXT).read_text(encoding="utf-8")
    assert kept == export.context_text(), "run python -m kb.graph.export context"
    data = json.loads(text("jsonld"))
    assert data["@context"] == json.loads(kept)["@context"]
    section = next(s for c in registry.book(BOOK).chapters for s in c.sections if s.norms)
    norm = next(r for r in data["@graph"] if r["@id"] == iris.norm(BOOK, section.norms[0].id))
    assert norm["statedIn"] == iris.rule(BOOK, section.rule) and "hasSituation" in norm


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_writes_files_and_tells_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "words.ttl"
    assert cli.main(["export", "skos", "--book", BOOK, "--out", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == text("skos")
    for wrong, said in (
        (["export", "ttx"], "did you mean"),
        (["export", "ttl", "--book", "als"], "did you mean"),
        (["export", "prov"], "say which cases"),
        (["export", "skos", "examples/pillbox.yaml"], "only prov"),
        (["export", "skos", "--out", str(tmp_path / "no" / "where.ttl")], "cannot write"),
        (["export", "html"], "folder"),
    ):
        assert cli.main(wrong) == 2, wrong
        assert said in capsys.readouterr().err, wrong


def test_proofs_of_cases_are_exported_together(tmp_path: Path) -> None:
    file = tmp_path / "rulings.ttl"
    cases = [str(ROOT / "examples" / f"{name}.yaml") for name in ("pillbox", "tunnel")]
    assert cli.main(["export", "prov", *cases, "--out", str(file)]) == 0
    found = Graph().parse(file)
    assert len(set(found.subjects(RDF.type, lp("Proof")))) == len(set(found.subjects(RDF.type, lp("Case")))) == 2


def test_unknown_books_and_formats_are_told_in_words() -> None:
    with pytest.raises(QueryError, match="no format"):
        export.of_format("docx")
    with pytest.raises(CaseError):
        export.of_format("ttl", "nope")


@pytest.mark.slow
def test_the_pages_link_every_term_to_the_rules_that_use_it(tmp_path: Path) -> None:
    assert cli.main(["export", "html", "--book", BOOK, "--out", str(tmp_path)]) == 0
    ontology, rules = ((tmp_path / name).read_text(encoding="utf-8") for name in (pages.ONTOLOGY, pages.RULES))
    ids = set(re.findall(r"id=.([^'\" >]+)", ontology))
    anchors = set(re.findall(r"<h3 id='([^']+)'", rules))
    sections = [s for c in registry.book(BOOK).chapters for s in c.sections]
    assert anchors == {pages.anchor(BOOK, s.rule) for s in sections}
    there, back = (
        set(re.findall(r"rules\.html#([^'\"]+)", ontology)),
        set(re.findall(r"ontology\.html#([^'\"]+)", rules)),
    )
    assert there == {pages.anchor(BOOK, s.rule) for s in sections if s.norms} and there <= anchors
    assert len(back) > 80 and back <= ids
    used = {n for rules_ in (skos.used_in(BOOK),) for n in rules_}
    assert ontology.count("named by the rules") >= len(used) > 100  # functional properties are told twice
