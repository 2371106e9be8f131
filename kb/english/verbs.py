"""Reads what is done: the verb that begins an act, by whom, actively or passively, or as a noun behind a verb that says no more."""

from __future__ import annotations

from collections.abc import Sequence

from kb.english.acts import LEAVING
from kb.english.asides import BE, NOT
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND, LINK, Found, Sense
from kb.english.nouns import OWN
from kb.english.outcomes import LATER
from kb.english.references import PLACE, WEAPON
from kb.english.thing import ACT, Thing
from kb.english.uses import UseReader
from kb.english.words import Word
from kb.language.english import base_form, participles, plural

SAYING_NO_MORE = ("try", "conduct", "make", "perform", "attempt", "claim", "score")
DOING = (
    *(form for verb in SAYING_NO_MORE for form in (verb, plural(verb), *participles(verb))),
    "take", "carry out", "use", "do", "pass",
)  # fmt: skip  # verbs behind which a noun tells what is done


class VerbReader(UseReader):
    """Reads acts."""

    def act_of(self, actor: Thing | None, passive: bool = False, asked: bool = True) -> Thing | None:
        """The act that the verb here begins, with all that goes with it; None where no verb stands here.

        passive: what was read as its actor is what it is done to.
        """
        start = self.i
        self.take("also", "then", *LATER)
        found = self.deed()
        if found is None:
            return self.conducted(actor, asked)
        verb = next(s for s in found.senses if s.verb)
        leaving = self.low() in LEAVING
        self.i += found.length
        narrow = None if passive else self.narrowed(verb.name)
        act = self.made(actor, (narrow or verb).name, " ".join(w.text for w in self.line[start : self.i]))
        if asked and self.scene.act is None:
            self.scene.act = act
        if passive:
            if actor is not None:
                arms = self.scene.below(act, "Fire") and self.scene.below(actor, WEAPON)
                goes = self.scene.below(act, "Entry") and self.scene.below(actor, "Piece")
                act.link("weapon" if arms else "actor" if goes else self.direct(act, leaving), actor)
                if self.low() == "at" and self.low(1) in ("by", "", "if", "when", "while", "from"):
                    self.i += 1
        elif actor is not None and actor is not act:
            self.does(act, actor)
        self.with_thing(act, self.line[start : self.i])
        self.complements(act, leaving, not passive)
        if self.scene.below(act, "Entry") and not passive:
            self.implied(act, base_form(self.line[start].low))
        return act

    def narrowed(self, name: str) -> Sense | None:
        """Takes `ATFP`, `its MOL`, behind fire: of which narrower kind the act is, where that is no thing which is fired."""
        start = self.i
        self.take("its", "his", "their", "a", "an")
        found = self.lexicon.at(self.line, self.i, (DEED,)) if not self.over() else None
        narrow = self.taken(DEED, below=name, bare=True) if found is None or not found.of(KIND) else None
        self.i = self.i if narrow is not None else start
        return narrow

    def with_thing(self, act: Thing, said: Sequence[Word]) -> None:
        """Says what is put somewhere in an act that is named with it: place its satchel charge. What is his he has."""
        if self.scene.below(act, "Attack") or "object" not in self.properties:
            return
        for at in range(1, len(said)):
            found = self.lexicon.at(said, at, (KIND,)) if said[at].low not in DETERMINERS else None
            sense = found.of(KIND) if found is not None and at + found.length == len(said) else None
            if sense is None or not self.kind(sense.name, WEAPON):
                continue
            thing = self.scene.new([sense.name], " ".join(w.text for w in said[at:]))
            act.link("object", thing)
            for actor in act.links.get("actor", ()) if said[at - 1].low in OWN else ():
                actor.link("possesses", thing)
            return

    def made(self, actor: Thing | None, kind: str, said: str) -> Thing:
        """An act of a kind; where an attack is told to do it, that attack: OBA that scores a CH is one."""
        if actor is None or not self.scene.below(actor, "Attack") or not self.kind(kind, "Attack"):
            return self.scene.new([kind], said)
        if not self.fits(actor, kind):
            raise self.stuck("it cannot be that as well")
        self.say(actor, kind, False, self.i)
        return actor

    def does(self, act: Thing, actor: Thing) -> None:
        """Says who does an act; a weapon that fires is fired by somebody."""
        if self.scene.below(actor, ACT):
            raise self.stuck()  # an attack goes nowhere
        fired = self.scene.below(act, "Attack") or self.vocabulary.resolve("hit", [self.classes]) in act.kinds
        arms = fired and self.scene.below(actor, WEAPON) and "weapon" in self.properties
        act.link("weapon" if arms else "actor", actor)
        for name in actor.doing:
            if not self.fits(act, name):
                raise self.stuck("it cannot be that as well")
            self.say(act, name, False, self.i)
        actor.doing.clear()

    def conducted(self, actor: Thing | None, asked: bool) -> Thing | None:
        """An act that is told as a noun behind a verb that says no more: conduct Defensive Fire, make a move, take a test."""
        start = self.i
        if not (self.take(*DOING) and not self.over()):
            return self.done_to(actor, asked)
        if self.take("to"):
            return self.act_of(actor, False, asked)
        used = self.line[self.i - 1].low == "use"
        if used and (
            self.attempt(lambda: self.used_as(actor, asked)) or self.attempt(lambda: self.made_use(actor, asked))
        ):
            return self.scene.act
        self.take("a", "an", "any", "the", "its")
        ways = (DEED, HOW) if used else (DEED,)  # use Bypass Movement: a way of moving
        for found in self.lexicon.all(self.line, self.i, ways):
            if found.denied or not self.kind(found.senses[0].name, ACT):
                continue
            shown = self.line[self.i - 1].low in ("the", "this") and not asked
            known = self.scene.act if shown and self.scene.act and not self.scene.act.links.get("actor") else None
            self.i += found.length
            same = known is not None and self.scene.below(known, found.senses[0].name)
            act = known if same and known is not None else self.made(actor, found.senses[0].name, "act")
            return self.noun_act(act, actor, asked)
        self.i = start
        if used and (staying := self.used_place(actor)) is not None:
            return staying
        return self.done_to(actor, asked)

    def noun(self, verbs_stop: bool = False, states: bool = True, places: bool = True) -> Thing | None:
        """The thing that a noun phrase speaks of; a deed told as a noun takes what goes with it."""
        thing = super().noun(verbs_stop, states, places)
        if thing is not None and self.scene.below(thing, ACT) and states:
            self.complements(thing, False, False)
            if self.low() in ("that", "which"):
                ways = (lambda: self.take("that", "which") and self.verb_phrase(thing), lambda: self.as_he_did(thing))
                any(self.attempt(way) for way in ways)
        return thing

    def done_by(self, thing: Thing) -> bool:
        """Takes what a thing does: that moves into a minefield."""
        act = self.doing(thing)
        if act is not None and self.scene.act is None and act not in self.scene.happened:
            self.scene.act = act
        self.told = act or self.told
        return act is not None

    def done_to_it(self, thing: Thing) -> bool:
        """Takes what somebody does to a thing, behind `that`: that the MG fires at, which it hits."""
        doer, self.doer, self.wanted, self.aimed = self.doer, None, "", False
        self.doer, doer = doer, self.noun(verbs_stop=True)  # it: whom the sentence is about
        if doer is None or doer is thing or not doer.kinds:
            return False
        start, link = self.i, self.taken(LINK)
        if link is not None and self.may_link(doer, link.name) and self.relate(doer, link.name, thing):
            return True  # that it possesses
        self.i = start
        found = self.deed()
        verb = next((s for s in found.senses if s.verb), None) if found is not None else None
        if found is None or verb is None or self.scene.below(doer, PLACE):
            return False
        past = self.in_the_past(found)
        self.i += found.length
        act = self.scene.new([verb.name], self.line[self.i - 1].text)
        self.does(act, doer)
        role = next((role for word, role in self.roles(act) if self.take(word)), "") or self.direct(act)
        act.earlier = self.take("turn-before")
        self.scene.happened += [act] * (past and not act.earlier)
        self.scene.act = self.scene.act or act
        return self.join(act, role, thing, self.i) and (
            self.over() or not (self.low() in DETERMINERS or self.found(KIND))
        )

    def entered_before(self, mover: Thing, place: Thing) -> bool:
        """Takes `has just entered`, `entered last turn`, behind a place and who did it: that he went there."""
        perfect = self.take("has just", "had just", "has", "have", "had", "just")
        found = self.deed()
        verb = (
            next((s for s in found.senses if s.verb and self.kind(s.name, "Entry")), None)
            if found is not None
            else None
        )
        if found is None or verb is None or not (perfect or self.in_the_past(found)) or self.low() in LEAVING:
            return False
        self.i += found.length
        act = self.scene.new([verb.name], "entry")
        act.link("actor", mover)
        act.link("destination", place)
        act.earlier = self.take("turn-before")
        self.scene.happened.append(act)
        return True

    def purpose(self, act: Thing) -> bool:
        """Takes `to gap the wire`, behind a test: for which other act of his it is done."""
        doers = act.links.get("actor", ())
        if not doers or not self.take("in order to", "to"):
            return False
        gained = self.vocabulary.resolve(f"for {self.low()} of", [self.properties])
        if gained is not None and self.may_link(act, gained):
            self.i += 1
            other = self.noun(verbs_stop=True)  # to Control it: for Control of it
            return other is not None and self.join(act, gained, other, self.i)
        if self.deed() is None:
            return False
        meant = self.act_of(doers[0], asked=False)
        if meant is not None and self.scene.act is None:
            self.scene.act = act
        if meant is not None:
            self.is_for(act, meant)
        return meant is not None

    def is_for(self, act: Thing, other: Thing) -> bool:
        """Says that an act is for another one of his, where the book has a relation for that: a test for a crossing."""
        fors = [
            n
            for n, p in self.properties.items()
            if p.label.split()[-1] == "for" and self.scene.below(act, p.domain) and p.domain != ACT
        ]
        fit = len(fors) == 1 and fors[0] not in act.links and act.links.get("actor") == other.links.get("actor")
        if fit:
            act.link(fors[0], other)
        return fit

    def undergone(self, thing: Thing) -> bool:
        """Takes what is done to a thing, told behind it without is: a Turret hit by a Bunker Buster."""
        found = self.deed()
        return found is not None and self.low(found.length) == "by" and self.participle() and self.done_by(thing)

    def in_the_midst(self, thing: Thing) -> bool:
        """Takes what a thing does, without that: a squad entering the hex."""
        nothing = any(self.scene.below(thing, top) for top in (ACT, PLACE))
        found = self.deed() if self.low().endswith("ing") and not nothing else None
        if found is None or self.low(found.length) == "by":
            return False
        act, there = self.scene.act, [f"{at} the same {what}" for at in ("at", "on") for what in ("target", "unit")]
        if act is not None and act.links.get("actor", [thing]) != [thing]:
            alike = any(self.scene.alike(sense.name, act.kinds) for sense in found.senses)
            self.i += found.length
            if alike and self.take(*there):
                if not act.links.get("target"):
                    act.link("target", self.scene.new([], "target"))
                return True  # as he does of whom it is asked: separately from another squad firing at the same target
            self.i -= found.length
        return self.done_by(thing)

    def participle(self) -> bool:
        """Whether the verb here may be one of what was done: hit, assaulted; not advance."""
        return self.low().endswith("ed") or self.low() in participles(self.low())

    def doing(self, thing: Thing) -> Thing | None:
        """An act that a thing is told to do: fires at it, is firing, is hit by, has moved into."""
        start = self.i
        perfect = self.take("has", "have", "had")
        passive = False
        found = self.deed()
        past = self.in_the_past(found)
        if self.take("been"):
            passive = True
        elif not perfect and self.take(*BE):
            passive = not (self.low().endswith("ing"))
        elif found is not None and self.low(found.length) in ("by", "at") and self.low(found.length + 1) != "the":
            passive = self.low(found.length) == "by" or self.low(found.length + 1) in (
                "by",
                "from",
                "",
            )  # hit by, shot at by
        if self.low() in NOT:
            self.i = start
            return None
        act = self.act_of(thing, passive, asked=False)
        if act is None or (perfect and passive):
            self.i = start
            return None
        if perfect or past:
            self.scene.happened.append(act)
        return act

    def in_the_past(self, found: Found | None) -> bool:
        """Whether a verb is told of what somebody did: fired, moved; not of what was done to him."""
        word = self.low()
        names = [
            alt[3:].split()[0]
            for sense in (found.senses if found is not None else ())
            if sense.verb
            for alt in self.classes[sense.name].alt
            if alt.startswith("to ")
        ]
        return any(
            word == participles(name)[0] or word in participles(name)[1:] for name in names
        ) and not word.endswith("ing")
