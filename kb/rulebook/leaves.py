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


def norm(made: Theory, chapter: m.Chapter, row: m.ScopeRow, here: Collection[str]) -> m.Norm:
    """The norm that a row of a linked chapter comes to. here: the rules that are loaded."""
    refs = tuple(ref for ref in row.refs if ref not in here)
    assert row.condition is not None
    number = sum(1 for name in made.norms if name.startswith(f"{row.by}/{MARK}{row.term}"))
    says = head(made, row.term)
    over = tuple(n.id for n in made.norms.values() if sets(n.head, row.term)) if sets(says, row.term) else ()
    return m.Norm(
        f"{row.by}/{MARK}{row.term}" + (f"-{number + 1}" if number else ""), row.by, says,
        m.And((row.condition, ELSEWHERE)), over=over, needs=refs, place=row.place, book=chapter.book, authority=chapter.authority,
    )  # fmt: skip


def sets(says: m.Head, quantity: str) -> bool:
    """Whether a norm with such a head sets a number."""
    return isinstance(says, m.QuantityHead) and says.op == m.SETS and says.quantity == quantity


def head(made: Theory, term: str) -> m.Head:
    """What such a norm would say."""
    prop = made.vocabulary.properties.get(term)
    if prop is not None:
        return m.QuantityHead(m.ADDS if prop.default is None else m.SETS, term, prop.domain, UNKNOWN)
    usual = made.vocabulary.classes[term].when_unstated in (ABSENT, CONCLUDED)
    return m.CountsAs("", term) if usual else m.Deontic(m.FORBIDS, term)
