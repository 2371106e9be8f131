"""When may it be done: the decision table of an act over the wire, and as a page that needs no script."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from api import deciding, lookups
from api.deciding import Wanted
from api.examples import PAGE_PROBLEMS, PROBLEMS
from api.html import kept, page
from api.problems import Refused, entry
from api.reply import negotiate, reply
from kb.errors import LoopholeError

router = APIRouter()
LIMIT = 30  # seconds that a table may take
MOST_ROLES = 8
Act = Annotated[str, Query(max_length=100, description="A kind of act: Entry, fire, SetUp.")]
Book = Annotated[str, Query(max_length=100, description="Without it the first book that speaks of such an act.")]
Into = Annotated[str, Query(max_length=100, description="A kind: where it leads to, “enemy pillbox”.")]
From = Annotated[str, Query(alias="from", max_length=100, description="Where it comes from.")]
At = Annotated[str, Query(max_length=100, description="Where it is done.")]
Target = Annotated[str, Query(max_length=100, description="What it is done to.")]
By = Annotated[str, Query(max_length=100, description="Who does it.")]
Role = Annotated[list[str] | None, Query(description="Any other relation of the act: weapon=Mortar.")]
Module = Annotated[list[str] | None, Query(description="A module of the book that is in force.")]
Edition = Annotated[str, Query(max_length=100)]
Diff = Annotated[
    str,
    Query(
        max_length=200,
        description="Only where other rules say otherwise: reading=DISPUTE:OPTION, edition=ID, chapters=B30, without=ERRATUM.",
    ),
]
ANSWERED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The table, or the difference",
        "content": {deciding.JSON: {"schema": {"type": "object"}}}
        | {media: {"schema": {"type": "string"}} for media in deciding.TABLES[1:]},
    }
}


@router.get("/v1/when", tags=["answers"], responses={**PROBLEMS, **ANSWERED})
async def when(
    request: Request,
    act: Act,
    book: Book = "",
    into: Into = "",
    from_: From = "",
    at: At = "",
    target: Target = "",
    by: By = "",
    role: Role = None,
    module: Module = None,
    edition: Edition = "",
    diff: Diff = "",
) -> Response:
    """When an act may be done and when not: the shortest list of conditions that is equal to the rules over a stated shape, with cites."""
    places = (("into", into), ("from", from_), ("at", at), ("target", target), ("by", by))
    wanted = asked(act, book, places, role or [], module or [], edition, diff)
    media = negotiate(request, deciding.DIFFERENCES if diff else deciding.TABLES)
    return reply(request, await request.app.state.work.do(deciding.decision_table, wanted, media, limit=LIMIT), media)


def asked(
    act: str,
    book: str,
    places: tuple[tuple[str, str], ...],
    role: list[str],
    module: list[str],
    edition: str,
    diff: str,
) -> Wanted:
    """What an address asks. Raises Refused(422) for too much of it, QueryError (E693) for a role that is none."""
    if len(role) > MOST_ROLES or len(module) > MOST_ROLES or any(len(word) > 100 for word in (*role, *module)):
        raise Refused(422, f"at most {MOST_ROLES} roles and {MOST_ROLES} modules, and short ones")
    return Wanted(act, book, deciding.roles(places, role), tuple(module), edition, diff)


@router.get("/when", tags=["pages"], responses=PAGE_PROBLEMS, response_class=HTMLResponse)
@kept
async def shown(
    request: Request,
    act: Act = "",
    book: Book = "",
    into: Into = "",
    from_: From = "",
    at: At = "",
    target: Target = "",
    by: By = "",
    role: Role = None,
    module: Module = None,
    edition: Edition = "",
    diff: Diff = "",
) -> Response:
    """The decision table of an act as a page; without an act, the acts of which rules say whether they may be done."""
    do = request.app.state.work.do
    places = (("into", into), ("from", from_), ("at", at), ("target", target), ("by", by))
    given = {"act": act, "book": book, "role": (role or [""])[0], "diff": diff, **dict(places)}
    more = {"given": given, "titles": await do(lookups.titles), "crumbs": [("When", "/when" if act else "")]}
    if not act.strip():
        return page(request, "when.html", acts=await do(deciding.decided_acts, book), found=None, faults=[], **more)
    more["crumbs"] = [("When", "/when"), (act, "")]
    try:
        roles = [word for word in role or [] if word.strip()]
        wanted = asked(act.strip(), book, places, roles, module or [], edition, diff)
        found = await do(deciding.decision_shown, wanted, limit=LIMIT)
    except LoopholeError as e:
        return page(request, "when.html", 422, acts=[], found=None, faults=[entry(q) for q in e.problems], **more)
    again = "/v1/when?" + urlencode([(k, v) for k, v in request.query_params.multi_items() if v])
    return page(request, "when.html", acts=[], found=found, again=again, faults=[], **more)
