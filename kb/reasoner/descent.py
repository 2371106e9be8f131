"""Down a proof: what a step or outcome leans on, directly and all the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
            stack.extend(reversed(list(below(now))))


def below(now: object) -> Iterator[object]:
    """What a step or outcome leans on directly."""
    if isinstance(now, Outcome):
        if now.status is False:
            failed = now.when if now.when is not None and now.when.value is False else now.head
            yield now.exception[1] if now.exception else failed
        else:
            yield from (s for s in (now.head, now.when) if s is not None)
            yield from (s for _, s in now.unless)
    elif isinstance(now, Step):
        yield from now.parts
    elif isinstance(now, Contribution):
        if now.state in ("counts", "open", "conflict"):
            yield now.outcome
            if now.value is not None:
                yield now.value
        elif now.state == "beaten":
            yield from (o for o in (now.outcome, now.by) if o is not None)
        elif now.outcome.status is False:
            yield now.outcome
    elif isinstance(now, Caused):
        yield now.by
        yield from now.way
    elif isinstance(now, Shift):
        yield now.by
        if now.value is not None:
            yield now.value
    elif isinstance(now, Reached):
        how = now.why
        if isinstance(how, ByNorm):
            yield from (how.outcome, how.step)
