"""Reads what is said of things: where they are, how they are, what they have, how many; and the clauses that tell a fact each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kb.english.lexicon import DEED, FLAG, HOW, KIND, LINK, NUMBER, PHASE
from kb.english.nouns import AT, ENTERED, PLACE, TERRAIN, WEAPON, NounReader
from kb.english.scene import ACT, SIDES, Thing
from kb.english.words import Word, counted
from kb.language import english

BE = ("is", "are", "was", "were", "be", "being", "been", "am")
NOT = ("not", "n't", "never", "isn't", "aren't", "wasn't", "no longer")
HAVE = ("has", "have", "had", "holds", "carries", "possesses", "having")
NTH = ("first", "second", "third", "fourth")
WHICH = ("that", "who", "which")
UNITS = frozenset(["hex", "hexes", "inches", "inch", '"', "″", "mf", "mp", "mm", "points", "movement points"])


class ClauseReader(NounReader):
    """Reads predicates and clauses. denying: what is read is behind a neither."""

    denying = False

    # ── after a noun ──

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it: in the pillbox, not pinned, with 2 MF left, that has moved."""
        while not self.over():
            start = self.i
            if places and self.attempt(lambda: self.where(thing)):
                continue
            if states and (places or self.low() not in (*ENTERED, "outside")) and self.attempt(lambda: self.way(thing)):
                continue
            if any(self.attempt(partial(way, thing)) for way in (self.having, self.of, self.away, self.occupied)):
                continue
            if self.low() in WHICH and self.low(1) and not (self.low() == "that" and self.low(1) in ("it",)):
                self.i += 1
                if self.attempt(lambda: self.verb_phrase(thing)) or self.attempt(lambda: self.done_by(thing)):
                    continue
            self.i = start
            return

    def away(self, thing: Thing) -> bool:
        """Takes how far off a thing is: four hexes away, 20 inches off."""
        start = self.i
        value = counted(self.line[self.i]) if not self.over() else ""
        if not value:
            return False
        self.i += 1
        if self.low() in UNITS and "range" in self.properties:
            self.i += 1
            if self.take("away from it", "away", "off", "distant"):
                thing.far = value
                return True
        self.i = start
        return False

    def occupied(self, thing: Thing) -> bool:
        """Takes by whom a place is held: occupied by an enemy squad."""
        start = self.i
        if not (self.take("occupied by", "held by") and self.scene.below(thing, PLACE)):
            return False
        other = self.noun(verbs_stop=True)
        return other is not None and self.put(other, thing, start)

    def done_by(self, thing: Thing) -> bool:
        """Takes what a thing does: that moves into a minefield. Read where acts are."""
        return False

    def of(self, thing: Thing) -> bool:
        """Takes whose a thing is, or what it is of: the roof of a Command Bunker, an HE Concentration of 105mm OBA."""
        if not self.take("of"):
            return False
        start = self.i
        self.take("hex")
        other = self.noun(verbs_stop=True, states=False)
        if other is None:
            return False
        if other is thing:  # a Barrage of 105mm OBA: the same again
            return self.scene.below(thing, ACT)
        if other.spot:
            return self.put(thing, other, start)
        if self.scene.below(thing, ACT) and self.scene.below(other, ACT) and not self.scene.clash(thing, other.kinds):
            thing.add(k for k in other.kinds if not any(k in self.classes[o].ancestors for o in thing.kinds))
            thing.numbers.update(other.numbers)
            self.scene.things.remove(other)
            return True
        self.belongs(thing, other, start)
        return True

    def way(self, thing: Thing) -> bool:
        """Takes a state of a thing: pinned, not in Good Order, without LOS."""
        start = self.i
        denied = self.take(*NOT) or self.take("without", "with no") or self.denying
        if self.empty(thing, denied):
            return True
        if self.low() in ("in", "within", "at", "on") and any(f.of(KIND, LINK) for f in self.longer()):
            self.i = start
            return False
        found = self.found(HOW)
        if found is None and self.low() in ("with", "in"):
            found, self.i = self.skipped_found()
        sense = found.of(HOW) if found else None
        if found is None or sense is None or not self.fits(thing, sense.name):
            self.i = start
            return False
        self.i += found.length
        self.say(thing, sense.name, denied != found.denied, start)
        return True

    def of_act(self, thing: Thing) -> bool:
        """Takes what is said of a thing but is so of the act: the pillbox was predesignated as the target."""
        act = self.scene.act
        if act is None or self.over() or not thing.kinds or thing is act:
            return False
        meant = self.lexicon.meaning([*(Word(w, 0, 0) for w in self.classes[thing.kinds[0]].label.split()), self.line[self.i]])
        sense = meant.of(HOW) if meant is not None else None
        if sense is None or not self.fits(act, sense.name) or ACT not in self.classes[sense.name].ancestors:
            return False
        start = self.i
        self.i += 1
        self.take("as the target", "as target")
        self.say(act, sense.name, False, start)
        return True

    def moved(self, thing: Thing) -> bool:
        """Takes `moved up to the wire in this turn's Movement Step`: that it has moved, and where and when, which tells no more."""
        start = self.i
        if self.over() or not self.line[self.i].plain.casefold().endswith("ed"):
            return False
        meant = self.lexicon.meaning([Word("has", 0, 0), Word(self.line[self.i].plain, 0, 0)])
        sense = meant.of(HOW) if meant is not None else None
        if sense is None or not self.fits(thing, sense.name):
            return False
        self.i += 1
        self.say(thing, sense.name, False, start)
        while not self.over() and self.attempt(self.aside):
            pass
        return True

    def aside(self) -> bool:
        """Takes where something went to and when, of which no word of the book is left to say."""
        if self.take("this turn"):
            return True
        if self.take("up to"):
            return self.noun(verbs_stop=True, states=False) is not None
        if self.take("in this turn 's", "during this turn 's", "in its", "in the", "in this"):
            found = self.found(KIND)
            sense = found.of(KIND) if found else None
            if found is not None and sense is not None and self.kind(sense.name, PHASE):
                self.i += found.length
                return True
        return False

    def empty(self, thing: Thing, denied: bool) -> bool:
        """Takes that nobody is in a place: empty, unoccupied."""
        if self.low() in ("empty", "unoccupied", "vacant") and not denied and "occupant" in self.properties:
            if self.scene.below(thing, PLACE) and not thing.links.get("occupant"):
                self.i += 1
                thing.links["occupant"] = []
                return True
        return False

    def longer(self):  # type: ignore[no-untyped-def]
        """Whether a longer stretch here is a relation, so that a state that begins alike is not meant."""
        state = self.found(HOW)
        link = self.found(LINK)
        return [link] if link and link.length > (state.length if state else 1) else []

    def skipped_found(self):  # type: ignore[no-untyped-def]
        """A state named behind a preposition: with all-around fields of fire."""
        start = self.i
        self.i += 1
        while self.low() in ("a", "an", "the"):
            self.i += 1
        found = self.found(HOW)
        at = self.i if found else start
        return found, at

    def say(self, thing: Thing, cls: str, denied: bool, start: int) -> None:
        """Says that a thing is of a class, or is not; what is said both ways is stuck on."""
        if denied:
            if self.vocabulary.entails(thing.kinds, cls):
                self.i = start
                raise self.stuck("it is said to be so, and not to be so")
            if cls not in thing.denied:
                thing.denied.append(cls)
        elif cls in thing.denied or self.scene.clash(thing, [cls]):
            self.i = start
            raise self.stuck("it cannot be that as well")
        else:
            thing.add([cls])

    def where(self, thing: Thing) -> bool:
        """Takes where a thing is, or how it stands to another: in the pillbox, outside, adjacent to T5."""
        start = self.i
        link = self.found(LINK)
        if link is not None and (
            link.length > 1 or self.low() not in (*ENTERED, "to", "into", "from", "by", "through", "has", "against")
        ):
            for sense in (s for s in link.senses if s.sort == LINK):
                if sense.name == "exterior" or not self.may_link(thing, sense.name):
                    continue
                self.i = start
                if self.attempt(partial(self.standing, thing, sense.name, link.length)):
                    return True
                if self.attempt(partial(self.opposite, thing, sense.name, link.length)):
                    return True
        self.i = start
        if self.attempt(lambda: self.reach(thing)) or self.attempt(lambda: self.seen(thing)):
            return True
        if self.take("outside of", "outside"):
            inner = None
            if not self.take("it", "them"):
                inner = self.noun(verbs_stop=True, states=False)
            if inner is None:
                inners = [t for t in self.scene.things if self.has_outside(t)]
                if len(inners) != 1:
                    self.i = start
                    return False
                inner = inners[0]
            place = self.outside(inner)
            if place is None:
                self.i = start
                return False
            self.put(thing, place, start)
            return True
        if self.low() in ENTERED and self.low() != "at":
            self.i += 1
            if self.low() in ("there", "it", "them") and self.place_of_talk() is not None:
                self.i += 1
                self.put(thing, self.place_of_talk(), start)  # type: ignore[arg-type]
                return True
            place = self.noun(verbs_stop=True, states=False)
            if place is not None and self.put(thing, place, start):
                return True
        elif self.take("at"):
            place = self.noun(verbs_stop=True, states=False)
            if place is not None and (place.spot or self.scene.below(place, PLACE)) and self.put(thing, place, start):
                return True
        elif self.take("there"):
            place = self.place_of_talk()
            if place is not None and self.put(thing, place, start):
                return True
        self.i = start
        return False

    def reach(self, thing: Thing) -> bool:
        """Takes `within the pillbox's CA`, `outside its CA`: what the ontology calls within the CA of a pillbox."""
        start = self.i
        if self.low() not in ("within", "in", "inside", "outside"):
            return False
        for end in range(start + 1, min(start + 7, len(self.line))):
            meant = self.lexicon.meaning([self.line[start], self.line[end], Word("of", 0, 0)])
            sense = meant.of(LINK) if meant is not None else None
            flag = self.lexicon.meaning([self.line[start], self.line[end]])
            if sense is None and flag is not None and flag.of(FLAG) and end > start + 1 and self.scene.act is not None:
                self.i = start + 1
                if self.owner_before(end, PLACE) is None:
                    return False
                self.i = end + 1
                self.scene.act.flags[flag.of(FLAG).name] = not flag.denied  # type: ignore[union-attr]
                return True
            if sense is None or meant is None or meant.denied:
                continue
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
                thing.link(AT, self.scene.new(["Location" if "Location" in self.classes else PLACE], "place"))
            return self.relate(thing, sense.name, owner)
        return False

    def owner_before(self, end: int, wanted: str) -> Thing | None:
        """Whose something is, told before it: the pillbox's, its; where it is not told, the one thing of the kind."""
        if self.take("its", "his", "their", "the", "that") and self.i == end or self.i == end:
            fit = [t for t in self.scene.things if wanted in self.classes and self.scene.below(t, wanted)]
            return fit[0] if len(fit) == 1 else None
        whole, self.line = self.line, self.line[: end - 1] if self.line[end - 1].low == "'s" else self.line[:end]
        owner = self.noun()
        there = self.over()
        self.line = whole
        return owner if there else None

    def seen(self, thing: Thing) -> bool:
        """Takes `in LOS`, `in LOS of the squad`: that the other party has LOS to it."""
        start = self.i
        if not self.take("in", "within") or self.over():
            return False
        meant = self.lexicon.meaning([Word("has", 0, 0), self.line[self.i], Word("to", 0, 0)])
        sense = meant.of(LINK) if meant is not None else None
        act = self.scene.act
        if sense is None or act is None:
            self.i = start
            return False
        self.i += 1
        if self.take("of", "to"):
            other = self.noun(verbs_stop=True)
        else:
            others = [t for r in ("actor", "target") for t in act.links.get(r, ()) if t is not thing]
            other = others[0] if len(others) == 1 and thing in act.links.get("target", ()) else None
        return other is not None and self.relate(other, sense.name, thing)

    def standing(self, thing: Thing, role: str, length: int) -> bool:
        """Takes what a thing is in a relation to, behind the words for the relation."""
        self.i += length
        other = self.noun(verbs_stop=True)
        return other is not None and self.relate(thing, role, other)

    def opposite(self, thing: Thing, role: str, length: int) -> bool:
        """Takes a relation told without its other end, which is then the other party to the act: in contact."""
        self.i += length
        act = self.scene.act
        if act is None or not (self.over() or self.low() in (",", "and", "but")):
            return False
        parties = [t for r in ("actor", "target") for t in act.links.get(r, ())]
        others = [t for t in parties if t is not thing]
        return thing in parties and len(others) == 1 and self.relate(thing, role, others[0])

    def place_of_talk(self) -> Thing | None:
        """The place that the last thing was said to be in; None before any."""
        places = [t for t in self.scene.things if self.scene.below(t, PLACE)]
        return places[0] if len(places) == 1 else None

    def put(self, thing: Thing, place: Thing, start: int) -> bool:
        """Says that a thing is in a place, or on such terrain. False where that is no place."""
        if place is thing:
            return False
        if self.scene.below(place, TERRAIN):
            if self.scene.below(thing, PLACE) and "terrain" in self.properties and self.cell_like(thing):
                thing.link("terrain", place)
                return True
            hexes = [t for r in (AT, "hex") for t in thing.links.get(r, ())]
            hex_ = hexes[0] if hexes else self.hex_of(thing)
            hex_.link("terrain", place)
            return True
        if not (place.spot or self.scene.below(place, PLACE)):
            return False
        role = AT
        if self.scene.below(thing, ACT):
            role = "place"
        if thing.links.get(role) and place not in thing.links[role]:
            self.i = start
            raise self.stuck("it is said to be in two places")
        thing.link(role, place)
        self.placed.append((thing, role, place))
        return True

    def cell_like(self, thing: Thing) -> bool:
        """Whether a place is ground itself, which has a terrain, and not a work that stands on it."""
        return any(k in thing.kinds for k in ("Hex", "GroundLevel", "Location", "Place"))

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
            else:
                return False
        if self.properties[role].domain == PLACE and not self.scene.below(thing, PLACE) and not thing.spot:
            if not thing.links.get(AT):
                return False
            thing = thing.links[AT][0]
        thing.link(role, other)
        return True

    # ── numbers and possessions ──

    def having(self, thing: Thing) -> bool:
        """Takes what a thing has: with 2 MF left, with a flamethrower, carrying a gun."""
        start = self.i
        if self.take("with", "having", "carrying", "armed with", "manning") and self.has(thing):
            return True
        self.i = start
        return False

    def has(self, thing: Thing) -> bool:
        """Takes numbers, states and weapons that a thing has, one after the other."""
        taken = False
        while True:
            start = self.i
            if self.amount(thing) or self.quality(thing) or self.weapon_had(thing):
                taken = True
                if self.low() in ("and", ",") and not self.over():
                    self.i += 1
                    continue
                return True
            self.i = start - 1 if taken else start
            return taken

    def quality(self, thing: Thing) -> bool:
        """Takes a state that is told as something had: all-around fields of fire, no LOS."""
        start = self.i
        denied = self.take("no")
        while self.take("a", "an", "the"):
            pass
        found = self.found(HOW)
        sense = found.of(HOW) if found else None
        if found is not None and sense is not None and self.fits(thing, sense.name):
            self.i += found.length
            self.say(thing, sense.name, denied != found.denied, start)
            return True
        self.i = start
        return False

    def weapon_had(self, thing: Thing) -> bool:
        """Takes a weapon that a unit has."""
        start = self.i
        if self.low() not in ("no",) and not self.scene.below(thing, ACT) and "possesses" in self.properties:
            other = self.noun(verbs_stop=True)
            if other is not None and self.scene.below(thing, PLACE) and self.scene.below(other, PLACE):
                return self.put(other, thing, start)  # a hex with a bunker
            if other is not None and self.scene.below(other, WEAPON) and not self.scene.below(thing, PLACE):
                thing.link("possesses", other)
                return True
        self.i = start
        return False

    def amount(self, thing: Thing) -> bool:
        """Takes a number: 2 MF left, a firepower of 5, range 14, printed FP 4."""
        start = self.i
        self.take("a", "an", "the", "its", "his")
        value = counted(self.line[self.i]) if not self.over() else ""
        if value:
            self.i += 1
            sense = self.quantity(thing)
            if sense:
                return self.numbered(thing, sense, value, start)
            self.i = start
            return False
        if self.i + 2 < len(self.line) and (value := counted(self.line[self.i + 1])):  # printed 4FP
            parted = self.lexicon.meaning([self.line[self.i], self.line[self.i + 2]])
            named = parted.of(NUMBER) if parted is not None else None
            if named is not None:
                self.i += 3
                return self.numbered(thing, named.name, value, start)
        sense = self.quantity(thing)
        if sense:
            self.take("of", "is", "are", "=", ":", "was")
            value = counted(self.line[self.i]) if not self.over() else ""
            if value:
                self.i += 1
                self.unit(sense)
                return self.numbered(thing, sense, value, start)
        self.i = start
        return False

    def figures(self, thing: Thing) -> bool:
        """Takes numbers told in their order: Strength Factors, left to right: 1, +3, +5."""
        begin = self.i
        end = next((n for n in range(begin, len(self.line)) if self.line[n].sign), len(self.line))
        name = self.line[begin:end]
        found = [self.lexicon.meaning([Word(nth, 0, 0), *singular(name)]) for nth in NTH]
        names = [f.of(NUMBER) for f in found if f is not None]
        self.i = end
        self.take(",")
        self.take("left to right", "from left to right")
        self.take(":")
        if len(names) < 2:
            return False
        for sense in names:
            value = counted(self.line[self.i]) if not self.over() else ""
            if sense is None or not value or not self.numbered(thing, sense.name, value, begin):
                return False
            self.i += 1
            self.take(",")
        return True

    def quantity(self, thing: Thing | None) -> str:
        """Takes the name of a number that a thing may have; "" where none stands here."""
        for found in self.lexicon.all(self.line, self.i, (NUMBER,)) if not self.over() else ():
            for sense in found.senses:
                if thing is None or self.bearer(thing, sense.name) is not None:
                    self.i += found.length
                    return sense.name
        return ""

    def unit(self, name: str) -> None:
        """Takes the unit after a number, where it is that of the quantity."""
        unit = self.properties[name].unit
        if unit and self.low() in (
            unit.casefold(),
            unit.casefold().removesuffix("es"),
            unit.casefold().removesuffix("s"),
        ):
            self.i += 1

    def bearer(self, thing: Thing, name: str) -> Thing | None:
        """Of which thing a number is that is told of one: its own, or, of what does or suffers the act, the act's."""
        domain = self.properties[name].domain
        if domain not in self.classes or self.vocabulary.entails(thing.kinds, domain):
            return thing
        if self.kind(domain, ACT) or domain == ACT:
            if self.scene.below(thing, ACT):
                return None if self.scene.clash(thing, [domain]) else thing
            return None
        if self.scene.below(thing, ACT):
            return None
        return None if self.scene.clash(thing, [domain]) else thing

    def numbered(self, thing: Thing, name: str, value: str, start: int) -> bool:
        """Says a number of a thing."""
        bearer = self.bearer(thing, name)
        if bearer is None or bearer.numbers.get(name, value) != value:
            self.i = start
            return False
        bearer.numbers[name] = value
        return True

    # ── predicates ──

    def verb_phrase(self, thing: Thing) -> bool:
        """Takes a verb and what it says of a thing: is pinned, has 2 MF left, is not in the pillbox, has moved."""
        start = self.i
        if self.attempt(lambda: self.moved(thing)) or self.attempt(lambda: self.had(thing)):  # has moved, does not have LOS: what the ontology has a word for
            return True
        if self.attempt(lambda: self.take(*BE, "has been", "have been", "had been") and self.predicate(thing)):
            return True
        if self.low() in HAVE and self.low(1) != "been" and self.attempt(lambda: self.take(*HAVE) and self.has(thing)):
            return True
        if self.attempt(lambda: self.holding(thing)):
            return True
        self.i = start
        return self.linked(thing)

    def holding(self, thing: Thing) -> bool:
        """Takes who or what is in a place: holds an enemy squad."""
        if not (self.take("holds", "contains", "containing", "holding") and self.scene.below(thing, PLACE)):
            return False
        start = self.i
        other = self.noun(verbs_stop=True)
        return other is not None and self.put(other, thing, start)

    def linked(self, thing: Thing) -> bool:
        """Takes a relation told by a verb: carries a gun, sees the pillbox."""
        start = self.i
        link = self.found(LINK)
        for sense in link.senses if link else ():
            if self.may_link(thing, sense.name):
                self.i = start + link.length  # type: ignore[union-attr]
                other = self.noun(verbs_stop=True)
                if other is not None and self.relate(thing, sense.name, other):
                    return True
        self.i = start
        return False

    def predicate(self, thing: Thing) -> bool:
        """Takes what a thing is said to be: pinned and in the pillbox; not concealed; an enemy squad; outside."""
        taken = False
        neither = self.take("neither")
        while not self.over():
            start = self.i
            self.denying = neither
            ways = (
                self.where,
                self.way, self.amount, self.class_of, self.having, self.had, self.away, self.occupied, self.of_act)
            if not any(self.attempt(partial(way, thing)) for way in ways):
                self.i = start
                break
            taken = True
            if self.low() in (",", "and", "but", "nor", "or"):
                if self.low() == "or" and not neither:
                    break
                self.i += 1
                self.take("and", "but", *BE)
        self.denying = False
        if taken and self.i and self.line[self.i - 1].low in (",", "and", "but"):
            self.i -= 1
        return taken

    def had(self, thing: Thing) -> bool:
        """Takes what a thing has or has not done, in the ontology's words, behind others: pinned, has not shot."""
        found = self.found(HOW)
        sense = found.of(HOW) if found else None
        if (
            found is None
            or sense is None
            or self.low() not in (*HAVE, "did", "does")
            or not self.fits(thing, sense.name)
        ):
            return False
        start = self.i
        self.i += found.length
        self.say(thing, sense.name, found.denied, start)
        return True

    def class_of(self, thing: Thing) -> bool:
        """Takes of what kind a thing is said to be: an enemy, a mortar, a half-squad, not a tank."""
        start = self.i
        denied = self.take(*NOT) or self.denying
        self.take("a", "an", "the", "no")
        kinds: list[str] = []
        while not self.over():
            found = self.found(KIND, HOW, DEED) if not kinds else self.found(KIND)
            sense = (found.of(KIND) or found.of(HOW) or found.of(DEED)) if found else None
            if found is None or sense is None or not (self.fits(thing, sense.name) or (denied and not kinds)):
                break
            kinds.append(sense.name)
            self.i += found.length
            denied = denied != found.denied
        if not kinds or (denied and len(kinds) > 1) or (not thing.kinds and not self.may_be(thing, kinds)):
            self.i = start
            return False
        for name in kinds:
            if denied:
                if not self.scene.clash(thing, [name]):  # a squad, not a mortar: that it is none is known
                    self.say(thing, name, True, start)
            else:
                self.scene.refine(thing, [name])
                if name in SIDES:
                    thing.add([name])
        return True

    def flagged(self, thing: Thing) -> bool:
        """Takes what is so or not of a thing by a flag: started the turn up square against the obstacle."""
        start = self.i
        denied = self.take(*NOT, "no")
        found = self.found(FLAG)
        sense = found.of(FLAG) if found else None
        if found is None or sense is None:
            self.i = start
            return False
        domain = self.properties[sense.name].domain
        bearer = next(
            (
                t
                for t in (self.scene.act, thing)
                if t is not None and (domain not in self.classes or not self.scene.clash(t, [domain]))
            ),
            None,
        )
        if bearer is None:
            self.i = start
            return False
        self.i += found.length
        bearer.flags[sense.name] = denied == found.denied
        self.take("it", "applies")
        if self.attempt(lambda: self.noun() is not None):
            pass
        return True

    def phase_of(self, act: Thing) -> bool:
        """Takes the phase that an act is done in: in the RtPh, before play."""
        start = self.i
        self.take("during", "in", "at", "for")
        self.take("the", "a", "its", "his", "their", "this")
        self.take("friendly", "own")
        found = self.found(KIND)
        sense = found.of(KIND) if found else None
        if found is None and self.low() == "before":
            found = self.found(KIND)
            sense = found.of(KIND) if found else None
        if found is not None and sense is not None and self.kind(sense.name, PHASE):
            self.i += found.length
            if act.links.get("phase") and sense.name not in act.links["phase"][0].kinds:
                self.i = start
                raise self.stuck("the phase is told already, and is another")
            if not act.links.get("phase"):
                act.link("phase", self.scene.new([sense.name], "phase"))
            return True
        self.i = start
        return False


def singular(name: Sequence[Word]) -> list[Word]:
    """Some words with the last in the singular."""
    return [*name[:-1], *(Word(english.singular(w.text), 0, 0) for w in name[-1:])]
