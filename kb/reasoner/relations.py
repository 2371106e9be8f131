"""What a property leads to in a staged case: what is stated, what chains, norms and built-ins add, and what silence says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from kb.language import english, norms as m
from kb.reasoner import builtins
from kb.reasoner.evaluate import evaluator
from kb.reasoner.staging import Staged, related
from kb.reasoner.trace import ByNorm, Chained, How, Implied, Links, Outcome, Stated, Step, Thing, Transitive, WorkedOut
from kb.rulebook.theory import Way

NONE = {
    (complete, presumed): Links((), {}, complete, presumed) for complete in (True, False) for presumed in (True, False)
}
NO_LINKS, NO_LINKS_PRESUMED = NONE[True, False], NONE[True, True]
told_by = cache(Stated)


def brought(by: Outcome, y: Thing) -> ByNorm:
    """How it is known of y that something is related to it, or is so no more: an event has brought it about."""
    return ByNorm(by, Step(m.Anything(), y, True, "anything", (), False))


UNTOLD = Links((), {}, False, False, untold=True)


class Relations(Staged):
    """Answers `successors`: what x is related to, how each is known, and whether that is all."""

    def successors(self, x: Thing, name: str, inverse: bool = False) -> Links:
        """What x is related to by a property, how each is known, and whether that is all."""
        key = "inverse " + name if inverse else name
        return x.linked.get(key) or self.reach(x, name, inverse, key)

    def reach(self, x: Thing, name: str, inverse: bool, key: str) -> Links:
        """The same where it was not asked before."""
        way = self.theory.ways.get(name) or self.theory.way(name)
        if not way.indirect:
            if inverse:
                found = x.linked[key] = self._inverse(x, name)
                return found
            facts, back = x.facts, x.back
            plain = way.alone and not facts.unknown and not self.strays
            if plain and (not back or back.keys().isdisjoint(way.inverses)):
                told = facts.links.get(name)  # the usual: one value stated, or silence
                if told is None:
                    if name not in x.kind.existential:
                        found = x.linked[key] = NO_LINKS_PRESUMED if way.presumed else UNTOLD
                        return found
                elif len(told) == 1:
                    thing = self.things[told[0]]
                    found = x.linked[key] = Links((thing,), {thing.name: told_by(name)}, True, not way.functional)
                    return found
            found = x.linked[key] = self._successors(x, name, way)
            return found
        met = self.begin(x.linked, key)
        if met is not None:  # a circle: blank, by the presumption that nothing else is told of
            return met or (NO_LINKS_PRESUMED if way.presumed else NO_LINKS)
        links = self._inverse(x, name) if inverse else self._successors(x, name, way)
        return self.finish(x.linked, key, links)  # type: ignore[no-any-return]

    def _inverse(self, x: Thing, name: str) -> Links:
        prop = self.vocabulary.properties[name]
        found: dict[str, How] = {}
        for q in prop.below:
            for y in x.back.get(q, ()):
                if (q, x.name) not in y.loose:
                    found.setdefault(y.name, self.how(y, q, x))
        for q in prop.inverses:
            for target in x.facts.links.get(q, ()):
                if (q, target) not in x.loose:
                    found.setdefault(target, self.how(x, q, self.things[target]))
        perhaps: dict[str, tuple[Outcome | Step, ...]] = {}
        way = self.theory.ways.get(name) or self.theory.way(name)
        if way.indirect:
            for y in list(self.things.values()):
                if y.name not in found and not self.barren(y, way, name):
                    links = self.successors(y, name)
                    if x.name in links.why:  # a chain, or what is worked out, may lead from x to itself
                        found[y.name] = links.why[x.name]
                    elif y is not x and x.name in links.perhaps:  # an open rule may relate it to x
                        perhaps[y.name] = links.perhaps[x.name]
        lost = False
        if self.strays:
            self._astray(x, prop.below, found, perhaps)
            lost = not x.facts.one_sided and not set(x.facts.unknown).isdisjoint(prop.inverses)
        whole = not (perhaps or lost)
        return Links(tuple([self.things[n] for n in found]), found, whole, whole, perhaps=perhaps)

    def barren(self, y: Thing, way: Way, name: str) -> bool:
        """Whether it is plain that y is related to nothing by a property: nothing is told, and nothing that may add to that speaks of y."""
        facts, back = y.facts, y.back
        if way.derived or way.chained or facts.unknown or y.loose or y.tied:
            return False
        if back and not (back.keys().isdisjoint(way.inverses)):
            return False
        if not (facts.links.keys().isdisjoint(way.below) and y.kind.existential.keys().isdisjoint(way.below)):
            return False
        if not self.theory.linking.isdisjoint(way.inverses) or (
            way.chains and way.opens(facts, back, y.kind.existential)
        ):
            return False
        norms = self.theory.relations.get(name, ())
        if norms and name in way.inverses:
            return False
        return all(self.focus(y, norm.head.subject) is False for norm in norms if isinstance(norm.head, m.Relates))

    def _successors(self, x: Thing, name: str, way: Way) -> Links:
        facts, back = x.facts, x.back
        found: dict[str, How] = {}
        barred: dict[str, ByNorm] = {}
        perhaps: dict[str, tuple[Outcome | Step, ...]] = {}
        stated = unsure = doubted = False
        if facts.links and not facts.links.keys().isdisjoint(way.below):
            for q in way.below:
                targets = facts.links.get(q)
                if targets is not None:
                    stated = stated or q == name or bool(targets)
                    for target in targets:
                        found.setdefault(target, self.how(x, q, self.things[target]))
        if back and not back.keys().isdisjoint(way.inverses):
            for q in way.inverses:
                for y in back.get(q, ()):
                    found.setdefault(y.name, self.how(y, q, x))
        if self.strays:
            self._astray(x, way.inverses, found, perhaps)
            unsure = bool(perhaps)
        if way.indirect:
            doubted = self._open(x, way, found, perhaps)
            unsure = self._follow_rules(x, name, way, found, barred, perhaps) or bool(perhaps)
            self._parted(x, way, found, barred, perhaps)
        if not found and not stated and not x.kind.existential.keys().isdisjoint(way.below):
            made = self._imply(x, way.below)
            if made is not None:
                found[made.name] = Implied(name)
        no_more = False
        if unsure and way.functional and stated and found and not doubted:  # it has its one value
            unsure = False
            perhaps.clear()
        since = way.functional and stated and found  # what was not known of it at first is so since an event
        if unsure or (facts.unknown and not since and not way.tellers.isdisjoint(facts.unknown)):
            complete, presumed = False, False
            sure = way.presumed or (way.derived != "" and builtins.settled(self, way.derived, x))
            no_more = sure and not stated and way.tellers.isdisjoint(facts.unknown)
        elif (found and way.functional) or (way.derived and builtins.complete(self, way.derived, x)):
            complete, presumed = True, False
        elif found or way.presumed:
            complete, presumed = True, bool(found) or not stated
        elif stated:
            complete, presumed = True, False
        elif not barred and not perhaps:
            return UNTOLD
        else:
            complete, presumed = False, False
        if not found and not barred and not perhaps:
            return NONE[complete, presumed]
        things = self.things
        return Links(
            tuple([things[n] for n in found]), found, complete, presumed, barred, perhaps=perhaps, no_more=no_more
        )

    def how(self, x: Thing, role: str, y: Thing) -> How:
        """How it is known that x is related to y: as it is told, or by what has happened."""
        by = x.tied.get((role, y.name)) if x.tied else None
        return told_by(role) if by is None or by[1] else brought(by[0], y)

    def _astray(
        self, x: Thing, roles: Iterable[str], found: Mapping[str, How], perhaps: dict[str, tuple[Outcome | Step, ...]]
    ) -> None:
        """Adds what may be related to x, for the case says that it is not known to what it is, and nothing has since."""
        for q in roles:
            of = self.vocabulary.properties[q].range
            for y in self.strays.get(q, ()):
                if (
                    y is not x
                    and y.name not in found
                    and not y.facts.links.get(q)
                    and (not of or self.focus(x, of) is not False)
                ):
                    perhaps.setdefault(y.name, ())

    def _open(self, x: Thing, way: Way, found: dict[str, How], perhaps: dict[str, tuple[Outcome | Step, ...]]) -> bool:
        """Moves what something that has happened may have related or parted to what x may be related to."""
        rows = [(to, why) for (q, to), why in x.loose.items() if q in way.below]
        if not self.theory.linking.isdisjoint(way.inverses):
            rows += [
                (y.name, why) for y in self.things.values() for (q, to), why in y.loose.items()
                if to == x.name and q in way.inverses
            ]  # fmt: skip
        for to, why in rows:
            found.pop(to, None)
            perhaps[to] = why
        return bool(rows)

    def _parted(
        self, x: Thing, way: Way, found: dict[str, How], barred: dict[str, ByNorm], perhaps: Mapping[str, object]
    ) -> None:
        """Notes what something that has happened has parted x from."""
        for (q, to), (by, over) in x.tied.items():
            if over and q in way.below and to in self.things and to not in found and to not in perhaps:
                barred.setdefault(to, brought(by, self.things[to]))

    def withheld(self, unknown: tuple[str, ...], name: str) -> bool:
        """Whether one of the words under `unknown` is the relation itself, or one that it is told by: narrower, or the start of a chain."""
        way = self.theory.ways.get(name) or self.theory.way(name)
        return not way.tellers.isdisjoint(unknown)

    def _follow_rules(
        self,
        x: Thing,
        name: str,
        way: Way,
        found: dict[str, How],
        barred: dict[str, ByNorm],
        perhaps: dict[str, tuple[Outcome | Step, ...]],
    ) -> bool:
        """Adds what chains, modules, norms and transitivity relate x to, and what norms bar; True when a norm is open."""
        prop, facts = self.vocabulary.properties[name], x.facts
        unsure = False
        over = x.name in self.done
        for chain, steps in way.chains if way.opens(x.facts, x.back, x.kind.existential) else ():
            if over and not self.vocabulary.moving.isdisjoint(chain):
                continue  # it is over: where those who did it stand now is not where it took place
            now: Sequence[Thing] = (x,)
            for step, inverse in steps:
                if not now:
                    break
                if len(now) == 1 and not inverse:
                    now = (now[0].linked.get(step) or self.reach(now[0], step, False, step)).things
                else:
                    now = [z for y in now for z in self.successors(y, step, inverse).things]
            others = chain in prop.others
            for y in now:
                if others and (y is x or any(z.links.get(name) == () or name in z.unknown for z in (facts, y.facts))):
                    continue  # nor to what is told to be so to nothing, or of which that is not known
                found.setdefault(y.name, Chained(chain))
        for sub in way.chained:
            for y in self.successors(x, sub).things:
                found.setdefault(y.name, Chained((sub,)))
        if prop.derived:
            for y, soft in builtins.related(self, prop.derived, name, x):
                if self.named(y):  # what nobody told is not related to itself
                    found.setdefault(y.name, WorkedOut(prop.derived, soft))
            for y in builtins.undecided(self, prop.derived, x):
                perhaps.setdefault(y.name, ())
                unsure = True
        for norm in self.theory.relations.get(name, ()):
            unsure = self._relate(x, name, norm, found, barred, perhaps) or unsure
        if unsure and barred:  # what is barred is not open
            for other in barred:
                perhaps.pop(other, None)
            unsure = bool(perhaps)
        if prop.transitive:
            queue = list(found)
            while queue:
                for z in self.successors(self.things[queue.pop()], name).things:
                    if z.name not in found and z is not x:
                        found[z.name] = Transitive(name)
                        queue.append(z.name)
        return unsure

    def _relate(
        self,
        x: Thing,
        name: str,
        norm: m.Norm,
        found: dict[str, How],
        barred: dict[str, ByNorm],
        perhaps: dict[str, tuple[Outcome | Step, ...]],
    ) -> bool:
        """Adds (or bars) what a `relates` norm concludes; True when it is open and that may matter."""
        head = norm.head
        assert isinstance(head, m.Relates)
        if x.facts.links.get(name) == ():
            return False  # the case tells that it has none
        symmetric = name in self.vocabulary.properties[name].inverses
        mine = self.focus(x, head.subject) is not False
        if not (mine or symmetric):
            return False
        others = [y for y in self.things.values() if y is not x]
        if symmetric:
            others = [y for y in others if y.facts.links.get(name) != ()]
        pairs: list[tuple[Thing, Thing]] = []
        if mine and others and self.outcome(norm, x).status is not False:
            pairs = [(x, y) for y in others]
        if symmetric:
            pairs += [(y, x) for y in others if self.focus(y, head.subject) is not False]
        if not pairs:
            return False
        unsure = False
        to = evaluator(self.theory, head.to, norm)
        for a, b in pairs:
            other = b if a is x else a
            outcome = self.outcome(norm, a)
            if outcome.status is False:
                continue
            step = to(self, b, outcome.env)
            if step.value is False:
                continue
            if outcome.status is None or step.value is None:
                # What an open norm would add may be missing; what it would only bar, as stated, stands.
                if not (head.negated or other.name in found):
                    unsure = True
                    opens = (step,) if step.value is None else ()
                    perhaps[other.name] = (*perhaps.get(other.name, ()), outcome, *opens)
            elif head.negated:
                if isinstance(found.get(other.name), Stated):
                    continue  # the case has its word, as on what a thing is; kb.reasoner.overruled says so
                found.pop(other.name, None)
                barred[other.name] = ByNorm(outcome, step)
            else:
                found.setdefault(other.name, ByNorm(outcome, step))
        return unsure

    def _imply(self, x: Thing, roles: Iterable[str]) -> Thing | None:
        """A thing that the ontology says must be there (`C SubClassOf p some D`), made up when the case names none."""
        if not self.named(x):
            return None
        for q in roles:
            cls = x.kind.existential.get(q)
            if cls:
                return self.make(x, q, cls)
        return None

    def make(self, x: Thing, role: str, cls: str) -> Thing:
        name = f"{x.name}.{role}"
        if name not in self.things:
            kind = self.theory.kind(frozenset([cls]), frozenset())
            made = Thing.implied(name, f"{x.label}'s {self.vocabulary.properties[role].label}", kind, x, role, (cls,))
            self.things[name] = made
            related(x, role, made)
        return self.things[name]

    def blank(self, x: Thing, role: str) -> Thing:
        """Whatever a role of x leads to, of which the case says nothing: presumed to be as usual, and no more."""
        key = (x.name, role)
        if key not in self.blanks:
            prop = self.vocabulary.properties[role]
            is_, not_ = self.vocabulary.unnamed(role)
            kind = self.theory.kind(frozenset(is_), frozenset(not_))
            plain = not english.verbal(prop)
            label = (
                f"{x.label}'s {prop.label}" if plain else english.role_phrase(self.vocabulary, m.Role(role), x.label)
            )
            self.blanks[key] = Thing.implied(f"{x.name}.{role}", label, kind, x, role, is_, not_)
            self.blanks[key].blank = True
        return self.blanks[key]
