"""What a query answers: a table of RDF terms, and the W3C's ways to write it down (JSON, CSV). Knows no RDF library."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb import resources

BASE = "https://w3id.org/loophole/"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
STRING = XSD + "string"

# What every query may use without saying so, beside a prefix for each book. `w:` and its kin stand for things that are no terms.
COMMON: dict[str, str] = {
    "lp": BASE + "core#",
    "tac": BASE + "tactics#",
    "w": BASE,
    "book": BASE + "book/",
    "rule": BASE + "rule/",
    "norm": BASE + "norm/",
    "case": BASE + "case/",
    "graph": BASE + "graph/",
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": XSD,
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "prov": "http://www.w3.org/ns/prov#",
    "sh": "http://www.w3.org/ns/shacl#",
    "void": "http://rdfs.org/ns/void#",
}


def prefixes() -> dict[str, str]:
    """The prefixes that every query may use: the common ones, and one for the terms of each book, the reader's own too."""
    return {book: f"{BASE}{book}#" for book in resources.books()} | COMMON


@dataclass(frozen=True, slots=True)
class Term:
    """An RDF term. kind: "iri", "literal" or "bnode"; datatype: of a literal, "" for a plain string."""

    kind: str
    value: str
    datatype: str = ""
    lang: str = ""

    def sparql(self) -> str:
        """The term as SPARQL writes it. Raises ValueError for a blank node, or for an IRI that cannot be written."""
        if self.kind == "iri":
            if not self.value or any(c in '<>"{}|^`\\' or ord(c) <= 0x20 for c in self.value):
                raise ValueError(f"“{self.value}” is no IRI")
            return f"<{self.value}>"
        if self.kind == "bnode":
            raise ValueError("a blank node cannot be asked for")
        swap = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
        quoted = '"' + "".join(swap.get(c, c) for c in self.value) + '"'
        if self.lang:
            return f"{quoted}@{self.lang}"
        return f"{quoted}^^{Term('iri', self.datatype).sparql()}" if self.datatype else quoted

    def json(self) -> dict[str, str]:
        """The term as the W3C's JSON results write it."""
        kinds = {"iri": "uri", "literal": "literal", "bnode": "bnode"}
        out = {"type": kinds[self.kind], "value": self.value}
        if self.lang:
            out["xml:lang"] = self.lang
        elif self.datatype:
            out["datatype"] = self.datatype
        return out

    def __str__(self) -> str:
        return self.value


def term_of(row: Mapping[str, str]) -> Term:
    """A term from SPARQL's JSON results."""
    kind = {"uri": "iri", "literal": "literal", "typed-literal": "literal", "bnode": "bnode"}[row["type"]]
    datatype = row.get("datatype", "")
    return Term(kind, row["value"], "" if datatype == STRING else datatype, row.get("xml:lang", "").lower())


Row = tuple[Term | None, ...]


@dataclass(frozen=True)
class Table:
    """The answer of a SELECT, ASK or CONSTRUCT. more: rows were left out for a limit; seconds: how long it took.

    kind: "select", "ask" (yes is then set) or "graph" (the columns are subject, predicate, object).
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    kind: str = "select"
    yes: bool = False
    more: bool = False
    seconds: float = 0.0

    def json(self) -> dict[str, Any]:
        """SPARQL 1.1 Query Results JSON."""
        if self.kind == "ask":
            return {"head": {}, "boolean": self.yes}
        bindings = [{c: t.json() for c, t in zip(self.columns, r, strict=True) if t is not None} for r in self.rows]
        out: dict[str, Any] = {"head": {"vars": list(self.columns)}, "results": {"bindings": bindings}}
        return out | ({"truncated": True} if self.more else {})

    def csv(self) -> str:
        """SPARQL 1.1 Query Results CSV."""
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\r\n")
        if self.kind == "ask":
            write.writerows([["yes"], ["true" if self.yes else "false"]])
        else:
            write.writerow(self.columns)
            write.writerows(["" if t is None else plain(t) for t in r] for r in self.rows)
        return out.getvalue()

    def shown(self) -> list[list[str]]:
        """The cells as people read them: IRIs shortened by the prefixes."""
        known = prefixes()
        return [["" if t is None else short(t, known) for t in r] for r in self.rows]


def plain(term: Term) -> str:
    """A term as CSV has it: no quotes, no datatype."""
    return "_:" + term.value if term.kind == "bnode" else term.value


def short(term: Term, prefixes: Mapping[str, str]) -> str:
    """`rule:asl/B30.42` for an IRI with a known beginning; a literal's value without quotes."""
    if term.kind != "iri":
        return plain(term)
    fit = [(p, ns) for p, ns in prefixes.items() if term.value.startswith(ns) and term.value != ns]
    if not fit:
        return f"<{term.value}>"
    prefix, namespace = max(fit, key=lambda pair: len(pair[1]))
    return f"{prefix}:{term.value.removeprefix(namespace)}"


def values(parameters: Mapping[str, Sequence[Term]]) -> str:
    """A VALUES block for each parameter: terms written by their own rules, so that nothing in them can be a query."""
    return " ".join(f"VALUES ?{n} {{ {' '.join(t.sparql() for t in ts)} }}" for n, ts in parameters.items())


def header() -> str:
    """The PREFIX lines that put the known prefixes into force."""
    return "".join(f"PREFIX {p}: <{ns}>\n" for p, ns in prefixes().items())
