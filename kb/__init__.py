"""Loophole's library: rule texts and cases in, answers with their reasons out. No web, no terminal, no game.

The way of a case: `asking` reads it (cases), takes the books in force (registry), has it answered (reasoner) and gives the
proof, which `answers` puts into words and `checker` derives again. The packages stand in layers; what another package may
use of one is its `__all__` (pyproject.toml holds both).
"""

__all__ = [
    "answers",
    "asking",
    "cases",
    "compare",
    "coverage",
    "decisions",
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
