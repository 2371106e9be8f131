"""A SPARQL 1.1 endpoint: query and update through SPARQLWrapper, whole graphs by the graph store protocol.

An address is the query endpoint's URL. Where updates and graphs go is worked out for servers of known habits, or said
after it:  http://host/query update=http://host/update data=http://host/store . A user and password may stand in the URL.
"""

from __future__ import annotations

import base64
import http.client
import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from SPARQLWrapper import BASIC, DIGEST, JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException, Unauthorized

from kb.errors import Problem, QueryError
from kb.triplestore.results import BASE, Table, header, term_of

SECONDS = 30.0
WAITS = (0.2, 0.8)  # seconds before a read is tried again
PASSING = (502, 503, 504)  # HTTP: a server that may be there again at once
T = TypeVar("T")

# How servers name their three endpoints: the end of the query URL, then those of update and graphs.
HABITS = (
    ("/sparql-auth", "/sparql-auth", "/sparql-graph-crud-auth"),
    ("/query", "/update", "/store"),
    ("/sparql", "/sparql", "/sparql-graph-crud"),
)


NOTE = "urn:loophole:push"  # the graph in which it is noted how far a push has come
CORE = BASE + "core#"


@dataclass(frozen=True)
class Push:
    """How far a push has come. state: a hash of all that is pushed; most: of so many graphs; done: those that are there; whole: it is over."""

    state: str
    most: int
    done: tuple[str, ...] = ()
    whole: bool = False

    @classmethod
    def of(cls, rows: list[tuple[str, str]]) -> Push | None:
        """What rows of a note say (term, value); None where there is none."""
        told = {term.removeprefix(CORE): value for term, value in rows}
        if not rows:
            return None
        done = tuple(value for term, value in rows if term == CORE + "pushed")
        return cls(told.get("pushState", ""), int(told.get("pushGraphs", "0")), done, told.get("pushWhole") == "true")

    def triples(self) -> bytes:
        """The note as N-Triples."""
        rows = [
            ("pushState", f'"{self.state}"'),
            ("pushGraphs", f'"{self.most}"'),
            ("pushWhole", f'"{str(self.whole).lower()}"'),
        ]
        rows += [("pushed", f"<{name}>") for name in self.done]
        return "".join(f"<{NOTE}> <{CORE}{term}> {value} .\n" for term, value in rows).encode()


