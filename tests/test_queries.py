"""Named queries: every one is well headed, finds its expected rows in all books, and is missed when it is emptied."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest

from kb import registry
from kb.errors import QueryError
from kb.triplestore import named_queries, store
from kb.triplestore.results import Table, Term, values

NAMES = sorted(named_queries.named())
ROOT = Path(__file__).parent.parent
EXPECTED = ROOT / "queries" / "expected"


def script() -> ModuleType:
    """.ci/rows.py, which writes the expected rows."""
    spec = importlib.util.spec_from_file_location("rows", ROOT / ".ci" / "rows.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rows = script()
ASKED: dict[str, list[dict[str, str]]] = rows.asked()


@lru_cache
def unencoded() -> tuple[tuple[str, ...], ...]:
    """What `not-encoded` has to answer, from the books as they are read, without the graph."""
    theories = [registry.theory(book) for book in registry.books()]
    sections = [section for theory in theories for section in theory.sections.values()]
    return tuple((c.rule, str(s.number), s.not_encoded) for c in sections for s in c.sentences if s.not_encoded)


def test_there_are_as_many_as_promised_each_with_expected_rows() -> None:
    assert len(NAMES) >= 25
    assert {f.stem for f in EXPECTED.glob("*.csv")} == set(NAMES) == set(ASKED)
    assert sum(len(rows.kept(name)) - 1 for name in NAMES) > 120
    for name in NAMES:
        assert 2 <= len(rows.kept(name)) - 1 <= 12, f"{name}: few enough to be read, and enough to mean something"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_finds_its_expected_rows_and_no_other(name: str, books: store.Embedded) -> None:
    """The whole answer, cell for cell. What is told where it is not so names the command that writes the rows anew."""
    said = rows.difference(name, rows.answer(named_queries.named()[name], books, ASKED[name]))
    assert not said, said


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_emptied_query_is_caught(name: str, books: store.Embedded) -> None:
    """Planted: the same query, whose pattern nothing matches."""
    query = named_queries.named()[name]
    emptied = replace(query, text=named_queries.WHERE.sub(lambda m: m[0] + " FILTER(false) ", query.text, count=1))
    found = rows.answer(emptied, books, ASKED[name])
    assert found == rows.written(rows.kept(name)[0], []) and rows.RENEW in rows.difference(name, found)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_is_another_is_caught(name: str) -> None:
    """Planted: each cell in turn is another, a row is gone, one is too many, and two have changed places."""
    columns, *kept = rows.kept(name)
    assert rows.difference(name, rows.written(columns, kept)) == ""
    row = kept[0]
    others = [(*row[:i], f"{cell} and", *row[i + 1 :]) for i, cell in enumerate(row)]
    for planted in (*([o, *kept[1:]] for o in others), kept[1:], [*kept, row], [kept[1], row, *kept[2:]]):
        said = rows.difference(name, rows.written(columns, planted))
        assert f"queries/expected/{name}.csv" in said and rows.RENEW in said


def test_the_command_that_renews_the_rows_is_told() -> None:
    assert rows.RENEW in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert rows.RENEW.endswith(str((ROOT / ".ci" / "rows.py").relative_to(ROOT)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forbids-act", "permits-act", "touches-term"])
def test_what_one_game_rules_is_told_of_its_own_terms_and_the_shared(name: str, answers: dict[str, Table]) -> None:
    """An act of one game is a kind of the shared ones, and still none of what another game's book forbids."""
    found = {(str(r[0]), str(r[3])) for r in answers[name].rows}
    games = {(t.partition("#")[0].rpartition("/")[2], n.split("/")[5]) for t, n in found}
    assert {game for _, game in games} == set(registry.books())
    assert {term for term, game in games if term != game} == {"tactics"}


@pytest.mark.slow
def test_the_sentences_not_encoded_are_those_of_the_books(answers: dict[str, Table]) -> None:
    told = {tuple(str(t) for t in row) for row in answers["not-encoded"].rows}
    assert told == set(unencoded()) and len(told) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_narrows_the_answer_to_its_value(
    name: str, books: store.Embedded, answers: dict[str, Table]
) -> None:
    query, whole = named_queries.named()[name], answers[name]
    for parameter in query.parameters:
        free = set(whole.columns)
        if parameter.name not in free and parameter.kind != "rule":
            continue
        at = whole.columns.index(parameter.name if parameter.name in free else whole.columns[0])
        value = next((r[at] for r in whole.rows if r[at] is not None), None)
        if parameter.name not in free and whole.columns[0] != "number":
            continue
        assert value is not None
        given = {parameter.name: value.value.partition("#")[2] or value.value.rpartition("/")[2]}
        narrowed = named_queries.ask(query, books, given)
        assert set(narrowed.rows) <= set(whole.rows) and narrowed.rows
        assert {r[at] for r in narrowed.rows if r[at] == value}
        if parameter.kind != "term":
            assert set(narrowed.rows) >= {r for r in whole.rows if r[at] == value}


