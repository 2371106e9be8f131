"""Reads how acts come off: suffered a Pin result, fails its Skill Test, doubled for PBF; and which state of several of one name is meant."""

from __future__ import annotations

from kb.english.asides import AsideReader
from kb.english.lexicon import DEED, DETERMINERS, HOW, Found, Sense
from kb.english.thing import ACT, Thing
from kb.english.words import counted
from kb.language.english import base_form, participles

LATER = ("later", "subsequently", "afterwards")
STEM = 5  # letters by which a word is known again in another form: successful, succeeded


class OutcomeReader(AsideReader):
    """Reads outcomes."""

    def suffers(self, thing: Thing) -> bool:
        """Takes `suffered a Pin result`: that it is as the result has it, pinned."""
        if not self.take("suffered", "suffers", "got", "gets", "received"):
            return False
        count = not self.over() and bool(counted(self.line[self.i]))
        if not (self.take("a", "an") or count) or self.low(1 + count) not in ("result", "results"):
            return False
        self.i += count
        start, forms = self.i, participles(base_form(self.low()))[1:]
        sense = next((s for form in forms if (m := self.lexicon.meaning([form])) and (s := m.of(HOW))), None)
        if sense is None or not self.fits(thing, sense.name):
            return False
        self.i += 2
        self.attempt(self.this_time)
        self.say(thing, sense.name, False, start)
        return True

    def becomes_later(self, thing: Thing) -> bool:
        """Takes `later broken`: that it became so, for which the book has an event, after it was as was told before."""
        sense = self.taken(HOW, bare=True) if self.take(*LATER) else None
        ends = f" becoming {self.classes[sense.name].label.casefold()}" if sense is not None else " "
        event = next(
            (n for n, c in self.classes.items() if c.definition.startswith("event of") and c.definition.endswith(ends)),
            "",
        )
        if not event:
            return False
        self.scene.happened.append(self.scene.new([event], ends))
        self.scene.happened[-1].link("actor", thing)
        return True

    def stays(self, thing: Thing) -> bool:
        """Takes `stays there`, `remains pinned`: that it is so, and stays so."""
        if not self.take("stays", "stay", "stayed", "remains", "remain", "remained"):
            return False
        there = self.take("there", "in it", "where it is", "where he is", "in place", "put")
        if there and self.take(","):
            self.i -= not self.tried(thing, self.predicate)
        return there or self.predicate(thing)

    def multiplied(self, thing: Thing) -> bool:
        """Takes `doubled for PBF`, `halved as Area Fire`, of an act: that it is such, of which the doubling comes."""
        ways = (f"{done} {by}" for done in ("doubled", "halved") for by in ("for", "as", "by", "because of"))
        return self.scene.below(thing, ACT) and self.take(*ways) and self.takes_state(thing, HOW, DEED)

    def as_he_did(self, thing: Thing) -> bool:
        """Takes `that it has passed`: of an act, how it has come off, told of whoever did it."""
        self.i += 1
        other = self.doer if self.take("it", "he", "they") else None
        self.take("has", "have")
        found = self.found(HOW) if other is not None and other is not thing else None
        sense = found.of(HOW) if found is not None else None
        narrow = self.bearer_of(sense.name) if sense is not None else ""
        if found is None or sense is None or narrow in ("", ACT) or not self.scene.below(thing, narrow):
            return False
        if thing.links.get("actor", [other]) != [other]:
            return False
        self.i += found.length
        thing.link("actor", other)  # type: ignore[arg-type]
        self.say(thing, sense.name, found.denied, self.i)
        return True

    def came_off(self, thing: Thing) -> bool:
        """Takes `fails its Skill Test`: that an act of his is as the verb says, failed."""
        sense = next(iter(self.lexicon.brings(self.line[self.i])), None) if self.low(1) in DETERMINERS else None
        self.i += 1
        self.named, it, self.it = None, self.it, thing  # its test: his
        act = self.noun(verbs_stop=True) if sense is not None else None
        self.it = it
        if act is None or sense is None or not self.scene.below(act, ACT) or act.links.get("actor", [thing]) != [thing]:
            return False
        own = any(act in others for others in thing.links.values())  # the test of a hit, which the hit passes
        narrow = self.bearer_of(sense.name) or (ACT if ACT in self.classes[sense.name].ancestors else "")
        if not narrow or not self.scene.below(act, narrow) or not self.fits(act, sense.name):
            return False
        if not own:
            act.link("actor", thing)
        self.say(act, sense.name, False, self.i)
        self.scene.act = self.scene.act or act
        return True

    def kindred_state(self, thing: Thing, sense: Sense, word: str = "") -> Sense | None:
        """The state by which a thing of its kind is what another state says of acts at large: a successful test is one that has passed,
        which the ontology defines as a test that has succeeded."""
        wide, stem = self.bearer_of(sense.name), (word or self.line[self.i].low)[:STEM]
        if wide != ACT or len(stem) < STEM or not self.scene.below(thing, ACT):
            return None
        told = {name: term.definition.split() for name, term in self.classes.items() if name != sense.name}
        same = [n for n, said in told.items() if "not" not in said and any(word.startswith(stem) for word in said)]
        own = {name: self.bearer_of(name) for name in same}
        found = [n for n in same if self.scene.below(thing, own[n]) and own[n] != wide and self.kind(own[n], wide)]
        return Sense(HOW, found[0]) if len(found) == 1 else None

    def own_state(self, thing: Thing, state: str) -> str:
        """A state as that of the kind of thing: a successful test has passed."""
        kindred = self.kindred_state(thing, Sense(HOW, state), self.classes[state].label.casefold())
        return kindred.name if kindred is not None else state

    def nearest_state(self, thing: Thing, found: Found, denied: bool) -> Sense:
        """Of several states of one name, the one that is a state of the narrowest kind that the thing is told to be: a test that
        is successful has passed, an act that is has come off."""
        states = [s for s in found.senses if s.sort == HOW and self.fits(thing, s.name, denied)]
        own = [
            (len(self.classes[b].ancestors), s)
            for s in states
            if (b := self.bearer_of(s.name)) and self.scene.below(thing, b)
        ]
        return max(own, key=lambda row: row[0])[1] if len(states) > 1 and own else states[0]
