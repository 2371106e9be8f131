"""Reads the facts: a clause behind an if, a sentence of its own, a noun phrase alone."""

from __future__ import annotations

from functools import partial

from kb.english.acts import MADE
from kb.english.asides import BE
from kb.english.clauses import HAVE
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND
from kb.english.references import MADE_WITH
from kb.english.scene import ACT, SIDES, Thing
from kb.english.silences import SilenceReader
from kb.english.whither import CONDITION
from kb.english.words import MULTIPLIES, Word, counted


class FactReader(SilenceReader):
    """Reads sentences of facts."""

    def facts(self) -> None:
        """Takes a sentence of facts, which may be several with commas and ands between them."""
        while not self.over():
            begun = self.i
            while self.take(",", "and", "but", "then", "also", "if"):
                pass
            if self.over():
                return
            more = self.low() in (*BE, *HAVE) or self.found(KIND) is not None
            if 0 < self.i == begun and not self.line[self.i].sign and more:
                raise self.stuck()  # what was read before is not what this is said of
            if not self.fact():
                raise self.stuck()
            if self.scene.act is not None and not self.over() and self.line[self.i].text in MULTIPLIES:
                self.i += 1  # PBF doubles: that it is such
            elif self.low() == "(" and self.low(2) == ")" and self.line[self.i + 1].text in MULTIPLIES:
                self.i += 3  # Long Range (halves)

    def fact(self) -> bool:
        """Takes one fact."""
        ways = (
            self.closed,
            self.not_told,
            self.listed_figures,
            self.keyed,
            self.keyed_number,
            self.there,
            self.of_all,
            self.of_none,
            self.they_stand,
            self.some_of_them,
            self.stands,
            self.gapped_verb,
            self.intended,
            self.attack_told,
            self.clause,
            self.main_state,
            self.bare,
        )
        return any(self.attempt(way) for way in ways)

    def attack_told(self) -> bool:
        """HE ordnance hit on the pillbox: an attack that is told by what it is made with, and no verb."""
        start = self.i
        self.take("a", "an", "the")
        first = self.found(KIND)
        sense = first.of(KIND) if first is not None else None
        if (
            first is None
            or sense is None
            or not any(c in self.classes and self.kind(sense.name, c) for c, _ in MADE_WITH)
        ):
            return False
        then = self.lexicon.at(self.line, self.i + first.length, (KIND, HOW, DEED)) if self.low(first.length) else None
        if then is None or then.of(HOW) or any(s.verb for s in then.senses if s.sort == DEED and s.name == "Fire"):
            return False
        act = self.scene.act
        if act is None or act.links or not self.scene.below(act, "Attack"):
            act = self.scene.new(["Attack"], " ".join(w.text for w in self.line[start : start + 2]))
        begun = self.i
        if not self.described(act) or self.i <= begun + first.length or not act.links:
            return False
        if "target" not in act.links and self.low() in DETERMINERS:
            self.attempt(partial(self.object_of, act, False))  # a flame-thrower hits a Nest
        self.scene.act = self.scene.act or act
        return True

    def clause_begins(self) -> bool:
        """Whether a clause with a condition begins here."""
        return any([self.low(n) for n in range(len(c.split()))] == c.split() for c in (*CONDITION, ","))

    def conditions(self) -> None:
        """Takes the facts behind if, when, while."""
        while not self.over():
            start = self.i
            if self.take("turn-after"):
                self.scene.later = True
                continue
            if self.low() == ",":
                self.i += 1
            taken = self.take(*CONDITION)
            while self.take(*CONDITION):
                pass
            if not taken and self.i == start:
                raise self.stuck()
            before, known = self.line[self.i - 1].low in ("after", "once"), list(self.scene.things)
            doer = self.it if taken and self.low().endswith("ing") else None
            if doer is not None and self.take("having") and self.attempt(partial(self.verb_phrase, doer)):
                continue
            if not (doer is not None and self.attempt(partial(self.done_by, doer))) and not self.fact():
                self.i = max(self.i, start)
                raise self.stuck()
            if before:
                acts = [t for t in self.scene.things if t not in known and self.scene.below(t, ACT)]
                self.scene.happened += [t for t in acts if t not in self.scene.happened]

    def there(self) -> bool:
        """There is an enemy squad in the pillbox."""
        if not self.take("there is", "there are", "there's"):
            return False
        if self.low() == "no":
            return self.none()
        return self.noun() is not None

    def clause(self) -> bool:
        """The squad is pinned; he has 2 MF left; it costs 2 MF."""
        if self.low() == "no" and self.it is not None and self.attempt(partial(self.lacked, self.it)):
            return True  # no LOS to the target
        if (
            self.low() == "no"
            or (self.low() == "none" and self.low(1) == "of")
            or (self.low() in ("nobody", "nothing") and self.low(1) in ("else", "is"))
        ):
            return self.none()
        begun = self.i
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
        known, indefinite = list(self.scene.things), self.low() in ("a", "an")
        self.i = begun  # the Firepower Test is passed: no Firepower
        if self.attempt(self.owned_number):
            return True
        thing = self.noun(verbs_stop=True, states=False)
        if thing is None:
            return False
        if self.scene.below(thing, ACT) and not self.over():
            self.complements(thing, False, False)
        if self.over() or self.clause_begins():
            told = bool(self.placed) and self.placed[-1][0] is thing
            if told and self.scene.below(thing, ACT) and thing not in known:
                self.scene.act = self.scene.act or thing  # a Set DC inside the pillbox
            if told and indefinite and thing not in known:
                self.the_one(thing, known)
            return told
        if self.amount(thing):
            return True
        act = self.scene.act
        if (
            self.low() in MADE
            and act is not None
            and any(thing in act.links.get(r, ()) for r in ("ammunition", "weapon"))
        ):
            count = self.i
            self.i += 1
            self.complements(act, False, False)  # AP fired from outside its arc
            return self.i > count + 1
        act = self.scene.act
        past = self.deed() is not None and self.in_the_past(self.deed())
        if (
            act is not None
            and thing in act.links.get("actor", ())
            and not past
            and self.attempt(partial(self.as_asked, thing))
        ):
            self.it = thing
            return True  # it fires its MG at the squad: of the fire that is asked about
        if self.asked_deed() and self.attempt(partial(self.done_by, thing)):
            self.it = thing
            self.same_act()
            return True
        if self.verb_phrase(thing) or self.flagged(thing) or self.attempt(partial(self.taking_part, thing)):
            self.it = thing
            return True
        if self.done_by(thing):
            self.it = thing
            self.same_act()
            return True
        return False

    def lacked(self, thing: Thing) -> bool:
        """Takes `no LOS to the target`, of whom it was told before: a state that he has not."""
        return self.quality(thing) and (self.over() or self.line[self.i].sign or self.low() in ("and", "but"))

    def asked_deed(self) -> bool:
        """Whether the verb here names what is asked about, of which no more was told: a squad fires its MG, of this fire."""
        found, act = self.deed(), self.scene.act
        verb = next((s for s in found.senses if s.verb), None) if found is not None else None
        bare = verb is not None and act is not None and act.definite and not act.links
        return bare and bool(self.scene.alike(verb.name, act.kinds))  # type: ignore[union-attr]

    def owned_number(self) -> bool:
        """Its printed FP is 4; the squad's firepower is 6."""
        start = self.i
        ends = [n for n in range(self.i, len(self.line)) if self.line[n].low == "'s"]
        if self.take("its", "his", "their"):
            doers = self.scene.act.links.get("actor", []) if self.scene.act is not None else []
            at = self.i
            owner = next((t for t in (self.it, *doers) if t is not None and self.quantity(t)), None)
            self.i = at
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

    def main_state(self) -> bool:
        """`not pinned`, `in Good Order`, `no CH`: of whom, or of the act that, the question is about."""
        it, act = self.it, self.scene.act
        if act is not None and any(
            self.attempt(partial(way, act)) for way in (self.phase_of, self.manner, self.manner_alone, self.of_own_role)
        ):
            return True
        for thing in (it, act):
            if thing is not None and any(
                self.attempt(partial(w, thing)) for w in (self.predicate, self.verb_phrase, self.flagged, self.denial)
            ):
                return True
        if it is not None and act is None and it.numbers and self.attempt(partial(self.in_an_attack, it)):
            return True
        return it is not None and self.attempt(lambda: self.done_by(it))

    def in_an_attack(self, doer: Thing) -> bool:
        """`Normal Range`, of somebody of whom no act was told: so he attacks."""
        act = self.scene.new(["Attack"], "attack")
        act.link("actor", doer)
        if not self.manner_alone(act):
            return False
        self.scene.act = act
        return True

    def manner_alone(self, act: Thing) -> bool:
        """`Normal Range`: how an act is done, told without the word that leads it: at Normal Range."""
        start = self.i
        end = next((n for n in range(start, len(self.line)) if self.line[n].sign), len(self.line))
        for lead in ("at", "within", "in", "by", "from"):
            meant = self.lexicon.meaning([Word(lead, 0, 0), *self.line[start:end]])
            sense = meant.of(HOW, DEED) if meant is not None else None
            if meant is not None and sense is not None and not meant.denied and self.fits(act, sense.name):
                self.i = end
                self.say(act, sense.name, False, start)
                return ACT in self.classes[sense.name].ancestors
        return False

    def denial(self, thing: Thing) -> bool:
        """`no CH`: what an act is not."""
        start = self.i
        if not self.take("no"):
            return False
        found = self.found(HOW, KIND, DEED)
        end = next((n for n in range(self.i, len(self.line)) if self.line[n].low in ("this", "the", "such")), -1)
        if found is None and end > 0 and self.scene.below(thing, ACT):  # no rule allows this attack: none allows it
            meant = self.lexicon.meaning([*self.line[self.i : end], Word("it", 0, 0)])
            sense = meant.of(HOW) if meant is not None else None
            whole = self.i
            self.i = end
            if sense is not None and self.noun() is thing and self.fits(thing, sense.name, True):
                self.say(thing, sense.name, True, start)
                return True
            self.i = whole
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
        """An enemy squad outside the pillbox: a noun phrase alone says that there is one, or what this hex is that was asked about."""
        known, many = list(self.scene.things), not self.over() and bool(counted(self.line[self.i]))
        indefinite = self.low() in ("a", "an") or many
        thing = self.noun()
        if thing is None:
            return False
        act = self.scene.act
        if act is not None and thing in act.links.get("target", ()) and self.low() == ",":
            self.it = thing  # target within the CA, in LOS
        if self.scene.below(thing, ACT) and act is None:
            self.scene.act = thing
        if act is not None and self.scene.below(thing, "Group") and self.scene.below(act, "Attack"):
            act.links.setdefault("actor", [thing])  # FG of two squads: it is theirs
        sides = {k for k in thing.kinds if k in SIDES}
        heads = [k for k in thing.kinds if k not in SIDES]
        shown = [t for t in known if t.shown and any(self.scene.alike(k, t.kinds) for k in heads)] if heads else []
        if indefinite and thing not in known and len(shown) == 1 and not sides - {*shown[0].kinds}:
            if self.scene.clash(shown[0], thing.kinds):
                raise self.stuck("it cannot be that too")
            self.scene.merge(shown[0], thing)
            self.it = shown[0]
        elif not indefinite and thing not in known and thing.fellows and heads:
            same = [t for t in known if t.definite and any(self.scene.alike(k, t.kinds) for k in heads)]
            if len(same) == 1 and sides == {*same[0].kinds} & {*SIDES}:
                self.scene.merge(same[0], thing)
        elif indefinite and thing not in known:
            self.the_one(thing, known)
        return True
