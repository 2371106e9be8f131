"""Reads what is told of several in a row: a group in two Locations, a leader in each, one in the first, another in the second."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kb.english.lexicon import KIND, LINK
from kb.english.references import AT, PLACE
from kb.english.thing import Thing
from kb.english.verbs import VerbReader

ORDINAL = ("first", "second", "third", "fourth")
EACH = ("each", "each of them", "each of these", "each one", "both", "both of them")


class RowReader(VerbReader):
    """Reads rows. The scene keeps the places that were told in a row; gap: what was last said by a verb, to be said of another;
    among: those of whom each is told the same now."""

    gap: tuple[Thing, str, Thing] | None = None
    among: Sequence[Thing] = ()

    def noun(self, verbs_stop: bool = False, states: bool = True, places: bool = True) -> Thing | None:
        """The thing that a noun phrase speaks of: the first, the second, of the places told in a row."""
        row = self.scene.row
        at = ORDINAL.index(self.low(1)) if self.low() == "the" and self.low(1) in ORDINAL else len(row)
        after = self.lexicon.at(self.line, self.i + 2, (KIND,)) if self.i + 2 < len(self.line) else None
        kind = after.of(KIND) if after is not None else None
        if at < len(row) and (kind is None or self.kind(kind.name, PLACE)):
            self.i += 2 + (after.length if after is not None and kind is not None else 0)
            return row[at]
        if self.low() == "the" and self.low(1) in ORDINAL and kind is not None and after is not None:
            several = [[t, *t.fellows] for t in self.scene.things if self.scene.alike(kind.name, t.kinds)]
            of_all = [things for things in several if len(things) > ORDINAL.index(self.low(1)) and len(things) > 1]
            if len(of_all) == 1:
                thing = of_all[0][ORDINAL.index(self.low(1))]
                self.i += 2 + after.length
                self.after(thing, states, places)
                return thing
        return super().noun(verbs_stop, states, places)

    def where(self, thing: Thing) -> bool:
        """Takes `in each`: as many of them as there are places in the row."""
        start = self.i
        if self.scene.row and self.take("in", "at") and self.take(*EACH):
            if self.low() in ("location", "hex", "place"):
                self.i += 1
            things = self.spread(thing, tuple(self.scene.row), each=True)
            for one, place in zip(things or (), self.scene.row, strict=False):
                one.link(AT, place)
            if things:
                self.placed.append((thing, AT, self.scene.row[0]))
            return bool(things)
        self.i = start
        return self.tried(thing, self.in_one, self.in_several) or (super().where(thing))

    def place_kind(self, unlettered: bool = False) -> str:
        """Takes the kind of a place, `Location`; with no letter after it, if so wanted. Without one: ""."""
        found, sense = self.sensed(KIND)
        if found is None or sense is None or not self.kind(sense.name, PLACE):
            return ""
        if unlettered and self.letter(found.length):
            return ""
        self.i += found.length
        return sense.name

    def somebody(self, thing: Thing) -> bool:
        """Whether a thing is a piece that is somewhere by itself, and not with who has it."""
        held = any(thing in one.links.get("possesses", ()) for one in self.scene.things)
        return self.scene.below(thing, "Piece") and not held

    def in_several(self, thing: Thing) -> bool:
        """Takes `in different Locations`, of several: that each is in another one."""
        start, things = self.i, (thing, *thing.fellows)
        if max(thing.count, len(things)) < 2 or not self.take("in"):
            return False
        self.take("two", "three")
        apart = self.take("different", "separate")
        self.take(",", "but", "and")
        beside = self.beside_role()
        self.i += bool(beside)
        kind = self.place_kind(unlettered=True)
        if not kind:
            return False
        denied = False
        if not beside and self.take("that are not", "that are", "which are not", "which are"):
            denied = self.line[self.i - 1].low == "not"
            beside = self.beside_alone()
            if not beside:
                return False
        if not (apart or beside):
            return False
        places = tuple(self.scene.new([kind], "place") for _ in range(max(thing.count, len(things))))
        for one, other in pairwise(places) if beside and not denied else ():
            one.link(beside, other)
        for one in places if denied else ():
            one.links.setdefault(beside, [])
        self.listed = places
        return self.put(thing, places[0], start)

    def beside_alone(self) -> str:
        """Takes `ADJACENT`, `ADJACENT to each other`, of places: the relation in which they stand; "" where none is told."""
        sense = self.taken(LINK)
        if sense is None or sense.name not in self.besides():
            return ""
        self.take("to each other", "to one another")
        return sense.name

    def in_one(self, thing: Thing) -> bool:
        """Takes `in the same Location`, of several: that they are in one; of one, that it is where he is who was told before it."""
        start, several = self.i, [*self.among] if thing in self.among else [thing, *thing.fellows]
        if len(several) > 1 or thing.count > 1:
            group = (
                self.lexicon.at(self.line, self.i + 2, (KIND,))
                if self.low() in ("in", "as", "of") and self.low(1) in ("a", "one")
                else None
            )
            if group is not None and any(self.kind(s.name, "Group") for s in group.senses):
                self.i += 2 + group.length  # two squads in a FG: they are told together anyway
                return True
        if not self.take("in the same", "in one"):
            return False
        kind = self.place_kind()
        if thing in self.among and self.in_one_cell(kind):
            return True
        if thing.count < 2 and len(several) < 2:
            if self.cell(kind):
                return False  # in which place of the hex?
            before = [t for t in self.scene.things if t is not thing and self.somebody(t)]
            several = [thing, *before] if len(before) == 1 and self.low() not in ("as", "with") else []
        if not kind or not several:
            return False
        there = [place for one in several for place in one.links.get(AT, ())]
        place = there[0] if len(several) > 1 and there else self.scene.new([kind], "place")
        return all(self.put(one, place, start) for one in several)

    def in_one_cell(self, kind: str) -> bool:
        """Whether it is known of those who are told to be in one hex: one in a work there, the other outside it, or both in one place."""
        there = [place for one in self.among for place in one.links.get(AT, ())]
        if not (self.cell(kind) and len(there) == len(self.among)):
            return False
        near = [{place, *(p for r in (*self.outsides(), "hex") for p in place.links.get(r, ()))} for place in there]
        return all(one & near[0] for one in near)

    def put(self, thing: Thing, place: Thing, start: int) -> bool:
        """Says where a thing is; a group that is in several places has a member in each."""
        places = self.listed if len(self.listed) > 1 and self.listed[0] is place else self.counted_out(place)
        if len(places) > 1:
            self.scene.row = list(places)
            if self.scene.below(thing, "Group") and "member" in self.properties and not thing.links.get("member"):
                self.listed = ()
                for one in places:
                    member = self.scene.new(["Unit" if "Unit" in self.classes else "Piece"], "member")
                    member.link(AT, one)
                    thing.link("member", member)
                self.placed.append((thing, AT, place))
                return True
            self.listed = tuple(places)
        return super().put(thing, place, start)

    def counted_out(self, place: Thing) -> tuple[Thing, ...]:
        """Two Locations as two; adjacent ones are so to each other."""
        if place.count < 2 or place in self.scene.row:
            return (place,)
        others = [self.scene.new(place.kinds, place.said) for _ in range(place.count - 1)]
        place.count = 1
        for role in [r for r in self.besides() if place in place.links.get(r, ())]:
            place.links[role] = others
            for n, one in enumerate(others[:-1]):
                one.links[role] = others[n + 1 :]
        return (place, *others)

    def linked_back(self, thing: Thing) -> bool:
        """Takes a relation told from its other end; what was said so is kept, to be said of another one without its verb."""
        told = {(t, r) for t in self.scene.things for r, others in t.links.items() if thing in others}
        if not super().linked_back(thing):
            return False
        new = [(t, r) for t in self.scene.things for r, o in t.links.items() if thing in o and (t, r) not in told]
        self.gap = (new[0][0], new[0][1], thing) if len(new) == 1 else None
        return True

    def gapped_verb(self) -> bool:
        """Takes a thing told without a verb, of which the same is said as of the one before: a -2 leader directs in A, a -1 leader in B."""
        if self.gap is None or not self.i or self.line[self.i - 1].low not in (",", "and"):
            return False
        owner, role, before = self.gap
        thing = self.noun(verbs_stop=True) if self.low() in ("a", "an", "another") else None
        if thing is None or not (self.over() or self.line[self.i].sign):
            return False
        if {*before.kinds} != {*thing.kinds} or thing is before or thing in owner.links.get(role, ()):
            return False
        owner.link(role, thing)
        self.scene.pair = [before, thing]
        return True
