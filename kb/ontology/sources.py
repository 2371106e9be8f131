"""The ontology's files, the part of them that each book sees, and the faults that keep them from being classified.

A book's policy names its namespaces; `tactics` and `core` are files of these names, any other namespace is a folder. A
book that has a folder of terms but no policy yet sees its own folder, `tactics` and `core`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml
from rdflib import OWL, RDF, RDFS, XSD, Graph, Literal, URIRef
from rdflib.exceptions import ParserError
from rdflib.plugins.parsers.notation3 import BadSyntax
from rdflib.term import Node

from kb import resources, yaml_document
from kb.errors import NOWHERE, LoopholeError, Place, Problem, did_you_mean
from kb.ontology.turtle import BASE, curie, local, prefix_of

SHARED = ("tactics", "core")
NOT_TERMS = ("README.md", "NOTES.md")  # every other Markdown file is of tables of terms
_APART = {"shapes.ttl"}  # SHACL, not part of any vocabulary
_KINDS = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, OWL.NamedIndividual)
# The datatypes of the OWL 2 datatype map that a quantity may have.
NUMBERS = (XSD.integer, XSD.decimal, XSD.nonNegativeInteger, XSD.positiveInteger, XSD.int, XSD.long)
DATATYPES = {*NUMBERS, XSD.boolean, XSD.string, XSD.anyURI, XSD.dateTime, RDFS.Literal, RDF.PlainLiteral}
_COUNTING = (
    OWL.cardinality, OWL.minCardinality, OWL.maxCardinality,
    OWL.qualifiedCardinality, OWL.minQualifiedCardinality, OWL.maxQualifiedCardinality,
)  # fmt: skip


@dataclass(frozen=True)
class Source:
    """One Turtle file: its path below the ontology folder, its text with \\n line ends, its triples.

    table: the text of the file of terms that it is built from, "" for one written by hand.
    """

    name: str
    text: str
    graph: Graph
    root: str = "ontology"
    table: str = ""

    @property
    def namespace(self) -> str:
        """The IRI that the file's own terms begin with."""
        first = self.name.partition("/")[0]
        return f"{BASE}{first.removesuffix('.ttl')}#"

    def place(self, node: Node) -> Place:
        """Where a term is described: its row, in a file that is built from tables; else the file's first line."""
        short = curie(str(node))
        file = f"{self.root}/{self.name.removesuffix('.ttl')}.md"
        rows = [(i, line) for i, line in enumerate(self.table.splitlines(), 1) if line.startswith("|")]
        for form in (r"\|\s*%s\s*\|", r"\|.*(?<![\w:-])%s(?![\w-])"):
            for number, line in rows:
                if found := re.match(form % re.escape(local(node)), line):
                    return Place(file, number, found.end() - len(local(node)) + 1 if ".*" in form else 3)
        if self.table:
            return Place(file, 1)
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(re.escape(short) + r"(?![\w-])", line):
                return Place(f"{self.root}/{self.name}", number)
        for number, line in enumerate(self.text.splitlines(), 1):
            if found := re.search(r"(?<![\w:-])" + re.escape(short) + r"(?![\w-])", line):
                return Place(f"{self.root}/{self.name}", number, found.start() + 1)
        return Place(f"{self.root}/{self.name}", 1)


@dataclass(frozen=True)
class Scope:
    """What one book sees: its namespaces, first wins, and the files that describe them, by name."""

    book: str
    namespaces: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def graph(self) -> Graph:
        """All sources of the scope in one graph."""
        return merge(self.sources)

    def iris(self) -> tuple[str, ...]:
        """The namespaces whose terms are the scope's own."""
        return tuple(f"{BASE}{name}#" for name in self.namespaces)

    def source_of(self, node: Node) -> Source | None:
        """The file that declares a term."""
        return next((s for s in self.sources if (node, RDF.type, None) in s.graph), None)

    def place(self, node: Node) -> Place:
        """Where a term stands in its file; nowhere for one that no source has."""
        source = self.source_of(node) or next((s for s in self.sources if (node, None, None) in s.graph), None)
        return source.place(node) if source else NOWHERE


