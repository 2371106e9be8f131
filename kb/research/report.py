"""A report of findings: as lines for a terminal, as Markdown, as a page of HTML, as JSON; and what is new since another report.

python -m kb.research.report build     writes docs/research-<book>.md of each shipped book (some minutes)
"""

from __future__ import annotations

import html
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import registry, resources
from kb.errors import Problem, QueryError, did_you_mean
from kb.research import findings, judged
from kb.research.condition_coverage import covered as covered, telling as telling
from kb.research.finding import KINDS as KINDS, LEVELS, NOTE, Finding as Finding
from kb.research.findings import run as run
from kb.research.judged import ACCEPTED as ACCEPTED, MARKS as MARKS, WAIVED as WAIVED, Judgement, add as add
from kb.research.watching import Watch as Watch
from kb.yaml_document import written

TITLES = {"defect": "Defects", "tension": "Tensions", "note": "Notes"}
SUFFIXES = (".md", ".html", ".json")


@dataclass(frozen=True)
class Report:
    """The findings of a book with what was decided on them. since: the findings of another report, by id, to tell the difference."""

    book: str
    title: str
    found: Sequence[Finding]
    judged: Mapping[str, Judgement]
    since: Mapping[str, Mapping[str, Any]] | None = None

    @property
    def new(self) -> list[Finding]:
        """The findings that nobody has judged."""
        return judged.new(self.found, self.judged)

    @property
    def come(self) -> list[Finding]:
        """The findings that the other report has not."""
        return [f for f in self.found if self.since is not None and f.id not in self.since]

    @property
    def changed(self) -> list[Finding]:
        """The findings that the other report has in other words, or of other norms."""
        was = self.since or {}
        return [f for f in self.found if f.id in was and not findings.same(f, was[f.id])]

    @property
    def gone(self) -> list[Mapping[str, Any]]:
        """The findings that only the other report has."""
        here = {f.id for f in self.found}
        return [row for name, row in (self.since or {}).items() if name not in here]


def one(report: Report, name: str) -> Finding:
    """A finding by its id. Raises QueryError (E986) with the nearest."""
    found = next((f for f in report.found if f.id == name), None)
    if found is None:
        hint = did_you_mean(name, [f.id for f in report.found]) or f"loophole research {report.book} lists them"
        raise QueryError(Problem(986, f"no finding is called “{name}”", hint=hint))
    return found


def of(book: str, found: Sequence[Finding], before: str | None = None, kinds: Sequence[str] = ()) -> Report:
    """The report of some findings. before: another report, as JSON; kinds: those that are told of, all where none is named. Raises QueryError (E987)
    where `before` is no report."""

    def told(kind: str) -> bool:
        return not kinds or kind in kinds

    since = None if before is None else {name: row for name, row in earlier(before).items() if told(row["kind"])}
    decided = {name: row for name, row in judged.of_book(book).items() if told(name.rpartition("-")[0])}
    return Report(book, registry.text_of(book).title, [f for f in found if told(f.kind)], decided, since)


def earlier(text: str) -> dict[str, Mapping[str, Any]]:
    """The findings of a report as JSON, by id. Raises QueryError (E987)."""
    try:
        return {row["id"]: row for row in json.loads(text)["findings"] if row["kind"]}
    except (ValueError, KeyError, TypeError):
        hint = "name a file that loophole research wrote with --out FILE.json"
        raise QueryError(Problem(987, "this is no report of loophole research", hint=hint)) from None


def counts(found: Sequence[Finding]) -> str:
    """How many findings there are of each level."""
    by_level = Counter(f.level for f in found)
    return ", ".join(f"{by_level[level]} {level}{'s' if by_level[level] != 1 else ''}" for level in LEVELS)


def mark(report: Report, finding: Finding) -> str:
    """What was decided on a finding, in words; "new" where nothing was."""
    row = report.judged.get(finding.id)
    if row is None:
        return "new" if finding.level != NOTE else ""
    return f"{row.how}{f', {row.mark}' if row.mark else ''}: {row.because}"


# ── for a terminal ──


