"""The published JSON Schema and pages of words: current, true of every case there is, and refusing planted bad ones."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from kb import asking
from kb.answers import expectations
from kb.cases import glossary_page, schema
from kb.cases.questions import ASKS
from kb.cases.reader import EXPECTS, KEYS
from kb.yaml_document import pieces
from tests import toy
from tests.night import some, turn
from tests.test_explain import THINGS

TOY = Draft202012Validator(schema.case_schema({"toy": toy.vocabulary()}))


class Loader(yaml.SafeLoader):
    """YAML as a case reads it: no dates, and yes, no, on and off are words."""


Loader.yaml_implicit_resolvers = {
    key: [
        row
        for row in rows
        if row[0].rpartition(":")[2] != "timestamp" and not (row[0].endswith("bool") and key in "yYnNoO")
    ]
    for key, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def faults(validator: Any, text: str) -> list[str]:
    return [f"{e.json_path}: {e.message}" for e in validator.iter_errors(yaml.load(text, Loader))]


def test_what_is_generated_is_current(root: Path) -> None:
    assert schema.stale(root / "docs") == [], "run python -m kb.cases.schema build"


def test_a_page_that_is_not_current_is_noticed(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "docs", tmp_path / "docs")
    page = tmp_path / "docs" / "case.schema.json"
    page.write_text(page.read_text(encoding="utf-8").replace("A Loophole case", "A case"), encoding="utf-8")
    (tmp_path / "docs" / "vocabulary-chess.md").write_text("# The words of chess\n", encoding="utf-8")
    assert {p.name for p in schema.stale(tmp_path / "docs")} == {"case.schema.json", "vocabulary-chess.md"}


def test_the_schema_is_one(root: Path) -> None:
    Draft202012Validator.check_schema(json.loads((root / "docs" / "case.schema.json").read_text(encoding="utf-8")))


def files_of_cases(root: Path) -> list[list[str]]:
    """The texts of the cases of each file of one book."""
    files = [f for book in schema.vocabularies() for f in sorted((root / "tests" / "cases" / book).glob("*.yaml"))]
    texts = [f.read_text(encoding="utf-8") for f in [*files, *(root / "examples").glob("*.yaml")]]
    return [[text for _, text in pieces(whole)] for whole in texts]


@pytest.mark.slow
def test_a_case_of_each_file_validates(root: Path) -> None:
    validator = Draft202012Validator(json.loads((root / "docs" / "case.schema.json").read_text(encoding="utf-8")))
    found = [texts[-1] for texts in files_of_cases(root)]
    assert len(found) >= 120
    assert {text: said for text in found if (said := faults(validator, text))} == {}


@turn(of=3)
@pytest.mark.slow
def test_every_case_there_is_validates(root: Path) -> None:
    validator = Draft202012Validator(json.loads((root / "docs" / "case.schema.json").read_text(encoding="utf-8")))
    found = [text for texts in files_of_cases(root) for text in texts]
    assert len(found) >= 3280
    bad = {text.split("\nbook:")[0]: said for text in some(found, of=5) if (said := faults(validator, text))}
    assert bad == {}


def test_what_the_page_shows_is_taken_by_schema_and_reader_alike(root: Path) -> None:
    validator = Draft202012Validator(json.loads((root / "docs" / "case.schema.json").read_text(encoding="utf-8")))
    shown = re.findall(r"```yaml\n(.*?)```", (root / "docs" / "cases.md").read_text(encoding="utf-8"), re.S)
    whole = [text for part in shown if part.startswith(("book:", "name:")) for _, text in pieces(part)]
    assert len(whole) >= 6 and any("ask: {may: {is:" in text for text in whole)
    for text in whole:
        assert faults(validator, text) == []
        data = yaml.load(text, Loader)
        assert not list(expectations.mismatches(asking.ask(data))), text


def test_good_cases_of_every_kind_validate() -> None:
    for ask in (
        "{may: go}", "{must: go}", "{is: [ann, Fresh]}", "{value: [cover, shot]}", "{effects: shot}",
        "{which: Phase, as: phase, may: go}", "{which: [ann, bob], is: [each, Fresh]}",
    ):  # fmt: skip
        assert faults(TOY, THINGS + ask) == []
    for ask in (
        "{may: {is: Go, actor: ann}}", "{must: {is: Go}}", "{is: [{is: Squad, label: a squad}, Fresh]}",
        "{value: [cover, {is: Shot, at: keep}]}", "{effects: {is: Shot}}", "{may: go}\nhistory: [{is: Shot}, go]", "{may: go}\nhistory: {is: Shot}",
    ):  # fmt: skip
        assert faults(TOY, THINGS + ask) == []
    assert faults(TOY, "book: toy\nask: {is: [x, Key]}\nthings: {x: Key, y: [Key], z: }\n") == []
    assert faults(TOY, THINGS.replace("wall: 4", 'wall: "2 1/2"') + "{may: go}") == []
    assert (
        faults(TOY, THINGS + "{may: go}\nexpect: {verdict: yes, value: '2½', effects: [[bob, Fallen]], assumes: []}")
        == []
    )


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("things: {}\nask: {may: go}\n", "$"),
        ("book: toy\n", "$"),
        ("book: chess\nask: {may: go}\n", "$.book"),
        (THINGS.replace("things:", "thing:") + "{may: go}", "$"),
        (THINGS + "{may: go, must: go}", "$.ask"),
        (THINGS + "{can: go}", "$.ask"),
        (THINGS + "{is: ann}", "$.ask"),
        (THINGS + "{is: [ann, Fresh, Key]}", "$.ask"),
        (THINGS + "{which: Phase}", "$.ask"),
        (THINGS + "{may: {is: 3}}", "$.ask"),
        (THINGS + "{may: [{is: Go}]}", "$.ask"),
        (THINGS + "{value: [{is: Shot}, shot]}", "$.ask"),
        (THINGS + "{may: go}\nhistory: [{is: 3}]", "$.history"),
        (THINGS + "{may: go}\nexpect: {verdct: forbidden}", "$.expect"),
        (THINGS + "{may: go}\nexpect: {verdict: perhaps}", "$.expect.verdict"),
        (THINGS + "{may: go}\nexpect: {effects: [bob]}", "$.expect.effects[0]"),
        (THINGS + "{may: go}\nexpect: {grade: good}", "$.expect.grade"),
        (THINGS.replace("wall: 4", "wall: thick") + "{may: go}", "$.things.keep.wall"),
        (THINGS.replace("drawn: true", "drawn: perhaps") + "{may: go}", "$.things.keep.drawn"),
        (THINGS.replace("ann: {is:", "ann: {is: 3, label:") + "{may: go}", "$.things.ann"),
        ("book: toy\nthings: [ann]\nask: {may: ann}\n", "$.things"),
    ],
)
def test_planted_bad_cases_do_not(text: str, at: str) -> None:
    found = faults(TOY, text)
    assert found and any(said.startswith(at) for said in found), found


def test_the_schema_knows_every_key_that_the_reader_knows() -> None:
    made = schema.case_schema({"toy": toy.vocabulary()})
    assert set(made["properties"]) == set(KEYS)
    assert set(made["properties"]["expect"]["properties"]) == set(EXPECTS)
    kinds = {k for row in made["$defs"]["question"]["oneOf"] for k in row["properties"]} - {"as"}
    assert kinds == set(ASKS)


def test_a_page_of_words_has_every_word() -> None:
    page = glossary_page.page(toy.vocabulary())
    for name in toy.vocabulary().classes:
        assert f"**{name}**" in page
    for name in toy.vocabulary().properties:
        assert f"| `{name}` |" in page
    assert "* **Keep**: place that has walls and a door" in page.replace("  ", "") and "**Weary** **·**" in page
    assert "| `wall` | how thick a keep's wall is | Keep | stones | asked |" in page


def test_the_lists_in_a_page_are_renewed_between_their_marks() -> None:
    text = "before\n<!-- generated: books -->\nold\n<!-- end -->\nafter\n"
    made = glossary_page.replaced(text, {"toy": toy.vocabulary()})
    assert (
        "old" not in made and "vocabulary-toy.md" in made and made.startswith("before\n") and made.endswith("after\n")
    )


@pytest.mark.parametrize("book", ["asl", "vv", "fow"])
def test_the_modelling_pages_use_words_that_there_are(book: str, root: Path) -> None:
    text = (root / "docs" / f"{book}-modelling.md").read_text(encoding="utf-8")
    code = " ".join(re.findall(r"`([^`]+)`", text))
    known = schema.vocabularies()[book]
    words = set(re.findall(r"\b([A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+)\b(?!\.\d)", code)) | set(
        re.findall(r"[{,] ?(\w+):", code)
    )
    assert len(words) > 30
    spoken = {"is", "not", "unknown", "label", "as", "may", "must", "value", "effects", "which", "none", "history"}
    assert {w for w in words if known.resolve(w) is None and w not in spoken} == set()
