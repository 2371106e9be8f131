"""Figures of how the chapters are written, beside their targets, as a page: docs/style.md, made from the chapters alone.

python -m kb.research.style_page build|check
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from kb import generated, registry, resources
from kb.coverage import style
from kb.research import unused_classes

INTRO = """# How the chapters are written

Made by `python -m kb.research.style_page build` from the chapters; do not edit. `loophole check --style` prints the same figures, of your own books too;
with `--strict` it fails where one misses its target.

"""
NOTES = f"""
* A **sentence** is a line of prose. A **norm** is an id at the left margin of a norms block, however many it says.
* **Names in over** are what norms say that they beat; one in another chapter ties two chapters together.
* A **condition** is what stands behind `when`, with the lines indented below it. Lines are counted in norms blocks; {style.WIDTH} columns fit a page.
* A **class that nothing uses** is one of the game's own that no norm looks at and no case or question names, nor one below it.
"""


def rows(book: str = "") -> tuple[list[list[str]], list[str], list[str]]:
    """A table of the figures of one book or of all shipped; what misses its target; the classes that nothing uses."""
    books = [book] if book else resources.games()
    chapters: dict[str, style.Figures] = {}
    unused: dict[str, int] = {}
    found: list[str] = []
    for name in books:
        for chapter in registry.text_of(name).chapters:
            chapters[f"{name} {chapter.id}"] = style.of_chapter(Path(chapter.file).read_text(encoding="utf-8"))
        named = unused_classes.of_book(name)
        unused[f"{name} {chapter.id}"] = len(named)  # of the whole book, in its last row
        found += [f"{name}: {cls}" for cls in named]
    unused["all"] = len(found)
    return style.table(chapters, unused), style.missed(style.total(chapters.values()), len(found)), found


def page() -> str:
    """The whole page."""
    table, missed, _ = rows()
    said = f"\nOver a target: {'; '.join(missed)}.\n" if missed else "\nEvery target is met.\n"
    return INTRO + "\n".join(markdown(table)) + "\n" + said + NOTES


def markdown(table: Iterable[Sequence[str]]) -> list[str]:
    """A table as Markdown has it, its first row the head."""
    lines = [f"| {' | '.join(row)} |" for row in table]
    return [lines[0], "|---" + "|---:" * (lines[0].count("|") - 2) + "|", *lines[1:]]


def plain(table: Sequence[Sequence[str]]) -> list[str]:
    """A table in columns, for a terminal."""
    wide = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, wide, strict=True)))
        for row in table
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """0 written or current, 1 stale, 2 called wrongly."""
    return generated.command("kb.research.style_page", wanted, arguments)


def build() -> list[Path]:
    """Writes the page where it is not current; the file when written."""
    return generated.build(wanted())


def wanted() -> dict[Path, str | None]:
    """The page with what should stand in it."""
    return {place(): page()}


def place() -> Path:
    """Where the page stands."""
    return resources.PACKAGE.parent / "docs" / "style.md"


if __name__ == "__main__":
    sys.exit(main())
