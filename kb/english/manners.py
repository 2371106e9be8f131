"""Reads how an act is done: at Long Range, in Close Combat, on the Infantry Target Type, successfully; and with what it is not done."""

from __future__ import annotations

from kb.english.asides import NOT
from kb.english.lexicon import DEED, HOW, KIND, Sense
from kb.english.references import PLACE
from kb.english.thing import ACT, Thing
from kb.english.whither import WhitherReader
from kb.english.words import stems
from kb.language.english import base_form, plural


class MannerReader(WhitherReader):
    """Reads manners. last: how an act was last said to be done, and where."""

    last: tuple[Thing, str, int] | None = None

    def manner(self, act: Thing) -> bool:
        """Takes how an act is done, in the words that the ontology has for it: from outside the CA, at Long Range, by paying one MF."""
        start = self.i
        if self.low() in ("against", "at", "vs", "on") and self.tried(act, self.told_of_target):
            return True
        denied = self.take(*NOT) or self.take("without")
        if self.low() == "on" and self.found(HOW, DEED, KIND) is None and self.scene.below(act, "Attack"):
            self.i += 1  # on Original Doubles
        for found in self.lexicon.all(self.line, self.i, (HOW, DEED)) if not self.over() else ():
            for sense in found.senses:
                if sense.verb and found.length == 1 and not found.of(HOW):
                    continue
                if self.low() == "into" and self.scene.below(act, "Entry"):
                    continue  # where it leads, of which the state follows
                if self.verb_awaited and self.bare_state(sense):
                    continue  # does the attack cower
                if (
                    ACT in self.classes[sense.name].ancestors
                    and self.fits(act, sense.name, denied != found.denied)
                    and (sense.sort == HOW or found.length > 1 or denied)
                ):
                    self.i += found.length
                    self.say(act, sense.name, denied != found.denied, start)
                    self.last = (act, sense.name, start)
                    return True
        return self.back_at(start)

    def bare_state(self, sense: Sense) -> bool:
        """Whether a state is told by a verb in the form that a does-question has: cower, of what cowers."""
        meant = self.lexicon.meaning([plural(self.low())]) if not self.over() else None
        return base_form(self.low()) == self.low() and meant is not None and sense in meant.senses

    def told_of_target(self, act: Thing) -> bool:
        """Takes `against a target not in Marsh`: what the ontology says of the attack by its target."""
        start = self.i
        self.i += 1
        self.take("a", "an", "the")
        for found in self.lexicon.all(self.line, self.i, (HOW,)):
            sense = found.of(HOW)
            if (
                sense is not None
                and found.length > 2
                and self.fits(act, sense.name, found.denied)
                and ACT in self.classes[sense.name].ancestors
            ):
                self.i += found.length
                self.say(act, sense.name, found.denied, start)
                return True
        return False

    def as_kind(self, act: Thing) -> bool:
        """Takes `with ATFP`, `in Close Combat`: of which narrower kind an act is."""
        rest = range(self.i, len(self.line))
        end = next((n for n in rest if self.line[n].sign or self.line[n].low in ("do", "have")), len(self.line))
        for kind in act.kinds if self.low() in ("in", "with", "by") else ():  # a hit in an assault
            meant = self.lexicon.meaning([*self.classes[kind].label.split(), *self.line[self.i : end]])
            narrow = meant.of(DEED, KIND) if meant is not None and not meant.denied else None
            if narrow is not None and narrow.name != kind and self.kind(narrow.name, kind):
                self.i = end
                self.scene.refine(act, [narrow.name])
                return True
        if not self.take("with", "using", "in", "as", "by"):
            return False
        self.take("a", "an", "the")
        found = self.found(DEED, KIND)
        sense = (found.of(DEED) or found.of(KIND)) if found is not None else None
        if found is None or sense is None:
            return False
        self.i += found.length
        if any(k in self.classes[sense.name].ancestors for k in act.kinds):
            self.scene.refine(act, [sense.name])
            return True
        both = self.scene.below(act, "Attack") and self.kind(sense.name, "Attack") and self.fits(act, sense.name)
        if both and not found.denied:
            self.say(act, sense.name, False, self.i)  # a CH with Indirect Fire
        return both and not found.denied

    def of_own_role(self, act: Thing) -> bool:
        """Takes `Infantry Target Type`: what can only stand in one role of an act."""
        thing = self.noun(verbs_stop=True)
        role = self.own_role(act, thing) if thing is not None else ""
        return thing is not None and bool(role) and self.join(act, role, thing, self.i)

    def own_role(self, act: Thing, thing: Thing) -> str:
        """The one role of an act that such a thing can stand in, being neither a piece nor a place; "" where there is none."""
        wide = not thing.kinds or any(self.scene.below(thing, top) for top in ("Piece", PLACE, ACT))
        roles = self.roles_of_kind(act, thing.kinds[0]) if not wide else []
        return roles[0] if len(roles) == 1 else ""

    def same_target(self, act: Thing) -> bool:
        """Takes `at the same squad`, of several who do one act: at one thing, which is none of them."""
        doers = [t for role in ("actor", *self.part_takers()) for t in act.links.get(role, ())]
        if sum(t.count + len(t.fellows) for t in doers) < 2 or not self.take(
            "at the same", "on the same", "against the same"
        ):
            return False
        if self.take("target", "target unit", "target units"):
            return True
        other = self.newly(verbs_stop=True)
        return other is not None and self.join(act, "target", other, self.i)

    def between(self, act: Thing) -> bool:
        """Takes `between a squad and an enemy squad`, of an attack: who makes it on whom."""
        if not self.scene.below(act, "Attack") or {"actor", "target"} & {*act.links} or not self.take("between"):
            return False
        one = self.noun(verbs_stop=True)
        other = self.newly(verbs_stop=True) if self.take("and") else None
        if one is None or other is None or other is one:
            return False
        act.link("actor", one)
        act.link("target", other)
        return True

    def undone(self, act: Thing) -> bool:
        """Takes `without gapping it`, of what the act has to do with: that it is not gapped."""
        if not self.take("without") or not self.low().endswith("ing"):
            return False
        doing = self.line[self.i]
        self.i += 1
        known = [t for t in self.scene.things if t not in act.links.get("actor", ())]
        other = self.noun(verbs_stop=True, states=False)
        for sense in self.lexicon.brings(doing):
            if other is not None and other in known and self.fits(other, sense.name, True):
                self.say(other, sense.name, True, self.i)
                return True
        return False

    def adverb(self, act: Thing) -> bool:
        """Takes `successfully`: that an act is as the state that the adverb is made of says."""
        start = self.i
        for stem in stems(self.line[self.i]) if not self.over() else ():
            meant = self.lexicon.meaning([stem])
            sense = meant.of(HOW) if meant is not None else None
            if meant is not None and sense is not None and self.bearer_of(sense.name) and self.fits(act, sense.name):
                self.i += 1
                self.say(act, sense.name, meant.denied, start)
                return True
        return False
