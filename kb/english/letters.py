"""Reads places that are told by letters: Location A; squads in A, B and C; what belongs to each of several places."""

from __future__ import annotations

from kb.english.belongings import BelongingsReader
from kb.english.lexicon import KIND
from kb.english.references import PLACE
from kb.english.thing import Thing
from kb.language import english

LETTERS = frozenset("ABCDEFGHXYZ")
FIRST = "A"  # which is an article, too
BEHIND_PLACE = frozenset(["and", "is", "are", "to", ",", "or", "'s", "holds", "has", ""])


class LetterReader(BelongingsReader):
    """Reads letters. listed: the places that were last told in a row."""

    listed: tuple[Thing, ...] = ()

    def letter(self, ahead: int = 0) -> str:
        """The letter here that stands for a place; "" where none does. An A at the beginning is an article, unless what follows
        is said of a place."""
        at = self.i + ahead
        text = self.line[at].text if at < len(self.line) else ""
        article = text == FIRST and (at == 0 or self.line[at - 1].sign) and self.low(ahead + 1) not in BEHIND_PLACE
        return text if text in LETTERS and not article else ""

    def lettered(self) -> Thing | None:
        """The place, or the first of the places, that letters stand for: A; Locations A and B; A, B and C."""
        start, kind = self.i, ""
        self.take("the")
        self.take("two different", "three different", "different", "two", "three")
        found, sense = self.sensed(KIND)
        if found is not None and sense is not None and self.kind(sense.name, PLACE) and self.letter(found.length):
            kind, self.i = sense.name, start + (self.i - start) + found.length
        if not self.letter():
            self.i = start
            return None
        places = [self.place_at(self.letter(), kind)]
        self.i += 1
        while True:
            ahead = 2 if self.low() == "," and self.low(1) == "and" else 1 if self.low() in (",", "and") else 0
            if not ahead or not self.letter(ahead) or self.low(ahead + 1) in ("to", "is"):
                break
            self.i += ahead
            places.append(self.place_at(self.letter(), kind))
            self.i += 1
        self.listed = tuple(places)
        return places[0]

    def place_at(self, letter: str, kind: str) -> Thing:
        """The place that a letter stands for."""
        for thing in self.scene.things:
            if thing.letter == letter:
                return thing
        thing = self.scene.new([kind or ("Location" if "Location" in self.classes else PLACE)], letter)
        thing.letter = letter
        return thing

    def spread(self, thing: Thing, places: tuple[Thing, ...], each: bool = False) -> list[Thing] | None:
        """The things told together, one for each of several places: squads in A, B and C; None where they are not as many.
        each: one is told to be in each."""
        if thing.fellows:
            several = [thing, *thing.fellows]
            there = {place: one for one in several for place in one.links.get("at", ())}
            if len(several) < len(places) and {*there} <= {*places} and len(there) == len(several):
                return [there.get(place) or self.one_more(thing) for place in places]  # A and C, of A, B and C
            return several if len(several) == len(places) else None
        word = thing.said.split()[-1] if thing.said else ""
        if not each and thing.count != len(places) and (thing.count != 1 or english.singular(word) == word):
            return None
        thing.count = 1
        thing.fellows = [self.one_more(thing) for _ in places[1:]]
        return [thing, *thing.fellows]

    def one_more(self, thing: Thing) -> Thing:
        """Another one of whom the same is told, but where it is."""
        other = self.scene.new(thing.kinds, thing.said)
        other.denied, other.numbers, other.flags = list(thing.denied), dict(thing.numbers), dict(thing.flags)
        other.links = {role: list(there) for role, there in thing.links.items() if role != "at"}
        return other
