"""Reads numbers that are asked for by what is done: how many counters does he receive, how many of them can assault, how many does it take."""

from __future__ import annotations

from typing import Any

from kb.english.asides import BE
from kb.english.facts import FactReader
from kb.english.lexicon import DEED, NUMBER
from kb.english.places import UNITS
from kb.english.references import PLACE
from kb.english.thing import ACT, Thing
from kb.language import english

DO = ("does", "do", "did")
HOLDING = ("hold", "holds", "contain", "contains")
LEAST, MOST = ("must", "shall"), ("may", "can", "could")
FEWEST, GREATEST = ("fewest", "least", "minimum"), ("most", "greatest", "maximum")
ROLLED = ("made", "rolled", "taken", "needed", "required")


class CountReader(FactReader):
    """Reads what is counted."""

    count_asked: dict[str, Any]

    def decided_by(self, name: str) -> dict[str, Any]:
        """The question for a number of an act that is told later, with what it decides: whether the pillbox is eliminated."""
        if not self.unsaid(self.fact) or not self.over():
            raise self.stuck()
        return {"value": (name, None)}

    def glossed(self, name: str) -> None:
        """Takes what is told in brackets of a number, where it says no more than what the number is by definition."""
        if self.low() != "(":
            return
        end = self.ahead(")")
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
        rest = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].sign), len(self.line))
        for form, end in ((f, e) for e in (rest, self.i + 1) for f in forms):
            sense = self.meant([*name, form, *self.line[self.i + 1 : end]], NUMBER)
            if sense is not None and self.bearer(bearer, sense.name) is bearer:
                self.i = end
                return self.asks_for(sense.name, bearer)
        return False

    def counted_able(self) -> bool:
        """Takes how many can do something: how many of the teams can assault the Bunker (the teams that can assault it)."""
        self.take("of the", "of these", "of his", "of")
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in ("can", "may", "could")), -1)
        if end < 0 or end + 1 >= len(self.line):
            return False
        for who in (self.line[self.i : end], self.line[end - 1 : end]):
            sense = self.meant([*who, "that", "can", self.line[end + 1]], NUMBER)
            if sense is not None:
                self.i = end + 2
                bearer = self.noun(verbs_stop=True)
                if bearer is None or self.bearer(bearer, sense.name) is not bearer:
                    return False
                self.count_asked = self.valued(sense.name, bearer)
                return self.over() or self.clause_begins()
        return False

    def room(self) -> bool:
        """Takes how many a place may hold: how many squads may be in it, how many Guns can it hold. The number is the one that is
        defined as how many of these something holds."""
        start = self.i
        end = self.ahead("can", "may", "could", *DO, start=1)
        if end < 0:
            return False
        who = " ".join([*(w.low for w in self.line[start : end - 1]), english.singular(self.line[end - 1].low)])
        self.i = end + 1
        inside = self.take(
            *(
                f"{be} {into}"
                for be in ("be", "be put", "be placed", "fit", "stack", "go")
                for into in ("in", "into", "inside", "on")
            ),
            "occupy",
        )
        place = self.noun(verbs_stop=True, states=False)
        if place is None or not (inside or self.take("hold", "contain", "take")):
            return False
        self.take("at most", "at once", "together")
        fit = [
            (len(name), name)
            for name, p in self.properties.items()
            if p.kind == "number"
            and {*HOLDING} & {*p.definition.split()}
            and who in p.definition.casefold()
            and self.bearer(place, name) is place
        ]
        if not fit or not self.scene.below(place, PLACE):
            return False
        return self.asks_for(min(fit)[1], place)

    def bounded(self) -> bool:
        """Takes `entrances must a tunnel have at least`, `may it have at most`: the fewest of these, or the most."""
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in (*DO, *LEAST, *MOST)), -1)
        said = " ".join(w.text for w in self.line[self.i : end])
        if end < 0:
            return False
        must, may = self.line[end].low in LEAST, self.line[end].low in MOST
        self.i = end + 1
        thing = self.noun(verbs_stop=True)
        bound = self.line[self.i - 1].low if self.take("at least", "at most") else ""
        needs = self.low() in ("need", "require")
        if thing is None or not self.take("have", "need", "require", "contain"):
            return False
        bound = self.line[self.i - 1].low if self.take("at least", "at most") else bound
        leads = FEWEST if bound == "least" or (not bound and (must or needs)) else GREATEST if bound or may else ()
        name = next((n for lead in leads if (n := self.vocabulary.resolve(f"{lead} {said}", [self.properties]))), None)
        if name is None or self.bearer(thing, name) is not thing:
            return False
        return self.asks_for(name, thing)

    def at_most(self) -> bool:
        """Takes `long may a tunnel section be at most`: a maximum that the book defines as how long something may be."""
        self.i += self.low() in UNITS
        how = self.low()
        self.i += 1
        thing = self.noun(verbs_stop=True) if self.take("may", "can", "could") else None
        fit = [
            name
            for name, p in self.properties.items()
            if p.label.startswith("maximum ") and how in p.definition.split()
        ]
        if thing is None or len(fit) != 1 or not self.take("be") or self.bearer(thing, fit[0]) is not thing:
            return False
        self.take("at most", "at the most")
        return self.asks_for(fit[0], thing)

    def score(self) -> bool:
        """Takes `roll does a Bunker pass a Skill Test on`, `score does it need to hit`: the Skill Test score, the score to hit."""
        die = self.found(NUMBER)
        if not self.take("score", "number") and die is not None:
            self.i += die.length
        if not self.take(*DO, *LEAST):
            return False
        thing = self.noun(verbs_stop=True)
        self.take("need to roll to", "need to", "have to roll to", "need in order to", "roll to")
        verb, said = self.low(), [*self.line[self.i + 1 :]]
        end = next(
            (n for n, w in enumerate(said) if w.sign or w.low in ("if", "when", "while", "on", "with", "at", "in")),
            len(said),
        )
        named = " ".join(w.text for w in said[:end] if w.low not in ("a", "an", "the", "its", "his"))
        ways = (f"{named} score",) if named else (f"score to {verb}",)
        name = next((n for way in ways if (n := self.vocabulary.resolve(way, [self.properties]))), None)
        if (
            thing is None
            or name is None
            or (named and verb not in ("pass", "make"))
            or self.bearer(thing, name) is not thing
        ):
            return False
        self.i += 1 + end
        self.take("on", "with")
        within = (
            self.lexicon.at(self.line, self.i + 2, (DEED,))
            if self.low() == "in" and self.low(1) in ("a", "an")
            else None
        )
        if within is not None and self.low(2) in self.properties[name].definition.split():
            self.i += 2 + within.length  # in an assault: of which the number is by definition
        return self.asks_for(name, thing)

    def needed(self) -> str:
        """The name of a number that is told without its last word: how many successful Skill Tests (needed) does it take."""
        end = next((n for n in range(self.i + 1, len(self.line)) if self.line[n].low in (*DO, *BE)), -1)
        said = ["successful" if w.low == "passed" else w for w in self.line[self.i : end]]
        ways = ([*said, "needed"], ["successful", *said, "needed"])
        meant = next((m for way in ways if (m := self.lexicon.meaning(way)) is not None), None) if end > 0 else None
        sense = meant.of(NUMBER) if meant is not None else None
        if sense is None:
            return ""
        self.i = end
        return sense.name

    def fail(self) -> dict[str, Any]:
        """Raises that the words here are not understood."""
        raise self.stuck()

    def asks_for(self, name: str, thing: Thing) -> bool:
        """Asks for a number of a thing, where all up to the conditions is read."""
        self.it = thing
        self.count_asked = self.valued(name, thing)
        return self.over() or self.clause_begins()

    def valued(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number of a thing."""
        self.scene.main = self.scene.main or bearer
        if self.scene.below(bearer, ACT):
            self.scene.act = self.scene.act or bearer
        self.it = self.it or bearer
        return {"value": (name, bearer)}
