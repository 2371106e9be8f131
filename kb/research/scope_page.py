"""What the loaded chapters decide, as a page: docs/scope.md, made from the scopes in their front matter.

python -m kb.research.scope_page build|check
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from kb import generated, registry, resources
from kb.language import norms as m, phrases
from kb.language.vocabulary import Vocabulary

INTRO = """# What the rules decide, and what their silence means

Made by `python -m kb.research.scope_page build` from the front matter of the chapters; do not edit. What the columns mean for an answer:
[rule-language.md](rule-language.md), “Scope”. What stands in no table is *outside*: NOT RULED HERE, by its own rule.

* **Wholly**: what these rules do not say of it is not so.
* **Partly**: these rules decide it together with others that are not loaded; an answer says so.
* **Named**: these rules touch it; others decide.
* **Left**: where that is so, how much it is, or whether it is so, stands in others alone: nothing is presumed of it.
"""
TITLES = {m.WHOLLY: "Wholly", m.PARTLY: "Partly", m.NAMES: "Named", m.LEFT: "Left"}
HEADS = {
    m.WHOLLY: ("what", "where nothing says so"),
    m.PARTLY: ("what", "decided also by", "which"),
    m.NAMES: ("what", "decided by", "which"),
    m.LEFT: ("what", "left by", "to", "which"),
}


def page() -> str:
    """The whole page: a section for each chapter of each shipped book."""
    out = [INTRO]
    for book_id in resources.games():
        book, vocabulary = registry.book(book_id), registry.vocabulary(book_id)
        for chapter in book.chapters:
            out += [f"## {chapter.id} {chapter.title} (`{book_id}`)", "", *tables(chapter, vocabulary)]
    return "\n".join(out).rstrip() + "\n"


def tables(chapter: m.Chapter, vocabulary: Vocabulary) -> Iterator[str]:
    """A table for each way in which a chapter decides terms; terms that share their row's other columns share a line."""
    for kind, title in TITLES.items():
        rows = [row for row in chapter.scope if row.kind == kind]
        if not rows:
            continue
        head = HEADS[kind]
        yield from (f"### {title}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|")
        for rest, same in groupby(rows, key=columns):
            what = "; ".join(said(row, vocabulary) for row in same)
            yield f"| {' | '.join((what, *rest))} |"
        yield ""


def columns(row: m.ScopeRow) -> tuple[str, ...]:
    """The columns beside the term."""
    if row.kind == m.WHOLLY:
        return (": ".join(filter(None, (row.by, row.says))),)
    refs = ", ".join(row.refs)
    return (row.by, refs, row.those) if row.kind == m.LEFT else (refs, row.those)


def said(row: m.ScopeRow, vocabulary: Vocabulary) -> str:
    """A term by its label, and of what it is decided."""
    known = vocabulary.classes.get(row.term) or vocabulary.properties[row.term]
    where = "" if row.condition is None else f" ({phrases.say_condition(vocabulary, row.condition)})"
    return f"{known.label} `{row.term}`{where}".replace("|", "\\|")


def main(arguments: Sequence[str] | None = None) -> int:
    """0 written or current, 1 stale, 2 called wrongly."""
    return generated.command("kb.research.scope_page", wanted, arguments)


def build() -> list[Path]:
    """Writes the page where it is not current; the file when written."""
    return generated.build(wanted())


def wanted() -> dict[Path, str | None]:
    """The page with what should stand in it."""
    return {place(): page()}


def place() -> Path:
    """Where the page stands."""
    return resources.PACKAGE.parent / "docs" / "scope.md"


if __name__ == "__main__":
    sys.exit(main())
