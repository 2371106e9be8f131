"""`loophole when`: the conditions under which an act may be done, as the shortest table that is equal to the rules."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from api.terminal import Book, out, out_json, out_list, refuse, width

if TYPE_CHECKING:
    from kb.language.case import Case
    from kb.rulebook.theory import Kind, Theory

Classes = list[str]


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
    told = {"destination": into, "from": from_, "place": at, "target": target, "actor": by}
    roles = {name: words for name, words in told.items() if words} | named_roles(role or [])
    book = book or home(act, roles)
    from kb.decisions import table as tables

    case = situation(book, act, roles, tuple(module or ()))
    rules = theory(case, edition=edition)
    try:
        if diff:
            differ(case, act, roles, rules, diff)
        elif readings:
            out("\n\n".join(rivals(case, rules)) or "no other reading of an ambiguous rule changes when it may be done")
        else:
            show(tables.table(rules, case), Form.json if as_json else form, shares)
    except tables.TooWide:
        refuse(
            689,
            f"the rules on {act} turn on too many facts for one table",
            "tell more of it: --into, --target, --by, --from, --role",
        )


def named_roles(words: list[str]) -> dict[str, list[str]]:
    """The relations that `--role NAME=KIND` names. Raises CommandError (E693)."""
    found: dict[str, list[str]] = {}
    for word in words:
        name, sep, kind = word.partition("=")
        if not (sep and kind):
            refuse(693, f"--role: “{word}” names no relation and kind", "write --role weapon=Mortar")
        found.setdefault(name, []).append(kind)
    return found


def home(act: str, roles: dict[str, list[str]]) -> str:
    """The book that speaks of such an act, done to such things: of several the first. Raises the fault of the first where none does."""
    from kb import registry
    from kb.errors import LoopholeError

    first: LoopholeError | None = None
    for name in registry.books():
        try:
            case = situation(name, act, roles)
        except LoopholeError as fault:
            first = first or fault
            continue
        if theory(case).deontic_of(kind_of(case), "may"):
            return name
    if first is not None:
        raise first
    refuse(691, f"no rule of any book says whether {act} may be done", "see loophole terms act")


def kind_of(case: Case) -> Kind:
    """The kind of the act of a case."""
    facts = case.things[case.question.thing]
    return theory(case).kind_of(facts.is_, facts.not_)


def situation(book: str, act: str, roles: dict[str, list[str]], modules: tuple[str, ...] = ()) -> Case:
    """The situation that is asked about. Raises CaseError or CommandError (E692) for words that the book does not know."""
    from msgspec.structs import replace

    from kb import asking, registry
    from kb.answers.interview import spoken
    from kb.decisions import table as tables
    from kb.errors import did_you_mean
    from kb.yaml_document import Source

    terms = registry.vocabulary(book)
    kinds: dict[str, tuple[str, ...]] = {}
    for name, words in roles.items():
        if name not in terms.properties or terms.properties[name].kind != "object":
            known = [n for n, term in terms.properties.items() if term.kind == "object"]
            refuse(
                692, f"{book} has no relation “{name}” of an act", did_you_mean(name, known) or "see loophole terms act"
            )
        found: list[str] = []
        for word in words:
            classes = spoken(terms, word)
            if not classes:
                labels = [n for term in terms.classes.values() for n in (term.name, term.label, *term.alt)]
                refuse(692, f"{book} has no kind “{word}”", did_you_mean(word, labels) or "see loophole terms")
            found += classes
        kinds[name] = tuple(dict.fromkeys(found))
    case = tables.situation(terms, book, act, kinds)
    named = tuple(asking.module_named(registry.book(book), m, Source()) for m in modules)
    return replace(case, modules=named)


def theory(
    case: Case, chapters: tuple[str, ...] = (), reading: str = "", edition: str = "", without: tuple[str, ...] = ()
) -> Theory:
    """The rules that a situation is asked of."""
    from kb import asking, registry

    under = registry.in_edition(case.book, edition, "", without, ())
    wanted = dict([reading.split(":", 1)]) if ":" in reading else {}
    adopted = registry.SHIPPED.known_readings(case.book, wanted, under.toggled)
    return asking.Manner(chapters, adopted, under, registry.SHIPPED).theory(case)


def show(made: object, form: Form, shares: bool) -> None:
    """Prints a table."""
    from kb.decisions import formats, table as tables

    assert isinstance(made, tables.DecisionTable)
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


def differ(case: Case, act: str, roles: dict[str, list[str]], rules: Theory, diff: str) -> None:
    """Prints where other rules say otherwise. Raises CommandError (E693) where it is not said which."""
    from kb.decisions import table as tables
    from kb.decisions.text import differences

    what, sep, name = diff.partition("=")
    if not sep or what not in ("edition", "reading", "chapters", "without", "book"):
        refuse(
            693,
            f"--diff: “{diff}” names no other rules",
            "write edition=ID, reading=DISPUTE:OPTION, chapters=B30, without=ERRATUM or book=ID",
        )
    if what == "book":
        theirs = situation(name, act, roles)
        for made in (tables.table(rules, case), tables.table(theory(theirs), theirs)):
            out(f"{made.shape.theory.book}\n{tables.text(made, width())}\n")
        return
    others = {
        "edition": lambda: theory(case, edition=name), "reading": lambda: theory(case, reading=name),
        "chapters": lambda: theory(case, chapters=tuple(name.split(","))), "without": lambda: theory(case, without=(name,)),
    }[what]()  # fmt: skip
    found = tables.difference(rules, others, case)
    if not found.rows:
        out(f"{found.table.title}: no difference in the shape")
        return
    out(f"{found.table.title}\n\n{differences(found.table, found.rows, ('as it is', diff), width())}")


def rivals(case: Case, rules: Theory) -> Iterator[str]:
    """For each other reading of an ambiguous rule that matters to an act: where it does, and what the act comes to by each."""
    from kb.decisions import table as tables
    from kb.decisions.text import differences
    from kb.reasoner.counterfactuals import readings as of_rules

    for dispute, options in of_rules(rules).items():
        for option in options[1:]:
            found = tables.difference(rules, theory(case, reading=f"{dispute}:{option}"), case)
            if found.rows:
                names = (f"read as “{options[0]}”", f"as “{option}”")
                yield f"{dispute}\n{differences(found.table, found.rows, names, width())}"
