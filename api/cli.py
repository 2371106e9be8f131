"""The command line: `loophole ask CASE` and its sisters. Nothing heavy is imported before a command needs it.

Exit codes: 0 answered, 1 a test or check failed, 2 bad input.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api import cli_books, cli_compare, cli_errata, cli_export, cli_plain, cli_serve, cli_text

if TYPE_CHECKING:
    from rich.tree import Tree

    from kb.outline import Part

ANSWERED, FAILED, BAD = 0, 1, 2

app = typer.Typer(
    name="loophole", cls=cli_plain.PlainGroup, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="A rules knowledge base for tabletop wargames: yes or no, by which rule, and why the others lost.",
)  # fmt: skip
cli_serve.register(app)
cli_books.register(app)
cli_compare.register(app)

Book = Annotated[str, typer.Option(help="The rulebook's id, as in a case.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main(args: list[str] | None = None) -> int:
    """Runs the command line; returns the exit code. Bad input and mistakes are told in words, never as a traceback."""
    cli_plain.look_seldom()
    from kb.errors import LoopholeError

    given = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in given
    given = [a for a in given if a != "--debug"]
    try:
        code = cli_plain.only(app, given[0] if given else "")(given, standalone_mode=False)
        return code if isinstance(code, int) else ANSWERED
    except typer.Exit as e:
        return int(e.exit_code)
    except LoopholeError as e:
        complain(str(e))
        n = len(e.problems)
        complain(f"\n{n} problem{'s' if n != 1 else ''}")
        return BAD
    except (typer.Abort, KeyboardInterrupt):
        complain("stopped")
        return BAD
    except Exception as e:
        if hasattr(e, "show") and hasattr(
            e, "exit_code"
        ):  # a mistake on the command line; typer may carry its own click
            e.show()
            return BAD
        if debug:
            raise
        complain(f"this should not have happened: {type(e).__name__}: {e} (loophole --debug … shows where)")
        return BAD


def complain(said: str) -> None:
    print(said, file=sys.stderr)


def out(said: str) -> None:
    """Prints plain text: rule texts hold brackets, which no markup may eat. A reader who has gone ends the command."""
    try:
        print(said, flush=True)
    except UnicodeEncodeError:
        sys.stdout.buffer.write((said + "\n").encode("utf-8", "replace"))
    except BrokenPipeError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(ANSWERED) from None


def width() -> int:
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 110)


# ── ask ──


@app.command(cls=cli_plain.Plain)
def ask(
    case: Annotated[str, typer.Argument(help="A case file (YAML or JSON), or - for standard input.")],
    as_json: Json = False,
    as_rdf: Annotated[bool, typer.Option("--rdf", help="Print the proof as RDF (Turtle, PROV-O).")] = False,
    as_tree: Annotated[bool, typer.Option("--tree", help="Draw the proof as a tree.")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="Print the chain as a Graphviz graph.")] = False,
    reading: Annotated[list[str] | None, typer.Option(help="Adopt another reading: DISPUTE:OPTION.")] = None,
    chapter: Annotated[list[str] | None, typer.Option(help="Load only this chapter and what it builds on.")] = None,
    flips: Annotated[bool, typer.Option(help="Say what would turn the answer.")] = True,
    edition: Annotated[str, typer.Option(help="Under this edition of the book (loophole errata lists them).")] = "",
    as_of: Annotated[str, typer.Option("--as-of", help="Under what was in force at this date: 2025-06.")] = "",
    without: Annotated[list[str] | None, typer.Option(help="Without this erratum.")] = None,
    also: Annotated[list[str] | None, typer.Option("--with", help="With this erratum, in force or not.")] = None,
) -> None:
    """Answer the question of a case: the verdict first, then why."""
    from kb import explain, pipeline

    found = pipeline.case(read_case(case))
    chosen, adopted = tuple(chapter or ()), readings(reading or [])
    proof = pipeline.ask(found, chosen, adopted, edition, as_of, tuple(without or ()), tuple(also or ()))
    if as_json:
        import json

        from kb import record

        out(json.dumps(record.to_json(proof, flips=flips), ensure_ascii=False, indent=2))
    elif as_rdf:
        out(turtle(proof))
    elif as_dot:
        out(explain.dot(proof))
    elif as_tree:
        draw(explain.outline(proof, pipeline.quotes(proof.theory), flips))
    else:
        out(explain.text(proof, pipeline.quotes(proof.theory), flips, width()))


def turtle(proof: Any) -> str:
    """The proof as RDF, by the module that exports proofs."""
    import importlib

    try:
        exporter = importlib.import_module("kb.rdf")
    except ModuleNotFoundError:
        raise typer.BadParameter("this installation exports no RDF", param_hint="--rdf") from None
    return str(exporter.of_proof(proof))


def read_case(case: str) -> Any:
    """A path, or the text of standard input for `-`."""
    if case != "-":
        return Path(case)
    if sys.stdin.isatty():
        complain("reading a case from the keyboard; end it with Ctrl-D")
    return sys.stdin.read()


def readings(given: list[str]) -> dict[str, str]:
    found = {}
    for item in given:
        dispute, sep, option = item.partition(":")
        if not sep:
            raise typer.BadParameter(f"“{item}” is not DISPUTE:OPTION", param_hint="--reading")
        found[dispute.strip()] = option.strip()
    return found


def draw(part: Part) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    def grow(tree: Tree, parts: tuple[Part, ...]) -> None:
        for below in parts:
            style = {"presumed": "[italic]", "open": "[red]", "rule": "[bold]", "quote": "[dim]", "own": "[cyan]"}.get(
                below.kind, ""
            )
            grow(tree.add(f"{style}{escape(below.text)}"), below.parts)

    tree = Tree(f"[bold]{escape(part.text)}", guide_style="dim")
    grow(tree, part.parts)
    Console(highlight=False).print(tree)


# ── interview ──


@app.command()
def interview(
    act: Annotated[str, typer.Argument(help="A kind of act: Move, fire, …")],
    book: Annotated[str, typer.Option(help="The rulebook; needed where there are several.")] = "",
    must: Annotated[bool, typer.Option("--must", help="Ask whether it has to be done, not whether it may be.")] = False,
    answers: Annotated[Path | None, typer.Option(help="Take the answers from a file, one a line.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the case that was built.")] = None,
) -> None:
    """Ask only what still matters, the best question first, until the answer is settled."""
    from kb import explain, pipeline
    from kb.errors import CaseError
    from kb.interview import Interview

    reply = replies(answers)
    talk = Interview(pipeline.theory(book or only_book(act)), act, "must" if must else "may")
    while question := talk.next():
        out(f"\n{question.text}\n  why: {question.why}")
        if question.options:
            out(f"  such as: {', '.join(question.options)}")
        said = reply()
        if said is None:
            complain("no more answers; this is how it stands")
            break
        try:
            talk.answer(question, said)
        except CaseError as e:
            complain(str(e))
    out("\n" + explain.text(talk.proof, pipeline.quotes(talk.theory), width=width()))
    if save is not None:
        save.write_text(as_yaml(talk.data()), encoding="utf-8")
        out(f"\nthe case is in {save}")
    else:
        out("\nthe case:\n\n" + indented(as_yaml(talk.data())))


def only_book(act: str) -> str:
    """The one book that knows the act."""
    from kb import pipeline

    books = pipeline.books()
    known = [b for b in books if pipeline.vocabulary(b).resolve(act, [pipeline.vocabulary(b).classes])]
    if len(known or books) != 1:
        raise typer.BadParameter(f"say which book: {', '.join(known or books)}", param_hint="--book")
    return (known or books)[0]


def replies(answers: Path | None) -> Callable[[], str | None]:
    """Where answers come from: a file, the keyboard, or lines piped in; None when there are no more."""
    lines: Iterator[str]
    if answers is not None:
        try:
            lines = iter(answers.read_text(encoding="utf-8").splitlines())
        except OSError as e:
            raise typer.BadParameter(f"cannot read {answers}: {e.strerror}", param_hint="--answers") from None
    elif sys.stdin.isatty():
        return lambda: typer.prompt(
            "yes, no, unknown, a class, a number or a name", default="unknown", prompt_suffix="> "
        )
    else:
        lines = (line.rstrip("\n") for line in sys.stdin)

    def reply() -> str | None:
        said = next(lines, None)
        if said is not None:
            out(f"> {said}")
        return said

    return reply


def as_yaml(data: dict[str, Any]) -> str:
    """A case as people write it: one line for each thing."""
    import json

    def flow(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return flow(value[0]) if len(value) == 1 else "[" + ", ".join(map(flow, value)) + "]"
        plain = isinstance(value, str) and value.replace("-", "").replace(".", "").isalnum() and not value[0].isdigit()
        return str(value) if plain else json.dumps(value, ensure_ascii=False)

    out_ = [f"book: {data['book']}", "things:"]
    out_ += [f"  {name}: {flow(facts)}" for name, facts in data["things"].items()]
    return "\n".join([*out_, f"ask: {flow(data['ask'])}"]) + "\n"


# ── rules and terms ──


@app.command()
def rule(number: Annotated[str, typer.Argument(metavar="ID")], book: Book = "", as_json: Json = False) -> None:
    """Show a rule: our paraphrase, its norms and exceptions, what it refers to and what refers to it."""
    from kb import errata, errata_page, lookup, pipeline

    books = [book] if book else pipeline.books()
    found = lookup.rule(errata_page.base_number(number, books), books, pipeline.theory)
    ledger = errata.ledger(found.theory.book)
    if as_json:
        import json

        remarks = cli_text.remarks_json(found.theory.book, found.section.rule)
        record = {**lookup.to_json(found), "errata": [r.id for r in errata.for_rule(ledger, found.section.rule)]}
        record |= {"imported": remarks} if remarks else {}
        out(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        said = lookup.text(found, pipeline.quotes(found.theory), width())
        said = f"{said}\n{errata_page.beside(found.theory.book, found.section.rule, width())}".rstrip()
        remarks_ = cli_text.remarks(found.theory.book, found.section.rule, width())
        out(f"{said}\n{remarks_}".rstrip())


@app.command()
def terms(
    word: Annotated[str, typer.Argument(help="A name, label, abbreviation, or a part of one.")] = "",
    book: Book = "",
    as_json: Json = False,
) -> None:
    """Look up the words that a case may use."""
    from kb import lookup, pipeline

    rows = [row for b in ([book] if book else pipeline.books()) for row in lookup.terms(pipeline.vocabulary(b), word)]
    if as_json:
        import json

        out(json.dumps([lookup.term_json(r) for r in rows], ensure_ascii=False, indent=2))
    elif rows:
        out(
            "\n\n".join(lookup.term_text(r, width()) for r in rows)
            if word
            else "\n".join(lookup.term_line(r, width()) for r in rows)
        )
    else:
        complain(lookup.no_term(word, [pipeline.vocabulary(b) for b in ([book] if book else pipeline.books())]))
        raise typer.Exit(BAD)


# ── tests and checks ──


@app.command()
def test(
    paths: Annotated[
        list[Path], typer.Argument(help="Case files with `expect`, files of rulings (errata/*.md), or folders of them.")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the mismatches and the counts.")] = False,
) -> None:
    """Ask each case and compare the answer with what it expects."""
    from kb import pipeline
    from kb.errors import CaseError

    files = list(case_files(paths))
    if not files:
        raise typer.BadParameter("no case files (*.yaml, *.yml, *.json) there", param_hint="PATHS")
    passed = failed = bad = 0
    for file in files:
        if file.suffix == ".md":
            right, wrong = cli_errata.test_records(file, out, quiet)
            passed, failed = passed + right, failed + wrong
            continue
        try:
            across = cli_compare.is_comparison(file)
            report = cli_compare.tried(file) if across else tried(pipeline.case(file))
        except CaseError as e:
            bad += 1
            complain(f"{file}: not a case\n{indented(str(e))}")
            continue
        if report:
            failed += 1
            out(f"{file}: FAILED\n{indented(report)}\n")
        else:
            passed += 1
            if not quiet:
                out(f"{file}: passed")
    said = f"{passed} passed, {failed} failed"
    out(said + (f", {bad} could not be read" if bad else ""))
    if failed or bad:
        raise typer.Exit(BAD if bad else FAILED)


def case_files(paths: list[Path]) -> Any:
    for path in paths:
        if path.is_dir():
            kinds = (".yaml", ".yml", ".json")
            found = (
                f for f in path.rglob("*") if f.suffix in kinds or (f.suffix == ".md" and f.parent.name == "errata")
            )
            yield from sorted(f for f in found if f.is_file())
        else:
            yield path


def tried(case: Any, seen: Callable[[Any], object] = bool) -> str:
    """What a case's answer misses, with both chains; "" when it is as expected. seen: is shown the proof."""
    from kb import expect, explain, pipeline

    if not case.expect:
        return "the case has no “expect”: nothing to test"
    proof = pipeline.ask(case)
    seen(proof)
    found = expect.mismatches(proof)
    if not found:
        return ""
    return "\n".join([*found, "", "the answer given:", indented(explain.text(proof, flips=False, width=width() - 4))])


def indented(said: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in said.splitlines())


@app.command()
def check() -> None:
    """Read and link every rulebook, and see that what is built from the ontology is current."""
    from api import checks

    if not checks.run(out):
        raise typer.Exit(FAILED)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the case format."""
    import json

    from kb import schema as schemas

    out(json.dumps(schemas.case_schema(schemas.vocabularies()), ensure_ascii=False, indent=2))


# ── the reader's own texts ──

cli_text.register(app, out, width)


from api import cli_compare, cli_query  # noqa: E402

cli_compare.register(app)
cli_query.register(app)
cli_errata.register(app, out, width)
cli_export.register(app, out, case_files)

if __name__ == "__main__":
    sys.exit(main())
