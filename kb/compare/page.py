"""A comparison for readers: rows put together where the kinds of a game agree, JSON, and docs/across-games.md.

python -m kb.compare.page build     writes the generated part of docs/across-games.md
python -m kb.compare.page check     exit code 1 when it is not current
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import generated, registry, resources
from kb.compare import compare, comparison
from kb.compare.compare import Answered, Meaning, Row
from kb.language import english

FORMAT = "loophole-comparison/1"
MODULE = "kb.compare.page"
MARKED = re.compile(
    r"(<!-- generated: (answers|words|questions)\b(.*?) -->\n).*?(<!-- end -->)", re.S
)  # 3: the words asked
SHOWN_RULES = 4


@dataclass(frozen=True)
class Group:
    """Rows of one game that say the same."""

    book: str
    title: str
    what: str
    answer: str
    rules: str
    because: str
    rows: tuple[Row, ...]


def grouped(answered: Answered) -> list[Group]:
    """The rows of each game put together where answer, rules and reasons are the same."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in answered.rows:
        found.setdefault((row.book, row.answer, row.cites, row.notes), []).append(row)
    return [
        Group(
            rows[0].book, rows[0].title, kinds(rows, answered.rows), rows[0].answer,
            ", ".join(rows[0].cites[:SHOWN_RULES]), because(rows[0]), tuple(rows),
        )
        for rows in found.values()
    ]  # fmt: skip


def kinds(rows: Sequence[Row], every: Sequence[Row]) -> str:
    """The kinds of some rows in words: the widest alone where all below it agree with it."""
    vocabulary = registry.vocabulary(rows[0].book)
    names = {r.kind for r in rows}
    asked = {r.kind for r in every if r.book == rows[0].book and r.kind}
    said = []
    for row in rows:
        if not row.kind:
            continue
        above = (vocabulary.classes[row.kind].ancestors & names) - {row.kind}
        if not any(vocabulary.classes[a].descendants & asked <= names for a in above):
            below = vocabulary.classes[row.kind].descendants & asked - {row.kind}
            said.append(row.label + (" (every kind)" if below and below <= names else ""))
    return ", ".join(said)


def because(row: Row) -> str:
    """What a row rests on, and its notes."""
    parts = [row.said] if row.said and row.answer not in (comparison.UNSAID,) else []
    return "; ".join([*parts, *row.notes])


def to_json(answered: Answered) -> dict[str, Any]:
    """The comparison as JSON: every row by itself."""
    asked = answered.comparison
    return {
        "format": FORMAT,
        "name": asked.name or None,
        "question": asked.question,
        "about": asked.about or None,
        "yes": answered.systems(),
        "rows": [
            {
                "book": r.book, "title": r.title, "kind": r.kind or None, "label": r.label or None, "answer": r.answer,
                "verdict": r.verdict or None, "cites": list(r.cites),
                "defeated": list(r.proof.defeated) if r.proof is not None else [],
                "sentence": r.said or None, "notes": list(r.notes),
                "grade": r.proof.grade if r.proof is not None else None,
                "assumptions": [a.said(r.proof.theory.vocabulary) for a in r.proof.assumptions] if r.proof is not None else [],
            } for r in answered.rows
        ],
        "words": [
            {"word": row[0].word, "means": [{"book": m.book, "label": m.name, "definition": m.definition} for m in row]}
            for row in answered.homonyms
        ],
    }  # fmt: skip


def notes(answered: Answered, width: int) -> Iterator[str]:
    """Below the table: the words that mean different things in these games, and what the answers leave out."""
    for listed in answered.homonyms:
        yield meanings_text(listed, listed[0].word, width)


def meanings_text(listed: Sequence[Meaning], word: str, width: int) -> str:
    """What a word means in each game, as text."""
    if not listed:
        return f"no game has a “{word}” of its own (loophole terms {word} looks among all words)"
    several = len({m.definition for m in listed}) > 1
    head = f"“{word}” does not mean the same in every game:" if several else f"“{word}” means:"
    rows = [f"{m.book}: {m.definition}" + (f" ({m.name})" if m.name != word else "") for m in listed]
    shared = set(listed[0].shared).intersection(*(m.shared for m in listed))
    if len(listed) > 1:
        rows.append(f"in common: {english.series(sorted(shared)) if shared else 'nothing but the word'}")
    return "\n".join([head, *(textwrap.fill(r, width, initial_indent="  ", subsequent_indent="    ") for r in rows)])


# ── docs/across-games.md ──


def renewed(text: str) -> str:
    """The page with its generated parts made anew."""

    def made(kind: str, given: str) -> Iterator[str]:
        return word_rows(given.split()) if kind == "words" else answers() if kind == "answers" else questions()

    return MARKED.sub(lambda m: m.group(1) + "\n".join(made(m[2], m[3])) + "\n" + m[4], text)


def answers() -> Iterator[str]:
    """A section for each named question with its answers, as Markdown."""
    for asked in comparison.named().values():
        found = compare.answer(asked)
        yield f"\n### {asked.question}\n"
        yield f"`loophole compare {asked.name}`\n"
        yield "| game | what | answer | rules | because |"
        yield "|---|---|---|---|---|"
        for row in grouped(found):
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells(row)) + " |"


def cells(row: Group) -> tuple[str, ...]:
    """A group's cells."""
    return row.title, row.what, f"**{row.answer}**", row.rules, row.because


def questions() -> Iterator[str]:
    """The table of named questions, as Markdown."""
    yield "| name | question |"
    yield "|---|---|"
    for asked in comparison.named().values():
        yield f"| `{asked.name}` | {asked.question} |"


def word_rows(asked: Iterable[str]) -> Iterator[str]:
    """The table of what words mean in each game, as Markdown."""
    books = comparison.books()
    yield f"| word | {' | '.join(books)} | in common |"
    yield f"|---|{'---|' * (len(books) + 1)}"
    for word in asked:
        listed = compare.meanings(word)
        by = {m.book: m.definition for m in listed}
        shared = set(listed[0].shared).intersection(*(m.shared for m in listed)) if len(listed) > 1 else set()
        common = english.series(sorted(shared)) if shared else "the word only" if len(listed) > 1 else ""
        yield f"| {word} | {' | '.join(by.get(b, '') for b in books)} | {common} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 current, 1 stale, 2 called wrongly."""
    page = resources.PACKAGE.parent / "docs" / "across-games.md"
    return generated.command(MODULE, lambda: wanted(page), arguments)


def wanted(page: Path) -> dict[Path, str | None]:
    """The page with what should stand in it."""
    return {page: renewed(page.read_text(encoding="utf-8"))}


def build(page: Path) -> int:
    """Writes the page anew. Returns the exit code."""
    generated.build(wanted(page))
    return 0


def check(page: Path) -> int:
    """Whether the page is current. Returns the exit code."""
    return generated.check(MODULE, wanted(page))


if __name__ == "__main__":
    sys.exit(main())
