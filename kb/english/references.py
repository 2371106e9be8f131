"""Which thing a phrase speaks of: one met before or another one, the hex of a pillbox, the place outside it, what belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kb.english.cursor import Cursor, Stuck
from kb.english.lexicon import DEED, KIND, PHASE
from kb.english.thing import ACT, NATION, SIDES, Thing
from kb.english.words import words
from kb.language import english

STATE_OF = re.compile(r"state of an? (.+)")
AT, TERRAIN, HEX, PLACE = "at", "Terrain", "Hex", "Place"
WEAPON, AMMUNITION = "Weapon", "Ammunition"
MADE_WITH = ((AMMUNITION, "ammunition"), (WEAPON, "weapon"))


@dataclass
class Phrase:
    """A noun phrase while it is read: its determiner, kinds, states, and what stands before the noun it goes with."""

    kinds: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # kinds of other things: the pillbox of a pillbox hex
    definite: bool = False
    indefinite: bool = False
    shown: bool = False  # this hex
    spot: str = ""
    empty: bool = False
    both: bool = False
    another: bool = False  # one more than those before
    nth: int = 0  # a second one
    same: bool = False  # the same hex: one that was met
    beside: str = ""  # adjacent, to what is not said
    count: int = 1
    figures: list[tuple[str, str, int]] = field(default_factory=list)  # numbers before the noun: 105mm


class References(Cursor):
    """Finds things again, and says of them what a phrase says."""

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
        if phrase.before and plain and self.kind(plain[-1], "Unit"):
            arms, phrase.before = phrase.before, []
            owner = self.met(phrase, start)
            for name in arms:
                if not any(self.scene.alike(name, t.kinds) for t in owner.links.get("possesses", ())):
                    owner.link("possesses", scene.new([name], said))
            return owner
        if phrase.before:
            return self.compound(phrase, said)
        main = scene.main
        if (
            main is not None
            and not main.kinds
            and not main.spot
            and plain
            and not self.anew
            and self.may_be(main, plain)
        ):
            self.describe(main, phrase, start)
            return main
        # a kind, not one of it
        ground = bool(plain) and not phrase.definite and all(self.kind(k, TERRAIN) for k in plain)
        if phrase.beside and phrase.definite:  # the next hex: the one that was told to be so
            beside = [
                t for t in scene.things if phrase.beside in t.links and any(scene.alike(k, t.kinds) for k in plain)
            ]
            if len(beside) == 1:
                return beside[0]
        if not phrase.indefinite and not self.anew and not phrase.beside and not ground:
            again = [t for t in scene.again(phrase.kinds, phrase.states) if not self.another_than_doer(t, phrase)]
            if len(again) > 1:  # the team is the one that was called a team
                word = english.singular(said.split()[-1])
                again = [t for t in again if word in map(english.singular, t.said.split())] or again
                again = self.told_apart(again)
                again = [t for t in again if t.definite and not t.another] * phrase.definite or again
            if len(again) > 1:
                raise Stuck(start, f"which of them is meant by “{said}”?", True)
            if again:
                self.describe(again[0], phrase, start)
                return again[0]
        act = scene.act
        set_up = act.links.get("object", ()) if act is not None else ()
        works = self.works_outside() or [t for t in self.works() if t not in set_up]
        if (
            phrase.definite
            and not phrase.beside
            and not phrase.shown
            and plain
            and self.cell(plain[0])
            and len(plain) == len(works) == 1
        ):
            return self.hex_of(works[0])  # the hex: that of the one work that is spoken of
        if (
            act is not None
            and phrase.definite
            and plain
            and self.cell(plain[0])
            and not phrase.beside
            and len(plain) == 1
        ):
            put = any(scene.below(act, cls) for cls in ("SetUp", "Placement"))
            if put and not (phrase.shown or phrase.same or {"place", "destination"} & act.links.keys()):
                act.link("place", scene.new(phrase.kinds, said))  # the hex: that in which it is set up
                return act.links["place"][0]
        if phrase.same:
            raise Stuck(start, "the same as whose?")
        thing = scene.new(phrase.kinds, said)
        thing.shown, thing.definite, thing.another = phrase.shown, phrase.definite, phrase.another
        thing.nth = phrase.nth
        self.describe(thing, phrase, start)
        return thing

    def another_than_doer(self, thing: Thing, phrase: Phrase) -> bool:
        """Whether a phrase cannot mean the one who does what is told: the squad that an enemy squad attacks is not that one, nor is the
        squad inside the pillbox that he fires at."""
        plain = {k for k in phrase.kinds if k not in SIDES}
        other_side = "Enemy" in thing.kinds and "Enemy" not in phrase.kinds
        return thing is self.doer and (other_side or self.aimed or not plain <= {*thing.kinds})

    def the_one(self, thing: Thing, known: list[Thing]) -> Thing:
        """What the pillbox is that was asked about: a concrete pillbox, told by a phrase of its own."""
        heads = [k for k in thing.kinds if k not in SIDES]
        if not heads or {t for others in thing.links.values() for t in others} & {*known}:
            return thing
        same = [t for t in known if t.definite and any(self.scene.alike(k, t.kinds) for k in heads)]
        if len(same) != 1 or {*thing.kinds} & {*SIDES} != {*same[0].kinds} & {*SIDES}:
            return thing
        if self.scene.clash(same[0], thing.kinds) or {*thing.links} & {*same[0].links}:
            return thing
        self.scene.merge(same[0], thing)
        return same[0]

    def same_act(self) -> None:
        """What is told to be done last is what was asked about as the attack, if that was told with nobody who makes it."""
        told, act = self.scene.things[-1], self.scene.act
        told = next((t for t in reversed(self.scene.things) if self.scene.below(t, ACT)), told)
        if act is None or told is act or not act.definite or act.links or told in self.scene.happened:
            return
        if all(k in self.classes[told.kinds[0]].ancestors for k in act.kinds):
            self.scene.merge(act, told)

    def may_be(self, nobody: Thing, kinds: Sequence[str]) -> bool:
        """Whether a thing of which no kind is told yet may be of these: who acts is a piece."""
        acts = any(nobody in t.links.get("actor", ()) for t in self.scene.things)
        return not acts or all("Piece" in self.classes[k].ancestors for k in kinds)

    def describe(self, thing: Thing, phrase: Phrase, start: int) -> None:
        """Adds to a thing what a phrase says of it."""
        if self.scene.clash(thing, (*phrase.kinds, *phrase.states)):
            raise Stuck(start, "it cannot be that too")
        self.scene.refine(thing, phrase.kinds)
        thing.add(self.own_state(thing, state) for state in phrase.states)
        thing.denied += [d for d in phrase.denied if d not in thing.denied]
        if phrase.empty:
            thing.links["occupant"] = []
        if phrase.count != 1:
            thing.count = phrase.count
        for one in thing.fellows:
            self.scene.refine(one, [k for k in phrase.kinds if self.scene.state(k)])
            one.add(phrase.states)
            one.denied += [d for d in phrase.denied if d not in one.denied]
        for name, value, at in phrase.figures:
            if not self.numbered(thing, name, value, at):
                raise Stuck(at, "of what is that the number?")

    def compound(self, phrase: Phrase, said: str) -> Thing:
        """What several nouns together speak of: the hex of a pillbox, a hex of woods, the fire of a mortar."""
        scene = self.scene
        head = next(k for k in phrase.kinds if k not in SIDES)
        if ACT in self.classes[head].ancestors:
            act = scene.new([*phrase.kinds, *phrase.states], said)
            for name in phrase.before:
                role = next((r for cls, r in MADE_WITH if cls in self.classes and self.kind(name, cls)), "actor")
                act.link(role, scene.new([name], said))
            for doer in act.links.get("actor", ()):
                doer.denied += phrase.denied  # the fire of an unbroken squad
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
        place.add([k for k in phrase.kinds if k not in SIDES])
        place.add(phrase.states)
        return place

    def hex_of(self, thing: Thing) -> Thing:
        """The hex that a thing is in."""
        for role in ("hex", AT):
            for other in thing.links.get(role, ()):
                if other.spot or self.scene.below(other, HEX):
                    return other
        if len(there := thing.links.get(AT, [])) == 1 and there[0].kinds in (["Location"], [PLACE]):
            return there[0]  # the place that he is in, of which nothing else is told
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
        role = self.outside_role(thing)
        if not role:
            return None
        there = thing.links.get(role)
        if there or not make:
            return there[0] if there else None
        place = self.scene.new([self.ground()], "outside")
        thing.link(role, place)
        return place

    def nobody(self) -> Thing:
        """A thing of which nothing is told yet: its kind is told later on."""
        self.scene.main = self.it = self.scene.new([], "it")
        return self.it

    def fits(self, thing: Thing, cls: str, denied: bool = False) -> bool:
        """Whether a thing may be of a class, or be said not to be: nothing told of it rules that out, an act is an act, and a state
        is one of such things."""
        if denied and {cls, *self.classes[cls].ancestors} & {*thing.denied}:
            return True  # told once more: what is not broken is not Disrupted
        if self.scene.clash(thing, [cls]):
            return False
        act = self.scene.below(thing, ACT)
        bearer = self.bearer_of(cls)
        if bearer:
            return (self.kind(bearer, ACT) == act) and not self.scene.clash(thing, [bearer])
        if act:
            return not self.above(cls) and not self.kind(cls, NATION)
        return ACT not in self.classes[cls].ancestors

    def bearer_of(self, cls: str) -> str:
        """Of what a state is one, as its definition says: state of a move …; "" where it does not."""
        match = STATE_OF.match(self.classes[cls].definition)
        if match is None:
            return ""
        line = words(match[1])
        found = self.lexicon.at(line, 0, (KIND, DEED))
        sense = found.of(KIND, DEED) if found is not None else None
        either = found is not None and "or" in [word.low for word in line[found.length : found.length + 1]]
        # a vehicle or its PRC
        return "" if sense is None or (either and not self.kind(sense.name, ACT)) else sense.name

    def above(self, cls: str) -> bool:
        """Whether a class is one of things that are no acts."""
        return any(self.kind(cls, top) for top in ("Piece", PLACE, TERRAIN, PHASE) if top in self.classes)

    def takes_state(self, thing: Thing, *sorts: str, denied: bool = False) -> bool:
        """Takes a state that a thing may be in, and says that it is so; denied: that it is not."""
        start, (found, sense) = self.i, self.sensed(*sorts)
        if found is None or sense is None or not self.fits(thing, sense.name, denied != found.denied):
            return False
        self.i += found.length
        self.say(thing, sense.name, denied != found.denied, start)
        return True

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
