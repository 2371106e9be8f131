"""Reads questions: may, must, is, how much, what happens; with the facts behind an if."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from kb.english.asides import BE
from kb.english.counts import DO
from kb.english.cursor import Stuck
from kb.english.effects import HARMING
from kb.english.forbidding import MAY_NOT
from kb.english.lexicon import DEED, HOW, undone
from kb.english.references import PLACE
from kb.english.thing import ACT, Thing
from kb.english.whether import PAIR, WhetherReader
from kb.english.wording import POSSIBLE
from kb.english.words import Word
from kb.language.english import participles, plural

MODES = {"may": ("may", "can", "could", "might"), "may not": (MAY_NOT,), "must": ("must", "shall")}
ALLOWED = ("allowed to", "permitted to", "able to", "free to", "entitled to")
DESIGNING = "act of designing "
IN_ONE_TURN = re.compile(r"\bsame (?:\w+ )?(?:turn|phase|\w+ph)\b")
BARRED = ("forbidden", "prohibited", "barred")
OBLIGED = ("required to", "obliged to", "forced to", "bound to", "supposed to")


class QuestionReader(WhetherReader):
    """Reads a question."""

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks, as a function of the case: the kind and the things; None where it asks nothing."""
        self.began = self.scene.mark()
        self.scene.act = None  # what was told to happen before is not what is asked about
        while self.take("then", "so", "please", ","):
            pass
        asked = self.modal()
        if asked is None and self.attempt(self.defined):
            asked = self.count_asked
        asked = asked or self.amounts() or self.happens() or self.whether()
        if asked is None:
            self.scene.act = self.began[2]
            return None
        if asked.get("value", ("", self))[1] is None or ("effects" in asked and self.over()):
            before = self.began[2] or next((row[0] for row in self.began[0] if self.scene.below(row[0], ACT)), None)
            self.scene.act = self.scene.act or before  # what is the TEM? That of what was told before
        self.narrated(self.began[2])
        self.conditions()
        return asked

    def narrated(self, act: Thing | None) -> None:
        """What somebody was told to do before the question has happened, where the question is not of it."""
        told = act is not None and act is not self.scene.act
        if act is not None and told and act.links.get("actor") and act not in self.scene.happened:
            self.scene.happened.append(act)

    def modal(self) -> dict[str, Any] | None:
        """May the squad enter the pillbox?"""
        start = self.i
        kind = self.mode()
        if not kind and self.low() in DO:
            self.i += 1
            subject = self.noun(verbs_stop=True)
            kind = "must" if self.take("have to", "need to") else "may" if self.take("get to") else ""
            if subject is None or not kind:
                self.reset(start)
                return None
            return self.asked(kind, subject, start)
        if not kind and self.low() in BE:
            self.i += 1
            subject = self.noun(verbs_stop=True, states=False)
            if subject is not None and self.take(*ALLOWED):
                return self.asked("may", subject, start)
            if subject is not None and self.take(*OBLIGED):
                return self.asked("must", subject, start)
            if subject is not None and self.tried(subject, self.can_suffer):
                self.it = self.scene.main = subject
                return {"is": (subject, self.class_asked)}
            if subject is not None and self.tried(subject, self.subjected):
                self.it = self.scene.main = subject
                return {"may": self.scene.act}
            if subject is not None and self.scene.below(subject, ACT) and self.tried(subject, self.lawful):
                return {"may": subject}
            if subject is not None and self.take("allowed", "permitted", "entitled to"):
                self.it = self.scene.main = subject
                if self.attempt(lambda: self.take("for") and self.set_up_there(subject, self.noun())):
                    return {"may": self.scene.act}
                if self.low() in ("in", "inside", "on", "behind"):
                    return self.being_there("may", subject)
                act = self.noun()
                if act is not None and self.scene.below(act, ACT):
                    self.scene.act = act
                    act.link("actor", subject)
                    return {"may": act}
            self.reset(start)
            return None
        if not kind:
            return None
        they = self.low() == "they"
        if they and self.it not in self.scene.pair and self.one_of_several():
            raise Stuck(self.i, "who are “they”?", True)
        self.verb_awaited = True
        try:
            at = self.ahead(*HARMING)  # can a tank overrun hurt the squad: of the overrun
            subject = self.until(at, self.noun) if at > 0 else self.noun(verbs_stop=True)
        finally:
            self.verb_awaited = False
        if subject is None:
            raise self.stuck()
        while self.low() == "and" and self.tried(subject, self.joined_by):
            pass
        asked = self.asked(kind, subject, start)
        if they and subject in self.scene.pair and self.scene.act is not None:
            self.share(self.scene.act, self.scene.pair, subject)
        return asked

    def lawful(self, act: Thing) -> bool:
        """Takes `allowed`, of an act that was told before, or is told here: is the entry allowed?"""
        self.complements(act, False, False)
        there = self.take(*POSSIBLE) and (self.over() or self.clause_begins()) and bool(act.links)
        self.scene.act = act
        self.scene.main = self.it = next(iter(act.links.get("actor", ())), act)
        return there

    def subjected(self, subject: Thing) -> bool:
        """Takes `subject to Snap Shots`: whether such an attack may be made on somebody."""
        if not self.take("subject to", "subjected to", "exposed to", "liable to") or self.scene.below(subject, ACT):
            return False
        act = self.noun(states=False)
        if act is None or not self.scene.below(act, "Attack") or act.links.get("target", [subject]) != [subject]:
            return False
        act.link("target", subject)
        self.scene.act = act
        self.complements(act, False, False)
        return self.over() or self.clause_begins()

    def joined_by(self, subject: Thing) -> bool:
        """Takes another one who is asked about with somebody: the squad and the leader."""
        self.take("and")
        # the squad in it and the squad outside it
        other = self.newly(verbs_stop=True, anew=self.low() in ("the", "a", "an"))
        if other is None or other is subject or other in subject.fellows or self.scene.below(other, ACT):
            return False
        subject.fellows.append(other)
        return not self.over()

    def mode(self) -> str:
        """Takes the verb by which it is asked whether somebody may, may not or must; "" where none stands here."""
        return next((kind for kind, verbs in MODES.items() if self.take(*verbs)), "")

    def asked(self, kind: str, subject: Thing, start: int) -> dict[str, Any]:
        """The question whether a subject may or must do what follows."""
        self.scene.main = self.it = subject
        if kind == "may" and self.tried(subject, self.designed_so):
            return {kind: self.scene.act}
        if self.low() == "have" and self.attempt(lambda: self.take("have") and self.set_up_there(self.noun(), subject)):
            return {kind: self.scene.act}
        if self.low() in ("not",):
            raise self.stuck("asked whether it may not: ask whether it may")
        if self.scene.below(subject, PLACE) and self.take("hold", "contain"):
            other = self.newly(verbs_stop=True)
            return self.being_there(kind, other, subject) if other is not None else self.fail()
        if self.take("be"):
            if self.tried(subject, self.subjected, self.in_group):
                return {kind: self.scene.act}
            if self.tried(subject, self.can_be):
                return {"is": (subject, self.class_asked)}
            if self.scene.below(subject, ACT) and self.take(
                "made", "claimed", "taken", "attempted", "done", "used", "allowed", "conducted"
            ):
                self.scene.act = subject
                self.complements(subject, False, False)
                return {kind: subject}
            if self.low() in ("in", "inside", "at", "on") and self.meant(["stay"], DEED) is not None:
                return self.being_there(kind, subject)
            made = self.act_asked(subject, True)
        elif self.low() == "join" and self.tried(subject, self.in_group):
            return {kind: self.scene.act}
        else:
            made = self.act_asked(subject, False)
        if made is None and kind == "may" and self.tried(subject, partial(self.whole, self.brings_about)):
            self.scene.hangs = True
            return self.so_asked
        if made is None:
            event = self.event_of(subject)
            if event is subject and self.low() in HARMING and self.scene.below(subject, "Piece"):
                event = self.harming(subject)
            if self.scene.below(event, ACT) and self.tried(event, self.effect_on):
                self.scene.act = self.scene.main = event
                return {"is": (event, self.class_asked)}
        if made is None:
            raise self.stuck()
        if self.scene.below(subject, ACT):
            raise Stuck(start)
        self.it = subject
        while self.tried(subject, self.then_too):
            pass
        return {kind: self.scene.act or made}

    def set_up_there(self, work: Thing | None, place: Thing | None) -> bool:
        """Says that a work is set up in a place: may a pillbox have a tunnel."""
        works = [t for t in (work, place) if t is not None and self.scene.below(t, PLACE)]
        if len(works) < PAIR or work is place or "SetUp" not in self.classes or work is None or place is None:
            return False
        self.scene.act = act = self.scene.new(["SetUp"], "setup")
        act.link("object", work)
        act.link("place", place)
        return self.over() or self.clause_begins()

    def designed_so(self, subject: Thing) -> bool:
        """Takes `run under a canal`, `be five hexes long`, `have a cave as its endpoint`, of what is designed by an act of the book: whether
        it may be designed so."""
        labels = {f" {self.classes[a].label} " for k in subject.kinds for a in (k, *self.classes[k].ancestors)}
        designs = [n for n, c in self.classes.items() if c.definition.startswith(DESIGNING)]
        made = [n for n in designs if any(label in f"{self.classes[n].definition} " for label in labels)]
        if len(made) != 1 or self.over() or self.deed() is not None:
            return False
        act = self.scene.new(made, "design")
        act.link("object", subject)
        if self.take("be"):
            so = self.predicate(subject)
        elif self.take("have"):
            so = self.has_part(subject)
        else:
            whole, verb = self.line, self.line[self.i]
            self.line = [*whole[: self.i], Word(plural(verb.low), verb.start, verb.end), *whole[self.i + 1 :]]
            so = self.verb_phrase(subject)
            self.line = whole
        self.scene.act = act
        return so and (self.over() or self.clause_begins())

    def then_too(self, subject: Thing) -> bool:
        """Takes `and place its bridge`, behind what is asked about: that this is asked of him who has done the other. The first is taken
        for allowed by itself where no more is told of it than who does it, or where it is asked whether both go in one turn."""
        first = self.scene.act
        if first is None or not self.take("and then also", "and then", "and also", "and") or self.deed() is None:
            return False
        at_once = IN_ONE_TURN.search(" ".join(w.low for w in self.line[self.i :]))
        if not at_once and {*first.links} - {"actor", "phase"}:
            return False
        self.scene.act = None
        made = self.act_of(subject)
        self.scene.happened.append(first)
        return made is not None and subject in made.links.get("actor", ())

    def act_asked(self, subject: Thing, passive: bool) -> Thing | None:
        """The act that is asked about; what its subject was told to do in passing has happened: a squad that enters a minefield."""
        before, self.scene.act = self.scene.act, None
        act = self.act_of(subject, passive)
        if act is None:
            self.scene.act = before
        elif before is not subject and not (before is not None and self.is_for(act, before)):
            self.narrated(before)
        return act

    def being_there(self, kind: str, subject: Thing, place: Thing | None = None) -> dict[str, Any]:
        """The question whether somebody may be in a place; a work, or what is no piece, is there when it is put there."""
        ways = (("SetUp", PLACE, "object"), ("Occupation", "Piece", "actor"), ("Placement", "", "object"))
        sort, _, role = next(way for way in ways if not way[1] or self.scene.below(subject, way[1]))
        if sort not in self.classes:
            raise self.stuck()
        self.scene.act = act = self.scene.new([sort], "be in")
        act.link(role, subject)
        for one in (place,) if place is not None else ():
            act.link("place", one)
        self.complements(act, False, False)
        if "place" not in act.links:
            raise self.stuck()
        return {kind: act}

    def can_suffer(self, subject: Thing) -> bool:
        """Takes `subject to pinning`: whether he can be pinned."""
        if not self.take("subject to") or not self.low().endswith("ing"):
            return False
        whole, word = self.line, self.line[self.i]
        for base in undone(word.low):
            done = Word(participles(base)[1], word.start, word.end)
            self.line = [*whole[: self.i], done, *whole[self.i + 1 :]]
            if self.tried(subject, self.can_be):
                return True
        self.line = whole
        return False

    def can_be(self, subject: Thing) -> bool:
        """Takes `pinned`, of what can be so: that it cannot is what the ontology has a word for."""
        meant = None if self.over() else self.lexicon.meaning(["cannot", "be", self.line[self.i]])
        sense = meant.of(HOW) if meant is not None else None
        if sense is None or not self.fits(subject, sense.name):
            return False
        self.i += 1
        self.tried(subject, self.by_what)
        self.class_asked = f"not {sense.name}"
        return self.over() or self.clause_begins()
