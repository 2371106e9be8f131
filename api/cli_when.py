"""`loophole when`: the conditions under which an act may be done, as the shortest table that is equal to the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from api.terminal import Book, out, out_json, out_list, refuse, width

if TYPE_CHECKING:
    from kb.research.decisions.table import DecisionTable, Difference

Classes = list[str]
TELLS = {"destination": "--into ", "from": "--from ", "place": "--at ", "target": "--target ", "actor": "--by "}


class Form(StrEnum):
    """How a table is printed."""

    table = "table"
    tree = "tree"
    csv = "csv"
    dmn = "dmn"
    json = "json"
    md = "md"


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(when)


def when(
    act: Annotated[str, typer.Argument(metavar="ACT", help="A kind of act: Entry, “fire”, SetUp.")],
    into: Annotated[Classes | None, typer.Option(help="What it leads into: a kind, “enemy pillbox”.")] = None,
    from_: Annotated[Classes | None, typer.Option("--from", help="What it is done from.")] = None,
    at: Annotated[Classes | None, typer.Option(help="The place it is done at.")] = None,
    target: Annotated[Classes | None, typer.Option(help="What it is done to.")] = None,
    by: Annotated[Classes | None, typer.Option(help="Who does it.")] = None,
    role: Annotated[Classes | None, typer.Option(help="Any other relation of the act: weapon=Mortar.")] = None,
    form: Annotated[Form, typer.Option("--as", help="table, tree, csv, dmn, json or md.")] = Form.table,
    diff: Annotated[
        str, typer.Option(help="Where another book, edition, reading or choice of chapters differs: reading=DISPUTE:OPTION, edition=ID, chapters=B30, without=ERRATUM, book=ID.")
    ] = "",
    readings: Annotated[bool, typer.Option("--readings", help="Where each other reading of an ambiguous rule matters.")] = False,
    shares: Annotated[bool, typer.Option("--shares", help="How much of the shape each outcome and rule has.")] = False,
    book: Book = "",
    edition: Annotated[str, typer.Option(help="Of the book, instead of the one that the rulebook encodes.")] = "",
    module: Annotated[list[str] | None, typer.Option(help="A module of the book that is in force; may be given again.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the same as --as json.")] = False,
) -> None:  # fmt: skip
    """Show when an act may be done and when not: the shortest list of conditions that is equal to the rules, with cites."""
    from kb.research.decisions import asked, formats, table as tables

    told = {"destination": into, "from": from_, "place": at, "target": target, "actor": by}
    roles = {name: words for name, words in told.items() if words} | named_roles(role or [])
    case, rules = asked.posed(act, book, roles, tuple(module or ()), edition)
    try:
        if diff.startswith(asked.BOOK):
            out_list(formats.of_books(asked.beside(case, act, roles, diff.removeprefix(asked.BOOK), rules), width()))
        elif diff:
            differing(asked.difference(case, diff, rules), diff)
        elif readings:
            out("\n\n".join(rivals(asked.rivals(case, rules))) or "no other reading of an ambiguous rule matters to it")
        else:
            show(tables.table(rules, case), Form.json if as_json else form, shares)
    except tables.TooWide as fault:
        first = [
            f"{TELLS.get(name, f'--role {name}=')}KIND{tables.told_apart(kinds)}" for name, kinds in fault.first.items()
        ]
        hint = (
            f"tell more of it, best {' or '.join(first)}"
            if first
            else "tell more of it: --into, --target, --by, --from, --role"
        )
        refuse(689, f"the rules on {act} turn on too many facts for one table", hint)


def named_roles(words: list[str]) -> dict[str, list[str]]:
    """The relations that `--role NAME=KIND` names. Raises CommandError (E693)."""
    found: dict[str, list[str]] = {}
    for word in words:
        name, sep, kind = word.partition("=")
        if not (sep and kind):
            refuse(693, f"--role: “{word}” names no relation and kind", "write --role weapon=Mortar")
        found.setdefault(name, []).append(kind)
    return found


def show(made: DecisionTable, form: Form, shares: bool) -> None:
    """Prints a table."""
    from kb.research.decisions import formats, table as tables

    match form:
        case Form.json:
            out_json(formats.to_json(made))
        case Form.csv:
            out(formats.as_csv(made), fit=False)
        case Form.dmn:
            out(formats.as_dmn(made), fit=False)
        case Form.md:
            out(formats.as_markdown(made), fit=False)
        case Form.tree:
            out_list(formats.as_tree(made, width()))
        case _:
            out_list(tables.text(made, width()))
    if shares:
        out(f"\n{tables.shares_text(made)}")


def differing(found: Difference, said: str) -> None:
    """Prints where other rules say otherwise. said: which."""
    from kb.research.decisions.text import differences

    if not found.rows:
        out(f"{found.table.title}: no difference in the shape")
    else:
        out(f"{found.table.title}\n\n{differences(found.table, found.rows, ('as it is', said), width())}")


def rivals(found: Iterable[tuple[str, str, str, Difference]]) -> Iterator[str]:
    """For each other reading of an ambiguous rule that matters to an act: where it does, and what the act comes to by each."""
    from kb.research.decisions.text import differences

    for dispute, adopted, option, row in found:
        names = (f"read as “{adopted}”", f"as “{option}”")
        yield f"{dispute}\n{differences(row.table, row.rows, names, width())}"
