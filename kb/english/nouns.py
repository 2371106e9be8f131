"""Reads noun phrases: who and what, of which kinds, in which states, whose. A phrase begins at the cursor and takes what belongs to it."""

from __future__ import annotations

import re

from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK, NUMBER, PHASE, Found
from kb.english.references import AMMUNITION, PLACE, TERRAIN, WEAPON, Phrase, References
from kb.english.scene import ACT, SIDES, Thing
from kb.english.words import counted

INDEFINITE = frozenset(["a", "an", "another", "any", "some", "each", "every", "other"])
DEFINITE = frozenset(["the", "this", "that", "these", "those", "same", "both"])
OWN = {"my": "Friendly", "our": "Friendly", "your": "Friendly", "their": "", "its": "", "his": "", "her": ""}
PRONOUNS = frozenset(["it", "he", "they", "him", "them", "she", "itself"])
ENTERED = frozenset(["in", "inside", "within", "at", "on", "occupying", "under"])
ORDINALS = frozenset(["second", "third", "fourth", "fifth"])
MOST_COUNTED = 9  # things that are each named when several are told at once
EMPTY = frozenset(["empty", "unoccupied", "vacant"])
ROLES, ROLE_NOUNS = ("target", "actor", "weapon"), ("target", "firer", "mover", "attacker", "weapon")
CELLS = frozenset(["hex", "hexes"])
SPOT = re.compile(r"[A-Z]{1,2}\d{1,2}$")


