"""What stands in a cell of the map by what kind of cell it is told to be."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kb.cases import same_cell
from kb.cases.telling import Telling
from kb.language.case import Facts
from kb.language.vocabulary import Vocabulary


def owing(vocabulary: Vocabulary) -> Iterator[str]:
    """The kinds of cells in which by an axiom something stands."""
    if (cell := vocabulary.cell) is not None:
        within = vocabulary.properties[cell.relation].below
        yield from (c for c in cell.cells if any(role in within for role, _ in vocabulary.classes[c].existential))


def settle(things: Telling, vocabulary: Vocabulary) -> None:
    """What by an axiom stands in a cell of its kind is made, where nothing of the kind is told to be there."""
    cell = vocabulary.cell
    if cell is None:
        return
    owed = [
        (name, role, kind)
        for name, facts in things.items()
        for cls in facts.is_ if cls in cell.cells
        for role, kind in vocabulary.classes[cls].existential if role in vocabulary.properties[cell.relation].below
    ]  # fmt: skip
    groups = same_cell.together(things, vocabulary, cell) if owed else []
    for name, role, kind in owed:
        here = next((group for group in groups if name in group), [])
        if not any(vocabulary.entails(things[other].is_, kind) for other in here):
            made, facts = f"{name}.{role}", things[name]
            label = f"the {vocabulary.classes[kind].label} of {facts.label or name}"
            things[made] = Facts(made, (kind,), label=label)
            things[name] = replace(facts, links={**facts.links, role: (made,)})
