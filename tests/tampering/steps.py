"""The steps and outcomes of a proof are falsified: values, reasons, conditions, norms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from kb.language import norms as m
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome, Reached, Step
from tests.tampering.parts import (
    Tamper,
    drop,
    first,
    is_,
    other_thing,
    outcome_where,
    outcomes,
    put,
    replace,
    step_where,
    steps,
    whys,
)


def norm_with(**changes: object) -> Callable[[object], None]:
    return lambda o: setattr(o, "norm", replace(o.norm, **changes))  # type: ignore[attr-defined]


def invented_link(x: Proof) -> bool:
    for s in steps(x):
        for _at, part in enumerate(s.parts):
            if isinstance(part, Reached):
                other = other_thing(x, part.thing.name)
                if other is not None:
                    part.thing = other  # type: ignore[assignment]
                    return True
    return False


def wrong_superclass(x: Proof) -> bool:
    """What is presumed not so is said to follow from the class tree."""

    def change(s: Step) -> None:
        s.value, s.why, s.soft = True, "inferred", False

    return first((s for s in steps(x) if s.why == "presumed" and isinstance(s.node, m.Named)), change)


def fact(why: str, value: bool) -> Callable[[Step], None]:
    def change(s: Step) -> None:
        s.why, s.value, s.soft, s.parts = why, value, why == "presumed", ()

    return change


def swapped_witness(x: Proof) -> bool:
    """Another thing is said to bear a condition out, in the link and in the step alike."""
    for s in steps(x):
        if isinstance(s.node, m.Some) and len(s.parts) == 2 and isinstance(s.parts[0], Reached):
            other = other_thing(x, s.parts[0].thing.name)
            if other is not None:
                s.parts[0].thing = s.parts[1].thing = other  # type: ignore[assignment]
                return True
    return False


def relabel(why: str) -> Callable[[Step], None]:
    """Gives a step another reason, which presumes nothing."""

    def change(s: Step) -> None:
        s.why, s.soft = why, False

    return change


def no_reasons(o: Outcome) -> None:
    o.head = o.when = None
    o.unless, o.soft = (), False


def change_thing(**fields: Callable[[object], object]) -> Tamper:
    """A thing that a step speaks of is described otherwise than in the case."""

    def change(x: Proof) -> bool:
        def alter(s: Step) -> None:
            for name, make in fields.items():
                setattr(s.thing, name, make(getattr(s.thing, name)))

        return first((s for s in steps(x) if isinstance(s.node, m.Named)), alter)

    return change


def unshown_witness(x: Proof) -> bool:
    test = (s for s in steps(x) if isinstance(s.node, m.Some) and s.value is True and isinstance(s.parts[0], Reached))
    return first(test, drop("parts", 0))


def looked_twice(x: Proof) -> bool:
    """One of several things is looked at twice, and another not at all."""
    for s in steps(x):
        if isinstance(s.node, m.Some) and s.value is False and len(s.parts) > 1 and s.parts[0] is not s.parts[1]:
            s.parts = (s.parts[0], s.parts[0], *s.parts[2:])
            return True
    return False


KINDS: dict[str, Tamper] = {
    "a thing has a fact that the case does not state": change_thing(facts=lambda f: replace(f, is_=(*f.is_, "Z"))),
    "a thing is called otherwise": change_thing(label=lambda label: f"{label} of theirs"),
    "a witness is shown without how it is known": unshown_witness,
    "one thing is looked at twice": looked_twice,
    "a conjunction gives a disjunction's reason": step_where(is_(m.And), put("why", "or")),
    "a denial gives no reason": step_where(is_(m.Not), put("why", "")),
    "an open finding shows nothing open": step_where(lambda s: s.why == "open" and is_(m.Named)(s) and bool(s.parts), put("parts", ())),
    "an exception is tried twice": outcome_where(lambda o: o.exception is not None, lambda o: put("unless", (*o.unless, *o.unless))(o)),
    "a count is turned round": step_where(lambda s: is_(m.Count)(s) and s.value is not None, put("value", lambda s: not s.value)),
    "an open norm is called unmet": outcome_where(lambda o: o.status is None, put("status", False)),
    "an open norm is called met": outcome_where(lambda o: o.status is None, put("status", True)),
    "an open step is settled as false": step_where(lambda s: s.value is None and s.why != "circular", put("value", False)),
    "an open step is settled as true": step_where(lambda s: s.value is None and s.why != "circular", put("value", True)),
    "a settled step is called open": step_where(lambda s: isinstance(s.value, bool), put("value", None)),
    "the witness is another thing": swapped_witness,
    "a norm that does not apply hides its presumption": outcome_where(
        lambda o: o.status is False and o.soft and any(s is not None and s.soft for s in (o.head, o.when, *(s for _, s in o.unless))),
        put("soft", False),
    ),
    "an exception is called otherwise": outcome_where(
        lambda o: bool(o.unless), lambda o: put("unless", ((replace(o.unless[0][0], label="elsewhere"), o.unless[0][1]), *o.unless[1:]))(o)
    ),
    "a default is called worked out": step_where(lambda s: s.why == "default" and s.value is not None, relabel("computed")),
    "a presumption is called circular": step_where(whys("presumed"), relabel("circular")),
    "a presumption is called another kind's": step_where(whys("presumed"), relabel("other-kind")),
    "a presumed list is called otherwise": step_where(
        lambda s: is_(m.Some, m.Only, m.Count)(s) and s.soft and s.why in ("none", "some", "only", "count") and s.value is False, put("why", "looked")
    ),
    "a presumed list is hidden": step_where(
        lambda s: is_(m.Some, m.Only, m.Count)(s) and s.soft and not any(getattr(q, "soft", False) for q in s.parts), put("soft", False)
    ),
    "what a module presumes is hidden": step_where(lambda s: s.why == "module" and s.soft, put("soft", False)),
    "why a norm does not apply is dropped": outcome_where(lambda o: o.status is False and o.soft, no_reasons),
    "a default is called a statement": step_where(lambda s: s.why == "default" and s.value is not None, put("why", "stated")),
    "a membership is flipped": step_where(lambda s: is_(m.Named)(s) and s.value is not None, put("value", lambda s: not s.value)),
    "an unknown is taken for true": step_where(lambda s: s.value is None and is_(m.Named)(s), fact("stated", True)),
    "an unknown is presumed": step_where(lambda s: s.value is None and is_(m.Named)(s), fact("presumed", False)),
    "a fact is invented": step_where(whys("presumed"), fact("stated", True)),
    "a denial is invented": step_where(whys("presumed"), fact("denied", False)),
    "a disjointness is invented": step_where(whys("presumed"), fact("disjoint", False)),
    "a stated fact is presumed away": step_where(lambda s: s.why == "stated" and is_(m.Named)(s), fact("presumed", False)),
    "a superclass is invented": wrong_superclass,
    "an inference is called a statement": step_where(lambda s: s.why == "inferred" and not s.parts, put("why", "stated")),
    "an inference is called a rule's": step_where(lambda s: s.why == "inferred" and not s.parts, put("why", "counts")),
    "a link is invented": invented_link,
    "a presumption is hidden": step_where(lambda s: s.why == "presumed", put("soft", False)),
    "a conjunction is flipped": step_where(lambda s: is_(m.And, m.Except)(s) and s.value is not None, put("value", lambda s: not s.value)),
    "a conjunct is dropped": step_where(lambda s: is_(m.And)(s) and s.value is True, drop("parts")),
    "a disjunct is dropped": step_where(lambda s: is_(m.Or)(s) and s.value is False, drop("parts")),
    "a negation is flipped": step_where(lambda s: is_(m.Not)(s) and s.value is not None, put("value", lambda s: not s.value)),
    "one of those looked at is dropped": step_where(lambda s: is_(m.Some, m.Only, m.Count)(s) and s.value is False and bool(s.parts) and not isinstance(s.parts[0], Reached), drop("parts")),
    "a comparison is flipped": step_where(lambda s: is_(m.Compare)(s) and s.value is not None, put("value", lambda s: not s.value)),
    "a number is altered": step_where(lambda s: isinstance(s.value, Fraction) and not is_(m.Num)(s), put("value", lambda s: s.value + 1)),
    "a step speaks of something else": lambda x: any(
        setattr(s, "thing", other) is None for s in steps(x) if is_(m.Some)(s) and (other := other_thing(x, s.thing.name)) for _ in [0] if True
    ),
    "a step stands for another condition": step_where(is_(m.Named), put("node", lambda s: m.Not(s.node))),
    "an exception met is called unmet": outcome_where(lambda o: o.exception is not None, lambda o: put("value", False)(o.exception[1])),
    "an exception is dropped": outcome_where(lambda o: bool(o.unless) and o.status is True, drop("unless")),
    "an exception is altered": outcome_where(
        lambda o: bool(o.unless), lambda o: put("unless", ((replace(o.unless[0][0], condition=m.Anything()), o.unless[0][1]), *o.unless[1:]))(o)
    ),
    "a condition is dropped": outcome_where(lambda o: o.status is True and o.when is not None, put("when", None)),
    "a norm is made to apply": outcome_where(lambda o: o.status is False, put("status", True)),
    "a norm is made not to apply": outcome_where(lambda o: o.status is True, put("status", False)),
    "a norm's condition is weakened": outcome_where(lambda o: not isinstance(o.norm.when, m.Anything), norm_with(when=m.Anything())),
    "a norm's head is altered": outcome_where(
        lambda o: isinstance(o.norm.head, m.Deontic),
        lambda o: norm_with(head=m.Deontic(m.PERMITS if o.norm.head.mode != m.PERMITS else m.FORBIDS, o.norm.head.act))(o),
    ),
    "a norm's sentences are altered": outcome_where(lambda o: True, lambda o: norm_with(sentences=(99,))(o)),
    "a norm is invented": outcome_where(lambda o: o.status is True, norm_with(id="Z9.9", rule="Z9.9")),
    "a norm's priority is altered": outcome_where(lambda o: True, norm_with(over=("Z9.9",))),
    "a norm is tried on something else": lambda x: any(
        setattr(o, "focus", other) is None for o in [next(outcomes(x), None)] if o is not None and (other := other_thing(x, o.focus.name))
    ),
    "what a rule counts is dropped": step_where(whys("counts", "counts-not"), put("parts", ())),
    "what a definition asks is dropped": step_where(whys("defined"), put("parts", ())),
}  # fmt: skip