def read(folder: Path, root: str = "ontology") -> list[Source]:
    """Every Turtle file of the ontology, by name; root: what the folder is called in messages.

    Raises LoopholeError (E701) naming each that does not parse.
    """
    sources: list[Source] = []
    problems: list[Problem] = []
    for path in sorted(folder.rglob("*.ttl")):
        name = path.relative_to(folder).as_posix()
        if name in _APART or name.startswith("inferred/"):
            continue
        text = path.read_text(encoding="utf-8")
        try:
            table = path.with_suffix(".md")
            rows = table.read_text(encoding="utf-8") if table.is_file() and table.name not in NOT_TERMS else ""
            sources.append(Source(name, text, _triples(text), root, rows))
        except BadSyntax as error:
            line = text.splitlines()[error.lines : error.lines + 1]
            place = Place(f"{root}/{name}", error.lines + 1)
            problems.append(Problem(701, f"not Turtle: {error._why}", place, _syntax_hint(error._why), "".join(line)))
        except (ParserError, ValueError) as error:
            problems.append(Problem(701, f"not Turtle: {error}", Place(f"{root}/{name}", 1), "mend the syntax"))
    if problems:
        raise LoopholeError(problems)
    return sources


@lru_cache(maxsize=64)  # of more files than there are; nobody changes a source's graph
def _triples(text: str) -> Graph:
    """What a text of Turtle says. Raises BadSyntax, ParserError, ValueError."""
    return Graph().parse(data=text, format="turtle")


def merge(sources: Iterable[Source]) -> Graph:
    """All sources in one graph."""
    graph = Graph()
    for source in sources:
        for triple in source.graph:
            graph.add(triple)
    return graph


def scopes(sources: list[Source], rulebooks: Path) -> list[Scope]:
    """The scope of each book. Raises LoopholeError (E702) for a policy whose namespaces are not in the ontology."""
    found: dict[str, tuple[str, ...]] = {}
    for book in sorted({s.name.partition("/")[0] for s in sources if "/" in s.name}):
        found[book] = (book, *SHARED)
    for policy in sorted(rulebooks.glob("*/policy.yaml")):
        place = Place(_policy(rulebooks, policy.parent.name), 1)
        try:
            told = yaml_document.values(resources.read_text(policy, 702)) or {}
        except yaml.YAMLError as error:
            raise LoopholeError(Problem(702, f"this is not YAML: {error}", place, "mend it as this says")) from None
        names = told.get("namespaces") if isinstance(told, dict) else None
        if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
            raise LoopholeError(Problem(702, "no list of namespaces", place, "say namespaces: [game, tactics, core]"))
        found[policy.parent.name] = tuple(names)
    known = {s.name.partition("/")[0].removesuffix(".ttl") for s in sources}
    problems = [
        Problem(
            702,
            f"no namespace “{n}”",
            Place(_policy(rulebooks, book), 1),
            did_you_mean(n, sorted(known), "namespaces:"),
        )
        for book, names in found.items()
        for n in names
        if n not in known and n not in SHARED and n != book
    ]
    if problems:
        raise LoopholeError(problems)
    return [
        Scope(book, names, tuple(s for s in sources if s.name.partition("/")[0].removesuffix(".ttl") in names))
        for book, names in sorted(found.items())
    ]


def own_scopes(folder: Path, shipped: list[Source] | None = None) -> list[tuple[Scope, Path]]:
    """The scope of each of the reader's own books (LOOPHOLE_BOOKS), with the file that its classified terms go into.

    Such a book's terms are the Turtle files in its folder; it sees them, and whatever is shipped that its policy names.
    shipped: the files of the ontology, where they are read already.
    """
    sources = [*(shipped or read(resources.path("ontology"))), *read(folder, str(folder))]
    mine = {policy.parent.name for policy in folder.glob("*/policy.yaml")}
    return [(s, folder / s.book / "vocabulary.json") for s in scopes(sources, folder) if s.book in mine]


def all_scopes() -> list[Scope]:
    """The scope of each book, shipped or the reader's own. Raises LoopholeError as `read` and `scopes`."""
    shipped, own = read(resources.path("ontology")), resources.own()
    mine = own_scopes(own, shipped) if own is not None else []
    return [*scopes(shipped, resources.path("rulebooks")), *(scope for scope, _ in mine)]


