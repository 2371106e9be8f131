"""How far the chapters decide a number, for the judge: `number` puts a verdict on a number in its scope.

A number that only hands on what is stated, or usual, is not one that a rule has a part in: `ruled` tells the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.checker import reference as j
from kb.checker.reference import Judge, One
from kb.checker.reference_numbers import Row, op
from kb.checker.reference_scope import Ruled, bearing, comes_to, home, perhaps, stands
from kb.language import norms as m
from kb.reasoner import proof as p

Read = tuple[One, str, frozenset[str]]  # a number of a thing, less some norms


def start_of(judge: Judge, x: One, name: str, without: frozenset[str] = j.NONE) -> str:
    """Where a number of x comes from: norms (computed), what is stated, a module, or the default."""
    rows = list(judge.rows(x, name, without))
    judge.total(x, name, rows)
    return "computed" if any(r.state == "counts" for r in rows) else starts(judge, x, name, rows)


def starts(judge: Judge, x: One, name: str, rows: list[Row]) -> str:
    """Where a number starts, before what is added: set by a norm, stated, a module's, or the default."""
    if any(r.state == "counts" and op(r) == m.SETS for r in rows):
        return "computed"
    module = judge.derived_number(x, name) is not None
    return "stated" if name in x.facts.numbers else "module" if module else "default"


def ruled(judge: Judge, x: One, name: str, without: frozenset[str] = j.NONE) -> bool:
    """Whether a rule has a part in a number: a constant, a table, a factor, a number added."""
    rows = list(judge.rows(x, name, without))
    judge.total(x, name, rows)
    return any(r.state == "counts" and has_part(judge, x, r, without) for r in rows)


def has_part(judge: Judge, x: One, row: Row, without: frozenset[str]) -> bool:
    """Whether what a norm contributes is more than a number that is stated, or usual, handed on."""
    if isinstance(row.norm.head, m.Change):
        return row.value != 0
    assert isinstance(row.norm.head, m.QuantityHead)
    e = row.norm.head.value
    env = next((e for v, e in judge.applies(row.norm, x) if v), {"this": x})
    read = list(numbers_read(judge, e, x, {**env, "norm": row.norm.id, "without": without}))
    if op(row) == m.ADDS and row.value == 0:  # none, unless by a rule that puts it in the place of a number stated
        return any(y.facts.numbers.get(n) and ruled(judge, y, n, less) for y, n, less in deep(judge, read, True))
    if any(ruled(judge, y, name, less) for y, name, less in read):
        return True
    if op(row) == m.SETS and isinstance(e, m.Path):
        return not read
    return not read or any(
        start_of(judge, y, name, less) == "stated" and judge.quantity(y, name, less) != 0
        for y, name, less in deep(judge, read)
    )


def deep(judge: Judge, read: Iterable[Read], all_of_them: bool = False) -> Iterator[Read]:
    """The numbers that some numbers are made of, down to those that no norm sets; or those on the way too."""
    for y, name, less in read:
        rows = list(judge.rows(y, name, less))
        judge.total(y, name, rows)
        counting = [r for r in rows if r.state == "counts" and not isinstance(r.norm.head, m.Change)]
        if all_of_them or not any(op(r) == m.SETS for r in counting):
            yield y, name, less
        for r in counting:
            assert isinstance(r.norm.head, m.QuantityHead)
            env = next((e for v, e in judge.applies(r.norm, y) if v), {"this": y})
            inner = numbers_read(judge, r.norm.head.value, y, {**env, "norm": r.norm.id, "without": less})
            yield from deep(judge, inner, all_of_them)


def numbers_read(judge: Judge, e: m.Expr, x: One, env: j.Env) -> Iterator[Read]:
    """The numbers of things that an expression reads: of whom, which, less which norms."""
    without = env.get("without", j.NONE)
    match e:
        case m.Path("", (name,)):
            yield x, name, without if x is env["this"] else j.NONE
        case m.Path(root, steps):
            yield from ((y, steps[-1], j.NONE) for y in judge.follow(x, m.Path(root, steps[:-1]), env)[0])
        case m.Otherwise(name):
            yield env["this"], name, without | {env["norm"]}
        case m.Arith(_, left, right):
            yield from (n for part in (left, right) for n in numbers_read(judge, part, x, env))
        case m.Call(_, args):
            yield from (n for part in args for n in numbers_read(judge, part, x, env))
        case m.Lookup(_, _, key, _, shift):
            yield from (n for part in (key, shift) if part is not None for n in numbers_read(judge, part, x, env))
        case m.Aggregate(_, path, filler, name) if name:
            ends, _ = judge.follow(x, path, env)
            yield from ((y, name, j.NONE) for y in ends if judge.holds(filler, y, dict(env)))


def decides(judge: Judge, x: One, name: str, under: Ruled, verdict: str) -> bool:
    """Whether a number is decided here: wholly, or partly and by a rule."""
    by_rule = under.kind == p.PARTLY and verdict == p.VALUE and ruled(judge, x, name)
    return under.kind == p.WHOLLY or by_rule


def bounded(judge: Judge, x: One, name: str, verdict: str) -> bool:
    """Whether the scope has a say in a number: it is known, or nothing but a statement of it is missing."""
    untold = verdict == p.UNDETERMINED and all(r.status is False for r in judge.rows(x, name, j.NONE))
    return (untold or verdict in (p.VALUE, p.SILENT)) and not judge.case.elsewhere


def vague(judge: Judge, x: One, name: str, verdict: str) -> list[m.ScopeRow]:
    """The rows of which it is open whether they speak of a number, and which would have it otherwise who decides it."""
    if not bounded(judge, x, name, verdict):
        return []
    known, homes = bearing(judge, x, (name,)), home(judge, name)
    now = decides(judge, x, name, comes_to(judge, known, homes), verdict)
    return [
        row for row in perhaps(judge, x, name)
        if decides(judge, x, name, comes_to(judge, [*known, row], homes), verdict) != now
    ]  # fmt: skip


def number(judge: Judge, x: One, name: str, verdict: str) -> Ruled:
    """What a number comes to within the scope. verdict: value, silent where every norm about it fails, or undetermined."""
    if not bounded(judge, x, name, verdict):
        return stands(verdict)
    found = comes_to(judge, bearing(judge, x, (name,)), home(judge, name))
    said = decides(judge, x, name, found, verdict)
    if vague(judge, x, name, verdict):
        return stands(p.UNDETERMINED)
    if said and verdict == p.UNDETERMINED:  # untold, and to be told
        return stands(verdict)
    kind = found.kind if said else p.OUTSIDE
    now = verdict if said else p.OUTSIDE
    return Ruled(now, kind, found.needs, found.terms, found.those, found.closing, closes=said)
