"""Reads the parts of a noun phrase: the next stretch of it, whether one more noun belongs to it, where it ends, who is named by a part in the act."""

from __future__ import annotations

from kb.english.lexicon import DEED, HOW, KIND, LINK, Found
from kb.english.pronouns import PRONOUNS, PronounReader
from kb.english.references import AMMUNITION, AT, PLACE, TERRAIN, WEAPON, Phrase
from kb.english.thing import ACT, SIDES, Thing

ROLES, ROLE_NOUNS = ("target", "actor", "weapon"), ("target", "firer", "mover", "attacker", "weapon")
BEING = ("is", "are", "was", "were", "may", "can", "must")
BEFORE_NOUNS = ("have", "has", "if", "when", "while", "to", "into", "from", "at", "through", "by", "with")


class PhraseReader(PronounReader):
    """Reads the parts of noun phrases."""

    def verb_or_end(self) -> bool:
        """Whether what stands here is no noun: my squad inside moves."""
        deed = self.found(DEED)
        return self.ends() or (deed is not None and any(s.verb for s in deed.senses))

    def ends(self) -> bool:
        """Whether a noun phrase has ended here: a sign, a preposition, or the end."""
        return self.over() or self.line[self.i].sign or self.low() in (*BEING, *BEFORE_NOUNS)

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
                and (self.low() in ROLE_NOUNS or self.low().endswith("er"))
            ):
                self.i += found.length
                there = act.links.get(sense.name)
                if there:
                    return there[0]
                thing = self.scene.new([], " ".join(w.text for w in self.line[start : self.i]))
                act.link(sense.name, thing)
                return thing
        return None

    def holder(self, thing: Thing) -> Thing:
        """Who has a thing that somebody has: where that is, he is."""
        return next((t for t in self.scene.things if thing in t.links.get("possesses", ())), thing)

    def own_place(self, owner: Thing | None, phrase: Phrase) -> Thing | None:
        """The place that is told as somebody's: where he is; None where it is none, or not told to be so."""
        kinds = phrase.kinds
        if (
            owner is None
            or phrase.before
            or phrase.states
            or not (kinds == ["Location"] or [*map(self.cell, kinds)] == [True])
        ):
            return None
        who = self.holder(owner)
        if not self.scene.below(who, "Piece"):
            return None
        if kinds != ["Location"]:
            return self.hex_of(self.ground_of(who))
        if not who.links.get(AT):
            who.link(AT, self.scene.new(phrase.kinds, "Location"))
        return who.links[AT][0]

    def part(self, noun: bool, verbs_stop: bool) -> Found | None:
        """The next stretch of a noun phrase. A hex of something is read as two words, so that it is known whose hex it is."""
        if self.low() in PRONOUNS and self.line[self.i].text.islower():
            return None  # he is no HE
        for found in self.lexicon.all(self.line, self.i, (KIND, HOW, DEED)):
            if found.length > 1 and found.of(KIND) and self.hex_of_work(found.length):
                continue
            said = [self.low(n) for n in range(found.length + 1)]
            if found.of(KIND) and "by" in said and said[said.index("by") - 1].endswith("ed"):
                continue  # the squad affected by an overrun: what is told of it, or asked
            deeds = [s for s in found.senses if s.sort == DEED]
            if noun and self.low() in BEFORE_NOUNS and not found.of(KIND, HOW):
                continue  # a squad at Long Range: how it fires, and not the name of an act of its own
            if verbs_stop and found.length > 1 and self.verb_last(found.length):
                continue  # a player turn, where may a player turn something?
            if noun and verbs_stop and deeds and (not found.of(KIND) or self.verb_last(found.length)):
                return None
            if not found.of(KIND, HOW) and all(s.verb for s in deeds):
                continue
            return found
        return None

    def joins(self, phrase: Phrase, name: str) -> bool:
        """Whether one more noun belongs to the phrase: of the same thing (enemy leader), or the one that the others go with (mortar fire)."""
        others = [k for k in phrase.kinds if k not in SIDES]
        if not others:
            return True
        acts = [ACT in self.classes[k].ancestors for k in (*others, name)]
        if all(acts) and any(k != name and k in self.classes[name].ancestors for k in others):
            return False  # is its fire Area Fire: what is asked, and no second name of it
        if len(set(acts)) == 1 and not any(name in self.classes[k].disjoint for k in others):
            return True
        arms = all(self.kind(k, WEAPON) for k in others) and not self.kind(name, WEAPON)
        if arms and self.kind(name, "Unit") and "possesses" in self.properties:
            pass  # a mortar crew
        elif acts[-1] and not any(acts[:-1]):
            if not all(any(self.kind(k, cls) for cls in (WEAPON, AMMUNITION, "Piece")) for k in others):
                return False
        elif not (self.cell(name) or (self.kind(others[-1], TERRAIN) and self.kind(name, PLACE))):
            return False
        phrase.before += others
        phrase.kinds = [k for k in phrase.kinds if k in SIDES]
        return True
