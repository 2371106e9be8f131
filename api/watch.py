"""`loophole check --watch`: one book, checked at each save of a file in its folder.

A chapter whose file is as it was is not read again; the terms and the records are looked at only where one of their files
has changed, and no other book is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from api import checks
from kb import registry, resources
from kb.errors import LoopholeError

if TYPE_CHECKING:
    from kb.research.report import Finding, Watch

TICK = 0.1  # seconds between two looks at the files
Seen = dict[Path, tuple[int, int]]


def run(out: checks.Out, book: str, saves: Iterator[set[Path]] | None = None, research: bool = False) -> None:
    """Checks a book, and again at each save, until it is stopped. Raises CaseError for a book there is none of.

    saves: the files changed at each save, where it is not the book's folder that is looked at; research: tell, too, what an editor
    would want to know of what has changed. Raises LoopholeError for that where the book does not read at first.
    """
    registry.vocabulary(book)
    folder = resources.book(book)
    changed = saves if saves is not None else saved(folder)  # looks now: what is saved from here on is seen
    checks.one(out, book)
    looking = watching(book) if research else None
    out(f"watching {folder}; Ctrl-C ends it")
    for files in changed:
        began = time.perf_counter()
        out(f"\n── {', '.join(sorted(f.name for f in files))}")
        again(out, book, files)
        for finding in looking.again() if looking is not None else ():
            out("\n".join(["", *short(finding)]))
        out(f"{time.perf_counter() - began:.2f} s")


def watching(book: str) -> Watch:
    """What looks at a book for findings; loaded where it is wanted, for it needs a solver."""
    from kb.research import report

    return report.Watch(book)


def short(finding: Finding) -> list[str]:
    """A finding in a few lines."""
    from kb.research import report

    return report.short(finding)


def again(out: checks.Out, book: str, files: set[Path]) -> None:
    """Checks a book after some of its files have changed."""
    texts = all(f.suffix == ".md" and f.parent == resources.book(book) for f in files)
    try:
        if texts:
            registry.SHIPPED.forget_texts()
            checks.told(out, checks.text(out, book))
        else:
            registry.SHIPPED.forget()
            checks.one(out, book)
    except LoopholeError as error:  # a file half written, terms not built: the next save may mend it
        out(str(error))


def saved(folder: Path, wait: Callable[[float], None] = time.sleep) -> Iterator[set[Path]]:
    """The files of a folder that have come, gone or changed, each time that some have."""
    return changes(folder, state(folder), wait)


def changes(folder: Path, before: Seen, wait: Callable[[float], None]) -> Iterator[set[Path]]:
    """The same, from a state of the folder on."""
    while True:
        now = state(folder)
        if files := {f for f in before.keys() | now.keys() if before.get(f) != now.get(f)}:
            yield files
        else:
            wait(TICK)
        before = now


def state(folder: Path) -> Seen:
    """When each file that a book is made of was written, and its size."""
    found: Seen = {}
    for path in folder.rglob("*"):
        if path.suffix in (".md", ".yaml", ".json", ".ttl") and not path.name.startswith("."):
            try:
                told = path.stat()
            except OSError:  # it is being replaced
                continue
            found[path] = told.st_mtime_ns, told.st_size
    return found
