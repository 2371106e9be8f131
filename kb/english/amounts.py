"""Reads numbers and what a thing has: 2 MF left, a firepower of 5, Strength Factors in their order, a flamethrower."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kb.english.joint import counted_before
from kb.english.lexicon import DETERMINERS, HOW, KIND, LINK, NUMBER
from kb.english.places import UNITS
from kb.english.references import PLACE, TERRAIN, WEAPON
from kb.english.thing import ACT, Thing
from kb.english.whereabouts import WhereReader
from kb.english.words import Word, counted
from kb.language import english

OF_ALL = ("for both", "for all", "for each", "for both of them", "for all of them")
POINTS = ("movement points", "movement point", "mf", "mp", "movement factors")
WITHOUT = ("without a", "without an", "without any", "without", "with no")
NTH = ("first", "second", "third", "fourth")
EXTENTS = {"long": "length", "wide": "width", "high": "height", "tall": "height", "deep": "depth"}


class AmountReader(WhereReader):
    """Reads numbers and possessions."""

    def having(self, thing: Thing) -> bool:
        """Takes what a thing has: with 2 MF left, with a flamethrower, carrying a gun."""
        start = self.i
        if self.take("with", "having", "carrying", "armed with", "manning") and self.has(thing):
            return True
        return self.back_at(start)

    def has(self, thing: Thing) -> bool:
        """Takes numbers, states and weapons that a thing has, one after the other."""
        taken = False
        while True:
            start = self.i
            ways = (self.figures, self.amount, self.quality, self.view, self.weapon_had, self.lacking, self.points_left)
            if self.tried(thing, *ways):
                taken = True
                if self.low() in ("and", ",") and not self.over():
                    self.i += 1
                    continue
                return True
            self.i = start - 1 if taken else start
            return taken

    def occupied(self, thing: Thing) -> bool:
        """Takes by whom a place is held: occupied by an enemy squad."""
        start = self.i
        if not (self.take("occupied by", "held by") and self.scene.below(thing, PLACE)):
            return False
        other = self.noun(verbs_stop=True)
        return other is not None and self.put(other, thing, start)

    def holding(self, thing: Thing) -> bool:
        """Takes who or what is in a place: holds an enemy squad."""
        if not self.take("holds", "contains", "containing", "holding"):
            return False
        if not self.scene.below(thing, PLACE) and self.line[self.i - 2].low == "it":  # the one place that is spoken of
            places = [t for t in self.scene.things if self.scene.below(t, PLACE)]
            thing = places[0] if len(places) == 1 else thing
        if not self.scene.below(thing, PLACE):
            return False
        if self.low() == "no":
            return self.lacking(thing)
        while True:
            start, known = self.i, [*self.scene.things]
            one_more = start > 0 and self.line[start - 1].low == "and" and self.low() in ("a", "an", "another")
            other = self.newly(verbs_stop=True, anew=one_more)
            if other is None:
                return False
            if other not in known:
                other = self.the_one(other, known)  # the hex holds a bunker: the one that was asked about
            if not self.put(other, thing, start):
                return False
            if not (self.low() == "and" and self.low(1) in ("a", "an", "another", "the", "its", "my")):
                return True
            self.i += 1

    def quality(self, thing: Thing) -> bool:
        """Takes a state that is told as something had: all-around fields of fire, no LOS."""
        start = self.i
        denied = self.take("no")
        while self.take("a", "an", "the"):
            pass
        found = self.found(HOW)
        end = self.i + (found.length if found is not None else 0)
        noun = self.lexicon.at(self.line, end, (KIND,)) if end < len(self.line) else None  # holds a friendly leader
        if self.low().endswith("ed") and end < len(self.line) and self.line[end].low in (*DETERMINERS, "all", "both"):
            return False  # has eliminated the infantry: what he did to others
        return (noun is None and self.takes_state(thing, HOW, denied=denied)) or self.back_at(start)

    def lacking(self, thing: Thing) -> bool:
        """Takes `no PRC`, `no Gun in it`, `without a leader`, of what somebody has, or does it with, or what is in a place: what is not said is
        not there."""
        mark, known, it = self.scene.mark(), [*self.scene.things], self.it
        if (self.low() == "no" and self.scene.below(thing, ACT)) or not self.take("no", *WITHOUT):
            return False
        self.anew, self.it = True, thing
        try:
            other = self.noun(verbs_stop=True, places=False)
            self.attempt(lambda: self.take("in it", "inside it", "there", "inside"))
        finally:
            self.anew, self.it = False, it
        things = other is not None and other not in known and self.scene.below(other, "Piece")
        self.scene.back(mark)
        return things

    def points_left(self, thing: Thing) -> bool:
        """Takes `2 Movement Points left`, where the book has no number for them: that he has some left, which is as usual."""
        value = self.number()
        plenty = self.take("some", "enough", "sufficient")
        return value != "0" and self.take(*POINTS) and (self.take("left", "to spare", "remaining") or plenty)

    def view(self, thing: Thing) -> bool:
        """Takes a relation that is told as something had: LOS to the pillbox hex."""
        self.take("a", "an", "the")
        link = self.found(LINK)
        # for which the book has no word, as it is so anyway
        if link is None and self.take("los to", "line of sight to"):
            return self.unsaid(partial(self.noun, verbs_stop=True)) is not None
        if link is None or link.length < 2:
            return False
        self.i += link.length
        other = self.noun(verbs_stop=True)
        return other is not None and any(
            self.may_link(thing, s.name) and self.relate(thing, s.name, other) for s in link.senses
        )

    def weapon_had(self, thing: Thing) -> bool:
        """Takes a weapon that a unit has."""
        start = self.i
        if self.low() not in ("no",) and not self.scene.below(thing, ACT) and "possesses" in self.properties:
            other = self.noun(verbs_stop=True)
            if other is not None and self.scene.below(thing, PLACE) and self.scene.below(other, PLACE):
                return self.put(other, thing, start)  # a hex with a bunker
            if (
                other is not None
                and self.scene.below(other, TERRAIN)
                and self.cell_like(thing)
                and "terrain" in self.properties
            ):
                thing.link("terrain", other)  # Open Ground with shellholes
                return True
            if other is not None and self.scene.below(other, WEAPON) and not self.scene.below(thing, PLACE):
                thing.link("possesses", other)
                return True
        return self.back_at(start)

    def amount(self, thing: Thing) -> bool:
        """Takes a number: 2 MF left, a firepower of 5, range 14, printed FP 4."""
        start = self.i
        self.take("a", "an", "the", "its", "his")
        self.take("only", "just", "exactly")
        value = "0" if self.low() == "no" else counted(self.line[self.i]) if not self.over() else ""
        if value:
            self.i += 1
            sense = self.quantity(thing)
            if not sense and self.low() == "drm" and thing.kinds:  # a leader with a -1 DRM
                label = self.classes[thing.kinds[0]].label
                sense = self.vocabulary.resolve(f"{label} DRM", [self.properties]) or ""
                self.i += bool(sense)
            if sense and self.low() not in ("left", "remaining"):
                return self.numbered(thing, sense, value, start)
            return self.back_at(start)
        if self.i + 2 < len(self.line) and (value := counted(self.line[self.i + 1])):  # printed 4FP
            named = self.meant([self.line[self.i], self.line[self.i + 2]], NUMBER)
            if named is not None:
                self.i += 3
                return self.numbered(thing, named.name, value, start)
        sense = self.quantity(thing)
        if sense:
            self.take("of", "is", "are", "=", ":", "was", "a", "an")
            value = self.number()
            if value:
                self.unit(sense)
                self.take("each", *OF_ALL)
                return self.numbered(thing, sense, value, start)
        return self.back_at(start)

    def extent(self, thing: Thing) -> bool:
        """Takes `nine hexes long`: the length of a thing, where the book has a number for it, in that unit."""
        value = counted(self.line[self.i]) if not self.over() else ""
        name = self.vocabulary.resolve(EXTENTS.get(self.low(2), ""), [self.properties]) if value else None
        unit = self.properties[name].unit.casefold() if name is not None else ""
        if name is None or not unit or self.low(1) not in (unit, unit.removesuffix("s"), unit.removesuffix("es")):
            return False
        self.i += 3
        return self.numbered(thing, name, value, self.i)

    def figures(self, thing: Thing) -> bool:
        """Takes numbers told in their order: Strength Factors, left to right: 1, +3, +5."""
        begin = self.i
        signs = (n for n in range(begin, len(self.line)) if self.line[n].sign or counted(self.line[n]))
        end = next(signs, len(self.line))
        name = self.line[begin:end]
        found = [self.lexicon.meaning([nth, *singular(name)]) for nth in NTH]
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

    def counted_deed(self, thing: Thing) -> bool:
        """He takes one Passage: a number that the ontology names after what is done, Passages taken."""
        verb = self.low()
        self.i += 1
        value = "0" if self.low() in ("none", "no") else counted(self.line[self.i]) if not self.over() else ""
        if not value:
            return False
        self.i += 1
        if self.over() or self.line[self.i].sign or self.low() in ("and", "but"):
            return self.counted_more(thing, verb, value)
        for end in range(min(self.i + 4, len(self.line)), self.i, -1):
            last = self.line[end - 1].text
            several = (
                english.plural(last) if value == "1" or (value == "0" and english.singular(last) == last) else last
            )
            said = " ".join([*(w.text for w in self.line[self.i : end - 1]), several])
            before = counted_before(self.vocabulary, said, verb)  # suffered one successful Firepower Test
            if before and self.bearer(thing, before) is thing:
                self.i = end
                self.take("before", "already", "so far", "earlier")
                return self.numbered(thing, before, value, self.i)
        for end in range(min(self.i + 3, len(self.line)), self.i, -1):
            noun = [*self.line[self.i : end - 1], english.plural(self.line[end - 1].text)]
            for form in (verb, *english.participles(english.base_form(verb))):
                for nouns in (noun, self.line[self.i : end]):
                    sense = self.meant([*nouns, form], NUMBER)
                    if sense is not None and self.bearer(thing, sense.name) is thing:
                        self.i = end
                        if self.take("instead of", "in place of") and self.unsaid(self.noun) is None:
                            return False
                        return self.numbered(thing, sense.name, value, self.i)
        return False

    def counted_more(self, thing: Thing, verb: str, value: str) -> bool:
        """And purchased none: a number of the same things as the one told before, by another verb."""
        labels = [n for name in thing.numbers for n in (self.properties[name].label, *self.properties[name].alt)]
        for noun in sorted({word for label in labels for word in label.split()}):
            for form in (verb, *english.participles(english.base_form(verb))):
                sense = self.meant([noun, form], NUMBER)
                if sense is not None and self.bearer(thing, sense.name) is thing:
                    return self.numbered(thing, sense.name, value, self.i)
        return False

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
        if not unit and self.low() in UNITS:
            self.i += 1
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
        rolled = {"die", "dice"} & {*self.properties[name].definition.split()}
        if rolled and self.doer is not None and self.scene.below(thing, PLACE) and self.properties[name].domain == "":
            return False  # moves into a minefield with a die roll of 2: of the move
        bearer = self.bearer(thing, name)
        # a 6 FP squad: the number of his by which that of what he does is told
        if bearer is None and not self.scene.below(thing, ACT):
            own = [r for r, names in self.vocabulary.told_numbers.items() if name in names and self.bearer(thing, r)]
            name, bearer = (own[0], thing) if len(own) == 1 else (name, None)
        if bearer is None or bearer.numbers.get(name, value) != value:
            return self.back_at(start)
        bearer.numbers[name] = value
        return True


def singular(name: Sequence[Word]) -> list[Word | str]:
    """Some words with the last in the singular."""
    return [*name[:-1], *(english.singular(w.text) for w in name[-1:])]
