"""Conditions and expressions of the rule language.

A *condition* is a Manchester class expression with three extensions (Except, Compare, Bind). It is read
from the focus of the norm's head outwards. An *expression* (Expr) has a number as its value.
All of these are immutable, compare by structure, and print themselves in the rule language.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct


class Piece(Struct, frozen=True, array_like=True, tag=True, cache_hash=True):
    """A condition, an expression or a head. The tag tells which, where a linked book is kept (kb.stored); the hash is kept, for
    what is found of a piece is looked up by it."""


# ── conditions ──────────────────────────────────────────────────────────────────────────────────────────


class Named(Piece, frozen=True):
    """A class of the ontology, by its name in the rule language (its IRI's local name)."""

    name: str

    def __str__(self) -> str:
        return self.name


class Role(Piece, frozen=True):
    """An object property, read forwards or (`inverse p`) backwards."""

    name: str
    inverse: bool = False

    def __str__(self) -> str:
        return f"inverse {self.name}" if self.inverse else self.name


class Not(Piece, frozen=True):
    """What is not so."""

    of: Condition

    def __str__(self) -> str:
        return f"not {bracket(self.of)}"


class And(Piece, frozen=True):
    """Conditions that all hold."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(bracket(p) for p in self.parts)


class Or(Piece, frozen=True):
    """Conditions of which one holds."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(bracket(p) for p in self.parts)


class Except(Piece, frozen=True):
    """`base except label (carve)`: base and not carve, kept apart because the text makes an exception here."""

    base: Condition
    carve: Condition
    label: str = ""

    def __str__(self) -> str:
        label = f" {self.label}" if self.label else ""
        return f"{bracket(self.base)} except{label} ({self.carve})"


class Some(Piece, frozen=True):
    """A relation to something that meets a condition."""

    role: Role
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} some {bracket(self.filler)}"


class Only(Piece, frozen=True):
    """A relation to nothing but what meets a condition."""

    role: Role
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} only {bracket(self.filler)}"


class Count(Piece, frozen=True):
    """`role min|max|exactly n filler`."""

    role: Role
    kind: str
    n: int
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} {self.kind} {self.n} {bracket(self.filler)}"


class HasValue(Piece, frozen=True):
    """`role value target`: the target is a path (`this.actor`, a bound variable, a thing of the case)."""

    role: Role
    target: Path

    def __str__(self) -> str:
        return f"{self.role} value {self.target}"


class Same(Piece, frozen=True):
    """`same as path`: the individual is the one the path leads to."""

    target: Path

    def __str__(self) -> str:
        return f"same as {self.target}"


class Of(Piece, frozen=True):
    """A condition on the individual that `root` ("this" or a bound name) stands for: `this.target some Pillbox`."""

    root: str
    condition: Condition

    def __str__(self) -> str:
        return f"{self.root}: {bracket(self.condition)}"


class Flag(Piece, frozen=True):
    """`property true` / `property false`: a boolean data property."""

    name: str
    value: bool

    def __str__(self) -> str:
        return f"{self.name} {'true' if self.value else 'false'}"


class Compare(Piece, frozen=True):
    """`left op right` over numbers; op is one of = != < <= > >=."""

    left: Expr
    op: str
    right: Expr

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


class Bind(Piece, frozen=True):
    """`condition as x`: names the individual for what stands to its right and inside."""

    of: Condition
    var: str

    def __str__(self) -> str:
        return f"{bracket(self.of)} as {self.var}"


class Anything(Piece, frozen=True):
    """owl:Thing."""

    def __str__(self) -> str:
        return "Thing"


class Defined(Piece, frozen=True):
    """A word that the book defines, for a condition or for a number of what a path leads to. Linking puts its definition there."""

    name: str
    args: tuple[Path, ...] = ()
    path: Path | None = None

    def __str__(self) -> str:
        args = f"({', '.join(map(str, self.args))})" if self.args else ""
        return f"{self.path}.{self.name}{args}" if self.path and str(self.path) else self.name + args


Condition = (
    Named
    | Not
    | And
    | Or
    | Except
    | Some
    | Only
    | Count
    | HasValue
    | Same
    | Of
    | Flag
    | Compare
    | Bind
    | Anything
    | Defined
)


def bracket(c: Condition) -> str:
    """A condition in brackets where it needs them."""
    return str(c) if isinstance(c, (Named, Anything)) else f"({c})"


# ── expressions ─────────────────────────────────────────────────────────────────────────────────────────


class Num(Piece, frozen=True):
    """A number, exact."""

    value: Fraction

    def __str__(self) -> str:
        whole, part = divmod(self.value, 1)
        return f"{whole} {part}" if part and whole >= 0 else str(self.value)  # `3/2` would be read as a division


class Path(Piece, frozen=True):
    """`root.step.step`: root "" is the individual at hand, "this" the focus of the head, else a bound variable.

    In an expression the last step is a quantity (data property); elsewhere every step is an object property.
    """

    root: str
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(([self.root] if self.root else []) + list(self.steps))


class Otherwise(Piece, frozen=True):
    """`otherwise(q)`: quantity q of the focus as it stands without the norm that says this."""

    quantity: str

    def __str__(self) -> str:
        return f"otherwise({self.quantity})"


class Arith(Piece, frozen=True):
    """Two expressions added, subtracted, multiplied or divided."""

    op: str  # + - * /
    left: Expr
    right: Expr

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


class Call(Piece, frozen=True):
    """A numeric function of numbers: floor ceil min max abs."""

    function: str
    args: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.args))})"


class Aggregate(Piece, frozen=True):
    """`count|sum|highest|lowest (path [that condition][, quantity])` over the individuals a path leads to."""

    function: str
    path: Path
    filler: Condition
    quantity: str = ""

    def __str__(self) -> str:
        that = "" if isinstance(self.filler, Anything) else f" that {bracket(self.filler)}"
        of = f", {self.quantity}" if self.quantity else ""
        return f"{self.function}({self.path}{that}{of})"


class Lookup(Piece, frozen=True):
    """A table cell. `how` is "is" (exact key) or "at or below"; `shift` moves rows (negative: up/left)."""

    table: str
    how: str
    key: Expr
    column: str
    shift: Expr | None = None

    def __str__(self) -> str:
        shift = f" shift {self.shift}" if self.shift is not None else ""
        return f"lookup({self.table} {self.how} {self.key}{shift}).{self.column}"


Expr = Num | Path | Otherwise | Arith | Call | Aggregate | Lookup | Defined

# ── walks ───────────────────────────────────────────────────────────────────────────────────────────────


def made_of(node: object) -> Sequence[object]:
    """The parts of a piece of the rule language, or of several; none of a word or a number."""
    if isinstance(node, tuple):
        return node
    return [getattr(node, name) for name in getattr(node, "__struct_fields__", ())]


def names_in(node: object) -> set[str]:
    """Every class, property and defined word that a condition or expression names."""
    found: set[str] = set()
    match node:
        case Named(name) | Otherwise(name):
            found.add(name)
        case Flag(name, _):
            found.add(name)
        case Role(name, _):
            found.add(name)
        case Path(_, steps):
            found.update(steps)
        case Defined(name, args, path):
            found |= {name} | names_in(args) | names_in(path)
        case Aggregate(_, path, filler, quantity):
            found |= names_in(path) | names_in(filler) | ({quantity} if quantity else set())
        case _:
            for part in made_of(node):
                found |= names_in(part)
    found.discard("")
    return found