def text(report: Report, shown: Sequence[Finding], width: int = 100) -> str:
    """The counts, and some findings in a few lines each."""
    out = [f"{report.title}: {counts(report.found)}; {len(report.new)} new"]
    if report.since is not None:
        come, changed, gone = report.come, report.changed, report.gone
        out.append(f"since the other report: {len(come)} come, {len(changed)} changed, {len(gone)} gone")
        for word, some in (("come", come), ("changed", changed)):
            out += [f"  {word}: {f.id} {', '.join(f.rules)}" for f in some]
        out += [f"  gone: {row['id']} {', '.join(row['rules'])}" for row in gone]
    for finding in shown:
        out += ["", *short(finding, width)]
    if idle := judged.gone(report.found, report.judged):
        out += ["", f"judged in {judged.FILE}, and found no longer: {', '.join(idle)}"]
    return "\n".join(out)


def in_full(finding: Finding) -> dict[str, Any]:
    """One finding as JSON has it."""
    return findings.to_json(finding)


def short(finding: Finding, width: int = 100) -> list[str]:
    """A finding in a few lines: its name and rules, what is found, and the question."""
    out = [f"{finding.id}  {', '.join(finding.rules)}"]
    out += textwrap.wrap(finding.says, width, initial_indent="  ", subsequent_indent="  ")
    return out + textwrap.wrap(finding.question, width, initial_indent="  ? ", subsequent_indent="    ")


def full(report: Report, finding: Finding, width: int = 100) -> str:
    """One finding with all there is to it: both chains, the situation and its answer."""
    kind = KINDS[finding.kind]
    out = [f"{finding.id}  {', '.join(finding.rules)}", kind.title, ""]
    for said in (
        finding.says,
        f"Question: {finding.question}",
        f"Why it matters: {kind.asks}.",
        f"Method: {finding.method} ({finding.sure})",
    ):
        out += textwrap.wrap(said, width, subsequent_indent="  ")
    for chain in finding.chains:
        out += ["", *textwrap.wrap(chain, width, initial_indent="  ", subsequent_indent="    ")]
    if finding.witness is not None:
        out += ["", *(f"  {row}" for row in written(finding.witness.case).splitlines()), "", finding.witness.told]
    if decided := mark(report, finding):
        out += ["", *textwrap.wrap(decided, width)]
    return "\n".join(out)


# ── as files ──


def content(report: Report, suffix: str) -> str:
    """The report as a file of that suffix: .md, .html or .json."""
    if suffix == ".json":
        return json.dumps(to_json(report), ensure_ascii=False, indent=1, default=str) + "\n"
    return page(report) if suffix == ".html" else markdown(report)


def to_json(report: Report) -> dict[str, Any]:
    """The report with every finding in full."""
    rows = []
    for number, finding in enumerate(report.found, 1):
        row = report.judged.get(finding.id)
        decided = {"as": row.how, "mark": row.mark, "because": row.because} if row else None
        rows.append({"number": number, **findings.to_json(finding), "judged": decided})
    by_kind = Counter(f.kind for f in report.found)
    out: dict[str, Any] = {
        "book": report.book,
        "title": report.title,
        "counts": dict(by_kind),
        "new": [f.id for f in report.new],
        "findings": rows,
    }
    if report.since is not None:
        told = {"come": report.come, "changed": report.changed}
        out["since"] = {word: [f.id for f in some] for word, some in told.items()}
        out["since"]["gone"] = [row["id"] for row in report.gone]
    return out


def markdown(report: Report) -> str:
    """The report as Markdown: a section for each kind, the situations as cases that run."""
    marks = Counter(report.judged[f.id].mark or "not marked" for f in report.found if f.id in report.judged)
    out = [
        f"# Research into {report.title}", "",
        f"Made by `loophole research {report.book}`; do not edit. {counts(report.found).capitalize()}. What the kinds mean, and how each is found: "
        "[research.md](research.md). Each situation is a case that runs (`loophole ask FILE`), and its proof was checked.", "",
    ]  # fmt: skip
    if marks:
        out += [
            f"Looked at: {', '.join(f'{marks[name]} {name}' for name in (*MARKS, 'not marked') if marks[name])}.",
            "",
        ]
    for level in LEVELS:
        out += [f"## {TITLES[level]}", ""]
        for kind in KINDS.values():
            rows = [(n, f) for n, f in enumerate(report.found, 1) if f.kind == kind.name and kind.level == level]
            if rows:
                out += [f"### {kind.title}", "", f"{kind.asks[:1].upper()}{kind.asks[1:]}.", ""]
                out += table(report, rows) if level == NOTE else [line for n, f in rows for line in entry(report, n, f)]
    return "\n".join(out).rstrip() + "\n"


