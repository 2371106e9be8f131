"""Loophole's library: rule texts and cases in, answers with their reasons out. No web, no terminal, no game.

The way of a case: `asking` reads it (cases), takes the books in force (registry), has it answered (reasoner) and gives the
proof, which `answers` puts into words and `checker` derives again. The packages stand in layers; what another package may
use of one is its `__all__` (pyproject.toml holds both).

    kb.ask_many(rows, shape)     many questions at once: kb.batch.many has it
    kb.over(shape, columns)      a shape at hand, asked again and again: kb.batch.over has it
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.batch.many import ask_many as ask_many
    from kb.batch.over import over as over

__all__ = [
    "answers",
    "asking",
    "cases",
    "compare",
    "coverage",
    "errata",
    "errors",
    "graph",
    "ontology",
    "registry",
    "research",
    "resources",
    "search",
    "texts",
    "triplestore",
]


def __getattr__(name: str) -> Any:
    """`kb.ask_many` and `kb.over`, read when somebody asks for them."""
    if name == "ask_many":
        from kb.batch import many

        return many.ask_many
    if name == "over":
        from kb.batch import over

        return over.over
    raise AttributeError(name)
