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


UNTOLD = "book: vv\nthings: {{t: Trench, g: {group}, go: {{is: Move, actor: g, destination: t}}}}\nask: {{may: go}}\n"


@pytest.mark.parametrize("group", ["Group", "{is: [Group, Friendly]}", "{is: Group, unknown: [count]}"])
def test_who_belongs_to_a_group_of_which_nobody_is_told_is_not_known_nor_how_many(group: str) -> None:
    things = asking.case(UNTOLD.format(group=group)).things
    (member,) = things["g"].links["member"]
    assert things[member].is_[0] == "Unit" and "count" in things[member].unknown


def test_how_many_belong_to_it_may_be_told() -> None:
    things = asking.case(UNTOLD.format(group="{is: Group, count: 4}")).things
    (member,) = things["g"].links["member"]
    assert things[member].numbers["count"] == 4 and not things[member].unknown


def test_a_group_of_nobody_stays_one() -> None:
    things = asking.case(UNTOLD.format(group="{is: Group, member: []}")).things
    assert not things["g"].links["member"] and things["go"].links["actor"] == ("g",)


TWO = "book: vv\nthings: {{a: {a}, b: Squad, g: {{is: Group, member: [a, b]}}, act: {act}}}\nask: {{is: [g, UnderCounter]}}\n"


def test_what_is_done_with_a_group_is_done_with_each() -> None:
    case = asking.case(TWO.format(a="Squad", act="{is: SetUp, object: g, place: Trench}"))
    assert case.things["act"].links["object"] == ("a", "b")


def test_who_acts_as_a_group_acts_as_one_and_who_is_alone_in_it_by_himself() -> None:
    assert asking.case(TWO.format(a="Squad", act="{is: Stop, actor: g}")).things["act"].links["actor"] == ("g",)
    alone = TWO.replace("member: [a, b]", "member: [a]")
    assert asking.case(alone.format(a="Squad", act="{is: Stop, actor: g}")).things["act"].links["actor"] == ("a",)


def test_what_a_group_is_is_asked_of_each_of_it_but_what_kind_of_group_it_is() -> None:
    case = TWO.format(a="Squad", act="{is: Stop, actor: g}")
    assert str(asking.case(case).question.condition) == "member only UnderCounter"
    assert str(asking.case(case.replace("[g, UnderCounter]", "[g, Group]")).question.condition) == "Group"


def test_what_a_group_is_next_to_is_so_of_each_that_is_not_told_otherwise() -> None:
    told = "{{is: Group, member: [a, b], nextTo: w}}, w: BarbedWire"
    case = TWO.replace("{{is: Group, member: [a, b]}}", told)
    things = asking.case(case.format(a="{is: Squad, nextTo: []}", act="{is: Stop, actor: g}")).things
    assert things["a"].links["nextTo"] == () and things["b"].links["nextTo"] == ("w",)
