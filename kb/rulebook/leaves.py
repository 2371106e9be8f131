"""What a chapter leaves to rules that are not loaded, as norms that are open as long as these may say something.

    left: [{of: [{otherTEM: MudOrSnowHE}], by: B30.3, with: [E3.62], those: "say how much it is"}]

A number with a usual value is then not presumed to have it; one without is what norms and the case make it, and something more
or less; a thing is not presumed to be none of a class; an act may be forbidden. What a case states of it stands. Where
`elsewhere: nothing` says that other rules say nothing, these norms do not apply.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from kb.language import norms as m
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.rulebook.theory import Theory

MARK = "left-"  # begins the label of such a norm
ELSEWHERE = m.Named("RuledElsewhere")  # open, unless no other rule has anything to say
UNKNOWN = m.Arith("/", m.Num(Fraction(1)), m.Num(Fraction(0)))  # a number that nothing tells


class Leaves:
    """What is left, row by row. here: the rules that are loaded; setting: by number, the norms that set it, in order."""

    def __init__(self, made: Theory, here: Collection[str]):
        self.made, self.here = made, here
        self.setting: dict[str, list[str]] = {}
        for one in made.norms.values():
            self.note(one)

    def note(self, one: m.Norm) -> None:
        """Notes a norm that sets a number."""
        if isinstance(one.head, m.QuantityHead) and one.head.op == m.SETS:
            self.setting.setdefault(one.head.quantity, []).append(one.id)

    def norm(self, chapter: m.Chapter, row: m.ScopeRow) -> m.Norm:
        """The norm that a row of a linked chapter comes to."""
        refs = tuple(ref for ref in row.refs if ref not in self.here)
        assert row.condition is not None
        name, number = f"{row.by}/{MARK}{row.term}", 1
        while (label := f"{name}-{number}" if number > 1 else name) in self.made.norms:
            number += 1
        says = head(self.made, row.term)
        sets = isinstance(says, m.QuantityHead) and says.op == m.SETS
        found = m.Norm(
            label, row.by, says, m.And((row.condition, ELSEWHERE)), over=tuple(self.setting.get(row.term, ())) if sets else (),
            needs=refs, place=row.place, book=chapter.book, authority=chapter.authority,
        )  # fmt: skip
        self.note(found)
        return found


def head(made: Theory, term: str) -> m.Head:
    """What such a norm would say."""
    prop = made.vocabulary.properties.get(term)
    if prop is not None:
        return m.QuantityHead(m.ADDS if prop.default is None else m.SETS, term, prop.domain, UNKNOWN)
    usual = made.vocabulary.classes[term].when_unstated in (ABSENT, CONCLUDED)
    return m.CountsAs("", term) if usual else m.Deontic(m.FORBIDS, term)
