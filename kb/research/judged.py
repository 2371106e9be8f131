"""What was decided on findings: accepted or waived, with the reason, in a file beside the chapters (research.yaml).

- id: conflict-1a2b3c4d
  as: accepted            # it is so, and stays so; or: waived (it is no finding for this book)
  mark: right             # right, arguable or wrong: how somebody who looked at it found it
  because: "A.2 settles it"

A finding that stands there is no longer new; `loophole research BOOK` fails for new ones only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import resources
from kb.errors import Place, Problem, QueryError
from kb.research.finding import NOTE, Finding
from kb.yaml_document import document

ACCEPTED, WAIVED = "accepted", "waived"
HOW = (ACCEPTED, WAIVED)
RIGHT, ARGUABLE, WRONG = "right", "arguable", "wrong"
MARKS = (RIGHT, ARGUABLE, WRONG)
FILE = "research.yaml"
HEAD = "# What was decided on what `loophole research {book}` finds; `loophole research {book} --accept ID --because …` adds to it.\n"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was decided on a finding. mark: "" where nobody has said how right it is."""

    id: str
    how: str
    because: str
    mark: str = ""


def path_of(book: str) -> Path:
    """The file of a book's judgements."""
    return resources.book(book) / FILE


def of_book(book: str) -> dict[str, Judgement]:
    """The judgements of a book by the finding's id; none where it has no file. Raises QueryError (E985) for a row that says nothing known."""
    path = path_of(book)
    if not path.is_file():
        return {}
    rows, source = document(path.read_text(encoding="utf-8"), str(path))
    found: dict[str, Judgement] = {}
    problems = []
    for i, row in enumerate(rows or ()):
        place = source.place(i)
        fault = wrong(row)
        if fault:
            problems.append(
                Problem(
                    985, f"this row of {FILE} {fault}", place, "id, as (accepted or waived), because; mark if you like"
                )
            )
            continue
        judged = Judgement(str(row["id"]), str(row["as"]), str(row["because"]), str(row.get("mark", "")))
        if judged.id in found:
            problems.append(Problem(985, f"{judged.id} is judged twice", place, "take one of the rows out"))
        found[judged.id] = judged
    if problems:
        raise QueryError(problems)
    return found


def wrong(row: Any) -> str:
    """What is wrong with a row; "" where nothing is."""
    if not isinstance(row, Mapping):
        return "is no mapping"
    lacks = [key for key in ("id", "as", "because") if not str(row.get(key, "")).strip()]
    if lacks:
        return f"lacks {', '.join(lacks)}"
    if row["as"] not in HOW:
        return f"says “as: {row['as']}”, which is neither {' nor '.join(HOW)}"
    if row.get("mark", RIGHT) not in MARKS:
        return f"says “mark: {row['mark']}”, which is none of {', '.join(MARKS)}"
    return ""


def add(finding: Finding, how: str, because: str, mark: str) -> Path:
    """Writes a judgement down; the file. Raises QueryError (E988) for a finding that is judged already."""
    path = path_of(finding.book)
    if finding.id in of_book(finding.book):
        raise QueryError(Problem(988, f"{finding.id} is judged already", Place(str(path), 1), "change its row there"))
    before = path.read_text(encoding="utf-8") if path.is_file() else HEAD.format(book=finding.book)
    resources.write(path, before + line(Judgement(finding.id, how, because, mark)))
    return path


def line(judged: Judgement) -> str:
    """A judgement as its row of the file."""
    mark = f", mark: {judged.mark}" if judged.mark else ""
    return f"- {{id: {judged.id}, as: {judged.how}{mark}, because: {json.dumps(judged.because, ensure_ascii=False)}}}\n"


def new(found: Iterable[Finding], judged: Mapping[str, Judgement]) -> list[Finding]:
    """The findings that nobody has judged. Notes are none: they tell what the book leaves to others."""
    return [f for f in found if f.id not in judged and f.level != NOTE]


def gone(found: Iterable[Finding], judged: Mapping[str, Judgement]) -> list[str]:
    """The judgements of what is no longer found."""
    return sorted(judged.keys() - {f.id for f in found})
