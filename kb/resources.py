"""Files: where the data lies, beside the package in a checkout or inside it in a wheel; read with words for what is wrong,
and written whole or not at all.

Books of one's own stand in the folder that LOOPHOLE_BOOKS names, one folder a book, terms and all (docs/new-rulebook.md).
"""

from __future__ import annotations

import io
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from kb.errors import LoopholeError, Place, Problem, did_you_mean

PACKAGE = Path(__file__).resolve().parent
ABANDONED = 3600.0  # seconds after which what was begun and not finished is nobody's
CASES = (".yaml", ".yml", ".json")  # how the names of case files end


def path(name: str) -> Path:
    """The folder of a kind of data: "ontology", "queries", "docs" (in a wheel the pages for assistants alone) or "rulebooks".

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


def books(own_books: Path | None = None) -> dict[str, Path]:
    """The folder of each rulebook there is, by id: those that are shipped, then the reader's own. Raises LoopholeError
    (E791) when one of these has the name of a shipped one.

    own_books: the folder of the reader's own, here and below, where it is not the one that LOOPHOLE_BOOKS names.
    """
    found = {p.parent.name: p.parent for p in sorted(path("rulebooks").glob("*/policy.yaml"))}
    folder = own_books or own()
    for policy in sorted(folder.glob("*/policy.yaml")) if folder is not None else ():
        name = policy.parent.name
        if name in found:
            hint = f"give {policy.parent} another name"
            raise LoopholeError(Problem(791, f"the book “{name}” is one that Loophole brings", hint=hint))
        found[name] = policy.parent
    return dict(sorted(found.items()))


def book(name: str, own_books: Path | None = None) -> Path:
    """The folder of one rulebook; where a shipped one would be when there is none."""
    return books(own_books).get(name) or path("rulebooks") / name


def unready(name: str, own_books: Path | None = None) -> str:
    """What a folder that is to be a book still lacks; "" for one that lacks nothing, and for none."""
    folder = own_books or own()
    if folder is None or not (folder / name).is_dir() or (folder / name / "policy.yaml").is_file():
        return ""
    return f"{folder / name} has no policy.yaml: a book begins with one (docs/new-rulebook.md)"


def inferred(book: str, own_books: Path | None = None) -> Path:
    """The file of a book's classified terms; it may be missing still."""
    shipped = path("ontology") / "inferred" / f"{book}.json"
    folder = own_books or own()
    return folder / book / "vocabulary.json" if folder is not None and (folder / book).is_dir() else shipped


def cache() -> Path:
    """The folder where what is made from the books is kept, to be made again at any time."""
    return user_folder("cache")


def games() -> list[str]:
    """The ids of the rulebooks there are, each of them also the name of a vocabulary."""
    return sorted(p.parent.name for p in path("rulebooks").glob("*/policy.yaml"))


# ── reading and writing ──


def cases(path: Path) -> list[Path]:
    """The case files in a folder and below, in order; a file is itself."""
    return sorted(f for f in path.rglob("*") if f.suffix in CASES and f.is_file()) if path.is_dir() else [path]


def read_text(path: Path, code: int, error: type[LoopholeError] = LoopholeError) -> str:
    """The text of a file. Raises `error` with that code where it cannot be read or is no UTF-8 text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as e:
        why, hint = f"its byte {e.start + 1} is not UTF-8 text", "save it as UTF-8 text"
    except OSError as e:
        why, hint = (e.strerror or str(e)), nearest_file(path) or "give the path of a file that you may read"
    raise error(Problem(code, f"cannot read {path}: {why}", Place(str(path), 1), hint)) from None


def nearest_file(path: Path) -> str:
    """A hint naming the files beside a missing one that are spelt most like it; "" when none is, or it is there."""
    try:
        return "" if path.exists() else did_you_mean(path.name, (p.name for p in path.parent.iterdir()))
    except OSError:
        return ""


def write(path: Path, content: str) -> None:
    """Writes a file whole or not at all. Raises LoopholeError (E717) where it cannot be written."""
    write_bytes(path, io.BytesIO(content.encode("utf-8", "surrogatepass")))


def write_bytes(path: Path, content: IO[bytes]) -> None:
    """The same of bytes that stand in a stream."""
    try:
        _replaced(path, content)
    except OSError as e:
        raise unwritten(path, e) from None


def replaced(path: Path, content: bytes) -> None:
    """The same; raises OSError, for who has a word of his own for it."""
    _replaced(path.resolve(), io.BytesIO(content))


def unwritten(path: Path, error: OSError) -> LoopholeError:
    """The problem (E717) of a file that cannot be written: what happened, and what to do."""
    import errno

    hints = {
        errno.ENOSPC: "make room on that disk", errno.EDQUOT: "make room: your quota there is used up",
        errno.EROFS: "that disk is read-only: let LOOPHOLE_LIBRARY, XDG_CACHE_HOME or XDG_DATA_HOME name a folder on another",
        errno.EACCES: "you may not write there: name another folder, or have the rights changed",
        errno.EIO: "that disk fails: look after it, and name a folder on another",
    }  # fmt: skip
    hint = f"{hints.get(error.errno or 0, 'see that the folder is there and may be written to')}; then do it again: what stood there is as it was"
    return LoopholeError(Problem(717, f"cannot write {path}: {error.strerror or error}", hint=hint))


def user_folder(kind: str) -> Path:
    """The folder of a user's "data" or "cache". Raises LoopholeError (E718) for one who has no home."""
    import platformdirs

    found = Path(
        {"data": platformdirs.user_data_dir, "cache": platformdirs.user_cache_dir}[kind]("loophole", appauthor=False)
    )
    if found.is_absolute():
        return found
    hint = f"set HOME, or XDG_{kind.upper()}_HOME" + (
        ", or LOOPHOLE_LIBRARY" if kind == "data" else ", or LOOPHOLE_STORE=memory"
    )
    raise LoopholeError(Problem(718, f"you have no home folder, in which the {kind} would stand", hint=hint))


def sweep(folder: Path, pattern: str) -> None:
    """Clears away what writers that were killed have left in a folder: files and folders that are older than anything being written."""
    import shutil
    import time

    for left in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime >= ABANDONED:
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def _replaced(path: Path, content: IO[bytes]) -> None:
    """Writes a file under another name, which then takes its place."""
    import shutil
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent, ".new-*")
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            shutil.copyfileobj(content, out)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o644)  # a temporary file is its owner's alone
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
