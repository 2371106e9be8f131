"""The ontology as it stands: consistent, classified, current, canonical, clean; and each check seen to fail."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pyshacl
import pytest
import yaml
from rdflib import OWL, RDF, RDFS, SH, BNode, Graph, URIRef
from rdflib.compare import isomorphic
from rdflib.term import Node

from api import checks
from kb.language.norms import And, Named
from kb.language.vocabulary import Vocabulary
from kb.ontology import build, dl_reasoner, sources as sources_, to_owl, turtle
from kb.ontology.sources import Scope, Source
from tests.night import today

ROOT = Path(__file__).resolve().parent.parent
ONTOLOGY, QUERIES = ROOT / "ontology", ROOT / "queries" / "hygiene"
PLANTED = ROOT / "tests" / "planted" / "ontology"
BOOKS = sorted(p.stem for p in (ONTOLOGY / "inferred").glob("*.json"))


@cache
def sources() -> tuple[Source, ...]:
    return tuple(sources_.read(ONTOLOGY))


@cache
def scope(book: str) -> Scope:
    return next(s for s in sources_.scopes(list(sources()), ROOT / "kb" / "rulebooks") if s.book == book)


@cache
def vocabulary(book: str) -> Vocabulary:
    return Vocabulary.from_json((ONTOLOGY / "inferred" / f"{book}.json").read_text(encoding="utf-8"))


# ── the files ───────────────────────────────────────────────────────────────────────────────────────────


def test_every_book_has_its_inferred_file() -> None:
    assert BOOKS, "no inferred vocabulary: run python -m kb.ontology.build build"
    assert [s.book for s in sources_.scopes(list(sources()), ROOT / "kb" / "rulebooks")] == BOOKS


@pytest.mark.slow
def test_files_are_canonical_and_inferred_files_current() -> None:
    assert not build.check(ONTOLOGY, ONTOLOGY / "inferred")


SOURCES = sorted(ONTOLOGY.rglob("*.ttl"))


def test_the_collectors_find_every_file_and_book() -> None:
    """No fewer than there were, and a classified vocabulary for each rulebook."""
    assert len(SOURCES) >= 28
    assert sorted(p.parent.name for p in (ROOT / "kb" / "rulebooks").glob("*/policy.yaml")) == BOOKS


# The shapes nest blank nodes, over which the comparison of two graphs takes its time.
READ = [pytest.param(p, id=p.name, marks=[pytest.mark.slow] if p.name == "shapes.ttl" else []) for p in SOURCES]


@pytest.mark.slow
@pytest.mark.parametrize("path", today(READ, of=3))
def test_canonical_style_keeps_every_triple(path: Path) -> None:
    graph = Graph().parse(path)
    text = turtle.canonical(graph)
    again = Graph().parse(data=text)
    assert len(graph) and isomorphic(graph, again)
    assert turtle.canonical(again) == text


# ── the reasoners ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.reasoner
@pytest.mark.parametrize("book", today(BOOKS, of=3))
def test_hermit_and_pellet_find_the_tree_that_is_shipped(book: str) -> None:
    tree = dl_reasoner.agree(scope(book).graph)  # consistent, and no class is empty
    known = {t.iri: {vocabulary(book).classes[a].iri for a in t.ancestors} for t in vocabulary(book).classes.values()}
    assert len(known) > 50
    assert {iri: set(tree[iri]) & known.keys() for iri in known} == known


@pytest.mark.slow
@pytest.mark.reasoner
@pytest.mark.parametrize("book", today(BOOKS[1:] + BOOKS[:1], of=3))
def test_classes_are_disjoint_exactly_when_hermit_says_so(book: str) -> None:
    words = vocabulary(book)
    names = sorted(n for n, t in words.classes.items() if t.iri.partition("#")[0] != turtle.LP[:-1])
    draw = random.Random(30)
    pairs = [tuple(draw.sample(names, 2)) for _ in range(300)]
    found = to_owl.compare([And((Named(a), Named(b))) for a, b in pairs], words, scope(book).graph)
    said = {i for i, (a, b) in enumerate(pairs) if b in words.classes[a].disjoint}
    assert said, "no pair is disjoint: the sample means nothing"
    assert said == found.empty, [pairs[i] for i in said ^ found.empty]


CHECK = turtle.BASE + "check#"
Steps = list[tuple[Node, bool]]  # a property each, and whether it is read backwards


def chains(graph: Graph) -> list[tuple[Node, Steps]]:
    found = []
    for p, head in sorted(graph.subject_objects(OWL.propertyChainAxiom), key=str):
        turned = [(graph.value(step, OWL.inverseOf), step) for step in graph.items(head)]
        found.append((p, [(of or step, of is not None) for of, step in turned]))
    return found


def there_and_back(graph: Graph) -> list[Node]:
    """The properties with a chain whose second half undoes the first: it leads everything to itself."""
    same = {pair for one, other in graph.subject_objects(OWL.inverseOf) for pair in ((one, other), (other, one))}

    def undone(one: tuple[Node, bool], other: tuple[Node, bool]) -> bool:
        return (one[0], other[0]) in same if one[1] == other[1] else one[0] == other[0]

    return [p for p, steps in chains(graph) if all(map(undone, steps, reversed(steps)))]


def overreaching(graph: Graph) -> set[tuple[str, str]]:
    """(property, class) where a chain says more of one of its ends than the domains and ranges of its steps do."""
    bare, claims = graph + Graph(), []
    bare.remove((None, OWL.propertyChainAxiom, None))
    cells: list[Node] = [*graph.objects(None, OWL.propertyChainAxiom)]
    for cell in cells:  # grows
        cells += graph.objects(cell, RDF.rest)
        for node in (cell, *graph.objects(cell, RDF.first)):
            if isinstance(node, BNode):
                bare.remove((node, None, None))
    for i, (p, steps) in enumerate(chains(graph)):
        back = [(q, not turned) for q, turned in reversed(steps)]
        for end, way, said in (("start", steps, RDFS.domain), ("end", back, RDFS.range)):
            name = URIRef(f"{CHECK}{end}{i}")
            bare.add((name, RDF.type, OWL.Class))
            bare.add((name, OWL.equivalentClass, going(bare, way)))
            claims += [(str(name), str(p), str(cls)) for cls in graph.objects(p, said) if cls != OWL.Thing]
    assert claims
    tree, _ = dl_reasoner.run(bare)
    return {(turtle.curie(p), turtle.curie(cls)) for name, p, cls in claims if cls not in tree[name]}


def going(graph: Graph, way: Steps) -> Node:
    """The class of what some steps lead on from."""
    end: Node = OWL.Thing
    for p, turned in reversed(way):
        node, role = BNode(), BNode() if turned else p
        if turned:
            graph.add((role, OWL.inverseOf, p))
        for predicate, value in ((RDF.type, OWL.Restriction), (OWL.onProperty, role), (OWL.someValuesFrom, end)):
            graph.add((node, predicate, value))
        end = node
    return end


@pytest.mark.reasoner
@pytest.mark.parametrize("book", BOOKS)
def test_a_chain_says_no_more_of_its_ends_than_its_steps(book: str) -> None:
    graph = scope(book).graph
    assert len(chains(graph)) >= 5
    assert not there_and_back(graph) and not overreaching(graph)


@pytest.mark.reasoner
def test_a_chain_that_makes_everything_in_a_hex_a_location_is_found() -> None:
    """As it once was: a squad of which the hex was told contradicted the ontology, and shared it with itself."""
    planted = """asl:sharesHexWith owl:propertyChainAxiom ( tac:hex asl:holds ) ; rdfs:domain tac:Location .
        tac:within a owl:ObjectProperty ; owl:propertyChainAxiom ( tac:at [ owl:inverseOf tac:at ] ) ."""
    spaces = (("asl", f"{turtle.BASE}asl#"), ("tac", f"{turtle.BASE}tactics#"), ("owl", OWL), ("rdfs", RDFS))
    prefixes = "".join(f"@prefix {p}: <{iri}> . " for p, iri in spaces)
    graph = scope("asl").graph + Graph().parse(data=prefixes + planted, format="turtle")
    assert {turtle.curie(str(p)) for p in there_and_back(graph)} == {"asl:sharesHexWith", "tac:within"}
    assert overreaching(graph) == {("asl:sharesHexWith", "tac:Location")}


# ── hygiene ─────────────────────────────────────────────────────────────────────────────────────────────

HYGIENE = sorted(p.stem for p in QUERIES.glob("*.rq"))


def test_all_hygiene_queries_are_found_and_each_has_its_planted_fault() -> None:
    assert len(HYGIENE) == 28
    assert sorted(p.stem for p in PLANTED.glob("*.ttl")) == HYGIENE
    for name in HYGIENE:
        lines = (QUERIES / f"{name}.rq").read_text(encoding="utf-8").splitlines()
        assert re.fullmatch(r"#\+ summary: [a-z].*[^.]", lines[0]) or "lp:" in lines[0], name
        assert lines[1] in ("#+ severity: error", "#+ severity: warning"), name


@pytest.mark.slow
def test_the_ontology_is_clean() -> None:
    found = build.untidy()
    assert not found, "\n".join(map(str, found))


def test_loophole_check_tells_what_is_not_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """A synonym of a shared term counts in every game: its author looks at this command alone."""
    text = (PLANTED / "synonym-collision.ttl").read_text(encoding="utf-8")
    planted = Source("planted.ttl", text, Graph().parse(data=text))
    monkeypatch.setattr(build, "check", lambda *folders: [])
    monkeypatch.setattr(build.sources_, "read", lambda folder: [planted])
    said: list[str] = []
    assert checks.ontology(said.append) > 0 and "E750" in said[0] and "synonym-collision" in said[0]


@pytest.mark.parametrize("name", HYGIENE)
def test_a_planted_fault_is_found_by_its_query_alone(name: str) -> None:
    core = next(s for s in sources() if s.name == "core.ttl")
    text = (PLANTED / f"{name}.ttl").read_text(encoding="utf-8")
    found = build.hygiene([core, Source(f"planted/{name}.ttl", text, Graph().parse(data=text))], QUERIES)
    assert {p.hint for p in found} == {f"see queries/hygiene/{name}.rq"}, "\n".join(map(str, found))
    assert all(p.code == 750 and p.place.file == f"ontology/planted/{name}.ttl" for p in found)


@pytest.mark.parametrize(
    "query", ["SELECT ?term WHERE {", "SELECT ?x WHERE { ?x a ?y }", "ASK { ?term a ?x }", "DESCRIBE <urn:x>"]
)
def test_a_query_that_does_not_run_is_a_fault_too(query: str, tmp_path: Path) -> None:
    (tmp_path / "broken.rq").write_text(query, encoding="utf-8")
    found = build.hygiene(sources(), tmp_path)
    assert [(p.code, p.place.file) for p in found] == [(751, "queries/hygiene/broken.rq")]


# ── shapes ──────────────────────────────────────────────────────────────────────────────────────────────

FAULTS = yaml.safe_load((PLANTED / "shapes" / "faults.yaml").read_text(encoding="utf-8"))


@cache
def shapes() -> Graph:
    return Graph().parse(ONTOLOGY / "shapes.ttl")


def sample() -> Graph:
    """good.ttl, with the class tree of the core."""
    graph = Graph().parse(PLANTED / "shapes" / "good.ttl")
    for triple in Graph().parse(ONTOLOGY / "core.ttl").triples((None, RDFS.subClassOf, None)):
        graph.add(triple)
    return graph


def messages(graph: Graph) -> set[str]:
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes())
    return {str(m) for m in report.objects(None, SH.resultMessage)}


@pytest.mark.slow
def test_every_term_meets_the_shapes() -> None:
    graph = sources_.merge(sources())
    assert len(set(graph.subjects(RDFS.label))) > 200
    found, _, text = pyshacl.validate(graph, shacl_graph=shapes())
    assert found, text


def test_the_sample_meets_every_shape() -> None:
    assert not messages(sample())


def test_every_shape_has_its_planted_fault() -> None:
    said = [str(m) for m in shapes().objects(None, SH.message)]
    assert len(said) == len(set(said)) == len(FAULTS) > 70
    assert set(said) == FAULTS.keys()
    for shape in shapes().subjects(RDF.type, SH.NodeShape):
        assert all((part, SH.message, None) in shapes() for part in shapes().objects(shape, SH.property)), shape


@pytest.mark.slow
@pytest.mark.parametrize("message", today(sorted(FAULTS), of=3))
def test_a_planted_fault_breaks_its_shape_alone(message: str) -> None:
    graph = sample()
    before = set(graph)
    graph.update(FAULTS[message])
    assert set(graph) != before, "the fault changes nothing"
    assert messages(graph) == {message}
