"""A case as RDF: things with their classes, relations and numbers, the question, and what is expected.

Things are individuals of the ontology's classes, so a case can be asked, reasoned over and joined like any other data.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import PurePath

from rdflib import DCTERMS, OWL, RDF, RDFS, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.answers.expectations import VERDICTS as expected, word
from kb.language import iris, norms as m
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import PropertyTerm, Vocabulary, fold
from kb.ontology.to_owl import decimal
from kb.ontology.turtle import lp as lp
from kb.reasoner import proof as p

VERDICTS = {
    p.PERMITTED: "Permitted", p.FORBIDDEN: "Forbidden", p.REQUIRED: "Required", p.CONFLICT: "Conflicting",
    p.SILENT: "Silent", p.OUTSIDE: "NotRuled", p.UNDETERMINED: "Undetermined", p.HOLDS: "Affirmed", p.FAILS: "Denied", p.VALUE: "Valued",
    p.EFFECTS: "Effected", p.NO_EFFECT: "Effectless", p.WHICH: "Listed",
}  # fmt: skip
GRADES = {
    p.SETTLED: "Settled", p.IF_NOTHING_ELSE: "SettledIfNothingElse", p.PARTLY_HERE: "PartlyHere", p.NOT_HERE: "NotHere",
    p.FACT_MISSING: "FactMissing", p.AT_ODDS: "AtOdds",
}  # fmt: skip
EXTENTS = {m.WHOLLY: "Wholly", m.PARTLY: "Partly", m.NAMES: "Touched", m.LEFT: "Left", p.OUTSIDE: "Elsewhere"}

# What people write for an answer, by the question's kind.
ANSWERS = {
    ("yes", "may"): "Permitted", ("no", "may"): "Forbidden", ("yes", "must"): "Required", ("yes", "is"): "Affirmed",
    ("yes", "may not"): "Forbidden", ("no", "may not"): "Permitted", ("no", "is"): "Denied", ("none", "effects"): "Effectless", ("none", "which"): "Listed",
}  # fmt: skip


def in_english(text: str) -> Literal:
    """A text in English."""
    return Literal(text, lang="en")


def plain(text: str) -> Literal:
    """A text without a language."""
    return Literal(text)


def iri_of(case: Case) -> str:
    """The IRI of a case."""
    return iris.case(case.book, case.file, told(case), case.name)


def told(case: Case) -> str:
    """What a case says, always in the same words."""
    return repr((case.book, case.title, [case.things[n] for n in sorted(case.things)], case.history, case.question))


class CaseWriter:
    """Writes cases of one book into a graph. `add` gives the case's IRI."""

    def __init__(self, graph: Graph, vocabulary: Vocabulary):
        self.graph, self.vocabulary = graph, vocabulary

    def put(self, s: Node, predicate: URIRef, o: Node) -> None:
        """Adds a triple."""
        self.graph.add((s, predicate, o))

    def add(self, case: Case) -> URIRef:
        """Writes a case with its question and expectation. Returns its IRI."""
        me = URIRef(iri_of(case))
        self.put(me, RDF.type, lp("Case"))
        self.put(me, lp("inBook"), URIRef(iris.book(case.book)))
        if case.title:
            self.put(me, DCTERMS.title, in_english(case.title))
        if case.file:
            self.put(me, DCTERMS.source, plain(file_of(case)))
        for name, facts in case.things.items():
            self.put(me, lp("describes"), self.thing(me, name))
            self.facts(me, name, facts)
        for cls in sorted({c for facts in case.things.values() for c in facts.unknown}):
            if cls in self.vocabulary.classes:
                self.put(me, lp("withheld"), self.term(cls))
        self.put(me, lp("asks"), self.question(case, me))
        if case.expect:
            self.put(me, lp("expects"), self.expectation(case, me))
        return me

    def thing(self, me: URIRef, name: str) -> URIRef:
        """The IRI of a thing of a case."""
        return URIRef(iris.thing(me, name))

    def apart(self, case: Case, me: URIRef, name: str) -> URIRef:
        """The IRI of a case's question or expectation, kept apart from a thing of that name."""
        return self.thing(me, name if name not in case.things else f"{name}-of-the-case")

    def term(self, name: str) -> URIRef:
        """The IRI of a term. Raises KeyError for a name that is none."""
        return URIRef(self.vocabulary.term(name).iri)

    def facts(self, me: URIRef, name: str, facts: Facts) -> None:
        """Writes what a case says of a thing."""
        x = self.thing(me, name)
        self.put(x, RDFS.label, in_english(facts.label or name))
        for cls in facts.is_:
            self.put(x, RDF.type, self.term(cls))
        for cls in facts.not_:
            self.put(x, RDF.type, self.node({RDF.type: OWL.Class, OWL.complementOf: self.term(cls)}))
        for role, others in facts.links.items():
            for other in others:
                self.put(x, self.term(role), self.thing(me, other))
            if not others:
                none = {RDF.type: OWL.Restriction, OWL.onProperty: self.term(role), OWL.allValuesFrom: OWL.Nothing}
                self.put(x, RDF.type, self.node(none))
        for quantity, value in facts.numbers.items():
            self.put(x, *self.number(quantity, value))
        for flag, truth in facts.flags.items():
            self.put(x, self.term(flag), Literal(truth))
        for key, text in facts.texts.items():
            self.put(x, self.term(key), plain(text))

    def node(self, rows: dict[URIRef, URIRef]) -> BNode:
        """A blank node with these rows."""
        made = BNode()
        for predicate, value in rows.items():
            self.put(made, predicate, value)
        return made

    def number(self, quantity: str, value: Fraction) -> tuple[URIRef, Literal]:
        """A number of a thing; one whose digits never end is told in words, for OWL 2 tools are at odds about it."""
        exact = decimal(value)
        if exact is None:
            return lp("expression"), plain(f"{quantity} {value}")
        term: PropertyTerm = self.vocabulary.properties[quantity]
        whole = value.denominator == 1 and term.range.casefold() != "decimal"
        return self.term(quantity), Literal(str(value), datatype=XSD.integer) if whole else exact

    def question(self, case: Case, me: URIRef) -> URIRef:
        """Writes what a case asks."""
        asked = self.apart(case, me, "question")
        q: Question = case.question
        self.put(asked, RDF.type, lp("Question"))
        self.put(asked, lp("questionKind"), plain(q.kind))
        self.put(asked, lp("expression"), plain(str(q)))
        for name in self.about(q):
            self.put(asked, lp("about"), self.thing(me, name) if name in case.things else self.term(name))
        if q.quantity:
            self.put(asked, lp("usesTerm"), self.term(q.quantity))
        for name in sorted(m.names_in(q.condition)):
            if name in self.vocabulary.classes or name in self.vocabulary.properties:
                self.put(asked, lp("usesTerm"), self.term(name))
        return asked

    def about(self, q: Question) -> list[str]:
        """The things that a question is about."""
        if q.thing:
            return [q.thing]
        inner = self.about(q.inner) if q.inner is not None else []
        return [n for n in (*q.things, q.cls, *inner) if n and n != "each"]

    def expectation(self, case: Case, me: URIRef) -> URIRef:
        """Writes what a case expects."""
        wanted = self.apart(case, me, "expectation")
        expect = case.expect
        self.put(wanted, RDF.type, lp("Expectation"))
        said = word(expect.get("verdict", expect.get("answer", ""))).casefold()
        known = VERDICTS.get(said) or VERDICTS.get(expected.get(fold(said), ""))
        if (verdict := ANSWERS.get((said, case.question.key)) or known) is not None:
            self.put(wanted, lp("hasVerdict"), lp(verdict))
        answer = next((expect[k] for k in ("value", "effects", "which") if k in expect), None)
        if answer is None and verdict is None and said:
            answer = said
        if answer is not None:
            listed = answer if isinstance(answer, (list, tuple)) else [answer]
            told_ = (" ".join(map(str, row)) if isinstance(row, (list, tuple)) else str(row) for row in listed)
            self.put(wanted, lp("answerValue"), plain(", ".join(told_) or "none"))
        cited = expect.get("cites") or ()
        for number in [cited] if isinstance(cited, str) else cited:
            self.put(wanted, lp("citesRule"), URIRef(iris.rule(case.book, str(number))))
        if str(expect.get("grade", "")) in GRADES:
            self.put(wanted, lp("hasGrade"), lp(GRADES[str(expect["grade"])]))
        return wanted


def file_of(case: Case) -> str:
    """The file of a case as the project names it; elsewhere its name alone, for folders are the reader's affair."""
    parts = PurePath(case.file.replace("\\", "/")).parts
    for folder in (("tests", "cases"), ("examples",)):
        for i in range(len(parts)):
            if parts[i : i + len(folder)] == folder:
                return "/".join(parts[i:])
    return parts[-1] if parts else ""
