"""Whether a decision table says what the reasoner says, in situations of its shape drawn at random.

for fault in disagreements(made, 200, seed=1): …
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from kb.language.case import Case
from kb.reasoner import reason
from kb.reasoner.proof import UNDETERMINED
from kb.reasoner.reason import turning
from kb.research.decisions.bdd import FALSE, TRUE
from kb.research.decisions.functions import LETS, RULE
from kb.research.decisions.rows import DecisionTable, Row
from kb.research.decisions.shape import Key
from kb.research.decisions.together import Outcome

RARE = 0.85  # how often an input is what it usually is: none of the others
MOST_DRAWS = 4_000


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A situation in which a table and the reasoner differ. row: the one that was met; found: what the reasoner says."""

    case: Case
    row: Row
    found: Outcome


def disagreements(made: DecisionTable, times: int, seed: int = 0) -> Iterator[Disagreement]:
    """The situations, of so many drawn, in which a table and the reasoner differ."""
    for chosen in drawn(made, times, seed):
        if (found := disagreement(made, chosen)) is not None:
            yield found


def disagreement(made: DecisionTable, chosen: Mapping[Key, int]) -> Disagreement | None:
    """How a table and the reasoner differ in a situation of its shape; None where they do not. Where it is open whether a norm applies
    that the table has in words, the answer has to be one of those that it comes to either way."""
    case = made.shape.case(chosen, True)
    answer = reason.answer(made.shape.theory, case, False)
    if answer.renumbered:
        return None  # a table takes numbers at their word: nobody tells a leader to take up the room of a squad
    found = Outcome(answer.verdict, bool(answer.winners))
    rows = [met(made, {**chosen, **way}) for way in ways(by_themselves(made, answer))]
    if found in {row.outcome for row in rows} or (len(rows) > 1 and found.verdict == UNDETERMINED):
        return None
    return Disagreement(case, rows[0], found)


def ways(reckoned: Mapping[Key, bool | None]) -> Iterator[dict[Key, int]]:
    """How the norms may be that a table has in words: as they are, and each that is open either way."""
    each = [(0, 1) if status is None else (1 - bool(status),) for status in reckoned.values()]
    return (dict(zip(reckoned, way, strict=True)) for way in product(*each))


def by_themselves(made: DecisionTable, answer: reason.Answer) -> dict[Key, bool | None]:
    """Whether each norm applies, or lets be, that turns on more than the inputs: what then is so is the norm's own affair."""
    status = {o.norm.id: o.status for o in answer.considered}
    found, f = dict[Key, bool | None](), made.together.f
    for key in f.keys:
        if key[0] == RULE and key[1] == LETS:
            found[key] = turning.of_freed(f.reckoned[key[2]], answer.question.thing)(answer.worked[1])[0]
        elif key[0] == RULE:
            found[key] = status.get(key[2], False)
    return found


def met(made: DecisionTable, chosen: dict[Key, int]) -> Row:
    """The first row that a situation meets."""
    return next(row for row in made.rows if all(chosen[key] in options for key, options in row.allowed.items()))


def drawn(made: DecisionTable, times: int, seed: int) -> Iterator[dict[Key, int]]:
    """Situations of a table's shape, each once at most; fewer where there are no more. Half of them are aimed at a row."""
    dice, f, seen, aims = random.Random(seed), made.together.f, set[tuple[int, ...]](), aims_of(made)
    found = 0
    for _ in range(MOST_DRAWS + 20 * times):
        if found >= times:
            return
        fixed = path(made, dice, dice.choice(aims)) if dice.random() < 0.5 else {}
        row = one(made, dice, fixed)
        values = {var: row.get(key, 1) == n for var, (key, n) in f.where.items()}
        if tuple(row.values()) not in seen and f.d.holds(made.together.care, values):
            seen.add(tuple(row.values()))
            found += 1
            yield row


def aims_of(made: DecisionTable) -> list[int]:
    """Of each row, the situations in which it is the first that is met."""
    d, f, left, found = made.together.f.d, made.together.f, made.together.care, list[int]()
    for row in made.rows:
        here = d.both(left, f.function(row.allowed))
        found += [here] if here else []
        left = d.but(left, here)
    return found


def path(made: DecisionTable, dice: random.Random, where: int) -> dict[int, bool]:
    """Values of variables by which a function holds, drawn on the way through its diagram."""
    fixed: dict[int, bool] = {}
    while where != TRUE:
        var, low, high = made.together.f.d.nodes[where]
        fixed[var] = low == FALSE or (high != FALSE and dice.random() < 0.3)
        where = high if fixed[var] else low
    return fixed


def one(made: DecisionTable, dice: random.Random, fixed: dict[int, bool]) -> dict[Key, int]:
    """A situation with some variables fixed, and the others mostly as they usually are."""
    usual, found = dice.choice((RARE, 0.5)), dict[Key, int]()
    for key, vs in made.together.f.vars.items():
        told = [n for n, var in enumerate(vs) if fixed.get(var)]
        free = [n for n, var in enumerate(vs) if var not in fixed]
        if key[0] != RULE:
            found[key] = told[0] if told else len(vs) if not free or dice.random() < usual else dice.choice(free)
    return found
