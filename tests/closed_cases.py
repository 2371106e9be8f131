"""Closed cases of a book, drawn from its own norms: things that meet a norm's condition, or nearly, and nothing left open."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Case, Facts, Question
from kb.reasoner.evaluate import evaluator
from kb.reasoner.situation import Situation
from kb.rulebook.theory import Theory

MOST = 7  # things of a case


@dataclass
class Maker:
    """Builds the things of one case along a norm's condition; draws what the condition leaves free."""

    theory: Theory
    draw: Any
    things: dict[str, Facts] = field(default_factory=dict)

    def make(self, norm: m.Norm) -> dict[str, Facts]:
        self.thing("it", m.subject_of(norm.head))
        self.meet("it", norm.when)
        for unless in norm.unless:
            if self.draw(st.integers(0, 2)) == 2:
                self.meet("it", unless.condition)
        self.noise(norm)
        return self.things

    def thing(self, name: str, cls: str = "") -> str:
        self.things.setdefault(name, Facts(name))
        if cls:
            self.say(name, cls)
        return name

    def say(self, name: str, cls: str) -> bool:
        """States a class, unless what is stated already excludes it."""
        facts, classes = self.things[name], self.theory.vocabulary.classes
        if any(cls in classes[c].disjoint for c in facts.is_):
            return False
        if cls not in facts.is_:
            self.things[name] = replace(facts, is_=(*facts.is_, cls))
        return True

    def link(self, name: str, role: m.Role, other: str) -> bool:
        prop = self.theory.vocabulary.properties[role.name]
        one, two = (other, name) if role.inverse else (name, other)
        # What the property and those it is the inverse of say of its two ends.
        back = [self.theory.vocabulary.properties[n] for n in prop.inverses]
        ends = [(one, prop.domain), (two, prop.range)]
        ends += [(two, p.domain) for p in back] + [(one, p.range) for p in back]
        if prop.derived or not all(self.say(x, cls) for x, cls in ends if cls):
            return False
        if any(p.functional and self.has(two, p.name) - {one} for p in back):
            return False  # two would stand in two places at once
        facts = self.things[one]
        if prop.functional and self.has(one, prop.name) - {*facts.links.get(prop.name, ()), two}:
            return False  # the other side has told where one is
        before = () if prop.functional else facts.links.get(role.name, ())
        self.things[one] = replace(facts, links={**facts.links, role.name: tuple(dict.fromkeys((*before, two)))})
        return True

    def has(self, name: str, relation: str) -> set[str]:
        """What a thing is told to be related to, from either side."""
        told = set(self.things[name].links.get(relation, ()))
        for inverse in self.theory.vocabulary.properties[relation].inverses:
            told |= {x for x, facts in self.things.items() if name in facts.links.get(inverse, ())}
        return told

    def new(self) -> str:
        if len(self.things) >= MOST:
            return self.draw(st.sampled_from(sorted(self.things)))  # type: ignore[no-any-return]
        return self.thing(f"t{len(self.things)}")

    def meet(self, name: str, c: m.Condition) -> None:
        """Facts that make the condition hold, now and then all but."""
        if self.draw(st.integers(0, 11)) == 11:
            return
        match c:
            case m.Named(cls):
                self.say(name, cls)
            case m.And(parts):
                for part in parts:
                    self.meet(name, part)
            case m.Or(parts):
                self.meet(name, self.draw(st.sampled_from(parts)))
            case m.Except(base, carve, _):
                self.meet(name, base)
                if self.draw(st.integers(0, 3)) == 3:
                    self.meet(name, carve)
            case m.Not(of) if self.draw(st.integers(0, 4)) == 4:
                self.meet(name, of)
            case m.Some(role, of) | m.Only(role, of) | m.Count(role, _, _, of):
                other = self.one(name, role)
                if other:
                    self.meet(other, of)
            case m.HasValue(role, m.Path(_, steps)):
                end = "it"
                for step in steps:
                    end = self.one(end, m.Role(step)) if end else ""
                *way, last = self.chain(role) or [role]
                start = self.along(name, way)
                if start and end:
                    self.link(start, last, end)
            case m.Flag(flag, value) if self.bears(name, flag):
                self.things[name] = replace(self.things[name], flags={**self.things[name].flags, flag: value})
            case m.Compare(m.Path(_, steps), _, m.Num(value)) if steps:
                end = name
                for step in steps[:-1]:
                    end = self.one(end, m.Role(step)) if end else ""
                if end and self.bears(end, steps[-1]):
                    near = value + self.draw(st.integers(-1, 1))
                    self.things[end] = replace(self.things[end], numbers={**self.things[end].numbers, steps[-1]: near})

    def bears(self, name: str, quantity: str) -> bool:
        domain = self.theory.vocabulary.properties[quantity].domain
        return not domain or self.say(name, domain)

    def one(self, name: str, role: m.Role) -> str:
        """Something that a role leads to: what is there, or something new; by a chain of roles where there is one."""
        if chain := self.chain(role):
            return self.along(name, chain)
        there = self.things[name].links.get(role.name, ()) if not role.inverse else ()
        if there and self.draw(st.integers(0, 3)) != 3:
            return there[0]
        other = self.draw(st.sampled_from(sorted(self.things))) if self.draw(st.integers(0, 4)) == 4 else self.new()
        return other if self.link(name, role, other) else ""

    def chain(self, role: m.Role) -> list[m.Role]:
        """The steps of one of the chains that imply a role, [] where it has none or is to be told as it is."""
        chains = () if role.inverse else self.theory.vocabulary.properties[role.name].chains
        return steps_of(self.draw(st.sampled_from([(), *chains]))) if chains else []

    def along(self, name: str, way: list[m.Role]) -> str:
        """Where some roles lead to, one after the other; "" where there is no going on."""
        for role in way:
            name = self.one(name, role) if name else ""
        return name

    def noise(self, norm: m.Norm) -> None:
        """A class and a link or two besides, of those that the book's norms speak of."""
        names = sorted(self.things)
        acts = [n for n in self.theory.norms.values() if isinstance(n.head, m.Deontic)]
        for _ in range(self.draw(st.integers(0, 2))):
            other = self.draw(st.sampled_from(acts))
            self.meet(self.draw(st.sampled_from(names)), other.when)
        # What chains lead to is what two reasoners can differ on, and few norms' conditions draw it.
        chained = [p.chains for _, p in sorted(self.theory.vocabulary.properties.items()) if p.chains]
        for _ in range(self.draw(st.integers(0, 3))):
            chain = self.draw(st.sampled_from(self.draw(st.sampled_from(chained))))
            self.along(self.draw(st.sampled_from(names)), steps_of(chain))
        for name in names:
            if self.draw(st.integers(0, 2)) == 0:
                self.say(name, self.draw(st.sampled_from(["Friendly", "Enemy"])))


