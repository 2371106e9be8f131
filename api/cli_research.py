"""`loophole research`: what an editor of a rulebook would want to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli_text import progress
from api.terminal import ANSWERED, FAILED, Json, out, out_json, out_list, read, refuse, width, write


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(research)


def research(
    book: Annotated[str, typer.Argument(help="The rulebook.")],
    finding: Annotated[str, typer.Argument(metavar="[FINDING]", help="One finding, in full.")] = "",
    to: Annotated[
        list[Path] | None, typer.Option("--out", help="Write the report: FILE.md, .html or .json; several.")
    ] = None,
    since: Annotated[Path | None, typer.Option(help="An earlier report (JSON): tell what has come and gone.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only findings of this kind.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List what is judged, and notes, too.")] = False,
    accept: Annotated[
        str, typer.Option(help="Write down that this finding is so, and stays so.", metavar="FINDING")
    ] = "",
    waive: Annotated[
        str, typer.Option(help="Write down that this finding is none for this book.", metavar="FINDING")
    ] = "",
    because: Annotated[str, typer.Option(help="The reason for it.")] = "",
    mark: Annotated[str, typer.Option(help="How right the finding is: right, arguable, wrong.")] = "",
    jobs: Annotated[int, typer.Option(min=1, max=64, help="How many processes work on it.")] = 2,
    anew: Annotated[bool, typer.Option("--anew", help="Do again what an earlier run has kept.")] = False,
    as_json: Json = False,
) -> None:
    """Find what an editor would want to know of a rulebook: conflicts, gaps, dangling references … Exits with 1 where a finding is new."""
    from kb.research import report as reports

    known(kind or [], list(reports.KINDS))
    if wrong := [str(p) for p in to or () if p.suffix not in reports.SUFFIXES]:
        refuse(696, f"--out: {', '.join(wrong)} is no report that can be written", "name a file .md, .html or .json")
    if mark and mark not in reports.MARKS:
        refuse(680, f"--mark: “{mark}” is no mark", f"one of {', '.join(reports.MARKS)}")
    if (accept or waive) and not because.strip():
        refuse(684, "a finding is accepted or waived for a reason", "say it: --because TEXT")
    before = read(since) if since else None
    with progress(f"research into {book}") as step:
        found = reports.run(book, jobs, anew, step)
    if name := accept or waive:
        path = reports.add(
            reports.one(reports.of(book, found), name), reports.ACCEPTED if accept else reports.WAIVED, because, mark
        )
        out(f"wrote {path}")
        return
    report = reports.of(book, found, before, kind or ())
    if finding:
        one = reports.one(report, finding)
        out_json(reports.in_full(one)) if as_json else out(reports.full(report, one, width()))
        return
    for file in to or ():
        write(file, reports.content(report, file.suffix), "--out")
    if as_json:
        out_json(reports.to_json(report))
    else:
        out_list(reports.text(report, report.found if every else report.new, width()))
        for file in to or ():
            out(f"wrote {file}")
    raise typer.Exit(FAILED if report.new else ANSWERED)


def known(kinds: list[str], names: list[str]) -> None:
    """Raises CommandError (E680) for a kind that there is none of."""
    from kb.errors import did_you_mean

    for kind in kinds:
        if kind not in names:
            refuse(680, f"--kind: there is no kind “{kind}”", did_you_mean(kind, names, "one of"))
