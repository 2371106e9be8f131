"""Reads what an act brings about, where it is asked: does the hit destroy the Nest, is he affected by it, may it affect the squad inside."""

from __future__ import annotations

from typing import Any

from kb.english.acts import LEAVING
from kb.english.counts import DO
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, undone
from kb.english.numbers import NumberReader
from kb.english.references import AT, PLACE, WEAPON
from kb.english.thing import ACT, Thing
from kb.english.words import Word

EDGES = {"start": "start", "beginning": "start", "end": "end"}
HARMING = ("harm", "hurt", "damage", "affect")


class EffectReader(NumberReader):
    """Reads effects that are asked for. class_asked: the class that was asked for last; so_asked: the question that was read."""

    class_asked = ""
    so_asked: dict[str, Any]

    def undergoes(self, subject: Thing) -> bool:
        """Takes `affected by an overrun`, `destroyed by a hit`: whether that act does it to somebody; `safe from` it, whether it does not."""
        if self.take(
            *(f"{safe} {of}" for safe in ("safe", "protected", "immune", "exempt") for of in ("from", "to", "against"))
        ):
            self.i -= 2
            self.line = [*self.line[: self.i], Word("affected", 0, 0), Word("by", 0, 0), *self.line[self.i + 2 :]]
            so = self.undergoes(subject) and isinstance(self.so_asked["is"][1], str)
            if so:
                thing, cls = self.so_asked["is"]
                self.so_asked = {"is": (thing, cls.removeprefix("not ") if cls.startswith("not ") else f"not {cls}")}
            return so
        verb = self.line[self.i] if not self.over() else None
        self.i += 1
        act = self.noun() if self.take("by") and not self.scene.below(subject, ACT) else None
        if verb is not None and act is not None and (self.scene.below(act, PLACE) or self.scene.below(act, WEAPON)):
            brought = self.lexicon.brings(verb)  # eliminated by the minefield: whether it is so
            if not brought or not self.fits(subject, brought[0].name):
                return False
            if self.scene.below(act, WEAPON):  # by a hit with it
                weapon, self.scene.act = act, self.scene.new([self.hit_class()], act.said)
                self.scene.act.links.update({"weapon": [weapon], "target": [subject]})
            self.so_asked = {"is": (subject, brought[0].name)}
            return True
        if verb is None or act is None or not self.scene.below(act, ACT):
            return False
        self.scene.act = act
        states = self.lexicon.brings(verb)
        if not act.links.get("target") and "target" in self.properties:
            act.link("target", subject)
        if states and self.fits(subject, states[0].name):
            self.so_asked = {"is": (subject, states[0].name)}
            return True
        sense = self.meant([verb], KIND, HOW)
        active = any(self.effect_named(act, Word(base, 0, 0), subject, False) for base in undone(verb.low))
        if active:
            self.scene.main = act
            self.so_asked = {"is": (act, self.class_asked)}
        elif sense is not None and self.fits(subject, sense.name):
            self.so_asked = {"is": (subject, sense.name)}
        else:
            return False
        return True

    def effect_on(self, act: Thing) -> bool:
        """Takes `affect the squad inside the pillbox`: what the ontology says that an act can do to a thing, or to what is in a
        place: its contents."""
        if self.over():
            return False
        verb = self.line[self.i]
        self.i += 1
        inside, start = self.attempt(self.occupants_of), self.i
        other = self.noun(verbs_stop=True)
        if not (self.over() or self.clause_begins()):  # that on the squad outside, of the squad inside
            self.i = start
            other = self.newly(verbs_stop=True)
        return other is not None and self.effect_named(act, verb, other, inside)

    def effect_named(self, act: Thing, verb: Word, other: Thing, inside: bool) -> bool:
        """Finds what the ontology says that an act does to a thing, by a verb; inside: to what is in a place."""
        said, verb = verb, Word("affect", 0, 0) if verb.low in HARMING else verb
        there = [k for t in other.links.get(AT, ()) for k in t.kinds]
        contents = {self.classes[a].label for k in there for a in (k, *self.classes[k].ancestors)}
        names = [self.classes[a].label for k in other.kinds for a in (k, *sorted(self.classes[k].ancestors))]
        if inside or other.links.get(AT) or any(other in t.links.get("occupant", ()) for t in self.scene.things):
            names = [*self.properties["occupant"].alt, *names] if "occupant" in self.properties else names
        for name in names:
            meant = self.lexicon.meaning([verb, *name.split()])
            sense = meant.of(HOW) if meant is not None else None
            fit = sense is not None and (
                not there or inside or any(c in self.classes[sense.name].label for c in contents)
            )
            if meant is not None and sense is not None and not meant.denied and fit and self.fits(act, sense.name):
                self.class_asked = sense.name
                if "target" in self.properties and not act.links.get("target"):
                    act.link("target", other)
                return True
        return said.low in HARMING and self.harmed(act, other)

    def hit_class(self) -> str:
        """The class of hits, where the book has one; else that of attacks."""
        named = self.vocabulary.resolve("hit", [self.classes])
        return named if named and not self.scene.state(named) else "Attack"

    def harming(self, doer: Thing) -> Thing:
        """What somebody harms a thing by: a hit, where the book says which can do no harm; else his attack."""
        harmless = self.lexicon.meaning(["can", "do", "no", "harm"])
        event = self.scene.new([self.hit_class() if harmless is not None else "Attack"], doer.said)
        event.link("actor", doer)
        return event

    def harmed(self, act: Thing, other: Thing) -> bool:
        """Whether it is asked if an attack can harm a thing, where the book has a word for one that can do no harm."""
        sense = self.meant(["can", "do", "no", "harm"], HOW)
        if sense is None or "target" not in self.properties or not self.fits(act, sense.name):
            return False
        self.class_asked = f"not {sense.name}"
        act.links.setdefault("target", [other])
        return True

    def affects(self, subject: Thing) -> bool:
        """Takes `affect the squad in the pillbox`, of an act."""
        self.so_asked = {"is": (subject, self.class_asked)}
        if not self.scene.below(subject, ACT) or not self.effect_on(subject):
            return False
        self.so_asked = {"is": (subject, self.class_asked)}
        return True

    def attacks_so(self, place: Thing) -> bool:
        """Takes `attack the squad again when it leaves`, of a place: whether what the squad does sets off the attack of the place, for
        which the book has a word."""
        if not self.attack_of(place) or not self.take("attack", "attacks"):
            return False
        self.doer = place  # what it attacks is not itself
        doer = self.noun(verbs_stop=True)
        self.doer = None
        return doer is not None and self.sets_off(doer, place)

    def attacked_so(self, doer: Thing) -> bool:
        """Takes `attacked again by the minefield when it leaves`, of somebody: as `attacks_so`, told from the other end."""
        if not self.take("attacked", "get attacked") or self.scene.below(doer, ACT):
            return False
        again = self.take("again")
        places = [t for t in self.scene.things if self.attack_of(t)]
        place = self.noun(verbs_stop=True) if self.take("by") else places[0] if len(places) == 1 else None
        self.i -= again and self.line[self.i - 1].low == "again"
        return place is not None and bool(self.attack_of(place)) and self.sets_off(doer, place)

    def turns_so(self, subject: Thing) -> bool:
        """Takes `rally at the start of its turn`: whether somebody is so when that has come, for which the book has an event."""
        found, sense = self.sensed(HOW)
        self.i += found.length if found is not None else 0
        owns = ("its", "its own", "his", "his own", "their", "their own")
        edge = next((EDGES[e] for e in EDGES if self.take(*(f"at the {e} of {own} turn" for own in owns))), "")
        event = self.meant([edge, "of", "own", "turn"], DEED) if edge and sense is not None else None
        told, subject.kinds = subject.kinds, [k for k in subject.kinds if not self.scene.state(k)]  # it may change
        fit = sense is not None and self.fits(subject, sense.name)
        subject.kinds = told
        if event is None or sense is None or not fit:
            return False
        self.scene.happened.append(self.scene.new([event.name], edge))
        self.scene.happened[-1].link("actor", subject)
        self.so_asked = {"is": (subject, sense.name)}
        return True

    def stops_so(self, place: Thing) -> bool:
        """Takes `stop a tank`, of a place: whether a tank must stop there, where the book has an act of stopping."""
        doer = self.noun(verbs_stop=True) if self.take("stop") else None
        return doer is not None and self.must_stop(doer, place)

    def must_stop(self, doer: Thing, place: Thing) -> bool:
        """Asks whether somebody must stop in a place."""
        deed = self.meant(["stop"], DEED) if self.scene.below(place, PLACE) else None
        if deed is None:
            return False
        self.scene.act = act = self.scene.new([deed.name], "stop")
        act.links.update({"actor": [doer], "place": [place]})
        self.so_asked = {"must": act}
        return True

    def attack_of(self, place: Thing) -> str:
        """The attack that a place makes by itself; "" where the book has none."""
        labels = [n for k in place.kinds for n in (self.classes[k].label, *self.classes[k].alt)]
        names = (self.vocabulary.resolve(f"{label} attack", [self.classes]) for label in labels)
        name = next((n for n in names if n and ACT in self.classes[n].ancestors), "")
        return name if self.scene.below(place, PLACE) else ""

    def sets_off(self, doer: Thing, place: Thing) -> bool:
        """Asks whether what somebody does sets off the attack of a place."""
        again, name = self.take("again"), self.attack_of(place)
        self.take("this turn")
        there, acts = (
            [place, *place.links.get("hex", ())],
            [t for t in self.scene.things if doer in t.links.get("actor", ())],
        )
        here = doer.links.get(AT, []) + [p for t in acts if t.earlier for p in t.links.get("destination", ())]
        told = [t for t in acts if not t.earlier]
        if self.take("when", "if", "as", "while"):
            self.take("it", "he", "they")
            self.it, made = doer, self.act_of(doer, asked=False)
            told = [made] if made is not None else []
        elif again or not told:  # what he did there before, he does no more: he stays
            told = [t for t in told if not any(p in t.links.get("destination", ()) for p in there)]
            stay = self.meant(["stay"], DEED)
            if not told and stay is not None and any(p in there for p in here):
                told = [self.scene.new([stay.name], "stay")]
                told[0].links.update({"actor": [doer], "place": [place]})
        if len(told) != 1:
            return False  # by which of what he does?
        act = told[0]
        if self.scene.below(act, "Entry") and not {"from", "destination"} & {*act.links}:
            leaves = place in here or bool({*act.said.casefold().split()} & LEAVING)
            act.link("from" if leaves else "destination", place)
        self.scene.act = self.scene.main = act
        self.so_asked = {"is": (act, name)}
        return True

    def results_in(self, subject: Thing) -> bool:
        """Takes `result in Melee`, of an act: whether it is so, where the book has a word for that."""
        own = self.lexicon.meaning(["resulting", *self.line[self.i + 1 :]]) if self.low() == "result" else None
        if own is not None and (so := own.of(HOW)) is not None and self.fits(subject, so.name):
            self.i = len(self.line)
            self.so_asked = {"is": (subject, so.name)}
            return True
        return False

    def brings_about(self, subject: Thing) -> bool:
        """Takes `destroy the Nest`, of an act: whether the Nest is so once it has happened."""
        states, first = self.lexicon.brings(self.line[self.i]) if not self.over() else (), subject
        if states and self.scene.below(subject, WEAPON):  # what a flamethrower destroys is hit with it
            weapon, subject = subject, self.scene.new([self.hit_class()], subject.said)
            subject.link("weapon", weapon)
            self.scene.act = subject
        self.i += 1
        act = self.scene.act
        self.doer = first  # what it destroys is not itself
        if act is not None and subject in act.links.get("actor", ()):  # a team that hits the Nest
            subject = act
        other = self.noun(verbs_stop=True) if states and self.scene.below(subject, ACT) else None
        self.doer = None
        if other is None or self.scene.below(other, ACT) or not self.fits(other, states[0].name):
            return False
        if "target" in self.properties and not subject.links.get("target"):
            subject.link("target", other)
        self.so_asked = {"is": (other, states[0].name)}
        return True

    def happens(self) -> dict[str, Any] | None:
        """What happens to the Nest if it is hit? What does a hit do to it? The event is told with it, or afterwards."""
        start = self.i
        if self.attempt(self.does_to):
            return {"effects": self.it}
        if not self.take("what happens then", "what happens to", "what becomes of", "what happens"):
            return None
        thing = self.noun(verbs_stop=True)
        if thing is None and self.over():
            told = [row[0] for row in self.began[0] if self.scene.below(row[0], ACT)]
            parts = [t for row in self.began[0] for others in row[0].links.values() for t in others]
            if len([t for t in told if t not in parts]) > 1:
                raise Stuck(start, "which of what was told brings it about?", True)
            return {"effects": None}
        self.it = self.scene.main = thing
        self.take("as a result of this attack", "as a result")
        return {"effects": thing}

    def does_to(self) -> bool:
        """Takes `what does a hit do to a Nest`, `what effect has a hit on it`: what an event brings about on whom it befalls."""
        of = self.take("what is the effect of")
        if not of and not self.take(
            *(f"what {effect}{do}" for effect in ("effect ", "") for do in (*DO, "has", "have"))
        ):
            return False
        self.it = named = self.noun(verbs_stop=True, states=False)
        act = self.event_of(named) if named is not None and not self.scene.below(named, ACT) else named
        if act is None or not self.scene.below(act, ACT):
            return False
        self.complements(act, False, False)
        to = self.take("do to", "have on", "on")
        thing = self.noun(verbs_stop=True) if to else next(iter(act.links.get("target", ())), None) if of else None
        if thing is None or self.scene.below(thing, ACT) or thing not in act.links.get("target", [thing]):
            return False
        act.link("target", thing)
        told = [t for t in self.scene.things if t.links == act.links]  # a bunker that it hits: by that hit
        self.scene.act, self.scene.main, self.it = told[-1], thing, thing
        self.scene.things = [t for t in self.scene.things if t not in told[:-1]]
        return self.over() or self.line[self.i].sign or self.low() in ("if", "when", "while", "after")
