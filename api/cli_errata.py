"""`loophole errata`, `impact`, `accept` and `question`: changes of the rules, what they mean, and whom to ask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.terminal import Json, out, out_json, out_list, refuse, width, write

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    for command in (errata, impact, accept, question):
        app.command()(command)


def errata(
    name: Annotated[str, typer.Argument(metavar="[ID]", help="An erratum, or a rule; all when left out.")] = "",
    book: Annotated[str, typer.Option(help="Only this rulebook.")] = "",
    kind: Annotated[str, typer.Option(help="Only this kind: erratum, official-qa …")] = "",
    as_json: Json = False,
) -> None:
    """List the editions, errata and rulings, or show one: what changes, who says so, since when."""
    from kb.research import errata_page

    found = errata_page.found(name, book, kind)
    if as_json:
        out_json([errata_page.to_json(r) for r in found])
    elif name:
        out_list("\n\n".join(errata_page.text(r, width()) for r in found))
    else:
        out_list(errata_page.listing(found, book, width()))


def impact(
    target: Annotated[str, typer.Argument(help="An erratum, an edition, or a file with a draft record.")],
    other: Annotated[str, typer.Argument(metavar="[EDITION]", help="The later of two editions.")] = "",
    cases: Annotated[list[Path] | None, typer.Option(help="Cases to ask, beside the rulings on record.")] = None,
    facts: Annotated[int, typer.Option(min=0, max=12, help="How large an invented case may be.")] = 6,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, every proof in full.")] = False,
) -> None:
    """Say what a change means: the answers that it turns, and the smallest invented case that flips."""
    from kb.research import impact as impacts

    paths = cases if cases is not None else [EXAMPLES] if EXAMPLES.is_dir() else []
    if missing := [str(p) for p in paths if not p.exists()]:
        refuse(675, f"--cases: there is no {', '.join(missing)}", "name case files, or folders of them")
    if Path(target).suffix == ".md" or Path(target).is_file():
        found = impacts.of_draft(Path(target), paths, facts)
    elif other:
        found = impacts.of_editions(impacts.book_of(target), target, other, paths, facts)
    else:
        found = impacts.of_record(impacts.book_of(target), target, paths, facts)
    if as_json:
        out_json(impacts.to_json(found))
    else:
        out(impacts.text(found, width()))


def accept(
    ruling: Annotated[str, typer.Argument(help="The ruling on record.")],
    to: Annotated[Path | None, typer.Option(help="The file to write; shown when left out.")] = None,
    file: Annotated[Path | None, typer.Option(help="The file of records that holds it, if it is not shipped.")] = None,
) -> None:
    """Make a ruling an interpretation norm: a draft record that says so, for loophole impact and for the checks."""
    from kb.research import rulings

    out(written(rulings.accepted(rulings.named(ruling, file)), to), fit=False)


def question(
    one: Annotated[str, typer.Argument(metavar="[NORM]", help="A norm; all conflicts when left out.")] = "",
    other: Annotated[str, typer.Argument(metavar="[NORM]", help="The norm that says the opposite.")] = "",
    book: Annotated[str, typer.Option(help="The rulebook.")] = "",
    answer: Annotated[str, typer.Option(help="The designer's answer: yes or no.")] = "",
    by: Annotated[str, typer.Option(help="Whose answer: publisher, rules-editor, players, project.")] = "rules-editor",
    source: Annotated[str, typer.Option(help="Where the answer stands.")] = "not said",
    to: Annotated[Path | None, typer.Option(help="The file for the record of the answer; shown when left out.")] = None,
    most: Annotated[int, typer.Option(min=1, help="How many conflicts to tell.")] = 10,
) -> None:
    """Turn a conflict of two norms into a yes/no question for the designer, and the answer into a draft record."""
    from kb import registry
    from kb.research import conflicts

    books = [book] if book else registry.books()
    if not one:
        found = [c for b in books for c in conflicts.conflicts(b, most)][:most]
        out_list("\n\n".join(conflicts.text(c, width()) for c in found) if found else "no two norms meet undecided")
        return
    if not other:
        refuse(684, "one norm is no conflict", "give both norms, or none to see where two meet")
    said, who = yes(answer or "yes"), known(by)  # a slip is told before the norms are tried on each other
    home = next((b for b in books if one in registry.theory(b).norms), books[0])
    conflict = conflicts.between(home, one, other)
    if answer:
        out(written(conflicts.answered(conflict, said, who, source, kind_of(who)), to), fit=False)
    else:
        out(conflicts.text(conflict, width()))


def yes(answer: str) -> bool:
    """Whether an answer is yes. Raises CommandError (E680) where it is neither yes nor no."""
    if answer.casefold() not in ("yes", "no"):
        refuse(680, f"--answer: “{answer}” is neither yes nor no", "answer the question as it is put, with yes or no")
    return answer.casefold() == "yes"


def known(by: str) -> str:
    """An authority that there is. Raises CommandError (E680)."""
    from kb.errata import checks
    from kb.errors import did_you_mean

    if by not in checks.AUTHORITIES:
        hint = did_you_mean(by, checks.AUTHORITIES, "one of")
        refuse(680, f"--by: “{by}” is no authority", hint)
    return by


def kind_of(by: str) -> str:
    """The kind of record that an answer of that authority is."""
    from kb.errata import checks

    return checks.UNOFFICIAL if by == "players" else checks.OFFICIAL


def written(text: str, to: Path | None) -> str:
    """Writes a draft, or gives it to be shown. Raises CommandError (E677) for a file that exists: it is left alone."""
    if to is None:
        return text
    if to.exists():
        refuse(677, f"--to: {to} exists; it is left as it is", "name a file that is not there yet")
    write(to, text, "--to")
    return f"wrote {to}: look it over, then loophole impact {to}"
