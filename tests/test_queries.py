"""Named queries: every one is well headed, finds its expected rows in all books, and is missed when it is emptied."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import lru_cache
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from kb import pipeline, queries, store
from kb.bindings import Table, Term, values
from kb.errors import QueryError

NAMES = sorted(queries.named())
EXPECTED = Path(__file__).parent.parent / "queries" / "expected"
COUNTED = {"most-cited", "needed-rules", "cited-not-loaded", "presumptions-used", "shared-terms"}
PROSE = {"means", "otherMeans", "reason", "title", "words"}  # columns of sentences


@pytest.fixture(scope="session")
def books(store_folder: Path) -> store.Embedded:
    """The graph of all books, kept for all workers of a test run."""
    held = store.opened(str(store_folder))
    assert isinstance(held, store.Embedded) and len(held) > 100_000
    return held


@pytest.fixture(scope="session")
def answers(books: store.Embedded) -> dict[str, Table]:
    return {name: books.select(queries.named()[name].text) for name in NAMES}


def rows_of(name: str) -> list[tuple[str, ...]]:
    lines = list(csv.reader(io.StringIO((EXPECTED / f"{name}.csv").read_text(encoding="utf-8"))))
    return [tuple(line) for line in lines]


def wanted_of(name: str) -> list[tuple[str, ...]]:
    """The expected rows of a query that still are to be expected: work that is done takes its row from a list of work."""
    _, *wanted = rows_of(name)
    if name == "terms-unused":
        wanted = [r for r in wanted if not re.search(rf"\b{r[0].partition('#')[2]}\b", used())]
    elif name == "not-encoded":
        wanted = [r for r in wanted if r in set(unencoded())]
    assert len(wanted) >= 2, f"queries/expected/{name}.csv is out of date: give it rows of today"
    return [compared(name, r) for r in wanted]


@lru_cache
def used() -> str:
    """All that norms and cases may use a term in, as text."""
    root = Path(__file__).parent.parent
    found = [*(root / "kb" / "rulebooks").rglob("*.md"), *(root / "tests" / "cases").rglob("*.yaml")]
    return "\n".join(file.read_text(encoding="utf-8") for file in found)


@lru_cache
def unencoded() -> tuple[tuple[str, ...], ...]:
    """What `not-encoded` has to answer, from the books as they are read, without the graph."""
    theories = [pipeline.theory(book) for book in pipeline.books()]
    sections = [section for theory in theories for section in theory.sections.values()]
    return tuple((c.rule, str(s.number), s.not_encoded) for c in sections for s in c.sentences if s.not_encoded)


def compared(name: str, row: tuple[str, ...]) -> tuple[str, ...]:
    """A row without what may change under it: a count grows, and the conditions of a norm follow its book."""
    row = row[:-1] if name in COUNTED else row
    return tuple(re.split(r" to |\n(?:when|unless|over|cites) ", cell)[0] for cell in row)


def alike(one: str, other: str) -> bool:
    """Whether two sentences or definitions are the same but for some rewording: people polish them all the time."""
    return one == other or (bool(one and other) and fuzz.ratio(one, other) > 65)


def missed(name: str, found: Table) -> list[tuple[str, ...]]:
    """The expected rows that an answer lacks."""
    columns = rows_of(name)[0]
    assert columns == found.columns
    prose = [i for i, column in enumerate(columns) if column in PROSE]
    told: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for cells in found.rows:
        row = compared(name, tuple("" if t is None else str(t) for t in cells))
        told.setdefault(bare(row, prose), []).append(row)
    return [
        row
        for row in wanted_of(name)
        if not any(all(alike(row[i], r[i]) for i in prose) for r in told.get(bare(row, prose), ()))
    ]


def bare(row: tuple[str, ...], prose: list[int]) -> tuple[str, ...]:
    """The cells of a row that are no prose."""
    return tuple(cell for i, cell in enumerate(row) if i not in prose)


def test_there_are_as_many_as_promised_each_with_expected_rows() -> None:
    assert len(NAMES) >= 25
    assert {f.stem for f in EXPECTED.glob("*.csv")} == set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_finds_its_expected_rows(name: str, answers: dict[str, Table]) -> None:
    assert missed(name, answers[name]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_emptied_query_is_caught(name: str, books: store.Embedded) -> None:
    """Planted: the same query, whose pattern nothing matches."""
    text = queries.named()[name].text
    emptied = queries.WHERE.sub(lambda m: m[0] + " FILTER(false) ", text, count=1)
    found = books.select(emptied)
    assert missed(name, found) == wanted_of(name)


@pytest.mark.slow
def test_the_sentences_not_encoded_are_those_of_the_books(answers: dict[str, Table]) -> None:
    told = {tuple(str(t) for t in row) for row in answers["not-encoded"].rows}
    assert told == set(unencoded()) and len(told) >= 5


def test_what_a_row_is_compared_by() -> None:
    """Planted: a norm under another number or with another head is missed; one with another condition is not."""
    name = "counts-as"
    columns, row, *_ = rows_of(name)

    def misses(number: str, says: str) -> bool:
        cells = (row[0], number, row[2], says)
        found = Table(columns, (tuple(Term("literal", c) for c in cells),))
        return compared(name, row) in missed(name, found)

    assert not misses(row[1], row[3]) and not misses(row[1], row[3].partition("\nwhen ")[0] + "\nwhen Other")
    assert misses("B1", row[3]) and misses(row[1], row[3].replace("counts", "counts not"))


@pytest.mark.parametrize(
    "name", ["two-senses", "not-encoded", "rules-without-example", "errata-by-edition", "mentions-term"]
)
def test_a_sentence_may_be_polished_and_not_be_another(name: str) -> None:
    """Planted: a query that tells the sentence of another row."""
    columns, *rows = rows_of(name)
    at = next(i for i, column in enumerate(columns) if column in PROSE)

    def misses(row: tuple[str, ...], cell: str) -> bool:
        told = Table(columns, (tuple(Term("literal", c) for c in (*row[:at], cell, *row[at + 1 :])),))
        return compared(name, row) in missed(name, told)

    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        if compared(name, row) in wanted_of(name):
            assert not misses(row, row[at]) and not misses(row, f"{row[at]} so")
            assert misses(row, other[at]) and misses(row, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_narrows_the_answer_to_its_value(
    name: str, books: store.Embedded, answers: dict[str, Table]
) -> None:
    query, whole = queries.named()[name], answers[name]
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
        narrowed = queries.ask(query, books, given)
        assert set(narrowed.rows) <= set(whole.rows) and narrowed.rows
        assert {r[at] for r in narrowed.rows if r[at] == value}
        if parameter.kind != "term":
            assert set(narrowed.rows) >= {r for r in whole.rows if r[at] == value}


def test_a_rule_is_bound_in_any_spelling(books: store.Embedded) -> None:
    query = queries.find("exceptions-of-rule")
    asked = [queries.ask(query, books, {"rule": r}).rows for r in ("B30.42", "30.42", "b3042")]
    assert asked[0] == asked[1] == asked[2] and {str(r[2]) for r in asked[0]} == {"tunnel", "enemy"}


HOSTILE = ['x" } DROP ALL #', "x> } ; DELETE WHERE { ?s ?p ?o } #", "B30.42 } UNION { ?s ?p ?o", "\\", "\n"]


@pytest.mark.parametrize("value", HOSTILE)
def test_what_is_typed_never_becomes_query_text(value: str, books: store.Embedded) -> None:
    with pytest.raises(QueryError) as caught:
        queries.ask(queries.find("cites"), books, {"rule": value})
    assert caught.value.problems[0].code == 664


@pytest.mark.parametrize("value", HOSTILE)
def test_a_literal_is_written_so_that_it_ends_where_it_ends(value: str, books: store.Embedded) -> None:
    found = books.select("SELECT ?x WHERE { " + values({"x": [Term("literal", value)]}) + " }")
    assert found.rows == ((Term("literal", value),),)
    with pytest.raises(ValueError, match="no IRI"):
        Term("iri", "a> } DROP ALL #").sparql()
    with pytest.raises(ValueError, match="blank"):
        Term("bnode", "b").sparql()


def test_unknown_names_get_the_nearest_spelling(books: store.Embedded) -> None:
    with pytest.raises(QueryError, match="did you mean exceptions-of-rule"):
        queries.find("exception-of-rule")
    with pytest.raises(QueryError) as caught:
        queries.ask(queries.find("cites"), books, {"rule": "B30.422", "term": "Pillbox"})
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
        queries.read("planted", text)
    assert caught.value.problems[0].code == code


def test_the_page_names_every_query() -> None:
    page = (Path(__file__).parent.parent / "docs" / "queries.md").read_text(encoding="utf-8")
    assert set(NAMES) <= set(re.findall(r"^\| `([\w-]+)`", page, re.M))


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
