"""Reads what stands behind a colon: whose part in the act it takes, what it is, its numbers, where."""

from __future__ import annotations

from functools import partial

from kb.english.amounts import OF_ALL, singular
from kb.english.asides import BE
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK, NUMBER
from kb.english.nouns import ENTERED
from kb.english.pronouns import CELLS
from kb.english.references import AT, MADE_WITH, PLACE
from kb.english.rows import RowReader
from kb.english.scene import ACT, Thing
from kb.english.whither import WIDE
from kb.english.words import Word, counted

MOST_BEFORE = 8  # words before a list of figures that say whose they are


class KeyReader(RowReader):
    """Reads keys with what they hold."""

    def keyed(self) -> bool:
        """`target: an enemy squad`, `phase: PFPh`, `weapon: mortar`: what stands before the colon takes what stands behind it."""
        at = next((n for n in range(self.i, min(self.i + 7, len(self.line))) if self.line[n].text == ":"), -1)
        if at < 0:
            return False
        act = self.scene.act
        if self.attempt(partial(self.located, at)):
            return True
        if act is not None and self.line[at - 1].low in ("time", "now") and at == self.i + 1:
            self.i = at + 1
            self.take("set-up ,", "setup ,", "set-up", "setup")
            return self.over() or self.phase_of(act)
        link = self.lexicon.meaning(self.line[self.i : at])
        role = next((s.name for s in (link.senses if link else ()) if s.sort == LINK), "")
        if act is not None and role and self.may_link(act, role) and self.attempt(partial(self.in_role, act, role, at)):
            return True
        self.take("the")
        thing = self.key(at)
        if thing is None or self.i != at:
            return False
        self.i = at + 1
        self.it = thing
        if act is None and self.scene.below(thing, "Attack") and thing not in self.scene.happened:
            self.scene.act = thing  # what is the TEM? attack: …
        if self.attempt(partial(self.described, thing)):
            return True
        if act is not None and thing not in act.links.get("object", ()) and self.rolled(act, thing):
            return True
        used = act is not None and any(thing in act.links.get(role, ()) for _, role in MADE_WITH)
        return used and act is not None and self.described(act)  # WP: a CH in the pillbox hex

    def rolled(self, act: Thing, roll: Thing) -> bool:
        """`IFT DR: Original Doubles`: what the dice of an act show is so of the act."""
        found = self.found(HOW) if self.scene.below(roll, "DiceRoll") else None
        sense = found.of(HOW) if found is not None else None
        if found is None or sense is None or roll.links or not self.fits(act, sense.name):
            return False
        self.i += found.length
        self.say(act, sense.name, found.denied, self.i)
        if roll in self.scene.things:
            self.scene.things.remove(roll)
        return True

    def key(self, at: int) -> Thing | None:
        """The thing that stands before the colon; of several that it may be, the one that the question is about."""
        start, main = self.i, self.scene.main
        try:
            return self.noun(verbs_stop=True)
        except Stuck:
            found = self.lexicon.meaning(self.line[start:at])
            sense = found.of(KIND) if found is not None else None
            if sense is None or main is None or not self.scene.alike(sense.name, main.kinds):
                raise
            self.i = at
            return main

    def listed_figures(self) -> bool:
        """`pillbox Strength Factors, left to right: 1, +3, +5`; `the bunker's Pillbox counter: Strength Factors …`."""
        for at in range(self.i + 1, min(self.i + MOST_BEFORE, len(self.line) - 1)):
            if self.lexicon.meaning([Word("first", 0, 0), *singular(self.line[at : at + 2])]) is None:
                continue
            end = at - 1 if self.line[at - 1].text == ":" or self.line[at - 1].low == "'s" else at
            whole, self.line = self.line, self.line[:end]
            thing = self.noun(verbs_stop=True)
            there = self.over()
            self.line, self.i = whole, at
            return thing is not None and there and self.figures(thing)
        return False

    def keyed_number(self) -> bool:
        """`Basic TK#: 13`: a number of the act, or of whom it is about."""
        start = self.i
        game = self.take("the game 's", "the")
        if (self.low() == "none" or counted(self.line[self.i])) and self.attempt(self.none_of_these):
            return True
        if (
            self.low(1) == ":"
            and self.i + 2 < len(self.line)
            and counted(self.line[self.i + 2])
            and self.attempt(self.and_of_these)
        ):
            return True
        name = self.quantity(None) or self.parted_quantity()
        self.take("made for it", "rolled for it", "made for him", "of that ammo", "of the attack", "of it")
        if not name or self.over() or not (self.take(":", "is") or counted(self.line[self.i])):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        act = self.scene.act
        domain = self.properties[name].domain
        where = [
            t
            for role in ("place", "destination", "target")
            for t in (act.links.get(role, ()) if act is not None else ())
        ]
        about = (
            [act]
            if domain in self.classes and ACT in self.classes[domain].ancestors
            else [*where, self.it]
            if game
            else [self.it, act]
        )
        own: list[Thing | None] = [t for t in self.scene.things if domain not in WIDE and self.scene.below(t, domain)]
        own = own if own else [t for t in where if t is not act and self.named_in(t, name)]
        about = own if len(own) == 1 else about
        if act is not None and self.properties[name].definition.endswith(" for an act"):
            about = [act, *about]
        bearer = next((t for t in about if t is not None and self.bearer(t, name) is not None), None)
        if not value or bearer is None:
            return False
        self.i += 1
        self.unit(name)
        self.take(*OF_ALL)
        if self.parted_unit and self.low() == self.parted_unit:
            self.i += 1
        if game and (unit := self.found(KIND)) is not None:
            self.i += unit.length  # three infantry units
        return self.numbered(bearer, name, value, start)

    def named_in(self, thing: Thing, name: str) -> bool:
        """Whether the name of a number says of what kind of thing it is: building COT."""
        said = {
            word
            for label in (self.properties[name].label, *self.properties[name].alt)
            for word in label.casefold().split()
        }
        kinds = [self.classes[a] for k in thing.kinds for a in (k, *self.classes[k].ancestors)]
        return any(kind.label.casefold().removesuffix(" location") in said for kind in kinds)

    def and_of_these(self) -> bool:
        """`OB-given pillboxes: 4; purchased: 2`: of what was counted last, another number."""
        line = self.line
        self.line = [*line[: self.i], line[self.i + 2], line[self.i], *line[self.i + 3 :]]
        try:
            if not self.none_of_these():
                return False
        finally:
            self.line = line
        self.i += 1
        return True

    def none_of_these(self) -> bool:
        """`OB-given pillboxes: 4; none purchased, 3 purchased`: of what was counted last, another number is nought, or three."""
        value = "0" if self.low() == "none" else counted(self.line[self.i])
        self.i += 1
        if self.over() or not value or not self.numbered_last:
            return False
        for noun in sorted({word for label in self.numbered_last for word in label.split()}):
            meant = self.lexicon.meaning([Word(noun, 0, 0), self.line[self.i]])
            sense = meant.of(NUMBER) if meant is not None else None
            bearer = self.it
            if sense is not None and bearer is not None and self.bearer(bearer, sense.name) is bearer:
                self.i += 1
                return self.numbered(bearer, sense.name, value, self.i)
        return False

    @property
    def numbered_last(self) -> list[str]:
        """The names of the numbers that were told so far of what the question is about."""
        names = self.it.numbers if self.it is not None else ()
        return [label for name in names for label in (self.properties[name].label, *self.properties[name].alt)]

    parted_unit = ""

    def parted_quantity(self) -> str:
        """The name of a number whose last word stands behind the figure: `Original IFT result: 2KIA`; "" where it is none."""
        at = next((n for n in range(self.i, min(self.i + 7, len(self.line))) if self.line[n].text == ":"), -1)
        if at < 0 or at + 2 >= len(self.line) or not counted(self.line[at + 1]):
            return ""
        words = [w for w in self.line[self.i : at] if w.low not in ("result", "results", "number")]
        meant = self.lexicon.meaning([*words, self.line[at + 2]])
        sense = meant.of(NUMBER) if meant is not None else None
        if sense is None:
            return ""
        self.i, self.parted_unit = at, self.line[at + 2].low
        return sense.name

    def in_role(self, act: Thing, role: str, at: int) -> bool:
        """What stands in a role of the act, told behind the colon there."""
        self.i = at + 1
        if role == "phase":
            return self.phase_of(act)
        return self.filled(act, role, next(iter(act.links.get(role, ())), None))

    def filled(self, act: Thing, role: str, thing: Thing | None) -> bool:
        """What stands in a role of an act, told behind a colon."""
        start = self.i
        if thing is not None and self.attempt(partial(self.described, thing)):
            return True
        if thing is not None and self.scene.below(
            thing, PLACE
        ):  # a squad in it: who is in what was named as the target
            inside = self.noun(verbs_stop=True)
            return inside is not None and thing in inside.links.get(AT, ())
        if thing is not None:
            return False
        if self.low() == "outside":  # where whoever it is stands is told, and not who it is
            other: Thing | None = self.scene.new([], role)
            if other is None or not self.where(other):
                return False
        else:
            other = self.noun(verbs_stop=True)
        if other is None or self.scene.below(other, ACT) or not self.join(act, role, other, start):
            return False
        self.it = other
        while self.take(","):
            if not self.attempt(lambda: self.predicate(other)):
                self.i -= 1
                break
        return True

    def located(self, at: int) -> bool:
        """`inside the pillbox: an enemy squad`: who is in the place that is told before the colon."""
        if self.low() not in (*ENTERED, "outside", "on", "adjacent"):
            return False
        nobody = self.scene.new([], "what is there")
        whole, self.line = self.line, self.line[:at]
        there = self.where(nobody) and (self.over() or self.attempt(lambda: self.where(nobody) and self.over()))
        self.line = whole
        if not there:
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
                if not self.attempt(partial(self.described, thing)):
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
                self.its_hex,
                self.predicate,
                self.verb_phrase,
                self.flagged,
                self.more_exactly,
                self.apposed,
            )
            if not any(self.attempt(partial(w, thing)) for w in ways):
                break
            taken = True
            while act and self.attempt(partial(self.complement, thing)):
                pass
            if not act and self.line[self.i - 1].low != "of":
                self.attempt(partial(self.of, thing))
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
        if self.attempt(partial(self.of_what_make, thing)):
            return True
        count = len(self.scene.things)
        other = self.noun(verbs_stop=True)
        if other is thing and self.i > start and not self.scene.below(thing, ACT):
            return True  # the building: the Command Bunker that was asked about
        if other is not None and self.scene.below(thing, ACT):
            for cls, role in MADE_WITH:
                if self.scene.below(other, cls) and role in self.properties and role not in thing.links:
                    thing.link(role, other)
                    return True
        if (
            other is None
            or other is thing
            or other in self.scene.things[:count]
            or self.scene.clash(thing, other.kinds)
        ):
            self.i = start
            return False
        self.scene.merge(thing, other)
        return True
