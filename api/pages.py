"""Plain pages for people: read a rule, look up a term. They need no script, have nothing from elsewhere, and are good on a phone."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from api import jobs, lookups, tapping
from api.ask_page import EXAMPLE, FIRST
from api.examples import PAGE_PROBLEMS
from api.html import address, kept, page
from api.problems import Refused
from api.reply import HTML, JSON, JSON_LD, TURTLE, negotiate, reply

router = APIRouter(tags=["pages"], responses=PAGE_PROBLEMS)
IRIS = "https://w3id.org/loophole/"


@router.get("/", response_class=HTMLResponse)
@kept
async def home(request: Request) -> Response:
    """What this is, and where to go."""
    do = request.app.state.work.do
    books, titles = json.loads(await do(jobs.books))["books"], await do(lookups.titles)
    begun = await do(tapping.begun, "", "", FIRST)
    return page(request, "home.html", books=books, titles=titles, begun=begun, example=EXAMPLE)


@router.get("/id/rule/{book}/{number}", response_class=HTMLResponse)
async def rule(request: Request, book: str, number: Annotated[str, Path(max_length=100)]) -> Response:
    """A rule as a page, as RDF or as JSON, whichever the client prefers."""
    media = negotiate(request, (HTML, JSON, TURTLE, JSON_LD))
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
    media = negotiate(request, (HTML, TURTLE, JSON_LD))
    if media != HTML:
        return await described(request, f"norm/{book}/{name}", media)
    data = await request.app.state.work.do(jobs.rule, name.partition("/")[0], book)
    if name not in {n["id"] for n in data["norms"]}:
        raise Refused(404, f"{book} has no norm “{name}”")
    return RedirectResponse(address(book, "rule", data["rule"]) + f"#{quote(name)}", 303)


@router.get("/id/term/{book}/{name}", response_class=HTMLResponse)
async def term(request: Request, book: str, name: Annotated[str, Path(max_length=100)]) -> Response:
    """A term as a page, as RDF or as JSON, with the rules that speak of it."""
    media = negotiate(request, (HTML, JSON, TURTLE, JSON_LD))
    data = await request.app.state.work.do(jobs.term, name, book)
    if media == JSON:
        return reply(request, data)
    if media != HTML:
        return await described(request, data["iri"].removeprefix(IRIS), media)
    crumbs = [("Terms", "/terms"), (book, f"/terms?book={quote(book)}"), (data["label"], "")]
    return page(request, "term.html", term=data, crumbs=crumbs)


async def described(request: Request, path: str, media: str) -> Response:
    """What the graph says of a thing."""
    return reply(request, await request.app.state.work.do(jobs.description, IRIS + path, media, limit=10), media)


@router.get("/id/{namespace}", response_class=HTMLResponse)
async def namespace(request: Request, namespace: Annotated[str, Path(max_length=100)]) -> Response:
    """The words of one namespace: what its terms' IRIs (…/asl#Pillbox) lead to."""
    media = negotiate(request, (HTML, TURTLE, JSON_LD))
    if media != HTML:
        return await described(request, namespace, media)
    rows = await request.app.state.work.do(jobs.namespace, namespace)
    return page(request, "namespace.html", title=namespace, terms=rows)


@router.get("/id/{path:path}", response_class=HTMLResponse)
async def thing(request: Request, path: Annotated[str, Path(max_length=300)]) -> Response:
    """Anything else in the graph: a norm, a chapter, a case, an erratum."""
    media = negotiate(request, (HTML, TURTLE, JSON_LD))
    if media != HTML:
        return await described(request, path, media)
    rows = await request.app.state.work.do(jobs.triples, IRIS + path, limit=10)
    return page(request, "thing.html", path=path, rows=[(p, v, here(iri)) for p, v, iri in rows])


def here(iri: str) -> str:
    """Where an IRI of ours is to be read on this server; "" for others."""
    return "/id/" + quote(iri.removeprefix(IRIS), safe="/#@") if iri.startswith(IRIS) else ""
