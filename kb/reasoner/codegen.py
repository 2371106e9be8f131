"""Writes conditions and norms out as Python source, so that trying one is a run of plain statements.

What a condition means stands here for the connectives, membership and flags; kb.reasoner.evaluate has the rest, which the source
calls. Strong Kleene logic: `and` is false if a part is, unknown if a part is, else true. Where a conjunction is false
for several reasons, one that rests on no presumption is preferred, so that an answer assumes no more than it must.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol

from kb.language import norms as m
from kb.language.vocabulary import ABSENT, Vocabulary
from kb.reasoner.trace import Outcome, Step

BLOCKS = 6  # how far blocks are nested before a function of its own is called: Python allows 20 loops


class Compiler(Protocol):
    """What the writer asks of kb.reasoner.evaluate: what is called instead of written out, and in which order parts are tried."""

    vocabulary: Vocabulary

    def called(self, c: m.Condition) -> Callable[..., Step]: ...
    def kept(self, c: m.Some) -> int | None: ...
    def binds(self, c: m.Condition) -> bool: ...
    def ordered(self, c: m.And) -> tuple[list[m.Condition], int]: ...


@lru_cache(maxsize=10_000)
def code(source: str) -> CodeType:
    """Source made executable; theories of one book write much the same."""
    return compile(source, "<norm>", "exec")


class Writer:
    """One function's source: `s` is the situation, `x` the focus, `env` the names bound so far."""

    def __init__(self, compiler: Compiler):
        self.compiler = compiler
        self.lines: list[str] = []
        self.space: dict[str, Any] = {"Step": Step, "Outcome": Outcome}
        self.count = 0

    def function(self, name: str) -> Any:
        exec(code("\n".join(self.lines)), self.space)
        return self.space[name]

    def put(self, at: int, line: str) -> None:
        self.lines.append(" " * at + line)

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def keep(self, value: object) -> str:
        """A name for a value that the source uses but does not spell."""
        name = self.name("k")
        self.space[name] = value
        return name

    def later(self, c: m.Condition) -> str:
        """A name for the function of a condition, which is made when it is first called: few norms get so far."""
        name, space, compiler = self.name("k"), self.space, self.compiler

        def first(*given: Any) -> Step:
            made = space[name] = compiler.called(c)
            return made(*given)

        space[name] = first
        return name

    # ── whole functions ──

    def norm(self, norm: m.Norm, subject: str) -> Callable[..., Outcome]:
        """Tries a norm on a focus: its class, its condition, and each of its exceptions."""
        n = self.keep(norm)
        self.put(0, "def tried(s, x):")
        self.put(1, "env = {'this': x}")
        head, parts = "None", ["w"]
        if subject:
            head = "h"
            parts = ["h", "w"]
            self.member("x", subject, "h", 1)
            self.put(1, "if h.value is False:")
            self.put(2, f"return Outcome({n}, x, False, h, None, (), env, h.soft)")
        when = norm.when
        if isinstance(when, m.And) and not self.compiler.binds(when):
            self.conjunction(when, *self.compiler.ordered(when), "x", "w", 1, 0, (n, head))
        else:
            self.condition(when, "x", "w", 1)
            self.put(1, "if w.value is False:")
            self.put(2, f"return Outcome({n}, x, False, {head}, w, (), env, w.soft)")
        met = ""
        for unless in norm.unless:
            t = self.name("t")
            self.condition(unless.condition, "x", t, 1)
            met += f"({self.keep(unless)}, {t}),"
            self.put(1, f"if {t}.value is True:")
            self.put(2, f"return Outcome({n}, x, False, {head}, w, ({met}), env, {t}.soft)")
            parts.append(t)
        status = f"None if {unknown(parts)} else True"
        self.put(1, f"return Outcome({n}, x, {status}, {head}, w, ({met}), env, {soft(parts)})")
        return self.function("tried")  # type: ignore[no-any-return]

    def alone(self, c: m.Condition) -> Callable[..., Step]:
        """A condition as a function of its own."""
        self.put(0, "def run(s, x, env):")
        self.condition(c, "x", "r", 1)
        self.put(1, "return r")
        return self.function("run")  # type: ignore[no-any-return]

    # ── conditions: each leaves its Step in the variable `r` ──

    def condition(self, c: m.Condition, x: str, r: str, at: int, deep: int = 0) -> None:
        binds = self.compiler.binds(c)
        match c:
            case m.Named(name) if not self.compiler.vocabulary.classes[name].derived:
                self.member(x, name, r, at)
            case m.And() if not binds and deep < BLOCKS:
                parts, cheap = self.compiler.ordered(c)
                self.conjunction(c, parts, cheap, x, r, at, deep)
            case m.Except(base, carve, _) if not binds and deep < BLOCKS:
                self.conjunction(c, [base, m.Not(carve)], 2, x, r, at, deep)
            case m.Or(parts_) if deep < BLOCKS:
                self.disjunction(c, parts_, x, r, at, deep)
            case m.Not():
                _, opposite = self.opposite(c, x, at, deep)
                self.put(at, f"{r} = {opposite}")
            case m.Some():
                slot = self.compiler.kept(c)
                if slot is None:
                    self.call(c, x, r, at)
                else:
                    self.put(at, f"{r} = {x}.conditions.get({self.keep(slot)}) or {self.later(c)}(s, {x}, env)")
            case m.Flag(name, value):
                self.flag(c, name, value, x, r, at)
            case m.Anything():
                self.put(at, f"{r} = Step({self.keep(c)}, {x}, True, 'anything', (), False)")
            case _:
                self.call(c, x, r, at)

    def call(self, c: m.Condition, x: str, r: str, at: int) -> None:
        self.put(at, f"{r} = {self.later(c)}(s, {x}, env)")

    def opposite(self, c: m.Not, x: str, at: int, deep: int) -> tuple[str, str]:
        """Tries what is denied: the variable that it is left in, and what makes the step of the denial from it."""
        q = self.name("q")
        self.condition(c.of, x, q, at, deep)
        value = f"None if {q}.value is None else not {q}.value"
        return q, f"Step({self.keep(c)}, {x}, {value}, 'not', ({q},), {q}.soft)"

    def member(self, x: str, name: str, r: str, at: int) -> None:
        self.put(at, f"{r} = {x}.members.get({name!r}) or s.first({x}, {name!r})")

    def flag(self, c: m.Flag, name: str, value: bool, x: str, r: str, at: int) -> None:
        k, v = self.keep(c), self.name("v")
        self.put(at, f"{v} = {x}.facts.flags.get({name!r})")
        self.put(at, f"if {v} is not None:")
        self.put(at + 1, f"{r} = Step({k}, {x}, {v} is {value}, 'stated', (), False)")
        if self.compiler.vocabulary.properties[name].when_unstated == ABSENT:
            self.put(at, f"elif {name!r} not in {x}.facts.unknown:")
            self.put(at + 1, f"{r} = Step({k}, {x}, {value is False}, 'presumed', (), True)")
        self.put(at, "else:")
        self.put(at + 1, f"{r} = Step({k}, {x}, None, 'unknown', (), False)")

    def conjunction(
        self,
        c: m.Condition,
        parts: Sequence[m.Condition],
        cheap: int,
        x: str,
        r: str,
        at: int,
        deep: int,
        of: tuple[str, str] = ("", ""),
    ) -> None:
        """All of `parts`. A failure that rests on a presumption is set against the other cheap parts, not the dear.

        of: the norm whose whole condition this is, and the step of its class: where this fails, the norm is done with.
        """
        norm, head = of
        k, failed = self.keep(c), self.name("f")
        at, block = at + 1, at
        self.put(block, "while True:")

        def gives(indent: int, value: str, held: str, soft_: str) -> None:
            step = f"Step({k}, {x}, {value}, 'and', ({held},), {soft_})"
            if norm and value == "False":
                self.put(indent, f"return Outcome({norm}, x, False, {head}, {step}, (), env, {soft_})")
            else:
                self.put(indent, f"{r} = {step}")
                self.put(indent, "break")

        def settle() -> None:
            self.put(at, f"if {failed} is not None:")
            gives(at + 1, "False", failed, "True")

        if cheap:
            self.put(at, f"{failed} = None")
        names, late = [], []
        for number, part in enumerate(parts):
            if number == cheap and cheap:
                settle()
            a = self.name("a")
            names.append(a)
            if isinstance(part, m.Not):  # its step is made when it is known to be wanted
                q, opposite = self.opposite(part, x, at, deep + 1)
                late.append(f"{a} = {opposite}")
                self.put(at, f"if {q}.value is True:")
                self.put(at + 1, late[-1])
            else:
                self.condition(part, x, a, at, deep + 1)
                self.put(at, f"if {a}.value is False:")
            if number < cheap:
                self.put(at + 1, f"if not {a}.soft:")
                gives(at + 2, "False", a, "False")
                self.put(at + 1, f"{failed} = {failed} or {a}")
            else:
                gives(at + 1, "False", a, f"{a}.soft")
        if cheap == len(parts):
            settle()
        for line in late:
            self.put(at, line)
        gives(at, f"None if {unknown(names)} else True", ", ".join(names), soft(names))

    def disjunction(self, c: m.Condition, parts: Sequence[m.Condition], x: str, r: str, at: int, deep: int) -> None:
        k, met = self.keep(c), self.name("f")
        self.put(at, "while True:")
        at += 1

        def gives(indent: int, value: str, held: str, soft_: str) -> None:
            self.put(indent, f"{r} = Step({k}, {x}, {value}, 'or', ({held},), {soft_})")
            self.put(indent, "break")

        self.put(at, f"{met} = None")
        names = []
        for part in parts:
            a = self.name("a")
            names.append(a)
            self.condition(part, x, a, at, deep + 1)
            self.put(at, f"if {a}.value is True:")
            self.put(at + 1, f"if not {a}.soft:")
            gives(at + 2, "True", a, "False")
            self.put(at + 1, f"{met} = {met} or {a}")
        self.put(at, f"if {met} is not None:")
        gives(at + 1, "True", met, "True")
        gives(at, f"None if {unknown(names)} else False", ", ".join(names), soft(names))


def unknown(names: Sequence[str]) -> str:
    return " or ".join(f"{a}.value is None" for a in names)


def soft(names: Sequence[str]) -> str:
    return " or ".join(f"{a}.soft" for a in names)
