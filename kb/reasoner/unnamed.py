"""What is surely not so of something that nobody told, whatever a case tells of others: by the norms alone, once for each kind.

    leaf(theory, kind, cls) -> Leaf     what is known of its being a cls; why "": norms are to be tried on it

It stands for whatever a relation leads to (World.blank): of its kind, and as usual. Nothing else is stated of it, so most norms that
would make more of it ask what it cannot come to be, and need not be tried on it: what is presumed absent of anything is absent of it.
"""

from __future__ import annotations

from kb.language import norms as m
from kb.language.vocabulary import ABSENT
from kb.rulebook.theory import Kind, Leaf, Theory

Goal = tuple[str, str]  # "class", "taken" (it may be taken away) or "role", and its name


def leaf(theory: Theory, kind: Kind, cls: str) -> Leaf:
    """What its kind alone says of its being a `cls`; remembered with the kind."""
    found = kind.leaves.get(cls) or theory.leaf(kind, cls)
    if found.value:
        found = found._replace(why="staged")
    elif not found.why and as_usual(theory, kind, cls):
        found = Leaf(found.node, False, "presumed", True)
    kind.unnamed[cls] = found
    return found


def as_usual(theory: Theory, kind: Kind, cls: str) -> bool:
    """Whether it is presumed to be no `cls`, and no norm or definition could say otherwise."""
    absent = theory.vocabulary.classes[cls].when_unstated == ABSENT
    return absent and cls not in theory.definitions and not could(theory, kind).turn(cls)


def could(theory: Theory, kind: Kind) -> Could:
    """What could be so of something of a kind; remembered with the kind."""
    if not kind.could:
        kind.could.append(Could(theory, kind))
    return kind.could[0]  # type: ignore[no-any-return]


class Could:
    """What could be so of something of a kind that nobody told: at most this. What leans on itself alone could not: goals are looked at
    again until no more of them could be so."""

    def __init__(self, theory: Theory, kind: Kind):
        self.theory, self.kind = theory, kind
        self.asked: dict[Goal, None] = {}
        self.so: set[Goal] = set()

    def turn(self, cls: str) -> bool:
        """Whether a norm could make it a cls, or take that away."""
        goals = ("class", cls), ("taken", cls)
        self.asked.update(dict.fromkeys(goals))
        before = -1
        while before != len(self.asked) + len(self.so):  # until nothing more is so, and nothing more is asked for
            before = len(self.asked) + len(self.so)
            self.so.update(goal for goal in list(self.asked) if goal not in self.so and self.look(goal))
        return not self.so.isdisjoint(goals)

    def goal(self, sort: str, name: str) -> bool:
        """Whether it could be of a class, or be related to something, by what is known so far."""
        goal = sort, name
        self.asked.setdefault(goal)
        return goal in self.so

    def look(self, goal: Goal) -> bool:
        """The same, looked at anew."""
        sort, name = goal
        if sort == "taken":
            return any(self.applies(n) for n in self.theory.unmakes.get(name, ()))
        return self.related(name) if sort == "role" else self.of(name)

    def of(self, cls: str) -> bool:
        """Whether it could be of a class."""
        theory = self.theory
        if not cls or cls in self.kind.types or theory.vocabulary.classes[cls].derived:
            return True
        if cls in self.kind.denied:
            return False
        return (
            any(self.applies(n) for n in theory.makes.get(cls, ()))
            or any(self.holds(c) for c in theory.definitions.get(cls, ()))
            or any(self.goal("class", below) for below in theory.defined_below.get(cls, ()))
        )

    def applies(self, norm: m.Norm) -> bool:
        """Whether a norm could apply to it."""
        subject = m.subject_of(norm.head)
        fits = self.theory.fits(self.kind, subject) is not False
        return fits and self.goal("class", subject) and self.holds(norm.when)

    def related(self, name: str) -> bool:
        """Whether a relation could lead from it to something: nothing is told of that, so by chains, norms or built-ins alone."""
        theory = self.theory
        way = theory.ways.get(name) or theory.way(name)
        if not way.indirect:
            return False
        if way.derived or any(self.goal("role", sub) for sub in way.chained):
            return True
        if any(not first[1] and self.goal("role", first[0]) for _, (first, *_) in way.chains):
            return True
        return any(self.relates(n, name in way.inverses) for n in theory.relations.get(name, ()))

    def relates(self, norm: m.Norm, symmetric: bool) -> bool:
        """Whether a norm could relate it to something, or (symmetric) something to it."""
        head = norm.head
        assert isinstance(head, m.Relates)
        if head.negated:
            return False
        return (self.applies(norm) and self.reached(head.to)) or (symmetric and self.holds(head.to, this=False))

    def reached(self, c: m.Condition) -> bool:
        """Whether a condition could hold of another thing, seen from it: not where it names what would have to be told of it."""
        match c:
            case m.And(parts):
                return all(map(self.reached, parts))
            case m.HasValue(_, m.Path("this", (step, *_))) | m.Same(m.Path("this", (step, *_))):
                return self.goal("role", step)
        return True

    def holds(self, c: m.Condition, this: bool = True) -> bool:
        """Whether a condition could hold of it. this: whether it is the focus too."""
        match c:
            case m.Named(name):
                return self.goal("class", name)
            case m.And(parts):
                return all(self.holds(part, this) for part in parts)
            case m.Or(parts):
                return any(self.holds(part, this) for part in parts)
            case m.Not(m.Named(name)):
                return name not in self.kind.types
            case m.Except(base, _, _) | m.Bind(base, _):
                return self.holds(base, this)
            case m.Flag(name, wanted):
                return not wanted and self.theory.vocabulary.properties[name].when_unstated == ABSENT
            case m.Some(role, _) | m.HasValue(role, _):
                return not role.inverse and self.goal("role", role.name)
            case m.Count(role, "min", n, _) if n:
                return not role.inverse and self.goal("role", role.name)
            case m.Of("this", of) if this:
                return self.holds(of)
        return True
