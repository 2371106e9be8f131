"""Files of the checkout that a module makes: `build` writes what is not current, `check` tells it.

if __name__ == "__main__":
    sys.exit(generated.command("kb.research.scope_page", lambda: {place(): page()}))
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def command(module: str, wanted: Callable[[], Mapping[Path, str | None]], given: Sequence[str] | None = None) -> int:
    """Builds or checks the files of a module, by what its command line says. 0 current or written, 1 stale, 2 called wrongly.

    wanted: each file with what should stand in it, None where it should not be there. given: the command line's words.
    """
    asked = list(sys.argv[1:] if given is None else given)
    if asked == ["build"]:
        for path in build(wanted()):
            print(f"wrote {path.parent.name}/{path.name}")
        return 0
    if asked == ["check"]:
        return check(module, wanted())
    print(f"python -m {module} build|check", file=sys.stderr)
    return 2


def build(wanted: Mapping[Path, str | None]) -> list[Path]:
    """Writes the files that are not current, and returns them. What should not be there is left for its maker to remove."""
    written = []
    for path in stale(wanted):
        if (text := wanted[path]) is not None:
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def check(module: str, wanted: Mapping[Path, str | None]) -> int:
    """Tells the files that are not current, and how to renew them. 0 when all are, 1 otherwise."""
    found = stale(wanted)
    for path in found:
        print(f"{path.parent.name}/{path.name} is stale: run python -m {module} build")
    return 1 if found else 0


def stale(wanted: Mapping[Path, str | None]) -> list[Path]:
    """The files that are missing, not current, or there in vain."""
    return [
        path for path, text in wanted.items() if (path.read_text(encoding="utf-8") if path.is_file() else None) != text
    ]
