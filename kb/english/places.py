"""Reads where things are and how they stand to each other: in the pillbox, outside it, within its arc, four hexes away."""

from __future__ import annotations

from kb.english.lexicon import BACK, LINK
from kb.english.nouns import NounReader
from kb.english.references import AT, HEX, PLACE, TERRAIN
from kb.english.thing import ACT, Thing

UNITS = frozenset(["hex", "hexes", "inches", "inch", '"', "″", "mf", "mp", "mm", "points", "movement points"])


class PlaceReader(NounReader):
    """Reads places and relations."""

    def noun(self, verbs_stop: bool = False, states: bool = True, places: bool = True) -> Thing | None:
        """The thing that a noun phrase speaks of; the contents of a place are whoever is there."""
        start = self.i
        inside = self.low() == "the" and self.attempt(self.occupants_of)
        thing = super().noun(verbs_stop, states and not inside, places and not inside)
        if not inside:
            return thing
        anybody = self.scene.new(["Unit" if "Unit" in self.classes else "Piece"], "contents")
        if thing is None or not self.put(anybody, thing, start):
            raise self.stuck()
        return anybody

    def occupants_of(self) -> bool:
        """Takes `the occupants of`, before a place."""
        link = self.found(LINK) if self.take("the") else None
        self.i += link.length if link is not None else 0
        return link is not None and link.senses[0].name == "occupant" and self.take("of")

    def works(self) -> list[Thing]:
        """The works spoken of: what has an outside; in a book without outsides, what is a place."""
        places = [t for t in self.scene.things if self.scene.below(t, PLACE)]
        return [t for t in places if self.has_outside(t) or not (self.outsides() or self.cell_like(t))]

    def ground_of(self, thing: Thing) -> Thing:
        """The place where a thing is."""
        return thing.links[AT][0] if thing.links.get(AT) else self.hex_of(thing)

    def placed_somewhere(self, thing: Thing) -> Thing:
        """A thing that is now somewhere, be it not told where."""
        if not self.scene.below(thing, PLACE):
            thing.link(AT, self.scene.new(["Location" if "Location" in self.classes else PLACE], "place"))
        return thing

    def place_of_talk(self) -> Thing | None:
        """The place that the last thing was said to be in; None before any."""
        if self.scene.there is not None and self.scene.there in self.scene.things:
            return self.scene.there
        places = [t for t in self.scene.things if self.scene.below(t, PLACE)]
        return places[0] if len(places) == 1 else None

    def put(self, thing: Thing, place: Thing, start: int) -> bool:
        """Says that a thing is in a place, or on such terrain. False where that is no place; of several places, each of those told
        together is in one."""
        if len(self.listed) > 1 and self.listed[0] is place:
            places, self.listed = self.listed, ()
            things = self.spread(thing, places)
            return things is not None and all(self.put(t, p, start) for t, p in zip(things, places, strict=True))
        if place is thing:
            return False
        if self.scene.below(place, TERRAIN):
            if self.scene.below(thing, PLACE) and "terrain" in self.properties and self.cell_like(thing):
                thing.link("terrain", place)
                return True
            hexes = [t for r in (AT, "hex") for t in thing.links.get(r, ())]
            hex_ = hexes[0] if hexes else self.hex_of(thing)
            hex_.link("terrain", place)
            hex_.numbers.update(place.numbers)  # woods whose cover modifier is +1: that of the hex
            place.numbers.clear()
            return True
        if not (place.spot or self.scene.below(place, PLACE)):
            return False
        role = AT
        if self.scene.below(thing, ACT):
            role = "place"
        there = thing.links.get(role, [])
        if len(there) == 1 and any(
            place in t.links.get(r, ()) and there[0] in t.links.get("hex", ())
            for t in self.scene.things
            for r in self.outsides()
        ):
            thing.links[role] = []  # in the pillbox's hex, outside it: told more exactly
        if len(there) == 1 and any(
            there[0] in t.links.get(r, ()) and place in t.links.get("hex", ())
            for t in self.scene.things
            for r in self.outsides()
        ):
            return True  # outside the pillbox, in its hex: told less exactly
        outer = [p for t in self.scene.things for r in self.outsides() for p in t.links.get(r, ())]
        if len(there) == 1 and there[0] in outer and self.scene.below(place, HEX):
            thing.links[role] = []  # outside the pillbox, and in another hex
        if thing.links.get(role) and place not in thing.links[role]:
            self.i = start
            raise self.stuck("it is said to be in two places")
        thing.link(role, place)
        self.scene.there = place
        self.placed.append((thing, role, place))
        main = self.scene.main
        if place.another and main not in (None, thing) and self.scene.below(main, "Piece") and not main.links.get(AT):
            self.placed_somewhere(main)  # a squad in another Location than his
        return True

    def cell_like(self, thing: Thing) -> bool:
        """Whether a place is ground itself, which has a terrain, and not a work that stands on it."""
        return any(k in thing.kinds for k in (HEX, self.ground(), "Location", PLACE))

    def may_link(self, thing: Thing, role: str) -> bool:
        """Whether a relation may be said of a thing."""
        domain = self.properties[role].domain
        if domain in self.classes and domain == ACT:
            return self.scene.below(thing, ACT)
        return not (domain in self.classes and self.scene.clash(thing, [domain])) and not (
            self.scene.below(thing, ACT) and domain in self.classes and domain != ACT and not self.kind(domain, ACT)
        )

    def relate(self, thing: Thing, role: str, other: Thing) -> bool:
        """Relates two things, where the ontology lets the relation lead to such a thing."""
        wanted = self.properties[role].range
        if wanted in self.classes and (
            self.scene.clash(other, [wanted]) or (self.kind(wanted, ACT) != self.scene.below(other, ACT))
        ):
            if self.kind(wanted, PLACE) and other.links.get(AT):
                other = other.links[AT][0]
            elif role in self.besides() and self.scene.below(other, "Piece"):
                other = self.placed_somewhere(other).links[AT][0]
            elif role in self.besides() and self.has_outside(other):
                other = self.outside(other) or other  # adjacent to a pillbox: to the ground around it
            else:
                return False
        if self.properties[role].domain == PLACE and not self.scene.below(thing, PLACE) and not thing.spot:
            if role in self.besides() and self.scene.below(thing, "Piece") and AT not in thing.links:
                self.placed_somewhere(thing)
            if not thing.links.get(AT):
                return False
            thing = thing.links[AT][0]
        if thing is other:
            return False  # the squad in a pillbox that has LOS into its arc: nothing is within its own
        thing.link(role, other)
        return True

    def away(self, thing: Thing, *silent: str) -> bool:
        """Takes how far off a thing is: four hexes away, 20 inches off; silent: whether that may go without saying."""
        start = self.i
        value = self.number()
        if not value:
            return False
        if self.low() in UNITS and "range" in self.properties:
            self.i += 1
            if self.take("away from it", "off", "distant") or (self.low(1) != "from" and self.take("away")) or silent:
                thing.far = value
                return True
            if (
                self.take("from", "away from")
                and (other := self.noun(verbs_stop=True)) is not None
                and other is not thing
            ):
                thing.far, thing.off = value, other
                return True
        return self.back_at(start)

    def linked(self, thing: Thing) -> bool:
        """Takes a relation told by a verb: carries a gun, sees the pillbox."""
        start = self.i
        link = self.found(LINK)
        for sense in link.senses if link else ():
            thing = self.it_of(thing, self.properties[sense.name].domain)
            if self.may_link(thing, sense.name):
                self.i = start + link.length  # type: ignore[union-attr]
                other = self.noun(verbs_stop=True)
                if other is not None and self.relate(thing, sense.name, other):
                    self.take("from outside")  # what is entered is entered from outside
                    return True
        self.i = start
        return self.tried(thing, self.linked_back)

    def it_of(self, thing: Thing, kind: str) -> Thing:
        """What a pronoun means before a verb that is said of a kind of thing: the one of that kind that is spoken of."""
        it = (
            self.i > 0
            and self.line[self.i - 1].low == "it"
            and kind in self.classes
            and not (kind == ACT or self.kind(kind, ACT) or self.scene.below(thing, kind))
        )
        fit = [t for t in self.scene.things if self.scene.below(t, kind)] if it else []
        return fit[0] if len(fit) == 1 else thing

    def linked_back(self, thing: Thing) -> bool:
        """Takes a relation told from its other end: a leader directs the attack, two teams assault the Bunker."""
        back = self.found(BACK)
        if back is None:
            return False
        self.i += back.length
        told = self.noun(verbs_stop=True) if not (self.over() or self.line[self.i].sign) else None
        for sense in back.senses:
            other = told or self.scene.act
            wanted = self.properties[sense.name].range
            fit = wanted not in self.classes or not self.scene.clash(thing, [wanted])
            if other is not None and fit and self.may_link(other, sense.name) and other is not thing:
                if other is self.scene.act and thing in [t for o in other.links.values() for t in o]:
                    return False
                if self.relate(other, sense.name, thing):
                    return True
        return False
