"""When may it be done: the decision table of an act over the wire, and as a page that needs no script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
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
        description="Only where other rules say otherwise: reading=DISPUTE:OPTION, edition=ID, chapters=B30, without=ERRATUM; "
        "book=ID has the table of that book beside it.",
    ),
]
ANSWERED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The table, or the difference",
        "content": {deciding.JSON: {"schema": {"type": "object"}}}
        | {media: {"schema": {"type": "string"}} for media in deciding.TABLES[1:]},
    }
}


@dataclass(frozen=True, slots=True)
class Told:
    """What an act is told with in an address, and of which rules it is asked. places: by a word of deciding.PLACES."""

    book: str
    places: tuple[tuple[str, str], ...]
    roles: tuple[str, ...]
    modules: tuple[str, ...]
    edition: str
    diff: str

    def wanted(self, act: str) -> Wanted:
        """The table that is wanted. Raises Refused(422) for too much of it, QueryError (E693) for a role that is none."""
        said = (*self.roles, *self.modules)
        if max(len(self.roles), len(self.modules)) > MOST_ROLES or any(len(word) > 100 for word in said):
            raise Refused(422, f"at most {MOST_ROLES} roles and {MOST_ROLES} modules, and short ones")
        roles = deciding.roles(self.places, self.roles)
        return Wanted(act, self.book, roles, self.modules, self.edition, self.diff)


def told(
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
) -> Told:
    """What both addresses take besides the act."""
    places = (("into", into), ("from", from_), ("at", at), ("target", target), ("by", by))
    return Told(book, places, tuple(word for word in role or () if word.strip()), tuple(module or ()), edition, diff)


@router.get("/v1/when", tags=["answers"], responses={**PROBLEMS, **ANSWERED})
async def when(request: Request, act: Act, told: Annotated[Told, Depends(told)]) -> Response:
    """When an act may be done and when not: the shortest list of conditions that is equal to the rules over a stated shape, with cites."""
    wanted = told.wanted(act)
    media = negotiate(request, deciding.DIFFERENCES if told.diff else deciding.TABLES)
    return reply(request, await request.app.state.work.do(deciding.decision_table, wanted, media, limit=LIMIT), media)


@router.get("/when", tags=["pages"], responses=PAGE_PROBLEMS, response_class=HTMLResponse)
@kept
async def shown(request: Request, told: Annotated[Told, Depends(told)], act: Act = "") -> Response:
    """The decision table of an act as a page; without an act, the acts of which rules say whether they may be done."""
    do = request.app.state.work.do
    role = told.roles[0] if told.roles else ""
    given = {"act": act, "book": told.book, "role": role, "diff": told.diff, **dict(told.places)}
    more = {"given": given, "titles": await do(lookups.titles), "crumbs": [("When", "/when" if act else "")]}
    if not act.strip():
        acts = await do(deciding.decided_acts, told.book)
        return page(request, "when.html", acts=acts, tables=[], faults=[], **more)
    more["crumbs"] = [("When", "/when"), (act, "")]
    try:
        tables = await do(deciding.decision_shown, told.wanted(act.strip()), limit=LIMIT)
    except LoopholeError as e:
        return page(request, "when.html", 422, acts=[], tables=[], faults=[entry(q) for q in e.problems], **more)
    again = "/v1/when?" + urlencode([(k, v) for k, v in request.query_params.multi_items() if v])
    return page(request, "when.html", acts=[], tables=tables, again=again, faults=[], **more)
