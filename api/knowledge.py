"""All that is known, over the wire: search, SPARQL, errata and what they mean, and the whole graph to take away."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import parse_qs, quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from api import graph_jobs, jobs, results
from api.examples import PROBLEMS
from api.problems import Refused
from api.reply import negotiate, preferred, reply
from kb.errors import Problem, QueryError
from kb.texts import shelf
from kb.triplestore.results import Table

router = APIRouter(prefix="/v1", tags=["knowledge"], responses=PROBLEMS)
Book = Annotated[str, Query(max_length=100, description="Only this book.")]
MEDIA = {
    "ttl": "text/turtle", "rdf": "application/rdf+xml", "ofn": "text/owl-functional", "jsonld": "application/ld+json",
    "nt": "application/n-triples", "nq": "application/n-quads", "trig": "application/trig",
    "legalruleml": "application/xml", "skos": "text/turtle",
}  # fmt: skip
FORMATS = Literal["ttl", "rdf", "ofn", "jsonld", "nt", "nq", "trig", "legalruleml", "skos"]


@router.get("/search")
async def search(
    request: Request,
    q: Annotated[
        str, Query(max_length=400, description="Words, terms, abbreviations or rule numbers, as people type.")
    ],
    book: Book = "",
    kind: Annotated[str, Query(max_length=20, description="Only rule, term, erratum, ruling or own.")] = "",
    limit: Annotated[int, Query(ge=0, le=200)] = 10,
    offset: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """Rules, terms, errata and rulings by words as people type them, the best first, with facets."""
    work = request.app.state.work
    return reply(request, await work.do(jobs.search, q, book, kind, limit, offset, state=shelf.state()))


# ── SPARQL 1.1 Protocol ──

ANSWERED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "SPARQL results, or a graph",
        "content": {media: {"schema": {"type": "string"}} for media in (*results.ROWS[1:], *results.GRAPH)}
        | {results.JSON: {"schema": {"type": "object"}}},
    }
}
EXAMPLE = (
    "SELECT ?rule ?title WHERE { ?norm lp:beats norm:asl\\/B30.4 ; lp:statedIn ?rule . ?rule dcterms:title ?title }"
)


@router.get("/sparql", responses=ANSWERED)
async def sparql_get(
    request: Request, query: Annotated[str, Query(max_length=50_000, examples=[EXAMPLE])] = ""
) -> Response:  # fmt: skip
    """Ask anything in SPARQL: read only, prefixes supplied, stopped at limits of time, rows and memory. Without a query: what this service can do."""
    if "query" not in request.query_params:
        return await service(request)
    return await sparql(request, query)


async def service(request: Request) -> Response:
    """The service's description (SPARQL 1.1 Service Description)."""
    media = negotiate(request, results.GRAPH)
    turtle = SERVICE.format(endpoint=quote(str(request.url.replace(query="")), safe=":/[]@%~"))
    return reply(request, await request.app.state.work.do(graph_jobs.reread, turtle, media), media)


SERVICE = """\
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix formats: <http://www.w3.org/ns/formats/> .
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .

[] a sd:Service ;
    dcterms:title "Loophole: rules of tabletop wargames as one graph"@en ;
    sd:endpoint <{endpoint}> ;
    sd:supportedLanguage sd:SPARQL11Query ;
    sd:feature sd:UnionDefaultGraph ;
    sd:resultFormat formats:SPARQL_Results_JSON , formats:SPARQL_Results_XML , formats:SPARQL_Results_CSV , formats:SPARQL_Results_TSV ,
        formats:Turtle , formats:N-Triples , formats:RDF_XML , formats:JSON-LD ;
    sd:defaultDataset <https://w3id.org/loophole/dataset> .

<https://w3id.org/loophole/dataset> a sd:Dataset .
"""
FORM = {"schema": {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}}
DIRECT = {"schema": {"type": "string"}, "example": EXAMPLE}
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/sparql-query": DIRECT, "application/x-www-form-urlencoded": FORM},
    }
}


