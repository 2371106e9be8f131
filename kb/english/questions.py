"""Reads questions: may, must, is, how much, what happens; and, behind an if or in sentences of their own, the facts."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from kb.english.acts import CONDITION, ActReader
from kb.english.clauses import BE, singular
from kb.english.lexicon import DEED, FLAG, HOW, KIND, LINK, NUMBER
from kb.english.nouns import PLACE, Stuck
from kb.english.scene import ACT, Thing
from kb.english.words import Word, counted

MAY, MUST = ("may", "can", "could", "might"), ("must", "shall")
DO = ("does", "do", "did")
COSTS = ("movement cost", "MF cost", "MP cost")
CLOSED = re.compile(  # how players say that no other rule bears on it
    r"(.*\b)?all else( about \w+( \w+)?)?( is)? in order|(it is )?otherwise (in order|possible)|"
    r"nothing (else|outside .*) (bars|forbids) .*|no (other )?rule (outside .* )?(bars|bears on|forbids) .*"
)


class QuestionReader(ActReader):
    """Reads a question, or a sentence of facts."""

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks, as a function of the case: the kind and the things; None where it asks nothing."""
        self.conditions_first()
        while self.take("then", "so", "please", ","):
            pass
        asked = self.modal() or self.amounts() or self.happens() or self.whether()
        if asked is None:
            return None
        self.conditions()
        return asked

    # ── the kinds of question ──

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

    # ── facts ──

    def clause_begins(self) -> bool:
        """Whether a clause with a condition begins here."""
        return any([self.low(n) for n in range(len(c.split()))] == c.split() for c in (*CONDITION, ","))

    def conditions_first(self) -> None:
        """If an enemy is outside, may …?: the facts that stand before the question."""

    def conditions(self) -> None:
        """Takes the facts behind if, when, while."""
        while not self.over():
            start = self.i
            if self.low() == ",":
                self.i += 1
            taken = self.take(*CONDITION)
            while self.take(*CONDITION):
                pass
            if not taken and self.i == start:
                raise self.stuck()
            if not self.fact():
                self.i = max(self.i, start)
                raise self.stuck()

    def facts(self) -> None:
        """Takes a sentence of facts, which may be several with commas and ands between them."""
        while not self.over():
            while self.take(",", "and", "but", "then", "also", "if"):
                pass
            if self.over():
                return
            if not self.fact():
                raise self.stuck()

    def fact(self) -> bool:
        """Takes one fact."""
        ways = (self.closed, self.listed_figures, self.keyed, self.keyed_number, self.there, self.clause, self.main_state, self.bare)
        return any(self.attempt(way) for way in ways)

    def closed(self) -> bool:
        """All else in order; nothing else bars it: no rule that is not loaded has a say."""
        rest = [word.low for word in self.line[self.i :]]
        end = next((n for n, low in enumerate(rest) if low == ","), len(rest)) if rest[:1] == ["no"] else len(rest)
        said = " ".join(rest[:end])
        if not CLOSED.fullmatch(said):
            return False
        self.scene.elsewhere = True
        self.i += end
        return True

    def keyed(self) -> bool:
        """`target: an enemy squad`, `phase: PFPh`, `weapon: mortar`: what stands before the colon takes what stands behind it."""
        at = next((n for n in range(self.i, min(self.i + 7, len(self.line))) if self.line[n].text == ":"), -1)
        if at < 0:
            return False
        act = self.scene.act
        link = self.lexicon.meaning(self.line[self.i : at])
        role = next((s.name for s in (link.senses if link else ()) if s.sort == LINK), "")
        if act is not None and role and self.may_link(act, role) and self.attempt(partial(self.in_role, act, role, at)):
            return True
        self.take("the")
        thing = self.noun(verbs_stop=True)
        if thing is None or self.i != at:
            return False
        self.i = at + 1
        self.it = thing
        return self.described(thing)

    def listed_figures(self) -> bool:
        """`pillbox Strength Factors, left to right: 1, +3, +5`."""
        start = self.i
        for length in (1, 2, 3):
            if start + length >= len(self.line):
                return False
            meant = self.lexicon.meaning(self.line[start : start + length])
            sense = meant.of(KIND) if meant is not None else None
            if sense is None or not self.lexicon.meaning([Word("first", 0, 0), *singular(self.line[start + length : start + length + 2])]):
                continue
            again = self.scene.again([sense.name])
            thing = again[0] if len(again) == 1 else self.scene.new([sense.name], sense.name)
            self.i = start + length
            return self.figures(thing)
        return False

    def keyed_number(self) -> bool:
        """`Basic TK#: 13`: a number of the act, or of whom it is about."""
        start = self.i
        game = self.take("the game 's", "the")
        name = self.quantity(None)
        self.take("of that ammo", "of the attack", "of it")
        if not name or not self.take(":", "is"):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        act = self.scene.act
        domain = self.properties[name].domain
        where = [t for role in ("place", "destination", "target") for t in (act.links.get(role, ()) if act is not None else ())]
        about = [act] if domain in self.classes and ACT in self.classes[domain].ancestors else [*where, self.it] if game else [self.it, act]
        bearer = next((t for t in about if t is not None and self.bearer(t, name) is not None), None)
        if not value or bearer is None:
            return False
        self.i += 1
        self.unit(name)
        if game and (unit := self.found(KIND)) is not None:
            self.i += unit.length  # three infantry units
        return self.numbered(bearer, name, value, start)

    def in_role(self, act: Thing, role: str, at: int) -> bool:
        """What stands in a role of the act, told behind the colon there."""
        self.i = at + 1
        if role == "phase":
            return self.phase_of(act)
        return self.filled(act, role, next(iter(act.links.get(role, ())), None))

    def filled(self, act: Thing, role: str, thing: Thing | None) -> bool:
        """What stands in a role of an act, told behind a colon."""
        start = self.i
        if thing is not None:
            return self.described(thing)
        other = self.noun(verbs_stop=True)
        if other is None or not self.join(act, role, other, start):
            return False
        self.it = other
        while self.take(","):
            if not self.attempt(lambda: self.predicate(other)):
                self.i -= 1
                break
        return True

    def described(self, thing: Thing) -> bool:
        """What is told of a thing behind a colon: its kind, its states, its numbers, a comma between them."""
        taken = False
        while not self.over():
            way = (self.predicate, self.verb_phrase, self.flagged, self.more_exactly)
            if not any(self.attempt(partial(w, thing)) for w in way):
                break
            taken = True
            if not self.take(",", "and"):
                break
        return taken

    def more_exactly(self, thing: Thing) -> bool:
        """What a thing is that was named by a wide word: the counter is a bunker, the target an enemy squad in the field."""
        start = self.i
        count = len(self.scene.things)
        other = self.noun(verbs_stop=True)
        if other is not None and self.scene.below(thing, ACT):
            for cls, role in (("Ammunition", "ammunition"), ("Weapon", "weapon")):
                if self.scene.below(other, cls) and role in self.properties and role not in thing.links:
                    thing.link(role, other)
                    return True
        if (
            other is None
            or other is thing
            or other in self.scene.things[:count]
            or self.scene.clash(thing, other.kinds)
        ):
            self.i = start
            return False
        wide = [k for k in other.kinds if not any(k in self.classes[o].ancestors for o in thing.kinds)]
        self.scene.refine(thing, wide)
        thing.add(k for k in other.kinds if k in ("Enemy", "Friendly"))
        thing.denied += other.denied
        for role, others in other.links.items():
            for one in others:
                thing.link(role, one)
        thing.numbers.update(other.numbers)
        thing.flags.update(other.flags)
        self.scene.things.remove(other)
        return True

    def there(self) -> bool:
        """There is an enemy squad in the pillbox."""
        if not self.take("there is", "there are", "there's"):
            return False
        if self.low() == "no":
            return self.none()
        return self.noun() is not None

    def none(self) -> bool:
        """No enemy is in the pillbox: what is not said is not so, and nothing is told; but the words must be understood."""
        mark, known = self.scene.mark(), list(self.scene.things)
        self.take("no")
        self.take("other")
        self.anew = True
        try:
            thing = self.noun(states=True, places=True)
        finally:
            self.anew = False
        if thing is None or thing in known:
            return False
        self.attempt(lambda: self.verb_phrase(thing))
        self.take("near", "nearby", "about", "there")
        self.scene.back(mark)
        return True

    def clause(self) -> bool:
        """The squad is pinned; he has 2 MF left; it costs 2 MF."""
        if self.low() == "no":
            return self.none()
        self.take("the")
        name, start = self.quantity(None), self.i
        if name and self.take("of"):
            thing = self.noun(verbs_stop=True, states=False)
            if thing is not None and self.take("is", "are"):
                value = counted(self.line[self.i]) if not self.over() else ""
                if value:
                    self.i += 1
                    self.unit(name)
                    return self.numbered(thing, name, value, start)
            return False
        if name:
            return False
        if self.attempt(self.owned_number):
            return True
        thing = self.noun(verbs_stop=True, states=False)
        if thing is None:
            return False
        if self.over() or self.clause_begins():
            return bool(self.placed) and self.placed[-1][0] is thing
        value = self.own_number(thing)
        if value:
            return True
        if self.verb_phrase(thing) or self.flagged(thing):
            self.it = thing
            return True
        return self.done_by(thing)

    def owned_number(self) -> bool:
        """Its printed FP is 4; the squad's firepower is 6."""
        start = self.i
        ends = [n for n in range(self.i, len(self.line)) if self.line[n].low == "'s"]
        if self.take("its", "his", "their"):
            owner = self.it
        elif ends:
            whole, self.line = self.line, self.line[: ends[0]]
            owner = self.noun()
            there = self.i == ends[0]
            self.line = whole
            if not there:
                return False
            self.i += 1
        else:
            return False
        name = self.quantity(owner) if owner is not None else ""
        if not name or owner is None or not self.take("is", "are", "was"):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        if not value:
            return False
        self.i += 1
        self.unit(name)
        return self.numbered(owner, name, value, start)

    def own_number(self, thing: Thing) -> bool:
        """its printed FP is 4: a number of what a genitive named."""
        return self.amount(thing)

    def main_state(self) -> bool:
        """`not pinned`, `in Good Order`, `no CH`: of whom, or of the act that, the question is about."""
        it, act = self.it, self.scene.act
        if act is not None and (self.attempt(lambda: self.phase_of(act)) or self.attempt(lambda: self.manner(act))):
            return True
        for thing in (it, act):
            if thing is not None and any(
                self.attempt(partial(w, thing)) for w in (self.predicate, self.verb_phrase, self.flagged, self.denial)
            ):
                return True
        return it is not None and self.attempt(lambda: self.done_by(it))

    def denial(self, thing: Thing) -> bool:
        """`no CH`: what an act is not."""
        start = self.i
        if not self.take("no"):
            return False
        found = self.found(HOW, KIND, DEED)
        for sense in found.senses if found else ():
            if (
                self.scene.below(thing, ACT)
                and ACT
                in self.classes.get(
                    sense.name, self.classes["Thing"] if "Thing" in self.classes else next(iter(self.classes.values()))
                ).ancestors
            ):
                self.i += found.length  # type: ignore[union-attr]
                self.say(thing, sense.name, True, start)
                return True
        return False

    def bare(self) -> bool:
        """An enemy squad outside the pillbox: a noun phrase alone says that there is one."""
        return self.noun() is not None
