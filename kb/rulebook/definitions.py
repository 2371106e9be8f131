"""The words that a book defines: what they stand for where a norm uses them.

A defined condition is read from the individual at hand, like any other. A defined number is of what the path before it leads
to: `destination.load(this.actor)`. `this` is the focus of the norm that uses the word. Exceptions keep their labels where the
word is first used under the rule that defines it, which is where the text has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from kb.errors import Problem, did_you_mean
from kb.language import norms as m
from kb.language.norms import names_in, over_parts, replaced

T = TypeVar("T")


class Definitions:
    """The definitions of a book, by name. `problems` has a fault for each that cannot stand."""

    def __init__(self, book: m.Book, taken: Iterable[str]):
        self.problems: list[Problem] = []
        self.known: dict[str, m.Definition] = {}
        self.used: set[str] = set()
        self.labelled: set[str] = set()
        reserved = set(taken)
        for d in (d for ch in book.chapters for s in ch.sections for d in s.definitions):
            if d.name in self.known or d.name in reserved:
                what = "is defined twice" if d.name in self.known else "is a term of the ontology already"
                self.problems.append(Problem(211, f"“{d.name}” {what}", d.place, "give one of the two another name"))
            self.known[d.name] = d
        for d in self.known.values():
            if d.name in self.below(d):
                hint = "a definition cannot lean on itself"
                self.problems.append(Problem(212, f"“{d.name}” is defined by way of itself", d.place, hint))
                self.known = {}  # nothing can be put in the place of a circle
                break

    def below(self, d: m.Definition) -> set[str]:
        """The defined words that a definition leans on, directly or not."""
        found: set[str] = set()
        todo = [d]
        while todo:
            for name in names_in(todo.pop().body) & self.known.keys() - found:
                found.add(name)
                todo.append(self.known[name])
        return found

    def idle(self) -> list[Problem]:
        """A fault for each word that nothing uses."""
        return [
            Problem(213, f"nothing uses “{d.name}”", d.place, "use it in a condition of the book, or take it out")
            for d in self.known.values()
            if d.name not in self.used
        ]

    def fault(self, used: m.Defined) -> tuple[str, str] | None:
        """What is wrong with the use of a word, and what to do; None where nothing is."""
        d = self.known.get(used.name)
        if d is None:
            return f"nothing defines “{used.name}”", did_you_mean(
                used.name, self.known
            ) or "define it under its sentence"
        if len(used.args) != len(d.params):
            given = f"{d.name}({', '.join(d.params)})" if d.params else d.name
            return f"“{used.name}” is given {len(used.args)} of {len(d.params)} parameters", f"write {given}"
        loose = next((a for a in used.args if not a.root), None)
        if loose is not None:
            return f"“{loose}” does not say from where", f"begin with “this” or a name: this.{loose}"
        if d.name[0].islower() == (used.path is None):
            kind = "a condition" if d.name[0].isupper() else "a number"
            return f"“{used.name}” is defined as {kind}", "a defined number follows what it is of: destination.load"
        return None

    def meaning(self, used: m.Defined, rule: str) -> m.Condition | m.Expr:
        """What a word stands for in a norm of a rule."""
        d = self.known[used.name]
        self.used.add(d.name)
        body = d.body
        if rule != d.rule or d.name in self.labelled:
            body = unlabelled(body)
        else:
            self.labelled.add(d.name)
        if used.path is not None:
            body = moved(body, used.path)
        for param, arg in zip(d.params, used.args, strict=True):
            body = replaced(body, param, arg)
        return body


def unlabelled(node: T) -> T:
    """A condition whose exceptions have no labels."""
    found = over_parts(node, unlabelled)
    return replace(found, label="") if isinstance(found, m.Except) else found  # type: ignore[return-value]


def moved(node: Any, path: m.Path) -> Any:
    """An expression on the individual at hand, as one on what a path leads to. What is inside of `that` is of each thing there."""
    match node:
        case m.Path("", steps):
            return m.Path(path.root, (*path.steps, *steps))
        case m.Defined(name, args, of) if of is not None:
            return m.Defined(name, args, moved(of, path))
        case m.Aggregate(function, way, filler, quantity):
            return m.Aggregate(function, moved(way, path), filler, quantity)
        case m.Arith() | m.Call() | m.Lookup() | tuple():
            return over_parts(node, lambda part: moved(part, path))
    return node
