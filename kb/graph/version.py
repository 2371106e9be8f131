"""What the graph is made from, and a hash of it: by that a file or a store of the graph is known to be current, and kept until it is not.

Nothing here loads an RDF library.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kb import resources
from kb.errors import LoopholeError

FORMAT = "1"  # of what is kept on disk


def case_files() -> list[Path]:
    """The case files at hand. An installed copy has no tests beside it."""
    root = resources.PACKAGE.parent
    if not (root / "pyproject.toml").is_file():
        return []
    folders = (root / "examples", root / "tests" / "cases")
    return [f for folder in folders for f in sorted(folder.rglob("*.yaml"))]


def sources() -> list[Path]:
    """Every file that the graph is made from: data and the code that writes it."""
    data = [resources.path("ontology"), resources.path("rulebooks"), *filter(None, [resources.own()])]
    found = [f for folder in data for f in folder.rglob("*") if f.suffix in (".ttl", ".md", ".yaml", ".json")]
    return sorted([*found, *case_files(), *resources.PACKAGE.rglob("*.py")])


def version() -> str:
    """A hash of what the graph is made from: the same hash, the same graph."""
    digest = hashlib.sha256(FORMAT.encode())
    for file in sources():
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:24]


def kept(name: str, ending: str, make: Callable[[], bytes]) -> bytes:
    """What `make` gives, kept in a file of the user's cache folder until what the graph is made from changes."""
    try:
        path = resources.cache() / f"{name}-{version()}.{ending}"
    except LoopholeError:  # who has no home keeps nothing
        return make()
    with suppress(OSError):
        mark, _, found = path.read_bytes().partition(b"\n")
        if mark == hashlib.sha256(found).hexdigest().encode():  # else it is garbled, and made anew
            return found
    made = make()
    with suppress(OSError, LoopholeError):  # a folder that cannot be written to keeps nothing
        resources.write_bytes(path, io.BytesIO(hashlib.sha256(made).hexdigest().encode() + b"\n" + made))
        for old in {*path.parent.glob(f"{name}-*.{ending}")} - {path}:
            old.unlink()
    return made
