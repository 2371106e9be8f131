"""Reads noun phrases: who and what, of which kinds, in which states, whose. A phrase begins at the cursor and takes what belongs to it."""

from __future__ import annotations

import re

from kb.english.cursor import Stuck
from kb.english.figures import ROW
from kb.english.lexicon import DEED, HOW, KIND, LINK, PHASE
from kb.english.phrases import PhraseReader
from kb.english.pronouns import MYSELF, ORDINALS, PRONOUNS
from kb.english.references import AT, HEX, PLACE, Phrase
from kb.english.thing import ACT, SIDES, Thing
from kb.english.words import counted

INDEFINITE = frozenset(["a", "an", "another", "any", "some", "each", "every", "other", "either"])
DEFINITE = frozenset(["the", "this", "that", "these", "those", "same", "both"])
OWN = {"my": "Friendly", "our": "Friendly", "your": "Friendly", "their": "", "its": "", "his": "", "her": ""}
ENTERED = frozenset(["in", "inside", "within", "at", "on", "occupying", "under", "behind"])
EMPTY = frozenset(["empty", "unoccupied", "vacant"])
USERS = ("user", "holder", "possessor", "operator")
ANYWHERE = ("Location", "Place", "Hex")
SPOT = re.compile(r"[A-Z]{1,2}\d{1,2}$")


