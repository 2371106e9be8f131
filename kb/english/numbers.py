"""Reads questions for a number: what is the TEM of the attack, how many MF does it cost, how many counters does he receive."""

from __future__ import annotations

from functools import partial
from typing import Any

from kb.english.costs import CostReader
from kb.english.counts import DO
from kb.english.facts import GIVING
from kb.english.lexicon import DEED, DETERMINERS, HOW, NUMBER
from kb.english.references import MADE_WITH, PLACE
from kb.english.scene import Mark
from kb.english.thing import ACT, Thing

HOW_MUCH = (
    "what 's", "what is", "what are", "what", "which", "how many", "how much", "on which", "on what", "at what", "at which",
    *(f"{word} how many" for word in ("by", "with", "at", "within")), "with how much",
)  # fmt: skip
HAVING = (
    "have", "get", "receive", "suffer", "incur", "add", "need", "take", "fire with", "attack with", "shoot with", "use", "fire", "attack", "shoot",
)  # fmt: skip


class NumberReader(CostReader):
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
        if not self.take(*HOW_MUCH):
            return (
                self.count_asked if self.take("how") and self.low() == "long" and self.attempt(self.at_most) else None
            )
        many = self.line[start].low == "how" or "how" in (self.line[start].low, self.line[start + 1].low)
        if self.take("does it cost", "does it cost in mf", "do you pay for"):
            return self.cost()
        if self.low() in DO and self.attempt(self.cost_of):
            return self.count_asked
        ways = (self.counted_done, self.counted_able, self.room, self.bounded, self.at_most) if many else (self.score,)
        if any(self.attempt(way) for way in ways):
            return self.count_asked
        asked = self.of_owner()
        if asked is not None:
            return asked
        if self.attempt(self.parted_name):
            return self.count_asked
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
        if self.tried(name, self.it_takes):
            return self.count_asked
        if self.take("does it cost", "must it pay", "does it take"):
            return self.cost(name)
        if self.take(
            *(
                f"is {used} to {see} {whether}"
                for used in ("used", "needed")
                for see in ("see", "determine", "decide")
                for whether in ("whether", "if")
            )
        ):
            return self.decided_by(name)
        if self.take("is used for", "is used by", "is used on", "are used for", "applies for", "counts for"):
            bearer = self.noun(verbs_stop=False)
            return self.valued(name, bearer) if bearer is not None else self.fail()
        if self.low() in ("that", "which") and self.attempt(self.that_does):
            return {"value": (name, None)}
        if name == self.cost_name() and self.attempt(self.cost_for_whom):
            return self.count_asked
        if self.take("is", "are", "was"):
            bearer = self.noun(verbs_stop=False, states=False)
            if bearer is not None:
                self.resolved(bearer)
                self.in_its_attack(bearer)
                return self.valued(name, bearer)
            raise self.stuck()
        if self.take(*DO, "must", "shall"):
            if name in (self.cost_name(), "") and self.attempt(self.cost_of_nth):
                return self.count_asked
            bearer = self.noun(verbs_stop=True)
            if bearer is None:
                raise self.stuck()
            self.it = self.scene.main = bearer
            if self.take(*GIVING, *HAVING):
                if self.low(1) not in DETERMINERS and self.take("to"):  # how many rolls does he need to gap the wire
                    act = self.act_of(bearer)
                    return self.valued(name, act) if act and self.bearer(act, name) is act else self.fail()
                return self.in_its_fire(name, bearer) or self.against(name, bearer)
            if self.take("pay", "spend"):
                act = self.nth_entered() if self.take("for") else self.paid_for(bearer) if self.take("to") else None
                return self.cost_told(name, act) if act is not None else self.fail()
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

    def in_its_fire(self, name: str, bearer: Thing) -> dict[str, Any] | None:
        """Takes `at an enemy squad`, behind what somebody fires with: the number is that of the fire."""
        verb = self.line[self.i - 1 - (self.line[self.i - 1].low == "with")].low
        meant = self.lexicon.meaning([verb])
        deed = next((s for s in meant.senses if s.sort == DEED and s.verb), None) if meant is not None else None
        if deed is None or self.low() not in ("at", "on", "against") or not self.kind(deed.name, "Attack"):
            return None
        act = self.scene.new([deed.name], verb)
        self.does(act, bearer)
        self.complements(act, False, False)
        if self.bearer(act, name) is not act or not (self.over() or self.clause_begins()):
            raise self.stuck()
        return self.valued(name, act)

    def it_takes(self, name: str) -> bool:
        """Takes `does it take a team to gap the wire`, of what is counted: a number of what is done, or of what it is done to."""
        doer = self.noun(verbs_stop=True) if self.take("does it take", "do it take") else None
        act = self.act_of(doer) if doer is not None and self.take("to") else None
        if act is None:
            return False
        self.it = self.scene.main = doer
        bearer = next((t for t in (act, *act.links.get("target", ())) if self.bearer(t, name) is t), None)
        if bearer is None:
            return False
        self.count_asked = self.valued(name, bearer)
        return self.over() or self.clause_begins()

    def parted_name(self) -> bool:
        """Takes `the Morale Level of a bombproof vs Bombardment`: a number whose name stands on both sides of whose it is."""
        self.take("the")
        start, whole = self.i, self.line
        end = next((n for n in range(start, len(whole)) if whole[n].sign), len(whole))
        of = next((n for n in range(start + 1, end) if whole[n].low == "of"), -1)
        for at in range(end - 1, of + 1, -1) if of > 0 else ():
            sense = self.meant([*whole[start:of], *whole[at:end]], NUMBER)
            if sense is None:
                continue
            self.i = of + 1
            bearer = self.until(at, partial(self.noun, verbs_stop=True))
            if bearer is not None and self.bearer(bearer, sense.name) is bearer:
                self.i = end
                self.count_asked = self.valued(sense.name, bearer)
                return True
        return False

    def that_does(self) -> bool:
        """Takes `that eliminates the pillbox`, behind a number of an act that is told later: what it decides."""
        if not self.take("that", "which") or self.over() or not self.lexicon.brings(self.line[self.i]):
            return False
        self.i += 1
        self.it = self.scene.main = self.noun(verbs_stop=True)
        return self.it is not None and (self.over() or self.clause_begins())

    def against(self, name: str, bearer: Thing) -> dict[str, Any]:
        """The question for a number that somebody has, against an attack where one is named."""
        self.in_its_attack(bearer)
        self.tried(name, self.giver)
        if self.low() in ("to", "on", "for") and self.low(1) in DETERMINERS and not self.scene.below(bearer, ACT):
            mark, start = self.scene.mark(), self.i  # the penalty to its attack
            self.i, self.it = self.i + 1, bearer
            act = self.noun(states=False)
            if act is not None and self.scene.below(act, ACT) and self.bearer(act, name) is act:
                act.links.setdefault("actor", [bearer])
                self.complements(act, False, False)
                return self.valued(name, act)
            self.scene.back(mark)
            self.i = start
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
        owner = self.until(ends[-1], self.noun)
        if owner is not None:
            self.i += 1
            name = self.quantity(None)
            if name:
                self.in_its_attack(owner)
                return self.valued(name, owner)
        self.reset(start)
        return None

    def in_its_attack(self, owner: Thing) -> None:
        """Takes `in this attack`, `at Long Range`, behind a number of somebody: in an attack that he makes."""
        if self.scene.below(owner, ACT) or self.scene.below(owner, PLACE):
            return
        begun, so = self.i, self.take("in this attack", "in the attack", "in its attack")
        if so or self.low() in ("at", "within"):
            act = self.scene.new(["Attack"], "attack")
            act.link("actor", owner)
            self.complements(act, False, False)
            if so or (len(act.kinds) > 1 and {*act.links} == {"actor"}):
                self.scene.act = act
            else:
                self.scene.things.remove(act)
                self.i = begun

    def resolved(self, act: Thing) -> None:
        """Takes what follows an act whose number is asked: resolved against a target."""
        if self.scene.below(act, ACT):
            self.complements(act, False, False)
            if self.take("resolved", "made"):
                self.complements(act, False, False)

    def named_quantity(self, many: bool) -> str:
        """The number asked for; a count of things with a word of the book's own (minefield die rolls) too."""
        name = self.quantity(None) or (self.needed() if many else "")
        if not name and (total := self.vocabulary.resolve(f"total {self.low()}", [self.properties])):
            self.i += 1  # what DRM: all of them together
            return total
        if (
            not name
            and many
            and self.low() in ("mf", "mp", "movement")
            and self.take("mf", "mp", "movement points", "movement factors")
        ):
            return self.cost_name()
        return name

    def that_act(self) -> Thing | None:
        """Takes `that`, of what was told before: is that Area Fire?"""
        act, after = self.began[2], self.lexicon.at(self.line, self.i + 1, (HOW, DEED)) if self.low(1) else None
        if act is None or after is None or self.low() not in ("that", "this"):
            return None
        self.i += 1
        return act

    def event_of(self, subject: Thing) -> Thing:
        """The attack that is told by what is fired in it: may this WP affect …"""
        role = next((role for cls, role in MADE_WITH if self.scene.below(subject, cls)), "")
        if role not in self.properties or "Attack" not in self.classes:
            return subject
        act = next((t for t in self.scene.things if subject in t.links.get(role, ())), None)
        if act is None:
            act = self.scene.new(["Attack"], subject.said)
            act.link(role, subject)
        return act
