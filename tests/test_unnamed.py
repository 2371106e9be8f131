"""What is said of something that nobody told, by its kind alone, is what trying every norm on it finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kb import asking, registry
from kb.reasoner import unnamed
from kb.reasoner.effects import stage
from kb.reasoner.situation import Situation
from kb.rulebook.theory import Leaf
from tests import corpus

LEAST = 5_000  # answers by the kind alone that are held against norms tried


def situations() -> Iterator[Situation]:
    """A staged case or two of each book."""
    for book in registry.SHIPPED.names():
        rows = [w for w in corpus.every() if w.data["book"] == book][:: 800 if book == "asl" else 200]
        for found in map(asking.case, rows):
            yield stage(asking.rules(found), found)


def differing() -> tuple[int, list[str]]:
    """How many answers by the kind alone were held against norms that were tried, and those that are not what these find."""
    held, wrong = 0, []
    for s in situations():
        s.withdrawn, s.unsettled = frozenset(), False
        roles = [prop for prop in s.vocabulary.properties.values() if prop.kind == "object" and prop.domain]
        pairs = [(y, prop.name) for y in list(s.things.values()) for prop in roles if prop.domain in y.kind.types]
        for y, role in pairs:
            x = s.blank(y, role)
            for cls in s.theory.makes:
                leaf = unnamed.leaf(s.theory, x.kind, cls)
                if leaf.why == "presumed":
                    found = s._member(x, cls)
                    held += 1
                    if found.value is not False or not found.soft:
                        wrong.append(f"{x.name} {cls}: {found.value} ({found.why})")
    return held, wrong


def test_what_nobody_told_is_as_its_kind_says() -> None:
    held, wrong = differing()
    assert held >= LEAST and not wrong, wrong[:5]


def test_a_norm_that_is_not_looked_at_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unnamed.Could, "turn", lambda self, cls: False)
    for s in situations():
        for kind in s.theory.kinds.values():
            kind.unnamed.clear()
    held, wrong = differing()
    for s in situations():
        for kind in s.theory.kinds.values():
            kind.unnamed.clear()
    assert held and wrong


def test_a_leaf_is_remembered_with_its_kind() -> None:
    s = next(situations())
    x = s.blank(next(iter(s.things.values())), "actor")
    assert isinstance(unnamed.leaf(s.theory, x.kind, "Broken"), Leaf)
    assert x.kind.unnamed["Broken"].value is False
