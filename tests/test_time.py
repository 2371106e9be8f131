"""States that end, numbers that events change in their order, what each thing undergoes, and what comes of becoming so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.answers import explain
from kb.checker.checker import certify
from kb.language.parser import Fault, HeadParser
from kb.language.tokens import tokens
from kb.reasoner import proof as p, reason
from kb.reasoner.proof import Proof
from tests import strategies as arena
from tests.scenes import SCENE, effects_of, things
from tests.strategies import ask

BRUISES = """
R1
  raises power of target by 2 on Strike
R2
  limits power of Fighter to at most 3
R3
  lowers power of actor by 1 on Rest
R4
  limits power of Fighter to at least 0
R5
  counts Fighter as Winded
  when   power >= 3
R6
  causes Dazed of this on becoming Winded
R7
  ends   Dazed of actor on Rest
"""


def answer(rules: str, question: str, history: str = "[]", text: str = SCENE) -> Proof:
    """The proof, which the checker accepts."""
    found = ask(rules, things(text, question, history))
    assert [str(f) for f in certify(found, deep=True)] == []
    return found


def told(rules: str, question: str, history: str = "[]", text: str = SCENE) -> str:
    found = answer(rules, question, history, text)
    return p.shown(found.value) if found.verdict == p.VALUE else found.verdict


# ── ends ──

ENDS = "R1\n  causes Hurt of target on Strike\nR2\n  ends Hurt of actor on Rest\n  when not actor some Veteran\n"


@pytest.mark.parametrize(
    ("history", "bob", "wanted"),
    [
        ("[hit]", "Guard, not: [Veteran]", p.HOLDS), ("[hit, nap]", "Guard, not: [Veteran]", p.FAILS), ("[hit, nap, hit2]", "Guard, not: [Veteran]", p.HOLDS),
        ("[nap]", "[Guard, Hurt], not: [Veteran]", p.FAILS),  # what was stated at first has ended
        ("[hit, nap]", "[Guard, Veteran]", p.HOLDS), ("[hit, nap]", "Guard", p.UNDETERMINED), ("[nap]", "[Guard, Hurt]", p.UNDETERMINED),
        ("[nap, hit]", "Guard", p.HOLDS),
    ],
)  # fmt: skip
def test_a_state_ends_without_an_opposite(history: str, bob: str, wanted: str) -> None:
    text = SCENE.replace("bob: {is: Guard}", f"bob: {{is: {bob}}}")
    assert told(ENDS, "{is: [bob, Hurt]}", history, text) == wanted


def test_what_ends_is_told_as_ended() -> None:
    text = SCENE.replace("bob: {is: Guard}", "bob: {is: [Guard, Hurt], not: [Veteran]}")
    assert effects_of("[]", "nap", ENDS, text) == {("bob", "no longer Hurt")}
    until = "R1\n  ends Alert of target on Strike\n  until Rest\n"
    alert = SCENE.replace("bob: {is: Guard}", "bob: {is: [Guard, Alert]}")
    assert [told(until, "{is: [bob, Alert]}", h, alert) for h in ("[]", "[hit]", "[hit, nap]")] == [p.HOLDS, p.FAILS, p.HOLDS]  # fmt: skip


def test_an_exception_to_what_ends() -> None:
    rules = (
        "R1\n  ends Hurt of actor on Rest\nR2\n  causes Hurt of actor on Rest\n  when actor some Gladiator\n  over R1"
    )
    ann = SCENE.replace("bob: {is: Guard}", "bob: {is: [Gladiator, Hurt]}")
    assert told(rules, "{is: [bob, Hurt]}", "[nap]", ann) == p.HOLDS


# ── numbers by events ──


@pytest.mark.parametrize(
    ("history", "power"),
    [
        ("[]", "0"), ("[hit]", "2"), ("[hit, hit2]", "3"), ("[hit, hit2, nap]", "2"),  # the ceiling is kept at each event
        ("[hit, nap, hit2]", "3"), ("[nap, hit]", "2"), ("[nap, nap2, hit]", "2"), ("[nap]", "0"),
    ],
)  # fmt: skip
def test_events_change_a_number_in_their_order(history: str, power: str) -> None:
    assert told(BRUISES, "{value: [power, bob]}", history) == power


def test_a_stated_number_is_what_it_was_before() -> None:
    text = SCENE.replace("bob: {is: Guard}", "bob: {is: Guard, power: 1}")
    assert told(BRUISES, "{value: [power, bob]}", "[nap]", text) == "0"
    assert told(BRUISES, "{value: [power, bob]}", "[nap, nap2, hit]", text) == "2"
    rows = answer(BRUISES, "{value: [power, bob]}", "[nap, hit]", text).contributions
    assert [(r.op, r.outcome.focus.name, r.state) for r in rows if r.state == "counts"][:2] == [
        ("lowers", "nap", "counts"), ("raises", "hit", "counts"),
    ]  # fmt: skip


def test_a_number_changes_until_an_event() -> None:
    rules = "R1\n  raises power of target by bonus on Strike\n  until Rest of actor\nR2\n  adds 5 to power of Fighter\n  when Hurt"
    text = SCENE.replace("target: bob}\nhit2", "target: bob, bonus: 3}\nhit2")
    assert [told(rules, "{value: [power, bob]}", h, text) for h in ("[hit]", "[hit, nap]", "[hit, nap, hit]")][:2] == ["3", "0"]  # fmt: skip
    assert (
        told(rules, "{value: [power, bob]}", "[hit]", text.replace("bob: {is: Guard", "bob: {is: [Guard, Hurt]")) == "8"
    )


def test_an_event_by_which_a_number_may_have_changed_leaves_it_open() -> None:
    rules = "R1\n  raises power of target by 2 on Strike\n  when target some Veteran"
    found = answer(rules, "{value: [power, bob]}", "[hit]")
    assert found.verdict == p.UNDETERMINED
    assert any("veteran" in row.said(found.theory.vocabulary) for row in found.missing)
    by = "R1\n  raises power of target by strength on Strike"
    assert told(by, "{value: [power, bob]}", "[hit]") == p.UNDETERMINED
    assert told(rules, "{value: [power, bob]}", "[nap]") == "0"


def test_an_exception_to_a_change_is_one_at_its_own_event() -> None:
    """hit2 is at ann: for the veteran the blow counts double instead; bob's own blow before that is as it was."""
    rules = "R1\n  raises power of target by 1 on Strike\nR2\n  raises power of target by 2 on Strike\n  when bonus > 0\n  over R1"
    text = SCENE + "hard: {is: Strike, actor: ann, target: bob, bonus: 1}\n"
    assert [told(rules, "{value: [power, bob]}", h, text) for h in ("[hit]", "[hard]", "[hit, hard]", "[hard, hit]")] == ["1", "2", "3", "3"]  # fmt: skip
    assert told(rules, "{value: [power, bob]}", "[hit, hit2]", text.replace("hit2: {is: Strike,", "hit2: {is: Strike, unknown: [bonus],")) == p.UNDETERMINED  # fmt: skip


