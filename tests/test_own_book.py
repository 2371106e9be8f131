"""A book of the reader's own is whole: in the graph, in queries and exports, and in what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import asking, registry
from kb.errors import CaseError
from kb.graph import dataset, export
from kb.triplestore import sparql, store
from tests import own_book


@pytest.fixture
def huts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the book, which is found like those that Loophole brings."""
    book = own_book.write(tmp_path / "books")
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path / "books"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    registry.SHIPPED.forget()
    yield book
    registry.SHIPPED.forget()


def test_its_terms_are_in_the_graph_and_can_be_asked_by_their_prefix(huts: Path) -> None:
    held = store.opened("memory", lambda: dataset.nquads("huts"))
    found = sparql.ask("SELECT ?l WHERE { huts:keeper rdfs:label ?l ; a owl:ObjectProperty }", held)
    assert found.shown() == [["keeper"]]
    found = sparql.ask("SELECT ?c WHERE { ?c rdfs:subClassOf tac:ProtectedPost ; rdfs:label 'hut'@en }", held)
    assert found.shown() == [["huts:Hut"]]
    assert "huts" in dataset.prefixes()


@pytest.mark.parametrize("kind", ["ttl", "ofn", "nq"])
def test_exports_have_its_terms(huts: Path, kind: str) -> None:
    """Its own relation stands in a condition: where it was not declared, functional syntax could not write it."""
    text = export.of_format(kind, "huts", cases=False)
    assert "post of planks" in text
    if kind == "ofn":
        assert "Declaration(ObjectProperty(<https://w3id.org/loophole/huts#keeper>))" in text


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("speed: 30 pounds", "“speed” is told in inches; here stands “30 pounds”"),
        ('load: 30"', "“load” is told in pounds"),
        ("count: 3 inches", ""),
        ("speed: 30 inches", ""),
        ("speed: 1 inch", ""),
        ('speed: 30"', ""),
        ("load: 30 pounds", ""),
        ("load: 30", ""),
    ],
)
def test_a_number_is_told_in_its_own_unit(huts: Path, told: str, said: str) -> None:
    text = f"book: huts\nthings:\n  hut: {{is: Hut, {told}}}\nask: {{value: [load, hut]}}\n"
    if not said:
        assert asking.case(text).things["hut"].numbers
        return
    with pytest.raises(CaseError) as caught:
        asking.case(text)
    (problem,) = caught.value.problems
    assert problem.code == 440 and said in problem.message and problem.place.line == 3 and problem.hint
