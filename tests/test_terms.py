"""The rooms of the ontology: files to vocabulary, canonical Turtle, conditions to OWL. The toy game is in planted/."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef
from rdflib.compare import isomorphic

from kb import resources
from kb.errors import LoopholeError
from kb.language.norms import (
    And,
    Anything,
    Bind,
    Compare,
    Condition,
    Count,
    Deontic,
    Except,
    Flag,
    HasValue,
    Named,
    Norm,
    Not,
    Num,
    Only,
    Or,
    Path as Steps,
    Role,
    Same,
    Some,
    Unless,
)
from kb.language.vocabulary import Vocabulary
from kb.ontology import build as build_, dl_reasoner, sources, to_owl, turtle
from kb.ontology.from_owl import Unsayable, condition_of
from kb.ontology.functional_syntax import functional

ROOT = Path(__file__).resolve().parent.parent
XSD = "http://www.w3.org/2001/XMLSchema#"
TOY = ROOT / "tests" / "planted" / "ontology" / "toy"
N = Named


def toy(folder: Path, extra: str = "", prefixes: str = "") -> Path:
    """A copy of the toy ontology with the real core, and `extra` Turtle added to the game's file."""
    shutil.copytree(TOY, folder / "ontology")
    shutil.copy(ROOT / "ontology" / "core.ttl", folder / "ontology" / "core.ttl")
    (folder / "books").mkdir()
    file = folder / "ontology" / "game" / "units.ttl"
    file.write_text(prefixes + file.read_text(encoding="utf-8") + extra, encoding="utf-8")
    return folder / "ontology"


def build(folder: Path) -> Vocabulary:
    build_.build(folder, folder / "inferred", folder.parent / "books", both=False)
    return Vocabulary.from_json((folder / "inferred" / "game.json").read_text(encoding="utf-8"))


