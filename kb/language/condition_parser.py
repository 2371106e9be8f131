"""Reads conditions and expressions of the rule language (docs/rule-language.md): text in, kb.language.norms out.

A recursive-descent parser over W3C Manchester class expressions and the three extensions of the language.
Faults are raised as Fault with the offending token; kb.rulebook.reader turns them into Problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from kb.language import norms as m
from kb.language.tokens import (
    AGGREGATES,
    COMPARISONS,
    FUNCTIONS,
    RESTRICTIONS,
    WORDS,
    Cursor,
    Fault,
    Token,
    TooDeep,
    tokens,
)
from kb.numbers import number


class Parser(Cursor):
    """Reads the conditions and expressions of one clause."""

    # ── conditions ──

    def condition(self) -> m.Condition:
        """Reads a condition: parts joined by `or`. Raises Fault."""
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else m.Or(tuple(parts))

    def conjunction(self) -> m.Condition:
        """Reads parts joined by `and`; `except (…)` carves out of all that stands before it."""
        parts = [self.unary()]
        carved = 0  # each carving holds what stands before it
        while True:
            if self.take("and", "that"):
                parts.append(self.unary())
            elif self.take("except"):
                label = self.next().text if self.now.kind == "name" and self.peek().text == "(" else ""
                self.need("(", " after “except”")
                with self.deeper(carved := carved + 1):
                    carve = self.condition()
                self.need(")", " to close “except (”")
                parts = [m.Except(conjoin(parts), carve, label)]
            else:
                return conjoin(parts)

    def unary(self) -> m.Condition:
        """Reads a part, with `not` before it or `as x` behind it."""
        with self.deeper():
            if self.take("not"):
                return m.Not(self.unary())
            found = self.primary()
        if self.take("as"):
            var = self.name("a name after “as”").text
            self.bound.add(var)
            found = m.Bind(found, var)
        return found

    def primary(self) -> m.Condition:
        """Reads a class, a restriction, a comparison, or what stands in brackets."""
        token = self.now
        if token.text == "(":
            return self.either(self.grouped, self.comparison)
        if token.kind == "number" or token.text == "-":
            return self.comparison()
        if token.text == "inverse":
            self.next()
            return self.restriction(m.Role(self.name("a property").text, True))
        if token.text == "same":
            return self.same()
        if token.kind != "name" or token.text in WORDS:
            raise Fault(token, f"expected a class or a property but found {self.shown()}")
        if token.text == "none" and self.peek().text == "of":
            return self.none_of()
        after = self.peek().text
        if after in ("true", "false"):
            name = self.next().text
            return m.Flag(name, self.next().text == "true")
        if after == "(" and token.text[0].isupper():
            return m.Defined(self.next().text, self.arguments())
        if after in ("min", "max") and self.peek(2).kind != "number":
            raise Fault(self.peek(2), f"“{after}” needs a whole number")
        if after in RESTRICTIONS:
            return self.restriction(m.Role(self.next().text))
        if after == "(" or after in COMPARISONS or (after in "+-*/" and after):
            return self.comparison()
        if after == ".":
            return self.either(self.path_restriction, self.comparison)
        self.next()
        return m.Anything() if token.text == "Thing" else m.Named(token.text)

    def none_of(self) -> m.Condition:
        """Reads `none of (A, B)`."""
        self.at += 2
        self.need("(", " after “none of”")
        parts = [self.condition()]
        while self.take(","):
            parts.append(self.condition())
        self.need(")", " to close “none of (”")
        return conjoin([m.Not(part) for part in parts])

    def same(self) -> m.Condition:
        """Reads `same as x`, or `same phase, place as x`: it has the phase and the place that x has."""
        self.next()
        if self.take("as"):
            return m.Same(self.path())
        roles = [self.name("a property, or “as”").text]
        while self.take(","):
            roles.append(self.name("a property").text)
        self.need("as")
        of = self.path()
        return conjoin([m.HasValue(m.Role(r), m.Path(of.root, (*of.steps, r))) for r in roles])

    def arguments(self) -> tuple[m.Path, ...]:
        """Reads what stands for the parameters of a definition: `(this.actor)`."""
        self.need("(")
        found = [self.path()]
        while self.take(","):
            found.append(self.path())
        self.need(")", " to close the arguments")
        return tuple(found)

    def either(self, first: Callable[[], m.Condition], second: Callable[[], m.Condition]) -> m.Condition:
        """`first`, unless it fails or stops at an operator; then `second`. The fault that got further is told."""
        start, bound = self.at, set(self.bound)
        try:
            found = first()
            if self.now.text not in COMPARISONS and self.now.text not in ("+", "-", "*", "/"):
                return found
            fault = None
        except TooDeep:
            raise
        except Fault as e:
            fault = e
        self.at, self.bound = start, bound
        try:
            return second()
        except Fault as e:
            far = (e.token.line, e.token.column)
            raise fault if fault and (fault.token.line, fault.token.column) > far else e from None

    def grouped(self) -> m.Condition:
        """Reads a condition in brackets."""
        self.need("(")
        found = self.condition()
        self.need(")", " to close “(”")
        return found

    def path_restriction(self) -> m.Condition:
        """`a.b some C` reads `a some (b some C)`; a bound root moves the focus there first."""
        steps = [self.next().text]
        while self.take("."):
            steps.append(self.name("a property").text)
            self.shallow(len(steps))
        if self.now.text in ("true", "false"):
            found: m.Condition = m.Flag(steps.pop(), self.next().text == "true")
        else:
            found = self.restriction(m.Role(steps.pop()))
        root = steps.pop(0) if steps and steps[0] in self.bound else ""
        for step in reversed(steps):
            found = m.Some(m.Role(step), found)
        return m.Of(root, found) if root else found

    def restriction(self, role: m.Role) -> m.Condition:
        """Reads what is said of a role: `some`, `only`, `min n`, `value x` …"""
        word = self.next()
        if word.text == "value":
            if self.now.kind == "number":  # `addedCost value 0`
                return m.Compare(m.Path("", (role.name,)), "=", self.expression())
            return m.HasValue(role, self.path())
        if word.text in ("some", "only"):
            if word.text == "some" and self.now.text in ("integer", "decimal") and self.peek().text == "[":
                self.at += 2
                op = self.comparator()
                bound = self.expression()
                self.need("]", " to close the facet")
                return m.Compare(m.Path("", (role.name,)), op, bound)
            filler = self.unary()
            return m.Some(role, filler) if word.text == "some" else m.Only(role, filler)
        if word.text in ("min", "max", "exactly"):
            n = self.whole(word.text)
            starts = self.now.text == "(" or (
                self.now.kind == "name" and self.now.text not in WORDS - {"not", "inverse"}
            )
            return m.Count(role, word.text, n, self.unary() if starts else m.Anything())
        raise Fault(word, f"expected some, only, value, min, max or exactly after “{role}”, found “{word.text}”")

    def whole(self, of: str = "until") -> int:
        """Reads a whole number. Raises Fault."""
        n = self.next()
        if n.kind != "number" or not n.text.isdecimal():
            raise Fault(n, f"“{of}” needs a whole number")
        return int(n.text)

    def comparator(self) -> str:
        """Reads a sign of comparison. Raises Fault."""
        op = self.take(*COMPARISONS)
        if op is None:
            raise Fault(self.now, f"expected a comparison (= != < <= > >=) but found {self.shown()}")
        return op.text

    def comparison(self) -> m.Condition:
        """Reads two expressions with a sign between."""
        left = self.expression()
        op = self.comparator()
        return m.Compare(left, op, self.expression())

    # ── expressions ──

    def expression(self) -> m.Expr:
        """Reads a sum."""
        return self.chain(self.term, "+", "-")

    def term(self) -> m.Expr:
        """Reads a product."""
        return self.chain(self.factor, "*", "/")

    def chain(self, part: Callable[[], m.Expr], *signs: str) -> m.Expr:
        """Reads parts with signs between; each sign's expression holds all that stands before it."""
        found, held = part(), 0
        while op := self.take(*signs):
            with self.deeper(held := held + 1):
                found = m.Arith(op.text, found, part())
        return found

    def factor(self) -> m.Expr:
        """Reads an expression in brackets, or of one part."""
        token = self.now
        with self.deeper():
            if self.take("-"):
                return m.Arith("-", m.Num(Fraction(0)), self.factor())
            if self.take("("):
                found = self.expression()
                self.need(")", " to close “(”")
                return found
            return self.operand(token)

    def operand(self, token: Token) -> m.Expr:
        """Reads a number, a path, a function's call, or a look-up."""
        if token.kind == "number":
            self.next()
            value = number(token.text) or Fraction(0)
            if self.now.kind == "number" and self.peek().text == "/" and self.peek(2).kind == "number":
                over, _, under = self.next(), self.next(), self.next()
                value += Fraction(int(over.text), int(under.text))
            return m.Num(value)
        if token.kind == "name" and self.peek().text == "(":
            return self.call()
        if token.kind == "name" and token.text not in WORDS:
            found_path = self.path()
            if self.now.text == "(" and len(found_path.steps) + bool(found_path.root) > 1:
                to = m.Path(found_path.root, found_path.steps[:-1])
                return m.Defined(found_path.steps[-1], self.arguments(), to)
            return found_path
        raise Fault(token, f"expected a number or a quantity but found {self.shown()}")

    def call(self) -> m.Expr:
        """Reads a function's call or an aggregate."""
        name = self.next()
        self.need("(")
        found: m.Expr
        if name.text == "otherwise":
            found = m.Otherwise(self.name("a quantity").text)
        elif name.text in FUNCTIONS:
            args = [self.expression()]
            while self.take(","):
                args.append(self.expression())
            found = m.Call(name.text, tuple(args))
        elif name.text in AGGREGATES:
            path = self.path()
            filler = self.condition() if self.take("that") else m.Anything()
            quantity = self.name("a quantity").text if self.take(",") else ""
            if (name.text == "count") == bool(quantity):
                raise Fault(name, f"{name.text} needs {'no' if quantity else 'a'} quantity after a comma")
            found = m.Aggregate(name.text, path, filler, quantity)
        elif name.text == "lookup":
            return self.lookup()
        else:  # linking knows what the book defines
            self.at -= 1
            return m.Defined(name.text, self.arguments(), m.Path("", ()))
        self.need(")", f" to close “{name.text}(”")
        return found

    def lookup(self) -> m.Expr:
        """Reads a look-up in a table."""
        table = self.name("a table").text
        if self.take("is"):
            how = "is"
        else:
            for word in ("at", "or", "below"):
                self.need(word, " (lookup(table is …) or lookup(table at or below …))")
            how = "at or below"
        key = self.expression()
        shift = self.expression() if self.take("shift") else None
        self.need(")", " to close “lookup(”")
        self.need(".", " and a column after lookup(…)")
        return m.Lookup(table, how, key, self.name("a column").text, shift)

    def path(self) -> m.Path:
        """Reads names with points between: `this.actor.at`."""
        steps = [self.name("a path").text]
        while self.now.text == "." and self.peek().kind == "name":
            self.next()
            steps.append(self.next().text)
            self.shallow(len(steps))
        if steps[0] in self.bound:
            return m.Path(steps[0], tuple(steps[1:]))
        return m.Path("", tuple(steps))


def conjoin(parts: Sequence[m.Condition]) -> m.Condition:
    """One condition for all of `parts`; nested conjunctions are laid flat."""
    flat: list[m.Condition] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, m.And) else (part,))
    return flat[0] if len(flat) == 1 else m.And(tuple(flat))


def condition(text: str, bound: set[str] | None = None) -> m.Condition:
    """Reads one condition. Raises Fault."""
    parser = Parser(tokens(text), bound)
    found = parser.condition()
    parser.finish()
    return found
