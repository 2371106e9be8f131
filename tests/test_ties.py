"""Relations that events bring about and end, what lasts for so many events, and numbers that events set."""

from __future__ import annotations

from contextlib import suppress

import pytest

from kb.answers import explain
from kb.circuit.past import after
from kb.circuit.staged import Budget, Unground
from kb.errors import RulebookError
from kb.language.parser import Fault, HeadParser
from kb.language.tokens import tokens
from kb.reasoner import proof as p
from tests import strategies as arena
from tests.scenes import things
from tests.test_time import answer, told

SCENE = """
ann: {is: Guard}
bob: {is: Guard, carries: []}
cat: {is: Guard, carries: [net]}
net: {is: Net}
sword: {is: Sword}
hit: {is: Strike, actor: ann, target: bob}
nap: {is: Rest, actor: bob}
nap2: {is: Rest, actor: bob}
doze: {is: Rest, actor: ann}
"""


def asked(rules: str, question: str, history: str, text: str = SCENE) -> str:
    return told(rules, question, history, text)


@pytest.mark.parametrize(
    ("history", "carries", "wanted"),
    [
        ("[]", "bob", p.FAILS), ("[hit]", "bob", p.HOLDS), ("[hit, nap]", "bob", p.FAILS), ("[hit, doze]", "bob", p.HOLDS),
        ("[hit, nap, hit]", "bob", p.HOLDS), ("[nap]", "bob", p.FAILS),
    ],
)  # fmt: skip
def test_an_event_relates_two_things_and_another_parts_them(history: str, carries: str, wanted: str) -> None:
    rules = "R1\n  causes carries of actor to target on Strike\nR2\n  ends   carries of actor on Rest\n"
    text = SCENE.replace("nap: {is: Rest, actor: bob}", "nap: {is: Rest, actor: ann}").replace(
        "doze: {is: Rest, actor: ann}", "doze: {is: Rest, actor: bob}"
    )
    history = history.replace("[hit, nap, hit]", "[hit, nap, again]")
    text += "again: {is: Strike, actor: ann, target: bob}\n"
    assert asked(rules, "{is: [ann, carries some Guard]}", history, text) == wanted


def test_what_was_stated_at_first_is_over_too() -> None:
    rules = "R1\n  ends carries of actor to target on Strike\nR2\n  ends carries of actor on Rest"
    text = (
        SCENE.replace("hit: {is: Strike, actor: ann, target: bob}", "drop: {is: Strike, actor: cat, target: net}")
        .replace("doze: {is: Rest, actor: ann}", "doze: {is: Rest, actor: cat}")
        .replace("[net]", "[net, sword]")
    )
    for history, net, sword in (("[]", p.HOLDS, p.HOLDS), ("[drop]", p.FAILS, p.HOLDS), ("[doze]", p.FAILS, p.FAILS)):
        assert asked(rules, "{is: [cat, carries value net]}", history, text) == net
        assert asked(rules, "{is: [cat, carries value sword]}", history, text) == sword
    found = answer(rules, "{is: [cat, carries value net]}", "[drop]", text)
    assert found.cites == ("R1",), "what ended it is cited"
    assert answer(rules, "{is: [cat, carries value sword]}", "[doze]", text).cites == ("R2",), "of all that it had"


HALLS = """
ann: {is: Guard, at: hall}
bob: {is: Guard}
hall: {is: Stand}
hole: {is: Pit}
hit: {is: Strike, actor: ann, target: bob}
nap: {is: Rest, actor: bob}
away: {is: Rest, actor: ann, into: hole}
walk: {is: Sneak, actor: ann, into: hall}
"""
SENT = "R1\n  causes at of actor to into on Rest\n"


def test_of_what_has_one_end_the_later_stands() -> None:
    for history, hole, hall in (
        ("[]", p.FAILS, p.HOLDS),
        ("[away]", p.HOLDS, p.FAILS),
        ("[away, walk]", p.FAILS, p.HOLDS),
    ):
        assert asked(SENT, "{is: [ann, at value hole]}", history, HALLS) == hole
        assert asked(SENT, "{is: [ann, at value hall]}", history, HALLS) == hall
        assert asked(SENT, "{is: [hall, occupant value ann]}", history, HALLS) == hall
        assert asked(SENT, "{is: [hole, occupant value ann]}", history, HALLS) == hole
    found = answer(SENT, "{is: [hole, occupant value ann]}", "[away]", HALLS)
    assert found.cites == ("R1",), "from the other side too, the rule by which it is so"


