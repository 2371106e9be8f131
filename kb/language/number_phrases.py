"""Numbers and ways to them as phrases: `the actor's weapon`, `twice wall of target`, `the total count of units that fire in it`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kb.language import english, norms as m
from kb.language.english import series
from kb.language.relations import clause, verbal
from kb.language.vocabulary import Vocabulary
from kb.numbers import shown

AGGREGATES = {"count": "number of", "sum": "total"}
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}  # how strongly an operator holds its two sides together
ROUNDED = {"floor": "rounded down", "ceil": "rounded up"}
# All that a relation of a thing leads to and that meets a condition, as a phrase (kb.language.condition_phrases.ends).
Ends = Callable[[Vocabulary, m.Role, str, m.Condition], str]


def say_path(vocabulary: Vocabulary, path: m.Path, it: str = "") -> str:
    """`the actor`, `the actor's weapon`, `the hex of what it takes`; it: what the thing that it begins with is called."""
    said = it if path.root in ("", "this") else path.root
    for step in path.steps:
        term = vocabulary.properties.get(step)
        label = term.label if term is not None else step
        if term is not None and verbal(term):
            said = clause(vocabulary, m.Role(step), said or "it")
        elif " " in said and said.startswith(("what ", "the place ")):
            said = f"the {label} of {said}"
        else:
            said = f"{said}'s {label}" if said else f"the {label}"
    return said or "it"


def say_expr(vocabulary: Vocabulary, e: m.Expr, ends: Ends) -> str:
    """An expression in words as far as that helps: `twice cover otherwise`, `wall of target`."""
    match e:
        case m.Num(value):
            return shown(value)
        case m.Path(root, steps):
            way = say_path(vocabulary, m.Path(root, steps[:-1])) if steps[:-1] or root not in ("", "this") else ""
            if not steps:
                return root
            return english.say_number(vocabulary, steps[-1], way) if way else vocabulary.properties[steps[-1]].label
        case m.Otherwise(quantity):
            return f"{vocabulary.properties[quantity].label} as it would be otherwise"
        case m.Arith("/", m.Num(over), m.Num(under)):
            return shown(over / under) if under else "a number that no loaded rule gives"
        case m.Arith(_, left, right):
            return say_arith(e, say_expr(vocabulary, left, ends), say_expr(vocabulary, right, ends))
        case m.Call(function, args):
            return say_call(function, [say_expr(vocabulary, a, ends) for a in args], args)
        case m.Aggregate(function, path, filler, quantity):
            of = say_path(vocabulary, path)
            if path.steps:
                way = say_path(vocabulary, m.Path(path.root, path.steps[:-1]))
                of = ends(vocabulary, m.Role(path.steps[-1]), way, filler)
            return say_taken(vocabulary, function, quantity, of)
        case m.Lookup(table, how, key, column, shift):
            return say_entry(
                table,
                how,
                column,
                say_expr(vocabulary, key, ends),
                "" if shift is None else say_expr(vocabulary, shift, ends),
            )
        case m.Defined():  # of a book that is not linked
            return str(e)


def say_taken(vocabulary: Vocabulary, function: str, quantity: str, of: str) -> str:
    """`the number of units that fire in it`, `the total FP of a and b`, `the highest wall of a and b`."""
    return (
        f"the {AGGREGATES.get(function, function)} {english.say_number(vocabulary, quantity, of) if quantity else of}"
    )


def say_entry(table: str, how: str, column: str, key: str, shift: str = "") -> str:
    """A cell of a table: `the “he” entry for caliber of shot in the gun-columns table`."""
    row = key if how == "is" else f"{key} or the next lower row"
    moved = f", moved by {shift}" if shift else ""
    return f"the “{column}” entry for {row}{moved} in the {table} table"


def say_arith(e: m.Arith, left: str, right: str) -> str:
    """`cover + 2`, `twice (wall + 1)`, `(wall + cover) / 2`: of what its two sides are called, with brackets where it needs them."""
    minus = isinstance(e.left, m.Num) and e.op == "-" and e.left.value == 0
    doubled = isinstance(e.left, m.Num) and e.op == "*" and e.left.value == 2
    # What stands on the right of - or / is taken as one: a - (b - c).
    left, right = bracketed(e.left, left, BINDS[e.op]), bracketed(e.right, right, BINDS[e.op] + (e.op in "-/"))
    if minus:
        return f"minus {right}"
    return f"twice {right}" if doubled else f"{left} {'×' if e.op == '*' else e.op} {right}"


def say_call(function: str, said: Sequence[str], args: Sequence[m.Expr] = ()) -> str:
    """`cover rounded down`, `(wall + cover) / 2, rounded up`, `the least of a and b`."""
    if function in ROUNDED:
        return f"{said[0]}{',' if args and isinstance(args[0], m.Arith) else ''} {ROUNDED[function]}"
    if function == "abs":
        return f"the size of {bracketed(args[0], said[0], 3) if args else said[0]}"
    said = [bracketed(a, one, 1) for a, one in zip(args, said, strict=True)] if args else said
    return f"the {'least' if function == 'min' else 'greatest'} of {series(said)}"


def bracketed(e: m.Expr, said: str, least: int) -> str:
    """An expression as a part of another, in brackets unless what it is made of holds together so well."""
    return said if binding(e) >= least else f"({said})"


def binding(e: m.Expr) -> int:
    """How well what an expression is made of holds together: 0 in `wall / 2, rounded up` and `the least of a and b`, 3 in a number."""
    match e:
        case m.Arith("/", m.Num(), m.Num()):
            return 3
        case m.Arith(op):
            return BINDS[op]
        case m.Call(function, args) if function not in ROUNDED or isinstance(args[0], m.Arith):
            return 0
    return 3
