"""The pages of the books: what each shows, that every link on them leads somewhere, and that none costs much."""

from __future__ import annotations

import html
import re
import time

import pytest
from fastapi.testclient import TestClient

from kb import registry

PAGES = {
    "/": "Advanced Squad Leader",
    "/rules": "B30.42",
    "/rules?book=vv": "20.5",
    "/terms": "Pillbox",
    "/terms?word=pill": "Fortification that is a Location of its own",
    "/search": "Search",
    "/search?q=pillbox+smoke": "B30.34",
    "/compare": "May a mortar fire from inside a bunker?",
    "/compare?question=mortar-from-inside": "Flames of War",
    "/errata": "B30.34-att",
    "/errata?rule=B30.34": "B30.34-att",
    "/errata/B30.34-att": "The Area Target Type reaches the pillbox unnamed",
    "/coverage": "asl B30",
    "/coverage?book=asl": "An enemy outside bars the door",
    "/scope": "where nothing says so",
    "/queries": "beaten-by",
    "/queries/beats": "a rule&#39;s number",
    "/sparql": "SELECT",
    "/when": "forming a Fire Group",
    "/when?act=Gapping&book=fow": "<h2>MAY NOT</h2>",
    "/id/rule/asl/B30.42": "An enemy outside bars the door",
    "/id/term/asl/Pillbox": "covered arc",
}
ASKING = (
    "/ask",
    "/queries/",
    "/sparql",
    "/errata/B30.34-att?impact",
    "/compare?",
    "/search?",
    "/when?act",
)  # pages that ask something
HTML = {"accept": "text/html"}


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_each_page_shows_what_it_is_for(client: TestClient, path: str) -> None:
    found = client.get(path, headers=HTML)
    assert found.status_code == 200 and PAGES[path] in found.text
    assert found.text.count("<h1") == 1 and '<nav aria-label="Pages">' in found.text and 'id="main"' in found.text
    assert client.get(path, headers={**HTML, "if-none-match": found.headers["etag"]}).status_code == 304


def test_every_link_of_the_pages_leads_somewhere(client: TestClient) -> None:
    links = set()
    for path in PAGES:
        text = client.get(path, headers=HTML).text
        links |= {html.unescape(href) for href in re.findall(r'href="(/[^"]*)"', text)}
    kinds: dict[str, list[str]] = {}
    for link in sorted(
        link for link in links if not link.startswith("/id/erratum/")
    ):  # of the graph, whose store may be building
        kinds.setdefault(re.sub(r"[^/]+$", "", link.partition("?")[0]), []).append(link)
    some = [link for rows in kinds.values() for link in (rows[0], rows[len(rows) // 2], rows[-1])]
    assert len(some) > 25
    wrong = [(link, status) for link in some if (status := client.get(link, headers=HTML).status_code) >= 400]
    assert wrong == []


def test_no_page_but_those_that_ask_costs_more_than_five_empty_ones(client: TestClient) -> None:
    def best(path: str) -> float:
        times = []
        for _ in range(8):
            start = time.perf_counter()
            assert client.get(path, headers=HTML).status_code < 500
            times.append(time.perf_counter() - start)
        return min(times)

    empty = best("/search")  # a head, a form and nothing found
    slow = {p: t / empty for p in PAGES if not p.startswith(ASKING) and (t := best(p)) > 5 * empty}
    assert slow == {}


def test_what_is_not_there_is_said(client: TestClient) -> None:
    assert "No such term" in client.get("/terms?word=zzzzq", headers=HTML).text
    assert client.get("/errata/nope", headers=HTML).status_code == 404
    assert client.get("/rules?book=chess", headers=HTML).status_code == 422
    assert client.get("/rules/asl/B99.9/exceptions.svg").status_code == 404
    assert client.get("/rules/asl/B30.4/everything.svg").status_code == 422
    assert client.get("/queries/nope", headers=HTML).status_code == 404
    assert client.get("/compare?question=why", headers=HTML).status_code == 422
    assert client.get("/search", params={"q": "pill", "kind": "nonsense"}, headers=HTML).status_code == 422


def test_what_is_typed_is_escaped(client: TestClient) -> None:
    for path in (
        "/terms?word=",
        "/search?q=",
        "/compare?question=",
        "/errata?rule=",
        "/queries/beats?rule=",
        "/sparql?query=",
        "/rules?book=",
    ):
        found = client.get(path + "<script>alert(1)</script>", headers=HTML)
        assert "<script>" not in found.text and found.status_code < 500


def test_an_erratum_shows_what_it_turns(client: TestClient) -> None:
    found = client.get("/errata/B30.34-att?impact=true", headers=HTML).text
    assert "shot cannot affect" in found and "shot can affect" in found and "The smallest case that turns" in found


def test_queries_and_sparql_are_tables(client: TestClient) -> None:
    found = client.get("/queries/beats?rule=B30.42&book=asl", headers=HTML).text
    assert '<a href="/id/norm/asl/B30.4">norm/asl/B30.4</a>' in found
    asked = client.get("/sparql", params={"query": "SELECT ?n WHERE { ?n lp:beats norm:asl\\/B30.4 }"}, headers=HTML)
    assert "norm/asl/B30.42" in asked.text
    assert client.get("/sparql", params={"query": "INSERT DATA { <a:b> <a:c> 1 }"}, headers=HTML).status_code == 422


def test_a_rule_shows_its_neighbours_and_exceptions(client: TestClient) -> None:
    found = client.get("/id/rule/asl/B30.42", headers=HTML).text
    assert (
        'class="tree"' in found
        and "by tunnel in the RtPh or APh; 8.6" in found
        and 'href="/id/rule/asl/B30.4"' in found
    )
    picture = client.get("/rules/asl/B30.42/neighbours.svg")
    assert picture.headers["content-type"] == "image/svg+xml" and "B30.4 Going in and out" in picture.text


@pytest.mark.slow
def test_pages_are_made_once_and_no_more_than_some_are_kept(client: TestClient) -> None:
    from api.html import MOST_KEPT

    for n in range(MOST_KEPT + 5):
        client.get(f"/search?x={n}", headers=HTML)
        client.get(f"/queries?x={n}", headers=HTML)
    assert len(client.app.state.pages) <= MOST_KEPT  # type: ignore[attr-defined]


def test_all_rules_are_listed(client: TestClient) -> None:
    text = client.get("/rules").text
    for book in registry.books():
        assert all(f">{rule}</a>" in text for rule in registry.theory(book).sections), book
