"""Which facts of a case a rule reads, and what may tell them: a class, a number, a relation, a place on the map.

`Reading` notes each fact that is asked for, follows relations wherever they may lead, and queues the norms and definitions that
may make it so; kb.reasoner.relevance walks those.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kb.language import norms as m
from kb.language.case import Facts
from kb.language.vocabulary import ABSENT, CONCLUDED, PropertyTerm
from kb.reasoner import builtins
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Thing
from kb.rulebook.theory import Theory

Env = dict[str, tuple[Thing, ...]]
STATE, NATION, COORDINATE = "State", "Nationality", "coordinate"
MOST_BEARING, MOST_TOLD = 20_000, 500  # remembered, of each theory and of each walk


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


class Kept:
    """What walks keep with a theory. sided: the classes of which it may matter from whom it is asked whether a thing is of one: it, or one that
    makes it so, is worked out; making: those that norms or definitions have a say in; bearing: of the classes told of a thing, those that bear on
    another; lists: see kb.reasoner.asks; met: the walks of cases that were met, see kb.reasoner.walks."""

    def __init__(self, theory: Theory):
        terms, below = theory.vocabulary.classes, theory.defined_below
        self.sided = frozenset(n for n in terms if any(terms[cls].derived for cls in (n, *below.get(n, ()))))
        self.making = frozenset((*theory.makes, *theory.unmakes, *theory.definitions, *below))
        self.bearing: dict[tuple[tuple[str, ...], tuple[str, ...], str], tuple[str, ...]] = {}
        self.lists: dict[Any, Any] = {}
        self.met: Any = None


def kept(theory: Theory) -> Kept:
    """What is kept with a theory; nothing as yet."""
    theory.walks = found = Kept(theory)
    return found


class Reading:
    """The facts read so far. met: the things that were looked at at all; read: facts, as (thing, word) or (thing, word, other
    thing); tried: by thing, the words that were asked of it, answered or not; asked: by thing, the classes that it was asked whether it
    is one; queue: norms still to walk; classes: those of which it is still to be walked what may make a thing one."""

    def __init__(self, situation: Situation):
        self.s, self.theory, self.vocabulary = situation, situation.theory, situation.vocabulary
        self.met: set[str] = set()
        self.read: set[tuple[str, ...]] = set()
        self.tried: dict[str, dict[str, None]] = {}
        self.asked: dict[str, dict[str, None]] = {}
        self.known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], set[str]] = {}
        self.seen: set[tuple[object, ...]] = set()
        self.led: dict[tuple[str, str, bool, bool], tuple[int, list[Thing]]] = {}
        self.queue: list[tuple[m.Norm, Thing]] = []
        self.classes: list[tuple[Thing, str]] = []
        self.kept: Kept = self.theory.walks or kept(self.theory)
        self.sided, self.making = self.kept.sided, self.kept.making

    def new(self, *what: object) -> bool:
        """Whether this was not gone through before; it is now."""
        if what in self.seen:
            return False
        self.seen.add(what)
        return True

    def named(self, root: str, frame: Frame) -> tuple[Thing, ...]:
        """What a name stands for."""
        return frame.env.get(root, ())

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
        """Whether a thing is of a class: the classes told of it that bear on that (`told`), and what may make it so."""
        if name not in self.sided:  # it is the same from wherever it is asked
            return self.of_classes(x, (name,))
        if not self.new("class", x.name, name, focus.name if focus else ""):
            return
        self.of_classes(x, (name,))
        if derived := self.vocabulary.classes[name].derived:
            self.derived(derived, x, focus)
        for below in self.theory.defined_below.get(name, ()):
            self.cls(x, below, focus)

    def of_classes(self, x: Thing, names: Iterable[str]) -> None:
        """Whether a thing is of some classes; what may make it so is walked once."""
        asked = self.asked.get(x.name)
        if asked is None:
            asked = self.asked[x.name] = {}
            self.met.add(x.name)
        new = [name for name in names if name not in asked]
        if new:
            self.tried.setdefault(x.name, {}).update(more := dict.fromkeys(new))
            asked.update(more)
            for name in new:
                if name in self.making:
                    self.classes.append((x, name))
                    if name not in self.sided:
                        self.of_classes(x, self.theory.defined_below.get(name, ()))

    def told(self, facts: Facts) -> set[str]:
        """The classes told of a thing that are read of it: those that bear on what it was asked whether it is."""
        key = facts.name, facts.is_, facts.not_
        if key not in self.known:
            if len(self.known) >= MOST_TOLD:
                self.known.clear()
            asked = self.asked.get(facts.name, ())
            self.known[key] = {c for name in asked for c in self.bearing(facts.is_, facts.not_, name)}
        return self.known[key]

    def bearing(self, is_: tuple[str, ...], not_: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Which of the classes told of a thing bear on whether it is of one; remembered with the theory."""
        key, known = (is_, not_, name), self.kept.bearing
        if key not in known:
            term, classes = self.vocabulary.classes[name], self.vocabulary.classes
            told = [c for c in (*is_, *not_) if c in classes]
            bears = [c for c in told if c in term.ancestors or c in term.descendants or c in term.disjoint]
            kinds = [c for c in bears if not self.reported(c)]
            if len(known) >= MOST_BEARING:
                known.clear()
            # Where the kind alone tells that it is so, or not so, a state that would tell it too was not needed.
            known[key] = tuple(
                c for c in bears if c in kinds or not kinds or c in term.descendants or c in term.ancestors
            )
        return known[key]

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
            self.derived(derived, x, None)

    def role(self, x: Thing, name: str, inverse: bool = False, within: bool = False) -> list[Thing]:
        """What a relation leads to, or may lead to where that is not told; all that tells it, or may add to it, is read.

        within: the relation only tells another one.
        """
        key = (x.name, name, inverse, within)
        known = self.led.get(key)
        if known is not None and known[0] == len(self.s.things):  # nothing was made up since that it may lead to
            return known[1]
        found = self.follow(x, name, inverse, within)
        self.led[key] = len(self.s.things), found
        return found

    def follow(self, x: Thing, name: str, inverse: bool, within: bool) -> list[Thing]:
        """See `role`; each is followed once."""
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
        name = x.name
        self.read.update([(name, q) for q in forwards])
        self.tried.setdefault(name, {}).update(dict.fromkeys([*forwards, *map("inverse ".__add__, backwards)]))
        for q, those in x.back.items():
            if q in backwards:
                self.read.update([(y.name, q, name) for y in those])
        if prop.derived:
            self.derived(prop.derived, x, None)
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

    # ── built-ins ──

    def derived(self, name: str, x: Thing, focus: Thing | None) -> None:
        """What a built-in reads to work a term out."""
        one, args = builtins.named(name)
        one.reads(self, args, x, focus)

    def along(self, x: Thing, path: str) -> list[Thing]:
        """What a dotted path leads to, read on the way."""
        return self.path(m.Path("", tuple(path.split("."))), x, Frame(x))

    def spot(self, x: Thing, depth: int = 0) -> None:
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
