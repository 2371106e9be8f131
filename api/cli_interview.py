"""`loophole interview`: asks what still matters, and writes down the case that the answers make."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api import screen
from api.terminal import complain, indented, out, read, refuse, width, write

if TYPE_CHECKING:
    from kb.answers.interview import Asked

Reply = Callable[[], str | None]


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(interview)


def interview(
    act: Annotated[str, typer.Argument(help="A kind of act: Move, fire, …")],
    book: Annotated[str, typer.Option(help="The rulebook; needed where there are several.")] = "",
    must: Annotated[bool, typer.Option("--must", help="Ask whether it has to be done, not whether it may be.")] = False,
    asks: Annotated[
        str, typer.Option(help="What is asked: may, must, effects, the name of a number (TEM) or of a kind.")
    ] = "may",
    answers: Annotated[Path | None, typer.Option(help="Take the answers from a file, one a line.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the case that was built.")] = None,
) -> None:
    """Ask only what still matters, the best question first, until the answer is settled."""
    from kb import asking, registry
    from kb.answers import explain
    from kb.answers.interview import HELP, WHY, Interview
    from kb.errors import CaseError

    reply = replies(answers)
    talk = Interview(registry.theory(book or only_book(act)), act, "must" if must else asks, asking.rules)
    shown = None
    while question := talk.next():
        if question is not shown:
            put(question)
        shown = question
        said = reply()
        if said is None:
            complain("no more answers; this is how it stands")
            break
        if said.strip().casefold() in WHY:
            out("\n".join(rules_of(talk.reasons(question)) or [f"  {question.why}"]))
            continue
        if said.strip().casefold() in HELP:
            out(indented("\n".join(talk.help(question))))
            continue
        try:
            talk.answer(question, said)
        except CaseError as e:
            complain(str(e))
            shown = None
    out("\n" + screen.painted(explain.text(talk.proof, asking.quotes(talk.theory), width=width())))
    if save is not None:
        write(save, talk.text(), "--save")
        out(f"\nthe case is in {save}")
    else:
        out("\nthe case:\n\n" + indented(talk.text()), fit=False)


def put(question: Asked) -> None:
    """A question, why it is asked, and what may be answered."""
    out(f"\n{question.text}\n  why: {question.why}")
    if question.options:
        out(f"  such as: {', '.join(question.options)}")


def rules_of(reasons: list[tuple[str, str, str]]) -> list[str]:
    """Each rule with its title and what it says."""
    return [textwrap.fill(f"{rule} {title}: {text}", width(), initial_indent="  ", subsequent_indent="    ") for rule, title, text in reasons]  # fmt: skip


def only_book(act: str) -> str:
    """The one book that knows the act. Raises CommandError: E681 where several do, E682 where none does."""
    from kb import registry
    from kb.errors import did_you_mean

    vocabularies = {b: registry.vocabulary(b) for b in registry.books()}
    known = [b for b, terms in vocabularies.items() if terms.resolve(act, [terms.classes])]
    if len(known) > 1:
        refuse(681, f"several books know “{act}”", f"say which: {', '.join(f'--book {b}' for b in known)}")
    if not known:
        classes = [c for terms in vocabularies.values() for c in terms.classes.values() if "Act" in c.ancestors]
        acts = [name for c in classes for name in (c.name, c.label, *c.alt)]
        refuse(682, f"no book knows an act “{act}”", did_you_mean(act, acts) or "see loophole terms act")
    return known[0]


def replies(answers: Path | None) -> Reply:
    """Where answers come from: a file, the keyboard, or lines piped in; None when there are no more."""
    lines: Iterator[str]
    if answers is not None:
        lines = iter(read(answers).splitlines())
    elif sys.stdin.isatty():
        screen.waiting.stop()  # it is the player who takes his time
        return lambda: typer.prompt(
            "yes, no, unknown, a kind, a number or a name; back, why, help", default="unknown", prompt_suffix="> "
        )
    else:
        lines = (line.rstrip("\n") for line in sys.stdin)

    def reply() -> str | None:
        said = next(lines, None)
        if said is not None:
            out(f"> {said}")
        return said

    return reply
