"""Norms as RDF: what each says, when it applies as a real OWL class, and its exceptions as objects of their own.

The class expressions are those of kb.ontology.to_owl, which the reasoners are given: there is one translation. Each condition gets
a class with a name of its own that is equivalent to its expression, so a norm can point to it and OWL 2 DL is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdflib import DCTERMS, OWL, PROV, RDF, Graph, URIRef
from rdflib.term import Node

from kb.graph.cases import lp, plain
from kb.graph.errata import Versions
from kb.graph.texts import TextWriter
from kb.language import iris, norms as m
from kb.language.norms import names_in
from kb.language.vocabulary import Vocabulary
from kb.ontology.to_owl import Translation

DEONTIC = {m.PERMITS: "Permission", m.FORBIDS: "Prohibition", m.REQUIRES: "Obligation", m.WAIVES: "Release"}
QUANTITY = {m.SETS: "SettingNorm", m.ADDS: "AddingNorm", m.MULTIPLIES: "MultiplyingNorm", m.LIMITS: "LimitingNorm"}


class NormTranslation(Translation):
    """Translates the conditions of one norm; what an `except` carves out, and of what, get names.

    carved: label or number, condition carved out, class of that, class that it is carved out of.
    """

    def __init__(self, vocabulary: Vocabulary, graph: Graph, norm: URIRef):
        super().__init__(vocabulary, graph)
        self.norm = norm
        self.carved: list[tuple[str, m.Condition, URIRef, URIRef]] = []

    def translate(self, condition: m.Condition) -> Node:
        """A condition as a class; of `except` the carved part is kept, to be written as an exception."""
        if not isinstance(condition, m.Except):
            return super().translate(condition)
        me = iris.clause(self.norm, "except", condition.label or str(len(self.carved) + 1))
        if any(str(taken) == f"{me}-condition" for _, _, taken, _ in self.carved):
            me += f"-{len(self.carved) + 1}"
        taken, base = URIRef(f"{me}-condition"), URIRef(f"{me}-base")
        self.carved.append((condition.label, condition.carve, taken, base))
        self.define(base, condition.base)
        self.define(taken, condition.carve)
        return self.class_(OWL.intersectionOf, self.list_([base, self.class_(OWL.complementOf, taken)]))

    def define(self, iri: URIRef, condition: m.Condition) -> None:
        """A class of this name, equivalent to the condition's expression."""
        self.graph.add((iri, RDF.type, OWL.Class))
        self.graph.add((iri, RDF.type, lp("Condition")))
        self.graph.add((iri, lp("expression"), plain(str(condition))))
        self.graph.add((iri, OWL.equivalentClass, self.translate(condition)))

    def hide(self, condition: m.Condition) -> URIRef:
        """A class that stands for a condition which OWL cannot say, marked as such."""
        iri = super().hide(condition)
        self.graph.add((iri, RDF.type, lp("OpaqueCondition")))
        return iri


