"""Loophole as one more engine of the pillbox-entry benchmark: a scenario becomes a case, the public pipeline answers it.

Copied by bench/run.sh into the references' folder, whose harness times `ask` and `explain`. Nothing is prepared but the
theory: each case is new, is read and checked, and its answer comes with the whole proof: every norm tried with every
condition, exception and witness, what it cites and assumes. Only what-if trials (flips) are left until asked for.
"""

from __future__ import annotations

from typing import Any

from kb import pipeline
from model import PARENT  # the references' class tree

ACTS = {"MPh": "Move", "RtPh": "Rout", "APh": "Advance", "CCPh": "Withdrawal", "PFPh": "Move", "DFPh": "Move"}
PHASES = {
    "MPh": "MovementPhase",
    "RtPh": "RoutPhase",
    "APh": "AdvancePhase",
    "CCPh": "CloseCombatPhase",
    "PFPh": "PrepFirePhase",
    "DFPh": "DefensiveFirePhase",
}
STATES = {"disrupted": "Disrupted", "subterranean": "Subterranean", "unarmed": "Unarmed", "berserk": "Berserk"}


class Loophole:
    rules = [("peers/extra.py", {})]
    explains = "proof: every norm tried, conditions, exceptions, witnesses, defeats, assumptions"
    names_all = True
    limits = {"budget_s": 60, "max_asks": 10_000}

    def __init__(self) -> None:
        terms = pipeline.vocabulary("asl")
        self.known: dict[str, str] = {}
        for cls in {*PARENT, *PARENT.values()}:
            self.known[cls] = self.nearest(cls, terms.classes)

    def nearest(self, cls: str, known: Any) -> str:
        """The class itself, else the nearest ancestor of it that the ontology has."""
        while cls not in known:
            cls = PARENT[cls]
        return cls

    def case(self, s: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def ask(self, s: dict[str, Any]) -> bool:
        proof = pipeline.ask(self.case(s))
        _ = proof.rest
        return proof.verdict == "permitted"


PEERS = {"Loophole": Loophole}
