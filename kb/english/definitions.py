"""Reads numbers that are asked for in the words by which they are defined: how far does a Demolition Carrier move once it is switched on."""

from __future__ import annotations

from kb.english.effects import EffectReader
from kb.english.lexicon import KIND, undone
from kb.english.words import Word, counted
from kb.language.english import base_form, participles, plural, singular

FAR = (
    "how far away", "how far", "how close", "how near", "from how far away", "from how far", "up to how far", "at what distance", "at which distance",
    *(f"{lead} how many" for lead in ("within", "from", "up to", "at", "for")), "how many",
)  # fmt: skip
UNITS = frozenset(["inch", "inches", "hex", "hexes"])
BOUNDING = ("may", "can", "must")
# Words that do not tell one number from another.
LITTLE_WORDS = """
a an the its his their it he they of to that which who within at on in for and or but still when while once if before after than from
number most least maximum minimum greatest may can could must be is are was do does did has have away off far close near become long
inch inches hex hexes other another any some only then so with by as all one same each get come keep
"""
LITTLE = frozenset(LITTLE_WORDS.split())
MOST_UNMATCHED = 0.4  # of the words of a definition that a question may leave out


class DefinitionReader(EffectReader):
    """Reads what is asked for by its definition."""

    def defined(self) -> bool:
        """Takes a question how far, or how many hexes, whose words are those of the definition of one number."""
        start = self.i
        far = self.take(*FAR)
        unit = self.low() if self.low() in UNITS else ""
        self.i += bool(unit)
        if not far or (not unit and self.line[start].low == "how" and self.low(-1) == "many"):
            return False
        asked = [w for n, w in enumerate(self.line) if n >= self.i and not w.sign and w.low not in LITTLE]
        if not asked or any(counted(w) for w in asked):
            return False
        found = {n: share for n in self.properties if (share := self.shared(n, asked, unit)) > 1 - MOST_UNMATCHED}
        if {*BOUNDING} & {w.low for w in self.line}:  # not how long it is, but how long it may be
            found = {n: share for n, share in found.items() if {*BOUNDING} & {*self.properties[n].definition.split()}}
        best = [n for n, share in found.items() if share == max(found.values(), default=0)]
        if len(best) != 1:
            return False
        last = " with {s}" in self.properties[best[0]].verbalization
        for at in sorted(range(self.i, len(self.line)), reverse=last):
            self.i = at
            there = self.lexicon.at(self.line, at, (KIND,)) if self.line[at - 1].low != "other" else None
            bearer = self.noun(verbs_stop=True, states=False, places=False) if there is not None else None
            if bearer is not None and self.bearer(bearer, best[0]) is bearer:
                self.i, self.it = len(self.line), bearer
                self.count_asked = self.valued(best[0], bearer)
                return True
        return False

    def shared(self, name: str, asked: list[Word], unit: str) -> float:
        """How much of the definition of a number, in inches or hexes, a question has, all of whose own words are there; else 0."""
        prop = self.properties[name]
        if prop.kind != "number" or prop.unit not in (("inches", "hexes") if not unit else (unit, plural(unit))):
            return 0
        told = [w.strip(",") for w in prop.definition.casefold().replace("-", " ").split() if w not in LITTLE]
        met = set()
        for word in asked:
            wide = self.lexicon.meaning([word])
            kinds = [s.name for s in wide.senses if s.sort == KIND] if wide is not None else []
            labels = {self.classes[a].label.casefold() for k in kinds for a in (k, *self.classes[k].ancestors)}
            ways = forms(word.low).union(*(forms(w) for label in labels for w in label.split()))
            same = {n for n, w in enumerate(told) if forms(w) & ways or (w == "thing" and kinds)}
            if not same and word.low not in prop.domain.casefold():
                return 0
            met |= same
        return len(met) / len(told) if told else 0


def forms(word: str) -> set[str]:
    """A word in its forms: shoot, shoots, shooting, shot."""
    bases = {word, singular(word), base_form(word), *undone(word)}
    return bases.union(*({plural(base), *participles(base)} for base in bases))
