"""The norms of a theory by what they conclude, for the reference interpreter: every stage of every case asks for them.

Made of the theory's norms alone, not of the tables that kb.rulebook.compiler makes for the reasoner.
"""

from __future__ import annotations

from kb.language import norms as m
from kb.rulebook.theory import Theory

MOST = 16  # theories of which this is remembered


class Index:
    """What a theory's norms conclude. counting: by class and whether it is denied, the norms by which things count so; relating, summing:
    those on relations, and on each number; effects: what events bring about; deontic: what may or must be done, and on which acts."""

    def __init__(self, theory: Theory):
        self.theory, self.norms = theory, theory.norms
        self.counting: dict[tuple[str, bool], list[m.Norm]] = {}
        self.relating: list[tuple[m.Norm, m.Relates]] = []
        self.summing: dict[str, list[tuple[m.Norm, m.QuantityHead]]] = {}
        self.effects: list[tuple[m.Norm, m.OnEvent]] = []
        self.deontic: list[tuple[m.Norm, m.Deontic]] = []
        self.makers: dict[tuple[str, bool], list[m.Norm]] = {}
        for norm in theory.norms.values():
            match norm.head:
                case m.CountsAs(_, target, negated):
                    self.counting.setdefault((target, negated), []).append(norm)
                case m.Relates():
                    self.relating.append((norm, norm.head))
                case m.QuantityHead():
                    self.summing.setdefault(norm.head.quantity, []).append((norm, norm.head))
                case m.Effect() | m.Change() | m.Link():
                    self.effects.append((norm, norm.head))
                case m.Deontic():
                    self.deontic.append((norm, norm.head))
        self.acts = frozenset(head.act for _, head in self.deontic)

    def making(self, cls: str, negated: bool) -> list[m.Norm]:
        """The norms by which a thing can count as a cls, or (negated) as none."""
        found = self.makers.get((cls, negated))
        if found is None:
            term = self.theory.vocabulary.classes[cls]
            near = sorted(term.ancestors if negated else term.descendants)
            found = [norm for target in near for norm in self.counting.get((target, negated), ())]
            self.makers[cls, negated] = found
        return found


KNOWN: dict[int, Index] = {}  # by the identity of the theory, which lives on in it


def indexed(theory: Theory) -> Index:
    """The norms of a theory by what they conclude, remembered."""
    found = KNOWN.get(id(theory))
    if found is None or found.norms is not theory.norms:
        if len(KNOWN) >= MOST:
            KNOWN.clear()
        found = KNOWN[id(theory)] = Index(theory)
    return found
