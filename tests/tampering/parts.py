"""What lies in a proof, and the tools that change the first thing of a kind that is found in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, structs

from kb.reasoner import proof as p
from kb.reasoner.descent import below
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Contribution, Outcome, Step

Tamper = Callable[[Proof], bool]


def replace(of: Any, **changes: Any) -> Any:
    """A copy with some fields changed, of a dataclass or of a Struct."""
    return structs.replace(of, **changes) if isinstance(of, Struct) else dataclasses.replace(of, **changes)


def parts(proof: Proof) -> Iterator[object]:
    """Every outcome, step, link and contribution that a proof rests on, the decisive ones first."""
    roots: list[object] = [*proof.winners, *proof.steps, *proof.considered, *proof.contributions]
    roots += [x for _, found in proof.which for x in (*found.winners, *found.considered)]
    seen: set[int] = set()
    while roots:
        now = roots.pop(0)
        if id(now) not in seen:
            seen.add(id(now))
            yield now
            roots += list(below(now))
            if isinstance(now, Contribution) and now.value is not None:
                roots.append(now.value)


def steps(proof: Proof) -> Iterator[Step]:
    return (x for x in parts(proof) if isinstance(x, Step))


def outcomes(proof: Proof) -> Iterator[Outcome]:
    return (x for x in parts(proof) if isinstance(x, Outcome))


def alter_rest(proof: Proof, **changes: object) -> bool:
    proof.__dict__["rest"] = replace(proof.rest, **changes)  # type: ignore[arg-type]
    return True


def first(found: Iterator[object], change: Callable[..., object]) -> bool:
    """Changes the first of `found`; whether there was one."""
    for one in found:
        change(one)
        return True
    return False


def put(name: str, value: object) -> Callable[[object], None]:
    """A change that puts a value, or what a function makes of the thing, into its field."""
    return lambda x: setattr(x, name, value(x) if callable(value) else value)


def drop(name: str, at: int = -1) -> Callable[[object], None]:
    def change(x: object) -> None:
        now = list(getattr(x, name))
        del now[at]
        setattr(x, name, tuple(now))

    return change


def other_thing(proof: Proof, name: str) -> object | None:
    """A thing of the proof of another name."""
    return next((s.thing for s in steps(proof) if s.thing.name != name), None)


def step_where(test: Callable[[Step], bool], change: Callable[..., object]) -> Tamper:
    return lambda x: first((s for s in steps(x) if test(s)), change)


def outcome_where(test: Callable[[Outcome], bool], change: Callable[..., object]) -> Tamper:
    return lambda x: first((o for o in outcomes(x) if test(o)), change)


def is_(*kinds: type) -> Callable[[Step], bool]:
    return lambda s: isinstance(s.node, kinds)


def whys(*found: str) -> Callable[[Step], bool]:
    return lambda s: s.why in found


def graded(x: Proof, assumptions: tuple[p.Assumption, ...]) -> str:
    if x.verdict in p.OPEN:
        return p.OPEN[x.verdict]
    if x.needs or x.scope.kind == p.PARTLY:
        return p.PARTLY_HERE
    return p.IF_NOTHING_ELSE if assumptions else p.SETTLED
