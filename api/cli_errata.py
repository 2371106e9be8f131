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
