"""`loophole mcp`: the tools for an assistant, by the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from api import screen
from api.terminal import refuse


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(mcp)


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Over streamable HTTP, not over stdio.")] = False,
    host: Annotated[str, typer.Option(help="--http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="--http: the port; 0 for a free one.")] = 8001,
) -> None:
    """Serve an assistant: find words, check and ask cases, look up rules (docs/mcp.md)."""
    import asyncio

    from api.mcp_server import PLACE, Assistants, local
    from api.settings import from_environment, number

    try:
        settings = from_environment()
    except ValueError as e:
        refuse(674, str(e), "docs/api.md lists the settings")
    screen.waiting.stop()
    if not http:
        asyncio.run(local(settings, number()).stdio())
        return
    from api.cli_serve import run

    run(lambda: Assistants(settings, False, number()).http(host), host, port, PLACE)
