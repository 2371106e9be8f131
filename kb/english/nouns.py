"""Reads noun phrases: who and what, of which kinds, in which states, where. A phrase begins at the cursor and takes what belongs to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kb.english.lexicon import DEED, FLAG, HOW, KIND, LINK, NUMBER, PHASE, Found, Lexicon
from kb.english.scene import ACT, SIDES, Scene, Thing
from kb.english.words import Word, counted, words

INDEFINITE = frozenset(["a", "an", "another", "any", "some", "each", "every", "other"])
DEFINITE = frozenset(["the", "this", "that", "these", "those", "same", "both"])
OWN = {"my": "Friendly", "our": "Friendly", "your": "Friendly", "their": "", "its": "", "his": "", "her": ""}
PRONOUNS = frozenset(["it", "he", "they", "him", "them", "she", "itself"])
ENTERED = frozenset(["in", "inside", "within", "at", "on", "occupying", "under"])
ORDINALS = frozenset(["second", "third", "fourth", "fifth"])
MOST_TRIES = 4000  # ways of reading that are tried for one text; questions as people ask them take some hundreds
MOST_COUNTED = 9  # things that are each named when several are told at once
EMPTY = frozenset(["empty", "unoccupied", "vacant"])
ROLES, ROLE_NOUNS = ("target", "actor", "weapon"), ("target", "firer", "mover", "attacker", "weapon")
CELLS = frozenset(["hex", "hexes"])
STATE_OF = re.compile(r"state of an? (.+)")
SPOT = re.compile(r"[A-Z]{1,2}\d{1,2}$")
AT, TERRAIN, HEX, PLACE = "at", "Terrain", "Hex", "Place"
WEAPON, AMMUNITION = "Weapon", "Ammunition"


class Tangled(Exception):
    """A text that may be read in too many ways to try them all."""


class Stuck(Exception):
    """Words that are not understood where they stand. question: what to ask back, where there is more to ask than what they mean."""

    def __init__(self, start: int, question: str = ""):
        super().__init__(question)
        self.start, self.question = start, question


@dataclass
class Phrase:
    """A noun phrase while it is read: its determiner, kinds, states, and what stands before the noun it goes with."""

    kinds: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # kinds of other things: the pillbox of a pillbox hex
    definite: bool = False
    indefinite: bool = False
    own: bool = False
    spot: str = ""
    empty: bool = False
    count: int = 1
    figures: list[tuple[str, str, int]] = field(default_factory=list)  # numbers before the noun: 105mm


class NounReader:
    """A cursor in one sentence, with the scene that it tells of."""

    def __init__(self, lexicon: Lexicon, scene: Scene, line: Sequence[Word]):
        self.lexicon, self.scene, self.line, self.i = lexicon, scene, line, 0
        self.vocabulary = lexicon.vocabulary
        self.classes, self.properties = self.vocabulary.classes, self.vocabulary.properties
        self.it: Thing | None = scene.main
        self.anew = False  # whether what is named is none of the things met before
        self.farthest = Stuck(-1)  # where the reading that came farthest stuck
        self.placed: list[tuple[Thing, str, Thing]] = []  # who was last said to be where

    # ── the cursor ──

    def low(self, ahead: int = 0) -> str:
        """A word in lower case; "" at the end."""
        at = self.i + ahead
        return self.line[at].low if at < len(self.line) else ""

    def take(self, *said: str) -> bool:
        """Goes on past one of these words, if it stands here. A text of several words is that many."""
        for text in said:
            parts = text.split()
            if [self.low(n) for n in range(len(parts))] == parts:
                self.i += len(parts)
                return True
        return False

    def over(self) -> bool:
        """Whether the sentence is at its end."""
        return self.i >= len(self.line)

    def attempt(self, way: Callable[[], bool]) -> bool:
        """Whether a way of reading goes; where it does not, the cursor and the scene are as before."""
        self.scene.tries += 1
        if self.scene.tries > MOST_TRIES:
            raise Tangled
        start, mark, placed, it = self.i, self.scene.mark(), list(self.placed), self.it
        try:
            if way():
                return True
        except Stuck as stuck:
            self.farthest = max(self.farthest, stuck, key=lambda s: s.start)
        self.farthest = max(self.farthest, Stuck(self.i), key=lambda s: s.start)
        self.i, self.placed, self.it = start, placed, it
        self.scene.back(mark)
        return False

    def found(self, *sorts: str) -> Found | None:
        """The longest stretch here that stands for a term of one of these sorts."""
        return self.lexicon.at(self.line, self.i, sorts) if not self.over() else None

    def stuck(self, question: str = "") -> Stuck:
        """What is raised where nothing more is understood."""
        return Stuck(self.i, question)

    def kind(self, name: str, above: str) -> bool:
        """Whether a class is below another one of the book."""
        return above in self.classes[name].ancestors

    # ── noun phrases ──

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
            self.belongs(thing, owner, start)
        while self.take("'s"):
            thing = self.owned(thing, False)
        if self.scene.below(thing, ACT):
            return thing
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
                    owner = self.it or self.nobody()
                phrase.definite = True
            elif low in INDEFINITE:
                phrase.indefinite = phrase.indefinite or low != "any"
            elif low in DEFINITE:
                phrase.definite = True
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

    def nobody(self) -> Thing:
        """A thing of which nothing is told yet: its kind is told later on."""
        self.scene.main = self.it = self.scene.new([], "it")
        return self.it

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
                    if found.of(KIND) and not found.of(LINK):
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
        elif not (self.cell(name) or self.kind(others[-1], TERRAIN)):
            return False
        phrase.before += others
        phrase.kinds = [k for k in phrase.kinds if k in SIDES]
        return True

    def cell(self, name: str) -> bool:
        """Whether a class is that of the cells of a map."""
        return self.vocabulary.cell is not None and name == self.vocabulary.cell.name

    # ── which thing it is ──

    def met(self, phrase: Phrase, start: int) -> Thing:
        """The thing that a phrase speaks of: one met before, or a new one."""
        scene, said = self.scene, " ".join(w.text for w in self.line[start : self.i])
        if phrase.spot:
            for thing in scene.things:
                if thing.spot == phrase.spot:
                    return thing
            thing = scene.new([], said)
            thing.spot = phrase.spot
            return thing
        plain = [k for k in phrase.kinds if k not in SIDES]
        for a in (*plain, *phrase.states):
            if any(b in self.classes[a].disjoint for b in (*plain, *phrase.states)):
                raise Stuck(start, f"“{said}”: what is it? One cannot be all of that")
        if phrase.before:
            return self.compound(phrase, said)
        main = scene.main
        if main is not None and not main.kinds and not main.spot and plain and not self.anew and self.may_be(main, plain):
            self.describe(main, phrase, start)
            return main
        if not phrase.indefinite and not self.anew:
            again = scene.again(phrase.kinds, phrase.states)
            if len(again) > 1:
                raise Stuck(start, f"which of them is meant by “{said}”?")
            if again:
                self.describe(again[0], phrase, start)
                return again[0]
        thing = scene.new(phrase.kinds, said)
        self.describe(thing, phrase, start)
        return thing

    def may_be(self, nobody: Thing, kinds: Sequence[str]) -> bool:
        """Whether a thing of which no kind is told yet may be of these: who acts is a piece."""
        acts = any(nobody in t.links.get("actor", ()) for t in self.scene.things)
        return not acts or all("Piece" in self.classes[k].ancestors for k in kinds)

    def describe(self, thing: Thing, phrase: Phrase, start: int) -> None:
        """Adds to a thing what a phrase says of it."""
        if self.scene.clash(thing, (*phrase.kinds, *phrase.states)):
            raise Stuck(start, "it cannot be that too")
        self.scene.refine(thing, phrase.kinds)
        thing.add(phrase.states)
        thing.denied += [d for d in phrase.denied if d not in thing.denied]
        if phrase.empty:
            thing.links["occupant"] = []
        if phrase.count != 1:
            thing.count = phrase.count
        for name, value, at in phrase.figures:
            if not self.numbered(thing, name, value, at):
                raise Stuck(at, "of what is that the number?")

    def compound(self, phrase: Phrase, said: str) -> Thing:
        """What several nouns together speak of: the hex of a pillbox, a hex of woods, the fire of a mortar."""
        scene = self.scene
        head = [k for k in phrase.kinds if k not in SIDES][0]
        if ACT in self.classes[head].ancestors:
            act = scene.new([head, *phrase.states], said)
            for name in phrase.before:
                act.link("weapon" if self.kind(name, WEAPON) else "ammunition", scene.new([name], said))
            return act
        grounds = [k for k in phrase.before if self.kind(k, TERRAIN)]
        others = [k for k in phrase.before if k not in grounds]
        if others:
            again = scene.again(others)
            inner = again[0] if len(again) == 1 else scene.new(others, said)
            place = self.hex_of(inner)
        else:
            place = scene.new([head], said)
        for name in grounds:
            place.link("terrain", scene.new([name], said))
        place.add(phrase.states)
        return place

    def hex_of(self, thing: Thing) -> Thing:
        """The hex that a thing is in."""
        for role in ("hex", AT):
            for other in thing.links.get(role, ()):
                if other.spot or self.scene.below(other, HEX):
                    return other
        outside = self.outside(thing, False)
        if outside is not None:
            for other in outside.links.get("hex", ()):
                return other
        place = self.scene.new([HEX], "hex")
        if self.scene.below(thing, HEX):
            return thing
        thing.link("hex" if self.scene.below(thing, PLACE) and "hex" in self.properties else AT, place)
        return place

    def outside(self, thing: Thing, make: bool = True) -> Thing | None:
        """The place outside a thing, in its hex, where the ontology says that it has one."""
        if "exterior" not in self.properties or not self.has_outside(thing):
            return None
        there = thing.links.get("exterior")
        if there or not make:
            return there[0] if there else None
        place = self.scene.new(["GroundLevel"] if "GroundLevel" in self.classes else [PLACE], "outside")
        thing.link("exterior", place)
        return place

    def has_outside(self, thing: Thing) -> bool:
        """Whether an axiom says that a thing of its kinds has an outside."""
        return any(
            role == "exterior"
            for k in thing.kinds
            for a in self.classes[k].ancestors
            for role, _ in self.classes[a].existential
        )

    def owned(self, owner: Thing, verbs_stop: bool) -> Thing:
        """What a genitive goes with: the pillbox's hex, the squad's machine gun, the squad's fire."""
        start, phrase = self.i, Phrase()
        if not self.nouns(phrase, verbs_stop):
            raise self.stuck()
        head = [k for k in phrase.kinds if k not in SIDES][0]
        if self.cell(head) and not phrase.before:
            return self.hex_of(owner)
        thing = self.met(phrase, start)
        self.belongs(thing, owner, start)
        return thing

    def belongs(self, thing: Thing, owner: Thing, start: int) -> None:
        """Says whose a thing is."""
        if self.scene.below(thing, ACT):
            thing.link("actor", owner)
        elif self.scene.below(thing, WEAPON) and not self.scene.below(owner, PLACE) and "possesses" in self.properties:
            owner.link("possesses", thing)
        elif self.scene.below(thing, HEX):
            for role in ("hex", AT):
                if role in self.properties and (role == AT or self.scene.below(owner, PLACE)):
                    owner.link(role, thing)
                    break
        elif (
            "locationOf" in self.properties
            and self.scene.below(thing, "Location")
            and self.scene.below(owner, "Location")
        ):
            thing.link("locationOf", owner)
        elif thing not in [o for others in owner.links.values() for o in others]:
            raise Stuck(start, f"how does “{thing.said}” belong to “{owner.said}”?")

    # ── what follows the noun: overridden where clauses are read ──

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it."""

    def numbered(self, thing: Thing, name: str, value: str, start: int) -> bool:
        """Says a number of a thing; False where it can have none such."""
        raise NotImplementedError

    def fits(self, thing: Thing, cls: str) -> bool:
        """Whether a thing may be of a class: nothing told of it rules that out, an act is an act, and a state is one of such things."""
        if self.scene.clash(thing, [cls]):
            return False
        act = self.scene.below(thing, ACT)
        bearer = self.bearer_of(cls)
        if bearer:
            return (self.kind(bearer, ACT) == act) and not self.scene.clash(thing, [bearer])
        if act:
            return not self.above(cls)
        return ACT not in self.classes[cls].ancestors

    def bearer_of(self, cls: str) -> str:
        """Of what a state is one, as its definition says: state of a move …; "" where it does not."""
        match = STATE_OF.match(self.classes[cls].definition)
        if match is None:
            return ""
        line = words(match[1])
        found = self.lexicon.at(line, 0, (KIND, DEED))
        sense = found.of(KIND, DEED) if found is not None else None
        return sense.name if sense is not None else ""

    def above(self, cls: str) -> bool:
        """Whether a class is one of things that are no acts."""
        return any(self.kind(cls, top) for top in ("Piece", PLACE, TERRAIN, PHASE) if top in self.classes)
