"""The cells of a table of terms, each form read: names, classes and expressions of them, texts, chains, marks, numbers.

A form gives what a cell says of the term of its row: pairs of a predicate and a value, None for the column's own predicate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.errors import did_you_mean
from kb.language.norms import Condition
from kb.language.parser import Fault, condition
from kb.language.vocabulary import PropertyTerm, Vocabulary
from kb.ontology.sources import DATATYPES
from kb.ontology.term_columns import MANY, MARKS, SILENCES, Column
from kb.ontology.term_names import Amiss, Names
from kb.ontology.to_owl import Translation
from kb.ontology.turtle import local

Facts = Iterator[tuple[URIRef | None, Node]]
_BARE = ((re.compile(r"[+-]?\d+"), XSD.integer), (re.compile(r"[+-]?\d*\.\d+"), XSD.decimal))
_VALUES = {local(kind): kind for kind in DATATYPES if str(kind).startswith(str(XSD))}


class Cells:
    """Reads the cells of one file of terms; blank nodes and lists go into its graph."""

    def __init__(self, graph: Graph, names: Names, namespace: str):
        self.graph, self.names, self.namespace = graph, names, namespace
        self.expressions = _Expressions(graph, self.find)
        self.runs: dict[tuple[URIRef, URIRef], list[str]] = {}  # marks written part by part, of each term

    def read(self, column: Column, text: str, node: URIRef) -> Facts:
        """What a cell of a column says of a term. Raises Amiss (E737, E738)."""
        if column.run and column.predicate is not None:
            self.runs.setdefault((node, column.predicate), []).extend(self._run(text, column.run))
            return
        readers: dict[str, Callable[[str, URIRef], Facts]] = {
            "above": self._above, "classes": self._classes, "group": self._group, "names": self._names, "chains": self._chains,
            "sentence": self._sentence, "words": self._words, "reading": self._reading, "text": self._text, "texts": self._texts,
            "sources": self._sources, "silence": self._silence, "marks": self._marks, "datatype": self._datatype,
            "number": self._number, "yes": self._yes,
        }  # fmt: skip
        yield from readers[column.form](text, node)

    def find(self, name: str, *kinds: str) -> URIRef:
        """The term of a name. Raises Amiss (E737)."""
        return self.names.find(name, self.namespace, kinds)

    def apart(self, text: str) -> None:
        """Says that classes have no member in common. Raises Amiss."""
        members: list[Node] = [self.find(name, "class") for name in _parts(text)]
        if len(members) < 2:
            raise Amiss(738, "one class alone is apart from nothing", "name two or more, with commas between them")
        node = BNode()
        self.graph.add((node, RDF.type, OWL.AllDisjointClasses))
        self.graph.add((node, OWL.members, self.expressions.list_(members)))

    # ── names ───────────────────────────────────────────────────────────────────────────────────────────

    def _above(self, text: str, node: URIRef) -> Facts:
        kind = self.names.kinds.get(str(node), "")
        if kind == "property":
            yield from ((RDFS.subPropertyOf, self.find(name, "property")) for name in _parts(text))
        else:
            predicate = RDF.type if kind == "one" else RDFS.subClassOf
            yield from ((predicate, value) for _, value in self._classes(text, node))

    def _classes(self, text: str, node: URIRef) -> Facts:
        for at, part in _placed(text):
            if re.fullmatch(r"[\w:]+", part):
                yield None, self.find(part, "class")
                continue
            try:
                yield None, self.expressions.translate(condition(part))
            except Fault as fault:
                hint = fault.hint or "write it as a condition of the rule language, or in a ```turtle block"
                raise Amiss(738, fault.message, hint, at=at + fault.token.column - 1) from None

    def _group(self, text: str, node: URIRef) -> Facts:
        yield None, self.expressions.list_([self.find(name, "class") for name in _parts(text)])

    def _names(self, text: str, node: URIRef) -> Facts:
        yield from ((None, self.find(name)) for name in _parts(text))

    def _chains(self, text: str, node: URIRef) -> Facts:
        for chain in _parts(text, ";"):
            yield None, self.expressions.list_([self.find(name, "property") for name in chain.split()])

    # ── texts ───────────────────────────────────────────────────────────────────────────────────────────

    def _sentence(self, text: str, node: URIRef) -> Facts:
        yield None, Literal(text, lang="en")

    def _words(self, text: str, node: URIRef) -> Facts:
        yield from ((None, Literal(word, lang="en")) for word in _parts(text, ";"))

    def _reading(self, text: str, node: URIRef) -> Facts:
        pair = self.names.kinds.get(str(node)) in ("property", "note")
        gaps = ("{s}", "{o}") if pair else ("{s}",)
        if missing := [gap for gap in gaps if gap not in text]:
            hint = "write {s} where the thing goes" + (", {o} where its value goes" if pair else "")
            raise Amiss(738, f"no {missing[0]} stands in “{text}”", hint)
        yield None, Literal(text, lang="en")

    def _text(self, text: str, node: URIRef) -> Facts:
        yield None, Literal(text)

    def _texts(self, text: str, node: URIRef) -> Facts:
        yield from ((None, Literal(part)) for part in _parts(text, ";"))

    def _run(self, text: str, size: int) -> Iterator[str]:
        for at, part in _placed(text):
            if len(part.split()) != size:
                raise Amiss(
                    738, f"“{part}” has to be {size} names", "put commas between the parts, none inside one", at=at
                )
            yield part

    def _sources(self, text: str, node: URIRef) -> Facts:
        yield from ((None, Literal(part)) for part in _parts(text))

    # ── words with a meaning of their own ───────────────────────────────────────────────────────────────

    def _silence(self, text: str, node: URIRef) -> Facts:
        if text not in SILENCES:
            raise Amiss(738, f"silence means nothing called “{text}”", did_you_mean(text, SILENCES, "say one of"), text)
        yield None, SILENCES[text]

    def _marks(self, text: str, node: URIRef) -> Facts:
        for word in _parts(text):
            if word not in (*MARKS, MANY):
                raise Amiss(738, f"no mark is called “{word}”", did_you_mean(word, (*MARKS, MANY), "say one of"), word)
            if word in MARKS:
                yield RDF.type, MARKS[word]

    def _datatype(self, text: str, node: URIRef) -> Facts:
        if text not in _VALUES:
            raise Amiss(738, f"no values are called “{text}”", did_you_mean(text, sorted(_VALUES), "say one of"), text)
        yield None, _VALUES[text]

    def _number(self, text: str, node: URIRef) -> Facts:
        try:
            Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise Amiss(738, f"“{text}” is no number", "give a number: 0, 1/2, 2.5", text) from None
        yield None, Literal(text, datatype=next((kind for form, kind in _BARE if form.fullmatch(text)), None))

    def _yes(self, text: str, node: URIRef) -> Facts:
        if text != "yes":
            raise Amiss(738, f"“{text}” is not yes", "write yes, or leave the cell empty", text)
        yield None, Literal(True)


class _Expressions(Translation):
    """Conditions as class expressions whose names are found in the tables, not in a vocabulary built before."""

    def __init__(self, graph: Graph, find: Callable[..., URIRef]):
        super().__init__(Vocabulary("", "", {}, {}), graph)
        self.find = find

    def named(self, name: str) -> URIRef:
        return self.find(name, "class")

    def property(self, name: str) -> URIRef:
        return self.find(name, "property")

    def term(self, name: str) -> PropertyTerm:
        raise Amiss(
            738, f"a row cannot say what comes after “{name}.”", "say it in a ```turtle block, or by norms", name
        )

    def simple(self, name: str) -> bool:
        return True  # what may not be counted is told when the terms are classified (E708)

    def hide(self, condition: Condition) -> URIRef:
        raise Amiss(738, f"a row cannot say {condition}", "say it in a ```turtle block, or by norms")


def _placed(text: str, separator: str = ",") -> Iterator[tuple[int, str]]:
    """The parts of a cell that are not empty, each with where it begins."""
    at = 0
    for part in text.split(separator):
        if part.strip():
            yield at + len(part) - len(part.lstrip()), part.strip()
        at += len(part) + 1


def _parts(text: str, separator: str = ",") -> list[str]:
    return [part for _, part in _placed(text, separator)]
