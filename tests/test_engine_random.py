"""The reasoner on random norms and cases of the invented game: the checker agrees, flips flip, order does not matter."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import Phase, given, note, settings, strategies as st
from msgspec.structs import replace

from kb.checker.checker import certify
from kb.checker.reference_answers import answer
from kb.language.case import Case, Edit, Question
from kb.reasoner import at_first, counterfactuals, proof as p, reason, scope
from kb.reasoner.proof import Proof
from kb.rulebook.theory import Theory
from tests import strategies as arena
from tests.night import times, turn


class Box:
    """Keeps hypothesis from printing a whole theory for each example; `told` says it shortly where one fails."""

    def __init__(self, value: object):
        self.value = value

    def told(self) -> str:
        rules, of = self.value  # type: ignore[misc]
        out = [
            f"{n.id} {n.head} | when {n.when} | unless {[str(u.condition) for u in n.unless]} | over {n.over} {n.authority} {n.until}"
            for n in rules.norms.values()
        ]
        out += [
            str([q.name for q in rules.policy.principles]),
            str([(row.term, str(row.condition)) for rows in rules.scope.values() for row in rows]),
        ]
        out += [
            f"{f.name}: {f.is_} not {f.not_} unknown {f.unknown} {f.links} {f.numbers} {f.flags}"
            for f in of.things.values()
        ]
        return "\n".join([*out, f"{of.question} {of.history}"])


BOXES = st.tuples(arena.theories(), arena.cases()).map(Box)


@pytest.mark.slow
@settings(max_examples=times(400, of=4), deadline=None)
@given(BOXES)
def test_random_proofs_are_accepted(box: Box) -> None:
    """The reasoner agrees with the plain judge on every step, norm, verdict, missing fact and flip."""
    rules, question = box.value  # type: ignore[misc]
    note(box.told())
    found = reason.answer(rules, question)
    assert not [str(x) for x in certify(found, rules, question, deep=True)]
    assert outcomes(written_out(rules, question)) == outcomes(found)


def written_out(rules: Theory, question: Case) -> Proof:
    """The answer where all norms are written out as source from the first time on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_first, "OFTEN", 1)
        return reason.answer(dataclasses.replace(rules, compiled={}, shared={}, asked={}), question)


def outcomes(proof: Proof) -> list[object]:
    """What came of each norm that was tried, and of the question."""
    tried = [(o.norm.id, o.focus.name, o.status, o.soft, str(o.when), len(o.unless)) for o in proof.considered]
    return [counterfactuals.said(proof), proof.grade, *tried]


@st.composite
def known_more(draw: st.DrawFn, before: Case) -> Case:
    """The case with some facts told that it leaves open: nothing that it states or that may be presumed is changed."""
    found = dict(before.things)
    for name, facts in before.things.items():
        new = [c for c in ("Veteran", "Marked") if c not in (*facts.is_, *facts.not_, *facts.unknown)]
        yes = draw(st.lists(st.sampled_from(new), unique=True)) if new else []
        no = [c for c in new if c not in yes]
        states = [u for u in facts.unknown]
        told = tuple(s for s in states if draw(st.booleans()))
        flags = {**facts.flags, "open": facts.flags.get("open", draw(st.booleans()))}
        numbers = {**facts.numbers}
        if "strength" not in numbers:
            numbers["strength"] = Fraction(draw(st.integers(0, 3)))
        found[name] = replace(
            facts, is_=(*facts.is_, *yes, *told), not_=(*facts.not_, *no, *(s for s in states if s not in told)), unknown=(), flags=flags, numbers=numbers,
        )  # fmt: skip
    return replace(before, things=found)


