"""What the rules could read from a question on: every norm, definition and expression that can speak of its things, in all parts.

Nothing is cut short, so a fact that the walk does not meet could not have mattered however the other facts had been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from kb.language import norms as m
from kb.language.case import Question
from kb.language.vocabulary import MEMBER, ClassTerm
from kb.reasoner.asks import Asking, Asks
from kb.reasoner.facts_read import STATE, Frame
from kb.reasoner.positions import before
from kb.reasoner.proof import Proof
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Caused, Thing

MANY = 1_000  # steps of a walk that is not looked at meanwhile


class Walk(Asking):
    """Walks from a question through all norms that can bear on it."""

    def alone(self) -> Walk:
        """The same, without the situation that was looked around in."""
        self.s.things.clear()
        self.seen.clear()
        self.led.clear()
        self.lists = {}
        return self

    def around(self, situation: Situation) -> Walk:
        """The same for another case, which is told the same in all that it went by, with its situation to look around in."""
        other = copy(self)
        other.s = situation
        return other

    def same_with(self, old: Sequence[m.Norm], new: Sequence[m.Norm], question: Question) -> bool:
        """Whether a question could read the same if some norms stood in the place of others of its rules."""
        asked = frozenset().union(*self.asked.values())
        if any(self.reaches(n, asked, question) for n in (*old, *new)):
            return False
        classes, gone = self.vocabulary.classes, {n.id for n in old}
        for index, negated in ((self.theory.makes, False), (self.theory.unmakes, True)):
            then, now = (frozenset().union(*(concluded(classes, n, negated) for n in norms)) for norms in (new, old))
            for cls in then | now:  # whether any norm makes something one
                if (cls in index) is not (cls in then or any(n.id not in gone for n in index.get(cls, ()))):
                    return False
        return True

    def reaches(self, norm: m.Norm, asked: frozenset[str], question: Question) -> bool:
        """Whether a question could come to a norm, of these rules or in the place of one of them."""
        head, classes, ours = norm.head, self.vocabulary.classes, self.theory
        match head:
            case m.Deontic():
                of = question.kind in ("may", "must")
                return of and ours.fits(self.s.things[question.thing].kind, head.act) is not False
            case m.CountsAs():
                return not asked.isdisjoint(concluded(classes, norm, head.negated))
            case m.QuantityHead():
                return any(head.quantity in words for words in self.tried.values())
            case m.Effect() | m.Change():
                return question.kind == "effects" or bool(self.s.case.history)
        return True  # what relates things

    # ── where it begins ──

    def question(self, proof: Proof) -> None:
        """From the focus of the question, and from all that has happened. What this leads to is gone through by `drain`."""
        asked, things = proof.question, self.s.things
        x = things[asked.thing]
        self.met.add(x.name)
        match asked.kind:
            case "may" | "must":
                self.ask(self.asks_of_question(asked.kind, x.kind), x, self.frame(x))
                self.scope(self.theory.scope_of(x.kind), x)
            case "value":
                self.scope(self.theory.scope.get(asked.quantity, ()), x)
                self.number(x, asked.quantity)
            case "is":
                assert asked.condition is not None
                self.scope([row for n in m.names_in(asked.condition) for row in self.theory.scope.get(n, ())], x)
                self.condition(asked.condition, x, Frame(x, {"this": (x,), **{n: (y,) for n, y in things.items()}}))
            case "effects":
                self.scope(self.theory.scope_of(x.kind), x)
                self.event(x)
                self.drain()
                self.consequences(proof.effects)
        for thing, cls, _ in proof.scope.states:  # for these it is not ruled here
            self.read.add((thing.name, cls))
        for name in before(self.s.case):
            self.met.add(name)
            self.event(things[name])
            self.moved(things[name])

    def scope(self, rows: Iterable[m.ScopeRow], x: Thing) -> None:
        """What tells under which rows of the chapters' scopes a thing is."""
        for row in rows:
            if row.term in self.vocabulary.classes:
                self.cls(x, row.term)
            if row.condition is not None:
                self.condition(row.condition, x, self.frame(x))

    def drain(self) -> None:
        """Goes through the norms and definitions that were met, and those that they lead to."""
        while self.some(MANY):
            pass

    @property
    def left(self) -> bool:
        """Whether any of them are left."""
        return bool(self.classes or self.queue)

    def some(self, steps: int) -> bool:
        """Goes through so many of them; whether any are left."""
        if not self.left:
            return False
        self.known.clear()
        for _ in range(steps):
            if self.classes:
                x, name = self.classes.pop()
                asks = self.asks_of_class(name, x.kind)
                if not asks.idle:
                    self.ask(asks, x, self.frame(x))
            elif self.queue:
                self.norm(*self.queue.pop())
            else:
                return False
        return self.left

    def event(self, x: Thing) -> None:
        """The effects of what happens."""
        for norm in self.theory.effects:
            assert isinstance(norm.head, m.OnEvent)
            if self.s.focus(x, norm.head.event) is False:
                continue
            self.queue.append((norm, x))
            if norm.head.each:
                self.cls(x, norm.head.event)
                self.queue += [(norm, y) for y in list(self.s.things.values())]
        self.queue += [(norm, y) for norm in self.theory.turns for y in list(self.s.things.values())]

    def moved(self, x: Thing) -> None:
        """Whom an act of the past has moved, and where to."""
        for prop in self.vocabulary.changing:
            for rule in prop.changed_by:
                if (rule.mover or rule.place) and self.vocabulary.entails(x.facts.is_, rule.cls):
                    for path in filter(None, (rule.mover, rule.place)):
                        ends = [x]
                        for role in path.split("."):
                            ends = [z for y in ends for z in self.role(y, role)]
                        members = [z for y in ends if y.facts.links.get(MEMBER) for z in self.role(y, MEMBER)]
                        takes = self.vocabulary.along if prop.name in self.vocabulary.whereabouts else None
                        for y in (*ends, *members):
                            self.role(y, prop.name)
                            for z in self.role(y, takes.name) if takes else ():
                                self.role(z, prop.name)

    def consequences(self, caused: Iterable[Caused]) -> None:
        """What things then count as, by the norms that speak of what an event has made of them."""
        made = {cls for c in caused for cls in self.vocabulary.classes[c.cls].ancestors if cls != "Thing"}
        for cls, norms in self.theory.makes.items():
            if STATE in self.vocabulary.classes[cls].ancestors:
                for norm in norms:
                    if not made.isdisjoint(m.names_in(norm.when)):
                        self.queue += [(norm, x) for x in list(self.s.things.values())]
        self.drain()

    # ── norms ──

    def norm(self, norm: m.Norm, x: Thing) -> None:
        """A norm tried on a thing, in all its parts; one about things of another kind reads nothing."""
        if (key := (norm.id, x.name)) in self.seen:
            return
        self.seen.add(key)
        subject = m.subject_of(norm.head)
        if subject and self.theory.fits(x.kind, subject) is False:
            return
        frame = self.frame(x)
        if subject:
            self.cls(x, subject)
        self.condition(norm.when, x, frame)
        for u in norm.unless:
            self.condition(u.condition, x, frame)
        match norm.head:
            case m.QuantityHead():
                self.expr(norm.head.value, x, frame)
            case m.Effect() | m.Change() | m.Link():
                self.path(norm.head.path, x, frame)
                if isinstance(norm.head, m.Change):
                    self.expr(norm.head.value, x, frame)
                elif isinstance(norm.head, m.Link):
                    for y in self.path(norm.head.path, x, frame) or ():
                        self.role(y, norm.head.role)
                    if norm.head.to is not None:
                        self.path(norm.head.to, x, frame)
                if norm.head.becoming:
                    self.cls(x, m.trigger_of(norm.head))
            case m.Relates():
                for y in list(self.s.things.values()):
                    if y is not x and not self.ill_suited(norm.head.to, y):
                        self.condition(norm.head.to, y, frame)

    # ── conditions ──

    def condition(self, c: m.Condition, x: Thing, frame: Frame) -> None:
        """All that a condition can read, from a thing on."""
        asks = self.asks(c, x.kind)
        key: tuple[object, ...]
        if asks.whole:
            key = (id(c), x.name, frame.focus.name) if asks.turned else (id(c), x.name)
            if key not in self.seen:
                self.seen.add(key)
                self.ask(asks, x, frame)
            return
        key = (id(c), x.name, frame.focus.name, frame.bound)
        if key not in self.seen or type(c) is m.Bind:
            self.seen.add(key)
            READS[type(c)](self, c, x, frame)

    def ask(self, asks: Asks, x: Thing, frame: Frame) -> None:
        """All that is asked of a thing in one list."""
        if asks.classes:
            self.of_classes(x, asks.classes)
        for name in asks.sided:
            self.cls(x, name, frame.focus)
        for name in asks.words:
            self.word(x, name)
        for role, inverse, filler in asks.ways:
            for y in self.role(x, role, inverse):
                self.condition(filler, y, frame)
        for c in asks.apart:
            READS[type(c)](self, c, x, frame)
        self.queue += [(norm, x) for norm in asks.norms]

    def frame(self, x: Thing) -> Frame:
        """Where a norm starts that is tried on a thing."""
        return Frame(x, {"this": (x,)})

    def all_of(self, c: m.And, x: Thing, frame: Frame) -> None:
        """A conjunction; of things of another kind nothing."""
        if not self.other_kind(c.parts, x.kind):
            for part in c.parts:
                self.condition(part, x, frame)

    def any_of(self, c: m.Or, x: Thing, frame: Frame) -> None:
        """Each of several."""
        for part in c.parts:
            self.condition(part, x, frame)

    def carved(self, c: m.Except, x: Thing, frame: Frame) -> None:
        """A class with what is excepted from it."""
        if not self.other_kind((c.base,), x.kind):
            self.condition(c.base, x, frame)
            self.condition(c.carve, x, frame)

    def through(self, c: m.Some | m.Only | m.Count, x: Thing, frame: Frame) -> None:
        """What a relation leads to."""
        for y in self.role(x, c.role.name, c.role.inverse):
            self.condition(c.filler, y, frame)

    def led_to(self, c: m.HasValue, x: Thing, frame: Frame) -> None:
        """What a relation leads to, and what is looked for there."""
        self.role(x, c.role.name, c.role.inverse)
        self.path(c.target, x, frame)

    def same(self, c: m.Same, x: Thing, frame: Frame) -> None:
        """Whether it is what a path leads to."""
        self.path(c.target, x, frame)

    def of_named(self, c: m.Of, x: Thing, frame: Frame) -> None:
        """What is asked of a thing by its name."""
        for y in self.named(c.root, frame):
            self.condition(c.condition, y, frame)

    def bound(self, c: m.Bind, x: Thing, frame: Frame) -> None:
        """What is so of a thing that is given a name."""
        frame.bind(c.var, x)
        self.condition(c.of, x, frame)

    def compared(self, c: m.Compare, x: Thing, frame: Frame) -> None:
        """Both sides of a comparison."""
        self.expr(c.left, x, frame)
        self.expr(c.right, x, frame)

    def ill_suited(self, c: m.Condition, x: Thing) -> bool:
        """Whether a norm cannot lead to a thing, for it is told to be of another kind."""
        c = c.of if isinstance(c, m.Bind) else c
        kinds = (p.name for p in (c.parts if isinstance(c, m.And) else (c,)) if isinstance(p, m.Named))
        plain = (n for n in kinds if not (self.reported(n) or self.vocabulary.classes[n].derived))
        return any(self.theory.fits(x.kind, n) is False for n in plain)

    # ── expressions ──

    def expr(self, e: m.Expr, x: Thing, frame: Frame) -> None:
        """All that an expression can read, from a thing on."""
        match e:
            case m.Path(root, steps):
                for y in self.path(m.Path(root, steps[:-1]), x, frame):
                    self.number(y, steps[-1])
            case m.Otherwise(quantity):
                self.number(frame.focus, quantity)
            case m.Arith(_, left, right):
                self.expr(left, x, frame)
                self.expr(right, x, frame)
            case m.Call(_, args):
                for arg in args:
                    self.expr(arg, x, frame)
            case m.Aggregate(_, path, filler, quantity):
                for y in self.path(path, x, frame):
                    self.condition(filler, y, frame)
                    if quantity:
                        self.number(y, quantity)
            case m.Lookup(_, _, key, _, shift):
                self.expr(key, x, frame)
                if shift is not None:
                    self.expr(shift, x, frame)


READS: dict[type, Callable[[Walk, Any, Thing, Frame], None]] = {
    m.And: Walk.all_of,
    m.Or: Walk.any_of,
    m.Except: Walk.carved,
    m.Not: lambda walk, c, x, frame: walk.condition(c.of, x, frame),
    m.Some: Walk.through,
    m.Only: Walk.through,
    m.Count: Walk.through,
    m.HasValue: Walk.led_to,
    m.Same: Walk.same,
    m.Of: Walk.of_named,
    m.Bind: Walk.bound,
    m.Flag: lambda walk, c, x, frame: walk.word(x, c.name),
    m.Compare: Walk.compared,
}


def concluded(classes: Mapping[str, ClassTerm], norm: m.Norm, negated: bool) -> frozenset[str]:
    """The classes of which a norm makes things members, or (negated) of which it makes them none."""
    match norm.head:
        case m.CountsAs(_, target, out) if out is negated:
            return classes[target].descendants if negated else classes[target].ancestors
    return frozenset()
