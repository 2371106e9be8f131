"""The norms of a theory by what they conclude, for the reference interpreter: every stage of every case asks for them.

Made of the theory's norms alone, not of the tables that kb.rulebook.compiler makes for the reasoner.
"""

from __future__ import annotations

from typing import Any

from kb.language import norms as m
from kb.rulebook.theory import Theory

MOST_CONDITIONS = 50_000  # of which it is remembered whether they bind a name: those of questions come and go
MOST_KINDS = 5_000  # of which it is remembered what follows from them
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
        self.acts = frozenset(head.act for norm, head in self.deontic if norm.id not in theory.leaves)
        self.related: dict[str, list[tuple[m.Norm, m.Relates]]] = {}
        self.chained: dict[str, list[tuple[tuple[str, ...], list[tuple[str, bool]], bool]]] = {}
        self.naming: dict[int, tuple[m.Condition, bool]] = {}  # by identity, a condition and whether it binds a name
        self.kinds: dict[Any, tuple[frozenset[str], frozenset[str]]] = {}
        self.rows: list[m.ScopeRow] = []  # of all scopes, once they were asked for

    def relating_to(self, name: str) -> list[tuple[m.Norm, m.Relates]]:
        """The norms that may say of a relation what it leads to."""
        found = self.related.get(name)
        if found is None:
            below = self.theory.vocabulary.properties[name].below
            found = self.related[name] = [(norm, head) for norm, head in self.relating if head.role in below]
        return found

    def closed(
        self, is_: tuple[str, ...], not_: tuple[str, ...], caused: tuple[str, ...]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """All classes that a thing is, and is not, by what is stated of it and what acts brought about; cases repeat them."""
        key = (is_, not_, caused)
        found = self.kinds.get(key)
        if found is None:
            classes = self.theory.vocabulary.classes
            apart = frozenset().union(*(classes[c].disjoint for c in caused))
            now = (*(c for c in is_ if c not in apart), *caused)
            types = frozenset().union(*(classes[c].ancestors for c in now))
            denied = frozenset().union(
                *(classes[c].disjoint for c in now), *(classes[c].descendants for c in not_ if c not in caused)
            )
            if len(self.kinds) >= MOST_KINDS:
                self.kinds.clear()
            found = self.kinds[key] = types, denied - types
        return found

    def chains(self, name: str) -> list[tuple[tuple[str, ...], list[tuple[str, bool]], bool]]:
        """The chains that lead where a relation does: each, its steps with whether they go backwards, and whether only to others."""
        found = self.chained.get(name)
        if found is None:
            terms = self.theory.vocabulary.properties
            found = self.chained[name] = [
                (chain, [(s.removeprefix("inverse "), s.startswith("inverse ")) for s in chain], chain in terms[q].others)
                for q in (name, *(b for b in terms[name].below if b != name)) for chain in terms[q].chains
            ]  # fmt: skip
        return found

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
