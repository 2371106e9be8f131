"""What every check of a proof's steps stands on: the case and its stages, the faults found, the things spoken of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.checker import reference as j, support
from kb.checker.reference import Judge, One, find
from kb.checker.reference_answers import stages
from kb.checker.shape import REASONS
from kb.errors import Problem
from kb.language import english, norms as m
from kb.language.case import Case
from kb.reasoner.trace import Outcome, Step, Thing
from kb.rulebook.theory import Theory

Work = Callable[[Judge, One, j.Env], j.Tri]


class Ground:
    """One proof being walked through, and what was found of it; `stages` are the case before each act of its history, and after the last."""

    def __init__(self, theory: Theory, case: Case):
        self.theory, self.case = theory, case
        self.stages = list(stages(theory, case))
        self.judge = self.stages[-1]
        self.problems: list[Problem] = []
        self.seen: set[Any] = set()
        self.bound_by: dict[Any, j.Env] = {}  # what each condition that was checked has named
        self.within: list[
            tuple[Any, ...]
        ] = []  # the norms, classes and numbers that are being checked, the outer first
        self.happened: list[Any] | None = None  # what came of each act, once somebody asks
        self.early: dict[int, Judge] = {}  # of what an effect of an earlier act leans on, the case before that act
        self.where: dict[int, support.Where] = {}  # in which case, and of what, each step was found to follow

    def problem(self, code: int, message: str) -> None:
        """Adds a fault; a proof that is wrong throughout is told of with the first fifty."""
        if len(self.problems) < 50:
            self.problems.append(Problem(code, message))

    def need(self, true: object, code: int, message: str, *told: object) -> bool:
        """Adds a fault unless something is true; returns whether it is. told: what stands in the message for each {}, put into
        words only then."""
        if not true:
            self.problem(code, message.format(*told) if told else message)
        return bool(true)

    def agreed(self, claim: Step | Outcome, x: One, env: j.Env, judge: Judge, work: Work) -> j.Tri:
        """What the case says of a claim. If the claim lies on a cycle with a step being checked, it may also be the value
        obtained with that step assumed false."""
        found = work(judge, x, env)
        if found is claim.value or not self.within:
            return found
        other = judge.supposing(key for key in self.within if key[0] != "number")
        bound = {k: find(other, v.name) if isinstance(v, One) else v for k, v in env.items()}
        again = find(other, x.name)
        return found if again is None else work(other, again, bound)

    def about(self, step: Step, x: One, judge: Judge) -> None:
        """A step speaks of the very thing that is asked about, and gives a reason that a step of its kind can give."""
        self.where.setdefault(id(step), (judge, x))
        self.thing(step.thing, x, judge)
        reasons = REASONS.get(type(step.node))
        fits = reasons is None or step.why in reasons
        self.need(fits, 848, f"“{step.why}” is no reason for what is said of {x.name}")

    def thing(self, thing: Thing, x: One, judge: Judge) -> None:
        """A thing in a proof is as the case has it, and is called as it is called there."""
        if (id(thing), x.name) in self.seen:
            return
        self.seen.add((id(thing), x.name))
        if not self.need(thing.name == x.name, 832, f"a step speaks of {thing.name} where {x.name} is asked"):
            return
        self.need(thing.facts == x.facts, 832, f"of {x.name} the proof has other facts than the case")
        labels = {x.facts.label or x.name}
        owner, _, role = x.name.rpartition(".")
        if thing.made is not None:
            of = thing.made[0]
            fits = of.name == owner and thing.made[1] == role
            self.need(fits, 832, f"{x.name} is made up as something else")
            term = self.theory.vocabulary.properties[thing.made[1]]
            phrase = english.role_phrase(self.theory.vocabulary, m.Role(term.name), of.label)
            labels = {f"{of.label}'s {term.label}", phrase}
            if (y := find(judge, owner)) is not None:
                self.thing(of, y, judge)
        self.need(thing.label in labels, 832, f"{x.name} is called “{thing.label}”")

    # ── what the walker does, and membership and numbers call ──

    def outcome(self, o: Outcome, judge: Judge | None = None) -> None:
        """A norm tried."""
        raise NotImplementedError

    def condition(self, step: Step, c: m.Condition, x: One, env: j.Env, judge: Judge) -> None:
        """A condition found to hold, to fail or to be open."""
        raise NotImplementedError

    def whole(
        self, step: Step, e: object, told: list[Step], wanted: dict[tuple[str, str], tuple[One, m.Role]], judge: Judge
    ) -> None:
        """Every list that is presumed to be whole is said to be."""
        raise NotImplementedError

    # ── what has happened, which relations and numbers call ──

    def at(self, o: Outcome, judge: Judge | None = None) -> Judge:
        """The case in which an outcome was found."""
        raise NotImplementedError

    def doubts(self, node: object) -> bool:
        """Whether what is open is whether some effect concerned a thing."""
        raise NotImplementedError

    def untriggered(self, step: Step) -> None:
        """What leaves open whether there was what brings about an effect."""
        raise NotImplementedError


def same(a: object, b: object) -> bool:
    """Whether two pieces of the rule language read alike; a recorded proof has them as text."""
    return a is b or m.text_of(a) == m.text_of(b)


def core(c: m.Condition) -> m.Condition:
    """A condition without the names it binds and without where it starts: what its step is about."""
    while isinstance(c, (m.Bind, m.Of)):
        c = c.of if isinstance(c, m.Bind) else c.condition
    return c
