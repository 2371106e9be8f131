"""What a property of a thing leads to: stated, by chains and norms, implied, or presumed to be all; for the Judge."""

from __future__ import annotations

from collections.abc import Container, Iterable

from kb.checker.reference_builtins import Derived, Worked
from kb.checker.reference_values import Env, One, Values, both
from kb.language import norms as m
from kb.language.case import Facts
from kb.language.vocabulary import ABSENT, COMPLETE


def none_told(x: One, name: str) -> bool:
    """Whether a case says that a thing is in this relation to nothing."""
    return x.facts.links.get(name) == ()


def kept_apart(x: One, name: str) -> bool:
    """Whether a case says that a thing is in this relation to nothing, or that it is not known to what."""
    return none_told(x, name) or name in x.facts.unknown


class Relations(Derived):
    """What a thing is related to, and whether that is all."""

    def links(self, x: One, role: m.Role) -> Values:
        """What x is related to by a role."""
        return self.successors(x, role.name, role.inverse)

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """What x is related to by a property, or (inverse) what is so related to x."""
        work = self._inverse if inverse else self._successors
        return self.once(("to", x.name, name, inverse), Values(), lambda: work(x, name))  # type: ignore[no-any-return]

    def _inverse(self, x: One, name: str) -> Values:
        """Everything that `name` leads from to x; a case is taken to name all that matter."""
        reached = [(y, self.successors(y, name)) for y in list(self.things.values())]
        things = [y for y, values in reached if x in values.things]
        perhaps = frozenset(y.name for y, values in reached if x.name in values.perhaps and y is not x)
        prop = self.vocabulary.properties[name]
        perhaps |= self.astray(x, prop.below, {y.name for y in things})
        lost = not x.facts.one_sided and bool(set(prop.inverses).intersection(x.facts.unknown))
        whole = not (perhaps or lost) and self.presumes(x, name)
        return Values(things, whole, whole, perhaps=perhaps)

    def _successors(self, x: One, name: str, onwards: bool = True) -> Values:
        prop = self.vocabulary.properties[name]
        found: dict[str, None] = {}
        stated = False
        for q in prop.below:
            if q in x.facts.links:
                stated = stated or q == name or bool(x.facts.links[q])
                found.update(dict.fromkeys(x.facts.links[q]))
        inverses = [q for q in prop.inverses if (q, x.name) in self.pointed]
        for y in self.things.values() if inverses else ():
            if any(x.name in y.facts.links.get(q, ()) for q in inverses):
                found[y.name] = None
        told = frozenset(found)
        astray = self.astray(x, prop.inverses, told)
        doubted = {to for q in prop.below for to in self.loose.get((x.name, q), ())}
        doubted |= {who for (who, q), ends in self.loose.items() if q in prop.inverses and x.name in ends}
        for other in doubted:  # what has happened may have related them, or parted them
            found.pop(other, None)
        made = x.made
        if made is not None and made[1] in prop.inverses:
            found[made[0].name] = None
        for chain, steps, others in self.index.chains(name):
            if x.name in self.done and not self.vocabulary.moving.isdisjoint(chain):
                continue  # it is over: where those who did it stand now is not where it took place
            ends = [x]
            for step, inverse in steps:
                ends = [z for y in ends for z in self.successors(y, step, inverse).things]
            if others:  # to others; and to none that is told to be so to nothing, or of which it is not known
                ends = [y for y in ends if y is not x and not (kept_apart(x, name) or kept_apart(y, name))]
            found.update((y.name, None) for y in ends)
        worked = self.derived_links(x, name) if prop.derived else Worked(complete=False)
        found.update((y.name, None) for y in worked.things)
        barred: set[str] = set()
        perhaps = {y.name for y in worked.may} | doubted | astray
        for norm, head in self.index.relating_to(name):
            self.relate(x, name, norm, head, found, barred, perhaps, told)
        perhaps -= barred
        parted = {
            to for (who, q, to), t in self.linked.items() if who == x.name and q in prop.below and t.norm.head.ends
        }
        barred |= {to for to in parted if to in self.things and to not in found and to not in perhaps}
        settled = prop.functional and not doubted and any(x.facts.links.get(q) for q in prop.below)
        if settled:
            perhaps.clear()  # it has its one value
        unsure = bool(perhaps)
        if prop.transitive and onwards:
            queue = list(found)
            while queue:
                for z in self._successors(self.things[queue.pop()], name, False).things:
                    if z.name not in found and z is not x:
                        found[z.name] = None
                        queue.append(z.name)
        if not found and not stated:
            found.update((y.name, None) for y in [self.implied(x, name)] if y is not None)
        withdrawn = self.withheld(x, name) and not settled  # what was not known of it at first is so since an event
        if withdrawn or unsure:
            complete = presumed = False
        elif (prop.functional and found) or (stated and not found):
            complete, presumed = True, False
        else:
            complete = bool(found) or worked.complete or prop.when_unstated in (COMPLETE, ABSENT)
            presumed = complete and not worked.complete
        untold = not (found or barred or complete or withdrawn or unsure)
        if presumed and not self.presumes(x, name):
            complete = presumed = False
        sure = prop.when_unstated in (COMPLETE, ABSENT) or worked.settled
        no_more = unsure and not withdrawn and not stated and sure and self.presumes(x, name)
        things = [self.things[n] for n in found]
        return Values(things, complete, presumed, frozenset(barred), untold, frozenset(perhaps), no_more)

    def astray(self, x: One, roles: Iterable[str], found: Container[str]) -> set[str]:
        """What may be related to x: of which the case says that it is not known to what it is, and nothing that has happened says more."""
        ranges = {q: self.vocabulary.properties[q].range for q in roles}
        return {
            y.name for y in self.things.values() for q, of in ranges.items()
            if q in y.facts.unknown and not y.facts.one_sided and not y.facts.links.get(q) and y is not x
            and y.name not in found and (not of or self.speaks(x, of))
        }  # fmt: skip

    def withheld(self, x: One, name: str) -> bool:
        """Whether the case says that what a property of x leads to is not known, or where a chain that tells it starts, or
        what a rule hands on to it."""
        below = self.vocabulary.properties[name].below
        starts = {chain[0] for q in below for chain in self.vocabulary.properties[q].chains}
        for _, head in self.index.relating_to(name):
            parts = head.to.parts if isinstance(head.to, m.And) else (head.to,)
            of_it = (part for part in parts if isinstance(part, m.HasValue) and part.target == m.Path("this", ()))
            starts |= {part.role.name for part in of_it if part.role.inverse and not head.negated}
        return not starts.union(below).isdisjoint(x.facts.unknown)

    def blank(self, x: One, name: str) -> One:
        """Whatever a property of x leads to, of which nothing is told: of its range, and as usual."""
        facts = Facts(f"{x.name}.{name}", *self.vocabulary.unnamed(name))
        return self.once(("blank", x.name, name), None, lambda: self.one(facts.name, facts))  # type: ignore[no-any-return]

    def nothing_such(self, x: One, role: m.Role, filler: m.Condition, links: Values, env: Env) -> bool:
        """Whether nothing is told of a relation of x, and the filler asks for what anything is presumed not to be."""
        untold = links.untold and self.things.get(x.name) is x
        return untold and self.holds(filler, self.blank(x, role.name), env) is False

    def relate(
        self,
        x: One,
        name: str,
        norm: m.Norm,
        head: m.Relates,
        found: dict[str, None],
        barred: set[str],
        perhaps: set[str],
        told: frozenset[str],
    ) -> None:
        """Adds or bars what one `relates` norm says of x; or notes what it may add, where that is open. told: what is stated, and stands."""
        others = [y for y in list(self.things.values()) if y is not x]
        pairs = [(x, others)] if self.status(norm, x) is not False else []
        if name in self.vocabulary.properties[name].inverses:
            pairs = [(x, [y for y in ends if not none_told(y, name)]) for _, ends in pairs]
            pairs += [(y, [x]) for y in others if not none_told(y, name)]
        if none_told(x, name):
            pairs = []  # the case has its word
        for a, ends in pairs:
            for b in ends:
                other = b if a is x else a
                for status, env in self.applies(norm, a):
                    value = both((status, self.holds(head.to, b, env))) if status is not False else False
                    if value is None:
                        if not (head.negated or other.name in found):
                            perhaps.add(other.name)
                    elif value and head.negated and other.name in told:
                        continue
                    elif value and head.negated:
                        found.pop(other.name, None)
                        barred.add(other.name)
                    elif value:
                        found[other.name] = None

    def implied(self, x: One, name: str) -> One | None:
        """The value that an axiom `C SubClassOf p some D` implies, made up when the case names none."""
        classes = self.vocabulary.classes
        for q in self.vocabulary.properties[name].below:
            fillers = {d for c in x.types for p, d in classes[c].existential if p == q}
            narrowest = [d for d in sorted(fillers) if not any(o != d and d in classes[o].ancestors for o in fillers)]
            if narrowest and self.things.get(x.name) is x:
                made = f"{x.name}.{q}"
                if made not in self.things:
                    self.things[made] = self.one(made, Facts(made, (narrowest[0],)))
                    self.things[made].made = (x, q, narrowest[0])
                return self.things[made]
        return None
