"""Triples as they are gathered, and names for blank nodes that depend on what they say, not on when they were made."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from rdflib import BNode, Graph, Literal, URIRef

from kb.language.iris import digest
from kb.ontology.turtle import ESCAPES


class Bag(Graph):
    """A graph that is only written and then read once, in no index: many times faster than one that can be asked."""

    def __init__(self, triples: Iterable[Any] = ()) -> None:
        super().__init__()
        self.rows: list[Any] = list(triples)

    def add(self, triple: Any) -> Bag:
        """Keeps a triple, and returns the bag, as a graph does."""
        self.rows.append(triple)
        return self

    def __iter__(self) -> Generator[Any, None, None]:
        yield from self.rows

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows)


def ntriples(graph: Iterable[Any], end: str = " .\n") -> list[str]:
    """A graph as N-Triples lines, sorted, each once; blank nodes are named after what they say and where they hang.

    For graphs whose blank nodes hang in trees, as class expressions and lists do; twins that say the same under one
    parent are told apart by number. `end`: what closes a line, such as the name of a graph and a full stop.
    """
    rows = list(graph)
    names = labels(rows)
    return sorted({f"{written(s, names)} <{p}> {written(o, names)}{end}" for s, p, o in rows})


def written(node: Any, names: dict[Any, str]) -> str:
    """A node in N-Triples, which knows no short forms and no line ends inside quotes."""
    if isinstance(node, URIRef):
        return f"<{node}>"
    if isinstance(node, Literal):
        return literal(node)
    return f"_:b{names[node]}"


def literal(node: Literal) -> str:
    """A literal in N-Triples."""
    quoted = '"' + str(node).translate(ESCAPES) + '"'
    if node.language:
        return f"{quoted}@{node.language}"
    plain = node.datatype is None or str(node.datatype).endswith("#string")
    return quoted if plain else f"{quoted}^^<{node.datatype}>"


def labels(rows: Iterable[Any]) -> dict[Any, str]:
    """A name for each blank node."""
    below: dict[BNode, list[tuple[str, Any]]] = {}
    above: dict[BNode, list[tuple[Any, str]]] = {}
    for s, p, o in rows:
        if isinstance(s, BNode):
            below.setdefault(s, []).append((str(p), o))
            above.setdefault(s, [])
        if isinstance(o, BNode):
            above.setdefault(o, []).append((s, str(p)))
            below.setdefault(o, [])
    says = told(below)
    names: dict[Any, str] = {}
    for node in below:
        name(node, above, says, names)
    used: set[str] = set()
    final: dict[Any, str] = {}
    for node in sorted(below, key=lambda n: (names[n], says[n])):
        label = names[node]
        while label in used:  # which of two that say the same is which does not matter
            label = digest(label)
        used.add(label)
        final[node] = label
    return final


def told(below: dict[BNode, list[tuple[str, Any]]]) -> dict[BNode, str]:
    """What each blank node says, bottom up; without recursion, for lists may be long."""
    says: dict[BNode, str] = {}
    for start in below:
        stack = [(start, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                lines = (f"{p} {says.get(o, '?') if isinstance(o, BNode) else written(o, {})}" for p, o in below[node])
                says[node] = digest("\n".join(sorted(lines)))
            elif node not in says:
                says[node] = "?"  # stands until what is below is known; a circle would see it
                stack.append((node, True))
                stack += [(o, False) for _, o in below[node] if isinstance(o, BNode) and o not in says]
    return says


def name(node: BNode, above: dict[BNode, list[tuple[Any, str]]], says: dict[BNode, str], names: dict[Any, str]) -> None:
    """Names a blank node: what it says, under the name of what it hangs from."""
    way = [node]
    while len(above[way[-1]]) == 1 and isinstance(parent := above[way[-1]][0][0], BNode):
        if parent in names or parent in way[:1]:
            break
        way.append(parent)
    for now in reversed(way):
        hung = sorted(f"{names.get(s, '?') if isinstance(s, BNode) else s} {p}" for s, p in above[now])
        names.setdefault(now, digest("\n".join([says[now], *hung])))