def test_whether_it_was_related_may_be_open() -> None:
    rules = SENT + "  when actor some Veteran\n"
    assert asked(rules, "{is: [ann, at value hole]}", "[away]", HALLS) == p.UNDETERMINED
    assert asked(rules, "{is: [ann, at value hall]}", "[away]", HALLS) == p.UNDETERMINED, "it may have left it"
    assert asked(rules, "{is: [hole, occupant value ann]}", "[away]", HALLS) == p.UNDETERMINED
    assert asked(rules, "{is: [ann, at value hall]}", "[away, walk]", HALLS) == p.HOLDS
    found = answer(rules, "{is: [ann, at value hole]}", "[away]", HALLS)
    assert any("veteran" in row.said(found.theory.vocabulary) for row in found.missing)
    ends = "R1\n  ends at of actor on Rest\n  when actor some Veteran"
    assert asked(ends, "{is: [ann, at value hall]}", "[away]", HALLS) == p.UNDETERMINED
    assert asked(ends, "{is: [ann, at value hall]}", "[away]", HALLS.replace("ann: {is: Guard", "ann: {is: [Guard, Veteran]")) == p.FAILS  # fmt: skip


def test_an_exception_to_what_is_related() -> None:
    rules = SENT + "R2\n  ends at of actor on Rest\n  when actor some Veteran\n  over R1\n"
    sure = HALLS.replace("ann: {is: Guard", "ann: {is: [Guard, Veteran]")
    assert asked(rules, "{is: [ann, at value hole]}", "[away]", sure) == p.FAILS
    assert asked(rules, "{is: [ann, at value hole]}", "[away]", HALLS) == p.UNDETERMINED


def test_of_each_thing_and_on_becoming() -> None:
    each = "R1\n  ends carries of each Fighter on Rest\nR2\n  causes near of this to at on becoming Winded\nR3\n  counts Fighter as Winded\n  when at some Pit\n"
    text = SCENE.replace("ann: {is: Guard}", "ann: {is: Guard, at: gate}\ngate: {is: Gate}")
    text = text.replace(
        "cat: {is: Guard", "hall: {is: Pit}\nsneak: {is: Sneak, actor: ann, into: hall}\ncat: {is: Guard"
    )
    assert asked(each, "{is: [cat, carries some Net]}", "[nap]", text) == p.FAILS
    assert asked(each, "{is: [ann, near value hall]}", "[sneak]", text) == p.HOLDS


def test_a_relation_lasts_until_an_event() -> None:
    rules = "R1\n  causes carries of actor to target on Strike\n  until Rest of target\n"
    for history, wanted in (("[hit]", p.HOLDS), ("[hit, doze]", p.HOLDS), ("[hit, nap]", p.FAILS)):
        assert (
            asked(
                rules.replace("Rest of target", "Rest"),
                "{is: [ann, carries some Guard]}",
                history.replace("doze", "hit"),
                SCENE,
            )
            == wanted
        )
    of = rules.replace("Rest of target", "Rest of actor")
    assert asked(of, "{is: [ann, carries some Guard]}", "[hit, nap]") == p.HOLDS
    assert asked(of, "{is: [ann, carries some Guard]}", "[hit, doze]") == p.FAILS


def test_what_is_related_is_an_effect_and_told() -> None:
    rules = "R1\n  causes carries of actor to target on Strike\nR2\n  ends carries of actor on Rest\n"
    found = answer(rules, "{effects: hit}")
    assert found.verdict == p.EFFECTS and [t.row for t in found.ties] == [("ann", "carries", "bob", False)]
    assert "carries of ann is bob" in explain.text(found).splitlines()[0]
    ended = answer(rules, "{effects: nap}")
    assert [t.row for t in ended.ties] == [("bob", "carries", "", True)]
    assert "R2" in explain.text(ended)


# ── so many events ──


@pytest.mark.parametrize(("naps", "wanted"), [(0, p.HOLDS), (1, p.HOLDS), (2, p.FAILS), (3, p.FAILS)])
def test_a_state_lasts_for_so_many_events(naps: int, wanted: str) -> None:
    text = SCENE + "nap3: {is: Rest, actor: bob}\n"
    history = f"[{', '.join(['nap3', 'hit', 'nap', 'nap2', 'doze'][: 2 + naps])}]"
    rules = "R1\n  causes Hurt of target on Strike\n  until 2 Rest\n"
    assert asked(rules, "{is: [bob, Hurt]}", history, text) == wanted
    again = history.replace("hit, nap, nap2", "hit, nap, again, nap2")
    if naps == 2:
        assert (
            asked(rules, "{is: [bob, Hurt]}", again, text + "again: {is: Strike, actor: ann, target: bob}\n") == p.HOLDS
        )
    raised = "R1\n  raises power of target by 2 on Strike\n  until 2 Rest of actor\n"
    assert asked(raised, "{value: [power, bob]}", history, text) == ("2" if naps < 2 else "0")
    assert asked(raised, "{value: [power, bob]}", "[hit, nap, doze]", text) == "2"
    tied = "R1\n  causes carries of actor to target on Strike\n  until 2 Rest\n"
    assert asked(tied, "{is: [ann, carries some Guard]}", history, text) == wanted


