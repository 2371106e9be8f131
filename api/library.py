"""The pages of the books: rules, terms, search, comparison, errata, coverage and scope, named queries and SPARQL."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from api import graph_jobs, jobs, lookups
from api.examples import PAGE_PROBLEMS
from api.html import kept, page
from api.knowledge import EXAMPLE as SPARQL
from api.problems import entry
from api.reply import HTML, SVG, reply
from kb.errors import LoopholeError
from kb.texts import shelf
from kb.triplestore.results import Table

router = APIRouter(tags=["pages"], responses=PAGE_PROBLEMS)
Book = Annotated[str, Query(max_length=100, description="Only this book.")]
Short = Annotated[str, Query(max_length=100)]
PER_PAGE, MOST_ROWS, MOST_CELL = 20, 200, 300
KINDS = ("rule", "term", "erratum", "ruling", "own")


async def do(request: Request, job: Any, *args: Any, limit: float = 0.0) -> Any:
    """What a worker makes of it."""
    return await request.app.state.work.do(job, *args, limit=limit)


@router.get("/rules", response_class=HTMLResponse)
@kept
async def rules(request: Request, book: Book = "") -> Response:
    """Every rule of every book, by chapter."""
    crumbs = [("Rules", "/rules"), (book, "")] if book else [("Rules", "")]
    return page(request, "rules.html", books=await do(request, lookups.contents, book), book=book, crumbs=crumbs)


@router.get("/terms", response_class=HTMLResponse)
@kept
async def terms(request: Request, word: Short = "", book: Book = "") -> Response:
    """The words that cases and rules use, by what they are called; those of which rules speak most, where nothing is looked for."""
    try:
        count, rows = await do(request, lookups.terms_shown, word, book)
    except LoopholeError as e:
        return page(
            request,
            "terms.html",
            404,
            count=0,
            rows=[],
            word=word,
            book=book,
            faults=[entry(q) for q in e.problems],
            **await head(request, "Terms"),
        )
    return page(
        request, "terms.html", count=count, rows=rows, word=word, book=book, faults=[], **await head(request, "Terms")
    )


async def head(request: Request, name: str) -> dict[str, Any]:
    """What pages that look through all books have at their head."""
    return {"books": await do(request, lookups.titles), "crumbs": [(name, "")]}


@router.get("/search", response_class=HTMLResponse)
async def search(
    request: Request,
    q: Annotated[str, Query(max_length=400, description="Words, terms, abbreviations or rule numbers, as people type.")] = "",
    book: Book = "",
    kind: Annotated[str, Query(max_length=20, description="Only rule, term, erratum, ruling or own.")] = "",
    offset: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:  # fmt: skip
    """Rules, terms, errata and rulings by words as people type them."""
    given: dict[str, Any] = {"q": q, "book": book, "kind": kind, "kinds": KINDS, **await head(request, "Search")}
    if not q.strip():
        return page(request, "search.html", found=None, faults=[], pages=(), **given)
    try:
        work = request.app.state.work
        found = json.loads(await work.do(jobs.search, q, book, kind, PER_PAGE, offset, state=shelf.state()))
    except LoopholeError as e:
        return page(request, "search.html", 422, found=None, faults=[entry(p) for p in e.problems], pages=(), **given)
    asked = {k: v for k, v in (("q", q), ("book", book), ("kind", kind)) if v}
    near = [
        (name, at)
        for name, at in (("Before", offset - PER_PAGE), ("More", offset + PER_PAGE))
        if 0 <= at < found["total"]
    ]
    pages = [(name, "/search?" + urlencode({**asked, "offset": at})) for name, at in near]
    return page(request, "search.html", found=found, faults=[], pages=pages, **given)


@router.get("/compare", response_class=HTMLResponse)
@kept
async def compare(request: Request, question: Annotated[str, Query(max_length=300)] = "") -> Response:
    """One question put to every game, side by side."""
    named = json.loads(await do(request, jobs.comparisons))["questions"]
    given = {"question": question, "named": named, "crumbs": [("Compare", "/compare" if question else "")]}
    if not question.strip():
        return page(request, "compare.html", found=None, faults=[], columns=[], **given)
    try:
        found = json.loads(await do(request, jobs.compared, question, (), limit=10))
    except LoopholeError as e:
        return page(
            request, "compare.html", 422, found=None, faults=[entry(p) for p in e.problems], columns=[], **given
        )
    books: dict[str, list[dict[str, Any]]] = {}
    for row in found["rows"]:
        books.setdefault(row["book"], []).append(row)
    given["crumbs"] = [("Compare", "/compare"), (found["question"], "")]
    return page(
        request,
        "compare.html",
        found=found,
        faults=[],
        columns=[(b, alike(rows)) for b, rows in books.items()],
        **given,
    )


def alike(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a book, those with one answer by one set of rules told together."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = row["answer"], tuple(row["cites"]), tuple(row["notes"])
        found.setdefault(key, {**row, "kinds": []})["kinds"].append(row["label"] or row["kind"] or "")
    return list(found.values())


@router.get("/rules/{book}/{number}/{picture}.svg", responses={200: {"content": {SVG: {"schema": {"type": "string"}}}}})
async def picture(
    request: Request, book: Annotated[str, Path(max_length=100)], number: Annotated[str, Path(max_length=100)],
    picture: Literal["exceptions", "neighbours"],
) -> Response:  # fmt: skip
    """A rule's tree of exceptions, or the rules around it, as a picture to keep."""
    return reply(request, await do(request, lookups.rule_drawn, number, book, picture), SVG)


