"""Down a proof: what a step or outcome leans on, directly and all the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kb.reasoner.trace import ByNorm, Caused, Contribution, Outcome, Reached, Shift, Step


def outcomes_in(roots: Iterable[object]) -> Iterator[Outcome]:
    """Every norm outcome that a set of steps and outcomes leans on, in the order met; not what only a presumption rests on."""
    return (now for now in met(roots) if isinstance(now, Outcome))


def met(roots: Iterable[object], presumed: bool = False) -> Iterator[object]:
    """All that a set of steps and outcomes leans on, and these, in the order met. presumed: also what only a presumption rests on."""
    seen: set[int] = set()
    stack = list(reversed(list(roots)))
    while stack:
        now = stack.pop()
        if id(now) in seen:
            continue
        seen.add(id(now))
        yield now
        if presumed or not (isinstance(now, Step) and now.why == "presumed"):
            stack.extend(reversed(below(now)))


def below(now: object) -> Sequence[Any]:
    """What a step or outcome leans on directly."""
    if isinstance(now, Step):
        return now.parts
    if isinstance(now, Outcome):
        if now.status is False:
            failed = now.when if now.when is not None and now.when.value is False else now.head
            return (now.exception[1] if now.exception else failed,)
        return (*(s for s in (now.head, now.when) if s is not None), *(s for _, s in now.unless))
    if isinstance(now, Reached):
        how = now.why
        return (how.outcome, how.step) if isinstance(how, ByNorm) else ()
    if isinstance(now, Contribution):
        if now.state in ("counts", "open", "conflict"):
            return (now.outcome,) if now.value is None else (now.outcome, now.value)
        if now.state == "beaten":
            return tuple(o for o in (now.outcome, now.by) if o is not None)
        return (now.outcome,) if now.outcome.status is False else ()
    if isinstance(now, Caused):
        return (now.by, *now.way)
    if isinstance(now, Shift):
        return (now.by,) if now.value is None else (now.by, now.value)
    return ()
