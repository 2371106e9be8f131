"""The checker accepts what is truly said of flips and missing facts, and rejects what is not (tests/tampering/flips.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from kb.checker.checker import certify
from kb.reasoner.proof import Proof
from tests import corpus
from tests.tampering.flips import KINDS
from tests.tampering.proofs import cases


@cache
def turned() -> list[tuple[str, Callable[[], Proof]]]:
    """A few cases of each kind of flip, and of what is missing; first of three that expect another reading to turn it."""
    found: dict[str, list[tuple[str, Callable[[], Proof]]]] = {}
    disputed = [case.name for case in corpus.every() if "reading" in case.content["expect"]][-3:]
    for name, fresh in sorted(reversed(cases()), key=lambda row: row[0] not in disputed):
        proof = fresh()
        kinds = {f.kind for f in proof.flips} | {
            "number" for f in proof.flips if f.kind == "facts" and f.value is not None
        }
        for kind in kinds | ({"missing"} if proof.missing else set()):
            if len(found.setdefault(kind, [])) < 3 and (name, fresh) not in found[kind]:
                found[kind].append((name, fresh))
        if len(found) == 5 and all(len(rows) == 3 for rows in found.values()):
            break
    assert sorted(found) == ["facts", "missing", "number", "reading", "rule"]
    return [row for rows in found.values() for row in rows]


@pytest.mark.slow
def test_what_is_truly_said_of_flips_and_missing_facts_is_accepted() -> None:
    for name, fresh in turned():
        assert not certify(fresh(), deep=True), name


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_falsely_said_of_flips_and_missing_facts_is_rejected(kind: str) -> None:
    tried = 0
    for name, fresh in turned():
        proof = fresh()
        if KINDS[kind](proof):
            tried += 1
            assert certify(proof, deep=True), f"{name}: {kind}, and it was accepted"
    assert tried >= 1
