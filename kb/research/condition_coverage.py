"""Condition coverage: each part of each norm is left out in its turn, and a case that was answered as expected must then fail.

    found = covered("asl", casebook.of([folder]))
    found.silent                    -> the parts of which no case tells whether they are there
    telling(part)                   -> a situation that would

A part is a conjunct of a norm's condition or one of its exceptions. That a norm is tried by a case says little: a case in which all of
its parts are so, and one in which each by itself is not, say what it asks for (for decisions in programs this is called modified
condition/decision coverage). The reasoner answers; what a case expects is the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec.structs import replace

from kb import asking
from kb.answers import expectations, explain
from kb.cases.casebook import Written
from kb.errors import LoopholeError, Place
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import counterfactuals, reason
from kb.reasoner.trace import Outcome, Step
from kb.research import shapes
from kb.rulebook.compiler import amended, conjuncts
from kb.rulebook.theory import Theory
from kb.yaml_document import written

ANY = ""  # in the place of a part: any of them
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Part:
    """One part of a norm as it is written. book: whose it is; norms: those that it is written for, by their ids, each as it would be without it;
    name: the id that they are written under; said: the part in the rule language, or the label of an exception."""

    book: str
    name: str
    rule: str
    said: str
    place: Place
    norms: dict[str, m.Norm] = field(hash=False)


@dataclass(frozen=True)
class Asked:
    """A case that is answered as it expects. near: the parts for which alone a norm did not apply, or was open, each with its norm's id."""

    case: Case
    rule: str
    theory: Theory
    near: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Covered:
    """parts: how many there are; silent: those that no case turns on; asked: how many cases were put to them."""

    parts: int
    silent: tuple[Part, ...]
    asked: int


def covered(
    cases: Iterable[Written], progress: Progress | None = None, rules: Callable[[str], bool] | None = None
) -> Covered:
    """Which parts of the norms that some cases try are turned by one of them. rules: of which rules the parts are looked at.

    A case that does not read, or is not answered as it expects, tells nothing here.
    """
    asked = list(answered(cases))
    theories = {id(a.theory): a.theory for a in asked}
    found: dict[tuple[str, str, str], Part] = {}
    for theory in theories.values():
        for part in parts(theory):
            found.setdefault((part.book, part.name, part.said), part)
    wanted = [part for part in found.values() if rules is None or rules(part.rule)]
    silent: list[Part] = []
    for n, part in enumerate(wanted, 1):
        if not any(turned(part, asked)):
            silent.append(part)
        if progress is not None:
            progress(part.rule, n, len(wanted))
    return Covered(len(wanted), tuple(silent), len(asked))


def answered(cases: Iterable[Written]) -> Iterator[Asked]:
    """The cases that are answered as they expect, each with the norms that were tried."""
    for row in cases:
        if row.compares:
            continue
        try:
            case = asking.case(row)
            theory = asking.rules(case)
            theory.tried = {}
            misses = missed(theory, case)
            tried, theory.tried = theory.tried, None
        except LoopholeError:
            continue
        if case.expect and not misses:
            near = {(name, said) for name, outcomes in tried.items() for o in outcomes for said in failing(o)}
            yield Asked(case, row.rule, theory, frozenset(near))


def failing(outcome: Outcome) -> Iterator[str]:
    """The parts for which a norm that did not apply, or was open, may have applied without one of them: of those that fail a conjunction
    tells one, and with another left out it would fail all the same."""
    if outcome.status is True or outcome.when is None:
        return
    if outcome.exception is not None:
        yield unless(outcome.exception[0])
    elif outcome.status is False and outcome.when.value is not False:
        yield ANY
    else:
        yield from within(outcome.when)
        yield from (unless(u) for u, step in outcome.unless if step.value is None)


def within(step: Step) -> Iterator[str]:
    """The conjuncts that are not so, of those that a step of a conjunction has looked at."""
    if step.value is True:
        return
    if isinstance(step.node, m.And | m.Except):
        found = [said for part in step.parts for said in within(part)]
        yield from found or (ANY,)
    else:
        yield str(step.node)


def unless(exception: m.Unless) -> str:
    """An exception as a part is called."""
    return f"unless {exception.label}"


def missed(theory: Theory, case: Case) -> list[str]:
    """What the answer by a theory misses of what a case expects."""
    return expectations.mismatches(reason.answer(theory, case, False))


def parts(theory: Theory) -> Iterator[Part]:
    """Each part of each norm; of a norm that is written with alternatives a part that all of them have is one."""
    found: dict[tuple[str, str], dict[str, m.Norm]] = {}
    for norm in theory.norms.values():
        name = norm.part_of or norm.id
        for said, less in lessened(norm):
            if m.unbound(less.when) <= m.unbound(norm.when):
                found.setdefault((name, said), {})[norm.id] = less
    for (name, said), norms in found.items():
        first = theory.norms[next(iter(norms))]
        yield Part(theory.book, name, first.rule, said, first.place, norms)


def lessened(norm: m.Norm) -> Iterator[tuple[str, m.Norm]]:
    """A norm without each of its parts, and how the part is written."""
    every = conjuncts(norm.when)
    for i, part in enumerate(every):
        rest = every[:i] + every[i + 1 :]
        when = m.And(rest) if len(rest) > 1 else rest[0] if rest else m.Anything()
        yield str(part), replace(norm, when=when)
    for exception in norm.unless:
        yield unless(exception), replace(norm, unless=tuple(u for u in norm.unless if u is not exception))


def turned(part: Part, asked: Iterable[Asked]) -> Iterator[bool]:
    """Of each case in which a norm did not apply for that part alone, whether it fails without it: those about its rule first."""
    wanted = {(name, said) for name in part.norms for said in (part.said, ANY)}
    concerned = [a for a in asked if a.theory.book == part.book and not a.near.isdisjoint(wanted)]
    without: dict[int, Theory] = {}
    for one in sorted(concerned, key=lambda a: (a.rule != part.rule, len(a.near))):
        theory = one.theory
        less = without.get(id(theory))
        if less is None:
            less = without[id(theory)] = amended(theory, {i: n for i, n in part.norms.items() if i in theory.norms})
        try:
            yield bool(missed(less, one.case))
        except LoopholeError:
            yield True


# ── a situation that would tell ──


@dataclass(frozen=True)
class Telling:
    """A situation of which the answer would be another without a part. case: as it stands in a file; answer, without: what it comes to."""

    case: dict[str, Any]
    answer: str
    without: str

    @property
    def text(self) -> str:
        """The case as it may stand in a file, and what it comes to."""
        return f"{written(self.case)}# {self.answer}\n# without it: {self.without}"


def telling(part: Part) -> Telling | None:
    """A smallest situation, of those tried, that turns on a part: what a case might be made of. None: within the bounds it makes no
    difference, for other parts, other norms or the terms say as much."""
    found = situations(part.book)
    for name, less in part.norms.items():
        norm = found.theory.norms[name]
        bare = replace(less, id=f"{name}/without")
        other = amended(found.theory, part.norms)
        for scene in found.between(bare, norm):
            try:
                answer = reason.answer(other, scene.proof.case, False)
            except LoopholeError:
                continue
            if counterfactuals.said(answer) != counterfactuals.said(scene.proof):
                return Telling(dict(scene.case), *map(explain.headline, (scene.proof, answer)))
    return None


@cache
def situations(book: str) -> shapes.Shapes:
    """The situations of a book; kept, for each part asks for some."""
    return shapes.of_book(book)