def scope(book: str) -> Scope:
    """The scope of one book, shipped or the reader's own. Raises LoopholeError as `read` and `scopes`."""
    return next(s for s in all_scopes() if s.book == book)


def _policy(rulebooks: Path, book: str) -> str:
    """What a book's policy is called in messages: by its place in a checkout, or in full."""
    shipped = rulebooks.name == "rulebooks" and rulebooks.parent.name == "kb"
    return f"kb/rulebooks/{book}/policy.yaml" if shipped else str(rulebooks / book / "policy.yaml")


# ── faults ──────────────────────────────────────────────────────────────────────────────────────────────


def faults(scope: Scope) -> list[Problem]:
    """What keeps a scope from being classified: 703 undeclared, 704 foreign, 705 name twice, 706 mixed kinds,
    707 datatype outside OWL 2, 708 counting a property that is not simple, 709 a class label used twice."""
    graph = scope.graph
    found = [*_undeclared(scope, graph), *_twice(scope, graph), *_mixed(scope, graph), *_not_dl(scope, graph)]
    return [*found, *_label_twice(scope, graph)]


def _undeclared(scope: Scope, graph: Graph) -> Iterator[Problem]:
    declared = {str(s) for kind in _KINDS for s in graph.subjects(RDF.type, kind)}
    spellings = {curie(iri): iri for iri in declared}
    for source in scope.sources:
        used = {n for triple in source.graph for n in triple if isinstance(n, URIRef) and str(n).startswith(BASE)}
        for node in sorted(used):
            found = prefix_of(str(node))
            if found and str(node) not in declared:
                if found[1] in scope.iris():
                    message = f"{curie(str(node))} is used here but declared nowhere"
                    yield Problem(703, message, source.place(node), _nearest(str(node), spellings))
                else:
                    space = found[1].removeprefix(BASE).rstrip("#")
                    hint = "games never share terms: move it to tactics.ttl, or make a term of this game's own"
                    if space in SHARED:
                        hint = f"name {space} among the namespaces in the policy.yaml of {scope.book}"
                    says = "is not in the namespaces of the book" if space in SHARED else "belongs to another game"
                    yield Problem(704, f"{curie(str(node))} {says}", source.place(node), hint)
        here = {s for kind in _KINDS for s in source.graph.subjects(RDF.type, kind) if isinstance(s, URIRef)}
        for node in sorted(n for n in here if str(n).startswith(BASE) and not str(n).startswith(source.namespace)):
            message = f"{curie(str(node))} is declared in a file of another namespace"
            hint = f"declare it where it belongs, or call it {curie(source.namespace + local(node))}"
            yield Problem(704, message, source.place(node), hint)


def _syntax_hint(why: str) -> str:
    """What to do about a fault of Turtle: a prefix that is not bound names its line; most others are a missing sign."""
    prefix = re.match(r'Prefix "(\w+):" not bound', why)
    if prefix:
        name = {"tac": "tactics", "lp": "core"}.get(prefix[1], prefix[1])
        return f"put at the head of the file: @prefix {prefix[1]}: <{BASE}{name}#> ."
    return "each statement of a term ends in “;” and the last in “.”: look at this line and the one before"


def _nearest(iri: str, spellings: dict[str, str]) -> str:
    short = curie(iri)
    locals_ = {s.partition(":")[2]: s for s in spellings}
    if same := locals_.get(short.partition(":")[2]):
        return f"did you mean {same}?"
    return did_you_mean(short, spellings) or "declare it, with a label and a definition"


def _twice(scope: Scope, graph: Graph) -> Iterator[Problem]:
    seen: dict[str, Node] = {}
    for node in sorted(terms(graph, scope.iris()), key=lambda n: (scope.iris().index(_namespace(n)), str(n))):
        name = local(node)
        if name in seen:
            message = f"{curie(str(node))} has the same name as {curie(str(seen[name]))}"
            hint = "a name is used once in a game: rename one"
            yield Problem(705, message, scope.place(seen[name]), hint, other=scope.place(node))
        seen.setdefault(name, node)


