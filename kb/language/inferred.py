"""An inferred file: the classified terms of a book as `loophole build` writes them, one a line, sealed by a checksum.

read(text)      book, version, classes and properties
seal, sealed    that it is as it was built
with_ends       with classes of what is so no more
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from kb.language.norms import NO_MORE
from kb.language.terms import Apart, ClassTerm, PropertyTerm

SEAL = re.compile(r'\{\n"checksum": "([0-9a-f]{64})",\n')


def seal(text: str) -> str:
    """An inferred file with the SHA-256 of all that follows as its first line; one that has it gets it anew."""
    rest = text[found.end() :] if (found := SEAL.match(text)) else text.removeprefix("{\n")
    return f'{{\n"checksum": "{hashlib.sha256(rest.encode("utf-8", "surrogatepass")).hexdigest()}",\n{rest}'


def sealed(text: str) -> bool | None:
    """Whether an inferred file is as it was sealed; None for one that never was."""
    return seal(text) == text if SEAL.match(text) else None


def read(text: str) -> tuple[str, str, dict[str, ClassTerm], dict[str, PropertyTerm]]:
    """Book, version, classes and properties. Raises ValueError for a file that is not as it was built, and others for one that does
    not read."""
    if sealed(text) is False:
        raise ValueError("they are not as they were built")
    data = msgspec.json.decode(text)
    classes = msgspec.convert(_named(data["classes"]), dict[str, ClassTerm])
    properties = msgspec.convert(_named(data["properties"]), dict[str, PropertyTerm], dec_hook=_number)
    return data["book"], data["version"], _closed(classes), properties


def _named(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {**row, "name": name} for name, row in rows.items()}


def _number(_: type, written: str) -> Fraction:
    return Fraction(written)


def _closed(classes: dict[str, ClassTerm]) -> dict[str, ClassTerm]:
    """The classes with all ancestors and descendants (each of itself too), and with inherited disjointness."""
    above: dict[str, set[str]] = {}
    below: dict[str, set[str]] = {name: set() for name in classes}
    apart: dict[str, set[str]] = {name: set() for name in classes}
    for name, term in classes.items():
        found, queue = {name}, [*term.parents, *term.ancestors]
        while queue:
            if (parent := queue.pop()) not in found:
                found.add(parent)
                queue += classes[parent].parents
        above[name] = found
        for other in term.told_apart:
            apart[name].add(other)
            apart[other].add(name)
    for name, found in above.items():
        for parent in found:
            below[parent].add(name)
    families: dict[frozenset[str], Apart] = {}  # whole families of classes exclude the same
    telling = {name for name, others in apart.items() if others}
    closed = {}
    for name, term in classes.items():
        roots = frozenset(above[name] & telling)
        if roots not in families:
            families[roots] = Apart(roots, apart, below)
        closed[name] = replace(
            term, ancestors=frozenset(above[name]), descendants=frozenset(below[name]), apart=families[roots]
        )
    return closed


def with_ends(classes: Mapping[str, ClassTerm], ended: Iterable[str]) -> dict[str, ClassTerm]:
    """The classes with, for each that norms end, one more of what is none of it: the two exclude each other."""
    found = dict(classes)
    for name in ended:
        term = classes[name]
        other = NO_MORE + name
        alone, said = frozenset({other}), f"no longer {term.label}"
        found[other] = ClassTerm(other, f"{term.iri}-ended", said, alone, alone, term.descendants)
        families: dict[int, Apart] = {}  # what excludes the same shares it still
        for below in term.descendants:
            was = found[below]
            if was.apart is None:
                apart = Apart(frozenset(), {}, {}, was.told_apart | alone)
            elif (shared := families.get(id(was.apart))) is not None:
                apart = shared
            else:
                apart = families[id(was.apart)] = was.apart.besides(other)
            found[below] = replace(was, apart=apart)
    return found
