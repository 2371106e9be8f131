"""The IRIs of what Loophole knows: books, rules, norms, cases, errata, proofs. docs/graph.md shows the patterns.

Rule numbers, ids and names stand in them as they are written; what an IRI may not hold is percent-encoded.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from urllib.parse import quote

BASE = "https://w3id.org/loophole/"
FOLDERS = ("cases", "examples")  # a case's IRI begins with the folder it is in, below one of these or itself


def part(name: str) -> str:
    """A name as a part of an IRI's path or fragment; slashes stay."""
    return quote(name.strip().replace(" ", "_"), safe="/:@!$&'()*+,;=~")


def book(book_id: str) -> str:
    """A book."""
    return f"{BASE}book/{part(book_id)}"


def edition(book_id: str, name: str) -> str:
    """An edition of a book."""
    return f"{book(book_id)}/edition/{part(name or 'unnamed')}"


def chapter(book_id: str, name: str) -> str:
    """A chapter of a book."""
    return f"{BASE}chapter/{part(book_id)}/{part(name)}"


def scope_row(book_id: str, name: str, n: int) -> str:
    """A row of the scope of a chapter, counted from 1."""
    return f"{chapter(book_id, name)}#scope-{n}"


def rule(book_id: str, number: str) -> str:
    """A rule, loaded or only cited; a norm's id gives its rule."""
    return f"{BASE}rule/{part(book_id)}/{part(number.split('/')[0])}"


def sentence(book_id: str, number: str, n: int) -> str:
    """A sentence of a rule, counted from 1."""
    return f"{rule(book_id, number)}#s{n}"


def passage(book_id: str, number: str, label: str) -> str:
    """An exception passage, by its label, which a section uses once."""
    return f"{rule(book_id, number)}#exc-{part(label)}"


def table(book_id: str, number: str, name: str) -> str:
    """A table of a rule."""
    return f"{rule(book_id, number)}#table-{part(name)}"


def norm(book_id: str, norm_id: str, erratum: str = "") -> str:
    """A norm; as an erratum has it where one is named."""
    return f"{BASE}norm/{part(book_id)}/{part(norm_id)}" + (f"@{part(erratum)}" if erratum else "")


def clause(norm_iri: str, kind: str, label: str) -> str:
    """An exception clause of a norm. kind: unless or except."""
    return f"{norm_iri}#{kind}-{part(label)}"


def of_book(book_id: str, kind: str, *names: str) -> str:
    """What belongs to a book as a whole: policy, principle, authority, dispute, reading."""
    return f"{book(book_id)}#{'-'.join([kind, *map(part, names)])}"


def case(book_id: str, file: str, text: str = "") -> str:
    """A case, by its file below a folder of cases; one that has no file, by what its text says."""
    path = PurePath(file.replace("\\", "/"))
    if path.suffix not in (".yaml", ".yml", ".json"):
        return f"{BASE}case/{part(book_id)}/{digest(text)}"
    parts = path.with_suffix("").parts
    at = max((i for i, p in enumerate(parts[:-1]) if p in FOLDERS), default=-1)
    if at < 0:
        return f"{BASE}case/{part(book_id)}/{part(parts[-1])}"
    kept = parts[at:] if parts[at] == "examples" else parts[at + 1 :]
    return f"{BASE}case/{part('/'.join(kept))}"


def thing(case_iri: str, name: str) -> str:
    """A thing of a case."""
    return f"{case_iri}#{part(name)}"


def erratum(book_id: str, name: str) -> str:
    """An erratum of a book."""
    return f"{BASE}erratum/{part(book_id)}/{part(name)}"


def ruling(book_id: str, name: str) -> str:
    """A ruling of a book."""
    return f"{BASE}ruling/{part(book_id)}/{part(name)}"


def proof(text: str) -> str:
    """A proof, by what it says."""
    return f"{BASE}proof/{digest(text)}"


def graph(*names: str) -> str:
    """A named graph."""
    return f"{BASE}graph/{'/'.join(map(part, names))}"


def digest(text: str) -> str:
    """The first 16 digits of a text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
