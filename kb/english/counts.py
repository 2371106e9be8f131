"""Reads numbers that are asked for by what is done: how many counters does he receive, how many of them can assault, how many does it take."""

from __future__ import annotations

from typing import Any

from kb.english.asides import BE
from kb.english.facts import FactReader
from kb.english.lexicon import NUMBER
from kb.english.scene import ACT, Thing
from kb.english.words import Word
from kb.language import english

DO = ("does", "do", "did")
COSTS = ("movement cost", "MF cost", "MP cost")
ROLLED = ("made", "rolled", "taken", "needed", "required")


class CountReader(FactReader):
    """Reads what is counted."""

    count_asked: dict[str, Any]

    def decided_by(self, name: str) -> dict[str, Any]:
        """The question for a number of an act that is told later, with what it decides: whether the pillbox is eliminated."""
        mark = self.scene.mark()
        if not self.fact() or not self.over():
            raise self.stuck()
        self.scene.back(mark)
        return {"value": (name, None)}

    def glossed(self, name: str) -> None:
        """Takes what is told in brackets of a number, where it says no more than what the number is by definition."""
        if self.low() != "(":
            return
        end = next((n for n in range(self.i, len(self.line)) if self.line[n].text == ")"), -1)
        told = {
            w.low
            for w in self.line[self.i + 1 : end]
            if not w.sign and w.low not in ("then", "any", "a", "an", "the", "and", "or")
        }
        known = {w.casefold().strip(",") for w in self.properties[name].definition.split()}
        if end > 0 and told <= known:
            self.i = end + 1

    def counted_done(self) -> bool:
        """Takes a number that is named with its verb: how many counters does he receive (counters received), by how many columns
        is it lowered, how many die rolls are made."""
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in (*DO, *BE)), -1)
        if end < 0:
            return False
        name, passive = self.line[self.i : end], self.line[end].low in BE
        self.i = end + 1
        if passive and self.low() in ROLLED and len(self.line) == self.i + 1:
            self.i += 1
            kinds = range(len(name))
            meant = next((m for n in kinds if (m := self.lexicon.meaning(name[n:])) is not None and m.of(NUMBER)), None)
            if meant is None:
                return False
            self.count_asked = {"value": (meant.of(NUMBER).name, None)}  # type: ignore[union-attr]
            return True
        bearer = self.noun(verbs_stop=True, states=False)
        if bearer is None or self.over():
            return False
        verb = self.line[self.i].low
        verb = "receive" if verb == "get" else verb
        forms = [verb] if passive else [verb, *english.participles(english.base_form(verb))]
        for form in forms:
            meant = self.lexicon.meaning([*name, Word(form, 0, 0)])
            sense = meant.of(NUMBER) if meant is not None else None
            if sense is not None and self.bearer(bearer, sense.name) is bearer:
                self.i += 1
                self.it = bearer
                self.count_asked = self.valued(sense.name, bearer)
                return self.over() or self.clause_begins()
        return False

    def counted_able(self) -> bool:
        """Takes how many can do something: how many of the teams can assault the Bunker (the teams that can assault it)."""
        self.take("of the", "of these", "of his", "of")
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in ("can", "may", "could")), -1)
        if end < 0 or end + 1 >= len(self.line):
            return False
        that = [Word(w, 0, 0) for w in ("that", "can")]
        for who in (self.line[self.i : end], self.line[end - 1 : end]):
            meant = self.lexicon.meaning([*who, *that, self.line[end + 1]])
            sense = meant.of(NUMBER) if meant is not None else None
            if sense is not None:
                self.i = end + 2
                bearer = self.noun(verbs_stop=True)
                if bearer is None or self.bearer(bearer, sense.name) is not bearer:
                    return False
                self.count_asked = self.valued(sense.name, bearer)
                return self.over() or self.clause_begins()
        return False

    def needed(self) -> str:
        """The name of a number that is told without its last word: how many successful Skill Tests (needed) does it take."""
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in (*DO, *BE)), -1)
        meant = self.lexicon.meaning([*self.line[self.i : end], Word("needed", 0, 0)]) if end > 0 else None
        sense = meant.of(NUMBER) if meant is not None else None
        if sense is None:
            return ""
        self.i = end
        return sense.name

    def cost_name(self) -> str:
        """The number that says what an act of movement costs."""
        return next((n for label in COSTS if (n := self.vocabulary.resolve(label, [self.properties]))), "")

    def fail(self) -> dict[str, Any]:
        """Raises that the words here are not understood."""
        raise self.stuck()

    def valued(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number of a thing."""
        self.scene.main = self.scene.main or bearer
        if self.scene.below(bearer, ACT):
            self.scene.act = self.scene.act or bearer
        self.it = self.it or bearer
        return {"value": (name, bearer)}
