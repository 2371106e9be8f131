"""Reads numbers that are told with a colon, or in a list: Basic TK#: 13; Strength Factors, left to right; OB-given pillboxes: 4, none purchased."""

from __future__ import annotations

from functools import partial

from kb.english.amounts import OF_ALL, singular
from kb.english.lexicon import KIND, NUMBER
from kb.english.rows import RowReader
from kb.english.thing import ACT, Thing
from kb.english.whither import WIDE
from kb.english.words import counted

HANDING = ("lists", "provides", "has", "includes", "grants", "allots", "gave", "lets")
MOST_BEFORE = 8  # words before a list of figures that say whose they are


class TallyReader(RowReader):
    """Reads numbers behind their names. parted_unit: the last word of the name of a number, which stands behind the figure."""

    parted_unit = ""

    def listed_figures(self) -> bool:
        """`pillbox Strength Factors, left to right: 1, +3, +5`; `the bunker's Pillbox counter: Strength Factors …`."""
        if self.lexicon.meaning(["first", *singular(self.line[self.i : self.i + 2])]) is not None:
            works = self.works_outside()
            return len(works) == 1 and self.figures(works[0])  # Strength Factors: 2, +3, +5: of the one that has such
        for at in range(self.i + 1, min(self.i + MOST_BEFORE, len(self.line) - 1)):
            if self.lexicon.meaning(["first", *singular(self.line[at : at + 2])]) is None:
                continue
            end = at - 1 if self.line[at - 1].text == ":" or self.line[at - 1].low == "'s" else at
            thing = self.until(end, partial(self.noun, verbs_stop=True))
            self.i = at
            return thing is not None and self.figures(thing)
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
        of_act = self.properties[name].definition
        if act is not None and (of_act.endswith(" for an act") or " at issue " in of_act):
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

    def on_his(self) -> bool:
        """`Hindrance +2 on A's LOS only`: a number of one, or of whoever is there, whose name has an `its` in it (Hindrance on its LOS)."""
        at = next((n for n in range(self.i + 1, len(self.line)) if counted(self.line[n])), -1)
        end = next((n for n in range(at, len(self.line)) if self.line[n].low == "'s"), -1) if at > 0 else -1
        if end < 0 or end + 1 >= len(self.line) or self.line[at + 1].low not in ("on", "to", "for"):
            return False
        name, value = self.line[self.i : at], counted(self.line[at])
        sense, self.i = self.meant([*name, self.line[at + 1], "its", self.line[end + 1]], NUMBER), at + 2
        owner = self.until(end, self.noun) if sense is not None else None
        if sense is None or owner is None:
            return False
        inside = [t for t in self.scene.things if owner in t.links.get("at", ()) and self.bearer(t, sense.name) is t]
        own = [t for t in inside if any(t in one.links.get("member", ()) for one in self.scene.things)] or inside
        self.i = end + 2
        self.take("only", "alone")
        bearers = [owner] if self.bearer(owner, sense.name) is owner else own
        return len(bearers) == 1 and self.numbered(bearers[0], sense.name, value, at)

    def handed_out(self) -> bool:
        """`OOB: gives the defender two foxholes`, `his OOB gives him no trench`, where a number is named so (OOB gives): how many there are
        of what the act asked about is done with."""
        self.take("the scenario 's", "the", "his", "its", "their")
        if self.i + 2 >= len(self.line):
            return False
        by, act = self.line[self.i], self.scene.act
        self.i += 1
        self.take(":")
        verb = "gives" if self.low() in (*HANDING, "gives") else ""
        meant = self.lexicon.meaning([by, verb]) if not by.sign else None
        name = meant.of(NUMBER) if meant is not None else None
        if name is None or act is None or self.bearer(act, name.name) is not act:
            return False
        self.i += 1
        placer = [word for t in act.links.get("actor", ()) for word in t.said.casefold().split()]
        whose = (*placer, "player", "owner", "side")
        if not self.take("him", "her", "it", "them") and self.low() == "the":
            if self.low(1) not in whose:
                return False  # what it gives to the other side
            self.noun(verbs_stop=True, states=False, places=False)
        if self.over():
            return False
        value = "0" if self.low() == "no" else "1" if self.low() in ("a", "an") else counted(self.line[self.i])
        self.i += 1
        objects = [k for t in act.links.get("object", ()) for k in t.kinds]
        kinds: list[str] = []
        while (found := self.found(KIND)) is not None and not found.denied:
            kinds.append(found.senses[0].name)
            self.i += found.length
            self.take("or", "and", ",", "nor")
        alone = not kinds and (self.over() or self.line[self.i].sign)  # gives him three
        if not value or not (alone or any(self.scene.alike(kind, objects) for kind in kinds)):
            return False
        if self.take("for", ", for"):
            if not self.take("him", "her", "it", "them") and self.low(1) not in whose:
                return False
            self.noun(verbs_stop=True, states=False, places=False)
        return self.numbered(act, name.name, value, self.i)

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
            sense = self.meant([noun, self.line[self.i]], NUMBER)
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
        sense = self.meant([*words, self.line[at + 2]], NUMBER)
        if sense is None:
            return ""
        self.i, self.parted_unit = at, self.line[at + 2].low
        return sense.name
