"""The unit behind a number of a case: `16"`, `16 inches`, `2 MF`, `105mm`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from kb.cases.telling import BOOKS
from kb.language.vocabulary import PropertyTerm, Vocabulary

INCHES = "\"″”'′"  # the signs that stand for it
TACTICS = "/tactics#"
PARTED = re.compile(r"(.*[\d½¼¾⅓⅔])\s*(\D+)")  # a number and what stands right behind its last figure


def parted(value: Any, vocabulary: Vocabulary) -> tuple[Any, str]:
    """A number as written and the unit behind it, as the vocabulary spells it; "" without one."""
    if not isinstance(value, str):
        return value, ""
    text = value.strip()
    amount = text.rstrip(INCHES + " ")
    if amount != text:
        return amount, "inches"
    found = PARTED.fullmatch(text)
    unit = spellings(vocabulary).get(found[2].casefold(), "") if found else ""
    return (found[1], unit) if found and unit else (text, "")


@lru_cache(maxsize=BOOKS)
def spellings(vocabulary: Vocabulary) -> dict[str, str]:
    """The ways to write the units of a vocabulary, each with the unit."""
    return {form: unit for unit in units(vocabulary) for form in forms(unit)}


def units(vocabulary: Vocabulary) -> list[str]:
    """The units that numbers of a vocabulary have."""
    return sorted({p.unit for p in vocabulary.properties.values() if p.unit})


def forms(unit: str) -> set[str]:
    """The ways to write a unit: inches, inch."""
    plain = unit.casefold()
    return {plain, plain.removesuffix("s"), plain.removesuffix("es")} - {""}


def fits(unit: str, prop: PropertyTerm) -> bool:
    """Whether a number may be told in a unit: in its own; where it has none, in any that its name or its label speaks of,
    and where games share it (a range), in any at all."""
    if prop.unit or not unit:
        return unit in ("", prop.unit)
    named = f"{prop.name} {prop.label}".casefold()
    return TACTICS in prop.iri or any(form in named for form in forms(unit))
