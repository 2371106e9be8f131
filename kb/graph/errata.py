"""Errata, rulings and editions as RDF, and which erratum makes a norm read as it does under an edition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rdflib import DCTERMS, PROV, RDF, Graph, Literal, URIRef

from kb.errata import checks
from kb.graph.cases import in_english, lp, plain
from kb.language import iris
from kb.reasoner.proof import Proof
from kb.rulebook import records as e


@dataclass(frozen=True)
class Versions:
    """How the norms of one theory are called.

    in_force: IRIs of the errata in force. by: norm id → erratum that words it. named: norm id → name of its version,
    for norms whose wording is not the encoded one.
    """

    book: str
    in_force: tuple[str, ...] = ()
    by: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_proof(cls, proof: Proof) -> Versions:
        """The versions under which a proof was made; those of the text as encoded where it names no edition."""
        under, book = proof.edition, proof.theory.book
        return cls(book) if under is None else cls.of(checks.ledger(book), under.errata, under.toggled)

    @classmethod
    def of(cls, ledger: e.Ledger, in_force: Iterable[str], toggled: Iterable[str]) -> Versions:
        """The versions where these errata are in force, of which `toggled` are not as encoded."""
        held, turned = set(in_force), set(toggled)
        by: dict[str, str] = {}
        named: dict[str, str] = {}
        for record in ledger.records:
            if record.id in held:
                for name in worded(record, record.id not in turned):
                    by[name] = record.id
                    if record.id in turned:
                        named[name] = record.id
            elif record.id in turned:
                named |= {n.id: f"before-{record.id}" for part in record.side(e.BEFORE) for n in part.norms}
        names = tuple(iris.erratum(ledger.book, r.id) for r in ledger.records if r.id in held)
        return cls(ledger.book, names, by, named)

    def iri(self, norm_id: str) -> URIRef:
        """The IRI of a norm as it is worded under these errata."""
        return URIRef(iris.norm(self.book, norm_id, self.named.get(norm_id, "")))

    def erratum(self, norm_id: str) -> str:
        """The id of the erratum that words a norm, "" without one."""
        return self.by.get(norm_id, "")


def worded(record: e.Record, as_encoded: bool) -> set[str]:
    """The norms that read as they do because of a record: those it adds, and those it writes another way."""
    side = e.BEFORE if as_encoded else e.AFTER  # of a change that is encoded, the other side is written out
    return {*record.adds, *(n.id for part in record.side(side) for n in part.norms)}


def is_ruling(record: e.Record) -> bool:
    """Whether a record explains what the rules say, and changes nothing."""
    return record.kind in e.RULINGS and not record.changes


def record_iri(record: e.Record) -> str:
    """The IRI of an erratum or a ruling."""
    return (iris.ruling if is_ruling(record) else iris.erratum)(record.book, record.id)


def write(graph: Graph, ledger: e.Ledger, encoded: Iterable[str]) -> None:
    """A book's editions and records. encoded: the ids of the norms of the text as encoded."""
    book = ledger.book
    base = set(encoded)
    known = {r.id: r for r in ledger.records}
    before = ""
    for n, row in enumerate(ledger.editions, 1):
        me = URIRef(iris.edition(book, row.id))
        graph.add((me, RDF.type, lp("Edition")))
        graph.add((me, lp("editionOf"), URIRef(iris.book(book))))
        graph.add((me, lp("rank"), Literal(n)))
        graph.add((me, DCTERMS.identifier, plain(row.id)))
        graph.add((me, DCTERMS.title, in_english(row.title)))
        if row.published != e.UNDETERMINED:
            graph.add((me, DCTERMS.issued, plain(row.published)))
        if before:
            graph.add((me, PROV.wasRevisionOf, URIRef(iris.edition(book, before))))
        before = row.id
    for record in ledger.records:
        put_record(graph, record, ledger, base, known)


def put_record(graph: Graph, record: e.Record, ledger: e.Ledger, base: set[str], known: dict[str, e.Record]) -> None:
    """Puts a record into the graph. base: ids that the encoded text includes; known: all records by id."""
    me, book = URIRef(record_iri(record)), record.book
    ruling = is_ruling(record)
    graph.add((me, RDF.type, lp("Ruling" if ruling else "Erratum")))
    graph.add((me, lp("inBook"), URIRef(iris.book(book))))
    graph.add((me, DCTERMS.identifier, plain(record.id)))
    graph.add((me, DCTERMS.title, in_english(record.title)))
    graph.add((me, lp("recordKind"), plain(record.kind)))
    graph.add((me, lp("recordStatus"), plain(record.status)))
    graph.add((me, DCTERMS.source, plain(record.source)))
    if record.published != e.UNDETERMINED:
        graph.add((me, DCTERMS.issued, plain(record.published)))
    for predicate, edition in (
        ("firstEdition", record.first), ("lastEdition", record.last), ("incorporatedIn", record.incorporated),
    ):  # fmt: skip
        if ledger.index(edition) >= 0 and not (ruling and predicate == "incorporatedIn"):
            graph.add((me, lp(predicate), URIRef(iris.edition(book, edition))))
    for rule in record.rules:
        cited = URIRef(iris.rule(book, rule))
        graph.add((me, lp("touchesRule"), cited))
        graph.add((cited, RDF.type, lp("CitedRule")))
        graph.add((cited, lp("ruleNumber"), plain(rule)))
        graph.add((cited, lp("inBook"), URIRef(iris.book(book))))
        if ruling:
            graph.add((me, lp("settles"), cited))
    for old in record.supersedes:
        if old in known:
            graph.add((me, lp("supersedes"), URIRef(record_iri(known[old]))))
    for text, predicate in ((record.question, "askedWords"), (record.answer, "answeredWords")):
        if text and ruling:
            graph.add((me, lp(predicate), plain(text)))
    if not ruling:
        as_encoded = ledger.in_base(record)
        for name in sorted(worded(record, as_encoded)):
            version = URIRef(iris.norm(book, name, "" if as_encoded else record.id))
            graph.add((me, lp("amends"), version))
            graph.add((version, lp("byErratum"), me))
            if name in base and not as_encoded:
                graph.add((me, lp("amends"), URIRef(iris.norm(book, name))))
                graph.add((version, PROV.wasRevisionOf, URIRef(iris.norm(book, name))))
        for name in record.removes:
            graph.add((me, lp("amends"), URIRef(iris.norm(book, name))))
