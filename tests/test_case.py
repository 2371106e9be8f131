"""Cases: what a file says is what the reasoner gets; unknown names get the nearest; contradictions give both places."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kb.cases import reader as cases
from kb.cases.telling import Telling
from kb.errors import CaseError
from kb.language.case import Case, Facts
from kb.yaml_document import document, written
from tests import toy


def read(text: str, file: str = "") -> Case:
    data, source = document(text, file)
    return cases.read(data, toy.vocabulary(), source)


def faults(text: str) -> list[int]:
    with pytest.raises(CaseError) as caught:
        read(text)
    return [p.code for p in caught.value.problems]


FULL = """
book: toy
title: A case
notes: anything at all
things:
  ann: {is: [Kn, friendly], not: weary, unknown: [Cursed, holds], at: yard, label: Sir Ann}
  yard: Yard
  keep: {is: Keep, outside: yard, wall: "2 1/2", drawn: false, occupant: []}
  go: {is: Charge, actor: ann, destination: keep, phase: night, via: [Tunnel, {is: Tower, wall: 3}]}
history: go
ask: {may: go}
expect: {verdict: forbidden}
"""


def test_a_case_says_what_its_file_says() -> None:
    case = read(FULL)
    ann, keep, go = (case.things[n] for n in ("ann", "keep", "go"))
    assert ann.is_ == ("Knight", "Friendly") and ann.not_ == ("Weary",) and ann.unknown == ("Cursed", "holds")
    assert ann.label == "Sir Ann" and ann.links == {"at": ("yard",)}
    assert case.things["yard"].is_ == ("Yard",)
    assert keep.numbers == {"wall": Fraction(5, 2)} and keep.flags == {"drawn": False} and keep.links["occupant"] == ()
    assert go.links["phase"] == ("go.phase",) and case.things["go.phase"].is_ == ("NightPhase",)
    assert go.links["via"] == ("go.via.1", "go.via.2") and case.things["go.via.2"].numbers == {"wall": 3}
    assert case.history == ("go",) and case.question.kind == "may" and case.expect == {"verdict": "forbidden"}
    assert case.title == "A case"


def test_an_unnamed_thing_is_called_by_its_class() -> None:
    assert read(FULL).things["go.phase"].label == "night phase"


def test_json_and_plain_mappings_say_the_same() -> None:
    data: dict[str, Any] = {
        "book": "toy",
        "things": {"ann": {"is": ["Knight"], "at": "yard"}, "yard": {"is": "Yard"}},
        "ask": {"is": ["ann", "Fresh"]},
    }  # fmt: skip
    assert read(json.dumps(data)).things == cases.read(data, toy.vocabulary()).things


def test_names_may_be_labels_and_abbreviations_in_any_case() -> None:
    for word in ("Knight", "knight", "KN", "kn"):
        assert read(f"book: toy\nthings: {{a: {{is: {word}}}}}\nask: {{is: [a, Fresh]}}").things["a"].is_ == ("Knight",)
    for word in ("NightPhase", "night phase", "night-phase", "NIGHT"):
        assert read(f"book: toy\nthings: {{a: {{is: '{word}'}}}}\nask: {{is: [a, Phase]}}").things["a"].is_ == (
            "NightPhase",
        )


def test_several_kinds_may_be_told_in_one_phrase() -> None:
    for phrase, is_ in (("fresh knight", ("Fresh", "Knight")), ("Night Phase", ("NightPhase",))):
        assert read(f"book: toy\nthings: {{a: {{is: {phrase}}}}}\nask: {{is: [a, Fresh]}}").things["a"].is_ == is_
    assert faults("book: toy\nthings: {a: {is: fresh knigt}}\nask: {is: [a, Fresh]}") == [423]


def test_a_thing_of_the_case_goes_before_a_class_of_that_name() -> None:
    case = read("book: toy\nthings: {keep: {is: Yard}, go: {is: Charge, destination: keep}}\nask: {may: go}")
    assert case.things["go"].links["destination"] == ("keep",)


def test_conditions_in_questions_may_name_things() -> None:
    case = read(
        "book: toy\nthings: {a: {is: Knight, at: y}, y: {is: Yard}}\nask: {is: [a, 'at value y and not weary']}"
    )
    assert "at value y" in str(case.question.condition)


def test_yes_no_on_and_off_may_be_names() -> None:
    things = "{off: {is: Knight}, no: {is: Keep, drawn: off}, go: {is: Charge, actor: off, destination: no}}"
    case = read(f"book: toy\nthings: {things}\nask: {{may: go}}")
    assert case.things["go"].links["actor"] == ("off",) and case.things["go"].links["destination"] == ("no",)
    assert case.things["no"].flags == {"drawn": False}


def test_many_faults_are_told_at_once() -> None:
    assert faults(FULL.replace("Kn,", "Knigt,").replace("actor:", "actr:").replace("{may: go}", "{may: come}")) == [
        423,
        425,
        428,
    ]


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ("{may: []}", 439),
        ("{may: [a, b]}", 439),
        ("{is: [[], Piece]}", 439),
        ("{value: [strength, [a, b]]}", 439),
        ("{which: , as: x, may: a}", 433),
        ("{which: [], as: x, may: a}", 433),
    ],
)
def test_a_question_about_nothing_or_about_several_is_refused(ask: str, code: int) -> None:
    with pytest.raises(CaseError) as caught:
        read(f"book: toy\nthings: {{a: {{is: Knight}}, b: {{is: Knight}}}}\nask: {ask}\n")
    assert code in [p.code for p in caught.value.problems] and all(p.hint for p in caught.value.problems)


def test_places_are_given_with_line_and_column() -> None:
    with pytest.raises(CaseError) as caught:
        read("book: toy\nthings:\n  a: {is: Knight, at: yarrd}\nask: {may: a}\n", "my.yaml")
    problem = caught.value.problems[0]
    assert (problem.place.file, problem.place.line, problem.place.column) == ("my.yaml", 3, 19)
    assert problem.line == "  a: {is: Knight, at: yarrd}" and "Yard" in problem.hint


@pytest.mark.parametrize(
    ("facts", "code", "hint"),
    [
        ("is: [Keep, drawn]", 423, "it is a property: write drawn: true beside “is”"),
        ("is: Keep, not: [drawn]", 423, "it is a property: write drawn: false beside “not”"),
        ("is: [Keep, at]", 423, "it is a property: write at: THING beside “is”"),
        ("is: [Knight, Yard]", 440, "take one of the two back, or tell it by a relation, such as is: Knight, at: Yard"),
        ("is: [Knight, Archer]", 440, "take one of the two back"),
    ],
)
def test_what_belongs_elsewhere_than_among_the_classes_is_told_where(facts: str, code: int, hint: str) -> None:
    with pytest.raises(CaseError) as caught:
        read(f"book: toy\nthings:\n  a: {{{facts}}}\nask: {{is: [a, Piece]}}\n")
    assert [(p.code, p.hint) for p in caught.value.problems] == [(code, hint)]


@pytest.mark.parametrize(
    "facts",
    ["is: [Knight, Archer]", "is: Knight, not: Knight", "is: Knight, not: Piece", "is: [Charge, Keep]"],
)
def test_facts_that_cannot_hold_together_are_refused_with_both_places(facts: str) -> None:
    with pytest.raises(CaseError) as caught:
        read(f"book: toy\nthings:\n  a: {{{facts}}}\nask: {{is: [a, Piece]}}\n")
    assert [p.code for p in caught.value.problems] == [440]


def test_a_mapping_without_places_names_the_path() -> None:
    with pytest.raises(CaseError, match=r"things\.a\.wall: “wall” is a number"):
        cases.read(
            {"book": "toy", "things": {"a": {"is": "Keep", "wall": "high"}}, "ask": {"may": "a"}}, toy.vocabulary()
        )


@pytest.mark.parametrize(
    "data",
    [
        None, [], "x", 3, {}, {"things": 3}, {"ask": []}, {"things": {"a": 3}}, {"things": {3: {}}},
        {"ask": {"may": None}}, {"ask": {"is": [None, None]}}, {"ask": {"which": None, "may": "a"}},
        {"things": {"a": {"is": {}}}}, {"history": {}},
        {"things": {"a": {"at": [[]]}}}, {"things": {"a": {"at": {"at": {"at": 1}}}}}, {"expect": []},
    ],
)  # fmt: skip
def test_odd_shapes_are_refused_in_words(data: Any) -> None:
    with pytest.raises(CaseError):
        cases.read(data, toy.vocabulary())


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["ann", "Knight", "at", "yard", "2½", "", "each", "go"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["is", "not", "at", "wall", "drawn", "may", "which", "as", "value", "x"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(
    st.fixed_dictionaries({"things": st.dictionaries(st.sampled_from(["ann", "yard", "go"]), VALUES), "ask": VALUES})
)
def test_any_shape_is_read_or_refused(data: Any) -> None:
    try:
        cases.read({"book": "toy", **data}, toy.vocabulary())
    except CaseError as e:
        assert str(e)


@settings(max_examples=150)
@given(st.text(max_size=120), st.integers(0, len(FULL)))
def test_any_text_is_read_or_refused(text: str, at: int) -> None:
    for case in (text, FULL[:at] + text + FULL[at:]):
        try:
            data, source = document(case)
            cases.read(data, toy.vocabulary(), source)
        except CaseError as e:
            assert str(e)


def test_a_label_goes_before_what_another_term_is_also_called() -> None:
    from kb.language.vocabulary import Vocabulary

    row = {"iri": "", "ancestors": [], "descendants": [], "disjoint": []}
    terms = {
        "Foot": {**row, "label": "infantry"},
        "FootTarget": {**row, "label": "infantry target", "alt": ["infantry"]},
    }
    more = {"A": {**row, "label": "a", "alt": ["dm"]}, "B": {**row, "label": "b", "alt": ["DM"]}}
    made = Vocabulary.from_json(json.dumps({"book": "x", "version": "1", "classes": terms | more, "properties": {}}))
    assert made.resolve("Infantry") == "Foot"
    assert (made.resolve("dm"), made.resolve("DM"), made.resolve("Dm")) == ("A", "B", "A")  # Dm heads a line


def test_a_case_that_is_written_down_reads_the_same() -> None:
    things = {
        "ann": {"is": ["Knight", "Friendly"], "at": "yard", "holds": [], "moves": "2 1/2", "weary": False},
        "old gate": {"label": "a gate: shut, [barred] # once", "is": "Gate"},
        "x": {"label": "true", "is": ["Knight"], "note": "yes", "end": "ends in a blank "},
    }
    ask = {"is": ["ann", "at value yard"]}
    found, _ = document(written({"book": "toy", "things": things, "ask": ask}))
    assert found["book"] == "toy" and found["ask"] == ask
    assert found["things"]["x"] == {"label": "true", "is": "Knight", "note": "yes", "end": "ends in a blank "}
    assert found["things"]["old gate"] == things["old gate"]
    assert found["things"]["ann"] == things["ann"]


# ── JSON, which is YAML ──

ODD = (
    '{"a": 1.50, "b": [-0, 12, 1e5, 1.5E3, 100000000000000000000], "c": true, "d": null}',
    '{"rule": 20.10, "expect": {"cites": [30.10, "A"], "defeated": 20.10, "value": 1.50}}',
    '{"rule": "20.10", "expect": {"cites": ["30.10"], "value": 0.10}}',
    r'{"a": "\u00e9 \ud83d\ude00 \/ \b \n \"quoted\": 1", "b": "\u2028"}',
    '{"a": "x\u2028y", "b": "x\u0085y"}',
    '{"a": {"b": 1, "b": 2}}',
    '{"a" : 1, "a": 2}',
    '{"a"\n: 1}',
    '{"a":1,"b":["*c","&d","!e","#f","- g",": h"],"<<":{}}',
    '{"a": NaN}',
    '{"' + "k" * 1100 + '": 1}',
    '{"a": ' + "[" * 38 + "]" * 38 + "}",
    '{"a": ' + "[" * 45 + "]" * 45 + "}",
    '{"a": 1',
    '{"a": 1}\n---\n',
)  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_json_says_what_it_says_as_yaml(text: str) -> None:
    """It is read by a reader of its own where both mean the same by it. A blank before it has it read as YAML."""
    try:
        as_yaml: Any = document(" " + text)[0]
    except CaseError as e:
        with pytest.raises(CaseError) as caught:
            document(text)
        assert [(p.code, p.message) for p in caught.value.problems] == [(p.code, p.message) for p in e.problems]
    else:
        assert document(text)[0] == as_yaml


def test_a_fault_in_json_is_told_with_its_place() -> None:
    text = '{"book": "toy",\n "things": {"ann": {"is": "Kn"},\n  "bob": {"is": "Nobody"}},\n "ask": {"may": "go"}}'
    with pytest.raises(CaseError) as caught:
        read(text, "a.json")
    places = [(p.code, p.place.line, p.place.column) for p in caught.value.problems]
    assert places == [(423, 3, 11), (428, 4, 10)]


def test_the_words_of_a_case_alone_are_looked_for() -> None:
    """What no word is told of need not be completed; what is told while it is, counts."""
    told = Telling({"a": Facts("a", ("Kn",), links={"at": ("b",)}), "b": Facts("b", unknown=("wall",))})
    assert told.said == {"Kn", "at", "wall"}
    before = told.as_told()
    told["b"] = Facts("b", ("Yard",), numbers={"size": Fraction(1)}, texts={"coordinate": "H1"})
    assert told.said == {"Kn", "at", "wall", "Yard", "size", "coordinate"} and before["b"].is_ == ()
