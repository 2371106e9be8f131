"""The names that tables of terms may use: which IRI a name stands for, and what is declared twice or labelled alike.

A name is written without its prefix: a game's names are its own, then those of tactics and core, and none repeats another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from rdflib import OWL, RDF, RDFS, Graph, Literal, URIRef

from kb.errors import Problem, did_you_mean
from kb.ontology.sources import SHARED
from kb.ontology.term_columns import CLASSES, PROPERTIES, SINGLE, label_of
from kb.ontology.term_tables import Cell, Document, Row
from kb.ontology.turtle import BASE, PREFIXES, curie, local

_KINDS = (
    (OWL.Class, "class"), (OWL.ObjectProperty, "property"), (OWL.DatatypeProperty, "property"),
    (OWL.AnnotationProperty, "note"), (OWL.NamedIndividual, "one"),
)  # fmt: skip


class Amiss(ValueError):
    """What is wrong in a cell: the problem's number, what to do, and the word that it is about, or where in the cell it is."""

    def __init__(self, code: int, message: str, hint: str, word: str = "", at: int = 0):
        super().__init__(message)
        self.code, self.hint, self.word, self.at = code, hint, word, at


def unknown(name: str, near: str) -> Amiss:
    """A name that stands for nothing."""
    hint = near or "give it a row of its own, in a table of terms of this game"
    return Amiss(737, f"no term is called “{name}”", hint, name)


class Names:
    """Every term that is declared, by IRI: what kind it is of, and its label with the cell that gives it."""

    def __init__(self, documents: Iterable[Document], blocks: Iterable[Graph]):
        self.kinds: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.cells: dict[str, Cell] = {}
        self.told: defaultdict[tuple[str, str], dict[str, Cell]] = defaultdict(dict)  # by game, and by term
        self.problems: list[Problem] = []
        for graph in blocks:
            self.add(graph)
        documents = list(documents)
        for document in documents:
            for row in document.rows:
                if row.kind.declares and row.term.text:
                    self.declare(document, row)
        for document in documents:
            for row in document.rows:
                self.tell(document, row)
        self.problems += self.labelled_alike()

    def add(self, graph: Graph) -> None:
        """The terms that Turtle declares."""
        for kind, word in _KINDS:
            for node in graph.subjects(RDF.type, kind):
                if isinstance(node, URIRef):
                    self.kinds[str(node)] = word
                    labels = (str(o) for o in graph.objects(node, RDFS.label) if isinstance(o, Literal))
                    self.labels[str(node)] = min(labels, default="")

    def declare(self, document: Document, row: Row) -> None:
        """The term of a row. E734 where another row has it already."""
        iri, cell = document.namespace + row.term.text, row.term
        if first := self.cells.get(iri):
            hint = "a term has one row: put both into one, or rename one"
            self.problems.append(Problem(734, f"“{cell.text}” has two rows", cell.place, hint, cell.line, first.place))
            return
        kind = "class" if row.kind.name in CLASSES else "property" if row.kind.name in PROPERTIES else row.kind.name
        self.kinds[iri], self.cells[iri], self.labels[iri] = kind, cell, label_of(cell.text)

    def tell(self, document: Document, row: Row) -> None:
        """Notes what a row says of its term, which may stand in another row. E734 where a term is told one thing twice."""
        try:
            iri = str(self.find(row.term.text, document.namespace)) if row.kind.name != "apart" else ""
        except Amiss:
            return  # the builder says so
        for heading in SINGLE & row.cells.keys() if iri else ():
            cell = row.cells[heading]
            if (first := self.told[document.namespace, iri].setdefault(heading, cell)) is not cell:
                hint = "say it in one row"
                message = f"“{row.term.text}” has two cells for “{heading}”"
                self.problems.append(Problem(734, message, cell.place, hint, cell.line, first.place))
        if "label" in row.cells and iri in self.cells:
            self.labels[iri], self.cells[iri] = row.cells["label"].text, row.cells["label"]

    def labelled_alike(self) -> Iterator[Problem]:
        """E735 for each class, or property, that has the label of another of its game or of those that all games share."""
        seen: dict[tuple[str, str], list[str]] = {}
        shared = tuple(f"{BASE}{name}#" for name in SHARED)
        for iri, label in sorted(self.labels.items(), key=lambda pair: not pair[0].startswith(shared)):
            if self.kinds[iri] not in ("class", "property") or not label or not iri.startswith(BASE):
                continue
            others = seen.setdefault((self.kinds[iri], label), [])
            home = iri.partition("#")[0] + "#"
            near = (
                o
                for o in others
                if local(o) != local(iri) and (o.startswith((home, *shared)) or iri.startswith(shared))
            )
            twin = next(near, "")  # one of the same name is E705
            others.append(iri)
            if twin and (cell := self.cells.get(iri)):
                there = self.cells[twin].place if twin in self.cells else None
                hint = "say what tells them apart in the column “label”"
                message = f"“{local(iri)}” has the same label as {curie(twin)}: {label}"
                yield Problem(735, message, cell.place, hint, cell.line, there)

    def find(self, name: str, namespace: str, kinds: tuple[str, ...] = ()) -> URIRef:
        """The term of a name, as seen from a namespace; of any kind where none is named. Raises Amiss (E737)."""
        kinds = kinds or tuple(word for _, word in _KINDS)
        if name == "Thing" and "class" in kinds:
            return OWL.Thing
        prefix, colon, rest = name.partition(":")
        if colon:
            if prefix not in PREFIXES:
                raise unknown(name, did_you_mean(prefix, PREFIXES, "prefixes:"))
            return URIRef(PREFIXES[prefix] + rest)
        spaces = dict.fromkeys((namespace, *(f"{BASE}{shared}#" for shared in SHARED)))
        for space in spaces:
            if self.kinds.get(space + name) in kinds:
                return URIRef(space + name)
        near = [local(iri) for iri, kind in self.kinds.items() if kind in kinds and iri.startswith(tuple(spaces))]
        raise unknown(name, did_you_mean(name, near))
