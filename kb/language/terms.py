"""A term of the ontology as the reasoner uses it: a class, a property, and what a cell of the map is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct, field

HALF = re.compile(r"(\w+) and \(?not (\w+)\)?")

# What it means when a case says nothing of a term (ontology: lp:whenUnstated).
ABSENT = "absent"  # a class or property presumed not to hold
COMPLETE = "complete"  # a list of values presumed to be all there is
CONCLUDED = "concluded"  # a class that only rules make: presumed not so unless a rule that would make it is open
ASKED = "asked"  # never presumed: missing means ask


class ToldAs(Struct, frozen=True, omit_defaults=True):
    """What is told to be of the class `wide`, and so related to a `kind`, is of the marked class."""

    wide: str
    role: str
    kind: str


class FailsWith(Struct, frozen=True, omit_defaults=True):
    """An act of the marked class that stands so to a `kind`, such as one that is conducting an Unsuccessful Close Assault, came to
    nothing: it moves nobody."""

    role: str
    kind: str


class ToldBy(Struct, frozen=True, omit_defaults=True):
    """The relations or numbers that tell the marked one, the first that is there; and the classes that may stand in for the proper one."""

    roles: tuple[str, ...]
    kinds: tuple[str, ...] = ()


class ToldByKind(Struct, frozen=True, omit_defaults=True):
    """Of such an act, a value stated for `role` that is a `kind` is one of the marked relation: a weapon that fires is its weapon."""

    act: str
    role: str
    kind: str


class ToldThrough(Struct, frozen=True, omit_defaults=True):
    """Such an act, told without the marked relation, means the one `kind` that its `role` has by the `way` (its weapon, by who has one).
    Of a number the `kind` is that of what it is told of."""

    act: str
    role: str
    way: str
    kind: str


class Singly(Struct, frozen=True, omit_defaults=True):
    """The relations by which one thing alone is told; and the classes of act that are of several, whoever is named."""

    roles: tuple[str, ...]
    groups: tuple[str, ...] = ()


class AsOne(Struct, frozen=True, omit_defaults=True):
    """Several told of an act of one of these classes are one group, which is told of it by `role`."""

    role: str
    acts: tuple[str, ...]


class AskedThrough(Struct, frozen=True, omit_defaults=True):
    """Asking this number of a `cls` means asking it of the `act` whose `role` is that thing."""

    act: str
    role: str
    cls: str


class TakenFor(Struct, frozen=True, omit_defaults=True):
    """Of such an act, a value stated for `role` is one of the marked relation."""

    act: str
    role: str


class ChangedBy(Struct, frozen=True, omit_defaults=True):
    """After an `act` its `mover` has the relation to its `place` (a path of relations with dots), or without a place no more; without a mover nothing has.
    A state (`of_state`) puts an end to the relation; with a place, what is so, or its `mover`, has it from then on to what was the `place` of what is so.
    Of a class: after such an act its `mover`, unless it was at the `place` already, is no more what it was told to be; without a mover nothing is."""

    cls: str
    mover: str = ""
    place: str = ""
    of_state: bool = False


class MustBeTold(Struct, frozen=True, omit_defaults=True):
    """Such an act is not told without the marked relation, or one of those that will do in its stead."""

    act: str
    instead: tuple[str, ...] = ()


class CellMark(Struct, frozen=True, omit_defaults=True):
    """What a cell of the map is: see Cell, whose fields these are."""

    to_it: str
    key: str
    ground: str
    lying: tuple[str, ...] = ()


class Apart:
    """What classes exclude: all that is below what the classes above them are told to exclude. A book of many classes has far more in
    these sets than anybody asks for, so each is made when it is first asked for; whole families of classes exclude the same, and share one."""

    __slots__ = ("below", "found", "more", "roots", "told")

    def __init__(
        self,
        roots: frozenset[str],
        told: Mapping[str, Iterable[str]],
        below: Mapping[str, Iterable[str]],
        more: frozenset[str] = frozenset(),
    ):
        """roots: the classes above that exclude some; told: by class, which it does; below: by class, all below it; more: what is excluded besides."""
        self.roots, self.told, self.below, self.more = roots, told, below, more
        self.found: frozenset[str] | None = None

    @property
    def all(self) -> frozenset[str]:
        """The excluded classes."""
        if self.found is None:
            others = {other for root in self.roots for other in self.told[root]}
            self.found = self.more.union(*(self.below[other] for other in others))
        return self.found

    def besides(self, name: str) -> Apart:
        """The same with one class more."""
        return Apart(self.roots, self.told, self.below, self.more | {name})


class ClassTerm(Struct, frozen=True):
    """An OWL class, classified. `ancestors` includes the class; `disjoint` is closed under subclasses,
    by `apart`, where the file tells but some pairs (`told_apart`). talk: what players call it, which questions in English alone are read by.

    definitions: equivalent class expressions in the rule language. existential: (property, class) for each
    inherited axiom `C SubClassOf property some class`. derived: name of the general module that computes membership.
    told_as: how a case may tell it by a wider class. in_cell: the cell of the map that whatever is of it lies in.
    changed_by: what ends that a thing is told to be so, once it has happened. fails_with: what such an act came to nothing with.
    unshown: presumed absent even where a rule that would make it so is open, unless it is what the case tells that opens it.
    """

    name: str
    iri: str
    label: str
    ancestors: frozenset[str] = frozenset()
    descendants: frozenset[str] = frozenset()
    told_apart: frozenset[str] = field(default=frozenset(), name="disjoint")
    parents: tuple[str, ...] = ()
    alt: tuple[str, ...] = ()
    definition: str = ""
    source: str = ""
    verbalization: str = ""
    when_unstated: str = ASKED
    definitions: tuple[str, ...] = ()
    existential: tuple[tuple[str, str], ...] = ()
    derived: str = ""
    told_as: tuple[ToldAs, ...] = ()
    in_cell: str = ""
    changed_by: tuple[ChangedBy, ...] = ()
    unshown: bool = False
    fails_with: tuple[FailsWith, ...] = ()
    apart: Apart | None = None
    talk: tuple[str, ...] = ()

    @property
    def tells(self) -> tuple[bool, int]:
        """How much it says of what a thing is, to order by: more than a state that it is in, and the narrower the more."""
        return self.when_unstated not in (ABSENT, CONCLUDED), len(self.ancestors)

    @property
    def disjoint(self) -> frozenset[str]:
        """The classes that nothing of this one is of."""
        return self.told_apart if self.apart is None else self.apart.all

    @property
    def halves(self) -> tuple[str, str] | None:
        """The kind that this is one half of, and its other half: Direct Fire is Fire that is not Indirect Fire."""
        found = [HALF.fullmatch(text) for text in self.definitions]
        return next(((half[1], half[2]) for half in found if half), None)


class PropertyTerm(Struct, frozen=True):
    """An OWL property. kind: "object", "number", "flag" (boolean) or "text".

    below: the property and all its subproperties; inverses: properties read backwards that give this one's values
    (owl:inverseOf, and itself when symmetric), closed over subproperties; chains: property chains that imply it.
    others: those chains that lead from a thing to others only, never back to itself (which OWL cannot say).
    staged: a missing value that an existential axiom implies is made up when the case is staged.
    of_whole_cell: what is so of a cell of the map is so of every place in it.
    told_by: how a case may tell it in a roundabout way; told_by_kind: by a
    value of another relation, as it is of a kind; told_through: by what one who takes part in the act has; singly: how it tells a relation to several things of one alone;
    as_one: of which acts several are one group;
    asked_through, taken_for: how it is meant where a case asks it of a thing that takes part in an act, or states a neighboring one.
    changed_by: what changes the relation once it has happened (see kb.reasoner.positions).
    must_be_told: the acts that are not told without it; spared: those among them that are, all the same.
    cell: of the relation between all that is in one cell of the map, what a cell is (see kb.cases.cells).
    default: the number a quantity has when nothing sets or states it; None when it must be stated.
    """

    name: str
    iri: str
    label: str
    kind: str
    below: tuple[str, ...]
    inverses: tuple[str, ...] = ()
    chains: tuple[tuple[str, ...], ...] = ()
    functional: bool = False
    transitive: bool = False
    domain: str = ""
    range: str = ""
    alt: tuple[str, ...] = ()
    definition: str = ""
    source: str = ""
    verbalization: str = ""
    when_unstated: str = ASKED
    derived: str = ""
    staged: bool = False
    default: Fraction | None = None
    unit: str = ""
    told_by: ToldBy | None = None
    told_by_kind: tuple[ToldByKind, ...] = ()
    told_through: tuple[ToldThrough, ...] = ()
    singly: Singly | None = None
    as_one: tuple[AsOne, ...] = ()
    asked_through: tuple[AskedThrough, ...] = ()
    taken_for: tuple[TakenFor, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    changed_by: tuple[ChangedBy, ...] = ()
    must_be_told: tuple[MustBeTold, ...] = ()
    spared: tuple[str, ...] = ()
    cell: CellMark | None = None
    of_whole_cell: bool = False
    talk: tuple[str, ...] = ()


class Cell(Struct, frozen=True):
    """What a cell of the map is (a hex), as the ontology marks it.

    name: the class of cells; relation: that of all that is in one cell; cells: the classes below it; to_it: the relation of a place
    to its cell; key: the text that names one; ground: the kind of place that is its ground; lying: the kinds of places that lie there
    as pieces do; owing: by class, the relations to its ground that an axiom says it must have; single, loose: the relations, and those
    backwards, that keep within one cell, to one thing only or to several; telling: those of them that are no normal words; of_cells:
    the relations that only a cell has, or that only lead to one; whole: those that all places of a cell have with it; known: by class,
    the cell that whatever is of it lies in.
    """

    name: str
    relation: str
    cells: frozenset[str]
    to_it: str
    key: str
    ground: str
    lying: tuple[str, ...]
    pieces: frozenset[str]
    within: str
    owing: Mapping[str, tuple[str, ...]]
    single: frozenset[str]
    loose: frozenset[str]
    telling: frozenset[str]
    of_cells: frozenset[str]
    whole: frozenset[str]
    known: Mapping[str, str]
