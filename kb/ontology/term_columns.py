"""What a row of a table of terms may say: the kinds of table, by their first heading, and the columns of each.

The cells that may stay empty because they follow from others are filled in here: the label is the name split at its
capitals, the sentence for proofs is made from the label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rdflib import DCTERMS, OWL, RDFS, SKOS, XSD, URIRef

from kb.language.english import article
from kb.ontology.turtle import lp


@dataclass(frozen=True)
class Kind:
    """A kind of table. types: what each of its terms is; values: the datatype of a quantity where none is given;
    reads: the sentence of a term that gives none; asks: the columns that no row leaves empty."""

    name: str
    types: tuple[URIRef, ...] = ()
    values: URIRef | None = None
    reads: str = ""
    asks: tuple[str, ...] = ()

    @property
    def declares(self) -> bool:
        """Whether a row makes a term; else it adds to one, or names several."""
        return bool(self.types)

    def sentence(self, label: str) -> str:
        """How a term of this kind reads in a proof when its row does not say."""
        return self.reads.replace("{a}", article(label)).replace("{label}", label)


_CLASS, _QUANTITY = (OWL.Class,), (OWL.DatatypeProperty, OWL.FunctionalProperty)
KINDS = {
    kind.name: kind
    for kind in (
        Kind("kind", _CLASS, None, "{s} is {a}", ("is a", "means")),
        Kind("state", _CLASS, None, "{s} is {label}", ("is a", "means")),
        Kind("number", _QUANTITY, XSD.decimal, "the {label} of {s} is {o}", ("of", "means")),
        Kind("text", _QUANTITY, XSD.string, "the {label} of {s} is {o}", ("of", "means")),
        Kind("flag", _QUANTITY, XSD.boolean, "{s} {label}: {o}", ("of", "means")),
        Kind("relation", (OWL.ObjectProperty,), None, "{s} is {label} {o}", ("of", "to", "means")),
        Kind("note", (OWL.AnnotationProperty,), None, "{s} is {label} {o}", ("means",)),
        Kind("one", (OWL.NamedIndividual,), None, "{s} is {label}", ("is a", "means")),
        Kind("term"),  # adds to a term that is declared elsewhere
        Kind("apart"),  # classes that share no member
    )
}
CLASSES = ("kind", "state")
QUANTITIES = ("number", "text", "flag")
PROPERTIES = (*QUANTITIES, "relation")
_ALL = (*CLASSES, *PROPERTIES, "note", "one", "term")


@dataclass(frozen=True)
class Column:
    """A column. form: how its cells read (kb.ontology.term_cells has a method for each); kinds: the tables that may have it;
    run: of how many words the parts of a mark are that is written part by part, in one row or several."""

    form: str
    predicate: URIRef | None = None
    kinds: tuple[str, ...] = _ALL
    run: int = 0


_CLASSES, _PROPERTIES, _RELATION = (*CLASSES, "term"), (*PROPERTIES, "term"), ("relation", "term")
COLUMNS = {
    "is a": Column("above", None, (*CLASSES, *PROPERTIES, "one", "term")),
    "of": Column("classes", RDFS.domain, _PROPERTIES),
    "to": Column("classes", RDFS.range, _RELATION),
    "values": Column("datatype", RDFS.range, QUANTITIES),
    "means": Column("sentence", SKOS.definition),
    "source": Column("sources", DCTERMS.source),
    "unstated": Column("silence", lp("whenUnstated")),
    "also called": Column("words", SKOS.altLabel),
    "players say": Column("words", SKOS.hiddenLabel),
    "label": Column("sentence", RDFS.label),
    "reads": Column("reading", lp("verbalization")),
    "marks": Column("marks", None, _PROPERTIES),
    "default": Column("number", lp("defaultValue"), (*QUANTITIES, "term")),
    "unit": Column("text", lp("unit"), (*QUANTITIES, "term")),
    "exactly": Column("classes", OWL.equivalentClass, _CLASSES),
    "either": Column("group", OWL.disjointUnionOf, _CLASSES),
    "apart from": Column("classes", OWL.disjointWith, _CLASSES),
    "inverse of": Column("names", OWL.inverseOf, _RELATION),
    "by way of": Column("chains", OWL.propertyChainAxiom, _RELATION),
    "derived by": Column("text", lp("derivedBy")),
    "staged": Column("yes", lp("staged"), _RELATION),
    "of the whole cell": Column("yes", lp("ofWholeCell"), _RELATION),
    "in the cell": Column("text", lp("inCell"), _CLASSES),
    "told as": Column("runs", lp("toldAs"), _CLASSES, 3),
    "told by": Column("texts", lp("toldBy"), _PROPERTIES),
    "asked through": Column("runs", lp("askedThrough"), _PROPERTIES, 3),
    "taken for": Column("runs", lp("takenFor"), _PROPERTIES, 2),
    "told by kind": Column("runs", lp("toldByKind"), _PROPERTIES, 3),
    "told through": Column("runs", lp("toldThrough"), _PROPERTIES, 4),
    "changed by": Column("texts", lp("changedBy"), (*CLASSES, *_PROPERTIES)),
    "comes to nothing with": Column("runs", lp("failsWith"), _CLASSES, 2),
    "singly": Column("texts", lp("singly"), _PROPERTIES),
    "as one": Column("texts", lp("asOne"), _PROPERTIES),
    "cell": Column("texts", lp("cell"), _PROPERTIES),
    "must be told": Column("texts", lp("mustBeTold"), _PROPERTIES),
    "others by": Column("texts", lp("othersBy"), _PROPERTIES),
    "see also": Column("names", RDFS.seeAlso),
    "close to": Column("names", SKOS.closeMatch),
}

SINGLE = {"means", "unstated", "label", "reads", "default", "unit"}  # what a term is told once

SILENCES = {
    "absent": lp("Absent"), "absent unless shown": lp("AbsentUnlessShown"), "complete": lp("Complete"),
    "concluded": lp("Concluded"), "asked": lp("Asked"),
}  # fmt: skip
MARKS = {"one": OWL.FunctionalProperty, "symmetric": OWL.SymmetricProperty, "transitive": OWL.TransitiveProperty}
MANY = "many"  # the mark of a quantity that may have several values


def label_of(name: str) -> str:
    """The label of a term that gives none: `StoneDugout`, stone dugout; `DMPurpose`, DM purpose."""
    parts = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", name)
    return " ".join(part if part.isupper() else part.lower() for part in parts)
