"""A command as a person has it: on a terminal of its own, so wide and so high. Not on Windows, which has no such terminals."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
RUN = "import sys; from api.cli import main; sys.exit(main())"


def shown(*args: str, columns: int = 80, lines: int = 24, seconds: float = 120, code: str = RUN, **env: str) -> str:
    """What a command writes to a terminal, both streams, as it is written."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    gone = ("COLUMNS", "LINES", "NO_COLOR", "PAGER")
    settings = {k: v for k, v in os.environ.items() if k not in gone} | {"TERM": "xterm", **env}
    with subprocess.Popen(
        [sys.executable, "-c", code, *args], cwd=ROOT, env=settings, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        found, until = b"", time.monotonic() + seconds
        while time.monotonic() < until:
            ready, _, _ = select.select([ours], [], [], 0.2)
            if ready:
                try:
                    chunk = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if not chunk:
                    break
                found += chunk
            elif process.poll() is not None:
                break
        process.kill()
    os.close(ours)
    return found.decode("utf-8", "replace").replace("\r\n", "\n")
