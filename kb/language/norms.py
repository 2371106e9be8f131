"""Norms, and the rulebooks that hold them. The conditions that a norm is made of are passed on from kb.language.conditions.

All of these are immutable, compare by structure, and print themselves in the rule language.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kb.errors import NOWHERE, Place
from kb.language.binding import (
    given as given,
    over_parts as over_parts,
    renamed as renamed,
    replaced as replaced,
    speaks_of as speaks_of,
    unbound as unbound,
)
from kb.language.conditions import (
    Aggregate as Aggregate,
    And as And,
    Anything as Anything,
    Arith as Arith,
    Bind as Bind,
    Call as Call,
    Compare as Compare,
    Condition as Condition,
    Count as Count,
    Defined as Defined,
    Except as Except,
    Expr as Expr,
    Flag as Flag,
    HasValue as HasValue,
    Lookup as Lookup,
    Named as Named,
    Not as Not,
    Num as Num,
    Of as Of,
    Only as Only,
    Or as Or,
    Otherwise as Otherwise,
    Path as Path,
    Piece as Piece,
    Role as Role,
    Same as Same,
    Some as Some,
    bracket as bracket,
    made_of as made_of,
    names_in as names_in,
)
from kb.language.heads import (
    ADDS as ADDS,
    CONTRARY as CONTRARY,
    FORBIDS as FORBIDS,
    HAPPENED as HAPPENED,
    KEEPS as KEEPS,
    LIMITS as LIMITS,
    LOWERS as LOWERS,
    MULTIPLIES as MULTIPLIES,
    NO_MORE as NO_MORE,
    PERMITS as PERMITS,
    PUTS as PUTS,
    RAISES as RAISES,
    REQUIRES as REQUIRES,
    SETS as SETS,
    WAIVES as WAIVES,
    Change as Change,
    CountsAs as CountsAs,
    Deontic as Deontic,
    Effect as Effect,
    Head as Head,
    Link as Link,
    OnEvent as OnEvent,
    QuantityHead as QuantityHead,
    Relates as Relates,
    meant as meant,
    of_itself as of_itself,
    subject_of as subject_of,
    trigger_of as trigger_of,
    whom as whom,
)

# A cell of a table. msgspec knows no choice of a number of ours and a text: kb.stored sees to it that it gets back what it was.
if TYPE_CHECKING:
    Cell = Fraction | str
else:
    Cell = Any

TEXTS: dict[int, tuple[object, str]] = {}  # by identity; what is in it lives on, so that its number stays its own
MOST_TEXTS = 20_000


def text_of(piece: object) -> str:
    """How a piece of the rule language reads, remembered: steps without number stand for the same few conditions and heads."""
    found = TEXTS.get(id(piece))
    if found is None:
        if len(TEXTS) >= MOST_TEXTS:
            TEXTS.clear()
        found = TEXTS[id(piece)] = piece, str(piece)
    return found[1]


# ── norms ───────────────────────────────────────────────────────────────────────────────────────────────


class Unless(Struct, frozen=True, array_like=True):
    """One labelled exception to a norm, hung on the act (the head's focus)."""

    label: str
    condition: Condition
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE


class Ending(Struct, frozen=True, array_like=True):
    """A class of events that ends what a norm brought about: of all, or of those that `whose` leads to from the event.

    nth: the how many-eth such event it is, from then on."""

    event: str
    whose: Path | None = None
    nth: int = 1

    def __str__(self) -> str:
        event = f"{self.nth} {self.event}" if self.nth > 1 else self.event
        return f"{event} of {self.whose}" if self.whose else event


class Norm(Struct, frozen=True, array_like=True):
    """One norm of a rulebook.

    id: the rule number, or `number/label` where a section holds several. `cites` are the rules that its
    condition leans on; those that are not loaded make an answer that turns on the norm need a rule not loaded
    when they stand in `needs`. `over` names norms or rules that this one beats. `excepts` is the label of the
    bracketed exception in the prose that this norm is. `reading` is "dispute:option" where the text is ambiguous.
    `until` are the kinds of event that end what the norm brings about, whichever comes first.
    `lifts` are those of `over` that are bars which a permission (or duties which a release) takes away.
    `carves` are the ids of the norms that the exception which this norm is restricts; linking finds them.
    `part_of` is the id under which it is written, where what is written there says several norms.
    """

    id: str
    rule: str
    head: Head
    when: Condition = Anything()
    unless: tuple[Unless, ...] = ()
    over: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    excepts: str = ""
    reading: str = ""
    until: tuple[Ending, ...] = ()
    sentences: tuple[int, ...] = ()
    place: Place = NOWHERE
    book: str = ""
    authority: str = "chapter"
    part_of: str = ""
    lifts: tuple[str, ...] = ()
    carves: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """What another norm may name it by: its id, the id that it is written under, and its rule's number."""
        return frozenset({self.id, self.part_of, self.rule} - {""})


def by_name(norms: Iterable[Norm]) -> dict[str, list[Norm]]:
    """The norms that each name names."""
    found: dict[str, list[Norm]] = {}
    for norm in norms:
        for name in norm.names:
            found.setdefault(name, []).append(norm)
    return found


class Definition(Struct, frozen=True, array_like=True):
    """`define name(params): condition` or `define name(params) = expression`: a word that norms of the book may use for it.

    A condition is read from what it is said of outwards, an expression from what the path before it leads to.
    """

    name: str
    params: tuple[str, ...]
    body: Condition | Expr
    rule: str = ""
    place: Place = NOWHERE


# ── rulebooks ───────────────────────────────────────────────────────────────────────────────────────────


class Exc(Struct, frozen=True, array_like=True):
    """A bracketed exception in the prose: `[EXC label: our words; refs]`; exceptions may nest.

    to: the rules that it restricts (`[YET label to RULE: …]`); none: the sentence that it stands in.
    """

    label: str
    text: str
    parent: str = ""
    to: tuple[str, ...] = ()


class Sentence(Struct, frozen=True, array_like=True):
    """One sentence of the paraphrase: one line. `not_encoded` is "kind: reason" where no norm encodes it."""

    number: int
    text: str
    exceptions: tuple[Exc, ...] = ()
    not_encoded: str = ""
    example: bool = False
    cases: tuple[str, ...] = ()
    place: Place = NOWHERE


class Section(Struct, frozen=True, array_like=True):
    """One numbered rule: its title, paraphrased sentences and norms."""

    rule: str
    title: str
    sentences: tuple[Sentence, ...]
    norms: tuple[Norm, ...]
    place: Place = NOWHERE
    definitions: tuple[Definition, ...] = ()


class Table(Struct, frozen=True, array_like=True):
    """A named Markdown table; cells are Fractions where they read as numbers, else text. "" is absent."""

    name: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    place: Place = NOWHERE


WHOLLY, PARTLY, NAMES = "wholly", "partly", "names"  # how far a chapter decides a term
LEFT = "left"  # what of a term, where a condition holds, is left to rules that are not loaded, so that nothing is presumed of it


class ScopeRow(Struct, frozen=True, array_like=True):
    """How far a chapter decides one term (a class, a relation, a number), where a condition on its bearer holds.

    kind: wholly (what the chapter does not say of it is not so), partly (rules that are not loaded decide with it), names
    (the chapter touches it, other rules decide), left (the rule `by` has it, and how much, or whether, those others say: nothing
    is presumed of it). refs: those rules; those: what they do, to be read on after their names.
    suits: states of whoever acts that such an act is for; bars: the rules that say all that the chapter bars of it. by, says: the closing rule of a wholly decided term, and what it says.
    """

    kind: str
    term: str
    condition: Condition | None = None
    refs: tuple[str, ...] = ()
    those: str = ""
    suits: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    by: str = ""
    says: str = ""
    place: Place = NOWHERE


class Chapter(Struct, frozen=True, array_like=True):
    """One rulebook file. `builds_on` names chapters of the same book that it needs; `scope`, how far it decides what."""

    book: str
    id: str
    title: str
    authority: str
    edition: str
    builds_on: tuple[str, ...]
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    file: str
    aliases: tuple[str, ...] = ()
    scope: tuple[ScopeRow, ...] = ()


class Principle(Struct, frozen=True, array_like=True):
    """One way of settling a conflict, with the rule that states it. `name` is a principle the reasoner knows."""

    name: str
    cite: str
    says: str


class Policy(Struct, frozen=True, array_like=True):
    """How a rulebook settles conflicts; read from policy.yaml beside its chapters.

    principles: in the order tried. authorities: weakest first.
    """

    book: str
    principles: tuple[Principle, ...]
    authorities: tuple[str, ...]


class Book(Struct, frozen=True, array_like=True):
    """A rulebook as read: its chapters, policy and namespaces (first wins when a name is looked up)."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]
    policy: Policy
    namespaces: tuple[str, ...]
