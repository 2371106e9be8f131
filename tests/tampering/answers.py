"""What an answer says is falsified: the verdict, who decides, who lost, what is open, the effects, the question."""

from __future__ import annotations

from kb.language import norms as m
from kb.language.case import IsA
from kb.reasoner import proof as p, support
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Missing, Step
from tests.tampering.parts import Tamper, alter_rest, graded, other_thing, put, replace, step_where

OPPOSITE = {
    p.PERMITTED: p.FORBIDDEN, p.FORBIDDEN: p.PERMITTED, p.REQUIRED: p.PERMITTED, p.HOLDS: p.FAILS, p.FAILS: p.HOLDS,
    p.SILENT: p.PERMITTED, p.UNDETERMINED: p.SILENT, p.CONFLICT: p.FORBIDDEN, p.EFFECTS: p.NO_EFFECT, p.NO_EFFECT: p.OUTSIDE,
}  # fmt: skip


def swap_verdict(x: Proof) -> bool:
    if x.verdict not in OPPOSITE:
        return False
    x.verdict = OPPOSITE[x.verdict]
    if x.verdict == p.NO_EFFECT:
        x.effects = ()
    return True


def verdict_to(verdict: str) -> Tamper:
    def change(x: Proof) -> bool:
        if x.verdict in (verdict, p.WHICH, p.VALUE, p.EFFECTS):
            return False
        x.verdict = verdict
        return True

    return change


def drop_considered(status: bool | None) -> Tamper:
    def change(x: Proof) -> bool:
        kept = [o for o in x.considered if o.status is status]
        if x.question.kind not in ("may", "must", "effects") or not kept:
            return False
        x.considered = tuple(o for o in x.considered if o is not kept[0])
        x.winners = tuple(o for o in x.winners if o is not kept[0])
        return True

    return change


def strange_winner(x: Proof) -> bool:
    idle = [o for o in x.considered if o.status is False and o.norm.id not in {w.norm.id for w in x.winners}]
    if not idle or not x.winners or x.question.kind not in ("may", "must"):
        return False
    x.winners = (idle[0], *x.winners)
    return True


def wrong_principle(x: Proof) -> bool:
    others = [q for q in x.theory.policy.principles if x.defeats and q != x.defeats[0].principle]
    if not others:
        return False
    x.defeats = (replace(x.defeats[0], principle=others[-1]), *x.defeats[1:])
    return True


def turn_defeat(x: Proof) -> bool:
    if not x.defeats:
        return False
    d = x.defeats[0]
    x.defeats = (replace(d, loser=d.winner, winner=d.loser), *x.defeats[1:])
    return True


def no_losers(x: Proof) -> bool:
    had, x.defeats = bool(x.defeats), ()
    return had


def drop_winner(x: Proof) -> bool:
    if not x.winners or x.question.kind not in ("may", "must", "value"):
        return False
    x.winners = x.winners[1:]
    return True


def invent_effect(x: Proof) -> bool:
    if not x.effects:
        return False
    other = other_thing(x, x.effects[0].thing)
    if other is None:
        return False
    x.effects = (*x.effects, replace(x.effects[0], thing=other.name))  # type: ignore[attr-defined]
    return True


def lose_effect(x: Proof) -> bool:
    if len(x.effects) < 1:
        return False
    x.effects = x.effects[1:]
    return True


def other_kind_of_effect(x: Proof) -> bool:
    if not x.effects:
        return False
    states = [
        c for c, t in x.theory.vocabulary.classes.items() if t.when_unstated == "absent" and c != x.effects[0].cls
    ]
    x.effects = (replace(x.effects[0], cls=states[0]), *x.effects[1:])
    return True


def another_case(x: Proof) -> bool:
    name, facts = next(iter(x.case.things.items()))
    state = next(c for c, t in x.theory.vocabulary.classes.items() if t.when_unstated == "absent" and not t.disjoint)
    x.case = replace(x.case, things={**x.case.things, name: replace(facts, is_=(*facts.is_, state))})
    return True


def another_question(x: Proof) -> bool:
    if x.question.kind not in ("may", "must"):
        return False
    x.question = replace(x.question, kind="must" if x.question.kind == "may" else "may")
    return True


def open_is(verdict: str, value: bool | None = None) -> Tamper:
    """An open answer is told as a settled one, and nothing is called open any more."""

    def change(x: Proof) -> bool:
        if x.verdict != p.UNDETERMINED or x.question.kind not in ("may", "is"):
            return False
        if x.question.kind == "is":
            x.steps[0].value = value
        x.verdict, x.open = verdict if x.question.kind == "may" else p.HOLDS if value else p.FAILS, ()
        return alter_rest(x, grade=graded(x, x.assumptions))

    return change


def less_open(x: Proof) -> bool:
    had, x.open = bool(x.open), x.open[1:]
    return had


def call_open(x: Proof) -> bool:
    settled = [o for o in x.considered if o.status is True]
    if x.which or not settled or x.open:
        return False
    x.open = (settled[0],)
    return True


