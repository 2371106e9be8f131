"""`loophole search`, `loophole sparql`, `loophole query` and `loophole push`: asking all that is known at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.terminal import FAILED, Json, complain, out, out_json, out_list, refuse, width

if TYPE_CHECKING:
    from kb.search.ranking import Found
    from kb.triplestore.named_queries import Named
    from kb.triplestore.results import Table

Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
StoreAt = Annotated[str, typer.Option("--store", help="memory, a folder, or an endpoint's URL (else LOOPHOLE_STORE).")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command()(search)
    app.command()(sparql)
    app.command()(query)
    app.command()(push)


def search(
    words: Annotated[list[str], typer.Argument(help="What you look for: words, terms, abbreviations, rule numbers.")],
    book: Annotated[str, typer.Option(help="Only in this book.")] = "",
    kind: Annotated[str, typer.Option(help="Only rule, term, erratum, ruling or own (your own text).")] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many to show.")] = 10,
    as_json: Json = False,
) -> None:
    """Search rules, terms, errata, rulings and your own text, by words as people type them."""
    from kb.search import ranking as searching

    found = searching.search(" ".join(words), book, kind, limit)
    if as_json:
        out_json(found.to_json())
    elif found.hits:
        out_list(listing(found))
    else:
        complain(f"nothing is found for “{found.query}”")
        raise typer.Exit(FAILED)


def listing(found: Found) -> str:
    """Hits for a reader: number, title, snippet, and why where other words led there; the facets at the end."""
    import textwrap

    lines = [f"“{typed}” is read as {taken}" for typed, taken in found.read_as if typed.casefold() != taken.casefold()]
    for h in found.hits:
        lines += ["", f"{h.number}  {h.title if h.title != h.number else ''}".rstrip() + f"  ({h.book}, {h.kind})"]
        lines += textwrap.wrap(h.snippet, width(), initial_indent="    ", subsequent_indent="    ")
        lines += textwrap.wrap("; ".join(h.why[:3]), width(), initial_indent="    [", subsequent_indent="     ")
        lines[-1] += "]" if h.why else ""
    said = [f"{name}: {', '.join(f'{v} {n}' for v, n in counts.items())}" for name, counts in found.facets.items()]
    return "\n".join([*lines, "", f"{len(found.hits)} of {found.total}  ({'; '.join(said)})"]).strip()


def sparql(
    query: Annotated[str, typer.Argument(help="SPARQL, a file that holds it, or - for standard input.")] = "-",
    store: StoreAt = "",
    rows: Annotated[int, typer.Option(min=1, help="At most this many rows.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="At most this long.")] = 10.0,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Ask anything in SPARQL: read only, prefixes supplied, stopped at limits of time and rows."""
    from kb.triplestore import sparql as asking
    from kb.triplestore.guard import checked
    from kb.triplestore.store import opened

    text, file = read(query)
    checked(text, file)  # before a store is made, which takes its time
    limits = asking.Limits(seconds=seconds, rows=rows)
    show(asking.ask(text, opened(store or None), limits, file), as_json, as_csv)


def read(query: str) -> tuple[str, str]:
    """The text of a query and the name of its file, if it is in one. Raises CommandError (E675)."""
    if query == "-":
        return sys.stdin.read(), ""
    path = Path(query)
    hint = "give a query, the path of a file that holds one, or - for standard input"
    try:
        if len(query) < 1000 and path.is_file():
            return path.read_text(encoding="utf-8"), query
    except UnicodeDecodeError:
        refuse(675, f"cannot read {query}: it is not UTF-8 text", hint)
    except (OSError, ValueError) as e:  # a query is no path, and may hold what no path may
        if not any(c in query for c in " \n{"):
            refuse(675, f"cannot read {query}: {e}", hint)
    if not any(c in query for c in " \n{"):
        refuse(675, f"there is no file “{query}”, and it is no query", hint)
    return query, ""


def show(found: Table, as_json: bool = False, as_csv: bool = False, empty: str = "") -> None:
    """A table as the reader asked for it; what was left out is said on standard error."""
    if as_json:
        out_json(found.json())
    elif as_csv:
        out(found.csv().replace("\r\n", "\n").rstrip("\n"), fit=False)
    elif found.kind == "ask":
        out("yes" if found.yes else "no")
    elif not found.rows:
        out(empty or "no rows")
    else:
        out_list(table(found.columns, found.shown()))
    if found.more:
        complain(f"only the first {len(found.rows)} rows are shown; there are more (--rows)")


def table(columns: Iterable[str], rows: list[list[str]]) -> str:
    """Rows under their columns, as wide as the terminal at most; in a pipe one line a row."""
    if not sys.stdout.isatty():
        return "\n".join(
            "\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in r) for r in [list(columns), *rows]
        )
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False)
    for name in columns:
        grid.add_column(name, overflow="fold")
    for row in rows:
        grid.add_row(*map(escape, row))
    console = Console(width=width(), highlight=False)
    with console.capture() as capture:
        console.print(grid)
    return capture.get().rstrip()


def query(
    name: Annotated[str, typer.Argument(help="The name of a query; without one they are listed.")] = "",
    rule: Annotated[str, typer.Option(help="A rule's number, in any form.")] = "",
    term: Annotated[str, typer.Option(help="A term, by name, label or abbreviation.")] = "",
    book: Annotated[str, typer.Option(help="A rulebook's id.")] = "",
    erratum: Annotated[str, typer.Option(help="The id of an erratum or a ruling.")] = "",
    store: StoreAt = "",
    rows: Annotated[int, typer.Option(min=1, help="At most this many rows.")] = 10_000,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Ask a named question of the whole graph; without a name, list the questions."""
    from kb.triplestore import named_queries
    from kb.triplestore.store import opened

    if not name:
        listed = named_queries.named().values()
        if as_json:
            out_json([described(q) for q in listed])
        else:
            out_list("\n".join(f"{q.name:22} {q.summary}{options(q)}" for q in listed))
        return
    found = named_queries.find(name)
    typed = {"rule": rule, "term": term, "book": book, "erratum": erratum}
    answer = named_queries.ask(found, opened(store or None), {k: v for k, v in typed.items() if v}, rows)
    show(answer, as_json, as_csv, f"no rows: {found.empty}")


def options(named: Named) -> str:
    """Its parameters as the options that give them."""
    return "".join(f" [--{p.name}]" for p in named.parameters)


def described(named: Named) -> dict[str, object]:
    """What it tells and takes, as JSON."""
    parameters = [{"name": p.name, "type": p.kind, "about": p.about} for p in named.parameters]
    return {"name": named.name, "summary": named.summary, "parameters": parameters, "empty": named.empty}


def push(
    endpoint: Annotated[str, typer.Argument(help="The endpoint's URL, as for LOOPHOLE_STORE.")],
    source: Annotated[str, typer.Option("--from", help="Another store to load from: memory or a folder.")] = "",
) -> None:
    """Load the whole graph into a SPARQL endpoint, each named graph in the place of its old self."""
    from kb.errors import Problem, QueryError
    from kb.triplestore.remote import Remote
    from kb.triplestore.store import MEMORY, Embedded, opened, pushed

    to = Remote.of(endpoint)  # before a store is made, which takes its time
    held = opened(source or MEMORY)
    if not isinstance(held, Embedded):
        raise QueryError(Problem(655, f"“{source}” is an endpoint itself", hint="--from takes memory or a folder"))
    graphs = triples = 0
    for name, n in pushed(held, to):
        graphs, triples = graphs + 1, triples + n
        out(f"{n:8}  {name}")
    out(f"{triples:8}  triples in {graphs} graphs")
