"""The order of what has happened, and the turns of a case.

An act that another one follows on (`after: move`) has happened before that one: where this has happened, or is asked about, it stands in
the history, without being listed there. What is told with a number that ends of turns change (`lp:changedBy`) is done in another turn.

Between an act of one turn and one of a later turn the earlier turn has ended: where no event of the case says so, one is told for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kb.language.case import Facts, Question
from kb.language.english import shown
from kb.language.vocabulary import AFTER, Vocabulary


def ordered(things: Mapping[str, Facts], history: list[str], asked: Question) -> list[str]:
    """The history with each act that one of it, or the one asked about, is told to follow on: before that one."""
    last = (asked.inner or asked).thing
    found: list[str] = []
    for name in [*history, *([] if last in history else [last])]:
        line = [name]
        for one in line:  # what each follows on, and that in its turn
            earlier = things[one].links.get(AFTER, ()) if one in things else ()
            line += [e for e in earlier if e not in (*found, *history, *line, last)]
        found += [e for e in reversed(line) if e != last or last in history]
    return found


def settle(things: dict[str, Facts], history: list[str], asked: Question, vocabulary: Vocabulary) -> list[str]:
    """The history, with the ends of turns that the numbers tell of; these come to the things too. What was made before is made anew."""
    clock = vocabulary.clock
    if clock is None or not any(clock.name in facts.numbers for facts in things.values()):
        return history
    ending = clock.changed_by[0].cls
    made = {f"{name}.{ending}" for name in things} & things.keys()
    for name in made:
        del things[name]
    told = [name for name in history if name not in made]
    last = (asked.inner or asked).thing
    found: list[str] = []
    now: Fraction | None = None
    over = False  # by an event that the case tells
    for name in told if last in told else [*told, last]:
        facts = things.get(name, Facts(name))
        turn = facts.numbers.get(clock.name)
        ends = any(vocabulary.entails(facts.is_, rule.cls) for rule in clock.changed_by)
        if turn is not None:
            if now is not None and turn > now and not over and not ends:
                end = f"{name}.{ending}"
                things[end] = Facts(end, (ending,), label=f"the end of turn {shown(now)}")
                found.append(end)
            now = turn if now is None else max(now, turn)
        over = ends and turn is None
        found.append(name)
    return found if last in told else found[:-1]
