"""The two rulebooks that a change lies between, each asked the same: a Side; and how two answers differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb import asking, registry
from kb.errata import checks
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import counterfactuals, reason
from kb.reasoner.proof import UNDETERMINED, Proof
from kb.registry import Books
from kb.rulebook import records as e
from kb.rulebook.theory import Theory

VERDICT, VALUE, CHAIN = "verdict", "value", "chain"


@dataclass(frozen=True)
class Side:
    """One of the two rulebooks compared; its theories are made when first asked."""

    books: Books
    ledger: e.Ledger
    under: e.InForce

    def book(self) -> m.Book:
        """The linked rulebook. Raises RulebookError for a record with a fault."""
        return self.books.book(self.ledger.book, self.under.toggled)

    def theory(self, chapters: tuple[str, ...]) -> Theory:
        """The theory of some chapters on this side."""
        return self.books.theory(self.ledger.book, chapters, (), self.under.toggled)

    def ask(self, case: Case, deep: bool = False) -> Proof:
        """The answer to a case on this side. deep: with missing facts and flips. Raises LoopholeError."""
        found = reason.answer(self.theory(asking.in_force(case)), case, deep)
        return reason.made(reason.Answer, found, edition=self.under)

    def looked(self, case: Case) -> tuple[Proof, frozenset[str]]:
        """The answer to a case, and every norm that was looked at for it; kept for a case from a file in the base."""
        key = (self.ledger.book, self.under.toggled, case.file, case.name)
        if case.file and not self.under.toggled and key in KEPT:
            return KEPT[key]
        made = self.theory(asking.in_force(case))
        made.tried = {}
        found = self.ask(case), frozenset(made.tried or ())
        made.tried = None
        if case.file and not self.under.toggled:
            KEPT[key] = found
        return found

    def norms(self) -> dict[str, m.Norm]:
        """The norms of this side by their ids."""
        return {n.id: n for ch in self.book().chapters for s in ch.sections for n in s.norms}


def sides(ledger: e.Ledger, before: e.InForce, after: e.InForce) -> tuple[Side, Side]:
    """The books before and after a change, with these records."""
    books = registry.SHIPPED.with_records(ledger)
    return Side(books, ledger, before), Side(books, ledger, after)


KEPT: dict[tuple[str, tuple[str, ...], str, str], tuple[Proof, frozenset[str]]] = {}


def both(
    before: Side, after: Side, case: Case, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]]
) -> tuple[Proof | None, Proof | None]:
    """A case's answers on both sides; (None, None) where one side looks at no norm that the other words otherwise.

    Norms that only the other side has cannot be seen from here: then both are asked.
    """
    first, second = (before, after) if not before.under.toggled else (after, before)
    one, looked = first.looked(case)
    added = any(
        (old if first is after else new) is not None and (new if first is after else old) is None
        for _, old, new in norms
    )
    if not added and not looked & {name for name, _, _ in norms}:
        return None, None
    other = second.ask(case)
    return (one, other) if first is before else (other, one)


def changed(before: Side, after: Side) -> tuple[tuple[str, m.Norm | None, m.Norm | None], ...]:
    """The norms that one side lacks or words otherwise."""
    old, new = before.norms(), after.norms()
    return tuple(
        (name, old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if name not in old or name not in new or not checks.same(old[name], new[name])
    )


def differs(one: Proof, other: Proof) -> str:
    """verdict, value or chain; "" when nothing differs."""
    return turned(one, other) or (CHAIN if chain(one) != chain(other) else "")


def turned(one: Proof, other: Proof) -> str:
    """verdict or value; "" when both say the same, for whatever reasons."""
    said = counterfactuals.said
    if one.verdict != other.verdict or (said(one) != said(other) and one.value == other.value):
        return VERDICT
    if one.value != other.value:
        return VALUE
    return VERDICT if one.chosen != other.chosen else ""


def chain(proof: Proof) -> tuple[object, object, object]:
    """What an answer rests on: the norms that decide as they read, those that lost, and the rules it leans on."""
    return (
        sorted((w.norm.id, str(w.norm.when)) for w in proof.winners),
        sorted((d.loser.norm.id, d.winner.norm.id) for d in proof.defeats),
        sorted(proof.cites) if proof.winners else (),
    )


def flips(one: Proof, other: Proof) -> bool:
    """Whether two answers differ, and both are answers."""
    return UNDETERMINED not in (one.verdict, other.verdict) and turned(one, other) != ""