def test_what_an_event_changes_is_an_effect() -> None:
    found = answer("R1\n  raises power of target by 2 on Strike", "{effects: hit}")
    assert found.verdict == p.EFFECTS and [(s.thing, s.quantity, s.op) for s in found.shifts] == [("bob", "power", "raises")]  # fmt: skip
    assert told("R1\n  raises power of target by strength on Strike", "{effects: hit}") == p.UNDETERMINED
    assert told("R1\n  raises power of target by 2 on Strike\n  when bonus > 0", "{effects: hit}") != p.EFFECTS


def test_a_forged_change_of_a_number_is_noticed() -> None:
    """Planted: another amount, another order, one change left out, one told twice."""
    found = answer(BRUISES, "{value: [power, bob]}", "[hit, nap]")
    rows = list(found.contributions)
    for planted in (rows[1:], [rows[1], rows[0], *rows[2:]], [rows[0], *rows]):
        assert certify(replace(found, contributions=tuple(planted)), found.theory, found.case)
    lost = answer(BRUISES, "{effects: hit}")
    assert certify(replace(lost, shifts=()), lost.theory, lost.case)


def test_it_may_be_open_whom_an_event_concerns() -> None:
    """The way to whom it concerns turns on what is not known: nothing settled comes of that, of states, ends or numbers."""
    way = "R1\n  relates Fighter by near to (Guard and Hurt)\n"
    text = "ann: {is: Gladiator}\nbob: {is: Guard%s}\nhit: {is: Strike, actor: ann}\n"
    for head, question, yes, no in (
        ("raises power of actor.near by 1 on Strike", "{value: [power, bob]}", "1", "0"),
        ("causes Winded of actor.near on Strike", "{is: [bob, Winded]}", p.HOLDS, p.FAILS),
        ("ends Alert of actor.near on Strike", "{is: [bob, Alert]}", p.FAILS, p.HOLDS),
    ):
        rules = f"{way}R2\n  {head}"
        known = ", Alert" if "Alert" in head else ""
        for bob, wanted in ((f"[Guard, Hurt{known}]", yes), (f"[Guard{known}], not: [Hurt]", no), (f"[Guard{known}], unknown: [Hurt]", p.UNDETERMINED)):  # fmt: skip
            assert told(rules, question, "[hit]", text.replace("Guard%s", bob)) == wanted, (head, bob)
        for bob, wanted in ((f"[Guard, Hurt{known}]", p.EFFECTS), (f"[Guard{known}], unknown: [Hurt]", p.UNDETERMINED)):
            assert told(rules, "{effects: hit}", "[]", text.replace("Guard%s", bob)) == wanted, (head, bob)