class NormWriter:
    """Writes the norms of one book. `versions` names norms that errata word; `text` knows the rules."""

    def __init__(self, text: TextWriter, versions: Versions, narrower: Iterable[tuple[str, str]] = ()):
        self.text, self.book, self.vocabulary, self.versions = text, text.book, text.vocabulary, versions
        self.put = text.put
        self.norms = {n.id: n for c in self.book.chapters for s in c.sections for n in s.norms}
        self.named = m.by_name(self.norms.values())
        self.encoded: set[URIRef] = set()
        self.wider: dict[str, list[str]] = {}
        for one, other in narrower:
            self.wider.setdefault(one, []).append(other)

    @property
    def graph(self) -> Graph:
        """The graph of the rule being written."""
        return self.text.graph

    def norm(self, norm: m.Norm, section: m.Section, edition: str) -> URIRef:
        """One norm with its conditions and exceptions. edition: that of its chapter."""
        me, home, book = self.versions.iri(norm.id), self.text.rule(norm.rule), self.book.id
        head, subject = norm.head, m.subject_of(norm.head)
        focus = URIRef(self.vocabulary.classes[subject].iri) if subject else OWL.Thing
        self.put(me, RDF.type, lp(kind_of(head)))
        self.put(me, DCTERMS.identifier, plain(norm.id))
        self.put(me, lp("statedIn"), home)
        self.put(me, lp("inBook"), self.text.book_iri)
        self.put(me, lp("inEdition"), URIRef(iris.edition(book, edition)))
        self.put(me, lp("hasAuthority"), URIRef(iris.of_book(book, "authority", norm.authority)))
        self.put(me, lp("headExpression"), plain(str(head)))
        self.put(me, lp("expression"), plain(expression(norm)))
        if subject:  # of a norm about anything nothing is said: OWL 2 DL keeps owl:Thing from being pointed to
            self.put(me, lp("governs"), focus)
        if (concluded := concludes(head)) and concluded in (*self.vocabulary.classes, *self.vocabulary.properties):
            self.put(me, lp("concludes"), self.text.term(concluded))
        self.put(me, lp("encodes"), *(URIRef(iris.sentence(book, norm.rule, n)) for n in norm.sentences))
        if norm.excepts:
            self.encode(me, norm.rule, norm.excepts)
        self.put(me, lp("endsWith"), *(self.text.term(ending.event) for ending in norm.until))
        if norm.reading:
            dispute, _, option = norm.reading.partition(":")
            self.put(me, lp("underReading"), URIRef(iris.of_book(book, "reading", dispute, option)))
        self.uses(me, terms_of(norm))
        self.references(me, norm, home)
        self.conditions(me, norm, focus, section)
        erratum = self.versions.erratum(norm.id)
        if erratum:
            self.put(me, lp("byErratum"), URIRef(iris.erratum(book, erratum)))
        base = URIRef(iris.norm(book, norm.id))
        if me != base:
            self.put(me, PROV.wasRevisionOf, base)
        return me

    def encode(self, me: URIRef, rule: str, label: str) -> None:
        """Says that a norm or a clause encodes an exception's passage; of several norms written as one, the first does."""
        passage = URIRef(iris.passage(self.book.id, rule, label))
        if passage not in self.encoded:
            self.encoded.add(passage)
            self.put(me, lp("encodes"), passage)

    def references(self, me: URIRef, norm: m.Norm, home: URIRef) -> None:
        """What a norm beats, leans on and needs; its section refers to all of these."""
        beaten = [n for name in norm.over for n in self.named.get(name, ()) if n.id != norm.id]
        carved = [self.norms[name] for name in norm.carves]
        self.put(me, lp("beats"), *(self.versions.iri(n.id) for n in dict.fromkeys((*beaten, *carved))))
        self.put(me, lp("narrowerThan"), *(self.versions.iri(n) for n in self.wider.get(norm.id, ())))
        cited = [*norm.cites, *(name for name in norm.over if name not in self.named)]
        self.put(me, lp("citesRule"), *map(self.text.rule, (*cited, *norm.needs)))
        self.put(me, lp("needsRule"), *map(self.text.rule, norm.needs))
        named = [*norm.over, *norm.cites, *norm.needs, *(r for u in norm.unless for r in u.cites)]
        self.put(home, lp("refersTo"), *(to for to in map(self.text.rule, named) if to != home))

    def conditions(self, me: URIRef, norm: m.Norm, focus: URIRef, section: m.Section) -> None:
        """The classes of what a norm asks for and of what each exception frees, and the exceptions themselves."""
        translation = NormTranslation(self.vocabulary, self.graph, me)
        passages = {e.label for s in section.sentences for e in s.exceptions}
        parts: list[Node] = [focus]
        if not isinstance(norm.when, m.Anything):
            when = URIRef(f"{me}#when")
            translation.define(when, norm.when)
            self.put(me, lp("hasCondition"), when)
            parts.append(when)
        for unless in norm.unless:
            clause = URIRef(iris.clause(me, "unless", unless.label))
            condition = URIRef(f"{clause}-condition")
            translation.define(condition, unless.condition)
            self.clause(me, clause, "ActException", unless.label, unless.condition, condition, focus)
            self.put(clause, lp("citesRule"), *map(self.text.rule, unless.cites))
            parts.append(translation.class_(OWL.complementOf, condition))
            if unless.label in passages:
                self.encode(clause, norm.rule, unless.label)
        for label, carve, taken, base in translation.carved:
            clause = URIRef(str(taken).removesuffix("-condition"))
            self.clause(me, clause, "KindException", label, carve, taken, base)
            if label in passages:
                self.encode(clause, norm.rule, label)
        for label in excepted(getattr(norm.head, "value", None)):
            if label in passages:
                self.encode(me, norm.rule, label)
        whole = URIRef(f"{me}#situation")
        self.put(me, lp("hasSituation"), whole)
        self.put(whole, RDF.type, OWL.Class, lp("Condition"))
        same = translation.class_(OWL.intersectionOf, translation.list_(parts)) if len(parts) > 1 else focus
        self.put(whole, OWL.equivalentClass, same)

    def clause(
        self, me: URIRef, clause: URIRef, kind: str, label: str, of: m.Condition, condition: URIRef, modified: URIRef
    ) -> None:
        """Writes an exception of a norm: its kind, label and condition, and what it takes away from."""
        self.put(me, lp("hasException"), clause)
        self.put(clause, RDF.type, lp(kind))
        self.put(clause, lp("hasCondition"), condition)
        if modified != OWL.Thing:
            self.put(clause, lp("modifies"), modified)
        self.put(clause, lp("expression"), plain(str(of)))
        if label:
            self.put(clause, lp("clauseLabel"), plain(label))
        self.uses(clause, names_in(of))

    def uses(self, me: URIRef, named: Iterable[str]) -> None:
        """Says which terms a norm speaks of; names that are no terms are left out."""
        known = (n for n in sorted(named) if n in self.vocabulary.classes or n in self.vocabulary.properties)
        self.put(me, lp("usesTerm"), *map(self.text.term, known))


