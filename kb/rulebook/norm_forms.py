"""What is written under one id, and the norms that it says: one for each head, alternative and pole.

    B30.4                                            B30.4, B30.4/dummy: two norms, each with the shared condition
      permits  Entry
      when     destination some Pillbox
      either   actor some Infantry
      or       dummy: actor some Dummy  [A12.11]

The first head of the first alternative has the id itself. An alternative has its label for its own; a further head adds
its term to the id, the other pole adds “not” (of `decides`: “else”).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from kb.errors import NOWHERE, Place
from kb.language import norms as m
from kb.language.parser import Said, conjoin, opposite, terms

ALWAYS = m.Anything()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of several conditions under which a norm applies, with rules that it alone leans on."""

    label: str
    condition: m.Condition
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(slots=True)
class Written:
    """The clauses under one id. norm: what all that it says have in common; test: what `only when` or `exactly when` ask."""

    norm: m.Norm
    said: list[Said] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    test: m.Condition | None = None

    def norms(self) -> tuple[m.Norm, ...]:
        """The norms that are said."""
        found = tuple(norm for said in self.said for norm in self.of_head(said))
        taken: set[str] = set()
        named = []
        for norm in found:
            norm_id = norm.id
            if norm_id in taken:  # heads alike in what they decide: of whom they decide it
                norm_id = extended(norm.id, *list(terms(norm.head))[1:], rule=self.norm.rule)
            taken.add(norm_id)
            named.append(replace(norm, id=norm_id, part_of=self.norm.id if len(found) > 1 else ""))
        return tuple(named)

    def of_head(self, said: Said) -> Iterator[m.Norm]:
        """The norms of one head clause: each head under each alternative, and what is so where its test fails."""
        for head in said.heads:
            first = head is self.said[0].heads[0]
            suffix = () if first else tuple(terms(head))[:1]
            for norm in self.under_alternatives():
                yield from self.poles(said, head, replace(norm, id=extended(norm.id, *suffix, rule=self.norm.rule)))

    def under_alternatives(self) -> Iterator[m.Norm]:
        """What all have in common, under each alternative."""
        if not self.alternatives:
            yield self.norm
        for a in self.alternatives:
            norm_id = f"{self.norm.rule}/{a.label}" if a.label else self.norm.id
            when = both(self.norm.when, a.condition)
            yield replace(self.norm, id=norm_id, when=when, cites=(*self.norm.cites, *a.cites), place=a.place)

    def poles(self, said: Said, head: m.Head, norm: m.Norm) -> Iterator[m.Norm]:
        """A norm, and its opposite where it says both when it applies and when it does not."""
        test = said.test or self.test
        if test is None:
            yield replace(norm, head=head)
            return
        yield replace(norm, head=head, when=both(norm.when, test))
        other = said.otherwise[said.heads.index(head)] if said.test else opposite(head)
        assert other is not None  # the reader has seen to it
        other_id = extended(norm.id, "else" if said.test else "not", rule=norm.rule)
        yield replace(norm, id=other_id, head=other, when=both(norm.when, negation(test)), excepts="")


def negation(c: m.Condition) -> m.Condition:
    """What is so where a condition fails."""
    return c.of if isinstance(c, m.Not) else m.Not(c)


def both(a: m.Condition, b: m.Condition) -> m.Condition:
    """Two conditions as one."""
    return b if a == ALWAYS else a if b == ALWAYS else conjoin([a, b])


def extended(norm_id: str, *words: str, rule: str) -> str:
    """The id of a norm with words added to its label."""
    if not words:
        return norm_id
    tail = "-".join(words)
    return f"{rule}/{tail}" if norm_id == rule else f"{norm_id}-{tail}"
