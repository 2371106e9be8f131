"""What is told of the scope of an answer, and of silence, is falsified."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from tests.tampering.parts import Tamper, alter_rest, graded, replace


def scope_with(test: Callable[[Proof], object], **changes: object) -> Tamper:
    """Changes what a proof tells of its scope, with the grade mended, so that only the scope is false."""

    def change(x: Proof) -> bool:
        if x.which or x.cases or not test(x):
            return False
        scope = {name: value(x) if callable(value) else value for name, value in changes.items()}
        if "needs" in scope:
            own = tuple(n for n in x.needs if n not in x.scope.needs)
            alter_rest(x, needs=(*own, *scope["needs"]))
        x.scope = replace(x.scope, **scope)
        return alter_rest(x, grade=graded(x, x.assumptions))

    return change


def closes(x: Proof) -> bool:
    return bool(x.scope.by and not x.winners)


def not_ruled(*kinds: str) -> Callable[[Proof], bool]:
    return lambda x: x.verdict == p.OUTSIDE and x.question.kind in kinds


NO_SCOPE = p.Scope()


def out_of_silence(verdict: str, kind: str, value: Fraction | None = None, scope: p.Scope = NO_SCOPE) -> Tamper:
    """What is not ruled here is told as an answer, in a scope that would bear it out."""

    def change(x: Proof) -> bool:
        if x.cases or not not_ruled(kind)(x) or (verdict == p.VALUE and value is None and x.value is None):
            return False
        own = tuple(n for n in x.needs if n not in x.scope.needs)
        x.verdict, x.scope = verdict, scope
        if verdict == p.VALUE:
            x.value = x.steps[0].value = x.value if value is None else value
        alter_rest(x, needs=own)
        return alter_rest(x, grade=graded(x, x.assumptions))

    return change


def sentence_of_silence(x: Proof) -> bool:
    """What silence settles is called settled by nothing."""
    return closes(x) and scope_with(closes, by="", says="")(x)


def beyond_hidden(x: Proof) -> bool:
    """A permission of which a state of the actor is hidden, and with it the rules on that state."""
    if not x.scope.states or not x.winners:
        return False
    x.verdict = p.PERMITTED
    told = {rule for _, _, rules in x.scope.states for rule in rules}
    rest = tuple(r for r in x.scope.needs if r not in told)
    return scope_with(lambda x: True, kind=p.PARTLY, needs=rest, states=())(x)


def freed_out_of_nothing(x: Proof) -> bool:
    """An act of which no norm speaks is said to be let be by a bar that plainly does not reach it."""
    idle = [o.norm.rule for o in x.considered if o.status is False and "forbids" in str(o.norm.head)]
    if not not_ruled("may")(x) or not idle or x.winners or x.cases:
        return False
    x.verdict, x.scope = p.PERMITTED, replace(x.scope, kind=p.PARTLY, freed=(idle[0],))
    return alter_rest(x, grade=p.PARTLY_HERE)


KINDS: dict[str, Tamper] = {
    "what a closing rule says is changed": scope_with(closes, says="anything goes"),
    "the closing rule is hidden": sentence_of_silence,
    "the closing rule is another": scope_with(closes, by="R1"),
    "a closing rule is invented": scope_with(lambda x: not x.scope.by and x.verdict != p.WHICH, by="R0.5", says="nothing else is allowed"),
    "what silence bars is allowed": scope_with(lambda x: closes(x) and x.verdict == p.FORBIDDEN and not setattr(x, "verdict", p.PERMITTED)),
    "what is not ruled here is allowed": out_of_silence(p.PERMITTED, "may"),
    "what is not ruled here is allowed as far as others let it": out_of_silence(p.PERMITTED, "may", scope=p.Scope(p.PARTLY, ("Z9",))),
    "what is not ruled here is barred": out_of_silence(p.FORBIDDEN, "may", scope=p.Scope(by="R0.5", says="nothing else is allowed")),
    "what is not ruled here need not be done": out_of_silence(p.SILENT, "must"),
    "what is not ruled here is not so": out_of_silence(p.FAILS, "is"),
    "what is not ruled here is so": out_of_silence(p.HOLDS, "is"),
    "a number that is not ruled here is nought": out_of_silence(p.VALUE, "value", Fraction(0)),
    "a number that is not ruled here is what the loaded rules make of it": out_of_silence(p.VALUE, "value"),
    "what is not ruled here has no effect": out_of_silence(p.NO_EFFECT, "effects"),
    "what is partly decided is called wholly decided": scope_with(lambda x: x.scope.kind == p.PARTLY, kind=p.WHOLLY, needs=()),
    "what is partly decided is called wholly decided, and by whom": scope_with(lambda x: x.scope.kind == p.PARTLY, kind=p.WHOLLY),
    "what is wholly decided is called partly decided": scope_with(lambda x: x.scope.term and x.scope.kind == p.WHOLLY, kind=p.PARTLY),
    "an answer is told in another scope": scope_with(lambda x: x.scope == p.Scope() and x.verdict != p.WHICH, kind=p.OUTSIDE, needs=("Z9",)),
    "a rule that decides besides is dropped": scope_with(lambda x: x.scope.needs and x.verdict != p.OUTSIDE, needs=lambda x: x.scope.needs[1:]),
    "a rule that decides instead is dropped": scope_with(lambda x: x.scope.needs and x.verdict == p.OUTSIDE, needs=lambda x: x.scope.needs[1:]),
    "a rule that decides besides is invented": scope_with(lambda x: x.scope.needs, needs=lambda x: (*x.scope.needs, "Z9")),
    "what other rules decide is worded otherwise": scope_with(lambda x: x.scope.those, those="do not matter"),
    "the term that is in scope is another": scope_with(lambda x: x.scope.term, term="Thing"),
    "a state that a permission does not read is hidden": beyond_hidden,
    "a state that a permission does not read is another": scope_with(
        lambda x: x.scope.states, states=lambda x: tuple((t, "State", rules) for t, _, rules in x.scope.states)
    ),
    "a bar that does not reach so far is invented": freed_out_of_nothing,
    "a bar that does not reach so far is another": scope_with(lambda x: x.scope.freed, freed=("Z9",)),
}  # fmt: skip