# ── what an event sets a number to, and what a number is by itself ──


def test_an_event_sets_a_number() -> None:
    rules = "R1\n  sets power of target to 4 on Strike\nR2\n  raises power of actor by 1 on Rest\nR3\n  limits power of Fighter to at most 5\nR4\n  sets power of Beast to 9\n"
    text = SCENE + "nap3: {is: Rest, actor: bob}\n"
    for history, power in (("[]", "0"), ("[hit]", "4"), ("[nap, hit]", "4"), ("[nap, hit, nap2]", "5"), ("[hit, nap, nap2, nap3]", "5")):  # fmt: skip
        assert asked(rules, "{value: [power, bob]}", history, text) == power
    beast = text.replace("bob: {is: Guard,", "bob: {is: Beast,")
    assert asked(rules, "{value: [power, bob]}", "[nap]", beast) == "5", "9 and 1, within the limit"
    assert asked(rules, "{value: [power, bob]}", "[hit, nap]", beast) == "5", "what norms set is overtaken"
    assert asked(rules.replace("R3\n  limits power of Fighter to at most 5\n", ""), "{value: [power, bob]}", "[hit, nap]", beast) == "5"  # fmt: skip
    open_ = "R1\n  raises power of target by strength on Strike\nR2\n  sets power of actor to 3 on Rest"
    assert asked(open_, "{value: [power, bob]}", "[hit]") == p.UNDETERMINED
    assert asked(open_, "{value: [power, bob]}", "[hit, nap]") == "3", "whatever it was before"
    over = rules.replace("sets power of Beast to 9", "sets power of Fighter to 1\n  when Hurt\n  over R1")
    assert asked(over, "{value: [power, bob]}", "[hit]", text.replace("bob: {is: Guard", "bob: {is: [Guard, Hurt]")) == "1"  # fmt: skip
    found = answer(rules, "{effects: hit}")
    assert "power of bob becomes 4" in explain.text(found).splitlines()[0]


def test_half_of_what_it_would_be_otherwise_counts_additions_once() -> None:
    rules = "R1\n  sets power of Fighter to 4\nR2\n  adds 3 to power of Fighter\nR3\n  sets power of Fighter to ceil(otherwise(power) / 2)\n  when Hurt\n  over R1\n"
    hurt = SCENE.replace("bob: {is: Guard", "bob: {is: [Guard, Hurt]")
    assert asked(rules, "{value: [power, bob]}", "[]", SCENE) == "7"
    assert asked(rules, "{value: [power, bob]}", "[]", hurt) == "4"
    assert asked(rules.replace("ceil", "floor"), "{value: [power, bob]}", "[]", hurt) == "3"
    assert asked(rules + "R4\n  limits power of Fighter to at least 5", "{value: [power, bob]}", "[]", hurt) == "5"
    assert asked(rules + "R4\n  multiplies power of Fighter by 2", "{value: [power, bob]}", "[]", hurt) == "7"


# ── how they are written ──


@pytest.mark.parametrize(
    "head",
    ["causes carries of actor to target on Strike", "ends carries of actor on Rest", "ends carries of each Fighter to net on Rest",
     "causes near of this to at on becoming Winded", "causes Dazed of this on becoming not Hurt", "sets power of target.carries to 2 on Strike", "sets power of each Fighter to (bonus + 1) on Rest"],
)  # fmt: skip
def test_heads_are_written_as_they_are_read(head: str) -> None:
    (read,) = HeadParser(tokens(head)).head().heads
    assert str(read) == head


@pytest.mark.parametrize("head", ["causes carries of actor on Strike", "causes carries, Hurt of actor to target on Strike", "sets power of actor to 3", "ends carries on Rest"])  # fmt: skip
def test_what_is_no_head(head: str) -> None:
    with pytest.raises(Fault):
        parser = HeadParser(tokens(head))
        parser.head()
        parser.finish()


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("causes Hurt of target on Strike\n  until the second Rest", "until 2 EVENT"), ("causes Hurt of target on Strike for two turns", "until 2 EVENT"),
        ("requires Rest on Strike", "cause a state"), ("sets power of Fighter to 3 on Strike", "sets … of PATH"), ("forbids everything but Rest", "none of"),
        ("rounds power of Fighter up", "ceil(otherwise"), ("multiplies power of Fighter by 1/2 rounded up", "ceil(otherwise"), ("must Rest", "requires ACT"),
        ("requires Rest when actor some Hurt", "line of its own"), ("counts Fighter as Hurt until Rest", "line of its own"),
    ],
)  # fmt: skip
def test_what_the_language_has_not_is_told_with_how_to_say_it(written: str, says: str) -> None:
    with pytest.raises(RulebookError) as raised:
        arena.theory(f"R1\n  {written}")
    assert any(says in problem.hint for problem in raised.value.problems)


