"""A rulebook's text as RDF, in our words: chapters, sections, sentences, exception passages, references, mentions.

Nothing of the publisher's wording is in it, for the project holds none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib import DCTERMS, RDF, RDFS, Graph, Literal, URIRef
from rdflib.term import Node

from kb.cases import casebook
from kb.graph.cases import EXTENTS, in_english, lp, plain
from kb.language import english, iris, norms as m
from kb.language.vocabulary import Vocabulary
from kb.rulebook.chapter_reader import exceptions, labels
from kb.texts import references
from kb.texts.mentions import Lexicon
from kb.texts.model import PAGE

CLOSED = "pointer: settled by the rule that it names"


class TextWriter:
    """Writes chapters of one book into a graph; what belongs to no chapter into `common`."""

    def __init__(self, graph: Graph, common: Graph, book: m.Book, vocabulary: Vocabulary):
        self.graph, self.common, self.book, self.vocabulary = graph, common, book, vocabulary
        self.lexicon = Lexicon.of(vocabulary)
        self.rules = {s.rule for c in book.chapters for s in c.sections}
        self.book_iri = URIRef(iris.book(book.id))

    def put(self, s: URIRef, predicate: URIRef, *objects: Node) -> None:
        """Adds a triple for each object, in the graph of the rule being written."""
        for o in objects:
            self.graph.add((s, predicate, o))

    def chapter(self, chapter: m.Chapter) -> None:
        """Writes a chapter with its sections, tables and norms."""
        me = URIRef(iris.chapter(self.book.id, chapter.id))
        edition = URIRef(iris.edition(self.book.id, chapter.edition))
        self.put(me, RDF.type, lp("Chapter"))
        self.put(me, DCTERMS.identifier, plain(chapter.id))
        self.put(me, DCTERMS.title, in_english(chapter.title))
        self.put(me, lp("inBook"), self.book_iri)
        self.put(me, lp("inEdition"), edition)
        self.put(me, lp("partOf"), self.book_iri)
        self.put(me, lp("hasAuthority"), URIRef(iris.of_book(self.book.id, "authority", chapter.authority)))
        self.put(me, lp("buildsOn"), *(URIRef(iris.chapter(self.book.id, c)) for c in chapter.builds_on))
        self.put(edition, RDF.type, lp("Edition"))
        self.put(edition, lp("editionOf"), self.book_iri)
        self.put(edition, DCTERMS.identifier, plain(chapter.edition))
        prefix = (re.match(r"[A-Z]*", chapter.id) or [""])[0]
        for n, section in enumerate(chapter.sections, 1):
            here = self.section(section, n, me, edition)
            for s in section.sentences:
                self.sentence(section, s, here, prefix)
        for table in chapter.tables:
            self.table(table)
        for n, row in enumerate(chapter.scope, 1):
            self.scope(URIRef(iris.scope_row(self.book.id, chapter.id, n)), row, me)

    def scope(self, me: URIRef, row: m.ScopeRow, chapter: URIRef) -> None:
        """Writes how far a chapter decides one term, as the chapter declares it."""
        self.put(chapter, lp("hasScopeRow"), me)
        self.put(me, RDF.type, lp("ScopeRow"))
        self.put(me, lp("decidesTerm"), self.term(row.term))
        self.put(me, lp("decidesHow"), lp(EXTENTS[row.kind]))
        self.put(me, lp("decidesWith"), *map(self.rule, row.refs))
        self.put(me, lp("suitsState"), *map(self.term, row.suits))
        self.put(me, lp("barsBy"), *map(self.rule, row.bars))
        if row.condition is not None:
            self.put(me, lp("whereCondition"), plain(str(row.condition)))
        if row.by:
            self.put(me, lp("leftBy" if row.kind == m.LEFT else "closedBy"), self.rule(row.by))
        if row.says or row.those:
            self.put(me, RDFS.comment, in_english(row.says or row.those))

    def section(self, section: m.Section, n: int, chapter: URIRef, edition: URIRef) -> URIRef:
        """Writes a section with its sentences. n: its place in the chapter. Returns its IRI."""
        me = self.rule(section.rule)
        self.put(me, RDF.type, lp("Section"))
        self.put(me, DCTERMS.title, in_english(section.title or section.rule))
        self.put(me, lp("partOf"), chapter)
        self.put(me, lp("inEdition"), edition)
        self.put(me, lp("ordinal"), Literal(n))
        return me

    def rule(self, number: str) -> URIRef:
        """A rule's IRI; the first time with its number, and whether its text is loaded."""
        rule = number.split("/")[0]
        me = URIRef(iris.rule(self.book.id, rule))
        graph = self.graph if rule in self.rules else self.common
        for predicate, o in (
            (RDF.type, lp("CitedRule")), (lp("ruleNumber"), plain(rule)), (lp("inBook"), self.book_iri),
            (lp("loaded"), Literal(rule in self.rules)),
        ):  # fmt: skip
            graph.add((me, predicate, o))
        return me

    # ── sentences ──

    def sentence(self, section: m.Section, s: m.Sentence, home: URIRef, prefix: str) -> None:
        """Writes one of our sentences: what it names, and why it is not encoded where it is not."""
        me = URIRef(iris.sentence(self.book.id, section.rule, s.number))
        text = english.sentence(s.text)
        self.put(me, RDF.type, lp("ExampleText" if s.example else "Sentence"))
        self.put(me, lp("partOf"), home)
        self.put(me, lp("ordinal"), Literal(s.number))
        self.put(me, lp("ownWords"), plain(text))
        if s.not_encoded:
            self.put(me, lp("notEncoded"), plain(s.not_encoded))
        told = map(casebook.parted, s.cases)
        self.put(me, lp("checkedBy"), *(URIRef(iris.case(self.book.id, file, name=name)) for file, name in told))
        kept = {e.label for e in s.exceptions}
        for exc in exceptions(s.text):
            passage = URIRef(iris.passage(self.book.id, section.rule, exc.label))
            self.put(passage, RDF.type, lp("ExceptionPassage"))
            self.put(passage, lp("partOf"), me)
            self.put(passage, lp("clauseLabel"), plain(exc.label))
            self.put(passage, lp("ownWords"), plain(english.sentence(exc.text)))
            if exc.to:
                self.put(passage, lp("carvesFrom"), *map(self.rule, exc.to))
                self.put(home, lp("refersTo"), *(to for to in map(self.rule, exc.to) if to != home))
            elif not exc.parent:
                self.put(passage, lp("carvesFrom"), me)
            if exc.parent:
                self.put(passage, lp("nestedIn"), URIRef(iris.passage(self.book.id, section.rule, exc.parent)))
            if exc.label not in kept:
                self.put(passage, lp("notEncoded"), plain(CLOSED))
            elif s.not_encoded and not any(exc.label in labels(n) for n in section.norms):
                self.put(passage, lp("notEncoded"), plain(s.not_encoded))
        self.pointers(me, text, home, prefix)
        self.mentions(me, text)

    def pointers(self, me: URIRef, text: str, home: URIRef, prefix: str) -> None:
        """Writes the cross references in a text."""
        found = [r for r in references.find(text, prefix) if r.status != PAGE]
        for n, r in enumerate(found, 1):
            node = URIRef(f"{me}-ref{n}")
            self.put(node, RDF.type, lp("CrossReference"))
            self.put(node, lp("partOf"), me)
            self.put(node, lp("ownWords"), plain(r.text))
            for number in filter(None, (r.rule, r.to)):
                to = self.rule(number)
                self.put(node, lp("pointsTo"), to)
                if to != home:
                    self.put(home, lp("refersTo"), to)

    def mentions(self, me: URIRef, text: str) -> None:
        """Writes the terms that a text names."""
        for n, mention in enumerate(self.lexicon.find(text), 1):
            node, term = URIRef(f"{me}-m{n}"), self.term(mention.term)
            self.put(node, RDF.type, lp("TermMention"))
            self.put(node, lp("partOf"), me)
            self.put(node, lp("ownWords"), plain(mention.text))
            self.put(node, lp("mentions"), term)
            self.put(me, DCTERMS.subject, term)

    def term(self, name: str) -> URIRef:
        """The IRI of a term. Raises KeyError for a name that is none."""
        return URIRef(self.vocabulary.term(name).iri)

    def table(self, table: m.Table) -> None:
        """Writes a table, row by row."""
        me = URIRef(iris.table(self.book.id, table.rule, table.name))
        self.put(me, RDF.type, lp("RuleTable"))
        self.put(me, DCTERMS.title, in_english(table.name))
        self.put(me, lp("partOf"), URIRef(iris.rule(self.book.id, table.rule)))
        rows = [table.columns, *table.rows]
        self.put(
            me,
            lp("expression"),
            plain("\n".join(" | ".join(c if isinstance(c, str) else english.shown(c) for c in row) for row in rows)),
        )

    # ── the book as a whole ──

    def whole(self) -> None:
        """The rulebook, its policy, and the readings of what it leaves open: into `common`."""
        self.graph, kept = self.common, self.graph
        book, policy = self.book, self.book.policy
        self.put(self.book_iri, RDF.type, lp("Rulebook"))
        self.put(self.book_iri, DCTERMS.identifier, plain(book.id))
        self.put(self.book_iri, DCTERMS.title, in_english(book.title))
        me = URIRef(iris.of_book(book.id, "policy"))
        self.put(me, RDF.type, lp("ResolutionPolicy"))
        self.put(me, lp("policyOf"), self.book_iri)
        for n, principle in enumerate(policy.principles, 1):
            node = URIRef(iris.of_book(book.id, "principle", principle.name))
            self.put(me, lp("hasPrinciple"), node)
            self.put(node, RDF.type, lp("Principle"))
            self.put(node, RDFS.label, in_english(principle.name))
            self.put(node, RDFS.comment, in_english(principle.says or principle.name))
            self.put(node, lp("rank"), Literal(n))
            if principle.cite:
                self.put(node, lp("citesRule"), self.rule(principle.cite))
        for n, authority in enumerate(policy.authorities, 1):
            node = URIRef(iris.of_book(book.id, "authority", authority))
            self.put(node, RDF.type, lp("Authority"))
            self.put(node, RDFS.label, in_english(authority))
            self.put(node, lp("rank"), Literal(n))
        for dispute, options in readings(book):
            node = URIRef(iris.of_book(book.id, "dispute", dispute))
            self.put(node, RDF.type, lp("Dispute"))
            self.put(node, RDFS.label, in_english(dispute))
            for n, option in enumerate(options):
                reading = URIRef(iris.of_book(book.id, "reading", dispute, option))
                self.put(reading, RDF.type, lp("Reading"))
                self.put(reading, RDFS.label, in_english(option))
                self.put(reading, lp("readingOf"), node)
                self.put(reading, lp("adopted"), Literal(n == 0))
        self.graph = kept


def readings(book: m.Book) -> Iterator[tuple[str, list[str]]]:
    """Each dispute with its options in the order of the files: the first is the one adopted."""
    found: dict[str, dict[str, None]] = {}
    for chapter in book.chapters:
        for section in chapter.sections:
            for norm in section.norms:
                if norm.reading:
                    dispute, _, option = norm.reading.partition(":")
                    found.setdefault(dispute, {})[option] = None
    yield from ((dispute, list(options)) for dispute, options in found.items())
