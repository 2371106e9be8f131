"""Rules, terms and the state of the books over the wire."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from api import jobs
from api.examples import PROBLEMS
from api.reply import reply

router = APIRouter(prefix="/v1", tags=["books"], responses=PROBLEMS)
Book = Annotated[str, Query(max_length=100, description="Only this book; every book when left out.")]


@router.get("/books")
async def books(request: Request) -> Response:
    """The books, their chapters, and how many rules and norms each has."""
    return reply(request, await request.app.state.work.do(jobs.books))


@router.get("/rules")
async def rules(request: Request, book: Book = "") -> Response:
    """Every rule's number and title."""
    return reply(request, await request.app.state.work.do(jobs.rules, book))


@router.get("/rules/{number}")
async def rule(
    request: Request,
    number: Annotated[str, Path(max_length=100, description="As people write it: B30.42, 30.42, b3042.")],
    book: Book = "",
) -> Response:
    """A rule: our paraphrase, its norms and exceptions, what it refers to and what refers to it."""
    return reply(request, await request.app.state.work.do(jobs.rule, number, book))


@router.get("/terms")
async def terms(
    request: Request,
    word: Annotated[str, Query(max_length=100, description="A name, label, abbreviation, or a part of one.")] = "",
    book: Book = "",
) -> Response:
    """The words that a case may use."""
    return reply(request, await request.app.state.work.do(jobs.terms, word, book))


@router.get("/schema/case")
async def case_schema(request: Request) -> Response:
    """The JSON Schema of the case format, with every word that a book knows."""
    return reply(request, await request.app.state.work.do(jobs.case_schema, limit=10))


@router.get("/coverage")
async def coverage(request: Request, book: Book = "") -> Response:
    """How much of each book is encoded, section by section."""
    return reply(request, await request.app.state.work.do(jobs.coverage, book, limit=30))


@router.get("/check")
async def check(request: Request) -> Response:
    """Whether every book reads and links, and what is built from the ontology is current."""
    return reply(request, await request.app.state.work.do(jobs.check, limit=60))
