"""Trees and neighbourhoods as SVG: a proof, what a rule's exceptions take away, what names a rule and what it names.

tree(root, title, text) -> str              from the left to the right
around(middle, before, after, …) -> str     what leads to something, and where it leads
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.html import address
from api.pictures import templates
from kb.answers.parts import OWN, QUOTE, Part

WIDTH, GAP_X, GAP_Y, LINE, PAD = 230, 46, 10, 14, 8
LETTERS, MOST_LINES, MOST_NODES = 31, 4, 60
ROUND = 8  # that stand on one side of a neighbourhood


@dataclass
class Node:
    """A box of a picture. kind: how it is drawn; href: where it leads, "" for nowhere; edge: how it hangs on the one before."""

    text: str
    below: list[Node] = field(default_factory=list)
    kind: str = ""
    href: str = ""
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A node where it stands."""

    x: float
    y: float
    height: float
    lines: tuple[str, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two boxes, with its word."""

    path: str
    x: float
    y: float
    word: str


def tree(root: Node, title: str, text: str, standalone: bool = False) -> str:
    """A tree as SVG; text: what it shows, for whoever does not see it."""
    cut(root, MOST_NODES)
    boxes, edges = list[Box](), list[Edge]()
    place(root, 0.0, 0.0, boxes, edges)
    return drawn(boxes, edges, title, text, standalone)


def cut(root: Node, most: int) -> None:
    """Leaves out what stands deepest where there are too many boxes, and says so."""
    level, count = [root], 1
    while level:
        below = [n for node in level for n in node.below]
        if count + len(below) > most:
            for node in level:
                if node.below:
                    node.below = [Node(f"{len(list(every(node))) - 1} more below", kind="more")]
            return
        count, level = count + len(below), below


def every(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    yield node
    for below in node.below:
        yield from every(below)


def place(node: Node, x: float, y: float, boxes: list[Box], edges: list[Edge]) -> tuple[float, float]:
    """Puts a node and what hangs on it on paper from a height on; its middle, and the height that is free below."""
    lines = wrapped(node.text)
    height = len(lines) * LINE + PAD * 1.5
    top, middles = y, []
    for below in node.below:
        middle, top = place(below, x + WIDTH + GAP_X, top, boxes, edges)
        middles.append(middle)
    middle = (middles[0] + middles[-1]) / 2 if middles else y + height / 2
    middle = max(middle, y + height / 2)
    boxes.append(Box(x, middle - height / 2, height, lines, node))
    for other, below in zip(middles, node.below, strict=True):
        edges.append(edge(x + WIDTH, middle, x + WIDTH + GAP_X, other, below.edge))
    return middle, max(top, middle + height / 2 + GAP_Y)


def edge(ax: float, ay: float, bx: float, by: float, word: str) -> Edge:
    """A bent line from the right of one box to the left of another."""
    half = (ax + bx) / 2
    return Edge(f"M{ax:.0f},{ay:.0f} C{half:.0f},{ay:.0f} {half:.0f},{by:.0f} {bx:.0f},{by:.0f}", bx - 4, by - 3, word)


def wrapped(text: str) -> tuple[str, ...]:
    """A text in a few lines."""
    lines = textwrap.wrap(text, LETTERS) or [""]
    return tuple(
        lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1][: LETTERS - 1] + "…"]
    )


def around(middle: Node, before: Sequence[Node], after: Sequence[Node], title: str, text: str, standalone: bool) -> str:
    """A node between what leads to it and where it leads."""
    boxes, edges = list[Box](), list[Edge]()
    columns = [some(before), some(after)]
    heights = [sum(len(wrapped(n.text)) * LINE + PAD * 1.5 + GAP_Y for n in column) for column in columns]
    whole = max(*heights, 60.0)
    own = wrapped(middle.text)
    height = len(own) * LINE + PAD * 1.5
    step = WIDTH + GAP_X + 30
    boxes.append(Box(step, whole / 2 - height / 2, height, own, middle))
    for side, (column, tall) in enumerate(zip(columns, heights, strict=True)):
        y = (whole - tall) / 2
        for node in column:
            lines = wrapped(node.text)
            high = len(lines) * LINE + PAD * 1.5
            boxes.append(Box(0 if side == 0 else 2 * step, y, high, lines, node))
            ends = (
                (WIDTH, y + high / 2, step, whole / 2)
                if side == 0
                else (step + WIDTH, whole / 2, 2 * step, y + high / 2)
            )
            edges.append(edge(*ends, node.edge))
            y += high + GAP_Y
    return drawn(boxes, edges, title, text, standalone)


def some(nodes: Sequence[Node]) -> list[Node]:
    """The first of many."""
    more = len(nodes) - ROUND
    return [*nodes[:ROUND], Node(f"{more} more", kind="more")] if more > 0 else list(nodes)


def drawn(boxes: list[Box], edges: list[Edge], title: str, text: str, standalone: bool) -> str:
    """The picture."""
    width = max(b.x for b in boxes) + WIDTH
    top, height = min(b.y for b in boxes), max(b.y + b.height for b in boxes)
    return templates().get_template("tree.svg").render(
        boxes=boxes, edges=edges, title=title, text=text, left=-6, top=top - 6, width=width + 12, height=height - top + 12,
        box_width=WIDTH, line=LINE, pad=PAD, standalone=standalone,
    )  # fmt: skip


# ── what is drawn ──


def of_proof(part: Part, title: str, standalone: bool = False) -> str:
    """The chain of an answer as a tree: the verdict, the rules that decide, down to the facts."""
    sections = [
        s
        for s in part.parts
        if s.text in ("BECAUSE", "HOW IT IS MADE UP", "WHAT IT TURNS ON", "ONE BY ONE", "YES", "NO", "OPEN")
    ]
    root = Node(part.text, [node_of(q) for s in sections for q in s.parts], "verdict")
    return tree(root, title, "; ".join(n.text for n in every(root)), standalone)


def node_of(part: Part) -> Node:
    """A sentence of a proof as a box, what is quoted left out."""
    return Node(part.text, [node_of(q) for q in part.parts if q.kind not in (QUOTE, OWN)], part.kind)


def of_exceptions(rule: dict[str, Any], standalone: bool = False) -> str:
    """A rule's norms with what each exception takes out of them, and what beats them."""
    said = {e["label"]: e["text"] for s in rule["sentences"] for e in s["exceptions"]}
    norms = []
    for n in rule["norms"]:
        below = [
            Node(f"{u['label']}: {said.get(u['label'], u['condition'])}" + (f" [{', '.join(u['cites'])}]" if u["cites"] else ""), kind="presumed", edge="unless")
            for u in n["unless"]
        ]  # fmt: skip
        norms.append(Node(f"{n['id']} {n['head']}", below, "rule"))
    beating = [
        Node(r["norm"], kind="open", edge="beaten by", href=address(rule["book"], "rule", r["norm"].split("/")[0]))
        for r in rule["referred_to_by"]
        if r["how"] == "beats"
    ]
    root = Node(f"{rule['rule']} {rule['title']}", [*norms, *beating], "verdict")
    text = "; ".join(f"{n.edge} {n.text}".strip() for n in every(root))
    return tree(root, f"Exceptions of {rule['rule']}", text, standalone)


def of_neighbours(rule: dict[str, Any], titles: dict[str, str], standalone: bool = False) -> str:
    """A rule between the rules that name it and those that it names."""

    def box(number: str, how: str) -> Node:
        named = f"{number} {titles[number]}" if number in titles else f"{number} (not loaded)"
        return Node(
            named,
            kind="" if number in titles else "presumed",
            edge=how,
            href=address(rule["book"], "rule", number) if number in titles else "",
        )

    into: dict[str, str] = {}
    for row in rule["referred_to_by"]:
        into.setdefault(row["norm"].split("/")[0], row["how"])
    out: dict[str, str] = {}
    for row in rule["refers_to"]:
        out.setdefault(row["rule"].split("/")[0], row["how"])
    text = (
        f"{rule['rule']} is named by {', '.join(f'{n} ({how})' for n, how in into.items()) or 'no rule'}; "
        f"it names {', '.join(f'{n} ({how})' for n, how in out.items()) or 'no rule'}."
    )
    middle = Node(f"{rule['rule']} {rule['title']}", kind="verdict")
    before, after = ([box(n, how) for n, how in rows.items()] for rows in (into, out))
    return around(middle, before, after, f"Neighbours of {rule['rule']}", text, standalone)
