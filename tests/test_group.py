"""What is told of a group is so of its members, what is told of all of them is so of it, and nothing beyond."""

from __future__ import annotations

import pytest

from kb import asking
from kb.language.case import Facts

PLACED = """\
book: asl
things:
  yard: GroundLevel
  box: {{is: Pillbox, exterior: yard}}
  group: {group}
  first: {first}
  second: {second}
ask: {{is: [first, Pinned]}}
"""


def told(
    group: str = "{is: Group, member: [first, second]}", first: str = "Squad", second: str = "HalfSquad"
) -> dict[str, Facts]:
    return dict(asking.case(PLACED.format(group=group, first=first, second=second)).things)


def test_where_a_group_is_and_its_side_is_so_of_each_member() -> None:
    things = told("{is: Friendly, member: [first, second], at: yard}")
    assert all(things[x].links["at"] == ("yard",) and "Friendly" in things[x].is_ for x in ("first", "second"))


def test_a_member_that_is_told_otherwise_stays_as_told() -> None:
    things = told("{is: Friendly, member: [first, second], at: yard}", second="{is: [HalfSquad, Enemy], at: box}")
    assert things["second"].links["at"] == ("box",) and "Friendly" not in things["second"].is_
    assert things["first"].links["at"] == ("yard",)


def test_what_is_told_of_all_members_alike_is_so_of_the_group() -> None:
    things = told(
        first="{is: [Squad, Broken, Friendly], at: yard}", second="{is: [HalfSquad, Broken, Friendly], at: yard}"
    )
    assert things["group"].links["at"] == ("yard",) and {"Broken", "Friendly"} <= set(things["group"].is_)


@pytest.mark.parametrize("second", ["{is: HalfSquad, at: box}", "{is: [HalfSquad, Enemy], at: box}"])
def test_what_its_members_differ_in_is_not_told_of_a_group(second: str) -> None:
    things = told(first="{is: [Squad, Broken, Friendly], at: yard}", second=second)
    assert "at" not in things["group"].links and not {"Broken", "Friendly", "Enemy"} & set(things["group"].is_)


def test_where_it_is_said_of_the_place_who_is_there_that_goes_for_the_group_too() -> None:
    things = dict(
        asking.case(
            PLACED.format(group="{is: Group, member: [first, second]}", first="Squad", second="HalfSquad").replace(
                "yard: GroundLevel", "yard: {is: GroundLevel, occupant: [first, second]}"
            )
        ).things
    )
    assert things["group"].links["at"] == ("yard",)