@dataclass(eq=False)
class Remote:
    """One endpoint. Reads are tried again when the connection fails; updates never are; a whole graph's PUT is."""

    query: str
    update: str
    data: str
    user: str = ""
    password: str = field(default="", repr=False)
    seconds: float = SECONDS
    named: tuple[str, ...] | None = None
    make: str = ""  # what the server says it is

    @classmethod
    def of(cls, address: str) -> Remote:
        """The endpoint of an address. Raises QueryError (E655) for one that cannot be read."""
        first, *more = address.split() or [""]
        told = dict(part.split("=", 1) for part in more if "=" in part)
        unknown = [p for p in more if p.partition("=")[0] not in ("update", "data")]
        hint = "http://host:port/query update=URL data=URL"
        try:
            parts = urlsplit(first)
            port = f":{parts.port}" if parts.port else ""
        except ValueError as e:
            raise QueryError(Problem(655, f"“{address}” is no address of an endpoint: {e}", hint=hint)) from None
        if unknown or not parts.hostname or parts.scheme not in ("http", "https"):
            raise QueryError(Problem(655, f"“{address}” is no address of an endpoint", hint=hint))
        host = (parts.hostname if ":" not in parts.hostname else f"[{parts.hostname}]") + port
        url = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
        ends = next((h for h in HABITS if parts.path.endswith(h[0])), ("", "", ""))
        guessed = [url.removesuffix(ends[0]) + end for end in ends[1:]] if ends[0] else [url, url]
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(url, told.get("update", guessed[0]), told.get("data", guessed[1]), user, password)

    # ── reading ──

    def select(self, query: str, rows: int | None = None, seconds: float | None = None) -> Table:
        """The answer of a query to the union of our graphs. Raises QueryError: E650 no answer, E651 too slow,

        E652 not let in, E653 the endpoint's own error, E654 an answer that is not SPARQL's.
        """
        begun = time.perf_counter()
        found = self.asked(header() + query, self.graph_names(seconds), seconds)
        took = time.perf_counter() - begun
        if "boolean" in found:
            return Table((), (), "ask", bool(found["boolean"]), seconds=took)
        try:
            columns = tuple(found["head"]["vars"])
            told = found["results"]["bindings"]
            kept = told if rows is None else told[:rows]
            table = tuple(tuple(term_of(b[c]) if c in b else None for c in columns) for b in kept)
        except (KeyError, TypeError, AttributeError):
            raise QueryError(Problem(654, f"{self.query} gave no SPARQL answer", hint=CHECK)) from None
        if columns == ("__ASK_RETVAL",):  # Virtuoso's way to answer an ASK that other words stand before
            return Table((), (), "ask", bool(table) and str(table[0][0]) in ("1", "true"), seconds=took)
        return Table(columns, table, more=len(kept) < len(told), seconds=took)

    def graph_names(self, seconds: float | None = None) -> tuple[str, ...]:
        """Our named graphs there. Their union is asked, by SPARQL's own protocol, whatever the server's default is. Raises QueryError (E656)
        where a push of them was cut off."""
        if self.named is None:
            named, push = self.look(seconds)
            if push is not None and not push.whole:
                hint = "do the push again: it goes on where it ended"
                message = (
                    f"the graph at {self.query} is not whole: a push ended after {len(push.done)} of {push.most} graphs"
                )
                raise QueryError(Problem(656, message, hint=hint))
            self.named = named
        return self.named

    def look(self, seconds: float | None = None) -> tuple[tuple[str, ...], Push | None]:
        """Our named graphs there, and how far a push of them has come."""
        graphs = f'GRAPH ?g {{ ?s ?x ?y }} FILTER(STRSTARTS(STR(?g), "{BASE}"))'
        query = f"SELECT DISTINCT ?g ?p ?o WHERE {{ {{ {graphs} }} UNION {{ GRAPH <{NOTE}> {{ ?n ?p ?o }} }} }}"
        rows = self.asked(query, (), seconds)["results"]["bindings"]
        noted = [(b["p"]["value"], b["o"]["value"]) for b in rows if "p" in b]
        return tuple(sorted(b["g"]["value"] for b in rows if "g" in b)), Push.of(noted)

    def asked(self, query: str, graphs: tuple[str, ...], seconds: float | None) -> dict[str, Any]:
        """The endpoint's answer to a query, over some graphs. Raises QueryError (E650 to E654)."""

        def once() -> dict[str, Any]:
            client = self.client(self.query, seconds)
            client.setReturnFormat(JSON)
            client.setQuery(query)
            if graphs and "oxigraph" in self.make:  # it has a quicker way than a list to say so
                client.addParameter("union-default-graph", "true")
                graphs_listed: tuple[str, ...] = ()
            else:
                graphs_listed = graphs
            for graph in graphs_listed:
                client.addParameter("default-graph-uri", graph)
                client.addParameter("named-graph-uri", graph)
            answer = client.query()
            with closing(answer.response) as response:
                self.make = str(answer.info().get("server", "")).lower()
                told = json.loads(response.read())
            if not isinstance(told, dict):
                raise ValueError("not an object")
            return told

        return self.tried(once, self.query, seconds)

    def client(self, url: str, seconds: float | None = None) -> SPARQLWrapper:
        """A client for an address. seconds: how long it waits; the setting's where None."""
        client = SPARQLWrapper(url)
        client.setMethod(POST)
        client.setTimeout(max(1, round(seconds or self.seconds)))
        if self.user:
            client.setHTTPAuth(DIGEST if "-auth" in url else BASIC)
            client.setCredentials(self.user, self.password)
        return client

    # ── writing ──

    def change(self, update: str) -> None:
        """Carries out an update, once. Raises QueryError as `select`."""
        client = self.client(self.update)
        client.setQuery(update)

        def once() -> None:
            with closing(client.query().response) as response:
                response.read()

        self.tried(once, self.update, again=False)
        self.named = None

    def put(self, graph: str, triples: bytes) -> None:
        """Puts a whole graph in the place of what stood under its name (graph store protocol). Safe to be done twice."""
        self.protocol("PUT", graph, triples)

    def note(self, push: Push) -> None:
        """Notes how far a push has come, for whoever reads there."""
        self.put(NOTE, push.triples())

    def drop(self, graph: str) -> None:
        """Takes a whole graph away (graph store protocol)."""
        self.protocol("DELETE", graph, None)

    def protocol(self, method: str, graph: str, triples: bytes | None) -> None:
        """Puts, posts or deletes a graph (N-Triples). Raises QueryError (E650 to E654)."""
        url = f"{self.data}?graph={quote(graph, safe='')}"
        headers = {"Content-Type": "application/n-triples", **self.basic()}
        request = urllib.request.Request(url, data=triples, method=method, headers=headers)
        if self.user and "-auth" in self.data:
            self.tried(lambda: self.digest(request), self.data)

        def once() -> None:
            with urllib.request.urlopen(request, timeout=self.seconds) as response:
                response.read()

        self.tried(once, self.data)
        self.named = None

    def digest(self, request: urllib.request.Request) -> None:
        """Signs a request by a challenge asked for beforehand: some servers hang up on a large body that is not signed."""
        try:
            urllib.request.urlopen(self.data, timeout=self.seconds).close()
        except urllib.error.HTTPError as e:
            said = e.headers.get("WWW-Authenticate", "")
            e.close()
            if e.code == 401 and said.lower().startswith("digest "):
                secrets = urllib.request.HTTPPasswordMgrWithDefaultRealm()
                secrets.add_password(None, self.data, self.user, self.password)
                told = urllib.request.parse_keqv_list(urllib.request.parse_http_list(said[7:]))
                signed = urllib.request.HTTPDigestAuthHandler(secrets).get_authorization(request, told)
                request.add_unredirected_header("Authorization", f"Digest {signed}")

    def basic(self) -> dict[str, str]:
        """The header that says who asks; none where the endpoint wants a digest."""
        if not self.user or "-auth" in self.data:
            return {}
        pair = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}

    # ── trouble ──

    def tried(self, once: Callable[[], T], url: str, seconds: float | None = None, again: bool = True) -> T:
        """Does it, again after a short wait where the connection failed and twice is as good as once."""
        for wait in (*(WAITS if again else ()), None):
            try:
                return once()
            except Exception as e:
                problem, passing = trouble(e, url, seconds or self.seconds)
            if wait is None or not passing:
                raise QueryError(
                    problem
                )  # not from within: it would keep the failed reply, and so its connection, open
            time.sleep(wait)
        raise AssertionError("the last try returns or raises")