class NounReader(References):
    """Reads noun phrases."""

    def noun(self, verbs_stop: bool = False, states: bool = True, places: bool = True) -> Thing | None:
        """The thing that a noun phrase here speaks of; None, with the cursor where it was, where none begins.

        verbs_stop: a word that may be the verb is; states, places: whether it takes what follows the noun.
        """
        start = self.i
        if self.low() in PRONOUNS and self.it is not None:
            self.i += 1
            return self.it
        phrase = Phrase()
        owner = self.determiner(phrase)
        if not self.nouns(phrase, verbs_stop):
            role = self.role_noun(start)
            if role is None:
                self.i = start
                return None
            self.after(role, states, places)
            return role
        thing = self.met(phrase, start)
        if owner is not None:
            self.owner_of(thing, owner, start)
        while self.take("'s"):
            thing = self.owned(thing, False)
        if self.scene.below(thing, ACT):
            return thing
        self.named = thing
        self.after(thing, states, places)
        return thing

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
            elif low in INDEFINITE:
                phrase.indefinite = phrase.indefinite or low != "any"
            elif low in DEFINITE:
                phrase.definite = True
                phrase.shown = phrase.shown or low in ("this", "these")
            elif low in ORDINALS:
                phrase.indefinite = True
            elif counted(self.line[self.i]) and self.counts():
                phrase.indefinite = phrase.indefinite or not phrase.definite
                phrase.count = int(counted(self.line[self.i]))
            else:
                break
            self.i += 1
        return owner

    def role_noun(self, start: int) -> Thing | None:
        """Who or what is named by its part in the act: the target, the firer."""
        act = self.scene.act
        found = self.found(LINK)
        for sense in found.senses if found else ():
            prop = self.properties[sense.name]
            if (
                act is not None
                and prop.domain in (ACT, "Attack")
                and prop.functional | (sense.name in ROLES)
                and found is not None
                and found.length == 1
                and self.low() in ROLE_NOUNS
            ):
                self.i += found.length
                there = act.links.get(sense.name)
                if there:
                    return there[0]
                thing = self.scene.new([], " ".join(w.text for w in self.line[start : self.i]))
                act.link(sense.name, thing)
                return thing
        return None

    def counts(self) -> bool:
        """Whether a number here counts things: two squads, not 2 MF."""
        value = counted(self.line[self.i])
        if not value.isdigit() or not 0 < int(value) <= MOST_COUNTED or self.i + 1 >= len(self.line):
            return False
        found = self.lexicon.at(self.line, self.i + 1, (KIND, HOW, DEED))
        number = self.lexicon.at(self.line, self.i + 1, (NUMBER,))
        return found is not None and (number is None or number.length < found.length)

    def nouns(self, phrase: Phrase, verbs_stop: bool) -> bool:
        """Takes adjectives and nouns; whether there was a noun."""
        noun = False
        while not self.over():
            word = self.line[self.i]
            if SPOT.match(word.text):
                phrase.spot = word.text
                self.i += 1
                return True
            if not noun and counted(word) and self.figure(phrase):
                continue
            if not noun and phrase.states and self.low() in (",", "and") and self.adjective(1):
                self.i += 1
                continue
            if not noun and self.low() in EMPTY and "occupant" in self.properties:
                phrase.empty = True
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
        return noun

    def figure(self, phrase: Phrase) -> bool:
        """Takes a number that stands before the noun: 105mm OBA, a 4 FP squad."""
        value = counted(self.line[self.i])
        if self.i + 1 >= len(self.line):
            return False
        for found in self.lexicon.all(self.line, self.i + 1, (NUMBER,)):
            after = self.i + 1 + found.length
            if after < len(self.line) and self.lexicon.at(self.line, after, (KIND, HOW, DEED)) is not None:
                phrase.figures.append((found.senses[0].name, value, self.i))
                self.i = after
                return True
        return False

    def part(self, noun: bool, verbs_stop: bool) -> Found | None:
        """The next stretch of a noun phrase. A hex of something is read as two words, so that it is known whose hex it is."""
        for found in self.lexicon.all(self.line, self.i, (KIND, HOW, DEED)):
            if found.length > 1 and found.of(KIND) and self.hex_of_work(found.length):
                continue
            deeds = [s for s in found.senses if s.sort == DEED]
            if verbs_stop and found.length > 1 and self.verb_last(found.length):
                continue  # a player turn, where may a player turn something?
            if noun and verbs_stop and deeds and not found.of(KIND):
                return None
            if not found.of(KIND, HOW) and all(s.verb for s in deeds):
                continue
            return found
        return None

    def hex_of_work(self, length: int) -> bool:
        """Whether a stretch names the hex of a place (pillbox hex), and no kind of hex of its own (Beach hex)."""
        if self.line[self.i + length - 1].low not in CELLS:
            return False
        before = self.lexicon.meaning(self.line[self.i : self.i + length - 1])
        sense = before.of(KIND) if before is not None else None
        return sense is not None and self.kind(sense.name, PLACE)

    def verb_last(self, length: int) -> bool:
        """Whether the last word of a stretch is rather the verb: what it is done to follows."""
        last = self.i + length - 1
        alone = self.lexicon.at(self.line, last, (DEED,))
        after = self.line[last + 1].low if last + 1 < len(self.line) else ""
        return (
            alone is not None
            and any(s.verb for s in alone.senses)
            and after in ("a", "an", "the", "its", "his", "at", "into")
        )

    def adjective(self, ahead: int) -> bool:
        """Whether a state, or a kind, is told some words on."""
        found = self.lexicon.at(self.line, self.i + ahead, (KIND, HOW)) if self.i + ahead < len(self.line) else None
        return found is not None

    def joins(self, phrase: Phrase, name: str) -> bool:
        """Whether one more noun belongs to the phrase: of the same thing (enemy leader), or the one that the others go with (mortar fire)."""
        others = [k for k in phrase.kinds if k not in SIDES]
        if not others:
            return True
        acts = [ACT in self.classes[k].ancestors for k in (*others, name)]
        if len(set(acts)) == 1 and not any(name in self.classes[k].disjoint for k in others):
            return True
        if acts[-1] and not any(acts[:-1]):
            if not all(self.kind(k, WEAPON) or self.kind(k, AMMUNITION) for k in others):
                return False
        elif not (self.cell(name) or (self.kind(others[-1], TERRAIN) and self.kind(name, PLACE))):
            return False
        phrase.before += others
        phrase.kinds = [k for k in phrase.kinds if k in SIDES]
        return True

    def owned(self, owner: Thing, verbs_stop: bool) -> Thing:
        """What a genitive goes with: the pillbox's hex, the squad's machine gun, the squad's fire."""
        start, phrase = self.i, Phrase()
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
            if self.it is None or self.it is owner:
                raise
            self.belongs(thing, self.it, start)

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it."""
