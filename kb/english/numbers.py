"""Reads questions for a number: what is the TEM of the attack, how many MF does it cost, how many counters does he receive."""

from __future__ import annotations

from typing import Any

from kb.english.asides import BE
from kb.english.clauses import WHICH
from kb.english.facts import FactReader
from kb.english.lexicon import NUMBER
from kb.english.references import AMMUNITION, PLACE
from kb.english.scene import ACT, Mark, Thing
from kb.english.words import Word
from kb.language import english

DO = ("does", "do", "did")
ROLLED = ("made", "rolled", "taken", "needed", "required")
GIVING = ("give", "provide", "offer", "grant", "add", "leave")
COSTS = ("movement cost", "MF cost", "MP cost")


class NumberReader(FactReader):
    """Reads questions for a number. began: what was told before the question."""

    began: Mark

    def reset(self, start: int) -> None:
        """Goes back to where a question begins, and forgets the things met since."""
        self.i = start
        self.scene.back(self.began)
        self.it = self.scene.main

    def amounts(self) -> dict[str, Any] | None:
        """What is the TEM of the attack? How many MF does it cost to enter?"""
        start = self.i
        if not self.take(
            "what 's",
            "what is",
            "what are",
            "what",
            "which",
            "how many",
            "how much",
            "on which",
            "on what",
            "at what",
            "at which",
            "by how many",
            "with how many",
            "with how much",
            "at how many",
            "within how many",
        ):
            return None
        many = self.line[start].low == "how" or "how" in (self.line[start].low, self.line[start + 1].low)
        if self.take("does it cost", "does it cost in mf", "do you pay for"):
            return self.cost()
        if self.low() in DO and self.attempt(self.cost_of):
            return self.count_asked
        if many and (self.attempt(self.counted_done) or self.attempt(self.counted_able)):
            return self.count_asked
        asked = self.of_owner()
        if asked is not None:
            return asked
        self.take("the")
        name = self.named_quantity(many)
        if not name:
            self.reset(start)
            return None
        self.glossed(name)
        if self.take("does it take to", "do you need to", "are needed to", "is needed to"):
            self.it = self.scene.main = doer = self.scene.new([k for k in ("Friendly",) if k in self.classes], "I")
            act = self.act_of(doer)
            bearers = [t for t in (act, *(act.links.get("target", ()) if act is not None else ())) if t is not None]
            bearer = next((t for t in bearers if self.bearer(t, name) is t), None)
            return self.valued(name, bearer) if bearer is not None else self.fail()
        if self.take("does it cost", "must it pay", "does it take"):
            return self.cost()
        if self.take("is used for", "is used by", "is used on", "are used for", "applies for", "counts for"):
            bearer = self.noun(verbs_stop=False)
            return self.valued(name, bearer) if bearer is not None else self.fail()
        if self.take("is", "are", "was"):
            bearer = self.noun(verbs_stop=False, states=False)
            if bearer is not None:
                self.resolved(bearer)
                return self.valued(name, bearer)
            raise self.stuck()
        if self.take(*DO):
            bearer = self.noun(verbs_stop=True)
            if bearer is None:
                raise self.stuck()
            self.it = self.scene.main = bearer
            if self.take(
                *GIVING,
                "have",
                "get",
                "receive",
                "need",
                "take",
                "fire with",
                "attack with",
                "shoot with",
                "use",
                "fire",
                "attack",
                "shoot",
            ):
                if self.take("to"):  # how many rolls does he need to gap the wire
                    act = self.act_of(bearer)
                    return self.valued(name, act) if act and self.bearer(act, name) is act else self.fail()
                return self.against(name, bearer)
            if self.take("pay", "spend"):
                self.take("to")
                act = self.act_of(bearer)
                return self.valued(name, act) if act is not None else self.fail()
            raise self.stuck()
        if self.take("has", "have"):
            bearer = self.noun(verbs_stop=True)
            return self.against(name, bearer) if bearer is not None else self.fail()
        if self.take("applies to", "apply to", "of", "for", "has", "against", "in", "from"):
            bearer = self.noun(verbs_stop=False)
            return self.against(name, bearer) if bearer is not None else self.fail()
        self.take("applies", "apply", "counts", "must be used")
        if self.over() or self.clause_begins():
            return {"value": (name, None)}
        raise self.stuck()

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

    def against(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number that somebody has, against an attack where one is named."""
        self.attempt(lambda: self.giver(name))
        if self.low() in WHICH:  # what DRM does a Gun get that fires out of wire
            self.attempt(lambda: self.take(*WHICH) and (self.verb_phrase(bearer) or self.done_by(bearer)))
        if self.take("against", "vs", "versus") and not self.scene.below(bearer, ACT):
            act = self.noun()
            if act is not None and not self.scene.below(act, ACT):
                act = self.event_of(act)
            if act is None or not self.scene.below(act, ACT):
                raise self.stuck()
            self.complements(act, False, False)
            self.scene.main = bearer
            act.link("target", bearer)
            return self.valued(name, act)
        if self.scene.below(bearer, ACT):
            self.complements(bearer, False, False)
        return self.valued(name, bearer)

    count_asked: dict[str, Any]

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

    def giver(self, name: str) -> bool:
        """Takes from what somebody has a number, where its name has that too: the TEM from the pillbox, the pillbox TEM."""
        if not self.take("from"):
            return False
        other = self.noun(verbs_stop=True, states=False, places=False)
        if other is None or not other.kinds:
            return False
        labels = (self.properties[name].label, *self.properties[name].alt)
        ways = (f"{self.classes[other.kinds[0]].label} {label}" for label in labels)
        return any(name == self.vocabulary.resolve(way, [self.properties]) for way in ways)

    def of_owner(self) -> dict[str, Any] | None:
        """What is its level? What is the squad's firepower: a number named behind whose it is."""
        start = self.i
        if self.take("its", "his", "their"):
            name = self.quantity(None)
            if name and (self.over() or self.clause_begins()):
                return self.valued(name, self.it or self.nobody())
            self.i = start
            return None
        ends = [n for n in range(self.i, len(self.line)) if self.line[n].low == "'s"]
        if not ends:
            return None
        whole = self.line
        self.line = whole[: ends[-1]]
        owner = self.noun()
        there = self.i == ends[-1]
        self.line = whole
        if owner is not None and there:
            self.i += 1
            name = self.quantity(None)
            if name:
                if self.take("in this attack", "in the attack", "in its attack"):
                    self.scene.act = self.scene.new(["Attack"], "attack")
                    self.scene.act.link("actor", owner)
                return self.valued(name, owner)
        self.reset(start)
        return None

    def resolved(self, act: Thing) -> None:
        """Takes what follows an act whose number is asked: resolved against a target."""
        if self.scene.below(act, ACT):
            self.complements(act, False, False)
            if self.take("resolved", "made"):
                self.complements(act, False, False)

    def fail(self) -> dict[str, Any]:
        """Raises that the words here are not understood."""
        raise self.stuck()

    def named_quantity(self, many: bool) -> str:
        """The number asked for; a count of things with a word of the book's own (minefield die rolls) too."""
        name = self.quantity(None) or (self.needed() if many else "")
        if (
            not name
            and many
            and self.low() in ("mf", "mp", "movement")
            and self.take("mf", "mp", "movement points", "movement factors")
        ):
            return self.cost_name()
        return name

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

    def cost(self) -> dict[str, Any]:
        """How many MF does it cost a squad to enter the pillbox?"""
        self.take("in mf", "in mp")
        actor = self.noun(verbs_stop=True)
        if actor is None and self.take("for"):
            actor = self.noun(verbs_stop=True)
        if not self.take("to") or not self.cost_name():
            raise self.stuck()
        actor = actor or self.nobody()
        self.it = self.scene.main = actor
        act = self.act_of(actor)
        if act is None:
            raise self.stuck()
        if act.kinds == ["Entry"] and "Move" in self.classes:
            act.kinds = ["Move"]  # an entry that is paid for
        return self.valued(self.cost_name(), act)

    def event_of(self, subject: Thing) -> Thing:
        """The attack that is told by what is fired in it: may this WP affect …"""
        if not self.scene.below(subject, AMMUNITION) or "Attack" not in self.classes:
            return subject
        act = next((t for t in self.scene.things if subject in t.links.get("ammunition", ())), None)
        if act is None:
            act = self.scene.new(["Attack"], subject.said)
            act.link("ammunition", subject)
        return act

    def cost_of(self) -> bool:
        """Takes `does the squad pay to enter the house`, `does the house cost a squad to enter`."""
        self.i += 1
        thing = self.noun(verbs_stop=True)
        if thing is None or not self.cost_name():
            return False
        actor: Thing | None = thing
        if self.take("cost"):
            actor = self.noun(verbs_stop=True)
            self.take("in mf", "in mp")
            told = self.take("to enter", "to go into", "to move into")
            if not self.scene.below(thing, PLACE) or not (told or self.over() or self.clause_begins()):
                return False
            act: Thing | None = self.scene.new(["Move" if "Move" in self.classes else "Entry"], "move")
            act.link("actor", actor or self.nobody())  # type: ignore[union-attr]
            act.link("destination", thing)  # type: ignore[union-attr]
        else:
            act = self.act_of(thing) if self.take("pay to", "spend to", "have to pay to", "need to") else None
            if act is not None and act.kinds == ["Entry"] and "Move" in self.classes:
                act.kinds = ["Move"]
        if act is None:
            return False
        self.it = self.scene.main = actor or act.links["actor"][0]
        self.count_asked = self.valued(self.cost_name(), act)
        return self.over() or self.clause_begins()

    def valued(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number of a thing."""
        self.scene.main = self.scene.main or bearer
        if self.scene.below(bearer, ACT):
            self.scene.act = self.scene.act or bearer
        self.it = self.it or bearer
        return {"value": (name, bearer)}
