"""Reads facts that are told without a subject or a verb: HE ordnance hit on the pillbox; not pinned; no CH; a squad outside."""

from __future__ import annotations

from functools import partial

from kb.english.clauses import WHICH
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND
from kb.english.pronouns import PRONOUNS
from kb.english.references import MADE_WITH
from kb.english.silences import SilenceReader
from kb.english.thing import ACT, SIDES, Thing
from kb.english.words import counted


class BareReader(SilenceReader):
    """Reads bare phrases."""

    def attack_told(self) -> bool:
        """HE ordnance hit on the pillbox: an attack that is told by what it is made with, and no verb."""
        start = self.i
        self.take("a", "an", "the")
        first, sense = self.sensed(KIND)
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
        if "target" not in act.links and self.low() in (*DETERMINERS, *PRONOUNS):
            self.attempt(partial(self.object_of, act, False))  # a flame-thrower hits a Nest
        self.scene.act = self.scene.act or act
        return True

    def main_state(self) -> bool:
        """`not pinned`, `in Good Order`, `no CH`: of whom, or of the act that, the question is about."""
        told, act = self.so_of_main(), self.scene.act
        if told and act is not None and self.low() in WHICH:  # fire that names no target
            self.attempt(lambda: self.take(*WHICH) and self.verb_phrase(act))
        return told

    def so_of_main(self) -> bool:
        """Takes what is so of whom, or of what, the question is about."""
        it, act = self.it, self.scene.act
        # fire at it, consecutively, at Long Range: of what was just told to be done
        for told in dict.fromkeys((self.told, act)):
            ways = (self.phase_of, self.manner, self.manner_alone, self.of_own_role)
            if told is not None and self.tried(told, *ways):
                return True
        doers = act.links.get("actor", []) if act is not None and act is it else []
        for thing in (it, act, *doers):
            if thing is not None and self.tried(thing, self.predicate, self.verb_phrase, self.flagged):
                return True
        if it is not None and act is None and it.numbers and self.tried(it, self.in_an_attack):
            return True
        return it is not None and self.tried(it, self.done_by)

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
            meant = self.lexicon.meaning([lead, *self.line[start:end]])
            sense = meant.of(HOW, DEED) if meant is not None else None
            if meant is not None and sense is not None and not meant.denied and self.fits(act, sense.name):
                self.i = end
                self.say(act, sense.name, False, start)
                return ACT in self.classes[sense.name].ancestors
        return False

    def of_group(self, thing: Thing) -> Thing | None:
        """The attack that a group makes, where a number of an attack is asked for and none was told; None elsewhere."""
        if self.scene.act is None and self.scene.open and self.scene.below(thing, "Group") and "Fire" in self.classes:
            self.scene.act = self.scene.new(["Fire"], "attack")
            self.scene.act.link("actor", thing)
            return self.scene.act
        return None

    def bare(self) -> bool:
        """An enemy squad outside the pillbox: a noun phrase alone says that there is one, or what this hex is that was asked about."""
        known, many = list(self.scene.things), not self.over() and bool(counted(self.line[self.i]))
        indefinite = self.low() in ("a", "an") or many
        thing = self.noun()
        if thing is None:
            return False
        act = self.scene.act
        aimed = act.links.get("target", ()) if act is not None else ()
        if (thing in (*known, *aimed) or "Enemy" in thing.kinds) and self.low() == ",":
            self.it = thing  # target within the CA, in LOS; cave, unoccupied; an enemy squad, unbroken
        if self.scene.below(thing, ACT) and act is None:
            self.scene.act = thing
        act = act or self.of_group(thing)
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
        elif indefinite and thing not in known:
            self.the_one(thing, known)
        return True
