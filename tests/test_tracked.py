"""What is in the repository: no host of a registry, no path of the machine it was written on, nothing too large."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

# Written in pieces, so that this file does not trip over itself.
FORBIDDEN = {
    "a registry's host": re.compile(
        r"files\.python" + r"hosted|pypi\." + r"org|registry\.npm" + r"js|deb\.deb" + r"ian\.org"
    ),
    "an index option": re.compile(r"(?m)^\s*--(?:extra-)?index-" + r"url\s+\S|^\s*--find-" + r"links\s+\S"),
    "a path of one machine": re.compile(
        r"(?<![\w./-])/(?:wo" + r"rk|ro" + r"ot|ho" + r"me/\w+|opt/py" + r"pi|opt/wh" + r"eels)(?:/|\b)"
    ),
}
LARGEST = 1_500_000


def faults(text: str) -> list[str]:
    """What a text names that it must not: "a registry's host: …"."""
    return [f"{what}: {m.group()}" for what, pattern in FORBIDDEN.items() for m in pattern.finditer(text)]


def test_no_file_names_a_host_or_a_machine(root: Path, files: list[str]) -> None:
    assert len(files) > 40
    found = {}
    for name in files:
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if hits := faults(text):
            found[name] = hits
    assert not found


def test_no_file_is_large(root: Path, files: list[str]) -> None:
    assert not [name for name in files if (root / name).stat().st_size > LARGEST]


@pytest.mark.parametrize(
    "planted",
    [
        "https://files.python" + "hosted.org/packages/ab/cd/x.whl",
        "see https://pypi." + "org/simple/rdflib",
        "--index-" + "url https://example.org/simple",
        "--find-" + "links wheels",
        "open('/wo" + "rk/shared/seeds')",
        "#!/ro" + "ot/.pyenv/bin/python",
        "PATH=/ho" + "me/ann/bin",
        "/opt/wh" + "eels",
    ],
)
def test_a_planted_host_or_path_is_found(planted: str) -> None:
    assert faults(f"before\n{planted}\nafter")


@pytest.mark.parametrize(
    "harmless", ["framework/root", "../shared/tools", "https://w3id.org/loophole/core#", "rework/home"]
)
def test_other_words_are_let_be(harmless: str) -> None:
    assert not faults(harmless)
