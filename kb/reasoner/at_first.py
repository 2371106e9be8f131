"""Conditions and norms as nested functions, for as long as they are rarely asked: writing them out (kb.reasoner.codegen) takes Python
as long as trying them some hundred times, and most of what a theory has is tried a few times only.

They find just what the source that is written out for them finds, step by step; tests/test_pipeline_cases.py holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kb.language import norms as m
from kb.language.vocabulary import ABSENT, Vocabulary
from kb.reasoner.expressions import Env, Run
from kb.reasoner.trace import Outcome, Step, Thing
from kb.reasoner.world import World

Tried = Callable[[World, Thing], Outcome]
OFTEN = 200  # how often one is asked before it is written out


class Compiler(Protocol):
    """What is asked of kb.reasoner.evaluate: what is called, and in which order parts are tried."""

    vocabulary: Vocabulary

    def called(self, c: m.Condition) -> Run:
        """The function of its own that a condition has."""

    def kept(self, c: m.Some) -> int | None:
        """The slot of a condition that is worked out once for each thing."""

    def binds(self, c: m.Condition) -> bool:
        """Whether trying a condition gives a name to something."""

    def ordered(self, c: m.And) -> tuple[list[m.Condition], int]:
        """The parts of a conjunction, the cheap first, and how many are cheap."""


def often(at_first: Run, written: Callable[[], Run]) -> Run:
    """The first function, and once it was asked often the other."""
    now, left = at_first, OFTEN

    def run(s: World, x: Thing, env: Env) -> Step:
        nonlocal now, left
        if left:
            left -= 1
            if not left:
                now = written()
        return now(s, x, env)

    return run


def often_tried(at_first: Tried, written: Callable[[], Tried]) -> Tried:
    """The same of a norm."""
    now, left = at_first, OFTEN

    def tried(s: World, x: Thing) -> Outcome:
        nonlocal now, left
        if left:
            left -= 1
            if not left:
                now = written()
        return now(s, x)

    return tried


def norm(compiler: Compiler, n: m.Norm, subject: str) -> Tried:
    """Tries a norm on a focus: its class, its condition, and each of its exceptions."""
    when: Run | None = None  # made when it is first looked at, as each exception is: few norms get so far
    exceptions: list[Run] = []

    def tried(s: World, x: Thing) -> Outcome:
        nonlocal when
        env: Env = {"this": x}
        head = None
        value: bool | None = True
        soft = False
        if subject:
            head = x.members.get(subject) or s.first(x, subject)
            if head.value is False:
                return Outcome(n, x, False, head, None, (), env, head.soft)
            value, soft = head.value, head.soft
        if when is None:
            when = condition(compiler, n.when)
        w = when(s, x, env)
        if w.value is False:
            return Outcome(n, x, False, head, w, (), env, w.soft)
        value, soft = value and w.value, soft or w.soft
        met: tuple[tuple[m.Unless, Step], ...] = ()
        for number, unless in enumerate(n.unless):
            if number == len(exceptions):
                exceptions.append(condition(compiler, unless.condition))
            t = exceptions[number](s, x, env)
            met = (*met, (unless, t))
            if t.value is True:
                return Outcome(n, x, False, head, w, met, env, t.soft)
            value, soft = None if t.value is None else value, soft or t.soft
        return Outcome(n, x, value, head, w, met, env, soft)

    return tried


def condition(compiler: Compiler, c: m.Condition) -> Run:
    """A condition as a function."""
    match c:
        case m.Named(name) if not compiler.vocabulary.classes[name].derived:
            return lambda s, x, env: x.members.get(name) or s.first(x, name)
        case m.And() if not compiler.binds(c):
            return conjunction(compiler, c, *compiler.ordered(c))
        case m.Except(base, carve, _) if not compiler.binds(c):
            return conjunction(compiler, c, [base, m.Not(carve)], 2)
        case m.Or(parts):
            return disjunction(compiler, c, parts)
        case m.Not(of):
            return opposite(c, condition(compiler, of))
        case m.Some() if (slot := compiler.kept(c)) is not None:
            once = later(compiler, c)
            return lambda s, x, env: x.conditions.get(slot) or once(s, x, env)
        case m.Flag(name, wanted):
            return flag(c, name, wanted, compiler.vocabulary.properties[name].when_unstated == ABSENT)
        case m.Anything():
            return lambda s, x, env: Step(c, x, True, "anything", (), False)
    return later(compiler, c)


def later(compiler: Compiler, c: m.Condition) -> Run:
    """A condition that has a function of its own, which is made when it is first called."""
    made: Run | None = None

    def run(s: World, x: Thing, env: Env) -> Step:
        nonlocal made
        if made is None:
            made = compiler.called(c)
        return made(s, x, env)

    return run


def opposite(c: m.Not, of: Run) -> Run:
    """What is denied."""

    def run(s: World, x: Thing, env: Env) -> Step:
        q = of(s, x, env)
        return Step(c, x, None if q.value is None else not q.value, "not", (q,), q.soft)

    return run


def flag(c: m.Flag, name: str, wanted: bool, absent: bool) -> Run:
    """Whether a flag is as wanted. absent: whether silence means that it is not set."""

    def run(s: World, x: Thing, env: Env) -> Step:
        told = x.facts.flags.get(name)
        if told is not None:
            return Step(c, x, told is wanted, "stated", (), False)
        if absent and name not in x.facts.unknown:
            return Step(c, x, wanted is False, "presumed", (), True)
        return Step(c, x, None, "unknown", (), False)

    return run


def conjunction(compiler: Compiler, c: m.Condition, parts: Sequence[m.Condition], cheap: int) -> Run:
    """All of `parts`. A failure that rests on a presumption is set against the other cheap parts, not the dear."""
    runs: list[Run] = []  # each made when it is come to: most fail by the first

    def run(s: World, x: Thing, env: Env) -> Step:
        failed: Step | None = None
        value: bool | None = True
        soft = False
        held: list[Step] = []
        for number, part in enumerate(parts):
            if number == cheap and failed is not None:
                break
            if number == len(runs):
                runs.append(condition(compiler, part))
            a = runs[number](s, x, env)
            if a.value is False:
                if number >= cheap:
                    return Step(c, x, False, "and", (a,), a.soft)
                if not a.soft:
                    return Step(c, x, False, "and", (a,), False)
                failed = failed or a
            value, soft = None if a.value is None else value, soft or a.soft
            held.append(a)
        if failed is not None:
            return Step(c, x, False, "and", (failed,), True)
        return Step(c, x, value, "and", tuple(held), soft)

    return run


def disjunction(compiler: Compiler, c: m.Or, parts: Sequence[m.Condition]) -> Run:
    """Any of them, rather one that rests on no presumption."""
    runs: list[Run] = []

    def run(s: World, x: Thing, env: Env) -> Step:
        met: Step | None = None
        value: bool | None = False
        soft = False
        held: list[Step] = []
        for number, part in enumerate(parts):
            if number == len(runs):
                runs.append(condition(compiler, part))
            a = runs[number](s, x, env)
            if a.value is True:
                if not a.soft:
                    return Step(c, x, True, "or", (a,), False)
                met = met or a
            value, soft = None if a.value is None else value, soft or a.soft
            held.append(a)
        if met is not None:
            return Step(c, x, True, "or", (met,), True)
        return Step(c, x, value, "or", tuple(held), soft)

    return run
