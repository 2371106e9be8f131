"""A proof as RDF: every verdict, what lost and why, held to the SHACL shapes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pyshacl
import pytest
from rdflib import DCTERMS, PROV, RDF, RDFS, SH, Dataset, Graph, Literal, URIRef
from rdflib.compare import isomorphic

from kb import asking
from kb.cases.casebook import Written
from kb.graph import proof_steps, proofs
from kb.graph.cases import GRADES, VERDICTS, lp
from kb.language import iris
from kb.reasoner import proof as p
from tests import corpus
from tests.night import turn

ROOT = Path(__file__).resolve().parent.parent
PILLBOX = ROOT / "examples" / "pillbox.yaml"


@cache
def pillbox() -> Graph:
    return proofs.graph_of(asking.ask(PILLBOX))


@cache
def of_each_verdict() -> dict[str, Written]:
    """One case for each verdict, found by what the cases expect and seen to be answered so."""
    found = {p.SILENT: corpus.named("b30-44-berserk-free")}
    for case in corpus.every():
        expect = case.data.get("expect") or {}
        kind = next(iter(k for k in ("value", "effects", "which") if k in expect), str(expect.get("verdict", "")))
        if kind in found:
            continue
        verdict = asking.ask(case).verdict
        found.setdefault(verdict, case)
        found.setdefault(kind, case)
    return {v: f for v, f in found.items() if v in VERDICTS}


def judged(graph: Graph) -> tuple[bool, set[str]]:
    """Whether the shapes are met, and their messages; the class tree of the core at hand."""
    data = Graph()
    for triple in graph:
        data.add(triple)
    core = Graph().parse(ROOT / "ontology" / "core.ttl")
    for triple in core.triples((None, RDFS.subClassOf, None)):
        data.add(triple)
    for kind in ("Verdict", "Grade", "Extent"):
        for s in core.subjects(RDF.type, lp(kind)):
            data.add((s, RDF.type, lp(kind)))
    data.add((URIRef(iris.book("asl")), RDF.type, lp("Rulebook")))
    for kind in ("vv", "fow"):
        data.add((URIRef(iris.book(kind)), RDF.type, lp("Rulebook")))
    shapes = Graph().parse(ROOT / "ontology" / "shapes.ttl")
    for name in ("TermShape", "ThingShape"):  # of the ontology, which is not part of a proof
        for triple in list(shapes.triples((URIRef(f"{iris.BASE}shapes#{name}"), None, None))):
            shapes.remove(triple)
    met, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    return bool(met), {str(m) for m in report.objects(None, SH.resultMessage)}


def test_the_answer_and_what_it_rests_on_are_there() -> None:
    graph = pillbox()
    (me,) = set(graph.subjects(RDF.type, lp("Proof")))
    norm = URIRef(iris.norm("asl", "B30.42"))
    assert graph.value(me, lp("hasVerdict")) == lp("Forbidden")
    assert graph.value(me, lp("hasGrade")) == lp("SettledIfNothingElse")
    assert set(graph.objects(me, lp("decidedBy"))) == {norm}
    assert graph.value(me, lp("provesCase")) == URIRef(iris.BASE + "case/examples/pillbox")
    assert (me, PROV.wasDerivedFrom, norm) in graph
    trial = next(t for t in graph.subjects(lp("decides"), Literal(True)))
    assert graph.value(trial, proof_steps.SOURCE_RULE) == norm
    assert len(set(graph.objects(me, lp("assumes")))) == 5
    assert len(set(graph.objects(me, lp("turnedBy")))) == 7
    used = {str(o) for o in graph.objects(None, lp("usesTerm"))}
    assert {iris.BASE + "asl#Pillbox", iris.BASE + "tactics#Move", iris.BASE + "tactics#Entry"} <= used


def test_every_norm_that_lost_says_what_defeated_it() -> None:
    graph = pillbox()
    lost = list(graph.subjects(lp("decides"), Literal(False)))
    assert len(lost) > 10
    for trial in lost:
        assert set(graph.objects(trial, lp("defeatedBy"))), trial
    beaten = next(t for t in lost if graph.value(t, lp("usesNorm")) == URIRef(iris.norm("asl", "B30.4")))
    by = graph.value(beaten, lp("defeatedBy"))
    assert graph.value(by, lp("winner")) == URIRef(iris.norm("asl", "B30.42"))
    assert graph.value(by, lp("byPrinciple")) == URIRef(iris.of_book("asl", "principle", "explicit"))
    tried = next(graph.subjects(lp("triesException"), URIRef(iris.norm("asl", "B30.42") + "#unless-tunnel")))
    assert graph.value(tried, lp("outcome")) == Literal("not met")


def test_every_step_is_reached_from_its_proof_and_leads_to_steps() -> None:
    graph = pillbox()
    steps = set(graph.objects(None, lp("hasStep")))
    kinds = {lp(k) for k in ("ProofStep", "NormTrial", "ExceptionTrial", "Resolution", "Contribution")}
    assert {s for k in kinds for s in graph.subjects(RDF.type, k)} == steps
    assert set(graph.objects(None, lp("hasPremise"))) <= steps
    assert all(graph.value(s, lp("conclusionText")) for s in steps)


def test_the_same_answer_is_written_the_same() -> None:
    again = proofs.of_proof(asking.ask(PILLBOX))
    assert again == proofs.of_proof(asking.ask(PILLBOX))
    assert isomorphic(Graph().parse(data=again, format="turtle"), pillbox())
    assert len(again) < 140_000


def test_cases_of_every_verdict_are_found() -> None:
    assert set(of_each_verdict()) >= {
        p.PERMITTED, p.FORBIDDEN, p.REQUIRED, p.UNDETERMINED, p.HOLDS, p.FAILS, p.VALUE, p.EFFECTS, p.WHICH, p.SILENT,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("verdict", [v for v in VERDICTS if v != p.CONFLICT])
def test_a_proof_of_every_verdict_meets_the_shapes(verdict: str) -> None:
    case = of_each_verdict().get(verdict)
    if case is None:
        pytest.skip(f"no case is answered by “{verdict}”")
    proof = asking.ask(case)
    graph = proofs.graph_of(proof, flips=False)
    mine = [s for s in graph.subjects(RDF.type, lp("Proof")) if "#" not in str(s)]
    assert len(mine) == 1
    assert proof.verdict == verdict
    assert graph.value(mine[0], lp("hasVerdict")) == lp(VERDICTS[proof.verdict])
    assert graph.value(mine[0], lp("hasGrade")) == lp(GRADES[proof.grade])
    assert len(set(graph.objects(mine[0], DCTERMS.hasPart))) == len(proof.which) + len(proof.cases)
    assert len(set(graph.objects(mine[0], lp("lacks")))) == len(proof.missing)
    met, said = judged(graph)
    assert met, said


FAULTS = {
    "a proof has one grade": "DELETE { ?s lp:hasGrade ?x } WHERE { ?s a lp:Proof ; lp:hasGrade ?x }",
    "a norm that does not apply says what kept it from applying": "DELETE { ?s lp:defeatedBy ?x } WHERE { ?s lp:defeatedBy ?x }",
    "the norm tried is the rule that a step comes from": "DELETE { ?s sh:sourceRule ?x } WHERE { ?s a lp:NormTrial ; sh:sourceRule ?x }",
    "each part of a proof says in English what it is": "DELETE { ?s lp:conclusionText ?x } WHERE { ?s a lp:ProofStep ; lp:conclusionText ?x }",
    "a proof answers one case": "DELETE { ?s lp:provesCase ?x } WHERE { ?s lp:provesCase ?x }",
}  # fmt: skip


@pytest.mark.parametrize("message", FAULTS)
def test_the_shapes_catch_a_fault_planted_in_a_real_proof(message: str) -> None:
    graph = Graph()
    for triple in pillbox():
        graph.add(triple)
    graph.update(f"PREFIX lp: <{iris.BASE}core#> PREFIX sh: <{SH}> {FAULTS[message]}")
    assert len(graph) < len(pillbox())
    met, said = judged(graph)
    assert not met and message in said


def test_a_case_without_a_file_is_named_by_what_it_says() -> None:
    data = {
        "book": "asl",
        "things": {"s": {"is": "Squad"}, "m": {"is": "Move", "actor": "s"}},
        "ask": {"may": "m"},
    }
    one, again = (proofs.graph_of(asking.ask(data), False).value(None, RDF.type, lp("Case")) for _ in "12")
    assert one == again and str(one).startswith(f"{iris.BASE}case/asl/")
    other = proofs.graph_of(asking.ask({**data, "ask": {"must": "m"}}), False).value(None, RDF.type, lp("Case"))
    assert other != one


# ── errata ──────────────────────────────────────────────────────────────────────────────────────────────


def documented_query() -> str:
    """The query that docs/graph.md shows."""
    page = (ROOT / "docs" / "graph.md").read_text(encoding="utf-8")
    return page.split("```sparql\n")[1].split("```")[0]


def resting(graph: Graph, erratum: str) -> set[tuple[str, str, str]]:
    """(case, verdict, norm) of each verdict that rests on an erratum, by the documented query."""
    query = documented_query()
    assert query.count("A7.55-able") == 1
    rows = graph.query(query.replace("A7.55-able", erratum))
    return {tuple(str(x).removeprefix(iris.BASE) for x in row) for row in rows}  # type: ignore[union-attr,misc]


def one_of_each_kind(cases: list[Written]) -> list[Written]:
    """A case for each verdict, grade and set of norms that answer: by these alone a proof can rest on an erratum."""
    found: dict[object, Written] = {}
    for case in cases:
        proof = asking.ask(case)
        applied = {o.norm.id for o in (*proof.winners, *proof.considered) if o.status is not False}
        found.setdefault((proof.verdict, proof.grade, frozenset(applied)), case)
    return list(found.values())


@turn(of=3, on=2)
@pytest.mark.slow
def test_which_verdicts_rest_on_an_erratum_is_one_query() -> None:
    cases = corpus.beginning("a7-55-", "b30-34-att")
    untouched = corpus.beginning("b30-42-")  # no erratum words a norm of theirs anew
    assert len(untouched) > 25
    kinds = one_of_each_kind(untouched)
    assert {asking.ask(case).verdict for case in kinds} >= {p.PERMITTED, p.FORBIDDEN, p.UNDETERMINED, p.WHICH}
    cases += kinds
    assert len(cases) > 16
    able, base = Graph("SimpleMemory"), Graph("SimpleMemory")
    for case in cases:
        able += proofs.graph_of(asking.ask(case, edition="J13"), flips=False)
        base += proofs.graph_of(asking.ask(case), flips=False)
    found = resting(able, "A7.55-able")
    assert ("case/asl/a7-55-must", "core#Required", "norm/asl/A7.55/must@A7.55-able") in found
    assert len(found) > 3 and all("a7-55" in case for case, _, _ in found)
    assert resting(base, "A7.55-able") == set(), "the text as encoded is older than this erratum"
    included = resting(base, "B30.34-att")
    assert included == {("case/asl/b30-34-att", "core#Affirmed", "norm/asl/B30.34/unnamed")}
    proof = next(able.subjects(RDF.type, lp("Proof")))
    assert URIRef(iris.erratum("asl", "A7.55-able")) in set(able.objects(proof, lp("underErratum")))


@pytest.mark.slow
def test_a_norm_worded_by_an_erratum_has_a_name_of_its_own_and_revises_the_old_one(whole: Dataset) -> None:
    version = URIRef(iris.norm("asl", "A7.55/must", "A7.55-able"))
    old = URIRef(iris.norm("asl", "A7.55/must"))
    assert whole.value(version, PROV.wasRevisionOf) == old
    assert whole.value(version, lp("byErratum")) == URIRef(iris.erratum("asl", "A7.55-able"))
    assert whole.value(version, lp("expression")) != whole.value(old, lp("expression"))
    without = asking.ask(corpus.named("b30-34-att"), without=("B30.34-att",))
    written = proofs.graph_of(without, flips=False)
    assert URIRef(iris.norm("asl", "B30.34/unnamed", "before-B30.34-att")) in set(written.objects(None, lp("usesNorm")))
    assert resting(written, "B30.34-att") == set()