@pytest.mark.slow
def test_a_rule_is_bound_in_any_spelling(books: store.Embedded) -> None:
    query = named_queries.find("exceptions-of-rule")
    asked = [named_queries.ask(query, books, {"rule": r}).rows for r in ("B30.42", "30.42", "b3042")]
    assert asked[0] == asked[1] == asked[2] and {str(r[2]) for r in asked[0]} == {"tunnel", "enemy"}


HOSTILE = ['x" } DROP ALL #', "x> } ; DELETE WHERE { ?s ?p ?o } #", "B30.42 } UNION { ?s ?p ?o", "\\", "\n"]


@pytest.mark.slow
@pytest.mark.parametrize("value", HOSTILE)
def test_what_is_typed_never_becomes_query_text(value: str, books: store.Embedded) -> None:
    with pytest.raises(QueryError) as caught:
        named_queries.ask(named_queries.find("cites"), books, {"rule": value})
    assert caught.value.problems[0].code == 664


@pytest.mark.slow
@pytest.mark.parametrize("value", HOSTILE)
def test_a_literal_is_written_so_that_it_ends_where_it_ends(value: str, books: store.Embedded) -> None:
    found = books.select("SELECT ?x WHERE { " + values({"x": [Term("literal", value)]}) + " }")
    assert found.rows == ((Term("literal", value),),)
    with pytest.raises(ValueError, match="no IRI"):
        Term("iri", "a> } DROP ALL #").sparql()
    with pytest.raises(ValueError, match="blank"):
        Term("bnode", "b").sparql()


@pytest.mark.slow
def test_unknown_names_get_the_nearest_spelling(books: store.Embedded) -> None:
    with pytest.raises(QueryError, match="did you mean exceptions-of-rule"):
        named_queries.find("exception-of-rule")
    with pytest.raises(QueryError) as caught:
        named_queries.ask(named_queries.find("cites"), books, {"rule": "B30.422", "term": "Pillbox"})
    assert {p.code for p in caught.value.problems} == {663, 664} and "B30.42" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT ?x WHERE { ?x ?y ?z }", 660),
        ("#+ summary: a: b\nSELECT ?x WHERE { ?x ?y ?z }", 660),
        ("#+ summary: a\n#+ asked by: b\n#+ empty: c\nSELECT ?x WHERE { ?x ?y ?z }", 660),
        ("#+ {summary: a, asked by: b, empty: c, parameters: {}}\nSELECT ?x { ?x ?y ?z }", 660),
        ("#+ {summary: a, asked by: b, empty: c, parameters: {q: {type: rule}}}\nSELECT ?x WHERE { ?x ?y ?z }", 661),
        ("#+ {summary: a, asked by: b, empty: c, parameters: {x: {type: date}}}\nSELECT ?x WHERE { ?x ?y ?z }", 661),
    ],
)
def test_a_bad_head_is_told(text: str, code: int) -> None:
    with pytest.raises(QueryError) as caught:
        named_queries.read("planted", text)
    assert caught.value.problems[0].code == code


def test_the_page_names_every_query() -> None:
    page = (Path(__file__).parent.parent / "docs" / "queries.md").read_text(encoding="utf-8")
    assert set(NAMES) <= set(re.findall(r"^\| `([\w-]+)`", page, re.M))


@pytest.mark.slow
def test_the_command_lists_asks_and_writes(books: store.Embedded, capsys: pytest.CaptureFixture[str]) -> None:
    from api import cli

    at = ["--store", str(books.folder)]
    assert cli.main(["query"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(NAMES)
    assert cli.main(["query", "--json"]) == 0
    assert {q["name"] for q in json.loads(capsys.readouterr().out)} == set(NAMES)
    assert cli.main(["query", "exceptions-of-rule", "--rule", "b3042", *at]) == 0
    assert "tunnel" in capsys.readouterr().out
    assert cli.main(["query", "exceptions-of-rule", "--rule", "30.42", "--csv", *at]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "number,norm,label,says"
    assert cli.main(["query", "exceptions-of-rule", "--rule", "B30", *at]) == 0
    assert "no rows: the rule has no exceptions of its own" in capsys.readouterr().out
    assert cli.main(["query", "citess"]) == 2
    assert "did you mean cites" in capsys.readouterr().err