def test_it_may_be_open_whether_a_thing_is_one_of_each() -> None:
    rules = "R1\n  raises power of each Hurt by 1 on Rest\nR2\n  causes Winded of each Hurt on Rest"
    for bob, number, state in (("[Guard, Hurt]", "1", p.HOLDS), ("Guard", "0", p.FAILS), ("Guard, unknown: [Hurt]", p.UNDETERMINED, p.UNDETERMINED)):  # fmt: skip
        text = SCENE.replace("bob: {is: Guard}", f"bob: {{is: {bob}}}")
        assert told(rules, "{value: [power, bob]}", "[nap]", text) == number
        assert told(rules, "{is: [bob, Winded]}", "[nap]", text) == state


# ── each, and becoming ──

EACH = "R1\n  ends Winded of each Fighter on Rest\nR2\n  lowers power of each Gladiator by 1 on Rest\n  when Hurt\n"


def test_an_event_concerns_each_thing_of_a_class() -> None:
    text = "ann: {is: [Gladiator, Winded, Hurt], power: 4}\nbob: {is: [Gladiator, Winded], power: 4}\nday: {is: Rest}\n"
    assert effects_of("[]", "day", EACH, text) == {("ann", "no longer Winded"), ("bob", "no longer Winded")}
    assert told(EACH, "{is: [bob, Winded]}", "[day]", text) == p.FAILS
    assert [told(EACH, f"{{value: [power, {who}]}}", "[day]", text) for who in ("ann", "bob")] == ["3", "4"]
    twice = text + "night: {is: Rest}\n"
    assert told(EACH, "{value: [power, ann]}", "[day, night]", twice) == "2"


def test_whether_it_was_such_an_event_may_be_open() -> None:
    rules = "R1\n  counts Act as Marked\n  exactly when actor some Veteran\nR2\n  ends Winded of each Fighter on Marked\nR3\n  raises power of each Fighter by 1 on Marked"
    text = "ann: {is: [Gladiator, Winded]}\nbob: {is: Guard%s}\nday: {is: Rest, actor: bob}\n"
    for so, wanted, number in (("[Guard, Veteran]", p.FAILS, "1"), ("Guard, not: [Veteran]", p.HOLDS, "0"), ("Guard", p.UNDETERMINED, p.UNDETERMINED)):  # fmt: skip
        case = text.replace("Guard%s", so)
        assert told(rules, "{is: [ann, Winded]}", "[day]", case) == wanted
        assert told(rules, "{value: [power, ann]}", "[day]", case) == number


