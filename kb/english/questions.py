"""Reads questions: may, must, is, how much, what happens; with the facts behind an if."""

from __future__ import annotations

from functools import partial
from typing import Any

from kb.english.asides import BE
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK
from kb.english.numbers import DO, NumberReader
from kb.english.references import AMMUNITION, AT
from kb.english.scene import ACT, Thing
from kb.english.words import Word

PAIR = 2
MAY, MUST = ("may", "can", "could", "might"), ("must", "shall")


class QuestionReader(NumberReader):
    """Reads a question."""

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks, as a function of the case: the kind and the things; None where it asks nothing."""
        self.began = self.scene.mark()
        self.scene.act = None  # what was told to happen before is not what is asked about
        while self.take("then", "so", "please", ","):
            pass
        asked = self.modal() or self.amounts() or self.happens() or self.whether()
        if asked is None:
            self.scene.act = self.began[2]
            return None
        self.narrated(self.began[2])
        self.conditions()
        return asked

    def narrated(self, act: Thing | None) -> None:
        """What somebody was told to do before the question has happened, where the question is not of it."""
        if act is not None and act is not self.scene.act and act.links.get("actor") and act not in self.scene.happened:
            self.scene.happened.append(act)

    def modal(self) -> dict[str, Any] | None:
        """May the squad enter the pillbox?"""
        start = self.i
        kind = "may" if self.take(*MAY) else "must" if self.take(*MUST) else ""
        if not kind and self.low() in DO:
            self.i += 1
            subject = self.noun(verbs_stop=True)
            if subject is None or not self.take("have to", "need to"):
                self.reset(start)
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
        while self.low() == "and" and self.attempt(partial(self.joined_by, subject)):
            pass
        return self.asked(kind, subject, start)

    def joined_by(self, subject: Thing) -> bool:
        """Takes another one who is asked about with somebody: the squad and the leader."""
        self.take("and")
        self.anew = self.low() in ("the", "a", "an")  # the squad in it and the squad outside it
        try:
            other = self.noun(verbs_stop=True)
        finally:
            self.anew = False
        if other is None or other is subject or other in subject.fellows or self.scene.below(other, ACT):
            return False
        subject.fellows.append(other)
        return not self.over()

    def asked(self, kind: str, subject: Thing, start: int) -> dict[str, Any]:
        """The question whether a subject may or must do, or have done to it, what follows."""
        self.scene.main = self.it = subject
        if self.low() in ("not",):
            raise self.stuck("asked whether it may not: ask whether it may")
        if self.take("be"):
            if self.attempt(lambda: self.in_group(subject)):
                return {kind: self.scene.act}
            if self.attempt(lambda: self.counts_as(subject)):
                return {"is": (subject, self.class_asked)}
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
            made = self.act_asked(subject, True)
        else:
            made = self.act_asked(subject, False)
        if made is None:
            event = self.event_of(subject)
            if self.scene.below(event, ACT) and self.attempt(lambda: self.effect_on(event)):
                self.scene.act = self.scene.main = event
                return {"is": (event, self.class_asked)}
        if made is None:
            raise self.stuck()
        if self.scene.below(subject, ACT):
            raise Stuck(start)
        self.it = subject
        return {kind: made}

    class_asked = ""

    def act_asked(self, subject: Thing, passive: bool) -> Thing | None:
        """The act that is asked about; what its subject was told to do in passing has happened: a squad that enters a minefield."""
        before, self.scene.act = self.scene.act, None
        act = self.act_of(subject, passive)
        if act is None:
            self.scene.act = before
        elif before is not subject:
            self.narrated(before)
        return act

    def counts_as(self, subject: Thing) -> bool:
        """Takes `used as valid fire`: asked whether it may be used as such, one asks whether it is such."""
        if not self.take("used as", "treated as", "considered", "counted as", "taken as", "regarded as"):
            return False
        self.take("a", "an", "the")
        found = self.asked_class(subject)
        sense = found.of(HOW, KIND, DEED) if found is not None else None
        if found is None or sense is None or found.denied or not self.fits(subject, sense.name):
            return False
        self.i += found.length
        self.class_asked = sense.name
        if self.scene.below(subject, ACT):
            self.scene.act = subject
        return True

    def event_of(self, subject: Thing) -> Thing:
        """The attack that is told by what is fired in it: may this WP affect …"""
        if not self.scene.below(subject, AMMUNITION) or "Attack" not in self.classes:
            return subject
        act = next((t for t in self.scene.things if subject in t.links.get("ammunition", ())), None)
        if act is None:
            act = self.scene.new(["Attack"], subject.said)
            act.link("ammunition", subject)
        return act

    def effect_on(self, act: Thing) -> bool:
        """Takes `affect the squad inside the pillbox`: what the ontology says that an act can do to a thing, or to what is in a
        place: its contents."""
        if self.over():
            return False
        verb = self.line[self.i]
        self.i += 1
        link = None
        if self.take("the") and (link := self.found(LINK)) is not None:
            self.i += link.length  # the occupants of the pillbox
            if not self.take("of") or link.senses[0].name != "occupant":
                return False
        other = self.noun(verbs_stop=True)
        if other is None:
            return False
        names = [self.classes[a].label for k in other.kinds for a in (k, *sorted(self.classes[k].ancestors))]
        if (
            link is not None
            or other.links.get(AT)
            or any(other in t.links.get("occupant", ()) for t in self.scene.things)
        ):
            names = [*self.properties["occupant"].alt, *names] if "occupant" in self.properties else names
        for name in names:
            meant = self.lexicon.meaning([verb, *(Word(w, 0, 0) for w in name.split())])
            sense = meant.of(HOW) if meant is not None else None
            if meant is not None and sense is not None and not meant.denied and self.fits(act, sense.name):
                self.class_asked = sense.name
                if "target" in self.properties and not act.links.get("target"):
                    act.link("target", other)
                return True
        return False

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
        if verb in DO and self.attempt(self.applies):
            return {"is": (self.scene.main, self.class_asked)}
        if verb in BE and self.attempt(self.stand_so):
            return {"is": self.pair_asked}
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
        if verb in DO and self.scene.below(subject, ACT) and self.attempt(lambda: self.effect_on(subject)):
            return {"is": (subject, self.class_asked)}
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

    pair_asked: tuple[Thing, tuple[str, Thing]]

    def stand_so(self) -> bool:
        """Takes `are they ADJACENT`, `are the squad and the leader ADJACENT`: how two stand to each other."""
        self.i += 1
        if self.take("they", "they both", "the two"):
            told = [t for t in self.scene.things if self.scene.below(t, "Piece")]
        else:
            one, joined = self.noun(verbs_stop=True, states=False), self.take("and")
            other = self.noun(verbs_stop=True, states=False) if joined else None
            told = [t for t in (one, other) if t is not None]
        link = self.found(LINK)
        sense = link.of(LINK) if link is not None else None
        if len(told) != len({*map(id, told)}) or len(told) != PAIR or link is None or sense is None:
            return False
        self.i += link.length
        self.take("to each other")
        self.scene.main = self.it = told[0]
        self.pair_asked = (told[0], (sense.name, told[1]))
        return self.may_link(told[0], sense.name) and (self.over() or self.clause_begins())

    def applies(self) -> bool:
        """Takes `does TPBF apply between a squad and an enemy squad`: whether an attack of one on the other is such."""
        self.i += 1
        found = self.found(HOW, DEED, KIND)
        sense = found.of(HOW, DEED) if found is not None else None
        if found is None or sense is None or found.denied or ACT not in self.classes[sense.name].ancestors:
            return False
        self.i += found.length
        wide = next(
            (c for c in ("Fire", "CloseCombat", "Attack", "Entry") if c in self.classes and self.kind(sense.name, c)),
            "",
        )
        if not wide or wide == sense.name:
            return False
        if self.take("apply between"):
            one = self.noun(verbs_stop=True)
            if one is None or not self.take("and"):
                return False
            other = self.noun(verbs_stop=True)
            act = self.scene.new([wide], sense.name)
            if other is None or other is one:
                return False
            act.link("actor", one)
            act.link("target", other)
        elif self.take("apply to"):
            to = self.noun()
            if to is None or not self.scene.below(to, ACT) or not self.fits(to, sense.name):
                return False
            act = to
        else:
            return False
        self.scene.main = self.scene.act = self.it = act
        self.class_asked = sense.name
        return True

    def asked_class(self, subject: Thing):  # type: ignore[no-untyped-def]
        """The class that an is-question asks for, the longest that stands here and may be said of the subject."""
        for found in self.lexicon.all(self.line, self.i, (HOW, KIND, DEED)) if not self.over() else ():
            senses = [s for s in found.senses if not s.verb and (s.sort != DEED or self.scene.below(subject, ACT))]
            if senses:
                return type(found)(found.length, tuple(senses), found.denied)
        return None
