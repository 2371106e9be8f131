"""Questions asked in many variants of a case at once (kb.circuit) come to what the reasoner says of each.

Where the two differ, the checker's own interpreter is asked which of them is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from kb import asking
from kb.checker.reference_answers import answer as reference
from kb.circuit import answers, past
from kb.circuit.conditions import Lanes
from kb.circuit.staged import Budget
from kb.errors import LoopholeError
from kb.language.case import Case, Facts
from kb.reasoner import counterfactuals, decision, flips, trials
from kb.rulebook import compiler
from kb.rulebook.theory import Theory
from tests import corpus, night

VARIANTS = night.times(60, of=4)  # of each case
DAILY = 90  # every so manieth case by day
ENOUGH = 5_000_000  # goals for flips, so that none is left out for want of them


def changes(facts: Facts) -> Iterator[Facts]:
    """What is told of a thing, with each fact of it dropped, denied, withdrawn or another."""
    for cls in facts.is_:
        rest = tuple(c for c in facts.is_ if c != cls)
        yield replace(facts, is_=rest)
        yield replace(facts, is_=rest, not_=(*facts.not_, cls))
        yield replace(facts, is_=rest, unknown=(*facts.unknown, cls))
    for role in facts.links:
        rest_ = {r: to for r, to in facts.links.items() if r != role}
        yield replace(facts, links=rest_)
        yield replace(facts, links={**rest_, role: ()})
        yield replace(facts, links=rest_, unknown=(*facts.unknown, role))
    for name, number in facts.numbers.items():
        yield replace(facts, numbers={n: v for n, v in facts.numbers.items() if n != name})
        for by in (-1, 1, 3):
            yield replace(facts, numbers={**facts.numbers, name: number + by})
    for flag, value in facts.flags.items():
        yield replace(facts, flags={**facts.flags, flag: not value})
        yield replace(facts, flags={f: v for f, v in facts.flags.items() if f != flag})


def variants(theory: Theory, case: Case, many: int) -> list[Case]:
    """A case, and others that are told in one or two facts otherwise; classes are added that norms speak of."""
    random = Random(case.name)
    classes = theory.vocabulary.classes
    spoken = sorted({t for terms in theory.spoken_of for t in terms if t in classes and not classes[t].derived})
    found = [case]
    while len(found) <= many:
        other = case
        for _ in range(random.choice((1, 1, 2)) if case.things else 0):
            name = random.choice(list(other.things))
            facts = other.things[name]
            more = replace(facts, is_=(*facts.is_, random.choice(spoken)))
            facts = random.choice([more, *changes(facts)] if random.random() < 0.7 else [more])
            other = replace(other, things={**other.things, name: facts})
        found.append(other)
    return found


def told(theory: Theory, case: Case) -> str:
    """What the reasoner says."""
    return counterfactuals.said(trials.whole(theory, case)[0])


class Difference(NamedTuple):
    """A variant of a case of which lanes say one thing, and the reasoner another."""

    case: Case
    lanes: str
    reasoner: str

    def __str__(self) -> str:
        side = "lanes" if reference(asking.rules(self.case), self.case) == self.lanes else "nobody, or the reasoner"
        return f"{self.case.name}: {self.lanes}, and the reasoner {self.reasoner}; the checker sides with {side}: {self.case.things}"


def differences(case: Case, many: int, ground: Counter[str]) -> Iterator[Difference]:
    """The variants of a case of which lanes and the reasoner say different things."""
    theory = asking.rules(case)
    cases = variants(theory, case, many)
    found = answers.verdicts(theory, cases)
    ground.update(found.reasons)
    for other, said in zip(cases, found.answers, strict=True):
        if said is not None:
            ground["ground"] += 1
            try:
                then = told(theory, other)
            except LoopholeError:
                continue  # it takes the reasoner too long
            if said != then:
                yield Difference(other, said, then)


def asked() -> list[Case]:
    """The cases to try now."""
    cases = [asking.case(case) for case in night.some(corpus.every(), of=DAILY)]
    return [case for case in cases if case.question.kind != "which"]


def faults(cases: list[Case], many: int, ground: Counter[str]) -> Iterator[Difference]:
    """What is wrong with lanes or with the reasoner, in these cases and so many variants of each."""
    return (row for case in cases for row in differences(case, many, ground))


@pytest.mark.slow
def test_every_lane_says_what_the_reasoner_says() -> None:
    ground: Counter[str] = Counter()
    wrong = list(faults(asked(), VARIANTS, ground))
    assert not wrong, "\n".join(map(str, wrong[:20]))
    total = sum(ground.values())
    print({name: f"{count / total:.1%}" for name, count in ground.most_common()})
    theirs = ground["the question effects"] + ground["what has happened before"]  # the reasoner's as yet
    assert ground["ground"] > 0.75 * (total - theirs), ground


@pytest.mark.parametrize("fault", ["lanes", "reasoner"])
def test_a_fault_in_either_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "lanes":
        monkeypatch.setattr(Lanes, "flag", lambda self, name, value, x, at: (0, 0))
        monkeypatch.setattr(Lanes, "carried", lambda self, ours, theirs, any_: any_)
        monkeypatch.setattr("kb.circuit.bars.otherwise", lambda *given: 0)
    else:
        settle = decision.settle
        monkeypatch.setattr(
            decision, "settle", lambda theory, kind, pro, con, silence: settle(theory, kind, con, pro, silence)
        )
    assert any(faults([asking.case(case) for case in corpus.of("asl/B30.4*.yaml")[:12]], 6, Counter()))


def test_what_cannot_be_worked_out_in_lanes_is_named() -> None:
    case = next(c for c in map(asking.case, corpus.every()) if c.question.kind == "effects")
    found = answers.verdicts(asking.rules(case), [case, case])
    assert found.answers == (None, None)
    assert found.reasons == {"the question effects": 2}


def with_a_past() -> list[Case]:
    """Cases with a history, of which an `is` or a `may` is asked."""
    written = night.some([case for case in corpus.every() if case.data.get("history")], of=16)
    cases = [asking.case(case) for case in written]
    return [case for case in cases if case.question.kind not in ("which", "effects")]


@pytest.mark.slow
def test_what_has_happened_before_is_worked_out_where_it_made_nothing_of_anything() -> None:
    ground: Counter[str] = Counter()
    assert list(map(str, faults(with_a_past(), 8, ground))) == []
    assert ground["ground"] > 0.1 * sum(ground.values()), ground


def test_a_past_that_is_not_looked_at_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: no event moves anybody, or makes anything of anything."""
    monkeypatch.setattr(past, "standing", lambda vocabulary, case, done: case)
    monkeypatch.setattr(past, "brought", lambda lanes, event: 0)
    assert any(faults(with_a_past(), 8, Counter()))


