"""Expectations of a comparison: a case that names a question and says, game by game, what is held to be right.

compare: blocks-line-of-sight        the name of a question, or a question in words; or instead `question`, `about`, `ask` …
systems: [BOOK, BOOK]                optional: exactly these answer yes
expect:
  BOOK: {kind: CLASS, answer: 'no', cites: [RULE]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb import registry
from kb.answers.expectations import listed, word
from kb.cases.casebook import Written
from kb.compare.compare import Answered, Row
from kb.compare.comparison import KEYS as MADE
from kb.errors import CaseError, Problem, did_you_mean
from kb.language.rule_number import same_rule

KEYS = ("name", "rule", "compare", "title", "systems", "expect", "notes")
EXPECTS = ("kind", "answer", "verdict", "cites", "defeated", "notes")


@dataclass(frozen=True)
class Expected:
    """What a file expects. `made`: the question itself, where the file states it in full."""

    compare: str
    expect: Mapping[str, Mapping[str, Any]]
    systems: tuple[str, ...] | None = None
    made: Mapping[str, Any] = field(default_factory=dict)


def read(case: Written) -> Expected:
    """Reads an expectation. Raises CaseError with all its faults."""
    data, source = case.data, case.source
    problems: list[Problem] = []

    def problem(message: str, path: tuple[Any, ...], hint: str) -> None:
        place = source.place(*path)
        problems.append(Problem(462, message, place, hint, source.line(place)))

    if not isinstance(data, Mapping) or not data.get("compare"):
        problem("an expectation across games names its question", (), "compare: blocks-line-of-sight")
        raise CaseError(problems)
    inline = data["compare"] if isinstance(data["compare"], Mapping) else {}
    for key in data:
        if key not in KEYS:
            problem(f"unknown key “{key}”", (key,), did_you_mean(str(key), KEYS, "keys:"))
    for key in inline:
        if key not in MADE:
            problem(f"unknown key “{key}”", ("compare", key), did_you_mean(str(key), MADE, "keys:"))
    rows = data.get("expect")
    if not isinstance(rows, Mapping) or not rows:
        problem(
            "“expect” says for each game what is right", ("expect",), "expect: {BOOK: {answer: 'yes', cites: [RULE]}}"
        )
        rows = {}
    books = registry.books()
    for book, wanted in rows.items():
        if book not in books:
            hint = did_you_mean(str(book), books, "books:")
            problem(f"there is no book “{book}”", ("expect", book), hint)
        for key in wanted if isinstance(wanted, Mapping) else ():
            if key not in EXPECTS:
                hint = did_you_mean(str(key), EXPECTS, "keys:")
                problem(f"unknown key “{key}”", ("expect", book, key), hint)
        if not isinstance(wanted, Mapping):
            problem(f"“{book}” takes a mapping", ("expect", book), f"{book}: {{answer: 'yes'}}")
    if problems:
        raise CaseError(problems)
    systems = tuple(map(str, listed(data["systems"]))) if "systems" in data else None
    return Expected("" if inline else str(data["compare"]), rows, systems, inline)


def mismatches(expected: Expected, answered: Answered) -> list[str]:
    """One sentence for each expectation that is not met."""
    found = []
    for book, wanted in expected.expect.items():
        rows = [r for r in answered.rows if r.book == book]
        kind = wanted.get("kind")
        if kind:
            rows = [r for r in rows if str(kind) in (r.kind, r.label)]
        if not rows:
            found.append(f"{book}: no row" + (f" for {kind}" if kind else ""))
        for row in rows:
            found += [f"{book}{f' {row.kind}' if row.kind else ''}: {said}" for said in missed(row, wanted)]
    if expected.systems is not None and sorted(expected.systems) != sorted(answered.systems()):
        found.append(
            f"systems: expected {', '.join(expected.systems) or 'none'}, got {', '.join(answered.systems()) or 'none'}"
        )
    return found


def missed(row: Row, wanted: Mapping[str, Any]) -> Iterator[str]:
    """How one row differs from what is wanted of it."""
    for key, got in (("answer", row.answer), ("verdict", row.verdict)):
        if key in wanted and word(wanted[key]).casefold() != got.casefold():
            yield f"{key}: expected {word(wanted[key])}, got {got or 'none'}"
    have = {"cites": row.cites, "defeated": tuple(row.proof.defeated) if row.proof is not None else ()}
    for key, rules in have.items():
        for rule in listed(wanted.get(key)):
            if not any(same_rule(str(rule), h, []) for h in rules):
                yield f"{key}: expected {rule} among {', '.join(rules) or 'none'}"
        if key in wanted and not listed(wanted[key]) and rules:
            yield f"{key}: expected none, got {', '.join(rules)}"
    for phrase in listed(wanted.get("notes")):
        if not any(str(phrase).casefold() in said.casefold() for said in (*row.notes, row.said)):
            yield f"notes: nothing says “{phrase}”"
