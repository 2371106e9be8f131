"""Rules that bar some acts and do not reach this one, in all lanes at once: by what the case states, and not for want of a word."""

from __future__ import annotations

from kb.circuit.conditions import Lanes
from kb.circuit.scope import Bare
from kb.circuit.values import Env, One, put, union
from kb.language import norms as m


def but_for(lanes: Lanes, bare: Bare, norm: m.Norm, focus: One, at: int) -> int:
    """The lanes in which a norm does not apply only for an exception that is met, or for some but not all parts of its condition,
    which the case states otherwise."""
    subject = m.subject_of(norm.head)
    at &= lanes.speaks(focus, subject) & ~lanes.struck.get(norm.id, 0)
    at &= lanes.status(norm, focus, at)[1] & lanes.member(focus, subject, focus, at)[0]
    if not at:
        return 0
    env: Env = {"this": focus, "norm": norm.id}
    excepted = 0
    for t, _, e in lanes.worlds(norm.when, focus, env, at):
        for u in norm.unless:
            if t & ~excepted:
                excepted |= lanes.holds(u.condition, focus, dict(e), t & ~excepted)[0]
    found, parts = excepted, conjuncts(norm.when)
    ways: list[tuple[int, int, Env]] = [
        (at & ~excepted, 0, env)
    ]  # lanes, how many parts fail in them, the names so far
    for part in parts:
        after: list[tuple[int, int, Env]] = []
        for some, failing, e in ways:
            if not m.unbound(part) <= e.keys():
                continue  # of what a part that failed would have named nothing is told
            left = some
            for _, f, then in lanes.worlds(part, focus, e, some):
                after.append((left & ~f, failing, then))
                left &= f
            if left:
                after.append((otherwise(lanes, bare, part, focus, e, left), failing + 1, e))
        ways = [way for way in after if way[0]]
    for some, failing, _ in ways:
        if 0 < failing < len(parts):
            found |= some
    return found


def otherwise(lanes: Lanes, bare: Bare, c: m.Condition, x: One, env: Env, at: int) -> int:
    """The lanes in which a condition that is false is so by what is stated, all that is listed taken to be told, and not for want of
    a word."""
    if not at:
        return 0
    found = bare.holds(c, x, dict(env), at)[1]
    rest = at & ~found
    if not rest:
        return found
    match c:
        case m.Not():
            return at
        case m.Bind(of, var):
            return found | otherwise(lanes, bare, of, x, {**env, var: x}, rest)
        case m.Of(root, of):
            y = env.get(root)
            return found | (otherwise(lanes, bare, of, y, env, rest & y.here) if y is not None else 0)
        case m.Named(name):
            for norm in lanes.theory.unmakes.get(name, ()):
                found |= rest & lanes.status(norm, x, rest)[0]
            for d in lanes.theory.definitions.get(name, ()):
                failing = rest & lanes.holds(d, x, {"this": x}, rest)[1]
                found |= otherwise(lanes, bare, d, x, {"this": x}, failing)
        case m.Or(parts):
            for part in parts:
                found |= otherwise(lanes, bare, part, x, env, rest)
        case m.And() | m.Except():
            for part in conjuncts(c):
                failing = rest & lanes.holds(part, x, dict(env), rest)[1]
                found |= otherwise(lanes, bare, part, x, env, failing)
        case m.Some(role, filler):
            links = lanes.successors(x, role.name, rest, role.inverse)
            told = dict(links.things)
            put(told, lanes.blank(x, role.name), links.untold & ~union(links.things.values()))
            good = rest & union(told.values())
            for y, some in told.items():
                some &= good
                if some:
                    good &= ~some | otherwise(lanes, bare, filler, y, env, some)
            found |= good
    return found & at


def conjuncts(c: m.Condition) -> list[m.Condition]:
    """The parts of a condition that all have to hold."""
    match c:
        case m.And(parts):
            return [x for part in parts for x in conjuncts(part)]
        case m.Except(base, carve, _):
            return [*conjuncts(base), m.Not(carve)]
        case m.Anything():
            return []
    return [c]
