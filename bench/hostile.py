"""The server while some would hold it up: python bench/hostile.py [SECONDS] [--tree CHECKOUT] [PART …]

    tokens    a query of 60,000 signs that a careless reader takes the square of its length for
    products  twenty clients ask for products of everything with everything; how long an honest query takes meanwhile
    turns     the same fifty at two workers that only wait as long as the work takes on a quiet machine: who waits how long, first come first
              served and by turns (api.turns); and what an honest client waits beside twenty that ask for flips alone
    mixed     fifty clients ask cases, rules, terms, search, SPARQL, pages: the asks' p99, and what was refused
    worker    thousands of different cases answered by one worker, with and without flips: what it holds after each thousand
    memory    cases of 200 KB each, none twice: what the server takes before and after
    hour      two requests a second, of different cases, rules, terms, search, pages and SPARQL (SECONDS 3600 for an hour): what the server and its
              workers take, told twelve times

--tree names another checkout, to measure that one. No bound is held here (tests/test_api_held.py has those): docs/reliability.md has the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from api.examples import CASE  # noqa: E402
from api.problems import Refused  # noqa: E402
from api.settings import Settings  # noqa: E402
from api.turns import Lane, Shares  # noqa: E402
from api.work import BARE, HURRIED  # noqa: E402
from bench import bench_api as b  # noqa: E402
from tests import corpus  # noqa: E402

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


KINDS = ("a known answer", "a new one, no flips", "a new one, flips")
OTHERS = (
    "a known answer",
    "a known answer",
    "rules",
    "terms",
    "search",
    "SPARQL",
    "a rule",
    "a page",
    "a page",
    "a new one, no flips",
)


async def mixed(port: int, seconds: float) -> str:
    """The asks, the rest, by kind; and what took the processors meanwhile, the clients of this process among it."""
    fresh, case = b.told_otherwise("/v1/ask?flips=false"), json.dumps(CASE).encode()
    turned = b.told_otherwise("/v1/ask")
    others = b.mixed()
    known = b.request("/v1/ask", case)
    begun, before, idle = time.monotonic(), spent(b.SERVERS[-1]), unused()
    asks, rest = await asyncio.gather(
        b.load(port, lambda n: (known, fresh(n), turned(n + 100_000))[min(n % 10, 2)] if n % 10 < 3 else known, seconds, 15,
               kind=lambda n: KINDS[n % 10 if n % 10 < 3 else 0]),
        b.load(port, others, seconds, 35, kind=lambda n: OTHERS[n % 10]),
    )  # fmt: skip
    gone, after = time.monotonic() - begun, spent(b.SERVERS[-1])
    shares = {who: (after[who] - before[who]) / gone for who in after}
    shares["others on the machine"] = (os.cpu_count() or 1) - sum(shares.values()) - (unused() - idle) / gone
    every = b.Load(asks.seconds, statuses=asks.statuses + rest.statuses)
    for one in (asks, rest):
        for kind, took in one.by_kind.items():
            every.by_kind.setdefault(kind, []).extend(took)
    wholly = b.Load(asks.seconds, [t for kind in KINDS for t in every.by_kind.get(kind, [])])
    rows = [f"asks {asks}", f"rest {rest}", f"all {every.rate:.1f}/s, asks among them p99 {wholly.at(0.99):.0f} ms"]
    for kind, took in sorted(every.by_kind.items()):
        one = b.Load(1.0, took)
        rows.append(
            f"{kind:20} {len(took):6} answered, p50 {one.at(0.5):6.0f} ms, p99 {one.at(0.99):6.0f} ms, longest {one.at(1):6.0f} ms"
        )
    rows.append("processors: " + ", ".join(f"{who} {share:.2f}" for who, share in shares.items()))
    return f"\n{'':12}".join(rows)


def spent(pid: int) -> dict[str, float]:
    """Seconds of processor time so far: of this process (the clients), and of a server, its workers, and those for queries."""
    found = {
        "clients": time.process_time(),
        "server": seconds_of(pid)[0],
        "workers": 0.0,
        "queries": seconds_of(pid)[1],
    }
    for child in family(pid)[1:]:
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            found["queries" if b"triplestore.worker" in command else "workers"] += sum(seconds_of(child))
    return found


def seconds_of(pid: int) -> tuple[float, float]:
    """Seconds of processor time of a process, and of those it began that have ended."""
    row = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, ended, tick = sum(map(int, row[11:13])), sum(map(int, row[13:15])), os.sysconf("SC_CLK_TCK")
    return own / tick, ended / tick


def unused() -> float:
    """Seconds of all processors together in which there was nothing to do."""
    return sum(map(int, Path("/proc/stat").read_text().split()[4:6])) / os.sysconf("SC_CLK_TCK")


# CPU time of what workers do, in seconds, measured on 27 November 2026 (plain; the example of README; two case files with heavy flips, of the 23rd): by
# name, with all flips, with 2,000 goals for them, with none; and how many there are of a hundred.
JOBS = {
    "ask, known": (0.0, 0.0, 0.0, 57), "ask, new": (0.022, 0.022, 0.022, 12), "ask, flips": (0.33, 0.092, 0.029, 6),
    "heavy flips": (1.3, 0.5, 0.25, 1), "page or term": (0.002, 0.002, 0.002, 14), "search": (0.005, 0.005, 0.005, 10),
}  # fmt: skip


async def simulated(seconds: float, clients: int, by_turns: bool, hostile: int = 0) -> dict[str, list[float]]:
    """Seconds that each kind of job took, of clients that ask one thing after the other; inf for what was refused. hostile: so many more
    ask for heavy flips alone, and what they took is not told."""
    from api.turns import CLIENT
    from api.work import Work

    work = Work(Settings(patience=2.0 if by_turns else 1e6))
    if not by_turns:
        work.turns = Lane(2, Shares())
        work.turns.shares.of = lambda client: 0.0  # type: ignore[method-assign]
    work.pool = object()  # type: ignore[assignment]

    async def asked(job: Any, args: Any, limit: float, effort: int, kind: str) -> str:
        took = JOBS[args[0]][{HURRIED: 1, BARE: 2}.get(effort, 0) if by_turns else 0]
        await asyncio.sleep(took)
        if by_turns:
            before = work.takes.get(kind, took)
            work.takes[kind] = before + 0.2 * (took - before)
        return ""

    work.asked = asked  # type: ignore[method-assign]
    found: dict[str, list[float]] = {name: [] for name in JOBS}
    dice, until = random.Random(21), time.perf_counter() + seconds
    names, shares = [*JOBS], [row[-1] for row in JOBS.values()]

    async def client(number: int, only: str = "") -> None:
        CLIENT.set(str(number))
        while time.perf_counter() < until:
            name = only or dice.choices(names, shares)[0]
            begun = time.perf_counter()
            if name == "ask, known":
                await asyncio.sleep(0.003)
            else:
                try:
                    await work.do(
                        jobs_of(name), name, keep=False, turning="flips" in name
                    )  # nobody knows beforehand which are heavy
                except Refused as e:
                    if not only:
                        found[name].append(float("inf"))
                    await asyncio.sleep(float(e.headers["Retry_After"]))
                    continue
            if not only:
                found[name].append(time.perf_counter() - begun)

    await asyncio.gather(*(client(n) for n in range(clients)), *(client(-n - 1, "heavy flips") for n in range(hostile)))
    return found


def jobs_of(name: str) -> Any:
    """A job of that name: what a kind of question takes is remembered by it."""

    def job() -> None:
        """Is not run."""

    job.__name__ = name.replace("heavy", "ask,")
    return job


def turns(seconds: float) -> str:
    """Who waits how long, first come first served and by turns."""
    rows = []
    for what, clients, hostile in (("fifty mixed", 50, 0), ("one beside twenty", 1, 20)):
        for how, by_turns in (("first come", False), ("by turns", True)):
            found = asyncio.run(simulated(seconds, clients, by_turns, hostile))
            several = {
                **found,
                "all asks": [s for name in found if name.startswith(("ask", "heavy")) for s in found[name]],
            }
            for name, took in several.items():
                if took:
                    told = sorted(s for s in took if s < float("inf"))
                    p50, p99 = (
                        told[min(len(told) - 1, int(share * len(told)))] if told else 0.0 for share in (0.5, 0.99)
                    )
                    rows.append(f"{what:18} {how:11} {name:13} {len(told):6} answered, {len(took) - len(told):3} refused, p50 {p50 * 1e3:6.0f} ms, p99 {p99 * 1e3:6.0f} ms")  # fmt: skip
    return "\n" + "\n".join(rows)


def memory(port: int, pid: int) -> str:
    before = resident(pid)
    pad = "#" + "x" * 200_000 + "\n"

    def large(n: int) -> bytes:
        text = f"{pad}# {n}\n" + json.dumps(CASE)
        head = f"POST /v1/ask?flips=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/yaml\r\ncontent-length: {len(text)}\r\n\r\n"
        return (head + text).encode()

    found = asyncio.run(b.load(port, large, 15, 4))
    return f"{found.statuses[200]} answers; {before} MB before, {resident(pid)} MB after"


def worker(cases: int = 4000, each: int = 500) -> str:
    """What one worker holds after so many different cases: the case files', each told in one or two facts otherwise every time. In a process
    of its own; every twentieth is asked for its flips too."""
    code = f"""