@pytest.mark.parametrize(
    ("history", "wanted"),
    [("[hit]", p.FAILS), ("[hit, hit2]", p.HOLDS), ("[hit, hit2, nap]", p.FAILS), ("[hit, hit2, nap, hit3]", p.HOLDS)],
)
def test_what_becomes_so_has_its_consequence(history: str, wanted: str) -> None:
    """The second blow makes him Winded, and that makes him Dazed; to be Winded still is not to become so."""
    text = SCENE + "hit3: {is: Strike, actor: ann, target: bob}\n"
    assert told(BRUISES, "{is: [bob, Dazed]}", history, text) == wanted


def test_who_is_so_already_does_not_become_so() -> None:
    text = SCENE.replace("bob: {is: Guard}", "bob: {is: Guard, power: 3}")
    assert told(BRUISES, "{is: [bob, Dazed]}", "[hit]", text) == p.FAILS
    assert told(BRUISES, "{is: [bob, Dazed]}", "[hit]") == p.FAILS
    assert effects_of("[hit]", "hit2", BRUISES) >= {("bob", "Dazed"), ("bob", "Winded")}


def test_a_chain_of_becoming_comes_to_an_end() -> None:
    rules = "R1\n  causes Hurt of target on Strike\nR2\n  causes Dazed of this on becoming Hurt\nR3\n  causes Alert of this on becoming Dazed\nR4\n  causes Dazed of this on becoming Alert"
    assert effects_of("[]", "hit", rules) >= {("bob", "Hurt")}
    assert told("R1\n  causes Hurt of target on Strike\nR2\n  causes Winded of at.occupant on becoming Hurt", "{is: [ann, Winded]}", "[hit]",
                SCENE.replace("{is: Guard}", "{is: Guard, at: hall}") + "hall: {is: Stand}\n") == p.HOLDS  # fmt: skip


def test_whether_it_becomes_so_may_be_open() -> None:
    rules = "R1\n  raises power of target by strength on Strike\nR2\n  counts Fighter as Winded\n  when power >= 3\nR3\n  causes Dazed of this on becoming Winded"
    assert told(rules, "{is: [bob, Dazed]}", "[hit]") == p.UNDETERMINED
    assert told(rules, "{is: [bob, Dazed]}", "[hit]", SCENE.replace("target: bob}\nhit2", "target: bob, strength: 1}\nhit2")) == p.FAILS  # fmt: skip


PLACES = """
R1
  counts Fighter as Winded
  when   at some Pit
R2
  raises power of this by 1 on becoming Winded
R3
  counts Pit as Marked
  exactly when not occupant some (Fighter and not Hurt)
R4
  raises bonus of this by 1 on becoming Marked
R5
  causes Hurt of target on Strike
"""
PIT = """
ann: {is: Guard, at: hall}
bob: {is: Guard, at: hole}
hall: {is: Stand}
hole: {is: Pit}
down: {is: Sneak, actor: ann, into: hole}
up: {is: Sneak, actor: ann, into: hall}
out: {is: Sneak, actor: bob, into: hall}
hit: {is: Strike, actor: ann, target: bob}
"""


@pytest.mark.parametrize(
    ("history", "power", "bonus"),
    [
        ("[]", "0", "0"), ("[down]", "1", "0"), ("[down, up]", "1", "0"), ("[down, up, down]", "2", "0"),
        ("[out]", "0", "1"), ("[down, out]", "1", "0"), ("[down, out, up]", "1", "1"),
        ("[hit]", "0", "1"), ("[hit, out]", "0", "1"), ("[down, hit]", "1", "0"),
    ],
)  # fmt: skip
def test_who_has_gone_where_makes_something_become_so(history: str, power: str, bonus: str) -> None:
    """Who comes into a pit becomes Winded; a pit becomes Marked when its last unhurt fighter leaves, or is hurt."""
    assert told(PLACES, "{value: [power, ann]}", history, PIT) == power
    assert told(PLACES, "{value: [bonus, hole]}", history, PIT) == bonus


