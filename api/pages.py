"""Plain pages for people: ask a case, read a rule, look up a term. No script, nothing from elsewhere, good on a phone."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from api import jobs, openapi
from api.examples import CASE, PAGE_PROBLEMS
from api.html import address, page
from api.problems import Refused, entry
from api.reply import FUNCTIONAL, HTML, JSON, JSON_LD, LINKED, N_TRIPLES, RDF_XML, TURTLE, negotiate, preferred, reply
from kb.errors import LoopholeError

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
MOST = 50_000  # characters of a case on a page: it stands in the address
EXAMPLE = "".join(
    ["book: asl\nthings:\n"]
    + [f"  {name}: {json.dumps(facts)}\n".replace('"', "") for name, facts in CASE["things"].items()]
    + ["ask: {may: move}\n"]
)


@router.get("/", response_class=HTMLResponse)
async def home(request: Request) -> Response:
    """What this is, and where to go."""
    books = json.loads(await request.app.state.work.do(jobs.books))["books"]
    return page(request, "home.html", books=books, example=EXAMPLE)


@router.get("/ask", response_class=HTMLResponse)
async def ask(
    request: Request,
    case: Annotated[str, Query(max_length=MOST, description="A case as YAML or JSON; the address is a lasting link to its answer.")] = "",
) -> Response:  # fmt: skip
    """State a case, or change one, and see its answer with the whole proof."""
    if not case.strip():
        return page(request, "ask.html", case=EXAMPLE, answer=None, faults=[])
    try:
        book, verdict, part, rules = await request.app.state.work.do(jobs.outlined, case, ())
    except LoopholeError as e:
        faults = [entry(q) for q in e.problems]
        return page(request, "ask.html", 422, case=case, answer=None, faults=faults)
    answer = {"book": book, "verdict": verdict, "part": part, "rules": rules}
    return page(request, "ask.html", case=case, answer=answer, faults=[])


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
    rules = tuple(r["rule"] for r in json.loads(await request.app.state.work.do(jobs.rules, book))["rules"])
    return page(request, "rule.html", rule=data, rules=rules)


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
    return page(request, "term.html", term=data)


async def described(request: Request, path: str, media: str) -> Response:
    """What the graph says of a thing."""
    return reply(request, await request.app.state.work.do(jobs.description, IRIS + path, media, limit=30), media)


@router.get("/id/{namespace}", response_class=HTMLResponse)
async def namespace(request: Request, namespace: Annotated[str, Path(max_length=100)]) -> Response:
    """The words of one namespace as a page; or the ontology whole (core, tactics, a book's, all), as the client prefers or the ending says
    (core.ttl, .rdf, .ofn, .jsonld, .nt)."""
    if (whole := await ontology(request, namespace)) is not None:
        return whole
    media = negotiate(request, (HTML, *LINKED))
    if media != HTML:
        return await described(request, namespace, media)
    rows = await request.app.state.work.do(jobs.namespace, namespace)
    return page(request, "namespace.html", title=namespace, terms=rows)


@router.get("/id/{path:path}", response_class=HTMLResponse)
async def thing(request: Request, path: Annotated[str, Path(max_length=300)]) -> Response:
    """Anything else in the graph: a norm, a chapter, a case, an erratum, a file of the ontology."""
    if (whole := await ontology(request, path)) is not None:
        return whole
    media = negotiate(request, (HTML, *LINKED))
    if media != HTML:
        return await described(request, path, media)
    rows = await request.app.state.work.do(jobs.triples, IRIS + path, limit=10)
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
    text = await request.app.state.work.do(jobs.ontology, name, format, limit=300)
    return None if text is None else reply(request, text, media)


def here(iri: str) -> str:
    """Where an IRI of ours is to be read on this server; "" for others."""
    return "/id/" + quote(iri.removeprefix(IRIS), safe="/#@") if iri.startswith(IRIS) else ""
