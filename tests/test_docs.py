"""The documents keep up with the software: commands and options that they name exist, links lead somewhere, every module has its room."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import typer

from api import cli

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "bench" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
SAID = re.compile(r"(?:^|[`(|] ?)loophole ([^`\n|#]+)", re.M)


@lru_cache
def commands() -> dict[str, set[str]]:
    """The options of each command; of a group's commands by both names."""
    found: dict[str, set[str]] = {}

    def look(command: Any, name: str) -> None:
        found[name] = {o for p in command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("-")} | {
            "--help"
        }
        for below, its in getattr(command, "commands", {}).items():
            look(its, f"{name} {below}".strip())

    look(typer.main.get_command(cli.app), "")
    return found


def wrong(said: str) -> str:
    """What a command line names that there is not, "" when it is right. `said` begins behind `loophole`."""
    words = [w for w in re.sub(r"…|\[|\]|,", " ", said).split() if w not in ("--debug", "COMMAND")]
    name = (
        " ".join(words[:2]) if " ".join(words[:2]) in commands() else words[0] if words and words[0][0] != "-" else ""
    )
    if name not in commands():
        return f"no command “{name}”"
    options = [w.partition("=")[0] for w in words if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", w)]
    missing = [o for o in options if o not in commands()[name]]
    return f"{name} has no {', '.join(missing)}" if missing else ""


def named(page: Path) -> list[str]:
    """The command lines that a page shows, in blocks, in tables and in sentences."""
    return [m.strip() for m in SAID.findall(page.read_text(encoding="utf-8"))]


def test_every_command_and_option_that_a_page_shows_exists() -> None:
    rows = [(page.name, said) for page in PAGES for said in named(page)]
    assert len(rows) >= 150, f"only {len(rows)} command lines were found"
    assert [f"{page}: loophole {said}: {fault}" for page, said in rows if (fault := wrong(said))] == []


@pytest.mark.parametrize("said", ["asc CASE", "ask CASE --jsn", "ask CASE -x"])
def test_a_command_that_is_not_there_is_noticed(said: str) -> None:
    assert wrong(said)


def test_every_command_stands_in_the_list_of_commands() -> None:
    listed = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    missing = [name for name in commands() if name and name != "library" and f"`loophole {name}" not in listed]
    assert len(commands()) >= 25 and missing == []


def test_every_link_between_pages_leads_to_a_file() -> None:
    links = [
        (page, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) >= 50
    assert [f"{page.name}: {target}" for page, target in links if not (page.parent / target).exists()] == []


def test_every_module_stands_in_the_architecture() -> None:
    table = (
        (ROOT / "docs" / "architecture.md")
        .read_text(encoding="utf-8")
        .partition("## Packages")[2]
        .partition("\n## ")[0]
    )
    rows = {
        row.split("`")[1]: set(re.findall(r"`([a-z_]+)`", row)) for row in table.splitlines() if row.startswith("| `")
    }
    told = set(re.findall(r"`(?:api\.)?([a-z_]+)`", table.partition("| `api`")[2]))
    api = {p.stem for p in (ROOT / "api").glob("*.py") if not p.stem.startswith("cli_")} - {"__init__"}
    assert len(api) >= 15 and sorted(api - told) == []
    grounds = {p.stem for p in (ROOT / "kb").glob("*.py")} - {"__init__"}
    packages = {
        ".".join(p.parent.relative_to(ROOT / "kb").parts): p.parent for p in (ROOT / "kb").glob("*/**/__init__.py")
    }
    assert len(packages) >= 14 and grounds | packages.keys() == set(rows) - {"api"}
    for name, folder in packages.items():
        modules = {p.stem for p in folder.glob("*.py")} - {"__init__"} | {
            p.parent.name for p in folder.glob("*/__init__.py")
        }
        assert modules == rows[name] - {name} | (modules & {name}), name


def test_every_setting_is_told() -> None:
    source = "".join(p.read_text(encoding="utf-8") for folder in ("kb", "api") for p in (ROOT / folder).rglob("*.py"))
    settings = set(re.findall(r"LOOPHOLE_[A-Z_]+\b", source))
    pages = "".join(p.read_text(encoding="utf-8") for p in PAGES)
    assert len(settings) >= 3 and sorted(s for s in settings if s not in pages) == []
