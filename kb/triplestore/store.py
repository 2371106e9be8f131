"""Where the graph is kept and asked: in memory, in a folder, or at a SPARQL 1.1 endpoint. One setting chooses.

LOOPHOLE_STORE (or an option) is  memory  |  a folder  |  the URL of an endpoint. Without it the graph is kept in a folder
of the user's cache, made when it is first asked and again when the books change.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace as replaced
from pathlib import Path
from typing import Any, TypeAlias

import pyoxigraph as ox

from kb import resources
from kb.errors import Problem, QueryError
from kb.graph.version import version
from kb.triplestore.remote import Push, Remote
from kb.triplestore.results import Row, Table, Term, prefixes

SETTING = "LOOPHOLE_STORE"
MEMORY = "memory"
MARK = "loophole-graph.json"  # beside a store's files: what they were made from
FORMAT = 2


class Embedded:
    """Oxigraph in this process: in memory (folder None) or in a folder. Safe to ask from several threads."""

    def __init__(self, store: ox.Store, folder: Path | None = None):
        self.store, self.folder = store, folder

    def select(self, query: str, rows: int | None = None, seconds: float | None = None) -> Table:
        """The answer of a query of ours. Not for a stranger's: nothing stops it (kb.triplestore.sparql does)."""
        begun = time.perf_counter()
        try:
            found = self.store.query(query, prefixes=prefixes(), use_default_graph_as_union=True)
        except SyntaxError as e:
            raise QueryError(
                Problem(640, f"this is not SPARQL: {e}", hint="see docs/queries.md for the names")
            ) from None
        if isinstance(found, ox.QueryBoolean):
            return Table((), (), "ask", bool(found), seconds=time.perf_counter() - begun)
        select = isinstance(found, ox.QuerySolutions)
        columns = (
            tuple(v.value for v in found.variables)
            if isinstance(found, ox.QuerySolutions)
            else ("subject", "predicate", "object")
        )
        out: list[Row] = []
        more = False
        for solution in found:
            if rows is not None and len(out) >= rows:
                more = True
                break
            told = tuple(solution) if select else (solution.subject, solution.predicate, solution.object)
            out.append(tuple(map(term, told)))
        kind = "select" if select else "graph"
        return Table(columns, tuple(out), kind, more=more, seconds=time.perf_counter() - begun)

    def files(self, kept: Path) -> Path:
        """The store's files for another process to read: its folder, or a copy of what is in memory under `kept`."""
        if self.folder is not None:
            return self.folder
        path = kept / "graph.nq"
        self.store.dump(str(path), format=ox.RdfFormat.N_QUADS)
        return path

    def dataset(self) -> Any:
        """The store as an rdflib.Dataset (oxrdflib): its triples are asked, not copied."""
        import rdflib
        from oxrdflib import OxigraphStore

        return rdflib.Dataset(store=OxigraphStore(store=self.store), default_union=True)

    def graphs(self) -> dict[str, bytes]:
        """Each named graph as N-Triples."""
        out = {}
        for name in self.store.named_graphs():
            told = io.BytesIO()
            self.store.dump(told, format=ox.RdfFormat.N_TRIPLES, from_graph=name)
            out[name.value] = told.getvalue()
        return out

    def __len__(self) -> int:
        return len(self.store)


Store: TypeAlias = Embedded | Remote


def term(value: Any) -> Term | None:
    """A pyoxigraph term as one of ours."""
    if value is None:
        return None
    if isinstance(value, ox.NamedNode):
        return Term("iri", value.value)
    if isinstance(value, ox.BlankNode):
        return Term("bnode", value.value)
    if isinstance(value, ox.Literal):
        if value.language:
            return Term("literal", value.value, "", value.language.lower())
        kind = value.datatype.value
        return Term("literal", value.value, "" if kind.endswith("XMLSchema#string") else kind)
    return Term("literal", str(value))


def opened(setting: str | None = None, make: Callable[[], bytes] | None = None) -> Store:
    """The store that a setting names (None: the environment's), holding the graph.

    make: gives the graph as N-Quads; where None, that of all books. Raises QueryError: E648 for a folder that cannot be
    used, E655 for an address that is none; a remote store's own problems when it is asked.
    """
    chosen = (os.environ.get(SETTING, "") if setting is None else setting).strip()
    if "://" in chosen:
        return Remote.of(chosen)
    if chosen == MEMORY:
        store = ox.Store()
        store.bulk_load((make or of_books)(), format=ox.RdfFormat.N_QUADS)
        return Embedded(store)
    folder = Path(chosen).expanduser() if chosen else resources.cache() / "store"
    return kept(folder, make or of_books, version() if make is None else "", not chosen)


