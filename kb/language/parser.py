"""Reads the clauses of a norm: conditions and expressions, and heads, of which one may say the same of several terms.

forbids  Entry, Rout                                    two norms
multiplies firepower, fpMultiplier of Fire by 2         two norms
decides  SkillTest as Passed, else Failed: roll >= 4    two norms, each where the other is not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from kb.errors import did_you_mean
from kb.language import norms as m
from kb.language.condition_parser import Parser as Parser, condition as condition, conjoin as conjoin
from kb.language.said_otherwise import SPAN as SPAN, instead as instead
from kb.language.tokens import Fault as Fault, Token as Token, tokens as tokens

DEONTIC = (m.PERMITS, m.FORBIDS, m.REQUIRES, m.WAIVES)
HEADS = (
    *DEONTIC, "counts", "decides", "relates", m.SETS, m.ADDS, m.MULTIPLIES, m.KEEPS, m.LIMITS, "causes", "ends", m.RAISES, m.LOWERS,
)  # fmt: skip
OPPOSITE = {m.PERMITS: m.FORBIDS, m.REQUIRES: m.WAIVES}


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """What one head says: heads alike in all but their terms, and of `decides`, the test and what fails it."""

    heads: tuple[m.Head, ...]
    test: m.Condition | None = None
    otherwise: tuple[m.Head, ...] = ()


class HeadParser(Parser):
    """Reads heads. Each method raises Fault with the token that cannot stand there."""

    def finish(self) -> None:
        """Sees that nothing is left; of a word that is often tried, how the same is said. Raises Fault."""
        if self.now.kind == "name" and (hint := instead(self.now.text)):
            raise Fault(self.now, f"{self.shown()} is left over here", hint)
        super().finish()

    def head(self) -> Said:
        """Reads one head."""
        word = self.next()
        match word.text:
            case m.PERMITS | m.FORBIDS | m.REQUIRES | m.WAIVES:
                return Said(tuple(m.Deontic(word.text, act) for act in self.listed("an act")))
            case "counts":
                return self.counts()
            case "decides":
                return self.decides()
            case "relates":
                return self.relates()
            case m.SETS:
                return self.sets()
            case m.ADDS:
                value = self.expression()
                self.need("to")
                return self.numbers(m.ADDS, self.quantities(), value)
            case m.MULTIPLIES:
                of = self.quantities("by")
                start = self.now
                value = self.expression()
                if value == m.Num(Fraction(1)):
                    raise Fault(
                        start, "what multiplies by 1 changes nothing", "write keeps QUANTITY of CLASS to cite the rule"
                    )
                return self.numbers(m.MULTIPLIES, of, value)
            case m.KEEPS:  # the rule is cited with the number, which it leaves as it is
                return self.numbers(m.MULTIPLIES, self.quantities(), m.Num(Fraction(1)))
            case m.LIMITS:
                of = self.quantities("to")
                self.need("at", " most or at least")
                bound = "at " + (self.take("most", "least") or self.need("most")).text
                return self.numbers(m.LIMITS, of, self.expression(), bound)
            case "causes" | "ends":
                return self.brings(word.text == "ends")
            case m.RAISES | m.LOWERS:
                quantities = self.listed("a quantity")
                path, each = self.whom()
                self.need("by")
                value = self.expression()
                on_ = self.trigger(each)
                return Said(tuple(m.Change(word.text, q, path, value, *on) for on in on_ for q in quantities))
        raise Fault(word, f"“{word.text}” begins no head", f"heads: {', '.join(HEADS)}")

    def brings(self, ends: bool) -> Said:
        """Reads classes, or relations and what they lead to then: `C of PATH on EVENT`, `r of PATH to PATH on EVENT`."""
        start, names = self.now, self.listed("a class or a relation")
        relations = [name for name in names if name[0].islower()]
        path, each = self.whom()
        if not relations:
            classes = [(m.NO_MORE if ends else "") + name for name in names]
            return Said(tuple(m.Effect(cls, path, *on) for on in self.trigger(each) for cls in classes))
        if len(relations) < len(names):
            raise Fault(start, "a class and a relation in one head", "give each a head of its own")
        to = self.path() if self.take("to") else None
        if to is None and not ends:
            raise Fault(self.now, f"{relations[0]} to what?", f"write causes {relations[0]} of PATH to PATH on EVENT")
        return Said(tuple(m.Link(role, path, to, *on, ends) for on in self.trigger(each) for role in relations))

    def sets(self) -> Said:
        """Reads `q, r of X, Y to EXPRESSION`, or what an event sets a number to: `q of PATH to EXPRESSION on EVENT`."""
        names = self.listed("a quantity")
        path, each, of = None, "", [""]
        if self.now.text == "of" and self.peek().text[:1].isupper() and self.peek().text != "each":
            self.next()
            of = self.listed("a class")
        else:
            path, each = self.whom()
        self.need("to")
        value = self.expression()
        if path is None:
            return self.numbers(m.SETS, tuple((name, cls) for cls in of for name in names), value)
        return Said(tuple(m.Change(m.PUTS, q, path, value, *on) for on in self.trigger(each) for q in names))

    def whom(self) -> tuple[m.Path, str]:
        """Reads `of PATH` or `of each CLASS`: the path, and the class."""
        self.need("of")
        if self.now.text == "each" and self.peek().kind == "name":
            self.next()
            return m.Path("this", ()), self.name("a class").text
        return self.path(), ""

    def trigger(self, each: str) -> list[tuple[str, str, bool]]:
        """Reads `on EVENTS` or `on becoming CLASSES`: each with the class of things that it concerns, and whether they become so."""
        self.need("on")
        becoming = self.now.text == "becoming" and self.peek().kind == "name"
        if becoming:
            word = self.next()
            if each:
                raise Fault(
                    word, "what becomes so is one thing", "say of what: of this on becoming, or of a path from it"
                )
        start = self.now
        if becoming:
            events = self.several(lambda: (m.NO_MORE if self.take("not") else "") + self.name("a class").text)
        else:
            events = self.listed("an event")
        if self.now.kind == "name":
            hint = did_you_mean(start.text, ["becoming"]) or instead(self.now.text) or "put commas between events"
            raise Fault(start, f"“{start.text}” stands before “{self.now.text}”", hint)
        return [(event, each, becoming) for event in events]

    def counts(self) -> Said:
        """Reads `X, Y as C, not D`."""
        subjects = self.listed("a class")
        self.need("as")
        targets = self.several(lambda: (bool(self.take("not")), self.name("a class").text))
        return Said(tuple(m.CountsAs(x, target, negated) for x in subjects for negated, target in targets))

    def decides(self) -> Said:
        """Reads `X as C, else D: CONDITION`."""
        subjects = self.listed("a class")
        self.need("as")
        target = self.name("a class").text
        self.need(",", " and else")
        self.need("else")
        other = self.name("a class").text
        self.need(":", " and what decides")
        test = self.condition()
        return Said(tuple(m.CountsAs(x, target) for x in subjects), test, tuple(m.CountsAs(x, other) for x in subjects))

    def relates(self) -> Said:
        """Reads `X [not] by p, q to (CONDITION)`."""
        subjects = self.listed("a class")
        negated = bool(self.take("not"))
        self.need("by")
        roles = self.listed("a property")
        self.need("to")
        to = self.unary()
        return Said(tuple(m.Relates(x, role, to, negated) for x in subjects for role in roles))

    def numbers(self, op: str, of: tuple[tuple[str, str], ...], value: m.Expr, bound: str = "") -> Said:
        """The heads on some quantities."""
        return Said(tuple(m.QuantityHead(op, quantity, cls, value, bound) for quantity, cls in of))

    def quantities(self, then: str = "") -> tuple[tuple[str, str], ...]:
        """Reads `q, r of X, Y` and a word behind it: each quantity with each class."""
        names = self.listed("a quantity")
        self.need("of")
        classes = self.listed("a class")
        if then:
            self.need(then)
        return tuple((name, cls) for cls in classes for name in names)

    def listed(self, what: str) -> list[str]:
        """Reads names with commas between."""
        return self.several(lambda: self.name(what).text)

    def several(self, one: Callable[[], T]) -> list[T]:
        """Reads one and more with commas between."""
        found = [one()]
        while self.take(","):
            found.append(one())
        return found


def opposite(head: m.Head) -> m.Head | None:
    """What is so where a head's condition fails, of one that says when alone it holds; None where it has no opposite."""
    match head:
        case m.Deontic(mode, act) if mode in OPPOSITE:
            return m.Deontic(OPPOSITE[mode], act)
        case m.CountsAs(subject, target, negated):
            return m.CountsAs(subject, target, not negated)
        case m.Relates(subject, role, to, negated):
            return m.Relates(subject, role, to, not negated)
    return None


def terms(head: m.Head) -> Iterator[str]:
    """What tells a head from others of the same norm: first what it decides, then of what."""
    match head:
        case m.Deontic(mode, act):
            yield from (act, mode)
        case m.CountsAs(subject, target, _):
            yield from (target, subject)
        case m.Relates(subject, role, _, _):
            yield from (role, subject)
        case m.QuantityHead(_, quantity, of, _, _):
            yield from (quantity, of)
        case m.Effect(_, _, event):
            yield from (head.term, event)
        case m.Change(_, quantity, _, _, event):
            yield from (quantity, event)
        case m.Link(role, _, _, event):
            yield from (role, event)
