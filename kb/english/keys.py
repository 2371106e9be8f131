"""Reads what stands behind a colon: whose part in the act it takes, what it is, its numbers, where."""

from __future__ import annotations

from functools import partial

from kb.english.asides import BE
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK
from kb.english.nouns import ENTERED
from kb.english.pronouns import CELLS
from kb.english.references import AT, MADE_WITH, PLACE
from kb.english.tallies import TallyReader
from kb.english.thing import ACT, Thing
from kb.english.words import counted
from kb.language.english import plural


class KeyReader(TallyReader):
    """Reads keys with what they hold."""

    def keyed(self) -> bool:
        """`target: an enemy squad`, `phase: PFPh`, `weapon: mortar`: what stands before the colon takes what stands behind it."""
        at = next((n for n in range(self.i, min(self.i + 7, len(self.line))) if self.line[n].text == ":"), -1)
        if at < 0:
            return False
        act = self.scene.act
        if self.tried(at, self.located, self.as_it_is):
            return True
        if act is not None and self.line[at - 1].low in ("time", "now") and at == self.i + 1:
            self.i = at + 1
            self.take("set-up ,", "setup ,", "set-up", "setup")
            return self.over() or self.phase_of(act)
        link = self.lexicon.meaning(self.line[self.i : at])
        role = next((s.name for s in (link.senses if link else ()) if s.sort == LINK), "")
        named = link.of(KIND) if link is not None else None
        of_act = bool(role) and self.properties[role].domain == ACT
        known = not of_act and named is not None and any(self.scene.below(t, named.name) for t in self.scene.things)
        if (
            act is not None
            and role
            and not known
            and self.may_link(act, role)
            and self.attempt(partial(self.in_role, act, role, at))
        ):
            return True
        self.take("the")
        start, thing = self.i, None
        if self.tried(at, self.part_told):
            thing = self.named
        else:
            self.i = start
        thing = thing or self.key(at)
        if thing is None or self.i != at:
            return False
        self.i = at + 1
        self.it = thing
        if act is None and self.scene.below(thing, "Attack") and thing not in self.scene.happened:
            self.scene.act = thing  # what is the TEM? attack: …
        if self.tried(thing, self.described):
            return True
        if act is not None and thing not in act.links.get("object", ()) and self.rolled(act, thing):
            return True
        used = act is not None and any(thing in act.links.get(role, ()) for _, role in MADE_WITH)
        return used and act is not None and self.described(act)  # WP: a CH in the pillbox hex

    def has_part(self, whole: Thing) -> bool:
        """Takes `a cave as its endpoint`: what is a part of a thing, and which."""
        part = self.noun(verbs_stop=True)
        link = self.found(LINK) if self.take("as its", "as the", "as an", "as a", "as one of its") else None
        role = next((s.name for s in link.senses if self.may_link(whole, s.name)), "") if link is not None else ""
        self.i += link.length if link is not None else 0
        return bool(role) and part is not None and part is not whole and self.relate(whole, role, part)

    def part_told(self, at: int) -> bool:
        """`end of the complex`, before a colon: what stands in that relation to it."""
        ends = [plural(self.low()), "at"]
        link = self.found(LINK) or self.lexicon.meaning(ends)  # the end: at which it ends
        self.i += link.length - (link is not self.found(LINK)) if link is not None else 0
        owner = self.noun(verbs_stop=True) if link is not None and self.take("of") else None
        role = next((s.name for s in link.senses if self.may_link(owner, s.name)), "") if link and owner else ""
        if owner is None or not role or self.i != at:
            return False
        if not owner.links.get(role):
            owner.link(role, self.scene.new([], "part"))
        self.named = owner.links[role][0]
        return len(owner.links[role]) == 1

    def as_it_is(self, at: int) -> bool:
        """`result: PTC`, where a check for a PTC is asked about: the kind of the act once more."""
        act = self.scene.act
        self.i = at + 1
        found = self.found(KIND, DEED) if self.line[at - 1].low == "result" and act is not None else None
        sense = found.of(KIND, DEED) if found is not None and not found.denied else None
        self.i += found.length if found is not None else 0
        return sense is not None and act is not None and self.scene.below(act, sense.name)

    def rolled(self, act: Thing, roll: Thing) -> bool:
        """`IFT DR: Original Doubles`: what the dice of an act show is so of the act."""
        if not self.scene.below(roll, "DiceRoll") or roll.links or not self.takes_state(act, HOW):
            return False
        if roll in self.scene.things:
            self.scene.things.remove(roll)
        return True

    def key(self, at: int) -> Thing | None:
        """The thing that stands before the colon; of several that it may be, the one that the question is about."""
        start, main = self.i, self.scene.main
        try:
            return self.noun(verbs_stop=True)
        except Stuck:
            sense = self.meant(self.line[start:at], KIND)
            if sense is None or main is None or not self.scene.alike(sense.name, main.kinds):
                raise
            self.i = at
            return main

    def in_role(self, act: Thing, role: str, at: int) -> bool:
        """What stands in a role of the act, told behind the colon there."""
        self.i = at + 1
        if role == "phase":
            return self.phase_of(act)
        return self.filled(act, role, next(iter(act.links.get(role, ())), None))

    def filled(self, act: Thing, role: str, thing: Thing | None) -> bool:
        """What stands in a role of an act, told behind a colon."""
        start = self.i
        if thing is not None and self.tried(thing, self.described):
            return True
        # who is in what was named as the target
        if thing is not None and (thing.spot or self.scene.below(thing, PLACE)):
            inside = self.noun(verbs_stop=True)
            if inside is None or not (thing in inside.links.get(AT, ()) or self.put(inside, thing, start)):
                return False
            self.it = inside
            return True
        other = self.noun(verbs_stop=True) if thing is None else None
        if other is None or self.scene.below(other, ACT) or not self.join(act, role, other, start):
            return False
        self.it = other
        while self.take(","):
            if not self.tried(other, self.predicate):
                self.i -= 1
                break
        return True

    def located(self, at: int) -> bool:
        """`inside the pillbox: an enemy squad`: who is in the place that is told before the colon."""
        if self.low() not in (*ENTERED, "outside", "on", "adjacent"):
            return False
        nobody = self.scene.new([], "what is there")
        if not self.until(at, lambda: self.where(nobody) and (self.over() or self.tried(nobody, self.where))):
            return False
        self.i = at + 1
        if self.take("nobody", "nothing", "no one", "none", "no units"):
            self.scene.things.remove(nobody)
            return self.over() or self.line[self.i].sign
        while True:
            thing = self.noun()
            if thing is None or thing is nobody:
                return False
            for role, places in nobody.links.items():
                for place in places:
                    thing.link(role, place)
            self.placed.append((thing, "at", thing))
            if self.low() == ",":
                self.i += 1
                if not self.tried(thing, self.described):
                    self.i -= 1
            one_more = self.low() == "," and (self.low(1) in ("a", "an") or bool(counted(self.line[self.i + 1])))
            if not self.take("and", ", and") and not (one_more and self.take(",")):
                break
        self.scene.things.remove(nobody)
        return True

    def described(self, thing: Thing) -> bool:
        """What is told of a thing behind a colon: its kind, its states, its numbers, a comma between them; of an act, all that
        goes with it."""
        taken = False
        while not self.over():
            act = self.scene.below(thing, ACT)
            more = (self.made_up, self.complement, self.of_own_role) if act else ()
            ways = (
                *more,
                *((self.more_exactly,) if not thing.kinds and not act and not taken else ()),
                self.its_hex,
                self.predicate,
                self.verb_phrase,
                self.flagged,
                self.more_exactly,
                self.apposed,
            )
            if not self.tried(thing, *ways):
                break
            taken = True
            while act and self.tried(thing, self.complement):
                pass
            if not act and self.line[self.i - 1].low != "of":
                self.tried(thing, self.of)
            if not self.take(",", "and") and self.low() != "(":
                break
        return taken

    def its_hex(self, thing: Thing) -> bool:
        """`hex is Open Ground`, told of somebody: the hex that he is in."""
        if self.low() not in CELLS or self.low(1) not in BE or not thing.kinds or self.scene.below(thing, "Hex"):
            return False
        self.i += 2
        return self.predicate(self.hex_of(thing))

    def made_up(self, act: Thing) -> bool:
        """What an act is made with, one word behind the other: HE ordnance, AP from a Gun."""
        start = self.i
        self.take("a", "an", "the")
        taken = False
        while (found := self.found(KIND)) is not None and not found.denied:
            name = found.senses[0].name
            role = next((r for cls, r in MADE_WITH if cls in self.classes and self.kind(name, cls)), "")
            there = act.links.get(role, ())
            if role not in self.properties or (there and name not in there[0].kinds):
                break
            if not there:
                act.link(role, self.scene.new([name], self.line[self.i].text))
            self.i += found.length
            taken = True
        if (
            taken
            and self.low()
            and (found := self.found(HOW, DEED)) is not None
            and self.fits(act, found.senses[0].name)
        ):
            self.i += found.length  # HE ordnance hit
            self.say(act, found.senses[0].name, found.denied, start)
        return taken

    def more_exactly(self, thing: Thing) -> bool:
        """What a thing is that was named by a wide word: the counter is a bunker, the target an enemy squad in the field."""
        start = self.i
        if self.tried(thing, self.of_what_make):
            return True
        count = len(self.scene.things)
        other = self.noun(verbs_stop=True)
        if other is thing and self.i > start and not self.scene.below(thing, ACT):
            return True  # the building: the Command Bunker that was asked about
        if (
            other is None
            or other is thing
            or (not thing.kinds and not any(self.scene.below(other, top) for top in ("Piece", PLACE)))
            or other in self.scene.things[:count]
            or self.scene.clash(thing, other.kinds)
        ):
            return self.back_at(start)
        self.scene.merge(thing, other)
        return True
