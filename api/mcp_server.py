"""The server of `loophole mcp`: tools and resources for assistants by the Model Context Protocol, over stdio or streamable HTTP.

What a tool says is plain text; what goes wrong is told by number, place and what to do, as an error that a model can mend. Nothing
is kept between calls.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from starlette.types import ASGIApp

from api import mcp_authoring, mcp_jobs, mcp_tools
from api.guard import Guard
from api.observe import Metrics, Observe
from api.problems import Refused
from api.settings import Settings
from api.work import Work
from kb.errors import LoopholeError, Problem, QueryError

log = logging.getLogger("loophole.mcp")
Context = ServerRequestContext[Any, Any]
TEXT, MARKDOWN = "text/plain", "text/markdown"
PLACE = "/mcp"
PATIENT = 20.0  # seconds for a question of whoever started the server for himself
INSTRUCTIONS = (
    "Loophole answers rules questions of tabletop wargames (books: asl, vv, fow) with a proof. You state the situation as a case in "
    "the book's words; it answers. Read the guide once (tool guide), then: find_words, state_case, mend what it says, ask. Cite the "
    "rules it cites; when it says NOT RULED HERE or names what is MISSING, say so or ask the player. Do not answer from memory."
)


class Assistants:
    """A server for assistants. local: whoever speaks to it started it, and may write books of his own without a token."""

    def __init__(self, settings: Settings, local: bool, version: str = ""):
        self.settings, self.local = settings, local
        self.work = Work(settings)
        self.guard = Guard(nowhere, settings)
        self.server: Server[Any] = Server(
            "loophole", version=version, title="Loophole", instructions=INSTRUCTIONS,
            on_list_tools=self.tools, on_call_tool=self.call, on_list_resources=self.resources,
            on_list_resource_templates=self.templates, on_read_resource=self.read,
        )  # fmt: skip

    # ── tools ──

    async def tools(self, context: Context, params: Any) -> types.ListToolsResult:
        """Those there are; those that write only where somebody may use them."""
        return types.ListToolsResult(tools=[described(t) for t in mcp_tools.TOOLS if self.offers(t)])

    def offers(self, tool: mcp_tools.Tool) -> bool:
        """Whether anybody may use a tool here."""
        return self.local or not tool.writes or bool(self.settings.token)

    async def call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool says, or what is wrong with what it was given."""
        try:
            tool = mcp_tools.find(params.name)
            if tool.writes and not self.may_write(context):
                hint = "start loophole mcp yourself (stdio), or send the server's token as Authorization: Bearer …"
                raise QueryError(Problem(618, "files are written here only locally or with the token", hint=hint))
            given = tool.given(params.arguments or {})
            return said(await self.done(tool, given))
        except LoopholeError as e:
            return said(mcp_tools.mendable(e), wrong=True)
        except Refused as e:
            return said(e.detail, wrong=True)
        except Exception:
            log.exception("tool %r failed", params.name)
            return said("this should not have happened; the server's log tells more", wrong=True)

    async def done(self, tool: mcp_tools.Tool, given: dict[str, Any]) -> str:
        """What a tool's work comes to; after a book was changed the workers read all books anew."""
        if not tool.writes:
            done = self.work.do(*tool.call(given), limit=tool.seconds, keep=False, turning=tool.turning)
            return str(await done)
        written = ""
        if tool.name == "check" and mcp_authoring.own(given["book"]):
            written = await self.work.do(mcp_authoring.build, given["book"], limit=tool.seconds, keep=False)
            self.again()
        found = str(await self.work.do(*tool.call(given), limit=tool.seconds, keep=False))
        if tool.name != "check":
            self.again()
        return f"{written}\n{found}".strip()

    def again(self) -> None:
        """Starts the workers anew."""
        self.work.stop()
        self.work.start()

    def may_write(self, context: Context) -> bool:
        """Whether a request may change anything: it comes from whoever started the server, or bears the token."""
        return self.local or (context.request is not None and self.guard.allowed(context.request.headers))

    # ── resources ──

    async def resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        """The pages of the guide."""
        rows = [
            types.Resource(name=name, uri=f"loophole://guide/{name}", description=about, mime_type=MARKDOWN)
            for name, about in mcp_jobs.PAGES.items()
        ]
        return types.ListResourcesResult(resources=rows)

    async def templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:
        """How a rule is addressed."""
        rule = types.ResourceTemplate(
            name="rule", uri_template="loophole://rule/{book}/{number}", description="a rule of a book", mime_type=TEXT
        )
        return types.ListResourceTemplatesResult(resource_templates=[rule])

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """A page of the guide, or a rule. Raises MCPError with the numbered problems."""
        from mcp.shared.exceptions import MCPError

        kind, _, rest = str(params.uri).removeprefix("loophole://").partition("/")
        try:
            if kind == "guide":
                text, media = mcp_jobs.guide(rest), MARKDOWN
            elif kind == "rule" and "/" in rest:
                book, _, number = rest.partition("/")
                text, media = str(await self.work.do(mcp_jobs.rule, number, book, True, keep=False)), TEXT
            else:
                hint = "loophole://guide/PAGE or loophole://rule/BOOK/NUMBER"
                raise QueryError(Problem(619, f"there is no resource {params.uri}", hint=hint))
        except LoopholeError as e:
            raise MCPError(code=types.INVALID_PARAMS, message=str(e)) from None
        except Refused as e:
            raise MCPError(code=types.INTERNAL_ERROR, message=e.detail) from None
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, text=text, mime_type=media)]
        )

    # ── how it is spoken to ──

    async def stdio(self) -> None:
        """Serves whoever started the process, until he hangs up."""
        async with stdio_server() as (read, write):  # workers are started inside: what they print must miss the wire
            self.work.start()
            try:
                await self.server.run(read, write, self.server.create_initialization_options())
            finally:
                self.work.stop()

    def http(self, host: str) -> ASGIApp:
        """The app for streamable HTTP; nothing is kept between requests, and each is answered in one piece."""
        app = self.server.streamable_http_app(
            streamable_http_path=PLACE, json_response=True, stateless_http=True, host=host,
            max_request_body_size=self.settings.body,
        )  # fmt: skip
        sessions = app.router.lifespan_context

        @asynccontextmanager
        async def life(app_: Any) -> AsyncIterator[Any]:
            self.work.start()
            try:
                async with sessions(app_) as state:
                    yield state
            finally:
                self.work.stop()

        app.router.lifespan_context = life
        return Observe(Guard(app, self.settings), Metrics())


async def nowhere(*_: Any) -> None:
    """An app that is never called: the guard is asked about tokens alone."""


def local(settings: Settings, version: str) -> Assistants:
    """A server for whoever starts it: one worker, and more patience."""
    return Assistants(replace(settings, workers=1, time_limit=max(settings.time_limit, PATIENT)), True, version)


def described(tool: mcp_tools.Tool) -> types.Tool:
    """A tool as the protocol tells of it."""
    return types.Tool(name=tool.name, description=tool.about, input_schema=tool.schema())


def said(text: str, wrong: bool = False) -> types.CallToolResult:
    """A result in one text."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=wrong)
