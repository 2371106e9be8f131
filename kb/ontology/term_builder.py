"""Tables of terms to Turtle: each file of terms gives the canonical Turtle that stands beside it.

What is built is what every other program opens; the tables are what people edit. `stale` tells where the two differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rdflib import DCTERMS, OWL, RDF, RDFS, Graph, Literal, URIRef
from rdflib.exceptions import ParserError
from rdflib.plugins.parsers.notation3 import BadSyntax
from rdflib.term import Node

from kb import resources
from kb.errors import LoopholeError, Place, Problem
from kb.ontology import term_tables
from kb.ontology.sources import SHARED
from kb.ontology.term_cells import Cells
from kb.ontology.term_columns import COLUMNS, MANY, label_of
from kb.ontology.term_names import Amiss, Names
from kb.ontology.term_tables import Cell, Document, Row
from kb.ontology.turtle import BASE, PREFIXES, canonical, lp

_NAME = re.compile(r"[A-Za-z]\w*")
_ASKS = {
    "means": "say what it is: genus, that, differentia (dugout that is walled with stone)",
    "source": "give the rule that it comes from, or usage",
}
_PREFIXES = "".join(f"@prefix {prefix}: <{namespace}> . " for prefix, namespace in PREFIXES.items())


def texts(folder: Path, root: str = "ontology", own: bool = False) -> list[tuple[Document, str]]:
    """The Turtle of each file of terms. own: the folder is one of books, whose terms lean on what is shipped.

    Raises LoopholeError with every fault of every file: E701 (a block), E711, E731 to E738.
    """
    documents = term_tables.read(folder, root, own)
    problems: list[Problem] = []
    blocks = {document.file: list(_blocks(document, problems)) for document in documents}
    handmade = [p for p in sorted(folder.rglob("*.ttl")) if term_tables.table_of(p) is None] if documents else []
    if own and documents:
        handmade += [resources.path("ontology") / f"{name}.ttl" for name in SHARED]
    names = Names(documents, [*(g for graphs in blocks.values() for g in graphs), *_read(handmade)])
    problems += names.problems
    made = []
    for document in documents:
        builder = _Builder(document, names)
        for graph in blocks[document.file]:
            builder.graph += graph
        made.append((document, builder.graph))
        problems += builder.problems
    if problems:
        raise LoopholeError(problems)
    return [(document, canonical(graph)) for document, graph in made]


def write(folder: Path, root: str = "ontology", own: bool = False) -> list[Path]:
    """Writes the Turtle of each file of terms whose Turtle is another; returns what was written. Raises as `texts`."""
    written = []
    for document, text in texts(folder, root, own):
        if not document.built.is_file() or document.built.read_text(encoding="utf-8") != text:
            resources.write(document.built, text)
            written.append(document.built)
    return written


def stale(folder: Path, root: str = "ontology", own: bool = False) -> list[Problem]:
    """E714 for each Turtle file that is not what its tables give, or the faults of the tables."""
    try:
        found = texts(folder, root, own)
    except LoopholeError as error:
        return list(error.problems)
    problems = []
    for document, wanted in found:
        name = Path(document.file).with_suffix(".ttl").as_posix()
        text = document.built.read_text(encoding="utf-8") if document.built.is_file() else ""
        if text != wanted:
            pairs = zip((*text.splitlines(), ""), (*wanted.splitlines(), ""), strict=False)
            number, (line, other) = next(((i, p) for i, p in enumerate(pairs, 1) if p[0] != p[1]), (1, ("", "")))
            says = f"; the table gives: {other.strip()}" if other.strip() else ""
            hint = f"edit {document.file}, never this file, and run loophole build{says}"
            problems.append(Problem(714, "not what its table gives, from here on", Place(name, number), hint, line))
    return problems


def _read(paths: Sequence[Path]) -> Iterator[Graph]:
    """Turtle written by hand; what does not parse is told elsewhere."""
    for path in paths:
        try:
            yield Graph().parse(path, format="turtle")
        except (BadSyntax, ParserError, ValueError):
            continue


def _blocks(document: Document, problems: list[Problem]) -> Iterator[Graph]:
    own = document.namespace.removeprefix(BASE).rstrip("#")
    prefixes = _PREFIXES + (f"@prefix {own}: <{document.namespace}> . " if own not in SHARED else "")
    for start, text in document.turtle:
        try:
            yield Graph().parse(data=f"{prefixes}{text}\n", format="turtle")
        except BadSyntax as error:
            lines = text.splitlines() or [""]
            at = min(error.lines, len(lines) - 1)  # what is missing at the end is missed after it
            place, line = Place(document.file, start + at + 1), lines[at]
            hint = "each statement of a term ends in “;” and the last in “.”; the prefixes are given"
            problems.append(Problem(701, f"not Turtle: {error._why}", place, hint, line))
        except (ParserError, ValueError) as error:
            problems.append(Problem(701, f"not Turtle: {error}", Place(document.file, start), "mend the syntax"))


class _Builder:
    """The graph of one file of terms, row by row."""

    def __init__(self, document: Document, names: Names):
        self.graph, self.document, self.names = Graph(), document, names
        self.problems: list[Problem] = []
        self.shared = document.namespace in {f"{BASE}{name}#" for name in SHARED}
        self.cells = Cells(self.graph, names, document.namespace)
        self.header()
        for row in document.rows:
            try:
                node = self.term(row)
            except Amiss as error:
                self.problem(row.term, error)
                continue
            if node is not None:
                self.row(node, row)
        for (node, predicate), parts in self.cells.runs.items():
            self.graph.add((node, predicate, Literal(" ".join(parts))))

    def header(self) -> None:
        node, head = URIRef(BASE + self.document.head["iri"]), self.document.head
        self.graph.add((node, RDF.type, OWL.Ontology))
        for key, predicate in (("title", DCTERMS.title), ("description", DCTERMS.description)):
            if key in head:
                self.graph.add((node, predicate, Literal(head[key], lang="en")))
        if "license" in head:
            self.graph.add((node, DCTERMS.license, URIRef(head["license"])))

    def problem(self, cell: Cell, error: Amiss, heading: str = "") -> None:
        """Notes what is wrong in a cell, with a caret under the word that is meant."""
        found = re.search(rf"(?<![\w:]){re.escape(error.word)}(?!\w)", cell.text) if error.word else None
        at = found.start() if found else error.at
        place = Place(cell.place.file, cell.place.line, cell.place.column + at)
        message = f"in the column “{heading}”, {error}" if heading else str(error)
        self.problems.append(Problem(error.code, message, place, error.hint, cell.line))

    def term(self, row: Row) -> URIRef | None:
        """The term that a row is about; None for one that names several. Raises Amiss."""
        name = row.term.text
        if row.kind.name == "apart":
            self.cells.apart(name)
            return None
        if not row.kind.declares:
            return self.cells.find(name)
        if not _NAME.fullmatch(name):
            hint = "letters and digits: Dugout for a class, maxRange for a property"
            raise Amiss(738, f"“{name}” is no name" if name else "a row without a name", hint)
        node = URIRef(self.document.namespace + name)
        self.declare(node, row)
        return node

    def row(self, node: URIRef, row: Row) -> None:
        for heading, cell in row.cells.items():
            column = COLUMNS[heading]
            try:
                for predicate, value in self.cells.read(column, cell.text, node):
                    if (predicate := predicate or column.predicate) is not None:
                        self.graph.add((node, predicate, value))
            except Amiss as error:
                self.problem(cell, error, heading)

    def declare(self, node: URIRef, row: Row) -> None:
        """What a row says by being one, and what its empty cells say."""
        told, kind = {**self.names.told[self.document.namespace, str(node)], **row.cells}, row.kind
        for heading in (*kind.asks, *(["source"] if "source" in row.columns else [])):
            if heading not in told and not (heading == "is a" and self.shared):  # there, some stand above all others
                here = "is empty" if heading in row.columns else "is missing from the table"
                hint = _ASKS.get(heading, "name what is above it or what it is of: Thing where anything may be")
                self.problem(row.term, Amiss(736, f"“{row.term.text}”: the column “{heading}” {here}", hint))
        many = "marks" in told and MANY in told["marks"].text
        label = told["label"].text if "label" in told else label_of(row.term.text)
        facts: list[tuple[URIRef, Node]] = [
            (RDF.type, type_) for type_ in kind.types if not (many and type_ == OWL.FunctionalProperty)
        ]
        if "label" not in told:
            facts.append((RDFS.label, Literal(label, lang="en")))
        if "reads" not in told:
            facts.append((lp("verbalization"), Literal(kind.sentence(label), lang="en")))
        if "source" not in row.columns:
            facts.append((DCTERMS.source, Literal("usage")))
        if kind.values is not None and "values" not in told:
            facts.append((RDFS.range, kind.values))
        for predicate, value in facts:
            self.graph.add((node, predicate, value))
