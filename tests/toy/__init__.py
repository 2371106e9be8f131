"""A small invented game, so that tests need no real rulebook: a keep, its door, and who may come in."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from kb.cases import reader as cases
from kb.language.case import Case
from kb.language.norms import Book
from kb.language.parser import condition
from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary
from kb.reasoner import reason
from kb.reasoner.proof import Proof
from kb.rulebook import compiler, linker, reader
from kb.rulebook.theory import Theory
from kb.yaml_document import Source, document

HERE = Path(__file__).parent
IRI = "https://example.org/toy#"


@lru_cache
def vocabulary() -> Vocabulary:
    """terms.yaml with the class tree and disjointness closed."""
    data = yaml.safe_load((HERE / "terms.yaml").read_text(encoding="utf-8"))
    rows: dict[str, dict[str, Any]] = data["classes"]
    up = {name: [row["up"]] if isinstance(row.get("up"), str) else row.get("up") or [] for name, row in rows.items()}

    def ancestors(name: str) -> frozenset[str]:
        return frozenset([name]).union(*(ancestors(p) for p in up[name]))

    above = {name: ancestors(name) for name in rows}
    below = {name: frozenset(n for n in rows if name in above[n]) for name in rows}
    apart = {name: frozenset(
        out
        for group in data["disjoint"] for a in above[name] & set(group)
        for b in set(group) - {a} for out in below[b]
    ) for name in rows}  # fmt: skip
    classes = {}
    for name, row in rows.items():
        silent = next(
            (rows[a]["silence"] for a in sorted(above[name], key=lambda a: -len(above[a])) if "silence" in rows[a]),
            "asked",
        )
        classes[name] = ClassTerm(
            name, IRI + name, row.get("label", name.lower()), above[name], below[name], apart[name], tuple(up[name]),
            tuple(row.get("alt", ())), row.get("definition", ""), "K1", row.get("says", ""), silent,
            (row["is"],) if "is" in row else (),
            tuple((p, c) for a in above[name] for p, c in rows[a].get("some", {}).items()), row.get("derived", ""),
        )  # fmt: skip
    properties = {}
    for name, row in data["properties"].items():
        inverses = (row["inverse"],) if "inverse" in row else ()
        default = None if "default" not in row else Fraction(row["default"])
        properties[name] = PropertyTerm(
            name, IRI + name, row.get("label", name), row["kind"], (name,), inverses, (), row.get("functional", False),
            False, row.get("domain", ""), row.get("range", ""), (), row.get("definition", ""), "K1",
            row.get("says", ""), row.get("silence", "asked"),
            "", row.get("staged", False), default, row.get("unit", ""),
        )  # fmt: skip
    return Vocabulary("toy", "1", classes, properties)


@lru_cache
def book() -> Book:
    """The rulebook, read and linked."""
    found = reader.book(HERE / "rulebook")
    lines = {c.file: Path(c.file).read_text(encoding="utf-8").splitlines() for c in found.chapters}
    return linker.link(found, vocabulary(), lines)


@lru_cache
def theory(readings: tuple[tuple[str, str], ...] = ()) -> Theory:
    return compiler.theory(book(), vocabulary(), (), dict(readings))


def case(data: str | Mapping[str, Any]) -> Case:
    """A checked case of the toy game, from YAML text or a mapping."""
    source = Source()
    if isinstance(data, str):
        data, source = document(data)
    return cases.read(data, vocabulary(), source)


def ask(data: str | Mapping[str, Any], **readings: str) -> Proof:
    """The answer to a case of the toy game."""
    return reason.answer(theory(tuple(readings.items())), case(data))


__all__ = ["ask", "book", "case", "condition", "theory", "vocabulary"]
