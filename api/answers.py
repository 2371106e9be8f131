"""Answers over the wire: ask, interview, test. The proof is the one that every other door shows."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from api import batches, jobs, renamed
from api.examples import CASE, CASE_EXPECTING, CASE_SCHEMA, PROBLEMS, TESTS_SCHEMA
from api.openapi import SCHEMAS
from api.reply import negotiate, reply
from kb.errors import CaseError, Problem, QueryError

router = APIRouter(prefix="/v1", tags=["answers"], responses=PROBLEMS)
Readings = Annotated[list[str] | None, Query(description="Another reading of an ambiguous rule, as dispute:option.")]
Chapters = Annotated[list[str] | None, Query(description="Only these chapters, and what they build on.")]
Without = Annotated[list[str] | None, Query(description="Errata to leave out.")]


def options_of(
    readings: list[str] | None, chapters: list[str] | None, edition: str, as_of: str, without: list[str] | None
) -> jobs.Options:
    """What is asked for besides the case, as asking.ask takes it. Raises QueryError (E680)."""
    found: dict[str, Any] = {}
    if readings:
        pairs = [item.partition(":") for item in readings]
        if any(not sep for _, sep, _ in pairs):
            raise QueryError(Problem(680, "a reading is given as dispute:option", hint="reading=DISPUTE:OPTION"))
        found["readings"] = frozenset((d.strip(), o.strip()) for d, _, o in pairs)
    if chapters:
        found["chapters"] = tuple(chapters)
    if edition:
        found["edition"] = edition
    if as_of:
        found["as_of"] = as_of
    if without:
        found["without"] = tuple(without)
    return tuple(sorted(found.items()))


async def text_of(request: Request) -> str:
    """The body as text. Raises CaseError (E402) for what is none."""
    try:
        return (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise CaseError(
            Problem(402, "these bytes are not text", hint="send a case as UTF-8 text: JSON or YAML")
        ) from None


def body(schema: dict[str, Any], example: Any) -> dict[str, Any]:
    """The description of a request body that is read as it comes: JSON or YAML."""
    forms = {"application/json": {"schema": schema, "example": example}, "application/yaml": {"schema": schema}}
    return {"requestBody": {"required": True, "content": forms}}


ASKED = {
    200: {
        "description": "The verdict and the whole proof",
        "content": {
            jobs.JSON: {
                "schema": {"$ref": SCHEMAS + "Answer"},
                "example": {"verdict": "forbidden", "sentence": "FORBIDDEN: squad may not move into pillbox (B30.42)"},
            },
            **{media: {"schema": {"type": "string"}} for media in jobs.ANSWERS[1:]},
        },
    }
}


@router.post("/ask", openapi_extra=body(CASE_SCHEMA, CASE), responses=ASKED)  # type: ignore[arg-type]
async def ask(
    request: Request, flips: bool = True, reading: Readings = None, chapter: Chapters = None,
    edition: str = "", as_of: str = "", without: Without = None,
) -> Response:  # fmt: skip
    """Answer a case: the verdict, why, what lost, what was assumed, what is missing, and what would flip it."""
    media = negotiate(request, jobs.ANSWERS)
    options = options_of(reading, chapter, edition, as_of, without)
    verdict, said, tag = await renamed.answered(request.app.state.work, await text_of(request), media, flips, options)
    request.app.state.metrics.verdicts.labels(verdict if not verdict[:1].isdigit() else "value").inc()
    return reply(request, said, media, tag, vary="accept")


ROWS = {
    200: {"description": "A line for each row, in order", "content": {batches.LINES: {"schema": {"type": "string"}}}}
}


@router.post("/ask/batch", openapi_extra=batches.BODY, responses=ROWS)  # type: ignore[arg-type]
async def ask_batch(
    request: Request, reading: Readings = None, chapter: Chapters = None,
    edition: str = "", as_of: str = "", without: Without = None,
) -> Response:  # fmt: skip
    """Answer many rows, one of JSON a line: cases, or facts over the shape that a first line gives."""
    options = options_of(reading, chapter, edition, as_of, without)
    return await batches.reply(request.app.state.work, request.app.state.settings, await text_of(request), options)


class Said(BaseModel):
    """A question in English, with its facts."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"text": "May a squad enter a pillbox if an enemy squad is outside?", "book": "asl"}]
        },
    )
    text: str = Field(min_length=1, max_length=2000, description="The question, then its facts in sentences.")
    book: str = Field(
        "", max_length=100, description="The book that it is about; without it, the one that has its words."
    )
    flips: bool = Field(True, description="Say what would turn the answer.")


@router.post("/ask/english")
async def ask_in_english(request: Request, said: Said) -> Response:
    """Read a question in English: the case it was understood as, what was not understood, and the proof where all was."""
    job = request.app.state.work.do(jobs.in_english, said.text, said.book, said.flips, turning=said.flips)
    return reply(request, await job)


class Talk(BaseModel):
    """An interview so far. The server keeps nothing: send the answers given each time."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"book": "asl", "act": "Move", "answers": []}]}
    )
    act: str = Field(min_length=1, max_length=100, description="A kind of act: Move, fire …")
    book: str = Field(min_length=1, max_length=100)
    must: bool = Field(False, description="Ask whether it has to be done, not whether it may be.")
    asks: str = Field(
        "may", max_length=100, description="What is asked: may, must, effects, the name of a number or of a kind."
    )
    answers: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=jobs.MOST_ANSWERS)


@router.post("/interview")
async def interview(request: Request, talk: Talk) -> Response:
    """The next question that still matters, and why it is asked; or, when there is none, the answer and the case."""
    asks = "must" if talk.must else talk.asks
    job = request.app.state.work.do(jobs.interview, talk.act, talk.book, asks, tuple(talk.answers), limit=10)
    return reply(request, await job)


@router.post("/test", openapi_extra=body(TESTS_SCHEMA, [CASE_EXPECTING]))
async def test(request: Request) -> Response:
    """Ask each of some cases and compare the answer with what it expects."""
    return reply(request, await request.app.state.work.do(jobs.test, await text_of(request), limit=10))


class Across(BaseModel):
    """A question for every game."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"question": "may a mortar fire from inside a bunker?"}]}
    )
    question: str = Field(
        min_length=1, max_length=300, description="In words, or the name of one (GET /v1/compare lists them)."
    )
    books: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=20)


@router.get("/compare")
async def comparisons(request: Request) -> Response:
    """The questions across games that have names."""
    return reply(request, await request.app.state.work.do(jobs.comparisons))


@router.post("/compare")
async def compare(request: Request, across: Across) -> Response:
    """Put one question to every game, on the notions that they share: the answers side by side, each with its rules."""
    job = request.app.state.work.do(jobs.compared, across.question, tuple(across.books), limit=10)
    return reply(request, await job)
