"""Which facts of a case nothing could read, for the question that was asked.

    unused(proof) -> (Unused, ...)       each with the nearest word that the rules of this question do read
    about_the_act(proof)                 whether one of them is of the act asked about, or of who or what it names
    suffix(proof)                        "; not used: squad is concealed", for the first line

From the question outwards every norm, definition and expression that can speak of its things is gone through, in all
its parts: nothing is cut short, so what is listed could not have mattered however the other facts had been. Pure.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kb.language import english, norms as m
from kb.language.case import Case, Facts
from kb.language.vocabulary import ABSENT, ACTOR, CONCLUDED, ClassTerm, PropertyTerm
from kb.reasoner import untold
from kb.reasoner.positions import before
from kb.reasoner.proof import CONFLICT, UNDETERMINED, Proof, Unused
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Caused, Thing

Env = dict[str, tuple[Thing, ...]]
ACT, STATE, NATION, COORDINATE, SIDE = "Act", "State", "Nationality", "coordinate", "side"
MOST_TOLD = 2  # facts named in the first line
ALIKE, QUITE_ALIKE = 0.5, 0.7  # how like two words must be for the one to be taken for the other


def unused(proof: Proof) -> tuple[Unused, ...]:
    """The facts of a case that no rule of its question could read, in the order in which they are told."""
    if proof.which:
        told = proof.case.said or proof.case.things
        rows = tuple(row for row in unused(proof.which[0][1]) if row.thing in told)
        for _, found in proof.which[1:]:  # what the question of one candidate reads is read
            left = {(row.thing, row.key, row.value) for row in unused(found)} if rows else set()
            rows = tuple(row for row in rows if (row.thing, row.key, row.value) in left)
        return rows
    if proof.situation is None:
        return ()
    walk = Walk(apart(proof.situation))
    walk.question(proof)
    return tuple(Report(walk, proof.case).rows())


def about_the_act(proof: Proof) -> bool:
    """Whether a fact that nothing read is told of what is asked about, or of who or what that names."""
    return any(row.about for row in proof.unused)


def suffix(proof: Proof) -> str:
    """What the first line adds: the facts of the act, or of who or what it names, that nothing read; "" for none."""
    if proof.verdict in (UNDETERMINED, CONFLICT):
        return ""
    facts = [row.fact for row in proof.unused if row.about]
    more = f" and {len(facts) - MOST_TOLD} more" if len(facts) > MOST_TOLD else ""
    return f"; not used: {', '.join(facts[:MOST_TOLD])}{more}" if facts else ""


def apart(staged: Situation) -> Situation:
    """The same situation to look around in: what the walk finds, or makes up on its way, is not found by others."""
    fresh = Situation(staged.theory, staged.case, staged.now)
    fresh.done, fresh.past = staged.done, staged.past
    for name, thing in staged.things.items():
        twin = fresh.things.get(name)
        if twin is not None:
            twin.kind, twin.plain, twin.caused, twin.pending = thing.kind, thing.plain, thing.caused, thing.pending
    return fresh


@dataclass(eq=False)
class Frame:
    """A norm (or a question) at work on a focus: the names that it has bound, each with all it may stand for."""

    focus: Thing
    env: Env = field(default_factory=dict)
    bound: tuple[str, ...] = ()  # what the names stand for, to tell one state of the frame from another

    def bind(self, var: str, x: Thing) -> None:
        """Lets a name stand for one thing more."""
        if x not in self.env.get(var, ()):
            self.env[var] = (*self.env.get(var, ()), x)
            self.bound = (*self.bound, var, x.name)


class Walk:
    """Everything that the rules could read from a question on. met: the things that were looked at at all; read: facts, as
    (thing, word) or (thing, word, other thing); tried: by thing, the words that were asked of it, answered or not."""

    def __init__(self, situation: Situation):
        self.s, self.theory, self.vocabulary = situation, situation.theory, situation.vocabulary
        self.met: set[str] = set()
        self.read: set[tuple[str, ...]] = set()
        self.tried: dict[str, dict[str, None]] = {}
        self.seen: set[tuple[object, ...]] = set()
        self.queue: list[tuple[m.Norm, Thing]] = []
        self.defined: list[tuple[m.Condition, Thing]] = []

    def new(self, *what: object) -> bool:
        """Whether this was not gone through before; it is now."""
        if what in self.seen:
            return False
        self.seen.add(what)
        return True

    # ── where it begins ──

    def question(self, proof: Proof) -> None:
        """From the focus of the question, and from all that has happened."""
        asked, things = proof.question, self.s.things
        x = things[asked.thing]
        self.met.add(x.name)
        match asked.kind:
            case "may" | "must":
                for norm, _ in self.theory.deontic_of(x.kind, asked.kind):
                    self.queue.append((norm, x))
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
        self.drain()

    def scope(self, rows: Iterable[m.ScopeRow], x: Thing) -> None:
        """What tells under which rows of the chapters' scopes a thing is."""
        for row in rows:
            if row.term in self.vocabulary.classes:
                self.cls(x, row.term)
            if row.condition is not None:
                self.condition(row.condition, x, Frame(x, {"this": (x,)}))

    def drain(self) -> None:
        """Goes through the norms and definitions that were met, and those that they lead to."""
        while self.queue or self.defined:
            while self.defined:
                c, x = self.defined.pop()
                if self.new("definition", id(c), x.name):
                    self.condition(c, x, Frame(x, {"this": (x,)}))
            if self.queue:
                self.norm(*self.queue.pop())

    def event(self, x: Thing) -> None:
        """The effects of what happens."""
        for norm in self.theory.effects:
            assert isinstance(norm.head, m.Effect)
            if self.s.focus(x, norm.head.event) is not False:
                self.queue.append((norm, x))

    def moved(self, x: Thing) -> None:
        """Whom an act of the past has moved, and where to."""
        for prop in self.vocabulary.changing:
            for rule in prop.changed_by:
                cls, *roles = rule.split()
                if roles and self.vocabulary.entails(x.facts.is_, cls):
                    for role in roles:
                        for y in self.role(x, role):
                            self.role(y, prop.name)

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
        subject = m.subject_of(norm.head)
        if not self.new(norm.id, x.name) or (subject and self.theory.fits(x.kind, subject) is False):
            return
        frame = Frame(x, {"this": (x,)})
        if subject:
            self.cls(x, subject)
        self.condition(norm.when, x, frame)
        for u in norm.unless:
            self.condition(u.condition, x, frame)
        match norm.head:
            case m.QuantityHead():
                self.expr(norm.head.value, x, frame)
            case m.Effect():
                self.path(norm.head.path, x, frame)
            case m.Relates():
                for y in list(self.s.things.values()):
                    if y is not x and not self.ill_suited(norm.head.to, y):
                        self.condition(norm.head.to, y, frame)

    # ── conditions ──

    def condition(self, c: m.Condition, x: Thing, frame: Frame) -> None:
        """All that a condition can read, from a thing on."""
        if not self.new(id(c), x.name, frame.focus.name, frame.bound) and not isinstance(c, m.Bind):
            return
        match c:
            case m.Named(name):
                self.cls(x, name, frame.focus)
            case m.And(parts):
                if not self.other_kind(parts, x):
                    for part in parts:
                        self.condition(part, x, frame)
            case m.Or(parts):
                for part in parts:
                    self.condition(part, x, frame)
            case m.Except(base, carve, _):
                if not self.other_kind((base,), x):
                    self.condition(base, x, frame)
                    self.condition(carve, x, frame)
            case m.Not(of):
                self.condition(of, x, frame)
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                for y in self.role(x, role.name, role.inverse):
                    self.condition(filler, y, frame)
            case m.HasValue(role, target):
                self.role(x, role.name, role.inverse)
                self.path(target, x, frame)
            case m.Same(target):
                self.path(target, x, frame)
            case m.Of(root, of):
                for y in self.named(root, frame):
                    self.condition(of, y, frame)
            case m.Bind(of, var):
                frame.bind(var, x)
                self.condition(of, x, frame)
            case m.Flag(name, _):
                self.word(x, name)
            case m.Compare(left, _, right):
                self.expr(left, x, frame)
                self.expr(right, x, frame)

    def other_kind(self, parts: Iterable[m.Condition], x: Thing) -> bool:
        """Whether a conjunction is of things that this one is plainly none of, so that its other parts do not matter."""
        for part in parts:
            if isinstance(part, m.Bind):
                part = part.of
            if isinstance(part, m.And):
                if self.other_kind(part.parts, x):
                    return True
            elif isinstance(part, m.Named) and self.plainly_not(part.name, x):
                return True
        return False

    def ill_suited(self, c: m.Condition, x: Thing) -> bool:
        """Whether a norm cannot lead to a thing, for it is told to be of another kind."""
        c = c.of if isinstance(c, m.Bind) else c
        kinds = (p.name for p in (c.parts if isinstance(c, m.And) else (c,)) if isinstance(p, m.Named))
        plain = (n for n in kinds if not (self.reported(n) or self.vocabulary.classes[n].derived))
        return any(self.theory.fits(x.kind, n) is False for n in plain)

    def plainly_not(self, cls: str, x: Thing) -> bool:
        """Whether the kind that a thing is told to be, whatever its state, rules out that it is a cls."""
        classes = self.vocabulary.classes
        return cls in x.kind.denied and any(
            cls in classes[c].disjoint and not self.reported(c) for c in x.kind.stated if c in classes
        )

    def named(self, root: str, frame: Frame) -> tuple[Thing, ...]:
        """What a name stands for in a norm, or in a case."""
        if root in frame.env:
            return frame.env[root]
        found = self.s.things.get(root)
        return (found,) if found is not None else ()

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

    def path(self, path: m.Path, x: Thing, frame: Frame) -> list[Thing]:
        """Where a path leads; each relation on it is read."""
        steps = path.steps
        now = list(self.named(path.root, frame)) if path.root else [x]
        if (
            not path.root
            and len(steps) == 1
            and steps[0] in self.s.things
            and steps[0] not in self.vocabulary.properties
        ):
            now, steps = [self.s.things[steps[0]]], ()
        for step in steps:
            now = list({z.name: z for y in now for z in self.role(y, step)}.values())
        self.met.update(y.name for y in now)
        return now

    # ── facts ──

    def word(self, x: Thing, name: str) -> None:
        """A word read of a thing, whatever is said by it."""
        self.met.add(x.name)
        self.tried.setdefault(x.name, {})[name] = None
        self.read.add((x.name, name))

    def cls(self, x: Thing, name: str, focus: Thing | None = None) -> None:
        """Whether a thing is of a class: the classes told of it that bear on that, and what may make it so."""
        if not self.new("class", x.name, name, focus.name if focus else ""):
            return
        self.met.add(x.name)
        self.tried.setdefault(x.name, {})[name] = None
        term, classes = self.vocabulary.classes[name], self.vocabulary.classes
        told = [c for c in (*x.facts.is_, *x.facts.not_) if c in classes]
        bears = [c for c in told if c in term.ancestors or c in term.descendants or c in term.disjoint]
        kinds = [c for c in bears if not self.reported(c)]
        # Where the kind alone tells that it is so, or not so, a state that would tell it too was not needed.
        self.read.update(
            (x.name, c) for c in bears if c in kinds or not kinds or c in term.descendants or c in term.ancestors
        )
        if term.derived:
            self.module(term.derived, x, focus)
        for norm in (*self.theory.makes.get(name, ()), *self.theory.unmakes.get(name, ())):
            self.queue.append((norm, x))
        for below in (name, *self.theory.defined_below.get(name, ())):
            self.defined += [(c, x) for c in self.theory.definitions.get(below, ())]
            if below != name:
                self.cls(x, below, focus)

    def reported(self, name: str) -> bool:
        """Whether a class is a state or a special kind, which a case tells on purpose: not what the thing is, nor whose."""
        term = self.vocabulary.classes[name]
        if term.derived == "sides" or NATION in term.ancestors:
            return False
        return term.when_unstated in (ABSENT, CONCLUDED) or STATE in term.ancestors

    def number(self, x: Thing, name: str) -> None:
        """A number of a thing: as told, and all that has a part in it."""
        self.word(x, name)
        if not self.new("number", x.name, name):
            return
        self.queue += [(norm, x) for norm in self.theory.numbers_of(x.kind, name)]
        if derived := self.vocabulary.properties[name].derived:
            self.module(derived, x, None)

    def role(self, x: Thing, name: str, inverse: bool = False, within: bool = False) -> list[Thing]:
        """What a relation leads to, or may lead to where that is not told; all that tells it, or may add to it, is read.

        within: the relation only tells another one.
        """
        links = self.s.successors(x, name, inverse)
        found = [*links.things, *(self.s.things[n] for n in (*links.barred, *links.perhaps) if n in self.s.things)]
        if not (links.complete or inverse or within):  # for all that is told, it may lead to any of these
            prop = self.vocabulary.properties[name]
            ours = prop.domain in self.vocabulary.classes and self.vocabulary.entails(x.facts.is_, prop.domain)
            wanted = prop.range if ours else ""
            found += [y for y in self.s.things.values() if y is not x and self.vocabulary.entails(y.facts.is_, wanted)]
        self.met.add(x.name)
        self.met.update(y.name for y in found)
        if self.new("role", x.name, name, inverse):
            self.relation(x, self.vocabulary.properties[name], inverse)
        return list({y.name: y for y in found}.values())

    def relation(self, x: Thing, prop: PropertyTerm, inverse: bool) -> None:
        """The links that tell a relation of a thing, from either side, and the rules that make it."""
        forwards, backwards = (prop.inverses, prop.below) if inverse else (prop.below, prop.inverses)
        for q in forwards:
            self.read.add((x.name, q))
            self.tried.setdefault(x.name, {})[q] = None
        for q in backwards:
            self.tried.setdefault(x.name, {})["inverse " + q] = None
            for y in x.back.get(q, ()):
                self.read.add((y.name, q, x.name))
        if prop.derived:
            self.module(prop.derived, x, None)
        if inverse:
            if any(self.vocabulary.properties[q].chains for q in prop.below):
                for y in list(self.s.things.values()):
                    if x.name in self.s.successors(y, prop.name).why:
                        self.role(y, prop.name)
            return
        for q in prop.below:
            for chain in self.vocabulary.properties[q].chains:
                now = [x]
                for step in chain:
                    way, back = step.removeprefix("inverse "), step.startswith("inverse ")
                    now = list({z.name: z for y in now for z in self.role(y, way, back, True)}.values())
        symmetric = prop.name in prop.inverses
        for norm in self.theory.relations.get(prop.name, ()):
            for y in list(self.s.things.values()) if symmetric else (x,):
                self.queue.append((norm, y))
        if prop.transitive:
            for y in self.s.successors(x, prop.name).things:
                self.role(y, prop.name)

    # ── modules ──

    def module(self, module: str, x: Thing, focus: Thing | None) -> None:
        """What a general module reads: sides, places on the map, what has happened, who is together."""
        name, *args = module.split()
        everything = list(self.s.things.values())
        if name == "sides":
            for y in everything if self.new("sides") else ():
                if SIDE in self.vocabulary.properties:
                    self.read.add((y.name, SIDE))
                    self.met.update(y.facts.links.get(SIDE, ()))
            if focus is not None and ACTOR in self.vocabulary.properties:
                self.role(focus, ACTOR)
        elif module == "grid adjacent":
            for y in everything if self.new("map") else ():
                self.spot(y, 0)
        elif name == "grid":
            paths = args[1:3] if args[0] in ("between", "range") else (args[1].partition(".")[0], *args[1:3])
            for n, way in enumerate(paths):
                for y in self.path(m.Path("", tuple(way.split("."))), x, Frame(x)):
                    self.spot(y, 0)
                    if n == 0:
                        self.word(y, "entryHexside")
                        self.word(y, "entryHexspine")
        elif name == "history" and args[:1] == ["parted"]:
            for y in self.role(x, args[1]):
                self.role(y, args[2])
        elif name == "history" and args[:1] == ["told"]:
            for y in everything:
                if self.vocabulary.entails(y.facts.is_, args[2]):
                    self.role(y, args[1])
        elif name == "groups":
            for y in self.role(x, args[1]):
                for z in self.role(y, args[2]):
                    self.role(z, args[3])

    def spot(self, x: Thing, depth: int) -> None:
        """Where on the map a thing is: its coordinate, or that of the place it is in or shares a hex with."""
        if depth > 4 or not self.new("spot", x.name):
            return
        self.read.add((x.name, COORDINATE))
        for role in dict.fromkeys(
            ("hex", "at", *(r for r in self.vocabulary.told if self.vocabulary.properties[r].kind == "object"))
        ):
            if role in self.vocabulary.properties and role in x.facts.links:
                for y in self.role(x, role):
                    self.spot(y, depth + 1)