def test_what_lasted_until_an_event_is_an_effect_of_it() -> None:
    rules = "R1\n  causes Hurt of target on Strike\n  until 2 Rest\n"
    found = answer(rules, "{effects: nap2}", "[hit, nap]")
    assert [(c.thing, c.cls) for c in found.effects] == [("bob", "no longer Hurt")] and found.cites == ("R1",)
    assert "bob is no longer hurt" in explain.text(found)
    assert asked(rules, "{effects: nap}", "[hit]") != p.EFFECTS
    again = SCENE + "hit2: {is: Strike, actor: ann, target: bob}\n"
    assert asked(rules, "{effects: nap2}", "[hit, nap, hit2]", again) != p.EFFECTS, "the later blow lasts"


@pytest.mark.parametrize(
    ("history", "wanted"),
    [
        ("[hit]", p.FAILS),
        ("[hit, nap]", p.HOLDS),
        ("[hit, doze]", p.FAILS),
        ("[nap]", p.FAILS),
        ("[hit, cure]", p.HOLDS),
    ],
)
def test_what_is_no_longer_so_has_its_consequence(history: str, wanted: str) -> None:
    """By the end of what it lasted until, and by what ends it; not of who was never so."""
    rules = "R1\n  causes Hurt of target on Strike\n  until Rest of actor\nR2\n  ends Hurt of target on Enter\nR3\n  causes Dazed of this on becoming not Hurt\n"
    text = SCENE + "cure: {is: Enter, target: bob}\n"
    assert asked(rules, "{is: [bob, Dazed]}", history, text) == wanted
    if wanted == p.HOLDS:
        assert answer(rules, "{is: [bob, Dazed]}", history, text).cites[0] == "R3"


def test_whether_it_is_no_longer_so_may_be_open() -> None:
    rules = "R1\n  ends Hurt of actor on Rest\n  when actor some Veteran\nR2\n  raises power of this by 2 on becoming not Hurt\n"
    hurt = SCENE.replace("bob: {is: Guard,", "bob: {is: [Guard, Hurt],")
    assert asked(rules, "{value: [power, bob]}", "[nap]", hurt) == p.UNDETERMINED
    assert asked(rules, "{value: [power, bob]}", "[nap]", SCENE.replace("bob: {is: Guard,", "bob: {is: [Guard, Veteran],")) == "0"  # fmt: skip
    assert asked(rules, "{value: [power, bob]}", "[nap, nap2]", SCENE.replace("bob: {is: Guard,", "bob: {is: [Guard, Veteran, Hurt],")) == "2"  # fmt: skip


def test_of_each_thing_what_surely_comes_about_is_told_beside_what_is_open() -> None:
    rules = "R1\n  raises power of each Guard by 1 on Rest\n  when not Veteran\n"
    sure = SCENE.replace("bob: {is: Guard,", "bob: {is: Guard, not: [Veteran],")
    found = answer(rules, "{effects: nap}", "[]", sure)
    text = explain.text(found)
    assert found.verdict == p.UNDETERMINED
    assert "power of bob goes up by 1; it is open what else nap brings about" in text.splitlines()[0]
    assert "COMES ABOUT" in text and "if it applies to ann" in text


def test_what_may_have_become_so_may_have_its_consequence() -> None:
    rules = "R1\n  causes Hurt of target on Strike\n  when target some Veteran\nR2\n  raises power of this by 2 on becoming Hurt\n"
    assert asked(rules, "{value: [power, bob]}", "[hit]") == p.UNDETERMINED
    assert asked(rules, "{value: [power, bob]}", "[nap]") == "0"


def test_lanes_leave_to_the_reasoner_what_events_relate_or_make_no_longer_so() -> None:
    """Many variants at once: whatever an event of the past may have related, or let be so no longer, is worked out one by one."""
    rules = (
        SENT
        + "R2\n  counts Fighter as Winded\n  when at some Pit\nR3\n  raises power of this by 2 on becoming not Winded\n"
    )
    made = arena.theory(rules)
    text = HALLS + "leave: {is: Sneak, actor: ann, into: hall}\n"
    for history, question in (("[away]", "{may: hit}"), ("[leave]", "{value: [power, ann]}")):
        case = arena.case(
            things(text.replace("ann: {is: Guard, at: hall}", "ann: {is: Guard, at: hole}"), question, history)
        )
        lanes = None
        with suppress(Unground):
            lanes = after(made, [case], {}, Budget(10_000))
        assert lanes is None or lanes.lost, history
