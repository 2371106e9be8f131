"""The sets of tests/paraphrases: one question each, told in several ways, and the one answer that all of them have.

A set has `right`: a verdict, a number, or what comes about (the label of the class that an effect, or a question whether it
is so, brings: “eliminated”); `{not: required}` is met by every answer that is sure and is not that one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import asking
from kb.reasoner.proof import Proof
from kb.yaml_document import values

HERE = Path(__file__).parent
UNSURE = ("undetermined", "outside", "conflict")


@dataclass(frozen=True)
class Way:
    """One way of telling a set's question."""

    set: str
    name: str
    right: Any
    cites: str
    case: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.set}: {self.name}"


def ways() -> list[Way]:
    """Every way of every set."""
    found = []
    for file in sorted(HERE.glob("*.yaml")):
        data = values(file.read_text(encoding="utf-8"))
        for name, told in data["sets"].items():
            for way, case in told["ways"].items():
                found.append(
                    Way(f"{file.stem} {name}", way, told["right"], told["cites"], {"book": data["book"], **case})
                )
    return found


def said(proof: Proof) -> list[str]:
    """What an answer says, in the words of `right`: what comes about by the label of each class."""
    if proof.verdict == "value":
        return [str(proof.value)]
    if proof.verdict == "effects":
        return sorted({proof.theory.vocabulary.classes[effect.cls].label.casefold() for effect in proof.effects})
    return [proof.verdict]


def meets(way: Way, proof: Proof) -> bool:
    """Whether an answer is the set's."""
    found = said(proof)
    if isinstance(way.right, dict):
        return way.right["not"] not in found and not set(UNSURE) & set(found)
    return str(way.right).casefold() in found or (proof.verdict == "yes" and asks_for(way))


def asks_for(way: Way) -> bool:
    """Whether the question is whether what is right has come about."""
    asked = way.case["ask"].get("is")
    return asked is not None and str(asked[1]).casefold() == str(way.right).replace(" ", "").casefold()


def ask(way: Way) -> Proof:
    """Its answer."""
    return asking.ask(way.case)
