"""The reasoner on the invented game: conditions of three values, exceptions, defeat, duties, silence, and what would turn it."""

from __future__ import annotations

import pytest

from kb.checker.checker import certify
from kb.reasoner import at_first, counterfactuals, proof as p
from tests.scenes import ANN, things, verdict
from tests.strategies import ask, theory

# ── three values ──

UNKNOWN, TRUE, FALSE = "Veteran", "Gladiator", "Guard"  # of ann: not said, so, and not so


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        (f"{TRUE} and {TRUE}", True), (f"{TRUE} and {UNKNOWN}", None), (f"{FALSE} and {UNKNOWN}", False), (f"{UNKNOWN} and {FALSE}", False),
        (f"{TRUE} or {UNKNOWN}", True), (f"{UNKNOWN} or {TRUE}", True), (f"{FALSE} or {UNKNOWN}", None), (f"{FALSE} or {FALSE}", False),
        (f"not {TRUE}", False), (f"not {FALSE}", True), (f"not {UNKNOWN}", None),
        (f"{TRUE} except ({UNKNOWN})", None), (f"{TRUE} except ({FALSE})", True), (f"{TRUE} except ({TRUE})", False), (f"{FALSE} except ({UNKNOWN})", False),
        ("at some Stand", True), ("at some Pit", False), ("at some Veteran", None), ("at only Stand", True), ("at only Pit", False), ("at only Veteran", None),
        ("carries some Net", False), ("carries only Net", True), ("near some Pit", None), ("near only Pit", None),
        ("carries min 1 Thing", False), ("carries max 0 Thing", True), ("carries exactly 0 Thing", True), ("near min 1", None), ("at exactly 1 Stand", True), ("at exactly 1 Veteran", None),
        ("strength > 2", True), ("strength > 3", False), ("strength = 3", True), ("strength != 3", False), ("bonus < 1", True), ("at some (open true)", None), ("at some (barred true)", False), ("at some (barred false)", True),
        ("at value hall", True), ("at value ann", False), ("near value hall", None), ("same as ann", True), ("same as hall", False),
        ("from some Stand", None), ("inverse actor some Thing", False), ("at some (occupant some Gladiator)", True),
    ],
)  # fmt: skip
def test_connectives_are_strong_kleene(condition: str, value: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {True: p.HOLDS, False: p.FAILS, None: p.UNDETERMINED}[value]
    for often in (at_first.OFTEN, 1):  # tried as nested functions, and as source that is written out
        monkeypatch.setattr(at_first, "OFTEN", often)
        found = ask("R1\n  permits Act", things(ANN, f'{{is: [ann, "{condition}"]}}'))
        assert found.verdict == wanted
        assert not certify(found)


def test_a_state_is_presumed_absent_and_named() -> None:
    rules = "R1\n  forbids Rest\n  when actor some Fit"
    found = ask(rules, things(ANN + "nap: {is: Rest, actor: ann}", "{may: nap}"))
    assert found.verdict == p.FORBIDDEN and found.grade == p.IF_NOTHING_ELSE
    assert {(a.thing, a.term) for a in found.assumptions} == {("ann", "Hurt"), ("ann", "Dazed")}


def test_a_presumption_that_is_withdrawn_leaves_it_open() -> None:
    rules = "R1\n  forbids Rest\n  when actor some Hurt\nR2\n  permits Rest"
    nap = "nap: {is: Rest, actor: ann}"
    for ann, wanted in (
        ("ann: {is: Guard}", p.PERMITTED), ("ann: {is: Guard, unknown: [Hurt]}", p.UNDETERMINED), ("ann: {is: Guard, unknown: [State]}", p.UNDETERMINED),
        ("ann: {is: [Guard, Hurt]}", p.FORBIDDEN), ("ann: {is: Guard, not: [Hurt]}", p.PERMITTED), ("ann: {is: Guard, not: [State]}", p.PERMITTED),
    ):  # fmt: skip
        assert verdict(rules, f"{ann}\n{nap}", "{may: nap}") == wanted


def test_a_stated_answer_is_settled() -> None:
    rules = "R1\n  forbids Rest\n  when actor some (Guard and not Hurt)"
    found = ask(rules, things("ann: {is: Guard, not: [Hurt]}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert found.verdict == p.FORBIDDEN and found.grade == p.SETTLED and not found.assumptions


def test_lists_are_presumed_complete_only_where_the_ontology_says_so() -> None:
    rules = "R1\n  permits Rest\n  when not actor some (carries some Net)\nR2\n  forbids Rest\n  when actor some (near some Gate)"
    assert verdict(rules, "ann: {is: Guard, near: []}\nnap: {is: Rest, actor: ann}", "{may: nap}") == p.PERMITTED
    assert verdict(rules, "ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}") == p.UNDETERMINED
    found = ask(rules, things("ann: {is: Guard, near: []}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert [a.kind for a in found.assumptions] == ["completeness"]
    found = ask(rules, things("ann: {is: Guard, near: [], carries: []}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert not found.assumptions


# ── exceptions: on a part of a condition, and on the act ──

DOOR = """
R1
  permits Enter
R2
  forbids Enter
  when    into some (occupant some (Enemy and Fighter except feeble (Hurt or Dazed)))
  unless  dusk: moment some Dusk
  over    R1
"""
GATE = "ann: {is: [Gladiator, Friendly]}\ngate: {is: Gate}\n"


@pytest.mark.parametrize(
    ("foes", "wanted"),
    [
        (["Hurt"], p.PERMITTED), ([""], p.FORBIDDEN), (["Hurt", ""], p.FORBIDDEN), (["", "Hurt"], p.FORBIDDEN), (["Hurt", "Dazed"], p.PERMITTED), ([], p.PERMITTED),
    ],
)  # fmt: skip
def test_an_exception_frees_only_what_it_hangs_on(foes: list[str], wanted: str) -> None:
    foe = "".join(
        f"foe{i}: {{is: [{', '.join(filter(None, ['Guard', 'Enemy', state]))}], at: gate}}\n"
        for i, state in enumerate(foes)
    )
    assert verdict(DOOR, GATE + foe + "go: {is: Enter, actor: ann, into: gate, moment: Dawn}", "{may: go}") == wanted
    assert (
        verdict(DOOR, GATE + foe + "go: {is: Enter, actor: ann, into: gate, moment: Dusk}", "{may: go}") == p.PERMITTED
    )


def test_an_exception_that_is_open_leaves_the_norm_open() -> None:
    text = GATE + "foe: {is: [Guard, Enemy], at: gate}\ngo: {is: Enter, actor: ann, into: gate}"
    found = ask(DOOR, things(text, "{may: go}"))
    assert found.verdict == p.UNDETERMINED
    assert {(row.if_true, row.if_false) for row in found.missing if row.settles} == {(p.PERMITTED, p.FORBIDDEN)}


def test_an_exception_met_is_told_with_the_rule_it_needs() -> None:
    rules = DOOR.replace("moment some Dusk", "moment some Dusk  [X8.6]")
    text = GATE + "foe: {is: [Guard, Enemy], at: gate}\ngo: {is: Enter, actor: ann, into: gate, moment: Dusk}"
    found = ask(rules, things(text, "{may: go}"))
    assert (found.verdict, found.grade, found.needs, found.defeated) == (p.PERMITTED, p.PARTLY_HERE, ("X8.6",), ("R2",))


# ── defeat ──

TWO = "{0}\n  permits Enter\n  when {1}\n{2}\n  forbids Enter\n  when {3}\n"
GO = "ann: {is: [Gladiator, Veteran]}\ngo: {is: Leap, actor: ann, moment: Dawn}"
THING = "actor some Thing"


def principles(*names: str) -> str:
    rows = "".join(f"\n  - {{name: {n}, cite: R0.{i}, says: because}}" for i, n in enumerate(names))
    return (
        f"book: arena\nauthorities: [chapter, module, erratum, scenario]\nprinciples:{rows}\n"
        if names
        else "book: arena\n"
    )


@pytest.mark.parametrize(
    ("policy", "rules", "wanted"),
    [
        (principles(), TWO.format("R1.1", THING, "R1.2", THING), p.CONFLICT),
        (principles("higher-number"), TWO.format("R1.1", THING, "R1.2", THING), p.FORBIDDEN),
        (principles("lower-number"), TWO.format("R1.1", THING, "R1.2", THING), p.PERMITTED),
        (principles("higher-number"), TWO.format("R1.4", THING, "R1.32", THING), p.PERMITTED),  # decimals: 4 after 32
        (principles("higher-number"), TWO.format("R9.1", THING, "R10.1", THING), p.FORBIDDEN),
        (principles("higher-number"), TWO.format("Q1.1", THING, "R1.2", THING), p.CONFLICT),  # other chapters are not numbered together
        (principles("higher-number"), TWO.format("R1.1/a", THING, "R1.1/b", THING), p.CONFLICT),
        (principles("prohibition", "higher-number"), TWO.format("R1.2", THING, "R1.1", THING), p.FORBIDDEN),
        (principles("explicit", "prohibition"), TWO.format("R1.1", THING, "R1.2", THING).replace("\nR1.2", "\n  over R1.2\nR1.2"), p.PERMITTED),
        (principles("prohibition", "explicit"), TWO.format("R1.1", THING, "R1.2", THING).replace("\nR1.2", "\n  over R1.2\nR1.2"), p.FORBIDDEN),
        (principles("specificity"), TWO.format("R1.1", "actor some Gladiator", "R1.2", "actor some Fighter"), p.PERMITTED),
        (principles("specificity"), TWO.format("R1.1", "actor some Fighter", "R1.2", "actor some (Fighter and Veteran)"), p.FORBIDDEN),
        (principles("specificity"), TWO.format("R1.1", "actor some Gladiator", "R1.2", "moment some Dawn"), p.CONFLICT),
        (principles("explicit"), TWO.format("R1.1", THING, "R1.2", THING).replace("\nR1.2", "\n  over R1.2\nR1.2") + "  over R1.1\n", p.CONFLICT),
    ],
)  # fmt: skip
def test_each_principle(policy: str, rules: str, wanted: str) -> None:
    found = ask(theory(rules, policy), things(GO, "{may: go}"))
    assert found.verdict == wanted
    assert not certify(found, deep=True)
    if wanted != p.CONFLICT:
        assert [d.principle.name in policy for d in found.defeats] == [True]
    else:
        assert len(found.winners) == 2 and not found.defeats


def test_authority() -> None:
    both = theory(
        "R1.2\n  permits Enter", module="M1\n  forbids Enter", policy=principles("authority", "higher-number")
    )
    found = ask(both, things(GO, "{may: go}"))
    assert found.verdict == p.FORBIDDEN and found.defeats[0].principle.name == "authority"


def test_team_defeat() -> None:
    """Each norm of the losing side needs one of the winning side that beats it; not one that beats them all."""
    rules = "R1\n  permits Enter\nR2\n  permits Enter\nR3\n  forbids Enter\n  over R1\nR4\n  forbids Enter\n  over R2\n"
    assert verdict(rules, GO, "{may: go}") == p.FORBIDDEN
    rules = "R1\n  permits Enter\nR2\n  permits Enter\nR3\n  forbids Enter\n  over R1\n"
    assert verdict(rules, GO, "{may: go}") == p.CONFLICT
    rules += "R5\n  permits Enter\n  over R3\n"
    assert verdict(rules, GO, "{may: go}") == p.PERMITTED


def test_over_a_rule_means_all_its_norms() -> None:
    rules = "R1/a\n  permits Enter\nR1/b\n  permits Enter\n  when actor some Veteran\nR2\n  forbids Enter\n  over R1\n"
    found = ask(rules, things(GO, "{may: go}"))
    assert found.verdict == p.FORBIDDEN and {d.loser.norm.id for d in found.defeats} == {"R1/a", "R1/b"}


def test_an_open_norm_that_would_change_nothing_does_not_matter() -> None:
    rules = "R1\n  permits Enter\nR2\n  forbids Enter\n  over R1\nR3\n  forbids Enter\n  when moment some Marked"
    assert verdict(rules, GO, "{may: go}") == p.FORBIDDEN
    rules = rules.replace("R3\n  forbids", "R3\n  permits") + "\n  over R2"
    assert verdict(rules, GO, "{may: go}") == p.UNDETERMINED


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ("R1\n  requires Rest", p.REQUIRED), ("R1\n  requires Rest\nR2\n  waives Rest", p.CONFLICT), ("R1\n  requires Rest\nR2\n  waives Rest\n  over R1", p.PERMITTED),
        ("R1\n  requires Rest\nR2\n  forbids Rest\n  over R1", p.FORBIDDEN), ("R1\n  permits Rest", p.SILENT), ("R1\n  requires Rest\n  when actor some Hurt", p.SILENT),
    ],
)  # fmt: skip
def test_must(rules: str, wanted: str) -> None:
    assert verdict(rules, "ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{must: nap}") == wanted


def test_what_is_required_is_permitted() -> None:
    assert verdict("R1\n  requires Rest", "ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}") == p.PERMITTED


# ── silence ──

SCOPE = """
wholly: [{of: [Enter], by: R0.9, says: "no more"}]
partly: [{of: [Sneak, Strike], with: [S], those: "lets it be done"}]
"""


@pytest.mark.parametrize(
    ("act", "wanted", "kind"),
    [("Enter", p.FORBIDDEN, p.WHOLLY), ("Leap", p.FORBIDDEN, p.WHOLLY), ("Sneak", p.OUTSIDE, p.PARTLY), ("Strike", p.OUTSIDE, p.PARTLY), ("Rest", p.OUTSIDE, p.OUTSIDE), ("Act", p.UNDETERMINED, p.WHOLLY)],
)  # fmt: skip
def test_what_no_norm_speaks_of_is_as_the_narrowest_row_has_it(act: str, wanted: str, kind: str) -> None:
    found = ask(
        theory("R1\n  permits Enter\n  when actor some Hurt", scope=SCOPE),
        things(f"ann: {{is: Guard}}\ngo: {{is: {act}, actor: ann}}", "{may: go}"),
    )
    assert found.verdict == wanted
    assert not certify(found, deep=True)
    assert (found.scope.kind, found.scope.by) == (kind, "R0.9" if wanted == p.FORBIDDEN else "")
    assert found.needs == (("S",) if kind == p.PARTLY else ())


# ── missing facts and flips ──


def test_reasoning_by_cases() -> None:
    """Whether ann is a veteran is open, and it does not matter."""
    rules = "R1\n  permits Rest\n  when actor some Veteran\nR2\n  permits Rest\n  when not actor some Veteran"
    found = ask(rules, things("ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert found.verdict == p.PERMITTED and len(found.cases) == 2
    assert not certify(found)


def test_what_is_reasoned_by_cases_is_not_settled_where_something_told_is_not_read() -> None:
    """Whether ann is a veteran is open and does not matter; that she carries a net nothing reads."""
    rules = "R1\n  permits Rest\n  when actor some Veteran\nR2\n  permits Rest\n  when not actor some Veteran"
    told = "net: {is: Net}\nann: {is: Guard%s}\nnap: {is: Rest, actor: ann}"
    bare, laden = (ask(rules, things(told % more, "{may: nap}")) for more in ("", ", carries: net"))
    assert len(bare.cases) == len(laden.cases) == 2
    assert (bare.grade, laden.grade) == (p.SETTLED, p.IF_NOTHING_ELSE)
    assert not certify(bare) and not certify(laden)


def test_what_is_reasoned_by_cases_is_so_again_without_a_rule() -> None:
    """Without R1, or without R3, it is still permitted, whichever way; without both a veteran is not."""
    rules = (
        "R1\n  permits Rest\n  when actor some Veteran\nR2\n  permits Rest\n  when not actor some Veteran\n"
        "R3\n  permits Rest\n  when actor some (Veteran and Guard)"
    )
    found = ask(rules, things("ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert len(found.cases) == 2 and [f.norm for f in found.flips if f.kind == "rule"] == []
    fewer = ask(rules.partition("\nR3")[0], things("ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert {f.norm: f.verdict for f in fewer.flips if f.kind == "rule"} == {"R1": p.UNDETERMINED}


def test_two_open_facts_are_not_settled_by_one() -> None:
    rules = "R1\n  permits Rest\n  when actor some (Veteran and open true)\nR2\n  permits Rest\n  when not actor some Veteran"
    found = ask(rules, things("ann: {is: Guard}\nnap: {is: Rest, actor: ann}", "{may: nap}"))
    assert found.verdict == p.UNDETERMINED


def test_flips() -> None:
    found = ask(
        DOOR,
        things(
            GATE + "foe: {is: [Guard, Enemy], at: gate}\ngo: {is: Enter, actor: ann, into: gate, moment: Dawn}",
            "{may: go}",
        ),
    )
    assert found.verdict == p.FORBIDDEN
    rules = {f.norm: f.verdict for f in found.flips if f.kind == "rule"}
    assert rules == {"R2": p.PERMITTED}
    facts = [f for f in found.flips if f.kind == "facts"]
    assert {"foe is hurt", "foe is dazed"} <= {f.said(found.theory.vocabulary) for f in facts}
    assert {f.verdict for f in facts} == {p.PERMITTED}
    assert not certify(found, deep=True)


# ── readings ──


def test_readings() -> None:
    rules = "R1/a\n  forbids Rest\n  when actor some Hurt\n  reading who:hurt\nR1/b\n  forbids Rest\n  when actor some Dazed\n  reading who:dazed\nR2\n  permits Rest\n  when not actor some Lion"
    made = theory(rules)
    assert set(made.norms) == {"R1/a", "R2"}
    assert counterfactuals.readings(made) == {"who": ["hurt", "dazed"]}
