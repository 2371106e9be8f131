"""Reads questions: may, must, is, how much, what happens; with the facts behind an if."""

from __future__ import annotations

from typing import Any

from kb.english.clauses import BE
from kb.english.cursor import Stuck
from kb.english.facts import FactReader
from kb.english.lexicon import DEED, HOW, KIND
from kb.english.scene import ACT, Thing

MAY, MUST = ("may", "can", "could", "might"), ("must", "shall")
DO = ("does", "do", "did")
COSTS = ("movement cost", "MF cost", "MP cost")


class QuestionReader(FactReader):
    """Reads a question."""

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks, as a function of the case: the kind and the things; None where it asks nothing."""
        while self.take("then", "so", "please", ","):
            pass
        asked = self.modal() or self.amounts() or self.happens() or self.whether()
        if asked is None:
            return None
        self.conditions()
        return asked

    def modal(self) -> dict[str, Any] | None:
        """May the squad enter the pillbox?"""
        start = self.i
        kind = "may" if self.take(*MAY) else "must" if self.take(*MUST) else ""
        if not kind and self.low() in DO:
            self.i += 1
            subject = self.noun(verbs_stop=True)
            if subject is None or not self.take("have to", "need to"):
                self.i = start
                return None
            return self.asked("must", subject, start)
        if not kind and self.low() in BE:
            self.i += 1
            subject = self.noun(verbs_stop=True, states=False)
            if subject is not None and self.take("allowed to", "permitted to", "able to"):
                return self.asked("may", subject, start)
            if subject is not None and self.take("allowed", "permitted", "entitled to"):
                self.it = self.scene.main = subject
                act = self.noun()
                if act is not None and self.scene.below(act, ACT):
                    self.scene.act = act
                    act.link("actor", subject)
                    return {"may": act}
            self.reset(start)
            return None
        if not kind:
            return None
        subject = self.noun(verbs_stop=True)
        if subject is None:
            raise self.stuck()
        return self.asked(kind, subject, start)

    def asked(self, kind: str, subject: Thing, start: int) -> dict[str, Any]:
        """The question whether a subject may or must do, or have done to it, what follows."""
        self.scene.main = self.it = subject
        if self.low() in ("not",):
            raise self.stuck("asked whether it may not: ask whether it may")
        if self.take("be"):
            if self.scene.below(subject, ACT) and self.take(
                "made", "claimed", "taken", "attempted", "done", "used", "allowed", "conducted"
            ):
                self.scene.act = subject
                self.complements(subject, False, False)
                return {kind: subject}
            if self.low() in ("in", "inside", "at", "on") and "Occupation" in self.classes:
                act = self.scene.new(["Occupation"], "be in")
                self.scene.act = act
                act.link("actor", subject)
                self.complements(act, False, False)
                if "place" not in act.links:
                    raise self.stuck()
                return {kind: act}
            made = self.act_of(subject, passive=True)
        else:
            made = self.act_of(subject)
        if made is None:
            raise self.stuck()
        if self.scene.below(subject, ACT):
            raise Stuck(start)
        self.it = subject
        return {kind: made}

    def reset(self, start: int) -> None:
        """Goes back to where a question begins, and forgets the things met since."""
        self.i = start
        self.scene.things.clear()
        self.scene.main = self.scene.act = self.it = None

    def amounts(self) -> dict[str, Any] | None:
        """What is the TEM of the attack? How many MF does it cost to enter?"""
        start = self.i
        if not self.take(
            "what's",
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
            "within how many",
        ):
            return None
        many = self.line[start].low == "how" or "how" in (self.line[start].low, self.line[start + 1].low)
        if self.take("does it cost", "does it cost in mf", "do you pay for"):
            return self.cost()
        asked = self.of_owner()
        if asked is not None:
            return asked
        self.take("the")
        name = self.named_quantity(many)
        if not name:
            self.reset(start)
            return None
        if self.take("does it cost", "must it pay", "does it take"):
            return self.cost()
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
            if self.take("have", "get", "provide", "give", "leave", "receive", "need", "take"):
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
            return self.valued(name, bearer) if bearer is not None else self.fail()
        if self.over():
            return {"value": (name, None)}
        raise self.stuck()

    def against(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number that somebody has, against an attack where one is named."""
        if self.take("against", "vs", "versus") and not self.scene.below(bearer, ACT):
            act = self.noun()
            if act is None or not self.scene.below(act, ACT):
                raise self.stuck()
            self.scene.main = bearer
            act.link("target", bearer)
            return self.valued(name, act)
        return self.valued(name, bearer)

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
                self.take("in this attack")
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
        name = self.quantity(None)
        if (
            not name
            and many
            and self.low() in ("mf", "mp", "movement")
            and self.take("mf", "mp", "movement points", "movement factors")
        ):
            return self.cost_name()
        return name

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

    def valued(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number of a thing."""
        self.scene.main = self.scene.main or bearer
        if self.scene.below(bearer, ACT):
            self.scene.act = self.scene.act or bearer
        self.it = self.it or bearer
        return {"value": (name, bearer)}

    def happens(self) -> dict[str, Any] | None:
        """What happens to the Nest if it is hit? The event is told with it, or afterwards."""
        start = self.i
        if not self.take("what happens to", "what becomes of", "what happens"):
            return None
        thing = self.noun(verbs_stop=True)
        if thing is None and self.over():
            raise Stuck(start)
        self.it = self.scene.main = thing
        self.take("as a result of this attack", "as a result")
        return {"effects": None}

    def whether(self) -> dict[str, Any] | None:
        """Is the squad Fanatic? Is a pillbox an obstacle to LOS? Does a bunker block line of sight?"""
        start = self.i
        verb = self.low()
        if verb not in (*BE, *DO):
            return None
        self.i += 1
        subject = self.noun(verbs_stop=verb in DO, states=False)
        if subject is None:
            raise self.stuck()
        self.it = self.scene.main = subject
        if self.scene.below(subject, ACT):
            self.scene.act = subject
            self.complements(subject, False, False)
        if self.last is not None and self.last[0] is subject and (self.over() or self.clause_begins()):
            name = self.last[1]  # is its fire Area Fire? What was read as how it is done is what is asked
            subject.kinds.remove(name)
            return {"is": (subject, name)}
        at = self.i
        self.take("still", "now", "treated as", "considered", "counted as")
        denied = self.take("not")
        if verb in DO:
            found = self.found(HOW, KIND)
        else:
            self.take("a", "an", "the")
            found = self.asked_class(subject)
        sense = found.of(HOW, KIND, DEED) if found else None
        if (
            found is not None
            and sense is not None
            and (self.fits(subject, sense.name) or sense.sort == KIND)
            and not denied
        ):
            self.i += found.length
            if not self.scene.below(subject, ACT):
                self.after(subject, False, True)
                self.attempt(lambda: self.flagged(subject))
            else:
                self.complements(subject, False, False)
            return {"is": (subject, f"not {sense.name}" if found.denied else sense.name)}
        self.i = at
        if verb in BE and (self.over() or self.clause_begins()) and self.placed:
            thing, role, place = self.placed[-1]
            if thing is subject:
                thing.links[role].remove(place)
                if not thing.links[role]:
                    del thing.links[role]
                return {"is": (subject, (role, place))}
        if self.i == start:
            return None
        raise self.stuck()

    def asked_class(self, subject: Thing):  # type: ignore[no-untyped-def]
        """The class that an is-question asks for, the longest that stands here and may be said of the subject."""
        for found in self.lexicon.all(self.line, self.i, (HOW, KIND, DEED)) if not self.over() else ():
            senses = [s for s in found.senses if not s.verb and (s.sort != DEED or self.scene.below(subject, ACT))]
            if senses:
                return type(found)(found.length, tuple(senses), found.denied)
        return None
