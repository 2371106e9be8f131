"""What a property of a thing leads to, in all lanes at once: stated, by chains and norms, implied, or presumed to be all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.circuit.known import LINKS
from kb.circuit.seen import Seeing
from kb.circuit.values import Form, Links, One, Parts, put, union
from kb.language import norms as m
from kb.language.case import Facts
from kb.language.vocabulary import PropertyTerm
from kb.reasoner import builtins
from kb.rulebook.theory import Way


class Relations(Seeing):
    """What a thing is related to, and whether that is all."""

    def successors(self, x: One, name: str, at: int, inverse: bool = False) -> Links:
        """What x is related to by a property, or (inverse) what is so related to x."""
        known = self.memo.get(("to", x, name, inverse))
        if known is not None and not at & ~known[0]:
            self.leant |= known[2]
            return known[1]  # type: ignore[no-any-return]
        work = self._inverse if inverse else self._successors
        return self.once(LINKS, ("to", x, name, inverse), at, lambda lanes: work(x, name, lanes))  # type: ignore[no-any-return]

    def _inverse(self, x: One, name: str, at: int) -> Links:
        """Everything that a property leads from to x; a case is taken to name all that matter."""
        prop = self.vocabulary.properties[name]
        found: Parts[One] = {}
        perhaps: Parts[str] = {}
        if self.way(name).indirect:
            for y in list(self.things.values()):
                lanes = at & y.here
                if lanes:
                    links = self.successors(y, name, lanes)
                    put(found, y, lanes & links.things.get(x, 0))
                    if y is not x:
                        put(perhaps, y.name, lanes & links.perhaps.get(x.name, 0))
        else:
            for role, others in self.back.get(x, {}).items():
                if role in prop.below:
                    for y, lanes in others.items():
                        put(found, y, lanes & at)
            self.stated(x, prop.inverses, found, at)
        self.astray(x, prop.below, found, perhaps, at)
        whole = at & ~(union(perhaps.values()) | self.lost_ends(x, prop.inverses)) if self.presumes else 0
        return Links(found, whole, whole, perhaps=perhaps)

    def astray(self, x: One, roles: Iterable[str], found: Parts[One], perhaps: Parts[str], at: int) -> None:
        """Adds what may be related to x: of which a case says that it is not known to what it is."""
        for y in self.things.values() if at & self.words else ():
            for q in roles:
                lanes = at & self.lost_ends(y, (q,)) & ~(self.tells(y, q) | found.get(y, 0))
                if lanes and y is not x:
                    of = self.vocabulary.properties[q].range
                    put(perhaps, y.name, lanes & (self.speaks(x, of) if of else lanes))

    def lost_ends(self, x: One, names: tuple[str, ...]) -> int:
        """The lanes that say of one of some relations that it is not known to what it leads."""
        return x.unsure and x.where(("lost", names), lambda form: not form.facts.one_sided and any(
            name in form.facts.unknown for name in names
        ))  # fmt: skip

    def tells(self, x: One, name: str) -> int:
        """The lanes that tell to what x is related."""
        return x.told(name) & ~x.alone(name)

    def way(self, name: str) -> Way:
        """How the values of a property are found."""
        return self.theory.ways.get(name) or self.theory.way(name)

    def stated(self, x: One, roles: Any, found: Parts[One], at: int) -> int:
        """Adds what is stated of some relations of a thing; the lanes in which something is."""
        something = 0
        for role, ways in x.links.items():
            for ends, lanes in ways.items() if role in roles else ():
                lanes &= at
                for name in ends if lanes else ():
                    something |= lanes
                    put(found, self.things[name], lanes)
        return something

    def _successors(self, x: One, name: str, at: int) -> Links:
        prop, way = self.vocabulary.properties[name], self.way(name)
        found: Parts[One] = {}
        barred: Parts[str] = {}
        perhaps: Parts[str] = {}
        something = self.stated(x, prop.below, found, at)
        said = something | at & x.told(name)
        for role, others in self.back.get(x, {}).items():
            if role in prop.inverses:
                for y, lanes in others.items():
                    put(found, y, lanes & at)
        settled = worked_out = 0
        self.astray(x, prop.inverses, found, perhaps, at & ~something if prop.functional else at)
        if way.indirect:
            told = dict(found)
            self.chained(x, prop, found, at)
            if prop.derived:
                settled, worked_out = self.derived(x, prop, found, perhaps, at)
            for norm in self.theory.relations.get(name, ()):
                self.relate(x, name, norm, found, barred, perhaps, told, at)
            for other, lanes in barred.items():
                if other in perhaps:
                    perhaps[other] &= ~lanes
            if prop.functional and something:  # it has its one value
                perhaps = {other: lanes & ~something for other, lanes in perhaps.items()}
            perhaps = {other: lanes for other, lanes in perhaps.items() if lanes}
            if prop.transitive:
                self.onwards(x, name, found)
        has, unsure = union(found.values()), union(perhaps.values())
        made = self.implied(x, prop, at & ~(has | said))
        for y, lanes in made.items():
            put(found, y, lanes)
            has |= lanes
        withdrawn = at & x.unknown(way.tellers)
        if prop.functional:  # what was not known of it at first is so since an event
            withdrawn &= ~something
        clear = at & ~(withdrawn | unsure)
        one = clear & has if prop.functional else 0
        none = clear & said & ~has
        rest = clear & ~(one | none)
        usual = at if way.presumed else 0
        presumed = rest & (has | usual) & ~worked_out
        complete = one | none | rest & (has | usual | worked_out)
        untold = at & ~(has | union(barred.values()) | complete | withdrawn | unsure)
        no_more = unsure & ~withdrawn & ~said & (usual | settled)
        if not self.presumes:
            complete, untold, presumed, no_more = complete & ~presumed & ~no_more, untold & ~no_more, 0, 0
        return Links(found, complete, presumed, barred, untold, perhaps, no_more)

    def chained(self, x: One, prop: PropertyTerm, found: Parts[One], at: int) -> None:
        """Adds what chains lead to."""
        for q in (prop.name, *(b for b in prop.below if b != prop.name)):
            term = self.vocabulary.properties[q]
            for chain in term.chains:
                if x.name in self.done and not self.vocabulary.moving.isdisjoint(chain):
                    continue  # it is over: where those who did it stand now is not where it took place
                ends: Parts[One] = {x: at}
                for step in chain:
                    after: Parts[One] = {}
                    for y, lanes in ends.items():
                        way, back = step.removeprefix("inverse "), step.startswith("inverse ")
                        links = self.successors(y, way, lanes, back)
                        for z, others in links.things.items():
                            put(after, z, lanes & others)
                    ends = after
                for y, lanes in ends.items():
                    if chain in term.others:  # to others; and to none that is told to be so to nothing
                        lanes = 0 if y is x else lanes & ~(apart(x, prop.name) | apart(y, prop.name))
                    put(found, y, lanes)

    def derived(self, x: One, prop: PropertyTerm, found: Parts[One], perhaps: Parts[str], at: int) -> tuple[int, int]:
        """Adds what a built-in relates x to, and what it may; the lanes in which it knows of all others, and of everything."""
        by, name = prop.derived, prop.name
        rows = self.seen(at & x.here, lambda view: (
            tuple(y.one for y, _ in builtins.related(view, by, name, view.of(x))),  # type: ignore[arg-type, attr-defined]
            tuple(y.name for y in builtins.undecided(view, by, view.of(x))),  # type: ignore[arg-type]
            builtins.settled(view, by, view.of(x)), builtins.complete(view, by, view.of(x)),  # type: ignore[arg-type]
        ))  # fmt: skip
        settled = complete = 0
        for (related, undecided, knows, all_), lanes in rows.items():
            for y in related:
                put(found, y, lanes)
            for other in undecided:
                put(perhaps, other, lanes)
            settled, complete = settled | (lanes if knows else 0), complete | (lanes if all_ else 0)
        return settled, complete

    def relate(
        self, x: One, name: str, norm: m.Norm, found: Parts[One], barred: Parts[str], perhaps: Parts[str],
        told: Parts[One], at: int,
    ) -> None:  # fmt: skip
        """Adds or bars what one `relates` norm says of x; or notes what it may add, where that is open. told: what is stated, and stands."""
        head = norm.head
        assert isinstance(head, m.Relates)
        subject, everything = head.subject, list(self.things.values())
        pairs: list[tuple[One, One, int]] = []
        symmetric = name in self.vocabulary.properties[name].inverses
        at &= ~x.alone(name)  # the case has its word
        mine = at & self.speaks(x, subject)
        if mine and mine & ~self.status(norm, x, mine)[1]:
            pairs = [(x, y, mine & y.here & ~(y.alone(name) if symmetric else 0)) for y in everything if y is not x]
        if symmetric and at:
            for y in everything:
                if y is not x and (lanes := at & self.speaks(y, subject)):
                    pairs.append((y, x, lanes & ~y.alone(name)))
        for a, b, both in pairs:
            if not both or (a is not x and not both & ~self.status(norm, a, both)[1]):
                continue
            other = b if a is x else a
            for t, f, env in self.applies(norm, a, both):
                lanes = both & ~f
                if not lanes:
                    continue
                u, g = self.holds(head.to, b, env, lanes)
                so, maybe = t & u & lanes, lanes & ~g & ~(t & u)
                if head.negated:
                    so &= ~told.get(other, 0)
                    if other in found:
                        found[other] &= ~so
                    put(barred, other.name, so)
                else:
                    put(perhaps, other.name, maybe & ~found.get(other, 0))
                    put(found, other, so)

    def onwards(self, x: One, name: str, found: Parts[One]) -> None:
        """Adds what a transitive property leads on to."""
        queue = list(found.items())
        while queue:
            y, lanes = queue.pop()
            for z, others in self.successors(y, name, lanes).things.items():
                new = lanes & others & ~found.get(z, 0)
                if z is not x and new:
                    put(found, z, new)
                    queue.append((z, new))

    def implied(self, x: One, prop: PropertyTerm, lanes: int) -> Parts[One]:
        """The value that an axiom `C SubClassOf p some D` implies, made up where the case names none."""
        found: Parts[One] = {}
        if x.blank or not lanes:
            return found
        for kind, some in x.kinds:
            some &= lanes
            role = next((q for q in prop.below if q in kind.existential), None) if some and kind.existential else None
            if role is not None:
                y = self.make(x, role, kind.existential[role], some)
                put(found, y, some)
        return found

    def make(self, x: One, role: str, cls: str, lanes: int) -> One:
        """What must be there, though nobody names it."""
        name = f"{x.name}.{role}"
        y = self.things.get(name)
        if y is None:
            y = self.things[name] = One(name, [], made=(x, role))
        new = lanes & ~y.here
        if new:
            y.forms.append(Form(Facts(name, (cls,)), self.theory.kind_of((cls,), ()), new))
            y.gather()
            self.related(x, role, y, new)
        return y


def apart(x: One, name: str) -> int:
    """The lanes that say of a thing that it is in a relation to nothing, or that it is not known to what."""
    return x.unknown((name,)) | x.alone(name)
