"""`loophole errata`, `loophole impact` and `loophole question`: changes of the rules, what they mean, and whom to ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

Out = Callable[[str], None]
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def register(app: typer.Typer, out: Out, width: Callable[[], int]) -> None:
    """Adds the commands to the command line. out: prints; width: of the terminal, in characters."""

    @app.command("errata")
    def errata(
        name: Annotated[str, typer.Argument(metavar="[ID]", help="An erratum, or a rule; all when left out.")] = "",
        book: Annotated[str, typer.Option(help="Only this rulebook.")] = "",
        kind: Annotated[str, typer.Option(help="Only this kind: erratum, official-qa …")] = "",
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ) -> None:
        """List the editions, errata and rulings, or show one: what changes, who says so, since when."""
        from kb import errata_page

        found = errata_page.found(name, book, kind)
        if as_json:
            out(json.dumps([errata_page.to_json(r) for r in found], ensure_ascii=False, indent=2))
        elif name:
            out("\n\n".join(errata_page.text(r, width()) for r in found))
        else:
            out(errata_page.listing(found, book, width()))

    @app.command("impact")
    def impact(
        target: Annotated[str, typer.Argument(help="An erratum, an edition, or a file with a draft record.")],
        other: Annotated[str, typer.Argument(metavar="[EDITION]", help="The later of two editions.")] = "",
        cases: Annotated[list[Path] | None, typer.Option(help="Cases to ask, beside the rulings on record.")] = None,
        facts: Annotated[int, typer.Option(min=0, max=12, help="How large an invented case may be.")] = 6,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON, every proof in full.")] = False,
    ) -> None:
        """Say what a change means: the answers that it turns, and the smallest invented case that flips."""
        from kb import impact as impacts

        paths = cases if cases is not None else [EXAMPLES] if EXAMPLES.is_dir() else []
        if missing := [str(p) for p in paths if not p.exists()]:
            raise typer.BadParameter(f"there is no {', '.join(missing)}", param_hint="--cases")
        if Path(target).suffix == ".md" or Path(target).is_file():
            found = impacts.of_draft(Path(target), paths, facts)
        elif other:
            found = impacts.of_editions(impacts.book_of(target), target, other, paths, facts)
        else:
            found = impacts.of_record(impacts.book_of(target), target, paths, facts)
        rows: Any = impacts.to_json(found) if as_json else None
        out(json.dumps(rows, ensure_ascii=False, indent=2) if as_json else impacts.text(found, width()))

    @app.command("accept")
    def accept(
        ruling: Annotated[str, typer.Argument(help="The ruling on record.")],
        to: Annotated[Path | None, typer.Option(help="The file to write; shown when left out.")] = None,
        file: Annotated[
            Path | None, typer.Option(help="The file of records that holds it, if it is not shipped.")
        ] = None,
    ) -> None:
        """Make a ruling an interpretation norm: a draft record that says so, for loophole impact and for the records."""
        from kb import rulings

        out(written(rulings.accepted(rulings.named(ruling, file)), to))

    @app.command("question")
    def question(
        one: Annotated[str, typer.Argument(metavar="[NORM]", help="A norm; all conflicts when left out.")] = "",
        other: Annotated[str, typer.Argument(metavar="[NORM]", help="The norm that says the opposite.")] = "",
        book: Annotated[str, typer.Option(help="The rulebook.")] = "",
        answer: Annotated[str, typer.Option(help="The designer's answer: yes or no.")] = "",
        by: Annotated[
            str, typer.Option(help="Whose answer: publisher, rules-editor, players, project.")
        ] = "rules-editor",
        source: Annotated[str, typer.Option(help="Where the answer stands.")] = "not said",
        to: Annotated[
            Path | None, typer.Option(help="The file for the record of the answer; shown when left out.")
        ] = None,
        most: Annotated[int, typer.Option(min=1, help="How many conflicts to tell.")] = 10,
    ) -> None:
        """Turn a conflict of two norms into a yes/no question for the designer, and the answer into a draft record."""
        from kb import errata_model, pipeline, questions

        books = [book] if book else pipeline.books()
        if not one:
            found = [c for b in books for c in questions.conflicts(b, most)][:most]
            out("\n\n".join(questions.text(c, width()) for c in found) if found else "no two norms meet undecided")
            return
        if not other:
            raise typer.BadParameter("give both norms, or none", param_hint="NORM")
        home = next((b for b in books if one in pipeline.theory(b).norms), books[0])
        conflict = questions.between(home, one, other)
        if not answer:
            out(questions.text(conflict, width()))
            return
        if answer.casefold() not in ("yes", "no") or by not in errata_model.AUTHORITIES:
            raise typer.BadParameter(f"the answer is yes or no, by one of {', '.join(errata_model.AUTHORITIES)}")
        kind = errata_model.UNOFFICIAL if by == "players" else errata_model.OFFICIAL
        out(written(questions.answered(conflict, answer.casefold() == "yes", by, source, kind), to))


def written(text: str, to: Path | None) -> str:
    """Writes a draft, or gives it to be shown; an existing file is left alone."""
    if to is None:
        return text
    if to.exists():
        raise typer.BadParameter(f"{to} exists; it is left as it is", param_hint="--to")
    to.write_text(text, encoding="utf-8")
    return f"wrote {to}: look it over, then loophole impact {to}"


def test_records(file: Path, out: Out, quiet: bool) -> tuple[int, int]:
    """Asks every case of a file of records; how many are as they say and how many are not."""
    from kb import rulings

    passed = failed = 0
    for found in rulings.run(rulings.of_file(file)):
        name = f"{file}: {found.record.id}" + (f", {found.side}" if found.side else "")
        if found.misses:
            failed += 1
            out(f"{name}: FAILED\n{rulings.finding(found)}\n")
        else:
            passed += 1
            if not quiet:
                out(f"{name}: passed")
    return passed, failed