class NounReader(PhraseReader):
    """Reads noun phrases."""

    def noun(self, verbs_stop: bool = False, states: bool = True, places: bool = True) -> Thing | None:
        """The thing that a noun phrase here speaks of; None, with the cursor where it was, where none begins.

        verbs_stop: a word that may be the verb is; states, places: whether it takes what follows the noun.
        """
        start = self.i
        if self.low() in PRONOUNS and not self.line[self.i].text.isupper() and (self.it is not None or self.wanted):
            return self.pronoun()  # and HE is no he
        if self.low() in PRONOUNS and self.line[self.i].text.islower():  # whom nothing was told of yet; he is no HE
            self.i += 1
            return self.nobody()
        if self.low() in MYSELF:
            self.i += 1
            return self.myself()
        if (other := self.other_one()) is not None:
            return other
        if self.main_one():
            return self.scene.main
        if (place := self.lettered()) is not None:
            while self.take("'s"):
                place = self.owned(place, False)
            return place
        phrase = Phrase()
        owner = self.determiner(phrase)
        if not self.nouns(phrase, verbs_stop):
            told = phrase.states or phrase.denied
            if self.low() == "and" and told and self.attempt(lambda: self.elided(phrase, start)):
                return self.named
            role = self.role_noun(start)
            if role is None:
                self.i = start
                return None
            while self.take("'s"):
                role = self.owned(role, False)
            self.after(role, states, places)
            return role
        if (place := self.place_of_somebody(phrase) or self.cell_outside(phrase)) is not None:
            return place
        own = self.own_place(owner, phrase)
        thing = own or self.met(phrase, start)
        if phrase.both and thing.count < 2 and not thing.fellows:
            raise Stuck(start, "both of which?")
        if phrase.beside and phrase.count > 1:
            thing.link(phrase.beside, thing)  # two ADJACENT Locations: to each other, when they are counted out
        elif phrase.beside and phrase.beside not in thing.links:
            self.stands_beside(thing, phrase.beside, start)
        if owner is not None and own is None:
            self.owner_of(thing, owner, start)
        while self.take("'s"):
            thing = self.owned(thing, False)
        if self.scene.below(thing, ACT):
            return thing
        self.named = thing
        self.after(thing, states, places)
        return thing

    def newly(
        self, verbs_stop: bool = False, states: bool = True, places: bool = True, anew: bool = True
    ) -> Thing | None:
        """What a noun phrase speaks of that is none of the things met before."""
        self.anew = anew
        try:
            return self.noun(verbs_stop, states, places)
        finally:
            self.anew = False

    def other_one(self) -> Thing | None:
        """Takes `another`, `the other`, without its noun: one more of the kind that was named last, or the one other there is."""
        start, named = self.i, self.named or self.scene.main
        alone = self.take("another one", "the other one", "another", "the other")
        article = self.low() == "the"
        if self.low(article) == "one" and self.low(article + 1) in (*ENTERED, "outside"):
            pieces = [t for t in self.scene.things if self.scene.below(t, "Piece")]
            if pieces:
                self.i += 1 + article  # the squad in it and the one outside it
                thing = self.scene.new([k for k in pieces[-1].kinds if not self.scene.state(k)], pieces[-1].said)
                self.after(thing, True, True)
                return thing
        if not alone or named is None or not (self.ends() or (self.verb_awaited and self.found(DEED))):
            self.i = start
            return None
        if self.line[start].low == "another":
            return self.scene.new(named.kinds, named.said)
        others = [t for t in self.scene.things if t is not named and t.kinds == named.kinds]
        if len(others) != 1:
            raise Stuck(start, "which other one?")
        return others[0]

    def elided(self, phrase: Phrase, start: int) -> bool:
        """Takes two of one kind that is named once: one Inexperienced and one experienced squad."""
        at = self.i
        self.i += 1
        known = list(self.scene.things)
        if not (self.low() in ("a", "an") or counted(self.line[self.i])):
            return False
        other = self.noun(states=False, places=False)
        if other is None or other in known:
            return False
        phrase.kinds = [k for k in other.kinds if not self.scene.state(k)]
        one = self.scene.new(phrase.kinds, " ".join(w.text for w in self.line[start:at]))
        self.describe(one, phrase, start)
        one.fellows = [other]
        self.named = one
        return True

    def determiner(self, phrase: Phrase) -> Thing | None:
        """Takes the determiner; gives the owner that a possessive one speaks of."""
        owner = None
        while not self.over():
            low = self.low()
            if low in OWN and not (low == "her" and self.i + 1 >= len(self.line)):
                if OWN[low]:
                    phrase.kinds.append(OWN[low])
                else:
                    owner = self.named or self.it or self.nobody()  # its: what was named last
                phrase.definite = True
            elif low in ("own", "only") and phrase.definite:
                pass
            elif low in INDEFINITE:
                phrase.indefinite = phrase.indefinite or low != "any"
                phrase.another = phrase.another or low in ("another", "other")
            elif low in DEFINITE:
                phrase.definite = True
                phrase.shown = phrase.shown or low in ("this", "these")
                phrase.same = phrase.same or low == "same"
                phrase.both = phrase.both or low == "both"
            elif low in ORDINALS:
                phrase.indefinite, phrase.nth = True, ORDINALS.index(low) + 2
            elif counted(self.line[self.i]) and self.counts():
                phrase.indefinite = phrase.indefinite or not phrase.definite
                phrase.count = int(counted(self.line[self.i]))
                if self.low(1) in ("more", "further"):
                    phrase.another = True
                    self.i += 1
            else:
                break
            self.i += 1
        return owner

    def nouns(self, phrase: Phrase, verbs_stop: bool) -> bool:
        """Takes adjectives and nouns; whether there was a noun."""
        noun = False
        while not self.over():
            word = self.line[self.i]
            if SPOT.match(word.text):
                phrase.spot = word.text
                self.i += 1
                return True
            if not noun and (counted(word) or ROW.match(word.text)) and self.figure(phrase):
                continue
            told = phrase.states or phrase.denied or phrase.beside
            more = self.low() == "and" or (self.low() == "," and not self.enclosed)
            if not noun and told and more and self.adjective(1):
                self.i += 1
                continue
            if not noun and "occupant" in self.properties and (self.low() in EMPTY or self.free_place()):
                phrase.empty = True
                self.i += 1
                continue
            if not noun and self.by_number():
                continue
            if not noun and (role := self.beside_role()):
                phrase.beside = role
                self.i += 1
                continue
            found = self.part(noun, verbs_stop)
            if found is None:
                break
            sense = found.of(KIND) if found.of(KIND) and not found.denied else None
            deed = next((s for s in found.senses if s.sort == DEED and not s.verb), None)
            way = found.of(HOW)
            if way is not None and not noun and (sense is None or found.denied):
                (phrase.denied if found.denied else phrase.states).append(way.name)
            elif sense is not None or (deed is not None and not found.denied):
                name = (sense or deed).name  # type: ignore[union-attr]
                if noun and not self.joins(phrase, name):
                    if found.of(KIND) and not found.of(LINK) and not self.kind(name, PHASE):
                        raise self.stuck("what have these two to do with each other?")
                    break
                phrase.kinds.append(name)
                noun = True
            elif found.denied and found.of(KIND):
                phrase.denied.append(found.of(KIND).name)  # type: ignore[union-attr]
            else:
                break
            self.i += found.length
        marked = [s for s in phrase.states if self.kind(s, PLACE)] if phrase.definite and not noun else []
        phrase.kinds += marked  # the Encirclement Location: a state that only places have stands for the place
        phrase.states = [s for s in phrase.states if s not in marked]
        return noun or bool(marked)

    def cell_outside(self, phrase: Phrase) -> Thing | None:
        """The place that is told as the hex outside a work: the ground around it."""
        start = self.i
        if (
            phrase.before
            or not phrase.definite
            or not all(self.cell(k) for k in phrase.kinds)
            or not self.take("outside")
        ):
            return None
        inner, works = self.noun(verbs_stop=True, states=False, places=False), self.works_outside()
        inner = works[0] if inner is None and len(works) == 1 else inner
        place = self.ground_outside(inner) if inner is not None else None
        if place is None:
            self.i = start
        else:
            self.take("in the same hex", "in its hex")
        return place

    def ground_outside(self, inner: Thing) -> Thing | None:
        """The place outside a thing: in a book that has no such places, the cell of the map that it is in."""
        alike = self.outsides() or not self.scene.below(inner, PLACE) or self.scene.below(inner, HEX)
        return self.outside(inner) if alike else self.hex_of(inner)

    def place_of_somebody(self, phrase: Phrase) -> Thing | None:
        """The place that is told by who is in it: the Location the squad is in; None where it is not."""
        start, kind = self.i, phrase.kinds[0] if phrase.kinds else ""
        who = self.low() in ("the", "this", "that", "which", "where", "it", "he", "they")
        if len(phrase.kinds) != 1 or not (phrase.definite and who and (kind in ANYWHERE)) or phrase.before:
            return None
        self.take("that", "which", "where")
        other = self.noun(verbs_stop=True, states=False, places=False)
        if other is None or not self.take("is in", "are in", "is at", "occupies", "is", "are"):
            self.i = start
            return None
        if not (self.over() or self.line[self.i].sign):
            self.i = start
            return None
        there = other.links.get(AT) or [self.scene.new([kind], "place")]
        other.links[AT] = there
        return there[0]

    def stands_beside(self, thing: Thing, role: str, start: int) -> None:
        """Says that a place is adjacent to the one that the question is about: to the ground around it, where it is a work."""
        inside = self.named if start and self.line[start - 1].low in ENTERED else None  # a pillbox in an adjacent hex
        whole = [t for t in self.scene.things if t not in (thing, inside) and self.scene.below(t, PLACE)]
        whole = [t for t in whole if thing not in t.links.get("hex", ())]  # an adjacent barbed wire hex
        works = [t for t in whole if self.has_outside(t)] or [
            t for t in whole if not any(t in o for one in whole for o in one.links.values())
        ]
        main = self.scene.main
        if not whole and main is not None and not self.scene.below(main, ACT):
            works = [self.hex_of(main)]  # adjacent to his own
        if len(works) != 1:
            raise Stuck(start, "adjacent to what?")
        thing.link(role, (self.outside(works[0]) if role in self.besides() else None) or works[0])

    def owned(self, owner: Thing, verbs_stop: bool) -> Thing:
        """What a genitive goes with: the pillbox's hex, the squad's machine gun, the squad's fire."""
        start, phrase = self.i, Phrase()
        if self.holder(owner) is not owner and self.take(*USERS):
            return self.holder(owner)
        if not self.nouns(phrase, verbs_stop):
            raise self.stuck()
        head = next(k for k in phrase.kinds if k not in SIDES)
        if self.cell(head) and not phrase.before:
            return self.hex_of(owner)
        thing = self.met(phrase, start)
        self.belongs(thing, owner, start)
        return thing

    def owner_of(self, thing: Thing, owner: Thing, start: int) -> None:
        """Says whose a thing is that is called its: of what was named last, or else of whom the sentence is about."""
        try:
            self.belongs(thing, owner, start)
        except Stuck:
            if self.scene.below(owner, "Player"):
                return  # his pillbox: what he sets up, or has set up
            if self.it is None or self.it is owner:
                raise
            self.belongs(thing, self.it, start)

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it."""
