"""`loophole ask`: the answer to a case, as text, tree, JSON, RDF or picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from api import cli_batch, screen
from api.cli_plain import Plain
from api.terminal import Json, complain, indented, out, out_json, refuse, width, write
from kb.errors import CaseError

if TYPE_CHECKING:
    from rich.tree import Tree

    from kb.answers.parts import Part
    from kb.asking import Reading

STYLES = {"presumed": "[italic]", "open": "[red]", "rule": "[bold]", "quote": "[dim]", "own": "[cyan]"}


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(cls=Plain)(ask)


def ask(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[CASE]",
            help="A case file (YAML or JSON), - for standard input, or a question in English, in quotes.",
        ),
    ] = "",
    name: Annotated[
        str, typer.Option("--case", metavar="NAME", help="The case of that name, where the file holds several.")
    ] = "",
    book: Annotated[str, typer.Option(help="The book that a question in English is about.")] = "",
    as_json: Json = False,
    as_rdf: Annotated[bool, typer.Option("--rdf", help="Print the proof as RDF (Turtle, PROV-O).")] = False,
    as_tree: Annotated[bool, typer.Option("--tree", help="Draw the proof as a tree.")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="Print the chain as a Graphviz graph.")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="Draw the situation as SVG; with --tree, the proof.")] = False,
    reading: Annotated[list[str] | None, typer.Option(help="Adopt another reading: DISPUTE:OPTION.")] = None,
    chapter: Annotated[list[str] | None, typer.Option(help="Load only this chapter and what it builds on.")] = None,
    situation: Annotated[
        bool,
        typer.Option(
            "--situation", help="Say first how the case was understood: what it tells, and what that comes to."
        ),
    ] = False,
    flips: Annotated[bool, typer.Option(help="Say what would turn the answer.")] = True,
    edition: Annotated[str, typer.Option(help="Under this edition of the book (loophole errata lists them).")] = "",
    as_of: Annotated[str, typer.Option("--as-of", help="Under what was in force at this date: 2025-06.")] = "",
    without: Annotated[list[str] | None, typer.Option(help="Without this erratum.")] = None,
    proof_file: Annotated[
        Path | None,
        typer.Option(
            "--proof", metavar="FILE", help="Write the proof to a file that loophole certify checks anywhere."
        ),
    ] = None,
    also: Annotated[list[str] | None, typer.Option("--with", help="With this erratum, in force or not.")] = None,
    batch: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Answer every row: lines of JSON (.jsonl, or -), or a table of facts over --shape (.csv, .tsv, .parquet).",
        ),
    ] = "",
    shape: Annotated[
        Path | None, typer.Option(metavar="CASE", help="With --batch: the case over which the rows tell facts.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="With --batch: where the answers go (.jsonl, .csv, .parquet)."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="With --batch: processes that answer; by default one for each core.")
    ] = None,
    scheduler: Annotated[
        str, typer.Option(metavar="ADDRESS", help="With --batch: a Dask cluster that answers instead.")
    ] = "",
) -> None:
    """Answer the question of a case: the verdict first, then why. With --batch, of many."""
    if batch:
        one = [file, book, as_json, as_rdf, as_tree, as_dot, as_svg, situation, proof_file]
        if any(one) or not flips:
            refuse(
                684, "--batch answers rows, one line each, and takes no case and no other form", "ask the case alone"
            )
        options = {
            "chapters": tuple(chapter or ()), "readings": readings(reading or []), "edition": edition, "as_of": as_of,
            "without": tuple(without or ()), "also": tuple(also or ()),
        }  # fmt: skip
        cli_batch.answer(batch, shape, name, to, workers or 0, scheduler, options)
        return
    if shape is not None or to is not None or workers or scheduler:
        refuse(684, "--shape, --out, --workers and --scheduler go with --batch", "loophole ask --batch FILE")
    if not file:
        refuse(673, "loophole ask: missing argument 'CASE'", "see loophole ask --help; of many rows: --batch FILE")
    from kb import asking
    from kb.answers import explain

    english = in_english(file, book)
    if english is not None and english.unread:
        ask_back(english, as_json)
    found = asking.case(english.data if english is not None else read_case(file), name)
    chosen, adopted = tuple(chapter or ()), readings(reading or [])
    proof = asking.ask(found, chosen, adopted, edition, as_of, tuple(without or ()), tuple(also or ()))
    if proof_file is not None:
        import json

        write(proof_file, json.dumps(asking.record(proof, flips), ensure_ascii=False) + "\n", "--proof")
    if as_json:
        told = {"english": english.to_json()} if english is not None else {}
        out_json({**asking.record(proof, flips), **told})
    elif as_rdf:
        from kb.graph import proofs

        out(proofs.of_proof(proof), fit=False)
    elif as_svg:
        from api import pictures, trees

        title = explain.headline(proof)
        chain = trees.of_proof(explain.outline(proof, flips=False), title, standalone=True) if as_tree else ""
        out(chain or pictures.situation(proof, title), fit=False)
    elif as_dot:
        out(explain.dot(proof), fit=False)
    elif as_tree:
        draw(explain.outline(proof, asking.quotes(proof.theory), flips, situation))
    else:
        if english is not None:
            out(understood(english))
        said = explain.text(proof, asking.quotes(proof.theory), flips, width(), situation or english is not None)
        out(screen.painted(said))
    unread(proof.case.book)


def unread(book: str) -> None:
    """Complains of the reader's own texts of a book that are damaged: the answer stands without their words."""
    from kb.texts import shelf

    for problem in shelf.damaged(book) if shelf.folders(book) else ():
        complain(f"{problem}\n  the answer does not turn on it; what it would be quoted with is left out")


