"""Real sessions of the SDK's own client with `loophole mcp`: over stdio, and over HTTP on loopback and a free port."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.served import end, free_port, up

ROOT = Path(__file__).parent.parent
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Said:
    """What a call came to. seconds: how long it took, there and back."""

    text: str
    wrong: bool
    seconds: float


@dataclass(frozen=True)
class Talk:
    """A session: the tools as listed, what each call came to, and each resource read."""

    tools: list[dict[str, Any]]
    said: list[Said]
    read: list[str]


async def talk(client: Client, calls: Sequence[Call], reads: Sequence[str]) -> Talk:
    async with client as c:
        listed = await c.list_tools()
        said = []
        for name, given in calls:
            start = time.perf_counter()
            result = await c.call_tool(name, given)
            (content,) = result.content
            said.append(Said(content.text, bool(result.is_error), time.perf_counter() - start))
        read = [(await c.read_resource(uri)).contents[0].text for uri in reads]
        return Talk([t.model_dump(by_alias=True, exclude_none=True) for t in listed.tools], said, read)


def by_stdio(calls: Sequence[Call] = (), reads: Sequence[str] = (), **env: str) -> Talk:
    """A session with a server of its own, which ends with it."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "api.cli", "mcp"], env={**os.environ, **env}, cwd=str(ROOT)
    )
    return asyncio.run(talk(Client(command), calls, reads))


@contextmanager
def serving_http(**env: str) -> Iterator[str]:
    """The address of a server that listens, for as long as it is needed."""
    port = free_port()
    command = [sys.executable, "-m", "api.cli", "mcp", "--http", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            up(f"http://127.0.0.1:{port}/", process)  # not /mcp, where a GET opens a stream that stays open
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            end(process)


def by_http(address: str, calls: Sequence[Call] = (), reads: Sequence[str] = (), token: str = "") -> Talk:
    """A session with a server that listens there."""

    async def session() -> Talk:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            return await talk(Client(streamable_http_client(address, http_client=http)), calls, reads)

    return asyncio.run(session())
