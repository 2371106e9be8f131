"""Reads pronouns: it, this one, I; and tells where a noun ends and a verb begins."""

from __future__ import annotations

from kb.english.cursor import Stuck
from kb.english.figures import FigureReader
from kb.english.lexicon import BACK, DEED, HOW, KIND, PHASE
from kb.english.references import PLACE
from kb.english.scene import ACT, Thing
from kb.language import english

PRONOUNS = frozenset(["it", "he", "they", "him", "them", "she", "itself"])
MYSELF = frozenset(["i", "we"])
UNNAMED = frozenset(["outside", "hex", "place"])  # places that no word has named: it is none of them
ORDINALS = frozenset(["second", "third", "fourth", "fifth"])
CELLS = frozenset(["hex", "hexes"])


class PronounReader(FigureReader):
    """Reads pronouns. wanted: the kind of thing that is to stand here, where that is known."""

    wanted = ""

    def pronoun(self) -> Thing | None:
        """Whom or what it speaks of: whom the sentence is about, or, of what somebody does, the one other thing that it may be done to."""
        start, low, doer = self.i, self.low(), self.doer
        self.i += 1
        fits = self.it is not None and (
            not self.wanted or self.scene.below(self.it, self.wanted) or not self.scene.clash(self.it, [self.wanted])
        )
        if self.it is not None and (self.it is not doer or low == "itself") and fits:
            return self.it
        others = [
            t
            for t in self.scene.things
            if t is not doer
            and t.kinds
            and self.scene.below(t, self.wanted or "Thing")
            and not self.scene.below(t, ACT)
        ]
        others = [t for t in others if not self.scene.below(t, PHASE) and t.said not in UNNAMED]
        if len(others) > 1 and self.named in others:
            raise Stuck(start, f"what is meant by “{low}”?", True)
        if len(others) == 1:
            return others[0]
        return None if self.wanted else self.it

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
        self.i = start
        return False

    def does_it(self, length: int) -> bool:
        """Whether a stretch is rather somebody and what he does to something."""
        who = self.lexicon.at(self.line[: self.i + 1], self.i, (KIND,))
        does = self.lexicon.at(self.line, self.i + 1, (BACK,)) if length > 2 else None
        return who is not None and does is not None and does.length == 1

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
            and after in ("a", "an", "the", "its", "his", "at", "into", "by")
        )

    def adjective(self, ahead: int) -> bool:
        """Whether a state, or a kind, is told some words on."""
        found = self.lexicon.at(self.line, self.i + ahead, (KIND, HOW)) if self.i + ahead < len(self.line) else None
        return found is not None