def kept(folder: Path, make: Callable[[], bytes], state: str, ours: bool = False) -> Embedded:
    """The store in a folder, made anew where it was made from something else. It is opened for reading only.

    A new store is built beside the folder and then takes its place, so that one being read is never half there. One whose files are not as
    they were written is made anew. ours: nothing but our store stands there, whatever it looks like.
    """
    try:
        if (found := readable(folder) if current(folder, state) else None) is None:
            folder.parent.mkdir(parents=True, exist_ok=True)
            if folder.exists() and not ours and not (folder / MARK).exists() and any(folder.iterdir()):
                hint = "name an empty folder, or one that loophole made"
                raise QueryError(Problem(648, f"{folder} holds something else", hint=hint))
            for sort in ("new", "old"):
                resources.sweep(folder.parent, f"{folder.name}-{sort}-*")
            fresh = Path(tempfile.mkdtemp(prefix=folder.name + "-new-", dir=folder.parent))
            try:
                written(fresh, make(), state)
                replace(fresh, folder)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
            found = ox.Store.read_only(str(folder))
        return Embedded(found, folder)
    except OSError as e:
        hint = f"set {SETTING} to another folder, or to {MEMORY}"
        raise QueryError(Problem(648, f"the store in {folder} cannot be used: {e}", hint=hint)) from None


def current(folder: Path, state: str) -> bool:
    """Whether a folder holds a store made from this state by this version."""
    try:
        told = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    same = isinstance(told, dict) and (told.get("format"), told.get("state")) == (FORMAT, state)
    return same and told.get("files") == sizes(folder)


def sizes(folder: Path) -> dict[str, int]:
    """How large each file of a store is that its engine writes once."""
    return {f.name: f.stat().st_size for f in sorted(folder.glob("*.sst"))}


def readable(folder: Path) -> ox.Store | None:
    """The store in a folder, where its engine can read it; None where it is garbled."""
    try:
        store = ox.Store.read_only(str(folder))
        for graph in store.named_graphs():
            next(store.quads_for_pattern(None, None, None, graph), None)
        return store
    except (OSError, RuntimeError, ValueError):
        return None


def written(folder: Path, quads: bytes, state: str) -> None:
    """Writes a store and marks what it was made from."""
    store = ox.Store(str(folder))
    store.bulk_load(quads, format=ox.RdfFormat.N_QUADS)
    store.optimize()
    store.flush()
    del store  # the engine's lock goes with it
    (folder / MARK).write_text(json.dumps({"format": FORMAT, "state": state, "files": sizes(folder)}), encoding="utf-8")


def replace(fresh: Path, folder: Path) -> None:
    """Puts a built store in the place of an old one."""
    old = folder.with_name(f"{folder.name}-old-{os.getpid()}")
    if folder.exists():
        os.replace(folder, old)
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)


def of_books() -> bytes:
    """The graph of all books as N-Quads."""
    from kb.graph import dataset

    return dataset.nquads()


def pushed(held: Embedded, remote: Remote) -> Iterator[tuple[str, int]]:
    """Puts every named graph at an endpoint in the place of its old self, and tells each with its triples.

    Blank nodes are one graph's own, so a whole graph goes at once. Graphs of ours that are no more are taken away. What is there is noted
    all along, and last that it is whole: a push that is cut off is told to whoever reads the endpoint, and goes on when it is done again.
    Raises QueryError as Remote does.
    """
    there, before = remote.look()
    whole = sorted(held.graphs().items())
    counted = json.dumps([version(), [(name, triples.count(b"\n")) for name, triples in whole]])
    push = Push(hashlib.sha256(counted.encode()).hexdigest(), len(whole))
    if before is not None and (before.state, before.whole) == (push.state, False):
        push = before  # it was cut off, and goes on
    for name, triples in whole:
        if name not in push.done:
            remote.note(push)  # before anything is changed, so that whoever reads it then is told
            remote.put(name, triples)
            push = replaced(push, done=(*push.done, name))
        yield name, triples.count(b"\n")
    for name in sorted(set(there) - {name for name, _ in whole}):
        remote.drop(name)
    remote.note(replaced(push, whole=True))
