"""Loophole as one more engine of the pillbox-entry benchmark: a scenario becomes a case for the public pipeline.

Copied by bench/run.sh into the references' folder, whose harness times `ask` and `explain`. Nothing is prepared but the
theory. Each scenario is read and checked as a new case and asked two questions: whether the unit may enter the pillbox and,
unless that already says no, whether a pillbox may be set up in such terrain (B30.1). Each answer comes with its whole
proof: every norm tried, with its conditions, exceptions and witnesses, what beat what, what it cites and assumes. Only
what-if trials (flips) wait to be asked for.
"""

from __future__ import annotations

from typing import Any, ClassVar

from model import PARENT  # the references' class tree

from kb import asking, registry
from kb.answers import explain
from kb.reasoner.proof import PERMITTED, Proof

ACTS = {"MPh": "Move", "RtPh": "Rout", "APh": "Advance", "CCPh": "Withdrawal"}  # in other phases just an Entry
PHASES = {
    "MPh": "MovementPhase",
    "RtPh": "RoutPhase",
    "APh": "AdvancePhase",
    "CCPh": "CloseCombatPhase",
    "PFPh": "PrepFirePhase",
    "DFPh": "DefensiveFirePhase",
}
STATES = {
    "berserk": "Berserk",
    "broken_now": "Broken",
    "pinned_now": "Pinned",
    "disrupted": "Disrupted",
    "subterranean": "Subterranean",
    "unarmed": "Unarmed",
}
RENAMED = {"Building": "BuildingTerrain", "Road": "OpenGroundRoad"}
CHAPTERS = ("B30",)  # the problem is one of B30 alone: no reference knows A7
WHERE = {"outside": "yard", "inside": "pillbox", "adjacent": "elsewhere"}


class Loophole:
    rules: ClassVar = [("peers/extra.py", {})]
    explains = "every norm tried, with conditions, exceptions, witnesses, defeats and assumptions"
    names_all = True
    limits: ClassVar = {"budget_s": 60, "max_asks": 10_000}

    def __init__(self) -> None:
        known = registry.vocabulary("asl").classes
        self.name: dict[str, str] = {}
        for cls in {*PARENT, *PARENT.values()}:
            name = RENAMED.get(cls, cls)
            while name not in known:  # kinds finer than the ontology's: the nearest one above
                name = PARENT[name]
            self.name[cls] = name

    def case(self, s: dict[str, Any]) -> dict[str, Any]:
        """The scenario in the case format. A unit at a tunnel stands in the hex and goes in by the tunnel."""
        unit, box, phase = s["unit"], s["pillbox"], s["phase"]
        enter = {
            "is": ACTS.get(phase, "Entry"),
            "actor": "unit",
            "destination": "pillbox",
            "phase": PHASES[phase],
            "not": ["ByItsHex"],  # the references know one step: not into the hex first, and then in
        }
        if unit["at"] == "tunnel":
            enter["via"] = "Tunnel"
        things: dict[str, Any] = {
            "yard": {"is": "GroundLevel"},
            "elsewhere": {"is": "GroundLevel"},
            "pillbox": {"is": self.name[box["cls"]], "exterior": "yard", "capacity": box["capacity"]},
            "unit": {
                "is": [self.name[unit["cls"]], "Friendly", *map(STATES.__getitem__, unit["states"])],
                "at": "elsewhere" if unit["at"] == "adjacent" else "yard",
                "strengthInMF": unit["mf"],
            },
            "enter": enter,
            "setup": {
                "is": "PillboxSetUp",
                "object": "pillbox",
                "place": "yard",
                "terrain": self.name[box["terrain"]],
                "phase": "SetUpPhase",
            },
        }
        for i, o in enumerate(s["others"]):
            states = [STATES[state] for state in o["states"] if state != "prc"]
            other: dict[str, Any] = {
                "is": [self.name[o["cls"]], "Enemy" if o["enemy"] else "Friendly", *states],
                "at": WHERE[o["where"]],
            }
            if "prc" in o["states"]:
                other["carries"] = "PRC"
            things[f"other{i}"] = other
        return {"book": "asl", "things": things, "elsewhere": "nothing", "ask": {"may": "enter"}}

    def proofs(self, s: dict[str, Any]) -> list[Proof]:
        """Proofs of the two answers; of one only when it already says no."""
        enter = asking.ask(self.case(s), CHAPTERS)
        return [enter, asking.ask_further(enter, {"may": "setup"})] if enter.verdict == PERMITTED else [enter]

    def ask(self, s: dict[str, Any]) -> bool:
        return self.proofs(s)[-1].verdict == PERMITTED

    def explain(self, s: dict[str, Any]) -> tuple[bool, str]:
        proofs = self.proofs(s)
        return proofs[-1].verdict == PERMITTED, "\n\n".join(explain.text(p, flips=False) for p in proofs)


PEERS = {"Loophole": Loophole}
