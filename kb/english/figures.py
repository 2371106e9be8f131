"""Reads numbers that stand before a noun: two squads, 105mm OBA, a -1 leader, a 1-3-5 pillbox."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.english.letters import LetterReader
from kb.english.lexicon import DEED, HOW, KIND, NUMBER
from kb.english.references import WEAPON, Phrase
from kb.english.thing import Thing
from kb.english.words import counted

ROW, IN_A_ROW = re.compile(r"\d+(?:-\d+){2}$"), ("first", "second", "third")
MOST_COUNTED = 9  # things that are each named when several are told at once


class FigureReader(LetterReader):
    """Reads figures."""

    def counts(self) -> bool:
        """Whether a number here counts things: two squads, not 2 MF."""
        value = counted(self.line[self.i])
        signed = self.line[self.i].text[0] in "+-−–"  # a +1 leader: his modifier
        if signed or not value.isdigit() or not 0 < int(value) <= MOST_COUNTED or self.i + 1 >= len(self.line):
            return False
        signed = self.line[self.i + 1].text[0] in "+-−–" and bool(counted(self.line[self.i + 1]))  # two -1 leaders
        after = self.i + 1 + signed + (self.low(1) in ("other", "more", "further", "new", "adjacent"))
        found = self.lexicon.at(self.line, after, (KIND, HOW, DEED)) if after < len(self.line) else None
        number = self.lexicon.at(self.line, self.i + 1, (NUMBER,))
        return found is not None and (number is None or number.length < found.length)

    def modifier_of(self, at: int) -> str:
        """The number that is told before a kind of thing by its sign alone: a -1 leader, its leader DRM; "" where it has none."""
        labels = (self.classes[s.name].label for f in self.lexicon.all(self.line, at, (KIND,)) for s in f.senses)
        return next((n for label in labels if (n := self.vocabulary.resolve(f"{label} DRM", [self.properties]))), "")

    def by_number(self) -> bool:
        """Takes the name of a number before the deed that is done with it, and no figure: an inherent-FP attack."""
        number = self.lexicon.at(self.line, self.i, (NUMBER,))
        if number is None or self.i + number.length >= len(self.line):
            return False
        deed = self.lexicon.at(self.line, self.i + number.length, (DEED,))
        other = self.lexicon.at(self.line, self.i, (KIND, HOW, DEED))
        arms = other is not None and all(s.sort == KIND and self.kind(s.name, WEAPON) for s in other.senses)
        if deed is None or (other is not None and not arms):
            return False
        self.i += number.length
        return True

    def factors(self, kinds: Sequence[str]) -> list[str]:
        """The numbers that the ontology calls first, second and third of a kind of thing: a 1-3-5 pillbox."""
        own = [
            p for p in self.properties.values() if p.domain in self.classes and self.vocabulary.entails(kinds, p.domain)
        ]
        names = [
            (n, p.name) for n, nth in enumerate(IN_A_ROW) for p in own if any(a.startswith(f"{nth} ") for a in p.alt)
        ]
        return [name for _, name in sorted(names)] if len(names) == len(IN_A_ROW) else []

    def row_of(self, thing: Thing) -> bool:
        """Takes `a 1-3-5`, of a pillbox: its numbers in their order."""
        row = self.line[self.i].text.split("-") if self.take("a", "the") and not self.over() else []
        names = self.factors(thing.kinds) if len(row) == len(IN_A_ROW) else []
        self.i += bool(names)
        return bool(names) and all(self.numbered(thing, n, value, self.i) for n, value in zip(names, row, strict=True))

    def figure(self, phrase: Phrase) -> bool:
        """Takes a number that stands before the noun: 105mm OBA, a 4 FP squad."""
        value = counted(self.line[self.i])
        if self.i + 1 >= len(self.line):
            return False
        row = self.line[self.i].text.split("-")
        if ROW.match(self.line[self.i].text) and self.found(KIND) is not None:
            return False  # a 1-4-6 pillbox is a kind of its own
        if len(row) == len(IN_A_ROW):
            found = self.lexicon.at(self.line, self.i + 1, (KIND,))
            names = self.factors([s.name for s in found.senses]) if found is not None else []
            phrase.figures += [(name, number, self.i) for name, number in zip(names, row, strict=False)]
            self.i += bool(names)
            return bool(names)
        if value and self.line[self.i].text[0] in "+-−–0" and (name := self.modifier_of(self.i + 1)):
            phrase.figures.append((name, value, self.i))
            self.i += 1
            return True
        for found in self.lexicon.all(self.line, self.i + 1, (NUMBER,)):
            after = self.i + 1 + found.length
            if after < len(self.line) and self.lexicon.at(self.line, after, (KIND, HOW, DEED)) is not None:
                phrase.figures.append((found.senses[0].name, value, self.i))
                self.i = after
                return True
        return False
