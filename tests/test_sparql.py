"""Free SPARQL: what is refused, what is stopped, what is answered; and that the asking process lives through all of it."""

from __future__ import annotations

import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from kb.errors import QueryError
from kb.triplestore import sparql, store
from kb.triplestore.guard import DEEPEST, LONGEST, LONGEST_LITERAL, MOST_STEPS, checked
from kb.triplestore.results import Term

SMALL = "\n".join(
    f"<https://w3id.org/loophole/rule/toy/{i}> <https://w3id.org/loophole/core#refersTo> "
    f"<https://w3id.org/loophole/rule/toy/{(i * 7 + 1) % 400}> <https://w3id.org/loophole/graph/toy> ."
    for i in range(400)
)
NOTHING = "SELECT * WHERE { ?s ?p ?o }"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> store.Embedded:
    return store.kept(tmp_path_factory.mktemp("store") / "toy", lambda: SMALL.encode(), "toy")


REFUSED = {
    "INSERT DATA { <a:a> <a:b> <a:c> }": 633,
    "PREFIX x: <a:b> DELETE WHERE { ?s ?p ?o }": 633,
    "LOAD <http://127.0.0.1:1/x>": 633,
    "load <file:///etc/hostname>": 633,
    "CLEAR ALL": 633,
    "SELECT * WHERE { ?s ?p ?o } ; DROP ALL": 633,
    "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }": 634,
    "SELECT * WHERE { service silent <http://127.0.0.1:1/> { ?s ?p ?o } }": 634,
    "SELECT * WHERE { \\u0053ERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }": 634,
    "SELECT * WHERE { ?s ?p trueSERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }": 634,
    "SELECT * WHERE { ?s ?p 1.SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }": 634,
    "SELECT * WHERE { ?s ?p 'a'SERVICE<http://127.0.0.1:1/>{ ?s ?p ?o } }": 634,
    "SELECT * FROM <file:///etc/hostname> WHERE { ?s ?p ?o }": 635,
    "SELECT * FROM NAMED <http://127.0.0.1:1/g> WHERE { ?s ?p ?o }": 635,
    "PREFIX x: <file:///etc/> SELECT * FROM x:hostname WHERE { ?s ?p ?o }": 635,
    "ASKFROM <http://127.0.0.1:1/g> { ?s ?p ?o }": 635,
    "SELECT * WHERE { " + "{" * 200 + "}" * 200 + " }": 636,
    "SELECT * WHERE { ?s ?p '" + "x" * (LONGEST_LITERAL + 1) + "' }": 637,
    "SELECT * WHERE { ?s " + "/".join(["<a:b>*"] * MOST_STEPS) + " ?o }": 638,
    NOTHING + " " * LONGEST: 630,
    "SELECT * WHERE { ?s ?p '\\uD800' }": 631,
    "": 632,
    "# SELECT": 632,
    "EXPLAIN SELECT * WHERE { ?s ?p ?o }": 632,
}


def test_as_many_are_refused_as_are_listed() -> None:
    assert len(REFUSED) == 24


@pytest.mark.parametrize("query", REFUSED, ids=lambda q: q[:40] or "nothing")
def test_what_may_not_be_asked_is_refused_before_any_engine_sees_it(query: str) -> None:
    with pytest.raises(QueryError) as caught:
        checked(query)
    assert REFUSED[query] in {p.code for p in caught.value.problems}
    assert all(p.place.file for p in caught.value.problems) or REFUSED[query] == 630


ALLOWED = [
    NOTHING,
    "SELECT * WHERE { ?s ?p 'SERVICE <http://x/> FROM LOAD' } # SERVICE <http://x/>",
    'SELECT * WHERE { ?s ?p """a "SERVICE" of \' INSERT""" }',
    "SELECT ?service ?from WHERE { ?service lp:LOAD ?from }",
    "SELECT * FROM <https://w3id.org/loophole/graph/toy> WHERE { ?s ?p ?o }",
    "SELECT * WHERE { <http://x/SERVICE#FROM> ?p ?o FILTER(?o < 3 && ?p > 2) }",
    "ASK { " + "{" * (DEEPEST - 5) + "}" * (DEEPEST - 5) + " }",
]


@pytest.mark.slow
@pytest.mark.parametrize("query", ALLOWED, ids=lambda q: q[:40])
def test_a_keyword_inside_a_string_a_name_or_a_comment_is_none(query: str, small: store.Embedded) -> None:
    sparql.ask(query, small)


def test_prefixes_are_supplied_and_the_union_of_the_graphs_is_asked(small: store.Embedded) -> None:
    found = sparql.ask("SELECT ?o WHERE { rule:toy\\/3 lp:refersTo ?o }", small)
    assert found.rows == ((Term("iri", "https://w3id.org/loophole/rule/toy/22"),),)
    assert found.shown() == [["rule:toy/22"]]
    assert sparql.ask("ASK { ?s lp:refersTo ?o }", small).yes
    made = sparql.ask("CONSTRUCT { ?o lp:inverse ?s } WHERE { ?s lp:refersTo ?o } LIMIT 3", small)
    assert made.kind == "graph" and len(made.rows) == 3