@router.post("/sparql", responses=ANSWERED, openapi_extra=BODY)
async def sparql_post(request: Request) -> Response:
    """The same by POST, directly (application/sparql-query) or as a form with `query`."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        body = (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise QueryError(Problem(631, "these bytes are not text", hint="send a query as UTF-8 text")) from None
    if media == "application/sparql-query":
        return await sparql(request, body)
    if media == "application/x-www-form-urlencoded":
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=20)
        if set(fields) & {"default-graph-uri", "named-graph-uri", "using-graph-uri", "using-named-graph-uri", "update"}:
            raise Refused(403, "this endpoint reads one dataset, its own, and changes nothing")
        if len(fields.get("query", [])) == 1:
            return await sparql(request, fields["query"][0])
        raise Refused(422, "the form is to hold one query")
    raise Refused(415, "send application/sparql-query, or a form with `query`")


async def sparql(request: Request, query: str) -> Response:
    """The answer of a query in the form that the client prefers. Raises QueryError, Refused(403, 406, 503)."""
    if {"default-graph-uri", "named-graph-uri"} & set(request.query_params):
        raise Refused(403, "this endpoint reads one dataset, its own")
    accept = request.headers.get("accept", "")
    if preferred(accept, (*results.ROWS, *results.GRAPH)) is None:
        negotiate(request, (*results.ROWS, *results.GRAPH))
    await request.app.state.work.built()
    found: Table = await request.app.state.queries.ask(query, request.client.host if request.client else "")
    offers = results.GRAPH if found.kind == "graph" else results.ROWS
    media = preferred(accept, offers) or offers[0]
    more = {"Loophole_Truncated": "true"} if found.more else {}
    if media in (results.RDF_XML, results.JSON_LD):
        written = await request.app.state.work.do(graph_jobs.serialized, found.rows, media, limit=30, keep=False)
    else:
        written = results.written(found, media)
    return reply(request, written, media, **more)


# ── errata ──


@router.get("/errata")
async def errata(request: Request, book: Book = "", rule: Annotated[str, Query(max_length=100)] = "") -> Response:
    """The errata, clarifications and rulings on record."""
    return reply(request, await request.app.state.work.do(jobs.errata, rule, book, True))


@router.get("/errata/{name}")
async def erratum(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    """One erratum or ruling: what changes, who says so, since when."""
    return reply(request, await request.app.state.work.do(jobs.errata, name, "", False))


@router.get("/errata/{name}/impact")
async def impact(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    """What an erratum means: the rulings whose answers it turns, and the smallest invented case that flips."""
    return reply(request, await request.app.state.work.do(jobs.impact, name, limit=60))


# ── everything ──


@router.get(
    "/export/{format}", responses={200: {"content": {m: {"schema": {"type": "string"}} for m in MEDIA.values()}}}
)
async def export(request: Request, format: FORMATS, book: Book = "") -> Response:
    """Everything, or one book with the ontology it sees, in one of the formats of linked data."""
    return reply(request, await request.app.state.work.do(graph_jobs.export, format, book, limit=120), MEDIA[format])


# ── named queries ──


@router.get("/queries")
async def queries(request: Request) -> Response:
    """The named queries: what each tells, its parameters, and what it means when nothing is found."""
    return reply(request, await request.app.state.work.do(graph_jobs.queries))


@router.get("/queries/{name}", responses=ANSWERED)
async def query(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    """One of them; its parameters as people write them (?rule=B30.42). Values are bound, never pasted."""
    given = tuple(sorted(request.query_params.items()))
    if len(given) > 20 or any(len(value) > 300 for _, value in given):
        raise Refused(422, "a query has few parameters, and short ones")
    media = negotiate(request, results.ROWS)
    most = request.app.state.settings.rows
    found: Table = await request.app.state.work.do(graph_jobs.query, name, given, most, limit=20, keep=False)
    return reply(request, results.written(found, media), media)
