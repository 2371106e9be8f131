"""A proof in a file (`loophole ask --proof`, the JSON of `ask`): a recorded proof, with its case and what the rules were.

python -m kb.checker.proof_file build     writes docs/proof.schema.json
python -m kb.checker.proof_file check     exit code 1 when it is not current
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from kb import generated, resources
from kb.checker.record_format import Json, ProofRecord


class AskedRecord(Struct, forbid_unknown_fields=True):
    """How it was asked: of which chapters (none: those in force), in which readings that are not the adopted ones."""

    chapters: tuple[str, ...]
    readings: dict[str, str]


class RulesRecord(Struct, forbid_unknown_fields=True):
    """What it was asked of, as SHA-256: all of it, the norms as they stood in each chapter, the terms; and the hashes of the
    publisher's sentences that the cited rules encode."""

    sha256: str
    chapters: dict[str, str]
    terms: str
    sentences: dict[str, tuple[str, ...]]


class WholeRecord(ProofRecord, kw_only=True):
    """What `loophole ask --proof` writes: a proof with its case, how it was asked, and what the rules were."""

    case: Json
    asked: AskedRecord
    rules: RulesRecord


def schema() -> Json:
    """The JSON Schema (2020-12) of a recorded proof."""
    found = msgspec.json.schema(WholeRecord)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://w3id.org/loophole/proof.schema.json",
        "title": "An answer of Loophole with its proof",
        **found,
    }


def wanted() -> dict[Path, str | None]:
    """The page, with what should stand in it."""
    text = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
    return {resources.PACKAGE.parent / "docs" / "proof.schema.json": text}


if __name__ == "__main__":
    sys.exit(generated.command("kb.checker.proof_file", wanted))
