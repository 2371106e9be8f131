"""When an act may be done, worked out by a worker: its decision table in each of its forms, and as a page shows it.

decided_acts(book)           -> the acts of which rules say whether they may be done
decision_table(wanted, media) -> bytes
decision_shown(wanted)        -> [Shown]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from api import jobs
from kb.errors import Problem, QueryError
from kb.research.decisions import asked, formats, table as tables, text as words
from kb.research.decisions.table import DecisionTable, Difference

JSON, TEXT, MARKDOWN, CSV, DMN = "application/json", "text/plain", "text/markdown", "text/csv", "application/xml"
TABLES, DIFFERENCES = (JSON, TEXT, MARKDOWN, CSV, DMN), (JSON, TEXT)
WIDTH = 100
PLACES = {"into": "destination", "from": "from", "at": "place", "target": "target", "by": "actor"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act, and what is told of it. roles: by relation of the act, the kinds of what it leads to; diff: the other rules that it is
    held against, as asked.other_rules has them."""

    act: str
    book: str = ""
    roles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    modules: tuple[str, ...] = ()
    edition: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of a table, or of a difference. rows: under each outcome the rows, each with its rules; notes: the shape."""

    book: str
    title: str
    groups: tuple[tuple[str, tuple[tuple[int, tuple[str, ...], str], ...]], ...]
    notes: tuple[str, ...]
    rules: tuple[str, ...]


def roles(places: Iterable[tuple[str, str]], others: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What an act is told with, by relation. places: a word of PLACES and a kind; others: `weapon=Mortar`. Raises QueryError (E693)."""
    found: dict[str, list[str]] = {}
    for word, kind in places:
        if kind.strip():
            found.setdefault(PLACES[word], []).append(kind.strip())
    for said in others:
        name, _, kind = said.partition("=")
        if not (name.strip() and kind.strip()):
            raise QueryError(Problem(693, f"role: “{said}” names no relation and kind", hint="write weapon=Mortar"))
        found.setdefault(name.strip(), []).append(kind.strip())
    return tuple((name, tuple(kinds)) for name, kinds in found.items())


def decided_acts(book: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """By book, the acts that rules permit or forbid, by what they are called. Raises CaseError (E420)."""
    return [(name, asked.acts(name)) for name in jobs.which_books(book)]


def made(wanted: Wanted) -> Sequence[DecisionTable | Difference]:
    """The table of an act, or where other rules say otherwise; of two books both tables, for they share no words. Raises LoopholeError:
    E689 where one would grow too wide."""
    roles = dict(wanted.roles)
    case, rules = asked.posed(wanted.act, wanted.book, roles, wanted.modules, wanted.edition)
    try:
        if wanted.diff.startswith(asked.BOOK):
            return asked.beside(case, wanted.act, roles, wanted.diff.removeprefix(asked.BOOK), rules)
        return [asked.difference(case, wanted.diff, rules) if wanted.diff else tables.table(rules, case)]
    except tables.TooWide as fault:
        words = {name: word for word, name in PLACES.items()}
        first = [
            f"{words.get(name, f'role {name}=…')}{tables.told_apart(kinds)}" for name, kinds in fault.first.items()
        ]
        hint = (
            f"tell more of it, best {' or '.join(first)}" if first else "tell more of it: into, target, by, from, role"
        )
        message = f"the rules on {wanted.act} turn on too many facts for one table"
        raise QueryError(Problem(689, message, hint=hint)) from None


def decision_table(wanted: Wanted, media: str) -> bytes:
    """A table, the tables of two books, or a difference, in one of the forms of TABLES or DIFFERENCES. Raises LoopholeError."""
    found = made(wanted)
    if len(found) > 1:
        if media == JSON:
            return jobs.dumps({"tables": [in_json(one) for one in found]})
        return formats.of_books([one for one in found if isinstance(one, DecisionTable)], WIDTH).encode()
    (one,) = found
    if media == JSON:
        return jobs.dumps(in_json(one))
    if isinstance(one, Difference):
        return in_words(one, ("as it is", wanted.diff)).encode()
    match media:
        case "text/markdown":
            return formats.as_markdown(one).encode()
        case "text/csv":
            return formats.as_csv(one).encode()
        case "application/xml":
            return formats.as_dmn(one).encode()
    return tables.text(one, WIDTH).encode()


def in_json(found: DecisionTable | Difference) -> dict[str, Any]:
    """A table or a difference as JSON has it."""
    return formats.difference_json(found) if isinstance(found, Difference) else formats.to_json(found)


def in_words(found: Difference, names: tuple[str, str]) -> str:
    """A difference as text."""
    if not found.rows:
        return f"{found.table.title}: no difference in the shape"
    return f"{found.table.title}\n\n{words.differences(found.table, found.rows, names, WIDTH)}"


def decision_shown(wanted: Wanted) -> list[Shown]:
    """A table, those of two books, or a difference, as a page has them. Raises LoopholeError."""
    return [on_page(found) for found in made(wanted)]


def on_page(found: DecisionTable | Difference) -> Shown:
    """A table or a difference as a page has it."""
    if isinstance(found, Difference):
        told = [(row["before"] + "; by the other rules: " + row["after"], tuple(row["rules"]), row["when"]) for row in formats.difference_json(found)["rows"]]  # fmt: skip
        whole, differs = found.table, True
    else:
        told = [(words.head(found, line.outcome), line.rules, line.said) for line in words.Wording(found).lines()]
        whole, differs = found, False
    numbered = [(head, (n, rules, said)) for n, (head, rules, said) in enumerate(told, 1)]
    groups = tuple((head, tuple(row for _, row in rows)) for head, rows in groupby(numbered, key=lambda row: row[0]))
    theory = whole.shape.theory
    notes = whole.notes or ("No situation of the shape is decided otherwise.",)
    return Shown(theory.book, whole.title, groups, () if groups and differs else notes, tuple(theory.sections))