@pytest.mark.slow
@settings(max_examples=times(300, of=3), deadline=None)
@given(BOXES, st.data())
def test_a_settled_answer_stays_when_open_facts_become_known(box: Box, data: st.DataObject) -> None:
    """Marks, flags and numbers that are asked for, never presumed: if the answer was not open, telling them changes nothing."""
    rules, question = box.value  # type: ignore[misc]
    note(box.told())
    found = reason.answer(rules, question)
    if found.verdict == p.UNDETERMINED:
        return
    more = data.draw(known_more(question).map(Box)).value
    assert isinstance(more, Case)
    if contradictory(more) or found.verdict == p.CONFLICT:
        return
    now = reason.answer(rules, more)
    if found.verdict == p.OUTSIDE and of_an_open_kind(found):
        return  # an event of another kind, once its kind is told, may be decided here
    if now.overruled:
        return  # told against what a norm concludes, the case has its word
    assert counterfactuals.said(now) == counterfactuals.said(found)


def of_an_open_kind(effects: p.Proof) -> bool:
    """Whether it is open if the event that effects were asked of is one that the rules decide."""
    if effects.case.question.kind != "effects":
        return False
    situation = effects.worked[1]
    event = situation.things[effects.case.question.thing]
    return any(step.value is None for _, step in scope.rows(situation, event))


def contradictory(of: Case) -> bool:
    classes = arena.VOCABULARY.classes
    return any(b in classes[a].disjoint for f in of.things.values() for a in f.is_ for b in f.is_)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(BOXES)
def test_each_flip_flips_and_each_missing_fact_leads_where_it_says(box: Box) -> None:
    rules, question = box.value  # type: ignore[misc]
    note(box.told())
    found = reason.answer(rules, question)
    for flip in found.flips:
        assert flip.verdict != counterfactuals.said(found)
        if flip.kind == "facts":
            assert said_after(rules, question, flip.edits) == flip.verdict
    for row in found.missing:
        for edits, then in zip(row.edits, (row.if_true, row.if_false), strict=True):
            if edits and then != "impossible":
                assert answer_after(rules, question, edits) == then


def said_after(rules: object, of: Case, edits: tuple[Edit, ...]) -> str:
    for edit in edits:
        of = edit.apply(of)
    return counterfactuals.said(reason.answer(rules, of, False))  # type: ignore[arg-type]


def answer_after(rules: object, of: Case, edits: tuple[Edit, ...]) -> str:
    """As `said_after`, worked out by the judge."""
    for edit in edits:
        of = edit.apply(of)
    return answer(rules, of)  # type: ignore[arg-type]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(BOXES)
def test_the_order_of_things_and_norms_does_not_matter(box: Box) -> None:
    rules, question = box.value  # type: ignore[misc]
    turned = replace(question, things=dict(reversed(question.things.items())))
    assert counterfactuals.said(reason.answer(rules, turned)) == counterfactuals.said(reason.answer(rules, question))


@settings(max_examples=20, deadline=None)
@given(BOXES)
def test_a_few_at_random_hold(box: Box) -> None:
    """For who is at work: what is held above, of a few drawn cases."""
    for test in (
        test_random_proofs_are_accepted,
        test_each_flip_flips_and_each_missing_fact_leads_where_it_says,
        test_the_order_of_things_and_norms_does_not_matter,
    ):
        test.hypothesis.inner_test(box)  # type: ignore[attr-defined]


@pytest.mark.slow
@turn(of=3, on=1)
def test_every_kind_of_answer_is_met_at_random() -> None:
    """The strategies reach every verdict within 2500 draws; else the properties above say little."""
    wanted = {
        p.PERMITTED, p.FORBIDDEN, p.REQUIRED, p.UNDETERMINED, p.SILENT, p.CONFLICT, p.VALUE, p.EFFECTS, p.NO_EFFECT, p.HOLDS, p.FAILS,
    }  # fmt: skip

    class AllMet(Exception):
        """Ends the drawing."""

    @settings(max_examples=2500, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    @given(BOXES)
    def draw(box: Box) -> None:
        rules, of = box.value  # type: ignore[misc]
        # The question is drawn apart from the things: the others are as likely, and asking is cheap beside drawing.
        for question in (of.question, *(Question(kind, "act") for kind in ("may", "must", "effects"))):
            wanted.discard(reason.answer(rules, replace(of, question=question), False).verdict)
        if not wanted:
            raise AllMet

    with pytest.raises(AllMet):
        draw()
