"""What has happened before, in all lanes at once: where things stand after it.

Lanes in which an event may have made something of a thing, or changed a number, are left to the reasoner.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.circuit.conditions import Lanes
from kb.circuit.staged import Budget, Unground
from kb.circuit.values import One, union
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner.positions import before, standing
from kb.rulebook.theory import Theory

HAPPENED = "what has happened before"


def after(theory: Theory, cases: Sequence[Case], struck: dict[str, int], budget: Budget) -> Lanes:
    """Variants that share their history, as they stand after it. struck: by norm, the lanes that are without it. Raises Unground."""
    over = before(cases[0])
    lost: dict[str, int] = {}
    earlier: Lanes | None = None
    for number in range(len(over) + 1):
        done = over[:number]
        lanes = Lanes(theory, [standing(theory.vocabulary, case, done) for case in cases], budget=budget)
        lanes.done, lanes.struck = frozenset(done), struck
        for reason, some in lost.items():
            lanes.lose(reason, some)
        if earlier is not None:
            lanes.lose(HAPPENED, turned(earlier, lanes))
        earlier = lanes
        if number < len(over):
            lanes.lose(HAPPENED, brought(lanes, lanes.things[over[number]]))
            lost = lanes.lost
            if union(lost.values()) == lanes.every:
                raise Unground(HAPPENED)
    return lanes


def brought(lanes: Lanes, event: One) -> int:
    """The lanes in which an event may make something of a thing, or change a number."""
    found = 0
    for norm in lanes.theory.effects:
        head = norm.head
        assert isinstance(head, m.OnEvent)
        some = lanes.every & ~found & lanes.speaks(event, head.event)
        if not some:
            continue
        if isinstance(head, m.Change):
            found |= some
        elif not head.each:
            found |= some & ~lanes.status(norm, event, some)[1]
        else:
            some &= ~lanes.member(event, head.event, event, some)[1]
            found |= some & lanes.words  # what is not known of a thing may make it one of those
            for x in list(lanes.things.values()):
                if some & ~found:
                    found |= some & ~lanes.status(norm, x, some & ~found)[1] & ~found
    return found


def turned(earlier: Lanes, lanes: Lanes) -> int:
    """The lanes in which something may have become what a norm speaks of, by who has gone where."""
    found = 0
    for norm in lanes.theory.turns:
        assert isinstance(norm.head, m.OnEvent)
        cls = m.trigger_of(norm.head)
        for name, x in list(lanes.things.items()):
            was = earlier.things.get(name)
            if cls != norm.head.event and was is not None:  # what was one, and is one no longer
                some = lanes.every & ~found
                some &= ~earlier.member(was, cls, was, some)[1]
                found |= some & ~lanes.member(x, cls, x, some)[0]
                continue
            some = lanes.every & ~found & lanes.speaks(x, norm.head.event)
            if some and was is not None:
                some &= ~earlier.member(was, norm.head.event, was, some)[0]
                found |= some & ~lanes.member(x, norm.head.event, x, some)[1]
    return found
