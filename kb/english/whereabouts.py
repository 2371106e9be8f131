"""Reads where things are and how they stand to each other: in the pillbox, outside it, within its arc, aboard a vehicle."""

from __future__ import annotations

from functools import partial

from kb.english.lexicon import DETERMINERS, FLAG, KIND, LINK, Found
from kb.english.nouns import ENTERED, OWN
from kb.english.places import PlaceReader
from kb.english.pronouns import BESIDE, PRONOUNS
from kb.english.references import AT, HEX, PLACE, WEAPON
from kb.english.thing import ACT, Thing
from kb.language.english import plural


class WhereReader(PlaceReader):
    """Reads where things are."""

    def where(self, thing: Thing) -> bool:
        """Takes where a thing is, or how it stands to another: in the pillbox, outside, adjacent to T5."""
        start = self.i
        link = self.found(LINK)
        if (
            link is not None
            and not (self.verb_awaited and self.base_verb(link))
            and (
                link.length > 1
                or self.low() not in (*ENTERED - {"behind"}, "to", "into", "from", "by", "through", "has", "against")
            )
        ):
            for sense in (s for s in link.senses if s.sort == LINK):
                self.i = start
                if sense.name in self.besides() and self.attempt(partial(self.beside, thing, sense.name, link.length)):
                    return True
                if sense.name in self.outsides() or not self.may_link(thing, sense.name):
                    continue
                if self.attempt(partial(self.standing, thing, sense.name, link.length)):
                    return True
                if self.attempt(partial(self.opposite, thing, sense.name, link.length)):
                    return True
        self.i = start
        if self.tried(thing, self.beside_main, self.reach, self.seen, self.aboard, self.on_counter):
            return True
        if self.take("in the same hex", "in that hex", "of the same hex", "of that hex") and (
            self.over() or self.low() != "as"
        ):
            outer = [p for t in self.scene.things for r in self.outsides() for p in t.links.get(r, ())]
            if any(place in outer for place in thing.links.get(AT, ())):
                return True  # outside it in the same hex: where else
            told = [t for t in self.scene.things if t is not thing and self.scene.below(t, PLACE)]
            if len(told) == 1 and self.scene.below(thing, PLACE) and not self.scene.below(told[0], HEX):
                return self.put(thing, self.hex_of(told[0]), start)  # the complex in the same hex as the cave
            self.i = start
        if self.take("outside of", "outside"):
            inner = None
            if not self.take("it", "them"):
                inner = self.noun(verbs_stop=True, states=False)
            if inner is None:
                inners = self.works_outside()
                if len(inners) != 1:
                    return self.back_at(start)
                inner = inners[0]
            place = self.ground_outside(inner) if inner is not thing else None
            return self.put(thing, place, start) if place is not None else self.back_at(start)
        if self.low() in ENTERED and self.low() != "at":
            self.i += 1
            if self.low() in ("there", "it", "them") and (there := self.place_of_talk()) is not None:
                outer = [t for t in self.works() if there in t.links.get(self.outside_role(t), ())]
                if self.line[start].low == "inside" and not outer and self.scene.below(there, HEX):
                    # in a hex adjacent to the pillbox, the other inside it
                    outer = self.works() * (len(self.works()) == 1)
                if outer and self.low() != "there":
                    there = outer[0]  # one outside the pillbox, the other inside it
                if there is thing:  # units on top of the pillbox inside it: they, and not the pillbox
                    return self.back_at(start)
                self.i += 1
                self.put(thing, there, start)
                return True
            if self.line[start].low == "inside" and (self.verb_or_end() or self.low() in ("in", "during")):
                works = self.works()
                place = works[0] if len(works) == 1 else None
            else:
                place = self.noun_of_another(thing)
            if place is not None and self.line[start].low == "on" and self.has_outside(place):
                top = self.meant(["on", "top", "of"], LINK)  # on a pillbox is not in it
                return (top is not None and self.relate(thing, top.name, place)) or self.back_at(start)
            if place is not None and self.put(thing, place, start):
                return True
        elif not self.scene.below(thing, WEAPON) and self.take("at"):  # he fires his MG at it
            place = self.noun(verbs_stop=True, states=False)
            if place is not None and (place.spot or self.scene.below(place, PLACE)) and self.put(thing, place, start):
                return True
        elif self.take("there"):
            place = self.place_of_talk()
            if place is not None and self.put(thing, place, start):
                return True
        return self.back_at(start)

    def noun_of_another(self, thing: Thing) -> Thing | None:
        """The thing that a noun phrase speaks of which says something of another: `its` is not that one's, but of whom it is told or asked."""
        his = self.low() in OWN and self.named is thing and self.it not in (None, thing) and AT not in thing.links
        his = his and all(self.scene.below(one, "Piece") for one in (thing, self.it or thing))
        named, self.named = self.named, None if his else self.named
        try:
            return self.noun(verbs_stop=True, states=False)
        finally:
            self.named = named if self.named is None else self.named

    def relation_of(self, thing: Thing) -> bool:
        """Takes `an entrance of the tunnel complex`, of what a thing is said to be: a relation told by its noun."""
        self.take("a", "an", "the", "one")
        link = self.found(LINK)
        self.i += link.length if link is not None else 0
        other = self.noun(verbs_stop=True) if link is not None and self.take("of") else None
        roles = [s.name for s in (link.senses if link is not None else ()) if s.sort == LINK]
        return (
            other is not None
            and other is not thing
            and any(self.may_link(other, role) and self.relate(other, role, thing) for role in roles)
        )

    def told_apart(self, things: list[Thing]) -> list[Thing]:
        """Of several, the one that is where it is told next: the squad in B, the one outside the pillbox."""
        start, mark, placed, there, listed = self.i, self.scene.mark(), list(self.placed), self.scene.there, self.listed
        anybody, said = self.scene.new(things[0].kinds, "anybody"), []
        if self.tried(anybody, self.where):
            said = [place for role in (AT, *self.besides()) for place in anybody.links.get(role, ())]
        self.scene.back(mark)
        self.i, self.placed, self.scene.there, self.listed = start, placed, there, listed
        fit = [t for t in things if said and {*said} <= {p for others in t.links.values() for p in others}]
        return fit if len(fit) == 1 else things

    def on_counter(self, thing: Thing) -> bool:
        """Takes `on a ⅝″ counter`: of the kind that has such a counter."""
        self.take("on a", "on an", "on the")
        found, sense = self.sensed(KIND)
        last = self.low(found.length - 1) if found is not None else ""
        if (
            found is None
            or sense is None
            or found.denied
            or found.length < 2
            or last not in ("counter", "counters", "marker")
        ):
            return False
        if self.kind(sense.name, PLACE) or self.scene.clash(thing, [sense.name]) or self.scene.below(thing, PLACE):
            return False
        self.i += found.length
        thing.add([sense.name])
        return True

    def aboard(self, thing: Thing) -> bool:
        """Takes `on an AFV`, `in a truck`: aboard of what a piece is."""
        if (
            "carriedBy" not in self.properties
            or not self.scene.below(thing, "Piece")
            or not self.take("on", "in", "aboard")
        ):
            return False
        found = self.lexicon.at(self.line, self.i + (self.low() in DETERMINERS), (KIND,)) if not self.over() else None
        if found is None or not any(self.kind(s.name, "Vehicle") for s in found.senses if s.sort == KIND):
            return False
        other = self.noun(verbs_stop=True, places=False)
        return other is not None and self.scene.below(other, "Vehicle") and self.relate(thing, "carriedBy", other)

    def base_verb(self, link: Found) -> bool:
        """Whether a relation is told by a verb: does the trench connect to the house."""
        third = {"have": "has"}.get(self.low(), plural(self.low()))
        return self.meant([third, *self.line[self.i + 1 : self.i + link.length]], LINK) is not None

    def beside_main(self, thing: Thing) -> bool:
        """Takes `adjacent` alone: to him, or to what, the question is about."""
        sense = self.meant([self.line[self.i], "to"], LINK) if not self.over() else None
        main = self.scene.main or self.it
        if sense is None or self.low() not in BESIDE or main is None or main is thing or self.scene.below(main, ACT):
            return False
        self.i += 1
        ends = self.over() or self.low() in (",", "and", "but", "if", "when", "may", "must")
        here = main if self.scene.below(main, PLACE) else self.ground_of(main)
        return ends and self.relate(thing if thing.links.get(AT) else self.placed_somewhere(thing), sense.name, here)

    def reach(self, thing: Thing) -> bool:
        """Takes `within the pillbox's CA`, `outside its CA`: what the ontology calls within the CA of a pillbox."""
        start = self.i
        if self.low() not in ("within", "in", "inside", "outside"):
            return False
        act = self.scene.below(thing, ACT)
        for end in range(start + 1, min(start + 7, len(self.line))):
            meant = self.lexicon.meaning([self.line[start], self.line[end], "of"])
            sense = meant.of(LINK) if meant is not None else None
            flag = self.lexicon.meaning([self.line[start], self.line[end]])
            if sense is None and flag is not None and flag.of(FLAG) and end > start + 1 and self.scene.act is not None:
                self.i = start + 1
                if self.owner_before(end, PLACE) is None:
                    return False
                self.i = end + 1
                self.scene.act.flags[flag.of(FLAG).name] = not flag.denied  # type: ignore[union-attr]
                return True
            if sense is None or meant is None or meant.denied or (act and self.properties[sense.name].domain == PLACE):
                continue  # an act comes from there, or leads there, and is not there
            self.i = start + 1
            owner = self.owner_before(end, self.properties[sense.name].range)
            if owner is None:
                return False
            self.i = end + 1
            if (
                self.properties[sense.name].domain == PLACE
                and not self.scene.below(thing, PLACE)
                and not thing.links.get(AT)
            ):
                self.placed_somewhere(thing)
            return self.relate(thing, sense.name, owner)
        return False

    def owner_before(self, end: int, wanted: str) -> Thing | None:
        """Whose something is, told before it: the pillbox's, its; where it is not told, the one thing of the kind."""
        if (self.take("its", "his", "their", "the", "that") and self.i == end) or self.i == end:
            fit = [t for t in self.scene.things if wanted in self.classes and self.scene.below(t, wanted)]
            return fit[0] if len(fit) == 1 else None
        # of “a hex within the pillbox CA” the arc is the pillbox's, not the hex's
        end -= self.line[end - 1].low == "'s"
        owner: Thing | None = self.until(end, partial(self.noun, states=False, places=False))
        return owner

    def seen(self, thing: Thing) -> bool:
        """Takes `in LOS`, `in LOS of the squad`: that the other party has LOS to it."""
        start = self.i
        if not self.take("in", "within") or self.over():
            return False
        meant = self.lexicon.meaning(["has", self.line[self.i], "to"])
        act = self.scene.act
        if meant is None or meant.of(LINK) is None or act is None:
            return self.back_at(start)
        self.i += 1
        if self.take("of", "to"):
            other = self.noun(verbs_stop=True)
        else:
            others = [t for r in ("actor", "target") for t in act.links.get(r, ()) if t is not thing]
            other = others[0] if len(others) == 1 and thing in act.links.get("target", ()) else None
        for sense in (s for s in meant.senses if s.sort == LINK) if other is not None else ():
            domain = self.properties[sense.name].domain
            anybody = domain not in self.classes or domain == "Thing"
            if (
                other is not None
                and (anybody or self.scene.below(other, domain))
                and (
                    self.relate(other, sense.name, thing)
                    or self.relate(other, sense.name, self.placed_somewhere(thing))
                )
            ):
                return True
        return False

    def beside(self, thing: Thing, role: str, length: int) -> bool:
        """Takes what a piece is adjacent to, where only places are: the place that it is in."""
        if self.may_link(thing, role) or not self.scene.below(thing, "Piece"):
            return False
        if AT not in thing.links:
            self.placed_somewhere(thing)
        return self.standing(thing.links[AT][0], role, length)

    def standing(self, thing: Thing, role: str, length: int) -> bool:
        """Takes what a thing is in a relation to, behind the words for the relation."""
        self.i += length
        start, kinds, said = self.i, list(thing.kinds), thing.said
        doer, wanted, aimed = self.doer, self.wanted, self.aimed
        if thing is not doer:  # the wire next to it: to who does it
            self.doer, self.wanted, self.aimed = None, "", False
        try:
            other = self.noun(verbs_stop=True)
        finally:
            self.doer, self.wanted, self.aimed = doer, wanted, aimed
        # a Location ADJACENT to the pillbox is not the pillbox
        if other is thing and self.line[start].low not in PRONOUNS:
            thing.kinds, thing.said, self.i = kinds, said, start
            other = self.newly(verbs_stop=True)
        return other is not None and other is not thing and self.relate(thing, role, other)

    def opposite(self, thing: Thing, role: str, length: int) -> bool:
        """Takes a relation told without its other end, which is then the other party to the act: in contact."""
        self.i += length
        act, main = self.scene.act, self.scene.main
        if act is None and main is not None and main is not thing and (self.over() or self.low() == ","):
            return self.relate(thing, role, main)
        if act is None or not (self.over() or self.low() in (",", "and", "but")):
            return False
        parties = [t for r in ("actor", "target") for t in act.links.get(r, ())]
        others = [t for t in parties if t is not thing]
        return thing in parties and len(others) == 1 and self.relate(thing, role, others[0])
