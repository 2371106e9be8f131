"""How far the chapters decide a number, in all lanes at once: one that only hands on what is stated, or usual, no rule has a part in."""

from __future__ import annotations

from collections.abc import Iterator

from kb.circuit.conditions import Lanes
from kb.circuit.known import TRUTH
from kb.circuit.numbers import NONE
from kb.circuit.scope import bearing, kind_of
from kb.circuit.sums import Row
from kb.circuit.values import Env, One, Parts, Tri, put, union, vectors
from kb.language import norms as m
from kb.numbers import shown
from kb.reasoner import proof as p

Read = tuple[int, One, str, frozenset[str]]  # lanes, and a number of a thing less some norms


def verdicts(lanes: Lanes, x: One, name: str) -> Parts[str]:
    """The answer to a `value` question: the number, or the verdict where there is none."""
    quantity = lanes.quantity(x, name, lanes.every)
    elsewhere = union(1 << i for i, case in enumerate(lanes.cases) if case.elsewhere)
    found: Parts[str] = {}
    rows = bearing(lanes, x, (name,), lanes.every)
    held = vectors(lanes.every, [value for _, value in rows])
    for way in quantity.ways:
        spoken = way.lanes & quantity.spoken
        conflict = any(r.state == "conflict" for r in way.rows)
        for at, told in ((spoken, True), (way.lanes & ~spoken, False)):
            if not at:
                continue
            if way.value is not None:
                verdict, bounded = p.VALUE, True
            elif conflict:
                verdict, bounded = p.CONFLICT, False
            elif way.rows:
                verdict, bounded = p.UNDETERMINED, False
            else:
                verdict, bounded = p.SILENT if told else p.UNDETERMINED, True
            said = shown(way.value) if verdict == p.VALUE else verdict
            if not bounded:
                put(found, said, at)
                continue
            put(found, said, at & elsewhere)
            by_rule = ruled(lanes, x, name, at) if verdict == p.VALUE else 0
            for some, values in held:
                for those, rule in ((at & some & by_rule, True), (at & some & ~by_rule, False)):
                    if those := those & ~elsewhere:
                        pairs = list(zip(rows, values, strict=True))
                        sure = [row for (row, _), value in pairs if value]
                        now = decides(lanes, sure, rule)
                        if any(
                            value is None and decides(lanes, [*sure, row], rule) != now for (row, _), value in pairs
                        ):
                            put(found, p.UNDETERMINED, those)
                        else:
                            put(found, said if now else p.OUTSIDE, those)
    return found


def decides(lanes: Lanes, rows: list[m.ScopeRow], by_rule: bool) -> bool:
    """Whether a number is decided here: wholly, or partly and by a rule."""
    kind = kind_of(lanes.theory, rows)
    return kind == m.WHOLLY or (kind == m.PARTLY and by_rule)


def ruled(lanes: Lanes, x: One, name: str, at: int, without: frozenset[str] = NONE) -> int:
    """The lanes in which a rule has a part in a number: a constant, a table, a factor, a number added."""
    key = ("ruled", x, name, without)
    found: int = lanes.once(TRUTH, key, at, lambda some: _ruled(lanes, x, name, some, without))[0]
    return found & at


def _ruled(lanes: Lanes, x: One, name: str, at: int, without: frozenset[str]) -> Tri:
    found = 0
    for way in lanes.quantity(x, name, at, without).ways:
        for row in way.rows:
            left = way.lanes & at & ~found
            if row.state == "counts" and left:
                found |= has_part(lanes, x, row, without, left)
    return found, at & ~found


def has_part(lanes: Lanes, x: One, row: Row, without: frozenset[str], at: int) -> int:
    """The lanes in which what a norm contributes is more than a number that is stated, or usual, handed on."""
    head = row.norm.head
    assert isinstance(head, m.QuantityHead)
    found = 0
    for some, env in applied(lanes, row.norm, x, at):
        read = list(numbers_read(lanes, head.value, x, {**env, "norm": row.norm.id, "without": without}, some))
        if row.op == m.ADDS and row.value == 0:  # none, unless by a rule that puts it in the place of a number stated
            for those, y, name, less in deep(lanes, read, True):
                stated = y.has_some(name)
                if those & stated & ~found:
                    found |= ruled(lanes, y, name, those & stated, less)
            continue
        by_rule = union(ruled(lanes, y, name, those, less) for those, y, name, less in read)
        unread = some & ~union(those for those, *_ in read)
        found |= by_rule | unread
        if row.op == m.SETS and isinstance(head.value, m.Path):
            continue
        for those, y, name, less in deep(lanes, read):
            if those & ~found:
                for way in lanes.quantity(y, name, those, less).ways:
                    counts = any(r.state == "counts" for r in way.rows)
                    if way.start == "stated" and not counts and way.value != 0:
                        found |= those & way.lanes
    return found & at


def applied(lanes: Lanes, norm: m.Norm, x: One, at: int) -> Iterator[tuple[int, Env]]:
    """What the names of a norm that applies stand for, first of all, each in its lanes."""
    for t, _, env in lanes.applies(norm, x, at):
        if t & at:
            yield t & at, env
            at &= ~t
    if at:
        yield at, {"this": x}


def deep(lanes: Lanes, read: list[Read], all_of_them: bool = False) -> Iterator[Read]:
    """The numbers that some numbers are made of, down to those that no norm sets; or those on the way too."""
    for at, y, name, less in read:
        for way in lanes.quantity(y, name, at, less).ways:
            some = at & way.lanes
            if not some:
                continue
            counting = [r for r in way.rows if r.state == "counts"]
            if all_of_them or not any(r.op == m.SETS for r in counting):
                yield some, y, name, less
            for r in counting:
                assert isinstance(r.norm.head, m.QuantityHead)
                for those, env in applied(lanes, r.norm, y, some):
                    names = {**env, "norm": r.norm.id, "without": less}
                    inner = list(numbers_read(lanes, r.norm.head.value, y, names, those))
                    yield from deep(lanes, inner, all_of_them)


def numbers_read(lanes: Lanes, e: m.Expr, x: One, env: Env, at: int) -> Iterator[Read]:
    """The numbers of things that an expression reads: of whom, which, less which norms."""
    without = env.get("without", NONE)
    match e:
        case m.Path("", (name,)):
            yield at, x, name, without if x is env["this"] else NONE
        case m.Path(root, steps):
            for y, some in lanes.follow(x, m.Path(root, steps[:-1]), env, at)[0].items():
                if some & at:
                    yield some & at, y, steps[-1], NONE
        case m.Otherwise(name):
            yield at, env["this"], name, without | {env["norm"]}
        case m.Arith(_, left, right):
            for part in (left, right):
                yield from numbers_read(lanes, part, x, env, at)
        case m.Call(_, args):
            for part in args:
                yield from numbers_read(lanes, part, x, env, at)
        case m.Lookup(_, _, key, _, shift):
            for part in (key, shift) if shift is not None else (key,):
                yield from numbers_read(lanes, part, x, env, at)
        case m.Aggregate(_, path, filler, name) if name:
            for y, some in lanes.follow(x, path, env, at)[0].items():
                held = lanes.holds(filler, y, dict(env), some & at)[0] if some & at else 0
                if held:
                    yield held, y, name, NONE
