"""Reads what is done: the verb that begins an act, by whom, actively or passively, or as a noun behind a verb that says no more."""

from __future__ import annotations

from collections.abc import Sequence

from kb.english.acts import LEAVING, ActReader
from kb.english.asides import BE, NOT
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND, LINK, Found
from kb.english.references import PLACE, WEAPON
from kb.english.scene import ACT, Thing
from kb.english.words import Word
from kb.language.english import base_form, participles, plural

SAYING_NO_MORE = ("try", "conduct", "make", "perform", "attempt", "claim", "score")
DOING = (
    *(form for verb in SAYING_NO_MORE for form in (verb, plural(verb), *participles(verb))),
    "take", "carry out", "use", "do", "pass",
)  # fmt: skip  # verbs behind which a noun tells what is done
POSSESSIVE = ("its", "his", "her", "their", "my", "our")


class VerbReader(ActReader):
    """Reads acts."""

    def deed(self) -> Found | None:
        """The verb here, as a stretch of words that names a kind of act."""
        for found in self.lexicon.all(self.line, self.i, (DEED,)) if not self.over() else ():
            if any(s.verb for s in found.senses):
                return found
        return None

    def act_of(self, actor: Thing | None, passive: bool = False, asked: bool = True) -> Thing | None:
        """The act that the verb here begins, with all that goes with it; None where no verb stands here.

        passive: what was read as its actor is what it is done to.
        """
        start = self.i
        self.take("also", "then")
        found = self.deed()
        if found is None:
            return self.conducted(actor, asked)
        if not passive and (made := self.done_to(actor, asked)) is not None:
            return made
        verb = next(s for s in found.senses if s.verb)
        leaving = self.low() in LEAVING
        self.i += found.length
        act = self.scene.new([verb.name], " ".join(w.text for w in self.line[start : self.i]), first=False)
        if asked and self.scene.act is None:
            self.scene.act = act
        if passive:
            if actor is not None:
                arms = self.scene.below(act, "Fire") and self.scene.below(actor, WEAPON)
                goes = self.scene.below(act, "Entry") and self.scene.below(actor, "Piece")
                act.link("weapon" if arms else "actor" if goes else self.direct(act, leaving), actor)
                if self.low() == "at" and self.low(1) in ("by", "", "if", "when", "while", "from"):
                    self.i += 1
        elif actor is not None:
            self.does(act, actor)
        self.with_thing(act, self.line[start : self.i])
        self.complements(act, leaving, not passive)
        if self.scene.below(act, "Entry") and not passive:
            self.implied(act, base_form(self.line[start].low))
        return act

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
            for actor in act.links.get("actor", ()) if said[at - 1].low in POSSESSIVE else ():
                actor.link("possesses", thing)
            return

    def does(self, act: Thing, actor: Thing) -> None:
        """Says who does an act; a weapon that fires is fired by somebody."""
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
            self.i += found.length
            act = self.scene.new([found.senses[0].name], "act")
            if asked and self.scene.act is None:
                self.scene.act = act
            if actor is not None:
                act.link("actor", actor)
            self.complements(act, False, False)
            return act
        self.i = start
        if used and (staying := self.used_place(actor)) is not None:
            return staying
        return self.done_to(actor, asked)

    def used_place(self, actor: Thing | None) -> Thing | None:
        """Takes `use foxholes`, of a place: to be in it."""
        self.i += 1
        place = self.noun(verbs_stop=True)
        if place is None or not self.scene.below(place, PLACE) or "Occupation" not in self.classes or actor is None:
            self.i -= 1
            return None
        self.scene.act = act = self.scene.new(["Occupation"], "use")
        act.link("actor", actor)
        act.link("place", place)
        self.complements(act, False, False)
        return act

    def done_to(self, actor: Thing | None, asked: bool) -> Thing | None:
        """An act named by its verb and what it is done to, which is told with an article: direct the attack, to direct fire."""
        start, verb = self.i, base_form(self.low())
        if self.low(1) not in ("the", "this", "that", "an", "another"):
            return None
        known = list(self.scene.things)
        self.i += 1
        mark = self.scene.mark()
        thing = self.noun(states=False)
        for found in (f for n in ("fire", "attack") if (f := self.lexicon.meaning([Word(verb, 0, 0), Word(n, 0, 0)]))):
            sense = next((s for s in found.senses if s.sort == DEED and s.verb), None)
            told = (
                thing is not None
                and self.scene.below(thing, "Attack")
                and (thing in known or not {*thing.links} - {"actor", "weapon"})
            )
            if sense is None or not told:
                continue
            end = self.i
            if thing not in known:
                self.scene.back(mark)
            self.i = end
            act = self.scene.new([sense.name], "act")
            if asked and self.scene.act is None:
                self.scene.act = act
            if actor is not None:
                act.link("actor", actor)
            self.complements(act, False, False)
            return act
        self.scene.back(mark)
        self.i = start
        return None

    def used_as(self, actor: Thing | None, asked: bool) -> bool:
        """Takes `a Bunker as the Aiming Point of a bombardment`: a part that a thing is given in an act told as a noun."""
        thing = self.noun(verbs_stop=True)
        if thing is None or not self.take("as"):
            return False
        self.take("the", "an", "a", "its")
        link = self.found(LINK)
        if link is None or link.of(LINK) is None:
            return False
        role = link.of(LINK).name  # type: ignore[union-attr]
        self.i += link.length
        if not self.take("of", "for", "in"):
            return False
        act = self.noun()
        if act is None or not self.scene.below(act, ACT) or not self.may_link(act, role):
            return False
        if actor is not None and "actor" not in act.links:
            act.link("actor", actor)
        act.link(role, thing)
        if asked:
            self.scene.act = act
        return True

    def made_use(self, actor: Thing | None, asked: bool) -> bool:
        """Takes `Volley Fire when shooting at a Bunker`: what there is an act of using, and what it is used in."""
        start = self.i
        self.take("a", "an", "the", "any")
        found = self.found(KIND)
        sense = found.of(KIND) if found is not None else None
        if found is None or sense is None or not asked:
            return False
        wider = sorted(self.classes[sense.name].ancestors)
        uses = (
            self.lexicon.meaning([Word(w, 0, 0) for w in f"use the {self.classes[a].label}".split()]) for a in wider
        )
        deed = next((d for u in uses if u is not None and (d := u.of(DEED)) is not None), None)
        roles = [n for n, p in self.properties.items() if p.range in wider and p.kind == "object"]
        if deed is None or not roles:
            return False
        self.i += found.length
        self.scene.act = act = self.scene.new([deed.name], " ".join(w.text for w in self.line[start : self.i]))
        role = min((r for r in roles if self.may_link(act, r)), key=lambda r: len(self.properties[r].below), default="")
        if not role:
            return False
        act.link(role, self.scene.new([sense.name], sense.name))
        if actor is not None:
            act.link("actor", actor)
        if self.take("when", "while", "in"):
            inner = self.deed()
            self.i += inner.length if inner is not None else 0
        self.complements(act, False, False)
        return True

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
        return act is not None

    def purpose(self, act: Thing) -> bool:
        """Takes `to gap the wire`, behind a test: for which other act of his it is done."""
        doers = act.links.get("actor", ())
        if not doers or not self.take("in order to", "to") or self.deed() is None:
            return False
        meant = self.act_of(doers[0], asked=False)
        if meant is not None and self.scene.act is None:
            self.scene.act = act
        fors = [
            n
            for n, p in self.properties.items()
            if p.label.split()[-1] == "for" and self.scene.below(act, p.domain) and p.domain != ACT
        ]
        if meant is not None and len(fors) == 1 and fors[0] not in act.links:
            act.link(fors[0], meant)
        return meant is not None

    def undergone(self, thing: Thing) -> bool:
        """Takes what is done to a thing, told behind it without is: a Turret hit by a Bunker Buster."""
        found = self.deed()
        return found is not None and self.low(found.length) == "by" and self.participle() and self.done_by(thing)

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
            passive = self.low(found.length) == "by" or self.low(found.length + 1) == "by"  # hit by, shot at by
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

    def in_group(self, subject: Thing) -> bool:
        """Takes `be part of a multi-Location FG`, `join in one FG`: that somebody is of those who form one."""
        if not self.take(
            "part of", "a part of", "a member of", "members of", "join together in", "join in", "join", "in"
        ):
            return False
        if not self.take("a", "an", "the", "one", "this", "that"):
            return False
        how = self.found(HOW)
        self.i += how.length if how is not None else 0
        found = self.found(KIND)
        sense = found.of(KIND) if found is not None else None
        if found is None or sense is None or not self.kind(sense.name, "Group"):
            return False
        label = [Word(w, 0, 0) for w in ("form", *self.classes[sense.name].label.split())]
        meant = self.lexicon.meaning(label)
        deed = meant.of(DEED) if meant is not None else None
        if deed is None:
            return False
        self.i += found.length
        self.scene.act = act = self.scene.new([deed.name], "act")
        act.link("actor", subject)
        if self.take("with"):
            self.anew = True
            other = self.noun(verbs_stop=True)
            self.anew = False
            if other is None or other is subject:
                return False
            subject.fellows.append(other)
        if not subject.fellows and subject.count < 2:  # nobody is a group by himself
            subject.fellows.append(self.scene.new(["Unit" if "Unit" in self.classes else "Piece"], "another"))
        for state in (s for s in (how.senses if how is not None else ()) if s.sort == HOW):
            if not self.fits(act, state.name, how.denied):  # type: ignore[union-attr]
                return False
            self.say(act, state.name, how.denied, self.i)  # type: ignore[union-attr]
        self.complements(act, False, False)
        return True
