"""The server while some would hold it up: python bench/hostile.py [SECONDS] [--tree CHECKOUT] [PART …]

    tokens    a query of 60,000 signs that a careless reader takes the square of its length for
    products  twenty clients ask for products of everything with everything; how long an honest query takes meanwhile
    mixed     fifty clients ask cases, rules, terms, search, SPARQL, pages: the asks' p99, and what was refused
    memory    cases of 200 KB each, none twice: what the server takes before and after

--tree names another checkout, to measure that one. No bound is held here (tests/test_api_held.py has those): docs/reliability.md has the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from api.examples import CASE  # noqa: E402
from bench import bench_api as b  # noqa: E402

PRODUCT = "SELECT (COUNT(*) AS ?n{0}) {{ ?a ?b ?c{0} . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }}"
HONEST = f"/v1/sparql?{b.SPARQL}"


def sparql(query: str) -> bytes:
    return b.request(f"/v1/sparql?query={quote(query)}")


async def products(port: int, seconds: float) -> str:
    numbers = itertools.count()
    hostile = asyncio.create_task(
        b.load(port, lambda n: sparql(PRODUCT.format(next(numbers))), seconds, 20, apart=True)
    )
    await asyncio.sleep(0.5)
    honest = await b.load(port, lambda n: b.request(HONEST), seconds - 1, 1)
    return f"honest {honest}  longest {max(honest.took, default=0):.1f} s\n{'':12}hostile {await hostile}"


async def mixed(port: int, seconds: float) -> str:
    fresh, case = b.varied("/v1/ask?flips=false"), json.dumps(CASE).encode()
    turned = b.varied("/v1/ask")
    others = b.mixed()
    asks, rest = await asyncio.gather(
        b.load(port, lambda n: (b.request("/v1/ask", case), fresh(n), turned(n + 100_000))[min(n % 10, 2)] if n % 10 < 3 else b.request("/v1/ask", case), seconds, 15),
        b.load(port, others, seconds, 35),
    )  # fmt: skip
    return f"asks {asks}\n{'':12}rest {rest}"


def memory(port: int, pid: int) -> str:
    before = resident(pid)
    pad = "#" + "x" * 200_000 + "\n"

    def large(n: int) -> bytes:
        text = f"{pad}# {n}\n" + json.dumps(CASE)
        head = f"POST /v1/ask?flips=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/yaml\r\ncontent-length: {len(text)}\r\n\r\n"
        return (head + text).encode()

    found = asyncio.run(b.load(port, large, 15, 4))
    return f"{found.statuses[200]} answers; {before} MB before, {resident(pid)} MB after"


def resident(pid: int) -> int:
    """Megabytes that a process holds; 0 where the system does not tell."""
    try:
        rows = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) // 1000 for row in rows if row.startswith("VmRSS")), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=20.0)
    parser.add_argument("parts", nargs="*", default=["tokens", "products", "mixed", "memory"])
    parser.add_argument("--tree", type=Path, default=ROOT)
    told = parser.parse_args()
    b.ROOT = told.tree
    os.environ["PYTHONPATH"] = str(told.tree)
    for part in told.parts:
        with b.serving(b.OURS) as port:
            asyncio.run(b.load(port, b.request_search, 1, 1))
            if part == "tokens":
                begun = time.perf_counter()
                asyncio.run(b.load(port, lambda n: sparql("SELECT * { " + "a." * 24_000), 0.1, 6))
                said = f"six of them: {time.perf_counter() - begun:.1f} s"
            elif part == "memory":
                said = memory(port, b.SERVERS[-1])
            else:
                said = asyncio.run({"products": products, "mixed": mixed}[part](port, told.seconds))
        print(f"{part:12}{said}", flush=True)


if __name__ == "__main__":
    main()
