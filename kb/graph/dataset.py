"""Everything as one graph: ontology, rulebooks, norms, errata, cases, in named graphs. docs/graph.md names what is there.

of_books()        rdflib.Dataset of every book
nquads()          the same as N-Quads, sorted, kept on disk by a hash of what it is made from (kb.graph.version)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph
from oxrdflib import OxigraphStore
from rdflib import OWL, RDF, Dataset, Graph, URIRef

from kb import asking, registry
from kb.cases import casebook
from kb.errata import checks
from kb.errors import LoopholeError
from kb.graph import errata
from kb.graph.blank_nodes import Bag, ntriples
from kb.graph.cases import CaseWriter
from kb.graph.norms import NormWriter
from kb.graph.texts import TextWriter
from kb.graph.version import case_files, kept
from kb.graph.void import describe
from kb.language import iris
from kb.ontology import sources as sources_

Named = dict[str, Graph]


def of_books(book: str = "") -> Dataset:
    """Every book, or one, with the ontology it sees, in Oxigraph's store. A new Dataset each time, for the caller to keep.

    A query is put to the union of its named graphs. Raises CaseError for a book there is none of, RulebookError.
    """
    store = pyoxigraph.Store()
    store.bulk_load(nquads(book), format=pyoxigraph.RdfFormat.N_QUADS)
    data = Dataset(store=OxigraphStore(store=store), default_union=True)
    for prefix, namespace in prefixes().items():
        data.bind(prefix, namespace, replace=True)
    return data


def parts(book: str = "", with_cases: bool = True) -> Named:
    """The named graphs, by IRI: what everything here is written from. They can be read through, not asked."""
    books = [book] if book else registry.books()
    found: Named = dict(ontology_graphs(books))
    for name in books:
        found |= of_book(name)
        if with_cases:
            found[iris.graph(name, "cases")] = cases(name)
    found[iris.graph("description")] = describe(found, books)
    return {name: graph for name, graph in found.items() if len(graph)}


def ontology_graphs(books: Iterable[str]) -> Iterator[tuple[str, Graph]]:
    """Each file of the ontology that the books see, by its ontology IRI."""
    wanted = set(books)
    seen = (scope for scope in sources_.all_scopes() if scope.book in wanted)
    for source in {(s.root, s.name): s for scope in seen for s in scope.sources}.values():
        named = [str(o) for o in source.graph.subjects(RDF.type, OWL.Ontology) if isinstance(o, URIRef)]
        yield (named or [source.namespace.rstrip("#")])[0], source.graph


def of_book(name: str) -> Named:
    """One rulebook: a graph for each edition of its chapters, one for what they share, one for its errata."""
    book, vocabulary = registry.book(name), registry.vocabulary(name)
    ledger = checks.ledger(name)
    common, changes = Bag(), Bag()
    found: Named = {iris.graph(name): common, iris.graph(name, "errata"): changes}
    # The text as encoded is under the errata that its base holds; none is put in or taken out.
    base = errata.Versions.of(ledger, (r.id for r in ledger.records if r.changes and ledger.in_base(r)), ())
    for chapter in book.chapters:
        graph = found.setdefault(iris.graph(name, chapter.edition or "unnamed"), Bag())
        text = TextWriter(graph, common, book, vocabulary)
        norms = NormWriter(text, base, registry.narrower(name))
        text.chapter(chapter)
        for section in chapter.sections:
            for norm in section.norms:
                norms.norm(norm, section, chapter.edition)
    TextWriter(common, common, book, vocabulary).whole()
    errata.write(changes, ledger, (n.id for c in book.chapters for s in c.sections for n in s.norms))
    for record in ledger.records:
        if record.changes:
            changed_norms(changes, common, name, record.id)
    return found


def changed_norms(changes: Graph, common: Graph, name: str, record_id: str) -> None:
    """The norms that a record words otherwise than the text encoded does, each under the name of its version."""
    ledger = checks.ledger(name)
    record = ledger.record(record_id)
    assert record is not None
    try:
        book = registry.book(name, (record_id,))
    except LoopholeError:
        return  # a record with a fault changes nothing; `loophole check` tells it
    held = [] if ledger.in_base(record) else [record_id]
    versions = errata.Versions.of(ledger, held, (record_id,))
    writer = NormWriter(TextWriter(changes, common, book, registry.vocabulary(name)), versions)
    edition = record.first if ledger.index(record.first) >= 0 else ledger.base
    for chapter in book.chapters:
        for section in chapter.sections:
            for norm in section.norms:
                if norm.id in versions.named:
                    writer.norm(norm, section, edition)


def cases(book: str) -> Graph:
    """The examples, and in a checkout the cases of the tests, of one book; those that do not read are left out."""
    graph = Bag()
    writer = CaseWriter(graph, registry.vocabulary(book))
    for file in case_files():
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if f"book: {book}" not in text and f'"{book}"' not in text:
            continue
        for written in casebook.in_text(text, str(file)):
            try:
                case = asking.case(written)
            except LoopholeError:
                continue
            if case.book == book:
                writer.add(case)
    return graph


def prefixes() -> dict[str, str]:
    """The prefixes that every query and file may use."""
    own = {"core": "lp", "tactics": "tac"}
    namespaces = {s.namespace for scope in sources_.all_scopes() for s in scope.sources}
    named = {n.removeprefix(iris.BASE).rstrip("#"): n for n in sorted(namespaces)}
    return {own.get(name, name): namespace for name, namespace in named.items()} | {
        "dcat": "http://www.w3.org/ns/dcat#",
        "dcterms": "http://purl.org/dc/terms/",
        "owl": str(OWL),
        "prov": "http://www.w3.org/ns/prov#",
        "rdf": str(RDF),
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "sh": "http://www.w3.org/ns/shacl#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "void": "http://rdfs.org/ns/void#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }


# ── kept on disk ────────────────────────────────────────────────────────────────────────────────────────


def nquads(book: str = "") -> bytes:
    """The graph as sorted N-Quads, kept in a file of the user's cache folder until what it is made from changes."""
    return kept(f"graph-{book or 'all'}", "nq", lambda: "".join(lines(parts(book))).encode())


def lines(found: Named) -> list[str]:
    """The named graphs as N-Quads, one line a quad, in the order of the graphs and then of the letters."""
    return [line for name, graph in sorted(found.items()) for line in ntriples(graph, f" <{name}> .\n")]
