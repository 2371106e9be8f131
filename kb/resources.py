"""Where the data files are: beside the package in a checkout, inside it in an installed wheel; and a reader's own books.

Books of one's own stand in the folder that LOOPHOLE_BOOKS names, one folder a book, terms and all (docs/new-rulebook.md).
"""

from __future__ import annotations

import os
from pathlib import Path

from kb.errors import LoopholeError, Problem

PACKAGE = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """The folder of a kind of data: "ontology", "queries" or "rulebooks".

    A checkout is preferred when there is one: its files are the ones being edited. Raises LoopholeError (E700) when the
    folder is in neither place.
    """
    places = {n: (PACKAGE / n,) for n in ("rulebooks", "comparisons")}.get(
        name, (PACKAGE.parent / name, PACKAGE / "_data" / name)
    )
    for place in places:
        if place.is_dir() and (place.parent != PACKAGE.parent or (PACKAGE.parent / "pyproject.toml").is_file()):
            return place
    looked = " and ".join(str(p) for p in places)
    raise LoopholeError(Problem(700, f"no data folder “{name}” in {looked}", hint="install loophole-rules again"))


def own() -> Path | None:
    """The folder of the reader's own books, None when there is none. Raises LoopholeError (E790) when it is missing."""
    told = os.environ.get("LOOPHOLE_BOOKS", "")
    if not told:
        return None
    folder = Path(told).expanduser()
    if folder.is_dir():
        return folder
    hint = "make the folder, or let LOOPHOLE_BOOKS name the one that holds your books' folders"
    raise LoopholeError(Problem(790, f"LOOPHOLE_BOOKS names “{told}”, and there is no such folder", hint=hint))


def books() -> dict[str, Path]:
    """The folder of each rulebook there is, by id: those that are shipped, then the reader's own. Raises LoopholeError
    (E791) when one of these has the name of a shipped one."""
    found = {p.parent.name: p.parent for p in sorted(path("rulebooks").glob("*/policy.yaml"))}
    folder = own()
    for policy in sorted(folder.glob("*/policy.yaml")) if folder is not None else ():
        name = policy.parent.name
        if name in found:
            hint = f"give {policy.parent} another name"
            raise LoopholeError(Problem(791, f"the book “{name}” is one that Loophole brings", hint=hint))
        found[name] = policy.parent
    return dict(sorted(found.items()))


def book(name: str) -> Path:
    """The folder of one rulebook; where a shipped one would be when there is none."""
    return books().get(name) or path("rulebooks") / name


def unready(name: str) -> str:
    """What a folder that is to be a book still lacks; "" for one that lacks nothing, and for none."""
    folder = own()
    if folder is None or not (folder / name).is_dir() or (folder / name / "policy.yaml").is_file():
        return ""
    return f"{folder / name} has no policy.yaml: a book begins with one (docs/new-rulebook.md)"


def inferred(book: str) -> Path:
    """The file of a book's classified terms; it may be missing still."""
    shipped = path("ontology") / "inferred" / f"{book}.json"
    folder = own()
    return folder / book / "vocabulary.json" if folder is not None and (folder / book).is_dir() else shipped


def games() -> list[str]:
    """The ids of the rulebooks there are, each of them also the name of a vocabulary."""
    return sorted(p.parent.name for p in path("rulebooks").glob("*/policy.yaml"))
