"""The reasoner on the invented game: numbers, effects, and what has happened before."""

from __future__ import annotations

import pytest

from kb.checker.checker import certify
from kb.reasoner import proof as p
from tests.scenes import FIGHT, SCENE, effects_of, things, verdict
from tests.strategies import ask, theory

# ── numbers ──

HIT = "ann: {is: [Guard, Veteran], strength: 3, carries: [net, sword]}\nnet: {is: Net, bonus: 1}\nsword: {is: Sword, bonus: 2}\nhit: {is: Strike, actor: ann}"


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ("R1\n  sets power of Strike to 4", "4"),
        ("R1\n  sets power of Strike to actor.strength + 1/2", "3½"),
        ("R1\n  adds 2 to power of Strike", "2"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 1 to power of Strike\nR3\n  multiplies power of Strike by 3\nR4\n  limits power of Strike to at most 10", "10"),
        ("R1\n  sets power of Strike to 1\nR2\n  limits power of Strike to at least 5", "5"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to 5", "conflict"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to 4", "4"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to 5\n  over R1", "5"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to otherwise(power) + 1\n  over R1", "5"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 1 to power of Strike\nR3\n  sets power of Strike to 0\n  when 2 * actor.strength > otherwise(power)\n  over R1, R2", "0"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 1 to power of Strike\nR3\n  sets power of Strike to 0\n  when actor.strength > otherwise(power)\n  over R1, R2", "5"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 9 to power of Strike\n  when actor some Hurt", "4"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 9 to power of Strike\n  when actor some (near some Thing)", "undetermined"),
        ("R1\n  sets power of Strike to 4\nR2\n  adds 0 to power of Strike\n  when actor some (near some Thing)", "4"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to 4\n  when actor some (near some Thing)", "4"),
        ("R1\n  sets power of Strike to 4\nR2\n  sets power of Strike to 5\n  when actor some (near some Thing)", "undetermined"),
        ("R1\n  sets power of Strike to 4\n  when actor some Hurt", "0"),
        ("R1\n  sets power of Strike to target.strength", "undetermined"),
        ("R1\n  sets power of Strike to count(actor.carries)", "2"), ("R1\n  sets power of Strike to count(actor.carries that Net)", "1"),
        ("R1\n  sets power of Strike to sum(actor.carries, bonus)", "3"), ("R1\n  sets power of Strike to highest(actor.carries, bonus)", "2"),
        ("R1\n  sets power of Strike to lowest(actor.carries, bonus)", "1"), ("R1\n  sets power of Strike to sum(actor.carries that Beast, bonus)", "0"),
        ("R1\n  sets power of Strike to highest(actor.carries that Beast, bonus)", "undetermined"), ("R1\n  sets power of Strike to count(actor.near)", "undetermined"),
        ("R1\n  sets power of Strike to floor(7 / 2) + ceil(7 / 2) + min(1, 2) + max(1, 2) + abs(0 - 3)", "13"), ("R1\n  sets power of Strike to 1 / 0", "undetermined"),
        ("R1\n  sets power of Strike to 1/3 + 1/6", "½"), ("R1\n  sets power of Strike to 2 1/2 * 2", "5"), ("R1\n  sets power of Strike to -2 - -3", "1"),
    ],
)  # fmt: skip
def test_numbers(rules: str, wanted: str) -> None:
    assert verdict(rules, HIT, "{value: [power, hit]}") == wanted


