"""The page to ask on: by tapping, or by editing the case. Every state of it is an address; it works without scripts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from api import jobs, tapping
from api.examples import CASE, PAGE_PROBLEMS
from api.html import page
from api.problems import entry
from api.reply import SVG, reply
from api.tapping import State
from kb.errors import LoopholeError

router = APIRouter(tags=["pages"], responses=PAGE_PROBLEMS)
MOST = 50_000  # characters of a case on a page: it stands in the address
LONGEST = 10.0  # seconds that a talk may take: a worker that has met its beginning goes on from there
FIRST, FEW, ALL = 9, 6, 200  # acts, and kinds of thing, of a book that are shown at first, and when all are
EXAMPLE = "".join(
    ["book: asl\nthings:\n"]
    + [f"  {name}: {json.dumps(facts)}\n".replace('"', "") for name, facts in CASE["things"].items()]
    + ["ask: {may: move}\n"]
)
Answer = Annotated[str, Query(max_length=400)]
Short = Annotated[str, Query(max_length=100)]


def state_of(
    book: Short = "", act: Short = "",
    asks: Annotated[str, Query(max_length=100, description="What is asked of the act: may, must, effects, a number, a kind.")] = "may",
    must: Annotated[bool, Query(description="The same as asks=must.")] = False,
    case: Annotated[str, Query(max_length=MOST, description="A case as YAML or JSON; the address is a lasting link to its answer.")] = "",
    a: Annotated[list[Answer] | None, Query(max_length=jobs.MOST_ANSWERS, description="The answers tapped so far.")] = None,
    past: Annotated[list[Annotated[str, Query(max_length=300)]] | None, Query(max_length=jobs.MOST_ANSWERS, description="Questions that are not put again.")] = None,
    reading: Annotated[list[Answer] | None, Query(max_length=20, description="Another reading, as dispute:option.")] = None,
    turn: bool = False, whole: bool = False,
) -> State:  # fmt: skip
    """The state that an address says."""
    case = case.replace("\r\n", "\n")
    answers, readings = tuple(a or ()), tuple(r for r in reading or () if ":" in r)
    if case.strip():
        return State(case=case, answers=answers, past=tuple(past or ()), readings=readings, turn=turn)
    return State(book, act, "must" if must else asks, "", answers, (), readings, turn, whole)


Now = Annotated[State, Depends(state_of)]


def link(state: State, path: str = "/ask", **changes: Any) -> str:
    """The address of a state with some changes."""
    s = replace(state, **changes)
    rows: list[tuple[str, str]] = [("case", s.case)] if s.case else [("book", s.book), ("act", s.act)]
    rows += [("asks", s.asks)] if s.asks != "may" and not s.case else []
    rows += [("a", said) for said in s.answers] + [("past", said) for said in s.past]
    rows += [("reading", said) for said in s.readings]
    rows += [(name, "true") for name in ("turn", "whole") if getattr(s, name)]
    return f"{path}?{urlencode(rows)}"


def turned(view: tapping.View, case: str, reading: tuple[str, str] = ("", "")) -> str:
    """The address of the state in which a switch is turned."""
    if not case:
        dispute = f"{reading[0]}:"
        kept = tuple(r for r in view.state.readings if not r.startswith(dispute))
        return link(view.state, readings=(*kept, ":".join(reading)))
    past = (*view.state.past, *(question for question, _ in view.asked))[-30:]
    return link(State(case=case, past=tuple(dict.fromkeys(past)), readings=view.state.readings))


@router.get("/ask", response_class=HTMLResponse)
async def ask(request: Request, state: Now, view: Short = "", q: Short = "") -> Response:
    """Ask by tapping, or state a case and change it; its answer with the whole proof, what it assumes and what would turn it."""
    do = request.app.state.work.do
    if view == "yaml" and not (state.case or state.act):
        return page(request, "ask_yaml.html", case=EXAMPLE, faults=[], answered="", crumbs=[("Ask", "/ask")])
    if not (state.case or state.act):
        rows = await do(tapping.begun, state.book, q, ALL if state.book or q else FIRST)
        return page(
            request,
            "ask_begin.html",
            rows=rows,
            words=q,
            book=state.book,
            few=FEW,
            example=EXAMPLE,
            crumbs=[("Ask", "")],
        )
    try:
        shown = await do(tapping.seen, state, limit=LONGEST)
    except LoopholeError as e:
        if not state.case:
            raise
        faults = [entry(q) for q in e.problems]
        return page(
            request, "ask_yaml.html", 422, case=state.case, faults=faults, answered="", crumbs=[("Ask", "/ask")]
        )
    if isinstance(shown, tapping.Choice):
        crumbs = [("Ask", "/ask"), (shown.title, f"/ask?book={state.book}"), (shown.label, "")]
        return page(request, "ask_thing.html", choice=shown, link=link, fresh=State, crumbs=crumbs)
    crumbs = [("Ask", "/ask"), (shown.title_of_book, f"/ask?book={shown.book}")]
    if view == "yaml":
        return page(request, "ask_yaml.html", case=shown.case, faults=[], answered=link(state), crumbs=crumbs)
    return page(
        request, "ask.html", view=shown, state=shown.state, link=link, turned=turned, fresh=State, crumbs=crumbs
    )


@router.get("/ask/situation.svg", responses={200: {"content": {SVG: {"schema": {"type": "string"}}}}})
async def situation(request: Request, state: Now) -> Response:
    """The situation of a state, as a picture to keep."""
    if not (state.case or state.act):
        state = State(case=EXAMPLE)
    return reply(request, await request.app.state.work.do(tapping.drawn_alone, state, limit=LONGEST), SVG)


@router.get("/ask/proof.svg", responses={200: {"content": {SVG: {"schema": {"type": "string"}}}}})
async def chain(request: Request, state: Now) -> Response:
    """The chain of a state's answer as a tree, as a picture to keep."""
    if not (state.case or state.act):
        state = State(case=EXAMPLE)
    return reply(request, await request.app.state.work.do(tapping.chain_drawn, state, limit=LONGEST), SVG)


@router.get("/ask/words")
async def complete(request: Request, book: Short, start: Short) -> Response:
    """The words of a book that begin so, for whoever types a case."""
    return reply(request, await request.app.state.work.do(tapping.words, book, start))
