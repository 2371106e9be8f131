"""Numbers and ways to them as phrases: `the actor's weapon`, `twice wall of target`, `the total count of units that fire in it`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kb.language import english, norms as m
from kb.language.english import series
from kb.language.relations import clause, verbal
from kb.language.vocabulary import Vocabulary
from kb.numbers import shown

AGGREGATES = {"count": "number of", "sum": "total"}
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
        case m.Arith("*", m.Num(value), right) if value == 2:
            return f"twice {say_expr(vocabulary, right, ends)}"
        case m.Arith("/", m.Num(over), m.Num(under)):
            return shown(over / under) if under else f"{shown(over)}/{shown(under)}"
        case m.Arith("-", m.Num(value), right) if value == 0:
            return f"minus {say_expr(vocabulary, right, ends)}"
        case m.Arith(op, left, right):
            return f"{say_expr(vocabulary, left, ends)} {'×' if op == '*' else op} {say_expr(vocabulary, right, ends)}"
        case m.Call(function, args):
            return say_call(function, [say_expr(vocabulary, a, ends) for a in args])
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


def say_call(function: str, said: Sequence[str]) -> str:
    """`cover rounded down`, `the least of a and b`."""
    shapes = {"floor": "{} rounded down", "ceil": "{} rounded up", "abs": "the size of {}"}
    if function in shapes:
        return shapes[function].format(said[0])
    return f"the {'least' if function == 'min' else 'greatest'} of {series(said)}"