def test_no_more_rows_than_asked_for_are_given_and_that_is_said(small: store.Embedded) -> None:
    found = sparql.ask(NOTHING, small, sparql.Limits(rows=10))
    assert (len(found.rows), found.more) == (10, True)
    found = sparql.ask(NOTHING, small, sparql.Limits(rows=400))
    assert (len(found.rows), found.more) == (400, False)


HOSTILE = {
    "a cartesian product": "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "a sorted one": "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?i ?a ?f",
    "a path of everything": "SELECT (COUNT(*) AS ?n) WHERE { ?a (!lp:x|^!lp:x)* ?b . ?c (!lp:x|^!lp:x)* ?d . ?e (!lp:x)* ?f }",
    "a long string": "SELECT (STRLEN(GROUP_CONCAT(CONCAT(STR(?a),STR(?d),STR(?g)))) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("query", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_query_is_stopped_in_time_and_the_next_is_answered(query: str, small: store.Embedded) -> None:
    begun = time.perf_counter()
    with pytest.raises(QueryError) as caught:
        sparql.ask(query, small, sparql.Limits(seconds=1, memory=1_000_000_000))
    assert caught.value.problems[0].code in (641, 642) and caught.value.problems[0].hint
    assert time.perf_counter() - begun < 8
    assert sparql.ask("ASK { ?s ?p ?o }", small).yes


def test_a_query_that_ends_the_engine_ends_only_its_worker(small: store.Embedded) -> None:
    """Thousands of signs deep, a parser's stack is at its end: not a bracket, so the guard lets it by."""
    with pytest.raises(QueryError) as caught:
        sparql.ask("SELECT * WHERE { FILTER(" + "- " * 30_000 + "1) }", small)
    assert caught.value.problems[0].code in (640, 641, 642)
    assert sparql.ask("ASK { ?s ?p ?o }", small).yes


def test_a_process_that_was_soon_done_is_asked_again_and_one_that_was_stopped_is_not(small: store.Embedded) -> None:
    spares = sparql.Spares(0)  # one alone

    def left(query: str, code: int = 0, seconds: float = 10) -> list[int]:
        """The processes that wait after a query."""
        try:
            sparql.ask(query, small, sparql.Limits(seconds=seconds), spares=spares)
            assert not code
        except QueryError as e:
            assert e.problems[0].code == code
        return [w.process.pid for w in spares.waiting]

    yes = "ASK { ?s ?p ?o }"
    (first,) = left(yes)
    assert left(yes) == left("SELECT * {", 640) == left("SELECT * { ?s ?p ?o }") == [first]
    assert left(HOSTILE["a cartesian product"], 641, 0.2) == []
    (second,) = left(yes)
    assert second != first
    spares.waiting[0].process.kill()  # planted: it dies while it waits
    spares.waiting[0].process.wait()
    (third,) = left(yes)
    assert third != second and spares.out == 0
    spares.waiting[0].asked = sparql.MOST_ASKED
    assert left(yes) == [] and left(yes) != [third]
    spares.close()
    assert left(yes) == [], "where all is over none is kept"


def test_what_is_no_sparql_is_said_to_be_none(small: store.Embedded) -> None:
    with pytest.raises(QueryError) as caught:
        sparql.ask("SELECT * WHERE { ?s ?p }", small, file="mine.rq")
    assert caught.value.problems[0].code == 640 and "mine.rq" in str(caught.value)


def test_a_store_in_memory_is_asked_by_the_same_guard() -> None:
    held = ox.Store()
    held.bulk_load(SMALL.encode(), format=ox.RdfFormat.N_QUADS)
    assert len(sparql.ask(NOTHING, store.Embedded(held)).rows) == 400


def test_the_guard_is_what_refuses(monkeypatch: pytest.MonkeyPatch, small: store.Embedded) -> None:
    """Planted: without the guard an update reaches the engine, which can only call it bad grammar."""
    monkeypatch.setattr(sparql, "checked", lambda query, file="": query)
    with pytest.raises(QueryError) as caught:
        sparql.ask("INSERT DATA { <a:a> <a:b> <a:c> }", small)
    assert caught.value.problems[0].code == 640


@pytest.mark.slow
def test_the_command_asks_a_file_standard_input_or_its_argument(
    small: store.Embedded, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from api import cli

    file = tmp_path / "a.rq"
    file.write_text("SELECT ?o WHERE { ?s lp:refersTo ?o } ORDER BY ?o LIMIT 2")
    at = ["--store", str(tmp_path / "kept")]
    monkeypatch.setattr(store, "of_books", lambda: SMALL.encode())
    assert cli.main(["sparql", str(file), *at]) == 0
    assert "rule:toy/" in capsys.readouterr().out
    assert cli.main(["sparql", str(file), *at, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "o"
    monkeypatch.setattr("sys.stdin", io.StringIO("ASK { ?s ?p ?o }"))
    assert cli.main(["sparql", "-", *at]) == 0 and capsys.readouterr().out.strip() == "yes"
    assert cli.main(["sparql", NOTHING, "--rows", "3", "--json", *at]) == 0
    told = capsys.readouterr()
    assert '"bindings"' in told.out and "only the first 3 rows" in told.err
    assert cli.main(["sparql", "DROP ALL", *at]) == 2
    assert "E633" in capsys.readouterr().err
    assert cli.main(["sparql", "nofile.rq", *at]) == 2
    assert cli.main(["sparql", "\0{", *at]) == 2
    assert "E631" in capsys.readouterr().err