CHECK = "is it the query endpoint's URL? A server's start page is not"


def trouble(e: Exception, url: str, seconds: float) -> tuple[Problem, bool]:
    """What went wrong in words, and whether another try may mend it. Anything unforeseen is raised as it is."""
    reason = e.reason if isinstance(e, urllib.error.URLError) and not isinstance(e, urllib.error.HTTPError) else e
    if isinstance(reason, TimeoutError | socket.timeout):
        hint = "ask for less, give it more time, or look to the server"
        return Problem(651, f"{url} gave no answer in {seconds:.0f} seconds", hint=hint), False
    if isinstance(e, Unauthorized) or (isinstance(e, urllib.error.HTTPError) and e.code in (401, 403)):
        hint = "put user and password into the address: http://user:password@host/…"
        return Problem(652, f"{url} does not let us in", hint=hint), False
    if isinstance(e, urllib.error.HTTPError):
        return Problem(
            653, f"{url} answers HTTP {e.code}: {first_line(e.read())}", hint="see the server's own log"
        ), e.code in PASSING
    if isinstance(e, SPARQLWrapperException):
        return Problem(653, f"{url} refuses it: {first_line(str(e).encode())}", hint="see the server's own log"), False
    if isinstance(reason, OSError | http.client.HTTPException):
        hint = "is the server up, and the address right?"
        return Problem(650, f"{url} cannot be reached: {str(reason) or type(reason).__name__}", hint=hint), True
    if isinstance(e, ValueError | UnicodeError):
        return Problem(654, f"{url} gave no SPARQL answer", hint=CHECK), False
    raise e


def first_line(said: bytes) -> str:
    """The beginning of what a server said, at most 300 characters."""
    lines = [line.strip() for line in said[:4000].decode("utf-8", "replace").splitlines() if line.strip()]
    return " ".join(lines)[:300] or "no reason given"
