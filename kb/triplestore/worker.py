"""Runs one query in a process of its own, which the asker may end at any moment: python -m kb.triplestore.worker

Says that it is there, reads one JSON object from standard input, {"store", "query", "prefixes", "rows", "bytes", "memory", "seconds"}, and
writes one line of JSON to standard output. Nothing here reads the environment's network, writes files or updates.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import pyoxigraph as ox


def main() -> None:
    """Answers the query on standard input, on standard output; both are JSON (see kb.triplestore.sparql)."""
    print("here", flush=True)
    asked = json.load(sys.stdin)
    limit(asked["memory"], asked["seconds"])
    store = opened(asked["store"])
    begun = time.perf_counter()
    try:
        answer = run(store, asked)
    except SyntaxError as e:
        answer = {"error": "syntax", "message": str(e)}
    except MemoryError:
        answer = {"error": "memory", "message": ""}
    except (RuntimeError, OSError, ValueError) as e:
        answer = {"error": "engine", "message": str(e)}
    sys.stdout.write(json.dumps({**answer, "seconds": time.perf_counter() - begun}))
    sys.stdout.flush()


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
        cpu = int(seconds * 2) + 30  # several threads may work; the asker's clock comes first
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
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
