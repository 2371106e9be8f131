"""Reads pronouns: it, this one, I; and tells where a noun ends and a verb begins."""

from __future__ import annotations

from kb.english.cursor import Stuck
from kb.english.figures import FigureReader
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND, LINK, PHASE
from kb.english.references import PLACE, TERRAIN
from kb.english.thing import ACT, Thing
from kb.english.words import counted
from kb.language import english

PRONOUNS = frozenset(["it", "he", "they", "him", "them", "she", "itself"])
MYSELF = frozenset(["i", "we"])
UNNAMED = frozenset(["outside", "hex", "place"])  # places that no word has named: it is none of them
ORDINALS = ("second", "third", "fourth", "fifth")
BESIDE = frozenset(["adjacent", "accessible"])  # said of a place without the other one
BEHIND_VERBS = DETERMINERS | {"it", "him", "them", "at", "into", "by", "out", "any", "another", "both", "some"}
CELLS = frozenset(["hex", "hexes"])


class PronounReader(FigureReader):
    """Reads pronouns. wanted: the kind of thing that is to stand here, where that is known; enclosed: whether what is read stands
    between commas."""

    wanted, enclosed = "", False

    def pronoun(self) -> Thing | None:
        """Whom or what it speaks of: whom the sentence is about, or, of what somebody does, the one other thing that it may be done to."""
        start, low, doer = self.i, self.low(), self.doer
        self.i += 1
        surely = [t for t in self.scene.things if self.wanted and t is not doer and self.scene.below(t, self.wanted)]
        fits = self.it is not None and (
            not self.wanted or self.it in surely or not (surely or self.scene.clash(self.it, [self.wanted]))
        )
        fits = fits and not (self.aimed and self.it is not None and self.scene.below(self.it, ACT))
        if self.it is not None and (self.it is not doer or low == "itself") and fits:
            return self.it
        others = [
            t
            for t in self.scene.things
            if t is not doer
            and t.kinds
            and (not self.wanted or self.scene.below(t, self.wanted))
            and not self.scene.below(t, ACT)
        ]
        others = [t for t in others if not self.scene.below(t, PHASE) and t.said not in UNNAMED]
        if self.line[start - 1].low in ("at", "on", "against") and (foe := self.foe_of_talk(others)) is not None:
            return foe
        if len(others) > 1 and self.named in others:
            raise Stuck(start, f"what is meant by “{low}”?", True)
        if len(others) == 1:
            return others[0]
        return None if self.wanted else self.it

    def foe_of_talk(self, among: list[Thing]) -> Thing | None:
        """Whom the last sentence was about, where he is of the other side than the doer: an enemy squad is outside, may he fire at it."""
        last, doer = self.scene.last, self.doer
        if last is None or doer is None or last not in among or not self.scene.below(last, "Piece"):
            return None
        return last if ("Enemy" in last.kinds) != ("Enemy" in doer.kinds) else None

    def one_of_several(self) -> bool:
        """Whether what the sentence is about was told as one, and another piece was told, which may be several."""
        it = self.it
        if it is None or it.count > 1 or it.fellows or not it.said:
            return False
        word = it.said.split()[-1]
        several = english.singular(word) != word or not self.scene.below(it, "Piece")
        return not several and any(t is not it and self.scene.below(t, "Piece") for t in self.scene.things)

    def myself(self) -> Thing:
        """Who asks: whoever acts, of whom no more is told than whose side he is on."""
        for thing in self.scene.things:
            if thing.said == "I":
                return thing
        return self.scene.new([k for k in ("Friendly",) if k in self.classes] or ["Thing"], "I")

    def main_one(self) -> bool:
        """Takes `this one`, `this third one`: whom the question is about."""
        start = self.i
        if self.scene.main is not None and self.take("this") and (self.take(*ORDINALS) or True) and self.take("one"):
            return True
        return self.back_at(start)

    def free_place(self) -> bool:
        """Whether a `free` stands here before a place, which is then empty; and is no name of a kind of thing."""
        named = self.lexicon.at(self.line, self.i, (KIND,))
        after = self.lexicon.at(self.line, self.i + 1, (KIND,)) if self.low() == "free" and named is None else None
        return after is not None and any(s.sort == KIND and self.kind(s.name, PLACE) for s in after.senses)

    def beside_role(self) -> str:
        """The relation that an adjective here tells without its other end: an adjacent hex; "" where none does."""
        sense = self.meant([self.line[self.i], "to"], LINK) or self.meant([self.line[self.i]], LINK)
        after = self.lexicon.at(self.line, self.i + 1, (KIND,)) if self.i + 1 < len(self.line) else None
        place = after is not None and any(s.sort == KIND and self.kind(s.name, PLACE) for s in after.senses)
        if sense is None or not place or self.properties[sense.name].range not in (PLACE, ""):
            return ""
        return sense.name if self.low() in BESIDE or (self.low().endswith("ed") and after is not None) else ""

    def besides(self) -> set[str]:
        """The relations of being adjacent."""
        return {n for n, p in self.properties.items() if p.label.split()[0].casefold() in BESIDE}

    def hex_of_work(self, length: int) -> bool:
        """Whether a stretch names the hex of a place or terrain (pillbox hex), and no kind of hex of its own (Beach hex)."""
        if self.line[self.i + length - 1].low not in CELLS:
            return False
        sense = self.meant(self.line[self.i : self.i + length - 1], KIND)
        return sense is not None and (self.kind(sense.name, PLACE) or self.kind(sense.name, TERRAIN))

    def verb_last(self, length: int) -> bool:
        """Whether the last word of a stretch is rather the verb: what it is done to follows."""
        last = self.i + length - 1
        alone = self.lexicon.at(self.line, last, (DEED,))
        after = self.line[last + 1] if last + 1 < len(self.line) else None
        return (
            alone is not None
            and any(s.verb for s in alone.senses)
            and after is not None
            and (after.low in BEHIND_VERBS or bool(counted(after)))
        )

    def adjective(self, ahead: int) -> bool:
        """Whether a state, or a kind, is told some words on."""
        found = self.lexicon.at(self.line, self.i + ahead, (KIND, HOW)) if self.i + ahead < len(self.line) else None
        return found is not None
