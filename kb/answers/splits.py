"""An open answer as a table: what it is for each kind that a thing may be of, `a squad or a crew: permitted; a vehicle: forbidden`."""

from __future__ import annotations

from dataclasses import dataclass

from kb.language import english
from kb.language.case import IsA
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Missing


@dataclass(frozen=True, slots=True)
class Split:
    """What the answer is by what a thing is. label: what it is called; rows: those of the missing facts that it is made of."""

    label: str
    rows: tuple[Missing, ...]
    vocabulary: Vocabulary

    @property
    def said(self) -> str:
        """The table in a line, the kind that decides most first."""
        ways: dict[str, list[str]] = {}
        for row in self.rows:
            if isinstance(row.fact, IsA):
                noun = english.noun(self.vocabulary.classes[row.fact.cls])
                ways.setdefault(row.if_true, []).append(f"one {noun}" if noun.startswith("that ") else noun)
        return "; ".join(f"{english.series(kinds, 'or')}: {way}" for way, kinds in ways.items())

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that ask what it is."""
        return tuple(dict.fromkeys(rule for row in self.rows for rule in row.rules))


def splits(proof: Proof) -> tuple[Split, ...]:
    """A table for each thing of which several kinds settle an answer, and not all alike."""
    if proof.question.kind == "effects":
        return ()
    by_thing: dict[str, list[Missing]] = {}
    for row in proof.missing:
        if (
            isinstance(row.fact, IsA)
            and row.fact.so
            and row.given is None
            and row.if_true not in (*p.OPEN, p.IMPOSSIBLE)
        ):
            by_thing.setdefault(row.fact.label, []).append(row)
    differ = {label: rows for label, rows in by_thing.items() if len({row.if_true for row in rows}) > 1}
    return tuple(Split(label, tuple(rows), proof.theory.vocabulary) for label, rows in differ.items())