def entry(report: Report, number: int, finding: Finding) -> Iterator[str]:
    """A finding as Markdown."""
    yield from (f"**{number}. {', '.join(finding.rules)}** `{finding.id}`", "", cleaned(finding.says), "")
    yield f"* Question: {cleaned(finding.question)}"
    yield from (f"* {cleaned(chain)}" for chain in finding.chains)
    yield f"* Found by {cleaned(finding.method)} ({finding.sure})."
    if decided := mark(report, finding):
        yield f"* Looked at: {cleaned(decided)}"
    yield ""
    if finding.witness is not None:
        yield from ("```yaml", *written(finding.witness.case).splitlines(), f"# {finding.witness.answer}", "```", "")


def table(report: Report, rows: Sequence[tuple[int, Finding]]) -> Iterator[str]:
    """Findings as a table: those that are notes."""
    yield from ("| | rules | |", "|---|---|---|")
    for number, finding in rows:
        decided = f" ({mark(report, finding)})" if mark(report, finding) else ""
        yield f"| {number} `{finding.id}` | {', '.join(finding.rules)} | {cleaned(finding.says + decided)} |"
    yield ""


def cleaned(text: str) -> str:
    """A sentence as Markdown takes it: brackets and bars of our texts are no links and no cells."""
    return " ".join(text.replace("[", "\\[").replace("]", "\\]").replace("|", "\\|").split())


def page(report: Report) -> str:
    """The report as one page of HTML that needs nothing else."""
    e = html.escape
    out = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Research into {e(report.title)}</title>',
        "<style>body{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}pre{background:#f4f4f0;padding:.6rem;overflow:auto}"
        "h3{margin-bottom:.2rem}code{font-size:.85em}</style>",
        f"<h1>Research into {e(report.title)}</h1><p>{e(counts(report.found))}; {len(report.new)} new.</p>",
    ]
    for kind in KINDS.values():
        rows = [(n, f) for n, f in enumerate(report.found, 1) if f.kind == kind.name]
        if rows:
            out.append(f"<h2>{e(kind.title)}</h2><p>{e(kind.asks)}</p>")
        for number, f in rows:
            out.append(
                f'<h3 id="{e(f.id)}">{number}. {e(", ".join(f.rules))} <code>{e(f.id)}</code></h3><p>{e(f.says)}</p><p><b>{e(f.question)}</b></p>'
            )
            if f.chains:
                out.append(f"<ul>{''.join(f'<li>{e(c)}</li>' for c in f.chains)}</ul>")
            out.append(f"<p>{e(f.method)} ({e(f.sure)}). {e(mark(report, f))}</p>")
            if f.witness is not None:
                out.append(
                    f"<details><summary>{e(f.witness.answer)}</summary><pre>{e(written(f.witness.case))}</pre><pre>{e(f.witness.told)}</pre></details>"
                )
    return "\n".join(out) + "</html>\n"


# ── the pages of the shipped books ──


def place(book: str) -> Path:
    """Where a book's page stands."""
    return resources.PACKAGE.parent / "docs" / f"research-{book}.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the pages. 0 written, 2 called wrongly."""
    asked = list(sys.argv[1:] if arguments is None else arguments)
    if asked[:1] != ["build"]:
        print("python -m kb.research.report build [BOOK …]", file=sys.stderr)
        return 2
    for book in asked[1:] or resources.games():
        place(book).write_text(markdown(of(book, findings.run(book))), encoding="utf-8")
        print(f"wrote docs/{place(book).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
