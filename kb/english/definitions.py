"""Reads numbers that are asked for in the words by which they are defined: how far does a Demolition Carrier move once it is switched on,
what is the least caliber that eliminates the pillbox, in which turn is the obstacle gapped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.english.effects import EffectReader
from kb.english.lexicon import KIND, NUMBER, undone
from kb.english.thing import ACT
from kb.english.words import Word, counted
from kb.language.english import base_form, participles, plural, singular
from kb.language.vocabulary import PropertyTerm

FAR = (
    "how far away", "how far", "how close", "how near", "from how far away", "from how far", "up to how far", "at what distance", "at which distance",
    *(f"{lead} how many" for lead in ("within", "from", "up to", "at", "for")), "how many",
)  # fmt: skip
WHAT = ("what is the", "what is", "which is the", "what", "which")
IN_WHAT = ("in which", "in what", "with which", "with what", "from which", "from what")
LEAST = frozenset(["least", "smallest", "lowest", "fewest", "minimum", "minimal"])
MOST = frozenset(["most", "greatest", "largest", "highest", "biggest", "maximum", "maximal"])
UNITS = frozenset(["inch", "inches", "hex", "hexes"])
DONE_TO = re.compile(r"(?:can|may) be (\w+) (\w+)$")
BOUNDING = ("may", "can", "must")
# Words that do not tell one number from another.
LITTLE_WORDS = """
a an the its his their it he they of to that which who within at on in for and or but still when while once if before after than from
number may can could must is be are was does do did has have away off far close near become long this these what how many with
inch inches hex hexes other another any some only then so by as all one same each get come keep mm needed unit units los
"""
LITTLE = frozenset(LITTLE_WORDS.split()) | LEAST | MOST
MOST_UNMATCHED = 0.4  # of the words of a definition that a question may leave out
MOST_OF_LEAST = 0.7  # where it asks for the least or the most, as the definition has it


class DefinitionReader(EffectReader):
    """Reads what is asked for by its definition."""

    def defined(self) -> bool:
        """Takes a question how far, how many hexes, for the least or the most, whose words are those of the definition of one number."""
        far = self.take(*FAR)
        unit = self.low() if self.low() in UNITS else ""
        self.i += bool(unit)
        bound = next((s for s in (LEAST, MOST) if not far and s & {w.low for w in self.line[:5]}), frozenset[str]())
        timed = not far and self.take(*IN_WHAT) and self.found(NUMBER) is not None
        plain = [w.low for w in self.line[:2]] == ["how", "many"] and not unit
        if plain or not (far or timed or (bound and self.take(*WHAT))):
            return False
        asked = self.stretches()
        if not asked or any(counted(w) for words in asked for w in words):
            return False
        least = 1 - (MOST_OF_LEAST if bound else MOST_UNMATCHED)
        units = {"inches", "hexes"} if not unit else {unit, plural(unit)}
        some = [n for n, p in self.properties.items() if p.unit in units or not far]
        some = [n for n in some if not bound or bound & said(self.properties[n])]
        found = {n: share for n in some if (share := self.shared(n, asked)) > least}
        if {*BOUNDING} & {w.low for w in self.line} and far:  # not how long it is, but how long it may be
            bounds = {n: share for n, share in found.items() if {*BOUNDING} & {*self.properties[n].definition.split()}}
            found = bounds or found
        best = [n for n, share in found.items() if share == max(found.values(), default=0)]
        return len(best) == 1 and self.borne(best[0])

    def stretches(self) -> list[list[Word]]:
        """The words from here on that tell one number from another; those of one name together."""
        found, at = list[list[Word]](), self.i
        while at < len(self.line):
            named = self.lexicon.at(self.line, at, (KIND,))
            end = at + (named.length if named is not None else 1)
            words = [word for word in self.line[at:end] if not word.sign and word.low not in LITTLE]
            found += [words] if words else []
            at = end
        return found

    def borne(self, name: str) -> bool:
        """Finds of what a number is asked that is known by its definition: the last that is named, where its sentence says with what."""
        last = " with {s}" in self.properties[name].verbalization
        for at in sorted(range(max(self.i, self.done_to_asked(name)), len(self.line)), reverse=last):
            self.i = at
            if self.line[at - 1].low != "other" and self.tried(name, self.bears):
                self.i = len(self.line)
                return True
        return False

    def done_to_asked(self, name: str) -> int:
        """Where what it is done to stands behind its verb, of a number that is defined by what can be done to a thing: shoot at a Bunker."""
        told = DONE_TO.search(self.properties[name].definition)
        ends = range(2, len(self.line)) if told is not None else ()
        verbs = (n for n in ends if told and self.line[n - 1].low == told[2] and told[1] in forms(self.line[n - 2].low))
        return next(verbs, 0)

    def bears(self, name: str) -> bool:
        """Takes of what a number is asked: a thing that has it; where anything may have it, one that its definition speaks of."""
        there = self.found(KIND) if self.low() not in UNITS else None
        bearer = self.noun(verbs_stop=True, states=False, places=False) if there is not None else None
        if bearer is None or self.bearer(bearer, name) is not bearer or self.scene.below(bearer, ACT):
            return False
        told = {form for w in {*words_of(self.properties[name].definition)} - UNITS for form in forms(w)}
        labels = (self.classes[a].label for k in bearer.kinds for a in (k, *self.classes[k].ancestors))
        if self.properties[name].domain not in self.classes and not any(
            told & {"thing", *words_of(label)} for label in labels
        ):
            return False
        self.it = bearer
        self.count_asked = self.valued(name, bearer)
        return True

    def shared(self, name: str, asked: list[list[Word]]) -> float:
        """How much of the definition of a number a question has, all of whose own words are there, or in its names; else 0."""
        prop = self.properties[name]
        if prop.kind != "number":
            return 0
        told = [w for w in words_of(prop.definition) if w not in LITTLE]
        named = [Word(w, 0, 0) for label in (prop.label, *prop.alt) for w in words_of(label)]
        besides = {form for w in named for form in (*forms(w.low), *self.numbered_by(w))} | {*words_of(prop.domain)}
        things = [words for words in asked if self.names_thing(words)]
        bearer = next(iter(reversed(things) if " with {s}" in prop.verbalization else things), None)
        if prop.domain in self.classes:
            bearer = next((words for words in things if self.names_thing(words, prop.domain)), None)
        met = set()
        for words in asked:
            ways = {form for w in words for part in w.low.split("-") for form in forms(part)} | {*self.meant_by(words)}
            same = {n for n, w in enumerate(told) if forms(w) & ways or (w == "thing" and words in things)}
            whole = all(forms(w.low) & (besides | {f for t in told for f in forms(t)}) for w in words)
            if not (same or besides & ways) or (len(words) > 1 and not whole and words is not bearer):
                return 0
            met |= same
        return len(met) / len(told) if told else 0

    def names_thing(self, words: list[Word], above: str = "") -> bool:
        """Whether some words name a kind of thing, or one below a kind."""
        sense = self.meant(words, KIND)
        return sense is not None and (not above or self.kind(sense.name, above))

    def meant_by(self, words: list[Word]) -> Iterator[str]:
        """The words of the names of what some words name, with all kinds above it, and of the definition of the number that they name."""
        wide = self.lexicon.meaning(words)
        for sense in wide.senses if wide is not None else ():
            for kind in (sense.name, *self.classes[sense.name].ancestors) if sense.name in self.classes else ():
                own = (self.classes[kind].label, *self.classes[kind].alt) if kind == sense.name else ()
                label = " ".join(own) or (self.classes[kind].label if sense.sort == KIND else "")
                yield from (form for w in words_of(label) for form in forms(w) if w not in LITTLE)
        yield from (form for word in words for form in self.numbered_by(word))

    def numbered_by(self, word: Word) -> set[str]:
        """The words of the definition of the number that a word names: of a caliber, those of a bore."""
        number = self.lexicon.meaning([word])
        sense = number.of(NUMBER) if number is not None else None
        told = words_of(self.properties[sense.name].definition) if sense is not None else []
        return {form for w in told if w not in LITTLE for form in forms(w)}


def said(prop: PropertyTerm) -> set[str]:
    """The words of the definition of a number and of its name."""
    return {*words_of(" ".join([prop.definition, prop.label, *prop.alt]))}


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case; those of a compound one by one."""
    return re.findall(r"[a-z]{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold())


def forms(word: str) -> set[str]:
    """A word in its forms: shoot, shoots, shooting, shot."""
    bases = {word, singular(word), base_form(word), *undone(word)}
    return bases.union(*({plural(base), *participles(base)} for base in bases))