class Report:
    """What a walk did not read, of what a case says."""

    def __init__(self, walk: Walk, case: Case):
        self.walk, self.case, self.vocabulary = walk, case, walk.vocabulary
        self.said: Mapping[str, Facts] = case.said or case.things
        self.near = self.named_by_the_act()
        self.credit()

    def named_by_the_act(self) -> frozenset[str]:
        """What is asked about, and who and what it names."""
        asked = self.case.question.thing
        facts = self.case.things.get(asked)
        links = facts.links.values() if facts is not None else ()
        return frozenset((asked, *(name for targets in links for name in targets)))

    def credit(self) -> None:
        """A fact told in a roundabout way is read where what was made of it is."""
        vocabulary, read = self.vocabulary, self.walk.read
        near: dict[str, set[str]] = {}  # what is linked with a thing, in whatever words
        for name, facts in self.case.things.items():
            for targets in facts.links.values():
                for other in targets:
                    near.setdefault(name, {name}).add(other)
                    near.setdefault(other, {other}).add(name)
        for name, facts in self.case.things.items():
            said = self.said.get(name, Facts(name))
            for role, targets in facts.links.items():
                for other in targets:
                    if other not in said.links.get(role, ()) and self.reads(name, role, other):
                        told_by = {word for way in vocabulary.told.get(role, ()) for word in way.split(".")} | {role}
                        self.made_of(name, other, told_by, near)
            for number in facts.numbers.keys() - said.numbers.keys():
                if (name, number) in read:
                    read.update((name, word) for word in vocabulary.told_numbers.get(number, ()))

    def made_of(self, name: str, other: str, told_by: set[str], near: Mapping[str, set[str]]) -> None:
        """What is said of two things, where a link between them that nobody states is read: that told it."""
        ends = {name, other}
        for z, facts in self.said.items():
            now = self.case.things[z].links
            for key, targets in facts.links.items():
                for y in targets:
                    there = (ends - {z, y}) or ends
                    if ends.isdisjoint((z, y)):
                        continue
                    if (
                        key in told_by
                        or key not in now
                        or any(e in near.get(y, ()) and e in near.get(z, ()) for e in there)
                    ):
                        self.walk.read.add((z, key, y))
                        self.walk.met.update((z, y))
            if z in ends:
                self.walk.read.update((z, text) for text in facts.texts)

    def reads(self, name: str, role: str, other: str) -> bool:
        """Whether a link was read, from either end."""
        return (name, role) in self.walk.read or (name, role, other) in self.walk.read

    def rows(self) -> Iterator[Unused]:
        """The facts that were not read; of a thing that nothing met, one row."""
        led: set[str] = set()
        alone: list[str] = []
        for name, facts in self.said.items():
            if name not in self.walk.met:
                alone.append(name)
                continue
            for row, targets in self.of(name, facts):
                led.update(targets)
                yield row
        for name in alone:
            if name not in led and not self.hangs_on(name, {*alone, *led}):
                yield self.row(name, "", "", f"{self.label(name)} is not spoken of by any rule of this question", "")

    def hangs_on(self, name: str, others: set[str]) -> bool:
        """Whether a thing is described in place, under another that is listed."""
        return any(name.startswith(f"{other}.") for other in others if other != name)

    def of(self, name: str, facts: Facts) -> Iterator[tuple[Unused, tuple[str, ...]]]:
        """The rows of one thing, each with what it leads to."""
        read, v = self.walk.read, self.vocabulary
        for cls in facts.is_:
            if (name, cls) not in read and self.walk.reported(cls) and not self.needless(cls, facts):
                fact = english.say_class(v, self.label(name), cls, True)
                yield self.row(name, "is", cls, fact, self.class_hint(name, cls)), ()
        for role, targets in facts.links.items():
            left = tuple(y for y in targets if not self.reads(name, role, y))
            if left:
                value = ", ".join(self.written(y, f"{name}.{role}") for y in left)
                fact = english.say_link(v, m.Role(role), self.label(name), english.series(map(self.label, left)))
                yield self.row(name, role, value, fact, self.link_hint(name, role, left)), left
        for number, amount in facts.numbers.items():
            if (name, number) not in read:
                fact = f"{v.properties[number].label} of {self.label(name)} is {english.shown(amount)}"
                yield self.row(name, number, english.shown(amount), fact, self.number_hint(name, number)), ()
        for flag, truth in facts.flags.items():
            if (name, flag) not in read:
                fact = english.say_flag(v, flag, self.label(name), truth)
                yield self.row(name, flag, "true" if truth else "false", fact, self.number_hint(name, flag)), ()
        for text, value in facts.texts.items():
            if (name, text) not in read and name != value:
                fact = f"{v.properties[text].label} of {self.label(name)} is {value}"
                yield self.row(name, text, value, fact, ""), ()

    def written(self, name: str, unnamed: str) -> str:
        """A value as the case has it: the name of a thing, or the class of one that it does not name."""
        kinds = self.said[name].is_ if name in self.said and name.startswith(unnamed) else ()
        return kinds[0] if kinds else name

    def needless(self, cls: str, facts: Facts) -> bool:
        """Whether a class follows from another that is told, or is the only kind that is told: what the thing is."""
        classes = self.vocabulary.classes
        others = [c for c in facts.is_ if c != cls]
        if STATE not in classes[cls].ancestors and not any(STATE not in classes[c].ancestors for c in others):
            return True
        return any(cls in classes[c].ancestors for c in others)

    def row(self, name: str, key: str, value: str, fact: str, hint: str) -> Unused:
        """A row; of what is asked about, or of who or what that names, unless it is who acts or what is printed on a piece."""
        prop, mine = self.vocabulary.properties.get(key), name == self.case.question.thing
        printed = prop is not None and prop.kind in ("number", "text") and not mine and not hint
        return Unused(
            name, key, value, fact, hint, name in self.near and not printed and key not in self.vocabulary.doers
        )

    def label(self, name: str) -> str:
        """What a thing is called."""
        facts = self.said.get(name)
        return facts.label or name if facts is not None else name

    # ── the nearest word ──

    def link_hint(self, name: str, role: str, targets: tuple[str, ...]) -> str:
        """A relation that is read of the thing and that the value fits: one that such an act must be told with, else one called alike."""
        properties, facts, act = self.vocabulary.properties, self.said[name], self.walk.s.things.get(name)
        owed = untold.untold(self.walk.s, act) if act is not None else ()
        kinds = [c for y in targets if y in self.said for c in self.said[y].is_]
        best, most = "", ALIKE
        for word in self.walk.tried.get(name, ()):
            prop = properties.get(word)
            if prop is None or prop.kind != "object" or word == role or (prop.functional and word in facts.links):
                continue
            like = alike(prop, properties[role]) + (word in owed)
            if (not prop.range or self.vocabulary.entails(kinds, prop.range)) and like >= most:
                best, most = word, like
        return best

    def number_hint(self, name: str, word: str) -> str:
        """A number (or a true-or-false property) of the same kind that is read of the thing, not told of it, and called alike."""
        properties, facts = self.vocabulary.properties, self.said[name]
        mine = properties[word]
        others = [
            properties[w] for w in self.walk.tried.get(name, ())
            if w in properties and properties[w].kind == mine.kind and w not in facts.numbers and w not in facts.flags
        ]  # fmt: skip
        best = max(others, key=lambda p: alike(p, mine), default=None)
        return best.name if best is not None and alike(best, mine) >= ALIKE else ""

    def class_hint(self, name: str, cls: str) -> str:
        """A state that is read of the thing and is called much like this one."""
        classes, facts = self.vocabulary.classes, self.said[name]
        others = [
            classes[w] for w in self.walk.tried.get(name, ())
            if w in classes and self.walk.reported(w) and w not in facts.is_ and not classes[cls].disjoint & {w}
        ]  # fmt: skip
        best = max(others, key=lambda t: alike(t, classes[cls]), default=None)
        return best.name if best is not None and alike(best, classes[cls]) >= QUITE_ALIKE else ""


def alike(one: ClassTerm | PropertyTerm, other: ClassTerm | PropertyTerm) -> float:
    """How like two terms are called, from 0 to 1."""
    return likeness((one.name, one.label), (other.name, other.label))


@lru_cache(maxsize=5_000)
def likeness(ours: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """How like some words are to others, at best."""
    pairs = ((a.casefold(), b.casefold()) for a in ours for b in theirs)
    return max(difflib.SequenceMatcher(None, a, b).ratio() for a, b in pairs)
