"""The embedded store beside rdflib's own memory store, and every named query on a graph many times the books' size.

    python bench/bench_store.py [--limit SECONDS] [--large TRIPLES]

One run prints three tables in Markdown: joins and paths over a made graph of a million triples; the sum of all named
queries over the books; each named query over the books and over copies of them until there are two million triples.
A query of rdflib's that is not done in the limit counts as the limit, so that what is said of it is the least.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator

import pyoxigraph as ox
import rdflib

from kb.triplestore import named_queries, store
from kb.triplestore.results import header

NODES = 100_000
E = "http://e/"
JOINS = {
    "join, 3 hops, from one group": "SELECT (COUNT(*) AS ?n) WHERE { ?a :memberOf :g7 . ?a :knows ?b . ?b :knows ?c . ?c :at ?h }",
    "join, 3 hops, by class": "SELECT (COUNT(*) AS ?n) WHERE { ?a a :C3 . ?a :knows ?b . ?b :knows ?c . ?c a :C5 }",
    "path upwards, partOf+": "SELECT (COUNT(*) AS ?n) WHERE { ?a :memberOf :g7 . ?a :partOf+ ?x }",
    "path downwards, partOf+": "SELECT (COUNT(*) AS ?n) WHERE { ?x :partOf+ :n21 }",
}


def million() -> Iterator[str]:
    """A tree of places, groups, acquaintances and labels: ten triples a node, the same each time."""
    dice = random.Random(7)
    for i in range(NODES):
        up = f"<{E}partOf> <{E}n{(i - 1) // 4}>" if i else f"<{E}root> <{E}n0>"
        told = [
            f"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{E}C{dice.randrange(50)}>",
            f'<{E}label> "unit {i}"',
            up,
        ]
        told += [
            f'<{E}size> "{dice.randrange(9)}"^^<http://www.w3.org/2001/XMLSchema#integer>',
            f"<{E}memberOf> <{E}g{i % 1000}>",
        ]
        told += [f"<{E}at> <{E}h{dice.randrange(5000)}>", f"<{E}status> <{E}s{dice.randrange(10)}>"]
        told += [f"<{E}knows> <{E}n{k}>" for k in dice.sample(range(NODES), 3)]
        yield "".join(f"<{E}n{i}> {rest} .\n" for rest in told)


def copies(quads: bytes, triples: int) -> Iterator[bytes]:
    """The books' quads, and copies of those of the books under other names, until there are enough."""
    yield quads
    lines = [
        line for line in quads.splitlines(True) if re.search(rb"<https://w3id.org/loophole/graph/\w+[^>]*> \.\n$", line)
    ]
    own, total, n = b"".join(lines), quads.count(b"\n"), 0
    while total < triples:
        n += 1
        mark = str(n).encode()
        made = re.sub(rb"(loophole/(?:book|graph|rule|norm|chapter|case|erratum|ruling)/\w+)", rb"\1-c" + mark, own)
        yield re.sub(rb"_:(\w+)", rb"_:\1c" + mark, made)
        total += len(lines)


def timed(ask: Callable[[], object], least: float = 1.0) -> float:
    """The median time of a few askings, in seconds."""
    took: list[float] = []
    while len(took) < 3 or (sum(took) < least and len(took) < 50):
        begun = time.perf_counter()
        ask()
        took.append(time.perf_counter() - begun)
        if took[-1] > 5:
            break
    return statistics.median(took)


def limited(ask: Callable[[], object], limit: float) -> tuple[float, bool]:
    """The time of one asking in a forked process, and whether it was stopped at the limit."""
    process = mp.get_context("fork").Process(target=ask)
    begun = time.perf_counter()
    process.start()
    process.join(limit)
    took, stopped = time.perf_counter() - begun, process.is_alive()
    if stopped:
        process.kill()
    process.join()
    return min(took, limit), stopped


def joins(limit: float) -> None:
    data = "".join(million())
    ours = ox.Store()
    ours.bulk_load(data.encode(), format=ox.RdfFormat.N_TRIPLES)
    theirs = rdflib.Graph().parse(data=data, format="nt")
    print(f"\n| {len(ours):,} triples | embedded, ms | rdflib memory, ms | times |\n|---|---|---|---|")
    for name, text in JOINS.items():
        query = f"PREFIX : <{E}>\n{text}"
        mine = timed(lambda q=query: list(ours.query(q)))
        other, stopped = limited(lambda q=query: list(theirs.query(q)), limit)
        more = "≥ " if stopped else ""
        print(f"| {name} | {mine * 1000:.1f} | {more}{other * 1000:.0f} | {more}{other / mine:.0f} |", flush=True)


def books(limit: float, large: int) -> None:
    quads = store.of_books()
    held = store.Embedded(ox.Store())
    held.store.bulk_load(quads, format=ox.RdfFormat.N_QUADS)
    named = named_queries.named()
    mine = {n: timed(lambda q=q: held.select(q.text), 0.3) for n, q in named.items()}
    theirs = rdflib.Dataset(default_union=True)
    theirs.parse(data=quads, format="nquads")
    other = {n: limited(lambda q=q: list(theirs.query(header() + q.text)), limit) for n, q in named.items()}
    a, b, over = sum(mine.values()), sum(t for t, _ in other.values()), sum(s for _, s in other.values())
    print(f"\nSum of {len(named)} named queries, {len(held):,} triples: embedded {a:.2f} s, rdflib memory ≥ {b:.1f} s "
          f"({over} stopped at {limit:g} s): ≥ {b / a:.1f} times", flush=True)  # fmt: skip
    big = store.Embedded(ox.Store())
    for part in copies(quads, large):
        big.store.bulk_load(part, format=ox.RdfFormat.N_QUADS)
    given = {n: binding(q, held) for n, q in named.items()}
    print(
        f"\n| named query | given | books, ms | {len(big):,} triples, ms | times | all of it: books, ms | large, ms | times |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for n, q in named.items():
        text, said = given[n]
        small, much = timed(lambda t=text: held.select(t), 0.3), timed(lambda t=text: big.select(t), 0.3)
        whole = timed(lambda q=q: big.select(q.text), 0.3)
        print(f"| `{n}` | {said} | {small * 1000:.1f} | {much * 1000:.1f} | {much / small:.1f} "
              f"| {mine[n] * 1000:.1f} | {whole * 1000:.1f} | {whole / mine[n]:.1f} |", flush=True)  # fmt: skip


def binding(query: named_queries.Named, held: store.Embedded) -> tuple[str, str]:
    """The query with its first parameter bound to the first value that it finds, and what that is."""
    found = held.select(query.text, 1)
    for p in query.parameters:
        at = p.name if p.name in found.columns else "number" if p.kind == "rule" else ""
        value = found.rows[0][found.columns.index(at)] if at in found.columns else None
        if value is not None:
            name = value.value.partition("#")[2] or value.value.rpartition("/")[2]
            return query.bound(named_queries.terms(query, held, {p.name: name})), name
    return query.text, "nothing"


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--limit", type=float, default=20.0, help="seconds for one query of rdflib's")
    asked.add_argument("--large", type=int, default=2_000_000, help="triples of the large graph")
    told = asked.parse_args()
    joins(told.limit)
    books(told.limit, told.large)
