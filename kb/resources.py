"""Where the data files are: beside the package in a checkout, inside it in an installed wheel."""

from __future__ import annotations

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
