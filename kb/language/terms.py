"""A term of the ontology as the reasoner uses it: a class, a property, and what a cell of the map is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

# What it means when a case says nothing of a term (ontology: lp:whenUnstated).
ABSENT = "absent"  # a class or property presumed not to hold
COMPLETE = "complete"  # a list of values presumed to be all there is
CONCLUDED = "concluded"  # a class that only rules make: presumed not so unless a rule that would make it is open
ASKED = "asked"  # never presumed: missing means ask


@dataclass(frozen=True, slots=True)
class ClassTerm:
    """An OWL class, classified. `ancestors` includes the class; `disjoint` is closed under subclasses.

    definitions: equivalent class expressions in the rule language. existential: (property, class) for each
    inherited axiom `C SubClassOf property some class`. derived: name of the general module that computes membership.
    told_as: a class, a relation and a kind, once or more: what is told to be such a class, so related to such a kind, is this one.
    unshown: presumed absent even where a rule that would make it so is open, unless it is what the case tells that opens it.
    """

    name: str
    iri: str
    label: str
    ancestors: frozenset[str]
    descendants: frozenset[str]
    disjoint: frozenset[str]
    parents: tuple[str, ...] = ()
    alt: tuple[str, ...] = ()
    definition: str = ""
    source: str = ""
    verbalization: str = ""
    when_unstated: str = ASKED
    definitions: tuple[str, ...] = ()
    existential: tuple[tuple[str, str], ...] = ()
    derived: str = ""
    told_as: tuple[str, ...] = ()
    unshown: bool = False


@dataclass(frozen=True, slots=True)
class PropertyTerm:
    """An OWL property. kind: "object", "number", "flag" (boolean) or "text".

    below: the property and all its subproperties; inverses: properties read backwards that give this one's values
    (owl:inverseOf, and itself when symmetric), closed over subproperties; chains: property chains that imply it.
    others: those chains that lead from a thing to others only, never back to itself (which OWL cannot say).
    staged: a missing value that an existential axiom implies is made up when the case is staged.
    told_by: relations by which a case may tell this one in a roundabout way, and classes that may stand in for the proper one.
    singly: for a relation to several things, the relation a case uses when it gives just one; then the classes exempt from this.
    asked_through: (class of act, relation, class) triples, in a row: asking this number of a thing of that class means asking it
    of the act that has the thing at the end of that relation.
    taken_for: (class of act, relation) pairs, in a row: of such an act, a value stated for that relation is one of this relation.
    changed_by: what changes the relation once it has happened (see kb.reasoner.positions).
    cell: of the relation between all that is in one cell of the map, what a cell is (see kb.cases.cells).
    must_be_told: classes of act that are not told without it, each followed by the relations that will do in its stead; after
    "not", classes of which it need not be told all the same.
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
    told_by: tuple[str, ...] = ()
    singly: tuple[str, ...] = ()
    asked_through: tuple[str, ...] = ()
    taken_for: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    changed_by: tuple[str, ...] = ()
    must_be_told: tuple[str, ...] = ()
    cell: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell of the map is (a hex), as the ontology marks it.

    name: the class of cells; cells: the classes below it; to_it: the relation of a place to its cell; key: the text that names
    one; ground: the kind of place that is its ground; lying: the kinds of places that lie there as pieces do; owing: by class, the
    relations to its ground that an axiom says it must have; single, loose: the relations, and those backwards, that keep within one
    cell, to one thing only or to several; telling: those of them that are no normal words; of_cells: the relations that only a
    cell has, or that only lead to one.
    """

    name: str
    cells: frozenset[str]
    to_it: str
    key: str
    ground: str
    lying: tuple[str, ...]
    owing: Mapping[str, tuple[str, ...]]
    single: frozenset[str]
    loose: frozenset[str]
    telling: frozenset[str]
    of_cells: frozenset[str]
