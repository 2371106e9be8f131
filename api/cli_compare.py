"""`loophole compare`: one question put to every game, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.terminal import Json, out, out_json, out_list, width

if TYPE_CHECKING:
    from kb.cases.casebook import Written
    from kb.compare.compare import Answered


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(compare)


def compare(
    question: Annotated[
        list[str] | None, typer.Argument(help="A question in words, or the name of one (--list).")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="A question of your own: YAML, see docs/across-games.md.")] = None,
    book: Annotated[list[str] | None, typer.Option(help="Only this game; may be given again.")] = None,
    as_json: Json = False,
    listed: Annotated[bool, typer.Option("--list", help="The questions that can be asked by name.")] = False,
    word: Annotated[str, typer.Option(help="Only say what a word means in each game.")] = "",
) -> None:
    """Put one question to every game and show the answers side by side."""
    from kb.compare import compare as comparing, comparison, page as compare_page, question as compare_question

    sentence = " ".join(question or ())
    if word:
        out(compare_page.meanings_text(comparing.meanings(word), word, width()))
        return
    if listed or not (sentence or file):
        rows = comparison.named().values()
        if as_json:
            out_json([{"name": c.name, "question": c.question} for c in rows])
        else:
            out_list("\n".join(f"{c.name:26} {c.question}" for c in rows))
        return
    asked = comparison.read(file) if file is not None else compare_question.find(sentence, comparison.named())
    answered = comparing.answer(asked, tuple(book or ()))
    if as_json:
        out_json(compare_page.to_json(answered))
    else:
        show(answered)


def show(answered: Answered) -> None:
    """The answers as a table on the terminal; in a pipe as plain text of the same shape."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    from kb.compare import page as compare_page

    table = Table(show_lines=True, title_justify="left", expand=False)
    for name in ("game", "what", "answer", "rules", "because"):
        table.add_column(name, overflow="fold")
    for row in compare_page.grouped(answered):
        style = {"yes": "green", "no": "red"}.get(row.answer, "")
        table.add_row(
            escape(row.title), escape(row.what), Text(row.answer, style), escape(row.rules), escape(row.because)
        )
    console = Console(width=width(), highlight=False)
    with console.capture() as capture:
        console.print(table)
    out(f"{answered.comparison.question}\n{capture.get().rstrip()}")
    for note in compare_page.notes(answered, width()):
        out(note)


def tried(case: Written) -> str:
    """What the answers miss of what an expectation across games says; "" when all are as expected. Raises CaseError."""
    from kb.compare import (
        compare as comparing,
        comparison,
        expectations as compare_expect,
        page as compare_page,
        question as compare_question,
    )

    expected = compare_expect.read(case)
    asked = comparison.comparison(dict(expected.made)) if expected.made else None
    answered = comparing.answer(asked or compare_question.find(expected.compare, comparison.named()))
    found: list[Any] = compare_expect.mismatches(expected, answered)
    if not found:
        return ""
    given = [f"  {r.title}, {r.what}: {r.answer} ({r.rules or 'no rule'})" for r in compare_page.grouped(answered)]
    return "\n".join([*found, "", "the answers given:", *given])
