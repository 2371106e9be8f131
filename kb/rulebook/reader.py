"""Reads a rulebook folder: chapter Markdown and policy.yaml in, kb.language.norms out. Many problems are reported at once.

The language is described in docs/rule-language.md. Names are not looked up here; see kb.rulebook.linker.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml

from kb import resources, yaml_document
from kb.errors import Place, Problem, RulebookError, did_you_mean
from kb.language import norms as m
from kb.rulebook.chapter_reader import ChapterReader, Unread
from kb.yaml_document import listed

POLICY_KEYS = {"book", "title", "namespaces", "authorities", "principles"}
PRINCIPLES = ("explicit", "authority", "specificity", "prohibition", "higher-number", "lower-number")


def book(folder: Path) -> m.Book:
    """Reads kb/rulebooks/<book>/: every chapter and the policy. Raises Unread with all problems found."""
    problems: list[Problem] = []
    policy, title = m.Policy(folder.name, (), ()), folder.name
    namespaces: tuple[str, ...] = ()
    try:
        policy, title, namespaces = policy_file(folder / "policy.yaml")
    except RulebookError as e:
        problems += e.problems
    chapters = []
    for path in sorted(folder.glob("*.md")):
        if path.name in ("NOTES.md", "README.md"):
            continue
        try:
            chapters.append(chapter(path))
        except Unread as e:
            problems += e.problems
            chapters.append(e.rest)
        except RulebookError as e:
            problems += e.problems
    if not chapters and not problems:
        problems.append(Problem(101, f"{folder} has no chapters", hint="add a Markdown file with a front matter"))
    found = m.Book(policy.book, title, tuple(chapters), policy, namespaces)
    if problems:
        raise Unread(problems, found)
    return found


def policy_file(path: Path) -> tuple[m.Policy, str, tuple[str, ...]]:
    """The policy, the book's title and its namespaces."""
    place = Place(str(path), 1)
    try:
        data = yaml_document.values(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RulebookError(Problem(102, f"{path} is missing", hint="every book has a policy.yaml")) from None
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise RulebookError(
            Problem(103, f"{path.name} is not YAML: {e}", place, "check the indentation, the brackets and the colons")
        ) from None
    problems = []
    if not isinstance(data, dict):
        raise RulebookError(Problem(103, f"{path.name} is not a mapping", place, "begin with book: ID"))
    for key, wanted, said in (("book", str, "a name"), ("principles", list, "a list")):
        if not isinstance(data.get(key) or (None if key == "book" else wanted()), wanted):
            problems.append(
                Problem(106, f"“{key}” in {path.name} is {said}", place, "see docs/new-rulebook.md for a policy")
            )
    if problems:
        raise RulebookError(problems)
    for key in data.keys() - POLICY_KEYS:
        problems.append(
            Problem(104, f"unknown key “{key}”", place, did_you_mean(str(key), sorted(POLICY_KEYS), "keys:"))
        )
    principles = []
    for row in data.get("principles") or ():
        name = str(row.get("name", "") if isinstance(row, dict) else row)
        if name not in PRINCIPLES:
            hint = did_you_mean(name, PRINCIPLES, "one of")
            problems.append(Problem(105, f"“{name}” is no principle the reasoner knows", place, hint))
        else:
            given = row if isinstance(row, dict) else {}
            principles.append(m.Principle(name, str(given.get("cite", "")), str(given.get("says", ""))))
    if problems:
        raise RulebookError(problems)
    policy = m.Policy(
        book=str(data["book"]),
        principles=tuple(principles),
        authorities=listed(data.get("authorities")),
    )
    return policy, str(data.get("title", policy.book)), listed(data.get("namespaces"))


def chapter(path: Path) -> m.Chapter:
    """Reads one chapter file; one whose text is as it was is not read again. Raises RulebookError with every problem found."""
    return of_text(str(path), resources.read_text(path, 118, RulebookError))


@lru_cache(maxsize=64)
def of_text(file: str, text: str) -> m.Chapter:
    """The chapter that a text is; kept, for nothing changes it."""
    return ChapterReader(file, text).read()
