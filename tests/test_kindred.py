"""The rule that says that one kind is another is cited where a proof leans on it, and only there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb import asking, registry
from kb.answers import explain
from kb.reasoner import kind_rules
from kb.reasoner.proof import Proof

PLACED = """\
book: vv
things:
  work: {{is: {work}}}
  hex: {{is: Hex, terrain: {ground}}}
  act: {{is: Placement, object: work, place: hex}}
ask: {{may: act}}
"""


def answered(text: str) -> Proof:
    return asking.ask(asking.case(text))


@pytest.mark.parametrize(
    ("work", "ground", "rule"),
    [
        ("Bunker", "Woods", "20.5"),
        ("Minefield", "Road", "20.7"),
        ("Trench", "Woods", "20.10"),
        ("Cave", "Marsh", "20.11"),
    ],
)
def test_the_rule_that_makes_it_a_fortification_or_an_entrenchment_is_cited_after_the_one_that_decides(
    work: str, ground: str, rule: str
) -> None:
    cites = answered(PLACED.format(work=work, ground=ground)).cites
    assert cites[0] == "20.2" or work == "Cave"
    assert rule in cites


def test_a_kind_that_is_stated_as_such_cites_no_rule_on_kinds() -> None:
    assert not {"20.5", "20.6", "20.7", "20.8"} & set(
        answered(PLACED.format(work="Fortification", ground="Woods")).cites
    )


def test_the_chain_names_the_rule() -> None:
    assert "a minefield is a fortification (20.7)" in explain.text(
        answered(PLACED.format(work="Minefield", ground="Road"))
    )


def test_without_the_norm_there_is_nothing_to_name() -> None:
    theory = registry.theory("vv")
    assert kind_rules.rule(theory, "Minefield", "Fortification") == "20.7"
    without = replace(theory, norms={i: n for i, n in theory.norms.items() if i != "20.7/fortification"}, compiled={})
    assert kind_rules.rule(without, "Minefield", "Fortification") == ""
    assert kind_rules.rule(theory, "Squad", "Infantry") == ""


def test_a_norm_that_asks_for_more_than_kinds_makes_no_kin() -> None:
    theory = registry.theory("vv")
    assert kind_rules.rule(theory, "Trench", "Full") == ""  # full only while units are in it
    assert kind_rules.rule(theory, "Beach", "OpenTerrain") == "20.2"  # one of several kinds named together
    assert kind_rules.rule(theory, "Cave", "Emplacement") == "20.11"  # by the kind next below


def test_a_notion_that_rules_alone_make_is_asked_for_by_the_kinds_it_comes_down_to() -> None:
    text = "book: vv\nthings:\n  w: Foxhole\n  h: Hex\n  p: {is: Placement, object: w, place: h}\nask: {may: p}\n"
    found = answered(text)
    asks = [row.said(found.theory.vocabulary) for row in found.missing]
    assert asks == ["a building, a canal, a gully, a marsh, a pond, a stream or a wadi is the terrain of h"]
    theory = registry.theory("vv")
    assert kind_rules.spelled_out(theory, "Full") is None and kind_rules.spelled_out(theory, "Bunker") is None