def excepted(node: object) -> Iterator[str]:
    """The labels of the exceptions within a number that a norm sets, adds or changes: carved out of what is counted or added up."""
    if isinstance(node, m.Except) and node.label:
        yield node.label
    yield from (label for part in m.made_of(node) for label in excepted(part))


def kind_of(head: m.Head) -> str:
    """The class of norms that a head makes."""
    match head:
        case m.Deontic(mode, _):
            return DEONTIC[mode]
        case m.QuantityHead(op, _, _, _, _):
            return QUANTITY[op]
        case m.CountsAs():
            return "ClassificationNorm"
        case m.Relates():
            return "RelationNorm"
    return "EffectNorm"


def concludes(head: m.Head) -> str:
    """The class, relation or quantity that a head asserts; "" for a deontic one."""
    match head:
        case m.CountsAs(_, target, _):
            return target
        case m.Relates(_, role, _, _):
            return role
        case m.QuantityHead(_, quantity, _, _, _):
            return quantity
        case m.Effect():
            return head.term
        case m.Change():
            return head.quantity
        case m.Link():
            return head.role
    return ""


def terms_of(norm: m.Norm) -> set[str]:
    """Every term that a norm's head, condition and exceptions name."""
    head = norm.head
    event = m.trigger_of(head) if isinstance(head, m.OnEvent) else ""
    found = {m.subject_of(head), concludes(head), event} - {""}
    found |= names_in(getattr(head, "to", None)) | names_in(getattr(head, "path", None))
    found |= names_in(getattr(head, "value", None)) | names_in(norm.when)
    for unless in norm.unless:
        found |= names_in(unless.condition)
    return found | {ending.event for ending in norm.until} | names_in(norm.until)


def expression(norm: m.Norm) -> str:
    """A norm in the rule language, without its id."""
    rows = [str(norm.head)]
    if not isinstance(norm.when, m.Anything):
        rows.append(f"when {norm.when}")
    for unless in norm.unless:
        cites = f"  [{', '.join(unless.cites)}]" if unless.cites else ""
        rows.append(f"unless {unless.label}: {unless.condition}{cites}")
    clauses = {"over": norm.over, "cites": norm.cites, "needs": norm.needs, "until": norm.until}
    rows += [f"{word} {', '.join(map(str, value))}" for word, value in clauses.items() if value]
    singles = {"excepts": norm.excepts, "reading": norm.reading}
    return "\n".join([*rows, *(f"{word} {value}" for word, value in singles.items() if value)])