def steps_of(chain: tuple[str, ...]) -> list[m.Role]:
    return [m.Role(step.removeprefix("inverse "), step.startswith("inverse ")) for step in chain]


def closed(theory: Theory, things: dict[str, Facts], used: tuple[set[str], set[str], set[str]]) -> Situation:
    """The situation with everything settled that norms look at: unknown classes denied, lists said to be all, numbers given."""
    classes, roles, numbers = used
    properties = theory.vocabulary.properties
    told_apart = [c for c in sorted(classes) if not theory.definitions.get(c)]
    case = Case(theory.book, things, Question("may", "it"))
    for _ in range(2):  # the second time for classes that rules concluded to be open the first time
        s = Situation(theory, case)
        known: dict[str, Facts] = {}
        for name, facts in case.things.items():
            x = s.things[name]
            open_ = [c for c in told_apart if s.member(x, c).value is None]
            kept = {r for c in x.kind.types for r, _ in theory.vocabulary.classes[c].existential}
            links = {r: () for r in sorted(roles) if r not in kept and not s.successors(x, r).complete}
            domains = {d for d in {p.domain for p in properties.values()} if not d or s.member(x, d).value is True}
            bears = {n for n, p in properties.items() if p.domain in domains}
            values = {
                n: Fraction(0)
                for n in sorted(numbers & bears)
                if n not in facts.numbers and s.quantity(x, n).value is None
            }
            flags = {f: False for f in sorted(bears) if properties[f].kind == "flag" and f not in facts.flags}
            known[name] = replace(
                facts, not_=tuple(dict.fromkeys((*facts.not_, *open_))), unknown=(), links={**links, **facts.links},
                numbers={**values, **facts.numbers}, flags={**flags, **facts.flags},
            )  # fmt: skip
        case = replace(case, things=known)
    return Situation(theory, case)


def possible(s: Situation) -> bool:
    """Whether everything that is a C meets C's definition, and has the value that an axiom `C SubClassOf p some D` asks for, one
    that a wider property is not told to be without.

    The reasoner takes what is stated, and makes up missing values, but objects to neither; a DL reasoner does.
    """
    rows = [(c, p, d) for c, t in s.vocabulary.classes.items() for p, d in t.existential]
    wider = {p: [q for q, row in s.vocabulary.properties.items() if p in row.below] for _, p, _ in rows}
    for x in list(s.things.values()):
        stated = [d for c in x.kind.types for d in s.theory.definitions.get(c, ())]
        if any(evaluator(s.theory, d)(s, x, {"this": x}).value is not True for d in stated):
            return False
        for cls, role, wanted in rows:
            if not s.member(x, cls).value:
                continue
            values = [y for y in s.successors(x, role).things if s.member(y, wanted).value]
            if not values or any(y not in s.successors(x, q).things for y in values for q in wider[role]):
                return False
    return True