TABLE = "Table: odds\n\n| fp | few | many |\n|---|---|---|\n| 1 | 10 | 1/2 |\n| 4 | 20 |  |\n| 8 | 30 | three |\n"


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("lookup(odds at or below 5).few", "20"), ("lookup(odds at or below 4).few", "20"), ("lookup(odds at or below 99).few", "30"), ("lookup(odds at or below 0).few", "undetermined"),
        ("lookup(odds is 4).few", "20"), ("lookup(odds is 5).few", "undetermined"), ("lookup(odds at or below 5 shift 1).few", "30"), ("lookup(odds at or below 5 shift -1).few", "10"),
        ("lookup(odds at or below 1 shift -1).few", "undetermined"), ("lookup(odds at or below 8 shift 1).few", "undetermined"), ("lookup(odds is 1).many", "½"),
        ("lookup(odds is 4).many", "undetermined"), ("lookup(odds is 8).many", "undetermined"), ("lookup(odds at or below this.actor.strength).few", "10"),
    ],
)  # fmt: skip
def test_lookups(expression: str, wanted: str) -> None:
    found = ask(
        theory(f"R1\n  sets power of Strike to {expression}", tables=TABLE), things(HIT, "{value: [power, hit]}")
    )
    assert not certify(found, deep=True)
    assert (p.shown(found.value) if found.value is not None else found.verdict) == wanted


def test_a_stated_number_and_a_default() -> None:
    assert (
        verdict(
            "R1\n  adds 1 to power of Strike",
            HIT.replace("{is: Strike", "{is: Strike, power: 6"),
            "{value: [power, hit]}",
        )
        == "7"
    )
    assert verdict("R1\n  permits Act", HIT, "{value: [power, hit]}") == "0"
    assert (
        verdict(
            "R1\n  permits Act", HIT.replace("{is: Strike", "{is: Strike, unknown: [power]"), "{value: [power, hit]}"
        )
        == p.UNDETERMINED
    )


def test_every_contribution_is_told_and_why_it_lost() -> None:
    rules = "R1\n  sets power of Strike to 4\nR2\n  adds 1 to power of Strike\nR3\n  sets power of Strike to 9\n  over R1, R2\nR4\n  adds 2 to power of Strike\n  when actor some Hurt"
    found = ask(rules, things(HIT, "{value: [power, hit]}"))
    assert found.value == 9
    assert {c.outcome.norm.id: c.state for c in found.contributions} == {
        "R1": "beaten",
        "R2": "beaten",
        "R3": "counts",
        "R4": "idle",
    }
    assert {d.loser.norm.id: d.winner.norm.id for d in found.defeats} == {"R1": "R3", "R2": "R3"}


# ── effects and history ──


def test_effects() -> None:
    assert effects_of("[]", "hit") == {("bob", "Hurt")}
    assert effects_of("[hit]", "hit2") == {("bob", "Hurt"), ("bob", "Dazed")}
    assert effects_of("[]", "nap") == {("bob", "Alert")}  # Favoured is how rules look at him, no state of his
    changed = FIGHT.replace("Fighter as Favoured", "Fighter as Hurt").replace("Alert and not Hurt", "Alert")
    assert effects_of("[]", "nap", changed) == {("bob", "Alert"), ("bob", "Hurt")}
    assert effects_of("[hit]", "nap") == {("bob", "Alert"), ("bob", "no longer Hurt")}


def test_an_effect_ends_for_him_alone_with_whom_its_event_is() -> None:
    """Until somebody rests, or until he rests himself: nap is bob's, doze is ann's."""
    scene = SCENE + "doze: {is: Rest, actor: ann}\n"
    own = FIGHT.replace("until  Rest", "until  Rest of actor")

    def hurt(rules: str, history: str) -> str:
        found = ask(rules, things(scene, "{is: [bob, Hurt]}", history))
        assert not certify(found, deep=True)
        return found.verdict

    assert [hurt(rules, "[hit]") for rules in (FIGHT, own)] == [p.HOLDS, p.HOLDS]
    assert [hurt(rules, "[hit, nap]") for rules in (FIGHT, own)] == [p.FAILS, p.FAILS]
    assert [hurt(rules, "[hit, doze]") for rules in (FIGHT, own)] == [p.FAILS, p.HOLDS]
    assert [hurt(rules, "[hit, doze, nap]") for rules in (FIGHT, own)] == [p.FAILS, p.FAILS]
    assert effects_of("[hit, doze]", "hit2", own, scene) == {("bob", "Hurt"), ("bob", "Dazed")}
    assert effects_of("[hit, doze]", "hit2", FIGHT, scene) == {("bob", "Hurt")}