def _label_twice(scope: Scope, graph: Graph) -> Iterator[Problem]:
    """Cases and searches name a class by its label: the second of two would never be meant."""
    seen: dict[str, URIRef] = {}
    classes = set(graph.subjects(RDF.type, OWL.Class))
    for node in terms(graph, scope.iris()):
        label = text_of(graph, node, RDFS.label)
        if node not in classes or not label:
            continue
        first = seen.setdefault(label.casefold(), node)
        if first != node:
            message = f"{curie(str(first))} and {curie(str(node))} are both called “{label}”"
            hint = "give one of them another label: cases name a class by it"
            yield Problem(709, message, scope.place(node), hint, other=scope.place(first))


def _mixed(scope: Scope, graph: Graph) -> Iterator[Problem]:
    for node in terms(graph, scope.iris()):
        kinds = sorted(curie(str(k)) for k in _KINDS[:4] if (node, RDF.type, k) in graph)
        if len(kinds) > 1:
            message = f"{curie(str(node))} is declared as {' and '.join(kinds)}"
            yield Problem(706, message, scope.place(node), "choose one")


def _not_dl(scope: Scope, graph: Graph) -> Iterator[Problem]:
    for node in sorted(s for s in graph.subjects(RDF.type, OWL.DatatypeProperty) if isinstance(s, URIRef)):
        for kind in graph.objects(node, RDFS.range):
            if isinstance(kind, URIRef) and kind not in DATATYPES:
                hint = "use one of " + ", ".join(sorted(curie(str(d)) for d in DATATYPES))
                message = f"{curie(str(node))} has the range {curie(str(kind))}, which OWL 2 does not know"
                yield Problem(707, message, scope.place(node), hint)
    compound = not_simple(graph)
    marks = (OWL.FunctionalProperty, OWL.InverseFunctionalProperty, OWL.AsymmetricProperty, OWL.IrreflexiveProperty)
    counted = [(p, f"marked {curie(str(m))}") for m in marks for p in graph.subjects(RDF.type, m)]
    for restriction, p in graph.subject_objects(OWL.onProperty):
        if any((restriction, count, None) in graph for count in _COUNTING):
            counted.append((p, "counted (min, max, exactly)"))
    for p, how in counted:
        if isinstance(p, URIRef) and p in compound:
            hint = "drop the mark or the count, or put the chain on a property of its own above this one"
            message = f"{curie(str(p))} is {how} but has a chain or a transitive part, which OWL 2 DL bars"
            yield Problem(708, message, scope.place(p), hint)


def not_simple(graph: Graph) -> set[Node]:
    """The object properties that OWL 2 DL lets nobody count: implied by a chain or a transitive property."""
    found: set[Node] = set(graph.subjects(RDF.type, OWL.TransitiveProperty))
    found |= set(graph.subjects(OWL.propertyChainAxiom, None))
    grown = True
    while grown:
        more = {o for s in found for o in graph.objects(s, RDFS.subPropertyOf)}
        more |= {o for s in found for o in graph.objects(s, OWL.inverseOf)}
        more |= {o for s in found for o in graph.subjects(OWL.inverseOf, s)}
        more |= {o for s in found for o in graph.objects(s, OWL.equivalentProperty)}
        grown = not more <= found
        found |= more
    return found


def terms(graph: Graph, namespaces: Iterable[str]) -> list[URIRef]:
    """The classes and properties of these namespaces, by IRI; annotation properties are not among them."""
    spaces = set(namespaces)
    kinds = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
    found = {s for kind in kinds for s in graph.subjects(RDF.type, kind) if isinstance(s, URIRef)}
    return sorted(s for s in found if _namespace(s) in spaces)


def text_of(graph: Graph, node: Node, predicate: str | URIRef) -> str:
    """The first literal of a predicate, "" without one."""
    return min((str(o) for o in graph.objects(node, URIRef(predicate)) if isinstance(o, Literal)), default="")


def _namespace(node: Node) -> str:
    text = str(node)
    return text[: text.rfind("#") + 1]
