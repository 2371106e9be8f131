"""The things that an effect is on: those that its path leads to, and of several those that are as its norm has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.language import norms as m
from kb.reasoner.evaluate import evaluator, of_question
from kb.reasoner.expressions import follow
from kb.reasoner.situation import Situation
from kb.reasoner.trace import ByNorm, Outcome, Step, Thing


def reached(situation: Situation, o: Outcome, path: m.Path | None = None) -> list[str]:
    """The names of the things that an effect is on. path: another path of it."""
    assert isinstance(o.norm.head, m.OnEvent)
    path = path or o.norm.head.path
    return [thing.name for thing in follow(situation, o.focus, m.Path(path.root or "this", path.steps), o.env)[0]]


def affected(situation: Situation, o: Outcome) -> tuple[list[str], list[tuple[str, Step]]]:
    """The names of the things that an effect is on; and those of which that is open, each with the step that leaves it open.

    Of several that its path leads to, it is on those that are as the norm has it.
    """
    assert isinstance(o.norm.head, m.OnEvent)
    names, maybe = reached(situation, o), perhaps(situation, o)
    asks = list(m.meant(o.norm.when, o.norm.head.path.steps)) if len(names) > 1 and not o.norm.head.path.root else []
    sure: list[str] = []
    for name in names:
        so = [evaluator(situation.theory, c, o.norm)(situation, situation.things[name], dict(o.env)) for c in asks]
        if (unsure := next((step for step in so if step.value is None), None)) is None:
            sure += [name] if all(step.value for step in so) else []
        elif all(step.value is not False for step in so):
            maybe.append((name, unsure))
    return sure, maybe


def ends(situation: Situation, o: Outcome) -> tuple[list[str], list[tuple[str, Step]]]:
    """What an effect relates things to, or parts them from, and what it may; “” for whatever there is."""
    assert isinstance(o.norm.head, m.Link)
    to = o.norm.head.to
    return ([""], []) if to is None else (reached(situation, o, to), perhaps(situation, o, to))


def way(situation: Situation, o: Outcome, name: str) -> tuple[Step, ...]:
    """How an effect's path leads to a thing, by what norms relate: a step for each relation that they make."""
    start, roles = setting_out(situation, o)
    return (start is not None and leading(situation, start, roles, name)) or ()


def setting_out(situation: Situation, o: Outcome) -> tuple[Thing | None, tuple[str, ...]]:
    """Where an effect's path starts, and what it goes by."""
    assert isinstance(o.norm.head, m.OnEvent)
    path = o.norm.head.path
    start = o.focus if path.root in ("", "this") else o.env.get(path.root)
    return start, path.steps


def short_of(situation: Situation, o: Outcome) -> Iterator[Outcome]:
    """The norms that would lead an effect's path farther, and do not apply for something that is presumed."""
    start, roles = setting_out(situation, o)
    now = [start] if start is not None else []
    for role in roles:
        for norm in situation.theory.relations.get(role, ()):
            assert isinstance(norm.head, m.Relates)
            tried = (situation.outcome(norm, x) for x in now if situation.focus(x, norm.head.subject) is not False)
            yield from (one for one in tried if one.status is False and one.soft and not norm.head.negated)
        now = [y for x in now for y in situation.successors(x, role).things]


def leading(situation: Situation, x: Thing, roles: Sequence[str], name: str) -> tuple[Step, ...] | None:
    """Those steps from x on; None where the roles do not lead to the thing. The way that leans on the fewest norms."""
    if not roles:
        return () if x.name == name else None
    found: list[tuple[Step, ...]] = []
    links = situation.successors(x, roles[0])
    for y in links.things:
        rest = leading(situation, y, roles[1:], name)
        if rest is not None and isinstance(links.why.get(y.name), ByNorm):
            node = m.HasValue(m.Role(roles[0]), m.Path(y.name, ()))
            rest = (of_question(situation.theory, node)(situation, x, {"this": x, y.name: y}), *rest)
        found += [] if rest is None else [rest]
    return min(found, key=len, default=None)


def perhaps(situation: Situation, o: Outcome, path: m.Path | None = None) -> list[tuple[str, Step]]:
    """The names of the things to which it is open whether an effect's path leads, each with the step that leaves it open."""
    assert isinstance(o.norm.head, m.OnEvent)
    path = path or o.norm.head.path
    if not path.steps:
        return []
    last = path.steps[-1]
    found: list[tuple[str, Step]] = []
    for x in follow(situation, o.focus, m.Path(path.root or "this", path.steps[:-1]), o.env)[0]:
        links = situation.successors(x, last)
        names = [name for name in links.perhaps if name in situation.case.things]
        for name in names:
            asked, env = m.HasValue(m.Role(last), m.Path(name, ())), {"this": x, name: situation.things[name]}
            step = of_question(situation.theory, asked)(situation, x, env)
            if step.value is None:
                found.append((name, step))
    return found
