"""A query's answer as the W3C writes it down: JSON, XML, CSV or TSV for rows, Turtle or N-Triples for a graph."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from kb.triplestore.results import Table, Term

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE, N_TRIPLES = "text/turtle", "application/n-triples"
RDF_XML, JSON_LD = "application/rdf+xml", "application/ld+json"  # made by a worker: they need an RDF library
ROWS = (JSON, XML, CSV, TSV)
GRAPH = (TURTLE, N_TRIPLES, RDF_XML, JSON_LD)
NAMESPACE = "http://www.w3.org/2005/sparql-results#"
# XML 1.0 has no sign for these, escaped or not.
UNSAYABLE = dict.fromkeys([*range(0x20), 0xFFFE, 0xFFFF]) | {9: "\t", 10: "\n", 13: "\r"}


def written(found: Table, media: str) -> str:
    """The table in one of the forms that fit its kind."""
    match media:
        case "application/sparql-results+json":
            return json.dumps(found.json(), ensure_ascii=False)
        case "application/sparql-results+xml":
            return xml(found)
        case "text/csv":
            return found.csv()
        case "text/tab-separated-values":
            return tsv(found)
    return "".join(" ".join(turtle(t) for t in row) + " .\n" for row in found.rows)


def xml(found: Table) -> str:
    """SPARQL Query Results XML Format, second edition."""
    ET.register_namespace("", NAMESPACE)
    root = ET.Element(f"{{{NAMESPACE}}}sparql")
    head = ET.SubElement(root, f"{{{NAMESPACE}}}head")
    if found.kind == "ask":
        ET.SubElement(root, f"{{{NAMESPACE}}}boolean").text = "true" if found.yes else "false"
    else:
        for name in found.columns:
            ET.SubElement(head, f"{{{NAMESPACE}}}variable", name=name)
        results = ET.SubElement(root, f"{{{NAMESPACE}}}results")
        for row in found.rows:
            result = ET.SubElement(results, f"{{{NAMESPACE}}}result")
            for name, term in zip(found.columns, row, strict=True):
                if term is not None:
                    cell(ET.SubElement(result, f"{{{NAMESPACE}}}binding", name=name), term)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode")


def cell(binding: ET.Element, term: Term) -> None:
    """Puts a term into a binding of the XML results."""
    kind = {"iri": "uri", "literal": "literal", "bnode": "bnode"}[term.kind]
    found = ET.SubElement(binding, f"{{{NAMESPACE}}}{kind}")
    found.text = term.value.translate(UNSAYABLE)
    if term.lang:
        found.set("{http://www.w3.org/XML/1998/namespace}lang", term.lang)
    elif term.datatype:
        found.set("datatype", term.datatype)


def tsv(found: Table) -> str:
    """SPARQL 1.1 Query Results TSV."""
    if found.kind == "ask":
        return f"?yes\n{'true' if found.yes else 'false'}\n"
    lines = ["\t".join(f"?{name}" for name in found.columns)]
    lines += ["\t".join("" if t is None else turtle(t) for t in row) for row in found.rows]
    return "\n".join(lines) + "\n"


def turtle(term: Term | None) -> str:
    """A term in Turtle, blank nodes included."""
    assert term is not None
    return f"_:{term.value}" if term.kind == "bnode" else term.sparql()
