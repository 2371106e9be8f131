"""What a worker does with the graph of all that is known: its things, its ontologies, queries, exports. kb.graph and kb.triplestore
are loaded when they are first needed."""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import Any

from api import jobs
from kb import registry
from kb.errors import Problem, QueryError
from kb.search import lookup


def export(format: str, book: str) -> bytes:
    """The graph, or a book's part of it, in a format. Raises QueryError (E960)."""
    from kb.graph import export as exporter

    return exporter.of_format(format, book, True).encode()


def build() -> None:
    """Builds the store on disk if it is not there, so that no query waits for it. Told to end, it clears away what it began."""
    from kb.triplestore import resource, store

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    if os.environ.get(store.SETTING) != store.MEMORY:
        jobs.run(0, resource.store)


def triples(iri: str) -> list[tuple[str, str, str]]:
    """What the graph says of a thing, for its page."""
    from kb.triplestore import resource

    return resource.rows(iri)


def ontology(name: str, format: str) -> str | None:
    """An ontology whole, in a format; None where none has the name. Raises QueryError (E960)."""
    if re.split("[/-]", name)[0] not in ("all", "core", "tactics", *registry.books()):
        return None  # the names are read from the ontology, which takes its time
    from kb.graph import ontologies

    return ontologies.of_name(name, format) if name in ontologies.names() else None


def serialized(rows: Any, media: str) -> str:
    """Triples that a query made, in one of the forms of linked data."""
    from kb.triplestore import resource

    return resource.serialized(rows, media)


def reread(turtle: str, media: str) -> str:
    """Turtle in one of the forms of linked data."""
    from kb.triplestore import resource

    return resource.reread(turtle, media)


def description(iri: str, media: str) -> str:
    """What the graph says of a thing, in one of the forms of linked data."""
    from kb.triplestore import resource

    return resource.text(iri, media)


def namespace(name: str) -> list[dict[str, Any]]:
    """The terms of one namespace, each once, with a book that has it."""
    found: dict[str, dict[str, Any]] = {}
    for book in registry.books():
        for t in lookup.terms(registry.vocabulary(book)):
            if name == "all" or t.iri.rpartition("#")[0].rpartition("/")[2] == name:
                found.setdefault(t.name, {"book": book, "name": t.name, "label": t.label, "definition": t.definition})
    if not found:
        raise QueryError(
            Problem(613, f"there is no namespace “{name}”", hint="loophole, core and the books' ids are namespaces")
        )
    return sorted(found.values(), key=lambda row: str(row["name"]).casefold())


def queries() -> bytes:
    """The named queries with their parameters."""
    from kb.triplestore import named_queries as named

    rows = [
        {
            "name": q.name, "summary": q.summary, "asked_by": q.asked_by, "empty": q.empty,
            "parameters": [{"name": p.name, "type": p.kind, "about": p.about} for p in q.parameters],
        } for q in named.named().values()
    ]  # fmt: skip
    return jobs.dumps({"queries": rows})


def query(name: str, given: tuple[tuple[str, str], ...], rows: int) -> Any:
    """A named query's table."""
    from kb.triplestore import named_queries as named, resource

    return named.ask(named.find(name), resource.store(), dict(given), rows)


OF_THE_STORE = (triples, description, query)  # what asks the store, and waits where it is still being built
