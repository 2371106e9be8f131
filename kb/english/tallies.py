"""Reads numbers that are told with a colon, or in a list: Basic TK#: 13; Strength Factors, left to right; OB-given pillboxes: 4, none purchased."""

from __future__ import annotations

from kb.english.amounts import OF_ALL, singular
from kb.english.lexicon import KIND, NUMBER
from kb.english.rows import RowReader
from kb.english.thing import ACT, Thing
from kb.english.whither import WIDE
from kb.english.words import Word, counted

MOST_BEFORE = 8  # words before a list of figures that say whose they are


class TallyReader(RowReader):
    """Reads numbers behind their names. parted_unit: the last word of the name of a number, which stands behind the figure."""

    parted_unit = ""

    def listed_figures(self) -> bool:
        """`pillbox Strength Factors, left to right: 1, +3, +5`; `the bunker's Pillbox counter: Strength Factors …`."""
        if self.lexicon.meaning([Word("first", 0, 0), *singular(self.line[self.i : self.i + 2])]) is not None:
            works = [t for t in self.scene.things if self.has_outside(t)]
            return len(works) == 1 and self.figures(works[0])  # Strength Factors: 2, +3, +5: of the one that has such
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