def other_victor(x: Proof) -> bool:
    """A defeat is put down to a norm that did not do it."""
    idle = [o for o in x.considered if o.status is False]
    if not x.defeats or not idle:
        return False
    x.defeats = (replace(x.defeats[0], winner=idle[0]), *x.defeats[1:])
    return True


def other_cause(x: Proof) -> bool:
    others = [o for o in x.considered if x.effects and o is not x.effects[0].by]
    if not others:
        return False
    x.effects = (replace(x.effects[0], by=others[0]), *x.effects[1:])
    x.winners = tuple(dict.fromkeys(c.by for c in x.effects))
    return True


def twice(name: str) -> Tamper:
    """The first of a list stands there once more."""

    def change(x: Proof) -> bool:
        now = getattr(x, name)
        if not now or x.which or x.cases:
            return False
        if name in ("cites", "also", "needs", "assumptions"):
            return alter_rest(x, **{name: (*now, now[0])})
        setattr(x, name, (*now, now[0]))
        return True

    return change


def strange_verdict(x: Proof) -> bool:
    x.verdict = "quite so"
    return True


def missing_though_settled(x: Proof) -> bool:
    if x.verdict in (p.UNDETERMINED, p.WHICH):
        return False
    x.missing = (Missing(IsA("moon", "the moon", "Full"), ((), ()), p.PERMITTED, p.FORBIDDEN, True),)
    return True


def other_rulebook(x: Proof) -> bool:
    """The proof carries a rulebook that lacks a norm."""
    gone = next(iter(x.theory.norms))
    x.theory = replace(x.theory, norms={i: n for i, n in x.theory.norms.items() if i != gone})
    return True


def unwinner(kind: str) -> Tamper:
    def change(x: Proof) -> bool:
        had = x.question.kind == kind and bool(x.winners)
        x.winners = x.winners[1:] if had else x.winners
        return had

    return change


def tried_less(x: Proof) -> bool:
    had = x.question.kind == "value" and bool(x.considered)
    x.considered = x.considered[1:] if had else x.considered
    return had


def stages_of_history(x: Proof) -> bool:
    """What has happened is told the other way round."""
    if len(x.case.history) < 2:
        return False
    x.case = replace(x.case, history=x.case.history[::-1])
    return True


def led_without_why(x: Proof) -> bool:
    """How what norms relate led an effect to its thing is shown no more, nor what that presumes."""
    if not any(c.way for c in x.effects):
        return False
    x.effects = tuple(replace(c, way=()) for c in x.effects)
    told = support.basis(x, x.__dict__["staged"])
    return alter_rest(x, assumptions=told.assumptions, grade=told.grade)


KINDS: dict[str, Tamper] = {
    "how an effect led to its thing is not shown": led_without_why,
    "how an earlier effect led to its thing is not shown": step_where(lambda s: s.why == "effect" and any(isinstance(q, Step) for q in s.parts), put("parts", lambda s: tuple(q for q in s.parts if not isinstance(q, Step)))),
    "an effect is led on by what is not so": step_where(lambda s: s.why == "effect" and any(isinstance(q, Step) for q in s.parts), put("parts", lambda s: (*s.parts, Step(m.HasValue(m.Role("size"), m.Path("nobody", ())), s.thing, True, "value", (), False)))),
    "what has happened is told the other way round": stages_of_history,
    "a norm that decides stands twice": twice("winners"),
    "a norm that was tried stands twice": twice("considered"),
    "a defeat stands twice": twice("defeats"),
    "an effect stands twice": twice("effects"),
    "a rule is cited twice": twice("cites"),
    "an assumption stands twice": twice("assumptions"),
    "the verdict is no verdict": strange_verdict,
    "something is missing from a settled answer": missing_though_settled,
    "the proof carries another rulebook": other_rulebook,
    "a norm that makes it so is dropped": unwinner("is"),
    "a norm that causes it is dropped": unwinner("effects"),
    "a norm of a number is not among those tried": tried_less,
    "an open answer is called no": open_is(p.FORBIDDEN, False),
    "an open answer is called yes": open_is(p.PERMITTED, True),
    "something open is not told": less_open,
    "something settled is called open": call_open,
    "a defeat is put down to another norm": other_victor,
    "an effect is put down to another norm": other_cause,
    "the verdict is swapped": swap_verdict,
    "the verdict is silence": verdict_to(p.SILENT),
    "the verdict is left open": verdict_to(p.UNDETERMINED),
    "the verdict is a conflict": verdict_to(p.CONFLICT),
    "the verdict is that nothing here rules it": verdict_to(p.OUTSIDE),
    "a norm that applies is dropped": drop_considered(True),
    "a norm that is open is dropped": drop_considered(None),
    "a norm that does not apply decides": strange_winner,
    "a norm that decides is dropped": drop_winner,
    "the wrong principle": wrong_principle,
    "the weaker beats the stronger": turn_defeat,
    "the losers are removed": no_losers,
    "an effect is invented": invent_effect,
    "an effect is dropped": lose_effect,
    "another effect": other_kind_of_effect,
    "another case": another_case,
    "another question": another_question,
}  # fmt: skip
