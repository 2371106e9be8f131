"""Reads what is said of things: how they are, of what kind, in which phase; what follows a noun, and what follows a verb."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kb.english.asides import BE, NOT, AsideReader
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, DETERMINERS, FLAG, HOW, KIND, LINK, PHASE, Found, Sense
from kb.english.nouns import EMPTY, ENTERED
from kb.english.references import AT, PLACE, TERRAIN
from kb.english.scene import ACT, SIDES, Thing
from kb.english.words import Word, counted
from kb.language.english import base_form, participles, plural

JOINING = (",", "and", "but", "nor", "or")
HAVE = ("has", "have", "had", "holds", "carries", "possesses", "having")
STEM = 5  # letters by which a word is known again in another form: successful, succeeded
WHICH = ("that", "who", "which")


class ClauseReader(AsideReader):
    """Reads predicates. denying: what is read is behind a neither."""

    denying = False

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it: in the pillbox, not pinned, with 2 MF left, that has moved."""
        while not self.over():
            start = self.i
            if places and self.attempt(lambda: self.where(thing)):
                continue
            if states and (places or self.low() not in (*ENTERED, "outside")) and self.attempt(lambda: self.way(thing)):
                continue
            if any(self.attempt(partial(way, thing)) for way in (self.having, self.of, self.away, self.occupied)):
                continue
            if self.low() in WHICH and self.low(1) and not (self.low() == "that" and self.low(1) in ("it",)):
                self.i += 1
                if self.attempt(lambda: self.verb_phrase(thing)) or self.attempt(lambda: self.done_by(thing)):
                    continue
                self.i = start
            if self.low() in WHICH and self.scene.below(thing, PLACE) and self.attempt(lambda: self.where_somebody_is(thing)):
                continue
            if self.low() == "," and self.attempt(lambda: self.state_in_passing(thing)):
                continue
            if self.low() == "," and self.low(1) in ("which", "who") and self.attempt(lambda: self.in_passing(thing)):
                continue
            if (
                places
                and self.low() == ","
                and self.low(1) in ("outside", "inside")
                and self.attempt(lambda: self.aside_where(thing))
            ):
                continue
            if self.low() == "whose" and self.attempt(lambda: self.whose(thing)):
                continue
            if self.low() == "(" and self.attempt(lambda: self.apposed(thing)):
                continue
            self.i = start
            return

    def in_passing(self, thing: Thing) -> bool:
        """Takes a relative clause between commas: my squad, which is outside, …"""
        self.i += 2
        return (
            self.attempt(lambda: self.verb_phrase(thing)) or self.attempt(lambda: self.done_by(thing))
        ) and (self.take(",") or self.over() or self.clause_ends())

    def where_somebody_is(self, place: Thing) -> bool:
        """Takes `that my squad occupies`: who is in the place that was named."""
        self.i += 1
        other = self.noun(verbs_stop=True, states=False, places=False)
        if other is None or other is place or not self.take("occupies", "occupy", "is in", "are in", "is inside", "holds"):
            return False
        return self.put(other, place, self.i)

    def state_in_passing(self, thing: Thing) -> bool:
        """Takes states between commas, before the verb: an enemy squad, not Disrupted, is …"""
        while self.take(",", ", and"):
            if self.low() in (*BE, *HAVE):
                return True
            if not self.way(thing):
                return False
        return False

    def clause_ends(self) -> bool:
        """Whether a relative clause may end here without a comma: a condition follows."""
        return self.low() in ("if", "when", "while", "unless")

    def done_by(self, thing: Thing) -> bool:
        """Takes what a thing does: that moves into a minefield. Read where acts are."""
        return False

    def of(self, thing: Thing) -> bool:
        """Takes whose a thing is, or what it is of: the roof of a Command Bunker, an HE Concentration of 105mm OBA."""
        if not self.take("of"):
            return False
        start = self.i
        if not self.scene.below(thing, ACT) and self.attempt(lambda: self.amount(thing)):
            return True  # open terrain of cover modifier 0
        self.take("hex")
        other = self.noun(verbs_stop=True, states=False)
        if other is None:
            return False
        if other is thing:  # a Barrage of 105mm OBA: the same again
            return self.scene.below(thing, ACT)
        if other.spot:
            return self.put(thing, other, start)
        if self.scene.below(thing, "Group") and "member" in self.properties and not self.scene.below(other, PLACE):
            for one in (other, *other.fellows):
                thing.link("member", one)
            return True
        if self.scene.below(thing, ACT) and self.scene.below(other, ACT) and not self.scene.clash(thing, other.kinds):
            thing.add(k for k in other.kinds if not any(k in self.classes[o].ancestors for o in thing.kinds))
            thing.numbers.update(other.numbers)
            self.scene.things.remove(other)
            return True
        self.belongs(thing, other, start)
        return True

    def way(self, thing: Thing) -> bool:
        """Takes a state of a thing: pinned, not in Good Order, without LOS."""
        start = self.i
        denied = self.take(*NOT) or self.take("without", "with no") or self.denying
        if self.empty(thing, denied):
            return True
        if self.low() in ("in", "within", "at", "on") and any(f.of(KIND, LINK) for f in self.longer()):
            self.i = start
            return False
        found = self.found(HOW)
        if found is None and self.low() in ("with", "in"):
            found, self.i = self.skipped_found()
        sense = found.of(HOW) if found else None
        if found is not None and self.suffered(found.length):
            found = None
        if found is None or sense is None or not self.fits(thing, sense.name, denied != found.denied):
            self.i = start
            return False
        sense = self.nearest_state(thing, found, denied != found.denied)
        sense = self.kindred_state(thing, sense) or sense
        self.i += found.length
        self.say(thing, sense.name, denied != found.denied, start)
        if self.line[self.i - 1].low == "moved":  # up to the obstacle, in this turn's Movement Step
            while not self.over() and self.attempt(self.aside):
                pass
        return True

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

    def suffers(self, thing: Thing) -> bool:
        """Takes `suffered a Pin result`: that it is as the result has it, pinned."""
        if not self.take("suffered", "suffers", "got", "gets", "received"):
            return False
        count = not self.over() and bool(counted(self.line[self.i]))
        if not (self.take("a", "an") or count) or self.low(1 + count) not in ("result", "results"):
            return False
        self.i += count
        start, forms = self.i, participles(base_form(self.low()))[1:]
        sense = next((s for form in forms if (m := self.lexicon.meaning([Word(form, 0, 0)])) and (s := m.of(HOW))), None)
        if sense is None or not self.fits(thing, sense.name):
            return False
        self.i += 2
        self.take("this turn", "this player turn", "in this turn", "in this player turn", "this phase")
        self.say(thing, sense.name, False, start)
        return True

    def using(self, thing: Thing) -> bool:
        """Takes `uses PBF`: how an act is done."""
        return self.scene.below(thing, ACT) and self.take("uses", "using", "used") and self.class_of(thing)

    def came_off(self, thing: Thing) -> bool:
        """Takes `fails its Skill Test`: that an act of his is as the verb says, failed."""
        forms = participles(base_form(self.low()))[1:] if not self.over() and self.low(1) in DETERMINERS else ()
        if not forms or self.low() not in (*forms, base_form(self.low()), plural(base_form(self.low()))):
            return False
        meant = self.lexicon.meaning([Word(forms[0], 0, 0)])
        sense = meant.of(HOW) if meant is not None else None
        self.i += 1
        act = self.noun(verbs_stop=True) if sense is not None else None
        if act is None or sense is None or not self.scene.below(act, ACT) or act.links.get("actor", [thing]) != [thing]:
            return False
        narrow = self.bearer_of(sense.name)
        if narrow in ("", ACT) or not self.scene.below(act, narrow) or not self.fits(act, sense.name):
            return False
        act.link("actor", thing)
        self.say(act, sense.name, False, self.i)
        return True

    def kindred_state(self, thing: Thing, sense: Sense) -> Sense | None:
        """The state by which a thing of its kind is what another state says of acts at large: a successful test is one that has passed,
        which the ontology defines as a test that has succeeded."""
        wide, stem = self.bearer_of(sense.name), self.line[self.i].low[:STEM]
        if wide != ACT or len(stem) < STEM or not self.scene.below(thing, ACT):
            return None
        found = [
            name
            for name, term in self.classes.items()
            if name != sense.name
            and any(word.startswith(stem) for word in term.definition.split())
            and "not" not in term.definition.split()
            and (own := self.bearer_of(name))
            and self.scene.below(thing, own)
            and own != wide
            and self.kind(own, wide)
        ]
        return Sense(HOW, found[0]) if len(found) == 1 else None

    def of_act(self, thing: Thing) -> bool:
        """Takes what is said of a thing but is so of the act: the pillbox was predesignated as the target."""
        act = self.scene.act
        if act is None or self.over() or not thing.kinds or thing is act:
            return False
        labels = (self.classes[a].label for k in thing.kinds for a in (k, *sorted(self.classes[k].ancestors)))
        meanings = (
            self.lexicon.meaning([*(Word(w, 0, 0) for w in label.split()), self.line[self.i]]) for label in labels
        )
        sense = next((s for m in meanings if m is not None and (s := m.of(HOW)) is not None), None)
        if sense is None or not self.fits(act, sense.name) or ACT not in self.classes[sense.name].ancestors:
            return False
        start = self.i
        self.i += 1
        if self.take("as the target", "as target") and not act.links.get("target") and "target" in self.properties:
            act.link("target", thing)
        self.say(act, sense.name, False, start)
        return True

    def empty(self, thing: Thing, denied: bool) -> bool:
        """Takes that nobody is in a place: empty, unoccupied."""
        fit = self.scene.below(thing, PLACE) and not thing.links.get("occupant") and "occupant" in self.properties
        if not fit or denied or self.low() not in EMPTY:
            return False
        self.i += 1
        thing.links["occupant"] = []
        return True

    def longer(self):  # type: ignore[no-untyped-def]
        """Whether a longer stretch here is a relation, so that a state that begins alike is not meant."""
        state = self.found(HOW)
        link = self.found(LINK)
        return [link] if link and link.length > (state.length if state else 1) else []

    def skipped_found(self):  # type: ignore[no-untyped-def]
        """A state named behind a preposition: with all-around fields of fire."""
        start = self.i
        self.i += 1
        while self.low() in ("a", "an", "the"):
            self.i += 1
        found = self.found(HOW)
        at = self.i if found else start
        return found, at

    def verb_phrase(self, thing: Thing) -> bool:
        """Takes a verb and what it says of a thing: is pinned, has 2 MF left, is not in the pillbox, has moved."""
        start = self.i
        if self.attempt(lambda: (self.take("has", "have") or True) and self.counted_deed(thing)):
            return True
        if any(
            self.attempt(partial(w, thing)) for w in (self.moved, self.had, self.befell, self.came_off, self.suffers)
        ):  # has moved, does not have LOS: what the ontology has a word for
            return True
        if self.attempt(lambda: self.take(*BE, "has been", "have been", "had been") and self.predicate(thing)):
            return True
        if self.low() in HAVE and self.low(1) != "been" and self.attempt(lambda: self.take(*HAVE) and self.has(thing)):
            return True
        if self.attempt(lambda: self.holding(thing)) or self.attempt(lambda: self.using(thing)):
            return True
        self.i = start
        return self.linked(thing)

    def predicate(self, thing: Thing) -> bool:
        """Takes what a thing is said to be: pinned and in the pillbox; not concealed; an enemy squad; outside."""
        taken = False
        neither = self.take("neither")
        while not self.over():
            start = self.i
            self.denying = neither
            further = (
                (self.where, self.having, self.amount, self.away, self.occupied) if not neither else ()
            )  # what needs no and before it
            ways: tuple[Callable[[Thing], bool], ...] = (
                *further,
                self.able,
                self.way,
                self.ground_told,
                self.class_of,
                self.had,
                self.of_act,
                self.not_there,
                self.in_this_phase,
            )
            if taken and self.line[self.i - 1].low not in JOINING:
                ways = (*further, self.in_this_phase)
            if not any(self.attempt(partial(way, thing)) for way in ways):
                self.i = start
                break
            taken = True
            if self.low() in JOINING:
                if self.low() == "or" and not neither:
                    break
                self.i += 1
                self.take("and", "but", *BE)
        self.denying = False
        if taken and self.i and self.line[self.i - 1].low in (",", "and", "but"):
            self.i -= 1
        return taken

    def in_this_phase(self, thing: Thing) -> bool:
        """Takes `this MPh`, behind what a thing is: that it is so in the phase that it is."""
        self.take("in", "during")
        found = self.found(KIND) if self.take("this") else None
        sense = found.of(KIND) if found is not None else None
        if found is None or sense is None or not self.kind(sense.name, PHASE):
            return False
        self.i += found.length
        return True

    def not_there(self, thing: Thing) -> bool:
        """Takes `not in a pillbox`: that a thing is not somewhere, which tells nothing, for it was not said that it is."""
        start = self.i
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

    def had(self, thing: Thing) -> bool:
        """Takes what a thing has or has not done, in the ontology's words, behind others: pinned, has not shot."""
        found = self.found(HOW)
        sense = found.of(HOW) if found else None
        if (
            found is None
            or sense is None
            or self.low() not in (*HAVE, "did", "does")
            or not self.fits(thing, sense.name)
        ):
            return False
        start = self.i
        self.i += found.length
        self.say(thing, sense.name, found.denied, start)
        while not self.over() and self.line[self.i - 1].low == "moved" and self.attempt(self.aside):
            pass
        return True

    def class_of(self, thing: Thing) -> bool:
        """Takes of what kind a thing is said to be: an enemy, a mortar, a half-squad, not a tank."""
        start = self.i
        denied = self.take(*NOT) or self.denying
        noun = not self.take("a", "an", "the", "no")
        kinds: list[str] = []
        while not self.over():
            found = self.found(KIND, HOW, DEED) if not kinds else self.found(KIND)
            if found is not None and self.suffered(found.length):
                break
            sense = (found.of(KIND) or found.of(HOW) or found.of(DEED)) if found else None
            if (
                found is None
                or sense is None
                or not (self.fits(thing, sense.name) or (denied and not kinds and sense.sort != DEED))
            ):
                break
            if denied and self.kind(sense.name, TERRAIN) and self.scene.below(thing, PLACE):
                break  # whether a place is not on such ground is told by what it is on
            kinds.append(sense.name)
            noun = noun or sense.sort != HOW or denied != found.denied
            self.i += found.length
            denied = denied != found.denied
        noun = noun or self.over()
        another = self.line[start].low in ("a", "an") and not (start and self.line[start - 1].low in (*BE, ":"))
        if another and {*kinds} & {*SIDES} - {*thing.kinds}:  # an enemy squad, told by itself, is one more
            self.i = start
            return False
        if not kinds or not noun or (denied and len(kinds) > 1) or (not thing.kinds and not self.may_be(thing, kinds)):
            self.i = start
            return False
        for name in kinds:
            if denied:
                if not self.scene.clash(thing, [name]):  # a squad, not a mortar: that it is none is known
                    self.say(thing, name, True, start)
            else:
                self.scene.refine(thing, [name])
                if name in SIDES:
                    thing.add([name])
        return True

    def flagged(self, thing: Thing) -> bool:
        """Takes what is so or not of a thing by a flag: started the turn up square against the obstacle."""
        start = self.i
        denied = self.take(*NOT, "no")
        found = self.found(FLAG)
        sense = found.of(FLAG) if found else None
        if found is None or sense is None:
            self.i = start
            return False
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
            self.i = start
            return False
        self.i += found.length
        bearer.flags[sense.name] = denied == found.denied
        self.take("it", "applies")
        if self.attempt(lambda: self.noun() is not None):
            pass
        return True

    def phase_of(self, act: Thing) -> bool:
        """Takes the phase that an act is done in: in the RtPh, before play."""
        start = self.i
        self.take("during", "in", "at", "for")
        self.take("the", "a", "its", "his", "their", "this")
        self.take("friendly", "own", "current", "same")
        found = self.found(KIND)
        sense = found.of(KIND) if found else None
        if found is None and self.low() == "before":
            found = self.found(KIND)
            sense = found.of(KIND) if found else None
        if found is not None and sense is not None and self.kind(sense.name, PHASE):
            self.i += found.length
            if sense.name == PHASE:
                return True  # this phase: the one that it is
            if act.links.get("phase") and sense.name not in act.links["phase"][0].kinds:
                self.i = start
                raise self.stuck("the phase is told already, and is another")
            if not act.links.get("phase"):
                act.link("phase", self.scene.new([sense.name], "phase"))
            return True
        self.i = start
        return False
