"""Puts into docs/errata.md what the software says of each erratum: both wordings, the case it flips, the impact list.

python -m kb.research.errata_docs build [--listed] [ID …]    writes what stands between <!-- generated: ID --> and <!-- end -->
python -m kb.research.errata_docs check [ID …]               exit code 1 when the page is not current, or an erratum is not on it

`build` asks every case of the project, `build --listed` and `check` those that the page lists; all search for the invented
case anew. So a case that somebody adds does not make the page wrong; a rule that somebody changes may.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from pathlib import Path

from kb import registry, resources
from kb.answers import explain
from kb.cases import casebook
from kb.cases.casebook import Written
from kb.errata import checks
from kb.research import errata_page, impact, rulings
from kb.research.sides import CHAIN
from kb.rulebook import records as e
from kb.yaml_document import written

MARK = re.compile(r"(<!-- generated: (\S+) -->\n).*?(<!-- end -->)", re.S)
ROOT = resources.PACKAGE.parent
CORPUS = (ROOT / "tests" / "cases", ROOT / "examples")
CASE = re.compile(r"`((?:tests/cases|examples)/[^`]+)`")
MORE = " and more"
WIDTH, MOST = 118, 12


def page(text: str, whole: bool = True, only: Collection[str] = ()) -> str:
    """The page with all that is generated as it is now; with only, those parts. Raises LoopholeError for a faulty record.

    whole: ask all cases which of them turn; else those that the page names.
    """

    def part(found: re.Match[str]) -> str:
        if only and found[2] not in only:
            return found[0]
        return f"{found[1]}{generated(found[2], None if whole else found[0])}\n{found[3]}"

    return MARK.sub(part, text)


def generated(name: str, shown_now: str | None = None) -> str:
    """The list of records, or one record: what is on record, its cases on both sides, what it turns.

    shown_now: this part of the page, whose cases are asked; None for all cases there are.
    """
    if name == "list":
        return block(errata_page.listing(shipped(), "", WIDTH))
    record = rulings.named(name)
    corpus = CORPUS if shown_now is None else listed(shown_now)
    return told(record, impact.of_record(record.book, record.id, corpus), shown_now is not None and MORE in shown_now)


def listed(part: str) -> tuple[Written, ...]:
    """The cases that a part of the page names, those that are still there."""
    told = [casebook.parted(title) for title in CASE.findall(part)]
    files = {
        file: casebook.in_file(path)
        for file in dict.fromkeys(file for file, _ in told)
        if (path := ROOT / file).is_file()
    }
    return tuple(case for file, name in told for case in files.get(file, ()) if case.name == name or case.alone)


def told(record: e.Record, found: impact.Impact, more: bool = False) -> str:
    """One record's part of the page. more: there are more cases that give the same answer by other words."""
    out = [block(errata_page.text(record, WIDTH))]
    out += [flip(record, trial) for trial in record.trials]
    turned = [d for d in found.differences if d.kind != CHAIN and not d.name.startswith(record.id)]
    alike = [d for d in found.differences if d.kind == CHAIN and not d.name.startswith(record.id)]
    rows = [f"* {shown(d.name)}: {first(d.before)} → {first(d.after)}" for d in turned]
    names = [shown(d.name) for d in alike]
    more_said = MORE if more or len(names) > MOST else ""
    rows += [f"* the same answer by other words: {', '.join(names[:MOST])}{more_said}"] if names else []
    if found.norms:
        out += ["Of the project's cases it turns:" if rows else "None of the project's own cases turns.", *rows]
    flipped = found.witness
    if flipped is not None:
        out += [
            f"The smallest invented case that it flips ({flipped.size} fact{'s' if flipped.size != 1 else ''}, found by search, "
            f"asked of the reasoner): {first(flipped.before)} → {first(flipped.after)}",
            block(written(flipped.case).rstrip(), "yaml"),
        ]
    else:
        out.append(f"No invented case flips: {found.bounds}.")
    return "\n\n".join("\n".join(group) for group in grouped(out))


def grouped(rows: list[str]) -> list[list[str]]:
    """Rows of a list stand together, all else apart."""
    out: list[list[str]] = []
    for row in rows:
        if row.startswith("* ") and out and out[-1][-1].startswith("* "):
            out[-1].append(row)
        else:
            out.append([row])
    return out


def flip(record: e.Record, trial: e.Trial) -> str:
    """A record's case, and the first line of the answer on each side."""
    data, expects = rulings.content(trial)
    title = f"**{data['title']}**: " if data.get("title") else ""
    sides = [rulings.tried(record, trial, side) for side in expects]
    said = "; ".join(f"{t.side or 'the ruling'}: {explain.headline(t.proof)}" for t in sides)
    case = {k: v for k, v in data.items() if k != "title"}
    return f"{title}{said}\n\n{block(written(case).rstrip(), 'yaml')}"


def first(proof: object) -> str:
    """The verdict of a proof, as its headline begins."""
    from kb.reasoner.proof import Proof

    assert isinstance(proof, Proof)
    return explain.headline(proof).partition(":")[0]


def shown(name: str) -> str:
    """A file of the project by its path from the root; anything else as it is."""
    return f"`{Path(name).relative_to(ROOT).as_posix()}`" if name.startswith(str(ROOT)) else name


def block(text: str, kind: str = "text") -> str:
    """A fenced block."""
    return f"```{kind}\n{text}\n```"


def shipped() -> list[e.Record]:
    """Every record of the files, what a reader has imported left out."""
    return [r for book in registry.books() for r in checks.records(book)]


def missing(text: str) -> list[str]:
    """The records with a change of the rules, or of a word, that the page does not show."""
    on_page = {found[2] for found in MARK.finditer(text)}
    return [r.id for r in shipped() if r.kind != e.TRANSCRIPTION and r.id not in on_page]


def stale(text: str, only: Collection[str] = ()) -> list[str]:
    """What is wrong with the page, or with some parts of it."""
    wrong = [f"docs/errata.md does not show {name}: add <!-- generated: {name} -->" for name in missing(text)]
    now = {found[2]: found[0] for found in MARK.finditer(page(text, whole=False, only=only))}
    wrong += [
        f"docs/errata.md is not current at {found[2]}: run python -m kb.research.errata_docs build"
        for found in MARK.finditer(text)
        if now[found[2]] != found[0]
    ]
    return wrong


def main() -> int:
    """`build` writes docs/errata.md, `check` tells what is stale. Returns the exit code."""
    path = ROOT / "docs" / "errata.md"
    old = path.read_text(encoding="utf-8")
    if sys.argv[1:2] == ["build"]:
        names = [name for name in sys.argv[2:] if name != "--listed"]
        new = page(old, "--listed" not in sys.argv, names)
        if new != old:
            path.write_text(new, encoding="utf-8")
            print("wrote docs/errata.md")
        return 0
    wrong = stale(old, sys.argv[2:])
    print("\n".join(wrong) or "docs/errata.md is current")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
