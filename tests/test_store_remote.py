"""Remote stores: two real servers of different make answer every named query as the embedded store does; and trouble is told.

Oxigraph's server comes from PyPI with the tests' other needs. Virtuoso comes from Debian (virtuoso-opensource); where
it is not installed its tests are skipped by name.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kb.errors import QueryError
from kb.triplestore import named_queries, sparql, store
from kb.triplestore.remote import Remote
from kb.triplestore.results import Row, Table, Term
from tests.night import turn
from tests.served import end, free_port, oxigraph, up

VIRTUOSO = shutil.which("virtuoso-t")
SERVERS = [
    "oxigraph",
    pytest.param("virtuoso", marks=pytest.mark.skipif(not VIRTUOSO, reason="virtuoso-t is not installed")),
]
TOY = b'<https://w3id.org/loophole/rule/toy/1> <https://w3id.org/loophole/core#ruleNumber> "1" .\n'
G = "https://w3id.org/loophole/graph/toy"


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Rows in an order of their own, the same whichever store they come from."""
    return sorted(rows, key=lambda r: tuple(("", "") if t is None else (t.value, t.lang) for t in r))


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "oxigraph":
        with oxigraph(folder) as (address, _):
            yield f"{address}/query"
        return
    port = free_port()
    (folder / "virtuoso.ini").write_text(ini(folder, free_port(), port))
    command = [str(VIRTUOSO), "+configfile", str(folder / "virtuoso.ini"), "+foreground"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder) as process:
        try:
            up(f"http://127.0.0.1:{port}/", process)
            yield f"http://dba:dba@127.0.0.1:{port}/sparql-auth"
        finally:
            end(process)


def ini(folder: Path, port: int, http: int) -> str:
    files = {
        "DatabaseFile": "db",
        "ErrorLogFile": "log",
        "LockFile": "lck",
        "TransactionFile": "trx",
        "xa_persistent_file": "pxa",
    }
    told = "\n".join(f"{k} = {folder}/virtuoso.{v}" for k, v in files.items())
    return f"""[Database]
{told}
FileExtend = 200
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{port}
DisableUnixSocket = 1
NumberOfBuffers = 20000
CheckpointInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
ServerThreads = 5
[SPARQL]
ResultSetMaxRows = 100000
"""


@turn(of=3)
@pytest.mark.slow
def test_every_named_query_gives_the_same_rows_on_a_server(
    server: str, books: store.Embedded, answers: dict[str, Table]
) -> None:
    remote = Remote.of(server)
    loaded = dict(store.pushed(books, remote))
    assert sum(loaded.values()) == len(books) and len(loaded) == len(books.graphs())
    compared = 0
    for name, query in named_queries.named().items():
        here, there = answers[name], remote.select(query.text)
        assert here.columns == there.columns
        assert in_order(here.rows) == in_order(there.rows), name
        compared += bool(here.rows)
    assert compared == len(named_queries.named())
    given = {"rule": "b3042"}
    one = named_queries.find("exceptions-of-rule")
    assert named_queries.ask(one, remote, given).rows == named_queries.ask(one, books, given).rows


@pytest.mark.slow
def test_query_update_and_graphs_by_protocol(server: str) -> None:
    remote = Remote.of(server)
    remote.put(G, TOY)
    asked = "SELECT ?n WHERE { <https://w3id.org/loophole/rule/toy/1> lp:ruleNumber ?n }"
    assert remote.select(asked).rows == ((Term("literal", "1"),),)
    remote.put(G, TOY.replace(b'"1"', b'"2"'))
    assert remote.select(asked).rows == ((Term("literal", "2"),),), "a graph is replaced, not added to"
    remote.change(f'INSERT DATA {{ GRAPH <{G}> {{ <{G}#x> <{G}#p> "it\'s ⅝\\" here" }} }}')
    assert remote.select(f"SELECT ?o WHERE {{ <{G}#x> <{G}#p> ?o }}").rows == ((Term("literal", "it's ⅝\" here"),),)
    assert sparql.ask(f"ASK {{ GRAPH <{G}> {{ ?s ?p ?o }} }}", remote).yes
    assert sparql.ask("SELECT * WHERE { ?s ?p ?o }", remote, sparql.Limits(seconds=120, rows=1)).more
    with pytest.raises(QueryError) as caught:
        remote.select("SELECT ?x WHERE { ?x }")
    assert caught.value.problems[0].code == 653
    remote.drop(G)
    assert G not in remote.graph_names()