@pytest.mark.parametrize(
    "head",
    ["ends Hurt of actor on Rest", "causes Hurt of each Fighter on Rest", "ends Hurt of this on becoming Alert",
     "raises power of target.carries by 2 on Strike", "lowers power of each Fighter by (bonus + 1) on Rest", "raises power of this by 1 on becoming Hurt"],
)  # fmt: skip
def test_heads_are_written_as_they_are_read(head: str) -> None:
    (read,) = HeadParser(tokens(head)).head().heads
    assert str(read) == head


@pytest.mark.parametrize("head", ["ends Hurt on Rest", "raises power of actor on Rest", "causes Hurt of each Fighter on becoming Alert", "lowers power by 1 of actor on Rest"])  # fmt: skip
def test_what_is_no_head(head: str) -> None:
    with pytest.raises(Fault):
        HeadParser(tokens(head)).head()


# ── what is stated, and a norm that would have it otherwise ──


def test_a_stated_relation_stands_against_a_norm_as_a_stated_class_does() -> None:
    rules = "R1\n  relates Guard not by near to (Beast)\nR2\n  counts Guard as not Marked\n  when strength > 2"
    text = "ann: {is: [Guard, Marked], strength: 3, near: [leo]}\nleo: {is: Lion}\nrex: {is: Lion, near: []}\n"
    for question, said in (("near value leo", "near of ann is leo as stated, though R1 says otherwise"), ("Marked", "ann is a marked as stated, though R2 says otherwise")):  # fmt: skip
        found = answer(rules, f'{{is: [ann, "{question}"]}}', text=text)
        assert found.verdict == p.HOLDS
        assert [o.said(found.theory.vocabulary) for o in found.overruled] == [said]
    assert told(rules, '{is: [ann, "near value rex"]}', text=text.replace("near: [leo]", "near: []")) == p.FAILS
    assert answer(rules.replace("Beast", "Place"), '{is: [ann, "near value leo"]}', text=text).overruled == ()


def test_how_it_is_told() -> None:
    """What has ended, what an event changed and when, and flips between such effects, in words."""
    ended = explain.text(answer(ENDS, "{is: [bob, Hurt]}", "[hit, nap]", SCENE.replace("bob: {is: Guard}", "bob: {is: Guard, not: [Veteran]}")))  # fmt: skip
    assert "bob is not hurt any more, by what has happened" in ended and "R2" in ended
    number = explain.text(answer(BRUISES, "{value: [power, bob]}", "[hit, nap]"))
    assert "raises it by 2 at hit" in number and "lowers it by 1 at nap" in number
    effects = explain.text(answer(BRUISES, "{effects: hit2}", "[hit]"))
    assert "power of bob goes up by 2" in effects.splitlines()[0]
    assert "so that power of bob goes up by 2:" in effects and "bob is dazed" in effects


def test_a_change_by_an_event_is_a_rules_part_in_a_number() -> None:
    """A number that other rules decide too is told where a rule loaded has a part in it: that an event raised it is one."""
    scope = 'partly:\n  - {of: [power], with: [X1], those: "decide"}\nwholly:\n  - Act'
    made = arena.theory("R1\n  raises power of target by 2 on Strike", scope=scope)
    for history, wanted in (("[hit]", "2"), ("[]", p.OUTSIDE), ("[nap]", p.OUTSIDE)):
        found = reason.answer(made, arena.case(things(SCENE, "{value: [power, bob]}", history)))
        assert [str(f) for f in certify(found, deep=True)] == []
        assert (p.shown(found.value) if found.verdict == p.VALUE else found.verdict) == wanted
