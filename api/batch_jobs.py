"""What a worker does of a batch of questions: some of its rows answered, each as a line of JSON."""

from __future__ import annotations

import json

import kb
from api.jobs import Options, dumps
from api.problems import entry
from kb.errors import CaseError, Problem


def rows_of(text: str, most: int) -> tuple[str, list[str]]:
    """The first line of a batch, where it gives a shape, and its rows. Raises CaseError (E466)."""
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    shape = lines.pop(0) if lines and lines[0].replace(" ", "").startswith('{"shape":') else ""
    if not 0 < len(lines) <= most:
        hint = f"send one row a line, at most {most} of them; loophole ask --batch takes as many as there are"
        raise CaseError(Problem(466, f"a batch of {len(lines)} rows is not answered", hint=hint))
    return shape, lines


def batch(shape: str, lines: tuple[str, ...], first: int, options: Options) -> bytes:
    """The answers of some rows of a batch as lines of JSON. first: the number of the first row."""
    given = dict(options)
    if "readings" in given:
        given["readings"] = dict(given["readings"])
    over = None
    if shape:
        try:
            over = json.loads(shape, parse_float=str)["shape"]
        except ValueError as e:
            hint = 'write the first line as {"shape": CASE}, or leave it out'
            raise CaseError(Problem(467, f"the shape is not JSON: {e}", hint=hint)) from None
        if not isinstance(over, dict):
            raise CaseError(Problem(410, "the shape is no case", hint="a case is a mapping with book, things and ask"))
    return b"".join(kb.ask_many(lines, over, workers=1, first=first, **given).lines())


def unanswered(row: int, why: str) -> bytes:
    """The line of a row that was not answered, in time or at all."""
    told = entry(Problem(468, f"the row was not answered: {why}", hint="ask it alone, by POST /v1/ask"))
    return dumps({"row": row, "verdict": None, "answer": None, "grade": None, "problems": [told]}) + b"\n"
