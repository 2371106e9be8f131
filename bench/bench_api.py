"""The API under load, in one run with one generator: python bench/bench_api.py [SECONDS] [--mixed SECONDS]

    a FastAPI route that only validates and echoes the case, served by uvicorn with the same settings
    POST /v1/ask with full proof, the same case each time: at least half the echo's requests a second
    the same with a case of its own each time, by other names or with other facts, so that nothing is answered from memory (no bound)
    50 clients mixed: ask, rules, terms, search, SPARQL, pages; not one wrong status

The generator is raw HTTP/1.1 with keep-alive in this process; each server has one of its own. Exit code 1 when a bound is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from fastapi import FastAPI  # noqa: E402
from pydantic import BaseModel  # noqa: E402

from api.examples import CASE  # noqa: E402

BOUND = 0.5
CLIENTS = 8
SERVERS: list[int] = []  # the process ids of those begun
OURS = ["-m", "api.cli", "serve", "--port"]
ECHO = ["-m", "bench.bench_api", "--echo"]
SPARQL = "query=SELECT%20%3Fs%20WHERE%20%7B%3Fs%20a%20%3Chttp%3A%2F%2Fwww.w3.org%2F2002%2F07%2Fowl%23Class%3E%7D%20LIMIT%2010"


class Case(BaseModel):
    book: str
    things: dict[str, dict[str, Any]]
    ask: dict[str, Any]


echo = FastAPI()


@echo.post("/echo")
async def echoed(case: Case) -> Case:
    return case


@echo.get("/ready")
async def ready() -> str:
    return "ok"


def request(path: str, body: bytes = b"") -> bytes:
    """One request as it goes over the wire: POST where there is a body."""
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n"
    if body:
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def same(path: str) -> Callable[[int], bytes]:
    whole = request(path, json.dumps(CASE).encode())
    return lambda n: whole


def varied(path: str) -> Callable[[int], bytes]:
    """A case of its own each time: the squad goes by another name."""
    text = json.dumps(CASE)
    return lambda n: request(path, text.replace('"squad"', f'"squad{n}"').encode())


def told_otherwise(path: str) -> Callable[[int], bytes]:
    """A case of other facts each time: who moves, what bars the way, and the pillbox."""
    movers, foes = ("Squad", "HalfSquad", "Crew", "Leader"), ("Squad", "Crew", "Leader", "MMC")

    def asked(n: int) -> bytes:
        things = {name: dict(facts) for name, facts in CASE["things"].items()}
        things["squad"]["is"] = [movers[n % 4], "Friendly"]
        things["foe"]["is"] = [foes[n // 4 % 4], "Enemy"]
        box = {"capacity": n // 16 % 25 + 1, "caModification": n // 400 % 9 + 1, "ncaModification": n // 3600 % 9 + 1}
        things["pillbox"].update(box)
        return request(path, json.dumps({**CASE, "things": things}).encode())

    return asked


def mixed() -> Callable[[int], bytes]:
    """Of ten requests: three cases asked (one of them new, with facts of its own), and everything else that people look at."""
    fresh, case = told_otherwise("/v1/ask?flips=false"), json.dumps(CASE).encode()
    paths = ["/v1/rules?book=asl", "/v1/terms?book=asl", "/v1/search?q=pillbox", f"/v1/sparql?{SPARQL}"]
    paths += ["/id/rule/asl/B30.42", "/", "/ask"]
    others = [request("/v1/ask", case), request("/v1/ask", case), *map(request, paths)]
    return lambda n: fresh(n) if n % 10 == 9 else others[n % 10]


@dataclass
class Load:
    """What a load came to. took: seconds of each request; statuses: how often each came; broken: connections lost; by_kind: of
    those answered, the seconds by what was asked."""

    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0
    bytes: int = 0
    by_kind: dict[str, list[float]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.statuses[200] / self.seconds

    @property
    def wrong(self) -> int:
        return self.broken + sum(n for status, n in self.statuses.items() if status != 200)

    def at(self, share: float) -> float:
        """Milliseconds within which that share of the requests was answered."""
        ordered = sorted(self.took)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def __str__(self) -> str:
        found = f"{self.rate:8.1f}/s  p50 {self.at(0.5):.1f} ms  p99 {self.at(0.99):.1f} ms  wrong {self.wrong}"
        return f"{found}  of {sum(self.statuses.values())}, {dict(self.statuses)}"


async def load(
    port: int, asked: Callable[[int], bytes], seconds: float, clients: int = CLIENTS, apart: bool = False,
    kind: Callable[[int], str] | None = None,
) -> Load:  # fmt: skip
    """What comes of so many clients asking for so many seconds. apart: each comes from an address of its own; kind: what a number asks."""
    found, numbers = Load(), itertools.count()
    start = time.perf_counter()

    async def client(number: int) -> None:
        here = (f"127.0.1.{number + 1}", 0) if apart else None
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22, local_addr=here)
        while time.perf_counter() - start < seconds:
            n, began = next(numbers), time.perf_counter()
            try:
                writer.write(asked(n))
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                size = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
                found.bytes += len(await reader.readexactly(size))
            except (OSError, ValueError, asyncio.IncompleteReadError):
                found.broken += 1
                writer.close()
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22, local_addr=here)
                continue
            found.statuses[int(head[9:12])] += 1
            found.took.append(time.perf_counter() - began)
            if kind is not None and int(head[9:12]) == 200:
                found.by_kind.setdefault(kind(n), []).append(found.took[-1])
        writer.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    found.seconds = time.perf_counter() - start
    return found


@contextmanager
def serving(command: list[str]) -> Iterator[int]:
    """The port of a server that is ready. Raises RuntimeError when it is not within a minute."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = int(s.getsockname()[1])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, *command, str(port)], cwd=ROOT, env={**os.environ}, **quiet) as process:
        SERVERS.append(process.pid)
        try:
            until = time.monotonic() + 60
            while not listening(port):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"no server: {' '.join(command)}")
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def listening(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as s:
            s.sendall(request("/ready"))
            return b" 200 " in s.recv(100)
    except OSError:
        return False


def run(seconds: float, mixed_seconds: float, warm: float = 1.0) -> dict[str, Load]:
    """Every part by name. The echo is taken before and after ours, so that other work on the machine is seen."""
    found = {}

    def take(name: str, port: int, asked: Callable[[int], bytes], length: float, clients: int = CLIENTS) -> None:
        found[name] = asyncio.run(load(port, asked, length, clients))

    with serving(ECHO) as echo_port, serving(OURS) as port:
        take("warm", echo_port, same("/echo"), warm)
        take("warm", port, same("/v1/ask"), warm)
        take("warm", port, request_search, warm, 1)
        del found["warm"]
        take("echo", echo_port, same("/echo"), seconds)
        take("ask, same", port, same("/v1/ask"), seconds)
        take("echo again", echo_port, same("/echo"), seconds)
        take("ask, new, without flips", port, varied("/v1/ask?flips=false"), seconds)
        take("ask, new, with flips", port, varied("/v1/ask"), seconds)
        take("ask, told otherwise", port, told_otherwise("/v1/ask?flips=false"), seconds)
        take("ask, told otherwise, flips", port, told_otherwise("/v1/ask"), seconds)
        take("mixed", port, mixed(), mixed_seconds, 50)
    return found


def request_search(n: int) -> bytes:
    return request("/v1/search?q=pillbox") if n % 2 else request(f"/v1/sparql?{SPARQL}")


def verdicts(found: dict[str, Load]) -> list[tuple[bool, str]]:
    """(held, sentence) for each bound."""
    ratio = found["ask, same"].rate / max(found["echo"].rate, found["echo again"].rate)
    wrong = {name: one.wrong for name, one in found.items() if one.wrong or not one.statuses}
    return [
        (ratio >= BOUND, f"ask serves {ratio:.2f} of the echo's requests a second; bound {BOUND}"),
        (not wrong, f"wrong or no answers: {wrong or 'none'}"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=10.0)
    parser.add_argument("--mixed", type=float, default=60.0)
    parser.add_argument("--echo", type=int, default=0, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.echo:
        import uvicorn

        uvicorn.run(echo, port=told.echo, access_log=False, timeout_keep_alive=20, limit_concurrency=500)
        return 0
    found = run(told.seconds, told.mixed)
    for name, one in found.items():
        print(f"{name:26}{one}")
    bounds = verdicts(found)
    for held, sentence in bounds:
        print(f"{'held  ' if held else 'BROKEN'}  {sentence}")
    return 0 if all(held for held, _ in bounds) else 1


if __name__ == "__main__":
    sys.exit(main())
