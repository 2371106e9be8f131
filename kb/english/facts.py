"""Reads the facts: a clause behind an if, a sentence of its own, a noun phrase alone."""

from __future__ import annotations

from functools import partial

from kb.english.acts import MADE
from kb.english.asides import BE
from kb.english.clauses import HAVE
from kb.english.lexicon import DEED, KIND, PHASE
from kb.english.pronouns import PRONOUNS
from kb.english.references import PLACE
from kb.english.subjectless import BareReader
from kb.english.thing import ACT, Thing
from kb.english.whither import CONDITION
from kb.english.words import MULTIPLIES
from kb.language.english import plural

GIVING = ("give", "provide", "offer", "grant", "add", "leave")


class FactReader(BareReader):
    """Reads sentences of facts."""

    def facts(self) -> None:
        """Takes a sentence of facts, which may be several with commas and ands between them."""
        known = list(self.scene.things)
        when = self.phase_in_front()
        self.each_fact()
        for act in [t for t in self.scene.things if t not in known and self.scene.below(t, ACT)]:
            if when is not None and "phase" in self.properties and not act.links.get("phase"):
                act.link("phase", when)

    def phase_in_front(self) -> Thing | None:
        """Takes `In the Fire Phase`, `PFPh:`, in front of what is done then; None where nothing is."""
        start = self.i
        self.take("in the", "during the", "in his", "in its")
        found, sense = self.sensed(KIND)
        self.i += found.length if found is not None else 0
        sign = self.take(",", ":")
        if sense is None or not self.kind(sense.name, PHASE) or self.over() or not (sign or self.i > start + 1):
            self.i = start
            return None
        rest = self.i
        acts = any(self.lexicon.at(self.line, n, (DEED,)) is not None for n in range(rest + 1, len(self.line)))
        if not acts or (self.line[rest - 1].text == "," and self.line[start].low not in ("in", "during")):
            self.i = start
            return None
        return self.scene.new([sense.name], "phase")

    def each_fact(self) -> None:
        """Takes one fact after the other."""
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
            self.closed, self.not_told, self.rid_of, self.listed_figures, self.handed_out, self.on_his, self.keyed,
            self.keyed_number, self.of_all, self.of_each_act, self.each_from, self.of_none, self.one_and_other,
            self.some_of_them, self.stands, self.gapped_verb, self.attack_told, self.clause, self.main_state, self.bare,
        )  # fmt: skip
        return any(self.attempt(way) for way in ways)

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
            if doer is not None and self.take("having") and self.tried(doer, self.verb_phrase):
                continue
            if not (doer is not None and self.tried(doer, self.done_by)) and not self.fact():
                self.i = max(self.i, start)
                raise self.stuck()
            if before:
                acts = [t for t in self.scene.things if t not in known and self.scene.below(t, ACT)]
                self.scene.happened += [t for t in acts if t not in self.scene.happened]

    def clause(self) -> bool:
        """The squad is pinned; he has 2 MF left; it costs 2 MF."""
        if self.low() == "no" and self.it is not None and self.attempt(partial(self.lacked, self.it)):
            return True  # no LOS to the target
        if (
            self.low() == "no"
            or (self.low() == "none" and self.low(1) == "of")
            or (self.low() in ("nobody", "nothing", "none") and self.low(1) in ("else", "is", "are"))
        ):
            return self.none()
        begun = self.i
        self.take("the")
        name, start = self.quantity(None), self.i
        if name and self.take("of"):
            thing = self.noun(verbs_stop=True, states=False)
            if thing is not None and self.take("is", "are"):
                value = self.number()
                if value:
                    self.unit(name)
                    return self.numbered(thing, name, value, start)
            return False
        known, indefinite = list(self.scene.things), self.low() in ("a", "an")
        self.i = begun  # the Firepower Test is passed: no Firepower
        thing = self.noun(verbs_stop=True, states=False)
        if thing is None:
            return False
        doers = thing.links.get("actor", ()) if self.line[begun].low in PRONOUNS and self.deed() is not None else ()
        if self.scene.below(thing, ACT) and len(doers) == 1:
            thing = doers[0]  # the fire of the squad? It fires its MG
        if self.scene.below(thing, ACT) and not self.over():
            self.complements(thing, False, False)
        if self.over() or self.clause_begins():
            told = bool(self.placed) and self.placed[-1][0] is thing
            if told and indefinite and thing not in known:
                self.the_one(thing, known)
            if told:
                self.of_group(thing)
            elif any(thing in t.links.get("actor", ()) for t in self.scene.things if t not in known):
                self.it = thing  # a team gapping: what it does
                self.same_act()
                return True
            return told
        if self.tried(thing, self.amount, self.gives_what_is_asked, self.comes_so):
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
        if act is not None and thing in act.links.get("actor", ()) and not past and self.tried(thing, self.as_asked):
            self.it = thing
            return True  # it fires its MG at the squad: of the fire that is asked about
        if self.asked_deed() and self.tried(thing, self.done_by):
            self.it = thing
            self.same_act()
            return True
        ways = (self.verb_phrase, self.flagged, self.taking_part, self.done_by)
        for whole in (True, False):  # a squad fires its MG from a pillbox: what it does, and not only who mans the MG
            for way in ways:
                if self.attempt(lambda way=way, whole=whole: way(thing) and (not whole or self.told_out())):  # type: ignore[misc]
                    self.it = thing
                    if way == self.done_by:
                        self.same_act()
                    return True
        if self.line[begun].low != "it":
            return False
        doers = thing.links.get("actor", []) if self.scene.below(thing, ACT) else []
        places = [t for t in self.scene.things if self.scene.below(t, PLACE)]
        doers = [*doers, *(places if len(places) == 1 else ())]  # it is empty: the one place that is spoken of
        others = [t for t in (*doers, self.scene.last) if t is not None and t is not thing and t in self.scene.things]
        return any(self.tried(other, self.verb_phrase) for other in others)  # its FP is 4 and it is pinned

    def told_out(self) -> bool:
        """Whether a clause may end here."""
        return self.over() or self.line[self.i].sign or self.low() in ("and", "but", "then") or self.clause_begins()

    def gives_what_is_asked(self, act: Thing) -> bool:
        """Takes `leaves Residual FP`, of an act of which that is asked: that there is some, as the question has it."""
        return self.scene.below(act, ACT) and self.take(*map(plural, GIVING)) and bool(self.quantity(act))

    def comes_so(self, act: Thing) -> bool:
        """Takes `comes from a hex`, `is made at Long Range`, of an act: what goes with it."""
        if not self.scene.below(act, ACT) or not self.take(
            "comes", "came", "originates", *(f"{be} {m}" for be in BE for m in MADE)
        ):
            return False
        start = self.i
        self.complements(act, False, False)
        return self.i > start

    def lacked(self, thing: Thing) -> bool:
        """Takes `no LOS to the target`, of whom it was told before: a state that he has not."""
        return self.quality(thing) and (self.over() or self.line[self.i].sign or self.low() in ("and", "but"))

    def asked_deed(self) -> bool:
        """Whether the verb here names what is asked about, of which no more was told: a squad fires its MG, of this fire."""
        found, act = self.deed(), self.scene.act
        verb = next((s for s in found.senses if s.verb), None) if found is not None else None
        bare = verb is not None and act is not None and act.definite and not act.links
        return bare and bool(self.scene.alike(verb.name, act.kinds))  # type: ignore[union-attr]
