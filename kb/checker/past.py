"""What has happened in a case: which norm was tried on what, in which of its stages, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.checker.base import Ground
from kb.checker.reference import Judge, One, find
from kb.checker.reference_events import Events, Tried, happens
from kb.checker.reference_index import indexed
from kb.language import norms as m
from kb.reasoner.trace import Outcome, Step


class Past(Ground):
    """Finds the case in which a norm on an effect was tried: before an event, or after it for what has become so."""

    def triggers(self, node: object, cls: str) -> bool:
        """Whether what is open is whether there was what brings about a cls, or ends one, or whether that concerned the thing."""
        known = self.theory.vocabulary.classes
        heads = [h for _, h in indexed(self.theory).effects if isinstance(h, m.Effect)]
        near = (h for h in heads if cls in known[h.cls].ancestors or cls in known[h.cls].disjoint)
        return any(self.triggering(node, h) for h in near)

    def triggering(self, node: object, head: m.OnEvent) -> bool:
        """The same of one effect."""
        match node:
            case m.Not(m.Named(name)):
                return head.becoming and m.NO_MORE + name == head.event
            case m.Named(name):
                return name == head.event and bool(head.each or head.becoming)
            case m.HasValue(role, m.Path(_, ())):
                return not role.inverse and role.name in head.path.steps[-1:]
        return False

    def becoming(self) -> set[str]:
        """The classes of which a norm speaks when something becomes one, and those above and below them."""
        classes = self.theory.vocabulary.classes
        turns = [classes[m.trigger_of(h)] for _, h in indexed(self.theory).effects if h.becoming]
        return {name for term in turns for name in (*term.ancestors, *term.descendants)}

    def untriggered(self, step: Step) -> None:
        """Checks that it is open whether there was what brings about an effect, or whom it concerned (E856)."""
        judge = self.moment(step)
        if judge is None:
            return self.problem(856, f"whether {step.thing.name} is {step.node} is not open")
        x = judge.things[step.thing.name]
        self.condition(step, step.node, x, {"this": x, **judge.things}, judge)

    def moment(self, step: Step) -> Judge | None:
        """The case in which first it is open whether there was what brings about an effect, or whom it concerned."""
        for judge in dict.fromkeys((*self.stages, *(t.judge for _, found in self.events() for t in found.tried))):
            x = find(judge, step.thing.name)
            if x is not None and judge.holds(step.node, x, {"this": x, **judge.things}) is None:
                return judge
        return None

    def doubts(self, node: object) -> bool:
        """Whether what is open is whether some effect concerned a thing."""
        return any(self.triggering(node, h) for _, h in indexed(self.theory).effects)

    def events(self) -> list[tuple[str, Events]]:
        """What came of each act of the history, and of the event that is asked about."""
        if self.happened is None:
            asked = [self.case.question.thing] if self.case.question.kind == "effects" else []
            acts = [*self.case.history[: len(self.stages) - 1], *asked]
            stages = zip(acts, self.stages, strict=False)
            self.happened = [(name, happens(judge, judge.things[name])) for name, judge in stages]
        return self.happened

    def trials(self, o: Outcome) -> list[Tried]:
        """When a norm on an effect was tried on a thing, the last time first."""
        if not isinstance(o.norm.head, m.OnEvent):
            return []
        rows = [t for _, found in self.events() for t in found.tried]
        return [t for t in reversed(rows) if t.norm.id == o.norm.id and t.focus == o.focus.name]

    def at(self, o: Outcome, judge: Judge | None = None) -> Judge:
        """The case in which an outcome was found: an effect of an act that has happened, before that act or as it left things."""
        trials = self.trials(o)
        if len(trials) > 1:  # the same norm at several events: the one after which it is as the proof has it
            return next((t.judge for t in trials if self.fits(o, t.judge)), trials[0].judge)
        if trials:
            return trials[0].judge
        return judge or self.early.get(id(o), self.judge)

    def fits(self, o: Outcome, judge: Judge) -> bool:
        """Whether an outcome is without fault in a case. Leaves no trace."""
        kept = self.problems, set(self.seen), dict(self.bound_by), list(self.within), dict(self.where)
        self.problems = []
        self.outcome(o, judge)
        found = not self.problems
        self.problems, self.seen, self.bound_by, self.within, self.where = kept
        return found

    def brought(self, o: Outcome, cls: str, x: One, judge: Judge, led: Sequence[Step]) -> bool:
        """Whether an act that has happened made x a cls by this norm. led: how its path is said to lead to x."""
        head = o.norm.head
        if not isinstance(head, m.Effect) or cls not in self.theory.vocabulary.classes[head.cls].ancestors:
            return False
        for _, found in self.events():
            came = next(
                (
                    c
                    for c in found.every
                    if (c.thing, c.cls, c.by.norm.id, c.by.focus) == (x.name, head.cls, o.norm.id, o.focus.name)
                ),
                None,
            )
            if came is not None:
                self.outcome(o, self.at(o))
                self.led(o, x.name, led)
                if o.status is True:
                    return head.cls in judge.caused.get(x.name, ())
        return False

    def led(self, o: Outcome, name: str, steps: Sequence[Step]) -> None:
        """Checks how an effect's path is said to lead to a thing: what norms relate on the way is shown, and is so (E854)."""
        judge, path = self.at(o), o.norm.head.path  # type: ignore[union-attr]
        shown: set[tuple[str, str, str]] = set()
        for step in steps:
            x = find(judge, step.thing.name)
            match step.node:
                case m.HasValue(m.Role(role, False), m.Path(to, ())) if x is not None and role in path.steps:
                    self.condition(step, step.node, x, {"this": x, **judge.things}, judge)
                    self.need(step.value is True, 854, f"{o.norm.id} is led on by what is not so: {step}")
                    shown.add((x.name, role, to))
                case _:
                    self.problem(854, f"“{step.node}” leads {o.norm.id} nowhere")
        start = judge.things.get(o.focus.name) if path.root in ("", "this") else find(judge, o.env[path.root].name)
        now = {start.name} if start is not None else set()
        for role in path.steps:
            hops = {(x, role, y.name) for x in now for y in judge.links(judge.things[x], m.Role(role)).things}
            now = {y for x, _, y in hops if (x, role, y) in shown or y not in by_norms(judge, judge.things[x], role)}
        self.need(name in now, 854, f"what leads {o.norm.id} to {name} is not shown")


def by_norms(judge: Judge, x: One, role: str) -> Iterable[str]:
    """What norms alone relate to x."""
    prop = judge.vocabulary.properties[role]
    found: dict[str, None] = {}
    for norm, head in judge.index.relating:
        if head.role in prop.below:
            judge.relate(x, role, norm, head, found, set(), set(), frozenset())
    told = {y for q in prop.below for y in x.facts.links.get(q, ())}
    return [
        y
        for y in found
        if y not in told and not any(x.name in judge.things[y].facts.links.get(q, ()) for q in prop.inverses)
    ]