import gc, itertools, os
from api import jobs
from bench.hostile import resident
from kb import asking
from kb.cases import writer
from kb.errors import LoopholeError
from tests import corpus
from tests.test_circuit import variants
jobs.warm()
jobs.Allowed.effort = 5000
made = (case for written in itertools.cycle(corpus.every()[::3]) for told in [asking.case(written)]
        for case in variants(asking.rules(told), told, 3))
for n, case in enumerate(itertools.islice(made, {cases}), 1):
    try:
        jobs.answer(jobs.dumps(writer.mapping(case)).decode(), jobs.JSON, n % 20 == 0, ())
    except LoopholeError:
        pass
    if n % {each} == 0:
        print(n, resident(os.getpid()), "MB", flush=True)
"""
    subprocess.run([sys.executable, "-c", code], cwd=b.ROOT, check=True)
    return "cases, and megabytes after them: as told above"


def hour(port: int, pid: int, seconds: float) -> str:
    """What a server takes that is asked for long, and never hard: the megabytes of all its processes, a dozen times."""
    cases = itertools.cycle(corpus.every()[::7])
    numbers = itertools.count()
    others = ("/v1/rules/B30.4", "/v1/terms?word=pill", "/v1/search?q=pillbox+smoke", "/rules", HONEST)
    began, rows, statuses = time.monotonic(), [], Counter[int]()
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while (gone := time.monotonic() - began) < seconds:
        if gone >= seconds / 12 * len(rows):
            rows.append(f"{gone / 60:.0f} min {sum(map(resident, family(pid)))} MB")
        n = next(numbers)
        if n % 3:
            case = json.dumps({**next(cases).data, "title": f"the {n}th"}, default=str)
            client.request("POST", f"/v1/ask?flips={'true' if n % 30 == 1 else 'false'}", case)
        else:
            client.request("GET", others[n // 3 % len(others)])
        reply = client.getresponse()
        reply.read()
        statuses[reply.status] += 1
        time.sleep(max(0.0, began + gone + 0.5 - time.monotonic()))
    return f"{dict(statuses)}; {', '.join(rows)}"


def family(pid: int) -> list[int]:
    """A process, and those that it has begun, and these."""
    begun = [int(n) for path in Path(f"/proc/{pid}/task").glob("*/children") for n in path.read_text().split()]
    return [pid, *(n for child in begun for n in family(child))]


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
    parser.add_argument("parts", nargs="*", default=["tokens", "products", "turns", "mixed", "memory", "worker"])
    parser.add_argument("--tree", type=Path, default=ROOT)
    told = parser.parse_args()
    b.ROOT = told.tree
    os.environ["PYTHONPATH"] = str(told.tree)
    for part in told.parts:
        if part in ("turns", "worker"):
            print(f"{part:12}{turns(told.seconds) if part == 'turns' else worker()}", flush=True)
            continue
        with b.serving(b.OURS) as port:
            asyncio.run(b.load(port, b.request_search, 1, 1))
            if part == "tokens":
                begun = time.perf_counter()
                asyncio.run(b.load(port, lambda n: sparql("SELECT * { " + "a." * 24_000), 0.1, 6))
                said = f"six of them: {time.perf_counter() - begun:.1f} s"
            elif part in ("memory", "hour"):
                said = memory(port, b.SERVERS[-1]) if part == "memory" else hour(port, b.SERVERS[-1], told.seconds)
            else:
                said = asyncio.run({"products": products, "mixed": mixed}[part](port, told.seconds))
        print(f"{part:12}{said}", flush=True)


if __name__ == "__main__":
    main()
