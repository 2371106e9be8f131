"""Reads a person's files with words for what is wrong, and writes files whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO

from kb.errors import LoopholeError, Place, Problem, did_you_mean

CASES = (".yaml", ".yml", ".json")  # how the names of case files end


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
    """Writes a file whole or not at all."""
    write_bytes(path, io.BytesIO(content.encode("utf-8", "surrogatepass")))


def write_bytes(path: Path, content: IO[bytes]) -> None:
    """Writes a file whole or not at all: under another name first, which then takes its place."""
    import shutil
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
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
