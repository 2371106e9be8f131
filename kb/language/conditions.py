"""Conditions and expressions of the rule language.

A *condition* is a Manchester class expression with three extensions (Except, Compare, Bind). It is read
from the focus of the norm's head outwards. An *expression* (Expr) has a number as its value.
All of these are immutable, compare by structure, and print themselves in the rule language.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

# ── conditions ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Named:
    """A class of the ontology, by its name in the rule language (its IRI's local name)."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Role:
    """An object property, read forwards or (`inverse p`) backwards."""

    name: str
    inverse: bool = False

    def __str__(self) -> str:
        return f"inverse {self.name}" if self.inverse else self.name


@dataclass(frozen=True, slots=True)
class Not:
    """What is not so."""

    of: Condition

    def __str__(self) -> str:
        return f"not {bracket(self.of)}"


@dataclass(frozen=True, slots=True)
class And:
    """Conditions that all hold."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(bracket(p) for p in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions of which one holds."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(bracket(p) for p in self.parts)


@dataclass(frozen=True, slots=True)
class Except:
    """`base except label (carve)`: base and not carve, kept apart because the text makes an exception here."""

    base: Condition
    carve: Condition
    label: str = ""

    def __str__(self) -> str:
        label = f" {self.label}" if self.label else ""
        return f"{bracket(self.base)} except{label} ({self.carve})"


@dataclass(frozen=True, slots=True)
class Some:
    """A relation to something that meets a condition."""

    role: Role
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} some {bracket(self.filler)}"


@dataclass(frozen=True, slots=True)
class Only:
    """A relation to nothing but what meets a condition."""

    role: Role
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} only {bracket(self.filler)}"


@dataclass(frozen=True, slots=True)
class Count:
    """`role min|max|exactly n filler`."""

    role: Role
    kind: str
    n: int
    filler: Condition

    def __str__(self) -> str:
        return f"{self.role} {self.kind} {self.n} {bracket(self.filler)}"


@dataclass(frozen=True, slots=True)
class HasValue:
    """`role value target`: the target is a path (`this.actor`, a bound variable, a thing of the case)."""

    role: Role
    target: Path

    def __str__(self) -> str:
        return f"{self.role} value {self.target}"


@dataclass(frozen=True, slots=True)
class Same:
    """`same as path`: the individual is the one the path leads to."""

    target: Path

    def __str__(self) -> str:
        return f"same as {self.target}"


@dataclass(frozen=True, slots=True)
class Of:
    """A condition on the individual that `root` ("this" or a bound name) stands for: `this.target some Pillbox`."""

    root: str
    condition: Condition

    def __str__(self) -> str:
        return f"{self.root}: {bracket(self.condition)}"


@dataclass(frozen=True, slots=True)
class Flag:
    """`property true` / `property false`: a boolean data property."""

    name: str
    value: bool

    def __str__(self) -> str:
        return f"{self.name} {'true' if self.value else 'false'}"


@dataclass(frozen=True, slots=True)
class Compare:
    """`left op right` over numbers; op is one of = != < <= > >=."""

    left: Expr
    op: str
    right: Expr

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True, slots=True)
class Bind:
    """`condition as x`: names the individual for what stands to its right and inside."""

    of: Condition
    var: str

    def __str__(self) -> str:
        return f"{bracket(self.of)} as {self.var}"


@dataclass(frozen=True, slots=True)
class Anything:
    """owl:Thing."""

    def __str__(self) -> str:
        return "Thing"


@dataclass(frozen=True, slots=True)
class Defined:
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


@dataclass(frozen=True, slots=True)
class Num:
    """A number, exact."""

    value: Fraction

    def __str__(self) -> str:
        whole, part = divmod(self.value, 1)
        return f"{whole} {part}" if part and whole >= 0 else str(self.value)  # `3/2` would be read as a division


@dataclass(frozen=True, slots=True)
class Path:
    """`root.step.step`: root "" is the individual at hand, "this" the focus of the head, else a bound variable.

    In an expression the last step is a quantity (data property); elsewhere every step is an object property.
    """

    root: str
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(([self.root] if self.root else []) + list(self.steps))


@dataclass(frozen=True, slots=True)
class Otherwise:
    """`otherwise(q)`: quantity q of the focus as it stands without the norm that says this."""

    quantity: str

    def __str__(self) -> str:
        return f"otherwise({self.quantity})"


@dataclass(frozen=True, slots=True)
class Arith:
    """Two expressions added, subtracted, multiplied or divided."""

    op: str  # + - * /
    left: Expr
    right: Expr

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@dataclass(frozen=True, slots=True)
class Call:
    """A numeric function of numbers: floor ceil min max abs."""

    function: str
    args: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.args))})"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count|sum|highest|lowest (path [that condition][, quantity])` over the individuals a path leads to."""

    function: str
    path: Path
    filler: Condition
    quantity: str = ""

    def __str__(self) -> str:
        that = "" if isinstance(self.filler, Anything) else f" that {bracket(self.filler)}"
        of = f", {self.quantity}" if self.quantity else ""
        return f"{self.function}({self.path}{that}{of})"


@dataclass(frozen=True, slots=True)
class Lookup:
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
        case Num() | Anything() | None:
            pass
        case tuple():
            for item in node:
                found |= names_in(item)
        case _ if hasattr(node, "__dataclass_fields__"):
            for part in node.__dataclass_fields__:
                found |= names_in(getattr(node, part))
    found.discard("")
    return found