def in_english(said: str, book: str) -> Reading | None:
    """A question in English as it is understood; None for a file or standard input. Raises CaseError (E464, E465)."""
    from kb import asking

    named = Path(said).suffix in (".yaml", ".yml", ".json") or " " not in said.strip() or Path(said[:250]).exists()
    return None if named else asking.in_english(said, book)


def understood(english: Reading) -> str:
    """What a question in English was understood as, for correction."""
    return f"UNDERSTOOD AS\n{indented(english.yaml)}\n"


def ask_back(english: Reading, as_json: bool) -> NoReturn:
    """Shows what was understood and asks what was not. Raises CaseError (E463)."""
    if as_json:
        out_json({"verdict": None, "answer": None, "english": english.to_json()})
    elif english.data:
        out(understood(english))
    raise CaseError(english.problems())


def read_case(case: str) -> Path | str:
    """A path, or the text of standard input for `-`. Raises CommandError for bytes there that are no text (E675)."""
    if case != "-":
        return Path(case)
    if sys.stdin.isatty():
        screen.waiting.stop()
        complain("reading a case from the keyboard; end it with Ctrl-D")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        refuse(675, "standard input is not UTF-8 text", "give a case in YAML or JSON")


def readings(given: list[str]) -> dict[str, str]:
    """Dispute to option. Raises CommandError (E680)."""
    found = {}
    for item in given:
        dispute, sep, option = item.partition(":")
        if not sep:
            refuse(680, f"--reading: “{item}” is not DISPUTE:OPTION", "see loophole rule, which tells disputes")
        found[dispute.strip()] = option.strip()
    return found


def draw(part: Part) -> None:
    """Prints an outline as a tree."""
    from rich.console import Console
    from rich.markup import escape
    from rich.tree import Tree

    def grow(tree: Tree, parts: tuple[Part, ...]) -> None:
        for below in parts:
            grow(tree.add(f"{STYLES.get(below.kind, '')}{escape(below.text)}"), below.parts)

    tree = Tree(f"[bold]{escape(part.text)}", guide_style="dim")
    grow(tree, part.parts)
    Console(highlight=False).print(tree)
