"""Named questions to the graph: queries/competency/*.rq, each with a head that says what it asks and what it may be given.

A parameter is bound as a VALUES block of RDF terms at the head of the pattern; what a person typed never becomes query text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from kb import resources, yaml_document
from kb.errors import Place, Problem, QueryError, did_you_mean
from kb.language import rule_number
from kb.triplestore.results import BASE, Table, Term, values
from kb.triplestore.store import Store

TYPES = ("rule", "term", "book", "erratum")
WHERE = re.compile(r"\bWHERE\s*\{")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a query may be given. kind: one of TYPES."""

    name: str
    kind: str
    about: str


@dataclass(frozen=True)
class Named:
    """A named query. empty: what it means when no row is found."""

    name: str
    summary: str
    asked_by: str
    parameters: tuple[Parameter, ...]
    empty: str
    text: str
    file: str

    def bound(self, given: Mapping[str, Iterable[Term]]) -> str:
        """The query with its parameters bound. A parameter that is not given is left free."""
        block = values({k: tuple(v) for k, v in given.items()})
        return WHERE.sub(lambda found: f"{found[0]} {block}", self.text, count=1) if block else self.text


@lru_cache
def named() -> dict[str, Named]:
    """All named queries. Raises QueryError with every fault of every file: E660 a head, E661 a parameter."""
    found, problems = {}, list[Problem]()
    for file in sorted((resources.path("queries") / "competency").glob("*.rq")):
        try:
            found[file.stem] = read(file.stem, file.read_text(encoding="utf-8"), str(file))
        except QueryError as e:
            problems += e.problems
    if problems:
        raise QueryError(problems)
    return found


def read(name: str, text: str, file: str = "") -> Named:
    """A query with its head: the lines that begin with #+, which are YAML."""
    head = "\n".join(line[2:].removeprefix(" ") for line in text.splitlines() if line.startswith("#+"))
    place = Place(file or name, 1)
    try:
        told: Any = yaml_document.values(head)
    except yaml.YAMLError as e:
        raise QueryError(
            Problem(660, f"the head is not YAML: {e}", place, "check the lines that begin with #+")
        ) from None
    wanted = ("summary", "asked by", "parameters", "empty")
    if not isinstance(told, dict) or (missing := [k for k in wanted if k not in told]):
        lacks = ", ".join(missing) if isinstance(told, dict) else "everything"
        raise QueryError(Problem(660, f"the head lacks {lacks}", place, "#+ summary, asked by, parameters, empty"))
    if not WHERE.search(text):
        raise QueryError(Problem(660, "the query has no WHERE {", place, "parameters are bound there"))
    parameters = []
    for key, row in (told["parameters"] or {}).items():
        if not isinstance(row, dict) or row.get("type") not in TYPES or not re.search(rf"\?{re.escape(key)}\b", text):
            raise QueryError(
                Problem(661, f"the parameter “{key}” has no known type, or no variable", place, str(TYPES))
            )
        parameters.append(Parameter(key, row["type"], str(row.get("about", ""))))
    return Named(
        name, str(told["summary"]), str(told["asked by"]), tuple(parameters), str(told["empty"]), text, file
    )  # fmt: skip


def find(name: str) -> Named:
    """A query by name. Raises QueryError (E662) with the nearest names."""
    known = named()
    if name not in known:
        hint = did_you_mean(name, known) or "loophole query lists them"
        raise QueryError(Problem(662, f"no query is called “{name}”", hint=hint))
    return known[name]


def ask(query: Named, store: Store, given: Mapping[str, str] | None = None, rows: int | None = None) -> Table:
    """A named query's answer. given: parameter to what a person typed. Raises QueryError: E663 for a parameter that the

    query has not, E664 for a value that names nothing.
    """
    return store.select(query.bound(terms(query, store, given or {})), rows)


def terms(query: Named, store: Store, given: Mapping[str, str]) -> dict[str, tuple[Term, ...]]:
    """What each value given means in the graph; all faults at once."""
    known = {p.name: p for p in query.parameters}
    problems, out = list[Problem](), {}
    for name, value in given.items():
        if name not in known:
            hint = f"it takes {', '.join(known) or 'nothing'}"
            problems.append(Problem(663, f"{query.name} takes no “{name}”", hint=hint))
            continue
        kind = known[name].kind
        listed = spellings(store, kind)
        found = meant(value, kind, listed)
        if not found:
            close = did_you_mean(value, [s for s, _ in listed])
            hint = close or {"rule": "a number such as 30.42", "term": "loophole terms lists them"}.get(
                kind, "loophole errata lists them"
            )
            problems.append(Problem(664, f"no {kind} is called “{value}”", hint=hint))
        out[name] = found
    if problems:
        raise QueryError(problems)
    return out


SPELT = {
    "rule": "SELECT DISTINCT ?x ?n WHERE { ?x lp:ruleNumber ?n }",
    "term": """SELECT DISTINCT ?x ?n WHERE {
        { ?x rdfs:label ?n ; skos:definition ?d } UNION { ?x skos:altLabel ?n } UNION { ?x a owl:Class . BIND(STR(?x) AS ?n) }
        UNION { ?x a owl:ObjectProperty . BIND(STR(?x) AS ?n) } UNION { ?x a owl:DatatypeProperty . BIND(STR(?x) AS ?n) }
        FILTER(isIRI(?x)) }""",
    "book": "SELECT DISTINCT ?x ?n WHERE { ?x a lp:Rulebook ; dcterms:identifier ?n }",
    "erratum": """SELECT DISTINCT ?x ?n WHERE { ?x dcterms:identifier ?n ; lp:recordKind ?k }""",
}


def spellings(store: Store, kind: str) -> list[tuple[str, Term]]:
    """Every name of the things of a kind in a store, with the thing."""
    out = []
    for thing, name in store.select(SPELT[kind]).rows:
        if thing is not None and name is not None and thing.value.startswith(BASE):
            said = name.value.partition("#")[2] if name.value.startswith(BASE) else name.value
            out.append((said, thing))
    return sorted(out, key=lambda pair: (pair[0], pair[1].value))


def meant(value: str, kind: str, listed: list[tuple[str, Term]]) -> tuple[Term, ...]:
    """The things that a value names: exactly, else as people write it."""
    if kind == "rule":
        ways = [
            lambda n: rule_number.folded(n) == rule_number.folded(value),
            lambda n: rule_number.same_rule(value, n),
            lambda n: rule_number.folded(n).replace(".", "") == rule_number.folded(value).replace(".", ""),
        ]
    else:
        from kb.language.vocabulary import fold

        ways = [lambda n: n == value, lambda n: bool(fold(value)) and fold(n) == fold(value)]
    for way in ways:
        if found := tuple(dict.fromkeys(thing for name, thing in listed if way(name))):
            return found
    return ()
