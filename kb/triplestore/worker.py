"""Runs queries in a process of its own, which the asker may end at any moment: python -m kb.triplestore.worker

Says that it is there, reads one JSON object a line from standard input, {"store", "query", "prefixes", "rows", "bytes", "memory", "seconds"},
and writes one line of JSON for each to standard output, until nothing more comes. `again` in it says whether this process may be asked
another: one that met a fault of the engine's, or has grown, may not. Nothing here reads the environment's network, writes files or updates.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import pyoxigraph as ox

GROWN = 400_000_000  # bytes held at most by a process that is asked again


def main() -> None:
    """Answers the queries on standard input, on standard output; both are JSON (see kb.triplestore.sparql)."""
    print("here", flush=True)
    kept: tuple[object, ox.Store] | None = None
    most = max(GROWN, held())  # the system counts what the process that began this one held
    for line in sys.stdin:
        asked = json.loads(line)
        limit(asked["memory"], asked["seconds"])
        if kept is None or kept[0] != mark(asked["store"]):
            kept = mark(asked["store"]), opened(asked["store"])
        begun = time.perf_counter()
        answer = answered(kept[1], asked)
        again = answer.get("error") in (None, "syntax") and held() <= most
        sys.stdout.write(json.dumps({**answer, "seconds": time.perf_counter() - begun, "again": again}) + "\n")
        sys.stdout.flush()


def answered(store: ox.Store, asked: dict[str, Any]) -> dict[str, Any]:
    """The answer, or what is wrong with the query."""
    try:
        return run(store, asked)
    except SyntaxError as e:
        return {"error": "syntax", "message": str(e)}
    except MemoryError:
        return {"error": "memory", "message": ""}
    except (RuntimeError, OSError, ValueError) as e:
        return {"error": "engine", "message": str(e)}


def mark(path: str) -> object:
    """What tells one state of a store's files from another: a store built anew has another folder."""
    found = Path(path).stat()
    return path, found.st_ino, found.st_mtime_ns


def held() -> int:
    """The most bytes that this process has held so far; 0 where the system does not tell."""
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return 0


def opened(path: str) -> ox.Store:
    """A store folder, read only; or a file of N-Quads, loaded into memory."""
    if Path(path).is_dir():
        return ox.Store.read_only(path)
    store = ox.Store()
    store.bulk_load(path=path, format=ox.RdfFormat.N_QUADS)
    return store


def limit(memory: int, seconds: float) -> None:
    """The system's own limits, where it has them: address space in bytes, processor time as a last resort."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        used = resource.getrusage(resource.RUSAGE_SELF)
        # Several threads may work; the asker's clock comes first.
        cpu = int(used.ru_utime + used.ru_stime + seconds * 2) + 30
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(store: ox.Store, asked: dict[str, Any]) -> dict[str, Any]:
    """The answer as plain values; rows up to the limits, and whether there are more."""
    found = store.query(asked["query"], prefixes=asked["prefixes"], use_default_graph_as_union=True)
    if isinstance(found, ox.QueryBoolean):
        return {"kind": "ask", "yes": bool(found)}
    select = isinstance(found, ox.QuerySolutions)
    columns = (
        [v.value for v in found.variables]
        if isinstance(found, ox.QuerySolutions)
        else ["subject", "predicate", "object"]
    )
    rows: list[list[dict[str, str] | None]] = []
    size, more = 0, False
    for solution in found:
        told = list(solution) if select else [solution.subject, solution.predicate, solution.object]
        row = [None if t is None else plain(t) for t in told]
        size += sum(len(t["value"]) for t in row if t is not None)
        if len(rows) >= asked["rows"] or size > asked["bytes"]:
            more = True
            break
        rows.append(row)
    return {"kind": "select" if select else "graph", "columns": columns, "rows": rows, "more": more}


def plain(term: Any) -> dict[str, str]:
    """A term as in SPARQL's JSON results."""
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, ox.Literal):
        kind = {"xml:lang": term.language} if term.language else {"datatype": term.datatype.value}
        return {"type": "literal", "value": term.value, **kind}
    return {"type": "literal", "value": str(term)}  # a triple as a term


if __name__ == "__main__":
    main()