def test_what_takes_too_long_is_left_to_the_reasoner() -> None:
    case = asking.case(corpus.named("b30-42-plain-11"))
    theory = asking.rules(case)
    assert answers.verdicts(theory, [case], most=3).reasons == {"it takes too long": 1}
    assert answers.verdicts(theory, [case]).answers == (told(theory, case),)


@pytest.mark.slow
def test_flips_are_those_of_asking_each_change() -> None:
    for case in night.today(asked(), of=12):
        proof = asking.ask(case)
        if proof.verdict not in (
            "which",
            "undetermined",
        ):  # with effort enough for all of them: lanes get through more with the same
            each = flips.flips(*proof.worked, ENOUGH)
            assert flips.flips(*proof.worked, ENOUGH, answers.sieve) == each, case.name


def test_what_is_found_of_one_thing_is_found_in_all_variants_that_add_one(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, spend = Counter[str](), Budget.spend
    monkeypatch.setattr(Budget, "spend", lambda budget: spent.update(goals=1) or spend(budget))
    proof = asking.ask(asking.case(corpus.named("brt6-plain-01")))
    assert len(proof.turns[0]) == 36
    # 28,820 where each had a name of its own, and all norms on kinds of act were tried on it
    assert 0 < spent["goals"] < 5_000


@pytest.mark.parametrize("name", ["b30-42-plain-11", "fow-q172", "a7-more-led-both", "vv-fr-p21"])
def test_norms_that_make_nothing_more_of_a_thing_need_not_be_tried(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = asking.case(corpus.named(name))
    theory = asking.rules(case)
    cases = variants(theory, case, 40)
    found = answers.verdicts(theory, cases).answers
    monkeypatch.setattr(Lanes, "makers", lambda lanes, cls: (lanes.theory.makes.get(cls, ()), True))
    for one, all_ in zip(found, answers.verdicts(theory, cases).answers, strict=True):
        assert one is None or all_ is None or one == all_


def test_a_norm_struck_in_one_lane_is_there_in_the_others() -> None:
    case = asking.case(corpus.named("b30-42-plain-11"))
    proof = asking.ask(case)
    (norm, *_) = proof.winners
    theory = proof.theory
    found = answers.verdicts(theory, [case, case], ["", norm.norm.id])
    assert found.answers[0] == proof.verdict
    assert found.answers[1] in (None, told(compiler.without(theory, norm.norm.id), case))


@pytest.mark.parametrize("name", ["fow-q172", "fow-st3-dozer-tank-unknown"])
def test_no_name_of_a_part_that_failed_is_met_in_the_next(name: str) -> None:
    """A bar that a bunker escapes was taken to let the assault on it be: the reasoner said yes, its checker refused the proof."""
    assert list(map(str, faults([asking.case(corpus.named(name))], 60, Counter()))) == []


def test_locations_told_to_be_next_to_nothing_are_asked_in_lanes_too() -> None:
    """What a norm bars (A7.5/far) is read by the built-in that looks whether a group hangs together; in lanes it died."""
    text = """
book: asl
things:
  a: {is: [Squad, GoodOrder, HasLOSToTarget], at: here}
  b: {is: [Squad, GoodOrder, HasLOSToTarget], at: there}
  here: {is: Location, adjacentTo: []}
  there: {is: Location, adjacentTo: []}
  form: {is: FireGroupForming, firers: [a, b]}
ask: {may: form}
"""
    case = asking.case(text)
    assert asking.ask(case).verdict == "forbidden"
    assert list(map(str, faults([case], 30, Counter()))) == []
