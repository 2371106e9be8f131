"""The service over a remote store: what it answers from a real Oxigraph server, and what it does when that dies."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from api.examples import CASE
from api.settings import Settings
from api.work import Work
from kb.triplestore.store import SETTING, opened
from tests.night import turn
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


@turn(of=3, on=1)
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


def test_a_server_that_stops_ends_what_builds_its_store_and_clears_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path / "store"))
    work = Work(Settings())
    work.prepare()
    builder, due = work.builder, time.monotonic() + 60
    assert builder is not None and builder.pid != os.getpid()
    while not (begun := list(tmp_path.glob("store-new-*"))) and time.monotonic() < due:
        time.sleep(0.05)
    assert begun and builder.is_alive(), "it is being built, by a process of its own"
    work.stop()
    assert work.builder is None and builder.exitcode is not None
    # One that was just done when it was to end may leave what it built, whole.
    assert [left.name for left in tmp_path.iterdir()] in ([], ["store"])
