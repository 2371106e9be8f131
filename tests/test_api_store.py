"""The service over a remote store: what it answers from a real Oxigraph server, and what it does when that dies."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from api.examples import CASE
from kb.store import opened
from tests.served import oxigraph, serving

pytestmark = pytest.mark.slow
QUERY = "SELECT ?norm WHERE { ?norm lp:beats norm:asl\\/B30.4 } ORDER BY ?norm"


@contextmanager
def remote(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A real endpoint that holds our graph, and its process."""
    with oxigraph(folder) as (address, process):
        for name, data in opened().graphs().items():  # type: ignore[union-attr]
            headers = {"content-type": "application/n-triples"}
            put = httpx.put(address + "/store", params={"graph": name}, content=data, headers=headers, timeout=60)
            assert put.is_success
        yield f"{address}/query", process


def test_a_remote_store_answers_the_same_and_may_die(tmp_path: Path) -> None:
    with (
        remote(tmp_path) as (endpoint, process),
        serving(LOOPHOLE_STORE=endpoint, LOOPHOLE_QUERY_LIMIT="20") as address,
    ):
        there = httpx.get(address + "/v1/sparql", params={"query": QUERY}, timeout=30)
        here = opened().select(QUERY)
        assert there.status_code == 200
        assert [b["norm"]["value"] for b in there.json()["results"]["bindings"]] == [
            r[0].value for r in here.rows if r[0]
        ]
        assert here.rows
        process.terminate()
        process.wait(20)
        dead = httpx.get(address + "/v1/sparql", params={"query": QUERY}, timeout=60)
        assert dead.status_code == 503 and dead.json()["errors"][0]["number"].startswith("E65")
        asked = httpx.post(address + "/v1/ask", json=CASE, timeout=30)
        assert asked.status_code == 200 and asked.json()["verdict"] == "forbidden"
