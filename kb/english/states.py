"""Reads states: what has befallen somebody, how an act has come off, what somebody is not, and who is in a place."""

from __future__ import annotations

from kb.english.asides import NOT
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, FLAG, HOW, KIND, LINK
from kb.english.nouns import EMPTY
from kb.english.outcomes import OutcomeReader
from kb.english.pronouns import PRONOUNS
from kb.english.references import AT, PLACE
from kb.english.thing import ACT, Thing
from kb.english.words import counted
from kb.language.english import base_form

STILL_THERE = tuple(
    f"in {whose} {place}" for whose in ("their", "its", "his") for place in ("location", "place", "hexe")
)
ROLLING = ("rolls", "rolled", "roll", "rolling")
HOLDS = ("occupies", "occupy", "holds", "hold", "garrisons")
IS_THERE = (*HOLDS, "is in", "are in", "is inside")


class StateReader(OutcomeReader):
    """Reads states. denying: what is read is behind a neither."""

    denying = False

    def using_way(self, thing: Thing) -> bool:
        """Takes `using Bypass`, of somebody: how he does what it is asked whether he may do."""
        self.take(*(f"{who} {be}" for who in ("that", "which", "who") for be in ("is", "are")))
        sense = self.taken(HOW, below=ACT, bare=True) if self.low() == "using" and not self.scene.act else None
        if sense is None:
            return False
        thing.doing.append(sense.name)
        return not self.scene.below(thing, ACT)

    def using(self, thing: Thing) -> bool:
        """Takes `uses PBF`, `rolls Original Doubles`: how an act is done; of somebody, how what he does is done, or what he rolls: a 3."""
        if self.scene.below(thing, ACT):
            return self.take("uses", "using", "used", *ROLLING) and self.class_of(thing)
        if self.take(*(f"{rolls} {a}" for rolls in ROLLING for a in ("a", "an"))) and not self.over():
            value, names = counted(self.line[self.i]), ("die roll", "roll")
            name = next((n for said in names if (n := self.vocabulary.resolve(said, [self.properties]))), "")
            self.i += 1
            return bool(value and name) and self.numbered(thing, name, value, self.i)
        act = self.deed_of(thing, "Attack") if self.take(*ROLLING) and self.found(HOW) is not None else None
        if act is None or not self.takes_state(act, HOW):
            return False
        self.tried(act, self.lacking)  # without a leader
        return True

    def deed_of(self, thing: Thing, kind: str) -> Thing | None:
        """What somebody does of which something is told, or asked, as of himself: the one act of a kind that was told of him, or else that he
        does one; None where it is not known which."""
        if self.scene.below(thing, ACT):
            return thing
        acts = [t for t in self.scene.things if self.scene.below(t, kind)]
        acts = [
            t for t in acts if any(thing in t.links.get(role, ()) for role in ("actor", "weapon", *self.part_takers()))
        ] or [t for t in acts if not t.links.get("actor")]
        if not acts and kind in self.classes and not self.scene.below(thing, PLACE):
            acts = [self.scene.new([kind], "attack")]
        if len(acts) != 1:
            return None
        if not {"actor", "weapon", *self.part_takers()} & {*acts[0].links}:
            acts[0].link("actor", thing)
        self.scene.act = self.scene.act or acts[0]
        return acts[0]

    def part_takers(self) -> tuple[str, ...]:
        """The relation of an act to those who do it together, where the book has one."""
        role = self.vocabulary.resolve("participants", [self.properties])
        return (role,) if role else ()

    def of_act(self, thing: Thing) -> bool:
        """Takes what is said of a thing but is so of the act: the pillbox was predesignated as the target."""
        act, start = self.scene.act, self.i
        denied = self.take(*NOT)
        if act is None or self.over() or not thing.kinds or thing is act:
            return self.back_at(start)
        labels = (self.classes[a].label for k in thing.kinds for a in (k, *sorted(self.classes[k].ancestors)))
        sense = next((s for label in labels if (s := self.meant([*label.split(), self.line[self.i]], HOW))), None)
        if sense is None or not self.fits(act, sense.name, denied) or ACT not in self.classes[sense.name].ancestors:
            return self.back_at(start)
        self.i += 1
        as_target = self.take("as the target", "as target") and not denied
        if as_target and not act.links.get("target") and "target" in self.properties:
            act.link("target", thing)
        self.say(act, sense.name, denied, start)
        return True

    def of_what_is_his(self, act: Thing, other: Thing) -> bool:
        """Takes `of its Gun`, of what he does: to what it is done."""
        doers = act.links.get("actor", ())
        if not doers or other in doers or self.scene.below(act, "Attack") or not self.scene.below(act, ACT):
            return False
        if act.links.get("object") or not self.may_link(act, "object") or self.scene.below(other, ACT):
            return False
        act.link("object", other)
        return True

    def bare_verb(self, length: int) -> bool:
        """Whether a stretch that might be a state is rather the verb that is awaited, with what it is done with: fire its MG."""
        deed = self.lexicon.at(self.line[: self.i + 1], self.i, (DEED,))
        verb = deed is not None and any(s.verb for s in deed.senses) and base_form(self.low()) == self.low()
        verb = verb or (self.verb_awaited and self.low() in ("hold", "contain"))
        return verb and length > 1 and self.line[self.i - 1].low not in ("that", "who", "which")

    def in_this_phase(self, thing: Thing) -> bool:
        """Takes `this MPh`, behind what a thing is: that it is so in the phase that it is, or came to be so earlier in the turn."""
        if thing.denied and self.take("before", "beforehand", "so far", "at first", "until now"):
            return self.over() or self.line[self.i].sign
        if self.take("as"):  # pinned as Passengers, of Passengers
            sense = self.taken(KIND, bare=True)
            return sense is not None and self.scene.below(thing, sense.name) and (self.this_time() or True)
        return bool(thing.kinds) and self.this_time()

    def not_there(self, thing: Thing) -> bool:
        """Takes `not in a pillbox`: that a thing is not somewhere, which tells nothing, for it was not said that it is."""
        start = self.i
        if self.scene.below(thing, PLACE) and self.tried(thing, self.beside_nothing):
            return True
        known = thing is self.scene.main or any(thing in o for t in self.scene.things for o in t.links.values())
        if not known or len(self.listed) > 1 or not (self.take(*NOT) or self.denying):
            return False  # an enemy squad is not outside: nobody is there of whom one could tell
        mark, placed = self.scene.mark(), list(self.placed)
        anybody = self.scene.new(thing.kinds, "anybody")
        if not self.where(anybody):
            return False
        there = dict(anybody.links)
        self.scene.back(mark)
        self.placed = placed
        if any(role != AT and role not in self.besides() for role in there):
            return False  # what is so unless it is told otherwise
        told = {role: {role} if role == AT else self.besides() for role in there}
        if any(
            place in thing.links.get(r, ()) or (role != AT and thing in place.links.get(r, ()))
            for role, places in there.items()
            for place in places
            for r in told[role]
        ):
            raise Stuck(start, "it was told that it is there", True)
        return True

    def beside_nothing(self, place: Thing) -> bool:
        """Takes `not Accessible to the pillbox's hex`, of a place of which nothing of the kind was told: that it is so to nothing told."""
        if not (self.take(*NOT) or self.denying):
            return False
        link, sense = self.sensed(LINK)
        if link is None or sense is None or sense.name not in self.besides() or not self.may_link(place, sense.name):
            return False
        self.i += link.length
        other = self.noun(verbs_stop=True, states=False)
        if other is None or other is place or not self.scene.below(other, PLACE):
            return False
        told = any(t.links.get(sense.name) for t in (place, other)) or other.spot or place.spot
        place.links.setdefault(sense.name, [])
        return not told

    def as_usual(self, thing: Thing) -> bool:
        """Takes `within range`, `not near the lowest column`, where the book has no word for that: that nothing out of the way is so."""
        if thing.links.get(AT) and self.take(*(f"{there}{still}" for there in STILL_THERE for still in ("", "s"))):
            return True
        if self.take("within range", "in range", "in los and range", "within los and range"):
            return bool(thing.kinds)
        if not self.take("not near", "nowhere near", "far from", "not close to", "well above"):
            return False
        self.take("a", "an", "the", "any", "its")
        found = self.found(HOW, KIND, DEED)
        self.i += found.length if found is not None else 0
        return found is not None

    def denies_several(self) -> bool:
        """Takes the `not` of `not pinned, broken or berserk`, which denies all that is listed."""
        rest = [word.low for word in self.line[self.i :]]
        end = next((n for n, word in enumerate(rest) if word in ("and", "but", ";", ":", ".")), len(rest))
        return "or" in rest[:end] and self.take(*NOT)

    def on_other(self, place: Thing, ground: str) -> bool:
        """Whether the ground of a place is told, and is no such ground."""
        told = place.links.get("terrain", ())
        return any(self.scene.clash(one, [ground]) for one in told)

    def where_somebody_is(self, place: Thing) -> bool:
        """Takes `that my squad occupies`: who is in the place that was named."""
        self.i += 1
        return self.whose_place(place)

    def whose_place(self, place: Thing) -> bool:
        """Takes `my squad occupies`, `it entered last turn`, of the place that was named."""
        it = (self.doer or self.it) if self.low() in PRONOUNS else None
        self.i += it is not None
        other = it or self.noun(verbs_stop=True, states=False, places=False)
        if other is None or other is place:
            return False
        return self.entered_before(other, place) or (self.take(*IS_THERE) and self.put(other, place, self.i))

    def entered_before(self, mover: Thing, place: Thing) -> bool:
        """Takes `has just entered`, `entered last turn`, behind a place and who did it: that he went there."""
        return False

    def holds_place(self, thing: Thing) -> bool:
        """Takes `holds the trench`, of a piece: that it is there."""
        if not self.scene.below(thing, "Piece") or not self.take(*HOLDS):
            return False
        place = self.noun(verbs_stop=True)
        return place is not None and self.scene.below(place, PLACE) and self.put(thing, place, self.i)

    def of_whom(self, place: Thing) -> bool:
        """Takes `it is in`, behind a place: the bunker it is in; `he is with`, behind a piece."""
        it = self.doer or self.it
        self.i += 1
        if it is not None and self.scene.below(place, "Piece") and it is not place and self.take("is with"):
            there = it.links.get(AT) or [self.scene.new(["Location" if "Location" in self.classes else PLACE], "place")]
            return all(self.put(one, there[0], self.i) for one in (it, place))
        told = it is not None and it is not place and self.take("is in", "are in", "is inside", "are inside")
        return told and it is not None and self.put(it, place, self.i)

    def empty(self, thing: Thing, denied: bool) -> bool:
        """Takes that nobody is in a place: empty, unoccupied."""
        fit = self.scene.below(thing, PLACE) and not thing.links.get("occupant") and "occupant" in self.properties
        if not fit or denied or self.low() not in EMPTY:
            return False
        self.i += 1
        thing.links["occupant"] = []
        return True

    def of_what_make(self, thing: Thing) -> bool:
        """Takes `concrete reinforced`, of a bunker; `unarmored`, of a truck: of which kind of its kind a thing is, without the noun."""
        for kind in (k for told in thing.kinds for k in (told, *sorted(self.classes[told].ancestors))):
            label = self.classes[kind].label.split()
            for length in (3, 2, 1):
                words = self.line[self.i : self.i + length]
                meant = self.lexicon.meaning([*words, *label]) if len(words) == length and not words[-1].sign else None
                sense = meant.of(KIND) if meant is not None and not meant.denied else None
                after = self.line[self.i + length] if self.i + length < len(self.line) else None
                ends = after is None or after.sign or after.low in ("and", "but", "or")
                if sense is None or sense.name == kind or not self.kind(sense.name, kind) or not ends:
                    continue
                if self.scene.clash(thing, [sense.name]):
                    return False
                self.i += length
                self.scene.refine(thing, [sense.name] * (not self.scene.below(thing, sense.name)))
                return True
        return False

    def flagged(self, thing: Thing) -> bool:
        """Takes what is so or not of a thing by a flag: started the turn up square against the obstacle."""
        start = self.i
        denied = self.take(*NOT, "no")
        found, sense = self.sensed(FLAG)
        if found is None or sense is None:
            return self.back_at(start)
        domain = self.properties[sense.name].domain
        bearer = next(
            (
                t
                for t in (self.scene.act, thing)
                if t is not None and (domain not in self.classes or not self.scene.clash(t, [domain]))
            ),
            None,
        )
        if bearer is None:
            return self.back_at(start)
        self.i += found.length
        bearer.flags[sense.name] = denied == found.denied
        linked = any(thing in others for one in self.scene.things for others in one.links.values())
        if bearer is not thing and thing is self.scene.things[-1] and not (linked or thing.facts()[len(thing.kinds) :]):
            self.scene.things.remove(thing)  # the scenario lets him do it: no thing that bears on it
        self.take("it", "applies")
        if self.attempt(lambda: self.noun() is not None):
            pass
        return True

    def told_of_another(self, thing: Thing, name: str) -> bool:
        """Whether another thing was told to be of a class, of which it may be denied here."""
        return any(t is not thing and self.vocabulary.entails(t.kinds, name) for t in self.scene.things if t.kinds)

    def of_another_sort(self, thing: Thing, name: str) -> bool:
        """Whether a thing could never be of a class, being a piece and not a place, or an act and no thing at all."""
        if self.scene.below(thing, ACT):
            return not self.kind(name, ACT)
        sorts = [(self.scene.below(thing, top), self.kind(name, top)) for top in ("Piece", PLACE)]
        return sorts in ([(True, False), (False, True)], [(False, True), (True, False)])

    def skipped_found(self):  # type: ignore[no-untyped-def]
        """A state named behind a preposition: with all-around fields of fire."""
        start = self.i
        self.i += 1
        while self.low() in ("a", "an", "the"):
            self.i += 1
        found = self.found(HOW)
        at = self.i if found else start
        return found, at