# ── errata ──


@router.get("/errata", response_class=HTMLResponse)
@kept
async def errata(request: Request, book: Book = "", rule: Short = "") -> Response:
    """The errata, clarifications and rulings on record."""
    rows = await do(request, lookups.errata_listed, rule, book)
    return page(request, "errata.html", rows=rows, rule=rule, book=book, **await head(request, "Errata"))


@router.get("/errata/{name}", response_class=HTMLResponse)
@kept
async def erratum(request: Request, name: Annotated[str, Path(max_length=100)], impact: bool = False) -> Response:
    """One erratum or ruling: what changes, who says so, since when; with `impact`, what it turns."""
    record, rules = await do(request, lookups.erratum_shown, name)
    turned = await do(request, lookups.turned_by, name, limit=60) if impact else None
    crumbs = [("Errata", "/errata"), (record["id"], "")]
    return page(request, "erratum.html", record=record, rules=rules, turned=turned, crumbs=crumbs)


# ── how far the books are encoded, and what they decide ──


@router.get("/coverage", response_class=HTMLResponse)
@kept
async def coverage(request: Request, book: Book = "") -> Response:
    """How much of each book is encoded, chapter by chapter; of one book rule by rule."""
    rows = await do(request, lookups.covered, book, limit=30)
    crumbs = [("Coverage", "/coverage"), (book, "")] if book else [("Coverage", "")]
    return page(request, "coverage.html", rows=rows, book=book, crumbs=crumbs)


@router.get("/scope", response_class=HTMLResponse)
@kept
async def scope(request: Request, book: Book = "") -> Response:
    """What the chapters decide wholly, what only partly, and what they leave to others."""
    rows = await do(request, lookups.scopes, book)
    return page(request, "scope.html", rows=rows, crumbs=[("Coverage", "/coverage"), ("Scope", "")])


# ── the graph ──


@router.get("/queries", response_class=HTMLResponse)
@kept
async def queries(request: Request) -> Response:
    """The questions to the graph that have names, and any other in SPARQL."""
    rows = json.loads(await do(request, graph_jobs.queries))["queries"]
    return page(request, "queries.html", rows=rows, sparql=SPARQL, crumbs=[("Queries", "")])


@router.get("/queries/{name}", response_class=HTMLResponse)
async def query(
    request: Request, name: Annotated[str, Path(max_length=100)], rule: Short = "", book: Short = "", term: Short = "", ask: Literal["", "1"] = ""
) -> Response:  # fmt: skip
    """One of them, with its parameters, as a table."""
    rows = json.loads(await do(request, graph_jobs.queries))["queries"]
    one = next((row for row in rows if row["name"] == name), None)
    known = {k: v for k, v in request.query_params.items() if len(v) <= 300 and k != "ask"}
    given = {p["name"]: known.get(p["name"], "") for p in one["parameters"]} if one else known
    told = tuple(sorted((k, v) for k, v in given.items() if v))
    crumbs = [("Queries", "/queries"), (name, "")]
    faults, table = [], None
    if told or ask or one is None or not one["parameters"]:
        try:
            table = shown(await do(request, graph_jobs.query, name, told, MOST_ROWS, limit=20))
        except LoopholeError as e:
            if one is None:
                raise
            faults = [entry(p) for p in e.problems]
    return page(
        request, "query.html", 422 if faults else 200, query=one, given=given, table=table, faults=faults, crumbs=crumbs
    )


@router.get("/sparql", response_class=HTMLResponse)
async def sparql(request: Request, query: Annotated[str, Query(max_length=50_000)] = "") -> Response:
    """Ask the graph anything in SPARQL: read only, stopped at limits of time, rows and memory."""
    faults, table = [], None
    if query.strip():
        try:
            table = shown(await request.app.state.queries.ask(query, request.client.host if request.client else ""))
        except LoopholeError as e:
            faults = [entry(p) for p in e.problems]
    crumbs = [("Queries", "/queries"), ("SPARQL", "")]
    return page(
        request, "sparql.html", 422 if faults else 200, query=query or SPARQL, table=table, faults=faults, crumbs=crumbs
    )


def shown(found: Table) -> dict[str, Any]:
    """A table of results as a page has it: the first rows, long values cut, IRIs of ours as links."""
    from api.pages import IRIS, here

    if found.kind == "ask":
        return {"columns": ["answer"], "rows": [[("yes" if found.yes else "no", "")]], "more": False}
    rows = [
        [
            ("", "") if t is None else (cut(t.value.removeprefix(IRIS)), here(t.value) if t.kind == "iri" else "")
            for t in row
        ]
        for row in found.rows[:MOST_ROWS]
    ]
    columns = list(found.columns) or ["subject", "predicate", "object"]
    return {"columns": columns, "rows": rows, "more": found.more or len(found.rows) > MOST_ROWS}


def cut(value: str) -> str:
    """A value that fits a cell."""
    return value if len(value) <= MOST_CELL else value[: MOST_CELL - 1] + "…"


__all__ = ["HTML", "router"]