def codes(folder: Path) -> list[int]:
    return [p.code for p in build_.check(folder, folder / "inferred", folder.parent / "books")]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy ontology, classified."""
    folder = toy(tmp_path_factory.mktemp("toy"))
    build(folder)
    return folder


@pytest.fixture
def copied(built: Path, tmp_path: Path) -> Path:
    """A copy of it, to spoil."""
    shutil.copytree(built.parent, tmp_path / "copy")
    return tmp_path / "copy" / "ontology"


@pytest.fixture(scope="session")
def words(built: Path) -> Vocabulary:
    return Vocabulary.from_json((built / "inferred" / "game.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def background(built: Path) -> Graph:
    return sources.scopes(sources.read(built), built.parent / "books")[0].graph


# ── the vocabulary ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.reasoner
def test_classes_are_classified_and_closed(words: Vocabulary) -> None:
    c = words.classes
    assert c["HeavyTank"].ancestors == {"HeavyTank", "Tank", "Unit"} and c["HeavyTank"].parents == ("Tank",)
    assert c["Good"].parents == ("Unit",), "found by the reasoner, told nowhere"
    assert c["Unit"].descendants == {"Unit", "Squad", "Tank", "HeavyTank", "Good"}
    assert {"Squad", "Act", "Move", "Location"} <= c["HeavyTank"].disjoint and "HeavyTank" in c["March"].disjoint
    assert not c["HeavyTank"].disjoint & c["HeavyTank"].ancestors
    assert c["HeavyTank"].definitions == ("Tank and (size >= 70)",) and c["Good"].definitions == (
        "Unit and (not Broken)",
    )
    assert "Broken" in c["Good"].disjoint
    assert c["SlowMarch"].existential == (("phase", "MarchPhase"),), "only the most specific"
    assert c["Broken"].when_unstated == "absent" and c["Tank"].when_unstated == "asked"


@pytest.mark.reasoner
def test_properties_are_closed(words: Vocabulary) -> None:
    p = words.properties
    assert p["involves"].below == ("involves", "from")
    assert p["involves"].chains == p["from"].chains == (("actor", "at"),)
    assert p["at"].inverses == ("occupant",) and p["occupant"].inverses == ("at",)
    assert p["adjacentTo"].inverses == ("adjacentTo",)
    assert (p["occupant"].domain, p["occupant"].range) == ("Location", "Unit"), "from its inverse"
    assert p["occupant"].when_unstated == "complete"
    assert p["phase"].staged and p["phase"].functional and not p["occupant"].functional
    assert (p["size"].kind, p["size"].default, p["size"].unit) == ("number", Fraction(1, 2), "MF")
    assert (p["open"].kind, p["at"].kind, p["ruleNumber"].kind) == ("flag", "object", "text")


@pytest.mark.reasoner
def test_the_two_reasoners_agree_on_the_toy(background: Graph) -> None:
    assert len(dl_reasoner.agree(background)) > 50


def test_a_disagreement_of_the_reasoners_is_named() -> None:
    one = {"urn:a": frozenset({"urn:a", "urn:b"}), "urn:b": frozenset({"urn:b"})}
    two = {"urn:a": frozenset({"urn:a"}), "urn:b": frozenset({"urn:b"})}
    assert not dl_reasoner.differences(one, one)
    (problem,) = dl_reasoner.differences(one, two)
    assert problem.code == 724 and "HermiT alone: <urn:b>" in problem.message


def test_a_vocabulary_loads_without_an_rdf_library() -> None:
    code = (
        "import sys; from kb import resources; from kb.language.vocabulary import Vocabulary\n"
        "path = next((resources.path('ontology') / 'inferred').glob('*.json'))\n"
        "print(len(Vocabulary.from_json(path.read_text(encoding='utf-8')).classes))\n"
        "print(sorted({'rdflib', 'owlready2', 'pyoxigraph'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    count, libraries = done.stdout.split("\n")[:2]
    assert int(count) > 50 and libraries == "[]"


def test_an_inferred_file_may_leave_out_what_follows() -> None:
    def row(**more: object) -> dict[str, object]:
        return {"iri": "urn:x", "label": "x", **more}

    classes = {"A": row(disjoint=["D"]), "B": row(parents=["A"]), "C": row(parents=["B"]), "D": row()}
    classes["E"] = row(parents=["D"])
    read = Vocabulary.from_json(json.dumps({"book": "b", "version": "1", "classes": classes, "properties": {}})).classes
    assert read["C"].ancestors == {"A", "B", "C"} and read["A"].descendants == {"A", "B", "C"}
    assert read["C"].disjoint == {"D", "E"} and read["E"].disjoint == {"A", "B", "C"}


# ── faults of the files ─────────────────────────────────────────────────────────────────────────────────

FAULTS = {
    "syntax": (701, "game:X a owl:Class ; .. .", "not Turtle"),
    "undeclared": (703, "game:X a owl:Class ; rdfs:subClassOf game:Sqad .", "did you mean game:Squad"),
    "undeclared-prefix": (703, "game:X a owl:Class ; rdfs:subClassOf game:Unit .", "did you mean tac:Unit"),
    "foreign": (704, "game:X a owl:Class ; rdfs:subClassOf <https://w3id.org/loophole/other#Y> .", "another game"),
    "misplaced": (704, "tac:X a owl:Class .", "call it game:X"),
    "twice": (705, "game:Unit a owl:Class .", "rename one"),
    "mixed": (706, "game:x a owl:ObjectProperty , owl:DatatypeProperty .", "owl:DatatypeProperty and owl:Object"),
    "datatype": (707, "game:x a owl:DatatypeProperty ; rdfs:range xsd:date .", "use one of"),
    "functional-chain": (
        708,
        "game:x a owl:ObjectProperty , owl:FunctionalProperty ; owl:propertyChainAxiom ( tac:actor tac:at ) .",
        "drop the mark",
    ),
    "counted-chain": (
        708,
        "game:Tank rdfs:subClassOf [ a owl:Restriction ; owl:onProperty tac:involves ; owl:minCardinality 1 ] .",
        "tac:involves is counted",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_place(fault: str, tmp_path: Path) -> None:
    code, extra, said = FAULTS[fault]
    folder = toy(tmp_path, "\n" + extra + "\n")
    with pytest.raises(LoopholeError) as raised:
        build(folder)
    problem = raised.value.problems[0]
    assert problem.code == code and said in str(problem)
    assert problem.place.file.startswith("ontology/") and problem.place.line
    assert code in codes(folder)


@pytest.mark.parametrize("policy", ["namespaces: [game, tactiks, core]", "title: no list", "namespaces: game"])
def test_a_policy_without_known_namespaces_is_told(policy: str, tmp_path: Path) -> None:
    folder = toy(tmp_path)
    (tmp_path / "books" / "game").mkdir()
    (tmp_path / "books" / "game" / "policy.yaml").write_text(policy, encoding="utf-8")
    assert codes(folder) == [702]


MARKS = {
    "silence": (740, "game:X a owl:Class ; lp:whenUnstated lp:Silent ."),
    "two-silences": (740, "game:X a owl:Class ; lp:whenUnstated lp:Absent , lp:Asked ."),
    "default": (741, 'game:x a owl:DatatypeProperty ; rdfs:range xsd:integer ; lp:defaultValue "few" .'),
    "definition": (742, "game:X a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:oneOf ( lp:Absent ) ] ."),
    "nameless-inverse": (
        743,
        "game:x a owl:ObjectProperty ; owl:propertyChainAxiom ( tac:actor [ owl:inverseOf tac:phase ] ) .",
    ),
    "no-way-to-others": (744, 'game:x a owl:ObjectProperty ; lp:othersBy "actor phaze" .'),
    "asked-through-half": (745, 'game:x a owl:DatatypeProperty ; lp:askedThrough "Move actor" .'),
    "asked-through-no-relation": (745, 'game:x a owl:DatatypeProperty ; lp:askedThrough "Move actr Unit" .'),
    "told-by-a-class": (745, 'game:x a owl:ObjectProperty ; lp:toldBy "Unit" .'),
    "fails-with-a-class-alone": (745, 'game:X a owl:Class ; lp:failsWith "Move" .'),
    "changed-by-nothing": (745, 'game:x a owl:ObjectProperty ; lp:changedBy "" .'),
    "an-empty-way-to-others": (744, 'game:x a owl:ObjectProperty ; lp:othersBy "" .'),
}


@pytest.mark.reasoner
@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_that_cannot_be_read_is_told(mark: str, tmp_path: Path) -> None:
    code, extra = MARKS[mark]
    with pytest.raises(LoopholeError) as raised:
        build(toy(tmp_path, "\n" + extra + "\n", f"@prefix lp: <{turtle.LP}> .\n"))
    (problem,) = raised.value.problems
    assert problem.code == code and problem.place.file == "ontology/game/units.ttl" and problem.hint


@pytest.mark.reasoner
def test_an_unsatisfiable_class_is_found_by_both_reasoners_and_explained(tmp_path: Path) -> None:
    extra = "\ngame:Amphibian a owl:Class ; rdfs:subClassOf game:Squad , game:Tank .\n"
    folder = toy(tmp_path, extra)
    graph = sources.scopes(sources.read(folder), tmp_path / "books")[0].graph
    for reasoner in dl_reasoner.REASONERS:
        with pytest.raises(LoopholeError, match=rf"E722: {reasoner}: nothing can be a game:Amphibian"):
            dl_reasoner.classify(graph, reasoner)
    with pytest.raises(LoopholeError, match="game:Tank and game:Squad are disjoint") as raised:
        build(folder)
    assert raised.value.problems[0].place.file == "ontology/game/units.ttl"
    assert not (folder / "inferred" / "game.json").exists()


@pytest.mark.reasoner
@pytest.mark.parametrize("reasoner", dl_reasoner.REASONERS)
def test_a_contradiction_is_found(reasoner: str, tmp_path: Path) -> None:
    folder = toy(tmp_path, "\ngame:it a game:Squad , game:Tank .\n")
    with pytest.raises(LoopholeError, match=f"E721: {reasoner}"):
        dl_reasoner.classify(sources.merge(sources.read(folder)), reasoner)


# ── current or stale ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.reasoner
def test_a_fresh_build_is_current_and_is_not_built_again(built: Path) -> None:
    assert codes(built) == []
    assert build_.build(built, built / "inferred", built.parent / "books") == []


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.reasoner
def test_stale_inferred_files_are_found(copied: Path) -> None:
    path = copied / "inferred" / "game.json"
    fresh = path.read_text(encoding="utf-8")

    def why(old: str, new: str) -> str:
        path.write_text(fresh, encoding="utf-8")
        edit(path, old, new)
        (problem,) = build_.check(copied, copied / "inferred", copied.parent / "books")
        assert problem.code == 712 and problem.hint.endswith("build")
        return problem.message

    assert "edited by hand" in why('"parents": ["Tank"]', '"parents": ["Unit"]')
    assert "not what its Turtle" in why('"label": "act"', '"label": "deed"')
    assert "not what its Turtle" in why('"disjoint": ["Tank"]', '"disjoint": []')
    assert "does not read" in why('"classes"', '"klasses"')
    assert "does not read" in why("{", "")
    assert "does not read" in why('"parents": ["Tank"]', '"parents": ["Nobody"]')
    path.unlink()
    assert codes(copied) == [712]


@pytest.mark.reasoner
def test_a_changed_ontology_makes_its_inferred_file_stale(copied: Path) -> None:
    edit(copied / "tactics.ttl", '"act"@en', '"deed"@en')
    assert codes(copied) == [712]
    build(copied)
    assert codes(copied) == []
    shutil.copy(copied / "inferred" / "game.json", copied / "inferred" / "nobody.json")
    assert codes(copied) == [713]


# ── canonical Turtle ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.reasoner
def test_a_file_that_is_not_canonical_is_found_and_mended(copied: Path) -> None:
    file = copied / "game" / "units.ttl"
    text = file.read_text(encoding="utf-8")
    file.write_text("# kept\n" + text.replace(" ;\n    ", ";"), encoding="utf-8")
    assert codes(copied) == [710, 712]
    assert build_.reformat([file]) == [file]
    assert file.read_text(encoding="utf-8") == "# kept\n" + text
    assert build_.reformat([file]) == []


@pytest.mark.parametrize(
    "text",
    [
        "_:x a owl:Class . p:a p:b _:x . p:c p:b _:x .",
        "_:x p:b _:y . _:y p:b _:x .",
        "p:a p:b _:l . p:c p:b _:l . _:l rdf:first 1 ; rdf:rest () .",
    ],
)
def test_a_blank_node_without_one_place_is_a_fault(text: str) -> None:
    prefixes = f"@prefix p: <urn:p#> . @prefix owl: <{OWL}> . @prefix rdf: <{RDF}> .\n"
    with pytest.raises(LoopholeError, match="E711"):
        turtle.canonical(Graph().parse(data=prefixes + text))


LITERALS = ['"a\\"b\\\\c\\n"', '"1"^^xsd:integer', "1.50", "true", '"x"@en-GB', '"1"^^xsd:boolean', "1e3", '"½"', "-3"]


@pytest.mark.parametrize("literal", LITERALS)
def test_literals_keep_their_exact_form(literal: str) -> None:
    graph = Graph().parse(data=f"@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . <urn:a> <urn:b> {literal} .")
    assert isomorphic(graph, Graph().parse(data=turtle.canonical(graph)))


# ── conditions and OWL ──────────────────────────────────────────────────────────────────────────────────


def size(op: str, n: Fraction | int | str, *before: str) -> Compare:
    return Compare(Steps("", (*before, "size")), op, Num(Fraction(n)))


X = Steps("x", ())
INSIDE: list[tuple[Condition, Condition]] = [
    (N("March"), Some(Role("phase"), N("MovePhase"))),
    (And((N("Tank"), size(">=", 100))), N("HeavyTank")),
    (size("<", "5/2"), size("<=", "2.5")),
    (size("=", 70), size(">=", 70)),
    (size("<", 60), size("!=", 60)),
    (Except(N("Unit"), N("Broken"), "b"), N("Good")),
    (N("Good"), Except(N("Unit"), N("Broken"))),
    (Some(Role("actor"), Some(Role("at"), N("Location"))), Some(Role("from"), N("Location"))),
    (Some(Role("from"), N("Location")), Count(Role("from"), "min", 1, N("Location"))),
    (Some(Role("at"), N("Location")), Some(Role("occupant", inverse=True), N("Location"))),
    (Count(Role("occupant"), "min", 3, N("Squad")), Count(Role("occupant"), "min", 2, N("Unit"))),
    (Count(Role("occupant"), "max", 0, N("Unit")), Not(Some(Role("occupant"), N("Squad")))),
    (size(">=", 70, "actor"), Some(Role("actor"), size(">", 50))),
    (And((Flag("open", True), N("Unit"))), Flag("open", True)),
    (And((N("Unit"), HasValue(Role("at"), X))), HasValue(Role("at"), X)),
    (Some(Role("at"), Bind(N("Location"), "x")), Some(Role("at"), N("Location"))),
    (Some(Role("at"), And((Bind(N("Location"), "x"), Flag("open", True)))), Some(Role("at"), Same(X))),
]
APART: list[tuple[Condition, Condition]] = [
    (Some(Role("phase"), N("MovePhase")), N("March")),
    (size(">=", 70), size(">=", 100)),
    (N("Unit"), N("Good")),
    (Only(Role("occupant"), N("Squad")), Some(Role("occupant"), N("Squad"))),
    (Flag("open", True), Flag("open", False)),
    (HasValue(Role("at"), X), HasValue(Role("at"), Steps("y", ()))),
    # the x of one is not the x of the other: the adjacent thing of the first may be another than the actor's
    (
        And((Some(Role("actor"), Bind(N("Squad"), "x")), Some(Role("adjacentTo"), HasValue(Role("at"), X)))),
        And((Some(Role("adjacentTo"), Bind(N("Squad"), "x")), Some(Role("adjacentTo"), HasValue(Role("at"), X)))),
    ),
]


@pytest.mark.reasoner
def test_hermit_finds_which_conditions_lie_inside_which(words: Vocabulary, background: Graph) -> None:
    pairs = INSIDE + APART
    conditions = [c for pair in pairs for c in pair]
    empty = And((N("Squad"), N("Tank")))
    found = to_owl.compare([*conditions, empty], words, background)
    said = {(2 * i, 2 * i + 1) in found.subsumed for i in range(len(INSIDE))}
    assert said == {True}, [f"{a} ⊑ {b}" for i, (a, b) in enumerate(INSIDE) if (2 * i, 2 * i + 1) not in found.subsumed]
    wrong = [(a, b) for i, (a, b) in enumerate(pairs) if i >= len(INSIDE) and (2 * i, 2 * i + 1) in found.subsumed]
    assert not wrong, [f"{a} ⊑ {b}" for a, b in wrong]
    assert found.empty == {len(conditions)} and not any(found.empty & set(pair) for pair in found.subsumed)


@pytest.mark.reasoner
def test_a_norm_and_its_exceptions_are_compared_against_the_shipped_ontology() -> None:
    shipped = Vocabulary.from_json(next((ROOT / "ontology" / "inferred").glob("*.json")).read_text(encoding="utf-8"))
    inside = Some(Role("destination"), N("Fortification"))
    wide = Norm("1", "1", Deontic("forbids", "Entry"))
    narrow = Norm("2", "2", Deontic("permits", "Move"), when=inside, unless=(Unless("tunnel", N("Withdrawal")),))
    whole = [to_owl.situation(wide, "Entry"), to_owl.situation(narrow, "Move"), to_owl.situation(narrow, "Withdrawal")]
    assert str(whole[1]) == "Move and (destination some Fortification) and (not Withdrawal)"
    found = to_owl.compare(whole, shipped)
    assert (1, 0) in found.subsumed and (0, 1) not in found.subsumed and found.empty == {2}
    assert to_owl.subsumed(whole, shipped) == found.subsumed


OPAQUE: list[Condition] = [
    HasValue(Role("at"), Steps("this", ("actor",))),
    Same(Steps("this", ())),
    size("<", "1/3"),
    Compare(Steps("this", ("size",)), ">", Num(Fraction(1))),
    Compare(Steps("", ("occupant", "size")), ">", Num(Fraction(1))),
    Compare(Steps("", ("size",)), ">", Steps("x", ("size",))),
    Count(Role("from"), "min", 2, N("Location")),
    Count(Role("involves"), "exactly", 1, N("Location")),
]


@pytest.mark.reasoner
@pytest.mark.parametrize("condition", OPAQUE, ids=str)
def test_what_owl_cannot_say_becomes_a_named_class_with_its_text(condition: Condition, words: Vocabulary) -> None:
    told = to_owl.Translation(words)
    node = told.translate(And((N("Unit"), condition)))
    assert list(told.opaque.values()) == [str(condition)]
    (iri,) = told.opaque
    assert URIRef(iri) in told.graph.items(told.graph.value(node, OWL.intersectionOf))
    assert (URIRef(iri), RDF.type, OWL.Class) in told.graph
    again = to_owl.Translation(words)
    again.translate(condition)
    assert again.opaque == told.opaque, "the same text, the same class"


@pytest.mark.reasoner
def test_an_exception_is_and_not_and_is_kept_apart(words: Vocabulary) -> None:
    told = to_owl.Translation(words)
    node = told.translate(Some(Role("actor"), Except(N("Unit"), Or((N("Broken"), N("Tank"))), "weak")))
    assert str(condition_of(told.graph, node)) == "actor some (Unit and (not (Broken or Tank)))"
    ((label, carved),) = told.exceptions
    assert label == "weak" and str(condition_of(told.graph, carved)) == "Broken or Tank"


@pytest.mark.reasoner
@pytest.mark.parametrize(
    "condition", [N("Sqaud"), Some(Role("aktor"), Anything()), Flag("opne", True), size(">", 1, "ator")]
)
def test_an_unknown_name_gets_the_nearest_spelling(condition: Condition, words: Vocabulary) -> None:
    with pytest.raises(LoopholeError, match=r"E730.*\n.*did you mean (Squad|actor|open)"):
        to_owl.Translation(words).translate(condition)


def conditions() -> st.SearchStrategy[Condition]:
    """Conditions that OWL 2 DL can say, in the one form that reading them back gives."""
    roles = st.builds(Role, st.sampled_from(["actor", "at", "occupant", "phase"]), st.booleans())
    numbers = st.builds(lambda n, d: Num(Fraction(n, d)), st.integers(-300, 300), st.sampled_from([1, 2, 4, 5, 8, 20]))
    leaves = st.one_of(
        st.sampled_from([N("Unit"), N("Tank"), N("Broken"), N("Location"), Anything()]),
        st.builds(Flag, st.just("open"), st.booleans()),
        st.builds(lambda op, n: Compare(Steps("", ("size",)), op, n), st.sampled_from(["<", "<=", ">", ">="]), numbers),
    )

    def grown(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        counts = st.builds(Count, roles, st.sampled_from(["min", "max", "exactly"]), st.integers(2, 4), inner)
        return st.one_of(
            st.builds(Not, inner), st.builds(And, several), st.builds(Or, several),
            st.builds(Some, roles, inner), st.builds(Only, roles, inner), counts,
        )  # fmt: skip

    return st.recursive(leaves, grown, max_leaves=6)


@pytest.mark.reasoner
@settings(max_examples=150)
@given(condition=conditions())
def test_owl_is_read_back_as_the_condition_it_was(condition: Condition, words: Vocabulary, background: Graph) -> None:
    told = to_owl.Translation(words)
    node = told.translate(condition)
    assert not told.opaque
    for name in ("open", "size"):
        told.graph.add((URIRef(words.properties[name].iri), RDF.type, OWL.DatatypeProperty))
    assert condition_of(told.graph, node) == condition


@pytest.mark.parametrize(
    "text",
    [
        "owl:oneOf ( <urn:a> )",
        "owl:onProperty <urn:p> ; owl:hasValue <urn:a>",
        "owl:onProperty <urn:p> ; owl:hasSelf true",
        "owl:onProperty <urn:d> ; owl:allValuesFrom <urn:t>",
        "owl:onProperty <urn:d> ; owl:someValuesFrom <urn:t>",
    ],
)
def test_what_the_rule_language_cannot_say_is_refused(text: str) -> None:
    prefix = "@prefix owl: <http://www.w3.org/2002/07/owl#> . <urn:d> a owl:DatatypeProperty . [] <urn:is> "
    graph = Graph().parse(data=f"{prefix} [ {text} ] .")
    (node,) = graph.objects(None, URIRef("urn:is"))
    assert isinstance(node, BNode)
    with pytest.raises(Unsayable):
        condition_of(graph, node)


# ── functional syntax ───────────────────────────────────────────────────────────────────────────────────

P = f"@prefix : <urn:x#> . @prefix owl: <{OWL}> . @prefix rdfs: <{RDFS}> . @prefix xsd: <{XSD}> .\n"
PARTS = ":A a owl:Class . :B a owl:Class . :p a owl:ObjectProperty . :q a owl:DatatypeProperty . "
# Turtle: the axiom that HermiT is given for it
SYNTAX = {
    ":A rdfs:subClassOf :B": "SubClassOf(:A :B)",
    ":A owl:disjointWith :B": "DisjointClasses(:A :B)",
    ":A owl:disjointUnionOf ( :B :B )": "DisjointUnion(:A :B :B)",
    ":A owl:unionOf ( :A :B )": "EquivalentClasses(:A ObjectUnionOf(:A :B))",
    "[] a owl:AllDisjointClasses ; owl:members ( :A :B )": "DisjointClasses(:A :B)",
    ":A owl:equivalentClass [ owl:intersectionOf ( :A [ owl:complementOf :B ] ) ]": (
        "EquivalentClasses(:A ObjectIntersectionOf(:A ObjectComplementOf(:B)))"
    ),
    ":A rdfs:subClassOf [ owl:intersectionOf ( :B ) ]": "SubClassOf(:A :B)",
    ":A rdfs:subClassOf [ owl:oneOf ( :i ) ]": "SubClassOf(:A ObjectOneOf(:i))",
    ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom :B ]": (
        "SubClassOf(:A ObjectAllValuesFrom(:p :B))"
    ),
    ":A rdfs:subClassOf [ owl:onProperty [ owl:inverseOf :p ] ; owl:hasValue :i ]": (
        "SubClassOf(:A ObjectHasValue(ObjectInverseOf(:p) :i))"
    ),
    ":A rdfs:subClassOf [ owl:onProperty :p ; owl:minCardinality 2 ]": "SubClassOf(:A ObjectMinCardinality(2 :p))",
    ":A rdfs:subClassOf [ owl:onProperty :p ; owl:qualifiedCardinality 1 ; owl:onClass :B ]": (
        "SubClassOf(:A ObjectExactCardinality(1 :p :B))"
    ),
    ":A rdfs:subClassOf [ owl:onProperty :q ; owl:hasValue true ]": (
        'SubClassOf(:A DataHasValue(:q "true"^^xsd:boolean))'
    ),
    ":A rdfs:subClassOf [ owl:onProperty :q ; owl:someValuesFrom [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ;"
    " owl:withRestrictions ( [ xsd:minInclusive 1.5 ] ) ] ]": (
        'SubClassOf(:A DataSomeValuesFrom(:q DatatypeRestriction(xsd:decimal xsd:minInclusive "1.5"^^xsd:decimal)))'
    ),
    ":p rdfs:domain :A": "ObjectPropertyDomain(:p :A)",
    ":q rdfs:range xsd:integer": "DataPropertyRange(:q xsd:integer)",
    ":p owl:inverseOf :r": "InverseObjectProperties(:p :r)",
    ":p owl:propertyChainAxiom ( :p [ owl:inverseOf :p ] )": (
        "SubObjectPropertyOf(ObjectPropertyChain(:p ObjectInverseOf(:p)) :p)"
    ),
    ":q rdfs:subPropertyOf :q": "SubDataPropertyOf(:q :q)",
    ":p a owl:TransitiveProperty": "TransitiveObjectProperty(:p)",
    ":q a owl:FunctionalProperty": "FunctionalDataProperty(:q)",
    ":i a :A": "ClassAssertion(:A :i)",
    ":i a [ owl:complementOf :A ]": "ClassAssertion(ObjectComplementOf(:A) :i)",
    ":i :p :j": "ObjectPropertyAssertion(:p :i :j)",
    ":i :q 3": 'DataPropertyAssertion(:q :i "3"^^xsd:integer)',
    ":i owl:differentFrom :j": "DifferentIndividuals(:i :j)",
    "[] a owl:AllDifferent ; owl:distinctMembers ( :i :j )": "DifferentIndividuals(:i :j)",
    "[] a owl:NegativePropertyAssertion ;"
    " owl:sourceIndividual :i ; owl:assertionProperty :p ; owl:targetIndividual :j": (
        "NegativeObjectPropertyAssertion(:p :i :j)"
    ),
}


@pytest.mark.parametrize("told", SYNTAX)
def test_each_axiom_has_its_functional_form(told: str) -> None:
    def said(turtle_text: str) -> set[str]:
        lines = functional(Graph().parse(data=P + turtle_text)).splitlines()
        short = (re.sub(r"<urn:x#(\w+)>", r":\1", line) for line in lines)
        return {re.sub(f"<{XSD}" + r"(\w+)>", r"xsd:\1", line) for line in short}

    assert said(PARTS + told + " .") - said(PARTS) == {SYNTAX[told]}


@pytest.mark.parametrize(
    "stray", [":i :unknown :j", ":A rdfs:subClassOf []", ":A rdfs:subClassOf [ owl:onProperty :p ]", ":q rdfs:range []"]
)
def test_no_triple_is_lost_on_the_way_to_the_reasoner(stray: str) -> None:
    with pytest.raises(LoopholeError, match="E725"):
        functional(Graph().parse(data=P + PARTS + stray + " ."))


# ── where the files are ─────────────────────────────────────────────────────────────────────────────────


def test_data_folders_are_found_in_a_checkout() -> None:
    assert resources.path("ontology") == ROOT / "ontology"
    assert resources.path("queries") == ROOT / "queries"
    assert resources.path("rulebooks") == ROOT / "kb" / "rulebooks"
    with pytest.raises(LoopholeError, match="E700: no data folder “nothing”"):
        resources.path("nothing")


def test_data_folders_are_found_in_an_installed_copy(tmp_path: Path) -> None:
    for name in ("__init__.py", "resources.py", "errors.py"):
        (tmp_path / "kb").mkdir(exist_ok=True)
        shutil.copy(ROOT / "kb" / name, tmp_path / "kb" / name)
    inside = tmp_path / "kb" / "_data" / "ontology"
    inside.mkdir(parents=True)
    (tmp_path / "ontology").mkdir()  # a stranger's folder of that name beside the package
    code = "from kb import resources; print(resources.path('ontology'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == inside


# ── the command line ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.reasoner
def test_the_command_line_says_what_is_wrong(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"ontology": copied, "rulebooks": copied.parent / "books", "queries": ROOT / "queries"}
    monkeypatch.setattr(resources, "path", places.__getitem__)
    assert build_.main(["check"]) == 0
    assert build_.main(["hygiene"]) == 1 and "a term has no label" in capsys.readouterr().out
    file = copied / "game" / "units.ttl"
    raft = "\n\ngame:Raft a owl:Class ;\n rdfs:subClassOf tac:Unit .\n"
    file.write_text(file.read_text(encoding="utf-8") + raft, encoding="utf-8")
    assert build_.main(["check"]) == 1 and "E710 ontology/game/units.ttl" in capsys.readouterr().out
    assert build_.main(["format"]) == 0 and capsys.readouterr().out == "rewrote units.ttl\n"
    assert build_.main(["build", "--quick"]) == 0 and "wrote ontology/inferred/game.json" in capsys.readouterr().out
    assert build_.main(["check"]) == 0
    file.write_text("nonsense", encoding="utf-8")
    assert build_.main(["build"]) == 2 and "E701 ontology/game/units.ttl:1" in capsys.readouterr().err
