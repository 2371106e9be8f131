"""What is asked of a thing of some kind: by a condition, by the norms that may make it a member of a class, or by those that may answer a
question of it. It is listed once for each kind of thing, and kept with the theory.

What leads by one relation to other things is asked of each of these as one condition; so kb.reasoner.relevance, which goes through a case by
these lists, comes to a thing once for all that is asked of it in one way, and not once for each norm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kb.language import norms as m
from kb.reasoner.facts_read import Reading
from kb.reasoner.situation import Situation
from kb.rulebook.theory import Kind

MOST_LISTS = 20_000  # kept, of each theory


class Asks:
    """What is asked of a thing, in order: whether it is of classes, whoever asks, and (sided) of those where it may matter who does; words,
    its flags; ways: of what a relation leads to, as a condition; apart: what is looked into by itself; norms: those that are.

    turned: whether it may matter who asks; whole: whether this is all; else it is looked into part by part, for it gives names. of: what it is the
    list of: that lives as long as it does.
    """

    def __init__(self, of: object, whole: bool = True):
        self.of, self.whole, self.turned = of, whole, False
        self.classes: dict[str, None] = {}
        self.sided: dict[str, None] = {}
        self.words: dict[str, None] = {}
        self.ways: list[tuple[str, bool, m.Condition]] = []
        self.apart: list[m.Condition] = []
        self.norms: list[m.Norm] = []

    @property
    def idle(self) -> bool:
        """Whether nothing is asked."""
        return not (self.classes or self.sided or self.words or self.ways or self.apart or self.norms)


class Asking(Reading):
    """Lists what is asked. lists: those made so far, and conditions that are asked together, by the parts."""

    def __init__(self, situation: Situation, apart: bool = False):
        """apart: the kinds of this situation are its own, and so are the lists; else they are kept with the theory."""
        super().__init__(situation)
        lists = self.kept.lists
        if len(lists) >= MOST_LISTS:
            lists.clear()
        self.lists: dict[Any, Any] = {} if apart else lists

    def asks(self, c: m.Condition, kind: Kind) -> Asks:
        """What a condition asks of a thing of a kind."""
        key = id(kind), id(c)
        found = self.lists.get(key)
        if found is None:
            found = Asks((c, kind), not naming(c))
            if found.whole:
                self.add_all(found, (c,), kind)
            self.lists[key] = found
        return found

    def asks_of_class(self, name: str, kind: Kind) -> Asks:
        """What the norms and definitions ask that may make a thing of a kind a member of a class, or take it out."""
        key = id(kind), name
        found = self.lists.get(key)
        if found is None:
            theory, found = self.theory, Asks(kind)
            norms = (norm for made in (theory.makes, theory.unmakes) for norm in made.get(name, ()))
            self.add_all(found, (*self.of_norms(found, norms, kind), *theory.definitions.get(name, ())), kind)
            self.lists[key] = found
        return found

    def asks_of_question(self, asked: str, kind: Kind) -> Asks:
        """What the norms ask that can speak of an act of a kind, in a question of what may or must be done."""
        key = id(kind), (asked,)
        found = self.lists.get(key)
        if found is None:
            found = Asks(kind)
            self.add_all(found, self.of_norms(found, (n for n, _ in self.theory.deontic_of(kind, asked)), kind), kind)
            self.lists[key] = found
        return found

    def of_norms(self, found: Asks, norms: Iterable[m.Norm], kind: Kind) -> list[m.Condition]:
        """The conditions of norms on a thing of a kind. One that gives names, or says more than whether, is noted by itself; one about
        things of another kind asks nothing."""
        asked: list[m.Condition] = []
        for norm in norms:
            subject = m.subject_of(norm.head)
            if subject and self.theory.fits(kind, subject) is False:
                continue
            conditions = [norm.when, *(u.condition for u in norm.unless)]
            if (
                subject in self.sided
                or not isinstance(norm.head, m.Deontic | m.CountsAs)
                or any(map(naming, conditions))
            ):
                found.norms.append(norm)
                continue
            if subject:
                found.classes[subject] = None
            asked += conditions
        return asked

    def add_all(self, found: Asks, conditions: Iterable[m.Condition], kind: Kind) -> None:
        """Adds what conditions ask of a thing of a kind."""
        led: dict[tuple[str, bool, bool], dict[int, m.Condition]] = {}
        for c in conditions:
            if naming(c):
                found.apart.append(c)
                found.turned = True
            else:
                self.add(found, c, kind, led)
        for (role, inverse, turned), fillers in led.items():
            found.turned = found.turned or turned
            found.ways.append((role, inverse, self.together(fillers)))

    def together(self, asked: dict[int, m.Condition]) -> m.Condition:
        """Several conditions as one: the same for the same ones."""
        if len(asked) == 1:
            return next(iter(asked.values()))
        key = "together", *asked
        found = self.lists.get(key)
        if found is None:
            found = self.lists[key] = m.Or(tuple(asked.values()))
        return found

    def add(
        self, found: Asks, c: m.Condition, kind: Kind, led: dict[tuple[str, bool, bool], dict[int, m.Condition]]
    ) -> None:
        """Adds what a condition asks of a thing of a kind. led: by relation, what is asked of what it leads to."""
        match c:
            case m.Named(name) if name in self.sided:
                found.sided[name] = None
                found.turned = True
            case m.Named(name):
                found.classes[name] = None
            case m.And(parts) if not self.other_kind(parts, kind):
                for part in parts:
                    self.add(found, part, kind, led)
            case m.Or(parts):
                for part in parts:
                    self.add(found, part, kind, led)
            case m.Except(base, carve) if not self.other_kind((base,), kind):
                self.add(found, base, kind, led)
                self.add(found, carve, kind, led)
            case m.Not(of):
                self.add(found, of, kind, led)
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, filler=filler):
                led.setdefault((role.name, role.inverse, self.turning(filler)), {})[id(filler)] = filler
            case m.Flag(name):
                found.words[name] = None
            case m.HasValue() | m.Same() | m.Compare():
                found.apart.append(c)
                found.turned = True

    def turning(self, c: m.Condition) -> bool:
        """Whether it may matter from where a condition is asked."""
        match c:
            case m.Named(name):
                return name in self.sided
            case m.And(parts) | m.Or(parts):
                return any(map(self.turning, parts))
            case m.Except(base, carve):
                return self.turning(base) or self.turning(carve)
            case m.Not(of) | m.Some(_, of) | m.Only(_, of) | m.Count(filler=of):
                return self.turning(of)
        return not isinstance(c, m.Flag | m.Anything)

    def other_kind(self, parts: Iterable[m.Condition], kind: Kind) -> bool:
        """Whether a conjunction is of things of which those of a kind are plainly none, so that its other parts do not matter."""
        for part in parts:
            if isinstance(part, m.Bind):
                part = part.of
            if isinstance(part, m.And):
                if self.other_kind(part.parts, kind):
                    return True
            elif isinstance(part, m.Named) and self.plainly_not(part.name, kind):
                return True
        return False

    def plainly_not(self, cls: str, kind: Kind) -> bool:
        """Whether the kind that a thing is told to be, whatever its state, rules out that it is a cls."""
        return cls in kind.denied and bool(self.vocabulary.those(kind.stated, Another(cls, self)))


@dataclass(frozen=True)
class Another:
    """Whether a class is a kind of thing of which none is of some class."""

    cls: str
    walk: Reading = field(compare=False, repr=False)

    def __call__(self, name: str) -> bool:
        """Whether a class is one."""
        classes = self.walk.vocabulary.classes
        return name in classes and self.cls in classes[name].disjoint and not self.walk.reported(name)


@lru_cache(maxsize=10_000)
def naming(c: m.Condition) -> bool:
    """Whether a condition gives names, or speaks of what they stand for; remembered, for it is asked for each kind of thing."""
    match c:
        case m.Named() | m.Flag() | m.Anything():
            return False
        case m.And(parts) | m.Or(parts):
            return any(map(naming, parts))
        case m.Except(base, carve):
            return naming(base) or naming(carve)
        case m.Not(of) | m.Some(_, of) | m.Only(_, of) | m.Count(filler=of):
            return naming(of)
        case m.HasValue() | m.Same() | m.Compare():
            return bool(m.given(c) or m.unbound(c))
    return True
