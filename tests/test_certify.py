"""The checker accepts proofs, and rejects each of many kinds of tampering with them (tests/tampering)."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from kb import asking, registry
from kb.checker.checker import certify
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from tests import corpus
from tests.night import NIGHT, today
from tests.tampering import answers, candidates, numbers, scope, steps, support
from tests.tampering.parts import Tamper
from tests.tampering.proofs import WHOLE, arenas, cases, draft, read, spread

EACH = 5 if NIGHT else 2  # proofs that each kind of tampering is tried on
ROOMS = (answers, numbers, candidates, scope, support, steps)
TAMPERS: dict[str, Tamper] = {kind: tamper for room in ROOMS for kind, tamper in room.KINDS.items()}
assert len(TAMPERS) == sum(len(room.KINDS) for room in ROOMS), "two kinds of one name"
# What a case has happen only in the arena: counted so that the tables stay honest.
FEWEST = 1


@pytest.mark.slow
def test_there_are_cases() -> None:
    assert len(corpus.every()) >= 3280
    wanted = {p.PERMITTED, p.FORBIDDEN, p.REQUIRED, p.UNDETERMINED, p.VALUE, p.EFFECTS, p.HOLDS, p.FAILS, p.WHICH}
    for name, fresh in cases():
        WHOLE[name] = proof = fresh()
        wanted.discard(proof.verdict)
        if not wanted:
            break
    assert not wanted


def test_every_proof_of_the_arena_is_accepted() -> None:
    """Those of the case files: tests/test_pipeline_cases.py."""
    proofs = [fresh() for _, fresh in arenas()]
    assert len(proofs) >= 13
    assert [str(x) for proof in proofs for x in certify(proof)] == []


def test_at_least_25_kinds() -> None:
    assert len(TAMPERS) >= 25


@pytest.mark.slow
def test_tampering_with_a_proof_of_the_arena_is_rejected() -> None:
    """For who is at work: each kind, on the few proofs that need no book. Below, on those of all cases."""
    met, whole = set(), dict[str, Proof]()  # those that nobody has tampered with are asked once
    for kind, tamper in TAMPERS.items():
        for name, fresh in arenas():
            proof = whole.pop(name, None) or fresh()
            theory, case = proof.theory, proof.case
            if tamper(proof):
                assert certify(proof, theory, case), f"{name}: {kind}, and it was accepted"
                met.add(kind)
                break
            whole[name] = proof
    assert len(met) > 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", today(list(TAMPERS), of=2))
def test_tampering_is_rejected(kind: str) -> None:
    tried = 0
    for name, fresh in spread():
        proof = WHOLE.pop(name, None) or fresh()
        theory, case = proof.theory, proof.case
        if not TAMPERS[kind](proof):
            WHOLE[name] = proof
            continue
        tried += 1
        assert certify(proof, theory, case), f"{name}: {kind}, and it was accepted"
        if tried >= EACH:
            break
    assert tried >= FEWEST, "no proof of any case has anything to tamper with in this way"


def test_a_quote_must_be_of_the_book() -> None:
    proof: Proof = arenas()[-1][1]()
    own = "It is so, said the book."
    digests = {"R1": frozenset([hashlib.sha256(own.encode()).hexdigest()])}

    def known(rule: str) -> frozenset[str]:
        return digests.get(rule, frozenset())

    assert not certify(proof, quoted=[("R1", own), ("R1", "It is  so,\nsaid the book.")], digests=known)
    assert certify(proof, quoted=[("R1", own.replace("so", "not so"))], digests=known)
    assert certify(proof, quoted=[("R2", own)], digests=known)


def test_the_edition_is_the_one_asked_for() -> None:
    base, later = (registry.in_edition("asl", without=taken) for taken in ((), ("B30.34-att",)))
    assert base != later
    case = read(corpus.named("b30-42-withdraw"))
    proof = asking.ask(case)
    assert not certify(proof, edition=base)
    assert certify(proof, edition=later)
    proof = draft(proof)
    proof.edition = later  # type: ignore[misc]
    assert certify(proof, edition=base)


def test_the_checker_does_without_the_reasoner() -> None:
    code = "import sys, kb.checker.checker; print(sorted(m for m in sys.modules if m in %r))"
    names = [
        "reason",
        "situation",
        "staging",
        "relations",
        "memberships",
        "evaluate",
        "restrictions",
        "counterfactuals",
        "abduction",
    ]
    barred = {f"kb.reasoner.{name}" for name in names}
    done = subprocess.run([sys.executable, "-c", code % barred], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