def test_an_effect_lasts_until_the_first_of_several_events() -> None:
    """Until he rests himself, or until anybody enters: doze is ann's, go is anybody's."""
    either = FIGHT.replace("until  Rest", "until  Rest of actor, Enter")
    scene = SCENE + "doze: {is: Rest, actor: ann}\ngo: {is: Enter, actor: ann}\n"

    def hurt(history: str) -> str:
        found = ask(either, things(scene, "{is: [bob, Hurt]}", history))
        assert not certify(found, deep=True)
        return found.verdict

    assert [hurt(h) for h in ("[hit]", "[hit, doze]", "[hit, nap]", "[hit, go]", "[hit, doze, go]")] == [p.HOLDS, p.HOLDS, p.FAILS, p.FAILS, p.FAILS]  # fmt: skip


@pytest.mark.parametrize(
    ("history", "condition", "wanted"),
    [
        ("[]", "Hurt", p.FAILS), ("[hit]", "Hurt", p.HOLDS), ("[hit, nap]", "Hurt", p.FAILS), ("[hit, nap, hit2]", "Hurt", p.HOLDS), ("[hit, hit2]", "Dazed", p.HOLDS),
        ("[hit, hit2, nap]", "Dazed", p.FAILS),  # Alert ends what it excludes
        ("[nap]", "Favoured", p.HOLDS), ("[nap, hit]", "Favoured", p.FAILS), ("[nap, hit]", "Alert", p.HOLDS), ("[nap, hit, nap2]", "Favoured", p.HOLDS),
    ],
)  # fmt: skip
def test_history(history: str, condition: str, wanted: str) -> None:
    assert verdict(FIGHT, SCENE, f"{{is: [bob, {condition}]}}", history=history) == wanted


def test_an_effect_ends_a_stated_state_that_it_excludes() -> None:
    text = SCENE.replace("bob: {is: Guard}", "bob: {is: [Guard, Dazed]}")
    assert verdict(FIGHT, text, "{is: [bob, Dazed]}", history="[]") == p.HOLDS
    assert verdict(FIGHT, text, "{is: [bob, Dazed]}", history="[nap]") == p.FAILS
    assert (
        verdict(FIGHT, text.replace("[Guard, Dazed]", "Guard, not: [Alert]"), "{is: [bob, Alert]}", history="[nap]")
        == p.HOLDS
    )


def test_an_effect_gives_way_to_one_that_is_over_it() -> None:
    rules = "R1\n  causes Hurt of target on Strike\nR2/a\n  causes Dazed of target on Strike\nR3\n  causes Alert of target on Strike\n  when target some Veteran\n  over R1, R2"
    young = SCENE.replace("bob: {is: Guard}", "bob: {is: Guard, not: [Veteran]}")
    assert effects_of("[]", "hit", rules, young) == {("bob", "Hurt"), ("bob", "Dazed")}
    assert ask(rules, things(SCENE, "{effects: hit}")).verdict == p.UNDETERMINED
    old = SCENE.replace("bob: {is: Guard}", "bob: {is: [Guard, Veteran]}")
    assert effects_of("[]", "hit", rules, old) == {("bob", "Alert")}


def test_a_second_cause_stands_when_the_first_is_beaten() -> None:
    rules = "R1\n  causes Hurt of target on Strike\nR2\n  causes Hurt of target on Strike\nR3\n  causes Dazed of target on Strike\n  over R1"
    assert effects_of("[]", "hit", rules) == {("bob", "Hurt"), ("bob", "Dazed")}


def test_an_open_effect_leaves_it_open() -> None:
    rules = "R1\n  causes Hurt of target on Strike\n  when target some (near some Thing)"
    assert verdict(rules, SCENE, "{effects: hit}") == p.UNDETERMINED
    assert verdict(rules + "\nR2\n  causes Hurt of target on Strike", SCENE, "{effects: hit}") == p.EFFECTS
    assert (
        verdict(rules, SCENE.replace("bob: {is: Guard", "bob: {is: Guard, near: []"), "{effects: hit}") == p.NO_EFFECT
    )
