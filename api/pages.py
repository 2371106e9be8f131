"""Plain pages for people: read a rule, look up a term. They need no script, have nothing from elsewhere, and are good on a phone."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from api import deciding, graph_jobs, jobs, lookups, openapi, tapping
from api.ask_page import EXAMPLE, FEW, FIRST
from api.examples import PAGE_PROBLEMS
from api.html import address, kept, page
from api.problems import Refused
from api.reply import FUNCTIONAL, HTML, JSON, JSON_LD, LINKED, N_TRIPLES, RDF_XML, TURTLE, negotiate, preferred, reply

router = APIRouter(tags=["pages"], responses=PAGE_PROBLEMS)
IRIS = "https://w3id.org/loophole/"
WHOLE = {
    "ttl": TURTLE,
    "rdf": RDF_XML,
    "ofn": FUNCTIONAL,
    "jsonld": JSON_LD,
    "nt": N_TRIPLES,
    "owl": RDF_XML,
}  # of an ontology, by ending


@router.get("/", response_class=HTMLResponse)
@kept
async def home(request: Request) -> Response:
    """What this is, and where to go."""
    do = request.app.state.work.do
    books, titles = json.loads(await do(jobs.books))["books"], await do(lookups.titles)
    begun = await do(tapping.begun, "", "", FIRST)
    return page(request, "home.html", books=books, titles=titles, begun=begun, few=FEW, example=EXAMPLE)


@router.get("/api", response_class=HTMLResponse)
async def interface(request: Request) -> Response:
    """What may be asked over HTTP, and how: each route with its parameters and the forms that it answers in."""
    rows: dict[str, list[openapi.Operation]] = {}
    for operation in openapi.operations(request.app.openapi()):
        rows.setdefault(operation.group, []).append(operation)
    return page(request, "api.html", groups=rows)


@router.get("/id/rule/{book}/{number}", response_class=HTMLResponse)
async def rule(request: Request, book: str, number: Annotated[str, Path(max_length=100)]) -> Response:
    """A rule as a page, as RDF or as JSON, whichever the client prefers."""
    media = negotiate(request, (HTML, JSON, *LINKED))
    data = await request.app.state.work.do(jobs.rule, number, book)
    if media == JSON:
        return reply(request, data)
    if media != HTML:
        return await described(request, f"rule/{book}/{data['rule']}", media)
    return await rule_page(request, book=data["book"], number=data["rule"])


@kept
async def rule_page(request: Request, book: str, number: str) -> Response:
    """A rule with its norms, exceptions and neighbours."""
    data, titles, exceptions, neighbours = await request.app.state.work.do(lookups.rule_shown, number, book)
    crumbs = [("Rules", "/rules"), (book, f"/rules?book={quote(book)}"), (number, "")]
    return page(
        request,
        "rule.html",
        rule=data,
        rules=tuple(titles),
        exceptions=exceptions,
        neighbours=neighbours,
        crumbs=crumbs,
    )


@router.get("/id/norm/{book}/{name:path}", status_code=303, response_class=RedirectResponse)
async def norm(request: Request, book: str, name: str) -> Response:
    """A norm stands on the page of its rule."""
    media = negotiate(request, (HTML, *LINKED))
    if media != HTML:
        return await described(request, f"norm/{book}/{name}", media)
    data = await request.app.state.work.do(jobs.rule, name.partition("/")[0], book)
    if name not in {n["id"] for n in data["norms"]}:
        raise Refused(404, f"{book} has no norm “{name}”")
    return RedirectResponse(address(book, "rule", data["rule"]) + f"#{quote(name)}", 303)


@router.get("/id/term/{book}/{name}", response_class=HTMLResponse)
async def term(request: Request, book: str, name: Annotated[str, Path(max_length=100)]) -> Response:
    """A term as a page, as RDF or as JSON, with the rules that speak of it."""
    media = negotiate(request, (HTML, JSON, *LINKED))
    data = await request.app.state.work.do(jobs.term, name, book)
    if media == JSON:
        return reply(request, data)
    if media != HTML:
        return await described(request, data["iri"].removeprefix(IRIS), media)
    crumbs = [("Terms", "/terms"), (book, f"/terms?book={quote(book)}"), (data["label"], "")]
    rows = dict(await request.app.state.work.do(deciding.decided_acts, book)).get(book, [])
    return page(request, "term.html", term=data, regulated=name in dict(rows), crumbs=crumbs)


async def described(request: Request, path: str, media: str) -> Response:
    """What the graph says of a thing."""
    return reply(request, await request.app.state.work.do(graph_jobs.description, IRIS + path, media, limit=30), media)


@router.get("/id/{namespace}", response_class=HTMLResponse)
async def namespace(request: Request, namespace: Annotated[str, Path(max_length=100)]) -> Response:
    """The words of one namespace as a page; or the ontology whole (core, tactics, a book's, all), as the client prefers or the ending says
    (core.ttl, .rdf, .ofn, .jsonld, .nt)."""
    if (whole := await ontology(request, namespace)) is not None:
        return whole
    media = negotiate(request, (HTML, *LINKED))
    if media != HTML:
        return await described(request, namespace, media)
    rows = await request.app.state.work.do(graph_jobs.namespace, namespace)
    return page(request, "namespace.html", title=namespace, terms=rows)


@router.get("/id/{path:path}", response_class=HTMLResponse)
async def thing(request: Request, path: Annotated[str, Path(max_length=300)]) -> Response:
    """Anything else in the graph: a norm, a chapter, a case, an erratum, a file of the ontology."""
    if (whole := await ontology(request, path)) is not None:
        return whole
    media = negotiate(request, (HTML, *LINKED))
    if media != HTML:
        return await described(request, path, media)
    rows = await request.app.state.work.do(graph_jobs.triples, IRIS + path, limit=10)
    return page(request, "thing.html", path=path, rows=[(p, v, here(iri)) for p, v, iri in rows])


async def ontology(request: Request, name: str) -> Response | None:
    """An ontology whole, in the form that the ending of its address or the client asks for; None where a page is wanted, or none is so called.

    What takes part in no choice of forms (a browser's, or any) is a page.
    """
    stem, dot, ending = name.rpartition(".")
    if dot and ending in WHOLE:
        media, name = WHOLE[ending], stem
    else:
        media = preferred(request.headers.get("accept", ""), (HTML, *WHOLE.values())) or HTML
    if media == HTML:
        return None
    format = next(f for f, m in WHOLE.items() if m == media)
    text = await request.app.state.work.do(graph_jobs.ontology, name, format, limit=300)
    return None if text is None else reply(request, text, media)


def here(iri: str) -> str:
    """Where an IRI of ours is to be read on this server; "" for others."""
    return "/id/" + quote(iri.removeprefix(IRIS), safe="/#@") if iri.startswith(IRIS) else ""
