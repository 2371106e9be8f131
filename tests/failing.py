"""A file layer that fails: at its n-th call (a full disk, one that breaks, a process that is killed), and files whose bytes are garbled.

with failing_at(3) as layer: …   the third call that writes fails
killed_at(3, below, work)        whether a process of its own was killed at the third call that writes
for garbled, how in garblings(path): …   the file with its bytes changed in each way, put back at the end
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WRITES = ("w", "a", "x", "+")
KILL = -1  # in the place of an error's number: the process is killed


class Layer:
    """Counts the calls that write, and fails at one of them. seen: how many there were; fired: whether it has failed."""

    def __init__(self, at: int, code: int, below: Path):
        self.at, self.code, self.below, self.seen, self.fired = at, code, below, 0, False

    def call(self, path: object) -> None:
        """One call. Raises OSError when it is the one."""
        if isinstance(path, int) or Path(os.fsdecode(path)).is_relative_to(self.below):  # type: ignore[arg-type]
            self.seen += 1
            if self.seen == self.at:
                self.fired = True
                if self.code == KILL:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError(self.code, os.strerror(self.code), None if isinstance(path, int) else str(path))


class Pen:
    """A file whose every write is a call of the layer."""

    def __init__(self, file: Any, layer: Layer):
        self.file, self.layer = file, layer

    def write(self, data: Any) -> Any:
        self.layer.call(0)
        return self.file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.file)

    def __enter__(self) -> Pen:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


@contextmanager
def failing_at(n: int, below: Path, code: int = errno.ENOSPC) -> Iterator[Layer]:
    """While the n-th call that writes below a folder fails: opening, writing, syncing, renaming, deleting, making folders."""
    layer = Layer(n, code, below)
    kept: list[tuple[Any, str, Any]] = []

    def wrap(where: Any, name: str, path_at: int = 0) -> None:
        real = getattr(where, name)
        kept.append((where, name, real))

        def called(*args: Any, **named: Any) -> Any:
            layer.call(args[path_at] if args else named.get("dir", 0))
            return real(*args, **named)

        setattr(where, name, called)

    def opening(real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
            if not any(sign in mode for sign in WRITES):
                return real(file, mode, *args, **named)
            layer.call(file)
            return Pen(real(file, mode, *args, **named), layer)

        return opened

    real_mkstemp = tempfile.mkstemp

    def mkstemp(*args: Any, **named: Any) -> Any:
        layer.call(named.get("dir") or tempfile.gettempdir())
        return real_mkstemp(*args, **named)

    for where, name in ((builtins, "open"), (io, "open"), (os, "fdopen")):
        kept.append((where, name, getattr(where, name)))
        setattr(where, name, opening(getattr(where, name)))
    kept.append((tempfile, "mkstemp", real_mkstemp))
    tempfile.mkstemp = mkstemp  # type: ignore[assignment]
    for name in ("replace", "fsync", "mkdir", "chmod"):
        wrap(os, name)
    try:
        yield layer
    finally:
        for where, name, real in reversed(kept):
            setattr(where, name, real)


def killed_at(n: int, below: Path, work: Callable[[], object]) -> bool:
    """Does a work in a process of its own, which is killed at its n-th call that writes below a folder; False where there were fewer."""
    child = os.fork()
    if not child:
        try:
            with failing_at(n, below, KILL):
                work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "it failed before it was killed"
    return os.WIFSIGNALED(status)


def garblings(path: Path) -> Iterator[str]:
    """A file with its bytes changed in one way after another; each is told. It is put back at the end."""
    whole = path.read_bytes()
    middle = len(whole) // 2
    ways = {
        "empty": b"", "cut off": whole[:middle], "a byte changed": whole[:middle] + bytes([whole[middle] ^ 0x15]) + whole[middle + 1 :],
        "no text": b"\xff\xfe\x00" + whole, "zeros": b"\0" * len(whole), "another file": b"[1, 2]\n", "deep": b"[" * 30_000,
    }  # fmt: skip
    try:
        for how, data in ways.items():
            path.write_bytes(data)
            yield how
    finally:
        path.write_bytes(whole)
