"""The service over a remote store: what it answers from a real Oxigraph server, and what it does when that dies."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from api.examples import CASE
from kb.store import opened
from tests.served import free_port, serving

pytestmark = pytest.mark.slow
QUERY = "SELECT ?norm WHERE { ?norm lp:beats norm:asl\\/B30.4 } ORDER BY ?norm"


@contextmanager
def oxigraph(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A real server on a free port, holding our graph."""
    port = free_port()
    exe = Path(sys.executable).parent / "oxigraph"
    command = [str(exe), "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(300):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/", timeout=2)
                    break
                except httpx.TransportError:
                    assert process.poll() is None
                    time.sleep(0.1)
            store = f"http://127.0.0.1:{port}/store"
            for name, data in opened().graphs().items():  # type: ignore[union-attr]
                headers = {"content-type": "application/n-triples"}
                assert httpx.put(store, params={"graph": name}, content=data, headers=headers, timeout=60).is_success
            yield f"http://127.0.0.1:{port}/query", process
        finally:
            process.terminate()
            process.wait(20)


def test_a_remote_store_answers_the_same_and_may_die(tmp_path: Path) -> None:
    with (
        oxigraph(tmp_path) as (endpoint, process),
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
