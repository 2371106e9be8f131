"""The graph as files of every kind that the world of linked data reads. The same books give the same bytes.

ttl rdf ofn jsonld nt    one ontology, with one header (kb.graph.one_ontology)
nq trig                  the named graphs
legalruleml skos         the norms; a glossary
prov                     proofs of cases

python -m kb.graph.export context    write ontology/context.jsonld anew, after a change of the core
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, URIRef

from kb import asking, errors, registry, resources
from kb.cases.casebook import Written
from kb.errors import CaseError, Problem, QueryError
from kb.graph import dataset, legalruleml, skos
from kb.graph.blank_nodes import labels, ntriples, written
from kb.graph.one_ontology import joined, merged
from kb.graph.proofs import graph_of
from kb.graph.version import kept
from kb.language import iris
from kb.ontology import sources
from kb.ontology.functional_syntax import document
from kb.ontology.turtle import LP, canonical, curie

CONTEXT = "context.jsonld"
HEAD = ("# Loophole: rules of tabletop wargames as one graph. docs/graph.md tells what is in it.",)


def of_format(name: str, book: str = "", cases: bool = True) -> str:
    """The graph in one format, as text, kept until what it is made from changes. Raises QueryError for a format there is none of, CaseError for a book."""
    if book:
        registry.vocabulary(book)
    if name not in FORMATS:
        hint = errors.did_you_mean(name, FORMATS, "formats:")
        raise QueryError(Problem(960, f"there is no format “{name}”", hint=hint))
    what = f"export-{name}-{book or 'all'}-{'cases' if cases else 'bare'}"
    return kept(what, "txt", lambda: FORMATS[name](book, cases).encode()).decode()


def whole(book: str, cases: bool) -> Graph:
    """One ontology, in which blank nodes and the order of triples are always the same."""
    return steady(joined(dataset.parts(book, cases)))


def steady(found: Graph) -> Graph:
    """A copy in which blank nodes are named after what they say, so that it is always written the same."""
    made = Graph()
    for prefix, namespace in dataset.prefixes().items():
        made.bind(prefix, namespace, replace=True)
    rows = list(found)
    names = labels(rows)
    named = {node: BNode(f"b{name}") for node, name in names.items()}
    for s, p, o in sorted(rows, key=lambda row: [written(n, names) for n in row]):
        made.add((named.get(s, s), p, named.get(o, o)))
    return made


def turtle(book: str, cases: bool) -> str:
    """Turtle, in an order of its own that never changes."""
    # The writer puts everything in order itself, so blank nodes need no steady names here.
    return canonical(merged(dataset.parts(book, cases)), HEAD, short(registry.books() if not book else [book]))


def short(books: Iterable[str]) -> dict[str, str]:
    """Prefixes for the rules and norms of books: `asl-rule:B30.42`."""
    kinds = ("rule", "norm", "chapter", "erratum")
    found = {f"{iris.BASE}{kind}/{book}/": f"{book}-{kind}" for book in books for kind in kinds}
    return found | {f"{iris.book(book)}#": f"{book}-book" for book in books}


def rdf_xml(book: str, cases: bool) -> str:
    """RDF/XML."""
    return whole(book, cases).serialize(format="xml")


def functional_syntax(book: str, cases: bool) -> str:
    """OWL 2 functional syntax."""
    return document(joined(dataset.parts(book, cases)))


def n_triples(book: str, cases: bool) -> str:
    """N-Triples, sorted."""
    return "".join(ntriples(joined(dataset.parts(book, cases))))


def n_quads(book: str, cases: bool) -> str:
    """N-Quads, sorted."""
    return dataset.nquads(book).decode() if cases else "".join(dataset.lines(dataset.parts(book, False)))


def trig(book: str, cases: bool) -> str:
    """The named graphs one after the other, each in canonical Turtle between braces."""
    prefixes: dict[str, None] = {}
    bodies = []
    for name, found in sorted(dataset.parts(book, cases).items()):
        asked = Graph()
        for triple in found:
            asked.add(triple)
        lines = canonical(asked, (), short(registry.books())).splitlines()
        prefixes |= dict.fromkeys(line for line in lines if line.startswith("@prefix"))
        body = "\n".join(line for line in lines if not line.startswith("@prefix")).strip("\n")
        bodies.append(f"<{name}> {{\n{body}\n}}\n")
    return "\n".join([*HEAD, *sorted(prefixes), "", *bodies])


# ── JSON-LD ─────────────────────────────────────────────────────────────────────────────────────────────


def json_ld(book: str, cases: bool) -> str:
    """JSON-LD by the context that is published."""
    text = whole(book, cases).serialize(format="json-ld", context=context()["@context"], sort_keys=True, indent=1)
    data = json.loads(text)
    rows = data.get("@graph", [])
    rows.sort(key=lambda row: str(row.get("@id", "")))
    return json.dumps({"@context": context()["@context"], "@graph": [ordered(r) for r in rows]}, ensure_ascii=False)


def ordered(value: Any) -> Any:
    """JSON whose lists of values, which stand in no order, stand in the order of their letters."""
    if isinstance(value, dict):
        return {k: v if k == "@list" else ordered(v) for k, v in sorted(value.items())}
    if isinstance(value, list):
        return sorted(map(ordered, value), key=lambda v: json.dumps(v, sort_keys=True))
    return value


@lru_cache(maxsize=1)
def context() -> dict[str, Any]:
    """The JSON-LD context: every prefix, and the terms of the core by their names."""
    core = next(s.graph for s in sources.read(resources.path("ontology")) if s.name == "core.ttl")
    terms: dict[str, Any] = dict(sorted(dataset.prefixes().items()))
    for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty):
        for node in sorted(map(str, core.subjects(RDF.type, kind))):
            if not node.startswith(LP):
                continue
            name, ranges = node.removeprefix(LP), set(core.objects(URIRef(node), RDFS.range))
            typed = (
                "@id" if kind == OWL.ObjectProperty else next((curie(str(r)) for r in ranges if r != XSD.string), "")
            )
            plain = kind in (OWL.Class, OWL.AnnotationProperty) or not typed
            terms[name] = f"lp:{name}" if plain else {"@id": f"lp:{name}", "@type": typed}
    return {"@context": terms}


def context_text() -> str:
    """The context as it stands in the file."""
    return json.dumps(context(), indent=1, sort_keys=True) + "\n"


# ── proofs ──────────────────────────────────────────────────────────────────────────────────────────────


def proofs(cases: Iterable[Written], flips: bool = False, **under: Any) -> Graph:
    """The proofs of cases in one graph: a set of rulings to be asked. `under`: as kb.asking.ask takes it.

    Raises CaseError for those that are no cases.
    """
    found = Graph()
    problems: list[Problem] = []
    for case in cases:
        try:
            for triple in graph_of(asking.ask(case, **under), flips):
                found.add(triple)
        except CaseError as error:
            problems += error.problems
    if problems:
        raise CaseError(problems)
    return found


def proofs_text(cases: Iterable[Written], flips: bool = False, **under: Any) -> str:
    """The proofs of cases as Turtle. Raises CaseError."""
    return canonical(proofs(cases, flips, **under), HEAD, short(registry.books()))


FORMATS: Mapping[str, Callable[[str, bool], str]] = {
    "ttl": turtle, "rdf": rdf_xml, "ofn": functional_syntax, "jsonld": json_ld, "nt": n_triples, "nq": n_quads,
    "trig": trig, "legalruleml": lambda book, _: legalruleml.of_books(book), "skos": lambda book, _: skos.of_books(book),
}  # fmt: skip


def main(args: list[str]) -> int:
    """`context` writes the JSON-LD context. Returns the exit code."""
    if args != ["context"]:
        print("python -m kb.graph.export context", file=sys.stderr)
        return 2
    (resources.path("ontology") / CONTEXT).write_text(context_text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