# ── trouble ──


class Awkward(BaseHTTPRequestHandler):
    """A server with one bad habit, which the first part of the path names."""

    tries: dict[str, int] = {}  # noqa: RUF012  counted for all requests together

    def do_POST(self) -> None:
        habit = self.path.split("/")[1]
        self.tries[habit] = self.tries.get(habit, 0) + 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if habit == "slow":
            time.sleep(2.5)
        if habit == "hangs-up":
            self.close_connection = True
            return
        code = {"closed": 401, "broken": 500, "busy": 503, "once": 503 if self.tries[habit] == 1 else 200}.get(
            habit, 200
        )
        body = b"<html>hello</html>" if habit == "page" else b'{"head": {"vars": []}, "results": {"bindings": []}}'
        self.send_response(code)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def awkward() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Awkward)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("habit", "code", "tries"),
    [
        ("slow", 651, 1),
        ("closed", 652, 1),
        ("broken", 653, 1),
        ("busy", 653, 3),
        ("page", 654, 1),
        ("hangs-up", 650, 3),
    ],
)
def test_trouble_is_told_in_words_and_only_what_may_pass_is_tried_again(
    awkward: str, habit: str, code: int, tries: int
) -> None:
    Awkward.tries.pop(habit, None)
    with pytest.raises(QueryError) as caught:
        Remote.of(f"{awkward}/{habit}/query").asked("ASK {}", (), 1)
    assert caught.value.problems[0].code == code and awkward in str(caught.value)
    assert caught.value.__context__ is None, "the failed reply, if kept, holds its connection open"
    assert Awkward.tries[habit] == tries


def test_a_read_that_fails_once_is_answered_and_an_update_is_not_tried_again(awkward: str) -> None:
    Awkward.tries.clear()
    assert Remote.of(f"{awkward}/once/query").asked("ASK {}", (), 1)["results"] == {"bindings": []}
    assert Awkward.tries["once"] == 2
    with pytest.raises(QueryError):
        Remote.of(f"{awkward}/busy/query").change("CLEAR ALL")
    assert Awkward.tries["busy"] == 1


def test_a_dead_endpoint_is_said_to_be_dead_by_the_command_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from api import cli

    monkeypatch.setenv(store.SETTING, f"http://127.0.0.1:{free_port()}/query")
    assert cli.main(["query", "cites"]) == 2
    assert "E650" in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["http://", "http://host:port/query", "http://h/query nonsense", "http://h/query upd=x"]
)
def test_an_address_that_cannot_be_read_is_told(address: str) -> None:
    with pytest.raises(QueryError) as caught:
        Remote.of(address)
    assert caught.value.problems[0].code == 655


def test_the_three_endpoints_are_worked_out_or_said() -> None:
    made = Remote.of("http://u:p%40@h:1/query")
    assert (made.update, made.data, made.user, made.password) == ("http://h:1/update", "http://h:1/store", "u", "p@")
    assert "p@" not in repr(made)
    made = Remote.of("http://h/ds/query update=http://h/ds/u data=http://h/ds/d")
    assert (made.update, made.data) == ("http://h/ds/u", "http://h/ds/d")


# ── folders ──


def test_one_setting_chooses_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quad = TOY[:-2] + f"<{G}> .\n".encode()
    monkeypatch.setenv(store.SETTING, "memory")
    held = store.opened(make=lambda: quad)
    assert isinstance(held, store.Embedded) and held.folder is None and len(held) == 1
    monkeypatch.setenv(store.SETTING, str(tmp_path / "kept"))
    held = store.opened(make=lambda: quad)
    assert isinstance(held, store.Embedded) and held.folder == tmp_path / "kept"
    assert len(list(held.dataset().quads())) == 1
    monkeypatch.setenv(store.SETTING, "http://127.0.0.1:1/query")
    assert isinstance(store.opened(), Remote)


def test_a_kept_store_is_made_anew_when_what_it_is_made_from_changes(tmp_path: Path) -> None:
    made: list[str] = []

    def make() -> bytes:
        made.append("")
        return TOY[:-2] + f"<{G}> .\n".encode()

    for state in ("one", "one", "two"):
        store.kept(tmp_path / "s", make, state)
    assert len(made) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(QueryError) as caught:
        store.kept(tmp_path, lambda: b"", "x")
    assert caught.value.problems[0].code == 648 and (tmp_path / "letter.txt").exists()
