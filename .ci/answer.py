#!/usr/bin/env python3
"""Puts into README.md the answer that its first command prints now: .venv/bin/python .ci/answer.py

Look at the difference before committing it: it is what a reader sees first. tests/test_readme.py holds README to it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    page = ROOT / "README.md"
    text = page.read_text(encoding="utf-8")
    command = subprocess.run(["bash", ".ci/readme", "ask"], cwd=ROOT, capture_output=True, text=True, check=True)
    run = [
        sys.executable,
        "-c",
        "import sys; from api.cli import main; sys.exit(main())",
        "ask",
        command.stdout.split()[-1],
    ]
    with tempfile.TemporaryDirectory() as library:  # no text of one's own
        settings = {**os.environ, "LOOPHOLE_LIBRARY": library, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        answer = subprocess.run(run, cwd=ROOT, env=settings, capture_output=True, encoding="utf-8")
    if answer.returncode:
        print(f"the command failed, README.md is left as it was:\n{answer.stderr}")
        return 1
    block = (
        "<!-- answer -->\n```text\n"
        + "\n".join(line.rstrip() for line in answer.stdout.strip().splitlines())
        + "\n```\n"
    )
    changed = re.sub(r"<!-- answer -->\n(```text\n.*?\n```\n)?", lambda _: block, text, count=1, flags=re.S)
    page.write_text(changed, encoding="utf-8")
    print(
        "README.md shows the same answer"
        if changed == text
        else "README.md shows the new answer: look at the difference"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
