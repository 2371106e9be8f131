"""Writing a rulebook of one's own by the tools of `loophole mcp`: files in the folder that LOOPHOLE_BOOKS names, built and checked."""

from __future__ import annotations

import re
from pathlib import Path

from kb import registry, resources
from kb.errors import CaseError, LoopholeError, Problem

NAME = re.compile(r"[a-z][a-z0-9]{0,30}")
FILE = re.compile(r"policy\.yaml|(terms/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,60}\.md")
POLICY = """\
book: {book}
title: {title}
namespaces: [{book}, tactics, core]
authorities: [chapter, module, erratum, scenario]
principles:
  - {{name: explicit, cite: "", says: "our reading: an exception beats the sentence that it is an exception to"}}
  - {{name: specificity, cite: "", says: "our reading: the narrower rule beats the wider"}}
  - {{name: prohibition, cite: "", says: "our reading: what is barred stays barred"}}
"""


def write(book: str, title: str, files: dict[str, str], replace: bool) -> str:
    """Begins a book, or writes files of it; says what was written. Writes nothing where something is wrong.

    Raises CaseError: E470 no folder for books, E471 a name that no book may have, E472 a file that no book has, E473 a file
    that is there and not to be replaced.
    """
    folder = home(book)
    begins = not (folder / "policy.yaml").is_file()
    wanted = dict(files)
    if begins:
        wanted.setdefault("policy.yaml", POLICY.format(book=book, title=title or book.capitalize()))
    problems = [
        Problem(472, f"“{name}” is no file of a book", hint="policy.yaml, CHAPTER.md or terms/NAME.md")
        for name in wanted
        if not FILE.fullmatch(name)
    ]
    there = [
        n for n in wanted if n not in {p.message.split("”")[0][1:] for p in problems} and changed(folder / n, wanted[n])
    ]
    if there and not replace:
        hint = "call again with replace: true if it is to be replaced"
        problems += [Problem(473, f"{name} of {book} is there, and says something else", hint=hint) for name in there]
    if problems:
        raise CaseError(problems)
    for name, text in wanted.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        resources.write(path, text if text.endswith("\n") else text + "\n")
    said = [f"wrote {folder / name}" for name in wanted] or [f"nothing to write: {book} has begun"]
    if begins:
        said.append(
            "next: terms/NAME.md with the table of terms, a file for each chapter (guide page rulebook), then check"
        )
    return "\n".join(said)


def home(book: str) -> Path:
    """The folder of a book of one's own, which may not be there yet. Raises CaseError (E470, E471)."""
    own = resources.own()
    if own is None:
        hint = "set LOOPHOLE_BOOKS to a folder of your own where loophole mcp is started (docs/mcp.md)"
        raise CaseError(Problem(470, "there is no folder for books of your own", hint=hint))
    if not NAME.fullmatch(book) or book in ("core", "tactics", *resources.games()):
        hint = "small letters and digits, a letter first, and not a book that Loophole brings"
        raise CaseError(Problem(471, f"“{book}” cannot be a book of your own", hint=hint))
    return own / book


def changed(path: Path, text: str) -> bool:
    """Whether a file is there and says something else."""
    return path.is_file() and path.read_text(encoding="utf-8").rstrip("\n") != text.rstrip("\n")


def own(book: str) -> bool:
    """Whether a book is of one's own and in its folder."""
    folder = resources.own()
    return (
        folder is not None and bool(NAME.fullmatch(book)) and (folder / book).is_dir() and book not in resources.games()
    )


def build(book: str) -> str:
    """Builds the terms of one's own books; what was written. Raises LoopholeError for each fault in them."""
    from kb.ontology import build as build_

    if lacks := resources.unready(book):
        raise LoopholeError(Problem(470, lacks, hint="new_book begins one"))
    return "\n".join(f"wrote {path}" for path in build_.build_own(both=False))


def check(book: str) -> str:
    """What `loophole check --book` prints."""
    from api import checks

    registry.vocabulary(book)
    lines: list[str] = []
    checks.one(lines.append, book)
    return "\n".join(lines)
