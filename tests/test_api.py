"""The web service: each route, the forms it answers in, and what it says of bad input."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

import kb
from api import batches, deciding, reply, when_page
from api.app import create
from api.ask_page import EXAMPLE
from api.examples import CASE, CASE_EXPECTING
from api.problems import Refused
from api.settings import Settings, from_environment
from kb import asking, registry
from kb.reasoner.counterfactuals import readings
from kb.research.decisions import asked, formats, table as tables
from kb.texts import library

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create(Settings(workers=1, time_limit=20))) as made:
        yield made


def same_as_here(answer: dict[str, Any], case: Any) -> bool:
    return answer == json.loads(json.dumps(asking.record(asking.ask(case))))


# ── answers ──


@pytest.mark.slow
def test_ask_gives_the_proof_that_every_door_gives(client: TestClient) -> None:
    found = client.post("/v1/ask", json=CASE)
    assert found.status_code == 200 and found.headers["content-type"] == "application/json"
    assert found.json()["verdict"] == "forbidden" and "B30.42" in found.json()["cites"]
    assert same_as_here(found.json(), CASE)


def test_a_case_may_be_yaml_and_an_answer_text(client: TestClient) -> None:
    text = (EXAMPLES / "pillbox.yaml").read_text(encoding="utf-8")
    found = client.post("/v1/ask", content=text, headers={"accept": "text/plain"})
    assert found.text.startswith("FORBIDDEN: squad may not move into pillbox (B30.42)")
    assert "digraph" in client.post("/v1/ask", content=text, headers={"accept": "text/vnd.graphviz"}).text


def lines_of(*rows: Any) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def test_a_batch_is_answered_line_by_line_as_everywhere(client: TestClient) -> None:
    rows = [{"foe.is.Disrupted": n % 2 == 0, "pillbox.capacity": n} for n in range(1, 36)] + [{"foe.is.Disruptd": 1}]
    found = client.post("/v1/ask/batch", content=lines_of({"shape": CASE}, *rows))
    assert found.status_code == 200 and found.headers["content-type"] == "application/x-ndjson"
    assert found.content == b"".join(kb.ask_many(rows, CASE, workers=1).lines())
    told = [json.loads(line) for line in found.text.splitlines()]
    assert [line["row"] for line in told] == list(range(1, 37))
    assert {line["verdict"] for line in told} == {"forbidden", "permitted", None}
    assert told[-1]["problems"][0] | {"message": ""} == {
        "number": "E476", "message": "", "line": 36, "column": "foe.is.Disruptd", "do": "did you mean Disrupted or Dispute?",
    }  # fmt: skip


def test_a_batch_takes_cases_and_options(client: TestClient) -> None:
    found = client.post("/v1/ask/batch?chapter=B30", content=lines_of(CASE, {"book": "chess"}))
    first, second = (json.loads(line) for line in found.text.splitlines())
    assert tuple(first["cites"]) == asking.ask(CASE, ("B30",)).cites and second["problems"][0]["number"] == "E420"


@pytest.mark.parametrize(
    ("body", "number"),
    [("", "E466"), (lines_of({"shape": CASE}), "E466"), ('{"shape": {"book": "asl"', "E467"), ('{"shape": 3}', "E410"),
     (lines_of({"shape": {**CASE, "things": {"a": "Sqad"}}}), "E423"), (b"\xff", "E402")],
)  # fmt: skip
def test_a_batch_that_cannot_be_asked_is_refused_as_a_whole(client: TestClient, body: Any, number: str) -> None:
    rows = "" if number in ("E466", "E402") else "\n{}"
    found = client.post("/v1/ask/batch", content=body + rows if isinstance(body, str) else body)
    assert found.status_code == 422 and found.json()["errors"][0]["number"] == number


def test_a_batch_is_bounded_in_rows_and_in_time(client: TestClient) -> None:
    state = client.app.state  # type: ignore[attr-defined]
    before = state.settings
    try:
        state.settings = replace(before, batch_rows=3)
        assert "E466" in client.post("/v1/ask/batch", content=lines_of(*[CASE] * 4)).text
        state.settings = replace(before, batch_seconds=0.0)
        found = [
            json.loads(line) for line in client.post("/v1/ask/batch", content=lines_of(*[CASE] * 20)).text.splitlines()
        ]
    finally:
        state.settings = before
    assert [line["row"] for line in found] == list(range(1, 21))
    assert [line["verdict"] for line in found] == ["forbidden"] * 16 + [None] * 4
    assert found[-1]["problems"][0]["number"] == "E468" and "longer than 0 s" in found[-1]["problems"][0]["message"]


def test_a_row_that_takes_too_long_loses_no_other() -> None:
    class Slow:
        async def do(self, job: Any, shape: str, rows: tuple[str, ...], first: int, *rest: Any, keep: bool) -> bytes:
            if "slow" in rows:
                raise Refused(503, "it took longer than 3 s and was stopped")
            return b"".join(b"%d\n" % (first + n) for n, _ in enumerate(rows))

    rows = ["quick"] * 5 + ["slow"] + ["quick"] * 3
    found = asyncio.run(batches.part(Slow(), "", rows, 1, ())).splitlines()  # type: ignore[arg-type]
    assert [line for line in found if line.isdigit()] == [b"1", b"2", b"3", b"4", b"5", b"7", b"8", b"9"]
    assert json.loads(found[5])["row"] == 6 and "longer than 3 s" in json.loads(found[5])["problems"][0]["message"]


def test_without_flips_nothing_is_tried(client: TestClient) -> None:
    assert client.post("/v1/ask?flips=false", json=CASE).json()["flips"] is None
    assert client.post("/v1/ask", json=CASE).json()["flips"]


@pytest.mark.parametrize(
    ("body", "number"),
    [("things: [", "E403"), ("things: {}", "E410"), ('{"book": "chess"}', "E420"), ("a: &x 1\nb: *x", "E407"),
     ("[" * 10_000, "E404"), ('{"book": "asl", "things": {"a": {"is": "Squd"}}, "ask": {"may": "a"}}', "E423")],
)  # fmt: skip
def test_bad_cases_are_problems_with_numbers_and_places(client: TestClient, body: str, number: str) -> None:
    found = client.post("/v1/ask", content=body)
    assert found.status_code == 422 and found.headers["content-type"] == "application/problem+json"
    assert number in {e["number"] for e in found.json()["errors"]}
    assert found.json()["instance"] == found.headers["x-request-id"]


def test_what_is_not_text_is_refused(client: TestClient) -> None:
    assert client.post("/v1/ask", content=b"\xff\xfe\x00").status_code == 422


def test_interview_asks_until_it_is_settled(client: TestClient) -> None:
    answers: list[str] = []
    for _ in range(40):
        found = client.post("/v1/interview", json={"book": "asl", "act": "Move", "answers": answers}).json()
        if found["question"] is None:
            break
        assert found["question"]["why"]
        question = found["question"]
        answers.append({"what": (question["options"] or [""])[0], "number": "1"}.get(question["kind"], "no"))
    assert found["question"] is None and found["verdict"] != "undetermined" and len(found["asked"]) == len(answers)


def test_interview_of_no_act(client: TestClient) -> None:
    found = client.post("/v1/interview", json={"book": "asl", "act": "Moove"})
    assert found.status_code == 422 and "Move" in found.json()["errors"][0]["do"]
    assert client.post("/v1/interview", json={"book": "asl"}).json()["errors"][0]["number"] == "E690"


def test_cases_with_expectations(client: TestClient) -> None:
    wrong = {**CASE, "expect": {"verdict": "permitted"}}
    found = client.post("/v1/test", json=[CASE_EXPECTING, wrong]).json()
    assert (found["passed"], found["failed"]) == (1, 1)
    assert found["results"][1]["mismatches"]
    assert client.post("/v1/test", json=CASE).json()["errors"][0]["number"] == "E456"
    stream = "\n---\n".join(map(json.dumps, (CASE_EXPECTING, wrong)))
    assert client.post("/v1/test", content=stream).json() == found


# ── books ──


def test_books_rules_and_terms(client: TestClient) -> None:
    assert [b["id"] for b in client.get("/v1/books").json()["books"]] == registry.books()
    listed = client.get("/v1/rules", params={"book": "vv"}).json()["rules"]
    assert {r["rule"] for r in listed} == set(registry.theory("vv").sections)
    for spelling in ("B30.42", "30.42", "b3042"):
        assert client.get(f"/v1/rules/{spelling}").json()["title"] == "An enemy outside bars the door"
    assert client.get("/v1/rules/B99.99").status_code == 404
    assert {t["name"] for t in client.get("/v1/terms", params={"word": "TEM", "book": "asl"}).json()["terms"]} >= {
        "tem"
    }
    assert client.get("/v1/terms", params={"word": "pilbox", "book": "asl"}).status_code == 404
    assert client.get("/v1/rules", params={"book": "chess"}).status_code == 422


@pytest.mark.slow
def test_schema_coverage_and_check(client: TestClient) -> None:
    assert client.get("/v1/schema/case").json()["$schema"]
    assert client.get("/v1/coverage", params={"book": "fow"}).json()
    assert client.get("/v1/check").json()["ok"] is True


# ── forms ──


def test_an_etag_saves_sending_again(client: TestClient) -> None:
    first = client.get("/v1/rules/B30.42")
    again = client.get("/v1/rules/B30.42", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert client.get("/v1/rules/B30.42", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accept", "found"),
    [("", "a/x"), ("*/*", "a/x"), ("b/*", "b/y"), ("a/x;q=0.1, b/y", "b/y"), ("a/x;q=0, */*;q=0.5", "b/y"), ("c/z", None), ("a/x;q=zero", None)],
)  # fmt: skip
def test_the_form_that_is_liked_best(accept: str, found: str | None) -> None:
    assert reply.preferred(accept, ("a/x", "b/y")) == found


def test_what_is_not_to_be_had(client: TestClient) -> None:
    assert client.post("/v1/ask", json=CASE, headers={"accept": "image/png"}).status_code == 406
    assert client.get("/nowhere").json()["status"] == 404
    assert client.put("/v1/ask").json()["status"] == 405


# ── pages ──


def test_the_example_on_the_page_is_the_example() -> None:
    assert yaml.safe_load(EXAMPLE) == CASE


def test_pages(client: TestClient) -> None:
    home = client.get("/")
    assert home.status_code == 200 and "See the example answered" in home.text
    answered = client.get("/ask", params={"case": EXAMPLE})
    assert (
        '<p class="verdict forbidden">FORBIDDEN: squad may not move into pillbox (<a href="/id/rule/asl/B30.42">B30.42</a>)'
        in answered.text
    )
    assert "Link to this answer" in answered.text
    assert "An enemy outside bars the door" in client.get("/id/rule/asl/B30.42", headers={"accept": "text/html"}).text
    assert "/id/rule/asl/B30.2" in client.get("/id/term/asl/Pillbox", headers={"accept": "text/html"}).text
    assert client.get("/id/rule/asl/B30.42", headers={"accept": "application/json"}).json()["rule"] == "B30.42"
    assert client.get("/static/style.css").status_code == 200


def test_what_people_type_is_escaped(client: TestClient) -> None:
    bad = 'book: asl\nthings: {"<script>alert(1)</script>": {is: Squd}}\nask: {may: x}'
    found = client.get("/ask", params={"case": bad})
    assert found.status_code == 422
    assert "<script>" not in found.text and "&lt;script&gt;" in found.text


OURS = '<script src="/static/loophole.js" defer></script>'


def test_no_page_has_script_of_its_own_or_looks_elsewhere(client: TestClient) -> None:
    pages = [client.get(p) for p in ("/", "/ask", "/id/rule/asl/B30.42", "/id/term/asl/Pillbox")]
    for found in [*pages, client.get("/ask", params={"case": EXAMPLE})]:
        assert found.text.count("<script") == found.text.count(OURS) and "style=" not in found.text
        assert not re.search(r"<[^>]*\son\w+=", found.text)
        assert "http://" not in found.text and 'src="https' not in found.text and 'href="https' not in found.text
        policy = found.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';") and "unsafe" not in policy
        assert set(re.findall(r"(?<=src )[^;]+", policy)) == {"'none'", "'self'"}


def test_how_deep_json_may_be() -> None:
    from api.guard import DEEPEST, deep

    assert not deep(b"[" * DEEPEST + b"]" * DEEPEST) and deep(b"[" * (DEEPEST + 1))
    assert not deep(b'{"a": "' + b"[" * 500 + b'\\"' + b"{" * 500 + b'"}')
    assert not deep(b"[]" * 500)


# ── service ──


def test_liveness_readiness_and_metrics(client: TestClient) -> None:
    assert client.get("/live").text == "ok" and client.get("/ready").text == "ok"
    client.post("/v1/ask", json=CASE)
    text = client.get("/metrics").text
    assert 'loophole_answers_total{verdict="forbidden"}' in text
    assert 'loophole_requests_total{method="POST",route="/v1/ask",status="200"}' in text


def test_a_request_keeps_its_id(client: TestClient) -> None:
    assert client.get("/live", headers={"x-request-id": "table-7"}).headers["x-request-id"] == "table-7"
    assert client.get("/live", headers={"x-request-id": "a b\x7f"}).headers["x-request-id"] != "a b\x7f"


def test_large_bodies_and_many_requests_are_refused() -> None:
    with TestClient(create(Settings(workers=1, body=1000, rate=3))) as small:
        assert small.post("/v1/ask", content="x" * 2000).status_code == 413
        assert small.post("/v1/ask", content=(b"x" * 500 for _ in range(4))).status_code == 413
        assert small.get("/v1/openapi.json").status_code == 200
        late = small.get("/v1/openapi.json")
        assert late.status_code == 429 and int(late.headers["retry-after"]) > 0
        assert small.get("/live").status_code == 200


@pytest.mark.slow
def test_work_that_takes_too_long_is_stopped() -> None:
    others = {f"other{n}": {"is": ["Squad", "Enemy", "Broken"], "at": "yard"} for n in range(500)}
    crowd = {**CASE, "things": {**CASE["things"], **others}}  # that a time is up is seen ten times a second
    with TestClient(create(Settings(workers=1, time_limit=20))) as made:
        assert made.get("/ready").status_code == 200
        made.app.state.work.settings = Settings(workers=1, time_limit=0.001)  # type: ignore[attr-defined]
        found = made.post("/v1/ask", json=crowd)
        assert found.status_code == 503 and "stopped" in found.json()["detail"]
        made.app.state.work.settings = Settings(workers=1, time_limit=20)  # type: ignore[attr-defined]
        assert made.post("/v1/ask", json=CASE).status_code == 200


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPHOLE_WORKERS", "3")
    monkeypatch.setenv("LOOPHOLE_TOKEN", "secret")
    assert from_environment() == Settings(workers=3, token="secret")
    monkeypatch.setenv("LOOPHOLE_RATE", "often")
    with pytest.raises(ValueError, match="LOOPHOLE_RATE"):
        from_environment()


# ── across games ──


def test_one_question_for_every_game(client: TestClient) -> None:
    names = [q["name"] for q in client.get("/v1/compare").json()["questions"]]
    assert len(names) >= 15
    found = client.post("/v1/compare", json={"question": "may a mortar fire from inside a bunker?"})
    assert found.status_code == 200 and {r["book"] for r in found.json()["rows"]} == set(registry.books())
    assert client.post("/v1/compare", json={"question": "qwertz uiop"}).status_code in (404, 422)


# ── all that is known ──


def test_search_as_people_type(client: TestClient) -> None:
    found = client.get("/v1/search", params={"q": "pillbox smoke"}).json()
    assert found["hits"] and found["facets"]["kind"]["rule"]
    assert client.get("/v1/search", params={"q": "b3042"}).json()["hits"][0]["number"] == "B30.42"
    assert client.get("/v1/search", params={"q": "x", "kind": "recipe"}).status_code == 422


@pytest.mark.slow
def test_what_was_found_is_remembered_until_the_readers_own_texts_change(tmp_path: Path) -> None:
    """conftest gives each test a library of its own, which is empty."""
    with TestClient(create(Settings(workers=1, time_limit=20))) as own:

        def found() -> bytes:
            return own.get("/v1/search", params={"q": "portcullis", "kind": "own"}).content

        answers, nothing = own.app.state.work.answers, found()  # type: ignore[attr-defined]
        assert found() == nothing and json.loads(nothing)["total"] == 0 and len(answers) == 1
        (tmp_path / "book.txt").write_text("1.1 Gates. A portcullis stops each cart.\n", encoding="utf-8")
        library.import_text(tmp_path / "book.txt", "toy", "K9")
        assert json.loads(found())["total"] == 1 and len(answers) == 2
        library.remove("toy", "K9")
        assert found() == nothing and len(answers) == 2, "they are what they were"


SELECT = "SELECT ?title WHERE { <https://w3id.org/loophole/rule/asl/B30.42> dcterms:title ?title }"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accept", "begins"),
    [("application/sparql-results+json", '{"head"'), ("application/sparql-results+xml", "<?xml"), ("text/csv", "title\r\nAn enemy"), ("text/tab-separated-values", '?title\n"An enemy')],
)  # fmt: skip
def test_sparql_in_each_form(client: TestClient, accept: str, begins: str) -> None:
    found = client.get("/v1/sparql", params={"query": SELECT}, headers={"accept": accept})
    assert found.status_code == 200 and found.text.startswith(begins) and "An enemy outside bars the door" in found.text
    assert found.headers["content-type"].startswith(accept)


@pytest.mark.slow
def test_sparql_by_post(client: TestClient) -> None:
    direct = client.post(
        "/v1/sparql", content="ASK { ?s a lp:Prohibition }", headers={"content-type": "application/sparql-query"}
    )
    assert direct.json() == {"head": {}, "boolean": True}
    form = client.post("/v1/sparql", data={"query": SELECT})
    assert form.json()["results"]["bindings"]
    graph = client.post(
        "/v1/sparql",
        data={"query": "CONSTRUCT WHERE { norm:asl\\/B30.42 lp:beats ?o }"},
        headers={"accept": "text/turtle"},
    )
    assert graph.headers["content-type"].startswith("text/turtle") and "B30.4" in graph.text
    assert client.post("/v1/sparql", content="x").status_code == 415


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "status"),
    [("SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", 422), ("LOAD <file:///etc/passwd>", 422), ("SELECT * FROM <http://127.0.0.1:1/x> WHERE { ?s ?p ?o }", 422),
     ("DROP ALL", 422), ("SELECT WHERE", 422), ("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER(?a != ?g && ?c > ?i) }", 422)],
)  # fmt: skip
def test_sparql_that_is_refused_or_stopped(client: TestClient, query: str, status: int) -> None:
    found = client.get("/v1/sparql", params={"query": query})
    assert found.status_code == status and found.json()["errors"]
    assert (
        client.post("/v1/sparql", data={"query": SELECT, "default-graph-uri": "http://127.0.0.1:1/"}).status_code == 403
    )


def test_errata_and_what_they_mean(client: TestClient) -> None:
    listed = client.get("/v1/errata").json()["errata"]
    assert len(listed) >= 11
    name = next(r["id"] for r in listed if "B30.34" in json.dumps(r))
    assert client.get(f"/v1/errata/{name}").json()["id"] == name
    assert client.get(f"/v1/errata/{name}/impact").status_code == 200
    for path in ("none-such", "none-such/impact", "zz/impact", "B30.34/impact"):  # the last is a rule, no erratum
        missing = client.get(f"/v1/errata/{path}")
        assert missing.status_code == 404 and missing.json()["errors"][0]["number"] == "E956", path


def test_a_rule_shows_its_errata(client: TestClient) -> None:
    assert [e["id"] for e in client.get("/v1/rules/B30.34").json()["errata"]] == ["B30.34-att"]
    assert "/id/erratum/asl/B30.34-att" in client.get("/id/rule/asl/B30.34", headers={"accept": "text/html"}).text


def test_export(client: TestClient) -> None:
    found = client.get("/v1/export/skos", params={"book": "vv"})
    assert found.status_code == 200 and "skos:Concept" in found.text
    assert client.get("/v1/export/docx").status_code == 422


@pytest.mark.slow
@pytest.mark.parametrize("path", ["rule/asl/B30.42", "norm/asl/B30.42", "book/asl", "chapter/asl/B30", "asl"])
def test_what_the_graph_names_is_found_here(client: TestClient, path: str) -> None:
    turtle = client.get(f"/id/{path}", headers={"accept": "text/turtle"})
    assert turtle.status_code == 200 and "w3id.org/loophole" in turtle.text
    assert json.loads(client.get(f"/id/{path}", headers={"accept": "application/ld+json"}).text)
    html = client.get(f"/id/{path}", headers={"accept": "text/html"})
    assert html.status_code == 200 and "<!doctype html>" in html.text


def test_what_is_not_in_the_graph(client: TestClient) -> None:
    assert client.get("/id/rule/asl/B30.424", headers={"accept": "text/html"}).status_code == 404
    assert client.get("/id/nothing/of/the/kind", headers={"accept": "text/turtle"}).status_code == 404


@pytest.mark.slow
def test_named_queries(client: TestClient) -> None:
    listed = client.get("/v1/queries").json()["queries"]
    assert len(listed) >= 25 and all(q["summary"] and q["empty"] for q in listed)
    name = next(q["name"] for q in listed if "rule" in [p["name"] for p in q["parameters"]])
    assert client.get(f"/v1/queries/{name}", params={"rule": "B30.42"}).json()["head"]["vars"]
    assert client.get(f"/v1/queries/{name}", params={"rule": "B30.42"}, headers={"accept": "text/csv"}).text
    assert client.get(f"/v1/queries/{name}", params={"role": "B30.42"}).status_code == 422
    assert client.get("/v1/queries/no-such").status_code == 404


# ── when an act may be done ──

GAPPING = "/v1/when?act=Gapping&book=fow"


@pytest.mark.slow
def test_when_gives_the_table_that_the_command_line_gives_in_each_of_its_forms(client: TestClient) -> None:
    case = asked.situation("fow", "Gapping", {})
    here = tables.table(asked.rules(case), case)
    found = client.get(GAPPING)
    assert found.status_code == 200 and found.json() == json.loads(json.dumps(formats.to_json(here)))
    told = {media: client.get(GAPPING, headers={"accept": media}) for media in deciding.TABLES[1:]}
    assert all(answer.headers["content-type"].startswith(media) for media, answer in told.items())
    assert told["text/csv"].text == formats.as_csv(here) and told["application/xml"].text == formats.as_dmn(here)
    assert "GappingObstacles.1" in told["text/plain"].text and told["text/markdown"].text.startswith("**A gapping")
    assert client.get(GAPPING, headers={"accept": "image/png"}).status_code == 406


def test_when_tells_where_other_rules_differ(client: TestClient) -> None:
    found = client.get("/v1/when?act=ReRoll&book=fow&diff=chapters%3Dfortifications").json()
    assert found["rows"] == [] and found["share"] == 0
    case = asked.situation("vv", "Fire", {"from": ["Bunker"]})
    reading = next(iter(readings(asked.rules(case)).items()))
    other = f"reading={reading[0]}:{reading[1][1]}"
    here = asked.difference(case, other)
    found = client.get("/v1/when", params={"act": "Fire", "book": "vv", "from": "Bunker", "diff": other}).json()
    assert found == json.loads(json.dumps(formats.difference_json(here)))


@pytest.mark.slow
def test_when_sets_the_tables_of_two_books_beside_each_other(client: TestClient) -> None:
    told = {"act": "Fire", "book": "vv", "target": "Bunker", "diff": "book=fow"}
    made = []
    for book in ("vv", "fow"):
        case = asked.situation(book, "Fire", {"target": ["Bunker"]})
        made.append(tables.table(asked.rules(case), case))
    found = client.get("/v1/when", params=told)
    assert found.json() == json.loads(json.dumps({"tables": [formats.to_json(one) for one in made]}))
    text = client.get("/v1/when", params=told, headers={"accept": "text/plain"}).text
    assert text == formats.of_books(made, deciding.WIDTH) and text.startswith("vv\n") and "\nfow\n" in text
    page = client.get("/when", params=told).text
    assert page.count("The first row that is met decides.") == 2 and "Flames of War" in page


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("act=Gaping&book=fow", "E450"), ("act=Gapping&into=Hut", "E692"), ("act=Gapping&role=weapon", "E693"), ("act=Gapping&role=weapons%3DHut&book=fow", "E692"),
        ("act=Gapping&book=chess", "E420"), ("act=Gapping&diff=later", "E694"), ("act=Gapping&diff=book%3Dasl", "E450"), ("", "E690"),
    ],
)  # fmt: skip
def test_when_says_what_is_wrong_with_what_is_asked(client: TestClient, query: str, number: str) -> None:
    found = client.get(f"/v1/when?{query}")
    assert found.status_code == 422 and found.json()["errors"][0]["number"] == number
    page = client.get(f"/when?{query}", headers={"accept": "text/html"})
    assert (number in page.text and page.status_code == 422) or not query


def test_when_has_a_limit_and_is_not_asked_without_end(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/v1/when?act=Gapping" + "&role=weapon%3DGun" * 9).status_code == 422
    assert client.post("/v1/when?act=Gapping").status_code == 405
    monkeypatch.setattr(when_page, "LIMIT", 0.05)
    assert client.get("/v1/when?act=Fire&book=asl").status_code == 503


@pytest.mark.slow
def test_the_page_of_an_act_leads_to_when_it_may_be_done(client: TestClient) -> None:
    assert 'href="/when?act=Gapping&amp;book=fow"' in client.get("/id/term/fow/Gapping").text
    assert "/when?" not in client.get("/id/term/fow/Bunker").text
    assert 'href="/when?book=fow"' in client.get("/rules?book=fow").text
    assert 'href="/when?act=Gapping&amp;book=fow"' in client.get("/when?book=fow").text
    found = client.get("/when?act=Gapping&book=fow").text
    assert "<h2>MAY NOT</h2>" in found and 'href="/id/rule/fow/GappingObstacles.1"' in found and "16 facts" in found
    bad = client.get("/when", params={"act": "<script>alert(1)</script>", "into": '"><b>'}).text
    assert "<script>alert" not in bad and '"><b>' not in bad and "&lt;script&gt;" in bad
