"""The things that move: conditions, norms, rulebooks, theories.

A *condition* is a Manchester class expression with three extensions (Except, Compare, Bind). It is read
from the focus of the norm's head outwards. An *expression* (Expr) has a number as its value.
All of these are immutable, compare by structure, and print themselves in the rule language.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeVar

from kb.errors import NOWHERE, Place

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


Condition = (
    Named | Not | And | Or | Except | Some | Only | Count | HasValue | Same | Of | Flag | Compare | Bind | Anything
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
        return str(self.value)


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


Expr = Num | Path | Otherwise | Arith | Call | Aggregate | Lookup

# ── norms ───────────────────────────────────────────────────────────────────────────────────────────────

PERMITS, FORBIDS, REQUIRES, WAIVES = "permits", "forbids", "requires", "waives"
SETS, ADDS, MULTIPLIES, LIMITS = "sets", "adds", "multiplies", "limits"


@dataclass(frozen=True, slots=True)
class Deontic:
    """`permits|forbids|requires|waives Act`: a permission, prohibition, obligation, or release from one."""

    mode: str
    act: str

    def __str__(self) -> str:
        return f"{self.mode} {self.act}"


@dataclass(frozen=True, slots=True)
class CountsAs:
    """`counts Subject as [not] Class`: a constitutive norm."""

    subject: str
    target: str
    negated: bool = False

    def __str__(self) -> str:
        return f"counts {self.subject} as {'not ' if self.negated else ''}{self.target}"


@dataclass(frozen=True, slots=True)
class Relates:
    """`relates Subject by property to (condition)`: a constitutive norm whose conclusion is a relation."""

    subject: str
    role: str
    to: Condition
    negated: bool = False

    def __str__(self) -> str:
        return f"relates {self.subject} {'not ' if self.negated else ''}by {self.role} to ({self.to})"


@dataclass(frozen=True, slots=True)
class QuantityHead:
    """`sets|adds|multiplies|limits`. For limits, `bound` is "at most" or "at least"."""

    op: str
    quantity: str
    of: str
    value: Expr
    bound: str = ""

    def __str__(self) -> str:
        if self.op == SETS:
            return f"sets {self.quantity} of {self.of} to {self.value}"
        if self.op == ADDS:
            return f"adds {self.value} to {self.quantity} of {self.of}"
        if self.op == MULTIPLIES:
            return f"multiplies {self.quantity} of {self.of} by {self.value}"
        return f"limits {self.quantity} of {self.of} to {self.bound} {self.value}"


@dataclass(frozen=True, slots=True)
class Effect:
    """`causes Class of path on Event`: what becomes true, of what, when the event happens."""

    cls: str
    path: Path
    event: str

    def __str__(self) -> str:
        return f"causes {self.cls} of {self.path} on {self.event}"


Head = Deontic | CountsAs | Relates | QuantityHead | Effect


@dataclass(frozen=True, slots=True)
class Unless:
    """One labelled exception to a norm, hung on the act (the head's focus)."""

    label: str
    condition: Condition
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Norm:
    """One norm of a rulebook.

    id: the rule number, or `number/label` where a section holds several. `cites` are the rules that its
    condition leans on; those that are not loaded make an answer that turns on the norm need a rule not loaded
    when they stand in `needs`. `over` names norms or rules that this one beats. `excepts` is the label of the
    bracketed exception in the prose that this norm is. `reading` is "dispute:option" where the text is ambiguous.
    """

    id: str
    rule: str
    head: Head
    when: Condition = field(default_factory=Anything)
    unless: tuple[Unless, ...] = ()
    over: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    excepts: str = ""
    reading: str = ""
    until: str = ""
    sentences: tuple[int, ...] = ()
    place: Place = NOWHERE
    book: str = ""
    authority: str = "chapter"


# ── rulebooks ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Exc:
    """A bracketed exception in the prose: `[EXC label: our words; refs]`; exceptions may nest."""

    label: str
    text: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the paraphrase: one line. `not_encoded` is "kind: reason" where no norm encodes it."""

    number: int
    text: str
    exceptions: tuple[Exc, ...] = ()
    not_encoded: str = ""
    example: bool = False
    cases: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Section:
    """One numbered rule: its title, paraphrased sentences and norms."""

    rule: str
    title: str
    sentences: tuple[Sentence, ...]
    norms: tuple[Norm, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Table:
    """A named Markdown table; cells are Fractions where they read as numbers, else text. "" is absent."""

    name: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Fraction | str, ...], ...]
    place: Place = NOWHERE


WHOLLY, PARTLY, NAMES = "wholly", "partly", "names"  # how far a chapter decides a term


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """How far a chapter decides one term (a class, a relation, a number), where a condition on its bearer holds.

    kind: wholly (what the chapter does not say of it is not so), partly (rules that are not loaded decide with it), names
    (the chapter touches it, other rules decide). refs: those rules; those: what they do, to be read on after their names.
    suits: states of whoever acts that such an act is for; bars: the rules that say all that the chapter bars of it. by, says: the closing rule of a wholly decided term, and what it says.
    """

    kind: str
    term: str
    condition: Condition | None = None
    refs: tuple[str, ...] = ()
    those: str = ""
    suits: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    by: str = ""
    says: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Chapter:
    """One rulebook file. `builds_on` names chapters of the same book that it needs; `scope`, how far it decides what."""

    book: str
    id: str
    title: str
    authority: str
    edition: str
    builds_on: tuple[str, ...]
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    file: str
    aliases: tuple[str, ...] = ()
    scope: tuple[ScopeRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Principle:
    """One way of settling a conflict, with the rule that states it. `name` is a principle the reasoner knows."""

    name: str
    cite: str
    says: str


@dataclass(frozen=True, slots=True)
class Policy:
    """How a rulebook settles conflicts; read from policy.yaml beside its chapters.

    principles: in the order tried. authorities: weakest first.
    """

    book: str
    principles: tuple[Principle, ...]
    authorities: tuple[str, ...]


@dataclass(frozen=True)
class Book:
    """A rulebook as read: its chapters, policy and namespaces (first wins when a name is looked up)."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]
    policy: Policy
    namespaces: tuple[str, ...]


def names_in(node: object) -> set[str]:
    """Every class and property that a condition or expression names."""
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


T = TypeVar("T")


def renamed(node: T, old: str, new: str) -> T:
    """A condition, or a part of one, that speaks of the individual `new` wherever this one speaks of `old`."""
    found: Any = node
    match node:
        case Path(root, _) | Of(root, _) if root == old:
            found = replace(found, root=new)
    if isinstance(found, tuple):
        return tuple(renamed(part, old, new) for part in found)  # type: ignore[return-value]
    if hasattr(found, "__dataclass_fields__"):
        parts = {f.name: renamed(getattr(found, f.name), old, new) for f in fields(found)}
        return replace(found, **parts)  # type: ignore[no-any-return]
    return found  # type: ignore[no-any-return]


def speaks_of(node: object, name: str) -> bool:
    """Whether a condition names an individual."""
    return renamed(node, name, "") != node


def unbound(node: object) -> set[str]:
    """The names that a condition, or a part of one, speaks of and does not itself give."""
    match node:
        case Path(root, _):
            found = {root} - {"", "this"}
        case Of(root, of):
            found = {root, *unbound(of)} - {"", "this"}
        case tuple():
            found = set().union(*map(unbound, node))
        case _ if hasattr(node, "__dataclass_fields__"):
            found = set().union(*(unbound(getattr(node, f)) for f in node.__dataclass_fields__))
        case _:
            found = set()
    return found - given(node)


def given(node: object) -> set[str]:
    """The names that trying a condition gives to individuals."""
    match node:
        case Bind(of, name):
            return {name, *given(of)}
        case tuple():
            return set().union(*map(given, node))
        case Not() | Only() | Count():
            return set()
        case _ if hasattr(node, "__dataclass_fields__"):
            return set().union(*(given(getattr(node, f)) for f in node.__dataclass_fields__))
    return set()


def subject_of(head: Head) -> str:
    """The class that a norm's focus must be of."""
    match head:
        case Deontic(_, act):
            return act
        case CountsAs(subject, _, _) | Relates(subject, _, _, _):
            return subject
        case QuantityHead(_, _, of, _, _):
            return of
        case Effect(_, _, event):
            return event
